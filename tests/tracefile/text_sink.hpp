// text_sink.hpp: a sink that keeps every row as one line of text, so that whole traces compare as lists of
// lines.
#pragma once
#include "trace/sink.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace prof {

class TextSink : public TraceSink {
public:
  std::vector<std::string> lines; // events and rows, in the order of the calls
  std::vector<std::string> sorted() const {
    std::vector<std::string> out = lines;
    for (const auto& [key, row] : processes_)
      out.push_back(fmt::format("process {} name={} cmdline={}", key, t(row.name), t(row.cmdline)));
    for (const auto& row : threads_)
      out.push_back(fmt::format("thread {}", show(row)));
    for (const auto& row : devices_)
      out.push_back(fmt::format("device {}", show(row)));
    for (const auto& row : streams_)
      out.push_back(fmt::format("stream {}", show(row)));
    for (const auto& row : tracks_)
      out.push_back(fmt::format("track {}", show(row)));
    for (const auto& row : counters_)
      out.push_back(fmt::format("counter_track {}", show(row)));
    for (const auto& [key, value] : metadata_)
      out.push_back(fmt::format("metadata {}={}", key, value));
    std::sort(out.begin(), out.end());
    return out;
  }
  // The lines that begin with `word`.
  std::vector<std::string> of(std::string_view word) const {
    std::vector<std::string> out;
    for (const std::string& line : sorted())
      if (line.starts_with(std::string(word) + " ")) out.push_back(line);
    return out;
  }

  StrId intern(std::string_view text) override { return pool_.intern(text); }
  Id<Process> process(const Process& row) override {
    for (std::size_t i = 0; i < processes_.size(); ++i)
      if (processes_[i].first == row.pid) {
        Process& known = processes_[i].second;
        if (row.is_renamed || known.name.is_empty()) known.name = row.name;
        if (row.is_renamed || known.cmdline.is_empty()) known.cmdline = row.cmdline;
        return {static_cast<std::uint32_t>(i)};
      }
    processes_.emplace_back(row.pid, row);
    return {static_cast<std::uint32_t>(processes_.size() - 1)};
  }
  Id<Thread> thread(const Thread& row) override {
    for (std::size_t i = 0; i < threads_.size(); ++i)
      if (threads_[i].process == row.process && threads_[i].tid == row.tid) {
        if ((row.is_renamed && !row.name.is_empty()) || threads_[i].name.is_empty())
          threads_[i].name = row.name;
        return {static_cast<std::uint32_t>(i)};
      }
    threads_.push_back(row);
    return {static_cast<std::uint32_t>(threads_.size() - 1)};
  }
  Id<Device> device(const Device& row) override {
    for (std::size_t i = 0; i < devices_.size(); ++i)
      if (devices_[i].kind == row.kind && devices_[i].index == row.index)
        return {static_cast<std::uint32_t>(i)};
    devices_.push_back(row);
    return {static_cast<std::uint32_t>(devices_.size() - 1)};
  }
  Id<Stream> stream(const Stream& row) override {
    for (std::size_t i = 0; i < streams_.size(); ++i)
      if (streams_[i].device == row.device && streams_[i].number == row.number)
        return {static_cast<std::uint32_t>(i)};
    streams_.push_back(row);
    return {static_cast<std::uint32_t>(streams_.size() - 1)};
  }
  Id<Track> track(const Track& row) override {
    for (std::size_t i = 0; row.kind == TrackKind::thread && i < tracks_.size(); ++i)
      if (tracks_[i].kind == TrackKind::thread && tracks_[i].thread == row.thread)
        return {static_cast<std::uint32_t>(i)};
    tracks_.push_back(row);
    return {static_cast<std::uint32_t>(tracks_.size() - 1)};
  }
  Id<CounterTrack> counter_track(const CounterTrack& row) override {
    for (std::size_t i = 0; i < counters_.size(); ++i)
      if (show(counters_[i]) == show(row)) return {static_cast<std::uint32_t>(i)};
    counters_.push_back(row);
    return {static_cast<std::uint32_t>(counters_.size() - 1)};
  }
  void slice(const Slice& row) override {
    std::string line =
        fmt::format("slice [{}] {}+{} {} cat={} layer={}", show(tracks_.at(row.track.row)), row.ts.ns,
                    row.dur.ns, t(row.name), t(row.category), static_cast<int>(row.layer));
    for (const Arg& arg : row.args)
      line += " " + show(arg);
    for (const auto flow : row.flows_out)
      line += fmt::format(" out={}", flow);
    for (const auto flow : row.flows_in)
      line += fmt::format(" in={}", flow);
    lines.push_back(line);
  }
  void kernel(const Kernel& row) override {
    std::string line =
        fmt::format("kernel [{}] {}+{} {} op={} kind={} corr={} flow={} bytes={}",
                    show(streams_.at(row.stream.row)), row.ts.ns, row.dur.ns, t(row.name), t(row.op_type),
                    static_cast<int>(row.kind), row.correlation, row.flow_in, row.bytes);
    for (const Arg& arg : row.args)
      line += " " + show(arg);
    lines.push_back(line);
  }
  void counter(Id<CounterTrack> track, Ts ts, double value) override {
    lines.push_back(fmt::format("counter [{}] {} {}", show(counters_.at(track.row)), ts.ns, value));
  }
  Id<Mapping> mapping(const Mapping& row) override { return find(mappings_, row); }
  Id<Frame> frame(const Frame& row) override { return find(frames_, row); }
  Id<Callstack> callstack(const Callstack& row) override {
    std::string text;
    for (const Id<Frame> frame : row.frames)
      text += fmt::format("({})", show(frames_.at(frame.row)));
    stacks_.push_back(text);
    return {static_cast<std::uint32_t>(stacks_.size() - 1)};
  }
  void sample(const Sample& row) override {
    lines.push_back(fmt::format("sample {} [{}] cpu={} {} weight={} stack={}", row.ts.ns,
                                row.thread ? show(threads_.at(row.thread.row)) : "-", row.cpu, t(row.event),
                                row.weight, row.callstack ? stacks_.at(row.callstack.row) : "-"));
  }
  void symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int depth, StrId function, StrId file,
              std::uint32_t line) override {
    lines.push_back(fmt::format("symbol {} {:#x} #{} {} {}:{}", t(mappings_.at(mapping.row).path), rel_pc,
                                depth, t(function), t(file), line));
  }
  void sched_switch(const SchedSwitch& row) override {
    lines.push_back(fmt::format("switch {} cpu={} {}{} -> {} prio={} {}", row.ts.ns, row.cpu, row.prev_tid,
                                row.prev_state, row.next_tid, row.next_prio, t(row.next_comm)));
  }
  void sched_wakeup(const SchedWakeup& row) override {
    lines.push_back(fmt::format("wakeup {} cpu={} {} by {} to {}", row.ts.ns, row.cpu, row.tid, row.waker_tid,
                                row.target_cpu));
  }
  void signal(const Signal& row) override {
    lines.push_back(fmt::format("signal {} {} source={} reason={} mend={} detail={}", t(row.name),
                                row.is_available, t(row.source), t(row.reason), t(row.mend), t(row.detail)));
  }
  void note(const Note& row) override {
    lines.push_back(fmt::format("note {} {} x{} at {}", static_cast<int>(row.severity), t(row.code),
                                row.count, t(row.where)));
  }
  void gap(const Gap& row) override {
    lines.push_back(fmt::format("gap {}+{} {}", row.ts.ns, row.dur.ns, t(row.reason)));
  }
  void metadata(std::string_view key, std::string_view value) override {
    metadata_[std::string(key)] = std::string(value);
  }

