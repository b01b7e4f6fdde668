#include "base/limit.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace prof {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

struct LimitUnit {
  std::string_view suffix;
  double scale;
  std::string_view unit;
};
constexpr auto kUnits = std::to_array<LimitUnit>({{"", 1, ""},
                                                  {"s", 1e9, "ns"},
                                                  {"ms", 1e6, "ns"},
                                                  {"us", 1e3, "ns"},
                                                  {"ns", 1, "ns"},
                                                  {"m", 6e10, "ns"},
                                                  {"min", 6e10, "ns"},
                                                  {"h", 3.6e12, "ns"},
                                                  {"%", 1, "percent"},
                                                  {"/s", 1, "1/s"},
                                                  {"1/s", 1, "1/s"},
                                                  {"rps", 1, "1/s"},
                                                  {"mW", 1e-3, "watt"},
                                                  {"W", 1, "watt"},
                                                  {"C", 1, "celsius"},
                                                  {"MHz", 1, "MHz"},
                                                  {"GHz", 1000, "MHz"},
                                                  {"B", 1, "bytes"},
                                                  {"KiB", 1024, "bytes"},
                                                  {"MiB", 1048576, "bytes"},
                                                  {"GiB", 1073741824, "bytes"},
                                                  {"kB", 1e3, "bytes"},
                                                  {"MB", 1e6, "bytes"},
                                                  {"GB", 1e9, "bytes"},
                                                  {"B/s", 1, "bytes/s"},
                                                  {"KiB/s", 1024, "bytes/s"},
                                                  {"MiB/s", 1048576, "bytes/s"},
                                                  {"GiB/s", 1073741824, "bytes/s"},
                                                  {"kB/s", 1e3, "bytes/s"},
                                                  {"MB/s", 1e6, "bytes/s"},
                                                  {"GB/s", 1e9, "bytes/s"}});

Error not_a_limit(std::string_view text) {
  return {Errc::bad_argument,
          fmt::format("'{}' is no threshold: write METRIC>VALUE, such as p99>2.0s or throughput<10", text),
          {}};
}

} // namespace

std::string full_metric_name(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kShort{"p50", "p90", "p95", "p99", "p999", "mean", "max"};
  if (std::ranges::find(kShort, name) != kShort.end()) return std::string(name) + "_latency";
  if (name == "avg") return "mean_latency";
  if (name == "p99.9") return "p999_latency";
  return std::string(name);
}

std::optional<Quantity> parse_quantity(std::string_view text) {
  text = trimmed(text);
  Quantity quantity;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), quantity.value);
  if (ec != std::errc{} || !std::isfinite(quantity.value)) return std::nullopt;
  const std::string_view suffix = trimmed({end, static_cast<std::size_t>(text.data() + text.size() - end)});
  const auto unit = std::ranges::find(kUnits, suffix, &LimitUnit::suffix);
  if (unit == kUnits.end()) return std::nullopt;
  quantity.unit = unit->unit;
  quantity.value *= unit->scale;
  return quantity;
}

Result<Limit> parse_limit(std::string_view text) {
  const auto at = text.find_first_of("<>");
  if (at == std::string_view::npos) return not_a_limit(text);
  const bool has_equal = at + 1 < text.size() && text[at + 1] == '=';
  Limit limit;
  limit.text = trimmed(text);
  limit.metric = full_metric_name(trimmed(text.substr(0, at)));
  limit.op = text.substr(at, has_equal ? 2 : 1);
  const auto quantity = parse_quantity(text.substr(at + limit.op.size()));
  if (limit.metric.empty() || !quantity) return not_a_limit(text);
  limit.unit = quantity->unit;
  limit.value = quantity->value;
  if (limit.unit.empty() && limit.metric.ends_with("_latency")) {
    limit.unit = "ns";
    limit.value *= 1e9;
  }
  return limit;
}

bool is_exceeded(const Limit& limit, double observed) {
  if (limit.op == ">") return observed > limit.value;
  if (limit.op == ">=") return observed >= limit.value;
  if (limit.op == "<") return observed < limit.value;
  return observed <= limit.value;
}

} // namespace prof
