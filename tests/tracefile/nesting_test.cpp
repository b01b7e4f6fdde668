// Perfetto has no complete events: an END closes whatever is innermost on its track. These tests play the
// packets that we wrote the way Perfetto does (wire.hpp) and ask that every slice comes out with its own
// begin, end and name: then the slices of each track nest.
#include "trace_bytes.hpp"
#include "wire.hpp"

#include <random>

namespace prof {
namespace {

struct Put {
  std::int64_t ts, dur;
};
constexpr Put kFlush{-1, -1}; // what came so far is flushed

// {begin, end, name}, sorted.
using Spans = std::vector<std::tuple<std::int64_t, std::int64_t, std::string>>;

Spans sorted(Spans spans) {
  std::sort(spans.begin(), spans.end());
  return spans;
}

Spans spans_put(const std::vector<Put>& puts) {
  Spans out;
  for (std::size_t i = 0; i < puts.size(); ++i)
    if (puts[i].dur >= 0) out.emplace_back(puts[i].ts, puts[i].ts + puts[i].dur, fmt::format("s{}", i));
  return sorted(std::move(out));
}

std::string write_puts(const std::vector<Put>& puts) {
  return write_trace([&](TraceFileWriter& writer) {
    const auto track = add_thread_track(writer);
    for (std::size_t i = 0; i < puts.size(); ++i) {
      if (puts[i].dur < 0)
        EXPECT_TRUE(writer.flush().ok());
      else
        add_slice(writer, track, puts[i].ts, puts[i].dur, fmt::format("s{}", i));
    }
  });
}

Spans spans_played(const wire::Timeline& timeline) {
  Spans out;
  for (const wire::Slice& slice : timeline.slices)
    out.emplace_back(slice.begin, slice.end, slice.name);
  return sorted(std::move(out));
}

Spans spans_read(std::string_view bytes) {
  class Sink : public TextSink {
  public:
    Spans spans;
    std::map<std::uint32_t, std::string> names;
    StrId intern(std::string_view text) override {
      const StrId id = TextSink::intern(text);
      names[id.row] = text;
      return id;
    }
    void slice(const Slice& row) override {
      spans.emplace_back(row.ts.ns, row.ts.ns + row.dur.ns, names[row.name.row]);
    }
  };
  Sink sink;
  EXPECT_TRUE(read_bytes(bytes, sink).ok());
  return sorted(std::move(sink.spans));
}

// Two slices of one track overlap without one holding the other.
std::string first_crossing(const wire::Timeline& timeline) {
  for (const wire::Slice& a : timeline.slices)
    for (const wire::Slice& b : timeline.slices)
      if (a.track == b.track && a.begin < b.begin && b.begin < a.end && a.end < b.end)
        return a.name + " crosses " + b.name;
  return {};
}

struct Case {
  const char* name;
  std::vector<Put> puts;
  std::size_t tracks; // that it takes
};

class Nesting : public testing::TestWithParam<Case> {};

TEST_P(Nesting, every_slice_keeps_its_own_begin_and_end) {
  const std::string bytes = write_puts(GetParam().puts);
  const wire::Timeline timeline = wire::play(bytes);
  EXPECT_EQ(timeline.problems, std::vector<std::string>{});
  EXPECT_EQ(spans_played(timeline), spans_put(GetParam().puts));
  EXPECT_EQ(spans_read(bytes), spans_put(GetParam().puts));
  EXPECT_EQ(first_crossing(timeline), "");
  std::map<std::uint64_t, int> tracks;
  for (const wire::Slice& slice : timeline.slices)
    tracks[slice.track]++;
  EXPECT_EQ(tracks.size(), GetParam().tracks);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Nesting,
    testing::Values(
        Case{"in_order", {{0, 100}, {10, 20}, {12, 3}, {40, 60}}, 1},
        Case{"children_first", {{12, 3}, {10, 20}, {40, 60}, {0, 100}}, 1},
        Case{"side_by_side_without_a_space", {{0, 10}, {10, 10}, {20, 10}}, 1},
        Case{"equal_intervals_parent_first", {{0, 10}, {0, 10}, {0, 10}}, 1},
        Case{"a_parent_that_ends_after_its_children_were_flushed", {{10, 20}, {40, 60}, kFlush, {0, 100}}, 1},
        Case{"parents_late_twice", {{10, 5}, kFlush, {9, 10}, kFlush, {8, 20}, {100, 1}}, 1},
        Case{"a_late_parent_that_begins_with_its_child", {{10, 20}, kFlush, {10, 90}}, 2},
        Case{"a_late_parent_that_ends_with_its_child", {{10, 20}, kFlush, {5, 25}}, 1},
        Case{"a_late_equal", {{10, 20}, kFlush, {10, 20}}, 1},
        Case{"a_late_equal_beside_a_neighbour", {{12, 4}, {16, 6}, kFlush, {12, 4}}, 2},
        Case{"a_late_child", {{0, 100}, kFlush, {10, 20}}, 1}, Case{"two_that_cross", {{0, 50}, {25, 50}}, 2},
        Case{"three_that_cross", {{0, 50}, {25, 50}, {30, 50}, {90, 5}}, 3},
        Case{"a_late_one_that_crosses", {{10, 20}, kFlush, {0, 15}}, 2},
        Case{"a_late_one_that_crosses_two", {{0, 10}, {20, 10}, kFlush, {5, 20}}, 2},
        Case{"a_child_reaches_out_of_its_parent", {{0, 50}, {10, 60}, {20, 10}}, 2},
        Case{"instants_at_every_edge", {{0, 0}, {0, 100}, {50, 0}, {10, 20}, {30, 0}, {100, 0}, {100, 0}}, 1},
        Case{"late_instants", {{0, 100}, {200, 5}, kFlush, {50, 0}, {150, 0}, {0, 0}, {205, 0}}, 1},
        Case{"later_work_after_a_late_parent",
             {{10, 5}, kFlush, {0, 50}, {60, 5}, kFlush, {55, 20}, {80, 1}},
             1},
        Case{"time_zero", {{0, 1}, {0, 0}, {1, 1}}, 1}),
    [](const auto& of) { return std::string(of.param.name); });

// A fixed seed, so that a failure comes back; many shapes, so that no case above is the last one thought of.
TEST(NestingOfRandomSlices, keeps_every_slice_whatever_the_order_and_the_flushes) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
    std::vector<Put> puts;
    const std::uint32_t width = seed % 3 == 0 ? 20 : 2000; // narrow: many equal times
    for (int i = 0; i < 60; ++i) {
      puts.push_back({below(width) + i * below(8), below(4) == 0 ? 0 : below(width / 2)});
      if (below(10) == 0) puts.push_back(kFlush);
    }
    const std::string bytes = write_puts(puts);
    const wire::Timeline timeline = wire::play(bytes);
    ASSERT_EQ(timeline.problems, std::vector<std::string>{}) << "seed " << seed;
    ASSERT_EQ(spans_played(timeline), spans_put(puts)) << "seed " << seed;
    ASSERT_EQ(spans_read(bytes), spans_put(puts)) << "seed " << seed;
    ASSERT_EQ(first_crossing(timeline), "") << "seed " << seed;
  }
}

