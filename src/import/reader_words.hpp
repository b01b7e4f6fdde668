// reader_words.hpp: what every reader says and asks in the same way: which signals its file gave, which
// kernels are collectives.
#pragma once
#include "trace/sink.hpp"

#include <string_view>

namespace prof {

// The file holds `count` rows of this signal; nothing is said where it holds none (the store then says why
// not).
inline void say_available(TraceSink& sink, std::string_view reader, std::string_view signal,
                          std::int64_t count) {
  if (count <= 0) return;
  sink.signal({.name = sink.intern(signal),
               .is_available = true,
               .source = sink.intern(reader),
               .reason = {},
               .mend = {},
               .detail = {}});
}

// Kernels of NVIDIA's and AMD's collective libraries carry the library in their name.
[[nodiscard]] inline bool is_collective(std::string_view kernel) {
  for (const std::string_view word : {"nccl", "rccl", "NCCL"})
    if (kernel.find(word) != std::string_view::npos) return true;
  return false;
}

} // namespace prof
