// unit_views.hpp: the views that a rule's SQL may name, by what stands for a unit of work in the trace.
#pragma once
#include "rules/request_set.hpp"

#include <map>
#include <string>

namespace prof {

// Name -> SQL, which may name other views as {name}. docs/diagnosis.md describes them.
using Views = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] Views views_of(UnitKind kind);

} // namespace prof
