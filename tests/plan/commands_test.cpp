// What stands in the commands and files of a plan: cores that exist, steps on top of each other, and views
// that parse.
#include "planned.hpp"
#include "report/plan_view.hpp"

#include "plan/fill.hpp"
#include "plan/made_file.hpp"
#include "plan/service_facts.hpp"
#include "run_script.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

namespace prof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Cpus = std::vector<std::int64_t>;

std::vector<std::string> names_of(const std::vector<PlanFile>& files) {
  std::vector<std::string> names;
  for (const PlanFile& file : files)
    names.push_back(file.name);
  return names;
}

// A second program that ran for `us` on core `cpu`.
void runs_beside(Scene& s, std::int64_t pid, std::string_view name, std::int32_t cpu, std::int64_t us) {
  s.t.sink().process({.pid = pid, .name = s.t.text(name), .cmdline = {}});
  const auto thread = s.t.thread(pid, pid * 10, name);
  s.t.switch_to(Scene::ns(1), cpu, 0, 'R', thread.tid).switch_to(Scene::ns(1 + us), cpu, thread.tid, 'S', 0);
}

TEST(CpuList, joins_neighbours) {
  EXPECT_EQ(detail::cpu_list({0, 1, 2, 5}), "0-2,5");
  EXPECT_EQ(detail::cpu_list({3}), "3");
  EXPECT_EQ(detail::cpu_list({0, 2, 4, 5}), "0,2,4-5");
  EXPECT_EQ(detail::cpu_list({}), "");
}

TEST(CpuSplit, gives_each_computing_thread_a_core_and_leaves_one) {
  detail::ServiceFacts facts;
  const auto split = [&](Cpus cpus, std::int64_t threads) {
    facts.cpus = std::move(cpus);
    facts.computing_threads = threads;
    return detail::split_cpus(facts);
  };
  EXPECT_EQ(split({0, 1, 2, 3}, 2)->service, (Cpus{2, 3}));
  EXPECT_EQ(split({0, 1, 2, 3}, 2)->others, (Cpus{0, 1}));
  EXPECT_EQ(split({0, 1, 2, 3}, 64)->service, (Cpus{1, 2, 3}));
  EXPECT_EQ(split({0, 1, 2, 3}, 64)->others, (Cpus{0}));
  EXPECT_EQ(split({0, 4, 8}, 0)->service, (Cpus{8})); // nothing known of its threads: one
  for (const Cpus& few : {Cpus{}, Cpus{0}, Cpus{0, 1}})
    EXPECT_FALSE(split(few, 1).has_value());
}

TEST(ServiceFacts, are_those_of_the_process_that_served) {
  SteadyService s(4, "/opt/svc --port 1", "svc");
  runs_beside(s, 20, "backup", 2, 5000);
  runs_beside(s, 21, "kworker/3:1", 3, 9000); // a kernel thread cannot be moved
  runs_beside(s, 22, "cc1plus", 1, 7000);
  const detail::ServiceFacts facts = detail::service_facts(s.t.seal(), "");
  EXPECT_THAT(facts.command, ElementsAre("/opt/svc", "--port", "1"));
  EXPECT_EQ(facts.program, "svc");
  EXPECT_EQ(facts.cpus, (Cpus{0, 1, 2, 3}));
  EXPECT_EQ(facts.computing_threads, 1);
  EXPECT_THAT(facts.other_programs, ElementsAre("cc1plus", "backup")); // longest first
}

TEST(ServiceFacts, count_cores_that_were_seen_when_nobody_counted_them) {
  SteadyService s(0);
  runs_beside(s, 20, "backup", 5, 100);
  EXPECT_EQ(detail::service_facts(s.t.seal(), "").cpus, (Cpus{0, 5}));
}

TEST(ServiceFacts, of_an_empty_trace_are_unknown) {
  TraceBuilder t;
  t.sink().metadata("cpu_count", "-3");
  const detail::ServiceFacts facts = detail::service_facts(t.seal(), "svc");
  EXPECT_TRUE(facts.command.empty() && facts.program.empty() && facts.cpus.empty() &&
              facts.other_programs.empty());
}

