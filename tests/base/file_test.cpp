#include "base/file.hpp"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
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
  auto file = AtomicFile::create(folder_ / "out");
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(std::filesystem::is_empty(folder_));
  remove_temporaries();
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

} // namespace
} // namespace prof
