// applies.hpp: can this action do anything about this trace? `diagnose` suggests what does, and nothing else;
// `generate-plan` says of the rest why not.
#pragma once
#include "plan/action.hpp"
#include "rules/diagnosis.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <vector>

namespace prof {

enum class Applies : std::uint8_t {
  yes,
  few_cpus,  // it needs more cores than this machine has
  other_ops, // it changes operators of types that this trace spends no time in
  no_queue,  // it changes how requests wait for each other, and here none waits
};
// `cpus`: of the machine; 0 = not known.
[[nodiscard]] Applies applies_to(const Action& action, const Store& store, std::int64_t cpus);

// Takes from each cause the actions that do not apply to its trace; ids that are no action of the plan (a
// user's own rules name them) become its advice.
void keep_applicable(Diagnosis& diagnosis, const std::vector<Action>& actions, const Store& store);

} // namespace prof
