#include "rules/accounting.hpp"

#include "store/request_time.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace prof {
namespace {

// What ran while threads were on a CPU: operators by type where there are any, else functions by the
// innermost frame of the samples. The shares sum to that of the two classes on a CPU; the last row is the
// rest.
Status add_running(Sql& sql, KeptViews& kept, Accounting& out) {
  constexpr std::size_t kMostNamed = 5;
  double on_cpu = 0;
  for (const auto& [name, share] : out.all)
    if (name == "cpu_op" || name == "cpu_other") on_cpu += share;
  constexpr std::array<std::string_view, 2> kQueries{
      "select op_type, sum(self_dur - wait_dur) from {run_op} where op_type <> '' group by 1",
      "select coalesce(nullif(f.function, ''), '?'), sum(s.weight) from sample s join callstack c on c.id = "
      "s.callstack_id join frame f on f.id = c.frame_id where s.event = 'cpu-clock' and s.thread_id in "
      "(select "
      "id from {unit}) group by 1"};
  for (const std::string_view query : kQueries) {
    PROF_TRY(const SqlResult rows,
             sql.query(expand_sql(fmt::format("{} order by 2 desc, 1", query), UnitKind::thread, &kept)));
    double all = 0, named = 0;
    for (const auto& row : rows.rows)
      all += number_of(row[1]).value_or(0);
    if (all <= 0) continue;
    for (std::size_t i = 0; i < std::min(rows.rows.size(), kMostNamed); ++i) {
      const double part = number_of(rows.rows[i][1]).value_or(0) / all;
      if (const auto* name = std::get_if<std::string>(&rows.rows[i][0]))
        out.running.emplace_back(*name, part * on_cpu);
      named += part;
    }
    if (rows.rows.size() > kMostNamed) out.running.emplace_back("", (1 - named) * on_cpu);
    return {};
  }
  return {};
}

// What covers the classes that calls of the host decide. The named shares of a class and its "" for the
// others sum to it; what rounds to nothing is among the others.
Status add_calls(Sql& sql, KeptViews& kept, const RequestSet& requests, Accounting& out) {
  constexpr std::size_t kMostNamed = 5;
  constexpr double kLeastShown = 0.0005;
  for (const auto& [time_class, share] : out.all) {
    if (share < kLeastShown) continue;
    const std::string_view threads =
        requests.kind == UnitKind::thread ? " and thread_id in (select id from {unit})" : "";
    const std::string query = fmt::format(
        "select name, sum(ns) from call_time where class = '{}'{} group by name order by 2 desc, 1",
        time_class, threads);
    PROF_TRY(const SqlResult rows, sql.query(expand_sql(query, requests.kind, &kept)));
    if (rows.rows.empty()) continue;
    // Of all units, as the calls are: those that recording cut off too.
    const std::string whole =
        fmt::format("select sum(ns) from {} where class = '{}'",
                    requests.kind == UnitKind::thread ? "{spent}" : "request_time", time_class);
    PROF_TRY(const std::optional<double> all, one_number(sql, expand_sql(whole, requests.kind, &kept)));
    if (!all || *all <= 0) continue;
    double named = 0;
    for (std::size_t i = 0; i < std::min(rows.rows.size(), kMostNamed); ++i) {
      const double part = number_of(rows.rows[i][1]).value_or(0) / *all * share;
      const auto* name = std::get_if<std::string>(&rows.rows[i][0]);
      if (name == nullptr || part < kLeastShown) break;
      out.calls.push_back({time_class, *name, part});
      named += part;
    }
    if (share - named >= kLeastShown) out.calls.push_back({time_class, "", share - named});
  }
  return {};
}

struct DeviceClass {
  std::string_view id, sum; // sum of ns over all devices
};
// What a device does when it runs anything, and why it does not; they exclude each other and sum to the
// window.
constexpr std::array<DeviceClass, 10> kDeviceClasses{{
    {"compute", "select sum(compute_ns) from device_time"},
    {"exposed_communication", "select sum(exposed_communication_ns) from device_time"},
    {"copies", "select sum(busy_ns - compute_ns - exposed_communication_ns) from device_time"},
    {"idle_host_sync", "select sum(sync_ns) from device_gap"},
    {"idle_host_launch", "select sum(launch_ns) from device_gap"},
    {"idle_input", "select sum(input_ns) from device_gap"},
    {"idle_start_up", "select sum(slow_call_ns) from device_gap"},
    {"idle_after_launch", "select sum(after_launch_ns) from device_gap"},
    {"idle_unknown", "select sum(unknown_ns) from device_gap"},
    {"idle_no_request", "select sum(no_work_ns) from device_gap"},
}};

} // namespace

