// sql_docs.hpp: texts made from the table definitions: docs/sql.md, .tables and .schema.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// The whole of docs/sql.md (tests/store/sql_docs_test.cpp keeps the committed file equal).
[[nodiscard]] std::string sql_reference_markdown();
// Tables and views, sorted.
[[nodiscard]] std::vector<std::string> sql_table_names();
// "CREATE TABLE slice(...)" with a comment per column; empty for an unknown name.
[[nodiscard]] std::string sql_schema_of(std::string_view table);

} // namespace prof
