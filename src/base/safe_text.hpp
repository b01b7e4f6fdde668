// safe_text.hpp: hostile names (control characters, escape sequences, markup) made harmless for a terminal or
// for Markdown.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// One line without control characters: each becomes \xNN, broken UTF-8 becomes U+FFFD, and text beyond
// max_bytes is cut at a character with "...".
[[nodiscard]] std::string one_line(std::string_view text, std::size_t max_bytes = 400);
// The same without a limit for what goes to a terminal: tabs stay, newlines too when keep_newline.
[[nodiscard]] std::string terminal_safe(std::string_view text, bool keep_newline = true);
// one_line() with Markdown's and HTML's own characters escaped, for running text and table cells.
[[nodiscard]] std::string markdown_text(std::string_view text, std::size_t max_bytes = 4000);
// A code span whose fence is longer than any backtick run inside.
[[nodiscard]] std::string markdown_code(std::string_view text, std::size_t max_bytes = 400);
// Columns that a terminal uses: East Asian wide characters take two.
[[nodiscard]] std::size_t display_width(std::string_view text);
// Breaks at blanks (and between wide characters) into lines of at most `width` columns; a longer word is
// broken.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

} // namespace prof
