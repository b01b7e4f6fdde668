// trigger.hpp: "p99_latency>200ms for 10s and error_rate>1%": an expression over live metrics, and whether it
// holds now.
//
//   or-list   := and-list { "or" and-list }
//   and-list  := term { "and" term }                 "and" binds tighter than "or"; "||" and "&&" mean the
//   same term      := "(" or-list ")" | condition condition := METRIC OP VALUE[UNIT] [ "for" DURATION ] OP: >
//   >= < <=
//
// A condition without data does not hold. With "for" it holds once it has been true at every look for that
// long; one look at which it is false, or has no data, begins the count anew.
#pragma once
#include "base/lang.hpp"
#include "base/limit.hpp"
#include "base/result.hpp"
#include "capture/live_metrics.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

struct Condition {
  std::string text{}; // as written: "p99_latency>200ms for 10s"
  const LiveMetric* metric = nullptr;
  Limit limit{};
  Dur hold{}; // of "for"; 0 = at once
};

// What was seen of a condition's metric.
struct ConditionState {
  std::optional<double> value{};   // at the last look
  std::optional<double> extreme{}; // the highest so far, or the lowest where the limit is a lower one
  std::optional<Ts> true_since{};  // without a break
  bool is_met = false;             // true for as long as it has to be
};

// Not thread-safe.
class Trigger {
public:
  // Error bad_argument in `lang`: what is wrong, what is allowed and the nearest names.
  [[nodiscard]] static Result<Trigger> parse(std::string_view text, Lang lang);

  // Looks at the metrics at `now`, which never goes back: does the whole expression hold?
  bool look(Ts now, const std::function<std::optional<double>(const LiveMetric&)>& value_of);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::span<const Condition> conditions() const { return conditions_; }
  [[nodiscard]] std::span<const ConditionState> states() const { return states_; } // one each
  // A new recording: the last look is forgotten, the highest and lowest values stay.
  void begin_anew();

private:
  friend class TriggerParser;
  enum class Word : std::int16_t { and_ = -1, or_ = -2 }; // else the number of a condition
  std::string text_;
  std::vector<Condition> conditions_;
  std::vector<ConditionState> states_;
  std::vector<std::int16_t> program_; // in postfix order
};

} // namespace prof
