// two_sample.hpp: tests and effect sizes of two samples a (before) and b (after). Differences are always b -
// a. Samples must be finite. Samples that are all equal give p = 1: no noise is added, nothing divides by
// zero.
#pragma once
#include "verdict/descriptive.hpp"

#include <optional>

namespace prof {

struct WelchResult {
  double mean_a = 0, mean_b = 0;
  double diff = 0, se = 0, df = 0, t = 0; // t of b - a
  double p = 1;
  ConfidenceInterval ci; // of the difference, at `confidence`
  bool is_valid = false; // both sides have two values or more
};
[[nodiscard]] WelchResult welch(std::span<const double> a, std::span<const double> b,
                                double confidence = 0.95);

// Paired t-test on b[i] - a[i]; sizes equal.
[[nodiscard]] WelchResult paired_t(std::span<const double> a, std::span<const double> b,
                                   double confidence = 0.95);

struct MannWhitneyResult {
  double u_a = 0; // pairs where a > b, ties count half
  double p = 1;
  bool is_exact = false;
  bool has_ties = false;
};
// Exact (with ties too, by dynamic programming over doubled mid-ranks) when both sides have at most 50 values
// (25 with ties), else normal with tie and continuity correction. The limits are those of golang.org/x/perf
// benchmath.
[[nodiscard]] MannWhitneyResult mann_whitney(std::span<const double> a, std::span<const double> b);
// The parts of it, for the truth tables.
[[nodiscard]] double mann_whitney_exact_p(std::span<const double> a, std::span<const double> b);
[[nodiscard]] double mann_whitney_normal_p(std::span<const double> a, std::span<const double> b);

// Median of all b[j] - a[i], with the interval from the exact null distribution of U (normal above 50 values
// a side); nullopt when no interval of that confidence exists (too few values). Samples above 2000 values are
// refused (is_valid false).
struct ShiftResult {
  double shift = 0;
  std::optional<ConfidenceInterval> ci;
  bool is_valid = false;
};
[[nodiscard]] ShiftResult hodges_lehmann(std::span<const double> a, std::span<const double> b,
                                         double confidence = 0.95);

// P(b > a) - P(b < a), in -1..1. O(n log n).
[[nodiscard]] double cliffs_delta(std::span<const double> a, std::span<const double> b);
// Standardised mean difference (b - a) / pooled sd with the small-sample correction J. 0 when the spread is
// 0.
[[nodiscard]] double hedges_g(std::span<const double> a, std::span<const double> b);

// The spread of `centre` that a test's p speaks of, for joining a rank or permutation p with other noise; no
// wider than takes a 95 % interval to zero, because a p near 1 says nothing about the spread.
[[nodiscard]] double implied_se(double centre, double p);

struct KsResult {
  double d = 0;
  double p = 1;
  bool is_exact = false;
};
// Exact lattice-path p while n*m <= 10^6, else the Kolmogorov limit with Stephens' correction.
[[nodiscard]] KsResult kolmogorov_smirnov(std::span<const double> a, std::span<const double> b);
// The tail of Kolmogorov's limit law at x.
[[nodiscard]] double kolmogorov_sf(double x);

// Two one-sided Welch tests: p of "the difference is outside (lo, hi)".
struct TostResult {
  double p_lower = 1, p_upper = 1, p = 1;
  ConfidenceInterval ci90;
};
[[nodiscard]] TostResult tost_welch(std::span<const double> a, std::span<const double> b, double lo,
                                    double hi);

} // namespace prof
