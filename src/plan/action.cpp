#include "plan/action.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

constexpr std::array<std::string_view, 5> kClasses{"config-only", "restart", "model", "code", "hardware"};
constexpr std::array<std::string_view, 6> kEffects{"ops",      "time",       "workers",
                                                   "batching", "batch_wait", "admission"};
constexpr std::array<std::string_view, 2> kBases{"measured", "assumed"};
constexpr std::array<std::string_view, 25> kKeys{"id",           "class",          "title",
                                                 "why",          "rollback",       "risk_text",
                                                 "steps",        "commands",       "rollback_commands",
                                                 "service_env",  "service_config", "setting",
                                                 "op_types",     "atc_passes",     "effects",
                                                 "conflicts",    "fewest_cpus",    "risk",
                                                 "effort_hours", "reversible",     "changes_numbers",
                                                 "ceiling",      "about_start",    "memory",
                                                 "search"};
constexpr std::array<std::string_view, 6> kEffectKeys{"kind", "names", "range", "add", "basis", "source"};

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

template <std::size_t N>
void check_keys(const YAML::Node& node, const std::array<std::string_view, N>& known) {
  for (const auto& pair : node)
    index_of(known, pair.first);
}

// Shares that are taken away end at 1; what makes a service slower or a request dearer does not.
bool is_share(EffectKind kind) {
  return kind == EffectKind::ops || kind == EffectKind::time || kind == EffectKind::batch_wait;
}

Effect effect_of(const YAML::Node& node) {
  check_keys(node, kEffectKeys);
  Effect effect;
  effect.kind = static_cast<EffectKind>(index_of(kEffects, node["kind"]));
  effect.names = list_of(node["names"]);
  const YAML::Node range = node["range"];
  if (range)
    effect.range = {range["low"].as<double>(), range["typical"].as<double>(), range["high"].as<double>()};
  if (effect.range.low > effect.range.typical || effect.range.typical > effect.range.high)
    throw YAML::Exception(node.Mark(), "range must rise from low over typical to high");
  if (effect.range.low < 0 || (is_share(effect.kind) && effect.range.high > 1))
    throw YAML::Exception(node.Mark(), "range of a share must lie within 0 and 1");
  effect.add = node["add"].as<double>(0);
  effect.is_assumed = index_of(kBases, node["basis"]) == 1;
  effect.source = pair_of(node["source"]);
  return effect;
}

Action action_of(const YAML::Node& node) {
  if (!node.IsMap()) throw YAML::Exception(node.Mark(), "an action is a map");
  check_keys(node, kKeys);
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
  action.service_env = list_of(node["service_env"]);
  action.service_config = list_of(node["service_config"]);
  if (const YAML::Node setting = node["setting"]) action.setting = pair_of(setting);
  if (!action.service_config.empty() && action.setting.en.empty())
    throw YAML::Exception(node.Mark(), "service_config needs a setting that holds for any service");
  action.op_types = list_of(node["op_types"]);
  action.atc_passes = list_of(node["atc_passes"]);
  for (const auto& effect : node["effects"])
    action.effects.push_back(effect_of(effect));
  action.conflicts = list_of(node["conflicts"]);
  action.fewest_cpus = node["fewest_cpus"].as<std::int64_t>(1);
  action.risk = node["risk"].as<double>();
  action.effort_hours = node["effort_hours"].as<double>();
  action.is_search = node["search"].as<bool>(false);
  action.is_about_start = node["about_start"].as<bool>(false);
  action.has_ceiling = node["ceiling"].as<bool>(true);
  action.is_reversible = node["reversible"].as<bool>(true);
  action.changes_numbers = node["changes_numbers"].as<bool>(false);
  action.memory = node["memory"].as<int>(0);
  return action;
}

} // namespace

std::string_view action_class_name(ActionClass value) {
  return kClasses[static_cast<std::size_t>(value)];
}
std::string_view effect_kind_name(EffectKind value) {
  return kEffects[static_cast<std::size_t>(value)];
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
