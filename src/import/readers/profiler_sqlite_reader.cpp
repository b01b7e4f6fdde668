// profiler_sqlite_reader.cpp: what `profiler export --output t.sqlite` wrote: the tables of docs/sql.md, told
// again from what was recorded. What follows from that (nesting, requests, stages, operators, states) follows
// again.
#include "base/lang.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/sqlite/sqlite_file.hpp"
#include "trace/enum_words.hpp"
#include "trace/state_marks.hpp"
#include "trace/thread_state.hpp"

#include <array>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace prof {
namespace {

using Row = SqliteFile::Row;
using Number = std::int64_t;

constexpr std::size_t kMaxStackDepth = 4096;

int sniff(std::string_view head, const std::filesystem::path& path, bool is_folder) {
  if (is_folder || !is_sqlite(head)) return 0;
  const auto file = SqliteFile::open(path);
  if (!file) return 0;
  for (const std::string_view table :
       {"slice", "track", "request_time", "thread_state", "callstack", "metadata"})
    if (!file->has(table)) return 0;
  return file->has("slice", "arg_set_id") && file->has("thread_state", "waker_thread_id") ? 95 : 0;
}

// Rows of the sink by the id that the file gives them; an id that the file does not have is nobody.
template <class T>
class Ids {
public:
  void add(const Row& row, int column, Id<T> id) {
    doubled_ += ids_.insert_or_assign(row.integer(column), id).second ? 0 : 1;
  }
  [[nodiscard]] Id<T> at(const Row& row, int column) const {
    if (row.is_null(column)) return {};
    const auto found = ids_.find(row.integer(column));
    return found == ids_.end() ? Id<T>{} : found->second;
  }

  [[nodiscard]] Number doubled() const { return doubled_; }

private:
  std::unordered_map<Number, Id<T>> ids_;
  Number doubled_ = 0;
};

class ExportedFile {
public:
  ExportedFile(const SqliteFile& file, TraceSink& sink) : file_(file), sink_(sink) {}

  Status read() {
    each("metadata", {"key", "value"}, [&](const Row& row) { sink_.metadata(row.text(0), row.text(1)); });
    owners();
    devices();
    tracks();
    args();
    flows();
    slices();
    kernels();
    counters();
    frames();
    stacks();
    samples();
    sched();
    ledger();
    missing();
    if (rows_ == 0) return error_said(Errc::malformed, "error.no_events", {});
    return {};
  }

private:
  StrId text(const Row& row, int column) { return sink_.intern(row.text(column)); }
  // Rows of a table in an order; a column that the file lacks is NULL in all of them. "name?": exports of
  // earlier versions have no such column.
  void each(std::string_view table, std::initializer_list<std::string_view> columns,
            const std::function<void(const Row&)>& take, std::initializer_list<std::string_view> order = {}) {
    if (!file_.has(table)) return no_tables_.push_back(std::string(table));
    std::string sql, sorting;
    for (std::string_view column : columns) {
      const bool is_late = column.ends_with('?');
      if (is_late) column.remove_suffix(1);
      if (!is_late && !file_.has(table, column)) no_columns_.push_back(fmt::format("{}.{}", table, column));
      sql.append(sql.empty() ? "select " : ", ").append(file_.column_or(table, column));
    }
    for (const std::string_view column : order)
      sorting.append(file_.column_or(table, column)).append(", ");
    sql.append(fmt::format(" from {} order by {}rowid", table, sorting));
    const Status status = file_.each(sql, [&](const Row& row) {
      ++rows_;
      take(row);
    });
    if (!status)
      say_note(sink_, Severity::data_loss, "note.sqlite.damaged", 1,
               fmt::format("{} ({})", table, file_.words()));
  }
  // Once each, whatever there is of it: what the file lacks, and which rows cannot be told apart.
  void missing() {
    const auto tell = [&](std::string_view code, Number count, const std::vector<std::string>& names) {
      say_note(sink_, Severity::data_loss, code, count, fmt::format("{}", fmt::join(names, ", ")));
    };
    tell("note.sqlite.no_table", std::ssize(no_tables_), no_tables_);
    tell("note.sqlite.no_column", std::ssize(no_columns_), no_columns_);
    std::vector<std::string> tables;
    Number doubled = 0;
    const auto count = [&](const char* table, Number rows) {
      if (rows > 0) tables.emplace_back(table);
      doubled += rows;
    };
    count("process", processes_.doubled());
    count("thread", threads_.doubled());
    count("device", devices_.doubled());
    count("stream", streams_.doubled());
    count("track", tracks_.doubled());
    count("slice", slice_ids_.doubled);
    count("kernel", kernel_ids_.doubled);
    count("counter_track", counter_tracks_.doubled());
    count("mapping", mappings_.doubled());
    count("frame", frames_.doubled());
    count("callstack", stack_ids_.doubled);
    tell("note.sqlite.double_id", doubled, tables);
  }

