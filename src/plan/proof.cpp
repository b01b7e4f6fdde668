#include "plan/proof.hpp"

#include "metrics/metrics.hpp"
#include "verdict/power.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace prof::detail {
namespace {

constexpr std::size_t kFewestRequests = 20, kMostBatches = 20, kBatchLength = 5;
constexpr double kLevel = 0.05 / kProofMetrics;
constexpr double kWholeSeconds = 10; // lengths of runs are whole tens

// Standard error of the mean over the mean, by batch means in order of arrival: requests near each other are
// not independent.
std::optional<double> error_of_mean(const RequestModel& model) {
  std::vector<std::pair<std::int64_t, double>> served;
  for (const ReplayRequest& request : model.requests)
    if (request.is_complete) served.emplace_back(request.arrival_ns, static_cast<double>(request.latency_ns));
  if (served.size() < kFewestRequests) return std::nullopt;
  std::ranges::sort(served);
  const std::size_t batches = std::min(kMostBatches, served.size() / kBatchLength);
  std::vector<double> means;
  for (std::size_t b = 0; b < batches; ++b) {
    const std::size_t from = b * served.size() / batches, to = (b + 1) * served.size() / batches;
    double sum = 0;
    for (std::size_t i = from; i < to; ++i)
      sum += served[i].second;
    means.push_back(sum / static_cast<double>(to - from));
  }
  const auto n = static_cast<double>(means.size());
  double mean = 0, squares = 0;
  for (const double value : means)
    mean += value / n;
  for (const double value : means)
    squares += (value - mean) * (value - mean);
  if (!(mean > 0)) return std::nullopt;
  return std::sqrt(squares / (n - 1) / n) / mean;
}

// Pairs for a change of the mean when one run's mean has this spread; 0 for no change.
std::int64_t pairs_for(double change, double spread) {
  return change > -1 ? needed_per_side(std::log1p(change) / spread, kLevel) : 0;
}

double spread_of(double second_variance, double seconds) {
  return std::sqrt(second_variance / seconds + kRunNoise * kRunNoise);
}

double whole(double seconds, double most) {
  return std::clamp(std::ceil(seconds / kWholeSeconds - 1e-9) * kWholeSeconds, kShortestRun, most);
}

// The least length for which kMostPairs find the change; infinite where the noise between runs alone hides
// it.
double length_for(double change, double second_variance) {
  const double spread =
      std::fabs(std::log1p(change)) / detectable_effect(static_cast<double>(kMostPairs), kLevel);
  const double left = spread * spread - kRunNoise * kRunNoise;
  return left > 0 ? second_variance / left : std::numeric_limits<double>::infinity();
}

std::int64_t total_of(const ProofSize& size) {
  return 2 * size.pairs * (size.run_s + static_cast<std::int64_t>(kRestartSeconds));
}

} // namespace

std::vector<std::string> proof_metrics(const Store& store) {
  constexpr std::array<std::string_view, 9> kByRank{
      "p99_latency", "p50_latency",     "mean_latency",           "throughput", "device_util",
      "cpu_util",    "launch_overhead", "layout_transform_share", "page_faults"};
  std::vector<std::string> ids;
  const auto catalogue = load_metric_catalogue();
  auto sql = Sql::open(store);
  if (!catalogue || !sql) return ids;
  for (const std::string_view id : kByRank) {
    const auto metric = find_metric(*catalogue, id);
    if (std::ssize(ids) >= kProofMetrics || !metric) continue;
    const auto value = compute_metric(*metric, store, *sql).value;
    const bool can_improve =
        value && !(metric->better == Better::low && *value == 0); // no layout kernel, no fault
    if (can_improve) ids.emplace_back(id);
  }
  return ids;
}

Change joined(const Change& a, const Change& b) {
  const auto both = [](double x, double y) { return (1 + x) * (1 + y) - 1; };
  return {both(a.low, b.low), both(a.typical, b.typical), both(a.high, b.high)};
}

