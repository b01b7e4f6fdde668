#include "tracefile/profile_reader.hpp"
#include "tracefile/track_reader.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace prof::detail {
namespace {

constexpr std::size_t kMaxArgs = 4096;

std::optional<std::int64_t> number_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + at + key.size(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

KernelKind kind_of(std::string_view description) {
  if (description == "kind=memory") return KernelKind::memory;
  if (description == "kind=communication") return KernelKind::communication;
  return KernelKind::compute;
}

} // namespace

void GpuReader::read_info(std::string_view message) {
  Message info(message);
  std::int64_t gpu_id = 0;
  while (info.next(pb::gpu::kGpus)) {
    Message gpu = info.message();
    Device device{.name = {}, .kind = DeviceKind::gpu, .index = gpu_id};
    while (gpu.next()) {
      if (gpu.tag() == pb::gpu::kGpuName) {
        device.name = core_.intern(gpu.bytes());
        continue;
      }
      if (gpu.tag() != pb::gpu::kGpuExtra) {
        gpu.skip();
        continue;
      }
      Message pair = gpu.message();
      std::string_view key, value;
      while (pair.next())
        switch (pair.tag()) {
        case pb::gpu::kExtraKey:
          key = pair.bytes();
          break;
        case pb::gpu::kExtraValue:
          value = pair.bytes();
          break;
        default:
          pair.skip();
        }
      if (key == "cann.kind")
        device.kind = value == "cpu"   ? DeviceKind::cpu
                      : value == "npu" ? DeviceKind::npu
                      : value == "gpu" ? DeviceKind::gpu
                                       : DeviceKind::other;
      if (key == "cann.index") device.index = number_behind(value, "").value_or(gpu_id);
    }
    tracks_.set_gpu(gpu_id++, core_.sink().device(device));
  }
}

void GpuReader::read_arg(SequenceState& sequence, Message message, Launch& launch) {
  StrId key;
  std::string_view name;
  std::optional<ArgValue> value;
  while (message.next())
    switch (message.tag()) {
    case pb::gpu::kArgNameIid: {
      const std::uint64_t iid = message.number();
      key = sequence.text(TextKind::compute_arg_name, iid);
      if (const auto at = sequence.compute_arg_names.find(iid); at != sequence.compute_arg_names.end())
        name = at->second;
      break;
    }
    case pb::gpu::kArgName:
      name = message.bytes();
      key = core_.intern(name);
      break;
    case pb::gpu::kArgInt:
      value = message.integer();
      break;
    case pb::gpu::kArgUint:
      // Launch arguments have no truth values: we write ours as unsigned numbers.
      if (core_.is_ours)
        value = message.number() != 0;
      else
        value = message.integer();
      break;
    case pb::gpu::kArgDouble:
      value = message.real();
      break;
    case pb::gpu::kArgString:
      value = core_.intern(message.bytes());
      break;
    case pb::gpu::kArgStringIid:
      value = sequence.text(TextKind::annotation_string, message.number());
      break;
    default:
      message.skip();
    }
  if (!value || launch.args.size() >= kMaxArgs) return;
  const auto* number = std::get_if<std::int64_t>(&*value);
  if (core_.is_ours && name.starts_with(pb::kArgPrefix)) {
    key = core_.intern(name.substr(std::string_view(pb::kArgPrefix).size()));
  } else if (core_.is_ours && name.starts_with(pb::kOurPrefix)) {
    if (const auto* text = std::get_if<StrId>(&*value); text != nullptr && name == "cann.op_type")
      launch.op_type = *text;
    if (number != nullptr && name == "cann.correlation")
      launch.correlation = static_cast<std::uint64_t>(*number);
    if (number != nullptr && name == "cann.flow_in") launch.flow_in = static_cast<std::uint64_t>(*number);
    if (number != nullptr && name == "cann.bytes") launch.bytes = *number;
    return;
  }
  if (number != nullptr && name == "stream") launch.stream = *number;
  launch.args.push_back({.key = key, .value = *value});
}

void GpuReader::read_launch(SequenceState& sequence, Message message, Launch& launch) {
  const auto dimensions = [&](std::string_view key, Message in) {
    std::array<std::uint64_t, 3> xyz{1, 1, 1};
    while (in.next()) {
      const std::uint32_t tag = in.tag();
      const std::uint64_t n = in.number();
      if (tag >= 1 && tag <= 3) xyz[tag - 1] = n;
    }
    launch.args.push_back(
        {.key = core_.intern(key), .value = core_.intern(fmt::format("{},{},{}", xyz[0], xyz[1], xyz[2]))});
  };
  while (message.next())
    switch (message.tag()) {
    case pb::gpu::kGrid:
      dimensions("launch.grid_size", message.message());
      break;
    case pb::gpu::kWorkgroup:
      dimensions("launch.workgroup_size", message.message());
      break;
    case pb::gpu::kLaunchArgs:
      read_arg(sequence, message.message(), launch);
      break;
    default:
      message.skip();
    }
}

void GpuReader::read_render_stage(SequenceState& sequence, std::int64_t ts, std::string_view message) {
  Message in(message);
  Kernel row{.stream = {}, .ts = {ts}, .dur = {}, .name = {}, .op_type = {}, .args = {}};
  std::uint64_t event_id = 0, queue = 0, stage = 0;
  std::int64_t gpu_id = 0;
  StrId kernel_name;
  Launch launch;
  while (in.next())
    switch (in.tag()) {
    case pb::gpu::kEventId:
      event_id = in.number();
      break;
    case pb::gpu::kDuration:
      row.dur = {static_cast<std::int64_t>(std::min<std::uint64_t>(in.number(), kMaxTime_ns))};
      break;
    case pb::gpu::kGpuId:
      gpu_id = in.integer();
      break;
    case pb::gpu::kQueueIid:
      queue = in.number();
      break;
    case pb::gpu::kStageIid:
      stage = in.number();
      break;
    case pb::gpu::kName:
      row.name = core_.intern(in.bytes());
      break;
    case pb::gpu::kNameIid:
      row.name = sequence.text(TextKind::event_name, in.number());
      break;
    case pb::gpu::kKernelIid:
      if (const auto at = sequence.kernels.find(in.number()); at != sequence.kernels.end())
        kernel_name = at->second;
      break;
    case pb::gpu::kLaunch:
      read_launch(sequence, in.message(), launch);
      break;
    default:
      in.skip();
    }
  if (row.name.is_empty()) row.name = kernel_name;
  const auto queue_spec = sequence.gpu_specs.find(queue);
  const auto stage_spec = sequence.gpu_specs.find(stage);
  const std::string_view queue_text = queue_spec == sequence.gpu_specs.end()
                                          ? std::string_view{}
                                          : std::string_view(queue_spec->second.description);
  if (stage_spec != sequence.gpu_specs.end()) {
    row.kind = kind_of(stage_spec->second.description);
    if (!core_.is_ours && stage_spec->second.is_copy) row.kind = KernelKind::memory;
  }
  // The stream's number: ours stands in the queue's description, others' in a launch argument; else the queue
  // itself.
  auto [known, is_new] = sequence.stream_of_queue.try_emplace(queue, static_cast<std::int64_t>(queue));
  if (launch.stream) known->second = *launch.stream;
  std::int64_t number = known->second;
  if (core_.is_ours) number = number_behind(queue_text, "stream number=").value_or(number);
  const StrId stream_name = queue_spec == sequence.gpu_specs.end() ? StrId{} : queue_spec->second.name;
  row.stream = core_.sink().stream({.device = tracks_.gpu(gpu_id), .number = number, .name = stream_name});
  row.op_type = launch.op_type;
  row.bytes = launch.bytes;
  row.args = launch.args;
  row.correlation = core_.is_ours ? launch.correlation : event_id;
  row.flow_in = core_.is_ours ? launch.flow_in : gpu_flow(event_id);
  core_.saw(ts + row.dur.ns);
  core_.sink().kernel(row);
}

void GpuReader::read_counters(SequenceState& sequence, std::int64_t ts, std::string_view message) {
  Message in(message);
  GpuCounters counters;
  std::vector<std::pair<std::uint64_t, double>> values;
  std::optional<std::int64_t> gpu_id;
  while (in.next())
    switch (in.tag()) {
    case pb::gpu::kCounterDescriptor:
      read_counter_specs(core_, counters, in.bytes());
      break;
    case pb::gpu::kCounterDescriptorIid:
      if (const auto at = sequence.gpu_counters.find(in.number()); at != sequence.gpu_counters.end())
        counters = at->second;
      break;
    case pb::gpu::kCounterGpuId:
      gpu_id = in.integer();
      break;
    case pb::gpu::kCounters: {
      Message value = in.message();
      auto& [id, number] = values.emplace_back();
      while (value.next())
        switch (value.tag()) {
        case pb::gpu::kCounterId:
          id = value.number();
          break;
        case pb::gpu::kCounterInt:
          number = static_cast<double>(value.integer());
          break;
        case pb::gpu::kCounterDouble:
          number = value.real();
          break;
        default:
          value.skip();
        }
      break;
    }
    default:
      in.skip();
    }
  // Old files describe the counters once, in the first event of the sequence.
  if (!counters.specs.empty())
    sequence.gpu_counters[0] = counters;
  else if (const auto at = sequence.gpu_counters.find(0); at != sequence.gpu_counters.end())
    counters = at->second;
  const Id<Device> device = tracks_.gpu(gpu_id.value_or(counters.gpu));
  for (const auto& [id, number] : values) {
    const auto spec = counters.specs.find(id);
    if (spec == counters.specs.end()) continue;
    core_.saw(ts);
    core_.sink().counter(
        core_.sink().counter_track({.name = spec->second.name, .unit = spec->second.unit, .device = device}),
        {ts}, number);
  }
}

} // namespace prof::detail
