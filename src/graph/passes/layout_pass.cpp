// Moves Transposes down until they meet their inverse, and removes both; what is left over is moved back as
// it was.
//
//   Conv -> T(NHWC) -> Sigmoid -> T(NCHW) -> Conv      becomes      Conv -> Sigmoid -> Conv
//
// TensorFlow exports wrap every convolution in a pair. Heads of attention are transposed before RMSNorm and
// Concat, which work as well before the Transpose. Accepted only when fewer elements are transposed than
// before.
#include "graph/evaluate.hpp"
#include "graph/match.hpp"
#include "graph/pass.hpp"
#include "graph/tensor_data.hpp"

#include <algorithm>
#include <deque>

namespace prof {
namespace {

using Perm = std::vector<std::int64_t>;

Perm inverse(const Perm& p) {
  Perm q(p.size());
  for (std::size_t k = 0; k < p.size(); ++k)
    q[static_cast<std::size_t>(p[k])] = static_cast<std::int64_t>(k);
  return q;
}

bool is_identity(const Perm& p) {
  for (std::size_t k = 0; k < p.size(); ++k)
    if (p[k] != static_cast<std::int64_t>(k)) return false;
  return true;
}

// The permutation of a live Transpose that makes `value`, when it is one; empty otherwise.
Perm perm_of(const Graph& g, NodeIndex i) {
  if (i == kNoNode || g.node(i).op_type() != "Transpose" || !g.node(i).domain().empty()) return {};
  Perm p = ints_attribute(g.node(i), "perm");
  Perm sorted = p;
  std::ranges::sort(sorted);
  return is_identity(sorted) ? p : Perm{};
}

bool is_elementwise(const onnx::NodeProto& n) {
  static constexpr std::string_view kPlain[] = {
      "Sigmoid", "Tanh",     "Relu",      "Sqrt",        "Erf",  "Exp",      "Neg",        "Abs", "LeakyRelu",
      "Elu",     "Softplus", "HardSwish", "HardSigmoid", "Cast", "Identity", "Reciprocal", "Log"};
  static constexpr std::string_view kEngine[] = {"QuickGelu", "FastGelu", "Gelu"};
  if (n.domain().empty()) return std::ranges::find(kPlain, n.op_type()) != std::end(kPlain);
  return n.domain() == "com.microsoft" && n.input_size() == 1 &&
         std::ranges::find(kEngine, n.op_type()) != std::end(kEngine);
}

bool is_last_axis_norm(const onnx::NodeProto& n) {
  return (n.op_type() == "LayerNormalization" || n.op_type() == "SimplifiedLayerNormalization") &&
         n.domain().empty() && n.output_size() == 1 && int_attribute(n, "axis", -1) == -1;
}

bool is_binary(const onnx::NodeProto& n) {
  static constexpr std::string_view kOps[] = {"Add", "Sub", "Mul", "Div", "Pow"};
  return n.domain().empty() && n.input_size() == 2 && std::ranges::find(kOps, n.op_type()) != std::end(kOps);
}

class Mover {
public:
  explicit Mover(Graph& graph) : g_(graph) {}

  void run() {
    for (NodeIndex i = 0; i < g_.node_count(); ++i)
      open_.push_back(i);
    // Each push moves a Transpose one operator down; the bound is for graphs that fan out without end.
    std::int64_t budget = 50LL * g_.node_count() + 1000;
    while (!open_.empty() && budget-- > 0) {
      const NodeIndex i = open_.front();
      open_.pop_front();
      if (!g_.is_alive(i)) continue;
      const Perm p = perm_of(g_, i);
      if (p.empty()) continue;
      for (const NodeIndex user : g_.users(g_.node(i).output(0)))
        if (g_.is_alive(user) && g_.is_alive(i)) push(i, p, user);
    }
    g_.remove_unused();
  }

private:
  // x such that `operand` = Transpose(x, p), for an operand of another node: a Transpose's input, or a
  // constant turned round.
  std::string before(const std::string& operand, const Perm& p) {
    const NodeIndex t = g_.producer(operand, "Transpose");
    if (t != kNoNode && perm_of(g_, t) == p) return g_.node(t).input(0);
    const auto* tensor = g_.constant(operand);
    if (tensor == nullptr) return {};
    if (element_count(*tensor) == 1 && tensor->dims_size() <= static_cast<int>(p.size())) return operand;
    const auto values = float_values(*tensor);
    if (!values || tensor->dims_size() > static_cast<int>(p.size())) return {};
    Perm dims(p.size() - static_cast<std::size_t>(tensor->dims_size()), 1), out;
    dims.insert(dims.end(), tensor->dims().begin(), tensor->dims().end());
    const Perm q = inverse(p);
    for (const std::int64_t axis : q)
      out.push_back(dims[static_cast<std::size_t>(axis)]);
    return g_.add_floats(operand, out, permuted(*values, dims, q));
  }

