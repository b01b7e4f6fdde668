#include "store/request_time.hpp"

#include "store/host_calls.hpp"
#include "store/intervals.hpp"
#include "store/off_cpu.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace prof {
namespace {

// Of one thread: hostile weights must not add up beyond 64 bits. 146 years.
constexpr std::int64_t kMostSampled = std::int64_t{1} << 62;

using Shares = std::array<std::int64_t, kTimeClasses>;

std::size_t at(TimeClass time_class) {
  return static_cast<std::size_t>(time_class);
}

// The intervals of each thread's slices of some categories, as unions.
struct ThreadSpans {
  IntervalSet ops, runs, locks, stages; // runs: runs and ops; ops: without the calls that wait for a device
};
// What the other threads of a process did: those that serve no stage of their own are taken as its pool.
struct ProcessSpans {
  IntervalSet running;      // any thread of the process on a CPU
  IntervalSet pool_running; // a pool thread on a CPU
  IntervalSet pool_runnable, pool_preempted;
  IntervalSet ops, waits; // of any thread; only where a stage covers its process
};

class Accountant {
public:
  enum class Of : std::uint8_t { units, threads };
  explicit Accountant(const Store& store, Of of = Of::units)
      : store_(store), t_(store.tables()), stacks_(store), is_of_threads_(of == Of::threads) {
    if (!is_of_threads_) result_.unit = find_units(store);
    calls_.emplace(store, result_.unit.slice);
    told_.resize(t_.thread.tid.size());
    if (calls_->has_waits() || is_work_of_devices()) devices_.emplace(store);
    collect_threads();
    collect_processes();
    collect_throttling();
  }

  RequestTime run() {
    result_.ns.assign(result_.unit.slice.size(), Shares{});
    std::size_t stage = 0;
    const bool has_stages = result_.unit.kind == words::kRequest;
    for (std::uint32_t unit = 0; unit < result_.unit.slice.size(); ++unit) {
      std::vector<std::uint32_t> stages;
      for (; has_stages && stage < t_.stage.slice.size() && t_.stage.request[stage] == unit; ++stage)
        stages.push_back(static_cast<std::uint32_t>(stage));
      account(unit, stages);
    }
    name_calls(result_.calls);
    return std::move(result_);
  }

  ThreadTime run_threads() {
    ThreadTime out;
    const std::vector<std::int64_t> sampled = sampled_time();
    for (std::uint32_t thread = 0; thread < t_.thread.tid.size(); ++thread) {
      const Interval states = t_.thread.process[thread] == kNoRow ? Interval{} : window_of_states(thread);
      const bool has_runs = !threads_[thread].runs.empty();
      Shares ns{};
      Interval window = states.to > states.from ? states : Interval{};
      if (window.to <= window.from && has_runs)
        window = {threads_[thread].runs.front().from, threads_[thread].runs.back().to};
      if (window.to > window.from) {
        classify_thread(window, thread, ns);
      } else if (sampled[thread] > 0) {
        window = {0, sampled[thread]};
        ns[at(TimeClass::cpu_other)] = sampled[thread];
      } else {
        continue;
      }
      out.thread.push_back(thread);
      out.ts.push_back(window.from);
      out.dur.push_back(window.to - window.from);
      out.ns.push_back(ns);
    }
    name_calls(out.calls);
    return out;
  }

private:
  // CPU time of each thread by its samples.
  [[nodiscard]] std::vector<std::int64_t> sampled_time() const {
    std::vector<std::int64_t> ns(t_.thread.tid.size(), 0);
    const StrId cpu = store_.id_of(words::kEventCpu);
    for (std::size_t i = 0; i < t_.sample.ts.size(); ++i)
      if (!cpu.is_empty() && t_.sample.event[i] == cpu && t_.sample.thread[i] < ns.size())
        ns[t_.sample.thread[i]] += std::min(t_.sample.weight[i], kMostSampled - ns[t_.sample.thread[i]]);
    return ns;
  }

