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
