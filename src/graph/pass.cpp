#include "graph/pass.hpp"

#include <algorithm>

namespace prof {

const Pass* find_pass(std::string_view id) {
  for (const Pass* pass : all_passes())
    if (pass->id == id) return pass;
  return nullptr;
}

} // namespace prof
