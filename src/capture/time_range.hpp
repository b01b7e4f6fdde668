// time_range.hpp: windows of the day in a time zone, for recordings of a region's peak.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace prof {

// From start to end, seconds of the day in `zone`; an end before the start lies on the next day.
struct TimeRange {
  std::int64_t start_s = 0, end_s = 0;
  std::string zone; // a name of the time zone database: "Asia/Shanghai"
};
// "09:30-11:00@Asia/Shanghai"; without a zone: UTC. Error: bad_argument.
[[nodiscard]] Result<TimeRange> parse_time_range(std::string_view text);
// The predefined peaks ("asia_peak", ...) as such a text; empty for any other name. docs/capture.md says why
// these hours.
[[nodiscard]] std::string_view predefined_range(std::string_view name);

struct WindowPlace {
  std::int64_t wait_s = 0; // until it begins; 0 inside
  std::int64_t left_s = 0; // until it ends, from its beginning or from now
};
// Where a second of the day lies. Days have 86400 s: a change of daylight saving time shifts one window by an
// hour.
[[nodiscard]] WindowPlace place_in_window(const TimeRange& range, std::int64_t second_of_day);
// The second of the day it is in `zone` at a time of the real-time clock. Error: bad_argument for an unknown
// zone. Changes TZ of the process while it runs: not for threads.
[[nodiscard]] Result<std::int64_t> second_of_day(const std::string& zone, std::int64_t realtime_s);

} // namespace prof
