#include "import/ascend/trace_host.hpp"

#include "import/ascend/csv.hpp"
#include "import/reader_words.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace prof::ascend {
namespace {

using json::EventArg;
using json::EventBatch;
using json::Lane;
using json::TraceEvent;
using json::ValueKind;

// "4096,1024;\r\n1024" -> "4096,1024;1024".
std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text)
    if (c != '\r' && c != '\n') line += c;
  return line;
}

// The writer's unit in the key of a counter's value, and what it is here.
struct Unit {
  std::string_view suffix, unit;
  double factor = 1;
};
constexpr std::array<Unit, 5> kUnits{{{"MHz", "MHz", 1},
                                      {"(MB/s)", "bytes/s", 1e6},
                                      {"(%)", "percent", 1},
                                      {"KB", "bytes", 1024},
                                      {"(GB/s)", "bytes/s", 1e9}}};

} // namespace

void TraceHost::fill_args(const EventBatch& batch, const TraceEvent& event) {
  args_.clear();
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    if (arg->kind == ValueKind::null || (arg->kind == ValueKind::text && arg->text.empty())) continue;
    const std::string_view key = arg->key == "Input Dims"   ? words::kArgInputShapes
                                 : arg->key == "Input type" ? std::string_view("input_dtypes")
                                                            : arg->key;
    const bool is_list = arg->kind == ValueKind::text && key != arg->key;
    args_.push_back(
        {.key = texts_.intern(key),
         .value = is_list ? ArgValue(texts_.intern(one_line(arg->text))) : value_of(*arg, texts_)});
  }
}

void TraceHost::emit(Lane& lane, const TraceEvent& event, std::string_view category, Layer layer) {
  Id<Track> track = lanes_.track_of(lane);
  if (category == "python_function" &&
      index_.steps().is_cut_by(lane_of(event.pid, event.tid), {event.ts}, {event.dur})) {
    const auto [found, is_new] = beside_.try_emplace(&lane);
    if (is_new)
      found->second = sink_.track({.name = sink_.intern("calls that a step began in"),
                                   .kind = TrackKind::async,
                                   .process = lane.process});
    track = found->second;
  }
  sink_.slice({.track = track,
               .ts = {event.ts},
               .dur = {event.dur},
               .name = texts_.intern(event.name),
               .category = texts_.intern(category),
               .layer = layer,
               .args = args_,
               .flows_out = out_,
               .flows_in = in_});
}

void TraceHost::step(const TraceEvent& event, std::int64_t number) {
  Lane& lane = lanes_.lane(event.pid, event.tid);
  steps_.add(number, {event.ts}, {event.dur}, lanes_.process_of(lane));
  const auto of_stage = step_args(sink_, number);
  args_.assign(of_stage.begin(), of_stage.end());
  emit(lane, event, words::kStage, Layer::application);
}

void TraceHost::queue_flow(const EventBatch& batch, const TraceEvent& event) {
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg)
    if (arg->key == "correlation_id" && arg->kind == ValueKind::integer)
      (event.category == "enqueue" ? out_ : in_)
          .push_back(flow_id(FlowKind::queue, index_.rank(), static_cast<std::uint64_t>(arg->integer)));
}

void TraceHost::host(const EventBatch& batch, const TraceEvent& event) {
  Lane& lane = lanes_.lane(event.pid, event.tid);
  if (event.category == "enqueue" || event.category == "dequeue") {
    queue_flow(batch, event);
    args_.clear();
    return emit(lane, event, event.category, Layer::runtime);
  }
  if (event.category != "cpu_op") {
    fill_args(batch, event);
    return emit(lane, event, event.category, Layer::application);
  }
  if (std::int64_t number = 0; Steps::number_of(event.name, number)) return step(event, number);
  const std::uint64_t at = lane_of(event.pid, event.tid);
  out_ = index_.take_op_flows(at, event.ts);
  if (const std::uint64_t id = index_.autograd_out(at, event.ts); id != 0) out_.push_back(id);
  if (const std::uint64_t id = index_.autograd_in(at, event.ts); id != 0) in_.push_back(id);
  fill_args(batch, event);
  args_.push_back({.key = texts_.intern(words::kArgOpType), .value = texts_.intern(event.name)});
  ++ops_;
  emit(lane, event, words::kOp, Layer::framework);
}

