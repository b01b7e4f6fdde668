#include "store/replay.hpp"

#include "trace/enum_words.hpp"
#include "trace/state_marks.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace prof {
namespace {

// Rows of another table by the row they point to.
struct RowLists {
  std::vector<std::uint32_t> begin, rows;
  RowLists(const Column<std::uint32_t>& target, std::size_t targets) : begin(targets + 1, 0) {
    for (const std::uint32_t row : target)
      if (row != kNoRow) ++begin[row + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    rows.resize(begin.back());
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < target.size(); ++i)
      if (target[i] != kNoRow) rows[at[target[i]]++] = i;
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t row) const {
    return std::span(rows).subspan(begin[row], begin[row + 1] - begin[row]);
  }
};

class Teller {
public:
  Teller(const Store& store, TraceSink& sink)
      : store_(store), t_(store.tables()), sink_(sink), texts_(store.strings().size()),
        has_text_(texts_.size(), false) {}

  void run() {
    for (std::size_t i = 0; i < t_.metadata.key.size(); ++i)
      sink_.metadata(store_.text(t_.metadata.key[i]), store_.text(t_.metadata.value[i]));
    owners();
    tracks();
    slices();
    kernels();
    counters();
    stacks();
    samples();
    sched();
    ledger();
  }

private:
  StrId text(StrId id) {
    if (!has_text_[id.row]) {
      texts_[id.row] = sink_.intern(store_.text(id));
      has_text_[id.row] = true;
    }
    return texts_[id.row];
  }
  template <class Row>
  static Id<Row> id_at(const std::vector<Id<Row>>& ids, std::uint32_t row) {
    return row < ids.size() ? ids[row] : Id<Row>{};
  }

  void owners() {
    for (std::size_t i = 0; i < t_.process.pid.size(); ++i)
      processes_.push_back(sink_.process({.pid = t_.process.pid[i],
                                          .name = text(t_.process.name[i]),
                                          .cmdline = text(t_.process.cmdline[i])}));
    for (std::size_t i = 0; i < t_.thread.tid.size(); ++i)
      threads_.push_back(sink_.thread({.process = id_at(processes_, t_.thread.process[i]),
                                       .tid = t_.thread.tid[i],
                                       .name = text(t_.thread.name[i])}));
    for (std::size_t i = 0; i < t_.device.name.size(); ++i)
      devices_.push_back(sink_.device(
          {.name = text(t_.device.name[i]), .kind = t_.device.kind[i], .index = t_.device.index[i]}));
    for (std::size_t i = 0; i < t_.stream.name.size(); ++i)
      streams_.push_back(sink_.stream({.device = id_at(devices_, t_.stream.device[i]),
                                       .number = t_.stream.number[i],
                                       .name = text(t_.stream.name[i])}));
  }

  void tracks() {
    for (std::size_t i = 0; i < t_.track.name.size(); ++i)
      tracks_.push_back(sink_.track({.name = text(t_.track.name[i]),
                                     .kind = t_.track.kind[i],
                                     .thread = id_at(threads_, t_.track.thread[i]),
                                     .process = id_at(processes_, t_.track.process[i]),
                                     .stream = id_at(streams_, t_.track.stream[i]),
                                     .parent = id_at(tracks_, t_.track.parent[i])}));
  }

  void read_args(std::uint32_t set) {
    args_.clear();
    if (set == kNoRow) return;
    for (std::uint32_t i = t_.arg.set_begin[set]; i < t_.arg.set_begin[set + 1]; ++i) {
      ArgValue value = t_.arg.value[i];
      if (auto* id = std::get_if<StrId>(&value)) *id = text(*id);
      args_.push_back({text(t_.arg.key[i]), value});
    }
  }

  // Every flow row becomes a flow id of its own: its row number + 1.
  void slices() {
    const SliceTable& slices = t_.slice;
    const RowLists out(t_.flow.slice_out, slices.ts.size()), in(t_.flow.slice_in, slices.ts.size());
    std::vector<std::uint64_t> flows_out, flows_in;
    for (std::uint32_t i = 0; i < slices.ts.size(); ++i) {
      flows_out.clear();
      flows_in.clear();
      for (const std::uint32_t flow : out.of(i))
        flows_out.push_back(flow + 1ULL);
      for (const std::uint32_t flow : in.of(i))
        flows_in.push_back(flow + 1ULL);
      read_args(slices.arg_set[i]);
      sink_.slice({.track = tracks_[slices.track[i]],
                   .ts = Ts{slices.ts[i]},
                   .dur = Dur{slices.dur[i]},
                   .name = text(slices.name[i]),
                   .category = text(slices.category[i]),
                   .layer = slices.layer[i],
                   .args = args_,
                   .flows_out = flows_out,
                   .flows_in = flows_in});
    }
  }

