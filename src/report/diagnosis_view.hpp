// diagnosis_view.hpp: a diagnosis as YAML, JSON, Markdown or text for a terminal. Same diagnosis, same bytes.
#pragma once
#include "base/lang.hpp"
#include "base/yaml_writer.hpp"
#include "rules/diagnosis.hpp"

#include <string>
#include <vector>

namespace prof {

// The tree of schema cann-profiler/diagnosis/1 (docs/diagnosis.md); keys are English always.
[[nodiscard]] Doc diagnosis_doc(const Diagnosis& diagnosis);
[[nodiscard]] std::string diagnosis_markdown(const Diagnosis& diagnosis, Lang lang);
// At most `width` columns wide; no colours, no control characters.
[[nodiscard]] std::string diagnosis_text(const Diagnosis& diagnosis, Lang lang, std::size_t width = 80);
// "4 of 61 requests were unfinished ...": of `n` units in the figures and `n_cut_off` more;
// where n is 0, that none finished and what to do.
[[nodiscard]] std::string cut_off_line(std::int64_t n_cut_off, std::int64_t n, std::string_view word,
                                       Lang lang);
// docs/rules.md: the rules with their evidence, limits and sources.
[[nodiscard]] std::string rules_markdown(const std::vector<Rule>& rules, Lang lang);

} // namespace prof
