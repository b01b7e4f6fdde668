// The part of Graph that asks the ONNX library for shapes.
#include "graph/graph.hpp"
#include "graph/tensor_data.hpp"

#include <algorithm>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

namespace prof {
namespace {

GraphShape shape_of(const onnx::TensorShapeProto& proto) {
  GraphShape shape;
  for (const auto& dim : proto.dim()) {
    GraphDim d;
    if (dim.has_dim_value())
      d.value = dim.dim_value();
    else
      d.symbol = dim.dim_param();
    shape.push_back(std::move(d));
  }
  return shape;
}

// Operators of the engine whose output has the type and shape of their first input.
bool is_like_first_input(const onnx::NodeProto& node) {
  static constexpr std::string_view kEngine[] = {"QuickGelu", "FastGelu", "Gelu", "BiasGelu",
                                                 "MultiHeadAttention"};
  if (node.op_type() == "SimplifiedLayerNormalization") return true;
  return node.domain() == "com.microsoft" && node.input_size() > 0 &&
         std::ranges::find(kEngine, node.op_type()) != std::end(kEngine);
}

} // namespace

// The model as shape inference wants it: operators that only the engine knows stand as Identity of their
// first input, which has their shape; large constants stand as inputs, as only small ones (targets, axes) are
// looked into.
onnx::ModelProto Graph::for_inference() const {
  constexpr std::int64_t kSmall = 4096;
  onnx::ModelProto model = model_;
  onnx::GraphProto* graph = model.mutable_graph();
  graph->clear_value_info();
  // What a file says of its outputs may be wrong; what follows from the inputs is not.
  for (auto& output : *graph->mutable_output())
    if (output.type().has_tensor_type()) output.mutable_type()->mutable_tensor_type()->clear_shape();
  for (const NodeIndex i : sorted_nodes()) {
    onnx::NodeProto* copy = graph->add_node();
    *copy = node(i);
    if (!is_like_first_input(*copy)) continue;
    copy->set_op_type("Identity");
    copy->set_domain("");
    copy->clear_attribute();
    copy->mutable_input()->DeleteSubrange(1, copy->input_size() - 1);
    copy->mutable_output()->DeleteSubrange(1, copy->output_size() - 1);
  }
  for (const auto& [name, tensor] : constants_) {
    if (inputs_.contains(name)) continue;
    if (const std::int64_t count = element_count(tensor); count >= 0 && count <= kSmall) {
      *graph->add_initializer() = tensor;
      continue;
    }
    auto* input = graph->add_input();
    input->set_name(name);
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(tensor.data_type());
    for (const std::int64_t d : tensor.dims())
      type->mutable_shape()->add_dim()->set_dim_value(d);
  }
  return model;
}

void Graph::infer_shapes() {
  shapes_.clear();
  types_.clear();
  onnx::ModelProto model = for_inference();
  try {
    // Without its data propagation, which follows a null pointer in the library's version 1.12; symbols.hpp
    // does that work.
    onnx::ShapeInferenceOptions options{false, 0, false};
    onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), options);
  } catch (const std::exception&) {
    // A node that contradicts itself stops the inference: what it found so far stands.
  }
  const auto keep = [this](const onnx::ValueInfoProto& info) {
    if (!info.type().has_tensor_type()) return;
    types_[info.name()] = info.type().tensor_type().elem_type();
    if (info.type().tensor_type().has_shape())
      shapes_[info.name()] = shape_of(info.type().tensor_type().shape());
  };
  for (const auto& info : model.graph().value_info())
    keep(info);
  for (const auto& info : model.graph().input())
    keep(info);
  for (const auto& info : model.graph().output())
    if (!shapes_.contains(info.name())) keep(info);
  // Behind an operator of another domain there is nothing better than the file's word.
  for (const auto& info : model_.graph().output())
    if (!shapes_.contains(info.name())) keep(info);
  for (const auto& [name, tensor] : constants_) {
    GraphShape shape;
    for (const std::int64_t d : tensor.dims())
      shape.push_back({d, {}});
    shapes_[name] = std::move(shape);
    types_[name] = tensor.data_type();
  }
}

} // namespace prof
