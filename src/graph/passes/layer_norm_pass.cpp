// LayerNorm written out, with or without weights -> InstanceNormalization over one channel per token.
//
//   x - mean(x)  ->  d ;  d / sqrt(mean(d^2) + eps)  [ * gamma  + beta ]
//
// torch.onnx writes nn.LayerNorm this way below opset 17. ONNX Runtime fuses it only where constant weights
// follow; the AdaLN of SD3 and DiT has none (elementwise_affine=False, scale and shift come from the
// timestep), so it stays 7 operators. Normalising each token over its features is InstanceNormalization with
// a token as channel. Why not LayerNormalization: for 192 tokens x 192 features, ONNX Runtime 1.29, one core
// with AVX-512: written out 36 us, LayerNormalization 193 us, InstanceNormalization 16 us (docs/atc.md has
// the measurement). Weights follow as Mul and Add, 6 us each.
#include "graph/match.hpp"
#include "graph/pass.hpp"

#include <algorithm>

namespace prof {
namespace {

constexpr std::int64_t kMaxChannels = 1 << 16; // tokens; the operator brings a weight for each

struct Found {
  std::string input, output;
  float epsilon = 0;
  std::int64_t size = 0; // of the last axis
  std::vector<float> gamma, beta;
};

// The constant vector that the only user of `value`, a node of that type, brings; moves `value` on to its
// output.
std::optional<std::vector<float>> take_affine(const Graph& g, std::string& value, std::string_view op_type,
                                              std::int64_t size) {
  const NodeIndex user = g.only_user(value);
  if (!is_op(g, user, op_type, 2) || !is_like(g, value, g.node(user).output(0))) return std::nullopt;
  auto vector = last_axis_vector(g, other_input(g, user, value), size);
  if (vector) value = g.node(user).output(0);
  return vector;
}

std::optional<Found> match(const Graph& g, NodeIndex div) {
  const NodeIndex sub = binary(g, g.node(div).input(0), "Sub");
  const auto root = root_of_sum(g, g.node(div).input(1));
  if (sub == kNoNode || !root) return std::nullopt;
  const NodeIndex mean = g.producer(g.node(sub).input(1), "ReduceMean"),
                  variance = g.producer(root->first, "ReduceMean");
  if (!is_mean_of_last(g, mean) || !is_mean_of_last(g, variance) ||
      g.node(mean).input(0) != g.node(sub).input(0))
    return std::nullopt;
  // Some exporters subtract twice; either difference is the same value.
  const std::string squared = base_of_square(g, g.node(variance).input(0));
  const NodeIndex again = binary(g, squared, "Sub");
  const bool is_same = squared == g.node(sub).output(0) ||
                       (again != kNoNode && g.node(again).input(0) == g.node(sub).input(0) &&
                        g.node(again).input(1) == g.node(sub).input(1));
  const std::int64_t size = last_size(g, g.node(sub).input(0));
  const std::string x = g.node(sub).input(0), y = g.node(div).output(0);
  if (!is_same || size <= 0 || !is_like(g, x, y) || !is_closed(g, y, {x})) return std::nullopt;
  Found f{.input = x, .output = y, .epsilon = root->second, .size = size, .gamma = {}, .beta = {}};
  if (auto gamma = take_affine(g, f.output, "Mul", size)) {
    f.gamma = std::move(*gamma);
    if (auto beta = take_affine(g, f.output, "Add", size)) f.beta = std::move(*beta);
  }
  return f;
}

// x with every row along its last axis normalised. Where the number of rows is known they are channels as
// they stand.
std::string normalised_rows(Graph& g, const Found& f) {
  const GraphShape* shape = g.shape(f.input);
  const bool is_direct =
      shape != nullptr && shape->size() == 3 && (*shape)[1].value > 0 && (*shape)[1].value <= kMaxChannels;
  const std::int64_t channels = is_direct ? (*shape)[1].value : 1;
  const std::vector<float> ones(static_cast<std::size_t>(channels), 1.0F),
      zeros(static_cast<std::size_t>(channels), 0.0F);
  const std::vector<std::int64_t> rows{-1, 1, f.size};
  std::string x = f.input;
  if (!is_direct) x = g.add("Reshape", {x, g.add_ints(f.output + "_rows", rows)}, f.output);
  x = g.add("InstanceNormalization",
            {x, g.add_floats(f.output + "_ones", {channels}, ones),
             g.add_floats(f.output + "_zeros", {channels}, zeros)},
            f.output);
  set_attribute(g.last(), "epsilon", f.epsilon);
  if (is_direct) return x;
  const std::string back = g.add("Shape", {f.input}, f.output);
  return g.add("Reshape", {x, back}, f.output);
}

int run(Graph& g, const PassOptions&) {
  int count = 0;
  const NodeIndex end = g.node_count();
  for (NodeIndex i = 0; i < end; ++i) {
    if (!is_op(g, i, "Div", 2)) continue;
    const auto f = match(g, i);
    if (!f) continue;
    std::string out = normalised_rows(g, *f);
    if (!f->gamma.empty())
      out = g.add("Mul", {out, g.add_floats(f->output + "_gamma", {f->size}, f->gamma)}, f->output);
    if (!f->beta.empty())
      out = g.add("Add", {out, g.add_floats(f->output + "_beta", {f->size}, f->beta)}, f->output);
    if (const GraphShape* s = g.shape(f->input)) g.set_shape(out, GraphShape(*s), g.element_type(f->input));
    count += g.replace(f->output, out) ? 1 : 0;
  }
  return count;
}

} // namespace

extern const Pass layer_norm_pass;
const Pass layer_norm_pass{.id = "layer_norm", .order = 30, .text_id = "atc.pass.layer_norm", .run = run};

} // namespace prof
