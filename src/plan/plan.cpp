#include "plan/plan.hpp"
#include "base/format_units.hpp"

#include "plan/applies.hpp"
#include "plan/proof.hpp"
#include "plan/request_model.hpp"
#include "plan/share_gain.hpp"
#include "plan/step_writer.hpp"
#include "store/request_time.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

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
constexpr double kMemoryScale = 0.5; // memory is not replayed: more or less of it counts as half of all of it
constexpr double kPenaltyScale = 0.1; // risk 1 weighs as much as a tenth of all latency at penalty 1

template <class T, std::size_t N>
Result<T> word_of(const std::array<std::string_view, N>& words, std::string_view text,
                  std::string_view option) {
  const auto at = std::find(words.begin(), words.end(), text);
  if (at != words.end()) return static_cast<T>(at - words.begin());
  std::string allowed;
  for (const std::string_view word : words)
    allowed.append(allowed.empty() ? "" : ", ").append(word);
  return error_said(Errc::bad_argument, "error.not_one_of", {}, fmt::arg("option", option),
                    fmt::arg("value", text.substr(0, 100)), fmt::arg("allowed", allowed));
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
  [[nodiscard]] std::string why_without_effect(const Candidate& candidate) const;
  [[nodiscard]] double score(const Gain& gain, const Action& action) const;
  void scale_effects(const Candidate& candidate);
  [[nodiscard]] std::vector<const Effect*> effects_of(const Action& action) const;
  void pick_replayed();
  void pick_others();
  void drop_conflicts();
  void add_step(const Candidate& candidate, std::optional<Gain> gain);

  const DiagnosisFile& diagnosis_;
  const std::vector<Action>& actions_;
  const Store& store_;
  const PlanOptions& options_;
  std::optional<RequestModel> model_;
  detail::ServiceFacts facts_;
  std::vector<Candidate> candidates_;
  std::vector<const Action*> picked_;
  std::map<const Action*, std::vector<Effect>>
      scaled_;                         // the effects of each candidate, as far as its causes reach
  std::vector<const Effect*> effects_; // of the picked
  Plan plan_;
};

std::string t(Lang lang, std::string_view id) {
  return std::string(text(lang, id));
}

void Planner::load_model() {
  auto sql = Sql::open(store_);
  if (!sql) {
    plan_.notes.push_back(
        say(options_.lang, "plan.note.no_replay", fmt::arg("why", said_in(sql.error(), options_.lang))));
    return;
  }
  auto model = make_request_model(store_, *sql);
  const bool has_shares = std::ranges::any_of(
      diagnosis_.causes, [](const DiagnosedCause& cause) { return is_unit_of_time(cause.share_unit); });
  if (!model && has_shares) {
    plan_.notes.push_back(t(options_.lang, "plan.note.no_requests"));
    return;
  }
  if (!model) {
    plan_.notes.push_back(
        say(options_.lang, "plan.note.no_replay", fmt::arg("why", said_in(model.error(), options_.lang))));
    return;
  }
  plan_.requests = std::ranges::count(model->requests, true, &ReplayRequest::is_complete);
  model_ = *std::move(model);
  plan_.baseline = summarise(replay(*model_, {}), *model_);
  plan_.replay_error = replay_error(*model_);
  if (plan_.requests < kMinRequests)
    plan_.notes.push_back(say(options_.lang, "plan.note.few_requests",
                              fmt::arg("units", replayed_units(plan_, options_.lang))));
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
  for (const DiagnosedCause& cause : diagnosis_.causes) {
    // Every action that a cause names becomes a step or is left out with its reason.
    if (cause.actions.empty())
      plan_.open_causes.push_back({.id = cause.id,
                                   .title = cause.title,
                                   .unit = cause.share_unit,
                                   .share_mean = cause.share_mean,
                                   .share_slow = cause.share_slow});
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
  }
  std::vector<Candidate> allowed;
  for (const Candidate& candidate : candidates_) {
    scale_effects(candidate);
    const Applies applies = applies_to(*candidate.action, store_, std::ssize(facts_.cpus));
    if (applies == Applies::few_cpus) {
      leave_out(candidate, say(options_.lang, "plan.left.cpus", fmt::arg("n", std::ssize(facts_.cpus)),
                               fmt::arg("needed", candidate.action->fewest_cpus)));
    } else if (applies != Applies::yes) {
      leave_out(candidate, why_without_effect(candidate));
    } else if (auto why = refuse(*candidate.action)) {
      std::optional<Gain> gain;
      if (is_replayable(*candidate.action))
        gain = predict_gain(*model_, {}, effects_of(*candidate.action), options_.draws / 4);
      leave_out(candidate, *std::move(why), gain);
    } else {
      allowed.push_back(candidate);
    }
  }
  candidates_ = std::move(allowed);
}

