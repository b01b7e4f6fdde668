// GELU written out -> com.microsoft FastGelu (tanh form) and Gelu (erf form).
//
//   0.5 * x * (1 + tanh(0.79788456 * (x + 0.044715 * x^3)))      torch.onnx: x^3 is x * (x * x), which ONNX
//   Runtime's own
//                                                                fusion does not know (it wants Pow)
//   0.5 * x * (1 + erf(x / sqrt 2))
#include "graph/match.hpp"
#include "graph/pass.hpp"

#include <array>

namespace prof {
namespace {

constexpr float kRootTwoByPi = 0.79788456F, kCubic = 0.044715F, kRootTwo = 1.41421356F;

// The factors of a product of up to three, any nesting: 0.5 * (x * g), (0.5 * x) * g, x * (0.5 * g).
std::vector<std::string> factors(const Graph& g, NodeIndex mul) {
  std::vector<std::string> list;
  int opened = 0;
  for (const auto& input : g.node(mul).input()) {
    const NodeIndex inner = binary(g, input, "Mul");
    // Only a product that nobody else needs may be opened.
    if (opened == 0 && inner != kNoNode && g.only_user(input) == mul) {
      list.insert(list.end(), g.node(inner).input().begin(), g.node(inner).input().end());
      ++opened;
    } else {
      list.push_back(input);
    }
  }
  return list;
}

bool is_cube(const Graph& g, std::string_view value, const std::string& x) {
  if (const NodeIndex pow = binary(g, value, "Pow"); pow != kNoNode)
    return g.node(pow).input(0) == x && is_number(g, g.node(pow).input(1), 3);
  const NodeIndex mul = binary(g, value, "Mul");
  return mul != kNoNode && base_of_square(g, other_input(g, mul, x)) == x;
}

bool is_tanh_argument(const Graph& g, std::string_view value, const std::string& x) {
  const auto outer = scalar_operand(g, binary(g, value, "Mul"));
  if (!outer || !is_near(outer->number, kRootTwoByPi)) return false;
  const NodeIndex sum = binary(g, outer->other, "Add");
  const auto cubic = scalar_operand(g, binary(g, other_input(g, sum, x), "Mul"));
  return cubic && is_near(cubic->number, kCubic) && is_cube(g, cubic->other, x);
}

bool is_erf_argument(const Graph& g, std::string_view value, const std::string& x) {
  if (const NodeIndex div = binary(g, value, "Div"); div != kNoNode)
    return g.node(div).input(0) == x && is_number(g, g.node(div).input(1), kRootTwo);
  const auto scaled = scalar_operand(g, binary(g, value, "Mul"));
  return scaled && scaled->other == x && is_near(scaled->number, 1 / kRootTwo);
}

// "FastGelu" or "Gelu" when `gate` is 1 + tanh(...) or 1 + erf(...) of x.
std::string_view kind_of(const Graph& g, const std::string& gate, const std::string& x) {
  const auto one = scalar_operand(g, binary(g, gate, "Add"));
  if (!one || one->number != 1) return {};
  if (const NodeIndex tanh = g.producer(one->other, "Tanh"); tanh != kNoNode)
    return is_tanh_argument(g, g.node(tanh).input(0), x) ? "FastGelu" : "";
  const NodeIndex erf = g.producer(one->other, "Erf");
  return erf != kNoNode && is_erf_argument(g, g.node(erf).input(0), x) ? "Gelu" : "";
}

struct Found {
  std::string_view kind;
  std::string x;
};

// What the product is, when it is one half, x, and the gate of x in any order.
std::optional<Found> match(const Graph& g, NodeIndex mul) {
  const auto list = factors(g, mul);
  if (list.size() != 3) return std::nullopt;
  for (std::size_t half = 0; half < 3; ++half) {
    if (!is_number(g, list[half], 0.5F)) continue;
    const std::array<std::string, 2> rest{list[(half + 1) % 3], list[(half + 2) % 3]};
    for (const std::size_t k : {0U, 1U})
      if (const std::string_view kind = kind_of(g, rest[k], rest[1 - k]); !kind.empty())
        return Found{kind, rest[1 - k]};
  }
  return std::nullopt;
}

int run(Graph& g, const PassOptions&) {
  int count = 0;
  const NodeIndex end = g.node_count();
  for (NodeIndex i = 0; i < end; ++i) {
    if (!is_op(g, i, "Mul", 2)) continue;
    const auto f = match(g, i);
    const std::string old = g.node(i).output(0);
    if (!f || !is_like(g, f->x, old) || !is_closed(g, old, {f->x})) continue;
    const std::string out = g.add(f->kind, {f->x}, old, "", "com.microsoft");
    g.need_domain("com.microsoft", 1);
    if (const GraphShape* s = g.shape(old)) g.set_shape(out, *s, g.element_type(old));
    if (!g.replace(old, out)) continue;
    ++count;
    g.remove_unused();
  }
  return count;
}

} // namespace

extern const Pass gelu_pass;
const Pass gelu_pass{
    .id = "gelu", .order = 40, .text_id = "atc.pass.gelu", .needs_engine_ops = true, .run = run};

} // namespace prof
