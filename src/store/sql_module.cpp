#include "store/sql_module.hpp"
#include "store/sql_vtab.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace prof::detail {
namespace {

// How a query reaches its rows; idxNum = plan | column << 4 | lower bound << 12 | upper bound << 13 | exact
// ts << 14. The arguments of xFilter come in the order: equal value, then ts itself or its lower and upper
// bound.
enum Plan : int { scan = 0, by_id = 1, by_column = 2 };
constexpr int kLower = 1 << 12, kUpper = 1 << 13, kExact = 1 << 14;

struct Table : sqlite3_vtab {
  BoundTable* bound = nullptr;
};
struct Range {
  std::uint32_t from = 0, to = 0;
};
struct Cursor : sqlite3_vtab_cursor {
  std::vector<Range> ranges;                        // of rows, or of positions in `rows`
  const std::vector<std::uint32_t>* rows = nullptr; // nullptr = positions are rows
  std::size_t range = 0;
  std::uint32_t at = 0;
};

BoundTable& bound_of(sqlite3_vtab* table) {
  return *static_cast<Table*>(table)->bound;
}
std::int64_t value_at(BoundTable& t, int column, std::uint32_t row) {
  return t.def->columns[static_cast<std::size_t>(column)].value(*t.data, row);
}

bool is_indexed(const TableDef& def, int column) {
  if (column < 0) return false;
  const ColumnKind kind = def.columns[static_cast<std::size_t>(column)].kind;
  return kind == ColumnKind::id || kind == ColumnKind::text || column == def.group_column;
}

// --- indexes
// ------------------------------------------------------------------------------------------------------

int ts_column_of(const TableDef& def) {
  for (std::size_t i = 0; i < def.columns.size(); ++i)
    if (def.columns[i].name == "ts") return static_cast<int>(i);
  return -1;
}

// Counting sort where the values are dense (ids are), else a plain one.
void sort_rows(BoundTable& t, int column, std::uint32_t n, ColumnIndex& index) {
  const bool is_id = t.def->columns[static_cast<std::size_t>(column)].kind == ColumnKind::id;
  const auto is_null = [&](std::int64_t v) { return v == kSqlNull || (is_id && v == kNoRow) || v < 0; };
  std::int64_t highest = -1;
  for (std::uint32_t r = 0; r < n; ++r)
    if (const std::int64_t v = value_at(t, column, r); !is_null(v)) highest = std::max(highest, v);
  if (highest < 4 * static_cast<std::int64_t>(n) + 1024) {
    index.begin.assign(static_cast<std::size_t>(highest + 2), 0);
    for (std::uint32_t r = 0; r < n; ++r)
      if (const std::int64_t v = value_at(t, column, r); !is_null(v))
        ++index.begin[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 1; v < index.begin.size(); ++v)
      index.begin[v] += index.begin[v - 1];
    index.rows.resize(index.begin.back());
    std::vector<std::uint32_t> next(index.begin.begin(), index.begin.end() - 1);
    for (std::uint32_t r = 0; r < n; ++r)
      if (const std::int64_t v = value_at(t, column, r); !is_null(v))
        index.rows[next[static_cast<std::size_t>(v)]++] = r;
    return;
  }
  for (std::uint32_t r = 0; r < n; ++r)
    if (!is_null(value_at(t, column, r))) index.rows.push_back(r);
  std::ranges::stable_sort(index.rows, {}, [&](std::uint32_t r) { return value_at(t, column, r); });
}

const ColumnIndex& index_of(BoundTable& t, int column) {
  auto& slot = t.indexes[static_cast<std::size_t>(column)];
  if (slot) return *slot;
  slot = std::make_unique<ColumnIndex>();
  ColumnIndex& index = *slot;
  const auto n = static_cast<std::uint32_t>(t.def->rows(*t.data));
  const int ts = ts_column_of(*t.def);
  if (column == t.def->group_column) {
    index.is_contiguous = true;
    index.is_ts_sorted = t.def->ts_column >= 0;
    return index;
  }
  sort_rows(t, column, n, index);
  if (ts < 0) return index;
  index.is_ts_sorted = true;
  for (std::size_t i = 1; i < index.rows.size() && index.is_ts_sorted; ++i)
    if (value_at(t, column, index.rows[i]) == value_at(t, column, index.rows[i - 1]))
      index.is_ts_sorted = value_at(t, ts, index.rows[i]) >= value_at(t, ts, index.rows[i - 1]);
  return index;
}

// First position in [from, to) whose key is not less than `key`; key_at(position) must be sorted.
template <class KeyAt>
std::uint32_t lower(std::uint32_t from, std::uint32_t to, std::int64_t key, KeyAt&& key_at) {
  while (from < to) {
    const std::uint32_t mid = from + (to - from) / 2;
    if (key_at(mid) < key)
      from = mid + 1;
    else
      to = mid;
  }
  return from;
}

// --- planning
// -----------------------------------------------------------------------------------------------------

double rows_for_cost(BoundTable& t) {
  return t.def->is_derived ? 1000.0 : static_cast<double>(t.def->rows(*t.data)) + 1;
}

struct Choice {
  int equal = -1, lower = -1, upper = -1, exact = -1; // constraint numbers
  int plan = scan;
};

Choice choose(const BoundTable& t, sqlite3_index_info* info) {
  Choice c;
  const int ts = ts_column_of(*t.def);
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (constraint.usable == 0) continue;
    const int column = constraint.iColumn;
    const bool is_id = t.def->has_id && column <= 0; // column -1 = rowid, which is the id
    if (constraint.op == SQLITE_INDEX_CONSTRAINT_EQ && column == ts && ts >= 0) c.exact = i;
    if (constraint.op == SQLITE_INDEX_CONSTRAINT_EQ) {
      if (is_id) {
        c.equal = i;
        c.plan = by_id;
      } else if (c.plan != by_id && is_indexed(*t.def, column)) {
        const bool is_text = t.def->columns[static_cast<std::size_t>(column)].kind == ColumnKind::text;
        if (is_text && sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0) continue;
        // An id chooses fewer rows than a text does.
        if (c.plan == by_column && is_text) continue;
        c.equal = i;
        c.plan = by_column;
      }
    } else if (column == ts && ts >= 0) {
      if (constraint.op == SQLITE_INDEX_CONSTRAINT_GE || constraint.op == SQLITE_INDEX_CONSTRAINT_GT)
        c.lower = i;
      if (constraint.op == SQLITE_INDEX_CONSTRAINT_LE || constraint.op == SQLITE_INDEX_CONSTRAINT_LT)
        c.upper = i;
    }
  }
  const bool uses_ts = c.plan == by_column || (c.plan == scan && t.def->ts_column >= 0);
  if (!uses_ts) c.lower = c.upper = c.exact = -1;
  if (c.exact >= 0) c.lower = c.upper = -1;
  return c;
}

