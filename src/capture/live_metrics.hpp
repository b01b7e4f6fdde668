// live_metrics.hpp: the metrics that can be told while a recording runs, from its rows as they come.
#pragma once
#include "capture/sliding_window.hpp"
#include "trace/model.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

enum class LiveKind : std::uint8_t {
  percentile, // of the requests' latency; 100 = the slowest
  mean,       // of the requests' latency
  rate,       // requests per second
  failed,     // percent of the requests
  sum,        // of the newest readings of all tracks of these counters
  average,    // the same
  highest,    // the same
  growth      // of cumulative counters over the window, per second
};

// One of them. Ids and units are those of the metric catalogue where it has them.
struct LiveMetric {
  std::string_view id{}, unit{};
  LiveKind kind = LiveKind::sum;
  double percent = 0;                        // for LiveKind::percentile
  std::vector<std::string_view> names{};     // counters
  std::vector<std::string_view> otherwise{}; // counters that count while none of `names` has a reading
  double scale = 1;                          // from the counters' unit to this one
  std::string_view needs{};                  // the signal that it stands and falls with
};
[[nodiscard]] std::span<const LiveMetric> live_metrics();
// nullptr: none of that id.
[[nodiscard]] const LiveMetric* find_live_metric(std::string_view id);

// A value of it for people: "312 ms", "4".
[[nodiscard]] std::string format_live(const LiveMetric& metric, double value);

// Whose counter it is, as far as it matters here.
struct LiveOwner {
  std::int64_t pid = 0;   // 0: the machine's
  std::int64_t cpu = -1;  // -1: of no CPU
  std::int64_t track = 0; // tells counters of one name apart: sensors, devices
};

// Bounded by the window: a million requests, 10,000 tracks of counters (what comes beyond is left out and
// counted). Single-threaded.
class LiveMetrics {
public:
  // Rates are known once a whole window has passed since `start`.
  LiveMetrics(Dur window, Ts start);

  // A finished request, or run of a model. Runs count while no request was ever seen, as in the catalogue.
  void request(Ts end, Dur took, RequestOutcome outcome);
  void run(Ts end, Dur took);
  void counter(std::string_view name, const LiveOwner& owner, Ts ts, double value);
  // What a process that has ended read last counts no more.
  void forget_process(std::int64_t pid);
  // The processes that counters belong to.
  [[nodiscard]] const std::set<std::int64_t>& pids() const { return pids_; }
  void advance(Ts now);

  // At the time of the last advance(). None: no data yet.
  [[nodiscard]] std::optional<double> value(const LiveMetric& metric) const;
  // Requests (or runs) in the window.
  [[nodiscard]] std::int64_t requests() const { return units().size(); }
  [[nodiscard]] std::int64_t left_out() const { return left_out_; }

private:
  struct Reading {
    Ts ts;
    double value;
  };
  struct TrackKey {
    std::string name;
    std::int64_t pid, track;
    friend auto operator<=>(const TrackKey&, const TrackKey&) = default;
  };
  [[nodiscard]] const SlidingWindow& units() const { return has_requests_ ? requests_ : runs_; }
  [[nodiscard]] std::optional<double> gauge(LiveKind kind, std::span<const std::string_view> names) const;
  [[nodiscard]] std::optional<double> growth(std::span<const std::string_view> names) const;

  Dur window_;
  Ts start_, now_;
  SlidingWindow requests_, runs_;
  bool has_requests_ = false;
  // Cumulative counters keep the readings of the window and the last one before it; gauges the newest only.
  std::map<TrackKey, std::deque<Reading>> tracks_;
  std::set<std::string, std::less<>> gauges_, cumulative_;
  std::set<std::int64_t> pids_;
  std::int64_t left_out_ = 0;
};

} // namespace prof
