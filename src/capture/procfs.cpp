#include "capture/procfs.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace prof {
namespace {

constexpr std::size_t kMaxVirtualFile = std::size_t{4} << 20;
constexpr std::size_t kCommLength = 15; // TASK_COMM_LEN - 1

std::optional<std::int64_t> to_int(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{}) return std::nullopt;
  return value;
}

std::vector<std::int64_t> numeric_entries(const std::filesystem::path& folder) {
  std::vector<std::int64_t> numbers;
  DIR* dir = ::opendir(folder.c_str());
  if (dir == nullptr) return numbers;
  while (const dirent* entry = ::readdir(dir)) {
    const std::string_view name = entry->d_name;
    if (name.find_first_not_of("0123456789") != std::string_view::npos) continue;
    if (const auto number = to_int(name)) numbers.push_back(*number);
  }
  ::closedir(dir);
  std::ranges::sort(numbers);
  return numbers;
}

std::string strip_newline(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

} // namespace

std::optional<std::string> read_virtual_file(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string content(4096, '\0');
  std::size_t size = 0;
  for (;;) {
    const ssize_t got = ::read(fd, content.data() + size, content.size() - size);
    if (got < 0) {
      const int code = errno; // callers tell a process that is gone by it
      ::close(fd);
      errno = code;
      return std::nullopt;
    }
    size += static_cast<std::size_t>(got);
    if (got == 0 || size >= kMaxVirtualFile) break;
    if (size == content.size()) content.resize(content.size() * 2);
  }
  ::close(fd);
  content.resize(size);
  return content;
}

std::optional<std::int64_t> read_virtual_int(const std::filesystem::path& path) {
  const auto content = read_virtual_file(path);
  return content ? to_int(*content) : std::nullopt;
}

std::optional<std::int64_t> value_of_key(std::string_view content, std::string_view key) {
  while (!content.empty()) {
    const auto line_end = std::min(content.find('\n'), content.size());
    std::string_view line = content.substr(0, line_end);
    content.remove_prefix(std::min(line_end + 1, content.size()));
    if (!line.starts_with(key) || line.size() <= key.size()) continue;
    line.remove_prefix(key.size());
    if (line.front() == ':' || line.front() == ' ' || line.front() == '=') return to_int(line.substr(1));
  }
  return std::nullopt;
}

std::int64_t monotonic_offset_ns(const std::filesystem::path& proc, std::string_view pid) {
  std::istringstream lines(read_virtual_file(proc / pid / "timens_offsets").value_or(""));
  std::string clock;
  for (std::int64_t seconds = 0, ns = 0; lines >> clock >> seconds >> ns;)
    if (clock == "monotonic") return seconds * 1'000'000'000 + ns;
  return 0;
}

std::vector<std::int64_t> list_pids(const std::filesystem::path& proc) {
  return numeric_entries(proc);
}

std::vector<std::int64_t> list_tids(const std::filesystem::path& proc, std::int64_t pid) {
  return numeric_entries(proc / std::to_string(pid) / "task");
}

