// sqlite_file.hpp: a foreign SQLite file, read and never touched: no journal, no lock, no file beside it.
// What a stranger wrote as an expression (views, computed columns, virtual tables) is not run.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace prof {

[[nodiscard]] bool is_sqlite(std::string_view head);
// How many pages its header promises and the file at `path` lacks; SQLite gives empty ones for them without a
// word. 0 for a whole file and for what is no database.
[[nodiscard]] std::int64_t missing_pages(std::string_view head, const std::filesystem::path& path);
// What is wrong with a database of which no reader could make anything: it is cut, or SQLite finds damage in
// it. Reads all of it. Nothing for a sound one and for what is no database.
[[nodiscard]] std::optional<Error> damage_of(std::string_view head, const std::filesystem::path& path);
// The file beside the database that holds changes which SqliteFile cannot apply, so that rows are missing or
// half written: a -wal that cannot be read or is damaged in its middle, a -journal of a writer that was
// killed.
struct UnreadLog {
  std::string file{};               // its name; empty: none
  std::int64_t frames_left_out = 0; // of a -wal of which the beginning was applied
  // What the ledger says: nothing where the count is 0.
  [[nodiscard]] const char* note() const {
    return frames_left_out > 0 ? "note.sqlite.log_damaged" : "note.sqlite.log_unread";
  }
  [[nodiscard]] std::int64_t count() const {
    return frames_left_out > 0 ? frames_left_out : file.empty() ? 0 : 1;
  }
};
[[nodiscard]] UnreadLog unread_log(const std::filesystem::path& path);

class SqliteFile {
public:
  // The current row of a query. Text is valid until the next row.
  class Row {
  public:
    explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
    [[nodiscard]] std::int64_t integer(int column) const; // 0 for NULL; text is read as a number
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] bool is_null(int column) const;

  private:
    sqlite3_stmt* statement_;
  };

  SqliteFile(SqliteFile&&) noexcept;
  SqliteFile& operator=(SqliteFile&&) noexcept;
  ~SqliteFile();
  // With what stands in a -wal beside it. Errors: io, permission, malformed.
  [[nodiscard]] static Result<SqliteFile> open(const std::filesystem::path& path);
  // Real tables only: a view of a stranger may run without end.
  [[nodiscard]] bool has(std::string_view table) const;
  [[nodiscard]] bool has(std::string_view table, std::string_view column) const;
  // The column's name, quoted, where the table has it, else `otherwise`: schemas differ between versions.
  [[nodiscard]] std::string column_or(std::string_view table, std::string_view column,
                                      std::string_view otherwise = "NULL") const;
  [[nodiscard]] std::int64_t count(std::string_view table) const;
  // Runs a query of ours. Errors: malformed (words() says why); budget: the file makes more work than its
  // size explains. The rows before that were given.
  [[nodiscard]] Status each(const std::string& sql, const std::function<void(const Row&)>& take) const;

  // What SQLite says of the last query, in English: for the ledger's places and in brackets.
  [[nodiscard]] std::string words() const;

private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  struct Guard;
  friend UnreadLog unread_log(const std::filesystem::path& path);
  static Result<SqliteFile> open_as(const std::filesystem::path& path, bool has_log);
  explicit SqliteFile(sqlite3* db);
  std::unique_ptr<Guard> guard_; // the database below asks it until it is closed
  std::unique_ptr<sqlite3, Close> db_;
};

} // namespace prof
