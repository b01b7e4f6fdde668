#include "import/stacks/text_lines.hpp"

namespace prof::stacks {
namespace {

constexpr std::size_t kMaxLine = std::size_t{1} << 20;

} // namespace

Result<bool> TextLines::next() {
  window_.consume(taken_);
  taken_ = length_ = 0;
  std::size_t looked = 0;
  for (;;) {
    const std::string_view text = window_.text();
    const std::size_t end = text.find('\n', looked);
    if (end != std::string_view::npos || text.size() >= kMaxLine || window_.is_at_end()) {
      if (text.empty()) return false;
      length_ = end == std::string_view::npos ? text.size() : end;
      has_break_ = end != std::string_view::npos;
      taken_ = has_break_ ? end + 1 : text.size();
      if (length_ > 0 && text[length_ - 1] == '\r') --length_;
      ++number_;
      return true;
    }
    looked = text.size();
    PROF_TRY([[maybe_unused]] const bool is_more, window_.more());
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view first_line(std::string_view head) {
  for (std::size_t at = 0; at < head.size();) {
    const std::size_t end = head.find('\n', at);
    const std::string_view line = head.substr(at, end == std::string_view::npos ? end : end - at);
    const std::string_view content = trimmed(line);
    if (!content.empty() && content.front() != '#') return line;
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return {};
}

} // namespace prof::stacks