  void owners() {
    each("process", {"id", "pid", "name", "cmdline"}, [&](const Row& row) {
      processes_.add(row, 0,
                     sink_.process({.pid = row.integer(1), .name = text(row, 2), .cmdline = text(row, 3)}));
    });
    each("thread", {"id", "process_id", "tid", "name"}, [&](const Row& row) {
      tids_[row.integer(0)] = row.integer(2);
      thread_names_[row.integer(0)] = text(row, 3);
      threads_.add(
          row, 0,
          sink_.thread({.process = processes_.at(row, 1), .tid = row.integer(2), .name = text(row, 3)}));
    });
  }
  void devices() {
    each("device", {"id", "name", "kind", "idx"}, [&](const Row& row) {
      devices_.add(
          row, 0,
          sink_.device(
              {.name = text(row, 1),
               .kind = enum_of<DeviceKind>(kDeviceKindWords, row.text(2)).value_or(DeviceKind::other),
               .index = row.integer(3)}));
    });
    each("stream", {"id", "device_id", "number", "name"}, [&](const Row& row) {
      streams_.add(
          row, 0,
          sink_.stream({.device = devices_.at(row, 1), .number = row.integer(2), .name = text(row, 3)}));
    });
  }
  void tracks() {
    each("track", {"id", "name", "kind", "thread_id", "process_id", "stream_id", "parent_id"},
         [&](const Row& row) {
           tracks_.add(
               row, 0,
               sink_.track(
                   {.name = text(row, 1),
                    .kind = enum_of<TrackKind>(kTrackKindWords, row.text(2)).value_or(TrackKind::other),
                    .thread = threads_.at(row, 3),
                    .process = processes_.at(row, 4),
                    .stream = streams_.at(row, 5),
                    .parent = tracks_.at(row, 6)}));
         });
  }

  struct Set {
    std::size_t from = 0, to = 0;
  };
  void args() {
    each("args", {"arg_set_id", "key", "int_value", "double_value", "string_value", "value_type?"},
         [&](const Row& row) {
           const auto [set, is_new] = sets_.try_emplace(row.integer(0), Set{args_.size(), args_.size()});
           args_.push_back({.key = text(row, 1), .value = value(row)});
           set->second.to = args_.size();
         },
         {"arg_set_id"});
  }
  ArgValue value(const Row& row) {
    const std::string_view type = row.text(5);
    if (type == "real" || !row.is_null(3)) // a real number that SQLite holds as NULL is none
      return row.is_null(3) ? std::numeric_limits<double>::quiet_NaN() : row.real(3);
    if (type == "flag") return row.integer(2) != 0;
    if (!row.is_null(2)) return row.integer(2);
    return text(row, 4);
  }
  [[nodiscard]] std::span<const Arg> args_of(const Row& row, int column) const {
    const auto found = row.is_null(column) ? sets_.end() : sets_.find(row.integer(column));
    if (found == sets_.end()) return {};
    return std::span(args_).subspan(found->second.from, found->second.to - found->second.from);
  }

