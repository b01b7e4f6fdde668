#include "plan/plan.hpp"

#include "plan/fill.hpp"
#include "plan/request_model.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace prof {
namespace {

constexpr std::array<std::string_view, 5> kPriorities{"latency_first", "throughput_first", "memory_first",
                                                      "power_first", "cost_first"};
constexpr std::array<std::string_view, 3> kTolerances{"low", "medium", "high"};
constexpr double kWorthwhile = 0.01; // of the gain a step must add; research/statistics.md section 5
constexpr int kMinRequests = 20;     // below this a percentile of a replay means nothing

// Weights of p99, p50, throughput, cost and memory by priority; penalties of risk and effort by tolerance.
// Source: research/statistics.md section 5; memory_first and power_first follow cost_first with their own
// first place.
struct Weights {
  double p99, p50, throughput, cost, memory;
};
constexpr std::array<Weights, 5> kWeights{{{0.45, 0.25, 0.15, 0.15, 0.0},
                                           {0.15, 0.05, 0.60, 0.20, 0.0},
                                           {0.15, 0.05, 0.10, 0.10, 0.60},
                                           {0.10, 0.05, 0.15, 0.70, 0.0},
                                           {0.10, 0.05, 0.25, 0.60, 0.0}}};
constexpr std::array<double, 3> kRiskPenalty{1.0, 0.5, 0.2};
constexpr std::array<double, 3> kRiskLimit{0.2, 0.5, 1.0};
constexpr double kEffortPenalty = 0.005; // per hour
constexpr double kPenaltyScale = 0.1;    // risk 1 weighs as much as a tenth of all latency at penalty 1

template <class T, std::size_t N>
Result<T> word_of(const std::array<std::string_view, N>& words, std::string_view text,
                  std::string_view option) {
  const auto at = std::find(words.begin(), words.end(), text);
  if (at != words.end()) return static_cast<T>(at - words.begin());
  std::string allowed;
  for (const std::string_view word : words)
    allowed.append(allowed.empty() ? "" : ", ").append(word);
  return Error{
      Errc::bad_argument, fmt::format("{} '{}' is not one of {}", option, text.substr(0, 100), allowed), {}};
}

struct Candidate {
  const Action* action = nullptr;
  std::vector<const DiagnosedCause*> causes;
  [[nodiscard]] double weight() const { // of a candidate whose gain cannot be replayed
    double best = 0;
    for (const DiagnosedCause* cause : causes)
      best = std::max(best, cause->confidence * std::max(cause->share_mean, cause->share_slow));
    return best;
  }
};

class Planner {
public:
  Planner(const DiagnosisFile& diagnosis, const std::vector<Action>& actions, const Store& store,
          const PlanOptions& options)
      : diagnosis_(diagnosis), actions_(actions), store_(store), options_(options) {}
  Result<Plan> run();

private:
  void load_model();
  void collect();
  void leave_out(const Candidate& candidate, std::string why, std::optional<Gain> gain = {});
  [[nodiscard]] std::optional<std::string> refuse(const Action& action) const;
  [[nodiscard]] bool is_replayable(const Action& action) const;
  [[nodiscard]] double score(const Gain& gain, const Action& action) const;
  void pick_replayed();
  void pick_others();
  void drop_conflicts();
  void add_step(const Candidate& candidate, std::optional<Gain> gain);
  void fill_step(PlanStep& step, const Action& action, std::size_t number);
  void write_files();
  void add_files(PlanStep& step, const Action& action, std::size_t number, bool is_last_model_step);

