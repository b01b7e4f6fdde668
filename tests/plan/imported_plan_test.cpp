// What a plan can say of a trace that another tool made: no requests, no scheduler, devices alone, or steps
// in the place of requests.
#include "../store/device_scene.hpp"
#include "plan/applies.hpp"
#include "planned.hpp"
#include "report/diagnosis_view.hpp"
#include "report/plan_view.hpp"

#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A device that computes for 600 of 1000 us, and nothing else.
Store device_alone() {
  DeviceScene s;
  s.kernel(0, 300).kernel(700, 1000);
  return s.t.seal();
}

std::string cause_yaml(std::string_view cause, double share, std::string_view unit,
                       std::string_view actions) {
  return fmt::format("schema: cann-profiler/diagnosis/1\ntrace: {{path: t.pb}}\ntarget: svc\nproblem: auto\n"
                     "causes:\n  - {{id: {}, title: T, confidence: 0.8, share: {{mean: {}, slow: {}, unit: "
                     "{}}}, actions: [{}]}}\n",
                     cause, share, share, unit, actions);
}

TEST(Proof, names_only_metrics_that_the_trace_has_a_value_of) {
  const Plan plan =
      plan_of(device_alone(), cause_yaml("launch_bound", 0.4, "device", "launch_graphs"), builtin());
  ASSERT_EQ(ids_of(plan.steps), std::vector<std::string>{"launch_graphs"});
  EXPECT_THAT(plan.proof_metrics, ElementsAre("device_util"));
  EXPECT_THAT(plan.steps[0].validate_command, HasSubstr("--metrics \"device_util\" "));
}

TEST(Proof, of_a_trace_with_requests_names_their_latency) {
  const Plan plan = plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "shard_lock"}}), only_commands());
  EXPECT_THAT(plan.proof_metrics, ElementsAre("p99_latency", "p50_latency", "mean_latency", "throughput"));
}

TEST(Proof, is_left_out_and_says_why_where_no_metric_has_a_value) {
  const Plan plan =
      plan_of(TraceBuilder().seal(), diagnosis_yaml({{"a", "shard_lock"}}), only_commands(), tolerant());
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_THAT(plan.proof_metrics, IsEmpty());
  EXPECT_EQ(plan.steps[0].validate_command + plan.steps[0].record_command, "");
  EXPECT_EQ(file_of(plan, "step1_prove.sh"), "");
  EXPECT_THAT(plan_markdown(plan, Lang::en), HasSubstr("No metric that could show the change has a value"));
  EXPECT_THAT(plan_markdown(plan, Lang::zh), HasSubstr("因此无从比较"));
  EXPECT_TRUE(YAML::Load(to_yaml(plan_doc(plan)))["steps"][0]["proof"].IsNull());
}

// validate cut as warm-up the slow requests that the step was to mend.
TEST(Proof, of_a_step_about_the_start_keeps_the_first_requests) {
  const auto command = [](const char* action) {
    const Plan plan =
        plan_of(SteadyService(4).t.seal(), diagnosis_yaml({{"a", action}}), builtin(), tolerant());
    EXPECT_EQ(ids_of(plan.steps), std::vector<std::string>{action});
    return plan.steps.empty() ? std::string() : plan.steps[0].validate_command;
  };
  EXPECT_THAT(command("warm_up"), HasSubstr(" --warm_up none "));
  EXPECT_THAT(command("atc_layout_unify"), Not(HasSubstr("--warm_up")));
}

// The parts of two ranks were called four steps, beside a diagnosis that counts two.
TEST(Replay, of_steps_that_several_ranks_ran_says_what_it_replays) {
  TraceBuilder t;
  for (const std::int64_t rank : {0, 1}) {
    const auto main = t.thread(7 + rank, 70 + rank, "main");
    t.sink().process({.pid = 7 + rank,
                      .name = t.text(rank == 0 ? "train (rank 0)" : "train (rank 1)"),
                      .cmdline = {},
                      .is_renamed = true});
    for (const std::int64_t step : {0, 1})
      t.slice("ProfilerStep#" + std::to_string(step), words::kRequest, main.track, step * 1000,
              step * 1000 + 900,
              {.numbers = {{std::string(words::kArgRequestId), 10 * rank + step}},
               .texts = {},
               .flows_out = {},
               .flows_in = {}});
  }
  t.sink().metadata("request.source", "ProfilerStep markers");
  const Plan plan =
      plan_of(t.seal(), cause_yaml("launch_bound", 0.4, "request", "launch_graphs"), builtin(), tolerant());
  ASSERT_EQ(plan.requests, 4);
  EXPECT_EQ(replayed_units(plan, Lang::en), "4 parts that the ranks ran of 2 steps");
}

