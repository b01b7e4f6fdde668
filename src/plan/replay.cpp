#include "plan/replay.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <random>

namespace prof {
namespace {

constexpr double kLeastService = 0.05; // a change never removes more than 95 % of a unit's service
constexpr std::uint64_t kSeed = 20240917;

// Effects as the loop needs them.
struct Settings {
  int workers = 1;
  double slowdown = 1, batch_wait_keep = 1;
  int merge_units = 1;
  double merge_cost = 1;
  double max_wait_ns = 0; // 0 = everyone is served
};

// What each name keeps of its time after these effects. Two effects on the same time work one after the
// other: 60 % off and then 60 % off leaves 16 %, never less than nothing.
using Kept = std::map<std::string, double>;

Kept kept_by(const std::vector<DrawnEffect>& effects, EffectKind kind) {
  Kept kept;
  for (const DrawnEffect& drawn : effects)
    if (drawn.effect->kind == kind)
      for (const std::string& name : drawn.effect->names)
        kept.try_emplace(name, 1.0).first->second *= 1 - drawn.value;
  return kept;
}

double removed(const Kept& kept, const std::map<std::string, std::vector<double>>& table, std::size_t unit) {
  double sum = 0;
  for (const auto& [name, share] : kept)
    if (const auto at = table.find(name); at != table.end()) sum += (1 - share) * at->second[unit];
  return sum;
}

std::vector<double> services_of(const RequestModel& model, const std::vector<DrawnEffect>& effects,
                                double slowdown) {
  const Kept ops = kept_by(effects, EffectKind::ops), times = kept_by(effects, EffectKind::time);
  std::vector<double> services(model.units.size());
  for (std::size_t i = 0; i < services.size(); ++i) {
    const auto whole = static_cast<double>(model.units[i].service_ns);
    const double left = whole - removed(ops, model.op_ns, i) - removed(times, model.time_ns, i);
    services[i] = std::max(left, kLeastService * whole) * slowdown;
  }
  return services;
}

Settings settings_of(const RequestModel& model, const std::vector<DrawnEffect>& effects) {
  Settings settings;
  settings.workers = model.workers;
  for (const DrawnEffect& drawn : effects) {
    const Effect& effect = *drawn.effect;
    switch (effect.kind) {
    case EffectKind::ops:
    case EffectKind::time:
      break;
    case EffectKind::workers:
      settings.workers += static_cast<int>(effect.add);
      settings.slowdown *= drawn.value;
      break;
    case EffectKind::batching:
      settings.merge_units = std::max(1, static_cast<int>(effect.add));
      settings.merge_cost = drawn.value;
      break;
    case EffectKind::batch_wait:
      settings.batch_wait_keep *= 1 - drawn.value;
      break;
    case EffectKind::admission:
      settings.max_wait_ns = effect.add;
      break; // in mean services until they are known
    }
  }
  return settings;
}

std::int64_t last_arrival(const RequestModel& model, const ServiceUnit& unit) {
  std::int64_t last = model.requests[unit.requests.front()].arrival_ns;
  for (const std::uint32_t request : unit.requests)
    last = std::max(last, model.requests[request].arrival_ns);
  return last;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

} // namespace

ReplayResult replay(const RequestModel& model, const std::vector<DrawnEffect>& effects) {
  Settings settings = settings_of(model, effects);
  const std::vector<double> services = services_of(model, effects, settings.slowdown);
  settings.max_wait_ns *= mean_of(services);
  ReplayResult result;
  result.workers = settings.workers;
  // When each worker is free again, earliest first.
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (int i = 0; i < settings.workers; ++i)
    free.push(-1e300);
  double busy = 0;
  std::size_t served = 0;
  for (std::size_t i = 0; i < model.units.size();) {
    const ServiceUnit& first = model.units[i];
    const auto ready = static_cast<double>(last_arrival(model, first)) +
                       settings.batch_wait_keep * static_cast<double>(first.batch_wait_ns);
    double start = ready;
    if (model.has_queue) start = std::max(ready, free.top());
    if (settings.max_wait_ns > 0 && start - ready > settings.max_wait_ns) {
      result.refused += std::ssize(first.requests);
      ++i;
      continue;
    }
    // Whoever waits when the worker becomes free may join the batch.
    std::size_t end = i + 1;
    double service = services[i];
    while (end < model.units.size() && end - i < static_cast<std::size_t>(settings.merge_units) &&
           static_cast<double>(last_arrival(model, model.units[end])) <= start) {
      service += settings.merge_cost * services[end];
      ++end;
    }
    if (model.has_queue) {
      free.pop();
      free.push(start + service);
    }
    busy += service;
    for (; i < end; ++i)
      for (const std::uint32_t request : model.units[i].requests) {
        const ReplayRequest& row = model.requests[request];
        if (row.is_complete)
          result.latency_ns.push_back(start + service - static_cast<double>(row.arrival_ns) +
                                      static_cast<double>(row.after_ns));
        ++served;
      }
  }
  result.service_ns = served == 0 ? 0 : busy / static_cast<double>(served);
  return result;
}

double percentile_of(std::vector<double>& values, double percent) {
  if (values.empty()) return 0;
  const double at = percent / 100 * static_cast<double>(values.size() - 1);
  const auto lower = static_cast<std::size_t>(at);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(lower);
  std::nth_element(values.begin(), middle, values.end());
  const double low = *middle;
  if (lower + 1 >= values.size()) return low;
  const double high = *std::min_element(middle + 1, values.end());
  return low + (at - static_cast<double>(lower)) * (high - low);
}

ReplayOutcome summarise(const ReplayResult& result, const RequestModel& model) {
  ReplayOutcome outcome;
  std::vector<double> latency = result.latency_ns;
  outcome.mean_ns = mean_of(latency);
  outcome.p50_ns = percentile_of(latency, 50);
  outcome.p99_ns = percentile_of(latency, 99);
  outcome.work_ns = result.service_ns;
  if (result.service_ns > 0) outcome.capacity_per_s = 1e9 * result.workers / result.service_ns;
  if (!model.requests.empty())
    outcome.refused_share = static_cast<double>(result.refused) / static_cast<double>(model.requests.size());
  return outcome;
}

namespace {

// 53 random bits; the standard distributions differ between libraries.
double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

double triangular(const Range& range, double u) {
  const double width = range.high - range.low;
  if (width <= 0) return range.typical;
  const double rising = range.typical - range.low;
  if (u < rising / width) return range.low + std::sqrt(u * width * rising);
  return range.high - std::sqrt((1 - u) * width * (range.high - range.typical));
}

Change change_of(std::vector<double> draws, double typical) {
  Change change;
  change.typical = typical;
  change.low = percentile_of(draws, 10);
  change.high = percentile_of(draws, 90);
  if (draws.empty()) change.low = change.high = typical;
  change.low = std::min(change.low, typical);
  change.high = std::max(change.high, typical);
  return change;
}

double ratio(double after, double before) {
  return before > 0 ? after / before - 1 : 0;
}

} // namespace

Gain predict_gain(const RequestModel& model, const std::vector<const Effect*>& before,
                  const std::vector<const Effect*>& added, int draws) {
  std::vector<DrawnEffect> effects;
  for (const Effect* effect : before)
    effects.push_back({effect, effect->range.typical});
  const ReplayOutcome base = summarise(replay(model, effects), model);
  const std::size_t fixed = effects.size();
  for (const Effect* effect : added)
    effects.push_back({effect, effect->range.typical});
  const ReplayOutcome typical = summarise(replay(model, effects), model);
  std::mt19937_64 random(kSeed);
  std::array<std::vector<double>, 5> changes;
  for (int draw = 0; draw < draws; ++draw) {
    for (std::size_t i = fixed; i < effects.size(); ++i)
      effects[i].value = triangular(effects[i].effect->range, uniform(random));
    const ReplayOutcome after = summarise(replay(model, effects), model);
    changes[0].push_back(ratio(after.mean_ns, base.mean_ns));
    changes[1].push_back(ratio(after.p50_ns, base.p50_ns));
    changes[2].push_back(ratio(after.p99_ns, base.p99_ns));
    changes[3].push_back(ratio(after.capacity_per_s, base.capacity_per_s));
    changes[4].push_back(ratio(after.work_ns, base.work_ns));
  }
  return {.mean = change_of(std::move(changes[0]), ratio(typical.mean_ns, base.mean_ns)),
          .p50 = change_of(std::move(changes[1]), ratio(typical.p50_ns, base.p50_ns)),
          .p99 = change_of(std::move(changes[2]), ratio(typical.p99_ns, base.p99_ns)),
          .capacity = change_of(std::move(changes[3]), ratio(typical.capacity_per_s, base.capacity_per_s)),
          .work = change_of(std::move(changes[4]), ratio(typical.work_ns, base.work_ns)),
          .refused_share = typical.refused_share};
}

ReplayError replay_error(const RequestModel& model) {
  std::vector<double> measured;
  for (const ReplayRequest& request : model.requests)
    if (request.is_complete) measured.push_back(static_cast<double>(request.latency_ns));
  const ReplayOutcome replayed = summarise(replay(model, {}), model);
  const double mean = mean_of(measured);
  const double p99 = percentile_of(measured, 99);
  return {.mean = std::abs(ratio(replayed.mean_ns, mean)), .p99 = std::abs(ratio(replayed.p99_ns, p99))};
}

} // namespace prof
