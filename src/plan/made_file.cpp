#include "plan/made_file.hpp"

#include "base/sha256.hpp"

namespace prof {
namespace {

constexpr std::string_view kMark = "generate-plan sha256:";
constexpr std::size_t kDigits = 64;

// Where the digest stands; npos = no mark.
std::size_t room_in(std::string_view content) {
  const std::size_t at = content.find(kMark);
  const bool fits = at != std::string_view::npos && at + kMark.size() + kDigits <= content.size();
  return fits ? at + kMark.size() : std::string_view::npos;
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

bool is_as_made(std::string_view content) {
  return room_in(content) != std::string_view::npos && with_digest(std::string(content)) == content;
}

} // namespace prof
