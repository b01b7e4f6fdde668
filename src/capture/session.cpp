#include "capture/session.hpp"

#include "base/clock.hpp"
#include "capture/ledger_sink.hpp"
#include "capture/low_priority.hpp"
#include "capture/perf_ring.hpp"
#include "capture/procfs.hpp"
#include "capture/shared.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <set>
#include <sys/resource.h>
#include <unistd.h>

namespace prof {
namespace {

using namespace literals;

constexpr Dur kPoll = 150_ms; // each wakes a thread and reads some files of /proc, whatever there is to read
constexpr Dur kShortestPause = 20_ms; // however much comes
constexpr std::int64_t kPollEvents =
    16'384; // a poll that took more comes sooner next time: a ring holds 65536
constexpr std::int64_t kFlushEvents =
    32'768;                    // and what waits to be written is written earlier: it takes about 1 us each
constexpr Dur kFlush = 300_ms; // with a poll that comes late it stays under the promised 0.7 s
// Forks come through the event rings at once; this is for what they miss, and reads a file for every thread.
constexpr Dur kFollow = 3000_ms;
constexpr Dur kLookForExec = 1000_ms; // the same, for another program in a process
constexpr Dur kLookAgain = 300_ms;    // for a target that is gone: a walk through /proc
constexpr Dur kOwnCost = 5000_ms;
constexpr std::size_t kFewProcesses = 16; // whose end is noticed at each poll

std::int64_t own_cpu_ns() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& t) {
    return std::int64_t{t.tv_sec} * 1'000'000'000 + std::int64_t{t.tv_usec} * 1000;
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

std::int64_t own_peak_rss() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

void sleep_until(Ts when) {
  timespec at{.tv_sec = static_cast<time_t>(when.ns / 1'000'000'000),
              .tv_nsec = static_cast<long>(when.ns % 1'000'000'000)};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr); // a signal ends it early, which is wanted
}

struct Running {
  const CollectorInfo* info = nullptr;
  std::unique_ptr<Collector> collector;
};

class Session {
public:
  Session(const CaptureOptions& options, const CaptureOutput& output)
      : options_(options), output_(output), sink_(output.sink), request_(options.request),
        shared_(std::make_shared<CaptureShared>(request_.proc_root, request_.is_whole_machine)) {
    request_.shared = shared_;
  }

  Result<CaptureReport> run() {
    cpu_before_ = own_cpu_ns();
    raise_file_limit();
    for (const std::int64_t pid : request_.pids)
      shared_->add_target(pid);
    known_ = shared_->targets();
    for (const std::int64_t pid : known_)
      remember_start(pid);
    LowPriority low;
    low_ = &low;
    start_collectors();
    started_ = now_monotonic();
    write_start();
    if (options_.on_started)
      if (Status status = options_.on_started(); !status) return std::move(status).error();
    // Names are taken from here on: before, a launched program is still a copy of ourselves.
    look_for_exec();
    poll();
    if (flush(now_monotonic())) { // what the first poll took counts as kept
      if (options_.on_recording) options_.on_recording();
      record();
    }
    finish();
    return std::move(report_);
  }

private:
  void start_collectors() {
    std::vector<SignalState> states;
    for (const CollectorInfo* info : all_collectors()) {
      auto its = probe_collector(*info, request_);
      if (!is_in_scope(*info, request_, its)) {
        for (SignalState& state : its) // also of those that could not be had: nobody asked for them
          state = {.name = state.name,
                   .is_available = false,
                   .reason = "signal.reason.not_in_scope",
                   .mend = "signal.mend.scope",
                   .detail = std::string(info->name)};
      } else if (std::ranges::any_of(its, &SignalState::is_available)) {
        auto collector = info->create(request_);
        if (Status status = collector->start(sink_); !status) {
          for (SignalState& state : its)
            if (state.is_available) state = failed_state(state.name, status.error());
          report_.failed.emplace_back(info->name, status.error());
        } else {
          running_.push_back({.info = info, .collector = std::move(collector)});
        }
      }
      for (SignalState& state : its)
        sources_.try_emplace(state.name, info->name);
      for (const SignalState& state : its)
        if (state.is_available) sources_[state.name] = info->name;
      states.insert(states.end(), its.begin(), its.end());
    }
    report_.signals = merge_signals(std::move(states));
    if (options_.judge_metrics) report_.metrics = options_.judge_metrics(report_.signals);
  }

  void write_signal(const SignalState& state, std::string_view source) {
    sink_.signal({.name = sink_.intern(state.name),
                  .is_available = state.is_available,
                  .source = sink_.intern(source),
                  .reason = sink_.intern(state.reason),
                  .mend = sink_.intern(state.mend),
                  .detail = sink_.intern(state.detail)});
  }

  void write_start() {
    sink_.metadata("clock", "CLOCK_MONOTONIC");
    sink_.metadata("capture.pid", std::to_string(::getpid()));
    sink_.metadata("capture.state", "recording"); // "ended" at the end: a file without it was cut off
    sink_.metadata("start_ns", std::to_string(started_.ns));
    sink_.metadata("start_realtime_ns",
                   std::to_string(clock_ns(CLOCK_REALTIME) - (clock_ns(CLOCK_MONOTONIC) - started_.ns)));
    for (const auto& [key, value] : options_.metadata)
      sink_.metadata(key, value);
    std::set<std::string> written;
    for (const SignalState& state : report_.signals) {
      write_signal(state, sources_[state.name]);
      written.insert(state.name);
    }
    for (const SignalState& state : report_.metrics)
      if (!written.contains(state.name)) write_signal(state, "metrics");
    for (const auto& [name, error] : report_.failed)
      sink_.note({.severity = Severity::error,
                  .code = sink_.intern("note.collector_failed"),
                  .where = sink_.intern(name + ": " + error.what)});
  }

  // What collectors know better by now than before they began.
  void update_signals() {
    bool is_changed = false;
    for (Running& running : running_)
      for (SignalState& state : running.collector->changed_signals()) {
        write_signal(state, running.info->name);
        const auto known = std::ranges::find(report_.signals, state.name, &SignalState::name);
        if (known == report_.signals.end())
          report_.signals.push_back(std::move(state));
        else
          *known = std::move(state);
        is_changed = true;
      }
    if (!is_changed || !options_.judge_metrics) return;
    report_.metrics = options_.judge_metrics(report_.signals);
    for (const SignalState& state : report_.metrics)
      if (std::ranges::find(report_.signals, state.name, &SignalState::name) == report_.signals.end())
        write_signal(state, "metrics");
  }

  // The time to the next poll, so that about kPollEvents come together by then.
  [[nodiscard]] Dur pause() const {
    return {std::clamp(kPoll.ns * kPollEvents / std::max(polled_events_, kPollEvents), kShortestPause.ns,
                       kPoll.ns)};
  }

  void poll() {
    const std::int64_t before = sink_.events();
    for (Running& running : running_)
      running.collector->poll(sink_);
    const Ts now = now_monotonic();
    const double seconds = std::max(static_cast<double>((now - polled_).ns), 1e6) / 1e9;
    polled_events_ = static_cast<std::int64_t>(static_cast<double>(sink_.events() - before) / seconds *
                                               static_cast<double>(kPoll.ns) / 1e9);
    polled_ = now;
    update_signals();
    announce_new_targets();
  }

  bool flush(Ts now) {
    if (report_.write_error) return false;
    if (Status status = output_.flush(); !status) {
      report_.write_error = std::move(status).error();
      return false;
    }
    report_.kept = sink_.covered();
    report_.stats = output_.stats();
    flushed_ = now;
    flushed_events_ = sink_.events();
    return true;
  }

  void record() {
    Ts next = now_monotonic(), followed = next, costed = next;
    report_.end = CaptureEnd::duration;
    for (;;) {
      next = std::max(next + pause(),
                      now_monotonic() + 10_ms); // after a delay: catch up by skipping, not by hurrying
      if (options_.duration.ns > 0) next = std::min(next, started_ + options_.duration);
      low_->rest_until(next, polled_events_ < kPollEvents);
      sleep_until(next);
      Ts now = now_monotonic();
      poll();
      if ((now - flushed_ >= kFlush || sink_.events() - flushed_events_ >= kFlushEvents) && !flush(now)) {
        report_.end = CaptureEnd::write_error;
        break;
      }
      if (options_.on_progress)
        options_.on_progress({.done = static_cast<double>((now - started_).ns) / 1e9,
                              .all = static_cast<double>(options_.duration.ns) / 1e9,
                              .events = sink_.events()});
      if (options_.should_stop && options_.should_stop()) {
        report_.end = CaptureEnd::asked;
        break;
      }
      if (options_.duration.ns > 0 && now - started_ >= options_.duration) break;
      if (now - looked_for_exec_ >= kLookForExec && !request_.is_whole_machine) {
        looked_for_exec_ = now;
        look_for_exec();
      }
      if (now - followed >= kFollow) {
        followed = now;
        follow();
      }
      if (!request_.is_whole_machine && (followed == now || known_.size() <= kFewProcesses) &&
          !goes_on(now)) {
        report_.end = CaptureEnd::target_ended;
        break;
      }
      if (now - costed >= kOwnCost) {
        costed = now;
        write_own_cost();
      }
    }
    report_.recorded = now_monotonic() - started_;
    if (!gone_since_) return;
    report_.ended = *gone_since_ - started_;
    write_absence(now_monotonic());
    if (report_.end == CaptureEnd::duration) report_.end = CaptureEnd::target_ended;
  }

  // A process that has another start time than when it was first seen is another one under a reused pid.
  [[nodiscard]] bool is_any_alive() const {
    return std::ranges::any_of(shared_->targets(), [&](std::int64_t pid) {
      const auto known = start_ticks_.find(pid);
      return is_alive(request_.proc_root, pid, known == start_ticks_.end() ? 0 : known->second);
    });
  }
  void remember_start(std::int64_t pid) {
    if (const auto stat = read_stat(request_.proc_root, pid)) start_ticks_[pid] = stat->start_ticks;
  }

  // False when the target has ended. One that is known by name may come back while the duration lasts.
  bool goes_on(Ts now) {
    if (!is_any_alive()) {
      if (!options_.rediscover || (options_.duration.ns <= 0 && !options_.waits_for_target)) return false;
      if (!gone_since_) gone_since_ = now;
      if (now - looked_ < kLookAgain) return true;
      looked_ = now;
      rediscover(true);
      announce_new_targets();
      if (!is_any_alive()) return true;
    }
    if (gone_since_) {
      ++report_.restarts;
      write_absence(now);
    }
    return true;
  }

  void write_absence(Ts until) {
    sink_.gap({.ts = *gone_since_, .dur = until - *gone_since_, .reason = sink_.intern("gap.target_absent")});
    sink_.note({.severity = Severity::notice, .code = sink_.intern("note.target_absent")});
    report_.absent.ns += (until - *gone_since_).ns;
    gone_since_.reset();
  }

  void rediscover(bool is_gone) {
    for (const std::int64_t pid : options_.rediscover(is_gone)) {
      if (!is_gone) tell_if_joined(pid);
      if (!shared_->targets().contains(pid)) shared_->add_target(pid);
      if (is_gone) remember_start(pid); // it may have got the number of the one before
    }
  }

  // What the target forked belongs to it, however late it is seen; a process beside it is merged with it.
  void tell_if_joined(std::int64_t pid) {
    constexpr int kMostParents = 64;
    const auto& targets = shared_->targets();
    std::int64_t at = pid;
    for (int i = 0; i < kMostParents && at > 1 && !targets.contains(at); ++i) {
      const auto stat = read_stat(request_.proc_root, at);
      at = stat ? stat->ppid : 0;
    }
    const std::int64_t running = shared_->first_alive();
    if (targets.contains(at) || !is_alive(request_.proc_root, running)) return;
    sink_.note(
        {.severity = Severity::notice,
         .code = sink_.intern("note.target_joined"),
         .where = sink_.intern("pid " + std::to_string(pid) + " beside pid " + std::to_string(running))});
    if (options_.on_joined) options_.on_joined(pid, running);
  }

  void look_for_exec() {
    if (known_.size() > kFewProcesses) return; // of many the kernel's own records tell
    for (const std::int64_t pid : known_)
      shared_->threads.look_for_exec(pid, sink_);
  }

  void follow() {
    if (request_.is_whole_machine) return;
    for (const std::int64_t pid : std::vector(shared_->targets().begin(), shared_->targets().end()))
      for (const std::int64_t child : children_of(pid))
        if (!shared_->targets().contains(child)) shared_->add_child(child);
    if (options_.rediscover) rediscover(false);
    announce_new_targets();
  }

  [[nodiscard]] std::vector<std::int64_t> children_of(std::int64_t pid) const {
    std::vector<std::int64_t> children;
    for (const std::int64_t tid : list_tids(request_.proc_root, pid)) {
      const auto text = read_virtual_file(request_.proc_root / std::to_string(pid) / "task" /
                                          std::to_string(tid) / "children");
      const char* at = text ? text->c_str() : "";
      for (char* end = nullptr;; at = end) {
        const long child = std::strtol(at, &end, 10);
        if (end == at) break;
        children.push_back(child);
      }
    }
    return children;
  }

  void announce_new_targets() {
    if (shared_->targets().size() == known_.size()) return;
    known_ = shared_->targets();
    for (const std::int64_t pid : known_)
      if (!start_ticks_.contains(pid)) remember_start(pid);
    const std::vector<std::int64_t> pids(known_.begin(), known_.end());
    for (Running& running : running_)
      running.collector->on_processes(pids, sink_);
  }

  void write_own_cost() {
    sink_.metadata("capture.cpu_ns", std::to_string(own_cpu_ns() - cpu_before_));
    sink_.metadata("capture.wall_ns", std::to_string((now_monotonic() - started_).ns));
    sink_.metadata("capture.peak_rss_bytes", std::to_string(own_peak_rss()));
    sink_.metadata("capture.events", std::to_string(sink_.events()));
    sink_.metadata("capture.bytes", std::to_string(report_.stats.bytes));
    sink_.metadata("capture.lost", std::to_string(sink_.lost()));
    sink_.metadata("duration_ns", std::to_string((now_monotonic() - started_).ns));
  }

  void finish() {
    look_for_exec();
    for (auto it = running_.rbegin(); it != running_.rend(); ++it)
      it->collector->stop(sink_);
    for (const auto& [name, error] : report_.failed)
      report_.unread.push_back(unread_for("note.collector_failed", name, error));
    for (const Running& running : running_)
      std::ranges::move(running.collector->unread(), std::back_inserter(report_.unread));
    update_signals();
    const Ts stopped = now_monotonic();
    report_.recorded = stopped - started_;
    flush(stopped);
    write_own_cost();
    sink_.metadata("duration_ns", std::to_string(report_.recorded.ns));
    sink_.metadata("capture.state", "ended");
    report_.own_cpu_ns = own_cpu_ns() - cpu_before_; // naming comes after the recording and slows nobody
    flush(stopped);
    if (!report_.write_error && (!options_.wants_names || options_.wants_names())) name_addresses();
    report_.stacks = shared_->stacks.stack_count();
    report_.leaf_only_stacks = shared_->stacks.leaf_only_count();
    if (report_.leaf_only_stacks > 0)
      sink_.note({.severity = Severity::notice,
                  .code = sink_.intern("note.leaf_only_stacks"),
                  .count = report_.leaf_only_stacks,
                  .where = sink_.intern(std::to_string(report_.stacks) + " stacks")});
    report_.lost = sink_.lost();
    // Once more, after the naming of addresses: the last value of a key holds, and the report says the same.
    report_.own_peak_rss_bytes = own_peak_rss();
    sink_.metadata("capture.peak_rss_bytes", std::to_string(report_.own_peak_rss_bytes));
    report_.processes = static_cast<std::int64_t>(shared_->targets().size());
    flush(stopped);
    if (report_.write_error) report_.end = CaptureEnd::write_error;
  }

  void name_addresses() {
    const auto go_on = [&](std::size_t done, std::size_t all) {
      if (options_.on_progress)
        options_.on_progress({.phase = CapturePhase::naming,
                              .done = static_cast<double>(done),
                              .all = static_cast<double>(all),
                              .events = sink_.events()});
      if (const Ts now = now_monotonic(); now - flushed_ >= kFlush && !flush(now)) return false;
      if (options_.skip_naming) return !options_.skip_naming();
      return !(options_.should_stop && report_.end != CaptureEnd::asked && options_.should_stop());
    };
    report_.symbols = shared_->stacks.symbolise((now_monotonic() + options_.naming_limit).ns, go_on, sink_);
    for (const Error& error : report_.symbols.unread_maps) {
      report_.unread.push_back(unread_for("note.perf_map_unread", error.where, error));
      sink_.note({.severity = Severity::notice,
                  .code = sink_.intern("note.perf_map_unread"),
                  .where = sink_.intern(report_.unread.back().where)});
    }
    if (report_.symbols.left > 0)
      sink_.note({.severity = Severity::notice,
                  .code = sink_.intern("note.symbols_left"),
                  .count = report_.symbols.left});
  }

  const CaptureOptions& options_;
  const CaptureOutput& output_;
  LedgerSink sink_;
  CaptureRequest request_;
  std::shared_ptr<CaptureShared> shared_; // with every collector
  std::vector<Running> running_;
  std::map<std::string, std::string_view> sources_;
  std::set<std::int64_t> known_;
  std::map<std::int64_t, std::int64_t> start_ticks_; // of the targets, from when they were first looked at
  Ts started_, flushed_, polled_, looked_, looked_for_exec_;
  std::optional<Ts> gone_since_;
  LowPriority* low_ = nullptr; // while it runs
  std::int64_t flushed_events_ = 0;
  std::int64_t polled_events_ = 0; // of the last poll, as if it had come after kPoll
  std::int64_t cpu_before_ = 0;
  CaptureReport report_;
};

} // namespace

Result<CaptureReport> run_capture(const CaptureOptions& options, const CaptureOutput& output) {
  return Session(options, output).run();
}

} // namespace prof
