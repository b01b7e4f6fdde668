// comparison_view.hpp: two traces side by side, for people and for machines.
#pragma once
#include "base/lang.hpp"
#include "base/yaml_writer.hpp"
#include "report/page_model.hpp"
#include "verdict/compare.hpp"

namespace prof {

// Schema cann-profiler/comparison/1: every row.
[[nodiscard]] Doc comparison_doc(const Comparison& comparison);
// At most `max_rows` rows a level, the largest changes first; says how many there are.
[[nodiscard]] PageModel comparison_page(const Comparison& comparison, Lang lang, std::size_t max_rows);

} // namespace prof
