// x * sigmoid(a * x) -> com.microsoft QuickGelu: SiLU / swish (a = 1), CLIP's QuickGELU (a = 1.702). One pass
// over memory.
#include "graph/match.hpp"
#include "graph/pass.hpp"

namespace prof {
namespace {

// a when `gate` is sigmoid(a * x).
std::optional<float> alpha_of(const Graph& g, const std::string& gate, const std::string& x) {
  const NodeIndex sigmoid = g.producer(gate, "Sigmoid");
  if (sigmoid == kNoNode) return std::nullopt;
  if (g.node(sigmoid).input(0) == x) return 1.0F;
  const auto scaled = scalar_operand(g, binary(g, g.node(sigmoid).input(0), "Mul"));
  return scaled && scaled->other == x ? std::optional(scaled->number) : std::nullopt;
}

int run(Graph& g, const PassOptions&) {
  int count = 0;
  const NodeIndex end = g.node_count();
  for (NodeIndex i = 0; i < end; ++i) {
    if (!is_op(g, i, "Mul", 2)) continue;
    for (const int slot : {0, 1}) {
      const std::string gate = g.node(i).input(slot), x = g.node(i).input(1 - slot);
      const std::string old = g.node(i).output(0);
      const auto alpha = alpha_of(g, gate, x);
      if (!alpha || !is_like(g, x, old) || !is_closed(g, old, {x})) continue;
      const std::string out = g.add("QuickGelu", {x}, old, "", "com.microsoft");
      set_attribute(g.last(), "alpha", *alpha);
      g.need_domain("com.microsoft", 1);
      if (const GraphShape* s = g.shape(old)) g.set_shape(out, *s, g.element_type(old));
      count += g.replace(old, out) ? 1 : 0;
      break;
    }
  }
  return count;
}

} // namespace

extern const Pass silu_pass;
const Pass silu_pass{
    .id = "silu", .order = 41, .text_id = "atc.pass.silu", .needs_engine_ops = true, .run = run};

} // namespace prof
