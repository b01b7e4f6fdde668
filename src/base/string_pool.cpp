#include "base/string_pool.hpp"

namespace prof {

StringPool::StringPool() {
  intern({});
}

StrId StringPool::intern(std::string_view text) {
  if (const auto found = index_.find(text); found != index_.end()) return {found->second};
  const auto row = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  index_.emplace(texts_.back(), row);
  return {row};
}

bool StringPool::find(std::string_view text, StrId& out) const {
  const auto found = index_.find(text);
  if (found == index_.end()) return false;
  out = {found->second};
  return true;
}

} // namespace prof
