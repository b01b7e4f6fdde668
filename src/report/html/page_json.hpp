// page_json.hpp: the JSON parts of the page: everything that is not bulk data.
#pragma once
#include "report/html/assembly.hpp"
#include "report/html/flame.hpp"
#include "report/html/heat.hpp"
#include "report/html/html_page.hpp"
#include "report/html/page_rows.hpp"

#include <nlohmann/json.hpp>

namespace prof {

// Header facts, groups, rows, requests, notes, signals, texts in both languages.
[[nodiscard]] nlohmann::json page_meta(const Store& store, const PageOptions& options, const PageRows& rows,
                                       const PageNames& names);
// One chunk of arg sets: [[key, value, ...], ...] for sets [from, to).
[[nodiscard]] nlohmann::json args_json(const Store& store, std::uint32_t from, std::uint32_t to);
[[nodiscard]] nlohmann::json heat_json(const HeatMap& heat);
// Names, counts and the columns' sizes of a tree; the columns follow in binary.
[[nodiscard]] nlohmann::json flame_json(const FlameTree& tree);
[[nodiscard]] nlohmann::json assembly_json(const AssemblyFunction& function);
[[nodiscard]] nlohmann::json mappings_json(const Store& store, const Assembly& assembly);

} // namespace prof
