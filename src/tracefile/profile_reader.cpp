#include "tracefile/profile_reader.hpp"

#include <algorithm>
#include <string>

namespace prof::detail {
namespace {

constexpr std::size_t kMaxFrames = 4096; // of one call stack

FrameKind frame_kind(std::uint32_t kind) {
  switch (kind) { // Frame.Kind: native, kernel, interpreted, JIT, GC, runtime
  case 2:
    return FrameKind::kernel;
  case 3:
    return FrameKind::interpreted;
  case 4:
    return FrameKind::jit;
  default:
    return FrameKind::native;
  }
}

TaskContext read_task(Message message) {
  TaskContext task;
  while (message.next())
    switch (message.tag()) {
    case pb::profile::kTaskPid:
      task.pid = message.integer();
      break;
    case pb::profile::kTaskTid:
      task.tid = message.integer();
      break;
    default:
      message.skip();
    }
  return task;
}

std::int64_t weight_from(const PacketDefaults& defaults) {
  if (defaults.sample_period > 0)
    return static_cast<std::int64_t>(std::min<std::uint64_t>(defaults.sample_period, 1'000'000'000'000));
  if (defaults.sample_frequency > 0)
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(1'000'000'000 / defaults.sample_frequency));
  return 1;
}

} // namespace

Id<Mapping> SampleReader::resolve_mapping(SequenceState& sequence, std::uint64_t iid) {
  const auto at = sequence.mappings.find(iid);
  if (at == sequence.mappings.end()) return {};
  RawMapping& raw = at->second;
  if (raw.id) return raw.id;
  // One component is the whole path (as we and Chrome write it); several are joined, each behind a slash.
  StrId path;
  if (raw.path.size() == 1) path = sequence.text(TextKind::mapping_path, raw.path.front());
  if (raw.path.size() > 1) {
    std::string joined;
    for (const std::uint64_t part : raw.path) {
      const auto text = sequence.mapping_paths.find(part);
      if (text != sequence.mapping_paths.end() && joined.size() < 65536) joined += "/" + text->second;
    }
    path = core_.intern(joined);
  }
  const StrId build_id = sequence.text(TextKind::build_id, raw.build_id);
  raw.id = core_.sink().mapping(
      {.path = path, .build_id = build_id, .start = raw.start, .end = raw.end, .file_offset = raw.offset});
  modules_.try_emplace({path, build_id}, raw.id);
  return raw.id;
}

Id<Frame> SampleReader::resolve_frame(SequenceState& sequence, std::uint64_t iid) {
  const auto at = sequence.frames.find(iid);
  if (at == sequence.frames.end()) return {};
  RawFrame& raw = at->second;
  if (raw.id) return raw.id;
  const Id<Mapping> mapping = resolve_mapping(sequence, raw.mapping);
  raw.id = core_.sink().frame({.function = sequence.text(TextKind::function, raw.function),
                               .mapping = mapping,
                               .rel_pc = raw.rel_pc,
                               .source_file = sequence.text(TextKind::source_path, raw.source),
                               .line = raw.line,
                               .kind = frame_kind(raw.kind)});
  return raw.id;
}

Id<Callstack> SampleReader::resolve_stack(SequenceState& sequence, std::uint64_t iid) {
  const auto at = sequence.callstacks.find(iid);
  if (at == sequence.callstacks.end()) return {};
  RawCallstack& raw = at->second;
  if (raw.id) return raw.id;
  std::vector<Id<Frame>> frames;
  for (const std::uint64_t frame : raw.frames) {
    if (frames.size() >= kMaxFrames) break;
    const Id<Frame> id = resolve_frame(sequence, frame);
    if (id)
      frames.push_back(id);
    else
      core_.note(Severity::notice, "note.tracefile.lost_frames");
  }
  raw.id = core_.sink().callstack({frames});
  return raw.id;
}

void SampleReader::add_event_stack(SequenceState& sequence, std::int64_t ts, Id<Thread> thread,
                                   std::uint64_t stack_iid) {
  const Id<Callstack> stack = resolve_stack(sequence, stack_iid);
  if (!stack) return;
  core_.saw(ts);
  core_.sink().sample({.ts = {ts},
                       .thread = thread,
                       .cpu = -1,
                       .callstack = stack,
                       .event = core_.intern("track-event"),
                       .weight = 1});
}

void SampleReader::read_perf_sample(SequenceState& sequence, std::int64_t ts, std::string_view message) {
  Message in(message);
  TaskContext task;
  std::int64_t cpu = -1;
  std::uint64_t stack = 0;
  std::optional<std::uint64_t> count;
  while (in.next())
    switch (in.tag()) {
    case pb::profile::kSampleCpu:
      cpu = static_cast<std::int32_t>(in.number32());
      break;
    case pb::profile::kSamplePid:
      task.pid = in.integer();
      break;
    case pb::profile::kSampleTid:
      task.tid = in.integer();
      break;
    case pb::profile::kSampleStack:
      stack = in.number();
      break;
    case pb::profile::kSampleCount:
      count = in.number();
      break;
    default:
      in.skip();
    }
  // The count is cumulative per CPU. Ours starts from 0; of others the first one only sets the base.
  std::int64_t weight = weight_from(sequence.defaults);
  if (count) {
    const auto [at, is_first] = sequence.sample_counts.try_emplace(cpu, 0);
    if (core_.is_ours && is_first && sequence.has_lost_counts) {
      at->second = *count;
      core_.note(Severity::data_loss, "note.tracefile.no_state");
      return;
    }
    if (core_.is_ours || (!is_first && *count > at->second))
      weight = static_cast<std::int64_t>(*count - at->second);
    at->second = *count;
  }
  StrId event = sequence.defaults.sample_event;
  if (event.is_empty() && !core_.is_ours)
    event = core_.intern("cpu-clock"); // what Perfetto samples on without a timebase
  core_.saw(ts);
  core_.sink().sample({.ts = {ts},
                       .thread = task.tid >= 0 ? core_.thread(task.pid, task.tid) : Id<Thread>{},
                       .cpu = static_cast<std::int32_t>(cpu),
                       .callstack = stack != 0 ? resolve_stack(sequence, stack) : Id<Callstack>{},
                       .event = event,
                       .weight = weight});
}

Id<Callstack> SampleReader::read_inline_stack(Message message) {
  std::vector<Id<Frame>> frames;
  while (message.next(1)) {
    Message in = message.message();
    Frame row;
    while (in.next())
      switch (in.tag()) {
      case pb::profile::kLineFunction:
        row.function = core_.intern(in.bytes());
        break;
      case pb::profile::kLineFile:
        row.source_file = core_.intern(in.bytes());
        break;
      case pb::profile::kLineNumber:
        row.line = in.number32();
        break;
      default:
        in.skip();
      }
    if (frames.size() < kMaxFrames) frames.push_back(core_.sink().frame(row));
  }
  return core_.sink().callstack({frames});
}

void SampleReader::read_stack_sample(SequenceState& sequence, std::int64_t ts, std::string_view message) {
  Message in(message);
  TaskContext task;
  Sample row{.ts = {ts},
             .thread = {},
             .cpu = -1,
             .callstack = {},
             .event = sequence.defaults.stack_event,
             .weight = 1};
  while (in.next())
    switch (in.tag()) {
    case pb::profile::kTaskContext:
      task = read_task(in.message());
      break;
    case pb::profile::kTaskContextIid:
      if (const auto at = sequence.tasks.find(in.number()); at != sequence.tasks.end()) task = at->second;
      break;
    case pb::profile::kExecution: {
      Message context = in.message();
      while (context.next(pb::profile::kExecutionCpu))
        row.cpu = static_cast<std::int32_t>(context.number32());
      break;
    }
    case pb::profile::kExecutionIid:
      if (const auto at = sequence.cpus.find(in.number()); at != sequence.cpus.end()) row.cpu = at->second;
      break;
    case pb::profile::kInlineStack:
      row.callstack = read_inline_stack(in.message());
      break;
    case pb::profile::kStackIid:
      row.callstack = resolve_stack(sequence, in.number());
      break;
    case pb::profile::kDescriptor:
      row.event = read_descriptor_name(core_, in.bytes());
      break;
    case pb::profile::kDescriptorIid:
      if (const auto at = sequence.descriptors.find(in.number()); at != sequence.descriptors.end())
        row.event = at->second;
      break;
    case pb::profile::kWeight:
      row.weight = in.integer();
      break;
    default:
      in.skip();
    }
  if (task.tid >= 0) row.thread = core_.thread(task.pid, task.tid);
  core_.saw(ts);
  core_.sink().sample(row);
}

// --- symbols
// ------------------------------------------------------------------------------------------------------

void SampleReader::read_module_symbols(std::string_view message) {
  Message module(message);
  StrId path, build_id;
  std::vector<std::string_view> addresses;
  while (module.next())
    switch (module.tag()) {
    case pb::profile::kModulePath:
      path = core_.intern(module.bytes());
      break;
    case pb::profile::kModuleBuildId:
      build_id = core_.intern(hex_of(module.bytes()));
      break;
    case pb::profile::kModuleAddresses:
      addresses.push_back(module.bytes());
      break;
    default:
      module.skip();
    }
  auto& mapping = modules_[{path, build_id}];
  if (!mapping) mapping = core_.sink().mapping({.path = path, .build_id = build_id});
  for (const std::string_view address : addresses)
    read_addresses(mapping, Message(address));
}

// Lines stand innermost first; our inline_depth counts from the outermost.
void SampleReader::read_addresses(Id<Mapping> mapping, Message message) {
  struct Line {
    StrId function, file;
    std::uint32_t number = 0;
  };
  std::uint64_t address = 0;
  std::vector<Line> lines;
  while (message.next())
    switch (message.tag()) {
    case pb::profile::kAddress:
      address = message.number();
      break;
    case pb::profile::kLines: {
      Message in = message.message();
      Line& line = lines.emplace_back();
      while (in.next())
        switch (in.tag()) {
        case pb::profile::kLineFunction:
          line.function = core_.intern(in.bytes());
          break;
        case pb::profile::kLineFile:
          line.file = core_.intern(in.bytes());
          break;
        case pb::profile::kLineNumber:
          line.number = in.number32();
          break;
        default:
          in.skip();
        }
      break;
    }
    default:
      message.skip();
    }
  if (lines.size() > kMaxFrames) lines.resize(kMaxFrames);
  int depth = 0;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    core_.sink().symbol(mapping, address, depth++, line->function, line->file, line->number);
}

} // namespace prof::detail
