// An output's name belongs to one command, before there is a file of that name.
#include "base/output_claim.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

class Claims : public testing::Test {
protected:
  Claims()
      : folder_(std::filesystem::temp_directory_path() / ("prof_claim_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_ / "sub");
  }
  ~Claims() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(Claims, a_name_is_held_by_whatever_path_and_leaves_nothing_in_the_folder) {
  std::filesystem::create_directory_symlink(folder_, folder_ / "sub" / "link");
  const auto held = OutputClaim::take(folder_ / "out.pb");
  ASSERT_TRUE(held);
  for (const char* name : {"out.pb", "sub/../out.pb", "sub/link/out.pb", "./out.pb"})
    EXPECT_FALSE(OutputClaim::take(folder_ / name)) << name;
  for (const char* name : {"out_1.pb", "sub/out.pb"})
    EXPECT_TRUE(OutputClaim::take(folder_ / name)) << name;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.pb"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(Claims, a_name_is_free_when_its_claim_ends_and_goes_along_when_it_is_moved) {
  {
    auto first = OutputClaim::take(folder_ / "out.pb");
    ASSERT_TRUE(first);
    const OutputClaim moved = *std::move(first);
    first.reset();
    EXPECT_FALSE(OutputClaim::take(folder_ / "out.pb"));
  }
  EXPECT_TRUE(OutputClaim::take(folder_ / "out.pb"));
}

TEST_F(Claims, a_name_is_free_when_its_process_was_killed) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = OutputClaim::take(folder_ / "out.pb");
    (void)!::write(ready[1], held ? "y" : "n", 1);
    for (;;)
      ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  EXPECT_FALSE(OutputClaim::take(folder_ / "out.pb"));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(OutputClaim::take(folder_ / "out.pb"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(Claims, a_folder_that_is_not_there_is_for_the_writer_to_tell) {
  EXPECT_TRUE(OutputClaim::take(folder_ / "no" / "out.pb"));
}

} // namespace
} // namespace prof
