#include "tracefile/descriptor_writer.hpp"

#include <array>
#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>
#include <utility>

namespace prof::detail {
namespace {

void add_text(protozero::pbf_writer& out, pb::Field field, std::string_view text) {
  if (!text.empty()) out.add_bytes(field, text.data(), text.size());
}

std::string_view device_kind_name(DeviceKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"cpu", "gpu", "npu", "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

// Fills `to` from a later, non-empty text. Says whether anything changed.
bool fill(StrId& to, StrId from) {
  if (!to.is_empty() || from.is_empty()) return false;
  to = from;
  return true;
}

bool replace(StrId& to, StrId by) {
  return std::exchange(to, by) != by;
}

} // namespace

Id<Process> DescriptorWriter::process(const Process& row) {
  const auto [at, is_new] =
      process_index_.try_emplace(row.pid, static_cast<std::uint32_t>(processes_.size()));
  if (is_new) processes_.push_back({.row = row, .uuid = core_.next_uuid++});
  ProcessEntry& entry = processes_[at->second];
  const bool is_changed = row.is_renamed
                              ? replace(entry.row.name, row.name) | replace(entry.row.cmdline, row.cmdline)
                              : fill(entry.row.name, row.name) | fill(entry.row.cmdline, row.cmdline);
  entry.is_dirty = entry.is_dirty || is_changed;
  is_dirty_ = is_dirty_ || entry.is_dirty;
  return {at->second};
}

Id<Thread> DescriptorWriter::thread(const Thread& row) {
  const auto [at, is_new] =
      thread_index_.try_emplace({row.process.row, row.tid}, static_cast<std::uint32_t>(threads_.size()));
  if (is_new) threads_.push_back({.row = row, .uuid = core_.next_uuid++});
  ThreadEntry& entry = threads_[at->second];
  const bool is_renamed = row.is_renamed && !row.name.is_empty();
  if (is_renamed ? replace(entry.row.name, row.name) : fill(entry.row.name, row.name)) entry.is_dirty = true;
  is_dirty_ = is_dirty_ || entry.is_dirty;
  return {at->second};
}

Id<Device> DescriptorWriter::device(const Device& row) {
  const auto [at, is_new] =
      device_index_.try_emplace({row.kind, row.index}, static_cast<std::uint32_t>(devices_.size()));
  if (is_new) devices_.push_back({.row = row, .uuid = core_.next_uuid++});
  DeviceEntry& entry = devices_[at->second];
  if (fill(entry.row.name, row.name)) entry.is_dirty = true;
  is_dirty_ = is_dirty_ || entry.is_dirty;
  return {at->second};
}

Id<Stream> DescriptorWriter::stream(const Stream& row) {
  const auto [at, is_new] =
      stream_index_.try_emplace({row.device.row, row.number}, static_cast<std::uint32_t>(streams_.size()));
  if (is_new) streams_.push_back(row);
  fill(streams_[at->second].name, row.name);
  return {at->second};
}

Id<Track> DescriptorWriter::track(const Track& row) {
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

Id<CounterTrack> DescriptorWriter::counter_track(const CounterTrack& row) {
  const auto [at, is_new] = counter_index_.try_emplace(
      {row.name, row.unit, row.cpu, row.thread.row, row.process.row, row.device.row},
      static_cast<std::uint32_t>(counter_tracks_.size()));
  if (is_new) counter_tracks_.push_back({.row = row, .uuid = core_.next_uuid++});
  is_dirty_ = is_dirty_ || is_new;
  return {at->second};
}

std::uint64_t DescriptorWriter::parent_uuid(const Track& row) const {
  if (row.parent.row < tracks_.size()) return tracks_[row.parent.row].uuid;
  if (row.thread.row < threads_.size()) return threads_[row.thread.row].uuid;
  if (row.process.row < processes_.size()) return processes_[row.process.row].uuid;
  if (const Stream* stream = find(row.stream); stream != nullptr && stream->device.row < devices_.size())
    return devices_[stream->device.row].uuid;
  return 0;
}

const Stream* DescriptorWriter::find(Id<Stream> id) const {
  return id.row < streams_.size() ? &streams_[id.row] : nullptr;
}

DescriptorWriter::ThreadNumbers DescriptorWriter::numbers(Id<Thread> id) const {
  if (id.row >= threads_.size()) return {};
  const Thread& thread = threads_[id.row].row;
  const bool has_process = thread.process.row < processes_.size();
  return {.pid = has_process ? processes_[thread.process.row].row.pid : 0, .tid = thread.tid};
}

std::uint64_t DescriptorWriter::uuid(Id<CounterTrack> id) const {
  return id.row < counter_tracks_.size() ? counter_tracks_[id.row].uuid : 0;
}

// --- descriptors
// --------------------------------------------------------------------------------------------------

void DescriptorWriter::flush() {
  if (!std::exchange(is_dirty_, false)) return;
  for (ProcessEntry& entry : processes_)
    if (std::exchange(entry.is_dirty, false)) write_process(entry);
  for (ThreadEntry& entry : threads_) {
    const bool is_track_dirty = entry.track && std::exchange(tracks_[entry.track.row].is_dirty, false);
    if (std::exchange(entry.is_dirty, false) || is_track_dirty) write_thread(entry);
  }
  bool is_device_new = false;
  for (DeviceEntry& entry : devices_)
    if (std::exchange(entry.is_dirty, false)) {
      write_device(entry);
      is_device_new = true;
    }
  if (is_device_new) write_gpu_info();
  for (TrackEntry& entry : tracks_)
    if (std::exchange(entry.is_dirty, false)) write_track(entry);
  for (CounterEntry& entry : counter_tracks_)
    if (std::exchange(entry.is_dirty, false)) write_counter_track(entry);
}

void DescriptorWriter::repeat() {
  const auto mark = [](auto& entries) {
    for (auto& entry : entries)
      entry.is_dirty = true;
  };
  mark(processes_);
  mark(threads_);
  mark(devices_);
  mark(tracks_);
  mark(counter_tracks_);
  cpus_described_.clear();
  is_dirty_ = true;
}

void DescriptorWriter::write_process(const ProcessEntry& entry) {
  std::string message;
  protozero::pbf_writer track(message);
  track.add_uint64(pb::track::kUuid, entry.uuid);
  {
    protozero::pbf_writer body(track, pb::track::kProcess);
    body.add_int64(pb::track::kProcessPid, entry.row.pid);
    add_text(body, pb::track::kProcessCmdline, core_.strings.text(entry.row.cmdline));
    add_text(body, pb::track::kProcessName, core_.strings.text(entry.row.name));
  }
  add_state(core_, pb::packet::kTrackDescriptor, message);
}

void DescriptorWriter::write_thread(const ThreadEntry& entry) {
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
  add_state(core_, pb::packet::kTrackDescriptor, message);
}

void DescriptorWriter::write_device(const DeviceEntry& entry) {
  std::string message;
  protozero::pbf_writer track(message);
  track.add_uint64(pb::track::kUuid, entry.uuid);
  add_text(track, pb::track::kName, core_.strings.text(entry.row.name));
  track.add_string(pb::track::kDescription,
                   fmt::format("device kind={} index={}", device_kind_name(entry.row.kind), entry.row.index));
  track.add_uint32(pb::track::kSiblingMerge, pb::track::kMergeNone);
  add_state(core_, pb::packet::kTrackDescriptor, message);
}

// gpu_id of a kernel event is the position in this list, so it holds every device, whatever its kind.
void DescriptorWriter::write_gpu_info() {
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
  add_state(core_, pb::packet::kGpuInfo, message);
}

void DescriptorWriter::write_track(const TrackEntry& entry) {
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
    if (const Stream* stream = find(row.stream))
      track.add_string(pb::track::kDescription, fmt::format("stream number={} name={}", stream->number,
                                                            core_.strings.text(stream->name)));
    break;
  }
  track.add_uint32(pb::track::kSiblingMerge, pb::track::kMergeNone);
  add_state(core_, pb::packet::kTrackDescriptor, message);
}

std::uint64_t DescriptorWriter::cpu_uuid(std::int64_t cpu) {
  const auto [at, is_new] = cpu_uuids_.try_emplace(cpu, core_.next_uuid);
  if (is_new) core_.next_uuid++;
  if (!cpus_described_.insert(cpu).second) return at->second;
  std::string message;
  protozero::pbf_writer track(message);
  track.add_uint64(pb::track::kUuid, at->second);
  track.add_string(pb::track::kName, fmt::format("CPU {}", cpu));
  track.add_string(pb::track::kDescription, fmt::format("cpu index={}", cpu));
  add_state(core_, pb::packet::kTrackDescriptor, message);
  return at->second;
}

void DescriptorWriter::write_counter_track(const CounterEntry& entry) {
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
    // Even an empty one: a message without content is not written, and to Perfetto the track is no counter
    // then.
    const std::string_view unit = core_.strings.text(row.unit);
    counter.add_bytes(pb::track::kCounterUnitName, unit.data(), unit.size());
  }
  track.add_uint32(pb::track::kSiblingMerge, pb::track::kMergeNone);
  add_state(core_, pb::packet::kTrackDescriptor, message);
}

} // namespace prof::detail
