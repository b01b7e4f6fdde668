// The diagnosis as YAML, JSON, Markdown and text: the contract of the keys, and hostile names.
#include "base/safe_text.hpp"
#include "report/diagnosis_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kEvil = "\"><script>alert(1)</script>\n# x | `y` \x1b[31m\xff =cmd()";

Diagnosis sample() {
  Diagnosis d;
  d.trace_path = "t.pb";
  d.trace_sha256 = "ab12";
  d.target = "poetry_poster_service";
  d.duration_ns = 300'000'000'000;
  d.problem = "high_p99_latency";
  d.threshold = LimitResult{*parse_limit("p99>2.0s"), 812e6, false, {}};
  d.requests = {"request", 512, 26, 4e8, 3.9e8, 5e8, 6e8, 8.12e8, 9e8, 1.7};
  d.accounting = Accounting{{{"cpu_op", 0.75}, {"queue_wait", 0.25}, {"unexplained", 0}},
                            {{"cpu_op", 0.5}, {"queue_wait", 0.5}, {"unexplained", 0}},
                            0};
  Cause c;
  c.id = "layout_transform";
  c.title = "Tensors are converted";
  c.cause_class = "A1";
  c.summary = "12 % of it";
  c.confidence = 0.87;
  c.share = {"request", 0.12, 0.1, 0.11, 0.13, 0.16, "select id, ns from x"};
  c.evidence.push_back({"layout_share",
                        "12 % is layout",
                        "percent",
                        "select 1\nfrom op",
                        12.0,
                        Threshold{true, 5, "source"},
                        2.5,
                        true,
                        {{7, 1000, 50, kEvil}}});
  c.against.push_back(
      {"near_conv", "none near", "", "select 0", std::nullopt, Threshold{true, 1, "source"}, -1, false, {}});
  c.actions = {"atc_layout_unify"};
  d.causes.push_back(c);
  d.clear.push_back({"queueing", "Queue", "1 % waits", 0.01});
  d.not_applicable.push_back({"batch_wait", "Batch", "no batch"});
  d.cannot_tell.push_back({"cpu_contention", "CPU", {{"sched", "not recorded", "record it", ""}}});
  d.notes = {"one trace"};
  return d;
}

TEST(DiagnosisYaml, has_the_keys_that_readers_rely_on) {
  const std::string yaml = to_yaml(diagnosis_doc(sample()));
  EXPECT_THAT(yaml, HasSubstr("schema: cann-profiler/diagnosis/1\n"));
  EXPECT_THAT(
      yaml, HasSubstr("trace:\n  path: t.pb\n  sha256: ab12\n  start_ns: 0\n  duration_ns: 300000000000\n"));
  EXPECT_THAT(yaml, HasSubstr("threshold:\n  text: \"p99>2.0s\"\n  metric: p99_latency\n  op: \">\"\n  "
                              "limit_ns: 2000000000\n  observed_ns: 812000000\n  exceeded: false\n"));
  EXPECT_THAT(yaml, HasSubstr("requests:\n  unit: request\n  \"n\": 512\n  mean_ns: 400000000\n"));
  EXPECT_THAT(yaml, HasSubstr("accounting:\n  all:\n    cpu_op: 0.75\n    queue_wait: 0.25\n    unexplained: "
                              "0.0\n  slow:\n    cpu_op: 0.5\n"));
  EXPECT_THAT(yaml, HasSubstr("causes:\n  - id: layout_transform\n"));
  EXPECT_THAT(yaml, HasSubstr("    confidence: 0.87\n    confidence_basis: \"uncalibrated prior weights; see "
                              "docs/diagnosis.md\"\n    share:\n      mean: 0.12\n      slow: 0.1\n"));
  EXPECT_THAT(yaml, HasSubstr("        sql: |-\n          select 1\n          from op\n"));
  EXPECT_THAT(yaml, HasSubstr("          - slice_id: 7\n            ts_ns: 1000\n"));
  EXPECT_THAT(yaml, HasSubstr("    similar_cases: []\n    actions:\n      - atc_layout_unify\n"));
  EXPECT_THAT(yaml,
              HasSubstr("cannot_tell:\n  - id: cpu_contention\n    title: CPU\n    missing:\n      - signal: "
                        "sched\n        reason: \"not recorded\"\n        mend: \"record it\"\n"));
}

TEST(DiagnosisYaml, leaves_out_what_was_not_asked_and_keeps_empty_lists) {
  const std::string yaml = to_yaml(diagnosis_doc(Diagnosis{}));
  EXPECT_THAT(yaml, Not(HasSubstr("threshold:")));
  EXPECT_THAT(yaml, Not(HasSubstr("accounting:")));
  EXPECT_THAT(yaml, HasSubstr("causes: []\nclear: []\nnot_applicable: []\ncannot_tell: []\nnotes: []\n"));
}

