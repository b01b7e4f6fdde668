// What a validation comes to: keep, roll back, or which data would decide.
#include "verdict/answer.hpp"

#include "made_runs.hpp"

#include <gtest/gtest.h>

using namespace prof;
using namespace prof::test;

namespace {

// Five runs a side of 41 s, and one metric with this outcome.
Validation five_runs(Outcome outcome) {
  Validation v;
  for (int i = 0; i < 5; ++i) {
    v.before.push_back({.window_ns = 41'000'000'000});
    v.after.push_back({.window_ns = 41'400'000'000});
  }
  MetricVerdict m;
  m.metric = mean_latency(), m.outcome = outcome, m.margin = 0.02, m.needed = 12;
  v.metrics.push_back(m);
  return v;
}

struct Row {
  const char* name;
  void (*change)(Validation&); // of a validation without a significant change
  AnswerKind kind;
  Missing missing;
  std::int64_t more;
};
class AnswerOf : public testing::TestWithParam<Row> {};
TEST_P(AnswerOf, a_validation) {
  const Row& row = GetParam();
  Validation v = five_runs(Outcome::no_change);
  row.change(v);
  const ValidationAnswer answer = answer_of(v);
  EXPECT_EQ(answer.kind, row.kind);
  EXPECT_EQ(answer.missing, row.missing);
  if (row.missing == Missing::pairs) {
    EXPECT_EQ(answer.more, row.more);
    EXPECT_EQ(answer.run_s, 41);
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, AnswerOf,
    testing::Values(
        Row{"asks_for_the_pairs_that_are_missing", [](Validation&) {}, AnswerKind::not_resolved,
            Missing::pairs, 7},
        Row{"is_improved_by_one_better_metric",
            [](Validation& v) { v.metrics.push_back(five_runs(Outcome::better).metrics[0]); },
            AnswerKind::improved, Missing::nothing, 0},
        Row{"is_worsened_by_one_worse_metric_beside_a_better_one",
            [](Validation& v) {
              v.metrics[0].outcome = Outcome::worse;
              v.metrics.push_back(five_runs(Outcome::better).metrics[0]);
            },
            AnswerKind::worsened, Missing::nothing, 0},
        Row{"is_not_worsened_by_less_than_a_hundredth",
            [](Validation& v) { v.metrics[0].outcome = Outcome::worse, v.metrics[0].is_small = true; },
            AnswerKind::equal, Missing::nothing, 0},
        Row{"is_equal_where_sameness_was_shown", [](Validation& v) { v.metrics[0].is_equivalent = true; },
            AnswerKind::equal, Missing::nothing, 0},
        Row{"takes_the_metric_that_needs_least",
            [](Validation& v) {
              v.metrics.push_back(v.metrics[0]);
              v.metrics[1].needed = 8;
            },
            AnswerKind::not_resolved, Missing::pairs, 3},
        Row{"takes_a_metric_with_an_expected_change_first",
            [](Validation& v) {
              v.metrics.push_back(v.metrics[0]);
              v.metrics[1].needed = 25, v.metrics[1].expected = -0.06;
            },
            AnswerKind::not_resolved, Missing::pairs, 20},
        Row{"says_that_there_were_runs_enough", [](Validation& v) { v.metrics[0].needed = 5; },
            AnswerKind::not_resolved, Missing::smaller_change, 0},
        Row{"names_no_number_that_nobody_would_run", [](Validation& v) { v.metrics[0].needed = 1001; },
            AnswerKind::not_resolved, Missing::sense, 0},
        Row{"has_none_where_no_metric_could_be_had",
            [](Validation& v) { v.metrics[0].outcome = Outcome::unavailable; }, AnswerKind::not_resolved,
            Missing::metrics, 0},
        Row{"has_none_where_the_sides_are_not_comparable",
            [](Validation& v) {
              v.metrics[0].outcome = Outcome::better;
              v.checks.push_back({.id = "same_model", .state = CheckState::fail});
            },
            AnswerKind::not_resolved, Missing::comparable_sides, 0}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(Answer, asks_for_longer_runs_where_a_percentile_has_too_few_requests) {
  Validation v = five_runs(Outcome::too_little_data);
  v.metrics[0].needs_samples = true, v.metrics[0].needed = 368;
  v.metrics[0].samples_before = 200, v.metrics[0].samples_after = 184;
  const ValidationAnswer answer = answer_of(v);
  EXPECT_EQ(answer.missing, Missing::longer_runs);
  EXPECT_EQ(answer.run_s, 82) << "twice as many requests in twice the time";
}

// 10 + 10 runs, sd 5 %: for -6 % at 5 % / 2 (two metrics, Holm) |ln 0.94| / 0.05 = 1.2375 needs 14 a side,
// integrated numerically elsewhere.
TEST(Answer, counts_the_runs_for_the_change_that_was_expected_at_the_corrected_level) {
  const std::vector metrics{mean_latency(), p50()};
  auto before = made_runs(1, 10, {.n = 20, .sigma = 0}, metrics), after = before;
  const std::array<double, 10> signs{1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
  // Logs of +-x in turns: sd = x * sqrt(10 / 9), which is 0.05.
  for (auto* side : {&before, &after})
    for (std::size_t i = 0; i < 10; ++i) {
      const double level = 100e6 * std::exp(signs[i] * 0.05 * std::sqrt(0.9));
      (*side)[i].sha256 = std::to_string(side == &before) + std::to_string(i);
      for (double& ns : (*side)[i].request_ns)
        ns = level;
      for (MetricRun& m : (*side)[i].metrics) {
        m.samples.value.assign(m.samples.value.size(), level);
        m.value.value = level;
      }
    }
  ValidateOptions options;
  options.expected = {{"mean_latency", -0.06}};
  const Validation v = *validate(metrics, before, after, options);
  EXPECT_EQ(v.metrics[0].needed, 14);
  EXPECT_DOUBLE_EQ(v.metrics[0].sought(), 0.06);
  EXPECT_DOUBLE_EQ(v.metrics[1].sought(), 0.03);
}

TEST(Expected, changes_are_read_by_metric_and_nothing_else_is) {
  const auto good = parse_expected("mean_latency=-6.2%,p99_latency=+0.08");
  ASSERT_TRUE(good.ok());
  EXPECT_DOUBLE_EQ(good->at("mean_latency"), -0.062);
  EXPECT_DOUBLE_EQ(good->at("p99_latency"), 0.08);
  EXPECT_TRUE(parse_expected("")->empty());
  for (const char* bad : {"mean_latency", "=1%", "a=", "a=x", "a=1%%", "a=nan", "a=inf", "a=0", "a=-100%",
                          "a=-3%,,b=1%", "a=1 %", "a=--1%"})
    EXPECT_EQ(parse_expected(bad).error().code, Errc::bad_argument) << bad;
}

} // namespace
