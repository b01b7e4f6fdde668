#include "graph/attributes.hpp"

#include "graph/tensor_data.hpp"

#include <array>
#include <string>

namespace prof {

const onnx::AttributeProto* attribute(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& a : node.attribute())
    if (a.name() == name) return &a;
  return nullptr;
}

std::int64_t int_attribute(const onnx::NodeProto& node, std::string_view name, std::int64_t otherwise) {
  const auto* a = attribute(node, name);
  return a != nullptr && a->type() == onnx::AttributeProto::INT ? a->i() : otherwise;
}

std::vector<std::int64_t> ints_attribute(const onnx::NodeProto& node, std::string_view name) {
  const auto* a = attribute(node, name);
  return a == nullptr ? std::vector<std::int64_t>{}
                      : std::vector<std::int64_t>(a->ints().begin(), a->ints().end());
}

void set_attribute(onnx::NodeProto& node, std::string_view name, std::int64_t value) {
  auto* a = node.add_attribute();
  a->set_name(std::string(name));
  a->set_type(onnx::AttributeProto::INT);
  a->set_i(value);
}

void set_attribute(onnx::NodeProto& node, std::string_view name, float value) {
  auto* a = node.add_attribute();
  a->set_name(std::string(name));
  a->set_type(onnx::AttributeProto::FLOAT);
  a->set_f(value);
}

void set_attribute(onnx::NodeProto& node, std::string_view name, std::span<const std::int64_t> values) {
  auto* a = node.add_attribute();
  a->set_name(std::string(name));
  a->set_type(onnx::AttributeProto::INTS);
  for (const std::int64_t v : values)
    a->add_ints(v);
}

std::optional<onnx::TensorProto> literal(const onnx::NodeProto& node) {
  if (node.op_type() != "Constant" || !node.domain().empty() || node.attribute_size() != 1 ||
      node.output_size() != 1 || node.output(0).empty())
    return std::nullopt;
  const auto& a = node.attribute(0);
  if (a.name() == "value" && a.has_t()) return a.t();
  if (a.name() == "value_float") return float_tensor({}, std::array{a.f()});
  if (a.name() == "value_floats")
    return float_tensor({a.floats_size()}, std::vector<float>(a.floats().begin(), a.floats().end()));
  if (a.name() == "value_int") return int_tensor(std::array{a.i()}, true);
  if (a.name() == "value_ints")
    return int_tensor(std::vector<std::int64_t>(a.ints().begin(), a.ints().end()));
  return std::nullopt;
}

} // namespace prof
