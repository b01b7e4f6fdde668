// ticks.hpp: the SDK's clock: the time-stamp counter where the kernel trusts it, else CLOCK_MONOTONIC in ns.
#pragma once
#include "sdk/ring_layout.hpp"

#include <cstdint>
#include <ctime>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace prof::sdk {

[[nodiscard]] inline std::int64_t monotonic_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

[[nodiscard]] inline std::uint64_t read_ticks(ClockKind kind) {
#if defined(__x86_64__)
  if (kind == ClockKind::tsc) return __rdtsc();
#endif
  (void)kind;
  return static_cast<std::uint64_t>(monotonic_ns());
}

// One moment on both clocks. Of several tries the one with the shortest window is kept (about 30 ns wide).
struct ClockPair {
  std::uint64_t ticks = 0;
  std::int64_t ns = 0;
};
[[nodiscard]] inline ClockPair read_clock_pair(ClockKind kind) {
  ClockPair best;
  std::uint64_t shortest = ~0ull;
  for (int tries = 0; tries < 8; ++tries) {
    const std::uint64_t before = read_ticks(kind);
    const std::int64_t ns = monotonic_ns();
    const std::uint64_t after = read_ticks(kind);
    if (after - before >= shortest) continue;
    shortest = after - before;
    best = {before + (after - before) / 2, ns};
  }
  return best;
}

} // namespace prof::sdk
