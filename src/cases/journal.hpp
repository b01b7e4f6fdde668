// journal.hpp: what each command used and made, in .profiler/journal.db of the workspace (SQLite). That is
// how a case card finds the diagnosis, plan and validation that belong together.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace prof {

struct Artefact {
  std::string path; // as the command named it, made absolute
  std::string sha256;
  std::int64_t size_bytes = 0;
};
struct JournalEntry {
  std::int64_t id = 0;
  std::int64_t time_ns = 0; // since 1970
  std::string program, verb, version;
  std::vector<std::string> command_line;
  std::int64_t exit_status = 0;
  std::vector<Artefact> inputs, outputs;
  std::map<std::string, std::string> facts; // key -> JSON text
};

// One open journal. Several processes may write at once (WAL, 2 s busy timeout). Not thread-safe.
class Journal {
public:
  // Opens WORKSPACE/.profiler/journal.db; makes it when `may_create`. Errors: missing (no journal yet), io,
  // permission, unsupported (written by a newer version).
  [[nodiscard]] static Result<Journal> open(const std::filesystem::path& workspace, bool may_create);
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  // Appends an entry in one transaction; returns its id.
  [[nodiscard]] Result<std::int64_t> add(const JournalEntry& entry);
  // The newest first, at most `limit`; of one verb when `verb` is not empty.
  [[nodiscard]] Result<std::vector<JournalEntry>> list(std::int64_t limit, std::string_view verb = {});
  // Error: not_found.
  [[nodiscard]] Result<JournalEntry> entry(std::int64_t id);
  // Entries that wrote (or read) an artefact of this content, newest first.
  [[nodiscard]] Result<std::vector<JournalEntry>> makers_of(std::string_view sha256);
  [[nodiscard]] Result<std::vector<JournalEntry>> users_of(std::string_view sha256);

private:
  explicit Journal(sqlite3* db) : db_(db) {}
  [[nodiscard]] Result<std::vector<std::int64_t>> ids(std::string_view sql, std::string_view text,
                                                      std::int64_t number);
  [[nodiscard]] Result<std::vector<JournalEntry>> entries(const std::vector<std::int64_t>& ids);
  sqlite3* db_ = nullptr;
};

} // namespace prof
