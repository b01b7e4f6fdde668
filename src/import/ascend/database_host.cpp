#include "base/lang.hpp"
#include "import/ascend/csv.hpp"
#include "import/ascend/database_rank.hpp"
#include "import/reader_words.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

namespace prof::ascend {
namespace {

constexpr std::int64_t kNoId = 4294967295; // 2^32 - 1 stands for "none" in every id column
enum PyTorchType : std::int64_t { kOperator = 50001, kQueue = 50002, kPython = 50003, kMark = 50004 };

} // namespace

std::optional<std::int64_t> Rows::integer(int column) const {
  if (row_.is_null(column)) return {};
  const std::int64_t value = row_.integer(column);
  // Text that is no number reads as 0.
  if (value == 0 && real_of(row_.text(column)) != 0.0) return {};
  return value;
}

std::optional<double> Rows::real(int column) const {
  if (row_.is_null(column)) return {};
  const double value = row_.real(column);
  if (value == 0 && real_of(row_.text(column)) != 0.0) return {};
  return value;
}

std::optional<DatabaseRank::Interval> DatabaseRank::interval(const Rows& rows, std::string_view table) {
  const auto start = rows.integer(0), end = rows.integer(1);
  if (start && end && *start > 0 && *end >= *start) return Interval{{*start}, {*end - *start}};
  notes_.count("note.ascend.row_without_time", Severity::data_loss, table);
  return {};
}

std::string_view DatabaseRank::string_text(const Rows& rows, int column) const {
  const auto id = rows.integer(column);
  if (!id) return rows.text(column); // some writers put the text itself
  const auto found = strings_.find(*id);
  return found == strings_.end() ? std::string_view{} : std::string_view(found->second);
}

StrId DatabaseRank::string(const Rows& rows, int column) {
  return texts_.intern(string_text(rows, column));
}

void DatabaseRank::add_number(std::vector<Arg>& args, std::string_view key, const Rows& rows, int column) {
  const auto number = rows.integer(column);
  if (number && *number != kNoId) add_arg(args, key, *number);
}

std::uint64_t DatabaseRank::launch(std::int64_t connection) const {
  if (!cann_.contains(connection)) return 0;
  return flow_id(FlowKind::launch, rank_.order, static_cast<std::uint64_t>(connection));
}
std::uint64_t DatabaseRank::op_step(std::int64_t connection) const {
  return flow_id(FlowKind::op, rank_.order, ~static_cast<std::uint64_t>(connection));
}

Id<Process> DatabaseRank::process_of(std::int64_t pid) {
  if (first_pid_ == 0) first_pid_ = pid;
  return sink_.process({.pid = pid, .name = sink_.intern("Python" + rank_.label), .cmdline = {}});
}

// A global thread id: the process in the upper half, the thread in the lower.
std::int64_t DatabaseRank::pid_of(std::int64_t global_tid) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(global_tid) >> 32U);
}

Id<Track> DatabaseRank::thread_track(std::int64_t global_tid) {
  const auto [found, is_new] = tracks_.try_emplace(global_tid);
  if (!is_new) return found->second;
  const Id<Process> process = process_of(pid_of(global_tid));
  const auto tid = static_cast<std::int64_t>(static_cast<std::uint64_t>(global_tid) & 0xffffffffU);
  const StrId name = sink_.intern(fmt::format("Thread {}", tid));
  const Id<Thread> thread = sink_.thread({.process = process, .tid = tid, .name = name});
  found->second =
      sink_.track({.name = name, .kind = TrackKind::thread, .thread = thread, .process = process});
  return found->second;
}

void DatabaseRank::load_strings() {
  each("STRING_IDS", {"id", "value"}, [&](const Rows& rows) {
    if (const auto id = rows.integer(0)) strings_.insert_or_assign(*id, std::string(rows.text(1)));
  });
  each("PYTORCH_CALLCHAINS", {"id", "stack"}, [&](const Rows& rows) {
    const auto id = rows.integer(0);
    if (!id) return;
    std::string& chain = callchains_[*id];
    if (!chain.empty()) chain += "; ";
    chain += string_text(rows, 1);
  });
}

void DatabaseRank::load_connections() {
  each("CANN_API", {"connectionId"}, [&](const Rows& rows) {
    const auto connection = rows.integer(0);
    if (connection && *connection != kNoId) cann_.insert(*connection);
  });
  for (const std::string_view table : {"TASK", "COMMUNICATION_OP"})
    each(table, {"connectionId", "deviceId"}, [&](const Rows& rows) {
      const auto connection = rows.integer(0);
      if (connection && *connection != kNoId) launched_.insert(*connection);
      if (const auto device = rows.integer(1)) default_device_ = *device;
    });
  each("CONNECTION_IDS", {"id", "connectionId"}, [&](const Rows& rows) {
    const auto id = rows.integer(0), connection = rows.integer(1);
    if (id && connection) connections_[*id].push_back(*connection);
  });
}

