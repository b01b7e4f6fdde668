// pdf_plots.hpp: the plots of a validation. Each draws at the canvas' cursor and moves it below itself.
#pragma once
#include "report/pdf_canvas.hpp"
#include "verdict/validate.hpp"

namespace prof {

// Relative change of each tested metric with its interval; the equivalence margin is shaded.
void plot_forest(PdfCanvas& canvas, const Validation& validation, Lang lang);
// Empirical distributions of request latency, both sides, up to the larger p99.5.
void plot_ecdf(PdfCanvas& canvas, const Validation& validation, Lang lang);
// Values of the runs in time order (drift shows here), or of equal groups of requests with one run a side.
void plot_order(PdfCanvas& canvas, const Validation& validation, Lang lang);

} // namespace prof
