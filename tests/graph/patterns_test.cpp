// Every pattern, written in every way that means the same (it is fused) and in every way that does not (it
// stays).
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

using test::only;
using test::ops;
using Counts = std::map<std::string, int>;

struct Pattern {
  std::string name;
  std::string pass;
  std::string text;                // between inputs and "y"; literals as Constant nodes
  Counts fused;                    // after the pass
  std::vector<std::string> out;    // values that somebody else may read
  std::vector<std::string> bounds; // literals whose rank is fixed
};

void PrintTo(const Pattern& p, std::ostream* os) {
  *os << p.name;
}

std::vector<Pattern> patterns() {
  return {
      {"layer_norm",
       "layer_norm",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        two = Constant<value = float {2.0}>()
        eps = Constant<value = float {0.001}>()
        m = ReduceMean<axes = [-1]>(x)
        d = Sub(x, m)
        s = Pow(d, two)
        v = ReduceMean<axes = [2]>(s)
        ve = Add(v, eps)
        r = Sqrt(ve)
        y = Div(d, r)
      })",
       {{"InstanceNormalization", 1}},
       {},
       {}},
      {"layer_norm_that_subtracts_twice",
       "layer_norm",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        eps = Constant<value = float {0.001}>()
        m = ReduceMean<axes = [-1]>(x)
        d = Sub(x, m)
        e = Sub(x, m)
        s = Mul(e, e)
        v = ReduceMean<axes = [-1]>(s)
        ve = Add(v, eps)
        r = Sqrt(ve)
        y = Div(d, r)
      })",
       {{"InstanceNormalization", 1}},
       {},
       {}},
      {"rms_norm_of_torch",
       "rms_norm",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        two = Constant<value = float {2.0}>()
        eps = Constant<value = float {0.001}>()
        one = Constant<value = float {1.0}>()
        s = Pow(x, two)
        v = ReduceMean<axes = [-1]>(s)
        ve = Add(v, eps)
        r = Sqrt(ve)
        i = Div(one, r)
        y = Mul(x, i)
      })",
       {{"SimplifiedLayerNormalization", 1}},
       {},
       {}},
      {"rms_norm_by_quotient",
       "rms_norm",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        eps = Constant<value = float {0.001}>()
        s = Mul(x, x)
        v = ReduceMean<axes = [-1]>(s)
        ve = Add(v, eps)
        r = Sqrt(ve)
        y = Div(x, r)
      })",
       {{"SimplifiedLayerNormalization", 1}},
       {},
       {}},
      {"rms_norm_by_reciprocal",
       "rms_norm",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        eps = Constant<value = float {0.001}>()
        s = Mul(x, x)
        v = ReduceMean<axes = [-1]>(s)
        ve = Add(v, eps)
        r = Sqrt(ve)
        i = Reciprocal(r)
        y = Mul(x, i)
      })",
       {{"SimplifiedLayerNormalization", 1}},
       {},
       {}},
      {"gelu_tanh",
       "gelu",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        k = Constant<value = float {0.044715}>()
        b = Constant<value = float {0.7978845608}>()
        one = Constant<value = float {1.0}>()
        half = Constant<value = float {0.5}>()
        square = Mul(x, x)
        cube = Mul(x, square)
        kc = Mul(k, cube)
        sum = Add(x, kc)
        inner = Mul(b, sum)
        t = Tanh(inner)
        gate = Add(one, t)
        xg = Mul(x, gate)
        y = Mul(half, xg)
      })",
       {{"FastGelu", 1}},
       {},
       {}},
      {"gelu_tanh_by_power",
       "gelu",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        k = Constant<value = float {0.044715}>()
        b = Constant<value = float {0.7978845608}>()
        one = Constant<value = float {1.0}>()
        half = Constant<value = float {0.5}>()
        three = Constant<value = float {3.0}>()
        cube = Pow(x, three)
        kc = Mul(k, cube)
        sum = Add(x, kc)
        inner = Mul(b, sum)
        t = Tanh(inner)
        gate = Add(one, t)
        xh = Mul(x, half)
        y = Mul(xh, gate)
      })",
       {{"FastGelu", 1}},
       {},
       {}},
      {"gelu_erf",
       "gelu",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        root = Constant<value = float {1.41421356}>()
        one = Constant<value = float {1.0}>()
        half = Constant<value = float {0.5}>()
        s = Div(x, root)
        e = Erf(s)
        gate = Add(e, one)
        gh = Mul(gate, half)
        y = Mul(x, gh)
      })",
       {{"Gelu", 1}},
       {},
       {}},
      {"gelu_erf_by_product",
       "gelu",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        root = Constant<value = float {0.70710678}>()
        one = Constant<value = float {1.0}>()
        half = Constant<value = float {0.5}>()
        s = Mul(x, root)
        e = Erf(s)
        gate = Add(e, one)
        xg = Mul(x, gate)
        y = Mul(xg, half)
      })",
       {{"Gelu", 1}},
       {},
       {}},
      {"silu",
       "silu",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        gate = Sigmoid(x)
        y = Mul(x, gate)
      })",
       {{"QuickGelu", 1}},
       {},
       {}},
      {"quick_gelu",
       "silu",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        a = Constant<value = float {1.702}>()
        ax = Mul(a, x)
        gate = Sigmoid(ax)
        y = Mul(x, gate)
      })",
       {{"QuickGelu", 1}},
       {},
       {}},
      {"hard_swish_of_paddle",
       "hard_swish",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        three = Constant<value = float {3.0}>()
        low = Constant<value = float {0.0}>()
        high = Constant<value = float {6.0}>()
        six = Constant<value = float {6.0}>()
        s = Add(x, three)
        c = Clip(s, low, high)
        p = Mul(x, c)
        y = Div(p, six)
      })",
       {{"HardSigmoid", 1}, {"Mul", 1}},
       {},
       {"low", "high"}},
      {"hard_swish_of_torch",
       "hard_swish",
       R"(g (float[N, 5, 8] x) => (float[N, 5, 8] y) {
        three = Constant<value = float {3.0}>()
        low = Constant<value = float {0.0}>()
        high = Constant<value = float {6.0}>()
        sixth = Constant<value = float {0.16666667}>()
        s = Add(x, three)
        c = Clip(s, low, high)
        p = Mul(c, sixth)
        y = Mul(x, p)
      })",
       {{"HardSigmoid", 1}, {"Mul", 1}},
       {},
       {"low", "high"}},
      {"attention",
       "attention",
       R"(g (float[N, 7, 3, 4] x, float[N, 9, 3, 4] k, float[N, 9, 3, 4] v) => (float[N, 7, 3, 4] y) {
        s = Constant<value = float {0.70710678}>()
        qt = Transpose<perm = [0, 2, 1, 3]>(x)
        kt = Transpose<perm = [0, 2, 1, 3]>(k)
        vt = Transpose<perm = [0, 2, 1, 3]>(v)
        kk = Transpose<perm = [0, 1, 3, 2]>(kt)
        qs = Mul(qt, s)
        ks = Mul(kk, s)
        scores = MatMul(qs, ks)
        p = Softmax<axis = -1>(scores)
        o = MatMul(p, vt)
        y = Transpose<perm = [0, 2, 1, 3]>(o)
      })",
       {{"MultiHeadAttention", 1}, {"Reshape", 4}},
       {},
       {}},
      {"group_norm_of_keras",
       "group_norm_layout",
       R"(g (float[N, 8, 6, 5] x) => (float[N, 6, 5, 8] y) {
        into = Constant<value = int64[5] {0, 6, 5, 4, 2}>()
        back = Constant<value = int64[4] {0, 6, 5, 8}>()
        eps = Constant<value = float {0.001}>()
        gamma = Constant<value = float[1, 1, 1, 4, 2] {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}>()
        beta = Constant<value = float[1, 1, 1, 4, 2] {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}>()
        t = Transpose<perm = [0, 2, 3, 1]>(x)
        grouped = Reshape(t, into)
        mean = ReduceMean<axes = [1, 2, 4], keepdims = 1>(grouped)
        delta = Sub(grouped, mean)
        sq = Mul(delta, delta)
        var = ReduceMean<axes = [1, 2, 4], keepdims = 1>(sq)
        ve = Add(var, eps)
        root = Sqrt(ve)
        inv0 = Reciprocal(root)
        inv = Mul(inv0, gamma)
        a = Mul(grouped, inv)
        mi = Mul(mean, inv)
        b = Sub(beta, mi)
        n = Add(a, b)
        y = Reshape(n, back)
      })",
       {{"Reshape", 2}, {"InstanceNormalization", 1}, {"Mul", 1}, {"Add", 1}, {"Transpose", 1}},
       {"t"},
       {"into", "back", "gamma", "beta"}},
  };
}

