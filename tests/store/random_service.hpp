// random_service.hpp: a small random service whose every nanosecond is also kept as plain arrays, so that
// what the store says can be counted by hand: one array entry per nanosecond and owner.
#pragma once
#include "trace_builder.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace prof {

class Dice {
public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  // 0 <= result < n. The engine's numbers are laid down by the standard, a distribution's are not.
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n));
  }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
  }

private:
  std::mt19937_64 engine_;
};

struct Span {
  std::int64_t from = 0, to = 0;
  [[nodiscard]] bool has(std::int64_t t) const { return from <= t && t < to; }
};

// A slice as it was told, with what a reader must find out about it by itself.
struct ToldSlice {
  Span span;
  std::string name, category;
  int thread = 0;
};

// Slices of one thread that nest properly and are all different intervals.
inline void nest_spans(Dice& dice, Span in, int depth, std::vector<Span>& out) {
  for (std::int64_t at = in.from; at + 2 < in.to;) {
    const std::int64_t from = at + dice.below(8), to = from + dice.between(2, 40);
    if (to > in.to) return;
    const Span span{from, to};
    if (span.from != in.from || span.to != in.to) {
      out.push_back(span);
      if (depth < 3) nest_spans(dice, {from, to}, depth + 1, out);
    }
    at = to + dice.below(5);
  }
}

// One thread's states, a letter per nanosecond of [0, length): X running, S, D, R runnable, P preempted.
// Told as switches on a CPU of its own, and wakeups. Running comes first and last, so that every state
// between is known.
inline std::string random_states(Dice& dice, std::int64_t length) {
  std::string states;
  const auto add = [&](char state) { states.append(static_cast<std::size_t>(dice.between(1, 12)), state); };
  while (static_cast<std::int64_t>(states.size()) < length - 40) {
    add('X');
    const std::int64_t kind = dice.below(3);
    if (kind == 0) {
      add('P');
    } else {
      add(kind == 1 ? 'S' : 'D');
      if (dice.one_in(2)) add('R');
    }
  }
  states.append(static_cast<std::size_t>(length) - states.size(), 'X');
  return states;
}

inline void tell_states(TraceBuilder& t, const std::string& states, std::int32_t cpu, std::int64_t tid) {
  for (std::size_t i = 0; i <= states.size(); ++i) {
    const char before = i == 0 ? '-' : states[i - 1], now = i == states.size() ? '-' : states[i];
    if (before == now) continue;
    const auto ts = static_cast<std::int64_t>(i);
    if (before == 'X') t.switch_to(ts, cpu, tid, now == 'P' ? 'R' : now == '-' ? 'S' : now, 0);
    if (now == 'R') t.wake(ts, tid);
    if (now == 'X') t.switch_to(ts, cpu, 0, 'R', tid);
  }
}

} // namespace prof
