// A recording with pids of its own, as a container has them.
#include "capture/perf_ring.hpp"
#include "capture/procfs.hpp"
#include "live.hpp"

#include <functional>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>

namespace prof {
namespace {

using test::record_work;

// Runs `work` as the first process of a new pid namespace with its own /proc. False: not allowed here.
bool run_in_container(const std::function<void()>& work) {
  constexpr int kNotAllowed = 77;
  const pid_t outside = ::fork();
  if (outside == 0) {
    if (::unshare(CLONE_NEWPID | CLONE_NEWNS) != 0) ::_exit(kNotAllowed);
    const pid_t first = ::fork();
    if (first == 0) {
      if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
          ::mount("proc", "/proc", "proc", 0, nullptr) != 0)
        ::_exit(kNotAllowed);
      work();
      ::_exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    ::waitpid(first, &status, 0);
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
  int status = 0;
  ::waitpid(outside, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotAllowed) return false;
  EXPECT_EQ(status, 0) << "what failed in there stands above";
  return true;
}

// The tracepoints' numbers were taken for pids of here: no switch was the target's, and places where switches
// seemed to be missing were counted as lost by the reader of the trace alone.
TEST(Container, the_targets_own_switches_are_recorded_and_none_is_missing) {
  if (!may_watch_machine()) GTEST_SKIP() << "needs the right to watch processes";
  const bool is_run = run_in_container([] {
    ASSERT_FALSE(is_first_pid_namespace());
    const auto recording = record_work([] {
      test::sleep_often(23);
      const pid_t child = ::fork(); // whose last switch has no record
      if (child == 0) ::_exit(0);
      ::waitpid(child, nullptr, 0);
    });
    EXPECT_LT(recording->pid, 100) << "a number of the container's own";
    EXPECT_EQ(recording->report.lost, 0);
    std::int64_t sleeps = 0;
    for (const auto& row : recording->sink.switches)
      sleeps += row.prev == recording->pid && row.state == 'S' ? 1 : 0;
    EXPECT_GE(sleeps, 23);
    EXPECT_LE(sleeps, 23 + 1) << "and the wait for the child";
    std::map<std::string, RecordingSink::SignalRow> signals;
    for (const auto& row : recording->sink.signals)
      signals[row.name] = row;
    EXPECT_TRUE(signals["sched"].is_available);
    EXPECT_EQ(signals["preempted_by"].reason, "signal.reason.pid_namespace");
  });
  if (!is_run) GTEST_SKIP() << "needs the right to make a pid namespace";
}

} // namespace
} // namespace prof
