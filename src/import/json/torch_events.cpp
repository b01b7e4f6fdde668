#include "import/json/torch_events.hpp"

#include "import/json/async_spans.hpp"
#include "import/json/event_args.hpp"
#include "import/json/event_lanes.hpp"
#include "import/json/event_stream.hpp"
#include "import/json/kineto_words.hpp"
#include "import/json/our_events.hpp"
#include "import/json/stream_notes.hpp"
#include "import/reader_words.hpp"
#include "symbols/symbols.hpp"
#include "trace/chrome_words.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace prof::json {
namespace {

constexpr std::int64_t kTooLong = std::int64_t{7} * 24 * 3600 * 1'000'000'000; // CUPTI overflow, as HTA
constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeastDate = 1'000'000'000'000'000'000; // ns: 2001
constexpr std::string_view kStep = "ProfilerStep#";

class TorchEvents {
public:
  explicit TorchEvents(TraceSink& sink)
      : sink_(sink), lanes_(sink), async_(sink), texts_(sink),
        ours_(sink, lanes_, texts_,
              {.device = [this](std::int64_t number) { return gpu(number).device; },
               .stream = [this](std::int64_t number, std::int64_t of) { return stream(number, of); },
               .known = [this](std::int64_t number, Id<Device> id) { gpus_[number].device = id; },
               .known_stream =
                   [this](std::int64_t number, std::int64_t of, std::string_view name) {
                     gpus_[number].streams[of] = sink_.stream(
                         {.device = gpus_[number].device, .number = of, .name = sink_.intern(name)});
                   }}) {}

  void member(std::string_view key, std::string_view text);
  void take(const EventBatch& batch);
  void take(const EventBatch& batch, const TraceEvent& event);
  void finish();

private:
  struct Gpu {
    Id<Device> device{};
    std::map<std::int64_t, Id<Stream>> streams;
    std::map<std::int64_t, Id<Track>> marks; // gpu annotations and waits, a track each
  };

  void slice(const EventBatch& batch, const TraceEvent& event);
  void kernel(const EventBatch& batch, const TraceEvent& event, Role role);
  void device_mark(const EventBatch& batch, const TraceEvent& event, Role role);
  void step(const TraceEvent& event, Lane& lane, std::int64_t number);
  void begin(const EventBatch& batch, const TraceEvent& event);
  void end(const TraceEvent& event);
  void instant(const EventBatch& batch, const TraceEvent& event);
  void counters(const EventBatch& batch, const TraceEvent& event);
  void async(const EventBatch& batch, const TraceEvent& event);
  void name(const EventBatch& batch, const TraceEvent& event);
  Gpu& gpu(std::int64_t index);
  Id<Stream> stream(std::int64_t device, std::int64_t number);
  StrId kernel_name(std::string_view name);
  void fill_args(const EventBatch& batch, const TraceEvent& event);
  void emit(Lane& lane, const TraceEvent& event, std::string_view category, Layer layer,
            std::uint64_t flow = 0);
  void say_notes();
  void count(std::string_view code, Severity severity, std::int64_t n = 1);

