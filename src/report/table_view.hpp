// table_view.hpp: a query's result as an aligned text, CSV, JSON or Markdown table.
#pragma once
#include "base/result.hpp"
#include "store/sql.hpp"

#include <string>
#include <string_view>

namespace prof {

enum class TableFormat : std::uint8_t { text, csv, json, markdown };
// "text", "csv", "json", "markdown" or "md". Error: bad_argument lists them.
[[nodiscard]] Result<TableFormat> table_format(std::string_view word);

// text: columns aligned by display width, cells of one line, long ones cut. csv: RFC 4180 with a header line.
// json: an array of objects. Every format neutralises hostile cells (formulas, escape sequences, markup).
[[nodiscard]] std::string render_table(const SqlResult& result, TableFormat format);

// A CSV field: quoted where needed; a text that a spreadsheet would run as a formula (=, +, -, @, tab first)
// gets a leading apostrophe; controls other than tab and newline become \xNN, broken UTF-8 U+FFFD.
[[nodiscard]] std::string csv_text(std::string_view text);
// A JSON number; null for NaN and infinity.
[[nodiscard]] std::string json_number(double value);

} // namespace prof
