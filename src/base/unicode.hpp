// unicode.hpp: which characters act on the text around them instead of showing.
#pragma once
#include <cstdint>

namespace prof {

// Controls (C0, C1), line and paragraph separators, the marks that turn the direction of text (LRM, RLM, ALM,
// embeddings, overrides, isolates), characters of no width that only hide something (zero width space, word
// joiner, invisible operators, interlinear marks, byte order mark, tags) and the two that are no characters
// in XML and YAML. The joiners U+200C and U+200D are left: Persian and emoji need them.
[[nodiscard]] constexpr bool acts_on_text(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x180E || c == 0x200B || c == 0x200E ||
         c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || c == 0xFFFE || c == 0xFFFF || (c >= 0xE0000 && c <= 0xE007F);
}

} // namespace prof
