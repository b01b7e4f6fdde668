// A child that does exactly 23 of a thing shows exactly 23 in its trace.
//
// Not here, because the kernel cannot promise it: sched_yield (no switch when nobody else wants the CPU),
// reads that block on a disk (the page cache answers), bytes sent (/proc/net/dev counts the whole network
// namespace).
#include "base/clock.hpp"
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

using test::record_work;
using test::SharedNumber;

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

std::string read_of_thread(std::int64_t tid, const char* file) {
  const std::string path = "/proc/self/task/" + std::to_string(tid) + "/" + file;
  char text[512] = {};
  const int fd = ::open(path.c_str(), O_RDONLY);
  const ssize_t size = fd >= 0 ? ::read(fd, text, sizeof text - 1) : -1;
  ::close(fd);
  return {text, size > 0 ? static_cast<std::size_t>(size) : 0};
}

// Until the thread has left its CPU to sleep: only then is the next wake-up one that ends a sleep. Its state
// alone says S from the moment that it means to sleep, and on a busy machine it may be put off the CPU right
// there: woken then, it never slept. /proc/TID/syscall is answered once the thread is off the CPU for good.
void wait_until_asleep(std::int64_t tid) {
  for (;;) {
    const std::string stat = read_of_thread(tid, "stat");
    const auto name_end = stat.rfind(')');
    if (name_end != std::string::npos && stat.compare(name_end + 2, 1, "S") == 0 &&
        !read_of_thread(tid, "syscall").starts_with("running"))
      return;
    ::usleep(200);
  }
}

class TwentyThreeWaits : public testing::TestWithParam<Wait> {};

TEST_P(TwentyThreeWaits, are_twenty_three_sleeps_of_the_thread_that_waited) {
  if (!may_watch_machine()) GTEST_SKIP() << "needs the right to trace the scheduler";
  const Wait& wait = GetParam();
  const SharedNumber waiter_tid, began_ns;
  const auto recording = record_work([&] {
    int fds[2] = {-1, -1};
    wait.open(fds);
    *waiter_tid = 0;
    std::thread waiter([&] {
      // Before its own code a thread may wait for whoever started it: a sanitizer holds a lock meanwhile.
      *began_ns = clock_ns(CLOCK_MONOTONIC);
      *waiter_tid = static_cast<std::int64_t>(::syscall(SYS_gettid));
      for (int i = 0; i < kTimes; ++i)
        wait.wait(fds);
    });
    while (*waiter_tid == 0)
      ::usleep(200);
    for (int i = 0; i < kTimes; ++i) {
      wait_until_asleep(*waiter_tid);
      wait.wake(fds);
    }
    waiter.join();
  });
  std::int64_t sleeps = 0, wakeups = 0;
  for (const auto& row : recording->sink.switches)
    sleeps += row.ts >= *began_ns && row.prev == *waiter_tid && row.state == 'S' ? 1 : 0;
  for (const auto& row : recording->sink.wakeups)
    wakeups += row.ts.ns >= *began_ns && row.tid == *waiter_tid && row.waker_tid == recording->pid ? 1 : 0;
  EXPECT_EQ(sleeps, kTimes);
  EXPECT_EQ(wakeups, kTimes) << "each by the main thread, which runs: no idle CPU is asked";
}

INSTANTIATE_TEST_SUITE_P(TwentyThree, TwentyThreeWaits, testing::ValuesIn(kWaits),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(TwentyThree, threads_that_come_and_go_are_all_seen) {
  if (!may_watch_machine()) GTEST_SKIP() << "needs the right to trace the scheduler";
  const auto recording = record_work([] {
    ::prctl(PR_SET_NAME, "one_of_23");
    for (int i = 0; i < kTimes; ++i)
      std::thread([] { ::usleep(100); }).join();
  });
  std::set<std::int64_t> tids;
  for (const auto& row : recording->sink.switches)
    if (row.comm == "one_of_23" && row.next != recording->pid) tids.insert(row.next);
  EXPECT_EQ(tids.size(), std::size_t{kTimes});
}

TEST(TwentyThree, processes_that_come_and_go_between_two_looks_are_all_counted) {
  const auto recording = record_work([] {
    for (int i = 0; i < kTimes; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) ::_exit(0);
      ::waitpid(pid, nullptr, 0);
    }
  });
  EXPECT_EQ(recording->report.processes, 1 + kTimes);
}

TEST(TwentyThree, the_same_forks_are_counted_in_a_chain_of_children) {
  const auto recording = record_work([] {
    for (int i = 0; i < kTimes; ++i) { // each is the child of the one before
      const pid_t pid = ::fork();
      if (pid != 0) {
        ::waitpid(pid, nullptr, 0);
        ::_exit(0);
      }
    }
  });
  EXPECT_EQ(recording->report.processes, 1 + kTimes);
}

} // namespace
} // namespace prof
