// page_model.hpp: a report as headings, sentences and tables; each writer (Markdown, terminal, PDF) draws the
// same model, so that no two forms of one report can differ.
#pragma once
#include <string>
#include <vector>

namespace prof {

struct PageTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> is_right; // columns of figures
  [[nodiscard]] bool is_empty() const { return rows.empty(); }
};
struct PageSection {
  std::string id; // "table": where the PDF puts its plots
  std::string heading;
  std::vector<std::string> paragraphs;
  PageTable table = {};
};
struct PageModel {
  std::string title;
  std::vector<std::string> lead;
  std::vector<PageSection> sections;
};

// Names in the model are raw; the writers escape them.
[[nodiscard]] std::string page_markdown(const PageModel& page);
[[nodiscard]] std::string page_text(const PageModel& page, std::size_t width = 110);

} // namespace prof
