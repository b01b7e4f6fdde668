#include "capture/time_range.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

TEST(TimeRanges, hours_and_zone_are_read) {
  const auto range = parse_time_range("09:30-11:00@Asia/Shanghai");
  ASSERT_TRUE(range) << range.error().what;
  EXPECT_EQ(range->start_s, 34'200);
  EXPECT_EQ(range->end_s, 39'600);
  EXPECT_EQ(range->zone, "Asia/Shanghai");
  EXPECT_EQ(parse_time_range("22:00-24:00")->zone, "UTC");
}

TEST(TimeRanges, what_is_no_range_is_refused) {
  for (const char* text : {"", "asia", "9:30-11:00@UTC", "09:30-11:00@", "09:30-11:00@No/Where",
                           "09:30-11:00@../../etc/passwd", "25:00-26:00@UTC", "10:60-11:00@UTC",
                           "10:00-10:00@UTC", "10:00~11:00@UTC", "10:00-11:00@/etc/passwd"})
    EXPECT_FALSE(parse_time_range(text)) << text;
}

TEST(TimeRanges, before_the_window_it_waits_and_inside_it_takes_the_rest) {
  const TimeRange range{.start_s = 36'000, .end_s = 43'200, .zone = "UTC"};
  EXPECT_EQ(place_in_window(range, 35'990).wait_s, 10);
  EXPECT_EQ(place_in_window(range, 35'990).left_s, 7'200);
  EXPECT_EQ(place_in_window(range, 36'000).wait_s, 0);
  EXPECT_EQ(place_in_window(range, 43'199).left_s, 1);
  EXPECT_EQ(place_in_window(range, 43'200).wait_s, 86'400 - 7'200);
}

TEST(TimeRanges, a_window_may_cross_midnight) {
  const TimeRange range{.start_s = 82'800, .end_s = 3'600, .zone = "UTC"}; // 23:00-01:00
  EXPECT_EQ(place_in_window(range, 0).left_s, 3'600);
  EXPECT_EQ(place_in_window(range, 82'800).left_s, 7'200);
  EXPECT_EQ(place_in_window(range, 3'600).wait_s, 79'200);
}

TEST(TimeRanges, zones_have_their_own_day) {
  constexpr std::int64_t kNoonUtc = 1'700'049'600; // 2023-11-15 12:00:00 UTC
  EXPECT_EQ(*second_of_day("UTC", kNoonUtc), 43'200);
  EXPECT_EQ(*second_of_day("Asia/Shanghai", kNoonUtc), 72'000);
  EXPECT_EQ(*second_of_day("America/New_York", kNoonUtc), 25'200);
  EXPECT_FALSE(second_of_day("No/Where", kNoonUtc));
}

TEST(TimeRanges, the_three_peaks_are_predefined_and_valid) {
  for (const char* name : {"asia_peak", "europe_peak", "americas_peak"})
    EXPECT_TRUE(parse_time_range(predefined_range(name))) << name;
  EXPECT_TRUE(predefined_range("moon_peak").empty());
}

} // namespace
} // namespace prof
