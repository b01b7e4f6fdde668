// stream_notes.hpp: what a JSON event stream lost, as entries of the ledger.
#pragma once
#include "import/json/event_stream.hpp"
#include "trace/sink.hpp"

namespace prof::json {

void note_losses(const StreamReport& report, TraceSink& sink);

} // namespace prof::json
