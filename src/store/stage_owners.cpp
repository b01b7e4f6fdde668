#include "store/stage_owners.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace prof {

const ArgValue* find_arg(const ArgTable& args, std::uint32_t set, StrId key) {
  if (set == kNoRow) return nullptr;
  for (std::uint32_t i = args.set_begin[set]; i < args.set_begin[set + 1]; ++i)
    if (args.key[i] == key) return &args.value[i];
  return nullptr;
}
StrId text_arg(const ArgTable& args, std::uint32_t set, StrId key) {
  const ArgValue* value = find_arg(args, set, key);
  const auto* text = value == nullptr ? nullptr : std::get_if<StrId>(value);
  return text == nullptr ? StrId{} : *text;
}

void TimeOwners::add(std::int64_t from, std::int64_t to, std::uint32_t slice) {
  if (to > from) spans_.push_back({.from = from, .to = to, .slice = slice});
}

void TimeOwners::seal() {
  struct Edge {
    std::int64_t ts = 0;
    bool is_start = false;
    std::uint32_t span = 0;
  };
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < spans_.size(); ++i) {
    edges.push_back({.ts = spans_[i].from, .is_start = true, .span = i});
    edges.push_back({.ts = spans_[i].to, .is_start = false, .span = i});
  }
  std::ranges::sort(edges, {}, [](const Edge& e) { return std::tuple(e.ts, e.is_start, e.span); });
  std::set<std::tuple<std::int64_t, std::int64_t, std::uint32_t>> by_start; // start, -end, span
  std::set<std::pair<std::int64_t, std::uint32_t>> by_end;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    const Span& span = spans_[edge.span];
    const std::tuple start{span.from, -span.to, edge.span};
    if (edge.is_start) {
      by_start.insert(start);
      by_end.emplace(span.to, edge.span);
    } else {
      by_start.erase(start);
      by_end.erase({span.to, edge.span});
    }
    if (i + 1 < edges.size() && edges[i + 1].ts == edge.ts) continue;
    std::uint32_t owner = kNoRow;
    if (!by_start.empty()) {
      const Span& last = spans_[std::get<2>(*by_start.rbegin())];
      if (overlap_ == Overlap::latest || last.to == by_end.begin()->first) owner = last.slice;
    }
    if (begins_.empty() || begins_.back().slice != owner)
      begins_.push_back({.from = edge.ts, .slice = owner});
  }
  spans_ = {};
}

TimeOwners::Part TimeOwners::at(std::int64_t ts) const {
  const auto after = std::ranges::upper_bound(begins_, ts, {}, &Begin::from);
  Part part;
  if (after != begins_.begin()) part.slice = (after - 1)->slice;
  if (after != begins_.end()) part.to = after->from;
  return part;
}

StageOwners::StageOwners(const Tables& t, const Words& words) : t_(t) {
  const SliceTable& slices = t.slice;
  for (std::uint32_t i = 0; i < slices.ts.size(); ++i) {
    const std::uint32_t track = slices.track[i];
    if (words.stage.is_empty() || slices.category[i] != words.stage || t.track.thread[track] == kNoRow)
      continue;
    const std::int64_t end = slices.ts[i] + slices.dur[i];
    of_track_.try_emplace(track, TimeOwners::Overlap::latest).first->second.add(slices.ts[i], end, i);
    if (t.track.process[track] == kNoRow || words.covers.is_empty() ||
        text_arg(t.arg, slices.arg_set[i], words.covers) != words.process)
      continue;
    of_process_.try_emplace(t.track.process[track], TimeOwners::Overlap::nested)
        .first->second.add(slices.ts[i], end, i);
  }
  for (auto* places : {&of_track_, &of_process_})
    for (auto& [place, owners] : *places)
      owners.seal();
}

TimeOwners::Part StageOwners::at(std::uint32_t track, std::int64_t ts) const {
  TimeOwners::Part own;
  if (t_.track.thread[track] == kNoRow) return own;
  if (const auto found = of_track_.find(track); found != of_track_.end()) own = found->second.at(ts);
  if (own.slice != kNoRow) return own;
  const auto found = of_process_.find(t_.track.process[track]);
  if (found == of_process_.end()) return own;
  const TimeOwners::Part covering = found->second.at(ts);
  return {.slice = covering.slice, .to = std::min(own.to, covering.to)};
}

} // namespace prof
