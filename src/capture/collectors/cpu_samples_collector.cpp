// CPU call stacks: the kernel's cpu-clock looks at each running thread of the target cpu_hz times a second,
// follows frame pointers and copies the top of the stack: code without frame pointers (ONNX Runtime, most
// distribution libraries) is unwound by its tables.
#include "capture/stack_sampler.hpp"
#include "trace/conventions.hpp"

#include <algorithm>

namespace prof {
namespace {

constexpr std::uint32_t kStackBytes = 8192;
// 2 MiB hold 240 samples with their stacks: more than a second of a busy CPU at 199 Hz.
constexpr std::size_t kRingBytes = std::size_t{2} << 20;

std::vector<SignalState> probe(const CaptureRequest& request) {
  return {probe_stack_sampler(words::kSignalStacks, PERF_COUNT_SW_CPU_CLOCK, request)};
}

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return make_stack_sampler({.event = words::kEventCpu,
                             .perf_config = PERF_COUNT_SW_CPU_CLOCK,
                             .period = 1'000'000'000 / std::clamp(request.cpu_hz, 1, 10'000),
                             .ring_bytes = kRingBytes,
                             .stack_dump_bytes = kStackBytes,
                             .lost_note = "note.samples_lost"},
                            request);
}

} // namespace

extern const CollectorInfo cpu_samples_collector;
const CollectorInfo cpu_samples_collector{.name = "cpu_samples",
                                          .description = "capture.collector.cpu_samples",
                                          .layer = Layer::os,
                                          .probe = probe,
                                          .create = create};

} // namespace prof
