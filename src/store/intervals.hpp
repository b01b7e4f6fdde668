// intervals.hpp: sets of instants as sorted, disjoint, half-open intervals. "Time" is always the length of a
// union, never a sum.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace prof {

struct Interval {
  std::int64_t from = 0, to = 0; // [from, to), ns
  friend auto operator<=>(const Interval&, const Interval&) = default;
};
// Sorted by `from`, disjoint, not touching, none empty.
using IntervalSet = std::vector<Interval>;

// The union of any intervals (empty ones are dropped). O(n log n).
[[nodiscard]] IntervalSet union_of(std::vector<Interval> intervals);
[[nodiscard]] std::int64_t length(const IntervalSet& set);
// length(union_of(intervals)) without memory of its own: it sorts them in place.
[[nodiscard]] std::int64_t union_length(std::span<Interval> intervals);
// Common instants of two sets. O(n + m).
[[nodiscard]] IntervalSet common(const IntervalSet& a, const IntervalSet& b);
// Length of the part of [from, to) inside the set. O(log n + hits).
[[nodiscard]] std::int64_t covered(const IntervalSet& set, Interval span);
// Removes from `rest` what lies inside `set` and returns it. O(|rest| log n + hits).
[[nodiscard]] IntervalSet take(IntervalSet& rest, const IntervalSet& set);

} // namespace prof
