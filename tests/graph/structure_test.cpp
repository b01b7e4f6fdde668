// The passes that move and merge (layout, reshapes, identities, convolutions) where they must and must not,
// the layout of the border, and the proof.
#include "graph/border.hpp"
#include "graph/element.hpp"
#include "make.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace prof {
namespace {

using test::only;
using test::ops;
using Counts = std::map<std::string, int>;

// --- layout

// Between two Transposes that undo each other.
onnx::ModelProto pair_around(const std::string& middle, const char* back = "[0, 3, 1, 2]") {
  return test::parse("g (float[N, 4, 6, 5] x, float[N, 4, 6, 5] z) => (float[N, A, B, C] y) { "
                     "a = Transpose<perm = [0, 2, 3, 1]>(x) " +
                     middle + " y = Transpose<perm = " + back + ">(b) }");
}

TEST(LayoutPass, every_elementwise_operator_lets_a_transpose_pass) {
  for (const char* op : {"Sigmoid", "Tanh", "Relu", "Erf", "Exp", "Neg", "Abs", "LeakyRelu", "Elu",
                         "Softplus", "HardSwish", "HardSigmoid", "Identity", "Reciprocal"}) {
    const auto model = pair_around(std::string("b = ") + op + "(a)");
    const auto result = only(model, {"layout"});
    EXPECT_EQ(ops(result.model), (Counts{{op, 1}})) << op;
    EXPECT_SAME_OUTPUTS(model, result.model);
  }
}

TEST(LayoutPass, operators_that_know_their_axes_do_not) {
  for (const char* op :
       {"Softmax", "LogSoftmax", "Flatten", "ReduceSum", "CumSum", "GlobalAveragePool", "Hardmax"}) {
    const auto model = pair_around(std::string("b = ") + op + "(a)");
    ASSERT_GT(model.graph().node_size(), 0) << op;
    EXPECT_EQ(ops(only(model, {"layout"}).model).at("Transpose"), 2) << op;
  }
}

TEST(LayoutPass, attributes_move_with_their_operator) {
  const auto model = pair_around("b = LeakyRelu<alpha = 0.3>(a)");
  const auto result = only(model, {"layout"});
  EXPECT_FLOAT_EQ(attribute(result.model.graph().node(0), "alpha")->f(), 0.3F);
  EXPECT_SAME_OUTPUTS(model, result.model);
}

TEST(LayoutPass, types_may_change_on_the_way) {
  const auto model = test::parse(R"(g (float[N, 4, 6, 5] x) => (float16[N, 4, 6, 5] y) {
    a = Transpose<perm = [0, 2, 3, 1]>(x)
    b = Cast<to = 10>(a)
    y = Transpose<perm = [0, 3, 1, 2]>(b)
  })");
  const auto result = only(model, {"layout"});
  EXPECT_EQ(ops(result.model), (Counts{{"Cast", 1}}));
  EXPECT_SAME_OUTPUTS(model, result.model);
}

TEST(LayoutPass, half_and_double_precision_move_as_well) {
  for (const char* type : {"float16", "double"}) {
    const auto model =
        test::parse(std::string("g (") + type + "[N, 4, 6, 5] x) => (" + type + R"([N, 4, 6, 5] y) {
      a = Transpose<perm = [0, 2, 3, 1]>(x)
      b = Relu(a)
      y = Transpose<perm = [0, 3, 1, 2]>(b)
    })");
    const auto result = only(model, {"layout"});
    EXPECT_EQ(ops(result.model), (Counts{{"Relu", 1}})) << type;
    EXPECT_SAME_OUTPUTS(model, result.model);
  }
}

TEST(LayoutPass, clip_keeps_its_bounds) {
  auto model = pair_around(
      "low = Constant<value = float {-0.5}>() high = Constant<value = float {0.5}>() b = Clip(a, low, high)");
  const auto result = only(model, {"layout"});
  EXPECT_EQ(ops(result.model), (Counts{{"Clip", 1}}));
  EXPECT_SAME_OUTPUTS(model, result.model);
}

