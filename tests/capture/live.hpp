// live.hpp: a child of a test that does something known, and its recording with all collectors.
//
// The machine may be busy with other things meanwhile: a poll comes late, a ring runs over, a thread that was
// told to sleep is put off before it does. So nothing here is timed: a test waits for the event itself, lets
// its child go on until the recording has what it asks for, and takes figures of a recording that lost
// nothing.
#pragma once
#include "capture/session.hpp"
#include "recording_sink.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof::test {

// A number that a child and its test both see. Made before the child is.
class SharedNumber {
public:
  SharedNumber() {
    void* page = ::mmap(nullptr, sizeof *number_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) std::abort();
    number_ = new (page) std::atomic<std::int64_t>(0);
  }
  SharedNumber(const SharedNumber&) = delete;
  SharedNumber& operator=(const SharedNumber&) = delete;
  ~SharedNumber() { ::munmap(number_, sizeof *number_); }
  std::atomic<std::int64_t>& operator*() const { return *number_; }

private:
  std::atomic<std::int64_t>* number_ = nullptr;
};

// Sleeps so many times, as the kernel counts them: one that is over before the thread has left the CPU,
// because it was put off just then, is none.
inline void sleep_often(int times) {
  const auto sleeps = [] {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  };
  for (const auto before = sleeps(); sleeps() - before < times;) {
    const timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

// A child that waits until release() and then does `work`; what it does `before` is in no recording.
class Child {
public:
  explicit Child(const std::function<void()>& work, const std::function<void()>& before = {}) {
    int go[2], ready[2];
    if (::pipe(go) != 0 || ::pipe(ready) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(go[1]);
      ::close(ready[0]);
      if (before) before();
      ::close(ready[1]);
      char byte = 0;
      if (::read(go[0], &byte, 1) == 1) work();
      ::_exit(0);
    }
    ::close(go[0]);
    ::close(ready[1]);
    char byte = 0;
    (void)!::read(ready[0], &byte, 1); // ends with the end of the pipe
    ::close(ready[0]);
    go_ = go[1];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    ::close(go_);
  }
  [[nodiscard]] std::int64_t pid() const { return pid_; }
  Status release() const {
    return ::write(go_, "g", 1) == 1 ? Status{} : Status{Error{Errc::io, "pipe", {}}};
  }

private:
  pid_t pid_ = -1;
  int go_ = -1;
};

struct Recording {
  std::int64_t pid = 0; // of the child
  RecordingSink sink;
  CaptureReport report;
  // Stack samples of CPU time in this process's first thread so far; their functions have no names yet while
  // it records.
  [[nodiscard]] std::int64_t cpu_samples(std::int64_t tid) const {
    return std::ranges::count_if(sink.samples, [&](const RecordingSink::SampleRow& row) {
      return row.event == "cpu-clock" && row.tid == tid;
    });
  }
};

// Records with all collectors as `adjust` says. A test whose event never comes ends by the duration.
inline void record(const std::function<void(CaptureOptions&)>& adjust, Recording& recording) {
  CaptureOptions options;
  options.request.layers = {Layer::os, Layer::hardware};
  options.duration = {120'000'000'000};
  options.naming_limit = {120'000'000'000};
  adjust(options);
  const CaptureOutput output{
      .sink = recording.sink, .flush = [] { return Status{}; }, .stats = [] { return WriterStats{}; }};
  auto report = run_capture(options, output);
  ASSERT_TRUE(report) << report.error().what;
  recording.report = *std::move(report);
}

// Records a child that does `work`, from its first act to its end.
inline std::unique_ptr<Recording> record_once(const std::function<void()>& work,
                                              const std::function<void()>& before = {}) {
  const Child child(work, before);
  auto recording = std::make_unique<Recording>();
  recording->pid = child.pid();
  record(
      [&](CaptureOptions& options) {
        options.request.pids = {child.pid()};
        options.on_started = [&] { return child.release(); };
      },
      *recording);
  EXPECT_EQ(recording->report.end, CaptureEnd::target_ended);
  return recording;
}

// The same once more where a ring ran over while the recorder waited for a CPU: figures are exact in a
// recording that lost nothing. One that always loses is a failure.
inline std::unique_ptr<Recording> record_work(const std::function<void()>& work,
                                              const std::function<void()>& before = {}) {
  constexpr int kMostTries = 5;
  auto recording = record_once(work, before);
  for (int tries = 1; tries < kMostTries && recording->report.lost > 0; ++tries)
    recording = record_once(work, before);
  EXPECT_EQ(recording->report.lost, 0);
  return recording;
}

} // namespace prof::test
