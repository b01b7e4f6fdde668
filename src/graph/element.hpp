// element.hpp: the numbers of a dense tensor, whatever its element type.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

namespace prof {

// IEEE 754 binary16, of which C++20 knows nothing.
struct Half {
  std::uint16_t bits = 0;
  // Exact for what the proof draws: the fraction is cut, not rounded. Too small becomes 0, too large
  // infinite.
  static Half from(float value) {
    const auto wide = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((wide >> 16U) & 0x8000U);
    const int exponent = static_cast<int>((wide >> 23U) & 0xFFU) - 127 + 15;
    if (exponent <= 0) return {sign};
    if (exponent >= 31) return {static_cast<std::uint16_t>(sign | 0x7C00U)};
    const std::uint32_t fraction = (wide >> 13U) & 0x3FFU;
    return {static_cast<std::uint16_t>(sign | (static_cast<std::uint32_t>(exponent) << 10U) | fraction)};
  }
  explicit operator double() const {
    const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
    const int exponent = (bits >> 10U) & 0x1F, fraction = bits & 0x3FF;
    if (exponent == 31) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
  }
};

// The upper half of a float.
struct Bfloat {
  std::uint16_t bits = 0;
  static Bfloat from(float value) {
    return {static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U)};
  }
  explicit operator double() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }
};

// Calls f with a value of the C++ type behind an onnx.TensorProto.DataType; false for text and complex
// numbers.
template <class F>
bool with_element(int element_type, F f) {
  switch (element_type) {
  case 1:
    f(float{});
    return true;
  case 2:
  case 9: // a truth value takes one byte
    f(std::uint8_t{});
    return true;
  case 3:
    f(std::int8_t{});
    return true;
  case 4:
    f(std::uint16_t{});
    return true;
  case 5:
    f(std::int16_t{});
    return true;
  case 6:
    f(std::int32_t{});
    return true;
  case 7:
    f(std::int64_t{});
    return true;
  case 10:
    f(Half{});
    return true;
  case 11:
    f(double{});
    return true;
  case 12:
    f(std::uint32_t{});
    return true;
  case 13:
    f(std::uint64_t{});
    return true;
  case 16:
    f(Bfloat{});
    return true;
  default:
    return false;
  }
}

template <class T>
void append_element(std::string& data, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  data.append(bytes, sizeof(T));
}

} // namespace prof
