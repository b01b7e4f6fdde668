// random_graph.hpp: graphs made of the patterns that passes look for, each with knobs that break it, drawn
// from bytes. The property test runs them in the engine, the fuzz target lets libFuzzer choose the bytes.
#pragma once
#include <array>
#include <cstdint>
#include <onnx/onnx_pb.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace prof::test {

// Bytes in, choices out; zeros when they run out.
class Choices {
public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool is_empty() const { return at_ >= bytes_.size(); }
  std::uint8_t byte() { return is_empty() ? std::uint8_t{0} : bytes_[at_++]; }
  int below(int n) { return byte() % n; }
  bool one_in(int n) { return below(n) == 1; }

private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

class RandomGraph {
public:
  using Dims = std::vector<std::int64_t>;
  struct Value {
    std::string name;
    Dims dims; // the first of the input's is free, which 0 stands for
  };

  explicit RandomGraph(std::span<const std::uint8_t> bytes) : pick_(bytes) {}

  onnx::ModelProto make() {
    model_.set_ir_version(8);
    auto* set = model_.add_opset_import();
    set->set_version(13 + pick_.below(5));
    graph_ = model_.mutable_graph();
    graph_->set_name("random");
    const Dims dims = pick_.one_in(3) ? Dims{0, 5, 8} : Dims{0, 4, 6, 8};
    declare(*graph_->add_input(), "x", dims);
    values_.push_back({"x", dims});
    const int fragments = 1 + pick_.below(6);
    for (int k = 0; k < fragments; ++k)
      fragment();
    if (pick_.one_in(3)) add_output(any());
    add_output(values_.back());
    return std::move(model_);
  }

private:
  static void declare(onnx::ValueInfoProto& info, const std::string& name, const Dims& dims) {
    info.set_name(name);
    auto* type = info.mutable_type()->mutable_tensor_type();
    type->set_elem_type(onnx::TensorProto::FLOAT);
    type->mutable_shape();
    for (const std::int64_t d : dims) {
      auto* dim = type->mutable_shape()->add_dim();
      if (d == 0) dim->set_dim_param("N");
      if (d > 0) dim->set_dim_value(d);
    }
  }
  std::string name() { return "v" + std::to_string(next_++); }
  Value any() { return values_[static_cast<std::size_t>(pick_.below(static_cast<int>(values_.size())))]; }

