#include "report/html/pyramid.hpp"

#include <algorithm>
#include <cmath>

namespace prof {
namespace {

struct Sums {
  std::vector<float> busy, longest;
  std::vector<std::uint16_t> name;
  explicit Sums(std::size_t n) : busy(n), longest(n), name(n, kNoName) {}
};

void add_item(Sums& sums, const RowItem& item, int k) {
  const std::int64_t end = item.ts + item.dur;
  const auto last = std::min(static_cast<std::int64_t>(sums.busy.size()) - 1, end >> k);
  const auto name = static_cast<std::uint16_t>(std::min<std::uint32_t>(item.name, kNoName - 1U));
  for (std::int64_t b = item.ts >> k; b <= last; ++b) {
    const std::int64_t from = std::max(item.ts, b << k);
    const std::int64_t to = std::min(end, (b + 1) << k);
    // An instant counts as 1 ns, so that it shows.
    const auto overlap = static_cast<float>(std::max<std::int64_t>(to - from, item.dur == 0 ? 1 : 0));
    if (overlap <= 0) continue;
    const auto i = static_cast<std::size_t>(b);
    sums.busy[i] += overlap;
    if (overlap >= sums.longest[i]) {
      sums.longest[i] = overlap;
      sums.name[i] = name;
    }
  }
}

Sums halved(const Sums& fine) {
  Sums coarse((fine.busy.size() + 1) / 2);
  for (std::size_t b = 0; b < fine.busy.size(); ++b) {
    coarse.busy[b / 2] += fine.busy[b];
    if (fine.name[b] != kNoName && fine.longest[b] >= coarse.longest[b / 2]) {
      coarse.longest[b / 2] = fine.longest[b];
      coarse.name[b / 2] = fine.name[b];
    }
  }
  return coarse;
}

PyramidLevel level_of(const Sums& sums, int k) {
  PyramidLevel level{k, {}, sums.name};
  const float scale = 255.0F / static_cast<float>(std::ldexp(1.0, k));
  level.busy.reserve(sums.busy.size());
  for (const float busy : sums.busy)
    level.busy.push_back(static_cast<std::uint8_t>(std::min(255.0F, std::ceil(busy * scale))));
  return level;
}

} // namespace

std::int64_t overview_buckets(std::size_t rows) {
  constexpr std::int64_t kAll = std::int64_t{1} << 22; // 12 MiB in the browser
  constexpr std::int64_t kFewest = 32;
  std::int64_t buckets = kOverviewBuckets;
  while (buckets > kFewest && buckets * static_cast<std::int64_t>(rows) > kAll)
    buckets /= 2;
  return buckets;
}

int overview_level(std::int64_t duration, std::int64_t buckets) {
  int k = 0;
  while ((duration >> k) >= buckets)
    ++k;
  return k;
}

std::vector<PyramidLevel> build_pyramid(std::span<const RowItem> items, std::int64_t duration,
                                        std::int64_t buckets) {
  const int top = overview_level(duration, buckets);
  const std::int64_t most = std::max(buckets, static_cast<std::int64_t>(items.size()) / 4);
  int k = 0;
  while ((duration >> k) + 1 > most && k < top)
    ++k;
  Sums sums(static_cast<std::size_t>((duration >> k) + 1));
  for (const RowItem& item : items)
    add_item(sums, item, k);
  std::vector<PyramidLevel> levels;
  for (;; ++k) {
    levels.push_back(level_of(sums, k));
    if (k >= top) return levels;
    sums = halved(sums);
  }
}

} // namespace prof
