// coverage.hpp: how much of a trace hangs together. Each share is nullopt where there is nothing to take it
// of.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <optional>

namespace prof {

struct Coverage {
  std::optional<double> ops_in_stages;        // operators with a stage / operators
  std::optional<double> stages_with_requests; // stage rows with a request / stage rows
  std::optional<double>
      samples_with_symbols; // CPU samples whose innermost function has a name / CPU samples with a stack
  std::optional<double> samples_in_ops;  // CPU samples inside an operator of their thread / CPU samples
  std::optional<double> run_time_in_ops; // time of model runs covered by operators (unions per thread)
  std::optional<double> time_explained;  // request time that is not unexplained / request time
};
[[nodiscard]] Coverage measure_coverage(const Store& store);

} // namespace prof
