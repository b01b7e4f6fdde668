// file.hpp: whole-file reads with a limit, and outputs that appear whole or not at all.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace prof {

// The whole content of `path`. Errors: io, permission, missing, budget (larger than max_bytes), bad_argument
// (a directory).
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path, std::int64_t max_bytes);

// An output file that is written beside its final name and renamed on commit(); without commit() it leaves
// nothing.
// "-" writes to standard output at commit(). Not thread-safe.
class AtomicFile {
public:
  [[nodiscard]] static Result<AtomicFile> create(const std::filesystem::path& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // Appends; buffered by 64 KiB. Errors: io (disk full names the path).
  [[nodiscard]] Status write(std::string_view bytes);
  // Flushes, fsyncs and renames. After an error the target is as it was before.
  [[nodiscard]] Status commit();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  AtomicFile() = default;
  void discard();
  [[nodiscard]] Status flush();
  std::filesystem::path path_;
  std::filesystem::path temp_;
  std::string buffer_;
  int fd_ = -1;
};

// Writes `content` to `path` through AtomicFile.
[[nodiscard]] Status write_file(const std::filesystem::path& path, std::string_view content);

// "path: No space left on device" for the current errno; permission for EACCES and EPERM, missing for ENOENT.
[[nodiscard]] Error errno_error(std::string_view doing, const std::filesystem::path& path);

} // namespace prof
