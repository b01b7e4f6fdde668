// reader_words.hpp: what every reader says and asks in the same way: which signals its file gave, what
// was lost of it, which kernels are collectives.
#pragma once
#include "trace/conventions.hpp"
#include "trace/sink.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
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

// An entry of the ledger for what happened `count` times; none for what did not happen.
inline void say_note(TraceSink& sink, Severity severity, std::string_view code, std::int64_t count,
                     std::string_view where = {}) {
  if (count <= 0) return;
  sink.note({.severity = severity, .code = sink.intern(code), .count = count, .where = sink.intern(where)});
}

// A length as a file states it. Below zero it is wrong, and the store says so; but it is not "unfinished",
// which a sink takes from -1 ns.
[[nodiscard]] constexpr Dur stated(std::int64_t ns) {
  return {ns < 0 ? std::min(ns, kUnfinished.ns - 1) : ns};
}
// The same from two times; beyond 64 bits the longest there is, which no store takes.
[[nodiscard]] inline Dur length_between(std::int64_t start, std::int64_t end) {
  std::int64_t ns = 0;
  return __builtin_sub_overflow(end, start, &ns) ? Dur{std::numeric_limits<std::int64_t>::max()} : stated(ns);
}

// What a step says on the thread that marks it: which unit of work it is, and that one step at a time has all
// threads of its process (autograd and task queue threads too).
[[nodiscard]] inline std::array<Arg, 2> step_args(TraceSink& sink, std::int64_t number) {
  return {{{.key = sink.intern(words::kArgRequestId), .value = number},
           {.key = sink.intern(words::kArgCovers), .value = sink.intern(words::kCoversProcess)}}};
}

// Kernels of NVIDIA's and AMD's collective libraries carry the library in their name.
[[nodiscard]] inline bool is_collective(std::string_view kernel) {
  for (const std::string_view word : {"nccl", "rccl", "NCCL"})
    if (kernel.find(word) != std::string_view::npos) return true;
  return false;
}

} // namespace prof
