#include "base/format_units.hpp"
#include "base/safe_text.hpp"
#include "report/diagnosis_view.hpp"
#include "report/diagnosis_words.hpp"

#include <algorithm>
#include <cmath>

namespace prof {
namespace {

// Lines of a page that is `width` columns wide. Everything goes through one_line(): names are hostile.
class TextPage {
public:
  TextPage(Lang lang, std::size_t width, std::int64_t start_ns)
      : lang_(lang), width_(std::max<std::size_t>(width, 40)), start_ns_(start_ns) {}
  std::string take() { return std::move(out_); }

  void blank() { out_ += '\n'; }
  // A paragraph: `lead` before the first line, as many blanks before the others.
  void paragraph(std::string_view lead, std::string_view text) {
    const std::string indent(display_width(lead), ' ');
    bool is_first = true;
    for (const std::string& line : wrap(one_line(text, 4000), width_ - indent.size())) {
      out_ += (is_first ? std::string(lead) : indent) + line + "\n";
      is_first = false;
    }
  }
  void heading(std::string_view id) {
    blank();
    paragraph("", text(lang_, id));
  }

  void accounting(const Diagnosis& d) {
    const Accounting& a = *d.accounting;
    blank();
    paragraph("", detail::accounting_title(d, lang_));
    const bool has_slow = !a.slow.empty();
    const auto slow = [&](std::size_t i) { return has_slow ? a.slow[i].second : 0; };
    row(std::string(text(lang_, "report.diagnosis.col.class")),
        std::string(text(lang_, has_slow ? "report.diagnosis.col.all" : "report.diagnosis.col.share")),
        has_slow ? std::string(text(lang_, "report.diagnosis.col.slow")) : std::string(), "");
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < a.all.size(); ++i)
      if (a.all[i].second >= 0.0005 || slow(i) >= 0.0005) order.push_back(i);
    std::ranges::stable_sort(order,
                             [&](std::size_t x, std::size_t y) { return a.all[x].second > a.all[y].second; });
    for (const std::size_t i : order) {
      const auto bar = static_cast<std::size_t>(std::lround(std::clamp(a.all[i].second, 0.0, 1.0) * 30));
      row(a.all[i].first, fmt::format("{:.1f} %", a.all[i].second * 100),
          has_slow ? fmt::format("{:.1f} %", slow(i) * 100) : std::string(), std::string(bar, '#'));
    }
    if (const std::string running = detail::running_line(a, lang_); !running.empty())
      paragraph("  ", running);
    for (const std::string& calls : detail::call_lines(a, lang_))
      paragraph("  ", calls);
  }

  void accounting(const DeviceAccounting& a) {
    blank();
    paragraph("", detail::device_accounting_title(a, lang_));
    for (const DeviceAccounting::Class& c : a.classes) {
      if (c.share < 0.0005) continue;
      const std::string share = fmt::format("{:.1f} %", c.share * 100);
      const auto bar = static_cast<std::size_t>(std::lround(std::clamp(c.share, 0.0, 1.0) * 30));
      out_ += fmt::format("  {:<22}{:>8}{}{}\n", c.id, share, bar > 0 ? "  " : "", std::string(bar, '#'));
    }
  }

  void cause(std::size_t number, const Cause& c) {
    blank();
    paragraph(fmt::format("{}. ", number), c.title + "  [" + c.id + "]");
    paragraph("   ", detail::confidence_line(c, lang_));
    paragraph("   ", c.summary);
    evidence("report.diagnosis.evidence", c.evidence);
    evidence("report.diagnosis.against", c.against);
    if (!c.could_not_look_at.empty())
      paragraph("   ", say(lang_, "report.diagnosis.not_seen",
                           fmt::arg("names", detail::joined(c.could_not_look_at))));
    if (!c.examples.empty())
      paragraph("   ", std::string(text(lang_, "report.diagnosis.examples")) + colon_at_end());
    for (const ExampleSlice& e : c.examples)
      paragraph("     ", detail::example_line(e, start_ns_, lang_));
    if (!c.similar_cases.empty())
      paragraph("   ", std::string(text(lang_, "report.diagnosis.similar")) + colon_at_end());
    for (const SimilarCase& s : c.similar_cases)
      paragraph("     ", s.id + colon() + s.title + " - " + s.outcome);
    for (const std::string& line :
         detail::mend_lines(c, lang_, [](std::string_view name) { return std::string(name); }))
      paragraph("   ", line);
  }

