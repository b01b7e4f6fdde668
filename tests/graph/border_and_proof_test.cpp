// The layout of the border, and the proof that stands between a wrong pass and the user.
#include "graph/border.hpp"
#include "graph/element.hpp"
#include "make.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

using testing::HasSubstr;

// --- border

TEST(Border, model_whose_border_was_changed_before_can_be_changed_back) {
  const auto given =
      test::parse("g (float[N, 4, 6, 5] x) => (float[N, 4, 6, 5] y) { s = Softmax<axis = 1>(x) y = Neg(s) }");
  auto model = given;
  ASSERT_TRUE(change_border_layout(model, Layout::nchw, Layout::nhwc).ok());
  ASSERT_TRUE(change_border_layout(model, Layout::nhwc, Layout::nchw).ok());
  ASSERT_TRUE(Graph::from(model).ok()) << Graph::from(model).error().what;
  EXPECT_EQ(model.graph().input(0).type().tensor_type().shape().dim(1).dim_value(), 4);
  EXPECT_SAME_OUTPUTS(given, model);
}

TEST(Border, weights_that_are_outputs_and_inputs_given_back_stay_valid) {
  auto model = test::parse("g (float[N, 4, 6, 5] x) => (float[N, 4, 6, 5] x, float[1, 2, 3, 4] w, float[N, "
                           "4, 6, 5] y) { y = Neg(x) }");
  test::weight(model, "w", {1, 2, 3, 4});
  ASSERT_TRUE(change_border_layout(model, Layout::nchw, Layout::nhwc).ok());
  EXPECT_TRUE(Graph::from(model).ok());
  EXPECT_EQ(model.graph().output(0).type().tensor_type().shape().dim(3).dim_value(), 4);
  EXPECT_EQ(model.graph().output(1).type().tensor_type().shape().dim(1).dim_value(), 2);
}

TEST(Border, only_four_dimensional_float_values_are_pictures) {
  auto model = test::parse("g (float[N, 4, 6] x, int64[N, 4, 6, 5] i) => (float[N, 4, 6] y, int64[N, 4, 6, "
                           "5] z) { y = Neg(x) z = Neg(i) }");
  const auto count = change_border_layout(model, Layout::nchw, Layout::nhwc);
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(*count, 0);
}

TEST(Border, same_layout_on_both_sides_changes_nothing) {
  auto model = test::parse("g (float[N, 4, 6, 5] x) => (float[N, 4, 6, 5] y) { y = Neg(x) }");
  const std::string before = model.SerializeAsString();
  EXPECT_EQ(*change_border_layout(model, Layout::nhwc, Layout::nhwc), 0);
  EXPECT_EQ(model.SerializeAsString(), before);
}

TEST(Border, nested_graph_is_refused_by_name) {
  auto model = test::parse(R"(g (float[N] x, bool c) => (float[N] y) {
    y = If<then_branch = th () => (float[N] a) { a = Neg(x) }, else_branch = el () => (float[N] b) { b = Exp(x) }>(c)
  })");
  model.mutable_graph()->mutable_node(0)->set_name("chooser");
  const auto count = change_border_layout(model, Layout::nchw, Layout::nhwc);
  ASSERT_FALSE(count.ok());
  EXPECT_THAT(count.error().what, HasSubstr("'chooser' holds a nested graph"));
}

// --- the proof

TEST(Element, half_precision_is_read_as_the_standard_says) {
  EXPECT_EQ(static_cast<double>(Half{0x3C00}), 1.0);
  EXPECT_EQ(static_cast<double>(Half{0xC000}), -2.0);
  EXPECT_EQ(static_cast<double>(Half{0x7BFF}), 65504.0);
  EXPECT_EQ(static_cast<double>(Half{0x0400}), 0x1.0p-14);
  EXPECT_EQ(static_cast<double>(Half{0x0001}), 0x1.0p-24);
  EXPECT_EQ(static_cast<double>(Half{0x7C00}), HUGE_VAL);
  EXPECT_TRUE(std::isnan(static_cast<double>(Half{0x7E00})));
  EXPECT_EQ(Half::from(1.0F).bits, 0x3C00);
  EXPECT_EQ(Half::from(-2.0F).bits, 0xC000);
  EXPECT_EQ(Half::from(1e9F).bits, 0x7C00);
  EXPECT_EQ(Half::from(1e-9F).bits, 0x0000);
  EXPECT_EQ(Half::from(0.1F).bits, 0x2E66);
  EXPECT_EQ(Bfloat::from(1.0F).bits, 0x3F80);
  EXPECT_EQ(static_cast<double>(Bfloat{0xC000}), -2.0);
}

class Types : public testing::TestWithParam<const char*> {};

