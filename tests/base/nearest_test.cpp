#include "base/nearest.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace prof {
namespace {

TEST(Nearest, distances_are_the_textbook_ones) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2U);
}

TEST(Nearest, a_misspelt_word_finds_its_like_and_a_strange_one_finds_nothing) {
  const std::vector<std::string> known{"--target", "--scope", "--output"};
  EXPECT_EQ(nearest("--targt", known), "--target");
  EXPECT_EQ(nearest("zzz", known), "");
}

TEST(Nearest, a_name_without_a_letter_in_common_is_not_near) {
  const std::vector<std::string> known{"sh", "ps", "a*"};
  EXPECT_EQ(nearest("*", known), "a*");
  EXPECT_EQ(nearest("%", known), "");
  EXPECT_EQ(nearest("xy", known), "");
  EXPECT_EQ(nearest("", known), "");
}

TEST(Nearest, several_names_come_nearest_first_each_once) {
  const std::vector<std::string> known{"p50_latency", "p90_latency", "p95_latency", "max_latency", "rss"};
  EXPECT_EQ(nearest_names("p9_latency", known, 3), "p90_latency, p95_latency, p50_latency");
  EXPECT_EQ(nearest_names("p9_latency", known, 1), "p90_latency");
  EXPECT_EQ(nearest_names("zzzzzzz", known, 3), "");
}

TEST(Nearest, a_word_of_a_megabyte_is_compared_by_its_start) {
  const std::vector<std::string> known(1000, std::string(1 << 20, 'a'));
  EXPECT_EQ(nearest(std::string(1 << 20, 'a'), known), known[0]);
}

} // namespace
} // namespace prof
