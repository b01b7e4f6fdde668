// enum_words.hpp: the words that tables and exports write for the enumerations of model.hpp, by their number.
#pragma once
#include "trace/model.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace prof {

inline constexpr std::array<std::string_view, 4> kDeviceKindWords{"cpu", "gpu", "npu", "other"};
inline constexpr std::array<std::string_view, 4> kTrackKindWords{"thread", "async", "stream", "other"};
inline constexpr std::array<std::string_view, 6> kLayerWords{"application", "framework", "runtime",
                                                             "device",      "os",        "hardware"};
inline constexpr std::array<std::string_view, 3> kKernelKindWords{"compute", "communication", "memory"};
inline constexpr std::array<std::string_view, 4> kFrameKindWords{"native", "kernel", "interpreted", "jit"};
inline constexpr std::array<std::string_view, 4> kSeverityWords{"info", "notice", "data_loss", "error"};
// Of an ArgValue, by its index.
inline constexpr std::array<std::string_view, 4> kArgTypeWords{"integer", "real", "flag", "text"};

// The value that a word of such a list stands for; nullopt: no such word.
template <class Enum, std::size_t N>
[[nodiscard]] constexpr std::optional<Enum> enum_of(const std::array<std::string_view, N>& words,
                                                    std::string_view word) {
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Enum>(found - words.begin());
}

// What a frame is called where its function is not known: "libfoo.so+0x1234", or the address alone.
[[nodiscard]] inline bool is_stand_in(std::string_view function, std::uint64_t rel_pc) {
  std::array<char, 20> hex{'0', 'x'};
  const auto end = std::to_chars(hex.data() + 2, hex.data() + hex.size(), rel_pc, 16).ptr;
  const std::string_view address(hex.data(), static_cast<std::size_t>(end - hex.data()));
  if (!function.ends_with(address)) return false;
  return function.size() == address.size() || function[function.size() - address.size() - 1] == '+';
}

} // namespace prof
