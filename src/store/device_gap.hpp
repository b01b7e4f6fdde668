// device_gap.hpp: when each device ran nothing, and what the host did meanwhile.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace prof {

// One gap between two moments of work on a device. Its parts exclude each other and sum to dur (ns):
// no_work: outside every request of a service (steps of a training loop have no such pauses).
// Until the launch call of the kernel that closes the gap has returned, the host is late. Of that time:
//   input: the launching thread was in a data loader; slow_call: in one runtime call of at least kSlowCall;
//   sync: a synchronise call had drained the device when the gap began; launch: the rest.
// after_launch: launched in time, but something else was waited for. unknown: no launch is recorded.
struct DeviceGap {
  std::uint32_t device = kNoRow, kernel = kNoRow; // kernel: the first one after the gap
  std::int64_t ts = 0, dur = 0;
  std::int64_t no_work = 0, input = 0, slow_call = 0, sync = 0, launch = 0, after_launch = 0, unknown = 0;
};
// A runtime call takes microseconds. Ten thousand times that is start-up, loading, compiling or a system
// call.
inline constexpr std::int64_t kSlowCall = 50'000'000;

// What the host was in, in the part of the gaps of a device that is named: own time of the calls, operators
// included, of the thread that launched the kernel after the gap; where nothing of it was recorded, of the
// first other thread of its process that was in one.
struct IdleCall {
  enum class Part : std::uint8_t { input, start_up, host_sync, host_launch, after_launch };
  std::uint32_t device = kNoRow, thread = kNoRow;
  Part part = Part::input;
  StrId name;
  std::int64_t ns = 0;
};
[[nodiscard]] std::string_view word(IdleCall::Part part); // "host_sync"
// By device, part, thread and name.
[[nodiscard]] std::vector<IdleCall> find_idle_calls(const Store& store);

// By device, then time. O(n log n) in kernels and slices.
[[nodiscard]] std::vector<DeviceGap> find_device_gaps(const Store& store);

} // namespace prof
