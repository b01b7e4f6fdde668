// trace_host.hpp: the host side of a trace_view.json (operators, Python functions, CANN calls, steps) and its
// counters, linked to the device side that the index found.
#pragma once
#include "import/ascend/trace_index.hpp"
#include "import/json/event_lanes.hpp"

#include <map>

namespace prof::ascend {

class TraceHost {
public:
  TraceHost(TraceSink& sink, TraceIndex& index, Id<Device> device, Steps& steps, Notes& notes, bool has_parts)
      : sink_(sink), index_(index), device_(device), steps_(steps), notes_(notes), lanes_(sink), texts_(sink),
        has_parts_(has_parts) {}

  // A part of the trace; a slice of a part before it counts once. Errors: as json::stream_events().
  [[nodiscard]] Status read(const std::filesystem::path& path);
  [[nodiscard]] std::int64_t ops() const { return ops_; }

private:
  void take(const json::EventBatch& batch);
  void slice(const json::EventBatch& batch, const json::TraceEvent& event);
  void host(const json::EventBatch& batch, const json::TraceEvent& event);
  void cann(const json::EventBatch& batch, const json::TraceEvent& event);
  void step(const json::TraceEvent& event, std::int64_t number);
  void queue_flow(const json::EventBatch& batch, const json::TraceEvent& event);
  void counter(const json::EventBatch& batch, const json::TraceEvent& event);
  void name(const json::EventBatch& batch, const json::TraceEvent& event);
  void fill_args(const json::EventBatch& batch, const json::TraceEvent& event);
  void emit(json::Lane& lane, const json::TraceEvent& event, std::string_view category, Layer layer);

  TraceSink& sink_;
  TraceIndex& index_;
  Id<Device> device_{};
  Steps& steps_;
  Notes& notes_;
  json::EventLanes lanes_;
  json::TextCache texts_;
  std::vector<Arg> args_;
  std::vector<std::uint64_t> out_, in_;
  std::map<json::Lane*, Id<Track>> beside_; // of a thread: calls that a step began in
  std::int64_t ops_ = 0;
  bool has_parts_ = false; // there are several: remember the slices
  std::unordered_set<std::uint64_t> seen_;
};

} // namespace prof::ascend