TEST(CpuIsolation, pins_to_cores_of_this_machine) {
  SteadyService s(4);
  runs_beside(s, 20, "backup", 2, 5000);
  const Plan plan = plan_of_one(s, "cpu_isolation");
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_THAT(
      plan.steps[0].commands,
      ElementsAre(
          "pids=$(pgrep -f -- '^/opt/svc( |$)') && for p in $pids; do taskset -a -p -c 3 \"$p\"; done",
          "for p in $(pidof -- backup); do taskset -a -p -c 0-2 \"$p\" || true; done"));
  EXPECT_THAT(
      plan.steps[0].rollback_commands,
      ElementsAre(
          "pids=$(pgrep -f -- '^/opt/svc( |$)') && for p in $pids; do taskset -a -p -c 0-3 \"$p\"; done",
          "for p in $(pidof -- backup); do taskset -a -p -c 0-3 \"$p\" || true; done"));
}

TEST(CpuIsolation, moves_nobody_else_when_nobody_else_ran) {
  SteadyService s(4);
  const Plan plan = plan_of_one(s, "cpu_isolation");
  EXPECT_EQ(plan.steps.at(0).commands.size(), 1U);
  EXPECT_TRUE(plan.steps[0].open_places.empty());
}

TEST(CpuIsolation, does_not_apply_on_one_or_two_cores) {
  for (const int cpus : {1, 2}) {
    SteadyService s(cpus);
    const Plan plan = plan_of(s.t.seal(), diagnosis_yaml({{"a", "cpu_isolation"}}), builtin(), tolerant());
    EXPECT_TRUE(plan.steps.empty());
    EXPECT_EQ(why_left_out(plan, "cpu_isolation"), cpus == 1
                                                       ? "not applicable: only 1 core, and it needs 3"
                                                       : "not applicable: only 2 cores, and it needs 3");
    EXPECT_FALSE(plan.left_out.at(0).gain.has_value());
  }
}

TEST(CpuIsolation, asks_for_the_cores_when_the_trace_does_not_know_them) {
  TraceBuilder t;
  t.request(1, 0, 1000);
  const Plan plan = plan_of(t.seal(), diagnosis_yaml({{"a", "cpu_isolation"}}), only_commands(), tolerant());
  EXPECT_THAT(plan.steps.at(0).open_places, ElementsAre("FIND_SERVICE", "SERVICE_CPUS", "ALL_CPUS"));
  EXPECT_THAT(file_of(plan, "step1_apply.sh"),
              HasSubstr("fill in FIND_SERVICE, SERVICE_CPUS in this script"));
}

// A service that says which options it has, and that it reads a file of them.
void tells_its_options(Scene& s) {
  s.t.sink().metadata("config.option", "--config");
  for (const char* key : {"workers", "intra_threads", "max_batch", "batch_delay_ms", "queue_capacity"})
    s.t.sink().metadata(std::string("config.") + key, "1");
}

TEST(ThreadsMatchCores, divides_the_cores_among_the_workers) {
  SteadyService s(6);
  tells_its_options(s);
  EXPECT_THAT(file_of(plan_of_one(s, "threads_match_cores"), "runtime_config.yaml"),
              HasSubstr("\nintra_threads: 6\n"));
}