TEST(LayoutPass, clip_with_an_absent_lower_bound_keeps_its_upper_one) {
  auto model = pair_around("high = Constant<value = float {0.5}>() b = Clip(a, high)");
  model.mutable_graph()->mutable_node(2)->clear_input();
  for (const char* input : {"a", "", "high"})
    model.mutable_graph()->mutable_node(2)->add_input(input);
  const auto result = only(model, {"layout"});
  EXPECT_EQ(ops(result.model), (Counts{{"Clip", 1}}));
  EXPECT_EQ(result.model.graph().node(0).input(1), "");
  EXPECT_SAME_OUTPUTS(model, result.model);
}

TEST(LayoutPass, constants_of_every_rank_are_turned) {
  using Dims = std::vector<std::int64_t>;
  for (const Dims& dims : {Dims{}, Dims{1}, Dims{4}, Dims{5, 4}, Dims{6, 5, 4}, Dims{6, 1, 1},
                           Dims{1, 6, 5, 4}, Dims{1, 1, 5, 1}}) {
    auto model = pair_around("b = Mul(w, a)");
    test::weight(model, "w", dims);
    const auto result = only(model, {"layout"});
    EXPECT_EQ(ops(result.model), (Counts{{"Mul", 1}})) << dims.size();
    EXPECT_SAME_OUTPUTS(model, result.model);
  }
}

TEST(LayoutPass, constant_of_a_higher_rank_stays_in_its_way) {
  auto model = test::parse(R"(g (float[N, 4, 6, 5] x) => (float[A, B, C, D, E] y) {
    a = Transpose<perm = [0, 2, 3, 1]>(x)
    b = Mul(a, w)
    y = Relu(b)
  })");
  test::weight(model, "w", {1, 1, 1, 1, 1});
  EXPECT_EQ(ops(only(model, {"layout"}).model), ops(model));
}

TEST(LayoutPass, operand_of_another_order_stays_in_its_way) {
  const auto model = pair_around("o = Transpose<perm = [0, 3, 2, 1]>(z) q = Transpose<perm = [0, 2, 1, "
                                 "3]>(o) b = Concat<axis = 2>(a, q)");
  const auto result = only(model, {"layout"});
  EXPECT_SAME_OUTPUTS(model, result.model);
}

TEST(LayoutPass, two_turns_that_are_no_inverse_become_one) {
  const auto model = pair_around("b = Relu(a)", "[0, 2, 3, 1]");
  const auto result = only(model, {"layout"});
  EXPECT_EQ(ops(result.model), (Counts{{"Relu", 1}, {"Transpose", 1}}));
  EXPECT_SAME_OUTPUTS(model, result.model);
}

TEST(LayoutPass, permutation_that_is_absent_or_none_is_left_alone) {
  const auto absent =
      test::parse("g (float[N, 4] x) => (float[A, B] y) { a = Transpose(x) b = Relu(a) y = Transpose(b) }");
  EXPECT_EQ(ops(only(absent, {"layout"}).model), ops(absent));
  auto wrong = pair_around("b = Relu(a)");
  for (const std::int64_t axis : {-1, 4, 2}) {
    wrong.mutable_graph()->mutable_node(0)->mutable_attribute(0)->set_ints(0, axis);
    EXPECT_EQ(ops(only(wrong, {"layout"}).model), ops(wrong)) << axis;
  }
}

TEST(LayoutPass, transpose_that_a_branch_reads_stays) {
  const auto model =
      test::parse(R"(g (float[N, 4, 6, 5] x, bool c) => (float[N, 4, 6, 5] y, float[N, 6, 5, 4] z) {
    a = Transpose<perm = [0, 2, 3, 1]>(x)
    b = Relu(a)
    y = Transpose<perm = [0, 3, 1, 2]>(b)
    z = If<then_branch = th () => (float[N, 6, 5, 4] p) { p = Neg(a) }, else_branch = el () => (float[N, 6, 5, 4] q) { q = Exp(a) }>(c)
  })");
  ASSERT_GT(model.graph().node_size(), 0);
  const auto result = only(model, {"layout", "cleanup"});
  EXPECT_EQ(ops(result.model), (Counts{{"Transpose", 1}, {"Relu", 1}, {"If", 1}}));
  EXPECT_SAME_OUTPUTS(model, result.model);
}

