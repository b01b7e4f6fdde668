// xplane_reader.cpp: profiles of JAX, TensorFlow and PyTorch/XLA (XProf's *.xplane.pb). A file is a list of
// planes (a device, the host), a plane a list of lines (a stream, a thread), a line a list of events.
#include "import/json/event_args.hpp"
#include "import/json/event_lanes.hpp"
#include "import/proto/top_fields.hpp"
#include "import/reader.hpp"
#include "import/reader_words.hpp"
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

// Field numbers of tsl/profiler/protobuf/xplane.proto.
namespace field {
constexpr std::uint32_t kPlanes = 1, kErrors = 2, kWarnings = 3, kHostnames = 4;                  // XSpace
constexpr std::uint32_t kName = 2, kLines = 3, kEventMetadata = 4, kStatMetadata = 5, kStats = 6; // XPlane
} // namespace field

constexpr std::string_view kDevicePrefix = "/device:", kHostPrefix = "/host:", kTask = "Task Environment";
constexpr std::int64_t kMaxNs = std::int64_t{1} << 61; // sums of two stay in 64 bits
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

struct Stat {
  std::int64_t key = 0;
  ArgValue value{};
  std::string_view text; // where the value is one
  bool is_bytes = false;
};
struct EventType {
  std::string_view name, display_name;
  std::vector<std::string_view> stats;
};
// What is known of a plane before its lines are read: the tables that they refer to may come after them.
struct Plane {
  std::string_view name;
  std::vector<std::string_view> lines, stats;
  std::map<std::int64_t, EventType> events;
  std::map<std::int64_t, std::string_view> stat_names;
};
struct Event {
  std::int64_t start = 0, end = 0; // ns
  std::int64_t type = 0;
  std::string_view bytes;
};
struct Line {
  std::int64_t id = 0;
  std::string_view name, display_name;
  std::int64_t start_ns = 0;
  std::vector<Event> events; // by start, longer first
};

void event_type_into(Message entry, Plane& plane) {
  std::int64_t id = 0;
  EventType type;
  while (entry.next()) {
    if (entry.tag() == 1) {
      id = entry.integer();
    } else if (entry.tag() == 2) {
      Message value = entry.message();
      while (value.next()) {
        switch (value.tag()) {
        case 2:
          type.name = value.bytes();
          break;
        case 4:
          type.display_name = value.bytes();
          break;
        case 5:
          type.stats.push_back(value.bytes());
          break;
        default:
          value.skip();
        }
      }
    } else {
      entry.skip();
    }
  }
  plane.events[id] = std::move(type);
}

void stat_name_into(Message entry, Plane& plane) {
  std::int64_t id = 0;
  std::string_view name;
  while (entry.next()) {
    if (entry.tag() == 1) {
      id = entry.integer();
    } else if (entry.tag() == 2) {
      Message value = entry.message();
      while (value.next(2))
        name = value.bytes();
    } else {
      entry.skip();
    }
  }
  plane.stat_names[id] = name;
}

// Throws where the plane is damaged; what came before is in `plane`.
void index(Message from, Plane& plane) {
  while (from.next()) {
    switch (from.tag()) {
    case field::kName:
      plane.name = from.bytes();
      break;
    case field::kLines:
      plane.lines.push_back(from.bytes());
      break;
    case field::kEventMetadata:
      event_type_into(from.message(), plane);
      break;
    case field::kStatMetadata:
      stat_name_into(from.message(), plane);
      break;
    case field::kStats:
      plane.stats.push_back(from.bytes());
      break;
    default:
      from.skip();
    }
  }
}

class XSpace {
public:
  explicit XSpace(TraceSink& sink) : sink_(sink), texts_(sink) {}
  void plane(std::string_view bytes);
  void hostname(std::string_view name) { hostname_ = name; }
  void diagnostic(Severity severity, std::string_view text) {
    sink_.note({.severity = severity,
                .code = sink_.intern("note.xplane.diagnostic"),
                .count = 1,
                .where = sink_.intern(text.substr(0, 200))});
  }
  Status finish();

private:
  Stat stat_of(const Plane& plane, std::string_view bytes);
  Line line_of(std::string_view bytes);
  void event_into(Line& line, std::string_view bytes);
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
  std::int64_t kernels_ = 0, slices_ = 0, requests_ = 0, without_time_ = 0, bad_times_ = 0, flows_ = 0;
};