private:
  std::string t(StrId id) const { return std::string(pool_.text(id)); }
  std::string show(const Arg& arg) const {
    std::string value;
    if (const auto* n = std::get_if<std::int64_t>(&arg.value)) value = fmt::format("{}", *n);
    if (const auto* x = std::get_if<double>(&arg.value)) value = fmt::format("{}d", *x);
    if (const auto* b = std::get_if<bool>(&arg.value)) value = *b ? "true" : "false";
    if (const auto* s = std::get_if<StrId>(&arg.value)) value = "'" + t(*s) + "'";
    return t(arg.key) + "=" + value;
  }
  std::string show(Id<Process> id) const {
    return id ? fmt::format("p{}", processes_.at(id.row).first) : "-";
  }
  std::string show(const Thread& row) const {
    return fmt::format("{}/t{} {}", show(row.process), row.tid, t(row.name));
  }
  std::string show(const Device& row) const {
    return fmt::format("{} kind={} #{}", t(row.name), static_cast<int>(row.kind), row.index);
  }
  std::string show(const Stream& row) const {
    return fmt::format("{} of {}: {}", row.number, show(devices_.at(row.device.row)), t(row.name));
  }
  std::string show(const Track& row) const {
    return fmt::format("{} kind={} thread={} process={} stream={} parent={}", t(row.name),
                       static_cast<int>(row.kind), row.thread ? show(threads_.at(row.thread.row)) : "-",
                       show(row.process), row.stream ? show(streams_.at(row.stream.row)) : "-",
                       row.parent ? t(tracks_.at(row.parent.row).name) : "-");
  }
  std::string show(const CounterTrack& row) const {
    return fmt::format("{} ({}) cpu={} thread={} process={} device={}", t(row.name), t(row.unit), row.cpu,
                       row.thread ? show(threads_.at(row.thread.row)) : "-", show(row.process),
                       row.device ? show(devices_.at(row.device.row)) : "-");
  }
  std::string show(const Mapping& row) const {
    return fmt::format("{} {} {:#x}-{:#x}@{:#x}", t(row.path), t(row.build_id), row.start, row.end,
                       row.file_offset);
  }
  std::string show(const Frame& row) const {
    return fmt::format("{}+{:#x} {} {}:{} k{}", row.mapping ? show(mappings_.at(row.mapping.row)) : "-",
                       row.rel_pc, t(row.function), t(row.source_file), row.line, static_cast<int>(row.kind));
  }
  template <class T>
  Id<T> find(std::vector<T>& rows, const T& row) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (show(rows[i]) == show(row)) return {static_cast<std::uint32_t>(i)};
    rows.push_back(row);
    return {static_cast<std::uint32_t>(rows.size() - 1)};
  }

  StringPool pool_;
  std::vector<std::pair<std::int64_t, Process>> processes_;
  std::vector<Thread> threads_;
  std::vector<Device> devices_;
  std::vector<Stream> streams_;
  std::vector<Track> tracks_;
  std::vector<CounterTrack> counters_;
  std::vector<Mapping> mappings_;
  std::vector<Frame> frames_;
  std::vector<std::string> stacks_;
  std::map<std::string, std::string> metadata_;
};

// Applies one scenario to any sink: what the writer gets and what a plain TextSink gets must be the same
// rows.
inline std::string join_lines(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines)
    out += line + "\n";
  return out;
}

} // namespace prof
