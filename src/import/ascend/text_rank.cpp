// text_rank.cpp: kernel_details.csv and trace_view.json describe the same tasks. Times, cores, types and
// shapes come from the table, streams and links from the trace; what only one of them has is taken from it.
#include "import/ascend/csv.hpp"
#include "import/ascend/kernel_details.hpp"
#include "import/ascend/rank.hpp"
#include "import/ascend/trace_host.hpp"
#include "import/ascend/trace_index.hpp"
#include "import/json/stream_notes.hpp"
#include "import/reader_words.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace prof::ascend {
namespace {

class TextRank {
public:
  TextRank(const RankFiles& files, const Rank& rank, TraceSink& sink, Notes& notes, Tally& tally)
      : files_(files), rank_(rank), sink_(sink), notes_(notes), tally_(tally), texts_(sink),
        index_(sink, rank.order), npu_(sink, rank.label), steps_(sink) {}

  Status read();

private:
  struct Window {
    std::int64_t from = 0, to = 0;
  };
  [[nodiscard]] std::int64_t device_of(std::optional<std::int64_t> stated) const {
    if (rank_.device) return *rank_.device;
    return stated ? *stated : index_.device().value_or(rank_.number);
  }
  void keep(Status status, const std::filesystem::path& path);
  void read_device_side();
  void read_host_side();
  Status read_kernels(const std::filesystem::path& path);
  void kernel(const KernelDetails& table, const KernelRow& row);
  void left_over(DeviceTask& task);
  Status read_memory(const std::filesystem::path& path);
  void read_step_times();
  void steps_from_kernels();
  void say_sources();

