#include "rules/problem.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace prof {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

// Edits (insert, delete, replace) between two short words.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

struct LimitUnit {
  std::string_view suffix;
  double scale;
  std::string_view unit;
};
constexpr std::array<LimitUnit, 15> kUnits{{{"", 1, ""},
                                            {"s", 1e9, "ns"},
                                            {"ms", 1e6, "ns"},
                                            {"us", 1e3, "ns"},
                                            {"ns", 1, "ns"},
                                            {"min", 6e10, "ns"},
                                            {"%", 1, "percent"},
                                            {"/s", 1, "1/s"},
                                            {"1/s", 1, "1/s"},
                                            {"rps", 1, "1/s"},
                                            {"W", 1, "watt"},
                                            {"KiB", 1024, "bytes"},
                                            {"MiB", 1048576, "bytes"},
                                            {"GiB", 1073741824, "bytes"},
                                            {"B", 1, "bytes"}}};

Error not_a_limit(std::string_view text) {
  return {Errc::bad_argument,
          fmt::format("'{}' is no threshold: write METRIC>VALUE, such as p99>2.0s or throughput<10", text),
          {}};
}

std::string full_metric_name(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kShort{"p50", "p90", "p95", "p99", "p999", "mean", "max"};
  if (std::ranges::find(kShort, name) != kShort.end()) return std::string(name) + "_latency";
  if (name == "avg") return "mean_latency";
  if (name == "p99.9") return "p999_latency";
  return std::string(name);
}

} // namespace

std::span<const Problem> all_problems() {
  static const std::array<Problem, 8> kAll{{
      {"high_p99_latency", "p99_latency", Band::slow, {{"requests", "units"}}},
      {"high_latency", "mean_latency", Band::all, {{"requests", "units", "kernels"}}},
      {"low_throughput", "throughput", Band::all, {{"requests", "units", "kernels"}}},
      {"low_device_util", "device_util", Band::all, {{"kernels"}}},
      {"high_power_consumption", "power", Band::all, {{"power"}}},
      {"high_memory", "rss", Band::all, {{"rss", "heap"}}},
      {"instability", "p99_latency", Band::slow, {{"requests", "units"}}},
      {"auto", "", Band::larger, {{"requests", "units", "kernels"}}},
  }};
  return kAll;
}

Result<Problem> find_problem(std::string_view id) {
  const Problem* near = nullptr;
  std::size_t best = std::max<std::size_t>(2, id.size() / 3) + 1;
  std::string names;
  for (const Problem& problem : all_problems()) {
    if (problem.id == id) return problem;
    names += (names.empty() ? "" : ", ") + std::string(problem.id);
    if (const std::size_t d = distance(id, problem.id); d < best) best = d, near = &problem;
  }
  std::string what = fmt::format("unknown problem '{}'", id);
  if (near != nullptr) what += fmt::format(", did you mean '{}'?", near->id);
  return Error{Errc::bad_argument, what + "; known are " + names, {}};
}

Result<Limit> parse_limit(std::string_view text) {
  const auto at = text.find_first_of("<>");
  if (at == std::string_view::npos) return not_a_limit(text);
  const bool has_equal = at + 1 < text.size() && text[at + 1] == '=';
  Limit limit;
  limit.text = trimmed(text);
  limit.metric = full_metric_name(trimmed(text.substr(0, at)));
  limit.op = text.substr(at, has_equal ? 2 : 1);
  const std::string_view value = trimmed(text.substr(at + limit.op.size()));
  const auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), limit.value);
  if (ec != std::errc{} || limit.metric.empty() || !std::isfinite(limit.value)) return not_a_limit(text);
  const std::string_view suffix = trimmed({end, static_cast<std::size_t>(value.data() + value.size() - end)});
  const auto unit = std::ranges::find(kUnits, suffix, &LimitUnit::suffix);
  if (unit == kUnits.end()) return not_a_limit(text);
  limit.unit = unit->unit;
  limit.value *= unit->scale;
  if (limit.unit.empty() &&
      limit.metric.ends_with("_latency")) { // a bare number of seconds, as --duration reads it
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
