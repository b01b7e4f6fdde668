// proto_text.hpp: protobuf messages by hand, so that a test says byte for byte what a file holds.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace prof::testing {

inline std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7U)
    out += static_cast<char>((value & 0x7fU) | 0x80U);
  return out + static_cast<char>(value);
}
inline std::string field(std::uint32_t tag, std::string_view bytes) {
  return varint((tag << 3U) | 2U) + varint(bytes.size()) + std::string(bytes);
}
inline std::string number(std::uint32_t tag, std::uint64_t value) {
  return varint(tag << 3U) + varint(value);
}
inline std::string fixed64(std::uint32_t tag, std::uint64_t value) {
  std::string out = varint((tag << 3U) | 1U);
  for (int i = 0; i < 8; ++i)
    out += static_cast<char>((value >> (8 * i)) & 0xffU);
  return out;
}

} // namespace prof::testing
