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
// Identity out of constants and dimensions. Empty when it is made otherwise, has more than 64 elements, lies
// more than 64 operators deep or takes more than 1024 steps to find out.
[[nodiscard]] std::optional<SymbolicValue> symbolic_value(const Graph& graph, std::string_view value);

} // namespace prof
