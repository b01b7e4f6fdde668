// rpd_reader.cpp: rocmProfileData files (.rpd, SQLite).
#include "base/lang.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/sqlite/sqlite_file.hpp"
#include "trace/conventions.hpp"

#include <charconv>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace prof {
namespace {

using Row = SqliteFile::Row;

int sniff(std::string_view head, const std::filesystem::path& path, bool is_folder) {
  if (is_folder || !is_sqlite(head)) return 0;
  const auto file = SqliteFile::open(path);
  return file && file->has("rocpd_op") && file->has("rocpd_api") && file->has("rocpd_string") ? 90 : 0;
}

class RpdFile {
public:
  RpdFile(const SqliteFile& file, TraceSink& sink) : file_(file), sink_(sink) {}

  Status read() {
    read_calls();
    read_ops();
    read_monitors();
    sink_.metadata("format", "rocmProfileData");
    say_available(sink_, "rpd", words::kSignalKernels, kernels_);
    if (rows_ == 0) return error_said(Errc::malformed, "error.no_events", {});
    return {};
  }

private:
  void run(std::string_view what, const std::string& sql, const std::function<void(const Row&)>& take) {
    const Status status = file_.each(sql, [&](const Row& row) {
      ++rows_;
      take(row);
    });
    if (!status)
      sink_.note({.severity = Severity::data_loss,
                  .code = sink_.intern("note.sqlite.damaged"),
                  .where = sink_.intern(fmt::format("{} ({})", what, file_.words()))});
  }

  Id<Device> device(std::int64_t index) {
    const auto [found, is_new] = devices_.try_emplace(index);
    if (is_new)
      found->second = sink_.device(
          {.name = sink_.intern(fmt::format("GPU {}", index)), .kind = DeviceKind::gpu, .index = index});
    return found->second;
  }

  // The flow id of an operation is its row: one call may launch many (a graph), and a row is unique in the
  // file.
  static std::uint64_t flow_of(std::int64_t op) { return kLaunchFlow | static_cast<std::uint64_t>(op); }

  void read_calls() {
    std::multimap<std::int64_t, std::uint64_t> ops_of;
    run("rocpd_api_ops", "select api_id, op_id from rocpd_api_ops",
        [&](const Row& row) { ops_of.emplace(row.integer(0), flow_of(row.integer(1))); });
    const StrId category = sink_.intern("hip_runtime"), args_key = sink_.intern("args");
    std::vector<std::uint64_t> flows;
    run("rocpd_api",
        "select a.id, a.pid, a.tid, a.start, a.\"end\", n.string, s.string from rocpd_api a left join "
        "rocpd_string n on n.id = a.apiName_id "
        "left join rocpd_string s on s.id = a.args_id order by a.start",
        [&](const Row& row) {
          flows.clear();
          const auto [from, to] = ops_of.equal_range(row.integer(0));
          for (auto at = from; at != to; ++at)
            flows.push_back(at->second);
          const Id<Process> process = sink_.process({.pid = row.integer(1), .name = {}, .cmdline = {}});
          const Id<Thread> thread = sink_.thread({.process = process, .tid = row.integer(2), .name = {}});
          const Arg args[1] = {{args_key, sink_.intern(row.text(6))}};
          sink_.slice({.track = sink_.track(
                           {.name = {}, .kind = TrackKind::thread, .thread = thread, .process = process}),
                       .ts = {row.integer(3)},
                       .dur = length_between(row.integer(3), row.integer(4)),
                       .name = sink_.intern(row.text(5)),
                       .category = category,
                       .layer = Layer::runtime,
                       .args = std::span(args).first(row.text(6).empty() ? 0 : 1),
                       .flows_out = flows});
        });
  }

  void read_ops() {
    const std::string sizes = file_.has("rocpd_copyapi")
                                  ? "left join (select x.op_id, max(c.size) size from rocpd_api_ops x join "
                                    "rocpd_copyapi c on c.api_ptr_id = x.api_id "
                                    "group by 1) b on b.op_id = o.id"
                                  : "left join (select NULL op_id, NULL size) b on b.op_id = o.id";
    run("rocpd_op",
        "select o.id, o.gpuId, o.queueId, o.start, o.\"end\", d.string, t.string, b.size from rocpd_op o "
        "left join rocpd_string d on d.id = "
        "o.description_id left join rocpd_string t on t.id = o.opType_id " +
            sizes,
        [&](const Row& row) {
          const std::string_view type = row.text(6);
          const bool is_copy = type.starts_with("Copy") || type.starts_with("Fill");
          const std::string_view name = row.text(5).empty() ? type : row.text(5);
          const Id<Stream> queue =
              sink_.stream({.device = device(row.integer(1)),
                            .number = row.integer(2),
                            .name = sink_.intern(fmt::format("queue {}", row.integer(2)))});
          sink_.kernel({.stream = queue,
                        .ts = {row.integer(3)},
                        .dur = length_between(row.integer(3), row.integer(4)),
                        .name = sink_.intern(name),
                        .op_type = {},
                        .kind = is_copy               ? KernelKind::memory
                                : is_collective(name) ? KernelKind::communication
                                                      : KernelKind::compute,
                        .correlation = static_cast<std::uint64_t>(row.integer(0)),
                        .flow_in = flow_of(row.integer(0)),
                        .bytes = is_copy ? row.integer(7) : 0});
          ++kernels_;
        });
  }

  // Clock rates, temperature, power: a value holds from start to end.
  void read_monitors() {
    if (!file_.has("rocpd_monitor")) return;
    run("rocpd_monitor",
        "select deviceId, monitorType, start, value from rocpd_monitor where deviceType = 'gpu'",
        [&](const Row& row) {
          const std::string_view text = row.text(3);
          double value = 0;
          if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{}) return;
          const auto track = sink_.counter_track(
              {.name = sink_.intern(row.text(1)), .unit = {}, .device = device(row.integer(0))});
          sink_.counter(track, {row.integer(2)}, value);
        });
  }

  const SqliteFile& file_;
  TraceSink& sink_;
  std::map<std::int64_t, Id<Device>> devices_;
  std::int64_t kernels_ = 0, rows_ = 0;
};

Status read(const std::filesystem::path& path, TraceSink& sink) {
  PROF_TRY(const SqliteFile file, SqliteFile::open(path));
  return RpdFile(file, sink).read();
}

} // namespace

extern const Reader rpd_reader;
const Reader rpd_reader{
    .name = "rpd",
    .description = "import.format.rpd",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "one schema; it has no number",
              .tested_on = "real: one file of rocmProfileData (matrix products on one GPU)",
              .reads =
                  "HIP calls with arguments, operations, copy sizes, monitors (clocks, temperature, power)",
              .leaves_out = "barriers and signals of queues"}};

} // namespace prof
