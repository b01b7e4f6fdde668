#include "plan/action.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

constexpr std::array<std::string_view, 5> kClasses{"config-only", "restart", "model", "code", "hardware"};
constexpr std::array<std::string_view, 6> kEffects{"ops",      "time",       "workers",
                                                   "batching", "batch_wait", "admission"};

// The helpers below throw YAML::Exception; parse_action catches it at its one border.
TextPair pair_of(const YAML::Node& node) {
  return {node["en"].as<std::string>(), node["zh"].as<std::string>()};
}

std::vector<std::string> list_of(const YAML::Node& node) {
  std::vector<std::string> out;
  for (const auto& item : node)
    out.push_back(item.as<std::string>());
  return out;
}

template <std::size_t N>
std::size_t index_of(const std::array<std::string_view, N>& names, const YAML::Node& node) {
  const std::string text = node.as<std::string>();
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) throw YAML::Exception(node.Mark(), "unknown word '" + text + "'");
  return static_cast<std::size_t>(at - names.begin());
}

Effect effect_of(const YAML::Node& node) {
  Effect effect;
  effect.kind = static_cast<EffectKind>(index_of(kEffects, node["kind"]));
  effect.names = list_of(node["names"]);
  const YAML::Node range = node["range"];
  if (range)
    effect.range = {range["low"].as<double>(), range["typical"].as<double>(), range["high"].as<double>()};
  if (effect.range.low > effect.range.typical || effect.range.typical > effect.range.high)
    throw YAML::Exception(node.Mark(), "range must rise from low over typical to high");
  effect.add = node["add"].as<double>(0);
  effect.source = pair_of(node["source"]);
  return effect;
}

Action action_of(const YAML::Node& node) {
  Action action;
  action.id = node["id"].as<std::string>();
  action.action_class = static_cast<ActionClass>(index_of(kClasses, node["class"]));
  action.title = pair_of(node["title"]);
  action.why = pair_of(node["why"]);
  action.rollback = pair_of(node["rollback"]);
  action.risk_text = pair_of(node["risk_text"]);
  for (const auto& step : node["steps"])
    action.steps.push_back(pair_of(step));
  action.commands = list_of(node["commands"]);
  action.rollback_commands = list_of(node["rollback_commands"]);
  for (const auto& file : node["files"])
    action.files.push_back({file["name"].as<std::string>(), file["content"].as<std::string>()});
  action.atc_passes = list_of(node["atc_passes"]);
  for (const auto& effect : node["effects"])
    action.effects.push_back(effect_of(effect));
  action.conflicts = list_of(node["conflicts"]);
  action.risk = node["risk"].as<double>();
  action.effort_hours = node["effort_hours"].as<double>();
  action.is_reversible = node["reversible"].as<bool>(true);
  action.changes_numbers = node["changes_numbers"].as<bool>(false);
  action.memory = node["memory"].as<int>(0);
  return action;
}

} // namespace

std::string_view action_class_name(ActionClass value) {
  return kClasses[static_cast<std::size_t>(value)];
}

Result<Action> parse_action(std::string_view yaml, std::string_view where) {
  try {
    return action_of(YAML::Load(std::string(yaml)));
  } catch (const YAML::Exception& problem) {
    return Error{Errc::malformed, problem.msg, fmt::format("{}:{}", where, problem.mark.line + 1)};
  }
}

Result<std::vector<Action>> load_actions() {
  std::vector<Action> actions;
  for (const KnowledgeFile& file : knowledge_files()) {
    if (!file.path.starts_with("actions/")) continue;
    PROF_TRY(Action action, parse_action(file.content, file.path));
    actions.push_back(std::move(action));
  }
  std::sort(actions.begin(), actions.end(), [](const Action& a, const Action& b) { return a.id < b.id; });
  return actions;
}

const Action* find_action(const std::vector<Action>& actions, std::string_view id) {
  const auto at =
      std::find_if(actions.begin(), actions.end(), [&](const Action& action) { return action.id == id; });
  return at == actions.end() ? nullptr : &*at;
}

} // namespace prof
