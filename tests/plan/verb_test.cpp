// `profiler generate-plan` as a user runs it: files beside the plan, statuses, languages, and the journal
// that a case card reads.
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

class GeneratePlan : public testing::Test {
protected:
  void SetUp() override {
    SteadyService s(4);
    auto writer = TraceFileWriter::create(folder_.path() / "t.pb", {.is_live = false});
    ASSERT_TRUE(writer.ok());
    replay(s.t.seal(), **writer);
    ASSERT_TRUE((*writer)->finish().ok());
    folder_.write("d.yaml", diagnosis_yaml({{"layout_transform", "atc_layout_unify, cpu_isolation"},
                                            {"queueing", "runtime_more_workers"}}));
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
    EXPECT_EQ(yaml["steps"][i]["action"].as<std::string>(), json["steps"][i]["action"]);
    EXPECT_DOUBLE_EQ(yaml["steps"][i]["risk"].as<double>(), json["steps"][i]["risk"]);
    EXPECT_THAT(folder_.read("plan.md"), HasSubstr(yaml["steps"][i]["title"].as<std::string>()));
  }
}

TEST_F(GeneratePlan, writes_its_files_beside_the_plan_and_runnable) {
  ASSERT_EQ(plan("--diagnosis d.yaml --output plans/p.md").status, 3) << "the folder is not there";
  std::filesystem::create_directory(folder_.path() / "plans");
  ASSERT_EQ(plan("--diagnosis d.yaml --output plans/p.md").status, 0);
  EXPECT_TRUE(nlohmann::json::parse(folder_.read("plans/fusion_config.json")).is_object());
  EXPECT_EQ(access((folder_.path() / "plans/step1_apply.sh").c_str(), X_OK), 0);
  EXPECT_THAT(folder_.read("plans/p.md"), HasSubstr("--fusion_config plans/fusion_config.json"));
}

TEST_F(GeneratePlan, speaks_both_languages_and_keeps_its_keys) {
  ASSERT_EQ(plan("--diagnosis d.yaml --output en.yaml").status, 0);
  // The files beside the plan are those of en.yaml: a second plan takes them over only when told to.
  ASSERT_EQ(plan("--diagnosis d.yaml --output zh.yaml", "zh").status, 2);
  ASSERT_EQ(plan("--diagnosis d.yaml --output zh.yaml --force", "zh").status, 0);
  const YAML::Node en = YAML::Load(folder_.read("en.yaml")), zh = YAML::Load(folder_.read("zh.yaml"));
  EXPECT_NE(en["steps"][0]["title"].as<std::string>(), zh["steps"][0]["title"].as<std::string>());
  EXPECT_EQ(en["steps"][0]["commands"][0].as<std::string>(), zh["steps"][0]["commands"][0].as<std::string>());
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
  EXPECT_THAT(plan("--diagnosis d.yaml --output plan.pdf").output,
              AllOf(HasSubstr(".md"), HasSubstr(".yaml"), HasSubstr(".json")));
}

TEST_F(GeneratePlan, is_the_plan_that_a_case_card_finds) {
  ASSERT_EQ(plan("--diagnosis d.yaml --output plan.md").status, 0);
  const Ran card =
      run_in(folder_.path(), PROF_BINARY_DIR "/bin/profiler case-card --problem slow --solution x "
                                             "--diagnosis d.yaml --output card.md --lang en");
  ASSERT_EQ(card.status, 0) << card.output;
  EXPECT_THAT(folder_.read("card.md"), HasSubstr("Unify the data layout of the model"));
}

} // namespace
} // namespace prof
