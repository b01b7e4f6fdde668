// export_chrome.cpp: Chrome's trace event format.
#include "base/yaml_writer.hpp"
#include "report/export_view.hpp"
#include "report/table_view.hpp"

#include <fmt/format.h>

namespace prof {
namespace {

constexpr std::int64_t kDevicePid =
    1'000'000'000; // devices become processes, async tracks become threads, from here on
constexpr std::int64_t kTrackTid = 1'000'000'000;

// Microseconds with three decimals, from whole nanoseconds: no digit is lost to a double.
std::string us(std::int64_t ns) {
  const char* sign = ns < 0 ? "-" : "";
  const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  return fmt::format("{}{}.{:03}", sign, size / 1000, size % 1000);
}

class ChromeWriter {
public:
  ChromeWriter(const Store& store, const ByteSink& out) : store_(store), t_(store.tables()), out_(out) {}

  Status run() {
    buffer_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    names();
    slices();
    kernels();
    flows();
    counters();
    buffer_ += "\n],\"stackFrames\":{";
    stack_frames();
    buffer_ += "\n},\"samples\":[";
    samples();
    buffer_ += "\n],\"otherData\":{";
    is_first_ = true;
    for (std::size_t i = 0; i < t_.metadata.key.size(); ++i)
      item(fmt::format("{}:{}", text(t_.metadata.key[i]), text(t_.metadata.value[i])));
    buffer_ += "\n}}\n";
    flush();
    return std::move(status_);
  }

private:
  struct Place {
    std::int64_t pid = 0, tid = 0;
  };
  std::string text(StrId id) const { return json_text(store_.text(id)); }
  void flush() {
    if (status_) status_ = out_(buffer_);
    buffer_.clear();
  }
  void item(std::string_view json) {
    buffer_ += is_first_ ? "\n" : ",\n";
    is_first_ = false;
    buffer_ += json;
    if (buffer_.size() > kExportFlushBytes) flush();
  }

  std::int64_t pid_of(std::uint32_t process) const { return process == kNoRow ? 0 : t_.process.pid[process]; }
  Place place_of_track(std::uint32_t track) const {
    const std::uint32_t thread = t_.track.thread[track];
    const std::int64_t pid = pid_of(t_.track.process[track]);
    if (t_.track.kind[track] == TrackKind::thread && thread != kNoRow) return {pid, t_.thread.tid[thread]};
    return {pid, kTrackTid + track};
  }

  void name(std::string_view what, Place place, std::string_view quoted) {
    item(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what, place.pid,
                     place.tid, quoted));
  }
  void names() {
    for (std::size_t i = 0; i < t_.process.pid.size(); ++i)
      name("process_name", {t_.process.pid[i], 0}, text(t_.process.name[i]));
    for (std::uint32_t i = 0; i < t_.track.name.size(); ++i) {
      const std::uint32_t thread = t_.track.thread[i];
      const bool has_thread_name = t_.track.name[i].is_empty() && thread != kNoRow;
      name("thread_name", place_of_track(i),
           text(has_thread_name ? t_.thread.name[thread] : t_.track.name[i]));
    }
    for (std::size_t i = 0; i < t_.device.name.size(); ++i)
      name("process_name", {kDevicePid + static_cast<std::int64_t>(i), 0},
           json_text(fmt::format("{} {}", store_.text(t_.device.name[i]), t_.device.index[i])));
    for (std::size_t i = 0; i < t_.stream.name.size(); ++i)
      name("thread_name", place_of_stream(static_cast<std::uint32_t>(i)),
           json_text(fmt::format("stream {} {}", t_.stream.number[i], store_.text(t_.stream.name[i]))));
  }
  Place place_of_stream(std::uint32_t stream) const {
    const std::uint32_t device = t_.stream.device[stream];
    return {kDevicePid + (device == kNoRow ? -1 : static_cast<std::int64_t>(device)),
            static_cast<std::int64_t>(stream)};
  }

  std::string args(std::uint32_t set) const {
    if (set == kNoRow) return "{}";
    std::string json = "{";
    for (std::uint32_t i = t_.arg.set_begin[set]; i < t_.arg.set_begin[set + 1]; ++i) {
      // A JSON object holds a key once: later values of one key get a number.
      std::uint32_t repeat = 0;
      for (std::uint32_t k = t_.arg.set_begin[set]; k < i; ++k)
        repeat += t_.arg.key[k] == t_.arg.key[i] ? 1 : 0;
      const std::string_view key = store_.text(t_.arg.key[i]);
      json += (json.size() > 1 ? "," : "") +
              (repeat == 0 ? json_text(key) : json_text(fmt::format("{}#{}", key, repeat + 1))) + ":";
      const ArgValue& value = t_.arg.value[i];
      if (const auto* integer = std::get_if<std::int64_t>(&value))
        json += fmt::format("{}", *integer);
      else if (const auto* number = std::get_if<double>(&value))
        json += json_number(*number);
      else if (const auto* flag = std::get_if<bool>(&value))
        json += *flag ? "true" : "false";
      else
        json += text(std::get<StrId>(value));
    }
    return json + "}";
  }

