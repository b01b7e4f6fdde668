#include "report/html/heat.hpp"

#include "report/html/page_rows.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace prof {
namespace {

constexpr std::int64_t kMaxBuckets = 16'384;
constexpr std::size_t kPeriodBins = 4'096; // O(n^2): 8 ms per row
// A row costs 48 KiB and 8 ms: a trace may have a hundred thousand of each. The busiest are shown.
constexpr std::size_t kMaxCores = 1024, kMaxStreams = 256, kMaxThreads = 256;

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

  // The `most` busiest, by key; those left out are counted.
  template <typename Key>
  std::set<Key> busiest(const std::map<Key, double>& busy, std::size_t most) {
    std::vector<std::pair<double, Key>> order;
    for (const auto& [key, ns] : busy)
      order.emplace_back(ns, key);
    std::ranges::stable_sort(order, std::greater<>(), &std::pair<double, Key>::first);
    if (order.size() > most) {
      map_.left_out += static_cast<std::int64_t>(order.size() - most);
      order.resize(most);
    }
    std::set<Key> keys;
    for (const auto& [ns, key] : order)
      keys.insert(key);
    return keys;
  }

  void add_cores() {
    if (t_.sched.ts.empty()) return add_core_counters();
    std::map<std::int32_t, double> busy;
    for (std::size_t i = 0; i < t_.sched.ts.size(); ++i)
      busy[t_.sched.cpu[i]] += static_cast<double>(t_.sched.dur[i]);
    std::map<std::int32_t, Buckets> cores;
    for (const std::int32_t cpu : busiest(busy, kMaxCores))
      cores.emplace(cpu, buckets());
    Buckets all = buckets();
    for (std::size_t i = 0; i < t_.sched.ts.size(); ++i) {
      if (const auto core = cores.find(t_.sched.cpu[i]); core != cores.end())
        core->second.add(t_.sched.ts[i], t_.sched.dur[i]);
      all.add(t_.sched.ts[i], t_.sched.dur[i]);
    }
    if (busy.size() > 1) finish("core_all", {}, HeatSource::sched, all, static_cast<double>(busy.size()));
    for (const auto& [cpu, sums] : cores)
      finish("core", "CPU " + std::to_string(cpu), HeatSource::sched, sums);
  }
  // Without scheduling data: the sampled utilisation of each CPU, held until its next reading.
  void add_core_counters() {
    const CounterTrackTable& tracks = t_.counter_track;
    std::map<std::uint32_t, double> busy;
    for (std::uint32_t track = 0; track < tracks.name.size(); ++track)
      if (tracks.cpu[track] >= 0 && store_.text(tracks.name[track]) == "cpu_util")
        each_reading(track, [&](std::int64_t, std::int64_t dur, double share) {
          busy[track] += static_cast<double>(dur) * share;
        });
    for (const std::uint32_t track : busiest(busy, kMaxCores)) {
      Buckets sums = buckets();
      each_reading(track, [&](std::int64_t ts, std::int64_t dur, double share) { sums.add(ts, dur, share); });
      finish("core", "CPU " + std::to_string(tracks.cpu[track]), HeatSource::cpu_counter, sums);
    }
  }
  template <typename Use>
  void each_reading(std::uint32_t track, const Use& use) const {
    const auto range = std::ranges::equal_range(t_.counter.track, track);
    const auto from = static_cast<std::size_t>(range.begin() - t_.counter.track.begin());
    for (std::size_t i = from; i < from + range.size(); ++i) {
      const std::int64_t until = i + 1 < from + range.size() ? t_.counter.ts[i + 1] : store_.end().ns;
      use(t_.counter.ts[i], until - t_.counter.ts[i], t_.counter.value[i] / 100);
    }
  }

