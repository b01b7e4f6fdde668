// units.hpp: quantities that cannot be mixed by accident. Plain 64-bit integers underneath.
#pragma once
#include <compare>
#include <cstdint>
#include <limits>

namespace prof {

// A length of time. Unit: nanoseconds. Range: about +-292 years.
struct Dur {
  std::int64_t ns = 0;
  friend constexpr auto operator<=>(Dur, Dur) = default;
  friend constexpr Dur operator+(Dur a, Dur b) { return {a.ns + b.ns}; }
  friend constexpr Dur operator-(Dur a, Dur b) { return {a.ns - b.ns}; }
};
// A point on the trace clock. Unit: nanoseconds since the trace's origin (Trace::origin names the clock).
struct Ts {
  std::int64_t ns = 0;
  friend constexpr auto operator<=>(Ts, Ts) = default;
  friend constexpr Ts operator+(Ts t, Dur d) { return {t.ns + d.ns}; }
  friend constexpr Dur operator-(Ts a, Ts b) { return {a.ns - b.ns}; }
};
// A size. Unit: bytes. Signed, so that a difference of two sizes is a size.
struct Bytes {
  std::int64_t n = 0;
  friend constexpr auto operator<=>(Bytes, Bytes) = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return {a.n + b.n}; }
};
// A rate. Unit: bytes per second.
struct BytesPerSec {
  double v = 0;
  friend constexpr auto operator<=>(BytesPerSec, BytesPerSec) = default;
};
constexpr BytesPerSec rate(Bytes moved, Dur took) {
  return {took.ns > 0 ? static_cast<double>(moved.n) * 1e9 / static_cast<double>(took.ns) : 0.0};
}

namespace literals {
constexpr Dur operator""_ns(unsigned long long v) {
  return {static_cast<std::int64_t>(v)};
}
constexpr Dur operator""_us(unsigned long long v) {
  return {static_cast<std::int64_t>(v) * 1000};
}
constexpr Dur operator""_ms(unsigned long long v) {
  return {static_cast<std::int64_t>(v) * 1000000};
}
} // namespace literals

// A row number in one table. Id<Slice> and Id<Track> do not convert to each other or to int.
template <class Row>
struct Id {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t row = kNone;
  explicit constexpr operator bool() const { return row != kNone; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

} // namespace prof
