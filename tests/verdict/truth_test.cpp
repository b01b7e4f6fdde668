#include "truth.hpp"

#include "verdict/multiple.hpp"
#include "verdict/power.hpp"
#include "verdict/resample.hpp"
#include "verdict/series.hpp"
#include "verdict/two_sample.hpp"

using namespace prof;

TEST(truth, generator_draws_the_published_numbers) {
  SplitMix64 a(42), b(42);
  for (const auto& want : truth()["_about"]["rng_check"]["first_next"])
    EXPECT_EQ(std::to_string(a.next()), want.get<std::string>());
  for (const auto& want : truth()["_about"]["rng_check"]["below_10"])
    EXPECT_EQ(b.below(10), want.get<std::uint64_t>());
}

TEST(truth, welch_t) {
  for (const auto& row : truth()["welch_t"]) {
    const auto a = data(row["a"]), b = data(row["b"]);
    const auto& out = row["out"];
    const WelchResult w = welch(a, b);
    expect_near_rel(w.t, -out["t"].get<double>());
    expect_near_rel(w.df, out["df"]);
    expect_near_rel(w.p, out["p_two_sided"], 1e-6);
    expect_near_rel(w.ci.lo, -out["ci95"][1].get<double>(),
                    1e-8); // Boost's t quantile at df 5.37 is good to 3e-9
    expect_near_rel(w.ci.hi, -out["ci95"][0].get<double>(), 1e-8);
    expect_near_rel(hedges_g(a, b), -out["hedges_g"].get<double>());
  }
}

TEST(truth, paired_t) {
  for (const auto& row : truth()["paired"]) {
    const auto a = row["a"].get<std::vector<double>>(), b = row["b"].get<std::vector<double>>();
    const WelchResult t = paired_t(b, a);
    expect_near_rel(t.t, row["paired_t"]);
    expect_near_rel(t.p, row["paired_t_p"]);
  }
}

TEST(truth, mann_whitney) {
  for (const auto& row : truth()["mann_whitney"]) {
    const auto a = data(row["a"]), b = data(row["b"]);
    const auto& out = row["out"];
    const MannWhitneyResult r = mann_whitney(a, b);
    EXPECT_EQ(r.u_a, out["U_a"].get<double>());
    EXPECT_EQ(r.has_ties, out["has_ties"].get<bool>());
    expect_near_rel(mann_whitney_normal_p(a, b), out["p_two_sided_normal_cc"]);
    for (const char* key : {"p_two_sided_exact", "p_two_sided_exact_ties_enumerated"})
      if (out.contains(key)) expect_near_rel(mann_whitney_exact_p(a, b), out[key], 1e-12);
  }
  EXPECT_NEAR(mann_whitney(data("bench_gob_old"), data("bench_gob_new")).p, 0.446, 0.0005)
      << "benchstat's documented value";
}

TEST(truth, smallest_p_that_mann_whitney_can_reach) {
  const auto& table = truth()["mann_whitney_min_p"];
  for (std::size_t i = 0; i < table["n"].size(); ++i) {
    std::vector<double> a, b;
    for (int k = 0; k < table["n"][i].get<int>(); ++k)
      a.push_back(k), b.push_back(100 + k);
    expect_near_rel(mann_whitney(a, b).p, table["p"][i], 1e-12);
  }
}

TEST(truth, hodges_lehmann_and_cliffs_delta) {
  for (const auto& row : truth()["hodges_lehmann_cliff"]) {
    const auto a = data(row["a"]), b = data(row["b"]);
    const auto& out = row["out"];
    const ShiftResult shift = hodges_lehmann(a, b);
    EXPECT_NEAR(shift.shift, -out["shift_a_minus_b"].get<double>(), 1e-9);
    EXPECT_NEAR(cliffs_delta(a, b), -out["cliffs_delta"].get<double>(), 1e-12);
    const char* key = out.contains("ci95_exact") ? "ci95_exact" : "ci95_normal";
    ASSERT_TRUE(shift.ci.has_value());
    EXPECT_NEAR(shift.ci->lo, -out[key][1].get<double>(), 1e-9);
    EXPECT_NEAR(shift.ci->hi, -out[key][0].get<double>(), 1e-9);
  }
}

TEST(truth, quantiles) {
  for (const auto& row : truth()["quantiles"]) {
    const auto x = sorted(data(row["data"]));
    for (const auto& [q, want] : row["type7"].items())
      expect_near_rel(quantile_type7(x, std::stod(q)), want, 1e-12);
    for (const auto& [q, want] : row["harrell_davis"].items())
      expect_near_rel(harrell_davis(x, std::stod(q)), want, 1e-9);
  }
  for (const auto& [name, q] :
       {std::pair{"n10_p50", 0.5}, std::pair{"n10_p90", 0.9}, std::pair{"n10_p99", 0.99}}) {
    const QuantileWeights w = harrell_davis_weights(10, q);
    const auto want = truth()["harrell_davis_weights"][name].get<std::vector<double>>();
    for (std::size_t i = 0; i < 10; ++i) {
      const double got = i >= w.first && i - w.first < w.w.size() ? w.w[i - w.first] : 0;
      EXPECT_NEAR(got, want[i], 1e-12);
    }
  }
}

