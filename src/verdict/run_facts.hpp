// run_facts.hpp: what the verdict needs from one trace, so that only one trace is in memory at a time.
#pragma once
#include "metrics/metrics.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace prof {

// One metric of one run.
struct MetricRun {
  MetricValue value;
  MetricSamples samples; // by time; empty where the metric has none
};

// What the operators of a trace tell of its model, the first 20000 of each: ns of own time by a name that
// only this model gives, runs by type.
struct OpFacts {
  std::map<std::string, std::int64_t> names, types;
};
[[nodiscard]] OpFacts read_ops(const Store& store);

struct RunFacts {
  std::string path, sha256;
  std::string unit; // what its units of work are: "request", "run" or "iteration"; empty = it has none
  std::int64_t start_realtime_ns = 0;       // 0 = the trace does not say
  std::int64_t start_ns = 0, window_ns = 0; // first instant recorded, and from there to the last
  std::int64_t requests = 0, errors = 0;
  std::int64_t unfinished = 0; // the recording ended first: their duration is only what was seen
  std::int64_t events = 0, lost = 0;
  bool is_incomplete = false;     // and nobody knows by how much: a file was cut off or damaged
  std::optional<double> cpu_wait; // part of the units' time in which their threads wanted a CPU and had none
  bool has_status = false;        // some request says how it ended
  std::map<std::string, std::int64_t> request_names; // how many of each kind (the first 64 kinds)
  std::map<std::string, std::string>
      settings;                         // host, cpu_model, sampling_rate ...: equal on both sides or listed
  std::vector<std::int64_t> request_ts; // of finished requests, ascending
  std::vector<double> request_ns;
  std::vector<std::int64_t>
      arrival_ts; // of all requests, those that the end of the recording cut too; ascending
  std::map<std::string, std::int64_t> op_names, op_types; // OpFacts
  std::vector<MetricRun> metrics;                         // parallel to the metrics asked for
};

// A trace and what its units of work are, as RunFacts::unit.
struct CountedTrace {
  std::string_view path, unit;
};
// Error: bad_argument where both have units and not the same: the time of a request and that of a step are
// not two values of one thing.
[[nodiscard]] Status check_same_unit(const CountedTrace& a, const CountedTrace& b);
// One file under two names, or a copy in another format: the same digest; or a date, and to the nanosecond
// the same first and last instant; or to the nanosecond the same finished units (two at least) at the same
// date.
[[nodiscard]] bool is_same_recording(const RunFacts& a, const RunFacts& b);
// Error: bad_argument where one recording stands on both sides.
[[nodiscard]] Status check_two_recordings(std::span<const RunFacts> before, std::span<const RunFacts> after);

// What says which recording it is, for is_same_recording: units and times; no digest, settings or metrics.
[[nodiscard]] RunFacts identity_of(const Store& store);
// Errors: those of Sql. A metric that cannot be had is not an error: its reason is kept.
[[nodiscard]] Result<RunFacts> read_run(const Store& store, Sql& sql, std::span<const MetricDef> metrics);

// The value of a metric over samples [from, end): what compute_metric would give for that part. nullopt when
// the aggregate is not one that samples alone decide.
[[nodiscard]] std::optional<double> aggregate_of(const MetricDef& metric, const MetricSamples& samples,
                                                 std::size_t from = 0);

} // namespace prof