// "At most 99 % can go" was said of all that a busy device does.
TEST(Ceiling, is_not_said_where_the_causes_are_all_the_device_s_work) {
  const Plan plan = plan_of(device_alone(), cause_yaml("device_limit", 0.6, "device", "less_device_work"),
                            builtin(), tolerant());
  ASSERT_EQ(ids_of(plan.steps), std::vector<std::string>{"less_device_work"});
  EXPECT_FALSE(plan.steps[0].ceiling.has_value());
  EXPECT_THAT(plan_markdown(plan, Lang::en), Not(HasSubstr("At most")));
}

TEST(Proof, is_left_out_where_a_step_changes_nothing) {
  const Plan plan =
      plan_of(device_alone(), cause_yaml("device_idle", 0.4, "device", "stream_dependencies"), builtin());
  ASSERT_EQ(ids_of(plan.steps), std::vector<std::string>{"stream_dependencies"});
  EXPECT_EQ(plan.steps[0].validate_command + plan.steps[0].record_command, "");
  EXPECT_THAT(plan.files, IsEmpty());
  const std::string page = plan_markdown(plan, Lang::en);
  EXPECT_THAT(page, AllOf(HasSubstr("Nothing is changed here, so there is nothing to prove"),
                          Not(HasSubstr("profiler validate")), Not(HasSubstr("At most"))));
  EXPECT_THAT(plan_markdown(plan, Lang::zh), HasSubstr("此步骤不做任何改动"));
}

// The first step is too small to be proved alone, and no later one changes anything: it has its own proof.
TEST(Proof, of_a_small_step_does_not_wait_for_one_that_changes_nothing) {
  const std::vector<Action> actions{
      action_named("small", "risk: 0\neffort_hours: 0\n" + effect("ops", "Conv", "0.05", "0.05", "0.05")),
      action_named("look", "risk: 0\neffort_hours: 0\nsearch: true\n")};
  const Plan plan = plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "small, look"}}), actions);
  ASSERT_THAT(ids_of(plan.steps), ElementsAre("small", "look"));
  EXPECT_FALSE(plan.steps[0].proof.is_enough);
  EXPECT_THAT(plan.steps[0].validate_command, HasSubstr("--after trace_after_step1_run1.pb,"));
  EXPECT_EQ(plan.steps[1].validate_command, "");
}

struct Ceilinged {
  const char *name, *unit, *actions, *expected; // of the page
};
class Ceiling : public testing::TestWithParam<Ceilinged> {};
TEST_P(Ceiling, is_all_the_time_of_the_cause_and_never_called_a_prediction) {
  const Ceilinged& c = GetParam();
  const Plan plan = plan_of(device_alone(), cause_yaml("x", 0.4, c.unit, c.actions), builtin(), tolerant());
  ASSERT_EQ(plan.steps.size(), 1U);
  const std::string page = plan_markdown(plan, Lang::en);
  const YAML::Node step = YAML::Load(to_yaml(plan_doc(plan)))["steps"][0];
  EXPECT_TRUE(step["expected_gain"].IsNull());
  if (*c.expected == '\0') {
    EXPECT_THAT(page, Not(HasSubstr("At most")));
    EXPECT_TRUE(step["gain_ceiling"].IsNull());
    return;
  }
  EXPECT_THAT(page, HasSubstr(c.expected));
  EXPECT_DOUBLE_EQ(step["gain_ceiling"]["share"].as<double>(), 0.4);
  EXPECT_EQ(step["gain_ceiling"]["unit"].as<std::string>(), c.unit);
}
INSTANTIATE_TEST_SUITE_P(All, Ceiling,
                         testing::Values(Ceilinged{"device", "device", "launch_graphs",
                                                   "At most 40 % of the device's window can go"},
                                         Ceilinged{"steps", "iteration", "fewer_syncs",
                                                   "At most 40 % of the time of the steps can go"},
                                         // Another worker may save more than what was found.
                                         Ceilinged{"workers", "device", "runtime_more_workers", ""},
                                         // A share of memory is no time.
                                         Ceilinged{"memory", "value", "warm_up", ""},
                                         Ceilinged{"unknown", "", "warm_up", ""}),
                         [](const auto& one) { return one.param.name; });

