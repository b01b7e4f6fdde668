#include "import/ascend/trace_index.hpp"

#include "import/json/event_lanes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <ranges>

namespace prof::ascend {
namespace {

using json::EventArg;
using json::EventBatch;
using json::TraceEvent;
using json::ValueKind;

const EventArg* find_arg(const EventBatch& batch, const TraceEvent& event, std::string_view key) {
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg)
    if (arg->key == key) return arg;
  return nullptr;
}

// Ids and numbers stand as JSON numbers in some files and as text in others.
std::optional<std::int64_t> number_of(const EventArg* arg) {
  if (arg == nullptr) return {};
  if (arg->kind == ValueKind::integer) return arg->integer;
  std::int64_t number = 0;
  if (arg->kind == ValueKind::text && json::number_in(arg->text, number)) return number;
  return {};
}

// Rows that begin at the very same time: real files have a handful; a made-up one must not cost their square.
constexpr int kMaxSameTime = 1024;

std::uint64_t part_key(std::int64_t stream, std::int64_t task, std::int64_t context) {
  return (static_cast<std::uint64_t>(stream) << 48U) ^ (static_cast<std::uint64_t>(task) << 20U) ^
         static_cast<std::uint64_t>(context);
}

template <class Points>
auto points_at(Points& points, std::uint64_t lane, std::int64_t ts) {
  return std::ranges::equal_range(points, std::pair(lane, ts), {},
                                  [](const FlowPoint& p) { return std::pair(p.lane, p.ts); });
}

} // namespace

EventRole role_of_event(const EventBatch& batch, const TraceEvent& event) {
  if (!event.category.empty()) return EventRole::host;
  const auto has = [&](std::string_view key) { return find_arg(batch, event, key) != nullptr; };
  if (has("Task Type")) return EventRole::task;
  if (has("notify_id") || has("duration estimated(us)")) return EventRole::part;
  if (has("level") || has("Thread Id")) return EventRole::cann;
  if (is_collective(event.name, {}) || has("alg_type")) return EventRole::collective;
  constexpr std::array<std::string_view, 4> kOverlap{"Computing", "Communication",
                                                     "Communication(Not Overlapped)", "Free"};
  const bool is_overlap =
      event.args_begin == event.args_end && std::ranges::find(kOverlap, event.name) != kOverlap.end();
  return is_overlap ? EventRole::overlap : EventRole::other;
}

std::optional<std::uint64_t> connection_of(const EventBatch& batch, const TraceEvent& event) {
  constexpr std::int64_t kNoConnection = 4294967295;
  const auto number = number_of(find_arg(batch, event, "connection_id"));
  if (!number || *number < 0 || *number == kNoConnection) return {};
  return static_cast<std::uint64_t>(*number);
}

std::uint64_t lane_of(std::string_view pid, std::string_view tid) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL; };
  std::ranges::for_each(pid, add);
  add('/');
  std::ranges::for_each(tid, add);
  return hash;
}

std::uint64_t row_key(std::uint64_t lane, std::int64_t ts, std::int64_t dur, std::uint32_t name) {
  std::uint64_t hash = lane;
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(ts), static_cast<std::uint64_t>(dur), static_cast<std::uint64_t>(name)}) {
    hash = (hash ^ part) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32U;
  }
  return hash;
}

const std::vector<Arg>& TraceIndex::details(const DeviceTask& task) const {
  static const std::vector<Arg> kNone;
  return task.details == 0 ? kNone : details_[task.details - 1];
}

void TraceIndex::name(const EventBatch& batch, const TraceEvent& event) {
  const EventArg* label = find_arg(batch, event, event.name == "process_labels" ? "labels" : "name");
  if (label == nullptr || label->kind != ValueKind::text) return;
  std::int64_t number = 0;
  if (event.name == "process_labels" && label->text.starts_with("NPU") &&
      json::number_in(label->text, number)) {
    device_ = number;
    is_device_labelled_ = true;
  }
  const bool is_numbered = label->text.starts_with("Group ") || label->text.starts_with("Plane ");
  if (event.name == "thread_name" && is_numbered && json::number_in(label->text, number))
    number_of_lane_[lane_of(event.pid, event.tid)] = number;
}

