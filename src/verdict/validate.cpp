#include "verdict/validate.hpp"

#include "base/lang.hpp"
#include "verdict/multiple.hpp"
#include "verdict/power.hpp"
#include "verdict/resample.hpp"
#include "verdict/series.hpp"
#include "verdict/tail_test.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace prof {
namespace {

constexpr std::size_t kMostBatches = 20, kFewestBatches = 4,
                      kBatchLength = 5; // docs/statistics.md, batch means
constexpr std::size_t kFewestRuns =
    4; // below this even fully separated ranks cannot reach p < 0.05 (2/C(2n,n))
constexpr int kPermutations = 9999;

// Equivalence margins by kind of metric (docs/statistics.md, section "equivalence").
double margin_of(const MetricDef& metric) {
  if (metric.aggregate != Aggregate::percentile) return 0.02;
  return metric.percentile < 90 ? 0.03 : metric.percentile < 99 ? 0.05 : 0.10;
}

// One side of one metric: the values of its runs and, with a single run, that run's samples.
struct Side {
  std::vector<double> values, plain; // estimated for the test; as compute_metric gave them
  MetricSamples samples;
  std::int64_t sample_count = 0;
};

std::size_t first_after_warm_up(const RunFacts& run, const MetricSamples& samples, bool cuts) {
  const std::size_t warm = cuts ? warm_up_of(run) : 0;
  if (warm == 0 || warm >= run.request_ts.size()) return 0;
  return static_cast<std::size_t>(std::ranges::lower_bound(samples.ts, run.request_ts[warm]) -
                                  samples.ts.begin());
}

Side side_of(const MetricDef& metric, std::size_t index, std::span<const RunFacts> runs, bool cuts) {
  Side side;
  for (const RunFacts& run : runs) {
    const MetricRun& m = run.metrics[index];
    if (!m.value.value || !std::isfinite(*m.value.value)) continue;
    const std::size_t from = first_after_warm_up(run, m.samples, cuts);
    const std::size_t left = m.samples.value.size() - from;
    side.values.push_back(from > 0 || metric.aggregate == Aggregate::percentile
                              ? aggregate_of(metric, m.samples, from).value_or(*m.value.value)
                              : *m.value.value);
    side.plain.push_back(*m.value.value);
    side.sample_count += m.samples.value.empty() ? m.value.n : static_cast<std::int64_t>(left);
    if (runs.size() > 1) continue;
    side.samples.ts.assign(m.samples.ts.begin() + static_cast<std::ptrdiff_t>(from), m.samples.ts.end());
    side.samples.value.assign(m.samples.value.begin() + static_cast<std::ptrdiff_t>(from),
                              m.samples.value.end());
  }
  return side;
}

bool note_unavailable(MetricVerdict& out, std::size_t index, std::span<const RunFacts> before,
                      std::span<const RunFacts> after) {
  const auto has_any = [&](std::span<const RunFacts> side) {
    return side.empty() || std::ranges::any_of(side, [&](const RunFacts& r) {
             return r.metrics[index].value.value.has_value();
           });
  };
  out.has_before = has_any(before), out.has_after = has_any(after);
  if (out.has_before && out.has_after) return false;
  const MetricValue& value = (out.has_before ? after : before).front().metrics[index].value;
  out.reason = value.reason, out.mend = value.mend, out.detail = value.detail;
  out.outcome = Outcome::unavailable;
  return true;
}

// What a test found, before anything is said about it. `centre` is log(after/before) when is_log, else after
// - before.
struct Found {
  Method method = Method::none;
  bool is_log = false;
  double centre = 0, se = 0, df = 1, sd = 0, p = 1;
  ConfidenceInterval ci;
};

double two_sided_p(double centre, double se, double df) {
  if (!(se > 0)) return centre == 0 ? 1 : 0;
  const boost::math::students_t law(std::max(df, 1.0));
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(law, std::fabs(centre) / se)));
}

bool is_t_test(Method method) {
  return method == Method::welch || method == Method::welch_log;
}

