// What the page says in tables: findings with the place of their examples, operators and kernels in groups.
#include "../store/trace_builder.hpp"
#include "page_reader.hpp"
#include "report/html/finding_words.hpp"
#include "report/html/page_findings.hpp"
#include "report/html/page_operators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace prof {
namespace {

using nlohmann::json;

// Slices by track, then start: 0 = request, 1 = stage, 2 = /c.
Store one_request() {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.stage("denoise", worker, 5100, 5900, {1}).op("Conv", worker, 5100, 5400, "/c").request(1, 5000, 6000);
  return t.seal();
}
json findings(const Store& store, const std::vector<DiagnosedExample>& examples, std::int64_t start_ns,
              std::int64_t duration_ns) {
  DiagnosisFile file;
  file.trace_start_ns = start_ns, file.trace_duration_ns = duration_ns;
  file.causes.push_back({.id = "a",
                         .title = {},
                         .summary = {},
                         .actions = {},
                         .evidence = {},
                         .against = {},
                         .examples = examples});
  return findings_json(file, store, build_rows(store));
}
std::uint32_t slice_named(const Store& store, std::string_view name) {
  const SliceTable& slice = store.tables().slice;
  for (std::uint32_t i = 0; i < slice.name.size(); ++i)
    if (store.text(slice.name[i]) == name) return i;
  return kNoRow;
}

TEST(PageFindings, an_example_stands_on_the_row_and_at_the_time_of_its_slice) {
  const Store store = one_request();
  const std::uint32_t op = slice_named(store, "/c");
  const json out =
      findings(store, {{.slice_id = op, .ts_ns = 5100, .dur_ns = 300, .name = "/c"}}, 5000, 1000);
  EXPECT_EQ(out["same"], true);
  const PageRows rows = build_rows(store);
  const json example = out["causes"][0]["examples"][0];
  EXPECT_EQ(example, json({op, rows.row_of_slice[op], 100, 300, "/c"}));
  EXPECT_EQ(rows.rows[example[1].get<std::size_t>()].depth, 1);
}

Rule small_ops() {
  Rule rule;
  rule.id = "small_ops";
  rule.title = {"Many small operators", "大量小算子"};
  rule.summary = {"{ops} {ops#operator|operators} per {unit_name} take {share}.",
                  "每个{unit_name}有 {ops} 个算子，占 {share}。"};
  EvidenceDef& share = rule.evidence.emplace_back();
  share.name = "share";
  share.text = {"{value} of the time", "时间的 {value}"};
  return rule;
}
json said(const std::string& id, const std::string& title, const std::string& summary,
          const DiagnosedEvidence& evidence) {
  const Store store = one_request();
  DiagnosisFile file;
  file.causes.push_back({.id = id,
                         .title = title,
                         .summary = summary,
                         .actions = {},
                         .evidence = {evidence},
                         .against = {},
                         .examples = {}});
  return findings_json(file, store, build_rows(store), {small_ops()})["causes"][0];
}
DiagnosedEvidence evidence(const std::string& name, const std::string& text) {
  return {.text = text, .unit = {}, .sql = {}, .value = {}, .examples = {}, .name = name};
}

TEST(PageFindings, what_a_rule_says_comes_in_both_languages_whichever_the_report_has) {
  const json summaries{{"en", "1 operator per model run take 3.5 %."},
                       {"zh", "每个模型运行有 1 个算子，占 3.5 %。"}};
  const json from_en = said("small_ops", "Many small operators", "1 operator per model run take 3.5 %.",
                            evidence("share", "3.5 % of the time"));
  EXPECT_EQ(from_en["titles"], json({{"en", "Many small operators"}, {"zh", "大量小算子"}}));
  EXPECT_EQ(from_en["summaries"], summaries);
  EXPECT_EQ(from_en["evidence"][0]["texts"], json({{"en", "3.5 % of the time"}, {"zh", "时间的 3.5 %"}}));
  const json from_zh = said("small_ops", "大量小算子", "每个模型运行有 1 个算子，占 3.5 %。",
                            evidence("share", "时间的 3.5 %"));
  for (const char* key : {"titles", "summaries"})
    EXPECT_EQ(from_zh[key], from_en[key]) << key;
  EXPECT_EQ(from_zh["evidence"][0]["texts"], from_en["evidence"][0]["texts"]);
}

TEST(PageFindings, a_summary_agrees_with_its_count_in_every_language) {
  for (const auto& [count, word] : {std::pair{"0", "operators"}, {"1", "operator"}, {"2", "operators"}}) {
    const std::string zh = "每个请求有 " + std::string(count) + " 个算子，占 5 %。";
    EXPECT_EQ(said("small_ops", "", zh, {})["summaries"]["en"],
              std::string(count) + " " + word + " per request take 5 %.");
  }
}

TEST(PageFindings, the_sentences_of_the_engine_come_in_both_languages_too) {
  const json cause =
      said("small_ops", "",
           "2 operators per request take 5 %. The workers are busy because serving takes long: Many small "
           "operators make up to 40.0 % of the service time, so mending them shortens the queue as well. "
           "Queueing is the symptom here.",
           evidence("latency_correlation",
                    "this time grows with the latency of the request: rank correlation 0.93"));
  EXPECT_EQ(cause["summaries"]["zh"],
            "每个请求有 2 个算子，占 5 %。 工作线程之所以繁忙是因为处理耗时过长：大量小算子 "
            "最多占处理时间的 40.0 %，解决它们也会缩短队列。此处排队只是表象。");
  EXPECT_EQ(cause["evidence"][0]["texts"]["zh"], "这部分时间随请求延迟增长：秩相关系数 0.93");
}

TEST(PageFindings, words_that_no_rule_says_stay_as_they_are) {
  const json other =
      said("own_rule", "Mine", "1 operator per request take 5 %.", evidence("share", "5 % of it"));
  const json changed = said("small_ops", "My words", "Some operators.", evidence("own", "5 % of the time"));
  for (const json& cause : {other, changed}) {
    EXPECT_TRUE(cause["titles"].is_null());
    EXPECT_TRUE(cause["summaries"].is_null());
    EXPECT_TRUE(cause["evidence"][0]["texts"].is_null());
  }
  EXPECT_EQ(other["title"], "Mine");
  EXPECT_EQ(changed["summary"], "Some operators.");
}

// Every sentence of every rule, filled with figures, reads back the same in the other language.
TEST(PageFindings, each_sentence_of_the_built_in_rules_is_known_in_the_other_language) {
  const auto rules = builtin_rules();
  ASSERT_TRUE(rules);
  const FindingWords words(*rules);
  for (const Rule& rule : *rules) {
    std::map<std::string, std::string, std::less<>> values{{"unit_name", "request"}, {"value", "1"}};
    for (const EvidenceDef& e : rule.evidence)
      values[e.name] = std::to_string(values.size() % 3) + ".5 ms";
    for (const FactDef& f : rule.facts)
      values[f.name] = std::to_string(values.size() % 3);
    for (const char* name : {"share_mean", "share_slow", "n"})
      values[name] = std::to_string(values.size() * 10) + ".0 %";
    auto in_chinese = values;
    in_chinese["unit_name"] = "请求";
    const auto check = [&](const BothTexts& text, const std::optional<BothTexts>& known) {
      ASSERT_TRUE(known) << rule.id << ": " << text.en;
      EXPECT_EQ(known->zh, fill_in(text.zh, in_chinese)) << rule.id;
      EXPECT_EQ(known->en, fill_in(text.en, values)) << rule.id;
    };
    DiagnosedCause cause;
    cause.id = rule.id;
    for (const auto& [lang, filling] : {std::pair(Lang::en, values), std::pair(Lang::zh, in_chinese)}) {
      cause.summary = fill_in(rule.summary.in(lang), filling);
      check(rule.summary, words.summary(cause));
      for (const EvidenceDef& e : rule.evidence)
        check(e.text, words.evidence(cause, evidence(e.name, fill_in(e.text.in(lang), filling))));
    }
  }
}

TEST(PageFindings, a_span_that_this_trace_lacks_has_no_row) {
  const Store store = one_request();
  const auto op = static_cast<std::int64_t>(slice_named(store, "/c"));
  const std::vector<DiagnosedExample> wrong{{.slice_id = op, .ts_ns = 5101, .dur_ns = 300, .name = {}},
                                            {.slice_id = op, .ts_ns = 5100, .dur_ns = 301, .name = {}},
                                            {.slice_id = -1, .ts_ns = 5100, .dur_ns = 300, .name = {}},
                                            {.slice_id = 3, .ts_ns = 5100, .dur_ns = 300, .name = {}},
                                            {.slice_id = INT64_MAX, .ts_ns = 0, .dur_ns = 0, .name = {}}};
  const json out = findings(store, wrong, 5000, 1000);
  for (const json& example : out["causes"][0]["examples"])
    EXPECT_EQ(example[1], -1) << example;
}

TEST(PageFindings, another_start_or_another_length_is_another_recording) {
  const Store store = one_request();
  EXPECT_EQ(findings(store, {}, 5000, 1000)["same"], true);
  EXPECT_EQ(findings(store, {}, 5001, 1000)["same"], false);
  EXPECT_EQ(findings(store, {}, 5000, 999)["same"], false);
}

TEST(PageFindings, a_finding_says_what_its_share_is_a_share_of) {
  TraceBuilder steps, plain;
  steps.sink().metadata("request.source", "ProfilerStep markers");
  for (TraceBuilder* t : {&steps, &plain})
    t->slice("x", words::kSpan, t->thread(7, 70, "a").track, 0, 10);
  const Store of_steps = steps.seal(), of_requests = plain.seal();
  const auto of = [](const Store& store, const std::string& unit) {
    DiagnosisFile file;
    file.causes.emplace_back();
    file.causes[0].share_unit = unit;
    const json cause = findings_json(file, store, build_rows(store), {})["causes"][0];
    return cause["of"]["en"].get<std::string>() + (cause["is_whole"].get<bool>() ? ", whole" : "");
  };
  EXPECT_EQ(of(of_requests, "request"), "the request time");
  EXPECT_EQ(of(of_requests, ""), "the request time"); // a report of before there were units
  EXPECT_EQ(of(of_steps, "request"), "the time of the steps");
  EXPECT_EQ(of(of_steps, "device"), "the device's window, whole");
  EXPECT_EQ(of(of_requests, "thread"), "the recorded time of the threads, whole");
  EXPECT_EQ(of(of_requests, "run"), "the time of the model runs");
  EXPECT_EQ(of(of_requests, "<b>"), "the whole");
}

TEST(PageFindings, what_the_report_says_can_end_no_element_of_the_page) {
  const Store store = one_request();
  DiagnosisFile file;
  const std::string hostile = "</script><script>alert(1)</script>";
  file.causes.push_back(
      {.id = hostile,
       .title = hostile,
       .summary = hostile,
       .actions = {hostile},
       .evidence = {{.text = hostile, .unit = hostile, .sql = hostile, .value = 1, .examples = {}}},
       .against = {},
       .examples = {}});
  PageOptions options;
  options.diagnosis = &file;
  const PageReader page(store, options);
  EXPECT_EQ(page.page().find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(page.json("meta")["findings"]["causes"][0]["evidence"][0]["sql"], hostile);
}

TEST(PageFindings, without_a_report_the_page_has_none) {
  EXPECT_FALSE(PageReader(one_request()).json("meta").contains("findings"));
}

// Rows as [type, value, n, total, self, min, p50, p99, max, launch].
TEST(PageOperators, groups_hold_the_figures_of_their_members) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  // 100, 200 and 400 ns; the second has a child of 50 ns.
  t.op("Conv", worker, 0, 100, "/a").op("Conv", worker, 200, 400, "/b").op("Add", worker, 300, 350, "/c");
  t.op("Conv", worker, 500, 900, "/a");
  const json ops = operators_json(t.seal())["op"];
  // p99 of {100, 200, 400} at rank 1.98: 200 + 0.98 * 200; of {100, 400} at rank 0.99: 100 + 0.99 * 300.
  EXPECT_EQ(ops["type"]["rows"],
            json::array({{"Conv", "", 3, 700.0, 650.0, 100.0, 200.0, 396.0, 400.0, nullptr},
                         {"Add", "", 1, 50.0, 50.0, 50.0, 50.0, 50.0, 50.0, nullptr}}));
  EXPECT_EQ(ops["name"]["rows"],
            json::array({{"Conv", "/a", 2, 500.0, 500.0, 100.0, 250.0, 397.0, 400.0, nullptr},
                         {"Conv", "/b", 1, 200.0, 150.0, 200.0, 200.0, 200.0, 200.0, nullptr},
                         {"Add", "/c", 1, 50.0, 50.0, 50.0, 50.0, 50.0, 50.0, nullptr}}));
  EXPECT_FALSE(ops.contains("shape"));
  EXPECT_FALSE(ops.contains("dtype"));
}

TEST(PageOperators, shapes_are_a_grouping_where_the_trace_knows_them) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  const auto op = [&](std::int64_t from, std::int64_t to, const std::string& shape) {
    TraceBuilder::SliceOptions options;
    options.texts = {{std::string(words::kArgOpType), "MatMul"}};
    if (!shape.empty()) options.texts.emplace_back(std::string(words::kArgInputShapes), shape);
    t.slice("/m", words::kOp, worker.track, from, to, options);
  };
  op(0, 10, "[2,3]"), op(20, 50, "[4,4]"), op(60, 70, "[2,3]"), op(80, 81, "");
  const json shapes = operators_json(t.seal())["op"]["shape"]["rows"];
  ASSERT_EQ(shapes.size(), 3U);
  EXPECT_EQ(shapes[0][1], "[4,4]");
  EXPECT_EQ(shapes[1], json({"MatMul", "[2,3]", 2, 20.0, 20.0, 10.0, 10.0, 10.0, 10.0, nullptr}));
  EXPECT_EQ(shapes[2][1], "");
}

