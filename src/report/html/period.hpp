// period.hpp: is there a rhythm in a row of the heat map, and where is its quiet phase?
//
//   busy   ████████░░████████░░████████░░      period 10, quietest eighth at 8: something pauses this row
//
// A row that serves requests at random also shows peaks in its autocorrelation. Every floor below rules out a
// kind of rhythm that is none, or that is no bottleneck; docs/viewer.md says why each is as it is.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace prof {

struct Period {
  std::int64_t period_ns = 0;
  double correlation = 0;    // of the row with itself one period later
  std::int64_t phase_ns = 0; // where in the period the quietest eighth begins, from the trace start
  double quiet_share = 0;    // mean utilisation in that eighth, 0..1
  double busy_share = 0;     // mean utilisation in the rest
  std::int64_t cycles = 0;   // whole periods in the row's life
};

struct PeriodFloors {
  double life = 0.25;        // share of the trace between the row's first and last activity
  double mean = 0.05;        // utilisation within its life: below it the row holds nobody up
  double contrast = 0.1;     // busy_share - quiet_share, and at least half of busy_share
  double correlation = 0.35; // of the peak, and half of it again after two periods
  int cycles = 5;            // fewer are a coincidence
  double chance = 0.01;      // that a row with the same memory and no rhythm has such a peak anywhere
};
inline constexpr PeriodFloors kPeriodFloors{};

// The smallest lag whose autocorrelation is within 90 % of the best peak, when it passes every floor.
// `values`: utilisation 0..1 from the start of the trace, each over `width_ns`. O(n^2).
[[nodiscard]] std::optional<Period> find_period(std::span<const float> values, double width_ns);

} // namespace prof
