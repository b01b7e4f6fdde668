// sink.hpp: what collectors and readers call, and what the trace file writer and the store builder implement.
#pragma once
#include "trace/model.hpp"

namespace prof {

// A slice that has not ended when the trace does.
inline constexpr Dur kUnfinished{-1};
// Set in flow ids that lead from a launch call to what it launched: a call that launched nothing that was
// recorded is no unmatched flow.
inline constexpr std::uint64_t kLaunchFlow = std::uint64_t{1} << 63U;

// Receives a trace in any order of rows, except: an id is used only after the call that returned it; the
// slices of one track come in order of their start or of their end (a child may come before its parent, as
// complete events do). Not thread-safe. Calls never fail: an implementation that meets an error keeps it and
// reports it when it is finished.
class TraceSink {
public:
  virtual ~TraceSink() = default;

  virtual StrId intern(std::string_view text) = 0;
  // Same pid (pid + tid, ...) returns the same id; a later non-empty name replaces an empty one, and any
  // where the row says is_renamed.
  virtual Id<Process> process(const Process& row) = 0;
  virtual Id<Thread> thread(const Thread& row) = 0;
  virtual Id<Device> device(const Device& row) = 0;
  virtual Id<Stream> stream(const Stream& row) = 0;
  virtual Id<Track>
  track(const Track& row) = 0; // a thread has one thread track: asked twice, the same id comes back
  virtual Id<CounterTrack> counter_track(const CounterTrack& row) = 0; // same fields: same id

  virtual void slice(const Slice& row) = 0;
  virtual void kernel(const Kernel& row) = 0;
  virtual void counter(Id<CounterTrack> track, Ts ts, double value) = 0;

  virtual Id<Mapping> mapping(const Mapping& row) = 0; // same fields: same id, for these three
  virtual Id<Frame> frame(const Frame& row) = 0;
  virtual Id<Callstack> callstack(const Callstack& row) = 0;
  virtual void sample(const Sample& row) = 0;
  // Function, file and line of an instruction that frame() gave without: applies to every frame of that
  // mapping path and rel_pc, earlier and later. Inlined functions come as several calls, outermost first
  // (`inline_depth` 0, 1, ...).
  virtual void symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int inline_depth, StrId function,
                      StrId source_file, std::uint32_t line) = 0;

  virtual void sched_switch(const SchedSwitch& row) = 0;
  virtual void sched_wakeup(const SchedWakeup& row) = 0;

  virtual void signal(const Signal& row) = 0;
  virtual void note(const Note& row) = 0;
  virtual void gap(const Gap& row) = 0;
  virtual void metadata(std::string_view key, std::string_view value) = 0; // last value of a key wins
};

} // namespace prof
