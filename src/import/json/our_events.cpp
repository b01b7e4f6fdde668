#include "import/json/our_events.hpp"

#include "import/json/kineto_words.hpp"
#include "import/reader_words.hpp"
#include "trace/chrome_words.hpp"
#include "trace/enum_words.hpp"
#include "trace/thread_state.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace prof::json {
namespace {

const EventArg* find(const EventBatch& batch, const TraceEvent& event, std::string_view key, ValueKind kind) {
  const EventArg* const end = batch.args_end(event);
  const EventArg* const found = std::find_if(
      batch.args_begin(event), end, [&](const EventArg& arg) { return arg.key == key && arg.kind == kind; });
  return found == end ? nullptr : found;
}

std::int64_t number_or(const EventArg* arg, std::int64_t otherwise) {
  return arg == nullptr ? otherwise : arg->integer;
}

// "cann.counter cpu 3" -> the owner; nullopt where it is not written as we write it.
std::optional<words::CounterOwner> owner_from(std::string_view category) {
  if (!category.starts_with(words::kCounter)) return std::nullopt;
  category.remove_prefix(words::kCounter.size());
  words::CounterOwner owner;
  const std::string_view text = category;
  const auto take = [&](std::string_view word, std::int64_t& number) {
    if (!category.starts_with(word)) return;
    category.remove_prefix(word.size());
    const auto [end, error] = std::from_chars(category.data(), category.data() + category.size(), number);
    category.remove_prefix(static_cast<std::size_t>(end - category.data()));
  };
  take(words::kOfCpu, owner.cpu);
  take(words::kOfThread, owner.tid);
  take(words::kOfDevice, owner.device);
  take(words::kOfProcess, owner.pid);
  return owner.text() == text && owner.cpu <= std::numeric_limits<std::int32_t>::max() ? std::optional(owner)
                                                                                       : std::nullopt;
}

// "1 7" -> 1, 7
std::vector<std::uint64_t> numbers_of(const EventArg* arg) {
  std::vector<std::uint64_t> out;
  if (arg == nullptr) return out;
  const char* at = arg->text.data();
  const char* const end = at + arg->text.size();
  while (at < end) {
    std::uint64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{}) break;
    out.push_back(number);
    at = next + 1;
  }
  return out;
}

// A JSON object holds a key once: the n-th value of "key" stands under "key#n".
std::string_view without_repeat(const EventBatch& batch, const TraceEvent& event, const EventArg& arg) {
  const std::size_t mark = arg.key.rfind('#');
  if (mark == std::string_view::npos || mark == 0) return arg.key;
  std::size_t n = 0;
  const char* const end = arg.key.data() + arg.key.size();
  if (std::from_chars(arg.key.data() + mark + 1, end, n).ptr != end || n < 2) return arg.key;
  const std::string_view key = arg.key.substr(0, mark);
  const auto is_first = [&](const EventArg& other) { return other.key == key; };
  return std::any_of(batch.args_begin(event), &arg, is_first) ? key : arg.key;
}

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::string_view text_of(const nlohmann::json& value) {
  const auto* text = value.get_ptr<const std::string*>();
  return text == nullptr ? std::string_view{} : std::string_view(*text);
}
std::int64_t number_of(const nlohmann::json& value) {
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}
// The rows of a member: arrays of at least `size` values.
void each_row(const nlohmann::json& ledger, const char* member, std::size_t size,
              const std::function<void(const nlohmann::json&)>& take) {
  const auto rows = ledger.find(member);
  if (rows == ledger.end() || !rows->is_array()) return;
  for (const auto& row : *rows)
    if (row.is_array() && row.size() >= size) take(row);
}

} // namespace

