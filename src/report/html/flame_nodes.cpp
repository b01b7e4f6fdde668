#include "report/html/flame_nodes.hpp"

#include "report/html/page_bytes.hpp"

#include <cctype>

namespace prof {
namespace {

constexpr std::size_t kMaxNodes = 2'000'000;
constexpr std::size_t kMaxNameBytes = 1000;

} // namespace

std::string without_number(std::string name) {
  while (!name.empty() && (std::isdigit(static_cast<unsigned char>(name.back())) != 0 || name.back() == '-' ||
                           name.back() == '_' || name.back() == '#'))
    name.pop_back();
  return name.empty() ? "?" : name;
}

FlameNodes::FlameNodes(FlameTree& tree, std::string_view root) : tree_(tree) {
  tree_.nodes.push_back({.name = name(root)});
}

std::uint32_t FlameNodes::name(std::string_view text) {
  const auto [at, is_new] =
      name_index_.try_emplace(shortened(text, kMaxNameBytes), static_cast<std::uint32_t>(tree_.names.size()));
  if (is_new) tree_.names.push_back(at->first);
  return at->second;
}

std::uint32_t FlameNodes::child(std::uint32_t parent, std::uint32_t text, FlameKind kind) {
  const std::uint64_t key = (static_cast<std::uint64_t>(parent) << 36) ^
                            (static_cast<std::uint64_t>(text) << 4) ^ static_cast<std::uint64_t>(kind);
  const auto found = children_.find(key);
  if (found != children_.end()) return found->second;
  if (tree_.nodes.size() >= kMaxNodes) return parent;
  const auto id = static_cast<std::uint32_t>(tree_.nodes.size());
  tree_.nodes.push_back({.parent = parent, .name = text, .kind = kind});
  children_.emplace(key, id);
  return id;
}

} // namespace prof
