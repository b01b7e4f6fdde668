#include "verdict/series.hpp"

#include "verdict/two_sample.hpp"

#include <algorithm>
#include <cmath>

namespace prof {

double autocorrelation(std::span<const double> series, std::size_t lag) {
  if (series.size() < lag + 2) return 0;
  const double m = mean(series);
  double own = 0, shared = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    own += (series[i] - m) * (series[i] - m);
    if (i + lag < series.size()) shared += (series[i] - m) * (series[i + lag] - m);
  }
  return own > 0 ? shared / own : 0;
}

double effective_size(std::span<const double> series) {
  const double n = static_cast<double>(series.size());
  const double r = autocorrelation(series, 1);
  return std::clamp(n * (1 - r) / (1 + r), std::min(1.0, n), n);
}

std::size_t bootstrap_block(std::span<const double> series) {
  const double r = std::clamp(autocorrelation(series, 1), 0.0, 0.99);
  const double n = static_cast<double>(series.size());
  const double length = std::ceil(std::pow(2 * r / (1 - r * r), 2.0 / 3) * std::cbrt(n));
  return std::clamp<std::size_t>(static_cast<std::size_t>(length), 1,
                                 std::max<std::size_t>(1, series.size() / 2));
}

std::vector<double> batch_means(std::span<const double> series, std::size_t batches) {
  std::vector<double> means;
  if (batches == 0 || series.size() < batches) return means;
  const std::size_t length = series.size() / batches;
  for (std::size_t at = series.size() - length * batches; at < series.size(); at += length)
    means.push_back(mean(series.subspan(at, length)));
  return means;
}

namespace {

std::vector<double> fives(std::span<const double> series) {
  std::vector<double> means;
  for (std::size_t at = 0; at + 5 <= series.size(); at += 5)
    means.push_back(mean(series.subspan(at, 5)));
  return means;
}

} // namespace

std::size_t mser5_cut(std::span<const double> series) {
  const auto means = fives(series);
  if (means.size() < 4) return 0;
  std::size_t best = 0;
  double best_score = INFINITY;
  double total = 0, squares = 0;
  const double centre = means.back(); // shifting keeps the squares small
  for (std::size_t k = means.size(); k-- > 0;) {
    const double v = means[k] - centre;
    total += v, squares += v * v;
    if (k > means.size() / 2) continue;
    const double n = static_cast<double>(means.size() - k);
    const double score = std::max(0.0, squares / n - total / n * (total / n)) / n;
    if (score <= best_score) best_score = score, best = k;
  }
  return best * 5;
}

std::size_t warm_up_length(std::span<const double> series) {
  constexpr double kAccept = 0.001; // docs/statistics.md: the cut point was chosen by the same data
  const std::size_t cut = mser5_cut(series);
  if (cut < 5) return 0;
  const auto head = fives(series.first(cut)), rest = fives(series.subspan(cut));
  if (head.size() < 4 || rest.size() < 8) {
    // A head of one to three fives cannot reach p < 0.001 by ranks: it must stand off by 5 spreads of the
    // rest.
    const double spread = std::sqrt(variance(rest));
    return rest.size() >= 8 && std::fabs(mean(head) - mean(rest)) > 5 * spread && spread > 0 ? cut : 0;
  }
  return mann_whitney(head, rest).p < kAccept ? cut : 0;
}

} // namespace prof
