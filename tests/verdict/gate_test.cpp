#include "made_runs.hpp"
#include "verdict/gate.hpp"

#include <gtest/gtest.h>

using namespace prof;
using namespace prof::test;

namespace {
Validation judged(double level, std::size_t runs, double noise = 0.005) {
  const std::vector metrics{mean_latency()};
  return *validate(metrics, made_runs(1, runs, {.run_noise = noise}, metrics),
                   made_runs(2, runs, {.level = level, .run_noise = noise}, metrics), {});
}
} // namespace

TEST(gate, fails_on_a_proven_regression_above_the_limit_only) {
  EXPECT_EQ(gate(judged(110e6, 6), 0.03).rows[0].state, GateState::fail);
  EXPECT_TRUE(gate(judged(110e6, 6), 0.03).is_failed());
  EXPECT_EQ(gate(judged(110e6, 6), 0.15).rows[0].state, GateState::pass);
  EXPECT_TRUE(gate(judged(110e6, 6), 0.15).rows[0].is_proven);
  EXPECT_EQ(gate(judged(90e6, 6), 0.03).rows[0].state, GateState::pass);
  EXPECT_FALSE(gate(judged(110e6, 6), 0.03).is_passed());
  EXPECT_TRUE(gate(judged(110e6, 6), 0.15).is_passed());
}

TEST(gate, does_not_call_noise_a_pass_or_a_fail) {
  const std::vector metrics{mean_latency()};
  std::vector<RunFacts> before,
      after; // geometric means 98.4 and 115.0 (+17 %), spread 20 % a side: p about 0.3
  for (const double ms : {90, 130, 100, 80})
    before.push_back(made_run(1, {.level = ms * 1e6, .sigma = 0}, metrics));
  for (const double ms : {120, 95, 140, 110})
    after.push_back(made_run(2, {.level = ms * 1e6, .sigma = 0}, metrics));
  for (std::size_t i = 0; i < 4; ++i) // eight recordings, not one that is counted four times
    before[i].sha256 = "before " + std::to_string(i), after[i].sha256 = "after " + std::to_string(i);
  const Validation v = *validate(metrics, before, after, {});
  const Gate g = gate(v, 0.03);
  EXPECT_EQ(g.rows[0].state, GateState::inconclusive);
  EXPECT_FALSE(g.is_failed());
  EXPECT_TRUE(g.is_passed());
  EXPECT_FALSE(gate(v, 0.03, true).is_passed()) << "--inconclusive fail";
}

TEST(gate, that_could_judge_nothing_is_neither_passed_nor_failed) {
  Validation v = judged(100e6, 4);
  v.metrics[0].outcome = Outcome::unavailable;
  EXPECT_TRUE(gate(v, 0.03).has_no_answer());
  EXPECT_FALSE(gate(v, 0.03).is_failed()) << "no regression was seen";
  v.metrics.push_back(judged(100e6, 4).metrics[0]);
  EXPECT_FALSE(gate(v, 0.03).has_no_answer()) << "the other metric has one";
  v.metrics[0].has_before = true, v.metrics[0].has_after = false;
  EXPECT_TRUE(gate(v, 0.03).is_failed()) << "what one side alone has may hide a regression";
}

