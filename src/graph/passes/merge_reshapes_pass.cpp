// A Reshape of a Reshape is one Reshape; one that changes nothing is none.
#include "graph/match.hpp"
#include "graph/pass.hpp"

#include <algorithm>

namespace prof {
namespace {

bool is_plain_reshape(const Graph& g, NodeIndex i) {
  return is_op(g, i, "Reshape", 2) && int_attribute(g.node(i), "allowzero", 0) == 0;
}

// Zeros of the target mean dimensions of what it reads: where that changes, they become numbers or the change
// is refused.
std::optional<std::vector<std::int64_t>> retargeted(const std::vector<std::int64_t>& target,
                                                    const GraphShape& old_input,
                                                    const GraphShape& new_input) {
  std::vector<std::int64_t> result = target;
  for (std::size_t k = 0; k < target.size(); ++k) {
    if (target[k] != 0) continue;
    if (k >= old_input.size()) return std::nullopt;
    if (k < new_input.size() && old_input[k].same_as(new_input[k])) continue;
    if (!old_input[k].is_known()) return std::nullopt;
    result[k] = old_input[k].value;
  }
  return result;
}

bool merge(Graph& g, NodeIndex i) {
  const NodeIndex first = g.producer(g.node(i).input(0));
  const auto target = g.ints(g.node(i).input(1));
  if (!is_plain_reshape(g, first) || !target) return false;
  const GraphShape *between = g.shape(g.node(i).input(0)), *source = g.shape(g.node(first).input(0));
  if (between == nullptr || source == nullptr) return false;
  const auto renewed = retargeted(*target, *between, *source);
  if (!renewed) return false;
  const std::string x = g.node(first).input(0);
  g.set_input(i, 1, g.add_ints(g.node(i).output(0) + "_shape", *renewed));
  g.set_input(i, 0, x);
  return true;
}

// Every dimension is the same as before: the number of elements is kept, so one may be unknown.
bool is_no_change(const Graph& g, NodeIndex i) {
  const GraphShape *in = g.shape(g.node(i).input(0)), *out = g.shape(g.node(i).output(0));
  if (in == nullptr || out == nullptr || in->size() != out->size()) return false;
  int unknown = 0;
  bool is_empty = false; // 0 elements are kept by any dimension
  const auto target = g.ints(g.node(i).input(1));
  for (std::size_t k = 0; k < in->size(); ++k) {
    is_empty = is_empty || (*in)[k].value == 0 || (*out)[k].value == 0;
    const bool is_copied = target && k < target->size() && (*target)[k] == 0;
    if (is_copied || (*in)[k].same_as((*out)[k])) continue;
    if ((*in)[k].is_known() && (*out)[k].is_known()) return false;
    ++unknown;
  }
  return unknown == 0 || (unknown == 1 && !is_empty);
}

int run(Graph& g, const PassOptions&) {
  int count = 0;
  for (NodeIndex i = 0; i < g.node_count(); ++i) {
    if (!is_plain_reshape(g, i)) continue;
    if (merge(g, i)) ++count;
    if (!is_no_change(g, i)) continue;
    const std::string out = g.node(i).output(0), in = g.node(i).input(0);
    if (!g.replace(out, in)) continue;
    g.remove(i);
    ++count;
  }
  return count;
}

} // namespace

extern const Pass merge_reshapes_pass;
const Pass merge_reshapes_pass{
    .id = "merge_reshapes", .order = 70, .text_id = "atc.pass.merge_reshapes", .run = run};

} // namespace prof
