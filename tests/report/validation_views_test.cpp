#include "../verdict/made_runs.hpp"
#include "report/comparison_view.hpp"
#include "report/validation_view.hpp"
#include "verdict/gate.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

using namespace prof;
using namespace prof::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

MetricDef bandwidth() {
  MetricDef def;
  def.id = "mem_bandwidth", def.unit = "bytes/s", def.better = Better::high;
  return def;
}

Validation example(std::size_t runs, const std::string& path = {}) {
  const std::vector metrics{p50(), p99(), mean_latency(), bandwidth()};
  auto before = made_runs(1, runs, {.run_noise = 0.02, .slow_share = 0.02, .slow_times = 3}, metrics);
  auto after =
      made_runs(2, runs, {.level = 82e6, .run_noise = 0.02, .slow_share = 0.02, .slow_times = 3}, metrics);
  std::int64_t start = 1'700'000'000'000'000'000;
  for (std::size_t i = 0; i < runs; ++i)
    for (RunFacts* run : {&before[i], &after[i]}) {
      run->metrics[3].value = {
          .value = {}, .n = 0, .reason = "verdict.not_finite", .mend = "", .detail = "pmu"};
      run->start_realtime_ns = start += 60'000'000'000;
      run->settings["host"] = "lab", run->has_status = true, run->events = 10'000;
      if (!path.empty()) run->path = path;
    }
  return *validate(metrics, before, after, {.test = TestKind::t_test, .draws = 500});
}

