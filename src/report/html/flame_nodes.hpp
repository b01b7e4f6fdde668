// flame_nodes.hpp: the nodes of a flame tree while it is built: what stands under one parent by one name is
// one node.
#pragma once
#include "report/html/flame.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace prof {

// A thread's name without its number: "worker-12" and "worker-3" are one kind of thread.
[[nodiscard]] std::string without_number(std::string name);

class FlameNodes {
public:
  FlameNodes(FlameTree& tree, std::string_view root); // root: a text id
  std::uint32_t name(std::string_view text);
  // The node itself where the tree is as large as it may be.
  std::uint32_t child(std::uint32_t parent, std::uint32_t name, FlameKind kind);

private:
  FlameTree& tree_;
  std::unordered_map<std::string, std::uint32_t> name_index_;
  std::unordered_map<std::uint64_t, std::uint32_t> children_;
};

} // namespace prof
