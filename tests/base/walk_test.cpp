#include "base/sha256.hpp"
#include "base/walk.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prof {
namespace {

class WalkTest : public testing::Test {
protected:
  WalkTest()
      : folder_(std::filesystem::temp_directory_path() / ("prof_walk_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_ / "b/c");
  }
  ~WalkTest() override { std::filesystem::remove_all(folder_); }
  void put(const std::string& name) const { std::ofstream(folder_ / name) << name; }
  std::filesystem::path folder_;
};

TEST_F(WalkTest, gives_regular_files_in_order_and_follows_links_to_files_only) {
  for (const char* name : {"z", "b/c/deep", "a"})
    put(name);
  std::filesystem::create_symlink("z", folder_ / "link");
  std::filesystem::create_symlink("..", folder_ / "b/up");
  std::filesystem::create_symlink("/proc/self/status", folder_ / "made_up");
  std::filesystem::create_symlink("/dev/zero", folder_ / "endless");
  std::filesystem::create_symlink("none", folder_ / "dangling");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const auto files = files_below(folder_);
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(*files, (std::vector<std::filesystem::path>{folder_ / "a", folder_ / "b/c/deep", folder_ / "link",
                                                        folder_ / "z"}));
  EXPECT_TRUE(sha256_of(folder_).ok()) << "it neither waits nor reads without end";
}

TEST_F(WalkTest, a_folder_with_more_names_than_allowed_is_refused) {
  for (const char* name : {"1", "2", "3"})
    put(name);
  EXPECT_TRUE(files_below(folder_, 5).ok()); // b and b/c are names too
  const auto files = files_below(folder_, 4);
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().code, Errc::budget);
  EXPECT_EQ(files.error().where, folder_.string());
}

// A report written into the folder of its trace made it another trace: the next command refused the report.
TEST_F(WalkTest, what_our_commands_write_beside_a_trace_is_no_part_of_it) {
  put("trace.json");
  put("b/x.xplane.pb");
  const std::string before = *sha256_of(folder_);
  std::filesystem::create_directories(folder_ / ".profiler/journal");
  for (const char* name : {"report.yaml", "b/plan.md", "page.html", "v.pdf", "step1_apply.sh",
                           "fusion_config.json", "t.pb", ".profiler/journal/1.csv"})
    put(name);
  EXPECT_EQ(*trace_files_below(folder_),
            (std::vector<std::filesystem::path>{folder_ / "b/x.xplane.pb", folder_ / "trace.json"}));
  EXPECT_EQ(*sha256_of(folder_), before);
  put("rank1.json");
  EXPECT_NE(*sha256_of(folder_), before);
}

TEST_F(WalkTest, what_the_kernel_makes_up_is_known_and_left_out) {
  EXPECT_TRUE(is_kernel_made("/proc"));
  EXPECT_TRUE(is_kernel_made("/proc/self/status"));
  EXPECT_TRUE(is_kernel_made("/sys"));
  EXPECT_FALSE(is_kernel_made(folder_));
  EXPECT_FALSE(is_kernel_made("/dev/shm"));
  EXPECT_FALSE(is_kernel_made(folder_ / "none"));
  const auto files = files_below("/proc");
  ASSERT_TRUE(files.ok());
  EXPECT_TRUE(files->empty());
}

} // namespace
} // namespace prof
