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
void rename(CaptureShared& shared, std::uint32_t pid, std::uint32_t tid, std::string_view to, TraceSink& sink,
            bool is_exec = false) {
  std::array<char, 24> body{};
  std::memcpy(body.data(), &pid, 4);
  std::memcpy(body.data() + 4, &tid, 4);
  std::ranges::copy(to, body.begin() + 8);
  const std::uint16_t misc = is_exec ? PERF_RECORD_MISC_COMM_EXEC : 0;
  shared.on_side_record({.type = PERF_RECORD_COMM, .misc = misc, .body = std::as_bytes(std::span(body))},
                        false, sink);
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

TEST_F(SideRecords, a_process_that_became_another_program_bears_its_name_and_command_line) {
  proc.process(20, 1, "sh", {"sh", "-c", "exec svc"});
  shared.threads.thread(20, 20, sink);
  EXPECT_EQ(sink.process_names[20], "sh");
  proc.process(20, 1, "a_service_with_a", {"/opt/a_service_with_a_long_name", "--port", "80"});
  rename(shared, 20, 20, "a_service_with_", sink, true);
  EXPECT_EQ(sink.process_names[20], "a_service_with_a_long_name");
  EXPECT_EQ(sink.cmdlines[20], "/opt/a_service_with_a_long_name --port 80");
  EXPECT_EQ(sink.thread_names[20], "a_service_with_");
}

TEST_F(SideRecords, a_thread_that_names_itself_does_not_rename_its_process) {
  proc.process(20, 1, "svc", {"svc"});
  shared.threads.thread(20, 20, sink);
  rename(shared, 20, 20, "main loop", sink);
  EXPECT_EQ(sink.process_names[20], "svc");
  EXPECT_EQ(sink.thread_names[20], "main loop");
}

TEST_F(SideRecords,
       of_a_program_that_has_ended_by_then_the_kernel_s_name_is_kept_and_not_the_old_command_line) {
  proc.process(20, 1, "sh", {"sh", "-c", "exec svc"});
  shared.threads.thread(20, 20, sink);
  std::filesystem::remove_all(proc.root() / "20");
  rename(shared, 20, 20, "svc", sink, true);
  EXPECT_EQ(sink.process_names[20], "svc");
  EXPECT_EQ(sink.cmdlines[20], "");
}

TEST_F(SideRecords, an_exec_that_the_kernel_did_not_tell_of_is_seen_by_the_program_s_file) {
  proc.process(20, 1, "sh", {"sh"});
  std::filesystem::create_symlink("/bin/sh", proc.root() / "20/exe");
  shared.threads.thread(20, 20, sink);
  shared.threads.look_for_exec(20, sink);
  proc.process(20, 1, "svc", {"svc", "--port", "80"});
  shared.threads.look_for_exec(20, sink);
  EXPECT_EQ(sink.process_names[20], "sh") << "it may have set its own title";
  std::filesystem::remove(proc.root() / "20/exe");
  std::filesystem::create_symlink("/opt/svc", proc.root() / "20/exe");
  shared.threads.look_for_exec(20, sink);
  EXPECT_EQ(sink.process_names[20], "svc");
  EXPECT_EQ(sink.cmdlines[20], "svc --port 80");
  EXPECT_EQ(sink.thread_names[20], "svc");
}

TEST_F(SideRecords, a_cut_record_is_taken_as_zeros) {
  const std::array<std::uint32_t, 1> body{20};
  shared.on_side_record({.type = PERF_RECORD_FORK, .body = std::as_bytes(std::span(body))}, false, sink);
  EXPECT_EQ(name_of(20), "?");
}

} // namespace
} // namespace prof
