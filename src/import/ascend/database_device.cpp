#include "import/ascend/database_rank.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace prof::ascend {

void DatabaseRank::load_compute() {
  std::unordered_map<std::int64_t, std::vector<Arg>> counters;
  each("TASK_PMU_INFO", {"globalTaskId", "name", "value"}, [&](const Rows& rows) {
    const auto task = rows.integer(0);
    const StrId key = string(rows, 1);
    const auto value = rows.real(2);
    if (task && value && *value != 0 && !key.is_empty())
      counters[*task].push_back({.key = key, .value = *value});
  });
  const std::vector<std::string_view> columns{
      "globalTaskId",   "name",         "opType",       "taskType",        "blockDim",
      "blockNum",       "block_dim",    "mixBlockDim",  "mixBlockNum",     "inputShapes",
      "inputDataTypes", "inputFormats", "outputShapes", "outputDataTypes", "outputFormats",
      "opState"};
  each("COMPUTE_TASK_INFO", columns, [&](const Rows& rows) {
    const auto id = rows.integer(0);
    if (!id) return;
    const auto is_known = [&](int column) {
      const std::string_view text = string_text(rows, column);
      return !text.empty() && text != "N/A";
    };
    Compute info{.name = string(rows, 1), .type = is_known(2) ? string(rows, 2) : StrId{}, .args = {}};
    if (is_known(3)) add_arg(info.args, "core", string(rows, 3));
    // Since schema 1.2 the number of blocks is blockNum, and blockDim is something else.
    const bool is_new = db_.has("COMPUTE_TASK_INFO", "blockNum");
    add_number(info.args, "block_dim", rows, is_new ? 5 : rows.integer(4) ? 4 : 6);
    add_number(info.args, "mix_block_dim", rows, is_new ? 8 : 7);
    constexpr std::array<std::string_view, 7> kTexts{
        words::kArgInputShapes, "input_dtypes",   "input_formats", words::kArgOutputShapes,
        "output_dtypes",        "output_formats", "op_state"};
    for (std::size_t i = 0; i < kTexts.size(); ++i)
      if (const int column = 9 + static_cast<int>(i); is_known(column)) {
        std::string_view text = string_text(rows, column);
        if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
          text = text.substr(1, text.size() - 2);
        add_arg(info.args, kTexts[i], texts_.intern(text));
      }
    if (const auto found = counters.find(*id); found != counters.end())
      info.args.insert(info.args.end(), found->second.begin(), found->second.end());
    compute_.insert_or_assign(*id, std::move(info));
  });
}

void DatabaseRank::load_parts() {
  const auto enumerated = [&](std::string_view table) {
    std::unordered_map<std::int64_t, std::string> names;
    each(table, {"id", "name"}, [&](const Rows& rows) {
      if (const auto id = rows.integer(0)) names.emplace(*id, rows.text(1));
    });
    return names;
  };
  const auto transports = enumerated("ENUM_HCCL_TRANSPORT_TYPE"), links = enumerated("ENUM_HCCL_LINK_TYPE");
  each("COMMUNICATION_TASK_INFO",
       {"globalTaskId", "taskType", "planeId", "size", "srcRank", "dstRank", "transportType", "linkType"},
       [&](const Rows& rows) {
         const auto id = rows.integer(0);
         if (!id) return;
         Part part{.plane = std::max<std::int64_t>(rows.integer(2).value_or(0), 0),
                   .name = string(rows, 1),
                   .args = {}};
         add_number(part.args, "bytes", rows, 3);
         add_number(part.args, "src_rank", rows, 4);
         add_number(part.args, "dst_rank", rows, 5);
         const auto add_word = [&](std::string_view key, const auto& names, int column) {
           const auto found = names.find(rows.integer(column).value_or(-1));
           if (found != names.end()) add_arg(part.args, key, texts_.intern(found->second));
         };
         add_word("transport", transports, 6);
         add_word("link", links, 7);
         parts_.insert_or_assign(*id, std::move(part));
       });
}

// A task that has a row among the kernels, or that must be one by its type where no such table is.
void DatabaseRank::kernel(const Rows& rows, Interval when, Compute info) {
  const std::int64_t device = device_of(rows.integer(2).value_or(default_device_));
  const std::int64_t connection = rows.integer(3).value_or(-1);
  add_number(info.args, "task_id", rows, 7);
  sink_.kernel({.stream = npu_.stream(device, rows.integer(6).value_or(kUnknownStream)),
                .ts = when.ts,
                .dur = when.dur,
                .name = info.name,
                .op_type = info.type,
                .kind = KernelKind::compute,
                .correlation = connection > 0 ? static_cast<std::uint64_t>(connection) : 0,
                .flow_in = launch(connection),
                .args = info.args});
  ++kernels_;
}

// A copy, an event, or a part of a collective.
void DatabaseRank::other_task(const Rows& rows, Interval when, TaskRole role) {
  NpuSide::Task task{.device = device_of(rows.integer(2).value_or(default_device_)),
                     .stream = rows.integer(6).value_or(kUnknownStream),
                     .ts = when.ts,
                     .dur = when.dur,
                     .args = {}};
  task.name = string(rows, 5);
  if (role == TaskRole::compute) role = TaskRole::other; // it is none of the kernels
  const auto part = parts_.find(rows.integer(4).value_or(-1));
  if (part != parts_.end()) {
    role = TaskRole::communication_part;
    task.plane = part->second.plane;
    if (!part->second.name.is_empty()) task.name = part->second.name;
    task.args = std::move(part->second.args);
    parts_.erase(part);
  } else {
    task.flow_in = launch(rows.integer(3).value_or(-1));
  }
  task.category = texts_.intern(category_of(role));
  npu_.add(std::move(task));
}

