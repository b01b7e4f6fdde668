// html_page.hpp: a trace as one self-contained page: timeline, flame graph, heat map. docs/viewer.md
// describes the page's parts.
#pragma once
#include "base/lang.hpp"
#include "plan/diagnosis_file.hpp"
#include "report/html/page_bytes.hpp"
#include "rules/rule.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace prof {

struct PageOptions {
  Lang lang = Lang::en;
  std::vector<std::string> views{"timeline", "flamegraph", "heatmap"}; // shown in this order
  std::string trace_name;                                              // file name, for the header
  bool read_binaries = true;                // disassemble the files that samples lie in
  const DiagnosisFile* diagnosis = nullptr; // its findings are shown; outlives the call
  std::vector<Rule> rules = {};    // that say the findings in both languages: a report has one, the page both
  const Store* baseline = nullptr; // the flame graph can be compared with its; outlives the call
  std::string baseline_name;       // file name
  std::function<void(double done, double total)> progress; // may be empty; in rows
};
struct PageStats {
  std::int64_t bytes = 0, items = 0, rows = 0, samples = 0;
};

// Streams the page through `write`; holds one row and the pyramid in memory, never the page. Same store and
// options: same bytes. Errors: those of `write`; bad_argument for an unknown view.
[[nodiscard]] Result<PageStats> write_html_page(const Store& store, const PageOptions& options,
                                                const PageWrite& write);

} // namespace prof
