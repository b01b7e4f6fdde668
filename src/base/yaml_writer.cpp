#include "base/yaml_writer.hpp"

#include "base/unicode.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace prof {
namespace {

// One code point at the head of `text`: its length in bytes and value; length 0 when the bytes are no valid
// UTF-8.
struct CodePoint {
  std::size_t length = 0;
  std::uint32_t value = 0;
};

CodePoint code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  std::size_t length = 0;
  std::uint32_t least = 0;
  if (lead >= 0xC2 && lead < 0xE0)
    length = 2, least = 0x80;
  else if (lead >= 0xE0 && lead < 0xF0)
    length = 3, least = 0x800;
  else if (lead >= 0xF0 && lead < 0xF5)
    length = 4, least = 0x10000;
  if (length == 0 || length > text.size()) return {};
  std::uint32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = value << 6U | (byte(i) & 0x3FU);
  }
  const bool is_surrogate = value >= 0xD800 && value < 0xE000;
  if (value < least || value > 0x10FFFF || is_surrogate) return {};
  return {length, value};
}

// How many of the first bytes stand for themselves in a quoted text: the common case, taken at once.
std::size_t plain_length(std::string_view text) {
  const auto is_special = [](char c) { return c < 0x20 || c == 0x7F || c == '"' || c == '\\'; };
  return static_cast<std::size_t>(std::ranges::find_if(text, is_special) - text.begin());
}

void append_escaped(std::string& out, std::uint32_t c) {
  switch (c) {
  case '"':
    out += "\\\"";
    return;
  case '\\':
    out += "\\\\";
    return;
  case '\n':
    out += "\\n";
    return;
  case '\r':
    out += "\\r";
    return;
  case '\t':
    out += "\\t";
    return;
  default:
    if (c < 0x10000) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
    } else { // JSON's two halves; YAML's own readers would keep them apart: what lies up there is replaced
      out += "\\ufffd";
    }
  }
}

// A JSON string, which is also a YAML double-quoted scalar.
void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (;;) {
    const std::size_t plain = plain_length(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const CodePoint c = code_point(text);
    if (c.length == 0)
      out += "\\ufffd";
    else if (c.value == '"' || c.value == '\\' || acts_on_text(c.value))
      append_escaped(out, c.value);
    else
      out += text.substr(0, c.length);
    text.remove_prefix(std::max<std::size_t>(c.length, 1));
  }
  out += '"';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// May stand without quotes: starts with a letter, has only letters, digits and ./-, and is no YAML 1.1 word.
bool is_plain(std::string_view text) {
  if (text.empty() || text.size() > 120 || !is_letter(text.front())) return false;
  const auto is_fine = [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '/' || c == '-';
  };
  if (!std::ranges::all_of(text, is_fine)) return false;
  static constexpr std::array<std::string_view, 11> kWords{"y",    "n",     "yes",  "no",  "on", "off",
                                                           "true", "false", "null", "nan", "inf"};
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::ranges::find(kWords, lower) == kWords.end();
}

// Several lines that a literal block carries unchanged: no controls, no leading blank, no line that ends in
// blanks.
bool is_block(std::string_view text) {
  if (text.find('\n') == std::string_view::npos || text.front() == ' ' || text.front() == '\n' ||
      text.back() == '\n')
    return false;
  bool was_space = false;
  while (!text.empty()) {
    const CodePoint c = code_point(text);
    if (c.length == 0 || (c.value != '\n' && acts_on_text(c.value)) || (c.value == '\n' && was_space))
      return false;
    was_space = c.value == ' ';
    text.remove_prefix(c.length);
  }
  return !was_space;
}

std::string shortest(double value) {
  std::array<char, 40> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), result.ptr);
  const auto exponent = std::min(text.find('e'), text.size());
  if (text.find('.') >= exponent) text.insert(exponent, ".0"); // YAML 1.1 reads 1e-09 as a string
  return text;
}

class YamlWriter {
public:
  std::string take() { return std::move(out_); }

  void scalar(const Doc& doc, int indent) {
    if (const auto* flag = std::get_if<bool>(&doc.value()))
      out_ += *flag ? "true" : "false";
    else if (const auto* integer = std::get_if<std::int64_t>(&doc.value()))
      fmt::format_to(std::back_inserter(out_), "{}", *integer);
    else if (const auto* number = std::get_if<double>(&doc.value()))
      number_text(*number);
    else if (const auto* text = std::get_if<std::string>(&doc.value()))
      string_text(*text, indent);
    else
      out_ += "null";
  }

  // Writes the children of a list or map, each on a line of its own at `indent`; is_open: the first continues
  // "- ".
  void block(const Doc& doc, int indent, bool is_open) {
    if (const auto* map = std::get_if<Doc::Map>(&doc.value())) {
      for (const auto& [key, item] : *map) {
        start_line(indent, std::exchange(is_open, false));
        key_text(key, indent);
        value(item, indent);
      }
    } else if (const auto* list = std::get_if<Doc::List>(&doc.value())) {
      for (const Doc& item : *list) {
        start_line(indent, std::exchange(is_open, false));
        out_ += '-';
        if (is_filled(item)) {
          out_ += ' ';
          block(item, indent + 2, true);
        } else {
          value(item, indent);
        }
      }
    }
  }