  [[nodiscard]] Interval window_of_states(std::uint32_t thread) const {
    const ThreadStateTable& states = t_.thread_state;
    std::size_t i = first_state(thread, std::numeric_limits<std::int64_t>::min());
    if (i >= states.ts.size() || states.thread[i] != thread) return {};
    Interval window{states.ts[i], states.ts[i]};
    for (; i < states.ts.size() && states.thread[i] == thread; ++i)
      window.to = std::max(window.to, states.ts[i] + states.dur[i]);
    return window;
  }

  // Who has the request at an instant: a stage row, or the thread that the request's own slice is on.
  struct Owner {
    std::uint32_t thread = kNoRow;
    StrId wait_class;
    std::uint32_t awaited =
        kNoRow; // no stage: the thread that had the request before and has it again afterwards
    bool covers_process = false; // operators of the other threads of its process are its own
    std::uint32_t process = kNoRow;
  };

  void collect_threads() {
    const std::size_t threads = t_.thread.tid.size();
    is_server_.assign(threads, false);
    std::vector<std::vector<Interval>> ops(threads), runs(threads), locks(threads), stages(threads);
    const StrId op = store_.id_of(words::kOp), run = store_.id_of(words::kRun),
                lock = store_.id_of(words::kLock);
    const StrId stage = store_.id_of(words::kStage), request = store_.id_of(words::kRequest);
    for (std::size_t i = 0; i < t_.slice.ts.size(); ++i) {
      const std::uint32_t thread = t_.track.thread[t_.slice.track[i]];
      const StrId category = t_.slice.category[i];
      if (thread == kNoRow || category.is_empty()) continue;
      const Interval span{t_.slice.ts[i], t_.slice.ts[i] + t_.slice.dur[i]};
      if (category == op) ops[thread].push_back(span);
      if (category == op || category == run) runs[thread].push_back(span);
      if (category == lock) locks[thread].push_back(span);
      if (category == stage) stages[thread].push_back(span);
      if (category == stage || category == request) is_server_[thread] = true;
    }
    if (!is_of_threads_ && result_.unit.kind != words::kRequest)
      for (const std::uint32_t slice : result_.unit.slice)
        if (const std::uint32_t thread = t_.track.thread[t_.slice.track[slice]]; thread != kNoRow)
          is_server_[thread] = true;
    threads_.resize(threads);
    for (std::size_t i = 0; i < threads; ++i) {
      threads_[i] = {union_of(std::move(ops[i])), union_of(std::move(runs[i])), union_of(std::move(locks[i])),
                     union_of(std::move(stages[i]))};
      static_cast<void>(take(threads_[i].ops, calls_->threads()[i].waits));
    }
  }

  void collect_processes() {
    std::vector<bool> is_needed(t_.process.pid.size(), false);
    for (std::size_t i = 0; i < is_server_.size(); ++i)
      if ((is_server_[i] || is_of_threads_) && t_.thread.process[i] != kNoRow)
        is_needed[t_.thread.process[i]] = true;
    struct Raw {
      std::vector<Interval> running, pool_running, pool_runnable, pool_preempted;
    };
    std::map<std::uint32_t, Raw> raw;
    for (std::size_t i = 0; i < t_.thread_state.ts.size(); ++i) {
      const std::uint32_t thread = t_.thread_state.thread[i];
      const std::uint32_t process = t_.thread.process[thread];
      if (process == kNoRow || !is_needed[process]) continue;
      const Interval span{t_.thread_state.ts[i], t_.thread_state.ts[i] + t_.thread_state.dur[i]};
      const char state = t_.thread_state.state[i];
      Raw& of = raw[process];
      if (state == 'X') of.running.push_back(span);
      if (is_server_[thread]) continue;
      if (state == 'X') of.pool_running.push_back(span);
      if (state == 'R') of.pool_runnable.push_back(span);
      if (state == 'P') of.pool_preempted.push_back(span);
    }
    processes_.resize(t_.process.pid.size());
    for (auto& [process, of] : raw)
      processes_[process] = {union_of(std::move(of.running)),
                             union_of(std::move(of.pool_running)),
                             union_of(std::move(of.pool_runnable)),
                             union_of(std::move(of.pool_preempted)),
                             {},
                             {}};
    if (store_.id_of(words::kArgCovers).is_empty()) return;
    struct Work {
      std::vector<Interval> ops, waits;
    };
    std::map<std::uint32_t, Work> work;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (t_.thread.process[i] == kNoRow) continue;
      Work& of = work[t_.thread.process[i]];
      const IntervalSet &ops = threads_[i].ops, &waits = calls_->threads()[i].waits;
      of.ops.insert(of.ops.end(), ops.begin(), ops.end());
      of.waits.insert(of.waits.end(), waits.begin(), waits.end());
    }
    for (auto& [process, of] : work) {
      processes_[process].ops = union_of(std::move(of.ops));
      processes_[process].waits = union_of(std::move(of.waits));
    }
  }
  // Steps of a profile of a device alone: no thread of the host is known.
  [[nodiscard]] bool is_work_of_devices() const {
    return !is_of_threads_ && t_.stage.slice.empty() && !store_.metadata("request.source").empty();
  }
  [[nodiscard]] bool covers_process(std::uint32_t stage) const {
    const ArgValue* covers = store_.find_arg(t_.slice.arg_set[t_.stage.slice[stage]], words::kArgCovers);
    const auto* what = covers == nullptr ? nullptr : std::get_if<StrId>(covers);
    return what != nullptr && store_.text(*what) == words::kCoversProcess;
  }

