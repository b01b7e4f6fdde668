// From a diagnosis report to a plan: which steps, in which order, and why the others are left out.
#include "planned.hpp"
#include "report/diagnosis_view.hpp"
#include "report/plan_view.hpp"

#include <gmock/gmock.h>

namespace prof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// fast takes 40 % off every request at no cost in memory; lean takes 10 % off and needs less memory.
std::vector<Action> fast_and_lean() {
  return {
      action_named("fast", "risk: 0.1\neffort_hours: 1\nmemory: 1\n" + effect("ops", "Conv", "1", "1", "1")),
      action_named("lean", "risk: 0.1\neffort_hours: 1\nmemory: -1\n" +
                               effect("ops", "Transpose", "0.25", "0.25", "0.25"))};
}
const std::string kBoth = diagnosis_yaml({{"a", "lean"}, {"b", "fast"}});

PlanOptions by(Priority priority) {
  PlanOptions options;
  options.priority = priority;
  return options;
}

TEST(Plan, latency_first_begins_with_the_largest_gain) {
  const Plan plan = plan_of(SteadyService().t.seal(), kBoth, fast_and_lean(), by(Priority::latency_first));
  EXPECT_THAT(ids_of(plan.steps), ElementsAre("fast", "lean"));
}

TEST(Plan, memory_first_takes_what_needs_less_memory_and_refuses_what_needs_more) {
  const Plan plan = plan_of(SteadyService().t.seal(), kBoth, fast_and_lean(), by(Priority::memory_first));
  EXPECT_THAT(ids_of(plan.steps), ElementsAre("lean"));
  EXPECT_THAT(why_left_out(plan, "fast"), HasSubstr("under this priority"));
}

TEST(Plan, throughput_first_takes_what_latency_first_refuses) {
  // A second worker that slows everyone by 15 %: capacity 2 / 1.15 - 1 = +74 %, latency +15 %.
  const std::vector<Action> actions{
      action_named("wider",
                   "risk: 0\neffort_hours: 0\neffects: [{kind: workers, add: 1, range: {low: 1.15, typical: "
                   "1.15, high: 1.15}, basis: assumed, source: {en: s, zh: s}}]\n"),
      action_named("quick", "risk: 0\neffort_hours: 0\n" + effect("ops", "Conv", "0.3", "0.3", "0.3"))};
  const std::string diagnosis = diagnosis_yaml({{"a", "wider, quick"}});
  const Plan fast = plan_of(SteadyService().t.seal(), diagnosis, actions, by(Priority::latency_first));
  EXPECT_THAT(ids_of(fast.steps), ElementsAre("quick"));
  EXPECT_THAT(why_left_out(fast, "wider"), HasSubstr("not worth"));
  const Plan much = plan_of(SteadyService().t.seal(), diagnosis, actions, by(Priority::throughput_first));
  EXPECT_THAT(ids_of(much.steps), ElementsAre("wider", "quick"));
  EXPECT_NEAR(much.steps[0].gain->capacity.typical, 2 / 1.15 - 1, 1e-9);
  EXPECT_NEAR(much.steps[0].gain->mean.typical, 0.15, 1e-9);
}

TEST(Plan, gains_follow_amdahl_on_a_trace) {
  // 1 ms a request, 400 us of it Conv, all of which goes: 600 us, -40 %. Then a quarter of 400 us Transpose:
  // 500 us, on top of the step before -1/6. Together -50 %, not -40 % - 10/60 %.
  const Plan plan = plan_of(SteadyService().t.seal(), kBoth, fast_and_lean());
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_NEAR(plan.steps[0].gain->mean.typical, -0.4, 1e-9);
  EXPECT_NEAR(plan.steps[1].gain->mean.typical, 500.0 / 600 - 1, 1e-9);
  EXPECT_NEAR(plan.combined->mean.typical, -0.5, 1e-9);
  EXPECT_NEAR(plan.combined->capacity.typical, 1.0, 1e-9);
  EXPECT_EQ(plan.requests, 30);
  EXPECT_NEAR(plan.replay_error->mean, 0, 1e-9);
}

