#include "capture/time_range.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace prof {
namespace {

constexpr std::int64_t kHour = 3'600, kDay = 86'400;
constexpr std::int64_t kNoonUtc = 1'700'049'600; // Wednesday 2023-11-15 12:00:00 UTC

WindowPlace place(std::string_view text, std::int64_t realtime_s) {
  const auto range = parse_time_range(text);
  EXPECT_TRUE(range) << text;
  if (!range) return {};
  const auto found = place_in_window(*range, realtime_s);
  EXPECT_TRUE(found) << text;
  return found ? *found : WindowPlace{};
}

TEST(TimeRanges, hours_and_zone_are_read) {
  const auto range = parse_time_range("09:30-11:00@Asia/Shanghai");
  ASSERT_TRUE(range) << range.error().what;
  EXPECT_EQ(range->start_s, 34'200);
  EXPECT_EQ(range->end_s, 39'600);
  EXPECT_EQ(range->zone, "Asia/Shanghai");
  EXPECT_EQ(range->days, (std::array<bool, 7>{true, true, true, true, true, true, true}));
  EXPECT_EQ(parse_time_range("22:00-24:00")->zone, "UTC");
}

TEST(TimeRanges, days_are_names_lists_and_spans_that_may_go_over_the_weekend) {
  using Days = std::array<bool, 7>;
  EXPECT_EQ(parse_time_range("Mon-Fri 09:30-11:00@UTC")->days,
            (Days{false, true, true, true, true, true, false}));
  EXPECT_EQ(parse_time_range("Sat,Sun 09:30-11:00")->days,
            (Days{true, false, false, false, false, false, true}));
  EXPECT_EQ(parse_time_range("Fri-Mon,Wed 09:30-11:00")->days,
            (Days{true, true, false, true, false, true, true}));
  EXPECT_EQ(parse_time_range("Tue 09:30-11:00")->days,
            (Days{false, false, true, false, false, false, false}));
}

TEST(TimeRanges, what_is_no_range_is_refused) {
  for (const char* text : {"",
                           "asia",
                           "9:30-11:00@UTC",
                           "09:30-11:00@",
                           "09:30-11:00@No/Where",
                           "09:30-11:00@../../etc/passwd",
                           "25:00-26:00@UTC",
                           "10:60-11:00@UTC",
                           "10:00-10:00@UTC",
                           "10:00~11:00@UTC",
                           "10:00-11:00@/etc/passwd",
                           "Mo 10:00-11:00",
                           "mon 10:00-11:00",
                           "Mon- 10:00-11:00",
                           "Mon,, 10:00-11:00",
                           " 10:00-11:00",
                           "Mon-Fri",
                           "Mon-Fri  10:00-11:00",
                           "Mon-Tue-Wed 10:00-11:00",
                           "10:00-12:00@zone.tab",
                           "10:00-12:00@zone1970.tab",
                           "10:00-12:00@tzdata.zi",
                           "10:00-12:00@leap-seconds.list",
                           "10:00-12:00@Europe"})
    EXPECT_FALSE(parse_time_range(text)) << text;
}

TEST(TimeRanges, before_the_window_it_waits_and_inside_it_takes_the_rest) {
  const std::int64_t day = kNoonUtc - 12 * kHour;
  EXPECT_EQ(place("10:00-12:00@UTC", day + 35'990).wait_s, 10);
  EXPECT_EQ(place("10:00-12:00@UTC", day + 35'990).left_s, 7'200);
  EXPECT_EQ(place("10:00-12:00@UTC", day + 36'000).wait_s, 0);
  EXPECT_EQ(place("10:00-12:00@UTC", day + 43'199).left_s, 1);
  EXPECT_EQ(place("10:00-12:00@UTC", day + 43'200).wait_s, 86'400 - 7'200);
}

TEST(TimeRanges, a_window_may_cross_midnight_or_be_the_whole_day) {
  const std::int64_t day = kNoonUtc - 12 * kHour;
  EXPECT_EQ(place("23:00-01:00@UTC", day).left_s, 3'600);
  EXPECT_EQ(place("23:00-01:00@UTC", day + 82'800).left_s, 7'200);
  EXPECT_EQ(place("23:00-01:00@UTC", day + 3'600).wait_s, 79'200);
  EXPECT_EQ(place("00:00-24:00@UTC", day + 7).wait_s, 0);
  EXPECT_EQ(place("00:00-24:00@UTC", day + 7).left_s, kDay - 7);
}

TEST(TimeRanges, a_day_is_that_on_which_the_window_begins) {
  const std::int64_t wednesday = kNoonUtc - 12 * kHour;
  EXPECT_EQ(place("Mon-Fri 10:00-12:00@UTC", wednesday).wait_s, 10 * kHour);
  EXPECT_EQ(place("Mon-Tue 10:00-12:00@UTC", wednesday).wait_s, 5 * kDay + 10 * kHour); // on Monday
  EXPECT_EQ(place("Wed 10:00-12:00@UTC", wednesday + 12 * kHour).wait_s, 7 * kDay - 2 * kHour);
  EXPECT_EQ(place("Tue 23:00-01:00@UTC", wednesday).left_s, kHour); // began on Tuesday
  EXPECT_EQ(place("Wed 23:00-01:00@UTC", wednesday).wait_s, 23 * kHour);
}

TEST(TimeRanges, zones_have_their_own_day) {
  EXPECT_EQ(place("20:00-21:00@Asia/Shanghai", kNoonUtc).left_s, kHour); // 20:00 there
  EXPECT_EQ(place("07:00-08:00@America/New_York", kNoonUtc).left_s, kHour);
  EXPECT_EQ(place("17:30-18:00@Asia/Kolkata", kNoonUtc).left_s, kHour / 2);
  // 02:00 of Thursday in Kiritimati (UTC+14), 01:00 of Wednesday in Pago Pago (UTC-11).
  EXPECT_EQ(place("Thu 02:00-03:00@Pacific/Kiritimati", kNoonUtc).wait_s, 0);
  EXPECT_EQ(place("Wed 01:00-02:00@Pacific/Pago_Pago", kNoonUtc).wait_s, 0);
  EXPECT_FALSE(place_in_window({.start_s = 0, .end_s = 1, .zone = "No/Where"}, kNoonUtc));
}

// 2026-03-29: at 01:00 UTC the clocks of Berlin go from 02:00 to 03:00.
constexpr std::int64_t kSpring = 1'774'742'400; // that day, 00:00 UTC = 01:00 there
TEST(TimeRanges, where_clocks_go_forward_a_window_is_as_long_as_the_wall_says) {
  EXPECT_EQ(place("01:00-04:00@Europe/Berlin", kSpring).left_s, 2 * kHour);
  EXPECT_EQ(place("01:00-04:00@Europe/Berlin", kSpring + kHour).left_s, kHour);
  EXPECT_EQ(place("10:00-12:00@Europe/Berlin", kSpring).wait_s, 8 * kHour); // at 08:00 UTC, not 09:00
  EXPECT_EQ(place("10:00-12:00@Europe/Berlin", kSpring - kDay).wait_s, 9 * kHour);
}

TEST(TimeRanges, an_hour_that_does_not_exist_is_the_moment_of_the_change) {
  EXPECT_EQ(place("02:30-04:00@Europe/Berlin", kSpring).wait_s, kHour); // 03:00 there
  EXPECT_EQ(place("02:30-04:00@Europe/Berlin", kSpring).left_s, kHour);
  EXPECT_EQ(place("01:00-02:30@Europe/Berlin", kSpring).left_s, kHour);
  // Nothing is left of this one that day: the next is tomorrow's, at 00:15 UTC of the 30th.
  EXPECT_EQ(place("02:15-02:45@Europe/Berlin", kSpring).wait_s, kDay + kHour / 4);
  EXPECT_EQ(place("02:15-02:45@Europe/Berlin", kSpring).left_s, kHour / 2);
}

// 2026-10-25: at 01:00 UTC the clocks of Berlin go from 03:00 back to 02:00.
constexpr std::int64_t kAutumn = 1'792'886'400; // that day, 00:00 UTC = 02:00 there
TEST(TimeRanges, where_clocks_go_back_a_time_that_comes_twice_is_the_first_one) {
  EXPECT_EQ(place("01:00-04:00@Europe/Berlin", kAutumn - kHour).left_s, 4 * kHour);
  EXPECT_EQ(place("02:30-04:00@Europe/Berlin", kAutumn).wait_s, kHour / 2);
  EXPECT_EQ(place("02:30-04:00@Europe/Berlin", kAutumn).left_s, 2 * kHour + kHour / 2);
  EXPECT_EQ(place("02:00-02:30@Europe/Berlin", kAutumn).left_s, kHour / 2);
  // At the second 02:10 of the day its window is over.
  EXPECT_EQ(place("02:00-02:30@Europe/Berlin", kAutumn + kHour + 600).wait_s, kDay - 600);
  EXPECT_EQ(place("10:00-12:00@Europe/Berlin", kAutumn).wait_s, 9 * kHour);
}

TEST(TimeRanges, other_changes_are_those_of_the_zone) {
  // America/New_York, 2026-11-01: 02:00 EDT = 06:00 UTC becomes 01:00 EST.
  constexpr std::int64_t kNewYork = 1'793'491'200; // 00:00 UTC = 20:00 of the day before
  EXPECT_EQ(place("00:00-12:00@America/New_York", kNewYork + 4 * kHour).left_s, 13 * kHour);
  EXPECT_EQ(place("22:00-02:00@America/New_York", kNewYork + 2 * kHour).left_s, 5 * kHour);
  // Australia/Lord_Howe, 2026-04-05: half an hour, 02:00 becomes 01:30 at 15:00 UTC of the 4th.
  constexpr std::int64_t kLordHowe = 1'775'260'800; // 2026-04-04 00:00 UTC
  EXPECT_EQ(place("01:00-03:00@Australia/Lord_Howe", kLordHowe + 14 * kHour).left_s, 2 * kHour + kHour / 2);
  // Pacific/Apia went from the 29th to the 31st of December 2011, a Friday was left out.
  constexpr std::int64_t kApia = 1'325'203'200; // 2011-12-30 00:00 UTC = 14:00 of Thursday the 29th
  EXPECT_EQ(place("Fri 10:00-12:00@Pacific/Apia", kApia).wait_s, 10 * kHour + 6 * kDay + 10 * kHour);
  EXPECT_EQ(place("Sat 10:00-12:00@Pacific/Apia", kApia).wait_s, 20 * kHour);
}

TEST(TimeRanges, the_zone_of_the_process_stays_as_it_was) {
  ::setenv("TZ", "Asia/Tokyo", 1);
  EXPECT_EQ(place("07:00-08:00@America/New_York", kNoonUtc).wait_s, 0);
  EXPECT_STREQ(std::getenv("TZ"), "Asia/Tokyo");
  ::unsetenv("TZ");
  EXPECT_EQ(place("07:00-08:00@America/New_York", kNoonUtc).wait_s, 0);
  EXPECT_EQ(std::getenv("TZ"), nullptr);
}

TEST(TimeRanges, the_three_peaks_are_predefined_and_valid) {
  for (const char* name : {"asia_peak", "europe_peak", "americas_peak"})
    EXPECT_TRUE(parse_time_range(predefined_range(name))) << name;
  EXPECT_EQ(place(predefined_range("asia_peak"), kNoonUtc).wait_s, 14 * kHour);    // 02:00 UTC
  EXPECT_EQ(place(predefined_range("europe_peak"), kNoonUtc).wait_s, 21 * kHour);  // 09:00 UTC
  EXPECT_EQ(place(predefined_range("americas_peak"), kNoonUtc).wait_s, 3 * kHour); // 15:00 UTC
  EXPECT_TRUE(predefined_range("moon_peak").empty());
}

} // namespace
} // namespace prof