  [[nodiscard]] static bool is_filled(const Doc& doc) {
    const auto* map = std::get_if<Doc::Map>(&doc.value());
    const auto* list = std::get_if<Doc::List>(&doc.value());
    return (map != nullptr && !map->empty()) || (list != nullptr && !list->empty());
  }

  void value(const Doc& doc, int indent) {
    if (is_filled(doc)) {
      block(doc, indent + 2, false);
      return;
    }
    out_ += out_.empty() ? "" : " ";
    if (std::holds_alternative<Doc::Map>(doc.value()))
      out_ += "{}";
    else if (std::holds_alternative<Doc::List>(doc.value()))
      out_ += "[]";
    else
      scalar(doc, indent);
  }

private:
  void start_line(int indent, bool is_open) {
    if (is_open) return;
    if (!out_.empty()) out_ += '\n';
    out_.append(static_cast<std::size_t>(indent), ' ');
  }
  // YAML limits a key that stands before its ':' to 1024 characters; a longer one needs a '?' before it and
  // the
  // ':' on the next line.
  void key_text(std::string_view key, int indent) {
    constexpr std::size_t kLongestSimpleKey = 1000;
    std::string quoted;
    if (is_plain(key))
      quoted = key;
    else
      append_quoted(quoted, key);
    if (quoted.size() <= kLongestSimpleKey) {
      out_ += quoted + ":";
      return;
    }
    out_ += "? " + quoted;
    start_line(indent, false);
    out_ += ':';
  }
  void number_text(double number) {
    if (std::isnan(number))
      out_ += ".nan";
    else if (std::isinf(number))
      out_ += number < 0 ? "-.inf" : ".inf";
    else
      out_ += shortest(number);
  }
  void string_text(std::string_view text, int indent) {
    if (is_plain(text)) {
      out_ += text;
    } else if (!text.empty() && is_block(text)) {
      out_ += "|-";
      while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        out_ += '\n';
        if (end > 0) out_.append(static_cast<std::size_t>(indent) + 2, ' ').append(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
      }
    } else {
      append_quoted(out_, text);
    }
  }

  std::string out_;
};

void append_json(std::string& out, const Doc& doc, std::size_t indent) {
  const auto line = [&](std::size_t width) { out.append("\n").append(width, ' '); };
  if (const auto* map = std::get_if<Doc::Map>(&doc.value())) {
    out += '{';
    for (const auto& [key, item] : *map) {
      if (&item != &map->front().second) out += ',';
      line(indent + 2);
      append_quoted(out, key);
      out += ": ";
      append_json(out, item, indent + 2);
    }
    if (!map->empty()) line(indent);
    out += '}';
  } else if (const auto* list = std::get_if<Doc::List>(&doc.value())) {
    out += '[';
    for (const Doc& item : *list) {
      if (&item != &list->front()) out += ',';
      line(indent + 2);
      append_json(out, item, indent + 2);
    }
    if (!list->empty()) line(indent);
    out += ']';
  } else if (const auto* text = std::get_if<std::string>(&doc.value())) {
    append_quoted(out, *text);
  } else if (const auto* number = std::get_if<double>(&doc.value())) {
    out += std::isfinite(*number) ? shortest(*number) : "null";
  } else if (const auto* integer = std::get_if<std::int64_t>(&doc.value())) {
    fmt::format_to(std::back_inserter(out), "{}", *integer);
  } else if (const auto* flag = std::get_if<bool>(&doc.value())) {
    out += *flag ? "true" : "false";
  } else {
    out += "null";
  }
}

} // namespace

Doc& Doc::add(Doc item) {
  if (is_null()) value_ = List{};
  if (auto* list = std::get_if<List>(&value_)) list->push_back(std::move(item));
  return *this;
}

Doc& Doc::set(std::string_view key, Doc value) {
  if (is_null()) value_ = Map{};
  auto* map = std::get_if<Map>(&value_);
  if (map == nullptr) return *this;
  for (auto& [known, old] : *map)
    if (known == key) {
      old = std::move(value);
      return *this;
    }
  map->emplace_back(std::string(key), std::move(value));
  return *this;
}

const Doc* Doc::find(std::string_view key) const {
  const auto* map = std::get_if<Map>(&value_);
  if (map == nullptr) return nullptr;
  for (const auto& [known, item] : *map)
    if (known == key) return &item;
  return nullptr;
}

std::string to_yaml(const Doc& doc) {
  YamlWriter writer;
  if (YamlWriter::is_filled(doc))
    writer.block(doc, 0, false);
  else
    writer.value(doc, -2);
  return writer.take() + "\n";
}

std::string to_json(const Doc& doc) {
  std::string out;
  append_json(out, doc, 0);
  return out + "\n";
}

std::string json_text(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = code_point(text);
    if (c.length == 0)
      out += "\xEF\xBF\xBD";
    else
      out += text.substr(0, c.length);
    text.remove_prefix(std::max<std::size_t>(c.length, 1));
  }
  return out;
}

} // namespace prof
