#include "verdict/tail_test.hpp"

#include "verdict/resample.hpp"
#include "verdict/series.hpp"

#include <algorithm>
#include <cmath>

namespace prof {
namespace {

constexpr double kDrawBudget = 1e8; // drawn values a side: about half a second
constexpr int kPermutations = 1999;

// Shuffles whole blocks between the sides: valid for any n, because under "nothing changed" blocks are
// exchangeable.
double block_permutation_p(std::span<const double> a, std::span<const double> b, double q, std::size_t block,
                           std::uint64_t seed) {
  std::vector<std::span<const double>> blocks;
  for (const auto& side : {a, b})
    for (std::size_t at = 0; at < side.size(); at += block)
      blocks.push_back(side.subspan(at, std::min(block, side.size() - at)));
  const std::size_t of_a = (a.size() + block - 1) / block;
  // A side's size changes only by the odd block: the weights of the last size are kept.
  QuantileWeights wx, wy;
  std::size_t nx = 0, ny = 0;
  std::vector<double> x, y;
  const auto distance = [&] {
    x.clear(), y.clear();
    for (std::size_t i = 0; i < blocks.size(); ++i)
      (i < of_a ? x : y).insert((i < of_a ? x : y).end(), blocks[i].begin(), blocks[i].end());
    std::ranges::sort(x);
    std::ranges::sort(y);
    if (x.size() != nx) wx = harrell_davis_weights(nx = x.size(), q);
    if (y.size() != ny) wy = harrell_davis_weights(ny = y.size(), q);
    return std::fabs(std::log(harrell_davis(y, wy)) - std::log(harrell_davis(x, wx)));
  };
  const double observed = distance() - 1e-12;
  SplitMix64 random(seed);
  int count = 0;
  for (int i = 0; i < kPermutations; ++i) {
    for (std::size_t k = blocks.size() - 1; k > 0; --k)
      std::swap(blocks[k], blocks[random.below(k + 1)]);
    if (distance() >= observed) ++count;
  }
  return static_cast<double>(count + 1) / static_cast<double>(kPermutations + 1);
}

} // namespace

TailTest test_percentile(std::span<const double> a, std::span<const double> b, double q, int draws,
                         std::uint64_t seed) {
  TailTest out;
  const std::size_t n = std::min(a.size(), b.size());
  if (n == 0) return out;
  const auto x = sorted(a), y = sorted(b);
  out.before = harrell_davis(x, q), out.after = harrell_davis(y, q);
  out.before_type7 = quantile_type7(x, q), out.after_type7 = quantile_type7(y, q);
  out.is_possible = static_cast<double>(n) * (1 - q) >= 1 - 1e-9 && n >= 10 && x.front() > 0 && y.front() > 0;
  if (!out.is_possible) return out;
  out.is_thin = static_cast<std::int64_t>(n) < quantile_min_n(q);
  out.block_before = bootstrap_block(a), out.block_after = bootstrap_block(b);
  const double largest = static_cast<double>(std::max(a.size(), b.size()));
  out.draws = std::clamp(static_cast<int>(kDrawBudget / largest), 200, draws);
  const auto ra = block_bootstrap_quantile(a, q, out.block_before, out.draws, seed_for(seed, "before"));
  const auto rb = block_bootstrap_quantile(b, q, out.block_after, out.draws, seed_for(seed, "after"));
  std::vector<double> ratio(ra.size());
  for (std::size_t i = 0; i < ra.size(); ++i)
    ratio[i] = std::log(rb[i]) - std::log(ra[i]);
  out.centre = std::log(out.after) - std::log(out.before);
  Bootstrap2Result boot = from_replicates(out.centre, std::move(ratio));
  out.method = Method::block_bootstrap;
  out.ci = boot.percentile, out.se = boot.se, out.p = boot.p;
  if (!out.is_thin) return out;
  out.method = Method::block_permutation;
  out.p = block_permutation_p(a, b, q, std::max(out.block_before, out.block_after),
                              seed_for(seed, "permutation"));
  // The spread that this p speaks of, where it is wider than the bootstrap's (which is too narrow for thin
  // tails).
  if (out.se > 0) {
    const double wider = std::max(1.0, implied_se(out.centre, out.p) / out.se);
    out.ci = {out.centre + (out.ci.lo - out.centre) * wider, out.centre + (out.ci.hi - out.centre) * wider};
    out.se *= wider;
  }
  return out;
}

} // namespace prof