void TraceIndex::add_task(const EventBatch& batch, const TraceEvent& event) {
  DeviceTask task{.ts = event.ts, .dur = event.dur, .lane = lane_of(event.pid, event.tid)};
  std::string_view type;
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    const auto number = number_of(arg);
    if (arg->key == "Task Type" && arg->kind == ValueKind::text)
      type = arg->text;
    else if ((arg->key == "Physic Stream Id" || arg->key == "Stream Id") && number)
      task.stream = *number;
    else if (arg->key == "Task Id" && number)
      task.task = *number;
    else if (arg->key == "Subtask Id" && number)
      task.subtask = *number;
    else if ((arg->key == "data size(Byte)" || arg->key == "size(B)") && number)
      task.bytes = *number;
    else if ((arg->key == "memcpy direction" || arg->key == "operation") && arg->kind == ValueKind::text)
      task.direction = texts_.intern(arg->text);
  }
  if (task.stream < 0 && !json::number_in(event.tid, task.stream)) task.stream = kUnknownStream;
  if (const auto connection = connection_of(batch, event)) {
    task.connection = *connection;
    task.has_connection = true;
  }
  task.name = texts_.intern(event.name);
  task.type = texts_.intern(type);
  task.role = role_of_task(type, event.name);
  if (std::int64_t pid = 0; !is_device_labelled_ && json::number_in(event.pid, pid)) device_ = pid & 31;
  tasks_.push_back(task);
}

void TraceIndex::add_collective(const EventBatch& batch, const TraceEvent& event) {
  DeviceTask task{.ts = event.ts, .dur = event.dur, .lane = lane_of(event.pid, event.tid)};
  if (const auto connection = connection_of(batch, event)) {
    task.connection = *connection;
    task.has_connection = true;
  }
  std::int64_t group = 0;
  if (const auto named = number_of_lane_.find(task.lane); named != number_of_lane_.end())
    group = named->second;
  else
    (void)json::number_in(event.tid, group);
  task.stream = group_stream(group);
  task.name = texts_.intern(event.name);
  task.is_collective = true;
  std::vector<Arg> args;
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg)
    if (arg->kind != ValueKind::null && arg->key != "connection_id" && arg->key != "model id")
      args.push_back({.key = texts_.intern(arg->key), .value = value_of(*arg, texts_)});
  if (!args.empty()) {
    details_.push_back(std::move(args));
    task.details = static_cast<std::uint32_t>(details_.size());
  }
  tasks_.push_back(task);
}

void TraceIndex::add_part(const EventBatch& batch, const TraceEvent& event) {
  NpuSide::Task part{.ts = {event.ts}, .dur = {event.dur}, .args = {}};
  std::int64_t task = -1, context = -1;
  const auto plane = number_of_lane_.find(lane_of(event.pid, event.tid));
  if (plane != number_of_lane_.end())
    part.plane = plane->second;
  else if (!json::number_in(event.tid, part.plane))
    part.plane = 0;
  part.stream = kUnknownStream;
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    const auto number = number_of(arg);
    if (arg->key == "stream id" && number)
      part.stream = *number;
    else if (arg->key == "task id" && number)
      task = *number;
    else if (arg->key == "context id" && number)
      context = *number;
    else if (arg->kind != ValueKind::null && arg->key != "model id")
      part.args.push_back({.key = texts_.intern(arg->key), .value = value_of(*arg, texts_)});
  }
  part.name = texts_.intern(event.name);
  part.category = texts_.intern(category_of(TaskRole::communication_part));
  part_keys_.insert(part_key(part.stream, task, context));
  parts_.push_back(std::move(part));
}

void TraceIndex::add_flow(const TraceEvent& event) {
  const bool is_out = event.phase == 's';
  if (event.category != "async_npu" && event.category != "fwdbwd") return;
  const bool is_op = event.category == "async_npu";
  auto& points = is_op ? (is_out ? op_out_ : op_in_) : (is_out ? autograd_out_ : autograd_in_);
  points.push_back({.lane = lane_of(event.pid, event.tid),
                    .ts = event.ts,
                    .id = flow_id(is_op ? FlowKind::op : FlowKind::autograd, rank_, event.id)});
}

void TraceIndex::take(const EventBatch& batch) {
  for (const TraceEvent& event : batch.events()) {
    if (event.phase == 'M') {
      name(batch, event);
      continue;
    }
    if (!event.has_ts || event.ts <= 0) continue; // counted in the second pass
    if (event.phase == 's' || event.phase == 'f') {
      add_flow(event);
      continue;
    }
    if (event.phase != 'X') continue;
    switch (role_of_event(batch, event)) {
    case EventRole::host:
      if (python_pid_.empty()) python_pid_ = event.pid;
      if (std::int64_t number = 0; Steps::number_of(event.name, number))
        steps_.add(lane_of(event.pid, event.tid), {event.ts}, {event.dur});
      break;
    case EventRole::task:
      add_task(batch, event);
      break;
    case EventRole::collective:
      add_collective(batch, event);
      break;
    case EventRole::part:
      add_part(batch, event);
      break;
    case EventRole::cann:
      if (const auto connection = connection_of(batch, event)) cann_connections_.insert(*connection);
      break;
    case EventRole::overlap:
    case EventRole::other:
      break;
    }
  }
}

