// diagnosis_file.hpp: the part of a diagnosis report (YAML) that a plan is made from.
#pragma once
#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

struct DiagnosedCause {
  std::string id, title;
  double confidence = 0, share_mean = 0, share_slow = 0;
  std::vector<std::string> actions;
};
struct DiagnosisFile {
  std::string trace_path, trace_sha256, target, problem;
  std::vector<DiagnosedCause> causes;
};

// Errors: missing, io, permission; budget (over 16 MiB); malformed (over 1000 causes, nested over 500 deep
// too) with the line; unsupported for another schema.
[[nodiscard]] Result<DiagnosisFile> read_diagnosis_file(const std::filesystem::path& path);
[[nodiscard]] Result<DiagnosisFile> parse_diagnosis(std::string_view yaml, std::string_view where);

} // namespace prof
