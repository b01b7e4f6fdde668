// device_time.hpp: what each device did with its time, by interval unions.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <vector>

namespace prof {

// All in ns. window = first start to last end of the device's kernels and copies; overlap = compute and
// communication at once; exposed = communication without compute and copies; busy = anything at all; idle =
// window - busy.
struct DeviceTime {
  std::uint32_t device = kNoRow; // row in DeviceTable
  std::int64_t window = 0, compute = 0, communication = 0, memory = 0, overlap = 0, exposed_communication = 0,
               busy = 0, idle = 0;
};
// One row per device that ran kernels, in device order.
[[nodiscard]] std::vector<DeviceTime> compute_device_time(const Store& store);

} // namespace prof
