// store_builder.cpp: takes rows in. Sealing is in seal_*.cpp.
#include "store/building.hpp"

#include <bit>
#include <variant>

namespace prof {

struct StoreBuilder::State : detail::Building {};

namespace detail {
namespace {

std::uint64_t hash_of(const Arg& arg) {
  const std::uint64_t seed = mix(arg.key.row, arg.value.index());
  if (const auto* i = std::get_if<std::int64_t>(&arg.value)) return mix(seed, static_cast<std::uint64_t>(*i));
  if (const auto* d = std::get_if<double>(&arg.value)) return mix(seed, std::bit_cast<std::uint64_t>(*d));
  if (const auto* f = std::get_if<bool>(&arg.value)) return mix(seed, *f ? 1 : 0);
  return mix(seed, std::get<StrId>(arg.value).row);
}

// NaN equals itself here: two sets with the same bits are the same set.
bool is_same_value(const ArgValue& a, const ArgValue& b) {
  if (a.index() != b.index()) return false;
  if (const auto* d = std::get_if<double>(&a))
    return std::bit_cast<std::uint64_t>(*d) == std::bit_cast<std::uint64_t>(std::get<double>(b));
  return a == b;
}

// A row id as it may stand in a column: out-of-range ids (a bug of the caller) become "none".
std::uint32_t checked(std::uint32_t row, std::size_t size) {
  return row < size ? row : kNoRow;
}

} // namespace

Building::Building() {
  t.arg.set_begin.push_back(0);
  words.request = strings.intern(words::kRequest);
  words.stage = strings.intern(words::kStage);
  words.op = strings.intern(words::kOp);
  words.run = strings.intern(words::kRun);
  words.lock = strings.intern(words::kLock);
  words.request_id = strings.intern(words::kArgRequestId);
  words.status = strings.intern(words::kArgStatus);
  words.wait_class = strings.intern(words::kArgWaitClass);
  words.op_type = strings.intern(words::kArgOpType);
  words.model = strings.intern(words::kArgModel);
  words.covers = strings.intern(words::kArgCovers);
  words.process = strings.intern(words::kCoversProcess);
  words.event_switch = strings.intern(words::kEventSwitch);
  words.event_cpu = strings.intern(words::kEventCpu);
  words.event_fault = strings.intern(words::kEventFault);
}

void Building::merge_note(const Note& row) {
  NoteTable& notes = t.note;
  const std::uint32_t at = note_index.find_or_add(
      mix(row.code.row, static_cast<std::uint64_t>(row.severity)),
      [&](std::uint32_t i) { return notes.code[i] == row.code && notes.severity[i] == row.severity; },
      [&] {
        notes.severity.push_back(row.severity);
        notes.code.push_back(row.code);
        notes.where.push_back(row.where);
        notes.count.push_back(0);
        return static_cast<std::uint32_t>(notes.code.size() - 1);
      });
  if (row.count > 0 && notes.count[at] < kMaxTime) notes.count[at] += std::min(row.count, kMaxTime);
}

void Building::add_note(Severity severity, std::string_view code, std::string_view where,
                        std::int64_t count) {
  merge_note(
      {.severity = severity, .code = strings.intern(code), .count = count, .where = strings.intern(where)});
}

bool Building::see(std::int64_t ts, std::int64_t dur) {
  if (ts > kMaxTime || ts < -kMaxTime || dur > kMaxTime) {
    add_note(Severity::data_loss, "note.store.time_out_of_range");
    return false;
  }
  first = std::min(first, ts);
  last = std::max(last, ts + std::max<std::int64_t>(dur, 0));
  return true;
}

std::uint32_t Building::arg_set(std::span<const Arg> args) {
  if (args.empty()) return kNoRow;
  ArgTable& table = t.arg;
  if (table.key.size() + args.size() > kMaxRows) {
    add_note(Severity::data_loss, "note.store.too_many_rows", "args");
    return kNoRow;
  }
  std::uint64_t hash = args.size();
  for (const Arg& arg : args)
    hash = mix(hash, hash_of(arg));
  const auto is_same = [&](std::uint32_t set) {
    const std::uint32_t from = table.set_begin[set];
    if (table.set_begin[set + 1] - from != args.size()) return false;
    for (std::uint32_t i = 0; i < args.size(); ++i)
      if (table.key[from + i] != args[i].key || !is_same_value(table.value[from + i], args[i].value))
        return false;
    return true;
  };
  return arg_index.find_or_add(hash, is_same, [&] {
    make_room(table.key, args.size());
    make_room(table.value, args.size());
    for (const Arg& arg : args) {
      table.key.push_back(arg.key);
      table.value.push_back(arg.value);
    }
    table.set_begin.push_back(static_cast<std::uint32_t>(table.key.size()));
    return static_cast<std::uint32_t>(table.set_begin.size() - 2);
  });
}

std::uint32_t Building::thread_row(std::uint32_t process, std::int64_t tid, StrId name) {
  ThreadTable& threads = t.thread;
  std::uint32_t row = kNoRow;
  // The scheduler and counters may name a thread before its process is known: that row is completed, not
  // doubled.
  if (const auto found = thread_of_tid.find(tid); found != thread_of_tid.end()) {
    const std::uint32_t known = threads.process[found->second];
    if (known == process || known == kNoRow || process == kNoRow) row = found->second;
    if (row != kNoRow && known == kNoRow && process != kNoRow) {
      threads.process[row] = process;
      thread_index.find_or_add(
          mix(process, static_cast<std::uint64_t>(tid)), [](std::uint32_t) { return false; },
          [&] { return row; });
    }
  }
  if (row == kNoRow) {
    row = thread_index.find_or_add(
        mix(process, static_cast<std::uint64_t>(tid)),
        [&](std::uint32_t i) { return threads.process[i] == process && threads.tid[i] == tid; },
        [&] {
          threads.tid.push_back(tid);
          threads.process.push_back(process);
          threads.name.push_back({});
          return static_cast<std::uint32_t>(threads.tid.size() - 1);
        });
    thread_of_tid[tid] = row; // a reused tid names its latest owner
  }
  if (threads.name[row].is_empty()) threads.name[row] = name;
  return row;
}

std::uint32_t Building::thread_by_tid(std::int64_t tid, StrId comm) {
  const auto process = process_of_pid.find(tid);
  return thread_row(process == process_of_pid.end() ? kNoRow : process->second, tid, comm);
}

} // namespace detail

StoreBuilder::StoreBuilder() : state_(std::make_unique<State>()) {}
StoreBuilder::~StoreBuilder() = default;

StrId StoreBuilder::intern(std::string_view text) {
  return state_->strings.intern(text);
}

Id<Process> StoreBuilder::process(const Process& row) {
  ProcessTable& table = state_->t.process;
  const auto [found, is_new] =
      state_->process_of_pid.try_emplace(row.pid, static_cast<std::uint32_t>(table.pid.size()));
  if (is_new) {
    table.pid.push_back(row.pid);
    table.name.push_back(row.name);
    table.cmdline.push_back(row.cmdline);
  }
  const std::uint32_t at = found->second;
  if (row.is_renamed || table.name[at].is_empty()) table.name[at] = row.name;
  if (row.is_renamed || table.cmdline[at].is_empty()) table.cmdline[at] = row.cmdline;
  return {at};
}

Id<Thread> StoreBuilder::thread(const Thread& row) {
  const std::uint32_t at =
      state_->thread_row(detail::checked(row.process.row, state_->t.process.pid.size()), row.tid, row.name);
  if (row.is_renamed && !row.name.is_empty()) state_->t.thread.name[at] = row.name;
  return {at};
}

Id<Device> StoreBuilder::device(const Device& row) {
  DeviceTable& table = state_->t.device;
  const std::uint32_t at = state_->device_index.find_or_add(
      detail::mix(static_cast<std::uint64_t>(row.kind), static_cast<std::uint64_t>(row.index)),
      [&](std::uint32_t i) { return table.kind[i] == row.kind && table.index[i] == row.index; },
      [&] {
        table.name.push_back(row.name);
        table.kind.push_back(row.kind);
        table.index.push_back(row.index);
        return static_cast<std::uint32_t>(table.name.size() - 1);
      });
  if (table.name[at].is_empty()) table.name[at] = row.name;
  return {at};
}

Id<Stream> StoreBuilder::stream(const Stream& row) {
  StreamTable& table = state_->t.stream;
  const std::uint32_t device = detail::checked(row.device.row, state_->t.device.name.size());
  const std::uint32_t at = state_->stream_index.find_or_add(
      detail::mix(device, static_cast<std::uint64_t>(row.number)),
      [&](std::uint32_t i) { return table.device[i] == device && table.number[i] == row.number; },
      [&] {
        table.device.push_back(device);
        table.number.push_back(row.number);
        table.name.push_back(row.name);
        return static_cast<std::uint32_t>(table.name.size() - 1);
      });
  if (table.name[at].is_empty()) table.name[at] = row.name;
  return {at};
}

Id<Track> StoreBuilder::track(const Track& row) {
  TrackTable& table = state_->t.track;
  const std::uint32_t thread = detail::checked(row.thread.row, state_->t.thread.tid.size());
  const auto at = static_cast<std::uint32_t>(table.name.size());
  if (row.kind == TrackKind::thread && thread != kNoRow) {
    auto& known = state_->track_of_thread;
    if (known.size() <= thread) known.resize(thread + 1, kNoRow);
    if (known[thread] != kNoRow) {
      if (table.name[known[thread]].is_empty()) table.name[known[thread]] = row.name;
      return {known[thread]};
    }
    known[thread] = at;
  }
  table.name.push_back(row.name);
  table.kind.push_back(row.kind);
  table.thread.push_back(thread);
  table.process.push_back(detail::checked(row.process.row, state_->t.process.pid.size()));
  table.stream.push_back(detail::checked(row.stream.row, state_->t.stream.name.size()));
  table.parent.push_back(detail::checked(row.parent.row, at));
  return {at};
}

Id<CounterTrack> StoreBuilder::counter_track(const CounterTrack& row) {
  CounterTrackTable& table = state_->t.counter_track;
  const std::uint32_t thread = detail::checked(row.thread.row, state_->t.thread.tid.size());
  const std::uint32_t process = detail::checked(row.process.row, state_->t.process.pid.size());
  const std::uint32_t device = detail::checked(row.device.row, state_->t.device.name.size());
  const std::uint64_t owner = detail::mix(detail::mix(thread, process), device);
  const std::uint64_t hash = detail::mix(detail::mix(owner, row.name.row),
                                         detail::mix(row.unit.row, static_cast<std::uint64_t>(row.cpu)));
  const auto is_same = [&](std::uint32_t i) {
    return table.name[i] == row.name && table.unit[i] == row.unit && table.cpu[i] == row.cpu &&
           table.thread[i] == thread && table.process[i] == process && table.device[i] == device;
  };
  return {state_->counter_track_index.find_or_add(hash, is_same, [&] {
    table.name.push_back(row.name);
    table.unit.push_back(row.unit);
    table.cpu.push_back(row.cpu);
    table.thread.push_back(thread);
    table.process.push_back(process);
    table.device.push_back(device);
    return static_cast<std::uint32_t>(table.name.size() - 1);
  })};
}

void StoreBuilder::slice(const Slice& row) {
  SliceTable& table = state_->t.slice;
  const auto at = static_cast<std::uint32_t>(table.ts.size());
  if (row.track.row >= state_->t.track.name.size())
    return state_->add_note(Severity::error, "note.store.bad_reference", "slice");
  if (at >= detail::kMaxRows)
    return state_->add_note(Severity::data_loss, "note.store.too_many_rows", "slice");
  if (!state_->see(row.ts.ns, row.dur.ns)) return;
  std::int64_t dur = row.dur.ns;
  if (dur == detail::kOpenEnd) {
    state_->has_open_ends = true;
  } else if (dur < 0) {
    state_->add_note(Severity::error, "note.store.negative_duration", state_->strings.text(row.name));
    dur = 0;
  }
  table.ts.push_back(row.ts.ns);
  table.dur.push_back(dur);
  table.track.push_back(row.track.row);
  table.name.push_back(row.name);
  table.category.push_back(row.category);
  table.arg_set.push_back(state_->arg_set(row.args));
  table.layer.push_back(row.layer);
  for (const std::uint64_t id : row.flows_out)
    state_->flows.push_back({.id = id, .row = at, .is_out = true});
  for (const std::uint64_t id : row.flows_in)
    state_->flows.push_back({.id = id, .row = at, .is_out = false});
}

void StoreBuilder::kernel(const Kernel& row) {
  KernelTable& table = state_->t.kernel;
  const auto at = static_cast<std::uint32_t>(table.ts.size());
  if (row.stream.row >= state_->t.stream.name.size())
    return state_->add_note(Severity::error, "note.store.bad_reference", "kernel");
  if (at >= detail::kMaxRows)
    return state_->add_note(Severity::data_loss, "note.store.too_many_rows", "kernel");
  if (!state_->see(row.ts.ns, row.dur.ns)) return;
  if (row.dur.ns < 0)
    state_->add_note(Severity::error, "note.store.negative_duration", state_->strings.text(row.name));
  table.ts.push_back(row.ts.ns);
  table.dur.push_back(std::max<std::int64_t>(row.dur.ns, 0));
  table.stream.push_back(row.stream.row);
  table.name.push_back(row.name);
  table.op_type.push_back(row.op_type);
  table.kind.push_back(row.kind);
  table.correlation.push_back(row.correlation);
  table.bytes.push_back(row.bytes);
  table.arg_set.push_back(state_->arg_set(row.args));
  if (row.flow_in != 0)
    state_->flows.push_back({.id = row.flow_in, .row = at, .is_out = false, .is_kernel = true});
}

void StoreBuilder::counter(Id<CounterTrack> track, Ts ts, double value) {
  CounterTable& table = state_->t.counter;
  if (track.row >= state_->t.counter_track.name.size())
    return state_->add_note(Severity::error, "note.store.bad_reference", "counter");
  if (table.ts.size() >= detail::kMaxRows)
    return state_->add_note(Severity::data_loss, "note.store.too_many_rows", "counter");
  if (!state_->see(ts.ns, 0)) return;
  table.ts.push_back(ts.ns);
  table.track.push_back(track.row);
  table.value.push_back(value);
}

Id<Mapping> StoreBuilder::mapping(const Mapping& row) {
  MappingTable& table = state_->t.mapping;
  const std::uint64_t hash =
      detail::mix(detail::mix(row.path.row, row.build_id.row), detail::mix(row.start, row.file_offset));
  const auto is_same = [&](std::uint32_t i) {
    return table.path[i] == row.path && table.build_id[i] == row.build_id && table.start[i] == row.start &&
           table.end[i] == row.end && table.file_offset[i] == row.file_offset;
  };
  return {state_->mapping_index.find_or_add(hash, is_same, [&] {
    table.path.push_back(row.path);
    table.build_id.push_back(row.build_id);
    table.start.push_back(row.start);
    table.end.push_back(row.end);
    table.file_offset.push_back(row.file_offset);
    return static_cast<std::uint32_t>(table.path.size() - 1);
  })};
}

Id<Frame> StoreBuilder::frame(const Frame& row) {
  FrameTable& table = state_->raw_frame;
  const std::uint32_t mapping = detail::checked(row.mapping.row, state_->t.mapping.path.size());
  const std::uint64_t place = detail::mix(detail::mix(mapping, row.rel_pc), row.line);
  const std::uint64_t hash = detail::mix(place, detail::mix(row.function.row, row.source_file.row));
  const auto is_same = [&](std::uint32_t i) {
    return table.mapping[i] == mapping && table.rel_pc[i] == row.rel_pc &&
           table.function[i] == row.function && table.source_file[i] == row.source_file &&
           table.line[i] == row.line && table.kind[i] == row.kind;
  };
  return {state_->frame_index.find_or_add(hash, is_same, [&] {
    table.function.push_back(row.function);
    table.source_file.push_back(row.source_file);
    table.mapping.push_back(mapping);
    table.line.push_back(row.line);
    table.rel_pc.push_back(row.rel_pc);
    table.kind.push_back(row.kind);
    return static_cast<std::uint32_t>(table.function.size() - 1);
  })};
}

Id<Callstack> StoreBuilder::callstack(const Callstack& row) {
  State& s = *state_;
  std::uint32_t node = kNoRow;
  std::uint16_t depth = 0;
  for (const Id<Frame> frame : row.frames) {
    if (frame.row >= s.raw_frame.function.size()) continue;
    if (depth >= detail::kMaxStackDepth) break;
    const std::uint32_t parent = node;
    node = s.node_index.find_or_add(
        detail::mix(parent, frame.row),
        [&](std::uint32_t i) { return s.node_parent[i] == parent && s.node_frame[i] == frame.row; },
        [&] {
          s.node_parent.push_back(parent);
          s.node_frame.push_back(frame.row);
          s.node_depth.push_back(depth);
          return static_cast<std::uint32_t>(s.node_frame.size() - 1);
        });
    ++depth;
  }
  return {node};
}

void StoreBuilder::sample(const Sample& row) {
  SampleTable& table = state_->t.sample;
  if (table.ts.size() >= detail::kMaxRows)
    return state_->add_note(Severity::data_loss, "note.store.too_many_rows", "sample");
  if (!state_->see(row.ts.ns, 0)) return;
  table.ts.push_back(row.ts.ns);
  table.weight.push_back(row.weight);
  table.thread.push_back(detail::checked(row.thread.row, state_->t.thread.tid.size()));
  table.callstack.push_back(detail::checked(row.callstack.row, state_->node_frame.size()));
  table.cpu.push_back(row.cpu);
  table.event.push_back(row.event);
}

void StoreBuilder::symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int inline_depth, StrId function,
                          StrId source_file, std::uint32_t line) {
  const bool has_mapping = mapping.row < state_->t.mapping.path.size();
  state_->symbols.push_back({.path = has_mapping ? state_->t.mapping.path[mapping.row] : StrId{},
                             .rel_pc = rel_pc,
                             .inline_depth = inline_depth,
                             .function = function,
                             .source_file = source_file,
                             .line = line});
}

