#include "base/file.hpp"
#include "rules/problem.hpp"
#include "rules/rule.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

constexpr std::int64_t kMaxRuleBytes = 1 << 20;
constexpr std::size_t kMaxRuleFiles = 1000;

// Reads one rule file. The first thing wrong is kept, with its line; later calls do nothing.
class RuleParser {
public:
  explicit RuleParser(std::string_view path) : path_(path) {}

  Result<Rule> parse(const YAML::Node& root) {
    rule_.path = path_;
    keys(root,
         {"id",      "class",     "title",        "summary", "problems",   "needs",  "prior",    "params",
          "views",   "applies",   "evidence",     "facts",   "share",      "ratio",  "examples", "rules_out",
          "actions", "about_ops", "about_device", "symptom", "in_service", "abstain"});
    rule_.id = text(root, "id", true);
    rule_.cause_class = text(root, "class", true);
    rule_.title = both(root, "title", true);
    rule_.summary = both(root, "summary", true);
    rule_.problems = names(root, "problems");
    rule_.needs = groups(root, "needs");
    rule_.prior = number(root, "prior", 0);
    rule_.is_about_ops = flag(root, "about_ops");
    rule_.is_about_device = flag(root, "about_device");
    rule_.is_symptom = flag(root, "symptom");
    rule_.is_in_service = flag(root, "in_service");
    rule_.share_sql = text(root, "share", false);
    rule_.ratio_sql = text(root, "ratio", false);
    rule_.examples_sql = text(root, "examples", false);
    rule_.actions = names(root, "actions");
    params(root["params"]);
    views(root["views"]);
    applies(root["applies"]);
    for (const YAML::Node& item : list(root, "evidence"))
      evidence(item);
    for (const YAML::Node& item : list(root, "facts"))
      fact(item);
    for (const YAML::Node& item : list(root, "abstain"))
      abstain(item);
    for (const YAML::Node& item : list(root, "rules_out"))
      rules_out(item);
    check(root);
    if (error_) return *std::move(error_);
    return std::move(rule_);
  }

private:
  // `id` of the catalogue, and what its places hold.
  template <class... Args>
  void bad(const YAML::Node& node, std::string_view id, const Args&... args) {
    if (!error_) error_ = error_said(Errc::malformed, id, place_of(node), args...);
  }

  [[nodiscard]] std::string place_of(const YAML::Node& node) const {
    const YAML::Mark mark = node.IsDefined() ? node.Mark() : YAML::Mark::null_mark();
    return fmt::format("{}:{}", path_, mark.is_null() ? 1 : mark.line + 1);
  }

  // `node` must be a map that has only `known` keys, each once.
  void keys(const YAML::Node& node, std::initializer_list<std::string_view> known) {
    if (!node.IsMap()) return bad(node, "rule.bad.map");
    std::set<std::string> seen;
    for (const auto& item : node) {
      const std::string key = item.first.IsScalar() ? item.first.Scalar() : std::string("?");
      if (std::ranges::find(known, key) == known.end())
        bad(item.first, "rule.bad.unknown_key", fmt::arg("key", key));
      if (!seen.insert(key).second) bad(item.first, "rule.bad.twice", fmt::arg("key", key));
    }
  }

  std::string text(const YAML::Node& parent, const char* key, bool is_needed) {
    const YAML::Node node = parent.IsMap() ? parent[key] : YAML::Node(YAML::NodeType::Undefined);
    if (!node.IsDefined()) {
      if (is_needed) bad(parent, "rule.bad.missing", fmt::arg("key", key));
      return {};
    }
    if (!node.IsScalar() || (is_needed && node.Scalar().empty())) {
      bad(node, "rule.bad.text", fmt::arg("key", key));
      return {};
    }
    std::string value = node.Scalar();
    while (!value.empty() && (value.back() == '\n' || value.back() == ' '))
      value.pop_back();
    return value;
  }

