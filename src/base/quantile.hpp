// quantile.hpp: what a percentile is, everywhere in this product: linear interpolation between the two
// closest order statistics (type 7 of Hyndman & Fan, The American Statistician 1996; the default of R and
// numpy). It is a value between two measured ones, seldom one that was measured. docs/metrics.md tells it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

namespace prof {
namespace detail {

// Value number `low` (from 0) and the part of the way to the next one.
struct QuantilePlace {
  std::size_t low = 0;
  double part = 0;
};
[[nodiscard]] inline QuantilePlace quantile_place(std::size_t n, double q) {
  const double at = q * static_cast<double>(n - 1);
  const auto low = static_cast<std::size_t>(at);
  return {.low = low, .part = at - static_cast<double>(low)};
}
// The lower one alone where nothing of the way is left: the upper one may be infinite, or not there.
[[nodiscard]] inline double quantile_between(double low, double high, double part) {
  return part == 0 ? low : low + (high - low) * part;
}

} // namespace detail

// Of ascending values; q in 0..1. 0 for none.
template <class T>
[[nodiscard]] double quantile_sorted(std::span<const T> ordered, double q) {
  if (ordered.empty()) return 0;
  const auto [low, part] = detail::quantile_place(ordered.size(), q);
  return detail::quantile_between(static_cast<double>(ordered[low]),
                                  static_cast<double>(ordered[std::min(low + 1, ordered.size() - 1)]), part);
}
// Of values in any order, which it moves. O(n).
[[nodiscard]] inline double quantile_in_place(std::span<double> values, double q) {
  if (values.empty()) return 0;
  const auto [low, part] = detail::quantile_place(values.size(), q);
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(low);
  std::ranges::nth_element(values, nth);
  return part == 0 ? *nth : detail::quantile_between(*nth, *std::min_element(nth + 1, values.end()), part);
}

} // namespace prof
