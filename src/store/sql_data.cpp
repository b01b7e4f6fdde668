#include "store/sql_tables.hpp"

#include "store/host_calls.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace prof {

SqlData::SqlData(const Store& store) : store_(store) {
  // A word that the trace never used stays the empty text, which no argument has as its key.
  op_word = store.id_of(words::kOp);
  input_shapes = store.id_of(words::kArgInputShapes);
  output_shapes = store.id_of(words::kArgOutputShapes);
  input_formats = store.id_of("input_formats");
  input_dtypes = store.id_of("input_dtypes");
}

const RequestTime& SqlData::request_time() {
  if (!request_time_) request_time_ = account_requests(store_);
  return *request_time_;
}

const std::vector<DeviceTime>& SqlData::device_time() {
  if (!device_time_) device_time_ = compute_device_time(store_);
  return *device_time_;
}

const std::vector<IdleCall>& SqlData::idle_calls() {
  if (!idle_calls_) idle_calls_ = find_idle_calls(store_);
  return *idle_calls_;
}

const std::vector<DeviceGap>& SqlData::device_gaps() {
  if (!device_gaps_) device_gaps_ = find_device_gaps(store_);
  return *device_gaps_;
}

namespace {

using ClassRows = std::vector<std::pair<std::uint32_t, std::uint8_t>>;

ClassRows class_rows(const std::vector<std::array<std::int64_t, kTimeClasses>>& ns) {
  ClassRows rows;
  for (std::uint32_t unit = 0; unit < ns.size(); ++unit)
    for (std::uint8_t c = 0; c < kTimeClasses; ++c)
      if (ns[unit][c] != 0) rows.emplace_back(unit, c);
  return rows;
}

} // namespace

const ClassRows& SqlData::request_time_rows() {
  if (!request_time_rows_) request_time_rows_ = class_rows(request_time().ns);
  return *request_time_rows_;
}

const ThreadTime& SqlData::thread_time() {
  if (!thread_time_) thread_time_ = account_threads(store_);
  return *thread_time_;
}

const ClassRows& SqlData::thread_time_rows() {
  if (!thread_time_rows_) thread_time_rows_ = class_rows(thread_time().ns);
  return *thread_time_rows_;
}

const std::vector<CallTime>& SqlData::call_time() {
  return request_time().unit.slice.empty() ? thread_time().calls : request_time().calls;
}

const std::vector<std::int64_t>& SqlData::op_waits() {
  if (!op_waits_) op_waits_ = waits_in_ops(store_);
  return *op_waits_;
}

const OffCpuReasons& SqlData::off_cpu() {
  if (!off_cpu_) off_cpu_.emplace(store_);
  return *off_cpu_;
}

std::uint32_t SqlData::op_around(std::uint32_t slice) const {
  // Bounded, so that a hostile nesting cannot make a scan quadratic.
  constexpr int kMaxSteps = 256;
  std::uint32_t cause = kNoRow; // what a flow led from into the innermost slice that has one
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    if (slice >= t().slice.ts.size()) {
      // The launch may have been made for an operator of another thread (a task queue): follow the flow.
      if (cause == kNoRow) return kNoRow;
      slice = std::exchange(cause, kNoRow);
    }
    if (t().slice.category[slice] == op_word && !op_word.is_empty()) {
      const auto found = std::ranges::lower_bound(t().op.slice, slice);
      return found != t().op.slice.end() && *found == slice
                 ? static_cast<std::uint32_t>(found - t().op.slice.begin())
                 : kNoRow;
    }
    const auto flow = std::ranges::lower_bound(t().flow.slice_in, slice); // sorted by it
    if (cause == kNoRow && flow != t().flow.slice_in.end() && *flow == slice)
      cause = t().flow.slice_out[static_cast<std::size_t>(flow - t().flow.slice_in.begin())];
    slice = t().slice.parent[slice];
  }
  return kNoRow;
}

