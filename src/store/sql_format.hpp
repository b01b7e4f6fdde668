// sql_format.hpp: printf() and format() of SQL, which answer NULL for a text that is too long. An empty cell
// looks like an answer: here it is an error, as it is for replace() and group_concat().
#pragma once
#include <sqlite3.h>

namespace prof::detail {

// SQLite status. Takes the place of SQLite's own on this connection.
[[nodiscard]] int register_format(sqlite3* db);

} // namespace prof::detail
