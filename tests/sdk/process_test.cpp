// Lives and deaths: fork, kill, exec, stale and hostile files.
#include "capture/launch.hpp"
#include "capture/sdk_services.hpp"
#include "capture/session.hpp"
#include "sdk/prof_sdk.hpp"

#include "../under_sanitizer.hpp"
#include "child.hpp"
#include "recording.hpp"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

using test::Child;
using test::MemorySink;
using test::Recorder;
using test::SliceRow;

void use_sdk() {
  prof_service("child service");
  (void)prof_is_on();
}

const CollectorInfo* annotations() {
  for (const CollectorInfo* info : all_collectors())
    if (info->name == "annotations") return info;
  return nullptr;
}

TEST(SdkProcess, a_forked_child_registers_anew_and_its_old_names_stay_true) {
  sdk::service("parent service");
  const prof_name before_fork = prof_intern("named before fork");
  Recorder parent(getpid());
  {
    PROF_SPAN("in the parent");
  }
  Child child(use_sdk, [&] {
    const sdk::Span old_name(before_fork);
    PROF_SPAN("in the child");
  });
  ASSERT_NE(test::ring_file(child.pid()), "");
  ASSERT_NE(test::ring_file(child.pid()), test::ring_file(getpid()));
  Recorder recorder(child.pid());
  EXPECT_EQ(recorder.ring->service(), "child service");
  child.go();
  const MemorySink& of_child = recorder.stop();
  const MemorySink& of_parent = parent.stop();
  EXPECT_EQ(of_child.count("in the child"), 1u);
  EXPECT_EQ(of_child.count("named before fork"), 1u);
  EXPECT_EQ(of_child.count("in the parent"), 0u);
  EXPECT_EQ(of_parent.count("in the parent"), 1u);
  EXPECT_EQ(of_parent.slices.size(), 1u);
  EXPECT_EQ(of_child.track_tids.at(of_child.one("in the child").track), child.pid());
}

TEST(SdkProcess, a_child_that_never_calls_the_sdk_leaves_its_parent_alone) {
  sdk::service("parent service");
  Recorder parent(getpid());
  Child child([] {}, [] {});
  EXPECT_EQ(test::ring_file(child.pid()), "");
  {
    PROF_SPAN("still recorded");
  }
  EXPECT_EQ(parent.stop().count("still recorded"), 1u);
}

TEST(SdkProcess, a_killed_service_leaves_every_completed_record) {
  Child child(use_sdk, [] {
    for (int i = 0; i < 1000; ++i)
      PROF_SPAN("completed");
    (void)prof_span_begin(PROF_NAME("cut off"));
  });
  Recorder recorder(child.pid());
  child.go();
  child.end(SIGKILL);
  EXPECT_FALSE(recorder.ring->is_process_alive());
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.count("completed"), 1000u);
  EXPECT_EQ(sink.one("cut off").arg("unfinished"), "true");
}