// What is missing from a trace may be what got worse; what is there and got worse did get worse.
TEST(gate, cannot_tell_where_a_trace_is_not_whole) {
  const std::vector metrics{mean_latency()};
  struct Case {
    bool is_before, is_incomplete;
    std::int64_t lost; // of 1000 events
  };
  for (const Case& c :
       {Case{true, true, 0}, Case{false, true, 0}, Case{true, false, 500}, Case{false, false, 500}}) {
    auto before = made_runs(1, 6, {.run_noise = 0.005}, metrics);
    auto same = made_runs(2, 6, {.run_noise = 0.005}, metrics);
    auto worse = made_runs(2, 6, {.level = 110e6, .run_noise = 0.005}, metrics);
    for (RunFacts* run : {c.is_before ? &before[3] : &same[3], c.is_before ? &before[3] : &worse[3]})
      run->is_incomplete = c.is_incomplete, run->lost = c.lost, run->events = 1000 - c.lost;
    const Validation v = *validate(metrics, before, same, {}), w = *validate(metrics, before, worse, {});
    const Gate g = gate(v, 0.15);
    EXPECT_EQ(g.rows[0].state, GateState::cannot_tell) << c.is_before << c.lost;
    EXPECT_FALSE(g.rows[0].is_proven);
    EXPECT_TRUE(g.is_failed()) << "a gate that cannot tell must not be green";
    EXPECT_EQ(gate(w, 0.03).rows[0].state, GateState::fail) << c.is_before << c.lost;
  }
}

// validate said that the sides were not comparable, and gate passed them without a word.
TEST(gate, believes_no_answer_about_sides_that_validate_calls_not_comparable) {
  const std::vector metrics{mean_latency()};
  struct Case {
    const char* check;
    void (*spoil)(std::vector<RunFacts>& runs); // of the after side
    GateState same, worse;                      // what becomes of an equal and of a slower side
  };
  constexpr GateState kOpen = GateState::cannot_tell;
  for (const Case& c : {
           Case{"same_trace", [](auto& runs) { runs[4].sha256 = runs[5].sha256; }, kOpen, kOpen},
           Case{"same_model",
                [](auto& runs) {
                  for (RunFacts& run : runs)
                    run.op_names = {{"decoder/mlp", 1000}}, run.op_types = {{"MatMul", 10}};
                },
                kOpen, kOpen},
           Case{"setting_sampling_rate", [](auto& runs) { runs[0].settings["sampling_rate"] = "10%"; }, kOpen,
                kOpen},
           Case{"error_rate", [](auto& runs) { runs[0].errors = 300; }, kOpen, GateState::fail},
           Case{"unfinished",
                [](auto& runs) {
                  for (RunFacts& run : runs)
                    run.unfinished = 150;
                },
                kOpen, GateState::fail},
           Case{"setting_host", [](auto& runs) { runs[0].settings["host"] = "other"; }, GateState::pass,
                GateState::fail},
       }) {
    auto before = made_runs(1, 6, {.run_noise = 0.005}, metrics);
    auto same = made_runs(2, 6, {.run_noise = 0.005}, metrics);
    auto worse = made_runs(2, 6, {.level = 130e6, .run_noise = 0.005}, metrics);
    for (auto* runs : {&before, &same, &worse})
      for (RunFacts& run : *runs)
        run.has_status = true, run.op_names = {{"unet/conv_in", 1000}}, run.op_types = {{"Conv", 10}};
    c.spoil(same), c.spoil(worse);
    const Validation v = *validate(metrics, before, same, {}), w = *validate(metrics, before, worse, {});
    const Gate g = gate(v, 0.15);
    EXPECT_EQ(g.rows[0].state, c.same) << c.check;
    EXPECT_EQ(g.is_failed(), c.same == kOpen) << c.check;
    EXPECT_EQ(gate(w, 0.15).rows[0].state, c.worse) << c.check;
    ASSERT_EQ(g.rows[0].doubts.size(), c.same == kOpen ? 1U : 0U) << c.check;
    if (c.same != kOpen) continue;
    EXPECT_EQ(g.rows[0].doubts[0]->id, c.check);
  }
}

