// symbols.hpp: integer vectors that hold dimensions, followed through shape arithmetic.
#pragma once
#include "graph/graph.hpp"

#include <optional>

namespace prof {

struct SymbolicValue {
  std::vector<GraphDim> elements; // a written -1 is an element that is neither known nor a symbol
  bool is_scalar = false;
};

// The elements of an int64 vector or scalar made by Shape, Gather, Slice, Unsqueeze, Squeeze, Concat, Cast,
// Identity out of constants and dimensions. Empty when it is made otherwise, or from more than 64 steps.
[[nodiscard]] std::optional<SymbolicValue> symbolic_value(const Graph& graph, std::string_view value,
                                                          int steps_left = 64);

} // namespace prof
