// sql_span_join.cpp: span_join(left, right), where the intervals of two queries meet.
//
//   left   |---- 1 ----|   |--- 2 ---|
//   right      |---- 8 ----|9|            -> (1, 8), (2, 9): where they only touch they do not meet
//
// Both sides are read once and sorted by (owner, start). A sweep over both keeps the intervals that are open
// on either side: one that begins meets all that are open on the other. Each is opened and closed once, so
// that the work is n log n and the rows given; rows are given as the sweep goes.
#include "store/sql_kept.hpp"
#include "store/sql_module.hpp"
#include "store/sql_tables.hpp"
#include "store/sql_vtab.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

namespace prof::detail {
namespace {

enum Column : int { ts, dur, left_id, right_id, owner, left_query, right_query };
constexpr const char* kDeclaration =
    "CREATE TABLE x(ts INTEGER, dur INTEGER, left_id INTEGER, right_id INTEGER, "
    "owner INTEGER, left_query TEXT HIDDEN, right_query TEXT HIDDEN)";

struct Span {
  std::int64_t from = 0, to = 0;
  std::int64_t id = kSqlNull, owner = 0;
  // Of a time not before its beginning. A point is open for the nanosecond it lies in.
  [[nodiscard]] bool is_open_at(std::int64_t ts) const { return to > ts || from == ts; }
};

struct Table : sqlite3_vtab {
  sqlite3* db = nullptr;
};

struct Side {
  Kept<Span> spans; // by owner, then start
  std::size_t next = 0;
  Kept<Span> open;
  bool has_owner = false;
};

struct Cursor : sqlite3_vtab_cursor {
  std::array<Side, 2> sides; // left, right
  Span begun;                // met with those open on the other side from `at` on
  int begun_on = 0;
  std::size_t at = 0;
  bool is_meeting = false, is_done = true;
  sqlite3_int64 row = 0;
  std::int64_t swept_owner = 0;
};

// `what`: SQLite's words on a query within, or the id of a text of ours.
int fail(sqlite3_vtab* table, const char* what) {
  sqlite3_free(table->zErrMsg);
  const bool is_ours = std::string_view(what).starts_with("error.");
  table->zErrMsg = sqlite3_mprintf(is_ours ? "%s" : "span_join: %s", what);
  return SQLITE_ERROR;
}

// --- reading a side

bool is_number_or_null(sqlite3_stmt* statement, int column) {
  const int type = sqlite3_column_type(statement, column);
  return type == SQLITE_INTEGER || type == SQLITE_NULL;
}

int take_row(sqlite3_vtab* table, sqlite3_stmt* statement, Side& side) {
  const int columns = sqlite3_column_count(statement);
  for (int i = 0; i < columns; ++i)
    if (!is_number_or_null(statement, i)) return fail(table, "error.span_join.numbers");
  const auto is_null = [&](int i) { return sqlite3_column_type(statement, i) == SQLITE_NULL; };
  if (is_null(0) || is_null(1) || (side.has_owner && is_null(3))) return SQLITE_OK;
  Span span;
  span.from = sqlite3_column_int64(statement, 0);
  const std::int64_t length = std::max<std::int64_t>(sqlite3_column_int64(statement, 1), 0);
  if (__builtin_add_overflow(span.from, length, &span.to)) return fail(table, "error.span_join.end");
  if (!is_null(2)) span.id = sqlite3_column_int64(statement, 2);
  if (side.has_owner) span.owner = sqlite3_column_int64(statement, 3);
  return side.spans.push(span) ? SQLITE_OK : SQLITE_NOMEM;
}

// The text is a statement of the user's like the one around it: the same authoriser and limits hold for it.
int read_side(Table& table, sqlite3_value* query, Side& side) {
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  const auto* sql = reinterpret_cast<const char*>(sqlite3_value_text(query));
  if (sql == nullptr) return fail(&table, "error.span_join.texts");
  const int prepared = sqlite3_prepare_v2(table.db, sql, -1, &raw, &tail);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  if (prepared != SQLITE_OK) return fail(&table, sqlite3_errmsg(table.db));
  const std::string_view rest(tail);
  if (!statement || sqlite3_stmt_readonly(raw) == 0 ||
      rest.find_first_not_of(" \n\t\r;") != std::string_view::npos)
    return fail(&table, "error.span_join.one");
  const int columns = sqlite3_column_count(raw);
  if (columns != 3 && columns != 4) return fail(&table, "error.span_join.columns");
  side.has_owner = columns == 4;
  for (int status = sqlite3_step(raw); status != SQLITE_DONE; status = sqlite3_step(raw)) {
    if (status == SQLITE_NOMEM || status == SQLITE_INTERRUPT) return status;
    if (status != SQLITE_ROW) return fail(&table, sqlite3_errmsg(table.db));
    if (const int taken = take_row(&table, raw, side); taken != SQLITE_OK) return taken;
  }
  std::ranges::sort(side.spans.all(), {},
                    [](const Span& s) { return std::tuple(s.owner, s.from, s.to, s.id); });
  return SQLITE_OK;
}

// --- the sweep

// Opens the next interval of either side. False: there is none, or one side has no more to meet.
int begin_next(Cursor& cursor) {
  const auto [left, right] = std::pair(&cursor.sides[0], &cursor.sides[1]);
  const bool has_left = left->next < left->spans.size(), has_right = right->next < right->spans.size();
  cursor.is_done = !has_left && !has_right;
  if (cursor.is_done) return SQLITE_OK;
  const auto key = [](const Side& side) {
    const Span& span = side.spans.at(side.next);
    return std::pair(span.owner, span.from);
  };
  cursor.begun_on = has_left && (!has_right || key(*left) <= key(*right)) ? 0 : 1;
  Side& side = cursor.sides[static_cast<std::size_t>(cursor.begun_on)];
  cursor.begun = side.spans.at(side.next++);
  if (cursor.begun.owner != cursor.swept_owner)
    for (Side& each : cursor.sides)
      each.open.clear();
  cursor.swept_owner = cursor.begun.owner;
  cursor.at = 0;
  cursor.is_meeting = true;
  return side.open.push(cursor.begun) ? SQLITE_OK : SQLITE_NOMEM;
}

const Kept<Span>& others(const Cursor& cursor) {
  return cursor.sides[static_cast<std::size_t>(1 - cursor.begun_on)].open;
}

// Moves on to the next pair.
int next(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<Cursor*>(base);
  ++cursor.row;
  if (cursor.is_meeting) ++cursor.at;
  while (!cursor.is_done) {
    Kept<Span>& open = cursor.sides[static_cast<std::size_t>(1 - cursor.begun_on)].open;
    while (cursor.is_meeting && cursor.at < open.size()) {
      if (open.at(cursor.at).is_open_at(cursor.begun.from)) return SQLITE_OK;
      open.remove(cursor.at);
    }
    if (const int begun = begin_next(cursor); begun != SQLITE_OK) return begun;
  }
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int argc, sqlite3_value** argv) {
  auto& cursor = *static_cast<Cursor*>(base);
  auto& table = *static_cast<Table*>(base->pVtab);
  for (int i = 0; i < 2; ++i) {
    Side& side = cursor.sides[static_cast<std::size_t>(i)];
    side.spans.clear();
    side.open.clear();
    side.next = 0;
    if (argc != 2) return fail(&table, "error.span_join.texts");
    if (const int read = read_side(table, argv[i], side); read != SQLITE_OK) return read;
  }
  if (cursor.sides[0].has_owner != cursor.sides[1].has_owner) return fail(&table, "error.span_join.owner");
  cursor.is_meeting = cursor.is_done = false;
  cursor.row = -1;
  return next(base);
}

int column_value(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const auto& cursor = *static_cast<Cursor*>(base);
  const Span& other = others(cursor).at(cursor.at);
  const bool is_left = cursor.begun_on == 0;
  const std::int64_t id = (column == left_id) == is_left ? cursor.begun.id : other.id;
  switch (column) {
  case ts:
    sqlite3_result_int64(context, cursor.begun.from);
    break;
  case dur:
    sqlite3_result_int64(context,
                         std::max<std::int64_t>(0, std::min(cursor.begun.to, other.to) - cursor.begun.from));
    break;
  case left_id:
  case right_id:
    if (id != kSqlNull) sqlite3_result_int64(context, id);
    break;
  case owner:
    if (cursor.sides[0].has_owner) sqlite3_result_int64(context, cursor.begun.owner);
    break;
  default:
    break; // the queries themselves: SQLite has them
  }
  return SQLITE_OK;
}

// --- the module

int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
  std::array<int, 2> given{-1, -1};
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    const int argument = constraint.iColumn - left_query;
    if (argument < 0 || argument > 1 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.usable == 0) return SQLITE_CONSTRAINT;
    given[static_cast<std::size_t>(argument)] = i;
  }
  if (given[0] < 0 || given[1] < 0) return fail(table, "error.span_join.texts");
  for (std::size_t i = 0; i < 2; ++i) {
    info->aConstraintUsage[given[i]].argvIndex = static_cast<int>(i) + 1;
    info->aConstraintUsage[given[i]].omit = 1;
  }
  info->estimatedRows = 100'000;
  info->estimatedCost = 1e6; // both queries run for every call: what is joined with it is looked up, not it
  return SQLITE_OK;
}

int connect(sqlite3* db, void*, int, const char* const*, sqlite3_vtab** out, char**) {
  if (const int status = sqlite3_declare_vtab(db, kDeclaration); status != SQLITE_OK) return status;
  auto* table = new Table{}; // SQLite owns it until disconnect
  table->db = db;
  *out = table;
  return SQLITE_OK;
}
int is_eof(sqlite3_vtab_cursor* base) {
  return static_cast<Cursor*>(base)->is_done ? 1 : 0;
}
int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
  *id = static_cast<Cursor*>(base)->row;
  return SQLITE_OK;
}

} // namespace

int register_span_join(sqlite3* db) {
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
  return sqlite3_create_module_v2(db, "span_join", &kModule, nullptr, nullptr);
}

} // namespace prof::detail
