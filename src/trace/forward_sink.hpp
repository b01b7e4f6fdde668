// forward_sink.hpp: passes every row on; what looks at some of them on the way derives from it.
#pragma once
#include "trace/sink.hpp"

namespace prof {

class ForwardSink : public TraceSink {
public:
  explicit ForwardSink(TraceSink& to) : to_(to) {}

  StrId intern(std::string_view text) override { return to_.intern(text); }
  Id<Process> process(const Process& row) override { return to_.process(row); }
  Id<Thread> thread(const Thread& row) override { return to_.thread(row); }
  Id<Device> device(const Device& row) override { return to_.device(row); }
  Id<Stream> stream(const Stream& row) override { return to_.stream(row); }
  Id<Track> track(const Track& row) override { return to_.track(row); }
  Id<CounterTrack> counter_track(const CounterTrack& row) override { return to_.counter_track(row); }
  void slice(const Slice& row) override { to_.slice(row); }
  void kernel(const Kernel& row) override { to_.kernel(row); }
  void counter(Id<CounterTrack> track, Ts ts, double value) override { to_.counter(track, ts, value); }
  Id<Mapping> mapping(const Mapping& row) override { return to_.mapping(row); }
  Id<Frame> frame(const Frame& row) override { return to_.frame(row); }
  Id<Callstack> callstack(const Callstack& row) override { return to_.callstack(row); }
  void sample(const Sample& row) override { to_.sample(row); }
  void symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int inline_depth, StrId function, StrId source_file,
              std::uint32_t line) override {
    to_.symbol(mapping, rel_pc, inline_depth, function, source_file, line);
  }
  void sched_switch(const SchedSwitch& row) override { to_.sched_switch(row); }
  void sched_wakeup(const SchedWakeup& row) override { to_.sched_wakeup(row); }
  void signal(const Signal& row) override { to_.signal(row); }
  void note(const Note& row) override { to_.note(row); }
  void gap(const Gap& row) override { to_.gap(row); }
  void metadata(std::string_view key, std::string_view value) override { to_.metadata(key, value); }

protected:
  [[nodiscard]] TraceSink& to() { return to_; }

private:
  TraceSink& to_;
};

} // namespace prof
