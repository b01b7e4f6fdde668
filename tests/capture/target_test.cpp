// From a name to processes, on a /proc of our own making.
#include "base/lang.hpp"
#include "capture/procfs.hpp"
#include "capture/target.hpp"
#include "fake_proc.hpp"

#include <algorithm>
#include <gmock/gmock.h>

namespace prof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

class Target : public testing::Test {
protected:
  Target() {
    proc.process(1, 0, "init", {"/sbin/init"});
    proc.process(10, 1, "bash", {"bash"});
    proc.process(11, 10, "profiler", {"profiler", "trace", "--target", "poetry_poster_service"});
  }
  [[nodiscard]] TargetWorld world(std::vector<SdkService> services = {}) const {
    return {.proc_root = proc.root(), .sdk_services = std::move(services), .self = 11};
  }
  FakeProc proc;
};

TEST_F(Target, a_process_with_a_name_longer_than_the_kernel_keeps_is_found) {
  proc.process(20, 10, "poetry_poster_service", {"./build/bin/poetry_poster_service", "--port", "8190"});
  const auto found = find_target("poetry_poster_service", world());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, TargetKind::process);
  EXPECT_EQ(found[0].name, "poetry_poster_service");
  EXPECT_THAT(found[0].pids, ElementsAre(20));
}

TEST_F(Target, a_process_that_may_not_be_looked_into_is_told_by_whose_it_is) {
  proc.write("20/status", "Name:\tserver\nUid:\t1000\t0\t0\t0\n");
  EXPECT_EQ(refusal_of(proc.root(), 20, 1001), "trace.not_allowed");
  EXPECT_EQ(refusal_of(proc.root(), 20, 1000), "trace.not_allowed_own");
  EXPECT_EQ(refusal_of(proc.root(), 20, 0), "trace.not_allowed_root") << "a container's root";
  EXPECT_EQ(refusal_of(proc.root(), 99, 1000), "trace.not_allowed") << "gone meanwhile";
  for (const char* id : {"trace.not_allowed", "trace.not_allowed_own", "trace.not_allowed_root"})
    for (const Lang lang : {Lang::en, Lang::zh})
      EXPECT_NE(text(lang, id).find("{pid}"), std::string_view::npos) << id;
}

TEST_F(Target, children_of_a_service_belong_to_it) {
  proc.process(20, 10, "server", {"server"});
  proc.process(21, 20, "server", {"server", "--worker"});
  proc.process(22, 21, "helper", {"helper"});
  const auto found = find_target("server", world());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].pids, ElementsAre(20, 21, 22));
}

TEST_F(Target, two_trees_of_one_name_are_two_services) {
  proc.process(20, 10, "server", {"server", "--port", "1"});
  proc.process(30, 1, "server", {"server", "--port", "2"});
  const auto found = find_target("server", world());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].cmdline, "server --port 1");
  EXPECT_EQ(found[1].cmdline, "server --port 2");
}

