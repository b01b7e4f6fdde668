// Runs made from a seed: lognormal latencies, Poisson arrivals, one level per run.
#pragma once
#include "verdict/random.hpp"
#include "verdict/validate.hpp"

#include <cmath>

namespace prof::test {

inline double normal(SplitMix64& g) {
  const double u = g.unit(), v = g.unit();
  return std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * M_PI * v);
}

inline MetricDef latency_metric(const std::string& id, Aggregate aggregate, double percentile = 0) {
  MetricDef def;
  def.id = id, def.unit = "ns", def.aggregate = aggregate, def.percentile = percentile;
  return def;
}
inline MetricDef p99() {
  return latency_metric("p99_latency", Aggregate::percentile, 99);
}
inline MetricDef p50() {
  return latency_metric("p50_latency", Aggregate::percentile, 50);
}
inline MetricDef mean_latency() {
  return latency_metric("mean_latency", Aggregate::mean);
}

struct Make {
  std::size_t n = 1000;
  double level = 100e6, sigma = 0.3; // ns, log spread of requests
  double run_noise = 0;              // log spread of the run's level
  double slow_share = 0, slow_times = 1;
  double correlation = 0; // of the logs of neighbouring requests: AR(1)
};

// A run whose latency metrics all read the same request durations.
inline RunFacts made_run(std::uint64_t seed, const Make& make, std::span<const MetricDef> metrics) {
  SplitMix64 g(seed);
  const double level = make.level * std::exp(make.run_noise * normal(g));
  RunFacts run;
  run.path = "run_" + std::to_string(seed), run.sha256 = std::to_string(seed);
  std::int64_t ts = 0;
  double state = make.correlation == 0 ? 0 : normal(g); // starts in its long-run distribution
  for (std::size_t i = 0; i < make.n; ++i) {
    state = make.correlation * state + std::sqrt(1 - make.correlation * make.correlation) * normal(g);
    double value = level * std::exp(make.sigma * state);
    if (g.unit() < make.slow_share) value *= make.slow_times;
    ts += static_cast<std::int64_t>(-1e8 * std::log(1 - g.unit()));
    run.request_ts.push_back(ts), run.request_ns.push_back(value);
  }
  run.requests = static_cast<std::int64_t>(make.n), run.window_ns = ts;
  run.arrival_ts = run.request_ts;
  run.request_names["poster"] = run.requests;
  for (const MetricDef& metric : metrics) {
    MetricRun m;
    m.samples = {run.request_ts, run.request_ns};
    m.value.value = aggregate_of(metric, m.samples);
    m.value.n = run.requests;
    run.metrics.push_back(std::move(m));
  }
  return run;
}
inline std::vector<RunFacts> made_runs(std::uint64_t seed, std::size_t count, const Make& make,
                                       std::span<const MetricDef> metrics) {
  std::vector<RunFacts> runs;
  for (std::size_t i = 0; i < count; ++i)
    runs.push_back(made_run(seed * 1000 + i, make, metrics));
  return runs;
}

} // namespace prof::test
