#include "rules/request_set.hpp"

#include "base/quantile.hpp"
#include "store/request_time.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace prof {
namespace {

constexpr std::size_t kMinForInterval = 5;
constexpr std::size_t kMinForTailGap = 20;

void choose_bands(RequestSet& set) {
  std::vector<std::size_t> order(set.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return set.dur[a] != set.dur[b] ? set.dur[a] > set.dur[b] : set.id[a] < set.id[b];
  });
  const auto n = static_cast<double>(set.size());
  const auto slow = static_cast<std::ptrdiff_t>(std::ceil(n * kSlowBand));
  set.slow.assign(order.begin(), order.begin() + slow);
  const auto from = static_cast<std::ptrdiff_t>(std::floor(n * 0.4)),
             to = static_cast<std::ptrdiff_t>(std::ceil(n * 0.6));
  set.middle.assign(order.begin() + from, order.begin() + to);
}

double mean_over(std::span<const double> values, std::span<const std::size_t> positions) {
  double sum = 0;
  for (const std::size_t i : positions)
    sum += values[i];
  return positions.empty() ? 0 : sum / static_cast<double>(positions.size());
}

std::vector<double> mid_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]])
      ++end;
    for (std::size_t k = i; k < end; ++k)
      ranks[order[k]] = static_cast<double>(i + end - 1) / 2;
    i = end;
  }
  return ranks;
}

std::optional<double> pearson(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n,
               my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  if (xx <= 0 || yy <= 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

} // namespace

std::optional<double> number_of(const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&value); number != nullptr && std::isfinite(*number))
    return *number;
  return std::nullopt;
}

Result<std::optional<double>> one_number(Sql& sql, std::string_view query) {
  PROF_TRY(const SqlResult result, sql.query(query, 1));
  if (result.rows.empty() || result.rows[0].empty()) return std::optional<double>();
  return number_of(result.rows[0][0]);
}

Result<RequestSet> load_request_set(Sql& sql, std::string_view query, UnitKind kind) {
  PROF_TRY(const SqlResult result, sql.query(query));
  RequestSet set;
  set.kind = kind;
  set.unit = kind == UnitKind::thread ? "thread" : kind == UnitKind::run ? "run" : "request";
  set.word = set.unit;
  std::vector<std::array<std::int64_t, 3>> rows;
  for (const auto& row : result.rows) {
    if (row.size() < 3) continue;
    const auto *id = std::get_if<std::int64_t>(&row[0]), *ts = std::get_if<std::int64_t>(&row[1]),
               *dur = std::get_if<std::int64_t>(&row[2]);
    if (id != nullptr && ts != nullptr && dur != nullptr && *dur > 0) rows.push_back({*id, *ts, *dur});
  }
  std::ranges::sort(rows);
  for (const auto& [id, ts, dur] : rows) {
    if (!set.id.empty() && set.id.back() == id) continue;
    set.id.push_back(id);
    set.ts.push_back(ts);
    set.dur.push_back(dur);
  }
  choose_bands(set);
  return set;
}

Status read_job_steps(Sql& sql, RequestSet& set) {
  if (set.kind != UnitKind::unit || set.word != "iteration") return {};
  PROF_TRY(
      const SqlResult rows,
      sql.query("select u.id, u.name, u.job_step, p.rank from unit u join slice s on s.id = u.slice_id join "
                "track t on t.id = s.track_id left join process p on p.id = t.process_id order by u.id"));
  std::map<std::string, std::int64_t> names;
  std::map<std::int64_t, std::size_t> number; // of a step of the job, from 0
  std::set<std::int64_t> ranks;
  std::vector<std::size_t> job_step;
  for (const auto& row : rows.rows) {
    const auto *id = std::get_if<std::int64_t>(&row[0]), *step = std::get_if<std::int64_t>(&row[2]);
    const auto* rank = std::get_if<std::int64_t>(&row[3]);
    const auto* text = std::get_if<std::string>(&row[1]);
    if (id == nullptr || step == nullptr || !std::ranges::binary_search(set.id, *id)) continue;
    ++names[without_step_number(text == nullptr ? std::string() : *text)];
    job_step.push_back(number.try_emplace(*step, number.size()).first->second);
    if (rank != nullptr) ranks.insert(*rank);
  }
  std::vector<std::pair<std::int64_t, std::string>> by_count;
  for (const auto& [name, n] : names)
    by_count.emplace_back(-n, name);
  std::ranges::sort(by_count);
  for (const auto& [n, name] : by_count)
    set.names.push_back(name);
  if (number.size() == set.size() || job_step.size() != set.size()) return {};
  set.job_step = std::move(job_step);
  set.n_ranks = std::ssize(ranks);
  return {};
}

