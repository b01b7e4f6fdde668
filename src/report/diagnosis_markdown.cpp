#include "base/format_units.hpp"
#include "base/safe_text.hpp"
#include "report/diagnosis_view.hpp"
#include "report/diagnosis_words.hpp"

#include <fmt/format.h>

namespace prof {
namespace {

void add_evidence(std::string& out, std::string_view heading, const std::vector<EvidenceResult>& all,
                  Lang lang) {
  if (all.empty()) return;
  out += fmt::format("**{}**\n\n", heading);
  for (const EvidenceResult& e : all) // without a limit it is a figure for context, and has no weight
    out += fmt::format("- {}{}\n", e.threshold ? fmt::format("`{}` ", detail::weight_text(e.weight)) : "",
                       markdown_text(detail::evidence_line(e, lang)));
  out += "\n";
}

// A fenced block that no content can end early.
void add_block(std::string& out, std::string_view info, std::string_view content) {
  std::string fence = "```";
  while (content.find(fence) != std::string_view::npos)
    fence += '`';
  out += fmt::format("{}{}\n{}\n{}\n\n", fence, info, content, fence);
}

void add_cause(std::string& out, std::size_t number, const Cause& c, std::int64_t start_ns, Lang lang) {
  out += fmt::format("### {}. {} ({})\n\n", number, markdown_text(c.title), markdown_code(c.id));
  out += markdown_text(detail::confidence_line(c, lang)) + "\n\n" + markdown_text(c.summary) + "\n\n";
  add_evidence(out, text(lang, "report.diagnosis.evidence"), c.evidence, lang);
  add_evidence(out, text(lang, "report.diagnosis.against"), c.against, lang);
  if (!c.could_not_look_at.empty())
    out += markdown_text(say(lang, "report.diagnosis.not_seen",
                             fmt::arg("names", detail::joined(c.could_not_look_at)))) +
           "\n\n";
  for (const EvidenceResult& e : c.evidence)
    if (e.is_key && !e.sql.empty()) add_block(out, "sql", e.sql);
  if (!c.examples.empty()) {
    out += fmt::format("**{}**\n\n", text(lang, "report.diagnosis.examples"));
    for (const ExampleSlice& e : c.examples)
      out += "- " + markdown_text(detail::example_line(e, start_ns, lang)) + "\n";
    out += "\n";
  }
  if (!c.similar_cases.empty()) {
    out += fmt::format("**{}**\n\n", text(lang, "report.diagnosis.similar"));
    for (const SimilarCase& s : c.similar_cases)
      out +=
          fmt::format("- {} {}: {}\n", markdown_code(s.id), markdown_text(s.title), markdown_text(s.outcome));
    out += "\n";
  }
  for (const std::string& line :
       detail::mend_lines(c, lang, [](std::string_view name) { return markdown_code(name); }))
    out += line + "\n\n";
}

void add_accounting(std::string& out, const Diagnosis& d, Lang lang) {
  const Accounting& a = *d.accounting;
  out += fmt::format("## {}\n\n", detail::accounting_title(d, lang));
  if (a.slow.empty()) {
    out += fmt::format("| {} | {} |\n|---|---:|\n", text(lang, "report.diagnosis.col.class"),
                       text(lang, "report.diagnosis.col.share"));
    for (const auto& [name, share] : a.all)
      if (share > 0) out += fmt::format("| `{}` | {:.1f} % |\n", name, share * 100);
  } else {
    out += fmt::format("| {} | {} | {} |\n|---|---:|---:|\n", text(lang, "report.diagnosis.col.class"),
                       text(lang, "report.diagnosis.col.all"), text(lang, "report.diagnosis.col.slow"));
    for (std::size_t i = 0; i < a.all.size(); ++i)
      if (a.all[i].second > 0 || a.slow[i].second > 0)
        out += fmt::format("| `{}` | {:.1f} % | {:.1f} % |\n", a.all[i].first, a.all[i].second * 100,
                           a.slow[i].second * 100);
  }
  out += "\n";
  if (const std::string running = detail::running_line(a, lang); !running.empty())
    out += markdown_text(running) + "\n\n";
  for (const std::string& calls : detail::call_lines(a, lang))
    out += markdown_text(calls) + "\n\n";
}

void add_accounting(std::string& out, const DeviceAccounting& a, Lang lang) {
  out += fmt::format("## {}\n\n| {} | {} |\n|---|---:|\n", detail::device_accounting_title(a, lang),
                     text(lang, "report.diagnosis.col.class"), text(lang, "report.diagnosis.col.share"));
  for (const DeviceAccounting::Class& c : a.classes)
    if (c.share > 0) out += fmt::format("| `{}` | {:.1f} % |\n", c.id, c.share * 100);
  out += "\n";
}

void add_rest(std::string& out, const Diagnosis& d, Lang lang) {
  const auto heading = [&](const char* id) { out += fmt::format("\n## {}\n\n", text(lang, id)); };
  const auto item = [&](const std::string& title, const std::string& id, const std::string& words) {
    out += fmt::format("- {} ({}): {}\n", markdown_text(title), markdown_code(id), markdown_text(words));
  };
  if (!d.clear.empty()) heading("report.diagnosis.clear");
  for (const ClearRule& c : d.clear)
    item(c.title, c.id, c.looked_at);
  if (!d.not_applicable.empty()) heading("report.diagnosis.not_applicable");
  for (const NotApplicableRule& c : d.not_applicable)
    item(c.title, c.id, c.why);
  if (!d.cannot_tell.empty()) heading("report.diagnosis.cannot_tell");
  for (const detail::Wanted& w : detail::wanted(d, lang))
    out += fmt::format(
        "- {}\n  {}\n", markdown_text(w.line),
        markdown_text(say(lang, "report.diagnosis.wanted_by",
                          fmt::arg("rules", detail::joined(w.rules, lang == Lang::zh ? "；" : "; ")))));
  heading("report.diagnosis.notes");
  for (const std::string& note : d.notes)
    out += "- " + markdown_text(note) + "\n";
}

} // namespace

std::string diagnosis_markdown(const Diagnosis& d, Lang lang) {
  std::string out = fmt::format(
      "# {}\n\n",
      markdown_text(say(lang, "report.diagnosis.title", fmt::arg("target", detail::target_name(d, lang)))));
  out += markdown_text(say(lang, "report.diagnosis.problem",
                           fmt::arg("problem", text(lang, "diagnose.problem." + d.problem)))) +
         "\n\n";
  if (!d.trace_path.empty())
    out += markdown_text(say(lang, "report.diagnosis.trace", fmt::arg("path", d.trace_path),
                             fmt::arg("duration", format_dur(Dur{d.duration_ns})))) +
           "\n\n";
  for (const std::string& line : detail::headlines(d, lang))
    out += markdown_text(line) + "\n\n";
  if (d.accounting) add_accounting(out, d, lang);
  if (d.device_accounting) add_accounting(out, *d.device_accounting, lang);
  if (d.unexplained_idle) out += markdown_text(detail::idle_line(*d.unexplained_idle, lang)) + "\n\n";
  out += fmt::format("## {}\n\n", detail::causes_title(d, lang));
  if (d.causes.empty()) out += markdown_text(detail::no_cause_line(d, lang)) + "\n\n";
  for (std::size_t i = 0; i < d.causes.size(); ++i)
    add_cause(out, i + 1, d.causes[i], d.start_ns, lang);
  add_rest(out, d, lang);
  return out;
}

} // namespace prof
