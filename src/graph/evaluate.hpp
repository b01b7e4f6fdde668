// evaluate.hpp: computes a node whose inputs are all constants.
#pragma once
#include "graph/graph.hpp"

#include <optional>

namespace prof {

// The output of a one-output node over constants: elementwise arithmetic of floats and int64 with
// broadcasting, Cast, Sqrt, Reciprocal, Neg, Transpose, Reshape, Unsqueeze, Squeeze, Identity. Empty when an
// input is no constant, the operator is not among them, or the result would be large: more than 64 M
// elements, or, by broadcasting, both more than an input has and more than 64 K. Rounds as the engine does:
// float arithmetic in float.
[[nodiscard]] std::optional<onnx::TensorProto> evaluate(const Graph& graph, NodeIndex node);

// `values` of shape `dims` with axes permuted.
template <class T>
[[nodiscard]] std::vector<T> permuted(const std::vector<T>& values, const std::vector<std::int64_t>& dims,
                                      const std::vector<std::int64_t>& perm) {
  const std::size_t rank = dims.size();
  std::vector<std::size_t> stride(rank, 1);
  for (std::size_t k = rank; k-- > 1;)
    stride[k - 1] = stride[k] * static_cast<std::size_t>(dims[k]);
  std::vector<T> out(values.size());
  std::vector<std::int64_t> at(rank, 0);
  for (T& slot : out) {
    std::size_t from = 0;
    for (std::size_t k = 0; k < rank; ++k)
      from += static_cast<std::size_t>(at[k]) * stride[static_cast<std::size_t>(perm[k])];
    slot = values[from];
    for (std::size_t k = rank; k-- > 0;) {
      if (++at[k] < dims[static_cast<std::size_t>(perm[k])]) break;
      at[k] = 0;
    }
  }
  return out;
}

} // namespace prof
