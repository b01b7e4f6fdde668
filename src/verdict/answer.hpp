// answer.hpp: what a validation comes to: keep the change, roll it back, or which data would decide.
#pragma once
#include "verdict/validate.hpp"

#include <map>
#include <string>
#include <string_view>

namespace prof {

// improved: a metric is significantly better and none significantly worse (beyond min_effect). worsened: one
// is. equal: every metric that could be judged is shown to lie within its margin, so more runs would not
// change it. not_resolved: none of these; or the sides are not comparable.
enum class AnswerKind : std::uint8_t { improved, worsened, equal, not_resolved };
[[nodiscard]] std::string_view answer_name(AnswerKind kind); // machine name

// What stands between a not_resolved validation and an answer.
enum class Missing : std::uint8_t {
  nothing,
  comparable_sides, // a check failed
  metrics,          // none could be had
  pairs,            // `more` pairs of runs of run_s
  longer_runs,      // of run_s: too few requests stand above the percentile
  smaller_change,   // there were runs enough for `sought`: the true change is probably smaller
  sense,            // the values scatter too much for any sensible number of runs
};
struct ValidationAnswer {
  AnswerKind kind = AnswerKind::not_resolved;
  bool is_indicative = false; // one run a side
  Missing missing = Missing::nothing;
  std::string metric{};     // the one nearest to an answer
  double sought = 0;        // the change of it that is looked for: the expected one, else its margin
  bool is_expected = false; // what `sought` is
  std::int64_t more = 0, run_s = 0;
};
[[nodiscard]] ValidationAnswer answer_of(const Validation& validation);

// "mean_latency=-6.2%,p99_latency=-0.08" -> metric id -> relative change. Error: bad_argument.
[[nodiscard]] Result<std::map<std::string, double>> parse_expected(std::string_view text);

} // namespace prof
