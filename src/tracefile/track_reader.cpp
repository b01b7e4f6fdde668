#include "tracefile/track_reader.hpp"

#include "tracefile/limits.hpp"

#include "tracefile/profile_reader.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace prof::detail {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 20; // events of foreign files that are sorted together
constexpr int kMaxParents = 64;                       // of track descriptors

// The number behind "key=" in a description of ours.
std::optional<std::int64_t> field_of(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t value = 0;
  const char* begin = text.data() + at + key.size();
  if (std::from_chars(begin, text.data() + text.size(), value).ec != std::errc{}) return std::nullopt;
  return value;
}

DeviceKind device_kind_from(std::string_view text) {
  if (text.find("kind=cpu") != std::string_view::npos) return DeviceKind::cpu;
  if (text.find("kind=gpu") != std::string_view::npos) return DeviceKind::gpu;
  if (text.find("kind=npu") != std::string_view::npos) return DeviceKind::npu;
  return DeviceKind::other;
}

} // namespace

// --- descriptors
// --------------------------------------------------------------------------------------------------

void TrackReader::read_owner(TrackInfo& info, std::uint32_t tag, Message message) {
  std::string cmdline;
  std::string_view name;
  std::int64_t pid = 0, tid = 0;
  const bool is_thread = tag == pb::track::kThread;
  while (message.next()) {
    if (message.tag() == pb::track::kProcessPid) {
      pid = message.integer();
    } else if (is_thread && message.tag() == pb::track::kThreadTid) {
      tid = message.integer();
    } else if (is_thread ? message.tag() == pb::track::kThreadName
                         : message.tag() == pb::track::kProcessName) {
      name = message.bytes();
    } else if (!is_thread && message.tag() == pb::track::kProcessCmdline) {
      if (!cmdline.empty()) cmdline += ' ';
      cmdline += message.bytes();
    } else {
      message.skip();
    }
  }
  info.pid = pid;
  // A file of ours says a name again only when it has become another one, or as it was. In others the first
  // one counts, as it does for Perfetto.
  if (is_thread) {
    info.tid = tid;
    info.thread = core_.thread(pid, tid, core_.intern(name), core_.is_ours);
  } else {
    info.process = core_.process(pid, core_.intern(name), core_.intern(cmdline), core_.is_ours);
  }
}

// What the descriptions of our own descriptors say (docs/tracefile.md); any other text is for people.
void TrackReader::read_description(TrackInfo& info, std::string_view text) {
  if (text == "other") info.is_other = true;
  if (text == "thread track") info.is_thread_track = true;
  if (text.starts_with("cpu index=")) {
    info.cpu = field_of(text, "index=");
    info.is_plain_owner = true;
  }
  if (text.starts_with("lane of "))
    info.lane_of = static_cast<std::uint64_t>(field_of(text, "lane of ").value_or(0));
  if (text.starts_with("stream number=")) {
    info.stream_number = field_of(text, "number=");
    if (const std::size_t at = text.find(" name="); at != std::string_view::npos)
      info.stream_name = core_.intern(text.substr(at + 6));
  }
  if (text.starts_with("device kind=")) {
    info.device = core_.sink().device(
        {.name = info.name, .kind = device_kind_from(text), .index = field_of(text, "index=").value_or(0)});
    info.is_plain_owner = true;
  }
}

void TrackReader::read_descriptor(std::string_view message) {
  Message track(message);
  std::uint64_t uuid = 0;
  TrackInfo info;
  std::string_view description;
  std::vector<std::pair<std::uint32_t, std::string_view>> owners;
  while (track.next())
    switch (track.tag()) {
    case pb::track::kUuid:
      uuid = track.number();
      break;
    case pb::track::kParent:
      info.parent = track.number();
      break;
    case pb::track::kName:
    case pb::track::kStaticName:
    case pb::track::kAtraceName:
      info.name = core_.intern(track.bytes());
      break;
    case pb::track::kDescription:
      description = track.bytes();
      break;
    case pb::track::kProcess:
    case pb::track::kThread: {
      const std::uint32_t tag = track.tag();
      owners.emplace_back(tag, track.bytes());
      break;
    }
    case pb::track::kCounter: {
      info.is_counter = true;
      Message counter = track.message();
      while (counter.next())
        switch (counter.tag()) {
        case pb::track::kCounterType:
          if (counter.number() == 1) info.unit = core_.intern("ns");
          break;
        case pb::track::kCounterUnit: {
          constexpr std::array<std::string_view, 4> kUnits{"", "ns", "count", "bytes"};
          const std::uint64_t unit = counter.number();
          if (unit < kUnits.size() && info.unit.is_empty()) info.unit = core_.intern(kUnits[unit]);
          break;
        }
        case pb::track::kCounterUnitName:
          info.unit = core_.intern(counter.bytes());
          break;
        case pb::track::kCounterMultiplier:
          info.multiplier = static_cast<double>(counter.integer());
          break;
        case pb::track::kCounterIncremental:
          info.is_incremental = counter.number() != 0;
          break;
        default:
          counter.skip();
        }
      break;
    }
    default:
      track.skip();
    }
  for (const auto& [tag, bytes] : owners)
    read_owner(info, tag, Message(bytes));
  if (core_.is_ours) read_description(info, description);
  if (info.lane_of == uuid) info.lane_of = 0;
  const auto [at, is_new] = tracks_.try_emplace(uuid);
  if (is_new) order_.push_back(uuid);
  // Descriptors are repeated (a name that became known, a buffer that wrapped): what was created stays.
  info.track = at->second.track;
  info.counter = at->second.counter;
  at->second = std::move(info);
}

