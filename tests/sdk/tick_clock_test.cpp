#include "capture/tick_clock.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace prof {
namespace {

// The two pairs of a start are 5 ms apart and each is 30 ns wide: the slope of a clock of 1 ns ticks comes
// out a little over or under 1.
class MeasuredSlope : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(MeasuredSlope, decides_of_no_tick_whether_it_is_possible) {
  constexpr std::uint64_t kBoot = 38'000'000'000'000; // ns since boot
  const TickClock clock({.ticks = kBoot, .ns = static_cast<std::int64_t>(kBoot)},
                        {.ticks = kBoot + GetParam(), .ns = static_cast<std::int64_t>(kBoot) + 5'000'000});
  EXPECT_TRUE(clock.is_possible(kBoot));
  EXPECT_TRUE(clock.is_possible(kBoot + 59'000'000'000));
  EXPECT_FALSE(clock.is_possible(kBoot + 61'000'000'000));
  EXPECT_TRUE(clock.is_possible(kBoot / 2));
  EXPECT_FALSE(clock.is_possible(1ull << 63));
  EXPECT_FALSE(clock.is_possible(std::numeric_limits<std::uint64_t>::max()));
}

INSTANTIATE_TEST_SUITE_P(TickClock, MeasuredSlope, ::testing::Values(4'999'940, 5'000'000, 5'000'060));

TEST(TickClock, a_tick_before_the_boot_is_not_possible) {
  // A counter that already stood at an hour when the clock began.
  constexpr std::uint64_t kHour = 3'600'000'000'000;
  const TickClock clock({.ticks = kHour + 1'000'000, .ns = 1'000'000},
                        {.ticks = kHour + 6'000'000, .ns = 6'000'000});
  EXPECT_TRUE(clock.is_possible(kHour + 1));
  EXPECT_FALSE(clock.is_possible(kHour - 1'000'000));
  EXPECT_FALSE(clock.is_possible(0));
}

} // namespace
} // namespace prof
