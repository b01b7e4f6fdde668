// The sentences and cells of a validation.
#include "base/format_units.hpp"
#include "report/validation_view.hpp"

#include <array>
#include <cmath>
#include <fmt/args.h>

namespace prof {
namespace {

std::string plain_share(double share) {
  return fmt::format("{:.3g} %", share * 100);
}

std::string test_text(const MetricVerdict& m, Lang lang) {
  const std::string method(text(lang, fmt::format("verdict.method.{}", method_name(m.method))));
  if (m.method == Method::none) return method;
  const char* id = m.unit == Unit::run     ? "verdict.unit.run"
                   : m.unit == Unit::batch ? "verdict.unit.batch"
                                           : "verdict.unit.request";
  return say(lang, id, fmt::arg("method", method), fmt::arg("before", m.n_before),
             fmt::arg("after", m.n_after));
}

std::string method_text(const MetricVerdict& m, Lang lang) {
  const std::string test = test_text(m, lang);
  const bool is_estimate = m.metric.aggregate == Aggregate::percentile && m.before.has_value();
  return is_estimate ? say(lang, "verdict.unit.estimate", fmt::arg("test", test)) : test;
}

std::string value_text(const std::optional<double>& value, const std::string& unit) {
  return value ? format_value(*value, unit) : "-";
}

PageSection metric_table(const Validation& v, Lang lang) {
  PageSection section{
      .id = "table", .heading = std::string(text(lang, "verdict.section.table")), .paragraphs = {}};
  for (const char* id : {"metric", "before", "after", "change", "effect", "p", "verdict", "method"})
    section.table.header.emplace_back(text(lang, fmt::format("verdict.col.{}", id)));
  section.table.is_right = {false, true, true, true, true, true, false, false};
  for (const MetricVerdict& m : v.metrics) {
    const bool is_tested = m.method != Method::none;
    section.table.rows.push_back(
        {m.metric.id, value_text(m.before, m.metric.unit), value_text(m.after, m.metric.unit),
         m.before && m.after ? change_text(m) : "-", is_tested ? fmt::format("{:+.2f}", m.cliffs_delta) : "-",
         is_tested ? format_p(m.p_corrected) : "-", outcome_text(m, lang), method_text(m, lang)});
  }
  return section;
}

// How many runs or samples would answer; beyond a sensible number in words.
void add_needs(std::vector<std::string>& notes, const MetricVerdict& m, Lang lang) {
  if (!m.needed) return;
  const auto metric = fmt::arg("metric", m.metric.id);
  const auto needed = fmt::arg("needed", *m.needed);
  const auto most = fmt::arg("most", kMostSensibleRuns);
  const std::string share = plain_share(m.sought());
  const auto margin = fmt::arg("margin", share);
  const bool is_beyond = !m.needs_samples && *m.needed > kMostSensibleRuns;
  if (m.outcome == Outcome::too_little_data && m.needs_samples)
    notes.push_back(say(lang, "verdict.note.needed_samples", metric, needed,
                        fmt::arg("before", m.samples_before), fmt::arg("after", m.samples_after)));
  else if (m.outcome == Outcome::too_little_data)
    notes.push_back(say(lang, is_beyond ? "verdict.note.beyond_runs" : "verdict.note.needed_runs", metric,
                        needed, most, margin));
  if (m.outcome != Outcome::no_change || !m.detectable) return;
  constexpr double kHuge = 10; // no reader needs the digits of a change of 1000 %
  const std::string detectable =
      *m.detectable > kHuge ? std::string(text(lang, "verdict.detectable.huge")) : plain_share(*m.detectable);
  notes.push_back(say(lang, is_beyond ? "verdict.note.detectable_only" : "verdict.note.detectable", metric,
                      fmt::arg("detectable", detectable), needed, most, margin));
}

void add_estimator(std::vector<std::string>& notes, const MetricVerdict& m, Lang lang) {
  if (!m.plain_before || !m.plain_after) return;
  const bool is_mean = m.run_before.size() > 1 || m.run_after.size() > 1;
  notes.push_back(say(lang, "verdict.note.estimator", fmt::arg("metric", m.metric.id),
                      fmt::arg("before", format_value(*m.plain_before, m.metric.unit)),
                      fmt::arg("after", format_value(*m.plain_after, m.metric.unit)),
                      fmt::arg("mean", !is_mean         ? ""
                                       : m.is_geometric ? text(lang, "verdict.note.estimator_geometric")
                                                        : text(lang, "verdict.note.estimator_mean"))));
}

void add_note(std::vector<std::string>& notes, const MetricVerdict& m, Lang lang) {
  const auto metric = fmt::arg("metric", m.metric.id);
  if (m.outcome == Outcome::unavailable) {
    std::string reason(text(lang, m.reason));
    if (!m.detail.empty()) reason += " (" + m.detail + ")";
    const std::string mend = m.mend.empty() ? "" : "; " + std::string(text(lang, m.mend));
    notes.push_back(
        say(lang, "verdict.note.unavailable", metric, fmt::arg("reason", reason), fmt::arg("mend", mend)));
    return;
  }
  add_estimator(notes, m, lang);
  if (m.is_thin_tail) notes.push_back(say(lang, "verdict.note.thin_tail", metric));
  add_needs(notes, m, lang);
  if (m.is_within_run && m.within_ci && m.change)
    notes.push_back(
        say(lang, "verdict.note.within", metric,
            fmt::arg("change", fmt::format("{} [{}, {}]", format_change(*m.change),
                                           format_change(m.within_ci->lo), format_change(m.within_ci->hi)))));
}

PageSection check_table(const Validation& v, Lang lang) {
  PageSection section{
      .id = "checks", .heading = std::string(text(lang, "verdict.section.checks")), .paragraphs = {}};
  for (const char* id : {"check", "before", "after", "result", "meaning"})
    section.table.header.emplace_back(text(lang, fmt::format("verdict.col.{}", id)));
  section.table.is_right = {false, true, true, false, false};
  static constexpr const char* kStates[] = {"pass", "warn", "fail", "unknown"};
  for (const Check& c : v.checks) {
    const std::string id = "verdict.check." + c.id;
    section.table.rows.push_back(
        {std::string(text(lang, id)), c.has_numbers() ? format_value(c.before, c.unit) : c.before_text,
         c.has_numbers() ? format_value(c.after, c.unit) : c.after_text,
         std::string(text(lang, fmt::format("verdict.state.{}", kStates[static_cast<std::size_t>(c.state)]))),
         std::string(text(lang, id + ".why"))});
  }
  return section;
}

PageSection run_table(const Validation& v, Lang lang) {
  PageSection section{
      .id = "runs", .heading = std::string(text(lang, "verdict.section.runs")), .paragraphs = {}};
  for (const char* id : {"side", "trace", "requests", "length", "warm_up", "sha256"})
    section.table.header.emplace_back(text(lang, fmt::format("verdict.col.{}", id)));
  section.table.is_right = {false, false, true, true, true, false};
  for (const auto& [side, runs] :
       {std::pair{"verdict.col.before", &v.before}, std::pair{"verdict.col.after", &v.after}})
    for (const RunSummary& run : *runs)
      section.table.rows.push_back({std::string(text(lang, side)), run.path, std::to_string(run.requests),
                                    format_dur(Dur{run.window_ns}), std::to_string(run.warm_up),
                                    run.sha256.substr(0, 12)});
  return section;
}

std::string headline(const Validation& v, Lang lang) {
  std::string better, worse;
  bool is_judged = false;
  for (const MetricVerdict& m : v.metrics) {
    std::string* list = m.outcome == Outcome::better  ? &better
                        : m.outcome == Outcome::worse ? &worse
                                                      : nullptr;
    is_judged = is_judged || (m.outcome != Outcome::unavailable && m.outcome != Outcome::too_little_data);
    if (list == nullptr) continue;
    *list +=
        (list->empty() ? "" : ", ") + m.metric.id + (m.change ? " (" + format_change(*m.change) + ")" : "");
  }
  if (!better.empty() && !worse.empty())
    return say(lang, "verdict.headline.both", fmt::arg("better", better), fmt::arg("worse", worse));
  if (!better.empty()) return say(lang, "verdict.headline.improved", fmt::arg("names", better));
  if (!worse.empty()) return say(lang, "verdict.headline.regressed", fmt::arg("names", worse));
  return std::string(text(lang, is_judged ? "verdict.headline.nothing" : "verdict.headline.no_answer"));
}

// What is open, and what would close it.
std::string missing_text(const ValidationAnswer& answer, Lang lang) {
  static constexpr std::array<std::string_view, 7> kIds{
      "", "comparable_sides", "metrics", "pairs", "longer_runs", "smaller_change", "sense"};
  const std::string id(kIds[static_cast<std::size_t>(answer.missing)]);
  const std::string_view sought =
      text(lang, answer.is_expected ? "verdict.sought.expected" : "verdict.sought.margin");
  return say(lang, "verdict.missing." + id, fmt::arg("metric", answer.metric),
             fmt::arg("share", plain_share(answer.sought)), fmt::arg("sought", sought),
             fmt::arg("n", answer.more), fmt::arg("length", answer.run_s));
}

std::vector<std::string> lead_of(const Validation& v, Lang lang) {
  std::vector<std::string> lead{headline(v, lang), answer_text(answer_of(v), lang)};
  if (std::string failed = failed_checks_text(v, lang); !failed.empty()) lead.push_back(std::move(failed));
  if (v.is_within_run)
    lead.push_back(say(lang, "verdict.within_run", fmt::arg("noise", plain_share(v.options.run_noise))));
  else
    lead.push_back(
        say(lang, "verdict.runs", fmt::arg("before", v.before.size()), fmt::arg("after", v.after.size())));
  const std::string asked(test_kind_name(v.options.test));
  lead.push_back(say(lang, "verdict.asked", fmt::arg("test", asked), fmt::arg("n", v.metrics.size()),
                     fmt::arg("alpha", v.options.alpha)));
  std::string replaced;
  for (const MetricVerdict& m : v.metrics)
    if (m.is_method_replaced && m.outcome != Outcome::unavailable)
      replaced += (replaced.empty() ? "" : ", ") + m.metric.id;
  if (!replaced.empty())
    lead.push_back(say(lang, "verdict.replaced", fmt::arg("test", asked), fmt::arg("names", replaced)));
  return lead;
}

} // namespace

std::string format_change(double change) {
  const double percent = change * 100;
  if (!std::isfinite(percent)) return "-";
  if (std::fabs(percent) >= 99.95) return fmt::format("{:+.0f} %", percent);
  return fmt::format("{:+.{}f} %", percent, std::fabs(percent) >= 9.995 ? 1 : 2);
}

std::string format_p(double p) {
  return p < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", p);
}

std::string change_text(const MetricVerdict& m) {
  if (!m.change) {
    const double difference = m.difference.value_or(0);
    return (difference > 0 ? "+" : "") + format_value(difference, m.metric.unit);
  }
  std::string out = format_change(*m.change);
  if (m.change_ci)
    out += fmt::format(" [{}, {}]", format_change(m.change_ci->lo), format_change(m.change_ci->hi));
  return out;
}

std::string check_text(const Check& check, Lang lang) {
  const std::string id = "verdict.check." + check.id;
  const auto value = [&](double number, const std::string& words) {
    return check.has_numbers() ? format_value(number, check.unit) : words.empty() ? "-" : words;
  };
  return say(lang, "gate.check", fmt::arg("check", text(lang, id)),
             fmt::arg("before", value(check.before, check.before_text)),
             fmt::arg("after", value(check.after, check.after_text)),
             fmt::arg("why", text(lang, id + ".why")));
}

std::string failed_checks_text(const Validation& v, Lang lang) {
  std::string failed;
  for (const Check& check : v.checks)
    if (check.state == CheckState::fail) failed += (failed.empty() ? "" : "; ") + check_text(check, lang);
  return failed.empty() ? failed : say(lang, "verdict.invalid", fmt::arg("checks", failed));
}

std::string answer_text(const ValidationAnswer& answer, Lang lang) {
  const std::string id = fmt::format("verdict.answer.{}", answer_name(answer.kind));
  if (answer.kind == AnswerKind::not_resolved)
    return say(lang, id, fmt::arg("missing", missing_text(answer, lang)));
  std::string out(text(lang, id));
  if (answer.is_indicative && answer.kind != AnswerKind::equal)
    out += " " + std::string(text(lang, "verdict.answer.indicative"));
  return out;
}

std::string outcome_text(const MetricVerdict& m, Lang lang) {
  std::string out(text(lang, fmt::format("verdict.outcome.{}", outcome_name(m.outcome))));
  if (m.outcome == Outcome::no_change && m.is_equivalent)
    out = say(lang, "verdict.outcome.equivalent", fmt::arg("margin", plain_share(m.margin)));
  if (m.is_small) out = say(lang, "verdict.outcome.small", fmt::arg("outcome", out));
  const bool is_claim =
      m.outcome == Outcome::better || m.outcome == Outcome::worse || m.outcome == Outcome::changed;
  if (is_claim && m.is_within_run) out = say(lang, "verdict.outcome.indicative", fmt::arg("outcome", out));
  return out;
}

PageModel validation_page(const Validation& v, Lang lang) {
  PageModel page{.title = std::string(text(lang, "verdict.title")), .lead = lead_of(v, lang), .sections = {}};
  page.sections.push_back(metric_table(v, lang));
  PageSection notes{
      .id = "notes", .heading = std::string(text(lang, "verdict.section.notes")), .paragraphs = {}};
  for (const MetricVerdict& m : v.metrics)
    add_note(notes.paragraphs, m, lang);
  if (!notes.paragraphs.empty()) page.sections.push_back(std::move(notes));
  page.sections.push_back(check_table(v, lang));
  page.sections.push_back(run_table(v, lang));
  page.sections.push_back({.id = "methods",
                           .heading = std::string(text(lang, "verdict.section.methods")),
                           .paragraphs = {say(lang, "verdict.methods.text", fmt::arg("seed", v.options.seed),
                                              fmt::arg("draws", v.options.draws))}});
  return page;
}

} // namespace prof
