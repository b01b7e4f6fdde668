// replay.hpp: what would have happened to the same requests, arriving at the same times, had the service been
// different?
//
// Worked example. Two requests arrive at 0 and 1 ms, one worker, 10 ms of service each: latencies 10 and 19
// ms. Service cut to 5 ms: latencies 5 and 9 ms. The cut of 50 % gives the second request 53 %: the queue
// amplifies it. Gains of several changes are found by replaying them together, never by adding them.
#pragma once
#include "plan/action.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace prof {

// A unit of service: one batch, or one request where nothing is batched.
struct ServiceUnit {
  std::int64_t start_ns = 0;      // measured
  std::int64_t service_ns = 0;    // measured: first to last work of its stages
  std::int64_t batch_wait_ns = 0; // measured: how long the last of its requests waited for the batch to close
  std::vector<std::uint32_t> requests;
};
struct ReplayRequest {
  std::int64_t arrival_ns = 0, latency_ns = 0; // measured
  std::int64_t after_ns = 0;                   // measured: from the end of its unit to its own end
  bool is_complete =
      true; // false: the recording ended first; it loads the queue, and its latency is not known
};
// The requests of a trace, as a queue sees them. Units are sorted by measured start.
struct RequestModel {
  std::vector<ReplayRequest> requests;
  std::vector<ServiceUnit> units;
  int workers = 1;
  bool has_queue = false; // the service queues: replayed with `workers`; else every unit starts at once
  std::map<std::string, std::vector<double>> op_ns;   // operator type -> per unit
  std::map<std::string, std::vector<double>> time_ns; // request_time class -> per unit
};

// One effect with its factor drawn.
struct DrawnEffect {
  const Effect* effect = nullptr;
  double value = 0;
};
struct ReplayResult {
  std::vector<double> latency_ns; // of the complete requests served, in the order of the model
  std::int64_t refused = 0;
  double service_ns = 0; // mean per request, what throughput is bounded by
  int workers = 1;
};
// Pure. O(units * log workers).
[[nodiscard]] ReplayResult replay(const RequestModel& model, const std::vector<DrawnEffect>& effects);

struct ReplayOutcome {
  double mean_ns = 0, p50_ns = 0, p99_ns = 0;
  double capacity_per_s = 0; // requests/s with all workers busy
  double work_ns = 0;        // service time per request: the cost
  double refused_share = 0;
};
[[nodiscard]] ReplayOutcome summarise(const ReplayResult& result, const RequestModel& model);
// Type 7 percentile; `values` is reordered.
[[nodiscard]] double percentile_of(std::vector<double>& values, double percent);

// A relative change: -0.12 = 12 % less. low and high bound the middle 80 % of the draws.
struct Change {
  double low = 0, typical = 0, high = 0;
};
struct Gain {
  Change mean, p50, p99, capacity, work;
  double refused_share = 0; // at the typical factors
};
// From `before` (effects already applied, at their typical values) to before + added: Monte Carlo over the
// ranges of the added effects, fixed seed, `draws` draws.
[[nodiscard]] Gain predict_gain(const RequestModel& model, const std::vector<const Effect*>& before,
                                const std::vector<const Effect*>& added, int draws);
// How far a replay without any change is from what was measured: |replayed - measured| / measured, of mean
// and p99.
struct ReplayError {
  double mean = 0, p99 = 0;
};
[[nodiscard]] ReplayError replay_error(const RequestModel& model);

} // namespace prof
