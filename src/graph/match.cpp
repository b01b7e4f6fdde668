#include "graph/match.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace prof {

bool is_op(const Graph& g, NodeIndex i, std::string_view op_type, int inputs) {
  return i != kNoNode && g.is_alive(i) && g.node(i).op_type() == op_type && g.node(i).domain().empty() &&
         (inputs < 0 || g.node(i).input_size() == inputs);
}

bool is_near(float value, float number, float share) {
  return std::fabs(value - number) <= share * std::fabs(number);
}

namespace {

// The nodes from `from` to `output`, that one included; empty when there is none or there are more than 64.
std::set<NodeIndex> nodes_between(const Graph& g, std::string_view output,
                                  std::initializer_list<std::string_view> from) {
  constexpr std::size_t kMaxNodes = 64;
  const NodeIndex last = g.producer(output);
  if (last == kNoNode) return {};
  std::set<NodeIndex> between{last};
  std::vector<NodeIndex> open{last};
  while (!open.empty()) {
    const NodeIndex i = open.back();
    open.pop_back();
    for (const auto& input : g.node(i).input()) {
      const NodeIndex maker = g.producer(input);
      if (maker == kNoNode || std::ranges::find(from, input) != from.end()) continue;
      if (between.insert(maker).second) open.push_back(maker);
      if (between.size() > kMaxNodes) return {};
    }
  }
  return between;
}

bool has_rank(const onnx::TensorProto* constant) {
  return constant != nullptr && constant->dims_size() > 0;
}

} // namespace

bool is_like(const Graph& g, std::string_view input, std::string_view output) {
  if (!is_float(g, input) || !is_float(g, output)) return false;
  if (g.rank(input) >= 0 && g.rank(output) >= 0) return g.rank(input) == g.rank(output);
  const auto between = nodes_between(g, output, {input});
  return std::ranges::none_of(between, [&](NodeIndex i) {
    return std::ranges::any_of(g.node(i).input(),
                               [&](const std::string& value) { return has_rank(g.constant(value)); });
  });
}

bool is_closed(const Graph& g, std::string_view output, std::initializer_list<std::string_view> from) {
  const auto between = nodes_between(g, output, from);
  const NodeIndex last = g.producer(output);
  const auto is_read_inside = [&](const std::string& value) {
    return !g.is_kept(value) &&
           std::ranges::all_of(g.users(value), [&](NodeIndex user) { return between.contains(user); });
  };
  return !between.empty() && std::ranges::all_of(between, [&](NodeIndex i) {
    return i == last || std::ranges::all_of(g.node(i).output(), is_read_inside);
  });
}

bool is_number(const Graph& g, std::string_view value, float number) {
  const auto s = g.scalar(value);
  // A whole number is meant exactly: x^2.001 of a negative x is NaN.
  if (number == std::floor(number)) return s && *s == number;
  return s && is_near(*s, number);
}

NodeIndex binary(const Graph& g, std::string_view value, std::string_view op_type) {
  const NodeIndex i = g.producer(value, op_type);
  return i != kNoNode && g.node(i).input_size() == 2 ? i : kNoNode;
}

std::optional<ScalarOperand> scalar_operand(const Graph& g, NodeIndex i) {
  if (i == kNoNode || g.node(i).input_size() != 2) return std::nullopt;
  for (const int slot : {0, 1}) {
    const auto number = g.scalar(g.node(i).input(slot));
    if (number && g.constant(g.node(i).input(1 - slot)) == nullptr)
      return ScalarOperand{*number, g.node(i).input(1 - slot), slot};
  }
  return std::nullopt;
}

std::string other_input(const Graph& g, NodeIndex i, std::string_view value) {
  if (i == kNoNode || g.node(i).input_size() != 2) return {};
  if (g.node(i).input(0) == value) return g.node(i).input(1);
  return g.node(i).input(1) == value ? g.node(i).input(0) : std::string();
}

bool is_mean_of_last(const Graph& g, NodeIndex i) {
  if (!is_op(g, i, "ReduceMean") || int_attribute(g.node(i), "keepdims", 1) != 1) return false;
  const auto axes = ints_attribute(g.node(i), "axes");
  return axes.size() == 1 && (axes[0] == -1 || axes[0] + 1 == g.rank(g.node(i).input(0)));
}

std::string base_of_square(const Graph& g, std::string_view value) {
  if (const NodeIndex pow = binary(g, value, "Pow"); pow != kNoNode)
    return is_number(g, g.node(pow).input(1), 2) ? g.node(pow).input(0) : std::string();
  const NodeIndex mul = binary(g, value, "Mul");
  return mul != kNoNode && g.node(mul).input(0) == g.node(mul).input(1) ? g.node(mul).input(0)
                                                                        : std::string();
}

std::optional<std::pair<std::string, float>> root_of_sum(const Graph& g, std::string_view value) {
  const NodeIndex root = g.producer(value, "Sqrt");
  if (root == kNoNode) return std::nullopt;
  const NodeIndex sum = binary(g, g.node(root).input(0), "Add");
  const auto eps = scalar_operand(g, sum);
  // A large "epsilon" would be no such thing, nor would NaN.
  if (!eps || !(eps->number >= 0 && eps->number <= 0.1F)) return std::nullopt;
  return std::pair{eps->other, eps->number};
}

std::string inverse_of(const Graph& g, std::string_view value) {
  if (const NodeIndex r = g.producer(value, "Reciprocal"); r != kNoNode) return g.node(r).input(0);
  const NodeIndex div = binary(g, value, "Div");
  const auto one = div == kNoNode ? std::nullopt : g.scalar(g.node(div).input(0));
  return one && *one == 1.0F ? g.node(div).input(1) : std::string();
}

std::int64_t last_size(const Graph& g, std::string_view value) {
  const GraphShape* s = g.shape(value);
  return s == nullptr || s->empty() ? -1 : s->back().value;
}

std::optional<std::vector<float>> last_axis_vector(const Graph& g, std::string_view value,
                                                   std::int64_t size) {
  const auto* tensor = g.constant(value);
  if (tensor == nullptr || tensor->dims_size() == 0 || tensor->dims(tensor->dims_size() - 1) != size)
    return std::nullopt;
  auto values = g.floats(value);
  if (!values || static_cast<std::int64_t>(values->size()) != size) return std::nullopt;
  return values;
}

bool is_float(const Graph& g, std::string_view value) {
  return g.element_type(value) == onnx::TensorProto::FLOAT;
}

} // namespace prof
