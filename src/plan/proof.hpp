// proof.hpp: how many runs a side prove a step, and the commands that record and compare them.
#pragma once
#include "plan/plan.hpp"
#include "plan/replay.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace prof::detail {

// A permutation of run labels must be able to beat 5 % after Holm's correction over the four metrics:
// 2 / C(2n, n) < 0.05 / 4 holds from five runs a side on.
inline constexpr std::int64_t kFewestRuns = 5, kMostRuns = 20;
inline constexpr int kProofMetrics = 4;
// What runs of the same service are assumed to differ by: as `validate --run_noise`, because one trace cannot
// show it.
inline constexpr double kRunNoise = 0.03;

// The runs that one trace and a predicted change ask for.
//
//   w = standard error of the trace's mean latency by batch means, over the mean
//   s = sqrt(w^2 + 0.03^2)                 one run's mean, relative
//   n = the fewest runs a side for which the two-sided t-test at 5 % / 4 finds a change of |ln(1 + change)| /
//   s
//       standard deviations with 80 % power; at least 5, at most 20
//   detectable = the change that n runs a side find with that power
//
// `model` nullptr or with fewer than 20 complete requests: w is not known, and n is the default of 5.
// Never fewer runs than `at_least`.
[[nodiscard]] ProofSize proof_size(const RequestModel* model, std::optional<double> change,
                                   std::int64_t at_least);

// "for i in 1 2 3; do profiler trace ... --output trace_after_step1_run$i.pb; done" and
// "a_run1.pb,a_run2.pb".
[[nodiscard]] std::string record_loop(std::string_view command, std::string_view stem, std::int64_t runs);
[[nodiscard]] std::string run_list(std::string_view stem, std::int64_t runs);

} // namespace prof::detail