int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
  BoundTable& t = bound_of(table);
  const Choice c = choose(t, info);
  int argument = 0;
  info->idxNum = c.plan;
  if (c.equal >= 0) {
    info->aConstraintUsage[c.equal].argvIndex = ++argument;
    info->idxNum |= std::max(0, info->aConstraint[c.equal].iColumn) << 4;
  }
  if (c.lower >= 0) {
    info->aConstraintUsage[c.lower].argvIndex = ++argument;
    info->idxNum |= kLower;
  }
  if (c.upper >= 0) {
    info->aConstraintUsage[c.upper].argvIndex = ++argument;
    info->idxNum |= kUpper;
  }
  if (c.exact >= 0) {
    info->aConstraintUsage[c.exact].argvIndex = ++argument;
    info->idxNum |= kExact;
  }
  double rows = rows_for_cost(t);
  if (c.plan == by_id) rows = 1;
  if (c.plan == by_column) rows = std::sqrt(rows);
  if (c.lower >= 0) rows /= 4;
  if (c.upper >= 0) rows /= 4;
  if (c.exact >= 0) rows = std::min(rows, 4.0);
  rows = std::max(rows, 1.0);
  info->estimatedRows = static_cast<sqlite3_int64>(rows);
  info->estimatedCost = rows + (c.plan == by_column ? 2.0 : 0.0);
  if (c.plan == by_id) info->idxFlags |= SQLITE_INDEX_SCAN_UNIQUE;
  return SQLITE_OK;
}

// --- running
// ------------------------------------------------------------------------------------------------------

// What a bound of ts allows; both inclusive (SQLite checks the exact comparison again).
struct TsBounds {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  bool is_empty = false;
  [[nodiscard]] bool is_open() const {
    return low == std::numeric_limits<std::int64_t>::min() &&
           high == std::numeric_limits<std::int64_t>::max();
  }
};

