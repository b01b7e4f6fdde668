#include "import/json/event_scanner.hpp"

#include <array>
#include <bit>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace prof::json {
namespace {

constexpr std::size_t kBlock = 64;

// One bit per byte of a block.
struct Masks {
  std::uint64_t quote = 0, backslash = 0, open = 0, close = 0, newline = 0;
};

#ifdef __SSE2__
Masks masks_of(const char* at) {
  Masks masks;
  for (unsigned part = 0; part < 4; ++part) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + part * 16));
    const auto where = [&](char c) {
      const int bits = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits)) << (part * 16);
    };
    // '[' and '{' (']' and '}') differ in one bit only.
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    const auto where_folded = [&](char c) {
      const int bits = _mm_movemask_epi8(_mm_cmpeq_epi8(folded, _mm_set1_epi8(c)));
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(bits)) << (part * 16);
    };
    masks.quote |= where('"');
    masks.backslash |= where('\\');
    masks.newline |= where('\n');
    masks.open |= where_folded('{');
    masks.close |= where_folded('}');
  }
  return masks;
}
#else
Masks masks_of(const char* at) {
  Masks masks;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    switch (at[i]) {
    case '"':
      masks.quote |= bit;
      break;
    case '\\':
      masks.backslash |= bit;
      break;
    case '\n':
      masks.newline |= bit;
      break;
    case '[':
    case '{':
      masks.open |= bit;
      break;
    case ']':
    case '}':
      masks.close |= bit;
      break;
    default:
      break;
    }
  }
  return masks;
}
#endif

// Bit i of the result: an odd number of quotes stands at or before bit i.
std::uint64_t prefix_xor(std::uint64_t bits) {
  for (const unsigned shift : {1U, 2U, 4U, 8U, 16U, 32U})
    bits ^= bits << shift;
  return bits;
}

// Removes the quotes that a backslash escapes. `is_escaped`: the last byte before this block was an escaping
// backslash; is set for the next one. Escapes are rare, so one by one is quick enough.
std::uint64_t real_quotes(std::uint64_t quote, std::uint64_t backslash, bool& is_escaped) {
  if (is_escaped) {
    quote &= ~std::uint64_t{1};
    backslash &= ~std::uint64_t{1};
    is_escaped = false;
  }
  while (backslash != 0) {
    const int at = std::countr_zero(backslash);
    if (at == 63) {
      is_escaped = true;
      break;
    }
    const std::uint64_t next = std::uint64_t{2} << at;
    quote &= ~next;
    backslash &= ~((next << 1U) - 1U);
  }
  return quote;
}

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

} // namespace

Cut cut_events(std::string_view text, std::size_t target) {
  Cut cut;
  std::int64_t depth = 0;
  bool in_string = false, is_escaped = false;
  char opener = '\0'; // of the element that is being read
  std::array<char, kBlock> tail{};
  for (std::size_t base = 0; base < text.size(); base += kBlock) {
    const char* at = text.data() + base;
    if (text.size() - base < kBlock) {
      tail.fill(' ');
      std::memcpy(tail.data(), at, text.size() - base);
      at = tail.data();
    }
    Masks masks = masks_of(at);
    if (masks.backslash != 0 || is_escaped)
      masks.quote = real_quotes(masks.quote, masks.backslash, is_escaped);
    const std::uint64_t strings = prefix_xor(masks.quote) ^ (in_string ? ~std::uint64_t{0} : 0);
    in_string = (strings >> 63U) != 0;
    std::uint64_t brackets = (masks.open | masks.close) & ~strings;
    const std::uint64_t bad = masks.newline & strings;
    if (bad != 0) brackets &= (bad & (~bad + 1)) - 1; // what stands before the first bad place is good
    for (; brackets != 0; brackets &= brackets - 1) {
      const int bit = std::countr_zero(brackets);
      if (((masks.open >> static_cast<unsigned>(bit)) & 1U) != 0) {
        if (depth++ == 0) opener = text[base + static_cast<std::size_t>(bit)];
        continue;
      }
      const std::size_t place = base + static_cast<std::size_t>(bit);
      if (--depth < 0) {
        if (text[place] == ']') return {.kind = Cut::Kind::closed, .end = place};
        return cut.end > 0 ? cut : Cut{.kind = Cut::Kind::broken, .end = 0};
      }
      if (depth > 0) continue;
      if (text[place] != opener + 2) // "{" with "}", "[" with "]"
        return cut.end > 0 ? cut : Cut{.kind = Cut::Kind::broken, .end = 0};
      if (cut.end > 0 && place >= target) return cut;
      cut = {.kind = Cut::Kind::events, .end = place + 1};
    }
    if (bad != 0) return cut.end > 0 ? cut : Cut{.kind = Cut::Kind::broken, .end = 0};
    if (cut.end > 0 && base + kBlock >= target) return cut;
  }
  return cut;
}

std::size_t skip_space(std::string_view text, std::size_t from, bool skip_commas) {
  while (from < text.size() && (is_space(text[from]) || (skip_commas && text[from] == ',')))
    ++from;
  return from;
}

std::string_view first_key(std::string_view text) {
  if (text.empty() || text.front() != '{') return {};
  const std::size_t quote = skip_space(text, 1);
  if (quote >= text.size() || text[quote] != '"') return {};
  const std::size_t end = text.find('"', quote + 1);
  if (end == std::string_view::npos || end - quote > 64) return {};
  return text.substr(quote + 1, end - quote - 1);
}

std::size_t find_event(std::string_view text, std::string_view key, std::size_t from) {
  for (std::size_t at = text.find('{', from); at != std::string_view::npos; at = text.find('{', at + 1))
    if (first_key(text.substr(at, 256)) == key) return at;
  return std::string_view::npos;
}

std::size_t end_of_value(std::string_view text, std::size_t from) {
  std::int64_t depth = 0;
  bool in_string = false;
  for (std::size_t at = from; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        in_string = false;
      if (in_string || depth > 0) continue;
      return at < text.size() ? at + 1 : std::string_view::npos;
    }
    if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth <= 1) return depth == 1 ? at + 1 : at;
      --depth;
    } else if (c == ',' && depth == 0) {
      return at;
    }
  }
  return std::string_view::npos;
}

} // namespace prof::json
