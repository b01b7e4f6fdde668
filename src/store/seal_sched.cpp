// seal_sched.cpp: from scheduler switches and wakeups to what ran on each CPU and what each thread did.
//
//   cpu 0:  |-- A --|-- B --|      switch A->B (A prev_state S), wakeup of A at w
//   A:      X running   S sleeping ......... w  R runnable ... X
#include "store/building.hpp"
#include "trace/switch_chain.hpp"
#include "trace/thread_state.hpp"

#include <numeric>
#include <tuple>

namespace prof::detail {
namespace {

// perf takes the context-switches sample just before the sched_switch tracepoint; both are in the switch
// path.
constexpr std::int64_t kSwitchSampleWindow =
    20'000; // ns; source: order of events in kernel/sched/core.c (context_switch)

enum class EventKind : std::uint8_t { run_end, wakeup, run_start }; // in the order that holds at one instant
struct Event {
  std::int64_t ts = 0;
  std::uint32_t thread = kNoRow;
  std::uint32_t waker = kNoRow; // of a wakeup
  std::int32_t cpu = -1;        // of a run_start
  EventKind kind = EventKind::run_end;
  char state = 'S'; // of a run_end
};

struct Running {
  std::int64_t tid = 0;
  std::int64_t since = 0;
  std::uint32_t thread = kNoRow;
};

class SchedSealer {
public:
  explicit SchedSealer(Building& b) : b_(b) {}

  void run() {
    for (const RawSwitch& s : b_.switches)
      widen(s.ts);
    for (const RawWakeup& w : b_.wakeups)
      widen(w.ts);
    std::ranges::stable_sort(b_.switches, {}, [](const RawSwitch& s) { return std::pair(s.cpu, s.ts); });
    const std::size_t marks = marks_end();
    std::size_t from = marks;
    for (std::size_t i = from + 1; i <= b_.switches.size(); ++i) {
      if (i < b_.switches.size() && b_.switches[i].cpu == b_.switches[from].cpu) continue;
      seal_cpu(std::span(b_.switches).subspan(from, i - from));
      from = i;
    }
    for (const RawSwitch& mark : std::span(b_.switches).first(marks)) // behind the runs that end with them
      left(mark);
    for (const RawWakeup& w : b_.wakeups)
      if (w.tid != 0)
        events_.push_back({.ts = w.ts,
                           .thread = b_.thread_by_tid(w.tid, {}),
                           .waker = w.waker_tid == 0 ? kNoRow : b_.thread_by_tid(w.waker_tid, {}),
                           .kind = EventKind::wakeup});
    b_.switches = {};
    b_.wakeups = {};
    if (chain_.broken() > 0) b_.add_note(Severity::data_loss, "note.store.sched_gap", {}, chain_.broken());
    build_states();
  }

private:
  void widen(std::int64_t ts) {
    start_ = std::min(start_, ts);
    end_ = std::max(end_, ts);
  }

  void add_run(const Running& run, std::int64_t end, std::int32_t cpu, char end_state) {
    if (run.tid == 0) return;
    SchedTable& sched = b_.t.sched;
    sched.ts.push_back(run.since);
    sched.dur.push_back(end - run.since);
    sched.cpu.push_back(cpu);
    sched.thread.push_back(run.thread);
    sched.end_state.push_back(end_state);
    if (end > run.since) // else it would begin behind its own end, and go on
      events_.push_back({.ts = run.since, .thread = run.thread, .cpu = cpu, .kind = EventKind::run_start});
    events_.push_back({.ts = end, .thread = run.thread, .kind = EventKind::run_end, .state = end_state});
  }

  // Marks of no CPU stand before all others.
  [[nodiscard]] std::size_t marks_end() const {
    const auto end = std::ranges::find_if(b_.switches, [](const RawSwitch& s) { return s.cpu >= 0; });
    return static_cast<std::size_t>(end - b_.switches.begin());
  }

  // A thread was in this state from here on; since when it ran is not known.
  void left(const RawSwitch& s) {
    if (s.prev_tid == 0) return;
    events_.push_back(
        {.ts = s.ts, .thread = thread(s.prev_tid, {}), .kind = EventKind::run_end, .state = s.prev_state});
  }

  void seal_cpu(std::span<const RawSwitch> switches) {
    // Who leaves at the first switch had been running since before the recording began.
    Running now{switches[0].prev_tid, start_, thread(switches[0].prev_tid, {})};
    for (const RawSwitch& s : switches) {
      if (chain_.take(s.cpu, s.prev_tid, s.next_tid)) {
        add_run(now, s.ts, s.cpu, s.prev_state == '+' ? 'R' : s.prev_state);
      } else {
        // Switches in between were lost: when `now` left and s.prev_tid came is not known, so neither is
        // claimed.
        if (now.tid != 0) {
          events_.push_back(
              {.ts = now.since, .thread = now.thread, .kind = EventKind::run_end, .state = kLostState});
        }
        left(s);
      }
      now = {s.next_tid, s.ts, thread(s.next_tid, s.next_comm)};
    }
    if (end_ > now.since) add_run(now, end_, switches.back().cpu, 'U');
  }

