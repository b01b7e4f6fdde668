// power.hpp: how large an effect n values a side can show, and how many values an effect needs. Two-sided
// t-test of two equal groups at level alpha; d = difference / standard deviation.
#pragma once
#include "verdict/descriptive.hpp"

namespace prof {

[[nodiscard]] double power_two_sample(double d, double n_per_side, double alpha = 0.05);
// The smallest d found with `power`; infinite below two values a side.
[[nodiscard]] double detectable_effect(double n_per_side, double alpha = 0.05, double power = 0.8);
// The smallest n per side that finds d with `power`; 0 when d = 0 (none does), capped at 1e9.
[[nodiscard]] std::int64_t needed_per_side(double d, double alpha = 0.05, double power = 0.8);
// Clopper-Pearson interval of a share of k in n.
[[nodiscard]] ConfidenceInterval clopper_pearson(std::int64_t k, std::int64_t n, double confidence = 0.95);
// Two-sided exact (Fisher) p of two shares k_a/n_a and k_b/n_b.
[[nodiscard]] double fisher_exact(std::int64_t k_a, std::int64_t n_a, std::int64_t k_b, std::int64_t n_b);
// Two-sided p of "both sides arrive at one rate": events over time, Poisson (conditional binomial).
[[nodiscard]] double rate_equal_p(std::int64_t events_a, double time_a, std::int64_t events_b, double time_b);

} // namespace prof
