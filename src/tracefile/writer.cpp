#include "tracefile/writer.hpp"

#include "base/clock.hpp"
#include "tracefile/descriptor_writer.hpp"
#include "tracefile/event_writer.hpp"
#include "tracefile/limits.hpp"
#include "tracefile/sched_writer.hpp"
#include "tracefile/sequence.hpp"
#include "tracefile/slice_writer.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>
#include <utility>

namespace prof {
namespace {

constexpr std::int64_t kMaxPending = 1 << 17; // rows held before they are written without being asked
constexpr std::int64_t kSnapshotEvery_ns = 3'000'000'000; // follow the drift of the real-time clock
constexpr std::int64_t kMarkerEvery_ns = 10'000'000'000; // Perfetto's own interval of synchronisation markers
constexpr std::int64_t kClockStep_ns =
    1'000'000; // smaller changes of boottime - monotonic are measuring noise

using detail::WriterCore;

// May a row be written at all? (docs/tracefile.md, limits)
bool is_in_range(Ts ts, Dur dur = {}) {
  return ts.ns >= -detail::kMaxTime_ns && ts.ns <= detail::kMaxTime_ns &&
         dur.ns <= detail::kMaxTime_ns - std::max<std::int64_t>(ts.ns, 0);
}

class Writer final : public TraceFileWriter {
public:
  Writer(detail::PacketFile file, WriterOptions options)
      : core_(std::move(file)), slices_(core_), descriptors_(core_, slices_), counters_(core_),
        samples_(core_), kernels_(core_), sched_(core_), options_(options) {
    core_.stands_damage = options.stands_damage;
  }
  ~Writer() override { static_cast<void>(finish()); }
  void begin();

  StrId intern(std::string_view text) override { return core_.strings.intern(text); }
  Id<Process> process(const Process& row) override { return descriptors_.process(row); }
  Id<Thread> thread(const Thread& row) override { return descriptors_.thread(row); }
  Id<Device> device(const Device& row) override { return descriptors_.device(row); }
  Id<Stream> stream(const Stream& row) override { return descriptors_.stream(row); }
  Id<Track> track(const Track& row) override { return descriptors_.track(row); }
  Id<CounterTrack> counter_track(const CounterTrack& row) override { return descriptors_.counter_track(row); }
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

  void begin_anew() override;
  Status flush() override;
  Status finish() override;
  void abandon() override {
    is_finished_ = true;
    core_.file.abandon();
  }
  WriterStats stats() const override {
    return {.events = events_,
            .bytes = core_.file.bytes(),
            .left_out_slices = slices_.dropped(),
            .left_out_times = out_of_range_};
  }

private:
  bool accept(bool is_valid);
  void write_head();
  void write_clocks(bool is_first);
  void write_row(std::string_view kind,
                 std::initializer_list<std::pair<std::string_view, std::string>> fields);
  void start_again(bool is_plain);
  void repeat_state();
  void note_dropped(std::string_view code, std::int64_t dropped, std::int64_t& noted);

  WriterCore core_;
  detail::SliceWriter slices_;
  detail::DescriptorWriter descriptors_;
  detail::CounterWriter counters_;
  detail::SampleWriter samples_;
  detail::KernelWriter kernels_;
  detail::SchedWriter sched_;
  WriterOptions options_;