  TraceSink& sink_;
  EventLanes lanes_;
  AsyncSpans async_;
  TextCache texts_;
  std::unordered_map<std::string, StrId> readable_; // kernels by their mangled name
  OurEvents ours_;
  std::map<std::int64_t, Gpu> gpus_;
  std::map<std::int64_t, std::string> gpu_names_;
  std::map<std::string, Id<Track>> request_tracks_;
  std::map<std::string, std::int64_t> notes_;
  std::map<std::string, Severity> severities_;
  std::vector<Arg> args_;
  StrId op_type_key_{};
  std::int64_t kernels_ = 0, ops_ = 0, steps_ = 0;
  std::int64_t base_ns_ = 0,
               first_ns_ = kNoTime; // the date: times count from baseTimeNanoseconds, or from 1970
};

void TorchEvents::count(std::string_view code, Severity severity, std::int64_t n) {
  notes_[std::string(code)] += n;
  severities_[std::string(code)] = severity;
}

void TorchEvents::member(std::string_view key, std::string_view text) {
  if (key == words::kLedger) return ours_.ledger(text);
  if (ours_.is_ours()) return; // the ledger said it
  if (key == "deviceProperties") {
    const auto devices = nlohmann::json::parse(text, nullptr, false);
    if (!devices.is_array()) return;
    for (const auto& device : devices) {
      if (!device.is_object()) continue;
      const auto id = device.find("id");
      const auto label = device.find("name");
      if (id == device.end() || !id->is_number_integer() || label == device.end() || !label->is_string())
        continue;
      gpu_names_[id->get<std::int64_t>()] = label->get<std::string>();
    }
    for (auto& [index, known] : gpus_)
      if (const auto named = gpu_names_.find(index); named != gpu_names_.end())
        known.device =
            sink_.device({.name = sink_.intern(named->second), .kind = DeviceKind::gpu, .index = index});
    return;
  }
  constexpr std::size_t kMaxText = 4096;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  if (text.size() > kMaxText) return;
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  sink_.metadata(fmt::format("kineto.{}", key), text);
  if (key == "baseTimeNanoseconds") (void)number_in(text, base_ns_);
}

void TorchEvents::fill_args(const EventBatch& batch, const TraceEvent& event) {
  args_.clear();
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    if (arg->kind == ValueKind::null) continue;
    const std::string_view key = arg->key == "Input Dims" ? words::kArgInputShapes : arg->key;
    args_.push_back({.key = texts_.intern(key), .value = value_of(*arg, texts_)});
  }
}

void TorchEvents::emit(Lane& lane, const TraceEvent& event, std::string_view category, Layer layer,
                       std::uint64_t flow) {
  const std::uint64_t flows[1] = {flow};
  sink_.slice({.track = lanes_.track_of(lane),
               .ts = {event.ts},
               .dur = {event.dur},
               .name = texts_.intern(event.name),
               .category = texts_.intern(category),
               .layer = layer,
               .args = args_,
               .flows_out = std::span(flows).first(flow != 0 ? 1 : 0)});
}

std::string stream_text(std::int64_t number) {
  return number == -1 ? std::string("all streams") : fmt::format("stream {}", number);
}

TorchEvents::Gpu& TorchEvents::gpu(std::int64_t index) {
  const auto [found, is_new] = gpus_.try_emplace(index);
  if (is_new) {
    const auto named = gpu_names_.find(index);
    const std::string label =
        named != gpu_names_.end() && !named->second.empty() ? named->second : fmt::format("GPU {}", index);
    found->second.device =
        sink_.device({.name = sink_.intern(label), .kind = DeviceKind::gpu, .index = index});
  }
  return found->second;
}

Id<Stream> TorchEvents::stream(std::int64_t device, std::int64_t number) {
  Gpu& owner = gpu(device);
  const auto [found, is_new] = owner.streams.try_emplace(number);
  if (is_new)
    found->second =
        sink_.stream({.device = owner.device, .number = number, .name = sink_.intern(stream_text(number))});
  return found->second;
}

void TorchEvents::kernel(const EventBatch& batch, const TraceEvent& event, Role role) {
  if ((event.ts == 0 && event.dur == 0) || event.dur > kTooLong)
    return count("note.kineto.kernel_without_time", Severity::data_loss);
  std::int64_t device = 0, stream_number = 0, correlation = 0, bytes = 0;
  std::optional<std::int64_t> recorded;
  StrId op_type{};
  KernelKind kind = role == Role::copy          ? KernelKind::memory
                    : is_collective(event.name) ? KernelKind::communication
                                                : KernelKind::compute;
  (void)number_in(event.pid, device);
  (void)number_in(event.tid, stream_number);
  args_.clear();
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    std::int64_t number = arg->integer;
    const bool is_number =
        arg->kind == ValueKind::integer || (arg->kind == ValueKind::text && number_in(arg->text, number));
    if (arg->key == "device" && is_number)
      device = number;
    else if (arg->key == "stream" && is_number)
      stream_number = number;
    else if (arg->key == "correlation" && is_number)
      correlation = number;
    else if (arg->key == "bytes" && is_number)
      bytes = number;
    else if (arg->key == words::kCorrelationOf && is_number)
      recorded = number;
    else if (arg->key == words::kArgKernelKind && is_kernel_kind(arg->text, kind))
      continue;
    else if (arg->key == words::kArgOpType && arg->kind == ValueKind::text)
      op_type = texts_.intern(arg->text);
    else if (arg->kind != ValueKind::null)
      args_.push_back(
          {.key = texts_.intern(ours_.key_of(batch, event, *arg)), .value = value_of(*arg, texts_)});
  }
  const auto link = static_cast<std::uint64_t>(correlation);
  correlation = recorded.value_or(correlation);
  sink_.kernel({.stream = stream(device, stream_number),
                .ts = {event.ts},
                .dur = {event.dur},
                .name = kernel_name(event.name),
                .op_type = op_type,
                .kind = kind,
                .correlation = static_cast<std::uint64_t>(correlation),
                .flow_in = link != 0 ? link | kLaunchFlow : 0,
                .bytes = bytes,
                .args = args_});
  ++kernels_;
}

