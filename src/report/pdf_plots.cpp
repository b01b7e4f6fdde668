#include "report/pdf_plots.hpp"

#include "base/format_units.hpp"
#include "report/validation_view.hpp"
#include "verdict/descriptive.hpp"

#include <algorithm>
#include <cmath>

namespace prof {
namespace {

struct Axes {
  double x = 0, y = 0, w = 0, h = 0, x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  [[nodiscard]] double px(double v) const { return x + (v - x0) / (x1 - x0) * w; }
  [[nodiscard]] double py(double v) const { return y + h - (v - y0) / (y1 - y0) * h; }
};

double nice_step(double range, int count) {
  const double rough = range / count, power = std::pow(10, std::floor(std::log10(rough)));
  const double part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

std::string tick_text(double v, double step) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
  return fmt::format("{:.{}f}", std::fabs(v) < step * 1e-6 ? 0.0 : v, digits);
}

void x_axis(PdfCanvas& c, const Axes& f, std::string_view label, bool has_ticks = true) {
  if (has_ticks) {
    const double step = nice_step(f.x1 - f.x0, 7);
    for (double v = std::ceil(f.x0 / step - 1e-9) * step; v <= f.x1 + step * 1e-6; v += step) {
      c.line(f.px(v), f.y, f.px(v), f.y + f.h, kRule, 0.4);
      const std::string t = tick_text(v, step);
      c.text_at(f.px(v) - c.text_width(t, Font::small) / 2, f.y + f.h + 2, t, Font::small, kMuted);
    }
  }
  c.text_at(f.x + f.w / 2 - c.text_width(label, Font::small) / 2, f.y + f.h + 13, label, Font::small, kMuted);
}

void y_axis(PdfCanvas& c, const Axes& f, std::string_view label) {
  const double step = nice_step(f.y1 - f.y0, 4);
  for (double v = std::ceil(f.y0 / step - 1e-9) * step; v <= f.y1 + step * 1e-6; v += step) {
    c.line(f.x, f.py(v), f.x + f.w, f.py(v), kRule, 0.4);
    const std::string t = tick_text(v, step);
    c.text_at(f.x - c.text_width(t, Font::small) - 4, f.py(v) - c.text_height(Font::small) / 2, t,
              Font::small, kMuted);
  }
  c.text_at(f.x, f.y - c.text_height(Font::small) - 3, label, Font::small, kMuted);
}

void box(PdfCanvas& c, const Axes& f) {
  cairo_new_path(c.cairo());
  c.colour(kMuted);
  cairo_set_line_width(c.cairo(), 0.6);
  cairo_rectangle(c.cairo(), f.x, f.y, f.w, f.h);
  cairo_stroke(c.cairo());
}

void dot(PdfCanvas& c, double x, double y, std::uint32_t rgb, bool is_square) {
  cairo_new_path(c.cairo()); // cairo_arc would join the current point
  c.colour(rgb);
  if (is_square)
    cairo_rectangle(c.cairo(), x - 2.6, y - 2.6, 5.2, 5.2);
  else
    cairo_arc(c.cairo(), x, y, 2.8, 0, 2 * M_PI);
  cairo_fill(c.cairo());
}

void legend(PdfCanvas& c, double right, double y, Lang lang) {
  const std::string_view before = text(lang, "verdict.col.before"), after = text(lang, "verdict.col.after");
  double x = right - c.text_width(after, Font::small);
  c.text_at(x, y, after, Font::small, kAfterColour);
  dot(c, x - 6, y + 5, kAfterColour, true);
  x -= 18 + c.text_width(before, Font::small);
  c.text_at(x, y, before, Font::small, kBeforeColour);
  dot(c, x - 6, y + 5, kBeforeColour, false);
}

std::uint32_t colour_of(Outcome outcome) {
  return outcome == Outcome::better ? kGoodColour : outcome == Outcome::worse ? kBadColour : kMuted;
}

void draw_ecdf(PdfCanvas& c, const Axes& f, const std::vector<double>& ordered, std::uint32_t rgb,
               bool is_dashed) {
  cairo_t* cr = c.cairo();
  cairo_save(cr);
  cairo_rectangle(cr, f.x, f.y, f.w, f.h);
  cairo_clip(cr);
  cairo_new_path(cr);
  c.colour(rgb);
  cairo_set_line_width(cr, 1.3);
  const double dash = 4;
  if (is_dashed) cairo_set_dash(cr, &dash, 1, 0);
  double last_x = -1e9, last_y = -1e9;
  cairo_move_to(cr, f.x, f.py(0));
  for (std::size_t i = 0; i < ordered.size(); ++i) { // points closer than a quarter of a point are one
    const double x = f.px(ordered[i] / 1e6),
                 y = f.py(static_cast<double>(i + 1) / static_cast<double>(ordered.size()));
    if (std::fabs(x - last_x) + std::fabs(y - last_y) < 0.25 && i + 1 < ordered.size()) continue;
    cairo_line_to(cr, x, y);
    last_x = x, last_y = y;
  }
  cairo_stroke(cr);
  cairo_restore(cr);
}

struct Point {
  double order = 0, value = 0;
  bool is_after = false;
};

std::vector<Point> points_in_order(const Validation& v, const MetricVerdict*& shown) {
  std::vector<Point> points;
  if (v.is_within_run) {
    for (std::size_t i = 0; i < v.order_before.size(); ++i)
      points.push_back({static_cast<double>(i), v.order_before[i], false});
    for (std::size_t i = 0; i < v.order_after.size(); ++i)
      points.push_back({static_cast<double>(i), v.order_after[i], true});
    return points;
  }
  for (const MetricVerdict& m : v.metrics)
    if (shown == nullptr && m.run_before.size() == v.before.size() && m.run_after.size() == v.after.size())
      shown = &m;
  if (shown == nullptr) return points;
  std::vector<std::pair<std::int64_t, Point>> stamped;
  bool has_time = true;
  const auto add = [&](const std::vector<RunSummary>& runs, const std::vector<double>& values,
                       bool is_after) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      has_time = has_time && runs[i].start_realtime_ns != 0;
      stamped.push_back({runs[i].start_realtime_ns, {0, values[i], is_after}});
    }
  };
  add(v.before, shown->run_before, false);
  add(v.after, shown->run_after, true);
  if (has_time) std::ranges::stable_sort(stamped, {}, [](const auto& s) { return s.first; });
  for (std::size_t i = 0; i < stamped.size(); ++i) {
    points.push_back(stamped[i].second);
    points.back().order = static_cast<double>(i);
  }
  return points;
}