// The parts of a collective are listed twice: as tasks of their stream, and with all they did.
void TraceIndex::drop_repeated() {
  std::erase_if(tasks_, [&](const DeviceTask& task) {
    return task.role == TaskRole::communication_part &&
           part_keys_.contains(part_key(task.stream, task.task, task.subtask));
  });
  part_keys_.clear();
  if (files_ < 2) return;
  std::unordered_set<std::uint64_t> seen;
  std::erase_if(tasks_, [&](const DeviceTask& task) {
    const std::uint64_t lane = lane_of(std::to_string(task.stream), std::to_string(task.task));
    return !seen.insert(row_key(lane, task.ts, task.dur, task.name.row)).second;
  });
  seen.clear();
  std::erase_if(parts_, [&](const NpuSide::Task& part) {
    const std::uint64_t lane = lane_of(std::to_string(part.stream), std::to_string(part.plane));
    return !seen.insert(row_key(lane, part.ts.ns, part.dur.ns, part.name.row)).second;
  });
}

void TraceIndex::link() {
  drop_repeated();
  for (auto* points : {&op_out_, &op_in_, &autograd_out_, &autograd_in_})
    std::ranges::sort(*points);
  std::ranges::stable_sort(tasks_, {}, &DeviceTask::ts);
  std::unordered_map<std::uint64_t, std::uint64_t> out_of_id; // flow of an operator -> what it becomes
  for (DeviceTask& task : tasks_) {
    const auto from = points_at(op_in_, task.lane, task.ts);
    const std::uint64_t op = from.empty() ? 0 : from.begin()->id;
    const bool has_call = task.has_connection && cann_connections_.contains(task.connection);
    if (has_call) {
      device_connections_.insert(task.connection);
      task.flow_in = flow_id(FlowKind::launch, rank_, task.connection);
      if (op == 0) continue;
      // An operator led to a call, which led to the task: two steps.
      const std::uint64_t step = flow_id(FlowKind::op, rank_, ~task.connection);
      launch_in_.try_emplace(task.connection, step);
      out_of_id[op] = step;
    } else if (op != 0) {
      task.flow_in = op | kLaunchFlow;
      out_of_id[op] = task.flow_in;
    }
  }
  std::erase_if(op_out_, [&](FlowPoint& point) {
    const auto found = out_of_id.find(point.id);
    if (found == out_of_id.end()) return true;
    point.id = found->second;
    return false;
  });
  op_in_ = {};
}

Result<json::StreamReport> TraceIndex::read(const std::filesystem::path& path) {
  ++files_;
  return json::stream_events(path, {.on_member = {}, .on_events = [&](const EventBatch& b) { take(b); }});
}

DeviceTask* TraceIndex::find(Ts ts, StrId name, std::optional<std::int64_t> stream,
                             std::optional<std::int64_t> task) {
  constexpr std::int64_t kRounding = 1; // ns
  auto at = std::ranges::lower_bound(tasks_, ts.ns - kRounding, {}, &DeviceTask::ts);
  DeviceTask* found = nullptr;
  for (int steps = 0; at != tasks_.end() && at->ts <= ts.ns + kRounding && steps < kMaxSameTime;
       ++at, ++steps) {
    if (at->is_used || (!at->is_collective && at->role != TaskRole::compute)) continue;
    if (at->name == name) return &*at;
    const bool is_same_task = stream && task && at->stream == *stream && at->task == *task;
    if (is_same_task) found = &*at;
  }
  return found;
}

std::vector<std::uint64_t> TraceIndex::take_op_flows(std::uint64_t lane, std::int64_t ts) {
  std::vector<std::uint64_t> flows;
  for (FlowPoint& point : points_at(op_out_, lane, ts) | std::views::take(kMaxSameTime))
    if (const std::uint64_t id = std::exchange(point.id, 0);
        id != 0 && std::ranges::find(flows, id) == flows.end())
      flows.push_back(id);
  return flows;
}

std::uint64_t TraceIndex::autograd_out(std::uint64_t lane, std::int64_t ts) const {
  const auto points = points_at(autograd_out_, lane, ts);
  return points.empty() ? 0 : points.begin()->id;
}
std::uint64_t TraceIndex::autograd_in(std::uint64_t lane, std::int64_t ts) const {
  const auto points = points_at(autograd_in_, lane, ts);
  return points.empty() ? 0 : points.begin()->id;
}

std::uint64_t TraceIndex::launch_out(std::uint64_t connection) const {
  return device_connections_.contains(connection) ? flow_id(FlowKind::launch, rank_, connection) : 0;
}
std::uint64_t TraceIndex::launch_in(std::uint64_t connection) const {
  const auto found = launch_in_.find(connection);
  return found == launch_in_.end() ? 0 : found->second;
}

} // namespace prof::ascend
