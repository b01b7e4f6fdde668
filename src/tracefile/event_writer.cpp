#include "tracefile/event_writer.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>

namespace prof::detail {
namespace {

constexpr std::uint64_t kContextIid = 1;
constexpr std::uint64_t kQueueIid = 1;
constexpr std::uint64_t kFirstStageIid = 2; // compute, communication, memory follow each other

void add_text(protozero::pbf_writer& out, pb::Field field, std::string_view text) {
  out.add_bytes(field, text.data(), text.size());
}

} // namespace

std::string raw_build_id(std::string_view hex) {
  const auto nibble = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  if (hex.size() % 2 != 0 || std::any_of(hex.begin(), hex.end(), [&](char c) { return nibble(c) < 0; }))
    return std::string(hex);
  std::string raw;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    raw += static_cast<char>(nibble(hex[i]) * 16 + nibble(hex[i + 1]));
  return raw;
}

void CounterWriter::flush() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.ts < b.ts; });
  std::string bytes;
  for (const Row& row : rows_) {
    core_.begin_row();
    bytes.clear();
    protozero::pbf_writer event(bytes);
    event.add_uint32(pb::event::kType, pb::event::kCounter);
    event.add_uint64(pb::event::kTrackUuid, row.uuid);
    // Whole numbers within double's exact range travel as varints.
    if (std::abs(row.value) < 9007199254740992.0 && std::trunc(row.value) == row.value &&
        !(row.value == 0 && std::signbit(row.value)))
      event.add_int64(pb::event::kCounterValue, static_cast<std::int64_t>(row.value));
    else
      event.add_double(pb::event::kDoubleCounterValue, row.value);
    sequence_.add(row.ts, pb::packet::kTrackEvent, bytes);
  }
  rows_.clear();
}

// --- samples
// ----------------------------------------------------------------------------------------------------

Id<Mapping> SampleWriter::mapping(const Mapping& row) {
  const auto [at, is_new] =
      mapping_index_.try_emplace({row.path.row, row.build_id.row, row.start, row.end, row.file_offset},
                                 static_cast<std::uint32_t>(mappings_.size()));
  if (is_new) mappings_.push_back(row);
  return {at->second};
}

Id<Frame> SampleWriter::frame(const Frame& row) {
  const auto [at, is_new] =
      frame_index_.try_emplace({row.function.row, row.mapping.row, row.rel_pc, row.source_file.row, row.line,
                                static_cast<int>(row.kind)},
                               static_cast<std::uint32_t>(frames_.size()));
  if (is_new) frames_.push_back(row);
  return {at->second};
}

Id<Callstack> SampleWriter::callstack(const Callstack& row) {
  const auto [at, is_new] = stack_index_.try_emplace(std::vector(row.frames.begin(), row.frames.end()),
                                                     static_cast<std::uint32_t>(stacks_.size()));
  if (is_new) stacks_.push_back(at->first);
  return {at->second};
}

void SampleWriter::add(const Sample& row, std::int64_t pid, std::int64_t tid) {
  rows_.push_back({row.ts.ns, pid, tid, row.weight, row.callstack, row.event, row.cpu});
}

void SampleWriter::symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int inline_depth, StrId function,
                          StrId file, std::uint32_t line) {
  if (mapping.row < mappings_.size())
    symbols_.push_back({mapping.row, rel_pc, inline_depth, function, file, line});
}

void SampleWriter::flush() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.ts < b.ts; });
  for (const Row& row : rows_) {
    core_.begin_row();
    write_sample(row);
  }
  rows_.clear();
  write_symbols();
}

SampleWriter::EventSequence& SampleWriter::sequence_of(StrId event) {
  EventSequence& entry = sequences_[event];
  if (!entry.sequence) {
    std::string timebase, sample, defaults;
    protozero::pbf_writer writer(timebase);
    writer.add_uint64(pb::defaults::kPeriod, 1);
    add_text(writer, pb::defaults::kName, core_.strings.text(event));
    writer.add_uint32(pb::defaults::kTimestampClock, pb::defaults::kPerfClockMonotonic);
    protozero::pbf_writer(sample).add_message(pb::defaults::kTimebase, timebase);
    protozero::pbf_writer(defaults).add_message(pb::defaults::kPerfSample, sample);
    entry.sequence = std::make_unique<Sequence>(core_, defaults);
  }
  if (entry.sequence->renew()) {
    entry.mappings.clear();
    entry.frames.clear();
    entry.stacks.clear();
  }
  return entry;
}

