#include "plan/applies.hpp"

#include "plan/service_facts.hpp"

#include <algorithm>

namespace prof {
namespace {

bool has_time_in(const Store& store, const std::vector<std::string>& types) {
  const OpTable& op = store.tables().op;
  for (std::size_t i = 0; i < op.slice.size(); ++i)
    if (op.self_dur[i] > 0 && std::ranges::find(types, store.text(op.op_type[i])) != types.end()) return true;
  return false;
}

bool has_queue(const Store& store) {
  return std::ranges::any_of(store.tables().stage.wait_class, [&](StrId wait) {
    return store.text(wait) == "queue_wait" || store.text(wait) == "batch_wait";
  });
}

bool is_about_waiting(const Effect& effect) {
  return effect.kind == EffectKind::batching || effect.kind == EffectKind::batch_wait ||
         effect.kind == EffectKind::admission;
}

} // namespace

Applies applies_to(const Action& action, const Store& store, std::int64_t cpus) {
  if (cpus > 0 && cpus < action.fewest_cpus) return Applies::few_cpus;
  if (!action.op_types.empty() && !has_time_in(store, action.op_types)) return Applies::other_ops;
  if (action.effects.empty()) return Applies::yes;
  if (std::ranges::all_of(action.effects, is_about_waiting) && !has_queue(store)) return Applies::no_queue;
  const bool is_without_ops = std::ranges::all_of(action.effects, [&](const Effect& effect) {
    return effect.kind == EffectKind::ops && !has_time_in(store, effect.names);
  });
  return is_without_ops ? Applies::other_ops : Applies::yes;
}

void keep_applicable(Diagnosis& diagnosis, const std::vector<Action>& actions, const Store& store) {
  const auto cpus = std::ssize(detail::service_facts(store, diagnosis.target).cpus);
  for (Cause& cause : diagnosis.causes)
    std::erase_if(cause.actions, [&](const std::string& id) {
      const Action* action = find_action(actions, id);
      if (action == nullptr) cause.advice.push_back(id);
      return action == nullptr || applies_to(*action, store, cpus) != Applies::yes;
    });
}

} // namespace prof
