#include "base/lang.hpp"

#include <algorithm>

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

} // namespace prof
