// Live recordings of children that do a known, prime number of things.
#include "../under_sanitizer.hpp"
#include "capture/launch.hpp"
#include "capture/perf_ring.hpp"
#include "capture/session.hpp"
#include "live.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace prof::test {

// Named functions with frames of their own, outside the anonymous namespace: the tests look for these names.
__attribute__((noinline, no_sanitize("address"))) void touch_new_pages(std::size_t count) {
  constexpr std::size_t kPage = 4096;
  void* memory = ::mmap(nullptr, count * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ::madvise(memory, count * kPage, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < count; ++i)
    static_cast<volatile char*>(memory)[i * kPage] = 1;
  ::munmap(memory, count * kPage);
}
__attribute__((noinline)) std::uint64_t spin_and_spin(std::int64_t cpu_ms) {
  std::uint64_t sum = 1;
  timespec used{};
  do {
    for (int i = 0; i < 1'000'000; ++i)
      sum = sum * 6364136223846793005U + 1442695040888963407U;
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  } while (used.tv_sec * 1000 + used.tv_nsec / 1'000'000 < cpu_ms);
  return sum;
}

std::uint64_t frameless_outer(std::int64_t cpu_ms); // frameless.cpp
void caller_of_table_free(std::int64_t rounds);     // there too

} // namespace prof::test