void OurEvents::ledger(std::string_view json) {
  const auto ledger = nlohmann::json::parse(json, nullptr, false);
  if (!ledger.is_object()) return;
  is_ours_ = true;
  if (const auto base = ledger.find("base_ns"); base != ledger.end()) base_ns_ = number_of(*base);
  each_row(ledger, "metadata", 2, [&](const auto& row) { sink_.metadata(text_of(row[0]), text_of(row[1])); });
  each_row(ledger, "signals", 6, [&](const auto& row) {
    sink_.signal({.name = sink_.intern(text_of(row[0])),
                  .is_available = row[1] == true,
                  .source = sink_.intern(text_of(row[2])),
                  .reason = sink_.intern(text_of(row[3])),
                  .mend = sink_.intern(text_of(row[4])),
                  .detail = sink_.intern(text_of(row[5]))});
  });
  each_row(ledger, "notes", 4, [&](const auto& row) {
    sink_.note({.severity = enum_of<Severity>(kSeverityWords, text_of(row[0])).value_or(Severity::notice),
                .code = sink_.intern(text_of(row[1])),
                .count = number_of(row[2]),
                .where = sink_.intern(text_of(row[3]))});
  });
  each_row(ledger, "gaps", 3, [&](const auto& row) {
    sink_.gap({.ts = {number_of(row[0])},
               .dur = stated(number_of(row[1])),
               .reason = sink_.intern(text_of(row[2]))});
  });
  each_row(ledger, "devices", 5, [&](const auto& row) {
    const std::int64_t number = number_of(row[0]);
    devices_.known(
        number,
        sink_.device(
            {.name = sink_.intern(text_of(row[3])),
             .kind = enum_of<DeviceKind>(kDeviceKindWords, text_of(row[2])).value_or(DeviceKind::other),
             .index = number_of(row[1])}));
    if (row[4].is_array())
      for (const auto& stream : row[4])
        if (stream.is_array() && stream.size() == 2)
          devices_.known_stream(number, number_of(stream[0]), text_of(stream[1]));
  });
  if (const auto samples = ledger.find("samples"); samples != ledger.end())
    // A statement about this copy: the recording lost nothing.
    say_note(sink_, Severity::notice, "note.chrome.samples_not_read", number_of(*samples));
}

TraceEvent OurEvents::on_its_clock(TraceEvent event) const {
  if (__builtin_add_overflow(event.ts, base_ns_, &event.ts)) event.has_ts = false; // a hostile file
  return event;
}

void OurEvents::name(const EventBatch& batch, const TraceEvent& event) {
  if (!is_ours_) return;
  if (const EventArg* cmdline = find(batch, event, words::kCmdlineOf, ValueKind::text))
    lanes_.describe_process(event.pid, cmdline->text);
  if (event.name != "thread_name") return;
  Lane& lane = lanes_.lane(event.pid, event.tid);
  const EventArg* kind = find(batch, event, words::kTrackOf, ValueKind::text);
  const EventArg* row = find(batch, event, words::kTrackRow, ValueKind::integer);
  if (kind != nullptr) EventLanes::put_on(lane, other_track(batch, event, lane, kind->text));
  if (row != nullptr) tracks_[row->integer] = lanes_.track_of(lane);
}

Id<Track> OurEvents::other_track(const EventBatch& batch, const TraceEvent& event, Lane& lane,
                                 std::string_view kind) {
  const EventArg* label = find(batch, event, "name", ValueKind::text);
  Track track{.name = texts_.intern(label == nullptr ? std::string_view{} : label->text),
              .kind = enum_of<TrackKind>(kTrackKindWords, kind).value_or(TrackKind::other)};
  const EventArg* device = find(batch, event, words::kTrackDevice, ValueKind::integer);
  const EventArg* stream = find(batch, event, words::kTrackStream, ValueKind::integer);
  if (device != nullptr && stream != nullptr)
    track.stream = devices_.stream(device->integer, stream->integer);
  else if (find(batch, event, words::kNoProcess, ValueKind::boolean) == nullptr)
    track.process = lanes_.process_of(lane);
  if (const EventArg* parent = find(batch, event, words::kTrackParent, ValueKind::integer))
    if (const auto known = tracks_.find(parent->integer); known != tracks_.end())
      track.parent = known->second;
  return sink_.track(track);
}

