#include "store/sql.hpp"

#include "base/lang.hpp"
#include "base/nearest.hpp"

#include "base/clock.hpp"
#include "store/sql_docs.hpp"
#include "store/sql_module.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace prof {
namespace {

constexpr std::int64_t kMaxStatementNs = 300'000'000'000; // five minutes: a runaway recursion ends
constexpr std::size_t kMaxResultBytes = std::size_t{1} << 30;
// Of everything that SQLite holds in this process: sorting, grouping, materialised joins. A statement over it
// ends with one line instead of taking the machine down; the columns of the trace are not in it.
constexpr sqlite3_int64 kMaxHeapBytes = sqlite3_int64{2} << 30;
constexpr int kProgressOps = 100'000; // virtual machine steps between looks at the clock

struct Deadline {
  std::int64_t at_ns = 0;
};
int is_late(void* deadline) {
  return clock_ns(CLOCK_MONOTONIC) > static_cast<const Deadline*>(deadline)->at_ns ? 1 : 0;
}

// Reading is all that a statement may do. The functions named here touch files or settings.
int authorise(void*, int action, const char*, const char* name, const char*, const char*) {
  static constexpr std::array<std::string_view, 5> kForbidden{"load_extension", "readfile", "writefile",
                                                              "edit", "fts3_tokenizer"};
  switch (action) {
  case SQLITE_SELECT:
  case SQLITE_READ:
  case SQLITE_RECURSIVE:
    return SQLITE_OK;
  case SQLITE_FUNCTION: {
    std::string lower = name == nullptr ? "" : name;
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return std::ranges::find(kForbidden, lower) == kForbidden.end() ? SQLITE_OK : SQLITE_DENY;
  }
  default:
    return SQLITE_DENY;
  }
}

void set_limits(sqlite3* db) {
  sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 64 << 20);
  sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 500);
  sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 200);
  sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 0);
  sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  // "name" in double quotes is a column and never a text: a misspelt column is an error, not a constant.
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
}

// The tables that a statement mentions, so that a column is looked for where it was meant.
std::vector<std::string> columns_near(std::string_view sql) {
  std::vector<std::string> names, all;
  for (const TableDef& table : sql_tables()) {
    const bool is_named = sql.find(table.name) != std::string_view::npos ||
                          (table.name == "slice" && sql.find("span") != std::string_view::npos);
    for (const ColumnDef& column : table.columns) {
      all.emplace_back(column.name);
      if (is_named) names.emplace_back(column.name);
    }
  }
  return names.empty() ? all : names;
}

// SQLite's message, with the nearest known name where it did not know one.
Error explain(std::string message, std::string_view sql) {
  constexpr std::size_t kLongest = 300;
  std::vector<std::string> known;
  std::string word;
  for (const std::string_view head : {"no such table: ", "no such column: ", "no such function: "}) {
    if (!std::string_view(message).starts_with(head)) continue;
    word = message.substr(head.size());
    word = word.substr(word.rfind('.') + 1);
    if (head.find("table") != std::string_view::npos)
      known = sql_table_names();
    else if (head.find("column") != std::string_view::npos)
      known = columns_near(sql);
    else
      known = {"percentile", "median", "stddev", "union_ns", "overlap_ns", "beside_ns", "count",
               "sum",        "avg",    "min",    "max",      "total",      "round"};
  }
  if (message.size() > kLongest) message = message.substr(0, kLongest) + "...";
  const std::string near = word.empty() || word.size() > 100 ? std::string() : nearest(word, known);
  return error_said(Errc::bad_argument, near.empty() ? "error.sql" : "error.sql_near", {},
                    fmt::arg("why", message), fmt::arg("near", near));
}

// Of bytes that are no text: what JSON and a terminal can carry.
std::string hex_digits(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4U];
    out += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return out;
}

SqlValue value_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
  case SQLITE_INTEGER:
    return std::int64_t{sqlite3_column_int64(statement, column)};
  case SQLITE_FLOAT:
    return sqlite3_column_double(statement, column);
  case SQLITE_NULL:
    return std::monostate{};
  default: {
    const void* bytes = sqlite3_column_blob(statement, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    if (sqlite3_column_type(statement, column) == SQLITE_BLOB)
      return hex_digits({static_cast<const char*>(bytes), size});
    return bytes == nullptr ? std::string{} : std::string(static_cast<const char*>(bytes), size);
  }
  }
}

bool is_blank(std::string_view sql) {
  return std::ranges::all_of(
      sql, [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ';'; });
}

} // namespace

struct Sql::Impl {
  explicit Impl(const Store& store) : data(store) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { sqlite3_close_v2(db); }
  [[nodiscard]] Error error(std::string_view sql) const {
    const int status = sqlite3_errcode(db);
    if (status == SQLITE_INTERRUPT) return error_said(Errc::budget, "error.sql_late", {});
    if (status == SQLITE_AUTH)
      return error_said(Errc::bad_argument, "error.sql_only_reads", {}, fmt::arg("why", sqlite3_errmsg(db)));
    if (status == SQLITE_NOMEM) return error_said(Errc::budget, "error.sql_memory", {});
    if (status == SQLITE_TOOBIG) return error_said(Errc::budget, "error.sql_long", {});
    // Functions of ours say what is wrong by the id of a text.
    const std::string_view message = sqlite3_errmsg(db);
    if (message.starts_with("error.") && text(Lang::en, message) != message)
      return error_said(Errc::bad_argument, message, {});
    return explain(sqlite3_errmsg(db), sql);
  }

  SqlData data;
  std::vector<detail::BoundTable> tables;
  Deadline deadline;
  sqlite3* db = nullptr;
};

