#include "verdict/power.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace prof {
namespace {
constexpr double kNormalFrom =
    2000; // above this the non-central t is slow and the normal is equal to 3 digits
constexpr std::int64_t kFisherLimit = 5000;
} // namespace

double power_two_sample(double d, double n, double alpha) {
  const double shift = std::fabs(d) * std::sqrt(n / 2);
  if (n > kNormalFrom || shift > 30) {
    const boost::math::normal law;
    const double z = boost::math::quantile(law, 1 - alpha / 2);
    return boost::math::cdf(law, shift - z) + boost::math::cdf(law, -shift - z);
  }
  const double df = 2 * n - 2;
  const double t = boost::math::quantile(boost::math::students_t(df), 1 - alpha / 2);
  if (shift == 0) return alpha;
  const boost::math::non_central_t law(df, shift);
  return boost::math::cdf(boost::math::complement(law, t)) + boost::math::cdf(law, -t);
}

double detectable_effect(double n, double alpha, double power) {
  if (n < 2) return std::numeric_limits<double>::infinity();
  double low = 0, high = 1;
  while (power_two_sample(high, n, alpha) < power && high < 1e6)
    high *= 2;
  for (int i = 0; i < 80 && high - low > 1e-13 * high; ++i) {
    const double middle = (low + high) / 2;
    (power_two_sample(middle, n, alpha) < power ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::int64_t needed_per_side(double d, double alpha, double power) {
  constexpr std::int64_t kMost = 1'000'000'000;
  if (!(std::fabs(d) > 0) || !std::isfinite(d)) return 0;
  std::int64_t low = 1, high = 2;
  while (high < kMost && power_two_sample(d, static_cast<double>(high), alpha) < power)
    low = high, high *= 2;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    (power_two_sample(d, static_cast<double>(middle), alpha) < power ? low : high) = middle;
  }
  return std::min(high, kMost);
}

ConfidenceInterval clopper_pearson(std::int64_t k, std::int64_t n, double confidence) {
  const double tail = (1 - confidence) / 2, rk = static_cast<double>(k), rn = static_cast<double>(n);
  ConfidenceInterval out{0, 1};
  if (n < 1) return out;
  if (k > 0) out.lo = boost::math::quantile(boost::math::beta_distribution<>(rk, rn - rk + 1), tail);
  if (k < n) out.hi = boost::math::quantile(boost::math::beta_distribution<>(rk + 1, rn - rk), 1 - tail);
  return out;
}

double fisher_exact(std::int64_t k_a, std::int64_t n_a, std::int64_t k_b, std::int64_t n_b) {
  if (n_a < 1 || n_b < 1) return 1;
  const std::int64_t k = k_a + k_b, n = n_a + n_b;
  if (n > kFisherLimit) { // two-proportion score test
    const double share = static_cast<double>(k) / static_cast<double>(n);
    const double se =
        std::sqrt(share * (1 - share) * (1 / static_cast<double>(n_a) + 1 / static_cast<double>(n_b)));
    if (!(se > 0)) return 1;
    const double z = (static_cast<double>(k_b) / static_cast<double>(n_b) -
                      static_cast<double>(k_a) / static_cast<double>(n_a)) /
                     se;
    return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), std::fabs(z))));
  }
  const boost::math::hypergeometric law(static_cast<unsigned>(k), static_cast<unsigned>(n_a),
                                        static_cast<unsigned>(n));
  const double seen = boost::math::pdf(law, static_cast<unsigned>(k_a));
  double p = 0;
  for (std::int64_t i = std::max<std::int64_t>(0, k - n_b); i <= std::min(k, n_a); ++i)
    if (const double at = boost::math::pdf(law, static_cast<unsigned>(i)); at <= seen * (1 + 1e-7)) p += at;
  return std::min(1.0, p);
}

double rate_equal_p(std::int64_t events_a, double time_a, std::int64_t events_b, double time_b) {
  const std::int64_t n = events_a + events_b;
  if (n < 1 || !(time_a > 0) || !(time_b > 0)) return 1;
  const boost::math::binomial law(static_cast<double>(n), time_a / (time_a + time_b));
  const double below = boost::math::cdf(law, static_cast<double>(events_a));
  const double above =
      events_a > 0 ? boost::math::cdf(boost::math::complement(law, static_cast<double>(events_a - 1))) : 1;
  return std::min(1.0, 2 * std::min(below, above));
}

} // namespace prof
