#include "metrics/request_accounting.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace prof {
namespace {

std::array<double, kTimeClasses> shares_of(const RequestTime& time, std::span<const std::uint32_t> units) {
  std::array<double, kTimeClasses> sum{};
  double total = 0;
  for (const std::uint32_t unit : units) {
    for (std::size_t c = 0; c < kTimeClasses; ++c)
      sum[c] += static_cast<double>(time.ns[unit][c]);
    total += static_cast<double>(time.unit.dur[unit]);
  }
  for (double& share : sum)
    share = total > 0 ? share / total : 0;
  return sum;
}

} // namespace

AccountingShares accounting_shares(const RequestTime& time) {
  std::vector<std::uint32_t> units(time.unit.slice.size());
  std::iota(units.begin(), units.end(), 0U);
  std::erase_if(units, [&](std::uint32_t unit) { return !time.unit.is_complete[unit]; });
  AccountingShares out{.unit = time.unit.kind,
                       .n = static_cast<std::int64_t>(units.size()),
                       .n_slow = 0,
                       .all = shares_of(time, units),
                       .slow = {}};
  if (units.empty()) return out;
  std::ranges::stable_sort(units, std::ranges::greater{},
                           [&](std::uint32_t unit) { return time.unit.dur[unit]; });
  const std::size_t slow = std::max<std::size_t>(1, (units.size() + 19) / 20);
  out.n_slow = static_cast<std::int64_t>(slow);
  out.slow = shares_of(time, std::span(units).first(slow));
  return out;
}

} // namespace prof
