#include "import/ascend/npu_side.hpp"

#include "import/json/event_lanes.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <tuple>

namespace prof::ascend {
namespace {

constexpr std::string_view kStep = "ProfilerStep#";
constexpr std::size_t kMaxLanes = 64; // a collective has up to 16 parts at a time

std::uint64_t tagged(FlowKind kind, std::int64_t rank, std::uint64_t hash) {
  constexpr unsigned kBits = 58;
  hash = (hash ^ (static_cast<std::uint64_t>(rank) * 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL;
  hash ^= hash >> 33U;
  const std::uint64_t id = (hash & ((1ULL << kBits) - 1)) | (std::uint64_t{1} << (kBits + 1)) |
                           (static_cast<std::uint64_t>(kind) << (kBits + 2));
  return kind == FlowKind::launch ? id | kLaunchFlow : id;
}

} // namespace

TaskRole role_of_task(std::string_view type, std::string_view name) {
  const auto has = [&](std::string_view word) { return type.find(word) != std::string_view::npos; };
  if (name == "MEMCPY_ASYNC" || name.starts_with("MEMSET")) return TaskRole::copy;
  if (name.starts_with("EVENT_") || name.starts_with("PROFILING_") || has("EVENT_")) return TaskRole::event;
  if (has("Notify") || has("NOTIFY") || has("Write Value") || type == "SDMA" || type == "RDMASend")
    return TaskRole::communication_part;
  if (has("MEMCPY") || has("DMA_SQE")) return TaskRole::copy;
  constexpr std::array<std::string_view, 10> kCompute{
      "AI_CORE", "AI_VECTOR_CORE", "MIX_AIC",       "MIX_AIV",      "AI_CPU",
      "DSA_SQE", "Other",          "KERNEL_AICORE", "KERNEL_AIVEC", "KERNEL_AICPU"};
  return std::ranges::find(kCompute, type) != kCompute.end() ? TaskRole::compute : TaskRole::other;
}

std::string_view category_of(TaskRole role) {
  switch (role) {
  case TaskRole::compute:
    return "kernel";
  case TaskRole::copy:
    return "memcpy";
  case TaskRole::event:
    return "event";
  case TaskRole::communication_part:
    return "communication";
  case TaskRole::other:
    break;
  }
  return "task";
}

bool is_collective(std::string_view name, std::string_view core) {
  return core == "HCCL" || core == "COMMUNICATION" || name.starts_with("hcom_");
}

std::uint64_t flow_id(FlowKind kind, std::int64_t rank, std::string_view number) {
  std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a: ids of this format do not fit 64 bits
  for (const char c : number)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return tagged(kind, rank, hash);
}

std::uint64_t flow_id(FlowKind kind, std::int64_t rank, std::uint64_t number) {
  return tagged(kind, rank, number);
}

Id<Device> NpuSide::device(std::int64_t index) {
  const auto [found, is_new] = devices_.try_emplace(index);
  if (is_new) {
    std::string label = fmt::format("NPU {}", index);
    if (!chip_.empty()) label += fmt::format(" ({})", chip_);
    label += rank_label_;
    found->second = sink_.device({.name = sink_.intern(label), .kind = DeviceKind::npu, .index = index});
  }
  return found->second;
}

Id<Stream> NpuSide::stream(std::int64_t device_index, std::int64_t number, std::string_view label) {
  const auto [found, is_new] = streams_.try_emplace({device_index, number});
  if (is_new) {
    const std::string made = !label.empty()             ? std::string(label)
                             : number >= 0              ? fmt::format("stream {}", number)
                             : number == kUnknownStream ? std::string("stream not known")
                                                        : fmt::format("communication {}", -2 - number);
    found->second =
        sink_.stream({.device = device(device_index), .number = number, .name = sink_.intern(made)});
  }
  return found->second;
}

Id<Track> NpuSide::lane(const Task& task, std::size_t number) {
  std::string label = task.plane >= 0 ? fmt::format("communication plane {}", task.plane)
                                      : fmt::format("stream {} tasks", task.stream);
  if (number > 0) label += fmt::format(" ({})", number + 1);
  return sink_.track(
      {.name = sink_.intern(label), .kind = TrackKind::stream, .stream = stream(task.device, task.stream)});
}

// Tasks of one stream may run at the same time (the parts of a collective do): each lane holds a sequence.
void NpuSide::flush() {
  const auto owner = [](const Task& t) { return std::tuple(t.device, t.stream, t.plane); };
  std::ranges::stable_sort(tasks_, [&](const Task& x, const Task& y) {
    return std::tuple(owner(x), x.ts) < std::tuple(owner(y), y.ts);
  });
  struct Lane {
    Id<Track> track{};
    Ts end{};
  };
  std::vector<Lane> lanes;
  const Task* before = nullptr;
  for (const Task& task : tasks_) {
    if (before == nullptr || owner(*before) != owner(task)) lanes.clear();
    before = &task;
    auto free = std::ranges::find_if(lanes, [&](const Lane& l) { return l.end <= task.ts; });
    if (free == lanes.end() && lanes.size() == kMaxLanes) free = lanes.end() - 1;
    if (free == lanes.end()) free = lanes.insert(lanes.end(), {.track = lane(task, lanes.size())});
    free->end = task.ts + task.dur;
    const std::uint64_t flows[1] = {task.flow_in};
    sink_.slice({.track = free->track,
                 .ts = task.ts,
                 .dur = task.dur,
                 .name = task.name,
                 .category = task.category,
                 .layer = Layer::device,
                 .args = task.args,
                 .flows_in = std::span(flows).first(task.flow_in != 0 ? 1 : 0)});
  }
  tasks_.clear();
}

void Steps::add(std::int64_t number, Ts ts, Dur dur, Id<Process> process) {
  const auto [found, is_new] = tracks_.try_emplace(process.row);
  if (is_new)
    found->second =
        sink_.track({.name = sink_.intern("steps"), .kind = TrackKind::async, .process = process});
  const Arg args[1] = {{.key = sink_.intern(words::kArgRequestId), .value = number}};
  sink_.slice({.track = found->second,
               .ts = ts,
               .dur = dur,
               .name = sink_.intern(fmt::format("{}{}", kStep, number)),
               .category = sink_.intern(words::kRequest),
               .layer = Layer::application,
               .args = args});
  ++count_;
}

bool Steps::number_of(std::string_view name, std::int64_t& number) {
  return name.starts_with(kStep) && json::number_in(name.substr(kStep.size()), number);
}

} // namespace prof::ascend
