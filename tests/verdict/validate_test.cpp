#include "made_runs.hpp"

#include <gtest/gtest.h>
#include <limits>

using namespace prof;
using namespace prof::test;

namespace {

Validation judged(const std::vector<MetricDef>& metrics, const std::vector<RunFacts>& before,
                  const std::vector<RunFacts>& after, ValidateOptions options = {}) {
  auto result = validate(metrics, before, after, options);
  EXPECT_TRUE(result.ok());
  return *std::move(result);
}
const Check& check_of(const Validation& v, std::string_view id) {
  for (const Check& check : v.checks)
    if (check.id == id) return check;
  static const Check none;
  ADD_FAILURE() << "no check " << id;
  return none;
}

} // namespace

TEST(validate, says_better_when_every_run_got_a_fifth_faster) {
  const std::vector metrics{p50(), p99(), mean_latency()};
  const auto v = judged(metrics, made_runs(1, 5, {.run_noise = 0.02}, metrics),
                        made_runs(2, 5, {.level = 80e6, .run_noise = 0.02}, metrics));
  for (const MetricVerdict& m : v.metrics) {
    EXPECT_EQ(m.outcome, Outcome::better) << m.metric.id;
    EXPECT_NEAR(*m.change, -0.2, 0.05) << m.metric.id;
    EXPECT_LT(m.change_ci->hi, 0);
    EXPECT_GE(m.p_corrected, m.p);
    EXPECT_FALSE(m.is_within_run);
    EXPECT_EQ(m.unit, Unit::run);
  }
  EXPECT_FALSE(v.has_regression());
}

// The time of a request against the time of a training step says nothing of either.
TEST(validate, sides_with_two_units_of_work_are_refused_in_one_line_that_names_both) {
  struct Row {
    const char *before, *after;
    bool is_refused;
  };
  const std::vector metrics{p50()};
  for (const auto& [first, second, is_refused] :
       {Row{"request", "request", false}, Row{"iteration", "iteration", false}, Row{"request", "", false},
        Row{"", "", false}, Row{"request", "iteration", true}, Row{"run", "request", true}}) {
    auto before = made_runs(1, 2, {}, metrics), after = made_runs(2, 2, {}, metrics);
    for (RunFacts& run : before)
      run.unit = first;
    after[1].unit = second; // one of several is enough
    const auto result = validate(metrics, before, after, {});
    EXPECT_EQ(result.ok(), !is_refused) << first << " " << second;
    if (result.ok()) continue;
    EXPECT_EQ(result.error().code, Errc::bad_argument);
    EXPECT_EQ(result.error().what.find('\n'), std::string::npos);
  }
  const Status two = check_same_unit({"a.pb", "request"}, {"b.json", "iteration"});
  ASSERT_FALSE(two.ok());
  EXPECT_EQ(two.error().what, "a.pb is counted in requests and b.json in steps: these are not compared; give "
                              "traces with the same unit of work");
  EXPECT_EQ(two.error().zh, "a.pb 以请求计，b.json 以步计：二者不作比较；请给出工作单位相同的跟踪");
}

TEST(validate, direction_follows_the_metric) {
  MetricDef metric = mean_latency();
  metric.better = Better::high;
  const std::vector metrics{metric};
  const auto v = judged(metrics, made_runs(1, 5, {}, metrics), made_runs(2, 5, {.level = 80e6}, metrics));
  EXPECT_EQ(v.metrics[0].outcome, Outcome::worse);
  EXPECT_TRUE(v.has_regression());
}

TEST(validate, percentiles_are_never_t_tested_on_requests_even_when_asked) {
  const std::vector metrics{p99(), mean_latency()};
  const auto one =
      judged(metrics, made_runs(1, 1, {}, metrics), made_runs(2, 1, {}, metrics), {.test = TestKind::t_test});
  EXPECT_EQ(one.metrics[0].method, Method::block_bootstrap);
  EXPECT_TRUE(one.metrics[0].is_method_replaced);
  EXPECT_EQ(one.metrics[1].method, Method::welch_log);
  EXPECT_FALSE(one.metrics[1].is_method_replaced);
  const auto runs =
      judged(metrics, made_runs(1, 6, {}, metrics), made_runs(2, 6, {}, metrics), {.test = TestKind::t_test});
  EXPECT_EQ(runs.metrics[0].method, Method::permutation);
  EXPECT_TRUE(runs.metrics[0].is_method_replaced);
}

TEST(validate, a_tail_only_change_is_seen_by_p99_and_not_by_the_median) {
  const std::vector metrics{p50(), p99()};
  const auto v = judged(metrics, made_runs(1, 6, {.n = 500, .slow_share = 0.03, .slow_times = 3}, metrics),
                        made_runs(2, 6, {.n = 500, .slow_share = 0.03, .slow_times = 6}, metrics));
  EXPECT_EQ(v.metrics[0].outcome, Outcome::no_change);
  EXPECT_EQ(v.metrics[1].outcome, Outcome::worse);
}

