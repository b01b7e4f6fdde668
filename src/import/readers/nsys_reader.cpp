// nsys_reader.cpp: Nsight Systems reports, exported with 'nsys export --type sqlite'.
#include "base/lang.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/sqlite/sqlite_file.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <vector>

namespace prof {
namespace {

using Row = SqliteFile::Row;

// CUPTI_SYNCHRONIZATION_INVALID_VALUE as a signed number: the wait is for every stream of its context.
constexpr std::int64_t kWholeContext = -1;

constexpr std::array<std::string_view, 5> kTables{"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_RUNTIME",
                                                  "NVTX_EVENTS", "OSRT_API", "META_DATA_EXPORT"};
// What these hold is not read yet; the ledger says so where they have rows.
constexpr std::array<std::string_view, 8> kNotRead{"SCHED_EVENTS",
                                                   "COMPOSITE_EVENTS",
                                                   "GPU_METRICS",
                                                   "GENERIC_EVENTS",
                                                   "CUDA_CALLCHAINS",
                                                   "CUDA_GPU_MEMORY_USAGE_EVENTS",
                                                   "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                                                   "CUPTI_ACTIVITY_KIND_CUDA_EVENT"};

int sniff(std::string_view head, const std::filesystem::path& path, bool is_folder) {
  if (is_folder || !is_sqlite(head)) return 0;
  const auto file = SqliteFile::open(path);
  if (!file || !file->has("StringIds")) return 0;
  return std::ranges::any_of(kTables, [&](std::string_view table) { return file->has(table); }) ? 90 : 0;
}

// globalTid = pid and tid in 24 bits each.
std::int64_t pid_of(std::int64_t global) {
  return (global >> 24) & 0xffffff;
}
std::int64_t tid_of(std::int64_t global) {
  return global & 0xffffff;
}
// Correlation ids are unique within a process only.
std::uint64_t launch_flow(std::int64_t global_pid, std::int64_t correlation) {
  return kLaunchFlow | (static_cast<std::uint64_t>(pid_of(global_pid)) << 32U) |
         (static_cast<std::uint64_t>(correlation) & 0xffffffffU);
}

// "cudaLaunchKernel_v7000" -> "cudaLaunchKernel"
std::string_view without_version(std::string_view name) {
  const std::size_t at = name.rfind("_v");
  const bool is_version = at != std::string_view::npos && name.size() - at >= 6 &&
                          name.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
  return is_version ? name.substr(0, at) : name;
}

class NsysFile {
public:
  NsysFile(const SqliteFile& file, TraceSink& sink) : file_(file), sink_(sink) {}
  Status read();

private:
  void run(std::string_view table, const std::string& sql, const std::function<void(const Row&)>& take);
  [[nodiscard]] StrId string(std::int64_t id) const {
    const auto found = strings_.find(id);
    return found == strings_.end() ? StrId{} : found->second;
  }
  Id<Process> process(std::int64_t global);
  Id<Track> thread_track(std::int64_t global);
  Id<Stream> stream(std::int64_t device, std::int64_t number);
  Id<Track> waits(std::int64_t device, std::int64_t number);
  void read_strings();
  void read_names();
  void read_meta();
  void read_kernels();
  void read_copies();
  void read_sets();
  void read_api(std::string_view table, Layer layer);
  void read_context_devices();
  void read_syncs();
  void read_nvtx();
  void nvtx(const Row& row);
  void say_what_is_left();

  const SqliteFile& file_;
  TraceSink& sink_;
  std::map<std::int64_t, StrId> strings_;
  std::map<std::int64_t, Id<Process>> processes_;
  std::map<std::int64_t, StrId> process_names_, thread_names_, gpu_names_;
  std::map<std::int64_t, Id<Track>> tracks_, ranges_;
  std::map<std::int64_t, Id<Device>> devices_;
  std::map<std::pair<std::int64_t, std::int64_t>, Id<Stream>> streams_;
  std::map<std::pair<std::int64_t, std::int64_t>, Id<Track>> waits_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> device_of_context_; // by (process, context)
  std::vector<Arg> args_;
  std::int64_t kernels_ = 0, ops_ = 0, rows_ = 0;
};

// A table that is absent holds no data: the exporter leaves it out.
void NsysFile::run(std::string_view table, const std::string& sql,
                   const std::function<void(const Row&)>& take) {
  if (!file_.has(table)) return;
  const Status status = file_.each(sql, [&](const Row& row) {
    ++rows_;
    take(row);
  });
  if (!status)
    say_note(sink_, Severity::data_loss, "note.sqlite.damaged", 1,
             fmt::format("{} ({})", table, file_.words()));
}

void NsysFile::read_strings() {
  run("StringIds", "select id, value from StringIds",
      [&](const Row& row) { strings_[row.integer(0)] = sink_.intern(row.text(1)); });
}

void NsysFile::read_names() {
  run("PROCESSES", "select pid, name from PROCESSES",
      [&](const Row& row) { process_names_[row.integer(0)] = sink_.intern(row.text(1)); });
  run("ThreadNames", "select globalTid, nameId from ThreadNames",
      [&](const Row& row) { thread_names_[row.integer(0)] = string(row.integer(1)); });
  if (file_.has("TARGET_INFO_CUDA_DEVICE"))
    run("TARGET_INFO_GPU",
        "select d.cudaId, g.name from TARGET_INFO_CUDA_DEVICE d join TARGET_INFO_GPU g on g.id = d.gpuId",
        [&](const Row& row) { gpu_names_[row.integer(0)] = sink_.intern(row.text(1)); });
  else
    run("TARGET_INFO_GPU", "select id, name from TARGET_INFO_GPU",
        [&](const Row& row) { gpu_names_[row.integer(0)] = sink_.intern(row.text(1)); });
}

void NsysFile::read_meta() {
  run("META_DATA_EXPORT",
      "select name, value from META_DATA_EXPORT where name like 'EXPORT_PRODUCT%' or name like "
      "'EXPORT_SCHEMA_VERSION'",
      [&](const Row& row) { sink_.metadata(fmt::format("nsys.{}", row.text(0)), row.text(1)); });
  run("TARGET_INFO_SESSION_START_TIME", "select utcEpochNs from TARGET_INFO_SESSION_START_TIME",
      [&](const Row& row) { sink_.metadata("start_realtime_ns", row.text(0)); });
  run("DIAGNOSTIC_EVENT", "select text, count(*) from DIAGNOSTIC_EVENT group by 1", [&](const Row& row) {
    say_note(sink_, Severity::notice, "note.nsys.diagnostic", row.integer(1), row.text(0).substr(0, 200));
  });
}

Id<Process> NsysFile::process(std::int64_t global) {
  const std::int64_t pid = pid_of(global);
  const auto [found, is_new] = processes_.try_emplace(pid);
  if (is_new) {
    const auto name = process_names_.find(pid);
    found->second = sink_.process(
        {.pid = pid, .name = name == process_names_.end() ? StrId{} : name->second, .cmdline = {}});
  }
  return found->second;
}

Id<Track> NsysFile::thread_track(std::int64_t global) {
  const auto [found, is_new] = tracks_.try_emplace(global);
  if (is_new) {
    const auto name = thread_names_.find(global);
    const StrId label = name == thread_names_.end() ? StrId{} : name->second;
    const Id<Process> owner = process(global);
    const Id<Thread> thread = sink_.thread({.process = owner, .tid = tid_of(global), .name = label});
    found->second =
        sink_.track({.name = label, .kind = TrackKind::thread, .thread = thread, .process = owner});
  }
  return found->second;
}

Id<Stream> NsysFile::stream(std::int64_t device, std::int64_t number) {
  const auto [found, is_new] = streams_.try_emplace({device, number});
  if (!is_new) return found->second;
  const auto [owner, is_new_device] = devices_.try_emplace(device);
  if (is_new_device) {
    const auto name = gpu_names_.find(device);
    owner->second = sink_.device(
        {.name = name == gpu_names_.end() ? sink_.intern(fmt::format("GPU {}", device)) : name->second,
         .kind = DeviceKind::gpu,
         .index = device});
  }
  found->second = sink_.stream(
      {.device = owner->second,
       .number = number,
       .name = sink_.intern(number == kWholeContext ? "all streams" : fmt::format("stream {}", number))});
  return found->second;
}

void NsysFile::read_kernels() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_KERNEL";
  const std::string sql = fmt::format(
      "select start, \"end\", deviceId, streamId, correlationId, {}, coalesce({}, {}, {}), {}, {}, {}, {}, "
      "{}, {}, {}, {} from {}",
      file_.column_or(kTable, "globalPid", "0"), file_.column_or(kTable, "demangledName"),
      file_.column_or(kTable, "shortName"), file_.column_or(kTable, "mangledName"),
      file_.column_or(kTable, "gridX", "0"), file_.column_or(kTable, "gridY", "0"),
      file_.column_or(kTable, "gridZ", "0"), file_.column_or(kTable, "blockX", "0"),
      file_.column_or(kTable, "blockY", "0"), file_.column_or(kTable, "blockZ", "0"),
      file_.column_or(kTable, "registersPerThread", "0"), file_.column_or(kTable, "graphNodeId"), kTable);
  const StrId grid = sink_.intern("grid"), block = sink_.intern("block"),
              registers = sink_.intern("registers per thread"), node = sink_.intern("graph node id");
  std::set<std::int64_t> collectives;
  run("StringIds", "select id from StringIds where value like '%nccl%'",
      [&](const Row& row) { collectives.insert(row.integer(0)); });
  run(kTable, sql, [&](const Row& row) {
    args_.clear();
    const auto shape = [&](int from) {
      return sink_.intern(
          fmt::format("[{},{},{}]", row.integer(from), row.integer(from + 1), row.integer(from + 2)));
    };
    args_.push_back({grid, shape(7)});
    args_.push_back({block, shape(10)});
    args_.push_back({registers, row.integer(13)});
    if (!row.is_null(14) && row.integer(14) != 0) args_.push_back({node, row.integer(14)});
    sink_.kernel(
        {.stream = stream(row.integer(2), row.integer(3)),
         .ts = {row.integer(0)},
         .dur = length_between(row.integer(0), row.integer(1)),
         .name = string(row.integer(6)),
         .op_type = {},
         .kind = collectives.contains(row.integer(6)) ? KernelKind::communication : KernelKind::compute,
         .correlation = static_cast<std::uint64_t>(row.integer(4)),
         .flow_in = launch_flow(row.integer(5), row.integer(4)),
         .args = args_});
    ++kernels_;
  });
}

std::string_view copy_word(std::int64_t kind) {
  switch (kind) {
  case 1:
    return "HtoD";
  case 2:
    return "DtoH";
  case 8:
    return "DtoD";
  case 9:
    return "HtoH";
  case 10:
    return "PtoP";
  case 11:
  case 12:
  case 13:
    return "unified";
  default:
    return "copy";
  }
}

void NsysFile::read_copies() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_MEMCPY";
  run(kTable,
      fmt::format("select start, \"end\", deviceId, streamId, correlationId, {}, bytes, copyKind from {}",
                  file_.column_or(kTable, "globalPid", "0"), kTable),
      [&](const Row& row) {
        sink_.kernel({.stream = stream(row.integer(2), row.integer(3)),
                      .ts = {row.integer(0)},
                      .dur = length_between(row.integer(0), row.integer(1)),
                      .name = sink_.intern(fmt::format("Memcpy {}", copy_word(row.integer(7)))),
                      .op_type = {},
                      .kind = KernelKind::memory,
                      .correlation = static_cast<std::uint64_t>(row.integer(4)),
                      .flow_in = launch_flow(row.integer(5), row.integer(4)),
                      .bytes = row.integer(6)});
        ++kernels_;
      });
}

void NsysFile::read_sets() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_MEMSET";
  run(kTable,
      fmt::format("select start, \"end\", deviceId, streamId, correlationId, {}, bytes from {}",
                  file_.column_or(kTable, "globalPid", "0"), kTable),
      [&](const Row& row) {
        sink_.kernel({.stream = stream(row.integer(2), row.integer(3)),
                      .ts = {row.integer(0)},
                      .dur = length_between(row.integer(0), row.integer(1)),
                      .name = sink_.intern("Memset"),
                      .op_type = {},
                      .kind = KernelKind::memory,
                      .correlation = static_cast<std::uint64_t>(row.integer(4)),
                      .flow_in = launch_flow(row.integer(5), row.integer(4)),
                      .bytes = row.integer(6)});
        ++kernels_;
      });
}