class Patterns : public testing::TestWithParam<Pattern> {
protected:
  [[nodiscard]] onnx::ModelProto model() const { return test::parse(GetParam().text); }
  // The operators after the pass.
  [[nodiscard]] Counts after(const onnx::ModelProto& m) const {
    return ops(only(m, {GetParam().pass}).model);
  }
  // Not rewritten, and still right.
  void expect_untouched(const onnx::ModelProto& m, const std::string& what) const {
    Counts expected = ops(m);
    expected.erase("Constant");
    const auto result = only(m, {GetParam().pass});
    EXPECT_EQ(ops(result.model), expected) << what;
    EXPECT_EQ(result.changes.at(0).count, 0) << what;
  }
  // The values that only the pattern reads.
  [[nodiscard]] std::vector<std::string> inner_values() const {
    std::vector<std::string> names;
    const auto m = model();
    for (const auto& node : m.graph().node())
      if (node.op_type() != "Constant" && node.output(0) != "y" &&
          std::ranges::find(GetParam().out, node.output(0)) == GetParam().out.end())
        names.push_back(node.output(0));
    return names;
  }
};

TEST_P(Patterns, as_written_is_fused_and_computes_the_same) {
  const auto given = model();
  ASSERT_GT(given.graph().node_size(), 0) << "the text does not parse";
  const auto result = only(given, {GetParam().pass});
  EXPECT_EQ(ops(result.model), GetParam().fused);
  EXPECT_EQ(result.model.graph().output(0).name(), "y");
  EXPECT_SAME_OUTPUTS(given, result.model);
}

