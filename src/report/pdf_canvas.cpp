#include "report/pdf_canvas.hpp"

#include "base/safe_text.hpp"
#include "base/yaml_writer.hpp"

#include <algorithm>
#include <cairo-pdf.h>
#include <ctime>
#include <numeric>
#include <pango/pangocairo.h>

namespace prof {
namespace {

constexpr const char* kFamily = "DejaVu Sans, Noto Sans CJK SC";
constexpr double kCellPad = 4, kFooter = 26;

const char* style_of(Font font) {
  switch (font) {
  case Font::body:
    return "9";
  case Font::bold:
    return "Bold 9";
  case Font::small:
    return "7.2";
  case Font::small_bold:
    return "Bold 7.2";
  case Font::title:
    return "Bold 19";
  case Font::heading:
    return "Bold 11.5";
  }
  return "9";
}

struct ObjectDeleter {
  void operator()(PangoLayout* layout) const { g_object_unref(layout); }
};
using Layout = std::unique_ptr<PangoLayout, ObjectDeleter>;

Layout layout_of(cairo_t* cr, std::string_view text, Font font, double width = -1, bool is_right = false) {
  Layout layout(pango_cairo_create_layout(cr));
  PangoFontDescription* description =
      pango_font_description_from_string((std::string(kFamily) + " " + style_of(font)).c_str());
  pango_layout_set_font_description(layout.get(), description);
  pango_font_description_free(description);
  if (width > 0) {
    pango_layout_set_width(layout.get(), static_cast<int>(width * PANGO_SCALE));
    pango_layout_set_wrap(layout.get(), PANGO_WRAP_WORD_CHAR);
  }
  PangoAttrList* attributes =
      pango_attr_list_new(); // ids such as mem_bandwidth are broken without a hyphen of pango's
  pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(FALSE));
  pango_layout_set_attributes(layout.get(), attributes);
  pango_attr_list_unref(attributes);
  pango_layout_set_alignment(layout.get(), is_right ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT);
  const std::string clean = one_line(text, 4000);
  pango_layout_set_text(layout.get(), clean.data(), static_cast<int>(clean.size()));
  return layout;
}

double height_of(PangoLayout* layout) {
  int w = 0, h = 0;
  pango_layout_get_size(layout, &w, &h);
  return static_cast<double>(h) / PANGO_SCALE;
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

std::string date_of(std::int64_t seconds) {
  const std::time_t t = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&t, &parts);
  char buffer[40];
  std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return buffer;
}

} // namespace

PdfCanvas::PdfCanvas(std::string_view title, std::int64_t created_s, Lang lang) : lang_(lang) {
  surface_ = cairo_pdf_surface_create_for_stream(&append, &bytes_, kPdfWidth, kPdfHeight);
  cairo_pdf_surface_restrict_to_version(surface_, CAIRO_PDF_VERSION_1_5);
  cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_TITLE, std::string(title).c_str());
  cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATOR, "CANN Profiler");
  cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATE_DATE, date_of(created_s).c_str());
  cr_ = cairo_create(surface_);
}

PdfCanvas::~PdfCanvas() {
  if (cr_ != nullptr) cairo_destroy(cr_);
  if (surface_ != nullptr) cairo_surface_destroy(surface_);
}

void PdfCanvas::colour(std::uint32_t rgb, double alpha) const {
  cairo_set_source_rgba(cr_, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0, alpha);
}

void PdfCanvas::line(double x0, double y0, double x1, double y1, std::uint32_t rgb, double width) const {
  cairo_new_path(cr_);
  colour(rgb);
  cairo_set_line_width(cr_, width);
  cairo_move_to(cr_, x0, y0);
  cairo_line_to(cr_, x1, y1);
  cairo_stroke(cr_);
}

void PdfCanvas::text_at(double x, double y, std::string_view text, Font font, std::uint32_t rgb) {
  const Layout layout = layout_of(cr_, text, font);
  colour(rgb);
  cairo_move_to(cr_, x, y);
  pango_cairo_show_layout(cr_, layout.get());
}

double PdfCanvas::text_width(std::string_view text, Font font) const {
  const Layout layout = layout_of(cr_, text, font);
  int w = 0, h = 0;
  pango_layout_get_size(layout.get(), &w, &h);
  return static_cast<double>(w) / PANGO_SCALE;
}

double PdfCanvas::text_height(Font font) const {
  return height_of(layout_of(cr_, "Xg", font).get());
}

void PdfCanvas::footer() {
  const std::string number = say(lang_, "verdict.page", fmt::arg("n", page_));
  line(kPdfMargin, kPdfHeight - kFooter - 6, kPdfWidth - kPdfMargin, kPdfHeight - kFooter - 6, kRule);
  text_at(kPdfMargin, kPdfHeight - kFooter, "CANN Profiler", Font::small, kMuted);
  text_at(kPdfWidth - kPdfMargin - text_width(number, Font::small), kPdfHeight - kFooter, number, Font::small,
          kMuted);
}

void PdfCanvas::new_page() {
  footer();
  cairo_show_page(cr_);
  ++page_;
  y_ = kPdfMargin;
}

void PdfCanvas::need(double points) {
  if (y_ + points > kPdfHeight - kPdfMargin - 12) new_page();
}

