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

// Views that several queries name are computed once. Keyed by their full SQL, so rules share them too.
class KeptViews {
public:
  explicit KeptViews(Sql& sql) : sql_(sql) {}
  // The name of a table with the rows of `query`; "(query)" when it cannot be kept, so that its user meets
  // the error.
  [[nodiscard]] std::string table_of(const std::string& query);

private:
  Sql& sql_;
  std::map<std::string, std::string> known_;
};

// What all rules of a diagnosis share.
struct RuleWorld {
  Sql& sql;
  KeptViews& kept;
  SignalBook& signals;
  Lang lang = Lang::en;
  Problem problem;
  RequestSet requests; // or runs where the trace has no requests, or threads where it has neither
  RequestSet devices;  // the window of each device that ran kernels, as its "request"
  RequestSet
      with_ops; // the requests (runs, threads) that have operators; the kind may differ from `requests`
  std::vector<double> queue_wait;  // per request of `requests`
  bool has_only_cut_units = false; // there are requests (runs, steps), and none finished within the recording
};

struct Evaluation {
  const Rule* rule = nullptr;
  Answer answer =
      Answer::clear; // `found` here = key passed and confidence enough; the material test comes later
  Cause cause;
  std::string looked_at, why;
  std::vector<MissingSignal> missing;
  double log_odds = 0, cap = 1;
  double mean_low = 0, slow_low = 0; // lower ends of the share's interval
};

// Confidence of these log-odds under `cap`, rounded to two digits: the form that is compared and shown.
[[nodiscard]] double confidence_of(double log_odds, double cap);

// `text` of SQL with the rule's views and params and the engine's views put in: one statement that anyone can
// run, as it is shown; with `kept`, views become tables that are computed once, as it is run.
[[nodiscard]] std::string expand_sql(const Rule& rule, std::string_view text, UnitKind kind,
                                     KeptViews* kept = nullptr);
// The same for queries of the engine itself.
[[nodiscard]] std::string expand_sql(std::string_view text, UnitKind kind, KeptViews* kept = nullptr);

[[nodiscard]] Evaluation evaluate(const Rule& rule, RuleWorld& world);

} // namespace prof
