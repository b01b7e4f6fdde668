// What a program says when a fault ends it.
#include "common/last_words.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace prof {
namespace {

struct Fault {
  const char* name;
  int number;
  const char* kept; // of keep_at_crash(); nullptr = not called
  const char* says;
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}
// What a child said and how it ended.
struct Ended {
  std::string said;
  int status = 0;
};
Ended run_child(const std::function<void()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::unsetenv("PROF_CORE");
    ::dup2(ends[1], STDERR_FILENO);
    install_last_words("profiler", "trace", Lang::en);
    work();
    ::_exit(99);
  }
  ::close(ends[1]);
  Ended ended;
  char chunk[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], chunk, sizeof chunk)) > 0;)
    ended.said.append(chunk, static_cast<std::size_t>(got));
  ::close(ends[0]);
  ::waitpid(child, &ended.status, 0);
  return ended;
}

class AFault : public testing::TestWithParam<Fault> {};

TEST_P(AFault, says_what_was_kept_and_ends_with_status_3) {
  const auto [said, status] = run_child([] {
    if (GetParam().kept != nullptr) keep_at_crash("/data/out.pb");
    if (GetParam().kept != nullptr) keep_at_crash(GetParam().kept);
    ::raise(GetParam().number);
  });
  ASSERT_TRUE(WIFEXITED(status)) << said;
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_NE(said.find(GetParam().says), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), said.size() - 1) << "one line";
}

INSTANTIATE_TEST_SUITE_P(LastWords, AFault,
                         testing::Values(Fault{"nothing_was_begun", SIGSEGV, nullptr,
                                               "'trace' was ended by a fault in this program"},
                                         Fault{"a_recording_grew", SIGSEGV, "/data/out.pb",
                                               "is kept and can be read: /data/out.pb."},
                                         Fault{"another_one_grew", SIGABRT, "/data/b\n.pb",
                                               "is kept and can be read: /data/b\\x0a.pb."},
                                         Fault{"it_was_finished", SIGABRT, "", "nothing was half-written"}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(OutOfMemory, says_that_the_recording_is_kept_where_no_frame_can_catch_it) {
  for (const bool is_kept : {true, false}) {
    const auto [said, status] = run_child([&] {
      keep_at_crash("/data/out.pb");
      if (!is_kept) keep_at_crash("");
      std::thread([] { throw std::bad_alloc(); }).join();
    });
    ASSERT_TRUE(WIFEXITED(status)) << said;
    EXPECT_EQ(WEXITSTATUS(status), 3);
    EXPECT_EQ(said.find("is kept and can be read: /data/out.pb;") != std::string::npos, is_kept) << said;
    EXPECT_EQ(said.find("profiler: out of memory in 'trace'"), 0u) << said;
    EXPECT_EQ(said.find('\n'), said.size() - 1) << "one line";
  }
}

TEST(OutOfMemory, is_memory_or_a_thread_that_was_refused_and_nothing_else) {
  const auto refused = [](int code) { return std::system_error(code, std::generic_category()); };
  EXPECT_TRUE(is_out_of_memory(std::bad_alloc()));
  EXPECT_TRUE(is_out_of_memory(refused(EAGAIN))) << "what std::thread throws";
  EXPECT_TRUE(is_out_of_memory(refused(ENOMEM)));
  EXPECT_FALSE(is_out_of_memory(refused(ENOENT)));
  EXPECT_FALSE(is_out_of_memory(std::runtime_error("Cannot allocate memory")));
}

} // namespace
} // namespace prof