void NsysFile::read_api(std::string_view table, Layer layer) {
  std::map<std::int64_t, StrId> names; // of StringIds, without the version
  run("StringIds", "select id, value from StringIds",
      [&](const Row& row) { names[row.integer(0)] = sink_.intern(without_version(row.text(1))); });
  const StrId category = sink_.intern(layer == Layer::os ? "osrt" : "cuda_runtime");
  const std::string correlation = file_.column_or(table, "correlationId", "0");
  run(table, fmt::format("select start, \"end\", globalTid, nameId, {} from {}", correlation, table),
      [&](const Row& row) {
        const std::uint64_t flow[1] = {launch_flow(row.integer(2), row.integer(4))};
        sink_.slice({.track = thread_track(row.integer(2)),
                     .ts = {row.integer(0)},
                     .dur = length_between(row.integer(0), row.integer(1)),
                     .name = names[row.integer(3)],
                     .category = category,
                     .layer = layer,
                     .flows_out = std::span(flow).first(row.integer(4) != 0 ? 1 : 0)});
      });
}

Id<Track> NsysFile::waits(std::int64_t device, std::int64_t number) {
  const auto [found, is_new] = waits_.try_emplace({device, number});
  if (is_new)
    found->second =
        sink_.track({.name = sink_.intern(number == kWholeContext ? std::string("all streams waits")
                                                                  : fmt::format("stream {} waits", number)),
                     .kind = TrackKind::stream,
                     .stream = stream(device, number)});
  return found->second;
}