// One trace a side: adds the assumed between-run spread of both sides to what was seen within the two runs.
void widen_by_run_noise(Found& found, double noise) {
  const double extra = std::sqrt(2.0) * noise;
  // A t-test's p is its own se over again; only a rank or resampling p can speak of more.
  const double within =
      is_t_test(found.method) ? found.se : std::max(found.se, implied_se(found.centre, found.p));
  const double z = 1.959963984540054;
  found.ci.lo = found.centre - std::hypot(found.centre - found.ci.lo, z * extra);
  found.ci.hi = found.centre + std::hypot(found.ci.hi - found.centre, z * extra);
  found.sd = std::sqrt(within * within / 2 + noise * noise);
  found.se = std::hypot(within, extra);
  found.df = std::max(found.df, 10.0);
  found.p = std::max(found.p, two_sided_p(found.centre, found.se, found.df));
}

void put_change(MetricVerdict& out, const Found& found) {
  out.method = found.method;
  out.p = found.p;
  out.difference = *out.after - *out.before;
  if (found.is_log) {
    out.change = std::expm1(found.centre);
    out.change_ci = ConfidenceInterval{std::expm1(found.ci.lo), std::expm1(found.ci.hi)};
  } else if (*out.before != 0) {
    const double scale = std::fabs(*out.before);
    out.change = found.centre / scale;
    out.change_ci = ConfidenceInterval{found.ci.lo / scale, found.ci.hi / scale};
  }
}

// What this experiment could have seen, whether it shows sameness, and how many runs would see the change
// that is looked for. `level`: what the smallest of all p values must fall below (Holm).
void put_power(MetricVerdict& out, const Found& found, double n_per_side, double level) {
  const double scale = found.is_log ? 1 : std::fabs(*out.before);
  if (!(scale > 0) || !std::isfinite(found.se)) return;
  const double se = found.se / scale, sd = found.sd / scale, centre = found.centre / scale;
  const boost::math::normal law;
  const double z = boost::math::quantile(law, 1 - level / 2) + boost::math::quantile(law, 0.8);
  const double d = out.is_within_run ? z * se : detectable_effect(n_per_side, level) * sd;
  out.detectable = found.is_log ? std::expm1(d) : d;
  const double margin = found.is_log ? std::log1p(out.margin) : out.margin;
  const double reach =
      se > 0 ? boost::math::quantile(boost::math::students_t(std::max(found.df, 1.0)), 0.95) * se : 0;
  out.is_equivalent = std::fabs(centre) + reach < margin;
  const double sought = !out.expected  ? margin
                        : found.is_log ? std::fabs(std::log1p(*out.expected))
                                       : std::fabs(*out.expected);
  if (sd > 0)
    out.needed =
        std::max<std::int64_t>(static_cast<std::int64_t>(kFewestRuns), needed_per_side(sought / sd, level));
}

// Percentiles of several runs a side: permutation of run labels where it can reach significance at all after
// the correction for `metric_count` metrics, else a t-test on the logs of the runs' percentiles.
TestKind kind_for_runs(const MetricDef& metric, const Side& a, const Side& b, std::size_t metric_count,
                       const ValidateOptions& options) {
  if (metric.aggregate != Aggregate::percentile) return options.test;
  if (options.test == TestKind::mann_whitney || options.test == TestKind::bootstrap) return options.test;
  const auto na = static_cast<std::int64_t>(a.values.size()), nb = static_cast<std::int64_t>(b.values.size());
  const double least = (na == nb ? 2.0 : 1.0) / static_cast<double>(choose(na + nb, na));
  return least * static_cast<double>(metric_count) <= options.alpha / 2 ? TestKind::permutation
                                                                        : TestKind::t_test;
}

