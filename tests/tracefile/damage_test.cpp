// Damage in the middle of a file costs what stands in it and what depends on it until the writer's next
// start, and nothing is made up.
#include "trace_bytes.hpp"
#include "wire.hpp"

#include <array>
#include <random>
#include <set>

namespace prof {
namespace {

constexpr int kRounds = 20'000;
constexpr std::int64_t kRound_ns = 1000;

// A service at work: a run of two operators on one thread, its switches, a kernel, a counter, a CPU sample.
void work(TraceSink& sink, const std::function<void()>& flush) {
  const auto track = add_thread_track(sink);
  const auto process = sink.process({.pid = 42});
  const auto thread = sink.thread({.process = process, .tid = 43});
  const auto rss =
      sink.counter_track({.name = sink.intern("rss"), .unit = sink.intern("bytes"), .process = process});
  const auto device = sink.device({.name = sink.intern("NPU"), .kind = DeviceKind::npu});
  const auto stream = sink.stream({.device = device, .number = 3, .name = sink.intern("compute")});
  const auto exe = sink.mapping({.path = sink.intern("/usr/bin/svc"), .build_id = sink.intern("ab")});
  const std::vector<Id<Frame>> frames{
      sink.frame({.function = sink.intern("main"), .mapping = exe, .rel_pc = 1}),
      sink.frame({.function = sink.intern("serve"), .mapping = exe, .rel_pc = 2})};
  const std::array stacks{sink.callstack({frames}), sink.callstack({std::span(frames).first(1)})};
  const std::array ops{sink.intern("Conv"), sink.intern("MatMul"), sink.intern("Softmax")};
  const StrId op = sink.intern("op"), key = sink.intern("request_id"), clock = sink.intern("cpu-clock");
  for (int i = 0; i < kRounds; ++i) {
    const std::int64_t ts = 1'000'000 + i * kRound_ns;
    const auto n = static_cast<std::size_t>(i);
    const Arg request{key, std::int64_t{i / 10}};
    const std::uint64_t flow = n + 1;
    sink.slice({.track = track,
                .ts = {ts + 10},
                .dur = {300},
                .name = ops[n % 3],
                .category = op,
                .layer = Layer::framework,
                .args = {&request, 1},
                .flows_out = {&flow, 1}});
    sink.slice({.track = track,
                .ts = {ts + 310},
                .dur = {i % 500},
                .name = ops[(n + 1) % 3],
                .category = op,
                .layer = Layer::framework});
    add_slice(sink, track, ts, 900, "run");
    sink.kernel(
        {.stream = stream, .ts = {ts + 20}, .dur = {250 + i % 7}, .name = ops[n % 3], .flow_in = flow});
    sink.counter(rss, {ts + 5}, 4096.0 * i);
    sink.sched_switch({.ts = {ts + 1}, .next_tid = 43, .next_comm = sink.intern("worker")});
    sink.sched_wakeup({.ts = {ts + 2}, .tid = 44, .waker_tid = 43});
    sink.sched_switch({.ts = {ts + 950}, .prev_tid = 43, .next_tid = 0});
    if (i % 4 == 0)
      sink.sample({.ts = {ts + 100},
                   .thread = thread,
                   .cpu = 0,
                   .callstack = stacks[n / 4 % 2],
                   .event = clock,
                   .weight = 1'000'000 + i});
    if (i % 500 == 499) flush();
  }
}

std::string work_file(bool is_compressed) {
  return write_trace(
      [](TraceFileWriter& writer) { work(writer, [&] { static_cast<void>(writer.flush()); }); },
      {.compress = is_compressed, .group_bytes = 16 * 1024, .is_live = false});
}

// The events of a file, sorted; the notes apart.
struct Content {
  std::vector<std::string> events, notes;
};

Content content_of(std::string_view bytes) {
  TextSink sink;
  const Status read = read_bytes(bytes, sink, 100'000);
  EXPECT_TRUE(read.ok());
  Content out;
  for (std::string& line : sink.lines)
    (line.starts_with("note ") ? out.notes : out.events).push_back(std::move(line));
  std::sort(out.events.begin(), out.events.end());
  return out;
}

// How often the writer gave a sequence its clock: of the sequence that has it most.
std::int64_t anchors(std::string_view trace) {
  std::map<std::uint64_t, std::int64_t> count;
  for (const auto& packet : wire::packets(trace))
    if (wire::bytes(packet, 6)) count[wire::number(packet, 10).value_or(0)]++;
  count.erase(1); // the clocks of the machine
  std::int64_t most = 0;
  for (const auto& [sequence, n] : count)
    most = std::max(most, n);
  return most;
}

std::string noise(std::size_t size) {
  std::mt19937 random(7);
  std::string out(size, '\0');
  for (char& c : out)
    c = static_cast<char>(random());
  return out;
}

class Damage : public testing::TestWithParam<bool> { // is the file compressed?
protected:
  Damage() : whole(work_file(GetParam())), content(content_of(whole)), spans(anchors(whole)) {}
  // Overwrites the file at `at` and checks the claims of this file. Returns the number of events lost.
  std::int64_t lost_by(std::size_t at, const std::string& bytes) {
    std::string damaged = whole;
    damaged.replace(at, bytes.size(), bytes);
    const Content left = content_of(damaged);
    std::vector<std::string> invented;
    std::set_difference(left.events.begin(), left.events.end(), content.events.begin(), content.events.end(),
                        std::back_inserter(invented));
    // Slices that were open at the damage end early: a run and an operator, at most.
    EXPECT_LE(invented.size(), 2U) << join_lines(invented);
    for (const std::string& line : invented)
      EXPECT_TRUE(line.starts_with("slice ")) << line;
    EXPECT_NE(join_lines(left.notes).find("note 2 note.tracefile.skipped"), std::string::npos);
    return std::ssize(content.events) - std::ssize(left.events) + std::ssize(invented);
  }
  const std::string whole;
  const Content content;
  const std::int64_t spans;
};

TEST_P(Damage, of_a_file_that_has_none_is_not_reported) {
  EXPECT_EQ(content.notes, std::vector<std::string>{});
  TextSink put;
  work(put, [] {});
  std::sort(put.lines.begin(), put.lines.end());
  EXPECT_TRUE(content.events == put.lines); // through all anchors and starts; too many lines to print
  EXPECT_EQ(content.events.size(), static_cast<std::size_t>(kRounds) * 8U + kRounds / 4U);
  EXPECT_GE(spans, 20);
}

TEST_P(Damage, by_4_kib_of_noise_or_zeros_loses_a_bounded_part) {
  for (const std::size_t third : {1U, 2U})
    for (const std::string& bytes : {noise(4096), std::string(4096, '\0')}) {
      const std::int64_t lost = lost_by(whole.size() * third / 3, bytes);
      EXPECT_GT(lost, 0);
      EXPECT_LE(lost * spans, 4 * std::ssize(content.events)) << "of " << spans << " spans";
    }
}

INSTANTIATE_TEST_SUITE_P(Files, Damage, testing::Bool(),
                         [](const auto& of) { return of.param ? "compressed" : "plain"; });

class CompressedDamage : public Damage {};

TEST_P(CompressedDamage, by_one_byte_is_noticed_and_bounded) {
  for (const std::size_t at : {whole.size() / 2, whole.size() / 2 + 1000, whole.size() / 2 + 5000}) {
    const std::int64_t lost = lost_by(at, std::string(1, static_cast<char>(whole[at] ^ 0x10)));
    EXPECT_LE(lost * spans, 4 * std::ssize(content.events));
  }
}

TEST_P(CompressedDamage, of_a_groups_length_loses_a_bounded_part) {
  // Where the frames stand: each is 0x0a, a length, a packet.
  std::vector<std::size_t> frames;
  for (std::string_view left = whole; !left.empty();) {
    frames.push_back(whole.size() - left.size());
    left.remove_prefix(1);
    left.remove_prefix(wire::read_varint(left));
  }
  const std::size_t at = frames[frames.size() / 2];
  for (const std::string head : {"\x0a\x01", "\x0a\x7f", "\x0a\xff", "\x12", "\x0b", "\xff"})
    EXPECT_LE(lost_by(at, head) * spans, 4 * std::ssize(content.events)) << testing::PrintToString(head);
}

TEST_P(CompressedDamage, at_the_end_costs_nothing_that_was_written) {
  const Content left = content_of(whole + std::string(4096, '\0')); // as a disk leaves it after a power cut
  EXPECT_EQ(left.events.size(), content.events.size());
  EXPECT_EQ(left.notes, (std::vector<std::string>{
                            fmt::format("note 2 note.tracefile.damaged x1 at offset {}", whole.size()),
                            fmt::format("note 2 note.tracefile.skipped x4096 at offset {}", whole.size())}));
}

INSTANTIATE_TEST_SUITE_P(Files, CompressedDamage, testing::Values(true),
                         [](const auto&) { return "compressed"; });

// What is said again, counted from the packets: clocks after the first of a sequence, interned entries and
// descriptors that stood in the file before.
TEST(Restarts, cost_about_a_hundredth_of_the_bytes_at_most) {
  const std::string trace = work_file(false);
  std::set<std::tuple<std::uint64_t, std::uint32_t, std::string>> seen;
  std::size_t repeated = 0, starts = 0;
  for (const auto& packet : wire::packets(trace)) {
    const std::uint64_t sequence = wire::number(packet, 10).value_or(0);
    starts += (wire::number(packet, 13).value_or(0) & 1U) != 0 ? 1 : 0;
    const auto say = [&](std::uint32_t field, const std::string& bytes, std::size_t size) {
      if (!seen.emplace(sequence, field, bytes).second) repeated += size;
    };
    for (const wire::Field& field : packet) {
      if (field.number == 12)
        for (const wire::Field& entry : wire::decode(field.bytes))
          say(entry.number, entry.bytes, entry.bytes.size() + 3);
      if (field.number == 6 || field.number == 59) say(field.number, "", field.bytes.size() + 8);
      if (field.number == 60 || field.number == 126 || field.number == 128)
        say(field.number, field.bytes, field.bytes.size() + 8);
    }
  }
  EXPECT_GT(repeated, 0U);
  EXPECT_GE(starts, 3 * 6U); // the six sequences began again at least twice
  EXPECT_LT(repeated * 90, trace.size());
}

TEST(Restarts, keep_perfettos_rules) {
  const std::string trace = work_file(true);
  EXPECT_EQ(wire::play(trace).problems, std::vector<std::string>{});
  std::map<std::uint64_t, std::uint64_t> bases;
  std::set<std::uint64_t> first;
  for (const auto& packet : wire::packets(trace)) {
    const std::uint64_t sequence = wire::number(packet, 10).value_or(0);
    const bool is_first = wire::number(packet, 87).has_value();
    EXPECT_TRUE(!is_first || first.insert(sequence).second) << "two first packets";
    const auto snapshot = wire::bytes(packet, 6);
    if (!snapshot || sequence == 1) continue;
    for (const wire::Field& entry : wire::decode(*snapshot)) {
      const std::uint64_t value = wire::number(wire::decode(entry.bytes), 2).value_or(0);
      EXPECT_GE(value, bases[sequence]) << "a clock of a sequence went back";
      bases[sequence] = value;
    }
  }
  EXPECT_EQ(first.size(), bases.size());
}

// Ids of names keep their meaning, so what was read before the damage serves after it; what stood in it is
// missing, and said to be, until the writer starts its tables afresh.
TEST(LostNames, are_empty_and_noted_until_the_next_start) {
  const std::string trace = write_trace([](TraceFileWriter& writer) {
    const auto track = add_thread_track(writer);
    std::int64_t ts = 1000;
    const auto fill = [&](int count) {
      for (int i = 0; i < count; ++i)
        add_slice(writer, track, ts += 10, 5, "known");
      ASSERT_TRUE(writer.flush().ok());
    };
    const auto probe = [&](std::int64_t at) {
      add_slice(writer, track, at, 5, "known");
      add_slice(writer, track, at + 10, 5, "lost");
      ts = at + 20;
    };
    add_slice(writer, track, 900, 5, std::string(4'000, 'x')); // dear to repeat: starts are 800 KB apart
    fill(1);
    add_slice(writer, track, 1020, 5, "lost");
    fill(1);
    fill(20'000); // enough for an anchor
    probe(5'000'000);
    fill(40'000); // enough for a start
    probe(9'000'000);
  });
  std::string_view left = trace;
  for (int frame = 0; frame < 4; ++frame) { // two of the head, the first flush, its synchronisation marker
    left.remove_prefix(1);
    left.remove_prefix(wire::read_varint(left));
  }
  const std::size_t at = trace.size() - left.size(); // the second flush
  std::string damaged = trace;
  damaged[at + 12] = static_cast<char>(damaged[at + 12] ^ 1);
  const Content content = content_of(damaged);
  const std::string events = join_lines(content.events);
  EXPECT_NE(events.find(" 1010+5 known"), std::string::npos);
  EXPECT_EQ(events.find(" 1020+5"), std::string::npos);
  EXPECT_NE(events.find(" 5000000+5 known"), std::string::npos);
  EXPECT_NE(events.find(" 5000010+5  cat="), std::string::npos);
  EXPECT_NE(events.find(" 9000000+5 known"), std::string::npos);
  EXPECT_NE(events.find(" 9000010+5 lost"), std::string::npos);
  EXPECT_NE(join_lines(content.notes).find("note 2 note.tracefile.lost_names x1"), std::string::npos)
      << join_lines(content.notes);
}

// --- small files, where each byte is known

std::string packet(const std::string& fields) {
  return wire::len(1, fields);
}
std::string instant(std::uint64_t ts, std::string_view name) {
  using namespace wire;
  return packet(num(8, ts) + len(11, num(9, 3) + num(11, 5) + len(23, name)) + num(10, 2));
}

TEST(Skipping, goes_on_at_the_next_packet_and_counts_the_bytes) {
  const std::string before = instant(10, "before"), hit = instant(20, "hit"), after = instant(30, "after");
  const std::string all = before + hit + after;
  for (const std::string& bytes : {std::string(hit.size(), '\0'), std::string(hit.size(), '\xff'),
                                   std::string(hit.size(), '\x0a'), noise(hit.size())}) {
    TextSink sink;
    ASSERT_TRUE(read_bytes(before + bytes + after, sink).ok());
    const std::vector<std::string> slices = sink.of("slice");
    ASSERT_EQ(slices.size(), 2U);
    EXPECT_NE(slices[0].find("before"), std::string::npos);
    EXPECT_NE(slices[1].find("after"), std::string::npos);
    EXPECT_EQ(sink.of("note"),
              (std::vector<std::string>{
                  fmt::format("note 2 note.tracefile.damaged x1 at offset {}", before.size()),
                  fmt::format("note 2 note.tracefile.skipped x{} at offset {}", hit.size(), before.size())}));
  }
}

TEST(Skipping, a_length_that_reaches_over_the_next_packets_is_noticed) {
  std::string hit = instant(20, "hit");
  const std::string before = instant(10, "before"), after = instant(30, "after") + instant(40, "last");
  hit[1] = static_cast<char>(hit[1] + 5);
  TextSink sink;
  ASSERT_TRUE(read_bytes(before + hit + after, sink).ok());
  EXPECT_EQ(sink.of("slice").size(), 3U);
}

TEST(Skipping, works_across_the_borders_of_chunks) {
  const std::string trace = instant(10, "before") + std::string(50, '\x0a') + instant(30, "after");
  for (std::size_t chunk = 1; chunk < trace.size(); ++chunk) {
    TextSink sink;
    ASSERT_TRUE(read_bytes(trace, sink, chunk).ok());
    EXPECT_EQ(sink.of("slice").size(), 2U) << chunk;
  }
}

// Made to be slow to search: every byte might begin a packet.
TEST(Skipping, of_hostile_bytes_takes_linear_time) {
  std::string hostile;
  while (hostile.size() < 4'000'000)
    hostile += std::string("\x0a\xff\xff\x3f\x0a\x00", 6); // a frame of a mebibyte full of empty fields
  // Packets of four bytes, each with a frame of a mebibyte behind it whose 116 000 fields have to be walked
  // to see that the last one does not fit; they are hidden in the fields of one another.
  std::string hidden;
  while (hidden.size() < 4'000'000)
    hidden += std::string("\x59\x0a\x02\x50\x01\x0a\xff\xff\x3f", 9);
  // A new sequence behind every damaged byte: each loss may be of any of them.
  std::string sequences;
  for (std::uint64_t i = 0; i < 100'000; ++i)
    sequences += "\xff" + packet(wire::num(10, 2 + i) + wire::num(13, 1));
  for (const std::string& bytes : {hostile, hidden, sequences}) {
    TextSink sink;
    ASSERT_TRUE(read_bytes(instant(1, "a") + "\xff" + bytes + instant(2, "b"), sink).ok());
    EXPECT_GE(sink.of("slice").size(), 1U);
  }
}

} // namespace
} // namespace prof
