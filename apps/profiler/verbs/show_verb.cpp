#include "cases/journal.hpp"
#include "common/cli.hpp"
#include "report/case_view.hpp"

#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

// Who made what this entry read, and who read what it wrote.
Result<std::vector<std::string>> lineage_of(Journal& journal, const JournalEntry& entry, Lang lang) {
  std::vector<std::string> lines;
  const auto add = [&](const char* id, const Artefact& artefact, const std::vector<JournalEntry>& others) {
    for (const JournalEntry& other : others)
      if (other.id != entry.id)
        lines.push_back(say(lang, id, fmt::arg("path", artefact.path), fmt::arg("id", other.id),
                            fmt::arg("program", other.program), fmt::arg("verb", other.verb)));
  };
  for (const Artefact& input : entry.inputs) {
    if (input.sha256.empty()) continue;
    PROF_TRY(const auto makers, journal.makers_of(input.sha256));
    add("journal.made_by", input, makers);
  }
  for (const Artefact& output : entry.outputs) {
    if (output.sha256.empty()) continue;
    PROF_TRY(const auto users, journal.users_of(output.sha256));
    add("journal.used_by", output, users);
  }
  return lines;
}

Exit run_show(std::int64_t id, Context& context) {
  auto journal = Journal::open(context.workspace, false);
  if (!journal) return fail(context, journal.error());
  const auto entry = journal->entry(id);
  if (!entry) return fail(context, entry.error());
  const auto lineage = lineage_of(*journal, *entry, context.lang);
  if (!lineage) return fail(context, lineage.error());
  fmt::print("{}", page_text(entry_page(*entry, *lineage, context.lang), 140));
  return Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto id = std::make_shared<std::int64_t>(0);
  app.add_option("id", *id, std::string(text(context.lang, "journal.opt.id")))->required();
  return [id, &context] { return run_show(*id, context); };
}

} // namespace

extern const Verb show_verb;
const Verb show_verb{
    .name = "show", .summary = "verb.show.summary", .example = "profiler show 12", .declare = declare};

} // namespace prof