// A wait names a device, which is the calling thread's current one and 0 where that is not known; its context
// is right, and kernels say which device a context is of.
void NsysFile::read_context_devices() {
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_KERNEL";
  if (!file_.has(kTable, "contextId") || !file_.has(kTable, "globalPid")) return;
  run(kTable, fmt::format("select distinct globalPid, contextId, deviceId from {}", kTable),
      [&](const Row& row) { device_of_context_[{row.integer(0), row.integer(1)}] = row.integer(2); });
}

void NsysFile::read_syncs() {
  const std::array<StrId, 5> names{sink_.intern("Sync"), sink_.intern("Event Sync"),
                                   sink_.intern("Stream Wait Event"), sink_.intern("Stream Sync"),
                                   sink_.intern("Context Sync")};
  const StrId category = sink_.intern("cuda_sync");
  constexpr std::string_view kTable = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
  read_context_devices();
  run(kTable,
      fmt::format("select start, \"end\", deviceId, streamId, syncType, {}, {} from {}",
                  file_.column_or(kTable, "globalPid", "0"), file_.column_or(kTable, "contextId", "0"),
                  kTable),
      [&](const Row& row) {
        const std::int64_t type = row.integer(4);
        const auto owner = device_of_context_.find({row.integer(5), row.integer(6)});
        const std::int64_t device = owner == device_of_context_.end() ? row.integer(2) : owner->second;
        sink_.slice({.track = waits(device, static_cast<std::int32_t>(row.integer(3))),
                     .ts = {row.integer(0)},
                     .dur = length_between(row.integer(0), row.integer(1)),
                     .name = names[type >= 1 && type <= 4 ? static_cast<std::size_t>(type) : 0],
                     .category = category,
                     .layer = Layer::device});
      });
}

