// request_set.hpp: the requests that shares are taken over, their slow band, and the arithmetic of shares.
#pragma once
#include "rules/diagnosis.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// What stands in the rows of a set: what the trace calls a unit of work; the model runs that operators lie in
// where no unit has them; threads where nothing marks work at all.
enum class UnitKind : std::uint8_t { unit, run, thread };

// Requests (or model runs) with a positive duration, by id. `slow` = positions of the slowest kSlowBand (at
// least one); `middle` = positions between the 40th and 60th percentile of duration.
struct RequestSet {
  UnitKind kind = UnitKind::unit;
  std::string unit = "request"; // or "run", "iteration", "thread"
  std::string word = "request"; // what the unit is to people: of steps that a reader hands over as requests
                                // "iteration"
  std::vector<std::int64_t> id, ts, dur;
  std::vector<std::size_t> slow, middle;
  // Of steps that several ranks of a job recorded: which step of the job a row is, as its number from 0; else
  // empty.
  std::vector<std::size_t> job_step;
  std::int64_t n_ranks = 0;
  std::vector<std::string> names{}; // of steps: their names without a number, the most frequent ones first
  [[nodiscard]] std::size_t size() const { return id.size(); }
};

// From a query of (id, ts, dur). Errors: those of the query.
[[nodiscard]] Result<RequestSet> load_request_set(Sql& sql, std::string_view query,
                                                  UnitKind kind = UnitKind::unit);
// Takes from unit.job_step which steps are one step of a job, and the names of the steps. Errors: those of
// the queries.
[[nodiscard]] Status read_job_steps(Sql& sql, RequestSet& set);
// Of steps of a job: one figure for each, that of its slowest rank, because the others wait for it.
[[nodiscard]] RequestStats stats_of(const RequestSet& set);

// Time of a cause per request, in the order of the set; from rows (id, ns), clipped to 0..dur, absent = 0.
[[nodiscard]] Result<std::vector<double>> load_times(Sql& sql, const RequestSet& set, std::string_view query);

// Sum of the times over sum of the durations with the 95 % interval of the ratio estimator (Cochran, Sampling
// Techniques, 1977, ch. 6: delta method); with fewer than five requests the interval is the point.
struct RatioEstimate {
  double value = 0, low = 0, high = 0;
};
[[nodiscard]] RatioEstimate ratio_over(const RequestSet& set, std::span<const double> times,
                                       std::span<const std::size_t> positions);
[[nodiscard]] RatioEstimate ratio_over_all(const RequestSet& set, std::span<const double> times);

// How much of (mean slow duration - mean middle duration) is the same difference of `times`; nullopt below 20
// requests or when the slow band is not slower.
[[nodiscard]] std::optional<double> tail_gap_explained(const RequestSet& set, std::span<const double> times);
// Spearman's rank correlation (mid-ranks for ties) of `times` with the durations; nullopt when either is
// constant.
[[nodiscard]] std::optional<double> latency_correlation(const RequestSet& set, std::span<const double> times);

// A cell as a number; nullopt for NULL and for text.
[[nodiscard]] std::optional<double> number_of(const SqlValue& value);
// First cell of the first row, as above.
[[nodiscard]] Result<std::optional<double>> one_number(Sql& sql, std::string_view query);

} // namespace prof