TrackReader::Owner TrackReader::owner_of(const TrackInfo& info) {
  Owner owner;
  if (info.cpu) owner.cpu = *info.cpu;
  std::uint64_t uuid = info.parent;
  for (int depth = 0; uuid != 0 && depth < kMaxParents; ++depth) {
    const auto at = tracks_.find(uuid);
    if (at == tracks_.end()) break;
    const TrackInfo& parent = at->second;
    if (parent.cpu && owner.cpu < 0) owner.cpu = *parent.cpu;
    if (parent.device) owner.device = parent.device;
    if (parent.thread) owner.thread = parent.thread;
    if (parent.pid) owner.process = core_.process(*parent.pid);
    const bool is_track = !parent.pid && !parent.is_plain_owner && !parent.is_counter;
    if (is_track && !owner.parent && depth == 0) owner.parent = resolve_track(uuid);
    if (parent.pid || parent.is_plain_owner) break;
    uuid = parent.parent;
  }
  return owner;
}

// Recursion is bounded: a track is marked as being resolved before its parents are asked.
Id<Track> TrackReader::resolve_track(std::uint64_t uuid) {
  const auto [at, is_new] = tracks_.try_emplace(uuid);
  TrackInfo& info = at->second;
  if (is_new && uuid != 0) info.name = core_.intern(fmt::format("track {}", uuid));
  if (info.track) return info.track;
  if (info.lane_of != 0) {
    const std::uint64_t main = std::exchange(info.lane_of, 0);
    const Id<Track> lane = resolve_track(main);
    tracks_[uuid].track = lane;
    return lane;
  }
  const TrackInfo copy = info;
  if (copy.thread) {
    const Id<Track> id =
        core_.sink().track({.name = copy.name, .kind = TrackKind::thread, .thread = copy.thread});
    return tracks_[uuid].track = id;
  }
  if (copy.process) {
    const Id<Track> id =
        core_.sink().track({.name = copy.name, .kind = TrackKind::async, .process = copy.process});
    return tracks_[uuid].track = id;
  }
  // Breaks a cycle of parents: whoever comes back here meets a track without one.
  info.parent = 0;
  const Owner owner = owner_of(copy);
  Track row{.name = copy.name,
            .kind = copy.is_other ? TrackKind::other : TrackKind::async,
            .thread = owner.thread,
            .process = owner.process,
            .stream = {},
            .parent = owner.parent};
  if (copy.stream_number && owner.device) {
    row.kind = TrackKind::stream;
    row.stream = core_.sink().stream(
        {.device = owner.device, .number = *copy.stream_number, .name = copy.stream_name});
  }
  TrackInfo& again = tracks_[uuid];
  again.parent = copy.parent;
  if (!again.track) again.track = core_.sink().track(row);
  return again.track;
}

Id<CounterTrack> TrackReader::resolve_counter(std::uint64_t uuid) {
  const auto [at, is_new] = tracks_.try_emplace(uuid);
  if (is_new) at->second.name = core_.intern(fmt::format("counter {}", uuid));
  if (at->second.counter) return at->second.counter;
  at->second.is_counter = true;
  const TrackInfo copy = at->second;
  const Owner owner = owner_of(copy);
  CounterTrack row{.name = copy.name,
                   .unit = copy.unit,
                   .cpu = owner.cpu,
                   .thread = owner.thread,
                   .process = owner.process,
                   .device = owner.device};
  if (row.thread) row.process = {};
  return tracks_[uuid].counter = core_.sink().counter_track(row);
}

Id<Device> TrackReader::gpu(std::int64_t gpu_id) {
  const auto [at, is_new] = gpus_.try_emplace(gpu_id);
  if (is_new)
    at->second = core_.sink().device(
        {.name = core_.intern(fmt::format("GPU {}", gpu_id)), .kind = DeviceKind::gpu, .index = gpu_id});
  return at->second;
}

// --- pairing
// ------------------------------------------------------------------------------------------------------

void TrackReader::take(Event event) {
  core_.saw(event.ts);
  if (core_.is_ours) {
    pair(event);
    return;
  }
  window_.push_back(std::move(event));
  if (window_.size() >= kWindow) drain(kWindow / 2);
}

