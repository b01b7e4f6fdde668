#include "report/page_model.hpp"

#include "base/safe_text.hpp"

#include <algorithm>

namespace prof {
namespace {

// A figure is written as it is: inside a table cell "-16.3 % [-18.4 %, -14.2 %]" means nothing to Markdown.
std::string markdown_cell(const std::string& cell) {
  const bool is_figure = !cell.empty() && cell.find_first_not_of("0123456789+-.,% []") == std::string::npos &&
                         cell.find("](") == std::string::npos;
  return is_figure ? cell : markdown_text(cell);
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells)
    out += " " + markdown_cell(cell) + " |";
  return out + "\n";
}

std::string markdown_table(const PageTable& table) {
  std::string out = markdown_row(table.header) + "|";
  for (std::size_t i = 0; i < table.header.size(); ++i)
    out += i < table.is_right.size() && table.is_right[i] ? "---:|" : "---|";
  out += "\n";
  for (const auto& row : table.rows)
    out += markdown_row(row);
  return out;
}

std::string padded(const std::string& cell, std::size_t width, bool is_right) {
  const std::size_t used = display_width(cell);
  const std::string gap(width > used ? width - used : 0, ' ');
  return is_right ? gap + cell : cell + gap;
}

// Column widths: as wide as the widest cell, the widest column shrunk until the row fits.
std::vector<std::size_t> column_widths(const std::vector<std::vector<std::string>>& rows, std::size_t columns,
                                       std::size_t width) {
  constexpr std::size_t kNarrowest = 8;
  std::vector<std::size_t> widths(columns, 1);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size() && i < columns; ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  std::size_t total = 2 * (columns - 1);
  for (const std::size_t w : widths)
    total += w;
  while (total > width) {
    const auto widest = std::ranges::max_element(widths);
    if (*widest <= kNarrowest) break;
    --*widest, --total;
  }
  return widths;
}

std::string text_table(const PageTable& table, std::size_t width) {
  std::vector<std::vector<std::string>> rows{table.header};
  rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  for (auto& row : rows)
    for (std::string& cell : row)
      cell = one_line(cell);
  const auto widths = column_widths(rows, table.header.size(), width);
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < rows[r].size() && i < widths.size(); ++i) {
      cells.push_back(wrap(rows[r][i], widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t k = 0; k < height; ++k) {
      std::string line;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool is_right = i < table.is_right.size() && table.is_right[i];
        line += (i > 0 ? "  " : "") + padded(k < cells[i].size() ? cells[i][k] : "", widths[i], is_right);
      }
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    if (r > 0) continue;
    std::size_t total = 2 * (widths.size() - 1);
    for (const std::size_t w : widths)
      total += w;
    out += std::string(total, '-') + "\n";
  }
  return out;
}

std::string text_paragraph(const std::string& paragraph, std::size_t width) {
  std::string out;
  for (const std::string& line : wrap(one_line(paragraph, 4000), width))
    out += line + "\n";
  return out;
}

} // namespace

std::string page_markdown(const PageModel& page) {
  std::string out = "# " + markdown_text(page.title) + "\n";
  for (const std::string& line : page.lead)
    out += "\n" + markdown_text(line) + "\n";
  for (const PageSection& section : page.sections) {
    out += "\n## " + markdown_text(section.heading) + "\n";
    if (!section.table.is_empty()) out += "\n" + markdown_table(section.table);
    for (const std::string& line : section.paragraphs)
      out += "\n" + markdown_text(line) + "\n";
  }
  return out;
}

std::string page_text(const PageModel& page, std::size_t width) {
  std::string out = text_paragraph(page.title, width);
  for (const std::string& line : page.lead)
    out += "\n" + text_paragraph(line, width);
  for (const PageSection& section : page.sections) {
    out += "\n" + text_paragraph(section.heading, width) +
           std::string(std::min(width, display_width(section.heading)), '=') + "\n";
    if (!section.table.is_empty()) out += text_table(section.table, width);
    for (const std::string& line : section.paragraphs)
      out += text_paragraph(line, width);
  }
  return out;
}

} // namespace prof