  std::uint32_t thread(std::int64_t tid, StrId comm) {
    return tid == 0 ? kNoRow : b_.thread_by_tid(tid, comm);
  }

  void build_states() {
    std::ranges::stable_sort(events_, {}, [](const Event& e) { return std::tuple(e.thread, e.ts, e.kind); });
    for (std::size_t from = 0; from < events_.size();) {
      std::size_t to = from;
      while (to < events_.size() && events_[to].thread == events_[from].thread)
        ++to;
      states_of(std::span(events_).subspan(from, to - from));
      from = to;
    }
    events_ = {};
    attach_samples();
  }

  void add_state(std::uint32_t thread, std::int64_t ts, std::int64_t end, char state, std::int32_t cpu,
                 std::uint32_t waker) {
    if (end <= ts) return;
    ThreadStateTable& states = b_.t.thread_state;
    states.ts.push_back(ts);
    states.dur.push_back(end - ts);
    states.thread.push_back(thread);
    states.state.push_back(state);
    states.cpu.push_back(state == 'X' ? cpu : -1);
    states.waker_thread.push_back(state == 'R' ? waker : kNoRow);
  }

  // One thread's events in time order. state '-' = no claim (before the first event, after the thread's end).
  void states_of(std::span<const Event> events) {
    const std::uint32_t thread = events[0].thread;
    char state = '-';
    std::int64_t since = start_;
    std::int32_t cpu = -1;
    std::uint32_t waker = kNoRow;
    // A thread that is woken first had been asleep since the recording began.
    if (events[0].kind == EventKind::wakeup) state = 'S';
    for (const Event& e : events) {
      char next = state;
      switch (e.kind) {
      case EventKind::run_start:
        next = 'X';
        break;
      case EventKind::run_end:
        next = state_after(e.state) == 'X' ? '-' : state_after(e.state);
        break;
      case EventKind::wakeup:
        if (state == 'S' || state == 'D' || state == kLostState) next = 'R';
        break;
      }
      if (next == state && e.kind != EventKind::run_start) continue;
      if (state != '-') add_state(thread, since, e.ts, state, cpu, waker);
      state = next;
      since = e.ts;
      if (e.kind == EventKind::run_start) cpu = e.cpu;
      waker = e.kind == EventKind::wakeup ? e.waker : kNoRow;
    }
    if (state != '-') add_state(thread, since, end_, state, cpu, waker);
  }

  // The call stack that a thread had when it blocked.
  void attach_samples() {
    ThreadStateTable& states = b_.t.thread_state;
    states.sample.assign(states.ts.size(), kNoRow);
    const SampleTable& samples = b_.t.sample;
    std::vector<std::tuple<std::uint32_t, std::int64_t, std::uint32_t>> switches; // thread, ts, sample
    for (std::uint32_t i = 0; i < samples.ts.size(); ++i)
      if (samples.event[i] == b_.words.event_switch && samples.thread[i] != kNoRow)
        switches.emplace_back(samples.thread[i], samples.ts[i], i);
    std::ranges::sort(switches);
    std::size_t at = 0;
    for (std::size_t i = 0; i < states.ts.size(); ++i) {
      if (states.state[i] != 'S' && states.state[i] != 'D') continue;
      const auto from = std::pair(states.thread[i], states.ts[i] - kSwitchSampleWindow);
      const auto key = [&](std::size_t k) {
        return std::pair(std::get<0>(switches[k]), std::get<1>(switches[k]));
      };
      while (at < switches.size() && key(at) < from)
        ++at;
      std::int64_t best = kSwitchSampleWindow + 1;
      for (std::size_t k = at;
           k < switches.size() && key(k) <= std::pair(states.thread[i], states.ts[i] + kSwitchSampleWindow);
           ++k) {
        const std::int64_t distance = std::abs(std::get<1>(switches[k]) - states.ts[i]);
        if (distance >= best) break; // sorted: it only gets farther
        best = distance;
        states.sample[i] = std::get<2>(switches[k]);
      }
    }
  }

  Building& b_;
  std::vector<Event> events_;
  std::int64_t start_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t end_ = std::numeric_limits<std::int64_t>::min();
  SwitchChain chain_;
};

} // namespace

void seal_sched(Building& b) {
  SchedSealer(b).run();
}

} // namespace prof::detail
