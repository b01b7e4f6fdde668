// resample.hpp: bootstrap and permutation. Seeded by the caller: equal input gives equal output. Draws follow
// statistics_truth.json (one below(n) per drawn value, side a before side b).
#pragma once
#include "verdict/descriptive.hpp"
#include "verdict/random.hpp"

#include <functional>

namespace prof {

using Statistic = std::function<double(std::span<const double>)>;
using Statistic2 = std::function<double(std::span<const double> a, std::span<const double> b)>;

struct BootstrapResult {
  double theta = 0, se = 0;
  ConfidenceInterval percentile, bca;
  double z0 = 0, acceleration = 0;
  std::vector<double> replicates;
};
// One sample, `draws` replicates, percentile and bias-corrected-accelerated intervals (Efron 1987).
[[nodiscard]] BootstrapResult bootstrap(std::span<const double> sample, const Statistic& statistic, int draws,
                                        std::uint64_t seed, double confidence = 0.95);

struct Bootstrap2Result {
  double theta = 0, se = 0;
  ConfidenceInterval percentile;
  double p = 1; // 2 (k+1)/(draws+1), k = the rarer side of zero: never 0
  std::vector<double> replicates;
};
[[nodiscard]] Bootstrap2Result bootstrap_two(std::span<const double> a, std::span<const double> b,
                                             const Statistic2& statistic, int draws, std::uint64_t seed,
                                             double confidence = 0.95);
// ConfidenceInterval and sign p of replicates made elsewhere (block bootstrap of two traces).
[[nodiscard]] Bootstrap2Result from_replicates(double theta, std::vector<double> replicates,
                                               double confidence = 0.95);

// Replicates of the mean of a series in circular blocks of `block` values (Politis & Romano 1992).
[[nodiscard]] std::vector<double> block_bootstrap_mean(std::span<const double> series, std::size_t block,
                                                       int draws, std::uint64_t seed);
// The same of the Harrell-Davis quantile q. Counts instead of sorting: O(draws * n), no allocation per draw.
[[nodiscard]] std::vector<double> block_bootstrap_quantile(std::span<const double> series, double q,
                                                           std::size_t block, int draws, std::uint64_t seed);

struct PermutationResult {
  double observed = 0;
  std::int64_t count = 0, total = 0; // arrangements at least as extreme, of how many
  bool is_exact = false;
  double p = 1; // exact: count/total; drawn: (count+1)/(total+1)
};
// All arrangements when there are at most `exact_limit` of them, else `draws` seeded shuffles.
[[nodiscard]] PermutationResult permutation(std::span<const double> a, std::span<const double> b,
                                            const Statistic2& statistic, int draws, std::uint64_t seed,
                                            std::int64_t exact_limit = 200'000);
// The number of ways to choose k of n, capped at `cap`.
[[nodiscard]] std::int64_t choose(std::int64_t n, std::int64_t k, std::int64_t cap = 1'000'000'000'000);

} // namespace prof
