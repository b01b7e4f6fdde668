#include "plan/proof.hpp"

#include "verdict/power.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace prof::detail {
namespace {

constexpr std::size_t kFewestRequests = 20, kMostBatches = 20, kBatchLength = 5;
constexpr double kLevel = 0.05 / kProofMetrics;

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

} // namespace

ProofSize proof_size(const RequestModel* model, std::optional<double> change, std::int64_t at_least) {
  ProofSize out{.runs = std::max(at_least, kFewestRuns)};
  out.within_run = model != nullptr ? error_of_mean(*model) : std::nullopt;
  if (!out.within_run) return out;
  const double spread = std::hypot(*out.within_run, kRunNoise);
  if (change && *change > -1 && *change != 0) {
    out.change = change;
    out.needed = needed_per_side(std::log1p(*change) / spread, kLevel);
    out.runs = std::clamp(out.needed, out.runs, kMostRuns);
  }
  out.detectable = std::expm1(detectable_effect(static_cast<double>(out.runs), kLevel) * spread);
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

} // namespace prof::detail
