// reader.hpp: reads a stream of Perfetto TracePackets, ours or Perfetto's own, into a sink. Bounded memory,
// streaming.
#pragma once
#include "base/result.hpp"
#include "trace/sink.hpp"

#include <functional>
#include <string_view>

namespace prof {

// Gives the next bytes of the input; an empty view at the end. The view must live until the next call.
using ByteSource = std::function<Result<std::string_view>()>;

// Cut or damaged input: what stands before the damage is kept, and what stands behind it from the next start
// of each sequence on (docs/tracefile.md); notes say where and how many bytes were skipped. Errors: malformed
// when not one packet could be read; io from the source.
[[nodiscard]] Status read_tracefile(const ByteSource& source, TraceSink& sink);

} // namespace prof
