// pass.hpp: one rewriting of a graph. A pass is one file in passes/, found by its name
// (cmake/registry.cmake).
#pragma once
#include "graph/graph.hpp"

#include <span>
#include <string_view>

namespace prof {

struct PassOptions {
  bool is_forced = false; // named in fusion_config.json: also where it does not pay on the CPU
};

struct Pass {
  std::string_view id;      // the key in fusion_config.json
  int order = 0;            // passes run by this, lowest first
  std::string_view text_id; // what a change is, in one phrase
  bool is_on_by_default = true;
  bool needs_engine_ops = false; // makes operators that only ONNX Runtime has (com.microsoft)
  // Rewrites what it finds and returns how many places. Shapes are fresh when it starts. Must leave every
  // output's value the same up to rounding, and must end when it runs again on its own result.
  int (*run)(Graph& graph, const PassOptions& options) = nullptr;
};

// All passes, sorted by file name; they run by `order`.
[[nodiscard]] std::span<const Pass* const> all_passes();
[[nodiscard]] const Pass* find_pass(std::string_view id);

} // namespace prof
