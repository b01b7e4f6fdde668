// signal_states.hpp: which signals can be had, judged over all the collectors that could give them.
#pragma once
#include "capture/collector.hpp"

#include <span>
#include <string>
#include <vector>

namespace prof {

// Of a signal whose collector could not start.
[[nodiscard]] SignalState failed_state(const std::string& name, const Error& error);
// The collectors that these layers need, or that give one of the wanted signals.
[[nodiscard]] bool is_in_scope(const CollectorInfo& collector, const CaptureRequest& request,
                               std::span<const SignalState> its_signals);
// Whether a signal is kept from us by a right, a limit or another profiler, and not by what the machine is.
[[nodiscard]] bool is_refused(const SignalState& state);
// One row a name: available wins; of sources that are not in this machine all are named; else the first that
// says why not.
[[nodiscard]] std::vector<SignalState> merge_signals(std::vector<SignalState> states);
// Those that are missing, one row a reason (and detail): its name is the list of all that it holds for.
[[nodiscard]] std::vector<SignalState> by_reason(std::span<const SignalState> states);

// What would help, and the signals that it would give.
struct SignalMend {
  std::string mend; // text id
  std::vector<std::string> signals;
};
// Each mend once, in the order of the states. A signal that one of its sources gives already needs none.
[[nodiscard]] std::vector<SignalMend> mends_of(std::span<const SignalState> states);

} // namespace prof
