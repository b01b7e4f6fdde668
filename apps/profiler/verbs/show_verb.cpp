#include "cases/journal.hpp"
#include "common/output.hpp"
#include "report/case_view.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 3> kKinds{"text", "json", "yaml"};
struct ShowFlags {
  std::int64_t id = 0;
  OutputFlags output;
};

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

Exit run_show(const ShowFlags& flags, Context& context) {
  const auto kind = output_kind(context, flags.output, kKinds);
  if (!kind) return fail(context, kind.error());
  auto journal = Journal::open(context.workspace, false);
  if (!journal) return fail(context, journal.error());
  const auto entry = journal->entry(flags.id);
  if (!entry) return fail(context, entry.error());
  if (*kind == "json") return deliver_report(context, flags.output.path, to_json(entry_doc(*entry)));
  if (*kind == "yaml") return deliver_report(context, flags.output.path, to_yaml(entry_doc(*entry)));
  const auto lineage = lineage_of(*journal, *entry, context.lang);
  if (!lineage) return fail(context, lineage.error());
  return deliver_report(context, flags.output.path,
                        page_text(entry_page(*entry, *lineage, context.lang), 140));
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  const auto flags = std::make_shared<ShowFlags>();
  app.add_option("id", flags->id, std::string(text(context.lang, "journal.opt.id")))->required();
  add_output_options(app, context, flags->output, kKinds);
  return [flags, &context] { return run_show(*flags, context); };
}

} // namespace

extern const Verb show_verb;
const Verb show_verb{
    .name = "show", .summary = "verb.show.summary", .example = "profiler show 12", .declare = declare};

} // namespace prof