  void slices() {
    for (std::uint32_t i = 0; i < t_.slice.ts.size(); ++i) {
      const Place at = place_of_track(t_.slice.track[i]);
      item(fmt::format(R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})",
                       text(t_.slice.name[i]), text(t_.slice.category[i]), at.pid, at.tid, us(t_.slice.ts[i]),
                       us(t_.slice.dur[i]), args(t_.slice.arg_set[i])));
    }
  }
  void kernels() {
    static constexpr std::string_view kKinds[] = {"compute", "communication", "memory"};
    for (std::uint32_t i = 0; i < t_.kernel.ts.size(); ++i) {
      const Place at = place_of_stream(t_.kernel.stream[i]);
      item(fmt::format(
          R"({{"ph":"X","name":{},"cat":"kernel,{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})",
          text(t_.kernel.name[i]), kKinds[static_cast<std::size_t>(t_.kernel.kind[i])], at.pid, at.tid,
          us(t_.kernel.ts[i]), us(t_.kernel.dur[i]), args(t_.kernel.arg_set[i])));
    }
  }
  void flow_end(std::string_view phase, std::size_t id, Place at, std::int64_t ts) {
    item(fmt::format(R"({{"ph":"{}","name":"flow","cat":"flow","id":{},"pid":{},"tid":{},"ts":{}{}}})", phase,
                     id, at.pid, at.tid, us(ts), phase == "f" ? R"(,"bp":"e")" : ""));
  }
  void flows() {
    for (std::size_t i = 0; i < t_.flow.slice_out.size(); ++i) {
      const std::uint32_t out = t_.flow.slice_out[i], in = t_.flow.slice_in[i], kernel = t_.flow.kernel_in[i];
      flow_end("s", i + 1, place_of_track(t_.slice.track[out]), t_.slice.ts[out]);
      if (in != kNoRow)
        flow_end("f", i + 1, place_of_track(t_.slice.track[in]), t_.slice.ts[in]);
      else if (kernel != kNoRow)
        flow_end("f", i + 1, place_of_stream(t_.kernel.stream[kernel]), t_.kernel.ts[kernel]);
    }
  }
  void counters() {
    for (std::size_t i = 0; i < t_.counter.ts.size(); ++i) {
      const std::uint32_t track = t_.counter.track[i];
      std::string label(store_.text(t_.counter_track.name[track]));
      if (t_.counter_track.cpu[track] >= 0) label += fmt::format(" cpu{}", t_.counter_track.cpu[track]);
      if (const std::uint32_t thread = t_.counter_track.thread[track]; thread != kNoRow)
        label += fmt::format(" thread {}", t_.thread.tid[thread]);
      item(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{{}:{}}}}})", json_text(label),
                       pid_of(t_.counter_track.process[track]), us(t_.counter.ts[i]),
                       text(t_.counter_track.unit[track]), json_number(t_.counter.value[i])));
    }
  }
  void stack_frames() {
    is_first_ = true;
    for (std::size_t i = 0; i < t_.callstack.frame.size(); ++i) {
      const std::uint32_t parent = t_.callstack.parent[i];
      item(fmt::format(R"("{}":{{"name":{},"category":""{}}})", i,
                       text(t_.frame.function[t_.callstack.frame[i]]),
                       parent == kNoRow ? "" : fmt::format(R"(,"parent":"{}")", parent)));
    }
  }
  void samples() {
    is_first_ = true;
    for (std::size_t i = 0; i < t_.sample.ts.size(); ++i) {
      if (t_.sample.callstack[i] == kNoRow) continue;
      const std::uint32_t thread = t_.sample.thread[i];
      item(fmt::format(R"({{"cpu":{},"tid":{},"ts":{},"name":{},"sf":"{}","weight":{}}})", t_.sample.cpu[i],
                       thread == kNoRow ? 0 : t_.thread.tid[thread], us(t_.sample.ts[i]),
                       text(t_.sample.event[i]), t_.sample.callstack[i], t_.sample.weight[i]));
    }
  }

  const Store& store_;
  const Tables& t_;
  const ByteSink& out_;
  std::string buffer_;
  Status status_;
  bool is_first_ = true;
};

} // namespace

Status export_chrome_json(const Store& store, const ByteSink& out) {
  return ChromeWriter(store, out).run();
}

} // namespace prof
