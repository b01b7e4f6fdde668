// rocprof_csv_reader.cpp: tables of rocprofv3, one file for each kind of row (..._kernel_trace.csv,
// ..._hip_api_trace.csv, ..._memory_copy_trace.csv, ..._agent_info.csv): one of them, or a folder of them.
// The kinds are told by their titles; versions add columns and change their order.
#include "import/ascend/csv.hpp"
#include "import/json/event_lanes.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/rocprof/rows.hpp"

#include "base/file.hpp"
#include "base/walk.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <set>

namespace prof {
namespace {

namespace fs = std::filesystem;

enum class TableKind : std::uint8_t {
  none,
  agents,
  calls,
  kernels,
  copies,
  not_read
}; // in the order of reading

constexpr std::size_t kHead = 4096;
constexpr std::int64_t kByType = std::int64_t{1} << 32; // ids of agents that are named by their type
constexpr int kMaxEntries = 1000, kMaxDepth = 2;        // host / process

using Titles = std::vector<std::string>;

bool has(const Titles& titles, std::string_view title) {
  return std::ranges::find(titles, title) != titles.end();
}

TableKind kind_of(const Titles& titles) {
  if (has(titles, "Agent_Type") && has(titles, "Node_Id")) return TableKind::agents;
  if (has(titles, "Counter_Name") && has(titles, "Kernel_Name")) return TableKind::not_read;
  if (!has(titles, "Start_Timestamp") || !has(titles, "End_Timestamp")) return TableKind::none;
  if (has(titles, "Kernel_Name")) return TableKind::kernels;
  if (has(titles, "Direction")) return TableKind::copies;
  if (has(titles, "Function") && has(titles, "Domain")) return TableKind::calls;
  return has(titles, "Kind") && has(titles, "Correlation_Id") ? TableKind::not_read : TableKind::none;
}

Titles titles_in(std::string_view head) {
  Titles titles = ascend::header_cells(head);
  for (std::string& title : titles)
    if (title.size() >= 2 && title.starts_with('"') && title.ends_with('"'))
      title = title.substr(1, title.size() - 2);
  return titles;
}

struct Table {
  fs::path path;
  TableKind kind = TableKind::none;
};

// Links are left alone: they may lead out of the folder.
std::vector<Table> tables_in(const fs::path& folder) {
  std::vector<Table> out;
  std::error_code error;
  int left = kMaxEntries;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end && left-- > 0;
       at.increment(error)) {
    const fs::file_status status = at->symlink_status(error);
    if (at.depth() >= kMaxDepth || (fs::is_directory(status) && is_kernel_made(at->path())))
      at.disable_recursion_pending();
    if (!fs::is_regular_file(status)) continue;
    std::string head(kHead, '\0');
    std::ifstream file(at->path(), std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    if (const TableKind kind = kind_of(titles_in(head)); kind != TableKind::none)
      out.push_back({.path = at->path(), .kind = kind});
  }
  std::ranges::sort(out, [](const Table& a, const Table& b) {
    return std::tie(a.kind, a.path) < std::tie(b.kind, b.path);
  });
  return out;
}

bool has_events(const std::vector<Table>& tables) {
  return std::ranges::any_of(tables, [](const Table& table) {
    return table.kind == TableKind::kernels || table.kind == TableKind::copies ||
           table.kind == TableKind::calls;
  });
}

int sniff(std::string_view head, const fs::path& path, bool is_folder) {
  if (is_folder) return has_events(tables_in(path)) ? 75 : 0;
  const TableKind kind = kind_of(titles_in(head));
  return kind == TableKind::none || kind == TableKind::agents ? 0 : 85;
}

class Tables {
public:
  explicit Tables(TraceSink& sink) : sink_(sink), rows_(sink, "rocprof_csv") {}
  Status read(const Table& table);
  Status finish() {
    say_note(sink_, Severity::data_loss, "note.csv.cut", cut_, first_cut_);
    say_note(sink_, Severity::data_loss, "note.rocprof.bad_row", bad_, first_bad_);
    return rows_.finish("rocprofv3 tables");
  }

private:
  // The cell under a title; empty when there is no such column.
  [[nodiscard]] std::string_view cell(const ascend::CsvFile& file, std::string_view title) const {
    const auto at = std::ranges::find(titles_, title);
    return at == titles_.end() ? std::string_view{}
                               : ascend::trimmed(file.cell(static_cast<std::size_t>(at - titles_.begin())));
  }
  [[nodiscard]] std::int64_t number(const ascend::CsvFile& file, std::string_view title,
                                    std::int64_t otherwise = 0) const {
    return ascend::integer_of(cell(file, title)).value_or(otherwise);
  }
  // 4, or "Agent 4" since ROCm 7; "GPU 3" where the user asked for numbers among the GPUs.
  [[nodiscard]] std::int64_t agent(const ascend::CsvFile& file, std::string_view title) {
    const std::string_view text = cell(file, title);
    std::int64_t number = 0;
    if (!json::number_in(text, number)) return -1;
    if (!text.starts_with("GPU")) return number;
    const std::int64_t id = kByType + number;
    rows_.agent(id, {.index = number, .name = {}});
    return id;
  }
  void take(const ascend::CsvFile& file, TableKind kind);
  void take_agent(const ascend::CsvFile& file);
  void take_call(const ascend::CsvFile& file);
  void take_dispatch(const ascend::CsvFile& file, bool is_copy);
  [[nodiscard]] std::int64_t process_of(std::int64_t tid) const;

