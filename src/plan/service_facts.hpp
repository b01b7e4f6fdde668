// service_facts.hpp: what a trace says about the process that served: how it was started, which cores there
// are, and who else used them. The commands of a plan are filled with it.
#pragma once
#include "store/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prof::detail {

struct ServiceFacts {
  std::vector<std::string> command;   // words of its command line, split at blanks: the trace keeps one text
  std::string program;                // the name that pidof finds it by; empty = not known
  std::vector<std::int64_t> cpus;     // of the machine, ascending; empty = not known
  std::int64_t computing_threads = 0; // own threads that ran for more than 5 % of the trace
  std::string config_option; // that the service says it reads a YAML file of its options from ("--config")
  // The ONNX Runtime library that was mapped; empty = none was seen, or several.
  std::string engine;
  std::vector<std::string> other_programs; // that ran on those cores, longest first, at most three
};
// Of the processes whose threads worked on stages of requests; else of the process named `target`.
[[nodiscard]] ServiceFacts service_facts(const Store& store, std::string_view target);

// Cores for the service (one for each computing thread) and for everything else (at least one; core 0, which
// takes most interrupts, is theirs). nullopt below three cores: then one side would have nothing to gain.
struct CpuSplit {
  std::vector<std::int64_t> service, others;
};
inline constexpr std::size_t kFewestCpusToSplit = 3;
[[nodiscard]] std::optional<CpuSplit> split_cpus(const ServiceFacts& facts);

// "0-2,5", as taskset -c reads it.
[[nodiscard]] std::string cpu_list(const std::vector<std::int64_t>& cpus);

} // namespace prof::detail