const SqlData::OpNeighbours& SqlData::op_neighbours() {
  if (op_neighbours_) return *op_neighbours_;
  const OpTable& op = t().op;
  const std::size_t n = op.slice.size();
  const auto sequence = [&](std::uint32_t row) {
    const std::uint32_t stage = op.stage_slice[row];
    return std::pair(stage != kNoRow ? stage : t().slice.parent[op.slice[row]], op.thread[row]);
  };
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t row) {
    return std::tuple(sequence(row), op.ts[row], row); // rows are in slice order
  });
  op_neighbours_ = {std::vector<std::uint32_t>(n, kNoRow), std::vector<std::uint32_t>(n, kNoRow)};
  for (std::size_t i = 1; i < n; ++i) {
    if (sequence(order[i - 1]) != sequence(order[i])) continue;
    op_neighbours_->next[order[i - 1]] = order[i];
    op_neighbours_->previous[order[i]] = order[i - 1];
  }
  return *op_neighbours_;
}

StrId SqlData::text_arg(std::uint32_t arg_set, StrId key) const {
  if (arg_set == kNoRow || key.is_empty()) return {};
  const ArgTable& args = t().arg;
  for (std::uint32_t i = args.set_begin[arg_set]; i < args.set_begin[arg_set + 1]; ++i)
    if (args.key[i] == key)
      if (const auto* text = std::get_if<StrId>(&args.value[i])) return *text;
  return {};
}

SqlCell cell_of(SqlData& data, const ColumnDef& column, std::uint32_t row) {
  const std::int64_t value = column.value(data, row);
  if (value == kSqlNull) return std::monostate{};
  switch (column.kind) {
  case ColumnKind::integer:
    return value;
  case ColumnKind::optional:
    if (value == -1) return std::monostate{};
    return value;
  case ColumnKind::id:
    if (value == kNoRow) return std::monostate{};
    return value;
  case ColumnKind::text:
    return data.store().text(StrId{static_cast<std::uint32_t>(value)});
  case ColumnKind::word:
    return column.word(value);
  case ColumnKind::real:
    return std::bit_cast<double>(value);
  }
  return std::monostate{};
}

std::string_view sql_type(ColumnKind kind) {
  switch (kind) {
  case ColumnKind::integer:
  case ColumnKind::optional:
  case ColumnKind::id:
    return "INTEGER";
  case ColumnKind::text:
  case ColumnKind::word:
    return "TEXT";
  case ColumnKind::real:
    return "REAL";
  }
  return "INTEGER";
}

std::span<const TableDef> sql_tables() {
  static const std::vector<TableDef> kAll = [] {
    std::vector<TableDef> all;
    for (const auto part : {detail::sql_work_tables(), detail::sql_timeline_tables(),
                            detail::sql_cpu_tables(), detail::sql_ledger_tables()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return kAll;
}

std::span<const ViewDef> sql_views() {
  static constexpr std::array<ViewDef, 4> kViews{{
      {"span", "Another word for slice (OpenTelemetry's).", "SELECT * FROM slice"},
      {"copy", "Kernels that move memory.", "SELECT * FROM kernel WHERE kind = 'memory'"},
      {"runnable", "When threads wanted a CPU and had none: runnable and preempted states.",
       "SELECT id, ts, dur, thread_id, state, waker_thread_id FROM thread_state WHERE state IN ('runnable', "
       "'preempted')"},
      {"rank_work",
       "Device work of each rank of a trace with several, lengths as unions. `behind_ns`: how much less time "
       "than "
       "the rank that has most it spent in collectives: the others waited there, for the rank where this is "
       "largest. Compare only ranks that recorded the same steps.",
       "SELECT rank, kernels, compute_ns, communication_ns, max(communication_ns) OVER () - communication_ns "
       "AS "
       "behind_ns FROM (SELECT d.rank AS rank, count(*) AS kernels, coalesce(union_ns(k.ts, k.dur) FILTER "
       "(WHERE k.kind = 'compute'), 0) AS compute_ns, coalesce(union_ns(k.ts, k.dur) FILTER (WHERE k.kind = "
       "'communication'), 0) AS communication_ns FROM kernel k JOIN device d ON d.id = k.device_id WHERE "
       "d.rank "
       "IS NOT NULL GROUP BY d.rank)",
       true},
  }};
  return kViews;
}

} // namespace prof
