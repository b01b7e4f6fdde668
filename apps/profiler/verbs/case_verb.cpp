#include "base/file.hpp"
#include "cases/case_library.hpp"
#include "common/cli.hpp"
#include "report/case_view.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

constexpr std::int64_t kMostCardBytes = 1 << 20;

struct CaseFlags {
  std::string action;
  std::vector<std::string> words;
  std::filesystem::path library, output;
  std::size_t limit = 10;
  bool may_replace = false;
};

Exit need(const Context& context, const char* what) {
  return fail(context, {Errc::bad_argument, say(context.lang, "cases.needs", fmt::arg("what", what)), {}});
}

std::filesystem::path folder_of(const CaseFlags& flags, const Context& context) {
  return flags.library.empty() ? case_folder(context.workspace) : flags.library;
}

void list_cases(const CaseLibrary& library, const Context& context) {
  std::vector<CaseHit> hits;
  for (const StoredCase& card : library.cases())
    hits.push_back({&card, 0});
  print(context, "{}", page_text(case_list_page(hits, context.lang), 130));
}

Exit search_cases(const CaseLibrary& library, const CaseFlags& flags, Context& context) {
  if (flags.words.empty()) return need(context, "search WORDS");
  std::string query;
  for (const std::string& word : flags.words)
    query += word + " ";
  const auto hits = library.search(query, flags.limit);
  print(context, "{}", page_text(case_list_page(hits, context.lang), 130));
  return hits.empty() && context.is_strict ? Exit::no : Exit::ok;
}

std::vector<std::filesystem::path> cards_in(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> cards;
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {path};
  for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".md") cards.push_back(at->path());
  std::ranges::sort(cards);
  return cards;
}

Exit add_cases(CaseLibrary& library, const CaseFlags& flags, Context& context, bool is_import) {
  if (flags.words.empty()) return need(context, is_import ? "import FOLDER" : "add FILE");
  std::size_t added = 0;
  for (const std::string& word : flags.words)
    for (const auto& path : cards_in(word)) {
      const auto content = read_file(path, kMostCardBytes);
      const Status status =
          content ? library.add(*content, path.string(), flags.may_replace) : Status(content.error());
      if (status) {
        ++added;
        context.inputs.push_back(path);
        continue;
      }
      std::error_code error;
      // Of a folder the other cards are taken; a file that was named is what was asked for.
      if (!is_import || !std::filesystem::is_directory(word, error)) return fail(context, status.error());
      tell(context, say(context.lang, "cases.unreadable",
                        fmt::arg("what", path.string() + ": " + said_in(status.error(), context.lang))));
    }
  if (added == 0) return fail(context, {Errc::missing, say(context.lang, "cases.none"), flags.words.front()});
  tell(context, say(context.lang, "cases.added", fmt::arg("n", added),
                    fmt::arg("folder", folder_of(flags, context).string())));
  return Exit::ok;
}

Exit export_cases(const CaseLibrary& library, const CaseFlags& flags, Context& context) {
  if (flags.output.empty()) return need(context, "--output FOLDER");
  std::error_code error;
  std::filesystem::create_directories(flags.output, error);
  for (const StoredCase& card : library.cases())
    if (const Status written = write_file(flags.output / (card.id + ".md"), card.content); !written)
      return fail(context, written.error());
  context.outputs.push_back(flags.output);
  tell(context, say(context.lang, "cases.added", fmt::arg("n", library.cases().size()),
                    fmt::arg("folder", flags.output.string())));
  return Exit::ok;
}

Exit run_case(const CaseFlags& flags, Context& context) {
  static constexpr std::array<std::string_view, 5> kActions{"search", "list", "add", "import", "export"};
  if (std::ranges::find(kActions, flags.action) == kActions.end())
    return fail(
        context,
        {Errc::bad_argument, say(context.lang, "cases.bad_action", fmt::arg("name", flags.action)), {}});
  std::error_code error;
  const bool is_made = flags.action == "add" || flags.action == "import";
  if (!flags.library.empty() && !is_made && !std::filesystem::exists(flags.library, error))
    return fail(context, {Errc::missing, say(context.lang, "cases.no_library"), flags.library.string()});
  auto library = CaseLibrary::open(folder_of(flags, context));
  if (!library) return fail(context, library.error());
  for (const std::string& what : library->unreadable())
    tell(context, say(context.lang, "cases.unreadable", fmt::arg("what", what)));
  if (flags.action == "search") return search_cases(*library, flags, context);
  if (flags.action == "add" || flags.action == "import")
    return add_cases(*library, flags, context, flags.action == "import");
  if (flags.action == "export") return export_cases(*library, flags, context);
  list_cases(*library, context);
  return Exit::ok;
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<CaseFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  app.add_option("action", flags->action, help("cases.opt.action"))->required();
  app.add_option("words", flags->words, help("cases.opt.action"));
  app.add_option("--library", flags->library, help("cases.opt.library"));
  app.add_option("--output", flags->output, help("cases.opt.export_output"));
  app.add_option("--limit", flags->limit, help("cases.opt.limit"));
  app.add_flag("--force", flags->may_replace, help("cases.opt.force"));
  return [flags, &context] { return run_case(*flags, context); };
}

} // namespace

extern const Verb case_verb;
const Verb case_verb{.name = "case",
                     .summary = "verb.case.summary",
                     .example = "profiler case search \"layout transpose bandwidth\"",
                     .declare = declare};

} // namespace prof
