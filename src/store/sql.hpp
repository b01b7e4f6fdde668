// sql.hpp: SQL over a store. SQLite virtual tables read the columns in place; docs/sql.md lists tables and
// views.
#pragma once
#include "base/result.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace prof {

using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string>; // monostate = NULL
struct SqlResult {
  std::vector<std::string> columns;
  std::vector<std::vector<SqlValue>> rows;
  bool is_cut = false; // max_rows was reached
};

// One SQLite connection over one store, which must outlive it. Read-only: no ATTACH, no pragma, no writes, no
// file access. Not thread-safe. Aggregate functions of ours: percentile(x, 0..100) (type 7), median(x),
// stddev(x), overlap helpers as documented in docs/sql.md.
class Sql {
public:
  [[nodiscard]] static Result<Sql> open(const Store& store);
  Sql(Sql&&) noexcept;
  Sql& operator=(Sql&&) noexcept;
  ~Sql();
  // Runs one statement. Errors: bad_argument with SQLite's message and the nearest table or column name.
  [[nodiscard]] Result<SqlResult> query(std::string_view sql, std::int64_t max_rows = 1'000'000);
  // Runs a query once and keeps its rows in memory as table `name` of this connection, for later queries that
  // use them more than once. `name` is a plain identifier that is not taken. Errors: those of query().
  [[nodiscard]] Status keep(std::string_view name, std::string_view sql);

private:
  struct Impl;
  explicit Sql(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

} // namespace prof
