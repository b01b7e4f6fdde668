// What a plan reads of a diagnosis report, and how it answers a file that is none.
#include "plan/diagnosis_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHead = "schema: cann-profiler/diagnosis/1\n";

Error error_of(const std::string& yaml) {
  auto parsed = parse_diagnosis(yaml, "d.yaml");
  EXPECT_FALSE(parsed.ok());
  return parsed ? Error{} : std::move(parsed).error();
}

TEST(DiagnosisFile, gives_what_a_plan_needs) {
  const auto file =
      parse_diagnosis(kHead + "trace: {path: a.pb, sha256: cafe}\ntarget: svc\nproblem: high_latency\n"
                              "causes:\n  - id: queueing\n    title: 排队\n    confidence: 0.9\n"
                              "    share: {mean: 0.25, slow: 0.5}\n    actions: [x, y]\n",
                      "d.yaml");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->trace_path, "a.pb");
  EXPECT_EQ(file->trace_sha256, "cafe");
  EXPECT_EQ(file->target, "svc");
  EXPECT_EQ(file->problem, "high_latency");
  ASSERT_EQ(file->causes.size(), 1U);
  EXPECT_EQ(file->causes[0].id, "queueing");
  EXPECT_EQ(file->causes[0].title, "排队");
  EXPECT_DOUBLE_EQ(file->causes[0].confidence, 0.9);
  EXPECT_DOUBLE_EQ(file->causes[0].share_mean, 0.25);
  EXPECT_DOUBLE_EQ(file->causes[0].share_slow, 0.5);
  EXPECT_THAT(file->causes[0].actions, ElementsAre("x", "y"));
}

TEST(DiagnosisFile, gives_the_evidence_with_its_queries_and_example_spans) {
  const auto file = parse_diagnosis(
      kHead + "trace: {start_ns: 5000000000000, duration_ns: 42}\ncauses:\n  - id: a\n    summary: s\n"
              "    evidence:\n      - {text: t, value: 0.5, unit: share, sql: select 1,\n"
              "         examples: [{slice_id: 7, ts_ns: 9007199254740993, dur_ns: 3, name: n}]}\n"
              "      - {text: u, value: null}\n      - {text: v, value: .nan}\n      - just text\n"
              "    against: [{text: w}]\n    examples: [{slice_id: x}, {ts_ns: 1}]\n",
      "d");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->trace_start_ns, 5'000'000'000'000);
  EXPECT_EQ(file->trace_duration_ns, 42);
  const DiagnosedCause& cause = file->causes.at(0);
  EXPECT_EQ(cause.summary, "s");
  ASSERT_EQ(cause.evidence.size(), 3U);
  EXPECT_EQ(cause.evidence[0].sql, "select 1");
  EXPECT_EQ(cause.evidence[0].unit, "share");
  EXPECT_DOUBLE_EQ(cause.evidence[0].value.value(), 0.5);
  const DiagnosedExample& example = cause.evidence[0].examples.at(0);
  EXPECT_EQ(example.slice_id, 7);
  EXPECT_EQ(example.ts_ns, 9'007'199'254'740'993); // through no double
  EXPECT_EQ(example.dur_ns, 3);
  EXPECT_EQ(example.name, "n");
  EXPECT_FALSE(cause.evidence[1].value.has_value());
  EXPECT_FALSE(cause.evidence[2].value.has_value());
  EXPECT_EQ(cause.against.at(0).text, "w");
  EXPECT_EQ(cause.examples.at(0).slice_id, -1);
  EXPECT_EQ(cause.examples.at(1).slice_id, -1);
}

TEST(DiagnosisFile, json_is_read_as_well) {
  const auto file =
      parse_diagnosis(R"({"schema": "cann-profiler/diagnosis/1", "causes": [{"id": "a"}]})", "d.json");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->causes.at(0).id, "a");
}

TEST(DiagnosisFile, no_cause_found_is_an_empty_list) {
  EXPECT_TRUE(parse_diagnosis(kHead + "causes: []\n", "d")->causes.empty());
  EXPECT_TRUE(parse_diagnosis(kHead + "causes:\n", "d")->causes.empty());
}

TEST(DiagnosisFile, figures_that_are_none_are_refused_with_their_line) {
  for (const char* cause : {"confidence: .inf", "confidence: .nan", "confidence: 7", "confidence: -0.1",
                            "confidence: sure", "confidence: [1]", "share: 3", "share: {mean: much}",
                            "share: {slow: .nan}", "share: {mean: 1.5}", "share: {slow: -1e-3}"}) {
    const Error error = error_of(kHead + "causes:\n  - id: a\n    " + cause + "\n");
    EXPECT_EQ(error.code, Errc::malformed) << cause;
    EXPECT_EQ(error.where, "d.yaml:4") << cause;
  }
  EXPECT_THAT(error_of(kHead + "causes: [{id: a, confidence: 7}]\n").what,
              HasSubstr("confidence must be a number from 0 to 1, not '7'"));
}

TEST(DiagnosisFile, figures_that_are_not_known_are_zero) {
  const auto file = parse_diagnosis(
      kHead + "causes: [{id: a, confidence: null, share: null}, {id: b, share: {mean: , slow: 1}}]\n", "d");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->causes[0].confidence, 0);
  EXPECT_EQ(file->causes[1].share_mean, 0);
  EXPECT_EQ(file->causes[1].share_slow, 1);
}

TEST(DiagnosisFile, another_file_is_named_for_what_it_is_not) {
  EXPECT_THAT(error_of("just text").what, HasSubstr("profiler diagnose"));
  EXPECT_EQ(error_of("schema: cann-profiler/plan/1\n").code, Errc::unsupported);
  EXPECT_EQ(error_of("a: 1\n").code, Errc::malformed);
  EXPECT_THAT(error_of(kHead).what, HasSubstr("'causes' is missing"));
  EXPECT_EQ(error_of(kHead + "causes: 3\n").where, "d.yaml:2");
  EXPECT_THAT(error_of(kHead + "causes:\n  - {title: x}\n").what, HasSubstr("without an id"));
  EXPECT_EQ(error_of(kHead + "causes:\n  - text\n").where, "d.yaml:3");
  EXPECT_EQ(error_of("").code, Errc::malformed);
  EXPECT_EQ(error_of(kHead + "causes: [\n").code, Errc::malformed);
}

TEST(DiagnosisFile, nesting_without_end_is_refused_whatever_hides_it) {
  const std::string deep(100'000, '[');
  for (const std::string& yaml : {kHead + "causes: " + deep, kHead + "# ]]]]\nx: [a'b, " + deep,
                                  kHead + "x: " + std::string(100'000, '{'), std::string(100'000, '-'),
                                  kHead + "causes: [\"]\", " + deep}) {
    const auto parsed = parse_diagnosis(yaml, "d.yaml");
    ASSERT_FALSE(parsed.ok());
    EXPECT_TRUE(parsed.error().code == Errc::malformed || parsed.error().code == Errc::budget);
  }
}

TEST(DiagnosisFile, a_thousand_causes_are_enough) {
  std::string yaml = kHead + "causes:\n";
  for (int i = 0; i < 1001; ++i)
    yaml += "  - {id: a}\n";
  EXPECT_THAT(error_of(yaml).what, HasSubstr("too many"));
}

TEST(DiagnosisFile, a_missing_file_is_missing) {
  EXPECT_EQ(read_diagnosis_file("/no/such/report.yaml").error().code, Errc::missing);
}

} // namespace
} // namespace prof