// Sorts the window by time and pairs all but the latest `keep` events.
void TrackReader::drain(std::size_t keep) {
  std::stable_sort(window_.begin(), window_.end(),
                   [](const Event& a, const Event& b) { return a.ts < b.ts; });
  const std::size_t n = window_.size() - std::min(keep, window_.size());
  for (std::size_t i = 0; i < n; ++i)
    pair(window_[i]);
  window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(n));
}

void TrackReader::pair(Event& event) {
  Open& track = open_[event.track];
  if (std::exchange(track.losses, losses_) != losses_) settle(track, {});
  std::vector<Event>& open = track.slices;
  track.last_ts = event.ts;
  if (event.type == pb::event::kInstant) {
    emit(event, event.ts);
    return;
  }
  if (event.dur >= 0) {
    emit(event, event.ts + event.dur);
    return;
  }
  const bool is_state = event.type == pb::event::kState; // a state lasts until the next one
  if (event.type == pb::event::kEnd || (is_state && !open.empty())) {
    if (open.empty()) {
      core_.note(Severity::info, "note.tracefile.unmatched_end");
      return;
    }
    if (open.back().is_lost)
      core_.note(Severity::data_loss, "note.tracefile.no_state");
    else
      emit(open.back(), event.ts);
    open.pop_back();
  }
  if (event.type != pb::event::kBegin && !is_state) return;
  if (open.size() >= kMaxOpen) {
    core_.note(Severity::data_loss, "note.tracefile.too_deep");
    return;
  }
  open.push_back(std::move(event));
}

void TrackReader::emit(const Event& begin, std::int64_t end) {
  core_.saw(end);
  core_.sink().slice({.track = resolve_track(begin.track),
                      .ts = {begin.ts},
                      .dur = {std::max<std::int64_t>(end - begin.ts, 0)},
                      .name = begin.name,
                      .category = begin.category,
                      .layer = begin.layer,
                      .args = begin.args,
                      .flows_out = begin.flows_out,
                      .flows_in = begin.flows_in});
}

void TrackReader::emit_unfinished(const Event& begin, std::int64_t end) {
  if (begin.is_lost) return;
  core_.note(Severity::notice, "note.tracefile.unfinished", fmt::format("{}", end));
  emit(begin, std::max(end, begin.ts));
}

// Behind a loss: of the slices that were open before it, those that still are stay; the others lost their
// ends, which become lower bounds: the last event of a track lies inside all its open slices.
void TrackReader::settle(Open& track, const std::vector<std::int64_t>& begins) {
  std::vector<Event> before = std::exchange(track.slices, {});
  std::size_t at = 0;
  for (const std::int64_t ts : begins) { // outermost first: both go up
    for (; at < before.size() && before[at].ts < ts; ++at)
      emit_unfinished(before[at], track.last_ts);
    if (at < before.size() && before[at].ts == ts) {
      track.slices.push_back(std::move(before[at++]));
      continue;
    }
    Event lost;
    lost.ts = ts;
    lost.is_lost = true;
    track.slices.push_back(std::move(lost));
  }
  for (; at < before.size(); ++at)
    emit_unfinished(before[at], track.last_ts);
}

void TrackReader::reopen(std::string_view uuid, std::string_view begins) {
  std::uint64_t number = 0;
  std::from_chars(uuid.data(), uuid.data() + uuid.size(), number);
  Open& track = open_[number];
  if (std::exchange(track.losses, losses_) == losses_) return;
  std::vector<std::int64_t> times;
  const char* at = begins.data();
  const char* const end = at + begins.size();
  std::uint64_t ts = 0; // hostile numbers may wrap
  while (at != end && times.size() < kMaxOpen) {
    std::int64_t step = 0;
    const auto [next, error] = std::from_chars(at, end, step);
    if (error != std::errc{}) break;
    times.push_back(static_cast<std::int64_t>(ts += static_cast<std::uint64_t>(step)));
    at = next == end ? end : next + 1;
  }
  settle(track, times);
}

// In files of others a slice may really last until the end of the trace.
void TrackReader::close_open() {
  std::vector<std::uint64_t> uuids;
  for (const auto& [uuid, open] : open_)
    if (!open.slices.empty()) uuids.push_back(uuid);
  std::sort(uuids.begin(), uuids.end());
  for (const std::uint64_t uuid : uuids) {
    auto& [slices, last_ts, losses] = open_[uuid];
    const std::int64_t end = core_.is_ours ? last_ts : core_.last_ts;
    for (; !slices.empty(); slices.pop_back())
      emit_unfinished(slices.back(), end);
  }
}

void TrackReader::finish() {
  drain(0);
  close_open();
  // Tracks that nothing happened on are part of the picture; a bare thread or process is no track.
  for (const std::uint64_t uuid : order_) {
    const TrackInfo& info = tracks_[uuid];
    if (info.is_counter)
      resolve_counter(uuid);
    else if (info.is_thread_track || (!info.pid && !info.is_plain_owner))
      resolve_track(uuid);
  }
}

} // namespace prof::detail
