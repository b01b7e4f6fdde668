#include "store/intervals.hpp"

#include <algorithm>
#include <limits>

namespace prof {
namespace {

// The first interval of the set that ends after `at`.
IntervalSet::const_iterator first_after(const IntervalSet& set, std::int64_t at) {
  return std::ranges::upper_bound(set, at, {}, &Interval::to);
}

} // namespace

IntervalSet union_of(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.to <= i.from; });
  if (!std::ranges::is_sorted(intervals)) std::ranges::sort(intervals);
  std::size_t kept = 0;
  for (const Interval& i : intervals) {
    if (kept > 0 && i.from <= intervals[kept - 1].to)
      intervals[kept - 1].to = std::max(intervals[kept - 1].to, i.to);
    else
      intervals[kept++] = i;
  }
  intervals.resize(kept);
  return intervals;
}

std::int64_t length(const IntervalSet& set) {
  std::int64_t sum = 0;
  for (const Interval& i : set)
    sum += i.to - i.from;
  return sum;
}

std::int64_t union_length(std::span<Interval> intervals) {
  std::ranges::sort(intervals);
  std::int64_t sum = 0, end = std::numeric_limits<std::int64_t>::min();
  for (const Interval& i : intervals) {
    if (i.to <= std::max(i.from, end)) continue; // empty, or inside what was counted
    sum += i.to - std::max(i.from, end);
    end = i.to;
  }
  return sum;
}

IntervalSet common(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet out;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const Interval both{std::max(a[i].from, b[k].from), std::min(a[i].to, b[k].to)};
    if (both.from < both.to) out.push_back(both);
    if (a[i].to < b[k].to)
      ++i;
    else
      ++k;
  }
  return out;
}

std::int64_t covered(const IntervalSet& set, Interval span) {
  std::int64_t sum = 0;
  for (auto it = first_after(set, span.from); it != set.end() && it->from < span.to; ++it)
    sum += std::min(it->to, span.to) - std::max(it->from, span.from);
  return sum;
}

IntervalSet take(IntervalSet& rest, const IntervalSet& set) {
  if (rest.empty() || set.empty()) return {};
  IntervalSet taken, left;
  for (const Interval& part : rest) {
    std::int64_t at = part.from;
    for (auto it = first_after(set, part.from); it != set.end() && it->from < part.to; ++it) {
      const Interval hit{std::max(it->from, part.from), std::min(it->to, part.to)};
      if (at < hit.from) left.push_back({at, hit.from});
      taken.push_back(hit);
      at = hit.to;
    }
    if (at < part.to) left.push_back({at, part.to});
  }
  rest = std::move(left);
  return taken;
}

} // namespace prof
