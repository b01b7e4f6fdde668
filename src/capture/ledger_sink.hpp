// ledger_sink.hpp: passes everything on and keeps count of losses, so that the end of a capture can say what
// is missing.
#pragma once
#include "trace/forward_sink.hpp"

namespace prof {

class LedgerSink final : public ForwardSink {
public:
  using ForwardSink::ForwardSink;

  // Sum of the counts of all data-loss notes so far.
  [[nodiscard]] std::int64_t lost() const { return lost_; }
  // Slices, kernels, counter values, samples, switches and wake-ups so far.
  [[nodiscard]] std::int64_t events() const { return events_; }

  void slice(const Slice& row) override {
    ++events_;
    ForwardSink::slice(row);
  }
  void kernel(const Kernel& row) override {
    ++events_;
    ForwardSink::kernel(row);
  }
  void counter(Id<CounterTrack> track, Ts ts, double value) override {
    ++events_;
    ForwardSink::counter(track, ts, value);
  }
  void sample(const Sample& row) override {
    ++events_;
    ForwardSink::sample(row);
  }
  void sched_switch(const SchedSwitch& row) override {
    ++events_;
    ForwardSink::sched_switch(row);
  }
  void sched_wakeup(const SchedWakeup& row) override {
    ++events_;
    ForwardSink::sched_wakeup(row);
  }
  void note(const Note& row) override {
    if (row.severity == Severity::data_loss) lost_ += row.count;
    ForwardSink::note(row);
  }

private:
  std::int64_t lost_ = 0, events_ = 0;
};

} // namespace prof
