// tensor_data.hpp: the numbers inside a TensorProto, whichever of its fields they are in.
#pragma once
#include <cstdint>
#include <onnx/onnx_pb.h>
#include <optional>
#include <span>
#include <vector>

namespace prof {

// Product of the dimensions; -1 when one is negative or the product passes 2^40.
[[nodiscard]] std::int64_t element_count(std::span<const std::int64_t> dims);
[[nodiscard]] std::int64_t element_count(const onnx::TensorProto& tensor);
// The numbers of a FLOAT tensor; empty optional for other types, data kept outside the file, or a wrong
// number of them.
[[nodiscard]] std::optional<std::vector<float>> float_values(const onnx::TensorProto& tensor);
// The same for INT64 and INT32.
[[nodiscard]] std::optional<std::vector<std::int64_t>> int_values(const onnx::TensorProto& tensor);
[[nodiscard]] onnx::TensorProto float_tensor(std::vector<std::int64_t> dims, std::span<const float> values);
// 1-D INT64, or 0-D.
[[nodiscard]] onnx::TensorProto int_tensor(std::span<const std::int64_t> values, bool is_scalar = false);

} // namespace prof
