// page_bytes.hpp: how bytes get into the page: little-endian appends, raw deflate, base64, JSON that is inert
// inside a script element.
#pragma once
#include "base/result.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace prof {

// Appends the value's bytes, little-endian.
template <class T>
  requires std::is_trivially_copyable_v<T>
void put(std::string& out, T value) {
  static_assert(std::endian::native == std::endian::little);
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

[[nodiscard]] std::string base64(std::string_view bytes);
// Raw deflate (RFC 1951), what DecompressionStream("deflate-raw") reads. Error: internal (out of memory).
[[nodiscard]] Result<std::string> deflate_raw(std::string_view bytes);
// JSON without '<', '>', '&', U+2028 and U+2029: nothing in it can end a script element or a line. Invalid
// UTF-8 becomes U+FFFD.
[[nodiscard]] std::string script_json(const nlohmann::json& value);
// `text` cut to at most `max_bytes` at a character boundary, with "…" when something was cut.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t max_bytes);

using PageWrite = std::function<Status(std::string_view)>;

// One byte stream of the page, written as <script type="text/plain" id="NAME.0">base64</script>, NAME.1, ...
// of bounded size: browsers parse many elements of half a megabyte faster than one large one.
class PageStream {
public:
  PageStream(std::string name, const PageWrite& write) : name_(std::move(name)), write_(write) {}
  [[nodiscard]] Status append(std::string_view bytes);
  [[nodiscard]] Status finish();
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] int parts() const { return parts_; }

private:
  [[nodiscard]] Status emit(std::string_view bytes);
  std::string name_;
  const PageWrite& write_;
  std::string pending_;
  std::int64_t size_ = 0;
  int parts_ = 0;
};

} // namespace prof
