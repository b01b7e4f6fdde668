// page_operators.hpp: operators and kernels of a trace in groups, for the page's table.
#pragma once
#include "store/store.hpp"

#include <nlohmann/json.hpp>

namespace prof {

// {op: {GROUPING: {rows, cut}}, kernel: {...}}. GROUPING is type, name, shape, dtype or format; those of
// which the trace says nothing are left out. A row is [type, value, n, total, self, min, p50, p99, max,
// launch] in ns, the largest total first; self: without operators inside, null for kernels; launch: the mean
// from the start of the launching span to the start on the device, null where no launch is known. At most
// 3000 rows, `cut` says how many more there were. Percentiles as SQL's percentile(). Spans without an end do
// not count.
[[nodiscard]] nlohmann::json operators_json(const Store& store);

} // namespace prof
