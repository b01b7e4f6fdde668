#include "graph/evaluate.hpp"

#include "graph/tensor_data.hpp"

#include <algorithm>
#include <cmath>

namespace prof {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 26;
// A row and a column make a matrix: kept as they are beyond this, or a small file would make a large model.
constexpr std::int64_t kMaxGrown = std::int64_t{1} << 16;
using Out = std::optional<onnx::TensorProto>;
using Dims = std::vector<std::int64_t>;

Dims dims_of(const onnx::TensorProto& t) {
  return {t.dims().begin(), t.dims().end()};
}

onnx::TensorProto with_dims(onnx::TensorProto t, const Dims& dims) {
  t.clear_dims();
  for (const std::int64_t d : dims)
    t.add_dims(d);
  return t;
}

onnx::TensorProto ints_of(const Dims& dims, const std::vector<std::int64_t>& values) {
  return with_dims(int_tensor(values), dims);
}

std::optional<Dims> broadcast(const Dims& a, const Dims& b) {
  Dims out(std::max(a.size(), b.size()), 1);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const std::int64_t da = k < a.size() ? a[a.size() - 1 - k] : 1,
                       db = k < b.size() ? b[b.size() - 1 - k] : 1;
    if (da != db && da != 1 && db != 1) return std::nullopt;
    out[out.size() - 1 - k] = da == 1 ? db : da;
  }
  const std::int64_t count = element_count(out);
  const std::int64_t limit = std::max({kMaxGrown, element_count(a), element_count(b)});
  return count >= 0 && count <= limit ? std::optional(out) : std::nullopt;
}

// Where element `flat` of a tensor of shape `out` lies in one of shape `in`, which broadcasts to it.
std::size_t source_index(std::size_t flat, const Dims& out, const Dims& in) {
  std::size_t index = 0, stride = 1;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto d = static_cast<std::size_t>(out[out.size() - 1 - k]);
    const std::size_t at = flat % d;
    flat /= d;
    if (k >= in.size()) continue;
    const auto din = static_cast<std::size_t>(in[in.size() - 1 - k]);
    if (din != 1) index += at * stride;
    stride *= din;
  }
  return index;
}

template <class T>
std::optional<T> apply(const std::string& op, T a, T b) {
  if (op == "Add") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Div") {
    if constexpr (std::is_integral_v<T>)
      if (b == 0 || b == -1) return std::nullopt;
    return a / b;
  }
  return std::nullopt;
}

// Wrap-around of hostile integers is of no interest: dimensions are far below this.
bool is_tame(float) {
  return true;
}
bool is_tame(std::int64_t v) {
  return v > -(std::int64_t{1} << 31) && v < (std::int64_t{1} << 31);
}

template <class T>
std::optional<std::vector<T>> binary(const std::string& op, const std::vector<T>& a, const Dims& da,
                                     const std::vector<T>& b, const Dims& db, const Dims& out) {
  std::vector<T> result(static_cast<std::size_t>(element_count(out)));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const T x = a[source_index(i, out, da)], y = b[source_index(i, out, db)];
    if (!is_tame(x) || !is_tame(y)) return std::nullopt;
    const auto r = apply(op, x, y);
    if (!r) return std::nullopt;
    result[i] = *r;
  }
  return result;
}

Out elementwise(const std::string& op, const onnx::TensorProto& a, const onnx::TensorProto& b) {
  const Dims da = dims_of(a), db = dims_of(b);
  const auto out = broadcast(da, db);
  if (!out || a.data_type() != b.data_type()) return std::nullopt;
  if (const auto fa = float_values(a), fb = float_values(b); fa && fb) {
    const auto r = binary(op, *fa, da, *fb, db, *out);
    return r ? Out(float_tensor(*out, *r)) : std::nullopt;
  }
  if (a.data_type() != onnx::TensorProto::INT64) return std::nullopt;
  const auto ia = int_values(a), ib = int_values(b);
  if (!ia || !ib) return std::nullopt;
  const auto r = binary(op, *ia, da, *ib, db, *out);
  return r ? Out(ints_of(*out, *r)) : std::nullopt;
}

Out unary(const std::string& op, const onnx::TensorProto& t) {
  auto values = float_values(t);
  if (!values) return std::nullopt;
  for (float& v : *values)
    v = op == "Sqrt" ? std::sqrt(v) : op == "Reciprocal" ? 1.0F / v : -v;
  return float_tensor(dims_of(t), *values);
}

