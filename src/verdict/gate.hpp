// gate.hpp: may this change go in? One answer per metric, for CI.
#pragma once
#include "verdict/validate.hpp"

namespace prof {

enum class GateState : std::uint8_t { pass, fail, inconclusive, unavailable, cannot_tell };
struct GateRow {
  const MetricVerdict* verdict = nullptr; // lives as long as the validation
  GateState state = GateState::unavailable;
  bool is_proven = false;        // pass: the interval's bad end stays within the limit
  double worsening = 0;          // relative change in the bad direction; negative = better
  std::optional<double> worst{}; // the bad end of its interval
  // cannot_tell: the checks of the validation that speak against it; none where one side lacks the metric.
  std::vector<const Check*> doubts = {};
};
struct Gate {
  double limit = 0; // 0.03
  std::vector<GateRow> rows;
  bool fails_inconclusive = false; // --inconclusive fail
  [[nodiscard]] bool is_failed() const;
  [[nodiscard]] bool has_no_answer() const; // no metric could be had: nothing was judged
  [[nodiscard]] bool is_passed() const;
};

// fail: significantly worse and by more than `limit`. pass: within the limit (is_proven) or no larger than it
// as far as the data shows. inconclusive: looks worse than the limit, but the data cannot tell it from
// chance, or too little data. cannot_tell: the sides are not comparable (other model, other settings, a file
// counted twice); or not seen to be worse, but a trace is cut, damaged or lost many records, requests fail
// more often, or one side lacks the metric, and a regression could hide there. A gate with one of these is
// failed. unavailable: neither side has the metric.
[[nodiscard]] Gate gate(const Validation& validation, double limit, bool fails_inconclusive = false);
// "3%", "0.03" -> 0.03. Error: bad_argument.
[[nodiscard]] Result<double> parse_share(std::string_view text);
// The same, up to 1: the spread of repeated runs.
[[nodiscard]] Result<double> parse_run_noise(std::string_view text);

} // namespace prof
