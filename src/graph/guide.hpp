// guide.hpp: what a profiler should look at in a converted model: its dear operators, what was fused, how
// exact it is.
#pragma once
#include "base/yaml_writer.hpp"
#include "graph/optimise.hpp"
#include "graph/prove.hpp"

#include <optional>
#include <string>

namespace prof {

struct KeyOp {
  std::string name, op_type;
  double share =
      0; // of the multiply-adds of all operators whose shapes are known, a free dimension counted as 1
};

// The operators that make up most of the arithmetic, dearest first, at most `limit`.
[[nodiscard]] std::vector<KeyOp> key_ops(const onnx::ModelProto& model, std::size_t limit);

// atc_profiler_config.yaml, as `profiler load-config` reads it: schema, model, key_operators, fusion_groups,
// precision.
[[nodiscard]] Doc profiler_config(const Optimised& result, const std::optional<Proof>& proof,
                                  const std::string& model_path, const std::string& model_sha256);

} // namespace prof
