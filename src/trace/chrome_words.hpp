// chrome_words.hpp: what our Chrome JSON says of a kernel beyond Kineto's words, so that it comes back as it
// was.
#pragma once
#include <string_view>

namespace prof::words {

inline constexpr std::string_view kArgKernelKind = "kernel_kind"; // compute, communication, memory

} // namespace prof::words