// Kernels that a framework compiles itself come under the compiler's name for them.
StrId TorchEvents::kernel_name(std::string_view name) {
  if (!name.starts_with("_Z")) return texts_.intern(name);
  const auto [found, is_new] = readable_.try_emplace(std::string(name));
  if (is_new) found->second = sink_.intern(demangle(name));
  return found->second;
}

// GPU-side annotations and waits lie across the kernels of their stream, so they get tracks of their own.
void TorchEvents::device_mark(const EventBatch& batch, const TraceEvent& event, Role role) {
  std::int64_t device = 0, number = 0;
  (void)number_in(event.pid, device);
  (void)number_in(event.tid, number);
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    if (arg->kind != ValueKind::integer) continue;
    if (arg->key == "device") device = arg->integer;
    if (arg->key == "stream") number = arg->integer; // -1: every stream
  }
  Gpu& owner = gpu(device);
  const bool is_sync = role == Role::sync;
  const auto [found, is_new] = owner.marks.try_emplace(number * 2 + (is_sync ? 1 : 0));
  if (is_new)
    found->second =
        sink_.track({.name = sink_.intern(stream_text(number) + (is_sync ? " waits" : " annotations")),
                     .kind = TrackKind::stream,
                     .stream = stream(device, number)});
  fill_args(batch, event);
  sink_.slice({.track = found->second,
               .ts = {event.ts},
               .dur = {event.dur},
               .name = texts_.intern(event.name),
               .category = texts_.intern(event.category),
               .layer = Layer::device,
               .args = args_});
}

// A profiler step is the unit of work that the user marked: it stands in for a request.
void TorchEvents::step(const TraceEvent& event, Lane& lane, std::int64_t number) {
  const auto [found, is_new] = request_tracks_.try_emplace(lane.tid_text + '\0' + lane.pid_text);
  if (is_new)
    found->second = sink_.track(
        {.name = sink_.intern("steps"), .kind = TrackKind::async, .process = lanes_.process_of(lane)});
  args_.clear();
  args_.push_back({.key = texts_.intern(words::kArgRequestId), .value = number});
  sink_.slice({.track = found->second,
               .ts = {event.ts},
               .dur = {event.dur},
               .name = texts_.intern(event.name),
               .category = texts_.intern(words::kRequest),
               .layer = Layer::application,
               .args = args_});
  const auto of_stage = step_args(sink_, number);
  args_.assign(of_stage.begin(), of_stage.end());
  emit(lane, event, words::kStage, Layer::application);
  ++steps_;
}

