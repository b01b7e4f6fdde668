// export_chrome.cpp: Chrome's trace event format.
#include "base/yaml_writer.hpp"
#include "report/export_view.hpp"
#include "report/nesting_lanes.hpp"
#include "report/table_view.hpp"
#include "store/replay.hpp"
#include "store/stage_owners.hpp"
#include "trace/chrome_words.hpp"
#include "trace/conventions.hpp"
#include "trace/enum_words.hpp"
#include "trace/thread_state.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

namespace prof {
namespace {

constexpr std::int64_t kDevicePid =
    1'000'000'000; // devices become processes, async tracks become threads, from here on
constexpr std::int64_t kTrackTid = 1'000'000'000;
constexpr std::int64_t kBesideTid = 1'500'000'000; // for what does not nest where it belongs
constexpr std::int64_t kCpuPid = 900'000'000;      // the CPUs are the threads of a process
constexpr std::int64_t kStateTid = 2'000'000'000;  // what a thread does off the CPU is a thread beside it

// Microseconds with three decimals, from whole nanoseconds: no digit is lost to a double.
std::string us(std::int64_t ns) {
  const char* sign = ns < 0 ? "-" : "";
  const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  return fmt::format("{}{}.{:03}", sign, size / 1000, size % 1000);
}

class ChromeWriter {
public:
  ChromeWriter(const Store& store, const ByteSink& out)
      : store_(store), t_(store.tables()), out_(out), is_parent_(t_.track.parent.size(), false) {
    for (const std::uint32_t parent : t_.track.parent)
      if (parent != kNoRow) is_parent_[parent] = true;
  }

  Status run() {
    find_base();
    number_devices();
    number_launches();
    list_flows();
    find_places();
    buffer_ = fmt::format("{{\"{}\":", words::kLedger);
    ledger();
    if (base_ns_ != 0) buffer_ += fmt::format(",\n\"baseTimeNanoseconds\":{}", base_ns_); // Kineto's word
    buffer_ += ",\n\"displayTimeUnit\":\"ns\",\"deviceProperties\":[";
    devices();
    buffer_ += "\n],\"traceEvents\":[";
    is_first_ = true;
    names();
    slices();
    kernels();
    flows();
    runs();
    states();
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
    auto operator<=>(const Place&) const = default;
  };
  std::string time(std::int64_t ns) const { return us(ns - base_ns_); }
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