TEST(ConfigKeys, stand_in_a_file_where_the_service_says_that_it_has_them_and_reads_one) {
  SteadyService s(4, "/opt/svc --port 1 --workers 1 --max-batch=4 --config old.yaml");
  tells_its_options(s);
  const Plan plan = plan_in_order(s, "runtime_more_workers", "runtime_batching");
  ASSERT_THAT(ids_of(plan.steps), ElementsAre("runtime_more_workers", "runtime_batching"));
  // What the file sets is taken off the command line, which would win otherwise.
  EXPECT_THAT(plan.steps[0].commands,
              ElementsAre(unless_running(
                  "/opt/svc --port 1 --max-batch=4 --config old.yaml --config runtime_config_step1.yaml")));
  EXPECT_THAT(plan.steps[0].rollback_commands,
              ElementsAre(unless_running("/opt/svc --port 1 --workers 1 --max-batch=4 --config old.yaml")));
  EXPECT_THAT(
      plan.steps[1].commands,
      ElementsAre(unless_running("/opt/svc --port 1 --config old.yaml --config runtime_config.yaml")));
  EXPECT_EQ(plan.steps[1].rollback_commands, plan.steps[0].commands);
  EXPECT_THAT(file_of(plan, "runtime_config_step1.yaml"),
              AllOf(HasSubstr("\nworkers: 2\n"), Not(HasSubstr("max_batch"))));
  EXPECT_THAT(file_of(plan, "runtime_config.yaml"), HasSubstr("\nworkers: 2\nmax_batch: 2\n"));
  EXPECT_TRUE(YAML::Load(file_of(plan, "runtime_config.yaml")).IsMap());
  EXPECT_THAT(plan.notes, testing::Contains(HasSubstr("--config")));
  EXPECT_THAT(plan.steps[1].instructions.at(0), HasSubstr("runtime_config.yaml"));
}

TEST(ConfigKeys, are_options_of_the_command_line_that_started_the_service) {
  SteadyService s(4, "/opt/svc --port 1 --workers 1 --max-batch=4");
  const Plan plan = plan_in_order(s, "runtime_more_workers", "runtime_batching");
  EXPECT_THAT(plan.steps.at(0).commands,
              ElementsAre(unless_running("/opt/svc --port 1 --workers 2 --max-batch=4")));
  EXPECT_THAT(plan.steps.at(0).rollback_commands,
              ElementsAre(unless_running("/opt/svc --port 1 --workers 1 --max-batch=4")));
  EXPECT_THAT(plan.steps.at(1).commands,
              ElementsAre(unless_running("/opt/svc --port 1 --workers 2 --max-batch=2")));
  EXPECT_EQ(plan.steps[1].rollback_commands, plan.steps[0].commands);
  EXPECT_THAT(plan.steps[0].instructions.at(0), HasSubstr("--workers 2"));
  EXPECT_THAT(plan.steps[1].instructions.at(0), HasSubstr("--max-batch=2"));
  EXPECT_EQ(file_of(plan, "runtime_config.yaml"), "");
}

TEST(ConfigKeys, that_a_service_names_without_a_file_are_named_and_left_to_a_person) {
  SteadyService s(4, "/opt/svc --port 1");
  s.t.sink().metadata("config.workers", "1");
  const Plan plan = plan_of_one(s, "runtime_more_workers");
  EXPECT_THAT(plan.steps.at(0).instructions.at(0), HasSubstr("workers: 2"));
  EXPECT_TRUE(plan.steps[0].commands.empty());
  EXPECT_THAT(names_of(plan.files), ElementsAre("step1_prove.sh")) << "nothing to apply";
}

TEST(ConfigKeys, of_a_trace_that_names_no_plain_option_are_no_part_of_a_command) {
  for (const char* evil : {"--config; touch pwned", "$(touch pwned)", "-c", "--", "config"}) {
    SteadyService s(4, "/opt/svc");
    tells_its_options(s);
    s.t.sink().metadata("config.option", evil);
    const Plan plan = plan_of_one(s, "runtime_more_workers");
    EXPECT_TRUE(plan.steps.at(0).commands.empty()) << evil;
    EXPECT_THAT(names_of(plan.files), ElementsAre("step1_prove.sh")) << evil;
  }
}

// A service of somebody else: no word of ours in its plan, and no command that would change nothing.
TEST(ConfigKeys, of_a_service_that_shows_none_are_the_words_of_the_engine) {
  struct Row {
    const char *action, *says;
  };
  for (const Row& row :
       {Row{"threads_match_cores", "one operator uses = 4"},
        Row{"runtime_more_workers", "run the model at once = 2"},
        Row{"runtime_batching", "largest batch = 2"}, Row{"runtime_batch_delay", "batch to fill = 0"},
        Row{"admission_control", "longest queue = 2 requests"}}) {
    SteadyService s(4, "python3 serve.py --port 1");
    const Plan plan = plan_of_one(s, row.action);
    const PlanStep& step = plan.steps.at(0);
    std::string all;
    for (const std::string& line : step.instructions)
      all += line + "\n";
    EXPECT_THAT(all, HasSubstr(row.says));
    EXPECT_TRUE(step.commands.empty()) << row.action;
    EXPECT_TRUE(step.open_places.empty()) << row.action;
    for (const PlanFile& file : plan.files)
      EXPECT_FALSE(file.name.starts_with("runtime_config")) << row.action;
    for (const char* ours : {"poetry_poster_service", "batch_delay_ms", "queue_capacity", "intra_threads:"})
      EXPECT_THAT(plan_markdown(plan, Lang::en) + plan_markdown(plan, Lang::zh), Not(HasSubstr(ours)));
  }
}

