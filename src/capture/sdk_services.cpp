#include "capture/sdk_services.hpp"

#include "capture/procfs.hpp"
#include "capture/sdk_ring.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <dirent.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace prof {

namespace {

// A limit for folders that somebody filled.
constexpr int kMaxEntries = 8192;

template <class Visit>
void for_each_entry(const std::string& folder, Visit visit) {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(folder.c_str()), closedir);
  if (dir == nullptr) return;
  int left = kMaxEntries;
  while (const dirent* entry = readdir(dir.get())) {
    if (--left < 0) return;
    visit(std::string_view(entry->d_name));
  }
}

// A folder whose files may be trusted to be those of `uid`: its own, and closed to others.
bool is_folder_of(const std::string& path, uid_t uid) {
  struct stat info{};
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == uid &&
         (info.st_mode & 077) == 0;
}

// "prof-1000" in /dev/shm, "1000" in /run/user.
bool parse_uid(std::string_view text, uid_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string> registry_folders() {
  std::vector<std::string> folders;
  const auto add = [&](std::string path, uid_t uid) {
    const bool is_known = std::find(folders.begin(), folders.end(), path) != folders.end();
    if (!is_known && is_folder_of(path, uid)) folders.push_back(std::move(path));
  };
  if (const char* chosen = std::getenv("PROF_REGISTRY"); chosen != nullptr && *chosen == '/') {
    add(chosen, geteuid());
    return folders;
  }
  const std::string own = std::to_string(geteuid());
  add("/dev/shm/prof-" + own, geteuid());
  if (const char* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime == '/')
    add(std::string(runtime) + "/prof", geteuid());
  if (geteuid() != 0) return folders;
  uid_t uid = 0;
  for_each_entry("/dev/shm", [&](std::string_view name) {
    if (name.starts_with("prof-") && parse_uid(name.substr(5), uid))
      add("/dev/shm/" + std::string(name), uid);
  });
  for_each_entry("/run/user", [&](std::string_view name) {
    if (parse_uid(name, uid)) add("/run/user/" + std::string(name) + "/prof", uid);
  });
  std::sort(folders.begin(), folders.end());
  return folders;
}

} // namespace

std::vector<SdkRingFile> list_sdk_ring_files() {
  std::vector<SdkRingFile> files;
  for (const std::string& folder : registry_folders()) {
    for_each_entry(folder, [&](std::string_view name) {
      std::int64_t pid = 0;
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
      if (error != std::errc{} || pid <= 0 || !name.ends_with(".ring") || *end != '-') return;
      files.push_back({.pid = pid, .path = folder + "/" + std::string(name)});
    });
  }
  std::sort(files.begin(), files.end(),
            [](const SdkRingFile& a, const SdkRingFile& b) { return a.path < b.path; });
  return files;
}

namespace {

std::vector<SdkService> list_services(bool is_elsewhere) {
  std::vector<SdkService> services;
  for (const SdkRingFile& file : list_sdk_ring_files()) {
    auto ring = SdkRing::open(file.path);
    if (!ring || (*ring)->is_elsewhere() != is_elsewhere) continue;
    if (!(*ring)->is_process_alive() || !(*ring)->is_in_use()) continue;
    services.push_back({.pid = file.pid,
                        .name = (*ring)->service(),
                        .ring_path = file.path,
                        .recorded_by = (*ring)->other_profiler()});
  }
  std::sort(services.begin(), services.end(),
            [](const SdkService& a, const SdkService& b) { return a.pid < b.pid; });
  return services;
}

} // namespace

std::vector<SdkService> list_sdk_services() {
  return list_services(false);
}
std::vector<SdkService> list_sdk_services_elsewhere() {
  return list_services(true);
}

// The file itself does not tell: one that got its name late is shown without it in /proc/PID/fd.
std::string describe_recorder(const std::filesystem::path& proc, std::int64_t profiler) {
  const std::string number = "pid " + std::to_string(profiler);
  const auto words = read_cmdline(proc, profiler);
  const auto end = std::find(words.begin(), words.end(), "--");
  if (std::find(words.begin(), end, "trace") == end) return number;
  std::string output = "trace.pb";
  for (auto word = words.begin(); word != end; ++word) {
    if (word->starts_with("--output=")) output = word->substr(9);
    if (*word == "--output" && word + 1 != end) output = *(word + 1);
  }
  if (output == "-") return number;
  std::error_code error;
  const auto folder = std::filesystem::read_symlink(proc / std::to_string(profiler) / "cwd", error);
  return number + ", " + (folder / output).lexically_normal().string();
}

} // namespace prof
