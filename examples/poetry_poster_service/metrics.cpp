#include "metrics.hpp"

#include <fmt/format.h>

namespace poster {
namespace {
constexpr std::array<double, 11> kSeconds{0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4};
constexpr std::array<double, 11> kSizes{1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32};
} // namespace

void Metrics::Histogram::add(double value, const std::array<double, 11>& bounds) {
  std::size_t i = 0;
  while (i < bounds.size() && value > bounds[i])
    ++i;
  ++buckets[i];
  sum += value;
  ++count;
}

void Metrics::count_request(const std::string& endpoint, int status, double seconds) {
  const std::scoped_lock lock(mutex_);
  ++requests_[{endpoint, status}];
  seconds_[endpoint].add(seconds, kSeconds);
}

void Metrics::observe_stage(const std::string& stage, double seconds) {
  const std::scoped_lock lock(mutex_);
  stages_[stage].add(seconds, kSeconds);
}

void Metrics::observe_batch(std::size_t size) {
  const std::scoped_lock lock(mutex_);
  batches_.add(static_cast<double>(size), kSizes);
}

std::string Metrics::lines(const std::string& name, const std::string& label, const Histogram& h,
                           const std::array<double, 11>& bounds) {
  std::string out;
  std::uint64_t running = 0;
  const std::string with = label.empty() ? "" : label + ",";
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    running += h.buckets[i];
    out += fmt::format("{}_bucket{{{}le=\"{}\"}} {}\n", name, with, bounds[i], running);
  }
  out += fmt::format("{}_bucket{{{}le=\"+Inf\"}} {}\n", name, with, h.count);
  const std::string braces = label.empty() ? "" : "{" + label + "}";
  return out + fmt::format("{0}_sum{1} {2}\n{0}_count{1} {3}\n", name, braces, h.sum, h.count);
}

std::string Metrics::text(std::size_t queue_depth, std::size_t in_flight) const {
  const std::scoped_lock lock(mutex_);
  std::string out = "# TYPE poster_requests_total counter\n";
  for (const auto& [key, count] : requests_)
    out += fmt::format("poster_requests_total{{endpoint=\"{}\",code=\"{}\"}} {}\n", key.first, key.second,
                       count);
  out += "# TYPE poster_request_seconds histogram\n";
  for (const auto& [endpoint, h] : seconds_)
    out += lines("poster_request_seconds", "endpoint=\"" + endpoint + "\"", h, kSeconds);
  out += "# TYPE poster_stage_seconds histogram\n";
  for (const auto& [stage, h] : stages_)
    out += lines("poster_stage_seconds", "stage=\"" + stage + "\"", h, kSeconds);
  out += "# TYPE poster_batch_size histogram\n" + lines("poster_batch_size", "", batches_, kSizes);
  out += fmt::format("# TYPE poster_queue_depth gauge\nposter_queue_depth {}\n# TYPE poster_in_flight "
                     "gauge\nposter_in_flight {}\n",
                     queue_depth, in_flight);
  return out;
}

} // namespace poster
