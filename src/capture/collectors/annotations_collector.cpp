// What services say themselves: the rings of the annotation SDK and of the preloaded ONNX Runtime shim.
#include "base/clock.hpp"
#include "base/format_units.hpp"
#include "capture/collector.hpp"
#include "capture/procfs.hpp"
#include "capture/sdk_decoder.hpp"
#include "capture/sdk_ring.hpp"
#include "capture/sdk_services.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace prof {
namespace {

constexpr std::string_view kNoSdk = "signal.reason.no_sdk";
constexpr const char* kNoRing = "no ring file in the registry";
constexpr std::array kFromRings{words::kSignalRequests, words::kSignalStages, words::kSignalHeap,
                                words::kSignalOps, words::kSignalLocks};
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

SignalState held_by_other(std::string_view name, std::int64_t profiler) {
  return absent(name, "signal.reason.other_profiler", "signal.mend.other_profiler",
                describe_recorder("/proc", profiler));
}

std::vector<SignalState> probe(const CaptureRequest& request) {
  const std::set<std::int64_t> pids(request.pids.begin(), request.pids.end());
  // Always there: a service may announce itself later, and then the signals follow while recording.
  std::vector<SignalState> states{
      {.name = "annotations", .is_available = true, .reason = {}, .mend = {}, .detail = {}}};
  bool has_process = false, has_shim = false;
  std::int64_t holder = 0;
  SignalState ops = absent(words::kSignalOps, kNoSdk, kMendSdk, kNoRing);
  for (const SdkRingFile& file : list_sdk_ring_files()) {
    if (!request.is_whole_machine && !pids.contains(file.pid)) continue;
    auto ring = SdkRing::open(file.path);
    if (!ring || (*ring)->is_elsewhere() || !(*ring)->is_process_alive() || !(*ring)->is_in_use()) continue;
    if (const std::int64_t other = (*ring)->other_profiler(); other != 0) {
      holder = other;
      continue;
    }
    has_process = true;
    has_shim = has_shim || (*ring)->hook_state() != sdk::HookState::no_shim;
    if (!ops.is_available) ops = operators_of(**ring);
  }
  if (!has_process && holder != 0) {
    for (const std::string_view name : kFromRings)
      states.push_back(held_by_other(name, holder));
    return states;
  }
  for (const std::string_view name : {words::kSignalRequests, words::kSignalStages, words::kSignalHeap}) {
    if (has_process)
      states.push_back(
          {.name = std::string(name), .is_available = true, .reason = {}, .mend = {}, .detail = {}});
    else
      states.push_back(absent(name, kNoSdk, kMendSdk, kNoRing));
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
                            has_process ? "signal.mend.preload" : kMendSdk, has_process ? "" : kNoRing));
  return states;
}

class Annotations final : public Collector {
public:
  explicit Annotations(const CaptureRequest& request)
      : request_(request), pids_(request.pids.begin(), request.pids.end()) {}

