// The journal and the case library as tables.
#include "base/format_units.hpp"
#include "base/safe_text.hpp"
#include "plan/plan.hpp"
#include "report/case_view.hpp"

#include <ctime>
#include <nlohmann/json.hpp>

namespace prof {
namespace {

std::string names_of(const std::vector<Artefact>& artefacts) {
  std::string out;
  for (const Artefact& a : artefacts)
    out += (out.empty() ? "" : ", ") + a.path.substr(a.path.find_last_of('/') + 1);
  return out;
}

std::string command_of(const JournalEntry& entry) {
  std::string out = entry.program;
  for (std::size_t i = 1; i < entry.command_line.size(); ++i) {
    const std::string& word = entry.command_line[i];
    // shell_quote() quotes a leading dash, which an option may keep.
    const bool is_plain_option = word.starts_with('-') && shell_quote("x" + word) == "x" + word;
    out += " " + (is_plain_option ? word : shell_quote(word));
  }
  return out;
}

// A fact is JSON text: a number or a word is shown plain, a validation as its table, and of anything else
// only that it is there.
void add_facts(PageModel& page, const JournalEntry& entry, Lang lang) {
  PageSection facts{
      .id = "facts", .heading = std::string(text(lang, "journal.section.facts")), .paragraphs = {}};
  PageTable validation;
  for (const auto& [key, value] : entry.facts) {
    const auto json = nlohmann::json::parse(value, nullptr, false);
    if (key == "validation" && json.is_object())
      validation = figure_table(figures_in(value), lang);
    else if (json.is_object() || json.is_array())
      facts.paragraphs.push_back(say(lang, "journal.structured", fmt::arg("key", key)));
    else
      facts.paragraphs.push_back(key + ": " +
                                 one_line(json.is_string() ? json.get<std::string>() : value, 300));
  }
  if (!facts.paragraphs.empty()) page.sections.push_back(std::move(facts));
  if (!validation.rows.empty())
    page.sections.push_back({.id = "validation",
                             .heading = std::string(text(lang, "journal.section.validation")),
                             .paragraphs = {},
                             .table = std::move(validation)});
}

} // namespace

std::string format_time(std::int64_t time_ns) {
  const std::time_t seconds = time_ns / 1'000'000'000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char buffer[32];
  std::strftime(buffer, sizeof buffer, "%Y-%m-%d %H:%M:%S", &parts);
  return buffer;
}

PageModel journal_page(const std::vector<JournalEntry>& entries, Lang lang) {
  PageModel page{.title = std::string(text(lang, "journal.title")), .lead = {}, .sections = {}};
  PageSection section{
      .id = "log", .heading = std::string(text(lang, "journal.section.entries")), .paragraphs = {}};
  for (const char* id : {"id", "time", "command", "exit", "read", "wrote"})
    section.table.header.emplace_back(text(lang, fmt::format("journal.col.{}", id)));
  section.table.is_right = {true, false, false, true, false, false};
  for (const JournalEntry& e : entries)
    section.table.rows.push_back({std::to_string(e.id), format_time(e.time_ns), e.program + " " + e.verb,
                                  std::to_string(e.exit_status), names_of(e.inputs), names_of(e.outputs)});
  if (entries.empty()) section.paragraphs.emplace_back(text(lang, "journal.empty"));
  page.sections.push_back(std::move(section));
  return page;
}

PageModel entry_page(const JournalEntry& e, const std::vector<std::string>& lineage, Lang lang) {
  PageModel page{.title = say(lang, "journal.entry", fmt::arg("id", e.id)), .lead = {}, .sections = {}};
  page.lead.push_back(command_of(e));
  page.lead.push_back(say(lang, "journal.when", fmt::arg("time", format_time(e.time_ns)),
                          fmt::arg("version", e.version), fmt::arg("exit", e.exit_status)));
  PageSection files{
      .id = "files", .heading = std::string(text(lang, "journal.section.files")), .paragraphs = {}};
  for (const char* id : {"role", "path", "size", "sha256"})
    files.table.header.emplace_back(text(lang, fmt::format("journal.col.{}", id)));
  files.table.is_right = {false, false, true, false};
  for (const auto& [role, list] :
       {std::pair{"journal.col.read", &e.inputs}, std::pair{"journal.col.wrote", &e.outputs}})
    for (const Artefact& a : *list)
      files.table.rows.push_back(
          {std::string(text(lang, role)), a.path, format_bytes(Bytes{a.size_bytes}), a.sha256});
  page.sections.push_back(std::move(files));
  if (!lineage.empty())
    page.sections.push_back({.id = "lineage",
                             .heading = std::string(text(lang, "journal.section.lineage")),
                             .paragraphs = lineage});
  add_facts(page, e, lang);
  return page;
}

Doc entry_doc(const JournalEntry& e) {
  Doc command = Doc::list(), facts = Doc::map();
  for (const std::string& word : e.command_line)
    command.add(word);
  for (const auto& [key, value] : e.facts)
    facts.set(key, value);
  const auto artefacts = [](const std::vector<Artefact>& list) {
    Doc out = Doc::list();
    for (const Artefact& a : list)
      out.add(Doc::map().set("path", a.path).set("sha256", a.sha256).set("size_bytes", a.size_bytes));
    return out;
  };
  return Doc::map()
      .set("id", e.id)
      .set("time_ns", e.time_ns)
      .set("program", e.program)
      .set("version", e.version)
      .set("verb", e.verb)
      .set("exit_status", e.exit_status)
      .set("command_line", std::move(command))
      .set("inputs", artefacts(e.inputs))
      .set("outputs", artefacts(e.outputs))
      .set("facts", std::move(facts));
}

PageModel case_list_page(const std::vector<CaseHit>& hits, Lang lang) {
  PageModel page{.title = std::string(text(lang, "cases.list.title")), .lead = {}, .sections = {}};
  PageSection section{
      .id = "cases", .heading = std::string(text(lang, "cases.list.heading")), .paragraphs = {}};
  for (const char* id : {"id", "problem", "solution", "state", "file"})
    section.table.header.emplace_back(text(lang, fmt::format("cases.col.{}", id)));
  for (const CaseHit& hit : hits) {
    std::string solution;
    for (const std::string& word : hit.stored->solution)
      solution += (solution.empty() ? "" : " + ") + word;
    section.table.rows.push_back(
        {hit.stored->id, hit.stored->problem, solution, hit.stored->state,
         hit.stored->path.empty() ? std::string(text(lang, "cases.built_in")) : hit.stored->path});
  }
  if (hits.empty()) section.paragraphs.emplace_back(text(lang, "cases.none_found"));
  page.sections.push_back(std::move(section));
  return page;
}

} // namespace prof
