#include "tracefile/writer.hpp"

#include "base/clock.hpp"
#include "tracefile/event_writer.hpp"
#include "tracefile/sched_writer.hpp"
#include "tracefile/sequence.hpp"
#include "tracefile/slice_writer.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <protozero/pbf_writer.hpp>
#include <tuple>

namespace prof {
namespace {

constexpr std::int64_t kMaxPending = 1 << 17; // rows held before they are written without being asked
constexpr std::int64_t kSnapshotEvery_ns = 3'000'000'000; // follow the drift of the real-time clock
constexpr std::int64_t kMarkerEvery_ns = 10'000'000'000; // Perfetto's own interval of synchronisation markers
constexpr std::int64_t kClockStep_ns =
    1'000'000; // smaller changes of boottime - monotonic are measuring noise

using detail::WriterCore;

void add_text(protozero::pbf_writer& out, pb::Field field, std::string_view text) {
  if (!text.empty()) out.add_bytes(field, text.data(), text.size());
}

std::string_view device_kind_name(DeviceKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"cpu", "gpu", "npu", "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

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
struct StreamEntry {
  Stream row;
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

class Writer final : public TraceFileWriter {
public:
  Writer(detail::PacketFile file, WriterOptions options)
      : core_(std::move(file)), slices_(core_), counters_(core_), samples_(core_), kernels_(core_),
        sched_(core_), options_(options) {}
  ~Writer() override { static_cast<void>(finish()); }
  void begin();

  StrId intern(std::string_view text) override { return core_.strings.intern(text); }
  Id<Process> process(const Process& row) override;
  Id<Thread> thread(const Thread& row) override;
  Id<Device> device(const Device& row) override;
  Id<Stream> stream(const Stream& row) override;
  Id<Track> track(const Track& row) override;
  Id<CounterTrack> counter_track(const CounterTrack& row) override;
  void slice(const Slice& row) override;
  void kernel(const Kernel& row) override;
  void counter(Id<CounterTrack> track, Ts ts, double value) override;
  Id<Mapping> mapping(const Mapping& row) override { return samples_.mapping(row); }
  Id<Frame> frame(const Frame& row) override { return samples_.frame(row); }
  Id<Callstack> callstack(const Callstack& row) override { return samples_.callstack(row); }
  void sample(const Sample& row) override;
  void symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int inline_depth, StrId function, StrId source_file,
              std::uint32_t line) override {
    samples_.symbol(mapping, rel_pc, inline_depth, function, source_file, line);
  }
  void sched_switch(const SchedSwitch& row) override;
  void sched_wakeup(const SchedWakeup& row) override;
  void signal(const Signal& row) override;
  void note(const Note& row) override;
  void gap(const Gap& row) override;
  void metadata(std::string_view key, std::string_view value) override;

  Status flush() override;
  Status finish() override;
  WriterStats stats() const override { return {.events = events_, .bytes = core_.file.bytes()}; }

private:
  void count_event();
  void write_descriptors();
  void write_device(DeviceEntry& entry);
  void write_track(TrackEntry& entry);
  void write_counter_track(CounterEntry& entry);
  [[nodiscard]] std::uint64_t parent_uuid(const Track& row) const;
  [[nodiscard]] std::uint64_t cpu_uuid(std::int64_t cpu);
  void write_gpu_info();
  void write_clocks(bool is_first);
  void write_row(std::string_view kind,
                 std::initializer_list<std::pair<std::string_view, std::string>> fields);

  WriterCore core_;
  detail::SliceWriter slices_;
  detail::CounterWriter counters_;
  detail::SampleWriter samples_;
  detail::KernelWriter kernels_;
  detail::SchedWriter sched_;
  WriterOptions options_;

  std::vector<ProcessEntry> processes_;
  std::vector<ThreadEntry> threads_;
  std::vector<DeviceEntry> devices_;
  std::vector<StreamEntry> streams_;
  std::vector<TrackEntry> tracks_;
  std::vector<CounterEntry> counter_tracks_;
  std::map<std::int64_t, std::uint32_t> process_index_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> thread_index_;
  std::map<std::tuple<DeviceKind, std::int64_t>, std::uint32_t> device_index_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> stream_index_;
  std::map<std::tuple<StrId, StrId, std::int64_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      counter_index_;
  std::map<std::int64_t, std::uint64_t> cpu_uuids_;
  bool is_dirty_ = false; // some descriptor waits to be written
  std::int64_t events_ = 0, rows_ = 0, dropped_noted_ = 0;
  std::int64_t last_snapshot_ns_ = 0, last_marker_ns_ = 0;
  bool is_finished_ = false;
};

// The head stands uncompressed, so that a tool can tell what the file is from its first bytes.
void Writer::begin() {
  write_clocks(true);
  std::string message;
  {
    protozero::pbf_writer attributes(message);
    protozero::pbf_writer attribute(attributes, pb::attributes::kAttribute);
    attribute.add_string(pb::attributes::kKey, pb::kFormatKey);
    attribute.add_int64(pb::attributes::kLong, pb::kFormatVersion);
  }
  detail::add_global(core_, pb::packet::kTraceAttributes, message);
  core_.file.flush(true);
}

// Relates the three clocks. Boottime keeps one fixed distance (until a suspend moves it): scheduler events
// are written on it, and a distance that jitters by the time between two clock reads would move them against
// everything else.
void Writer::write_clocks(bool is_first) {
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  last_snapshot_ns_ = now;
  const std::int64_t at = options_.is_live ? now : core_.last_ts;
  if (options_.is_live) {
    const std::int64_t offset = clock_ns(CLOCK_BOOTTIME) - now;
    if (is_first || std::abs(offset - core_.boottime_offset_ns) > kClockStep_ns)
      core_.boottime_offset_ns = offset;
  }
  std::string message;
  protozero::pbf_writer snapshot(message);
  const auto clock = [&](std::uint32_t id, std::int64_t value) {
    protozero::pbf_writer entry(snapshot, pb::clocks::kClocks);
    entry.add_uint32(pb::clocks::kClockId, id);
    entry.add_uint64(pb::clocks::kTimestamp, static_cast<std::uint64_t>(value));
  };
  clock(pb::clocks::kMonotonic, at);
  clock(pb::clocks::kBoottime, at + core_.boottime_offset_ns);
  if (options_.is_live) clock(pb::clocks::kRealtime, clock_ns(CLOCK_REALTIME));
  snapshot.add_uint32(pb::clocks::kPrimary, pb::clocks::kMonotonic);
  detail::add_global(core_, pb::packet::kClockSnapshot, message);
}

// --- rows of the machine
// ------------------------------------------------------------------------------------------

// Fills `to` from a later, non-empty text. Says whether anything changed.
bool fill(StrId& to, StrId from) {
  if (!to.is_empty() || from.is_empty()) return false;
  to = from;
  return true;
}

Id<Process> Writer::process(const Process& row) {
  const auto [at, is_new] =
      process_index_.try_emplace(row.pid, static_cast<std::uint32_t>(processes_.size()));
  if (is_new) processes_.push_back({.row = row, .uuid = core_.next_uuid++});
  ProcessEntry& entry = processes_[at->second];
  const bool is_filled = fill(entry.row.name, row.name) | fill(entry.row.cmdline, row.cmdline);
  entry.is_dirty = entry.is_dirty || is_filled;
  is_dirty_ = is_dirty_ || entry.is_dirty;
  return {at->second};
}

Id<Thread> Writer::thread(const Thread& row) {
  const auto [at, is_new] =
      thread_index_.try_emplace({row.process.row, row.tid}, static_cast<std::uint32_t>(threads_.size()));
  if (is_new) threads_.push_back({.row = row, .uuid = core_.next_uuid++});
  ThreadEntry& entry = threads_[at->second];
  if (fill(entry.row.name, row.name)) entry.is_dirty = true;
  is_dirty_ = is_dirty_ || entry.is_dirty;
  return {at->second};
}

Id<Device> Writer::device(const Device& row) {
  const auto [at, is_new] =
      device_index_.try_emplace({row.kind, row.index}, static_cast<std::uint32_t>(devices_.size()));
  if (is_new) devices_.push_back({.row = row, .uuid = core_.next_uuid++});
  DeviceEntry& entry = devices_[at->second];
  if (fill(entry.row.name, row.name)) entry.is_dirty = true;
  is_dirty_ = is_dirty_ || entry.is_dirty;
  return {at->second};
}

Id<Stream> Writer::stream(const Stream& row) {
  const auto [at, is_new] =
      stream_index_.try_emplace({row.device.row, row.number}, static_cast<std::uint32_t>(streams_.size()));
  if (is_new) streams_.push_back({.row = row});
  fill(streams_[at->second].row.name, row.name);
  return {at->second};
}

Id<Track> Writer::track(const Track& row) {
  const Id<Track> id{static_cast<std::uint32_t>(tracks_.size())};
  const bool is_thread = row.kind == TrackKind::thread && row.thread.row < threads_.size();
  if (is_thread) {
    ThreadEntry& owner = threads_[row.thread.row];
    if (owner.track) return owner.track;
    owner.track = id;
    tracks_.push_back({.row = row, .uuid = owner.uuid});
    slices_.add_track(owner.uuid, owner.uuid, row.name);
  } else {
    tracks_.push_back({.row = row, .uuid = core_.next_uuid++});
    slices_.add_track(tracks_.back().uuid, parent_uuid(row), row.name);
  }
  is_dirty_ = true;
  return id;
}

Id<CounterTrack> Writer::counter_track(const CounterTrack& row) {
  const auto [at, is_new] = counter_index_.try_emplace(
      {row.name, row.unit, row.cpu, row.thread.row, row.process.row, row.device.row},
      static_cast<std::uint32_t>(counter_tracks_.size()));
  if (is_new) counter_tracks_.push_back({.row = row, .uuid = core_.next_uuid++});
  is_dirty_ = is_dirty_ || is_new;
  return {at->second};
}

std::uint64_t Writer::parent_uuid(const Track& row) const {
  if (row.parent.row < tracks_.size()) return tracks_[row.parent.row].uuid;
  if (row.thread.row < threads_.size()) return threads_[row.thread.row].uuid;
  if (row.process.row < processes_.size()) return processes_[row.process.row].uuid;
  if (row.stream.row < streams_.size() && streams_[row.stream.row].row.device.row < devices_.size())
    return devices_[streams_[row.stream.row].row.device.row].uuid;
  return 0;
}

// --- descriptors
// --------------------------------------------------------------------------------------------------

void Writer::write_descriptors() {
  if (!is_dirty_) return;
  is_dirty_ = false;
  bool is_device_new = false;
  for (ProcessEntry& entry : processes_) {
    if (!std::exchange(entry.is_dirty, false)) continue;
    std::string message;
    protozero::pbf_writer track(message);
    track.add_uint64(pb::track::kUuid, entry.uuid);
    {
      protozero::pbf_writer body(track, pb::track::kProcess);
      body.add_int64(pb::track::kProcessPid, entry.row.pid);
      add_text(body, pb::track::kProcessCmdline, core_.strings.text(entry.row.cmdline));
      add_text(body, pb::track::kProcessName, core_.strings.text(entry.row.name));
    }
    detail::add_global(core_, pb::packet::kTrackDescriptor, message);
  }
  for (ThreadEntry& entry : threads_) {
    const bool has_track = entry.track && std::exchange(tracks_[entry.track.row].is_dirty, false);
    if (!std::exchange(entry.is_dirty, false) && !has_track) continue;
    std::string message;
    protozero::pbf_writer track(message);
    track.add_uint64(pb::track::kUuid, entry.uuid);
    if (entry.track) add_text(track, pb::track::kName, core_.strings.text(tracks_[entry.track.row].row.name));
    {
      protozero::pbf_writer body(track, pb::track::kThread);
      const bool has_process = entry.row.process.row < processes_.size();
      body.add_int64(pb::track::kThreadPid, has_process ? processes_[entry.row.process.row].row.pid : 0);
      body.add_int64(pb::track::kThreadTid, entry.row.tid);
      add_text(body, pb::track::kThreadName, core_.strings.text(entry.row.name));
    }
    // Who has a track of its own and who only has samples or counters: a reader makes the same rows again.
    if (entry.track) track.add_string(pb::track::kDescription, "thread track");
    detail::add_global(core_, pb::packet::kTrackDescriptor, message);
  }
  for (DeviceEntry& entry : devices_) {
    if (!std::exchange(entry.is_dirty, false)) continue;
    write_device(entry);
    is_device_new = true;
  }
  if (is_device_new) write_gpu_info();
  for (TrackEntry& entry : tracks_)
    if (std::exchange(entry.is_dirty, false)) write_track(entry);
  for (CounterEntry& entry : counter_tracks_)
    if (std::exchange(entry.is_dirty, false)) write_counter_track(entry);
}

void Writer::write_device(DeviceEntry& entry) {
  std::string message;
  protozero::pbf_writer track(message);
  track.add_uint64(pb::track::kUuid, entry.uuid);
  add_text(track, pb::track::kName, core_.strings.text(entry.row.name));
  track.add_string(pb::track::kDescription,
                   fmt::format("device kind={} index={}", device_kind_name(entry.row.kind), entry.row.index));
  track.add_uint32(pb::track::kSiblingMerge, pb::track::kMergeNone);
  detail::add_global(core_, pb::packet::kTrackDescriptor, message);
}

// gpu_id of a kernel event is the position in this list, so it holds every device, whatever its kind.
void Writer::write_gpu_info() {
  std::string message;
  protozero::pbf_writer info(message);
  for (const DeviceEntry& entry : devices_) {
    protozero::pbf_writer gpu(info, pb::gpu::kGpus);
    add_text(gpu, pb::gpu::kGpuName, core_.strings.text(entry.row.name));
    const auto extra = [&](std::string_view key, std::string_view value) {
      protozero::pbf_writer pair(gpu, pb::gpu::kGpuExtra);
      add_text(pair, pb::gpu::kExtraKey, key);
      add_text(pair, pb::gpu::kExtraValue, value);
    };
    extra("cann.kind", device_kind_name(entry.row.kind));
    extra("cann.index", std::to_string(entry.row.index));
  }
  detail::add_global(core_, pb::packet::kGpuInfo, message);
}

void Writer::write_track(TrackEntry& entry) {
  const Track& row = entry.row;
  std::string message;
  protozero::pbf_writer track(message);
  track.add_uint64(pb::track::kUuid, entry.uuid);
  if (const std::uint64_t parent = parent_uuid(row); parent != 0)
    track.add_uint64(pb::track::kParent, parent);
  const std::string_view name = core_.strings.text(row.name);
  track.add_bytes(pb::track::kName, name.data(), name.size());
  switch (row.kind) {
  case TrackKind::thread:
  case TrackKind::async:
    break; // what a track without a description is read as
  case TrackKind::other:
    track.add_string(pb::track::kDescription, "other");
    break;
  case TrackKind::stream:
    if (row.stream.row < streams_.size())
      track.add_string(pb::track::kDescription,
                       fmt::format("stream number={} name={}", streams_[row.stream.row].row.number,
                                   core_.strings.text(streams_[row.stream.row].row.name)));
    break;
  }
  track.add_uint32(pb::track::kSiblingMerge, pb::track::kMergeNone);
  detail::add_global(core_, pb::packet::kTrackDescriptor, message);
}

std::uint64_t Writer::cpu_uuid(std::int64_t cpu) {
  const auto [at, is_new] = cpu_uuids_.try_emplace(cpu, 0);
  if (!is_new) return at->second;
  at->second = core_.next_uuid++;
  std::string message;
  protozero::pbf_writer track(message);
  track.add_uint64(pb::track::kUuid, at->second);
  track.add_string(pb::track::kName, fmt::format("CPU {}", cpu));
  track.add_string(pb::track::kDescription, fmt::format("cpu index={}", cpu));
  detail::add_global(core_, pb::packet::kTrackDescriptor, message);
  return at->second;
}

void Writer::write_counter_track(CounterEntry& entry) {
  const CounterTrack& row = entry.row;
  std::uint64_t parent = 0;
  if (row.thread.row < threads_.size())
    parent = threads_[row.thread.row].uuid;
  else if (row.process.row < processes_.size())
    parent = processes_[row.process.row].uuid;
  else if (row.device.row < devices_.size())
    parent = devices_[row.device.row].uuid;
  else if (row.cpu >= 0)
    parent = cpu_uuid(row.cpu);
  std::string message;
  protozero::pbf_writer track(message);
  track.add_uint64(pb::track::kUuid, entry.uuid);
  if (parent != 0) track.add_uint64(pb::track::kParent, parent);
  const std::string_view name = core_.strings.text(row.name);
  track.add_bytes(pb::track::kName, name.data(), name.size());
  // An owner and a CPU at once (a process's time on one CPU): the CPU goes into the description.
  if (row.cpu >= 0 && (row.thread || row.process || row.device))
    track.add_string(pb::track::kDescription, fmt::format("cpu index={}", row.cpu));
  {
    protozero::pbf_writer counter(track, pb::track::kCounter);
    add_text(counter, pb::track::kCounterUnitName, core_.strings.text(row.unit));
  }
  track.add_uint32(pb::track::kSiblingMerge, pb::track::kMergeNone);
  detail::add_global(core_, pb::packet::kTrackDescriptor, message);
}

// --- events
// -------------------------------------------------------------------------------------------------------

void Writer::count_event() {
  events_++;
  if (++rows_ >= kMaxPending) static_cast<void>(flush());
}

void Writer::slice(const Slice& row) {
  slices_.add(row.track.row, row);
  count_event();
}

void Writer::kernel(const Kernel& row) {
  if (row.stream.row >= streams_.size()) return;
  const Stream& stream = streams_[row.stream.row].row;
  const std::uint64_t event = kernels_.add(row, stream, stream.device.row);
  if (row.flow_in != 0) slices_.add_kernel_flow(row.flow_in, event);
  count_event();
}

void Writer::counter(Id<CounterTrack> track, Ts ts, double value) {
  if (track.row >= counter_tracks_.size()) return;
  counters_.add(counter_tracks_[track.row].uuid, ts, value);
  count_event();
}

void Writer::sample(const Sample& row) {
  std::int64_t pid = 0, tid = -1;
  if (row.thread.row < threads_.size()) {
    const Thread& thread = threads_[row.thread.row].row;
    tid = thread.tid;
    if (thread.process.row < processes_.size()) pid = processes_[thread.process.row].row.pid;
  }
  samples_.add(row, pid, tid);
  count_event();
}

void Writer::sched_switch(const SchedSwitch& row) {
  sched_.add(row);
  count_event();
}

void Writer::sched_wakeup(const SchedWakeup& row) {
  sched_.add(row);
  count_event();
}

// --- rows Perfetto has no message for
// -------------------------------------------------------------------------------

void Writer::write_row(std::string_view kind,
                       std::initializer_list<std::pair<std::string_view, std::string>> fields) {
  std::string message;
  protozero::pbf_writer attributes(message);
  for (const auto& [key, value] : fields) {
    protozero::pbf_writer attribute(attributes, pb::attributes::kAttribute);
    attribute.add_string(pb::attributes::kKey, fmt::format("cann.{}.{}", kind, key));
    attribute.add_string(pb::attributes::kString, value);
  }
  detail::add_global(core_, pb::packet::kTraceAttributes, message);
}

void Writer::signal(const Signal& row) {
  const auto text = [this](StrId id) { return std::string(core_.strings.text(id)); };
  write_row("signal", {{"name", text(row.name)},
                       {"available", row.is_available ? "1" : "0"},
                       {"source", text(row.source)},
                       {"reason", text(row.reason)},
                       {"mend", text(row.mend)},
                       {"detail", text(row.detail)}});
}

void Writer::note(const Note& row) {
  write_row("note", {{"severity", std::to_string(static_cast<int>(row.severity))},
                     {"code", std::string(core_.strings.text(row.code))},
                     {"count", std::to_string(row.count)},
                     {"where", std::string(core_.strings.text(row.where))}});
}

void Writer::gap(const Gap& row) {
  write_row("gap", {{"ts", std::to_string(row.ts.ns)},
                    {"dur", std::to_string(row.dur.ns)},
                    {"reason", std::string(core_.strings.text(row.reason))}});
}

void Writer::metadata(std::string_view key, std::string_view value) {
  // The prefix is ours: a key of the caller's that begins like it is moved aside.
  const bool is_ours = key.starts_with(pb::kOurPrefix);
  detail::add_attribute(core_, is_ours ? fmt::format("cann.metadata.{}", key) : std::string(key), value);
}

// --- flushing
// -----------------------------------------------------------------------------------------------------

Status Writer::flush() {
  rows_ = 0;
  write_descriptors();
  kernels_.flush();
  slices_.flush();
  counters_.flush();
  sched_.flush();
  samples_.flush();
  if (slices_.dropped() > dropped_noted_) {
    note({.severity = Severity::data_loss,
          .code = intern("note.tracefile.lanes"),
          .count = slices_.dropped() - dropped_noted_,
          .where = {}});
    dropped_noted_ = slices_.dropped();
  }
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (options_.is_live && now - last_snapshot_ns_ > kSnapshotEvery_ns) write_clocks(false);
  core_.file.flush();
  if (now - last_marker_ns_ > kMarkerEvery_ns) {
    last_marker_ns_ = now;
    detail::add_global(core_, pb::packet::kSyncMarker, {pb::kSyncMarkerBytes, 16});
    core_.file.flush(true); // a tool searches the raw bytes for it
  }
  return core_.file.status();
}

Status Writer::finish() {
  if (is_finished_) return core_.file.status();
  is_finished_ = true;
  static_cast<void>(flush());
  core_.file.close();
  return core_.file.status();
}

} // namespace

Result<std::unique_ptr<TraceFileWriter>> TraceFileWriter::create(const std::filesystem::path& path,
                                                                 WriterOptions options) {
  PROF_TRY(auto file, detail::PacketFile::create(path, options));
  auto writer = std::make_unique<Writer>(std::move(file), options);
  writer->begin();
  return std::unique_ptr<TraceFileWriter>(std::move(writer));
}

} // namespace prof
