#include "import/json/event_lanes.hpp"

#include <charconv>

namespace prof::json {
namespace {

// Ids that are no numbers ("Spans", "CPU functions") get numbers beyond any the kernel gives out.
constexpr std::int64_t kMadeUp = std::int64_t{1} << 40;

bool is_number(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

} // namespace

bool number_in(std::string_view text, std::int64_t& number) {
  const std::size_t at = text.find_first_of("0123456789");
  if (at == std::string_view::npos) return false;
  return std::from_chars(text.data() + at, text.data() + text.size(), number).ec == std::errc{};
}

EventLanes::Owner& EventLanes::owner(std::string_view pid) {
  const auto [found, is_new] = owners_.try_emplace(std::string(pid));
  Owner& owner = found->second;
  if (is_new && !is_number(pid, owner.pid)) {
    owner.pid = kMadeUp + next_made_up_++;
    owner.name = pid;
  }
  return owner;
}

Lane& EventLanes::lane(std::string_view pid, std::string_view tid) {
  if (last_ != nullptr && last_->tid_text == tid && last_->pid_text == pid) return *last_;
  std::string key(pid);
  key.append(1, '\0').append(tid);
  const auto [found, is_new] = by_key_.try_emplace(std::move(key), nullptr);
  if (is_new) {
    Lane& lane = lanes_.emplace_back();
    lane.pid_text = pid;
    lane.tid_text = tid;
    lane.pid = owner(pid).pid;
    if (!is_number(tid, lane.tid)) {
      lane.tid = tid.empty() ? lane.pid : kMadeUp + next_made_up_++;
      if (!tid.empty()) thread_names_[&lane] = tid;
    }
    found->second = &lane;
  }
  last_ = found->second;
  return *last_;
}

Id<Process> EventLanes::process_of(Lane& lane) {
  if (lane.process) return lane.process;
  Owner& known = owner(lane.pid_text);
  if (!known.id)
    known.id = sink_.process(
        {.pid = known.pid, .name = sink_.intern(known.name), .cmdline = sink_.intern(known.cmdline)});
  lane.process = known.id;
  return lane.process;
}

Id<Track> EventLanes::track_of(Lane& lane) {
  if (lane.track) return lane.track;
  const auto name = thread_names_.find(&lane);
  const StrId label = name == thread_names_.end() ? StrId{} : sink_.intern(name->second);
  lane.thread = sink_.thread({.process = process_of(lane), .tid = lane.tid, .name = label});
  lane.track =
      sink_.track({.name = label, .kind = TrackKind::thread, .thread = lane.thread, .process = lane.process});
  return lane.track;
}

void EventLanes::name_process(std::string_view pid, std::string_view name) {
  Owner& known = owner(pid);
  known.name = name;
  if (known.id) known.id = sink_.process({.pid = known.pid, .name = sink_.intern(name), .cmdline = {}});
}

void EventLanes::describe_process(std::string_view pid, std::string_view cmdline) {
  owner(pid).cmdline = cmdline;
}

void EventLanes::name_thread(Lane& lane, std::string_view name) {
  thread_names_[&lane] = name;
  if (lane.thread)
    lane.thread = sink_.thread({.process = lane.process, .tid = lane.tid, .name = sink_.intern(name)});
}

} // namespace prof::json
