// time_range.hpp: windows of the day in a time zone, for recordings of a region's peak.
#pragma once
#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace prof {

// From start to end, seconds of the day in `zone`; an end before the start lies on the next day.
struct TimeRange {
  std::int64_t start_s = 0, end_s = 0;
  std::string zone; // a name of the time zone database: "Asia/Shanghai"
  std::array<bool, 7> days{true, true, true, true, true, true, true}; // on which it begins, from Sunday
};
// "09:30-11:00@Asia/Shanghai", "Mon-Fri 22:00-02:00@Europe/Berlin", "Sat,Sun 10:00-12:00"; without a zone:
// UTC. Error: bad_argument.
[[nodiscard]] Result<TimeRange> parse_time_range(std::string_view text);
// The predefined peaks ("asia_peak", ...) as such a text; empty for any other name. docs/capture.md says why
// these hours.
[[nodiscard]] std::string_view predefined_range(std::string_view name);

struct WindowPlace {
  std::int64_t wait_s = 0; // until it begins; 0 inside
  std::int64_t left_s = 0; // until it ends, from its beginning or from now
};
// Where a second of the real-time clock lies: in the window of a day, or before the next one. Hours are those
// on the wall: where clocks go forward, a time that is left out is the moment of the change; where they go
// back, a time that comes twice is the first one. A window that this leaves empty is left out. Error:
// bad_argument for an unknown zone. Changes TZ of the process while it runs: not for threads.
[[nodiscard]] Result<WindowPlace> place_in_window(const TimeRange& range, std::int64_t realtime_s);

} // namespace prof
