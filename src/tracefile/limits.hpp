// limits.hpp: what the writer and the reader of trace files both refuse.
#pragma once
#include <cstddef>
#include <cstdint>

namespace prof::detail {

// Times beyond +-73 years are no times of a trace; refusing them keeps every later sum and difference within
// 64 bits.
inline constexpr std::int64_t kMaxTime_ns = std::int64_t{1} << 61;

// Slices of one lane that are open at a time. What nests deeper the writer puts on a further lane.
inline constexpr std::size_t kMaxOpen = 1 << 16;

} // namespace prof::detail
