// What services say themselves: the rings of the annotation SDK and of the preloaded ONNX Runtime shim.
#include "base/clock.hpp"
#include "capture/collector.hpp"
#include "capture/procfs.hpp"
#include "capture/sdk_decoder.hpp"
#include "capture/sdk_ring.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace prof {
namespace {

constexpr std::string_view kNoSdk = "signal.reason.no_sdk";
constexpr std::string_view kMendSdk = "signal.mend.link_sdk_or_preload";

SignalState absent(std::string_view name, std::string_view reason, std::string_view mend,
                   std::string detail = {}) {
  return {.name = std::string(name),
          .is_available = false,
          .reason = std::string(reason),
          .mend = std::string(mend),
          .detail = std::move(detail)};
}

// What the ONNX Runtime hook of one process can give.
SignalState operators_of(SdkRing& ring) {
  switch (ring.hook_state()) {
  case sdk::HookState::hooked:
    return {.name = std::string(words::kSignalOps),
            .is_available = true,
            .reason = {},
            .mend = {},
            .detail = ring.hook_version()};
  case sdk::HookState::refused:
    return absent(words::kSignalOps, "signal.reason.ort_refused", "signal.mend.ort_version",
                  ring.hook_version() + ": " + ring.hook_detail());
  case sdk::HookState::no_library:
    return absent(words::kSignalOps, "signal.reason.no_ort", "signal.mend.ort_later");
  case sdk::HookState::no_shim:
    break;
  }
  return absent(words::kSignalOps, "signal.reason.no_shim", "signal.mend.preload");
}

std::vector<SdkRingFile> files_of(const CaptureRequest& request, const std::set<std::int64_t>& pids) {
  std::vector<SdkRingFile> files = list_sdk_ring_files();
  if (!request.is_whole_machine)
    std::erase_if(files, [&](const SdkRingFile& file) { return !pids.contains(file.pid); });
  return files;
}

std::vector<SignalState> probe(const CaptureRequest& request) {
  const std::set<std::int64_t> pids(request.pids.begin(), request.pids.end());
  // Always there: a service may announce itself later, and then the signals follow while recording.
  std::vector<SignalState> states{
      {.name = "annotations", .is_available = true, .reason = {}, .mend = {}, .detail = {}}};
  bool has_process = false, has_shim = false;
  SignalState ops = absent(words::kSignalOps, kNoSdk, kMendSdk);
  for (const SdkRingFile& file : files_of(request, pids)) {
    auto ring = SdkRing::open(file.path);
    if (!ring || !(*ring)->is_process_alive()) continue;
    has_process = true;
    has_shim = has_shim || (*ring)->hook_state() != sdk::HookState::no_shim;
    if (!ops.is_available) ops = operators_of(**ring);
  }
  for (const std::string_view name : {words::kSignalRequests, words::kSignalStages, words::kSignalHeap}) {
    if (has_process)
      states.push_back(
          {.name = std::string(name), .is_available = true, .reason = {}, .mend = {}, .detail = {}});
    else
      states.push_back(absent(name, kNoSdk, kMendSdk));
  }
  states.push_back(ops);
  if (has_shim)
    states.push_back({.name = std::string(words::kSignalLocks),
                      .is_available = true,
                      .reason = {},
                      .mend = {},
                      .detail = {}});
  else
    states.push_back(absent(words::kSignalLocks, has_process ? "signal.reason.no_shim" : kNoSdk,
                            has_process ? "signal.mend.preload" : kMendSdk));
  return states;
}

class Annotations final : public Collector {
public:
  explicit Annotations(const CaptureRequest& request)
      : request_(request), pids_(request.pids.begin(), request.pids.end()) {}

  Status start(TraceSink& sink) override {
    attach_new(sink);
    return {};
  }

  void poll(TraceSink& sink) override {
    attach_new(sink);
    for (auto& [path, source] : sources_) {
      if (source.is_done) continue;
      const bool is_alive =
          source.ring->is_process_alive(); // asked before draining: what it wrote last is there by then
      source.clock->add(sdk::read_clock_pair(source.ring->clock()));
      drain(source, sink);
      tell_signals(source);
      if (!is_alive) finish(source, sink);
    }
  }

  void stop(TraceSink& sink) override {
    attach_new(sink);
    for (auto& [path, source] : sources_)
      if (!source.is_done) source.ring->detach();
    for (auto& [path, source] : sources_) {
      if (source.is_done) continue;
      source.clock->add(sdk::read_clock_pair(source.ring->clock()));
      drain(source, sink);
      finish(source, sink);
    }
    tell_missing();
  }

  void on_processes(std::span<const std::int64_t> pids, TraceSink& sink) override {
    pids_.insert(pids.begin(), pids.end());
    attach_new(sink);
  }

  std::vector<SignalState> changed_signals() override { return std::exchange(changed_, {}); }

private:
  struct Source {
    std::unique_ptr<SdkRing> ring;
    std::unique_ptr<SdkDecoder> decoder;
    std::optional<TickClock> clock;
    std::string name;
    bool is_done = false;
  };