  // Windows between two readings of a cumulative "throttled_time" counter, with the throttled ns of each.
  void collect_throttling() {
    const StrId name = store_.id_of("throttled_time");
    if (name.is_empty()) return;
    for (std::size_t i = 1; i < t_.counter.ts.size(); ++i) {
      const std::uint32_t track = t_.counter.track[i];
      if (t_.counter_track.name[track] != name || t_.counter.track[i - 1] != track) continue;
      const double more = t_.counter.value[i] - t_.counter.value[i - 1];
      if (!(more >= 1) || t_.counter.ts[i] <= t_.counter.ts[i - 1]) continue;
      throttled_.push_back({{t_.counter.ts[i - 1], t_.counter.ts[i]},
                            static_cast<std::int64_t>(std::min(more, 9e18)),
                            t_.counter_track.process[track]});
    }
    std::ranges::sort(throttled_, {}, &Throttled::window);
  }

  // Sweeps the stages of one request. A stage that works wins over one that waits; of several that work the
  // one that ends last is on the critical path; of several that wait the one that began last.
  void account(std::uint32_t unit, const std::vector<std::uint32_t>& stages) {
    const Interval all{result_.unit.ts[unit], result_.unit.ts[unit] + result_.unit.dur[unit]};
    const std::uint32_t track = t_.slice.track[result_.unit.slice[unit]];
    Owner base{t_.track.thread[track], {}};
    base.process = t_.track.process[track];
    struct Edge {
      std::int64_t ts = 0;
      bool is_start = false;
      std::uint32_t stage = 0;
    };
    std::vector<Edge> edges;
    for (const std::uint32_t s : stages) {
      const std::int64_t from = std::max(all.from, t_.stage.ts[s]),
                         to = std::min(all.to, t_.stage.ts[s] + t_.stage.dur[s]);
      if (from >= to) continue;
      edges.push_back({from, true, s});
      edges.push_back({to, false, s});
    }
    std::ranges::sort(edges, {}, [](const Edge& e) { return std::tuple(e.ts, e.is_start, e.stage); });
    std::set<std::tuple<int, std::int64_t, std::uint32_t>> active; // first = the owner
    const auto rank = [&](std::uint32_t s) {
      const bool is_working = t_.stage.thread[s] != kNoRow && t_.stage.wait_class[s].is_empty();
      const std::int64_t order = is_working ? -(t_.stage.ts[s] + t_.stage.dur[s]) : -t_.stage.ts[s];
      return std::tuple(is_working ? 0 : 1, order, s);
    };
    std::int64_t now = all.from;
    std::uint32_t last_thread = kNoRow; // of the last stage that worked
    // `next` = the stage that begins at `to`, if one does.
    const auto advance = [&](std::int64_t to, std::uint32_t next) {
      if (to <= now) return;
      Owner owner = base;
      if (!active.empty()) {
        const std::uint32_t s = std::get<2>(*active.begin());
        owner = {t_.stage.wait_class[s].is_empty() ? t_.stage.thread[s] : kNoRow, t_.stage.wait_class[s]};
        owner.covers_process = covers_process(s);
        last_thread = owner.thread;
      } else if (next != kNoRow && t_.stage.thread[next] == last_thread) {
        owner.awaited = last_thread;
      }
      classify({now, to}, owner, result_.ns[unit]);
      now = to;
    };
    for (const Edge& edge : edges) {
      advance(edge.ts, edge.is_start ? edge.stage : kNoRow);
      if (edge.is_start)
        active.insert(rank(edge.stage));
      else
        active.erase(rank(edge.stage));
    }
    advance(all.to, kNoRow);
  }

