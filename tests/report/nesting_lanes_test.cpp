// Spans that only partly overlap get lanes of their own.
#include "report/nesting_lanes.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace prof {
namespace {

std::vector<std::size_t> lanes(const std::vector<std::pair<std::int64_t, std::int64_t>>& spans) {
  NestingLanes of;
  std::vector<std::size_t> out;
  for (const auto& [begin, end] : spans)
    out.push_back(of.lane_of(begin, end));
  return out;
}

TEST(NestingLanes, hold_what_nests_or_follows_on_the_first) {
  EXPECT_EQ(lanes({{0, 10}, {0, 4}, {4, 10}, {4, 4}, {10, 12}, {12, 12}}),
            (std::vector<std::size_t>{0, 0, 0, 0, 0, 0}));
}

TEST(NestingLanes, open_another_for_what_begins_inside_and_ends_behind) {
  EXPECT_EQ(lanes({{0, 10}, {5, 15}, {6, 20}, {7, 9}, {15, 18}, {20, 21}}),
            (std::vector<std::size_t>{0, 1, 2, 0, 0, 0}));
}

TEST(NestingLanes, end_somewhere_however_many_overlap) {
  NestingLanes of;
  std::size_t last = 0;
  for (std::int64_t i = 0; i < 100'000; ++i)
    last = of.lane_of(i, i + 1'000'000);
  EXPECT_EQ(last, NestingLanes::kMostLanes - 1);
}

} // namespace
} // namespace prof