  void attach_new(TraceSink& sink) {
    for (const SdkRingFile& file : files_of(request_, pids_)) {
      if (sources_.contains(file.path) || refused_.contains(file.path)) continue;
      auto ring = SdkRing::open(file.path);
      if (!ring) {
        refuse(file, ring.error(), sink);
        continue;
      }
      if (request_.is_whole_machine && !(*ring)->is_process_alive()) {
        refused_.insert(file.path);
        continue;
      }
      if (Status attached = (*ring)->attach(request_.sampling_rate); !attached) {
        refuse(file, attached.error(), sink);
        continue;
      }
      Source source;
      source.ring = std::move(*ring);
      source.decoder = std::make_unique<SdkDecoder>(*source.ring, request_.proc_root);
      source.clock = make_clock(*source.ring);
      source.name = source.ring->service();
      sink.metadata("service", source.name);
      sources_.emplace(file.path, std::move(source));
    }
  }

  void refuse(const SdkRingFile& file, const Error& error, TraceSink& sink) {
    refused_.insert(file.path);
    if (error.code == Errc::missing) return; // the process ended meanwhile
    sink.note({.severity = Severity::error,
               .code = sink.intern("note.sdk_not_attached"),
               .count = 1,
               .where = sink.intern("pid " + std::to_string(file.pid) + ": " + error.what)});
  }

  // The service gave a pair when it registered; one that did so just now is too near for a good slope.
  static TickClock make_clock(const SdkRing& ring) {
    constexpr std::int64_t kShortest = 5'000'000;
    sdk::ClockPair first{.ticks = ring.base_ticks(), .ns = ring.base_ns()};
    sdk::ClockPair now = sdk::read_clock_pair(ring.clock());
    if (now.ns - first.ns < kShortest || now.ticks <= first.ticks) {
      first = now;
      const timespec wait{.tv_sec = 0, .tv_nsec = kShortest};
      nanosleep(&wait, nullptr);
      now = sdk::read_clock_pair(ring.clock());
    }
    return {first, now};
  }

  static void drain(Source& source, TraceSink& sink) {
    source.ring->drain([&](std::uint32_t slot, const sdk::RingRecord& record) {
      source.decoder->take(slot, record, *source.clock, sink);
    });
    source.decoder->end_of_round(sink);
  }

  void tell(std::string_view name, bool is_seen) {
    if (is_seen && available_.insert(name).second)
      changed_.push_back({.name = std::string(name), .is_available = true});
  }
  void tell_signals(const Source& source) {
    const SdkSeen& seen = source.decoder->seen();
    const bool has_shim = source.ring->hook_state() != sdk::HookState::no_shim;
    tell(words::kSignalRequests, seen.requests > 0);
    tell(words::kSignalStages, seen.stages > 0);
    tell(words::kSignalOps, seen.ops > 0 || source.ring->hook_state() == sdk::HookState::hooked);
    tell(words::kSignalLocks, has_shim);
    tell(words::kSignalHeap, seen.heap > 0);
  }

  void tell_missing() {
    if (available_.contains(words::kSignalOps)) return;
    for (const auto& [path, source] : sources_)
      changed_.push_back(operators_of(*source.ring));
  }

  void finish(Source& source, TraceSink& sink) {
    source.is_done = true;
    const bool is_gone = !source.ring->is_process_alive();
    const SdkLosses losses = source.ring->losses();
    source.ring->detach();
    source.decoder->finish(now_monotonic(), sink);
    tell_signals(source);
    const SdkSeen& seen = source.decoder->seen();
    note(sink, source, Severity::data_loss, "note.sdk_records_dropped",
         static_cast<std::int64_t>(losses.dropped));
    note(sink, source, Severity::data_loss, "note.sdk_no_memory",
         static_cast<std::int64_t>(losses.memory_refused));
    note(sink, source, Severity::data_loss, "note.sdk_threads_refused",
         static_cast<std::int64_t>(losses.threads_refused));
    note(sink, source, Severity::notice, "note.sdk_names_lost",
         static_cast<std::int64_t>(losses.names_lost + losses.ops_lost));
    note(sink, source, Severity::data_loss, "note.sdk_damaged",
         static_cast<std::int64_t>(losses.damaged) + seen.damaged);
    note(sink, source, Severity::info, "note.requests_unfinished", seen.unfinished);
    note(sink, source, Severity::info, "note.requests_not_sampled", seen.unsampled);
    if (is_gone) source.ring->remove();
  }

  static void note(TraceSink& sink, const Source& source, Severity severity, std::string_view code,
                   std::int64_t count) {
    if (count <= 0) return;
    sink.note({.severity = severity,
               .code = sink.intern(code),
               .count = count,
               .where = sink.intern(source.name + " (pid " + std::to_string(source.ring->pid()) + ")")});
  }

  CaptureRequest request_;
  std::set<std::int64_t> pids_;
  std::map<std::string, Source> sources_; // by path; sorted, so that two runs write alike
  std::set<std::string> refused_;
  std::set<std::string_view> available_; // told so; words of conventions.hpp
  std::vector<SignalState> changed_;
};

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return std::make_unique<Annotations>(request);
}

} // namespace

extern const CollectorInfo annotations_collector;
const CollectorInfo annotations_collector{.name = "annotations",
                                          .description = "collector.annotations",
                                          .layer = Layer::application,
                                          .probe = probe,
                                          .create = create};

} // namespace prof
