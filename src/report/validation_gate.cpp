// A gate for people (table) and for CI (JUnit).
#include "base/format_units.hpp"
#include "base/safe_text.hpp"
#include "report/validation_view.hpp"

#include <algorithm>
#include <cmath>

namespace prof {
namespace {

std::string_view state_id(GateState state) {
  switch (state) {
  case GateState::pass:
    return "pass";
  case GateState::fail:
    return "fail";
  case GateState::inconclusive:
    return "inconclusive";
  case GateState::unavailable:
    return "unavailable";
  case GateState::cannot_tell:
    return "cannot_tell";
  }
  return {};
}

// XML 1.0 text: escaped, and without the control characters that XML forbids.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : one_line(text, 4000)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&apos;";
    else
      out += c;
  }
  return out;
}

std::string limit_text(double limit) {
  return fmt::format("{:.3g} %", limit * 100);
}

// "3.4 % worse": the sign is said in words.
std::string worsening_words(const GateRow& row, Lang lang) {
  if (!std::isfinite(row.worsening)) return change_text(*row.verdict);
  std::string share = format_change(std::fabs(row.worsening));
  if (share.starts_with('+')) share.erase(0, 1);
  return say(lang, row.worsening < 0 ? "gate.better" : "gate.worse", fmt::arg("share", share));
}

std::string inconclusive_words(const GateRow& row, Lang lang) {
  const MetricVerdict& m = *row.verdict;
  const std::int64_t needed = m.needed.value_or(4);
  if (m.outcome == Outcome::too_little_data && (m.needs_samples || m.method == Method::none))
    return say(lang, "gate.too_little", fmt::arg("metric", m.metric.id), fmt::arg("needed", needed),
               fmt::arg("unit", text(lang, m.needs_samples ? "gate.unit.samples" : "gate.unit.runs")));
  const bool is_beyond = !m.needs_samples && needed > kMostSensibleRuns;
  return say(lang, is_beyond ? "gate.beyond" : "gate.inconclusive", fmt::arg("metric", m.metric.id),
             fmt::arg("change", worsening_words(row, lang)), fmt::arg("needed", needed));
}

bool is_for_holes_only(const GateRow& row) {
  return std::ranges::all_of(row.doubts, [](const Check* check) { return check->id == "lost_events"; });
}

std::string cannot_tell_words(const GateRow& row, Lang lang) {
  const MetricVerdict& m = *row.verdict;
  const auto metric = fmt::arg("metric", m.metric.id);
  if (row.doubts.empty())
    return say(lang, m.has_before ? "gate.only_before" : "gate.only_after", metric,
               fmt::arg("reason", text(lang, m.reason)),
               fmt::arg("mend", m.mend.empty() ? "" : "; " + std::string(text(lang, m.mend))));
  const std::string change = worsening_words(row, lang);
  if (is_for_holes_only(row)) return say(lang, "gate.cannot_tell", metric, fmt::arg("change", change));
  std::string checks;
  for (const Check* check : row.doubts)
    checks += (checks.empty() ? "" : "; ") + check_text(*check, lang);
  return say(lang, "gate.not_comparable", metric, fmt::arg("change", change), fmt::arg("checks", checks));
}

// The change that was seen lies within the limit; its interval does not.
std::string unproven_words(const GateRow& row, Lang lang) {
  const auto metric = fmt::arg("metric", row.verdict->metric.id);
  const std::string change = worsening_words(row, lang);
  if (!row.worst) return say(lang, "gate.no_interval", metric, fmt::arg("change", change));
  return say(lang, "gate.not_proven", metric, fmt::arg("change", change),
             fmt::arg("worst", format_change(*row.worst)));
}

std::string_view error_type(const GateRow& row) {
  if (row.doubts.empty()) return "metric_on_one_side";
  return is_for_holes_only(row) ? "incomplete_trace" : "not_comparable";
}

std::string message_of(const Gate& gate, const GateRow& row, Lang lang) {
  const MetricVerdict& m = *row.verdict;
  const auto metric = fmt::arg("metric", m.metric.id);
  switch (row.state) {
  case GateState::fail:
    return say(lang, "gate.failed", metric, fmt::arg("change", worsening_words(row, lang)),
               fmt::arg("limit", limit_text(gate.limit)));
  case GateState::inconclusive:
    return inconclusive_words(row, lang);
  case GateState::unavailable:
    return say(lang, "verdict.note.unavailable", metric, fmt::arg("reason", text(lang, m.reason)),
               fmt::arg("mend", m.mend.empty() ? "" : "; " + std::string(text(lang, m.mend))));
  case GateState::cannot_tell:
    return cannot_tell_words(row, lang);
  case GateState::pass:
    return row.is_proven ? std::string{} : unproven_words(row, lang);
  }
  return {};
}

// The last line: may it go in?
std::string answer_words(const Gate& gate, Lang lang) {
  const auto of = std::ranges::count_if(
      gate.rows, [](const GateRow& row) { return row.state != GateState::unavailable; });
  const auto passed = std::ranges::count(gate.rows, GateState::pass, &GateRow::state);
  const auto proven = std::ranges::count_if(gate.rows, [](const GateRow& row) { return row.is_proven; });
  return say(lang, gate.is_passed() ? "gate.answer.passed" : "gate.answer.not_passed", fmt::arg("of", of),
             fmt::arg("passed", passed), fmt::arg("proven", proven));
}

