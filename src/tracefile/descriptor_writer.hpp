// descriptor_writer.hpp: the rows of the machine (processes, threads, devices, streams, tracks, counter
// tracks) and their descriptors.
#pragma once
#include "trace/model.hpp"
#include "tracefile/sequence.hpp"
#include "tracefile/slice_writer.hpp"

#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace prof::detail {

// Keeps every row, so that what is asked for twice gets the same id, and describes each one once after every
// restart, before the events that need it. A new track is handed to the slice writer.
class DescriptorWriter {
public:
  DescriptorWriter(WriterCore& core, SliceWriter& slices) : core_(core), slices_(slices) {}
  Id<Process> process(const Process& row);
  Id<Thread> thread(const Thread& row);
  Id<Device> device(const Device& row);
  Id<Stream> stream(const Stream& row);
  Id<Track> track(const Track& row);
  Id<CounterTrack> counter_track(const CounterTrack& row);

  // nullptr: no such row.
  [[nodiscard]] const Stream* find(Id<Stream> id) const;
  struct ThreadNumbers {
    std::int64_t pid = 0, tid = -1; // tid -1: no such thread
  };
  [[nodiscard]] ThreadNumbers numbers(Id<Thread> id) const;
  // 0: no such track.
  [[nodiscard]] std::uint64_t uuid(Id<CounterTrack> id) const;

  // Describes what is new or has become known since the last call.
  void flush();
  // Everything is described again at the next flush().
  void repeat();

private:
  struct ProcessEntry {
    Process row;
    std::uint64_t uuid = 0;
    bool is_dirty = true;
  };
  struct ThreadEntry {
    Thread row;
    std::uint64_t uuid = 0;
    Id<Track> track = {};
    bool is_dirty = true;
  };
  struct DeviceEntry {
    Device row;
    std::uint64_t uuid = 0;
    bool is_dirty = true;
  };
  struct TrackEntry {
    Track row;
    std::uint64_t uuid = 0;
    bool is_dirty = true;
  };
  struct CounterEntry {
    CounterTrack row;
    std::uint64_t uuid = 0;
    bool is_dirty = true;
  };

  void write_process(const ProcessEntry& entry);
  void write_thread(const ThreadEntry& entry);
  void write_device(const DeviceEntry& entry);
  void write_gpu_info();
  void write_track(const TrackEntry& entry);
  void write_counter_track(const CounterEntry& entry);
  [[nodiscard]] std::uint64_t parent_uuid(const Track& row) const;
  [[nodiscard]] std::uint64_t cpu_uuid(std::int64_t cpu);

  WriterCore& core_;
  SliceWriter& slices_;
  std::vector<ProcessEntry> processes_;
  std::vector<ThreadEntry> threads_;
  std::vector<DeviceEntry> devices_;
  std::vector<Stream> streams_;
  std::vector<TrackEntry> tracks_;
  std::vector<CounterEntry> counter_tracks_;
  std::map<std::int64_t, std::uint32_t> process_index_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> thread_index_;
  std::map<std::tuple<DeviceKind, std::int64_t>, std::uint32_t> device_index_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> stream_index_;
  std::map<std::tuple<StrId, StrId, std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      counter_index_;
  std::map<std::int64_t, std::uint64_t> cpu_uuids_;
  std::set<std::int64_t> cpus_described_;
  bool is_dirty_ = false; // some descriptor waits to be written
};

} // namespace prof::detail
