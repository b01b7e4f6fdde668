// match.hpp: small questions that pattern passes ask.
#pragma once
#include "graph/graph.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace prof {

// A live node of that type in the default domain with that many inputs (-1: any number).
[[nodiscard]] bool is_op(const Graph& g, NodeIndex i, std::string_view op_type, int inputs = -1);
// Within `share` of `number`. NaN is near nothing.
[[nodiscard]] bool is_near(float value, float number, float share = 1e-4F);
// True when both are float and of one rank, which is what one operator over `input` gives: a constant of
// higher rank on the way would have raised it. Where ranks are not known, no constant on the way has one.
[[nodiscard]] bool is_like(const Graph& g, std::string_view input, std::string_view output);
// True when nobody but the nodes between `from` and `output` reads what they make on the way: replacing them
// all leaves none behind. Looks at up to 64 nodes.
[[nodiscard]] bool is_closed(const Graph& g, std::string_view output,
                             std::initializer_list<std::string_view> from);
// True when the constant is one number: exactly `number` when that is whole, else within 1e-4 (relative) of
// it, as exporters write literals with different digits.
[[nodiscard]] bool is_number(const Graph& g, std::string_view value, float number);
// The inputs of a two-input node as (a constant single number, the other); empty when neither is one.
struct ScalarOperand {
  float number = 0;
  std::string other;
  int slot = 0; // of the number
};
[[nodiscard]] std::optional<ScalarOperand> scalar_operand(const Graph& g, NodeIndex i);
// The input of a two-input node that is not `value`; empty when `value` is not an input.
[[nodiscard]] std::string other_input(const Graph& g, NodeIndex i, std::string_view value);
// A live two-input node of that type that makes `value`, or kNoNode.
[[nodiscard]] NodeIndex binary(const Graph& g, std::string_view value, std::string_view op_type);
// True when a ReduceMean node averages over the last axis and keeps it.
[[nodiscard]] bool is_mean_of_last(const Graph& g, NodeIndex i);
// The base of a square: Pow(x, 2) or Mul(x, x); empty otherwise.
[[nodiscard]] std::string base_of_square(const Graph& g, std::string_view value);
// Sqrt(Add(variance, epsilon)): both, or empty.
[[nodiscard]] std::optional<std::pair<std::string, float>> root_of_sum(const Graph& g,
                                                                       std::string_view value);
// 1 / y, as Div(1, y) or Reciprocal(y): y, or empty.
[[nodiscard]] std::string inverse_of(const Graph& g, std::string_view value);
// The known size of the last axis, or -1.
[[nodiscard]] std::int64_t last_size(const Graph& g, std::string_view value);
// A constant vector along the last axis of `size` elements, all leading dimensions 1 (or none): its floats.
[[nodiscard]] std::optional<std::vector<float>> last_axis_vector(const Graph& g, std::string_view value,
                                                                 std::int64_t size);
[[nodiscard]] bool is_float(const Graph& g, std::string_view value);

} // namespace prof
