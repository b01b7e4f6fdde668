// perf_events.hpp: what the events that perf samples are called here.
#pragma once
#include "trace/conventions.hpp"

#include <string_view>

namespace prof::stacks {

// Software events without their modifiers ("cpu-clock:u", "page-faults/period=100/" say only whose and how
// often); both clocks count ns of CPU time. Events of hardware and tracepoints ("cpu/event=0xc0/",
// "sched:sched_switch") need theirs.
[[nodiscard]] inline std::string_view plain_event(std::string_view event) {
  const std::string_view name = event.substr(0, event.find_first_of(":/"));
  if (name == "cpu-clock" || name == "task-clock") return words::kEventCpu;
  for (const std::string_view software : {"page-faults", "minor-faults", "major-faults", "context-switches"})
    if (name == software) return name;
  return event;
}

} // namespace prof::stacks