// An interval ends in a bar; one that goes on beyond the axis ends in an arrow (direction -1 or 1).
void interval_end(PdfCanvas& c, double x, double y, bool goes_on, int direction, std::uint32_t rgb) {
  if (!goes_on) {
    c.line(x, y - 3, x, y + 3, rgb, 1.4);
    return;
  }
  cairo_new_path(c.cairo());
  c.colour(rgb);
  cairo_move_to(c.cairo(), x, y);
  cairo_line_to(c.cairo(), x - 7 * direction, y - 4);
  cairo_line_to(c.cairo(), x - 7 * direction, y + 4);
  cairo_close_path(c.cairo());
  cairo_fill(c.cairo());
}

} // namespace

void plot_forest(PdfCanvas& c, const Validation& v, Lang lang) {
  std::vector<const MetricVerdict*> rows;
  double reach = 0.02;
  for (const MetricVerdict& m : v.metrics) {
    if (!m.change || !m.change_ci || m.method == Method::none) continue;
    rows.push_back(&m);
    reach =
        std::max({reach, std::fabs(m.change_ci->lo), std::fabs(std::min(m.change_ci->hi, 5.0)), m.margin});
  }
  if (rows.empty()) return;
  const double row_height = 18, height = row_height * static_cast<double>(rows.size()) + 6;
  c.need(height + 75);
  c.heading(text(lang, "verdict.section.forest"));
  reach = std::min(reach, 5.0) * 112;
  const Axes f{.x = kPdfMargin + 112,
               .y = c.y() + 4,
               .w = kPdfWidth - 2 * kPdfMargin - 112,
               .h = height,
               .x0 = -std::min(reach, 105.0), // nothing shrinks by more than all of it
               .x1 = reach};
  x_axis(c, f, text(lang, "verdict.axis.change"));
  bool is_clipped = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MetricVerdict& m = *rows[i];
    const double y = f.y + 3 + row_height * (static_cast<double>(i) + 0.5);
    cairo_new_path(c.cairo());
    c.colour(kMuted, 0.13);
    cairo_rectangle(c.cairo(), f.px(-100 * m.margin), y - 7, f.px(100 * m.margin) - f.px(-100 * m.margin),
                    14);
    cairo_fill(c.cairo());
    const double lo = std::clamp(100 * m.change_ci->lo, f.x0, f.x1),
                 hi = std::clamp(100 * m.change_ci->hi, f.x0, f.x1);
    const std::uint32_t rgb = colour_of(m.outcome);
    c.line(f.px(lo), y, f.px(hi), y, rgb, 1.4);
    interval_end(c, f.px(lo), y, 100 * m.change_ci->lo < f.x0, -1, rgb);
    interval_end(c, f.px(hi), y, 100 * m.change_ci->hi > f.x1, 1, rgb);
    is_clipped = is_clipped || 100 * m.change_ci->lo < f.x0 || 100 * m.change_ci->hi > f.x1;
    // A change outside the axis has no dot: the arrow stands for it.
    if (const double change = 100 * *m.change; change >= f.x0 && change <= f.x1)
      dot(c, f.px(change), y, rgb, true);
    c.text_at(kPdfMargin, y - c.text_height(Font::small) / 2, m.metric.id, Font::small_bold, kInk);
  }
  c.line(f.px(0), f.y, f.px(0), f.y + f.h, kInk, 0.8);
  box(c, f);
  c.skip(f.h + 32);
  c.paragraph(text(lang, "verdict.legend.margin"), Font::small, kMuted);
  if (is_clipped) c.paragraph(text(lang, "verdict.legend.clipped"), Font::small, kMuted);
}

