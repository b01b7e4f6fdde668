// The actions of knowledge/actions: complete in both languages, named by rules, and made of commands that the
// real programs take.
#include "planned.hpp"
#include "run_script.hpp"

#include <gmock/gmock.h>
#include <set>

namespace prof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Actions, are_complete_in_both_languages) {
  const std::vector<Action> actions = builtin();
  ASSERT_FALSE(actions.empty());
  for (const Action& action : actions) {
    for (const TextPair* text : {&action.title, &action.why, &action.rollback, &action.risk_text})
      EXPECT_TRUE(!text->en.empty() && !text->zh.empty() && text->en != text->zh) << action.id;
    EXPECT_FALSE(action.steps.empty() && action.setting.en.empty()) << action.id;
    EXPECT_EQ(action.setting.en.empty(), action.service_config.empty()) << action.id;
    EXPECT_EQ(action.setting.en.empty(), action.setting.zh.empty()) << action.id;
    for (const Effect& effect : action.effects) {
      EXPECT_FALSE(effect.source.en.empty() || effect.source.zh.empty()) << action.id;
      EXPECT_EQ(effect.source.en.find("assumed"), std::string::npos) << action.id << ": `basis` says that";
    }
    for (const std::string& other : action.conflicts)
      EXPECT_NE(find_action(actions, other), nullptr) << action.id << " conflicts with " << other;
    EXPECT_TRUE(action.risk >= 0 && action.risk <= 1 && action.effort_hours > 0) << action.id;
  }
}

TEST(Actions, stand_in_a_file_of_their_name) {
  for (const KnowledgeFile& file : knowledge_files()) {
    if (!file.path.starts_with("actions/")) continue;
    const auto action = parse_action(file.content, file.path);
    ASSERT_TRUE(action.ok()) << file.path;
    EXPECT_EQ("actions/" + action->id + ".yaml", file.path);
  }
}

TEST(Actions, rules_name_all_of_them_and_no_others) {
  std::set<std::string> named, known;
  const auto rules = builtin_rules();
  ASSERT_TRUE(rules.ok());
  for (const Rule& rule : *rules)
    named.insert(rule.actions.begin(), rule.actions.end());
  for (const Action& action : builtin())
    known.insert(action.id);
  EXPECT_EQ(named, known);
}

TEST(Actions, a_mistake_in_a_file_is_named_with_its_line) {
  const auto error = [](std::string_view rest) {
    const auto action =
        parse_action("id: a\nclass: restart\ntitle: {en: a, zh: a}\nwhy: {en: a, zh: a}\n"
                     "rollback: {en: a, zh: a}\nrisk_text: {en: a, zh: a}\nrisk: 0\neffort_hours: 1\n" +
                         std::string(rest),
                     "a.yaml");
    return action ? std::string("none") : action.error().where + ": " + action.error().what;
  };
  EXPECT_EQ(error(""), "none");
  EXPECT_THAT(error("comands: []\n"), HasSubstr("a.yaml:9: unknown word 'comands'"));
  EXPECT_THAT(error(effect("ops", "Conv", "0.5", "0.4", "0.6")), HasSubstr("must rise"));
  EXPECT_THAT(error(effect("ops", "Conv", "0.5", "0.6", "1.1")), HasSubstr("within 0 and 1"));
  EXPECT_THAT(error(effect("time", "io", "-0.1", "0.6", "0.7")), HasSubstr("within 0 and 1"));
  EXPECT_THAT(error(effect("magic", "io", "0", "0", "0")), HasSubstr("unknown word 'magic'"));
  EXPECT_THAT(error(effect("time", "io", "0", "0", "0", "hoped")), HasSubstr("unknown word 'hoped'"));
  EXPECT_FALSE(parse_action("- 1\n", "a").ok());
  EXPECT_FALSE(parse_action("id: [", "a").ok());
}

// A plan of one action on a service whose names are known, on `cpus` cores.
Plan plan_with(const std::string& action, int cpus) {
  SteadyService s(cpus);
  s.t.sink().metadata("model.unet", std::string(PROF_BINARY_DIR) + "/models/text_encoder.onnx");
  PlanOptions options;
  options.tolerance = RiskTolerance::high;
  // Without requests' gain in the way: what cannot be replayed is always a step.
  std::vector<Action> actions = builtin();
  for (Action& a : actions) {
    a.effects.clear();
    a.op_types.clear();
  }
  return plan_of(s.t.seal(), diagnosis_yaml({{"x", action}}), actions, options);
}

TEST(Actions, commands_are_shell_that_shellcheck_finds_nothing_wrong_with) {
  for (const Action& action : builtin())
    for (const int cpus : {0, 4}) {
      const Plan plan = plan_with(action.id, cpus);
      if (cpus < action.fewest_cpus) continue; // one core was seen: it does not apply
      ASSERT_EQ(plan.steps.size(), 1U) << action.id;
      for (const PlanFile& file : plan.files) {
        if (!file.is_executable) continue;
        EXPECT_EQ(run_with_input("sh -n", file.content).status, 0) << file.content;
        EXPECT_EQ(run_with_input("bash -n", file.content).status, 0) << file.content;
        if (run_with_input("command -v shellcheck", "").status != 0) continue;
        // A script that still has places to fill in stops before its commands.
        const Ran checked = run_with_input("shellcheck -s sh -e SC2317 -", file.content);
        EXPECT_EQ(checked.status, 0) << checked.output << file.content;
      }
    }
}

