#include "store/sql_format.hpp"

#include <fmt/format.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace prof::detail {
namespace {

// A function that was replaced cannot be called any more: a database of its own calls it.
class Formatter {
public:
  Formatter() = default;
  Formatter(const Formatter&) = delete;
  Formatter& operator=(const Formatter&) = delete;
  ~Formatter() {
    for (const auto& [count, statement] : statements_)
      sqlite3_finalize(statement);
    sqlite3_close_v2(db_);
  }
  [[nodiscard]] int open(int longest) {
    const int status = sqlite3_open_v2(
        ":memory:", &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, nullptr);
    if (status == SQLITE_OK) sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, longest);
    return status;
  }
  void call(sqlite3_context* context, int argc, sqlite3_value** argv) {
    sqlite3_stmt*& statement = statements_[argc];
    if (statement == nullptr) {
      std::string places;
      for (int i = 0; i < argc; ++i)
        places += i == 0 ? "?" : ",?";
      if (sqlite3_prepare_v2(db_, fmt::format("SELECT printf({})", places).c_str(), -1, &statement,
                             nullptr) != SQLITE_OK)
        return sqlite3_result_error(context, sqlite3_errmsg(db_), -1);
    }
    for (int i = 0; i < argc; ++i)
      sqlite3_bind_value(statement, i + 1, argv[i]);
    const int status = sqlite3_step(statement);
    sqlite3_value* const result = sqlite3_column_value(statement, 0);
    // A format without a conversion that writes nothing is NULL too.
    const bool may_be_null =
        argc == 0 || sqlite3_value_type(argv[0]) == SQLITE_NULL || sqlite3_value_bytes(argv[0]) == 0;
    if (status != SQLITE_ROW)
      sqlite3_result_error_code(context, status);
    else if (sqlite3_value_type(result) == SQLITE_NULL && !may_be_null)
      sqlite3_result_error_toobig(context);
    else
      sqlite3_result_value(context, result);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
  }

private:
  sqlite3* db_ = nullptr;
  std::map<int, sqlite3_stmt*> statements_; // by number of arguments
};

void format_text(sqlite3_context* context, int argc, sqlite3_value** argv) {
  static_cast<Formatter*>(sqlite3_user_data(context))->call(context, argc, argv);
}

} // namespace

int register_format(sqlite3* db) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const char* name : {"printf", "format"}) {
    auto formatter = std::make_unique<Formatter>();
    if (const int status = formatter->open(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1)); status != SQLITE_OK)
      return status;
    // SQLite frees it, also where registering fails.
    const int status =
        sqlite3_create_function_v2(db, name, -1, kFlags, formatter.release(), format_text, nullptr, nullptr,
                                   [](void* own) { delete static_cast<Formatter*>(own); });
    if (status != SQLITE_OK) return status;
  }
  return SQLITE_OK;
}

} // namespace prof::detail