TEST(Plan, an_action_takes_no_more_time_than_its_cause_explains) {
  // 80 % of each request is cpu_op; the cause explains 50 %. All of what it explains goes: -50 %, not -80 %.
  const Plan plan = plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "calm"}}),
                            {action_named("calm", "risk: 0.1\neffort_hours: 1\nmemory: 0\n" +
                                                      effect("time", "cpu_op", "1", "1", "1"))});
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_NEAR(plan.steps[0].gain->mean.typical, -0.5, 1e-9);
  EXPECT_THAT(plan.steps[0].assumptions,
              ElementsAre(HasSubstr("of that time 62 % is what the cause explains")));
}

TEST(Plan, leaves_out_what_is_riskier_than_tolerated_and_says_what_it_would_bring) {
  const std::vector<Action> actions{
      action_named("bold", "risk: 0.4\neffort_hours: 1\n" + effect("ops", "Conv", "0.5", "0.5", "0.5"))};
  const std::string diagnosis = diagnosis_yaml({{"a", "bold"}});
  PlanOptions options;
  options.tolerance = RiskTolerance::low;
  const Plan low = plan_of(SteadyService().t.seal(), diagnosis, actions, options);
  EXPECT_TRUE(low.steps.empty());
  ASSERT_EQ(low.left_out.size(), 1U);
  EXPECT_THAT(low.left_out[0].why,
              AllOf(HasSubstr("0.40"), HasSubstr("0.20"), HasSubstr("'low'"), HasSubstr("danger")));
  EXPECT_NEAR(low.left_out[0].gain->mean.typical, -0.2, 1e-9);
  for (const RiskTolerance tolerance : {RiskTolerance::medium, RiskTolerance::high}) {
    options.tolerance = tolerance;
    EXPECT_THAT(ids_of(plan_of(SteadyService().t.seal(), diagnosis, actions, options).steps),
                ElementsAre("bold"));
  }
}

TEST(Plan, low_tolerance_wants_steps_that_can_be_undone_and_keep_results) {
  const std::string gain = effect("ops", "Conv", "0.5", "0.5", "0.5");
  const std::vector<Action> actions{
      action_named("final", "risk: 0\neffort_hours: 0\nreversible: false\n" + gain),
      action_named("rough", "risk: 0\neffort_hours: 0\nchanges_numbers: true\n" + gain)};
  PlanOptions options;
  options.tolerance = RiskTolerance::low;
  const Plan plan =
      plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "final, rough"}}), actions, options);
  EXPECT_TRUE(plan.steps.empty());
  EXPECT_THAT(why_left_out(plan, "final"), HasSubstr("undone"));
  EXPECT_THAT(why_left_out(plan, "rough"), HasSubstr("beyond rounding"));
}

TEST(Plan, every_action_of_the_diagnosis_is_a_step_or_left_out_with_a_reason) {
  const std::string gain = effect("ops", "Conv", "0.5", "0.5", "0.5");
  const std::vector<Action> actions{
      action_named("good", "risk: 0\neffort_hours: 0\n" + gain),
      action_named("rival", "risk: 0.1\neffort_hours: 0\nconflicts: [good]\n" +
                                effect("ops", "Conv", "0.2", "0.2", "0.2")),
      action_named("small",
                   "risk: 0\neffort_hours: 0\n" + effect("ops", "Transpose", "0.001", "0.001", "0.001")),
      action_named("nothing", "risk: 0\neffort_hours: 0\n" + effect("ops", "Erf", "0.5", "0.5", "0.5")),
      action_named("unsure", "risk: 0\neffort_hours: 0\n" + effect("workers", "", "0.5", "0.9", "1.5")),
      action_named("costly",
                   "risk: 0.2\neffort_hours: 100\n" + effect("ops", "Transpose", "0.2", "0.2", "0.2"))};
  const Plan plan =
      plan_of(SteadyService().t.seal(),
              diagnosis_yaml({{"a", "good, rival, small, nothing, unsure, costly, no_such"}}), actions);
  EXPECT_THAT(ids_of(plan.steps), ElementsAre("good"));
  EXPECT_THAT(why_left_out(plan, "rival"), HasSubstr("good en"));
  EXPECT_THAT(why_left_out(plan, "small"), HasSubstr("below 1 %"));
  EXPECT_THAT(why_left_out(plan, "nothing"), HasSubstr("not applicable"));
  EXPECT_THAT(why_left_out(plan, "costly"), HasSubstr("not worth"));
  EXPECT_THAT(why_left_out(plan, "no_such"), AllOf(HasSubstr("no such action"), HasSubstr("cause a")));
  EXPECT_NE(why_left_out(plan, "unsure"), "");
  EXPECT_EQ(plan.left_out.size(), 6U);
}