  onnx::NodeProto& node(const std::string& op, const std::vector<std::string>& inputs) {
    auto* n = graph_->add_node();
    n->set_op_type(op);
    for (const auto& input : inputs)
      n->add_input(input);
    n->add_output(name());
    n->set_name(n->output(0) + "_node");
    return *n;
  }
  static void ints(onnx::NodeProto& n, const char* key, const Dims& list) {
    auto* a = n.add_attribute();
    a->set_name(key);
    a->set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t v : list)
      a->add_ints(v);
  }
  static void integer(onnx::NodeProto& n, const char* key, std::int64_t v) {
    auto* a = n.add_attribute();
    a->set_name(key);
    a->set_type(onnx::AttributeProto::INT);
    a->set_i(v);
  }
  // A node over values of one rank, in either order when it commutes; sometimes an output of the graph too.
  std::string op(const std::string& type, std::string a, std::string b = {}) {
    if ((type == "Add" || type == "Mul") && pick_.one_in(2)) std::swap(a, b);
    const std::string out = node(type, b.empty() ? std::vector{a} : std::vector{a, b}).output(0);
    if (pick_.one_in(24)) {
      declare(*graph_->add_output(), out, Dims(rank_, -1));
    }
    return out;
  }
  void tensor(const std::string& name, onnx::TensorProto t, bool may_be_literal) {
    t.set_name(name);
    if (may_be_literal && pick_.one_in(2)) {
      auto* n = graph_->add_node();
      n->set_op_type("Constant");
      n->add_output(name);
      auto* a = n->add_attribute();
      a->set_name("value");
      a->set_type(onnx::AttributeProto::TENSOR);
      *a->mutable_t() = std::move(t);
      return;
    }
    // An initialiser that is an input as well is only a default.
    if (pick_.one_in(16) && t.data_type() == onnx::TensorProto::FLOAT)
      declare(*graph_->add_input(), name, Dims(t.dims().begin(), t.dims().end()));
    *graph_->add_initializer() = std::move(t);
  }
  std::string number(float v) {
    onnx::TensorProto t;
    t.set_data_type(onnx::TensorProto::FLOAT);
    const int rank = std::array{0, 0, 0, 1, 1, 3}[static_cast<std::size_t>(pick_.below(6))];
    for (int k = 0; k < rank; ++k)
      t.add_dims(1);
    t.add_float_data(pick_.one_in(20) ? v * 1.5F : v);
    const std::string id = name();
    tensor(id, std::move(t), true);
    return id;
  }
  std::string weight(const Dims& dims) {
    onnx::TensorProto t;
    t.set_data_type(onnx::TensorProto::FLOAT);
    std::int64_t count = 1;
    for (const std::int64_t d : dims) {
      t.add_dims(d);
      count *= d;
    }
    for (std::int64_t i = 0; i < count; ++i)
      t.add_float_data(0.1F + 0.07F * static_cast<float>((i * 7 + 3) % 11) -
                       0.02F * static_cast<float>(i % 3));
    const std::string id = name();
    tensor(id, std::move(t), false);
    return id;
  }
  std::string list(const Dims& numbers) {
    onnx::TensorProto t;
    t.set_data_type(onnx::TensorProto::INT64);
    t.add_dims(static_cast<std::int64_t>(numbers.size()));
    for (const std::int64_t v : numbers)
      t.add_int64_data(v);
    const std::string id = name();
    tensor(id, std::move(t), true);
    return id;
  }
  void add_output(const Value& v) {
    for (const auto& output : graph_->output())
      if (output.name() == v.name) return;
    rank_ = v.dims.size();
    if (v.name == "x") return add_output({op("Neg", v.name), v.dims});
    declare(*graph_->add_output(), v.name, Dims(v.dims.size(), -1));
  }
  void keep(const std::string& made, const Dims& dims) { values_.push_back({made, dims}); }

