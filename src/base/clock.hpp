// clock.hpp: the machine's clocks. The trace clock of a live capture is CLOCK_MONOTONIC in ns.
#pragma once
#include "base/units.hpp"

#include <ctime>

namespace prof {

[[nodiscard]] inline std::int64_t clock_ns(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}
[[nodiscard]] inline Ts now_monotonic() {
  return {clock_ns(CLOCK_MONOTONIC)};
}

} // namespace prof
