#include "import/sqlite/sqlite_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sqlite3.h>

namespace prof {
namespace {

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

Statement prepare(sqlite3* db, std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  sqlite3_prepare_v2(db, sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
  return {raw, sqlite3_finalize};
}

// A path as a file: URI; every byte that could mean something there is escaped.
std::string uri_of(const std::filesystem::path& path) {
  std::error_code error;
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path, error).string()) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          c == '/' || c == '.' || c == '_' || c == '-';
    if (is_plain)
      uri += c;
    else
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  // immutable: no lock, no -wal or -journal is looked for, nothing is written beside the user's file.
  return uri + "?mode=ro&immutable=1";
}

} // namespace

bool is_sqlite(std::string_view head) {
  return head.starts_with(std::string_view("SQLite format 3\0", 16));
}

std::int64_t missing_pages(std::string_view head, const std::filesystem::path& path) {
  constexpr std::size_t kPageSize = 16, kChanges = 24, kPages = 28, kChangesOfPages = 92, kHeader = 100;
  if (!is_sqlite(head) || head.size() < kHeader) return 0;
  const auto number = [&](std::size_t at, std::size_t size) { // big-endian, unlike all else that we read
    std::int64_t out = 0;
    for (std::size_t i = 0; i < size; ++i)
      out = out * 256 + static_cast<unsigned char>(head[at + i]);
    return out;
  };
  if (number(kChanges, 4) != number(kChangesOfPages, 4))
    return 0; // an old writer left the number of pages stale
  const std::int64_t page = number(kPageSize, 2) == 1 ? 65'536 : number(kPageSize, 2);
  std::error_code error;
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
  return error || page == 0 ? 0 : std::max<std::int64_t>(number(kPages, 4) - size / page, 0);
}

std::int64_t SqliteFile::Row::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}
double SqliteFile::Row::real(int column) const {
  return sqlite3_column_double(statement_, column);
}
std::string_view SqliteFile::Row::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr
             ? std::string_view{}
             : std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}
bool SqliteFile::Row::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

void SqliteFile::Close::operator()(sqlite3* db) const {
  sqlite3_close(db);
}

Result<SqliteFile> SqliteFile::open(const std::filesystem::path& path) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(uri_of(path).c_str(), &raw,
                                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteFile file(raw);
  if (code != SQLITE_OK)
    return Error{Errc::io, fmt::format("cannot open: {}", sqlite3_errmsg(raw)), path.string()};
  // The schema is a stranger's: no functions of ours through its views, no tricks with its tables.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  const Statement probe = prepare(raw, "select count(*) from sqlite_master");
  if (!probe || sqlite3_step(probe.get()) != SQLITE_ROW)
    return Error{Errc::malformed, fmt::format("not a readable SQLite file: {}", sqlite3_errmsg(raw)),
                 path.string()};
  return file;
}

bool SqliteFile::has(std::string_view table) const {
  const Statement query =
      prepare(db_.get(), "select 1 from sqlite_master where type = 'table' and name = ?1");
  if (!query) return false;
  sqlite3_bind_text(query.get(), 1, table.data(), static_cast<int>(table.size()), SQLITE_STATIC);
  return sqlite3_step(query.get()) == SQLITE_ROW;
}

bool SqliteFile::has(std::string_view table, std::string_view column) const {
  const Statement query = prepare(db_.get(), "select 1 from pragma_table_info(?1) where name = ?2");
  if (!query) return false;
  sqlite3_bind_text(query.get(), 1, table.data(), static_cast<int>(table.size()), SQLITE_STATIC);
  sqlite3_bind_text(query.get(), 2, column.data(), static_cast<int>(column.size()), SQLITE_STATIC);
  return sqlite3_step(query.get()) == SQLITE_ROW;
}

std::string SqliteFile::column_or(std::string_view table, std::string_view column,
                                  std::string_view otherwise) const {
  return has(table, column) ? fmt::format("\"{}\"", column) : std::string(otherwise);
}

std::int64_t SqliteFile::count(std::string_view table) const {
  if (!has(table)) return 0;
  const Statement query = prepare(db_.get(), fmt::format("select count(*) from \"{}\"", table));
  return query && sqlite3_step(query.get()) == SQLITE_ROW ? sqlite3_column_int64(query.get(), 0) : 0;
}

Status SqliteFile::each(const std::string& sql, const std::function<void(const Row&)>& take) const {
  const Statement query = prepare(db_.get(), sql);
  if (!query) return Error{Errc::malformed, sqlite3_errmsg(db_.get()), {}};
  for (;;) {
    const int code = sqlite3_step(query.get());
    if (code == SQLITE_DONE) return {};
    if (code != SQLITE_ROW) return Error{Errc::malformed, sqlite3_errmsg(db_.get()), {}};
    take(Row(query.get()));
  }
}

} // namespace prof