void StoreBuilder::sched_switch(const SchedSwitch& row) {
  if (!state_->see(row.ts.ns, 0)) return;
  state_->switches.push_back({.ts = row.ts.ns,
                              .prev_tid = row.prev_tid,
                              .next_tid = row.next_tid,
                              .cpu = row.cpu,
                              .next_comm = row.next_comm,
                              .prev_state = row.prev_state});
}

void StoreBuilder::sched_wakeup(const SchedWakeup& row) {
  if (!state_->see(row.ts.ns, 0)) return;
  state_->wakeups.push_back({.ts = row.ts.ns, .tid = row.tid, .waker_tid = row.waker_tid});
}

void StoreBuilder::signal(const Signal& row) {
  SignalTable& table = state_->t.signal;
  const std::uint32_t at = state_->signal_index.find_or_add(
      detail::mix(row.name.row), [&](std::uint32_t i) { return table.name[i] == row.name; },
      [&] {
        table.name.push_back(row.name);
        table.is_available.push_back(false);
        for (auto* column : {&table.source, &table.reason, &table.mend, &table.detail})
          column->emplace_back();
        return static_cast<std::uint32_t>(table.name.size() - 1);
      });
  // One collector that has it is enough; a second one's "no" does not take it away.
  if (table.is_available[at] && !row.is_available) return;
  table.is_available[at] = row.is_available;
  table.source[at] = row.source;
  table.reason[at] = row.reason;
  table.mend[at] = row.mend;
  table.detail[at] = row.detail;
}