TEST_P(Types, same_model_is_equal_and_another_is_not) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  const std::string type = GetParam();
  const auto model = [&](const char* op) {
    return test::parse("g (" + type + "[N, 4] x) => (" + type + "[N, 4] y) { z = " + op +
                       "(x, x) y = Identity(z) }");
  };
  EXPECT_EQ(test::difference(model("Add"), model("Add")), "");
  EXPECT_THAT(test::difference(model("Add"), model("Sub")), HasSubstr("y differs by"));
}
INSTANTIATE_TEST_SUITE_P(All, Types,
                         testing::Values("float", "double", "float16", "int32", "int64", "int8", "uint8",
                                         "uint64"));

TEST(Proof, half_precision_is_allowed_what_it_resolves_and_no_more) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  // The sum of a number and its 1/1024th, and of 1/64th of it.
  const auto plus = [](const char* share) {
    return test::parse(
        std::string("g (float[N, 64] x) => (float16[N, 64] y) { k = Constant<value = float {") + share +
        "}>() a = Mul(x, k) b = Add(x, a) y = Cast<to = 10>(b) }");
  };
  EXPECT_EQ(test::difference(plus("0.0"), plus("0.0009765625")), "");
  EXPECT_THAT(test::difference(plus("0.0"), plus("0.015625")), HasSubstr("y differs by"));
}

TEST(Proof, outputs_that_are_no_numbers_are_refused) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  auto model = test::parse("g (string[N] x) => (string[N] y) { y = Identity(x) }");
  EXPECT_THAT(test::difference(model, model),
              HasSubstr("no random numbers for the element type 8 of input 'x'"));
}

TEST(Proof, huge_inputs_are_refused_before_memory_is) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  for (const char* dims : {"1099511627776", "4611686018427387904, 4611686018427387904", "65536, 65536"}) {
    const auto model = test::parse(std::string("g (float[") + dims +
                                   "] x) => (float[A] y) { z = Shape(x) y = Cast<to = 1>(z) }");
    EXPECT_THAT(test::difference(model, model), HasSubstr("the input 'x' is too large")) << dims;
  }
}

// A pass that is wrong: the proof is what stands between it and the user.
TEST(Proof, wrong_pass_is_found_out) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  const Pass wrong{.id = "wrong", .text_id = "", .run = [](Graph& g, const PassOptions&) {
                     for (NodeIndex i = 0; i < g.node_count(); ++i)
                       if (g.is_alive(i) && g.node(i).op_type() == "Tanh") g.node(i).set_op_type("Sigmoid");
                     return 1;
                   }};
  const auto given =
      test::parse("g (float[N, 4] x) => (float[N, 4] y, float[N, 4] z) { y = Tanh(x) z = Neg(x) }");
  auto graph = Graph::from(given);
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(wrong.run(*graph, {}), 1);
  const auto engine = Engine::open({});
  const auto proof = prove_equal(*engine, *serialise(given), *serialise(*graph->to_model()), {});
  ASSERT_TRUE(proof.ok());
  EXPECT_FALSE(proof->is_equal());
  EXPECT_FALSE(proof->outputs.at(0).is_equal);
  EXPECT_TRUE(proof->outputs.at(1).is_equal);
  EXPECT_EQ(proof->outputs.at(1).max_abs, 0);
}

TEST(Proof, shape_that_differs_is_a_difference) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  const auto flat = test::parse(
      "g (float[N, 4] x) => (float[A] y) { t = Constant<value = int64[1] {-1}>() y = Reshape(x, t) }");
  const auto kept = test::parse("g (float[N, 4] x) => (float[A, B] y) { y = Identity(x) }");
  EXPECT_THAT(test::difference(flat, kept), HasSubstr("y differs by inf"));
}

TEST(Proof, seeds_draw_other_numbers_and_the_same_seed_the_same) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  const auto engine = Engine::open({});
  const auto model = *serialise(test::parse("g (float[N, 4] x) => (float[N, 4] y) { y = Neg(x) }"));
  const auto session = engine->load(model, EngineLevel::none, 1);
  ASSERT_TRUE(session.ok());
  const auto draw = [&](std::uint64_t seed, int trial) {
    ProofOptions options;
    options.seed = seed;
    return (*random_inputs(*session, options, trial))[0];
  };
  EXPECT_EQ(draw(1, 0).data, draw(1, 0).data);
  EXPECT_NE(draw(1, 0).data, draw(2, 0).data);
  EXPECT_EQ(draw(1, 0).shape, (std::vector<std::int64_t>{1, 4}));
  EXPECT_EQ(draw(1, 2).shape, (std::vector<std::int64_t>{3, 4}));
}

} // namespace
} // namespace prof
