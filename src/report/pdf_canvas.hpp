// pdf_canvas.hpp: A4 pages by cairo and pango: running text, tables, plots. Tagged, with metadata; the same
// calls give the same bytes. Latin font first, Noto Sans CJK behind it (the other order makes the file five
// times as large).
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"
#include "report/page_model.hpp"

#include <cairo.h>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace prof {

inline constexpr double kPdfMargin = 42, kPdfWidth = 595.28, kPdfHeight = 841.89; // points, A4
inline constexpr std::uint32_t kInk = 0x1b2430, kMuted = 0x5b6673, kRule = 0xd5dbe2, kBand = 0xeef2f7;
// Colours of Okabe & Ito (2008): told apart by colour-blind readers too.
inline constexpr std::uint32_t kBeforeColour = 0x0072B2, kAfterColour = 0xD55E00, kGoodColour = 0x00795a,
                               kBadColour = 0xB3261E;

enum class Font : std::uint8_t { body, bold, small, small_bold, title, heading };

class PdfCanvas {
public:
  // created_s: seconds since 1970 for the metadata (never the clock: equal input, equal bytes).
  PdfCanvas(std::string_view title, std::int64_t created_s, Lang lang);
  PdfCanvas(const PdfCanvas&) = delete;
  PdfCanvas& operator=(const PdfCanvas&) = delete;
  ~PdfCanvas();

  void heading(std::string_view text);
  void title(std::string_view text);
  void paragraph(std::string_view text, Font font = Font::body, std::uint32_t colour = kInk);
  // widths in points; rows break across pages, the header is repeated. emphasis(row) colours the cell
  // `emphasis_column`.
  void table(const PageTable& table, const std::vector<double>& widths, int emphasis_column = -1,
             const std::vector<std::uint32_t>& emphasis = {});
  // Starts a new page when fewer than `points` are left.
  void need(double points);
  void skip(double points) { y_ += points; }

  // For plots: the drawing context, the cursor, and text at a place.
  [[nodiscard]] cairo_t* cairo() const { return cr_; }
  [[nodiscard]] double y() const { return y_; }
  void text_at(double x, double y, std::string_view text, Font font, std::uint32_t colour);
  [[nodiscard]] double text_width(std::string_view text, Font font) const;
  [[nodiscard]] double text_height(Font font) const;
  void colour(std::uint32_t rgb, double alpha = 1) const;
  void line(double x0, double y0, double x1, double y1, std::uint32_t rgb, double width = 0.5) const;

  // Ends the file. Error: internal with cairo's message.
  [[nodiscard]] Result<std::string> finish();

private:
  void footer();
  void new_page();
  double cell_height(const std::vector<std::string>& row, const std::vector<double>& widths, bool is_header,
                     int emphasis_column) const;
  void draw_row(const PageTable& table, const std::vector<std::string>& row,
                const std::vector<double>& widths, double height, bool is_header, int emphasis_column,
                std::uint32_t emphasis);

  std::string bytes_;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* cr_ = nullptr;
  double y_ = kPdfMargin;
  int page_ = 1;
  Lang lang_;
};

// Whether an installed font has Chinese glyphs.
[[nodiscard]] bool pdf_can_write_chinese();

} // namespace prof