void judge_runs(MetricVerdict& out, const Side& a, const Side& b, std::size_t metric_count,
                const ValidateOptions& options) {
  out.unit = Unit::run;
  out.n_before = a.values.size(), out.n_after = b.values.size();
  const TestKind kind = kind_for_runs(out.metric, a, b, metric_count, options);
  const bool is_paired = options.is_paired && a.values.size() == b.values.size();
  const int draws = kind == TestKind::permutation ? kPermutations : options.draws;
  const ValueTest test =
      test_values(a.values, b.values, kind, is_paired, draws, seed_for(options.seed, out.metric.id));
  out.before = test.before, out.after = test.after;
  out.is_geometric = test.is_log && test.method != Method::none;
  if (test.method == Method::none) { // one run on one side, several on the other
    out.before = mean(a.values), out.after = mean(b.values);
    out.needed = static_cast<std::int64_t>(kFewestRuns);
    return;
  }
  const Found found{test.method, test.is_log, test.centre, test.se, test.df, test.sd, test.p, test.ci};
  out.cliffs_delta = cliffs_delta(a.values, b.values);
  out.hedges_g = hedges_g(a.values, b.values);
  put_change(out, found);
  const double na = static_cast<double>(out.n_before), nb = static_cast<double>(out.n_after);
  put_power(out, found, 2 * na * nb / (na + nb), options.alpha / static_cast<double>(metric_count));
}

// Mean-like metrics of one run: means of consecutive batches are nearly independent where requests are not.
std::vector<double> batches_of(const MetricDef& metric, const MetricSamples& samples) {
  const std::size_t count = std::min(kMostBatches, samples.value.size() / kBatchLength);
  if (count < kFewestBatches) return {};
  if (metric.aggregate != Aggregate::rate) return batch_means(samples.value, count);
  std::vector<double> rates(count, 0.0); // a rate: what arrived in equal pieces of the window, per second
  const std::int64_t from = samples.ts.front(), span = samples.ts.back() - from;
  if (span <= 0) return {};
  for (std::size_t i = 0; i < samples.ts.size(); ++i) {
    const double at =
        static_cast<double>(samples.ts[i] - from) / static_cast<double>(span) * static_cast<double>(count);
    rates[std::min(count - 1, static_cast<std::size_t>(at))] += samples.value[i];
  }
  for (double& rate : rates)
    rate *= static_cast<double>(count) * 1e9 / static_cast<double>(span);
  return rates;
}

void judge_percentile_within(MetricVerdict& out, const Side& a, const Side& b, std::size_t metric_count,
                             const ValidateOptions& options) {
  const double q = out.metric.percentile / 100;
  const TailTest tail = test_percentile(a.samples.value, b.samples.value, q, options.draws,
                                        seed_for(options.seed, out.metric.id));
  out.unit = Unit::request;
  out.n_before = a.samples.value.size(), out.n_after = b.samples.value.size();
  out.is_thin_tail = tail.is_thin;
  if (!tail.is_possible) {
    out.needed = std::max<std::int64_t>(10, static_cast<std::int64_t>(std::ceil(1 / (1 - q) - 1e-9)));
    out.needs_samples = true;
    return;
  }
  out.before = tail.before, out.after = tail.after;
  out.cliffs_delta = cliffs_delta(a.samples.value, b.samples.value);
  out.hedges_g = hedges_g(a.samples.value, b.samples.value);
  out.within_ci = ConfidenceInterval{std::expm1(tail.ci.lo), std::expm1(tail.ci.hi)};
  Found found{tail.method, true, tail.centre, tail.se, 1e6, tail.se, tail.p, tail.ci};
  widen_by_run_noise(found, options.run_noise);
  put_change(out, found);
  put_power(out, found, 1, options.alpha / static_cast<double>(metric_count));
}

