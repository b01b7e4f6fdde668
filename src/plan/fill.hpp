// fill.hpp: puts the names of a trace into an action's commands and files.
#pragma once
#include "plan/action.hpp"
#include "plan/plan.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace prof::detail {

// Values of placeholders; those whose value the trace does not know are absent.
using Places = std::map<std::string, std::string, std::less<>>;

// The places that hold for the whole service. "service_command" is a command line, its words already quoted.
[[nodiscard]] Places places_of(const Store& store, const RequestModel* model, const std::string& target,
                               const std::string& trace_path);

// {model}, {optimised_model} of each model file that is known and takes 5 % of the operator time or more.
[[nodiscard]] std::vector<Places> model_places(const Store& store);

// Replaces {name}: quoted for a shell when `is_shell`. Unknown ones become NAME in capitals and are added to
// `open`.
[[nodiscard]] std::string fill(std::string_view text, const Places& places, bool is_shell,
                               std::vector<std::string>& open);

// fusion_config.json that switches on the passes of the picked actions and off those of the others. Passes
// that no action names (folding, cleaning up) run as by default; none is forced where it does not pay.
[[nodiscard]] std::string fusion_config(const std::vector<Action>& all,
                                        const std::vector<const Action*>& picked);

// A script that applies (or undoes) a step; every line as the plan shows it.
[[nodiscard]] std::string script_of(std::string_view title, const std::vector<std::string>& commands);

} // namespace prof::detail
