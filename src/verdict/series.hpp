// series.hpp: what neighbouring values of one run have in common: correlation, effective size, warm-up.
#pragma once
#include "verdict/descriptive.hpp"

namespace prof {

// Autocorrelation at `lag`; 0 for constant or too short series.
[[nodiscard]] double autocorrelation(std::span<const double> series, std::size_t lag);
// n (1-r)/(1+r) with r the lag-1 autocorrelation, between 1 and n.
[[nodiscard]] double effective_size(std::span<const double> series);
// Block length for the circular block bootstrap: ceil((2r/(1-r^2))^(2/3) n^(1/3)), at least 1 (Carlstein
// 1986, AR(1)).
[[nodiscard]] std::size_t bootstrap_block(std::span<const double> series);
// Means of `batches` consecutive equal pieces (a remainder at the front is left out).
[[nodiscard]] std::vector<double> batch_means(std::span<const double> series, std::size_t batches);

// How many leading values are warm-up: MSER-5 (White 1997: the cut d <= n/2 that minimises var(x[d:])/(n-d)
// over means of 5), accepted only when the head really differs from the rest (Mann-Whitney on the means of 5,
// p < 0.001), because MSER alone also cuts at chance outliers and would favour one side.
[[nodiscard]] std::size_t warm_up_length(std::span<const double> series);
// MSER-5 alone.
[[nodiscard]] std::size_t mser5_cut(std::span<const double> series);

} // namespace prof
