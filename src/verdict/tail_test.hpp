// tail_test.hpp: a percentile of two series of requests, one run a side. A t-test on the requests says
// nothing about p99 (docs/statistics.md): here the percentile itself is resampled, in blocks, because
// neighbouring requests are alike.
#pragma once
#include "verdict/value_test.hpp"

namespace prof {

struct TailTest {
  Method method =
      Method::none; // block_permutation where the tail is too thin for a bootstrap interval to be trusted
  bool is_possible = false; // false: fewer than 1/(1-q) values on a side, or values <= 0
  bool is_thin = false;     // fewer than quantile_min_n values: no finite distribution-free interval exists
  double before = 0, after = 0; // Harrell-Davis
  double before_type7 = 0, after_type7 = 0;
  double centre = 0, se = 0; // of log(after / before), within these two runs
  ConfidenceInterval ci;     // of centre, 95 %
  double p = 1;
  std::size_t block_before = 1, block_after = 1;
  int draws = 0;
};
[[nodiscard]] TailTest test_percentile(std::span<const double> a, std::span<const double> b, double q,
                                       int draws, std::uint64_t seed);

} // namespace prof
