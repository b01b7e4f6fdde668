#include "graph/tensor_data.hpp"

#include <cstring>

namespace prof {
namespace {

// Little-endian raw data as T; the machines this runs on are little-endian.
template <class T>
std::optional<std::vector<T>> raw_as(const onnx::TensorProto& tensor, std::size_t count) {
  if (tensor.raw_data().size() != count * sizeof(T)) return std::nullopt;
  std::vector<T> values(count);
  if (count != 0) std::memcpy(values.data(), tensor.raw_data().data(), count * sizeof(T));
  return values;
}

bool is_inside(const onnx::TensorProto& tensor) {
  return tensor.data_location() != onnx::TensorProto::EXTERNAL && !tensor.has_segment();
}

template <class T, class From>
std::optional<std::vector<T>> field_as(const From& field, std::size_t count) {
  if (static_cast<std::size_t>(field.size()) != count) return std::nullopt;
  return std::vector<T>(field.begin(), field.end());
}

} // namespace

std::int64_t element_count(std::span<const std::int64_t> dims) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 40;
  std::int64_t count = 1;
  for (const std::int64_t d : dims) {
    if (d < 0 || (d != 0 && count > kLimit / d)) return -1;
    count *= d;
  }
  return count;
}

std::int64_t element_count(const onnx::TensorProto& tensor) {
  return element_count(std::span(tensor.dims().data(), static_cast<std::size_t>(tensor.dims_size())));
}

std::optional<std::vector<float>> float_values(const onnx::TensorProto& tensor) {
  const std::int64_t count = element_count(tensor);
  if (tensor.data_type() != onnx::TensorProto::FLOAT || count < 0 || !is_inside(tensor)) return std::nullopt;
  if (tensor.has_raw_data()) return raw_as<float>(tensor, static_cast<std::size_t>(count));
  return field_as<float>(tensor.float_data(), static_cast<std::size_t>(count));
}

std::optional<std::vector<std::int64_t>> int_values(const onnx::TensorProto& tensor) {
  const std::int64_t count = element_count(tensor);
  if (count < 0 || !is_inside(tensor)) return std::nullopt;
  const auto n = static_cast<std::size_t>(count);
  if (tensor.data_type() == onnx::TensorProto::INT64)
    return tensor.has_raw_data() ? raw_as<std::int64_t>(tensor, n)
                                 : field_as<std::int64_t>(tensor.int64_data(), n);
  if (tensor.data_type() != onnx::TensorProto::INT32) return std::nullopt;
  if (!tensor.has_raw_data()) return field_as<std::int64_t>(tensor.int32_data(), n);
  const auto narrow = raw_as<std::int32_t>(tensor, n);
  return narrow ? std::optional(std::vector<std::int64_t>(narrow->begin(), narrow->end())) : std::nullopt;
}

onnx::TensorProto float_tensor(std::vector<std::int64_t> dims, std::span<const float> values) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t d : dims)
    tensor.add_dims(d);
  std::string raw(values.size_bytes(), '\0');
  if (!values.empty()) std::memcpy(raw.data(), values.data(), values.size_bytes());
  tensor.set_raw_data(std::move(raw));
  return tensor;
}

onnx::TensorProto int_tensor(std::span<const std::int64_t> values, bool is_scalar) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::INT64);
  if (!is_scalar) tensor.add_dims(static_cast<std::int64_t>(values.size()));
  std::string raw(values.size_bytes(), '\0');
  if (!values.empty()) std::memcpy(raw.data(), values.data(), values.size_bytes());
  tensor.set_raw_data(std::move(raw));
  return tensor;
}

} // namespace prof