void DatabaseRank::read_tasks() {
  const bool has_compute = db_.has("COMPUTE_TASK_INFO");
  each("TASK",
       {"startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "taskType", "streamId", "taskId"},
       [&](const Rows& rows) {
         const auto when = interval(rows, "TASK");
         if (!when) return;
         const std::string_view type = string_text(rows, 5);
         const TaskRole role = role_of_task(type, type);
         if (auto info = compute_.extract(rows.integer(4).value_or(-1)); !info.empty())
           kernel(rows, *when, std::move(info.mapped()));
         else if (!has_compute && role == TaskRole::compute)
           kernel(rows, *when, {.name = texts_.intern(type), .type = {}, .args = {}});
         else
           other_task(rows, *when, role);
       });
  if (!compute_.empty())
    notes_.count("note.ascend.task_without_time", Severity::data_loss, "COMPUTE_TASK_INFO",
                 std::ssize(compute_));
}

void DatabaseRank::read_collectives() {
  each("COMMUNICATION_OP",
       {"startNs", "endNs", "opName", "connectionId", "groupName", "opType", "algType", "count", "deviceId"},
       [&](const Rows& rows) {
         const auto when = interval(rows, "COMMUNICATION_OP");
         if (!when) return;
         const std::int64_t group_name = rows.integer(4).value_or(-1);
         const auto number = static_cast<std::int64_t>(group_of_.size());
         const auto [group, is_new] = group_of_.try_emplace(group_name, number);
         const std::int64_t connection = rows.integer(3).value_or(-1);
         std::vector<Arg> args;
         if (const StrId label = string(rows, 4); !label.is_empty()) add_arg(args, "group", label);
         if (const StrId algorithm = string(rows, 6); !algorithm.is_empty())
           add_arg(args, "alg_type", algorithm);
         add_number(args, "count", rows, 7);
         const std::int64_t device = device_of(rows.integer(8).value_or(default_device_));
         sink_.kernel({.stream = npu_.stream(device, group_stream(group->second)),
                       .ts = when->ts,
                       .dur = when->dur,
                       .name = string(rows, 2),
                       .op_type = string(rows, 5),
                       .kind = KernelKind::communication,
                       .correlation = connection > 0 ? static_cast<std::uint64_t>(connection) : 0,
                       .flow_in = launch(connection),
                       .args = args});
         ++kernels_;
       });
}

// Times of counters are in ns, sizes in bytes, rates in bytes a second.
void DatabaseRank::read_counters() {
  struct Source {
    std::string_view table, time, value, name, unit;
    std::string_view part;        // column whose value tells series apart
    std::string_view part_suffix; // a second one
  };
  constexpr std::array<Source, 8> kSources{
      {{"MEMORY_RECORD", "timestamp", "totalAllocated", "allocated_memory", "bytes", "component", ""},
       {"MEMORY_RECORD", "timestamp", "totalReserved", "reserved_memory", "bytes", "component", ""},
       {"MEMORY_RECORD", "timestamp", "totalActive", "active_memory", "bytes", "component", ""},
       {"AICORE_FREQ", "timestampNs", "freq", "AI Core Freq", "MHz", "", ""},
       {"NPU_MEM", "timestampNs", "hbm", "HBM", "bytes", "type", ""},
       {"HBM", "timestampNs", "bandwidth", "HBM", "bytes/s", "hbmId", "type"},
       {"LLC", "timestampNs", "throughput", "LLC throughput", "bytes/s", "llcId", "mode"},
       {"LLC", "timestampNs", "hitRate", "LLC hit rate", "percent", "llcId", "mode"}}};
  std::unordered_map<std::int64_t, std::string> memory_names;
  each("ENUM_MEMORY", {"id", "name"}, [&](const Rows& rows) {
    if (const auto id = rows.integer(0)) memory_names.emplace(*id, rows.text(1));
  });
  for (const Source& source : kSources)
    each(source.table, {source.time, source.value, "deviceId", source.part, source.part_suffix},
         [&](const Rows& rows) {
           const auto ts = rows.integer(0);
           const auto value = rows.real(1);
           if (!ts || *ts <= 0 || !value) return;
           std::string name(source.name);
           for (const int column : {3, 4}) {
             if (!rows.integer(column)) continue;
             const bool is_number = source.part.ends_with("Id") && column == 3;
             const auto known = memory_names.find(*rows.integer(column));
             const std::string word = is_number                     ? std::to_string(*rows.integer(column))
                                      : known != memory_names.end() ? known->second
                                                                    : std::string(string_text(rows, column));
             // PTA is the allocator of the framework, which other formats know alone.
             if (word != "PTA") name = source.part == "component" ? word + " " + name : name + " " + word;
           }
           const std::int64_t device = device_of(rows.integer(2).value_or(default_device_));
           const auto track = sink_.counter_track({.name = texts_.intern(name),
                                                   .unit = texts_.intern(source.unit),
                                                   .device = npu_.device(device)});
           sink_.counter(track, {*ts}, *value);
         });
}

} // namespace prof::ascend