// Nothing was judged: which metrics are missing, and why each is.
std::string no_answer_words(const Gate& gate, Lang lang) {
  std::string missing;
  for (const GateRow& row : gate.rows) {
    const MetricVerdict& m = *row.verdict;
    const std::string_view reason = text(lang, m.reason);
    missing += fmt::format("{}{} ({}{}{})", missing.empty() ? "" : "; ", m.metric.id, reason,
                           m.detail.empty() ? "" : ": ", one_line(m.detail, 200));
  }
  return say(lang, "gate.no_answer", fmt::arg("missing", missing));
}

std::string p_text(const MetricVerdict& m) {
  return m.method == Method::none ? "-" : format_p(m.p_corrected);
}

std::size_t count_of(const Gate& gate, GateState state) {
  return static_cast<std::size_t>(std::ranges::count(gate.rows, state, &GateRow::state));
}

} // namespace

PageModel gate_page(const Gate& gate, Lang lang) {
  PageModel page{.title = say(lang, "gate.title", fmt::arg("limit", limit_text(gate.limit))),
                 .lead = {},
                 .sections = {}};
  PageSection section{
      .id = "gate", .heading = std::string(text(lang, "verdict.section.table")), .paragraphs = {}};
  for (const char* id : {"metric", "before", "after", "change", "p", "result", "verdict"})
    section.table.header.emplace_back(text(lang, fmt::format("verdict.col.{}", id)));
  section.table.is_right = {false, true, true, true, true, false, false};
  for (const GateRow& row : gate.rows) {
    const MetricVerdict& m = *row.verdict;
    const bool has_values = m.before && m.after;
    section.table.rows.push_back({m.metric.id, has_values ? format_value(*m.before, m.metric.unit) : "-",
                                  has_values ? format_value(*m.after, m.metric.unit) : "-",
                                  has_values ? change_text(m) : "-", p_text(m),
                                  std::string(text(lang, fmt::format("gate.state.{}", state_id(row.state)))),
                                  outcome_text(m, lang)});
    if (auto message = message_of(gate, row, lang); !message.empty())
      section.paragraphs.push_back(std::move(message));
  }
  if (gate.has_no_answer())
    section.paragraphs.push_back(no_answer_words(gate, lang));
  else if (count_of(gate, GateState::fail) == 0 && gate.is_failed())
    section.paragraphs.emplace_back(text(lang, "gate.blind"));
  else
    section.paragraphs.push_back(answer_words(gate, lang));
  page.sections.push_back(std::move(section));
  return page;
}

std::string gate_junit(const Gate& gate, Lang lang) {
  const std::size_t failed = count_of(gate, GateState::fail);
  const std::size_t untold = count_of(gate, GateState::cannot_tell);
  const std::size_t skipped =
      count_of(gate, GateState::inconclusive) + count_of(gate, GateState::unavailable);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out +=
      fmt::format("<testsuites tests=\"{0}\" failures=\"{1}\" skipped=\"{2}\">\n  <testsuite "
                  "name=\"profiler gate\" tests=\"{0}\" failures=\"{1}\" errors=\"{3}\" skipped=\"{2}\">\n",
                  gate.rows.size(), failed, skipped, untold);
  for (const GateRow& row : gate.rows) {
    const MetricVerdict& m = *row.verdict;
    out += fmt::format("    <testcase classname=\"profiler.gate\" name=\"{}\">\n", xml(m.metric.id));
    const std::string message = xml(message_of(gate, row, lang));
    if (row.state == GateState::fail)
      out += fmt::format("      <failure type=\"regression\" message=\"{}\"/>\n", message);
    else if (row.state == GateState::cannot_tell)
      out += fmt::format("      <error type=\"{}\" message=\"{}\"/>\n", error_type(row), message);
    else if (row.state != GateState::pass)
      out += fmt::format("      <skipped message=\"{}\"/>\n", message);
    if (m.before && m.after)
      out += fmt::format(
          "      <system-out>{}</system-out>\n",
          xml(fmt::format("before {} after {} change {} p {} {}", format_value(*m.before, m.metric.unit),
                          format_value(*m.after, m.metric.unit), change_text(m), p_text(m),
                          outcome_text(m, lang))));
    out += "    </testcase>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

Doc gate_doc(const Gate& gate, const Validation& validation) {
  Doc rows = Doc::list();
  for (const GateRow& row : gate.rows) {
    Doc doubts = Doc::list();
    for (const Check* check : row.doubts)
      doubts.add(check->id);
    rows.add(Doc::map()
                 .set("id", row.verdict->metric.id)
                 .set("state", state_id(row.state))
                 .set("proven", row.is_proven)
                 .set("worsening", row.worsening)
                 .set("doubts", std::move(doubts)));
  }
  return validation_doc(validation)
      .set("gate", Doc::map()
                       .set("limit", gate.limit)
                       .set("passed", gate.is_passed())
                       .set("metrics", std::move(rows)));
}

} // namespace prof
