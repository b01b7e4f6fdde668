#include "capture/time_range.hpp"

#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
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
  std::error_code ignored;
  return std::filesystem::is_regular_file(std::filesystem::path("/usr/share/zoneinfo") / zone, ignored);
}

} // namespace

Result<TimeRange> parse_time_range(std::string_view text) {
  TimeRange range{.zone = "UTC"};
  const auto at = text.find('@');
  if (at != std::string_view::npos) range.zone = text.substr(at + 1);
  const std::string_view hours = text.substr(0, at);
  if (hours.size() == 11 && hours[5] == '-') {
    range.start_s = parse_clock(hours.substr(0, 5));
    range.end_s = parse_clock(hours.substr(6));
    if (range.start_s >= 0 && range.end_s >= 0 && range.start_s != range.end_s && is_zone(range.zone))
      return range;
  }
  return Error{
      Errc::bad_argument,
      fmt::format("'{}' is no time range: write HH:MM-HH:MM@Zone, as 09:30-11:00@Asia/Shanghai", text),
      {}};
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

WindowPlace place_in_window(const TimeRange& range, std::int64_t second) {
  const std::int64_t length = (range.end_s - range.start_s + kDay) % kDay;
  const std::int64_t since = (second - range.start_s + kDay) % kDay;
  if (since < length) return {.wait_s = 0, .left_s = length - since};
  return {.wait_s = kDay - since, .left_s = length};
}

Result<std::int64_t> second_of_day(const std::string& zone, std::int64_t realtime_s) {
  if (!is_zone(zone))
    return Error{Errc::bad_argument,
                 fmt::format("no time zone '{}' in /usr/share/zoneinfo (package tzdata)", zone),
                 {}};
  const char* before = std::getenv("TZ");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TZ", zone.c_str(), 1);
  ::tzset();
  const std::time_t when = realtime_s;
  std::tm local{};
  ::localtime_r(&when, &local);
  if (before != nullptr)
    ::setenv("TZ", kept.c_str(), 1);
  else
    ::unsetenv("TZ");
  ::tzset();
  return std::int64_t{local.tm_hour} * 3600 + local.tm_min * 60 + local.tm_sec;
}

} // namespace prof
