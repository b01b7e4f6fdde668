#include "capture/signal_states.hpp"

#include "base/lang.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <set>
#include <unistd.h>

namespace prof {
namespace {

constexpr std::string_view kNoneOfSeveral = "signal.reason.none_of_several";

// What keeps a signal from us that the machine has.
struct Refusal {
  Errc code;
  std::string_view reason, mend;
};
constexpr Refusal kRight{Errc::permission, "signal.reason.perf_not_allowed", "signal.mend.perf_rights"};
constexpr Refusal kFiles{Errc::budget, "signal.reason.file_limit", "signal.mend.file_limit"};
constexpr Refusal kMemory{Errc::budget, "signal.reason.no_memory", "signal.mend.no_memory"};
constexpr Refusal kLockedMemory{Errc::permission, "signal.reason.locked_memory", "signal.mend.locked_memory"};
constexpr std::array kRefusals{kRight, kFiles, kMemory, kLockedMemory};

const Refusal* refusal_of(int error) {
  switch (error) {
  case EACCES:
  case EPERM:
    return &kRight;
  case EMFILE:
  case ENFILE:
    return &kFiles;
  case ENOMEM:
    return &kMemory;
  default:
    return nullptr;
  }
}

// 0, or why no file can be opened now.
int file_refusal() {
  const int fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return refusal_of(errno) == &kRight ? 0 : errno;
  ::close(fd);
  return 0;
}

// What gives the signal elsewhere is not in this machine.
bool is_absent(const SignalState& state) {
  static constexpr std::array<std::string_view, 5> kReasons{
      "signal.reason.no_nvidia_device", "signal.reason.no_ascend_device", "signal.reason.no_power_sensor",
      "signal.reason.no_temperature_sensor", kNoneOfSeveral};
  return std::ranges::find(kReasons, state.reason) != kReasons.end();
}

// What helps where either of two sources would do. Sensors give power and temperature, and neither the load
// of a device nor its kernels; kernels come from a recording of another tool even where there is a device.
std::string_view mend_of_either(std::string_view a, std::string_view b) {
  constexpr std::string_view kSensorOrDevice = "signal.mend.one_of_several";
  const auto is_one = [&](std::string_view mend) { return a == mend || b == mend; };
  if (is_one(kSensorOrDevice) || is_one("signal.mend.bare_metal")) return kSensorOrDevice;
  return is_one("signal.mend.kernel_records") ? "signal.mend.import_kernels" : "signal.mend.one_device";
}

// Two sources lack the signal: what one of them could give if it were let tells more than a device that is
// not there; of two that are not there both are named.
void add_source(SignalState& known, SignalState state) {
  if (!is_absent(known)) return;
  if (!is_absent(state)) {
    if (state.reason != "signal.reason.not_in_scope") known = std::move(state);
    return;
  }
  if (known.reason == state.reason) return;
  known.reason = kNoneOfSeveral;
  known.mend = mend_of_either(known.mend, state.mend);
  known.detail += "; " + state.detail;
}

} // namespace

SignalState refused_state(std::string_view name, int error, std::string_view call, const Absence& absence) {
  const Refusal* refusal = refusal_of(error);
  return {.name = std::string(name),
          .is_available = false,
          .reason = std::string(refusal != nullptr ? refusal->reason : absence.reason),
          .mend = std::string(refusal != nullptr ? refusal->mend : absence.mend),
          .detail = std::string(call) + ": " + std::strerror(error)};
}

Error refused_error(int error, std::string_view call) {
  if (const Refusal* refusal = refusal_of(error))
    return error_said(refusal->code, refusal->reason, std::string(call));
  return {Errc::unsupported, std::strerror(error), std::string(call)};
}

Error locked_memory_error() {
  return error_said(kLockedMemory.code, kLockedMemory.reason, "mmap");
}

std::vector<SignalState> probe_collector(const CollectorInfo& collector, const CaptureRequest& request) {
  std::vector<SignalState> states = collector.probe(request);
  if (std::ranges::all_of(states, &SignalState::is_available)) return states;
  const int error = file_refusal();
  if (error == 0) return states;
  for (SignalState& state : states)
    if (!state.is_available) state = refused_state(state.name, error, "open", {});
  return states;
}

SignalState failed_state(const std::string& name, const Error& error) {
  SignalState state{.name = name,
                    .is_available = false,
                    .reason = "signal.reason.collector_failed",
                    .mend = "signal.mend.report",
                    .detail = error.where + ": " + error.what};
  const auto known = std::ranges::find_if(
      kRefusals, [&](const Refusal& refusal) { return error.what == text(Lang::en, refusal.reason); });
  if (known == kRefusals.end()) return state;
  state.reason = known->reason;
  state.mend = known->mend;
  state.detail = error.where;
  return state;
}

bool is_in_scope(const CollectorInfo& collector, const CaptureRequest& request,
                 std::span<const SignalState> its_signals) {
  const auto has = [&](Layer layer) {
    return std::ranges::find(request.layers, layer) != request.layers.end();
  };
  if (has(collector.layer)) return true;
  // What services say through the SDK holds their own spans, models and operators alike.
  if (collector.layer == Layer::application && (has(Layer::framework) || has(Layer::runtime))) return true;
  return std::ranges::any_of(its_signals, [&](const SignalState& state) {
    return std::ranges::find(request.metrics, state.name) != request.metrics.end();
  });
}

bool is_refused(const SignalState& state) {
  static constexpr std::array<std::string_view, 4> kReasons{
      "signal.reason.tracefs_unreadable", "signal.reason.no_tracefs", "signal.reason.other_profiler",
      "signal.reason.collector_failed"};
  if (state.is_available) return false;
  return std::ranges::find(kReasons, state.reason) != kReasons.end() ||
         std::ranges::find(kRefusals, state.reason, &Refusal::reason) != kRefusals.end();
}

std::vector<SignalState> merge_signals(std::vector<SignalState> states) {
  std::map<std::string, SignalState> merged;
  for (SignalState& state : states) {
    const auto [it, is_new] = merged.try_emplace(state.name, state);
    if (is_new || it->second.is_available) continue;
    if (state.is_available)
      it->second = std::move(state);
    else
      add_source(it->second, std::move(state));
  }
  std::vector<SignalState> rows;
  for (auto& [name, state] : merged)
    rows.push_back(std::move(state));
  return rows;
}

std::vector<SignalState> by_reason(std::span<const SignalState> states) {
  std::vector<SignalState> reasons;
  for (const SignalState& state : states) {
    if (state.is_available) continue;
    const auto known = std::ranges::find_if(reasons, [&](const SignalState& one) {
      return one.reason == state.reason && one.detail == state.detail;
    });
    if (known == reasons.end())
      reasons.push_back(state);
    else
      known->name += ", " + state.name;
  }
  return reasons;
}

std::vector<SignalMend> mends_of(std::span<const SignalState> states) {
  std::set<std::string_view> available;
  for (const SignalState& state : states)
    if (state.is_available) available.insert(state.name);
  std::vector<SignalMend> mends;
  for (const SignalState& state : states) {
    if (available.contains(state.name)) continue;
    auto known = std::ranges::find(mends, state.mend, &SignalMend::mend);
    if (known == mends.end()) known = mends.insert(mends.end(), {.mend = state.mend, .signals = {}});
    if (std::ranges::find(known->signals, state.name) == known->signals.end())
      known->signals.push_back(state.name);
  }
  return mends;
}

} // namespace prof
