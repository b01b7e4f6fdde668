// The requests of the decoder: their begin and end, the waits in them, and the lanes that they lie on.
#include "capture/sdk_decoder.hpp"

#include "sdk/prof_sdk.h"
#include "trace/conventions.hpp"

#include <algorithm>
#include <fmt/core.h>

namespace prof {

namespace {

// Limits for what a process may make us keep.
constexpr std::size_t kMaxLanes = 4096;
constexpr std::size_t kMaxOpenRequests = 1'000'000;

std::string_view wait_class_word(std::uint32_t wait_class) {
  switch (wait_class) {
  case PROF_QUEUE_WAIT:
    return "queue_wait";
  case PROF_BATCH_WAIT:
    return "batch_wait";
  case PROF_DEVICE_WAIT:
    return "device_wait";
  case PROF_NETWORK:
    return "network";
  default:
    return {};
  }
}
std::string_view status_word(std::uint8_t status) {
  switch (status) {
  case PROF_OK:
    return "ok";
  case PROF_ERROR:
    return "error";
  case PROF_TIMEOUT:
    return "timeout";
  case PROF_REJECTED:
    return "rejected";
  case PROF_CANCELLED:
    return "cancelled";
  default:
    return "unknown";
  }
}
} // namespace

void SdkDecoder::take_request(const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink) {
  if (requests_.size() >= kMaxOpenRequests && !requests_.contains(record.a)) return;
  OpenRequest& request = requests_[record.a];
  const Ts ts{clock.ns(record.ts)};
  if (record.kind == sdk::RecordKind::request_begin) {
    request.begin = ts;
    request.name = text(record.name, sink);
    request.is_sampled = (record.a & sdk::kUnsampledBit) == 0;
    return;
  }
  if (request.end) return; // ended twice: the first one counts
  request.end = ts;
  request.status = record.flags;
  just_ended_.push_back(record.a);
}

void SdkDecoder::take_async(const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink) {
  const Ts begin{clock.ns(record.ts)};
  const Ts end{clock.ns(record.a)};
  if (end < begin) {
    seen_.damaged += 1;
    return;
  }
  const std::string_view wait_class = wait_class_word(record.depth);
  Wait wait{.begin = begin,
            .end = end,
            .name = text(record.name, sink),
            .category = sink.intern(detail::span_category(record.flags)),
            .wait_class = wait_class.empty() ? StrId{} : sink.intern(wait_class),
            .request = detail::shown_id(record.b)};
  if (record.flags == PROF_KIND_RUN) {
    seen_.runs += 1;
    just_late_.push_back(wait);
    return;
  }
  seen_.stages += 1;
  if (const auto it = requests_.find(record.b);
      it != requests_.end() && it->second.waits.size() < detail::kMaxSpanArgs)
    it->second.waits.push_back(wait);
  else
    just_late_.push_back(wait); // its request stands in a ring not yet drained, or has ended
}

void SdkDecoder::take_wait_begin(const sdk::RingRecord& record, const TickClock& clock, TraceSink& sink) {
  if (requests_.size() >= kMaxOpenRequests && !requests_.contains(record.b)) return;
  OpenRequest& request = requests_[record.b];
  // Its end may stand in another ring and be here already: both are compared at the end of the recording.
  if (request.begun.size() >= detail::kMaxSpanArgs) return;
  const Ts begin{clock.ns(record.ts)};
  request.begun.push_back({.begin = begin,
                           .end = begin,
                           .name = text(record.name, sink),
                           .category = sink.intern(words::kStage),
                           .wait_class = sink.intern(wait_class_word(record.depth)),
                           .request = detail::shown_id(record.b),
                           .is_open = true});
}

Id<Track> SdkDecoder::lane_for(std::vector<Lane>& lanes, std::string_view name, Ts begin, Ts end,
                               TraceSink& sink) {
  Lane* best = nullptr;
  for (Lane& lane : lanes)
    if (lane.last_end <= begin && (best == nullptr || best->last_end < lane.last_end)) best = &lane;
  if (best == nullptr) {
    if (lanes.size() >= kMaxLanes) return {};
    const std::string title =
        lanes.empty() ? std::string(name) : fmt::format("{} {}", name, lanes.size() + 1);
    lanes.push_back({.track = sink.track({.name = sink.intern(title),
                                          .kind = TrackKind::async,
                                          .thread = {},
                                          .process = process(sink),
                                          .stream = {},
                                          .parent = {}}),
                     .last_end = begin});
    best = &lanes.back();
  }
  best->last_end = end;
  return best->track;
}

void SdkDecoder::emit_wait(const Wait& wait, Id<Track> track, TraceSink& sink) {
  if (!track) {
    seen_.damaged += 1;
    return;
  }
  std::vector<Arg> args;
  if (wait.request != 0) args.push_back({sink.intern(words::kArgRequestId), wait.request});
  if (!wait.wait_class.is_empty()) args.push_back({sink.intern(words::kArgWaitClass), wait.wait_class});
  const bool is_run = wait.category == sink.intern(words::kRun);
  if (is_run) args.push_back({sink.intern(words::kArgModel), wait.name});
  if (wait.is_open) {
    args.push_back({sink.intern("unfinished"), true});
    seen_.unclosed += 1;
  }
  sink.slice({.track = track,
              .ts = wait.begin,
              .dur = wait.end - wait.begin,
              .name = wait.name,
              .category = wait.category,
              .layer = is_run ? Layer::framework : Layer::application,
              .args = args,
              .flows_out = {},
              .flows_in = {}});
}

void SdkDecoder::emit_request(std::uint64_t id, OpenRequest& request, bool is_unfinished, TraceSink& sink) {
  if (!request.begin) { // it began before the recording
    for (const Wait& wait : request.waits)
      late_.push_back(wait);
    return;
  }
  const Ts begin = *request.begin;
  const Ts end = std::max(*request.end, begin);
  const Id<Track> track = lane_for(request_lanes_, "requests", begin, end, sink);
  if (!track) {
    seen_.damaged += 1;
    return;
  }
  std::sort(request.waits.begin(), request.waits.end(),
            [](const Wait& a, const Wait& b) { return a.begin < b.begin; });
  Ts free_from = begin;
  for (const Wait& wait : request.waits) {
    if (wait.begin < free_from || wait.end > end) { // would not nest here
      late_.push_back(wait);
      continue;
    }
    emit_wait(wait, track, sink);
    free_from = wait.end;
  }
  std::vector<Arg> args{{sink.intern(words::kArgRequestId), detail::shown_id(id)},
                        {sink.intern(words::kArgStatus),
                         sink.intern(is_unfinished ? "unfinished" : status_word(request.status))}};
  if (!request.is_sampled) args.push_back({sink.intern(words::kArgSampled), false});
  sink.slice({.track = track,
              .ts = begin,
              .dur = end - begin,
              .name = request.name,
              .category = sink.intern(words::kRequest),
              .layer = Layer::application,
              .args = args,
              .flows_out = {},
              .flows_in = {}});
  seen_.requests += 1;
  seen_.unsampled += request.is_sampled ? 0 : 1;
  seen_.unfinished += is_unfinished ? 1 : 0;
}

void SdkDecoder::emit_pending(bool is_all, TraceSink& sink) {
  // Waits drained before their request's begin: it is known by now.
  for (const Wait& wait : late_) {
    const auto it = requests_.find(static_cast<std::uint64_t>(wait.request));
    if (wait.category != sink.intern(words::kRun) && it != requests_.end()) {
      it->second.waits.push_back(wait);
      continue;
    }
    const bool is_run = wait.category == sink.intern(words::kRun);
    emit_wait(
        wait,
        lane_for(is_run ? run_lanes_ : wait_lanes_, is_run ? "runs" : "waits", wait.begin, wait.end, sink),
        sink);
  }
  late_.clear();
  if (is_all) ending_.insert(ending_.end(), just_ended_.begin(), just_ended_.end());
  std::sort(ending_.begin(), ending_.end(), [&](std::uint64_t a, std::uint64_t b) {
    const OpenRequest& x = requests_[a];
    const OpenRequest& y = requests_[b];
    return x.end != y.end ? x.end < y.end : a < b;
  });
  for (const std::uint64_t id : ending_) {
    auto node = requests_.extract(id);
    if (node) emit_request(id, node.mapped(), false, sink);
  }
  ending_.clear();
}

// A request that is open at `now`, with the waits that it has begun and not ended.
void SdkDecoder::close_request(OpenRequest& request, Ts now) {
  request.end = now;
  for (Wait wait : request.begun) {
    const bool has_ended = std::ranges::any_of(request.waits, [&](const Wait& ended) {
      return ended.begin == wait.begin && ended.name == wait.name;
    });
    if (has_ended) continue;
    wait.end = std::max(now, wait.begin);
    request.waits.push_back(wait);
    seen_.stages += 1;
  }
}

} // namespace prof
