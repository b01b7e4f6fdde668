// The parts that passes stand on: attributes, tensors, constants computed in advance, shape arithmetic,
// renaming.
#include "graph/evaluate.hpp"
#include "graph/match.hpp"
#include "graph/symbols.hpp"
#include "graph/tensor_data.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

using testing::ElementsAre;

Graph graph_of(const onnx::ModelProto& model) {
  auto graph = Graph::from(model);
  EXPECT_TRUE(graph.ok()) << (graph.ok() ? "" : graph.error().what);
  graph->infer_shapes();
  return *std::move(graph);
}

// --- tensors

TEST(TensorData, element_count_of_lying_dimensions_is_none) {
  using Dims = std::vector<std::int64_t>;
  EXPECT_EQ(element_count(Dims{}), 1);
  EXPECT_EQ(element_count(Dims{2, 3, 4}), 24);
  EXPECT_EQ(element_count(Dims{5, 0, std::int64_t{1} << 62}), 0);
  EXPECT_EQ(element_count(Dims{-1, 4}), -1);
  EXPECT_EQ(element_count(Dims{std::int64_t{1} << 40}), std::int64_t{1} << 40);
  EXPECT_EQ(element_count(Dims{std::int64_t{1} << 40, 2}), -1);
  EXPECT_EQ(element_count(Dims{std::int64_t{1} << 62, std::int64_t{1} << 62}), -1);
}

TEST(TensorData, numbers_are_read_from_either_field_and_only_when_all_are_there) {
  const std::vector<float> three{1, 2, 3};
  onnx::TensorProto raw = float_tensor({3}, three), fields;
  fields.set_data_type(onnx::TensorProto::FLOAT);
  fields.add_dims(3);
  for (const float v : three)
    fields.add_float_data(v);
  EXPECT_EQ(float_values(raw), three);
  EXPECT_EQ(float_values(fields), three);
  fields.add_float_data(4);
  EXPECT_FALSE(float_values(fields).has_value());
  raw.mutable_raw_data()->pop_back();
  EXPECT_FALSE(float_values(raw).has_value());
  EXPECT_FALSE(int_values(float_tensor({3}, three)).has_value());
}

TEST(TensorData, both_integer_types_become_64_bits) {
  onnx::TensorProto narrow;
  narrow.set_data_type(onnx::TensorProto::INT32);
  narrow.add_dims(2);
  narrow.set_raw_data(std::string("\xff\xff\xff\xff\x07\x00\x00\x00", 8));
  EXPECT_EQ(int_values(narrow), (std::vector<std::int64_t>{-1, 7}));
  EXPECT_EQ(int_values(int_tensor(std::vector<std::int64_t>{-1, 7})), (std::vector<std::int64_t>{-1, 7}));
  EXPECT_EQ(int_tensor(std::vector<std::int64_t>{7}, true).dims_size(), 0);
}

TEST(TensorData, parts_of_a_tensor_and_data_elsewhere_are_not_read) {
  onnx::TensorProto part = float_tensor({1}, std::vector<float>{1});
  part.mutable_segment()->set_begin(0);
  EXPECT_FALSE(float_values(part).has_value());
  onnx::TensorProto outside = float_tensor({1}, std::vector<float>{1});
  outside.set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_FALSE(float_values(outside).has_value());
}

// --- attributes

TEST(Attributes, default_stands_where_the_attribute_is_absent_or_of_another_type) {
  onnx::NodeProto node;
  set_attribute(node, "axis", std::int64_t{3});
  set_attribute(node, "alpha", 0.5F);
  set_attribute(node, "perm", std::vector<std::int64_t>{1, 0});
  EXPECT_EQ(int_attribute(node, "axis", 7), 3);
  EXPECT_EQ(int_attribute(node, "other", 7), 7);
  EXPECT_EQ(int_attribute(node, "alpha", 7), 7);
  EXPECT_THAT(ints_attribute(node, "perm"), ElementsAre(1, 0));
  EXPECT_TRUE(ints_attribute(node, "axis").empty());
  EXPECT_EQ(attribute(node, "beta"), nullptr);
}

