// The collector that reads the rings of services: which it takes, what it tells of the others.
#include "capture/launch.hpp"
#include "capture/sdk_services.hpp"
#include "capture/session.hpp"
#include "sdk/prof_sdk.hpp"

#include "child.hpp"
#include "fake_ring.hpp"
#include "recording.hpp"

#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

using test::annotations;
using test::Child;
using test::MemorySink;
using test::use_sdk;

TEST(AnnotationsCollector, records_a_service_that_registers_while_it_is_watched) {
  ASSERT_NE(annotations(), nullptr);
  Child child([] {}, [] { use_sdk(); });
  Child late([] {}, use_sdk);
  CaptureRequest request;
  request.pids = {child.pid()};
  MemorySink sink;
  auto collector = annotations()->create(request);
  ASSERT_TRUE(collector->start(sink).ok());
  child.go();
  collector->poll(sink);
  EXPECT_EQ(sink.facts["service"], "child service");
  const std::vector<std::int64_t> both{child.pid(), late.pid()};
  collector->on_processes(both, sink);
  late.go();
  collector->poll(sink);
  collector->stop(sink);
  EXPECT_EQ(SdkRing::open(test::ring_file(late.pid())).ok(), true);
}

TEST(AnnotationsCollector, tells_signals_when_their_data_comes_and_drops_as_data_loss) {
  sdk::service("signal test");
  CaptureRequest request;
  request.pids = {getpid()};
  MemorySink sink;
  auto collector = annotations()->create(request);
  ASSERT_TRUE(collector->start(sink).ok());
  prof_request_end(prof_request_begin(PROF_NAME("r")), PROF_OK);
  for (int i = 0; i < 100'000; ++i)
    PROF_SPAN("flood");
  collector->poll(sink);
  collector->stop(sink);
  std::map<std::string, bool> signals;
  for (const SignalState& state : collector->changed_signals())
    signals[state.name] = state.is_available;
  EXPECT_TRUE(signals["requests"]);
  EXPECT_FALSE(signals.contains("stages"));
  EXPECT_FALSE(signals["ops"]);
  EXPECT_TRUE(collector->changed_signals().empty());
  const auto loss = std::find_if(sink.notes.begin(), sink.notes.end(),
                                 [](const auto& note) { return note.code == "note.sdk_records_dropped"; });
  ASSERT_NE(loss, sink.notes.end());
  EXPECT_EQ(static_cast<std::size_t>(loss->count) + sink.count("flood"), 100'000u);
}

TEST(AnnotationsCollector, a_launched_program_that_ends_at_once_is_recorded_from_its_first_act_on) {
  auto program = LaunchedProgram::prepare({PROF_BINARY_DIR "/bin/first_act_probe"}, "", {"PROF_RECORD=1"});
  ASSERT_TRUE(program.ok());
  MemorySink sink;
  CaptureOptions options;
  options.request.pids = {program->pid()};
  options.request.layers = {Layer::application};
  options.on_started = [&] { return program->go(); };
  options.judge_metrics = [](const std::vector<SignalState>& signals) {
    auto state = *std::find_if(signals.begin(), signals.end(),
                               [](const SignalState& signal) { return signal.name == "requests"; });
    state.name = "latency";
    return std::vector<SignalState>{state};
  };
  const auto report = run_capture(
      options, {.sink = sink, .flush = [] { return Status{}; }, .stats = [] { return WriterStats{}; }});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(sink.count("first act"), 1009u);
  EXPECT_EQ(sink.count("only op"), 1u);
  EXPECT_EQ(sink.one("whole life").arg("status"), "ok");
  EXPECT_EQ(sink.facts["service"], "first_act");
  EXPECT_TRUE(sink.signals["requests"]);
  EXPECT_TRUE(sink.signals["ops"]);
  ASSERT_EQ(report->metrics.size(), 1u);
  EXPECT_TRUE(report->metrics[0].is_available) << "judged before the program was itself";
  EXPECT_TRUE(sink.signals["latency"]);
}

TEST(AnnotationsCollector, a_service_that_another_profiler_records_has_no_signals_for_this_one) {
  Child service(use_sdk, [] {});
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t other = fork();
  if (other == 0) {
    auto ring = SdkRing::open(test::ring_file(service.pid()));
    if (!ring || !(*ring)->attach(1.0)) _exit(1);
    (void)!write(ready[1], "r", 1);
    for (;;)
      pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  CaptureRequest request;
  request.pids = {service.pid()};
  const std::string holder = "pid " + std::to_string(other);
  const auto check = [&](const std::vector<SignalState>& states) {
    int refused = 0;
    for (const SignalState& state : states) {
      if (state.name == "annotations") continue;
      EXPECT_EQ(state.reason, "signal.reason.other_profiler") << state.name;
      EXPECT_EQ(state.detail, holder);
      EXPECT_TRUE(is_refused(state));
      ++refused;
    }
    EXPECT_EQ(refused, 5);
  };
  check(annotations()->probe(request));
  MemorySink sink;
  auto collector = annotations()->create(request);
  ASSERT_TRUE(collector->start(sink).ok());
  check(collector->changed_signals());
  for (const SdkService& seen : list_sdk_services())
    EXPECT_EQ(seen.recorded_by, seen.pid == service.pid() ? other : 0);
  collector->stop(sink);
  const auto unread = collector->unread();
  ASSERT_EQ(unread.size(), 1u) << "what was not read is told";
  EXPECT_EQ(unread[0].code, "note.sdk_not_attached");
  EXPECT_EQ(unread[0].where, "pid " + std::to_string(service.pid()) +
                                 ": another profiler is attached to this process: " + holder);
  EXPECT_TRUE(collector->unread().empty());
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

// Its rings were refused for good, though the advice says: wait until the other one is done.
TEST(AnnotationsCollector, a_service_whose_other_profiler_ends_is_recorded_from_then_on) {
  sdk::service("handed over");
  int ready[2], over[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(over), 0);
  const pid_t holder = fork();
  if (holder == 0) {
    auto ring = SdkRing::open(test::ring_file(getppid()));
    if (!ring || !(*ring)->attach(1.0)) _exit(1);
    char byte = 'r';
    (void)!write(ready[1], &byte, 1);
    (void)!read(over[0], &byte, 1);
    (*ring)->detach();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  CaptureRequest request;
  request.pids = {getpid()};
  MemorySink sink;
  auto collector = annotations()->create(request);
  ASSERT_TRUE(collector->start(sink).ok());
  {
    PROF_SPAN("of the other one");
  }
  collector->poll(sink);
  EXPECT_EQ(sink.slices.size(), 0u);
  ASSERT_EQ(write(over[1], "o", 1), 1);
  int status = 0;
  waitpid(holder, &status, 0);
  ASSERT_EQ(status, 0);
  collector->poll(sink);
  prof_request_end(prof_request_begin(PROF_NAME("ours")), PROF_OK);
  collector->stop(sink);
  EXPECT_EQ(sink.count("ours"), 1u);
  EXPECT_EQ(sink.count("of the other one"), 0u);
  const auto unread = collector->unread();
  ASSERT_EQ(unread.size(), 1u) << "told once, and no longer as a service that is not in the trace";
  EXPECT_EQ(unread[0].code, "note.sdk_attached_late");
  EXPECT_TRUE(unread[0].where.starts_with(fmt::format("handed over (pid {}), the first ", getpid())))
      << unread[0].where;
  std::map<std::string, SignalState> signals; // the last word counts
  for (const SignalState& state : collector->changed_signals())
    signals[state.name] = state;
  EXPECT_TRUE(signals["requests"].is_available);
  EXPECT_EQ(signals["locks"].reason, "signal.reason.no_shim") << "and no longer another profiler";
  for (const int fd : {ready[0], ready[1], over[0], over[1]})
    close(fd);
}

// Two containers that share /dev/shm: the same number there is another process.
TEST(AnnotationsCollector, a_service_of_another_pid_namespace_is_told_and_left_alone) {
  test::FakeRing ours(getpid(), "ours"), theirs(getpid(), "theirs"), child_of_theirs(getppid(), "child");
  ours.header().service = ours.name("twin");
  theirs.header().service = theirs.name("twin");
  for (const test::FakeRing* ring : {&theirs, &child_of_theirs})
    ring->header().pid_ns += 1;
  child_of_theirs.header().parent_pid = static_cast<std::uint32_t>(getpid());
  ASSERT_EQ(list_sdk_services().size(), 1u);
  EXPECT_EQ(list_sdk_services()[0].ring_path, ours.path());
  EXPECT_EQ(list_sdk_services_elsewhere().size(), 2u);
  for (const bool is_whole_machine : {false, true}) {
    CaptureRequest request;
    request.is_whole_machine = is_whole_machine;
    if (!is_whole_machine) request.pids = {getpid()};
    MemorySink sink;
    auto collector = annotations()->create(request);
    ASSERT_TRUE(collector->start(sink).ok());
    EXPECT_EQ(ours.header().profiler_pid.load(), static_cast<std::uint32_t>(getpid()));
    for (const test::FakeRing* ring : {&theirs, &child_of_theirs})
      EXPECT_EQ(ring->header().profiler_pid.load(), 0u) << "not touched";
    collector->stop(sink);
    std::vector<std::string> told;
    for (const Unread& unread : collector->unread())
      told.push_back(unread.code + ": " + unread.where);
    const std::string twin = fmt::format("note.sdk_elsewhere: twin, pid {} there", getpid()),
                      child = fmt::format("note.sdk_elsewhere: , pid {} there", getppid());
    if (is_whole_machine)
      EXPECT_THAT(told, testing::UnorderedElementsAre(twin, child));
    else
      EXPECT_THAT(told, testing::IsEmpty());
  }
}

TEST(AnnotationsCollector, children_that_end_before_they_are_seen_are_recorded) {
  constexpr int kChildren = 31;
  Child service(use_sdk, [] {
    for (int i = 0; i < kChildren; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        {
          PROF_SPAN("in a child");
        }
        _exit(0);
      }
      waitpid(child, nullptr, 0);
    }
  });
  CaptureRequest request;
  request.pids = {service.pid()};
  MemorySink sink;
  auto collector = annotations()->create(request);
  ASSERT_TRUE(collector->start(sink).ok());
  service.go();
  collector->poll(sink);
  collector->stop(sink);
  EXPECT_EQ(sink.count("in a child"), std::size_t{kChildren});
  std::size_t files = 0;
  for (const SdkRingFile& file : list_sdk_ring_files()) {
    const auto ring = SdkRing::open(file.path);
    files += ring && (*ring)->parent_pid() == service.pid() ? 1 : 0;
  }
  EXPECT_EQ(files, 0u) << "files of the dead are removed";
}

TEST(AnnotationsCollector, spans_nested_too_deep_are_counted_as_lost) {
  {
    PROF_SPAN("the first use of the SDK makes the ring");
  }
  CaptureRequest request;
  request.pids = {getpid()};
  for (int recording = 0; recording < 2; ++recording) {
    MemorySink sink;
    auto collector = annotations()->create(request);
    ASSERT_TRUE(collector->start(sink).ok());
    std::vector<prof_span> spans;
    for (int i = 0; i < 1009; ++i)
      spans.push_back(prof_span_begin(PROF_NAME("deep")));
    for (auto span = spans.rbegin(); span != spans.rend(); ++span)
      prof_span_end(*span);
    collector->stop(sink);
    EXPECT_EQ(sink.count("deep"), 200u);
    const auto note = std::find_if(sink.notes.begin(), sink.notes.end(),
                                   [](const auto& row) { return row.code == "note.sdk_too_deep"; });
    ASSERT_NE(note, sink.notes.end());
    EXPECT_EQ(note->count, 809) << "of this recording only";
  }
}

TEST(AnnotationsCollector, says_what_is_missing_for_a_process_without_the_sdk) {
  CaptureRequest request;
  request.pids = {1};
  for (const SignalState& state : annotations()->probe(request)) {
    if (state.name == "annotations") continue;
    EXPECT_FALSE(state.is_available) << state.name;
    EXPECT_EQ(state.reason, "signal.reason.no_sdk") << state.name;
    EXPECT_EQ(state.mend, "signal.mend.link_sdk_or_preload") << state.name;
  }
}

} // namespace
} // namespace prof