  // Each row of the table is a flow of its own.
  void flows() {
    std::uint64_t id = 0;
    each("flow", {"slice_out", "slice_in", "kernel_in"}, [&](const Row& row) {
      ++id;
      if (row.is_null(0)) return;
      out_[row.integer(0)].push_back(id);
      if (!row.is_null(1)) in_[row.integer(1)].push_back(id);
      if (!row.is_null(2)) kernel_in_[row.integer(2)] = id;
    });
  }
  using Flows = std::unordered_map<Number, std::vector<std::uint64_t>>;
  [[nodiscard]] static std::span<const std::uint64_t> flows_of(const Flows& flows, Number slice) {
    const auto found = flows.find(slice);
    return found == flows.end() ? std::span<const std::uint64_t>{} : std::span(found->second);
  }
  void slices() {
    each("slice", {"id", "ts", "dur", "track_id", "name", "category", "layer", "arg_set_id"},
         [&](const Row& row) {
           const Number id = row.integer(0);
           slice_ids_.take(id);
           sink_.slice({.track = tracks_.at(row, 3),
                        .ts = {row.integer(1)},
                        .dur = stated(row.integer(2)),
                        .name = text(row, 4),
                        .category = text(row, 5),
                        .layer = enum_of<Layer>(kLayerWords, row.text(6)).value_or(Layer::application),
                        .args = args_of(row, 7),
                        .flows_out = flows_of(out_, id),
                        .flows_in = flows_of(in_, id)});
         },
         {"id"});
  }
  void kernels() {
    each("kernel",
         {"id", "ts", "dur", "stream_id", "name", "op_type", "kind", "correlation", "bytes", "arg_set_id"},
         [&](const Row& row) {
           kernel_ids_.take(row.integer(0));
           const auto flow = kernel_in_.find(row.integer(0));
           sink_.kernel(
               {.stream = streams_.at(row, 3),
                .ts = {row.integer(1)},
                .dur = stated(row.integer(2)),
                .name = text(row, 4),
                .op_type = text(row, 5),
                .kind = enum_of<KernelKind>(kKernelKindWords, row.text(6)).value_or(KernelKind::compute),
                .correlation = static_cast<std::uint64_t>(row.integer(7)),
                .flow_in = flow == kernel_in_.end() ? 0 : flow->second,
                .bytes = row.integer(8),
                .args = args_of(row, 9)});
         },
         {"id"});
  }
  void counters() {
    each("counter_track", {"id", "name", "unit", "cpu", "thread_id", "process_id", "device_id"},
         [&](const Row& row) {
           const bool has_cpu = !row.is_null(3) && row.integer(3) >= 0 &&
                                row.integer(3) <= std::numeric_limits<std::int32_t>::max();
           counter_tracks_.add(row, 0,
                               sink_.counter_track({.name = text(row, 1),
                                                    .unit = text(row, 2),
                                                    .cpu = has_cpu ? row.integer(3) : -1,
                                                    .thread = threads_.at(row, 4),
                                                    .process = processes_.at(row, 5),
                                                    .device = devices_.at(row, 6)}));
         });
    each("counter", {"track_id", "ts", "value"}, [&](const Row& row) {
      sink_.counter(counter_tracks_.at(row, 0), {row.integer(1)},
                    row.is_null(2) ? std::numeric_limits<double>::quiet_NaN() : row.real(2));
    });
  }

