#include "metrics/metric_docs.hpp"

#include <fmt/format.h>

namespace prof {

std::string_view word(Better better) {
  switch (better) {
  case Better::low:
    return "low";
  case Better::high:
    return "high";
  case Better::neither:
    return "neither";
  }
  return "neither";
}

std::string_view word(Aggregate aggregate) {
  switch (aggregate) {
  case Aggregate::mean:
    return "mean";
  case Aggregate::percentile:
    return "percentile";
  case Aggregate::ratio:
    return "ratio";
  case Aggregate::rate:
    return "rate";
  case Aggregate::last:
    return "last";
  case Aggregate::max:
    return "max";
  case Aggregate::sum:
    return "sum";
  }
  return "mean";
}

std::string metric_reference_markdown(const std::vector<MetricDef>& catalogue) {
  std::string out =
      "<!-- Generated from knowledge/metrics/*.yaml by `profiler metrics --reference`. Do not "
      "edit. -->\n# Metrics\n\n"
      "`profiler metrics --trace t.pb` prints them for one trace; one that cannot be had is "
      "reported with the reason and the mend, "
      "never as 0. Times are nanoseconds. A percentile is everywhere (metrics, SQL, reports, page) the same: "
      "linear interpolation between the two closest of the n ordered values, at position p/100 * (n - "
      "1) (type 7, as numpy and R); it seldom is a value that was measured, so the page opens the "
      "request nearest to it. `validate` and `compare` test percentiles with the Harrell-Davis "
      "estimate beside it ([statistics](statistics.md)).\n\n| id | unit | better | from | definition | 定义 "
      "|\n|---|---|---|---|---|---|\n";
  for (const MetricDef& m : catalogue)
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", m.id, m.unit, word(m.better), m.table,
                       m.definition_en, m.definition_zh);
  out += "\n## Formulas and queries\n";
  for (const MetricDef& m : catalogue) {
    out += fmt::format("\n### {}\n\n{}\n", m.id, m.formula);
    if (!m.needs.empty()) out += fmt::format("\nNeeds: {}\n", fmt::join(m.needs, ", "));
    if (!m.value_sql.empty()) out += fmt::format("\n```sql\n-- value\n{}\n```\n", m.value_sql);
    if (!m.samples_sql.empty())
      out += fmt::format("\n```sql\n-- samples{}\n{}\n```\n",
                         m.value_sql.empty() ? fmt::format("; value = {}", word(m.aggregate)) : "",
                         m.samples_sql);
  }
  return out;
}

} // namespace prof