namespace {

// One duration for each step of the job, else of each row.
std::vector<std::int64_t> durations_of(const RequestSet& set) {
  if (set.job_step.empty()) return set.dur;
  std::vector<std::int64_t> slowest(1 + *std::ranges::max_element(set.job_step), 0);
  for (std::size_t i = 0; i < set.size(); ++i)
    slowest[set.job_step[i]] = std::max(slowest[set.job_step[i]], set.dur[i]);
  return slowest;
}

} // namespace

RequestStats stats_of(const RequestSet& set) {
  RequestStats stats;
  stats.unit = set.unit;
  stats.word = set.word;
  stats.n_slow = std::ssize(set.slow);
  stats.n_ranks = set.n_ranks;
  stats.names = set.names;
  if (set.id.empty()) return stats;
  std::vector<std::int64_t> sorted = durations_of(set);
  std::ranges::sort(sorted);
  stats.n = std::ssize(sorted);
  double sum = 0;
  for (const std::int64_t dur : sorted)
    sum += static_cast<double>(dur);
  std::int64_t first = set.ts[0], last = set.ts[0] + set.dur[0];
  for (std::size_t i = 0; i < set.size(); ++i) {
    first = std::min(first, set.ts[i]);
    last = std::max(last, set.ts[i] + set.dur[i]);
  }
  const auto n = static_cast<double>(sorted.size());
  stats.mean_ns = sum / n;
  stats.p50_ns = quantile_sorted<std::int64_t>(sorted, 0.5);
  stats.p90_ns = quantile_sorted<std::int64_t>(sorted, 0.9);
  stats.p95_ns = quantile_sorted<std::int64_t>(sorted, 0.95);
  stats.p99_ns = quantile_sorted<std::int64_t>(sorted, 0.99);
  stats.max_ns = static_cast<double>(sorted.back());
  stats.per_second = last > first ? n * 1e9 / static_cast<double>(last - first) : 0;
  return stats;
}

Result<std::vector<double>> load_times(Sql& sql, const RequestSet& set, std::string_view query) {
  PROF_TRY(const SqlResult result, sql.query(query, 10'000'000));
  std::vector<double> times(set.size(), 0.0);
  for (const auto& row : result.rows) {
    if (row.size() < 2) continue;
    const auto* id = std::get_if<std::int64_t>(&row[0]);
    const auto ns = number_of(row[1]);
    if (id == nullptr || !ns) continue;
    const auto at = std::ranges::lower_bound(set.id, *id);
    if (at == set.id.end() || *at != *id) continue;
    times[static_cast<std::size_t>(at - set.id.begin())] += *ns;
  }
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = std::clamp(times[i], 0.0, static_cast<double>(set.dur[i]));
  return times;
}

RatioEstimate ratio_over(const RequestSet& set, std::span<const double> times,
                         std::span<const std::size_t> positions) {
  double sum_times = 0, sum_dur = 0;
  for (const std::size_t i : positions) {
    sum_times += times[i];
    sum_dur += static_cast<double>(set.dur[i]);
  }
  if (sum_dur <= 0) return {};
  RatioEstimate out{sum_times / sum_dur, sum_times / sum_dur, sum_times / sum_dur};
  if (positions.size() < kMinForInterval) return out;
  double squares = 0;
  for (const std::size_t i : positions) {
    const double rest = times[i] - out.value * static_cast<double>(set.dur[i]);
    squares += rest * rest;
  }
  const auto n = static_cast<double>(positions.size());
  const double error = std::sqrt(squares * n / (n - 1)) / sum_dur;
  const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
  out.low = std::max(0.0, out.value - t * error);
  out.high = std::min(1.0, out.value + t * error);
  return out;
}

RatioEstimate ratio_over_all(const RequestSet& set, std::span<const double> times) {
  std::vector<std::size_t> all(set.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return ratio_over(set, times, all);
}

std::optional<double> tail_gap_explained(const RequestSet& set, std::span<const double> times) {
  if (set.size() < kMinForTailGap) return std::nullopt;
  const std::vector<double> dur(set.dur.begin(), set.dur.end());
  const double gap = mean_over(dur, set.slow) - mean_over(dur, set.middle);
  if (gap <= 0) return std::nullopt;
  return (mean_over(times, set.slow) - mean_over(times, set.middle)) / gap;
}

std::optional<double> latency_correlation(const RequestSet& set, std::span<const double> times) {
  if (set.size() < 2) return std::nullopt;
  const std::vector<double> dur(set.dur.begin(), set.dur.end());
  return pearson(mid_ranks(times), mid_ranks(dur));
}

} // namespace prof
