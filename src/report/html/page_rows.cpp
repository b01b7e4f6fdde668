#include "report/html/page_rows.hpp"

#include "report/html/lanes.hpp"
#include "report/html/page_bytes.hpp"
#include "trace/conventions.hpp"
#include "trace/thread_state.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace prof {
namespace {

// Deeper nesting than a screen is high is drawn on the last row's lanes.
constexpr std::uint16_t kMaxDepth = 64;
// Names longer than this are cut on the page; the trace keeps them whole.
constexpr std::size_t kMaxNameBytes = 1000;

// Builds the rows group by group.
class RowBuilder {
public:
  explicit RowBuilder(const Store& store) : store_(store), t_(store.tables()) {
    page_.row_of_slice.assign(t_.slice.ts.size(), kNoRow);
    page_.row_of_kernel.assign(t_.kernel.ts.size(), kNoRow);
  }

  PageRows build() {
    find_busy_processes();
    add_async_groups();
    add_devices();
    add_processes();
    add_cpus();
    add_counters();
    for (const PageRow& row : page_.rows)
      page_.items += static_cast<std::int64_t>(row.source.size());
    return std::move(page_);
  }

private:
  std::uint32_t group(PageGroup group) {
    page_.groups.push_back(std::move(group));
    return static_cast<std::uint32_t>(page_.groups.size() - 1);
  }
  std::uint32_t row(PageRow row) {
    page_.rows.push_back(std::move(row));
    return static_cast<std::uint32_t>(page_.rows.size() - 1);
  }
  // Puts an item on the first lane that is free at its start.
  std::uint32_t place(Lanes& lanes, std::uint32_t source, std::int64_t ts, std::int64_t dur,
                      const PageRow& like) {
    std::size_t lane = lanes.first_free(ts);
    if (lane == lanes.size()) lane = lanes.add(row(like));
    lanes.occupy(lane, ts + std::max<std::int64_t>(dur, 0));
    page_.rows[lanes.row(lane)].source.push_back(source);
    return lanes.row(lane);
  }

  // Processes that did something of their own in this trace come open and first; the rest of the machine is
  // one closed group.
  void find_busy_processes() {
    std::vector<std::int64_t> weight(t_.process.pid.size());
    const auto add_thread = [&](std::uint32_t thread, std::int64_t n) {
      if (thread < t_.thread.process.size() && t_.thread.process[thread] < weight.size())
        weight[t_.thread.process[thread]] += n;
    };
    thread_track_.assign(t_.thread.tid.size(), kNoRow);
    track_begin_.assign(t_.track.kind.size() + 1, 0);
    for (const std::uint32_t track : t_.slice.track)
      ++track_begin_[track + 1];
    std::partial_sum(track_begin_.begin(), track_begin_.end(), track_begin_.begin());
    for (std::uint32_t i = 0; i < t_.track.kind.size(); ++i) {
      const std::int64_t n = track_begin_[i + 1] - track_begin_[i];
      if (t_.track.kind[i] == TrackKind::thread && t_.track.thread[i] < thread_track_.size()) {
        thread_track_[t_.track.thread[i]] = i;
        add_thread(t_.track.thread[i], n * 1000);
      } else if (t_.track.process[i] < weight.size())
        weight[t_.track.process[i]] += n * 1000;
    }
    for (const std::uint32_t thread : t_.sample.thread)
      add_thread(thread, 1);
    for (std::uint32_t p = 0; p < weight.size(); ++p)
      if (weight[p] > 0) busy_.push_back(p);
    std::ranges::stable_sort(busy_, std::greater<>(), [&](std::uint32_t p) { return weight[p]; });
    if (!busy_.empty()) return;
    for (std::uint32_t p = 0; p < weight.size() && p < 8; ++p)
      busy_.push_back(p);
  }

  // Requests, waiting stages and other async work of all processes, lane by lane.
  void add_async_groups() {
    std::map<int, std::vector<std::uint32_t>> by_class;
    for (std::uint32_t i = 0; i < t_.slice.ts.size(); ++i) {
      const TrackKind kind = t_.track.kind[t_.slice.track[i]];
      if (kind == TrackKind::thread || kind == TrackKind::stream) continue;
      const std::string_view category = store_.text(t_.slice.category[i]);
      by_class[category == words::kRequest ? 0 : category == words::kStage ? 1 : 2].push_back(i);
    }
    static constexpr std::string_view kKinds[] = {"requests", "waiting", "async"};
    for (auto& [which, slices] : by_class) {
      std::ranges::stable_sort(slices, {}, [&](std::uint32_t s) { return t_.slice.ts[s]; });
      const std::uint32_t g = group({.kind = std::string(kKinds[which]), .name = {}});
      Lanes lanes;
      const std::uint32_t nest = ++nests_;
      for (const std::uint32_t s : slices)
        page_.row_of_slice[s] = place(lanes, s, t_.slice.ts[s], t_.slice.dur[s],
                                      {.group = g, .nest = nest, .name = {}, .source = {}});
      for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        page_.rows[lanes.row(lane)].name = "#" + std::to_string(lane + 1);
    }
  }