TEST(Steps, keep_the_environment_of_the_steps_before) {
  SteadyService s(4, "/opt/svc");
  tells_its_options(s);
  const Plan plan = plan_in_order(s, "allocator_retain", "runtime_batch_delay");
  EXPECT_THAT(plan.steps.at(0).commands.at(0),
              AllOf(HasSubstr("; else env MALLOC_TRIM_THRESHOLD_="), testing::EndsWith(" /opt/svc; fi")));
  const std::string& first = plan.steps[0].commands[0];
  EXPECT_EQ(plan.steps.at(1).commands.at(0),
            first.substr(0, first.size() - 4) + " --config runtime_config.yaml; fi");
}

TEST(Steps, convert_with_all_fusions_so_far_into_a_file_of_their_own) {
  SteadyService s;
  s.t.sink().metadata("model.unet", "m/unet.onnx");
  const Plan plan = plan_in_order(s, "atc_layout_unify", "atc_fuse_patterns");
  EXPECT_THAT(plan.steps.at(0).commands, ElementsAre("atc convert --model m/unet.onnx --fusion_config "
                                                     "fusion_config_step1.json --output unet_step1.onnx"));
  EXPECT_THAT(plan.steps.at(1).commands, ElementsAre("atc convert --model m/unet.onnx --fusion_config "
                                                     "fusion_config.json --output unet_step2.onnx"));
  const auto first = nlohmann::json::parse(file_of(plan, "fusion_config_step1.json"));
  EXPECT_FALSE(first["passes"].contains("layout"));
  EXPECT_EQ(first["passes"]["gelu"], false);
  EXPECT_TRUE(nlohmann::json::parse(file_of(plan, "fusion_config.json"))["passes"].empty());
}

TEST(Steps, convert_into_the_folder_of_the_plan_and_not_among_the_models) {
  SteadyService s;
  s.t.sink().metadata("model.unet", "/srv/models/unet.onnx");
  PlanOptions options = tolerant();
  options.folder = "plans";
  const Plan plan =
      plan_of(s.t.seal(), diagnosis_yaml({{"a", "atc_layout_unify"}}), only_commands(), options);
  EXPECT_THAT(plan.steps.at(0).commands.at(0), HasSubstr("--output plans/unet_step1.onnx"));
  EXPECT_THAT(file_of(plan, "step1_apply.sh"), HasSubstr("--output \"$here\"/unet_step1.onnx"));
}

TEST(Steps, prove_a_conversion_with_the_library_that_the_service_ran) {
  struct Row {
    std::vector<std::string> mapped;
    std::string engine; // empty = not known
  };
  const std::vector<Row> rows{
      {{"/opt/ort 1.28/libonnxruntime.so.1.28.2", "/lib/libc.so.6", "/opt/ort 1.28/libonnxruntime.so.1.28.2"},
       "/opt/ort 1.28/libonnxruntime.so.1.28.2"},
      {{"/a/libonnxruntime.so.1", "/b/libonnxruntime.so.1"}, ""},
      {{"/lib/libc.so.6", "/x/libonnxruntime_providers_shared.so", "libonnxruntime.so.1"}, ""},
      {{"/tmp/libonnxruntime.so.1 (deleted)"}, ""},
      {{}, ""}};
  for (const Row& row : rows) {
    SteadyService s;
    s.t.sink().metadata("model.unet", "unet.onnx");
    for (const std::string& path : row.mapped)
      (void)s.t.sink().mapping({.path = s.t.text(path)});
    const Plan plan = plan_of_one(s, "atc_layout_unify");
    const std::string& command = plan.steps.at(0).commands.at(0);
    const std::string said = testing::PrintToString(plan.steps[0].instructions);
    if (row.engine.empty()) {
      EXPECT_THAT(command, Not(HasSubstr("--engine")));
      EXPECT_THAT(said, HasSubstr("does not show which ONNX Runtime"));
    } else {
      EXPECT_THAT(command, testing::EndsWith(" --engine " + shell_quote(row.engine)));
      EXPECT_THAT(said, HasSubstr("with the library that the service runs: " + row.engine));
    }
  }
}

