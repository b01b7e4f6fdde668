#include "verdict/gate.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace prof {
namespace {

bool has_holes(const Validation& validation) {
  return std::ranges::any_of(validation.checks, [](const Check& check) {
    return check.id == "lost_events" &&
           (check.state == CheckState::unknown || check.state == CheckState::fail);
  });
}

} // namespace

bool Gate::is_failed() const {
  // A gate that could judge nothing must not be green.
  return std::ranges::any_of(rows, [](const GateRow& row) { return row.state == GateState::fail; }) ||
         std::ranges::all_of(rows, [](const GateRow& row) {
           return row.state == GateState::unavailable || row.state == GateState::cannot_tell;
         });
}

Gate gate(const Validation& validation, double limit) {
  Gate out{.limit = limit, .rows = {}};
  const bool is_blind = has_holes(validation);
  for (const MetricVerdict& m : validation.metrics) {
    GateRow row{.verdict = &m};
    if (m.outcome == Outcome::unavailable) {
      out.rows.push_back(row);
      continue;
    }
    const double sign = m.metric.better == Better::high ? -1 : 1;
    // From zero to something is an unlimited worsening; it has no percentage.
    const double rise = m.difference.value_or(0) * sign;
    row.worsening = m.change ? *m.change * sign : rise > 0 ? INFINITY : 0;
    const double bad_end = m.change_ci ? std::max(m.change_ci->lo * sign, m.change_ci->hi * sign) : INFINITY;
    if (m.outcome == Outcome::worse && row.worsening > limit)
      row.state = GateState::fail;
    else if (bad_end < limit)
      row.state = GateState::pass, row.is_proven = true;
    else if (row.worsening <= limit && m.outcome != Outcome::too_little_data)
      row.state = GateState::pass;
    else
      row.state = GateState::inconclusive;
    if (is_blind && row.state != GateState::fail) row.state = GateState::cannot_tell, row.is_proven = false;
    out.rows.push_back(row);
  }
  return out;
}

Result<double> parse_share(std::string_view text) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (ec != std::errc{} || !std::isfinite(value) || value < 0 || (!unit.empty() && unit != "%"))
    return Error{
        Errc::bad_argument, "'" + std::string(text.substr(0, 40)) + "' is no share: write 3% or 0.03", {}};
  return unit == "%" ? value / 100 : value;
}

} // namespace prof
