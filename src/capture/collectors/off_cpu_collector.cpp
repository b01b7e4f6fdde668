// Where threads leave the CPU: each context switch of the target with its call stack. The kernel's frames
// tell a lock (futex) from a poll, a sleep or a disk read; how long it lasted is in the scheduler's records.
#include "capture/stack_sampler.hpp"
#include "trace/conventions.hpp"

namespace prof {
namespace {

// A stack at a switch costs the target about as much as the switch itself; 400 a second stay well under 1 %
// of a core.
constexpr std::int64_t kBudgetPerSecond = 400;

std::vector<SignalState> probe(const CaptureRequest& request) {
  return {probe_stack_sampler("off_cpu", PERF_COUNT_SW_CONTEXT_SWITCHES, request)};
}

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return make_stack_sampler({.event = words::kEventSwitch,
                             .perf_config = PERF_COUNT_SW_CONTEXT_SWITCHES,
                             .budget_per_s = kBudgetPerSecond,
                             .lost_note = "note.samples_lost",
                             .sampled_note = "note.switches_sampled"},
                            request);
}

} // namespace

extern const CollectorInfo off_cpu_collector;
const CollectorInfo off_cpu_collector{.name = "off_cpu",
                                      .description = "capture.collector.off_cpu",
                                      .layer = Layer::os,
                                      .probe = probe,
                                      .create = create};

} // namespace prof
