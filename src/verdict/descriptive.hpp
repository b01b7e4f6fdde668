// descriptive.hpp: figures of one sample: moments, quantiles and their intervals. NaN must be dropped by the
// caller (finite_only); all functions are pure.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace prof {

struct ConfidenceInterval {
  double lo = 0, hi = 0;
};

// The finite values, in their order.
[[nodiscard]] std::vector<double> finite_only(std::span<const double> values);
[[nodiscard]] std::vector<double> sorted(std::span<const double> values);

// Neumaier-compensated sum, so that a million latencies in ns lose nothing.
[[nodiscard]] double sum(std::span<const double> values);
[[nodiscard]] double mean(std::span<const double> values);     // 0 for an empty sample
[[nodiscard]] double variance(std::span<const double> values); // n-1 in the denominator; 0 below two values
[[nodiscard]] double median(std::span<const double> values);

// base/quantile.hpp: linear interpolation. `ordered` ascending, q in 0..1.
[[nodiscard]] double quantile_type7(std::span<const double> ordered, double q);

// Weights of the Harrell-Davis quantile estimate (Biometrika 1982): w[i] belongs to order statistic first +
// i. Weights below 1e-13 are left out: at p99 about 140 of 10 000 matter.
struct QuantileWeights {
  std::size_t first = 0;
  std::vector<double> w;
};
[[nodiscard]] QuantileWeights harrell_davis_weights(std::size_t n, double q);
// The Harrell-Davis quantile of an ascending sample: less variance than a single order statistic.
[[nodiscard]] double harrell_davis(std::span<const double> ordered, double q);
[[nodiscard]] double harrell_davis(std::span<const double> ordered, const QuantileWeights& weights);

// The distribution-free interval of a quantile: 1-based order statistics; nullopt = that end is open (n too
// small).
struct OrderInterval {
  std::optional<std::int64_t> lo_order, hi_order;
  double level = 0; // what the interval really covers
};
[[nodiscard]] OrderInterval quantile_order_interval(std::int64_t n, double q, double confidence = 0.95);
// The smallest n for which that interval has a finite upper end: q^n <= (1 - confidence) / 2. 368 for p99.
[[nodiscard]] std::int64_t quantile_min_n(double q, double confidence = 0.95);

} // namespace prof
