// decompress.hpp: gzip and zstd files, unpacked beside us before a reader gets them.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

namespace prof {

enum class Packing : std::uint8_t { none, gzip, zstd };
// By the magic number at the start of a file.
[[nodiscard]] Packing packing_of(std::string_view head);

// A file that is removed with the object.
class TempFile {
public:
  explicit TempFile(std::filesystem::path path) : path_(std::move(path)) {}
  TempFile(TempFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TempFile& operator=(TempFile&&) = delete;
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

// Unpacks into the temporary folder. A stream that breaks off gives what came before the break (the reader
// then notes the cut). Errors: io (disk full), malformed when nothing at all came out, budget over max_bytes.
[[nodiscard]] Result<TempFile> decompress_to_temp(const std::filesystem::path& path, Packing packing,
                                                  std::int64_t max_bytes = std::int64_t{64} << 30);

} // namespace prof
