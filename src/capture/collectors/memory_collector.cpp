// Memory: what each process holds, what its cgroup may hold, what the machine has left, and the time that was
// lost waiting (pressure stall information).
#include "capture/collector.hpp"
#include "capture/counters.hpp"
#include "capture/low_priority.hpp"
#include "capture/procfs.hpp"
#include "capture/shared.hpp"

#include <unistd.h>

namespace prof {
namespace {

using namespace literals;

constexpr Dur kRssPause = 200_ms;
constexpr Dur kMachinePause = 500_ms;
// smaps_rollup walks all page tables of the process (about 5 ms per GiB) and makes its mmap calls wait
// meanwhile.
constexpr Dur kPssPause = 60'000_ms;
constexpr double kKib = 1024;

struct PressureFile {
  const char* file;
  const char* some;
  const char* full;
};
constexpr PressureFile kPressure[] = {{"cpu", "psi_cpu_some", nullptr},
                                      {"memory", "psi_memory_some", "psi_memory_full"},
                                      {"io", "psi_io_some", "psi_io_full"}};

// "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234" -> 1234 us.
std::optional<double> pressure_total_ns(std::string_view content, std::string_view kind) {
  const auto line = content.find(std::string(kind) + " ");
  if (line == std::string_view::npos) return std::nullopt;
  const auto total = content.find("total=", line);
  if (total == std::string_view::npos) return std::nullopt;
  const auto value = value_of_key(content.substr(total), "total");
  return value ? std::optional(static_cast<double>(*value) * 1000) : std::nullopt;
}

std::vector<SignalState> probe(const CaptureRequest& request) {
  std::vector<SignalState> states{{.name = "mem_used", .is_available = true},
                                  {.name = "rss", .is_available = true}};
  const auto meminfo = read_virtual_file(request.proc_root / "meminfo").value_or("");
  SignalState swap{.name = "swap", .is_available = true};
  if (value_of_key(meminfo, "SwapTotal").value_or(0) == 0)
    swap.detail = "no swap space on this machine: always 0";
  states.push_back(swap);
  SignalState psi{.name = "psi", .is_available = true};
  if (!read_virtual_file(request.proc_root / "pressure" / "memory")) {
    psi = {.name = "psi",
           .is_available = false,
           .reason = "signal.reason.no_psi",
           .mend = "signal.mend.psi",
           .detail = "/proc/pressure is missing"};
  }
  states.push_back(psi);
  return states;
}

class Memory final : public Collector {
public:
  explicit Memory(const CaptureRequest& request) : request_(request), shared_(request.shared) {}

