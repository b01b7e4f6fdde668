#include "graph/border.hpp"
#include "base/lang.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <unordered_set>

namespace prof {
namespace {

using Perm = std::array<int, 4>;
constexpr Perm kToNhwc{0, 2, 3, 1}, kToNchw{0, 3, 1, 2};

bool is_picture(const onnx::ValueInfoProto& value) {
  return value.type().has_tensor_type() &&
         value.type().tensor_type().elem_type() == onnx::TensorProto::FLOAT &&
         value.type().tensor_type().has_shape() && value.type().tensor_type().shape().dim_size() == 4;
}

void permute(onnx::ValueInfoProto& value, const Perm& perm) {
  auto* shape = value.mutable_type()->mutable_tensor_type()->mutable_shape();
  const onnx::TensorShapeProto old = *shape;
  for (int k = 0; k < 4; ++k)
    *shape->mutable_dim(k) = old.dim(perm[static_cast<std::size_t>(k)]);
}

onnx::NodeProto transpose(const std::string& from, const std::string& to, const std::string& inner,
                          const Perm& perm) {
  onnx::NodeProto node;
  node.set_op_type("Transpose");
  node.set_name(inner + "_border");
  node.add_input(from);
  node.add_output(to);
  auto* attribute = node.add_attribute();
  attribute->set_name("perm");
  attribute->set_type(onnx::AttributeProto::INTS);
  for (const int axis : perm)
    attribute->add_ints(axis);
  return node;
}

} // namespace

Result<int> change_border_layout(onnx::ModelProto& model, Layout from, Layout to) {
  if (from == to) return 0;
  onnx::GraphProto& graph = *model.mutable_graph();
  const Perm outward = to == Layout::nhwc ? kToNhwc : kToNchw,
             inward = to == Layout::nhwc ? kToNchw : kToNhwc;
  for (const auto& node : graph.node())
    for (const auto& attribute : node.attribute())
      if (attribute.has_g() || attribute.graphs_size() > 0)
        return error_said(Errc::unsupported, "error.nested_graph", {},
                          fmt::arg("name", node.name().substr(0, 200)));
  std::unordered_set<std::string> weights, inputs, outputs, made;
  for (const auto& tensor : graph.initializer())
    weights.insert(tensor.name());
  for (const auto& node : graph.node())
    made.insert(node.output().begin(), node.output().end());
  for (auto& input : *graph.mutable_input())
    if (is_picture(input) && !weights.contains(input.name())) {
      inputs.insert(input.name());
      permute(input, outward);
    }
  for (auto& output : *graph.mutable_output())
    if (is_picture(output) && inputs.contains(output.name())) {
      permute(output, outward); // an input given back as it came
    } else if (is_picture(output) && made.contains(output.name())) {
      outputs.insert(output.name());
      permute(output, outward);
    }
  // A model converted before has such names already.
  std::string suffix = "/atc_inner";
  const auto is_taken = [&](const std::string& name) { return made.contains(name + suffix); };
  while (std::ranges::any_of(inputs, is_taken) || std::ranges::any_of(outputs, is_taken))
    suffix += '_';
  const auto inner = [&suffix](const std::string& name) { return name + suffix; };
  onnx::GraphProto rebuilt;
  for (const auto& input : graph.input())
    if (inputs.contains(input.name()))
      *rebuilt.add_node() = transpose(input.name(), inner(input.name()), inner(input.name()), inward);
  for (auto node : graph.node()) {
    for (auto& name : *node.mutable_input())
      if (inputs.contains(name) || outputs.contains(name)) name = inner(name);
    for (auto& name : *node.mutable_output())
      if (outputs.contains(name)) name = inner(name);
    *rebuilt.add_node() = std::move(node);
  }
  for (const auto& output : graph.output())
    if (outputs.contains(output.name()))
      *rebuilt.add_node() = transpose(inner(output.name()), output.name(), inner(output.name()), outward);
  graph.mutable_node()->Swap(rebuilt.mutable_node());
  graph.clear_value_info();
  return static_cast<int>(inputs.size() + outputs.size());
}

} // namespace prof
