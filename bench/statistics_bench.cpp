// How often the verdict is wrong: equal systems that are told apart, intervals that miss the truth, and real
// changes that are found. 2000 simulated pairs a case; the figures are the counters of each case
// (docs/benchmarks.md).
#include "../tests/verdict/made_runs.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace prof;
using namespace prof::test;

constexpr int kPairs = 2000;

struct Case {
  const char* name;
  std::size_t runs;
  Make make;
  double change; // of the second side's level
};

const Case kCases[] = {
    {"runs5/lognormal", 5, {.n = 100, .run_noise = 0.05}, 0},
    {"runs5/ar1", 5, {.n = 100, .run_noise = 0.05, .correlation = 0.5}, 0},
    {"runs10/lognormal", 10, {.n = 60, .run_noise = 0.03}, 0},
    {"runs10/lognormal/+4%", 10, {.n = 60, .run_noise = 0.03}, 0.04},
    {"runs10/lognormal/+8%", 10, {.n = 60, .run_noise = 0.03}, 0.08},
    {"one_run/lognormal", 1, {.n = 400, .run_noise = 0.03}, 0},
    {"one_run/ar1", 1, {.n = 400, .run_noise = 0.03, .correlation = 0.5}, 0},
    {"one_run/slow_tail", 1, {.n = 400, .run_noise = 0.03, .slow_share = 0.02, .slow_times = 4}, 0},
    {"one_run/lognormal/+20%", 1, {.n = 400, .run_noise = 0.03}, 0.2},
};

// found: share of pairs with a significant verdict on any metric (equal systems: false alarms).
// cover_<metric>: share of 95 % intervals that hold the true change.
void judge(benchmark::State& state, const Case& one) {
  const std::vector metrics{mean_latency(), p50(), p99()};
  int found = 0;
  std::vector<int> covered(metrics.size(), 0), judged(metrics.size(), 0);
  for (auto _ : state)
    for (std::uint64_t i = 0; i < kPairs; ++i) {
      Make after = one.make;
      after.level *= 1 + one.change;
      const auto v = validate(metrics, made_runs(2 * i + 10, one.runs, one.make, metrics),
                              made_runs(2 * i + 11, one.runs, after, metrics), {.draws = 400});
      bool is_found = false;
      for (std::size_t m = 0; m < metrics.size(); ++m) {
        const MetricVerdict& verdict = v->metrics[m];
        is_found = is_found || verdict.outcome == Outcome::better || verdict.outcome == Outcome::worse;
        if (!verdict.change_ci) continue;
        ++judged[m];
        covered[m] += verdict.change_ci->lo <= one.change && one.change <= verdict.change_ci->hi ? 1 : 0;
      }
      found += is_found ? 1 : 0;
    }
  state.counters["found"] = static_cast<double>(found) / kPairs;
  for (std::size_t m = 0; m < metrics.size(); ++m)
    state.counters["cover_" + metrics[m].id] = static_cast<double>(covered[m]) / std::max(1, judged[m]);
}

} // namespace

int main(int argc, char** argv) {
  for (const Case& one : kCases)
    benchmark::RegisterBenchmark(one.name, judge, one)->Iterations(1)->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
