// Scaled dot-product attention written out -> com.microsoft MultiHeadAttention.
//
//   softmax((T(q) * s) x (T(k) * s)) x T(v) -> T -> [batch, tokens, heads * width]
//
// torch.onnx writes F.scaled_dot_product_attention this way (opset 14 and up): the scale is the square root
// of a value computed from the shape of q and multiplies both sides, K is transposed twice. The fused kernel
// never writes the heads x tokens x tokens matrix out (flash attention on the CPU).
#include "graph/match.hpp"
#include "graph/pass.hpp"

#include <algorithm>
#include <cmath>

namespace prof {
namespace {

using Perm = std::vector<std::int64_t>;

// What a value is made of by Transposes and constant factors: value = scale * Transpose(base, perm).
struct Stripped {
  std::string base;
  Perm perm{0, 1, 2, 3};
  float scale = 1;
};

Stripped strip(const Graph& g, std::string value) {
  Stripped s{.base = std::move(value)};
  for (int steps = 0; steps < 8; ++steps) {
    const NodeIndex i = g.producer(s.base);
    if (i == kNoNode || !g.node(i).domain().empty()) return s;
    const auto& node = g.node(i);
    const auto factor = scalar_operand(g, i);
    if (node.op_type() == "Transpose") {
      const Perm p = ints_attribute(node, "perm");
      if (p.size() != 4) return s;
      Perm both(4);
      for (std::size_t k = 0; k < 4; ++k)
        both[k] = p[static_cast<std::size_t>(s.perm[k])];
      s.perm = both;
      s.base = node.input(0);
    } else if (node.op_type() == "Mul" && factor) {
      s.scale *= factor->number;
      s.base = factor->other;
    } else if (node.op_type() == "Div" && factor && factor->slot == 1) {
      s.scale /= factor->number;
      s.base = factor->other;
    } else {
      return s;
    }
  }
  return s;
}

struct Found {
  Stripped q, k, v;
  float scale = 1;
  std::string output; // of the Transpose behind, [batch, tokens, heads, width]
  std::int64_t heads = 0, width = 0;
};

// heads and width of a [batch, tokens, heads, width] value.
std::optional<std::pair<std::int64_t, std::int64_t>> head_shape(const Graph& g, const std::string& value) {
  const GraphShape* s = g.shape(value);
  constexpr std::int64_t kMaxWidth = 1 << 20; // far above any model, far below where products overflow
  if (s == nullptr || s->size() != 4) return std::nullopt;
  for (const std::size_t k : {2U, 3U})
    if ((*s)[k].value <= 0 || (*s)[k].value > kMaxWidth) return std::nullopt;
  return std::pair{(*s)[2].value, (*s)[3].value};
}

std::optional<Found> match(const Graph& g, NodeIndex last) {
  const NodeIndex softmax = g.producer(g.node(last).input(0), "Softmax");
  if (softmax == kNoNode || g.only_user(g.node(softmax).output(0)) != last) return std::nullopt;
  const std::int64_t axis = int_attribute(g.node(softmax), "axis", -1);
  if ((axis != -1 && axis != 3) || g.opset() < 13) return std::nullopt;
  const Stripped scores = strip(g, g.node(softmax).input(0)); // a factor may also stand behind the product
  const NodeIndex product = g.producer(scores.base, "MatMul");
  if (product == kNoNode || scores.perm != Perm{0, 1, 2, 3}) return std::nullopt;
  Found f{.q = strip(g, g.node(product).input(0)),
          .k = strip(g, g.node(product).input(1)),
          .v = strip(g, g.node(last).input(1)),
          .output = {}};
  if (f.q.perm != Perm{0, 2, 1, 3} || f.k.perm != Perm{0, 2, 3, 1} || f.v.perm != Perm{0, 2, 1, 3} ||
      f.v.scale != 1)
    return std::nullopt;
  f.scale = scores.scale * f.q.scale * f.k.scale;
  const auto q = head_shape(g, f.q.base), k = head_shape(g, f.k.base), v = head_shape(g, f.v.base);
  if (!q || !k || !v || *q != *k || *q != *v || !is_float(g, f.q.base)) return std::nullopt;
  // MatMul spreads a batch of one over the others, the fused operator does not; and its scale 0 means "as
  // usual".
  const GraphDim &batch = (*g.shape(f.q.base))[0], &k_batch = (*g.shape(f.k.base))[0],
                 &v_batch = (*g.shape(f.v.base))[0];
  if (!batch.same_as(k_batch) || !batch.same_as(v_batch)) return std::nullopt;
  if (!std::isfinite(f.scale) || f.scale == 0) return std::nullopt;
  std::tie(f.heads, f.width) = *q;
  const NodeIndex behind = g.only_user(g.node(last).output(0));
  if (!is_op(g, behind, "Transpose") || ints_attribute(g.node(behind), "perm") != Perm{0, 2, 1, 3})
    return std::nullopt;
  f.output = g.node(behind).output(0);
  return is_closed(g, f.output, {f.q.base, f.k.base, f.v.base}) ? std::optional(f) : std::nullopt;
}

// [batch, tokens, heads, width] -> [batch, tokens, heads * width]; the Reshape in front, if any, is merged
// later.
std::string joined_heads(Graph& g, const std::string& value, const Found& f) {
  const Perm target{0, 0, f.heads * f.width};
  return g.add("Reshape", {value, g.add_ints(value + "_joined", target)}, value);
}

int run(Graph& g, const PassOptions&) {
  int count = 0;
  const NodeIndex end = g.node_count();
  for (NodeIndex i = 0; i < end; ++i) {
    if (!is_op(g, i, "MatMul", 2)) continue;
    const auto f = match(g, i);
    if (!f) continue;
    std::vector<std::string> inputs{joined_heads(g, f->q.base, *f), joined_heads(g, f->k.base, *f),
                                    joined_heads(g, f->v.base, *f)};
    const std::string attended =
        g.add("MultiHeadAttention", std::move(inputs), f->output, "", "com.microsoft");
    set_attribute(g.last(), "num_heads", f->heads);
    set_attribute(g.last(), "scale", f->scale);
    g.need_domain("com.microsoft", 1);
    // Its shape is not in the inference's books: what is said here holds until the next pass.
    GraphShape shape;
    if (const GraphShape* s = g.shape(f->q.base))
      shape = {(*s)[0], (*s)[1], GraphDim{f->heads * f->width, {}}};
    g.set_shape(attended, std::move(shape), onnx::TensorProto::FLOAT);
    const Perm target{0, 0, f->heads, f->width};
    const std::string out = g.add("Reshape", {attended, g.add_ints(f->output + "_heads", target)}, f->output);
    if (const GraphShape* s = g.shape(f->output)) g.set_shape(out, GraphShape(*s), onnx::TensorProto::FLOAT);
    count += g.replace(f->output, out) ? 1 : 0;
  }
  return count;
}

} // namespace

extern const Pass attention_pass;
const Pass attention_pass{
    .id = "attention", .order = 60, .text_id = "atc.pass.attention", .needs_engine_ops = true, .run = run};

} // namespace prof