// What live capture gives: operators in order, their run after them, flushed anywhere in between.
TEST(NestingOfRandomSlices, keeps_a_call_tree_that_arrives_by_end_on_one_track) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::vector<Put> puts;
    std::int64_t now = 1000;
    for (int run = 0; run < 20; ++run) {
      const std::int64_t begin = now++;
      for (int op = 0; op < 5; ++op) {
        const auto dur = static_cast<std::int64_t>(1 + random() % 50);
        puts.push_back({now, dur});
        now += dur + static_cast<std::int64_t>(random() % 3);
        if (random() % 4 == 0) puts.push_back(kFlush);
      }
      puts.push_back({begin, now - begin});
      now += static_cast<std::int64_t>(random() % 100);
    }
    const std::string bytes = write_puts(puts);
    const wire::Timeline timeline = wire::play(bytes);
    ASSERT_EQ(timeline.problems, std::vector<std::string>{}) << "seed " << seed;
    ASSERT_EQ(spans_played(timeline), spans_put(puts)) << "seed " << seed;
    for (const wire::Slice& slice : timeline.slices)
      ASSERT_EQ(slice.track, timeline.slices.front().track) << "seed " << seed;
  }
}

// What is remembered of a lane has a limit: 16 384 slices, 256 levels. Late slices beyond it still come out
// right, on a further lane if need be.
TEST(NestingBeyondWhatIsRemembered, keeps_late_slices_among_very_many) {
  std::vector<Put> puts;
  for (std::int64_t i = 0; i < 20'000; ++i)
    puts.push_back({1000 + 10 * i, 8});
  puts.push_back(kFlush);
  for (const std::int64_t i : {3, 9'000, 17'000, 19'990}) {
    puts.push_back({1000 + 10 * i + 2, 3});   // inside one
    puts.push_back({1000 + 10 * i + 4, 10});  // across two
    puts.push_back({1000 + 10 * i - 1, 100}); // around some
  }
  puts.push_back({0, 500'000}); // around all
  const wire::Timeline timeline = wire::play(write_puts(puts));
  EXPECT_EQ(timeline.problems, std::vector<std::string>{});
  EXPECT_EQ(spans_played(timeline), spans_put(puts));
}

TEST(NestingBeyondWhatIsRemembered, keeps_late_slices_inside_very_deep_ones) {
  std::vector<Put> puts;
  for (std::int64_t i = 0; i < 300; ++i)
    puts.push_back({1000 + i, 10'000 - 2 * i});
  puts.push_back(kFlush);
  for (const std::int64_t i : {100, 254, 255, 256, 257, 290, 299, 400})
    puts.push_back({1001 + i, 50 + i % 3});
  const wire::Timeline timeline = wire::play(write_puts(puts));
  EXPECT_EQ(timeline.problems, std::vector<std::string>{});
  EXPECT_EQ(spans_played(timeline), spans_put(puts));
}

TEST(Lanes, beyond_256_on_one_track_are_dropped_and_counted) {
  const std::string bytes = write_trace([](TraceFileWriter& writer) {
    const auto track = add_thread_track(writer);
    for (int i = 0; i < 300; ++i)
      add_slice(writer, track, 1000 + i, 1000, "crosses all others");
  });
  TextSink sink;
  ASSERT_TRUE(read_bytes(bytes, sink).ok());
  EXPECT_EQ(sink.of("slice").size(), 256U);
  EXPECT_EQ(sink.of("note"), std::vector<std::string>{"note 2 note.tracefile.lanes x44 at "});
}

} // namespace
} // namespace prof
