// `profiler generate-plan` as a user runs it: files beside the plan, statuses, languages, and the journal
// that a case card reads.
#include "base/sha256.hpp"
#include "plan/made_file.hpp"
#include "planned.hpp"
#include "run_script.hpp"
#include "store/replay.hpp"
#include "tracefile/writer.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class GeneratePlan : public testing::Test {
protected:
  void SetUp() override {
    SteadyService s(4);
    auto writer = TraceFileWriter::create(folder_.path() / "t.pb", {.is_live = false});
    ASSERT_TRUE(writer.ok());
    replay(s.t.seal(), **writer);
    ASSERT_TRUE((*writer)->finish().ok());
    folder_.write("d.yaml", report("sha256: " + *sha256_of(folder_.path() / "t.pb")));
  }
  // A report whose trace is named by this digest.
  static std::string report(const std::string& digest) {
    std::string yaml = diagnosis_yaml(
        {{"layout_transform", "atc_layout_unify, cpu_isolation"}, {"queueing", "runtime_more_workers"}});
    return yaml.replace(yaml.find("sha256: ab"), 10, digest);
  }
  Ran plan(const std::string& arguments, const std::string& lang = "en") {
    return run_in(folder_.path(),
                  PROF_BINARY_DIR "/bin/profiler generate-plan " + arguments + " --lang " + lang);
  }
  Folder folder_;
};

TEST_F(GeneratePlan, writes_the_same_plan_as_yaml_json_and_markdown) {
  for (const char* name : {"plan.yaml", "plan.json", "plan.md"})
    ASSERT_EQ(plan(std::string("--diagnosis d.yaml --risk_tolerance high --output ") + name).status, 0)
        << name;
  const YAML::Node yaml = YAML::Load(folder_.read("plan.yaml"));
  const auto json = nlohmann::json::parse(folder_.read("plan.json"));
  ASSERT_GT(yaml["steps"].size(), 0U);
  EXPECT_EQ(yaml["steps"].size(), json["steps"].size());
  for (std::size_t i = 0; i < yaml["steps"].size(); ++i) {
    EXPECT_EQ(yaml["steps"][i]["action"].as<std::string>(), json["steps"][i]["action"].get<std::string>());
    EXPECT_DOUBLE_EQ(yaml["steps"][i]["risk"].as<double>(), json["steps"][i]["risk"]);
    EXPECT_THAT(folder_.read("plan.md"), HasSubstr(yaml["steps"][i]["title"].as<std::string>()));
  }
}

TEST_F(GeneratePlan, writes_its_files_beside_the_plan_and_runnable) {
  const Ran missing = plan("--diagnosis d.yaml --output plans/p.md");
  EXPECT_EQ(missing.status, 3);
  EXPECT_THAT(missing.output, HasSubstr("there is no folder 'plans'; make it first"));
  std::filesystem::create_directory(folder_.path() / "plans");
  ASSERT_EQ(plan("--diagnosis d.yaml --output plans/p.md").status, 0);
  EXPECT_TRUE(nlohmann::json::parse(folder_.read("plans/fusion_config.json")).is_object());
  EXPECT_EQ(access((folder_.path() / "plans/step1_apply.sh").c_str(), X_OK), 0);
  EXPECT_THAT(folder_.read("plans/p.md"), HasSubstr("--fusion_config plans/fusion_config.json"));
}

TEST_F(GeneratePlan, speaks_both_languages_and_keeps_its_keys) {
  ASSERT_EQ(plan("--diagnosis d.yaml --output p.yaml").status, 0);
  const YAML::Node en = YAML::Load(folder_.read("p.yaml"));
  ASSERT_EQ(plan("--diagnosis d.yaml --output p.yaml", "zh").status, 0);
  const YAML::Node zh = YAML::Load(folder_.read("p.yaml"));
  EXPECT_NE(en["steps"][0]["title"].as<std::string>(), zh["steps"][0]["title"].as<std::string>());
  EXPECT_EQ(en["steps"][0]["commands"][0].as<std::string>(), zh["steps"][0]["commands"][0].as<std::string>());
}

