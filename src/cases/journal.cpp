#include "cases/journal.hpp"

#include "base/clock.hpp"
#include "base/lang.hpp"

#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <unistd.h>
#include <utility>

namespace prof {
namespace {

constexpr int kVersion = 1;
constexpr int kBusyMs = 2000;
constexpr const char* kSchema = R"sql(
CREATE TABLE IF NOT EXISTS entry(id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL, program TEXT NOT NULL, verb TEXT NOT NULL,
  version TEXT NOT NULL, command_line TEXT NOT NULL, exit_status INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS artefact(entry_id INTEGER NOT NULL REFERENCES entry(id), role TEXT NOT NULL, path TEXT NOT NULL,
  sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS fact(entry_id INTEGER NOT NULL REFERENCES entry(id), key TEXT NOT NULL, value TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS artefact_sha ON artefact(sha256, role);
CREATE INDEX IF NOT EXISTS artefact_entry ON artefact(entry_id);
CREATE INDEX IF NOT EXISTS fact_entry ON fact(entry_id);
PRAGMA user_version = 1;
)sql";

Error db_error(sqlite3* db) {
  const int code = db == nullptr ? SQLITE_NOMEM : sqlite3_errcode(db) & 0xff;
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) return error_said(Errc::io, "journal.locked", {});
  const bool is_refused =
      code == SQLITE_READONLY || code == SQLITE_PERM || code == SQLITE_AUTH || code == SQLITE_CANTOPEN;
  return error_said(is_refused ? Errc::permission : Errc::io, "journal.database", {},
                    fmt::arg("why", db == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(db)));
}

struct StatementDeleter {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, StatementDeleter>;

Result<Statement> prepare(sqlite3* db, std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(db, sql.data(), static_cast<int>(sql.size()), &raw, nullptr) != SQLITE_OK)
    return db_error(db);
  return Statement(raw);
}
void put_text(const Statement& s, int at, std::string_view text) {
  // An empty view may point nowhere, which SQLite would take for NULL.
  sqlite3_bind_text(s.get(), at, text.empty() ? "" : text.data(), static_cast<int>(text.size()),
                    SQLITE_TRANSIENT);
}
std::string column(const Statement& s, int at) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(s.get(), at));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(s.get(), at)));
}
template <class F>
Status each_row(sqlite3* db, const Statement& s, F&& visit) {
  int code = 0;
  while ((code = sqlite3_step(s.get())) == SQLITE_ROW)
    visit();
  if (code != SQLITE_DONE) return db_error(db);
  return {};
}
Status run(sqlite3* db, const char* sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return db_error(db);
  return {};
}
Status done(sqlite3* db, const Statement& s) {
  if (sqlite3_step(s.get()) != SQLITE_DONE) return db_error(db);
  return {};
}