void read_bound(sqlite3_value* value, bool is_lower, TsBounds& bounds) {
  constexpr double kLimit = 9.2e18;
  switch (sqlite3_value_type(value)) {
  case SQLITE_INTEGER:
    (is_lower ? bounds.low : bounds.high) = sqlite3_value_int64(value);
    break;
  case SQLITE_FLOAT: {
    const double number = sqlite3_value_double(value);
    if (std::isnan(number))
      bounds.is_empty = true;
    else if (number > -kLimit && number < kLimit)
      (is_lower ? bounds.low : bounds.high) =
          static_cast<std::int64_t>(is_lower ? std::floor(number) : std::ceil(number));
    break;
  }
  case SQLITE_NULL:
    bounds.is_empty = true;
    break;
  default:
    break; // texts: SQLite's own comparison decides
  }
}

template <class TsAt>
void add_range(Cursor& cursor, std::uint32_t from, std::uint32_t to, const TsBounds& bounds, TsAt&& ts_at) {
  if (!bounds.is_open()) {
    if (bounds.low != std::numeric_limits<std::int64_t>::min()) from = lower(from, to, bounds.low, ts_at);
    if (bounds.high != std::numeric_limits<std::int64_t>::max()) to = lower(from, to, bounds.high + 1, ts_at);
  }
  if (from < to) cursor.ranges.push_back({from, to});
}

void scan_all(Cursor& cursor, BoundTable& t, const TsBounds& bounds) {
  const auto n = static_cast<std::uint32_t>(t.def->rows(*t.data));
  const auto ts_at = [&](std::uint32_t row) { return value_at(t, t.def->ts_column, row); };
  if (bounds.is_open() || t.def->ts_column < 0) {
    if (n > 0) cursor.ranges.push_back({0, n});
    return;
  }
  if (t.def->group_column < 0) return add_range(cursor, 0, n, bounds, ts_at);
  const auto group_at = [&](std::uint32_t row) { return value_at(t, t.def->group_column, row); };
  for (std::uint32_t from = 0; from < n;) {
    const std::uint32_t to = lower(from, n, group_at(from) + 1, group_at);
    add_range(cursor, from, to, bounds, ts_at);
    from = to;
  }
}

// The value that the index knows; false with `everything` set when SQLite must compare by itself, else
// nothing matches.
bool read_key(BoundTable& t, int column, sqlite3_value* value, std::int64_t& key, bool& everything) {
  const bool is_text =
      column >= 0 && t.def->columns[static_cast<std::size_t>(column)].kind == ColumnKind::text;
  const int type = sqlite3_value_type(value);
  everything = false;
  if (type == SQLITE_NULL) return false;
  if (is_text) {
    if (type != SQLITE_TEXT) {
      everything = true;
      return false;
    }
    StrId id;
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    if (!t.data->store().strings().find({text, static_cast<std::size_t>(sqlite3_value_bytes(value))}, id))
      return false;
    key = id.row;
    return true;
  }
  if (type == SQLITE_INTEGER) {
    key = sqlite3_value_int64(value);
    return true;
  }
  everything = true; // reals and texts that look like numbers
  return false;
}

void find_by_column(Cursor& cursor, BoundTable& t, int column, std::int64_t key, const TsBounds& bounds) {
  const ColumnIndex& index = index_of(t, column);
  const auto n = static_cast<std::uint32_t>(t.def->rows(*t.data));
  const bool is_id = t.def->columns[static_cast<std::size_t>(column)].kind == ColumnKind::id;
  if (is_id && (key < 0 || key >= kNoRow)) return;
  if (index.is_contiguous) {
    const auto key_at = [&](std::uint32_t row) { return value_at(t, column, row); };
    const std::uint32_t from = lower(0, n, key, key_at);
    const bool is_last = key == std::numeric_limits<std::int64_t>::max(); // no value is above it
    const std::uint32_t to = is_last ? n : lower(from, n, key + 1, key_at);
    const auto ts_at = [&](std::uint32_t row) { return value_at(t, t.def->ts_column, row); };
    return add_range(cursor, from, to, index.is_ts_sorted ? bounds : TsBounds{}, ts_at);
  }
  cursor.rows = &index.rows;
  const auto key_at = [&](std::uint32_t i) { return value_at(t, column, index.rows[i]); };
  std::uint32_t from = 0, to = 0;
  if (index.begin.empty()) {
    const auto count = static_cast<std::uint32_t>(index.rows.size());
    from = lower(0, count, key, key_at);
    to = lower(from, count, key + 1, key_at);
  } else if (key >= 0 && key + 1 < static_cast<std::int64_t>(index.begin.size())) {
    from = index.begin[static_cast<std::size_t>(key)];
    to = index.begin[static_cast<std::size_t>(key) + 1];
  }
  const auto ts_at = [&](std::uint32_t i) { return value_at(t, ts_column_of(*t.def), index.rows[i]); };
  add_range(cursor, from, to, index.is_ts_sorted ? bounds : TsBounds{}, ts_at);
}