  BothTexts both(const YAML::Node& parent, const char* key, bool is_needed) {
    const YAML::Node node = parent.IsMap() ? parent[key] : YAML::Node(YAML::NodeType::Undefined);
    if (!node.IsDefined()) {
      if (is_needed) bad(parent, "rule.bad.missing", fmt::arg("key", key));
      return {};
    }
    keys(node, {"en", "zh"});
    BothTexts texts{text(node, "en", true), text(node, "zh", true)};
    // As sets: a word that agrees with its count ({n#gap|gaps}) stands in one language alone.
    const auto places = [](std::string_view words) {
      const std::vector<std::string> all = places_of(words);
      return std::set<std::string>(all.begin(), all.end());
    };
    if (places(texts.en) != places(texts.zh)) bad(node, "rule.bad.places", fmt::arg("key", key));
    return texts;
  }

  double number(const YAML::Node& parent, const char* key, double otherwise) {
    const YAML::Node node = parent.IsMap() ? parent[key] : YAML::Node(YAML::NodeType::Undefined);
    if (!node.IsDefined()) return otherwise;
    double value = 0;
    if (!YAML::convert<double>::decode(node, value) || !std::isfinite(value))
      bad(node, "rule.bad.number", fmt::arg("key", key));
    return value;
  }

  bool flag(const YAML::Node& parent, const char* key) {
    const YAML::Node node = parent.IsMap() ? parent[key] : YAML::Node(YAML::NodeType::Undefined);
    if (!node.IsDefined()) return false;
    bool value = false;
    if (!YAML::convert<bool>::decode(node, value)) bad(node, "rule.bad.flag", fmt::arg("key", key));
    return value;
  }

  std::vector<YAML::Node> list(const YAML::Node& parent, const char* key) {
    const YAML::Node node = parent.IsMap() ? parent[key] : YAML::Node(YAML::NodeType::Undefined);
    if (!node.IsDefined()) return {};
    if (!node.IsSequence()) {
      bad(node, "rule.bad.list", fmt::arg("key", key));
      return {};
    }
    return {node.begin(), node.end()};
  }

  std::vector<std::string> names(const YAML::Node& parent, const char* key) {
    std::vector<std::string> out;
    for (const YAML::Node& item : list(parent, key)) {
      if (!item.IsScalar())
        bad(item, "rule.bad.names", fmt::arg("key", key));
      else
        out.push_back(item.Scalar());
    }
    return out;
  }

  std::vector<AnyOf> groups(const YAML::Node& parent, const char* key) {
    std::vector<AnyOf> out;
    for (const YAML::Node& item : list(parent, key)) {
      AnyOf group;
      if (item.IsScalar())
        group.push_back(item.Scalar());
      else if (item.IsSequence())
        for (const YAML::Node& one : item)
          if (one.IsScalar()) group.push_back(one.Scalar());
      if (group.empty())
        bad(item, "rule.bad.signals", fmt::arg("key", key));
      else
        out.push_back(std::move(group));
    }
    return out;
  }

  void params(const YAML::Node& node) {
    if (!node.IsDefined()) return;
    if (!node.IsMap()) return bad(node, "rule.bad.params");
    for (const auto& item : node) {
      keys(item.second, {"value", "source"});
      if (error_) return;
      if (!item.second["value"].IsDefined()) bad(item.second, "rule.bad.missing", fmt::arg("key", "value"));
      rule_.params[item.first.Scalar()] = {number(item.second, "value", 0),
                                           text(item.second, "source", true)};
    }
  }

  void views(const YAML::Node& node) {
    if (!node.IsDefined()) return;
    if (!node.IsMap()) return bad(node, "rule.bad.views");
    for (const auto& item : node) {
      if (!item.second.IsScalar()) return bad(item.second, "rule.bad.view");
      rule_.views[item.first.Scalar()] = item.second.Scalar();
    }
  }

  void applies(const YAML::Node& node) {
    if (!node.IsDefined()) return;
    keys(node, {"sql", "why"});
    rule_.applies_sql = text(node, "sql", true);
    rule_.applies_why = both(node, "why", true);
  }

