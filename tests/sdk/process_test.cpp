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
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

using test::annotations;
using test::Child;
using test::MemorySink;
using test::Recorder;
using test::SliceRow;
using test::use_sdk;

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

} // namespace
} // namespace prof
