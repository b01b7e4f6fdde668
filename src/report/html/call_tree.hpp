// call_tree.hpp: a flame graph of calls whose begin and end were recorded (Python functions of
// torch.profiler's with_stack, operators, API calls): widths are wall time, to the nanosecond, where a
// sampled one counts samples.
#pragma once
#include "report/html/flame.hpp"

#include <optional>

namespace prof {

inline constexpr std::string_view kRecordedCalls = "recorded-calls"; // FlameTree::event

// Request > stage > thread > calls; a call that lies in several stages has its time divided among them. Of
// traces with Python functions, and of those with neither samples nor scheduling; nullopt for others, and
// where no thread has any call.
[[nodiscard]] std::optional<FlameTree> build_call_tree(const Store& store);

} // namespace prof