// start, end, eventType, text, globalTid. PyTorch's emit_nvtx writes "aten::to, seq = 7, op_id = 9".
void NsysFile::nvtx(const Row& row) {
  constexpr std::int64_t kPushPop = 59, kRange = 60, kMark = 34;
  const std::int64_t type = row.integer(2);
  if (type != kPushPop && type != kRange && type != kMark) return;
  std::string_view name = row.text(3);
  args_.clear();
  const std::size_t op_id = name.find(", op_id = ");
  const bool is_op = op_id != std::string_view::npos;
  if (is_op) {
    args_.push_back({sink_.intern("nvtx_text"), sink_.intern(name)});
    name = name.substr(0, name.find(", "));
    args_.push_back({sink_.intern(words::kArgOpType), sink_.intern(name)});
    ++ops_;
  }
  Id<Track> track;
  if (type == kRange) {
    const auto [found, is_new] = ranges_.try_emplace(pid_of(row.integer(4)));
    if (is_new)
      found->second = sink_.track({.name = sink_.intern("NVTX ranges"),
                                   .kind = TrackKind::async,
                                   .process = process(row.integer(4))});
    track = found->second;
  } else {
    track = thread_track(row.integer(4));
  }
  const std::int64_t end = type == kMark ? row.integer(0) : row.integer(1);
  sink_.slice({.track = track,
               .ts = {row.integer(0)},
               .dur = row.is_null(1) && type != kMark ? kUnfinished : length_between(row.integer(0), end),
               .name = sink_.intern(name),
               .category = sink_.intern(is_op ? words::kOp : std::string_view("nvtx")),
               .layer = is_op ? Layer::framework : Layer::application,
               .args = args_});
}

