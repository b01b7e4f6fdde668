#include "verdict/multiple.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace prof {
namespace {

std::vector<std::size_t> ascending(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  return order;
}

} // namespace

std::vector<double> holm(std::span<const double> p) {
  const auto order = ascending(p);
  std::vector<double> adjusted(p.size());
  double running = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    running = std::max(running, static_cast<double>(p.size() - k) * p[order[k]]);
    adjusted[order[k]] = std::min(1.0, running);
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  const auto order = ascending(p);
  std::vector<double> adjusted(p.size());
  double running = 1;
  for (std::size_t k = p.size(); k-- > 0;) {
    running = std::min(running, static_cast<double>(p.size()) / static_cast<double>(k + 1) * p[order[k]]);
    adjusted[order[k]] = running;
  }
  return adjusted;
}

} // namespace prof