Result<std::optional<Accounting>> account(Sql& sql, KeptViews& kept, const RequestSet& requests) {
  if (requests.size() == 0) return std::optional<Accounting>();
  const bool is_of_threads = requests.kind == UnitKind::thread;
  Accounting out;
  double seen = 0;
  for (std::size_t c = 0; c < kTimeClasses; ++c) {
    const std::string_view name = word(static_cast<TimeClass>(c));
    const std::string query = fmt::format("select request_id, sum(ns) from {} where class = '{}' group by 1",
                                          is_of_threads ? "{spent}" : "request_time", name);
    PROF_TRY(const std::vector<double> times,
             load_times(sql, requests, expand_sql(query, requests.kind, &kept)));
    const double all = ratio_over_all(requests, times).value;
    out.all.emplace_back(name, all);
    if (!is_of_threads) out.slow.emplace_back(name, ratio_over(requests, times, requests.slow).value);
    seen += all;
    if (name == "unexplained") out.unexplained = all;
  }
  if (seen <= 0) return std::optional<Accounting>();
  PROF_CHECK(add_calls(sql, kept, requests, out));
  if (is_of_threads) PROF_CHECK(add_running(sql, kept, out));
  return std::optional<Accounting>(std::move(out));
}

Result<std::optional<DeviceAccounting>> account_devices(Sql& sql, const RequestSet& devices) {
  if (devices.size() == 0) return std::optional<DeviceAccounting>();
  DeviceAccounting out;
  out.n_devices = std::ssize(devices.id);
  for (const std::int64_t window : devices.dur)
    out.window_ns += static_cast<double>(window);
  for (const auto& [id, sum] : kDeviceClasses) {
    const std::string query =
        fmt::format("select 1.0 * coalesce(({}), 0) / (select sum(window_ns) from device_time)", sum);
    PROF_TRY(const std::optional<double> share, one_number(sql, query));
    out.classes.push_back({std::string(id), share.value_or(0), query});
  }
  return std::optional<DeviceAccounting>(std::move(out));
}

// Idle time that no cause explains; nullopt where it is little, or the causes found are as large.
Result<std::optional<UnexplainedIdle>> idle_left(Sql& sql, const Diagnosis& d, bool has_requests) {
  if (!d.device_accounting) return std::optional<UnexplainedIdle>();
  UnexplainedIdle out{.share = 0, .why = {}, .has_requests = has_requests};
  for (const DeviceAccounting::Class& c : d.device_accounting->classes)
    if (c.id.starts_with("idle_") && c.id != "idle_no_request") out.share += c.share;
  if (out.share <= kIdleShare) return std::optional<UnexplainedIdle>();
  double explained = 0;
  for (const Cause& c : d.causes)
    if (c.share.unit == "device") explained += c.share.mean;
  if (explained >= out.share) return std::optional<UnexplainedIdle>();
  for (const CannotTellRule& rule : d.cannot_tell)
    for (const MissingSignal& m : rule.missing)
      if ((m.signal == "idle_gap" || m.signal == "launches") &&
          std::ranges::find(out.why, m.reason, &MissingSignal::reason) == out.why.end())
        out.why.push_back(m);
  if (out.why.empty()) return std::optional<UnexplainedIdle>();
  PROF_TRY(
      const SqlResult host,
      sql.query(
          "select name, 1.0 * sum(ns) / (select sum(window_ns) from device_time) from idle_call group by "
          "name order by 2 desc, 1 limit 3"));
  for (const auto& row : host.rows)
    if (const auto* name = std::get_if<std::string>(&row[0]))
      if (const double share = number_of(row[1]).value_or(0); share >= kMaterialShare)
        out.host.emplace_back(*name, share);
  return std::optional<UnexplainedIdle>(std::move(out));
}

} // namespace prof