ProofSize proof_size(const RequestModel* model, double trace_s, std::optional<Change> change) {
  constexpr double kLongestUnknown = 3600;
  ProofSize out{.pairs = kFewestPairs, .run_s = static_cast<std::int64_t>(whole(trace_s, kLongestUnknown))};
  const auto error = model != nullptr ? error_of_mean(*model) : std::nullopt;
  if (change && (change->typical <= -1 || change->typical == 0)) change.reset();
  if (change) out.change = change->typical;
  if (!error) {
    out.total_s = total_of(out);
    return out;
  }
  const auto served =
      static_cast<double>(std::ranges::count(model->requests, true, &ReplayRequest::is_complete));
  const double variance = *error * *error * trace_s; // of the mean of one second
  double length =
      whole(std::max(std::sqrt(kRestartSeconds * variance) / kRunNoise, trace_s * kRequestsOfRun / served),
            kLongestRun);
  if (change && pairs_for(change->typical, spread_of(variance, length)) > kMostPairs) {
    const double longer = length_for(change->typical, variance);
    out.is_enough = longer <= kLongestRun;
    if (out.is_enough) length = std::max(length, whole(longer, kLongestRun));
  }
  const double spread = spread_of(variance, length);
  out.run_s = static_cast<std::int64_t>(length);
  out.within_run = std::sqrt(variance / length);
  if (change) {
    out.needed = pairs_for(change->typical, spread);
    if (out.is_enough) out.pairs = std::max(out.needed, kFewestPairs);
    out.weak = change->typical < 0 ? change->high : change->low;
    const bool is_same_way = *out.weak != 0 && (*out.weak < 0) == (change->typical < 0);
    if (is_same_way) out.needed_at_weak = std::max(pairs_for(*out.weak, spread), kFewestPairs);
  }
  out.detectable = std::expm1(detectable_effect(static_cast<double>(out.pairs), kLevel) * spread);
  out.total_s = total_of(out);
  return out;
}

std::string record_loop(std::string_view command, std::string_view stem, std::int64_t runs) {
  std::string numbers;
  for (std::int64_t i = 1; i <= runs; ++i)
    numbers += fmt::format(" {}", i);
  return fmt::format("for i in{}; do {} --output {}_run\"$i\".pb; done", numbers, command, stem);
}

std::string run_list(std::string_view stem, std::int64_t runs) {
  std::string out;
  for (std::int64_t i = 1; i <= runs; ++i)
    out += fmt::format("{}{}_run{}.pb", i == 1 ? "" : ",", stem, i);
  return out;
}

std::vector<std::string> proof_script(const ProofScript& words, std::int64_t pairs) {
  return {
      "turn() { # FILE TURN WHAT COMMAND",
      "  if [ -e \"$1\" ]; then return; fi",
      fmt::format("  echo \"$2/{}: $1\"", 2 * pairs),
      "  if [ -n \"$4\" ]; then sh -c \"$4\"; else printf '%s\\n' \"$3\"; read -r _; fi",
      "  part=${1%.pb}.part.pb", // only a whole recording gets the name of a run
      "  rm -f \"$part\"",
      "  from=$(date +%s)",
      fmt::format("  {} --duration {}s --output \"$part\"", words.record, words.run_s),
      fmt::format("  if [ $(($(date +%s) - from)) -lt {} ]; then echo {} >&2; exit 1; fi", words.run_s,
                  shell_quote(words.tell_short)),
      "  mv \"$part\" \"$1\"",
      "}",
      fmt::format("before() {{ turn {}_run\"$i\".pb \"$1\" {} \"$start_before\"; }}", words.before,
                  shell_quote(words.ask_before)),
      fmt::format("after() {{ turn {}_run\"$i\".pb \"$1\" {} \"$start_after\"; }}", words.after,
                  shell_quote(words.ask_after)),
      "start_before=${1-} start_after=${2-} i=1",
      fmt::format("while [ \"$i\" -le {} ]; do", pairs),
      "  if [ $((i % 2)) -eq 1 ]; then before $((2 * i - 1)); after $((2 * i)); else after $((2 * i - 1)); "
      "before "
      "$((2 * i)); fi",
      "  i=$((i + 1))",
      "done",
  };
}

} // namespace prof::detail
