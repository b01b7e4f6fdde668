// procfs.hpp: what /proc says about processes. Every call takes the root folder, so that tests can bring
// their own. A process may vanish between two calls: absent values mean that, and are never errors.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// The content of a small virtual file, at most 4 MiB; nothing when it cannot be read.
[[nodiscard]] std::optional<std::string> read_virtual_file(const std::filesystem::path& path);
// The first integer in a virtual file ("max" and unreadable content give nothing).
[[nodiscard]] std::optional<std::int64_t> read_virtual_int(const std::filesystem::path& path);
// The value behind "key " or "key:" at the start of a line: cpu.stat, meminfo, vmstat, status, PSI's
// "total=".
[[nodiscard]] std::optional<std::int64_t> value_of_key(std::string_view content, std::string_view key);

// ns by which CLOCK_MONOTONIC of a process's time namespace differs from the machine's, by its
// timens_offsets; 0 where the kernel has no such namespaces or the file cannot be read.
[[nodiscard]] std::int64_t monotonic_offset_ns(const std::filesystem::path& proc, std::string_view pid);

struct ProcStat {
  char state = '?';
  std::int64_t ppid = 0;
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t user_ticks = 0, system_ticks = 0;
  std::int64_t start_ticks = 0; // since boot; with the pid it names a process for good
};

[[nodiscard]] std::vector<std::int64_t> list_pids(const std::filesystem::path& proc);
[[nodiscard]] std::vector<std::int64_t> list_tids(const std::filesystem::path& proc, std::int64_t pid);
[[nodiscard]] std::optional<ProcStat> read_stat(const std::filesystem::path& proc, std::int64_t pid);
// The kernel's name of a process or thread (at most 15 bytes).
[[nodiscard]] std::string read_comm(const std::filesystem::path& proc, std::int64_t pid);
[[nodiscard]] std::string read_thread_comm(const std::filesystem::path& proc, std::int64_t pid,
                                           std::int64_t tid);
// The words of the command line; empty for kernel threads and for what is gone.
[[nodiscard]] std::vector<std::string> read_cmdline(const std::filesystem::path& proc, std::int64_t pid);
// Last part of argv[0] when it is longer than the kernel's 15 bytes and starts with them, else comm.
[[nodiscard]] std::string process_name(const std::filesystem::path& proc, std::int64_t pid);
// `pids` and all that descend from them, sorted. One pass over /proc.
[[nodiscard]] std::vector<std::int64_t> with_descendants(const std::filesystem::path& proc,
                                                         std::span<const std::int64_t> pids);
// The inode of our pid namespace; 0 when it cannot be read. Pids of another one say nothing here.
[[nodiscard]] std::uint64_t own_pid_namespace();
// Whether pids of ours are those that the kernel itself counts by: not so in a container.
[[nodiscard]] bool is_first_pid_namespace();
// What /proc says about a process's life. Unknown when it could not be asked (no file descriptor left, no
// right): whoever acts on an end must not act on that.
enum class ProcessLife : std::uint8_t { alive, gone, unknown };
// `start_ticks` as in ProcStat tells a reused pid; 0 takes any process of that pid. A zombie is alive here.
[[nodiscard]] ProcessLife process_life(const std::filesystem::path& proc, std::int64_t pid,
                                       std::int64_t start_ticks = 0);
// Not known to be gone, and no zombie; with `start_ticks` also that process and no other under its pid.
[[nodiscard]] bool is_alive(const std::filesystem::path& proc, std::int64_t pid,
                            std::int64_t start_ticks = 0);

// The folder of a process in a cgroup hierarchy ("memory", "cpu"; v2 when there is no such v1 controller),
// under sys/fs/cgroup; nothing when there is none.
struct CgroupDir {
  std::filesystem::path path;
  bool is_v2 = false;
};
[[nodiscard]] std::optional<CgroupDir> cgroup_dir(const std::filesystem::path& proc,
                                                  const std::filesystem::path& sys, std::int64_t pid,
                                                  std::string_view controller);

} // namespace prof