void plot_ecdf(PdfCanvas& c, const Validation& v, Lang lang) {
  if (v.latency_before.size() < 2 || v.latency_after.size() < 2) return;
  c.need(198);
  c.heading(text(lang, "verdict.section.ecdf"));
  const double top =
      std::max(quantile_type7(v.latency_before, 0.995), quantile_type7(v.latency_after, 0.995)) / 1e6;
  const double low = std::min(v.latency_before.front(), v.latency_after.front()) / 1e6;
  const double from = low > 0.3 * top ? low * 0.95 : 0;
  if (!(top > from)) return;
  const Axes f{.x = kPdfMargin + 34,
               .y = c.y() + 14,
               .w = kPdfWidth - 2 * kPdfMargin - 40,
               .h = 118,
               .x0 = from,
               .x1 = top * 1.02};
  x_axis(c, f, text(lang, "verdict.axis.latency_ms"));
  y_axis(c, f, text(lang, "verdict.axis.share"));
  draw_ecdf(c, f, v.latency_before, kBeforeColour, false);
  draw_ecdf(c, f, v.latency_after, kAfterColour, true);
  box(c, f);
  legend(c, f.x + f.w, f.y - c.text_height(Font::small) - 3, lang);
  c.skip(14 + f.h + 30);
}

void plot_order(PdfCanvas& c, const Validation& v, Lang lang) {
  const MetricVerdict* shown = nullptr;
  const auto points = points_in_order(v, shown);
  if (points.size() < 4) return;
  c.need(200);
  c.heading(text(lang, v.is_within_run ? "verdict.section.order_requests" : "verdict.section.order"));
  const bool is_time = v.is_within_run || shown->metric.unit == "ns";
  const double scale = is_time ? 1e6 : 1;
  double low = INFINITY, high = -INFINITY, last = 1;
  for (const Point& p : points)
    low = std::min(low, p.value / scale), high = std::max(high, p.value / scale),
    last = std::max(last, p.order);
  const double pad = std::max((high - low) * 0.15, std::fabs(high) * 0.01 + 1e-12);
  const Axes f{.x = kPdfMargin + 34,
               .y = c.y() + 14,
               .w = kPdfWidth - 2 * kPdfMargin - 40,
               .h = 110,
               .x0 = -0.5,
               .x1 = last + 0.5,
               .y0 = low - pad,
               .y1 = high + pad};
  const std::string label =
      v.is_within_run ? std::string(text(lang, "verdict.axis.latency_ms"))
                      : shown->metric.id + (is_time                      ? " (ms)"
                                            : shown->metric.unit.empty() ? ""
                                                                         : " (" + shown->metric.unit + ")");
  y_axis(c, f, label);
  x_axis(c, f, text(lang, v.is_within_run ? "verdict.axis.group" : "verdict.axis.run"), false);
  for (const Point& p : points)
    dot(c, f.px(p.order), f.py(p.value / scale), p.is_after ? kAfterColour : kBeforeColour, p.is_after);
  box(c, f);
  legend(c, f.x + f.w, f.y - c.text_height(Font::small) - 3, lang);
  c.skip(14 + f.h + 30);
}

} // namespace prof