TEST_F(GeneratePlan, replaces_its_own_files_that_nobody_changed) {
  ASSERT_EQ(plan("--diagnosis d.yaml --output p.md").status, 0);
  const Ran same = plan("--diagnosis d.yaml --output p.md --no_journal --workspace /nowhere");
  EXPECT_EQ(same.status, 0) << same.output;
  EXPECT_THAT(same.output, Not(HasSubstr("replaced"))) << "byte for byte the same";
  // Other words in the scripts, and no journal to tell whose they are.
  std::filesystem::remove_all(folder_.path() / ".profiler");
  const Ran other = plan("--diagnosis d.yaml --output p.md", "zh");
  EXPECT_EQ(other.status, 0) << other.output;
  EXPECT_THAT(other.output, AllOf(HasSubstr("已替换"), HasSubstr("step1_apply.sh")));
  EXPECT_THAT(folder_.read("step1_prove.sh"), HasSubstr("重新启动服务"));
}

TEST_F(GeneratePlan, leaves_files_alone_that_somebody_edited_or_wrote) {
  ASSERT_EQ(plan("--diagnosis d.yaml --output p.md").status, 0);
  for (const char* name : {"step1_apply.sh", "step1_prove.sh", "fusion_config.json"}) {
    const std::string made = folder_.read(name), page = folder_.read("p.md");
    for (const std::string& theirs : {made + " ", "echo mine\n" + made, std::string("mine")}) {
      folder_.write(name, theirs);
      const Ran ran = plan("--diagnosis d.yaml --output p.md", "zh");
      EXPECT_EQ(ran.status, 2) << ran.output;
      EXPECT_THAT(ran.output, AllOf(HasSubstr(name), HasSubstr("--force")));
      EXPECT_EQ(folder_.read(name), theirs);
      EXPECT_EQ(folder_.read("p.md"), page) << "the plan and its files come together or not at all";
    }
    folder_.write(name, made);
  }
  folder_.write("step1_apply.sh", "mine");
  EXPECT_EQ(plan("--diagnosis d.yaml --output p.md --force").status, 0);
  EXPECT_THAT(folder_.read("step1_apply.sh"), testing::StartsWith("#!/bin/sh\n# generate-plan sha256:"));
}

TEST_F(GeneratePlan, keeps_a_plan_that_somebody_edited_in_every_form) {
  for (const char* name : {"p.md", "p.yaml", "p.json"}) {
    const std::string arguments = std::string("--diagnosis d.yaml --output ") + name;
    ASSERT_EQ(plan(arguments).status, 0) << name;
    EXPECT_EQ(plan(arguments + " --priority cost_first").status, 0) << name << ": nobody has changed it";
    const std::string edited = folder_.read(name) + " ";
    folder_.write(name, edited);
    const Ran ran = plan(arguments);
    EXPECT_EQ(ran.status, 2) << ran.output;
    EXPECT_THAT(ran.output, AllOf(HasSubstr(name), HasSubstr("--force")));
    EXPECT_EQ(folder_.read(name), edited);
    EXPECT_EQ(plan(arguments + " --force").status, 0);
    EXPECT_NE(folder_.read(name), edited);
  }
  EXPECT_THAT(folder_.read("p.md"), testing::StartsWith("# Optimisation plan for svc\n"));
}

// A script of a third step lay beside a plan of two, and was taken for one of its own.
TEST_F(GeneratePlan, removes_what_only_an_earlier_plan_had_and_keeps_what_was_edited) {
  ASSERT_EQ(plan("--diagnosis d.yaml --output p.md").status, 0);
  const std::string made = folder_.read("step1_prove.sh");
  const std::vector<std::string> old{"step7_apply.sh", "step7_prove.sh", "step12_rollback.sh",
                                     "fusion_config_step7.json", "runtime_config_step7.yaml"},
      others{"step7_notes.sh", "step_apply.sh", "my_step7_apply.sh", "fusion_config_old.json"};
  for (const auto* names : {&old, &others})
    for (const std::string& name : *names)
      folder_.write(name, made);
  folder_.write("step8_apply.sh", made + "# mine\n");
  folder_.write("step9_apply.sh", "mine");
  const Ran ran = plan("--diagnosis d.yaml --output p.md");
  EXPECT_EQ(ran.status, 0) << ran.output;
  for (const std::string& name : old) {
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / name)) << name;
    EXPECT_THAT(ran.output, HasSubstr(name));
  }
  for (const std::string& name : others)
    EXPECT_EQ(folder_.read(name), made) << name;
  EXPECT_EQ(folder_.read("step8_apply.sh"), made + "# mine\n");
  EXPECT_EQ(folder_.read("step9_apply.sh"), "mine");
  EXPECT_THAT(ran.output, AllOf(HasSubstr("removed, as they belonged to an earlier plan"),
                                HasSubstr("kept, though no step of this plan uses them"),
                                HasSubstr("step8_apply.sh"), HasSubstr("step9_apply.sh")));
  EXPECT_EQ(folder_.read("step1_prove.sh"), made) << "its own files stay";
  EXPECT_THAT(plan("--diagnosis d.yaml --output p.md", "zh").output, HasSubstr("已保留"));
}

