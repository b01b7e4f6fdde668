#include "store/host_calls.hpp"

#include "store/call_names.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

namespace prof {
namespace {

// Which slices are waits and which are code.
class CallSorter {
public:
  CallSorter(const Store& store, std::span<const std::uint32_t> units)
      : t_(store.tables()), names_(store), units_(units.begin(), units.end()) {
    std::ranges::sort(units_);
    const auto known = [&](std::initializer_list<std::string_view> all) {
      std::vector<StrId> ids;
      for (const std::string_view one : all)
        if (const StrId id = store.id_of(one); !id.is_empty()) ids.push_back(id);
      return ids;
    };
    not_call_ = known({words::kRequest, words::kStage, words::kMark});
    not_code_ = known({words::kRun, words::kOp, words::kLock});
    op_ = store.id_of(words::kOp);
  }
  [[nodiscard]] bool is_wait(std::uint32_t slice) {
    if (t_.slice.layer[slice] != Layer::runtime) return false;
    const CallKind kind = names_.of(t_.slice.name[slice]);
    return kind == CallKind::synchronise || kind == CallKind::blocking_copy;
  }
  [[nodiscard]] bool is_call(std::uint32_t slice) const {
    const Layer layer = t_.slice.layer[slice];
    if (layer != Layer::application && layer != Layer::framework && layer != Layer::runtime) return false;
    return std::ranges::find(not_call_, t_.slice.category[slice]) == not_call_.end() &&
           !std::ranges::binary_search(units_, slice);
  }
  [[nodiscard]] bool is_code(std::uint32_t slice) const {
    return is_call(slice) && std::ranges::find(not_code_, t_.slice.category[slice]) == not_code_.end();
  }
  [[nodiscard]] bool is(CallSort sort, std::uint32_t slice) {
    switch (sort) {
    case CallSort::code:
      return is_code(slice);
    case CallSort::waits:
      return is_wait(slice);
    case CallSort::any:
      return is_call(slice);
    }
    return false;
  }
  // Whether a call adds nothing to what the one around it covers.
  [[nodiscard]] bool is_inside_other(std::uint32_t slice) const {
    const std::uint32_t parent = t_.slice.parent[slice];
    if (parent == kNoRow || end_of(slice) > end_of(parent)) return false;
    return is_code(parent) || (t_.slice.category[parent] == op_ && !op_.is_empty());
  }
  [[nodiscard]] std::int64_t end_of(std::uint32_t slice) const {
    return t_.slice.ts[slice] + t_.slice.dur[slice];
  }

private:
  const Tables& t_;
  CallNames names_;
  std::vector<std::uint32_t> units_;
  std::vector<StrId> not_call_, not_code_;
  StrId op_;
};

// Walks the slices of one track in order and gives every instant to the innermost call that it was told of.
class OwnTime {
public:
  OwnTime(const IntervalSet& asked, TimeByName& out) : asked_(asked), out_(out) {}
  void open(std::int64_t from, std::int64_t to, StrId name) {
    close_until(from);
    give(from);
    open_.push_back({to, name});
  }
  void close_until(std::int64_t ts) {
    for (; !open_.empty() && open_.back().to <= ts; open_.pop_back())
      give(open_.back().to);
  }

private:
  struct Open {
    std::int64_t to = 0;
    StrId name;
  };
  void give(std::int64_t to) {
    if (to > at_ && !open_.empty())
      if (const std::int64_t ns = covered(asked_, {at_, to}); ns > 0) out_[open_.back().name] += ns;
    at_ = std::max(at_, to);
  }
  const IntervalSet& asked_;
  TimeByName& out_;
  std::vector<Open> open_;
  std::int64_t at_ = std::numeric_limits<std::int64_t>::min();
};

} // namespace

std::int64_t rank_in(std::string_view name) {
  constexpr std::string_view kMark = "(rank ";
  const std::size_t at = name.rfind(kMark);
  if (at == std::string_view::npos || !name.ends_with(')')) return -1;
  name = name.substr(at + kMark.size());
  std::int64_t rank = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size() - 1, rank);
  return error == std::errc{} && end == name.data() + name.size() - 1 && rank >= 0 ? rank : -1;
}

HostCalls::HostCalls(const Store& store, std::span<const std::uint32_t> units) {
  const Tables& t = store.tables();
  struct Raw {
    std::vector<Interval> waits, code;
  };
  std::vector<Raw> raw(t.thread.tid.size());
  CallSorter sorter(store, units);
  for (std::uint32_t i = 0; i < t.slice.ts.size(); ++i) {
    const std::uint32_t thread = t.track.thread[t.slice.track[i]];
    if (thread == kNoRow || t.slice.dur[i] <= 0) continue;
    const Interval span{t.slice.ts[i], sorter.end_of(i)};
    if (sorter.is_wait(i)) raw[thread].waits.push_back(span);
    if (sorter.is_code(i) && !sorter.is_inside_other(i)) raw[thread].code.push_back(span);
  }
  threads_.reserve(raw.size());
  for (Raw& of : raw) {
    threads_.push_back({union_of(std::move(of.waits)), union_of(std::move(of.code))});
    has_waits_ = has_waits_ || !threads_.back().waits.empty();
  }
}

