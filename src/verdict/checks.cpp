// Are the two sides comparable at all? Asked before any p value is believed.
#include "verdict/power.hpp"
#include "verdict/series.hpp"
#include "verdict/validate.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <optional>
#include <set>

namespace prof {
namespace {

// Thresholds: docs/statistics.md, "validity checks".
constexpr double kLoadTolerance = 0.05, kLostNotice = 0.001, kLostTooMany = 0.01, kWarmUpTooLong = 0.3,
                 kDrift = 0.10, kCpuWait = 0.10, kErrorsNotice = 0.01, kUnfinishedNotice = 0.05,
                 kUnfinishedTooMany = 0.1, kForeignModel = 0.1, kSharedModel = 0.5;

struct Totals {
  std::int64_t requests = 0, errors = 0, unfinished = 0, events = 0, lost = 0, warm = 0;
  std::int64_t gaps = 0; // between neighbouring arrivals of one run
  double seconds = 0;    // that these gaps take together
  bool has_status = false, is_incomplete = false;
};

Totals totals_of(std::span<const RunFacts> runs) {
  Totals t;
  for (const RunFacts& run : runs) {
    t.requests += run.requests, t.errors += run.errors, t.unfinished += run.unfinished,
        t.events += run.events, t.lost += run.lost;
    t.warm += static_cast<std::int64_t>(warm_up_of(run));
    t.has_status = t.has_status || run.has_status;
    t.is_incomplete = t.is_incomplete || run.is_incomplete;
    if (run.arrival_ts.size() < 2) continue;
    t.gaps += static_cast<std::int64_t>(run.arrival_ts.size()) - 1;
    t.seconds += static_cast<double>(run.arrival_ts.back() - run.arrival_ts.front()) / 1e9;
  }
  return t;
}

double ratio(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// Every request that started counts, those that the end of the recording cut too: they were offered as well.
// n arrivals have n - 1 gaps between the first and the last start.
Check offered_load(const Totals& a, const Totals& b) {
  Check check{.id = "offered_load", .unit = "1/s"};
  if (a.seconds <= 0 || b.seconds <= 0) return check;
  check.before = static_cast<double>(a.gaps) / a.seconds,
  check.after = static_cast<double>(b.gaps) / b.seconds;
  const bool is_close = std::fabs(check.after / check.before - 1) <= kLoadTolerance;
  // A difference that these few arrivals cannot tell from chance is no proof of the same load.
  check.state = is_close                                                    ? CheckState::pass
                : rate_equal_p(a.gaps, a.seconds, b.gaps, b.seconds) < 0.01 ? CheckState::warn
                                                                            : CheckState::unknown;
  return check;
}

Check error_rate(const Totals& a, const Totals& b) {
  Check check{.id = "error_rate", .unit = "percent"};
  if (!a.has_status || !b.has_status) return check;
  check.before = 100 * ratio(a.errors, a.requests), check.after = 100 * ratio(b.errors, b.requests);
  const bool is_up =
      check.after > check.before && fisher_exact(a.errors, a.requests, b.errors, b.requests) < 0.01;
  const bool is_notable = std::max(check.before, check.after) / 100 > kErrorsNotice;
  check.state = is_up ? CheckState::fail : is_notable ? CheckState::warn : CheckState::pass;
  return check;
}

// Requests that the end of the recording cut: many of them mean an overloaded service or too short a
// recording, and the figures are those of the requests that were quick enough.
Check unfinished(const Totals& a, const Totals& b) {
  Check check{.id = "unfinished", .unit = "percent"};
  if (a.requests == 0 || b.requests == 0) return check;
  check.before = 100 * ratio(a.unfinished, a.requests), check.after = 100 * ratio(b.unfinished, b.requests);
  const double worst = std::max(check.before, check.after) / 100;
  check.state = worst > kUnfinishedTooMany  ? CheckState::fail
                : worst > kUnfinishedNotice ? CheckState::warn
                                            : CheckState::pass;
  return check;
}

// "#3, #5": the runs of a side that has requests in which none finished. They are in no figure.
std::string runs_without_finished(std::span<const RunFacts> runs) {
  std::string out;
  if (std::ranges::none_of(runs, [](const RunFacts& run) { return run.requests > 0; })) return out;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].unfinished >= runs[i].requests) out += (out.empty() ? "#" : ", #") + std::to_string(i + 1);
  return out;
}

// Listed only where there is such a run.
void find_empty_runs(std::span<const RunFacts> before, std::span<const RunFacts> after,
                     std::vector<Check>& checks) {
  const std::string a = runs_without_finished(before), b = runs_without_finished(after);
  if (a.empty() && b.empty()) return;
  checks.push_back({.id = "empty_runs", .state = CheckState::fail, .before_text = a, .after_text = b});
}

Check lost_events(const Totals& a, const Totals& b) {
  Check check{.id = "lost_events", .unit = "percent"};
  check.before = 100 * ratio(a.lost, a.events + a.lost), check.after = 100 * ratio(b.lost, b.events + b.lost);
  const double worst = std::max(check.before, check.after) / 100;
  check.state = worst >= kLostTooMany  ? CheckState::fail
                : worst >= kLostNotice ? CheckState::warn
                                       : CheckState::pass;
  // Known one by one or not: of a file that was cut off or damaged nobody can say that nothing is missing.
  if ((a.is_incomplete || b.is_incomplete) && check.state != CheckState::fail)
    check.state = CheckState::unknown;
  return check;
}

Check warm_up(const Totals& a, const Totals& b) {
  Check check{.id = "warm_up", .unit = "percent"};
  if (a.requests == 0 || b.requests == 0) return check;
  check.before = 100 * ratio(a.warm, a.requests), check.after = 100 * ratio(b.warm, b.requests);
  check.state =
      std::max(check.before, check.after) / 100 > kWarmUpTooLong ? CheckState::warn : CheckState::pass;
  return check;
}

// The largest change between the first and the second half of a run that chance does not explain, as a
// fraction.
double drift_of(std::span<const RunFacts> runs, bool& is_known) {
  double worst = 0;
  for (const RunFacts& run : runs) {
    const auto batches = batch_means(std::span(run.request_ns).subspan(warm_up_of(run)), 20);
    if (batches.size() < 20 || run.request_ns.size() < 100) continue;
    is_known = true;
    const auto first = std::span(batches).first(10), second = std::span(batches).subspan(10);
    const WelchResult w = welch(first, second);
    if (w.p < 0.001 && w.mean_a > 0 && std::fabs(w.diff / w.mean_a) > std::fabs(worst))
      worst = w.diff / w.mean_a;
  }
  return worst;
}

Check stationarity(std::span<const RunFacts> before, std::span<const RunFacts> after) {
  Check check{.id = "stationarity", .unit = "percent"};
  bool is_known = false;
  const double a = drift_of(before, is_known), b = drift_of(after, is_known);
  check.before = 100 * a, check.after = 100 * b;
  if (is_known)
    check.state = std::max(std::fabs(a), std::fabs(b)) > kDrift ? CheckState::warn : CheckState::pass;
  return check;
}

// Of runs whose scheduling was recorded: the mean over a side's runs.
std::optional<double> cpu_wait_of(std::span<const RunFacts> runs) {
  double sum = 0, n = 0;
  for (const RunFacts& run : runs)
    if (run.cpu_wait) sum += *run.cpu_wait, n += 1;
  return n > 0 ? std::optional(sum / n) : std::nullopt;
}

void cpu_wait(std::span<const RunFacts> before, std::span<const RunFacts> after, std::vector<Check>& checks) {
  const auto a = cpu_wait_of(before), b = cpu_wait_of(after);
  if (!a || !b) return;
  checks.push_back({.id = "cpu_wait",
                    .state = std::max(*a, *b) > kCpuWait ? CheckState::warn : CheckState::pass,
                    .before = 100 * *a,
                    .after = 100 * *b,
                    .unit = "percent"});
}

std::map<std::string, double> mix_of(std::span<const RunFacts> runs, double& total) {
  std::map<std::string, double> mix;
  for (const RunFacts& run : runs)
    for (const auto& [name, n] : run.request_names)
      mix[name] += static_cast<double>(n), total += static_cast<double>(n);
  return mix;
}

Check request_mix(std::span<const RunFacts> before, std::span<const RunFacts> after) {
  Check check{.id = "request_mix"};
  double na = 0, nb = 0;
  const auto a = mix_of(before, na), b = mix_of(after, nb);
  if (na == 0 || nb == 0) return check;
  std::set<std::string> names;
  for (const auto& [name, n] : a)
    names.insert(name);
  for (const auto& [name, n] : b)
    names.insert(name);
  double chi2 = 0;
  for (const std::string& name : names) {
    const double x = a.contains(name) ? a.at(name) : 0, y = b.contains(name) ? b.at(name) : 0;
    const double ex = (x + y) * na / (na + nb), ey = (x + y) * nb / (na + nb);
    chi2 += (x - ex) * (x - ex) / ex + (y - ey) * (y - ey) / ey;
  }
  const double df = static_cast<double>(names.size()) - 1;
  const double p = df < 1 ? 1 : boost::math::cdf(boost::math::complement(boost::math::chi_squared(df), chi2));
  check.before_text = std::to_string(a.size()), check.after_text = std::to_string(b.size());
  check.state = p < 0.001 ? CheckState::warn : CheckState::pass;
  return check;
}

using OpSums = std::map<std::string, std::int64_t>;

OpSums op_sums(std::span<const RunFacts> runs, OpSums RunFacts::* of) {
  OpSums sums;
  for (const RunFacts& run : runs)
    for (const auto& [name, amount] : run.*of)
      sums[name] += amount;
  return sums;
}

double total_of(const OpSums& sums) {
  double all = 0;
  for (const auto& [name, amount] : sums)
    all += static_cast<double>(amount);
  return all;
}

// The share of a side's operator time that operators of the same name take on the other side; the larger of
// both sides: what an optimisation removed or added has no partner on one side only.
double shared_time(const OpSums& a, const OpSums& b) {
  double best = 0;
  for (const auto& [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    double shared = 0;
    for (const auto& [name, ns] : *one)
      if (other->contains(name)) shared += static_cast<double>(ns);
    if (const double all = total_of(*one); all > 0) best = std::max(best, shared / all);
  }
  return best;
}

// How far two mixes of operator types agree: the sum of the smaller shares, 0..1.
double shared_mix(const OpSums& a, const OpSums& b) {
  const double na = total_of(a), nb = total_of(b);
  double shared = 0;
  for (const auto& [type, n] : a)
    if (const auto found = b.find(type); found != b.end())
      shared += std::min(static_cast<double>(n) / na, static_cast<double>(found->second) / nb);
  return shared;
}

// Two models are two workloads. The operators of one model keep most of their names through an optimisation;
// where names tell nothing (a framework that names by type), the mix of types has to do, and only as a
// notice.
Check same_model(std::span<const RunFacts> before, std::span<const RunFacts> after) {
  Check check{.id = "same_model"};
  const OpSums a = op_sums(before, &RunFacts::op_types), b = op_sums(after, &RunFacts::op_types);
  if (a.empty() || b.empty()) return check;
  const OpSums x = op_sums(before, &RunFacts::op_names), y = op_sums(after, &RunFacts::op_names);
  const bool has_names = !x.empty() && !y.empty();
  check.before_text = std::to_string((has_names ? x : a).size());
  check.after_text = std::to_string((has_names ? y : b).size());
  check.state = are_one_model({x, a}, {y, b});
  return check;
}

std::string setting_of(std::span<const RunFacts> runs, const std::string& key) {
  std::set<std::string> values;
  for (const RunFacts& run : runs)
    if (const auto found = run.settings.find(key); found != run.settings.end()) values.insert(found->second);
  std::string joined;
  for (const std::string& v : values)
    joined += (joined.empty() ? "" : ", ") + v;
  return joined;
}

void compare_settings(std::span<const RunFacts> before, std::span<const RunFacts> after,
                      std::vector<Check>& checks) {
  static constexpr std::array<std::pair<std::string_view, CheckState>, 8> kKeys{
      {{"sampling_rate", CheckState::fail},
       {"scope", CheckState::fail},
       {"host", CheckState::warn},
       {"cpu_model", CheckState::warn},
       {"cpu_count", CheckState::warn},
       {"kernel", CheckState::warn},
       {"target", CheckState::warn},
       {"profiler_version", CheckState::warn}}};
  const std::size_t had = checks.size();
  bool is_known = false;
  for (const auto& [key, state] : kKeys) {
    const std::string name(key), a = setting_of(before, name), b = setting_of(after, name);
    is_known = is_known || !a.empty();
    // The same service under another pid or another spelling of its name is the same service.
    const std::string service = setting_of(before, "service");
    const bool is_same_service =
        key == "target" && !service.empty() && service == setting_of(after, "service");
    if (a != b && !is_same_service)
      checks.push_back({.id = "setting_" + name, .state = state, .before_text = a, .after_text = b});
  }
  // Two traces that say nothing of their settings are not known to be equal.
  if (checks.size() == had)
    checks.push_back({.id = "settings", .state = is_known ? CheckState::pass : CheckState::unknown});
}

// Interleaved runs cancel drift; AAAA..BBBB turns 3 % drift into 88 % false alarms (docs/statistics.md).
Check run_order(std::span<const RunFacts> before, std::span<const RunFacts> after) {
  Check check{.id = "run_order"};
  if (before.size() + after.size() < 4) return check;
  std::vector<std::pair<std::int64_t, char>> order;
  for (const RunFacts& run : before)
    order.emplace_back(run.start_realtime_ns, 'A');
  for (const RunFacts& run : after)
    order.emplace_back(run.start_realtime_ns, 'B');
  if (std::ranges::any_of(order, [](const auto& o) { return o.first == 0; })) return check;
  std::ranges::sort(order);
  std::string letters;
  for (const auto& [ts, letter] : order)
    letters += letter;
  int changes = 0;
  for (std::size_t i = 1; i < letters.size(); ++i)
    changes += letters[i] != letters[i - 1] ? 1 : 0;
  check.before_text = letters.substr(0, 40);
  check.state = changes <= 1 ? CheckState::warn : CheckState::pass;
  return check;
}

Check same_trace(std::span<const RunFacts> before, std::span<const RunFacts> after) {
  Check check{.id = "same_trace", .state = CheckState::pass};
  const auto is_in = [](std::span<const RunFacts> runs, const RunFacts& run) {
    return std::ranges::any_of(runs, [&](const RunFacts& other) { return is_same_recording(other, run); });
  };
  for (std::size_t i = 0; i < before.size(); ++i)
    if (is_in(before.first(i), before[i])) check.state = CheckState::fail, check.before_text = before[i].path;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (is_in(after.first(i), after[i])) check.state = CheckState::fail, check.after_text = after[i].path;
  if (check.state == CheckState::fail) return check;
  for (const RunFacts& run : after)
    if (is_in(before, run)) check.state = CheckState::warn, check.after_text = run.path;
  return check;
}

} // namespace

std::string_view check_state_name(CheckState state) {
  switch (state) {
  case CheckState::pass:
    return "pass";
  case CheckState::warn:
    return "warn";
  case CheckState::fail:
    return "fail";
  case CheckState::unknown:
    return "unknown";
  }
  return {};
}

CheckState are_one_model(const OpFacts& before, const OpFacts& after) {
  if (before.types.empty() || after.types.empty()) return CheckState::unknown;
  const bool has_names = !before.names.empty() && !after.names.empty();
  const double shared =
      has_names ? shared_time(before.names, after.names) : shared_mix(before.types, after.types);
  if (has_names && shared < kForeignModel) return CheckState::fail;
  return shared < kSharedModel ? CheckState::warn : CheckState::pass;
}

std::vector<Check> check_sides(std::span<const RunFacts> before, std::span<const RunFacts> after) {
  const Totals a = totals_of(before), b = totals_of(after);
  std::vector<Check> checks{offered_load(a, b),
                            error_rate(a, b),
                            unfinished(a, b),
                            lost_events(a, b),
                            warm_up(a, b),
                            stationarity(before, after),
                            request_mix(before, after),
                            same_model(before, after),
                            run_order(before, after),
                            same_trace(before, after)};
  find_empty_runs(before, after, checks);
  cpu_wait(before, after, checks);
  compare_settings(before, after, checks);
  return checks;
}

} // namespace prof
