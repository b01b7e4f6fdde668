// problem.hpp: what a user may complain about, and the limit that says whether there is a problem at all.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// Which requests a problem is about: the slowest 5 %, all of them, or whichever shows the larger share.
enum class Band : std::uint8_t { slow, all, larger };

struct Problem {
  std::string_view id;     // "high_p99_latency"; its text is "diagnose.problem.<id>"
  std::string_view metric; // what it is measured by; empty for auto
  Band band = Band::all;
  std::vector<std::vector<std::string>> needs; // any-of groups of signals, as in rules
};
// In the order of CLI.md.
[[nodiscard]] std::span<const Problem> all_problems();
// Error bad_argument lists all and names the nearest.
[[nodiscard]] Result<Problem> find_problem(std::string_view id);

// "p99>2.0s", "mean >= 300ms", "throughput<10", "rss>2GiB".
struct Limit {
  std::string text;
  std::string metric; // "p99_latency", "throughput", "rss" ...: short names are completed
  std::string op;     // > >= < <=
  double value = 0;   // ns for durations, bytes for sizes, else as written
  std::string unit;   // "ns", "bytes", "percent" or empty
};
// Error bad_argument says what a threshold looks like.
[[nodiscard]] Result<Limit> parse_limit(std::string_view text);
// Does `observed` break the limit?
[[nodiscard]] bool is_exceeded(const Limit& limit, double observed);

} // namespace prof
