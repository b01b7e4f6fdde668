// Tables of the work: requests, their stages and operators, and where their time went.
#include "store/sql_column.hpp"

#include <algorithm>

namespace prof {
namespace {

using detail::column;
using detail::row_count;
using detail::row_id;
using D = SqlData;
using R = std::uint32_t;
using I = std::int64_t;
using K = ColumnKind;

// Units are derived, so they stand in no stored table.
template <auto Member>
I unit_value(D& d, R row) {
  const auto value = (d.request_time().unit.*Member)[row];
  if constexpr (std::same_as<decltype(value), const StrId>)
    return value.row;
  else
    return static_cast<I>(value);
}

constexpr ColumnDef kRequest[] = {
    {"id", K::integer, "row number, in order of start", row_id},
    {"slice_id", K::id, "slice.id", column<&Tables::request, &RequestTable::slice>},
    {"request_id", K::optional, "number given by the service; may repeat",
     column<&Tables::request, &RequestTable::request_id>},
    {"ts", K::integer, "start, ns", column<&Tables::request, &RequestTable::ts>},
    {"dur", K::integer, "wall time, ns", column<&Tables::request, &RequestTable::dur>},
    {"name", K::text, "name", column<&Tables::request, &RequestTable::name>},
    {"status", K::text,
     "ok, error, timeout, rejected or cancelled; unfinished = recording ended first; empty = not said",
     column<&Tables::request, &RequestTable::status>},
};
constexpr ColumnDef kStage[] = {
    {"id", K::integer, "row number", row_id},
    {"slice_id", K::id, "slice.id; a batch has one slice and one row per request in it",
     column<&Tables::stage, &StageTable::slice>},
    {"request_row", K::id, "request.id; NULL = the request was not recorded",
     column<&Tables::stage, &StageTable::request>},
    {"ts", K::integer, "start, ns", column<&Tables::stage, &StageTable::ts>},
    {"dur", K::integer, "length, ns", column<&Tables::stage, &StageTable::dur>},
    {"name", K::text, "name", column<&Tables::stage, &StageTable::name>},
    {"wait_class", K::text, "queue_wait, batch_wait, device_wait, network; empty = working",
     column<&Tables::stage, &StageTable::wait_class>},
    {"thread_id", K::id, "thread.id of the worker; NULL on async tracks",
     column<&Tables::stage, &StageTable::thread>},
};
constexpr ColumnDef kOp[] = {
    {"id", K::integer, "row number", row_id},
    {"slice_id", K::id, "slice.id", column<&Tables::op, &OpTable::slice>},
    {"ts", K::integer, "start, ns", column<&Tables::op, &OpTable::ts>},
    {"dur", K::integer, "length, ns", column<&Tables::op, &OpTable::dur>},
    {"self_dur", K::integer, "length without the operators inside it, ns",
     column<&Tables::op, &OpTable::self_dur>},
    {"wait_dur", K::integer, "of self_dur, time in calls that wait for a device, ns",
     [](D& d, R r) -> I { return std::clamp<I>(d.op_waits()[r], 0, d.t().op.self_dur[r]); }},
    {"name", K::text, "name of the node", column<&Tables::op, &OpTable::name>},
    {"op_type", K::text, "operator type: Conv, MatMul, Transpose ...",
     column<&Tables::op, &OpTable::op_type>},
    {"model", K::text, "model that the node belongs to", column<&Tables::op, &OpTable::model>},
    {"thread_id", K::id, "thread.id", column<&Tables::op, &OpTable::thread>},
    {"stage_slice_id", K::id,
     "slice.id of the stage that it works for: the one around it, or that a flow links it to, or of its "
     "thread "
     "at its start, or of its process (steps that one thread marks for all; no other may overlap there)",
     column<&Tables::op, &OpTable::stage_slice>},
    {"previous_id", K::id,
     "op.id of the operator before it on its thread in the same stage (without a stage: in the same parent "
     "slice)",
     [](D& d, R r) -> I { return d.op_neighbours().previous[r]; }},
    {"next_id", K::id, "op.id of the operator after it, likewise",
     [](D& d, R r) -> I { return d.op_neighbours().next[r]; }},
    {"input_shapes", K::text, "shapes of the inputs",
     [](D& d, R r) -> I { return d.text_arg(d.t().slice.arg_set[d.t().op.slice[r]], d.input_shapes).row; }},
    {"output_shapes", K::text, "shapes of the outputs",
     [](D& d, R r) -> I { return d.text_arg(d.t().slice.arg_set[d.t().op.slice[r]], d.output_shapes).row; }},
};
constexpr ColumnDef kUnit[] = {
    {"id", K::integer, "row number; request.id when kind is request", row_id},
    {"kind", K::word, "request, run or iteration: what stands for one piece of work in this trace",
     [](D& d, R) -> I {
       return d.request_time().unit.kind == "run" ? 1 : d.request_time().unit.kind == "iteration" ? 2 : 0;
     },
     [](I number) -> std::string_view {
       return number == 1 ? "run" : number == 2 ? "iteration" : "request";
     }},
    {"slice_id", K::id, "slice.id", unit_value<&UnitTable::slice>},
    {"ts", K::integer, "start, ns", unit_value<&UnitTable::ts>},
    {"dur", K::integer, "wall time, ns", unit_value<&UnitTable::dur>},
    {"name", K::text, "name", unit_value<&UnitTable::name>},
    {"is_complete", K::integer, "0 = recording ended first and dur is only what was seen of it",
     unit_value<&UnitTable::is_complete>},
    {"job_step", K::integer,
     "unit.id of the first rank's part of the same step of a job: parts of one step share it; else the own "
     "id",
     unit_value<&UnitTable::job_step>},
};
constexpr ColumnDef kRequestTime[] = {
    {"request_id", K::id, "unit.id, which is request.id where there are requests",
     [](D& d, R r) -> I { return d.request_time_rows()[r].first; }},
    {"class", K::word,
     "cpu_op, cpu_other, host_code, runnable, preempted, throttled, lock_wait, io, page_fault, sleeping, "
     "queue_wait, batch_wait, device_wait, sync_idle, network, unexplained",
     [](D& d, R r) -> I { return d.request_time_rows()[r].second; },
     [](I number) { return word(static_cast<TimeClass>(number)); }},
    {"ns", K::integer, "time of the request in this class, ns; classes without time have no row",
     [](D& d, R r) -> I {
       const auto [unit, time_class] = d.request_time_rows()[r];
       return d.request_time().ns[unit][time_class];
     }},
};

constexpr ColumnDef kThreadTime[] = {
    {"thread_id", K::id, "thread.id",
     [](D& d, R r) -> I { return d.thread_time().thread[d.thread_time_rows()[r].first]; }},
    {"class", K::word, "as in request_time; sleeping includes waiting for something to happen",
     [](D& d, R r) -> I { return d.thread_time_rows()[r].second; },
     [](I number) { return word(static_cast<TimeClass>(number)); }},
    {"ns", K::integer, "time of the thread in this class, ns; classes without time have no row",
     [](D& d, R r) -> I {
       const auto [row, time_class] = d.thread_time_rows()[r];
       return d.thread_time().ns[row][time_class];
     }},
    {"from_ts", K::integer, "start of what was recorded of the thread, ns",
     [](D& d, R r) -> I { return d.thread_time().ts[d.thread_time_rows()[r].first]; }},
    {"of_ns", K::integer, "length of what was recorded of the thread, ns: its classes sum to it",
     [](D& d, R r) -> I { return d.thread_time().dur[d.thread_time_rows()[r].first]; }},
};

constexpr ColumnDef kCallTime[] = {
    {"thread_id", K::id, "thread.id", [](D& d, R r) -> I { return d.call_time()[r].thread; }},
    {"class", K::word, "host_code, device_wait or sync_idle",
     [](D& d, R r) -> I { return static_cast<I>(d.call_time()[r].time_class); },
     [](I number) { return word(static_cast<TimeClass>(number)); }},
    {"name", K::text, "name of the call", [](D& d, R r) -> I { return d.call_time()[r].name.row; }},
    {"ns", K::integer, "time of the class in which this call was the innermost one, ns",
     [](D& d, R r) -> I { return d.call_time()[r].ns; }},
};

constexpr TableDef kTables[] = {
    {"request", "User-visible units of work.", kRequest, row_count<&Tables::request, &RequestTable::slice>,
     true, false, -1, 3},
    {"stage", "Phases of requests, sorted by request, then start.", kStage,
     row_count<&Tables::stage, &StageTable::slice>, true, false, 2, 3},
    {"op", "Operators of model graphs.", kOp, row_count<&Tables::op, &OpTable::slice>},
    {"unit", "What request_time accounts: requests; without any, model runs; without those, iterations.",
     kUnit, [](D& d) { return d.request_time().unit.slice.size(); }, true, true, -1, 3},
    {"request_time",
     "Where each request's wall time went. The classes of a request exclude each other and sum to its dur.",
     kRequestTime, [](D& d) { return d.request_time_rows().size(); }, false, true, 0, -1},
    {"thread_time",
     "Where the recorded time of each thread went: of traces that have no unit. From its first to its last "
     "scheduler state; without the scheduler from its first to its last operator or run; without both the "
     "CPU "
     "time of its samples.",
     kThreadTime, [](D& d) { return d.thread_time_rows().size(); }, false, true, 0, -1},
    {"call_time",
     "What covers the time of request_time (without units: of thread_time) in the classes that calls of the "
     "host decide: own time by name.",
     kCallTime, [](D& d) { return d.call_time().size(); }, false, true, 0, -1},
};

} // namespace

std::span<const TableDef> detail::sql_work_tables() {
  return kTables;
}

} // namespace prof
