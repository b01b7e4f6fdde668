// metrics.hpp: the metric catalogue (knowledge/metrics/*.yaml) and its evaluation over a store.
#pragma once
#include "base/result.hpp"
#include "store/sql.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

enum class Better : std::uint8_t { low, high, neither };
// How a metric's samples become its value; decides which statistical test is right for it.
enum class Aggregate : std::uint8_t { mean, percentile, ratio, rate, last, max, sum };

struct MetricDef {
  std::string id; // "p99_latency"
  std::string unit;
  Better better = Better::low;
  Aggregate aggregate = Aggregate::mean;
  double percentile = 0; // 0..100, for Aggregate::percentile
  std::string definition_en, definition_zh;
  std::string formula;
  std::string table; // the table or view it is computed from
  std::vector<std::string>
      needs; // signals; a missing one makes the metric unavailable with that signal's reason
  std::string
      samples_sql;       // rows (ts, value): one per request, counter reading, op ...; empty for pure ratios
  std::string value_sql; // one row, one column; empty = aggregate of the samples
  std::string
      detail_sql; // one text id or no row: what this trace's value is, where the name alone would mislead
  std::string missing; // the signal that stands for the data when there is none ("requests", "tokens")
};

struct MetricValue {
  std::optional<double> value; // nullopt = unavailable: reason and mend are set
  std::int64_t n = 0;          // samples behind it
  std::string reason, mend;    // text ids, as in Signal
  std::string detail;          // of a value also a text id
};
struct MetricSamples {
  std::vector<std::int64_t> ts;
  std::vector<double> value;
};

// The catalogue, in the order of its files. Errors: malformed (a bug in knowledge/, caught by the tests).
[[nodiscard]] Result<std::vector<MetricDef>> load_metric_catalogue();
// Finds a metric by id; error bad_argument names the nearest ids.
[[nodiscard]] Result<MetricDef> find_metric(const std::vector<MetricDef>& catalogue, std::string_view id);
[[nodiscard]] MetricValue compute_metric(const MetricDef& metric, const Store& store, Sql& sql);
// The samples behind a metric; empty value vector when unavailable.
[[nodiscard]] Result<MetricSamples> metric_samples(const MetricDef& metric, const Store& store, Sql& sql);

} // namespace prof
