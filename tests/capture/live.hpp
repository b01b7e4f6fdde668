// live.hpp: a child of a test that does something known, and its recording with all collectors.
#pragma once
#include "capture/session.hpp"
#include "recording_sink.hpp"

#include <csignal>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof::test {

// A child that waits until release() and then does `work`.
class Child {
public:
  explicit Child(const std::function<void()>& work) {
    int go[2];
    if (::pipe(go) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(go[1]);
      char byte = 0;
      if (::read(go[0], &byte, 1) == 1) work();
      ::_exit(0);
    }
    ::close(go[0]);
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
  RecordingSink sink;
  CaptureReport report;
};

// Records `pid` with all collectors until it ends.
inline void record(const std::function<void(CaptureOptions&)>& adjust, Recording& recording) {
  CaptureOptions options;
  options.request.layers = {Layer::os, Layer::hardware};
  options.duration = {60'000'000'000};
  adjust(options);
  const CaptureOutput output{
      .sink = recording.sink, .flush = [] { return Status{}; }, .stats = [] { return WriterStats{}; }};
  auto report = run_capture(options, output);
  ASSERT_TRUE(report) << report.error().what;
  recording.report = *std::move(report);
}

inline void record_child(const Child& child, Recording& recording) {
  record(
      [&](CaptureOptions& options) {
        options.request.pids = {child.pid()};
        options.on_started = [&] { return child.release(); };
      },
      recording);
  EXPECT_EQ(recording.report.end, CaptureEnd::target_ended);
}

} // namespace prof::test
