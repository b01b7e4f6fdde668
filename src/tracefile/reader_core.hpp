// reader_core.hpp: what the parts of the trace file reader share: clocks, interning per sequence, the loss
// ledger.
#pragma once
#include "trace/sink.hpp"
#include "tracefile/fields.hpp"
#include "tracefile/limits.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace prof::detail {

// Texts that a sequence interns.
enum class TextKind : std::uint8_t {
  category,
  event_name,
  annotation_name,
  annotation_string,
  function,
  mapping_path,
  build_id,
  source_path,
  compute_arg_name
};
inline constexpr std::size_t kTextKinds = 9;

// Interned rows, kept raw: what they point at may be interned after them. Resolved to sink ids at first use.
struct RawMapping {
  std::uint64_t build_id = 0, start = 0, end = 0, offset = 0;
  std::vector<std::uint64_t> path;
  Id<Mapping> id;
};
struct RawFrame {
  std::uint64_t function = 0, mapping = 0, rel_pc = 0, source = 0;
  std::uint32_t line = 0, kind = 0;
  Id<Frame> id;
};
struct RawCallstack {
  std::vector<std::uint64_t> frames;
  Id<Callstack> id;
};
struct GpuSpec {
  StrId name;
  std::string description;
  bool is_copy = false; // named like a copy or a fill: all that files of others say about the kind
};
struct GpuCounterSpec {
  StrId name, unit;
};
struct GpuCounters {
  std::int64_t gpu = 0;
  std::unordered_map<std::uint64_t, GpuCounterSpec> specs;
};
struct TaskContext {
  std::int64_t pid = 0, tid = -1;
};
// A clock of 64..127: belongs to its sequence.
struct UserClock {
  std::int64_t value = 0, trace_ts = 0; // trace time of `value`
  std::int64_t multiplier = 1;
  bool is_incremental = false;
};
struct PacketDefaults {
  std::uint32_t clock = 0;
  std::optional<std::uint64_t> track;
  std::vector<std::uint64_t> counters, double_counters;
  StrId sample_event, stack_event;
  std::uint64_t sample_period = 0, sample_frequency = 0;
};

struct SequenceState {
  bool is_valid = false; // interned data, defaults and clocks can be trusted
  // Of files of ours, where iids keep their meaning until the next start: the tables are good but for what a
  // loss took; the next anchor gives the clock again.
  bool awaits_anchor = false;
  bool has_lost_counts = false; // a loss took samples: the first count of a CPU says nothing
  // Of files of others, behind damage: what was interned before it still serves, unless a definition that
  // stands again tells that the state was cleared in it; clocks and counters that add up are lost.
  bool has_old_tables = false, has_lost_clock = false, has_lost_sums = false;
  bool has_sched = false;   // carried scheduler events
  std::uint64_t losses = 0; // of the stream, that it has been told of
  std::array<std::unordered_map<std::uint64_t, StrId>, kTextKinds> texts;
  std::unordered_map<std::uint64_t, RawMapping> mappings;
  std::unordered_map<std::uint64_t, RawFrame> frames;
  std::unordered_map<std::uint64_t, RawCallstack> callstacks;
  std::unordered_map<std::uint64_t, GpuSpec> gpu_specs;
  std::unordered_map<std::uint64_t, StrId> kernels;
  std::unordered_map<std::uint64_t, std::int64_t> gpu_contexts; // iid -> pid
  std::unordered_map<std::uint64_t, GpuCounters> gpu_counters;
  std::unordered_map<std::uint64_t, TaskContext> tasks;
  std::unordered_map<std::uint64_t, std::int32_t> cpus;
  std::unordered_map<std::uint64_t, StrId> descriptors;
  std::unordered_map<std::uint64_t, std::int64_t>
      stream_of_queue; // queue iid -> stream number its kernels gave
  PacketDefaults defaults;
  std::map<std::uint32_t, UserClock> clocks;
  std::map<std::int64_t, std::uint64_t> sample_counts; // cpu -> timebase count so far
  std::map<std::uint64_t, double> counter_sums;        // of incremental counters
  std::optional<TaskContext> thread;                   // of a legacy thread_descriptor

