// flight.hpp: 'profiler trace --trigger': waits in a recording that keeps only its last seconds.
#pragma once
#include "profiler/trace_plan.hpp"

namespace prof {

// Records until the last capture is written, the time is over, the target has ended or a signal came; says
// what happened. `plan.flight` is there.
[[nodiscard]] Exit run_flight(Context& context, TracePlan& plan);

} // namespace prof
