#include "rules/problem.hpp"

#include "base/lang.hpp"
#include "base/nearest.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace prof {

std::span<const Problem> all_problems() {
  static const std::array<Problem, 8> kAll{{
      {"high_p99_latency", "p99_latency", Band::slow, {{"requests", "units"}}},
      {"high_latency", "mean_latency", Band::all, {{"requests", "units", "kernels", "threads"}}},
      {"low_throughput", "throughput", Band::all, {{"requests", "units", "kernels", "threads"}}},
      {"low_device_util", "device_util", Band::all, {{"kernels"}}},
      {"high_power_consumption", "power", Band::all, {{"power"}}},
      {"high_memory", "rss", Band::all, {{"rss", "heap"}}},
      {"instability", "p99_latency", Band::slow, {{"requests", "units"}}},
      {"auto", "", Band::larger, {{"requests", "units", "kernels", "threads"}}},
  }};
  return kAll;
}

Result<Problem> find_problem(std::string_view id) {
  const Problem* near = nullptr;
  std::size_t best = std::max<std::size_t>(2, id.size() / 3) + 1;
  std::string names;
  for (const Problem& problem : all_problems()) {
    if (problem.id == id) return problem;
    names += (names.empty() ? "" : ", ") + std::string(problem.id);
    if (const std::size_t d = edit_distance(id, problem.id); d < best) best = d, near = &problem;
  }
  return error_said(Errc::bad_argument, near != nullptr ? "error.problem_near" : "error.problem", {},
                    fmt::arg("id", id), fmt::arg("near", near != nullptr ? near->id : ""),
                    fmt::arg("known", names));
}

} // namespace prof