TEST(validate, one_trace_a_side_is_marked_and_small_differences_are_left_to_run_noise) {
  const std::vector metrics{mean_latency(), p50()};
  const auto small = judged(metrics, made_runs(1, 1, {.n = 4000, .sigma = 0.1}, metrics),
                            made_runs(2, 1, {.n = 4000, .level = 103e6, .sigma = 0.1}, metrics));
  EXPECT_TRUE(small.is_within_run);
  for (const MetricVerdict& m : small.metrics) {
    EXPECT_GT(m.within_ci->lo, 0) << "within the two runs the 3 % are certain";
    EXPECT_EQ(m.outcome, Outcome::no_change) << "but one run each cannot tell them from run-to-run noise";
    EXPECT_TRUE(m.is_within_run);
  }
  const auto large = judged(metrics, made_runs(1, 1, {.n = 4000}, metrics),
                            made_runs(2, 1, {.n = 4000, .level = 130e6}, metrics));
  EXPECT_EQ(large.metrics[0].outcome, Outcome::worse);
  EXPECT_EQ(large.metrics[1].outcome, Outcome::worse);
}

TEST(validate, too_few_requests_for_p99_says_how_many_are_needed) {
  const std::vector metrics{p99()};
  const auto few = judged(metrics, made_runs(1, 1, {.n = 60}, metrics), made_runs(2, 1, {.n = 60}, metrics));
  EXPECT_EQ(few.metrics[0].outcome, Outcome::too_little_data);
  EXPECT_EQ(few.metrics[0].needed, 100);
  EXPECT_TRUE(few.metrics[0].needs_samples);
  const auto thin =
      judged(metrics, made_runs(1, 1, {.n = 200}, metrics), made_runs(2, 1, {.n = 200}, metrics));
  EXPECT_EQ(thin.metrics[0].outcome, Outcome::too_little_data);
  EXPECT_EQ(thin.metrics[0].needed, 368) << "ln 0.025 / ln 0.99";
  EXPECT_EQ(thin.metrics[0].method, Method::block_permutation);
  const auto clear = judged(metrics, made_runs(1, 1, {.n = 200}, metrics),
                            made_runs(2, 1, {.n = 200, .level = 200e6}, metrics));
  EXPECT_EQ(clear.metrics[0].outcome, Outcome::worse) << "twice as slow is seen with 200 requests too";
}

TEST(validate, no_change_comes_with_what_could_have_been_seen) {
  const std::vector metrics{mean_latency()};
  const auto v = judged(metrics, made_runs(1, 10, {.run_noise = 0.03}, metrics),
                        made_runs(7, 10, {.run_noise = 0.03}, metrics));
  ASSERT_EQ(v.metrics[0].outcome, Outcome::no_change);
  EXPECT_NEAR(*v.metrics[0].detectable, 0.040, 0.02)
      << "10 runs a side at 3 % spread: 4.0 % (truth power table)";
  EXPECT_GE(*v.metrics[0].needed, 10) << "the margin of 2 % needs more runs";
}

TEST(validate, sameness_is_proven_and_not_assumed) {
  const std::vector metrics{mean_latency()};
  const Make quiet{.n = 5000, .sigma = 0.05, .run_noise = 0.001};
  EXPECT_TRUE(judged(metrics, made_runs(1, 6, quiet, metrics), made_runs(2, 6, quiet, metrics))
                  .metrics[0]
                  .is_equivalent);
  const Make loud{.n = 200, .run_noise = 0.1};
  EXPECT_FALSE(judged(metrics, made_runs(1, 6, loud, metrics), made_runs(2, 6, loud, metrics))
                   .metrics[0]
                   .is_equivalent);
}

TEST(validate, three_runs_a_side_without_a_difference_are_too_little_data) {
  const std::vector metrics{mean_latency(), p99()};
  const auto v = judged(metrics, made_runs(1, 3, {.run_noise = 0.05}, metrics),
                        made_runs(2, 3, {.run_noise = 0.05}, metrics));
  for (const MetricVerdict& m : v.metrics) {
    EXPECT_EQ(m.outcome, Outcome::too_little_data);
    EXPECT_GE(*m.needed, 4);
  }
  EXPECT_EQ(v.metrics[1].method, Method::welch_log) << "permutation of 3 + 3 runs cannot go below p = 0.1";
}

