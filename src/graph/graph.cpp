#include "graph/graph.hpp"

#include "base/lang.hpp"
#include "graph/tensor_data.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <queue>

namespace prof {
namespace {

constexpr int kMaxNodes = 1'000'000;
constexpr const char* kOutputSuffix = "_output"; // of a new node's value
constexpr std::int64_t kFreeWeightsIr = 4;       // from this IR version on a weight need not be an input too

// A name of the file's choosing, as long as a message can bear.
std::string_view shown(const std::string& name) {
  return std::string_view(name).substr(0, 200);
}

// Old models name every weight among the inputs, where newer ones would say that a caller may replace it.
// Engines take them for constants, and so does this: the model becomes the equal one of the next IR version.
void free_weights(onnx::ModelProto& model) {
  std::unordered_set<std::string> weights;
  for (const auto& tensor : model.graph().initializer())
    weights.insert(tensor.name());
  auto* inputs = model.mutable_graph()->mutable_input();
  const auto kept = std::stable_partition(inputs->begin(), inputs->end(),
                                          [&](const auto& input) { return !weights.contains(input.name()); });
  inputs->erase(kept, inputs->end());
  model.set_ir_version(kFreeWeightsIr);
}

// Every name that a nested graph mentions: some may come from outside. Iterative, as nesting is the file's
// choice.
void collect_nested_names(const onnx::NodeProto& node, std::unordered_set<std::string>& names) {
  std::vector<const onnx::GraphProto*> open;
  const auto push = [&open](const onnx::NodeProto& n) {
    for (const auto& a : n.attribute()) {
      if (a.has_g()) open.push_back(&a.g());
      for (const auto& g : a.graphs())
        open.push_back(&g);
    }
  };
  push(node);
  while (!open.empty()) {
    const onnx::GraphProto* graph = open.back();
    open.pop_back();
    for (const auto& inner : graph->node()) {
      for (const auto& input : inner.input())
        names.insert(input);
      push(inner);
    }
    for (const auto& output : graph->output())
      names.insert(output.name());
  }
}

} // namespace

Status Graph::take_inputs_and_weights(onnx::GraphProto& graph) {
  const auto twice = [](const char* id, const std::string& name) {
    return error_said(Errc::malformed, id, {}, fmt::arg("name", shown(name)));
  };
  for (const auto& input : graph.input())
    if (!inputs_.insert(input.name()).second) return twice("error.graph_input_twice", input.name());
  std::unordered_set<std::string> weights;
  for (auto& tensor : *graph.mutable_initializer()) {
    if (!weights.insert(tensor.name()).second) return twice("error.graph_weight_twice", tensor.name());
    std::string name = tensor.name();
    constants_.emplace(std::move(name), std::move(tensor));
  }
  for (const auto& tensor : graph.sparse_initializer())
    if (!weights.insert(tensor.values().name()).second)
      return twice("error.graph_weight_twice", tensor.values().name());
  graph.clear_initializer();
  return {};
}

// Literals become initialisers, as which passes know them; all other nodes are kept.
Status Graph::take_nodes(onnx::GraphProto& graph, std::unordered_set<std::string>& known) {
  nodes_.reserve(static_cast<std::size_t>(graph.node_size()));
  for (auto& node : *graph.mutable_node()) {
    for (const auto& output : node.output())
      if (!output.empty() && !known.insert(output).second)
        return error_said(Errc::malformed, "error.graph_made_twice", {}, fmt::arg("name", shown(output)));
    // An output of the graph keeps its node: not every engine gives an initialiser out.
    if (auto value = literal(node); value && !outputs_.contains(node.output(0))) {
      value->set_name(node.output(0));
      constants_.emplace(node.output(0), *std::move(value));
      continue;
    }
    nodes_.push_back(std::move(node));
    is_dead_.push_back(false);
    index_node(node_count() - 1);
  }
  graph.clear_node();
  return {};
}

Result<Graph> Graph::from(onnx::ModelProto model) {
  Graph g;
  onnx::GraphProto* graph = model.mutable_graph();
  if (graph->node_size() > kMaxNodes)
    return error_said(Errc::budget, "error.graph_large", {}, fmt::arg("n", kMaxNodes));
  if (model.ir_version() < kFreeWeightsIr) free_weights(model);
  PROF_CHECK(g.take_inputs_and_weights(*graph));
  std::unordered_set<std::string> known = g.inputs_;
  for (const auto& [name, tensor] : g.constants_)
    known.insert(name);
  for (const auto& tensor : graph->sparse_initializer())
    known.insert(tensor.values().name());
  for (const auto& output : graph->output())
    g.outputs_.insert(output.name());
  PROF_CHECK(g.take_nodes(*graph, known));
  g.given_constant_bytes_ = g.constant_bytes();
  g.model_ = std::move(model);
  for (const auto& node : g.nodes_)
    for (const auto& input : node.input())
      if (!input.empty() && !known.contains(input))
        return error_said(Errc::malformed, "error.graph_value", {}, fmt::arg("name", shown(input)),
                          fmt::arg("node", shown(node.name())));
  for (const auto& output : g.model_.graph().output())
    if (!known.contains(output.name()))
      return error_said(Errc::malformed, "error.graph_output", {}, fmt::arg("name", shown(output.name())));
  if (g.sorted_nodes().size() != g.nodes_.size()) return error_said(Errc::malformed, "error.graph_cycle", {});
  return g;
}

std::vector<NodeIndex> Graph::sorted_nodes() const {
  std::vector<int> waiting(nodes_.size(), 0);
  std::unordered_map<std::string, std::vector<NodeIndex>> nested_users; // what nested graphs read counts too
  // Smallest index first: the order of the file is kept wherever it can be.
  std::priority_queue<NodeIndex, std::vector<NodeIndex>, std::greater<>> ready;
  for (NodeIndex i = 0; i < node_count(); ++i) {
    if (!is_alive(i)) continue;
    int& count = waiting[static_cast<std::size_t>(i)];
    for (const auto& input : node(i).input())
      count += producer(input) != kNoNode ? 1 : 0;
    std::unordered_set<std::string> nested;
    collect_nested_names(node(i), nested);
    for (const auto& name : nested) {
      if (producer(name) == kNoNode || producer(name) == i) continue;
      nested_users[name].push_back(i);
      ++count;
    }
    if (count == 0) ready.push(i);
  }
  std::vector<NodeIndex> order;
  const auto release = [&](const std::unordered_map<std::string, std::vector<NodeIndex>>& from,
                           const std::string& value) {
    const auto found = from.find(value);
    if (found == from.end()) return;
    for (const NodeIndex user : found->second)
      if (is_alive(user) && --waiting[static_cast<std::size_t>(user)] == 0) ready.push(user);
  };
  while (!ready.empty()) {
    const NodeIndex i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const auto& output : node(i).output()) {
      release(users_, output);
      release(nested_users, output);
    }
  }
  return order;
}

