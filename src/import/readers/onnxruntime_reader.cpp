// onnxruntime_reader.cpp: profiles that ONNX Runtime's own profiler writes (enable_profiling).
#include "import/json/event_args.hpp"
#include "import/json/event_lanes.hpp"
#include "import/json/event_scanner.hpp"
#include "import/json/event_stream.hpp"
#include "import/json/stream_notes.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "trace/conventions.hpp"

#include <fmt/format.h>
#include <map>

namespace prof {
namespace {

using json::EventArg;
using json::EventBatch;
using json::Lane;
using json::TraceEvent;
using json::ValueKind;

constexpr std::int64_t kEventLimit = 1'000'000; // where the engine silently stops recording
constexpr std::string_view kNodeSuffix = "_kernel_time";

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  if (is_folder) return 0;
  const std::size_t begin = json::skip_space(head);
  if (begin >= head.size() || head[begin] != '[') return 0;
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  const bool has_session =
      has("\"Session\"") && (has("model_loading") || has("session_initialization") || has("model_run"));
  return has_session || (has("\"Node\"") && has(kNodeSuffix)) ? 90 : 0;
}

class OrtProfile {
public:
  explicit OrtProfile(TraceSink& sink) : sink_(sink), lanes_(sink), texts_(sink) {}

  void take(const EventBatch& batch) {
    for (const TraceEvent& event : batch.events()) {
      if (event.phase == 'M') continue;
      if (event.phase != 'X' || !event.has_ts) {
        ++not_read_;
        continue;
      }
      if (event.category == "Node")
        node(batch, event);
      else if (event.category == "Kernel")
        kernel(batch, event);
      else
        session(batch, event);
    }
  }
  void finish(std::int64_t events);

private:
  void node(const EventBatch& batch, const TraceEvent& event);
  void kernel(const EventBatch& batch, const TraceEvent& event);
  void session(const EventBatch& batch, const TraceEvent& event);
  void run(const TraceEvent& event, Lane& lane);
  void fill_args(const EventBatch& batch, const TraceEvent& event);
  void emit(Id<Track> track, const TraceEvent& event, std::string_view name, std::string_view category,
            Layer layer) {
    sink_.slice({.track = track,
                 .ts = {event.ts},
                 .dur = {event.dur},
                 .name = texts_.intern(name),
                 .category = texts_.intern(category),
                 .layer = layer,
                 .args = args_});
  }

  TraceSink& sink_;
  json::EventLanes lanes_;
  json::TextCache texts_;
  std::map<Lane*, Id<Track>> run_tracks_;
  std::map<std::int64_t, Id<Stream>> streams_;
  std::vector<Arg> args_;
  std::int64_t ops_ = 0, runs_ = 0, kernels_ = 0, not_read_ = 0;
};

// The engine writes numbers as text ("output_size":"196608"); the keys of this product stand for its own.
void OrtProfile::fill_args(const EventBatch& batch, const TraceEvent& event) {
  args_.clear();
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    if (arg->kind == ValueKind::null || (arg->kind == ValueKind::text && arg->text.empty())) continue;
    const std::string_view key = arg->key == "op_name"             ? words::kArgOpType
                                 : arg->key == "provider"          ? words::kArgProvider
                                 : arg->key == "input_type_shape"  ? words::kArgInputShapes
                                 : arg->key == "output_type_shape" ? words::kArgOutputShapes
                                                                   : arg->key;
    ArgValue value = json::value_of(*arg, texts_);
    if (arg->kind == ValueKind::text && key != words::kArgOpType)
      if (std::int64_t number = 0; arg->text.find_first_not_of("-0123456789") == std::string_view::npos &&
                                   json::number_in(arg->text, number))
        value = arg->text.front() == '-' ? -number : number;
    args_.push_back({.key = texts_.intern(key), .value = value});
  }
}

void OrtProfile::node(const EventBatch& batch, const TraceEvent& event) {
  fill_args(batch, event);
  const Id<Track> track = lanes_.track_of(lanes_.lane(event.pid, event.tid));
  std::string_view name = event.name;
  if (!name.ends_with(kNodeSuffix))
    return emit(track, event, name, words::kSpan, Layer::runtime); // fences of old builds
  name.remove_suffix(kNodeSuffix.size());
  emit(track, event, name, words::kOp, Layer::framework);
  ++ops_;
}

