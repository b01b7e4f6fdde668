// pyramid.hpp: levels of detail of one row: how busy each bucket of time is and which name fills most of it.
#pragma once
#include "report/html/block_codec.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace prof {

inline constexpr std::uint16_t kNoName = 0xffff;
inline constexpr std::int64_t kOverviewBuckets = 2048;

struct PyramidLevel {
  int k = 0;                       // bucket width 2^k ns
  std::vector<std::uint8_t> busy;  // ceil(255 * share): a lone short slice never vanishes
  std::vector<std::uint16_t> name; // page name id of the longest overlap; kNoName = empty
};

// Buckets of each row's overview: fewer where there are very many rows, since a browser holds them all.
[[nodiscard]] std::int64_t overview_buckets(std::size_t rows);
// The smallest k for which `duration` fits in that many buckets.
[[nodiscard]] int overview_level(std::int64_t duration, std::int64_t buckets = kOverviewBuckets);
// Levels from the finest (at most max(buckets, n/4) buckets) to the overview, which is the last. `items`
// carry page name ids here.
[[nodiscard]] std::vector<PyramidLevel> build_pyramid(std::span<const RowItem> items, std::int64_t duration,
                                                      std::int64_t buckets = kOverviewBuckets);

} // namespace prof
