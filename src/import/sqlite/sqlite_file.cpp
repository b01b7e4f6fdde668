#include "import/sqlite/sqlite_file.hpp"

#include "base/lang.hpp"
#include "import/sqlite/wal_file.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sqlite3.h>

namespace prof {
namespace {

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

Statement prepare(sqlite3* db, std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  sqlite3_prepare_v2(db, sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
  return {raw, sqlite3_finalize};
}

Error damaged(std::string_view why) {
  return error_said(Errc::malformed, "error.sqlite_damaged", {}, fmt::arg("why", why));
}

constexpr std::int64_t kLeastCell = 1 << 20, kMostCell = std::int64_t{1} << 30; // bytes of a text or row
// Steps of SQLite's machine: what the largest real files need for a byte is below 10; a small file with a
// table that leads into itself needs any number.
constexpr std::int64_t kStepsOfAnyFile = 20'000'000, kStepsPerByte = 200;
constexpr int kStepsBetweenLooks = 10'000;

// A path as a file: URI; every byte that could mean something there is escaped.
std::string uri_of(const std::filesystem::path& path, bool has_log) {
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
  // immutable: no lock, no -wal or -journal is looked for, nothing is written beside the user's file. A -wal
  // is read without locks too, and its index is kept in memory (see open_as).
  return uri + (has_log ? "?mode=ro&vfs=unix-none" : "?mode=ro&immutable=1");
}

std::int64_t size_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : static_cast<std::int64_t>(size);
}

// SQLite looks beside the file itself and not beside a link to it.
std::filesystem::path beside(const std::filesystem::path& path, const char* suffix) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return (error ? path : real).string() + suffix;
}

bool begins_with_one_of(const std::filesystem::path& path, std::initializer_list<std::string_view> magics) {
  std::array<char, 8> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return std::ranges::any_of(
      magics, [&](std::string_view magic) { return std::string_view(head.data(), 8).starts_with(magic); });
}

// SQLite passes over what is no log without a word.
bool is_wal(const std::filesystem::path& log) {
  return begins_with_one_of(log, {"\x37\x7f\x06\x82", "\x37\x7f\x06\x83"});
}

bool has_wal(const std::filesystem::path& path) {
  constexpr std::int64_t kHeader = 32; // and nothing behind it: no change
  const std::filesystem::path log = beside(path, "-wal");
  return size_of(log) > kHeader && is_wal(log);
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
  const std::int64_t size = size_of(path);
  return size == 0 || page == 0 ? 0 : std::max<std::int64_t>(number(kPages, 4) - size / page, 0);
}

// What the database asks while it works: may this be read, and is it enough?
struct SqliteFile::Guard {
  std::set<std::string, std::less<>> strangers; // views, virtual tables, and "table\0column" of computed ones
  std::int64_t looks_left = 0;

