#include "base/safe_text.hpp"

#include "base/unicode.hpp"
#include "base/yaml_writer.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace prof {
namespace {

// Length in bytes of the character at the head of valid UTF-8.
std::size_t char_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(length, text.size());
}

std::uint32_t char_value(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  std::uint32_t value = lead & (0xFFU >> (character.size() + 1));
  for (const char c : character.substr(1))
    value = value << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return value;
}

// Unicode ranges that terminals draw two columns wide (UAX 11: W and F), coarsely.
bool is_wide(std::uint32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
         (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

// One character, or its code where it would act instead of show.
void append_visible(std::string& out, std::string_view character) {
  const std::uint32_t c = char_value(character);
  if (!acts_on_text(c))
    out += character;
  else if (c < 0x100)
    out += fmt::format("\\x{:02x}", c);
  else if (c < 0x10000)
    out += fmt::format("\\u{:04x}", c);
  else
    out += fmt::format("\\U{:08x}", c);
}

} // namespace

std::string one_line(std::string_view text, std::size_t max_bytes) {
  const std::string valid = valid_utf8(text.substr(0, std::min(text.size(), max_bytes + 4)));
  std::string out;
  std::string_view rest = valid;
  while (!rest.empty()) {
    const std::string_view character = rest.substr(0, char_length(rest));
    if (out.size() + character.size() > max_bytes) return out + "...";
    append_visible(out, character);
    rest.remove_prefix(character.size());
  }
  return out;
}

std::string terminal_safe(std::string_view text, bool keep_newline) {
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7F; };
  if (std::ranges::all_of(text, is_plain)) return std::string(text);
  const std::string valid = valid_utf8(text);
  std::string out;
  std::string_view rest = valid;
  while (!rest.empty()) {
    const std::string_view character = rest.substr(0, char_length(rest));
    if (character == "\t" || (keep_newline && character == "\n"))
      out += character;
    else
      append_visible(out, character);
    rest.remove_prefix(character.size());
  }
  return out;
}

std::string markdown_text(std::string_view text, std::size_t max_bytes) {
  const std::string line = one_line(text, max_bytes);
  const auto is_word = [&](std::size_t at) {
    return at < line.size() && std::isalnum(static_cast<unsigned char>(line[at])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    // Inside a word '_' has no meaning in CommonMark, and ids such as p99_latency stay searchable.
    if (c == '_' && i > 0 && is_word(i - 1) && is_word(i + 1))
      out += c;
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (std::string_view("\\`*_[]|#~$").find(c) != std::string_view::npos)
      out.append("\\").append(1, c);
    else
      out += c;
  }
  if (!out.empty() && (out[0] == '-' || out[0] == '+' || out[0] == '=')) out.insert(0, "\\");
  return out;
}

std::string markdown_code(std::string_view text, std::size_t max_bytes) {
  std::string line = one_line(text, max_bytes);
  std::size_t longest = 0, run = 0;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string cell;
  for (const char c : line)
    cell.append(c == '|' ? "\\|" : std::string(1, c));
  const std::string fence(longest + 1, '`');
  const bool needs_blank = !cell.empty() && (cell.front() == '`' || cell.back() == '`');
  return fence + (needs_blank ? " " : "") + (cell.empty() ? " " : cell) + (needs_blank ? " " : "") + fence;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, char_length(text));
    width += is_wide(char_value(character)) ? 2 : 1;
    text.remove_prefix(character.size());
  }
  return width;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line, word;
  std::size_t line_width = 0, word_width = 0;
  const auto end_line = [&] {
    while (!line.empty() && line.back() == ' ')
      line.pop_back();
    lines.push_back(std::exchange(line, {}));
    line_width = 0;
  };
  const auto end_word = [&] {
    if (line_width > 0 && line_width + word_width > width) end_line();
    line += std::exchange(word, {});
    line_width += std::exchange(word_width, 0);
  };
  while (!text.empty()) {
    const std::string_view character = text.substr(0, char_length(text));
    const bool wide = is_wide(char_value(character));
    const std::size_t columns = wide ? 2 : 1;
    if (wide || word_width + columns > width) end_word();
    if (character == " ") {
      end_word();
      if (line_width > 0 && line_width < width) line += ' ', ++line_width;
    } else {
      word += character;
      word_width += columns;
    }
    text.remove_prefix(character.size());
  }
  end_word();
  if (!line.empty() || lines.empty()) end_line();
  return lines;
}

} // namespace prof
