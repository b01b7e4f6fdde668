// async_spans.hpp: spans that no thread runs ("b" and "e" of a Chrome trace, "S" and "F" in older ones):
// known by process, category and id, and free to overlap each other.
#pragma once
#include "import/json/event_args.hpp"
#include "trace/sink.hpp"

#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace prof::json {

class AsyncSpans {
public:
  explicit AsyncSpans(TraceSink& sink) : sink_(sink), texts_(sink) {}

  void begin(const TraceEvent& event, Id<Process> process, std::span<const Arg> args);
  // False when nothing with its id is open.
  [[nodiscard]] bool end(const TraceEvent& event, std::span<const Arg> args);
  void instant(const TraceEvent& event, Id<Process> process, std::span<const Arg> args);
  // What is still open did not end before the file did.
  void finish();

private:
  using Group = std::pair<std::string, std::string>; // process, category
  // Overlapping spans need lanes of their own; a lane is free again when the span in it has ended.
  struct Lane {
    Id<Track> track{};
    bool is_taken = false;
  };
  struct Open {
    std::int64_t ts = 0;
    StrId name{};
    std::vector<Arg> args;
  };
  struct Span {
    std::size_t lane = 0;
    std::vector<Open> open; // outermost first
  };
  using Key = std::tuple<std::string, std::string, std::string>; // process, category, id
  static Key key_of(const TraceEvent& event) {
    return {std::string(event.pid), std::string(event.category), std::string(event.id)};
  }
  std::size_t free_lane(const TraceEvent& event, Id<Process> process);
  void emit(const Key& key, Span& span, Dur dur);

  TraceSink& sink_;
  TextCache texts_;
  std::map<Group, std::vector<Lane>> lanes_;
  std::map<Key, Span> spans_;
};

} // namespace prof::json