TEST(Actions, a_known_service_leaves_nothing_to_fill_in_but_the_old_quota) {
  for (const Action& action : builtin()) {
    const Plan plan = plan_with(action.id, 4);
    const std::vector<std::string> open = plan.steps.at(0).open_places;
    if (action.id == "raise_cpu_quota")
      EXPECT_EQ(open, std::vector<std::string>{"OLD_QUOTA_PERCENT"});
    else
      EXPECT_THAT(open, IsEmpty()) << action.id;
  }
}

TEST(Actions, conversions_run_with_the_real_atc) {
  for (const char* id : {"atc_fuse_patterns", "atc_layout_unify"}) {
    const Folder folder;
    SteadyService s;
    const Folder models;
    std::filesystem::copy_file(std::string(PROF_BINARY_DIR) + "/models/text_encoder.onnx",
                               models.path() / "it's a model.onnx");
    s.t.sink().metadata("model.unet", (models.path() / "it's a model.onnx").string());
    std::vector<Action> actions = builtin();
    for (Action& a : actions)
      a.effects.clear();
    const Plan plan = plan_of(s.t.seal(), diagnosis_yaml({{"x", id}}), actions);
    for (const PlanFile& file : plan.files)
      folder.write(file.name, file.content);
    // The proof needs the inference engine: only the conversion itself is run here.
    std::string script = file_of(plan, "step1_apply.sh");
    script.insert(script.find(" --fusion_config"), " --no_journal --proof false");
    folder.write("step1_apply.sh", script);
    const Ran ran = run_in("/", "PATH=\"" PROF_BINARY_DIR "/bin:$PATH\" sh '" +
                                    (folder.path() / "step1_apply.sh").string() + "'");
    EXPECT_EQ(ran.status, 0) << ran.output << script;
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "it's a model_step1.onnx")) << ran.output;
  }
}

TEST(Actions, options_of_our_programs_exist) {
  // The help of the real program names every option that the commands use.
  const Plan plan = plan_with("atc_fuse_patterns", 4);
  std::vector<std::string> commands = plan.steps.at(0).commands;
  const std::string script = file_of(plan, "step1_prove.sh");
  const std::size_t record = script.find("profiler trace ");
  ASSERT_NE(record, std::string::npos) << script;
  commands.push_back(script.substr(record, script.find('\n', record) - record));
  commands.push_back(plan.steps[0].validate_command);
  for (const std::string& command : commands) {
    const std::string program = command.substr(0, command.find(' '));
    const std::string verb =
        command.substr(program.size() + 1, command.find(' ', program.size() + 1) - program.size() - 1);
    if (!std::filesystem::exists(PROF_BINARY_DIR "/bin/" + program)) continue;
    const Ran help = run_in("/", PROF_BINARY_DIR "/bin/" + program + " " + verb + " --help");
    ASSERT_EQ(help.status, 0) << help.output;
    for (std::size_t at = command.find(" --"); at != std::string::npos; at = command.find(" --", at + 1)) {
      const std::string option = command.substr(at + 1, command.find_first_of(" =", at + 1) - at - 1);
      EXPECT_THAT(help.output, HasSubstr(option + " ")) << command;
    }
  }
}

TEST(Actions, keys_of_config_files_are_options_of_the_example_service) {
  if (!std::filesystem::exists(PROF_BINARY_DIR "/bin/poetry_poster_service"))
    GTEST_SKIP() << "the service is built with the inference engine only";
  const Ran help = run_in("/", PROF_BINARY_DIR "/bin/poetry_poster_service --help");
  ASSERT_EQ(help.status, 0) << help.output;
  for (const Action& action : builtin())
    for (const std::string& line : action.service_config)
      EXPECT_THAT(help.output, HasSubstr("--" + line.substr(0, line.find(':')) + " ")) << action.id;
}

TEST(Actions, system_programs_know_their_options) {
  if (run_in("/", "command -v taskset pidof ps").status != 0) GTEST_SKIP() << "no taskset, pidof or ps here";
  // A list as cpu_list writes it, on ourselves; a core of the list that is not there is passed over.
  EXPECT_EQ(run_in("/", "taskset -a -p -c 0,2-3 $$").status, 0);
  EXPECT_NE(run_in("/", "taskset -a -p -c 1- $$").status, 0) << "an open range would do after all";
  EXPECT_EQ(run_in("/", "pidof -- no_such_program_runs").status, 1);
  EXPECT_EQ(run_in("/", "ps -o unit= -p $$").status, 0);
  EXPECT_EQ(run_in("/", "env MALLOC_TOP_PAD_=67108864 true").status, 0);
}

} // namespace
} // namespace prof