  void classify(Interval span, Owner owner, Shares& shares) {
    if (owner.thread != kNoRow) return classify_thread(span, owner.thread, shares, owner.covers_process);
    if (owner.awaited != kNoRow) {
      // A batch is finished one request after the other: this one waits while its worker is in stages of
      // others.
      const std::int64_t waited = covered(threads_[owner.awaited].stages, span);
      shares[at(TimeClass::queue_wait)] += waited;
      shares[at(TimeClass::unexplained)] += span.to - span.from - waited;
      return;
    }
    TimeClass time_class = TimeClass::unexplained;
    for (const TimeClass wait :
         {TimeClass::queue_wait, TimeClass::batch_wait, TimeClass::device_wait, TimeClass::network})
      if (store_.text(owner.wait_class) == word(wait)) time_class = wait;
    std::int64_t rest = span.to - span.from;
    if (is_work_of_devices()) {
      const std::int64_t busy = covered(devices_->busy(owner.process), span);
      shares[at(TimeClass::device_wait)] += busy;
      rest -= busy;
    }
    shares[at(time_class)] += rest;
  }

  // Takes what lies in calls of the thread that wait for the device out of `rest`: it works meanwhile, or
  // not.
  void take_waits(IntervalSet& rest, std::uint32_t thread, Shares& shares) {
    const IntervalSet& waits = calls_->threads()[thread].waits;
    if (waits.empty()) return;
    IntervalSet idle = take(rest, waits);
    const IntervalSet busy = take(idle, devices_->busy(t_.thread.process[thread]));
    tell(thread, TimeClass::device_wait, busy, shares);
    tell(thread, TimeClass::sync_idle, idle, shares);
  }
  // Of the other threads that a step covers.
  void take_waits_of_process(IntervalSet& rest, std::uint32_t process, Shares& shares) {
    IntervalSet waited = take(rest, processes_[process].waits);
    for (std::uint32_t thread = 0; thread < threads_.size() && !waited.empty(); ++thread)
      if (t_.thread.process[thread] == process) take_waits(waited, thread, shares);
  }
  // Counts instants of a class, and keeps them for the names of the calls.
  void tell(std::uint32_t thread, TimeClass time_class, const IntervalSet& instants, Shares& shares) {
    shares[at(time_class)] += length(instants);
    std::vector<Interval>& all = told_[thread][time_class];
    all.insert(all.end(), instants.begin(), instants.end());
  }
  // Of an instant that several units share each has its part.
  static std::int64_t scaled(std::int64_t ns, std::int64_t asked, std::int64_t once) {
    if (asked == once) return ns;
    return std::llround(static_cast<double>(ns) * (static_cast<double>(asked) / static_cast<double>(once)));
  }
  void name_calls(std::vector<CallTime>& out) {
    for (const TimeClass time_class : {TimeClass::host_code, TimeClass::device_wait, TimeClass::sync_idle}) {
      std::vector<IntervalSet> of_thread;
      std::vector<std::int64_t> asked,
          once; // ns by thread: of all units, and of instants that they share once
      for (Told& told : told_) {
        asked.push_back(0);
        for (const Interval& span : told[time_class])
          asked.back() += span.to - span.from;
        of_thread.push_back(union_of(std::move(told[time_class])));
        once.push_back(length(of_thread.back()));
      }
      const auto names = own_call_time(store_, of_thread,
                                       time_class == TimeClass::host_code ? CallSort::code : CallSort::waits,
                                       result_.unit.slice);
      for (std::uint32_t thread = 0; thread < names.size(); ++thread)
        for (const auto& [name, ns] : names[thread])
          out.push_back({thread, time_class, name, scaled(ns, asked[thread], once[thread])});
    }
    std::ranges::stable_sort(out, {}, &CallTime::thread);
  }

