#include "plan/made_file.hpp"

#include "base/sha256.hpp"

namespace prof {
namespace {

constexpr std::string_view kMark = "generate-plan sha256:";
constexpr std::size_t kDigits = 64;

// Where the digest stands; npos = no mark. The words alone, in a name, are none.
std::size_t room_in(std::string_view content) {
  for (std::size_t at = content.find(kMark); at != std::string_view::npos; at = content.find(kMark, at + 1)) {
    const std::size_t room = at + kMark.size();
    const std::string_view digits = content.substr(room, kDigits);
    if (digits.size() == kDigits && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos)
      return room;
  }
  return std::string_view::npos;
}

} // namespace

std::string made_mark() {
  return std::string(kMark) + std::string(kDigits, '0');
}

std::string with_digest(std::string content) {
  const std::size_t room = room_in(content);
  if (room == std::string_view::npos) return content;
  content.replace(room, kDigits, kDigits, '0');
  const std::string digest = sha256_hex(content);
  return content.replace(room, kDigits, digest);
}

bool is_marked(std::string_view content) {
  return room_in(content) != std::string_view::npos;
}

bool is_as_made(std::string_view content) {
  return is_marked(content) && with_digest(std::string(content)) == content;
}

} // namespace prof
