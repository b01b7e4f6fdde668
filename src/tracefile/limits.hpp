// limits.hpp: what the writer and the reader of trace files both refuse.
#pragma once
#include <cstdint>

namespace prof::detail {

// Times beyond +-73 years are no times of a trace; refusing them keeps every later sum and difference within
// 64 bits.
inline constexpr std::int64_t kMaxTime_ns = std::int64_t{1} << 61;

} // namespace prof::detail
