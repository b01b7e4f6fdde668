// heat.hpp: utilisation over time by core, thread and stream, and the periods found in it.
#pragma once
#include "report/html/period.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace prof {

// What one value of a heat row means.
enum class HeatSource : std::uint8_t { sched, running, spans, kernels, cpu_counter };

struct HeatRow {
  std::string group; // core, thread, stream; "all" of one of them: core_all ...
  std::string name;
  HeatSource source = HeatSource::sched;
  std::vector<std::uint8_t> busy; // round(255 * share) per bucket
  double mean = 0;                // 0..1
  std::optional<Period> period;
};
struct HeatMap {
  int k = 0;                 // bucket width 2^k ns
  std::int64_t left_out = 0; // quieter cores, streams and threads than the busiest that `rows` holds
  std::vector<HeatRow> rows;
};

[[nodiscard]] HeatMap build_heat_map(const Store& store);

} // namespace prof
