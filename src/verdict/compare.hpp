// compare.hpp: two traces side by side, level by level: what grew, shrank, came and went, per request.
#pragma once
#include "base/result.hpp"
#include "store/store.hpp"
#include "verdict/validate.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace prof {

// One kind of work in one trace: how often and how long in all.
struct WorkTotal {
  double count = 0, total_ns = 0;
};
// Level id -> (name, type) -> totals. Levels: "stage", "op_type", "op", "stream", "kernel".
struct TraceWork {
  std::string path{};
  // Of those that ended in the recording; 0: the trace has none, and totals are per trace.
  std::int64_t requests = 0;
  std::int64_t unfinished = 0; // units that the end of the recording cut off: in no figure
  std::string unit{"request"}; // what they are: "request", "run" or "iteration"
  double request_total_ns = 0, request_median_ns = 0;
  std::int64_t lost = 0;      // records known to be lost
  bool is_incomplete = false; // and nobody knows by how much: a file was cut off or damaged
  OpFacts ops{};
  std::optional<double> device_busy_ns{}; // of all devices together, whatever they did; nullopt = it has none
  std::map<std::string, std::map<std::pair<std::string, std::string>, WorkTotal>> levels{};
};
[[nodiscard]] TraceWork read_work(const Store& store);

enum class Presence : std::uint8_t { both, by_type, appeared, vanished };
[[nodiscard]] std::string_view presence_name(Presence presence);

// Per request (or per trace). count_effect + duration_effect = total_after - total_before, exactly, with c
// counts and d mean durations: (c1-c0)(d0+d1)/2 and (d1-d0)(c0+c1)/2, or where one grew and the other shrank
// (c1-c0)min(d0,d1) and (d1-d0)min(c0,c1). Neither is ever larger than the larger total; what came or went
// changes by count alone.
struct ComparedRow {
  std::string name{}, type{};
  Presence presence = Presence::both;
  double count_before = 0, count_after = 0;       // per request
  double mean_before_ns = 0, mean_after_ns = 0;   // of one
  double total_before_ns = 0, total_after_ns = 0; // per request
  double count_effect_ns = 0, duration_effect_ns = 0;
  [[nodiscard]] double delta_ns() const { return total_after_ns - total_before_ns; }
};
struct ComparedLevel {
  std::string id{};
  std::vector<ComparedRow> rows = {}; // largest |delta| first
  double total_before_ns = 0, total_after_ns = 0;
  double unmatched_share = 0; // of the time of the side where it is larger: came or went without a partner
};
struct Comparison {
  std::string baseline{}, target{};
  std::int64_t requests_before = 0, requests_after = 0;
  std::int64_t unfinished_before = 0, unfinished_after = 0;
  std::string unit_before{"request"}, unit_after{"request"};
  double request_mean_before_ns = 0, request_mean_after_ns = 0;
  double request_median_before_ns = 0, request_median_after_ns = 0;
  std::int64_t lost_before = 0, lost_after = 0; // records
  bool is_before_incomplete = false, is_after_incomplete = false;
  bool is_per_request = false;   // both traces have requests, or the same kind of unit in their place
  bool is_one_recording = false; // of one file, or a copy of it: nothing can differ
  CheckState one_model = CheckState::unknown; // warn, fail: the sides seem to run different models
  std::optional<double> device_busy_before_ns{},
      device_busy_after_ns{}; // per request or per trace, as levels
  std::vector<ComparedLevel> levels = {};
  [[nodiscard]] bool has_losses() const {
    return lost_before > 0 || lost_after > 0 || is_before_incomplete || is_after_incomplete;
  }
};
[[nodiscard]] Comparison compare(const TraceWork& before, const TraceWork& after);
// The split of one row. c = count per request, d = mean duration.
void split_change(ComparedRow& row);

} // namespace prof
