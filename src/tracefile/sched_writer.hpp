// sched_writer.hpp: scheduler switches and wakeups -> one FtraceEventBundle per CPU and flush.
#pragma once
#include "trace/model.hpp"
#include "tracefile/sequence.hpp"

#include <map>
#include <unordered_map>
#include <vector>

namespace prof::detail {

// What follows from the row before on the same CPU (who was running) goes into the compact arrays, 5 to 8
// bytes an event; what does not (the first switch, rows after a loss) into a whole FtraceEvent.
class SchedWriter {
public:
  explicit SchedWriter(WriterCore& core) : core_(core) {}
  void add(const SchedSwitch& row) { switches_.push_back(row); }
  void add(const SchedWakeup& row) { wakeups_.push_back(row); }
  [[nodiscard]] std::int64_t pending() const { return std::ssize(switches_) + std::ssize(wakeups_); }
  void flush();
  // What follows depends on nothing before: the next switch of each CPU is a whole event.
  void anchor() { running_.clear(); }

private:
  void write_cpu(std::int32_t cpu, std::span<const SchedSwitch> switches,
                 std::span<const SchedWakeup> wakeups);
  WriterCore& core_;
  std::vector<SchedSwitch> switches_;
  std::vector<SchedWakeup> wakeups_;
  std::map<std::int32_t, std::int64_t> running_; // cpu -> tid that the last written switch started
  std::unordered_map<std::int64_t, StrId>
      comm_of_; // tid -> name when it last ran: Perfetto wants it with each wakeup
};

// The kernel's task state bits of our letters, and back.
[[nodiscard]] std::int64_t state_bits(char letter);
[[nodiscard]] char state_letter(std::int64_t bits);

} // namespace prof::detail