  void classify_thread(Interval span, std::uint32_t thread, Shares& shares, bool covers_process = false) {
    const ThreadStateTable& states = t_.thread_state;
    std::size_t i = first_state(thread, span.from);
    std::int64_t now = span.from;
    for (; i < states.ts.size() && states.thread[i] == thread && states.ts[i] < span.to; ++i) {
      const Interval part{std::max(now, states.ts[i]), std::min(span.to, states.ts[i] + states.dur[i])};
      if (part.from > now) classify_without_sched({now, part.from}, thread, shares, covers_process);
      if (part.to > part.from) classify_state(part, i, thread, shares);
      now = std::max(now, part.to);
    }
    if (now < span.to) classify_without_sched({now, span.to}, thread, shares, covers_process);
  }

  // The first state row of the thread that ends after `ts`.
  [[nodiscard]] std::size_t first_state(std::uint32_t thread, std::int64_t ts) const {
    const ThreadStateTable& states = t_.thread_state;
    std::size_t low = 0, high = states.ts.size();
    while (low < high) {
      const std::size_t mid = low + (high - low) / 2;
      if (std::pair(states.thread[mid], states.ts[mid] + states.dur[mid]) <= std::pair(thread, ts))
        low = mid + 1;
      else
        high = mid;
    }
    return low;
  }

  // No scheduler says what the thread did: inside an operator it computes, inside a run it prepares
  // operators, inside another call of its own it is in code of the host.
  void classify_without_sched(Interval span, std::uint32_t thread, Shares& shares, bool covers_process) {
    IntervalSet rest{span};
    shares[at(TimeClass::lock_wait)] += length(take(rest, threads_[thread].locks));
    take_waits(rest, thread, shares);
    shares[at(TimeClass::cpu_op)] += length(take(rest, threads_[thread].ops));
    if (const std::uint32_t process = t_.thread.process[thread]; covers_process && process != kNoRow) {
      shares[at(TimeClass::cpu_op)] += length(take(rest, processes_[process].ops));
      take_waits_of_process(rest, process, shares);
    }
    shares[at(TimeClass::cpu_other)] += length(take(rest, threads_[thread].runs));
    tell(thread, TimeClass::host_code, take(rest, calls_->threads()[thread].code), shares);
    shares[at(TimeClass::unexplained)] += length(rest);
  }

  void classify_state(Interval span, std::size_t row, std::uint32_t thread, Shares& shares) {
    const std::int64_t dur = span.to - span.from;
    switch (t_.thread_state.state[row]) {
    case 'X': {
      Shares waited{};
      if (!calls_->threads()[thread].waits.empty()) { // many spin until the device is done
        IntervalSet rest{span};
        take_waits(rest, thread, waited);
      }
      const std::int64_t in_wait = waited[at(TimeClass::device_wait)] + waited[at(TimeClass::sync_idle)];
      const std::int64_t in_op = covered(threads_[thread].ops, span);
      shares[at(TimeClass::device_wait)] += waited[at(TimeClass::device_wait)];
      shares[at(TimeClass::sync_idle)] += waited[at(TimeClass::sync_idle)];
      shares[at(TimeClass::cpu_op)] += in_op;
      shares[at(TimeClass::cpu_other)] += dur - in_wait - in_op;
      return;
    }
    case 'R':
    case 'P': {
      const std::int64_t throttled = throttled_in(span, t_.thread.process[thread]);
      shares[at(TimeClass::throttled)] += throttled;
      shares[at(t_.thread_state.state[row] == 'R' ? TimeClass::runnable : TimeClass::preempted)] +=
          dur - throttled;
      return;
    }
    case 'S':
    case 'D':
      return classify_blocked(span, row, thread, shares);
    default:
      shares[at(TimeClass::unexplained)] += dur;
    }
  }