void TorchEvents::slice(const EventBatch& batch, const TraceEvent& event) {
  const Role role = role_of(event.category);
  switch (role) {
  case Role::kernel:
  case Role::copy:
    return kernel(batch, event, role);
  case Role::gpu_annotation:
  case Role::sync:
    return device_mark(batch, event, role);
  default:
    break;
  }
  Lane& lane = lanes_.lane(event.pid, event.tid);
  // Before 2022 the marker had the category of operators.
  if (std::int64_t number = 0; (role == Role::annotation || role == Role::op) &&
                               event.name.starts_with(kStep) &&
                               number_in(event.name.substr(kStep.size()), number))
    return step(event, lane, number);
  fill_args(batch, event);
  switch (role) {
  case Role::op:
    if (const StrId key = texts_.intern(words::kArgOpType);
        std::ranges::find(args_, key, &Arg::key) == args_.end())
      args_.push_back({.key = key, .value = texts_.intern(event.name)});
    ++ops_;
    return emit(lane, event, words::kOp, Layer::framework, launch_flow(batch, event));
  case Role::api:
    return emit(lane, event, event.category, Layer::runtime, launch_flow(batch, event));
  case Role::overhead:
    return emit(lane, event, event.category, Layer::runtime);
  default:
    return emit(lane, event, event.category.empty() ? words::kSpan : event.category, Layer::application,
                launch_flow(batch, event));
  }
}

void TorchEvents::begin(const EventBatch& batch, const TraceEvent& event) {
  fill_args(batch, event);
  lanes_.lane(event.pid, event.tid)
      .open.push_back({.ts = {event.ts},
                       .name = texts_.intern(event.name),
                       .category = texts_.intern(event.category.empty() ? words::kSpan : event.category),
                       .args = args_});
}

void TorchEvents::end(const TraceEvent& event) {
  Lane& lane = lanes_.lane(event.pid, event.tid);
  if (lane.open.empty()) return count("note.chrome.end_without_begin", Severity::notice);
  const Lane::Open& open = lane.open.back();
  sink_.slice({.track = lanes_.track_of(lane),
               .ts = open.ts,
               .dur = length_between(open.ts.ns, event.ts),
               .name = open.name,
               .category = open.category,
               .layer = Layer::application,
               .args = open.args});
  lane.open.pop_back();
}

void TorchEvents::instant(const EventBatch& batch, const TraceEvent& event) {
  if (event.name == "[memory]") {
    std::int64_t type = 0, device = -1;
    for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
      if (arg->key == "Device Type") type = arg->integer;
      if (arg->key == "Device Id") device = arg->integer;
    }
    for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
      const bool is_total = arg->key == "Total Allocated" || arg->key == "Total Reserved";
      if (!is_total || arg->kind != ValueKind::integer) continue;
      const std::string_view label = arg->key == "Total Allocated" ? "allocated_memory" : "reserved_memory";
      CounterTrack track{.name = texts_.intern(label), .unit = texts_.intern("bytes")};
      if (type != 0 && device >= 0) track.device = gpu(device).device;
      sink_.counter(sink_.counter_track(track), {event.ts}, static_cast<double>(arg->integer));
    }
    return;
  }
  fill_args(batch, event);
  TraceEvent mark = event;
  mark.dur = 0;
  emit(lanes_.lane(event.pid, event.tid), mark, event.category.empty() ? words::kMark : event.category,
       Layer::application);
}

void TorchEvents::counters(const EventBatch& batch, const TraceEvent& event) {
  Lane& lane = lanes_.lane(event.pid, event.tid);
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    if (arg->kind != ValueKind::integer && arg->kind != ValueKind::real) continue;
    const bool is_only = arg->key.empty() || arg->key == "value" || arg->key == event.name;
    const std::string label = is_only ? std::string(event.name) : fmt::format("{}.{}", event.name, arg->key);
    const auto track =
        sink_.counter_track({.name = texts_.intern(label), .unit = {}, .process = lanes_.process_of(lane)});
    sink_.counter(track, {event.ts},
                  arg->kind == ValueKind::integer ? static_cast<double>(arg->integer) : arg->real);
  }
}

void TorchEvents::name(const EventBatch& batch, const TraceEvent& event) {
  const EventArg* label =
      std::find_if(batch.args_begin(event), batch.args_end(event),
                   [](const EventArg& arg) { return arg.key == "name" && arg.kind == ValueKind::text; });
  if (label == batch.args_end(event)) return;
  ours_.name(batch, event);
  if (event.name == "process_name")
    lanes_.name_process(event.pid, label->text);
  else if (event.name == "thread_name")
    lanes_.name_thread(lanes_.lane(event.pid, event.tid), label->text);
}