// A trial: "its predicted gain is below 1 % Predicted: p99 +21.3 %".
TEST(Plan, a_predicted_worsening_is_told_as_one_in_sentences_that_end) {
  // A second worker that makes each request take `slower` times as long: latency and work x slower, capacity
  // x 2 / slower. Of 2.2 nothing gains: -9 % capacity. Half a hundredth off 400 us of 1000 is a gain of 0.2
  // %.
  const auto workers = [](const char* slower) {
    return fmt::format("risk: 0\neffort_hours: 0\neffects: [{{kind: workers, add: 1, range: {{low: {0}, "
                       "typical: {0}, high: {0}}}, basis: assumed, source: {{en: s, zh: s}}}}]\n",
                       slower);
  };
  struct Row {
    const char *action, *en, *zh;
  };
  const std::vector<Action> actions{
      action_named("harmful", workers("2.2")),
      action_named("small", "risk: 0\neffort_hours: 0\n" + effect("ops", "Conv", "0.005", "0.005", "0.005")),
      action_named("bold", "risk: 0.9\neffort_hours: 0\n" + effect("ops", "Conv", "0.5", "0.5", "0.5"))};
  for (const Row& row :
       {Row{"harmful",
            "it is predicted to make the service worse on top of the steps before it. Predicted: p99 +120.0 "
            "%",
            "预测它会使服务变差。预测：p99 +120.0 %"},
        Row{"small", "is below 1 %. Predicted: p99 -0.2 %", "预测收益不足 1 %。预测：p99 -0.2 %"},
        Row{"bold", ": danger. Predicted: p99 -20.0 %", "危险。预测：p99 -20.0 %"}}) {
    for (const Lang lang : {Lang::en, Lang::zh}) {
      PlanOptions options;
      options.lang = lang;
      const Plan plan =
          plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", row.action}}), actions, options);
      EXPECT_THAT(plan_markdown(plan, lang), HasSubstr(lang == Lang::en ? row.en : row.zh)) << row.action;
    }
  }
}

// The largest causes could be passed over in silence.
TEST(Plan, a_cause_without_any_action_is_named_with_its_share) {
  const std::string report = diagnosis_yaml({{"busy", ""}, {"a", "fast"}, {"left", "no_such"}, {"tiny", ""}});
  const Plan plan = plan_of(SteadyService().t.seal(), report, fast_and_lean());
  EXPECT_THAT(ids_of(plan.steps), ElementsAre("fast"));
  EXPECT_THAT(plan_markdown(plan, Lang::en),
              HasSubstr("No step of this plan is about: T busy (`busy`), 50 %; T tiny (`tiny`), 6.25 %.\n"));
  EXPECT_THAT(plan_markdown(plan, Lang::zh), HasSubstr("本计划没有针对以下根因的步骤：T busy"));
  EXPECT_THAT(
      to_yaml(plan_doc(plan)),
      HasSubstr("causes_without_step:\n  - cause: busy\n    title: \"T busy\"\n    share_mean: 0.5\n"));
  std::string with_unit = report;
  with_unit.replace(with_unit.find("{mean: 0.5"), 10, "{unit: request, mean: 0.5");
  EXPECT_THAT(plan_markdown(plan_of(SteadyService().t.seal(), with_unit, fast_and_lean()), Lang::en),
              HasSubstr("T busy (`busy`), 50 % of the request time; "));
  const Plan whole = plan_of(SteadyService().t.seal(), kBoth, fast_and_lean());
  EXPECT_THAT(plan_markdown(whole, Lang::en), Not(HasSubstr("No step of this plan is about")));
}

