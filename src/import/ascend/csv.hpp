// csv.hpp: rows of a comma separated file of any size (RFC 4180: quoted cells may hold commas, doubled quotes
// and line breaks).
#pragma once
#include "base/result.hpp"
#include "import/json/text_window.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prof::ascend {

class CsvFile {
public:
  // Errors: io, permission, missing.
  [[nodiscard]] static Result<CsvFile> open(const std::filesystem::path& path);
  // Goes to the next row that holds anything; false at the end. Memory: one row.
  [[nodiscard]] Result<bool> next();

  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  // Valid until next(); empty beyond the end of the row.
  [[nodiscard]] std::string_view cell(std::size_t column) const {
    return column < cells_.size() ? cells_[column] : std::string_view{};
  }
  // Of the current row in the file.
  [[nodiscard]] std::int64_t offset() const { return row_offset_; }
  // The file ended inside this row: its last cell may be half of one, or only the line break is missing.
  [[nodiscard]] bool is_cut() const { return is_cut_; }
  // A quoted cell of this row was not closed.
  [[nodiscard]] bool has_open_quote() const { return has_open_quote_; }

private:
  explicit CsvFile(json::TextWindow window) : window_(std::move(window)) {}
  void split(std::string_view row);

  json::TextWindow window_;
  std::vector<std::string_view> cells_;
  std::string row_, unquoted_;
  std::int64_t row_offset_ = 0;
  bool is_cut_ = false, has_open_quote_ = false, is_first_ = true;
};

// Cells as values. White space around them (the tab that keeps times text in spreadsheets) does not count.
[[nodiscard]] std::string_view trimmed(std::string_view cell);
// Empty, or one of the spellings of "there is none".
[[nodiscard]] bool is_missing(std::string_view cell);
[[nodiscard]] std::optional<std::int64_t> integer_of(std::string_view cell);
[[nodiscard]] std::optional<double> real_of(std::string_view cell);
// Microseconds as decimal text -> ns, exactly. Not for exponents: a spreadsheet that wrote one has rounded.
[[nodiscard]] std::optional<std::int64_t> ns_of(std::string_view cell);

// The cells of a header line.
[[nodiscard]] std::vector<std::string> header_cells(std::string_view head);

} // namespace prof::ascend
