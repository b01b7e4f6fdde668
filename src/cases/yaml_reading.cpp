#include "cases/yaml_reading.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace prof::detail {
namespace {

// yaml-cpp recurses by nesting: a bound on brackets and on indentation keeps hostile files off the stack.
// What quotes hide from this count meets yaml-cpp's own limit of 500 levels.
bool is_too_deep(std::string_view text) {
  constexpr int kDeepest = 64;
  constexpr std::size_t kWidestIndent = 256;
  int depth = 0;
  std::size_t indent = 0;
  bool is_start = true;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > kDeepest) return true;
    if (c == '\n')
      is_start = true, indent = 0;
    else if (is_start && (c == ' ' || c == '-' || c == '?')) {
      if (++indent > kWidestIndent) return true;
    } else
      is_start = false;
  }
  return false;
}

} // namespace

Result<YAML::Node> parse_yaml(std::string_view text, std::string_view where) {
  if (static_cast<std::int64_t>(text.size()) > kMostYamlBytes)
    return Error{Errc::budget, "larger than 8 MiB", std::string(where)};
  if (is_too_deep(text)) return Error{Errc::budget, "nested too deeply", std::string(where)};
  try {
    YAML::Node node = YAML::Load(std::string(text));
    if (!node.IsMap()) return Error{Errc::malformed, "not a map of keys", std::string(where)};
    return node;
  } catch (const YAML::Exception& e) {
    return Error{Errc::malformed, e.msg, std::string(where) + ":" + std::to_string(e.mark.line + 1)};
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
