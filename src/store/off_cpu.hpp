// off_cpu.hpp: why a thread blocked, from the call stack that it had when it left the CPU.
#pragma once
#include "store/request_time.hpp"
#include "store/store.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace prof {

// Classifies each frame once; a question is then a walk up one stack.
class OffCpuReasons {
public:
  explicit OffCpuReasons(const Store& store);
  // The reason of a sleep whose switch sample is `sample` (kNoRow = none): page_fault, lock_wait, network or
  // io; sleeping for timers; nullopt when the stack does not say (a condition variable, no stack). An
  // uninterruptible sleep without any other reason is io.
  [[nodiscard]] std::optional<TimeClass> reason(std::uint32_t sample, bool is_uninterruptible) const;
  // Whether that wait is for something to happen (epoll, poll, select, a pipe): inside a request it is input
  // or output, of a thread without one it may as well be that nobody asks for anything.
  [[nodiscard]] bool is_event_wait(std::uint32_t sample) const;

private:
  using Hints = std::array<bool, 11>;
  [[nodiscard]] Hints hints_of(std::uint32_t sample) const;
  enum class Hint : std::uint8_t {
    none,
    page_fault,
    kernel_lock,
    futex,
    user_mutex,
    user_condition,
    network,
    io,
    timer,
    event,
    interpreter_lock
  };
  [[nodiscard]] static Hint hint_of(std::string_view function, bool is_kernel);
  const Store& store_;
  std::vector<Hint> hints_; // by frame row
};

} // namespace prof