// Operators, Python functions, the two ends of the task queue and marks, by their type.
void DatabaseRank::torch(const Rows& rows) {
  const auto when = interval(rows, "PYTORCH_API");
  if (!when) return;
  const std::int64_t thread = rows.integer(2).value_or(0);
  const std::int64_t type = rows.integer(5).value_or(kOperator);
  const std::string_view name = string_text(rows, 4);
  const auto linked = connections_.find(rows.integer(3).value_or(-1));
  const std::vector<std::int64_t> none;
  const std::vector<std::int64_t>& connections = linked == connections_.end() ? none : linked->second;
  std::vector<Arg> args;
  std::vector<std::uint64_t> out, in;
  std::string_view category = type == kPython ? "python_function" : words::kSpan;
  Layer layer = Layer::application;
  std::int64_t step = 0;
  if (type == kQueue) {
    category = name.starts_with("Enqueue") ? "enqueue" : "dequeue";
    layer = Layer::runtime;
    if (!connections.empty())
      (category == "enqueue" ? out : in)
          .push_back(flow_id(FlowKind::queue, rank_.order, static_cast<std::uint64_t>(connections.front())));
  } else if (type == kOperator && Steps::number_of(name, step)) {
    steps_.add(step, when->ts, when->dur, process_of(pid_of(thread)));
    category = words::kStage;
    const auto of_stage = step_args(sink_, step);
    args.assign(of_stage.begin(), of_stage.end());
  } else if (type == kOperator) {
    category = words::kOp;
    layer = Layer::framework;
    ++ops_;
    for (const std::int64_t connection : connections)
      if (cann_.contains(connection) && launched_.contains(connection) &&
          op_connections_.insert(connection).second)
        out.push_back(op_step(connection));
    add_op_args(args, rows, name);
  }
  Id<Track> track = thread_track(thread);
  if (type == kPython && step_spans_.is_cut_by(static_cast<std::uint64_t>(thread), when->ts, when->dur)) {
    const auto [found, is_new] = beside_.try_emplace(thread);
    if (is_new)
      found->second = sink_.track({.name = sink_.intern("calls that a step began in"),
                                   .kind = TrackKind::async,
                                   .process = process_of(pid_of(thread))});
    track = found->second;
  }
  sink_.slice({.track = track,
               .ts = when->ts,
               .dur = when->dur,
               .name = texts_.intern(name),
               .category = texts_.intern(category),
               .layer = layer,
               .args = args,
               .flows_out = out,
               .flows_in = in});
}

void DatabaseRank::add_op_args(std::vector<Arg>& args, const Rows& rows, std::string_view name) {
  const auto add_list = [&](std::string_view key, int column) {
    std::string text(string_text(rows, column));
    std::erase_if(text, [](char c) { return c == '\r' || c == '\n'; });
    if (!text.empty()) add_arg(args, key, texts_.intern(text));
  };
  add_list(words::kArgInputShapes, 6);
  add_list("input_dtypes", 7);
  const auto chain = callchains_.find(rows.integer(8).value_or(-1));
  if (chain != callchains_.end()) add_arg(args, "Call stack", texts_.intern(chain->second));
  add_arg(args, words::kArgOpType, texts_.intern(name));
}

void DatabaseRank::read_torch() {
  each("PYTORCH_API", {"startNs", "endNs", "globalTid", "name", "type"}, [&](const Rows& rows) {
    std::int64_t number = 0;
    const auto start = rows.integer(0), end = rows.integer(1), thread = rows.integer(2);
    const bool is_step =
        rows.integer(4).value_or(kOperator) == kOperator && Steps::number_of(string_text(rows, 3), number);
    if (is_step && start && end && thread && *end >= *start)
      step_spans_.add(static_cast<std::uint64_t>(*thread), {*start}, {*end - *start});
  });
  each("PYTORCH_API",
       {"startNs", "endNs", "globalTid", "connectionId", "name", "type", "inputShapes", "inputDtypes",
        "callchainId"},
       [&](const Rows& rows) { torch(rows); });
}