std::string_view OurEvents::key_of(const EventBatch& batch, const TraceEvent& event,
                                   const EventArg& arg) const {
  if (!is_ours_) return arg.key;
  return arg.key.starts_with(words::kOwnArg) ? arg.key.substr(words::kOwnArg.size())
                                             : without_repeat(batch, event, arg);
}

bool OurEvents::slice(const EventBatch& batch, const TraceEvent& event) {
  const EventArg* layer = find(batch, event, words::kLayerOf, ValueKind::text);
  if (layer == nullptr) return false;
  const EventArg* category = find(batch, event, words::kCategoryOf, ValueKind::text);
  const EventArg* added = find(batch, event, words::kAdded, ValueKind::text);
  args_.clear();
  for (const EventArg* arg = batch.args_begin(event); arg != batch.args_end(event); ++arg) {
    const bool is_own = arg->key.starts_with(words::kOwnArg);
    if ((!is_own && arg->key.starts_with(words::kOwn)) ||
        (added != nullptr && has_word(added->text, arg->key)))
      continue;
    const bool is_nan = arg->kind == ValueKind::null; // JSON has no word for it
    args_.push_back(
        {.key = texts_.intern(key_of(batch, event, *arg)),
         .value = is_nan ? ArgValue(std::numeric_limits<double>::quiet_NaN()) : value_of(*arg, texts_)});
  }
  flows_out_ = numbers_of(find(batch, event, words::kFlowsOut, ValueKind::text));
  flows_in_ = numbers_of(find(batch, event, words::kFlowsIn, ValueKind::text));
  if (const std::uint64_t launch = launch_flow(batch, event); launch != 0) flows_out_.push_back(launch);
  const EventArg* beside = find(batch, event, words::kBesideTid, ValueKind::text);
  sink_.slice({.track = lanes_.track_of(lanes_.lane(event.pid, beside == nullptr ? event.tid : beside->text)),
               .ts = {event.ts},
               .dur = {event.dur},
               .name = texts_.intern(event.name),
               .category = texts_.intern(category == nullptr ? event.category : category->text),
               .layer = enum_of<Layer>(kLayerWords, layer->text).value_or(Layer::application),
               .args = args_,
               .flows_out = flows_out_,
               .flows_in = flows_in_});
  return true;
}

bool OurEvents::take(const EventBatch& batch, const TraceEvent& event) {
  if (event.phase == 'C') return counter(batch, event);
  if (event.phase != 'X') return false;
  if (is_ours_ && slice(batch, event)) return true;
  if (event.category == words::kSchedRun) return run(batch, event);
  return event.category == words::kSchedState && state(batch, event);
}

bool OurEvents::saw(const TraceEvent& event) {
  if (event.dur < 0 || event.ts > std::numeric_limits<std::int64_t>::max() - event.dur) return false;
  first_ns_ = std::min(first_ns_, event.ts);
  last_ns_ = std::max(last_ns_, event.ts + event.dur);
  return true;
}

// The scheduler knows threads by their tid: it is told here which process has them.
Id<Thread> OurEvents::thread(std::int64_t pid, std::int64_t tid, std::string_view name) {
  const auto [known, is_new] = threads_.try_emplace(tid);
  if (is_new) {
    const std::string number = std::to_string(pid);
    const Id<Process> process =
        pid == 0 ? Id<Process>{} : lanes_.process_of(lanes_.lane(number, std::to_string(tid)));
    known->second = sink_.thread({.process = process, .tid = tid, .name = texts_.intern(name)});
  }
  return known->second;
}

