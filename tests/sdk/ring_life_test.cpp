// A ring file from its making to its removal: who may read it, and what forks, execs, kills and daemons do to
// it.
#include "capture/sdk_services.hpp"
#include "sdk/prof_sdk.hpp"

#include "child.hpp"
#include "fake_ring.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <gmock/gmock.h>
#include <thread>

namespace prof {
namespace {

using test::Child;
using test::FakeRing;
using test::MemorySink;
using test::Recorder;
using test::SliceRow;

std::vector<std::string> services_of(std::int64_t pid) {
  std::vector<std::string> names;
  for (const SdkService& service : list_sdk_services())
    if (service.pid == pid) names.push_back(service.name);
  return names;
}

TEST(RingLife, folder_and_file_are_for_the_owner_alone_whatever_the_umask) {
  const std::string folder = (test::registry() / "made by the service").string();
  Child child(
      [&] {
        umask(0);
        setenv("PROF_REGISTRY", folder.c_str(), 1);
        sdk::service("private");
      },
      [] {});
  struct stat info{};
  ASSERT_EQ(stat(folder.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ASSERT_EQ(lstat(entry.path().c_str(), &info), 0);
    EXPECT_TRUE(S_ISREG(info.st_mode));
    EXPECT_EQ(info.st_mode & 07777, 0600u) << entry.path();
    EXPECT_EQ(info.st_uid, geteuid());
    EXPECT_TRUE(entry.path().filename().string().starts_with(std::to_string(child.pid()) + "-"));
    ++files;
  }
  EXPECT_EQ(files, 1u);
}

struct BadRegistry {
  const char* name;
  std::string (*make)(const std::string& place);
};
class RegistryRefused : public ::testing::TestWithParam<BadRegistry> {};

TEST_P(RegistryRefused, turns_the_sdk_off_and_nothing_is_written) {
  const std::string place = (test::registry() / GetParam().name).string();
  const std::string registry = GetParam().make(place);
  Child child(
      [&] {
        setenv("PROF_REGISTRY", registry.c_str(), 1);
        sdk::service("nowhere");
      },
      [] {
        PROF_SPAN("nowhere");
        _exit(prof_is_on() != 0 ? 1 : 42);
      });
  child.go_and_expect_exit(42);
  setenv("PROF_REGISTRY", registry.c_str(), 1);
  EXPECT_TRUE(list_sdk_ring_files().empty());
  setenv("PROF_REGISTRY", test::registry().c_str(), 1);
  std::error_code ignored;
  if (std::filesystem::is_directory(place, ignored)) {
    EXPECT_TRUE(std::filesystem::is_empty(place));
  }
}

std::string make_folder(const std::string& place, std::filesystem::perms perms) {
  std::filesystem::create_directory(place);
  std::filesystem::permissions(place, perms);
  return place;
}

INSTANTIATE_TEST_SUITE_P(
    RingLife, RegistryRefused,
    ::testing::Values(BadRegistry{"group_may_read",
                                  [](const std::string& place) {
                                    return make_folder(place, std::filesystem::perms::owner_all |
                                                                  std::filesystem::perms::group_read);
                                  }},
                      BadRegistry{"others_may_enter",
                                  [](const std::string& place) {
                                    return make_folder(place, std::filesystem::perms::owner_all |
                                                                  std::filesystem::perms::others_exec);
                                  }},
                      BadRegistry{"link_to_a_good_folder",
                                  [](const std::string& place) {
                                    make_folder(place, std::filesystem::perms::owner_all);
                                    std::filesystem::create_directory_symlink(place, place + "_link");
                                    return place + "_link";
                                  }},
                      BadRegistry{"a_file",
                                  [](const std::string& place) {
                                    std::ofstream(place) << "x";
                                    return place;
                                  }},
                      BadRegistry{"in_a_folder_that_is_not_there",
                                  [](const std::string& place) { return place + "/a/b"; }},
                      BadRegistry{"longer_than_is_kept",
                                  [](const std::string& place) { return place + std::string(200, 'x'); }}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(RingLife, a_registry_of_another_user_is_refused) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a second user";
  const std::string folder = (test::registry() / "theirs").string();
  ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
  ASSERT_EQ(chown(folder.c_str(), 65534, 65534), 0);
  Child child(
      [&] {
        setenv("PROF_REGISTRY", folder.c_str(), 1);
        sdk::service("nowhere");
      },
      [] {});
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(RingLife, a_link_among_the_files_is_neither_followed_nor_removed) {
  const std::string victim = (test::registry() / "victim").string();
  std::ofstream(victim) << "untouched";
  const std::string link = (test::registry() / "999999-0.ring").string();
  ASSERT_EQ(symlink(victim.c_str(), link.c_str()), 0);
  Child child([] { sdk::service("beside a link"); }, [] {}); // cleans up as it registers
  EXPECT_THAT(services_of(child.pid()), ::testing::ElementsAre("beside a link"));
  EXPECT_TRUE(services_of(999999).empty());
  std::string content;
  std::getline(std::ifstream(victim), content);
  EXPECT_EQ(content, "untouched");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  unlink(link.c_str());
  unlink(victim.c_str());
}

// What stands in a registry, and whether the next service that registers removes it.
struct Leftover {
  const char* name;
  const char* file;
  int age_s;
  bool is_removed;
};
class Leftovers : public ::testing::TestWithParam<Leftover> {};

TEST_P(Leftovers, are_removed_only_when_they_are_surely_of_nobody) {
  std::string name = GetParam().file;
  if (const auto at = name.find("OWN"); at != std::string::npos)
    name.replace(at, 3, std::to_string(getpid()));
  const std::string path = (test::registry() / name).string();
  std::ofstream(path) << std::string(100, '\0');
  timespec times[2] = {};
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= GetParam().age_s;
  times[1] = times[0];
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  Child child([] { sdk::service("cleaner"); }, [] {});
  EXPECT_EQ(std::filesystem::exists(path), !GetParam().is_removed);
  unlink(path.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    RingLife, Leftovers,
    ::testing::Values(Leftover{"unfinished_of_the_dead", ".4194305-0123", 3600, true}, // beyond every pid
                      Leftover{"unfinished_of_just_now", ".4194305-0123", 5, false},
                      Leftover{"unfinished_of_the_living", ".OWN-0123", 3600, false},
                      Leftover{"of_another_kind", ".hidden-0123", 3600, false},
                      Leftover{"a_users_notes", "notes.txt", 3600, false},
                      Leftover{"no_pid", "0-0123.ring", 3600, false},
                      Leftover{"cut_before_its_header_ends", "4194305-0123.ring", 3600, false}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(RingLife, a_finished_file_of_the_dead_is_kept_while_a_profiler_may_read_it) {
  struct Row {
    const char* what;
    std::uint32_t word;
    std::int64_t age_ns;
    bool is_other_namespace, is_kept;
  };
  constexpr std::array<Row, 4> kRows{{{"nobody records", 0, 0, false, false},
                                      {"recorded, looked at a second ago", 1, 1'000'000'000, false, true},
                                      {"recorded, left alone for long", 1, 11'000'000'000, false, false},
                                      {"of another pid namespace", 0, 11'000'000'000, true, true}}};
  for (const Row& row : kRows) {
    const FakeRing ring(4194305, "finished");
    ring.header().word = row.word;
    ring.header().heartbeat_ns = now_monotonic().ns - row.age_ns;
    if (row.is_other_namespace) ring.header().pid_ns += 1;
    Child child([] { sdk::service("cleaner"); }, [] {});
    EXPECT_EQ(std::filesystem::exists(ring.path()), row.is_kept) << row.what;
  }
}

TEST(RingLife, a_daemon_that_closed_our_descriptor_keeps_its_own_over_fork) {
  Child child(
      [] {
        sdk::service("daemon");
        PROF_SPAN("makes the ring");
      },
      [] {
        // As daemons do: close everything, then open files of their own, which get the free numbers.
        std::vector<int> closed;
        for (int fd = 3; fd < 100; ++fd) {
          char target[256] = {};
          const std::string link = "/proc/self/fd/" + std::to_string(fd);
          if (readlink(link.c_str(), target, sizeof target - 1) > 0 &&
              std::string_view(target).find(std::to_string(getpid()) + "-") != std::string_view::npos)
            closed.push_back(fd);
        }
        if (closed.size() != 1) _exit(10);
        close(closed[0]);
        if (open("/dev/null", O_RDONLY) != closed[0]) _exit(11);
        const pid_t grandchild = fork();
        if (grandchild == 0) {
          PROF_SPAN("registers");
          _exit(fcntl(closed[0], F_GETFD) >= 0 ? 0 : 12);
        }
        int status = 0;
        waitpid(grandchild, &status, 0);
        _exit(WIFEXITED(status) ? 40 + WEXITSTATUS(status) : 13);
      });
  child.go_and_expect_exit(40);
}

TEST(RingLife, a_daemon_that_closed_everything_is_still_recorded) {
  Child child([] { sdk::service("daemon"); },
              [] {
                for (int fd = 3; fd < 1000; ++fd)
                  if (fcntl(fd, F_GETFD) >= 0) {
                    struct stat info{};
                    fstat(fd, &info);
                    if (S_ISREG(info.st_mode)) close(fd);
                  }
                for (int i = 0; i < 5000; ++i) // more than the first piece of memory
                  PROF_SPAN("after closing");
              });
  Recorder recorder(child.pid());
  child.go();
  EXPECT_EQ(recorder.stop().count("after closing"), 5000u);
  EXPECT_EQ(recorder.ring->losses().memory_refused, 0u);
}

TEST(RingLife, a_process_that_became_another_program_is_no_service_any_more) {
  Child child([] { sdk::service("before exec"); },
              [] { execl("/bin/sh", "sh", "-c", "printf d >&$DONE; read line <&$GO", nullptr); });
  ASSERT_THAT(services_of(child.pid()), ::testing::ElementsAre("before exec"));
  child.go();
  const std::string file = test::ring_file(child.pid());
  ASSERT_NE(file, "") << "nobody has removed it";
  auto ring = SdkRing::open(file);
  ASSERT_TRUE(ring.ok());
  EXPECT_TRUE((*ring)->is_process_alive());
  EXPECT_FALSE((*ring)->is_in_use());
  EXPECT_TRUE(services_of(child.pid()).empty());
}

TEST(RingLife, a_killed_writer_leaves_an_unbroken_row_of_whole_records) {
  for (int round = 0; round < 10; ++round) {
    Child child([] { sdk::service("to be killed"); },
                [] {
                  const pid_t parent = getpid();
                  std::thread([parent] {
                    for (std::int64_t i = 0;; ++i) {
                      const sdk::Span span(PROF_NAME("numbered"));
                      span.arg(PROF_NAME("i"), i);
                      if (i == 30'000) kill(parent, SIGKILL); // the other thread is anywhere by then
                    }
                  }).detach();
                  for (std::int64_t i = 0;; ++i)
                    prof_counter(PROF_NAME("numbered"), 0, static_cast<double>(i));
                });
    Recorder recorder(child.pid());
    child.go_until_killed();
    const MemorySink& sink = recorder.stop();
    std::int64_t next = 0;
    for (const SliceRow& row : sink.slices) {
      if (row.args.count("unfinished") != 0 && row.args.count("i") == 0)
        continue; // killed before its argument
      EXPECT_EQ(row.arg("i"), std::to_string(next));
      ++next;
    }
    EXPECT_EQ(recorder.decoder->seen().damaged, 0);
    double expected = 0;
    for (const auto& row : sink.counters)
      EXPECT_EQ(row.value, expected++);
    EXPECT_GT(next, 10'000);
  }
}

TEST(RingLife, a_record_that_was_never_published_is_not_read) {
  FakeRing ring(getpid());
  Recorder recorder(getpid());
  ring.enter(getpid());
  ring.begin(ring.name("whole"), 1);
  ring.end(1);
  sdk::RingRecord half{};
  half.kind = sdk::RecordKind::span_begin; // the kind is there, the time is not
  half.depth = 1;
  ring.place(half, ring.slot(0).head);
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.slices.size(), 1u);
  EXPECT_EQ(recorder.decoder->seen().damaged, 0);
}

TEST(RingLife, forks_while_other_threads_use_the_sdk_never_stand_still) {
  Child child([] { sdk::service("busy parent"); },
              [] {
                std::atomic<bool> is_over{false};
                std::vector<std::thread> threads;
                for (int t = 0; t < 3; ++t)
                  threads.emplace_back([&, t] {
                    for (int i = 0; !is_over.load(); ++i) { // new names: under the lock
                      const sdk::Span span(sdk::intern(std::to_string(t) + "." + std::to_string(i % 3000)));
                    }
                  });
                int failed = 0;
                for (int i = 0; i < 50; ++i) {
                  const pid_t grandchild = fork();
                  if (grandchild == 0) {
                    alarm(200); // a child that waits for a lock of a thread that is not there
                    const sdk::Span span(sdk::intern("grandchild " + std::to_string(i)));
                    _exit(0);
                  }
                  int status = 0;
                  waitpid(grandchild, &status, 0);
                  failed += status == 0 ? 0 : 1;
                }
                is_over = true;
                for (std::thread& thread : threads)
                  thread.join();
                _exit(60 + failed);
              });
  Recorder recorder(child.pid());
  child.go_and_expect_exit(60);
}

TEST(RingLife, a_grandchild_keeps_names_that_its_grandparent_gave) {
  sdk::service("grandparent");
  const prof_name given = prof_intern("given by the grandparent");
  int pipe_of_pid[2];
  ASSERT_EQ(pipe(pipe_of_pid), 0);
  Recorder recorder(getpid());
  const pid_t child = fork(); // that never uses the SDK
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      {
        const sdk::Span span(given);
      }
      const pid_t own = getpid();
      (void)!write(pipe_of_pid[1], &own, sizeof own);
      _exit(0);
    }
    waitpid(grandchild, nullptr, 0);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  pid_t grandchild = 0;
  ASSERT_EQ(read(pipe_of_pid[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  EXPECT_TRUE(recorder.stop().slices.empty()) << "nothing of a child lies in the ring of an ancestor";
  Recorder of_grandchild(grandchild);
  EXPECT_EQ(of_grandchild.ring->parent_pid(), getpid()) << "the nearest that was registered";
  EXPECT_EQ(of_grandchild.stop().count("given by the grandparent"), 1u);
  of_grandchild.ring->remove();
}

TEST(RingLife, an_orderly_end_removes_the_file_and_a_recorded_one_is_left_to_the_profiler) {
  Child unrecorded([] { sdk::service("orderly"); }, [] { std::exit(21); });
  const std::string first = test::ring_file(unrecorded.pid());
  ASSERT_NE(first, "");
  unrecorded.go_and_expect_exit(21);
  EXPECT_FALSE(std::filesystem::exists(first));
  Child recorded([] { sdk::service("orderly"); },
                 [] {
                   {
                     PROF_SPAN("last words");
                   }
                   std::exit(22);
                 });
  Recorder recorder(recorded.pid());
  recorded.go_and_expect_exit(22);
  EXPECT_TRUE(std::filesystem::exists(recorder.ring->path()));
  EXPECT_EQ(recorder.stop().count("last words"), 1u);
  recorder.ring->remove();
}

TEST(RingLife, switched_off_by_its_user_the_sdk_makes_no_file) {
  Child child(
      [] {
        setenv("PROF_SDK", "off", 1);
        setenv("PROF_RECORD", "1", 1);
        sdk::service("off");
      },
      [] {
        PROF_SPAN("unseen");
        _exit(prof_is_on() == 0 && prof_ticks() == 0 ? 33 : 34);
      });
  EXPECT_EQ(test::ring_file(child.pid()), "");
  child.go_and_expect_exit(33);
}

} // namespace
} // namespace prof
