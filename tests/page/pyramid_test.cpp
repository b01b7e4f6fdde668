// Levels of detail against buckets added up by hand.
#include "report/html/pyramid.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

TEST(Pyramid, the_overview_has_fewer_than_2048_buckets) {
  EXPECT_EQ(overview_level(1), 0);
  EXPECT_EQ(overview_level(2047), 0);
  EXPECT_EQ(overview_level(2048), 1);
  EXPECT_EQ(overview_level(12'000'000'000), 23); // 12e9 / 2^23 = 1430
}

TEST(Pyramid, very_many_rows_share_what_a_browser_can_hold) {
  EXPECT_EQ(overview_buckets(0), 2048);
  EXPECT_EQ(overview_buckets(2048), 2048); // 2^11 rows x 2^11 buckets = 2^22
  EXPECT_EQ(overview_buckets(2049), 1024);
  EXPECT_EQ(overview_buckets(100'000), 32);
  EXPECT_EQ(overview_buckets(10'000'000), 32);
  // The coarser overview replaces the finer levels of short rows, too.
  const auto levels = build_pyramid(std::vector<RowItem>{{0, 4096, 3, 0, 0}}, 4096, 32);
  ASSERT_EQ(levels.size(), 1U);
  EXPECT_EQ(levels[0].k, 8); // 4096 / 2^8 = 16; at 2^7 the 33rd bucket would be one too many
  EXPECT_EQ(levels[0].busy.size(), 17U);
}

TEST(Pyramid, buckets_hold_the_busy_share_and_the_longest_name) {
  // 4096 ns in buckets of 4: [0,4) all name 1; [4,8) half name 2; [8,12) 1 ns of name 3 and 2 ns of name 4.
  const std::vector<RowItem> items{{0, 4, 1, 0, 0}, {6, 2, 2, 1, 0}, {8, 1, 3, 2, 0}, {9, 2, 4, 3, 0}};
  const auto levels = build_pyramid(items, 4096);
  ASSERT_EQ(levels.size(), 1U);
  EXPECT_EQ(levels[0].k, 2);
  ASSERT_EQ(levels[0].busy.size(), 1025U);
  EXPECT_EQ(levels[0].busy[0], 255);
  EXPECT_EQ(levels[0].busy[1], 128); // ceil(127.5)
  EXPECT_EQ(levels[0].busy[2], 192); // ceil(191.25)
  EXPECT_EQ(levels[0].busy[3], 0);
  EXPECT_EQ(levels[0].name[0], 1);
  EXPECT_EQ(levels[0].name[1], 2);
  EXPECT_EQ(levels[0].name[2], 4);
  EXPECT_EQ(levels[0].name[3], kNoName);
}

TEST(Pyramid, an_item_over_several_buckets_fills_each_by_its_overlap) {
  const auto levels = build_pyramid(std::vector<RowItem>{{3, 6, 9, 0, 0}}, 4096);
  EXPECT_EQ(levels[0].busy[0], 64);  // 1 of 4
  EXPECT_EQ(levels[0].busy[1], 255); // 4 of 4
  EXPECT_EQ(levels[0].busy[2], 64);  // 1 of 4
}

TEST(Pyramid, coarser_levels_are_means_of_the_finer) {
  std::vector<RowItem> items;
  for (std::uint32_t i = 0; i < 16'384; ++i)
    items.push_back({2 * std::int64_t{i}, 1, i < 8 ? 7U : 1U, i, 0});
  const auto levels = build_pyramid(items, 32'768);
  ASSERT_EQ(levels.size(), 2U);
  EXPECT_EQ(levels[0].k, 4);
  EXPECT_EQ(levels[0].busy.size(), 2049U);
  EXPECT_EQ(levels[1].k, 5);
  EXPECT_EQ(levels[1].busy.size(), 1025U);
  for (std::size_t b = 0; b < 2048; ++b)
    ASSERT_EQ(levels[0].busy[b], 128) << b; // 8 of 16
  for (std::size_t b = 0; b < 1024; ++b)
    ASSERT_EQ(levels[1].busy[b], 128) << b;
  EXPECT_EQ(levels[0].busy[2048], 0);
  EXPECT_EQ(levels[0].name[0], 7); // eight items of name 7 fill the first bucket
}

TEST(Pyramid, an_instant_and_a_lone_short_slice_do_not_vanish) {
  const auto instant = build_pyramid(std::vector<RowItem>{{5, 0, 3, 0, 0}}, 100);
  EXPECT_EQ(instant[0].busy[5], 255);
  EXPECT_EQ(instant[0].name[5], 3);
  const auto lone = build_pyramid(std::vector<RowItem>{{0, 1, 3, 0, 0}}, std::int64_t{1} << 40);
  EXPECT_EQ(lone.back().k, 30);
  EXPECT_EQ(lone.back().busy[0], 1);
}

} // namespace
} // namespace prof
