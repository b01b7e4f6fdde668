// page_findings.hpp: the findings of a diagnosis for the page, each example span with its place on it.
#pragma once
#include "plan/diagnosis_file.hpp"
#include "report/html/html_page.hpp"
#include "report/html/page_rows.hpp"

#include <nlohmann/json.hpp>

namespace prof {

// {problem, trace, same, causes}; same: the report was made from this very recording. An example is [slice,
// row, ts, dur, name], times relative to the trace start; row -1: this trace has no such span, because the
// report is another trace's. Titles, summaries and evidence are in both languages where `rules` say them.
[[nodiscard]] nlohmann::json findings_json(const DiagnosisFile& diagnosis, const Store& store,
                                           const PageRows& rows, const std::vector<Rule>& rules = {});

} // namespace prof
