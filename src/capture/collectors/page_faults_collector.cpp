// Page faults: each with the stack that caused it, and the exact totals of every process from /proc beside
// them.
#include "base/clock.hpp"
#include "capture/counters.hpp"
#include "capture/procfs.hpp"
#include "capture/shared.hpp"
#include "capture/stack_sampler.hpp"
#include "trace/conventions.hpp"

namespace prof {
namespace {

// A fault costs 1 us (bare metal) to 15 us (VM) by itself; a record of it with a stack adds 1 to 4 us. At 500
// a second that is at most 0.2 % of a core; a program that faults more gets each n-th recorded.
constexpr std::int64_t kBudgetPerSecond = 500;

constexpr Dur kTotalsPause{500'000'000}; // each reads a file for every process

std::vector<SignalState> probe(const CaptureRequest& request) {
  SignalState events = probe_stack_sampler(words::kSignalFaults, PERF_COUNT_SW_PAGE_FAULTS, request);
  SignalState totals{.name = "page_faults", .is_available = true};
  return {events, totals};
}

class PageFaults final : public Collector {
public:
  explicit PageFaults(const CaptureRequest& request)
      : request_(request), shared_(request.shared),
        samples_(make_stack_sampler({.event = words::kEventFault,
                                     .perf_config = PERF_COUNT_SW_PAGE_FAULTS,
                                     .budget_per_s = kBudgetPerSecond,
                                     .lost_note = "note.samples_lost",
                                     .sampled_note = "note.faults_sampled"},
                                    request)) {}

  Status start(TraceSink& sink) override {
    PROF_CHECK(samples_->start(sink));
    return {};
  }
  void poll(TraceSink& sink) override {
    samples_->poll(sink);
    if (pace_.is_due(now_monotonic())) totals(sink);
  }
  void stop(TraceSink& sink) override {
    samples_->stop(sink);
    totals(sink);
  }
  void on_processes(std::span<const std::int64_t> pids, TraceSink& sink) override {
    samples_->on_processes(pids, sink);
  }

private:
  void totals(TraceSink& sink) {
    for (const std::int64_t pid : shared_->targets()) {
      const auto stat = read_stat(request_.proc_root, pid);
      if (!stat) continue;
      auto [it, is_new] = last_.try_emplace(pid, Last{});
      Last& last = it->second;
      if (is_new) {
        const Id<Process> process = shared_->threads.process(pid, sink);
        const StrId unit = sink.intern("count");
        last.minor_track =
            sink.counter_track({.name = sink.intern("minor_faults"), .unit = unit, .process = process});
        last.major_track =
            sink.counter_track({.name = sink.intern("major_faults"), .unit = unit, .process = process});
      }
      const Ts now = now_monotonic();
      if (std::exchange(last.minor, stat->minor_faults) != stat->minor_faults)
        sink.counter(last.minor_track, now, static_cast<double>(stat->minor_faults));
      if (std::exchange(last.major, stat->major_faults) != stat->major_faults)
        sink.counter(last.major_track, now, static_cast<double>(stat->major_faults));
    }
  }

  struct Last {
    Id<CounterTrack> minor_track, major_track;
    std::int64_t minor = -1, major = -1;
  };
  CaptureRequest request_;
  std::shared_ptr<CaptureShared> shared_; // with the session and the other collectors
  std::unique_ptr<Collector> samples_;
  std::unordered_map<std::int64_t, Last> last_;
  Pace pace_{kTotalsPause};
};

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return std::make_unique<PageFaults>(request);
}

} // namespace

extern const CollectorInfo page_faults_collector;
const CollectorInfo page_faults_collector{.name = "page_faults",
                                          .description = "capture.collector.page_faults",
                                          .layer = Layer::os,
                                          .probe = probe,
                                          .create = create};

} // namespace prof
