// one_job.hpp: which recordings of a folder belong together: ranks of one job have a number each and are
// recorded during the same steps.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace prof {

inline constexpr std::int64_t kMostApartNs =
    std::int64_t{3600} * 1'000'000'000; // clocks of hosts differ by less

struct RankClaim {
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> at_ns; // some instant of its recording, on the clock of the day
};

[[nodiscard]] inline bool are_of_one_job(const std::vector<RankClaim>& ranks) {
  std::set<std::int64_t> numbers;
  std::optional<std::int64_t> first, last;
  for (const RankClaim& claim : ranks) {
    if (claim.rank && !numbers.insert(*claim.rank).second) return false;
    if (!claim.at_ns) continue;
    first = std::min(first.value_or(*claim.at_ns), *claim.at_ns);
    last = std::max(last.value_or(*claim.at_ns), *claim.at_ns);
  }
  return !first || *last / 2 - *first / 2 <= kMostApartNs / 2; // halves: hostile numbers do not overflow
}

// Merged they would make a trace of months with the work of strangers side by side.
[[nodiscard]] inline Error not_one_job(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names)
    list += (list.empty() ? "" : ", ") + name;
  return error_said(Errc::bad_argument, "error.not_one_job", {}, fmt::arg("n", names.size()),
                    fmt::arg("list", list));
}

} // namespace prof
