// Recordings by a profiler that has hardly any file descriptors.
#include "../under_sanitizer.hpp"
#include "capture/perf_ring.hpp"
#include "capture/procfs.hpp"
#include "capture/session.hpp"
#include "fake_proc.hpp"
#include "recording_sink.hpp"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace prof {
extern const CollectorInfo cpu_samples_collector;
namespace {

constexpr int kThreads = 101;

// A process of many threads that all wait; 0 in the child's place never returns.
pid_t start_waiting_process() {
  int ready[2];
  if (::pipe(ready) != 0) return -1;
  const pid_t pid = ::fork();
  if (pid == 0) {
    for (int i = 1; i < kThreads; ++i)
      std::thread([] {
        for (;;)
          ::pause();
      }).detach();
    (void)!::write(ready[1], "r", 1);
    for (;;)
      ::pause();
  }
  char byte = 0;
  (void)!::read(ready[0], &byte, 1);
  ::close(ready[0]);
  ::close(ready[1]);
  return pid;
}

// The exit status of a process that does `work` with at most `files` descriptors more than are open already.
int with_file_limit(rlim_t files, const std::function<int()>& work) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    for ([[maybe_unused]] const auto& open : std::filesystem::directory_iterator("/proc/self/fd"))
      ++files;
    const rlimit limit{.rlim_cur = files, .rlim_max = files};
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) ::_exit(100);
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 101;
}

TEST(Limits, a_target_with_more_threads_than_descriptors_does_not_seem_to_end) {
#ifdef PROF_UNDER_SANITIZER
  GTEST_SKIP() << "the sanitizer itself needs descriptors";
#endif
  const pid_t target = start_waiting_process();
  const int status = with_file_limit(64, [&] {
    RecordingSink sink;
    CaptureOptions options;
    options.request.pids = {target};
    options.request.layers = {Layer::os};
    int polls = 0;
    options.should_stop = [&] { return ++polls >= 3; };
    const auto report = run_capture(
        options, {.sink = sink, .flush = [] { return Status{}; }, .stats = [] { return WriterStats{}; }});
    if (!report) return 1;
    if (report->end != CaptureEnd::asked) return 2;
    for (const SignalState& state : report->signals) {
      if (state.name != "cpu_stacks" || state.is_available) continue;
      if (state.reason != "signal.reason.file_limit" && state.reason != "signal.reason.perf_not_allowed")
        return 3;
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(::kill(target, 0), 0);
  ::kill(target, SIGKILL);
  ::waitpid(target, nullptr, 0);
}

TEST(Limits, a_process_is_gone_only_when_proc_says_so) {
  EXPECT_EQ(process_life("/proc", ::getpid()), ProcessLife::alive);
  EXPECT_EQ(process_life("/proc", ::getpid(), 1), ProcessLife::gone) << "another start time: a reused pid";
  EXPECT_EQ(process_life("/proc", 0x7ffffffe), ProcessLife::gone);
  EXPECT_EQ(with_file_limit(16,
                            [] {
                              while (::open("/dev/null", O_RDONLY) >= 0) {
                              }
                              return process_life("/proc", ::getpid()) == ProcessLife::unknown &&
                                             is_alive("/proc", ::getpid())
                                         ? 0
                                         : 1;
                            }),
            0);
}

TEST(Limits, without_a_descriptor_no_right_and_no_device_is_blamed) {
  EXPECT_EQ(with_file_limit(16,
                            [] {
                              while (::open("/dev/null", O_RDONLY) >= 0) {
                              }
                              CaptureRequest request;
                              request.pids = {::getpid()};
                              for (const CollectorInfo* info : all_collectors())
                                for (const SignalState& state : probe_collector(*info, request))
                                  if (!state.is_available && (state.reason != "signal.reason.file_limit" ||
                                                              state.mend != "signal.mend.file_limit"))
                                    return 1;
                              const SignalState stacks =
                                  probe_collector(cpu_samples_collector, request).front();
                              return stacks.is_available ? 2 : 0;
                            }),
            0);
}

TEST(Limits, events_leave_descriptors_for_everything_else) {
  EXPECT_EQ(with_file_limit(64,
                            [] {
                              perf_event_attr attr = perf_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
                              attr.exclude_kernel = 1;
                              int opened = 0;
                              while (perf_open(attr, 0, -1) >= 0)
                                ++opened;
                              if (errno != EMFILE) return 2; // no events at all here
                              const int next = ::open("/dev/null", O_RDONLY);
                              return opened > 0 && next >= 0 && free_event_files() == 0 ? 0 : 1;
                            }) %
                2,
            0);
}

} // namespace
} // namespace prof
