// Rule files: what a user's mistake looks like, and that the built-in ones are whole.
#include "rules/rule.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

namespace prof {
namespace {

using testing::HasSubstr;

const std::string kGood = R"(id: my_rule
class: X1
title: {en: T, zh: T}
summary: {en: "{a} of {total}", zh: "{total}: {a}"}
problems: [high_latency]
needs: [requests, [sched, locks]]
prior: -1.5
params: {limit_ns: {value: 10, source: me}}
views:
  v: select 1 as x where 1 < {limit_ns}
applies: {sql: select 1, why: {en: "no", zh: "no"}}
evidence:
  - name: a
    key: true
    text: {en: "{value}", zh: "{value}"}
    unit: percent
    sql: select x from {v}
    threshold: {above: 5, source: me}
    weight: {for: 2, against: -2}
facts:
  - {name: total, unit: ns, sql: select 1}
share: select id, dur from {unit}
actions: [do_it]
)";

std::string with(std::string_view from, std::string_view to) {
  std::string text = kGood;
  text.replace(text.find(from), from.size(), to);
  return text;
}

Error error_of(const std::string& content) {
  const auto rule = parse_rule("r.yaml", content);
  return rule ? Error{Errc::internal, "parsed", ""} : rule.error();
}

TEST(RuleFile, every_key_is_read) {
  const auto rule = parse_rule("r.yaml", kGood);
  ASSERT_TRUE(rule.ok()) << rule.error().where << rule.error().what;
  EXPECT_EQ(rule->id, "my_rule");
  EXPECT_EQ(rule->needs, (std::vector<AnyOf>{{"requests"}, {"sched", "locks"}}));
  EXPECT_DOUBLE_EQ(rule->prior, -1.5);
  EXPECT_DOUBLE_EQ(rule->params.at("limit_ns").value, 10);
  ASSERT_EQ(rule->evidence.size(), 1U);
  EXPECT_TRUE(rule->evidence[0].is_key);
  EXPECT_TRUE(rule->evidence[0].threshold->is_above);
  EXPECT_DOUBLE_EQ(rule->evidence[0].weight_against, -2);
  EXPECT_EQ(rule->facts[0].name, "total");
  EXPECT_EQ(rule->actions, std::vector<std::string>{"do_it"});
}

TEST(RuleFile, an_unknown_key_is_named_with_file_and_line) {
  const Error e = error_of(with("prior: -1.5", "priority: -1.5"));
  EXPECT_EQ(e.code, Errc::malformed);
  EXPECT_EQ(e.where, "r.yaml:7");
  EXPECT_EQ(e.what, "unknown key 'priority'");
}

TEST(RuleFile, mistakes_are_told_apart) {
  EXPECT_THAT(error_of(with("class: X1\n", "")).what, HasSubstr("'class' is missing"));
  EXPECT_THAT(error_of(with("class: X1", "id: again")).what, HasSubstr("'id' stands twice"));
  EXPECT_THAT(error_of(with("id: my_rule", "id: My Rule")).what, HasSubstr("small letters"));
  EXPECT_THAT(error_of(with("zh: \"{total}: {a}\"", "zh: \"{a}\"")).what, HasSubstr("different {places}"));
  EXPECT_THAT(error_of(with("prior: -1.5", "prior: much")).what, HasSubstr("'prior' must be a number"));
  EXPECT_THAT(error_of(with("key: true", "key: maybe")).what, HasSubstr("true or false"));
  EXPECT_THAT(error_of(with("key: true", "key: false")).what, HasSubstr("must be the key"));
  EXPECT_THAT(error_of(with("problems: [high_latency]", "problems: [high_latncy]")).what,
              HasSubstr("did you mean 'high_latency'"));
  EXPECT_THAT(error_of(with("above: 5, ", "")).what, HasSubstr("either 'above' or 'below'"));
  EXPECT_THAT(error_of(with("above: 5", "above: .nan")).what, HasSubstr("must be a number"));
  EXPECT_THAT(error_of(with("share: select id, dur from {unit}\n", "")).what,
              HasSubstr("exactly one of 'share' and 'ratio'"));
  EXPECT_THAT(error_of(with("select x from {v}", "select x from {w}")).what, HasSubstr("{w}"));
  EXPECT_THAT(error_of(with("name: total", "name: other")).what, HasSubstr("nothing fills {total}"));
  EXPECT_THAT(error_of(with("    threshold: {above: 5, source: me}\n", "")).what, HasSubstr("no threshold"));
  EXPECT_THAT(error_of(with("source: me}}", "src: me}}")).what, HasSubstr("unknown key 'src'"));
  const auto abstain = [](const char* what) {
    return with(
        "facts:",
        fmt::format("abstain:\n  - {{signal: s, why: {{en: w, zh: w}}, mend: {{en: m, zh: m}}{}}}\nfacts:",
                    what));
  };
  EXPECT_EQ(error_of(abstain(", when: outweighed")).what, "parsed");
  EXPECT_THAT(error_of(abstain("")).what, HasSubstr("exactly one of 'sql', 'unseen' and 'when'"));
  EXPECT_THAT(error_of(abstain(", sql: select 1, unseen: select 1")).what, HasSubstr("exactly one of 'sql'"));
  EXPECT_THAT(error_of(abstain(", when: never")).what, HasSubstr("'outweighed'"));
}

// A reader of Chinese was told in English what is wrong with his rule.
TEST(RuleFile, mistakes_are_told_in_chinese_as_well) {
  EXPECT_EQ(error_of(with("prior: -1.5", "priority: -1.5")).zh, "未知的键“priority”");
  EXPECT_EQ(error_of(with("class: X1\n", "")).zh, "缺少键“class”");
  EXPECT_EQ(error_of(with("name: total", "name: other")).zh, "没有内容可填入 {total}");
  EXPECT_EQ(error_of(with("select x from {v}", "select x from {w}")).zh, "sql 中的 {w} 既不是视图也不是参数");
  for (const std::string& content :
       {with("zh: \"{total}: {a}\"", "zh: \"{a}\""), with("key: true", "key: maybe"),
        with("problems: [high_latency]", "problems: [high_latncy]"),
        with("problems: [high_latency]", "problems: []"), with("above: 5, ", ""),
        with("id: my_rule", "id: My Rule"), std::string("id: a\n  class: ["), std::string("- a\n- b")}) {
    const Error e = error_of(content);
    EXPECT_FALSE(e.zh.empty()) << e.what;
    EXPECT_NE(e.zh, e.what);
  }
}

TEST(RuleFile, text_that_is_no_yaml_has_its_line) {
  const Error e = error_of("id: a\n  class: [");
  EXPECT_EQ(e.code, Errc::malformed);
  EXPECT_THAT(e.where, HasSubstr("r.yaml:2"));
  EXPECT_EQ(error_of("").code, Errc::malformed);
  EXPECT_EQ(error_of("just a text").code, Errc::malformed);
  EXPECT_EQ(error_of("- a\n- b").code, Errc::malformed);
}

TEST(RuleFile, hostile_nesting_ends_in_an_error) {
  EXPECT_EQ(error_of(std::string(200'000, '[')).code, Errc::malformed);
  EXPECT_EQ(error_of(std::string((1 << 20) + 1, 'x')).code, Errc::budget);
}

TEST(RuleFile, built_in_rules_parse_and_have_distinct_ids_and_sources) {
  const auto rules = builtin_rules();
  ASSERT_TRUE(rules.ok()) << rules.error().where << ": " << rules.error().what;
  std::set<std::string> ids;
  for (const Rule& rule : *rules) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_EQ(rule.path, "rules/" + rule.id + ".yaml");
    EXPECT_FALSE(rule.actions.empty()) << rule.id;
    for (const EvidenceDef& e : rule.evidence)
      EXPECT_GE(e.weight_for, 0) << rule.id << " " << e.name;
    for (const RulesOut& r : rule.rules_out)
      EXPECT_TRUE(std::ranges::any_of(*rules, [&](const Rule& x) { return x.id == r.cause; }))
          << rule.id << " names " << r.cause;
  }
  for (const char* id : {"layout_transform", "unfused_ops", "small_ops", "queueing", "batch_wait",
                         "cpu_contention", "thread_oversubscription", "cpu_throttling", "page_faults",
                         "lock_contention", "allocator", "cold_start", "io_wait"})
    EXPECT_TRUE(ids.contains(id)) << id;
}

class RuleFolder : public testing::Test {
protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("rule_folder." + std::to_string(getpid()));
};

TEST_F(RuleFolder, adds_rules_and_replaces_one_of_the_same_id) {
  std::ofstream(folder / "mine.yaml") << kGood;
  std::ofstream(folder / "q.yml") << with("id: my_rule", "id: queueing");
  std::ofstream(folder / "README.md") << "no rule";
  auto rules = builtin_rules();
  ASSERT_TRUE(rules.ok());
  const std::size_t before = rules->size();
  ASSERT_TRUE(add_rules(*rules, folder).ok());
  EXPECT_EQ(rules->size(), before + 1);
  EXPECT_EQ(std::ranges::find(*rules, "queueing", &Rule::id)->cause_class, "X1");
}

TEST_F(RuleFolder, a_bad_file_is_named) {
  std::ofstream(folder / "bad.yaml") << with("prior: -1.5", "prio: 1");
  std::vector<Rule> rules;
  const Status status = add_rules(rules, folder);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().where, HasSubstr("bad.yaml:7"));
}

TEST_F(RuleFolder, an_empty_or_absent_folder_is_an_error) {
  std::vector<Rule> rules;
  EXPECT_EQ(add_rules(rules, folder).error().code, Errc::missing);
  EXPECT_EQ(add_rules(rules, folder / "none").error().code, Errc::missing);
}

TEST(TitleIn, a_built_in_title_follows_the_language_and_any_other_stays) {
  EXPECT_EQ(title_in(Lang::zh, "cold_start", "The first requests are slower"), "最初的请求更慢");
  EXPECT_EQ(title_in(Lang::en, "cold_start", "最初的请求更慢"), "The first requests are slower");
  EXPECT_EQ(title_in(Lang::zh, "cold_start", "Cold, says Anna"), "Cold, says Anna");
  EXPECT_EQ(title_in(Lang::zh, "mine", "The first requests are slower"), "The first requests are slower");
}

TEST(FillIn, replaces_known_names_and_keeps_the_rest) {
  EXPECT_EQ(fill_in("{a} of {b} {", {{"a", "1 {b}"}}), "1 {b} of {b} {");
  EXPECT_EQ(fill_in("", {}), "");
  EXPECT_EQ(places_of("{a} x {bc}{"), (std::vector<std::string>{"a", "bc"}));
}

TEST(FillIn, a_count_picks_its_word) {
  constexpr std::string_view kText = "{n} {n#gap|gaps} of {m#a device|devices}";
  EXPECT_EQ(fill_in(kText, {{"n", "0"}, {"m", "1"}}), "0 gaps of a device");
  EXPECT_EQ(fill_in(kText, {{"n", "1"}, {"m", "2"}}), "1 gap of devices");
  EXPECT_EQ(fill_in(kText, {{"n", "2"}, {"m", "1.5"}}), "2 gaps of devices");
  EXPECT_EQ(fill_in(kText, {{"n", "2"}}), "2 gaps of {m#a device|devices}");
  EXPECT_EQ(places_of(kText), (std::vector<std::string>{"n", "n", "m"}));
}

TEST(ReadBack, finds_the_values_that_a_text_was_filled_with) {
  struct Row {
    std::string_view text, filled;
    std::map<std::string, std::string, std::less<>> values;
  };
  const std::vector<Row> rows{
      {"none", "none", {}},
      {"{a}", "all of it", {{"a", "all of it"}}},
      {"{a} of {b}.", "3 of 4.", {{"a", "3"}, {"b", "4"}}},
      {"at {a} and {a} again", "at 7 and 7 again", {{"a", "7"}}},
      {"({a})", "()", {{"a", ""}}},
      {"{n} {n#gap|gaps}, {a}", "1 gap, 2 gaps", {{"n", "1"}, {"a", "2 gaps"}}},
      {"{n} {n#gap|gaps}", "0 gaps", {{"n", "0"}}},
      {"时间的 {a} 花在{b}上", "时间的 3 % 花在等待上", {{"a", "3 %"}, {"b", "等待"}}},
  };
  for (const Row& row : rows) {
    const auto values = read_back(row.text, row.filled);
    ASSERT_TRUE(values) << row.text;
    EXPECT_EQ(*values, row.values) << row.text;
  }
}

TEST(ReadBack, a_text_that_is_another_or_can_be_read_in_two_ways_has_no_values) {
  for (const auto& [text, filled] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"none", "None"},
           {"{a} of {b}", "3 in 4"},
           {"{a} of {b}", "a of b of c"}, // which "of" is it?
           {"{a}{b}", "34"},
           {"{a} and {a}", "3 and 4"},
           {"{n} {n#gap|gaps}", "1 gaps"},
           {"begin {a} end", "begin end"}})
    EXPECT_FALSE(read_back(text, filled)) << filled;
}

} // namespace
} // namespace prof