TEST(Plan, an_action_of_two_causes_is_one_step_that_names_both) {
  const Plan plan =
      plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "fast"}, {"b", "fast"}}), fast_and_lean());
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_THAT(plan.steps[0].causes, ElementsAre("a", "b"));
}

TEST(Plan, what_cannot_be_replayed_comes_last_without_a_gain) {
  std::vector<Action> actions = fast_and_lean();
  actions.push_back(action_named("rewrite", "risk: 0.1\neffort_hours: 8\n"));
  const Plan plan =
      plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "rewrite"}, {"b", "fast"}}), actions);
  EXPECT_THAT(ids_of(plan.steps), ElementsAre("fast", "rewrite"));
  EXPECT_FALSE(plan.steps[1].gain.has_value());
}

TEST(Plan, without_requests_no_gain_is_predicted_and_the_plan_says_why) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.op("Conv", worker, 0, 1000);
  const Plan plan = plan_of(t.seal(), diagnosis_yaml({{"a", "fast"}}), fast_and_lean());
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_FALSE(plan.steps[0].gain.has_value());
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_THAT(plan.notes[0], HasSubstr("no requests"));
}

TEST(Plan, few_requests_are_noted) {
  Scene s;
  s.request({{"Conv", 400}});
  const Plan plan = plan_of(s.t.seal(), diagnosis_yaml({{"a", "fast"}}), fast_and_lean());
  EXPECT_THAT(plan.notes, testing::Contains(HasSubstr("only 1 request:")));
}

TEST(Plan, no_causes_give_an_empty_plan) {
  const Plan plan =
      plan_of(SteadyService().t.seal(), "schema: cann-profiler/diagnosis/1\ncauses: []\n", fast_and_lean());
  EXPECT_TRUE(plan.steps.empty());
  EXPECT_TRUE(plan.files.empty());
  EXPECT_FALSE(plan.combined.has_value());
}

// 30 equal requests: w = 0 and s = 3 %. The pairs are the fewest for which the t-test at 5 % / 4 has 80 %
// power, integrated numerically elsewhere: |ln 0.96| / s = 1.3607 needs 14 (power 0.8116; 13 give 0.7714),
// |ln 0.9| / s = 3.512 needs 4. |ln 0.98| / s = 0.6734 would need 51, and the noise between runs does not go
// away in longer ones: five pairs are left as a check. Five find 2.6408 s, fourteen 1.3437 s.
struct Runs {
  const char* share; // of the 400 us of Conv in 1000 us that goes
  std::int64_t needed, pairs, total_s;
  double detectable;
  bool is_enough;
};
class PlanRuns : public testing::TestWithParam<Runs> {};
TEST_P(PlanRuns, are_as_many_as_the_predicted_change_is_small) {
  const Runs& c = GetParam();
  const std::vector<Action> actions{
      action_named("some", "risk: 0\neffort_hours: 0\n" + effect("ops", "Conv", c.share, c.share, c.share))};
  const Plan plan = plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "some"}}), actions);
  ASSERT_EQ(plan.steps.size(), 1U);
  const ProofSize& proof = plan.steps[0].proof;
  EXPECT_NEAR(*proof.within_run, 0, 1e-12);
  EXPECT_EQ(proof.needed, c.needed);
  EXPECT_EQ(proof.pairs, c.pairs);
  EXPECT_EQ(proof.run_s, 10);
  EXPECT_EQ(proof.total_s, c.total_s) << "two runs a pair, each with 30 s for the restart";
  EXPECT_EQ(proof.is_enough, c.is_enough);
  EXPECT_NEAR(*proof.detectable, c.detectable, 1e-6);
}
INSTANTIATE_TEST_SUITE_P(All, PlanRuns,
                         testing::Values(Runs{"0.25", 4, 5, 400, 0.082447, true},
                                         Runs{"0.1", 14, 14, 1120, 0.041134, true},
                                         Runs{"0.05", 51, 5, 400, 0.082447, false}),
                         [](const auto& one) { return "needed_" + std::to_string(one.param.needed); });

