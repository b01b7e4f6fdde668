#include "verdict/gate.hpp"

#include "base/lang.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace prof {
namespace {

// Hides a regression and makes none: what is seen to be worse is worse all the same.
bool hides_only(const Check& check) {
  // Of requests that were cut only those of the after side: of the before side they make it look quicker.
  const bool is_cut_after = check.id == "unfinished" && check.after >= check.before;
  return check.id == "lost_events" || check.id == "error_rate" || is_cut_after;
}

// The checks that forbid to believe that this metric did not get worse.
std::vector<const Check*> doubts_about(const MetricVerdict& metric, const Validation& validation) {
  std::vector<const Check*> out;
  for (const Check& check : validation.checks) {
    const bool is_open = check.state == CheckState::unknown && check.id == "lost_events";
    // The share of errors is its own measure.
    const bool is_own = check.id == "error_rate" && metric.metric.id == "error_rate";
    if ((check.state == CheckState::fail || is_open) && !is_own) out.push_back(&check);
  }
  return out;
}

GateRow judge(const MetricVerdict& m, double limit) {
  GateRow row{.verdict = &m};
  if (m.outcome == Outcome::unavailable) {
    if (m.has_before != m.has_after) row.state = GateState::cannot_tell;
    return row;
  }
  const double sign = m.metric.better == Better::high ? -1 : 1;
  // From zero to something is an unlimited worsening; it has no percentage.
  const double rise = m.difference.value_or(0) * sign;
  row.worsening = m.change ? *m.change * sign : rise > 0 ? INFINITY : 0;
  if (m.change_ci) row.worst = std::max(m.change_ci->lo * sign, m.change_ci->hi * sign);
  if (m.outcome == Outcome::worse && row.worsening > limit)
    row.state = GateState::fail;
  else if (row.worst && *row.worst < limit)
    row.state = GateState::pass, row.is_proven = true;
  else if (row.worsening <= limit && m.outcome != Outcome::too_little_data)
    row.state = GateState::pass;
  else
    row.state = GateState::inconclusive;
  return row;
}

} // namespace

bool Gate::is_failed() const {
  const auto is = [](GateState state) { return [state](const GateRow& row) { return row.state == state; }; };
  return std::ranges::any_of(rows, is(GateState::fail)) ||
         std::ranges::any_of(rows, is(GateState::cannot_tell));
}

bool Gate::has_no_answer() const {
  return std::ranges::all_of(rows, [](const GateRow& row) { return row.state == GateState::unavailable; });
}

bool Gate::is_passed() const {
  const bool is_open =
      std::ranges::any_of(rows, [](const GateRow& row) { return row.state == GateState::inconclusive; });
  return !is_failed() && !has_no_answer() && !(fails_inconclusive && is_open);
}

Gate gate(const Validation& validation, double limit, bool fails_inconclusive) {
  Gate out{.limit = limit, .rows = {}, .fails_inconclusive = fails_inconclusive};
  for (const MetricVerdict& m : validation.metrics) {
    GateRow row = judge(m, limit);
    auto doubts = doubts_about(m, validation);
    const bool is_worse_anyhow = row.state == GateState::fail &&
                                 std::ranges::all_of(doubts, [](const Check* c) { return hides_only(*c); });
    if (m.outcome != Outcome::unavailable && !doubts.empty() && !is_worse_anyhow) {
      row.state = GateState::cannot_tell, row.is_proven = false;
      row.doubts = std::move(doubts);
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

Result<double> parse_share(std::string_view text) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (ec != std::errc{} || !std::isfinite(value) || value < 0 || (!unit.empty() && unit != "%"))
    return error_said(Errc::bad_argument, "verdict.bad_share", {}, fmt::arg("text", text.substr(0, 40)));
  return unit == "%" ? value / 100 : value;
}

Result<double> parse_run_noise(std::string_view text) {
  constexpr double kMost = 1; // runs that differ by more than themselves tell nothing of anything
  const auto share = parse_share(text);
  if (share && *share <= kMost) return share;
  return error_said(Errc::bad_argument, "verdict.bad_noise", {}, fmt::arg("text", text.substr(0, 40)));
}

} // namespace prof
