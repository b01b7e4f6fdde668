// load_runs.hpp: several traces of one side -> what the verdict needs of each; one trace in memory at a time.
#pragma once
#include "common/cli.hpp"
#include "verdict/run_facts.hpp"

#include <string>
#include <vector>

namespace prof {

// Splits comma lists; names each path once in context.inputs.
[[nodiscard]] std::vector<std::string> trace_paths(const std::vector<std::string>& options, Context& context);
// Errors: those of load_trace and the metric catalogue.
[[nodiscard]] Result<std::vector<RunFacts>> load_runs(const std::vector<std::string>& paths,
                                                      const std::vector<MetricDef>& metrics,
                                                      const Context& context);
// The definitions of a comma list of ids. Error: bad_argument names the nearest id.
[[nodiscard]] Result<std::vector<MetricDef>> metrics_named(const std::string& list);
} // namespace prof
