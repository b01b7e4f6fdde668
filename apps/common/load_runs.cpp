#include "common/load_runs.hpp"

#include "base/sha256.hpp"
#include "common/load_trace.hpp"

#include <algorithm>

namespace prof {

std::vector<std::string> trace_paths(const std::vector<std::string>& options, Context& context) {
  std::vector<std::string> paths;
  for (const std::string& option : options) {
    std::error_code error;
    // A file whose own name holds a comma is itself, not a list.
    const bool is_file = std::filesystem::exists(option, error);
    for (const std::string& path : is_file ? std::vector{option} : split_list(option)) {
      paths.push_back(path);
      if (std::ranges::find(context.inputs, std::filesystem::path(path)) == context.inputs.end())
        context.inputs.emplace_back(path);
    }
  }
  return paths;
}

Result<std::vector<RunFacts>> load_runs(const std::vector<std::string>& paths,
                                        const std::vector<MetricDef>& metrics, const Context& context) {
  std::vector<RunFacts> runs;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Progress progress(context, paths[i]);
    progress.update(static_cast<double>(i), static_cast<double>(paths.size()), "traces");
    PROF_TRY(const Store store, load_trace(paths[i]));
    tell_losses(context, paths[i], store);
    PROF_TRY(Sql sql, Sql::open(store));
    PROF_TRY(RunFacts run, read_run(store, sql, metrics));
    run.path = paths[i];
    PROF_TRY(run.sha256, sha256_of(paths[i]));
    runs.push_back(std::move(run));
  }
  return runs;
}

Result<std::vector<MetricDef>> metrics_named(const std::string& list) {
  PROF_TRY(const auto catalogue, load_metric_catalogue());
  std::vector<MetricDef> metrics;
  for (const std::string& id : split_list(list)) {
    PROF_TRY(MetricDef metric, find_metric(catalogue, id));
    const bool is_twice = std::ranges::find(metrics, metric.id, &MetricDef::id) != metrics.end();
    if (!is_twice) metrics.push_back(std::move(metric));
  }
  if (metrics.empty()) return error_said(Errc::bad_argument, "error.no_metrics", {});
  return metrics;
}

} // namespace prof
