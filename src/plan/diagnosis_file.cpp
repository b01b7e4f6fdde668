#include "plan/diagnosis_file.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"
#include "base/sha256.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

// yaml-cpp takes some 500 bytes for each node of two characters: half a GB for this. Reports have 20 to 200
// KB.
constexpr std::int64_t kMaxBytes = std::int64_t{2} << 20;
constexpr std::size_t kMaxCauses = 1000;
constexpr std::size_t kMaxListed = 100; // pieces of evidence of a cause, examples of one

std::string text_of(const YAML::Node& node) {
  return node && node.IsScalar() ? node.Scalar() : std::string{};
}

double number_of(const YAML::Node& node) {
  const double value = node && node.IsScalar() ? node.as<double>(0.0) : 0.0;
  return std::isfinite(value) ? value : 0.0;
}

// A confidence, a share: what is there and is no such figure was not written by a diagnosis, and a plan made
// of it would look like one that was.
double figure_of(const YAML::Node& node, std::string_view name) {
  if (!node || node.IsNull()) return 0.0;
  double value = 0;
  if (!node.IsScalar() || !YAML::convert<double>::decode(node, value) || !(value >= 0 && value <= 1 + 1e-9))
    throw YAML::Exception(node.Mark(), fmt::format("{} must be a number from 0 to 1, not '{}'", name,
                                                   text_of(node).substr(0, 40)));
  return std::min(value, 1.0);
}

std::int64_t whole_of(const YAML::Node& node, std::int64_t otherwise) {
  return node && node.IsScalar() ? node.as<std::int64_t>(otherwise) : otherwise;
}

// Lists longer than a person reads are cut, not refused.
template <typename T, typename Read>
std::vector<T> list_of(const YAML::Node& node, const Read& read) {
  std::vector<T> out;
  if (node && node.IsSequence())
    for (const auto& item : node)
      if (item.IsMap() && out.size() < kMaxListed) out.push_back(read(item));
  return out;
}

std::vector<DiagnosedExample> examples_of(const YAML::Node& node) {
  return list_of<DiagnosedExample>(node, [](const YAML::Node& item) {
    return DiagnosedExample{.slice_id = whole_of(item["slice_id"], -1),
                            .ts_ns = whole_of(item["ts_ns"], 0),
                            .dur_ns = whole_of(item["dur_ns"], 0),
                            .name = text_of(item["name"])};
  });
}

std::vector<DiagnosedEvidence> evidence_of(const YAML::Node& node) {
  return list_of<DiagnosedEvidence>(node, [](const YAML::Node& item) {
    DiagnosedEvidence out{.text = text_of(item["text"]),
                          .unit = text_of(item["unit"]),
                          .sql = text_of(item["sql"]),
                          .value = {},
                          .examples = examples_of(item["examples"]),
                          .name = text_of(item["name"])};
    double value = 0; // null, a text, nan: not to be had
    if (const YAML::Node known = item["value"]; known && known.IsScalar())
      if (YAML::convert<double>::decode(known, value) && std::isfinite(value)) out.value = value;
    return out;
  });
}

DiagnosedCause cause_of(const YAML::Node& node) {
  DiagnosedCause cause;
  cause.id = text_of(node["id"]);
  if (cause.id.empty()) throw YAML::Exception(node.Mark(), "a cause without an id");
  cause.title = text_of(node["title"]);
  cause.summary = text_of(node["summary"]);
  cause.confidence = figure_of(node["confidence"], "confidence");
  const YAML::Node share = node["share"];
  if (share && !share.IsNull() && !share.IsMap()) throw YAML::Exception(share.Mark(), "share must be a map");
  if (share && share.IsMap()) {
    cause.share_mean = figure_of(share["mean"], "share.mean");
    cause.share_slow = figure_of(share["slow"], "share.slow");
    cause.share_unit = text_of(share["unit"]);
  }
  const YAML::Node actions = node["actions"];
  if (actions && actions.IsSequence())
    for (const auto& action : actions)
      if (cause.actions.size() < kMaxListed) cause.actions.push_back(text_of(action));
  cause.evidence = evidence_of(node["evidence"]);
  cause.against = evidence_of(node["against"]);
  cause.examples = examples_of(node["examples"]);
  return cause;
}

DiagnosisFile diagnosis_of(const YAML::Node& root) {
  DiagnosisFile out;
  const YAML::Node trace = root["trace"];
  if (trace && trace.IsMap()) {
    out.trace_path = text_of(trace["path"]);
    out.trace_sha256 = text_of(trace["sha256"]);
    out.trace_start_ns = whole_of(trace["start_ns"], 0);
    out.trace_duration_ns = whole_of(trace["duration_ns"], 0);
  }
  const YAML::Node requests = root["requests"], threads = root["threads"];
  if (requests && requests.IsMap()) out.unit_ns = number_of(requests["n"]) * number_of(requests["mean_ns"]);
  if (threads && threads.IsMap()) out.unit_ns = number_of(threads["total_ns"]);
  out.target = text_of(root["target"]);
  out.problem = text_of(root["problem"]);
  const YAML::Node causes = root["causes"];
  if (!causes) throw YAML::Exception(root.Mark(), "'causes' is missing");
  if (causes.IsNull()) return out;
  if (!causes.IsSequence()) throw YAML::Exception(causes.Mark(), "'causes' must be a list");
  for (const auto& cause : causes) {
    if (!cause.IsMap()) throw YAML::Exception(cause.Mark(), "a cause must be a map");
    if (out.causes.size() >= kMaxCauses) throw YAML::Exception(cause.Mark(), "too many causes");
    out.causes.push_back(cause_of(cause));
  }
  return out;
}

} // namespace

Result<DiagnosisFile> parse_diagnosis(std::string_view yaml, std::string_view where) {
  try { // yaml-cpp refuses nesting beyond 500 levels by itself
    const YAML::Node root = YAML::Load(std::string(yaml));
    const std::string schema = root.IsMap() ? text_of(root["schema"]) : std::string();
    if (schema.empty()) return error_said(Errc::malformed, "error.no_diagnosis", std::string(where));
    if (schema != "cann-profiler/diagnosis/1")
      return error_said(Errc::unsupported, "error.diagnosis_schema", std::string(where),
                        fmt::arg("schema", schema.substr(0, 100)));
    return diagnosis_of(root);
  } catch (const YAML::Exception& problem) {
    // What YAML finds wrong with a trace or a log says nothing to whoever gave it.
    if (yaml.find("cann-profiler/") == std::string_view::npos)
      return error_said(Errc::malformed, "error.no_diagnosis", std::string(where));
    return error_said(Errc::malformed, "error.bad_yaml", fmt::format("{}:{}", where, problem.mark.line + 1),
                      fmt::arg("why", problem.msg));
  }
}

Result<DiagnosisFile> read_diagnosis_file(const std::filesystem::path& path) {
  PROF_TRY(const std::string content, read_report(path, kMaxBytes));
  return parse_diagnosis(content, path.string());
}

Result<TraceOrigin> origin_of(const DiagnosisFile& diagnosis, const std::filesystem::path& trace) {
  if (diagnosis.trace_sha256.empty()) return TraceOrigin::unknown;
  PROF_TRY(const std::string sha, sha256_of(trace));
  return sha == diagnosis.trace_sha256 ? TraceOrigin::same : TraceOrigin::foreign;
}

} // namespace prof
