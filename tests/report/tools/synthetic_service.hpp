// synthetic_service.hpp: a made-up serving process, layer by layer, with known figures. Deterministic.
#pragma once
#include "trace/sink.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace prof::testing {

struct SyntheticOptions {
  std::int64_t requests = 60;
  std::int64_t ops_per_stage = 24;
  bool has_device = true;
  bool has_samples = true;
  bool is_hostile = false; // names that try to break out of the page
};
// Texts that try to break out of every output there is: pages, tables, shells, terminals, spreadsheets. The
// hostile trace names its threads, stages, operators, kernels, counters, devices and metadata with them.
[[nodiscard]] const std::vector<std::string>& hostile_names();

// Three workers serve requests that come every 200 ms; every 1.6 s all of them pause for 250 ms.
void make_service(TraceSink& sink, const SyntheticOptions& options);
// `count` slices of 1 us and 3 us by turns on 8 threads, 500 names: for size and speed.
void make_bulk(TraceSink& sink, std::int64_t count);

} // namespace prof::testing
