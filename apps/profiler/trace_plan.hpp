// trace_plan.hpp: what the flags of 'profiler trace' ask for, resolved.
#pragma once
#include "base/output_claim.hpp"
#include "capture/launch.hpp"
#include "capture/session.hpp"
#include "profiler/flight_plan.hpp"
#include "profiler/trace_options.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace prof {

struct TraceFlags {
  std::string target, scope = "full_stack", metrics, sampling_rate = "100%", duration, output = "trace.pb",
                      wait, time_range;
  std::string trigger, before, after, cooldown, window, ring_size; // of the flight recorder
  int max_captures = 1;
  int cpu_hz = 199;
  bool has_duration = false, has_max_captures = false, has_output = false;
  bool is_whole_machine = false, passes_exit_status = false;
};

struct TracePlan {
  CaptureOptions options;
  std::vector<WantedMetric> metrics;
  std::string target_name; // for people
  std::string target_spec; // as the user named it
  TargetKind kind = TargetKind::process;
  std::filesystem::path output;
  OutputClaim claim;          // on its name, from the start
  bool keeps_earlier = false; // nobody named the output: what bears its name is kept
  std::unique_ptr<LaunchedProgram> program;
  bool passes_exit_status = false;  // of the program, which there is then
  std::optional<FlightPlan> flight; // of --trigger
};

// Waits for the window of --time_range and for the target, where it must. Errors: bad_argument, not_found,
// permission, interrupted.
[[nodiscard]] Result<TracePlan> make_trace_plan(const Context& context, const TraceFlags& flags);
// The processes that bear the target's name now; none where it was not named. SDK names are a look at one
// small folder; all others are a walk through /proc, which is made only while the target is gone.
[[nodiscard]] std::vector<std::int64_t> find_again(const TracePlan& plan, bool is_gone);
// Lets the recording find processes that start later under the target's name, if it has one, and says so when
// one starts beside another; before that `clear_line` is called. `context` and `plan` must stay where they
// are.
void look_for_restarts(const Context& context, TracePlan& plan, std::function<void()> clear_line);

} // namespace prof
