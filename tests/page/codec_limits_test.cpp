// Packed rows at the limits: every width, ids that do not grow, and bytes that nobody packed.
#include "report/html/block_codec.hpp"

#include <gtest/gtest.h>
#include <random>

namespace prof {
namespace {

void comes_back(const std::vector<RowItem>& items) {
  EXPECT_EQ(unpack_row(pack_row(items), items.size()), items);
}

TEST(CodecLimits, a_duration_of_every_width_comes_back) {
  for (int width = 0; width < 53; ++width) { // what a browser's double holds
    const std::int64_t most = (std::int64_t{1} << width) - 1;
    SCOPED_TRACE(width);
    comes_back({{7, most, 1, 0, 0}, {7 + most + 1, 0, 0, 1, 0}, {7 + most + 1, most, 2, 2, 5}});
  }
}

TEST(CodecLimits, a_gap_of_every_width_comes_back) {
  for (int width = 0; width < 52; ++width) {
    const std::int64_t gap = (std::int64_t{1} << width) - 1;
    SCOPED_TRACE(width);
    comes_back({{0, 3, 0, 0, 0}, {3 + gap, 1, 0, 1, 0}, {3 + gap + 1, 1, 0, 2, 0}});
  }
}

TEST(CodecLimits, ids_that_fall_and_the_largest_ids_come_back) {
  comes_back({{0, 1, 0, 900, 0}, {1, 1, 0, 5, 0}, {2, 1, 0, 4'294'967'295U, 0}, {3, 1, 0, 0, 0}});
}

TEST(CodecLimits, the_largest_name_and_argument_come_back) {
  comes_back({{0, 1, 65'535, 0, 4'294'967'295U}, {1, 1, 0, 1, 4'294'967'294U}, {2, 1, 4'294'967'295U, 2, 0}});
}

TEST(CodecLimits, hundreds_of_instants_at_one_time_come_back) {
  std::vector<RowItem> items;
  for (std::uint32_t i = 0; i < 300; ++i)
    items.push_back({500, 0, i % 7, i, 0});
  comes_back(items);
}

TEST(CodecLimits, random_rows_of_every_length_around_a_block_come_back) {
  std::mt19937_64 random(3);
  for (const std::size_t n : {0U, 1U, 127U, 128U, 129U, 255U, 256U, 257U, 1000U}) {
    std::vector<RowItem> items;
    std::int64_t t = 0;
    for (std::size_t i = 0; i < n; ++i) {
      t += static_cast<std::int64_t>(random() >> (random() % 30 + 34));
      const auto dur = static_cast<std::int64_t>(random() >> (random() % 30 + 34));
      items.push_back({t, dur, static_cast<std::uint32_t>(random() % 70'000),
                       static_cast<std::uint32_t>(i * 3), static_cast<std::uint32_t>(random())});
      t += dur;
    }
    SCOPED_TRACE(n);
    comes_back(items);
  }
}

TEST(CodecLimits, bytes_that_nobody_packed_give_as_many_items_as_asked_and_no_more) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    std::string bytes(random() % 600, '\0');
    for (char& c : bytes)
      c = static_cast<char>(random());
    const std::size_t count = random() % 400;
    EXPECT_EQ(unpack_row(bytes, count).size(), count); // the sanitizers watch the rest
  }
}

TEST(CodecLimits, one_wrong_bit_never_reads_outside) {
  std::vector<RowItem> items;
  for (std::uint32_t i = 0; i < 200; ++i)
    items.push_back({i * 10, 7, i % 3, i, i});
  const std::string good = pack_row(items);
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(static_cast<unsigned char>(bad[bit / 8]) ^ (1U << (bit % 8)));
    EXPECT_EQ(unpack_row(bad, items.size()).size(), items.size());
  }
}

} // namespace
} // namespace prof