std::optional<ProcStat> read_stat(const std::filesystem::path& proc, std::int64_t pid) {
  const auto content = read_virtual_file(proc / std::to_string(pid) / "stat");
  if (!content) return std::nullopt;
  // The name stands in parentheses and may itself hold any of them: fields are counted from the last one.
  const auto close = content->rfind(')');
  if (close == std::string::npos || close + 2 >= content->size()) return std::nullopt;
  std::vector<std::string_view> fields;
  std::string_view rest = std::string_view(*content).substr(close + 2);
  while (!rest.empty() && fields.size() < 24) {
    const auto space = std::min(rest.find(' '), rest.size());
    fields.push_back(rest.substr(0, space));
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  if (fields.size() < 20 || fields[0].empty()) return std::nullopt;
  for (const std::size_t i : {1, 7, 9, 11, 12, 19}) // those that are used
    if (!to_int(fields[i])) return std::nullopt;
  const auto field = [&](std::size_t i) { return to_int(fields[i]).value_or(0); };
  return ProcStat{.state = fields[0].front(),
                  .ppid = field(1),
                  .minor_faults = field(7),
                  .major_faults = field(9),
                  .user_ticks = field(11),
                  .system_ticks = field(12),
                  .start_ticks = field(19)};
}

std::string read_comm(const std::filesystem::path& proc, std::int64_t pid) {
  return strip_newline(read_virtual_file(proc / std::to_string(pid) / "comm").value_or(""));
}

std::string read_thread_comm(const std::filesystem::path& proc, std::int64_t pid, std::int64_t tid) {
  return strip_newline(
      read_virtual_file(proc / std::to_string(pid) / "task" / std::to_string(tid) / "comm").value_or(""));
}

std::vector<std::string> read_cmdline(const std::filesystem::path& proc, std::int64_t pid) {
  std::vector<std::string> words;
  const std::string content = read_virtual_file(proc / std::to_string(pid) / "cmdline").value_or("");
  std::string_view rest = content;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\0'), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

std::string process_name(const std::filesystem::path& proc, std::int64_t pid) {
  std::string comm = read_comm(proc, pid);
  if (comm.size() < kCommLength) return comm;
  const auto words = read_cmdline(proc, pid);
  if (words.empty()) return comm;
  std::string base = words.front().substr(words.front().rfind('/') + 1);
  return base.starts_with(comm) ? base : comm;
}

std::vector<std::int64_t> with_descendants(const std::filesystem::path& proc,
                                           std::span<const std::int64_t> pids) {
  std::multimap<std::int64_t, std::int64_t> children;
  for (const std::int64_t pid : list_pids(proc))
    if (const auto stat = read_stat(proc, pid)) children.emplace(stat->ppid, pid);
  std::set<std::int64_t> found(pids.begin(), pids.end());
  std::vector<std::int64_t> open(pids.begin(), pids.end());
  while (!open.empty()) {
    const std::int64_t parent = open.back();
    open.pop_back();
    const auto [first, last] = children.equal_range(parent);
    for (auto it = first; it != last; ++it)
      if (found.insert(it->second).second) open.push_back(it->second);
  }
  return {found.begin(), found.end()};
}

std::uint64_t own_pid_namespace() {
  struct stat info{};
  return ::stat("/proc/self/ns/pid", &info) == 0 ? std::uint64_t{info.st_ino} : 0;
}

bool is_first_pid_namespace() {
  constexpr std::uint64_t kFirst = 0xEFFFFFFC; // include/linux/proc_ns.h: PROC_PID_INIT_INO
  const std::uint64_t own = own_pid_namespace();
  return own == kFirst || own == 0;
}

ProcessLife process_life(const std::filesystem::path& proc, std::int64_t pid, std::int64_t start_ticks) {
  errno = 0;
  const auto stat = read_stat(proc, pid);
  if (!stat) return errno == ENOENT || errno == ESRCH ? ProcessLife::gone : ProcessLife::unknown;
  return start_ticks != 0 && stat->start_ticks != start_ticks ? ProcessLife::gone : ProcessLife::alive;
}

bool is_alive(const std::filesystem::path& proc, std::int64_t pid, std::int64_t start_ticks) {
  errno = 0;
  const auto stat = read_stat(proc, pid);
  if (!stat) return errno != ENOENT && errno != ESRCH;
  if (start_ticks != 0 && stat->start_ticks != start_ticks) return false;
  return stat->state != 'Z' && stat->state != 'X';
}

std::optional<CgroupDir> cgroup_dir(const std::filesystem::path& proc, const std::filesystem::path& sys,
                                    std::int64_t pid, std::string_view controller) {
  const std::string content = read_virtual_file(proc / std::to_string(pid) / "cgroup").value_or("");
  const std::filesystem::path base = sys / "fs" / "cgroup";
  std::optional<CgroupDir> unified;
  std::string_view rest = content;
  while (!rest.empty()) {
    const auto line_end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, line_end);
    rest.remove_prefix(std::min(line_end + 1, rest.size()));
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const std::string_view names = line.substr(first + 1, second - first - 1);
    if (line.substr(second + 1, 1) != "/") continue; // a line that was cut
    // More slashes would make it a path of its own, outside the hierarchy.
    const auto first_part = std::min(line.find_first_not_of('/', second + 1), line.size());
    const std::string folder(line.substr(first_part));
    std::error_code ignored;
    if (names.empty()) {
      for (const auto& root : {base, base / "unified"})
        if (std::filesystem::exists(root / "cgroup.controllers", ignored) && !unified)
          unified = CgroupDir{.path = root / folder, .is_v2 = true};
      continue;
    }
    const std::string padded = "," + std::string(names) + ",";
    if (padded.find("," + std::string(controller) + ",") == std::string::npos) continue;
    for (const std::string& mount : {std::string(controller), std::string(names)}) {
      if (std::filesystem::is_directory(base / mount / folder, ignored))
        return CgroupDir{.path = base / mount / folder};
      // In a container the hierarchy is mounted at its own folder.
      if (std::filesystem::is_directory(base / mount, ignored)) return CgroupDir{.path = base / mount};
    }
  }
  return unified;
}

} // namespace prof
