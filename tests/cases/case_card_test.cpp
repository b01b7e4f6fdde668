#include "base/file.hpp"
#include "base/sha256.hpp"
#include "cases/case_card.hpp"
#include "cases/case_library.hpp"
#include "report/case_view.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace prof;
using testing::ElementsAre;

namespace {

class Workspace : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("prof_cases_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    journal_ = std::make_unique<Journal>(*Journal::open(folder_, true));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Artefact file(const std::string& name, const std::string& content) {
    const auto path = folder_ / name;
    EXPECT_TRUE(write_file(path, content).ok());
    return {path.string(), sha256_hex(content), static_cast<std::int64_t>(content.size())};
  }
  std::int64_t record(const std::string& verb, std::vector<Artefact> in, std::vector<Artefact> out,
                      std::map<std::string, std::string> facts = {}) {
    JournalEntry e;
    e.program = "profiler", e.verb = verb, e.inputs = std::move(in), e.outputs = std::move(out),
    e.facts = std::move(facts);
    return *journal_->add(e);
  }

  std::filesystem::path folder_;
  std::unique_ptr<Journal> journal_;
};

constexpr const char* kDiagnosis = R"(schema: cann-profiler/diagnosis/1
target: poster
causes:
  - id: layout_transform
    title: Layout conversions
    confidence: 0.87
    share: {mean: 0.12, slow: 0.10}
)";
constexpr const char* kPlan = "# Plan\n\n## 1. Unify the layout\ntext\n## Not a step\n### Step 2: fuse\n";

std::string validation(const std::string& before_sha, const char* verdict, const char* within = "false",
                       const char* comparable = "true") {
  return std::string(R"({"schema": "cann-profiler/validation/1", "comparable": )") + comparable +
         R"(, "before": [{"path": "b.pb", "sha256": ")" + before_sha +
         R"("}], "after": [{"path": "a.pb", "sha256": "ff"}], "metrics": [{"id": "p99_latency", "unit": "ns", "verdict": ")" +
         verdict + R"(", "within_run_only": )" + within +
         R"(, "before": 100000000.0, "after": 80000000.0, "change": -0.2, "change_ci95": [-0.25, -0.15], "p_holm": 0.001}]})";
}

} // namespace

TEST_F(Workspace, card_takes_what_belongs_together_from_the_journal) {
  const Artefact trace{"b.pb", "aaaa", 1};
  const Artefact diagnosis = file("r.yaml", kDiagnosis), plan = file("p.md", kPlan),
                 other = file("other.yaml", kDiagnosis + std::string("x: 1\n"));
  record("diagnose", {trace}, {diagnosis});
  record("generate-plan", {diagnosis}, {plan});
  record("validate", {trace}, {file("v.pdf", "pdf")}, {{"validation", validation("aaaa", "better")}});
  record("diagnose", {{"later.pb", "bbbb", 1}}, {other}); // newer, of another trace
  const CaseCard card = *gather_case(
      {.problem = "SD3: high p99!", .solution = {"layout", "fusion"}, .metrics = {"p99_latency"}},
      journal_.get());
  EXPECT_EQ(card.id, "sd3-high-p99-layout-fusion");
  EXPECT_EQ(card.state, CaseState::validated);
  ASSERT_EQ(card.causes.size(), 1U);
  EXPECT_DOUBLE_EQ(card.causes[0].confidence, 0.87);
  EXPECT_DOUBLE_EQ(card.causes[0].share_slow, 0.10);
  EXPECT_THAT(card.steps, testing::IsEmpty()); // nothing says that they were applied
  EXPECT_EQ(card.steps_not_applied, 2);
  ASSERT_EQ(card.figures.size(), 1U);
  EXPECT_DOUBLE_EQ(*card.figures[0].change_lo, -0.25);
  EXPECT_TRUE(card.missing.empty());
  EXPECT_EQ(card.target, "poster");
}

