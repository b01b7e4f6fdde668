// What the kernel's side records tell about threads, when /proc no longer knows them.
#include "capture/perf_ring.hpp"
#include "capture/shared.hpp"
#include "fake_proc.hpp"
#include "recording_sink.hpp"

#include <array>
#include <cstring>
#include <gtest/gtest.h>

namespace prof {
namespace {

// PERF_RECORD_FORK: u32 pid, ppid, tid, ptid; u64 time.
void fork(CaptureShared& shared, std::array<std::uint32_t, 4> pid_ppid_tid_ptid, TraceSink& sink) {
  std::array<std::uint32_t, 6> body{};
  std::ranges::copy(pid_ppid_tid_ptid, body.begin());
  shared.on_side_record({.type = PERF_RECORD_FORK, .body = std::as_bytes(std::span(body))}, false, sink);
}
// PERF_RECORD_COMM: u32 pid, tid; char comm[16].
void rename(CaptureShared& shared, std::uint32_t pid, std::uint32_t tid, std::string_view to,
            TraceSink& sink) {
  std::array<char, 24> body{};
  std::memcpy(body.data(), &pid, 4);
  std::memcpy(body.data() + 4, &tid, 4);
  std::ranges::copy(to, body.begin() + 8);
  shared.on_side_record({.type = PERF_RECORD_COMM, .body = std::as_bytes(std::span(body))}, false, sink);
}

class SideRecords : public testing::Test {
protected:
  SideRecords() { shared.add_target(20); }
  std::string name_of(std::int64_t tid) {
    const auto comm = shared.threads.comm_of(tid);
    return comm ? sink.text(*comm) : "?";
  }
  FakeProc proc;
  RecordingSink sink;
  CaptureShared shared{proc.root(), false};
};

TEST_F(SideRecords, a_thread_that_ended_bears_the_name_of_the_thread_that_made_it) {
  rename(shared, 20, 20, "one_of_23", sink);
  fork(shared, {20, 20, 21, 20}, sink);
  EXPECT_EQ(name_of(21), "one_of_23");
  EXPECT_EQ(shared.threads.pid_of(21), 20);
}

TEST_F(SideRecords, the_name_goes_on_through_threads_of_threads_and_a_later_one_counts_only_from_then) {
  rename(shared, 20, 20, "main", sink);
  fork(shared, {20, 20, 21, 20}, sink);
  rename(shared, 20, 21, "worker", sink);
  fork(shared, {20, 20, 22, 21}, sink);
  fork(shared, {20, 20, 23, 20}, sink);
  EXPECT_EQ(name_of(22), "worker");
  EXPECT_EQ(name_of(23), "main");
}

TEST_F(SideRecords, a_number_used_again_does_not_keep_the_name_of_the_thread_before) {
  rename(shared, 20, 21, "old", sink);
  fork(shared, {20, 20, 21, 99}, sink);
  EXPECT_EQ(name_of(21), "?");
}

TEST_F(SideRecords, a_cut_record_is_taken_as_zeros) {
  const std::array<std::uint32_t, 1> body{20};
  shared.on_side_record({.type = PERF_RECORD_FORK, .body = std::as_bytes(std::span(body))}, false, sink);
  EXPECT_EQ(name_of(20), "?");
}

} // namespace
} // namespace prof
