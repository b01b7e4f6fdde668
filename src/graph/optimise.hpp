// optimise.hpp: runs the passes over a model and says what each did.
#pragma once
#include "graph/pass.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace prof {

// Which passes run. Read from fusion_config.json:
//   {"schema": "cann-profiler/fusion_config/1", "passes": {"layout": true, "attention": false}}     others:
//   as by default
//   {"passes": ["layout", "attention"]}                                                              only
//   these
//   {"Switch": {"GraphFusion": {"ALL": "off", "layout": "on"}}}                                      the
//   vendor's spelling
struct FusionConfig {
  std::map<std::string, bool, std::less<>> switches;
  bool is_default_on = true; // for passes that are not named
  [[nodiscard]] bool is_on(const Pass& pass) const;
};
// Errors: malformed (not JSON, not this shape), bad_argument (a pass that does not exist; the message lists
// those that do).
[[nodiscard]] Result<FusionConfig> parse_fusion_config(std::string_view json);

struct PassChange {
  const Pass* pass = nullptr;
  int count = 0;
};

struct Optimised {
  onnx::ModelProto model;
  std::vector<PassChange> changes;                      // of every pass that was on, by order
  std::map<std::string, std::pair<int, int>> op_counts; // operator -> before, after
  int nodes_before = 0, nodes_after = 0;
};

// Up to eight rounds over all passes, until a round changes nothing. Constant nodes count as no operator.
[[nodiscard]] Result<Optimised> optimise(onnx::ModelProto model, const FusionConfig& config);

} // namespace prof
