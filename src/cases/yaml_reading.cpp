#include "cases/yaml_reading.hpp"

#include "base/lang.hpp"

#include <charconv>
#include <cmath>

namespace prof::detail {

Result<YAML::Node> parse_yaml(std::string_view text, std::string_view where) {
  if (static_cast<std::int64_t>(text.size()) > kMostYamlBytes)
    return error_said(Errc::budget, "error.larger_than_8_mib", std::string(where));
  try { // yaml-cpp refuses nesting beyond 500 levels by itself
    YAML::Node node = YAML::Load(std::string(text));
    if (!node.IsMap()) return error_said(Errc::malformed, "error.no_map_of_keys", std::string(where));
    return node;
  } catch (const YAML::Exception& e) {
    return error_said(Errc::malformed, "error.bad_yaml",
                      std::string(where) + ":" + std::to_string(e.mark.line + 1), fmt::arg("why", e.msg));
  }
}

std::string text_at(const YAML::Node& node, const char* key) {
  if (!node.IsDefined() || !node.IsMap()) return {};
  const YAML::Node value = node[key];
  return value.IsDefined() && value.IsScalar() ? value.Scalar() : std::string();
}

std::optional<double> number_at(const YAML::Node& node, const char* key) {
  const std::string text = text_at(node, key);
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool flag_at(const YAML::Node& node, const char* key, bool otherwise) {
  const std::string text = text_at(node, key);
  return text == "true" ? true : text == "false" ? false : otherwise;
}

std::vector<YAML::Node> items_at(const YAML::Node& node, const char* key) {
  std::vector<YAML::Node> out;
  if (!node.IsDefined() || !node.IsMap()) return out;
  const YAML::Node list = node[key];
  if (!list.IsDefined() || !list.IsSequence()) return out;
  for (const auto& item : list)
    out.emplace_back(item);
  return out;
}

YAML::Node map_at(const YAML::Node& node, const char* key) {
  if (node.IsDefined() && node.IsMap())
    if (const YAML::Node value = node[key]; value.IsDefined() && value.IsMap()) return value;
  return YAML::Node(YAML::NodeType::Map);
}

std::vector<std::string> list_at(const YAML::Node& node, const char* key) {
  std::vector<std::string> out;
  for (const YAML::Node& item : items_at(node, key))
    if (item.IsScalar()) out.push_back(item.Scalar());
  return out;
}

} // namespace prof::detail
