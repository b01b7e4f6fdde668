// diagnosis.hpp: from a sealed trace to ranked causes. Pure: the same store and rules give the same
// diagnosis.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"
#include "rules/problem.hpp"
#include "rules/rule.hpp"
#include "store/sql.hpp"
#include "store/store.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace prof {

// A span to open in the timeline.
struct ExampleSlice {
  std::int64_t slice_id = 0, ts_ns = 0, dur_ns = 0;
  std::string name;
  // Of a call that launched kernels: the longest of them, and how many.
  struct Launched {
    std::string name;
    std::int64_t ts_ns = 0, dur_ns = 0, n = 0;
  };
  std::optional<Launched> launched{};
};
struct EvidenceResult {
  std::string name, text, unit, sql;
  std::optional<double> value; // nullopt = could not be had
  std::optional<Threshold> threshold;
  double weight = 0; // what it added to the log-odds
  bool is_key = false;
  std::vector<ExampleSlice> examples;
};
struct MissingSignal {
  std::string signal, reason, mend, detail; // texts in the language asked for
};
// The cause's part of the time of the requests; 95 % interval of the ratio estimator over requests.
struct Share {
  std::string unit = "request"; // or "run" where operators are not linked to requests; "thread" for the
                                // recorded time of threads; "device" for the windows of the devices; "value"
                                // for a plain ratio
  double mean = 0, slow = 0;
  double mean_low = 0, mean_high = 0;
  std::optional<double> of_service; // of the time without queue wait
  std::string sql;                  // the rows (unit, ns) or the ratio that the share was taken from
  std::string word = "request"; // what the units are to people: "iteration" where a reader hands over steps
};
// Few units, or a share of all there is, have no interval: both ends are the figure itself.
[[nodiscard]] inline bool has_interval(const Share& share) {
  return share.mean_low < share.mean_high;
}
struct SimilarCase {
  std::string id, title, outcome;
};
struct Cause {
  std::string id, cause_class, title, summary;
  double confidence = 0;
  Share share;
  std::vector<EvidenceResult> evidence, against;
  std::vector<std::string> could_not_look_at; // evidence names without data, each lowering the confidence
  std::vector<std::pair<std::string, std::string>> rules_out; // cause id, how it is told apart
  std::vector<std::string> symptom_of;                        // causes that explain this one
  std::vector<ExampleSlice> examples;
  std::vector<SimilarCase> similar_cases; // filled by whoever has a case library
  std::vector<std::string> actions;
  std::vector<std::string> advice{}; // ids that are no action of the plan (plan/applies.hpp)
};
struct ClearRule {
  std::string id, title, looked_at;
  double share = 0;
};
struct NotApplicableRule {
  std::string id, title, why;
};
struct CannotTellRule {
  std::string id, title;
  std::vector<MissingSignal> missing;
};
struct LimitResult {
  Limit limit;
  std::optional<double> observed;
  std::optional<bool> is_exceeded; // nullopt = the metric is not in the trace
  MissingSignal missing;           // why, then
};
// "request", "model runs": the word for `n` units of this kind ("iteration" are steps to people).
[[nodiscard]] std::string_view unit_name(std::string_view word, std::int64_t n, Lang lang);
struct RequestStats {
  std::string unit = "request"; // or "run", "iteration"; "thread" where the trace has none of them
  std::int64_t n = 0, n_slow = 0;
  double mean_ns = 0, p50_ns = 0, p90_ns = 0, p95_ns = 0, p99_ns = 0, max_ns = 0;
  double per_second = 0;
  std::int64_t n_cut_off = 0;   // more, which the recording cut off: in no figure
  std::string word = "request"; // what they are to people, as in Share
  std::int64_t n_ranks = 0; // of steps: how many ranks recorded them, 0 = not said; n and the figures are of
                            // the job's steps, of which each takes as long as on its slowest rank
  std::vector<std::string> names{}; // of steps: without their numbers, the most frequent ones first
};
// The recorded time of the service's threads, where nothing in the trace marks a unit of work.
struct ThreadUnit {
  std::int64_t n = 0, n_all = 0; // threads whose time it is; all threads of the service
  double total_ns = 0;           // of the n together
  std::string process;           // name of the first process; empty = not known
  bool is_cpu_time_only = false; // no scheduler was recorded: waiting is not seen
};
// Shares of request wall time by class, in the order of the classes; each sums to 1.
struct Accounting {
  std::vector<std::pair<std::string, double>> all, slow; // of threads `slow` is empty
  double unexplained = 0;
  // Of threads: the operator types or functions that ran longest, and "" for the others; they sum to the
  // classes on a CPU.
  std::vector<std::pair<std::string, double>> running{};
  // What the host was in, largest own time first, "" for the others; the rows of a class sum to it.
  struct Call {
    std::string time_class, name;
    double share = 0;
  };
  std::vector<Call> calls{};
};
// Shares of the windows of all devices by class, each class once; they sum to 1.
struct DeviceAccounting {
  std::int64_t n_devices = 0;
  double window_ns = 0; // all devices together
  struct Class {
    std::string id;
    double share = 0;
    std::string sql; // gives the share
  };
  std::vector<Class> classes;
};
// The idle time of the devices, where it is a large part of their windows and no cause that was found
// explains it.
struct UnexplainedIdle {
  double share = 0;                                   // of the windows, without the time between requests
  std::vector<MissingSignal> why;                     // of the rules that could not decide
  std::vector<std::pair<std::string, double>> host{}; // calls that the launching thread was in meanwhile,
                                                      // largest first, as shares of the windows
  bool has_requests = false;                          // else it cannot be told whether there was any work
};
struct Diagnosis {
  std::string trace_path, trace_sha256, target;
  std::int64_t start_ns = 0; // of the trace on its own clock; the views show times from here
  std::int64_t duration_ns = 0;
  std::string problem;
  std::vector<MissingSignal> problem_missing; // the problem itself cannot be seen in this trace
  std::optional<LimitResult> threshold;
  RequestStats requests;             // without any (n = 0) where `threads` stand for them
  std::optional<ThreadUnit> threads; // the unit of every share, then
  std::optional<Accounting> accounting;
  std::optional<DeviceAccounting> device_accounting;
  std::optional<UnexplainedIdle> unexplained_idle;
  std::vector<Cause> causes; // by share x confidence, symptoms last
  std::vector<ClearRule> clear;
  std::vector<NotApplicableRule> not_applicable;
  std::vector<CannotTellRule> cannot_tell;
  std::vector<std::string> notes;
};