std::string json_list(const std::vector<std::string>& words) {
  return nlohmann::json(words).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
std::vector<std::string> words_of(const std::string& text) {
  const auto list = nlohmann::json::parse(text, nullptr, false);
  std::vector<std::string> words;
  if (!list.is_array()) return words;
  for (const auto& word : list)
    if (word.is_string()) words.push_back(word.get<std::string>());
  return words;
}

Status add_artefacts(sqlite3* db, std::int64_t id, std::string_view role,
                     const std::vector<Artefact>& artefacts) {
  for (const Artefact& artefact : artefacts) {
    PROF_TRY(const Statement s, prepare(db, "INSERT INTO artefact VALUES(?,?,?,?,?)"));
    sqlite3_bind_int64(s.get(), 1, id);
    put_text(s, 2, role);
    put_text(s, 3, artefact.path);
    put_text(s, 4, artefact.sha256);
    sqlite3_bind_int64(s.get(), 5, artefact.size_bytes);
    PROF_CHECK(done(db, s));
  }
  return {};
}

Result<std::int64_t> add_rows(sqlite3* db, const JournalEntry& entry) {
  PROF_TRY(
      const Statement s,
      prepare(
          db,
          "INSERT INTO entry(time_ns,program,verb,version,command_line,exit_status) VALUES(?,?,?,?,?,?)"));
  sqlite3_bind_int64(s.get(), 1, entry.time_ns);
  const std::string command = json_list(entry.command_line);
  put_text(s, 2, entry.program);
  put_text(s, 3, entry.verb);
  put_text(s, 4, entry.version);
  put_text(s, 5, command);
  sqlite3_bind_int64(s.get(), 6, entry.exit_status);
  PROF_CHECK(done(db, s));
  const std::int64_t id = sqlite3_last_insert_rowid(db);
  PROF_CHECK(add_artefacts(db, id, "input", entry.inputs));
  PROF_CHECK(add_artefacts(db, id, "output", entry.outputs));
  for (const auto& [key, value] : entry.facts) {
    PROF_TRY(const Statement fact, prepare(db, "INSERT INTO fact VALUES(?,?,?)"));
    sqlite3_bind_int64(fact.get(), 1, id);
    put_text(fact, 2, key);
    put_text(fact, 3, value);
    PROF_CHECK(done(db, fact));
  }
  return id;
}

// Two processes that change a new file to WAL at once: SQLite tells one of them "busy" without waiting.
Status make_tables(sqlite3* db) {
  const std::int64_t end_ns = clock_ns(CLOCK_MONOTONIC) + std::int64_t{kBusyMs} * 1'000'000;
  for (;;) {
    Status made = run(db, "PRAGMA journal_mode=WAL");
    if (made) made = run(db, kSchema);
    const bool is_busy = !made && (sqlite3_errcode(db) & 0xff) == SQLITE_BUSY;
    const std::int64_t left_ms = (end_ns - clock_ns(CLOCK_MONOTONIC)) / 1'000'000;
    sqlite3_busy_timeout(db, is_busy && left_ms > 0 ? static_cast<int>(left_ms) : kBusyMs);
    if (!is_busy || left_ms <= 0) return made;
    ::usleep(20'000);
  }
}

} // namespace

Result<Journal> Journal::open(const std::filesystem::path& workspace, bool may_create) {
  const auto folder = workspace / ".profiler", path = folder / "journal.db";
  std::error_code error;
  if (!may_create && !std::filesystem::exists(path, error))
    return error_said(Errc::missing, "journal.none_yet", path.string());
  if (may_create) std::filesystem::create_directories(folder, error);
  if (error)
    return Error{error == std::errc::permission_denied ? Errc::permission : Errc::io, error.message(),
                 folder.string()};
  // SQLite would wait for the other end of a pipe.
  for (const char* beside : {"", "-journal", "-wal", "-shm"}) {
    const std::string name = path.string() + beside;
    // Asked once: another process may end its first writing, and with it the file, in between.
    const auto found = std::filesystem::status(name, error);
    if (std::filesystem::exists(found) && !std::filesystem::is_regular_file(found))
      return error_said(Errc::io, "journal.no_file", name);
  }
  sqlite3* raw = nullptr;
  const int flags = may_create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;
  int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  if (code != SQLITE_OK && !may_create) { // a read-only folder can still be read
    sqlite3_close(raw);
    code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
  }
  Journal journal(raw);
  if (code != SQLITE_OK) return db_error(raw).at(path.string());
  sqlite3_busy_timeout(raw, kBusyMs);
  PROF_TRY(Statement version, prepare(raw, "PRAGMA user_version"));
  if (sqlite3_step(version.get()) != SQLITE_ROW) return db_error(raw).at(path.string());
  const int written_by = sqlite3_column_int(version.get(), 0);
  version.reset(); // an open statement would keep the file from changing to WAL
  if (written_by > kVersion) return error_said(Errc::unsupported, "journal.newer", path.string());
  if (may_create) {
    PROF_CHECK(run(raw, "PRAGMA synchronous=NORMAL"));
    // A whole journal is not made again: that would be one more thing to wait for.
    if (written_by < kVersion) PROF_CHECK(make_tables(raw));
  }
  return journal;
}

Journal::Journal(Journal&& other) noexcept : db_(std::exchange(other.db_, nullptr)) {}
Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(db_, other.db_);
  return *this;
}
Journal::~Journal() {
  sqlite3_close(db_);
}