std::string pdf_text(const std::string& bytes, const char* name) {
  const auto folder = std::filesystem::temp_directory_path();
  const auto pdf = folder / (std::string(name) + ".pdf"), txt = folder / (std::string(name) + ".txt");
  std::ofstream(pdf, std::ios::binary) << bytes;
  if (std::system(("pdftotext -layout '" + pdf.string() + "' '" + txt.string() + "'").c_str()) != 0)
    return "pdftotext failed";
  std::ifstream file(txt);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string kHostile =
    std::string("\"><script>|`*_\n\x1b[31m=cmd()") + "\xff\xfe" + std::string(10'000, 'x');

} // namespace

TEST(validation_views, markdown_states_verdicts_and_what_replaced_the_t_test) {
  const std::string md = page_markdown(validation_page(example(6), Lang::en));
  EXPECT_THAT(md, HasSubstr("Significantly better: p50_latency"));
  EXPECT_THAT(md, HasSubstr("Percentiles were not tested with the t-test"));
  EXPECT_THAT(md, HasSubstr("permutation, 6 + 6 runs"));
  EXPECT_THAT(md, testing::ContainsRegex("\\| -1[0-9.]+ % \\[-[0-9.]+ %, -[0-9.]+ %\\] \\|"))
      << "figures can be copied";
  EXPECT_THAT(md, HasSubstr("mem_bandwidth: not available"));
}

TEST(validation_views, one_run_a_side_is_said_first_and_at_every_claim) {
  const std::string text = page_text(validation_page(example(1), Lang::en), 200);
  EXPECT_THAT(text, HasSubstr("One trace a side"));
  EXPECT_THAT(text, HasSubstr("indicative: one run a side"));
  EXPECT_THAT(text, HasSubstr("within these two runs alone"));
}

TEST(validation_views, chinese_has_no_english_sentence_left) {
  const std::string text = page_text(validation_page(example(6), Lang::zh), 200);
  EXPECT_THAT(text, HasSubstr("显著变好"));
  EXPECT_THAT(text, HasSubstr("两侧是否可比"));
  EXPECT_THAT(text, Not(HasSubstr("verdict.")));
  EXPECT_THAT(text, Not(HasSubstr("significant")));
}

TEST(validation_views, machine_keys_stay_english_and_carry_the_numbers) {
  const std::string json = to_json(validation_doc(example(6)));
  EXPECT_THAT(json, HasSubstr("\"schema\": \"cann-profiler/validation/1\""));
  EXPECT_THAT(json, HasSubstr("\"verdict\": \"better\""));
  EXPECT_THAT(json, HasSubstr("\"verdict\": \"unavailable\""));
  EXPECT_THAT(json, HasSubstr("\"p_holm\""));
}

TEST(validation_views, pdf_can_be_read_in_both_languages_and_is_the_same_twice) {
  const Validation v = example(6);
  bool is_english = false;
  const std::string en = *validation_pdf(v, Lang::en, is_english);
  EXPECT_TRUE(en.starts_with("%PDF-1.5"));
  EXPECT_EQ(en, *validation_pdf(v, Lang::en, is_english));
  const std::string text = pdf_text(en, "prof_validation_en");
  for (const char* want : {"Validation report", "Verdict by metric", "p99_latency", "significantly",
                           "Distribution of request latency", "Runs in time order"})
    EXPECT_THAT(text, HasSubstr(want));
  const std::string zh = pdf_text(*validation_pdf(v, Lang::zh, is_english), "prof_validation_zh");
  if (is_english) GTEST_SKIP() << "no Chinese font here";
  EXPECT_THAT(zh, HasSubstr("验证报告"));
  EXPECT_THAT(zh, HasSubstr("显著变好"));
}

TEST(validation_views, every_figure_of_the_report_stands_in_the_pdf) {
  if (std::system("command -v pdftotext >/dev/null") != 0) GTEST_SKIP() << "no pdftotext";
  const Validation v = example(6);
  bool is_in_english = false;
  const std::string text = pdf_text(*validation_pdf(v, Lang::en, is_in_english), "figures");
  int figures = 0;
  for (const PageSection& section : validation_page(v, Lang::en).sections)
    for (const auto& row : section.table.rows)
      for (const std::string& cell : row) {
        std::istringstream words(cell); // a cell may go over several lines
        for (std::string word; words >> word;)
          if (word.find_first_of("0123456789") != std::string::npos && word.size() < 14) {
            EXPECT_THAT(text, HasSubstr(word)) << cell;
            ++figures;
          }
      }
  EXPECT_GT(figures, 40);
}

TEST(validation_views, pdf_of_one_run_a_side_and_of_nothing) {
  bool is_english = false;
  EXPECT_THAT(pdf_text(*validation_pdf(example(1), Lang::en, is_english), "prof_validation_one"),
              HasSubstr("One trace a side"));
  EXPECT_TRUE(validation_pdf(Validation{}, Lang::en, is_english).ok());
}

TEST(validation_views, hostile_names_pass_through_every_form) {
  const Validation v = example(2, kHostile);
  const std::string md = page_markdown(validation_page(v, Lang::en));
  EXPECT_THAT(md, Not(HasSubstr("<script>")));
  EXPECT_THAT(md, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page_text(validation_page(v, Lang::en)), Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_yaml(validation_doc(v)), Not(HasSubstr("\xff")));
  bool is_english = false;
  EXPECT_TRUE(validation_pdf(v, Lang::en, is_english).ok());
}

TEST(validation_views, say_which_estimator_a_percentile_is) {
  Validation v = example(6);
  v.metrics[1].plain_before = 170e6 + 0.5, v.metrics[1].plain_after = 150e6;
  const std::string text = page_markdown(validation_page(v, Lang::en));
  EXPECT_THAT(text, HasSubstr("permutation, 6 + 6 runs; values: Harrell-Davis"));
  EXPECT_THAT(text,
              HasSubstr("is 170 ms before and 150 ms after, all four the geometric mean over the runs"));
  EXPECT_THAT(to_json(validation_doc(v)), HasSubstr("\"before_type7\": 170000000.5"));
}

TEST(validation_views, a_number_of_runs_that_nobody_makes_is_said_in_words) {
  Validation v = example(6);
  MetricVerdict& m = v.metrics[2];
  m.outcome = Outcome::no_change, m.needed = 8668174, m.detectable = 2e25, m.margin = 0.02;
  const std::string text = page_markdown(validation_page(v, Lang::en));
  EXPECT_THAT(text, HasSubstr("only a change of more than 1000 % would have been found"));
  EXPECT_THAT(text, HasSubstr("even 1000 runs a side would not find 2 %"));
  EXPECT_THAT(text, Not(HasSubstr("8668174")));
  m.needed = 1000, m.detectable = 0.04;
  EXPECT_THAT(page_markdown(validation_page(v, Lang::en)), HasSubstr("1000 runs a side would find 2 %"));
}

TEST(validation_views, pdf_says_that_an_interval_leaves_the_axis) {
  if (std::system("command -v pdftotext >/dev/null") != 0) GTEST_SKIP() << "no pdftotext";
  Validation v = example(6);
  bool is_english = false;
  EXPECT_THAT(pdf_text(*validation_pdf(v, Lang::en, is_english), "prof_validation_inside"),
              Not(HasSubstr("goes on beyond the axis")));
  v.metrics[2].change = 36.04, v.metrics[2].change_ci = ConfidenceInterval{30, 42};
  EXPECT_THAT(pdf_text(*validation_pdf(v, Lang::en, is_english), "prof_validation_beyond"),
              HasSubstr("goes on beyond the axis"));
}

TEST(validation_views, one_run_is_not_spoken_of_as_runs) {
  Validation v = example(2);
  v.before.resize(1);
  EXPECT_THAT(page_markdown(validation_page(v, Lang::en)), HasSubstr("Runs: 1 before, 2 after"));
  EXPECT_THAT(page_markdown(validation_page(v, Lang::en)), Not(HasSubstr("1 runs")));
}

TEST(gate_views, too_little_data_is_not_called_worse) {
  const std::vector metrics{p99()};
  const auto run = made_runs(1, 1, {.n = 8}, metrics);
  const Validation v = *validate(metrics, run, run, {});
  const std::string xml = gate_junit(gate(v, 0.03), Lang::en);
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("p99_latency: too little data to judge; needed: 100 samples a side"));
  EXPECT_THAT(xml, Not(HasSubstr("worse")));
}

