// flame.hpp: samples joined to requests, stages and operators by thread and time, and calls whose times were
// recorded, merged into trees.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace prof {

enum class FlameKind : std::uint8_t {
  root,
  context,
  request,
  stage,
  op_type,
  op,
  function,
  kernel_function,
  thread
};

struct FlameNode {
  std::uint32_t parent = 0; // the root is its own parent; a parent stands before its children
  std::uint32_t name = 0;   // into FlameTree::names; kind context: a text id
  FlameKind kind = FlameKind::root;
  std::uint32_t count = 0; // samples whose innermost node this is
  std::int64_t weight = 0; // their weight (ns for CPU samples and time off the CPU, events for the others)
};
struct FlamePc {
  std::uint32_t mapping = kNoRow;
  std::uint64_t rel_pc = 0;
  StrId source_file;
  std::uint32_t line = 0;
  std::uint32_t self = 0; // over the whole tree
};
// Samples of a node at an instruction: self = executing it, total = also calls under way from it.
struct FlameHit {
  std::uint32_t node = 0, pc = 0, self = 0, total = 0;
};
struct FlameTree {
  std::string event;
  bool is_time_off_cpu = false; // the weights are the graph's widths (SampleWeights)
  bool is_wall_time = false;    // likewise: recorded calls (call_tree.hpp); counts are calls
  std::int64_t left_out = 0;    // switches that were no blocking
  std::vector<std::string> names;
  std::vector<FlameNode> nodes;
  std::vector<FlamePc> pcs;
  std::vector<FlameHit> hits;
  // How samples found their operator: on the operator's own thread; on a pool thread while exactly one
  // operator of its process was active; on a pool thread with several active (left unassigned); in a request
  // but in no operator; outside.
  std::int64_t own_thread = 0, joined = 0, ambiguous = 0, no_op = 0, outside = 0;
};

// One tree per sample event, the event with most samples first (events without any call stack still get their
// contexts), then the one of recorded calls.
[[nodiscard]] std::vector<FlameTree> build_flame_trees(const Store& store);

} // namespace prof