void PdfCanvas::title(std::string_view text) {
  const Layout layout = layout_of(cr_, text, Font::title, kPdfWidth - 2 * kPdfMargin);
  cairo_tag_begin(cr_, "H1", nullptr);
  colour(kInk);
  cairo_move_to(cr_, kPdfMargin, y_);
  pango_cairo_show_layout(cr_, layout.get());
  cairo_tag_end(cr_, "H1");
  y_ += height_of(layout.get()) + 4;
  colour(kBeforeColour);
  cairo_new_path(cr_);
  cairo_rectangle(cr_, kPdfMargin, y_, 54, 2.5);
  cairo_fill(cr_);
  y_ += 12;
}

void PdfCanvas::heading(std::string_view text) {
  need(60);
  y_ += 10;
  const Layout layout = layout_of(cr_, text, Font::heading, kPdfWidth - 2 * kPdfMargin);
  const std::string link = "page=" + std::to_string(page_);
  cairo_pdf_surface_add_outline(surface_, CAIRO_PDF_OUTLINE_ROOT, valid_utf8(text).c_str(), link.c_str(),
                                CAIRO_PDF_OUTLINE_FLAG_OPEN);
  cairo_tag_begin(cr_, "H2", nullptr);
  colour(kInk);
  cairo_move_to(cr_, kPdfMargin, y_);
  pango_cairo_show_layout(cr_, layout.get());
  cairo_tag_end(cr_, "H2");
  y_ += height_of(layout.get()) + 5;
}

void PdfCanvas::paragraph(std::string_view text, Font font, std::uint32_t rgb) {
  const Layout layout = layout_of(cr_, text, font, kPdfWidth - 2 * kPdfMargin);
  const double height = height_of(layout.get());
  need(height);
  cairo_tag_begin(cr_, "P", nullptr);
  colour(rgb);
  cairo_move_to(cr_, kPdfMargin, y_);
  pango_cairo_show_layout(cr_, layout.get());
  cairo_tag_end(cr_, "P");
  y_ += height + 4;
}

double PdfCanvas::cell_height(const std::vector<std::string>& row, const std::vector<double>& widths,
                              bool is_header, int emphasis_column) const {
  double height = 0;
  for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
    const Font font =
        is_header || i == 0 || static_cast<int>(i) == emphasis_column ? Font::small_bold : Font::small;
    height = std::max(height, height_of(layout_of(cr_, row[i], font, widths[i] - 2 * kCellPad).get()));
  }
  return height + 2 * kCellPad;
}

void PdfCanvas::draw_row(const PageTable& table, const std::vector<std::string>& row,
                         const std::vector<double>& widths, double height, bool is_header,
                         int emphasis_column, std::uint32_t emphasis) {
  const char* tag = is_header ? "TH" : "TD";
  double x = kPdfMargin;
  if (is_header) {
    colour(kBand);
    cairo_new_path(cr_);
    cairo_rectangle(cr_, x, y_, std::accumulate(widths.begin(), widths.end(), 0.0), height);
    cairo_fill(cr_);
  }
  cairo_tag_begin(cr_, "TR", nullptr);
  for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
    const bool is_emphasised = !is_header && static_cast<int>(i) == emphasis_column;
    const Font font = is_header || is_emphasised || i == 0 ? Font::small_bold : Font::small;
    const bool is_right = i < table.is_right.size() && table.is_right[i];
    const Layout layout = layout_of(cr_, row[i], font, widths[i] - 2 * kCellPad, is_right);
    cairo_tag_begin(cr_, tag, nullptr);
    colour(is_emphasised ? emphasis : kInk);
    cairo_move_to(cr_, x + kCellPad, y_ + kCellPad);
    pango_cairo_show_layout(cr_, layout.get());
    cairo_tag_end(cr_, tag);
    x += widths[i];
  }
  cairo_tag_end(cr_, "TR");
  y_ += height;
  line(kPdfMargin, y_, x, y_, kRule);
}

void PdfCanvas::table(const PageTable& table, const std::vector<double>& widths, int emphasis_column,
                      const std::vector<std::uint32_t>& emphasis) {
  const double header = cell_height(table.header, widths, true, -1);
  need(header + 24);
  cairo_tag_begin(cr_, "Table", nullptr);
  draw_row(table, table.header, widths, header, true, -1, 0);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const double height = cell_height(table.rows[r], widths, false, emphasis_column);
    const int page = page_;
    if (y_ + height > kPdfHeight - kPdfMargin - 12) {
      cairo_tag_end(cr_, "Table");
      new_page();
      cairo_tag_begin(cr_, "Table", nullptr);
    }
    if (page_ != page) draw_row(table, table.header, widths, header, true, -1, 0);
    draw_row(table, table.rows[r], widths, height, false, emphasis_column,
             r < emphasis.size() ? emphasis[r] : kInk);
  }
  cairo_tag_end(cr_, "Table");
  y_ += 6;
}

Result<std::string> PdfCanvas::finish() {
  footer();
  cairo_show_page(cr_);
  cairo_status_t status = cairo_status(cr_);
  cairo_destroy(cr_);
  cr_ = nullptr;
  cairo_surface_finish(surface_);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface_);
  cairo_surface_destroy(surface_);
  surface_ = nullptr;
  if (status != CAIRO_STATUS_SUCCESS) return Error{Errc::internal, cairo_status_to_string(status), "pdf"};
  return std::move(bytes_);
}

bool pdf_can_write_chinese() {
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t* cr = cairo_create(surface);
  const bool has_all =
      pango_layout_get_unknown_glyphs_count(layout_of(cr, "验证报告", Font::body).get()) == 0;
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
  return has_all;
}

} // namespace prof