  Status start(TraceSink&) override { return {}; }
  void poll(TraceSink& sink) override {
    const Ts now = now_monotonic();
    if (rss_.is_due(now)) processes(sink, now);
    if (machine_.is_due(now)) {
      machine(sink, now);
      cgroup(sink, now);
    }
    if (pss_.is_due(now)) pss(sink, now);
  }
  void stop(TraceSink& sink) override {
    const Ts now = now_monotonic();
    processes(sink, now);
    machine(sink, now);
    cgroup(sink, now);
    counters_.finish(sink);
  }
  void on_processes(std::span<const std::int64_t>, TraceSink&) override {}

private:
  void processes(TraceSink& sink, Ts now) {
    static const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    for (const std::int64_t pid : shared_->targets()) {
      const auto statm = read_virtual_file(request_.proc_root / std::to_string(pid) / "statm");
      if (!statm) continue;
      const auto space = statm->find(' '); // "size resident shared ...": pages
      if (space == std::string::npos) continue;
      const double pages = std::strtod(statm->c_str() + space + 1, nullptr);
      if (pages <= 0) continue; // a zombie has no memory: its last reading stands
      counters_.set(sink, "rss", "bytes", {.process = shared_->threads.process(pid, sink)}, now,
                    pages * page);
    }
  }
  void pss(TraceSink& sink, Ts now) {
    hurry();
    for (const std::int64_t pid : shared_->targets()) {
      const auto rollup = read_virtual_file(request_.proc_root / std::to_string(pid) / "smaps_rollup");
      if (!rollup) continue;
      if (const auto kib = value_of_key(*rollup, "Pss"))
        counters_.set(sink, "pss", "bytes", {.process = shared_->threads.process(pid, sink)}, now,
                      static_cast<double>(*kib) * kKib);
    }
  }
  void machine(TraceSink& sink, Ts now) {
    const auto meminfo = read_virtual_file(request_.proc_root / "meminfo").value_or("");
    const auto total = value_of_key(meminfo, "MemTotal"), free = value_of_key(meminfo, "MemAvailable");
    if (total && free)
      counters_.set(sink, "mem_used", "bytes", {}, now, static_cast<double>(*total - *free) * kKib);
    const auto swap_total = value_of_key(meminfo, "SwapTotal"), swap_free = value_of_key(meminfo, "SwapFree");
    if (swap_total && swap_free)
      counters_.set(sink, "swap", "bytes", {}, now, static_cast<double>(*swap_total - *swap_free) * kKib);
    const auto vmstat = read_virtual_file(request_.proc_root / "vmstat").value_or("");
    for (const char* key : {"pswpin", "pswpout"})
      if (const auto pages = value_of_key(vmstat, key))
        counters_.set(sink, key, "count", {}, now, static_cast<double>(*pages));
    if (shared_->is_whole_machine()) {
      if (const auto faults = value_of_key(vmstat, "pgfault"))
        counters_.set(sink, "minor_faults", "count", {}, now, static_cast<double>(*faults));
      if (const auto faults = value_of_key(vmstat, "pgmajfault"))
        counters_.set(sink, "major_faults", "count", {}, now, static_cast<double>(*faults));
    }
    for (const PressureFile& pressure : kPressure) {
      const auto content = read_virtual_file(request_.proc_root / "pressure" / pressure.file);
      if (!content) continue;
      if (const auto ns = pressure_total_ns(*content, "some"))
        counters_.set(sink, pressure.some, "ns", {}, now, *ns);
      if (pressure.full == nullptr) continue;
      if (const auto ns = pressure_total_ns(*content, "full"))
        counters_.set(sink, pressure.full, "ns", {}, now, *ns);
    }
  }
  void cgroup(TraceSink& sink, Ts now) {
    if (const std::int64_t pid = shared_->first_alive(); pid != 0 && pid != cgroup_of_) {
      cgroup_of_ = pid;
      cgroup_ = cgroup_dir(request_.proc_root, request_.sys_root, pid, "memory");
    }
    if (!cgroup_) return;
    const auto used =
        read_virtual_int(cgroup_->path / (cgroup_->is_v2 ? "memory.current" : "memory.usage_in_bytes"));
    if (used) counters_.set(sink, "cgroup_mem_used", "bytes", {}, now, static_cast<double>(*used));
    const auto limit =
        read_virtual_int(cgroup_->path / (cgroup_->is_v2 ? "memory.max" : "memory.limit_in_bytes"));
    constexpr std::int64_t kNoLimit = std::int64_t{1}
                                      << 60; // v1 writes "no limit" as the largest page-aligned number
    if (limit && *limit < kNoLimit)
      counters_.set(sink, "cgroup_mem_limit", "bytes", {}, now, static_cast<double>(*limit));
  }

  CaptureRequest request_;
  std::shared_ptr<CaptureShared> shared_; // with the session and the other collectors
  CounterSet counters_;
  Pace rss_{kRssPause}, machine_{kMachinePause}, pss_{kPssPause};
  std::optional<CgroupDir> cgroup_;
  std::int64_t cgroup_of_ = 0;
};

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return std::make_unique<Memory>(request);
}

} // namespace

extern const CollectorInfo memory_collector;
const CollectorInfo memory_collector{.name = "memory",
                                     .description = "capture.collector.memory",
                                     .layer = Layer::os,
                                     .probe = probe,
                                     .create = create};

} // namespace prof