TEST(DiagnosisText, stays_within_80_columns_and_puts_the_threshold_first) {
  const std::string text = diagnosis_text(sample(), Lang::en);
  std::size_t from = 0;
  while (from < text.size()) {
    const auto end = text.find('\n', from);
    EXPECT_LE(display_width(std::string_view(text).substr(from, end - from)), 80U)
        << text.substr(from, end - from);
    from = end + 1;
  }
  EXPECT_LT(text.find("NOT exceeded: p99_latency is 812 ms"), text.find("Causes"));
  EXPECT_THAT(text, HasSubstr("1. Tensors are converted  [layout_transform]"));
  EXPECT_THAT(text, HasSubstr("+2.5  12 % is layout (limit > 5 %)"));
}

TEST(DiagnosisText, is_chinese_when_asked_and_within_80_columns) {
  const std::string text = diagnosis_text(sample(), Lang::zh);
  EXPECT_THAT(text, HasSubstr("未超过阈值"));
  std::size_t from = 0;
  while (from < text.size()) {
    const auto end = text.find('\n', from);
    EXPECT_LE(display_width(std::string_view(text).substr(from, end - from)), 80U);
    from = end + 1;
  }
}

TEST(DiagnosisText, says_how_many_requests_the_recording_cut_off) {
  Diagnosis d = sample();
  EXPECT_THAT(diagnosis_text(d, Lang::en, 200), Not(HasSubstr("unfinished")));
  d.requests.n_cut_off = 4;
  EXPECT_THAT(diagnosis_text(d, Lang::en, 200),
              HasSubstr("4 of 516 requests were unfinished at the beginning or the end of the recording and "
                        "are not in these figures."));
  EXPECT_THAT(diagnosis_text(d, Lang::zh, 200), HasSubstr("516 个请求中有 4 个在录制开始或结束时未完成"));
  EXPECT_THAT(to_yaml(diagnosis_doc(d)), HasSubstr("n_cut_off: 4\n"));
}

// "The trace has no request and no model run. 25 of 25 requests were unfinished."
TEST(DiagnosisText, of_requests_that_all_were_cut_off_says_to_record_longer) {
  struct Row {
    std::int64_t n_cut_off;
    const char *en, *zh;
  };
  for (const Row& row :
       {Row{25, "Of 25 requests in this trace none finished within the recording: record longer",
            "25 个请求在录制期间无一完成：请延长录制时间"},
        Row{0, "The trace has no request and no model run.", "跟踪中既没有请求也没有模型运行。"}}) {
    Diagnosis d = sample();
    d.requests = {};
    d.requests.unit = d.requests.word = "request";
    d.requests.n_cut_off = row.n_cut_off;
    for (const Lang lang : {Lang::en, Lang::zh})
      for (const std::string& shown : {diagnosis_text(d, lang, 200), diagnosis_markdown(d, lang)}) {
        EXPECT_THAT(shown, HasSubstr(lang == Lang::en ? row.en : row.zh));
        if (row.n_cut_off > 0) {
          EXPECT_THAT(shown, Not(HasSubstr("no request and no")));
          EXPECT_THAT(shown, Not(HasSubstr("were unfinished")));
        }
      }
  }
}

TEST(DiagnosisText, says_which_share_orders_the_causes) {
  for (const auto& [problem, words] :
       {std::pair{"high_p99_latency", "(share of the slowest 5 % x confidence)"},
        {"low_throughput", "(share x confidence)"},
        {"auto", "(the larger of the two shares x confidence)"}}) {
    Diagnosis d = sample();
    d.problem = problem;
    EXPECT_THAT(diagnosis_text(d, Lang::en, 200), HasSubstr(words));
    EXPECT_THAT(diagnosis_markdown(d, Lang::en), HasSubstr(words));
  }
}

TEST(DiagnosisText, calls_steps_steps) {
  Diagnosis d = sample();
  d.requests.word = d.causes[0].share.word = "iteration";
  const std::string text = diagnosis_text(d, Lang::en, 200);
  EXPECT_THAT(text, HasSubstr("512 steps: mean 400 ms"));
  EXPECT_THAT(text, HasSubstr("Where the time of the steps went (sums to 100 %)"));
  EXPECT_THAT(text, HasSubstr("12 % of all steps (11 % to 13 %), 10 % of the slowest 5 %"));
  EXPECT_THAT(diagnosis_text(d, Lang::zh, 200), HasSubstr("512 个步：平均 400 ms"));
}

