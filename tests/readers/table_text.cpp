#include "table_text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace prof::testing {
namespace {

class Describe {
public:
  explicit Describe(const Store& store) : store_(store), t_(store.tables()) {}

  [[nodiscard]] std::string text(StrId id) const {
    return id.is_empty() ? "-" : std::string(store_.text(id));
  }
  [[nodiscard]] std::string process(std::uint32_t row) const {
    return row == kNoRow ? "-" : std::to_string(t_.process.pid[row]);
  }
  [[nodiscard]] std::string thread(std::uint32_t row) const {
    return row == kNoRow ? "-" : fmt::format("{}/{}", process(t_.thread.process[row]), t_.thread.tid[row]);
  }
  [[nodiscard]] std::string device(std::uint32_t row) const {
    return row == kNoRow ? "-"
                         : fmt::format("{}:{}", static_cast<int>(t_.device.kind[row]), t_.device.index[row]);
  }
  [[nodiscard]] std::string stream(std::uint32_t row) const {
    return row == kNoRow ? "-" : fmt::format("{}#{}", device(t_.stream.device[row]), t_.stream.number[row]);
  }
  // Without its name where that may come late: a thread's track is known by its thread.
  [[nodiscard]] std::string track(std::uint32_t row, bool has_name = true) const {
    if (row == kNoRow) return "-";
    const TrackTable& track = t_.track;
    return fmt::format("{} {} thread {} process {} stream {}", static_cast<int>(track.kind[row]),
                       has_name && track.kind[row] != TrackKind::thread ? text(track.name[row]) : "",
                       thread(track.thread[row]), process(track.process[row]), stream(track.stream[row]));
  }
  [[nodiscard]] std::string args(std::uint32_t set) const {
    std::string out;
    if (set == kNoRow) return out;
    for (std::uint32_t i = t_.arg.set_begin[set]; i < t_.arg.set_begin[set + 1]; ++i) {
      out += fmt::format(" {}=", text(t_.arg.key[i]));
      const ArgValue& value = t_.arg.value[i];
      if (const auto* integer = std::get_if<std::int64_t>(&value))
        out += fmt::format("{}", *integer);
      else if (const auto* real = std::get_if<double>(&value))
        out += fmt::format("{:a}", *real); // every bit counts, and 1 is not 1.0
      else if (const auto* flag = std::get_if<bool>(&value))
        out += *flag ? "true" : "false";
      else
        out += fmt::format("'{}'", store_.text(std::get<StrId>(value)));
    }
    return out;
  }
  [[nodiscard]] std::string slice(std::uint32_t row) const {
    return row == kNoRow
               ? "-"
               : fmt::format("{}@{}+{}", text(t_.slice.name[row]), t_.slice.ts[row], t_.slice.dur[row]);
  }
  [[nodiscard]] std::string kernel(std::uint32_t row) const {
    return row == kNoRow ? "-"
                         : fmt::format("{}@{} on {}", text(t_.kernel.name[row]), t_.kernel.ts[row],
                                       stream(t_.kernel.stream[row]));
  }
  [[nodiscard]] std::string frame(std::uint32_t row) const {
    const FrameTable& frame = t_.frame;
    const std::uint32_t mapping = frame.mapping[row];
    return fmt::format("{} {}:{} {:x} {} in {}", text(frame.function[row]), text(frame.source_file[row]),
                       frame.line[row], frame.rel_pc[row], static_cast<int>(frame.kind[row]),
                       mapping == kNoRow ? "-" : text(t_.mapping.path[mapping]));
  }
  [[nodiscard]] std::string stack(std::uint32_t row) const {
    std::string out;
    for (; row != kNoRow; row = t_.callstack.parent[row])
      out += " < " + frame(t_.callstack.frame[row]);
    return out;
  }

private:
  const Store& store_;
  const Tables& t_;
};

template <class Column, class Line>
Lines lines(const Column& column, Line line) {
  Lines out;
  out.reserve(column.size());
  for (std::uint32_t row = 0; row < column.size(); ++row)
    out.push_back(line(row));
  std::ranges::sort(out);
  return out;
}

void add_machine(const Tables& t, const Describe& d, TableText& out) {
  out["process"] = lines(t.process.pid, [&](auto i) {
    return fmt::format("{} {} {}", t.process.pid[i], d.text(t.process.name[i]), d.text(t.process.cmdline[i]));
  });
  out["thread"] = lines(t.thread.tid, [&](auto i) { return d.thread(i) + " " + d.text(t.thread.name[i]); });
  out["device"] = lines(t.device.kind, [&](auto i) { return d.device(i) + " " + d.text(t.device.name[i]); });
  out["stream"] =
      lines(t.stream.number, [&](auto i) { return d.stream(i) + " " + d.text(t.stream.name[i]); });
  out["track"] =
      lines(t.track.kind, [&](auto i) { return d.track(i) + " in " + d.track(t.track.parent[i]); });
  out["mapping"] = lines(t.mapping.path, [&](auto i) {
    return fmt::format("{} {} {:x} {:x} {:x}", d.text(t.mapping.path[i]), d.text(t.mapping.build_id[i]),
                       t.mapping.start[i], t.mapping.end[i], t.mapping.file_offset[i]);
  });
}

void add_work(const Tables& t, const Describe& d, TableText& out) {
  out["slice"] = lines(t.slice.ts, [&](auto i) {
    return fmt::format("{} {} layer {} depth {} on {} in {} args{}", d.slice(i), d.text(t.slice.category[i]),
                       static_cast<int>(t.slice.layer[i]), t.slice.depth[i], d.track(t.slice.track[i]),
                       d.slice(t.slice.parent[i]), d.args(t.slice.arg_set[i]));
  });
  out["kernel"] = lines(t.kernel.ts, [&](auto i) {
    return fmt::format("{}+{} {} kind {} bytes {} correlation {} launched by {} args{}", d.kernel(i),
                       t.kernel.dur[i], d.text(t.kernel.op_type[i]), static_cast<int>(t.kernel.kind[i]),
                       t.kernel.bytes[i], t.kernel.correlation[i], d.slice(t.kernel.launch[i]),
                       d.args(t.kernel.arg_set[i]));
  });
  out["flow"] = lines(t.flow.slice_out, [&](auto i) {
    return fmt::format("{} -> {} {}", d.slice(t.flow.slice_out[i]), d.slice(t.flow.slice_in[i]),
                       d.kernel(t.flow.kernel_in[i]));
  });
  out["request"] = lines(t.request.ts, [&](auto i) {
    return fmt::format("{} {}@{}+{} {}", t.request.request_id[i], d.text(t.request.name[i]), t.request.ts[i],
                       t.request.dur[i], d.text(t.request.status[i]));
  });
  out["stage"] = lines(t.stage.ts, [&](auto i) {
    return fmt::format("{}@{}+{} {} on {}", d.text(t.stage.name[i]), t.stage.ts[i], t.stage.dur[i],
                       d.text(t.stage.wait_class[i]), d.thread(t.stage.thread[i]));
  });
  out["op"] = lines(t.op.ts, [&](auto i) {
    return fmt::format("{}@{}+{} self {} {} {} on {}", d.text(t.op.name[i]), t.op.ts[i], t.op.dur[i],
                       t.op.self_dur[i], d.text(t.op.op_type[i]), d.text(t.op.model[i]),
                       d.thread(t.op.thread[i]));
  });
}

void add_observations(const Tables& t, const Describe& d, TableText& out) {
  const auto counter = [&](std::uint32_t i) {
    const CounterTrackTable& track = t.counter_track;
    return fmt::format("{} {} cpu {} {} {} {}", d.text(track.name[i]), d.text(track.unit[i]), track.cpu[i],
                       d.thread(track.thread[i]), d.process(track.process[i]), d.device(track.device[i]));
  };
  out["counter_track"] = lines(t.counter_track.name, counter);
  out["counter"] = lines(t.counter.ts, [&](auto i) {
    return fmt::format("{} @{} {:a}", counter(t.counter.track[i]), t.counter.ts[i], t.counter.value[i]);
  });
  out["sample"] = lines(t.sample.ts, [&](auto i) {
    return fmt::format("{} {} cpu {} {} x{}{}", t.sample.ts[i], d.thread(t.sample.thread[i]), t.sample.cpu[i],
                       d.text(t.sample.event[i]), t.sample.weight[i], d.stack(t.sample.callstack[i]));
  });
  out["sched"] = lines(t.sched.ts, [&](auto i) {
    return fmt::format("{}+{} cpu {} {} {}", t.sched.ts[i], t.sched.dur[i], t.sched.cpu[i],
                       d.thread(t.sched.thread[i]), t.sched.end_state[i]);
  });
}

void add_ledger(const Tables& t, const Describe& d, TableText& out) {
  out["signal"] = lines(t.signal.name, [&](auto i) {
    return fmt::format("{} {} {} {} {} {}", d.text(t.signal.name[i]),
                       static_cast<bool>(t.signal.is_available[i]), d.text(t.signal.source[i]),
                       d.text(t.signal.reason[i]), d.text(t.signal.mend[i]), d.text(t.signal.detail[i]));
  });
  out["note"] = lines(t.note.code, [&](auto i) {
    return fmt::format("{} {} x{} {}", static_cast<int>(t.note.severity[i]), d.text(t.note.code[i]),
                       t.note.count[i], d.text(t.note.where[i]));
  });
  out["gap"] = lines(t.gap.ts, [&](auto i) {
    return fmt::format("{}+{} {}", t.gap.ts[i], t.gap.dur[i], d.text(t.gap.reason[i]));
  });
  out["metadata"] = lines(
      t.metadata.key, [&](auto i) { return d.text(t.metadata.key[i]) + "=" + d.text(t.metadata.value[i]); });
}

} // namespace

