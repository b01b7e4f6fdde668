// The validation as a PDF: the page model's tables and sentences, with plots between them.
#include "report/pdf_canvas.hpp"
#include "report/pdf_plots.hpp"
#include "report/validation_view.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace prof {
namespace {

// SOURCE_DATE_EPOCH where it is set (reproducible-builds.org), else the start of the newest run: never the
// clock.
std::int64_t date_of(const Validation& v) {
  std::int64_t seconds = 0;
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch != nullptr) {
    std::from_chars(epoch, epoch + std::strlen(epoch), seconds);
    return seconds;
  }
  for (const auto* runs : {&v.before, &v.after})
    for (const RunSummary& run : *runs)
      seconds = std::max(seconds, run.start_realtime_ns / 1'000'000'000);
  return seconds;
}

std::uint32_t colour_of(Outcome outcome) {
  switch (outcome) {
  case Outcome::better:
    return kGoodColour;
  case Outcome::worse:
    return kBadColour;
  case Outcome::changed:
    return kBeforeColour;
  case Outcome::no_change:
    return kInk;
  case Outcome::too_little_data:
  case Outcome::unavailable:
    return kMuted;
  }
  return kInk;
}

// "-16.3 %" keeps its sign of per cent on the same line.
PageTable with_hard_spaces(PageTable table) {
  for (auto& row : table.rows)
    for (std::string& cell : row)
      for (std::size_t at = 0; (at = cell.find(" %", at)) != std::string::npos;)
        cell.replace(at, 1, "\u00a0");
  return table;
}

void put_section(PdfCanvas& canvas, const PageSection& section, const Validation& v) {
  canvas.heading(section.heading);
  std::vector<double> widths;
  int emphasis_column = -1;
  std::vector<std::uint32_t> emphasis;
  if (section.id == "table") {
    widths = {86, 46, 46, 92, 43, 45, 78, 75};
    emphasis_column = 6;
    for (const MetricVerdict& m : v.metrics)
      emphasis.push_back(colour_of(m.outcome));
  } else if (section.id == "checks") {
    widths = {110, 76, 76, 62, 187};
    emphasis_column = 3;
    for (const Check& c : v.checks)
      emphasis.push_back(c.state == CheckState::fail   ? kBadColour
                         : c.state == CheckState::pass ? kGoodColour
                                                       : kMuted);
  } else {
    widths = {46, 196, 60, 58, 61, 90};
  }
  if (!section.table.is_empty())
    canvas.table(with_hard_spaces(section.table), widths, emphasis_column, emphasis);
  for (const std::string& paragraph : section.paragraphs)
    canvas.paragraph(paragraph, Font::small);
}

} // namespace

Result<std::string> validation_pdf(const Validation& v, Lang lang, bool& is_in_english) {
  is_in_english = lang == Lang::zh && !pdf_can_write_chinese();
  if (is_in_english) lang = Lang::en;
  const PageModel page = validation_page(v, lang);
  PdfCanvas canvas(page.title, date_of(v), lang);
  canvas.title(page.title);
  for (std::size_t i = 0; i < page.lead.size(); ++i)
    canvas.paragraph(page.lead[i], i == 0 ? Font::bold : Font::body, i == 0 ? kInk : kMuted);
  for (const PageSection& section : page.sections) {
    put_section(canvas, section, v);
    if (section.id != "table") continue;
    plot_forest(canvas, v, lang);
    plot_ecdf(canvas, v, lang);
    plot_order(canvas, v, lang);
  }
  return canvas.finish();
}

} // namespace prof