// --- reshapes

onnx::ModelProto two_reshapes(const char* first, const char* second) {
  return test::parse(std::string("g (float[N, 4, 6] x) => (float[A, B, C] y) { a = Constant<value = ") +
                     first + ">() b = Constant<value = " + second +
                     ">() h = Reshape(x, a) y = Reshape(h, b) }");
}

TEST(MergeReshapesPass, zero_that_means_another_dimension_now_becomes_a_number) {
  const auto model = two_reshapes("int64[3] {0, 3, 8}", "int64[3] {-1, 0, 4}");
  const auto result = only(model, {"merge_reshapes", "cleanup"});
  ASSERT_EQ(ops(result.model), (Counts{{"Reshape", 1}}));
  EXPECT_SAME_OUTPUTS(model, result.model);
}

TEST(MergeReshapesPass, zero_of_a_dimension_that_is_not_known_keeps_both) {
  const auto free = test::parse(R"(g (float[N, M] x) => (float[A, B] y) {
    a = Constant<value = int64[3] {2, -1, 3}>()
    b = Constant<value = int64[3] {1, 0, -1}>()
    h = Reshape(x, a)
    y = Reshape(h, b)
  })");
  EXPECT_EQ(ops(only(free, {"merge_reshapes"}).model), (Counts{{"Reshape", 2}}));
}

TEST(MergeReshapesPass, reshape_that_changes_nothing_goes) {
  for (const char* target :
       {"int64[3] {0, 4, 6}", "int64[3] {-1, 4, 6}", "int64[3] {0, -1, 6}", "int64[3] {0, 0, 0}"}) {
    const auto model =
        test::parse(std::string("g (float[N, 4, 6] x) => (float[N, 4, 6] y) { a = Constant<value = ") +
                    target + ">() n = Neg(x) h = Reshape(n, a) y = Exp(h) }");
    const auto result = only(model, {"merge_reshapes", "cleanup"});
    EXPECT_EQ(ops(result.model), (Counts{{"Neg", 1}, {"Exp", 1}})) << target;
    EXPECT_SAME_OUTPUTS(model, result.model);
  }
}

TEST(MergeReshapesPass, reshape_of_nothing_may_change_its_other_dimension) {
  const auto model = test::parse("g (float[0, M] x) => (float[A, B] y) { a = Constant<value = int64[2] {0, "
                                 "7}>() n = Neg(x) y = Reshape(n, a) }");
  EXPECT_EQ(ops(only(model, {"merge_reshapes"}).model).at("Reshape"), 1);
}

TEST(MergeReshapesPass, where_zero_means_zero_nothing_is_merged) {
  for (const int which : {2, 3}) {
    auto model = two_reshapes("int64[2] {-1, 24}", "int64[3] {-1, 4, 6}");
    set_attribute(*model.mutable_graph()->mutable_node(which), "allowzero", std::int64_t{1});
    EXPECT_EQ(ops(only(model, {"merge_reshapes"}).model), (Counts{{"Reshape", 2}})) << which;
  }
}

TEST(MergeReshapesPass, first_that_is_an_output_stays_beside_the_second) {
  auto model = two_reshapes("int64[2] {-1, 24}", "int64[3] {-1, 4, 6}");
  test::add_output(model, "h");
  const auto result = only(model, {"merge_reshapes", "cleanup"});
  EXPECT_EQ(ops(result.model).at("Reshape"), 2);
  EXPECT_SAME_OUTPUTS(model, result.model);
}

TEST(MergeReshapesPass, target_that_is_computed_keeps_both) {
  const auto model = test::parse(R"(g (float[N, 4, 6] x, int64[2] t) => (float[A, B] y) {
    a = Constant<value = int64[2] {-1, 24}>()
    h = Reshape(x, a)
    y = Reshape(h, t)
  })");
  EXPECT_EQ(ops(only(model, {"merge_reshapes"}).model), (Counts{{"Reshape", 2}}));
}

