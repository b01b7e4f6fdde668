// Model files from strangers: one clear answer each, whatever they hold.
#include "make.hpp"

#include "base/file.hpp"
#include "graph/tensor_data.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace prof {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPlain = "g (float[N, 4] x) => (float[N, 4] y) { t = Tanh(x) y = Mul(t, w) }";

onnx::ModelProto plain() {
  auto model = test::parse(kPlain);
  test::weight(model, "w", {4});
  return model;
}

// The error of reading it; code internal when it was read.
Error error_of(const onnx::ModelProto& model) {
  const auto read = parse_model(model.SerializeAsString());
  return read ? Error{Errc::internal, "it was read", {}} : read.error();
}

// The error of reading and optimising.
Error conversion_error_of(const onnx::ModelProto& model) {
  auto read = parse_model(model.SerializeAsString());
  if (!read) return read.error();
  const auto result = optimise(*std::move(read), {});
  return result ? Error{Errc::internal, "it was converted", {}} : result.error();
}

TEST(ModelReader, cut_at_any_byte_is_an_error_of_one_line) {
  const std::string whole = plain().SerializeAsString();
  int read_all_the_same = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto read = parse_model(whole.substr(0, size));
    if (read.ok()) {
      ++read_all_the_same;
      continue;
    }
    EXPECT_EQ(read.error().code, Errc::malformed) << size;
    EXPECT_THAT(read.error().what, Not(HasSubstr("\n")));
  }
  EXPECT_EQ(read_all_the_same, 1); // without its last field, the second operator set, it is a whole model
}

TEST(ModelReader, every_single_flipped_byte_gives_an_answer) {
  const std::string whole = plain().SerializeAsString();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char mask : {'\x01', '\x80', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ mask);
      if (auto read = parse_model(bytes)) static_cast<void>(optimise(*std::move(read), {}));
    }
}

TEST(ModelReader, bytes_behind_the_model_are_no_part_of_it) {
  EXPECT_EQ(parse_model(plain().SerializeAsString() + '\x07').error().code, Errc::malformed);
}

class OutsideData : public testing::TestWithParam<const char*> {};

// Whatever the file says where its weights are, no other file is opened.
TEST_P(OutsideData, of_a_weight_is_refused_wherever_it_is_said_to_be) {
  auto model = plain();
  auto* tensor = model.mutable_graph()->mutable_initializer(0);
  tensor->clear_float_data();
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = tensor->add_external_data();
  entry->set_key("location");
  entry->set_value(GetParam());
  const Error error = error_of(model);
  EXPECT_EQ(error.code, Errc::unsupported);
  EXPECT_EQ(error.what, "the model keeps its weights in other files: save it as one file first");
}

TEST_P(OutsideData, of_a_literal_inside_a_branch_is_refused_too) {
  auto model = test::parse(R"(g (float[N] x, bool c) => (float[N] y) {
    y = If<then_branch = th () => (float[N] a) { k = Constant<value = float {1.0}>() a = Add(x, k) },
           else_branch = el () => (float[N] b) { b = Neg(x) }>(c)
  })");
  ASSERT_EQ(model.graph().node_size(), 1);
  auto* branch = model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_g();
  auto* tensor = branch->mutable_node(0)->mutable_attribute(0)->mutable_t();
  auto* entry = tensor->add_external_data();
  entry->set_key("location");
  entry->set_value(GetParam());
  EXPECT_EQ(error_of(model).code, Errc::unsupported);
}

INSTANTIATE_TEST_SUITE_P(Places, OutsideData,
                         testing::Values("weights.bin", "../../../../etc/passwd", "/etc/passwd", "/dev/zero",
                                         "no/such/file", "", "a\nb"));

TEST(ModelReader, missing_folder_and_unreadable_paths_are_told_apart) {
  EXPECT_EQ(read_model("/nowhere/model.onnx").error().code, Errc::missing);
  EXPECT_FALSE(read_model(std::filesystem::temp_directory_path()).ok());
}

TEST(ModelReader, path_stands_before_the_reason) {
  const auto path = std::filesystem::temp_directory_path() / ("atc_" + std::to_string(getpid()) + ".onnx");
  ASSERT_TRUE(write_file(path, "no model").ok());
  const auto read = read_model(path);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().where, path.string());
  std::filesystem::remove(path);
}

