// rule.hpp: one rule = one YAML file of knowledge/rules (or of --rules DIR). docs/diagnosis.md describes
// every key.
#pragma once
#include "base/lang.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prof {

// A text in both languages, with {named} places.
struct BothTexts {
  std::string en, zh;
  [[nodiscard]] const std::string& in(Lang lang) const { return lang == Lang::zh ? zh : en; }
};

// "this value speaks for the cause when it is above (or below) `limit`".
struct Threshold {
  bool is_above = true;
  double limit = 0;
  std::string source; // where the limit comes from
};

// One or more signals, of which one is enough.
using AnyOf = std::vector<std::string>;

struct EvidenceDef {
  std::string name;
  BothTexts text;  // {value} and any evidence or fact name
  std::string sql; // one row, one column; NULL = not known
  std::string unit;
  std::optional<Threshold> threshold; // absent = context only, no weight
  double weight_for = 0,
         weight_against = 0; // added to the log-odds when the threshold is passed / not passed
  bool is_key = false;       // without it passed, the rule never answers "found"
  std::vector<AnyOf> needs;  // missing: this evidence is skipped and the confidence capped
  double cap_without = 1;    // the highest confidence when this evidence could not be had
  std::string examples;      // rows (slice_id), the most telling first
};

// A figure or word that only texts use.
struct FactDef {
  std::string name, unit, sql;
};

// When the figures themselves show that they cannot decide: the rule answers "cannot tell" then.
enum class AbstainWhen : std::uint8_t {
  asked,      // `sql` gives another number than 0 or NULL
  outweighed, // the key evidence is beyond its limit, and other evidence speaks against the cause
  unseen,     // the key is within its limit, and would not be with what `sql` gives added to it: {unseen}
};
struct AbstainDef {
  AbstainWhen when = AbstainWhen::asked;
  std::string signal; // what is missing, for the report
  std::string sql;    // one number
  BothTexts why, mend;
};

// Something SQL may name as {name}.
struct ParamDef {
  double value = 0;
  std::string source;
};

// Which look-alike this rule tells apart, and how.
struct RulesOut {
  std::string cause;
  BothTexts how;
};

struct Rule {
  std::string path; // for messages
  std::string id, cause_class;
  BothTexts title, summary;
  std::vector<std::string> problems; // ids of problem.hpp
  std::vector<AnyOf> needs;
  double prior = 0; // log-odds before any evidence
  bool is_about_ops =
      false; // its time is operator time: measured over the requests (or runs) that have operators
  bool is_about_device =
      false; // its time is device time: measured over the window of each device, not over requests
  bool is_symptom = false;    // queueing: a long service time ranks first when there is one
  bool is_in_service = false; // its time is part of the service time, which a queue multiplies
  std::map<std::string, ParamDef> params;
  std::map<std::string, std::string> views;
  std::string applies_sql; // 0 or NULL = not applicable
  BothTexts applies_why;
  std::vector<EvidenceDef> evidence;
  std::vector<FactDef> facts;
  std::vector<AbstainDef> abstain;
  std::string share_sql;    // rows (unit id, ns): the cause's time in each request
  std::string ratio_sql;    // instead of share_sql: one number 0..1 (problems that are not about time)
  std::string examples_sql; // rows (slice_id)
  std::vector<RulesOut> rules_out;
  std::vector<std::string> actions;
};

// Parses one rule file. Error malformed: "path:line" and what is wrong; unknown and repeated keys are errors.
[[nodiscard]] Result<Rule> parse_rule(std::string_view path, std::string_view content);
// The built-in rules, by id. Errors: malformed (a bug in knowledge/, caught by the tests).
[[nodiscard]] Result<std::vector<Rule>> builtin_rules();
// What a report calls the cause `id`, in another language than the report's: `title` itself where it is not
// the built-in rule's (somebody's own rule, an edited report).
[[nodiscard]] std::string title_in(Lang lang, std::string_view id, std::string_view title);
// Adds every *.yaml of `folder`, by file name; a rule with the id of a known one replaces it.
// Errors: missing, malformed with file and line, budget (more than 1000 files, or a file over 1 MiB).
[[nodiscard]] Status add_rules(std::vector<Rule>& rules, const std::filesystem::path& folder);

// `text` with every {name} of `values` filled in; names that are not known stay as they are. {name#gap|gaps}
// is "gap" where the value of name is 1, else "gaps".
[[nodiscard]] std::string fill_in(std::string_view text,
                                  const std::map<std::string, std::string, std::less<>>& values);
// The values with which fill_in makes `filled` of `text`; none where it is no such text, or where it can be
// read in two ways.
[[nodiscard]] std::optional<std::map<std::string, std::string, std::less<>>>
read_back(std::string_view text, std::string_view filled);
// The names that stand in {} in `text`.
[[nodiscard]] std::vector<std::string> places_of(std::string_view text);

} // namespace prof
