// text_lines.hpp: a text file line by line, whatever its size.
#pragma once
#include "import/json/text_window.hpp"

namespace prof::stacks {

class TextLines {
public:
  [[nodiscard]] static Result<TextLines> open(const std::filesystem::path& path) {
    PROF_TRY(json::TextWindow window, json::TextWindow::open(path));
    return TextLines(std::move(window));
  }
  // Moves to the next line; false at the end of the file. A line over 1 MiB comes in pieces.
  [[nodiscard]] Result<bool> next();
  // Without its line break. Valid until the next next().
  [[nodiscard]] std::string_view line() const { return window_.text().substr(0, length_); }
  [[nodiscard]] std::int64_t number() const { return number_; }
  // The file ends in this line, without a line break.
  [[nodiscard]] bool is_last_and_open() const {
    return window_.is_at_end() && taken_ == window_.text().size() && !has_break_;
  }

private:
  explicit TextLines(json::TextWindow window) : window_(std::move(window)) {}
  json::TextWindow window_;
  std::size_t length_ = 0, taken_ = 0; // of the line, without and with its break
  std::int64_t number_ = 0;
  bool has_break_ = false;
};

// The first line that `head` holds whole and that is neither blank nor a comment (#); empty when none.
[[nodiscard]] std::string_view first_line(std::string_view head);
[[nodiscard]] std::string_view trimmed(std::string_view text);

} // namespace prof::stacks