// CANN's calls stand under a process of their own, but their thread ids are those of the program's threads:
// there they belong, inside the operator that made them.
void TraceHost::cann(const EventBatch& batch, const TraceEvent& event) {
  Lane& lane = lanes_.lane(index_.has_host() ? std::string_view(index_.python_pid()) : event.pid, event.tid);
  args_.clear();
  std::string_view level = "cann";
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    if (arg->key == "level" && arg->kind == ValueKind::text && !arg->text.empty()) level = arg->text;
    const bool says_more = arg->key == "Mode" || arg->key == "item_id";
    if (says_more && arg->kind == ValueKind::text && arg->text != "0")
      args_.push_back({.key = texts_.intern(arg->key), .value = texts_.intern(arg->text)});
  }
  if (const auto connection = connection_of(batch, event)) {
    if (const std::uint64_t id = index_.launch_out(*connection); id != 0) out_.push_back(id);
    if (const std::uint64_t id = index_.launch_in(*connection); id != 0) in_.push_back(id);
  }
  emit(lane, event, fmt::format("cann_{}", level), Layer::runtime);
}

void TraceHost::slice(const EventBatch& batch, const TraceEvent& event) {
  if (has_parts_ &&
      !seen_
           .insert(row_key(lane_of(event.pid, event.tid), event.ts, event.dur, texts_.intern(event.name).row))
           .second)
    return;
  out_.clear();
  in_.clear();
  switch (role_of_event(batch, event)) {
  case EventRole::host:
    return host(batch, event);
  case EventRole::cann:
    return cann(batch, event);
  case EventRole::other:
    fill_args(batch, event);
    return emit(lanes_.lane(event.pid, event.tid), event, words::kSpan, Layer::application);
  case EventRole::task: // these are in the index
  case EventRole::collective:
  case EventRole::part:
  case EventRole::overlap: // unions of what is here anyway
    break;
  }
}

void TraceHost::counter(const EventBatch& batch, const TraceEvent& event) {
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    if (arg->kind != ValueKind::integer && arg->kind != ValueKind::real) continue;
    if (arg->key == "acc_id") continue;
    const auto unit =
        std::ranges::find_if(kUnits, [&](const Unit& u) { return arg->key.ends_with(u.suffix); });
    double value = arg->kind == ValueKind::integer ? static_cast<double>(arg->integer) : arg->real;
    // Text results write the hit rate of the last-level cache as a fraction under a name that says percent;
    // the database of a like run has 90.2 where they have 0.894.
    if (arg->key == "Hit Rate(%)" && value <= 1) value *= 100;
    const auto track =
        sink_.counter_track({.name = texts_.intern(event.name),
                             .unit = unit == kUnits.end() ? StrId{} : texts_.intern(unit->unit),
                             .device = device_});
    sink_.counter(track, {event.ts}, unit == kUnits.end() ? value : value * unit->factor);
  }
}

void TraceHost::name(const EventBatch& batch, const TraceEvent& event) {
  if (event.name != "process_name" && event.name != "thread_name") return;
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    if (arg->key != "name" || arg->kind != ValueKind::text) continue;
    if (event.name == "process_name")
      lanes_.name_process(event.pid, arg->text);
    else
      lanes_.name_thread(lanes_.lane(event.pid, event.tid), arg->text);
  }
}

void TraceHost::take(const EventBatch& batch) {
  for (const TraceEvent& event : batch.events()) {
    if (event.phase == 'M') {
      name(batch, event);
      continue;
    }
    if (!event.has_ts || event.ts <= 0) {
      notes_.count("note.ascend.row_without_time", Severity::data_loss);
      continue;
    }
    if (event.phase == 'X')
      slice(batch, event);
    else if (event.phase == 'C')
      counter(batch, event);
    else if (event.phase != 's' && event.phase != 't' && event.phase != 'f') // flows: in the index
      notes_.count("note.chrome.phase_not_read", Severity::notice);
  }
}

Status TraceHost::read(const std::filesystem::path& path) {
  const json::EventHandler handler{.on_member = {}, .on_events = [&](const EventBatch& b) { take(b); }};
  PROF_TRY(const json::StreamReport report, json::stream_events(path, handler));
  (void)report; // the index has the same
  return {};
}

} // namespace prof::ascend