  void evidence(const YAML::Node& node) {
    keys(node,
         {"name", "text", "sql", "unit", "threshold", "weight", "key", "needs", "cap_without", "examples"});
    EvidenceDef e;
    e.name = text(node, "name", true);
    e.text = both(node, "text", true);
    e.sql = text(node, "sql", true);
    e.unit = text(node, "unit", false);
    e.is_key = flag(node, "key");
    e.needs = groups(node, "needs");
    e.cap_without = number(node, "cap_without", 1);
    e.examples = text(node, "examples", false);
    if (const YAML::Node at = node.IsMap() ? node["threshold"] : node; at.IsDefined() && node.IsMap())
      threshold(at, e);
    if (const YAML::Node at = node.IsMap() ? node["weight"] : node; at.IsDefined() && node.IsMap()) {
      keys(at, {"for", "against"});
      e.weight_for = number(at, "for", 0);
      e.weight_against = number(at, "against", 0);
      if (!e.threshold) bad(at, "rule.bad.weights", fmt::arg("name", e.name));
    }
    if (e.is_key && !e.threshold) bad(node, "rule.bad.key_threshold", fmt::arg("name", e.name));
    rule_.evidence.push_back(std::move(e));
  }

  void threshold(const YAML::Node& node, EvidenceDef& e) {
    keys(node, {"above", "below", "source"});
    if (error_) return;
    const bool is_above = node["above"].IsDefined();
    if (is_above == node["below"].IsDefined()) return bad(node, "rule.bad.threshold");
    e.threshold =
        Threshold{is_above, number(node, is_above ? "above" : "below", 0), text(node, "source", true)};
  }

  void fact(const YAML::Node& node) {
    keys(node, {"name", "unit", "sql"});
    rule_.facts.push_back({text(node, "name", true), text(node, "unit", false), text(node, "sql", true)});
  }

  void abstain(const YAML::Node& node) {
    keys(node, {"signal", "sql", "unseen", "when", "why", "mend"});
    AbstainDef a{AbstainWhen::asked,
                 text(node, "signal", true),
                 {},
                 both(node, "why", true),
                 both(node, "mend", true)};
    const std::string sql = text(node, "sql", false), unseen = text(node, "unseen", false),
                      when = text(node, "when", false);
    if ((sql.empty() ? 0 : 1) + (unseen.empty() ? 0 : 1) + (when.empty() ? 0 : 1) != 1)
      return bad(node, "rule.bad.abstain");
    if (!when.empty() && when != "outweighed") return bad(node, "rule.bad.when");
    a.when = !when.empty()     ? AbstainWhen::outweighed
             : !unseen.empty() ? AbstainWhen::unseen
                               : AbstainWhen::asked;
    a.sql = unseen.empty() ? sql : unseen;
    rule_.abstain.push_back(std::move(a));
  }

  void rules_out(const YAML::Node& node) {
    keys(node, {"cause", "how"});
    rule_.rules_out.push_back({text(node, "cause", true), both(node, "how", true)});
  }

  // What one key alone cannot show: names that nothing fills, an answer that nothing can give.
  void check(const YAML::Node& root) {
    const auto is_id = [](std::string_view s) {
      return !s.empty() && std::ranges::all_of(s, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
      });
    };
    if (!is_id(rule_.id)) bad(root["id"], "rule.bad.id");
    if (rule_.share_sql.empty() == rule_.ratio_sql.empty()) bad(root, "rule.bad.share");
    if (std::ranges::none_of(rule_.evidence, &EvidenceDef::is_key)) bad(root, "rule.bad.no_key");
    if (rule_.problems.empty()) bad(root, "rule.bad.problems");
    for (const std::string& id : rule_.problems)
      if (const auto problem = find_problem(id); !problem && !error_)
        error_ = Error{Errc::malformed, problem.error().what, place_of(root["problems"]), problem.error().zh};
    std::set<std::string, std::less<>> known{"value", "share_mean", "share_slow",
                                             "n",     "unit_name",  "unit_time"};
    for (const EvidenceDef& e : rule_.evidence)
      if (!known.insert(e.name).second)
        bad(root["evidence"], "rule.bad.evidence_twice", fmt::arg("name", e.name));
    for (const FactDef& f : rule_.facts)
      known.insert(f.name);
    check_places(root["summary"], rule_.summary, known);
    for (const EvidenceDef& e : rule_.evidence)
      check_places(root["evidence"], e.text, known);
    known.insert("unseen");
    for (const AbstainDef& a : rule_.abstain)
      check_places(root["abstain"], a.why, known);
    check_sql(root);
  }

  void check_places(const YAML::Node& node, const BothTexts& texts,
                    const std::set<std::string, std::less<>>& known) {
    for (const std::string& place : places_of(texts.en))
      if (!known.contains(place)) bad(node, "rule.bad.unfilled", fmt::arg("place", place));
  }

  void check_sql(const YAML::Node& root) {
    std::set<std::string, std::less<>> known{"unit",      "unit_run", "run_op",      "unit_op", "op_unit",
                                             "spent",     "server",   "own_process", "worker",  "own_cpu",
                                             "computing", "cpu_wait", "taken"};
    for (const auto& [name, param] : rule_.params)
      known.insert(name);
    for (const auto& [name, sql] : rule_.views)
      known.insert(name);
    std::vector<std::string_view> all{rule_.applies_sql, rule_.share_sql, rule_.ratio_sql,
                                      rule_.examples_sql};
    for (const auto& [name, sql] : rule_.views)
      all.push_back(sql);
    for (const EvidenceDef& e : rule_.evidence)
      all.insert(all.end(), {e.sql, e.examples});
    for (const FactDef& f : rule_.facts)
      all.push_back(f.sql);
    for (const AbstainDef& a : rule_.abstain)
      all.push_back(a.sql);
    for (const std::string_view sql : all)
      for (const std::string& place : places_of(sql))
        if (!known.contains(place)) bad(root, "rule.bad.sql", fmt::arg("place", place));
  }

  std::string path_;
  Rule rule_;
  std::optional<Error> error_;
};

} // namespace