// Two requests have no interval: nothing is printed as one.
TEST(DiagnosisText, gives_no_interval_where_there_is_none) {
  Diagnosis d = sample();
  d.causes[0].share.mean = d.causes[0].share.mean_low = d.causes[0].share.mean_high = 0.788;
  EXPECT_THAT(diagnosis_text(d, Lang::en, 200), HasSubstr("78.8 % of all requests, 10 % of the slowest 5 %"));
  EXPECT_THAT(to_yaml(diagnosis_doc(d)), Not(HasSubstr("mean_ci95")));
}

// 0.07642 was shown as 7.60 % beside evidence of 7.64 %.
TEST(DiagnosisText, a_share_has_the_digits_of_the_unrounded_value) {
  Diagnosis d = sample();
  d.causes[0].share.mean = 0.07642;
  EXPECT_THAT(diagnosis_text(d, Lang::en, 200), HasSubstr("7.64 % of all requests"));
  EXPECT_THAT(to_yaml(diagnosis_doc(d)), HasSubstr("mean: 0.07642\n"));
}

TEST(DiagnosisText, no_cause_found_names_the_rules_that_could_not_look) {
  Diagnosis d = sample();
  d.causes.clear();
  EXPECT_THAT(diagnosis_text(d, Lang::en),
              HasSubstr("No cause found. These rules could not look, for want of data: cpu_contention."));
  d.cannot_tell.clear();
  EXPECT_THAT(diagnosis_text(d, Lang::en),
              HasSubstr("No cause found. Every rule that applies had its data."));
}

TEST(DiagnosisViews, hostile_names_are_harmless_everywhere) {
  Diagnosis d = sample();
  d.target = kEvil;
  d.causes[0].examples.push_back({1, 2, 3, kEvil});
  d.causes[0].summary = kEvil;
  d.cannot_tell[0].missing[0].detail = kEvil;
  const std::string text = diagnosis_text(d, Lang::en), markdown = diagnosis_markdown(d, Lang::en);
  for (const std::string* out : {&text, &markdown}) {
    EXPECT_EQ(out->find('\x1b'), std::string::npos);
    EXPECT_EQ(out->find('\xff'), std::string::npos);
  }
  EXPECT_THAT(markdown, Not(HasSubstr("<script>")));
  EXPECT_THAT(markdown, Not(HasSubstr("\n# x")));
  EXPECT_EQ(valid_utf8(to_json(diagnosis_doc(d))), to_json(diagnosis_doc(d)));
}

TEST(DiagnosisMarkdown, shows_the_query_of_the_key_evidence) {
  const std::string markdown = diagnosis_markdown(sample(), Lang::en);
  EXPECT_THAT(markdown, HasSubstr("```sql\nselect 1\nfrom op\n```"));
  EXPECT_THAT(markdown, HasSubstr("| `cpu_op` | 75.0 % | 50.0 % |"));
  EXPECT_THAT(markdown, HasSubstr("### 1. Tensors are converted (`layout_transform`)"));
}

TEST(RulesMarkdown, lists_limits_with_their_sources) {
  const auto rules = builtin_rules();
  ASSERT_TRUE(rules.ok());
  const std::string markdown = rules_markdown(*rules, Lang::en);
  EXPECT_THAT(markdown, HasSubstr("## `queueing`"));
  EXPECT_THAT(markdown, HasSubstr("| `queue_share` (key) | &gt; 5 % | +2.5 / -3 |"));
}

TEST(SafeText, one_line_shows_controls_and_cuts_at_a_character) {
  EXPECT_EQ(one_line("a\nb\x1b[0m\x7f"), "a\\x0ab\\x1b[0m\\x7f");
  EXPECT_EQ(one_line("\xE2\x80\xAE"
                     "evil"),
            "\\u202eevil"); // right-to-left override
  EXPECT_EQ(one_line("中文", 4), "中...");
  EXPECT_EQ(one_line(std::string(10'000, 'x')).size(), 403U);
}

TEST(SafeText, markdown_escapes_what_would_be_markup) {
  EXPECT_EQ(markdown_text("a|b<c>*d*"), "a\\|b&lt;c&gt;\\*d\\*");
  EXPECT_EQ(markdown_text("- item"), "\\- item");
  EXPECT_EQ(markdown_code("a`b``c"), "```a`b``c```");
  EXPECT_EQ(markdown_code("`"), "`` ` ``");
}

TEST(SafeText, wrap_breaks_at_blanks_between_wide_characters_and_in_long_words) {
  EXPECT_EQ(wrap("ab cd ef", 5), (std::vector<std::string>{"ab cd", "ef"}));
  EXPECT_EQ(wrap("中文字符", 5), (std::vector<std::string>{"中文", "字符"}));
  EXPECT_EQ(wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("", 10), std::vector<std::string>{""});
  EXPECT_EQ(display_width("a中"), 3U);
}

} // namespace
} // namespace prof
