// state_marks.hpp: what a trace told again must say of its threads beside their runs and wakeups. Where
// switches of the scheduler were lost, a thread's state changes though none of its runs ends there.
#pragma once
#include "trace/thread_state.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace prof {

// The thread went into what `prev_state` leads to: a SchedSwitch of no CPU (kNoCpu) says so.
struct StateMark {
  std::int64_t thread = 0, ts = 0;
  char prev_state = kLostState;
};

// First all runs, then all states: those of one thread in order of time, one thread after the other.
class StateMarks {
public:
  void run(std::int64_t thread, std::int64_t end, char end_state) {
    runs_.push_back({thread, end, end_state});
    is_sorted_ = false;
  }

  void state(std::int64_t thread, std::int64_t ts, std::int64_t end, char state) {
    first_ = std::min(first_, ts);
    last_ = std::max(last_, end);
    const bool is_of_last = has_last_ && last_row_.thread == thread;
    const bool follows = is_of_last && last_row_.ts == ts;
    if (!(follows && state == 'R')) settle_first();
    if (has_last_ && !follows) close();
    const char ended = after_run(thread, ts);
    const char before = ended != kNone ? ended : follows ? last_row_.prev_state : kNone;
    if (state == 'R') { // a wakeup wakes who sleeps, and who is woken first had slept
      if (before != 'S' && before != 'D' && before != kLostState)
        add({thread, ts, kLostState}, is_of_last ? Why::changed : Why::woken_first);
    } else if (state != 'X' && ended != state) {
      add({thread, ts, state == 'P' ? 'R' : state},
          state == 'S' && !is_of_last ? Why::slept_first : Why::changed);
    }
    last_row_ = {thread, end, state};
    has_last_ = true;
  }

  [[nodiscard]] std::vector<StateMark> take() {
    settle_first();
    if (has_last_) close();
    std::vector<StateMark> out;
    for (const Candidate& candidate : marks_) {
      const bool is_at_start = candidate.why == Why::slept_first || candidate.why == Why::woken_first;
      if (is_at_start && candidate.mark.ts == first_) continue;
      if (candidate.why == Why::gone && candidate.mark.ts >= last_) continue; // the recording ends there
      out.push_back(candidate.mark);
    }
    return out;
  }

private:
  static constexpr char kNone = '-', kGone = 'X';
  enum class Why : std::uint8_t { changed, slept_first, woken_first, gone };
  struct Candidate {
    StateMark mark;
    Why why;
  };

  void add(StateMark mark, Why why) { marks_.push_back({mark, why}); }

  // Who slept first and is woken next is known to have slept; else it must be said.
  void settle_first() {
    if (!marks_.empty() && marks_.back().why == Why::slept_first) marks_.back().why = Why::changed;
  }

  // Nothing is known of the thread behind its last row.
  void close() {
    if (after_run(last_row_.thread, last_row_.ts) != kGone)
      add({last_row_.thread, last_row_.ts, kGone}, Why::gone);
  }

  // The state that the end of a run led to; of several the last one told, as a store takes it.
  char after_run(std::int64_t thread, std::int64_t ts) {
    const auto key = [](const StateMark& run) { return std::tuple(run.thread, run.ts); };
    if (!is_sorted_) std::ranges::stable_sort(runs_, {}, key);
    is_sorted_ = true;
    const auto behind = std::ranges::upper_bound(runs_, std::tuple(thread, ts), {}, key);
    if (behind == runs_.begin() || key(behind[-1]) != std::tuple(thread, ts)) return kNone;
    return state_after(behind[-1].prev_state);
  }

  std::vector<StateMark> runs_; // ts: where it ended
  std::vector<Candidate> marks_;
  StateMark last_row_; // ts: its end; prev_state: the state itself
  std::int64_t first_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_ = std::numeric_limits<std::int64_t>::min();
  bool is_sorted_ = false, has_last_ = false;
};

} // namespace prof