// A file with a hole in it takes no space; it is refused by its size, before it is read.
TEST(ModelReader, file_over_two_gigabytes_is_refused_by_its_size) {
  const auto path =
      std::filesystem::temp_directory_path() / ("atc_big_" + std::to_string(getpid()) + ".onnx");
  ASSERT_TRUE(write_file(path, "x").ok());
  std::error_code error;
  std::filesystem::resize_file(path, std::uintmax_t{1} << 31, error);
  if (!error) {
    EXPECT_EQ(read_model(path).error().code, Errc::budget);
  }
  std::filesystem::remove(path);
}

TEST(ModelReader, operator_sets_below_seven_and_above_seventeen_are_named) {
  for (const std::int64_t version : {0, 1, 6, 18, 21}) {
    auto model = plain();
    model.mutable_opset_import(0)->set_version(version);
    const Error error = error_of(model);
    EXPECT_EQ(error.code, Errc::unsupported) << version;
    EXPECT_THAT(error.what,
                HasSubstr("operator set " + std::to_string(version) + "; this build reads 7 to 17"));
  }
  for (const std::int64_t version : {7, 13, 17}) {
    auto model = plain();
    model.mutable_opset_import(0)->set_version(version);
    EXPECT_EQ(error_of(model).what, "it was read") << version;
  }
}

TEST(ModelReader, operator_that_does_not_exist_is_named) {
  auto model = plain();
  model.mutable_graph()->mutable_node(0)->set_op_type("Tahn");
  const Error error = error_of(model);
  EXPECT_EQ(error.code, Errc::malformed);
  EXPECT_THAT(error.what, HasSubstr("Tahn"));
}

TEST(ModelReader, operator_with_too_few_inputs_is_refused) {
  for (const char* op : {"Mul", "Gather", "Reshape", "Conv", "MatMul", "Pow", "Clip", "Transpose", "Slice"}) {
    auto model = plain();
    auto* node = model.mutable_graph()->mutable_node(1);
    node->set_op_type(op);
    node->clear_input();
    EXPECT_EQ(error_of(model).code, Errc::malformed) << op;
  }
}

TEST(ModelReader, name_with_control_characters_and_a_line_end_stays_one_line) {
  auto model = plain();
  model.mutable_graph()->mutable_node(1)->set_input(1, "a\nb\x1b[31m");
  EXPECT_THAT(conversion_error_of(model).what, Not(HasSubstr("node")));
  EXPECT_NE(conversion_error_of(model).code, Errc::internal);
}

TEST(ModelReader, graph_without_nodes_is_converted_to_itself) {
  auto model = test::parse("g (float[N, 4] x) => (float[N, 4] x) { }");
  const auto result = optimise(model, {});
  ASSERT_TRUE(result.ok()) << result.error().what;
  EXPECT_EQ(result->nodes_before, 0);
  EXPECT_EQ(result->nodes_after, 0);
}

TEST(ModelReader, empty_graph_has_no_outputs_to_make) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(16);
  model.mutable_graph()->set_name("nothing");
  const Error error = conversion_error_of(model);
  EXPECT_THAT(error.what, testing::AnyOf("it was converted", HasSubstr("rules of ONNX")));
}

TEST(ModelReader, things_that_are_there_twice_are_named) {
  auto weights = plain();
  *weights.mutable_graph()->add_initializer() = weights.graph().initializer(0);
  EXPECT_EQ(Graph::from(weights).error().what, "the weight 'w' is there twice");
  auto inputs = plain();
  *inputs.mutable_graph()->add_input() = inputs.graph().input(0);
  EXPECT_EQ(Graph::from(inputs).error().what, "the input 'x' is there twice");
  auto values = plain();
  values.mutable_graph()->mutable_node(1)->set_output(0, "t");
  EXPECT_EQ(Graph::from(values).error().what, "the value 't' is made twice");
  auto input_made = plain();
  input_made.mutable_graph()->mutable_node(0)->set_output(0, "x");
  EXPECT_EQ(Graph::from(input_made).error().what, "the value 'x' is made twice");
}

TEST(ModelReader, values_that_nothing_makes_are_named) {
  auto model = plain();
  model.mutable_graph()->clear_initializer();
  EXPECT_THAT(Graph::from(model).error().what, HasSubstr("nothing makes the value 'w'"));
  auto output = plain();
  output.mutable_graph()->mutable_output(0)->set_name("z");
  EXPECT_EQ(Graph::from(output).error().what, "nothing makes the output 'z'");
}

