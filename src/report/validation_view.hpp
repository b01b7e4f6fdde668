// validation_view.hpp: a validation or a gate in every form it is written in.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"
#include "base/yaml_writer.hpp"
#include "report/page_model.hpp"
#include "verdict/answer.hpp"
#include "verdict/gate.hpp"
#include "verdict/validate.hpp"

#include <string>

namespace prof {

// Schema cann-profiler/validation/1 (docs/statistics.md); keys are English always.
[[nodiscard]] Doc validation_doc(const Validation& validation);
[[nodiscard]] PageModel validation_page(const Validation& validation, Lang lang);
// A PDF with tables and plots; the same validation gives the same bytes. `is_in_english` is set when zh was
// asked for and no font has its characters. Errors: internal (cairo).
[[nodiscard]] Result<std::string> validation_pdf(const Validation& validation, Lang lang,
                                                 bool& is_in_english);

[[nodiscard]] PageModel gate_page(const Gate& gate, Lang lang);
// The document of the validation with one more key: "gate", the answer of each metric and the checks that
// forbid one.
[[nodiscard]] Doc gate_doc(const Gate& gate, const Validation& validation);
// JUnit: one test case per metric.
[[nodiscard]] std::string gate_junit(const Gate& gate, Lang lang);

// "-12.3 %", "+4.56 %"; of a relative change.
[[nodiscard]] std::string format_change(double change);
// "-12.3 % [-15.0 %, -9.6 %]", or the difference where there is no percentage.
[[nodiscard]] std::string change_text(const MetricVerdict& metric);
// "lost events: 2 % before, 0 % after (what was lost may be what was slow)".
[[nodiscard]] std::string check_text(const Check& check, Lang lang);
// Which checks failed, each with its figures; empty where none did.
[[nodiscard]] std::string failed_checks_text(const Validation& validation, Lang lang);
// "Outcome: not resolved. ..."
[[nodiscard]] std::string answer_text(const ValidationAnswer& answer, Lang lang);
[[nodiscard]] std::string outcome_text(const MetricVerdict& metric, Lang lang);
// "0.0123", "< 0.0001".
[[nodiscard]] std::string format_p(double p);

} // namespace prof
