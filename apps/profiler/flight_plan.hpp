// flight_plan.hpp: what the flags of the flight recorder ask for.
#pragma once
#include "capture/flight_recorder.hpp"
#include "common/cli.hpp"

#include <optional>

namespace prof {

struct TraceFlags;

struct FlightPlan {
  Trigger trigger;
  FlightOptions options; // without the output's name
  Dur cooldown;
  int most_captures = 1;
};
// None without --trigger. Error bad_argument: a flag of the recorder without it, or one that makes no sense.
[[nodiscard]] Result<std::optional<FlightPlan>> parse_flight(const Context& context, const TraceFlags& flags);

// The name of capture `number` (from 1) of at most `most`: of one capture `output` itself, else trace_1.pb.
[[nodiscard]] std::filesystem::path capture_path(const std::filesystem::path& output, int number, int most);

// The first number from `from` on that no file bears: of several captures none takes the place of a file.
[[nodiscard]] int free_capture(const std::filesystem::path& output, int from, int most);

} // namespace prof
