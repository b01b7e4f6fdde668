#include "report/html/flame.hpp"

#include "report/html/call_tree.hpp"
#include "report/html/flame_nodes.hpp"
#include "report/html/page_bytes.hpp"
#include "report/html/page_rows.hpp"
#include "report/html/sample_context.hpp"
#include "report/html/sample_weight.hpp"
#include "store/request_time.hpp"

#include <algorithm>
#include <map>

namespace prof {
namespace {

constexpr std::uint16_t kMaxStack = 512;

using Stack = std::vector<std::uint32_t>; // frame rows, outermost first

Stack stack_of(const Tables& t, std::uint32_t callstack) {
  Stack stack;
  for (std::uint32_t c = callstack; c < t.callstack.parent.size() && stack.size() < kMaxStack;
       c = t.callstack.parent[c])
    if (t.callstack.frame[c] < t.frame.rel_pc.size()) stack.push_back(t.callstack.frame[c]);
  std::ranges::reverse(stack);
  return stack;
}

// Where operators' own code begins in a stack: the frames above it (thread start, service, session) are the
// same for every operator and say nothing. Learnt from the samples taken inside operators.
class OperatorCode {
public:
  OperatorCode(const Store& store, const ContextFinder& finder) : t_(store.tables()) {
    find_library(finder);
    if (library_ != kNoRow) find_common_prefix(finder);
  }
  // Does the stack run the library that executes operators?
  [[nodiscard]] bool is_in(const Stack& stack) const {
    return library_ != kNoRow &&
           std::ranges::any_of(stack, [&](std::uint32_t f) { return library_of(f) == library_; });
  }
  // The frames below the operator's entry; everything when the entry is not in the stack.
  [[nodiscard]] std::size_t skip(const Stack& stack) const {
    std::size_t at = first_in_library(stack);
    if (at >= stack.size()) return 0;
    for (const std::uint32_t function : prefix_) {
      if (at + 1 >= stack.size() || t_.frame.function[stack[at]].row != function) break;
      ++at;
    }
    return at;
  }

private:
  [[nodiscard]] std::uint32_t library_of(std::uint32_t frame) const {
    const std::uint32_t mapping = t_.frame.mapping[frame];
    return mapping < t_.mapping.path.size() ? t_.mapping.path[mapping].row : kNoRow;
  }
  [[nodiscard]] std::size_t first_in_library(const Stack& stack) const {
    return static_cast<std::size_t>(
        std::ranges::find_if(stack, [&](std::uint32_t f) { return library_of(f) == library_; }) -
        stack.begin());
  }
  template <class Use>
  void each_op_sample(const ContextFinder& finder, Use use) {
    for (std::uint32_t i = 0; i < t_.sample.ts.size(); ++i) {
      if (t_.sample.callstack[i] == kNoRow) continue;
      if (finder.at(t_.sample.thread[i], t_.sample.ts[i], false).join == JoinKind::own_thread)
        use(stack_of(t_, t_.sample.callstack[i]));
    }
  }
  void find_library(const ContextFinder& finder) {
    std::map<std::uint32_t, std::int64_t> leaves;
    each_op_sample(finder, [&](const Stack& stack) {
      if (!stack.empty() && t_.frame.kind[stack.back()] != FrameKind::kernel &&
          library_of(stack.back()) != kNoRow)
        ++leaves[library_of(stack.back())];
    });
    std::int64_t most = 0;
    for (const auto& [library, n] : leaves)
      if (n > most) most = n, library_ = library;
  }
  void find_common_prefix(const ContextFinder& finder) {
    bool is_first = true;
    each_op_sample(finder, [&](const Stack& stack) {
      std::vector<std::uint32_t> functions;
      for (std::size_t i = first_in_library(stack); i < stack.size(); ++i)
        functions.push_back(t_.frame.function[stack[i]].row);
      if (functions.empty()) return;
      if (is_first)
        prefix_ = functions;
      else
        prefix_.resize(
            static_cast<std::size_t>(std::ranges::mismatch(prefix_, functions).in1 - prefix_.begin()));
      is_first = false;
    });
  }
  const Tables& t_;
  std::uint32_t library_ = kNoRow; // path of the mapping
  std::vector<std::uint32_t> prefix_;
};

class TreeBuilder {
public:
  TreeBuilder(const Store& store, StrId event, const ContextFinder& finder, const OperatorCode& code,
              const SampleWeights& weights)
      : store_(store), t_(store.tables()), finder_(finder), code_(code), weights_(weights) {
    tree_.event = std::string(store.text(event));
    tree_.is_time_off_cpu = weights.is_time_off_cpu(event);
  }