TEST(ModelReader, node_that_reads_itself_is_a_cycle) {
  auto model = plain();
  model.mutable_graph()->mutable_node(0)->set_input(0, "t");
  EXPECT_EQ(Graph::from(model).error().what, "the graph has a cycle");
}

// A cycle through a branch: the If waits for what its own output makes.
TEST(ModelReader, cycle_through_a_nested_graph_is_found) {
  const auto model = test::parse(R"(g (float[N] x, bool c) => (float[N] y) {
    z = If<then_branch = th () => (float[N] a) { a = Neg(y) },
           else_branch = el () => (float[N] b) { b = Neg(x) }>(c)
    y = Neg(z)
  })");
  ASSERT_EQ(model.graph().node_size(), 2);
  EXPECT_EQ(Graph::from(model).error().what, "the graph has a cycle");
}

TEST(ModelReader, nodes_in_any_order_are_sorted_and_computed_the_same) {
  auto model = test::parse("g (float[N, 4] x) => (float[N, 4] y) { a = Tanh(x) b = Neg(a) y = Add(a, b) }");
  auto shuffled = model;
  shuffled.mutable_graph()->mutable_node()->SwapElements(0, 2);
  const auto result = test::only(shuffled, {"cleanup"});
  EXPECT_EQ(result.model.graph().node(0).op_type(), "Tanh");
  EXPECT_EQ(result.model.graph().node(2).op_type(), "Add");
  EXPECT_SAME_OUTPUTS(model, result.model);
}

onnx::ModelProto nested(int depth) {
  auto model = test::parse("g (float[N] x, bool c) => (float[N] y) { y = Neg(x) }");
  for (int k = 0; k < depth; ++k) {
    onnx::GraphProto inner = model.graph();
    inner.clear_input();
    inner.set_name("level" + std::to_string(k));
    auto* graph = model.mutable_graph();
    graph->clear_node();
    auto* node = graph->add_node();
    node->set_op_type("If");
    node->add_input("c");
    node->add_output("y");
    for (const char* key : {"then_branch", "else_branch"}) {
      auto* a = node->add_attribute();
      a->set_name(key);
      a->set_type(onnx::AttributeProto::GRAPH);
      *a->mutable_g() = inner;
      if (std::string_view(key) == "else_branch") {
        a->mutable_g()->clear_node();
        auto* neg = a->mutable_g()->add_node();
        neg->set_op_type("Neg");
        neg->add_input("x");
        neg->add_output("y");
      }
    }
  }
  return model;
}

TEST(ModelReader, nesting_of_twenty_is_read_and_of_two_hundred_is_refused) {
  EXPECT_NE(conversion_error_of(nested(20)).what, "this is no ONNX model, or it is cut");
  const Error error = error_of(nested(200));
  EXPECT_EQ(error.code, Errc::malformed);
}

// Older files list every weight among the inputs; engines take them for constants all the same.
TEST(ModelReader, weights_of_an_old_model_are_constants) {
  auto model = test::parse("g (float[N, 4] x, float[4] w) => (float[N, 4] y) { r = Sqrt(w) y = Mul(x, r) }");
  test::weight(model, "w", {4});
  auto old = model;
  old.set_ir_version(3);
  const auto folded = test::only(old, {"fold_constants"});
  EXPECT_EQ(test::ops(folded.model), (std::map<std::string, int>{{"Mul", 1}}));
  EXPECT_EQ(folded.model.graph().input_size(), 1);
  EXPECT_EQ(folded.model.ir_version(), 4);
  EXPECT_SAME_OUTPUTS(old, folded.model);
  EXPECT_EQ(test::ops(test::only(model, {"fold_constants"}).model).at("Sqrt"), 1);
}

TEST(ModelReader, model_of_a_million_and_one_nodes_is_refused) {
  auto model = plain();
  for (int k = 0; k < 1'000'001; ++k)
    model.mutable_graph()->add_node();
  EXPECT_EQ(Graph::from(std::move(model)).error().code, Errc::budget);
}

