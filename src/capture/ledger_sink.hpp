// ledger_sink.hpp: passes everything on and keeps count of losses, so that the end of a capture can say what
// is missing.
#pragma once
#include "trace/forward_sink.hpp"
#include "trace/switch_chain.hpp"

#include <algorithm>
#include <limits>

namespace prof {

class LedgerSink final : public ForwardSink {
public:
  using ForwardSink::ForwardSink;

  // What a reader of the trace will count as lost so far: the counts of all data-loss notes, and the places
  // where switches are missing.
  [[nodiscard]] std::int64_t lost() const { return lost_ + switches_.broken(); }
  // Slices, kernels, counter values, samples, switches and wake-ups so far.
  [[nodiscard]] std::int64_t events() const { return events_; }

  // From the first of these rows, and of the gaps, to the end of the last: what a reader calls the time of
  // the trace.
  [[nodiscard]] Dur covered() const { return last_ < first_ ? Dur{} : last_ - first_; }

  void slice(const Slice& row) override {
    ++events_;
    see(row.ts, row.dur);
    ForwardSink::slice(row);
  }
  void kernel(const Kernel& row) override {
    ++events_;
    see(row.ts, row.dur);
    ForwardSink::kernel(row);
  }
  void counter(Id<CounterTrack> track, Ts ts, double value) override {
    ++events_;
    see(ts);
    ForwardSink::counter(track, ts, value);
  }
  void sample(const Sample& row) override {
    ++events_;
    see(row.ts);
    ForwardSink::sample(row);
  }
  void sched_switch(const SchedSwitch& row) override {
    ++events_;
    see(row.ts);
    (void)switches_.take(row.cpu, row.prev_tid, row.next_tid);
    ForwardSink::sched_switch(row);
  }
  void sched_wakeup(const SchedWakeup& row) override {
    ++events_;
    see(row.ts);
    ForwardSink::sched_wakeup(row);
  }
  void note(const Note& row) override {
    if (row.severity == Severity::data_loss) lost_ += row.count;
    ForwardSink::note(row);
  }
  void gap(const Gap& row) override {
    see(row.ts, row.dur);
    ForwardSink::gap(row);
  }

private:
  void see(Ts ts, Dur dur = {}) {
    first_ = std::min(first_, ts);
    last_ = std::max(last_, ts + std::max(dur, Dur{}));
  }

  std::int64_t lost_ = 0, events_ = 0;
  Ts first_{std::numeric_limits<std::int64_t>::max()}, last_{std::numeric_limits<std::int64_t>::min()};
  SwitchChain switches_;
};

} // namespace prof