// Two switches: from idle to the thread and back.
bool OurEvents::run(const EventBatch& batch, const TraceEvent& event) {
  const EventArg* const tid = find(batch, event, words::kArgTid, ValueKind::integer);
  const EventArg* const end_state = find(batch, event, words::kArgEndState, ValueKind::text);
  std::int64_t cpu = -1;
  if (!number_in(event.tid, cpu) || cpu < 0 || cpu > std::numeric_limits<std::int32_t>::max() ||
      tid == nullptr || tid->integer <= 0 || end_state == nullptr || end_state->text.size() != 1 ||
      !saw(event))
    return false;
  const std::int64_t end = event.ts + event.dur;
  marks_.run(tid->integer, end, end_state->text[0]);
  states_.push_back({.tid = tid->integer, .ts = event.ts, .end = end, .state = 'X'});
  const std::string_view name = event.name == std::to_string(tid->integer) ? std::string_view{} : event.name;
  (void)thread(number_or(find(batch, event, words::kArgPid, ValueKind::integer), 0), tid->integer, name);
  SchedSwitch change{.ts = {event.ts},
                     .cpu = static_cast<std::int32_t>(cpu),
                     .prev_state = 'R',
                     .next_tid = tid->integer,
                     .next_comm = texts_.intern(name)};
  sink_.sched_switch(change);
  if (end_state->text[0] == 'U') return true; // it was still running when the recording ended
  change.ts = {end};
  change.prev_tid = std::exchange(change.next_tid, 0);
  change.prev_state = end_state->text[0];
  change.next_comm = {};
  sink_.sched_switch(change);
  return true;
}

// What follows from the runs is worked out again; who woke the thread does not.
bool OurEvents::state(const EventBatch& batch, const TraceEvent& event) {
  const EventArg* const tid = find(batch, event, words::kArgTid, ValueKind::integer);
  if (tid == nullptr || tid->integer <= 0 || !saw(event)) return false;
  states_.push_back({.tid = tid->integer,
                     .ts = event.ts,
                     .end = event.ts + event.dur,
                     .state = thread_state_of(event.name)});
  if (event.name == thread_state_word('R'))
    sink_.sched_wakeup({.ts = {event.ts},
                        .tid = tid->integer,
                        .waker_tid = number_or(find(batch, event, words::kArgWaker, ValueKind::integer), 0)});
  return true;
}

bool OurEvents::counter(const EventBatch& batch, const TraceEvent& event) {
  const auto owner = owner_from(event.category);
  if (!owner || batch.args_end(event) - batch.args_begin(event) != 1) return false;
  const EventArg& value = *batch.args_begin(event);
  const std::string suffix = owner->text();
  if ((value.kind != ValueKind::integer && value.kind != ValueKind::real) || !event.name.ends_with(suffix))
    return false;
  CounterTrack track{.name = texts_.intern(event.name.substr(0, event.name.size() - suffix.size())),
                     .unit = texts_.intern(value.key),
                     .cpu = static_cast<std::int32_t>(owner->cpu)};
  std::int64_t pid = 0;
  if (number_in(event.pid, pid) && (pid != 0 || owner->pid == 0))
    track.process = lanes_.process_of(lanes_.lane(event.pid, event.tid));
  if (owner->tid >= 0) track.thread = thread(pid, owner->tid, {});
  if (owner->device >= 0) track.device = devices_.device(owner->device);
  sink_.counter(sink_.counter_track(track), {event.ts},
                value.kind == ValueKind::integer ? static_cast<double>(value.integer) : value.real);
  return true;
}

void OurEvents::finish() {
  if (first_ns_ > last_ns_) return;
  std::ranges::stable_sort(states_, {}, [](const State& row) { return std::pair(row.tid, row.ts); });
  for (std::size_t i = 0; i < states_.size(); ++i) {
    State& row = states_[i]; // a run that the thread was known not to be in to its end
    if (i + 1 < states_.size() && states_[i + 1].tid == row.tid)
      row.end = std::min(row.end, states_[i + 1].ts);
    marks_.state(row.tid, row.ts, row.end, row.state);
  }
  for (const StateMark& mark : marks_.take())
    sink_.sched_switch(
        {.ts = {mark.ts}, .cpu = kNoCpu, .prev_tid = mark.thread, .prev_state = mark.prev_state});
  for (const std::int64_t ts : {first_ns_, last_ns_})
    sink_.sched_wakeup({.ts = {ts}}); // of nobody
}

} // namespace prof::json
