#include "base/file.hpp"

#include <gtest/gtest.h>
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

} // namespace
} // namespace prof
