// The track events themselves: TrackReader::read_event and what it needs. Descriptors and pairing are in
// track_reader.cpp.
#include "tracefile/profile_reader.hpp"
#include "tracefile/track_reader.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace prof::detail {
namespace {

constexpr int kMaxNesting = 8;         // of debug annotations
constexpr std::size_t kMaxArgs = 4096; // of one event
constexpr std::size_t kMaxFlows = std::size_t{1} << 22;
constexpr std::uint64_t kSequenceTrack = 0x5e90000000000000ULL; // tracks of sequences that name none

std::uint32_t type_of_phase(char phase) {
  switch (phase) {
  case 'B':
  case 'X':
    return pb::event::kBegin;
  case 'E':
    return pb::event::kEnd;
  case 'I':
  case 'i':
  case 'n':
    return pb::event::kInstant;
  default:
    return 0;
  }
}

} // namespace

// Which track: the event's own, the sequence's default, else the thread that an old sequence describes.
std::uint64_t TrackReader::event_track(const SequenceState& sequence, std::uint64_t sequence_id,
                                       std::optional<std::uint64_t> given) {
  if (given) return *given;
  if (sequence.defaults.track) return *sequence.defaults.track;
  const std::uint64_t uuid = kSequenceTrack | sequence_id;
  const auto [at, is_new] = tracks_.try_emplace(uuid);
  if (is_new) at->second.name = core_.intern(fmt::format("sequence {}", sequence_id));
  if (sequence.thread && !at->second.thread) {
    at->second = {};
    at->second.pid = sequence.thread->pid;
    at->second.tid = sequence.thread->tid;
    at->second.thread = core_.thread(sequence.thread->pid, sequence.thread->tid);
  }
  return uuid;
}

void TrackReader::read_event(SequenceState& sequence, std::uint64_t sequence_id, std::int64_t ts,
                             std::string_view message) {
  Message in(message);
  Event event;
  event.ts = ts;
  std::optional<std::uint64_t> track;
  std::optional<double> value;
  Extra extra;
  std::uint64_t stack = 0;
  std::string_view legacy;
  std::vector<std::uint64_t> flows, ends, launched;
  while (in.next())
    switch (in.tag()) {
    case pb::event::kType:
      event.type = in.number32();
      break;
    case pb::event::kTrackUuid:
      track = in.number();
      break;
    case pb::event::kNameIid:
      event.name = named(sequence, TextKind::event_name, in.number());
      break;
    case pb::event::kName:
      event.name = core_.intern(in.bytes());
      break;
    case pb::event::kCategoryIids: {
      std::vector<std::uint64_t> iids;
      in.numbers(iids);
      if (!iids.empty() && event.category.is_empty())
        event.category = named(sequence, TextKind::category, iids.front());
      break;
    }
    case pb::event::kCategories: {
      const std::string_view text = in.bytes();
      if (event.category.is_empty()) event.category = core_.intern(text);
      break;
    }
    case pb::event::kAnnotations:
      read_annotation(sequence, in.message(), {}, {}, 0, event);
      break;
    case pb::event::kFlowIds:
      in.fixed_numbers(flows);
      break;
    case pb::event::kFlowIdsOld:
      in.numbers(flows);
      break;
    case pb::event::kTerminatingFlows:
      in.fixed_numbers(ends);
      break;
    case pb::event::kTerminatingFlowsOld:
      in.numbers(ends);
      break;
    case pb::event::kCounterValue:
      value = static_cast<double>(in.integer());
      break;
    case pb::event::kDoubleCounterValue:
      value = in.real();
      break;
    case pb::event::kExtraCounters:
      in.numbers(extra.tracks);
      break;
    case pb::event::kExtraCounterValues:
      in.numbers(extra.values);
      break;
    case pb::event::kExtraDoubleCounters:
      in.numbers(extra.double_tracks);
      break;
    case pb::event::kExtraDoubleValues:
      in.fixed_numbers(extra.double_values);
      break;
    case pb::event::kCallstackIid:
      stack = in.number();
      break;
    case pb::event::kLegacyEvent:
      legacy = in.bytes();
      break;
    case pb::event::kGpuCorrelation: {
      Message correlation = in.message();
      while (correlation.next(pb::event::kSubmissionIds))
        correlation.numbers(launched);
      break;
    }
    default:
      in.skip();
    }
  if (!legacy.empty()) read_legacy(sequence, Message(legacy), event);
  event.track = event_track(sequence, sequence_id, track);
  if (event.type == pb::event::kCounter) {
    if (value) add_counter(sequence, event.track, ts, *value);
    return;
  }
  add_extras(sequence, ts, extra);
  if (event.type == 0 || event.type > pb::event::kState) {
    core_.note(Severity::info, "note.tracefile.unknown_event");
    return;
  }
  for (const std::uint64_t id : flows)
    read_flow(event, id, false);
  for (const std::uint64_t id : ends)
    read_flow(event, id, true);
  if (!core_.is_ours) // ours carries the flow itself
    for (const std::uint64_t id : launched)
      event.flows_out.push_back(gpu_flow(id));
  if (const auto at = layers_.find(event.category.row); at != layers_.end() && !event.has_layer)
    event.layer = at->second;
  if (stack != 0) {
    const auto at = tracks_.find(event.track);
    if (at != tracks_.end() && at->second.thread)
      samples_.add_event_stack(sequence, ts, at->second.thread, stack);
  }
  take(std::move(event));
}

// The text of an iid; empty and noted where a loss took its definition.
StrId TrackReader::named(const SequenceState& sequence, TextKind kind, std::uint64_t iid) {
  if (const StrId* found = sequence.find(kind, iid)) return *found;
  core_.note(Severity::data_loss, "note.tracefile.lost_names");
  return {};
}

