// edge_traces.hpp: traces at the edges of what a page can be asked to show.
#pragma once
#include "trace/sink.hpp"

#include <cstdint>
#include <string_view>

namespace prof::testing {

// empty: metadata alone. one: one span of 7 ns. tracks: `count` threads with a span each. odd: instants,
// spans of no length and of negative length, many at one instant. day: a span of a day over `count` spans of
// 1 ns. False: no such kind.
bool make_edge(TraceSink& sink, std::string_view kind, std::int64_t count);

} // namespace prof::testing
