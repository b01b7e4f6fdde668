#include "base/file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
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

// What the signal handler unlinks. Global because a handler has no other way to it; a slot is taken and given
// back by one atomic exchange. A program has a handful of outputs; those beyond the table are unlinked by
// their destructors only.
constexpr std::size_t kMostTemps = 32;
std::array<std::atomic<char*>, kMostTemps> g_temps{};
static_assert(std::atomic<char*>::is_always_lock_free);

void on_fatal_signal(int number) {
  for (std::atomic<char*>& slot : g_temps)
    if (const char* name = slot.load()) ::unlink(name);
  ::_exit(128 + number);
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

TempPath::TempPath(std::string path) : name_(::strdup(path.c_str())) {
  for (std::atomic<char*>& slot : g_temps) {
    char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, name_)) return;
  }
}

Result<TempPath> TempPath::beside(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Error{Errc::bad_argument, "is a folder, give a file name", path.string()};
  if (is_device_or_pipe(path))
    return Error{Errc::bad_argument, "is a device or a pipe, give a file name", path.string()};
  return TempPath(path.string() + fmt::format(".{}.part", ::getpid()));
}

TempPath::TempPath(TempPath&& other) noexcept : name_(std::exchange(other.name_, nullptr)) {}

TempPath& TempPath::operator=(TempPath&& other) noexcept {
  if (this == &other) return *this;
  if (name_ != nullptr) ::unlink(name_);
  forget();
  name_ = std::exchange(other.name_, nullptr);
  return *this;
}

TempPath::~TempPath() {
  if (name_ != nullptr) ::unlink(name_);
  forget();
}

void TempPath::forget() {
  for (std::atomic<char*>& slot : g_temps) {
    char* own = name_;
    if (own != nullptr && slot.compare_exchange_strong(own, nullptr)) break;
  }
  std::free(std::exchange(name_, nullptr)); // NOLINT(cppcoreguidelines-no-malloc): strdup's
}

Status TempPath::rename_to(const std::filesystem::path& path) {
  if (::rename(c_str(), path.c_str()) != 0) return errno_error("cannot rename into place", path);
  forget();
  return {};
}

bool is_device_or_pipe(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

void unlink_temps_on_signal() {
  struct sigaction action{};
  action.sa_handler = on_fatal_signal;
  ::sigfillset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    ::sigaction(number, &action, nullptr);
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  AtomicFile file;
  file.path_ = path;
  if (path == "-") return file;
  if (is_device_or_pipe(path)) {
    file.fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    PROF_TRY(file.temp_, TempPath::beside(path));
    ::unlink(file.temp_.c_str()); // what a killed process of the same number left
    file.fd_ = ::open(file.temp_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (file.fd_ < 0) return errno_error("cannot create", path);
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept {
  *this = std::move(other);
}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this == &other) return *this;
  close();
  path_ = std::move(other.path_);
  temp_ = std::move(other.temp_);
  buffer_ = std::move(other.buffer_);
  fd_ = std::exchange(other.fd_, -1);
  return *this;
}

AtomicFile::~AtomicFile() {
  close();
}

void AtomicFile::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Status AtomicFile::flush() {
  PROF_CHECK(path_ == "-" ? write_all(STDOUT_FILENO, buffer_, "standard output")
                          : write_all(fd_, buffer_, path_));
  buffer_.clear();
  return {};
}

Status AtomicFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (path_ == "-" || buffer_.size() < kWriteBuffer) return {};
  return flush();
}

Status AtomicFile::commit() {
  if (path_ == "-") std::fflush(stdout); // what was printed before comes before
  PROF_CHECK(flush());
  if (path_ == "-" || *temp_.c_str() == '\0') return {};
  if (::fsync(fd_) != 0) return errno_error("cannot finish", path_);
  if (::close(std::exchange(fd_, -1)) != 0) return errno_error("cannot finish", path_);
  return temp_.rename_to(path_);
}

Status write_file(const std::filesystem::path& path, std::string_view content) {
  PROF_TRY(auto file, AtomicFile::create(path));
  PROF_CHECK(file.write(content));
  return file.commit();
}

} // namespace prof
