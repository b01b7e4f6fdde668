#include "report/html/finding_words.hpp"

#include <algorithm>

namespace prof {
namespace {

BothTexts catalogue(std::string_view id) {
  return {std::string(text(Lang::en, id)), std::string(text(Lang::zh, id))};
}

} // namespace

FindingWords::FindingWords(const std::vector<Rule>& rules) : rules_(rules) {
  for (const Rule& rule : rules)
    add_word(rule.title.en, rule.title.zh);
  for (const TextRow& row : all_texts())
    if (row.id.starts_with("diagnose.unit.") || row.id.starts_with("diagnose.unit_time."))
      add_word(row.en, row.zh);
}

void FindingWords::add_word(std::string_view en, std::string_view zh) {
  zh_of_.emplace(en, zh);
  en_of_.emplace(zh, en);
}

const Rule* FindingWords::rule_of(std::string_view id) const {
  const auto rule = std::ranges::find(rules_, id, &Rule::id);
  return rule == rules_.end() ? nullptr : &*rule;
}

std::optional<BothTexts> FindingWords::title(const DiagnosedCause& cause) const {
  const Rule* rule = rule_of(cause.id);
  return rule == nullptr ? std::nullopt : both(rule->title, cause.title);
}

std::optional<BothTexts> FindingWords::summary(const DiagnosedCause& cause) const {
  const Rule* rule = rule_of(cause.id);
  if (rule == nullptr) return std::nullopt;
  // Queueing that follows from a long service time says so in a second sentence, which a place at the end of
  // the first would take for its value.
  const BothTexts symptom = catalogue("diagnose.queue_is_symptom");
  if (auto said =
          both({rule->summary.en + " " + symptom.en, rule->summary.zh + " " + symptom.zh}, cause.summary))
    return said;
  return both(rule->summary, cause.summary);
}

std::optional<BothTexts> FindingWords::evidence(const DiagnosedCause& cause,
                                                const DiagnosedEvidence& piece) const {
  if (const Rule* rule = rule_of(cause.id)) {
    const auto def = std::ranges::find(rule->evidence, piece.name, &EvidenceDef::name);
    if (def != rule->evidence.end()) return both(def->text, piece.text);
  }
  return both(catalogue("diagnose.evidence." + piece.name), piece.text);
}

std::optional<BothTexts> FindingWords::both(const BothTexts& text, std::string_view said) const {
  for (const Lang lang : {Lang::en, Lang::zh}) {
    auto values = read_back(text.in(lang), said);
    if (!values) continue;
    for (auto& [name, value] : *values)
      value = translated(value, lang);
    return lang == Lang::en ? BothTexts{std::string(said), fill_in(text.zh, *values)}
                            : BothTexts{fill_in(text.en, *values), std::string(said)};
  }
  return std::nullopt;
}

std::string FindingWords::translated(const std::string& value, Lang from) const {
  constexpr std::string_view kBetween = "; "; // of the titles of several causes, in both languages
  const auto& words = from == Lang::en ? zh_of_ : en_of_;
  std::string out;
  for (std::string_view rest = value;;) {
    const auto end = std::min(rest.find(kBetween), rest.size());
    const auto word = words.find(rest.substr(0, end));
    if (word == words.end()) return value;
    out += word->second;
    if (end == rest.size()) return out;
    out += kBetween;
    rest.remove_prefix(end + kBetween.size());
  }
}

} // namespace prof
