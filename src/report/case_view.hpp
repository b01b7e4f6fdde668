// case_view.hpp: a case card as Markdown with YAML front matter; the journal and the case library for a
// terminal.
#pragma once
#include "base/lang.hpp"
#include "base/yaml_writer.hpp"
#include "cases/case_card.hpp"
#include "cases/case_library.hpp"
#include "report/page_model.hpp"

namespace prof {

[[nodiscard]] std::string case_markdown(const CaseCard& card, Lang lang);
// Metric, before, after, change, p and verdict of each figure.
[[nodiscard]] PageTable figure_table(const std::vector<CaseFigure>& figures, Lang lang);
[[nodiscard]] PageModel journal_page(const std::vector<JournalEntry>& entries, Lang lang);
// `lineage`: lines "path  <- made by #3 profiler trace ...".
[[nodiscard]] PageModel entry_page(const JournalEntry& entry, const std::vector<std::string>& lineage,
                                   Lang lang);
// One entry for machines; keys are English always.
[[nodiscard]] Doc entry_doc(const JournalEntry& entry);
[[nodiscard]] PageModel case_list_page(const std::vector<CaseHit>& hits, Lang lang);
// "2026-11-30 04:12:07" in UTC.
[[nodiscard]] std::string format_time(std::int64_t time_ns);

} // namespace prof
