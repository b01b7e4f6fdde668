#include "report/html/heat.hpp"

#include "report/html/page_rows.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace prof {
namespace {

constexpr std::int64_t kMaxBuckets = 16'384;
constexpr std::size_t kPeriodBins = 4'096; // O(n^2): 8 ms per row
constexpr std::size_t kMaxThreads = 256;

// Adds intervals to buckets of 2^k ns.
class Buckets {
public:
  Buckets(std::int64_t zero, std::int64_t duration, int k)
      : zero_(zero), k_(k), sums_(static_cast<std::size_t>((duration >> k) + 1)) {}
  void add(std::int64_t ts, std::int64_t dur, double share = 1) {
    const std::int64_t from = std::max<std::int64_t>(0, ts - zero_);
    const std::int64_t to = std::min(ts - zero_ + dur, static_cast<std::int64_t>(sums_.size()) << k_);
    for (std::int64_t b = from >> k_; b << k_ < to; ++b)
      sums_[static_cast<std::size_t>(b)] += static_cast<float>(
          static_cast<double>(std::min(to, (b + 1) << k_) - std::max(from, b << k_)) * share);
    total_ += static_cast<double>(std::max<std::int64_t>(0, to - from)) * share;
  }
  [[nodiscard]] const std::vector<float>& sums() const { return sums_; }
  [[nodiscard]] double total() const { return total_; }

private:
  std::int64_t zero_;
  int k_;
  std::vector<float> sums_;
  double total_ = 0;
};

class HeatBuilder {
public:
  explicit HeatBuilder(const Store& store)
      : store_(store), t_(store.tables()),
        duration_(std::max<std::int64_t>(1, store.end().ns - store.start().ns)) {
    while ((duration_ >> map_.k) >= kMaxBuckets)
      ++map_.k;
  }
  HeatMap build() {
    add_cores();
    add_streams();
    add_threads();
    return std::move(map_);
  }

private:
  Buckets buckets() const { return {store_.start().ns, duration_, map_.k}; }

  void finish(std::string group, std::string name, HeatSource source, const Buckets& buckets, double of = 1) {
    HeatRow row{.group = std::move(group),
                .name = std::move(name),
                .source = source,
                .busy = {},
                .mean = 0,
                .period = {}};
    const float scale = static_cast<float>(1.0 / (std::ldexp(1.0, map_.k) * of));
    std::vector<float> shares;
    for (const float sum : buckets.sums())
      shares.push_back(std::min(1.0F, sum * scale));
    // The last bucket is cut by the end of the trace.
    const double tail =
        static_cast<double>(duration_ - ((static_cast<std::int64_t>(shares.size()) - 1) << map_.k));
    if (tail > 0) shares.back() = std::min(1.0F, static_cast<float>(buckets.sums().back() / (tail * of)));
    for (const float share : shares)
      row.busy.push_back(static_cast<std::uint8_t>(std::lround(share * 255)));
    row.mean = buckets.total() / (static_cast<double>(duration_) * of);
    row.period = period_of(shares);
    map_.rows.push_back(std::move(row));
  }
  [[nodiscard]] std::optional<Period> period_of(const std::vector<float>& shares) const {
    const std::size_t step = (shares.size() + kPeriodBins - 1) / kPeriodBins;
    std::vector<float> bins;
    // Without the cut bucket at the end.
    for (std::size_t i = 0; i + step < shares.size(); i += step)
      bins.push_back(std::accumulate(shares.begin() + static_cast<std::ptrdiff_t>(i),
                                     shares.begin() + static_cast<std::ptrdiff_t>(i + step), 0.0F) /
                     static_cast<float>(step));
    return find_period(bins, std::ldexp(static_cast<double>(step), map_.k));
  }

