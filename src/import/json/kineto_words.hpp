// kineto_words.hpp: what the words of Kineto (torch.profiler) mean: categories of events, kinds of kernels,
// the argument that leads from a call to what it launched.
#pragma once
#include "import/json/trace_event.hpp"
#include "trace/sink.hpp"

#include <cstdint>
#include <string_view>

namespace prof::json {

// What a category of Kineto means, in the spellings of 2021 and of today.
enum class Role : std::uint8_t {
  other,
  op,
  annotation,
  gpu_annotation,
  kernel,
  copy,
  api,
  python,
  overhead,
  sync
};
[[nodiscard]] Role role_of(std::string_view category);

// What our own export says of a kernel beyond Kineto's words. False: no such kind.
[[nodiscard]] bool is_kernel_kind(std::string_view word, KernelKind& kind);

// The launch that a host slice says it made; 0: none.
[[nodiscard]] std::uint64_t launch_flow(const EventBatch& batch, const TraceEvent& event);

} // namespace prof::json