TableText table_text(const Store& store) {
  const Tables& t = store.tables();
  const Describe d(store);
  TableText out;
  add_machine(t, d, out);
  add_work(t, d, out);
  add_observations(t, d, out);
  add_ledger(t, d, out);
  return out;
}

TableText events_text(const Store& store, bool has_names) {
  const Tables& t = store.tables();
  const Describe d(store);
  const auto name = [&](StrId id) { return has_names ? d.text(id) : std::string(); };
  TableText out;
  out["slice"] = lines(t.slice.ts, [&](auto i) {
    return fmt::format("{}@{}+{} on {}", name(t.slice.name[i]), t.slice.ts[i], t.slice.dur[i],
                       d.track(t.slice.track[i], false));
  });
  out["kernel"] = lines(t.kernel.ts, [&](auto i) {
    return fmt::format("{}@{}+{} on {}", name(t.kernel.name[i]), t.kernel.ts[i], t.kernel.dur[i],
                       d.stream(t.kernel.stream[i]));
  });
  out["counter"] = lines(t.counter.ts, [&](auto i) {
    return fmt::format("{}@{} {:a}", name(t.counter_track.name[t.counter.track[i]]), t.counter.ts[i],
                       t.counter.value[i]);
  });
  out["sample"] = lines(t.sample.ts, [&](auto i) {
    return fmt::format("{} {} {} x{}{}", t.sample.ts[i], d.thread(t.sample.thread[i]),
                       name(t.sample.event[i]), t.sample.weight[i],
                       has_names ? d.stack(t.sample.callstack[i]) : std::string());
  });
  return out;
}