TEST(SdkProcess, a_killed_profiler_leaves_a_service_that_the_next_one_records) {
  Child service(use_sdk, [] { PROF_SPAN("for the second"); });
  const pid_t first = fork();
  if (first == 0) { // a profiler that attaches and dies
    auto ring = SdkRing::open(test::ring_file(service.pid()));
    if (ring && (*ring)->attach(1.0)) raise(SIGKILL);
    _exit(1);
  }
  int status = 0;
  waitpid(first, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  Recorder second(service.pid());
  service.go();
  EXPECT_EQ(second.stop().count("for the second"), 1u);
}

TEST(SdkProcess, services_are_listed_by_name_and_the_dead_are_not) {
  sdk::service("\"><script>");
  Child child(use_sdk, [] {});
  const auto name_of = [](std::int64_t pid) {
    for (const SdkService& service : list_sdk_services())
      if (service.pid == pid) return service.name;
    return std::string("(none)");
  };
  const pid_t pid = child.pid();
  EXPECT_EQ(name_of(getpid()), "\"><script>");
  EXPECT_EQ(name_of(pid), "child service");
  child.end(SIGKILL);
  EXPECT_EQ(name_of(pid), "(none)");
}

TEST(SdkProcess, the_next_start_removes_files_of_the_dead) {
  Child dead(use_sdk, [] {});
  const std::string file = test::ring_file(dead.pid());
  dead.end(SIGKILL);
  ASSERT_TRUE(std::filesystem::exists(file));
  Child next(use_sdk, [] {});
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(SdkProcess, a_profiler_without_descriptors_does_not_take_a_service_for_dead) {
#ifdef PROF_UNDER_SANITIZER
  GTEST_SKIP() << "the sanitizer itself needs descriptors";
#endif
  Child service(use_sdk, [] {});
  const std::string file = test::ring_file(service.pid());
  const pid_t profiler = fork();
  if (profiler == 0) {
    CaptureRequest request;
    request.pids = {service.pid()};
    MemorySink sink;
    auto collector = annotations()->create(request);
    if (!collector->start(sink)) _exit(1);
    rlimit limit{.rlim_cur = 64, .rlim_max = 64};
    setrlimit(RLIMIT_NOFILE, &limit);
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
    if (errno != EMFILE) _exit(2);
    collector->poll(sink);
    collector->stop(sink);
    _exit(0);
  }
  int status = 0;
  waitpid(profiler, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST(SdkProcess, no_registry_means_off_and_no_harm) {
  Child child(
      [] {
        setenv("PROF_REGISTRY", "/proc/no/such/folder", 1);
        use_sdk();
      },
      [] {
        for (int i = 0; i < 10; ++i)
          PROF_SPAN("nowhere");
        if (prof_is_on() != 0) _exit(7);
      });
  child.go();
  EXPECT_EQ(test::ring_file(child.pid()), "");
}

TEST(SdkProcess, a_registry_that_others_can_write_is_refused) {
  const std::string open_folder = (test::registry() / "open").string();
  std::filesystem::create_directory(open_folder);
  std::filesystem::permissions(open_folder, std::filesystem::perms::all);
  Child child(
      [&] {
        setenv("PROF_REGISTRY", open_folder.c_str(), 1);
        use_sdk();
      },
      [] {});
  EXPECT_TRUE(std::filesystem::is_empty(open_folder));
}

TEST(SdkProcess, damaged_files_are_refused_by_name) {
  const auto open_text = [](const std::string& content) {
    const std::string path = (test::registry() / "1-damaged.ring").string();
    std::ofstream(path, std::ios::binary) << content;
    auto ring = SdkRing::open(path);
    std::filesystem::remove(path);
    return ring.ok() ? Errc::internal : ring.error().code;
  };
  EXPECT_EQ(open_text(""), Errc::malformed);
  EXPECT_EQ(open_text(std::string(8192, '\0')), Errc::malformed);
  std::string future(8192, '\0');
  std::memcpy(future.data(), sdk::kRingMagic, sizeof sdk::kRingMagic);
  future[8] = 99; // version
  EXPECT_EQ(open_text(future), Errc::unsupported);
  future[8] = static_cast<char>(sdk::kRingVersion);
  future[12] = 1; // slots, and no layout
  EXPECT_EQ(open_text(future), Errc::malformed);
}

TEST(SdkProcess, nonsense_in_a_ring_is_counted_and_never_followed) {
  Child child(use_sdk, [] { PROF_SPAN("before the nonsense"); });
  Recorder recorder(child.pid());
  child.go();
  const std::string path = recorder.ring->path();
  const int fd = open(path.c_str(), O_RDWR);
  ASSERT_GE(fd, 0);
  std::vector<sdk::RingRecord> records(64);
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i] = {.ts = i * 0x0123456789abcdefull,
                  .a = ~0ull,
                  .b = ~0ull,
                  .name = 0xfffffff0u,
                  .kind = static_cast<sdk::RecordKind>(i),
                  .flags = 0xff,
                  .depth = static_cast<std::uint16_t>(i * 1021)};
  sdk::RingHeader header_copy_space; // only for its type's size
  (void)header_copy_space;
  void* map =
      mmap(nullptr, sdk::kHeaderBytes + sizeof(sdk::SlotControl), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ASSERT_NE(map, MAP_FAILED);
  auto* header = static_cast<sdk::RingHeader*>(map);
  auto* slot = reinterpret_cast<sdk::SlotControl*>(static_cast<char*>(map) + sdk::kHeaderBytes);
  const std::uint64_t head = slot->head.load();
  const std::uint64_t bytes = records.size() * sizeof(sdk::RingRecord);
  ASSERT_EQ(pwrite(fd, records.data(), bytes,
                   static_cast<off_t>(header->rings_offset + head * sizeof(sdk::RingRecord))),
            static_cast<ssize_t>(bytes));
  slot->head.store(head + records.size());
  recorder.drain();
  EXPECT_EQ(recorder.sink.count("before the nonsense"), 1u);
  EXPECT_GT(recorder.decoder->seen().damaged, 0);
  slot->head.store(head + 10'000'000); // further ahead than the ring is long
  recorder.drain();
  EXPECT_EQ(recorder.ring->losses().damaged, 1u);
  header->names_used.store(0xffffffffu);
  EXPECT_EQ(recorder.ring->name(0x0fffffffu), "");
  EXPECT_EQ(recorder.ring->op(0xffffffffu).name, 0u);
  recorder.stop();
  munmap(map, sdk::kHeaderBytes + sizeof(sdk::SlotControl));
  close(fd);
}

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
