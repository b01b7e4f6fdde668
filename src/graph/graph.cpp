#include "graph/graph.hpp"

#include "graph/tensor_data.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>
#include <queue>

namespace prof {
namespace {

constexpr int kMaxNodes = 1'000'000;

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

GraphShape shape_of(const onnx::TensorShapeProto& proto) {
  GraphShape shape;
  for (const auto& dim : proto.dim()) {
    GraphDim d;
    if (dim.has_dim_value())
      d.value = dim.dim_value();
    else
      d.symbol = dim.dim_param();
    shape.push_back(std::move(d));
  }
  return shape;
}

// Operators whose later versions only allow more element types, or add what is absent by default: raising is
// safe.
bool is_only_widened(std::string_view op) {
  static constexpr std::string_view kWidened[] = {"Add",         "Sub",
                                                  "Mul",         "Div",
                                                  "Relu",        "Reshape",
                                                  "Identity",    "Where",
                                                  "LeakyRelu",   "PRelu",
                                                  "If",          "Loop",
                                                  "Scan",        "Shape",
                                                  "Pow",         "GreaterOrEqual",
                                                  "LessOrEqual", "BatchNormalization"};
  return std::ranges::find(kWidened, op) != std::end(kWidened);
}

// Operators of the engine whose output has the type and shape of their first input.
bool is_like_first_input(const onnx::NodeProto& node) {
  static constexpr std::string_view kEngine[] = {"QuickGelu", "FastGelu", "Gelu", "BiasGelu",
                                                 "MultiHeadAttention"};
  if (node.op_type() == "SimplifiedLayerNormalization") return true;
  return node.domain() == "com.microsoft" && node.input_size() > 0 &&
         std::ranges::find(kEngine, node.op_type()) != std::end(kEngine);
}

} // namespace

Result<Graph> Graph::from(onnx::ModelProto model) {
  Graph g;
  onnx::GraphProto* graph = model.mutable_graph();
  if (graph->node_size() > kMaxNodes)
    return Error{Errc::budget, fmt::format("the graph has more than {} nodes", kMaxNodes), {}};
  for (const auto& input : graph->input())
    g.inputs_.insert(input.name());
  std::unordered_set<std::string> known = g.inputs_;
  for (auto& tensor : *graph->mutable_initializer()) {
    known.insert(tensor.name());
    std::string name = tensor.name();
    g.constants_.emplace(std::move(name), std::move(tensor));
  }
  for (const auto& tensor : graph->sparse_initializer())
    known.insert(tensor.values().name());
  for (const auto& output : graph->output())
    g.kept_.insert(output.name());
  g.nodes_.reserve(static_cast<std::size_t>(graph->node_size()));
  for (auto& node : *graph->mutable_node()) {
    for (const auto& output : node.output())
      if (!output.empty() && !known.insert(output).second)
        return Error{Errc::malformed, fmt::format("the value '{}' is made twice", output.substr(0, 200)), {}};
    collect_nested_names(node, g.kept_);
    g.nodes_.push_back(std::move(node));
    g.is_dead_.push_back(false);
    g.index_node(g.node_count() - 1);
  }
  graph->clear_node();
  graph->clear_initializer();
  g.model_ = std::move(model);
  for (const auto& node : g.nodes_)
    for (const auto& input : node.input())
      if (!input.empty() && !known.contains(input))
        return Error{Errc::malformed,
                     fmt::format("nothing makes the value '{}', which '{}' uses", input.substr(0, 200),
                                 node.name().substr(0, 200)),
                     {}};
  for (const auto& output : g.model_.graph().output())
    if (!known.contains(output.name()))
      return Error{
          Errc::malformed, fmt::format("nothing makes the output '{}'", output.name().substr(0, 200)), {}};
  if (g.sorted_nodes().size() != g.nodes_.size()) return Error{Errc::malformed, "the graph has a cycle", {}};
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
    const auto found = users_.find(name);
    if ((found != users_.end() && !found->second.empty()) || kept_.contains(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  for (const std::string& name : names)
    *graph->add_initializer() = constants_.at(name);
  // Shapes of values that are gone would only mislead.
  graph->clear_value_info();
  return model;
}

// The model as shape inference wants it: operators that only the engine knows stand as Identity of their
// first input, which has their shape; large constants stand as inputs, as only small ones (targets, axes) are
// looked into.
onnx::ModelProto Graph::for_inference() const {
  constexpr std::int64_t kSmall = 4096;
  onnx::ModelProto model = model_;
  onnx::GraphProto* graph = model.mutable_graph();
  graph->clear_value_info();
  for (const NodeIndex i : sorted_nodes()) {
    onnx::NodeProto* copy = graph->add_node();
    *copy = node(i);
    if (!is_like_first_input(*copy)) continue;
    copy->set_op_type("Identity");
    copy->set_domain("");
    copy->clear_attribute();
    copy->mutable_input()->DeleteSubrange(1, copy->input_size() - 1);
    copy->mutable_output()->DeleteSubrange(1, copy->output_size() - 1);
  }
  for (const auto& [name, tensor] : constants_) {
    if (inputs_.contains(name)) continue;
    if (const std::int64_t count = element_count(tensor); count >= 0 && count <= kSmall) {
      *graph->add_initializer() = tensor;
      continue;
    }
    auto* input = graph->add_input();
    input->set_name(name);
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(tensor.data_type());
    for (const std::int64_t d : tensor.dims())
      type->mutable_shape()->add_dim()->set_dim_value(d);
  }
  return model;
}

void Graph::infer_shapes() {
  shapes_.clear();
  types_.clear();
  onnx::ModelProto model = for_inference();
  try {
    // Without its data propagation, which follows a null pointer in the library's version 1.12; symbols.hpp
    // does that work.
    onnx::ShapeInferenceOptions options{false, 0, false};
    onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), options);
  } catch (const std::exception&) {
    // A node that contradicts itself stops the inference: what it found so far stands.
  }
  const auto keep = [this](const onnx::ValueInfoProto& info) {
    if (!info.type().has_tensor_type()) return;
    types_[info.name()] = info.type().tensor_type().elem_type();
    if (info.type().tensor_type().has_shape())
      shapes_[info.name()] = shape_of(info.type().tensor_type().shape());
  };
  for (const auto& info : model.graph().value_info())
    keep(info);
  for (const auto& info : model.graph().input())
    keep(info);
  for (const auto& info : model.graph().output())
    if (!shapes_.contains(info.name())) keep(info);
  for (const auto& [name, tensor] : constants_) {
    GraphShape shape;
    for (const std::int64_t d : tensor.dims())
      shape.push_back({d, {}});
    shapes_[name] = std::move(shape);
    types_[name] = tensor.data_type();
  }
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

bool Graph::raise_opset(std::int64_t version) {
  const std::int64_t now = opset();
  if (now >= version) return true;
  for (NodeIndex i = 0; i < node_count(); ++i) {
    if (!is_alive(i) || !(node(i).domain().empty() || node(i).domain() == "ai.onnx")) continue;
    const auto* before = onnx::OpSchemaRegistry::Schema(node(i).op_type(), static_cast<int>(now));
    const auto* after = onnx::OpSchemaRegistry::Schema(node(i).op_type(), static_cast<int>(version));
    if (before == nullptr && after == nullptr) continue; // the engine's own operator in the default domain
    if (before == nullptr || after == nullptr) return false;
    // BatchNormalization in training form changed its outputs at 14 and 15.
    if (node(i).op_type() == "BatchNormalization" && node(i).output_size() != 1) return false;
    if (before->SinceVersion() != after->SinceVersion() && !(now >= 13 && is_only_widened(node(i).op_type())))
      return false;
  }
  for (auto& set : *model_.mutable_opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx") set.set_version(version);
  if (model_.ir_version() < 8) model_.set_ir_version(8);
  return true;
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
    if (!producer_.contains(name) && !constants_.contains(name) && !inputs_.contains(name)) return name;
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
  const std::string out = output.empty() ? name + "_output" : std::string(output);
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
}

void Graph::drop_use(const std::string& value, NodeIndex user) {
  const auto found = users_.find(value);
  if (found == users_.end()) return;
  const auto at = std::ranges::find(found->second, user);
  if (at != found->second.end()) found->second.erase(at);
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
    const bool is_used = std::ranges::any_of(
        node(i).output(), [this](const std::string& o) { return is_kept(o) || !users(o).empty(); });
    if (is_used) continue;
    std::vector<std::string> inputs(node(i).input().begin(), node(i).input().end());
    remove(i);
    ++removed;
    for (const std::string& input : inputs)
      if (const NodeIndex maker = producer(input); maker != kNoNode) open.push_back(maker);
  }
  return removed;
}

const onnx::AttributeProto* attribute(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& a : node.attribute())
    if (a.name() == name) return &a;
  return nullptr;
}

std::int64_t int_attribute(const onnx::NodeProto& node, std::string_view name, std::int64_t otherwise) {
  const auto* a = attribute(node, name);
  return a != nullptr && a->type() == onnx::AttributeProto::INT ? a->i() : otherwise;
}

std::vector<std::int64_t> ints_attribute(const onnx::NodeProto& node, std::string_view name) {
  const auto* a = attribute(node, name);
  return a == nullptr ? std::vector<std::int64_t>{}
                      : std::vector<std::int64_t>(a->ints().begin(), a->ints().end());
}

void set_attribute(onnx::NodeProto& node, std::string_view name, std::int64_t value) {
  auto* a = node.add_attribute();
  a->set_name(std::string(name));
  a->set_type(onnx::AttributeProto::INT);
  a->set_i(value);
}

void set_attribute(onnx::NodeProto& node, std::string_view name, float value) {
  auto* a = node.add_attribute();
  a->set_name(std::string(name));
  a->set_type(onnx::AttributeProto::FLOAT);
  a->set_f(value);
}

void set_attribute(onnx::NodeProto& node, std::string_view name, std::span<const std::int64_t> values) {
  auto* a = node.add_attribute();
  a->set_name(std::string(name));
  a->set_type(onnx::AttributeProto::INTS);
  for (const std::int64_t v : values)
    a->add_ints(v);
}

} // namespace prof
