#include "capture/live_metrics.hpp"

#include "base/format_units.hpp"

#include <algorithm>

namespace prof {
namespace {

constexpr std::size_t kMostTracks = 10'000;

std::vector<LiveMetric> make_metrics() {
  std::vector<LiveMetric> all;
  const auto latency = [&](std::string_view id, LiveKind kind, double percent) {
    all.push_back({.id = id, .unit = "ns", .kind = kind, .percent = percent, .needs = "requests"});
  };
  latency("latency", LiveKind::mean, 0);
  latency("mean_latency", LiveKind::mean, 0);
  latency("p50_latency", LiveKind::percentile, 50);
  latency("p90_latency", LiveKind::percentile, 90);
  latency("p95_latency", LiveKind::percentile, 95);
  latency("p99_latency", LiveKind::percentile, 99);
  latency("p999_latency", LiveKind::percentile, 99.9);
  latency("max_latency", LiveKind::percentile, 100);
  all.push_back({.id = "throughput", .unit = "1/s", .kind = LiveKind::rate, .needs = "requests"});
  all.push_back({.id = "error_rate", .unit = "percent", .kind = LiveKind::failed, .needs = "requests"});
  const auto gauge = [&](std::string_view id, std::string_view unit, LiveKind kind,
                         std::vector<std::string_view> names, std::vector<std::string_view> otherwise = {}) {
    all.push_back({.id = id,
                   .unit = unit,
                   .kind = kind,
                   .names = std::move(names),
                   .otherwise = std::move(otherwise),
                   .needs = id});
  };
  gauge("stream_queue", "count", LiveKind::sum, {"stream_queue", "queue_depth"});
  gauge("batch_size", "count", LiveKind::average, {"batch_size"});
  gauge("cpu_util", "percent", LiveKind::average, {"cpu_util"});
  gauge("run_queue", "count", LiveKind::sum, {"run_queue"});
  gauge("device_util", "percent", LiveKind::average, {"device_util"});
  gauge("mem_used", "bytes", LiveKind::sum, {"rss"}, {"mem_used"});
  gauge("rss", "bytes", LiveKind::sum, {"rss"});
  gauge("mem_frag", "percent", LiveKind::average, {"mem_frag"});
  gauge("mem_bandwidth", "bytes/s", LiveKind::sum, {"mem_bandwidth"});
  gauge("swap", "bytes", LiveKind::sum, {"swap"});
  gauge("power", "watt", LiveKind::sum, {"power"});
  gauge("temperature", "celsius", LiveKind::highest, {"temperature"});
  gauge("frequency", "MHz", LiveKind::average, {"cpu_freq", "frequency"});
  const auto growth = [&](std::string_view id, std::string_view unit, std::vector<std::string_view> names,
                          double scale, std::string_view needs) {
    all.push_back({.id = id,
                   .unit = unit,
                   .kind = LiveKind::growth,
                   .names = std::move(names),
                   .scale = scale,
                   .needs = needs});
  };
  growth("page_faults", "1/s", {"minor_faults", "major_faults"}, 1, "page_faults");
  growth("network", "bytes/s", {"network_received", "network_sent"}, 1, "network");
  // ns of waiting per second of time -> percent.
  for (const std::string_view id :
       {"psi_cpu_some", "psi_memory_some", "psi_memory_full", "psi_io_some", "psi_io_full"})
    growth(id, "percent", {id}, 100.0 / 1e9, "psi");
  return all;
}

} // namespace

std::span<const LiveMetric> live_metrics() {
  static const std::vector<LiveMetric> kAll = make_metrics();
  return kAll;
}

const LiveMetric* find_live_metric(std::string_view id) {
  const auto found = std::ranges::find(live_metrics(), id, &LiveMetric::id);
  return found == live_metrics().end() ? nullptr : &*found;
}

std::string format_live(const LiveMetric& metric, double value) {
  return format_value(value, metric.unit == "count" ? "" : metric.unit);
}

LiveMetrics::LiveMetrics(Dur window, Ts start)
    : window_(window), start_(start), now_(start), requests_(window), runs_(window) {
  for (const LiveMetric& metric : live_metrics())
    for (const auto* names : {&metric.names, &metric.otherwise})
      for (const std::string_view name : *names)
        (metric.kind == LiveKind::growth ? cumulative_ : gauges_).emplace(name);
}

void LiveMetrics::request(Ts end, Dur took, RequestOutcome outcome) {
  has_requests_ = true;
  requests_.add(end, took.ns, outcome);
}

void LiveMetrics::run(Ts end, Dur took) {
  if (!has_requests_) runs_.add(end, took.ns);
}

void LiveMetrics::counter(std::string_view name, const LiveOwner& owner, Ts ts, double value) {
  const bool is_cumulative = cumulative_.contains(name);
  if (!is_cumulative && !gauges_.contains(name)) return;
  // How busy a process was is another figure than how busy the CPUs were, under the same name.
  if (name == "cpu_util" && owner.cpu < 0) return;
  TrackKey key{.name = std::string(name), .pid = owner.pid, .track = owner.track};
  auto found = tracks_.find(key);
  if (found == tracks_.end()) {
    if (tracks_.size() >= kMostTracks) {
      ++left_out_;
      return;
    }
    found = tracks_.emplace(std::move(key), std::deque<Reading>{}).first;
    if (owner.pid != 0) pids_.insert(owner.pid);
  }
  std::deque<Reading>& readings = found->second;
  if (!is_cumulative) readings.clear();
  if (readings.empty() || readings.back().ts <= ts) readings.push_back({ts, value});
}

void LiveMetrics::forget_process(std::int64_t pid) {
  if (pids_.erase(pid) > 0) std::erase_if(tracks_, [&](const auto& track) { return track.first.pid == pid; });
}

void LiveMetrics::advance(Ts now) {
  now_ = now;
  requests_.advance(now);
  runs_.advance(now);
  for (auto& [key, readings] : tracks_)
    while (readings.size() > 1 && now - readings[1].ts >= window_)
      readings.pop_front();
}

std::optional<double> LiveMetrics::gauge(LiveKind kind, std::span<const std::string_view> names) const {
  double sum = 0, highest = 0;
  std::int64_t count = 0;
  for (const std::string_view name : names)
    for (auto it = tracks_.lower_bound({.name = std::string(name), .pid = 0, .track = 0});
         it != tracks_.end() && it->first.name == name; ++it) {
      const double value = it->second.back().value;
      highest = count == 0 ? value : std::max(highest, value);
      sum += value;
      ++count;
    }
  if (count == 0) return std::nullopt;
  if (kind == LiveKind::highest) return highest;
  return kind == LiveKind::average ? sum / static_cast<double>(count) : sum;
}

// A counter stands still between two readings: what it was at the window's beginning is the last reading
// before.
std::optional<double> LiveMetrics::growth(std::span<const std::string_view> names) const {
  if (now_ - start_ < window_ || window_.ns <= 0) return std::nullopt;
  double grown = 0;
  bool is_known = false;
  for (const std::string_view name : names)
    for (auto it = tracks_.lower_bound({.name = std::string(name), .pid = 0, .track = 0});
         it != tracks_.end() && it->first.name == name; ++it) {
      grown += std::max(0.0, it->second.back().value - it->second.front().value);
      is_known = true;
    }
  if (!is_known) return std::nullopt;
  return grown * 1e9 / static_cast<double>(window_.ns);
}

std::optional<double> LiveMetrics::value(const LiveMetric& metric) const {
  switch (metric.kind) {
  case LiveKind::percentile:
    return units().percentile(metric.percent);
  case LiveKind::mean:
    return units().mean();
  case LiveKind::rate:
    return units().rate(start_, now_);
  case LiveKind::failed:
    return requests_.failed_percent();
  case LiveKind::sum:
  case LiveKind::average:
  case LiveKind::highest: {
    const auto newest = gauge(metric.kind, metric.names);
    return newest || metric.otherwise.empty() ? newest : gauge(metric.kind, metric.otherwise);
  }
  case LiveKind::growth: {
    const auto grown = growth(metric.names);
    return grown ? std::optional(*grown * metric.scale) : std::nullopt;
  }
  }
  return std::nullopt;
}

} // namespace prof