  const DiagnosisFile& diagnosis_;
  const std::vector<Action>& actions_;
  const Store& store_;
  const PlanOptions& options_;
  std::optional<RequestModel> model_;
  detail::Places places_;
  std::vector<detail::Places> models_;
  std::vector<Candidate> candidates_;
  std::vector<const Action*> picked_;
  std::vector<const Effect*> effects_; // of the picked
  Plan plan_;
};

std::string t(Lang lang, std::string_view id) {
  return std::string(text(lang, id));
}

void Planner::load_model() {
  auto sql = Sql::open(store_);
  if (!sql) {
    plan_.notes.push_back(say(options_.lang, "plan.note.no_replay", fmt::arg("why", sql.error().what)));
    return;
  }
  auto model = make_request_model(store_, *sql);
  if (!model) {
    plan_.notes.push_back(say(options_.lang, "plan.note.no_replay", fmt::arg("why", model.error().what)));
    return;
  }
  plan_.requests = std::ssize(model->requests);
  model_ = *std::move(model);
  plan_.baseline = summarise(replay(*model_, {}), *model_);
  plan_.replay_error = replay_error(*model_);
  if (plan_.requests < kMinRequests)
    plan_.notes.push_back(say(options_.lang, "plan.note.few_requests", fmt::arg("n", plan_.requests)));
  if (plan_.replay_error->mean > 0.1 || plan_.replay_error->p99 > 0.2)
    plan_.notes.push_back(say(options_.lang, "plan.note.replay_off",
                              fmt::arg("mean", fmt::format("{:.0f}", 100 * plan_.replay_error->mean)),
                              fmt::arg("p99", fmt::format("{:.0f}", 100 * plan_.replay_error->p99))));
}

void Planner::leave_out(const Candidate& candidate, std::string why, std::optional<Gain> gain) {
  plan_.left_out.push_back({.action = candidate.action->id,
                            .title = candidate.action->title.in(options_.lang),
                            .why = std::move(why),
                            .gain = gain});
}

// Why an action is too risky for this plan; nullopt when it is not.
std::optional<std::string> Planner::refuse(const Action& action) const {
  const double limit = kRiskLimit[static_cast<std::size_t>(options_.tolerance)];
  if (action.risk > limit)
    return say(options_.lang, "plan.left.risk", fmt::arg("risk", fmt::format("{:.2f}", action.risk)),
               fmt::arg("limit", fmt::format("{:.2f}", limit)),
               fmt::arg("tolerance", risk_tolerance_name(options_.tolerance)),
               fmt::arg("why", action.risk_text.in(options_.lang)));
  if (options_.tolerance == RiskTolerance::low && !action.is_reversible)
    return t(options_.lang, "plan.left.irreversible");
  if (options_.tolerance == RiskTolerance::low && action.changes_numbers)
    return t(options_.lang, "plan.left.numbers");
  return std::nullopt;
}

void Planner::collect() {
  for (const DiagnosedCause& cause : diagnosis_.causes)
    for (const std::string& id : cause.actions) {
      const Action* action = find_action(actions_, id);
      if (action == nullptr) {
        plan_.left_out.push_back({.action = id,
                                  .title = id,
                                  .why = say(options_.lang, "plan.left.unknown", fmt::arg("cause", cause.id)),
                                  .gain = {}});
        continue;
      }
      const auto at = std::find_if(candidates_.begin(), candidates_.end(),
                                   [&](const Candidate& c) { return c.action == action; });
      if (at != candidates_.end())
        at->causes.push_back(&cause);
      else
        candidates_.push_back({action, {&cause}});
    }
  std::vector<Candidate> allowed;
  for (const Candidate& candidate : candidates_) {
    if (auto why = refuse(*candidate.action)) {
      std::optional<Gain> gain;
      std::vector<const Effect*> own;
      for (const Effect& effect : candidate.action->effects)
        own.push_back(&effect);
      if (is_replayable(*candidate.action)) gain = predict_gain(*model_, {}, own, options_.draws / 4);
      leave_out(candidate, *std::move(why), gain);
    } else {
      allowed.push_back(candidate);
    }
  }
  candidates_ = std::move(allowed);
}

bool Planner::is_replayable(const Action& action) const {
  return model_.has_value() && !action.effects.empty();
}

double Planner::score(const Gain& gain, const Action& action) const {
  const Weights& w = kWeights[static_cast<std::size_t>(options_.priority)];
  const double gains = -w.p99 * gain.p99.typical - w.p50 * gain.p50.typical +
                       w.throughput * gain.capacity.typical - w.cost * gain.work.typical -
                       0.1 * w.memory * action.memory - gain.refused_share;
  return gains - kPenaltyScale * kRiskPenalty[static_cast<std::size_t>(options_.tolerance)] * action.risk -
         kEffortPenalty * action.effort_hours;
}

void Planner::drop_conflicts() {
  std::vector<Candidate> left;
  for (const Candidate& candidate : candidates_) {
    const Action* other = nullptr;
    for (const Action* picked : picked_) {
      const auto names = [](const Action& a, const Action& b) {
        return std::find(a.conflicts.begin(), a.conflicts.end(), b.id) != a.conflicts.end();
      };
      if (names(*candidate.action, *picked) || names(*picked, *candidate.action)) other = picked;
    }
    if (other == nullptr)
      left.push_back(candidate);
    else
      leave_out(candidate,
                say(options_.lang, "plan.left.conflict", fmt::arg("other", other->title.in(options_.lang))));
  }
  candidates_ = std::move(left);
}

std::vector<const Effect*> effects_of(const Action& action) {
  std::vector<const Effect*> effects;
  for (const Effect& effect : action.effects)
    effects.push_back(&effect);
  return effects;
}

// Greedy: the best next step given the steps before it, replayed anew after each pick, until nothing adds a
// hundredth.
void Planner::pick_replayed() {
  for (;;) {
    drop_conflicts();
    const Candidate* best = nullptr;
    double best_score = 0;
    for (const Candidate& candidate : candidates_) {
      if (!is_replayable(*candidate.action)) continue;
      const Gain gain = predict_gain(*model_, effects_, effects_of(*candidate.action), 0);
      if (const double value = score(gain, *candidate.action); best == nullptr || value > best_score) {
        best = &candidate;
        best_score = value;
      }
    }
    if (best == nullptr) return;
    const Candidate chosen = *best;
    std::erase_if(candidates_, [&](const Candidate& c) { return c.action == chosen.action; });
    const Gain gain = predict_gain(*model_, effects_, effects_of(*chosen.action), options_.draws);
    const double most = std::max({-gain.mean.typical, -gain.p50.typical, -gain.p99.typical,
                                  gain.capacity.typical, -gain.work.typical});
    const double surest =
        std::max({-gain.mean.high, -gain.p50.high, -gain.p99.high, gain.capacity.low, -gain.work.high});
    if (most < kWorthwhile) {
      leave_out(chosen, t(options_.lang, "plan.left.small"), gain);
    } else if (surest <= 0) {
      leave_out(chosen, t(options_.lang, "plan.left.unsure"), gain);
    } else if (best_score <= 0) {
      leave_out(chosen, t(options_.lang, "plan.left.not_worth"), gain);
    } else {
      add_step(chosen, gain);
    }
  }
}

// What cannot be replayed comes last, by how sure and how large its cause is.
void Planner::pick_others() {
  drop_conflicts();
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.weight() > b.weight(); });
  const std::vector<Candidate> rest = candidates_;
  for (const Candidate& candidate : rest) {
    const bool is_waiting = std::any_of(candidates_.begin(), candidates_.end(),
                                        [&](const Candidate& c) { return c.action == candidate.action; });
    if (!is_waiting) continue;
    std::erase_if(candidates_, [&](const Candidate& c) { return c.action == candidate.action; });
    add_step(candidate, std::nullopt);
    drop_conflicts();
  }
}