// The user named the files, and the journal had seen them made: the card showed "-".
TEST_F(Workspace, card_names_the_entry_that_made_a_file_however_it_was_found) {
  const Artefact trace = file("b.pb", "trace"), diagnosis = file("r.yaml", kDiagnosis);
  record("trace", {}, {trace});
  const std::int64_t diagnosed = record("diagnose", {trace}, {diagnosis});
  const Artefact foreign = file("p.md", "schema: cann-profiler/plan/1\n");
  CaseRequest request{.problem = "p", .diagnosis = diagnosis.path, .plan = foreign.path};
  request.validation_text = validation(trace.sha256, "better");
  const CaseCard card = *gather_case(request, journal_.get());
  const auto entry_of = [&](std::string_view role) {
    const auto at = std::ranges::find(card.evidence, role, &CaseEvidence::role);
    return at == card.evidence.end() ? -1 : at->journal_id;
  };
  EXPECT_EQ(entry_of("diagnosis"), diagnosed);
  EXPECT_EQ(entry_of("before"), diagnosed - 1);
  EXPECT_EQ(entry_of("plan"), 0);
  EXPECT_TRUE(card.has_journal);
  EXPECT_FALSE(gather_case(request, nullptr)->has_journal);
}

TEST_F(Workspace, card_without_evidence_says_so_and_is_a_draft) {
  const CaseCard card =
      *gather_case({.problem = "p", .solution = {"s"}, .metrics = {"p99_latency"}}, journal_.get());
  EXPECT_EQ(card.state, CaseState::draft);
  EXPECT_THAT(card.missing,
              ElementsAre("cases.missing.validation", "cases.missing.diagnosis", "cases.missing.plan"));
  EXPECT_EQ(card.figures.at(0).verdict, "not_measured");
  EXPECT_EQ(gather_case({.problem = "p"}, nullptr)->state, CaseState::draft);
}

TEST_F(Workspace, a_report_that_changed_since_is_no_evidence) {
  const Artefact trace{"b.pb", "aaaa", 1};
  record("diagnose", {trace}, {file("r.yaml", kDiagnosis)});
  record("validate", {trace}, {}, {{"validation", validation("aaaa", "better")}});
  file("r.yaml", "schema: changed\n");
  EXPECT_THAT(gather_case({.problem = "p"}, journal_.get())->missing,
              ElementsAre("cases.missing.diagnosis", "cases.missing.plan"));
}

TEST_F(Workspace, one_run_a_side_or_incomparable_sides_do_not_validate_a_card) {
  CaseRequest request{.problem = "p", .solution = {}, .metrics = {"p99_latency"}};
  request.validation_text = validation("aa", "better", "true");
  EXPECT_EQ(gather_case(request, nullptr)->state, CaseState::measured);
  request.validation_text = validation("aa", "better", "false", "false");
  EXPECT_EQ(gather_case(request, nullptr)->state, CaseState::measured);
  request.validation_text = validation("aa", "worse");
  EXPECT_EQ(gather_case(request, nullptr)->state, CaseState::measured);
}

// A plan of three steps; which of them were done is what the solution names, or what the recordings show.
struct Applied {
  const char* name;
  std::vector<std::string> solution;
  const char* after;
  std::vector<std::string> steps;
};
class AppliedSteps : public Workspace, public testing::WithParamInterface<Applied> {};

