// make.hpp: small ONNX models for tests, written as text.
#pragma once
#include "graph/engine.hpp"
#include "graph/model_file.hpp"
#include "graph/optimise.hpp"
#include "graph/prove.hpp"

#include <map>
#include <onnx/defs/parser.h>
#include <string>
#include <string_view>
#include <vector>

namespace prof::test {

// A model in ONNX' own text syntax; a mistake in the text comes back as a model without a graph.
inline onnx::ModelProto parse(const std::string& graph, int opset = 16) {
  const std::string text = "<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) +
                           ", \"com.microsoft\" : 1]>\n" + graph;
  onnx::ModelProto model;
  onnx::OnnxParser parser(text.c_str());
  if (!parser.Parse(model).IsOK()) return {};
  return model;
}

// Gives the model a float weight whose numbers follow a fixed pattern: all different, none zero.
inline void weight(onnx::ModelProto& model, const std::string& name, std::vector<std::int64_t> dims,
                   float base = 1.0F) {
  std::int64_t count = 1;
  for (const std::int64_t d : dims)
    count *= d;
  auto* tensor = model.mutable_graph()->add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t d : dims)
    tensor->add_dims(d);
  for (std::int64_t i = 0; i < count; ++i)
    tensor->add_float_data(base + 0.1F * static_cast<float>((i * 7) % 11) -
                           0.05F * static_cast<float>(i % 3));
}

// `text` with its first `from` (which must be there) replaced.
inline std::string with(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  if (at == std::string::npos) return "the text has no '" + std::string(from) + "'";
  return text.replace(at, from.size(), to);
}
inline std::string with_all(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Constant nodes turned into initialisers.
inline void lift_literals(onnx::ModelProto& model) {
  onnx::GraphProto kept;
  for (auto& node : *model.mutable_graph()->mutable_node()) {
    if (auto value = literal(node)) {
      value->set_name(node.output(0));
      *model.mutable_graph()->add_initializer() = *std::move(value);
    } else {
      *kept.add_node() = node;
    }
  }
  model.mutable_graph()->mutable_node()->Swap(kept.mutable_node());
}

// One more output of the graph.
inline void add_output(onnx::ModelProto& model, const std::string& name) {
  auto* output = model.mutable_graph()->add_output();
  output->set_name(name);
  output->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
}

// Runs only the named passes.
inline Optimised only(onnx::ModelProto model, const std::vector<std::string>& passes) {
  FusionConfig config;
  config.is_default_on = false;
  for (const std::string& id : passes)
    config.switches[id] = true;
  auto result = optimise(std::move(model), config);
  return result ? *std::move(result) : Optimised{};
}

inline std::map<std::string, int> ops(const onnx::ModelProto& model) {
  std::map<std::string, int> counts;
  for (const auto& node : model.graph().node())
    ++counts[node.op_type()];
  return counts;
}

inline bool has_engine() {
  return Engine::open({}).ok();
}

// The proof of the engine that two models give the same outputs; its error text otherwise.
inline std::string difference(const onnx::ModelProto& before, const onnx::ModelProto& after,
                              double tolerance = 1e-5) {
  const auto engine = Engine::open({});
  if (!engine) return engine.error().what;
  ProofOptions options;
  options.tolerance = tolerance;
  const auto proof = prove_equal(*engine, before.SerializeAsString(), after.SerializeAsString(), options);
  if (!proof) return proof.error().where + ": " + proof.error().what;
  for (const OutputProof& o : proof->outputs)
    if (!o.is_equal) return o.name + " differs by " + std::to_string(o.max_abs);
  return {};
}

} // namespace prof::test

// The claim about outputs needs the engine; without it the structural claims around it still stand.
#define EXPECT_SAME_OUTPUTS(before, after)                                                                   \
  do {                                                                                                       \
    if (prof::test::has_engine()) {                                                                          \
      EXPECT_EQ(prof::test::difference(before, after), "");                                                  \
    }                                                                                                        \
  } while (false)
