// request_accounting.hpp: shares of the exclusive accounting (store/request_time.hpp has the sweep itself and
// its classes).
#pragma once
#include "store/request_time.hpp"

#include <array>
#include <cstdint>

namespace prof {

// Over the requests that were recorded to their end. Each array sums to 1 (all zero when there are none);
// `slow` = the slowest 5 %, at least one.
struct AccountingShares {
  std::string_view unit; // "request" | "run" | "iteration"
  std::int64_t n = 0;
  std::int64_t n_slow = 0;
  std::array<double, kTimeClasses> all{}, slow{};
};
[[nodiscard]] AccountingShares accounting_shares(const RequestTime& time);

} // namespace prof
