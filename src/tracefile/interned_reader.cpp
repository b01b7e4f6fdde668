// What packets intern and their defaults: into the state of their sequence.
#include "tracefile/proto_message.hpp"
#include "tracefile/reader_core.hpp"

#include <array>
#include <utility>

namespace prof::detail {
namespace {

struct IidText {
  std::uint64_t iid = 0;
  std::string_view text;
};

IidText read_text(Message message) {
  IidText entry;
  while (message.next())
    switch (message.tag()) {
    case pb::interned::kIid:
      entry.iid = message.number();
      break;
    case pb::interned::kText:
      entry.text = message.bytes();
      break;
    default:
      message.skip();
    }
  return entry;
}

std::pair<std::uint64_t, RawMapping> read_mapping(Message message) {
  std::uint64_t iid = 0;
  RawMapping row;
  std::optional<std::uint64_t> exact;
  while (message.next())
    switch (message.tag()) {
    case pb::interned::kIid:
      iid = message.number();
      break;
    case pb::profile::kMapBuildId:
      row.build_id = message.number();
      break;
    case pb::profile::kMapStartOffset:
      row.offset = message.number();
      break;
    case pb::profile::kMapStart:
      row.start = message.number();
      break;
    case pb::profile::kMapEnd:
      row.end = message.number();
      break;
    case pb::profile::kMapPath:
      row.path.push_back(message.number());
      break;
    case pb::profile::kMapExactOffset:
      exact = message.number();
      break;
    default:
      message.skip();
    }
  if (exact) row.offset = *exact;
  return {iid, row};
}

std::pair<std::uint64_t, RawFrame> read_frame(Message message) {
  std::uint64_t iid = 0;
  RawFrame row;
  while (message.next())
    switch (message.tag()) {
    case pb::interned::kIid:
      iid = message.number();
      break;
    case pb::profile::kFrameFunction:
      row.function = message.number();
      break;
    case pb::profile::kFrameMapping:
      row.mapping = message.number();
      break;
    case pb::profile::kFrameRelPc:
      row.rel_pc = message.number();
      break;
    case pb::profile::kFrameSource:
      row.source = message.number();
      break;
    case pb::profile::kFrameLine:
      row.line = message.number32();
      break;
    case pb::profile::kFrameKind:
      row.kind = message.number32();
      break;
    default:
      message.skip();
    }
  return {iid, row};
}

std::pair<std::uint64_t, RawCallstack> read_callstack(Message message) {
  std::uint64_t iid = 0;
  RawCallstack row;
  while (message.next()) {
    if (message.tag() == pb::interned::kIid) {
      iid = message.number();
    } else if (message.tag() == pb::profile::kStackFrames) {
      message.numbers(row.frames);
    } else {
      message.skip();
    }
  }
  return {iid, row};
}

std::pair<std::uint64_t, GpuSpec> read_gpu_spec(ReaderCore& core, Message message) {
  std::uint64_t iid = 0;
  GpuSpec spec;
  while (message.next())
    switch (message.tag()) {
    case pb::interned::kIid:
      iid = message.number();
      break;
    case pb::gpu::kSpecName: {
      const std::string_view name = message.bytes();
      spec.name = core.intern(name);
      spec.is_copy = name.starts_with("Mem") || name.starts_with("mem");
      break;
    }
    case pb::gpu::kSpecDescription:
      spec.description = std::string(message.bytes());
      break;
    default:
      message.skip();
    }
  return {iid, spec};
}

std::pair<std::uint64_t, GpuCounters> read_gpu_counters(ReaderCore& core, Message message) {
  std::uint64_t iid = 0;
  GpuCounters counters;
  while (message.next())
    switch (message.tag()) {
    case pb::interned::kIid:
      iid = message.number();
      break;
    case pb::gpu::kInternedDescriptor:
      read_counter_specs(core, counters, message.bytes());
      break;
    case pb::gpu::kInternedGpuId:
      counters.gpu = message.integer();
      break;
    default:
      message.skip();
    }
  return {iid, counters};
}

// {iid, first, second} of the small context messages.
std::array<std::uint64_t, 3> read_numbers(Message message, pb::Field first, pb::Field second) {
  std::array<std::uint64_t, 3> out{};
  while (message.next()) {
    if (message.tag() == pb::interned::kIid)
      out[0] = message.number();
    else if (message.tag() == first)
      out[1] = message.number();
    else if (message.tag() == second)
      out[2] = message.number();
    else
      message.skip();
  }
  return out;
}

std::optional<TextKind> text_kind(pb::Field field) {
  switch (field) {
  case pb::interned::kCategories:
    return TextKind::category;
  case pb::interned::kEventNames:
    return TextKind::event_name;
  case pb::interned::kAnnotationNames:
    return TextKind::annotation_name;
  case pb::interned::kAnnotationStrings:
    return TextKind::annotation_string;
  case pb::interned::kFunctionNames:
    return TextKind::function;
  case pb::interned::kMappingPaths:
    return TextKind::mapping_path;
  case pb::interned::kBuildIds:
    return TextKind::build_id;
  case pb::interned::kSourcePaths:
    return TextKind::source_path;
  case pb::interned::kComputeArgNames:
    return TextKind::compute_arg_name;
  default:
    return std::nullopt;
  }
}

} // namespace

void read_counter_specs(ReaderCore& core, GpuCounters& counters, std::string_view message) {
  Message descriptor(message);
  while (descriptor.next(pb::gpu::kCounterSpecs)) {
    Message spec = descriptor.message();
    std::uint64_t id = 0;
    GpuCounterSpec row;
    while (spec.next())
      switch (spec.tag()) {
      case pb::gpu::kCounterSpecId:
        id = spec.number();
        break;
      case pb::gpu::kCounterSpecName:
        row.name = core.intern(spec.bytes());
        break;
      case pb::gpu::kCounterSpecUnit: {
        switch (spec.number32()) { // GpuCounterDescriptor.MeasureUnit
        case 7:
          row.unit = core.intern("bytes");
          break;
        case 15:
          row.unit = core.intern("MHz");
          break;
        case 19:
          row.unit = core.intern("ns");
          break;
        case 29:
          row.unit = core.intern("watt");
          break;
        case 34:
          row.unit = core.intern("celsius");
          break;
        case 37:
          row.unit = core.intern("percent");
          break;
        default:
          break;
        }
        break;
      }
      default:
        spec.skip();
      }
    counters.specs[id] = row;
  }
}

StrId read_descriptor_name(ReaderCore& core, std::string_view message) {
  Message descriptor(message);
  StrId name;
  while (descriptor.next(pb::profile::kDescriptorName))
    name = core.intern(descriptor.bytes());
  return name;
}

namespace {

bool is_defined(const SequenceState& sequence, pb::Field field, std::uint64_t iid) {
  if (const auto kind = text_kind(field)) return sequence.find(*kind, iid) != nullptr;
  switch (field) {
  case pb::interned::kMappings:
    return sequence.mappings.contains(iid);
  case pb::interned::kFrames:
    return sequence.frames.contains(iid);
  case pb::interned::kCallstacks:
    return sequence.callstacks.contains(iid);
  case pb::interned::kGpuSpecs:
    return sequence.gpu_specs.contains(iid);
  case pb::interned::kComputeKernels:
    return sequence.kernels.contains(iid);
  default:
    return false;
  }
}

// A recorder defines an iid once until it clears the state.
bool defines_again(const SequenceState& sequence, std::string_view message) {
  Message data(message);
  while (data.next()) {
    const pb::Field field = data.tag();
    Message entry = data.message();
    if (entry.next(pb::interned::kIid) && is_defined(sequence, field, entry.number())) return true;
  }
  return false;
}

// Throws where the entries do not add up: then none of them is taken, as each may hold bytes of another.
void check_entries(std::string_view message) {
  Message data(message);
  while (data.next())
    for (Message entry = data.message(); entry.next();)
      entry.skip();
}

} // namespace

void read_interned(ReaderCore& core, SequenceState& sequence, std::string_view message) {
  check_entries(message);
  if (sequence.has_old_tables && !core.is_ours && defines_again(sequence, message)) sequence.clear_tables();
  Message data(message);
  while (data.next()) {
    const pb::Field field = data.tag();
    const std::string_view bytes = data.bytes();
    const Message entry(bytes);
    if (const auto kind = text_kind(field)) {
      const IidText row = read_text(entry);
      const StrId text = *kind == TextKind::build_id ? core.intern(hex_of(row.text)) : core.intern(row.text);
      sequence.texts[static_cast<std::size_t>(*kind)][row.iid] = text;
      if (*kind == TextKind::annotation_name) sequence.annotation_names[row.iid] = std::string(row.text);
      if (*kind == TextKind::mapping_path) sequence.mapping_paths[row.iid] = std::string(row.text);
      if (*kind == TextKind::compute_arg_name) sequence.compute_arg_names[row.iid] = std::string(row.text);
      continue;
    }
    switch (field) {
    case pb::interned::kMappings: {
      auto [iid, row] = read_mapping(entry);
      sequence.mappings.insert_or_assign(iid, std::move(row));
      break;
    }
    case pb::interned::kFrames: {
      const auto [iid, row] = read_frame(entry);
      sequence.frames.insert_or_assign(iid, row);
      break;
    }
    case pb::interned::kCallstacks: {
      auto [iid, row] = read_callstack(entry);
      sequence.callstacks.insert_or_assign(iid, std::move(row));
      break;
    }
    case pb::interned::kGpuSpecs: {
      auto [iid, spec] = read_gpu_spec(core, entry);
      sequence.gpu_specs.insert_or_assign(iid, std::move(spec));
      break;
    }
    case pb::interned::kComputeKernels: {
      const IidText kernel = read_text(entry);
      sequence.kernels[kernel.iid] = core.intern(kernel.text);
      break;
    }
    case pb::interned::kGraphicsContexts: {
      const auto row = read_numbers(entry, pb::gpu::kContextPid, 0);
      sequence.gpu_contexts[row[0]] = static_cast<std::int64_t>(row[1]);
      break;
    }
    case pb::interned::kGpuCounterDescriptors: {
      auto [iid, counters] = read_gpu_counters(core, entry);
      sequence.gpu_counters.insert_or_assign(iid, std::move(counters));
      break;
    }
    case pb::interned::kTaskContexts: {
      const auto row = read_numbers(entry, pb::profile::kTaskPid, pb::profile::kTaskTid);
      sequence.tasks[row[0]] = {.pid = static_cast<std::int64_t>(row[1]),
                                .tid = static_cast<std::int64_t>(row[2])};
      break;
    }
    case pb::interned::kExecutionContexts: {
      const auto row = read_numbers(entry, pb::profile::kExecutionCpu, 0);
      sequence.cpus[row[0]] = static_cast<std::int32_t>(row[1]);
      break;
    }
    case pb::interned::kSampleDescriptors: {
      const IidText row = read_text(entry);
      sequence.descriptors[row.iid] = core.intern(row.text);
      break;
    }
    default:
      break;
    }
  }
}

// --- defaults
// -----------------------------------------------------------------------------------------------------

namespace {

// PerfEvents.Counter
std::string_view counter_name(std::uint32_t counter) {
  switch (counter) {
  case 1:
    return "cpu-clock";
  case 2:
    return "page-faults";
  case 3:
    return "task-clock";
  case 4:
    return "context-switches";
  case 5:
    return "cpu-migrations";
  case 6:
    return "minor-faults";
  case 7:
    return "major-faults";
  case 10:
    return "cycles";
  case 11:
    return "instructions";
  case 12:
    return "cache-references";
  case 13:
    return "cache-misses";
  case 14:
    return "branches";
  case 15:
    return "branch-misses";
  case 16:
    return "bus-cycles";
  default:
    return "perf";
  }
}

void read_timebase(ReaderCore& core, PacketDefaults& to, Message message) {
  std::string_view name, counter, tracepoint;
  while (message.next())
    switch (message.tag()) {
    case pb::defaults::kPeriod:
      to.sample_period = message.number();
      break;
    case pb::defaults::kFrequency:
      to.sample_frequency = message.number();
      break;
    case pb::defaults::kName:
      name = message.bytes();
      break;
    case pb::defaults::kCounter:
      counter = counter_name(message.number32());
      break;
    case pb::defaults::kTracepoint: {
      Message inner = message.message();
      while (inner.next(pb::defaults::kTracepointName))
        tracepoint = inner.bytes();
      break;
    }
    default:
      message.skip();
    }
  to.sample_event = core.intern(!name.empty() ? name : !tracepoint.empty() ? tracepoint : counter);
}

void read_track_defaults(PacketDefaults& to, Message message) {
  while (message.next()) {
    if (message.tag() == pb::defaults::kTrackUuid)
      to.track = message.number();
    else if (message.tag() == pb::defaults::kExtraCounters)
      to.counters.push_back(message.number());
    else if (message.tag() == pb::defaults::kExtraDoubleCounters)
      to.double_counters.push_back(message.number());
    else
      message.skip();
  }
}

} // namespace

void read_defaults(ReaderCore& core, SequenceState& sequence, std::string_view message) {
  sequence.defaults = {};
  Message defaults(message);
  while (defaults.next())
    switch (defaults.tag()) {
    case pb::defaults::kClockId:
      sequence.defaults.clock = defaults.number32();
      break;
    case pb::defaults::kTrackEvent:
      read_track_defaults(sequence.defaults, defaults.message());
      break;
    case pb::defaults::kPerfSample: {
      Message sample = defaults.message();
      while (sample.next(pb::defaults::kTimebase))
        read_timebase(core, sequence.defaults, sample.message());
      break;
    }
    case pb::defaults::kStackSample: {
      Message sample = defaults.message();
      while (sample.next(pb::defaults::kStackDescriptor))
        sequence.defaults.stack_event = read_descriptor_name(core, sample.bytes());
      break;
    }
    default:
      defaults.skip();
    }
}

} // namespace prof::detail