  std::int64_t events_ = 0, rows_ = 0;
  std::int64_t out_of_range_ = 0, out_of_range_noted_ = 0, lanes_noted_ = 0;
  std::int64_t last_snapshot_ns_ = 0, last_marker_ns_ = 0;
  std::uint32_t sched_anchored_in_ = 1; // generation
  bool is_finished_ = false, has_described_twice_ = false;
};

// The head stands uncompressed, so that a tool can tell what the file is from its first bytes.
void Writer::begin() {
  write_clocks(true);
  write_head();
  core_.file.flush(true);
  if (!options_.stands_damage) return;
  write_clocks(false);
  write_head();
}

void Writer::write_head() {
  std::string message;
  protozero::pbf_writer attributes(message);
  {
    protozero::pbf_writer attribute(attributes, pb::attributes::kAttribute);
    attribute.add_string(pb::attributes::kKey, pb::kFormatKey);
    attribute.add_int64(pb::attributes::kLong, pb::kFormatVersion);
  }
  detail::add_state(core_, pb::packet::kTraceAttributes, message);
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

// --- events
// -------------------------------------------------------------------------------------------------------

// Counts an event, or what had to be left out.
bool Writer::accept(bool is_valid) {
  if (!is_valid) {
    out_of_range_++;
    return false;
  }
  events_++;
  if (++rows_ >= kMaxPending) static_cast<void>(flush());
  return true;
}

void Writer::slice(const Slice& row) {
  if (accept(is_in_range(row.ts, row.dur))) slices_.add(row.track.row, row);
}

void Writer::kernel(const Kernel& row) {
  const Stream* stream = descriptors_.find(row.stream);
  if (stream == nullptr || !accept(is_in_range(row.ts, row.dur))) return;
  const std::uint64_t event = kernels_.add(row, *stream, stream->device.row);
  if (row.flow_in != 0) slices_.add_kernel_flow(row.flow_in, row.ts.ns, event);
}

void Writer::counter(Id<CounterTrack> track, Ts ts, double value) {
  const std::uint64_t uuid = descriptors_.uuid(track);
  if (uuid != 0 && accept(is_in_range(ts))) counters_.add(uuid, ts, value);
}

void Writer::sample(const Sample& row) {
  if (!accept(is_in_range(row.ts))) return;
  const auto [pid, tid] = descriptors_.numbers(row.thread);
  samples_.add(row, pid, tid);
}

void Writer::sched_switch(const SchedSwitch& row) {
  if (!accept(is_in_range(row.ts))) return;
  if (row.cpu >= 0) return sched_.add(row);
  write_row("state", {{"ts", std::to_string(row.ts.ns)},
                      {"tid", std::to_string(row.prev_tid)},
                      {"left_in", std::string(1, row.prev_state)}});
}

void Writer::sched_wakeup(const SchedWakeup& row) {
  if (accept(is_in_range(row.ts))) sched_.add(row);
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
  detail::add_global(
      core_, pb::packet::kTraceAttributes,
      detail::attribute_message(is_ours ? fmt::format("cann.metadata.{}", key) : std::string(key), value));
}

// --- flushing
// -----------------------------------------------------------------------------------------------------

// Says again what damage in the file may have taken from the reader. All slices are closed here: a flush
// writes them whole.
void Writer::repeat_state() {
  const std::int64_t written = core_.file.raw_bytes();
  const bool is_start = core_.starts.begin_if_due(written);
  core_.anchors.begin_if_due(written);
  if (std::exchange(sched_anchored_in_, core_.anchors.number()) != core_.anchors.number() || is_start)
    sched_.anchor();
  if (is_start) start_again(false);
}

void Writer::start_again(bool is_plain) {
  write_clocks(false);
  write_head();
  if (is_plain) core_.file.flush(true);
  descriptors_.repeat();
  descriptors_.flush();
  slices_.repeat();
}

void Writer::begin_anew() {
  static_cast<void>(flush());
  core_.starts.begin(core_.file.raw_bytes());
  core_.anchors.begin(core_.file.raw_bytes());
  sched_anchored_in_ = core_.anchors.number();
  sched_.anchor();
  samples_.begin_anew();
  start_again(true);
}

void Writer::note_dropped(std::string_view code, std::int64_t dropped, std::int64_t& noted) {
  if (dropped == noted) return;
  note({.severity = Severity::data_loss, .code = intern(code), .count = dropped - noted, .where = {}});
  noted = dropped;
}

Status Writer::flush() {
  rows_ = 0;
  repeat_state();
  descriptors_.flush();
  if (options_.stands_damage && !std::exchange(has_described_twice_, true)) {
    core_.file.flush();
    descriptors_.repeat();
    descriptors_.flush();
  }
  kernels_.flush();
  slices_.flush();
  counters_.flush();
  sched_.flush();
  samples_.flush();
  note_dropped("note.tracefile.lanes", slices_.dropped(), lanes_noted_);
  note_dropped("note.tracefile.time", out_of_range_, out_of_range_noted_);
  const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (options_.is_live && now - last_snapshot_ns_ > kSnapshotEvery_ns) write_clocks(false);
  core_.file.flush();
  if (now - last_marker_ns_ > kMarkerEvery_ns) {
    last_marker_ns_ = now;
    detail::add_global(core_, pb::packet::kSyncMarker, {pb::kSyncMarkerBytes, 16});
    core_.file.flush(true); // a tool searches the raw bytes for it
  }
  core_.file.appear();
  return core_.file.status();
}

Status Writer::finish() {
  if (is_finished_) return core_.file.status();
  is_finished_ = true;
  static_cast<void>(flush());
  core_.file.close();
  return core_.file.status();
}

std::unique_ptr<TraceFileWriter> begun(detail::PacketFile file, WriterOptions options) {
  auto writer = std::make_unique<Writer>(std::move(file), options);
  writer->begin();
  return writer;
}

} // namespace

Result<std::unique_ptr<TraceFileWriter>> TraceFileWriter::create(const std::filesystem::path& path,
                                                                 WriterOptions options) {
  PROF_TRY(auto file, detail::PacketFile::create(path, options));
  return begun(std::move(file), options);
}

std::unique_ptr<TraceFileWriter> TraceFileWriter::create(PacketTaker take, WriterOptions options) {
  return begun(detail::PacketFile::into(std::move(take), options), options);
}

} // namespace prof