// In files of others a flow id that was seen before is a step of that flow: it ends here and goes on from
// here.
void TrackReader::read_flow(Event& event, std::uint64_t id, bool is_end) {
  if (event.flows_out.size() + event.flows_in.size() >= kMaxArgs) return;
  if (is_end) {
    event.flows_in.push_back(id);
    return;
  }
  event.flows_out.push_back(id);
  if (core_.is_ours) return;
  if (flows_seen_.contains(id))
    event.flows_in.push_back(id);
  else if (flows_seen_.size() < kMaxFlows)
    flows_seen_.insert(id);
}

void TrackReader::read_legacy(const SequenceState& sequence, Message message, Event& event) {
  std::int64_t dur_us = -1;
  char phase = 0;
  while (message.next())
    switch (message.tag()) {
    case pb::event::kLegacyNameIid:
      event.name = event.name.is_empty() ? sequence.text(TextKind::event_name, message.number())
                                         : (message.skip(), event.name);
      break;
    case pb::event::kLegacyPhase:
      phase = static_cast<char>(message.number());
      break;
    case pb::event::kLegacyDurationUs:
      dur_us = message.integer();
      break;
    default:
      message.skip();
    }
  if (event.type == 0) event.type = type_of_phase(phase);
  if (phase == 'X' && dur_us >= 0 && dur_us < kMaxTime_ns / 1000) event.dur = dur_us * 1000;
}

// `path` and `key` name the value so far: elements of an array repeat its key, entries of a dictionary are
// "key.entry".
void TrackReader::read_annotation(SequenceState& sequence, Message message, std::string_view path, StrId key,
                                  int depth, Event& event) {
  if (depth > kMaxNesting || event.args.size() >= kMaxArgs) {
    core_.note(Severity::notice, "note.tracefile.args_cut");
    return;
  }
  std::optional<ArgValue> value;
  std::string_view name;
  std::uint64_t name_iid = 0;
  std::vector<std::string_view> dict, array;
  while (message.next())
    switch (message.tag()) {
    case pb::annotation::kNameIid:
      name_iid = message.number();
      break;
    case pb::annotation::kName:
      name = message.bytes();
      break;
    case pb::annotation::kBool:
      value = message.number() != 0;
      break;
    case pb::annotation::kUint:
    case pb::annotation::kInt:
      value = message.integer();
      break;
    case pb::annotation::kDouble:
      value = message.real();
      break;
    case pb::annotation::kString:
    case pb::annotation::kLegacyJson:
      value = core_.intern(message.bytes());
      break;
    case pb::annotation::kStringIid:
      value = named(sequence, TextKind::annotation_string, message.number());
      break;
    case pb::annotation::kPointer:
      value = core_.intern(fmt::format("{:#x}", message.number()));
      break;
    case pb::annotation::kDict:
      dict.push_back(message.bytes());
      break;
    case pb::annotation::kArray:
      array.push_back(message.bytes());
      break;
    default:
      message.skip();
    }
  if (name_iid != 0) {
    if (sequence.find(TextKind::annotation_name, name_iid) == nullptr) {
      core_.note(Severity::data_loss, "note.tracefile.lost_names");
      return;
    }
    name = sequence.annotation_name(name_iid);
  }
  const bool is_moved = core_.is_ours && name.starts_with(pb::kArgPrefix);
  if (is_moved) name.remove_prefix(std::string_view(pb::kArgPrefix).size());
  std::string full(path);
  if (!name.empty()) {
    full = path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
    key = name_iid != 0 && path.empty() && !is_moved ? sequence.text(TextKind::annotation_name, name_iid)
                                                     : core_.intern(full);
  }
  if (value && core_.is_ours && !is_moved && name == pb::kLayerKey) {
    if (const auto* text = std::get_if<StrId>(&*value)) event.layer = core_.layer_of(*text);
    event.has_layer = true;
  } else if (value) {
    event.args.push_back({.key = key, .value = *value});
  }
  for (const std::string_view element : array)
    read_annotation(sequence, Message(element), full, key, depth + 1, event);
  for (const std::string_view entry : dict)
    read_annotation(sequence, Message(entry), full, key, depth + 1, event);
}

// --- counters
// -----------------------------------------------------------------------------------------------------

void TrackReader::add_counter(SequenceState& sequence, std::uint64_t uuid, std::int64_t ts, double value) {
  const Id<CounterTrack> track = resolve_counter(uuid);
  const TrackInfo& info = tracks_[uuid];
  value *= info.multiplier;
  if (info.is_incremental && sequence.has_lost_sums) {
    core_.note(Severity::data_loss, "note.tracefile.no_state");
    return;
  }
  if (info.is_incremental) value = sequence.counter_sums[uuid] += value;
  core_.saw(ts);
  core_.sink().counter(track, {ts}, value);
}

void TrackReader::add_extras(SequenceState& sequence, std::int64_t ts, const Extra& extra) {
  const std::vector<std::uint64_t>& tracks = extra.tracks.empty() ? sequence.defaults.counters : extra.tracks;
  for (std::size_t i = 0; i < std::min(tracks.size(), extra.values.size()); ++i)
    add_counter(sequence, tracks[i], ts, static_cast<double>(static_cast<std::int64_t>(extra.values[i])));
  const std::vector<std::uint64_t>& doubles =
      extra.double_tracks.empty() ? sequence.defaults.double_counters : extra.double_tracks;
  for (std::size_t i = 0; i < std::min(doubles.size(), extra.double_values.size()); ++i)
    add_counter(sequence, doubles[i], ts, std::bit_cast<double>(extra.double_values[i]));
}

} // namespace prof::detail
