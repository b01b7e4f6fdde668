// planned.hpp: a trace written by hand, a diagnosis as YAML, and the plan made from both.
#pragma once
#include "../rules/scene.hpp"
#include "plan/plan.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// A diagnosis report whose causes are (id, actions).
inline std::string
diagnosis_yaml(std::initializer_list<std::pair<std::string, std::string>> causes, // id, "a, b"
               std::string_view target = "svc") {
  std::string out = fmt::format("schema: cann-profiler/diagnosis/1\ntrace: {{path: t.pb, sha256: ab}}\n"
                                "target: {}\nproblem: auto\ncauses:\n",
                                target);
  double share = 0.5;
  for (const auto& [id, actions] : causes) {
    out += fmt::format(
        "  - {{id: {}, title: T {}, confidence: 0.8, share: {{mean: {}, slow: {}}}, actions: [{}]}}\n", id,
        id, share, share, actions);
    share /= 2;
  }
  return out;
}

// A minimal action; `rest` adds keys.
inline Action action_named(std::string_view id, std::string_view rest) {
  const std::string yaml =
      fmt::format("id: {0}\nclass: restart\ntitle: {{en: {0} en, zh: {0} zh}}\nwhy: {{en: w, zh: w}}\n"
                  "rollback: {{en: r, zh: r}}\nrisk_text: {{en: danger, zh: 危险}}\n{1}",
                  id, rest);
  auto action = parse_action(yaml, id);
  EXPECT_TRUE(action.ok()) << (action ? "" : action.error().where + ": " + action.error().what);
  return action ? *action : Action{};
}
inline std::string effect(std::string_view kind, std::string_view names, std::string_view low,
                          std::string_view typical, std::string_view high,
                          std::string_view basis = "assumed") {
  return fmt::format(
      "effects: [{{kind: {}, names: [{}], range: {{low: {}, typical: {}, high: {}}}, basis: {}, "
      "source: {{en: guess, zh: 猜测}}}}]\n",
      kind, names, low, typical, high, basis);
}

inline Plan plan_of(Store store, const std::string& diagnosis, const std::vector<Action>& actions,
                    PlanOptions options = {}) {
  const auto parsed = parse_diagnosis(diagnosis, "d.yaml");
  EXPECT_TRUE(parsed.ok()) << (parsed ? "" : parsed.error().what);
  if (options.trace_path.empty()) options.trace_path = "t.pb";
  options.draws = std::min(options.draws, 200);
  auto plan = parsed ? make_plan(*parsed, actions, store, options) : Result<Plan>(Error{});
  EXPECT_TRUE(plan.ok()) << (plan ? "" : plan.error().what);
  return plan ? *std::move(plan) : Plan{};
}

inline std::vector<Action> builtin() {
  auto actions = load_actions();
  EXPECT_TRUE(actions.ok()) << (actions ? "" : actions.error().where + ": " + actions.error().what);
  return actions ? *std::move(actions) : std::vector<Action>{};
}

inline std::vector<std::string> ids_of(const std::vector<PlanStep>& steps) {
  std::vector<std::string> ids;
  for (const PlanStep& step : steps)
    ids.push_back(step.action);
  return ids;
}
inline std::string why_left_out(const Plan& plan, std::string_view action) {
  const auto at = std::ranges::find(plan.left_out, action, &LeftOut::action);
  return at == plan.left_out.end() ? "" : at->why;
}
inline std::string file_of(const Plan& plan, std::string_view name) {
  const auto at = std::ranges::find(plan.files, name, &PlanFile::name);
  return at == plan.files.end() ? "" : at->content;
}

// What a step runs to start the service: nothing while it runs already.
inline std::string unless_running(std::string_view start,
                                  std::string_view find = "pgrep -f -- '^/opt/svc( |$)'") {
  return fmt::format(
      "if {} >/dev/null; then echo 'the service is running: stop it first, then run this again' "
      ">&2; false; else {}; fi",
      find, start);
}

// A service of one worker: 30 requests of 1 ms, one after another, 400 us of it Transpose, 400 us Conv; on a
// machine with `cpus` cores.
struct SteadyService : Scene {
  explicit SteadyService(int cpus = 8, std::string_view command = "/opt/svc --port 1",
                         std::string_view name = "svc") {
    t.sink().process({.pid = 8, .name = t.text(name), .cmdline = t.text(command)});
    worker = t.thread(8, 80, "worker");
    if (cpus > 0) t.sink().metadata("cpu_count", std::to_string(cpus));
    t.sink().metadata("service", name);
    for (int i = 0; i < 30; ++i)
      request({{"Transpose", 400}, {"Conv", 400}}, {.other_us = 200});
  }
};

inline std::vector<Action> only_commands() { // every action is a step, in the order of the diagnosis
  std::vector<Action> actions = builtin();
  for (Action& action : actions) {
    action.effects.clear();
    action.conflicts.clear();
  }
  return actions;
}
inline PlanOptions tolerant() {
  PlanOptions options;
  options.tolerance = RiskTolerance::high;
  return options;
}
// One cause for each action, each less weighty than the one before: the plan keeps their order.
inline Plan plan_in_order(Scene& scene, const std::string& first, const std::string& second,
                          PlanOptions options = tolerant()) {
  return plan_of(scene.t.seal(), diagnosis_yaml({{"a", first}, {"b", second}}), only_commands(), options);
}
inline Plan plan_of_one(Scene& scene, const std::string& action) {
  return plan_of(scene.t.seal(), diagnosis_yaml({{"a", action}}), only_commands(), tolerant());
}

} // namespace prof
