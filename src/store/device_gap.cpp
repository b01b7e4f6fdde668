#include "store/device_gap.hpp"

#include "store/call_names.hpp"
#include "store/host_calls.hpp"
#include "store/intervals.hpp"
#include "store/request_time.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace prof {
namespace {

struct SyncCall {
  std::int64_t to = 0, from = 0;
  friend auto operator<=>(const SyncCall&, const SyncCall&) = default;
};

// What the threads did that explains a late launch.
class HostActivity {
public:
  explicit HostActivity(const Store& store) : t_(store.tables()) {
    std::vector<std::vector<Interval>> loading(t_.thread.tid.size()), slow(t_.thread.tid.size());
    CallNames names(store);
    for (std::size_t i = 0; i < t_.slice.ts.size(); ++i) {
      const std::uint32_t thread = t_.track.thread[t_.slice.track[i]];
      if (thread == kNoRow) continue;
      const Interval span{t_.slice.ts[i], t_.slice.ts[i] + t_.slice.dur[i]};
      const bool is_runtime = t_.slice.layer[i] == Layer::runtime;
      const CallKind kind = names.of(t_.slice.name[i]);
      if (kind == CallKind::loader) loading[thread].push_back(span);
      if (is_runtime && kind == CallKind::synchronise)
        syncs_[t_.thread.process[thread]].push_back({span.to, span.from});
      else if (is_runtime && t_.slice.dur[i] >= kSlowCall)
        slow[thread].push_back(span);
    }
    for (auto& [process, calls] : syncs_)
      std::ranges::sort(calls);
    for (std::size_t i = 0; i < loading.size(); ++i) {
      loading_.push_back(union_of(std::move(loading[i])));
      slow_.push_back(union_of(std::move(slow[i])));
    }
  }

  [[nodiscard]] const IntervalSet& loading(std::uint32_t thread) const { return loading_[thread]; }
  [[nodiscard]] const IntervalSet& slow_calls(std::uint32_t thread) const { return slow_[thread]; }
  // Was a synchronise call of the process running at `from`, and over before `launched`?
  [[nodiscard]] bool was_drained(std::uint32_t thread, std::int64_t from, std::int64_t launched) const {
    const auto calls = syncs_.find(t_.thread.process[thread]);
    if (calls == syncs_.end()) return false;
    for (auto at = std::ranges::lower_bound(calls->second, from, {}, &SyncCall::to);
         at != calls->second.end() && at->to <= launched; ++at)
      if (at->from <= from) return true;
    return false;
  }

private:
  const Tables& t_;
  std::vector<IntervalSet> loading_, slow_;              // by thread
  std::map<std::uint32_t, std::vector<SyncCall>> syncs_; // by process, in order of their end
};

class GapFinder {
public:
  explicit GapFinder(const Store& store) : t_(store.tables()), host_(store) {
    // Steps follow each other without pauses; requests of a service come when they come.
    if (!store.metadata("request.source").empty() || t_.request.slice.empty()) return;
    for (std::size_t i = 0; i < t_.request.ts.size(); ++i)
      work_.push_back({t_.request.ts[i], t_.request.ts[i] + t_.request.dur[i]});
    work_ = union_of(std::move(work_));
  }

  // Of each device and part, the instants by thread.
  using Parts =
      std::map<std::pair<std::uint32_t, IdleCall::Part>, std::map<std::uint32_t, std::vector<Interval>>>;
  explicit GapFinder(const Store& store, Parts* parts) : GapFinder(store) { parts_ = parts; }

  std::vector<DeviceGap> run() {
    std::vector<std::tuple<std::uint32_t, std::int64_t, std::uint32_t>> kernels; // device, start, row
    for (std::uint32_t k = 0; k < t_.kernel.ts.size(); ++k)
      if (const std::uint32_t device = t_.stream.device[t_.kernel.stream[k]]; device != kNoRow)
        kernels.emplace_back(device, t_.kernel.ts[k], k);
    std::ranges::sort(kernels);
    std::vector<DeviceGap> gaps;
    std::uint32_t of_device = kNoRow;
    std::int64_t busy_until = 0;
    for (const auto& [device, ts, kernel] : kernels) {
      if (device == of_device && ts > busy_until) {
        DeviceGap gap{.device = device, .kernel = kernel, .ts = busy_until, .dur = ts - busy_until};
        explain(gap);
        gaps.push_back(gap);
      }
      const std::int64_t end = ts + t_.kernel.dur[kernel];
      busy_until = device == of_device ? std::max(busy_until, end) : end;
      of_device = device;
    }
    return gaps;
  }

private:
  void explain(DeviceGap& gap) const {
    const std::int64_t end = gap.ts + gap.dur;
    IntervalSet rest{{gap.ts, end}};
    if (!work_.empty()) {
      rest = common(rest, work_);
      gap.no_work = gap.dur - length(rest);
    }
    const std::uint32_t launch = t_.kernel.launch[gap.kernel];
    const std::uint32_t thread = launch == kNoRow ? kNoRow : t_.track.thread[t_.slice.track[launch]];
    if (thread == kNoRow) {
      gap.unknown = length(rest);
      return;
    }
    const std::int64_t launched = t_.slice.ts[launch] + t_.slice.dur[launch];
    IntervalSet late = take(rest, {{gap.ts, std::clamp(launched, gap.ts, end)}});
    using Part = IdleCall::Part;
    gap.after_launch = tell(gap, Part::after_launch, thread, rest);
    for (const std::uint32_t who : {thread, caller_of(launch)}) {
      if (who == kNoRow) continue;
      gap.input += tell(gap, Part::input, who, take(late, host_.loading(who)));
      gap.slow_call += tell(gap, Part::start_up, who, take(late, host_.slow_calls(who)));
    }
    if (host_.was_drained(thread, gap.ts, t_.slice.ts[launch]))
      gap.sync = tell(gap, Part::host_sync, thread, late);
    else
      gap.launch = tell(gap, Part::host_launch, thread, late);
  }
  // The length of the instants, which are kept where somebody wants them.
  std::int64_t tell(const DeviceGap& gap, IdleCall::Part part, std::uint32_t thread,
                    const IntervalSet& instants) const {
    if (parts_ != nullptr && !instants.empty()) {
      std::vector<Interval>& all = (*parts_)[{gap.device, part}][thread];
      all.insert(all.end(), instants.begin(), instants.end());
    }
    return length(instants);
  }

