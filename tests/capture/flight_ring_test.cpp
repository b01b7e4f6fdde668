// The ring of encoded packets: what it keeps, by time and by bytes.
#include "capture/packet_ring.hpp"

#include <gtest/gtest.h>
#include <string>

namespace prof {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::string drained(PacketRing& ring) {
  std::string all;
  ring.drain([&](std::string_view bytes) {
    all += bytes;
    return true;
  });
  return all;
}

// A segment a second, named by its second, of `size` bytes.
void fill(PacketRing& ring, int from, int to, std::size_t size) {
  for (int i = from; i < to; ++i) {
    ring.begin_segment({i * kSecond});
    ring.add(std::string(size, static_cast<char>('a' + i % 26)));
    ring.set_events(i);
    ring.trim({i * kSecond + kSecond / 2});
  }
}

TEST(PacketRing, keeps_the_span_and_at_most_one_segment_more) {
  PacketRing ring({3 * kSecond}, 1 << 20);
  fill(ring, 0, 10, 1);
  // At 9.5 s: 6.5 s is inside the segment of second 6.
  EXPECT_EQ(ring.oldest().ns, 6 * kSecond);
  EXPECT_EQ(ring.segments(), 4U);
  ring.trim({10 * kSecond - 1});
  EXPECT_EQ(ring.oldest().ns, 6 * kSecond);
  ring.trim({10 * kSecond}); // exactly 3 s from the beginning of second 7
  EXPECT_EQ(ring.oldest().ns, 7 * kSecond);
  EXPECT_EQ(ring.events(), 7 + 8 + 9);
  EXPECT_FALSE(ring.is_cut());
  EXPECT_EQ(drained(ring), "hij");
  EXPECT_EQ(ring.bytes(), 0);
  EXPECT_EQ(ring.segments(), 0U);
}

TEST(PacketRing, over_its_bytes_the_oldest_goes_and_it_says_so) {
  PacketRing ring({30 * kSecond}, 1000);
  fill(ring, 0, 9, 300);
  EXPECT_EQ(ring.bytes(), 900);
  EXPECT_EQ(ring.oldest().ns, 6 * kSecond);
  EXPECT_TRUE(ring.is_cut());
}

TEST(PacketRing, it_is_cut_for_as_long_as_what_is_missing_would_still_be_wanted) {
  PacketRing ring({5 * kSecond}, 1000);
  fill(ring, 0, 4, 300); // second 0 goes at 3.5 s
  EXPECT_TRUE(ring.is_cut());
  fill(ring, 4, 6, 10); // at 5.5 s the last five begin at 0.5 s
  EXPECT_TRUE(ring.is_cut());
  ring.trim({6 * kSecond}); // second 0 would be gone by now anyway
  EXPECT_FALSE(ring.is_cut());
  EXPECT_EQ(ring.oldest().ns, 1 * kSecond);
}

TEST(PacketRing, the_newest_segment_stays_even_when_it_alone_is_too_large) {
  PacketRing ring({kSecond}, 100);
  ring.begin_segment({0});
  ring.add(std::string(500, 'x'));
  ring.trim({100 * kSecond});
  EXPECT_EQ(ring.bytes(), 500);
  ring.begin_segment({100 * kSecond});
  ring.add("y");
  ring.trim({100 * kSecond});
  EXPECT_EQ(drained(ring), "y");
}

TEST(PacketRing, bytes_stay_within_the_limit_and_a_segment_over_a_long_run) {
  PacketRing ring({30 * kSecond}, 10'000);
  for (int i = 0; i < 36'000; ++i) { // ten hours of seconds
    ring.begin_segment({i * kSecond});
    for (int k = 0; k < 7; ++k)
      ring.add(std::string(static_cast<std::size_t>(i * 31 % 90), 'x'));
    ring.trim({i * kSecond});
    ASSERT_LE(ring.bytes(), 10'000);
    ASSERT_LE(ring.segments(), 32U);
  }
}

TEST(PacketRing, bytes_before_the_first_segment_are_kept_and_a_taker_may_stop) {
  PacketRing ring({kSecond}, 100);
  ring.add("abc");
  ring.add("def");
  int calls = 0;
  EXPECT_FALSE(ring.drain([&](std::string_view) { return ++calls, false; }));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(ring.bytes(), 0);
}

} // namespace
} // namespace prof
