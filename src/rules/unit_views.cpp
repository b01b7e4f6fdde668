#include "rules/unit_views.hpp"

#include <fmt/format.h>
#include <string_view>

namespace prof {
namespace {

constexpr std::string_view kOpColumns =
    "o.id as op_id, o.slice_id, o.ts, o.dur, o.self_dur, o.wait_dur, o.op_type, "
    "o.thread_id, o.previous_id, o.next_id";

// Views of the engine where the trace says what a unit of work is.
Views unit_views() {
  return {
      {"unit", "select id, slice_id, ts, dur from unit where dur > 0 and is_complete"},
      // Where the time of the units went. Of one that the end of the recording cut only a part is known: the
      // table of the report and every figure of a cause leave those out.
      {"spent", "select * from request_time where request_id in (select id from unit where is_complete)"},
      // Which batch stage (or request's own slice) served which units: a batch serves several.
      {"unit_run",
       "select distinct slice_id as run_id, request_row as unit_id from stage where request_row in "
       "(select id from unit where is_complete)"},
      // The operators of those runs, once each, however many units a run serves.
      {"run_op", fmt::format("select r.run_id, r.units, {} from op o join (select run_id, count(*) as units "
                             "from {{unit_run}} group by 1) r on r.run_id = o.stage_slice_id",
                             kOpColumns)},
      {"with_ops", "select request_row from stage s where exists (select 1 from op where stage_slice_id = "
                   "s.slice_id)"},
      // Threads that serve requests themselves, and all threads of their processes (pools included).
      {"server", "select thread_id from stage where thread_id is not null union "
                 "select t.thread_id from slice s join track t on t.id = s.track_id "
                 "where s.category in ('request', 'run') and t.thread_id is not null"},
      {"own_process",
       "select distinct process_id from thread where id in {server} and process_id is not null"},
  };
}

// The same where operators are not linked to requests: a unit is a run of a model.
Views run_views() {
  Views views = unit_views();
  views["unit"] = "select id, id as slice_id, ts, dur from slice where category = 'run' and dur > 0";
  views["unit_run"] = "select id as run_id, id as unit_id from slice where category = 'run'";
  views["run_op"] = fmt::format("select r.id as run_id, 1 as units, {} from op o join slice s on s.id = "
                                "o.slice_id join slice r on r.id = s.parent_id where r.category = 'run'",
                                kOpColumns);
  views["with_ops"] = "select parent_id from slice where id in (select slice_id from op)";
  return views;
}

// Nothing marks work: a unit is what was recorded of a thread of the service. Which process that is: all that
// our own recording watched (it watches its target), without the recorder; in a foreign trace the one that is
// named as the target, else the one that used most CPU time. Threads that neither worked nor were kept from
// working for a twentieth of the time of the busiest (timers, idle pools) would only dilute the shares.
Views thread_views() {
  Views views = unit_views();
  views["watched"] = "select id from process where pid <> (select cast(value as integer) from metadata where "
                     "key = 'capture.pid')";
  views["named"] = "select id from process where name in (select value from metadata where key in ('target', "
                   "'service')) and name <> ''";
  views["busiest"] =
      "select process_id as id from (select t.process_id, sum(x.ns) as ns from thread_time x join thread t "
      "on "
      "t.id = x.thread_id where x.class in ('cpu_op', 'cpu_other', 'host_code') and t.process_id is not null "
      "group by 1) "
      "order by ns desc, process_id limit 1";
  // Processes that launch kernels in one trace are parts of one job.
  views["launcher"] =
      "select distinct t.process_id as id from slice s join track t on t.id = s.track_id where s.id in "
      "(select launch_id from kernel) and t.process_id is not null";
  views["job"] = "select id from {busiest} union select id from {launcher} where exists (select 1 from "
                 "{busiest} where id in (select id from {launcher}))";
  views["own_process"] =
      "select id as process_id from process where case when exists (select 1 from {watched}) then id in "
      "(select "
      "id from {watched}) when exists (select 1 from {named}) then id in (select id from {named}) else id in "
      "(select id from {job}) end";
  views["server"] = "select id as thread_id from thread where process_id in {own_process}";
  views["busy"] =
      "select thread_id, from_ts, of_ns, sum(case when class not in ('sleeping', 'network', "
      "'unexplained') then ns else 0 end) as ns from thread_time where thread_id in {server} group "
      "by thread_id, from_ts, of_ns";
  views["unit"] =
      "select thread_id as id, null as slice_id, from_ts as ts, of_ns as dur from {busy} where ns > 0 "
      "and ns >= 0.05 * (select max(ns) from {busy})";
  views["spent"] = "select thread_id as request_id, class, ns from thread_time where thread_id in (select id "
                   "from {unit})";
  views["unit_run"] = "select id as run_id, id as unit_id from {unit}";
  views["run_op"] = fmt::format("select o.thread_id as run_id, 1 as units, {} from op o join {{unit}} u on "
                                "u.id = o.thread_id",
                                kOpColumns);
  views["with_ops"] = "select thread_id from op where thread_id is not null";
  return views;
}

// Who had the CPUs while the service waited for one.
Views views_of_cpus() {
  return {
      {"own_cpu", "select distinct cpu from thread_state where state = 'running' and thread_id in {worker}"},
      {"ran", "select thread_id, sum(dur) as ns from thread_state where state = 'running' and thread_id in "
              "{worker} group by thread_id"},
      // Threads that only wake for an instant (connections, timers) do not outnumber the CPUs: without other
      // programs they would be done at once.
      {"computing", "select thread_id from {ran} where ns >= 0.1 * (select max(ns) from {ran})"},
      {"cpu_wait", "select ts, dur from thread_state where state in ('runnable', 'preempted') and dur > 0 "
                   "and thread_id in {computing}"},
      {"cpu_slot",
       "select thread_id, ts, dur from sched where dur > 0 and thread_id is not null and cpu in {own_cpu}"},
      // CPU time of each thread during those waits, counted once for each thread that waited meanwhile.
      {"taken", "select cast(key as integer) as thread_id, value as ns from json_each((select "
                "beside_ns(ts, dur, key) from (select ts, dur, null as key from {cpu_wait} union all select "
                "ts, dur, thread_id from {cpu_slot})))"},
  };
}

} // namespace

Views views_of(UnitKind kind) {
  Views views = kind == UnitKind::thread ? thread_views()
                : kind == UnitKind::run  ? run_views()
                                         : unit_views();
  views["unit_op"] = "select u.unit_id, o.* from {run_op} o join {unit_run} u on u.run_id = o.run_id";
  views["op_unit"] =
      "select distinct unit_id as id from {unit_run} where run_id in (select run_id from {run_op})";
  views["worker"] = "select id from thread where process_id in {own_process}";
  views.merge(views_of_cpus());
  return views;
}

} // namespace prof