TEST(Plan, the_variance_of_a_run_is_that_of_batch_means) {
  // 1000 and 3000 us in turns of five: six batches with means 1000, 3000, ... us: sd = sqrt(1.2) * 1000 us,
  // of the mean sqrt(1.2 / 6) * 1000 us = 447.2 us, over 2000 us: 0.2236. A formula for independent requests
  // would say 0.0928.
  Scene s;
  for (int i = 0; i < 30; ++i)
    s.request({{"Conv", 400}}, {.other_us = i / 5 % 2 == 0 ? 600 : 2600});
  const std::vector<Action> actions{
      action_named("some", "risk: 0\neffort_hours: 0\n" + effect("ops", "Conv", "0.9", "0.9", "0.9"))};
  Store store = s.t.seal();
  const double length_s = static_cast<double>((store.end() - store.start()).ns) / 1e9;
  const Plan plan = plan_of(std::move(store), diagnosis_yaml({{"a", "some"}}), actions);
  ASSERT_EQ(plan.steps.size(), 1U);
  // Over the trace's length; a run of T seconds has sqrt(length / T) of it.
  const ProofSize& proof = plan.steps[0].proof;
  EXPECT_NEAR(*proof.within_run * std::sqrt(static_cast<double>(proof.run_s) / length_s), 0.223607, 1e-6);
}

TEST(Plan, says_so_where_the_variance_is_not_known_and_takes_the_default) {
  Scene s;
  for (int i = 0; i < 19; ++i)
    s.request({{"Conv", 400}}, {.other_us = 600});
  const std::vector<Action> actions{
      action_named("some", "risk: 0\neffort_hours: 0\n" + effect("ops", "Conv", "0.5", "0.5", "0.5"))};
  const Plan plan = plan_of(s.t.seal(), diagnosis_yaml({{"a", "some"}}), actions);
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_FALSE(plan.steps[0].proof.within_run.has_value());
  EXPECT_EQ(plan.steps[0].proof.pairs, 5);
  EXPECT_THAT(plan_markdown(plan, Lang::en), testing::HasSubstr("cannot be estimated"));
  EXPECT_THAT(plan_markdown(plan, Lang::zh), testing::HasSubstr("无法估计"));
}

// A diagnosis in which threads stand in for requests: their 1 ms together, and causes of it.
std::string of_threads(std::string_view cause, double share, std::string_view actions) {
  return fmt::format("schema: cann-profiler/diagnosis/1\ntrace: {{path: t.pb}}\ntarget: svc\nproblem: auto\n"
                     "requests: {{unit: thread, n: 0, mean_ns: 0}}\nthreads: {{n: 1, total_ns: 1000000}}\n"
                     "causes:\n  - {{id: {}, title: T, confidence: 0.8, share: {{mean: {}, slow: {}, unit: "
                     "thread}}, actions: [{}]}}\n",
                     cause, share, share, actions);
}

