// part_file.hpp: outputs that are not finished and need a name all the same: ".profiler-k3f9Zq.part" beside
// the output. Whoever writes one holds a lock (flock) on it, so that what a killed process left behind can be
// told from what is in use.
#pragma once
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace prof {

// The descriptor whose lock says that a part is in use, for as long as the object lives.
class PartLock {
public:
  PartLock() = default;
  explicit PartLock(int fd) : fd_(fd) {}
  PartLock(PartLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  PartLock& operator=(PartLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  PartLock(const PartLock&) = delete;
  PartLock& operator=(const PartLock&) = delete;
  ~PartLock() {
    if (fd_ >= 0) ::close(fd_);
  }

private:
  int fd_ = -1;
};

// A random name of this kind in `folder`; almost certainly free.
[[nodiscard]] std::filesystem::path part_name(const std::filesystem::path& folder);
// Takes the lock that says "in use". False: somebody removed the file before it was locked.
[[nodiscard]] bool lock_part(int fd);
// Creates an empty file and locks it. -1 with errno.
[[nodiscard]] int create_part(const std::filesystem::path& folder, std::filesystem::path& path);
// Creates an empty folder and locks it. -1 with errno.
[[nodiscard]] int create_part_folder(const std::filesystem::path& folder, std::filesystem::path& path);
// Removes what killed processes of this user left in `folder`: files, and folders with the files in them.
// Looks at no more than some thousand names.
void remove_stale_parts(const std::filesystem::path& folder);

} // namespace prof
