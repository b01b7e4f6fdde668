#include "base/file.hpp"

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

class FileTest : public testing::Test {
protected:
  FileTest()
      : folder_(std::filesystem::temp_directory_path() / ("prof_file_test_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }
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
}

TEST_F(FileTest, a_folder_and_a_missing_file_say_so) {
  EXPECT_EQ(read_file(folder_, 10).error().code, Errc::bad_argument);
  EXPECT_EQ(read_file(folder_ / "none", 10).error().code, Errc::missing);
  EXPECT_EQ(AtomicFile::create(folder_).error().code, Errc::bad_argument);
  EXPECT_EQ(write_file(folder_ / "none" / "x", "").error().code, Errc::missing);
}

TEST_F(FileTest, a_signal_ends_the_program_with_its_number_and_unlinks_what_is_not_whole) {
  const pid_t child = fork();
  if (child == 0) {
    unlink_temps_on_signal();
    auto file = AtomicFile::create(folder_ / "out.txt");
    if (!file || std::filesystem::is_empty(folder_)) _exit(1);
    raise(SIGINT);
    _exit(2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
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
  EXPECT_TRUE(is_device_or_pipe(pipe));
}

} // namespace
} // namespace prof
