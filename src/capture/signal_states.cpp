#include "capture/signal_states.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace prof {
namespace {

constexpr std::string_view kNoneOfSeveral = "signal.reason.none_of_several";

// What gives the signal elsewhere is not in this machine.
bool is_absent(const SignalState& state) {
  static constexpr std::array<std::string_view, 5> kReasons{
      "signal.reason.no_nvidia_device", "signal.reason.no_ascend_device", "signal.reason.no_power_sensor",
      "signal.reason.no_temperature_sensor", kNoneOfSeveral};
  return std::ranges::find(kReasons, state.reason) != kReasons.end();
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
  known.mend = "signal.mend.one_of_several";
  known.detail += "; " + state.detail;
}

} // namespace

SignalState failed_state(const std::string& name, const Error& error) {
  SignalState state{.name = name,
                    .is_available = false,
                    .reason = "signal.reason.collector_failed",
                    .mend = "signal.mend.report",
                    .detail = error.where + ": " + error.what};
  if (error.code == Errc::permission) {
    state.reason = "signal.reason.perf_not_allowed";
    state.mend = "signal.mend.perf_rights";
  } else if (error.code == Errc::budget) {
    state.reason = "signal.reason.file_limit";
    state.mend = "signal.mend.file_limit";
  }
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
  static constexpr std::array<std::string_view, 6> kReasons{
      "signal.reason.perf_not_allowed", "signal.reason.tracefs_unreadable", "signal.reason.no_tracefs",
      "signal.reason.file_limit",       "signal.reason.other_profiler",     "signal.reason.collector_failed"};
  return !state.is_available && std::ranges::find(kReasons, state.reason) != kReasons.end();
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
