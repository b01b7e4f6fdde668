#include "verdict/answer.hpp"

#include "base/lang.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace prof {
namespace {

bool is_judged(const MetricVerdict& m) {
  return m.outcome != Outcome::unavailable;
}

// Nothing more can be found in this metric.
bool is_settled(const MetricVerdict& m) {
  return m.is_equivalent || (m.is_small && (m.outcome == Outcome::better || m.outcome == Outcome::worse)) ||
         m.outcome == Outcome::changed;
}

// The typical length of the runs, in whole seconds.
std::int64_t run_seconds(const Validation& v) {
  std::vector<std::int64_t> lengths;
  for (const auto* side : {&v.before, &v.after})
    for (const RunSummary& run : *side)
      lengths.push_back(run.window_ns);
  std::ranges::sort(lengths);
  const std::int64_t middle = lengths.empty() ? 0 : lengths[lengths.size() / 2];
  return std::max<std::int64_t>(1, (middle + 500'000'000) / 1'000'000'000);
}

// Of the metrics that are open, the one that needs least; those with an expected change first.
const MetricVerdict* nearest_open(const Validation& v) {
  const MetricVerdict* best = nullptr;
  const auto cost = [](const MetricVerdict& m) {
    return std::tuple(!m.expected.has_value(), m.needs_samples, m.needed.value_or(kMostSensibleRuns + 1));
  };
  for (const MetricVerdict& m : v.metrics)
    if (is_judged(m) && !is_settled(m) && (best == nullptr || cost(m) < cost(*best))) best = &m;
  return best;
}

void say_missing(ValidationAnswer& out, const Validation& v) {
  const MetricVerdict* open = nearest_open(v);
  if (open == nullptr) {
    out.missing = Missing::metrics;
    return;
  }
  out.metric = open->metric.id;
  out.is_expected = open->expected.has_value();
  out.sought = open->sought();
  out.run_s = run_seconds(v);
  if (open->needs_samples) {
    const std::int64_t had = std::max<std::int64_t>(1, std::min(open->samples_before, open->samples_after));
    const double factor = static_cast<double>(open->needed.value_or(had)) / static_cast<double>(had);
    out.run_s = static_cast<std::int64_t>(std::ceil(static_cast<double>(out.run_s) * std::max(1.0, factor)));
    out.missing = Missing::longer_runs;
    return;
  }
  const auto had = static_cast<std::int64_t>(std::min(v.before.size(), v.after.size()));
  out.more = open->needed.value_or(0) - had;
  out.missing = !open->needed || *open->needed > kMostSensibleRuns ? Missing::sense
                : out.more > 0                                     ? Missing::pairs
                                                                   : Missing::smaller_change;
}

std::optional<double> change_from(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (ec != std::errc{} || (!unit.empty() && unit != "%")) return std::nullopt;
  if (unit == "%") value /= 100;
  if (!std::isfinite(value) || value <= -1 || value == 0) return std::nullopt;
  return value;
}

} // namespace

std::string_view answer_name(AnswerKind kind) {
  switch (kind) {
  case AnswerKind::improved:
    return "improved";
  case AnswerKind::worsened:
    return "worsened";
  case AnswerKind::equal:
    return "equal";
  case AnswerKind::not_resolved:
    return "not_resolved";
  }
  return {};
}

ValidationAnswer answer_of(const Validation& v) {
  ValidationAnswer out{.is_indicative = v.is_within_run};
  if (v.has_failed_check()) {
    out.missing = Missing::comparable_sides;
    return out;
  }
  const auto has = [&](const auto& is) { return std::ranges::any_of(v.metrics, is); };
  if (v.has_regression())
    out.kind = AnswerKind::worsened;
  else if (has([](const MetricVerdict& m) { return m.outcome == Outcome::better; }))
    out.kind = AnswerKind::improved;
  else if (has(is_judged) && !has([](const MetricVerdict& m) { return is_judged(m) && !is_settled(m); }))
    out.kind = AnswerKind::equal;
  else
    say_missing(out, v);
  return out;
}

Result<std::map<std::string, double>> parse_expected(std::string_view list) {
  std::map<std::string, double> out;
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(part.size() + 1, list.size()));
    const std::size_t equals = part.find('=');
    const auto change =
        equals == std::string_view::npos || equals == 0 ? std::nullopt : change_from(part.substr(equals + 1));
    if (!change)
      return error_said(Errc::bad_argument, "verdict.bad_expected", {}, fmt::arg("text", part.substr(0, 60)));
    out[std::string(part.substr(0, equals))] = *change;
  }
  return out;
}

} // namespace prof