TEST(Ceiling, of_two_causes_is_their_sum_and_at_most_everything) {
  const std::vector<Action> actions{action_named("both", "risk: 0\neffort_hours: 0\n")};
  const auto of = [&](double a, double b, std::string_view unit_b) {
    return plan_of(device_alone(),
                   fmt::format("schema: cann-profiler/diagnosis/1\ncauses:\n"
                               "  - {{id: a, share: {{mean: {}, unit: device}}, actions: [both]}}\n"
                               "  - {{id: b, share: {{mean: {}, unit: {}}}, actions: [both]}}\n",
                               a, b, unit_b),
                   actions)
        .steps.at(0)
        .ceiling;
  };
  EXPECT_NEAR(of(0.25, 0.5, "device")->share, 0.75, 1e-12);
  EXPECT_DOUBLE_EQ(of(0.75, 0.5, "device")->share, 1);
  EXPECT_FALSE(of(0.25, 0.5, "thread").has_value()) << "shares of different wholes";
}

TEST(Plan, calls_steps_what_they_are) {
  Scene s;
  s.t.sink().metadata("request.source", "ProfilerStep#N");
  for (int i = 0; i < 6; ++i)
    s.request({{"Conv", 400}});
  const Plan plan = plan_of(s.t.seal(), diagnosis_yaml({{"a", "warm_up"}}), builtin());
  const std::string page = plan_markdown(plan, Lang::en);
  EXPECT_THAT(page, HasSubstr("replaying the 6 steps of the trace"));
  EXPECT_THAT(plan.notes, Contains(HasSubstr("only 6 steps:")));
  EXPECT_THAT(plan_markdown(plan, Lang::zh), HasSubstr("6 个步"));
  EXPECT_EQ(YAML::Load(to_yaml(plan_doc(plan)))["replay"]["unit"].as<std::string>(), "iteration");
}

struct Applied {
  const char* action;
  Applies on_device, on_service;
};
TEST(Applies, what_diagnose_suggests_is_what_the_plan_has_a_step_for) {
  const Store device = device_alone(), service = SteadyService().t.seal();
  const std::vector<Action> actions = builtin();
  for (const Applied& c : {Applied{"atc_layout_unify", Applies::other_ops, Applies::yes},
                           Applied{"atc_fuse_patterns", Applies::other_ops, Applies::other_ops},
                           Applied{"engine_layout", Applies::other_ops, Applies::other_ops},
                           Applied{"runtime_batching", Applies::no_queue, Applies::no_queue},
                           Applied{"cpu_isolation", Applies::few_cpus, Applies::few_cpus},
                           Applied{"launch_graphs", Applies::yes, Applies::yes}}) {
    EXPECT_EQ(applies_to(*find_action(actions, c.action), device, 2), c.on_device) << c.action;
    EXPECT_EQ(applies_to(*find_action(actions, c.action), service, 2), c.on_service) << c.action;
    for (const auto& [store, applies] : {std::pair{&device, c.on_device}, {&service, c.on_service}})
      if (applies != Applies::few_cpus) {
        const auto parsed = parse_diagnosis(diagnosis_yaml({{"a", c.action}}), "d.yaml");
        const auto plan = make_plan(*parsed, actions, *store, tolerant());
        EXPECT_EQ(ids_of(plan->steps).size(), applies == Applies::yes ? 1U : 0U) << c.action;
      }
  }
}

TEST(Applies, a_report_keeps_the_actions_of_the_plan_and_tells_the_rest_as_advice) {
  Diagnosis d;
  d.causes.resize(2);
  d.causes[0].actions = {"atc_fuse_patterns", "launch_graphs", "buy_another"};
  d.causes[1].actions = {"engine_layout"};
  keep_applicable(d, builtin(), device_alone());
  EXPECT_THAT(d.causes[0].actions, ElementsAre("launch_graphs"));
  EXPECT_THAT(d.causes[0].advice, ElementsAre("buy_another"));
  EXPECT_THAT(d.causes[1].actions, IsEmpty());
  const std::string page = diagnosis_text(d, Lang::en, 200);
  EXPECT_THAT(page,
              AllOf(HasSubstr("What would mend it: launch_graphs\n"),
                    HasSubstr("Advice of the rule beyond the plan ('profiler generate-plan' has no such "
                              "step): buy_another"),
                    HasSubstr("has no step for it that applies to this trace")));
  EXPECT_THAT(diagnosis_text(d, Lang::zh, 200), HasSubstr("计划之外的建议"));
  const YAML::Node yaml = YAML::Load(to_yaml(diagnosis_doc(d)));
  EXPECT_EQ(yaml["causes"][0]["advice"][0].as<std::string>(), "buy_another");
}

} // namespace
} // namespace prof
