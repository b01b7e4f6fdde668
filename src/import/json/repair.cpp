#include "import/json/event_scanner.hpp"
#include "import/json/trace_event.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace prof::json {
namespace {

// Length of the UTF-8 character at `at`, 0 = not valid there.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  if (lead == 0xe0 && byte(1) < 0xa0) return 0;
  if (lead == 0xed && byte(1) > 0x9f) return 0;
  if (lead == 0xf0 && byte(1) < 0x90) return 0;
  if (lead == 0xf4 && byte(1) > 0x8f) return 0;
  return length;
}

// A quote ends its string when what follows can follow a string.
bool ends_string(std::string_view text, std::size_t quote) {
  const std::size_t next = skip_space(text, quote + 1);
  if (next >= text.size()) return true;
  const char c = text[next];
  if (c == ':' || c == '}' || c == ']') return true;
  if (c != ',') return false;
  const std::size_t after = skip_space(text, next + 1);
  return after >= text.size() ||
         std::string_view("\"{[}]-0123456789tfnNI").find(text[after]) != std::string_view::npos;
}

bool is_hex4(std::string_view text) {
  return text.size() == 4 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

// Length of the \uXXXX at `at`, with the second half of a pair; 0: no such escape; is_half: half a pair
// alone, which no text can hold.
struct UnicodeEscape {
  std::size_t length = 0;
  bool is_half = false;
};
UnicodeEscape unicode_escape(std::string_view text, std::size_t at) {
  const auto unit = [&](std::size_t from) -> int {
    const std::string_view digits = text.substr(std::min(from + 2, text.size()), 4);
    if (text.substr(std::min(from, text.size()), 2) != "\\u" || !is_hex4(digits)) return -1;
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    return value;
  };
  const int first = unit(at);
  if (first < 0) return {};
  if (first < 0xd800 || first > 0xdfff) return {.length = 6};
  const int second = first < 0xdc00 ? unit(at + 6) : -1;
  if (second >= 0xdc00 && second <= 0xdfff) return {.length = 12};
  return {.length = 6, .is_half = true};
}

// Copies the string whose opening quote stands at `at`; returns the position after it.
std::size_t copy_string(std::string_view text, std::size_t at, std::string& out) {
  out += '"';
  for (++at; at < text.size();) {
    const char c = text[at];
    if (c == '"' && ends_string(text, at)) {
      ++at;
      break;
    }
    if (c == '"') {
      out += "\\\"";
      ++at;
    } else if (c == '\\') {
      const char next = at + 1 < text.size() ? text[at + 1] : '\0';
      if (const UnicodeEscape unicode = unicode_escape(text, at); unicode.length > 0) {
        out += unicode.is_half ? std::string_view("\\ufffd") : text.substr(at, unicode.length);
        at += unicode.length;
        continue;
      }
      const bool is_escape =
          next != '\0' && std::string_view("\"\\/bfnrt").find(next) != std::string_view::npos;
      out += is_escape ? std::string_view("\\") : std::string_view("\\\\");
      ++at;
      if (is_escape) out += text[at++];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out.append("\\u00").append(
          {kHex[static_cast<unsigned char>(c) >> 4U], kHex[static_cast<unsigned char>(c) & 15U]});
      ++at;
    } else if (const std::size_t length = utf8_length(text, at); length > 0) {
      out.append(text.substr(at, length));
      at += length;
    } else {
      out += "\xef\xbf\xbd";
      ++at;
    }
  }
  out += '"';
  return at;
}

// Length of a bare word that JSON does not know (NaN, Infinity, -inf ...) at `at`, 0 = none.
std::size_t bare_word(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 10> kWords{"-Infinity", "Infinity", "-infinity", "infinity", "-NaN",
                                                    "NaN",       "-nan",     "nan",       "-inf",     "inf"};
  for (const std::string_view word : kWords)
    if (text.substr(at, word.size()) == word) return word.size();
  return 0;
}

} // namespace

std::string repair(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 64);
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = copy_string(text, at, out);
    } else if (const std::size_t word = bare_word(text, at); word > 0) {
      out += "null";
      at += word;
    } else if (c == ',') {
      const std::size_t next = skip_space(text, at + 1, true);
      if (next < text.size() && text[next] != '}' && text[next] != ']') out += ',';
      at = next;
    } else {
      if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t' || c == '\r') out += c;
      ++at;
    }
  }
  return out;
}

} // namespace prof::json
