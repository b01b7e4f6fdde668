// validate.hpp: before and after traces -> a verdict per metric that can be believed. docs/statistics.md says
// why each method was chosen.
#pragma once
#include "verdict/run_facts.hpp"
#include "verdict/value_test.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace prof {

enum class Outcome : std::uint8_t { better, worse, changed, no_change, too_little_data, unavailable };
[[nodiscard]] std::string_view outcome_name(Outcome outcome); // "better", machine name
// Nobody repeats a run more often a side: beyond it reports speak of the spread and give no number.
inline constexpr std::int64_t kMostSensibleRuns = 1000;
// What one value of the test stands for.
enum class Unit : std::uint8_t { run, batch, request };

struct ValidateOptions {
  TestKind test = TestKind::automatic;
  double alpha = 0.05;
  double run_noise =
      0.03; // assumed spread (sd, relative) of one system's repeated runs; used with one trace a side only
  double min_effect = 0.01; // a significant change below this is called small
  bool is_paired = false;   // before[i] and after[i] belong together (interleaved pairs)
  bool cuts_warm_up = true;
  // Metric id -> the relative change that was predicted for it: what `needed` is then computed for.
  std::map<std::string, double> expected{};
  int draws = 2000;
  std::uint64_t seed = 20240601;
};

struct MetricVerdict {
  MetricDef metric;
  Outcome outcome = Outcome::unavailable;
  bool is_within_run = false; // one trace a side: between-run noise assumed, not measured
  bool is_small = false;      // significant, yet below min_effect
  bool is_equivalent = false; // shown to lie within +-margin (TOST)
  std::optional<double> before{}, after{};
  bool is_geometric = false; // before and after are geometric means over the runs: their logs were tested
  // Percentiles, whose before and after are Harrell-Davis estimates: what compute_metric says (type 7, all
  // requests), averaged over the runs as before and after are.
  std::optional<double> plain_before{}, plain_after{};
  std::optional<double> change{};                // after / before - 1; absent where before is 0
  std::optional<ConfidenceInterval> change_ci{}; // 95 %; with is_within_run it includes the assumed run noise
  std::optional<ConfidenceInterval> within_ci{}; // 95 %, within these two runs only
  std::optional<double> difference{};            // after - before, in the metric's unit
  double cliffs_delta = 0, hedges_g = 0;
  double p = 1, p_corrected = 1;
  Method method = Method::none;
  bool is_method_replaced = false; // another test was asked for, which cannot answer this metric's question
  Unit unit = Unit::run;
  std::size_t n_before = 0, n_after = 0;              // values tested
  std::int64_t samples_before = 0, samples_after = 0; // requests, readings ... behind them
  double margin = 0;                                  // equivalence margin of this kind of metric
  std::optional<double> expected{};                   // the change that was predicted
  std::optional<double> detectable{}; // smallest relative change found in 4 of 5 such experiments
  std::optional<std::int64_t>
      needed{}; // runs a side to find sought() (no_change); or samples a side (needs_samples)
  bool needs_samples = false;
  bool is_thin_tail = false;
  std::string reason{}, mend{}, detail{};        // when unavailable: text ids and detail
  bool has_before = false, has_after = false;    // when unavailable: one side may have it
  std::vector<double> run_before{}, run_after{}; // value of every run, for the run-order plot
  // The relative change that this comparison looks for; detectable and needed hold for the level of the first
  // step of Holm's correction.
  [[nodiscard]] double sought() const { return expected ? std::fabs(*expected) : margin; }
};

enum class CheckState : std::uint8_t { pass, warn, fail, unknown };
[[nodiscard]] std::string_view check_state_name(CheckState state); // "pass", machine name
struct Check {
  std::string id{}; // "offered_load"; text ids verdict.check.<id> and verdict.check.<id>.why
  CheckState state = CheckState::unknown;
  double before = 0, after = 0;
  std::string unit = {};                         // of before and after; empty: see the texts below
  std::string before_text = {}, after_text = {}; // instead of numbers
  // An answer may be "cannot tell" although both figures are known.
  [[nodiscard]] bool has_numbers() const {
    return !unit.empty() && (state != CheckState::unknown || before != 0 || after != 0);
  }
};

struct RunSummary {
  std::string path{}, sha256{};
  std::int64_t start_realtime_ns = 0, window_ns = 0, requests = 0, errors = 0, lost = 0;
  std::size_t warm_up = 0; // leading requests left out
};

struct Validation {
  ValidateOptions options;
  bool is_within_run = false;
  std::vector<RunSummary> before{}, after{};
  std::vector<MetricVerdict> metrics{};
  std::vector<Check> checks{};
  // Latency distributions for the plots: request durations of all runs of a side, warm-up left out,
  // ascending.
  std::vector<double> latency_before{}, latency_after{};
  // With one trace a side: medians of up to 40 equal groups of requests in time order, for the order plot.
  std::vector<double> order_before{}, order_after{};

  [[nodiscard]] bool has_regression() const;   // a metric is significantly worse, by more than min_effect
  [[nodiscard]] bool has_failed_check() const; // the sides are not comparable
  [[nodiscard]] bool has_unavailable() const;
};

// Errors: bad_argument (a side without runs, pairs of unequal number, traces with different units of work).
// The runs' metrics are parallel to `metrics`.
[[nodiscard]] Result<Validation> validate(std::span<const MetricDef> metrics,
                                          std::span<const RunFacts> before, std::span<const RunFacts> after,
                                          const ValidateOptions& options);

// The parts, for the tests and for gate.
[[nodiscard]] MetricVerdict judge_metric(const MetricDef& metric, std::size_t index,
                                         std::span<const RunFacts> before, std::span<const RunFacts> after,
                                         std::size_t metric_count, const ValidateOptions& options);
// Whether both sides ran one model, converted or not (docs/statistics.md): unknown where a side has no
// operators.
[[nodiscard]] CheckState are_one_model(const OpFacts& before, const OpFacts& after);
[[nodiscard]] std::vector<Check> check_sides(std::span<const RunFacts> before,
                                             std::span<const RunFacts> after);
// The leading requests of a run that are warm-up.
[[nodiscard]] std::size_t warm_up_of(const RunFacts& run);

} // namespace prof
