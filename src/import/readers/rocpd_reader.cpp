// rocpd_reader.cpp: databases of rocprofv3 and rocprof-sys (*_results.db). Each process has tables of its own
// with its id behind their names; views join them, but the views of a stranger are not run.
#include "import/reader.hpp"
#include "import/rocprof/rows.hpp"
#include "import/sqlite/sqlite_file.hpp"

#include "import/reader_words.hpp"

#include <array>
#include <fmt/format.h>
#include <set>

namespace prof {
namespace {

using Row = SqliteFile::Row;

constexpr std::string_view kDispatch = "rocpd_kernel_dispatch", kRegion = "rocpd_region";
constexpr std::array<std::string_view, 4> kNotRead{"rocpd_memory_allocate", "rocpd_pmc_event", "rocpd_sample",
                                                   "rocpd_gpu_pc_sample"};

// What stands behind the names of one process's tables: "_00006409_00d1_...".
std::set<std::string> suffixes_of(const SqliteFile& file) {
  std::set<std::string> out;
  for (const std::string_view table : {kDispatch, kRegion})
    (void)file.each(
        fmt::format("select name from sqlite_master where type = 'table' and name glob '{}*'", table),
        [&](const Row& row) {
          const std::string_view suffix = row.text(0).substr(table.size());
          if (suffix.find_first_of("\"'`") == std::string_view::npos) out.emplace(suffix);
        });
  return out;
}

int sniff(std::string_view head, const std::filesystem::path& path, bool is_folder) {
  if (is_folder || !is_sqlite(head)) return 0;
  const auto file = SqliteFile::open(path);
  return file && !suffixes_of(*file).empty() ? 90 : 0;
}

class RocpdFile {
public:
  RocpdFile(const SqliteFile& file, TraceSink& sink) : file_(file), sink_(sink), rows_(sink, "rocpd") {}

  Status read() {
    for (const std::string& suffix : suffixes_of(file_)) {
      suffix_ = suffix;
      // Version 4 keeps the times of all tables in one, and who did it in tracks.
      has_times_ = file_.has(table("rocpd_timestamp"));
      read_agents();
      read_processes();
      read_calls();
      read_kernels();
      read_copies();
      for (const std::string_view name : kNotRead)
        rows_.not_read(name, file_.count(table(name)));
    }
    return rows_.finish("rocprofv3 database (rocpd)");
  }

private:
  [[nodiscard]] std::string table(std::string_view name) const { return std::string(name) + suffix_; }
  void run(std::string_view what, const std::string& sql, const std::function<void(const Row&)>& take) {
    if (!file_.has(table(what))) return;
    if (const Status status = file_.each(sql, take); !status)
      say_note(sink_, Severity::data_loss, "note.sqlite.damaged", 1,
               fmt::format("{} ({})", what, file_.words()));
  }
  // The column of a joined table, or `otherwise` where this version has no such column.
  [[nodiscard]] std::string column(std::string_view as, std::string_view of, std::string_view name,
                                   std::string_view otherwise = "NULL") const {
    return file_.has(table(of), name) ? fmt::format("{}.\"{}\"", as, name) : std::string(otherwise);
  }
  // Expressions for the times and the owner of a row of `of`, named x; the joins that they need.
  struct Place {
    std::string start, end, pid, tid, agent, queue, stream, joins;
  };
  [[nodiscard]] Place place(std::string_view of) const;
  void read_agents();
  void read_processes();
  void read_calls();
  void read_kernels();
  void read_copies();

