// Files that are models, files that are not, and models that are not what they say.
#include "make.hpp"

#include "base/file.hpp"
#include "graph/border.hpp"
#include "graph/guide.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

using testing::HasSubstr;

constexpr const char* kPlain = "g (float[N, 4] x) => (float[N, 4] y) { y = Tanh(x) }";

Error error_of(std::string_view file) {
  const auto model = parse_model(file);
  return model ? Error{Errc::internal, "it was read", {}} : model.error();
}

TEST(ModelFile, container_gives_back_what_was_put_in) {
  const std::string bytes = test::parse(kPlain).SerializeAsString();
  const std::string file = to_container(bytes);
  EXPECT_TRUE(file.starts_with("CANN-PROFILER-OM/1\n{"));
  const auto back = from_container(file);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, bytes);
  EXPECT_TRUE(parse_model(file).ok());
}

TEST(ModelFile, container_with_a_flipped_bit_is_refused) {
  std::string file = to_container(test::parse(kPlain).SerializeAsString());
  file.back() = static_cast<char>(file.back() ^ 1);
  EXPECT_EQ(error_of(file).what, "the model in the .om file is cut or changed");
}

TEST(ModelFile, container_cut_anywhere_is_an_error) {
  const std::string file = to_container(test::parse(kPlain).SerializeAsString());
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(parse_model(file.substr(0, size)).ok()) << size;
}

TEST(ModelFile, huawei_offline_model_is_recognised_by_content) {
  EXPECT_EQ(error_of(std::string("IMOD\x01\x00\x00\x00", 8) + std::string(100, '\0')).code,
            Errc::unsupported);
  EXPECT_THAT(error_of("IMOD....").what, HasSubstr("Huawei"));
}