TEST(validate, a_missing_metric_keeps_its_reason) {
  const std::vector metrics{mean_latency()};
  auto before = made_runs(1, 2, {}, metrics), after = made_runs(2, 2, {}, metrics);
  for (RunFacts& run : after)
    run.metrics[0].value = {
        .value = {}, .n = 0, .reason = "signal.no_pmu", .mend = "signal.no_pmu.mend", .detail = "x"};
  const auto v = judged(metrics, before, after);
  EXPECT_EQ(v.metrics[0].outcome, Outcome::unavailable);
  EXPECT_EQ(v.metrics[0].reason, "signal.no_pmu");
  EXPECT_TRUE(v.has_unavailable());
}

TEST(validate, swapping_the_sides_flips_the_sign_and_nothing_else) {
  const std::vector metrics{mean_latency(), p99()};
  for (const std::size_t runs : {1U, 5U}) {
    const auto a = made_runs(3, runs, {.n = 600, .run_noise = 0.02}, metrics),
               b = made_runs(4, runs, {.n = 600, .level = 125e6, .run_noise = 0.02}, metrics);
    const auto ab = judged(metrics, a, b), ba = judged(metrics, b, a);
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      EXPECT_NEAR(std::log1p(*ab.metrics[i].change), -std::log1p(*ba.metrics[i].change), 1e-9);
      EXPECT_NEAR(ab.metrics[i].p, ba.metrics[i].p, 0.02) << "resampled p differs by its draws only";
      EXPECT_DOUBLE_EQ(ab.metrics[i].cliffs_delta, -ba.metrics[i].cliffs_delta);
      EXPECT_EQ(ab.metrics[i].outcome, Outcome::worse);
      EXPECT_EQ(ba.metrics[i].outcome, Outcome::better);
    }
  }
}

TEST(validate, equal_samples_give_p_one_and_no_division_by_zero) {
  const std::vector metrics{mean_latency(), p99(), p50()};
  for (const std::size_t runs : {1U, 2U, 6U}) {
    const auto v =
        judged(metrics, made_runs(1, runs, {.sigma = 0}, metrics), made_runs(2, runs, {.sigma = 0}, metrics));
    for (const MetricVerdict& m : v.metrics) {
      EXPECT_DOUBLE_EQ(m.p, 1) << m.metric.id << runs;
      EXPECT_TRUE(m.outcome == Outcome::no_change || m.outcome == Outcome::too_little_data);
      EXPECT_NEAR(*m.change, 0, 1e-12);
      EXPECT_TRUE(std::isfinite(m.change_ci->lo) && std::isfinite(m.change_ci->hi));
    }
  }
}

TEST(validate, zeros_have_a_difference_but_no_percentage) {
  const std::vector metrics{mean_latency()};
  auto before = made_runs(1, 1, {.level = 1e-300, .sigma = 0}, metrics), after = made_runs(2, 1, {}, metrics);
  for (double& v : before[0].metrics[0].samples.value)
    v = 0;
  before[0].metrics[0].value.value = 0;
  const auto v = judged(metrics, before, after);
  EXPECT_FALSE(v.metrics[0].change.has_value());
  EXPECT_GT(*v.metrics[0].difference, 0);
  EXPECT_EQ(v.metrics[0].outcome, Outcome::worse);
}

TEST(validate, hostile_values_neither_crash_nor_win) {
  const std::vector metrics{mean_latency(), p99()};
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0, 1e308}) {
    auto before = made_runs(1, 1, {.n = 1}, metrics), after = made_runs(2, 1, {.n = 500}, metrics);
    for (RunFacts* run : {&before[0], &after[0]})
      for (MetricRun& m : run->metrics)
        m.value.value = bad, m.samples.value.back() = bad;
    const auto v = judged(metrics, before, after);
    EXPECT_TRUE(v.metrics[0].outcome == Outcome::unavailable ||
                v.metrics[0].outcome == Outcome::too_little_data)
        << bad;
  }
}

TEST(validate, refuses_sides_that_cannot_be_compared) {
  const std::vector metrics{mean_latency()};
  const auto two = made_runs(1, 2, {}, metrics), three = made_runs(2, 3, {}, metrics);
  EXPECT_EQ(validate(metrics, {}, three, {}).error().code, Errc::bad_argument);
  EXPECT_EQ(validate(metrics, two, three, {.is_paired = true}).error().code, Errc::bad_argument);
}

TEST(validate, the_same_input_gives_the_same_numbers) {
  const std::vector metrics{p99(), mean_latency()};
  const auto a = made_runs(1, 1, {}, metrics), b = made_runs(2, 1, {}, metrics);
  const auto x = judged(metrics, a, b), y = judged(metrics, a, b);
  EXPECT_EQ(x.metrics[0].p, y.metrics[0].p);
  EXPECT_EQ(x.metrics[0].change_ci->lo, y.metrics[0].change_ci->lo);
  const auto alone = judged({p99()}, a, b);
  EXPECT_EQ(alone.metrics[0].within_ci->lo, x.metrics[0].within_ci->lo)
      << "a metric's draws do not depend on its neighbours";
}

