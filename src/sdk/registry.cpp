// The registry folder: where a profiler finds the rings of a user's services.
#include "sdk/process.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prof::sdk {

namespace {

// Only a folder that nobody else can write may be trusted with files that others read.
bool is_own_folder(const char* path) {
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  struct stat info{};
  return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & 077) == 0;
}

// A start time that could not be read, now or then, is no other one: no descriptor may be left.
bool is_other_start(const RingHeader& header, std::uint32_t pid) {
  const std::uint64_t start = start_time_of(pid);
  return start != 0 && header.pid_start != 0 && start != header.pid_start;
}

// True when the file's process is gone. Files of other pid namespaces are kept: their pids mean nothing here.
bool is_stale(int folder_fd, const char* file, std::uint32_t pid) {
  const int fd = openat(folder_fd, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return false;
  alignas(RingHeader) unsigned char bytes[sizeof(RingHeader)];
  struct stat info{};
  const bool is_whole =
      pread(fd, bytes, sizeof bytes, 0) == static_cast<ssize_t>(sizeof bytes) && fstat(fd, &info) == 0;
  close(fd);
  if (!is_whole) return false;
  const auto* header = reinterpret_cast<const RingHeader*>(bytes);
  if (header->pid_ns != pid_namespace()) return false;
  if (pid == static_cast<std::uint32_t>(getpid())) {
    const auto* random = reinterpret_cast<const void*>(getauxval(AT_RANDOM));
    const bool is_earlier = is_other_start(*header, pid); // a reused pid
    return is_earlier ||
           (random != nullptr && std::memcmp(header->image_id, random, sizeof header->image_id) != 0);
  }
  const bool is_gone = kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
  const bool is_other = !is_gone && is_other_start(*header, pid);
  if (!is_gone && !is_other) return false;
  // A profiler may still be taking the last records out of a file that was being recorded.
  const std::int64_t age_ns = monotonic_ns() - header->heartbeat_ns.load(std::memory_order_relaxed);
  return header->word.load(std::memory_order_relaxed) == 0 || age_ns > 10'000'000'000;
}

// A file that its process was making when it was killed. Its header may say nothing yet, and its pid may be
// of another pid namespace: what is old enough is of nobody who is still at it.
bool is_abandoned(int folder_fd, const char* file, std::uint32_t pid) {
  constexpr std::int64_t kAgeS = 60; // making one takes milliseconds
  struct stat info{};
  timespec now{};
  if (fstatat(folder_fd, file, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) return false;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec - info.st_mtim.tv_sec > kAgeS && kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
}

} // namespace

bool registry_folder(char* out, std::size_t size) {
  if (const char* chosen = std::getenv("PROF_REGISTRY"); chosen != nullptr && *chosen == '/') {
    if (static_cast<std::size_t>(std::snprintf(out, size, "%s", chosen)) >= size) return false;
    return is_own_folder(out);
  }
  std::snprintf(out, size, "/dev/shm/prof-%u", geteuid());
  if (is_own_folder(out)) return true;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime == nullptr || *runtime != '/') return false;
  if (static_cast<std::size_t>(std::snprintf(out, size, "%s/prof", runtime)) >= size) return false;
  return is_own_folder(out);
}

void remove_stale_files(const char* folder) {
  DIR* dir = opendir(folder);
  if (dir == nullptr) return;
  int left = 4096; // a limit for a folder somebody filled
  while (const dirent* entry = readdir(dir)) {
    if (--left < 0) break;
    const char* name = entry->d_name;
    const bool is_unfinished = name[0] == '.';
    const char* digits = is_unfinished ? name + 1 : name;
    char* end = nullptr;
    const unsigned long pid = std::strtoul(digits, &end, 10);
    const std::size_t length = std::strlen(name);
    if (*digits < '0' || *digits > '9' || pid == 0 || pid > 0x7fffffff || *end != '-') continue;
    if (!is_unfinished && (length < 5 || std::strcmp(name + length - 5, ".ring") != 0)) continue;
    const auto number = static_cast<std::uint32_t>(pid);
    if (is_unfinished ? is_abandoned(dirfd(dir), name, number) : is_stale(dirfd(dir), name, number))
      unlinkat(dirfd(dir), name, 0);
  }
  closedir(dir);
}

} // namespace prof::sdk