  std::unordered_map<std::uint64_t, std::string> annotation_names; // the texts again, for dictionary keys
  std::unordered_map<std::uint64_t, std::string> mapping_paths, compute_arg_names; // likewise
  [[nodiscard]] std::string_view annotation_name(std::uint64_t iid) const {
    const auto at = annotation_names.find(iid);
    return at == annotation_names.end() ? std::string_view{} : std::string_view(at->second);
  }
  // nullptr: never interned.
  [[nodiscard]] const StrId* find(TextKind kind, std::uint64_t iid) const {
    const auto& table = texts[static_cast<std::size_t>(kind)];
    const auto at = table.find(iid);
    return at == table.end() ? nullptr : &at->second;
  }
  [[nodiscard]] StrId text(TextKind kind, std::uint64_t iid) const {
    const StrId* found = find(kind, iid);
    return found == nullptr ? StrId{} : *found;
  }
  void clear_tables();
  void clear_incremental();
  // Something was lost from the stream, perhaps of this sequence. Of a file of ours...
  void lose();
  // ... and of one of others; `is_clock_lost`: the packets that were lost may have moved its clock.
  void doubt(bool is_clock_lost);
  // Do packets on this clock (0: the default one) depend on the ones before them, of which some are lost?
  [[nodiscard]] bool has_lost(std::uint32_t clock) const;
};

// Relates the clocks of the file to its trace clock, as of the latest snapshot.
class ClockMap {
public:
  // A ClockSnapshot; its user clocks go to `sequence`.
  void add_snapshot(std::string_view message, SequenceState& sequence);
  // Trace time of a packet's timestamp; advances an incremental clock. nullopt: a clock that no snapshot
  // relates.
  [[nodiscard]] std::optional<std::int64_t> to_trace(SequenceState& sequence, std::uint32_t clock,
                                                     std::uint64_t timestamp) const;

private:
  std::optional<std::uint32_t> trace_clock_;
  std::map<std::uint32_t, std::int64_t> offsets_; // builtin clock -> trace time - its time
};

// Everything the parts need: the sink, processes and threads by number, and the notes for the end.
class ReaderCore {
public:
  explicit ReaderCore(TraceSink& sink) : sink_(sink) {}
  [[nodiscard]] TraceSink& sink() { return sink_; }
  [[nodiscard]] StrId intern(std::string_view text) { return text.empty() ? StrId{} : sink_.intern(text); }
  Id<Process> process(std::int64_t pid, StrId name = {}, StrId cmdline = {}, bool is_renamed = false);
  Id<Thread> thread(std::int64_t pid, std::int64_t tid, StrId name = {}, bool is_renamed = false);
  // Counts one loss under `code`; the first place is kept.
  void note(Severity severity, std::string_view code, std::string_view where = {}, std::int64_t count = 1);
  void hand_over_notes();
  // The layer named by an interned text of a file of ours.
  [[nodiscard]] Layer layer_of(StrId name);
  // Remembers how far the trace goes.
  void saw(std::int64_t ts) {
    if (ts > last_ts || !has_ts) last_ts = ts;
    has_ts = true;
  }

  ClockMap clocks;
  std::int64_t last_ts = 0;
  bool has_ts = false;
  bool is_ours =
      false; // written by TraceFileWriter: slices come whole, weights are exact, "cann." keys are rows

private:
  struct Entry {
    Severity severity;
    std::int64_t count;
    std::string where;
  };
  TraceSink& sink_;
  std::map<std::int64_t, Id<Process>> processes_;
  std::map<std::pair<std::int64_t, std::int64_t>, Id<Thread>> threads_;
  std::map<std::string, Entry> notes_;
  std::map<StrId, Layer> layers_;
};

[[nodiscard]] std::string hex_of(std::string_view bytes);
[[nodiscard]] std::optional<Layer> layer_from(std::string_view name);

// What can be told of a packet whose fields do not add up: those before the damage and the numbers at its
// end.
struct LostPacket {
  std::optional<std::uint64_t> sequence, timestamp;
  std::uint32_t clock = 0;
  bool is_time_known = false; // it has `timestamp`, or none
  bool is_start = false;      // it cleared the state of its sequence
};
// `is_size_right`: no byte of it is missing; else only its end is looked at.
[[nodiscard]] LostPacket look_into(std::string_view content, bool is_size_right);

// Takes in an InternedData and a TracePacketDefaults message.
void read_interned(ReaderCore& core, SequenceState& sequence, std::string_view message);
void read_defaults(ReaderCore& core, SequenceState& sequence, std::string_view message);
// The specs of a GpuCounterDescriptor.
void read_counter_specs(ReaderCore& core, GpuCounters& counters, std::string_view message);
// The name in a StackSample.CounterDescriptor.
[[nodiscard]] StrId read_descriptor_name(ReaderCore& core, std::string_view message);

} // namespace prof::detail
