#include "base/format_units.hpp"
#include "base/safe_text.hpp"
#include "base/yaml_writer.hpp"
#include "report/case_view.hpp"
#include "report/validation_view.hpp"

#include <algorithm>

namespace prof {
namespace {

Doc number_doc(const std::optional<double>& value) {
  return value ? Doc(*value) : Doc();
}

Doc front_matter(const CaseCard& card) {
  Doc solution = Doc::list(), causes = Doc::list(), metrics = Doc::list(), evidence = Doc::list();
  for (const std::string& word : card.solution)
    solution.add(one_line(word));
  for (const CaseCause& c : card.causes)
    causes.add(Doc::map()
                   .set("id", one_line(c.id))
                   .set("confidence", c.confidence)
                   .set("share_mean", c.share_mean)
                   .set("share_slow", c.share_slow));
  for (const CaseFigure& f : card.figures) {
    Doc ci;
    if (f.change_lo && f.change_hi) ci = Doc::list().add(*f.change_lo).add(*f.change_hi);
    metrics.add(Doc::map()
                    .set("id", one_line(f.metric))
                    .set("unit", one_line(f.unit))
                    .set("verdict", f.verdict)
                    .set("before", number_doc(f.before))
                    .set("after", number_doc(f.after))
                    .set("change", number_doc(f.change))
                    .set("change_ci95", std::move(ci)));
  }
  for (const CaseEvidence& e : card.evidence)
    evidence.add(Doc::map()
                     .set("role", e.role)
                     .set("path", one_line(e.path))
                     .set("sha256", e.sha256)
                     .set("journal", e.journal_id));
  Doc doc = Doc::map()
                .set("schema", "cann-profiler/case/1")
                .set("id", card.id)
                .set("problem", one_line(card.problem))
                .set("target", one_line(card.target));
  doc.set("state", case_state_name(card.state))
      .set("outcome", card.outcome.empty() ? Doc() : Doc(card.outcome))
      .set("solution", std::move(solution))
      .set("causes", std::move(causes));
  return doc.set("metrics", std::move(metrics)).set("evidence", std::move(evidence));
}

PageSection problem_section(const CaseCard& card, Lang lang) {
  PageSection section{
      .id = "problem", .heading = std::string(text(lang, "cases.section.problem")), .paragraphs = {}};
  section.paragraphs.push_back(
      card.target.empty()
          ? card.problem
          : say(lang, "cases.problem", fmt::arg("problem", card.problem), fmt::arg("target", card.target)));
  return section;
}

PageSection cause_section(const CaseCard& card, Lang lang) {
  PageSection section{
      .id = "causes", .heading = std::string(text(lang, "cases.section.causes")), .paragraphs = {}};
  for (const char* id : {"cause", "confidence", "share_mean", "share_slow"})
    section.table.header.emplace_back(text(lang, fmt::format("cases.col.{}", id)));
  section.table.is_right = {false, true, true, true};
  for (const CaseCause& c : card.causes)
    section.table.rows.push_back({c.title.empty() ? c.id : fmt::format("{} ({})", c.title, c.id),
                                  fmt::format("{:.2f}", c.confidence), format_share(c.share_mean),
                                  format_share(c.share_slow)});
  if (card.causes.empty()) section.paragraphs.emplace_back(text(lang, "cases.no_causes"));
  return section;
}

PageSection path_section(const CaseCard& card, Lang lang) {
  PageSection section{
      .id = "path", .heading = std::string(text(lang, "cases.section.path")), .paragraphs = {}};
  std::string words;
  for (const std::string& word : card.solution)
    words += (words.empty() ? "" : " + ") + word;
  section.paragraphs.push_back(say(lang, "cases.solution", fmt::arg("solution", words)));
  for (const std::string& step : card.steps)
    section.paragraphs.push_back(step);
  if (card.steps_not_applied > 0)
    section.paragraphs.push_back(say(lang, "cases.not_applied", fmt::arg("n", card.steps_not_applied)));
  return section;
}

PageSection gain_section(const CaseCard& card, Lang lang) {
  PageSection section{.id = "gain",
                      .heading = std::string(text(lang, "cases.section.gain")),
                      .paragraphs = {},
                      .table = figure_table(card.figures, lang)};
  if (!card.outcome.empty()) section.paragraphs.emplace_back(text(lang, "cases.answer." + card.outcome));
  if (std::ranges::any_of(card.figures, &CaseFigure::is_within_run))
    section.paragraphs.emplace_back(text(lang, "cases.within_run"));
  if (!card.is_comparable) section.paragraphs.emplace_back(text(lang, "cases.not_comparable"));
  if (card.figures.empty()) section.paragraphs.emplace_back(text(lang, "cases.not_measured"));
  return section;
}

PageSection limits_section(const CaseCard& card, Lang lang) {
  PageSection section{
      .id = "limits", .heading = std::string(text(lang, "cases.section.applies")), .paragraphs = {}};
  std::string ids;
  for (const std::string& cause : card.mended)
    ids += (ids.empty() ? "" : ", ") + cause;
  section.paragraphs.push_back(ids.empty() ? std::string(text(lang, "cases.applies.unknown"))
                                           : say(lang, "cases.applies", fmt::arg("causes", ids)));
  return section;
}

PageSection risk_section(const CaseCard& card, Lang lang) {
  PageSection section{
      .id = "risks", .heading = std::string(text(lang, "cases.section.risks")), .paragraphs = {}};
  for (const CaseFigure& f : card.figures)
    if (f.verdict == "worse")
      section.paragraphs.push_back(say(lang, "cases.risk.worse", fmt::arg("metric", f.metric)));
  section.paragraphs.emplace_back(
      text(lang, card.state == CaseState::validated ? "cases.risk.validated" : "cases.risk.unproven"));
  return section;
}

PageSection evidence_section(const CaseCard& card, Lang lang) {
  PageSection section{
      .id = "evidence", .heading = std::string(text(lang, "cases.section.evidence")), .paragraphs = {}};
  for (const char* id : {"role", "file", "sha256", "journal"})
    section.table.header.emplace_back(text(lang, fmt::format("cases.col.{}", id)));
  for (const CaseEvidence& e : card.evidence)
    section.table.rows.push_back(
        {e.role, e.path, e.sha256.substr(0, 12),
         e.journal_id > 0
             ? "#" + std::to_string(e.journal_id)
             : std::string(text(lang, card.has_journal ? "cases.made_elsewhere" : "cases.no_journal"))});
  for (const std::string& id : card.missing)
    section.paragraphs.emplace_back(text(lang, id));
  return section;
}

} // namespace

PageTable figure_table(const std::vector<CaseFigure>& figures, Lang lang) {
  PageTable table{.header = {}, .rows = {}, .is_right = {false, true, true, true, true, false}};
  for (const char* id : {"metric", "before", "after", "change", "p", "verdict"})
    table.header.emplace_back(text(lang, fmt::format("verdict.col.{}", id)));
  for (const CaseFigure& f : figures) {
    std::string change = f.change ? format_change(*f.change) : "-";
    if (f.change_lo && f.change_hi)
      change += fmt::format(" [{}, {}]", format_change(*f.change_lo), format_change(*f.change_hi));
    const std::string id =
        f.verdict == "not_measured" ? "cases.not_measured" : "verdict.outcome." + f.verdict;
    table.rows.push_back({f.metric, f.before ? format_value(*f.before, f.unit) : "-",
                          f.after ? format_value(*f.after, f.unit) : "-", change, f.p ? format_p(*f.p) : "-",
                          std::string(text(lang, id))});
  }
  return table;
}

std::string case_markdown(const CaseCard& card, Lang lang) {
  PageModel page{
      .title = say(lang, "cases.title", fmt::arg("problem", card.problem)), .lead = {}, .sections = {}};
  page.lead.emplace_back(text(lang, fmt::format("cases.state.{}", case_state_name(card.state))));
  page.sections = {problem_section(card, lang), cause_section(card, lang),  path_section(card, lang),
                   gain_section(card, lang),    limits_section(card, lang), risk_section(card, lang),
                   evidence_section(card, lang)};
  std::string head = to_yaml(front_matter(card));
  if (!head.ends_with('\n')) head += '\n';
  return "---\n" + head + "---\n\n" + page_markdown(page);
}

} // namespace prof
