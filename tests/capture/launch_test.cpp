// Programs that we start: what they are given, and how their end is told.
#include "capture/launch.hpp"

#include <csignal>
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

class Launch : public testing::Test {
protected:
  Launch() {
    std::string pattern = testing::TempDir() + "launch.XXXXXX";
    folder = ::mkdtemp(pattern.data());
    file = folder + "/out";
  }
  ~Launch() override {
    const std::string command = "rm -rf '" + folder + "'";
    (void)!std::system(command.c_str());
  }
  void script(const std::string& name, const std::string& content, mode_t mode) const {
    std::ofstream(folder + "/" + name) << content;
    ::chmod((folder + "/" + name).c_str(), mode);
  }
  // The wait status of a program that is run to its end.
  static int run(LaunchedProgram& program) {
    const Status started = program.go();
    EXPECT_TRUE(started) << started.error().what;
    int status = 0;
    ::waitpid(static_cast<pid_t>(program.pid()), &status, 0);
    return status;
  }
  [[nodiscard]] std::string output() const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string folder, file;
};

struct End {
  const char* name;
  const char* command;
  const char* told;
  int handed_on;
};
class LaunchEnd : public testing::TestWithParam<End> {};

TEST_P(LaunchEnd, is_told_in_words) {
  auto program = LaunchedProgram::prepare({"/bin/sh", "-c", GetParam().command}, "");
  ASSERT_TRUE(program);
  EXPECT_FALSE(program->poll_exit()) << "it waits for the word";
  ASSERT_TRUE(program->go());
  std::optional<int> status;
  while (!(status = program->poll_exit()))
    ::usleep(1000);
  EXPECT_EQ(describe_exit(*status, Lang::en), GetParam().told);
  EXPECT_EQ(shell_status(*status), GetParam().handed_on);
  EXPECT_EQ(program->poll_exit(), status) << "asked again it is the same";
  program->send(SIGKILL); // the pid may be another process's by now: nothing is sent
}

INSTANTIATE_TEST_SUITE_P(Launch, LaunchEnd,
                         testing::Values(End{"zero", "exit 0", "exit status 0", 0},
                                         End{"one", "exit 1", "exit status 1", 1},
                                         End{"highest", "exit 255", "exit status 255", 255},
                                         End{"as_if_not_found", "exit 127", "exit status 127", 127},
                                         End{"terminated", "kill -TERM $$", "signal 15 (Terminated)", 143},
                                         End{"killed", "kill -KILL $$", "signal 9 (Killed)", 137},
                                         End{"aborted", "kill -ABRT $$", "signal 6 (Aborted)", 134}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(Launch, arguments_arrive_byte_for_byte) {
  const std::vector<std::string> odd{"",
                                     " ",
                                     "a b",
                                     "-",
                                     "--",
                                     "\"'`$(reboot)\\",
                                     "\xff\xfe\x01",
                                     "\n\t\x1b[31m",
                                     "*",
                                     "\xe8\xaf\x97",
                                     std::string(100'000, 'x')};
  std::vector<std::string> command{"/bin/sh", "-c", "printf '%s\\0' \"$@\" > " + file, "sh"};
  command.insert(command.end(), odd.begin(), odd.end());
  auto program = LaunchedProgram::prepare(command, "");
  ASSERT_TRUE(program);
  EXPECT_EQ(run(*program), 0);
  std::string expected;
  for (const std::string& word : odd)
    expected += word + '\0';
  EXPECT_EQ(output(), expected);
}

TEST_F(Launch, settings_replace_what_the_environment_has_and_nothing_else) {
  ::setenv("LAUNCH_TEST", "old", 1);
  ::setenv("LAUNCH_TEST_LONGER", "kept", 1);
  ::setenv("LD_PRELOAD", "", 1);
  auto program = LaunchedProgram::prepare({"/bin/sh", "-c",
                                           "env | grep -c ^LAUNCH_TEST > " + file +
                                               "; echo \"$LAUNCH_TEST,$LAUNCH_TEST_LONGER,$NEW\" >> " + file},
                                          "", {"LAUNCH_TEST=new=er", "NEW="});
  ASSERT_TRUE(program);
  EXPECT_EQ(run(*program), 0);
  EXPECT_EQ(output(), "2\nnew=er,kept,\n");
  ::unsetenv("LAUNCH_TEST");
  ::unsetenv("LAUNCH_TEST_LONGER");
  ::unsetenv("LD_PRELOAD");
}

TEST_F(Launch, what_cannot_run_is_told_before_and_when_it_is_started) {
  script("plain", "#!/bin/sh\nexit 0\n", 0644);
  script("no_interpreter", "#!/no/such/interpreter\n", 0755);
  script("good", "#!/bin/sh\nexit 5\n", 0755);
  ::mkdir((folder + "/folder").c_str(), 0755);
  struct Row {
    std::string name;
    std::optional<Errc> check, go;
  };
  const std::vector<Row> rows{
      {folder + "/plain", Errc::permission, Errc::permission},
      {folder + "/missing", Errc::not_found, Errc::not_found},
      {folder + "/missing/deeper", Errc::not_found, Errc::not_found},
      {folder + "/folder", Errc::permission, Errc::permission},
      {folder + "/no_interpreter", {}, Errc::not_found}, // only the kernel reads that line
      {"no-such-program-anywhere", Errc::not_found, Errc::not_found},
      {"", Errc::not_found, Errc::not_found},
      {folder + "/good", {}, {}},
      {"sh", {}, {}}};
  for (const Row& row : rows) {
    const Status check = check_program(row.name);
    EXPECT_EQ(check ? std::optional<Errc>{} : check.error().code, row.check) << row.name;
    auto program = LaunchedProgram::prepare({row.name, "-c", "exit 5"}, "");
    ASSERT_TRUE(program);
    const Status started = program->go();
    EXPECT_EQ(started ? std::optional<Errc>{} : started.error().code, row.go) << row.name;
    if (!started) {
      EXPECT_EQ(started.error().where, row.name);
      continue;
    }
    int status = 0;
    ::waitpid(static_cast<pid_t>(program->pid()), &status, 0);
    EXPECT_EQ(describe_exit(status, Lang::en), "exit status 5") << row.name;
  }
}

TEST_F(Launch, a_program_of_the_path_is_looked_for_in_its_order) {
  ::mkdir((folder + "/first").c_str(), 0755);
  ::mkdir((folder + "/second").c_str(), 0755);
  script("first/thing", "#!/bin/sh\nexit 1\n", 0644); // not executable: the next one is taken
  script("second/thing", "#!/bin/sh\nexit 9\n", 0755);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (folder + "/none:" + folder + "/first:" + folder + "/second").c_str(), 1);
  EXPECT_TRUE(check_program("thing"));
  auto program = LaunchedProgram::prepare({"thing"}, "");
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(program);
  EXPECT_EQ(describe_exit(run(*program), Lang::en), "exit status 9");
}

TEST_F(Launch, a_child_that_was_killed_while_it_waited_ends_nobody_else) {
  auto program = LaunchedProgram::prepare({"/bin/true"}, "");
  ASSERT_TRUE(program);
  ::kill(static_cast<pid_t>(program->pid()), SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(program->pid()), &info, WEXITED | WNOWAIT), 0);
  (void)program->go(); // nobody reads the word any more: a pipe's signal must not end us
  const auto status = program->poll_exit();
  ASSERT_TRUE(status);
  EXPECT_EQ(describe_exit(*status, Lang::en), "signal 9 (Killed)");
  EXPECT_EQ(describe_exit(*status, Lang::zh), "信号 9（Killed）");
}

} // namespace
} // namespace prof