TEST(Plan, without_requests_gains_are_shares_of_the_unit_and_no_latency) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "w");
  t.runs(w, 0, {{0, 1'000'000}});
  const Plan plan = plan_of(t.seal(), of_threads("lock_contention", 0.2, "shard_lock"), builtin());
  ASSERT_EQ(ids_of(plan.steps), std::vector<std::string>{"shard_lock"});
  const PlanStep& step = plan.steps[0];
  EXPECT_FALSE(step.gain.has_value());
  ASSERT_TRUE(step.share_gain.has_value()); // 30 %, 70 %, 95 % of the 20 %
  EXPECT_EQ(step.share_gain->unit, "thread");
  EXPECT_NEAR(step.share_gain->change.typical, -0.14, 1e-12);
  EXPECT_NEAR(step.share_gain->change.low, -0.19, 1e-12);
  EXPECT_NEAR(step.share_gain->change.high, -0.06, 1e-12);
  const std::string page = plan_markdown(plan, Lang::en);
  EXPECT_THAT(page,
              testing::HasSubstr("-14.0 %, from -19.0 % to -6.0 % of the recorded time of the threads"));
  EXPECT_THAT(page, testing::Not(testing::HasSubstr("p99 latency |")));
  EXPECT_THAT(plan.notes, testing::Contains(testing::HasSubstr("not as latency")));
  EXPECT_THAT(to_yaml(plan_doc(plan)), testing::HasSubstr("unit: thread"));
  EXPECT_THAT(step.validate_command, testing::Not(testing::HasSubstr("latency")));
}

TEST(Plan, without_requests_operators_count_with_their_own_time) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "w");
  t.op("Transpose", w, 0, 400'000).op("ReorderInput", w, 400'000, 1'000'000);
  const Plan plan = plan_of(t.seal(), of_threads("layout_transform", 0.9, "atc_layout_unify"), builtin());
  ASSERT_EQ(plan.steps.size(), 1U); // 0.4 ms of 1 ms, of which 20 %, 70 %, 95 % go: not 0.9 of it
  EXPECT_NEAR(plan.steps[0].share_gain->change.typical, -0.28, 1e-12);
}