TEST_F(Target, the_announced_name_comes_before_process_names) {
  proc.process(20, 10, "python3", {"python3", "serve.py"});
  proc.process(30, 10, "poster", {"poster"});
  const auto found = find_target("poster", world({{.pid = 20, .name = "poster", .ring_path = ""}}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, TargetKind::sdk);
  EXPECT_THAT(found[0].pids, ElementsAre(20));
}

TEST_F(Target, an_announced_name_of_a_dead_process_is_no_match) {
  EXPECT_TRUE(find_target("ghost", world({{.pid = 999, .name = "ghost", .ring_path = ""}})).empty());
}

TEST_F(Target, a_hostile_announced_name_is_compared_as_it_is) {
  proc.process(20, 10, "x", {"x"});
  const std::string name = "\"><script>\x1b[31m\n=cmd()";
  const auto found = find_target(name, world({{.pid = 20, .name = name, .ring_path = ""}}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, name);
}

TEST_F(Target, pid_takes_exactly_that_process) {
  proc.process(20, 10, "server", {"server"});
  EXPECT_THAT(find_target("pid:20", world())[0].pids, ElementsAre(20));
  EXPECT_TRUE(find_target("pid:21", world()).empty());
  EXPECT_TRUE(find_target("pid:2x", world()).empty());
  EXPECT_TRUE(find_target("pid:", world()).empty());
}

TEST_F(Target, the_number_of_a_thread_means_its_process) {
  proc.process(20, 10, "server", {"server"});
  proc.process(23, 10, "server", {"server"}); // what /proc shows for a thread that is asked for by number
  proc.write("20/status", "Name:\tserver\nTgid:\t20\nPid:\t20\n");
  proc.write("23/status", "Name:\tserver\nTgid:\t20\nPid:\t23\n");
  EXPECT_THAT(find_target("pid:23", world())[0].pids, ElementsAre(20));
  EXPECT_THAT(find_target("pid:20", world())[0].pids, ElementsAre(20));
}

TEST_F(Target, numbers_that_are_no_pid_find_nothing) {
  proc.process(20, 10, "server", {"server"});
  for (const char* spec : {"pid:-20", "pid:+20", "pid: 20", "pid:20 ", "pid:0x14", "pid:0", "pid:20.0",
                           "PID:20", "pid:99999999999999999999", "pid:20\n", "pid:2O"})
    EXPECT_TRUE(find_target(spec, world()).empty()) << spec;
}

TEST_F(Target, parents_that_go_round_in_a_circle_end_the_search) {
  proc.process(20, 21, "server", {"server"}); // read at two moments, pids may seem to be their own ancestors
  proc.process(21, 20, "server", {"server"});
  proc.process(22, 22, "server", {"server"});
  for (const TargetService& service : find_target("server", world()))
    EXPECT_FALSE(service.pids.empty());
  const std::int64_t roots[] = {20};
  EXPECT_THAT(with_descendants(proc.root(), roots), ElementsAre(20, 21));
}

TEST_F(Target, neither_we_nor_the_dead_are_part_of_a_cgroup) {
  proc.process(20, 1, "a", {"a"});
  proc.process(21, 1, "b", {"b"}, 'Z');
  for (const char* pid : {"11", "20", "21"}) // 11: the profiler, started in the service's own session
    proc.write(std::string(pid) + "/cgroup", "0::/system.slice/posters.service\n");
  EXPECT_THAT(find_target("posters", world())[0].pids, ElementsAre(20));
}

TEST_F(Target, two_services_of_one_announced_name_are_two_and_a_tree_of_them_is_one) {
  proc.process(20, 1, "a", {"a"});
  proc.process(21, 20, "a", {"a"});
  proc.process(30, 1, "b", {"b"});
  const auto found = find_target("twin", world({{.pid = 20, .name = "twin", .ring_path = ""},
                                                {.pid = 21, .name = "twin", .ring_path = ""},
                                                {.pid = 30, .name = "twin", .ring_path = ""}}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0].pids, ElementsAre(20, 21));
  EXPECT_THAT(found[1].pids, ElementsAre(30));
}

TEST_F(Target, names_of_odd_bytes_are_found_as_they_are) {
  proc.process(20, 1, "two words", {"/opt/two words", "--flag=a\nb"});
  proc.process(21, 1, "(sd-pam)", {"(sd-pam)"});
  proc.process(22, 1, "\xe8\xaf\x97", {"/opt/\xe8\xaf\x97"});
  for (const auto& [spec, pid] : {std::pair{"two words", 20},
                                  {"/opt/two words", 20},
                                  {"--flag=a\nb", 20},
                                  {"(sd-pam)", 21},
                                  {"\xe8\xaf\x97", 22}}) {
    const auto found = find_target(spec, world());
    ASSERT_EQ(found.size(), 1u) << spec;
    EXPECT_THAT(found[0].pids, ElementsAre(pid)) << spec;
  }
  EXPECT_TRUE(find_target("", world()).empty());
}

TEST_F(Target, a_script_is_found_by_a_word_of_its_command_line) {
  proc.process(20, 10, "python3", {"python3", "/srv/serve_posters.py", "--port", "1"});
  for (const char* spec : {"/srv/serve_posters.py", "serve_posters.py"}) {
    const auto found = find_target(spec, world());
    ASSERT_EQ(found.size(), 1u) << spec;
    EXPECT_EQ(found[0].kind, TargetKind::word);
    EXPECT_THAT(found[0].pids, ElementsAre(20));
  }
}

TEST_F(Target, we_and_our_shell_are_never_meant_by_a_word) {
  proc.process(10, 1, "bash", {"bash", "-c", "profiler trace --target lonely_service", "lonely_service"});
  EXPECT_TRUE(find_target("lonely_service", world()).empty());
  EXPECT_TRUE(find_target("poetry_poster_service", world()).empty()); // stands in our own command line only
}

TEST_F(Target, a_zombie_is_no_target) {
  proc.process(20, 10, "server", {"server"}, 'Z');
  EXPECT_TRUE(find_target("server", world()).empty());
}

TEST_F(Target, a_unit_and_a_container_are_found_by_their_cgroup) {
  proc.process(20, 1, "a", {"a"});
  proc.process(21, 1, "b", {"b"});
  proc.write("20/cgroup", "4:memory:/system.slice/posters.service\n0::/\n");
  proc.write("21/cgroup", "0::/docker/3f1b2c4d5e6f7a8b9c0d\n");
  for (const char* spec : {"posters.service", "posters", "/system.slice/posters.service"}) {
    const auto found = find_target(spec, world());
    ASSERT_EQ(found.size(), 1u) << spec;
    EXPECT_THAT(found[0].pids, ElementsAre(20));
  }
  EXPECT_THAT(find_target("3f1b2c4d5e6f", world())[0].pids, ElementsAre(21));
  EXPECT_TRUE(find_target("3f1b2c", world()).empty()) << "too short to be a container id";
}

TEST_F(Target, a_name_with_parentheses_and_spaces_does_not_shift_the_fields) {
  proc.process(20, 17, "a) R 99 (b", {"x"});
  const auto stat = read_stat(proc.root(), 20);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->ppid, 17);
  EXPECT_EQ(stat->minor_faults, 101);
  EXPECT_EQ(stat->major_faults, 7);
  EXPECT_EQ(stat->start_ticks, 5000);
}

TEST_F(Target, a_cut_stat_file_is_absent_and_not_zero) {
  proc.write("20/stat", "20 (x) S 1 1");
  EXPECT_FALSE(read_stat(proc.root(), 20));
  EXPECT_FALSE(read_stat(proc.root(), 12345));
}

TEST_F(Target, known_names_have_no_doubles_and_no_kernel_threads) {
  proc.process(2, 0, "kthreadd", {});
  proc.process(20, 10, "server", {"server"});
  proc.process(21, 10, "server", {"server"});
  const auto names = known_target_names(world({{.pid = 20, .name = "announced", .ring_path = ""}}));
  EXPECT_EQ(names.front(), "announced");
  EXPECT_EQ(std::ranges::count(names, std::string("server")), 1);
  EXPECT_THAT(names, Not(Contains("kthreadd")));
}

TEST_F(Target, cgroup_folders_of_both_versions_are_found) {
  FakeProc sys;
  proc.write("20/cgroup", "4:memory:/jobs/a\n2:cpu,cpuacct:/jobs/a\n0::/unified/a\n");
  sys.write("fs/cgroup/memory/jobs/a/memory.usage_in_bytes", "1\n");
  sys.write("fs/cgroup/cpu,cpuacct/jobs/a/cpu.stat", "nr_throttled 3\n");
  const auto memory = cgroup_dir(proc.root(), sys.root(), 20, "memory");
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->path, sys.root() / "fs/cgroup/memory/jobs/a");
  EXPECT_FALSE(memory->is_v2);
  const auto cpu = cgroup_dir(proc.root(), sys.root(), 20, "cpu");
  ASSERT_TRUE(cpu);
  EXPECT_EQ(value_of_key(*read_virtual_file(cpu->path / "cpu.stat"), "nr_throttled"), 3);
  FakeProc unified;
  unified.write("fs/cgroup/cgroup.controllers", "cpu memory\n");
  proc.write("21/cgroup", "0::/kubepods/x\n");
  const auto v2 = cgroup_dir(proc.root(), unified.root(), 21, "memory");
  ASSERT_TRUE(v2);
  EXPECT_TRUE(v2->is_v2);
  EXPECT_EQ(v2->path, unified.root() / "fs/cgroup/kubepods/x");
}

