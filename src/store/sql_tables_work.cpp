// Tables of the work: requests, their stages and operators, and where their time went.
#include "store/sql_tables.hpp"

namespace prof {
namespace {

using D = SqlData;
using R = std::uint32_t;
using I = std::int64_t;
using K = ColumnKind;

I row_id(D&, R row) {
  return row;
}

constexpr ColumnDef kRequest[] = {
    {"id", K::integer, "row number, in order of start", row_id},
    {"slice_id", K::id, "slice.id", [](D& d, R r) -> I { return d.t().request.slice[r]; }},
    {"request_id", K::optional, "number given by the service; may repeat",
     [](D& d, R r) -> I { return d.t().request.request_id[r]; }},
    {"ts", K::integer, "start, ns", [](D& d, R r) -> I { return d.t().request.ts[r]; }},
    {"dur", K::integer, "wall time, ns", [](D& d, R r) -> I { return d.t().request.dur[r]; }},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.t().request.name[r].row; }},
    {"status", K::text, "ok, error, ...; unfinished = recording ended first; empty = not said",
     [](D& d, R r) -> I { return d.t().request.status[r].row; }},
};
constexpr ColumnDef kStage[] = {
    {"id", K::integer, "row number", row_id},
    {"slice_id", K::id, "slice.id; a batch has one slice and one row per request in it",
     [](D& d, R r) -> I { return d.t().stage.slice[r]; }},
    {"request_row", K::id, "request.id; NULL = the request was not recorded",
     [](D& d, R r) -> I { return d.t().stage.request[r]; }},
    {"ts", K::integer, "start, ns", [](D& d, R r) -> I { return d.t().stage.ts[r]; }},
    {"dur", K::integer, "length, ns", [](D& d, R r) -> I { return d.t().stage.dur[r]; }},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.t().stage.name[r].row; }},
    {"wait_class", K::text, "queue_wait, batch_wait, device_wait, network; empty = working",
     [](D& d, R r) -> I { return d.t().stage.wait_class[r].row; }},
    {"thread_id", K::id, "thread.id of the worker; NULL on async tracks",
     [](D& d, R r) -> I { return d.t().stage.thread[r]; }},
};
constexpr ColumnDef kOp[] = {
    {"id", K::integer, "row number", row_id},
    {"slice_id", K::id, "slice.id", [](D& d, R r) -> I { return d.t().op.slice[r]; }},
    {"ts", K::integer, "start, ns", [](D& d, R r) -> I { return d.t().op.ts[r]; }},
    {"dur", K::integer, "length, ns", [](D& d, R r) -> I { return d.t().op.dur[r]; }},
    {"self_dur", K::integer, "length without the operators inside it, ns",
     [](D& d, R r) -> I { return d.t().op.self_dur[r]; }},
    {"name", K::text, "name of the node", [](D& d, R r) -> I { return d.t().op.name[r].row; }},
    {"op_type", K::text, "operator type: Conv, MatMul, Transpose ...",
     [](D& d, R r) -> I { return d.t().op.op_type[r].row; }},
    {"model", K::text, "model that the node belongs to",
     [](D& d, R r) -> I { return d.t().op.model[r].row; }},
    {"thread_id", K::id, "thread.id", [](D& d, R r) -> I { return d.t().op.thread[r]; }},
    {"stage_slice_id", K::id, "slice.id of the stage around it, or that a flow links it to",
     [](D& d, R r) -> I { return d.t().op.stage_slice[r]; }},
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
    {"slice_id", K::id, "slice.id", [](D& d, R r) -> I { return d.request_time().unit.slice[r]; }},
    {"ts", K::integer, "start, ns", [](D& d, R r) -> I { return d.request_time().unit.ts[r]; }},
    {"dur", K::integer, "wall time, ns", [](D& d, R r) -> I { return d.request_time().unit.dur[r]; }},
    {"name", K::text, "name", [](D& d, R r) -> I { return d.request_time().unit.name[r].row; }},
    {"is_complete", K::integer, "0 = recording ended first and dur is only what was seen of it",
     [](D& d, R r) -> I { return d.request_time().unit.is_complete[r] ? 1 : 0; }},
};
constexpr ColumnDef kRequestTime[] = {
    {"request_id", K::id, "unit.id, which is request.id where there are requests",
     [](D& d, R r) -> I { return d.request_time_rows()[r].first; }},
    {"class", K::word,
     "cpu_op, cpu_other, runnable, preempted, throttled, lock_wait, io, page_fault, sleeping, queue_wait, "
     "batch_wait, device_wait, network, unexplained",
     [](D& d, R r) -> I { return d.request_time_rows()[r].second; },
     [](I number) { return word(static_cast<TimeClass>(number)); }},
    {"ns", K::integer, "time of the request in this class, ns; classes without time have no row",
     [](D& d, R r) -> I {
       const auto [unit, time_class] = d.request_time_rows()[r];
       return d.request_time().ns[unit][time_class];
     }},
};

constexpr TableDef kTables[] = {
    {"request", "User-visible units of work.", kRequest, [](D& d) { return d.t().request.slice.size(); },
     true, false, -1, 3},
    {"stage", "Phases of requests, sorted by request, then start.", kStage,
     [](D& d) { return d.t().stage.slice.size(); }, true, false, 2, 3},
    {"op", "Operators of model graphs.", kOp, [](D& d) { return d.t().op.slice.size(); }},
    {"unit", "What request_time accounts: requests; without any, model runs; without those, iterations.",
     kUnit, [](D& d) { return d.request_time().unit.slice.size(); }, true, true, -1, 3},
    {"request_time",
     "Where each request's wall time went. The classes of a request exclude each other and sum to its dur.",
     kRequestTime, [](D& d) { return d.request_time_rows().size(); }, false, true, 0, -1},
};

} // namespace

std::span<const TableDef> detail::sql_work_tables() {
  return kTables;
}

} // namespace prof
