// sql_module.hpp: one SQLite virtual table per TableDef. Rows are read in place; equality on ids and texts,
// and ranges of ts, go through indexes that are made at first use.
#pragma once
#include "store/sql_tables.hpp"

#include <memory>
#include <sqlite3.h>
#include <vector>

namespace prof::detail {

// Rows of a table by the value of one column.
struct ColumnIndex {
  bool is_contiguous =
      false; // the table is sorted by this column: rows of a value are a range found by halving
  bool is_ts_sorted = false; // rows of one value are in order of ts
  std::vector<std::uint32_t>
      begin; // rows[begin[v] .. begin[v + 1]) have value v; empty = rows are sorted by value
  std::vector<std::uint32_t> rows;
};

struct BoundTable {
  const TableDef* def = nullptr;
  SqlData* data = nullptr;
  std::vector<std::unique_ptr<ColumnIndex>> indexes; // by column, made at first use
};

// Registers the table with the connection; `table` must outlive it. Returns SQLite's status.
[[nodiscard]] int register_table(sqlite3* db, BoundTable& table);
// percentile, median, stddev, union_ns, overlap_ns.
[[nodiscard]] int register_functions(sqlite3* db);
// span_join(left, right): see sql_span_join.cpp.
[[nodiscard]] int register_span_join(sqlite3* db);

} // namespace prof::detail
