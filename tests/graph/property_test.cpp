// For graphs that nobody wrote: what comes out computes what went in.
#include "make.hpp"
#include "random_graph.hpp"

#include <gtest/gtest.h>
#include <random>

namespace prof {
namespace {

// std::mt19937's numbers are the same everywhere, and distributions are not used.
std::vector<std::uint8_t> bytes_of(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(200);
  for (std::uint8_t& b : bytes)
    b = static_cast<std::uint8_t>(random() >> 11U);
  return bytes;
}

std::string text_of(const onnx::ModelProto& model) {
  std::string text;
  for (const auto& node : model.graph().node()) {
    text += node.output(0) + " = " + node.op_type() + "(";
    for (const auto& input : node.input())
      text += input + " ";
    text += ")\n";
  }
  return text;
}

class RandomGraphs : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomGraphs, compute_the_same_after_all_passes) {
  if (!test::has_engine()) GTEST_SKIP() << "ONNX Runtime is not installed";
  constexpr std::uint32_t kGraphs = 40;
  int compared = 0;
  std::map<std::string_view, int> changed;
  for (std::uint32_t k = 0; k < kGraphs; ++k) {
    const auto bytes = bytes_of(GetParam() * kGraphs + k);
    const auto given = test::RandomGraph(bytes).make();
    const auto read = parse_model(given.SerializeAsString());
    ASSERT_TRUE(read.ok()) << k << ": " << read.error().what << "\n" << text_of(given);
    const auto result = optimise(*read, {});
    ASSERT_TRUE(result.ok()) << k << ": " << result.error().what << "\n" << text_of(given);
    const std::string difference = test::difference(given, result->model, 1e-4);
    // A graph that the engine itself refuses (shapes that do not fit) says nothing about the passes.
    if (difference.starts_with("the given model")) continue;
    // Nor does one that the engine's own optimiser changes as much.
    if (!difference.empty() && !test::difference(given, given, 1e-4).empty()) continue;
    ++compared;
    for (const PassChange& change : result->changes)
      changed[change.pass->id] += change.count;
    EXPECT_EQ(difference, "") << k << "\n" << text_of(given) << "became\n" << text_of(result->model);
    // And again: a converted model is a model.
    const auto twice = optimise(result->model, {});
    ASSERT_TRUE(twice.ok()) << k << ": " << twice.error().what;
    EXPECT_EQ(twice->nodes_after, result->nodes_after) << k << "\n" << text_of(result->model);
  }
  EXPECT_GE(compared, 25);
  std::string report;
  for (const auto& [id, count] : changed)
    report += std::string(id) + " " + std::to_string(count) + ", ";
  RecordProperty("changed", report);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, testing::Range(0U, 10U));

} // namespace
} // namespace prof
