#include "base/file.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace prof {
namespace {

class FileTest : public testing::Test {
protected:
  FileTest()
      : folder_(std::filesystem::temp_directory_path() / ("prof_file_test_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
  std::filesystem::path folder_;
};

TEST_F(FileTest, an_output_without_commit_leaves_nothing) {
  {
    auto file = AtomicFile::create(folder_ / "out.txt");
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write("half").ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(FileTest, a_written_file_comes_back_whole) {
  ASSERT_TRUE(write_file(folder_ / "a", "first").ok());
  ASSERT_TRUE(write_file(folder_ / "a", "second").ok());
  auto content = read_file(folder_ / "a", 100);
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(*content, "second");
}

TEST_F(FileTest, a_file_over_the_limit_is_refused_by_name) {
  ASSERT_TRUE(write_file(folder_ / "a", "0123456789").ok());
  auto content = read_file(folder_ / "a", 9);
  ASSERT_FALSE(content.ok());
  EXPECT_EQ(content.error().code, Errc::budget);
  EXPECT_EQ(read_file("/dev/zero", 9).error().code, Errc::budget); // which tells no size
}

TEST_F(FileTest, a_folder_and_a_missing_file_say_so) {
  EXPECT_EQ(read_file(folder_, 10).error().code, Errc::malformed);
  EXPECT_EQ(read_file(folder_ / "none", 10).error().code, Errc::missing);
  EXPECT_EQ(AtomicFile::create(folder_).error().code, Errc::bad_argument);
  EXPECT_EQ(write_file(folder_ / "none" / "x", "").error().code, Errc::missing);
}

TEST_F(FileTest, a_pipe_is_written_and_not_replaced) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  ASSERT_TRUE(write_file(pipe, "hello").ok());
  char text[8] = {};
  EXPECT_EQ(read(reader, text, sizeof text), 5);
  EXPECT_STREQ(text, "hello");
  close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(FileTest, a_pipe_without_a_writer_is_refused_and_not_waited_for) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(folder_ / "pipe", 10).error().code, Errc::malformed);
}

TEST_F(FileTest, a_pipe_with_a_writer_is_read) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const int both = ::open((folder_ / "pipe").c_str(), O_RDWR);
  const int writer = ::open((folder_ / "pipe").c_str(), O_WRONLY);
  ASSERT_EQ(::write(writer, "abc", 3), 3);
  std::thread end([&] { ::close(writer), ::close(both); });
  const auto content = read_file(folder_ / "pipe", 10);
  end.join();
  ASSERT_TRUE(content.ok()) << content.error().what;
  EXPECT_EQ(*content, "abc");
}

TEST_F(FileTest, an_output_goes_into_a_pipe_and_the_pipe_stays) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const int reader = ::open((folder_ / "pipe").c_str(), O_RDWR);
  ASSERT_TRUE(write_file(folder_ / "pipe", "abc").ok());
  auto staged = AtomicFile::create_staged(folder_ / "pipe");
  ASSERT_TRUE(staged.ok());
  std::ofstream(staged->staged_path()) << "def";
  ASSERT_TRUE(staged->commit().ok());
  char bytes[8] = {};
  EXPECT_EQ(::read(reader, bytes, 6), 6);
  EXPECT_STREQ(bytes, "abcdef");
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "pipe"));
  ::close(reader);
}

