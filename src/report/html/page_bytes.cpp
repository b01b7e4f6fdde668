#include "report/html/page_bytes.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace prof {
namespace {

// A multiple of 3, so that parts can be decoded on their own and joined; 512 KiB of base64.
constexpr std::size_t kPartBytes = 393'216;

} // namespace

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  std::size_t to = 0;
  std::size_t i = 0;
  for (; i + 2 < bytes.size(); i += 3) {
    const std::uint32_t v = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    out[to++] = kDigits[v >> 18];
    out[to++] = kDigits[v >> 12 & 63];
    out[to++] = kDigits[v >> 6 & 63];
    out[to++] = kDigits[v & 63];
  }
  if (i < bytes.size()) {
    const bool has_two = i + 1 < bytes.size();
    const std::uint32_t v = at(i) << 16 | (has_two ? at(i + 1) << 8 : 0U);
    out[to++] = kDigits[v >> 18];
    out[to++] = kDigits[v >> 12 & 63];
    if (has_two) out[to] = kDigits[v >> 6 & 63];
  }
  return out;
}

Result<std::string> deflate_raw(std::string_view bytes) {
  z_stream z{};
  if (deflateInit2(&z, 6, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return Error{Errc::internal, "cannot start compression", {}};
  std::string out;
  std::array<Bytef, 65536> chunk{};
  std::string input(bytes); // zlib takes a mutable pointer
  z.next_in = reinterpret_cast<Bytef*>(input.data());
  z.avail_in = static_cast<uInt>(input.size());
  int status = Z_OK;
  while (status == Z_OK) {
    z.next_out = chunk.data();
    z.avail_out = static_cast<uInt>(chunk.size());
    status = deflate(&z, Z_FINISH);
    out.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - z.avail_out);
  }
  deflateEnd(&z);
  if (status != Z_STREAM_END) return Error{Errc::internal, "compression failed", {}};
  return out;
}

std::string script_json(const nlohmann::json& value) {
  const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else if (c == '\xE2' && i + 2 < text.size() && text[i + 1] == '\x80' &&
             (text[i + 2] == '\xA8' || text[i + 2] == '\xA9')) {
      out += text[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else
      out += c;
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return std::string(text.substr(0, end)) + "…";
}

Status PageStream::append(std::string_view bytes) {
  size_ += static_cast<std::int64_t>(bytes.size());
  pending_ += bytes;
  std::size_t from = 0;
  for (; pending_.size() - from >= kPartBytes; from += kPartBytes)
    PROF_CHECK(emit(std::string_view(pending_).substr(from, kPartBytes)));
  pending_.erase(0, from);
  return {};
}

Status PageStream::finish() {
  if (!pending_.empty()) PROF_CHECK(emit(pending_));
  pending_.clear();
  return {};
}

Status PageStream::emit(std::string_view bytes) {
  PROF_CHECK(write_("<script type=\"text/plain\" id=\"" + name_ + "." + std::to_string(parts_++) + "\">"));
  PROF_CHECK(write_(base64(bytes)));
  return write_("</script>\n");
}

} // namespace prof
