// Rhythms that are there, and rows that only look as if they had one.
#include "report/html/period.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace prof {
namespace {

std::vector<float> square(std::size_t n, std::size_t period, std::size_t busy, float high = 1,
                          float low = 0) {
  std::vector<float> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(i % period < busy ? high : low);
  return values;
}

// Requests that arrive at random and hold the row for about `length` values each.
std::vector<float> random_requests(std::uint64_t seed, std::size_t n, double load, double length) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) / 9007199254740992.0; };
  std::vector<float> values(n);
  double arrival = 0, free = 0;
  while (arrival < static_cast<double>(n)) {
    arrival -= std::log(uniform()) * length / load;
    const double from = std::max(arrival, free), to = from + length * (0.7 + 0.6 * uniform());
    for (auto i = static_cast<std::size_t>(from); i < n && static_cast<double>(i) < to; ++i)
      values[i] += static_cast<float>(std::min(to, static_cast<double>(i) + 1) -
                                      std::max(from, static_cast<double>(i)));
    free = to;
  }
  return values;
}

TEST(Period, a_pause_in_every_fifty_values_is_found_with_its_phase) {
  const auto period = find_period(square(1000, 50, 40), 1000);
  ASSERT_TRUE(period);
  EXPECT_NEAR(static_cast<double>(period->period_ns), 50'000, 50);
  EXPECT_EQ(period->cycles, 19); // whole ones until the last activity: 990 / 50 = 19.8
  EXPECT_NEAR(period->correlation, 1, 0.01);
  EXPECT_NEAR(period->quiet_share, 0, 0.02);
  EXPECT_NEAR(period->busy_share, 0.8 / 0.875, 0.02);
  EXPECT_GE(period->phase_ns, 39'000); // the pause is [40, 50) of each 50
  EXPECT_LE(period->phase_ns, 44'500);
}

TEST(Period, the_phase_counts_from_the_start_of_the_trace_when_the_row_starts_late) {
  std::vector<float> values(500);
  const auto rhythm = square(1000, 50, 40);
  values.insert(values.end(), rhythm.begin(), rhythm.end());
  const auto period = find_period(values, 1000);
  ASSERT_TRUE(period);
  EXPECT_EQ(period->cycles, 19); // not 29: it was not idle before, it was not there
  EXPECT_GE(period->phase_ns, 39'000);
  EXPECT_LE(period->phase_ns, 44'500);
}

TEST(Period, four_cycles_are_a_coincidence) {
  EXPECT_FALSE(find_period(square(400, 100, 60), 1));
  EXPECT_TRUE(find_period(square(800, 100, 60), 1));
}

TEST(Period, a_row_that_is_hardly_busy_holds_nobody_up) {
  EXPECT_FALSE(find_period(square(2000, 100, 4), 1)); // 4 %
  EXPECT_TRUE(find_period(square(2000, 100, 10), 1));
}

TEST(Period, a_short_lived_thread_has_no_rhythm_of_the_trace) {
  std::vector<float> values(2000);
  const auto rhythm = square(400, 20, 15);
  std::ranges::copy(rhythm, values.begin() + 700);
  EXPECT_FALSE(find_period(values, 1));
}

TEST(Period, steps_of_many_kernels_repeat_as_steps_and_not_as_kernels) {
  // A training loop: 60 values of kernels (2 busy, 1 half idle), 40 of waiting for data, as torch.profiler's
  // demonstration of a slow loader shows it; 560 values are five whole steps.
  std::vector<float> values;
  for (std::size_t i = 0; i < 560; ++i)
    values.push_back(i % 100 >= 60 ? 0.0F : i % 100 % 3 == 2 ? 0.6F : 1.0F);
  const auto period = find_period(values, 1000);
  ASSERT_TRUE(period);
  EXPECT_NEAR(static_cast<double>(period->period_ns), 100'000, 200);
  EXPECT_EQ(period->cycles, 5);
  EXPECT_NEAR(period->quiet_share, 0, 0.01);
}

TEST(Period, a_ripple_is_no_bottleneck) {
  EXPECT_FALSE(find_period(square(1000, 50, 25, 0.55F, 0.5F), 1));
  EXPECT_FALSE(find_period(square(1000, 50, 25, 1.0F, 0.7F), 1)); // quiet is not half of busy
  EXPECT_TRUE(find_period(square(1000, 50, 25, 0.55F, 0.1F), 1));
}

TEST(Period, constant_and_empty_rows_have_none) {
  EXPECT_FALSE(find_period(std::vector<float>(1000, 1.0F), 1));
  EXPECT_FALSE(find_period(std::vector<float>(1000, 0.0F), 1));
  EXPECT_FALSE(find_period({}, 1));
  EXPECT_FALSE(find_period(square(20, 5, 3), 1));
}

TEST(Period, requests_that_come_at_random_have_no_rhythm) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    found += find_period(random_requests(seed, 1000, seed % 2 == 0 ? 0.3 : 0.7, 12), 1).has_value();
  EXPECT_LE(found, 2); // kPeriodFloors.chance
}

TEST(Period, random_requests_with_a_regular_pause_show_the_pause) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto values = random_requests(seed, 2000, 5, 8);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i % 125 >= 95) values[i] = 0;
    const auto period = find_period(values, 1);
    ASSERT_TRUE(period) << seed;
    EXPECT_NEAR(static_cast<double>(period->period_ns), 125, 2) << seed;
  }
}

} // namespace
} // namespace prof
