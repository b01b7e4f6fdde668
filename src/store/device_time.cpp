#include "store/device_time.hpp"

#include "store/intervals.hpp"

#include <algorithm>
#include <array>

namespace prof {

std::vector<DeviceTime> compute_device_time(const Store& store) {
  const Tables& t = store.tables();
  std::vector<std::array<std::vector<Interval>, 3>> of_device(t.device.name.size());
  for (std::size_t k = 0; k < t.kernel.ts.size(); ++k) {
    const std::uint32_t device = t.stream.device[t.kernel.stream[k]];
    if (device == kNoRow) continue;
    of_device[device][static_cast<std::size_t>(t.kernel.kind[k])].push_back(
        {t.kernel.ts[k], t.kernel.ts[k] + t.kernel.dur[k]});
  }
  std::vector<DeviceTime> rows;
  for (std::uint32_t device = 0; device < of_device.size(); ++device) {
    std::vector<Interval> all;
    for (const auto& kind : of_device[device])
      all.insert(all.end(), kind.begin(), kind.end());
    if (all.empty()) continue;
    DeviceTime row{.device = device};
    const auto first = std::ranges::min(all, {}, &Interval::from).from;
    row.window = std::ranges::max(all, {}, &Interval::to).to - first;
    const IntervalSet compute =
        union_of(std::move(of_device[device][static_cast<std::size_t>(KernelKind::compute)]));
    const IntervalSet communication =
        union_of(std::move(of_device[device][static_cast<std::size_t>(KernelKind::communication)]));
    row.compute = length(compute);
    row.communication = length(communication);
    const IntervalSet memory =
        union_of(std::move(of_device[device][static_cast<std::size_t>(KernelKind::memory)]));
    row.memory = length(memory);
    row.overlap = length(common(compute, communication));
    // Hidden by copies is hidden too, as HTA counts it.
    IntervalSet exposed = communication;
    (void)take(exposed, compute);
    (void)take(exposed, memory);
    row.exposed_communication = length(exposed);
    row.busy = length(union_of(std::move(all)));
    row.idle = row.window - row.busy;
    rows.push_back(row);
  }
  return rows;
}

} // namespace prof