void NsysFile::read_nvtx() {
  constexpr std::string_view kTable = "NVTX_EVENTS";
  const std::string text_id = file_.column_or(kTable, "textId");
  run(kTable,
      fmt::format("select start, \"end\", eventType, coalesce({}, (select value from StringIds where id = "
                  "{})), globalTid from {} where start is not null",
                  file_.column_or(kTable, "text"), text_id == "NULL" ? text_id : "NVTX_EVENTS.textId",
                  kTable),
      [&](const Row& row) { nvtx(row); });
}

void NsysFile::say_what_is_left() {
  for (const std::string_view table : kNotRead)
    if (const std::int64_t n = file_.count(table); n > 0)
      say_note(sink_, Severity::notice, "note.nsys.table_not_read", n, table);
}

Status NsysFile::read() {
  read_strings();
  read_names();
  read_meta();
  rows_ = 0;
  read_kernels();
  read_copies();
  read_sets();
  read_api("CUPTI_ACTIVITY_KIND_RUNTIME", Layer::runtime);
  read_api("OSRT_API", Layer::os);
  read_syncs();
  read_nvtx();
  say_what_is_left();
  sink_.metadata("format", "Nsight Systems SQLite export");
  const auto signal = [&](std::string_view what, std::int64_t count) {
    say_available(sink_, "nsys", what, count);
  };
  signal(words::kSignalKernels, kernels_);
  signal(words::kSignalOps, ops_);
  if (rows_ == 0) return error_said(Errc::malformed, "error.no_events", {});
  return {};
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  PROF_TRY(const SqliteFile file, SqliteFile::open(path));
  return NsysFile(file, sink).read();
}

} // namespace

extern const Reader nsys_reader;
const Reader nsys_reader{
    .name = "nsys",
    .description = "import.format.nsys",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "schema 3.24 and 3.25; older ones by the columns that are there",
              .tested_on = "real: one export of two processes on two GPUs (nsys-ai)",
              .reads = "kernels, copies, sets, runtime and driver calls, OS calls, waits, NVTX ranges and "
                       "marks, names of GPUs and threads, session start",
              .leaves_out = "scheduling, CPU samples, GPU metrics, call chains, memory usage, graph traces "
                            "(each counted in a note)"}};

} // namespace prof
