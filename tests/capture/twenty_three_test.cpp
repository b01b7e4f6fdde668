// A child that does exactly 23 of a thing shows exactly 23 in its trace.
//
// Not here, because the kernel cannot promise it: sched_yield (no switch when nobody else wants the CPU),
// reads that block on a disk (the page cache answers), bytes sent (/proc/net/dev counts the whole network
// namespace).
#include "capture/perf_ring.hpp"
#include "capture/procfs.hpp"
#include "live.hpp"

#include <atomic>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/futex.h>
#include <poll.h>
#include <set>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>

namespace prof {
namespace {

using test::Child;
using test::record_child;
using test::Recording;

constexpr int kTimes = 23;

// One way in which a thread waits for another: `wait` sleeps until `wake` is called.
struct Wait {
  const char* name;
  void (*open)(int fds[2]);
  void (*wait)(int fds[2]);
  void (*wake)(int fds[2]);
};
std::atomic<std::uint32_t> g_word{0};

void read_byte(int fd) {
  char byte = 0;
  if (::read(fd, &byte, 1) != 1) ::_exit(3);
}
void write_byte(int fd) {
  if (::write(fd, "x", 1) != 1) ::_exit(4);
}
void open_socket(int fds[2]) {
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) ::_exit(2);
}

const Wait kWaits[] = {{"futex", [](int*) {},
                        [](int*) {
                          const std::uint32_t seen = g_word.load();
                          ::syscall(SYS_futex, &g_word, FUTEX_WAIT_PRIVATE, seen, nullptr);
                        },
                        [](int*) {
                          g_word.fetch_add(1);
                          ::syscall(SYS_futex, &g_word, FUTEX_WAKE_PRIVATE, 1);
                        }},
                       {"pipe_read",
                        [](int* fds) {
                          if (::pipe(fds) != 0) ::_exit(2);
                        },
                        [](int* fds) { read_byte(fds[0]); }, [](int* fds) { write_byte(fds[1]); }},
                       {"socket_receive", open_socket, [](int* fds) { read_byte(fds[0]); },
                        [](int* fds) { write_byte(fds[1]); }},
                       {"poll", open_socket,
                        [](int* fds) {
                          pollfd wanted{.fd = fds[0], .events = POLLIN, .revents = 0};
                          ::poll(&wanted, 1, -1);
                          read_byte(fds[0]);
                        },
                        [](int* fds) { write_byte(fds[1]); }},
                       {"eventfd", [](int* fds) { fds[0] = ::eventfd(0, 0); },
                        [](int* fds) {
                          std::uint64_t count = 0;
                          if (::read(fds[0], &count, sizeof count) != sizeof count) ::_exit(3);
                        },
                        [](int* fds) {
                          const std::uint64_t one = 1;
                          if (::write(fds[0], &one, sizeof one) != sizeof one) ::_exit(4);
                        }}};

// Until the kernel says that the thread sleeps: only then is the next wake-up one that ends a wait.
void wait_until_asleep(pid_t tid) {
  const std::string path = "/proc/self/task/" + std::to_string(tid) + "/stat";
  for (;;) {
    char text[256] = {};
    const int fd = ::open(path.c_str(), O_RDONLY);
    const ssize_t size = ::read(fd, text, sizeof text - 1);
    ::close(fd);
    const char* name_end = size > 0 ? ::strrchr(text, ')') : nullptr;
    if (name_end != nullptr && name_end[2] == 'S') return;
    ::usleep(200);
  }
}

class TwentyThreeWaits : public testing::TestWithParam<Wait> {};

TEST_P(TwentyThreeWaits, are_twenty_three_sleeps_of_the_thread_that_waited) {
  if (!may_watch_machine()) GTEST_SKIP() << "needs the right to trace the scheduler";
  const Wait& wait = GetParam();
  int told[2];
  ASSERT_EQ(::pipe(told), 0);
  const Child child([&] {
    int fds[2] = {-1, -1};
    wait.open(fds);
    std::atomic<pid_t> tid{0};
    std::thread waiter([&] {
      tid = static_cast<pid_t>(::syscall(SYS_gettid));
      for (int i = 0; i < kTimes; ++i)
        wait.wait(fds);
    });
    while (tid == 0)
      ::usleep(200);
    const pid_t number = tid;
    (void)!::write(told[1], &number, sizeof number);
    for (int i = 0; i < kTimes; ++i) {
      wait_until_asleep(number);
      wait.wake(fds);
    }
    waiter.join();
  });
  Recording recording;
  record_child(child, recording);
  pid_t waiter = 0;
  ASSERT_EQ(::read(told[0], &waiter, sizeof waiter), static_cast<ssize_t>(sizeof waiter));
  std::int64_t sleeps = 0, wakeups = 0;
  for (const auto& row : recording.sink.switches)
    sleeps += row.prev == waiter && row.state == 'S' ? 1 : 0;
  for (const auto& row : recording.sink.wakeups)
    wakeups += row.tid == waiter && row.waker_tid == child.pid() ? 1 : 0;
  EXPECT_EQ(sleeps, kTimes);
  EXPECT_EQ(wakeups, kTimes) << "each by the main thread, which runs: no idle CPU is asked";
  EXPECT_EQ(recording.report.lost, 0);
  ::close(told[0]);
  ::close(told[1]);
}

INSTANTIATE_TEST_SUITE_P(TwentyThree, TwentyThreeWaits, testing::ValuesIn(kWaits),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(TwentyThree, threads_that_come_and_go_are_all_seen) {
  if (!may_watch_machine()) GTEST_SKIP() << "needs the right to trace the scheduler";
  const Child child([] {
    ::prctl(PR_SET_NAME, "one_of_23");
    for (int i = 0; i < kTimes; ++i)
      std::thread([] { ::usleep(100); }).join();
  });
  Recording recording;
  record_child(child, recording);
  std::set<std::int64_t> tids;
  for (const auto& row : recording.sink.switches)
    if (row.comm == "one_of_23" && row.next != child.pid()) tids.insert(row.next);
  EXPECT_EQ(tids.size(), std::size_t{kTimes});
}

TEST(TwentyThree, processes_that_come_and_go_between_two_looks_are_all_counted) {
  const Child child([] {
    for (int i = 0; i < kTimes; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) ::_exit(0);
      ::waitpid(pid, nullptr, 0);
    }
  });
  Recording recording;
  record_child(child, recording);
  EXPECT_EQ(recording.report.processes, 1 + kTimes);
}

TEST(TwentyThree, the_same_forks_are_counted_in_a_chain_of_children) {
  const Child child([] {
    for (int i = 0; i < kTimes; ++i) { // each is the child of the one before
      const pid_t pid = ::fork();
      if (pid != 0) {
        ::waitpid(pid, nullptr, 0);
        ::_exit(0);
      }
    }
  });
  Recording recording;
  record_child(child, recording);
  EXPECT_EQ(recording.report.processes, 1 + kTimes);
}

} // namespace
} // namespace prof