// A second plan in the folder took the scripts that the first one still named.
TEST_F(GeneratePlan, leaves_the_files_of_another_plan_in_the_folder_alone) {
  ASSERT_EQ(plan("--diagnosis d.yaml --output p.md").status, 0);
  const std::string own = folder_.read("step1_prove.sh"), others = with_digest(own + "# of q.md\n");
  folder_.write("q.md",
                folder_.read("p.md") + "\nsh step7_apply.sh\n"); // edited since, and a plan all the same
  EXPECT_EQ(plan("--diagnosis d.yaml --output p.md").status, 0) << "the same files serve both";
  folder_.write("step1_prove.sh", others);
  folder_.write("step7_apply.sh", own);
  const Ran ran = plan("--diagnosis d.yaml --output p.md");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.output,
              AllOf(HasSubstr("step1_prove.sh: another plan in this folder"), HasSubstr("--force")));
  EXPECT_EQ(folder_.read("step1_prove.sh"), others);
  EXPECT_EQ(plan("--diagnosis d.yaml --output p.md --force").status, 0);
  EXPECT_EQ(folder_.read("step1_prove.sh"), own);
  EXPECT_EQ(folder_.read("step7_apply.sh"), own) << "q.md names it";
  std::filesystem::remove(folder_.path() / "q.md");
  EXPECT_EQ(plan("--diagnosis d.yaml --output p.md").status, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "step7_apply.sh"));
}

TEST_F(GeneratePlan, answers_mistakes_in_one_line) {
  const std::vector<std::pair<std::string, int>> cases{{"--diagnosis none.yaml", 3},
                                                       {"--diagnosis t.pb", 3},
                                                       {"--diagnosis d.yaml --priority speed", 2},
                                                       {"--diagnosis d.yaml --risk_tolerance none", 2},
                                                       {"--diagnosis d.yaml --output plan.pdf", 2},
                                                       {"--diagnosis d.yaml --trace none.pb", 3},
                                                       {"", 2}};
  for (const auto& [arguments, status] : cases) {
    const Ran ran = plan(arguments);
    EXPECT_EQ(ran.status, status) << arguments << ": " << ran.output;
    EXPECT_EQ(std::ranges::count(ran.output, '\n'), 1) << ran.output;
  }
  EXPECT_THAT(plan("--diagnosis t.pb").output,
              HasSubstr("t.pb: is a binary file, such as a trace, and no report"));
  folder_.write("chrome.json", "{\"traceEvents\": []}");
  folder_.write("log.txt", "a: b: c\n\t- [\n");
  for (const char* wrong : {"chrome.json", "log.txt"}) {
    const Ran ran = plan(std::string("--diagnosis ") + wrong);
    EXPECT_EQ(ran.status, 3) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(std::string(wrong) + ": is no diagnosis report: 'profiler diagnose"));
  }
  EXPECT_THAT(plan("--diagnosis d.yaml --output plan.pdf").output,
              AllOf(HasSubstr(".md"), HasSubstr(".yaml"), HasSubstr(".json")));
}