  Status start(TraceSink& sink) override {
    started_ns_ = now_monotonic().ns;
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
    for (auto& [path, held] : held_)
      tell_unread(std::move(held), Severity::error, sink);
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
  std::vector<Unread> unread() override { return std::exchange(unread_, {}); }

private:
  struct Source {
    std::unique_ptr<SdkRing> ring;
    std::unique_ptr<SdkDecoder> decoder;
    std::optional<TickClock> clock;
    std::string name;
    bool is_named = false; // the trace bears its name
    bool is_done = false;  // ring and decoder are gone then: each holds a descriptor and memory
    SignalState ops;       // at the end
  };

  void attach_new(TraceSink& sink) {
    for (const SdkRingFile& file : list_sdk_ring_files()) {
      if (sources_.contains(file.path) || refused_.contains(file.path) || !is_wanted(file)) continue;
      auto ring = SdkRing::open(file.path);
      if (!ring) {
        refuse(file, ring.error(), sink);
        continue;
      }
      if ((*ring)->is_elsewhere()) {
        leave_out(file, **ring, sink);
        continue;
      }
      const std::int64_t other = (*ring)->other_profiler();
      if (held_.contains(file.path) && (other != 0 || !(*ring)->is_process_alive())) continue;
      // One that began after us may have ended before this look: its records are there all the same.
      if (request_.is_whole_machine && (*ring)->base_ns() < started_ns_ && !(*ring)->is_process_alive()) {
        refused_.insert(file.path);
        continue;
      }
      if (Status attached = (*ring)->attach(request_.sampling_rate); !attached) {
        held_.try_emplace(file.path, not_attached(file, attached.error()));
        tell_held(other);
        continue;
      }
      if (held_.erase(file.path) > 0) {
        tell_freed(**ring);
        tell_unread({.code = "note.sdk_attached_late",
                     .where = fmt::format("{} (pid {}), the first {}", (*ring)->service(), file.pid,
                                          format_dur({now_monotonic().ns - started_ns_}))},
                    Severity::notice, sink);
      }
      Source source;
      source.ring = std::move(*ring);
      source.decoder = std::make_unique<SdkDecoder>(*source.ring, request_.proc_root);
      source.clock = make_clock(*source.ring);
      tell_name(source, sink);
      sources_.emplace(file.path, std::move(source));
    }
  }

  // The target's processes, and what they forked: a child may be gone before anybody else tells of it.
  bool is_wanted(const SdkRingFile& file) {
    if (request_.is_whole_machine || pids_.contains(file.pid)) return true;
    const auto [it, is_new] = parents_.try_emplace(file.path, 0);
    if (is_new)
      if (const auto ring = SdkRing::open(file.path); ring && !(*ring)->is_elsewhere())
        it->second = (*ring)->parent_pid();
    if (!pids_.contains(it->second)) return false;
    pids_.insert(file.pid);
    return true;
  }

  // A process of another pid namespace: under its number there is another one here, or none.
  void leave_out(const SdkRingFile& file, SdkRing& ring, TraceSink& sink) {
    refused_.insert(file.path);
    if (request_.is_whole_machine)
      tell_unread(
          {.code = "note.sdk_elsewhere", .where = fmt::format("{}, pid {} there", ring.service(), file.pid)},
          Severity::notice, sink);
  }

  void tell_held(std::int64_t profiler) {
    if (profiler == 0) return;
    for (const std::string_view name : kFromRings)
      if (!available_.contains(name)) changed_.push_back(held_by_other(name, profiler));
  }

  // As probe() would say it now.
  void tell_freed(const SdkRing& ring) {
    for (const std::string_view name : {words::kSignalRequests, words::kSignalStages, words::kSignalHeap})
      if (!available_.contains(name)) changed_.push_back({.name = std::string(name), .is_available = true});
    if (ring.hook_state() == sdk::HookState::no_shim && !available_.contains(words::kSignalLocks))
      changed_.push_back(absent(words::kSignalLocks, "signal.reason.no_shim", "signal.mend.preload"));
  }

  void refuse(const SdkRingFile& file, const Error& error, TraceSink& sink) {
    refused_.insert(file.path);
    if (error.code == Errc::missing) return; // the process ended meanwhile
    tell_unread(not_attached(file, error), Severity::error, sink);
  }

  static Unread not_attached(const SdkRingFile& file, const Error& error) {
    return unread_for("note.sdk_not_attached", "pid " + std::to_string(file.pid), error);
  }

  void tell_unread(Unread unread, Severity severity, TraceSink& sink) {
    unread_.push_back(std::move(unread));
    sink.note({.severity = severity,
               .code = sink.intern(unread_.back().code),
               .count = 1,
               .where = sink.intern(unread_.back().where)});
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

  // A process that only has the shim in it (a shell that starts the service) names no trace; and one that the
  // shim announced may give its own name later.
  static void tell_name(Source& source, TraceSink& sink) {
    source.name = source.ring->service();
    const SdkSeen& seen = source.decoder->seen();
    const bool is_service =
        source.ring->hook_state() != sdk::HookState::no_library || seen.requests + seen.stages + seen.ops > 0;
    if (is_service && !std::exchange(source.is_named, true)) sink.metadata("service", source.name);
  }

  static void drain(Source& source, TraceSink& sink) {
    source.ring->drain([&](std::uint32_t slot, const sdk::RingRecord& record) {
      source.decoder->take(slot, record, *source.clock, sink);
    });
    source.decoder->end_of_round(sink);
    tell_name(source, sink);
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
    if (!available_.contains(words::kSignalOps))
      for (const auto& [path, source] : sources_)
        changed_.push_back(source.ops);
    if (!available_.contains(words::kSignalLocks)) return; // then it is the SDK that announced the process
    for (const std::string_view name : {words::kSignalRequests, words::kSignalStages})
      if (!available_.contains(name))
        changed_.push_back(absent(name, "signal.reason.none_announced", "signal.mend.link_sdk"));
    if (!available_.contains(words::kSignalHeap))
      changed_.push_back(absent(words::kSignalHeap, "signal.reason.no_heap_noted", "signal.mend.link_sdk"));
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
    note(sink, source, Severity::data_loss, "note.sdk_too_deep", static_cast<std::int64_t>(losses.too_deep));
    note(sink, source, Severity::notice, "note.sdk_names_lost",
         static_cast<std::int64_t>(losses.names_lost + losses.ops_lost));
    note(sink, source, Severity::data_loss, "note.sdk_damaged",
         static_cast<std::int64_t>(losses.damaged) + seen.damaged);
    note(sink, source, Severity::info, "note.requests_unfinished", seen.unfinished);
    note(sink, source, Severity::info, "note.requests_not_sampled", seen.unsampled);
    if (is_gone) source.ring->remove();
    source.ops = operators_of(*source.ring);
    source.decoder.reset();
    source.ring.reset();
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
  std::set<std::string> refused_;         // for good
  std::map<std::string, Unread> held_;    // by another profiler, which may end: path -> who, as first seen
  std::map<std::string, std::int64_t> parents_; // of files that are not the target's as far as we know
  std::int64_t started_ns_ = 0;
  std::set<std::string_view> available_; // told so; words of conventions.hpp
  std::vector<SignalState> changed_;
  std::vector<Unread> unread_;
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
