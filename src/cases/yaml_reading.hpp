// yaml_reading.hpp: YAML (and JSON) of our own schemas, read with limits; yaml-cpp's exceptions stop here.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <yaml-cpp/yaml.h>

namespace prof::detail {

inline constexpr std::int64_t kMostYamlBytes = 8 << 20;

// Error: malformed with the line (nesting beyond 500 levels too); budget for more than 8 MiB.
[[nodiscard]] Result<YAML::Node> parse_yaml(std::string_view text, std::string_view where);
// The scalar under `key`, or empty / nothing when absent or of another kind.
[[nodiscard]] std::string text_at(const YAML::Node& node, const char* key);
[[nodiscard]] std::optional<double> number_at(const YAML::Node& node, const char* key);
[[nodiscard]] bool flag_at(const YAML::Node& node, const char* key, bool otherwise);
// The items of the list under `key`; empty when absent or no list. (A missing key of yaml-cpp throws on
// nearly every call.)
[[nodiscard]] std::vector<YAML::Node> items_at(const YAML::Node& node, const char* key);
// The map under `key`, or an empty map.
[[nodiscard]] YAML::Node map_at(const YAML::Node& node, const char* key);
[[nodiscard]] std::vector<std::string> list_at(const YAML::Node& node, const char* key);

} // namespace prof::detail