Sql::Sql(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Sql::Sql(Sql&&) noexcept = default;
Sql& Sql::operator=(Sql&&) noexcept = default;
Sql::~Sql() = default;

Result<Sql> Sql::open(const Store& store) {
  auto impl = std::make_unique<Impl>(store);
  const auto failed = [&](std::string_view doing) {
    return error_said(Errc::internal, "error.sql_not_set_up", std::string(doing),
                      fmt::arg("why", impl->db == nullptr ? "out of memory" : sqlite3_errmsg(impl->db)));
  };
  if (sqlite3_open_v2(":memory:", &impl->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK)
    return failed("open");
  set_limits(impl->db);
  // Else sorting and DISTINCT go on in a file under /tmp, beyond the limit of memory and until the disk is
  // full.
  if (sqlite3_exec(impl->db, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr) != SQLITE_OK)
    return failed("settings");
  sqlite3_hard_heap_limit64(kMaxHeapBytes);
  impl->tables.resize(sql_tables().size());
  for (std::size_t i = 0; i < impl->tables.size(); ++i) {
    impl->tables[i].def = &sql_tables()[i];
    impl->tables[i].data = &impl->data;
    if (detail::register_table(impl->db, impl->tables[i]) != SQLITE_OK) return failed("table");
  }
  if (detail::register_functions(impl->db) != SQLITE_OK || detail::register_span_join(impl->db) != SQLITE_OK)
    return failed("functions");
  for (const ViewDef& view : sql_views()) {
    const std::string sql = fmt::format("CREATE VIEW {} AS {}", view.name, view.sql);
    if (sqlite3_exec(impl->db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return failed(view.name);
  }
  // Tables connect at their first use, which declares them: that must happen before declaring is forbidden.
  if (sqlite3_exec(impl->db, "SELECT 1 FROM span_join('', '') LIMIT 0", nullptr, nullptr, nullptr) !=
      SQLITE_OK)
    return failed("span_join");
  if (sqlite3_exec(impl->db, "SELECT 1 FROM json_each('{}')", nullptr, nullptr, nullptr) != SQLITE_OK)
    return failed("json_each");
  for (const TableDef& table : sql_tables()) {
    const std::string sql = fmt::format("SELECT 1 FROM {} LIMIT 0", table.name);
    if (sqlite3_exec(impl->db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      return failed(table.name);
  }
  sqlite3_set_authorizer(impl->db, authorise, nullptr);
  sqlite3_progress_handler(impl->db, kProgressOps, is_late, &impl->deadline);
  return Sql(std::move(impl));
}

// The query is first compiled under the authoriser like any other; only then does it fill a table.
Status Sql::keep(std::string_view name, std::string_view sql) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.empty() || !std::ranges::all_of(name, is_letter))
    return error_said(Errc::bad_argument, "error.sql_kept_name", std::string(name));
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  const int prepared = sqlite3_prepare_v2(
      impl_->db, sql.data(), static_cast<int>(std::min<std::size_t>(sql.size(), 1 << 30)), &raw, &tail);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  if (prepared != SQLITE_OK) return impl_->error(sql);
  if (!statement || sqlite3_stmt_readonly(raw) == 0 ||
      !is_blank(sql.substr(static_cast<std::size_t>(tail - sql.data()))))
    return error_said(Errc::bad_argument, "error.sql_kept_one", {});
  impl_->deadline.at_ns = clock_ns(CLOCK_MONOTONIC) + kMaxStatementNs;
  sqlite3_set_authorizer(impl_->db, nullptr, nullptr);
  const std::string create = fmt::format("CREATE TABLE \"{}\" AS {}", name, sql);
  const int status = sqlite3_exec(impl_->db, create.c_str(), nullptr, nullptr, nullptr);
  const Status kept = status == SQLITE_OK ? Status() : Status(impl_->error(sql));
  sqlite3_set_authorizer(impl_->db, authorise, nullptr);
  return kept;
}

Result<SqlResult> Sql::query(std::string_view sql, std::int64_t max_rows) {
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  impl_->deadline.at_ns = clock_ns(CLOCK_MONOTONIC) + kMaxStatementNs;
  const int prepared = sqlite3_prepare_v2(
      impl_->db, sql.data(), static_cast<int>(std::min<std::size_t>(sql.size(), 1 << 30)), &raw, &tail);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  if (prepared != SQLITE_OK) return impl_->error(sql);
  if (!statement) return error_said(Errc::bad_argument, "error.sql_empty", {});
  if (sqlite3_stmt_readonly(raw) == 0) return error_said(Errc::bad_argument, "error.sql_reads", {});
  if (!is_blank(sql.substr(static_cast<std::size_t>(tail - sql.data()))))
    return error_said(Errc::bad_argument, "error.sql_one", {});
  SqlResult result;
  const int columns = sqlite3_column_count(raw);
  for (int i = 0; i < columns; ++i)
    result.columns.emplace_back(sqlite3_column_name(raw, i));
  std::size_t bytes = 0;
  for (int status = sqlite3_step(raw); status != SQLITE_DONE; status = sqlite3_step(raw)) {
    if (status != SQLITE_ROW) return impl_->error(sql);
    if (static_cast<std::int64_t>(result.rows.size()) >= max_rows) {
      result.is_cut = true;
      break;
    }
    auto& row = result.rows.emplace_back();
    row.reserve(static_cast<std::size_t>(columns));
    for (int i = 0; i < columns; ++i) {
      row.push_back(value_of(raw, i));
      bytes += sizeof(SqlValue) + static_cast<std::size_t>(sqlite3_column_bytes(raw, i));
    }
    if (bytes > kMaxResultBytes) return error_said(Errc::budget, "error.sql_large", {});
  }
  return result;
}

} // namespace prof
