// `profiler diagnose` shows the cases of the workspace beside the cause that they name, and none where there
// are none.
#include "../plan/run_script.hpp"
#include "../rules/scene.hpp"
#include "store/replay.hpp"
#include "tracefile/writer.hpp"

#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A trace whose first ten requests are slow.
void write_cold_start(const std::filesystem::path& path) {
  Scene s;
  for (int i = 0; i < 60; ++i)
    s.request({}, {.other_us = i < 5 ? 5000 : i < 10 ? 3000 : 1000});
  auto writer = TraceFileWriter::create(path, {.is_live = false});
  ASSERT_TRUE(writer.ok());
  replay(s.t.seal(), **writer);
  ASSERT_TRUE((*writer)->finish().ok());
}

const std::string kCard =
    "---\nschema: cann-profiler/case/1\nid: warm-service\nproblem: the first minute was slow\n"
    "target: svc\nstate: validated\nsolution: [warm_up]\ncauses:\n  - {id: cold_start}\n"
    "metrics:\n  - {id: p99_latency, change: -0.4}\n---\n\nWarm up first.\n";

TEST(DiagnoseCases, stand_beside_the_cause_in_every_form_of_the_report) {
  const Folder folder;
  write_cold_start(folder.path() / "t.pb");
  folder.write("card.md", kCard);
  const std::string profiler = PROF_BINARY_DIR "/bin/profiler ";
  ASSERT_EQ(run_in(folder.path(), profiler + "case add card.md").status, 0);
  const Ran text = run_in(folder.path(), profiler + "diagnose --trace t.pb --lang en");
  EXPECT_EQ(text.status, 0) << text.output;
  EXPECT_THAT(text.output,
              AllOf(HasSubstr("Similar cases"), HasSubstr("warm-service: the first minute was slow"),
                    HasSubstr("validated: p99_latency -40.0 %")));
  EXPECT_THAT(run_in(folder.path(), profiler + "diagnose --trace t.pb --lang zh").output,
              AllOf(HasSubstr("相似案例"), HasSubstr("已验证")));
  ASSERT_EQ(run_in(folder.path(), profiler + "diagnose --trace t.pb --output r.yaml --lang en").status, 0);
  const YAML::Node similar = YAML::Load(folder.read("r.yaml"))["causes"][0]["similar_cases"];
  ASSERT_EQ(similar.size(), 1U);
  EXPECT_EQ(similar[0]["id"].as<std::string>(), "warm-service");
  EXPECT_EQ(similar[0]["outcome"].as<std::string>(), "validated: p99_latency -40.0 %");
}

TEST(DiagnoseCases, of_an_unreadable_card_are_missing_and_the_report_is_not) {
  const Folder folder;
  write_cold_start(folder.path() / "t.pb");
  std::filesystem::create_directories(folder.path() / ".profiler/cases");
  folder.write(".profiler/cases/bad.md", "no card");
  const Ran ran = run_in(folder.path(), PROF_BINARY_DIR "/bin/profiler diagnose --trace t.pb --lang en");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.output, AllOf(HasSubstr("left out: bad.md"), HasSubstr("The first requests are slower"),
                                Not(HasSubstr("Similar cases"))));
}

} // namespace
} // namespace prof
