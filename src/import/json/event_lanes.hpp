// event_lanes.hpp: which track an event of a Chrome trace belongs to, from its pid and tid as written.
#pragma once
#include "trace/sink.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace prof::json {

// A (pid, tid) pair of the file. Rows of the sink are made when something is first put on it, so that a name
// alone (or a GPU that poses as a process) leaves no empty row.
struct Lane {
  std::string pid_text, tid_text;
  std::int64_t pid = 0, tid = 0;
  Id<Process> process{};
  Id<Thread> thread{};
  Id<Track> track{};
  // Open "B" events, outermost first.
  struct Open {
    Ts ts{};
    StrId name{}, category{};
    std::vector<Arg> args;
  };
  std::vector<Open> open;
};

class EventLanes {
public:
  explicit EventLanes(TraceSink& sink) : sink_(sink) {}

  [[nodiscard]] Lane& lane(std::string_view pid, std::string_view tid);
  [[nodiscard]] Id<Process> process_of(Lane& lane);
  [[nodiscard]] Id<Track> track_of(Lane& lane);
  void name_process(std::string_view pid, std::string_view name);
  void name_thread(Lane& lane, std::string_view name);
  // The lane is no thread: its track is `track`.
  static void put_on(Lane& lane, Id<Track> track) { lane.track = track; }
  void describe_process(std::string_view pid, std::string_view cmdline);
  [[nodiscard]] std::deque<Lane>& all() { return lanes_; }

private:
  struct Owner {
    std::int64_t pid = 0;
    Id<Process> id{};
    std::string name, cmdline;
  };
  Owner& owner(std::string_view pid);

  TraceSink& sink_;
  std::deque<Lane> lanes_;
  std::unordered_map<std::string, Lane*> by_key_;
  std::unordered_map<std::string, Owner> owners_;
  std::unordered_map<Lane*, std::string> thread_names_;
  Lane* last_ = nullptr;
  std::int64_t next_made_up_ = 0;
};

// "7", "stream 7 " -> 7; false when there is no number in it.
[[nodiscard]] bool number_in(std::string_view text, std::int64_t& number);

} // namespace prof::json
