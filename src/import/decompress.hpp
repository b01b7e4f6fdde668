// decompress.hpp: gzip and zstd files, unpacked beside us before a reader gets them.
#pragma once
#include "base/part_file.hpp"
#include "base/result.hpp"
#include "base/temporary.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace prof {

enum class Packing : std::uint8_t { none, gzip, zstd };
// By the magic number at the start of a file.
[[nodiscard]] Packing packing_of(std::string_view head);

struct UnpackedFile {
  PartLock lock; // else the next command takes it for one that a killed process left, and removes it
  Temporary file;
  bool is_cut = false; // the packed stream broke off or was damaged: this is what came before
};

// The most bytes that a packed file of this size may unpack to: 250 times its own (traces stay far below; zip
// bombs do not), 1 GiB for small files, 64 GiB for any.
[[nodiscard]] std::int64_t most_unpacked(std::int64_t packed_bytes);

// The first bytes of what a packed file holds, up to `size`, from its own first bytes; what is damaged ends
// it.
[[nodiscard]] std::string unpacked_head(std::string_view packed, Packing packing, std::size_t size);

// Unpacks into the temporary folder, in 1 MiB pieces; removes there what killed processes left. A stream that
// breaks off gives what came before the break. Errors: io (disk full), malformed when nothing at all came
// out, budget over max_bytes.
[[nodiscard]] Result<UnpackedFile> decompress_to_temp(const std::filesystem::path& path, Packing packing,
                                                      std::int64_t max_bytes);

} // namespace prof