  static int on_access(void* self, int action, const char* table, const char* column, const char* /*schema*/,
                       const char* through) {
    if (action != SQLITE_READ) return SQLITE_OK;
    const auto& strangers = static_cast<const Guard*>(self)->strangers;
    const auto is_in = [&](const char* name) { return name != nullptr && strangers.contains(name); };
    const bool is_computed =
        table != nullptr && column != nullptr && strangers.contains(std::string(table) + '\0' + column);
    return is_in(table) || is_in(through) || is_computed ? SQLITE_DENY : SQLITE_OK;
  }
  static int on_work(void* self) { return --static_cast<Guard*>(self)->looks_left < 0 ? 1 : 0; }
};

SqliteFile::SqliteFile(sqlite3* db) : guard_(std::make_unique<Guard>()), db_(db) {}
SqliteFile::SqliteFile(SqliteFile&&) noexcept = default;
SqliteFile& SqliteFile::operator=(SqliteFile&&) noexcept = default;
SqliteFile::~SqliteFile() = default;

UnreadLog unread_log(const std::filesystem::path& path) {
  const std::filesystem::path log = beside(path, "-wal"), journal = beside(path, "-journal");
  const bool has_log = has_wal(path);
  const WalState state = has_log ? check_wal(log) : WalState{};
  if ((size_of(log) > 0 && !is_wal(log)) ||
      (has_log && (!state.is_header_good || !SqliteFile::open_as(path, true))))
    return {.file = log.filename().string()};
  if (state.frames_left_out > 0)
    return {.file = log.filename().string(), .frames_left_out = state.frames_left_out};
  // A transaction that came to its end leaves no journal, an empty one or one that begins with zeros.
  const bool is_half_written = begins_with_one_of(journal, {"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"});
  return {.file = is_half_written ? journal.filename().string() : std::string()};
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
  if (has_wal(path))
    if (auto file = open_as(path, true)) return file;
  return open_as(path, false); // unread_log() tells it
}

Result<SqliteFile> SqliteFile::open_as(const std::filesystem::path& path, bool has_log) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(uri_of(path, has_log).c_str(), &raw,
                                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteFile file(raw);
  if (code != SQLITE_OK)
    return error_said(Errc::io, "error.cannot_open", path.string(), fmt::arg("why", sqlite3_errmsg(raw)));
  // The schema is a stranger's: no functions of ours through its views, no tricks with its tables.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  const std::int64_t size = size_of(path) + (has_log ? size_of(beside(path, "-wal")) : 0);
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, static_cast<int>(std::clamp(size, kLeastCell, kMostCell)));
  file.guard_->looks_left = (kStepsOfAnyFile + kStepsPerByte * size) / kStepsBetweenLooks;
  sqlite3_progress_handler(raw, kStepsBetweenLooks, Guard::on_work, file.guard_.get());
  if (has_log) {
    // Exclusive: the index of the log lies in memory and not in a file beside it. Nothing is folded in at the
    // end.
    sqlite3_db_config(raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_exec(raw, "pragma locking_mode = exclusive", nullptr, nullptr, nullptr);
  }
  const Status known = file.each("select name, null from sqlite_master where type = 'view' or (type = "
                                 "'table' and rootpage = 0) union all "
                                 "select m.name, x.name from sqlite_master m, pragma_table_xinfo(m.name) x "
                                 "where m.type = 'table' and m.rootpage > 0 and x.hidden = 2",
                                 [&](const Row& row) {
                                   std::string name(row.text(0));
                                   if (!row.is_null(1)) (name += '\0') += row.text(1);
                                   file.guard_->strangers.insert(std::move(name));
                                 });
  if (!known) return Error(known.error()).at(path.string());
  sqlite3_set_authorizer(raw, Guard::on_access, file.guard_.get());
  return file;
}

bool SqliteFile::has(std::string_view table) const {
  const Statement query =
      prepare(db_.get(), "select 1 from sqlite_master where type = 'table' and rootpage > 0 and name = ?1");
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
  // count(*) walks the table in one step, which nobody can stop where the table leads into itself.
  const Statement query = prepare(db_.get(), fmt::format("select count(1) from \"{}\"", table));
  return query && sqlite3_step(query.get()) == SQLITE_ROW ? sqlite3_column_int64(query.get(), 0) : 0;
}

Status SqliteFile::each(const std::string& sql, const std::function<void(const Row&)>& take) const {
  const Statement query = prepare(db_.get(), sql);
  if (!query) return damaged(words());
  for (;;) {
    const int code = sqlite3_step(query.get());
    if (code == SQLITE_DONE) return {};
    if (code == SQLITE_INTERRUPT) return error_said(Errc::budget, "error.file_too_costly", {});
    if (code != SQLITE_ROW) return damaged(words());
    take(Row(query.get()));
  }
}

std::string SqliteFile::words() const {
  return sqlite3_errmsg(db_.get());
}

std::optional<Error> damage_of(std::string_view head, const std::filesystem::path& path) {
  if (!is_sqlite(head)) return {};
  if (const std::int64_t pages = missing_pages(head, path); pages > 0)
    return error_said(Errc::malformed, "error.sqlite_cut", {}, fmt::arg("n", pages));
  const auto file = SqliteFile::open(path);
  if (!file) {
    Error error = file.error();
    error.where.clear(); // the caller's word for the file: this one may be unpacked
    return error;
  }
  (void)file->each("pragma ignore_check_constraints = on", [](const SqliteFile::Row&) {}); // a stranger's
  std::string found;
  const Status checked =
      file->each("pragma quick_check(1)", [&](const SqliteFile::Row& row) { found = row.text(0); });
  if (!checked && checked.error().code != Errc::malformed) return {}; // it cannot be told
  if (!checked) return checked.error();
  if (found == "ok") return {};
  std::ranges::replace(found, '\n', ' ');
  return damaged(found);
}

} // namespace prof