bool Planner::is_replayable(const Action& action) const {
  // Operators that no request is linked to are in no request's time: their share cannot be replayed.
  const bool is_about_ops = std::ranges::any_of(
      action.effects, [](const Effect& effect) { return effect.kind == EffectKind::ops; });
  return model_.has_value() && !action.effects.empty() && !(is_about_ops && model_->op_ns.empty());
}

double Planner::score(const Gain& gain, const Action& action) const {
  const Weights& w = kWeights[static_cast<std::size_t>(options_.priority)];
  const double gains = -w.p99 * gain.p99.typical - w.p50 * gain.p50.typical +
                       w.throughput * gain.capacity.typical - w.cost * gain.work.typical -
                       kMemoryScale * w.memory * action.memory - gain.refused_share;
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

// An action that mends a cause can only take away what the cause explains: of threads that wait for a CPU
// because of other programs and because of each other, matching threads to cores ends the second part alone.
void Planner::scale_effects(const Candidate& candidate) {
  std::vector<Effect>& effects = scaled_[candidate.action];
  effects = candidate.action->effects;
  if (!model_) return;
  double all_ns = 0, explained = 0;
  for (const ReplayRequest& request : model_->requests)
    all_ns += static_cast<double>(request.latency_ns);
  for (const DiagnosedCause* cause : candidate.causes)
    explained += cause->share_mean;
  for (Effect& effect : effects) {
    if (effect.kind != EffectKind::time || all_ns <= 0) continue;
    double class_ns = 0;
    for (const std::string& name : effect.names)
      if (const auto column = model_->time_ns.find(name); column != model_->time_ns.end())
        for (std::size_t unit = 0; unit < column->second.size(); ++unit)
          class_ns += column->second[unit] * static_cast<double>(model_->units[unit].requests.size());
    if (class_ns <= 0) continue;
    const double part = std::clamp(explained * all_ns / class_ns, 0.0, 1.0);
    effect.range = {effect.range.low * part, effect.range.typical * part, effect.range.high * part};
    const auto add = [&](std::string& text, Lang lang) {
      if (part < 1) text += say(lang, "plan.scaled", fmt::arg("part", fmt::format("{:.0f} %", 100 * part)));
    };
    add(effect.source.en, Lang::en);
    add(effect.source.zh, Lang::zh);
  }
}

std::vector<const Effect*> Planner::effects_of(const Action& action) const {
  std::vector<const Effect*> effects;
  if (const auto at = scaled_.find(&action); at != scaled_.end())
    for (const Effect& effect : at->second)
      effects.push_back(&effect);
  return effects;
}

// Not one draw moved anything: the trace has nothing that the action acts on.
bool is_without_effect(const Gain& gain) {
  return std::ranges::all_of(std::array{gain.mean, gain.p50, gain.p99, gain.capacity, gain.work},
                             [](const Change& c) { return c.low == 0 && c.high == 0; }) &&
         gain.refused_share == 0;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words)
    out += (out.empty() ? "" : ", ") + word;
  return out;
}

