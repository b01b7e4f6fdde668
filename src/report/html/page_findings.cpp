#include "report/html/page_findings.hpp"

#include "report/html/finding_words.hpp"
#include "report/html/page_bytes.hpp"
#include "store/request_time.hpp"
#include "trace/conventions.hpp"

#include <algorithm>

namespace prof {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxTextBytes = 4096;
constexpr std::size_t kMaxSqlBytes = 65'536; // a query is shown to be run: cut, it would be of no use

json text_json(const std::string& text) {
  return shortened(text, kMaxTextBytes);
}

json example_json(const DiagnosedExample& example, const Store& store, const PageRows& rows) {
  const SliceTable& slice = store.tables().slice;
  const auto id = static_cast<std::size_t>(example.slice_id);
  const bool is_here = example.slice_id >= 0 && id < slice.ts.size() && slice.ts[id] == example.ts_ns &&
                       slice.dur[id] == example.dur_ns && rows.row_of_slice[id] != kNoRow;
  return {example.slice_id, is_here ? json(rows.row_of_slice[id]) : json(-1),
          is_here ? json(example.ts_ns - store.start().ns) : json(0), example.dur_ns,
          text_json(example.name)};
}

json examples_json(const std::vector<DiagnosedExample>& all, const Store& store, const PageRows& rows) {
  json out = json::array();
  for (const DiagnosedExample& example : all)
    out.push_back(example_json(example, store, rows));
  return out;
}

// null where only the report's own words are known.
json both_json(const std::optional<BothTexts>& texts) {
  return texts ? json{{"en", text_json(texts->en)}, {"zh", text_json(texts->zh)}} : json(nullptr);
}

json evidence_json(const DiagnosedCause& cause, const std::vector<DiagnosedEvidence>& all,
                   const FindingWords& words, const Store& store, const PageRows& rows) {
  json out = json::array();
  for (const DiagnosedEvidence& e : all)
    out.push_back({{"text", text_json(e.text)},
                   {"texts", both_json(words.evidence(cause, e))},
                   {"value", e.value ? json(*e.value) : json(nullptr)},
                   {"unit", text_json(e.unit)},
                   {"sql", shortened(e.sql, kMaxSqlBytes)},
                   {"examples", examples_json(e.examples, store, rows)}});
  return out;
}

} // namespace

// What the shares of a cause are shares of, in both languages. The report says "request" of whatever stands
// for one; the trace knows what that is to people.
json share_of_json(const DiagnosedCause& cause, const Store& store) {
  std::string unit = cause.share_unit;
  if (unit.empty() || unit == words::kRequest) unit = unit_word(store, words::kRequest);
  const std::string id = "diagnose.unit_time." + unit;
  const bool is_known = std::ranges::any_of(all_texts(), [&](const TextRow& row) { return row.id == id; });
  const std::string_view known = is_known ? std::string_view(id) : "diagnose.unit_time.value";
  return {{"en", text(Lang::en, known)}, {"zh", text(Lang::zh, known)}};
}

json findings_json(const DiagnosisFile& diagnosis, const Store& store, const PageRows& rows,
                   const std::vector<Rule>& rules) {
  const FindingWords words(rules);
  json causes = json::array();
  for (const DiagnosedCause& cause : diagnosis.causes) {
    json actions = json::array();
    for (const std::string& action : cause.actions)
      actions.push_back(text_json(action));
    causes.push_back({{"id", text_json(cause.id)},
                      {"title", text_json(cause.title)},
                      {"titles", both_json(words.title(cause))},
                      {"summary", text_json(cause.summary)},
                      {"summaries", both_json(words.summary(cause))},
                      {"confidence", cause.confidence},
                      {"mean", cause.share_mean},
                      {"slow", cause.share_slow},
                      {"of", share_of_json(cause, store)},
                      {"is_whole", cause.share_unit == "device" || cause.share_unit == "thread"},
                      {"actions", std::move(actions)},
                      {"evidence", evidence_json(cause, cause.evidence, words, store, rows)},
                      {"against", evidence_json(cause, cause.against, words, store, rows)},
                      {"examples", examples_json(cause.examples, store, rows)}});
  }
  const bool is_same = diagnosis.trace_start_ns == store.start().ns &&
                       diagnosis.trace_duration_ns == store.end().ns - store.start().ns;
  return {{"problem", text_json(diagnosis.problem)},
          {"trace", text_json(diagnosis.trace_path)},
          {"same", is_same},
          {"causes", std::move(causes)}};
}

} // namespace prof