  // The thread that handed the launch to the launching thread (a task queue); kNoRow = none.
  [[nodiscard]] std::uint32_t caller_of(std::uint32_t slice) const {
    constexpr int kMaxSteps = 64;
    for (int steps = 0; slice != kNoRow && steps < kMaxSteps; ++steps) {
      const auto flow = std::ranges::lower_bound(t_.flow.slice_in, slice); // sorted by it
      if (flow != t_.flow.slice_in.end() && *flow == slice) {
        const std::uint32_t from =
            t_.flow.slice_out[static_cast<std::size_t>(flow - t_.flow.slice_in.begin())];
        return from == kNoRow ? kNoRow : t_.track.thread[t_.slice.track[from]];
      }
      slice = t_.slice.parent[slice];
    }
    return kNoRow;
  }

  const Tables& t_;
  HostActivity host_;
  IntervalSet work_; // empty = all the time
  Parts* parts_ = nullptr;
};

} // namespace

std::string_view word(IdleCall::Part part) {
  static constexpr std::array<std::string_view, 5> kWords{"input", "start_up", "host_sync", "host_launch",
                                                          "after_launch"};
  return kWords[static_cast<std::size_t>(part)];
}

namespace {

constexpr std::size_t kMostOthers = 64; // threads of a process that are asked for what one does not say

class IdleCalls {
public:
  explicit IdleCalls(const Store& store) : store_(store), t_(store.tables()), units_(find_units(store)) {}

  void add(std::uint32_t device, IdleCall::Part part, std::vector<IntervalSet> of_thread) {
    name(device, part, of_thread);
    for (std::uint32_t thread = 0; thread < of_thread.size(); ++thread)
      if (!of_thread[thread].empty()) ask_others(device, part, thread, std::move(of_thread[thread]));
  }
  std::vector<IdleCall> take() { return std::move(out_); }

private:
  // Leaves in `of_thread` what no call covers.
  void name(std::uint32_t device, IdleCall::Part part, std::vector<IntervalSet>& of_thread) {
    const auto names = own_call_time(store_, of_thread, CallSort::any, units_.slice);
    for (std::uint32_t thread = 0; thread < names.size(); ++thread)
      for (const auto& [name, ns] : names[thread])
        out_.push_back({.device = device, .thread = thread, .part = part, .name = name, .ns = ns});
  }
  void ask_others(std::uint32_t device, IdleCall::Part part, std::uint32_t thread, IntervalSet rest) {
    std::size_t asked = 0;
    for (std::uint32_t other = 0; other < t_.thread.tid.size() && asked < kMostOthers && !rest.empty();
         ++other) {
      if (other == thread || t_.thread.process[other] != t_.thread.process[thread]) continue;
      ++asked;
      std::vector<IntervalSet> of_thread(t_.thread.tid.size());
      of_thread[other] = std::move(rest);
      name(device, part, of_thread);
      rest = std::move(of_thread[other]);
    }
  }
  const Store& store_;
  const Tables& t_;
  UnitTable units_;
  std::vector<IdleCall> out_;
};

} // namespace

std::vector<IdleCall> find_idle_calls(const Store& store) {
  GapFinder::Parts parts;
  static_cast<void>(GapFinder(store, &parts).run());
  IdleCalls calls(store);
  for (auto& [key, of_thread] : parts) {
    std::vector<IntervalSet> instants(store.tables().thread.tid.size());
    for (auto& [thread, intervals] : of_thread)
      instants[thread] = union_of(std::move(intervals));
    calls.add(key.first, key.second, std::move(instants));
  }
  return calls.take();
}

std::vector<DeviceGap> find_device_gaps(const Store& store) {
  return GapFinder(store).run();
}

} // namespace prof