void SampleWriter::write_sample(const Row& row) {
  EventSequence& to = sequence_of(row.event);
  std::string bytes;
  protozero::pbf_writer sample(bytes);
  if (row.cpu >= 0) sample.add_uint32(pb::profile::kSampleCpu, static_cast<std::uint32_t>(row.cpu));
  if (row.tid >= 0) {
    sample.add_uint64(pb::profile::kSamplePid, static_cast<std::uint64_t>(row.pid));
    sample.add_uint64(pb::profile::kSampleTid, static_cast<std::uint64_t>(row.tid));
  }
  if (row.stack) sample.add_uint64(pb::profile::kSampleStack, stack_iid(to, row.stack));
  std::uint64_t& count = to.count_of_cpu[row.cpu];
  count += static_cast<std::uint64_t>(row.weight);
  sample.add_uint64(pb::profile::kSampleCount, count);
  to.sequence->add(row.ts, pb::packet::kPerfSample, bytes);
}

// True when the row is not defined yet, or in one group only where two are wanted.
bool SampleWriter::is_due(std::vector<std::int32_t>& defined, std::uint32_t row) const {
  constexpr std::int32_t kDone = -1;
  if (row >= defined.size()) defined.resize(row + 1);
  const auto here = static_cast<std::int32_t>(core_.file.group() & 0x3fffffff) + 1;
  const std::int32_t before = defined[row];
  if (before == kDone || before == here) return false;
  defined[row] = before == 0 && core_.stands_damage ? here : kDone;
  return true;
}

std::uint64_t SampleWriter::stack_iid(EventSequence& to, Id<Callstack> stack) {
  if (stack.row >= stacks_.size() || !is_due(to.stacks, stack.row)) return stack.row + 1;
  std::string bytes;
  protozero::pbf_writer message(bytes);
  message.add_uint64(pb::interned::kIid, stack.row + 1);
  for (const Id<Frame> frame : stacks_[stack.row]) {
    define_frame(to, frame);
    message.add_uint64(pb::profile::kStackFrames, frame.row + 1);
  }
  to.sequence->add_interned(pb::interned::kCallstacks, bytes);
  return stack.row + 1;
}

void SampleWriter::define_frame(EventSequence& to, Id<Frame> frame) {
  if (frame.row >= frames_.size() || !is_due(to.frames, frame.row)) return;
  const Frame& row = frames_[frame.row];
  std::string bytes;
  protozero::pbf_writer message(bytes);
  message.add_uint64(pb::interned::kIid, frame.row + 1);
  // Perfetto wants a function name id on every frame: the empty text is interned like any other.
  message.add_uint64(pb::profile::kFrameFunction, to.sequence->text_iid(Interned::function, row.function));
  if (row.mapping) {
    define_mapping(to, row.mapping);
    if (row.mapping.row < mappings_.size()) written_.insert(place_of(row.mapping.row, row.rel_pc));
    message.add_uint64(pb::profile::kFrameMapping, row.mapping.row + 1);
  }
  message.add_uint64(pb::profile::kFrameRelPc, row.rel_pc);
  if (!row.source_file.is_empty())
    message.add_uint64(pb::profile::kFrameSource,
                       to.sequence->text_iid(Interned::source_path, row.source_file));
  if (row.line != 0) message.add_uint32(pb::profile::kFrameLine, row.line);
  message.add_uint32(pb::profile::kFrameKind, static_cast<std::uint32_t>(row.kind) + 1);
  to.sequence->add_interned(pb::interned::kFrames, bytes);
}