TEST_P(Patterns, constants_may_be_initialisers) {
  auto given = model();
  test::lift_literals(given);
  EXPECT_EQ(ops(given).count("Constant"), 0U);
  EXPECT_EQ(after(given), GetParam().fused);
}

TEST_P(Patterns, operands_of_sums_and_products_may_come_in_any_order) {
  auto given = model();
  for (auto& node : *given.mutable_graph()->mutable_node())
    if (node.op_type() == "Add" || node.op_type() == "Mul") node.mutable_input()->SwapElements(0, 1);
  const auto result = only(given, {GetParam().pass});
  EXPECT_EQ(ops(result.model), GetParam().fused);
  EXPECT_SAME_OUTPUTS(given, result.model);
}

TEST_P(Patterns, single_numbers_may_be_vectors_of_one) {
  auto given = model();
  for (auto& node : *given.mutable_graph()->mutable_node())
    if (node.op_type() == "Constant" && node.attribute(0).t().dims_size() == 0 &&
        std::ranges::find(GetParam().bounds, node.output(0)) == GetParam().bounds.end())
      node.mutable_attribute(0)->mutable_t()->add_dims(1);
  const auto result = only(given, {GetParam().pass});
  EXPECT_EQ(ops(result.model), GetParam().fused);
  EXPECT_SAME_OUTPUTS(given, result.model);
}