void Planner::add_step(const Candidate& candidate, std::optional<Gain> gain) {
  const Action& action = *candidate.action;
  const Lang lang = options_.lang;
  PlanStep step{.action = action.id,
                .title = action.title.in(lang),
                .why = action.why.in(lang),
                .rollback = action.rollback.in(lang),
                .risk_text = action.risk_text.in(lang),
                .action_class = std::string(action_class_name(action.action_class)),
                .gain = gain,
                .risk = action.risk,
                .effort_hours = action.effort_hours,
                .is_reversible = action.is_reversible,
                .changes_numbers = action.changes_numbers};
  for (const DiagnosedCause* cause : candidate.causes) {
    step.causes.push_back(cause->id);
    step.cause_titles.push_back(cause->title.empty() ? cause->id : cause->title);
    step.confidence = std::max(step.confidence, cause->confidence);
  }
  for (const TextPair& line : action.steps)
    step.instructions.push_back(line.in(lang));
  for (const Effect& effect : action.effects)
    step.assumptions.push_back(effect.source.in(lang));
  picked_.push_back(&action);
  if (gain)
    for (const Effect& effect : action.effects)
      effects_.push_back(&effect);
  plan_.steps.push_back(std::move(step));
}

// How many requests a side make a change of the mean visible: two-sided 5 %, power 80 %, (1.96 + 0.84)^2
// = 7.84.
std::int64_t requests_needed(const RequestModel& model, double change) {
  if (change == 0 || model.requests.size() < 2) return 0;
  double sum = 0, squares = 0;
  for (const ReplayRequest& request : model.requests)
    sum += static_cast<double>(request.latency_ns);
  const double mean = sum / static_cast<double>(model.requests.size());
  for (const ReplayRequest& request : model.requests)
    squares += std::pow(static_cast<double>(request.latency_ns) - mean, 2);
  const double variance = squares / static_cast<double>(model.requests.size() - 1);
  if (mean <= 0) return 0;
  const double n = 2 * 7.84 * variance / std::pow(mean * change, 2);
  return n > 1e9 ? 0 : std::max<std::int64_t>(30, static_cast<std::int64_t>(std::ceil(n)));
}

