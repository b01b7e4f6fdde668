// convert.hpp: the work of `atc convert`, between its flags and its report.
#pragma once
#include "common/cli.hpp"
#include "graph/prove.hpp"

#include <filesystem>
#include <string>

namespace prof {

struct ConvertFlags {
  std::filesystem::path model, output, fusion_config, engine;
  std::string input_format, output_format, precision = "origin", input_shape;
  bool is_guide = false, is_proof = true;
  int measure_runs = 0;
  ProofOptions proof;
};

// Reads, optimises, proves, writes, reports. 0 written; 1 not written, the outputs differ; 2 and 3 as
// everywhere.
[[nodiscard]] Exit run_convert(const ConvertFlags& flags, Context& context);

// "x:1,3,320,320;y:8" -> shapes by input. Error: bad_argument.
[[nodiscard]] Result<std::map<std::string, std::vector<std::int64_t>>>
parse_input_shapes(std::string_view text, Lang lang);

} // namespace prof