namespace prof {
namespace {

using test::Child;
using test::record;
using test::record_work;
using test::Recording;
using test::SharedNumber;
using test::spin_and_spin;
using test::touch_new_pages;

bool has_sched() {
  return may_watch_machine();
}

TEST(Live, twenty_three_sleeps_are_twenty_three_switches_to_sleep) {
  if (!has_sched()) GTEST_SKIP() << "needs the right to trace the scheduler";
  const auto recording = record_work([] { test::sleep_often(23); });
  std::int64_t sleeps = 0, wakeups = 0;
  for (const auto& row : recording->sink.switches)
    sleeps += row.prev == recording->pid && row.state == 'S' ? 1 : 0;
  for (const auto& row : recording->sink.wakeups)
    wakeups += row.tid == recording->pid ? 1 : 0;
  EXPECT_EQ(sleeps, 23);
  // One for each sleep, and the one that released it; wake-ups from an idle CPU may be missing
  // (docs/capture.md).
  EXPECT_LE(wakeups, 24);
  EXPECT_GT(wakeups, 0);
  EXPECT_GE(recording->sink.weight("context-switches", "nanosleep"), 23);
}

TEST(Live, switches_of_a_cpu_follow_each_other_without_a_break) {
  if (!has_sched()) GTEST_SKIP() << "needs the right to trace the scheduler";
  const auto recording = record_work([] { (void)spin_and_spin(200); });
  std::map<int, std::int64_t> running;
  for (const auto& row : recording->sink.switches) {
    if (running.contains(row.cpu)) {
      EXPECT_EQ(running[row.cpu], row.prev) << "on CPU " << row.cpu << " at " << row.ts << " to " << row.next;
    }
    running[row.cpu] = row.next;
    // Of our own child: another program on the machine may have given itself an empty name.
    if (row.next == recording->pid) {
      EXPECT_FALSE(row.comm.empty());
    }
  }
}

TEST(Live, touching_997_new_pages_is_997_page_faults_in_that_function) {
  const auto recording =
      record_work([] { touch_new_pages(997); }, [] { touch_new_pages(1); }); // its own code is there by then
  EXPECT_EQ(recording->sink.weight("page-faults", "touch_new_pages"), 997);
  double first = -1, last = -1;
  for (const auto& row : recording->sink.counters)
    if (row.name == "minor_faults" && row.pid == recording->pid) {
      if (first < 0) first = row.value;
      last = row.value;
    }
  EXPECT_GE(last - first, 0);
}

TEST(Live, a_flood_of_faults_is_thinned_and_the_weights_say_so) {
  constexpr std::int64_t kPages = 997, kMany = 200, kFew = 20;
  const SharedNumber rounds, is_flood_over;
  const Child child([&] {
    for (;; ++*rounds) {
      touch_new_pages(kPages);
      if (*is_flood_over != 0) ::usleep(10'000);
    }
  });
  Recording recording;
  const auto is_told = [&] {
    return std::ranges::any_of(recording.sink.notes, [](const RecordingSink::NoteRow& note) {
      return note.code == "note.faults_sampled";
    });
  };
  // It floods until it has been thinned and was so for a while. What a full ring dropped is told with the
  // next event that finds room: some quiet rounds follow.
  std::int64_t goal = 0, done = 0;
  bool is_quiet = false;
  record(
      [&](CaptureOptions& options) {
        options.request.pids = {child.pid()};
        options.on_started = [&] { return child.release(); };
        options.should_stop = [&] {
          if (goal == 0 && is_told()) goal = *rounds + kMany;
          if (goal == 0 || *rounds < goal) return false;
          done = *rounds;
          if (std::exchange(is_quiet, true)) return true;
          *is_flood_over = 1;
          goal = *rounds + kFew;
          return false;
        };
      },
      recording);
  ASSERT_EQ(recording.report.end, CaptureEnd::asked) << "it was never thinned";
  const auto all = static_cast<double>(done * kPages);
  std::int64_t rows = 0, longest = 1;
  for (const auto& row : recording.sink.samples) {
    if (row.event != "page-faults") continue;
    ++rows;
    longest = std::max(longest, row.weight);
  }
  const std::int64_t weight = recording.sink.weight("page-faults", "touch_new_pages");
  EXPECT_LT(static_cast<double>(rows), all / 2);
  // What a full ring drops is counted, not guessed at: each stands for as many as a sample weighed then.
#ifdef PROF_UNDER_SANITIZER
  constexpr double kLeast = 0.5; // the profiler drains more slowly than it does anywhere else
#else
  constexpr double kLeast = 0.75;
#endif
  EXPECT_GT(static_cast<double>(weight + recording.report.lost * longest), kLeast * all);
  EXPECT_LT(static_cast<double>(weight), 1.25 * all);
}

TEST(Live, samples_of_a_spinning_function_carry_its_name_and_its_time) {
  const auto recording = record_work([] { (void)spin_and_spin(700); });
  std::int64_t all = 0, spinning = 0, weight = 0;
  for (const auto& row : recording->sink.samples) {
    if (row.event != "cpu-clock" || row.tid != recording->pid) continue;
    ++all;
    weight += row.weight;
    spinning += recording->sink.leaf(row).find("spin_and_spin") != std::string::npos ? 1 : 0;
  }
  ASSERT_GT(all, 40);
  EXPECT_GT(spinning * 10, all * 9);
  EXPECT_NEAR(static_cast<double>(weight), 700e6, 350e6);
  EXPECT_GT(recording->report.symbols.named, 0);
}

TEST(Live, callers_without_frame_pointers_are_found_by_their_unwind_tables) {
  if (!kCanUnwind) GTEST_SKIP() << "x86-64 only";
  const auto recording = record_work([] { (void)test::frameless_outer(500); });
  std::int64_t inner = 0, whole = 0;
  for (const auto& row : recording->sink.samples) {
    if (row.event != "cpu-clock" || recording->sink.leaf(row).find("frameless_inner") == std::string::npos)
      continue;
    ++inner;
    whole +=
        recording->sink.has_function(row, "frameless_outer") && recording->sink.has_function(row, "main");
  }
  ASSERT_GT(inner, 20);
  EXPECT_EQ(whole, inner);
}

TEST(Live, assembly_without_an_unwind_table_has_its_callers) {
  if (!kCanUnwind) GTEST_SKIP() << "x86-64 only";
  const auto recording = record_work([] { test::caller_of_table_free(1'000'000'000); });
  std::int64_t kernel = 0, whole = 0;
  for (const auto& row : recording->sink.samples) {
    if (row.event != "cpu-clock" || recording->sink.leaf(row) != "table_free_kernel") continue;
    ++kernel;
    whole += recording->sink.has_function(row, "caller_of_table_free") &&
             recording->sink.has_function(row, "main");
  }
  ASSERT_GT(kernel, 20);
  EXPECT_EQ(whole, kernel);
}

TEST(Live, threads_and_processes_that_start_later_are_followed) {
  const auto recording = record_work([] {
    std::thread thread([] {
      ::pthread_setname_np(::pthread_self(), "late_thread");
      (void)spin_and_spin(300);
    });
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      (void)spin_and_spin(300);
      ::_exit(0);
    }
    thread.join();
    ::waitpid(grandchild, nullptr, 0);
  });
  std::set<std::int64_t> spinning;
  for (const auto& row : recording->sink.samples)
    if (row.event == "cpu-clock" && recording->sink.has_function(row, "spin_and_spin"))
      spinning.insert(row.tid);
  EXPECT_EQ(spinning.size(), 2u);
  EXPECT_FALSE(spinning.contains(recording->pid));
  EXPECT_EQ(recording->report.processes, 2);
  std::vector<std::string> names;
  for (const auto& [tid, name] : recording->sink.thread_names)
    names.push_back(name);
  EXPECT_THAT(names, testing::Contains("late_thread"));
}

TEST(Live, a_process_that_becomes_another_program_bears_its_name_from_then_on) {
  if (!has_sched()) GTEST_SKIP() << "needs the right to see the kernel's records";
  const Child child([] { ::execlp("sleep", "sleep", "1009", nullptr); });
  Recording recording;
  record(
      [&](CaptureOptions& options) {
        options.request.pids = {child.pid()};
        options.on_started = [&] { return child.release(); };
        // Looked at in the midst of its exec it has a name and no command line yet: the next look has both.
        options.should_stop = [&] {
          return recording.sink.thread_names[child.pid()] == "sleep" &&
                 recording.sink.cmdlines[child.pid()] == "sleep 1009";
        };
      },
      recording);
  EXPECT_EQ(recording.report.end, CaptureEnd::asked) << recording.sink.cmdlines[child.pid()];
  EXPECT_EQ(recording.sink.process_names[child.pid()], "sleep");
}

TEST(Live, a_launched_program_is_recorded_from_its_first_instruction) {
  auto program = LaunchedProgram::prepare({"true"}, "");
  ASSERT_TRUE(program);
  Recording recording;
  record(
      [&](CaptureOptions& options) {
        options.request.pids = {program->pid()};
        options.on_started = [&] { return program->go(); };
      },
      recording);
  EXPECT_EQ(recording.report.end, CaptureEnd::target_ended);
  EXPECT_EQ(recording.sink.process_names[program->pid()], "true");
  std::int64_t faults = 0;
  for (const auto& row : recording.sink.samples)
    faults += row.event == "page-faults" && row.tid == program->pid() ? row.weight : 0;
  EXPECT_GT(faults, 20) << "the loader alone touches more pages than that";
  ASSERT_TRUE(program->poll_exit());
  EXPECT_EQ(describe_exit(*program->poll_exit(), Lang::en), "exit status 0");
}

TEST(Live, a_program_that_does_not_exist_is_a_target_not_found) {
  auto program = LaunchedProgram::prepare({"/no/such/program"}, "");
  ASSERT_TRUE(program);
  const Status status = program->go();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Errc::not_found);
}

TEST(Live, a_program_without_the_right_to_run_says_so) {
  auto program = LaunchedProgram::prepare({"/etc/passwd"}, "");
  ASSERT_TRUE(program);
  const Status status = program->go();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Errc::permission);
}

TEST(Live, the_preload_comes_in_front_of_what_the_user_preloads) {
  const std::string file = testing::TempDir() + "preload_" + std::to_string(::getpid());
  ::setenv("LD_PRELOAD", "/lib/theirs.so", 1);
  auto program = LaunchedProgram::prepare({"/bin/sh", "-c", "echo \"$LD_PRELOAD\" > " + file + "; exit 3"},
                                          "/lib/ours.so");
  ::unsetenv("LD_PRELOAD");
  ASSERT_TRUE(program);
  ASSERT_TRUE(program->go());
  int status = 0;
  ::waitpid(static_cast<pid_t>(program->pid()), &status, 0);
  EXPECT_EQ(describe_exit(status, Lang::en), "exit status 3");
  std::string line;
  std::getline(std::ifstream(file), line);
  EXPECT_EQ(line, "/lib/ours.so:/lib/theirs.so");
  ::unlink(file.c_str());
}

TEST(Live, a_program_that_never_got_the_word_never_runs) {
  const std::string file = testing::TempDir() + "never_" + std::to_string(::getpid());
  {
    auto program = LaunchedProgram::prepare({"/bin/touch", file}, "");
    ASSERT_TRUE(program);
  }
  EXPECT_NE(::access(file.c_str(), F_OK), 0);
}

TEST(Live, a_failing_output_ends_the_recording_and_tells_what_was_kept) {
  const Child child([] {
    for (;;)
      ::pause();
  });
  RecordingSink sink;
  int flushes = 0;
  CaptureOptions options;
  options.request.pids = {child.pid()};
  options.request.layers = {Layer::os};
  const CaptureOutput output{.sink = sink,
                             .flush =
                                 [&] {
                                   return ++flushes < 4
                                              ? Status{}
                                              : Status{Error{Errc::io, "No space left on device", "x.pb"}};
                                 },
                             .stats = [&] { return WriterStats{.events = flushes, .bytes = 100 * flushes}; }};
  const auto report = run_capture(options, output);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->end, CaptureEnd::write_error);
  ASSERT_TRUE(report->write_error);
  EXPECT_EQ(report->write_error->what, "No space left on device");
  EXPECT_EQ(report->stats.bytes, 300);
  EXPECT_GT(report->kept.ns, 0);
  EXPECT_LE(report->kept.ns, report->recorded.ns);
  EXPECT_EQ(::kill(static_cast<pid_t>(child.pid()), 0), 0) << "the target must not notice";
}

TEST(Live, being_asked_to_stop_keeps_a_shorter_recording) {
  const Child child([] {
    for (;;)
      ::pause();
  });
  Recording recording;
  int polls = 0;
  record(
      [&](CaptureOptions& options) {
        options.request.pids = {child.pid()};
        options.should_stop = [&] { return ++polls >= 3; };
      },
      recording);
  EXPECT_EQ(recording.report.end, CaptureEnd::asked);
  EXPECT_EQ(recording.sink.facts.at("duration_ns"), std::to_string(recording.report.recorded.ns));
  EXPECT_EQ(recording.sink.facts.at("clock"), "CLOCK_MONOTONIC");
  EXPECT_GT(std::stoll(recording.sink.facts.at("capture.cpu_ns")), 0);
  // What `trace` prints at its end and what `info` reads in the file are one value.
  EXPECT_EQ(recording.sink.facts.at("capture.peak_rss_bytes"),
            std::to_string(recording.report.own_peak_rss_bytes));
}

constexpr std::int64_t kForever = 1'000'000; // ms: until the end of the test
constexpr std::int64_t kSomeSamples = 20;

TEST(Live, the_whole_machine_is_recorded_without_a_target) {
  if (!has_sched()) GTEST_SKIP() << "needs the right to watch every process";
  const Child child([] { (void)spin_and_spin(kForever); });
  Recording recording;
  record(
      [&](CaptureOptions& options) {
        options.request.is_whole_machine = true;
        options.on_started = [&] { return child.release(); };
        options.should_stop = [&] { return recording.cpu_samples(child.pid()) >= kSomeSamples; };
      },
      recording);
  EXPECT_EQ(recording.report.end, CaptureEnd::asked);
  EXPECT_GT(recording.sink.weight("cpu-clock", "spin_and_spin"), 0);
  EXPECT_GE(recording.sink.last("mem_used"), 1);
  for (const auto& row : recording.sink.samples)
    EXPECT_NE(row.tid, ::getpid()) << "the profiler's own samples are left out";
}

TEST(Live, a_target_known_by_name_is_recorded_again_when_it_comes_back) {
  const Child first([] {}), second([] { (void)spin_and_spin(kForever); });
  Recording recording;
  bool is_back = false;
  int asked = 0; // since the first one is gone
  record(
      [&](CaptureOptions& options) {
        options.request.pids = {first.pid()};
        options.on_started = [&] { return first.release(); };
        options.rediscover = [&](bool is_gone) {
          if (!is_gone || ++asked < 2) return std::vector<std::int64_t>{};
          return std::vector<std::int64_t>{second.pid()};
        };
        options.should_stop = [&] {
          const auto known = recording.sink.notes;
          const bool is_told = std::ranges::any_of(
              known, [](const RecordingSink::NoteRow& note) { return note.code == "note.target_absent"; });
          if (is_told && !std::exchange(is_back, true)) (void)second.release();
          return recording.cpu_samples(second.pid()) >= kSomeSamples;
        };
      },
      recording);
  EXPECT_EQ(recording.report.end, CaptureEnd::asked);
  EXPECT_TRUE(is_back);
  EXPECT_GT(recording.sink.weight("cpu-clock", "spin_and_spin"), 0);
  EXPECT_EQ(recording.report.restarts, 1);
  EXPECT_GT(recording.report.absent.ns, 0);
}

// It was merged without a word.
TEST(Live, a_second_process_of_the_targets_name_is_told_with_both_pids) {
  const auto wait = [] {
    for (;;)
      ::pause();
  };
  const Child first(wait), second(wait);
  Recording recording;
  std::vector<std::pair<std::int64_t, std::int64_t>> joined;
  int asked = 0;
  record(
      [&](CaptureOptions& options) {
        options.request.pids = {first.pid()};
        options.rediscover = [&](bool) {
          ++asked;
          return std::vector{first.pid(), second.pid()};
        };
        options.on_joined = [&](std::int64_t pid, std::int64_t running) {
          joined.emplace_back(pid, running);
        };
        options.should_stop = [&] { return asked == 2; };
      },
      recording);
  EXPECT_EQ(joined, (std::vector<std::pair<std::int64_t, std::int64_t>>{{second.pid(), first.pid()}}))
      << "once, and not of the one that is known";
  const auto note =
      std::ranges::find(recording.sink.notes, "note.target_joined", &RecordingSink::NoteRow::code);
  ASSERT_NE(note, recording.sink.notes.end());
  EXPECT_EQ(note->where,
            "pid " + std::to_string(second.pid()) + " beside pid " + std::to_string(first.pid()));
}

TEST(Live, layers_left_out_are_unavailable_because_of_the_scope) {
  const Child child([] {});
  Recording recording;
  record(
      [&](CaptureOptions& options) {
        options.request.pids = {child.pid()};
        options.request.layers = {Layer::hardware};
        options.request.metrics = {"rss"}; // asked for by name: its collector comes along
        options.on_started = [&] { return child.release(); };
      },
      recording);
  std::map<std::string, RecordingSink::SignalRow> signals;
  for (const auto& row : recording.sink.signals)
    signals[row.name] = row;
  EXPECT_FALSE(signals["cpu_stacks"].is_available);
  EXPECT_EQ(signals["cpu_stacks"].reason, "signal.reason.not_in_scope");
  EXPECT_TRUE(signals["rss"].is_available);
  EXPECT_EQ(signals["rss"].source, "memory");
  EXPECT_TRUE(recording.sink.samples.empty());
}

} // namespace
} // namespace prof
