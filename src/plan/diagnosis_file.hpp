// diagnosis_file.hpp: what others need of a diagnosis report (YAML): a plan is made from its causes and
// actions, the page shows its evidence.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// A span that shows it: a row of SQL's table slice, with what it was when the report was made.
struct DiagnosedExample {
  std::int64_t slice_id = -1, ts_ns = 0, dur_ns = 0;
  std::string name;
};
struct DiagnosedEvidence {
  std::string text, unit, sql;
  std::optional<double> value; // none: it could not be had
  std::vector<DiagnosedExample> examples;
  std::string name{}; // of the rule's evidence
};
struct DiagnosedCause {
  std::string id, title, summary, share_unit{};
  double confidence = 0, share_mean = 0, share_slow = 0;
  std::vector<std::string> actions;
  std::vector<DiagnosedEvidence> evidence, against;
  std::vector<DiagnosedExample> examples;
};
struct DiagnosisFile {
  std::string trace_path, trace_sha256, target, problem;
  std::int64_t trace_start_ns = 0, trace_duration_ns = 0;
  double unit_ns = 0; // of all units (requests, runs, threads) together; 0 = the report does not say
  std::vector<DiagnosedCause> causes;
};

// Errors: missing, io, permission; budget (over 2 MiB); malformed (over 1000 causes, nested over 500 deep
// too) with the line; unsupported for another schema.
[[nodiscard]] Result<DiagnosisFile> read_diagnosis_file(const std::filesystem::path& path);
[[nodiscard]] Result<DiagnosisFile> parse_diagnosis(std::string_view yaml, std::string_view where);

// Whether a report was made from this very trace: by the digest that it names, so that neither a moved nor a
// renamed trace is foreign, and one that was recorded anew under the old name is.
enum class TraceOrigin : std::uint8_t { same, foreign, unknown }; // unknown: the report names no digest
// Cost: one reading of the trace. Errors: those of sha256_of.
[[nodiscard]] Result<TraceOrigin> origin_of(const DiagnosisFile& diagnosis,
                                            const std::filesystem::path& trace);

} // namespace prof