TEST(validate, pairs_cancel_what_both_runs_of_a_pair_share) {
  const std::vector metrics{mean_latency()};
  std::vector<RunFacts> before, after;
  SplitMix64 g(9);
  for (std::uint64_t i = 0; i < 6; ++i) { // a machine that drifts by 10 %, and a change of 2 %
    const double level = 100e6 * std::exp(0.10 * normal(g));
    before.push_back(made_run(100 + i, {.n = 4000, .level = level, .sigma = 0.1}, metrics));
    after.push_back(made_run(200 + i, {.n = 4000, .level = level * 0.98, .sigma = 0.1}, metrics));
  }
  EXPECT_EQ(judged(metrics, before, after).metrics[0].outcome, Outcome::no_change);
  const auto paired = judged(metrics, before, after, {.is_paired = true});
  EXPECT_EQ(paired.metrics[0].outcome, Outcome::better);
  EXPECT_EQ(paired.metrics[0].method, Method::paired_t_log);
}

// --- false alarms: two sides of one system must differ in at most about 5 % of experiments
// ---------------------------
namespace {

double false_alarms(std::size_t runs, const Make& make, const std::vector<MetricDef>& metrics,
                    int experiments, TestKind test = TestKind::automatic) {
  int alarms = 0;
  for (int i = 0; i < experiments; ++i) {
    const auto seed = static_cast<std::uint64_t>(i) * 2 + 10;
    const auto v = judged(metrics, made_runs(seed, runs, make, metrics),
                          made_runs(seed + 1, runs, make, metrics), {.test = test, .draws = 400});
    for (const MetricVerdict& m : v.metrics)
      if (m.outcome == Outcome::better || m.outcome == Outcome::worse) {
        ++alarms;
        break;
      }
  }
  return static_cast<double>(alarms) / experiments;
}

} // namespace

TEST(false_alarms, stay_near_five_percent_for_runs_with_run_to_run_noise) {
  const std::vector metrics{mean_latency(), p50(), p99()};
  EXPECT_LE(false_alarms(5, {.n = 100, .run_noise = 0.05}, metrics, 200), 0.09); // 5 % + 2.6 sd
  EXPECT_LE(false_alarms(5, {.n = 100, .run_noise = 0.05}, metrics, 200, TestKind::mann_whitney), 0.09);
}

TEST(false_alarms, stay_below_five_percent_for_one_trace_a_side) {
  const std::vector metrics{mean_latency(), p50(), p99()};
  EXPECT_LE(false_alarms(1, {.n = 400, .run_noise = 0.03}, metrics, 150), 0.09);
  EXPECT_LE(false_alarms(1, {.n = 150, .run_noise = 0.03, .slow_share = 0.02, .slow_times = 4}, metrics, 150),
            0.09);
}

TEST(false_alarms, p_values_of_equal_systems_are_uniform) {
  const std::vector metrics{mean_latency()};
  std::vector<double> p;
  std::vector<double> uniform;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const auto v =
        judged(metrics, made_runs(i * 2 + 10, 6, {.n = 20, .run_noise = 0.05}, metrics),
               made_runs(i * 2 + 11, 6, {.n = 20, .run_noise = 0.05}, metrics), {.cuts_warm_up = false});
    p.push_back(v.metrics[0].p);
    uniform.push_back((static_cast<double>(i) + 0.5) / 400);
  }
  EXPECT_GT(kolmogorov_smirnov(p, uniform).p, 0.01);
}

TEST(false_alarms, intervals_cover_the_truth) {
  const std::vector metrics{mean_latency()};
  int covered = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const auto v = judged(metrics, made_runs(i * 2 + 10, 5, {.n = 20, .run_noise = 0.05}, metrics),
                          made_runs(i * 2 + 11, 5, {.n = 20, .level = 90e6, .run_noise = 0.05}, metrics),
                          {.cuts_warm_up = false});
    covered += v.metrics[0].change_ci->lo <= -0.1 && -0.1 <= v.metrics[0].change_ci->hi ? 1 : 0;
  }
  EXPECT_NEAR(covered / 400.0, 0.95, 0.03);
}

TEST(false_alarms, of_correlated_requests_stay_near_five_percent) {
  // AR(1) 0.5 is what a queue at 60 % load gives its neighbouring requests: tests that take them for
  // independent alarm in about a quarter of these experiments.
  const std::vector metrics{mean_latency(), p50(), p99()};
  const Make make{.n = 400, .run_noise = 0.03, .correlation = 0.5};
  EXPECT_LE(false_alarms(1, make, metrics, 150), 0.09);
  EXPECT_LE(false_alarms(5, {.n = 60, .run_noise = 0.05, .correlation = 0.5}, metrics, 150), 0.09);
}