TEST(truth, few_weights_matter_in_a_large_sample_and_they_sum_to_one) {
  for (const std::size_t n : {1'000U, 10'000U, 100'000U}) {
    const QuantileWeights w = harrell_davis_weights(n, 0.99);
    EXPECT_LT(w.w.size(), 600U);
    EXPECT_NEAR(sum(w.w), 1, 1e-9);
  }
}

TEST(truth, quantile_interval_without_resampling) {
  for (const auto& row : truth()["quantile_order_ci"]) {
    const OrderInterval got = quantile_order_interval(row["n"], row["q"], row["conf"]);
    const auto order = [&](const char* key) {
      return row[key].is_null() ? std::optional<std::int64_t>{}
                                : std::optional<std::int64_t>{row[key].get<std::int64_t>()};
    };
    EXPECT_EQ(got.lo_order, order("lo_order")) << row;
    EXPECT_EQ(got.hi_order, order("hi_order")) << row;
    expect_near_rel(got.level, row["level"]);
  }
  for (const auto& row : truth()["quantile_min_n"]["rows"])
    EXPECT_EQ(quantile_min_n(row["q"]), row["two_sided_95"].get<std::int64_t>());
}

namespace {
Statistic statistic_of(const std::string& name) {
  if (name == "median") return [](std::span<const double> v) { return median(v); };
  if (name == "hd_p99") return [](std::span<const double> v) { return harrell_davis(sorted(v), 0.99); };
  if (name == "type7_p99") return [](std::span<const double> v) { return quantile_type7(sorted(v), 0.99); };
  return [](std::span<const double> v) { return mean(v); };
}
Statistic2 statistic2_of(const std::string& name) {
  const auto difference = [](auto of) {
    return [of](std::span<const double> a, std::span<const double> b) { return of(b) - of(a); };
  };
  if (name.starts_with("diff_of_medians") || name.starts_with("diff_medians"))
    return difference(statistic_of("median"));
  if (name.starts_with("diff_hd_p99")) return difference(statistic_of("hd_p99"));
  if (name.starts_with("ratio"))
    return [](std::span<const double> a, std::span<const double> b) { return mean(b) / mean(a) - 1; };
  return difference(statistic_of("mean"));
}
} // namespace

TEST(truth, bootstrap_of_one_sample) {
  for (const auto& row : truth()["bootstrap_one_sample"]) {
    const BootstrapResult r = bootstrap(data(row["data"]), statistic_of(row["stat"]), row["B"], row["seed"]);
    for (std::size_t i = 0; i < row["first_replicates"].size(); ++i)
      expect_near_rel(r.replicates[i], row["first_replicates"][i], 1e-12);
    expect_near_rel(r.theta, row["theta"]);
    expect_near_rel(r.se, row["se"]);
    expect_near_rel(r.percentile.lo, row["percentile_ci95"][0]);
    expect_near_rel(r.percentile.hi, row["percentile_ci95"][1]);
    // The mean of 15 short decimals ties with theta only up to rounding: numpy's plain sum and ours count 5
    // ties differently.
    const bool has_rounding_ties = row["stat"] == "mean" && row["data"] == "lat_a";
    EXPECT_NEAR(r.z0, row["bca_z0"].get<double>(), has_rounding_ties ? 0.01 : 1e-9);
    EXPECT_NEAR(r.acceleration, row["bca_a"].get<double>(), 1e-9);
    expect_near_rel(r.bca.lo, row["bca_ci95"][0], has_rounding_ties ? 1e-3 : 1e-9);
    expect_near_rel(r.bca.hi, row["bca_ci95"][1], has_rounding_ties ? 1e-3 : 1e-9);
  }
}

TEST(truth, bootstrap_of_two_samples) {
  for (const auto& row : truth()["bootstrap_two_sample"]) {
    const auto r =
        bootstrap_two(data(row["a"]), data(row["b"]), statistic2_of(row["stat"]), row["B"], row["seed"]);
    for (std::size_t i = 0; i < row["first_replicates"].size(); ++i)
      EXPECT_NEAR(r.replicates[i], row["first_replicates"][i].get<double>(), 1e-9);
    EXPECT_NEAR(r.percentile.lo, row["percentile_ci95"][0].get<double>(), 1e-9);
    EXPECT_NEAR(r.percentile.hi, row["percentile_ci95"][1].get<double>(), 1e-9);
    expect_near_rel(r.p, row["p_two_sided_sign"]);
  }
}

TEST(truth, permutation_counts) {
  for (const auto& row : truth()["permutation"]) {
    const auto& out = row["out"];
    const bool is_exact = row["kind"] == "exact";
    const auto r =
        permutation(data(row["a"]), data(row["b"]), statistic2_of(row["stat"]),
                    is_exact ? 0 : out["R"].get<int>(), is_exact ? 0 : out["seed"].get<std::uint64_t>());
    EXPECT_EQ(r.is_exact, is_exact);
    EXPECT_EQ(r.count, out["count"].get<std::int64_t>());
    expect_near_rel(r.p, out["p_two_sided"], 1e-12);
  }
}

TEST(truth, kolmogorov_smirnov) {
  for (const auto& row : truth()["ks_two_sample"]) {
    const KsResult r = kolmogorov_smirnov(data(row["a"]), data(row["b"]));
    EXPECT_NEAR(r.d, row["out"]["D"].get<double>(), 1e-12);
    ASSERT_TRUE(r.is_exact);
    expect_near_rel(r.p, row["out"]["p_exact"], 1e-8);
  }
  for (const auto& row : truth()["special_functions"]["kolmogorov_sf"])
    expect_near_rel(kolmogorov_sf(row["x"]), row["v"], 1e-8);
}

TEST(truth, many_metrics_are_corrected_for) {
  for (const auto& row : truth()["multiple_comparisons"]) {
    const auto p = row["p"].get<std::vector<double>>();
    const auto h = holm(p), b = benjamini_hochberg(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
      expect_near_rel(h[i], row["holm"][i], 1e-12);
      expect_near_rel(b[i], row["bh"][i], 1e-12);
    }
  }
}

TEST(truth, equivalence) {
  for (const auto& row : truth()["tost_welch"]) {
    const double margin = row["margin"];
    const TostResult r = tost_welch(data(row["a"]), data(row["b"]), -margin, margin);
    const auto& out = row["out"];
    expect_near_rel(r.p_lower, out["p_lower"]);
    expect_near_rel(r.p_upper, out["p_upper"]);
    expect_near_rel(r.p, out["p_tost"]);
    expect_near_rel(r.ci90.lo, out["ci90"][0]);
    expect_near_rel(r.ci90.hi, out["ci90"][1]);
  }
}

TEST(truth, power_and_sample_size) {
  const auto& table = truth()["power_t_two_sample"];
  for (const auto& row : table["power"])
    expect_near_rel(power_two_sample(row["d"], row["n_per_group"]), row["power"], 1e-7);
  for (const auto& row : table["n_needed"])
    EXPECT_EQ(needed_per_side(row["d"]), row["n_exact"].get<std::int64_t>());
  for (const auto& row : table["mde"])
    expect_near_rel(detectable_effect(row["n_per_group"]), row["d_exact"], 1e-6);
}

TEST(truth, shares) {
  for (const auto& row : truth()["binomial_interval"]) {
    const ConfidenceInterval i = clopper_pearson(row["k"], row["n"]);
    EXPECT_NEAR(i.lo, row["clopper_pearson95"][0].get<double>(), 1e-9);
    EXPECT_NEAR(i.hi, row["clopper_pearson95"][1].get<double>(), 1e-9);
  }
  EXPECT_NEAR(fisher_exact(8, 10, 1, 6), 0.0349650349650350, 1e-12)
      << "scipy.stats.fisher_exact([[8,2],[1,5]])";
}

TEST(truth, correlated_series) {
  const auto& table = truth()["autocorrelation"];
  const auto series = table["series"].get<std::vector<double>>();
  for (std::size_t lag = 1; lag <= 20; ++lag)
    EXPECT_NEAR(autocorrelation(series, lag), table["acf_0_20"][lag].get<double>(), 1e-9);
  expect_near_rel(effective_size(series), table["ess_ar1"]);
  const auto& block = table["circular_block_bootstrap"];
  // ceil((2r/(1-r^2))^(2/3) n^(1/3)) with r = acf[1]: computed by hand from the table's acf.
  const double r = table["acf_0_20"][1];
  EXPECT_EQ(bootstrap_block(series),
            static_cast<std::size_t>(std::ceil(std::pow(2 * r / (1 - r * r), 2.0 / 3) * std::cbrt(300.0))));
  const auto means = block_bootstrap_mean(series, block["block_len"], block["B"], block["seed"]);
  for (std::size_t i = 0; i < block["first_replicates"].size(); ++i)
    expect_near_rel(means[i], block["first_replicates"][i], 1e-12);
  expect_near_rel(std::sqrt(variance(means)), block["se"]);
}
