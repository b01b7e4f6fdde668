// sha256.hpp: the fingerprint that ties an artefact to the command that made it (FIPS 180-4).
#pragma once
#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace prof {

// A running SHA-256. hex() ends it.
class Sha256 {
public:
  void add(std::string_view bytes);
  // 64 lower-case hex digits. Call once.
  [[nodiscard]] std::string hex();

private:
  void block(const unsigned char* bytes);
  std::array<std::uint32_t, 8> state_{0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                                      0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
  std::array<unsigned char, 64> buffer_{};
  std::uint64_t size_bytes_ = 0;
};

[[nodiscard]] std::string sha256_hex(std::string_view bytes);
// Of a file's content, read in pieces; of a directory: over the sorted relative names and contents of its
// regular files. Errors: io, permission, missing.
[[nodiscard]] Result<std::string> sha256_of(const std::filesystem::path& path);

} // namespace prof
