// Hard swish written out -> HardSigmoid and one Mul.
//
//   x * clip(x + 3, 0, 6) / 6      becomes      x * HardSigmoid(x; 1/6, 1/2)        PaddlePaddle and
//   MobileNetV3 exports
#include "graph/match.hpp"
#include "graph/pass.hpp"

#include <array>

namespace prof {
namespace {

// x when `value` is clip(x + 3, 0, 6).
std::string hard_gate(const Graph& g, std::string_view value) {
  const NodeIndex clip = g.producer(value, "Clip");
  if (clip == kNoNode || g.node(clip).input_size() != 3) return {};
  const auto low = g.scalar(g.node(clip).input(1)), high = g.scalar(g.node(clip).input(2));
  const auto sum = scalar_operand(g, binary(g, g.node(clip).input(0), "Add"));
  return low && high && sum && *low == 0 && *high == 6 && sum->number == 3 ? sum->other : std::string();
}

// The value divided by six, by Div or Mul; empty otherwise.
std::string sixfold(const Graph& g, std::string_view value) {
  if (const NodeIndex div = binary(g, value, "Div"); div != kNoNode)
    return is_number(g, g.node(div).input(1), 6) ? g.node(div).input(0) : std::string();
  const auto scaled = scalar_operand(g, binary(g, value, "Mul"));
  return scaled && is_near(scaled->number, 1.0F / 6) ? scaled->other : std::string();
}

// x when `value` is x * clip(x + 3, 0, 6) / 6 in any order of the two.
std::string hard_swish(const Graph& g, std::string_view value) {
  const NodeIndex inner = binary(g, sixfold(g, value), "Mul");
  const NodeIndex outer = binary(g, value, "Mul");
  if (inner != kNoNode)
    for (const int slot : {0, 1})
      if (hard_gate(g, g.node(inner).input(slot)) == g.node(inner).input(1 - slot))
        return g.node(inner).input(1 - slot);
  if (outer != kNoNode)
    for (const int slot : {0, 1})
      if (hard_gate(g, sixfold(g, g.node(outer).input(slot))) == g.node(outer).input(1 - slot))
        return g.node(outer).input(1 - slot);
  return {};
}

int run(Graph& g, const PassOptions&) {
  int count = 0;
  const NodeIndex end = g.node_count();
  for (NodeIndex i = 0; i < end; ++i) {
    if (!is_op(g, i, "Mul", 2) && !is_op(g, i, "Div", 2)) continue;
    const std::string old = g.node(i).output(0);
    const std::string x = hard_swish(g, old);
    if (x.empty() || !is_like(g, x, old) || !is_closed(g, old, {x})) continue;
    const std::string gate = g.add("HardSigmoid", {x}, old);
    set_attribute(g.last(), "alpha", 1.0F / 6);
    set_attribute(g.last(), "beta", 0.5F);
    const std::string out = g.add("Mul", {x, gate}, old);
    if (const GraphShape* s = g.shape(old)) {
      g.set_shape(gate, GraphShape(*s), onnx::TensorProto::FLOAT);
      g.set_shape(out, GraphShape(*g.shape(old)), onnx::TensorProto::FLOAT);
    }
    count += g.replace(old, out) ? 1 : 0;
  }
  return count;
}

} // namespace

extern const Pass hard_swish_pass;
const Pass hard_swish_pass{.id = "hard_swish", .order = 42, .text_id = "atc.pass.hard_swish", .run = run};

} // namespace prof