std::string difference(const TableText& a, const TableText& b, const Lines& but) {
  std::string out;
  for (const auto& [table, left] : a) {
    const Lines& right = b.at(table);
    if (left == right || std::ranges::find(but, table) != but.end()) continue;
    Lines only_left, only_right;
    std::ranges::set_difference(left, right, std::back_inserter(only_left));
    std::ranges::set_difference(right, left, std::back_inserter(only_right));
    out += fmt::format("{}: {} rows and {} rows; {} only left, {} only right\n", table, left.size(),
                       right.size(), only_left.size(), only_right.size());
    for (std::size_t i = 0; i < 3; ++i) {
      if (i < only_left.size()) out += "  < " + only_left[i].substr(0, 400) + "\n";
      if (i < only_right.size()) out += "  > " + only_right[i].substr(0, 400) + "\n";
    }
  }
  return out;
}

Lines missing(const TableText& part, const TableText& whole) {
  Lines out;
  for (const auto& [table, rows] : part)
    std::ranges::set_difference(rows, whole.at(table), std::back_inserter(out));
  return out;
}

std::size_t row_count(const TableText& tables) {
  std::size_t rows = 0;
  for (const auto& [table, lines] : tables)
    rows += lines.size();
  return rows;
}

} // namespace prof::testing