// The terminal said that the sides were not comparable and kept to itself why.
TEST(validation_views, a_failed_check_is_named_with_its_figures) {
  Validation v = example(2);
  EXPECT_EQ(failed_checks_text(v, Lang::en), "");
  v.checks = {
      {.id = "lost_events", .state = CheckState::fail, .before = 2, .after = 0.5, .unit = "percent"},
      {.id = "offered_load", .state = CheckState::warn, .before = 9, .after = 5, .unit = "1/s"},
      {.id = "setting_scope", .state = CheckState::fail, .before_text = "full_stack", .after_text = ""}};
  const std::string en = failed_checks_text(v, Lang::en);
  EXPECT_THAT(en,
              AllOf(HasSubstr("not comparable: lost events: 2 % before, 0.5 % after (what was lost may be "
                              "what was slow); "),
                    HasSubstr(": full_stack before, - after ("), Not(HasSubstr("offered load"))));
  EXPECT_THAT(failed_checks_text(v, Lang::zh), HasSubstr("丢失事件：之前"));
  EXPECT_THAT(page_text(validation_page(v, Lang::en), 400), HasSubstr(en));
}

// "pass" stood beside an interval that reached to +133 %, and nothing said what the gate as a whole had
// answered.
TEST(gate_views, a_pass_that_is_not_proven_says_how_far_its_interval_reaches) {
  Validation v = example(6);
  v.metrics.resize(1);
  MetricVerdict& m = v.metrics[0];
  m.outcome = Outcome::no_change, m.change = 0.01, m.change_ci = ConfidenceInterval{-0.4, 1.33},
  m.metric.better = Better::low;
  EXPECT_THAT(
      page_text(gate_page(gate(v, 0.03), Lang::en), 300),
      AllOf(
          HasSubstr(
              "1.00 % worse as seen, but not proven to be within the limit: the interval reaches to +133 %"),
          HasSubstr("Gate passed: 1 of 1 metrics within the limit, 0 of them proven.")));
  m.change_ci = ConfidenceInterval{-0.01, 0.02};
  EXPECT_THAT(
      page_text(gate_page(gate(v, 0.03), Lang::en), 300),
      AllOf(Not(HasSubstr("not proven")), HasSubstr("1 of 1 metrics within the limit, 1 of them proven.")));
  m.outcome = Outcome::worse, m.change = 0.5;
  EXPECT_THAT(page_text(gate_page(gate(v, 0.03), Lang::zh), 300),
              HasSubstr("门禁未通过（退出码 1）：1 项指标中 0 项"));
}

TEST(gate_views, a_gate_without_any_metric_says_why_it_is_closed) {
  Validation v = example(2);
  EXPECT_THAT(page_text(gate_page(gate(v, 0.03), Lang::en)), Not(HasSubstr("othing was judged")));
  v.metrics.erase(v.metrics.begin(), v.metrics.begin() + 3); // mem_bandwidth is left, which no run has
  EXPECT_THAT(
      page_text(gate_page(gate(v, 0.03), Lang::en), 300),
      AllOf(HasSubstr("Nothing was judged, so the gate is not passed (exit 1, with --strict 6)"),
            HasSubstr("Missing on both sides: mem_bandwidth (the value is not a finite number: pmu)")));
}

