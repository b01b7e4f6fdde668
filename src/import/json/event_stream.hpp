// event_stream.hpp: a Chrome trace JSON file of any size as a sequence of event batches, parsed on the other
// cores while the caller takes them in.
#pragma once
#include "base/result.hpp"
#include "import/json/trace_event.hpp"

#include <filesystem>
#include <functional>
#include <string_view>

namespace prof::json {

struct EventHandler {
  // A member of the top-level object beside the events, as JSON text. Some come after the events.
  std::function<void(std::string_view key, std::string_view json)> on_member;
  // In the order of the file. The batch is reused after the call.
  std::function<void(const EventBatch&)> on_events;
};

// What happened on the way.
struct StreamReport {
  EventLosses losses;
  std::int64_t events = 0;
  std::int64_t bytes = 0;
  bool is_cut = false; // the file ends inside the array
};

// Reads a bare array of events or an object with "traceEvents" (several of them in one file are read one
// after the other). Memory: a few MiB whatever the size of the file. Errors: io, permission; malformed when
// there is no event array.
[[nodiscard]] Result<StreamReport> stream_events(const std::filesystem::path& path,
                                                 const EventHandler& handler);

} // namespace prof::json
