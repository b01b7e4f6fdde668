// model.hpp: the vocabulary of a trace. Plain structs; all times are ns on the trace clock; all text is a
// StrId of the sink's own pool. What has no field of its own travels as an Arg under a key of
// conventions.hpp.
#pragma once
#include "base/string_pool.hpp"
#include "base/units.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace prof {

enum class Layer : std::uint8_t { application, framework, runtime, device, os, hardware };
enum class DeviceKind : std::uint8_t { cpu, gpu, npu, other };
enum class TrackKind : std::uint8_t { thread, async, stream, other };
enum class KernelKind : std::uint8_t { compute, communication, memory };
enum class Severity : std::uint8_t { info, notice, data_loss, error };

struct Process {
  std::int64_t pid = 0;
  StrId name{};
  StrId cmdline{};
  bool is_renamed = false; // name and command line take the place of those known (exec)
};
struct Thread {
  Id<Process> process{};
  std::int64_t tid = 0;
  StrId name{};
  bool is_renamed = false; // the name takes the place of the one known
};
struct Device {
  StrId name{};
  DeviceKind kind = DeviceKind::other;
  std::int64_t index = 0;
};
struct Stream {
  Id<Device> device{};
  std::int64_t number = 0;
  StrId name{};
};
// One lane of the timeline. Slices of a track nest properly (a child lies inside its parent); whoever emits
// overlapping work opens one async track per lane.
struct Track {
  StrId name{};
  TrackKind kind = TrackKind::other;
  Id<Thread> thread{};   // for thread tracks
  Id<Process> process{}; // for async tracks of a process
  Id<Stream> stream{};   // for stream tracks
  Id<Track> parent{};
};

using ArgValue = std::variant<std::int64_t, double, bool, StrId>;
// A named value of a slice. A key may stand more than once (a batch lists several request_id).
struct Arg {
  StrId key{};
  ArgValue value{};
};

// An interval on a track (OpenTelemetry and the SDK call it a span). dur 0 = an instant.
struct Slice {
  Id<Track> track{};
  Ts ts{};
  Dur dur{};
  StrId name{};
  StrId category{}; // a word of conventions.hpp, or free
  Layer layer = Layer::application;
  std::span<const Arg> args{};                // read during the call only
  std::span<const std::uint64_t> flows_out{}; // flow ids that start here
  std::span<const std::uint64_t> flows_in{};  // flow ids that end here
};

// What a device stream ran. Kept apart from Slice because its queries are typed (docs/sql.md: kernel).
struct Kernel {
  Id<Stream> stream{};
  Ts ts{};
  Dur dur{};
  StrId name{};
  StrId op_type{};
  KernelKind kind = KernelKind::compute;
  std::uint64_t correlation = 0; // launch link within process and device; 0 = none
  std::uint64_t flow_in = 0;     // flow id whose start is the launching slice; 0 = none
  std::int64_t bytes = 0;        // moved, for kind memory; 0 = not known
  std::span<const Arg> args{};   // input_shapes, input_formats, input_dtypes ...
};

// A number over time. Belongs to a thread, a process, a device or the machine (all unset).
struct CounterTrack {
  StrId name{}; // an id of the metric catalogue where there is one: "rss", "cpu_util"
  StrId unit{}; // "bytes", "percent", "count", "ns", "1/s", "MHz", "celsius", "watt"
  std::int64_t cpu = -1;
  Id<Thread> thread{};
  Id<Process> process{};
  Id<Device> device{};
};

// A file mapped into a process, for samples. build_id is lower-case hex, or empty.
struct Mapping {
  StrId path{};
  StrId build_id{};
  std::uint64_t start = 0; // address range in the process
  std::uint64_t end = 0;
  std::uint64_t file_offset = 0;
};
enum class FrameKind : std::uint8_t { native, kernel, interpreted, jit };
struct Frame {
  StrId function{}; // empty until symbolised
  Id<Mapping> mapping{};
  std::uint64_t rel_pc =
      0; // ELF virtual address of the instruction (what addr2line takes); raw address for kernel frames
  StrId source_file{};
  std::uint32_t line = 0;
  FrameKind kind = FrameKind::native;
};
struct Callstack {
  std::span<const Id<Frame>> frames{}; // outermost first (main ... leaf)
};
// One observation of a thread. `event` says of what: cpu-clock (a CPU sample), page-faults, context-switches
// (where it blocked), major-faults. `weight` = ns for cpu-clock, events for the others.
struct Sample {
  Ts ts{};
  Id<Thread> thread{};
  std::int32_t cpu = -1;
  Id<Callstack> callstack{}; // none = no stack
  StrId event{};
  std::int64_t weight = 1;
};

// A scheduler switch on a CPU. tid 0 = idle. prev_state in the kernel's letters: "R" still runnable
// (preempted), "S" sleeping, "D" uninterruptible, "X"/"Z" gone. On kNoCpu it is no switch: prev_tid is known
// to have been in prev_state from ts on ("U": in a state that nobody knows), though switches of it were lost.
inline constexpr std::int32_t kNoCpu = -1;
struct SchedSwitch {
  Ts ts{};
  std::int32_t cpu = 0;
  std::int64_t prev_tid = 0;
  char prev_state = 'S';
  std::int64_t next_tid = 0;
  std::int32_t next_prio = 120;
  StrId next_comm{};
};
struct SchedWakeup {
  Ts ts{};
  std::int32_t cpu = 0; // where the waker ran
  std::int64_t tid = 0; // woken
  std::int64_t waker_tid = 0;
  std::int32_t target_cpu = 0;
};

// Can this trace answer questions about `name` (a metric id or a signal of conventions.hpp)?
struct Signal {
  StrId name{};
  bool is_available = false;
  StrId source{}; // collector or reader that gives it
  StrId reason{}; // text id "signal.reason.*" when unavailable
  StrId mend{};   // text id "signal.mend.*" when unavailable
  StrId detail{}; // free English detail (errno text, file), may be empty
};
// A known hole in the data.
struct Gap {
  Ts ts{};
  Dur dur{};
  StrId reason{}; // text id "gap.*"
};
// One entry of the loss ledger.
struct Note {
  Severity severity = Severity::info;
  StrId code{}; // text id "note.*": message; "note.*.advice" what to do
  std::int64_t count = 1;
  StrId where{}; // first place: "offset 812", "line 3", a thread name
};

} // namespace prof
