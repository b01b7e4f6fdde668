// multiple.hpp: p values of several metrics at once. Order of the input is kept.
#pragma once
#include <span>
#include <vector>

namespace prof {

[[nodiscard]] std::vector<double> holm(std::span<const double> p); // family-wise (Holm 1979)
[[nodiscard]] std::vector<double>
benjamini_hochberg(std::span<const double> p); // false discovery rate (1995)

} // namespace prof