TEST(FoldConstantsPass, unsqueeze_to_two_axes_keeps_its_rank) {
  const auto model = test::parse(R"(g (float[N, 7] x) => (float[A, B] y) {
    s = Shape(x)
    one = Constant<value = int64 {1}>()
    n = Gather<axis = 0>(s, one)
    axes = Constant<value = int64[2] {0, 1}>()
    u = Unsqueeze(n, axes)
    f = Cast<to = 1>(u)
    v = Constant<value = float[1] {1.0}>()
    y = Add(f, v)
  })");
  EXPECT_SAME_OUTPUTS(model, only(model, {"fold_constants"}).model);
  const auto result = only(model, {"fold_constants"});
  EXPECT_EQ(result.changes.at(0).count > 0, true);
}

TEST(CleanupPass, identity_of_an_input_that_is_an_output_stays) {
  const auto model = test::parse("g (float[N] x) => (float[N] y) { y = Identity(x) }");
  EXPECT_EQ(ops(only(model, {"cleanup"}).model), (Counts{{"Identity", 1}}));
}

TEST(CleanupPass, two_outputs_of_one_value_keep_one_identity) {
  const auto model = test::parse(
      "g (float[N] x) => (float[N] y, float[N] z) { a = Neg(x) y = Identity(a) z = Identity(a) }");
  const auto result = only(model, {"cleanup"});
  EXPECT_EQ(ops(result.model), (Counts{{"Neg", 1}, {"Identity", 1}}));
  EXPECT_SAME_OUTPUTS(model, result.model);
}

// --- convolutions

onnx::ModelProto conv(const std::string& behind) {
  auto model = test::parse(
      "g (float[N, 3, 8, 8] x) => (float[N, 4, 6, 6] y) { c = Conv<kernel_shape = [3, 3]>(x, w) " + behind +
      " }");
  test::weight(model, "w", {4, 3, 3, 3});
  return model;
}

TEST(ConvAffinePass, batch_norm_that_learns_is_left_alone) {
  for (const char* attribute : {"training_mode", "spatial"}) {
    auto model = conv("y = BatchNormalization(c, gamma, beta, mean, variance)");
    for (const char* name : {"gamma", "beta", "mean", "variance"})
      test::weight(model, name, {4});
    EXPECT_EQ(ops(only(model, {"conv_affine"}).model), (Counts{{"Conv", 1}}));
    set_attribute(*model.mutable_graph()->mutable_node(1), attribute,
                  std::int64_t{std::string(attribute) == "training_mode"});
    EXPECT_EQ(ops(only(model, {"conv_affine"}).model), ops(model)) << attribute;
  }
}

TEST(ConvAffinePass, epsilon_of_the_batch_norm_counts) {
  auto model = conv("y = BatchNormalization<epsilon = 0.5>(c, gamma, beta, mean, variance)");
  for (const char* name : {"gamma", "beta", "mean", "variance"})
    test::weight(model, name, {4});
  const auto result = only(model, {"conv_affine"});
  EXPECT_EQ(ops(result.model), (Counts{{"Conv", 1}}));
  EXPECT_SAME_OUTPUTS(model, result.model);
}

TEST(ConvAffinePass, variance_below_minus_epsilon_is_not_folded_into_nan) {
  auto model = conv("y = BatchNormalization(c, gamma, beta, mean, variance)");
  for (const char* name : {"gamma", "beta", "mean"})
    test::weight(model, name, {4});
  test::weight(model, "variance", {4}, -9.0F);
  EXPECT_EQ(ops(only(model, {"conv_affine"}).model).at("BatchNormalization"), 1);
}

TEST(ConvAffinePass, weights_or_factors_that_a_caller_may_replace_stay) {
  for (const char* name : {"w", "scale"}) {
    auto model = conv("y = Mul(c, scale)");
    test::weight(model, "scale", {4, 1, 1});
    EXPECT_EQ(ops(only(model, {"conv_affine"}).model), (Counts{{"Conv", 1}}));
    auto* input = model.mutable_graph()->add_input();
    input->set_name(name);
    input->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    EXPECT_EQ(ops(only(model, {"conv_affine"}).model), ops(model)) << name;
  }
}

