#include "base/lang.hpp"

#include <algorithm>
#include <type_traits>

namespace prof {

Lang lang_from(std::string_view value) {
  return value.substr(0, 2) == "zh" ? Lang::zh : Lang::en;
}

std::string_view text(Lang lang, std::string_view id) {
  const auto rows = all_texts();
  const auto found = std::ranges::lower_bound(rows, id, {}, &TextRow::id);
  if (found == rows.end() || found->id != id) return id;
  return lang == Lang::zh ? found->zh : found->en;
}

namespace {

// Whether a value of fmt is one thing: the number 1, or a text that says so.
struct IsOne {
  template <class T>
  bool operator()(const T& value) const {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
      return value == T{1};
    else if constexpr (std::is_convertible_v<T, std::string_view>)
      return std::string_view(value) == "1";
    else
      return false;
  }
  bool operator()(fmt::string_view value) const {
    return std::string_view(value.data(), value.size()) == "1";
  }
  bool operator()(const char* value) const { return value != nullptr && std::string_view(value) == "1"; }
};

} // namespace

std::string choose_words(std::string_view pattern, const fmt::format_args& args) {
  std::string out;
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    out += pattern.substr(0, open);
    pattern.remove_prefix(open);
    const std::size_t close = pattern.find('}');
    if (close == std::string_view::npos) break;
    const std::string_view place = pattern.substr(1, close - 1);
    const std::size_t hash = place.find('#'), bar = place.find('|');
    const bool is_choice = hash != std::string_view::npos && bar != std::string_view::npos && hash < bar;
    const auto value = is_choice ? args.get(fmt::string_view(place.data(), hash))
                                 : fmt::basic_format_arg<fmt::format_context>();
    if (!value)
      out += pattern.substr(0, close + 1);
    else
      out += fmt::visit_format_arg(IsOne{}, value) ? place.substr(hash + 1, bar - hash - 1)
                                                   : place.substr(bar + 1);
    pattern.remove_prefix(close + 1);
  }
  return out.append(pattern);
}

} // namespace prof