TEST_F(FileTest, a_full_device_is_an_error_that_names_it_and_the_device_stays) {
  const auto error = write_file("/dev/full", "abc").error();
  EXPECT_EQ(error.code, Errc::io);
  EXPECT_EQ(error.where, "/dev/full");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(FileTest, a_link_is_followed_and_stays_a_link) {
  ASSERT_TRUE(write_file(folder_ / "target", "old").ok());
  std::filesystem::create_symlink("target", folder_ / "link");
  std::filesystem::create_symlink("none", folder_ / "dangling");
  ASSERT_TRUE(write_file(folder_ / "link", "new").ok());
  ASSERT_TRUE(write_file(folder_ / "dangling", "made").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_EQ(*read_file(folder_ / "target", 10), "new");
  EXPECT_EQ(*read_file(folder_ / "none", 10), "made");
}

TEST_F(FileTest, an_existing_file_keeps_its_mode_and_a_new_one_follows_the_umask) {
  ASSERT_TRUE(write_file(folder_ / "private", "old").ok());
  ASSERT_EQ(::chmod((folder_ / "private").c_str(), 0600), 0);
  ASSERT_TRUE(write_file(folder_ / "private", "new").ok());
  const mode_t mask = ::umask(027);
  ASSERT_TRUE(write_file(folder_ / "new", "").ok());
  ::umask(mask);
  struct stat info{};
  ASSERT_EQ(::stat((folder_ / "private").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  ASSERT_EQ(::stat((folder_ / "new").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0640U);
}

TEST_F(FileTest, of_hard_links_only_the_named_one_changes) {
  ASSERT_TRUE(write_file(folder_ / "a", "old").ok());
  std::filesystem::create_hard_link(folder_ / "a", folder_ / "b");
  EXPECT_TRUE(is_same_file(folder_ / "a", folder_ / "b"));
  ASSERT_TRUE(write_file(folder_ / "a", "new").ok());
  EXPECT_EQ(*read_file(folder_ / "b", 10), "old");
  EXPECT_FALSE(is_same_file(folder_ / "a", folder_ / "b"));
}

TEST_F(FileTest, an_error_names_the_wanted_file_and_not_the_temporary) {
  auto file = AtomicFile::create_staged(folder_ / "t.pb");
  ASSERT_TRUE(file.ok());
  const Error error = file->named({Errc::io, "disk full", file->staged_path().string()});
  EXPECT_EQ(error.where, (folder_ / "t.pb").string());
}

TEST_F(FileTest, an_output_without_a_name_is_a_mistake) {
  EXPECT_EQ(write_file("", "").error().code, Errc::bad_argument);
}

TEST_F(FileTest, a_signal_handler_can_remove_what_is_not_finished) {
  auto file = AtomicFile::create_staged(folder_ / "out");
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(std::filesystem::is_empty(folder_));
  remove_temporaries();
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

// In a process of its own, which may lose its rights or die; nullptr from `work` = all is well.
int in_a_child(const std::function<const char*()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const char* wrong = work();
    if (wrong != nullptr) std::fprintf(stderr, "%s\n", wrong);
    ::_exit(wrong == nullptr ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST_F(FileTest, without_the_right_to_write_it_says_so_and_leaves_nothing) {
  ASSERT_TRUE(write_file(folder_ / "mine", "old").ok());
  ASSERT_EQ(::chmod(folder_.c_str(), 0555), 0);
  const int status = in_a_child([&]() -> const char* {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return "cannot give up root";
    const Status written = write_file(folder_ / "mine", "new");
    if (written.ok()) return "it was written";
    if (written.error().code != Errc::permission) return "another error";
    return written.error().where == (folder_ / "mine").string() ? nullptr : "another name";
  });
  ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(*read_file(folder_ / "mine", 10), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(FileTest, without_the_right_to_read_it_says_so) {
  ASSERT_TRUE(write_file(folder_ / "secret", "x").ok());
  ASSERT_EQ(::chmod((folder_ / "secret").c_str(), 0), 0);
  EXPECT_EQ(in_a_child([&]() -> const char* {
              if (::geteuid() == 0 && ::setuid(65534) != 0) return "cannot give up root";
              const auto content = read_file(folder_ / "secret", 10);
              return !content.ok() && content.error().code == Errc::permission ? nullptr : "it was read";
            }),
            0);
}

// A quota, a full disk: the limit of the process stands in for them.
TEST_F(FileTest, a_file_that_does_not_fit_leaves_the_old_one_as_it_was) {
  ASSERT_TRUE(write_file(folder_ / "out", "old").ok());
  EXPECT_EQ(in_a_child([&]() -> const char* {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100'000, 100'000};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return "no limit";
              auto file = AtomicFile::create(folder_ / "out");
              if (!file.ok()) return "not even begun";
              Status written = file->write(std::string(300'000, 'x'));
              if (written.ok()) written = file->commit();
              if (written.ok()) return "it fits";
              if (written.error().code != Errc::io) return "another error";
              return written.error().where == (folder_ / "out").string() ? nullptr : "another name";
            }),
            0);
  EXPECT_EQ(*read_file(folder_ / "out", 10), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "no temporary";
}

// Prepares an output in a child that is killed then.
int killed_while_writing(const std::filesystem::path& path, bool is_staged) {
  return in_a_child([&]() -> const char* {
    auto file = is_staged ? AtomicFile::create_staged(path) : AtomicFile::create(path);
    if (!file.ok() || !file->write("new").ok() || !file->prepare().ok()) return "not prepared";
    ::raise(SIGKILL);
    return nullptr;
  });
}

bool has_unnamed_files(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

TEST_F(FileTest, a_process_that_is_killed_between_prepare_and_commit_leaves_the_old_one_and_nothing_else) {
  if (!has_unnamed_files(folder_)) GTEST_SKIP() << "no O_TMPFILE on this file system";
  ASSERT_TRUE(write_file(folder_ / "out", "old").ok());
  EXPECT_TRUE(WIFSIGNALED(killed_while_writing(folder_ / "out", false)));
  EXPECT_EQ(*read_file(folder_ / "out", 10), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(FileTest, what_a_killed_process_left_under_a_name_goes_with_the_next_output_and_what_is_in_use_stays) {
  EXPECT_TRUE(WIFSIGNALED(killed_while_writing(folder_ / "out", true)));
  ASSERT_EQ(names().size(), 1U) << "a writer that wants a path has one";
  const std::string left = names().front();
  EXPECT_TRUE(left.starts_with(".profiler-") && left.ends_with(".part")) << left;
  std::filesystem::create_directory(folder_ / ".profiler-aB3xyz.part"); // as export leaves it
  std::ofstream(folder_ / ".profiler-aB3xyz.part/slice.csv") << "id\n";
  const std::vector<std::string> theirs{".profiler-abc.part", ".profiler-abcdef.part.txt",
                                        "profiler-abcdef.part", ".profiler-abc+ef.part"};
  for (const std::string& name : theirs)
    std::ofstream(folder_ / name) << "x";
  auto used = AtomicFile::create_staged(folder_ / "used");
  ASSERT_TRUE(used.ok() && used->write("1").ok());
  ASSERT_TRUE(write_file(folder_ / "next", "2").ok());
  ASSERT_TRUE(used->commit().ok());
  std::vector<std::string> expected = theirs;
  expected.insert(expected.end(), {"next", "used"});
  std::ranges::sort(expected);
  EXPECT_EQ(names(), expected);
  EXPECT_EQ(*read_file(folder_ / "used", 10), "1");
}

TEST_F(FileTest, a_file_that_appears_early_grows_and_stays_when_its_process_is_killed) {
  ASSERT_TRUE(write_file(folder_ / "out", "old").ok());
  const int status = in_a_child([&]() -> const char* {
    auto file = AtomicFile::create(folder_ / "out");
    if (!file.ok() || !file->write("1").ok()) return "not begun";
    if (*read_file(folder_ / "out", 10) != "old") return "it is there too early";
    if (!file->appear().ok() || *read_file(folder_ / "out", 10) != "1") return "it did not appear";
    if (!is_being_written(folder_ / "out")) return "nobody is said to write it";
    if (!file->write("2").ok()) return "it does not grow";
    ::raise(SIGKILL);
    return nullptr;
  });
  EXPECT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(*read_file(folder_ / "out", 10), "12");
  EXPECT_FALSE(is_being_written(folder_ / "out"));
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(FileTest, a_file_that_grows_until_nothing_fits_ends_with_the_last_write_that_did) {
  EXPECT_EQ(in_a_child([&]() -> const char* {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100'000, 100'000};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return "no limit";
              auto file = AtomicFile::create(folder_ / "out");
              if (!file.ok() || !file->write(std::string(70'000, 'a')).ok()) return "not begun";
              if (!file->appear().ok()) return "it did not appear";
              return file->write(std::string(70'000, 'b')).ok() ? "it fits" : nullptr;
            }),
            0);
  EXPECT_EQ(*read_file(folder_ / "out", 200'000), std::string(70'000, 'a'));
}

TEST_F(FileTest, several_files_appear_together) {
  auto a = AtomicFile::create(folder_ / "a"), b = AtomicFile::create(folder_ / "b");
  ASSERT_TRUE(a.ok() && b.ok());
  ASSERT_TRUE(a->write("1").ok() && b->write("2").ok());
  ASSERT_TRUE(a->prepare().ok() && b->prepare().ok());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a"));
  ASSERT_TRUE(a->commit().ok() && b->commit().ok());
  EXPECT_EQ(*read_file(folder_ / "a", 10) + *read_file(folder_ / "b", 10), "12");
}

TEST_F(FileTest, links_in_a_circle_are_a_mistake_and_not_a_hang) {
  std::filesystem::create_symlink("b", folder_ / "a");
  std::filesystem::create_symlink("a", folder_ / "b");
  EXPECT_EQ(write_file(folder_ / "a", "x").error().code, Errc::bad_argument);
  EXPECT_FALSE(read_file(folder_ / "a", 10).ok());
}

TEST_F(FileTest, names_of_any_bytes_work) {
  for (const std::string name :
       {"with space", "quote\"'", "\xe8\xaf\x97.txt", "\xff\xfe", "new\nline", "-", "a;rm -rf b", "$(x)"}) {
    if (name == "-") continue; // standard output
    ASSERT_TRUE(write_file(folder_ / name, name).ok()) << name;
    EXPECT_EQ(*read_file(folder_ / name, 100), name);
  }
  EXPECT_FALSE(write_file(folder_ / std::string(300, 'n'), "x").ok()) << "longer than a name may be";
}

TEST_F(FileTest, an_executable_may_be_run_by_whoever_may_read_it) {
  const mode_t mask = ::umask(027);
  auto file = AtomicFile::create(folder_ / "apply.sh");
  ASSERT_TRUE(file.ok());
  file->set_executable();
  ASSERT_TRUE(file->write("#!/bin/sh\n").ok() && file->commit().ok());
  ::umask(mask);
  struct stat info{};
  ASSERT_EQ(::stat((folder_ / "apply.sh").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0750U);
}

TEST_F(FileTest, more_temporaries_than_a_handler_can_remember_are_removed_by_their_owners) {
  {
    std::vector<AtomicFile> files;
    for (int i = 0; i < 300; ++i) {
      auto file = AtomicFile::create_staged(folder_ / std::to_string(i));
      ASSERT_TRUE(file.ok());
      files.push_back(std::move(*file));
    }
    remove_temporaries();
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 300 - 256);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

// "No such file or directory" said neither what was missing nor what to do.
TEST_F(FileTest, an_output_without_a_folder_names_the_folder) {
  const auto missing = write_file(folder_ / "gone" / "plan.md", "x");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Errc::missing);
  const std::string folder = (folder_ / "gone").string();
  EXPECT_EQ(missing.error().what, "cannot write: there is no folder '" + folder +
                                      "'; make it first (mkdir -p), or name another place");
  EXPECT_EQ(missing.error().zh, "无法写入：没有文件夹“" + folder + "”；请先创建（mkdir -p），或指定其他位置");
}

TEST_F(FileTest, a_folder_that_takes_no_files_is_not_called_missing) {
  if (!std::filesystem::is_directory("/proc/self")) GTEST_SKIP() << "no /proc here";
  const auto refused = write_file("/proc/x.pb", "x");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().what, "cannot write: no file can be made in '/proc'; name another place");
}

TEST_F(FileTest, a_binary_file_is_no_report_however_long_it_is) {
  const std::string zero("\x0a\x05\x00\x01", 4);
  for (const std::string& head : {zero, std::string("\x1f\x8b\x08"), std::string("\x28\xb5\x2f\xfd")}) {
    for (const std::size_t size : {std::size_t{10}, std::size_t{200'000}}) {
      ASSERT_TRUE(write_file(folder_ / "t", head + std::string(size, 'x')).ok());
      const auto read = read_report(folder_ / "t", 1000);
      ASSERT_FALSE(read.ok());
      EXPECT_EQ(read.error().code, Errc::malformed);
      EXPECT_NE(read.error().what.find("is a binary file, such as a trace"), std::string::npos);
      EXPECT_EQ(read.error().what.find('\n'), std::string::npos);
    }
  }
  ASSERT_TRUE(write_file(folder_ / "t", std::string(1000, 'x')).ok());
  EXPECT_EQ(read_report(folder_ / "t", 1000)->size(), 1000U);
  ASSERT_TRUE(write_file(folder_ / "t", std::string(1001, 'x')).ok());
  EXPECT_EQ(read_report(folder_ / "t", 1000).error().code, Errc::budget);
}

} // namespace
} // namespace prof
