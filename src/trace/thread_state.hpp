// thread_state.hpp: the words for what a thread does.
#pragma once
#include <string_view>

namespace prof {

// A state that nobody knows: switches of the scheduler were lost.
inline constexpr char kLostState = 'U';

// What a thread does that left its CPU in this state of the kernel's: P preempted, S, D, U as told, X gone.
[[nodiscard]] constexpr char state_after(char prev_state) {
  switch (prev_state) {
  case 'R':
  case '+':
    return 'P';
  case 'D':
  case 'K':
    return 'D';
  case 'X':
  case 'x':
  case 'Z':
    return 'X'; // gone
  case kLostState:
    return kLostState;
  default:
    return 'S'; // S, I (idle kernel thread), T and t (stopped), P (parked)
  }
}

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
[[nodiscard]] constexpr char thread_state_of(std::string_view word) {
  for (const char state : {'X', 'R', 'P', 'S', 'D'})
    if (thread_state_word(state) == word) return state;
  return kLostState;
}

} // namespace prof
