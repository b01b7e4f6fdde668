// xplane_reader.cpp: profiles of JAX, TensorFlow and PyTorch/XLA (XProf's *.xplane.pb). A file is a list of
// planes (a device, the host), a plane a list of lines (a stream, a thread), a line a list of events.
#include "base/lang.hpp"
#include "import/json/event_args.hpp"
#include "import/json/event_lanes.hpp"
#include "import/proto/top_fields.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
#include "import/xplane/plane.hpp"
#include "trace/conventions.hpp"
#include "tracefile/proto_message.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <protozero/exception.hpp>

namespace prof {
namespace {

using detail::Message;
using xplane::Event;
using xplane::Line;
using xplane::LineLosses;
using xplane::Plane;
using xplane::Stat;
namespace field = xplane::field;

constexpr std::string_view kDevicePrefix = "/device:", kHostPrefix = "/host:", kTask = "Task Environment";
constexpr std::int64_t kMadeUpTid = std::int64_t{1} << 40;

int sniff(std::string_view head, const std::filesystem::path& /*path*/, bool is_folder) {
  if (is_folder) return 0;
  const std::string_view name =
      proto::clipped_field(proto::clipped_field(head, field::kPlanes), field::kName);
  const bool is_plane = name.starts_with(kDevicePrefix) || name.starts_with(kHostPrefix) || name == kTask;
  return is_plane ? 98 : 0; // surer than a reader that takes any list of messages
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

KernelKind kind_of(std::string_view name, std::string_view line) {
  // XLA names its own collectives after what they do.
  if (is_collective(name) ||
      has_any(name, {"all-reduce", "all-gather", "all-to-all", "reduce-scatter", "collective-permute"}))
    return KernelKind::communication;
  const bool is_copy =
      has_any(name, {"emcpy", "emset", "copyBuffer", "fillBuffer"}) || has_any(line, {"(Memcpy", "(Memset"});
  return is_copy ? KernelKind::memory : KernelKind::compute;
}

class XSpace {
public:
  explicit XSpace(TraceSink& sink) : sink_(sink), texts_(sink) {}
  void plane(std::string_view bytes);
  void hostname(std::string_view name) { hostname_ = name; }
  void diagnostic(Severity severity, std::string_view text) {
    say_note(sink_, severity, "note.xplane.diagnostic", 1, text.substr(0, 200));
  }
  Status finish();

private:
  [[nodiscard]] ArgValue value_of(const Stat& stat) {
    if (stat.text.data() != nullptr) return texts_.intern(stat.text);
    return std::visit([](auto number) { return ArgValue(number); }, stat.number);
  }
  void fill_args(const Plane& plane, const Event& event);
  [[nodiscard]] std::string name_of(const Plane& plane, const Event& event) const;
  void device_plane(const Plane& plane);
  void host_plane(const Plane& plane);
  void plane_stats(const Plane& plane, std::string_view prefix);
  void kernels(const Plane& plane, const Line& line, Id<Stream> stream);
  void steps(const Plane& plane, const Line& line);
  void slices(const Plane& plane, const Line& line, Id<Track> track, std::string_view category, Layer layer);
  Id<Process> host() {
    if (!host_) host_ = sink_.process({.pid = 0, .name = {}, .cmdline = {}});
    return host_;
  }

  TraceSink& sink_;
  json::TextCache texts_;
  std::string hostname_;
  Id<Process> host_{};
  std::map<std::int64_t, Id<Track>> threads_;
  // Of the event at hand.
  std::vector<Arg> args_;
  std::uint64_t correlation_ = 0;
  std::int64_t step_ = -1, bytes_moved_ = 0;
  StrId op_type_{};
  bool has_steps_ = false;
  std::int64_t kernels_ = 0, slices_ = 0, requests_ = 0, flows_ = 0;
  LineLosses losses_;
};

std::string XSpace::name_of(const Plane& plane, const Event& event) const {
  const auto type = plane.events.find(event.type);
  if (type == plane.events.end()) return fmt::format("event {}", event.type); // its name was cut off
  const xplane::EventType& it = type->second;
  return std::string(it.display_name.empty() ? it.name : it.display_name);
}

// Values of the event, then those that all events of its type share.
void XSpace::fill_args(const Plane& plane, const Event& event) {
  args_.clear();
  correlation_ = 0;
  step_ = -1;
  bytes_moved_ = 0;
  op_type_ = {};
  const auto take = [&](std::string_view bytes) {
    const Stat stat = stat_of(plane, bytes);
    const auto name = plane.stat_names.find(stat.key);
    if (stat.is_bytes || name == plane.stat_names.end()) return;
    const std::string_view key = name->second;
    const ArgValue value = value_of(stat);
    const auto* integer = std::get_if<std::int64_t>(&value);
    if (key == "_pt" || key == "_ct") return;
    if (key == "_p" || key == "_c") {
      ++flows_;
      return;
    }
    if (key == "correlation_id" && integer != nullptr) correlation_ = static_cast<std::uint64_t>(*integer);
    if (key == "step_num" && integer != nullptr) step_ = *integer;
    if (key == "hlo_category") op_type_ = texts_.intern(stat.text);
    if (key == "memcpy_details")
      if (const std::size_t at = stat.text.find("size:"); at != std::string_view::npos)
        (void)json::number_in(stat.text.substr(at), bytes_moved_);
    // A word of our own that stands for something else.
    const bool is_ours = key == words::kArgRequestId || key == words::kArgStatus;
    args_.push_back(
        {.key = is_ours ? texts_.intern(fmt::format("stat.{}", key)) : texts_.intern(key), .value = value});
  };
  try {
    Message from(event.bytes);
    while (from.next(4))
      take(from.bytes());
    if (const auto type = plane.events.find(event.type); type != plane.events.end())
      for (const std::string_view bytes : type->second.stats)
        take(bytes);
  } catch (const protozero::exception&) {
    ++losses_.damaged; // a value is damaged: the event stays, with the values before it
  }
}

void XSpace::plane_stats(const Plane& plane, std::string_view prefix) {
  for (const std::string_view bytes : plane.stats) {
    const Stat stat = stat_of(plane, bytes);
    const auto name = plane.stat_names.find(stat.key);
    if (stat.is_bytes || name == plane.stat_names.end()) continue;
    std::string value(stat.text);
    if (stat.text.data() == nullptr)
      value = std::visit([](auto number) { return fmt::format("{}", number); }, stat.number);
    sink_.metadata(name->second == "profile_start_time" ? std::string("start_realtime_ns")
                                                        : fmt::format("{}.{}", prefix, name->second),
                   value);
  }
}

void XSpace::kernels(const Plane& plane, const Line& line, Id<Stream> stream) {
  for (const Event& event : line.events) {
    fill_args(plane, event);
    const std::string name = name_of(plane, event);
    sink_.kernel({.stream = stream,
                  .ts = {event.start},
                  .dur = {event.end - event.start},
                  .name = texts_.intern(name),
                  .op_type = op_type_,
                  .kind = kind_of(name, line.name),
                  .correlation = correlation_,
                  .flow_in = correlation_ == 0 ? 0 : kLaunchFlow | correlation_,
                  .bytes = bytes_moved_,
                  .args = args_});
    ++kernels_;
  }
}

// A step of the model is the unit of work that the profile knows: it stands in for a request.
void XSpace::steps(const Plane& plane, const Line& line) {
  const Id<Track> track =
      sink_.track({.name = sink_.intern("steps"), .kind = TrackKind::async, .process = host()});
  for (const Event& event : line.events) {
    fill_args(plane, event);
    const std::string name = name_of(plane, event);
    std::int64_t number = step_;
    if (number < 0 && !json::number_in(name, number)) number = requests_ + 1;
    args_.insert(args_.begin(), {.key = texts_.intern(words::kArgRequestId), .value = number});
    sink_.slice({.track = track,
                 .ts = {event.start},
                 .dur = {event.end - event.start},
                 .name = texts_.intern(name),
                 .category = texts_.intern(words::kRequest),
                 .layer = Layer::application,
                 .args = args_});
    ++requests_;
  }
}

void XSpace::slices(const Plane& plane, const Line& line, Id<Track> track, std::string_view category,
                    Layer layer) {
  for (const Event& event : line.events) {
    fill_args(plane, event);
    const std::string name = name_of(plane, event);
    if (category == words::kRun)
      args_.push_back({.key = texts_.intern(words::kArgModel), .value = texts_.intern(name)});
    const bool is_launch = layer == Layer::framework && correlation_ != 0 && category == words::kSpan;
    const std::array<std::uint64_t, 1> flow{kLaunchFlow | correlation_};
    const std::string_view api = name.starts_with("hip") ? "hip_runtime" : "cuda_runtime";
    sink_.slice({.track = track,
                 .ts = {event.start},
                 .dur = {event.end - event.start},
                 .name = texts_.intern(name),
                 .category = texts_.intern(is_launch ? api : category),
                 .layer = is_launch ? Layer::runtime : layer,
                 .args = args_,
                 .flows_out = std::span(flow).first(is_launch ? 1 : 0)});
    ++slices_;
  }
}

// "/device:GPU:0", "/device:TPU:1 SparseCore 0"
void XSpace::device_plane(const Plane& plane) {
  const std::string_view name = plane.name.substr(kDevicePrefix.size());
  const std::string_view type = name.substr(0, name.find(':'));
  std::int64_t index = 0, core = -1;
  (void)json::number_in(name.substr(std::min(type.size(), name.size())), index);
  if (const std::size_t at = name.find("SparseCore"); at != std::string_view::npos)
    (void)json::number_in(name.substr(at), core);
  const std::string label = fmt::format("{} {}", type, index);
  const Id<Device> device = sink_.device({.name = sink_.intern(label),
                                          .kind = type == "GPU"   ? DeviceKind::gpu
                                                  : type == "TPU" ? DeviceKind::npu
                                                                  : DeviceKind::other,
                                          .index = index});
  plane_stats(plane, label);
  std::vector<Line> lines;
  for (const std::string_view bytes : plane.lines)
    lines.push_back(line_of(bytes, losses_));
  // Where the streams themselves are there, "XLA Ops" is a view of what ran on them.
  const bool has_streams =
      std::ranges::any_of(lines, [](const Line& line) { return line.name.starts_with("Stream #"); });
  for (const Line& line : lines) {
    const bool is_stream =
        line.name.starts_with("Stream #") || (!has_streams && line.name.ends_with("XLA Ops"));
    if (is_stream) {
      const std::string prefix = core < 0 ? std::string() : fmt::format("SparseCore {} ", core);
      kernels(plane, line,
              sink_.stream({.device = device,
                            .number = line.id % kMadeUpTid + (core + 1) * 1000,
                            .name = sink_.intern(prefix + std::string(line.name))}));
    } else if (line.name == "Steps" && !has_steps_) {
      has_steps_ = true; // every device has a line of them: the first one is enough
      steps(plane, line);
    } else {
      const Id<Track> track = sink_.track({.name = sink_.intern(fmt::format("{} {}", label, line.name)),
                                           .kind = TrackKind::async,
                                           .process = host()});
      slices(plane, line, track, line.name == "XLA Modules" ? words::kRun : std::string_view("xla"),
             Layer::framework);
    }
  }
}

void XSpace::host_plane(const Plane& plane) {
  for (const std::string_view bytes : plane.lines) {
    const Line line = line_of(bytes, losses_);
    if (line.events.empty()) continue;
    const auto [found, is_new] = threads_.try_emplace(line.id);
    if (is_new) {
      // Ids of threads are hashes where the profiler did not know the system's.
      const bool is_tid = line.id > 0 && line.id < kMadeUpTid;
      const StrId name = sink_.intern(line.display_name.empty() ? line.name : line.display_name);
      const Id<Thread> thread =
          sink_.thread({.process = host(),
                        .tid = is_tid ? line.id : kMadeUpTid + static_cast<std::int64_t>(threads_.size()),
                        .name = name});
      found->second =
          sink_.track({.name = name, .kind = TrackKind::thread, .thread = thread, .process = host()});
    }
    slices(plane, line, found->second, words::kSpan, Layer::framework);
  }
}

void XSpace::plane(std::string_view bytes) {
  Plane plane;
  bool is_broken = false;
  try {
    index(Message(bytes), plane);
  } catch (const protozero::exception&) {
    is_broken = true;
  }
  if (plane.name == kTask)
    plane_stats(plane, "xplane");
  else if (plane.name.starts_with(kDevicePrefix))
    device_plane(plane);
  else
    host_plane(plane);
  if (is_broken) throw protozero::end_of_buffer_exception{}; // counted by the caller
}

Status XSpace::finish() {
  if (!hostname_.empty() && host_)
    (void)sink_.process({.pid = 0, .name = sink_.intern(hostname_), .cmdline = {}});
  const auto signal = [&](std::string_view what, std::int64_t count) {
    say_available(sink_, "xplane", what, count);
  };
  signal(words::kSignalKernels, kernels_);
  signal(words::kSignalRequests, requests_);
  if (requests_ > 0) sink_.metadata("request.source", "steps");
  sink_.metadata("format", "XProf XPlane");
  if (!hostname_.empty()) sink_.metadata("host", hostname_);
  say_note(sink_, Severity::notice, "note.xplane.without_time", losses_.without_time);
  say_note(sink_, Severity::data_loss, "note.xplane.damaged", losses_.damaged);
  say_note(sink_, Severity::notice, "note.xplane.flow_not_read", flows_);
  if (kernels_ + slices_ + requests_ == 0) return error_said(Errc::malformed, "error.no_events", {});
  return {};
}

Status read(const std::filesystem::path& path, TraceSink& sink) {
  XSpace space(sink);
  PROF_TRY(const proto::FieldReport report,
           proto::each_top_field(path, [&](std::uint32_t tag, std::string_view bytes) {
             if (tag == field::kPlanes)
               space.plane(bytes);
             else if (tag == field::kErrors || tag == field::kWarnings)
               space.diagnostic(tag == field::kErrors ? Severity::error : Severity::notice, bytes);
             else if (tag == field::kHostnames)
               space.hostname(bytes);
           }));
  proto::note_losses(report, sink);
  return space.finish();
}

} // namespace

extern const Reader xplane_reader;
const Reader xplane_reader{
    .name = "xplane",
    .description = "import.format.xplane",
    .sniff = sniff,
    .read = read,
    .facts = {.versions = "tsl/profiler xplane.proto by field number; it has no version",
              .tested_on =
                  "real: one JAX profile of eight MI300 GPUs (XProf's tests). TPU planes: made by hand",
              .reads = "device lines as kernels, XLA modules and operators, steps, host threads, statistics "
                       "of events and planes, launches by correlation id",
              .leaves_out = "sums without times, producer/consumer flows (both counted), HLO protos"}};

} // namespace prof
