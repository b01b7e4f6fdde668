// byte_reader.hpp: the only place that does offset arithmetic on input bytes. Little-endian, bounds checked.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace prof {

// A cursor over bytes that the caller owns. A failed read moves nothing.
class ByteReader {
public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  explicit ByteReader(std::string_view bytes) : bytes_(std::as_bytes(std::span(bytes))) {}

  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] bool is_done() const { return at_ == bytes_.size(); }

  // A trivially copyable value stored little-endian. Error: malformed when fewer bytes are left.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  [[nodiscard]] Result<T> read() {
    static_assert(std::endian::native == std::endian::little);
    if (left() < sizeof(T)) return short_by(sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  // The next n bytes as a view into the input.
  [[nodiscard]] Result<std::string_view> take(std::size_t n) {
    if (left() < n) return short_by(n);
    const std::string_view view(reinterpret_cast<const char*>(bytes_.data()) + at_, n);
    at_ += n;
    return view;
  }
  [[nodiscard]] Status skip(std::size_t n) {
    if (left() < n) return short_by(n);
    at_ += n;
    return {};
  }

private:
  [[nodiscard]] Error short_by(std::size_t need) const {
    return error_said(Errc::malformed, "error.ends_early", "offset " + std::to_string(at_),
                      fmt::arg("n", need - left()));
  }
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

} // namespace prof