// A finding whose operators are not those that an action changes: the plan says so, with the report's figure.
TEST(Plan, an_action_on_other_operators_than_those_found_is_left_out_with_the_figure_of_the_finding) {
  Scene s;
  for (int i = 0; i < 30; ++i)
    s.request({{"ReorderOutput", 111}, {"Conv", 889}});
  const Store store = s.t.seal();
  const auto rules = builtin_rules();
  const auto d = diagnose(store, *rules, {});
  ASSERT_TRUE(d.ok());
  const auto cause = std::ranges::find(d->causes, "layout_transform", &Cause::id);
  ASSERT_NE(cause, d->causes.end());
  EXPECT_NEAR(cause->share.mean, 0.111, 1e-12);
  const auto parsed = parse_diagnosis(to_yaml(diagnosis_doc(*d)), "d.yaml");
  ASSERT_TRUE(parsed.ok());
  const auto plan = make_plan(*parsed, builtin(), store, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT(why_left_out(*plan, "atc_layout_unify"),
              testing::AllOf(testing::HasSubstr("Transpose"), testing::HasSubstr("layout_transform 11.1 %")));
  // What ONNX Runtime put in itself, a setting of it takes out.
  EXPECT_THAT(ids_of(plan->steps), testing::Contains("engine_layout"));
}

TEST(Plan, what_acts_on_the_engines_conversions_is_no_step_where_the_model_has_the_transposes) {
  const Plan plan =
      plan_of(SteadyService().t.seal(),
              diagnosis_yaml({{"layout_transform", "atc_layout_unify, engine_layout"}}), builtin());
  EXPECT_EQ(ids_of(plan.steps), std::vector<std::string>{"atc_layout_unify"});
  EXPECT_THAT(why_left_out(plan, "engine_layout"), testing::HasSubstr("ReorderInput"));
}

TEST(Plan, operators_that_no_request_is_linked_to_cannot_be_replayed_and_are_a_step_all_the_same) {
  Scene s;
  for (int i = 0; i < 30; ++i)
    s.request({}, {.other_us = 1000});
  s.t.slice("run", words::kRun, s.t.thread(7, 71, "pool").track, 0, 1000);
  s.t.op("Transpose", s.t.thread(7, 72, "other"), 0, 1000);
  const Plan plan =
      plan_of(s.t.seal(), diagnosis_yaml({{"layout_transform", "atc_layout_unify"}}), builtin());
  ASSERT_EQ(ids_of(plan.steps), std::vector<std::string>{"atc_layout_unify"});
  EXPECT_FALSE(plan.steps[0].gain.has_value());
}

// One worker more: requests wait less and each is served more slowly. A newcomer took the second for a gain.
TEST(Plan, says_of_each_figure_of_a_gain_whether_it_improves) {
  Plan plan;
  plan.steps.push_back({.action = "a"});
  plan.steps[0].gain = Gain{.mean = {-0.3, -0.1, 0.2},
                            .p50 = {0, 0, 0},
                            .p99 = {-0.4, -0.3, -0.2},
                            .capacity = {-0.1, 0.2, 0.5},
                            .work = {0.05, 0.25, 0.6},
                            .refused_share = 0.01};
  const std::string en = plan_markdown(plan, Lang::en), zh = plan_markdown(plan, Lang::zh);
  EXPECT_THAT(en, AllOf(HasSubstr("| p99 latency | -30.0 %, from -40.0 % to -20.0 % | improves |"),
                        HasSubstr("| mean latency | -10.0 %, from -30.0 % to +20.0 % | may go either way |"),
                        HasSubstr("| p50 latency | +0.0 %, from +0.0 % to +0.0 % | does not change |"),
                        HasSubstr("full load | +20.0 %, from -10.0 % to +50.0 % | may go either way |"),
                        HasSubstr("per request | +25.0 %, from +5.0 % to +60.0 % | gets worse: the price"),
                        HasSubstr("| requests refused | 1 % | gets worse")));
  EXPECT_THAT(zh, HasSubstr("变差：这是该步骤的代价"));
}

TEST(Plan, assumed_ranges_say_that_they_are_and_measured_ones_do_not) {
  const std::vector<Action> actions{
      action_named("guessed", "risk: 0\neffort_hours: 0\n" + effect("ops", "Conv", "0.1", "0.5", "0.9")),
      action_named("known", "risk: 0\neffort_hours: 0\n" +
                                effect("ops", "Transpose", "0.4", "0.4", "0.4", "measured"))};
  const Plan plan = plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "guessed, known"}}), actions);
  ASSERT_THAT(ids_of(plan.steps), ElementsAre("guessed", "known"));
  EXPECT_THAT(plan.steps[0].assumptions,
              ElementsAre(AllOf(HasSubstr("guess"), HasSubstr("assumed range, not calibrated"))));
  EXPECT_THAT(plan.steps[1].assumptions, ElementsAre("guess"));
}

TEST(Plan, speaks_chinese) {
  PlanOptions options;
  options.lang = Lang::zh;
  options.tolerance = RiskTolerance::low;
  std::vector<Action> actions = fast_and_lean();
  actions.push_back(action_named("bold", "risk: 0.9\neffort_hours: 1\n"));
  const Plan plan =
      plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "fast, bold"}}), actions, options);
  EXPECT_EQ(plan.steps.at(0).title, "fast zh");
  EXPECT_THAT(plan.steps.at(0).assumptions.at(0), AllOf(HasSubstr("猜测"), HasSubstr("假定范围")));
  EXPECT_THAT(why_left_out(plan, "bold"), AllOf(HasSubstr("风险"), HasSubstr("危险")));
}

TEST(PlanWords, are_answered_with_those_allowed) {
  EXPECT_EQ(*parse_priority("cost_first"), Priority::cost_first);
  EXPECT_EQ(*parse_risk_tolerance("high"), RiskTolerance::high);
  const auto wrong = parse_priority("speed");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, Errc::bad_argument);
  EXPECT_THAT(wrong.error().what,
              AllOf(HasSubstr("'speed'"), HasSubstr("latency_first"), HasSubstr("power_first")));
  EXPECT_THAT(parse_risk_tolerance("").error().what, HasSubstr("low, medium, high"));
}

} // namespace
} // namespace prof