TEST(ModelReader, huge_declared_dimensions_cost_nothing) {
  for (const char* dims :
       {"N, 4611686018427387904, 8", "N, 5, 4611686018427387904", "4611686018427387904, 5, 8",
        "N, 1099511627776, 1099511627776", "N, 0, 8", "N, 5, 0"}) {
    auto model = test::parse(std::string("g (float[") + dims + R"(] x) => (float[A, B, C] y) {
      eps = Constant<value = float {0.001}>()
      m = ReduceMean<axes = [-1]>(x)
      d = Sub(x, m)
      s = Mul(d, d)
      v = ReduceMean<axes = [-1]>(s)
      ve = Add(v, eps)
      r = Sqrt(ve)
      n = Div(d, r)
      s2 = Mul(n, n)
      v2 = ReduceMean<axes = [-1]>(s2)
      ve2 = Add(v2, eps)
      r2 = Sqrt(ve2)
      n2 = Div(n, r2)
      sh = Shape(n2)
      y = Reshape(n2, sh)
    })");
    ASSERT_GT(model.graph().node_size(), 0) << dims;
    EXPECT_TRUE(optimise(model, {}).ok()) << dims;
  }
}

TEST(ModelReader, weight_whose_dimensions_lie_is_not_looked_into) {
  for (const std::int64_t channels : {std::int64_t{1} << 50, std::int64_t{-4}, std::int64_t{0}}) {
    auto model = test::parse(R"(g (float[N, 3, 8, 8] x) => (float[A, B, C, D] y) {
      c = Conv<kernel_shape = [3, 3]>(x, w)
      y = Mul(c, scale)
    })");
    test::weight(model, "w", {4, 3, 3, 3});
    test::weight(model, "scale", {1});
    model.mutable_graph()->mutable_initializer(0)->set_dims(0, channels);
    EXPECT_EQ(test::ops(test::only(model, {"conv_affine"}).model).at("Mul"), 1) << channels;
  }
}

// A Concat of a thousand Concats of a thousand Concats of nothing: every path is the same one.
TEST(ModelReader, shape_arithmetic_that_fans_out_is_given_up) {
  auto model = test::parse("g (float[N, 4] x) => (float[A] y) { z = Reshape(x, c6) y = Neg(z) }");
  auto* graph = model.mutable_graph();
  const onnx::NodeProto reshape = graph->node(0), neg = graph->node(1);
  graph->clear_node();
  *graph->add_initializer() = int_tensor(std::vector<std::int64_t>{});
  graph->mutable_initializer(0)->set_name("c0");
  for (int level = 1; level <= 6; ++level) {
    auto* node = graph->add_node();
    node->set_op_type("Concat");
    for (int k = 0; k < 1000; ++k)
      node->add_input("c" + std::to_string(level - 1));
    node->add_output("c" + std::to_string(level));
    set_attribute(*node, "axis", std::int64_t{0});
  }
  *graph->add_node() = reshape;
  *graph->add_node() = neg;
  EXPECT_TRUE(test::only(model, {"fold_constants"}).model.has_graph());
}

// A small file whose constants would unfold to gigabytes.
TEST(ModelReader, row_and_column_do_not_become_a_matrix) {
  auto model = test::parse("g (float[N, 4] x) => (float[A, B] y) { m = Add(row, column) y = MatMul(x, m) }");
  test::weight(model, "row", {1, 3000});
  test::weight(model, "column", {3000, 1});
  EXPECT_EQ(test::ops(test::only(model, {"fold_constants"}).model).at("Add"), 1);
}

TEST(ModelReader, one_weight_negated_a_hundred_times_is_not_kept_a_hundred_times) {
  auto model = test::parse("g (float[N, 4] x) => (float[A] y) { y = Neg(x) }");
  test::weight(model, "w", {2'000'000});
  for (int k = 0; k < 100; ++k) {
    auto* node = model.mutable_graph()->add_node();
    node->set_op_type("Neg");
    node->add_input("w");
    node->add_output("n" + std::to_string(k));
    auto* use = model.mutable_graph()->add_node();
    use->set_op_type("Add");
    use->add_input("x");
    use->add_input("n" + std::to_string(k));
    use->add_output("o" + std::to_string(k));
    test::add_output(model, "o" + std::to_string(k));
  }
  const auto result = test::only(model, {"fold_constants"});
  // 8 MB of weights may become 64 + 16 MB more: ten of the hundred.
  EXPECT_EQ(test::ops(result.model).at("Neg"), 1 + 90);
}

TEST(ModelReader, serialised_model_is_the_same_whenever_it_is_written) {
  const auto result = optimise(plain(), {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(*serialise(result->model), *serialise(optimise(plain(), {})->model));
}

} // namespace
} // namespace prof
