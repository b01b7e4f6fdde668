// A TraceSink that keeps every row as it came, with text instead of ids, for tests.
#pragma once
#include "trace/sink.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace prof {

class RecordingSink final : public TraceSink {
public:
  struct SampleRow {
    std::int64_t ts = 0, tid = 0, weight = 0;
    int cpu = -1;
    std::string event;
    std::uint32_t callstack = Id<Callstack>::kNone;
  };
  struct CounterRow {
    std::string name, unit;
    std::int64_t cpu = -1, ts = 0, pid = 0, tid = 0;
    double value = 0;
  };
  struct SwitchRow {
    std::int64_t ts = 0, prev = 0, next = 0;
    int cpu = 0;
    char state = '?';
    std::string comm;
  };
  struct SignalRow {
    std::string name, source, reason, mend, detail;
    bool is_available = false;
  };
  struct NoteRow {
    Severity severity = Severity::info;
    std::string code, where;
    std::int64_t count = 0;
  };
  struct FrameRow {
    std::string path, function;
    std::uint64_t pc = 0;
    FrameKind kind = FrameKind::native;
  };

  std::vector<SampleRow> samples;
  std::vector<CounterRow> counters;
  std::vector<SwitchRow> switches;
  std::vector<SchedWakeup> wakeups;
  std::vector<SignalRow> signals;
  std::vector<NoteRow> notes;
  std::vector<FrameRow> frames;
  std::vector<std::vector<std::uint32_t>> stacks; // outermost first
  std::map<std::string, std::string> facts;
  std::map<std::int64_t, std::string> process_names, cmdlines, thread_names; // as a trace keeps them
  std::map<std::pair<std::string, std::uint64_t>, std::string> symbols;      // innermost function

  // The innermost user function of a sample, after naming.
  [[nodiscard]] std::string leaf(const SampleRow& row) const {
    if (row.callstack >= stacks.size()) return {};
    for (auto it = stacks[row.callstack].rbegin(); it != stacks[row.callstack].rend(); ++it)
      if (frames[*it].kind != FrameKind::kernel) return function(*it);
    return {};
  }
  [[nodiscard]] bool has_function(const SampleRow& row, std::string_view part) const {
    return row.callstack < stacks.size() &&
           std::ranges::any_of(
               stacks[row.callstack],
               [&](std::uint32_t frame) { return function(frame).find(part) != std::string::npos; });
  }
  [[nodiscard]] std::string function(std::uint32_t frame) const {
    if (!frames[frame].function.empty()) return frames[frame].function;
    const auto found = symbols.find({frames[frame].path, frames[frame].pc});
    return found == symbols.end() ? std::string{} : found->second;
  }
  [[nodiscard]] std::int64_t weight(std::string_view event, std::string_view part) const {
    std::int64_t sum = 0;
    for (const SampleRow& row : samples)
      if (row.event == event && has_function(row, part)) sum += row.weight;
    return sum;
  }
  [[nodiscard]] double last(std::string_view name) const {
    double value = -1;
    for (const CounterRow& row : counters)
      if (row.name == name) value = row.value;
    return value;
  }

  StrId intern(std::string_view text) override { return pool_.intern(text); }
  Id<Process> process(const Process& row) override {
    keep(process_names[row.pid], row.name, row.is_renamed);
    keep(cmdlines[row.pid], row.cmdline, row.is_renamed);
    return id_of<Process>(pids_, row.pid);
  }
  Id<Thread> thread(const Thread& row) override {
    keep(thread_names[row.tid], row.name, row.is_renamed && !row.name.is_empty());
    return id_of<Thread>(tids_, row.tid);
  }
  Id<Device> device(const Device&) override { return {devices_++}; }
  Id<Stream> stream(const Stream&) override { return {0}; }
  Id<Track> track(const Track&) override { return {0}; }
  Id<CounterTrack> counter_track(const CounterTrack& row) override {
    tracks_.push_back({.name = text(row.name),
                       .unit = text(row.unit),
                       .cpu = row.cpu,
                       .ts = 0,
                       .pid = row.process ? pids_[row.process.row] : 0,
                       .tid = row.thread ? tids_[row.thread.row] : 0,
                       .value = 0});
    return {static_cast<std::uint32_t>(tracks_.size() - 1)};
  }
  void slice(const Slice&) override {}
  void kernel(const Kernel&) override {}
  void counter(Id<CounterTrack> track, Ts ts, double value) override {
    CounterRow row = tracks_[track.row];
    row.ts = ts.ns;
    row.value = value;
    counters.push_back(row);
  }
  Id<Mapping> mapping(const Mapping& row) override {
    mappings_.push_back(text(row.path));
    return {static_cast<std::uint32_t>(mappings_.size() - 1)};
  }
  Id<Frame> frame(const Frame& row) override {
    frames.push_back({.path = row.mapping ? mappings_[row.mapping.row] : std::string{},
                      .function = text(row.function),
                      .pc = row.rel_pc,
                      .kind = row.kind});
    return {static_cast<std::uint32_t>(frames.size() - 1)};
  }
  Id<Callstack> callstack(const Callstack& row) override {
    std::vector<std::uint32_t> stack;
    for (const Id<Frame> frame : row.frames)
      stack.push_back(frame.row);
    stacks.push_back(std::move(stack));
    return {static_cast<std::uint32_t>(stacks.size() - 1)};
  }
  void sample(const Sample& row) override {
    samples.push_back({.ts = row.ts.ns,
                       .tid = tids_[row.thread.row],
                       .weight = row.weight,
                       .cpu = row.cpu,
                       .event = text(row.event),
                       .callstack = row.callstack.row});
  }
  void symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int, StrId function, StrId, std::uint32_t) override {
    symbols[{mappings_[mapping.row], rel_pc}] = text(function); // outermost comes first: the innermost stays
  }
  void sched_switch(const SchedSwitch& row) override {
    switches.push_back({.ts = row.ts.ns,
                        .prev = row.prev_tid,
                        .next = row.next_tid,
                        .cpu = row.cpu,
                        .state = row.prev_state,
                        .comm = text(row.next_comm)});
  }
  void sched_wakeup(const SchedWakeup& row) override { wakeups.push_back(row); }
  void signal(const Signal& row) override {
    signals.push_back({.name = text(row.name),
                       .source = text(row.source),
                       .reason = text(row.reason),
                       .mend = text(row.mend),
                       .detail = text(row.detail),
                       .is_available = row.is_available});
  }
  void note(const Note& row) override {
    notes.push_back(
        {.severity = row.severity, .code = text(row.code), .where = text(row.where), .count = row.count});
  }
  void gap(const Gap&) override {}
  void metadata(std::string_view key, std::string_view value) override { facts[std::string(key)] = value; }

  [[nodiscard]] std::string text(StrId id) const { return std::string(pool_.text(id)); }

private:
  void keep(std::string& known, StrId by, bool is_renamed) const {
    if (is_renamed || known.empty()) known = by.is_empty() ? std::string{} : text(by);
  }
  template <class Row>
  static Id<Row> id_of(std::vector<std::int64_t>& keys, std::int64_t key) {
    const auto found = std::ranges::find(keys, key);
    if (found != keys.end()) return {static_cast<std::uint32_t>(found - keys.begin())};
    keys.push_back(key);
    return {static_cast<std::uint32_t>(keys.size() - 1)};
  }
  StringPool pool_;
  std::vector<std::int64_t> pids_, tids_;
  std::vector<CounterRow> tracks_;
  std::vector<std::string> mappings_;
  std::uint32_t devices_ = 0;
};

} // namespace prof
