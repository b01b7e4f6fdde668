#include "verdict/run_facts.hpp"

#include "base/lang.hpp"
#include "store/losses.hpp"
#include "store/request_time.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace prof {
namespace {

constexpr std::size_t kMostKinds = 64, kMostOps = 20'000; // hostile names must not fill memory

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void read_requests(const Store& store, RunFacts& out) {
  const RequestTable& table = store.tables().request;
  out.requests = static_cast<std::int64_t>(table.ts.size());
  for (std::size_t i = 0; i < table.ts.size(); ++i) {
    const std::string_view status = store.text(table.status[i]);
    out.arrival_ts.push_back(table.ts[i]);
    if (status == "unfinished") {
      ++out.unfinished;
      continue;
    }
    out.request_ts.push_back(table.ts[i]);
    out.request_ns.push_back(static_cast<double>(table.dur[i]));
    out.has_status = out.has_status || !status.empty();
    if (!status.empty() && status != "ok") ++out.errors;
    std::string name(store.text(table.name[i]).substr(0, 200));
    if (out.request_names.size() < kMostKinds || out.request_names.contains(name)) ++out.request_names[name];
  }
  std::ranges::sort(out.arrival_ts);
}

// "Conv", "Conv_12" and "aten::conv2d" stand in every model: made from the type, they tell no model.
bool tells_model(std::string_view name, std::string_view type) {
  if (type.empty() || name.empty() || name.starts_with(type)) return false;
  return !(name.ends_with(type) && name.substr(0, name.size() - type.size()).ends_with("::"));
}

void sort_by_time(MetricSamples& samples) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < samples.value.size(); ++i)
    if (std::isfinite(samples.value[i])) order.push_back(i);
  const bool has_ts = samples.ts.size() == samples.value.size();
  if (has_ts) std::ranges::stable_sort(order, {}, [&](std::size_t i) { return samples.ts[i]; });
  MetricSamples out;
  for (const std::size_t i : order) {
    out.value.push_back(samples.value[i]);
    out.ts.push_back(has_ts ? samples.ts[i] : static_cast<std::int64_t>(i));
  }
  samples = std::move(out);
}

} // namespace

OpFacts read_ops(const Store& store) {
  OpFacts out;
  const OpTable& table = store.tables().op;
  const auto add = [](std::map<std::string, std::int64_t>& sums, std::string_view name, std::int64_t amount) {
    std::string key(name.substr(0, 200));
    if (sums.size() < kMostOps || sums.contains(key)) sums[std::move(key)] += amount;
  };
  for (std::size_t i = 0; i < table.ts.size(); ++i) {
    const std::string_view name = store.text(table.name[i]), type = store.text(table.op_type[i]);
    if (tells_model(name, type)) add(out.names, name, std::max<std::int64_t>(0, table.self_dur[i]));
    add(out.types, type.empty() ? name : type, 1);
  }
  return out;
}

Status check_same_unit(const CountedTrace& a, const CountedTrace& b) {
  if (a.unit.empty() || b.unit.empty() || a.unit == b.unit) return {};
  const auto line = [&](Lang lang) {
    const auto units = [&](std::string_view unit) {
      return text(lang, fmt::format("diagnose.units.{}", unit));
    };
    return say(lang, "verdict.two_units", fmt::arg("a", a.path), fmt::arg("unit_a", units(a.unit)),
               fmt::arg("b", b.path), fmt::arg("unit_b", units(b.unit)));
  };
  return Error{Errc::bad_argument, line(Lang::en), {}, line(Lang::zh)};
}

bool is_same_recording(const RunFacts& a, const RunFacts& b) {
  if (!a.sha256.empty() && a.sha256 == b.sha256) return true;
  const bool is_same_time = a.start_realtime_ns != 0 && a.start_realtime_ns == b.start_realtime_ns &&
                            a.start_ns == b.start_ns && a.window_ns == b.window_ns && a.window_ns > 0;
  if (is_same_time) return true;
  return a.request_ts.size() >= 2 && a.start_realtime_ns == b.start_realtime_ns &&
         a.request_ts == b.request_ts && a.request_ns == b.request_ns && a.arrival_ts == b.arrival_ts;
}

Status check_two_recordings(std::span<const RunFacts> before, std::span<const RunFacts> after) {
  for (const RunFacts& run : after) {
    const auto twin =
        std::ranges::find_if(before, [&](const RunFacts& other) { return is_same_recording(other, run); });
    if (twin == before.end()) continue;
    return error_said(Errc::bad_argument, "verdict.same_recording", {}, fmt::arg("before", twin->path),
                      fmt::arg("after", run.path));
  }
  return {};
}

RunFacts identity_of(const Store& store) {
  RunFacts out;
  if (const UnitTable units = find_units(store); !units.slice.empty())
    out.unit = unit_word(store, units.kind);
  out.start_ns = store.start().ns;
  out.window_ns = (store.end() - store.start()).ns;
  out.start_realtime_ns = number(store.metadata("start_realtime_ns"));
  read_requests(store, out);
  return out;
}

Result<RunFacts> read_run(const Store& store, Sql& sql, std::span<const MetricDef> metrics) {
  RunFacts out = identity_of(store);
  const Losses losses = losses_of(store);
  out.lost = losses.records;
  out.is_incomplete = !losses.of_unknown_size.empty();
  out.events = std::max<std::int64_t>(number(store.metadata("capture.events")),
                                      static_cast<std::int64_t>(store.tables().slice.ts.size()));
  for (const std::string_view key : {"host", "kernel", "cpu_model", "cpu_count", "scope", "sampling_rate",
                                     "service", "target", "profiler_version"})
    if (const auto value = store.metadata(key); !value.empty())
      out.settings[std::string(key)] = std::string(value.substr(0, 200));
  if (!store.tables().thread_state.ts.empty() && !out.unit.empty()) {
    PROF_TRY(const SqlResult waited,
             sql.query("select 1.0 * sum(case when class in ('runnable', 'preempted') then ns else "
                       "0 end) / sum(ns) from request_time",
                       1));
    if (!waited.rows.empty())
      if (const auto* share = std::get_if<double>(&waited.rows[0][0])) out.cpu_wait = *share;
  }
  OpFacts ops = read_ops(store);
  out.op_names = std::move(ops.names), out.op_types = std::move(ops.types);
  for (const MetricDef& metric : metrics) {
    MetricRun run{.value = compute_metric(metric, store, sql), .samples = {}};
    if (run.value.value && !metric.samples_sql.empty()) {
      PROF_TRY(run.samples, metric_samples(metric, store, sql));
      sort_by_time(run.samples);
    }
    out.metrics.push_back(std::move(run));
  }
  return out;
}

} // namespace prof
