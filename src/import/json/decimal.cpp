#include "import/json/trace_event.hpp"

#include <charconv>
#include <cmath>

namespace prof::json {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

} // namespace

bool ns_from_us(std::string_view text, std::int64_t& ns) {
  std::size_t at = 0;
  const bool is_negative = !text.empty() && text[0] == '-';
  if (is_negative) ++at;
  std::int64_t value = 0;
  const std::size_t first = at;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (value > std::int64_t{1} << 52) return false; // 143 years in us
    value = value * 10 + (text[at] - '0');
  }
  bool has_digits = at > first;
  int left = 3;
  if (at < text.size() && text[at] == '.') {
    for (++at; at < text.size() && is_digit(text[at]); ++at) {
      has_digits = true;
      if (left > 0) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, text[at] - '0', &value))
          return false;
        --left;
      } else if (left == 0) {
        if (text[at] >= '5') ++value;
        left = -1;
      }
    }
  }
  if (!has_digits) return false;
  if (at < text.size()) { // an exponent: rare, and exact enough through a double
    if (text[at] != 'e' && text[at] != 'E') return false;
    double us = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), us);
    if (error != std::errc{} || end != text.data() + text.size() || !(std::fabs(us) < 4.6e15)) return false;
    ns = std::llround(us * 1000);
    return true;
  }
  for (; left > 0; --left)
    if (__builtin_mul_overflow(value, 10, &value)) return false;
  ns = is_negative ? -value : value;
  return true;
}

} // namespace prof::json
