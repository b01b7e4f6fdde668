#include "verdict/two_sample.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace prof {
namespace {

using boost::math::cdf;
using boost::math::complement;
using boost::math::quantile;

double size_of(std::span<const double> v) {
  return static_cast<double>(v.size());
}

void finish_t(WelchResult& out, double confidence) {
  out.is_valid = true;
  if (!(out.se > 0)) { // all equal within each side: the difference is either nothing or certain
    out.p = out.diff == 0 ? 1 : 0;
    out.ci = {out.diff, out.diff};
    return;
  }
  out.t = out.diff / out.se;
  const boost::math::students_t law(out.df);
  out.p = std::min(1.0, 2 * cdf(complement(law, std::fabs(out.t))));
  const double reach = quantile(law, 0.5 + confidence / 2) * out.se;
  out.ci = {out.diff - reach, out.diff + reach};
}

double log_gamma(double x) { // std::lgamma writes a global
  int sign = 0;
  return lgamma_r(x, &sign);
}

} // namespace

WelchResult welch(std::span<const double> a, std::span<const double> b, double confidence) {
  WelchResult out;
  out.mean_a = mean(a), out.mean_b = mean(b);
  out.diff = out.mean_b - out.mean_a;
  if (a.size() < 2 || b.size() < 2) return out;
  const double x = variance(a) / size_of(a), y = variance(b) / size_of(b);
  out.se = std::sqrt(x + y);
  out.df = (x + y) > 0 ? (x + y) * (x + y) / (x * x / (size_of(a) - 1) + y * y / (size_of(b) - 1)) : 1;
  finish_t(out, confidence);
  return out;
}

WelchResult paired_t(std::span<const double> a, std::span<const double> b, double confidence) {
  WelchResult out;
  out.mean_a = mean(a), out.mean_b = mean(b);
  out.diff = out.mean_b - out.mean_a;
  if (a.size() != b.size() || a.size() < 2) return out;
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    differences[i] = b[i] - a[i];
  out.diff = mean(differences);
  out.se = std::sqrt(variance(differences) / size_of(a));
  out.df = size_of(a) - 1;
  finish_t(out, confidence);
  return out;
}

double cliffs_delta(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 0;
  const auto ordered = sorted(a);
  double greater = 0, less = 0;
  for (const double v : b) {
    greater += static_cast<double>(std::ranges::lower_bound(ordered, v) - ordered.begin());
    less += static_cast<double>(ordered.end() - std::ranges::upper_bound(ordered, v));
  }
  return (greater - less) / (size_of(a) * size_of(b));
}

double hedges_g(std::span<const double> a, std::span<const double> b) {
  const double df = size_of(a) + size_of(b) - 2;
  if (a.size() < 2 || b.size() < 2) return 0;
  const double pooled = std::sqrt(((size_of(a) - 1) * variance(a) + (size_of(b) - 1) * variance(b)) / df);
  if (!(pooled > 0)) return 0;
  const double correction = std::exp(log_gamma(df / 2) - 0.5 * std::log(df / 2) - log_gamma((df - 1) / 2));
  return (mean(b) - mean(a)) / pooled * correction;
}

double implied_se(double centre, double p) {
  if (!(p > 0) || centre == 0) return 0;
  constexpr double kReach = 1.959963984540054; // z(.975)
  const double z = p >= 1 ? 0 : quantile(complement(boost::math::normal(), p / 2));
  return std::fabs(centre) / std::max(z, kReach);
}

double kolmogorov_sf(double x) {
  if (x <= 0) return 1;
  if (x < 1) { // the other theta series converges here
    const double c = std::acos(-1.0) * std::acos(-1.0) / (8 * x * x);
    double total = 0;
    for (int k = 1; k < 40; k += 2)
      total += std::exp(-c * k * k);
    return 1 - std::sqrt(2 * std::acos(-1.0)) / x * total;
  }
  double total = 0;
  for (int k = 1; k < 40; ++k)
    total += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return std::clamp(total, 0.0, 1.0);
}

namespace {

// Share of lattice paths (0,0)->(n,m) that reach |i/n - j/m| >= d somewhere, counted as probabilities so that
// nothing overflows: the path's next step is drawn without replacement.
double ks_exact_p(std::size_t n, std::size_t m, double d) {
  const double rn = static_cast<double>(n), rm = static_cast<double>(m);
  const double bound = d - 1e-10;
  std::vector<double> inside(m + 1, 0.0); // probability of being at (i, j) and never outside so far
  for (std::size_t i = 0; i <= n; ++i)
    for (std::size_t j = 0; j <= m; ++j) {
      const double left = rn + rm - static_cast<double>(i) - static_cast<double>(j) + 1;
      double p = i == 0 && j == 0 ? 1 : 0;
      if (i > 0) p += inside[j] * (rn - static_cast<double>(i) + 1) / left;
      if (j > 0) p += inside[j - 1] * (rm - static_cast<double>(j) + 1) / left;
      const bool is_out = std::fabs(static_cast<double>(i) / rn - static_cast<double>(j) / rm) >= bound;
      inside[j] = is_out ? 0 : p;
    }
  return std::clamp(1 - inside[m], 0.0, 1.0);
}

} // namespace

KsResult kolmogorov_smirnov(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t kExactLimit = 1'000'000; // n*m lattice points: 5 ms
  KsResult out;
  if (a.empty() || b.empty()) return out;
  const auto x = sorted(a), y = sorted(b);
  std::size_t i = 0, j = 0;
  while (i < x.size() && j < y.size()) {
    const double at = std::min(x[i], y[j]);
    while (i < x.size() && x[i] == at)
      ++i;
    while (j < y.size() && y[j] == at)
      ++j;
    out.d =
        std::max(out.d, std::fabs(static_cast<double>(i) / size_of(x) - static_cast<double>(j) / size_of(y)));
  }
  if (out.d == 0) return out;
  out.is_exact = x.size() * y.size() <= kExactLimit;
  const double effective = std::sqrt(size_of(a) * size_of(b) / (size_of(a) + size_of(b)));
  out.p = out.is_exact ? ks_exact_p(x.size(), y.size(), out.d)
                       : kolmogorov_sf((effective + 0.12 + 0.11 / effective) * out.d);
  return out;
}

TostResult tost_welch(std::span<const double> a, std::span<const double> b, double lo, double hi) {
  TostResult out;
  const WelchResult w = welch(a, b, 0.90);
  if (!w.is_valid) return out;
  out.ci90 = w.ci;
  if (!(w.se > 0)) {
    out.p_lower = w.diff > lo ? 0 : 1, out.p_upper = w.diff < hi ? 0 : 1;
  } else {
    const boost::math::students_t law(w.df);
    out.p_lower = cdf(complement(law, (w.diff - lo) / w.se));
    out.p_upper = cdf(law, (w.diff - hi) / w.se);
  }
  out.p = std::max(out.p_lower, out.p_upper);
  return out;
}

} // namespace prof