TEST(false_alarms, intervals_within_two_correlated_runs_cover_the_truth) {
  const std::vector metrics{mean_latency(), p50()};
  constexpr int kExperiments = 300;
  std::vector<int> covered(metrics.size(), 0);
  for (std::uint64_t i = 0; i < kExperiments; ++i) {
    const auto v = judged(metrics, made_runs(i * 2 + 10, 1, {.n = 600, .correlation = 0.5}, metrics),
                          made_runs(i * 2 + 11, 1, {.n = 600, .level = 120e6, .correlation = 0.5}, metrics),
                          {.cuts_warm_up = false, .draws = 400});
    for (std::size_t m = 0; m < metrics.size(); ++m)
      covered[m] += v.metrics[m].within_ci->lo <= 0.2 && 0.2 <= v.metrics[m].within_ci->hi ? 1 : 0;
  }
  for (std::size_t m = 0; m < metrics.size(); ++m) // 95 % +- 3 standard deviations of 300 experiments
    EXPECT_NEAR(covered[m] / double{kExperiments}, 0.95, 0.038) << metrics[m].id;
}

TEST(power, of_ten_runs_a_side_is_what_the_formula_says) {
  // 10 runs a side, spread 3 %, change 4.04 %: d = 1.32 and 80 % power (statistics_truth.json: mde 1.3249 at
  // n = 10).
  const std::vector metrics{mean_latency()};
  int found = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Make before{.n = 2, .sigma = 1e-6, .run_noise = 0.03};
    Make after = before;
    after.level *= std::exp(1.3249 * 0.03);
    const auto v = judged(metrics, made_runs(i * 2 + 10, 10, before, metrics),
                          made_runs(i * 2 + 11, 10, after, metrics), {.cuts_warm_up = false});
    found += v.metrics[0].outcome == Outcome::worse ? 1 : 0;
  }
  EXPECT_NEAR(found / 300.0, 0.8, 0.07); // 3 standard deviations
}

// --- checks
// ------------------------------------------------------------------------------------------------------------

TEST(checks, find_what_makes_two_sides_incomparable) {
  const std::vector metrics{mean_latency()};
  auto a = made_runs(1, 2, {}, metrics), b = made_runs(2, 2, {}, metrics);
  for (RunFacts& r : a)
    r.settings = {{"sampling_rate", "100%"}, {"host", "a"}}, r.has_status = true, r.errors = 1,
    r.events = 1000;
  for (RunFacts& r : b)
    r.settings = {{"sampling_rate", "10%"}, {"host", "a"}}, r.has_status = true, r.errors = 100,
    r.events = 1000, r.lost = 5;
  const auto v = judged(metrics, a, b);
  EXPECT_EQ(check_of(v, "setting_sampling_rate").state, CheckState::fail);
  EXPECT_EQ(check_of(v, "error_rate").state, CheckState::fail);
  EXPECT_EQ(check_of(v, "lost_events").state, CheckState::warn);
  EXPECT_EQ(check_of(v, "offered_load").state, CheckState::pass);
  EXPECT_EQ(check_of(v, "same_trace").state, CheckState::pass);
  EXPECT_TRUE(v.has_failed_check());
}

// Eight runs with a third of their time lost to other programs were told to record 146 pairs more.
TEST(checks, name_a_machine_that_others_keep_busy) {
  const std::vector metrics{mean_latency()};
  auto a = made_runs(1, 2, {}, metrics), b = made_runs(2, 2, {}, metrics);
  const auto has_check = [](const Validation& v) {
    return std::ranges::find(v.checks, "cpu_wait", &Check::id) != v.checks.end();
  };
  EXPECT_FALSE(has_check(judged(metrics, a, b))) << "scheduling was not recorded";
  for (RunFacts& r : a)
    r.cpu_wait = 0.02;
  b[0].cpu_wait = 0.09, b[1].cpu_wait = 0.1;
  EXPECT_EQ(check_of(judged(metrics, a, b), "cpu_wait").state, CheckState::pass);
  b[1].cpu_wait = 0.3;
  const auto v = judged(metrics, a, b);
  EXPECT_EQ(check_of(v, "cpu_wait").state, CheckState::warn);
  EXPECT_DOUBLE_EQ(check_of(v, "cpu_wait").before, 2);
  EXPECT_NEAR(check_of(v, "cpu_wait").after, 19.5, 1e-9);
  EXPECT_FALSE(v.has_failed_check());
}