void SampleWriter::define_mapping(EventSequence& to, Id<Mapping> mapping) {
  if (mapping.row >= mappings_.size() || !is_due(to.mappings, mapping.row)) return;
  const Mapping& row = mappings_[mapping.row];
  std::string bytes;
  protozero::pbf_writer message(bytes);
  message.add_uint64(pb::interned::kIid, mapping.row + 1);
  if (!row.build_id.is_empty()) {
    std::string id;
    protozero::pbf_writer entry(id);
    entry.add_uint64(pb::interned::kIid, mapping.row + 1); // one per mapping: they are few
    add_text(entry, pb::interned::kText, raw_build_id(core_.strings.text(row.build_id)));
    to.sequence->add_interned(pb::interned::kBuildIds, id);
    message.add_uint64(pb::profile::kMapBuildId, mapping.row + 1);
  }
  message.add_uint64(pb::profile::kMapStartOffset, row.file_offset);
  message.add_uint64(pb::profile::kMapStart, row.start);
  message.add_uint64(pb::profile::kMapEnd, row.end);
  message.add_uint64(pb::profile::kMapPath, to.sequence->text_iid(Interned::mapping_path, row.path));
  message.add_uint64(pb::profile::kMapExactOffset, row.file_offset);
  to.sequence->add_interned(pb::interned::kMappings, bytes);
}

std::tuple<std::uint32_t, std::uint32_t, std::uint64_t> SampleWriter::place_of(std::uint32_t mapping,
                                                                               std::uint64_t rel_pc) const {
  return {mappings_[mapping].path.row, mappings_[mapping].build_id.row, rel_pc};
}

// ModuleSymbols, one packet per mapping. Perfetto lists the lines of an address innermost first, and calls a
// symbol without a frame an import error: one whose frame is in no sample yet waits for it.
void SampleWriter::write_symbols() {
  const auto early = std::stable_partition(symbols_.begin(), symbols_.end(), [&](const SymbolRow& row) {
    return written_.contains(place_of(row.mapping, row.rel_pc));
  });
  std::vector<SymbolRow> waiting(early, symbols_.end());
  symbols_.erase(early, symbols_.end());
  std::stable_sort(symbols_.begin(), symbols_.end(), [](const SymbolRow& a, const SymbolRow& b) {
    return std::tie(a.mapping, a.rel_pc, b.depth) < std::tie(b.mapping, b.rel_pc, a.depth);
  });
  for (std::size_t i = 0; i < symbols_.size();) {
    const std::uint32_t mapping = symbols_[i].mapping;
    std::string bytes;
    protozero::pbf_writer module(bytes);
    add_text(module, pb::profile::kModulePath, core_.strings.text(mappings_[mapping].path));
    add_text(module, pb::profile::kModuleBuildId,
             raw_build_id(core_.strings.text(mappings_[mapping].build_id)));
    while (i < symbols_.size() && symbols_[i].mapping == mapping && bytes.size() < 200'000) {
      const std::uint64_t rel_pc = symbols_[i].rel_pc;
      protozero::pbf_writer address(module, pb::profile::kModuleAddresses);
      address.add_uint64(pb::profile::kAddress, rel_pc);
      for (; i < symbols_.size() && symbols_[i].mapping == mapping && symbols_[i].rel_pc == rel_pc; ++i) {
        protozero::pbf_writer line(address, pb::profile::kLines);
        add_text(line, pb::profile::kLineFunction, core_.strings.text(symbols_[i].function));
        add_text(line, pb::profile::kLineFile, core_.strings.text(symbols_[i].file));
        line.add_uint32(pb::profile::kLineNumber, symbols_[i].line);
      }
    }
    // Timed after every sample: Perfetto applies symbols to the frames that it knows by then.
    add_global(core_, pb::packet::kModuleSymbols, bytes, core_.last_ts);
  }
  symbols_ = std::move(waiting);
}

// --- kernels
// ----------------------------------------------------------------------------------------------------

std::uint64_t KernelWriter::add(const Kernel& row, const Stream& stream, std::uint32_t device_row) {
  Row copy{row, std::vector(row.args.begin(), row.args.end()), next_event_++, device_row, stream};
  copy.kernel.args = {};
  rows_.push_back(std::move(copy));
  return rows_.back().event_id;
}