  void add_cores() {
    std::map<std::int32_t, Buckets> cores;
    if (t_.sched.ts.empty()) return add_core_counters();
    Buckets all = buckets();
    for (std::size_t i = 0; i < t_.sched.ts.size(); ++i) {
      cores.try_emplace(t_.sched.cpu[i], buckets()).first->second.add(t_.sched.ts[i], t_.sched.dur[i]);
      all.add(t_.sched.ts[i], t_.sched.dur[i]);
    }
    if (cores.size() > 1) finish("core_all", {}, HeatSource::sched, all, static_cast<double>(cores.size()));
    for (const auto& [cpu, sums] : cores)
      finish("core", "CPU " + std::to_string(cpu), HeatSource::sched, sums);
  }
  // Without scheduling data: the sampled utilisation of each CPU, held until its next reading.
  void add_core_counters() {
    const CounterTrackTable& tracks = t_.counter_track;
    for (std::uint32_t track = 0; track < tracks.name.size(); ++track) {
      if (tracks.cpu[track] < 0 || store_.text(tracks.name[track]) != "cpu_util") continue;
      Buckets sums = buckets();
      const auto range = std::ranges::equal_range(t_.counter.track, track);
      const auto from = static_cast<std::size_t>(range.begin() - t_.counter.track.begin());
      for (std::size_t i = from; i < from + range.size(); ++i) {
        const std::int64_t until = i + 1 < from + range.size() ? t_.counter.ts[i + 1] : store_.end().ns;
        sums.add(t_.counter.ts[i], until - t_.counter.ts[i], t_.counter.value[i] / 100);
      }
      finish("core", "CPU " + std::to_string(tracks.cpu[track]), HeatSource::cpu_counter, sums);
    }
  }
  void add_streams() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> streams;
    for (std::uint32_t i = 0; i < t_.kernel.ts.size(); ++i)
      streams[t_.kernel.stream[i]].push_back(i);
    for (auto& [stream, kernels] : streams) {
      std::ranges::stable_sort(kernels, {}, [&](std::uint32_t k) { return t_.kernel.ts[k]; });
      Buckets sums = buckets();
      std::int64_t end = INT64_MIN; // a union: kernels of a stream may overlap
      for (const std::uint32_t k : kernels) {
        const std::int64_t from = std::max(t_.kernel.ts[k], end);
        end = std::max(end, t_.kernel.ts[k] + t_.kernel.dur[k]);
        if (end > from) sums.add(from, end - from);
      }
      std::string name(stream < t_.stream.name.size() ? store_.text(t_.stream.name[stream])
                                                      : std::string_view());
      if (name.empty() && stream < t_.stream.number.size())
        name = "stream " + std::to_string(t_.stream.number[stream]);
      finish("stream", std::move(name), HeatSource::kernels, sums);
    }
  }
  void add_threads() {
    std::map<std::uint32_t, Buckets> threads;
    const bool has_states = !t_.thread_state.ts.empty();
    for (std::size_t i = 0; i < t_.thread_state.ts.size(); ++i)
      if (t_.thread_state.state[i] == 'X')
        add_to(threads, t_.thread_state.thread[i], t_.thread_state.ts[i], t_.thread_state.dur[i]);
    for (std::size_t i = 0; !has_states && i < t_.slice.ts.size(); ++i) {
      const std::uint32_t track = t_.slice.track[i];
      if (t_.track.kind[track] == TrackKind::thread && t_.slice.depth[i] == 0)
        add_to(threads, t_.track.thread[track], t_.slice.ts[i], t_.slice.dur[i]);
    }
    std::vector<std::uint32_t> order;
    for (const auto& [thread, sums] : threads)
      order.push_back(thread);
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::uint32_t thread) { return threads.at(thread).total(); });
    if (order.size() > kMaxThreads) order.resize(kMaxThreads);
    for (const std::uint32_t thread : order)
      finish("thread", thread_label(store_, thread), has_states ? HeatSource::running : HeatSource::spans,
             threads.at(thread));
  }
  void add_to(std::map<std::uint32_t, Buckets>& threads, std::uint32_t thread, std::int64_t ts,
              std::int64_t dur) {
    if (thread < t_.thread.tid.size()) threads.try_emplace(thread, buckets()).first->second.add(ts, dur);
  }

  const Store& store_;
  const Tables& t_;
  std::int64_t duration_;
  HeatMap map_;
};

