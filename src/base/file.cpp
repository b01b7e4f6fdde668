#include "base/file.hpp"

#include "base/lang.hpp"
#include "base/part_file.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace prof {
namespace {

constexpr std::size_t kWriteBuffer = std::size_t{64} * 1024;
constexpr int kMostLinks = 40; // as the kernel follows them

// The mode a plain open(O_CREAT, 0666) would have given: mkstemp makes 0600, which would surprise whoever
// shares the folder.
mode_t default_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

// N for "-", /dev/stdout, /dev/stderr, /dev/fd/N and /proc/self/fd/N: descriptors that are ours already.
// Opening those names again would start at the beginning of a file that a shell appends to.
int descriptor_named(const std::filesystem::path& path) {
  const std::string name = path.string();
  if (name == "-" || name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view head : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(head)) continue;
    int fd = -1;
    const char* end = name.data() + name.size();
    const auto [last, ec] = std::from_chars(name.data() + head.size(), end, fd);
    if (ec == std::errc{} && last == end && fd >= 0) return fd;
  }
  return -1;
}

std::string own_name(int fd) {
  return fmt::format("/proc/self/fd/{}", fd);
}

// Where a chain of symbolic links ends, there or not.
Result<std::filesystem::path> behind_links(const std::filesystem::path& path) {
  std::filesystem::path at = path;
  std::error_code error;
  for (int i = 0; i < kMostLinks; ++i) {
    if (!std::filesystem::is_symlink(at, error)) return at;
    const auto next = std::filesystem::read_symlink(at, error);
    if (error) return Error{Errc::io, error.message(), path.string()};
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return error_said(Errc::bad_argument, "error.link_circle", path.string());
}

// tee() looks into a pipe without taking: nothing there is "try again" with a writer and the end without one.
bool has_writer(int fd) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return true;
  const ssize_t seen = ::tee(fd, ends[1], 1, SPLICE_F_NONBLOCK);
  const bool is_there = seen > 0 || (seen < 0 && errno == EAGAIN);
  ::close(ends[0]);
  ::close(ends[1]);
  return is_there;
}

} // namespace

Error errno_error(std::string_view id, const std::filesystem::path& path) {
  const int code = errno;
  Errc errc = Errc::io;
  if (code == EACCES || code == EPERM) errc = Errc::permission;
  if (code == ENOENT) errc = Errc::missing;
  if (code == EPIPE) return Error{Errc::interrupted, {}, {}};
  const std::string reason = fmt::format("error.errno.{}", code), system = std::strerror(code);
  const std::string_view known = text(Lang::zh, reason);
  Error error{errc, say(Lang::en, id, fmt::arg("why", system)), path.string(),
              say(Lang::zh, id, fmt::arg("why", known == reason ? std::string_view(system) : known))};
  if (error.what == id) error.what += ": " + system, error.zh.clear(); // no text of the catalogue
  return error;
}

Status write_all(int fd, std::string_view bytes, const std::filesystem::path& name) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno_error("error.cannot_write", name);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return {};
}

Error no_folder_error(const std::filesystem::path& path, Errc code) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code ignored;
  const bool is_there = std::filesystem::is_directory(folder, ignored); // /proc: no file can be made there
  return error_said(code, is_there ? "error.no_files_in_folder" : "error.no_output_folder", path.string(),
                    fmt::arg("folder", folder.string()));
}

Result<int> open_input(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return errno_error("error.cannot_open", path);
  struct stat info{};
  const char* wrong = nullptr;
  if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) wrong = "error.input_is_folder";
  if (S_ISFIFO(info.st_mode) && !has_writer(fd)) wrong = "error.silent_pipe";
  if (wrong == nullptr && ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK) == 0) return fd;
  Error error = wrong == nullptr ? errno_error("error.cannot_open", path)
                                 : error_said(Errc::malformed, wrong, path.string());
  ::close(fd);
  return error;
}

namespace {

struct Beginning {
  std::string content;
  bool is_whole = true;
};

// Of a file longer than `max_bytes` its first bytes alone: nobody waits for gigabytes of it.
Result<Beginning> read_beginning(const std::filesystem::path& path, std::int64_t max_bytes) {
  PROF_TRY(const int fd, open_input(path));
  struct stat info{};
  const bool is_file = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  Beginning out{.content = {}, .is_whole = !is_file || info.st_size <= max_bytes};
  char chunk[65536];
  for (;;) {
    const ssize_t got = ::read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      Error error = errno_error("error.cannot_read", path);
      ::close(fd);
      return error;
    }
    if (got == 0) break;
    out.content.append(chunk, static_cast<std::size_t>(got));
    out.is_whole = out.is_whole && std::ssize(out.content) <= max_bytes;
    if (!out.is_whole) break;
  }
  ::close(fd);
  return out;
}