Result<std::int64_t> Journal::add(const JournalEntry& entry) {
  PROF_CHECK(run(db_, "BEGIN IMMEDIATE"));
  auto id = add_rows(db_, entry);
  const Status end = run(db_, id ? "COMMIT" : "ROLLBACK");
  if (!end) return end.error();
  return id;
}

Result<std::vector<std::int64_t>> Journal::ids(std::string_view sql, std::string_view text,
                                               std::int64_t number) {
  PROF_TRY(const Statement s, prepare(db_, sql));
  put_text(s, 1, text);
  sqlite3_bind_int64(s.get(), 2, number);
  std::vector<std::int64_t> out;
  PROF_CHECK(each_row(db_, s, [&] { out.push_back(sqlite3_column_int64(s.get(), 0)); }));
  return out;
}

Result<JournalEntry> Journal::entry(std::int64_t id) {
  JournalEntry out;
  PROF_TRY(
      const Statement s,
      prepare(db_, "SELECT time_ns,program,verb,version,command_line,exit_status FROM entry WHERE id=?"));
  sqlite3_bind_int64(s.get(), 1, id);
  const int code = sqlite3_step(s.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) return db_error(db_);
  if (code == SQLITE_DONE) return error_said(Errc::not_found, "journal.no_entry", {}, fmt::arg("id", id));
  out.id = id, out.time_ns = sqlite3_column_int64(s.get(), 0);
  out.program = column(s, 1), out.verb = column(s, 2), out.version = column(s, 3);
  out.command_line = words_of(column(s, 4));
  out.exit_status = sqlite3_column_int64(s.get(), 5);
  PROF_TRY(const Statement a,
           prepare(db_, "SELECT role,path,sha256,size_bytes FROM artefact WHERE entry_id=? ORDER BY rowid"));
  sqlite3_bind_int64(a.get(), 1, id);
  PROF_CHECK(each_row(db_, a, [&] {
    (column(a, 0) == "input" ? out.inputs : out.outputs)
        .push_back({column(a, 1), column(a, 2), sqlite3_column_int64(a.get(), 3)});
  }));
  PROF_TRY(const Statement f, prepare(db_, "SELECT key,value FROM fact WHERE entry_id=? ORDER BY key"));
  sqlite3_bind_int64(f.get(), 1, id);
  PROF_CHECK(each_row(db_, f, [&] { out.facts[column(f, 0)] = column(f, 1); }));
  return out;
}

Result<std::vector<JournalEntry>> Journal::entries(const std::vector<std::int64_t>& wanted) {
  std::vector<JournalEntry> out;
  for (const std::int64_t id : wanted) {
    PROF_TRY(JournalEntry one, entry(id));
    out.push_back(std::move(one));
  }
  return out;
}

Result<std::vector<JournalEntry>> Journal::list(std::int64_t limit, std::string_view verb) {
  PROF_TRY(const auto found,
           ids("SELECT id FROM entry WHERE ?1='' OR verb=?1 ORDER BY id DESC LIMIT ?2", verb, limit));
  return entries(found);
}
Result<std::vector<JournalEntry>> Journal::makers_of(std::string_view sha256) {
  PROF_TRY(const auto found, ids("SELECT DISTINCT entry_id FROM artefact WHERE sha256=?1 AND role='output' "
                                 "ORDER BY entry_id DESC LIMIT ?2",
                                 sha256, 100));
  return entries(found);
}
Result<std::vector<JournalEntry>> Journal::users_of(std::string_view sha256) {
  PROF_TRY(const auto found, ids("SELECT DISTINCT entry_id FROM artefact WHERE sha256=?1 AND role='input' "
                                 "ORDER BY entry_id DESC LIMIT ?2",
                                 sha256, 100));
  return entries(found);
}

} // namespace prof
