#include "base/part_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prof {
namespace {

constexpr std::string_view kHead = ".profiler-", kTail = ".part";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::size_t kRandom = 6;
constexpr int kMostTries = 100;
constexpr int kMostNames = 4096; // of a folder that somebody filled

bool is_part_name(std::string_view name) {
  if (name.size() != kHead.size() + kRandom + kTail.size()) return false;
  if (!name.starts_with(kHead) || !name.ends_with(kTail)) return false;
  return std::ranges::all_of(name.substr(kHead.size(), kRandom),
                             [](char c) { return kLetters.find(c) != std::string_view::npos; });
}

template <class Visit>
void for_each_name(DIR* folder, Visit visit) {
  int left = kMostNames;
  while (const dirent* entry = ::readdir(folder)) {
    if (--left < 0) return;
    visit(entry->d_name);
  }
}

// What a folder holds is files: export writes its tables there.
void empty_folder(int fd) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(::dup(fd)), ::closedir);
  if (!folder) return;
  for_each_name(folder.get(), [&](const char* name) { ::unlinkat(fd, name, 0); });
}

void remove_if_stale(int folder_fd, const char* name) {
  const int fd = ::openat(folder_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;
  struct stat info{};
  const bool is_ours = ::fstat(fd, &info) == 0 && info.st_uid == ::geteuid();
  // A file system without locks tells nothing about its owner: there it stays.
  if (is_ours && ::flock(fd, LOCK_EX | LOCK_NB) == 0) {
    if (S_ISREG(info.st_mode)) ::unlinkat(folder_fd, name, 0);
    if (S_ISDIR(info.st_mode)) {
      empty_folder(fd);
      ::unlinkat(folder_fd, name, AT_REMOVEDIR);
    }
  }
  ::close(fd);
}

// `make` gives a descriptor of what it made under the name, or -1.
template <class Make>
int create(const std::filesystem::path& folder, std::filesystem::path& path, Make make) {
  for (int i = 0; i < kMostTries; ++i) {
    path = part_name(folder);
    const int fd = make(path.c_str());
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0 || lock_part(fd)) return fd;
    ::close(fd);
  }
  errno = EEXIST;
  return -1;
}

} // namespace

std::filesystem::path part_name(const std::filesystem::path& folder) {
  std::array<unsigned char, kRandom> bytes{};
  // Without it (a kernel that has just started) names collide, and the next try waits for it.
  if (::getrandom(bytes.data(), bytes.size(), 0) < 0) bytes.fill(0);
  std::string name(kHead);
  for (const unsigned char byte : bytes)
    name += kLetters[byte % kLetters.size()];
  return folder / (name + std::string(kTail));
}

bool lock_part(int fd) {
  struct stat info{};
  while (::flock(fd, LOCK_EX) != 0) // waits while another looks whether it is stale
    if (errno != EINTR) return true;
  return ::fstat(fd, &info) != 0 || info.st_nlink > 0;
}

int create_part(const std::filesystem::path& folder, std::filesystem::path& path) {
  return create(folder, path, [](const char* name) {
    return ::open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  });
}

int create_part_folder(const std::filesystem::path& folder, std::filesystem::path& path) {
  return create(folder, path, [](const char* name) {
    return ::mkdir(name, 0777) != 0 ? -1 : ::open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  });
}

void remove_stale_parts(const std::filesystem::path& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(folder.c_str()), ::closedir);
  if (!dir) return;
  for_each_name(dir.get(), [&](const char* name) {
    if (is_part_name(name)) remove_if_stale(::dirfd(dir.get()), name);
  });
}

} // namespace prof