// The mark of a file that is as it was made goes with any change, and stands in no other file.
TEST(MadeFile, is_told_from_every_change_of_it) {
  const std::string made = with_digest("#!/bin/sh\n# " + made_mark() + "\necho one\n");
  EXPECT_TRUE(is_as_made(made));
  for (std::size_t i = 0; i < made.size(); ++i) {
    std::string changed = made;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(is_as_made(changed)) << i;
    EXPECT_FALSE(is_as_made(std::string_view(made).substr(0, i)));
  }
  EXPECT_FALSE(is_as_made(made + "\n"));
  EXPECT_FALSE(is_as_made(""));
  EXPECT_FALSE(is_as_made("generate-plan sha256:"));
  // sha256sum of the file with sixty-four zeros in the place of the digest says the same.
  EXPECT_THAT(
      made,
      HasSubstr("generate-plan sha256:28095138d822f0af43412b15d1b252454e3ec4fe0cb3c628965a7d79918866ec\n"));
}

TEST(Steps, name_files_as_seen_from_where_the_plan_was_made) {
  SteadyService s(4, "/opt/svc");
  tells_its_options(s);
  PlanOptions options = tolerant();
  options.folder = "my plans";
  const Plan plan =
      plan_of(s.t.seal(), diagnosis_yaml({{"a", "runtime_more_workers"}}), only_commands(), options);
  EXPECT_THAT(plan.steps.at(0).commands,
              ElementsAre(unless_running("/opt/svc --config 'my plans/runtime_config.yaml'")));
  EXPECT_THAT(file_of(plan, "step1_apply.sh"),
              HasSubstr("/opt/svc --config \"$here\"/runtime_config.yaml; fi\n"));
}

struct FindCase {
  std::vector<std::string> command;
  std::string program, expected;
};

TEST(FindService, goes_by_the_program_and_not_by_its_options) {
  const std::vector<FindCase> cases{
      {{"./bin/svc", "--port", "1"}, "svc", "pgrep -f -- '^\\./bin/svc( |$)'"},
      {{"python3", "serve.py", "--port", "1"}, "python3", "pgrep -f -- '^python3 serve\\.py( |$)'"},
      {{"/usr/bin/python3.11", "-u", "-m", "my.server", "--x"},
       "python3.11",
       "pgrep -f -- '^/usr/bin/python3\\.11 -u -m my\\.server( |$)'"},
      {{"node-exporter", "a"}, "node-exporter", "pgrep -f -- '^node-exporter( |$)'"},
      {{"/opt/it's", "a"}, "x", "pgrep -f -- '^/opt/it'\\''s( |$)'"},
      {{"/opt/a+b(c)"}, "x", "pgrep -f -- '^/opt/a\\+b\\(c\\)( |$)'"},
      {{}, "svc; rm x", "pidof -- 'svc; rm x'"},
      {{}, "", ""},
  };
  for (const FindCase& c : cases) {
    detail::ServiceFacts facts;
    facts.command = c.command;
    facts.program = c.program;
    EXPECT_EQ(detail::find_command(facts), c.expected);
  }
}