TEST(checks, errors_and_cut_requests_on_either_side_are_named) {
  const std::vector metrics{mean_latency()};
  auto a = made_runs(1, 2, {}, metrics), b = made_runs(2, 2, {}, metrics);
  for (RunFacts& r : a)
    r.has_status = true, r.errors = 100, r.unfinished = 200;
  for (RunFacts& r : b)
    r.has_status = true;
  const auto v = judged(metrics, a, b);
  EXPECT_EQ(check_of(v, "error_rate").state, CheckState::warn)
      << "fewer errors is no failure, but the figures mix two kinds of request";
  EXPECT_EQ(check_of(v, "unfinished").state, CheckState::fail);
  EXPECT_DOUBLE_EQ(check_of(v, "unfinished").before, 20);
}

// With 73.8 % of the requests cut a report was only given a notice: its figures are those of the survivors.
TEST(checks, more_than_a_tenth_of_the_requests_cut_on_either_side_fails) {
  struct Row {
    std::int64_t cut; // of 2000
    CheckState state;
  };
  const std::vector metrics{mean_latency()};
  for (const Row& row : {Row{100, CheckState::pass}, Row{102, CheckState::warn}, Row{200, CheckState::warn},
                         Row{202, CheckState::fail}, Row{1476, CheckState::fail}})
    for (const bool is_before : {true, false}) {
      auto a = made_runs(1, 2, {}, metrics), b = made_runs(2, 2, {}, metrics);
      for (RunFacts& run : is_before ? a : b)
        run.unfinished = row.cut / 2;
      const auto v = judged(metrics, a, b);
      const Check check = check_of(v, "unfinished");
      EXPECT_EQ(check.state, row.state) << row.cut;
      EXPECT_DOUBLE_EQ(is_before ? check.before : check.after, static_cast<double>(row.cut) / 20);
      EXPECT_DOUBLE_EQ(is_before ? check.after : check.before, 0);
      EXPECT_EQ(v.has_failed_check(), row.state == CheckState::fail);
    }
}

TEST(checks, the_same_file_twice_is_not_two_runs) {
  const std::vector metrics{mean_latency()};
  auto a = made_runs(1, 2, {}, metrics);
  a[1] = a[0];
  EXPECT_EQ(check_of(judged(metrics, a, made_runs(2, 2, {}, metrics)), "same_trace").state, CheckState::fail);
  const auto one = made_runs(1, 1, {}, metrics);
  EXPECT_EQ(check_of(judged(metrics, one, one), "same_trace").state, CheckState::warn);
}

TEST(checks, blocks_of_runs_are_told_from_interleaved_ones) {
  const std::vector metrics{mean_latency()};
  auto a = made_runs(1, 3, {}, metrics), b = made_runs(2, 3, {}, metrics);
  for (int i = 0; i < 3; ++i)
    a[static_cast<std::size_t>(i)].start_realtime_ns = 10 + i,
    b[static_cast<std::size_t>(i)].start_realtime_ns = 20 + i;
  EXPECT_EQ(check_of(judged(metrics, a, b), "run_order").state, CheckState::warn);
  for (int i = 0; i < 3; ++i)
    a[static_cast<std::size_t>(i)].start_realtime_ns = 2 * i + 1,
    b[static_cast<std::size_t>(i)].start_realtime_ns = 2 * i + 2;
  EXPECT_EQ(check_of(judged(metrics, a, b), "run_order").before_text, "ABABAB");
}

TEST(checks, a_drifting_run_is_named) {
  const std::vector metrics{mean_latency()};
  auto a = made_runs(1, 1, {}, metrics), b = made_runs(2, 1, {}, metrics);
  for (std::size_t i = 0; i < b[0].request_ns.size(); ++i)
    b[0].request_ns[i] *= 1 + static_cast<double>(i) / 1000;
  const auto v = judged(metrics, a, b, {.cuts_warm_up = false});
  EXPECT_EQ(check_of(v, "stationarity").state, CheckState::warn);
  EXPECT_GT(check_of(v, "stationarity").after, 20);
}

TEST(warm_up, is_cut_when_the_start_is_slow_and_not_otherwise) {
  const std::vector metrics{mean_latency()};
  int cuts = 0;
  for (std::uint64_t i = 0; i < 200; ++i)
    cuts += warm_up_of(made_run(i, {.n = 300, .slow_share = 0.03, .slow_times = 5}, metrics)) > 0 ? 1 : 0;
  EXPECT_LE(cuts, 4) << "chance outliers are not warm-up";
  RunFacts slow = made_run(5, {.n = 300}, metrics);
  for (std::size_t i = 0; i < 30; ++i)
    slow.request_ns[i] *= 4;
  EXPECT_NEAR(static_cast<double>(warm_up_of(slow)), 30, 5);
  slow.metrics[0].samples.value = slow.request_ns;
  const auto v = judged(metrics, {slow}, made_runs(6, 1, {.n = 300}, metrics));
  EXPECT_NEAR(*v.metrics[0].change, 0, 0.1) << "the slow start does not make the other side look better";
  EXPECT_GE(v.before[0].warm_up, 25U);
}