void Planner::fill_step(PlanStep& step, const Action& action, std::size_t number) {
  detail::Places places = places_;
  places["fusion_config"] = "fusion_config.json";
  for (const std::string& command : action.commands) {
    const bool is_per_model = command.find("{model}") != std::string::npos && !models_.empty();
    for (const detail::Places& model : is_per_model ? models_ : std::vector<detail::Places>{{}}) {
      detail::Places all = places;
      all.insert(model.begin(), model.end());
      step.commands.push_back(detail::fill(command, all, true, step.open_places));
    }
  }
  std::vector<std::string> ignored;
  for (const std::string& command : action.rollback_commands)
    step.rollback_commands.push_back(detail::fill(command, places, true, ignored));
  const std::string after = fmt::format("trace_after_step{}.pb", number);
  const std::string target =
      places.contains("target") ? shell_quote(places.find("target")->second) : std::string("TARGET");
  const double seconds =
      std::clamp(std::ceil(static_cast<double>((store_.end() - store_.start()).ns) / 1e9), 10.0, 3600.0);
  step.record_command = fmt::format(
      "profiler trace --target {} --scope full_stack --duration {:.0f}s --output {}", target, seconds, after);
  const std::string before =
      number == 1 ? shell_quote(options_.trace_path) : fmt::format("trace_after_step{}.pb", number - 1);
  step.validate_command = fmt::format("profiler validate --before {} --after {} --metrics "
                                      "\"p99_latency,p50_latency,mean_latency,throughput\" "
                                      "--statistical_test auto --output validation_step{}.md",
                                      before, after, number);
  if (step.gain && model_) step.requests_needed = requests_needed(*model_, step.gain->mean.typical);
}

void Planner::add_files(PlanStep& step, const Action& action, std::size_t number, bool is_last_model_step) {
  std::vector<std::string> ignored;
  if (!action.atc_passes.empty()) {
    // Each conversion starts from the original model, so a step's file also holds the steps before it.
    const std::vector<const Action*> until(picked_.begin(),
                                           picked_.begin() + static_cast<std::ptrdiff_t>(number));
    const std::string name =
        is_last_model_step ? "fusion_config.json" : fmt::format("fusion_config_step{}.json", number);
    plan_.files.push_back({.name = name, .content = detail::fusion_config(actions_, until)});
    step.files.push_back(name);
    for (std::string& command : step.commands)
      if (const std::size_t at = command.find("fusion_config.json"); at != std::string::npos)
        command.replace(at, 18, name);
  }
  for (const ActionFile& file : action.files) {
    const bool is_there = std::any_of(plan_.files.begin(), plan_.files.end(),
                                      [&](const PlanFile& f) { return f.name == file.name; });
    const std::string name = is_there ? fmt::format("step{}_{}", number, file.name) : file.name;
    plan_.files.push_back({.name = name, .content = detail::fill(file.content, places_, false, ignored)});
    step.files.push_back(name);
    if (is_there)
      for (std::string& command : step.commands)
        if (const std::size_t at = command.find(file.name); at != std::string::npos)
          command.replace(at, file.name.size(), name);
  }
  const auto script = [&](std::string_view kind, const std::vector<std::string>& commands) {
    if (commands.empty()) return;
    const std::string name = fmt::format("step{}_{}.sh", number, kind);
    plan_.files.push_back(
        {.name = name, .content = detail::script_of(step.title, commands), .is_executable = true});
    step.files.push_back(name);
  };
  script("apply", step.commands);
  script("rollback", step.rollback_commands);
}

void Planner::write_files() {
  std::size_t last_model = 0;
  for (std::size_t i = 0; i < picked_.size(); ++i)
    if (!picked_[i]->atc_passes.empty()) last_model = i + 1;
  for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
    fill_step(plan_.steps[i], *picked_[i], i + 1);
    add_files(plan_.steps[i], *picked_[i], i + 1, i + 1 == last_model);
  }
}

Result<Plan> Planner::run() {
  plan_.trace_path = options_.trace_path;
  plan_.target = diagnosis_.target;
  plan_.problem = diagnosis_.problem;
  plan_.priority = options_.priority;
  plan_.tolerance = options_.tolerance;
  load_model();
  places_ = detail::places_of(store_, model_ ? &*model_ : nullptr, diagnosis_.target, options_.trace_path);
  models_ = detail::model_places(store_);
  collect();
  pick_replayed();
  pick_others();
  if (model_ && !effects_.empty()) plan_.combined = predict_gain(*model_, {}, effects_, options_.draws);
  write_files();
  return std::move(plan_);
}

} // namespace

Result<Priority> parse_priority(std::string_view text) {
  return word_of<Priority>(kPriorities, text, "priority");
}
Result<RiskTolerance> parse_risk_tolerance(std::string_view text) {
  return word_of<RiskTolerance>(kTolerances, text, "risk_tolerance");
}
std::string_view priority_name(Priority value) {
  return kPriorities[static_cast<std::size_t>(value)];
}
std::string_view risk_tolerance_name(RiskTolerance value) {
  return kTolerances[static_cast<std::size_t>(value)];
}

Result<Plan> make_plan(const DiagnosisFile& diagnosis, const std::vector<Action>& actions, const Store& store,
                       const PlanOptions& options) {
  return Planner(diagnosis, actions, store, options).run();
}

} // namespace prof
