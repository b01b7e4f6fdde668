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

// A file that lives only as long as the object: unlinked on destruction and, once unlink_temps_on_signal()
// was called, when a signal ends the program.
class TempPath {
public:
  TempPath() = default;
  // Takes over a name; the file need not exist yet.
  explicit TempPath(std::string path);
  // A name beside `path` for a file that is renamed to it when whole. Error: bad_argument when `path` is a
  // folder, or a device or pipe that must not be replaced.
  [[nodiscard]] static Result<TempPath> beside(const std::filesystem::path& path);
  TempPath(TempPath&& other) noexcept;
  TempPath& operator=(TempPath&& other) noexcept;
  TempPath(const TempPath&) = delete;
  TempPath& operator=(const TempPath&) = delete;
  ~TempPath();

  [[nodiscard]] const char* c_str() const { return name_ == nullptr ? "" : name_; }
  // Renames the file to `path`, which ends its life as a temporary. After an error it is still one.
  [[nodiscard]] Status rename_to(const std::filesystem::path& path);

private:
  void forget();
  char* name_ = nullptr; // owned; the signal handler's table points at it too
};

// Whether `path` exists and is neither a regular file nor a folder: /dev/null, a pipe.
[[nodiscard]] bool is_device_or_pipe(const std::filesystem::path& path);

// SIGINT, SIGTERM and SIGHUP from now on unlink every TempPath and end the program with 128 + the signal's
// number. Whoever installs a handler of its own later replaces this one.
void unlink_temps_on_signal();

// An output file that is written beside its final name and renamed on commit(); without commit() it leaves
// nothing.
// "-" writes to standard output at commit(); a device or a pipe (/dev/null) is written straight. Not
// thread-safe.
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
  void close();
  [[nodiscard]] Status flush();
  std::filesystem::path path_;
  TempPath temp_;
  std::string buffer_;
  int fd_ = -1;
};

// Writes `content` to `path` through AtomicFile.
[[nodiscard]] Status write_file(const std::filesystem::path& path, std::string_view content);

// "path: No space left on device" for the current errno; permission for EACCES and EPERM, missing for ENOENT.
[[nodiscard]] Error errno_error(std::string_view doing, const std::filesystem::path& path);

} // namespace prof