void judge_mean_within(MetricVerdict& out, const Side& a, const Side& b, std::size_t metric_count,
                       const ValidateOptions& options) {
  const auto x = batches_of(out.metric, a.samples), y = batches_of(out.metric, b.samples);
  out.unit = Unit::batch;
  out.n_before = x.size(), out.n_after = y.size();
  if (x.empty() || y.empty()) {
    const bool has_samples = !a.samples.value.empty();
    out.needed = static_cast<std::int64_t>(has_samples ? kFewestBatches * kBatchLength : kFewestRuns);
    out.needs_samples = has_samples;
    return;
  }
  const ValueTest test =
      test_values(x, y, options.test, false, options.draws, seed_for(options.seed, out.metric.id));
  Found found{test.method, test.is_log && *out.before > 0 && *out.after > 0,
              test.centre, test.se,
              test.df,     test.sd,
              test.p,      test.ci};
  // Centred at the metric's own values, which the reader sees; the batches give the spread.
  if (test.is_log != found.is_log) return;
  const double centre = found.is_log ? std::log(*out.after / *out.before) : *out.after - *out.before;
  found.ci = {found.ci.lo + centre - found.centre, found.ci.hi + centre - found.centre};
  found.centre = centre;
  // p speaks of the change that is shown, as the interval does; resampling and rank tests keep their own.
  if (is_t_test(test.method)) found.p = two_sided_p(found.centre, found.se, found.df);
  const double scale = found.is_log ? 1 : std::fabs(*out.before);
  if (found.is_log)
    out.within_ci = ConfidenceInterval{std::expm1(found.ci.lo), std::expm1(found.ci.hi)};
  else if (scale > 0)
    out.within_ci = ConfidenceInterval{found.ci.lo / scale, found.ci.hi / scale};
  out.cliffs_delta = cliffs_delta(x, y);
  out.hedges_g = hedges_g(x, y);
  widen_by_run_noise(found, options.run_noise * scale);
  put_change(out, found);
  put_power(out, found, 1, options.alpha / static_cast<double>(metric_count));
}

// Turns the corrected p into words.
void settle(MetricVerdict& out, const ValidateOptions& options) {
  if (out.outcome == Outcome::unavailable) return;
  const std::size_t n = std::min(out.n_before, out.n_after);
  if (out.method == Method::none) {
    out.outcome = Outcome::too_little_data;
    return;
  }
  if (out.p_corrected < options.alpha && out.difference && *out.difference != 0) {
    const bool is_up = *out.difference > 0;
    out.is_small = out.change && std::fabs(*out.change) < options.min_effect;
    out.outcome = out.metric.better == Better::neither           ? Outcome::changed
                  : is_up == (out.metric.better == Better::high) ? Outcome::better
                                                                 : Outcome::worse;
    return;
  }
  out.outcome = Outcome::no_change;
  if (out.unit == Unit::run && n < kFewestRuns && !out.is_equivalent) out.outcome = Outcome::too_little_data;
  if (out.is_thin_tail) {
    out.outcome = Outcome::too_little_data;
    out.needed = quantile_min_n(out.metric.percentile / 100);
    out.needs_samples = true;
  }
}

RunSummary summary_of(const RunFacts& run, bool cuts) {
  return {run.path,   run.sha256, run.start_realtime_ns,     run.window_ns, run.requests,
          run.errors, run.lost,   cuts ? warm_up_of(run) : 0};
}

std::vector<double> latencies_of(std::span<const RunFacts> runs, bool cuts) {
  std::vector<double> all;
  for (const RunFacts& run : runs) {
    const std::size_t warm = cuts ? warm_up_of(run) : 0;
    all.insert(all.end(), run.request_ns.begin() + static_cast<std::ptrdiff_t>(warm), run.request_ns.end());
  }
  std::ranges::sort(all);
  return all;
}

std::vector<double> group_medians(const RunFacts& run) {
  constexpr std::size_t kGroups = 40;
  std::vector<double> medians;
  const std::size_t groups = std::min(kGroups, run.request_ns.size());
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t from = g * run.request_ns.size() / groups,
                      to = (g + 1) * run.request_ns.size() / groups;
    medians.push_back(median(std::span(run.request_ns).subspan(from, to - from)));
  }
  return medians;
}

} // namespace

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
  case Outcome::better:
    return "better";
  case Outcome::worse:
    return "worse";
  case Outcome::changed:
    return "changed";
  case Outcome::no_change:
    return "no_change";
  case Outcome::too_little_data:
    return "too_little_data";
  case Outcome::unavailable:
    return "unavailable";
  }
  return {};
}

std::size_t warm_up_of(const RunFacts& run) {
  return warm_up_length(run.request_ns);
}

double mean_over_runs(std::span<const double> values, bool is_geometric) {
  if (!is_geometric || std::ranges::any_of(values, [](double v) { return v <= 0; })) return mean(values);
  double logs = 0;
  for (const double v : values)
    logs += std::log(v);
  return std::exp(logs / static_cast<double>(values.size()));
}

