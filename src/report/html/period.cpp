#include "report/html/period.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace prof {
namespace {

constexpr std::size_t kLeastValues = 24;
// Lags below three values are the shape of a single burst, not a rhythm.
constexpr std::size_t kLeastLag = 3;

double mean_of(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(1, values.size()));
}

// Pearson autocorrelation at lags 0 .. most; empty when the values do not vary.
std::vector<double> autocorrelation(std::span<const float> values, std::size_t most) {
  const std::size_t n = values.size();
  const double mean = mean_of(values);
  std::vector<float> centred;
  double variance = 0;
  for (const float v : values) {
    centred.push_back(static_cast<float>(v - mean));
    variance += (v - mean) * (v - mean);
  }
  if (variance <= 0) return {};
  std::vector<double> correlation(most + 1, 1.0);
  for (std::size_t lag = 1; lag <= most; ++lag) {
    float sum = 0;
    for (std::size_t i = 0; i + lag < n; ++i)
      sum += centred[i] * centred[i + lag];
    correlation[lag] =
        static_cast<double>(sum) / variance * static_cast<double>(n) / static_cast<double>(n - lag);
  }
  return correlation;
}

// Between the row's first and last activity: a thread that starts late is not idle before.
struct Life {
  std::size_t from = 0, to = 0;
};
Life life_of(std::span<const float> values) {
  const auto is_busy = [](float v) { return v > 0; };
  const auto first = std::ranges::find_if(values, is_busy);
  std::size_t to = values.size();
  while (to > 0 && !is_busy(values[to - 1]))
    --to;
  return {static_cast<std::size_t>(first - values.begin()), to};
}

// What the best peak of a row without rhythm stays below. Beyond its memory an autocorrelation of n values
// has the standard error sqrt(sum of squared correlations within the memory / (n - lag)) (Bartlett 1946, "On
// the theoretical specification and sampling properties of autocorrelated time-series"); the searched lags
// hold about lags / memory independent chances, and P(Z > z) <= exp(-z^2 / 2) / 2.
double null_ceiling(const std::vector<double>& correlation, std::size_t lag, std::size_t lags,
                    std::size_t n) {
  double memory = 1;
  for (std::size_t i = 1; i < correlation.size() && correlation[i] > 0; ++i)
    memory += 2 * correlation[i] * correlation[i];
  const double chances = std::max(1.0, static_cast<double>(lags) / memory);
  const double z = std::sqrt(2 * std::log(chances / (2 * kPeriodFloors.chance)));
  return z * std::sqrt(memory / static_cast<double>(n - lag));
}

class Folded {
public:
  // Sums the values by where they lie in the period.
  Folded(std::span<const float> values, double first_ns, double width_ns, double period_ns) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double at =
          std::fmod(first_ns + (static_cast<double>(i) + 0.5) * width_ns, period_ns) / period_ns;
      const auto phase = std::min(kPhases - 1, static_cast<std::size_t>(at * kPhases));
      sum_[phase] += values[i];
      count_[phase] += 1;
    }
  }
  void describe(Period& period) const {
    constexpr std::size_t kEighth = kPhases / 8;
    double best = INFINITY;
    std::size_t best_at = 0;
    for (std::size_t from = 0; from < kPhases; ++from)
      if (const double mean = window(from, kEighth); mean < best) best = mean, best_at = from;
    period.phase_ns = static_cast<std::int64_t>(static_cast<double>(period.period_ns) *
                                                static_cast<double>(best_at) / kPhases);
    period.quiet_share = best;
    period.busy_share = window(best_at + kEighth, kPhases - kEighth);
  }

private:
  static constexpr std::size_t kPhases = 64;
  [[nodiscard]] double window(std::size_t from, std::size_t length) const {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < length; ++i)
      sum += sum_[(from + i) % kPhases], count += count_[(from + i) % kPhases];
    return count > 0 ? sum / count : 0.0;
  }
  std::array<double, kPhases> sum_{}, count_{};
};

// The lag of the rhythm, between two values where a parabola through the peak says so; 0 = none.
double rhythm(const std::vector<double>& correlation, std::size_t most_lag, std::size_t n) {
  const auto is_peak = [&](std::size_t lag) {
    return correlation[lag] > correlation[lag - 1] && correlation[lag] >= correlation[lag + 1];
  };
  // Over a whole period the correlation falls and comes back. A peak before it has fallen is a wiggle of the
  // row's memory: kernels a few cells apart, on the slope of a step of training.
  const auto fallen = [&](double to) {
    return static_cast<std::size_t>(std::ranges::find_if(correlation, [&](double c) { return c <= to; }) -
                                    correlation.begin());
  };
  double best = 0;
  for (std::size_t lag = std::max(kLeastLag, fallen(0.5 * kPeriodFloors.correlation)); lag <= most_lag; ++lag)
    if (is_peak(lag)) best = std::max(best, correlation[lag]);
  if (best < kPeriodFloors.correlation) return 0;
  for (std::size_t lag = std::max(kLeastLag, fallen(0.5 * best)); lag <= most_lag; ++lag) {
    if (!is_peak(lag) || correlation[lag] < 0.9 * best) continue;
    // The first of several peaks on one hill may be its foot: the top says the period.
    for (std::size_t at = lag; at <= most_lag && correlation[at] > 0.5 * best; ++at)
      if (is_peak(at) && correlation[at] > correlation[lag]) lag = at;
    if (correlation[lag] < null_ceiling(correlation, lag, most_lag, n)) return 0;
    const double a = correlation[lag - 1], b = correlation[lag], c = correlation[lag + 1];
    const double curve = a - 2 * b + c;
    const double exact = static_cast<double>(lag) + (curve < 0 ? 0.5 * (a - c) / curve : 0.0);
    // What repeats after one period repeats after two.
    const auto twice = static_cast<std::size_t>(std::llround(2 * exact));
    return correlation[twice] < 0.5 * correlation[lag] ? 0 : exact;
  }
  return 0;
}

} // namespace

std::optional<Period> find_period(std::span<const float> values, double width_ns) {
  const Life life = life_of(values);
  if (life.to < life.from + kLeastValues) return std::nullopt;
  const std::span<const float> alive = values.subspan(life.from, life.to - life.from);
  const auto n = static_cast<double>(alive.size());
  if (n < kPeriodFloors.life * static_cast<double>(values.size())) return std::nullopt;
  if (mean_of(alive) < kPeriodFloors.mean) return std::nullopt;
  const std::size_t most_lag = alive.size() / static_cast<std::size_t>(kPeriodFloors.cycles);
  const std::vector<double> correlation = autocorrelation(alive, 2 * most_lag + 2);
  if (correlation.empty()) return std::nullopt;
  const double lag = rhythm(correlation, most_lag, alive.size());
  if (lag <= 0) return std::nullopt;
  Period period{.period_ns = std::llround(lag * width_ns),
                .correlation = correlation[static_cast<std::size_t>(std::llround(lag))],
                .cycles = static_cast<std::int64_t>(n / lag)};
  Folded(alive, static_cast<double>(life.from) * width_ns, width_ns, static_cast<double>(period.period_ns))
      .describe(period);
  const double contrast = period.busy_share - period.quiet_share;
  if (contrast < kPeriodFloors.contrast || contrast < 0.5 * period.busy_share) return std::nullopt;
  return period;
}

} // namespace prof
