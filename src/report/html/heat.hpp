// heat.hpp: utilisation over time by core, thread and stream, and the periods found in it.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace prof {

// What one value of a heat row means.
enum class HeatSource : std::uint8_t { sched, running, spans, kernels, cpu_counter };

struct Period {
  std::int64_t period_ns = 0;
  double correlation = 0;    // of the row with itself one period later
  std::int64_t phase_ns = 0; // where in the period the quietest eighth begins, from the trace start
  double quiet_share = 0;    // mean utilisation in that eighth, 0..1
  double busy_share = 0;     // mean utilisation in the rest
  std::int64_t cycles = 0;   // periods in the trace
};
struct HeatRow {
  std::string group; // core, thread, stream; "all" of one of them: core_all ...
  std::string name;
  HeatSource source = HeatSource::sched;
  std::vector<std::uint8_t> busy; // round(255 * share) per bucket
  double mean = 0;                // 0..1
  std::optional<Period> period;
};
struct HeatMap {
  int k = 0; // bucket width 2^k ns
  std::vector<HeatRow> rows;
};

[[nodiscard]] HeatMap build_heat_map(const Store& store);
// The smallest lag whose autocorrelation is within 90 % of the best peak, when that peak is at least
// kMinCorrelation and at least three periods fit; nullopt otherwise. `width_ns`: of one value.
inline constexpr double kMinCorrelation = 0.35;
[[nodiscard]] std::optional<Period> find_period(std::span<const float> values, double width_ns);

} // namespace prof
