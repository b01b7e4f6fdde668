// Folds what does not depend on the input: shape arithmetic, transposed weights.
//
// torch.onnx writes x.view(batch, -1, 3, 64) as Shape, Gather, Unsqueeze, Concat, Reshape. With a free batch
// size ONNX Runtime keeps all of it; but the target is [same as input, -1, 3, 64], which Reshape spells [0,
// -1, 3, 64].
#include "graph/evaluate.hpp"
#include "graph/match.hpp"
#include "graph/pass.hpp"
#include "graph/symbols.hpp"

namespace prof {
namespace {

std::int64_t bytes_of(const onnx::TensorProto& tensor) {
  return static_cast<std::int64_t>(tensor.ByteSizeLong());
}

// What folding may still add to the weights, which may triple: one read by a thousand operators must not
// become a thousand weights.
std::int64_t growth_budget(const Graph& g) {
  constexpr std::int64_t kAlways = std::int64_t{64} << 20;
  return kAlways + 3 * g.given_constant_bytes() - g.constant_bytes();
}

// A node all of whose inputs are constants, evaluated here.
int fold_node(Graph& g, NodeIndex i, std::int64_t& budget) {
  if (g.node(i).output_size() != 1 || g.is_kept(g.node(i).output(0))) return 0;
  auto result = evaluate(g, i);
  if (!result || bytes_of(*result) > budget) return 0;
  budget -= bytes_of(*result);
  const std::string old = g.node(i).output(0);
  g.replace(old, g.add_constant(old, std::move(*result)));
  g.remove(i);
  return 1;
}

// An integer vector whose elements are known though its parts are computed: Shape of known dimensions and
// what follows.
int fold_shape_value(Graph& g, NodeIndex i) {
  const auto& node = g.node(i);
  if (node.output_size() != 1 || g.is_kept(node.output(0)) ||
      g.element_type(node.output(0)) != onnx::TensorProto::INT64)
    return 0;
  const auto value = symbolic_value(g, node.output(0));
  if (!value || value->elements.empty()) return 0;
  std::vector<std::int64_t> numbers;
  for (const GraphDim& e : value->elements) {
    if (!e.is_known()) return 0;
    numbers.push_back(e.value);
  }
  const std::string old = node.output(0);
  g.replace(old, g.add_ints(old, numbers, value->is_scalar));
  g.remove(i);
  return 1;
}

// Reshape to a computed target that turns out to be "the same" where the input has that dimension.
int fold_reshape_target(Graph& g, NodeIndex i) {
  const auto& node = g.node(i);
  if (!is_op(g, i, "Reshape", 2) || int_attribute(node, "allowzero", 0) != 0 ||
      g.constant(node.input(1)) != nullptr)
    return 0;
  const GraphShape* from = g.shape(node.input(0));
  const auto target = symbolic_value(g, node.input(1));
  if (from == nullptr || !target) return 0;
  std::vector<std::int64_t> numbers;
  int unknown = 0;
  for (std::size_t k = 0; k < target->elements.size(); ++k) {
    const GraphDim& e = target->elements[k];
    if (e.is_known() && e.value > 0)
      numbers.push_back(e.value);
    else if (!e.is_known() && k < from->size() && e.same_as((*from)[k]))
      numbers.push_back(0);
    else {
      numbers.push_back(-1); // a written -1, or the one dimension left over
      ++unknown;
    }
  }
  if (unknown > 1) return 0;
  g.set_input(i, 1, g.add_ints(node.output(0) + "_shape", numbers));
  return 1;
}

int fold_once(Graph& g, std::int64_t& budget) {
  int count = 0;
  const NodeIndex end = g.node_count();
  for (NodeIndex i = 0; i < end; ++i) {
    if (!g.is_alive(i)) continue;
    int changed = fold_shape_value(g, i);
    if (changed == 0) changed = fold_node(g, i, budget);
    if (changed == 0) changed = fold_reshape_target(g, i);
    count += changed;
  }
  return count;
}

// A folded target makes the shapes behind it known, which folds the next: as often as the graph is deep.
int run(Graph& g, const PassOptions&) {
  constexpr int kMaxDepth = 1000;
  int count = 0;
  std::int64_t budget = growth_budget(g);
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const int changed = fold_once(g, budget);
    if (changed == 0) break;
    count += changed;
    g.remove_unused();
    g.infer_shapes();
  }
  return count;
}

} // namespace

extern const Pass fold_constants_pass;
const Pass fold_constants_pass{
    .id = "fold_constants", .order = 10, .text_id = "atc.pass.fold_constants", .run = run};

} // namespace prof