  void kernels() {
    const KernelTable& kernels = t_.kernel;
    const RowLists in(t_.flow.kernel_in, kernels.ts.size());
    for (std::uint32_t i = 0; i < kernels.ts.size(); ++i) {
      read_args(kernels.arg_set[i]);
      const auto flows = in.of(i);
      sink_.kernel({.stream = streams_[kernels.stream[i]],
                    .ts = Ts{kernels.ts[i]},
                    .dur = Dur{kernels.dur[i]},
                    .name = text(kernels.name[i]),
                    .op_type = text(kernels.op_type[i]),
                    .kind = kernels.kind[i],
                    .correlation = kernels.correlation[i],
                    .flow_in = flows.empty() ? 0 : flows.back() + 1ULL,
                    .bytes = kernels.bytes[i],
                    .args = args_});
    }
  }

  void counters() {
    std::vector<Id<CounterTrack>> tracks;
    const CounterTrackTable& table = t_.counter_track;
    for (std::size_t i = 0; i < table.name.size(); ++i)
      tracks.push_back(sink_.counter_track({.name = text(table.name[i]),
                                            .unit = text(table.unit[i]),
                                            .cpu = table.cpu[i],
                                            .thread = id_at(threads_, table.thread[i]),
                                            .process = id_at(processes_, table.process[i]),
                                            .device = id_at(devices_, table.device[i])}));
    for (std::size_t i = 0; i < t_.counter.ts.size(); ++i)
      sink_.counter(tracks[t_.counter.track[i]], Ts{t_.counter.ts[i]}, t_.counter.value[i]);
  }

  void stacks() {
    std::vector<Id<Mapping>> mappings;
    for (std::size_t i = 0; i < t_.mapping.path.size(); ++i)
      mappings.push_back(sink_.mapping({.path = text(t_.mapping.path[i]),
                                        .build_id = text(t_.mapping.build_id[i]),
                                        .start = t_.mapping.start[i],
                                        .end = t_.mapping.end[i],
                                        .file_offset = t_.mapping.file_offset[i]}));
    for (std::uint32_t i = 0; i < t_.frame.function.size(); ++i)
      frames_.push_back(sink_.frame({.function = has_symbol(store_, i) ? text(t_.frame.function[i]) : StrId{},
                                     .mapping = id_at(mappings, t_.frame.mapping[i]),
                                     .rel_pc = t_.frame.rel_pc[i],
                                     .source_file = text(t_.frame.source_file[i]),
                                     .line = t_.frame.line[i],
                                     .kind = t_.frame.kind[i]}));
    stacks_.resize(t_.callstack.frame.size());
  }

  // Only stacks that a sample ends in are told; their callers come with them.
  Id<Callstack> stack(std::uint32_t leaf) {
    if (leaf == kNoRow) return {};
    if (stacks_[leaf]) return stacks_[leaf];
    path_.clear();
    for (std::uint32_t node = leaf; node != kNoRow; node = t_.callstack.parent[node])
      path_.push_back(frames_[t_.callstack.frame[node]]);
    std::ranges::reverse(path_);
    return stacks_[leaf] = sink_.callstack({path_});
  }

  void samples() {
    for (std::size_t i = 0; i < t_.sample.ts.size(); ++i)
      sink_.sample({.ts = Ts{t_.sample.ts[i]},
                    .thread = id_at(threads_, t_.sample.thread[i]),
                    .cpu = t_.sample.cpu[i],
                    .callstack = stack(t_.sample.callstack[i]),
                    .event = text(t_.sample.event[i]),
                    .weight = t_.sample.weight[i]});
  }

  std::int64_t tid(std::uint32_t thread) const {
    return thread < t_.thread.tid.size() ? t_.thread.tid[thread] : 0;
  }

  void sched() {
    const SchedTable& s = t_.sched;
    for (std::size_t i = 0; i < s.ts.size(); ++i) {
      const bool follows = i > 0 && s.cpu[i - 1] == s.cpu[i] && s.ts[i - 1] + s.dur[i - 1] == s.ts[i];
      if (!follows)
        sink_.sched_switch({.ts = Ts{s.ts[i]},
                            .cpu = s.cpu[i],
                            .prev_tid = 0,
                            .prev_state = 'R',
                            .next_tid = tid(s.thread[i]),
                            .next_prio = 120,
                            .next_comm = text(t_.thread.name[s.thread[i]])});
      if (s.end_state[i] == 'U') continue; // it was still running when the recording ended
      const bool is_followed =
          i + 1 < s.ts.size() && s.cpu[i + 1] == s.cpu[i] && s.ts[i] + s.dur[i] == s.ts[i + 1];
      sink_.sched_switch({.ts = Ts{s.ts[i] + s.dur[i]},
                          .cpu = s.cpu[i],
                          .prev_tid = tid(s.thread[i]),
                          .prev_state = s.end_state[i],
                          .next_tid = is_followed ? tid(s.thread[i + 1]) : 0,
                          .next_prio = 120,
                          .next_comm = is_followed ? text(t_.thread.name[s.thread[i + 1]]) : StrId{}});
    }
    const ThreadStateTable& states = t_.thread_state;
    state_marks();
    for (std::size_t i = 0; i < states.ts.size(); ++i)
      if (states.state[i] == 'R')
        sink_.sched_wakeup({.ts = Ts{states.ts[i]},
                            .cpu = 0,
                            .tid = tid(states.thread[i]),
                            .waker_tid = tid(states.waker_thread[i]),
                            .target_cpu = 0});
    sched_ends();
  }

