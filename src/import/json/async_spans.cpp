#include "import/json/async_spans.hpp"

#include "import/reader_words.hpp"
#include "trace/conventions.hpp"

#include <algorithm>

namespace prof::json {

std::size_t AsyncSpans::free_lane(const TraceEvent& event, Id<Process> process) {
  std::vector<Lane>& lanes = lanes_[{std::string(event.pid), std::string(event.category)}];
  const auto free = std::ranges::find(lanes, false, &Lane::is_taken);
  if (free != lanes.end()) return static_cast<std::size_t>(free - lanes.begin());
  const StrId name = texts_.intern(event.category.empty() ? std::string_view("async") : event.category);
  lanes.push_back({.track = sink_.track({.name = name, .kind = TrackKind::async, .process = process})});
  return lanes.size() - 1;
}

void AsyncSpans::begin(const TraceEvent& event, Id<Process> process, std::span<const Arg> args) {
  Span& span = spans_[key_of(event)];
  if (span.open.empty()) {
    span.lane = free_lane(event, process);
    lanes_[{std::string(event.pid), std::string(event.category)}][span.lane].is_taken = true;
  }
  span.open.push_back(
      {.ts = event.ts, .name = texts_.intern(event.name), .args = std::vector(args.begin(), args.end())});
}

void AsyncSpans::emit(const Key& key, Span& span, Dur dur) {
  const auto& [process, category, id] = key;
  Lane& lane = lanes_[{process, category}][span.lane];
  const Open& open = span.open.back();
  sink_.slice({.track = lane.track,
               .ts = {open.ts},
               .dur = dur,
               .name = open.name,
               .category = texts_.intern(category.empty() ? words::kSpan : std::string_view(category)),
               .layer = Layer::application,
               .args = open.args});
  span.open.pop_back();
  lane.is_taken = !span.open.empty();
}

bool AsyncSpans::end(const TraceEvent& event, std::span<const Arg> args) {
  const auto found = spans_.find(key_of(event));
  if (found == spans_.end()) return false;
  Open& open = found->second.open.back();
  open.args.insert(open.args.end(), args.begin(), args.end());
  emit(found->first, found->second, length_between(open.ts, event.ts));
  if (found->second.open.empty()) spans_.erase(found);
  return true;
}

void AsyncSpans::instant(const TraceEvent& event, Id<Process> process, std::span<const Arg> args) {
  const bool is_inside = spans_.contains(key_of(event));
  begin(event, process, args);
  const auto found = spans_.find(key_of(event));
  emit(found->first, found->second, {});
  if (!is_inside) spans_.erase(found);
}

void AsyncSpans::finish() {
  for (auto& [key, span] : spans_)
    while (!span.open.empty())
      emit(key, span, kUnfinished);
  spans_.clear();
}

} // namespace prof::json
