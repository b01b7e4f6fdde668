// sample_groups.hpp: call-stack samples counted by stack, thread and the work they fell into: what the
// exports of stacks write.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <vector>

namespace prof::detail {

struct SampleGroup {
  std::uint32_t callstack = 0, thread = 0; // rows; thread kNoRow = not known
  StrId request, stage, op;                // names; empty where the sample's own thread ran none
  std::int64_t count = 0, weight = 0;
};
struct SampleGroups {
  StrId event;                     // which samples: CPU time where the trace has it, else its commonest event
  bool is_time_off_cpu = false;    // weights: ns from blocking until the thread ran again (SampleWeights)
  std::vector<SampleGroup> groups; // sorted by callstack, thread, names
};
// The event of those samples; empty where no sample has a stack.
[[nodiscard]] StrId event_to_export(const Store& store);
// Samples without a stack and switches that were no blocking are left out. O(n log n).
[[nodiscard]] SampleGroups group_samples(const Store& store);
// Frame rows of a stack, innermost first.
[[nodiscard]] std::vector<std::uint32_t> frames_of(const Store& store, std::uint32_t callstack);

} // namespace prof::detail