Result<onnx::ModelProto> Graph::to_model() const {
  onnx::ModelProto model = model_;
  onnx::GraphProto* graph = model.mutable_graph();
  const auto order = sorted_nodes();
  std::size_t alive = 0;
  for (NodeIndex i = 0; i < node_count(); ++i)
    alive += is_alive(i) ? 1U : 0U;
  if (order.size() != alive) return Error{Errc::internal, "a pass made a cycle", {}};
  std::vector<std::string> names;
  for (const NodeIndex i : order)
    *graph->add_node() = node(i);
  for (const auto& [name, tensor] : constants_) {
    if (is_wanted(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  for (const std::string& name : names)
    *graph->add_initializer() = constants_.at(name);
  // Shapes of values that are gone would only mislead.
  graph->clear_value_info();
  return model;
}

std::int64_t Graph::opset() const {
  for (const auto& set : model_.opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx") return set.version();
  return 0;
}

void Graph::need_domain(std::string_view domain, std::int64_t version) {
  for (const auto& set : model_.opset_import())
    if (set.domain() == domain) return;
  auto* set = model_.add_opset_import();
  set->set_domain(std::string(domain));
  set->set_version(version);
}

NodeIndex Graph::producer(std::string_view value) const {
  const auto found = producer_.find(std::string(value));
  return found == producer_.end() ? kNoNode : found->second;
}

NodeIndex Graph::producer(std::string_view value, std::string_view op_type, std::string_view domain) const {
  const NodeIndex i = producer(value);
  return i != kNoNode && node(i).op_type() == op_type && node(i).domain() == domain ? i : kNoNode;
}

std::vector<NodeIndex> Graph::users(std::string_view value) const {
  const auto found = users_.find(std::string(value));
  if (found == users_.end()) return {};
  std::vector<NodeIndex> list = found->second;
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

NodeIndex Graph::only_user(std::string_view value) const {
  if (is_kept(value)) return kNoNode;
  const auto list = users(value);
  return list.size() == 1 ? list[0] : kNoNode;
}

const onnx::TensorProto* Graph::constant(std::string_view value) const {
  const std::string name(value);
  const auto found = constants_.find(name);
  // An initialiser that is also an input is only a default, which a caller may replace.
  return found == constants_.end() || inputs_.contains(name) ? nullptr : &found->second;
}

std::int64_t Graph::constant_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& [name, tensor] : constants_)
    bytes += static_cast<std::int64_t>(tensor.ByteSizeLong());
  return bytes;
}

std::optional<std::vector<float>> Graph::floats(std::string_view value) const {
  const auto* tensor = constant(value);
  return tensor == nullptr ? std::nullopt : float_values(*tensor);
}

std::optional<float> Graph::scalar(std::string_view value) const {
  const auto* tensor = constant(value);
  if (tensor == nullptr || element_count(*tensor) != 1) return std::nullopt;
  const auto values = float_values(*tensor);
  return values ? std::optional((*values)[0]) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> Graph::ints(std::string_view value) const {
  const auto* tensor = constant(value);
  return tensor == nullptr ? std::nullopt : int_values(*tensor);
}

const GraphShape* Graph::shape(std::string_view value) const {
  const auto found = shapes_.find(std::string(value));
  return found == shapes_.end() ? nullptr : &found->second;
}

int Graph::rank(std::string_view value) const {
  const GraphShape* s = shape(value);
  return s == nullptr ? -1 : static_cast<int>(s->size());
}

int Graph::element_type(std::string_view value) const {
  const auto found = types_.find(std::string(value));
  return found == types_.end() ? 0 : found->second;
}

void Graph::set_shape(const std::string& value, GraphShape shape, int element_type) {
  shapes_[value] = std::move(shape);
  types_[value] = element_type;
}

std::string Graph::fresh(std::string_view hint) {
  for (;;) {
    std::string name = fmt::format("{}/atc_{}", hint.substr(0, 400), next_name_++);
    // add() names its output after its node: neither may be taken, as they are in a model converted before.
    const auto is_taken = [this](const std::string& n) {
      return producer_.contains(n) || constants_.contains(n) || inputs_.contains(n) || is_kept(n);
    };
    if (!is_taken(name) && !is_taken(name + kOutputSuffix)) return name;
  }
}

std::string Graph::add(std::string_view op_type, std::vector<std::string> inputs, std::string_view near_name,
                       std::string_view output, std::string_view domain) {
  onnx::NodeProto node;
  node.set_op_type(std::string(op_type));
  node.set_domain(std::string(domain));
  const std::string name = fresh(fmt::format("{}/{}", near_name.substr(0, 300), op_type));
  node.set_name(name);
  for (std::string& input : inputs)
    node.add_input(std::move(input));
  const std::string out = output.empty() ? name + kOutputSuffix : std::string(output);
  node.add_output(out);
  nodes_.push_back(std::move(node));
  is_dead_.push_back(false);
  index_node(node_count() - 1);
  return out;
}

std::string Graph::add_constant(std::string_view hint, onnx::TensorProto tensor) {
  const std::string name = fresh(hint);
  tensor.set_name(name);
  GraphShape dims;
  for (const std::int64_t d : tensor.dims())
    dims.push_back({d, {}});
  set_shape(name, std::move(dims), tensor.data_type());
  constants_.emplace(name, std::move(tensor));
  return name;
}

std::string Graph::add_floats(std::string_view hint, std::vector<std::int64_t> dims,
                              std::span<const float> values) {
  return add_constant(hint, float_tensor(std::move(dims), values));
}

std::string Graph::add_ints(std::string_view hint, std::span<const std::int64_t> values, bool is_scalar) {
  return add_constant(hint, int_tensor(values, is_scalar));
}

void Graph::index_node(NodeIndex i) {
  for (const auto& output : node(i).output())
    if (!output.empty()) producer_[output] = i;
  for (const auto& input : node(i).input())
    if (!input.empty()) users_[input].push_back(i);
  std::unordered_set<std::string> nested;
  collect_nested_names(node(i), nested);
  for (const auto& name : nested)
    ++nested_uses_[name];
}

void Graph::drop_use(const std::string& value, NodeIndex user) {
  const auto found = users_.find(value);
  if (found == users_.end()) return;
  const auto at = std::ranges::find(found->second, user);
  if (at != found->second.end()) found->second.erase(at);
}

bool Graph::is_wanted(const std::string& value) const {
  const auto found = users_.find(value);
  // The default of an input stays: without it the caller would have to give that input.
  return (found != users_.end() && !found->second.empty()) || is_kept(value) || inputs_.contains(value);
}

void Graph::remove(NodeIndex i) {
  if (!is_alive(i)) return;
  is_dead_[static_cast<std::size_t>(i)] = true;
  for (const auto& input : node(i).input())
    drop_use(input, i);
  for (const auto& output : node(i).output()) {
    const auto found = producer_.find(output);
    if (found != producer_.end() && found->second == i) producer_.erase(found);
  }
  std::unordered_set<std::string> nested;
  collect_nested_names(node(i), nested);
  for (const auto& name : nested)
    if (const auto found = nested_uses_.find(name); found != nested_uses_.end() && --found->second == 0)
      nested_uses_.erase(found);
}

void Graph::set_input(NodeIndex i, int slot, const std::string& value) {
  drop_use(node(i).input(slot), i);
  node(i).set_input(slot, value);
  users_[value].push_back(i);
}

void Graph::append_input(NodeIndex i, const std::string& value) {
  node(i).add_input(value);
  users_[value].push_back(i);
}

bool Graph::replace(const std::string& from, const std::string& to) {
  if (from == to) return true;
  if (is_kept(from)) {
    // The name of an output must stay: the maker of `to` takes it over, if `to` is nobody else's promise.
    const NodeIndex maker = producer(to);
    const NodeIndex old = producer(from);
    if (maker == kNoNode || old == kNoNode || is_kept(to) || maker == old) return false;
    if (shape(from) != nullptr && shape(to) != nullptr && shape(from)->size() != shape(to)->size())
      return false;
    const std::vector<NodeIndex> those = users(to);
    remove(old);
    for (auto& output : *node(maker).mutable_output())
      if (output == to) output = from;
    producer_.erase(to);
    producer_[from] = maker;
    for (const NodeIndex user : those)
      if (is_alive(user))
        for (int slot = 0; slot < node(user).input_size(); ++slot)
          if (node(user).input(slot) == to) set_input(user, slot, from);
    if (const GraphShape* s = shape(to)) set_shape(from, *s, element_type(to));
    return true;
  }
  for (const NodeIndex user : users(from))
    for (int slot = 0; slot < node(user).input_size(); ++slot)
      if (node(user).input(slot) == from) set_input(user, slot, to);
  return true;
}

int Graph::remove_unused() {
  std::vector<NodeIndex> open;
  for (NodeIndex i = 0; i < node_count(); ++i)
    open.push_back(i);
  int removed = 0;
  while (!open.empty()) {
    const NodeIndex i = open.back();
    open.pop_back();
    if (!is_alive(i)) continue;
    if (std::ranges::any_of(node(i).output(), [this](const std::string& o) { return is_wanted(o); }))
      continue;
    std::unordered_set<std::string> inputs(node(i).input().begin(), node(i).input().end());
    collect_nested_names(node(i), inputs);
    remove(i);
    ++removed;
    for (const std::string& input : inputs)
      if (const NodeIndex maker = producer(input); maker != kNoNode) open.push_back(maker);
  }
  std::erase_if(constants_, [this](const auto& entry) { return !is_wanted(entry.first); });
  return removed;
}

} // namespace prof
