// GroupNormalization of Keras on an NHWC tensor that a Transpose made -> the NCHW form, so that the
// Transposes around it meet.
//
//   conv -> T(NHWC) -> Reshape [N,H,W,G,C/G] -> moments over H,W,C/G -> x*inv*gamma + (beta - mean*inv*gamma)
//   -> Reshape [N,H,W,C] -> ... conv -> Reshape [N,G,-1] -> InstanceNormalization -> Reshape [N,C,H,W] ->
//   *gamma -> +beta -> T(NHWC) -> ...
//
// ONNX Runtime moves Transposes past elementwise operators but not past the Reshape into groups.
#include "graph/match.hpp"
#include "graph/pass.hpp"

#include <algorithm>

namespace prof {
namespace {

using Axes = std::vector<std::int64_t>;

struct Found {
  std::string nchw; // what the Transpose in front reads
  std::string output;
  Axes dims; // N unused, C, H, W
  std::int64_t groups = 0;
  float epsilon = 0;
  std::vector<float> gamma, beta; // per channel
};

// Far above any picture and any number of channels, and far below where products overflow.
bool is_size(const GraphDim& d) {
  return d.value > 0 && d.value <= (1 << 20);
}

bool is_group_mean(const Graph& g, NodeIndex i) {
  return is_op(g, i, "ReduceMean") && ints_attribute(g.node(i), "axes") == Axes{1, 2, 4} &&
         int_attribute(g.node(i), "keepdims", 1) == 1;
}

// Mul(1 / sqrt(variance + eps), gamma): gamma's name; fills epsilon and checks the variance against (grouped,
// mean).
std::string match_inverse(const Graph& g, std::string_view value, const std::string& grouped,
                          const std::string& mean, float& epsilon) {
  const NodeIndex mul = binary(g, value, "Mul");
  if (mul == kNoNode) return {};
  for (const int slot : {0, 1}) {
    const auto root = root_of_sum(g, inverse_of(g, g.node(mul).input(slot)));
    if (!root) continue;
    const NodeIndex variance = g.producer(root->first, "ReduceMean");
    if (!is_group_mean(g, variance)) continue;
    const NodeIndex delta = binary(g, base_of_square(g, g.node(variance).input(0)), "Sub");
    if (delta == kNoNode || g.node(delta).input(0) != grouped || g.node(delta).input(1) != mean) continue;
    epsilon = root->second;
    return g.node(mul).input(1 - slot);
  }
  return {};
}

// The sum Add(Mul(grouped, inverse), Sub(beta, Mul(mean, inverse))): fills gamma, beta, epsilon.
bool match_sum(const Graph& g, NodeIndex add, const std::string& grouped, Found& f) {
  for (const int slot : {0, 1}) {
    const NodeIndex scaled = binary(g, g.node(add).input(slot), "Mul"),
                    shift = binary(g, g.node(add).input(1 - slot), "Sub");
    if (scaled == kNoNode || shift == kNoNode) continue;
    const std::string inverse = other_input(g, scaled, grouped);
    const std::string mean =
        inverse.empty() ? std::string() : other_input(g, binary(g, g.node(shift).input(1), "Mul"), inverse);
    const NodeIndex mean_node = g.producer(mean, "ReduceMean");
    if (!is_group_mean(g, mean_node) || g.node(mean_node).input(0) != grouped) continue;
    const std::string gamma = match_inverse(g, inverse, grouped, mean, f.epsilon);
    const auto gammas = g.floats(gamma), betas = g.floats(g.node(shift).input(0));
    const auto channels = static_cast<std::size_t>(f.dims[1]);
    if (!gammas || !betas || gammas->size() != channels || betas->size() != channels) return false;
    f.gamma = *gammas;
    f.beta = *betas;
    return true;
  }
  return false;
}

std::optional<Found> match(const Graph& g, NodeIndex back) {
  const NodeIndex add = binary(g, g.node(back).input(0), "Add");
  const GraphShape* grouped_shape = g.shape(g.node(back).input(0));
  const GraphShape* out_shape = g.shape(g.node(back).output(0));
  if (add == kNoNode || grouped_shape == nullptr || out_shape == nullptr || grouped_shape->size() != 5 ||
      out_shape->size() != 4)
    return std::nullopt;
  for (std::size_t k = 1; k < 5; ++k)
    if (!is_size((*grouped_shape)[k]) || (k < 4 && !is_size((*out_shape)[k]))) return std::nullopt;
  Found f;
  f.dims = {0, (*out_shape)[3].value, (*out_shape)[1].value, (*out_shape)[2].value};
  f.groups = (*grouped_shape)[3].value;
  f.output = g.node(back).output(0);
  if (f.groups * (*grouped_shape)[4].value != f.dims[1] || (*grouped_shape)[1].value != f.dims[2])
    return std::nullopt;
  for (const int slot : {0, 1}) {
    const NodeIndex scaled = binary(g, g.node(add).input(slot), "Mul");
    if (scaled == kNoNode) continue;
    for (const auto& grouped : g.node(scaled).input()) {
      const NodeIndex into = g.producer(grouped, "Reshape");
      if (into == kNoNode || g.rank(grouped) != 5) continue;
      const NodeIndex t = g.producer(g.node(into).input(0), "Transpose");
      if (t == kNoNode || ints_attribute(g.node(t), "perm") != Axes{0, 2, 3, 1}) continue;
      f.nchw = g.node(t).input(0);
      if (match_sum(g, add, grouped, f) && is_closed(g, f.output, {g.node(into).input(0)})) return f;
    }
  }
  return std::nullopt;
}

void rewrite(Graph& g, const Found& f) {
  const std::vector<float> ones(static_cast<std::size_t>(f.groups), 1.0F),
      zeros(static_cast<std::size_t>(f.groups), 0.0F);
  const std::string& near = f.output;
  const Axes into{0, f.groups, -1}, back{0, f.dims[1], f.dims[2], f.dims[3]};
  std::string x = g.add("Reshape", {f.nchw, g.add_ints(near + "_groups", into)}, near);
  x = g.add(
      "InstanceNormalization",
      {x, g.add_floats(near + "_ones", {f.groups}, ones), g.add_floats(near + "_zeros", {f.groups}, zeros)},
      near);
  set_attribute(g.last(), "epsilon", f.epsilon);
  x = g.add("Reshape", {x, g.add_ints(near + "_shape", back)}, near);
  x = g.add("Mul", {x, g.add_floats(near + "_gamma", {1, f.dims[1], 1, 1}, f.gamma)}, near);
  x = g.add("Add", {x, g.add_floats(near + "_beta", {1, f.dims[1], 1, 1}, f.beta)}, near);
  if (const GraphShape* s = g.shape(f.nchw)) g.set_shape(x, *s, g.element_type(f.nchw));
  x = g.add("Transpose", {x}, near);
  const Axes perm{0, 2, 3, 1};
  set_attribute(g.last(), "perm", perm);
  if (const GraphShape* s = g.shape(f.output)) g.set_shape(x, *s, g.element_type(f.nchw));
  g.replace(f.output, x);
}

int run(Graph& g, const PassOptions&) {
  int count = 0;
  const NodeIndex end = g.node_count();
  for (NodeIndex i = 0; i < end; ++i) {
    if (!is_op(g, i, "Reshape", 2)) continue;
    if (const auto f = match(g, i)) {
      rewrite(g, *f);
      ++count;
    }
  }
  return count;
}

} // namespace

extern const Pass group_norm_pass;
const Pass group_norm_pass{
    .id = "group_norm_layout", .order = 20, .text_id = "atc.pass.group_norm", .run = run};

} // namespace prof
