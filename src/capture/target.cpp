#include "capture/target.hpp"

#include "capture/procfs.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace prof {
namespace {

constexpr std::size_t kMinContainerId = 12;

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1); // npos + 1 = 0
}

std::string join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words)
    line += (line.empty() ? "" : " ") + word;
  return line;
}

std::set<std::int64_t> self_and_parents(const TargetWorld& world) {
  std::set<std::int64_t> found;
  for (std::int64_t pid = world.self; pid > 0 && found.insert(pid).second;) {
    const auto stat = read_stat(world.proc_root, pid);
    pid = stat ? stat->ppid : 0;
  }
  return found;
}

// Splits matching processes into trees: each root (no matching ancestor) with all that descend from it is a
// service.
std::vector<TargetService> as_trees(const std::set<std::int64_t>& pids, TargetKind kind,
                                    const TargetWorld& world) {
  std::vector<TargetService> services;
  for (const std::int64_t pid : pids) {
    bool is_root = true;
    std::set<std::int64_t> seen{pid};
    auto stat = read_stat(world.proc_root, pid);
    while (stat && stat->ppid > 1 && seen.insert(stat->ppid).second) {
      if (pids.contains(stat->ppid)) is_root = false;
      stat = read_stat(world.proc_root, stat->ppid);
    }
    if (!is_root) continue;
    const std::int64_t root[] = {pid};
    services.push_back({.kind = kind,
                        .name = process_name(world.proc_root, pid),
                        .cmdline = join(read_cmdline(world.proc_root, pid)),
                        .pids = with_descendants(world.proc_root, root)});
  }
  return services;
}

// A thread's number has a folder in /proc too; its process is what is meant.
std::int64_t process_of(std::int64_t tid, const TargetWorld& world) {
  const auto status = read_virtual_file(world.proc_root / std::to_string(tid) / "status");
  return status ? value_of_key(*status, "Tgid").value_or(tid) : tid;
}

std::vector<TargetService> by_pid(std::string_view digits, const TargetWorld& world) {
  std::int64_t pid = 0;
  const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  if (ec != std::errc{} || end != digits.data() + digits.size() || !is_alive(world.proc_root, pid)) return {};
  return as_trees({process_of(pid, world)}, TargetKind::pid, world);
}

std::vector<TargetService> by_sdk_name(std::string_view spec, const TargetWorld& world) {
  std::set<std::int64_t> pids;
  for (const SdkService& service : world.sdk_services)
    if (service.name == spec && is_alive(world.proc_root, service.pid)) pids.insert(service.pid);
  auto services = as_trees(pids, TargetKind::sdk, world);
  for (TargetService& service : services)
    service.name = spec;
  return services;
}

std::vector<TargetService> by_process_name(std::string_view spec, const TargetWorld& world) {
  std::set<std::int64_t> pids;
  for (const std::int64_t pid : list_pids(world.proc_root)) {
    if (pid == world.self || !is_alive(world.proc_root, pid)) continue;
    if (read_comm(world.proc_root, pid) == spec) {
      pids.insert(pid);
      continue;
    }
    const auto words = read_cmdline(world.proc_root, pid);
    if (!words.empty() && (words.front() == spec || base_name(words.front()) == spec)) pids.insert(pid);
  }
  return as_trees(pids, TargetKind::process, world);
}

bool names_cgroup(std::string_view folder, std::string_view spec) {
  const bool is_id =
      spec.size() >= kMinContainerId && spec.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (spec.starts_with('/') && folder == spec) return true;
  while (!folder.empty()) {
    const auto slash = std::min(folder.find('/'), folder.size());
    const std::string_view part = folder.substr(0, slash);
    folder.remove_prefix(std::min(slash + 1, folder.size()));
    if (part == spec || (part.ends_with(".service") && part.substr(0, part.size() - 8) == spec)) return true;
    if (is_id && part.find(spec) != std::string_view::npos)
      return true; // docker-<id>.scope, cri-containerd-<id>
  }
  return false;
}

std::vector<TargetService> by_cgroup(std::string_view spec, const TargetWorld& world) {
  TargetService service{.kind = TargetKind::cgroup, .name = std::string(spec)};
  for (const std::int64_t pid : list_pids(world.proc_root)) {
    if (pid == world.self || !is_alive(world.proc_root, pid)) continue;
    const auto content = read_virtual_file(world.proc_root / std::to_string(pid) / "cgroup");
    std::string_view rest = content ? std::string_view(*content) : std::string_view{};
    bool is_match = false;
    while (!rest.empty() && !is_match) {
      const auto line_end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, line_end);
      rest.remove_prefix(std::min(line_end + 1, rest.size()));
      const auto second = line.find(':', line.find(':') + 1);
      is_match = second != std::string_view::npos && names_cgroup(line.substr(second + 1), spec);
    }
    if (!is_match) continue;
    if (service.pids.empty()) service.cmdline = join(read_cmdline(world.proc_root, pid));
    service.pids.push_back(pid);
  }
  if (service.pids.empty()) return {};
  return {service};
}

std::vector<TargetService> by_word(std::string_view spec, const TargetWorld& world) {
  const auto ours = self_and_parents(world);
  std::set<std::int64_t> pids;
  for (const std::int64_t pid : list_pids(world.proc_root)) {
    if (ours.contains(pid) || read_comm(world.proc_root, pid) == "profiler" ||
        !is_alive(world.proc_root, pid))
      continue;
    for (const std::string& word : read_cmdline(world.proc_root, pid))
      if (word == spec || base_name(word) == spec) pids.insert(pid);
  }
  return as_trees(pids, TargetKind::word, world);
}

} // namespace

std::vector<TargetService> find_target(std::string_view spec, const TargetWorld& world) {
  if (spec.empty()) return {};
  if (spec.starts_with("pid:")) return by_pid(spec.substr(4), world);
  for (const auto way : {by_sdk_name, by_process_name, by_cgroup, by_word})
    if (auto services = way(spec, world); !services.empty()) return services;
  return {};
}

std::vector<std::string> known_target_names(const TargetWorld& world) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && seen.insert(name).second) names.push_back(name);
  };
  for (const SdkService& service : world.sdk_services)
    add(service.name);
  for (const std::int64_t pid : list_pids(world.proc_root))
    if (pid != world.self && !read_cmdline(world.proc_root, pid).empty())
      add(process_name(world.proc_root, pid));
  return names;
}

std::string_view refusal_of(const std::filesystem::path& proc, std::int64_t pid, uid_t self) {
  if (self == 0) return "trace.not_allowed_root";
  const std::string status = read_virtual_file(proc / std::to_string(pid) / "status").value_or("");
  // Its folder belongs to root when it keeps others out.
  const bool is_ours = value_of_key(status, "Uid") == std::int64_t{self};
  return is_ours ? "trace.not_allowed_own" : "trace.not_allowed";
}

} // namespace prof