  // Asleep: first what the service said itself (lock spans), then the call that waits for a device, then what
  // the stack at the switch says, then whether others worked for it.
  void classify_blocked(Interval span, std::size_t row, std::uint32_t thread, Shares& shares) {
    IntervalSet rest{span};
    shares[at(TimeClass::lock_wait)] += length(take(rest, threads_[thread].locks));
    take_waits(rest, thread, shares);
    const bool is_uninterruptible = t_.thread_state.state[row] == 'D';
    const std::uint32_t sample = t_.thread_state.sample[row];
    const bool may_be_idle = is_of_threads_ && !is_uninterruptible && stacks_.is_event_wait(sample);
    if (const auto reason = stacks_.reason(sample, is_uninterruptible); reason && !may_be_idle) {
      shares[at(*reason)] += length(rest);
      return;
    }
    if (is_of_threads_) { // those that work for it are accounted themselves
      shares[at(TimeClass::sleeping)] += length(rest);
      return;
    }
    IntervalSet in_run = take(rest, threads_[thread].runs);
    if (const std::uint32_t process = t_.thread.process[thread]; process != kNoRow) {
      const ProcessSpans& others = processes_[process];
      shares[at(TimeClass::cpu_op)] += length(take(in_run, others.pool_running));
      shares[at(TimeClass::runnable)] += length(take(in_run, others.pool_runnable));
      shares[at(TimeClass::preempted)] += length(take(in_run, others.pool_preempted));
    }
    shares[at(TimeClass::sleeping)] += length(in_run) + length(rest);
  }

  // Proof of throttling: the counter grew in this window, and no thread of the process was on any CPU
  // meanwhile. Never more than the counter grew.
  [[nodiscard]] std::int64_t throttled_in(Interval span, std::uint32_t process) const {
    if (process == kNoRow || throttled_.empty()) return 0;
    std::int64_t sum = 0;
    auto it =
        std::ranges::lower_bound(throttled_, span.from, {}, [](const Throttled& x) { return x.window.to; });
    for (; it != throttled_.end() && it->window.from < span.to; ++it) {
      if (it->process != kNoRow && it->process != process) continue;
      const Interval both{std::max(span.from, it->window.from), std::min(span.to, it->window.to)};
      if (both.to <= both.from) continue;
      const std::int64_t nobody_ran = both.to - both.from - covered(processes_[process].running, both);
      sum += std::min(nobody_ran, it->ns);
    }
    return std::min(sum, span.to - span.from);
  }

  struct Throttled {
    Interval window;
    std::int64_t ns = 0;
    std::uint32_t process = kNoRow;
  };
  const Store& store_;
  const Tables& t_;
  OffCpuReasons stacks_;
  const bool is_of_threads_;
  RequestTime result_;
  using Told = std::map<TimeClass, std::vector<Interval>>;
  std::vector<Told> told_; // by thread: instants of the classes whose calls are named
  std::optional<HostCalls> calls_;
  std::optional<DeviceWork> devices_; // where anything waits for them
  std::vector<bool> is_server_;
  std::vector<ThreadSpans> threads_;
  std::vector<ProcessSpans> processes_;
  std::vector<Throttled> throttled_;
};

} // namespace

std::string_view word(TimeClass time_class) {
  static constexpr std::array<std::string_view, kTimeClasses> kWords{
      "cpu_op",      "cpu_other", "host_code",  "runnable",   "preempted",  "throttled",
      "lock_wait",   "io",        "page_fault", "sleeping",   "queue_wait", "batch_wait",
      "device_wait", "sync_idle", "network",    "unexplained"};
  return kWords[at(time_class)];
}

RequestTime account_requests(const Store& store) {
  return Accountant(store).run();
}

ThreadTime account_threads(const Store& store) {
  return Accountant(store, Accountant::Of::threads).run_threads();
}

} // namespace prof