void TorchEvents::take(const EventBatch& batch) {
  for (const TraceEvent& event : batch.events())
    if (ours_.base_ns() == 0)
      take(batch, event);
    else
      take(batch, ours_.on_its_clock(event));
}

void TorchEvents::take(const EventBatch& batch, const TraceEvent& event) {
  if (event.phase == 'M') return name(batch, event);
  if (!event.has_ts && event.phase != '\0') return count("note.chrome.without_time", Severity::data_loss);
  if (event.has_ts && event.ts > 0) first_ns_ = std::min(first_ns_, event.ts);
  if (ours_.take(batch, event)) return;
  switch (event.phase) {
  case 'X':
    slice(batch, event);
    break;
  case 'B':
    begin(batch, event);
    break;
  case 'E':
    end(event);
    break;
  case 'i':
  case 'I':
    instant(batch, event);
    break;
  case 'C':
    counters(batch, event);
    break;
  case 's':
  case 't':
  case 'f':
    // Kernels are linked by correlation, which says the same and survives a cut file.
    if (event.category != "ac2g" && event.category != "async" && event.category != "async_gpu" &&
        event.category != "async_cpu_to_gpu" && !ours_.is_ours())
      count("note.chrome.flow_not_read", Severity::info);
    break;
  case 'b':
  case 'S':
  case 'e':
  case 'F':
  case 'n':
  case 'T':
    async(batch, event);
    break;
  default:
    count("note.chrome.phase_not_read", Severity::notice);
  }
}

void TorchEvents::async(const EventBatch& batch, const TraceEvent& event) {
  fill_args(batch, event);
  const bool is_begin = event.phase == 'b' || event.phase == 'S';
  if (event.phase == 'e' || event.phase == 'F') {
    if (!async_.end(event, args_)) count("note.chrome.end_without_begin", Severity::notice);
    return;
  }
  const Id<Process> process = lanes_.process_of(lanes_.lane(event.pid, event.tid));
  is_begin ? async_.begin(event, process, args_) : async_.instant(event, process, args_);
}

void TorchEvents::finish() {
  async_.finish();
  ours_.finish();
  for (Lane& lane : lanes_.all())
    for (; !lane.open.empty(); lane.open.pop_back()) {
      const Lane::Open& open = lane.open.back();
      sink_.slice({.track = lanes_.track_of(lane),
                   .ts = open.ts,
                   .dur = kUnfinished,
                   .name = open.name,
                   .category = open.category,
                   .layer = Layer::application,
                   .args = open.args});
    }
  if (ours_.is_ours()) return say_notes();
  // Times of a machine's uptime without a base are no date.
  if (first_ns_ != kNoTime && base_ns_ >= 0 && base_ns_ < kNoTime - first_ns_ &&
      base_ns_ + first_ns_ > kLeastDate)
    sink_.metadata("start_realtime_ns", fmt::format("{}", base_ns_ + first_ns_));
  sink_.metadata("format", "Chrome trace JSON");
  say_notes();
  const auto signal = [&](std::string_view what, std::int64_t count) {
    say_available(sink_, "chrome_json", what, count);
  };
  signal(words::kSignalKernels, kernels_);
  signal(words::kSignalOps, ops_);
  signal(words::kSignalRequests, steps_);
  if (steps_ > 0) sink_.metadata("request.source", "ProfilerStep markers");
}

void TorchEvents::say_notes() {
  for (const auto& [code, n] : notes_)
    sink_.note({.severity = severities_[code], .code = sink_.intern(code), .count = n, .where = {}});
}

} // namespace

Status read_torch_events(const std::filesystem::path& path, TraceSink& sink) {
  TorchEvents events(sink);
  const EventHandler handler{
      .on_member = [&](std::string_view key, std::string_view text) { events.member(key, text); },
      .on_events = [&](const EventBatch& batch) { events.take(batch); },
  };
  PROF_TRY(const StreamReport report, stream_events(path, handler));
  events.finish();
  note_losses(report, sink);
  return {};
}

} // namespace prof::json