TEST_P(AppliedSteps, are_listed_and_planned_ones_are_not) {
  const Applied& c = GetParam();
  const std::string page = "# Optimisation plan for x\n\n## 1. Unify (`atc_layout_unify`)\n\n## 2. Fuse "
                           "(`atc_fuse_patterns`)\n## 3. Match (`threads_match_cores`)\n\n## Left out\n\n"
                           "- **Pin** (`cpu_isolation`): not applicable: only 2 cores\n";
  const std::string yaml =
      "schema: cann-profiler/plan/1\nsteps:\n  - {action: atc_layout_unify, title: 1. Unify "
      "(`atc_layout_unify`)}\n  - {action: atc_fuse_patterns, title: 2. Fuse "
      "(`atc_fuse_patterns`)}\n  - {action: threads_match_cores, title: 3. Match "
      "(`threads_match_cores`)}\n";
  for (const auto& [name, content] : {std::pair{"p.md", page}, std::pair{"p.yaml", yaml}}) {
    CaseRequest request{.problem = "p", .solution = c.solution, .plan = file(name, content).path};
    std::string text = validation("aa", "better");
    request.validation_text = text.replace(text.find("a.pb"), 4, c.after);
    const CaseCard card = *gather_case(request, nullptr);
    std::vector<std::string> expected;
    for (const std::string& step : c.steps)
      expected.push_back(step);
    EXPECT_EQ(card.steps, expected) << name;
    EXPECT_EQ(card.steps_not_applied, 3 - std::ssize(expected)) << name;
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, AppliedSteps,
    testing::Values(Applied{"nothing_is_known", {"fusion"}, "a.pb", {}},
                    Applied{
                        "named_by_action", {"atc_fuse_patterns"}, "a.pb", {"2. Fuse (`atc_fuse_patterns`)"}},
                    Applied{"named_by_number",
                            {"step3", "step1"},
                            "a.pb",
                            {"1. Unify (`atc_layout_unify`)", "3. Match (`threads_match_cores`)"}},
                    Applied{"recorded_after_the_second",
                            {"x"},
                            "runs/trace_after_step2_run4.pb",
                            {"1. Unify (`atc_layout_unify`)", "2. Fuse (`atc_fuse_patterns`)"}},
                    Applied{"a_part_of_a_name_is_no_name", {"fuse", "layout", "step", "step12"}, "a.pb", {}},
                    Applied{"another_file_of_that_kind", {"x"}, "my_trace_after_step2.pb", {}}),
    [](const auto& one) { return std::string(one.param.name); });

// All causes of the diagnosis were named, those too that nothing applied was about.
TEST_F(Workspace, card_applies_where_the_causes_of_its_applied_steps_are_found) {
  const std::string page_en =
      "# Optimisation plan for x\n\n## 1. Unify (`atc_layout_unify`)\n\nMends: Layout (conversions) "
      "(`layout_transform`); Small (`small_ops`); confidence 87 %.\n\n- Not (`this`)\n\n## 2. Match "
      "(`threads_match_cores`)\n\nMends: CPU (`cpu_contention`); confidence 60 %.\n";
  const std::string page_zh =
      "# x 的优化计划\n\n## 1. 统一 (`atc_layout_unify`)\n\n针对：布局 (`layout_transform`); 小 "
      "(`small_ops`)；置信度 87 %。\n\n## 2. 匹配 (`threads_match_cores`)\n\n针对：CPU "
      "(`cpu_contention`)；置信度 60 %。\n";
  const std::string yaml =
      "schema: cann-profiler/plan/1\nsteps:\n  - {action: atc_layout_unify, title: U, causes: "
      "[layout_transform, small_ops]}\n  - {action: threads_match_cores, title: M, causes: "
      "[cpu_contention]}\n";
  struct Row {
    std::vector<std::string> solution, causes;
    const char* told;
  };
  const std::string unknown = "Not known: no step is in evidence as applied that names the causes";
  for (const auto& [name, content] :
       {std::pair{"en.md", page_en}, std::pair{"zh.md", page_zh}, std::pair{"p.yaml", yaml}})
    for (const Row& row :
         {Row{{"step1"}, {"layout_transform", "small_ops"}, "finds layout_transform, small_ops with a like"},
          Row{{"threads_match_cores"}, {"cpu_contention"}, "finds cpu_contention with a like"},
          Row{{"step2", "step1"},
              {"layout_transform", "small_ops", "cpu_contention"},
              "finds layout_transform, small_ops, cpu_contention with"},
          Row{{"x"}, {}, unknown.c_str()}}) {
      const CaseCard card = *gather_case({.problem = "p",
                                          .solution = row.solution,
                                          .diagnosis = file("r.yaml", kDiagnosis).path,
                                          .plan = file(name, content).path},
                                         nullptr);
      EXPECT_EQ(card.mended, row.causes) << name;
      EXPECT_THAT(case_markdown(card, Lang::en), testing::HasSubstr(row.told)) << name;
    }
}

TEST_F(Workspace, a_diagnosis_of_none_of_the_validated_traces_is_said_to_be_foreign) {
  const std::string named = std::string(kDiagnosis) + "trace: {path: b.pb, sha256: aaaa}\n";
  CaseRequest request{.problem = "p", .diagnosis = file("d.yaml", named).path};
  request.validation_text = validation("bbbb", "better");
  EXPECT_THAT(gather_case(request, nullptr)->missing,
              ElementsAre("cases.missing.plan", "cases.foreign.diagnosis"));
  request.validation_text = validation("aaaa", "better");
  EXPECT_THAT(gather_case(request, nullptr)->missing, ElementsAre("cases.missing.plan"));
  request.validation_text.clear(); // nothing was validated: nothing to differ from
  EXPECT_THAT(gather_case(request, nullptr)->missing,
              ElementsAre("cases.missing.validation", "cases.missing.plan"));
}

TEST_F(Workspace, a_plan_for_another_trace_than_the_diagnosed_one_is_refused) {
  const std::string ours(64, 'a'), theirs(64, 'b');
  const auto diagnosed = [&](const std::string& sha) {
    return file("d.yaml", std::string(kDiagnosis) + "trace: {path: b.pb, sha256: " + sha + "}\n").path;
  };
  const auto page = [](const std::string& sha) {
    return "# Optimisation plan for x\n\nSHA-256 of the trace: `" + sha + "`.\n\n## 1. Fuse (`f`)\n";
  };
  const std::string schema = "schema: cann-profiler/plan/1\n";
  struct Row {
    const char* name;
    std::string plan;
    bool is_refused;
  };
  const std::vector<Row> rows{
      {"same.md", page(ours), false},
      {"other.md", page(theirs), true},
      {"none.md", "# Optimisation plan for x\n\n## 1. Fuse (`f`)\n", false}, // written before plans named it
      {"later.md", "# Optimisation plan for x\n\n## 1. Fuse\n`" + theirs + "`\n", false}, // a command's word
      {"same.yaml", schema + "trace_sha256: " + ours + "\n", false},
      {"other.yaml", schema + "trace_sha256: " + theirs + "\n", true},
      {"none.yaml", schema, false}};
  for (const Row& row : rows) {
    const auto card = gather_case(
        {.problem = "p", .diagnosis = diagnosed(ours), .plan = file(row.name, row.plan).path}, nullptr);
    EXPECT_EQ(card.ok(), !row.is_refused) << row.name;
    if (!card) {
      EXPECT_EQ(card.error().code, Errc::bad_argument) << row.name;
    }
  }
}

TEST_F(Workspace, named_files_that_cannot_be_read_are_errors) {
  EXPECT_EQ(gather_case({.problem = "p", .diagnosis = "/nowhere.yaml"}, nullptr).error().code, Errc::missing);
  const Artefact broken = file("broken.yaml", "a: [1, 2\nb: }");
  EXPECT_EQ(gather_case({.problem = "p", .diagnosis = broken.path}, nullptr).error().code, Errc::malformed);
  const Artefact deep = file("deep.yaml", std::string(100'000, '['));
  EXPECT_EQ(gather_case({.problem = "p", .diagnosis = deep.path}, nullptr).error().code, Errc::malformed);
  const Artefact dashes = file("dashes.yaml", std::string(2'000, '-') + " ");
  EXPECT_FALSE(gather_case({.problem = "p", .diagnosis = dashes.path}, nullptr).ok());
}

// A card named its evidence after any file that YAML can read, and showed no figure of it.
TEST_F(Workspace, named_files_of_another_kind_are_refused) {
  const Artefact right = file("v.json", validation("aaaa", "better")), diagnosis = file("d.yaml", kDiagnosis);
  EXPECT_TRUE(
      gather_case({.problem = "p", .diagnosis = diagnosis.path, .validation = right.path}, nullptr).ok());
  const Artefact notes = file("notes.txt", "these are my notes"), list = file("list.yaml", "[1, 2]"),
                 empty = file("empty.json", "{}");
  for (const Artefact& wrong : {notes, list, empty, diagnosis})
    EXPECT_EQ(gather_case({.problem = "p", .validation = wrong.path}, nullptr).error().code, Errc::malformed)
        << wrong.path;
  for (const Artefact& wrong : {notes, list, empty, right}) {
    const auto card = gather_case({.problem = "p", .diagnosis = wrong.path}, nullptr);
    ASSERT_FALSE(card.ok()) << wrong.path;
    EXPECT_EQ(card.error().code, Errc::malformed) << wrong.path;
    EXPECT_EQ(card.error().what.find('\n'), std::string::npos);
  }
}

TEST(slug, is_a_file_name_for_any_title) {
  EXPECT_EQ(slug("SD3: high  p99!"), "sd3-high-p99");
  EXPECT_EQ(slug("../../etc/passwd"), "etc-passwd");
  EXPECT_TRUE(slug("高时延").starts_with("case-"));
  EXPECT_NE(slug("高时延"), slug("低吞吐"));
  EXPECT_EQ(slug(std::string(10'000, 'a')).size(), 80U);
}

TEST(slug, tells_titles_apart_whose_latin_part_is_the_same) {
  EXPECT_NE(slug("高 p99"), slug("低 p99")); // else one card would replace the other
  EXPECT_TRUE(slug("高 p99").starts_with("p99-"));
  EXPECT_NE(slug(std::string(100, 'a') + "b"), slug(std::string(100, 'a') + "c"));
  EXPECT_EQ(slug(std::string(80, 'a')), std::string(80, 'a'));
}

TEST(slug, of_a_slug_is_itself) {
  for (const std::string& title : {std::string("SD3: high p99!"), std::string("高 p99"), std::string("--"),
                                   std::string(), std::string(500, 'x') + "y", std::string(79, 'a') + "-b"})
    EXPECT_EQ(slug(slug(title)), slug(title)) << title;
}

TEST_F(Workspace, card_takes_the_steps_of_a_plan_in_yaml) {
  const Artefact plan = file(
      "p.yaml", "schema: cann-profiler/plan/1\nsteps:\n  - {action: a, title: First}\n  - {action: b}\n");
  const CaseCard card =
      *gather_case({.problem = "p", .solution = {"step1", "b"}, .plan = plan.path}, nullptr);
  EXPECT_THAT(card.steps, ElementsAre("First", "b"));
}

// "No change" was said of what nothing had shown as well as of what was shown to be equal.
TEST_F(Workspace, card_keeps_the_four_answers_apart) {
  struct Row {
    const char *verdict, *equivalent, *outcome, *expected;
  };
  for (const Row& row :
       {Row{"better", "false", "improved", "better"}, Row{"worse", "false", "worsened", "worse"},
        Row{"no_change", "true", "equal", "equal"}, Row{"no_change", "false", "not_resolved", "not_resolved"},
        Row{"too_little_data", "false", "not_resolved", "too_little_data"}}) {
    std::string text = validation("aaaa", row.verdict);
    text.replace(text.find("\"within_run_only\""), 0,
                 std::string("\"equivalent\": ") + row.equivalent + ", ");
    text.replace(1, 0, std::string("\"outcome\": \"") + row.outcome + "\", ");
    const CaseCard card =
        *gather_case({.problem = "p", .metrics = {"p99_latency"}, .validation_text = text}, nullptr);
    EXPECT_EQ(card.figures.at(0).verdict, row.expected);
    EXPECT_EQ(card.outcome, row.outcome);
  }
  EXPECT_EQ(gather_case({.problem = "p", .validation_text = validation("aaaa", "better")}, nullptr)->outcome,
            "");
}

TEST_F(Workspace, card_shows_a_metric_that_was_asked_for_and_not_measured) {
  const CaseCard card = *gather_case({.problem = "p",
                                      .metrics = {"p99_latency", "device_util"},
                                      .validation_text = validation("aaaa", "better")},
                                     nullptr);
  ASSERT_EQ(card.figures.size(), 2U);
  EXPECT_DOUBLE_EQ(*card.figures[0].change, -0.2);
  EXPECT_DOUBLE_EQ(*card.figures[0].change_lo, -0.25);
  EXPECT_DOUBLE_EQ(*card.figures[0].change_hi, -0.15);
  EXPECT_EQ(card.figures[1].metric, "device_util");
  EXPECT_EQ(card.figures[1].verdict, "not_measured");
  EXPECT_FALSE(card.figures[1].change.has_value());
}

TEST_F(Workspace, card_is_validated_only_by_a_metric_that_was_asked_for) {
  const std::string better = validation("aaaa", "better");
  EXPECT_EQ(gather_case({.problem = "p", .validation_text = better}, nullptr)->state, CaseState::validated);
  EXPECT_EQ(
      gather_case({.problem = "p", .metrics = {"throughput"}, .validation_text = better}, nullptr)->state,
      CaseState::draft);
  EXPECT_EQ(gather_case({.problem = "p", .validation_text = validation("aaaa", "worse")}, nullptr)->state,
            CaseState::measured);
}

TEST_F(Workspace, card_takes_no_plan_of_another_diagnosis) {
  const Artefact mine = file("mine.yaml", kDiagnosis),
                 other = file("other.yaml", kDiagnosis + std::string("x: 1\n"));
  record("generate-plan", {other}, {file("other.md", "## 1. Wrong step\n")});
  const CaseCard card = *gather_case({.problem = "p", .diagnosis = mine.path}, journal_.get());
  EXPECT_TRUE(card.steps.empty());
  EXPECT_THAT(card.missing, testing::Contains("cases.missing.plan"));
}

namespace {
std::string card_text(const std::string& id, const std::string& body) {
  return "---\nschema: cann-profiler/case/1\nid: " + id +
         "\nproblem: p\nstate: draft\nsolution:\n  - fusion\n---\n\n" + body + "\n";
}
} // namespace

TEST_F(Workspace, library_finds_the_card_that_speaks_of_it) {
  auto library = *CaseLibrary::open(folder_ / "cases");
  ASSERT_TRUE(
      library.add(card_text("layout", "transpose layout conversion NHWC bandwidth"), "x", false).ok());
  ASSERT_TRUE(
      library.add(card_text("queue", "waiting in the queue, more workers, bandwidth"), "x", false).ok());
  ASSERT_TRUE(library.add(card_text("chinese", "布局转换占用大量时间"), "x", false).ok());
  EXPECT_EQ(library.search("layout transpose bandwidth", 10).at(0).stored->id, "layout");
  EXPECT_EQ(library.search("布局转换", 10).at(0).stored->id, "chinese");
  EXPECT_TRUE(library.search("nothing-like-this", 10).empty());
  EXPECT_EQ(library.search("bandwidth", 1).size(), 1U);
  EXPECT_EQ(CaseLibrary::open(folder_ / "cases")->cases().size(), library.cases().size());
}

TEST_F(Workspace, library_takes_no_foreign_or_hostile_file) {
  auto library = *CaseLibrary::open(folder_ / "cases");
  EXPECT_EQ(library.add("# just Markdown", "x", false).error().code, Errc::malformed);
  EXPECT_EQ(library.add(card_text("../escape", "b"), "x", false).error().code, Errc::malformed);
  EXPECT_EQ(library.add(card_text("\"a\\0b\"", "b"), "x", false).error().code, Errc::malformed);
  ASSERT_TRUE(library.add(card_text("one", "first"), "x", false).ok());
  EXPECT_TRUE(library.add(card_text("one", "first"), "x", false).ok())
      << "the same card again changes nothing";
  EXPECT_EQ(library.add(card_text("one", "second"), "x", false).error().code, Errc::bad_argument);
  EXPECT_TRUE(library.add(card_text("one", "second"), "x", true).ok());
  file("cases/broken.md", "---\nid: [\n---\n");
  EXPECT_EQ(CaseLibrary::open(folder_ / "cases")->unreadable().size(), 1U);
}