  void add_streams() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> streams;
    for (std::uint32_t i = 0; i < t_.kernel.ts.size(); ++i)
      streams[t_.kernel.stream[i]].push_back(i);
    std::map<std::uint32_t, double> busy;
    for (auto& [stream, kernels] : streams) {
      std::ranges::stable_sort(kernels, {}, [&](std::uint32_t k) { return t_.kernel.ts[k]; });
      double& ns = busy[stream];
      each_busy(kernels, [&](std::int64_t, std::int64_t dur) { ns += static_cast<double>(dur); });
    }
    for (const std::uint32_t stream : busiest(busy, kMaxStreams)) {
      Buckets sums = buckets();
      each_busy(streams.at(stream), [&](std::int64_t ts, std::int64_t dur) { sums.add(ts, dur); });
      std::string name(stream < t_.stream.name.size() ? store_.text(t_.stream.name[stream])
                                                      : std::string_view());
      if (name.empty() && stream < t_.stream.number.size())
        name = "stream " + std::to_string(t_.stream.number[stream]);
      finish("stream", name + device_suffix(stream), HeatSource::kernels, sums);
    }
  }
  // The union of a stream's kernels, which may overlap; `kernels` by ts.
  template <typename Use>
  void each_busy(const std::vector<std::uint32_t>& kernels, const Use& use) const {
    std::int64_t end = INT64_MIN;
    for (const std::uint32_t k : kernels) {
      const std::int64_t from = std::max(t_.kernel.ts[k], end);
      end = std::max(end, t_.kernel.ts[k] + t_.kernel.dur[k]);
      if (end > from) use(from, end - from);
    }
  }
  // Where several devices have streams of one number: whose it is.
  [[nodiscard]] std::string device_suffix(std::uint32_t stream) const {
    static constexpr std::array<std::string_view, 4> kKinds{"CPU", "GPU", "NPU", "device"};
    if (t_.device.name.size() < 2 || stream >= t_.stream.device.size()) return {};
    const std::uint32_t device = t_.stream.device[stream];
    if (device >= t_.device.name.size()) return {};
    return " · " + std::string(kKinds[static_cast<std::size_t>(t_.device.kind[device])]) + " " +
           std::to_string(t_.device.index[device]);
  }
  // What was traced: processes with spans of their own, else those with samples. The rest of the machine is
  // there because it ran on the same CPUs.
  [[nodiscard]] std::vector<bool> traced_processes() const {
    std::vector<bool> with_spans(t_.process.pid.size()), with_samples(t_.process.pid.size());
    const auto mark = [&](std::vector<bool>& in, std::uint32_t thread) {
      if (thread < t_.thread.process.size() && t_.thread.process[thread] < in.size())
        in[t_.thread.process[thread]] = true;
    };
    for (const std::uint32_t track : t_.slice.track)
      if (t_.track.kind[track] == TrackKind::thread) mark(with_spans, t_.track.thread[track]);
    for (const std::uint32_t thread : t_.sample.thread)
      mark(with_samples, thread);
    return std::ranges::find(with_spans, true) != with_spans.end() ? with_spans : with_samples;
  }
  // "worker-1 [71]"; with the process where there are several, whose threads may have one name.
  [[nodiscard]] std::string thread_name(std::uint32_t thread, bool is_one_process) const {
    const std::string label = thread_label(store_, thread);
    const std::uint32_t process = t_.thread.process[thread];
    return is_one_process || process >= t_.process.pid.size()
               ? label
               : label + " · pid " + std::to_string(t_.process.pid[process]);
  }
  // Those of the traced processes come first.
  void add_threads() {
    const bool has_states = !t_.thread_state.ts.empty();
    std::vector<double> busy(t_.thread.tid.size());
    each_run(has_states, [&](std::uint32_t thread, std::int64_t, std::int64_t dur) {
      busy[thread] += static_cast<double>(dur);
    });
    std::vector<std::uint32_t> order;
    for (std::uint32_t thread = 0; thread < busy.size(); ++thread)
      if (busy[thread] > 0) order.push_back(thread);
    const std::vector<bool> traced = traced_processes();
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t thread) {
      const std::uint32_t process = t_.thread.process[thread];
      return std::pair(process < traced.size() && traced[process], busy[thread]);
    });
    if (order.size() > kMaxThreads) {
      map_.left_out += static_cast<std::int64_t>(order.size() - kMaxThreads);
      order.resize(kMaxThreads);
    }
    std::map<std::uint32_t, Buckets> threads;
    for (const std::uint32_t thread : order)
      threads.emplace(thread, buckets());
    each_run(has_states, [&](std::uint32_t thread, std::int64_t ts, std::int64_t dur) {
      if (const auto at = threads.find(thread); at != threads.end()) at->second.add(ts, dur);
    });
    const bool is_one_process =
        std::ranges::adjacent_find(order, std::ranges::not_equal_to(),
                                   [&](std::uint32_t i) { return t_.thread.process[i]; }) == order.end();
    for (const std::uint32_t thread : order)
      finish("thread", thread_name(thread, is_one_process),
             has_states ? HeatSource::running : HeatSource::spans, threads.at(thread));
  }
  // When each thread ran, or, where nobody recorded that, had a span open.
  template <typename Use>
  void each_run(bool has_states, const Use& use) const {
    for (std::size_t i = 0; i < t_.thread_state.ts.size(); ++i)
      if (t_.thread_state.state[i] == 'X' && t_.thread_state.thread[i] < t_.thread.tid.size())
        use(t_.thread_state.thread[i], t_.thread_state.ts[i], t_.thread_state.dur[i]);
    for (std::size_t i = 0; !has_states && i < t_.slice.ts.size(); ++i) {
      const std::uint32_t track = t_.slice.track[i];
      if (t_.track.kind[track] == TrackKind::thread && t_.slice.depth[i] == 0 &&
          t_.track.thread[track] < t_.thread.tid.size())
        use(t_.track.thread[track], t_.slice.ts[i], t_.slice.dur[i]);
    }
  }

  const Store& store_;
  const Tables& t_;
  std::int64_t duration_;
  HeatMap map_;
};

} // namespace

HeatMap build_heat_map(const Store& store) {
  return HeatBuilder(store).build();
}

} // namespace prof
