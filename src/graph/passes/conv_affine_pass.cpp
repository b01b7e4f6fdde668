// What scales and shifts the output of a convolution goes into its weights: BatchNormalization, Mul and Add
// of a constant.
//
//   Conv(W, b) -> * s -> + t      becomes      Conv(W * s, b * s + t)        s, t: one number, or one per
//   output channel
//
// PaddleOCR's learnable affine blocks and unfused BatchNormalizations. ONNX Runtime folds them when the
// constant is written as [C, 1, 1]; a bare number it leaves as an operator.
#include "graph/match.hpp"
#include "graph/pass.hpp"
#include "graph/tensor_data.hpp"

#include <algorithm>
#include <cmath>

namespace prof {
namespace {

using Floats = std::vector<float>;

// A constant as one number per channel of a rank-`rank` output with channels on axis 1; empty when it is not
// that.
std::optional<Floats> per_channel(const Graph& g, std::string_view value, std::size_t channels, int rank) {
  const auto* tensor = g.constant(value);
  const auto values = g.floats(value);
  if (!values) return std::nullopt;
  if (values->size() == 1 && tensor->dims_size() <= rank) return Floats(channels, (*values)[0]);
  if (values->size() != channels) return std::nullopt;
  // Aligned from the right: axis 1 of the output is the only one that may differ from 1.
  for (int k = 0; k < tensor->dims_size(); ++k) {
    const int axis = rank - tensor->dims_size() + k;
    if (axis < 0 || tensor->dims(k) != (axis == 1 ? static_cast<std::int64_t>(channels) : 1))
      return std::nullopt;
  }
  return values;
}

struct Affine {
  Floats scale, shift;
};

std::optional<Affine> batch_norm(const Graph& g, const onnx::NodeProto& n, std::size_t channels) {
  if (n.input_size() != 5 || n.output_size() != 1 || int_attribute(n, "training_mode", 0) != 0 ||
      int_attribute(n, "spatial", 1) != 1)
    return std::nullopt;
  const auto gamma = g.floats(n.input(1)), beta = g.floats(n.input(2)), mean = g.floats(n.input(3)),
             variance = g.floats(n.input(4));
  if (!gamma || !beta || !mean || !variance || gamma->size() != channels || beta->size() != channels ||
      mean->size() != channels || variance->size() != channels)
    return std::nullopt;
  const auto* eps = attribute(n, "epsilon");
  const float epsilon = eps != nullptr ? eps->f() : 1e-5F;
  Affine a;
  for (std::size_t c = 0; c < channels; ++c) {
    a.scale.push_back((*gamma)[c] / std::sqrt((*variance)[c] + epsilon));
    a.shift.push_back((*beta)[c] - (*mean)[c] * a.scale[c]);
  }
  return a;
}

// What `user` does to the convolution's output, as scale and shift per channel.
std::optional<Affine> affine_of(const Graph& g, NodeIndex user, const std::string& conv_output,
                                std::size_t channels, int rank) {
  const auto& n = g.node(user);
  if (!n.domain().empty()) return std::nullopt;
  if (n.op_type() == "BatchNormalization") return batch_norm(g, n, channels);
  const std::string other = other_input(g, user, conv_output);
  if (n.op_type() == "Mul")
    if (auto v = per_channel(g, other, channels, rank)) return Affine{std::move(*v), Floats(channels, 0.0F)};
  if (n.op_type() == "Add")
    if (auto v = per_channel(g, other, channels, rank)) return Affine{Floats(channels, 1.0F), std::move(*v)};
  return std::nullopt;
}

bool fold_into(Graph& g, NodeIndex conv) {
  const std::string out = g.node(conv).output(0);
  const auto* weight = g.constant(g.node(conv).input(1));
  const NodeIndex user = g.only_user(out);
  if (weight == nullptr || user == kNoNode || weight->dims_size() < 3) return false;
  auto w = float_values(*weight);
  if (!w || w->empty()) return false;
  const auto channels = static_cast<std::size_t>(weight->dims(0)); // divides the number of weights
  const std::vector<std::int64_t> dims(weight->dims().begin(), weight->dims().end());
  const bool has_bias = g.node(conv).input_size() > 2 && !g.node(conv).input(2).empty();
  auto b = has_bias ? g.floats(g.node(conv).input(2)) : std::optional(Floats(channels, 0.0F));
  const auto affine = affine_of(g, user, out, channels, static_cast<int>(dims.size()));
  if (!b || !affine || b->size() != channels) return false;
  const std::size_t row = w->size() / channels;
  for (std::size_t i = 0; i < w->size(); ++i)
    (*w)[i] *= affine->scale[i / row];
  for (std::size_t c = 0; c < channels; ++c)
    (*b)[c] = (*b)[c] * affine->scale[c] + affine->shift[c];
  const auto is_finite = [](float v) { return std::isfinite(v); };
  if (!std::ranges::all_of(*w, is_finite) || !std::ranges::all_of(*b, is_finite)) return false;
  g.set_input(conv, 1, g.add_floats(out + "_weight", dims, *w));
  const std::string bias = g.add_floats(out + "_bias", {static_cast<std::int64_t>(channels)}, *b);
  if (g.node(conv).input_size() > 2)
    g.set_input(conv, 2, bias);
  else
    g.append_input(conv, bias);
  const std::string old = g.node(user).output(0);
  return g.replace(old, out);
}

int run(Graph& g, const PassOptions&) {
  int count = 0;
  for (NodeIndex i = 0; i < g.node_count(); ++i)
    while (is_op(g, i, "Conv") && g.node(i).input_size() >= 2 && fold_into(g, i)) {
      ++count;
      g.remove_unused();
    }
  return count;
}

} // namespace

extern const Pass conv_affine_pass;
const Pass conv_affine_pass{.id = "conv_affine", .order = 55, .text_id = "atc.pass.conv_affine", .run = run};

} // namespace prof