MetricVerdict judge_metric(const MetricDef& metric, std::size_t index, std::span<const RunFacts> before,
                           std::span<const RunFacts> after, std::size_t metric_count,
                           const ValidateOptions& options) {
  MetricVerdict out;
  out.metric = metric;
  out.margin = margin_of(metric);
  if (const auto at = options.expected.find(metric.id); at != options.expected.end())
    out.expected = at->second;
  out.is_within_run = before.size() == 1 && after.size() == 1;
  if (note_unavailable(out, index, before, after)) return out;
  out.outcome = Outcome::no_change;
  const Side a = side_of(metric, index, before, options.cuts_warm_up),
             b = side_of(metric, index, after, options.cuts_warm_up);
  if (a.values.empty() || b.values.empty()) { // a value that is no number
    out.outcome = Outcome::unavailable;
    out.reason = "verdict.not_finite";
    return out;
  }
  out.before = mean(a.values), out.after = mean(b.values);
  out.difference = *out.after - *out.before;
  if (*out.before != 0) out.change = *out.difference / std::fabs(*out.before);
  out.samples_before = a.sample_count, out.samples_after = b.sample_count;
  out.run_before = a.values, out.run_after = b.values;
  const bool is_percentile = metric.aggregate == Aggregate::percentile;
  out.is_method_replaced =
      is_percentile && (options.test == TestKind::t_test || options.test == TestKind::ks ||
                        (out.is_within_run && options.test == TestKind::mann_whitney));
  if (!out.is_within_run)
    judge_runs(out, a, b, metric_count, options);
  else if (is_percentile)
    judge_percentile_within(out, a, b, metric_count, options);
  else
    judge_mean_within(out, a, b, metric_count, options);
  if (is_percentile) {
    out.plain_before = mean_over_runs(a.plain, out.is_geometric);
    out.plain_after = mean_over_runs(b.plain, out.is_geometric);
  }
  return out;
}

Result<Validation> validate(std::span<const MetricDef> metrics, std::span<const RunFacts> before,
                            std::span<const RunFacts> after, const ValidateOptions& options) {
  if (before.empty() || after.empty()) return error_said(Errc::bad_argument, "error.no_side", {});
  if (options.is_paired && before.size() != after.size())
    return error_said(Errc::bad_argument, "error.pairs", {});
  for (const std::span<const RunFacts> side : {before, after})
    for (const RunFacts& run : side)
      PROF_CHECK(check_same_unit({before[0].path, before[0].unit}, {run.path, run.unit}));
  Validation out;
  out.options = options;
  out.is_within_run = before.size() == 1 && after.size() == 1;
  for (const RunFacts& run : before)
    out.before.push_back(summary_of(run, options.cuts_warm_up));
  for (const RunFacts& run : after)
    out.after.push_back(summary_of(run, options.cuts_warm_up));
  out.latency_before = latencies_of(before, options.cuts_warm_up),
  out.latency_after = latencies_of(after, options.cuts_warm_up);
  if (out.is_within_run)
    out.order_before = group_medians(before[0]), out.order_after = group_medians(after[0]);
  for (std::size_t i = 0; i < metrics.size(); ++i)
    out.metrics.push_back(judge_metric(metrics[i], i, before, after, metrics.size(), options));
  std::vector<double> p;
  for (const MetricVerdict& m : out.metrics)
    if (m.method != Method::none) p.push_back(m.p);
  const auto corrected = holm(p);
  std::size_t k = 0;
  for (MetricVerdict& m : out.metrics) {
    if (m.method != Method::none) m.p_corrected = corrected[k++];
    settle(m, options);
  }
  out.checks = check_sides(before, after);
  return out;
}

bool Validation::has_regression() const {
  return std::ranges::any_of(
      metrics, [](const MetricVerdict& m) { return m.outcome == Outcome::worse && !m.is_small; });
}
bool Validation::has_failed_check() const {
  return std::ranges::any_of(checks, [](const Check& c) { return c.state == CheckState::fail; });
}
bool Validation::has_unavailable() const {
  return std::ranges::any_of(metrics,
                             [](const MetricVerdict& m) { return m.outcome == Outcome::unavailable; });
}

} // namespace prof
