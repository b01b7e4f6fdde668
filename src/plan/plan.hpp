// plan.hpp: from a diagnosis to steps, one change at a time, each with a replayed gain.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"
#include "plan/action.hpp"
#include "plan/diagnosis_file.hpp"
#include "plan/replay.hpp"
#include "store/sql.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace prof {

enum class Priority : std::uint8_t { latency_first, throughput_first, memory_first, power_first, cost_first };
enum class RiskTolerance : std::uint8_t { low, medium, high };
// Errors: bad_argument lists the words allowed.
[[nodiscard]] Result<Priority> parse_priority(std::string_view text);
[[nodiscard]] Result<RiskTolerance> parse_risk_tolerance(std::string_view text);
[[nodiscard]] std::string_view priority_name(Priority value);
[[nodiscard]] std::string_view risk_tolerance_name(RiskTolerance value);

struct PlanFile {
  std::string name{}, content{};
  bool is_executable = false;
};
// A change of the time of a unit that is no request: -0.14 = 14 % less of it. low and high are the ends of
// the assumed ranges.
struct ShareGain {
  std::string unit; // "thread", "run" or "iteration"
  Change change;
};
// The most that a change can save where nothing predicts how much it does: all the time its causes take.
struct GainCeiling {
  std::string unit; // of time: "request", "run", "iteration", "thread" or "device"
  double share = 0; // of it, 0..1
};
// The experiment that proves a step: pairs of runs, before and after in turns (src/plan/proof.hpp has the
// formulas).
struct ProofSize {
  std::int64_t pairs = 0;          // recorded
  std::int64_t run_s = 0;          // length of each run
  std::int64_t total_s = 0;        // of all runs, with a restart before each
  std::int64_t needed = 0;         // pairs of that length that the change asks for; 0 = nothing is predicted
  std::int64_t needed_at_weak = 0; // the same for the weak end of its interval; 0 = none is enough
  std::optional<double> within_run{}; // relative standard error of one run's mean; nullopt = not known
  std::optional<double> change{};     // predicted, of the mean latency, by the steps proved here
  std::optional<double> weak{};       // the end of its interval that is nearest to no change
  std::optional<double> detectable{}; // the relative change that `pairs` find with 80 % power
  bool is_enough = true;              // a sensible number of runs shows the change
  std::size_t from_step = 0;          // the first of the steps that are proved here, from 1
  std::size_t with_step = 0;          // the later step whose proof holds this step too; 0 = its own
};
struct PlanStep {
  std::string action{}, title{}, why{}, rollback{}, risk_text{}, action_class{};
  std::vector<std::string> causes{}; // ids that it mends
  std::vector<std::string> cause_titles{};
  double confidence = 0; // of the likeliest of them
  std::vector<std::string> instructions{};
  std::vector<std::string> commands{}, rollback_commands{}; // placeholders filled and quoted for a shell
  std::vector<std::string> open_places{}; // what the trace could not fill, as the commands name it: "MODEL"
  std::vector<std::string> files{};       // names in Plan::files
  std::optional<Gain> gain{};             // nullopt = cannot be replayed
  std::optional<ShareGain> share_gain{};  // where the trace has no requests to replay
  std::optional<GainCeiling> ceiling{};   // where neither is known
  std::vector<std::string> assumptions{}; // of the gain, with their source
  std::vector<Effect> effects{};          // what was replayed
  double risk = 0, effort_hours = 0;
  bool is_reversible = true, changes_numbers = false;
  bool is_search = false;      // changes nothing: it looks for the cause
  bool is_about_start = false; // the first requests are what it mends
  // What records the runs (of a trace of another tool: imports them, those before the step apart) and what
  // compares them. Empty where the step is proved together with a later one, changes nothing, or no metric
  // can be had.
  std::string before_command{}, record_command{}, validate_command{};
  ProofSize proof{};
};
struct LeftOut {
  std::string action{}, title{}, why{};
  std::optional<Gain> gain{};
};
// A cause of the diagnosis that neither a step nor an action left out is about.
struct OpenCause {
  std::string id{}, title{}, unit{}; // unit: of the time that the shares are of; empty = not known
  double share_mean = 0, share_slow = 0;
};
struct Plan {
  std::string trace_path{}, trace_sha256{}, target{}, problem{};
  std::string imported_from{};              // the format of a trace that another tool recorded; empty = ours
  std::string unit{"request"};              // what is replayed: "request", "run" or "iteration"
  std::vector<std::string> proof_metrics{}; // that this trace has a value of; empty = nothing proves a step
  Priority priority = Priority::latency_first;
  RiskTolerance tolerance = RiskTolerance::medium;
  std::vector<PlanStep> steps{};
  std::optional<Gain> combined{}; // all steps with a gain together, simulated
  std::vector<LeftOut> left_out{};
  std::vector<OpenCause> open_causes{};
  std::vector<PlanFile> files{};
  std::vector<std::string> notes{};
  std::optional<ReplayOutcome> baseline{}; // of the replay without a change
  std::optional<ReplayError> replay_error{};
  std::int64_t requests = 0;
  std::int64_t job_steps =
      0; // where `requests` are the parts that several ranks ran of so many steps; else 0
};

struct PlanOptions {
  Priority priority = Priority::latency_first;
  RiskTolerance tolerance = RiskTolerance::medium;
  Lang lang = Lang::en;
  std::string trace_path{};
  std::string folder{}; // where the plan's files go, as a reader of the plan would name it; empty = here
  int draws = 1000;
};
// Pure: the same diagnosis, actions and store give the same plan.
[[nodiscard]] Result<Plan> make_plan(const DiagnosisFile& diagnosis, const std::vector<Action>& actions,
                                     const Store& store, const PlanOptions& options);

// "6 steps": what was replayed.
[[nodiscard]] std::string replayed_units(const Plan& plan, Lang lang);

// One word for a POSIX shell: whatever the text holds, it stays one argument.
[[nodiscard]] std::string shell_quote(std::string_view text);

} // namespace prof