  const RankFiles& files_;
  const Rank& rank_;
  TraceSink& sink_;
  Notes& notes_;
  Tally& tally_;
  json::TextCache texts_;
  TraceIndex index_;
  NpuSide npu_;
  Steps steps_;
  std::vector<Arg> args_;
  std::map<std::int64_t, Window> step_windows_;
  std::unordered_map<std::uint64_t, int> table_of_row_;
  int table_ = 0;
  std::vector<std::filesystem::path> traces_; // that are readable
  Status failure_;
  std::int64_t files_read_ = 0;
  std::int64_t from_table_ = 0, joined_ = 0, from_trace_ = 0;
};

void TextRank::kernel(const KernelDetails& table, const KernelRow& row) {
  // A copy of the table, or the same one of the lower-level tool, may stand beside it.
  if (files_.kernels.size() > 1) {
    const std::uint64_t key = row_key(0, row.ts.ns, row.dur.ns, texts_.intern(row.name).row);
    if (const auto seen = table_of_row_.try_emplace(key, table_).first->second; seen != table_) return;
  }
  const bool is_comm = is_collective(row.name, row.core);
  const StrId name = texts_.intern(row.name);
  DeviceTask* task = index_.find(row.ts, name, row.stream, row.task);
  args_.clear();
  table.add_args(args_, texts_);
  std::int64_t stream = row.stream.value_or(is_comm ? group_stream(0) : kUnknownStream);
  if (task != nullptr) {
    task->is_used = true;
    ++joined_;
    stream = task->stream;
    const std::vector<Arg>& more = index_.details(*task);
    args_.insert(args_.end(), more.begin(), more.end());
  }
  const std::int64_t device = device_of(row.device);
  sink_.kernel({.stream = npu_.stream(device, stream),
                .ts = row.ts,
                .dur = row.dur,
                .name = name,
                .op_type = texts_.intern(row.type),
                .kind = is_comm ? KernelKind::communication : KernelKind::compute,
                .correlation = task != nullptr ? task->connection : 0,
                .flow_in = task != nullptr ? task->flow_in : 0,
                .args = args_});
  ++from_table_;
  if (!row.step) return;
  const auto [found, is_new] =
      step_windows_.try_emplace(*row.step, Window{row.ts.ns, row.ts.ns + row.dur.ns});
  found->second.from = std::min(found->second.from, row.ts.ns);
  found->second.to = std::max(found->second.to, row.ts.ns + row.dur.ns);
}

Status TextRank::read_kernels(const std::filesystem::path& path) {
  PROF_TRY(KernelDetails table, KernelDetails::open(path));
  ++table_;
  for (KernelRow row;;) {
    PROF_TRY(const bool is_there, table.next(row, notes_));
    if (!is_there) return {};
    kernel(table, row);
  }
}

// A task of the trace that no row of the table describes.
void TextRank::left_over(DeviceTask& task) {
  const std::int64_t device = device_of({});
  args_ = index_.details(task);
  const auto add = [&](std::string_view key, ArgValue value) {
    args_.push_back({.key = texts_.intern(key), .value = value});
  };
  if (!task.type.is_empty()) add(task.role == TaskRole::compute ? "core" : "task_type", task.type);
  if (task.task >= 0) add("task_id", task.task);
  if (task.is_collective || task.role == TaskRole::compute) {
    sink_.kernel({.stream = npu_.stream(device, task.stream),
                  .ts = {task.ts},
                  .dur = {task.dur},
                  .name = task.name,
                  .op_type = {},
                  .kind = task.is_collective ? KernelKind::communication : KernelKind::compute,
                  .correlation = task.connection,
                  .flow_in = task.flow_in,
                  .args = args_});
    ++from_trace_;
    return;
  }
  if (task.bytes > 0) add("bytes", task.bytes);
  if (!task.direction.is_empty()) add("direction", task.direction);
  npu_.add({.device = device,
            .stream = task.stream,
            .ts = {task.ts},
            .dur = {task.dur},
            .name = task.name,
            .category = texts_.intern(category_of(task.role)),
            .flow_in = task.flow_in,
            .args = args_});
}

// Memory over time: of the allocators, or of the modules of CANN. The device column is left alone: it said
// NPU:0 for all for years.
Status TextRank::read_memory(const std::filesystem::path& path) {
  PROF_TRY(CsvFile file, CsvFile::open(path));
  PROF_TRY(const bool has_header, file.next());
  constexpr std::size_t kNone = ~std::size_t{0};
  std::map<std::string, std::size_t, std::less<>> columns;
  for (std::size_t i = 0; has_header && i < file.size(); ++i)
    columns.emplace(trimmed(file.cell(i)), i);
  const auto column = [&](std::string_view title) {
    const auto found = columns.find(title);
    return found == columns.end() ? kNone : found->second;
  };
  struct Series {
    std::string_view title, name;
    std::size_t mega, kilo;
  };
  std::vector<Series> series;
  for (const auto& [title, name] :
       {std::pair{"Total Allocated", "allocated_memory"}, std::pair{"Total Reserved", "reserved_memory"},
        std::pair{"Total Active", "active_memory"}})
    series.push_back(
        {title, name, column(fmt::format("{}(MB)", title)), column(fmt::format("{}(KB)", title))});
  // Both files know an APP and a GE, and do not mean the same.
  const bool is_of_modules = column("Total Allocated(MB)") == kNone && column("Total Allocated(KB)") == kNone;
  const std::size_t component = column("Component"), time = column("Timestamp(us)");
  const Id<Device> device = npu_.device(device_of({}));
  std::map<std::string, Id<CounterTrack>> tracks; // those that ever were above 0: there are 77 modules
  for (;;) {
    PROF_TRY(const bool is_there, file.next());
    if (!is_there) return {};
    const auto ts = ns_of(file.cell(time));
    if (!ts || *ts <= 0) {
      notes_.count("note.ascend.row_without_time", Severity::data_loss,
                   fmt::format("{}, offset {}", path.filename().string(), file.offset()));
      continue;
    }
    for (const Series& of : series) {
      // These files say MB and mean MiB. Below 0: only the release was seen.
      auto value = real_of(file.cell(of.mega));
      if (value)
        *value *= 1024 * 1024;
      else if ((value = real_of(file.cell(of.kilo))))
        *value *= 1024;
      if (!value || *value < 0) continue;
      // PTA is the allocator of the framework, which other formats know alone.
      const std::string_view owner = trimmed(file.cell(component));
      std::string name = is_of_modules    ? fmt::format("module {} {}", owner, of.name)
                         : owner == "PTA" ? std::string(of.name)
                                          : fmt::format("{} {}", owner, of.name);
      auto track = tracks.find(name);
      if (track == tracks.end()) {
        if (*value == 0) continue;
        const CounterTrack row{.name = sink_.intern(name), .unit = sink_.intern("bytes"), .device = device};
        track = tracks.emplace(std::move(name), sink_.counter_track(row)).first;
      }
      sink_.counter(track->second, {*ts}, *value);
    }
  }
}

// The vendor's own summary of each step, kept as it stands (its figures are rounded).
void TextRank::read_step_times() {
  auto file = CsvFile::open(files_.steps);
  if (!file) return;
  const auto header = file->next();
  if (!header || !*header) return;
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < file->size(); ++i)
    titles.emplace_back(trimmed(file->cell(i)));
  constexpr int kMaxSteps = 100;
  int count = 0;
  for (auto next = file->next(); next && *next && count < kMaxSteps; next = file->next(), ++count) {
    std::string step, line;
    for (std::size_t i = 0; i < titles.size(); ++i) {
      if (titles[i] == "Step")
        step = trimmed(file->cell(i));
      else if (titles[i] != "Device_id")
        line += fmt::format("{}{}={}", line.empty() ? "" : "; ", titles[i], trimmed(file->cell(i)));
    }
    sink_.metadata(fmt::format("{}step_trace_us.{}", rank_.prefix, step.empty() ? "all" : step), line);
  }
}