// A run of the model is the unit of work that the profile knows: it stands in for a request. The runs of one
// thread do not overlap, so each thread has a track of them.
void OrtProfile::run(const TraceEvent& event, Lane& lane) {
  const Id<Track> on_thread = lanes_.track_of(lane);
  const auto [found, is_new] = run_tracks_.try_emplace(&lane);
  if (is_new)
    found->second =
        sink_.track({.name = sink_.intern("model runs"), .kind = TrackKind::async, .process = lane.process});
  args_.clear();
  args_.push_back({.key = texts_.intern(words::kArgRequestId), .value = ++runs_});
  emit(found->second, event, event.name, words::kRequest, Layer::application);
  emit(on_thread, event, event.name, words::kStage, Layer::framework);
}

void OrtProfile::session(const EventBatch& batch, const TraceEvent& event) {
  Lane& lane = lanes_.lane(event.pid, event.tid);
  if (event.name == "model_run") return run(event, lane);
  fill_args(batch, event);
  emit(lanes_.track_of(lane), event, event.name, words::kSpan, Layer::framework);
}

// Device kernels of the GPU providers; the engine names no device.
void OrtProfile::kernel(const EventBatch& batch, const TraceEvent& event) {
  std::int64_t number = 0;
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg)
    if (arg->key == "stream" && !json::number_in(arg->text, number)) number = arg->integer;
  fill_args(batch, event);
  const auto [found, is_new] = streams_.try_emplace(number);
  if (is_new) {
    const auto device = sink_.device({.name = sink_.intern("GPU 0"), .kind = DeviceKind::gpu, .index = 0});
    found->second = sink_.stream(
        {.device = device, .number = number, .name = sink_.intern(fmt::format("stream {}", number))});
  }
  const bool is_copy = event.name.find("emcpy") != std::string_view::npos ||
                       event.name.find("emset") != std::string_view::npos;
  sink_.kernel({.stream = found->second,
                .ts = {event.ts},
                .dur = {event.dur},
                .name = texts_.intern(event.name),
                .op_type = {},
                .kind = is_copy ? KernelKind::memory : KernelKind::compute,
                .args = args_});
  ++kernels_;
}

void OrtProfile::finish(std::int64_t events) {
  const auto signal = [&](std::string_view what, std::int64_t count) {
    say_available(sink_, "onnxruntime", what, count);
  };
  signal(words::kSignalOps, ops_);
  signal(words::kSignalRequests, runs_);
  signal(words::kSignalStages, runs_);
  signal(words::kSignalKernels, kernels_);
  if (runs_ > 0) sink_.metadata("request.source", "model_run events");
  sink_.metadata("format", "ONNX Runtime profile");
  say_note(sink_, Severity::data_loss, "note.ort.event_limit", events >= kEventLimit ? 1 : 0);
  say_note(sink_, Severity::notice, "note.chrome.phase_not_read", not_read_);
  say_note(sink_, Severity::notice, "note.ort.profiler_cost", ops_);
  say_note(sink_, Severity::notice, "note.ort.enqueue_time", kernels_ > 0 ? ops_ : 0);
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  OrtProfile profile(sink);
  const json::EventHandler handler{.on_member = {},
                                   .on_events = [&](const EventBatch& batch) { profile.take(batch); }};
  PROF_TRY(const json::StreamReport report, json::stream_events(path, handler));
  profile.finish(report.events);
  json::note_losses(report, sink);
  return {};
}

} // namespace

extern const Reader onnxruntime_reader;
const Reader onnxruntime_reader{
    .name = "onnxruntime",
    .description = "import.format.onnxruntime",
    .sniff = sniff,
    .read = read,
    .facts = {
        .versions = "1.29 and older ones (with `_fence_before` events)",
        .tested_on = "real: Silero VAD, BlazeFace and PP-OCR sessions, recorded with ONNX Runtime 1.29 on "
                     "CPU. Kernel events of GPU providers: made by hand",
        .reads =
            "runs, nodes with operator, provider, shapes and sizes; kernels of GPU providers; session events",
        .leaves_out = "which GPU a kernel ran on (the file does not say)"}};

} // namespace prof
