#include "verdict/descriptive.hpp"
#include "verdict/run_facts.hpp"

#include <algorithm>

namespace prof {

std::optional<double> aggregate_of(const MetricDef& metric, const MetricSamples& samples, std::size_t from) {
  const auto values = std::span(samples.value).subspan(std::min(from, samples.value.size()));
  if (values.empty()) return std::nullopt;
  switch (metric.aggregate) {
  case Aggregate::mean:
  case Aggregate::ratio:
    return mean(values);
  case Aggregate::percentile:
    return harrell_davis(sorted(values), metric.percentile / 100);
  case Aggregate::max:
    return *std::ranges::max_element(values);
  case Aggregate::last:
    return values.back();
  case Aggregate::rate:
  case Aggregate::sum:
    return std::nullopt; // depend on the window, not on the samples alone
  }
  return std::nullopt;
}

} // namespace prof