TEST_P(Patterns, value_on_the_way_that_is_an_output_stays_and_so_does_the_pattern) {
  for (const std::string& value : inner_values()) {
    auto given = model();
    test::add_output(given, value);
    expect_untouched(given, value);
  }
}

TEST_P(Patterns, value_on_the_way_that_somebody_else_reads_stays_and_so_does_the_pattern) {
  for (const std::string& value : inner_values()) {
    auto given = model();
    auto* reader = given.mutable_graph()->add_node();
    reader->set_op_type("Neg");
    reader->add_input(value);
    reader->add_output("other");
    test::add_output(given, "other");
    expect_untouched(given, value);
  }
}

TEST_P(Patterns, value_on_the_way_that_a_nested_graph_reads_stays_and_so_does_the_pattern) {
  const auto branches = test::parse(R"(g (float[N] x, bool condition) => (float[N] z) {
    z = If<then_branch = th () => (float[N] th_out) { th_out = Relu(WHICH) },
           else_branch = el () => (float[N] el_out) { el_out = Neg(x) }>(condition)
  })");
  ASSERT_GT(branches.graph().node_size(), 0);
  for (const std::string& value : inner_values()) {
    auto given = model();
    *given.mutable_graph()->add_input() = branches.graph().input(1);
    auto* node = given.mutable_graph()->add_node();
    *node = branches.graph().node(0);
    for (auto& a : *node->mutable_attribute()) {
      if (a.name() == "then_branch") a.mutable_g()->mutable_node(0)->set_input(0, value);
      for (auto& output : *a.mutable_g()->mutable_output())
        output.mutable_type()->mutable_tensor_type()->clear_shape();
    }
    test::add_output(given, "z");
    expect_untouched(given, value);
  }
}

// An initialiser that is an input as well is only a default: a caller may bring another number.
TEST_P(Patterns, number_that_a_caller_may_replace_is_no_constant) {
  auto lifted = model();
  test::lift_literals(lifted);
  for (const auto& tensor : lifted.graph().initializer()) {
    auto given = lifted;
    auto* input = given.mutable_graph()->add_input();
    input->set_name(tensor.name());
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(tensor.data_type());
    type->mutable_shape();
    for (const std::int64_t d : tensor.dims())
      type->mutable_shape()->add_dim()->set_dim_value(d);
    // The scale of attention may be anything: it only stays where it is. What the target of the last Reshape
    // of a group norm comes to, the declared shape of the output says as well.
    if (GetParam().pass == "attention" || tensor.name() == "back") continue;
    expect_untouched(given, tensor.name());
  }
}

// [1, 1, 1, 1, 1, 1] spreads over x and makes the result six-dimensional; one operator over x would not.
TEST_P(Patterns, number_of_a_higher_rank_raises_the_result_and_is_not_swallowed) {
  if (GetParam().pass == "attention") return; // its last Transpose takes four dimensions only
  const auto given = model();
  for (int n = 0; n < given.graph().node_size(); ++n) {
    const auto& node = given.graph().node(n);
    if (node.op_type() != "Constant" ||
        std::ranges::find(GetParam().bounds, node.output(0)) != GetParam().bounds.end())
      continue;
    auto raised = given;
    for (int k = 0; k < 6; ++k)
      raised.mutable_graph()->mutable_node(n)->mutable_attribute(0)->mutable_t()->add_dims(1);
    for (auto& output : *raised.mutable_graph()->mutable_output())
      output.mutable_type()->mutable_tensor_type()->clear_shape();
    expect_untouched(raised, node.output(0));
  }
}

