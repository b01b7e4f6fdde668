// sql_vtab.hpp: the life of a table of ours inside SQLite, which is the same for all of them.
#pragma once
#include <sqlite3.h>

namespace prof::detail {

// A module whose tables and cursors are made and deleted; the caller adds what they answer. xCreate stays
// null: such a table exists under its own name and cannot be made or dropped.
template <class Table, class Cursor>
[[nodiscard]] sqlite3_module module_of() {
  sqlite3_module module{};
  module.xDisconnect = [](sqlite3_vtab* table) {
    delete static_cast<Table*>(table); // SQLite owned it since connect
    return SQLITE_OK;
  };
  module.xDestroy = module.xDisconnect;
  module.xOpen = [](sqlite3_vtab*, sqlite3_vtab_cursor** out) {
    *out = new Cursor{};
    return SQLITE_OK;
  };
  module.xClose = [](sqlite3_vtab_cursor* cursor) {
    delete static_cast<Cursor*>(cursor);
    return SQLITE_OK;
  };
  return module;
}

} // namespace prof::detail
