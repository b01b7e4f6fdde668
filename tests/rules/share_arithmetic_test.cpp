// Shares, intervals, bands and correlations against values worked out by hand.
#include "rules/evaluate.hpp"
#include "rules/request_set.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace prof {
namespace {

RequestSet set_of(std::vector<std::int64_t> dur) {
  RequestSet set;
  set.dur = std::move(dur);
  set.id.resize(set.dur.size());
  std::iota(set.id.begin(), set.id.end(), 0);
  set.ts.assign(set.dur.size(), 0);
  return set;
}

TEST(Ratio, is_the_ratio_of_the_sums_not_the_mean_of_the_ratios) {
  const RequestSet set = set_of({100, 300});
  EXPECT_DOUBLE_EQ(ratio_over_all(set, std::vector<double>{100, 0}).value, 0.25);
}

TEST(Ratio, interval_of_the_ratio_estimator) {
  // times 1..6 of 10 each: ratio 0.35; residuals -2.5..2.5, squares 17.5; se = sqrt(17.5 * 6 / 5) / 60; t(5)
  // = 2.5705818
  const RequestSet set = set_of({10, 10, 10, 10, 10, 10});
  const RatioEstimate r = ratio_over_all(set, std::vector<double>{1, 2, 3, 4, 5, 6});
  EXPECT_DOUBLE_EQ(r.value, 0.35);
  const double half = 2.5705818356 * std::sqrt(17.5 * 6 / 5) / 60;
  EXPECT_NEAR(r.low, 0.35 - half, 1e-9);
  EXPECT_NEAR(r.high, 0.35 + half, 1e-9);
}

TEST(Ratio, few_requests_give_the_point_and_none_give_zero) {
  const RequestSet set = set_of({10, 10});
  const RatioEstimate r = ratio_over_all(set, std::vector<double>{1, 9});
  EXPECT_DOUBLE_EQ(r.low, 0.5);
  EXPECT_DOUBLE_EQ(r.high, 0.5);
  EXPECT_DOUBLE_EQ(ratio_over_all(RequestSet{}, {}).value, 0);
}

TEST(TailGap, is_the_part_of_the_difference_that_the_times_explain) {
  RequestSet set = set_of(std::vector<std::int64_t>(20, 100));
  set.dur[7] = 300;
  set.slow = {7};
  set.middle = {8, 9, 10, 11};
  std::vector<double> times(20, 10);
  times[7] = 110; // 100 of the 200 more
  EXPECT_DOUBLE_EQ(*tail_gap_explained(set, times), 0.5);
  set.dur[7] = 100;
  EXPECT_FALSE(tail_gap_explained(set, times).has_value()); // no tail, nothing to explain
  EXPECT_FALSE(tail_gap_explained(set_of({1, 2}), std::vector<double>{1, 2}).has_value());
}

TEST(Correlation, spearman_with_ties) {
  // ranks of x: 0, 1.5, 1.5, 3; of y: 0, 1, 2, 3 -> 4.5 / sqrt(4.5 * 5)
  const RequestSet set = set_of({10, 20, 30, 40});
  EXPECT_NEAR(*latency_correlation(set, std::vector<double>{1, 5, 5, 9}), 4.5 / std::sqrt(4.5 * 5), 1e-12);
  EXPECT_NEAR(*latency_correlation(set, std::vector<double>{4, 3, 2, 1}), -1.0, 1e-12);
  EXPECT_FALSE(latency_correlation(set, std::vector<double>{1, 1, 1, 1}).has_value());
}

TEST(Stats, percentiles_are_type_7) {
  const RequestStats stats = stats_of(set_of({1, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(stats.p50_ns, 2.5);
  EXPECT_DOUBLE_EQ(stats.p90_ns, 3.7);
  EXPECT_DOUBLE_EQ(stats.max_ns, 4);
  EXPECT_DOUBLE_EQ(stats.mean_ns, 2.5);
  EXPECT_EQ(stats_of(RequestSet{}).n, 0);
}

TEST(Confidence, is_the_logistic_of_the_log_odds_under_the_caps) {
  EXPECT_DOUBLE_EQ(confidence_of(0, 1), 0.5);
  EXPECT_DOUBLE_EQ(confidence_of(1, 1), 0.73);
  EXPECT_DOUBLE_EQ(confidence_of(-1.5, 1), 0.18);
  EXPECT_DOUBLE_EQ(confidence_of(9, 1), kUncalibratedCap);
  EXPECT_DOUBLE_EQ(confidence_of(9, 0.5), 0.5);
}

TEST(ExpandSql, puts_in_views_params_and_the_engines_own) {
  Rule rule;
  rule.params["p"] = {10, ""};
  rule.views["a"] = "select {p} as x";
  rule.views["b"] = "select * from {a}";
  EXPECT_EQ(expand_sql(rule, "select * from {b}", UnitKind::unit),
            "with the_a as (select 10 as x),\nthe_b as (select * from the_a)\nselect * from the_b");
  // A query that has parts of its own keeps them behind, and one that needs none stays as it is.
  EXPECT_EQ(expand_sql(rule, "with recursive n as (select {p}) select * from n, {a}", UnitKind::unit),
            "with recursive the_a as (select 10 as x),\nn as (select 10) select * from n, the_a");
  EXPECT_EQ(expand_sql(rule, "select {p}", UnitKind::unit), "select 10");
  EXPECT_NE(expand_sql(rule, "select * from {unit}", UnitKind::unit).find("from unit"), std::string::npos);
  EXPECT_NE(expand_sql(rule, "select * from {unit}", UnitKind::run).find("category = 'run'"),
            std::string::npos);
}

TEST(ExpandSql, a_view_that_names_itself_ends) {
  Rule rule;
  rule.views["a"] = "select * from {a}, {a}";
  EXPECT_LT(expand_sql(rule, "{a}", UnitKind::unit).size(), std::size_t{1} << 20);
}

} // namespace
} // namespace prof
