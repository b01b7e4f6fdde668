// database_rank.hpp: the tables of ascend_pytorch_profiler_*.db and msprof_*.db. Internal to database_rank_*.
#pragma once
#include "import/ascend/rank.hpp"
#include "import/json/event_args.hpp"
#include "import/sqlite/sqlite_file.hpp"

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace prof::ascend {

// The cells of a row; NULL, and text where a number belongs, are absent. (Numbers stored as text count: old
// writers did that.)
class Rows {
public:
  explicit Rows(const SqliteFile::Row& row) : row_(row) {}
  [[nodiscard]] std::optional<std::int64_t> integer(int column) const;
  [[nodiscard]] std::optional<double> real(int column) const;
  [[nodiscard]] std::string_view text(int column) const { return row_.text(column); }

private:
  const SqliteFile::Row& row_;
};

class DatabaseRank {
public:
  DatabaseRank(SqliteFile database, const Rank& rank, TraceSink& sink, Notes& notes, Tally& tally)
      : db_(std::move(database)), rank_(rank), sink_(sink), notes_(notes), tally_(tally), texts_(sink),
        npu_(sink, rank.label), steps_(sink) {}

  Status read();

private:
  struct Part { // of a collective
    std::int64_t plane = 0;
    StrId name{};
    std::vector<Arg> args;
  };
  struct Compute {
    StrId name{}, type{};
    std::vector<Arg> args;
  };
  struct Interval {
    Ts ts{};
    Dur dur{};
  };

  // The rows of a table one by one; a table that is missing, or damaged at some place, becomes a note.
  template <class Take>
  void each(std::string_view table, const std::vector<std::string_view>& columns, Take take);
  [[nodiscard]] std::optional<Interval> interval(const Rows& rows, std::string_view table);
  [[nodiscard]] StrId string(const Rows& rows, int column);
  [[nodiscard]] std::string_view string_text(const Rows& rows, int column) const;
  void add_arg(std::vector<Arg>& args, std::string_view key, ArgValue value) {
    args.push_back({.key = texts_.intern(key), .value = value});
  }
  void add_number(std::vector<Arg>& args, std::string_view key, const Rows& rows, int column);
  [[nodiscard]] std::int64_t device_of(std::int64_t stated) const { return rank_.device.value_or(stated); }
  [[nodiscard]] static std::int64_t pid_of(std::int64_t global_tid);
  [[nodiscard]] Id<Track> thread_track(std::int64_t global_tid);
  [[nodiscard]] Id<Process> process_of(std::int64_t pid);
  [[nodiscard]] std::uint64_t launch(std::int64_t connection) const;
  [[nodiscard]] std::uint64_t op_step(std::int64_t connection) const;

  // database_device.cpp
  void load_compute();
  void load_parts();
  void read_tasks();
  void kernel(const Rows& rows, Interval when, Compute info);
  void other_task(const Rows& rows, Interval when, TaskRole role);
  void read_collectives();
  void read_counters();
  // database_host.cpp
  void load_strings();
  void load_connections();
  void read_torch();
  void torch(const Rows& rows);
  void add_op_args(std::vector<Arg>& args, const Rows& rows, std::string_view name);
  void read_cann();
  void read_steps();
  void read_metadata();

  SqliteFile db_;
  const Rank& rank_;
  TraceSink& sink_;
  Notes& notes_;
  Tally& tally_;
  json::TextCache texts_;
  NpuSide npu_;
  Steps steps_;
  std::unordered_map<std::int64_t, std::string> strings_, callchains_;
  std::unordered_map<std::int64_t, Compute> compute_; // by global task id
  std::unordered_map<std::int64_t, Part> parts_;      // by global task id
  std::unordered_set<std::int64_t> cann_, launched_;  // connections with a call, with a task or a collective
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> connections_; // framework's -> CANN's
  std::unordered_set<std::int64_t> op_connections_;             // CANN's that an operator leads to
  std::unordered_map<std::int64_t, Id<Track>> tracks_, beside_; // beside: calls that a step began in
  StepSpans step_spans_;
  std::map<std::int64_t, std::int64_t> group_of_; // name of a communication group -> its number here
  std::int64_t first_pid_ = 0, kernels_ = 0, ops_ = 0;
  std::int64_t default_device_ = 0;
  bool has_steps_ = false;
};

template <class Take>
void DatabaseRank::each(std::string_view table, const std::vector<std::string_view>& columns, Take take) {
  if (!db_.has(table)) return;
  std::string sql;
  for (const std::string_view column : columns)
    sql.append(sql.empty() ? "select " : ", ").append(db_.column_or(table, column));
  sql.append(" from \"").append(table).append("\"");
  const Status status = db_.each(sql, [&](const SqliteFile::Row& row) { take(Rows(row)); });
  if (!status) notes_.count("note.ascend.table_not_read", Severity::data_loss, table);
}

} // namespace prof::ascend
