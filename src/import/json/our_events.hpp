// our_events.hpp: what our own Chrome JSON says that the format has no words for (trace/chrome_words.hpp):
// slices as they were, who ran on each CPU, what threads did off it, the unit and the owner of a counter, the
// ledger.
#pragma once
#include "import/json/event_args.hpp"
#include "import/json/event_lanes.hpp"
#include "import/json/trace_event.hpp"
#include "trace/state_marks.hpp"

#include <functional>
#include <limits>
#include <unordered_map>
#include <vector>

namespace prof::json {

class OurEvents {
public:
  // Rows of the file's devices by their number there.
  struct Devices {
    std::function<Id<Device>(std::int64_t number)> device;
    std::function<Id<Stream>(std::int64_t number, std::int64_t stream)> stream;
    std::function<void(std::int64_t number, Id<Device>)> known; // the file says what it is
    std::function<void(std::int64_t number, std::int64_t stream, std::string_view name)> known_stream;
  };
  OurEvents(TraceSink& sink, EventLanes& lanes, TextCache& texts, Devices devices)
      : sink_(sink), lanes_(lanes), texts_(texts), devices_(std::move(devices)) {}

  // The ledger of a file that we wrote. From there on is_ours().
  void ledger(std::string_view json);
  [[nodiscard]] bool is_ours() const { return is_ours_; }
  // What the times of the file's events count from, and an event with its time on the trace's clock.
  [[nodiscard]] std::int64_t base_ns() const { return base_ns_; }
  [[nodiscard]] TraceEvent on_its_clock(TraceEvent event) const;
  // A name of a thread or process may say more than a name.
  void name(const EventBatch& batch, const TraceEvent& event);
  // The key that was recorded, of an argument of an event.
  [[nodiscard]] std::string_view key_of(const EventBatch& batch, const TraceEvent& event,
                                        const EventArg& arg) const;
  // Takes the event in. False: it is none of these, or lacks what one of these has.
  [[nodiscard]] bool take(const EventBatch& batch, const TraceEvent& event);
  // The scheduler was watched from the first of these events to the last.
  void finish();

private:
  [[nodiscard]] Id<Track> other_track(const EventBatch& batch, const TraceEvent& event, Lane& lane,
                                      std::string_view kind);
  [[nodiscard]] bool slice(const EventBatch& batch, const TraceEvent& event);
  [[nodiscard]] bool run(const EventBatch& batch, const TraceEvent& event);
  [[nodiscard]] bool state(const EventBatch& batch, const TraceEvent& event);
  [[nodiscard]] bool counter(const EventBatch& batch, const TraceEvent& event);
  [[nodiscard]] bool saw(const TraceEvent& event);
  Id<Thread> thread(std::int64_t pid, std::int64_t tid, std::string_view name);

  TraceSink& sink_;
  EventLanes& lanes_;
  TextCache& texts_;
  Devices devices_;
  bool is_ours_ = false;
  std::int64_t base_ns_ = 0;
  std::unordered_map<std::int64_t, Id<Track>> tracks_; // by the row that the file gives them
  std::vector<Arg> args_;
  std::vector<std::uint64_t> flows_out_, flows_in_;
  std::unordered_map<std::int64_t, Id<Thread>> threads_; // by tid
  struct State {
    std::int64_t tid = 0, ts = 0, end = 0;
    char state = kLostState;
  };
  std::vector<State> states_; // running too
  StateMarks marks_;
  std::int64_t first_ns_ = std::numeric_limits<std::int64_t>::max(),
               last_ns_ = std::numeric_limits<std::int64_t>::min();
};

} // namespace prof::json
