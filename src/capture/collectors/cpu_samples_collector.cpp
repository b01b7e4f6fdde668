// CPU call stacks: the kernel's cpu-clock looks at each running thread of the target cpu_hz times a second,
// follows frame pointers and copies the top of the stack: code without frame pointers (ONNX Runtime, most
// distribution libraries) is unwound by its tables.
#include "capture/stack_sampler.hpp"
#include "trace/conventions.hpp"

#include <algorithm>

namespace prof {
namespace {

constexpr std::uint32_t kStackBytes = 8192;
// A second of a busy CPU: 2 MiB hold 240 samples with their stacks. A rate of 2000 Hz needs 16 MiB; above, as
// much as is lent, and less time.
constexpr std::size_t kLeastRing = std::size_t{2} << 20, kLargestRing = std::size_t{16} << 20;
constexpr std::size_t ring_bytes(int hz) {
  return std::clamp(static_cast<std::size_t>(hz) * (kStackBytes + 512), kLeastRing, kLargestRing);
}

std::vector<SignalState> probe(const CaptureRequest& request) {
  return {probe_stack_sampler(words::kSignalStacks, PERF_COUNT_SW_CPU_CLOCK, request)};
}

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return make_stack_sampler({.event = words::kEventCpu,
                             .perf_config = PERF_COUNT_SW_CPU_CLOCK,
                             .period = 1'000'000'000 / std::clamp(request.cpu_hz, 1, 10'000),
                             .ring_bytes = ring_bytes(std::clamp(request.cpu_hz, 1, 10'000)),
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