namespace {

// A run of evenly spaced arrivals of which only the first `finished` got an answer before the recording
// ended.
RunFacts arrivals(std::int64_t gap_ms, std::size_t count, std::size_t finished) {
  RunFacts run;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t ts = 7'000'000 + static_cast<std::int64_t>(i) * gap_ms * 1'000'000;
    run.arrival_ts.push_back(ts);
    if (i >= finished) continue;
    run.request_ts.push_back(ts), run.request_ns.push_back(1e6);
  }
  run.requests = static_cast<std::int64_t>(count),
  run.unfinished = static_cast<std::int64_t>(count - finished);
  return run;
}
Check load_of(const std::vector<RunFacts>& before, const std::vector<RunFacts>& after) {
  return check_sides(before, after).front();
}

RunFacts run_with_ops(std::map<std::string, std::int64_t> names, std::map<std::string, std::int64_t> types) {
  RunFacts run;
  run.op_names = std::move(names), run.op_types = std::move(types);
  return run;
}
CheckState model_state(const RunFacts& before, const RunFacts& after) {
  for (const Check& check : check_sides(std::vector{before}, std::vector{after}))
    if (check.id == "same_model") return check.state;
  return CheckState::unknown;
}

// `count` completions, one each `gap_ns`, as the metric throughput has them.
RunFacts completions(std::size_t count, std::int64_t gap_ns) {
  MetricRun m;
  for (std::size_t i = 0; i < count; ++i)
    m.samples.ts.push_back(static_cast<std::int64_t>(i) * gap_ns), m.samples.value.push_back(1);
  m.value.value = 1e9 / static_cast<double>(gap_ns), m.value.n = static_cast<std::int64_t>(count);
  RunFacts run;
  run.metrics.push_back(std::move(m));
  return run;
}

} // namespace

TEST(checks, a_run_without_any_finished_request_is_named) {
  const auto empty_of = [](std::vector<RunFacts> before, std::vector<RunFacts> after) {
    for (const Check& check : check_sides(before, after))
      if (check.id == "empty_runs") return check;
    return Check{};
  };
  const RunFacts whole = arrivals(500, 41, 41), none = arrivals(500, 41, 0), last = arrivals(500, 41, 1),
                 idle = arrivals(500, 0, 0);
  const Check both = empty_of({whole, whole, none}, {whole, last, none, idle});
  EXPECT_EQ(both.state, CheckState::fail);
  EXPECT_EQ(both.before_text, "#3");
  EXPECT_EQ(both.after_text, "#3, #4");
  const Check after = empty_of({whole}, {none});
  EXPECT_EQ(after.before_text, "");
  EXPECT_EQ(after.after_text, "#1");
  EXPECT_EQ(empty_of({whole, last}, {last, whole}).id, "");
  EXPECT_EQ(empty_of({idle, idle}, {idle}).id, "") << "traces of model runs have no requests";
}

TEST(checks, offered_load_counts_what_arrived_and_not_what_was_answered) {
  // Two a second, 41 arrivals: 40 gaps in 20 s. The slow side answered a tenth of them.
  const Check same = load_of({arrivals(500, 41, 4)}, {arrivals(500, 41, 41)});
  EXPECT_DOUBLE_EQ(same.before, 2.0);
  EXPECT_DOUBLE_EQ(same.after, 2.0);
  EXPECT_EQ(same.state, CheckState::pass);
  // Runs are pooled by their own length: (40 + 10) gaps in (20 + 10) s; the time between runs is no one's.
  const Check pooled = load_of({arrivals(500, 41, 41), arrivals(1000, 11, 11)}, {arrivals(500, 41, 41)});
  EXPECT_DOUBLE_EQ(pooled.before, 50.0 / 30.0);
}

TEST(checks, a_load_that_few_arrivals_cannot_tell_apart_is_not_called_equal) {
  const Check few = load_of({arrivals(500, 11, 11)}, {arrivals(600, 11, 11)}); // 2.0 and 1.67 a second
  EXPECT_EQ(few.state, CheckState::unknown);
  EXPECT_TRUE(few.has_numbers());
  EXPECT_DOUBLE_EQ(few.before, 2.0);
  EXPECT_DOUBLE_EQ(few.after, 1 / 0.6);
  EXPECT_EQ(load_of({arrivals(500, 1001, 1)}, {arrivals(600, 1001, 1)}).state, CheckState::warn);
}

