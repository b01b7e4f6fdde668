// The capture gives way to everybody while it is in time, and comes back to an ordinary priority when it is
// not.
#include "base/clock.hpp"
#include "capture/low_priority.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

using namespace literals;

constexpr Dur kMinute{.ns = 60'000'000'000};

bool may_leave_idle() {
  return ::geteuid() == 0;
}

// Until the watching thread has done so; the test's own time limit ends a wait in vain.
void wait_for_class(int wanted) {
  while (::sched_getscheduler(0) != wanted)
    ::sched_yield();
}

TEST(LowPriority, WhatTheThreadHadBeforeIsGivenBack) {
  const int scheduler = ::sched_getscheduler(0), nice = ::getpriority(PRIO_PROCESS, 0);
  {
    LowPriority low;
    EXPECT_EQ(::sched_getscheduler(0), SCHED_BATCH);
    low.rest_until(now_monotonic() + kMinute, true);
  }
  EXPECT_EQ(::sched_getscheduler(0), scheduler);
  if (may_leave_idle()) {
    EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), nice);
  }
}

TEST(LowPriority, BetweenRoundsItWantsOnlyIdleTime) {
  if (!may_leave_idle()) GTEST_SKIP() << "needs the right to raise a priority";
  LowPriority low;
  low.rest_until(now_monotonic() + kMinute, true);
  EXPECT_EQ(::sched_getscheduler(0), SCHED_IDLE);
}

TEST(LowPriority, AnOverdueRoundIsNotLeftWaiting) {
  if (!may_leave_idle()) GTEST_SKIP() << "needs the right to raise a priority";
  LowPriority low;
  for (int round = 0; round < 3; ++round) {
    low.rest_until(Ts{}, true);
    wait_for_class(SCHED_BATCH);
    low.rest_until(now_monotonic() + kMinute, true);
    EXPECT_EQ(::sched_getscheduler(0), SCHED_IDLE) << "after round " << round;
  }
}

TEST(LowPriority, WhoHoldsALockHurriesUntilTheNextRest) {
  if (!may_leave_idle()) GTEST_SKIP() << "needs the right to raise a priority";
  LowPriority low;
  low.rest_until(now_monotonic() + kMinute, true);
  hurry();
  EXPECT_EQ(::sched_getscheduler(0), SCHED_BATCH);
  low.rest_until(now_monotonic() + kMinute, true);
  EXPECT_EQ(::sched_getscheduler(0), SCHED_IDLE);
}

TEST(LowPriority, WhileMuchComesItKeepsAnOrdinaryPriority) {
  LowPriority low;
  low.rest_until(now_monotonic() + kMinute, false);
  EXPECT_EQ(::sched_getscheduler(0), SCHED_BATCH);
}

// A thread without the right to a lower nice value cannot leave the idle class: it must never go there.
TEST(LowPriority, WithoutRightsItIsNeverTrappedInTheIdleClass) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_NICE, &none);
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(3);
    {
      LowPriority low;
      low.rest_until(now_monotonic() + kMinute, true);
      if (::sched_getscheduler(0) != SCHED_BATCH) ::_exit(1);
    }
    ::_exit(::sched_getscheduler(0) == SCHED_OTHER ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

} // namespace
} // namespace prof