  void state_marks() {
    StateMarks marks;
    const SchedTable& s = t_.sched;
    for (std::size_t i = 0; i < s.ts.size(); ++i)
      marks.run(s.thread[i], s.ts[i] + s.dur[i], s.end_state[i]);
    const ThreadStateTable& states = t_.thread_state;
    for (std::size_t i = 0; i < states.ts.size(); ++i)
      marks.state(states.thread[i], states.ts[i], states.ts[i] + states.dur[i], states.state[i]);
    for (const StateMark& mark : marks.take())
      sink_.sched_switch({.ts = Ts{mark.ts},
                          .cpu = kNoCpu,
                          .prev_tid = tid(static_cast<std::uint32_t>(mark.thread)),
                          .prev_state = mark.prev_state});
  }

  // The first and last states reach from end to end of what the scheduler told, which may be a row that left
  // no state of its own: a wakeup of nobody stands for it.
  void sched_ends() {
    const ThreadStateTable& states = t_.thread_state;
    if (states.ts.empty()) return;
    std::int64_t first = states.ts[0], last = states.ts[0];
    for (std::size_t i = 0; i < states.ts.size(); ++i) {
      first = std::min(first, states.ts[i]);
      last = std::max(last, states.ts[i] + states.dur[i]);
    }
    for (const std::int64_t ts : {first, last})
      sink_.sched_wakeup({.ts = Ts{ts}, .cpu = 0, .tid = 0, .waker_tid = 0, .target_cpu = 0});
  }

  void ledger() {
    for (std::size_t i = 0; i < t_.signal.name.size(); ++i) {
      if (!is_derived_signal(store_, i))
        sink_.signal({.name = text(t_.signal.name[i]),
                      .is_available = t_.signal.is_available[i],
                      .source = text(t_.signal.source[i]),
                      .reason = text(t_.signal.reason[i]),
                      .mend = text(t_.signal.mend[i]),
                      .detail = text(t_.signal.detail[i])});
    }
    for (std::size_t i = 0; i < t_.note.code.size(); ++i) {
      if (is_derived_note(store_, i)) continue;
      sink_.note({.severity = t_.note.severity[i],
                  .code = text(t_.note.code[i]),
                  .count = t_.note.count[i],
                  .where = text(t_.note.where[i])});
    }
    for (std::size_t i = 0; i < t_.gap.ts.size(); ++i)
      sink_.gap({.ts = Ts{t_.gap.ts[i]}, .dur = Dur{t_.gap.dur[i]}, .reason = text(t_.gap.reason[i])});
  }

  const Store& store_;
  const Tables& t_;
  TraceSink& sink_;
  std::vector<StrId> texts_;
  std::vector<bool> has_text_;
  std::vector<Id<Process>> processes_;
  std::vector<Id<Thread>> threads_;
  std::vector<Id<Device>> devices_;
  std::vector<Id<Stream>> streams_;
  std::vector<Id<Track>> tracks_;
  std::vector<Id<Frame>> frames_;
  std::vector<Id<Callstack>> stacks_;
  std::vector<Id<Frame>> path_;
  std::vector<Arg> args_;
};

} // namespace

void replay(const Store& store, TraceSink& sink) {
  Teller(store, sink).run();
}

bool is_derived_note(const Store& store, std::size_t row) {
  const std::string_view code = store.text(store.tables().note.code[row]);
  return code == "note.store.lane_overlap" || code == "note.store.not_ended" ||
         code == "note.store.stage_without_request";
}

bool is_derived_signal(const Store& store, std::size_t row) {
  const SignalTable& signals = store.tables().signal;
  return store.text(signals.source[row]) == "data" ||
         store.text(signals.reason[row]) == "signal.reason.not_recorded";
}

bool has_symbol(const Store& store, std::uint32_t frame) {
  const FrameTable& frames = store.tables().frame;
  return !is_stand_in(store.text(frames.function[frame]), frames.rel_pc[frame]);
}

} // namespace prof