DeviceWork::DeviceWork(const Store& store) : of_process_(store.tables().process.pid.size()) {
  const Tables& t = store.tables();
  std::vector<std::vector<Interval>> of_device(t.device.name.size());
  std::set<std::pair<std::uint32_t, std::uint32_t>> launched; // process, device
  for (std::size_t k = 0; k < t.kernel.ts.size(); ++k) {
    const std::uint32_t device = t.stream.device[t.kernel.stream[k]];
    if (device == kNoRow) continue;
    of_device[device].push_back({t.kernel.ts[k], t.kernel.ts[k] + t.kernel.dur[k]});
    if (t.kernel.launch[k] == kNoRow) continue;
    const std::uint32_t process = t.track.process[t.slice.track[t.kernel.launch[k]]];
    if (process != kNoRow) launched.emplace(process, device);
  }
  std::vector<Interval> everything;
  for (auto& intervals : of_device) {
    intervals = union_of(std::move(intervals));
    everything.insert(everything.end(), intervals.begin(), intervals.end());
  }
  all_ = union_of(std::move(everything));
  for (std::uint32_t process = 0; process < of_process_.size(); ++process) {
    const std::int64_t rank = rank_in(store.text(t.process.name[process]));
    const auto first = launched.lower_bound({process, 0});
    const bool has_launched = first != launched.end() && first->first == process;
    std::vector<Interval> work;
    for (std::uint32_t device = 0; device < of_device.size(); ++device)
      if (has_launched ? launched.contains({process, device})
                       : rank >= 0 && rank_in(store.text(t.device.name[device])) == rank)
        work.insert(work.end(), of_device[device].begin(), of_device[device].end());
    of_process_[process] = union_of(std::move(work));
  }
}

const IntervalSet& DeviceWork::busy(std::uint32_t process) const {
  return process >= of_process_.size() || of_process_[process].empty() ? all_ : of_process_[process];
}

std::vector<TimeByName> own_call_time(const Store& store, std::vector<IntervalSet>& of_thread, CallSort sort,
                                      std::span<const std::uint32_t> units) {
  const Tables& t = store.tables();
  CallSorter sorter(store, units);
  std::vector<TimeByName> out(of_thread.size());
  for (std::uint32_t from = 0, to = 0; from < t.slice.ts.size(); from = to) {
    const std::uint32_t track = t.slice.track[from], thread = t.track.thread[track];
    to = static_cast<std::uint32_t>(
        std::ranges::upper_bound(t.slice.track.begin() + from, t.slice.track.end(), track) -
        t.slice.track.begin());
    if (thread == kNoRow || of_thread[thread].empty()) continue;
    std::vector<Interval> seen;
    OwnTime own(of_thread[thread], out[thread]);
    for (std::uint32_t i = from; i < to; ++i) {
      if (t.slice.dur[i] <= 0 || !sorter.is(sort, i)) continue;
      own.open(t.slice.ts[i], sorter.end_of(i), t.slice.name[i]);
      seen.push_back({t.slice.ts[i], sorter.end_of(i)});
    }
    own.close_until(std::numeric_limits<std::int64_t>::max());
    static_cast<void>(take(of_thread[thread], union_of(std::move(seen)))); // a thread may have several tracks
  }
  return out;
}

std::vector<std::int64_t> waits_in_ops(const Store& store) {
  const Tables& t = store.tables();
  const StrId op = store.id_of(words::kOp);
  std::vector<std::int64_t> out(t.op.slice.size(), 0);
  if (op.is_empty()) return out;
  CallSorter sorter(store, {});
  for (std::uint32_t i = 0; i < t.slice.ts.size(); ++i) {
    if (!sorter.is_wait(i)) continue;
    std::uint32_t around = t.slice.parent[i];
    while (around != kNoRow && t.slice.category[around] != op && !sorter.is_wait(around))
      around = t.slice.parent[around];
    if (around == kNoRow || t.slice.category[around] != op) continue;
    const auto found = std::ranges::lower_bound(t.op.slice, around);
    if (found != t.op.slice.end() && *found == around)
      out[static_cast<std::size_t>(found - t.op.slice.begin())] += t.slice.dur[i];
  }
  return out;
}

} // namespace prof
