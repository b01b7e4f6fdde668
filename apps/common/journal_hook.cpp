#include "common/journal_hook.hpp"

#include "base/clock.hpp"
#include "base/sha256.hpp"
#include "cases/journal.hpp"
#include "common/version.hpp"

#include <system_error>

namespace prof {
namespace {

// A path that is gone or unreadable by now keeps its name with an empty sha256: the entry still says what was
// meant.
std::vector<Artefact> artefacts_of(const std::vector<std::filesystem::path>& paths) {
  std::vector<Artefact> out;
  for (const auto& path : paths) {
    std::error_code error;
    if (path == "-" || path.empty() || !std::filesystem::exists(path, error)) continue;
    Artefact artefact{.path = std::filesystem::absolute(path, error).lexically_normal().string(),
                      .sha256 = {},
                      .size_bytes = 0};
    if (std::filesystem::is_regular_file(path, error))
      artefact.size_bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
    if (auto sha = sha256_of(path)) artefact.sha256 = *std::move(sha);
    out.push_back(std::move(artefact));
  }
  return out;
}

} // namespace

void record_in_journal(const Context& context, int exit_status) {
  if (!context.is_journal_on || (context.inputs.empty() && context.outputs.empty())) return;
  JournalEntry entry;
  entry.time_ns = clock_ns(CLOCK_REALTIME);
  entry.program = context.program, entry.version = kVersion;
  entry.verb = context.command_line.size() > 1 ? context.command_line[1] : "";
  entry.command_line = context.command_line;
  entry.exit_status = exit_status;
  entry.inputs = artefacts_of(context.inputs), entry.outputs = artefacts_of(context.outputs);
  entry.facts = context.facts;
  auto journal = Journal::open(context.workspace, true);
  Error error;
  if (journal) {
    const auto added = journal->add(entry);
    if (added) return;
    error = added.error();
  } else {
    error = journal.error();
  }
  tell(context,
       say(context.lang, "journal.not_written",
           fmt::arg("why", (error.where.empty() ? "" : error.where + ": ") + said_in(error, context.lang))));
}

} // namespace prof
