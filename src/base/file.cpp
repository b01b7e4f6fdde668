#include "base/file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace prof {
namespace {

constexpr std::size_t kWriteBuffer = std::size_t{64} * 1024;

Status write_all(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno_error("cannot write", path);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return {};
}

// The mode a plain open(O_CREAT, 0666) would have given: mkstemp makes 0600, which would surprise whoever
// shares the folder.
mode_t default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

} // namespace

Error errno_error(std::string_view doing, const std::filesystem::path& path) {
  const int code = errno;
  Errc errc = Errc::io;
  if (code == EACCES || code == EPERM) errc = Errc::permission;
  if (code == ENOENT) errc = Errc::missing;
  return Error{errc, fmt::format("{}: {}", doing, std::strerror(code)), path.string()};
}

Result<std::string> read_file(const std::filesystem::path& path, std::int64_t max_bytes) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno_error("cannot open", path);
  struct stat info{};
  if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    ::close(fd);
    return Error{Errc::bad_argument, "is a folder, a file is needed here", path.string()};
  }
  std::string content;
  char chunk[65536];
  for (;;) {
    const ssize_t got = ::read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      Error error = errno_error("cannot read", path);
      ::close(fd);
      return error;
    }
    if (got == 0) break;
    content.append(chunk, static_cast<std::size_t>(got));
    if (static_cast<std::int64_t>(content.size()) > max_bytes) {
      ::close(fd);
      return Error{Errc::budget, fmt::format("larger than the {} bytes allowed here", max_bytes),
                   path.string()};
    }
  }
  ::close(fd);
  return content;
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  AtomicFile file;
  file.path_ = path;
  if (path == "-") return file;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Error{Errc::bad_argument, "is a folder, give a file name", path.string()};
  std::string pattern = path.string() + ".XXXXXX";
  file.fd_ = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (file.fd_ < 0) return errno_error("cannot create", path);
  file.temp_ = pattern;
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept {
  *this = std::move(other);
}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  path_ = std::move(other.path_);
  temp_ = std::move(other.temp_);
  buffer_ = std::move(other.buffer_);
  fd_ = std::exchange(other.fd_, -1);
  other.temp_.clear();
  return *this;
}

AtomicFile::~AtomicFile() {
  discard();
}

void AtomicFile::discard() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  if (!temp_.empty()) ::unlink(temp_.c_str());
  temp_.clear();
}

Status AtomicFile::flush() {
  PROF_CHECK(write_all(fd_ >= 0 ? fd_ : STDOUT_FILENO, buffer_, path_));
  buffer_.clear();
  return {};
}

Status AtomicFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (path_ == "-" || buffer_.size() < kWriteBuffer) return {};
  return flush();
}

Status AtomicFile::commit() {
  PROF_CHECK(flush());
  if (path_ == "-") return {};
  if (::fchmod(fd_, default_mode()) != 0 || ::fsync(fd_) != 0) return errno_error("cannot finish", path_);
  if (::close(std::exchange(fd_, -1)) != 0) return errno_error("cannot finish", path_);
  if (::rename(temp_.c_str(), path_.c_str()) != 0) return errno_error("cannot rename into place", path_);
  temp_.clear();
  return {};
}

Status write_file(const std::filesystem::path& path, std::string_view content) {
  PROF_TRY(auto file, AtomicFile::create(path));
  PROF_CHECK(file.write(content));
  return file.commit();
}

} // namespace prof