TEST(Attributes, literal_is_read_from_each_of_its_forms) {
  const auto value = [](const char* what) {
    const auto model = test::parse(std::string("g (float[N] x) => (float[N] y) { c = Constant<") + what +
                                   ">() y = Neg(x) }");
    return model.graph().node_size() > 0 ? literal(model.graph().node(0)) : std::nullopt;
  };
  EXPECT_EQ(float_values(*value("value = float[2] {1.5, 2.5}")), (std::vector<float>{1.5F, 2.5F}));
  EXPECT_EQ(float_values(*value("value_float = 1.5")), (std::vector<float>{1.5F}));
  EXPECT_EQ(value("value_float = 1.5")->dims_size(), 0);
  EXPECT_EQ(float_values(*value("value_floats = [1.5, 2.5]")), (std::vector<float>{1.5F, 2.5F}));
  EXPECT_EQ(int_values(*value("value_int = 3")), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(value("value_int = 3")->dims_size(), 0);
  EXPECT_EQ(int_values(*value("value_ints = [3, 4]")), (std::vector<std::int64_t>{3, 4}));
  EXPECT_FALSE(value("value_string = \"text\"").has_value());
}

// --- constants computed in advance

struct Case {
  const char* name;
  const char* text; // makes "c" out of literals
  std::vector<std::int64_t> dims;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
  bool is_folded = true;
};
void PrintTo(const Case& c, std::ostream* os) {
  *os << c.name;
}

class Evaluate : public testing::TestWithParam<Case> {};

TEST_P(Evaluate, gives_the_engines_numbers) {
  const Case& c = GetParam();
  const auto model = test::parse(std::string("g (float[N] x) => (float[N] y, float[A] z) { ") + c.text +
                                 " z = Identity(c) y = Neg(x) }");
  ASSERT_GT(model.graph().node_size(), 0) << c.text;
  Graph g = graph_of(model);
  const NodeIndex i = g.producer("c");
  ASSERT_NE(i, kNoNode);
  const auto result = evaluate(g, i);
  ASSERT_EQ(result.has_value(), c.is_folded);
  if (!result) return;
  EXPECT_EQ((std::vector<std::int64_t>(result->dims().begin(), result->dims().end())), c.dims);
  EXPECT_EQ(float_values(*result).value_or(std::vector<float>{}), c.floats);
  EXPECT_EQ(int_values(*result).value_or(std::vector<std::int64_t>{}), c.ints);
}

#define A2 "a = Constant<value = float[2] {1.0, -4.0}>() "
#define COLUMN "b = Constant<value = float[2, 1] {2.0, 8.0}>() "
#define I3 "a = Constant<value = int64[3] {7, -7, 5}>() "
const Case kCases[] = {
    {"add_broadcasts", A2 COLUMN "c = Add(a, b)", {2, 2}, {3, -2, 9, 4}, {}},
    {"sub_keeps_the_order", A2 COLUMN "c = Sub(a, b)", {2, 2}, {-1, -6, -7, -12}, {}},
    {"mul", A2 COLUMN "c = Mul(a, b)", {2, 2}, {2, -8, 8, -32}, {}},
    {"div", A2 COLUMN "c = Div(a, b)", {2, 2}, {0.5F, -2, 0.125F, -0.5F}, {}},
    {"div_of_integers_cuts", I3 "b = Constant<value = int64 {2}>() c = Div(a, b)", {3}, {}, {3, -3, 2}},
    {"div_by_zero_is_left", I3 "b = Constant<value = int64 {0}>() c = Div(a, b)", {}, {}, {}, false},
    {"huge_integers_are_left",
     I3 "b = Constant<value = int64 {9223372036854775807}>() c = Add(a, b)",
     {},
     {},
     {},
     false},
    {"shapes_that_do_not_fit_are_left",
     A2 "b = Constant<value = float[3] {1.0, 2.0, 3.0}>() c = Add(a, b)",
     {},
     {},
     {},
     false},
    {"types_that_differ_are_left",
     A2 "b = Constant<value = int64[2] {1, 2}>() c = Add(a, b)",
     {},
     {},
     {},
     false},
    {"double_is_left", "a = Constant<value = double {1.0}>() c = Neg(a)", {}, {}, {}, false},
    {"sqrt", "a = Constant<value = float[2] {4.0, 2.25}>() c = Sqrt(a)", {2}, {2, 1.5F}, {}},
    {"reciprocal", "a = Constant<value = float[2] {4.0, -2.0}>() c = Reciprocal(a)", {2}, {0.25F, -0.5F}, {}},
    {"neg", A2 "c = Neg(a)", {2}, {-1, 4}, {}},
    {"exp_is_left", A2 "c = Exp(a)", {}, {}, {}, false},
    {"cast_to_float", I3 "c = Cast<to = 1>(a)", {3}, {7, -7, 5}, {}},
    {"cast_to_the_same", A2 "c = Cast<to = 1>(a)", {2}, {1, -4}, {}},
    {"cast_of_32_bits", "a = Constant<value = int32[2] {1, -1}>() c = Cast<to = 7>(a)", {2}, {}, {1, -1}},
    {"cast_to_integers_is_left", A2 "c = Cast<to = 7>(a)", {}, {}, {}, false},
    {"transpose",
     "a = Constant<value = float[2, 3] {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}>() c = Transpose<perm = [1, 0]>(a)",
     {3, 2},
     {1, 4, 2, 5, 3, 6},
     {}},
    {"transpose_turns_round_without_perm",
     "a = Constant<value = float[1, 2, 3] {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}>() c = Transpose(a)",
     {3, 2, 1},
     {1, 4, 2, 5, 3, 6},
     {}},
    {"transpose_that_is_none_is_left",
     "a = Constant<value = float[1, 2] {1.0, 2.0}>() c = Transpose<perm = [0, 0]>(a)",
     {},
     {},
     {},
     false},
    {"reshape", A2 "b = Constant<value = int64[2] {-1, 1}>() c = Reshape(a, b)", {2, 1}, {1, -4}, {}},
    {"reshape_copies_where_zero",
     A2 "b = Constant<value = int64[2] {0, -1}>() c = Reshape(a, b)",
     {2, 1},
     {1, -4},
     {}},
    {"reshape_that_does_not_fit_is_left",
     A2 "b = Constant<value = int64[1] {3}>() c = Reshape(a, b)",
     {},
     {},
     {},
     false},
    {"reshape_with_two_holes_is_left",
     A2 "b = Constant<value = int64[2] {-1, -1}>() c = Reshape(a, b)",
     {},
     {},
     {},
     false},
    {"reshape_to_more_than_memory_is_left",
     A2 "b = Constant<value = int64[2] {4611686018427387904, 4611686018427387904}>() c = Reshape(a, b)",
     {},
     {},
     {},
     false},
    {"unsqueeze", A2 "b = Constant<value = int64[2] {0, -1}>() c = Unsqueeze(a, b)", {1, 2, 1}, {1, -4}, {}},
    {"unsqueeze_twice_at_one_place_is_left",
     A2 "b = Constant<value = int64[2] {0, 0}>() c = Unsqueeze(a, b)",
     {},
     {},
     {},
     false},
    {"unsqueeze_outside_is_left",
     A2 "b = Constant<value = int64[1] {9}>() c = Unsqueeze(a, b)",
     {},
     {},
     {},
     false},
    {"squeeze",
     "a = Constant<value = float[1, 2, 1] {1.0, 2.0}>() b = Constant<value = int64[2] {-1, 0}>() c = "
     "Squeeze(a, b)",
     {2},
     {1, 2},
     {}},
    {"squeeze_of_more_than_one_is_left",
     A2 "b = Constant<value = int64[1] {0}>() c = Squeeze(a, b)",
     {},
     {},
     {},
     false},
    {"identity", A2 "c = Identity(a)", {2}, {1, -4}, {}},
    {"what_depends_on_the_input_is_left", A2 "c = Mul(a, x)", {}, {}, {}, false},
};
#undef A2
#undef COLUMN
#undef I3

INSTANTIATE_TEST_SUITE_P(Operators, Evaluate, testing::ValuesIn(kCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

// --- shape arithmetic

std::string symbols_of(const char* text) {
  const auto model = test::parse(std::string("g (float[N, 7, 12] x, float[M] z) => (float[N] y) { ") + text +
                                 " y = Identity(c) }");
  EXPECT_GT(model.graph().node_size(), 0) << text;
  const Graph g = graph_of(model);
  const auto value = symbolic_value(g, "c");
  if (!value) return "unknown";
  std::string out = value->is_scalar ? "scalar" : "vector";
  for (const GraphDim& e : value->elements)
    out += " " + (e.is_known() ? std::to_string(e.value) : e.symbol.empty() ? "?" : e.symbol);
  return out;
}

TEST(Symbols, dimensions_are_followed_through_shape_arithmetic) {
  EXPECT_EQ(symbols_of("c = Shape(x)"), "vector N 7 12");
  EXPECT_EQ(symbols_of("c = Shape<start = 1>(x)"), "vector 7 12");
  EXPECT_EQ(symbols_of("c = Shape<start = -2, end = -1>(x)"), "vector 7");
  EXPECT_EQ(symbols_of("c = Shape<start = 2, end = 1>(x)"), "vector");
  EXPECT_EQ(symbols_of("s = Shape(x) i = Constant<value = int64 {-1}>() c = Gather<axis = 0>(s, i)"),
            "scalar 12");
  EXPECT_EQ(symbols_of("s = Shape(x) i = Constant<value = int64[2] {2, 0}>() c = Gather<axis = 0>(s, i)"),
            "vector 12 N");
  EXPECT_EQ(symbols_of("s = Shape(x) i = Constant<value = int64 {3}>() c = Gather<axis = 0>(s, i)"),
            "unknown");
  EXPECT_EQ(symbols_of("s = Shape(x) a = Constant<value = int64[1] {-2}>() b = Constant<value = int64[1] "
                       "{9223372036854775807}>() c = Slice(s, a, b)"),
            "vector 7 12");
  EXPECT_EQ(
      symbols_of("s = Shape(x) a = Constant<value = int64[1] {2}>() b = Constant<value = int64[1] {0}>() "
                 "o = Constant<value = int64[1] {0}>() m = Constant<value = int64[1] {-1}>() c = Slice(s, a, "
                 "b, o, m)"),
      "unknown");
  EXPECT_EQ(symbols_of("s = Shape(x) t = Shape(z) c = Concat<axis = 0>(s, t)"), "vector N 7 12 M");
  EXPECT_EQ(symbols_of("s = Shape(z) c = Squeeze(s)"), "scalar M");
  EXPECT_EQ(symbols_of("s = Shape(x) c = Cast<to = 7>(s)"), "vector N 7 12");
  EXPECT_EQ(symbols_of("s = Shape(x) c = Cast<to = 1>(s)"), "unknown");
  EXPECT_EQ(symbols_of("s = Shape(x) c = Neg(s)"), "unknown");
}

TEST(Symbols, unsqueeze_makes_a_vector_only_with_one_axis) {
  const char* scalar = "s = Shape(z) n = Squeeze(s) ";
  EXPECT_EQ(
      symbols_of((std::string(scalar) + "a = Constant<value = int64[1] {0}>() c = Unsqueeze(n, a)").c_str()),
      "vector M");
  EXPECT_EQ(
      symbols_of(
          (std::string(scalar) + "a = Constant<value = int64[2] {0, 1}>() c = Unsqueeze(n, a)").c_str()),
      "unknown");
  EXPECT_EQ(symbols_of("s = Shape(x) a = Constant<value = int64[1] {0}>() c = Unsqueeze(s, a)"), "unknown");
}

TEST(Symbols, same_symbol_is_the_same_number_and_no_symbol_is_like_nothing) {
  EXPECT_TRUE((GraphDim{4, ""}.same_as({4, ""})));
  EXPECT_FALSE((GraphDim{4, ""}.same_as({5, ""})));
  EXPECT_TRUE((GraphDim{-1, "N"}.same_as({-1, "N"})));
  EXPECT_FALSE((GraphDim{-1, "N"}.same_as({-1, "M"})));
  EXPECT_FALSE((GraphDim{-1, ""}.same_as({-1, ""})));
  EXPECT_FALSE((GraphDim{-1, "N"}.same_as({4, ""})));
}

// --- matching

constexpr const char* kDiamond = R"(g (float[N, 4] x) => (float[N, 4] y) {
  a = Tanh(x)
  b = Neg(a)
  c = Exp(a)
  y = Add(b, c)
})";

TEST(Match, closed_means_that_nobody_outside_reads_what_lies_between) {
  const auto plain = test::parse(kDiamond);
  EXPECT_TRUE(is_closed(graph_of(plain), "y", {"x"}));
  EXPECT_TRUE(is_closed(graph_of(plain), "y", {"a"}));
  EXPECT_FALSE(is_closed(graph_of(plain), "x", {}));
  for (const char* value : {"a", "b", "c"}) {
    auto shown = plain;
    test::add_output(shown, value);
    EXPECT_FALSE(is_closed(graph_of(shown), "y", {"x"})) << value;
  }
  auto shown = plain;
  test::add_output(shown, "a");
  EXPECT_TRUE(is_closed(graph_of(shown), "y", {"a"}));
}

TEST(Match, closed_looks_at_no_more_than_64_operators) {
  std::string text = "g (float[N] x) => (float[N] y) { v0 = Neg(x) ";
  for (int k = 1; k < 100; ++k)
    text += "v" + std::to_string(k) + " = Neg(v" + std::to_string(k - 1) + ") ";
  const auto model = test::parse(text + "y = Neg(v99) }");
  EXPECT_FALSE(is_closed(graph_of(model), "y", {"x"}));
  EXPECT_TRUE(is_closed(graph_of(model), "y", {"v60"}));
}

TEST(Match, whole_numbers_are_meant_exactly_and_others_within_a_ten_thousandth) {
  EXPECT_TRUE(is_near(0.044716F, 0.044715F));
  EXPECT_FALSE(is_near(0.0448F, 0.044715F));
  EXPECT_FALSE(is_near(std::nanf(""), 1));
  EXPECT_TRUE(is_near(-2, -2, 0));
}

// --- renaming

TEST(GraphEdit, output_keeps_its_name_when_its_maker_is_replaced) {
  auto g = graph_of(test::parse(kDiamond));
  const std::string made = g.add("Sigmoid", {"x"}, "y");
  ASSERT_TRUE(g.replace("y", made));
  g.remove_unused();
  const auto model = g.to_model();
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->graph().node_size(), 1);
  EXPECT_EQ(model->graph().node(0).op_type(), "Sigmoid");
  EXPECT_EQ(model->graph().node(0).output(0), "y");
}

