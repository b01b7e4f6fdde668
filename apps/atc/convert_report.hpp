// convert_report.hpp: what a conversion did, for people.
#pragma once
#include "base/lang.hpp"
#include "graph/optimise.hpp"
#include "graph/prove.hpp"

#include <optional>
#include <string>
#include <vector>

namespace prof {

struct Conversion {
  Optimised optimised;
  std::string bytes; // of the converted model, as ONNX
  std::int64_t bytes_before = 0;
  int border_changes = 0;
  std::optional<Proof> proof;
  std::vector<Measured>
      measured; // given without and with the engine's optimiser, converted with it; empty: not asked for
};

// The table of changes, the proof, the measurement. Names in it come from the model: make them safe for a
// terminal.
[[nodiscard]] std::string conversion_text(const Conversion& conversion, const std::string& model_path,
                                          Lang lang);
// The same as Markdown, with the operators to look at and how to trace them.
[[nodiscard]] std::string guide_markdown(const Conversion& conversion, const std::string& model_path,
                                         const std::string& output_path, Lang lang);

} // namespace prof
