// Names in a trace are written by whoever runs a process. Whatever they hold, a plan hands them on as data:
// no shell runs them, no terminal obeys them, no document is broken by them.
#include "planned.hpp"
#include "report/plan_view.hpp"
#include "run_script.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kEvil{"svc; touch pwned",
                                     "$(touch pwned)",
                                     "`touch pwned`",
                                     "a'b; touch pwned; 'c",
                                     "a\"b$(touch pwned)",
                                     "x\ntouch pwned\n",
                                     "-rf",
                                     "--help",
                                     "a && touch pwned",
                                     "a | touch pwned",
                                     "a > pwned",
                                     "*",
                                     "~",
                                     "a\\",
                                     "# pwned",
                                     "{program}",
                                     "服务",
                                     "a\x1b[31mred",
                                     "\xff\xfe",
                                     "!pwned",
                                     "if",
                                     "''",
                                     "${IFS}touch${IFS}pwned"};

TEST(ShellQuote, gives_back_the_very_text_as_one_word) {
  for (const std::string& text : kEvil) {
    const Ran ran = run_with_input("sh", "printf '[%s]' " + shell_quote(text) + "\n");
    EXPECT_EQ(ran.output, "[" + text + "]") << text;
  }
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("/opt/model-1.onnx"), "/opt/model-1.onnx");
  EXPECT_EQ(shell_quote(std::string("a\0b", 3)), "'ab'"); // no argument can hold a zero byte
}

// Stand-ins that write down their arguments instead of doing anything.
void add_stand_ins(const Folder& folder) {
  const std::string note = "#!/bin/sh\nprintf '%s' \"${0##*/}\" >> \"$LOG\"\nfor a in \"$@\"; do printf ' "
                           "[%s]' \"$a\" >> \"$LOG\"; "
                           "done\necho >> \"$LOG\"\n";
  std::filesystem::create_directory(folder.path() / "bin");
  for (const char* name : {"taskset", "systemctl", "atc", "env"})
    folder.write(std::string("bin/") + name, note, true);
  // A recorder that leaves a file, and a clock by which every recording took its time.
  folder.write("bin/profiler", note + "for a in \"$@\"; do :; done\n[ \"$1\" != trace ] || : > \"$a\"\n",
               true);
  folder.write("bin/date", "#!/bin/sh\necho >> \"$LOG.clock\"\necho $(($(wc -l < \"$LOG.clock\") * 1000))\n",
               true);
  for (const char* name : {"pidof", "pgrep"})
    folder.write(std::string("bin/") + name, note + "echo 41 42\n", true);
  folder.write("bin/ps", note + "echo some.service\n", true);
}
Ran run_apart(const Folder& folder, const std::string& command) {
  return run_in(folder.path(), "PATH=\"" + (folder.path() / "bin").string() + ":$PATH\" LOG='" +
                                   (folder.path() / "log").string() + "' " + command);
}

Plan plan_for(const std::string& name, const std::vector<Action>& actions) {
  SteadyService s(8, "/bin/true " + name, name);
  s.t.sink().process({.pid = 9, .name = s.t.text("other " + name), .cmdline = {}});
  const auto other = s.t.thread(9, 90, "x");
  s.t.switch_to(Scene::ns(1), 3, 0, 'R', other.tid).switch_to(Scene::ns(2000), 3, other.tid, 'S', 0);
  s.t.sink().metadata("model.unet", name + ".onnx");
  PlanOptions options;
  options.tolerance = RiskTolerance::high;
  options.trace_path = name;
  std::string all;
  for (const Action& action : actions)
    all += (all.empty() ? "" : ", ") + action.id;
  return plan_of(s.t.seal(), diagnosis_yaml({{"x", all}}, to_json(Doc(valid_utf8(name)))), actions, options);
}