TEST(ModelFile, text_empty_and_noise_are_no_model) {
  for (const std::string& junk :
       {std::string(), std::string("hello world"), std::string(10'000, '\xff'), std::string(64, '\0')})
    EXPECT_EQ(error_of(junk).code, Errc::malformed);
}

TEST(ModelFile, newer_operator_set_is_named) {
  auto model = test::parse(kPlain);
  model.mutable_opset_import(0)->set_version(21);
  const Error error = error_of(model.SerializeAsString());
  EXPECT_EQ(error.code, Errc::unsupported);
  EXPECT_THAT(error.what, HasSubstr("operator set 21"));
}

TEST(ModelFile, weights_outside_the_file_are_refused) {
  auto model = test::parse(kPlain);
  auto* tensor = model.mutable_graph()->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_EQ(error_of(model.SerializeAsString()).code, Errc::unsupported);
}

TEST(GraphStructure, cycle_is_named) {
  auto model = test::parse("g (float[N, 4] x) => (float[N, 4] y) { a = Add(x, b) b = Tanh(a) y = Neg(b) }");
  const auto graph = Graph::from(model);
  ASSERT_FALSE(graph.ok());
  EXPECT_EQ(graph.error().what, "the graph has a cycle");
}

TEST(GraphStructure, value_made_twice_or_never_is_named) {
  auto twice = test::parse("g (float[N, 4] x) => (float[N, 4] y) { y = Tanh(x) }");
  *twice.mutable_graph()->add_node() = twice.graph().node(0);
  EXPECT_EQ(Graph::from(twice).error().what, "the value 'y' is made twice");
  auto never = test::parse("g (float[N, 4] x) => (float[N, 4] y) { y = Add(x, ghost) }");
  EXPECT_THAT(Graph::from(never).error().what, HasSubstr("nothing makes the value 'ghost'"));
}

TEST(GraphStructure, name_of_ten_kilobytes_is_shortened_in_messages) {
  auto model = test::parse("g (float[N, 4] x) => (float[N, 4] y) { y = Add(x, ghost) }");
  model.mutable_graph()->mutable_node(0)->set_input(1, std::string(10'000, 'n'));
  EXPECT_LT(Graph::from(model).error().what.size(), 600U);
}

// Shape inference of the ONNX library sees what the file says: wrong shapes must not take the process down.
TEST(GraphStructure, contradicting_shapes_end_in_an_answer) {
  auto model = test::parse(R"(g (float[N, 4] x) => (float[N, 4] y) {
    t = Constant<value = int64[2] {-1, -1}>()
    r = Reshape(x, t)
    p = Transpose<perm = [0, 0]>(r)
    y = MatMul(p, r)
  })");
  const auto result = optimise(model, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(test::ops(result->model).at("Transpose"), 1);
}

TEST(GraphStructure, weight_with_too_few_numbers_is_not_folded) {
  auto model = test::parse("g (float[N, 4] x) => (float[N, 4] y) { r = Sqrt(w) y = Mul(x, r) }");
  auto* tensor = model.mutable_graph()->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  tensor->add_dims(4);
  tensor->add_float_data(1);
  EXPECT_EQ(test::ops(test::only(model, {"fold_constants"}).model).at("Sqrt"), 1);
}

TEST(GraphStructure, huge_dimensions_do_not_overflow) {
  auto model = test::parse("g (float[N, 4] x) => (float[N, 4] y) { r = Sqrt(w) y = Mul(x, r) }");
  auto* tensor = model.mutable_graph()->add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  for (int k = 0; k < 8; ++k)
    tensor->add_dims(std::int64_t{1} << 40);
  EXPECT_TRUE(Graph::from(model).ok());
  EXPECT_EQ(test::ops(test::only(model, {"fold_constants"}).model).at("Sqrt"), 1);
}

TEST(FusionConfigFile, object_switches_single_passes) {
  const auto config = parse_fusion_config(
      R"({"schema": "cann-profiler/fusion_config/1", "passes": {"layout": false, "gelu": true}})");
  ASSERT_TRUE(config.ok());
  EXPECT_FALSE(config->is_on(*find_pass("layout")));
  EXPECT_TRUE(config->is_on(*find_pass("gelu")));
  EXPECT_TRUE(config->is_on(*find_pass("silu")));
}

TEST(FusionConfigFile, list_means_only_these) {
  const auto config = parse_fusion_config(R"({"passes": ["layout"]})");
  ASSERT_TRUE(config.ok());
  EXPECT_TRUE(config->is_on(*find_pass("layout")));
  EXPECT_FALSE(config->is_on(*find_pass("silu")));
}

TEST(FusionConfigFile, vendors_spelling_is_read) {
  const auto config =
      parse_fusion_config(R"({"Switch": {"GraphFusion": {"ALL": "off", "attention": "on"}}})");
  ASSERT_TRUE(config.ok());
  EXPECT_TRUE(config->is_on(*find_pass("attention")));
  EXPECT_FALSE(config->is_on(*find_pass("layout")));
}

TEST(FusionConfigFile, unknown_pass_lists_those_that_exist) {
  const auto config = parse_fusion_config(R"({"passes": {"atention": true}})");
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().code, Errc::bad_argument);
  EXPECT_THAT(config.error().what,
              HasSubstr("no fusion 'atention' (did you mean 'attention'?); there are fold_constants"));
}

TEST(FusionConfigFile, other_json_is_refused) {
  for (const char* json :
       {"", "[]", "{}", "{\"passes\": 3}", "{\"passes\": [3]}", "{\"passes\": {\"layout\": \"maybe\"}}"})
    EXPECT_FALSE(parse_fusion_config(json).ok()) << json;
}

TEST(Border, change_of_layout_keeps_the_numbers) {
  auto model = test::parse("g (float[N, 4, 6, 5] x) => (float[N, 4, 6, 5] y) { y = Tanh(x) }");
  auto changed = model;
  const auto count = change_border_layout(changed, Layout::nchw, Layout::nhwc);
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(*count, 2);
  EXPECT_EQ(changed.graph().input(0).type().tensor_type().shape().dim(3).dim_value(), 4);
  const auto result = optimise(changed, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(test::ops(result->model), (std::map<std::string, int>{{"Tanh", 1}}));
  EXPECT_SAME_OUTPUTS(changed, result->model);
}

TEST(Proof, different_models_are_told_apart) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  const auto a = test::parse("g (float[N, 4] x) => (float[N, 4] y) { y = Tanh(x) }");
  const auto b = test::parse("g (float[N, 4] x) => (float[N, 4] y) { y = Sigmoid(x) }");
  EXPECT_THAT(test::difference(a, b), HasSubstr("y differs by"));
  EXPECT_EQ(test::difference(a, a), "");
}

TEST(Proof, infinities_in_other_places_are_a_difference) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  const auto a = test::parse("g (float[N, 4] x) => (float[N, 4] y) { z = Sub(x, x) y = Reciprocal(z) }");
  const auto b = test::parse("g (float[N, 4] x) => (float[N, 4] y) { y = Sub(x, x) }");
  EXPECT_THAT(test::difference(a, b), HasSubstr("y differs by"));
}

TEST(Proof, tiny_outputs_may_differ_by_rounding_only) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  const auto tiny = [](const char* number) {
    return test::parse(
        std::string("g (float[N, 4] x) => (float[N, 4] y) { z = Sub(x, x) k = Constant<value = float {") +
        number + "}>() y = Add(z, k) }");
  };
  EXPECT_EQ(test::difference(tiny("0.0000010"), tiny("0.0000015")), "");
  EXPECT_THAT(test::difference(tiny("0.000010"), tiny("0.000015")), HasSubstr("y differs by"));
}

TEST(ModelFile, operators_of_the_engine_in_the_default_domain_are_read_again) {
  auto model = test::parse(
      "g (float[N, 4] x) => (float[N, 4] y) { y = SimplifiedLayerNormalization<axis = -1>(x, w) }");
  test::weight(model, "w", {4});
  const std::string bytes = model.SerializeAsString();
  const auto read = parse_model(bytes);
  ASSERT_TRUE(read.ok()) << read.error().what;
  EXPECT_EQ(read->SerializeAsString(), bytes);
}

TEST(Guide, key_operators_are_ranked_by_arithmetic) {
  auto model = test::parse("g (float[2, 4] x) => (float[2, 3] y) { a = Tanh(x) y = MatMul(a, w) }");
  test::weight(model, "w", {4, 3});
  const auto ops = key_ops(model, 10);
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_EQ(ops[0].op_type, "MatMul");
  EXPECT_DOUBLE_EQ(ops[0].share, 24.0 / 32.0); // 2 x 3 x 4 multiply-adds against 2 x 4 elements
}

} // namespace
} // namespace prof
