// stop_signals.hpp: SIGINT, SIGTERM and SIGHUP end a recording early, and each further one what still goes
// on.
#pragma once
#include <cstdint>

namespace prof {

// From now on they are counted, and end sleeps. Writing into a closed pipe or a full file fails instead of
// ending us.
void catch_stop_signals();
struct StopSignals {
  int count = 0;
  int last = 0;                  // which one
  bool is_from_terminal = false; // Ctrl-C: everything in the foreground got it too
};
[[nodiscard]] StopSignals stop_signals();
// False when one of them came, earlier or meanwhile.
[[nodiscard]] bool sleep_for(std::int64_t ns);

} // namespace prof