// Pearson autocorrelation at lags 1 .. n/3; empty when the values do not vary.
std::vector<double> autocorrelation(std::span<const float> values) {
  const std::size_t n = values.size();
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(std::max<std::size_t>(1, n));
  std::vector<float> centred;
  double variance = 0;
  for (const float v : values) {
    centred.push_back(static_cast<float>(v - mean));
    variance += (v - mean) * (v - mean);
  }
  // Less than 2 % standard deviation is no bottleneck, only noise.
  if (n < 24 || variance / static_cast<double>(n) < 0.0004) return {};
  std::vector<double> correlation(n / 3 + 1, 1.0);
  for (std::size_t lag = 1; lag < correlation.size(); ++lag) {
    float sum = 0;
    for (std::size_t i = 0; i + lag < n; ++i)
      sum += centred[i] * centred[i + lag];
    correlation[lag] =
        static_cast<double>(sum) / variance * static_cast<double>(n) / static_cast<double>(n - lag);
  }
  return correlation;
}

// Folds the values by the period and finds its quietest eighth.
void describe_phase(Period& period, std::span<const float> values, double width_ns) {
  constexpr std::size_t kPhases = 64;
  std::array<double, kPhases> sum{}, count{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double at =
        std::fmod((static_cast<double>(i) + 0.5) * width_ns, static_cast<double>(period.period_ns)) /
        static_cast<double>(period.period_ns);
    const auto phase = std::min(kPhases - 1, static_cast<std::size_t>(at * kPhases));
    sum[phase] += values[i];
    count[phase] += 1;
  }
  double best = INFINITY;
  std::size_t best_at = 0;
  const auto window = [&](std::size_t from, std::size_t length) {
    double s = 0, c = 0;
    for (std::size_t i = 0; i < length; ++i)
      s += sum[(from + i) % kPhases], c += count[(from + i) % kPhases];
    return c > 0 ? s / c : 0.0;
  };
  for (std::size_t from = 0; from < kPhases; ++from)
    if (const double mean = window(from, kPhases / 8); mean < best) best = mean, best_at = from;
  period.phase_ns = static_cast<std::int64_t>(static_cast<double>(period.period_ns) *
                                              static_cast<double>(best_at) / kPhases);
  period.quiet_share = best;
  period.busy_share = window(best_at + kPhases / 8, kPhases - kPhases / 8);
}

} // namespace

std::optional<Period> find_period(std::span<const float> values, double width_ns) {
  const std::vector<double> correlation = autocorrelation(values);
  double best = 0;
  const auto is_peak = [&](std::size_t lag) {
    return lag + 1 < correlation.size() && correlation[lag] > correlation[lag - 1] &&
           correlation[lag] >= correlation[lag + 1];
  };
  // Lags below three values are the shape of a single burst, not a rhythm.
  for (std::size_t lag = 3; lag + 1 < correlation.size(); ++lag)
    if (is_peak(lag)) best = std::max(best, correlation[lag]);
  if (best < kMinCorrelation) return std::nullopt;
  for (std::size_t lag = 3; lag + 1 < correlation.size(); ++lag) {
    if (!is_peak(lag) || correlation[lag] < 0.9 * best) continue;
    // A parabola through the peak places it between two lags.
    const double a = correlation[lag - 1], b = correlation[lag], c = correlation[lag + 1];
    const double curve = a - 2 * b + c;
    const double exact = static_cast<double>(lag) + (curve < 0 ? 0.5 * (a - c) / curve : 0.0);
    Period period{.period_ns = std::llround(exact * width_ns), .correlation = correlation[lag]};
    period.cycles = static_cast<std::int64_t>(static_cast<double>(values.size()) / exact);
    describe_phase(period, values, width_ns);
    return period;
  }
  return std::nullopt;
}

HeatMap build_heat_map(const Store& store) {
  return HeatBuilder(store).build();
}

} // namespace prof
