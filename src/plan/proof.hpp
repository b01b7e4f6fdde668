// proof.hpp: how many runs of which length prove a step, and the commands that record and compare them.
#pragma once
#include "plan/plan.hpp"
#include "plan/replay.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prof::detail {

// A permutation of run labels must be able to beat 5 % after Holm's correction over the four metrics:
// 2 / C(2n, n) < 0.05 / 4 holds from five runs a side on. More than thirty pairs nobody makes by hand.
inline constexpr std::int64_t kFewestPairs = 5, kMostPairs = 30;
inline constexpr int kProofMetrics = 4;
// What runs of the same service are assumed to differ by: as `validate --run_noise`, because one trace cannot
// show it.
inline constexpr double kRunNoise = 0.03;
// Assumed: what a restart and its warm-up cost before each run.
inline constexpr double kRestartSeconds = 30;
// Below a hundred requests the 99th percentile of a run is its slowest request.
inline constexpr double kRequestsOfRun = 100;
inline constexpr double kShortestRun = 10, kLongestRun = 300; // seconds

// The runs that one trace and a predicted change of its mean latency ask for.
//
//   v  = variance of the relative mean latency of one second: (standard error by batch means)^2 * length
//   s^2(T) = v / T + 0.03^2                  one run of T seconds
//   T  = sqrt(30 s * v) / 0.03               the length of least total time (Kalibera & Jones 2013); at least
//                                            a hundred requests, 10 s to 300 s, whole tens
//   n  = the fewest pairs for which the two-sided t-test at 5 % / 4 finds |ln(1 + change)| / s(T) standard
//        deviations with 80 % power; where that is more than 30, T grows up to 300 s until 30 are enough
//
// Where no such T exists, is_enough is false, and the pairs are the five that can show the step to be worse.
// `model` nullptr or with fewer than 20 complete requests: v is not known; five runs of the trace's length.
[[nodiscard]] ProofSize proof_size(const RequestModel* model, double trace_s, std::optional<Change> change);

// What can show a change of this trace: ids for `validate --metrics`, at most kProofMetrics, each with a
// value here. Latency where there are units of work; else what needs none. Empty: nothing has a value.
[[nodiscard]] std::vector<std::string> proof_metrics(const Store& store);

// Both changes, one after the other.
[[nodiscard]] Change joined(const Change& a, const Change& b);

// "for i in 1 2 3; do profiler import ... --output trace_after_step1_run$i.pb; done" and
// "a_run1.pb,a_run2.pb".
[[nodiscard]] std::string record_loop(std::string_view command, std::string_view stem, std::int64_t runs);
[[nodiscard]] std::string run_list(std::string_view stem, std::int64_t runs);

// The lines of a script that records `size.pairs` pairs in turns (before, after; after, before; ...: a drift
// of the machine falls on both sides). Its two arguments are the commands that start the service as it was
// and as it is; without them it asks. A run whose file is there is not made again; a recording that was cut
// off (the recorder was killed, or told to stop: then its status is 0 as well) never gets that name.
struct ProofScript {
  std::string before, after;         // stems of the recordings
  std::string record;                // "profiler trace --target=...", without --duration and --output
  std::string ask_before, ask_after; // what a person is to do
  std::string tell_short;            // what is said of a recording that ended early
  std::int64_t run_s = 0;            // how long a recording is
};
[[nodiscard]] std::vector<std::string> proof_script(const ProofScript& words, std::int64_t pairs);

} // namespace prof::detail