  // Replaces `user` by the same operator over `inputs`, transposed afterwards.
  void rebuild(NodeIndex user, const std::vector<std::string>& inputs, const Perm& p,
               const onnx::AttributeProto* changed = nullptr) {
    const onnx::NodeProto old = g_.node(user);
    const std::string out = g_.add(old.op_type(), inputs, old.output(0), "", old.domain());
    for (const auto& a : old.attribute())
      if (changed == nullptr || a.name() != changed->name()) *g_.last().add_attribute() = a;
    if (changed != nullptr) *g_.last().add_attribute() = *changed;
    const GraphShape* s = g_.shape(old.output(0));
    if (s != nullptr && s->size() == p.size()) {
      GraphShape turned(p.size());
      for (std::size_t k = 0; k < p.size(); ++k)
        turned[static_cast<std::size_t>(p[k])] = (*s)[k];
      g_.set_shape(out, std::move(turned), g_.element_type(old.output(0)));
    }
    const std::string back = g_.add("Transpose", {out}, old.output(0));
    set_attribute(g_.last(), "perm", p);
    const NodeIndex made = g_.node_count() - 1;
    if (s != nullptr)
      g_.set_shape(back, GraphShape(*g_.shape(old.output(0))), g_.element_type(old.output(0)));
    if (!g_.replace(old.output(0), back)) return;
    g_.remove(user);
    open_.push_back(made);
  }

  void push(NodeIndex t, const Perm& p, NodeIndex user) {
    const onnx::NodeProto n = g_.node(user);
    if (n.output_size() != 1) return;
    const std::string x = g_.node(t).input(0), y = g_.node(t).output(0);
    if (n.op_type() == "Transpose") return join(x, p, user);
    const bool keeps_last = p.back() + 1 == static_cast<std::int64_t>(p.size());
    if (is_elementwise(n) || (n.op_type() == "Clip" && n.domain().empty() && n.input(0) == y) ||
        (is_last_axis_norm(n) && keeps_last && n.input(0) == y)) {
      std::vector<std::string> inputs(n.input().begin(), n.input().end());
      inputs[0] = x;
      return rebuild(user, inputs, p);
    }
    if (is_binary(n) && g_.rank(n.output(0)) == static_cast<int>(p.size())) {
      std::vector<std::string> inputs;
      for (const auto& input : n.input())
        inputs.push_back(input == y ? x : before(input, p));
      if (!inputs[0].empty() && !inputs[1].empty()) rebuild(user, inputs, p);
      return;
    }
    if (n.op_type() == "Concat" && n.domain().empty()) join_concat(user, p);
  }

  void join(const std::string& x, const Perm& p, NodeIndex user) {
    const Perm q = perm_of(g_, user);
    if (q.size() != p.size()) return;
    Perm both(p.size());
    for (std::size_t k = 0; k < p.size(); ++k)
      both[k] = p[static_cast<std::size_t>(q[k])];
    const std::string old = g_.node(user).output(0);
    if (is_identity(both)) {
      if (g_.replace(old, x)) {
        g_.remove(user);
        // Whoever reads x now may be next to another Transpose.
        if (const NodeIndex maker = g_.producer(x); maker != kNoNode) open_.push_back(maker);
      }
      return;
    }
    g_.set_input(user, 0, x);
    g_.node(user).clear_attribute();
    set_attribute(g_.node(user), "perm", both);
    open_.push_back(user);
  }

  void join_concat(NodeIndex user, const Perm& p) {
    const onnx::NodeProto& n = g_.node(user);
    std::vector<std::string> inputs;
    for (const auto& input : n.input()) {
      const NodeIndex t = g_.producer(input, "Transpose");
      if (t == kNoNode || perm_of(g_, t) != p) return;
      inputs.push_back(g_.node(t).input(0));
    }
    std::int64_t axis = int_attribute(n, "axis", 0);
    if (axis < 0) axis += static_cast<std::int64_t>(p.size());
    if (axis < 0 || axis >= static_cast<std::int64_t>(p.size())) return;
    onnx::AttributeProto changed;
    changed.set_name("axis");
    changed.set_type(onnx::AttributeProto::INT);
    changed.set_i(p[static_cast<std::size_t>(axis)]);
    rebuild(user, inputs, p, &changed);
  }

  Graph& g_;
  std::deque<NodeIndex> open_;
};

struct Cost {
  double elements = 0; // transposed, a free dimension counted as 1
  int nodes = 0;
};

Cost cost_of(const Graph& g) {
  Cost c;
  for (NodeIndex i = 0; i < g.node_count(); ++i) {
    if (!g.is_alive(i) || perm_of(g, i).empty()) continue;
    ++c.nodes;
    double product = 1;
    if (const GraphShape* s = g.shape(g.node(i).output(0)))
      for (const GraphDim& d : *s)
        product *= d.is_known() ? static_cast<double>(d.value) : 1.0;
    c.elements += product;
  }
  return c;
}

int run(Graph& g, const PassOptions&) {
  const Cost before = cost_of(g);
  if (before.nodes == 0) return 0;
  Graph moved = g;
  Mover(moved).run();
  moved.infer_shapes();
  const Cost after = cost_of(moved);
  if (after.elements > before.elements || after.nodes >= before.nodes) return 0;
  g = std::move(moved);
  return before.nodes - after.nodes;
}

} // namespace

extern const Pass layout_pass;
const Pass layout_pass{.id = "layout", .order = 50, .text_id = "atc.pass.layout", .run = run};

} // namespace prof