  const SqliteFile& file_;
  TraceSink& sink_;
  rocprof::Rows rows_;
  std::string suffix_;
  bool has_times_ = false;
};

RocpdFile::Place RocpdFile::place(std::string_view of) const {
  Place out;
  std::string_view owner = "x", owner_table = of;
  if (has_times_) {
    // Without its track nobody knows where it ran.
    out.start = "iif(tr.id is null, null, ts.value)";
    out.end = "te.value";
    out.joins =
        fmt::format(" left join \"{0}\" ts on ts.id = x.start_id left join \"{0}\" te on te.id = x.end_id "
                    "left join \"{1}\" tr on tr.id = x.track_id",
                    table("rocpd_timestamp"), table("rocpd_track"));
    owner = "tr";
    owner_table = "rocpd_track";
  } else {
    out.start = "x.start";
    out.end = "x.\"end\"";
  }
  out.agent = column(owner, owner_table, "agent_id");
  out.queue = column(owner, owner_table, "queue_id");
  out.stream = column(owner, owner_table, "stream_id");
  // pid and tid are rows of tables that hold the system's numbers.
  out.pid = "p.pid";
  out.tid = file_.has(table("rocpd_info_thread")) ? "t.tid" : "NULL";
  out.joins += fmt::format(" left join \"{}\" p on p.id = {}.pid", table("rocpd_info_process"), owner);
  if (out.tid != "NULL")
    out.joins += fmt::format(" left join \"{}\" t on t.id = {}", table("rocpd_info_thread"),
                             column(owner, owner_table, "tid"));
  if (file_.has(table("rocpd_event")))
    out.joins += fmt::format(" left join \"{}\" e on e.id = x.event_id", table("rocpd_event"));
  return out;
}

void RocpdFile::read_agents() {
  constexpr std::string_view kTable = "rocpd_info_agent";
  run(kTable,
      fmt::format("select a.id, a.type, {}, {}, a.name from \"{}\" a",
                  column("a", kTable, "type_index", "a.id"), column("a", kTable, "product_name"),
                  table(kTable)),
      [&](const Row& row) {
        rows_.agent(row.integer(0), {.is_gpu = row.text(1) != "CPU",
                                     .index = row.integer(2),
                                     .name = std::string(row.text(row.text(3).empty() ? 4 : 3))});
      });
}

void RocpdFile::read_processes() {
  constexpr std::string_view kTable = "rocpd_info_process";
  run(kTable,
      fmt::format("select p.pid, {} from \"{}\" p", column("p", kTable, "command", "''"), table(kTable)),
      [&](const Row& row) { rows_.process(row.integer(0), row.text(1)); });
}

// The id that ties a launch to its kernel is the one of the call stack; "correlation_id" is the user's.
void RocpdFile::read_calls() {
  const Place at = place(kRegion);
  const bool has_event = file_.has(table("rocpd_event"));
  const std::string category =
      has_event ? fmt::format("(select string from \"{}\" where id = e.category_id)", table("rocpd_string"))
                : "''";
  run(kRegion,
      fmt::format(
          "select {}, {}, {}, {}, n.string, {}, {} from \"{}\" x{} left join \"{}\" n on n.id = x.name_id "
          "order by 1, 2 desc",
          at.start, at.end, at.pid, at.tid, category, has_event ? "e.stack_id" : "0", table(kRegion),
          at.joins, table("rocpd_string")),
      [&](const Row& row) {
        rows_.call({.pid = row.integer(2),
                    .tid = row.integer(3),
                    .start = row.integer(0),
                    .end = row.integer(1),
                    .name = row.text(4),
                    .domain = rocprof::category_of(row.text(5)),
                    .correlation = static_cast<std::uint64_t>(row.integer(6))});
      });
}

// The columns that a kernel and a copy begin with; 7 is its stack.
rocprof::Dispatch dispatch_of(const Row& row) {
  return {.pid = row.integer(2),
          .agent = row.integer(3),
          .start = row.integer(0),
          .end = row.integer(1),
          .queue = row.is_null(4) ? -1 : row.integer(4),
          .stream = row.is_null(5) ? -1 : row.integer(5),
          .name = row.text(6),
          .correlation = static_cast<std::uint64_t>(row.integer(7)),
          .args = {}};
}

void RocpdFile::read_kernels() {
  const Place at = place(kDispatch);
  const std::string stack = file_.has(table("rocpd_event")) ? "e.stack_id" : "0";
  run(kDispatch,
      fmt::format(
          "select {}, {}, {}, {}, {}, {}, k.display_name, {}, x.workgroup_size_x, x.workgroup_size_y, "
          "x.workgroup_size_z, x.grid_size_x, x.grid_size_y, x.grid_size_z, k.kernel_name from \"{}\" x{} "
          "left join \"{}\" k on k.id = x.kernel_id",
          at.start, at.end, at.pid, at.agent, at.queue, at.stream, stack, table(kDispatch), at.joins,
          table("rocpd_info_kernel_symbol")),
      [&](const Row& row) {
        rocprof::Dispatch kernel = dispatch_of(row);
        if (kernel.name.empty()) kernel.name = row.text(14);
        kernel.args = {{"workgroup_x", row.integer(8)},  {"workgroup_y", row.integer(9)},
                       {"workgroup_z", row.integer(10)}, {"grid_x", row.integer(11)},
                       {"grid_y", row.integer(12)},      {"grid_z", row.integer(13)}};
        rows_.dispatch(kernel);
      });
}

void RocpdFile::read_copies() {
  constexpr std::string_view kTable = "rocpd_memory_copy";
  const Place at = place(kTable);
  const std::string stack = file_.has(table("rocpd_event")) ? "e.stack_id" : "0";
  // Work of the GPU that it goes to, or where that is the host, of the one that it comes from.
  const std::string agent = fmt::format(
      "case when (select type from \"{}\" where id = x.dst_agent_id) = 'GPU' then x.dst_agent_id else "
      "x.src_agent_id end",
      table("rocpd_info_agent"));
  run(kTable,
      fmt::format(
          "select {}, {}, {}, {}, {}, {}, n.string, {}, x.size from \"{}\" x{} left join \"{}\" n on n.id "
          "= x.name_id",
          at.start, at.end, at.pid, agent, at.queue, at.stream, stack, table(kTable), at.joins,
          table("rocpd_string")),
      [&](const Row& row) {
        rocprof::Dispatch copy = dispatch_of(row);
        copy.bytes = row.integer(8);
        copy.is_copy = true;
        rows_.dispatch(copy);
      });
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  PROF_TRY(const SqliteFile file, SqliteFile::open(path));
  return RocpdFile(file, sink).read();
}

} // namespace

extern const Reader rocpd_reader;
const Reader rocpd_reader{
    .name = "rocpd",
    .description = "import.format.rocpd",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "schema 3 and 4, told apart by the table rocpd_timestamp",
              .tested_on = "no real file: `tests/readers/data/make_rocprof.py` writes the columns of the "
                           "published schema with made-up rows",
              .reads = "HIP, HSA and marker calls, kernels with grid, copies with sizes, agents, processes; "
                       "launches by stack id",
              .leaves_out =
                  "counters, allocations, PC samples, samples of rocprof-sys (each counted in a note)"}};

} // namespace prof