// The cause was found, and the action acts on none of its time: said with the figure of the report, so that
// the two do not seem to disagree.
std::string Planner::why_without_effect(const Candidate& candidate) const {
  std::vector<std::string> types = candidate.action->op_types, causes;
  for (const Effect& effect : candidate.action->effects)
    if (effect.kind == EffectKind::ops) types.insert(types.end(), effect.names.begin(), effect.names.end());
  if (types.empty()) return t(options_.lang, "plan.left.nothing");
  for (const DiagnosedCause* cause : candidate.causes)
    causes.push_back(fmt::format("{} {}", cause->id, format_share(cause->share_mean)));
  return say(options_.lang, "plan.left.other_ops", fmt::arg("types", joined(types)),
             fmt::arg("causes", joined(causes)));
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
    const double worst = std::max(
        {gain.mean.typical, gain.p50.typical, gain.p99.typical, -gain.capacity.typical, gain.work.typical});
    const double surest =
        std::max({-gain.mean.high, -gain.p50.high, -gain.p99.high, gain.capacity.low, -gain.work.high});
    if (is_without_effect(gain)) {
      leave_out(chosen, why_without_effect(chosen));
    } else if (most < kWorthwhile) {
      leave_out(chosen, t(options_.lang, worst < kWorthwhile ? "plan.left.small" : "plan.left.worse"), gain);
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
    std::optional<ShareGain> share;
    if (!model_) share = predict_share_gain(diagnosis_, candidate.causes, scaled_[candidate.action], store_);
    if (share && share->change.low == 0) {
      leave_out(candidate, why_without_effect(candidate));
      continue;
    }
    add_step(candidate, std::nullopt);
    plan_.steps.back().share_gain = std::move(share);
    if (!plan_.steps.back().share_gain && !candidate.action->is_search && candidate.action->has_ceiling)
      plan_.steps.back().ceiling = gain_ceiling(candidate.causes, candidate.action->effects, plan_.unit);
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
                .changes_numbers = action.changes_numbers,
                .is_search = action.is_search,
                .is_about_start = action.is_about_start};
  for (const DiagnosedCause* cause : candidate.causes) {
    step.causes.push_back(cause->id);
    step.cause_titles.push_back(cause->title.empty() ? cause->id : cause->title);
    step.confidence = std::max(step.confidence, cause->confidence);
  }
  for (const TextPair& line : action.steps)
    step.instructions.push_back(line.in(lang));
  step.effects = scaled_[&action];
  for (const Effect& effect : step.effects)
    step.assumptions.push_back(effect.source.in(lang) + (effect.is_assumed ? t(lang, "plan.assumed") : ""));
  picked_.push_back(&action);
  if (gain)
    for (const Effect* effect : effects_of(action))
      effects_.push_back(effect);
  plan_.steps.push_back(std::move(step));
}

// 0 where each step is one unit.
std::int64_t job_steps_of(const UnitTable& units) {
  std::set<std::uint32_t> steps;
  bool has_parts = false;
  for (std::size_t i = 0; i < units.job_step.size(); ++i) {
    if (!units.is_complete[i]) continue;
    steps.insert(units.job_step[i]);
    has_parts = has_parts || units.job_step[i] != i;
  }
  return has_parts ? std::ssize(steps) : 0;
}

Result<Plan> Planner::run() {
  plan_.trace_path = options_.trace_path;
  plan_.trace_sha256 = diagnosis_.trace_sha256;
  plan_.target = diagnosis_.target;
  plan_.imported_from = store_.metadata("format");
  if (const UnitTable units = find_units(store_); !units.slice.empty()) {
    plan_.unit = unit_word(store_, units.kind);
    plan_.job_steps = job_steps_of(units);
  }
  plan_.proof_metrics = detail::proof_metrics(store_);
  plan_.problem = diagnosis_.problem;
  plan_.priority = options_.priority;
  plan_.tolerance = options_.tolerance;
  load_model();
  facts_ = detail::service_facts(store_, diagnosis_.target);
  collect();
  pick_replayed();
  pick_others();
  if (model_ && !effects_.empty()) plan_.combined = predict_gain(*model_, {}, effects_, options_.draws);
  detail::write_steps(plan_, {.all = actions_,
                              .picked = picked_,
                              .store = store_,
                              .model = model_ ? &*model_ : nullptr,
                              .facts = facts_,
                              .options = options_});
  return std::move(plan_);
}

} // namespace

std::string replayed_units(const Plan& plan, Lang lang) {
  if (plan.job_steps > 0)
    return say(lang, "plan.units.parts", fmt::arg("n", plan.requests), fmt::arg("steps", plan.job_steps));
  return say(lang, "plan.units." + plan.unit, fmt::arg("n", plan.requests));
}

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
