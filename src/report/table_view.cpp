#include "report/table_view.hpp"

#include "base/lang.hpp"
#include "base/safe_text.hpp"
#include "base/yaml_writer.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace prof {
namespace {

constexpr std::size_t kCellBytes = 160; // of a cell in a text table

bool is_number(const SqlValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

// A cell as plain text; NULL is empty.
std::string plain(const SqlValue& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *i);
  if (const auto* d = std::get_if<double>(&value)) return fmt::format("{}", *d);
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  return {};
}

std::string padded(const std::string& cell, std::size_t width, bool is_right) {
  const std::string space(width - std::min(width, display_width(cell)), ' ');
  return is_right ? space + cell : cell + space;
}

std::string text_table(const SqlResult& result) {
  std::vector<std::vector<std::string>> lines{{}};
  for (const std::string& column : result.columns)
    lines[0].push_back(one_line(column, kCellBytes));
  std::vector<bool> is_right(result.columns.size(), !result.rows.empty());
  for (const auto& row : result.rows) {
    auto& line = lines.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      line.push_back(one_line(plain(row[i]), kCellBytes));
      if (!is_number(row[i]) && !std::holds_alternative<std::monostate>(row[i])) is_right[i] = false;
    }
  }
  std::vector<std::size_t> width(result.columns.size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      width[i] = std::max(width[i], display_width(line[i]));
  std::string out;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    std::string text;
    for (std::size_t i = 0; i < lines[l].size(); ++i)
      text += (i == 0 ? "" : "  ") + padded(lines[l][i], width[i], is_right[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
    if (l > 0) continue;
    for (std::size_t i = 0; i < width.size(); ++i)
      out += (i == 0 ? "" : "  ") + std::string(width[i], '-');
    out += "\n";
  }
  return out;
}

std::string csv_table(const SqlResult& result) {
  std::string out;
  for (std::size_t i = 0; i < result.columns.size(); ++i)
    out += (i == 0 ? "" : ",") + csv_text(result.columns[i]);
  out += "\n";
  for (const auto& row : result.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += ',';
      const auto* text = std::get_if<std::string>(&row[i]);
      out += text == nullptr ? plain(row[i]) : csv_text(*text);
    }
    out += "\n";
  }
  return out;
}

std::string json_table(const SqlResult& result) {
  std::vector<std::string> keys;
  for (const std::string& column : result.columns)
    keys.push_back(json_text(column));
  std::string out = "[";
  for (std::size_t r = 0; r < result.rows.size(); ++r) {
    out += r == 0 ? "\n" : ",\n";
    out += "  {";
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const SqlValue& value = result.rows[r][i];
      out += fmt::format("{}{}: ", i == 0 ? "" : ", ", keys[i]);
      if (const auto* text = std::get_if<std::string>(&value))
        out += json_text(*text);
      else if (const auto* number = std::get_if<double>(&value))
        out += json_number(*number);
      else if (const auto* integer = std::get_if<std::int64_t>(&value))
        out += fmt::format("{}", *integer);
      else
        out += "null";
    }
    out += "}";
  }
  return out + (result.rows.empty() ? "]\n" : "\n]\n");
}

std::string markdown_table(const SqlResult& result) {
  std::string out = "|", rule = "|";
  for (const std::string& column : result.columns) {
    out += " " + markdown_text(column) + " |";
    rule += "---|";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : result.rows) {
    out += "|";
    for (const SqlValue& value : row)
      out += " " + (is_number(value) ? plain(value) : markdown_text(plain(value))) + " |";
    out += "\n";
  }
  return out;
}

} // namespace

Result<TableFormat> table_format(std::string_view word) {
  if (word == "text") return TableFormat::text;
  if (word == "csv") return TableFormat::csv;
  if (word == "json") return TableFormat::json;
  if (word == "markdown" || word == "md") return TableFormat::markdown;
  return error_said(Errc::bad_argument, "error.table_format", {}, fmt::arg("name", word.substr(0, 100)));
}

std::string render_table(const SqlResult& result, TableFormat format) {
  switch (format) {
  case TableFormat::text:
    return text_table(result);
  case TableFormat::csv:
    return csv_table(result);
  case TableFormat::json:
    return json_table(result);
  case TableFormat::markdown:
    return markdown_table(result);
  }
  return {};
}

std::string csv_text(std::string_view text) {
  std::string field = terminal_safe(text);
  if (!field.empty() && std::string_view("=+-@\t").find(field[0]) != std::string_view::npos)
    field.insert(0, "'");
  if (field.find_first_of(",\"\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

} // namespace prof
