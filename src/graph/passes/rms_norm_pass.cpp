// RMSNorm written out -> SimplifiedLayerNormalization, which ONNX Runtime has in the default domain.
//
//   x * (1 / sqrt(mean(x^2) + eps)) [ * weight ]      torch.rsqrt exports as Div(1, Sqrt(.)): q and k norm of
//   SD3.5, LLaMA x / sqrt(mean(x^2) + eps) [ * weight ]
//
// ONNX Runtime's own fusion knows the second form only.
#include "graph/match.hpp"
#include "graph/pass.hpp"

namespace prof {
namespace {

constexpr std::int64_t kMaxSize = 1 << 20; // features of a token; the operator brings a weight for each

struct Found {
  std::string input, output;
  float epsilon = 0;
};

// `output` = x normalised by the root `root_value`.
std::optional<Found> normalised(const Graph& g, const std::string& x, const std::string& root_value,
                                const std::string& output) {
  const auto root = root_of_sum(g, root_value);
  if (!root) return std::nullopt;
  const NodeIndex mean = g.producer(root->first, "ReduceMean");
  if (!is_mean_of_last(g, mean) || base_of_square(g, g.node(mean).input(0)) != x) return std::nullopt;
  return Found{x, output, root->second};
}

std::optional<Found> match(const Graph& g, NodeIndex i) {
  const auto& node = g.node(i);
  if (node.op_type() == "Div") return normalised(g, node.input(0), node.input(1), node.output(0));
  for (const int slot : {0, 1})
    if (const std::string root = inverse_of(g, node.input(slot)); !root.empty())
      if (auto f = normalised(g, node.input(1 - slot), root, node.output(0))) return f;
  return std::nullopt;
}

int run(Graph& g, const PassOptions&) {
  int count = 0;
  const NodeIndex end = g.node_count();
  for (NodeIndex i = 0; i < end; ++i) {
    if (!is_op(g, i, "Mul", 2) && !is_op(g, i, "Div", 2)) continue;
    auto f = match(g, i);
    const std::int64_t size = f ? last_size(g, f->input) : -1;
    if (size <= 0 || size > kMaxSize || !is_like(g, f->input, f->output) ||
        !is_closed(g, f->output, {f->input}))
      continue;
    std::vector<float> weight(static_cast<std::size_t>(size), 1.0F);
    const NodeIndex scale = g.only_user(f->output);
    if (is_op(g, scale, "Mul", 2) && is_like(g, f->input, g.node(scale).output(0)))
      if (auto vector = last_axis_vector(g, other_input(g, scale, f->output), size)) {
        weight = std::move(*vector);
        f->output = g.node(scale).output(0);
      }
    const std::string out = g.add("SimplifiedLayerNormalization",
                                  {f->input, g.add_floats(f->output + "_scale", {size}, weight)}, f->output);
    set_attribute(g.last(), "axis", std::int64_t{-1});
    set_attribute(g.last(), "epsilon", f->epsilon);
    set_attribute(g.last(), "stash_type", std::int64_t{1});
    if (const GraphShape* s = g.shape(f->input)) g.set_shape(out, *s, g.element_type(f->input));
    count += g.replace(f->output, out) ? 1 : 0;
  }
  return count;
}

} // namespace

extern const Pass rms_norm_pass;
const Pass rms_norm_pass{
    .id = "rms_norm", .order = 31, .text_id = "atc.pass.rms_norm", .needs_engine_ops = true, .run = run};

} // namespace prof
