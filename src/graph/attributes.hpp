// attributes.hpp: a node's attributes, read with the default when absent, and written.
#pragma once
#include <cstdint>
#include <onnx/onnx_pb.h>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace prof {

[[nodiscard]] const onnx::AttributeProto* attribute(const onnx::NodeProto& node, std::string_view name);
[[nodiscard]] std::int64_t int_attribute(const onnx::NodeProto& node, std::string_view name,
                                         std::int64_t otherwise);
[[nodiscard]] std::vector<std::int64_t> ints_attribute(const onnx::NodeProto& node, std::string_view name);
void set_attribute(onnx::NodeProto& node, std::string_view name, std::int64_t value);
void set_attribute(onnx::NodeProto& node, std::string_view name, float value);
void set_attribute(onnx::NodeProto& node, std::string_view name, std::span<const std::int64_t> values);
// The tensor that a Constant node of the default domain stands for, whichever of its attributes holds it;
// empty for other nodes, sparse tensors and strings.
[[nodiscard]] std::optional<onnx::TensorProto> literal(const onnx::NodeProto& node);

} // namespace prof