int filter(sqlite3_vtab_cursor* base, int plan, const char*, int argc, sqlite3_value** argv) {
  auto& cursor = *static_cast<Cursor*>(base);
  BoundTable& t = bound_of(cursor.pVtab);
  cursor.ranges.clear();
  cursor.rows = nullptr;
  cursor.range = 0;
  int argument = (plan & 15) == scan ? 0 : 1;
  TsBounds bounds;
  if ((plan & kExact) != 0 && argument < argc) {
    read_bound(argv[argument], true, bounds);
    read_bound(argv[argument++], false, bounds);
  }
  if ((plan & kLower) != 0 && argument < argc) read_bound(argv[argument++], true, bounds);
  if ((plan & kUpper) != 0 && argument < argc) read_bound(argv[argument++], false, bounds);
  const int column = (plan >> 4) & 255;
  std::int64_t key = 0;
  bool everything = true;
  const bool has_key =
      (plan & 15) != scan && read_key(t, (plan & 15) == by_id ? -1 : column, argv[0], key, everything);
  if (bounds.is_empty || (!has_key && !everything)) {
    // nothing can match
  } else if (!has_key) {
    scan_all(cursor, t, (plan & 15) == scan ? bounds : TsBounds{});
  } else if ((plan & 15) == by_id) {
    if (key >= 0 && key < static_cast<std::int64_t>(t.def->rows(*t.data)))
      cursor.ranges.push_back({static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key) + 1});
  } else {
    find_by_column(cursor, t, column, key, bounds);
  }
  if (!cursor.ranges.empty()) cursor.at = cursor.ranges[0].from;
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<Cursor*>(base);
  if (++cursor.at < cursor.ranges[cursor.range].to) return SQLITE_OK;
  if (++cursor.range < cursor.ranges.size()) cursor.at = cursor.ranges[cursor.range].from;
  return SQLITE_OK;
}

int is_eof(sqlite3_vtab_cursor* base) {
  const auto& cursor = *static_cast<Cursor*>(base);
  return cursor.range >= cursor.ranges.size() ? 1 : 0;
}

std::uint32_t row_of(const Cursor& cursor) {
  return cursor.rows == nullptr ? cursor.at : (*cursor.rows)[cursor.at];
}

void give_text(sqlite3_context* context, std::string_view text) {
  sqlite3_result_text64(context, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
}

int column_value(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  auto& cursor = *static_cast<Cursor*>(base);
  BoundTable& t = bound_of(cursor.pVtab);
  const ColumnDef& def = t.def->columns[static_cast<std::size_t>(column)];
  const SqlCell cell = cell_of(*t.data, def, row_of(cursor)); // without a result SQLite assumes NULL
  if (const auto* i = std::get_if<std::int64_t>(&cell))
    sqlite3_result_int64(context, *i);
  else if (const auto* d = std::get_if<double>(&cell))
    sqlite3_result_double(context, *d);
  else if (const auto* s = std::get_if<std::string_view>(&cell))
    give_text(context, *s);
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
  *id = row_of(*static_cast<Cursor*>(base));
  return SQLITE_OK;
}

std::string declaration(const TableDef& def) {
  std::string sql = "CREATE TABLE x(";
  for (const ColumnDef& column : def.columns)
    sql += fmt::format("\"{}\" {},", column.name, sql_type(column.kind));
  sql.back() = ')';
  return sql;
}

int connect(sqlite3* db, void* bound, int, const char* const*, sqlite3_vtab** out, char**) {
  auto* table = new Table{}; // SQLite owns it until disconnect
  table->bound = static_cast<BoundTable*>(bound);
  const int status = sqlite3_declare_vtab(db, declaration(*table->bound->def).c_str());
  if (status != SQLITE_OK) {
    delete table;
    return status;
  }
  sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  *out = table;
  return SQLITE_OK;
}

} // namespace

int register_table(sqlite3* db, BoundTable& table) {
  static const sqlite3_module kModule = [] {
    sqlite3_module module = module_of<Table, Cursor>();
    module.xConnect = connect;
    module.xBestIndex = best_index;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = is_eof;
    module.xColumn = column_value;
    module.xRowid = row_id;
    return module;
  }();
  table.indexes.resize(table.def->columns.size());
  return sqlite3_create_module_v2(db, std::string(table.def->name).c_str(), &kModule, &table, nullptr);
}

} // namespace prof::detail
