// replay.hpp: a sealed trace told again, row by row, to any sink: a trace file, another store.
#pragma once
#include "store/store.hpp"
#include "trace/sink.hpp"

namespace prof {

// What sealing derives (request, stage, op, thread_state, nesting) is not told: the next sealing derives it
// again. Symbols travel as named frames; scheduling as switches and wakeups.
void replay(const Store& store, TraceSink& sink);

// Entries of the ledger and signals that sealing finds by itself, and will find again.
[[nodiscard]] bool is_derived_note(const Store& store, std::size_t row);
[[nodiscard]] bool is_derived_signal(const Store& store, std::size_t row);

// False for the stand-ins ("libfoo.so+0x1234") that sealing puts where no symbol is known.
[[nodiscard]] bool has_symbol(const Store& store, std::uint32_t frame);

} // namespace prof
