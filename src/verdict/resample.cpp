#include "verdict/resample.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

namespace prof {
namespace {

constexpr double kTie = 1e-12; // two arrangements with the same statistic differ by rounding only

ConfidenceInterval percentile_interval(std::span<const double> ordered, double confidence) {
  return {quantile_type7(ordered, (1 - confidence) / 2), quantile_type7(ordered, 1 - (1 - confidence) / 2)};
}

// Bias and acceleration; the jackknife costs one call of the statistic per value.
void fill_bca(BootstrapResult& out, std::span<const double> sample, const Statistic& statistic,
              std::span<const double> ordered, double confidence) {
  const boost::math::normal law;
  double below = 0;
  for (const double r : out.replicates)
    below += r < out.theta ? 1 : r == out.theta ? 0.5 : 0;
  const double share = below / static_cast<double>(out.replicates.size());
  if (share <= 0 ||
      share >= 1) { // every replicate on one side: BCa is undefined, the percentile interval stands
    out.bca = out.percentile;
    return;
  }
  out.z0 = boost::math::quantile(law, share);
  std::vector<double> left(sample.begin(), sample.end()), jack(sample.size());
  for (std::size_t i = 0; i < sample.size(); ++i) {
    left.assign(sample.begin(), sample.end());
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    jack[i] = statistic(left);
  }
  const double centre = mean(jack);
  double cubes = 0, squares = 0;
  for (const double v : jack) {
    cubes += (centre - v) * (centre - v) * (centre - v);
    squares += (centre - v) * (centre - v);
  }
  out.acceleration = squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
  const auto adjusted = [&](double q) {
    const double z = out.z0 + boost::math::quantile(law, q);
    return quantile_type7(ordered, boost::math::cdf(law, out.z0 + z / (1 - out.acceleration * z)));
  };
  out.bca = {adjusted((1 - confidence) / 2), adjusted(1 - (1 - confidence) / 2)};
}

void draw_from(std::span<const double> from, std::vector<double>& into, SplitMix64& random) {
  for (double& v : into)
    v = from[random.below(from.size())];
}

} // namespace

BootstrapResult bootstrap(std::span<const double> sample, const Statistic& statistic, int draws,
                          std::uint64_t seed, double confidence) {
  BootstrapResult out;
  if (sample.empty() || draws < 1) return out;
  out.theta = statistic(sample);
  SplitMix64 random(seed);
  std::vector<double> drawn(sample.size());
  for (int i = 0; i < draws; ++i) {
    draw_from(sample, drawn, random);
    out.replicates.push_back(statistic(drawn));
  }
  const auto ordered = sorted(out.replicates);
  out.se = std::sqrt(variance(out.replicates));
  out.percentile = percentile_interval(ordered, confidence);
  fill_bca(out, sample, statistic, ordered, confidence);
  return out;
}

Bootstrap2Result from_replicates(double theta, std::vector<double> replicates, double confidence) {
  Bootstrap2Result out;
  out.theta = theta;
  out.se = std::sqrt(variance(replicates));
  out.percentile = percentile_interval(sorted(replicates), confidence);
  const auto not_above = std::ranges::count_if(replicates, [](double r) { return r <= 0; });
  const auto not_below = std::ranges::count_if(replicates, [](double r) { return r >= 0; });
  const double rarer = static_cast<double>(std::min(not_above, not_below));
  out.p = std::min(1.0, 2 * (rarer + 1) / (static_cast<double>(replicates.size()) + 1));
  out.replicates = std::move(replicates);
  return out;
}

Bootstrap2Result bootstrap_two(std::span<const double> a, std::span<const double> b,
                               const Statistic2& statistic, int draws, std::uint64_t seed,
                               double confidence) {
  if (a.empty() || b.empty() || draws < 1) return {};
  SplitMix64 random(seed);
  std::vector<double> x(a.size()), y(b.size()), replicates;
  for (int i = 0; i < draws; ++i) {
    draw_from(a, x, random);
    draw_from(b, y, random);
    replicates.push_back(statistic(x, y));
  }
  return from_replicates(statistic(a, b), std::move(replicates), confidence);
}

std::vector<double> block_bootstrap_mean(std::span<const double> series, std::size_t block, int draws,
                                         std::uint64_t seed) {
  std::vector<double> means;
  if (series.empty() || block == 0) return means;
  SplitMix64 random(seed);
  const std::size_t n = series.size();
  std::vector<double> drawn(n);
  for (int i = 0; i < draws; ++i) {
    for (std::size_t filled = 0; filled < n;) {
      std::size_t at = random.below(n);
      for (std::size_t k = 0; k < block && filled < n; ++k, at = at + 1 == n ? 0 : at + 1)
        drawn[filled++] = series[at];
    }
    means.push_back(mean(drawn));
  }
  return means;
}

std::vector<double> block_bootstrap_quantile(std::span<const double> series, double q, std::size_t block,
                                             int draws, std::uint64_t seed) {
  const std::size_t n = series.size();
  std::vector<double> out;
  if (n == 0 || block == 0) return out;
  std::vector<std::uint32_t> order(n), rank(n), count(n);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return series[i]; });
  for (std::uint32_t r = 0; r < n; ++r)
    rank[order[r]] = r;
  const QuantileWeights weights = harrell_davis_weights(n, q);
  SplitMix64 random(seed);
  for (int i = 0; i < draws; ++i) {
    std::ranges::fill(count, 0U);
    for (std::size_t filled = 0; filled < n;) {
      std::size_t at = random.below(n);
      for (std::size_t k = 0; k < block && filled < n; ++k, ++filled, at = at + 1 == n ? 0 : at + 1)
        ++count[rank[at]];
    }
    double total = 0;
    std::size_t k = 0; // how many drawn values stand before rank r
    for (std::size_t r = 0; r < n && k < weights.first + weights.w.size(); ++r)
      for (std::uint32_t c = 0; c < count[r]; ++c, ++k)
        if (k >= weights.first && k - weights.first < weights.w.size())
          total += weights.w[k - weights.first] * series[order[r]];
    out.push_back(total);
  }
  return out;
}