TEST(gate, a_metric_that_one_side_lacks_does_not_pass_beside_one_that_does) {
  const std::vector metrics{mean_latency(), p50()};
  for (const bool is_lost_after : {true, false}) {
    auto before = made_runs(1, 6, {.run_noise = 0.005}, metrics), after = before;
    for (RunFacts& run : after)
      run.sha256 += "b";
    EXPECT_FALSE(gate(*validate(metrics, before, after, {}), 0.03).is_failed());
    for (RunFacts& run : is_lost_after ? after : before)
      run.metrics[1].value.value.reset();
    const Validation v = *validate(metrics, before, after, {});
    const Gate g = gate(v, 0.03);
    EXPECT_EQ(g.rows[0].state, GateState::pass);
    EXPECT_EQ(g.rows[1].state, GateState::cannot_tell);
    EXPECT_EQ(v.metrics[1].has_before, is_lost_after);
    EXPECT_TRUE(g.is_failed());
    for (RunFacts& run : is_lost_after ? before : after)
      run.metrics[1].value.value.reset(); // neither side has it: nothing was lost
    EXPECT_FALSE(gate(*validate(metrics, before, after, {}), 0.03).is_failed());
  }
}

// The share of errors went from 5 % to 50 %, by 200 requests a side.
TEST(gate, fails_on_more_errors_and_does_not_hide_behind_the_check_of_errors) {
  MetricDef errors;
  errors.id = "error_rate", errors.unit = "percent", errors.aggregate = Aggregate::ratio;
  const auto run_with = [&](int one_in) {
    RunFacts run = made_run(static_cast<std::uint64_t>(one_in), {.n = 200}, {});
    MetricRun m;
    for (std::size_t i = 0; i < run.request_ts.size(); ++i)
      m.samples.ts.push_back(run.request_ts[i]),
          m.samples.value.push_back(i % static_cast<std::size_t>(one_in) == 0 ? 100 : 0);
    run.errors = 200 / one_in, run.has_status = true;
    m.value = {.value = 100.0 / one_in, .n = 200, .reason = {}, .mend = {}, .detail = {}};
    run.metrics.push_back(std::move(m));
    return run;
  };
  const std::vector metrics{errors};
  const std::vector before{run_with(20)}, after{run_with(2)};
  const Validation v = *validate(metrics, before, after, {.min_effect = 0});
  const Gate g = gate(v, 0.03);
  EXPECT_EQ(g.rows[0].state, GateState::fail);
  EXPECT_DOUBLE_EQ(g.rows[0].worsening, 9);
}

TEST(gate, of_a_run_with_itself_is_never_a_regression) {
  for (const std::size_t requests : {1U, 8U, 60U, 120U, 400U}) {
    const std::vector metrics{p99(), p50(), mean_latency()};
    const auto run = made_runs(1, 1, {.n = requests}, metrics);
    const Validation v = *validate(metrics, run, run, {.min_effect = 0});
    const Gate result = gate(v, 0);
    EXPECT_FALSE(result.is_failed()) << requests;
    for (const GateRow& row : result.rows)
      EXPECT_NE(row.state, GateState::fail) << requests << row.verdict->metric.id;
    EXPECT_EQ(v.metrics[0].outcome == Outcome::too_little_data, requests < 368) << "ln 0.025 / ln 0.99";
  }
}

TEST(gate, the_spread_of_runs_is_a_share_of_them) {
  EXPECT_DOUBLE_EQ(*parse_run_noise("3%"), 0.03);
  EXPECT_DOUBLE_EQ(*parse_run_noise("0"), 0);
  EXPECT_DOUBLE_EQ(*parse_run_noise("100%"), 1);
  for (const char* bad : {"3", "101%", "1e9", "99999999999%", "-3%", "nan", "x", ""}) {
    const auto share = parse_run_noise(bad);
    ASSERT_FALSE(share.ok()) << bad;
    EXPECT_NE(share.error().what.find("from 0% to 100%"), std::string::npos) << bad;
    EXPECT_NE(share.error().zh.find("0% 到 100%"), std::string::npos) << bad;
  }
}

TEST(gate, limit_is_a_share) {
  EXPECT_DOUBLE_EQ(*parse_share("3%"), 0.03);
  EXPECT_DOUBLE_EQ(*parse_share("0.05"), 0.05);
  for (const char* bad : {"", "x", "3 %", "-1%", "nan", "3%%"})
    EXPECT_FALSE(parse_share(bad).ok()) << bad;
}