Sequence& KernelWriter::sequence_of(const Row& row) {
  auto& sequence = sequences_[row.kernel.stream.row];
  if (!sequence) sequence = std::make_unique<Sequence>(core_, std::string{});
  if (!sequence->renew() && !sequence->starts_again()) return *sequence;
  const auto spec = [&](std::uint64_t iid, std::string_view name, std::string_view description,
                        std::uint32_t category) {
    std::string bytes;
    protozero::pbf_writer message(bytes);
    message.add_uint64(pb::interned::kIid, iid);
    add_text(message, pb::gpu::kSpecName, name);
    add_text(message, pb::gpu::kSpecDescription, description);
    message.add_uint32(pb::gpu::kSpecCategory, category);
    sequence->add_interned(pb::interned::kGpuSpecs, bytes);
  };
  spec(kQueueIid, core_.strings.text(row.stream.name), fmt::format("stream number={}", row.stream.number),
       pb::gpu::kCategoryCompute);
  spec(kFirstStageIid, "Kernel", "kind=compute", pb::gpu::kCategoryCompute);
  spec(kFirstStageIid + 1, "Communication", "kind=communication", pb::gpu::kCategoryOther);
  spec(kFirstStageIid + 2, "Memory", "kind=memory", pb::gpu::kCategoryOther);
  std::string context;
  protozero::pbf_writer(context).add_uint64(pb::interned::kIid, kContextIid);
  sequence->add_interned(pb::interned::kGraphicsContexts, context);
  return *sequence;
}

// Rows of ours without a field of Perfetto's own travel as launch arguments named "cann.*".
std::string KernelWriter::launch_of(Sequence& sequence, const Row& row) {
  std::string bytes;
  protozero::pbf_writer launch(bytes);
  const auto add = [&](StrId key, const ArgValue& value) {
    protozero::pbf_writer arg(launch, pb::gpu::kLaunchArgs);
    arg.add_uint64(pb::gpu::kArgNameIid, sequence.text_iid(Interned::compute_arg_name, key));
    if (const auto* n = std::get_if<std::int64_t>(&value)) arg.add_int64(pb::gpu::kArgInt, *n);
    if (const auto* x = std::get_if<double>(&value)) arg.add_double(pb::gpu::kArgDouble, *x);
    if (const auto* b = std::get_if<bool>(&value)) arg.add_uint64(pb::gpu::kArgUint, *b ? 1 : 0);
    if (const auto* s = std::get_if<StrId>(&value))
      arg.add_uint64(pb::gpu::kArgStringIid, sequence.text_iid(Interned::annotation_string, *s));
  };
  const auto ours = [&](std::string_view key, ArgValue value) { add(core_.strings.intern(key), value); };
  if (!row.kernel.op_type.is_empty()) ours("cann.op_type", row.kernel.op_type);
  if (row.kernel.correlation != 0)
    ours("cann.correlation", static_cast<std::int64_t>(row.kernel.correlation));
  if (row.kernel.flow_in != 0) ours("cann.flow_in", static_cast<std::int64_t>(row.kernel.flow_in));
  if (row.kernel.bytes != 0) ours("cann.bytes", row.kernel.bytes);
  for (const Arg& arg : row.args)
    add(arg_key(core_, arg.key), arg.value);
  return bytes;
}

void KernelWriter::flush() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return std::pair(a.kernel.stream, a.kernel.ts) < std::pair(b.kernel.stream, b.kernel.ts);
  });
  std::string bytes;
  for (const Row& row : rows_) {
    core_.begin_row();
    Sequence& sequence = sequence_of(row);
    bytes.clear();
    protozero::pbf_writer event(bytes);
    event.add_uint64(pb::gpu::kEventId, row.event_id);
    event.add_uint64(pb::gpu::kDuration,
                     static_cast<std::uint64_t>(std::max<std::int64_t>(row.kernel.dur.ns, 0)));
    event.add_uint64(pb::gpu::kContext, kContextIid);
    event.add_int64(pb::gpu::kGpuId, row.device);
    event.add_uint64(pb::gpu::kQueueIid, kQueueIid);
    event.add_uint64(pb::gpu::kStageIid, kFirstStageIid + static_cast<std::uint64_t>(row.kernel.kind));
    event.add_uint64(pb::gpu::kNameIid, sequence.text_iid(Interned::event_name, row.kernel.name));
    if (const std::string launch = launch_of(sequence, row); !launch.empty())
      event.add_message(pb::gpu::kLaunch, launch);
    sequence.add(row.kernel.ts.ns, pb::packet::kGpuRenderStage, bytes);
  }
  rows_.clear();
}

} // namespace prof::detail