  std::string mean(const std::string& v, std::int64_t axis) {
    auto& n = node("ReduceMean", {v});
    ints(n, "axes", {axis});
    integer(n, "keepdims", 1);
    return n.output(0);
  }
  std::string square(const std::string& v) {
    return pick_.one_in(2) ? op("Mul", v, v) : op("Pow", v, number(2));
  }
  void layer_norm(const Value& v) {
    const std::int64_t axis = pick_.one_in(8) ? 1 : pick_.one_in(2) ? std::ssize(v.dims) - 1 : -1;
    const std::string d = op("Sub", v.name, mean(v.name, axis));
    const std::string root = op("Sqrt", op("Add", mean(square(d), axis), number(0.01F)));
    std::string y = op("Div", d, root);
    if (pick_.one_in(2)) y = op("Mul", y, weight({v.dims.back()}));
    if (pick_.one_in(2)) y = op("Add", y, weight({v.dims.back()}));
    keep(y, v.dims);
  }
  void rms_norm(const Value& v) {
    const std::string root = op("Sqrt", op("Add", mean(square(v.name), -1), number(0.01F)));
    std::string y = pick_.one_in(2)   ? op("Div", v.name, root)
                    : pick_.one_in(2) ? op("Mul", v.name, op("Reciprocal", root))
                                      : op("Mul", v.name, op("Div", number(1), root));
    if (pick_.one_in(2)) y = op("Mul", y, weight({v.dims.back()}));
    keep(y, v.dims);
  }
  void gelu(const Value& v) {
    const std::string& x = v.name;
    std::string gate;
    if (pick_.one_in(2)) {
      const std::string cube = pick_.one_in(2) ? op("Pow", x, number(3)) : op("Mul", x, op("Mul", x, x));
      const std::string sum = op("Add", x, op("Mul", number(0.044715F), cube));
      gate = op("Tanh", op("Mul", number(0.79788456F), sum));
    } else {
      gate =
          op("Erf", pick_.one_in(2) ? op("Div", x, number(1.41421356F)) : op("Mul", x, number(0.70710678F)));
    }
    gate = op("Add", gate, number(1));
    const int order = pick_.below(3);
    keep(order == 0   ? op("Mul", number(0.5F), op("Mul", x, gate))
         : order == 1 ? op("Mul", op("Mul", number(0.5F), x), gate)
                      : op("Mul", x, op("Mul", number(0.5F), gate)),
         v.dims);
  }
  void silu(const Value& v) {
    const Value other = any();
    const std::string in = pick_.one_in(2) ? v.name : op("Mul", v.name, number(1.702F));
    const bool is_other = pick_.one_in(8) && other.dims == v.dims;
    keep(op("Mul", is_other ? other.name : v.name, op("Sigmoid", in)), v.dims);
  }
  void hard_swish(const Value& v) {
    const std::string sum = op("Add", v.name, number(3));
    const std::string gate = node("Clip", {sum, scalar(0), scalar(pick_.one_in(8) ? 5.0F : 6.0F)}).output(0);
    if (pick_.one_in(2))
      keep(op("Div", op("Mul", v.name, gate), number(6)), v.dims);
    else
      keep(
          op("Mul", v.name, pick_.one_in(2) ? op("Div", gate, number(6)) : op("Mul", gate, number(1.0F / 6))),
          v.dims);
  }
  std::string scalar(float v) {
    onnx::TensorProto t;
    t.set_data_type(onnx::TensorProto::FLOAT);
    t.add_float_data(v);
    const std::string id = name();
    tensor(id, std::move(t), true);
    return id;
  }
  Value transposed(const Value& v, const Dims& perm) {
    auto& n = node("Transpose", {v.name});
    ints(n, "perm", perm);
    Dims dims;
    for (const std::int64_t axis : perm)
      dims.push_back(v.dims[static_cast<std::size_t>(axis)]);
    return {n.output(0), dims};
  }
  // There and back again, with operators on the way and a Concat now and then.
  void layout(const Value& v) {
    if (v.dims.size() != 4) return;
    const Dims to = pick_.one_in(4) ? Dims{0, 3, 2, 1} : Dims{0, 2, 3, 1};
    const Dims back = pick_.one_in(4) ? Dims{0, 2, 3, 1} : to[1] == 3 ? Dims{0, 3, 2, 1} : Dims{0, 3, 1, 2};
    Value t = transposed(v, to);
    for (int k = pick_.below(4); k > 0; --k) {
      const int what = pick_.below(5);
      if (what == 0) t.name = op("Sigmoid", t.name);
      if (what == 1 && t.dims.back() > 0) t.name = op("Add", t.name, weight({t.dims.back()}));
      if (what == 2) t.name = op("Mul", t.name, transposed(v, to).name);
      if (what == 3) t.name = op("Mul", t.name, number(0.5F));
      if (what == 4) {
        auto& n = node("Concat", {t.name, transposed(v, to).name});
        integer(n, "axis", pick_.one_in(2) ? -1 : 3);
        t = {n.output(0), t.dims};
        t.dims[3] = -1; // doubled at run time: whoever looks at the size leaves it alone
      }
    }
    const Value out = transposed(t, back);
    bool is_known = true;
    for (const std::int64_t d : out.dims)
      is_known = is_known && d >= 0;
    if (is_known && out.dims == v.dims)
      values_.push_back(out);
    else
      add_output(out);
  }
  std::string reshaped(const std::string& v, const std::string& target) {
    return node("Reshape", {v, target}).output(0);
  }
  void reshape(const Value& v) {
    std::int64_t rest = 1;
    for (std::size_t k = 1; k < v.dims.size(); ++k)
      rest *= v.dims[k];
    std::string target;
    if (pick_.one_in(2)) {
      auto& size = node("Gather", {node("Shape", {v.name}).output(0), list({0})});
      auto& all = node("Concat", {size.output(0), list({pick_.one_in(2) ? -1 : rest})});
      integer(all, "axis", 0);
      target = all.output(0);
    } else {
      target = list({pick_.one_in(2) ? 0 : -1, rest});
    }
    std::string flat = reshaped(v.name, target);
    if (pick_.one_in(2)) flat = reshaped(flat, list({0, 2, rest / 2}));
    Dims again = v.dims;
    again[0] = pick_.one_in(2) ? -1 : 0;
    if (again[0] == 0 && pick_.one_in(3)) again[1] = -1;
    keep(reshaped(flat, list(again)), v.dims);
  }
  void conv(const Value& v) {
    if (v.dims.size() != 4) return;
    const std::int64_t c = v.dims[1];
    std::vector<std::string> inputs{v.name, weight({c, c, 1, 1})};
    if (pick_.one_in(2)) inputs.push_back(weight({c}));
    std::string y = node("Conv", inputs).output(0);
    const int what = pick_.below(4);
    if (what == 0)
      y = node("BatchNormalization", {y, weight({c}), weight({c}), weight({c}), weight({c})}).output(0);
    if (what == 1) y = op("Mul", y, pick_.one_in(2) ? number(0.7F) : weight({c, 1, 1}));
    if (what == 2) y = op("Add", y, weight(pick_.one_in(4) ? Dims{v.dims[3]} : Dims{1, c, 1, 1}));
    keep(y, v.dims);
  }
  void attention(const Value& v) {
    if (v.dims.size() != 4) return;
    const Dims heads{0, 2, 1, 3};
    const Value q = transposed(v, heads), k = transposed(v, pick_.one_in(8) ? heads : Dims{0, 2, 3, 1});
    if (k.dims != q.dims && k.dims[2] == q.dims[3]) {
      std::string scores = op("MatMul", pick_.one_in(2) ? op("Mul", q.name, number(0.5F)) : q.name, k.name);
      if (pick_.one_in(2)) scores = op("Div", scores, number(2));
      auto& soft = node("Softmax", {scores});
      integer(soft, "axis", pick_.one_in(8) ? 2 : -1);
      const std::string out = op("MatMul", soft.output(0), transposed(v, heads).name);
      keep(transposed({out, q.dims}, heads).name, v.dims);
    }
  }
  // A branch that reads a value of the graph around it by its name.
  void branch(const Value& v) {
    onnx::TensorProto truth;
    truth.set_data_type(onnx::TensorProto::BOOL);
    truth.add_int32_data(pick_.below(2));
    const std::string condition = name();
    truth.set_name(condition);
    *graph_->add_initializer() = std::move(truth);
    auto& n = node("If", {condition});
    for (const auto& [key, type] : {std::pair{"then_branch", "Relu"}, std::pair{"else_branch", "Neg"}}) {
      auto* a = n.add_attribute();
      a->set_name(key);
      a->set_type(onnx::AttributeProto::GRAPH);
      auto* body = a->mutable_g();
      body->set_name(key);
      auto* inner = body->add_node();
      inner->set_op_type(type);
      inner->add_input(v.name);
      inner->add_output(n.output(0) + key);
      declare(*body->add_output(), n.output(0) + key, Dims(v.dims.size(), -1));
    }
    keep(n.output(0), v.dims);
  }
  void fragment() {
    const Value v = pick_.one_in(2) ? values_.back() : any();
    rank_ = v.dims.size();
    switch (pick_.below(12)) {
    case 0:
      return layer_norm(v);
    case 1:
      return rms_norm(v);
    case 2:
      return gelu(v);
    case 3:
      return silu(v);
    case 4:
      return hard_swish(v);
    case 5:
      return layout(v);
    case 6:
      return reshape(v);
    case 7:
      return conv(v);
    case 8:
      return attention(v);
    case 9:
      return branch(v);
    case 10:
      return keep(op("Identity", v.name), v.dims);
    default:
      return keep(op("Tanh", op("Add", v.name, op("Mul", number(2), number(0.5F)))), v.dims);
    }
  }

  Choices pick_;
  onnx::ModelProto model_;
  onnx::GraphProto* graph_ = nullptr;
  std::vector<Value> values_;
  std::size_t rank_ = 0; // of the values of the fragment at hand
  int next_ = 0;
};

} // namespace prof::test