TEST(FindService, finds_the_running_program_and_keeps_a_second_one_from_starting) {
  if (run_in("/", "command -v pgrep").status != 0) GTEST_SKIP() << "no pgrep here";
  const Folder folder;
  const std::string program = (folder.path() / "svc").string();
  folder.write(
      "svc",
      "#!/bin/sh\necho started >> \"$(dirname \"$0\")/log\"\nwhile [ -e \"$(dirname \"$0\")/on\" ]; do "
      "sleep 0.05; done\n");
  SteadyService s(4, "/bin/sh " + program + " --workers 1");
  const Plan plan = plan_of_one(s, "runtime_more_workers");
  folder.write("on", "");
  const std::string start = plan.steps.at(0).commands.at(0);
  const std::string both = "/bin/sh " + program + " --workers 1 & while ! pgrep -f -- '^/bin/sh " + program +
                           "( |$)' >/dev/null; do :; done; " + start + "; echo second $?; rm on; wait; " +
                           start + "; echo third $?; cat log";
  const Ran ran = run_in(folder.path().string(), both);
  EXPECT_THAT(ran.output, HasSubstr("stop it first, then run this again")) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("second 1\nthird 0\nstarted\nstarted\n")) << ran.output;
}

TEST(Steps, of_an_unknown_service_stop_until_its_command_is_filled_in) {
  TraceBuilder t;
  t.request(1, 0, 1000);
  const Plan plan =
      plan_of(t.seal(), diagnosis_yaml({{"a", "allocator_retain"}}), only_commands(), tolerant());
  EXPECT_THAT(plan.steps.at(0).open_places, ElementsAre("SERVICE_COMMAND"));
  EXPECT_THAT(file_of(plan, "step1_apply.sh"), HasSubstr(">&2; exit 2\n"));
}

TEST(PlanView, has_the_same_keys_in_yaml_and_json_and_every_language) {
  SteadyService s(4);
  const Plan plan =
      plan_of(s.t.seal(), diagnosis_yaml({{"a", "atc_layout_unify, cpu_isolation, no_such"}}), builtin());
  const YAML::Node yaml = YAML::Load(to_yaml(plan_doc(plan)));
  const auto json = nlohmann::json::parse(to_json(plan_doc(plan)));
  EXPECT_EQ(yaml["schema"].as<std::string>(), "cann-profiler/plan/1");
  for (const auto& pair : yaml)
    EXPECT_TRUE(json.contains(pair.first.as<std::string>()));
  const YAML::Node step = yaml["steps"][0];
  EXPECT_EQ(step["action"].as<std::string>(), "atc_layout_unify");
  // 400 of 1000 us is Transpose; 70 % of it goes.
  EXPECT_NEAR(step["expected_gain"]["mean_latency"]["typical"].as<double>(), -0.28, 1e-9);
  EXPECT_EQ(step["effects"][0]["basis"].as<std::string>(), "assumed");
  EXPECT_DOUBLE_EQ(step["effects"][0]["low"].as<double>(), 0.2);
  EXPECT_DOUBLE_EQ(step["effects"][0]["high"].as<double>(), 0.95);
  EXPECT_EQ(yaml["left_out"].size(), 2U);
}

TEST(PlanView, markdown_labels_gains_from_assumed_ranges) {
  SteadyService s(4);
  const Plan plan = plan_of(s.t.seal(), diagnosis_yaml({{"a", "atc_layout_unify, no_such"}}), builtin());
  const std::string en = plan_markdown(plan, Lang::en), zh = plan_markdown(plan, Lang::zh);
  EXPECT_THAT(en, AllOf(HasSubstr("## 1. Unify the data layout of the model"),
                        HasSubstr("**Expected gain, predicted from assumed ranges**"), HasSubstr("-28.0 %"),
                        HasSubstr("## Left out"), HasSubstr("```sh\natc convert")));
  EXPECT_THAT(zh, AllOf(HasSubstr("预期收益（由假定范围预测）"), HasSubstr("## 未采用的措施")));
}

TEST(PlanView, an_empty_plan_says_so) {
  const Plan plan =
      plan_of(SteadyService().t.seal(), "schema: cann-profiler/diagnosis/1\ncauses: []\n", builtin());
  EXPECT_THAT(plan_markdown(plan, Lang::en), HasSubstr("No step is recommended"));
  EXPECT_THAT(plan_markdown(plan, Lang::zh), HasSubstr("没有推荐的步骤"));
}

} // namespace
} // namespace prof
