#include "rules/rule.hpp"

#include <algorithm>

namespace prof {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

// What stands between two braces: a name, or a name with two words of which its value picks one.
struct Place {
  std::string_view name, one, many;
  [[nodiscard]] bool is_word() const { return !one.empty() || !many.empty(); }
};
Place place_of(std::string_view inside) {
  const auto hash = inside.find('#');
  if (hash == std::string_view::npos) return {inside, {}, {}};
  const std::string_view words = inside.substr(hash + 1);
  const auto bar = words.find('|');
  if (bar == std::string_view::npos) return {inside, {}, {}}; // no choice: an unknown name
  return {inside.substr(0, hash), words.substr(0, bar), words.substr(bar + 1)};
}

// Calls `literal` and `place` for the pieces of a text, in their order; an open brace without an end is text.
template <typename Literal, typename UsePlace>
void each_piece(std::string_view text, const Literal& literal, const UsePlace& place) {
  while (!text.empty()) {
    const auto open = std::min(text.find('{'), text.size());
    literal(text.substr(0, open));
    text.remove_prefix(open);
    const auto close = text.find('}');
    if (close == std::string_view::npos) return literal(text);
    place(text.substr(0, close + 1), place_of(text.substr(1, close - 1)));
    text.remove_prefix(close + 1);
  }
}

// A text as its literals with the names between them; bit i of `choice` takes the first word of the i-th
// pair of words.
struct Pattern {
  std::vector<std::string> literals{""}, names;
  std::size_t pairs = 0;
};
Pattern pattern_of(std::string_view text, unsigned choice) {
  Pattern out;
  each_piece(
      text, [&](std::string_view literal) { out.literals.back() += literal; },
      [&](std::string_view, const Place& place) {
        if (place.is_word()) {
          out.literals.back() += (choice >> out.pairs++ & 1U) != 0 ? place.one : place.many;
          return;
        }
        out.names.emplace_back(place.name);
        out.literals.emplace_back();
      });
  return out;
}

// Where the literals between the first and the last begin: each as far left, or as far right, as it can.
std::optional<std::vector<std::size_t>> borders(const Pattern& pattern, std::string_view filled,
                                                bool is_left) {
  const auto& literals = pattern.literals;
  const std::size_t from = literals.front().size(), to = filled.size() - literals.back().size();
  std::vector<std::size_t> out(literals.size() - 2);
  std::size_t at = is_left ? from : to;
  for (std::size_t n = 0; n < out.size(); ++n) {
    const std::size_t i = is_left ? n : out.size() - 1 - n;
    const std::string& literal = literals[i + 1];
    const std::string_view room = is_left ? filled.substr(at, to - at) : filled.substr(from, at - from);
    const std::size_t found = is_left ? room.find(literal) : room.rfind(literal);
    if (literal.empty() || found == std::string_view::npos) return std::nullopt;
    out[i] = (is_left ? at : from) + found;
    at = is_left ? out[i] + literal.size() : out[i];
  }
  return out;
}

std::optional<Values> values_of(const Pattern& pattern, std::string_view filled) {
  const auto& [literals, names, pairs] = pattern;
  if (names.empty()) return filled == literals.front() ? std::optional(Values()) : std::nullopt;
  if (filled.size() < literals.front().size() + literals.back().size() ||
      !filled.starts_with(literals.front()) || !filled.ends_with(literals.back()))
    return std::nullopt;
  const auto left = borders(pattern, filled, true);
  if (!left || left != borders(pattern, filled, false)) return std::nullopt;
  Values out;
  std::size_t at = literals.front().size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_last = i + 1 == names.size();
    const std::size_t end = is_last ? filled.size() - literals.back().size() : (*left)[i];
    const std::string value(filled.substr(at, end - at));
    const auto [known, is_new] = out.try_emplace(names[i], value);
    if (!is_new && known->second != value) return std::nullopt;
    at = end + literals[i + 1].size();
  }
  return out;
}

} // namespace

std::vector<std::string> places_of(std::string_view text) {
  std::vector<std::string> out;
  each_piece(
      text, [](std::string_view) {},
      [&](std::string_view, const Place& place) { out.emplace_back(place.name); });
  return out;
}

std::string fill_in(std::string_view text, const Values& values) {
  std::string out;
  each_piece(
      text, [&](std::string_view literal) { out += literal; },
      [&](std::string_view whole, const Place& place) {
        const auto known = values.find(place.name);
        if (known == values.end())
          out += whole;
        else
          out += !place.is_word()       ? std::string_view(known->second)
                 : known->second == "1" ? place.one
                                        : place.many;
      });
  return out;
}

std::optional<Values> read_back(std::string_view text, std::string_view filled) {
  constexpr std::size_t kMostPairs = 6;
  const std::size_t pairs = pattern_of(text, 0).pairs;
  if (pairs > kMostPairs) return std::nullopt;
  for (unsigned choice = 0; choice < 1U << pairs; ++choice)
    if (auto values = values_of(pattern_of(text, choice), filled); values && fill_in(text, *values) == filled)
      return values;
  return std::nullopt;
}

} // namespace prof
