#include "capture/flight_recorder.hpp"

#include "base/clock.hpp"
#include "base/format_units.hpp"
#include "capture/procfs.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace prof {
namespace {

using namespace literals;

// A segment repeats the descriptors, and the ring keeps up to one more than it was asked for: a fifteenth is
// little of both.
constexpr std::int64_t kSegments = 15;
constexpr Dur kShortestSegment = 300_ms; // rows are flushed no more often
constexpr Dur kLongestSegment = 10'000_ms;
constexpr Dur kCheckPause = 1000_ms;

} // namespace

std::string describe_values(const Trigger& trigger) {
  std::string list;
  for (std::size_t i = 0; i < trigger.conditions().size(); ++i) {
    const Condition& condition = trigger.conditions()[i];
    const auto& value = trigger.states()[i].value;
    if (!value) continue;
    list += fmt::format("{}{} {} ({} {})", list.empty() ? "" : ", ", condition.metric->id,
                        format_live(*condition.metric, *value), condition.limit.op,
                        format_live(*condition.metric, condition.limit.value));
  }
  return list;
}

FlightRecorder::FlightRecorder(FlightOptions options, Trigger& trigger, Ts now)
    : options_(std::move(options)), trigger_(trigger), live_(options_.window, now),
      ring_(options_.before, options_.ring_bytes),
      segment_{std::clamp(options_.before.ns / kSegments, kShortestSegment.ns, kLongestSegment.ns)},
      segment_begin_(now), first_(now), checked_(now) {
  ring_.begin_segment(now);
  writer_ = TraceFileWriter::create([this](std::string_view bytes) { return take(bytes); });
  tap_ = std::make_unique<FlightTap>(*writer_, live_);
}

FlightRecorder::~FlightRecorder() = default;

// After an error nothing more goes into the file: what stands behind a hole cannot be read.
Status FlightRecorder::write(std::string_view bytes) {
  if (file_status_) file_status_ = file_->write(bytes);
  return file_status_;
}

Status FlightRecorder::take(std::string_view bytes) {
  if (file_) return write(bytes);
  ring_.add(bytes);
  return {};
}

Status FlightRecorder::flush(Ts now) {
  PROF_CHECK(writer_->flush());
  if (capture_) return {};
  ring_.set_events(writer_->stats().events - counted_events_);
  if (now - segment_begin_ >= segment_) {
    segment_begin_ = now;
    counted_events_ = writer_->stats().events;
    ring_.begin_segment(now);
    writer_->begin_anew();
  }
  ring_.trim(now);
  return {};
}

void FlightRecorder::forget_the_dead(Ts now) {
  if (now - checked_ < kCheckPause) return;
  checked_ = now;
  for (const std::int64_t pid : std::vector(live_.pids().begin(), live_.pids().end()))
    if (!is_alive(options_.proc_root, pid)) live_.forget_process(pid);
}

Status FlightRecorder::look(Ts now) {
  forget_the_dead(now);
  live_.advance(now);
  if (capture_) return {};
  const bool holds = trigger_.look(now, [this](const LiveMetric& metric) { return live_.value(metric); });
  if (!holds || is_cooling(now)) return {};
  return fire(now);
}

Status FlightRecorder::fire(Ts now) {
  PROF_CHECK(flush(now));
  first_ = ring_.oldest();
  capture_ = FlightCapture{.fired = now,
                           .values = describe_values(trigger_),
                           .before = now - first_,
                           .is_cut = ring_.is_cut(),
                           .after = {},
                           .events = ring_.events()};
  counted_events_ = writer_->stats().events;
  PROF_TRY(file_, AtomicFile::create(options_.output));
  // It appears with the first packets, so that of a ring that does not fit what does is kept.
  ring_.drain([&](std::string_view bytes) {
    if (!write(bytes)) return false;
    file_status_ = file_->appear();
    capture_->bytes += std::ssize(bytes);
    return file_status_.ok();
  });
  PROF_CHECK(file_status_);
  PROF_CHECK(file_->appear());
  capture_->bytes -= writer_->stats().bytes; // those that it writes from here on are added in the end
  tap_->release(first_);
  write_mark();
  return {};
}

void FlightRecorder::write_mark() {
  TraceSink& sink = *writer_;
  std::vector<Arg> args{{.key = sink.intern("trigger"), .value = sink.intern(trigger_.text())}};
  for (std::size_t i = 0; i < trigger_.conditions().size(); ++i) {
    const Condition& condition = trigger_.conditions()[i];
    const std::string id(condition.metric->id);
    if (const auto& value = trigger_.states()[i].value)
      args.push_back({.key = sink.intern(id), .value = *value});
    args.push_back({.key = sink.intern(id + ".limit"), .value = condition.limit.value});
  }
  const Id<Track> track = sink.track({.name = sink.intern("trigger"), .kind = TrackKind::other});
  sink.slice({.track = track,
              .ts = capture_->fired,
              .dur = {},
              .name = sink.intern(trigger_.text()),
              .category = sink.intern(words::kMark),
              .layer = Layer::application,
              .args = args});
  sink.note({.severity = Severity::info,
             .code = sink.intern("note.trigger_fired"),
             .count = 1,
             .where = sink.intern(capture_->values)});
  if (capture_->is_cut)
    sink.note({.severity = Severity::notice,
               .code = sink.intern("note.flight_ring_full"),
               .count = 1,
               .where = sink.intern(fmt::format("{} instead of {}", format_dur(capture_->before),
                                                format_dur(options_.before)))});
  sink.metadata("trigger.expression", trigger_.text());
  sink.metadata("trigger.values", capture_->values);
  sink.metadata("trigger.fired_ns", std::to_string(capture_->fired.ns));
}

// What the session said of the whole recording is said of the file.
void FlightRecorder::write_facts(Ts now) {
  const auto put = [&](std::string_view key, std::int64_t value) {
    writer_->metadata(key, std::to_string(value));
  };
  put("start_ns", first_.ns);
  put("start_realtime_ns", clock_ns(CLOCK_REALTIME) - (clock_ns(CLOCK_MONOTONIC) - first_.ns));
  put("duration_ns", (now - first_).ns);
  put("capture.events", capture_->events);
  writer_->metadata("capture.state", "ended");
}

Status FlightRecorder::finish(Ts now) {
  if (!capture_ || !file_) return {};
  capture_->after = now - capture_->fired;
  PROF_CHECK(writer_->flush());
  capture_->events += writer_->stats().events - counted_events_;
  write_facts(now);
  PROF_CHECK(writer_->finish());
  capture_->bytes += writer_->stats().bytes;
  return file_->commit();
}

} // namespace prof
