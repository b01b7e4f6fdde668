// Folders that appear whole or not at all.
#include "common/output.hpp"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace prof {
namespace {

class NewFolder : public testing::Test {
protected:
  NewFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "prof_output_test.XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~NewFolder() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
      names.push_back(entry.path().lexically_relative(folder_).string());
    std::ranges::sort(names);
    return names;
  }
  std::filesystem::path folder_;
};

TEST_F(NewFolder, is_under_its_name_when_all_is_in_it) {
  for (const std::string name : {"plain", "slash/", "a/b/deep"}) {
    const auto target = folder_ / name;
    ASSERT_TRUE(write_new_folder(target, [&](const std::filesystem::path& part) -> Status {
      EXPECT_FALSE(std::filesystem::exists(target)) << name;
      std::ofstream(part / "table.csv") << "id";
      return {};
    })) << name;
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "a/b", "a/b/deep", "a/b/deep/table.csv", "plain",
                                               "plain/table.csv", "slash", "slash/table.csv"}));
}

TEST_F(NewFolder, that_cannot_be_filled_leaves_nothing_and_the_error_has_the_wanted_name) {
  for (const std::string name : {"plain", "slash/", "a/b/deep"}) {
    const Status written = write_new_folder(folder_ / name, [](const std::filesystem::path& part) -> Status {
      std::ofstream(part / "first.csv") << "id";
      return Error{Errc::io, "disk full", (part / "second.csv").string()};
    });
    ASSERT_FALSE(written) << name;
    const std::filesystem::path wanted = name == "slash/" ? folder_ / "slash" : folder_ / name;
    EXPECT_EQ(written.error().where, (wanted / "second.csv").string());
    EXPECT_EQ(names(), std::vector<std::string>{}) << name;
  }
}

} // namespace
} // namespace prof
