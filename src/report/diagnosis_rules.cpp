#include "base/format_units.hpp"
#include "base/safe_text.hpp"
#include "report/diagnosis_view.hpp"
#include "report/diagnosis_words.hpp"

#include <fmt/format.h>

namespace prof {
namespace {

std::string needs_text(const std::vector<AnyOf>& needs) {
  std::string out;
  for (const AnyOf& group : needs) {
    out += out.empty() ? "" : ", ";
    for (std::size_t i = 0; i < group.size(); ++i)
      out += (i == 0 ? "" : " | ") + group[i];
  }
  return out.empty() ? "-" : out;
}

void add_rule(std::string& out, const Rule& rule, Lang lang) {
  out += fmt::format("\n## {}\n\n{}\n\n", markdown_code(rule.id), markdown_text(rule.title.in(lang)));
  out +=
      markdown_text(say(lang, "rules.doc.class", fmt::arg("class", rule.cause_class),
                        fmt::arg("needs", needs_text(rule.needs)),
                        fmt::arg("problems", detail::joined(rule.problems)), fmt::arg("prior", rule.prior))) +
      "\n\n";
  if (!rule.applies_sql.empty())
    out += markdown_text(say(lang, "rules.doc.not_applicable", fmt::arg("why", rule.applies_why.in(lang)))) +
           "\n\n";
  out += std::string(text(lang, "rules.doc.columns")) + "\n|---|---|---:|---|\n";
  for (const EvidenceDef& e : rule.evidence) {
    const std::string key = e.is_key ? " (" + std::string(text(lang, "rules.doc.key")) + ")" : "";
    const std::string when =
        e.threshold ? (e.threshold->is_above ? "> " : "< ") + format_value(e.threshold->limit, e.unit) : "-";
    out += fmt::format("| {}{} | {} | {} / {} | {} |\n", markdown_code(e.name), key, markdown_text(when),
                       detail::weight_text(e.weight_for), detail::weight_text(e.weight_against),
                       markdown_text(e.threshold ? e.threshold->source : "-"));
  }
  out += "\n";
  for (const RulesOut& r : rule.rules_out)
    out += fmt::format("- {} {}: {}\n", text(lang, "rules.doc.apart"), markdown_code(r.cause),
                       markdown_text(r.how.in(lang)));
  if (!rule.rules_out.empty()) out += "\n";
  std::string actions;
  for (const std::string& a : rule.actions)
    actions += (actions.empty() ? "" : ", ") + markdown_code(a);
  if (!actions.empty()) out += say(lang, "rules.doc.actions", fmt::arg("actions", actions)) + "\n";
}

} // namespace

std::string rules_markdown(const std::vector<Rule>& rules, Lang lang) {
  std::string out = fmt::format("# {}\n\n{}\n", text(lang, "rules.doc.title"), text(lang, "rules.doc.intro"));
  for (const Rule& rule : rules)
    add_rule(out, rule, lang);
  return out;
}

} // namespace prof
