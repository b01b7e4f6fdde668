// diagnosis_words.hpp: sentences that the text and the Markdown view share.
#pragma once
#include "base/lang.hpp"
#include "rules/diagnosis.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace prof::detail {

// The first lines: threshold, a problem that cannot be seen, the requests. One sentence each, unescaped.
[[nodiscard]] std::vector<std::string> headlines(const Diagnosis& d, Lang lang);
// "confidence 0.87 (uncalibrated); share of the time: ...".
[[nodiscard]] std::string confidence_line(const Cause& cause, Lang lang);
// What would mend it, what is advice beyond the plan, or that the plan has no step for it here. `shown` is
// how a name stands in the view.
[[nodiscard]] std::vector<std::string> mend_lines(const Cause& cause, Lang lang,
                                                  const std::function<std::string(std::string_view)>& shown);
// "Where the request time went (sums to 100 %)".
[[nodiscard]] std::string accounting_title(const Diagnosis& d, Lang lang);
// "Of that, running: gemm 45 %, other 12 %."; empty where nobody knows.
[[nodiscard]] std::string running_line(const Accounting& a, Lang lang);
// "host_code: forward 12 %, other 3 %." for each class that calls of the host decide.
[[nodiscard]] std::vector<std::string> call_lines(const Accounting& a, Lang lang);
// "Where the time of the device went: 137 ms (sums to 100 %)".
[[nodiscard]] std::string device_accounting_title(const DeviceAccounting& a, Lang lang);
// "Of that, 97.8 % is idle time, and why cannot be told from this trace: ...".
[[nodiscard]] std::string idle_line(const UnexplainedIdle& idle, Lang lang);
// "12.3 % of ... (limit > 5 %)".
[[nodiscard]] std::string evidence_line(const EvidenceResult& e, Lang lang);
// "+2.5", "-1", "0".
[[nodiscard]] std::string weight_text(double weight);
// "Causes, largest expected cost first (...)": which share it is that the problem orders them by.
[[nodiscard]] std::string_view causes_title(const Diagnosis& d, Lang lang);
// What "no cause found" has to add: the rules that could not look.
[[nodiscard]] std::string no_cause_line(const Diagnosis& d, Lang lang);
// What is missing, once each, with the titles of the rules that want it: most rules want the same few
// signals.
struct Wanted {
  std::string line;
  std::vector<std::string> rules;
};
[[nodiscard]] std::vector<Wanted> wanted(const Diagnosis& d, Lang lang);
[[nodiscard]] std::string missing_line(const MissingSignal& m, Lang lang);
[[nodiscard]] std::string example_line(const ExampleSlice& e, std::int64_t start_ns, Lang lang);
[[nodiscard]] std::string joined(const std::vector<std::string>& names, std::string_view between = ", ");
[[nodiscard]] std::string target_name(const Diagnosis& d, Lang lang);

} // namespace prof::detail
