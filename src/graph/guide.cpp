#include "graph/guide.hpp"

#include <algorithm>

namespace prof {
namespace {

double product(const GraphShape& shape) {
  double p = 1;
  for (const GraphDim& d : shape)
    p *= d.is_known() ? static_cast<double>(d.value) : 1.0;
  return p;
}

// Multiply-adds of a node; 0 where the shapes are unknown or the operator is of another kind.
double work_of(const Graph& g, NodeIndex i) {
  const auto& n = g.node(i);
  const GraphShape* out = n.output_size() > 0 ? g.shape(n.output(0)) : nullptr;
  if (out == nullptr) return 0;
  const GraphShape* first = n.input_size() > 0 ? g.shape(n.input(0)) : nullptr;
  const GraphShape* second = n.input_size() > 1 ? g.shape(n.input(1)) : nullptr;
  if ((n.op_type() == "MatMul" || n.op_type() == "Gemm") && first != nullptr && !first->empty())
    return product(*out) * product({first->back()});
  if (n.op_type() == "Conv" && second != nullptr && second->size() > 2 && (*second)[0].is_known() &&
      (*second)[0].value > 0)
    return product(*out) * product(*second) / static_cast<double>((*second)[0].value);
  if (n.op_type() == "MultiHeadAttention" && second != nullptr && second->size() == 3)
    return 2 * product(*out) * product({(*second)[1]});
  return product(*out);
}

} // namespace

std::vector<KeyOp> key_ops(const onnx::ModelProto& model, std::size_t limit) {
  auto graph = Graph::from(model);
  if (!graph) return {};
  graph->infer_shapes();
  std::vector<KeyOp> ops;
  double total = 0;
  for (NodeIndex i = 0; i < graph->node_count(); ++i) {
    const double work = work_of(*graph, i);
    total += work;
    ops.push_back({graph->node(i).name(), graph->node(i).op_type(), work});
  }
  std::ranges::stable_sort(ops, std::ranges::greater{}, &KeyOp::share);
  if (ops.size() > limit) ops.resize(limit);
  for (KeyOp& op : ops)
    op.share = total > 0 ? op.share / total : 0;
  return ops;
}

Doc profiler_config(const Optimised& result, const std::optional<Proof>& proof, const std::string& model_path,
                    const std::string& model_sha256) {
  constexpr std::size_t kKeyOps = 20;
  Doc doc = Doc::map();
  doc.set("schema", "cann-profiler/atc_profiler_config/1");
  doc.set("model", Doc::map()
                       .set("path", model_path)
                       .set("sha256", model_sha256)
                       .set("graph", result.model.graph().name())
                       .set("operators", result.nodes_after));
  Doc keys = Doc::list(), groups = Doc::list(), outputs = Doc::list();
  for (const KeyOp& op : key_ops(result.model, kKeyOps))
    keys.add(Doc::map().set("name", op.name).set("op_type", op.op_type).set("work_share", op.share));
  for (const PassChange& change : result.changes)
    if (change.count > 0)
      groups.add(Doc::map().set("id", std::string(change.pass->id)).set("count", change.count));
  doc.set("key_operators", std::move(keys));
  doc.set("fusion_groups", std::move(groups));
  if (proof)
    for (const OutputProof& o : proof->outputs)
      outputs.add(
          Doc::map().set("output", o.name).set("max_abs_error", o.max_abs).set("max_rel_error", o.max_rel));
  doc.set("precision", Doc::map()
                           .set("weights", "as given")
                           .set("is_proved", proof.has_value())
                           .set("outputs", std::move(outputs)));
  return doc;
}

} // namespace prof