TEST(checks, settings_that_no_trace_names_are_not_called_equal) {
  RunFacts silent, lab;
  lab.settings["host"] = "lab";
  const auto state = [](const RunFacts& before, const RunFacts& after) {
    return check_sides(std::vector{before}, std::vector{after}).back();
  };
  EXPECT_EQ(state(silent, silent).state, CheckState::unknown);
  EXPECT_EQ(state(lab, lab).state, CheckState::pass);
  EXPECT_EQ(state(silent, lab).id, "setting_host");
}

TEST(checks, two_models_are_not_two_sides_of_one_change) {
  const RunFacts unet =
      run_with_ops({{"down.0", 60}, {"norm.0", 30}, {"up.0", 10}}, {{"Conv", 2}, {"Norm", 1}});
  EXPECT_EQ(model_state(unet, unet), CheckState::pass);
  const RunFacts fused = run_with_ops({{"down.0", 50}, {"up.0", 9}}, {{"Conv", 2}});
  EXPECT_EQ(model_state(unet, fused), CheckState::pass) << "an operator fused away";
  const RunFacts face = run_with_ops({{"face.1", 60}, {"face.2", 40}}, {{"Conv", 2}, {"Norm", 1}});
  EXPECT_EQ(model_state(unet, face), CheckState::fail) << "the same types, no common operator";
  const RunFacts third = run_with_ops({{"down.0", 30}, {"face.2", 70}}, {{"Conv", 2}});
  EXPECT_EQ(model_state(face, third), CheckState::pass) << "70 of 100 ns have their partner";
  EXPECT_EQ(model_state(run_with_ops({{"a", 60}, {"b", 40}}, {{"Conv", 2}}),
                        run_with_ops({{"b", 30}, {"c", 70}}, {{"Conv", 2}})),
            CheckState::warn)
      << "40 of 100 ns at best";
  EXPECT_EQ(model_state(unet, RunFacts{}), CheckState::unknown);
  // Frameworks that name operators by type: the mix of types, never more than a notice.
  const RunFacts convs = run_with_ops({}, {{"aten::conv2d", 8}, {"aten::relu", 2}});
  EXPECT_EQ(model_state(convs, run_with_ops({}, {{"aten::conv2d", 16}, {"aten::relu", 4}})),
            CheckState::pass);
  EXPECT_EQ(model_state(convs, run_with_ops({}, {{"aten::mm", 8}, {"aten::relu", 2}})), CheckState::warn);
}

TEST(validate, a_rate_is_judged_by_the_change_it_shows) {
  MetricDef throughput;
  throughput.id = "throughput", throughput.unit = "1/s", throughput.better = Better::high;
  throughput.aggregate = Aggregate::rate;
  const auto v = judged({throughput}, {completions(100, 100'000'000)}, {completions(100, 20'000'000)});
  const MetricVerdict& m = v.metrics[0];
  EXPECT_EQ(m.outcome, Outcome::better) << "10 a second became 50";
  EXPECT_NEAR(*m.change, 4.0, 1e-9);
  EXPECT_DOUBLE_EQ(m.cliffs_delta, 1);
  EXPECT_LT(m.p, 0.001);
  EXPECT_GT(m.change_ci->lo, 3);
  EXPECT_LT(*m.detectable, 0.2) << "3 % run noise on both sides and even arrivals: 2.8 * 4.2 %";
  EXPECT_LE(*m.needed, 40);
}

TEST(validate, a_p_near_one_does_not_widen_the_spread) {
  EXPECT_NEAR(implied_se(0.05, 0.99), 0.05 / 1.959963984540054, 1e-15);
  EXPECT_NEAR(implied_se(-0.05, 1.0), 0.05 / 1.959963984540054, 1e-15);
  EXPECT_NEAR(implied_se(0.05, 0.01), 0.05 / 2.5758293035489004, 1e-12) << "z(0.995)";
  EXPECT_EQ(implied_se(0, 0.01), 0);
}

TEST(validate, a_percentile_keeps_the_figure_that_other_verbs_print) {
  const std::vector metrics{p99()};
  auto before = made_runs(1, 2, {}, metrics), after = made_runs(2, 2, {}, metrics);
  before[0].metrics[0].value.value = 150e6, before[1].metrics[0].value.value = 190e6;
  const auto v = judged(metrics, before, after);
  // The test compares logs, so the runs' values are averaged geometrically on both lines.
  EXPECT_TRUE(v.metrics[0].is_geometric);
  EXPECT_NEAR(*v.metrics[0].plain_before, std::sqrt(150e6 * 190e6), 1e-3);
  EXPECT_NE(*v.metrics[0].before, *v.metrics[0].plain_before) << "Harrell-Davis over the requests";
  EXPECT_FALSE(judged({mean_latency()}, before, after).metrics[0].plain_before.has_value());
}
