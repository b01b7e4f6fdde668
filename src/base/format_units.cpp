#include "base/format_units.hpp"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace prof {
namespace {

// The borders are those of the rounded figure: 99.96 is 100, and 999.7 us is 1.00 ms.
constexpr double kNextUnit = 999.5;

std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

} // namespace

std::string format_number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double size = std::fabs(value);
  if (value == 0) return "0";
  if (size >= 1e6 || size < 1e-3) return fmt::format("{:.3g}", value);
  if (size < 1) return fmt::format("{:.3g}", value);
  if (value == std::floor(value)) return fmt::format("{:.0f}", value);
  return three_digits(value);
}

std::string format_dur(Dur dur) {
  const auto ns = static_cast<double>(dur.ns);
  const double size = std::fabs(ns);
  if (size < 1e3) return fmt::format("{:.0f} ns", ns);
  if (size < kNextUnit * 1e3) return three_digits(ns / 1e3) + " us";
  if (size < kNextUnit * 1e6) return three_digits(ns / 1e6) + " ms";
  return three_digits(ns / 1e9) + " s";
}

std::string format_bytes(Bytes bytes) {
  static constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes.n);
  std::size_t unit = 0;
  while (std::fabs(value) >= (unit == 0 ? 1024 : 1023.5) && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes.n) : three_digits(value) + " " + std::string(kUnits[unit]);
}

std::string format_value(double value, std::string_view unit) {
  if (unit == "ns" && std::fabs(value) < 9e18) return format_dur(Dur{std::llround(value)});
  if (unit == "bytes" && std::fabs(value) < 9e18) return format_bytes(Bytes{std::llround(value)});
  if (unit == "bytes/s" && std::fabs(value) < 9e18) return format_bytes(Bytes{std::llround(value)}) + "/s";
  if (unit == "percent") return format_number(value) + " %";
  if (unit == "1/s") return format_number(value) + " /s";
  if (unit.empty()) return format_number(value);
  return format_number(value) + " " + std::string(unit);
}

std::string format_share(double share) {
  return format_value(share * 100, "percent");
}

} // namespace prof