  TraceSink& sink_;
  rocprof::Rows rows_;
  Titles titles_;
  std::map<std::int64_t, std::int64_t> process_of_thread_; // kernels name only the thread that launched them
  std::set<std::int64_t> processes_;
  std::int64_t gpus_ = 0, cut_ = 0, bad_ = 0;
  std::string first_cut_, first_bad_;
};

void Tables::take_agent(const ascend::CsvFile& file) {
  const std::string_view product = cell(file, "Product_Name");
  const bool is_gpu = cell(file, "Agent_Type") != "CPU";
  rows_.agent(number(file, "Logical_Node_Id", number(file, "Node_Id")),
              {.is_gpu = is_gpu,
               .index = number(file, "Logical_Node_Type_Id", is_gpu ? gpus_++ : 0),
               .name = std::string(product.empty() ? cell(file, "Name") : product)});
}

void Tables::take_call(const ascend::CsvFile& file) {
  const std::int64_t pid = number(file, "Process_Id"), tid = number(file, "Thread_Id");
  const std::string_view domain = cell(file, "Domain");
  process_of_thread_[tid] = pid;
  processes_.insert(pid);
  rows_.call({.pid = pid,
              .tid = tid,
              .start = number(file, "Start_Timestamp"),
              .end = number(file, "End_Timestamp"),
              .name = cell(file, "Function"),
              .domain = rocprof::category_of(domain),
              .correlation = static_cast<std::uint64_t>(number(file, "Correlation_Id"))});
}

std::int64_t Tables::process_of(std::int64_t tid) const {
  if (const auto known = process_of_thread_.find(tid); known != process_of_thread_.end())
    return known->second;
  return processes_.size() == 1 ? *processes_.begin() : 0;
}

void Tables::take_dispatch(const ascend::CsvFile& file, bool is_copy) {
  rocprof::Dispatch row{.pid = process_of(number(file, "Thread_Id", -1)),
                        .start = number(file, "Start_Timestamp"),
                        .end = number(file, "End_Timestamp"),
                        .queue = number(file, "Queue_Id", -1),
                        .stream = number(file, "Stream_Id", -1),
                        .correlation = static_cast<std::uint64_t>(number(file, "Correlation_Id")),
                        .is_copy = is_copy,
                        .args = {}};
  if (is_copy) {
    // Work of the GPU that it goes to, or where that is the host, of the one that it comes from.
    row.name = cell(file, "Direction");
    row.agent = agent(file, row.name.ends_with("TO_HOST") ? "Source_Agent_Id" : "Destination_Agent_Id");
  } else {
    row.name = cell(file, "Kernel_Name");
    row.agent = agent(file, "Agent_Id");
    for (const auto& [title, key] :
         {std::pair("Workgroup_Size_X", "workgroup_x"), std::pair("Workgroup_Size_Y", "workgroup_y"),
          std::pair("Workgroup_Size_Z", "workgroup_z"), std::pair("Grid_Size_X", "grid_x"),
          std::pair("Grid_Size_Y", "grid_y"), std::pair("Grid_Size_Z", "grid_z")})
      if (const auto value = ascend::integer_of(cell(file, title))) row.args.emplace_back(key, *value);
  }
  rows_.dispatch(row);
}

void Tables::take(const ascend::CsvFile& file, TableKind kind) {
  switch (kind) {
  case TableKind::agents:
    return take_agent(file);
  case TableKind::calls:
    return take_call(file);
  case TableKind::kernels:
    return take_dispatch(file, false);
  case TableKind::copies:
    return take_dispatch(file, true);
  case TableKind::not_read:
    return rows_.not_read(cell(file, "Kind").empty() ? "counter_collection" : cell(file, "Kind"), 1);
  case TableKind::none:
    break;
  }
}

Status Tables::read(const Table& table) {
  PROF_TRY(ascend::CsvFile file, ascend::CsvFile::open(table.path));
  PROF_TRY(const bool has_header, file.next());
  titles_.clear();
  for (std::size_t i = 0; has_header && i < file.size(); ++i)
    titles_.emplace_back(ascend::trimmed(file.cell(i)));
  for (;;) {
    PROF_TRY(const bool is_there, file.next());
    if (!is_there) return {};
    const bool is_short = file.size() < titles_.size();
    if (file.is_cut() && is_short && cut_++ == 0) first_cut_ = fmt::format("offset {}", file.offset());
    if (!file.is_cut() && is_short && bad_++ == 0) first_bad_ = fmt::format("offset {}", file.offset());
    if (is_short) continue;
    take(file, table.kind);
  }
}

Status read(const fs::path& path, TraceSink& sink) {
  std::error_code error;
  std::vector<Table> tables;
  if (fs::is_directory(path, error)) {
    tables = tables_in(path);
  } else {
    PROF_TRY(json::TextWindow window, json::TextWindow::open(path));
    PROF_TRY([[maybe_unused]] const bool is_long, window.fill(kHead));
    tables.push_back({.path = path, .kind = kind_of(titles_in(window.text().substr(0, kHead)))});
  }
  Tables all(sink);
  for (const Table& table : tables)
    PROF_CHECK(all.read(table));
  return all.finish();
}

} // namespace

extern const Reader rocprof_csv_reader;
const Reader rocprof_csv_reader{
    .name = "rocprof_csv",
    .description = "import.format.rocprof_csv",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "ROCm 6.0 (agents as numbers, no threads), 6.3, 7 (\"Agent 7\", \"GPU 3\", "
                          "streams), tables that `rocpd` exports (with Guid)",
              .tested_on = "rows printed in ROCm's documentation; a whole made-up run (`make_rocprof.py`)",
              .reads = "kernel, HIP, HSA, marker and copy tables and agent names, of one file or a folder; "
                       "launches by correlation id",
              .leaves_out = "counter, allocation and scratch tables (counted in a note), sums "
                            "(`*_stats.csv`), sizes of copies (the tables have none)"}};

} // namespace prof
