// graph.hpp: an ONNX graph that passes can rewrite: who makes a value, who uses it, what is constant, what
// shape it has.
#pragma once
#include "base/result.hpp"
#include "graph/attributes.hpp"

#include <cstdint>
#include <initializer_list>
#include <onnx/onnx_pb.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace prof {

// One dimension: a number, or a symbol that stands for the same number wherever it occurs, or neither
// (unknown).
struct GraphDim {
  std::int64_t value = -1; // -1: not a number
  std::string symbol;      // empty: no symbol
  [[nodiscard]] bool is_known() const { return value >= 0; }
  [[nodiscard]] bool same_as(const GraphDim& o) const {
    return is_known() ? value == o.value : !symbol.empty() && symbol == o.symbol;
  }
};
using GraphShape = std::vector<GraphDim>;
using NodeIndex = int;
inline constexpr NodeIndex kNoNode = -1;

// The top-level graph of a model. Values used inside nested graphs (If, Loop) are treated like outputs: never
// rewritten. Not thread-safe. Node references stay valid until add() is called.
class Graph {
public:
  // Takes the model over; literals (Constant nodes) become initialisers. Errors: malformed (a cycle, a value
  // made twice or never: the message names it), budget (more than a million nodes).
  [[nodiscard]] static Result<Graph> from(onnx::ModelProto model);
  // The rewritten model, nodes sorted by dependence, initialisers that nobody uses left out. Error: internal
  // (a pass made a cycle).
  [[nodiscard]] Result<onnx::ModelProto> to_model() const;
  // Infers all shapes anew from the inputs. What cannot be inferred stays unknown.
  void infer_shapes();

  [[nodiscard]] NodeIndex node_count() const { return static_cast<NodeIndex>(nodes_.size()); }
  [[nodiscard]] bool is_alive(NodeIndex i) const { return !is_dead_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] onnx::NodeProto& node(NodeIndex i) { return nodes_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const onnx::NodeProto& node(NodeIndex i) const { return nodes_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::int64_t opset() const;
  [[nodiscard]] const onnx::ModelProto& header() const {
    return model_;
  } // everything but nodes and initialisers

  // The node that makes `value`; kNoNode for inputs, initialisers and unknown names.
  [[nodiscard]] NodeIndex producer(std::string_view value) const;
  // The same, when it is a live node of that type in the default domain (or `domain`).
  [[nodiscard]] NodeIndex producer(std::string_view value, std::string_view op_type,
                                   std::string_view domain = "") const;
  [[nodiscard]] std::vector<NodeIndex> users(std::string_view value) const;
  // The one user of a value that is neither an output nor seen by a nested graph; else kNoNode.
  [[nodiscard]] NodeIndex only_user(std::string_view value) const;
  // An output of the graph, or read by a nested graph of a live node.
  [[nodiscard]] bool is_kept(std::string_view value) const {
    const std::string name(value);
    return outputs_.contains(name) || nested_uses_.contains(name);
  }

  // Null when the value is no constant. Constants are initialisers that are not also inputs.
  [[nodiscard]] const onnx::TensorProto* constant(std::string_view value) const;
  [[nodiscard]] std::int64_t constant_bytes() const; // of all constants
  [[nodiscard]] std::int64_t given_constant_bytes() const { return given_constant_bytes_; } // at the start
  // All numbers of a float constant, or its only number.
  [[nodiscard]] std::optional<std::vector<float>> floats(std::string_view value) const;
  [[nodiscard]] std::optional<float> scalar(std::string_view value) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> ints(std::string_view value) const;
  // Null when unknown.
  [[nodiscard]] const GraphShape* shape(std::string_view value) const;
  [[nodiscard]] int rank(std::string_view value) const; // -1: unknown
  [[nodiscard]] int element_type(std::string_view value) const;

  // A new node with one output, whose name is returned unless `output` names it.
  std::string add(std::string_view op_type, std::vector<std::string> inputs, std::string_view near_name,
                  std::string_view output = "", std::string_view domain = "");
  [[nodiscard]] onnx::NodeProto& last() { return nodes_.back(); }
  std::string add_floats(std::string_view hint, std::vector<std::int64_t> dims,
                         std::span<const float> values);
  std::string add_ints(std::string_view hint, std::span<const std::int64_t> values, bool is_scalar = false);
  std::string add_constant(std::string_view hint, onnx::TensorProto tensor);
  void remove(NodeIndex i);
  void set_input(NodeIndex i, int slot, const std::string& value);
  void append_input(NodeIndex i, const std::string& value);
  // Makes every user of `from` use `to`. When `from` is an output of the graph, the maker of `to` takes over
  // its name; false (and no change) when that is impossible.
  bool replace(const std::string& from, const std::string& to);
  // Removes nodes whose outputs nobody uses, again and again, and then constants. Returns how many nodes.
  int remove_unused();
  void set_shape(const std::string& value, GraphShape shape, int element_type);
  // Declares an operator set of another domain.
  void need_domain(std::string_view domain, std::int64_t version);

private:
  Status take_inputs_and_weights(onnx::GraphProto& graph);
  Status take_nodes(onnx::GraphProto& graph, std::unordered_set<std::string>& known);
  void index_node(NodeIndex i);
  [[nodiscard]] bool is_wanted(const std::string& value) const; // somebody uses it, or may
  void drop_use(const std::string& value, NodeIndex user);
  std::string fresh(std::string_view hint);
  [[nodiscard]] std::vector<NodeIndex> sorted_nodes() const;
  [[nodiscard]] onnx::ModelProto for_inference() const;

  onnx::ModelProto model_;
  std::vector<onnx::NodeProto> nodes_;
  std::vector<bool> is_dead_;
  std::unordered_map<std::string, NodeIndex> producer_;
  std::unordered_map<std::string, std::vector<NodeIndex>> users_; // one entry per use
  std::unordered_map<std::string, onnx::TensorProto> constants_;
  std::unordered_map<std::string, GraphShape> shapes_;
  std::unordered_map<std::string, int> types_;
  std::unordered_set<std::string> outputs_;
  std::unordered_map<std::string, int> nested_uses_; // how many live nodes' nested graphs name it
  std::unordered_set<std::string> inputs_;
  std::int64_t next_name_ = 0, given_constant_bytes_ = 0;
};

} // namespace prof
