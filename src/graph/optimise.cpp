#include "graph/optimise.hpp"

#include "base/lang.hpp"
#include "base/nearest.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace prof {
namespace {

using Json = nlohmann::json;
constexpr int kMaxRounds = 8;

std::vector<const Pass*> passes_in_order() {
  std::vector<const Pass*> passes(all_passes().begin(), all_passes().end());
  std::ranges::sort(passes, {}, &Pass::order);
  return passes;
}

Error unknown_fusion(const std::string& id) {
  std::vector<std::string> known;
  for (const Pass* pass : passes_in_order())
    known.emplace_back(pass->id);
  const std::string near = nearest(id, known);
  return {Errc::bad_argument,
          fmt::format("no fusion '{}'{}; there are {}", id.substr(0, 100),
                      near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(known, ", ")),
          {}};
}

Status set_switch(FusionConfig& config, const std::string& id, bool is_on) {
  if (find_pass(id) == nullptr) return unknown_fusion(id);
  config.switches[id] = is_on;
  return {};
}

std::optional<bool> switch_value(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value == "on") return true;
  if (value == "off") return false;
  return std::nullopt;
}

Status read_switches(FusionConfig& config, const Json& object) {
  for (const auto& [key, value] : object.items()) {
    const auto is_on = switch_value(value);
    if (!is_on)
      return error_said(Errc::malformed, "error.fusion_switch", {}, fmt::arg("name", key.substr(0, 100)));
    if (key == "ALL")
      config.is_default_on = *is_on;
    else
      PROF_CHECK(set_switch(config, key, *is_on));
  }
  return {};
}

std::map<std::string, int> count_ops(const onnx::ModelProto& model) {
  std::map<std::string, int> counts;
  for (const auto& node : model.graph().node())
    if (node.op_type() != "Constant") ++counts[node.op_type()];
  return counts;
}

int total(const std::map<std::string, int>& counts) {
  int sum = 0;
  for (const auto& [op, n] : counts)
    sum += n;
  return sum;
}

} // namespace

bool FusionConfig::is_on(const Pass& pass) const {
  const auto found = switches.find(pass.id);
  return found != switches.end() ? found->second : is_default_on && pass.is_on_by_default;
}

Result<FusionConfig> parse_fusion_config(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return error_said(Errc::malformed, "error.no_json_object", {});
  if (json.contains("schema") && json["schema"] != "cann-profiler/fusion_config/1")
    return error_said(Errc::unsupported, "error.fusion_schema", {});
  FusionConfig config;
  if (json.contains("passes") && json["passes"].is_object()) {
    PROF_CHECK(read_switches(config, json["passes"]));
    return config;
  }
  if (json.contains("passes") && json["passes"].is_array()) {
    config.is_default_on = false;
    for (const Json& id : json["passes"]) {
      if (!id.is_string()) return error_said(Errc::malformed, "error.passes_names", {});
      PROF_CHECK(set_switch(config, id.get<std::string>(), true));
    }
    return config;
  }
  if (json.contains("Switch") && json["Switch"].is_object() && json["Switch"].contains("GraphFusion") &&
      json["Switch"]["GraphFusion"].is_object()) {
    PROF_CHECK(read_switches(config, json["Switch"]["GraphFusion"]));
    return config;
  }
  return error_said(Errc::malformed, "error.passes_missing", {});
}

Result<Optimised> optimise(onnx::ModelProto model, const FusionConfig& config) {
  Optimised result;
  const auto before = count_ops(model);
  PROF_TRY(Graph graph, Graph::from(std::move(model)));
  std::map<const Pass*, int> counts;
  for (int round = 0; round < kMaxRounds; ++round) {
    int changed = 0;
    for (const Pass* pass : passes_in_order()) {
      if (!config.is_on(*pass)) continue;
      graph.infer_shapes();
      const int count = pass->run(graph, {.is_forced = config.switches.contains(pass->id)});
      graph.remove_unused();
      counts[pass] += count;
      changed += count;
    }
    if (changed == 0) break;
  }
  PROF_TRY(result.model, graph.to_model());
  const auto after = count_ops(result.model);
  for (const Pass* pass : passes_in_order())
    if (config.is_on(*pass)) result.changes.push_back({pass, counts[pass]});
  for (const auto& [op, n] : before)
    result.op_counts[op].first = n;
  for (const auto& [op, n] : after)
    result.op_counts[op].second = n;
  result.nodes_before = total(before);
  result.nodes_after = total(after);
  return result;
}

} // namespace prof
