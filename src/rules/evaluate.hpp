// evaluate.hpp: one rule over one trace. Ranking and the queue's amplification come after, in diagnose.cpp.
#pragma once
#include "rules/diagnosis.hpp"
#include "rules/request_set.hpp"
#include "rules/signals.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace prof {

enum class Answer : std::uint8_t { found, clear, not_applicable, cannot_tell };

// What all rules of a diagnosis share.
struct RuleWorld {
  Sql& sql;
  SignalBook& signals;
  Lang lang = Lang::en;
  Problem problem;
  RequestSet requests;            // or runs where the trace has no requests
  RequestSet with_ops;            // the requests (or runs) that have operators; is_runs may differ from `requests`
  std::vector<double> queue_wait; // per request of `requests`
};

struct Evaluation {
  const Rule* rule = nullptr;
  Answer answer = Answer::clear; // `found` here = key passed and confidence enough; the material test comes later
  Cause cause;
  std::string looked_at, why;
  std::vector<MissingSignal> missing;
  double log_odds = 0, cap = 1;
  double mean_low = 0, slow_low = 0; // lower ends of the share's interval
};

// Confidence of these log-odds under `cap`, rounded to two digits: the form that is compared and shown.
[[nodiscard]] double confidence_of(double log_odds, double cap);

// `text` of SQL with the rule's views and params and the engine's {unit} and {unit_op} put in, as it is run and shown.
[[nodiscard]] std::string expand_sql(const Rule& rule, std::string_view text, bool is_runs);
// The same for queries of the engine itself.
[[nodiscard]] std::string unit_view(bool is_runs);
[[nodiscard]] std::string unit_op_view(bool is_runs);

[[nodiscard]] Evaluation evaluate(const Rule& rule, RuleWorld& world);

} // namespace prof