  void add_devices() {
    std::vector<std::vector<std::uint32_t>> streams(t_.device.name.size());
    for (std::uint32_t s = 0; s < t_.stream.device.size(); ++s)
      if (t_.stream.device[s] < streams.size()) streams[t_.stream.device[s]].push_back(s);
    kernels_of_.resize(t_.stream.device.size());
    for (std::uint32_t k = 0; k < t_.kernel.ts.size(); ++k)
      if (t_.kernel.stream[k] < kernels_of_.size()) kernels_of_[t_.kernel.stream[k]].push_back(k);
    tracks_of_.resize(t_.stream.device.size());
    for (std::uint32_t track = 0; track < t_.track.kind.size(); ++track)
      if (t_.track.kind[track] == TrackKind::stream && t_.track.stream[track] < tracks_of_.size())
        tracks_of_[t_.track.stream[track]].push_back(track);
    std::vector<std::uint32_t> order(t_.device.name.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(
        order, {}, [&](std::uint32_t d) { return std::pair(t_.device.kind[d], t_.device.index[d]); });
    std::map<StrId, int> bearers; // devices of each name
    for (const StrId name : t_.device.name)
      ++bearers[name];
    for (const std::uint32_t d : order) {
      if (streams[d].empty()) continue;
      const std::uint32_t g =
          group({.kind = "device", .name = device_label(d, bearers.at(t_.device.name[d]) > 1)});
      for (const std::uint32_t s : streams[d])
        add_stream(g, s);
    }
  }
  // Two cards of one model have one name.
  std::string device_label(std::uint32_t device, bool is_shared) const {
    const std::string name = shortened(store_.text(t_.device.name[device]), 100);
    return is_shared ? name + " #" + std::to_string(t_.device.index[device]) : name;
  }
  void add_stream(std::uint32_t g, std::uint32_t stream) {
    std::string label = shortened(store_.text(t_.stream.name[stream]), 100);
    if (label.empty()) label = "stream " + std::to_string(t_.stream.number[stream]);
    Lanes lanes;
    const std::uint32_t nest = ++nests_;
    for (const std::uint32_t k : kernels_of_[stream])
      page_.row_of_kernel[k] =
          place(lanes, k, t_.kernel.ts[k], t_.kernel.dur[k],
                {.kind = RowKind::kernels, .group = g, .nest = nest, .name = label, .source = {}});
    // Several tracks may lie on one stream (the planes of a collective, its waits): each has its own name.
    for (const std::uint32_t track : tracks_of_[stream]) {
      const std::string own = shortened(store_.text(t_.track.name[track]), 100);
      add_nested(g, track, own.empty() ? label : own);
    }
  }

  // A track whose slices nest: a row per depth.
  void add_nested(std::uint32_t g, std::uint32_t track, const std::string& label) {
    const auto from = static_cast<std::uint32_t>(track_begin_[track]);
    const auto to = static_cast<std::uint32_t>(track_begin_[track + 1]);
    const std::uint32_t nest = ++nests_;
    std::map<std::uint16_t, std::vector<std::uint32_t>> by_depth;
    for (std::uint32_t s = from; s < to; ++s)
      by_depth[std::min(t_.slice.depth[s], kMaxDepth)].push_back(s);
    for (const auto& [depth, slices] : by_depth) {
      Lanes lanes;
      for (const std::uint32_t s : slices)
        page_.row_of_slice[s] =
            place(lanes, s, t_.slice.ts[s], t_.slice.dur[s],
                  {.group = g, .nest = nest, .depth = depth, .name = depth == 0 ? label : "", .source = {}});
    }
  }

  void add_processes() {
    std::vector<std::vector<std::uint32_t>> threads(t_.process.pid.size());
    for (std::uint32_t i = 0; i < t_.thread.tid.size(); ++i)
      if (t_.thread.process[i] < threads.size()) threads[t_.thread.process[i]].push_back(i);
    index_states();
    for (const std::uint32_t p : busy_) {
      const std::uint32_t g = group({.kind = "process", .name = process_label(store_, p), .process = p});
      // Threads with spans first, then by how long they ran.
      std::ranges::stable_sort(threads[p], std::greater<>(), [&](std::uint32_t i) { return thread_rank(i); });
      for (const std::uint32_t i : threads[p])
        add_thread(g, i);
    }
  }
  std::pair<bool, std::int64_t> thread_rank(std::uint32_t thread) const {
    const std::uint32_t track = thread_track_[thread];
    const bool has_slices = track != kNoRow && track_begin_[track + 1] > track_begin_[track];
    std::int64_t ran = 0;
    for (std::uint32_t i = state_begin_[thread]; i < state_begin_[thread + 1]; ++i)
      if (t_.thread_state.state[i] == 'X') ran += t_.thread_state.dur[i];
    return {has_slices, ran};
  }
  void index_states() {
    state_begin_.assign(t_.thread.tid.size() + 1, 0);
    for (const std::uint32_t thread : t_.thread_state.thread)
      if (thread + 1 < state_begin_.size()) ++state_begin_[thread + 1];
    std::partial_sum(state_begin_.begin(), state_begin_.end(), state_begin_.begin());
  }
  void add_thread(std::uint32_t parent, std::uint32_t thread) {
    const std::uint32_t from = state_begin_[thread], to = state_begin_[thread + 1];
    const std::uint32_t track = thread_track_[thread];
    const bool has_slices = track != kNoRow && track_begin_[track + 1] > track_begin_[track];
    if (from == to && !has_slices) return;
    const std::uint32_t g = group({.kind = "thread",
                                   .name = thread_label(store_, thread),
                                   .parent = static_cast<int>(parent),
                                   .thread = thread});
    if (from != to) {
      PageRow states{.kind = RowKind::state, .group = g, .nest = ++nests_, .name = {}, .source = {}};
      Lanes lanes;
      for (std::uint32_t i = from; i < to; ++i)
        place(lanes, i, t_.thread_state.ts[i], t_.thread_state.dur[i], states);
    }
    if (has_slices) add_nested(g, track, "");
  }

  void add_cpus() {
    if (t_.sched.ts.empty()) return;
    const std::uint32_t g = group({.kind = "cpus", .name = {}});
    const std::uint32_t nest = ++nests_;
    std::map<std::int32_t, Lanes> lanes;
    for (std::uint32_t i = 0; i < t_.sched.ts.size(); ++i)
      place(lanes[t_.sched.cpu[i]], i, t_.sched.ts[i], t_.sched.dur[i],
            {.kind = RowKind::cpu,
             .group = g,
             .nest = nest,
             .name = "CPU " + std::to_string(t_.sched.cpu[i]),
             .source = {}});
  }

  // Counters stand with their thread, or in a group of their process, or in one of the machine.
  void add_counters() {
    std::map<std::uint32_t, std::uint32_t> of_process, of_thread;
    for (std::uint32_t g = 0; g < page_.groups.size(); ++g) {
      if (page_.groups[g].kind == "process") of_process[page_.groups[g].process] = g;
      if (page_.groups[g].kind == "thread") of_thread[page_.groups[g].thread] = g;
    }
    std::map<std::uint32_t, std::uint32_t> made; // parent group (kNoRow = machine) -> counters group
    for (std::uint32_t c = 0; c < t_.counter_track.name.size(); ++c) {
      const auto thread = of_thread.find(t_.counter_track.thread[c]);
      if (thread != of_thread.end()) {
        page_.group_of_counter.push_back(thread->second);
        continue;
      }
      const auto process = of_process.find(t_.counter_track.process[c]);
      const std::uint32_t parent = process == of_process.end() ? kNoRow : process->second;
      const auto [at, is_new] = made.try_emplace(parent, 0);
      if (is_new)
        at->second = group(
            {.kind = "counters", .name = {}, .parent = parent == kNoRow ? -1 : static_cast<int>(parent)});
      page_.group_of_counter.push_back(at->second);
    }
  }

  const Store& store_;
  const Tables& t_;
  PageRows page_;
  std::vector<std::uint32_t> busy_; // processes, busiest first
  std::vector<std::uint32_t> thread_track_, state_begin_;
  std::vector<std::int64_t> track_begin_; // slices of track i: [begin[i], begin[i+1])
  std::vector<std::vector<std::uint32_t>> kernels_of_, tracks_of_; // by stream
  std::uint32_t nests_ = 0;
};

std::string_view kind_word(KernelKind kind) {
  switch (kind) {
  case KernelKind::compute:
    return "compute";
  case KernelKind::communication:
    return "communication";
  case KernelKind::memory:
    return "memory";
  }
  return "compute";
}

// The argument that says what type a slice is: of an operator its kind, of a stage what it waits for, of a
// request its status (which is no type when all went well).
std::string_view type_arg(std::string_view category) {
  if (category == words::kOp) return words::kArgOpType;
  if (category == words::kStage) return words::kArgWaitClass;
  if (category == words::kRequest) return words::kArgStatus;
  return {};
}

} // namespace

std::string thread_label(const Store& store, std::uint32_t thread) {
  const Tables& t = store.tables();
  if (thread >= t.thread.tid.size()) return "?";
  const std::string name = shortened(store.text(t.thread.name[thread]), 100);
  return name + (name.empty() ? "[" : " [") + std::to_string(t.thread.tid[thread]) + "]";
}

std::string process_label(const Store& store, std::uint32_t process) {
  const Tables& t = store.tables();
  if (process >= t.process.pid.size()) return "?";
  const std::string name = shortened(store.text(t.process.name[process]), 100);
  return name + (name.empty() ? "[" : " [") + std::to_string(t.process.pid[process]) + "]";
}

std::uint32_t PageNames::word(std::string_view text) {
  if (text.empty()) return 0;
  const auto [at, is_new] =
      word_index_.try_emplace(std::string(text), static_cast<std::uint32_t>(words_.size()));
  if (is_new) words_.push_back(shortened(text, kMaxNameBytes));
  return at->second;
}

std::uint32_t PageNames::add(const std::string& key, std::string_view text, std::string_view category,
                             std::string_view type, Layer layer) {
  const auto [at, is_new] = index_.try_emplace(key, static_cast<std::uint32_t>(names_.size()));
  if (is_new)
    names_.push_back(
        {shortened(text, kMaxNameBytes), word(category), word(type), static_cast<std::uint8_t>(layer)});
  return at->second;
}

std::uint32_t PageNames::of_slice(std::uint32_t slice) {
  const Tables& t = store_.tables();
  const std::string_view category = store_.text(t.slice.category[slice]);
  StrId type;
  if (const std::string_view arg = type_arg(category); !arg.empty())
    if (const ArgValue* value = store_.find_arg(t.slice.arg_set[slice], arg))
      if (const StrId* text = std::get_if<StrId>(value);
          text != nullptr && !(category == words::kRequest && store_.text(*text) == "ok"))
        type = *text;
  std::string key("s");
  put(key, t.slice.name[slice].row);
  put(key, t.slice.category[slice].row);
  put(key, type.row);
  put(key, t.slice.layer[slice]);
  return add(key, store_.text(t.slice.name[slice]), category, store_.text(type), t.slice.layer[slice]);
}

std::uint32_t PageNames::of_kernel(std::uint32_t kernel) {
  const Tables& t = store_.tables();
  std::string key("k");
  put(key, t.kernel.name[kernel].row);
  put(key, t.kernel.op_type[kernel].row);
  put(key, t.kernel.kind[kernel]);
  return add(key, store_.text(t.kernel.name[kernel]), kind_word(t.kernel.kind[kernel]),
             store_.text(t.kernel.op_type[kernel]), Layer::device);
}

std::uint32_t PageNames::of(RowKind kind, std::uint32_t source) {
  const Tables& t = store_.tables();
  switch (kind) {
  case RowKind::slices:
    return of_slice(source);
  case RowKind::kernels:
    return of_kernel(source);
  case RowKind::cpu: {
    const std::uint32_t thread = t.sched.thread[source];
    std::string key("t");
    put(key, thread);
    const std::string process =
        thread < t.thread.process.size() ? process_label(store_, t.thread.process[thread]) : std::string();
    return add(key, thread_label(store_, thread), "cpu", process, Layer::os);
  }
  case RowKind::state: {
    const std::string_view word = thread_state_word(t.thread_state.state[source]);
    return add("x" + std::string(word), word, "state", "", Layer::os);
  }
  }
  return 0;
}

PageRows build_rows(const Store& store) {
  return RowBuilder(store).build();
}

std::vector<RowItem> row_items(const Store& store, const PageRow& row, PageNames& names) {
  const Tables& t = store.tables();
  const std::int64_t zero = store.start().ns;
  std::vector<RowItem> items;
  items.reserve(row.source.size());
  for (const std::uint32_t s : row.source) {
    RowItem item{.name = names.of(row.kind, s), .id = s};
    switch (row.kind) {
    case RowKind::slices:
      item.ts = t.slice.ts[s], item.dur = t.slice.dur[s], item.arg = t.slice.arg_set[s] + 1; // kNoRow + 1 = 0
      break;
    case RowKind::kernels:
      item.ts = t.kernel.ts[s], item.dur = t.kernel.dur[s], item.arg = t.kernel.arg_set[s] + 1;
      break;
    case RowKind::cpu:
      item.ts = t.sched.ts[s], item.dur = t.sched.dur[s], item.arg = t.sched.thread[s] + 1;
      break;
    case RowKind::state:
      item.ts = t.thread_state.ts[s], item.dur = t.thread_state.dur[s];
      item.arg = t.thread_state.state[s] == 'X' ? static_cast<std::uint32_t>(t.thread_state.cpu[s] + 1)
                                                : t.thread_state.waker_thread[s] + 1;
      break;
    }
    item.ts = std::max<std::int64_t>(0, item.ts - zero);
    item.dur = std::max<std::int64_t>(0, item.dur);
    items.push_back(item);
  }
  return items;
}

} // namespace prof