std::int64_t choose(std::int64_t n, std::int64_t k, std::int64_t cap) {
  if (k < 0 || k > n) return 0;
  double ways = 1;
  for (std::int64_t i = 1; i <= std::min(k, n - k); ++i) {
    ways = ways * static_cast<double>(n - std::min(k, n - k) + i) / static_cast<double>(i);
    if (ways > static_cast<double>(cap)) return cap;
  }
  return static_cast<std::int64_t>(std::llround(ways));
}

namespace {

// Calls visit(x, y) for every way of giving n of the pooled values to side a.
template <class Visit>
void each_arrangement(const std::vector<double>& pool, std::size_t n, Visit visit) {
  std::vector<bool> is_a(pool.size(), false);
  std::fill(is_a.begin(), is_a.begin() + static_cast<std::ptrdiff_t>(n), true);
  std::vector<double> x(n), y(pool.size() - n);
  do {
    std::size_t i = 0, j = 0;
    for (std::size_t k = 0; k < pool.size(); ++k)
      (is_a[k] ? x[i++] : y[j++]) = pool[k];
    visit(x, y);
  } while (std::prev_permutation(is_a.begin(), is_a.end()));
}

} // namespace

PermutationResult permutation(std::span<const double> a, std::span<const double> b,
                              const Statistic2& statistic, int draws, std::uint64_t seed,
                              std::int64_t exact_limit) {
  PermutationResult out;
  if (a.empty() || b.empty()) return out;
  out.observed = statistic(a, b);
  std::vector<double> pool(a.begin(), a.end());
  pool.insert(pool.end(), b.begin(), b.end());
  const double reach = std::fabs(out.observed) - kTie * std::max(1.0, std::fabs(out.observed));
  const auto count = [&](std::span<const double> x, std::span<const double> y) {
    if (std::fabs(statistic(x, y)) >= reach) ++out.count;
    ++out.total;
  };
  const auto size = static_cast<std::int64_t>(pool.size());
  if (choose(size, static_cast<std::int64_t>(a.size())) <= exact_limit) {
    out.is_exact = true;
    each_arrangement(pool, a.size(), count);
    out.p = static_cast<double>(out.count) / static_cast<double>(out.total);
    return out;
  }
  SplitMix64 random(seed);
  for (int i = 0; i < draws; ++i) {
    for (std::size_t k = pool.size() - 1; k > 0; --k)
      std::swap(pool[k], pool[random.below(k + 1)]);
    count(std::span(pool).first(a.size()), std::span(pool).subspan(a.size()));
  }
  out.p = static_cast<double>(out.count + 1) / static_cast<double>(out.total + 1);
  return out;
}

} // namespace prof
