#include "import/json/our_events.hpp"

#include "trace/chrome_words.hpp"
#include "trace/thread_state.hpp"

#include <algorithm>
#include <charconv>
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
  return owner.text() == text && owner.cpu <= std::numeric_limits<std::int32_t>::max() ? std::optional(owner)
                                                                                       : std::nullopt;
}

} // namespace

bool OurEvents::take(const EventBatch& batch, const TraceEvent& event) {
  if (event.phase == 'C') return counter(batch, event);
  if (event.phase != 'X') return false;
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
  if (!number_in(event.tid, cpu) || cpu > std::numeric_limits<std::int32_t>::max() || tid == nullptr ||
      tid->integer <= 0 || end_state == nullptr || end_state->text.size() != 1 || !saw(event))
    return false;
  const std::string_view name = event.name == std::to_string(tid->integer) ? std::string_view{} : event.name;
  (void)thread(number_or(find(batch, event, words::kArgPid, ValueKind::integer), 0), tid->integer, name);
  SchedSwitch change{.ts = {event.ts},
                     .cpu = static_cast<std::int32_t>(cpu),
                     .prev_state = 'R',
                     .next_tid = tid->integer,
                     .next_comm = texts_.intern(name)};
  sink_.sched_switch(change);
  if (end_state->text[0] == 'U') return true; // it was still running when the recording ended
  change.ts = {event.ts + event.dur};
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
  if (number_in(event.pid, pid) && pid != 0)
    track.process = lanes_.process_of(lanes_.lane(event.pid, event.tid));
  if (owner->tid >= 0) track.thread = thread(pid, owner->tid, {});
  if (owner->device >= 0) track.device = device_(owner->device);
  sink_.counter(sink_.counter_track(track), {event.ts},
                value.kind == ValueKind::integer ? static_cast<double>(value.integer) : value.real);
  return true;
}

void OurEvents::finish() {
  if (first_ns_ > last_ns_) return;
  for (const std::int64_t ts : {first_ns_, last_ns_})
    sink_.sched_wakeup({.ts = {ts}}); // of nobody
}

} // namespace prof::json
