// The experiment that a plan proposes: how many runs of which length, what records them, and what is said of
// it.
#include "plan/proof.hpp"
#include "planned.hpp"
#include "report/plan_view.hpp"
#include "run_script.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Latencies of 1000 and 3000 in turns of five: w^2 = 0.05 over the 6 s of the trace, so one second has a
// variance of 0.3, and the length of least time is sqrt(30 s * 0.3) / 0.03 = 100 s. Thirty pairs find
// 0.88617 s: for 5 % a run may scatter by |ln 0.95| / 0.88617 = 5.788 %, which 122.4 s do; for 4 % 245.5 s;
// for 3 % it would take 1066 s. The numbers of pairs come from the same integration as above.
struct Lengths {
  double change;
  std::int64_t run_s, needed;
  bool is_enough;
};
class ProofLength : public testing::TestWithParam<Lengths> {};
TEST_P(ProofLength, is_that_of_least_time_and_grows_where_thirty_pairs_are_too_few) {
  RequestModel model;
  for (std::int64_t i = 0; i < 30; ++i)
    model.requests.push_back({.arrival_ns = i, .latency_ns = i / 5 % 2 == 0 ? 1000 : 3000});
  const Lengths& c = GetParam();
  const ProofSize size = detail::proof_size(&model, 6, Change{c.change, c.change, c.change});
  EXPECT_EQ(size.run_s, c.run_s);
  EXPECT_EQ(size.needed, c.needed);
  EXPECT_EQ(size.is_enough, c.is_enough);
  EXPECT_EQ(size.pairs, c.is_enough ? std::max<std::int64_t>(c.needed, 5) : 5);
  EXPECT_NEAR(*size.within_run, std::sqrt(0.3 / static_cast<double>(c.run_s)), 1e-9);
}
INSTANTIATE_TEST_SUITE_P(All, ProofLength,
                         testing::Values(Lengths{-0.2, 100, 4, true}, Lengths{-0.08, 100, 15, true},
                                         Lengths{-0.05, 130, 29, true}, Lengths{-0.04, 250, 30, true},
                                         Lengths{-0.03, 100, 96, false}),
                         [](const auto& one) { return "needed_" + std::to_string(one.param.needed); });

TEST(Proof, asks_for_a_hundred_requests_a_run_and_tells_what_the_weak_end_would_take) {
  RequestModel model;
  for (std::int64_t i = 0; i < 50; ++i)
    model.requests.push_back({.arrival_ns = i, .latency_ns = 1000});
  // 50 requests in 21 s: a hundred in 42 s. s = 3 %: |ln 0.97| / s = 1.0153 needs 24 pairs.
  const ProofSize size = detail::proof_size(&model, 21, Change{-0.06, -0.04, -0.03});
  EXPECT_EQ(size.run_s, 50);
  EXPECT_EQ(size.pairs, 14);
  EXPECT_EQ(size.needed_at_weak, 24);
  EXPECT_DOUBLE_EQ(*size.weak, -0.03);
  // An interval that reaches over zero has no number of runs at its weak end.
  EXPECT_EQ(detail::proof_size(&model, 21, Change{-0.06, -0.04, 0.01}).needed_at_weak, 0);
}

TEST(Plan, steps_too_small_to_prove_alone_are_proved_together) {
  // 2 % of 1000 us, then 2.04 % of 980 us: 4 % in all, which 14 pairs find.
  const std::vector<Action> actions{
      action_named("one", "risk: 0\neffort_hours: 0\n" + effect("ops", "Conv", "0.05", "0.05", "0.05")),
      action_named("two", "risk: 0\neffort_hours: 0\n" + effect("ops", "Transpose", "0.05", "0.05", "0.05"))};
  const Plan plan = plan_of(SteadyService().t.seal(), diagnosis_yaml({{"a", "one, two"}}), actions);
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_EQ(plan.steps[0].proof.with_step, 2U);
  EXPECT_EQ(plan.steps[0].validate_command, "");
  EXPECT_EQ(plan.steps[0].record_command, "");
  EXPECT_EQ(plan.steps[1].proof.from_step, 1U);
  EXPECT_NEAR(*plan.steps[1].proof.change, -0.04, 1e-9);
  EXPECT_EQ(plan.steps[1].proof.pairs, 14);
  EXPECT_THAT(plan.steps[1].validate_command,
              AllOf(HasSubstr("--before trace_before_step1_run1.pb,"), HasSubstr("mean_latency=-4.0%"),
                    HasSubstr("--after trace_after_step2_run1.pb,")));
  const std::string en = plan_markdown(plan, Lang::en), zh = plan_markdown(plan, Lang::zh);
  EXPECT_THAT(en,
              AllOf(HasSubstr("Not worth proving alone: the predicted change (-2.0 % of the mean latency) "
                              "would take 51 pairs of 10 s. Go on to the next step; the proof of step 2"),
                    HasSubstr("-4.0 % of the mean latency by steps 1 to 2 together")));
  EXPECT_THAT(zh, HasSubstr("第 2 步的验证会包含这一步"));
}