Result<Rule> parse_rule(std::string_view path, std::string_view content) {
  if (std::ssize(content) > kMaxRuleBytes)
    return error_said(Errc::budget, "error.rule_size", std::string(path));
  try {
    return RuleParser(path).parse(YAML::Load(std::string(content)));
  } catch (const YAML::Exception& e) {
    return error_said(Errc::malformed, "error.bad_yaml",
                      fmt::format("{}:{}", path, e.mark.is_null() ? 1 : e.mark.line + 1),
                      fmt::arg("why", e.msg));
  }
}

Result<std::vector<Rule>> builtin_rules() {
  std::vector<Rule> rules;
  for (const KnowledgeFile& file : knowledge_files()) {
    if (!file.path.starts_with("rules/") || !file.path.ends_with(".yaml")) continue;
    PROF_TRY(Rule rule, parse_rule(file.path, file.content));
    rules.push_back(std::move(rule));
  }
  std::ranges::sort(rules, {}, &Rule::id);
  return rules;
}

std::string title_in(Lang lang, std::string_view id, std::string_view title) {
  static const std::map<std::string, BothTexts, std::less<>> titles = [] {
    std::map<std::string, BothTexts, std::less<>> out;
    if (const auto rules = builtin_rules())
      for (const Rule& rule : *rules)
        out.emplace(rule.id, rule.title);
    return out;
  }();
  const auto found = titles.find(id);
  const bool is_ours = found != titles.end() && (title == found->second.en || title == found->second.zh);
  return is_ours ? found->second.in(lang) : std::string(title);
}

Status add_rules(std::vector<Rule>& rules, const std::filesystem::path& folder) {
  std::error_code ec;
  std::vector<std::filesystem::path> files;
  for (auto it = std::filesystem::directory_iterator(folder, ec);
       !ec && it != std::filesystem::directory_iterator(); it.increment(ec)) {
    const auto extension = it->path().extension();
    if (extension == ".yaml" || extension == ".yml") files.push_back(it->path());
    if (files.size() > kMaxRuleFiles) return error_said(Errc::budget, "error.rule_count", folder.string());
  }
  if (ec)
    return error_said(Errc::missing, "error.no_rule_folder", folder.string(), fmt::arg("why", ec.message()));
  if (files.empty()) return error_said(Errc::missing, "error.no_rules", folder.string());
  std::ranges::sort(files);
  for (const auto& file : files) {
    PROF_TRY(const std::string content, read_file(file, kMaxRuleBytes));
    PROF_TRY(Rule rule, parse_rule(file.string(), content));
    const auto known = std::ranges::find(rules, rule.id, &Rule::id);
    if (known != rules.end())
      *known = std::move(rule);
    else
      rules.push_back(std::move(rule));
  }
  std::ranges::sort(rules, {}, &Rule::id);
  return {};
}

} // namespace prof
