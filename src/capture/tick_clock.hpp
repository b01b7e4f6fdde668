// tick_clock.hpp: the SDK's ticks on the trace clock (CLOCK_MONOTONIC ns), as one continuous, growing
// function.
#pragma once
#include "sdk/ring_layout.hpp"
#include "sdk/ticks.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace prof {

// A line that is steered towards the measured pairs instead of jumping to them: a tick is converted to the
// same ns whenever it is asked, so intervals that nest in ticks nest in ns. Error: about the width of a pair
// (30 ns) plus what the kernel adjusts its clock within one step (100 ms).
class TickClock {
public:
  // `first` and `now` are two pairs at least 5 ms apart: they give the first slope.
  TickClock(sdk::ClockPair first, sdk::ClockPair now) : first_(first) {
    double slope = 1.0;
    if (now.ticks > first.ticks)
      slope = static_cast<double>(now.ns - first.ns) / static_cast<double>(now.ticks - first.ticks);
    segments_.push_back({first.ticks, static_cast<double>(first.ns), slope});
    add(now);
  }
  // A newer pair: bends the line from there on, so that it meets the measured time a second later.
  void add(sdk::ClockPair pair) {
    const Segment& last = segments_.back();
    if (pair.ticks <= last.ticks || pair.ticks <= first_.ticks) return;
    const double measured =
        static_cast<double>(pair.ns - first_.ns) / static_cast<double>(pair.ticks - first_.ticks);
    const double at = value(last, pair.ticks);
    const double error_ns = static_cast<double>(pair.ns) - at;
    constexpr double kCatchUpNs = 1e9;
    const double bend = std::clamp(error_ns / kCatchUpNs, -0.001, 0.001);
    segments_.push_back({pair.ticks, at, measured * (1.0 + bend)});
    if (segments_.size() > kMaxSegments)
      segments_.erase(segments_.begin(), segments_.begin() + kMaxSegments / 2);
  }
  // Whether a record can have been written at this tick: after the boot, and not (well) after the newest
  // pair. Others have no time; ns() of them means nothing.
  [[nodiscard]] bool is_possible(std::uint64_t ticks) const {
    constexpr double kAheadNs = 60e9; // of records that come while a drain takes long
    const Segment& last = segments_.back();
    // Each distance as what it is: 2^64 - 1 is far ahead, and not one tick before zero, which a slope
    // measured a little under 1 would put after the boot.
    if (ticks > last.ticks) return static_cast<double>(ticks - last.ticks) * last.ns_per_tick <= kAheadNs;
    return static_cast<double>(last.ticks - ticks) * last.ns_per_tick <= last.ns;
  }
  [[nodiscard]] std::int64_t ns(std::uint64_t ticks) const {
    std::size_t i = segments_.size() - 1;
    while (i > 0 && segments_[i].ticks > ticks)
      --i;
    return static_cast<std::int64_t>(value(segments_[i], ticks));
  }

private:
  struct Segment {
    std::uint64_t ticks;
    double ns;
    double ns_per_tick;
  };
  // A double holds ns since boot exactly up to 104 days; beyond that the error is 2 ns.
  static double value(const Segment& s, std::uint64_t ticks) {
    return s.ns + static_cast<double>(static_cast<std::int64_t>(ticks - s.ticks)) * s.ns_per_tick;
  }
  static constexpr std::size_t kMaxSegments = 8192;
  sdk::ClockPair first_;
  std::vector<Segment> segments_;
};

} // namespace prof
