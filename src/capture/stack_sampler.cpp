#include "capture/stack_sampler.hpp"

#include "base/clock.hpp"
#include "capture/procfs.hpp"
#include "capture/shared.hpp"
#include "capture/signal_states.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace prof {
namespace {

// Enough for a service's own frames; deeper stacks are cut at the outer end, and each frame costs memory
// reads at capture.
constexpr std::uint16_t kMaxStack = 64;
// Per-thread events need one descriptor per thread and CPU. Beyond this many one event per CPU with a filter
// is cheaper.
constexpr std::size_t kMaxTaskEvents = 4096;
constexpr std::int64_t kBurst = 4; // seconds of budget that may come at once before the period grows
constexpr std::int64_t kMaxPeriod = std::int64_t{1} << 20;
// Another period opens every event anew, which interrupts every thread of the target: a period that is too
// short goes at once, one that is too long may stay for a while.
constexpr double kAim = 0.5;                           // of the budget
constexpr double kTooFew = 0.125;                      // of the budget: more detail can be afforded
constexpr std::int64_t kShortestStay = 20'000'000'000; // ns, before the period gets shorter

class StackSampler final : public Collector {
public:
  StackSampler(const StackSamplerConfig& config, const CaptureRequest& request)
      : config_(config), request_(request), shared_(request.shared), period_(config.period) {}

  Status start(TraceSink& sink) override {
    event_ = sink.intern(config_.event);
    has_mappings_ = shared_->claim_mappings();
    PROF_CHECK(events_.open_rings(config_.ring_bytes));
    is_machine_ = request_.is_whole_machine;
    if (has_mappings_) // of the whole machine too: who ends before the first poll could not be asked any more
      for (const std::int64_t pid : is_machine_ ? list_pids(request_.proc_root) : request_.pids)
        shared_->stacks.load_process(pid);
    if (has_mappings_ && !is_machine_) shared_->stacks.prepare(request_.pids);
    attached_.insert(request_.pids.begin(), request_.pids.end());
    if (has_mappings_ && config_.budget_per_s > 0) PROF_CHECK(attach(side_attr()));
    PROF_CHECK(attach(sample_attr()));
    last_poll_ns_ = now_monotonic().ns;
    tokens_ = config_.budget_per_s * kBurst;
    return {};
  }

  void poll(TraceSink& sink) override {
    const std::int64_t before = samples_;
    events_.drain([&](const PerfRecord& record) { take(record, sink); });
    if (config_.budget_per_s > 0) adapt(samples_ - before, sink);
  }

  void stop(TraceSink& sink) override {
    events_.detach();
    events_.drain([&](const PerfRecord& record) { take(record, sink); });
    if (events_.lost() > 0)
      sink.note({.severity = Severity::data_loss,
                 .code = sink.intern(config_.lost_note),
                 .count = events_.lost(),
                 .where = sink.intern(config_.event)});
  }

  void on_processes(std::span<const std::int64_t> pids, TraceSink& sink) override {
    for (const std::int64_t pid : pids) {
      if (!attached_.insert(pid).second || is_machine_ || shared_->is_inherited(pid)) continue;
      if (has_mappings_) shared_->stacks.load_process(pid);
      Status status = {};
      if (has_mappings_ && config_.budget_per_s > 0)
        status = events_.attach_process(side_attr(), pid, request_.proc_root);
      if (status) status = events_.attach_process(sample_attr(), pid, request_.proc_root);
      if (!status)
        sink.note({.severity = Severity::data_loss,
                   .code = sink.intern("note.process_not_attached"),
                   .where = sink.intern(std::to_string(pid) + ": " + status.error().what)});
    }
  }

private:
  [[nodiscard]] perf_event_attr side_attr() const {
    perf_event_attr attr = perf_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    add_side_records(attr);
    return attr;
  }
  static void add_side_records(perf_event_attr& attr) {
    attr.mmap = 1;
    attr.mmap2 = 1;
    attr.comm = 1;
    attr.comm_exec = 1;
    attr.task = 1;
  }
  [[nodiscard]] perf_event_attr sample_attr() const {
    perf_event_attr attr = perf_attr(PERF_TYPE_SOFTWARE, config_.perf_config);
    attr.sample_period = static_cast<std::uint64_t>(period_);
    attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
    attr.sample_max_stack = kMaxStack;
    attr.exclude_idle = 1;
    if (kCanUnwind && config_.stack_dump_bytes > 0) {
      attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
      attr.sample_regs_user = kUnwindRegisters;
      attr.sample_stack_user = config_.stack_dump_bytes;
    }
    if (has_mappings_ && config_.budget_per_s == 0) add_side_records(attr);
    return attr;
  }

  Status attach(const perf_event_attr& attr) {
    if (!is_machine_) {
      std::size_t threads = 0;
      for (const std::int64_t pid : attached_)
        threads += list_threads(pid);
      // Half of what is left: the collectors after this one need some too.
      const std::size_t most = std::min(kMaxTaskEvents, free_event_files() / 2);
      if (threads * online_cpus().size() <= most || !may_watch_machine()) {
        for (const std::int64_t pid : attached_)
          if (!shared_->is_inherited(pid) || is_reattaching_)
            PROF_CHECK(events_.attach_process(attr, pid, request_.proc_root));
        return {};
      }
      is_machine_ = true;
    }
    return events_.attach_machine(attr);
  }
  [[nodiscard]] std::size_t list_threads(std::int64_t pid) const {
    std::error_code ignored;
    const auto folder =
        std::filesystem::directory_iterator(request_.proc_root / std::to_string(pid) / "task", ignored);
    return ignored ? 0 : static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
  }

