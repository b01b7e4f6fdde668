#include "base/yaml_writer.hpp"
#include "cases/journal.hpp"
#include "common/flags.hpp"
#include "common/output.hpp"
#include "report/case_view.hpp"

#include <array>
#include <memory>

namespace prof {
namespace {

constexpr std::array<std::string_view, 3> kKinds{"text", "json", "yaml"};
struct LogFlags {
  std::int64_t limit = 20;
  std::string verb;
  OutputFlags output;
  bool is_json = false;
};

Exit run_log(LogFlags flags, Context& context) {
  if (flags.is_json) flags.output.format = "json";
  const auto kind = output_kind(context, flags.output, kKinds);
  if (!kind) return fail(context, kind.error());
  auto journal = Journal::open(context.workspace, false);
  std::vector<JournalEntry> entries;
  if (journal) {
    auto list = journal->list(flags.limit, flags.verb);
    if (!list) return fail(context, list.error());
    entries = *std::move(list);
  } else if (std::error_code error; // no journal yet is an empty list, no such folder a mistake
             journal.error().code != Errc::missing ||
             !std::filesystem::is_directory(context.workspace, error)) {
    return fail(context, journal.error());
  }
  if (*kind == "text")
    return deliver_report(context, flags.output.path, page_text(journal_page(entries, context.lang), 130));
  Doc list = Doc::list();
  for (const JournalEntry& entry : entries)
    list.add(entry_doc(entry));
  return deliver_report(context, flags.output.path, *kind == "json" ? to_json(list) : to_yaml(list));
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<LogFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--limit", flags->limit, help("journal.opt.limit"))->check(in_range(context, 1, 1'000'000));
  app.add_option("--verb", flags->verb, help("journal.opt.verb"));
  add_output_options(app, context, flags->output, kKinds);
  app.add_flag("--json", flags->is_json, help("journal.opt.json"));
  return [flags, &context] { return run_log(*flags, context); };
}

} // namespace

extern const Verb log_verb;
const Verb log_verb{
    .name = "log", .summary = "verb.log.summary", .example = "profiler log --limit 5", .declare = declare};

} // namespace prof
