#include "capture/time_range.hpp"

#include "base/lang.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <utility>

namespace prof {
namespace {

constexpr std::int64_t kDay = 86'400;

// "09:30" -> seconds, -1 when it is none.
std::int64_t parse_clock(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return -1;
  for (const std::size_t i : {0U, 1U, 3U, 4U})
    if (text[i] < '0' || text[i] > '9') return -1;
  const int hour = (text[0] - '0') * 10 + text[1] - '0', minute = (text[3] - '0') * 10 + text[4] - '0';
  if (hour > 24 || minute > 59 || (hour == 24 && minute > 0)) return -1;
  return (hour * 60 + minute) * 60;
}

bool is_zone(const std::string& zone) {
  if (zone == "UTC") return true;
  if (zone.empty() || zone.front() == '/' || zone.find("..") != std::string::npos) return false;
  // Lists of zones lie beside them: the C library takes what is none for UTC.
  constexpr std::string_view kMagic = "TZif"; // RFC 8536, 3.1
  const auto path = std::filesystem::path("/usr/share/zoneinfo") / zone;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::array<char, kMagic.size()> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == kMagic;
}

// Local time of a zone, for as long as it lives.
class ZoneClock {
public:
  explicit ZoneClock(const std::string& zone) {
    if (const char* before = std::getenv("TZ"); before != nullptr) before_ = before;
    ::setenv("TZ", zone.c_str(), 1);
    ::tzset();
  }
  ZoneClock(const ZoneClock&) = delete;
  ZoneClock& operator=(const ZoneClock&) = delete;
  ~ZoneClock() {
    if (before_)
      ::setenv("TZ", before_->c_str(), 1);
    else
      ::unsetenv("TZ");
    ::tzset();
  }
  // What the clock on the wall shows, in seconds since 1970-01-01 00:00 of that wall.
  [[nodiscard]] std::int64_t wall(std::int64_t realtime_s) const { return realtime_s + offset(realtime_s); }
  // The first second at which the wall shows `wall_s` or more.
  [[nodiscard]] std::int64_t first_at(std::int64_t wall_s) const {
    std::int64_t low = wall_s - kDay, high = wall_s + kDay; // no zone is further from UTC
    const std::int64_t before = offset(low), after = offset(high);
    if (before == after) return wall_s - before;
    while (high - low > 1) { // the second of the change
      const std::int64_t middle = low + (high - low) / 2;
      (offset(middle) == before ? low : high) = middle;
    }
    return wall_s - before < high ? wall_s - before : std::max(high, wall_s - after);
  }

private:
  [[nodiscard]] static std::int64_t offset(std::int64_t realtime_s) {
    const std::time_t when = realtime_s;
    std::tm local{};
    ::localtime_r(&when, &local);
    return local.tm_gmtoff;
  }
  std::optional<std::string> before_;
};

constexpr std::array<std::string_view, 7> kDayNames{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

std::size_t parse_day(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find(kDayNames, text) - kDayNames.begin());
}

// "Mon-Fri", "Sat,Sun", "Fri-Mon".
bool parse_days(std::string_view text, std::array<bool, 7>& days) {
  days.fill(false);
  while (true) {
    const auto comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const auto dash = std::min(part.find('-'), part.size());
    const std::size_t from = parse_day(part.substr(0, dash));
    const std::size_t to = dash < part.size() ? parse_day(part.substr(dash + 1)) : from;
    if (from >= 7 || to >= 7) return false;
    for (std::size_t day = from;; day = (day + 1) % 7) {
      days[day] = true;
      if (day == to) break;
    }
    if (comma == text.size()) return true;
    text.remove_prefix(comma + 1);
  }
}

} // namespace

Result<TimeRange> parse_time_range(std::string_view text) {
  TimeRange range{.zone = "UTC"};
  const auto at = text.find('@');
  if (at != std::string_view::npos) range.zone = text.substr(at + 1);
  std::string_view hours = text.substr(0, at);
  bool has_days = true;
  if (const auto space = hours.find(' '); space != std::string_view::npos) {
    has_days = parse_days(hours.substr(0, space), range.days);
    hours.remove_prefix(space + 1);
  }
  if (has_days && hours.size() == 11 && hours[5] == '-') {
    range.start_s = parse_clock(hours.substr(0, 5));
    range.end_s = parse_clock(hours.substr(6));
    if (range.start_s >= 0 && range.end_s >= 0 && range.start_s != range.end_s && is_zone(range.zone))
      return range;
  }
  return error_said(Errc::bad_argument, "error.time_range", {}, fmt::arg("text", text));
}

std::string_view predefined_range(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPeaks{
      {{"asia_peak", "10:00-12:00@Asia/Shanghai"},
       {"europe_peak", "10:00-12:00@Europe/Berlin"},
       {"americas_peak", "10:00-12:00@America/New_York"}}};
  for (const auto& [peak, hours] : kPeaks)
    if (peak == name) return hours;
  return {};
}

Result<WindowPlace> place_in_window(const TimeRange& range, std::int64_t realtime_s) {
  if (!is_zone(range.zone))
    return error_said(Errc::bad_argument, "error.time_zone", {}, fmt::arg("zone", range.zone));
  const ZoneClock clock(range.zone);
  const std::int64_t wall = clock.wall(realtime_s);
  const std::int64_t today = (wall >= 0 ? wall : wall - kDay + 1) / kDay;
  // Yesterday's may still go on; a week and a day ahead every day that it may begin on has come.
  for (std::int64_t day = today - 1; day <= today + 8; ++day) {
    const std::int64_t weekday = (day % 7 + 7 + 4) % 7; // 1970-01-01 was a Thursday
    if (!range.days[static_cast<std::size_t>(weekday)]) continue;
    const std::int64_t begin = clock.first_at(day * kDay + range.start_s);
    const std::int64_t end =
        clock.first_at(day * kDay + range.end_s + (range.end_s > range.start_s ? 0 : kDay));
    if (end <= realtime_s || end <= begin) continue;
    if (begin <= realtime_s) return WindowPlace{.wait_s = 0, .left_s = end - realtime_s};
    return WindowPlace{.wait_s = begin - realtime_s, .left_s = end - begin};
  }
  return error_said(Errc::bad_argument, "error.time_range_never", {});
}

} // namespace prof