struct DiagnoseOptions {
  std::string problem = "auto";
  std::optional<Limit> limit;
  Lang lang = Lang::en;
  std::string trace_path, trace_sha256; // for the report only
};
// Errors: bad_argument (unknown problem), those of Sql::open.
[[nodiscard]] Result<Diagnosis> diagnose(const Store& store, const std::vector<Rule>& rules,
                                         const DiagnoseOptions& options);

// Confidence numbers are prior weights until a benchmark has calibrated them; every report says so in these
// words.
inline constexpr std::string_view kConfidenceBasis = "uncalibrated prior weights; see docs/diagnosis.md";
// The highest confidence an uncalibrated rule may claim.
inline constexpr double kUncalibratedCap = 0.90;
// With a larger part of the records lost, or an unknown one (a file that was cut off), nothing is called
// clear: what was not seen may have been lost. What is found all the same claims no more than kLossyCap
// (docs/diagnosis.md).
inline constexpr double kMaxLostShare = 0.05;
inline constexpr double kLossyCap = 0.70;
// What "found" takes at least.
inline constexpr double kFoundConfidence = 0.5;
// Below this share of the target latency nothing is a root cause (docs/diagnosis.md).
inline constexpr double kMaterialShare = 0.02;
// From this share of the windows on idle time is a question that the report answers by itself: Ascend
// msprof-analyze advisor: free time above 10 % of the step is a bottleneck.
inline constexpr double kIdleShare = 0.10;
// The slowest part of the requests that "slow" means everywhere.
inline constexpr double kSlowBand = 0.05;

} // namespace prof
