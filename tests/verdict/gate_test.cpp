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
}

TEST(gate, does_not_call_noise_a_pass_or_a_fail) {
  const std::vector metrics{mean_latency()};
  std::vector<RunFacts> before,
      after; // geometric means 98.4 and 115.0 (+17 %), spread 20 % a side: p about 0.3
  for (const double ms : {90, 130, 100, 80})
    before.push_back(made_run(1, {.level = ms * 1e6, .sigma = 0}, metrics));
  for (const double ms : {120, 95, 140, 110})
    after.push_back(made_run(2, {.level = ms * 1e6, .sigma = 0}, metrics));
  const Validation v = *validate(metrics, before, after, {});
  const Gate g = gate(v, 0.03);
  EXPECT_EQ(g.rows[0].state, GateState::inconclusive);
  EXPECT_FALSE(g.is_failed());
}

TEST(gate, that_could_judge_nothing_is_not_green) {
  Validation v = judged(100e6, 4);
  v.metrics[0].outcome = Outcome::unavailable;
  EXPECT_TRUE(gate(v, 0.03).is_failed());
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

TEST(gate, limit_is_a_share) {
  EXPECT_DOUBLE_EQ(*parse_share("3%"), 0.03);
  EXPECT_DOUBLE_EQ(*parse_share("0.05"), 0.05);
  for (const char* bad : {"", "x", "3 %", "-1%", "nan", "3%%"})
    EXPECT_FALSE(parse_share(bad).ok()) << bad;
}
