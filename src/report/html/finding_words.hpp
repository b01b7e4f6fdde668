// finding_words.hpp: what a report says of a cause, in both languages. A report is written in one; the rule
// that wrote a sentence has it in both, and its figures can be read back.
#pragma once
#include "plan/diagnosis_file.hpp"
#include "rules/rule.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

class FindingWords {
public:
  // `rules` outlive it.
  explicit FindingWords(const std::vector<Rule>& rules);
  // None where no rule says it so: a rule of the user's own, or another version of one.
  [[nodiscard]] std::optional<BothTexts> title(const DiagnosedCause& cause) const;
  [[nodiscard]] std::optional<BothTexts> summary(const DiagnosedCause& cause) const;
  [[nodiscard]] std::optional<BothTexts> evidence(const DiagnosedCause& cause,
                                                  const DiagnosedEvidence& piece) const;

private:
  [[nodiscard]] const Rule* rule_of(std::string_view id) const;
  [[nodiscard]] std::optional<BothTexts> both(const BothTexts& text, std::string_view said) const;
  // A value that is a word of ours, or several after another, in the other language; else itself.
  [[nodiscard]] std::string translated(const std::string& value, Lang from) const;
  void add_word(std::string_view en, std::string_view zh);

  const std::vector<Rule>& rules_;
  std::map<std::string, std::string, std::less<>> zh_of_, en_of_;
};

} // namespace prof