Stat XSpace::stat_of(const Plane& plane, std::string_view bytes) {
  Stat stat;
  Message from(bytes);
  while (from.next()) {
    switch (from.tag()) {
    case 1:
      stat.key = from.integer();
      break;
    case 2:
      stat.value = from.real();
      break;
    case 3:
    case 4:
      stat.value = from.integer();
      break;
    case 5:
      stat.text = from.bytes();
      break;
    case 7:
      if (const auto name = plane.stat_names.find(from.integer()); name != plane.stat_names.end())
        stat.text = name->second;
      break;
    default:
      stat.is_bytes = true;
      from.skip();
    }
  }
  if (stat.text.data() != nullptr) stat.value = texts_.intern(stat.text);
  return stat;
}

void XSpace::event_into(Line& line, std::string_view bytes) {
  Event event{.bytes = bytes};
  std::int64_t offset_ps = 0, dur_ps = 0;
  bool is_aggregate = false;
  Message from(bytes);
  while (from.next()) {
    switch (from.tag()) {
    case 1:
      event.type = from.integer();
      break;
    case 2:
      offset_ps = from.integer();
      break;
    case 3:
      dur_ps = from.integer();
      break;
    case 5:
      is_aggregate = true;
      from.skip();
      break;
    default:
      from.skip();
    }
  }
  if (is_aggregate) {
    ++without_time_;
    return;
  }
  const bool is_good = line.start_ns >= 0 && line.start_ns < kMaxNs && offset_ps >= 0 && dur_ps >= 0 &&
                       offset_ps < kMaxNs && dur_ps < kMaxNs;
  if (!is_good) {
    ++bad_times_;
    return;
  }
  // Both ends are rounded down, so that what nests in ps nests in ns.
  event.start = line.start_ns + offset_ps / 1000;
  event.end = line.start_ns + (offset_ps + dur_ps) / 1000;
  line.events.push_back(event);
}

Line XSpace::line_of(std::string_view bytes) {
  Line line;
  std::vector<std::string_view> events;
  const auto read = [&] {
    Message from(bytes);
    while (from.next()) {
      switch (from.tag()) {
      case 1:
        line.id = from.integer();
        break;
      case 2:
        line.name = from.bytes();
        break;
      case 3:
        line.start_ns = from.integer();
        break;
      case 4:
        events.push_back(from.bytes());
        break;
      case 11:
        line.display_name = from.bytes();
        break;
      default:
        from.skip();
      }
    }
  };
  try {
    read();
    for (const std::string_view event : events)
      event_into(line, event);
  } catch (const protozero::exception&) {
    ++bad_times_; // the plane around it is whole: only this line ends early
  }
  std::ranges::stable_sort(line.events, [](const Event& a, const Event& b) {
    return std::pair(a.start, b.end) < std::pair(b.start, a.end);
  });
  return line;
}

std::string XSpace::name_of(const Plane& plane, const Event& event) const {
  const auto type = plane.events.find(event.type);
  if (type == plane.events.end()) return fmt::format("event {}", event.type); // its name was cut off
  const EventType& it = type->second;
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
    const auto* integer = std::get_if<std::int64_t>(&stat.value);
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
    args_.push_back({.key = is_ours ? texts_.intern(fmt::format("stat.{}", key)) : texts_.intern(key),
                     .value = stat.value});
  };
  try {
    Message from(event.bytes);
    while (from.next(4))
      take(from.bytes());
    if (const auto type = plane.events.find(event.type); type != plane.events.end())
      for (const std::string_view bytes : type->second.stats)
        take(bytes);
  } catch (const protozero::exception&) {
    ++bad_times_; // a value is damaged: the event stays, with the values before it
  }
}

void XSpace::plane_stats(const Plane& plane, std::string_view prefix) {
  for (const std::string_view bytes : plane.stats) {
    const Stat stat = stat_of(plane, bytes);
    const auto name = plane.stat_names.find(stat.key);
    if (stat.is_bytes || name == plane.stat_names.end()) continue;
    std::string value(stat.text);
    if (const auto* integer = std::get_if<std::int64_t>(&stat.value)) value = std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&stat.value)) value = fmt::format("{}", *real);
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
    lines.push_back(line_of(bytes));
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
    const Line line = line_of(bytes);
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
  const auto note = [&](Severity severity, std::string_view code, std::int64_t count) {
    if (count > 0)
      sink_.note({.severity = severity, .code = sink_.intern(code), .count = count, .where = {}});
  };
  note(Severity::notice, "note.xplane.without_time", without_time_);
  note(Severity::data_loss, "note.xplane.damaged", bad_times_);
  note(Severity::notice, "note.xplane.flow_not_read", flows_);
  if (kernels_ + slices_ + requests_ == 0) return Error{Errc::malformed, "the file holds no event", {}};
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
    .name = "xplane", .description = "import.format.xplane", .sniff = sniff, .read = read};

} // namespace prof
