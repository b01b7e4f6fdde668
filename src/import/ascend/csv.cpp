#include "import/ascend/csv.hpp"

#include "import/json/trace_event.hpp"

#include <algorithm>
#include <charconv>

namespace prof::ascend {
namespace {

constexpr std::size_t kMaxRow = std::size_t{8} << 20; // call stacks of one operator take a few KiB

// Length of the row that begins `text`, without its line break; npos = it does not end in this text.
// `ignores_quotes`: for a quote that is never closed.
std::size_t row_end(std::string_view text, bool ignores_quotes) {
  bool in_quotes = false, is_cell_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_quotes) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"')
        ++i;
      else if (c == '"')
        in_quotes = false;
      continue;
    }
    if (c == '\n') return i;
    in_quotes = c == '"' && is_cell_start && !ignores_quotes;
    is_cell_start = c == ',';
  }
  return std::string_view::npos;
}

} // namespace

Result<CsvFile> CsvFile::open(const std::filesystem::path& path) {
  PROF_TRY(json::TextWindow window, json::TextWindow::open(path));
  return CsvFile(std::move(window));
}

void CsvFile::split(std::string_view row) {
  cells_.clear();
  has_open_quote_ = false;
  unquoted_.clear();
  unquoted_.reserve(row.size()); // views into it must not move
  for (std::size_t at = 0; at <= row.size();) {
    if (at < row.size() && row[at] == '"') {
      const std::size_t from = unquoted_.size();
      for (++at; at < row.size(); ++at) {
        if (row[at] == '"' && (at + 1 >= row.size() || row[at + 1] != '"')) break;
        unquoted_ += row[at];
        if (row[at] == '"') ++at;
      }
      cells_.push_back(std::string_view(unquoted_).substr(from));
      has_open_quote_ = at >= row.size();
      at = std::min(row.find(',', std::min(at, row.size())), row.size());
    } else {
      const std::size_t end = std::min(row.find(',', at), row.size());
      cells_.push_back(row.substr(at, end - at));
      at = end;
    }
    ++at;
  }
}

Result<bool> CsvFile::next() {
  for (;;) {
    std::size_t end = row_end(window_.text(), false);
    bool is_whole = end != std::string_view::npos;
    while (!is_whole) {
      const std::size_t had = window_.text().size();
      if (had > kMaxRow) {
        end = std::min(row_end(window_.text(), true), had);
        break;
      }
      PROF_TRY(const bool got, window_.more());
      end = row_end(window_.text(), false);
      is_whole = end != std::string_view::npos;
      if (!got && !is_whole) {
        // A quote that nothing closes must not swallow the rows behind it.
        end = std::min(row_end(window_.text(), true), window_.text().size());
        break;
      }
    }
    if (end == 0 && window_.text().empty()) return false;
    row_.assign(window_.text().substr(0, end));
    row_offset_ = window_.offset();
    window_.consume(std::min(end + 1, window_.text().size()));
    is_cut_ = !is_whole;
    if (is_first_ && row_.starts_with("\xef\xbb\xbf")) row_.erase(0, 3);
    is_first_ = false;
    while (!row_.empty() && row_.back() == '\r')
      row_.pop_back();
    if (row_.empty()) continue;
    split(row_);
    return true;
  }
}

std::string_view trimmed(std::string_view cell) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = cell.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return cell.substr(first, cell.find_last_not_of(kSpace) - first + 1);
}

bool is_missing(std::string_view cell) {
  cell = trimmed(cell);
  return cell.empty() || cell == "N/A" || cell == "NA" || cell == "None";
}

std::optional<std::int64_t> integer_of(std::string_view cell) {
  cell = trimmed(cell);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (cell.empty() || error != std::errc{} || end != cell.data() + cell.size()) return {};
  return value;
}

std::optional<double> real_of(std::string_view cell) {
  cell = trimmed(cell);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (cell.empty() || error != std::errc{} || end != cell.data() + cell.size()) return {};
  return value;
}

std::optional<std::int64_t> ns_of(std::string_view cell) {
  cell = trimmed(cell);
  std::int64_t ns = 0;
  if (cell.find_first_of("eE") != std::string_view::npos || !json::ns_from_us(cell, ns)) return {};
  return ns;
}

std::vector<std::string> header_cells(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  head = trimmed(head.substr(0, head.find('\n')));
  std::vector<std::string> cells;
  for (std::size_t at = 0; at <= head.size();) {
    const std::size_t end = std::min(head.find(',', at), head.size());
    cells.emplace_back(trimmed(head.substr(at, end - at)));
    at = end + 1;
  }
  return cells;
}

} // namespace prof::ascend
