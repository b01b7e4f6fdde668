#include "tracefile/reader.hpp"

#include "base/lang.hpp"
#include "trace/thread_state.hpp"
#include "tracefile/inflate.hpp"
#include "tracefile/packet_splitter.hpp"
#include "tracefile/profile_reader.hpp"
#include "tracefile/proto_message.hpp"
#include "tracefile/reader_core.hpp"
#include "tracefile/track_reader.hpp"

#include <charconv>
#include <fmt/format.h>
#include <map>
#include <protozero/exception.hpp>
#include <utility>

namespace prof {
namespace {

using namespace detail;

constexpr std::size_t kMaxInflated = std::size_t{16}
                                     << 20; // of one compressed group; Perfetto writes under 512 KiB
constexpr std::size_t kMaxSequences = 1 << 20;

struct PacketHead {
  std::optional<std::uint64_t> timestamp;
  std::uint32_t clock = 0, flags = 0;
  std::uint64_t sequence = 0;
  bool is_dropped = false, is_cleared = false;
  std::string_view interned, defaults, payload;
  pb::Field field = 0;
};

PacketHead read_head(std::string_view bytes) {
  PacketHead head;
  Message packet(bytes);
  while (packet.next())
    switch (packet.tag()) {
    case pb::packet::kTimestamp:
      head.timestamp = packet.number();
      break;
    case pb::packet::kClockId:
      head.clock = packet.number32();
      break;
    case pb::packet::kSequenceId:
      head.sequence = packet.number();
      break;
    case pb::packet::kSequenceFlags:
      head.flags = packet.number32();
      break;
    case pb::packet::kPreviousDropped:
      head.is_dropped = packet.number() != 0;
      break;
    case pb::packet::kIncrementalStateCleared:
      head.is_cleared = packet.number() != 0;
      break;
    case pb::packet::kInternedData:
      head.interned = packet.bytes();
      break;
    case pb::packet::kDefaults:
      head.defaults = packet.bytes();
      break;
    default:
      if (pb::packet::is_payload(packet.tag())) {
        head.field = packet.tag();
        head.payload = packet.bytes();
      } else {
        packet.skip();
      }
    }
  return head;
}

class TraceReader {
public:
  explicit TraceReader(TraceSink& sink)
      : core_(sink), samples_(core_), tracks_(core_, samples_), sched_(core_), gpu_(core_, tracks_) {}
  // One TracePacket. Never fails: what is broken is counted. Status is an error only for a version of ours
  // that is newer.
  Status read_packet(std::string_view bytes, std::int64_t offset, bool is_nested = false);
  // `bytes` of the input from `offset` on are damaged.
  void lose(std::int64_t offset, std::int64_t bytes, const LostPacket& lost = {});
  // So is one byte in the head of a frame whose packet is whole.
  void note_mended(std::int64_t offset) { note_damage("note.tracefile.damaged", offset, 1); }
  // What stands behind the last packet, and the end.
  void finish(const PacketSplitter::Rest& rest);
  [[nodiscard]] std::int64_t packets() const { return packets_; }

private:
  Status take_packet(const PacketHead& head, std::int64_t offset, bool is_nested);
  Status read_group(const PacketHead& head, std::int64_t offset);
  void read_event(const PacketHead& head, SequenceState& sequence);
  Status read_attributes(std::string_view message);
  void read_row(const std::map<std::string, std::string>& row, std::string_view kind);
  void read_process_tree(std::string_view message);
  void read_legacy_thread(SequenceState& sequence, std::string_view message);
  void note_damage(std::string_view code, std::int64_t offset, std::int64_t bytes);
  void note_loss(std::string_view code, std::int64_t offset, std::int64_t bytes, const LostPacket& lost = {});
  void lose_one(const LostPacket& lost);
  void tell_losses(SequenceState& sequence) const;