TEST(GraphEdit, output_cannot_become_an_input_or_another_output) {
  auto g = graph_of(test::parse("g (float[N] x) => (float[N] y, float[N] z) { y = Identity(x) z = Neg(y) }"));
  EXPECT_FALSE(g.replace("y", "x"));
  EXPECT_FALSE(g.replace("z", "y"));
  EXPECT_EQ(g.to_model()->graph().node_size(), 2);
}

TEST(GraphEdit, cycle_that_a_pass_made_is_an_error_and_no_model) {
  auto g = graph_of(test::parse("g (float[N] x) => (float[N] y) { a = Neg(x) y = Neg(a) }"));
  g.set_input(g.producer("a"), 0, "y");
  const auto model = g.to_model();
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, Errc::internal);
}

TEST(GraphEdit, new_names_are_not_those_of_a_model_converted_before) {
  const auto given = test::parse(kDiamond);
  auto once = graph_of(given);
  const std::string first = once.add("Sigmoid", {"x"}, "near");
  ASSERT_TRUE(once.replace("a", first));
  auto twice = graph_of(*once.to_model());
  const std::string second = twice.add("Sigmoid", {"x"}, "near");
  EXPECT_NE(first, second);
  EXPECT_EQ(twice.producer(first, "Sigmoid"), twice.producer(first));
}

