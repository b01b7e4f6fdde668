// action.hpp: what can be done about a cause. The actions are data: knowledge/actions/<id>.yaml.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// A text in each language.
struct TextPair {
  std::string en, zh;
  [[nodiscard]] const std::string& in(Lang lang) const { return lang == Lang::zh ? zh : en; }
};

enum class ActionClass : std::uint8_t { config_only, restart, model, code, hardware };
[[nodiscard]] std::string_view action_class_name(ActionClass value); // "config-only" ...

// A triangular distribution.
struct Range {
  double low = 0, typical = 0, high = 0;
};

enum class EffectKind : std::uint8_t {
  ops,      // removes a share of the time of some operator types
  time,     // removes a share of some classes of request_time
  workers,  // `add` more workers; service gets slower by the range (1.1 = 10 %)
  batching, // up to `add` times as many requests per batch; the range is the cost of each further one against
            // the first
  batch_wait, // removes a share of the wait for a batch to fill
  admission,  // refuses requests whose wait would exceed `add` mean services
};
[[nodiscard]] std::string_view effect_kind_name(EffectKind value);
struct Effect {
  EffectKind kind = EffectKind::ops;
  std::vector<std::string> names; // op types or time classes
  Range range;                    // share removed, 0..1, unless the kind says otherwise
  double add = 0;
  bool is_assumed = true; // the range is judgement; false: it was measured
  TextPair source;        // where the range comes from
};

struct Action {
  std::string id;
  ActionClass action_class = ActionClass::config_only;
  TextPair title, why, rollback, risk_text;
  std::vector<TextPair> steps; // what a person does
  // Placeholders in {}: src/plan/fill.hpp. {service} is the command that starts the service with all changes
  // up to this step (in a rollback: up to the step before).
  std::vector<std::string> commands, rollback_commands;
  std::vector<std::string> service_env; // "NAME=value": set for the service from this step on
  // "key: value", in the words of our own services. They are used where the recording shows that the service
  // has such a key; `setting` says the same in words that hold for any service.
  std::vector<std::string> service_config;
  TextPair setting;
  std::vector<std::string> op_types;   // a trace without operators of these types has nothing it acts on
  std::vector<std::string> atc_passes; // switched on in fusion_config.json
  std::vector<Effect> effects;         // empty: its gain cannot be replayed
  std::vector<std::string> conflicts;  // action ids
  std::int64_t fewest_cpus = 1;        // on a smaller machine it does not apply
  double risk = 0;                     // 0..1
  double effort_hours = 0;
  bool is_search = false;      // it looks for the cause and changes nothing: nothing is there to prove
  bool is_about_start = false; // it mends the first requests: its proof must not leave them out as warm-up
  bool has_ceiling =
      true; // false: the time of its causes is no bound that says anything (all that the device does)
  bool is_reversible = true;
  bool changes_numbers = false; // results may differ beyond rounding
  int memory = 0;               // -1 needs less, 1 needs more
};

// Every action, sorted by id. Errors: malformed (a bug in knowledge/, caught by the tests).
[[nodiscard]] Result<std::vector<Action>> load_actions();
[[nodiscard]] Result<Action> parse_action(std::string_view yaml, std::string_view where);
[[nodiscard]] const Action* find_action(const std::vector<Action>& actions, std::string_view id);

} // namespace prof