TEST_P(Patterns, not_a_number_is_near_no_number) {
  const auto given = model();
  for (int n = 0; n < given.graph().node_size(); ++n) {
    if (given.graph().node(n).op_type() != "Constant") continue;
    auto strange = given;
    auto* tensor = strange.mutable_graph()->mutable_node(n)->mutable_attribute(0)->mutable_t();
    if (tensor->float_data_size() != 1) continue;
    tensor->set_float_data(0, std::nanf(""));
    // Of x * sigmoid(NaN x) both forms are NaN.
    if (GetParam().name == "quick_gelu") continue;
    expect_untouched(strange, given.graph().node(n).output(0));
  }
}

TEST_P(Patterns, number_next_to_the_right_one_is_another_function) {
  if (GetParam().pass == "attention" || GetParam().name == "quick_gelu") return; // any factor will do
  const auto given = model();
  for (int n = 0; n < given.graph().node_size(); ++n) {
    auto changed = given;
    auto* node = changed.mutable_graph()->mutable_node(n);
    if (node->op_type() != "Constant" || node->output(0) == "eps" ||
        node->attribute(0).t().float_data_size() != 1)
      continue;
    auto* tensor = node->mutable_attribute(0)->mutable_t();
    tensor->set_float_data(0, tensor->float_data(0) + 0.01F);
    expect_untouched(changed, node->output(0));
  }
}

TEST_P(Patterns, operator_of_another_domain_is_another_operator) {
  const auto given = model();
  for (int n = 0; n < given.graph().node_size(); ++n) {
    auto changed = given;
    auto* node = changed.mutable_graph()->mutable_node(n);
    if (node->op_type() == "Constant" ||
        std::ranges::find(GetParam().out, node->output(0)) != GetParam().out.end())
      continue;
    node->set_domain("somebody.else");
    expect_untouched(changed, node->output(0));
  }
}

TEST_P(Patterns, double_precision_is_left_alone) {
  expect_untouched(test::parse(test::with_all(GetParam().text, "float", "double")), "double");
}

// Where ranks are not known, a number may be swallowed only when it has none.
TEST_P(Patterns, input_of_unknown_rank_is_left_alone_unless_no_number_could_raise_it) {
  if (GetParam().pass == "group_norm_layout") return; // its first Transpose says the rank
  auto given = model();
  for (auto& input : *given.mutable_graph()->mutable_input())
    input.mutable_type()->mutable_tensor_type()->clear_shape();
  for (auto& output : *given.mutable_graph()->mutable_output())
    output.mutable_type()->mutable_tensor_type()->clear_shape();
  const bool is_elementwise =
      GetParam().pass == "gelu" || GetParam().pass == "silu" || GetParam().pass == "hard_swish";
  if (!is_elementwise) return expect_untouched(given, "rank");
  EXPECT_EQ(after(given), GetParam().fused);
  int vectors = 0;
  for (auto& node : *given.mutable_graph()->mutable_node())
    if (node.op_type() == "Constant" &&
        std::ranges::find(GetParam().bounds, node.output(0)) == GetParam().bounds.end()) {
      node.mutable_attribute(0)->mutable_t()->add_dims(1);
      ++vectors;
    }
  if (vectors > 0) expect_untouched(given, "vectors of one");
}

TEST_P(Patterns, declared_shape_of_the_output_is_not_believed) {
  auto given = model();
  auto* shape =
      given.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->clear_dim();
  shape->add_dim()->set_dim_value(3);
  EXPECT_EQ(after(given), GetParam().fused);
}

TEST_P(Patterns, after_one_conversion_there_is_nothing_left_to_do) {
  const auto once = optimise(model(), {});
  ASSERT_TRUE(once.ok());
  const auto read = parse_model(once->model.SerializeAsString());
  ASSERT_TRUE(read.ok()) << read.error().what;
  const auto twice = optimise(*read, {});
  ASSERT_TRUE(twice.ok());
  for (const PassChange& change : twice->changes)
    EXPECT_EQ(change.count, 0) << change.pass->id;
}

INSTANTIATE_TEST_SUITE_P(All, Patterns, testing::ValuesIn(patterns()),
                         [](const auto& instance) { return instance.param.name; });

} // namespace
} // namespace prof