void DatabaseRank::read_cann() {
  std::unordered_map<std::int64_t, std::string> levels;
  each("ENUM_API_TYPE", {"id", "name"}, [&](const Rows& rows) {
    if (const auto id = rows.integer(0)) levels.emplace(*id, rows.text(1));
  });
  each("CANN_API", {"startNs", "endNs", "globalTid", "connectionId", "name", "type"}, [&](const Rows& rows) {
    const auto when = interval(rows, "CANN_API");
    if (!when) return;
    const auto level = levels.find(rows.integer(5).value_or(-1));
    const std::int64_t connection = rows.integer(3).value_or(-1);
    std::vector<std::uint64_t> out, in;
    if (launched_.contains(connection) && cann_.contains(connection)) {
      out.push_back(launch(connection));
      if (op_connections_.contains(connection)) in.push_back(op_step(connection));
    }
    const std::string category = level == levels.end() ? "cann" : "cann_" + level->second;
    sink_.slice({.track = thread_track(rows.integer(2).value_or(0)),
                 .ts = when->ts,
                 .dur = when->dur,
                 .name = string(rows, 4),
                 .category = texts_.intern(category),
                 .layer = Layer::runtime,
                 .args = {},
                 .flows_out = out,
                 .flows_in = in});
  });
  each("MSTX_EVENTS", {"startNs", "endNs", "globalTid", "message"}, [&](const Rows& rows) {
    const auto when = interval(rows, "MSTX_EVENTS");
    if (!when) return;
    sink_.slice({.track = thread_track(rows.integer(2).value_or(0)),
                 .ts = when->ts,
                 .dur = when->dur,
                 .name = string(rows, 3),
                 .category = texts_.intern(words::kSpan),
                 .layer = Layer::application,
                 .args = {}});
  });
}

void DatabaseRank::read_steps() {
  if (steps_.has_any()) {
    tally_.request_source = "ProfilerStep markers";
    return;
  }
  each("STEP_TIME", {"startNs", "endNs", "id"}, [&](const Rows& rows) {
    const auto when = interval(rows, "STEP_TIME");
    if (!when || !rows.integer(2)) return;
    steps_.add(*rows.integer(2), when->ts, when->dur, process_of(first_pid_));
    tally_.request_source = "STEP_TIME table";
  });
}

void DatabaseRank::read_metadata() {
  constexpr std::size_t kMaxText = 4096;
  each("META_DATA", {"name", "value"}, [&](const Rows& rows) {
    if (!rows.text(0).empty() && rows.text(1).size() <= kMaxText)
      sink_.metadata(fmt::format("{}{}", rank_.prefix, rows.text(0)), rows.text(1));
  });
  each("HOST_INFO", {"hostName"}, [&](const Rows& rows) { sink_.metadata("host", rows.text(0)); });
  each("NPU_INFO", {"name"}, [&](const Rows& rows) { npu_.name_chip(rows.text(0)); });
}

Status DatabaseRank::read() {
  read_metadata();
  load_strings();
  load_connections();
  load_compute();
  load_parts();
  read_tasks();
  read_collectives();
  npu_.flush();
  read_torch();
  read_cann();
  read_steps();
  read_counters();
  const auto say = [&](std::string_view what, std::string_view from) {
    sink_.metadata(fmt::format("{}source.{}", rank_.prefix, what), from);
  };
  if (kernels_ > 0) say("kernels", "database (TASK, COMPUTE_TASK_INFO, COMMUNICATION_OP)");
  if (ops_ > 0) say("host", "database (PYTORCH_API, CANN_API)");
  tally_.kernels += kernels_;
  tally_.ops += ops_;
  tally_.requests += steps_.has_any() ? 1 : 0;
  return {};
}

Status read_database_rank(const std::filesystem::path& path, const Rank& rank, TraceSink& sink, Notes& notes,
                          Tally& tally) {
  PROF_TRY(SqliteFile database, SqliteFile::open(path));
  if (!database.has("TASK")) return error_said(Errc::malformed, "error.no_task_table", path.string());
  if (const UnreadLog log = unread_log(path); log.count() > 0)
    notes.count(log.note(), Severity::data_loss, log.file, log.count());
  return DatabaseRank(std::move(database), rank, sink, notes, tally).read();
}

std::int64_t rows_in_database(const std::filesystem::path& path, std::string_view table) {
  const auto database = SqliteFile::open(path);
  return database ? database->count(table) : 0;
}

bool is_profile_database(const std::filesystem::path& path) {
  const auto database = SqliteFile::open(path);
  return database && database->has("TASK") && database->has("STRING_IDS");
}

} // namespace prof::ascend
