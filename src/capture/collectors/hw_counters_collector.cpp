// Hardware counters of the target: cycles, instructions, cache references and misses, where the machine has a
// performance monitoring unit (virtual machines mostly have none).
#include "capture/collector.hpp"
#include "capture/counters.hpp"
#include "capture/perf_ring.hpp"
#include "capture/procfs.hpp"
#include "capture/shared.hpp"
#include "capture/signal_states.hpp"

#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>
#include <unordered_set>

namespace prof {
namespace {

using namespace literals;

constexpr Dur kPause = 200_ms;
struct HardwareEvent {
  std::uint64_t config;
  const char* name;
};
constexpr HardwareEvent kEvents[] = {{PERF_COUNT_HW_CPU_CYCLES, "cycles"},
                                     {PERF_COUNT_HW_INSTRUCTIONS, "instructions"},
                                     {PERF_COUNT_HW_CACHE_REFERENCES, "cache_references"},
                                     {PERF_COUNT_HW_CACHE_MISSES, "cache_misses"}};

perf_event_attr counting_attr(std::uint64_t config) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = config;
  attr.exclude_kernel = 1;
  attr.inherit = 1;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return attr;
}

SignalState state_of(std::string_view name, std::initializer_list<std::uint64_t> needed) {
  for (const std::uint64_t config : needed) {
    const PerfProbe result = probe_perf(counting_attr(config), 0, -1);
    if (result.is_ok) continue;
    return refused_state(name, result.error, "perf_event_open(PERF_TYPE_HARDWARE)",
                         {.reason = "signal.reason.no_pmu", .mend = "signal.mend.pmu"});
  }
  return {.name = std::string(name), .is_available = true};
}

std::vector<SignalState> probe(const CaptureRequest&) {
  std::vector<SignalState> states{
      state_of("cache_miss", {PERF_COUNT_HW_CACHE_REFERENCES, PERF_COUNT_HW_CACHE_MISSES}),
      state_of("ipc", {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS})};
  // Bytes a second to memory need the counters of the memory controller, which this version does not read.
  SignalState bandwidth = state_of("mem_bandwidth", {PERF_COUNT_HW_CACHE_MISSES});
  if (bandwidth.is_available)
    bandwidth = {.name = "mem_bandwidth",
                 .is_available = false,
                 .reason = "signal.reason.no_memory_controller",
                 .mend = "signal.mend.memory_controller",
                 .detail = "uncore counters are not read by this version"};
  states.push_back(bandwidth);
  return states;
}

class HardwareCounters final : public Collector {
public:
  explicit HardwareCounters(const CaptureRequest& request) : request_(request), shared_(request.shared) {}
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;
  ~HardwareCounters() override { close_all(); }

  Status start(TraceSink& sink) override {
    on_processes(request_.pids, sink);
    return {};
  }
  void poll(TraceSink& sink) override {
    const Ts now = now_monotonic();
    if (pace_.is_due(now)) read_all(sink, now);
  }
  void stop(TraceSink& sink) override {
    read_all(sink, now_monotonic());
    counters_.finish(sink);
    close_all();
    if (refused_ > 0)
      sink.note({.severity = Severity::data_loss,
                 .code = sink.intern("note.counters_refused"),
                 .count = refused_,
                 .where = sink.intern("hw_counters")});
  }
  void on_processes(std::span<const std::int64_t> pids, TraceSink&) override {
    for (const std::int64_t pid : pids) {
      if (!attached_.insert(pid).second || shared_->is_inherited(pid)) continue;
      for (const std::int64_t tid : list_tids(request_.proc_root, pid))
        for (std::size_t i = 0; i < std::size(kEvents); ++i) {
          perf_event_attr attr = counting_attr(kEvents[i].config);
          const int fd = perf_open(attr, tid, -1);
          if (fd >= 0) open_.push_back({.pid = pid, .event = i, .fd = fd});
          refused_ += fd < 0 && (errno == EMFILE || errno == ENFILE) ? 1 : 0;
        }
    }
  }

private:
  struct Open {
    std::int64_t pid;
    std::size_t event;
    int fd;
  };
  void read_all(TraceSink& sink, Ts now) {
    std::map<std::pair<std::int64_t, std::size_t>, double> sums;
    for (const Open& open : open_) {
      std::uint64_t values[3] = {};
      if (::read(open.fd, values, sizeof values) != static_cast<ssize_t>(sizeof values) || values[2] == 0)
        continue;
      // More events than counters: the kernel takes turns, and the count is scaled up to the whole time.
      sums[{open.pid, open.event}] +=
          static_cast<double>(values[0]) * static_cast<double>(values[1]) / static_cast<double>(values[2]);
    }
    for (const auto& [key, value] : sums)
      counters_.set(sink, kEvents[key.second].name, "count",
                    {.process = shared_->threads.process(key.first, sink)}, now, value);
  }
  void close_all() {
    for (const Open& open : open_)
      ::close(open.fd);
    open_.clear();
  }

  CaptureRequest request_;
  std::shared_ptr<CaptureShared> shared_; // with the session and the other collectors
  CounterSet counters_;
  Pace pace_{kPause};
  std::vector<Open> open_;
  std::unordered_set<std::int64_t> attached_;
  std::int64_t refused_ = 0; // for want of descriptors
};

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return std::make_unique<HardwareCounters>(request);
}

} // namespace

extern const CollectorInfo hw_counters_collector;
const CollectorInfo hw_counters_collector{.name = "hw_counters",
                                          .description = "capture.collector.hw_counters",
                                          .layer = Layer::hardware,
                                          .probe = probe,
                                          .create = create};

} // namespace prof
