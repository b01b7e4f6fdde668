// sample_weight.hpp: what a sample stands for. A stack taken when its thread left the CPU weighs as much as
// the time until the thread ran again, where the scheduler's switches say so: a hundred short waits are less
// than one long one.
//
//   B: X running | S sleeping ... | R woken | X      weight of the stack at the | is S + R
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace prof {

class SampleWeights {
public:
  explicit SampleWeights(const Store& store);
  // nullopt: of a switch that was no blocking (the thread was preempted), or whose blocking the trace does
  // not hold.
  [[nodiscard]] std::optional<std::int64_t> of(std::uint32_t sample) const;
  // Samples of this event weigh time off the CPU, in ns.
  [[nodiscard]] bool is_time_off_cpu(StrId event) const;

private:
  const SampleTable& samples_;
  StrId switch_event_;
  bool has_states_;
  std::vector<std::int64_t> off_cpu_ns_; // by sample; kNone: it belongs to no sleep
};

} // namespace prof
