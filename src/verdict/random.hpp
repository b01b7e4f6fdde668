// random.hpp: the one random generator of the statistics: SplitMix64, seeded by the caller, equal on every
// machine.
#pragma once
#include <cstdint>
#include <string_view>

namespace prof {

class SplitMix64 {
public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  // Uniform in [0, n): the high 64 bits of next() * n. n > 0.
  std::uint64_t below(std::uint64_t n) {
    __extension__ using Wide = unsigned __int128; // no portable 64x64->128 product in C++20
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * n) >> 64);
  }
  // Uniform in [0, 1), 53 bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  std::uint64_t state_;
};

// A seed of its own for each named stream (FNV-1a), so that one metric's draws do not depend on which others
// were asked for.
constexpr std::uint64_t seed_for(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL ^ seed;
  for (const char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

} // namespace prof