TEST(gate_views, junit_is_xml_that_ci_reads) {
  Validation v = example(6);
  v.metrics[0].metric.id = "a<b>&\"'\x01";
  const std::string xml = gate_junit(gate(v, 0.03), Lang::en);
  EXPECT_THAT(xml, HasSubstr("<testsuites tests=\"4\" failures=\"0\" skipped=\"1\">"));
  EXPECT_THAT(xml, HasSubstr("a&lt;b&gt;&amp;&quot;&apos;\\x01"));
  std::swap(v.metrics[1].before, v.metrics[1].after);
  v.metrics[1].outcome = Outcome::worse, v.metrics[1].change = 0.2, v.metrics[1].difference = 1;
  EXPECT_THAT(
      gate_junit(gate(v, 0.03), Lang::en),
      HasSubstr("<failure type=\"regression\" message=\"p99_latency: 20.0 % worse; the limit is 3 %\"/>"));
}

TEST(gate_views, a_trace_that_is_not_whole_is_an_error_for_ci) {
  const std::vector metrics{mean_latency()};
  auto runs = made_runs(1, 4, {}, metrics);
  runs[0].is_incomplete = true;
  const Validation v = *validate(metrics, runs, runs, {});
  const Gate g = gate(v, 0.03);
  const std::string xml = gate_junit(g, Lang::en);
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" errors=\"1\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<error type=\"incomplete_trace\" message=\"mean_latency: "));
  EXPECT_THAT(page_text(gate_page(g, Lang::en), 300), HasSubstr("the gate is not passed (exit 1)"));
  EXPECT_THAT(page_text(gate_page(g, Lang::zh), 300), HasSubstr("无法判断"));
}

TEST(gate_views, say_which_check_forbids_an_answer_in_every_form) {
  const std::vector metrics{mean_latency(), p50()};
  auto before = made_runs(1, 4, {}, metrics), after = made_runs(2, 4, {}, metrics);
  for (RunFacts& run : before)
    run.settings["sampling_rate"] = "100%", run.metrics[1].value.value.reset(),
    run.metrics[1].value.reason = "verdict.not_finite";
  for (RunFacts& run : after)
    run.settings["sampling_rate"] = "10%";
  const Validation v = *validate(metrics, before, after, {});
  const Gate g = gate(v, 0.03);
  const std::string words = "not comparable: sampling rate: 100% before, 10% after";
  EXPECT_THAT(page_text(gate_page(g, Lang::en), 300), HasSubstr(words));
  EXPECT_THAT(page_text(gate_page(g, Lang::en), 300),
              HasSubstr("p50_latency: available after, but not before"));
  EXPECT_THAT(page_text(gate_page(g, Lang::zh), 300), HasSubstr("两侧不可比：采样率：之前 100%，之后 10%"));
  const std::string xml = gate_junit(g, Lang::en);
  EXPECT_THAT(xml, HasSubstr("<error type=\"not_comparable\" message=\"mean_latency: "));
  EXPECT_THAT(xml, HasSubstr("<error type=\"metric_on_one_side\" message=\"p50_latency: "));
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" errors=\"2\" skipped=\"0\""));
  const std::string json = to_json(gate_doc(g, v));
  EXPECT_THAT(json, HasSubstr("\"passed\": false"));
  EXPECT_THAT(json, HasSubstr("\"setting_sampling_rate\""));
  EXPECT_THAT(json, HasSubstr("\"state\": \"cannot_tell\""));
}

TEST(gate_views, junit_has_no_p_where_nothing_was_tested) {
  const std::vector metrics{mean_latency()};
  const auto before = made_runs(1, 1, {.n = 8}, metrics), after = made_runs(2, 1, {.n = 8}, metrics);
  const Validation v = *validate(metrics, before, after, {});
  const std::string xml = gate_junit(gate(v, 0.03), Lang::en);
  EXPECT_THAT(xml, HasSubstr(" p - "));
  EXPECT_THAT(xml, Not(HasSubstr("1.0000")));
}

TEST(comparison_views, show_the_largest_changes_and_how_many_there_are) {
  TraceWork a, b;
  a.requests = b.requests = 2, a.path = kHostile;
  for (int i = 0; i < 30; ++i)
    a.levels["op"][{"op" + std::to_string(i), "T"}] = {2, 1e6 * i},
                                              b.levels["op"][{"op" + std::to_string(i), "T"}] = {2, 2e6 * i};
  const Comparison c = compare(a, b);
  const std::string text = page_text(comparison_page(c, Lang::en, 5), 150);
  EXPECT_THAT(text, HasSubstr("op29"));
  EXPECT_THAT(text, Not(HasSubstr("op24")));
  EXPECT_THAT(text, HasSubstr("5 of 30 rows"));
  EXPECT_THAT(page_markdown(comparison_page(c, Lang::zh, 5)), Not(HasSubstr("<script>")));
  EXPECT_THAT(to_json(comparison_doc(c)), HasSubstr("\"duration_effect_ns\""));
}