TEST(ConvAffinePass, subtraction_and_division_are_not_folded) {
  for (const char* behind : {"y = Sub(c, scale)", "y = Div(scale, c)"}) {
    auto model = conv(behind);
    test::weight(model, "scale", {4, 1, 1});
    EXPECT_EQ(ops(only(model, {"conv_affine"}).model), ops(model)) << behind;
  }
}

TEST(ConvAffinePass, output_multiplied_with_itself_is_no_factor) {
  EXPECT_EQ(ops(only(conv("y = Mul(c, c)"), {"conv_affine"}).model).at("Mul"), 1);
}

TEST(ConvAffinePass, weights_that_two_convolutions_share_serve_the_other_unchanged) {
  auto model = test::parse(
      R"(g (float[N, 3, 8, 8] x, float[N, 3, 8, 8] z) => (float[N, 4, 6, 6] y, float[N, 4, 6, 6] q) {
    c = Conv<kernel_shape = [3, 3]>(x, w)
    y = Mul(c, scale)
    q = Conv<kernel_shape = [3, 3]>(z, w)
  })");
  test::weight(model, "w", {4, 3, 3, 3});
  test::weight(model, "scale", {4, 1, 1});
  const auto result = only(model, {"conv_affine"});
  EXPECT_EQ(ops(result.model), (Counts{{"Conv", 2}}));
  EXPECT_SAME_OUTPUTS(model, result.model);
}

// --- attention

constexpr const char* kAttention =
    R"(g (float[N, 7, 3, 4] q, float[K, 9, 3, 4] k, float[K, 9, 3, 4] v) => (float[A, 7, 3, 4] y) {
  s = Constant<value = float {0.5}>()
  qt = Transpose<perm = [0, 2, 1, 3]>(q)
  kt = Transpose<perm = [0, 2, 3, 1]>(k)
  vt = Transpose<perm = [0, 2, 1, 3]>(v)
  qs = Mul(qt, s)
  scores = MatMul(qs, kt)
  p = Softmax<axis = -1>(scores)
  o = MatMul(p, vt)
  y = Transpose<perm = [0, 2, 1, 3]>(o)
})";

TEST(AttentionPass, batch_that_is_spread_over_another_is_left_alone) {
  EXPECT_EQ(ops(only(test::parse(kAttention), {"attention"}).model).count("MultiHeadAttention"), 0U);
  const auto one = test::parse(test::with(kAttention, "float[N", "float[1"));
  EXPECT_EQ(ops(only(one, {"attention"}).model).count("MultiHeadAttention"), 0U);
  const auto same = test::parse(test::with_all(kAttention, "float[K", "float[N"));
  EXPECT_EQ(ops(only(same, {"attention"}).model).at("MultiHeadAttention"), 1);
}

// The fused operator takes 0 for "one by the root of the width".
TEST(AttentionPass, scale_of_zero_or_infinity_is_left_alone) {
  const std::string same = test::with_all(kAttention, "float[K", "float[N");
  auto model = test::parse(same);
  for (const float scale : {0.0F, HUGE_VALF, std::nanf("")}) {
    model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_t()->set_float_data(0, scale);
    EXPECT_EQ(ops(only(model, {"attention"}).model).count("MultiHeadAttention"), 0U) << scale;
  }
}

TEST(AttentionPass, softmax_of_older_operator_sets_is_another_function) {
  const auto model = test::parse(test::with_all(kAttention, "float[K", "float[N"), 12);
  EXPECT_EQ(ops(only(model, {"attention"}).model).count("MultiHeadAttention"), 0U);
}

TEST(AttentionPass, other_order_of_heads_is_left_alone) {
  const std::string same = test::with_all(kAttention, "float[K", "float[N");
  for (const auto& [from, to] :
       {std::pair{"[0, 2, 3, 1]>(k)", "[0, 1, 3, 2]>(k)"}, std::pair{"[0, 2, 1, 3]>(v)", "[0, 1, 2, 3]>(v)"},
        std::pair{"[0, 2, 1, 3]>(o)", "[0, 2, 3, 1]>(o)"}})
    EXPECT_EQ(
        ops(only(test::parse(test::with(same, from, to)), {"attention"}).model).count("MultiHeadAttention"),
        0U)
        << from;
}

} // namespace
} // namespace prof
