// track_reader.hpp: track descriptors and track events -> tracks, slices, counters.
#pragma once
#include "tracefile/proto_message.hpp"
#include "tracefile/reader_core.hpp"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace prof::detail {

class SampleReader;

// Pairs BEGIN with END per track. A file of ours holds each slice whole within one flush, so file order pairs
// them. In files of others several sequences may write one track in any order: their events pass a window
// that sorts by time.
class TrackReader {
public:
  TrackReader(ReaderCore& core, SampleReader& samples) : core_(core), samples_(samples) {}
  void read_descriptor(std::string_view message);
  void read_event(SequenceState& sequence, std::uint64_t sequence_id, std::int64_t ts,
                  std::string_view message);
  // The layer of the slices of a category ("cann.layer.*" attributes).
  void set_layer(StrId category, Layer layer) { layers_[category.row] = layer; }
  // A device of ours or of GpuInfo, by its position.
  void set_gpu(std::int64_t gpu_id, Id<Device> device) { gpus_[gpu_id] = device; }
  [[nodiscard]] Id<Device> gpu(std::int64_t gpu_id);
  // A loss in a file of ours: which slices of a track are open is not known until its next event, before
  // which the file says it ("cann.open.*" attributes): the begins of the slices, outermost first, each
  // counted from the one before. Where it says nothing, none is.
  void lose() { losses_++; }
  void reopen(std::string_view uuid, std::string_view begins);
  // Pairs what is left, closes what is open at the end of the trace, creates tracks that had no event.
  void finish();

private:
  struct TrackInfo {
    std::uint64_t parent = 0, lane_of = 0;
    StrId name, stream_name;
    std::optional<std::int64_t> pid, tid, cpu, stream_number;
    Id<Thread> thread;   // of thread descriptors
    Id<Process> process; // of process descriptors
    Id<Device> device;
    StrId unit;
    double multiplier = 1;
    bool is_counter = false, is_incremental = false, is_other = false, is_thread_track = false,
         is_plain_owner = false;
    Id<Track> track;
    Id<CounterTrack> counter;
  };
  struct Event {
    std::int64_t ts = 0;
    std::uint64_t track = 0;
    std::uint32_t type = 0;
    StrId name, category;
    Layer layer = Layer::application;
    bool has_layer = false;
    bool is_lost = false;  // of an open slice: its begin was lost, and its end gives no row
    std::int64_t dur = -1; // of legacy complete events
    std::vector<Arg> args;
    std::vector<std::uint64_t> flows_out, flows_in;
  };
  struct Open { // of one track, outermost first
    std::vector<Event> slices;
    std::int64_t last_ts = 0; // of its last event
    std::uint64_t losses = 0; // before it
  };
  struct Owner {
    Id<Thread> thread;
    Id<Process> process;
    Id<Device> device;
    std::int64_t cpu = -1;
    Id<Track> parent; // nearest plain track
  };
  struct Extra { // extra counter values of one event
    std::vector<std::uint64_t> tracks, values, double_tracks, double_values;
  };
  void read_description(TrackInfo& info, std::string_view text);
  void read_owner(TrackInfo& info, std::uint32_t tag, Message message);
  Owner owner_of(const TrackInfo& info);
  Id<Track> resolve_track(std::uint64_t uuid);
  Id<CounterTrack> resolve_counter(std::uint64_t uuid);
  std::uint64_t event_track(const SequenceState& sequence, std::uint64_t sequence_id,
                            std::optional<std::uint64_t> given);
  StrId named(const SequenceState& sequence, TextKind kind, std::uint64_t iid);
  void read_annotation(SequenceState& sequence, Message message, std::string_view path, StrId key, int depth,
                       Event& event);
  void read_legacy(const SequenceState& sequence, Message message, Event& event);
  void add_counter(SequenceState& sequence, std::uint64_t uuid, std::int64_t ts, double value);
  void add_extras(SequenceState& sequence, std::int64_t ts, const Extra& extra);
  void read_flow(Event& event, std::uint64_t id, bool is_end);
  void take(Event event);
  void drain(std::size_t keep);
  void pair(Event& event);
  void emit(const Event& begin, std::int64_t end);
  void settle(Open& track, const std::vector<std::int64_t>& begins);
  void emit_unfinished(const Event& begin, std::int64_t end);
  void close_open();

  ReaderCore& core_;
  SampleReader& samples_;
  std::unordered_map<std::uint64_t, TrackInfo> tracks_;
  std::vector<std::uint64_t> order_; // uuids as described: what is created at the end comes in this order
  std::unordered_map<std::uint64_t, Open> open_; // per track
  std::unordered_map<std::uint32_t, Layer> layers_;
  std::unordered_map<std::int64_t, Id<Device>> gpus_;
  std::unordered_set<std::uint64_t> flows_seen_;
  std::vector<Event> window_;
  std::uint64_t losses_ = 0;
};

} // namespace prof::detail