  // Readers that hold microseconds as a double (Perfetto) round times since 1970 to a quarter of one: spans
  // then overlap that did not, and are dropped. Such times count from the second in which the first event
  // lies.
  void find_base() {
    constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53; // ns
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
    for (const auto* times :
         {&t_.slice.ts, &t_.kernel.ts, &t_.sched.ts, &t_.thread_state.ts, &t_.counter.ts, &t_.sample.ts})
      for (const std::int64_t ts : *times) {
        first = std::min(first, ts);
        last = std::max(last, ts);
      }
    if (last >= kExactInDouble && first > 0) base_ns_ = first - first % 1'000'000'000;
  }
  // A device goes by its index; where two share one (an NPU and its host's GPU), by its row.
  void number_devices() {
    device_number_ = t_.device.index;
    std::vector<std::int64_t> sorted = device_number_;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) == sorted.end()) return;
    for (std::size_t i = 0; i < device_number_.size(); ++i)
      device_number_[i] = static_cast<std::int64_t>(i);
  }
  // A launch goes by its own correlation id; where one id means two launches (each process counts for
  // itself), all get new ones.
  void number_launches() {
    std::map<std::uint64_t, std::uint32_t> launch_of;
    bool is_own = true;
    for (std::uint32_t i = 0; i < t_.kernel.launch.size(); ++i) {
      const std::uint32_t launch = t_.kernel.launch[i];
      if (launch == kNoRow) continue;
      const auto id = static_cast<std::int64_t>(t_.kernel.correlation[i]);
      is_own =
          is_own && id > 0 && launch_of.try_emplace(t_.kernel.correlation[i], launch).first->second == launch;
      is_own = correlation_of_launch_.try_emplace(launch, id).first->second == id && is_own;
    }
    if (is_own) return;
    std::int64_t next = 1;
    for (auto& [launch, id] : correlation_of_launch_)
      id = next++;
  }
  // What the format has no place for, for our own reader.
  void ledger() {
    using nlohmann::json;
    json all = {{"metadata", json::array()}, {"signals", json::array()}, {"notes", json::array()},
                {"gaps", json::array()},     {"devices", json::array()}, {"samples", t_.sample.ts.size()}};
    if (base_ns_ != 0) all["base_ns"] = base_ns_;
    const auto word = [&](StrId id) { return std::string(store_.text(id)); };
    for (std::size_t i = 0; i < t_.metadata.key.size(); ++i)
      all["metadata"].push_back({word(t_.metadata.key[i]), word(t_.metadata.value[i])});
    const SignalTable& s = t_.signal;
    for (std::size_t i = 0; i < s.name.size(); ++i)
      if (!is_derived_signal(store_, i))
        all["signals"].push_back({word(s.name[i]), static_cast<bool>(s.is_available[i]), word(s.source[i]),
                                  word(s.reason[i]), word(s.mend[i]), word(s.detail[i])});
    for (std::size_t i = 0; i < t_.note.code.size(); ++i)
      if (!is_derived_note(store_, i))
        all["notes"].push_back({kSeverityWords.at(static_cast<std::size_t>(t_.note.severity[i])),
                                word(t_.note.code[i]), t_.note.count[i], word(t_.note.where[i])});
    for (std::size_t i = 0; i < t_.gap.ts.size(); ++i)
      all["gaps"].push_back({t_.gap.ts[i], t_.gap.dur[i], word(t_.gap.reason[i])});
    std::vector<json> streams(t_.device.name.size(), json::array());
    for (std::size_t i = 0; i < t_.stream.name.size(); ++i)
      if (t_.stream.device[i] != kNoRow)
        streams[t_.stream.device[i]].push_back({t_.stream.number[i], word(t_.stream.name[i])});
    for (std::size_t i = 0; i < t_.device.name.size(); ++i)
      all["devices"].push_back({device_number_[i], t_.device.index[i],
                                kDeviceKindWords.at(static_cast<std::size_t>(t_.device.kind[i])),
                                word(t_.device.name[i]), streams[i]});
    buffer_ += all.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  // Flows between slices, by the slices they join. Launches go by their correlation.
  void list_flows() {
    for (std::uint32_t i = 0; i < t_.flow.slice_out.size(); ++i) {
      if (t_.flow.slice_in[i] == kNoRow) continue;
      flows_out_[t_.flow.slice_out[i]].push_back(i + 1);
      flows_in_[t_.flow.slice_in[i]].push_back(i + 1);
    }
  }
  // Where slices and kernels stand that would not nest on their own thread (pid and the tid made up for it).
  void find_places() {
    find_places(
        t_.slice, [&](std::uint32_t row) { return place_of_track(t_.slice.track[row]); },
        [&](std::uint32_t row) { return label_of_track(t_.slice.track[row]); }, slices_beside_);
    find_places(
        t_.kernel, [&](std::uint32_t row) { return place_of_stream(t_.kernel.stream[row]); },
        [&](std::uint32_t row) { return label_of_stream(t_.kernel.stream[row]); }, kernels_beside_);
  }
  void find_places(const auto& rows, const auto& place_of, const auto& label_of, auto& beside) {
    std::map<Place, NestingLanes> lanes;
    std::map<std::pair<Place, std::size_t>, std::int64_t> tids;
    std::vector<std::uint32_t> order(rows.ts.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto comes = [&](std::uint32_t row) { return std::pair(rows.ts[row], -rows.dur[row]); };
    if (!std::ranges::is_sorted(order, {}, comes)) std::ranges::stable_sort(order, {}, comes);
    for (const std::uint32_t row : order) {
      const Place own = place_of(row);
      const std::size_t lane = lanes[own].lane_of(rows.ts[row], rows.ts[row] + rows.dur[row]);
      if (lane == 0) continue;
      const auto [tid, is_new] = tids.try_emplace({own, lane}, kBesideTid + std::ssize(beside_));
      if (is_new) beside_.push_back({{own.pid, tid->second}, label_of(row)});
      beside.emplace(row, tid->second);
    }
  }
  using Beside = std::unordered_map<std::uint32_t, std::int64_t>; // row -> tid
  static Place at(Place own, const Beside& beside, std::uint32_t row) {
    const auto other = beside.find(row);
    return other == beside.end() ? own : Place{own.pid, other->second};
  }
  Place place_of_slice(std::uint32_t row) const {
    return at(place_of_track(t_.slice.track[row]), slices_beside_, row);
  }
  Place place_of_kernel(std::uint32_t row) const {
    return at(place_of_stream(t_.kernel.stream[row]), kernels_beside_, row);
  }
  void devices() {
    for (std::size_t i = 0; i < t_.device.name.size(); ++i)
      item(fmt::format(R"({{"id":{},"name":{}}})", device_number_[i], text(t_.device.name[i])));
  }

  std::int64_t pid_of(std::uint32_t process) const { return process == kNoRow ? 0 : t_.process.pid[process]; }
  Place place_of_track(std::uint32_t track) const {
    const std::uint32_t thread = t_.track.thread[track];
    if (const std::uint32_t stream = t_.track.stream[track];
        t_.track.kind[track] == TrackKind::stream && stream != kNoRow)
      return {place_of_stream(stream).pid, kTrackTid + track};
    const std::int64_t pid = pid_of(t_.track.process[track]);
    if (t_.track.kind[track] == TrackKind::thread && thread != kNoRow) return {pid, t_.thread.tid[thread]};
    return {pid, kTrackTid + track};
  }

  void name(std::string_view what, Place place, std::string_view quoted, std::string_view more = "") {
    item(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}{}}}}})", what, place.pid,
                     place.tid, quoted, more));
  }
  // What our reader makes of a track that has to be a thread here, or stands under another.
  std::string track_words(std::uint32_t track) const {
    std::string out;
    if (is_parent_[track]) out += fmt::format(",\"{}\":{}", words::kTrackRow, track);
    if (const std::uint32_t parent = t_.track.parent[track]; parent != kNoRow)
      out += fmt::format(",\"{}\":{}", words::kTrackParent, parent);
    if (t_.track.kind[track] == TrackKind::thread && t_.track.thread[track] != kNoRow) return out;
    out += fmt::format(",\"{}\":\"{}\"", words::kTrackOf,
                       kTrackKindWords.at(static_cast<std::size_t>(t_.track.kind[track])));
    if (const std::uint32_t stream = t_.track.stream[track];
        stream != kNoRow && t_.stream.device[stream] != kNoRow)
      out +=
          fmt::format(",\"{}\":{},\"{}\":{}", words::kTrackDevice, device_number_[t_.stream.device[stream]],
                      words::kTrackStream, t_.stream.number[stream]);
    if (t_.track.process[track] == kNoRow) out += fmt::format(",\"{}\":true", words::kNoProcess);
    return out;
  }
  void names() {
    for (std::size_t i = 0; i < t_.process.pid.size(); ++i)
      name("process_name", {t_.process.pid[i], 0}, text(t_.process.name[i]),
           t_.process.cmdline[i].is_empty()
               ? ""
               : fmt::format(",\"{}\":{}", words::kCmdlineOf, text(t_.process.cmdline[i])));
    for (std::uint32_t i = 0; i < t_.track.name.size(); ++i)
      name("thread_name", place_of_track(i), json_text(label_of_track(i)), track_words(i));
    for (std::size_t i = 0; i < t_.device.name.size(); ++i)
      name("process_name", {kDevicePid + static_cast<std::int64_t>(i), 0},
           json_text(fmt::format("{} {}", store_.text(t_.device.name[i]), t_.device.index[i])));
    for (std::uint32_t i = 0; i < t_.stream.name.size(); ++i)
      name("thread_name", place_of_stream(i), json_text(label_of_stream(i)));
    for (const auto& [place, label] : beside_)
      name("thread_name", place, json_text(fmt::format("{}, beside", label)));
  }
  std::string label_of_track(std::uint32_t track) const {
    const std::uint32_t thread = t_.track.thread[track];
    const bool has_thread_name =
        t_.track.kind[track] == TrackKind::thread && thread != kNoRow && !t_.thread.name[thread].is_empty();
    return std::string(store_.text(has_thread_name ? t_.thread.name[thread] : t_.track.name[track]));
  }
  std::string label_of_stream(std::uint32_t stream) const {
    return fmt::format("stream {} {}", t_.stream.number[stream], store_.text(t_.stream.name[stream]));
  }
  Place place_of_stream(std::uint32_t stream) const {
    const std::uint32_t device = t_.stream.device[stream];
    return {kDevicePid + (device == kNoRow ? -1 : static_cast<std::int64_t>(device)),
            static_cast<std::int64_t>(stream)};
  }

  // What the event formats of others keep in its args: these keys are ours to write, the row's own of that
  // name make way.
  using Extra = std::vector<std::pair<std::string_view, std::string>>; // key, value as JSON
  // A real number that is a whole one keeps its point: 2.0 and 2 are different arguments.
  static std::string real_text(double value) {
    std::string text = json_number(value);
    if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
  }
  std::string value_text(const ArgValue& value) const {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
    if (const auto* number = std::get_if<double>(&value)) return real_text(*number);
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    return text(std::get<StrId>(value));
  }
  std::string args(std::uint32_t set, const Extra& extra = {}) const {
    std::string json = "{";
    const auto add = [&](std::string_view quoted_key, std::string_view value) {
      json.append(json.size() > 1 ? "," : "").append(quoted_key).append(":").append(value);
    };
    for (const auto& [key, value] : extra)
      add(fmt::format("\"{}\"", key), value);
    if (set == kNoRow) return json + "}";
    for (std::uint32_t i = t_.arg.set_begin[set]; i < t_.arg.set_begin[set + 1]; ++i) {
      // A JSON object holds a key once: later values of one key get a number.
      std::uint32_t repeat = 0;
      for (std::uint32_t k = t_.arg.set_begin[set]; k < i; ++k)
        repeat += t_.arg.key[k] == t_.arg.key[i] ? 1 : 0;
      const std::string_view key = store_.text(t_.arg.key[i]);
      const std::string value = value_text(t_.arg.value[i]);
      if (std::ranges::find(extra, key, &Extra::value_type::first) != extra.end())
        add(json_text(fmt::format("{}{}", words::kOwnArg, key)), value);
      else
        add(repeat == 0 ? json_text(key) : json_text(fmt::format("{}#{}", key, repeat + 1)), value);
    }
    return json + "}";
  }

  // As Kineto writes them (torch.profiler; HTA and our own reader go by category, device, stream and
  // correlation).
  Extra on_stream(std::uint32_t stream) const {
    const std::uint32_t device = t_.stream.device[stream];
    return {{"device", fmt::format("{}", device == kNoRow ? -1 : device_number_[device])},
            {"stream", fmt::format("{}", t_.stream.number[stream])}};
  }
  void slices() {
    for (std::uint32_t i = 0; i < t_.slice.ts.size(); ++i) {
      const std::uint32_t track = t_.slice.track[i], stream = t_.track.stream[track];
      const Place at = place_of_slice(i);
      Extra extra;
      std::string added; // keys that the row has not
      const auto add = [&](std::string_view key, std::string value) {
        const ArgValue* own = find_arg(t_.arg, t_.slice.arg_set[i], store_.id_of(key));
        if (own != nullptr && value_text(*own) == value) return; // it says so itself
        added.append(added.empty() ? "" : " ").append(key);
        extra.emplace_back(key, std::move(value));
      };
      if (t_.track.kind[track] == TrackKind::stream && stream != kNoRow)
        for (auto& [key, value] : on_stream(stream))
          add(key, std::move(value));
      if (const auto launch = correlation_of_launch_.find(i); launch != correlation_of_launch_.end())
        add("correlation", fmt::format("{}", launch->second));
      const StrId category = t_.slice.category[i];
      const bool is_op = store_.text(category) == words::kOp;
      extra.emplace_back(words::kLayerOf,
                         fmt::format("\"{}\"", kLayerWords.at(static_cast<std::size_t>(t_.slice.layer[i]))));
      if (is_op) extra.emplace_back(words::kCategoryOf, text(category));
      if (slices_beside_.contains(i))
        extra.emplace_back(words::kBesideTid, fmt::format("\"{}\"", place_of_track(track).tid));
      if (!added.empty()) extra.emplace_back(words::kAdded, json_text(added));
      for (const auto& [flows, key] :
           {std::pair(&flows_out_, words::kFlowsOut), {&flows_in_, words::kFlowsIn}})
        if (const auto ids = flows->find(i); ids != flows->end())
          extra.emplace_back(key, fmt::format("\"{}\"", fmt::join(ids->second, " ")));
      item(fmt::format(R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})",
                       text(t_.slice.name[i]), is_op ? R"("cpu_op")" : text(category), at.pid, at.tid,
                       time(t_.slice.ts[i]), us(t_.slice.dur[i]), args(t_.slice.arg_set[i], extra)));
    }
  }
  static std::string_view kernel_category(KernelKind kind, std::string_view name) {
    if (kind != KernelKind::memory) return "kernel";
    return name.find("emset") == std::string_view::npos ? "gpu_memcpy" : "gpu_memset";
  }
  void kernels() {
    static constexpr std::string_view kKinds[] = {R"("compute")", R"("communication")", R"("memory")"};
    for (std::uint32_t i = 0; i < t_.kernel.ts.size(); ++i) {
      const Place at = place_of_kernel(i);
      Extra extra = on_stream(t_.kernel.stream[i]);
      if (const std::uint32_t launch = t_.kernel.launch[i]; launch != kNoRow)
        extra.emplace_back("correlation", fmt::format("{}", correlation_of_launch_.at(launch)));
      const auto recorded = static_cast<std::int64_t>(t_.kernel.correlation[i]);
      if (const std::uint32_t launch = t_.kernel.launch[i];
          recorded != (launch == kNoRow ? 0 : correlation_of_launch_.at(launch)))
        extra.emplace_back(words::kCorrelationOf, fmt::format("{}", recorded));
      if (t_.kernel.bytes[i] != 0) extra.emplace_back("bytes", fmt::format("{}", t_.kernel.bytes[i]));
      extra.emplace_back(words::kArgKernelKind, kKinds[static_cast<std::size_t>(t_.kernel.kind[i])]);
      if (!t_.kernel.op_type[i].is_empty()) extra.emplace_back(words::kArgOpType, text(t_.kernel.op_type[i]));
      item(fmt::format(R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{}}})",
                       text(t_.kernel.name[i]),
                       kernel_category(t_.kernel.kind[i], store_.text(t_.kernel.name[i])), at.pid, at.tid,
                       time(t_.kernel.ts[i]), us(t_.kernel.dur[i]), args(t_.kernel.arg_set[i], extra)));
    }
  }
  void flow_end(std::string_view phase, std::string_view kind, std::size_t id, Place at, std::int64_t ts) {
    item(fmt::format(R"({{"ph":"{0}","name":"{1}","cat":"{1}","id":{2},"pid":{3},"tid":{4},"ts":{5}{6}}})",
                     phase, kind, id, at.pid, at.tid, time(ts), phase == "f" ? R"(,"bp":"e")" : ""));
  }
  void flows() {
    for (std::size_t i = 0; i < t_.flow.slice_out.size(); ++i) {
      const std::uint32_t out = t_.flow.slice_out[i], in = t_.flow.slice_in[i], kernel = t_.flow.kernel_in[i];
      const std::string_view what = kernel == kNoRow ? "flow" : "ac2g"; // ac2g: Kineto's word for a launch
      flow_end("s", what, i + 1, place_of_slice(out), t_.slice.ts[out]);
      if (in != kNoRow)
        flow_end("f", what, i + 1, place_of_slice(in), t_.slice.ts[in]);
      else if (kernel != kNoRow)
        flow_end("f", what, i + 1, place_of_kernel(kernel), t_.kernel.ts[kernel]);
    }
  }
  // "pid":7, where the thread's process is known.
  std::string pid_argument(std::uint32_t thread) const {
    const std::uint32_t process = t_.thread.process[thread];
    return process == kNoRow ? "" : fmt::format("\"{}\":{},", words::kArgPid, t_.process.pid[process]);
  }
  void runs() {
    const SchedTable& sched = t_.sched;
    if (!sched.ts.empty()) name("process_name", {kCpuPid, 0}, R"("CPUs")");
    for (std::size_t i = 0; i < sched.ts.size(); ++i) { // sorted by CPU
      if (i == 0 || sched.cpu[i] != sched.cpu[i - 1])
        name("thread_name", {kCpuPid, sched.cpu[i]}, json_text(fmt::format("CPU {}", sched.cpu[i])));
      const std::uint32_t thread = sched.thread[i];
      const std::int64_t tid = t_.thread.tid[thread];
      const StrId label = t_.thread.name[thread];
      item(fmt::format(R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},)"
                       R"("args":{{{}"{}":{},"{}":{}}}}})",
                       label.is_empty() ? fmt::format("\"{}\"", tid) : text(label), words::kSchedRun, kCpuPid,
                       sched.cpu[i], time(sched.ts[i]), us(sched.dur[i]), pid_argument(thread),
                       words::kArgTid, tid, words::kArgEndState,
                       json_text(std::string(1, sched.end_state[i]))));
    }
  }
  // Running is what runs() says. A lane of its own: a state may begin inside one slice and end in another.
  void states() {
    const ThreadStateTable& states = t_.thread_state;
    std::uint32_t named = kNoRow;
    for (std::size_t i = 0; i < states.ts.size(); ++i) { // sorted by thread
      if (states.state[i] == 'X') continue;
      const std::uint32_t thread = states.thread[i];
      const std::int64_t tid = t_.thread.tid[thread];
      const Place at{pid_of(t_.thread.process[thread]), kStateTid + thread};
      if (thread != named)
        name("thread_name", at,
             json_text(fmt::format("{} ({}) off CPU", store_.text(t_.thread.name[thread]), tid)));
      named = thread;
      std::string waker;
      if (states.waker_thread[i] != kNoRow)
        waker = fmt::format(",\"{}\":{}", words::kArgWaker, t_.thread.tid[states.waker_thread[i]]);
      item(fmt::format(R"({{"ph":"X","name":"{}","cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},)"
                       R"("args":{{"{}":{}{}}}}})",
                       thread_state_word(states.state[i]), words::kSchedState, at.pid, at.tid,
                       time(states.ts[i]), us(states.dur[i]), words::kArgTid, tid, waker));
    }
  }
  void counters() {
    for (std::size_t i = 0; i < t_.counter.ts.size(); ++i) {
      const std::uint32_t track = t_.counter.track[i], thread = t_.counter_track.thread[track],
                          device = t_.counter_track.device[track], process = t_.counter_track.process[track];
      const std::string owner =
          words::CounterOwner{.cpu = t_.counter_track.cpu[track],
                              .tid = thread == kNoRow ? -1 : t_.thread.tid[thread],
                              .device = device == kNoRow ? -1 : device_number_[device],
                              .pid = process != kNoRow && t_.process.pid[process] == 0 ? 0 : -1}
              .text();
      item(fmt::format(R"({{"ph":"C","name":{},"cat":"{}{}","pid":{},"ts":{},"args":{{{}:{}}}}})",
                       json_text(fmt::format("{}{}", store_.text(t_.counter_track.name[track]), owner)),
                       words::kCounter, owner, pid_of(t_.counter_track.process[track]),
                       time(t_.counter.ts[i]), text(t_.counter_track.unit[track]),
                       json_number(t_.counter.value[i])));
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
                       thread == kNoRow ? 0 : t_.thread.tid[thread], time(t_.sample.ts[i]),
                       text(t_.sample.event[i]), t_.sample.callstack[i], t_.sample.weight[i]));
    }
  }

  const Store& store_;
  const Tables& t_;
  const ByteSink& out_;
  std::vector<std::int64_t> device_number_;                                  // by device row
  std::map<std::uint32_t, std::int64_t> correlation_of_launch_;              // by slice row
  std::map<std::uint32_t, std::vector<std::uint32_t>> flows_out_, flows_in_; // by slice row
  std::int64_t base_ns_ = 0;
  Beside slices_beside_, kernels_beside_;
  std::vector<std::pair<Place, std::string>>
      beside_;                  // threads made up, with the name of the one that each is beside
  std::vector<bool> is_parent_; // by track row
  std::string buffer_;
  Status status_;
  bool is_first_ = true;
};

} // namespace

NotCarried left_out_of_chrome_json(const Store& store) {
  const Tables& t = store.tables();
  const std::int64_t bare = std::ranges::count(t.sample.callstack, kNoRow);
  NotCarried out{.samples = bare, .for_others = std::ssize(t.sample.callstack) - bare};
  for (std::uint32_t i = 0; i < t.frame.function.size(); ++i)
    out.places += t.frame.mapping[i] != kNoRow || !t.frame.source_file[i].is_empty() ? 1 : 0;
  return out;
}

Status export_chrome_json(const Store& store, const ByteSink& out) {
  return ChromeWriter(store, out).run();
}

} // namespace prof
