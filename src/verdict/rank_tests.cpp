// The rank half of two_sample.hpp: Mann-Whitney and Hodges-Lehmann.
#include "verdict/two_sample.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

namespace prof {
namespace {

constexpr std::size_t kExactLimit = 50,
                      kExactLimitTies = 25; // golang/perf benchmath, go-moremath stats/utest.go
constexpr std::size_t kShiftLimit = 2000;   // 4 M pair differences, 32 MB

struct Ranks {
  std::vector<long> doubled; // 2 * mid-rank of each pooled value, ascending
  long of_a = 0;             // doubled rank sum of a
  double tie_term = 0;       // sum of t^3 - t
};

Ranks pooled_ranks(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  Ranks out;
  out.doubled.resize(all.size());
  for (std::size_t i = 0; i < all.size();) {
    std::size_t j = i;
    while (j < all.size() && all[j] == all[i])
      ++j;
    for (std::size_t k = i; k < j; ++k)
      out.doubled[k] = static_cast<long>(i + 1 + j);
    const double t = static_cast<double>(j - i);
    out.tie_term += t * t * t - t;
    i = j;
  }
  for (const double v : a)
    out.of_a += out.doubled[static_cast<std::size_t>(std::ranges::lower_bound(all, v) - all.begin())];
  return out;
}

// counts[s] = ways to choose n of the ranks with doubled sum s.
std::vector<double> rank_sum_counts(const std::vector<long>& doubled, std::size_t n) {
  const auto total = static_cast<std::size_t>(std::accumulate(doubled.begin(), doubled.end(), 0L));
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(total + 1, 0.0));
  ways[0][0] = 1;
  std::size_t reached = 0;
  for (std::size_t k = 0; k < doubled.size(); ++k) {
    const auto step = static_cast<std::size_t>(doubled[k]);
    reached += step;
    for (std::size_t c = std::min(k + 1, n); c >= 1; --c)
      for (std::size_t s = reached; s >= step; --s)
        ways[c][s] += ways[c - 1][s - step];
  }
  return ways[n];
}

// Largest k with P(U <= k-1) <= tail under the null without ties; 0 when even k = 1 is too likely.
std::int64_t shift_rank(std::size_t n, std::size_t m, double tail) {
  const double rn = static_cast<double>(n), rm = static_cast<double>(m);
  if (n > kExactLimit || m > kExactLimit) {
    const double z = boost::math::quantile(boost::math::normal(), 1 - tail);
    return std::max<std::int64_t>(
        0, static_cast<std::int64_t>(std::floor(rn * rm / 2 - z * std::sqrt(rn * rm * (rn + rm + 1) / 12))));
  }
  std::vector<long> doubled(n + m);
  for (std::size_t i = 0; i < doubled.size(); ++i)
    doubled[i] = static_cast<long>(2 * (i + 1));
  const auto counts = rank_sum_counts(doubled, n);
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  double seen = 0;
  std::int64_t k = 0;
  for (std::size_t u = 0; u <= n * m; ++u) {
    seen += counts[2 * u + n * (n + 1)];
    if (seen / all > tail) break;
    k = static_cast<std::int64_t>(u) + 1;
  }
  return k;
}

} // namespace

double mann_whitney_exact_p(std::span<const double> a, std::span<const double> b) {
  const Ranks ranks = pooled_ranks(a, b);
  const auto counts = rank_sum_counts(ranks.doubled, a.size());
  const long centre = static_cast<long>(a.size() * (a.size() + b.size() + 1));
  const long reach = std::labs(ranks.of_a - centre);
  double all = 0, extreme = 0;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    all += counts[s];
    if (std::labs(static_cast<long>(s) - centre) >= reach) extreme += counts[s];
  }
  return all > 0 ? std::min(1.0, extreme / all) : 1;
}

double mann_whitney_normal_p(std::span<const double> a, std::span<const double> b) {
  const Ranks ranks = pooled_ranks(a, b);
  const double n = static_cast<double>(a.size()), m = static_cast<double>(b.size()), all = n + m;
  const double u = static_cast<double>(ranks.of_a) / 2 - n * (n + 1) / 2;
  const double sd = std::sqrt(n * m / 12 * ((all + 1) - ranks.tie_term / (all * (all - 1))));
  if (!(sd > 0)) return 1;
  const double z = (std::fabs(u - n * m / 2) - 0.5) / sd;
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z)));
}

MannWhitneyResult mann_whitney(std::span<const double> a, std::span<const double> b) {
  MannWhitneyResult out;
  if (a.empty() || b.empty()) return out;
  const Ranks ranks = pooled_ranks(a, b);
  const double n = static_cast<double>(a.size());
  out.u_a = static_cast<double>(ranks.of_a) / 2 - n * (n + 1) / 2;
  out.has_ties = ranks.tie_term > 0;
  const std::size_t limit = out.has_ties ? kExactLimitTies : kExactLimit;
  out.is_exact = a.size() <= limit && b.size() <= limit;
  out.p = out.is_exact ? mann_whitney_exact_p(a, b) : mann_whitney_normal_p(a, b);
  return out;
}

ShiftResult hodges_lehmann(std::span<const double> a, std::span<const double> b, double confidence) {
  ShiftResult out;
  if (a.empty() || b.empty() || a.size() > kShiftLimit || b.size() > kShiftLimit) return out;
  std::vector<double> differences;
  differences.reserve(a.size() * b.size());
  for (const double x : a)
    for (const double y : b)
      differences.push_back(y - x);
  std::ranges::sort(differences);
  out.is_valid = true;
  out.shift = quantile_type7(differences, 0.5);
  const std::int64_t k = shift_rank(a.size(), b.size(), (1 - confidence) / 2);
  if (k >= 1) {
    const auto at = static_cast<std::size_t>(k);
    out.ci = ConfidenceInterval{differences[at - 1], differences[differences.size() - at]};
  }
  return out;
}

} // namespace prof
