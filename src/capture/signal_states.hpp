// signal_states.hpp: which signals can be had, judged over all the collectors that could give them.
#pragma once
#include "capture/collector.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// What a machine lacks when the kernel refuses a call for no other reason; text ids.
struct Absence {
  std::string_view reason, mend;
};
// Why a call of the kernel's was refused, by its errno: a right, the limit of open files or memory, and only
// else `absence`. `call` is named in the detail.
[[nodiscard]] SignalState refused_state(std::string_view name, int error, std::string_view call,
                                        const Absence& absence);
// The same as an error of a collector's start(); failed_state() knows it again.
[[nodiscard]] Error refused_error(int error, std::string_view call);
[[nodiscard]] Error locked_memory_error();
// What the collector says it could give, for this process as it is: where no file can be opened, that is the
// reason and not what the files would have said.
[[nodiscard]] std::vector<SignalState> probe_collector(const CollectorInfo& collector,
                                                       const CaptureRequest& request);
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