TEST(PageOperators, a_kernel_says_how_long_after_its_launch_it_began) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  TraceBuilder::SliceOptions first, second;
  first.flows_out = {1}, second.flows_out = {2};
  t.slice("launch", "span", worker.track, 100, 110, first)
      .slice("launch", "span", worker.track, 200, 210, second);
  const auto stream = t.stream(0, 2);
  t.kernel(stream, "conv", KernelKind::compute, 130, 150, 1)
      .kernel(stream, "conv", KernelKind::compute, 270, 280, 2);
  t.kernel(stream, "add", KernelKind::compute, 300, 305);
  const json kernels = operators_json(t.seal())["kernel"]["type"]["rows"];
  EXPECT_EQ(kernels,
            json::array({{"conv", "", 2, 30.0, nullptr, 10.0, 15.0, 19.9, 20.0, 50.0}, // 30 and 70 after
                         {"add", "", 1, 5.0, nullptr, 5.0, 5.0, 5.0, 5.0, nullptr}}));
}

TEST(PageOperators, a_trace_without_any_has_none_and_too_many_are_counted) {
  StoreBuilder nothing;
  EXPECT_EQ(operators_json(nothing.seal()), json({{"op", nullptr}, {"kernel", nullptr}}));
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  for (int i = 0; i < 3005; ++i)
    t.op("Add", worker, i * 10, i * 10 + 1, "/n" + std::to_string(i));
  const json names = operators_json(t.seal())["op"]["name"];
  EXPECT_EQ(names["rows"].size(), 3000U);
  EXPECT_EQ(names["cut"], 5);
}

} // namespace
} // namespace prof