Out cast(const onnx::NodeProto& node, const onnx::TensorProto& t) {
  const std::int64_t to = int_attribute(node, "to", 0);
  if (to == t.data_type()) return t;
  if (const auto ints = int_values(t); ints && to == onnx::TensorProto::FLOAT) {
    const std::vector<float> values(ints->begin(), ints->end());
    return float_tensor(dims_of(t), values);
  }
  if (const auto ints = int_values(t); ints && to == onnx::TensorProto::INT64)
    return ints_of(dims_of(t), *ints);
  return std::nullopt;
}

Out transpose(const onnx::NodeProto& node, const onnx::TensorProto& t) {
  const Dims dims = dims_of(t);
  Dims perm = ints_attribute(node, "perm");
  if (perm.empty())
    for (std::size_t k = dims.size(); k-- > 0;)
      perm.push_back(static_cast<std::int64_t>(k));
  Dims sorted = perm, out;
  std::ranges::sort(sorted);
  for (std::size_t k = 0; k < sorted.size(); ++k)
    if (sorted[k] != static_cast<std::int64_t>(k)) return std::nullopt;
  if (perm.size() != dims.size()) return std::nullopt;
  for (const std::int64_t p : perm)
    out.push_back(dims[static_cast<std::size_t>(p)]);
  if (const auto f = float_values(t)) return float_tensor(out, permuted(*f, dims, perm));
  return std::nullopt;
}

Out reshape(const Graph& g, const onnx::NodeProto& node, const onnx::TensorProto& t) {
  auto target = g.ints(node.input(1));
  const Dims dims = dims_of(t);
  if (!target || int_attribute(node, "allowzero", 0) != 0) return std::nullopt;
  std::int64_t known = 1, holes = 0;
  for (std::size_t k = 0; k < target->size(); ++k) {
    std::int64_t& d = (*target)[k];
    if (d == 0 && k < dims.size()) d = dims[k];
    if (d < 0)
      ++holes;
    else if (d == 0 || known > kMaxElements / d)
      return std::nullopt; // nothing to divide by, or larger than any input
    else
      known *= d;
  }
  const std::int64_t count = element_count(dims);
  if (holes > 1) return std::nullopt;
  for (std::int64_t& d : *target)
    if (d < 0) d = count / known;
  return element_count(*target) == count ? Out(with_dims(t, *target)) : std::nullopt;
}

// Unsqueeze and Squeeze; axes are an input from opset 13 on, an attribute before.
Out change_rank(const Graph& g, const onnx::NodeProto& node, const onnx::TensorProto& t) {
  std::optional<Dims> axes =
      node.input_size() > 1 ? g.ints(node.input(1)) : std::optional(ints_attribute(node, "axes"));
  if (!axes || axes->empty()) return std::nullopt;
  Dims dims = dims_of(t);
  const bool is_more = node.op_type() == "Unsqueeze";
  const auto rank =
      static_cast<std::int64_t>(dims.size()) + (is_more ? static_cast<std::int64_t>(axes->size()) : 0);
  for (std::int64_t& a : *axes) {
    if (a < 0) a += rank;
    if (a < 0 || a >= rank) return std::nullopt;
  }
  std::ranges::sort(*axes);
  if (std::ranges::adjacent_find(*axes) != axes->end()) return std::nullopt;
  if (is_more) {
    for (const std::int64_t a : *axes)
      dims.insert(dims.begin() + a, 1);
    return with_dims(t, dims);
  }
  for (std::size_t k = axes->size(); k-- > 0;) {
    if (dims[static_cast<std::size_t>((*axes)[k])] != 1) return std::nullopt;
    dims.erase(dims.begin() + (*axes)[k]);
  }
  return with_dims(t, dims);
}

} // namespace

Out evaluate(const Graph& g, NodeIndex i) {
  const auto& node = g.node(i);
  if (!node.domain().empty() || node.input_size() == 0) return std::nullopt;
  for (const auto& input : node.input()) {
    const auto* t = g.constant(input);
    if (t == nullptr || element_count(*t) < 0 || element_count(*t) > kMaxElements) return std::nullopt;
  }
  const std::string& op = node.op_type();
  const auto& first = *g.constant(node.input(0));
  if (op == "Identity") return first;
  if (op == "Add" || op == "Sub" || op == "Mul" || op == "Div")
    return node.input_size() == 2 ? elementwise(op, first, *g.constant(node.input(1))) : std::nullopt;
  if (op == "Sqrt" || op == "Reciprocal" || op == "Neg") return unary(op, first);
  if (op == "Cast") return cast(node, first);
  if (op == "Transpose") return transpose(node, first);
  if (op == "Reshape") return node.input_size() == 2 ? reshape(g, node, first) : std::nullopt;
  if (op == "Unsqueeze" || op == "Squeeze") return change_rank(g, node, first);
  return std::nullopt;
}

} // namespace prof
