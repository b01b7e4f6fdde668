// The sliding window of the flight recorder against a computation that keeps everything and sorts.
#include "capture/sliding_window.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace prof {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

struct Kept {
  std::int64_t at, value;
};

// Percentile of type 7 of what lies in (now - length, now].
std::optional<double> by_sorting(const std::vector<Kept>& all, std::int64_t now, std::int64_t length,
                                 double percent) {
  std::vector<double> values;
  for (const Kept& one : all)
    if (one.at > now - length) values.push_back(static_cast<double>(one.value));
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double place = percent / 100 * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - std::floor(place)) * (values[high] - values[low]);
}

struct Shape {
  const char* name;
  std::int64_t (*draw)(std::mt19937_64& random);
};
const Shape kShapes[] = {
    {"zeros and small numbers", [](std::mt19937_64& r) { return static_cast<std::int64_t>(r() % 4); }},
    {"around the first shared bucket",
     [](std::mt19937_64& r) { return static_cast<std::int64_t>(250 + r() % 20); }},
    {"milliseconds",
     [](std::mt19937_64& r) { return static_cast<std::int64_t>(1'000'000 + r() % 9'000'000); }},
    {"all the same", [](std::mt19937_64&) { return std::int64_t{5'000'000}; }},
    {"nine decades",
     [](std::mt19937_64& r) {
       return static_cast<std::int64_t>(std::exp2(static_cast<double>(r() % 3000) / 100.0));
     }},
    {"whole range of 63 bits",
     [](std::mt19937_64& r) { return static_cast<std::int64_t>(r() >> (1 + r() % 62)); }}};

TEST(SlidingWindow, percentiles_are_those_of_sorting_what_lies_in_it) {
  for (const Shape& shape : kShapes) {
    std::mt19937_64 random(7);
    SlidingWindow window({10 * kSecond});
    std::vector<Kept> all;
    std::int64_t now = 0;
    for (int step = 0; step < 400; ++step) {
      now += static_cast<std::int64_t>(random() % (kSecond / 2));
      for (std::uint64_t i = random() % 8; i > 0; --i) {
        const std::int64_t at = now - static_cast<std::int64_t>(random() % (kSecond / 10)); // out of order
        all.push_back({at, shape.draw(random)});
        window.add({at}, all.back().value);
      }
      window.advance({now});
      for (const double percent : {0.0, 1.0, 50.0, 90.0, 95.0, 99.0, 99.9, 100.0}) {
        const auto expected = by_sorting(all, now, 10 * kSecond, percent);
        const auto got = window.percentile(percent);
        ASSERT_EQ(got.has_value(), expected.has_value()) << shape.name;
        if (got) {
          ASSERT_DOUBLE_EQ(*got, *expected) << shape.name << " p" << percent << " at step " << step;
        }
      }
    }
  }
}

TEST(SlidingWindow, hand_computed_percentiles_of_ten_values) {
  SlidingWindow window({10 * kSecond});
  for (std::int64_t value = 10; value >= 1; --value)
    window.add({value}, value * 1'000'000);
  // Type 7 of 1..10: place 0.99 * 9 = 8.91 -> 9 + 0.91 * 1.
  EXPECT_DOUBLE_EQ(*window.percentile(99), 9'910'000);
  EXPECT_DOUBLE_EQ(*window.percentile(50), 5'500'000);
  EXPECT_DOUBLE_EQ(*window.percentile(90), 9'100'000);
  EXPECT_DOUBLE_EQ(*window.percentile(100), 10'000'000);
  EXPECT_DOUBLE_EQ(*window.mean(), 5'500'000);
}

TEST(SlidingWindow, what_is_as_old_as_the_window_is_gone) {
  SlidingWindow window({10 * kSecond});
  window.add({1 * kSecond}, 100);
  window.add({5 * kSecond}, 200);
  window.advance({11 * kSecond - 1});
  EXPECT_EQ(window.size(), 2);
  window.advance({11 * kSecond});
  EXPECT_EQ(window.size(), 1);
  EXPECT_EQ(window.percentile(0), 200.0);
  window.advance({15 * kSecond});
  EXPECT_EQ(window.size(), 0);
  EXPECT_FALSE(window.percentile(99));
  EXPECT_FALSE(window.mean());
  EXPECT_FALSE(window.failed_percent());
}

TEST(SlidingWindow, one_that_comes_late_leaves_in_time) {
  SlidingWindow window({10 * kSecond});
  window.add({5 * kSecond}, 1);
  window.add({2 * kSecond}, 7);
  window.add({4 * kSecond}, 9);
  window.advance({12 * kSecond});
  EXPECT_EQ(window.size(), 2);
  EXPECT_EQ(window.percentile(100), 9.0);
}

TEST(SlidingWindow, a_share_of_failures_counts_only_those_that_said_how_they_ended) {
  SlidingWindow window({10 * kSecond});
  window.add({1}, 1);
  EXPECT_FALSE(window.failed_percent());
  for (const RequestOutcome outcome : {RequestOutcome::ok, RequestOutcome::ok, RequestOutcome::failed,
                                       RequestOutcome::ok, RequestOutcome::unknown})
    window.add({2 * kSecond}, 1, outcome);
  EXPECT_EQ(window.failed_percent(), 25.0);
  window.add({3 * kSecond}, 1, RequestOutcome::failed);
  EXPECT_EQ(window.failed_percent(), 40.0);
  window.advance({12 * kSecond});
  EXPECT_EQ(window.failed_percent(), 100.0);
}

TEST(SlidingWindow, a_rate_needs_a_whole_window) {
  SlidingWindow window({10 * kSecond});
  for (std::int64_t i = 1; i <= 40; ++i)
    window.add({i * kSecond / 4}, 1);
  EXPECT_FALSE(window.rate({1}, {10 * kSecond}));
  EXPECT_EQ(window.rate({0}, {10 * kSecond}), 4.0);
  window.advance({15 * kSecond});
  EXPECT_EQ(window.rate({0}, {15 * kSecond}), 2.0);
  window.advance({30 * kSecond});
  EXPECT_EQ(window.rate({0}, {30 * kSecond}), 0.0); // a service that does nothing has a rate
}

TEST(SlidingWindow, its_memory_is_bounded_and_its_rate_stays_right) {
  SlidingWindow window({10 * kSecond}, 100);
  for (std::int64_t i = 1; i <= 1000; ++i) // 100 a second
    window.add({i * kSecond / 100}, i);
  EXPECT_EQ(window.size(), 100);
  window.advance({10 * kSecond});
  EXPECT_EQ(window.percentile(0), 901.0);
  EXPECT_EQ(window.percentile(100), 1000.0);
  EXPECT_EQ(window.rate({0}, {10 * kSecond}), 100.0);
}

TEST(SlidingWindow, a_clock_that_went_back_makes_no_negative_latency) {
  SlidingWindow window({10 * kSecond});
  window.add({1}, -5);
  EXPECT_EQ(window.percentile(50), 0.0);
}

} // namespace
} // namespace prof
