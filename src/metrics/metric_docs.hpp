// metric_docs.hpp: docs/metrics.md, made from the catalogue.
#pragma once
#include "metrics/metrics.hpp"

#include <string>
#include <vector>

namespace prof {

[[nodiscard]] std::string_view word(Better better);       // "low"
[[nodiscard]] std::string_view word(Aggregate aggregate); // "percentile"
// The whole of docs/metrics.md (tests/metrics keeps the committed file equal).
[[nodiscard]] std::string metric_reference_markdown(const std::vector<MetricDef>& catalogue);

} // namespace prof