struct Offsets {
  const char* name;
  const char* content;
  std::int64_t ns;
};
class TimeNamespace : public ::testing::TestWithParam<Offsets> {};

TEST_P(TimeNamespace, has_the_offset_that_the_kernel_tells) {
  const FakeProc proc;
  proc.write("7/timens_offsets", GetParam().content);
  EXPECT_EQ(monotonic_offset_ns(proc.root(), "7"), GetParam().ns);
  EXPECT_EQ(monotonic_offset_ns(proc.root(), "8"), 0) << "no such file: no such namespaces";
}

INSTANTIATE_TEST_SUITE_P(
    Procfs, TimeNamespace,
    ::testing::Values(Offsets{"the_machines_own",
                              "monotonic           0         0\nboottime            0         0\n", 0},
                      Offsets{"ahead", "monotonic      100000       500\nboottime            0         0\n",
                              100'000'000'000'500},
                      Offsets{"behind", "boottime 5 5\nmonotonic -3 999999999\n", -2'000'000'001},
                      Offsets{"no_numbers", "monotonic x y\n", 0}, Offsets{"empty", "", 0}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(ProcText, values_are_taken_by_whole_key) {
  EXPECT_EQ(value_of_key("nr_periods 5\nnr_throttled 7\n", "nr_throttled"), 7);
  EXPECT_EQ(value_of_key("MemTotal:       24684096 kB\n", "MemTotal"), 24684096);
  EXPECT_EQ(value_of_key("total=12\n", "total"), 12);
  EXPECT_FALSE(value_of_key("nr_throttled_more 7\n", "nr_throttled"));
  EXPECT_FALSE(value_of_key("memory.max max\n", "memory.max"));
  EXPECT_FALSE(value_of_key("", "x"));
}

// --- who records a service already

struct Command {
  const char* name;
  std::vector<std::string> words;
  const char* output; // "" = it has none
};
class Recorders : public testing::TestWithParam<Command> {};

TEST_P(Recorders, are_named_with_the_file_that_they_write) {
  const FakeProc proc;
  proc.process(9, 1, "profiler", GetParam().words);
  std::filesystem::create_symlink("/data/run", proc.root() / "9/cwd");
  const std::string output = GetParam().output;
  EXPECT_EQ(describe_recorder(proc.root(), 9), output.empty() ? "pid 9" : "pid 9, " + output);
}

INSTANTIATE_TEST_SUITE_P(
    All, Recorders,
    testing::Values(
        Command{"named", {"profiler", "trace", "--target", "svc", "--output", "a.pb"}, "/data/run/a.pb"},
        Command{"with_equals", {"profiler", "trace", "--output=/tmp/../x/a.pb"}, "/x/a.pb"},
        Command{"by_default", {"/opt/bin/profiler", "trace", "--target", "svc"}, "/data/run/trace.pb"},
        Command{"the_last_one_counts",
                {"profiler", "trace", "--output", "a.pb", "--output", "b.pb"},
                "/data/run/b.pb"},
        Command{"not_the_program_s",
                {"profiler", "trace", "--", "svc", "--output", "c.pb"},
                "/data/run/trace.pb"},
        Command{"cut_off", {"profiler", "trace", "--output"}, "/data/run/trace.pb"},
        Command{"standard_output", {"profiler", "trace", "--output", "-"}, ""},
        Command{"another_verb", {"profiler", "monitor", "--target", "svc"}, ""},
        Command{"a_command_that_records", {"runner", "--", "profiler", "trace"}, ""},
        Command{"none", {}, ""}),
    [](const auto& row) { return row.param.name; });

TEST(RecordersGone, are_a_number) {
  const FakeProc proc;
  EXPECT_EQ(describe_recorder(proc.root(), 9), "pid 9");
}

} // namespace
} // namespace prof
