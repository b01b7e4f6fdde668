// ledger_sink.hpp: passes everything on and keeps count of losses, so that the end of a capture can say what
// is missing.
#pragma once
#include "trace/forward_sink.hpp"
#include "trace/switch_chain.hpp"

namespace prof {

class LedgerSink final : public ForwardSink {
public:
  using ForwardSink::ForwardSink;

  // What a reader of the trace will count as lost so far: the counts of all data-loss notes, and the places
  // where switches are missing.
  [[nodiscard]] std::int64_t lost() const { return lost_ + switches_.broken(); }
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
    (void)switches_.take(row.cpu, row.prev_tid, row.next_tid);
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
  SwitchChain switches_;
};

} // namespace prof