  void take(const PerfRecord& record, TraceSink& sink) {
    if (record.type != PERF_RECORD_SAMPLE) {
      shared_->on_side_record(record, has_mappings_, sink);
      return;
    }
    if (record.tid <= 0 || !shared_->is_target(record.pid)) return;
    ++samples_;
    sink.sample({.ts = {record.ts_ns},
                 .thread = shared_->threads.thread(record.pid, record.tid, sink),
                 .cpu = record.cpu,
                 .callstack = shared_->stacks.callstack(
                     record.pid, record.callchain,
                     {.registers = record.user_registers, .stack = record.user_stack}, record.ts_ns, sink),
                 .event = event_,
                 .weight = period_ * config_.weight_per_unit});
  }

  [[nodiscard]] std::int64_t wanted_period(std::int64_t fresh, double seconds, std::int64_t now) const {
    const auto budget = static_cast<double>(config_.budget_per_s);
    const auto for_rate = [&](double rate) {
      const double period = std::ceil(static_cast<double>(period_) * rate / (kAim * budget));
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(period), 1, kMaxPeriod);
    };
    if (tokens_ < 0)
      return std::min(std::max(2 * period_, for_rate(std::max(rate_, static_cast<double>(fresh) / seconds))),
                      kMaxPeriod);
    if (period_ > 1 && rate_ < kTooFew * budget && now - changed_ns_ >= kShortestStay)
      return std::min(period_, for_rate(rate_));
    return period_;
  }

  // Keeps the number of samples near the budget. Events are opened anew because the kernel changes the period
  // of an open event for the thread it was opened on only, not for those that inherited it.
  void adapt(std::int64_t fresh, TraceSink& sink) {
    const std::int64_t now = now_monotonic().ns;
    const double seconds = std::clamp(static_cast<double>(now - last_poll_ns_) / 1e9, 0.01, 10.0);
    last_poll_ns_ = now;
    const double refill = static_cast<double>(config_.budget_per_s) * seconds;
    tokens_ = std::min(tokens_ + static_cast<std::int64_t>(refill) - fresh, config_.budget_per_s * kBurst);
    rate_ = 0.8 * rate_ + 0.2 * static_cast<double>(fresh) / seconds;
    const std::int64_t wanted = wanted_period(fresh, seconds, now);
    if (wanted == period_) return;
    changed_ns_ = now;
    tokens_ = config_.budget_per_s;
    rate_ *= static_cast<double>(period_) / static_cast<double>(wanted);
    events_.detach();
    events_.drain([&](const PerfRecord& record) { take(record, sink); });
    period_ = wanted;
    is_reattaching_ = true;
    for (const std::int64_t pid : shared_->targets())
      attached_.insert(pid);
    const Status status = attach(sample_attr());
    if (!status || !is_told_)
      sink.note(
          {.severity = status ? Severity::notice : Severity::data_loss,
           .code = sink.intern(status ? config_.sampled_note : std::string_view("note.process_not_attached")),
           .count = period_,
           .where = sink.intern(status ? std::string(config_.event) : status.error().what)});
    is_told_ = true;
  }

  StackSamplerConfig config_;
  CaptureRequest request_;
  std::shared_ptr<CaptureShared> shared_; // with the session and the other collectors
  PerfEvents events_;
  std::unordered_set<std::int64_t> attached_;
  StrId event_;
  std::int64_t period_;
  std::int64_t samples_ = 0, tokens_ = 0, last_poll_ns_ = 0, changed_ns_ = 0;
  double rate_ = 0;
  bool has_mappings_ = false, is_machine_ = false, is_told_ = false, is_reattaching_ = false;
};

} // namespace

std::unique_ptr<Collector> make_stack_sampler(const StackSamplerConfig& config,
                                              const CaptureRequest& request) {
  return std::make_unique<StackSampler>(config, request);
}

SignalState probe_stack_sampler(std::string_view signal, std::uint64_t perf_config,
                                const CaptureRequest& request) {
  SignalState state{.name = std::string(signal)};
  perf_event_attr attr = perf_attr(PERF_TYPE_SOFTWARE, perf_config);
  attr.sample_period = 1'000'000'000;
  attr.exclude_kernel = 1; // what an ordinary user may have at least
  PerfProbe probe = request.is_whole_machine
                        ? probe_perf(attr, -1, online_cpus().front())
                        : probe_perf(attr, request.pids.empty() ? 0 : request.pids.front(), -1);
  if (probe.error == ESRCH) probe = probe_perf(attr, 0, -1);
  state.is_available = probe.is_ok;
  if (probe.is_ok) return state;
  return refused_state(signal, probe.error, "perf_event_open",
                       {.reason = "signal.reason.no_perf", .mend = "signal.mend.perf_kernel"});
}

} // namespace prof