// `profiler trace` would wait for a target that is not there: the runs come from the tool that made the
// trace.
TEST(Steps, of_an_imported_trace_are_proved_by_runs_of_the_tool_that_made_it) {
  SteadyService s(4);
  s.t.sink().metadata("format", "Chrome trace JSON");
  const Plan plan =
      plan_of(s.t.seal(), diagnosis_yaml({{"a", "runtime_more_workers"}, {"b", "runtime_batching"}}, "\"\""),
              only_commands(), tolerant());
  EXPECT_EQ(plan.steps.at(0).before_command,
            "for i in 1 2 3 4 5; do profiler import --trace=RECORDING_BEFORE\"$i\" --output "
            "trace_before_step1_run\"$i\".pb; done");
  EXPECT_EQ(plan.steps[0].record_command,
            "for i in 1 2 3 4 5; do profiler import --trace=RECORDING_AFTER\"$i\" --output "
            "trace_after_step1_run\"$i\".pb; done");
  EXPECT_THAT(plan.steps[0].open_places, testing::IsSupersetOf({"RECORDING_BEFORE", "RECORDING_AFTER"}));
  EXPECT_THAT(plan.steps[1].open_places, testing::Contains("RECORDING_AFTER"));
  const std::string page = plan_markdown(plan, Lang::en);
  EXPECT_THAT(page, testing::StartsWith("# Optimisation plan for an unnamed service\n"));
  EXPECT_THAT(page,
              HasSubstr("Record 5 runs before the step and 5 after it, in turns and under the same load, "
                        "with the tool that made this trace (Chrome trace JSON)"));
  EXPECT_THAT(page, Not(HasSubstr("do profiler trace ")));
  const std::string chinese = plan_markdown(plan, Lang::zh);
  EXPECT_THAT(chinese, testing::StartsWith("# 未命名的服务 的优化计划\n"));
  EXPECT_THAT(chinese, HasSubstr("用生成此跟踪的工具（Chrome trace JSON）在相同负载下交替录制"));
  EXPECT_EQ(YAML::Load(to_yaml(plan_doc(plan)))["imported_from"].as<std::string>(), "Chrome trace JSON");
}

TEST(Steps, are_proved_each_by_pairs_of_runs_of_its_own) {
  SteadyService s(4);
  PlanOptions options = tolerant();
  options.folder = "my plans";
  const Plan plan = plan_in_order(s, "runtime_more_workers", "runtime_batching", options);
  EXPECT_EQ(plan.steps[0].record_command, "sh 'my plans/step1_prove.sh'");
  // 30 requests in 0.03 s: recordings of ten seconds; nothing is predicted: five pairs.
  EXPECT_THAT(
      file_of(plan, "step1_prove.sh"),
      HasSubstr("profiler trace --target=svc --scope full_stack --duration 10s --output \"$part\"\n"));
  EXPECT_THAT(
      plan.steps[0].validate_command,
      HasSubstr("--before trace_before_step1_run1.pb,trace_before_step1_run2.pb,trace_before_step1_run3.pb,"
                "trace_before_step1_run4.pb,trace_before_step1_run5.pb --after "
                "trace_after_step1_run1.pb,"));
  EXPECT_THAT(plan.steps[0].validate_command, Not(HasSubstr("--expected_change")));
  EXPECT_THAT(plan.steps[1].validate_command,
              HasSubstr("--before trace_before_step2_run1.pb,trace_before_step2_run2.pb"));
}

// A stand-in that records, and refuses what is not there. `before` and `after` say what runs. Its clock is a
// file, so that a recording of ten seconds takes none; `cut_off` says how the first one ends: at once.
class Proving : public testing::Test {
protected:
  void SetUp() override {
    folder_.write("clock", "1000");
    folder_.write("date", "#!/bin/sh\ncat clock\n", true);
    folder_.write(
        "profiler",
        "#!/bin/sh\ncase $1 in trace) for last; do :; done; cat state >> order\n"
        "if [ -e cut_off ]; then echo part > \"$last\"; how=$(cat cut_off); rm cut_off; eval \"$how\"; fi\n"
        "echo whole > \"$last\"; echo $(($(cat clock) + 10)) > clock;;\n"
        "validate) IFS=,; for f in $3 $5; do [ -e \"$f\" ] || { echo \"no $f\"; exit 3; }; done; "
        "echo \"$3|$5\";; esac\n",
        true);
    SteadyService s(4);
    plan_ = plan_in_order(s, "runtime_more_workers", "runtime_batching");
    for (const PlanFile& file : plan_.files)
      folder_.write(file.name, file.content);
  }
  Ran run(const std::string& command) { return run_in(folder_.path(), "PATH=\"$PWD:$PATH\"; " + command); }
  Folder folder_;
  Plan plan_;
  const std::string both_ = " 'printf b > state' 'printf a > state'";
};