  void frames() {
    each("mapping", {"id", "path", "build_id", "start", "end", "file_offset"}, [&](const Row& row) {
      mappings_.add(row, 0,
                    sink_.mapping({.path = text(row, 1),
                                   .build_id = text(row, 2),
                                   .start = static_cast<std::uint64_t>(row.integer(3)),
                                   .end = static_cast<std::uint64_t>(row.integer(4)),
                                   .file_offset = static_cast<std::uint64_t>(row.integer(5))}));
    });
    each("frame", {"id", "function", "source_file", "line", "mapping_id", "rel_pc", "kind"},
         [&](const Row& row) {
           const auto rel_pc = static_cast<std::uint64_t>(row.integer(5));
           frames_.add(
               row, 0,
               sink_.frame(
                   {.function = is_stand_in(row.text(1), rel_pc) ? StrId{} : text(row, 1),
                    .mapping = mappings_.at(row, 4),
                    .rel_pc = rel_pc,
                    .source_file = text(row, 2),
                    .line = static_cast<std::uint32_t>(row.integer(3)),
                    .kind = enum_of<FrameKind>(kFrameKindWords, row.text(6)).value_or(FrameKind::native)}));
         });
  }
  void stacks() {
    each("callstack", {"id", "parent_id", "frame_id"},
         [&](const Row& row) {
           stack_ids_.take(row.integer(0));
           nodes_[row.integer(0)] = {.parent = row.is_null(1) ? -1 : row.integer(1),
                                     .frame = frames_.at(row, 2)};
         },
         {"id"});
  }
  // Only stacks that a sample ends in are told; their callers come with them.
  Id<Callstack> stack(const Row& row, int column) {
    if (row.is_null(column)) return {};
    const auto [known, is_new] = stacks_.try_emplace(row.integer(column));
    if (!is_new) return known->second;
    std::vector<Id<Frame>> path;
    for (auto node = nodes_.find(row.integer(column)); node != nodes_.end() && path.size() < kMaxStackDepth;
         node = nodes_.find(node->second.parent)) {
      path.push_back(node->second.frame);
      if (node->second.parent >= node->first) break; // a circle: callers have smaller ids
    }
    std::ranges::reverse(path);
    if (!path.empty()) known->second = sink_.callstack({path});
    return known->second;
  }
  void samples() {
    each("sample", {"ts", "thread_id", "cpu", "callstack_id", "event", "weight"},
         [&](const Row& row) {
           const bool has_cpu = !row.is_null(2) && row.integer(2) <= std::numeric_limits<std::int32_t>::max();
           sink_.sample({.ts = {row.integer(0)},
                         .thread = threads_.at(row, 1),
                         .cpu = has_cpu ? static_cast<std::int32_t>(row.integer(2)) : -1,
                         .callstack = stack(row, 3),
                         .event = text(row, 4),
                         .weight = row.integer(5)});
         },
         {"id"});
  }

  [[nodiscard]] Number tid_of(Number thread) const {
    const auto found = tids_.find(thread);
    return found == tids_.end() ? 0 : found->second;
  }
  [[nodiscard]] Number tid(const Row& row, int column) const {
    return row.is_null(column) ? 0 : tid_of(row.integer(column));
  }
  // A run is two switches: from idle to the thread and back.
  void sched() {
    StateMarks marks;
    each("sched", {"ts", "dur", "cpu", "thread_id", "end_state"}, [&](const Row& row) {
      if (row.integer(2) < 0 || row.integer(2) > std::numeric_limits<std::int32_t>::max() || tid(row, 3) == 0)
        return;
      const Number end = row.integer(0) + length_between(0, row.integer(1)).ns;
      const std::string_view state = row.text(4);
      marks.run(row.integer(3), end, state.size() == 1 ? state[0] : kLostState);
      SchedSwitch change{.ts = {row.integer(0)},
                         .cpu = static_cast<std::int32_t>(row.integer(2)),
                         .prev_state = 'R',
                         .next_tid = tid(row, 3),
                         .next_comm = thread_names_[row.integer(3)]};
      sink_.sched_switch(change);
      if (state.size() != 1 || state == "U") return; // it was still running when the recording ended
      change.ts = {end};
      change.prev_tid = std::exchange(change.next_tid, 0);
      change.prev_state = state[0];
      change.next_comm = {};
      sink_.sched_switch(change);
    });
    Number first = std::numeric_limits<Number>::max(), last = std::numeric_limits<Number>::min();
    each("thread_state", {"ts", "dur", "thread_id", "state", "waker_thread_id"},
         [&](const Row& row) {
           const Number ts = row.integer(0);
           Number end = 0;
           if (__builtin_add_overflow(ts, row.integer(1), &end)) return;
           first = std::min(first, ts);
           last = std::max(last, end);
           marks.state(row.integer(2), ts, end, thread_state_of(row.text(3)));
           if (row.text(3) == thread_state_word('R'))
             sink_.sched_wakeup({.ts = {ts}, .tid = tid(row, 2), .waker_tid = tid(row, 4)});
         },
         {"thread_id", "ts"});
    for (const StateMark& mark : marks.take())
      sink_.sched_switch(
          {.ts = {mark.ts}, .cpu = kNoCpu, .prev_tid = tid_of(mark.thread), .prev_state = mark.prev_state});
    for (const Number ts : {first, last}) // the last states go on to the end
      if (first <= last) sink_.sched_wakeup({.ts = {ts}});
  }

