// plan_view.hpp: a plan as Markdown and as a tree for YAML and JSON.
#pragma once
#include "base/lang.hpp"
#include "base/yaml_writer.hpp"
#include "plan/plan.hpp"

#include <string>

namespace prof {

[[nodiscard]] std::string plan_markdown(const Plan& plan, Lang lang);
// Keys are English in every language; shares and changes are fractions (-0.12 = 12 % less).
[[nodiscard]] Doc plan_doc(const Plan& plan);

} // namespace prof
