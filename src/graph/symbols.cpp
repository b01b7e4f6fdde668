#include "graph/symbols.hpp"

#include <algorithm>

namespace prof {
namespace {

using Value = std::optional<SymbolicValue>;

constexpr int kMaxDepth = 64;
constexpr int kMaxSteps = 1024; // of one question; a Concat of Concats of the same would take any number

// What is left of the two.
struct Walk {
  int depth = kMaxDepth;
  int* steps = nullptr;
};

Value follow(const Graph& g, std::string_view value, Walk walk);

Value of_constant(const Graph& g, std::string_view value) {
  const auto numbers = g.ints(value);
  const auto* tensor = g.constant(value);
  if (!numbers || tensor->dims_size() > 1 || numbers->size() > 64) return std::nullopt;
  SymbolicValue v{.elements = {}, .is_scalar = tensor->dims_size() == 0};
  for (const std::int64_t n : *numbers)
    v.elements.push_back({n, {}});
  return v;
}

Value of_shape(const Graph& g, const onnx::NodeProto& node) {
  const GraphShape* s = g.shape(node.input(0));
  if (s == nullptr) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(s->size());
  std::int64_t start = int_attribute(node, "start", 0), end = int_attribute(node, "end", rank);
  start = std::clamp<std::int64_t>(start < 0 ? start + rank : start, 0, rank);
  end = std::clamp<std::int64_t>(end < 0 ? end + rank : end, start, rank);
  return SymbolicValue{.elements = {s->begin() + start, s->begin() + end}, .is_scalar = false};
}

Value of_gather(const Graph& g, const onnx::NodeProto& node, const SymbolicValue& data) {
  const auto* index_tensor = g.constant(node.input(1));
  const auto indices = g.ints(node.input(1));
  if (!indices || data.is_scalar || index_tensor->dims_size() > 1 || int_attribute(node, "axis", 0) != 0)
    return std::nullopt;
  SymbolicValue v{.elements = {}, .is_scalar = index_tensor->dims_size() == 0};
  const auto size = static_cast<std::int64_t>(data.elements.size());
  for (std::int64_t i : *indices) {
    if (i < 0) i += size;
    if (i < 0 || i >= size) return std::nullopt;
    v.elements.push_back(data.elements[static_cast<std::size_t>(i)]);
  }
  return v;
}

Value of_slice(const Graph& g, const onnx::NodeProto& node, const SymbolicValue& data) {
  if (node.input_size() < 3 || data.is_scalar) return std::nullopt;
  const auto starts = g.ints(node.input(1)), ends = g.ints(node.input(2));
  if (!starts || !ends || starts->size() != 1 || ends->size() != 1) return std::nullopt;
  if (node.input_size() > 4 && !node.input(4).empty()) {
    const auto steps = g.ints(node.input(4));
    if (!steps || *steps != std::vector<std::int64_t>{1}) return std::nullopt;
  }
  const auto size = static_cast<std::int64_t>(data.elements.size());
  const auto place = [size](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
  };
  const std::int64_t start = place((*starts)[0]), end = std::max(start, place((*ends)[0]));
  return SymbolicValue{.elements = {data.elements.begin() + start, data.elements.begin() + end},
                       .is_scalar = false};
}

Value of_concat(const Graph& g, const onnx::NodeProto& node, Walk walk) {
  SymbolicValue v;
  for (const auto& input : node.input()) {
    const Value part = follow(g, input, walk);
    if (!part || part->is_scalar) return std::nullopt;
    v.elements.insert(v.elements.end(), part->elements.begin(), part->elements.end());
    if (v.elements.size() > 64) return std::nullopt;
  }
  return v;
}

// Unsqueeze makes a vector of one element out of a scalar; anything else it makes has more axes than one.
bool makes_vector(const Graph& g, const onnx::NodeProto& node, const SymbolicValue& data) {
  const auto axes =
      node.input_size() > 1 ? g.ints(node.input(1)) : std::optional(ints_attribute(node, "axes"));
  return data.is_scalar && axes && axes->size() == 1;
}

Value follow(const Graph& g, std::string_view value, Walk walk) {
  if (walk.depth-- <= 0 || (*walk.steps)-- <= 0) return std::nullopt;
  if (g.constant(value) != nullptr) return of_constant(g, value);
  const NodeIndex i = g.producer(value);
  if (i == kNoNode || !g.node(i).domain().empty() || g.node(i).input_size() == 0) return std::nullopt;
  const auto& node = g.node(i);
  const std::string& op = node.op_type();
  if (op == "Shape") return of_shape(g, node);
  if (op == "Concat") return of_concat(g, node, walk);
  static constexpr std::string_view kPassOn[] = {"Gather",  "Slice", "Unsqueeze",
                                                 "Squeeze", "Cast",  "Identity"};
  if (std::ranges::find(kPassOn, op) == std::end(kPassOn)) return std::nullopt;
  Value data = follow(g, node.input(0), walk);
  if (!data) return std::nullopt;
  if (op == "Gather") return of_gather(g, node, *data);
  if (op == "Slice") return of_slice(g, node, *data);
  if (op == "Cast") return int_attribute(node, "to", 0) == onnx::TensorProto::INT64 ? data : std::nullopt;
  if (op == "Unsqueeze" && !makes_vector(g, node, *data)) return std::nullopt;
  if (op == "Squeeze" && (data->is_scalar || data->elements.size() != 1)) return std::nullopt;
  if (op == "Unsqueeze") data->is_scalar = false;
  if (op == "Squeeze") data->is_scalar = true;
  return data;
}

} // namespace

Value symbolic_value(const Graph& g, std::string_view value) {
  int steps = kMaxSteps;
  return follow(g, value, {.depth = kMaxDepth, .steps = &steps});
}

} // namespace prof