  void ledger() {
    each("signal", {"name", "is_available", "source", "reason", "mend", "detail"}, [&](const Row& row) {
      // What sealing finds by itself, it finds again.
      if (row.text(2) == "data" || row.text(3) == "signal.reason.not_recorded") return;
      sink_.signal({.name = text(row, 0),
                    .is_available = row.integer(1) != 0,
                    .source = text(row, 2),
                    .reason = text(row, 3),
                    .mend = text(row, 4),
                    .detail = text(row, 5)});
    });
    each("note", {"severity", "code", "count", "location"}, [&](const Row& row) {
      const std::string_view code = row.text(1);
      if (code == "note.store.lane_overlap" || code == "note.store.stage_without_request" ||
          code == "note.store.not_ended")
        return;
      sink_.note({.severity = enum_of<Severity>(kSeverityWords, row.text(0)).value_or(Severity::notice),
                  .code = text(row, 1),
                  .count = row.integer(2),
                  .where = text(row, 3)});
    });
    each("gap", {"ts", "dur", "reason"}, [&](const Row& row) {
      sink_.gap({.ts = {row.integer(0)}, .dur = stated(row.integer(1)), .reason = text(row, 2)});
    });
  }

  // Ids that come in their order.
  struct SortedIds {
    std::optional<Number> last;
    Number doubled = 0;
    void take(Number id) { doubled += std::exchange(last, id) == id ? 1 : 0; }
  };
  struct Node {
    Number parent = -1;
    Id<Frame> frame{};
  };
  const SqliteFile& file_;
  TraceSink& sink_;
  Ids<Process> processes_;
  Ids<Thread> threads_;
  Ids<Device> devices_;
  Ids<Stream> streams_;
  Ids<Track> tracks_;
  Ids<CounterTrack> counter_tracks_;
  Ids<Mapping> mappings_;
  Ids<Frame> frames_;
  SortedIds slice_ids_, kernel_ids_, stack_ids_;
  std::vector<std::string> no_tables_, no_columns_;
  std::unordered_map<Number, Number> tids_;
  std::unordered_map<Number, StrId> thread_names_;
  std::unordered_map<Number, Set> sets_;
  std::vector<Arg> args_;
  Flows out_, in_;
  std::unordered_map<Number, std::uint64_t> kernel_in_;
  std::unordered_map<Number, Node> nodes_;
  std::unordered_map<Number, Id<Callstack>> stacks_;
  std::int64_t rows_ = 0;
};

Status read(const std::filesystem::path& path, TraceSink& sink) {
  PROF_TRY(const SqliteFile file, SqliteFile::open(path));
  return ExportedFile(file, sink).read();
}

} // namespace

extern const Reader profiler_sqlite_reader;
const Reader profiler_sqlite_reader{
    .name = "profiler_sqlite",
    .description = "import.format.profiler_sqlite",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "tables of docs/sql.md, as `profiler export` writes them",
              .tested_on = "own exports of every file of tests/readers/data: all tables come back equal",
              .reads = "everything that was recorded; requests, stages, operators and states are worked out "
                       "again",
              .leaves_out = "tables and rows that somebody added"}};

} // namespace prof