  void add(std::uint32_t sample) {
    const std::optional<std::int64_t> weight = weights_.of(sample);
    if (!weight) {
      ++tree_.left_out;
      return;
    }
    const Stack stack = stack_of(t_, t_.sample.callstack[sample]);
    const std::uint32_t thread = t_.sample.thread[sample];
    const SampleContext context = finder_.at(thread, t_.sample.ts[sample], code_.is_in(stack));
    count_join(context.join);
    std::uint32_t node = descend(context, thread);
    const bool is_op = context.join == JoinKind::own_thread || context.join == JoinKind::joined;
    std::uint32_t leaf_pc = kNoRow;
    for (std::size_t i = is_op ? code_.skip(stack) : 0; i < stack.size(); ++i) {
      const std::uint32_t frame = stack[i];
      const bool is_kernel = t_.frame.kind[frame] == FrameKind::kernel;
      node = child(node, frame_name(frame), is_kernel ? FlameKind::kernel_function : FlameKind::function);
      leaf_pc = hit(node, frame);
    }
    ++tree_.nodes[node].count;
    tree_.nodes[node].weight += *weight;
    if (leaf_pc == kNoRow) return;
    ++tree_.pcs[leaf_pc].self;
    ++tree_.hits[hit_index_[static_cast<std::uint64_t>(node) << 32 | leaf_pc]].self;
  }
  FlameTree finish() { return std::move(tree_); }

private:
  void count_join(JoinKind join) {
    switch (join) {
    case JoinKind::own_thread:
      ++tree_.own_thread;
      break;
    case JoinKind::joined:
      ++tree_.joined;
      break;
    case JoinKind::ambiguous:
      ++tree_.ambiguous;
      break;
    case JoinKind::no_op:
      ++tree_.no_op;
      break;
    case JoinKind::outside:
      ++tree_.outside;
      break;
    }
  }
  std::uint32_t descend(const SampleContext& context, std::uint32_t thread) {
    if (context.join == JoinKind::ambiguous)
      return child(0, name("viewer.flame.ambiguous"), FlameKind::context);
    if (context.join == JoinKind::outside) {
      std::uint32_t node = child(0, name("viewer.flame.outside"), FlameKind::context);
      if (thread >= t_.thread.tid.size()) return node;
      if (t_.thread.process[thread] < t_.process.pid.size())
        node = child(node, name(shortened(store_.text(t_.process.name[t_.thread.process[thread]]), 100)),
                     FlameKind::thread);
      return child(node, name(without_number(shortened(store_.text(t_.thread.name[thread]), 100))),
                   FlameKind::thread);
    }
    std::uint32_t node =
        context.request.is_empty()
            ? child(0, name("viewer.flame.no_request"), FlameKind::context)
            : child(0, name(without_step_number(store_.text(context.request))), FlameKind::request);
    if (!context.stage.is_empty()) node = child(node, name(store_.text(context.stage)), FlameKind::stage);
    if (!context.op_type.is_empty())
      node = child(node, name(store_.text(context.op_type)), FlameKind::op_type);
    if (!context.op.is_empty()) node = child(node, name(store_.text(context.op)), FlameKind::op);
    return node;
  }
  std::uint32_t name(std::string_view text) { return nodes_.name(text); }
  std::uint32_t frame_name(std::uint32_t frame) {
    const auto [at, is_new] = frame_names_.try_emplace(t_.frame.function[frame].row, 0);
    if (is_new)
      at->second = name(t_.frame.function[frame].is_empty() ? "?" : store_.text(t_.frame.function[frame]));
    return at->second;
  }
  std::uint32_t child(std::uint32_t parent, std::uint32_t text, FlameKind kind) {
    return nodes_.child(parent, text, kind);
  }
  // Counts the frame's instruction under the node; returns its pc row.
  std::uint32_t hit(std::uint32_t node, std::uint32_t frame) {
    const std::uint32_t mapping = t_.frame.mapping[frame];
    std::string key;
    put(key, mapping);
    put(key, t_.frame.rel_pc[frame]);
    const auto [at, is_new] = pc_index_.try_emplace(key, static_cast<std::uint32_t>(tree_.pcs.size()));
    if (is_new) tree_.pcs.push_back({mapping, t_.frame.rel_pc[frame], {}, 0, 0});
    FlamePc& pc = tree_.pcs[at->second];
    if (t_.frame.line[frame] != 0)
      pc.source_file = t_.frame.source_file[frame], pc.line = t_.frame.line[frame]; // innermost inlined wins
    const auto [slot, is_new_hit] = hit_index_.try_emplace(
        static_cast<std::uint64_t>(node) << 32 | at->second, static_cast<std::uint32_t>(tree_.hits.size()));
    if (is_new_hit) tree_.hits.push_back({node, at->second, 0, 0});
    ++tree_.hits[slot->second].total;
    return at->second;
  }

  const Store& store_;
  const Tables& t_;
  const ContextFinder& finder_;
  const OperatorCode& code_;
  const SampleWeights& weights_;
  FlameTree tree_;
  FlameNodes nodes_{tree_, "viewer.flame.all"};
  std::unordered_map<std::string, std::uint32_t> pc_index_;
  std::unordered_map<std::uint32_t, std::uint32_t> frame_names_;
  std::unordered_map<std::uint64_t, std::uint32_t> hit_index_;
};

std::vector<FlameTree> sampled_trees(const Store& store) {
  const Tables& t = store.tables();
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_event;
  for (std::uint32_t i = 0; i < t.sample.ts.size(); ++i)
    by_event[t.sample.event[i].row].push_back(i);
  std::vector<FlameTree> trees;
  if (by_event.empty()) return trees;
  const ContextFinder finder(store);
  const OperatorCode code(store, finder);
  const SampleWeights weights(store);
  for (const auto& [event, samples] : by_event) {
    TreeBuilder builder(store, StrId{event}, finder, code, weights);
    for (const std::uint32_t sample : samples)
      builder.add(sample);
    trees.push_back(builder.finish());
  }
  const auto size = [](const FlameTree& tree) {
    return tree.own_thread + tree.joined + tree.ambiguous + tree.no_op + tree.outside;
  };
  // CPU samples first; then by number.
  std::ranges::stable_sort(trees, [&](const FlameTree& a, const FlameTree& b) {
    const bool is_cpu_a = a.event == "cpu-clock", is_cpu_b = b.event == "cpu-clock";
    return is_cpu_a != is_cpu_b ? is_cpu_a : size(a) > size(b);
  });
  return trees;
}

} // namespace

std::vector<FlameTree> build_flame_trees(const Store& store) {
  std::vector<FlameTree> trees = sampled_trees(store);
  if (std::optional<FlameTree> calls = build_call_tree(store)) trees.push_back(std::move(*calls));
  return trees;
}

} // namespace prof
