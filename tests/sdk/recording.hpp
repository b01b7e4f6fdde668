// recording.hpp: a trace in memory, and a recorder of annotated processes into it.
#pragma once
#include "base/clock.hpp"
#include "capture/collector.hpp"
#include "capture/sdk_decoder.hpp"
#include "capture/sdk_ring.hpp"
#include "trace/sink.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace prof::test {

// All files of this program's tests; set before the SDK is first used (recording.cpp).
const std::filesystem::path& registry();

struct SliceRow {
  std::string name, category;
  std::int64_t ts = 0, dur = 0;
  std::uint32_t track = 0;
  std::multimap<std::string, std::string> args;
  std::vector<std::uint64_t> flows_out, flows_in;
  [[nodiscard]] std::int64_t end() const { return ts + dur; }
  [[nodiscard]] std::string arg(const std::string& key) const {
    const auto it = args.find(key);
    return it == args.end() ? "" : it->second;
  }
};
struct CounterRow {
  std::string name, unit;
  double value = 0;
};
struct NoteRow {
  std::string code;
  std::int64_t count = 0;
};

class MemorySink final : public TraceSink {
public:
  StrId intern(std::string_view text) override { return pool.intern(text); }
  Id<Process> process(const Process& row) override { return keyed<Process>(row.pid); }
  Id<Thread> thread(const Thread& row) override { return keyed<Thread>(row.tid); }
  Id<Device> device(const Device&) override { return {0}; }
  Id<Stream> stream(const Stream&) override { return {0}; }
  Id<Track> track(const Track& row) override;
  Id<CounterTrack> counter_track(const CounterTrack& row) override;
  void slice(const Slice& row) override;
  void kernel(const Kernel&) override {}
  void counter(Id<CounterTrack> track, Ts ts, double value) override;
  Id<Mapping> mapping(const Mapping&) override { return {0}; }
  Id<Frame> frame(const Frame&) override { return {0}; }
  Id<Callstack> callstack(const Callstack&) override { return {0}; }
  void sample(const Sample&) override {}
  void symbol(Id<Mapping>, std::uint64_t, int, StrId, StrId, std::uint32_t) override {}
  void sched_switch(const SchedSwitch&) override {}
  void sched_wakeup(const SchedWakeup&) override {}
  void signal(const Signal& row) override { signals[std::string(pool.text(row.name))] = row.is_available; }
  void note(const Note& row) override { notes.push_back({std::string(pool.text(row.code)), row.count}); }
  void gap(const Gap&) override {}
  void metadata(std::string_view key, std::string_view value) override { facts[std::string(key)] = value; }

  [[nodiscard]] std::vector<SliceRow> of(std::string_view category) const;
  [[nodiscard]] const SliceRow&
  one(std::string_view name) const; // fails the test unless there is exactly one
  [[nodiscard]] std::size_t count(std::string_view name) const;

  StringPool pool;
  std::vector<SliceRow> slices;
  std::vector<CounterRow> counters;
  std::vector<NoteRow> notes;
  std::vector<std::string> tracks;
  std::vector<std::int64_t> track_tids; // row of the thread, -1 for async tracks
  std::map<std::string, bool> signals;
  std::map<std::string, std::string> facts;

private:
  template <class Row>
  Id<Row> keyed(std::int64_t key) {
    return {static_cast<std::uint32_t>(key)};
  }
  std::map<std::uint32_t, std::uint32_t> thread_tracks_;
  std::vector<std::pair<std::string, std::string>> counter_tracks_;
};

// Attached to one process from construction to stop().
class Recorder {
public:
  explicit Recorder(std::int64_t pid, double sampling_rate = 1.0);
  void drain();
  MemorySink& stop(); // detaches, drains, closes what is open

  std::unique_ptr<SdkRing> ring;
  MemorySink sink;
  std::unique_ptr<SdkDecoder> decoder;

private:
  std::unique_ptr<TickClock> clock_;
};
// The collector of what services say through their rings.
const CollectorInfo* annotations();
// The ring file of a process; empty when there is none.
std::string ring_file(std::int64_t pid);

} // namespace prof::test
