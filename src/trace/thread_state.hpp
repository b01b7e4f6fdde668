// thread_state.hpp: the words for what a thread does.
#pragma once
#include <string_view>

namespace prof {

// X on a CPU, R woken, P preempted, S asleep, D in an uninterruptible wait.
[[nodiscard]] constexpr std::string_view thread_state_word(char state) {
  switch (state) {
  case 'X':
    return "running";
  case 'R':
    return "runnable";
  case 'P':
    return "preempted";
  case 'S':
    return "sleeping";
  case 'D':
    return "blocked";
  default:
    return "unknown";
  }
}

} // namespace prof
