#include "import/rocprof/rows.hpp"

#include "base/lang.hpp"
#include "import/reader_words.hpp"
#include "trace/conventions.hpp"

#include <fmt/format.h>

namespace prof::rocprof {
namespace {

constexpr std::string_view kMarker = "marker";
constexpr unsigned kCorrelationBits =
    44; // below them the process's number; far more calls than a trace holds

// Both ends are there and in order. A GPU that was reset leaves zeros.
bool has_time(std::int64_t start, std::int64_t end) {
  return start > 0 && end >= start;
}

} // namespace

std::string_view category_of(std::string_view domain) {
  if (domain.starts_with("HIP")) return "hip_runtime";
  if (domain.starts_with("HSA")) return "hsa";
  if (domain.starts_with("RCCL")) return "rccl";
  return domain.starts_with("MARKER") ? kMarker : std::string_view("rocprof");
}

Id<Process> Rows::process_of(std::int64_t pid) {
  const auto [found, is_new] = processes_.try_emplace(pid);
  if (is_new) found->second = sink_.process({.pid = pid, .name = {}, .cmdline = {}});
  return found->second;
}

void Rows::process(std::int64_t pid, std::string_view command) {
  const std::string_view program = command.substr(0, command.find(' '));
  processes_[pid] = sink_.process({.pid = pid,
                                   .name = sink_.intern(program.substr(program.rfind('/') + 1)),
                                   .cmdline = sink_.intern(command)});
}

Id<Device> Rows::device_of(std::int64_t id) {
  const auto [found, is_new] = devices_.try_emplace(id);
  if (is_new) {
    const auto known = agents_.find(id);
    const Agent agent = known == agents_.end() ? Agent{.index = id, .name = {}} : known->second;
    const std::string label = agent.name.empty() ? fmt::format("GPU {}", agent.index) : agent.name;
    found->second = sink_.device({.name = sink_.intern(label),
                                  .kind = agent.is_gpu ? DeviceKind::gpu : DeviceKind::cpu,
                                  .index = agent.index});
  }
  return found->second;
}

std::uint64_t Rows::flow_of(std::int64_t pid, std::uint64_t correlation) {
  if (correlation == 0 || correlation >> kCorrelationBits != 0) return 0;
  const std::uint64_t number = numbers_.try_emplace(pid, numbers_.size()).first->second;
  return kLaunchFlow | (number << kCorrelationBits) | correlation;
}

void Rows::call(const Call& row) {
  if (!has_time(row.start, row.end)) {
    ++without_time_;
    return;
  }
  const Id<Process> process = process_of(row.pid);
  const Id<Thread> thread = sink_.thread({.process = process, .tid = row.tid, .name = {}});
  const std::uint64_t flows[1] = {flow_of(row.pid, row.correlation)};
  sink_.slice(
      {.track = sink_.track({.name = {}, .kind = TrackKind::thread, .thread = thread, .process = process}),
       .ts = {row.start},
       .dur = {row.end - row.start},
       .name = texts_.intern(row.name),
       .category = texts_.intern(row.domain),
       .layer = row.domain == kMarker ? Layer::application : Layer::runtime,
       .flows_out = std::span(flows).first(flows[0] != 0 ? 1 : 0)});
  ++rows_;
}

void Rows::dispatch(const Dispatch& row) {
  if (!has_time(row.start, row.end)) {
    ++without_time_;
    return;
  }
  args_.clear();
  for (const auto& [key, value] : row.args)
    args_.push_back({.key = texts_.intern(key), .value = value});
  if (row.stream >= 0) args_.push_back({.key = texts_.intern("stream"), .value = row.stream});
  const std::string label = row.queue < 0 ? "copies" : fmt::format("queue {}", row.queue);
  const Id<Stream> stream =
      sink_.stream({.device = device_of(row.agent), .number = row.queue, .name = texts_.intern(label)});
  sink_.kernel({.stream = stream,
                .ts = {row.start},
                .dur = {row.end - row.start},
                .name = texts_.intern(row.name),
                .op_type = {},
                .kind = row.is_copy               ? KernelKind::memory
                        : is_collective(row.name) ? KernelKind::communication
                                                  : KernelKind::compute,
                .correlation = row.correlation,
                .flow_in = flow_of(row.pid, row.correlation),
                .bytes = row.bytes,
                .args = args_});
  ++kernels_;
  ++rows_;
}

void Rows::not_read(std::string_view what, std::int64_t count) {
  if (count > 0) not_read_[std::string(what)] += count;
}

Status Rows::finish(std::string_view format) {
  sink_.metadata("format", format);
  say_available(sink_, reader_, words::kSignalKernels, kernels_);
  say_note(sink_, Severity::data_loss, "note.rocprof.without_time", without_time_);
  for (const auto& [what, count] : not_read_)
    say_note(sink_, Severity::notice, "note.rocprof.not_read", count, what);
  if (rows_ == 0) return error_said(Errc::malformed, "error.no_events", {});
  return {};
}

} // namespace prof::rocprof