  void rest(const Diagnosis& d) {
    if (!d.clear.empty()) heading("report.diagnosis.clear");
    for (const ClearRule& c : d.clear)
      paragraph("  - ", c.title + colon() + c.looked_at);
    if (!d.not_applicable.empty()) heading("report.diagnosis.not_applicable");
    for (const NotApplicableRule& c : d.not_applicable)
      paragraph("  - ", c.title + colon() + c.why);
    if (!d.cannot_tell.empty()) heading("report.diagnosis.cannot_tell");
    for (const detail::Wanted& w : detail::wanted(d, lang_)) {
      paragraph("  - ", w.line);
      constexpr std::size_t kNamed = 4; // a machine without a device has a dozen rules about devices
      const std::size_t named = w.rules.size() > kNamed + 1 ? kNamed : w.rules.size();
      const std::vector<std::string> first(w.rules.begin(),
                                           w.rules.begin() + static_cast<std::ptrdiff_t>(named));
      paragraph("      ",
                say(lang_,
                    named < w.rules.size() ? "report.diagnosis.wanted_by_more" : "report.diagnosis.wanted_by",
                    fmt::arg("rules", detail::joined(first, lang_ == Lang::zh ? "；" : "; ")),
                    fmt::arg("n", w.rules.size() - named)));
    }
    heading("report.diagnosis.notes");
    for (const std::string& note : d.notes)
      paragraph("  - ", note);
  }

private:
  [[nodiscard]] const char* colon() const { return lang_ == Lang::zh ? "：" : ": "; }
  [[nodiscard]] const char* colon_at_end() const { return lang_ == Lang::zh ? "：" : ":"; }
  void row(const std::string& name, const std::string& all, const std::string& slow, const std::string& bar) {
    const auto pad = [](const std::string& text, std::size_t columns) {
      return std::string(columns - std::min(columns, display_width(text)), ' ');
    };
    out_ += "  " + name + pad(name, 12) + pad(all, 9) + all + (slow.empty() ? "" : pad(slow, 13) + slow) +
            (bar.empty() ? "" : "  " + bar) + "\n";
  }
  void evidence(std::string_view heading_id, const std::vector<EvidenceResult>& all) {
    if (all.empty()) return;
    paragraph("   ", std::string(text(lang_, heading_id)) + colon_at_end());
    for (const EvidenceResult& e : all) {
      const std::string weight =
          e.threshold ? detail::weight_text(e.weight) : ""; // else a figure for context
      paragraph("    " + std::string(5 - std::min<std::size_t>(5, weight.size()), ' ') + weight + "  ",
                detail::evidence_line(e, lang_));
    }
  }

  Lang lang_;
  std::size_t width_;
  std::int64_t start_ns_;
  std::string out_;
};

} // namespace

std::string diagnosis_text(const Diagnosis& d, Lang lang, std::size_t width) {
  TextPage page(lang, width, d.start_ns);
  page.paragraph("", say(lang, "report.diagnosis.title", fmt::arg("target", detail::target_name(d, lang))));
  page.paragraph("", say(lang, "report.diagnosis.problem",
                         fmt::arg("problem", text(lang, "diagnose.problem." + d.problem))));
  if (!d.trace_path.empty())
    page.paragraph("", say(lang, "report.diagnosis.trace", fmt::arg("path", one_line(d.trace_path)),
                           fmt::arg("duration", format_dur(Dur{d.duration_ns}))));
  page.blank();
  for (const std::string& line : detail::headlines(d, lang))
    page.paragraph("", line);
  if (d.accounting) page.accounting(d);
  if (d.device_accounting) page.accounting(*d.device_accounting);
  if (d.unexplained_idle) {
    page.blank();
    page.paragraph("", detail::idle_line(*d.unexplained_idle, lang));
  }
  if (d.causes.empty()) {
    page.blank();
    page.paragraph("", detail::no_cause_line(d, lang));
  } else {
    page.blank();
    page.paragraph("", detail::causes_title(d, lang));
    for (std::size_t i = 0; i < d.causes.size(); ++i)
      page.cause(i + 1, d.causes[i]);
  }
  page.rest(d);
  return page.take();
}

} // namespace prof
