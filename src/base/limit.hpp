// limit.hpp: "p99>2.0s": a metric, how it compares and a value with a unit, as thresholds and triggers are
// written.
#pragma once
#include "base/result.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace prof {

// "p99>2.0s", "mean >= 300ms", "throughput<10", "rss>2GiB".
struct Limit {
  std::string text;
  std::string metric; // "p99_latency", "throughput", "rss" ...: short names are completed
  std::string op;     // > >= < <=
  double value = 0;   // ns for durations, bytes for sizes, else in the unit of the catalogue
  std::string unit;   // as in the metric catalogue ("ns", "bytes", "percent"); empty: a bare number
};
// "p99" -> "p99_latency", "avg" -> "mean_latency"; any other name comes back as it is.
[[nodiscard]] std::string full_metric_name(std::string_view name);
// Error bad_argument says what a threshold looks like. A bare number for a latency is one of seconds, as
// --duration reads it.
[[nodiscard]] Result<Limit> parse_limit(std::string_view text);
// Does `observed` break the limit?
[[nodiscard]] bool is_exceeded(const Limit& limit, double observed);

// "200ms", "1.5 GiB", "12": the number in the unit of the catalogue. None for what is no number, an unknown
// unit, or a number that is not finite.
struct Quantity {
  double value = 0;
  std::string_view unit; // lives for the whole program; empty: a bare number
};
[[nodiscard]] std::optional<Quantity> parse_quantity(std::string_view text);

} // namespace prof
