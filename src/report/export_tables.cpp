// export_tables.cpp: the tables of docs/sql.md as CSV and as an SQLite file.
#include "base/file.hpp"
#include "base/lang.hpp"
#include "base/nearest.hpp"
#include "report/export_view.hpp"
#include "report/table_view.hpp"
#include "store/sql.hpp"
#include "store/sql_docs.hpp"
#include "store/sql_tables.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <variant>

namespace prof {
namespace {

void append_csv(std::string& out, const SqlCell& cell) {
  if (const auto* i = std::get_if<std::int64_t>(&cell))
    out += fmt::format("{}", *i);
  else if (const auto* d = std::get_if<double>(&cell))
    out += fmt::format("{}", *d);
  else if (const auto* s = std::get_if<std::string_view>(&cell))
    out += csv_text(*s);
}

using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;
using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

Error cannot_write(sqlite3* db) {
  return error_said(Errc::io, "error.sqlite_writes", {},
                    fmt::arg("why", db == nullptr ? "out of memory" : sqlite3_errmsg(db)));
}

Status run(sqlite3* db, const std::string& sql) {
  if (sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return cannot_write(db);
}

void bind_cell(sqlite3_stmt* statement, int index, const SqlCell& cell) {
  if (const auto* i = std::get_if<std::int64_t>(&cell))
    sqlite3_bind_int64(statement, index, *i);
  else if (const auto* d = std::get_if<double>(&cell))
    sqlite3_bind_double(statement, index, *d);
  else if (const auto* s = std::get_if<std::string_view>(&cell))
    sqlite3_bind_text64(statement, index, s->data() == nullptr ? "" : s->data(), s->size(), SQLITE_STATIC,
                        SQLITE_UTF8);
  else
    sqlite3_bind_null(statement, index);
}

// Puts `rows` rows of `columns` cells into a table; cell(row, column) gives one.
template <class Cell>
Status insert_rows(sqlite3* db, std::string_view table, std::size_t rows, std::size_t columns, Cell&& cell) {
  std::string places;
  for (std::size_t i = 0; i < columns; ++i)
    places += i == 0 ? "?" : ",?";
  sqlite3_stmt* raw = nullptr;
  const std::string sql = fmt::format("INSERT INTO {} VALUES({})", table, places);
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) return cannot_write(db);
  const Statement statement(raw, sqlite3_finalize);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns; ++i)
      bind_cell(raw, static_cast<int>(i + 1), cell(row, i));
    if (sqlite3_step(raw) != SQLITE_DONE) return cannot_write(db);
    sqlite3_reset(raw);
  }
  return {};
}

Status copy_table(sqlite3* db, SqlData& data, const TableDef& table) {
  PROF_CHECK(run(db, sql_schema_of(table.name)));
  PROF_CHECK(insert_rows(db, table.name, static_cast<std::size_t>(table.rows(data)), table.columns.size(),
                         [&](std::size_t row, std::size_t column) {
                           return cell_of(data, table.columns[column], static_cast<std::uint32_t>(row));
                         }));
  // What SQL on the trace finds fast, SQL on the file finds fast.
  for (const ColumnDef& column : table.columns)
    if (column.kind == ColumnKind::id || column.name == "id" || column.name == "ts")
      PROF_CHECK(run(
          db, fmt::format("CREATE INDEX \"index {0}.{1}\" ON \"{0}\"(\"{1}\")", table.name, column.name)));
  return {};
}

// Of a view that means nothing to another SQLite the rows go along.
Status copy_view(sqlite3* db, const Store& store, const ViewDef& view) {
  PROF_TRY(auto sql, Sql::open(store));
  PROF_TRY(const auto answer, sql.query(fmt::format("select * from {}", view.name)));
  std::string columns;
  for (const std::string& name : answer.columns)
    columns += fmt::format("{}\"{}\"", columns.empty() ? "" : ",", name);
  PROF_CHECK(run(db, fmt::format("CREATE TABLE {}({})", view.name, columns)));
  return insert_rows(
      db, view.name, answer.rows.size(), answer.columns.size(), [&](std::size_t row, std::size_t column) {
        return std::visit([](const auto& value) { return SqlCell(value); }, answer.rows[row][column]);
      });
}

Status fill(const Store& store, const std::filesystem::path& path) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  const Database db(raw, sqlite3_close_v2);
  if (opened != SQLITE_OK) return cannot_write(raw);
  PROF_CHECK(run(raw, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN"));
  SqlData data(store);
  for (const TableDef& table : sql_tables())
    PROF_CHECK(copy_table(raw, data, table));
  for (const ViewDef& view : sql_views())
    PROF_CHECK(view.calls_ours ? copy_view(raw, store, view)
                               : run(raw, fmt::format("CREATE VIEW {} AS {}", view.name, view.sql)));
  return run(raw, "COMMIT");
}

} // namespace

Status check_export_table(std::string_view name) {
  std::vector<std::string> known;
  for (const TableDef& table : sql_tables())
    known.emplace_back(table.name);
  if (std::ranges::find(known, name) != known.end()) return {};
  const std::string near = nearest(name, known);
  return error_said(Errc::bad_argument, near.empty() ? "error.table" : "error.table_near", {},
                    fmt::arg("name", name.substr(0, 100)), fmt::arg("near", near));
}

Status export_csv(const Store& store, std::string_view name, const ByteSink& out) {
  PROF_CHECK(check_export_table(name));
  const auto tables = sql_tables();
  const auto table = std::ranges::find(tables, name, &TableDef::name);
  std::string buffer;
  for (std::size_t i = 0; i < table->columns.size(); ++i)
    buffer += fmt::format("{}{}", i == 0 ? "" : ",", table->columns[i].name);
  buffer += '\n';
  SqlData data(store);
  const auto rows = static_cast<std::uint32_t>(table->rows(data));
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < table->columns.size(); ++i) {
      if (i > 0) buffer += ',';
      append_csv(buffer, cell_of(data, table->columns[i], row));
    }
    buffer += '\n';
    if (buffer.size() < kExportFlushBytes) continue;
    PROF_CHECK(out(buffer));
    buffer.clear();
  }
  return out(buffer);
}

Status export_sqlite(const Store& store, const std::filesystem::path& path) {
  PROF_TRY(AtomicFile file, AtomicFile::create_staged(path));
  if (const Status filled = fill(store, file.staged_path()); !filled)
    return Error(filled.error()).at(path.string());
  return file.commit();
}

} // namespace prof