TEST(GraphEdit, weights_that_nobody_reads_are_left_out) {
  auto model = test::parse("g (float[N, 4] x) => (float[N, 4] y) { y = Mul(x, w) }");
  test::weight(model, "w", {4});
  test::weight(model, "unused", {1000});
  const auto result = test::only(model, {});
  ASSERT_EQ(result.model.graph().initializer_size(), 1);
  EXPECT_EQ(result.model.graph().initializer(0).name(), "w");
}

// Found by random graphs: without its default, the caller would have to bring the input.
TEST(GraphEdit, default_of_an_input_that_nobody_reads_any_more_stays) {
  auto model =
      test::parse("g (float[N, 4] x, float[4] w) => (float[N, 4] y) { unused = Mul(x, w) y = Neg(x) }");
  test::weight(model, "w", {4});
  const auto result = test::only(model, {"cleanup"});
  EXPECT_EQ(test::ops(result.model), (std::map<std::string, int>{{"Neg", 1}}));
  EXPECT_EQ(result.model.graph().initializer_size(), 1);
  EXPECT_SAME_OUTPUTS(model, result.model);
}

// Found by random graphs: what only a dead branch reads is dead as well.
TEST(GraphEdit, branch_that_nobody_reads_keeps_nothing_alive) {
  const auto model = test::parse(R"(g (float[N] x, bool c) => (float[N] y) {
    a = Tanh(x)
    z = If<then_branch = th () => (float[N] p) { p = Neg(a) }, else_branch = el () => (float[N] q) { q = Exp(x) }>(c)
    y = Sigmoid(x)
  })");
  ASSERT_EQ(model.graph().node_size(), 3);
  EXPECT_EQ(test::ops(test::only(model, {"cleanup"}).model), (std::map<std::string, int>{{"Sigmoid", 1}}));
}

TEST(GraphEdit, domain_is_declared_once) {
  auto g = graph_of(test::parse(kDiamond));
  const int before = g.header().opset_import_size();
  g.need_domain("com.microsoft", 1);
  g.need_domain("ai.onnx.ml", 2);
  g.need_domain("ai.onnx.ml", 3);
  EXPECT_EQ(g.header().opset_import_size(), before + 1);
}

} // namespace
} // namespace prof