  ReaderCore core_;
  SampleReader samples_;
  TrackReader tracks_;
  SchedReader sched_;
  GpuReader gpu_;
  std::map<std::uint64_t, SequenceState> sequences_;
  std::int64_t packets_ = 0;
  std::uint64_t losses_ = 0;      // that may be of any sequence
  bool is_state_taken_ = false;   // the packet being read has moved its sequence's tables and clock
  bool has_read_defaults_ = true; // or has none
};

Status TraceReader::read_packet(std::string_view bytes, std::int64_t offset, bool is_nested) {
  std::optional<PacketHead> known;
  try {
    const PacketHead head = read_head(bytes);
    known = head;
    packets_++;
    is_state_taken_ = false;
    has_read_defaults_ = head.defaults.empty();
    // In a file of ours every packet names its sequence or is a group: one bit in a group's tag makes it a
    // packet of somebody else's, with the rows and the clocks of the group in it.
    const bool is_group = head.field == pb::packet::kCompressed || head.field == pb::packet::kZstdCompressed;
    if (core_.is_ours && !is_nested && !is_group && head.sequence == 0) {
      lose(offset, std::ssize(bytes));
      return {};
    }
    return take_packet(head, offset, is_nested);
  } catch (const protozero::exception&) {
    const std::string where = fmt::format("offset {}", offset);
    core_.note(Severity::data_loss, "note.tracefile.bad_packet", where);
    if (!known) { // inside a group: whose tables and clock are behind now is not known
      note_loss("note.tracefile.damaged", offset, std::ssize(bytes));
      return {};
    }
    if (!is_nested) core_.note(Severity::data_loss, "note.tracefile.skipped", where, std::ssize(bytes));
    if (is_state_taken_) return {};
    if (core_.is_ours)
      sequences_[known->sequence].lose();
    else
      lose_one({.sequence = known->sequence,
                .timestamp = known->timestamp,
                .clock = known->clock,
                .is_time_known = known->field != pb::packet::kClockSnapshot,
                .is_start = !has_read_defaults_}); // without them its times are on another clock
    return {};
  }
}

void TraceReader::note_damage(std::string_view code, std::int64_t offset, std::int64_t bytes) {
  const std::string where = fmt::format("offset {}", offset);
  core_.note(Severity::data_loss, code, where);
  core_.note(Severity::data_loss, "note.tracefile.skipped", where, bytes);
}

// After a loss inside the stream the interning tables and delta clocks of all sequences may be behind: using
// them would give wrong names and times. Of ours, each sequence is skipped until it starts afresh or until
// its next anchor; of others, a clock that adds up is of no use until it is given again, and tables serve
// until a definition that stands again tells that they were cleared.
void TraceReader::note_loss(std::string_view code, std::int64_t offset, std::int64_t bytes,
                            const LostPacket& lost) {
  note_damage(code, offset, bytes);
  if (!core_.is_ours && lost.sequence) {
    lose_one(lost);
    return;
  }
  losses_++;
  sched_.forget_running();
  if (core_.is_ours) tracks_.lose();
}

// A loss that may be of any sequence is told to each when its next packet comes: there may be many of both.
void TraceReader::tell_losses(SequenceState& sequence) const {
  if (std::exchange(sequence.losses, losses_) == losses_) return;
  if (core_.is_ours)
    sequence.lose();
  else
    sequence.doubt(true);
}

// The loss of one packet of somebody else's file, whose sequence is known.
void TraceReader::lose_one(const LostPacket& lost) {
  const auto at = sequences_.find(*lost.sequence);
  if (at == sequences_.end()) return;
  SequenceState& sequence = at->second;
  tell_losses(sequence);
  sequence.doubt(!lost.is_time_known);
  if (lost.is_start) sequence.is_valid = false;
  if (sequence.has_sched) sched_.forget_running();
  if (lost.timestamp) static_cast<void>(core_.clocks.to_trace(sequence, lost.clock, *lost.timestamp));
}

void TraceReader::lose(std::int64_t offset, std::int64_t bytes, const LostPacket& lost) {
  note_loss("note.tracefile.damaged", offset, bytes, lost);
}

Status TraceReader::take_packet(const PacketHead& head, std::int64_t offset, bool is_nested) {
  if (head.field == pb::packet::kCompressed || head.field == pb::packet::kZstdCompressed) {
    if (!is_nested) return read_group(head, offset);
    core_.note(Severity::data_loss, "note.tracefile.nested", fmt::format("offset {}", offset));
    return {};
  }
  if (!sequences_.contains(head.sequence) && sequences_.size() >= kMaxSequences) {
    core_.note(Severity::data_loss, "note.tracefile.bad_packet", fmt::format("offset {}", offset));
    return {};
  }
  const auto [known, is_new] = sequences_.try_emplace(head.sequence);
  SequenceState& sequence = known->second;
  if (is_new) sequence.losses = losses_;
  tell_losses(sequence);
  if (head.is_dropped) {
    core_.note(Severity::data_loss, "note.tracefile.lost", fmt::format("offset {}", offset));
    sequence.is_valid = false;
  }
  if ((head.flags & pb::packet::kFlagCleared) != 0 || head.is_cleared) sequence.clear_incremental();
  if ((head.flags & pb::packet::kFlagNeedsState) != 0 && !sequence.is_valid) {
    core_.note(Severity::data_loss, "note.tracefile.no_state", fmt::format("offset {}", offset));
    return {};
  }
  if (!head.defaults.empty()) read_defaults(core_, sequence, head.defaults);
  has_read_defaults_ = true;
  if (!head.interned.empty()) read_interned(core_, sequence, head.interned);
  switch (head.field) {
  case pb::packet::kClockSnapshot:
    core_.clocks.add_snapshot(head.payload, sequence);
    // Of ours, what comes with its defaults needs nothing of what was before.
    if (core_.is_ours && (std::exchange(sequence.awaits_anchor, false) || !head.defaults.empty()))
      sequence.is_valid = true;
    break;
  case pb::packet::kTrackDescriptor:
    tracks_.read_descriptor(head.payload);
    break;
  case pb::packet::kTraceAttributes:
    return read_attributes(head.payload);
  case pb::packet::kFtraceEvents:
    sequence.has_sched = true;
    sched_.read_bundle(sequence, head.payload);
    break;
  case pb::packet::kModuleSymbols:
    samples_.read_module_symbols(head.payload);
    break;
  case pb::packet::kGpuInfo:
    gpu_.read_info(head.payload);
    break;
  case pb::packet::kProcessTree:
    read_process_tree(head.payload);
    break;
  case pb::packet::kThreadDescriptor:
    read_legacy_thread(sequence, head.payload);
    break;
  default:
    read_event(head, sequence);
  }
  return {};
}

// Packets that happen at a time.
void TraceReader::read_event(const PacketHead& head, SequenceState& sequence) {
  if (!head.timestamp) return;
  if (sequence.has_lost(head.clock)) {
    core_.note(Severity::data_loss, "note.tracefile.no_state");
    return;
  }
  const std::optional<std::int64_t> ts = core_.clocks.to_trace(sequence, head.clock, *head.timestamp);
  is_state_taken_ = true;
  if (!ts || *ts > kMaxTime_ns || *ts < -kMaxTime_ns) {
    core_.note(Severity::data_loss, "note.tracefile.clock");
    return;
  }
  switch (head.field) {
  case pb::packet::kTrackEvent:
    tracks_.read_event(sequence, head.sequence, *ts, head.payload);
    break;
  case pb::packet::kPerfSample:
    samples_.read_perf_sample(sequence, *ts, head.payload);
    break;
  case pb::packet::kStackSample:
    samples_.read_stack_sample(sequence, *ts, head.payload);
    break;
  case pb::packet::kGpuRenderStage:
    gpu_.read_render_stage(sequence, *ts, head.payload);
    break;
  case pb::packet::kGpuCounterEvent:
    gpu_.read_counters(sequence, *ts, head.payload);
    break;
  default:
    break; // a packet of a kind that we do not read still moved its sequence's clock
  }
}

Status TraceReader::read_group(const PacketHead& head, std::int64_t offset) {
  auto raw = head.field == pb::packet::kCompressed ? inflate_zlib(head.payload, kMaxInflated)
                                                   : inflate_zstd(head.payload, kMaxInflated);
  if (!raw) {
    const bool is_bomb = raw.error().code == Errc::budget;
    note_loss(is_bomb ? "note.tracefile.bomb" : "note.tracefile.bad_group", offset, std::ssize(head.payload));
    return {};
  }
  Message group(*raw);
  while (group.next()) {
    if (group.tag() != pb::kTracePacket) {
      group.skip();
      continue;
    }
    PROF_CHECK(read_packet(group.bytes(), offset, true));
  }
  return {};
}

// --- rows that travel as attributes
// ---------------------------------------------------------------------------------

Status TraceReader::read_attributes(std::string_view message) {
  std::map<std::string, std::string> row; // "name" -> value of the one row that a packet of ours holds
  std::string kind;
  Message attributes(message);
  while (attributes.next(pb::attributes::kAttribute)) {
    Message attribute = attributes.message();
    std::string_view key;
    std::string value;
    std::int64_t number = 0;
    while (attribute.next())
      switch (attribute.tag()) {
      case pb::attributes::kKey:
        key = attribute.bytes();
        break;
      case pb::attributes::kLong:
        number = attribute.integer();
        value = std::to_string(number);
        break;
      case pb::attributes::kString:
        value = std::string(attribute.bytes());
        break;
      default:
        attribute.skip();
      }
    if (key == pb::kFormatKey) {
      if (number > pb::kFormatVersion)
        return error_said(Errc::unsupported, "error.trace_newer", {}, fmt::arg("theirs", number),
                          fmt::arg("ours", pb::kFormatVersion));
      core_.is_ours = true;
    } else if (core_.is_ours && key.starts_with("cann.layer.")) {
      if (const auto layer = layer_from(value)) tracks_.set_layer(core_.intern(key.substr(11)), *layer);
    } else if (core_.is_ours && key.starts_with("cann.metadata.")) {
      core_.sink().metadata(key.substr(14), value);
    } else if (core_.is_ours && key.starts_with(pb::kOurPrefix)) {
      const std::string_view rest = key.substr(5);
      const std::size_t dot = rest.find('.');
      kind = std::string(rest.substr(0, dot));
      if (dot != std::string_view::npos) row[std::string(rest.substr(dot + 1))] = value;
    } else {
      core_.sink().metadata(key, value);
    }
  }
  if (!row.empty()) read_row(row, kind);
  return {};
}

void TraceReader::read_row(const std::map<std::string, std::string>& row, std::string_view kind) {
  const auto text = [&](const char* key) {
    const auto at = row.find(key);
    return at == row.end() ? StrId{} : core_.intern(at->second);
  };
  const auto number = [&](const char* key) {
    const auto at = row.find(key);
    std::int64_t value = 0;
    if (at != row.end()) std::from_chars(at->second.data(), at->second.data() + at->second.size(), value);
    return value;
  };
  if (kind == "signal")
    core_.sink().signal({.name = text("name"),
                         .is_available = number("available") != 0,
                         .source = text("source"),
                         .reason = text("reason"),
                         .mend = text("mend"),
                         .detail = text("detail")});
  if (kind == "note" && number("severity") >= 0 && number("severity") <= 3)
    core_.sink().note({.severity = static_cast<Severity>(number("severity")),
                       .code = text("code"),
                       .count = number("count"),
                       .where = text("where")});
  if (kind == "open")
    for (const auto& [uuid, begins] : row)
      tracks_.reopen(uuid, begins);
  if (const auto left_in = row.find("left_in"); kind == "state" && left_in != row.end())
    core_.sink().sched_switch({.ts = {number("ts")},
                               .cpu = kNoCpu,
                               .prev_tid = number("tid"),
                               .prev_state = left_in->second.empty() ? kLostState : left_in->second[0]});
  if (kind == "gap")
    core_.sink().gap({.ts = {number("ts")}, .dur = {number("dur")}, .reason = text("reason")});
}

// --- processes of other recorders
// -----------------------------------------------------------------------------------

void TraceReader::read_process_tree(std::string_view message) {
  Message tree(message);
  while (tree.next()) {
    const pb::Field field = tree.tag();
    Message in = tree.message();
    std::int64_t pid = 0, tgid = 0;
    std::string cmdline;
    std::string_view name;
    while (in.next()) {
      if (in.tag() == pb::process_tree::kPid) { // also Thread.tid
        pid = in.integer();
      } else if (field == pb::process_tree::kProcesses && in.tag() == pb::process_tree::kCmdline) {
        if (!cmdline.empty()) cmdline += ' ';
        cmdline += in.bytes();
      } else if (field == pb::process_tree::kThreads && in.tag() == pb::process_tree::kThreadName) {
        name = in.bytes();
      } else if (field == pb::process_tree::kThreads && in.tag() == pb::process_tree::kTgid) {
        tgid = in.integer();
      } else {
        in.skip();
      }
    }
    if (field == pb::process_tree::kProcesses)
      core_.process(pid, core_.intern(std::string_view(cmdline).substr(0, cmdline.find(' '))),
                    core_.intern(cmdline));
    if (field == pb::process_tree::kThreads) core_.thread(tgid, pid, core_.intern(name));
  }
}

void TraceReader::read_legacy_thread(SequenceState& sequence, std::string_view message) {
  Message in(message);
  TaskContext task;
  std::string_view name;
  while (in.next())
    switch (in.tag()) {
    case pb::track::kThreadPid:
      task.pid = in.integer();
      break;
    case pb::track::kThreadTid:
      task.tid = in.integer();
      break;
    case pb::track::kThreadName:
      name = in.bytes();
      break;
    default:
      in.skip();
    }
  core_.thread(task.pid, task.tid, core_.intern(name));
  sequence.thread = task;
}

void TraceReader::finish(const PacketSplitter::Rest& rest) {
  if (rest.is_damage)
    lose(rest.offset, rest.bytes);
  else if (rest.bytes > 0)
    core_.note(Severity::data_loss, "note.tracefile.cut", fmt::format("offset {}", rest.offset));
  tracks_.finish();
  core_.hand_over_notes();
}

} // namespace

Status read_tracefile(const ByteSource& source, TraceSink& sink) {
  TraceReader reader(sink);
  PacketSplitter splitter;
  std::int64_t size = 0;
  for (bool is_ended = false; !is_ended;) {
    PROF_TRY(const std::string_view chunk, source());
    size += std::ssize(chunk);
    is_ended = chunk.empty();
    if (is_ended)
      splitter.end();
    else
      splitter.feed(chunk);
    while (const auto piece = splitter.next()) {
      if (piece->skipped > 0)
        reader.lose(piece->offset - piece->skipped, piece->skipped,
                    look_into(piece->lost, piece->is_lost_size_right));
      if (piece->is_mended) reader.note_mended(piece->offset);
      PROF_CHECK(reader.read_packet(piece->packet, piece->offset));
    }
  }
  if (size == 0) return error_said(Errc::malformed, "error.trace_empty", {});
  if (reader.packets() == 0)
    return error_said(Errc::malformed, "error.trace_no_packet",
                      fmt::format("offset {}", splitter.rest().offset));
  reader.finish(splitter.rest());
  return {};
}

} // namespace prof
