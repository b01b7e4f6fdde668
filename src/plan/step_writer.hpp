// step_writer.hpp: the commands, config files and scripts of a plan's steps.
#pragma once
#include "plan/plan.hpp"
#include "plan/service_facts.hpp"

#include <vector>

namespace prof::detail {

struct StepInputs {
  const std::vector<Action>& all;
  const std::vector<const Action*>& picked; // picked[i] is the action of plan.steps[i]
  const Store& store;
  const RequestModel* model; // nullptr: nothing could be replayed
  const ServiceFacts& facts;
  const PlanOptions& options;
};
// One change at a time: what a step starts or converts holds all changes up to it, and its rollback those up
// to the step before. Commands name files as seen from where the plan was made; a script names its own
// folder's files by that folder, wherever it is called from.
void write_steps(Plan& plan, const StepInputs& in);

} // namespace prof::detail