TEST_F(Proving, records_what_validate_is_given_with_before_and_after_in_turns) {
  for (const PlanStep& step : plan_.steps) {
    const Ran ran = run(step.record_command + both_ + " && " + step.validate_command);
    EXPECT_EQ(ran.status, 0) << ran.output;
    EXPECT_EQ(std::ranges::count(ran.output, '|'), 1) << ran.output;
    EXPECT_EQ(folder_.read("order"), "baabbaabba") << "a drift of the machine falls on both sides";
    folder_.write("order", "");
  }
}

TEST_F(Proving, asks_before_each_run_and_goes_on_where_it_was_stopped) {
  folder_.write("state", "x");
  // Three times Enter, then nobody is there.
  const Ran stopped = run("printf '\\n\\n\\n' | sh step1_prove.sh");
  EXPECT_NE(stopped.status, 0);
  EXPECT_EQ(folder_.read("order"), "xxx");
  EXPECT_THAT(stopped.output,
              AllOf(HasSubstr("1/10: trace_before_step1_run1.pb\nstart the service anew as it was "
                              "before step 1"),
                    HasSubstr("2/10: trace_after_step1_run1.pb\nstart the service anew with step 1"),
                    HasSubstr("4/10: trace_before_step1_run2.pb")));
  EXPECT_EQ(run("sh step1_prove.sh" + both_ + " && " + plan_.steps[0].validate_command).status, 0);
  EXPECT_EQ(folder_.read("order"), "xxxbbaabba") << "three runs are there already";
}

// `kill -9` of the recorder, and SIGTERM, after which it keeps what it has and ends with status 0.
TEST_F(Proving, takes_no_recording_that_was_cut_off_for_a_run) {
  for (const char* how : {"kill -9 $$", "exit 0", "exit 3"}) {
    folder_.write("order", "");
    folder_.write("cut_off", how);
    const Ran stopped = run("sh step1_prove.sh" + both_);
    EXPECT_NE(stopped.status, 0) << how;
    EXPECT_EQ(folder_.read("order"), "b") << how;
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "trace_before_step1_run1.pb")) << how;
    EXPECT_EQ(folder_.read("trace_before_step1_run1.part.pb"), "part\n") << how;
    const bool says_so =
        stopped.output.find("the recording ended early and is not kept") != std::string::npos;
    EXPECT_EQ(says_so, std::string_view(how) == "exit 0") << "the others ended with an error of their own";
  }
  folder_.write("order", "");
  EXPECT_EQ(run("sh step1_prove.sh" + both_ + " && " + plan_.steps[0].validate_command).status, 0);
  EXPECT_EQ(folder_.read("order"), "baabbaabba");
  EXPECT_EQ(folder_.read("trace_before_step1_run1.pb"), "whole\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "trace_before_step1_run1.part.pb"));
}

TEST(PlanView, shows_how_the_step_is_proved_how_long_it_takes_and_what_each_outcome_means) {
  SteadyService s(4);
  const Plan plan = plan_of(s.t.seal(), diagnosis_yaml({{"a", "atc_layout_unify"}}), builtin());
  const std::string page = plan_markdown(plan, Lang::en);
  EXPECT_LT(page.find("atc convert"), page.find("sh step1_prove.sh"));
  EXPECT_LT(page.find("sh step1_prove.sh"),
            page.find("profiler validate --before trace_before_step1_run1.pb"));
  // 28 % are predicted; s = 3 %: five pairs of 10 s with 30 s each, 400 s.
  EXPECT_THAT(page, AllOf(HasSubstr("5 pairs of runs of 10 s"), HasSubstr("This takes about 7 min"),
                          HasSubstr("the predicted change (-28.0 % of the mean latency) in four of five"),
                          HasSubstr("the smallest change that it finds so often is 7.6 %"),
                          HasSubstr("s = sqrt(w^2 + 3 %^2)")));
  EXPECT_THAT(page, AllOf(HasSubstr("**improved**: keep the step"), HasSubstr("**Worsened**: roll it back"),
                          HasSubstr("**Not resolved**: it says how many more pairs")));
  EXPECT_THAT(page, Not(HasSubstr("roll back when validate finds no"))) << "no proof is no proof of harm";
  const YAML::Node proof = YAML::Load(to_yaml(plan_doc(plan)))["steps"][0]["proof"];
  EXPECT_EQ(proof["pairs"].as<int>(), 5);
  EXPECT_EQ(proof["pairs_needed"].as<int>(), 3);
  EXPECT_EQ(proof["total_s"].as<int>(), 400);
  EXPECT_NEAR(proof["detectable_change"].as<double>(), 0.082447, 1e-6);
}

} // namespace
} // namespace prof
