#include "edge_traces.hpp"

#include "trace/conventions.hpp"

#include <string>

namespace prof::testing {
namespace {

constexpr std::int64_t kOrigin = 5'000'000'000'000;
constexpr std::int64_t kDay = 86'400'000'000'000;

class Edge {
public:
  explicit Edge(TraceSink& sink) : sink_(sink), process_(sink.process({.pid = 1, .name = s("edge")})) {}
  StrId s(std::string_view text) { return sink_.intern(text); }
  Id<Track> thread(std::int64_t tid) {
    const Id<Thread> thread =
        sink_.thread({.process = process_, .tid = tid, .name = s("worker " + std::to_string(tid))});
    return sink_.track({.kind = TrackKind::thread, .thread = thread});
  }
  void slice(Id<Track> track, std::int64_t ts, std::int64_t dur, std::string_view name) {
    sink_.slice({.track = track,
                 .ts = {kOrigin + ts},
                 .dur = {dur},
                 .name = s(name),
                 .category = s("span"),
                 .layer = Layer::application});
  }

private:
  TraceSink& sink_;
  Id<Process> process_;
};

void make_odd(Edge& edge) {
  const Id<Track> track = edge.thread(10);
  edge.slice(track, 0, 1000, "outer");
  for (int i = 0; i < 300; ++i) // more than two blocks of the page at one instant
    edge.slice(track, 500, 0, "instant " + std::to_string(i % 7));
  edge.slice(track, 600, -5, "backward");
  edge.slice(track, 700, 100, "after");
  edge.slice(track, 1000, 0, "at the end");
}

} // namespace

bool make_edge(TraceSink& sink, std::string_view kind, std::int64_t count) {
  if (kind == "empty") {
    sink.metadata("service", "nobody");
    return true;
  }
  // Before the first row: a trace of another kind has no process of ours.
  if (kind != "one" && kind != "odd" && kind != "tracks" && kind != "day") return false;
  Edge edge(sink);
  if (kind == "one")
    edge.slice(edge.thread(10), 0, 7, "alone");
  else if (kind == "odd")
    make_odd(edge);
  else if (kind == "tracks")
    for (std::int64_t i = 0; i < count; ++i)
      edge.slice(edge.thread(10 + i), i, 1000 + i % 13, "span " + std::to_string(i % 100));
  else {
    const Id<Track> track = edge.thread(10);
    edge.slice(track, 0, kDay, "day");
    for (std::int64_t i = 0; i < count; ++i)
      edge.slice(track, (kDay / count) * i + 1, 1, "tick");
  }
  return true;
}

} // namespace prof::testing
