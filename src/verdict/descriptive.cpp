#include "verdict/descriptive.hpp"

#include "base/quantile.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace prof {
namespace {
constexpr double kWeightFloor = 1e-13; // weights below this cannot move a double-precision estimate
}

std::vector<double> finite_only(std::span<const double> values) {
  std::vector<double> kept;
  kept.reserve(values.size());
  std::ranges::copy_if(values, std::back_inserter(kept), [](double v) { return std::isfinite(v); });
  return kept;
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> ordered(values.begin(), values.end());
  std::ranges::sort(ordered);
  return ordered;
}

double sum(std::span<const double> values) {
  double total = 0, carry = 0;
  for (const double v : values) {
    const double next = total + v;
    carry += std::fabs(total) >= std::fabs(v) ? (total - next) + v : (v - next) + total;
    total = next;
  }
  return total + carry;
}

double mean(std::span<const double> values) {
  return values.empty() ? 0 : sum(values) / static_cast<double>(values.size());
}

double variance(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double m = mean(values);
  double total = 0;
  for (const double v : values)
    total += (v - m) * (v - m);
  return total / static_cast<double>(values.size() - 1);
}

double median(std::span<const double> values) {
  return quantile_type7(sorted(values), 0.5);
}

double quantile_type7(std::span<const double> ordered, double q) {
  return quantile_sorted(ordered, q);
}

QuantileWeights harrell_davis_weights(std::size_t n, double q) {
  QuantileWeights out;
  if (n == 0) return out;
  const double size = static_cast<double>(n);
  const double a = (size + 1) * q, b = (size + 1) * (1 - q);
  const auto below = [&](std::size_t i) {
    return i >= n ? 1.0 : boost::math::ibeta(a, b, static_cast<double>(i) / size);
  };
  // The weights are unimodal around n*q: walk outward from there until they vanish.
  const std::size_t middle = std::min(static_cast<std::size_t>(q * size), n - 1);
  std::vector<double> down;
  double upper = below(middle + 1);
  for (std::size_t i = middle + 1; i-- > 0;) {
    const double lower = below(i);
    down.push_back(upper - lower);
    upper = lower;
    if (down.back() < kWeightFloor && middle - i > 2) break;
  }
  out.first = middle + 1 - down.size();
  out.w.assign(down.rbegin(), down.rend());
  double lower = below(middle + 1);
  for (std::size_t i = middle + 1; i < n; ++i) {
    const double up = below(i + 1);
    out.w.push_back(up - lower);
    lower = up;
    if (out.w.back() < kWeightFloor && i - middle > 2) break;
  }
  return out;
}

double harrell_davis(std::span<const double> ordered, const QuantileWeights& weights) {
  double total = 0;
  for (std::size_t i = 0; i < weights.w.size(); ++i)
    total += weights.w[i] * ordered[weights.first + i];
  return total;
}

double harrell_davis(std::span<const double> ordered, double q) {
  if (ordered.empty()) return 0;
  if (q >= 1) return ordered.back();
  if (q <= 0) return ordered.front();
  return harrell_davis(ordered, harrell_davis_weights(ordered.size(), q));
}

OrderInterval quantile_order_interval(std::int64_t n, double q, double confidence) {
  OrderInterval out;
  if (n < 1 || q <= 0 || q >= 1) return out;
  const boost::math::binomial law(static_cast<double>(n), q);
  const double tail = (1 - confidence) / 2;
  const auto cdf = [&](std::int64_t k) {
    return k < 0 ? 0.0 : k >= n ? 1.0 : boost::math::cdf(law, static_cast<double>(k));
  };
  // Largest l with P(X <= l-1) <= tail; smallest u with P(X >= u) <= tail. Both by bisection: the cdf is
  // monotone.
  std::int64_t lo = 0, hi = n + 1;
  while (hi - lo > 1)
    (cdf((lo + hi) / 2 - 1) <= tail ? lo : hi) = (lo + hi) / 2;
  if (lo >= 1) out.lo_order = lo;
  std::int64_t no = 0, yes = n + 1;
  while (yes - no > 1)
    (1 - cdf((no + yes) / 2 - 1) <= tail ? yes : no) = (no + yes) / 2;
  if (yes <= n) out.hi_order = yes;
  out.level = cdf(out.hi_order.value_or(n + 1) - 1) - cdf(out.lo_order.value_or(0) - 1);
  return out;
}

std::int64_t quantile_min_n(double q, double confidence) {
  return static_cast<std::int64_t>(std::ceil(std::log((1 - confidence) / 2) / std::log(q)));
}

} // namespace prof
