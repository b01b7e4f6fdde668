// compute.cpp: the value of one metric in one trace, or why there is none.
#include "base/lang.hpp"
#include "base/quantile.hpp"
#include "metrics/metrics.hpp"
#include "store/request_time.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace prof {
namespace {

constexpr std::int64_t kMaxSamples = 20'000'000;

std::optional<double> number_of(const SqlValue& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value); d != nullptr && std::isfinite(*d)) return *d;
  return std::nullopt;
}

std::optional<double> aggregate_samples(const MetricDef& metric, const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto sum = [&] { return std::accumulate(values.begin(), values.end(), 0.0); };
  switch (metric.aggregate) {
  case Aggregate::mean:
  case Aggregate::ratio:
    return sum() / static_cast<double>(values.size());
  case Aggregate::percentile: {
    std::vector<double> moved = values;
    return quantile_in_place(moved, metric.percentile / 100);
  }
  case Aggregate::last:
    return values.back();
  case Aggregate::max:
    return *std::ranges::max_element(values);
  case Aggregate::sum:
    return sum();
  case Aggregate::rate:
    return std::nullopt; // the catalogue gives value_sql
  }
  return std::nullopt;
}

MetricValue unavailable(const Store& store, std::size_t signal) {
  const SignalTable& table = store.tables().signal;
  return {.value = {},
          .n = 0,
          .reason = std::string(store.text(table.reason[signal])),
          .mend = std::string(store.text(table.mend[signal])),
          .detail = std::string(store.text(table.detail[signal]))};
}

// The first of these signals that the trace says it lacks.
std::optional<std::size_t> missing_signal(const Store& store, std::span<const std::string> names) {
  for (const std::string& name : names)
    if (const auto row = store.find_signal(name); row && !store.tables().signal.is_available[*row])
      return row;
  return std::nullopt;
}

bool is_text(std::string_view id) {
  return text(Lang::en, id) != id;
}

// The trace has requests (or what takes their place), and the recording ended before any of them did.
bool has_only_cut_units(const Store& store) {
  const UnitTable units = find_units(store);
  return !units.slice.empty() && std::ranges::find(units.is_complete, true) == units.is_complete.end();
}

// No value came out: the trace's own reason where it gives one.
MetricValue no_value(const MetricDef& metric, const Store& store) {
  const std::string names[] = {metric.id, metric.missing};
  if (const auto signal = missing_signal(store, names)) return unavailable(store, *signal);
  if (metric.missing == "requests" && has_only_cut_units(store))
    return {.value = {},
            .n = 0,
            .reason = "metric.reason.none_finished",
            .mend = "metric.mend.none_finished",
            .detail = {}};
  const bool was_recorded = store.find_signal(metric.id).has_value();
  const std::string mend = "metric.mend." + metric.missing;
  return {.value = {},
          .n = 0,
          .reason = was_recorded ? "metric.reason.no_samples" : "signal.reason.not_recorded",
          .mend = is_text(mend)                      ? mend
                  : was_recorded                     ? "metric.mend.longer"
                  : store.metadata("format").empty() ? "signal.mend.not_recorded"
                                                     : "signal.mend.not_in_import",
          .detail = {}};
}

MetricValue failed(const Error& error) {
  return {.value = {},
          .n = 0,
          .reason = "metric.reason.query_failed",
          .mend = "signal.mend.report",
          .detail = error.what};
}

// The text that a query gives; empty: none.
std::string first_text(Sql& sql, std::string_view query) {
  const auto result = sql.query(query, 1);
  if (!result || result->rows.empty()) return {};
  const auto* word = std::get_if<std::string>(&result->rows[0][0]);
  return word == nullptr ? std::string() : *word;
}

} // namespace

Result<MetricSamples> metric_samples(const MetricDef& metric, const Store& store, Sql& sql) {
  MetricSamples samples;
  if (metric.samples_sql.empty() || missing_signal(store, metric.needs)) return samples;
  PROF_TRY(const SqlResult result, sql.query(metric.samples_sql, kMaxSamples));
  for (const auto& row : result.rows) {
    const auto* ts = row.empty() ? nullptr : std::get_if<std::int64_t>(&row[0]);
    const auto value = row.size() < 2 ? std::nullopt : number_of(row[1]);
    if (ts == nullptr || !value) continue;
    samples.ts.push_back(*ts);
    samples.value.push_back(*value);
  }
  return samples;
}

MetricValue compute_metric(const MetricDef& metric, const Store& store, Sql& sql) {
  if (const auto signal = missing_signal(store, metric.needs)) return unavailable(store, *signal);
  const auto samples = metric_samples(metric, store, sql);
  if (!samples) return failed(samples.error());
  MetricValue out{.value = aggregate_samples(metric, samples->value),
                  .n = static_cast<std::int64_t>(samples->value.size()),
                  .reason = {},
                  .mend = {},
                  .detail = {}};
  if (!metric.value_sql.empty()) {
    const auto result = sql.query(metric.value_sql, 1);
    if (!result) return failed(result.error());
    out.value = result->rows.empty() ? std::nullopt : number_of(result->rows[0][0]);
    if (metric.samples_sql.empty()) out.n = out.value ? 1 : 0;
  }
  if (!out.value) return no_value(metric, store);
  if (const auto kind =
          metric.table == "unit" ? first_text(sql, "select kind from unit limit 1") : std::string();
      !kind.empty() && unit_word(store, kind) != "request")
    out.detail = fmt::format("unit: {}", unit_word(store, kind));
  if (!metric.detail_sql.empty()) out.detail = first_text(sql, metric.detail_sql);
  return out;
}

} // namespace prof
