// stack_sampler.hpp: the collector behind every event that comes with a call stack: CPU samples, context
// switches, page faults. They differ in the event, in the weight of one sample and in how dear they may get.
#pragma once
#include "capture/collector.hpp"
#include "capture/perf_ring.hpp"

#include <string_view>
#include <unordered_set>

namespace prof {

struct StackSamplerConfig {
  std::string_view event{};      // a word of conventions.hpp
  std::uint64_t perf_config = 0; // PERF_COUNT_SW_*
  std::int64_t period = 1;       // one sample per so many (ns for clocks)
  std::int64_t weight_per_unit = 1;
  std::size_t ring_bytes = std::size_t{1} << 20;
  // Samples a second over all threads that the target should have to bear; 0 = the period never changes. More
  // events than that make the period longer, and each sample weighs as much more.
  std::int64_t budget_per_s = 0;
  // Of the user stack, copied with each sample for unwinding by tables; 0 = frame pointers only.
  std::uint32_t stack_dump_bytes = 0;
  std::string_view lost_note{};    // text id
  std::string_view sampled_note{}; // text id: told once when the period had to grow
};

[[nodiscard]] std::unique_ptr<Collector> make_stack_sampler(const StackSamplerConfig& config,
                                                            const CaptureRequest& request);
// The state of a signal that needs this software event: whether perf_event_open lets us have it for the
// target.
[[nodiscard]] SignalState probe_stack_sampler(std::string_view signal, std::uint64_t perf_config,
                                              const CaptureRequest& request);

} // namespace prof
