// yaml_writer.hpp: a small tree of values, written as YAML (block style) or JSON. The same tree gives the
// same bytes. Reading is yaml-cpp's job; writing is ours, because yaml-cpp 0.7 changes the type of many
// strings (yes, 1.10, 12:30).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace prof {

// null, bool, integer, double, text, list or map. A map keeps the order in which keys were set.
class Doc {
public:
  using List = std::vector<Doc>;
  using Map = std::vector<std::pair<std::string, Doc>>;

  // Implicit on purpose: map.set("n", 3).set("name", "x") is how trees are written down.
  // NOLINTBEGIN(google-explicit-constructor)
  Doc() = default;
  Doc(bool value) : value_(value) {}
  Doc(int value) : value_(std::int64_t{value}) {}
  Doc(std::int64_t value) : value_(value) {}
  Doc(double value) : value_(value) {}
  Doc(std::string value) : value_(std::move(value)) {}
  Doc(std::string_view value) : value_(std::string(value)) {}
  Doc(const char* value) : value_(std::string(value)) {}
  // NOLINTEND(google-explicit-constructor)
  [[nodiscard]] static Doc list() { return Doc(List{}); }
  [[nodiscard]] static Doc map() { return Doc(Map{}); }

  // Appends to a list (a null becomes a list first) and returns *this.
  Doc& add(Doc item);
  // Sets a key of a map (a null becomes a map first), replacing an earlier value in its place; returns *this.
  Doc& set(std::string_view key, Doc value);
  // The value under `key`, or nullptr when absent or when this is no map. Lives until the map changes.
  [[nodiscard]] const Doc* find(std::string_view key) const;

  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Map>;
  [[nodiscard]] const Value& value() const { return value_; }
  [[nodiscard]] bool is_null() const { return value_.index() == 0; }

private:
  explicit Doc(List list) : value_(std::move(list)) {}
  explicit Doc(Map map) : value_(std::move(map)) {}
  Value value_;
};

// YAML 1.2 that YAML 1.1 parsers read with the same types: strings are quoted unless provably plain; doubles
// are the shortest that read back equal, with a dot; invalid UTF-8 becomes U+FFFD; several lines of clean
// text become a | block.
[[nodiscard]] std::string to_yaml(const Doc& doc);
// JSON, indented by two. NaN and infinities, which JSON lacks, become null.
[[nodiscard]] std::string to_json(const Doc& doc);
// A JSON string with its quotes. What acts on text instead of showing (base/unicode.hpp) is escaped, so that
// no terminal acts on it; invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_text(std::string_view text);
// `text` with every invalid UTF-8 byte replaced by U+FFFD: what any view may hand on.
[[nodiscard]] std::string valid_utf8(std::string_view text);

} // namespace prof