void StoreBuilder::note(const Note& row) {
  state_->merge_note(row);
}

void StoreBuilder::gap(const Gap& row) {
  if (!state_->see(row.ts.ns, row.dur.ns)) return;
  state_->t.gap.ts.push_back(row.ts.ns);
  state_->t.gap.dur.push_back(std::max<std::int64_t>(row.dur.ns, 0));
  state_->t.gap.reason.push_back(row.reason);
}

void StoreBuilder::metadata(std::string_view key, std::string_view value) {
  MetadataTable& table = state_->t.metadata;
  const StrId id = state_->strings.intern(key);
  const std::uint32_t at = state_->metadata_index.find_or_add(
      detail::mix(id.row), [&](std::uint32_t i) { return table.key[i] == id; },
      [&] {
        table.key.push_back(id);
        table.value.push_back({});
        return static_cast<std::uint32_t>(table.key.size() - 1);
      });
  table.value[at] = state_->strings.intern(value);
}

Store StoreBuilder::seal() {
  State& s = *state_;
  const std::vector<std::uint32_t> new_row = detail::seal_slices(s);
  detail::seal_kernels_and_flows(s, new_row);
  detail::seal_requests(s);
  detail::seal_counters(s);
  detail::seal_samples(s);
  detail::seal_sched(s);
  detail::seal_signals(s);
  detail::seal_end(s);
  const bool is_empty = s.first > s.last;
  Store store(std::move(s.t), std::move(s.strings), Ts{is_empty ? 0 : s.first}, Ts{is_empty ? 0 : s.last});
  state_ = std::make_unique<State>();
  return store;
}

} // namespace prof
