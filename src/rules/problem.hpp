// problem.hpp: what a user may complain about, and the limit that says whether there is a problem at all.
#pragma once
#include "base/limit.hpp"
#include "base/result.hpp"

#include <cstdint>
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

} // namespace prof