// Without a host side, a step is what the table gives to it: from its first kernel to its last.
void TextRank::steps_from_kernels() {
  if (index_.has_host() || step_windows_.empty()) return;
  const Id<Process> process =
      sink_.process({.pid = rank_.number, .name = sink_.intern("Python" + rank_.label), .cmdline = {}});
  for (const auto& [number, window] : step_windows_)
    steps_.add(number, {window.from}, {window.to - window.from}, process);
  tally_.request_source = "Step Id of the kernels (first to last kernel of a step)";
}

void TextRank::say_sources() {
  const auto say = [&](std::string_view what, std::string_view from) {
    sink_.metadata(fmt::format("{}source.{}", rank_.prefix, what), from);
  };
  if (from_table_ > 0 && joined_ > 0)
    say("kernels", fmt::format("kernel_details ({} rows; streams and links of {} from trace_view)",
                               from_table_, joined_));
  else if (from_table_ > 0)
    say("kernels", fmt::format("kernel_details ({} rows)", from_table_));
  if (from_trace_ > 0) say("kernels_of_trace_only", fmt::format("trace_view ({} tasks)", from_trace_));
  if (index_.has_host()) say("host", "trace_view");
  if (!files_.memory.empty()) say("memory", "memory_record, npu_module_mem");
  if (from_table_ > 0 && from_trace_ > 0)
    notes_.count("note.ascend.not_in_table", Severity::notice, {}, from_trace_);
}

// Counts a file as read, or keeps the first error.
void TextRank::keep(Status status, const std::filesystem::path& path) {
  if (status) {
    ++files_read_;
    return;
  }
  notes_.count("note.ascend.file_not_read", Severity::data_loss, path.filename().string());
  if (failure_) failure_ = std::move(status).error().at(path.filename().string());
}

void TextRank::read_device_side() {
  for (const auto& path : files_.traces) {
    auto report = index_.read(path);
    if (!report) {
      keep(std::move(report).error(), path);
      continue;
    }
    json::note_losses(*report, sink_);
    traces_.push_back(path);
  }
  index_.link();
  for (const auto& path : files_.kernels)
    keep(read_kernels(path), path);
  for (DeviceTask& task : index_.tasks())
    if (!task.is_used) left_over(task);
  for (NpuSide::Task& part : index_.parts()) {
    part.device = device_of({});
    npu_.add(std::move(part));
  }
  npu_.flush();
}

void TextRank::read_host_side() {
  if (traces_.empty()) return;
  TraceHost host(sink_, index_, npu_.device(device_of({})), steps_, notes_, traces_.size() > 1);
  for (const auto& path : traces_)
    keep(host.read(path), path);
  tally_.ops += host.ops();
  if (steps_.has_any()) tally_.request_source = "ProfilerStep markers";
}

Status TextRank::read() {
  read_device_side();
  read_host_side();
  steps_from_kernels();
  for (const auto& path : files_.memory)
    if (const Status status = read_memory(path); !status)
      notes_.count("note.ascend.file_not_read", Severity::data_loss, path.filename().string());
  if (!files_.steps.empty()) read_step_times();
  say_sources();
  tally_.kernels += from_table_ + from_trace_;
  tally_.requests += steps_.has_any() ? 1 : 0;
  return files_read_ == 0 ? failure_ : Status{};
}

} // namespace

Status read_text_rank(const RankFiles& files, const Rank& rank, TraceSink& sink, Notes& notes, Tally& tally) {
  return TextRank(files, rank, sink, notes, tally).read();
}

void finish(TraceSink& sink, const Notes& notes, const Tally& tally) {
  const auto signal = [&](std::string_view what, std::int64_t count) {
    say_available(sink, "ascend", what, count);
  };
  signal(words::kSignalKernels, tally.kernels);
  signal(words::kSignalOps, tally.ops);
  signal(words::kSignalRequests, tally.requests);
  if (!tally.request_source.empty()) sink.metadata("request.source", tally.request_source);
  notes.write(sink);
}

} // namespace prof::ascend