TEST(HostileNames, run_nothing_from_the_scripts_of_a_plan) {
  for (const std::string& name : kEvil) {
    const Plan plan = plan_for(name, only_commands());
    const Folder folder;
    add_stand_ins(folder);
    for (const PlanFile& file : plan.files) {
      folder.write(file.name, file.content);
      if (!file.is_executable) continue;
      EXPECT_EQ(run_with_input("bash -n", file.content).status, 0) << file.content;
      (void)run_apart(folder, "sh ./" + file.name + " </dev/null");
      EXPECT_FALSE(std::filesystem::exists(folder.path() / "pwned")) << name << "\n" << file.content;
    }
    for (const PlanStep& step : plan.steps)
      for (const std::string& command : {step.before_command, step.record_command, step.validate_command}) {
        folder.write("proof.sh", command + "\n");
        (void)run_apart(folder, "sh ./proof.sh </dev/null");
        EXPECT_FALSE(std::filesystem::exists(folder.path() / "pwned")) << command;
      }
  }
}

TEST(HostileNames, reach_the_programs_whole) {
  for (const std::string& name : kEvil) {
    if (name.find('\n') != std::string::npos) continue; // the log below has a line for each call
    const Folder folder;
    add_stand_ins(folder);
    const Plan plan = plan_for(name, only_commands());
    for (const PlanStep& step : plan.steps) {
      if (step.action != "cpu_isolation" && step.action != "atc_layout_unify") continue;
      std::string script;
      for (const std::string& command : step.commands)
        script += command + "\n";
      for (const PlanFile& file : plan.files)
        folder.write(file.name, file.content);
      folder.write("commands.sh", script + step.record_command + " true true\n");
      EXPECT_EQ(run_apart(folder, "sh ./commands.sh").status, 0) << script;
    }
    const std::string log = folder.read("log");
    EXPECT_THAT(log, HasSubstr("pgrep [-f] [--] [^/bin/true( |$)]\n"));
    EXPECT_THAT(log, HasSubstr("pidof [--] [other " + name + "]\n"));
    EXPECT_THAT(log, HasSubstr("profiler [trace] [--target=" + name + "] "));
    EXPECT_THAT(log, HasSubstr("taskset [-a] [-p] [-c] [7] [41]\ntaskset [-a] [-p] [-c] [7] [42]\n"));
    EXPECT_THAT(
        log, HasSubstr(std::string("[--model] [") + (name.starts_with('-') ? "./" : "") + name + ".onnx]"));
  }
}

TEST(HostileNames, leave_yaml_and_json_whole) {
  for (const std::string& name : kEvil) {
    const Plan plan = plan_for(name, only_commands());
    const YAML::Node yaml = YAML::Load(to_yaml(plan_doc(plan)));
    EXPECT_EQ(yaml["trace"].as<std::string>(), valid_utf8(name));
    EXPECT_EQ(yaml["steps"].size(), plan.steps.size());
    const auto json = nlohmann::json::parse(to_json(plan_doc(plan)));
    EXPECT_EQ(json["trace"], valid_utf8(name));
    EXPECT_EQ(json["steps"].size(), plan.steps.size());
  }
}

TEST(HostileNames, leave_markdown_whole) {
  const Plan plan = plan_for("x\n# evil\n```\n<script>alert(1)</script>|`\x1b[31m", only_commands());
  for (const Lang lang : {Lang::en, Lang::zh}) {
    const std::string page = plan_markdown(plan, lang);
    EXPECT_EQ(page.find('\x1b'), std::string::npos);
    std::string outside, fence; // lines that are in no code block; the fence of the block that is open
    for (std::size_t at = 0; at < page.size();) {
      const std::size_t end = std::min(page.find('\n', at), page.size());
      const std::string line = page.substr(at, end - at);
      at = end + 1;
      const std::string ticks = line.substr(0, std::min(line.find_first_not_of('`'), line.size()));
      if (fence.empty() && ticks.size() >= 3)
        fence = ticks;
      else if (!fence.empty() && line == fence)
        fence.clear();
      else if (fence.empty() && line.find("````") == std::string::npos) // a code span with a fence of four
        outside += line + "\n";
    }
    EXPECT_EQ(fence, "") << "a block is left open";
    EXPECT_EQ(outside.find("\n# evil"), std::string::npos);
    EXPECT_EQ(outside.find("<script>"), std::string::npos);
  }
}

} // namespace
} // namespace prof