bool is_binary(std::string_view content) {
  constexpr std::size_t kLooked = 4096;
  return content.starts_with("\x1f\x8b") || content.starts_with("\x28\xb5\x2f\xfd") || // gzip, zstd
         content.substr(0, kLooked).find('\0') != std::string_view::npos;
}

} // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::int64_t max_bytes) {
  auto read = read_beginning(path, max_bytes);
  if (!read) return std::move(read).error();
  if (read->is_whole) return std::move(read->content);
  return error_said(Errc::budget, "error.too_large", path.string(), fmt::arg("n", max_bytes));
}

Result<std::string> read_report(const std::filesystem::path& path, std::int64_t max_bytes) {
  auto read = read_beginning(path, max_bytes);
  if (!read) return std::move(read).error();
  if (is_binary(read->content)) return error_said(Errc::malformed, "error.binary_report", path.string());
  if (read->is_whole) return std::move(read->content);
  return error_said(Errc::budget, "error.long_report", path.string(), fmt::arg("n", max_bytes));
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  struct stat left{}, right{};
  return ::stat(a.c_str(), &left) == 0 && ::stat(b.c_str(), &right) == 0 && S_ISREG(left.st_mode) &&
         left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

bool is_being_written(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return false;
  struct stat info{};
  const bool is_file = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  const bool is_locked = is_file && ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return is_locked;
}

Result<AtomicFile> AtomicFile::begin(const std::filesystem::path& path) {
  if (path.empty()) return error_said(Errc::bad_argument, "error.no_output_name", {});
  AtomicFile file;
  file.path_ = path;
  const auto into = [&](int fd) -> Result<AtomicFile> {
    if (fd < 0) return errno_error("error.cannot_write", path);
    file.sink_ = fd;
    return std::move(file);
  };
  if (const int fd = descriptor_named(path); fd >= 0) return into(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  PROF_TRY(file.target_, behind_links(path));
  if (const int fd = descriptor_named(file.target_); fd >= 0) return into(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  struct stat old{};
  if (::stat(file.target_.c_str(), &old) == 0) {
    if (S_ISDIR(old.st_mode)) return error_said(Errc::bad_argument, "error.output_is_folder", path.string());
    if (!S_ISREG(old.st_mode)) return into(::open(file.target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    // A rename would not ask: a write-protected file is meant to stay as it is.
    if (::access(file.target_.c_str(), W_OK) != 0) return errno_error("error.cannot_write", path);
    file.old_mode_ = old.st_mode & 07777U, file.old_owner_ = old.st_uid, file.old_group_ = old.st_gid;
  } else if (errno != ENOENT) { // a name that is too long
    return errno_error("error.cannot_create", path);
  }
  remove_stale_parts(file.folder());
  return file;
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
  PROF_TRY(AtomicFile file, begin(path));
  if (file.sink_ < 0 && !file.stage_unnamed()) PROF_CHECK(file.stage(file.folder()));
  return file;
}

Result<AtomicFile> AtomicFile::create_staged(const std::filesystem::path& path) {
  PROF_TRY(AtomicFile file, begin(path));
  std::error_code error;
  const bool is_beside = file.sink_ < 0;
  if (!is_beside) remove_stale_parts(std::filesystem::temp_directory_path(error));
  PROF_CHECK(file.stage(is_beside ? file.folder() : std::filesystem::temp_directory_path(error)));
  return file;
}

std::filesystem::path AtomicFile::folder() const {
  return target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
}

Status AtomicFile::stage(const std::filesystem::path& folder) {
  std::filesystem::path name;
  fd_ = create_part(folder, name);
  if (fd_ < 0 && errno == ENOENT) return no_folder_error(path_, Errc::missing);
  if (fd_ < 0) return errno_error("error.cannot_create", path_);
  temp_ = Temporary(name);
  return {};
}

// False where the file system cannot, or where the file could not be given a name later: that goes through
// /proc.
bool AtomicFile::stage_unnamed() {
  fd_ = ::open(folder().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd_ < 0) return false;
  ::flock(fd_, LOCK_EX); // nobody else knows it: at once
  if (::access(own_name(fd_).c_str(), F_OK) == 0) return true;
  ::close(std::exchange(fd_, -1));
  return false;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept {
  *this = std::move(other);
}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this == &other) return *this;
  close();
  path_ = std::move(other.path_);
  target_ = std::move(other.target_);
  temp_ = std::move(other.temp_);
  buffer_ = std::move(other.buffer_);
  old_mode_ = other.old_mode_, old_owner_ = other.old_owner_, old_group_ = other.old_group_;
  fd_ = std::exchange(other.fd_, -1);
  sink_ = std::exchange(other.sink_, -1);
  is_prepared_ = other.is_prepared_, is_executable_ = other.is_executable_;
  is_in_place_ = other.is_in_place_;
  return *this;
}

AtomicFile::~AtomicFile() {
  close();
}

void AtomicFile::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  if (sink_ >= 0) ::close(std::exchange(sink_, -1));
}

Status AtomicFile::flush() {
  const off_t before = fd_ >= 0 ? ::lseek(fd_, 0, SEEK_CUR) : -1;
  Status written = write_all(fd_ >= 0 ? fd_ : sink_, buffer_, path_);
  // Half a write is cut off again: what is in the file is whole.
  if (!written && before >= 0) cut_back(before);
  if (written || is_in_place_) buffer_.clear();
  return written;
}

void AtomicFile::cut_back(std::int64_t size) {
  if (fd_ >= 0 && ::ftruncate(fd_, size) == 0) ::lseek(fd_, size, SEEK_SET);
}

// What standard output gets is held back until it is whole: after an error nothing of it is there.
Status AtomicFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (!is_in_place_ && (fd_ < 0 || buffer_.size() < kWriteBuffer)) return {};
  return flush();
}

Status AtomicFile::set_mode() {
  mode_t mode = old_mode_ >= 0 ? static_cast<mode_t>(old_mode_) : default_mode();
  if (is_executable_) mode |= (mode & 0444U) >> 2U;
  // Only root may give a file away; for anybody else it is their own already, or cannot be.
  if (old_mode_ >= 0 && ::fchown(fd_, static_cast<uid_t>(old_owner_), static_cast<gid_t>(old_group_)) != 0 &&
      errno != EPERM)
    return errno_error("error.cannot_finish", path_);
  if (::fchmod(fd_, mode) != 0) return errno_error("error.cannot_finish", path_);
  return {};
}

Status AtomicFile::prepare() {
  if (is_prepared_) return {};
  if (fd_ >= 0 || is_in_place_) PROF_CHECK(flush());
  is_prepared_ = true;
  if (sink_ >= 0 || is_in_place_) return {};
  PROF_CHECK(set_mode());
  if (::fsync(fd_) != 0) return errno_error("error.cannot_finish", path_);
  return {};
}

Status AtomicFile::appear() {
  if (is_in_place_) return {};
  PROF_CHECK(flush());
  if (sink_ < 0) {
    PROF_CHECK(set_mode());
    PROF_CHECK(place());
  }
  is_in_place_ = true;
  return {};
}

// A link replaces nothing: over an older file an unnamed one goes by way of a name of its own.
Status AtomicFile::place() {
  const auto link = [self = own_name(fd_)](const std::filesystem::path& to) {
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (temp_.path().empty()) {
    if (link(target_)) return {};
    while (temp_.path().empty()) {
      if (errno != EEXIST) return errno_error("error.cannot_rename", path_);
      const std::filesystem::path name = part_name(folder());
      if (link(name)) temp_ = Temporary(name);
    }
  }
  if (::rename(temp_.path().c_str(), target_.c_str()) != 0) return errno_error("error.cannot_rename", path_);
  temp_.release();
  return {};
}

Status AtomicFile::commit() {
  PROF_CHECK(prepare());
  if (sink_ >= 0) return fd_ >= 0 ? copy_into_sink() : flush();
  if (!is_in_place_) PROF_CHECK(place());
  is_in_place_ = true;
  if (::close(std::exchange(fd_, -1)) != 0) return errno_error("error.cannot_finish", path_);
  return {};
}

Status AtomicFile::copy_into_sink() {
  std::string chunk(kWriteBuffer, '\0');
  if (::lseek(fd_, 0, SEEK_SET) != 0) return errno_error("error.cannot_read", temp_.path());
  for (;;) {
    const ssize_t got = ::read(fd_, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error("error.cannot_read", temp_.path());
    if (got == 0) return {};
    PROF_CHECK(write_all(sink_, std::string_view(chunk).substr(0, static_cast<std::size_t>(got)), path_));
  }
}

Error AtomicFile::named(Error error) const {
  const std::string temp = temp_.path().string();
  for (std::string* text : {&error.where, &error.what, &error.zh})
    if (const auto at = text->find(temp); !temp.empty() && at != std::string::npos)
      text->replace(at, temp.size(), path_.string());
  return error;
}

Status write_file(const std::filesystem::path& path, std::string_view content) {
  PROF_TRY(auto file, AtomicFile::create(path));
  PROF_CHECK(file.write(content));
  return file.commit();
}

} // namespace prof
