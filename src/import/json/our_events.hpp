// our_events.hpp: what our own Chrome JSON says that the format has no words for (trace/chrome_words.hpp):
// who ran on each CPU, what threads did off it, the unit and the owner of a counter.
#pragma once
#include "import/json/event_args.hpp"
#include "import/json/event_lanes.hpp"
#include "import/json/trace_event.hpp"

#include <functional>
#include <limits>
#include <unordered_map>

namespace prof::json {

class OurEvents {
public:
  // `device` gives the device of an index.
  OurEvents(TraceSink& sink, EventLanes& lanes, TextCache& texts,
            std::function<Id<Device>(std::int64_t index)> device)
      : sink_(sink), lanes_(lanes), texts_(texts), device_(std::move(device)) {}

  // Takes the event in. False: it is none of these, or lacks what one of these has.
  [[nodiscard]] bool take(const EventBatch& batch, const TraceEvent& event);
  // The scheduler was watched from the first of these events to the last.
  void finish();

private:
  [[nodiscard]] bool run(const EventBatch& batch, const TraceEvent& event);
  [[nodiscard]] bool state(const EventBatch& batch, const TraceEvent& event);
  [[nodiscard]] bool counter(const EventBatch& batch, const TraceEvent& event);
  [[nodiscard]] bool saw(const TraceEvent& event);
  Id<Thread> thread(std::int64_t pid, std::int64_t tid, std::string_view name);

  TraceSink& sink_;
  EventLanes& lanes_;
  TextCache& texts_;
  std::function<Id<Device>(std::int64_t)> device_;
  std::unordered_map<std::int64_t, Id<Thread>> threads_; // by tid
  std::int64_t first_ns_ = std::numeric_limits<std::int64_t>::max(),
               last_ns_ = std::numeric_limits<std::int64_t>::min();
};

} // namespace prof::json
