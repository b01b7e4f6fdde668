// Processor use: per CPU and per process, how long each thread waited for a CPU, how often the cgroup's quota
// stopped it, how many threads wanted to run, and the clock rate where the machine tells it.
#include "capture/collector.hpp"
#include "capture/counters.hpp"
#include "capture/procfs.hpp"
#include "capture/shared.hpp"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace prof {
namespace {

using namespace literals;

constexpr Dur kMachinePause = 200_ms;
constexpr Dur kThreadPause = 500_ms;
constexpr std::size_t kMaxThreads = 4096; // one open file each

std::vector<SignalState> probe(const CaptureRequest& request) {
  std::vector<SignalState> states{{.name = "cpu_util", .is_available = true},
                                  {.name = "run_queue", .is_available = true}};
  SignalState delay{.name = "run_queue_delay", .is_available = true};
  if (!read_virtual_file(request.proc_root / "self" / "schedstat"))
    delay = {.name = "run_queue_delay",
             .is_available = false,
             .reason = "signal.reason.no_schedstat",
             .mend = "signal.mend.schedstat",
             .detail = "/proc/PID/schedstat is missing"};
  states.push_back(delay);
  SignalState frequency{.name = "frequency", .is_available = true};
  std::error_code ignored;
  if (!std::filesystem::exists(request.sys_root / "devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
                               ignored))
    frequency = {.name = "frequency",
                 .is_available = false,
                 .reason = "signal.reason.no_cpufreq",
                 .mend = "signal.mend.bare_metal",
                 .detail = "/sys/devices/system/cpu/cpu0/cpufreq is missing"};
  states.push_back(frequency);
  const std::int64_t pid = request.pids.empty() ? ::getpid() : request.pids.front();
  const auto cgroup = cgroup_dir(request.proc_root, request.sys_root, pid, "cpu");
  const auto stat = cgroup ? read_virtual_file(cgroup->path / "cpu.stat") : std::nullopt;
  SignalState throttle{.name = "cpu_throttling", .is_available = true};
  if (!stat || !value_of_key(*stat, "nr_throttled"))
    throttle = {.name = "cpu_throttling",
                .is_available = false,
                .reason = "signal.reason.no_cpu_quota",
                .mend = "signal.mend.cpu_quota",
                .detail = "no nr_throttled in cpu.stat of the target's cgroup"};
  states.push_back(throttle);
  return states;
}

// Files that are read again and again stay open: one system call a reading instead of three.
class OpenFile {
public:
  explicit OpenFile(const std::filesystem::path& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  OpenFile(OpenFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  // All of it, up to the limit: on machines with many CPUs and interrupts /proc/stat is long. A zero follows.
  [[nodiscard]] std::string_view read(std::vector<char>& buffer) const {
    constexpr std::size_t kFirst = 65536, kLimit = std::size_t{4} << 20;
    if (buffer.size() < kFirst) buffer.resize(kFirst);
    std::size_t size = 0;
    for (;;) {
      const ssize_t got =
          fd_ < 0 ? -1
                  : ::pread(fd_, buffer.data() + size, buffer.size() - 1 - size, static_cast<off_t>(size));
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
      if (size < buffer.size() - 1) break; // the kernel had no more to give
      if (size >= kLimit) break;
      buffer.resize(buffer.size() * 2);
    }
    buffer[size] = '\0';
    return {buffer.data(), size};
  }

private:
  int fd_;
};

class Cpu final : public Collector {
public:
  explicit Cpu(const CaptureRequest& request)
      : request_(request), shared_(request.shared), stat_(request.proc_root / "stat") {}

  Status start(TraceSink&) override {
    find_frequency_files();
    return {};
  }
  void poll(TraceSink& sink) override {
    const Ts now = now_monotonic();
    if (machine_.is_due(now)) machine(sink, now);
    if (threads_pace_.is_due(now)) {
      threads(sink, now);
      throttling(sink, now);
    }
  }
  void stop(TraceSink& sink) override {
    const Ts now = now_monotonic();
    machine(sink, now);
    threads(sink, now);
    throttling(sink, now);
    counters_.finish(sink);
  }
  void on_processes(std::span<const std::int64_t>, TraceSink&) override {}

private:
  struct CpuTicks {
    std::int64_t busy = 0, all = 0;
  };
  struct ThreadState {
    std::int64_t pid = 0;
    OpenFile schedstat;
    Id<Thread> id;
  };
  struct ProcessState {
    std::int64_t run_ns = 0, last_run_ns = 0;
    Ts last;
  };

  void machine(TraceSink& sink, Ts now) {
    std::string_view rest = stat_.read(buffer_);
    while (!rest.empty()) {
      const auto line_end = std::min(rest.find('\n'), rest.size());
      const std::string line(rest.substr(0, line_end));
      rest.remove_prefix(std::min(line_end + 1, rest.size()));
      if (line.starts_with("procs_running "))
        counters_.set(sink, "run_queue", "count", {}, now, std::strtod(line.c_str() + 14, nullptr));
      if (!line.starts_with("cpu") || line[3] < '0' || line[3] > '9') continue;
      int number = 0;
      long long t[8] = {};
      if (std::sscanf(line.c_str(), "cpu%d %lld %lld %lld %lld %lld %lld %lld %lld", &number, &t[0], &t[1],
                      &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) < 5)
        continue;
      CpuTicks ticks;
      for (const long long value : t)
        ticks.all += value;
      ticks.busy = ticks.all - t[3] - t[4]; // idle, iowait
      const auto [it, is_new] = cpus_.try_emplace(number, ticks);
      const std::int64_t all = ticks.all - it->second.all;
      if (all < 5 && all >= 0) continue; // a tick is 10 ms: fewer make no percentage
      // The kernel's idle and I/O wait run backwards now and then.
      const std::int64_t busy =
          std::clamp<std::int64_t>(ticks.busy - it->second.busy, 0, std::max<std::int64_t>(all, 0));
      if (all > 0)
        counters_.set(sink, "cpu_util", "percent", {.cpu = number}, now,
                      100.0 * static_cast<double>(busy) / static_cast<double>(all));
      it->second = ticks;
    }
    for (const auto& [cpu, path] : frequency_files_)
      if (const auto khz = read_virtual_int(path))
        counters_.set(sink, "cpu_freq", "MHz", {.cpu = cpu}, now, static_cast<double>(*khz) / 1000);
  }

  void threads(TraceSink& sink, Ts now) {
    std::unordered_map<std::int64_t, ProcessState*> seen;
    for (const std::int64_t pid : shared_->targets()) {
      ProcessState& process = processes_[pid];
      process.run_ns = 0;
      for (const std::int64_t tid : list_tids(request_.proc_root, pid)) {
        if (threads_.contains(tid) || threads_.size() >= kMaxThreads) continue;
        threads_.emplace(tid, ThreadState{.pid = pid,
                                          .schedstat = OpenFile(request_.proc_root / std::to_string(pid) /
                                                                "task" / std::to_string(tid) / "schedstat"),
                                          .id = shared_->threads.thread(pid, tid, sink)});
      }
    }
    for (auto it = threads_.begin(); it != threads_.end();) {
      const std::string_view text = it->second.schedstat.read(buffer_);
      long long run = 0, wait = 0;
      if (text.empty() || std::sscanf(text.data(), "%lld %lld", &run, &wait) != 2) {
        it = threads_.erase(it); // ended
        continue;
      }
      counters_.set(sink, "run_delay", "ns", {.thread = it->second.id}, now, static_cast<double>(wait));
      processes_[it->second.pid].run_ns += run;
      ++it;
    }
    for (auto& [pid, process] : processes_) {
      const std::int64_t ran = process.run_ns - std::exchange(process.last_run_ns, process.run_ns);
      const std::int64_t span = (now - std::exchange(process.last, now)).ns;
      // A thread that ended takes its time with it: that interval says nothing.
      if (span > 0 && span < now.ns / 2 && ran >= 0 && process.run_ns > 0 && is_known_.contains(pid))
        counters_.set(sink, "cpu_util", "percent", {.process = shared_->threads.process(pid, sink)}, now,
                      100.0 * static_cast<double>(ran) / static_cast<double>(span));
      is_known_.insert(pid);
    }
  }

  void throttling(TraceSink& sink, Ts now) {
    if (const std::int64_t pid = shared_->first_alive(); pid != 0 && pid != cgroup_of_) {
      cgroup_of_ = pid;
      cgroup_ = cgroup_dir(request_.proc_root, request_.sys_root, pid, "cpu");
    }
    if (!cgroup_) return;
    const auto stat = read_virtual_file(cgroup_->path / "cpu.stat");
    if (!stat) return;
    if (const auto count = value_of_key(*stat, "nr_throttled"))
      counters_.set(sink, "nr_throttled", "count", {}, now, static_cast<double>(*count));
    if (const auto ns = value_of_key(*stat, "throttled_time")) // v1: ns
      counters_.set(sink, "throttled_time", "ns", {}, now, static_cast<double>(*ns));
    else if (const auto us = value_of_key(*stat, "throttled_usec")) // v2: us
      counters_.set(sink, "throttled_time", "ns", {}, now, static_cast<double>(*us) * 1000);
  }

  void find_frequency_files() {
    std::error_code ignored;
    for (int cpu = 0; cpu < 4096; ++cpu) {
      const auto folder = request_.sys_root / fmt::format("devices/system/cpu/cpu{}", cpu);
      if (!std::filesystem::exists(folder, ignored)) break;
      if (std::filesystem::exists(folder / "cpufreq/scaling_cur_freq", ignored))
        frequency_files_.emplace_back(cpu, folder / "cpufreq/scaling_cur_freq");
    }
  }

  CaptureRequest request_;
  std::shared_ptr<CaptureShared> shared_; // with the session and the other collectors
  CounterSet counters_;
  Pace machine_{kMachinePause}, threads_pace_{kThreadPause};
  OpenFile stat_;
  std::vector<char> buffer_;
  std::vector<std::pair<int, std::filesystem::path>> frequency_files_;
  std::unordered_map<int, CpuTicks> cpus_;
  std::map<std::int64_t, ThreadState> threads_;
  std::map<std::int64_t, ProcessState> processes_;
  std::set<std::int64_t> is_known_;
  std::optional<CgroupDir> cgroup_;
  std::int64_t cgroup_of_ = 0;
};

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return std::make_unique<Cpu>(request);
}

} // namespace

extern const CollectorInfo cpu_collector;
const CollectorInfo cpu_collector{.name = "cpu",
                                  .description = "capture.collector.cpu",
                                  .layer = Layer::os,
                                  .probe = probe,
                                  .create = create};

} // namespace prof
