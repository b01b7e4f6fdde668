// ledger_sink.hpp: passes everything on and keeps count of losses, so that the end of a capture can say what
// is missing.
#pragma once
#include "trace/sink.hpp"

#include <map>
#include <string>

namespace prof {

class LedgerSink final : public TraceSink {
public:
  explicit LedgerSink(TraceSink& to) : to_(to) {}

  // Sum of the counts of all data-loss notes so far.
  [[nodiscard]] std::int64_t lost() const { return lost_; }
  // Slices, kernels, counter values, samples, switches and wake-ups so far.
  [[nodiscard]] std::int64_t events() const { return events_; }

  StrId intern(std::string_view text) override { return to_.intern(text); }
  Id<Process> process(const Process& row) override { return to_.process(row); }
  Id<Thread> thread(const Thread& row) override { return to_.thread(row); }
  Id<Device> device(const Device& row) override { return to_.device(row); }
  Id<Stream> stream(const Stream& row) override { return to_.stream(row); }
  Id<Track> track(const Track& row) override { return to_.track(row); }
  Id<CounterTrack> counter_track(const CounterTrack& row) override { return to_.counter_track(row); }
  void slice(const Slice& row) override {
    ++events_;
    to_.slice(row);
  }
  void kernel(const Kernel& row) override {
    ++events_;
    to_.kernel(row);
  }
  void counter(Id<CounterTrack> track, Ts ts, double value) override {
    ++events_;
    to_.counter(track, ts, value);
  }
  Id<Mapping> mapping(const Mapping& row) override { return to_.mapping(row); }
  Id<Frame> frame(const Frame& row) override { return to_.frame(row); }
  Id<Callstack> callstack(const Callstack& row) override { return to_.callstack(row); }
  void sample(const Sample& row) override {
    ++events_;
    to_.sample(row);
  }
  void symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int inline_depth, StrId function, StrId source_file,
              std::uint32_t line) override {
    to_.symbol(mapping, rel_pc, inline_depth, function, source_file, line);
  }
  void sched_switch(const SchedSwitch& row) override {
    ++events_;
    to_.sched_switch(row);
  }
  void sched_wakeup(const SchedWakeup& row) override {
    ++events_;
    to_.sched_wakeup(row);
  }
  void signal(const Signal& row) override { to_.signal(row); }
  void note(const Note& row) override {
    if (row.severity == Severity::data_loss) lost_ += row.count;
    to_.note(row);
  }
  void gap(const Gap& row) override { to_.gap(row); }
  void metadata(std::string_view key, std::string_view value) override { to_.metadata(key, value); }

private:
  TraceSink& to_;
  std::int64_t lost_ = 0, events_ = 0;
};

} // namespace prof