TEST_F(GeneratePlan, refuses_a_report_of_another_trace_and_one_of_its_own_trace_recorded_anew) {
  // The digest of a file with these three bytes, from FIPS 180-4's example.
  const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  folder_.write("foreign.yaml", report("sha256: " + abc));
  const Ran ran = plan("--diagnosis foreign.yaml --output p.md");
  EXPECT_EQ(ran.status, 2) << ran.output;
  EXPECT_EQ(std::ranges::count(ran.output, '\n'), 1) << ran.output;
  EXPECT_THAT(ran.output, AllOf(HasSubstr("foreign.yaml was not made from t.pb"), HasSubstr("--trace")));
  EXPECT_THAT(plan("--diagnosis foreign.yaml", "zh").output, HasSubstr("摘要不同"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "p.md"));
  // The same report goes with the trace that has that digest, wherever it is: then the trace itself is at
  // fault.
  folder_.write("abc.pb", "abc");
  EXPECT_THAT(plan("--diagnosis foreign.yaml --trace abc.pb").output, Not(HasSubstr("was not made from")));
}

TEST_F(GeneratePlan, goes_on_with_a_moved_trace_and_warns_where_the_report_names_no_digest) {
  std::filesystem::rename(folder_.path() / "t.pb", folder_.path() / "moved.pb");
  const Ran moved = plan("--diagnosis d.yaml --trace moved.pb --output p.md");
  EXPECT_EQ(moved.status, 0) << moved.output;
  EXPECT_THAT(moved.output, Not(HasSubstr("digest")));
  folder_.write("old.yaml", report("note: x"));
  const Ran old = plan("--diagnosis old.yaml --trace moved.pb --output p.md");
  EXPECT_EQ(old.status, 0) << old.output;
  EXPECT_THAT(old.output, HasSubstr("old.yaml names no digest of its trace"));
}

TEST_F(GeneratePlan, names_the_digest_of_its_trace_in_every_form) {
  const std::string sha = *sha256_of(folder_.path() / "t.pb");
  for (const char* name : {"p.yaml", "p.md", "p.json"})
    ASSERT_EQ(plan(std::string("--diagnosis d.yaml --force --output ") + name).status, 0);
  EXPECT_EQ(YAML::Load(folder_.read("p.yaml"))["trace_sha256"].as<std::string>(), sha);
  EXPECT_EQ(nlohmann::json::parse(folder_.read("p.json"))["trace_sha256"], sha);
  EXPECT_THAT(folder_.read("p.md"), HasSubstr("`" + sha + "`"));
  // A card refuses the plan beside the diagnosis of another trace, in each form.
  folder_.write("other.yaml", report("sha256: ab"));
  for (const char* name : {"p.yaml", "p.md", "p.json"}) {
    const Ran card =
        run_in(folder_.path(), PROF_BINARY_DIR "/bin/profiler case-card --problem slow --solution x "
                                               "--diagnosis other.yaml --lang en --plan " +
                                   std::string(name));
    EXPECT_EQ(card.status, 2) << card.output;
    EXPECT_THAT(card.output, HasSubstr(std::string(name) + " was made for another trace than other.yaml"));
  }
}

TEST_F(GeneratePlan, visualize_warns_of_a_foreign_report_and_makes_the_page) {
  folder_.write("foreign.yaml", report("sha256: ab"));
  const std::string page = PROF_BINARY_DIR "/bin/profiler visualize --trace t.pb --output x.html --lang en ";
  EXPECT_THAT(run_in(folder_.path(), page + "--diagnosis d.yaml --strict").output,
              Not(HasSubstr("was not made from")));
  const Ran foreign = run_in(folder_.path(), page + "--diagnosis foreign.yaml");
  EXPECT_EQ(foreign.status, 0) << foreign.output;
  EXPECT_THAT(foreign.output, HasSubstr("foreign.yaml was not made from t.pb"));
  EXPECT_EQ(run_in(folder_.path(), page + "--diagnosis foreign.yaml --strict").status, 6);
}

TEST_F(GeneratePlan, is_the_plan_that_a_case_card_finds) {
  ASSERT_EQ(plan("--diagnosis d.yaml --output plan.md").status, 0);
  const Ran card = run_in(folder_.path(),
                          PROF_BINARY_DIR "/bin/profiler case-card --problem slow --solution "
                                          "atc_layout_unify --diagnosis d.yaml --output card.md --lang en");
  ASSERT_EQ(card.status, 0) << card.output;
  EXPECT_THAT(folder_.read("card.md"), HasSubstr("Unify the data layout of the model"));
}

} // namespace
} // namespace prof
