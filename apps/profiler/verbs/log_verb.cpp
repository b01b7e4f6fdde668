#include "base/yaml_writer.hpp"
#include "cases/journal.hpp"
#include "common/cli.hpp"
#include "report/case_view.hpp"

#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

struct LogFlags {
  std::int64_t limit = 20;
  std::string verb;
  bool is_json = false;
};

Exit run_log(const LogFlags& flags, Context& context) {
  auto journal = Journal::open(context.workspace, false);
  std::vector<JournalEntry> entries;
  if (journal) {
    auto list = journal->list(flags.limit, flags.verb);
    if (!list) return fail(context, list.error());
    entries = *std::move(list);
  } else if (journal.error().code != Errc::missing) {
    return fail(context, journal.error());
  }
  if (!flags.is_json) {
    fmt::print("{}", page_text(journal_page(entries, context.lang), 130));
    return Exit::ok;
  }
  Doc list = Doc::list();
  for (const JournalEntry& e : entries) {
    Doc command = Doc::list();
    for (const std::string& word : e.command_line)
      command.add(word);
    list.add(Doc::map()
                 .set("id", e.id)
                 .set("time_ns", e.time_ns)
                 .set("verb", e.verb)
                 .set("exit_status", e.exit_status)
                 .set("command_line", std::move(command)));
  }
  fmt::print("{}\n", to_json(list));
  return Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<LogFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("--limit", flags->limit, help("journal.opt.limit"))->check(CLI::Range(1, 1'000'000));
  app.add_option("--verb", flags->verb, help("journal.opt.verb"));
  app.add_flag("--json", flags->is_json, help("journal.opt.json"));
  return [flags, &context] { return run_log(*flags, context); };
}

} // namespace

extern const Verb log_verb;
const Verb log_verb{
    .name = "log", .summary = "verb.log.summary", .example = "profiler log --limit 5", .declare = declare};

} // namespace prof
