// trace_report.hpp: what 'profiler trace' says while and after it records.
#pragma once
#include "profiler/trace_plan.hpp"

#include <vector>

namespace prof {

void tell_started(const Context& context, const TracePlan& plan);
// The program we started is ours to end: it gets the signal that ended us, or SIGTERM, and ten seconds.
// How it ended is told and kept for the journal.
void end_program(Context& context, TracePlan& plan);
// What the command ends with: its own status, or the program's where that is wanted and nothing else is
// wrong.
[[nodiscard]] Exit exit_of(const TracePlan& plan, Exit own);
// Metrics that were asked for and cannot be had, and signals that only a right, a limit or another profiler
// keeps from us. Where nothing at all was recorded: everything that is missing.
[[nodiscard]] std::vector<SignalState> missing_of(const CaptureReport& report, bool is_empty);
// One line a reason, with all the names that it holds for.
void tell_unavailable(const Context& context, const std::vector<SignalState>& missing);
// What the trace lacks: sources that could not be read, events that were lost. That nothing was is said only
// where it is so.
void tell_losses(const Context& context, const TracePlan& plan, const CaptureReport& report, bool is_empty);
// How the recording ended, where that is not what was asked for.
void tell_end(const Context& context, const TracePlan& plan, const CaptureReport& report);
// What it cost.
void tell_cost(const Context& context, const CaptureReport& report);

} // namespace prof
