// Names, times and cuts that nobody wishes for.
#include "trace_bytes.hpp"
#include "wire.hpp"

namespace prof {
namespace {

// --- names

std::vector<std::string> hostile_names() {
  using namespace std::string_literals;
  return {"two\nlines\r\n"s,
          "nul\0in the middle"s,
          "\0"s,
          std::string(10'000, 'x'),
          "\xff\xfe\xc0\x80\xed\xa0\x80 is no UTF-8"s,
          "\"><script>alert(1)</script>"s,
          "'; drop table slice; --"s,
          "\x1b[31mred"s,
          "cann.layer"s,
          "lane of 3"s,
          "other"s,
          "device kind=gpu index=9"s,
          "stream number=5 name=x"s,
          "a.b.c"s,
          " "s,
          "数据预处理"s};
}

// The name stands wherever a row has a text.
void rows_named(TraceSink& sink, const std::string& name) {
  const StrId id = sink.intern(name);
  const auto process = sink.process({.pid = 1, .name = id, .cmdline = id});
  const auto thread = sink.thread({.process = process, .tid = 2, .name = id});
  const auto device = sink.device({.name = id, .kind = DeviceKind::npu, .index = 1});
  const auto stream = sink.stream({.device = device, .number = 4, .name = id});
  const std::vector<Arg> args{{id, id}, {id, std::int64_t{1}}, {sink.intern("plain"), id}};
  for (const Track& row : {Track{.name = id, .kind = TrackKind::thread, .thread = thread},
                           Track{.name = id, .kind = TrackKind::async, .process = process},
                           Track{.name = id, .kind = TrackKind::other},
                           Track{.name = id, .kind = TrackKind::stream, .stream = stream}}) {
    const auto track = sink.track(row);
    sink.slice({.track = track, .ts = {1000}, .dur = {50}, .name = id, .category = id, .args = args});
    sink.slice({.track = track, .ts = {1010}, .dur = {90}, .name = id, .category = id, .layer = Layer::os});
  }
  sink.kernel({.stream = stream, .ts = {1000}, .dur = {5}, .name = id, .op_type = id, .args = args});
  sink.counter(sink.counter_track({.name = id, .unit = id, .process = process}), {1000}, 1.5);
  const auto mapping = sink.mapping({.path = id, .build_id = sink.intern("ff")});
  const std::vector<Id<Frame>> stack{
      sink.frame({.function = id, .mapping = mapping, .rel_pc = 16, .source_file = id, .line = 3})};
  sink.sample({.ts = {1000}, .thread = thread, .cpu = 0, .callstack = sink.callstack({stack}), .event = id});
  sink.symbol(mapping, 16, 0, id, id, 7);
  sink.sched_switch({.ts = {1000}, .next_tid = 2, .next_comm = id});
  sink.signal({.name = id, .source = id, .reason = id, .mend = id, .detail = id});
  sink.note({.code = id, .where = id});
  sink.gap({.ts = {1}, .dur = {2}, .reason = id});
  sink.metadata("key", name);
  sink.metadata("x " + name, "value");
}

TEST(HostileNames, come_back_byte_for_byte_wherever_a_row_has_a_text) {
  for (const std::string& name : hostile_names()) {
    const Rows rows = [&](TraceSink& sink) { rows_named(sink, name); };
    EXPECT_EQ(join_lines(rows_in(write_trace(rows))), join_lines(rows_of(rows)))
        << testing::PrintToString(name);
  }
}

TEST(HostileNames, a_text_larger_than_a_group_comes_back_and_stays_within_perfettos_limits) {
  const Rows rows = [](TraceSink& sink) {
    const auto track = add_thread_track(sink);
    add_slice(sink, track, 1000, 10, "before");
    add_slice(sink, track, 2000, 10, std::string(3 << 20, 'y'));
    add_slice(sink, track, 3000, 10, "after");
  };
  const std::string bytes = write_trace(rows);
  EXPECT_EQ(join_lines(rows_in(bytes)), join_lines(rows_of(rows)));
  EXPECT_EQ(wire::play(bytes).problems, std::vector<std::string>{}); // no group over 512 KiB
}

// --- times

constexpr std::int64_t kMax = std::int64_t{1} << 61; // 73 years, docs/tracefile.md

void rows_at(TraceSink& sink, std::int64_t ts) {
  const auto track = add_thread_track(sink);
  add_slice(sink, track, ts, 0, "instant");
  add_slice(sink, track, ts, 10, "slice");
  sink.counter(sink.counter_track({.name = sink.intern("c")}), {ts}, 1);
  const auto device = sink.device({.kind = DeviceKind::gpu, .index = 0});
  sink.kernel({.stream = sink.stream({.device = device, .number = 1}),
               .ts = {ts},
               .dur = {3},
               .name = sink.intern("k")});
  sink.sample({.ts = {ts}, .cpu = 0, .event = sink.intern("cpu-clock")});
  sink.sched_switch({.ts = {ts}, .next_tid = 2});
  sink.sched_wakeup({.ts = {ts}, .tid = 2});
}

TEST(Times, at_the_edges_come_back_exactly) {
  for (const std::int64_t ts : {std::int64_t{0}, std::int64_t{1}, kMax - 10, std::int64_t{-1}, -kMax}) {
    const Rows rows = [&](TraceSink& sink) { rows_at(sink, ts); };
    EXPECT_EQ(join_lines(rows_in(write_trace(rows))), join_lines(rows_of(rows))) << ts;
  }
}

TEST(Times, that_jump_back_and_forth_come_back_exactly) {
  const Rows rows = [](TraceSink& sink) {
    for (const std::int64_t ts : {std::int64_t{500}, std::int64_t{0}, kMax / 2, std::int64_t{7}, -kMax / 2})
      rows_at(sink, ts);
  };
  EXPECT_EQ(join_lines(rows_in(write_trace(rows))), join_lines(rows_of(rows)));
}

TEST(Times, beyond_the_edges_are_left_out_and_counted) {
  constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  const std::string bytes = write_trace([&](TraceFileWriter& writer) {
    for (const std::int64_t ts : {kFirst, -kMax - 1, kMax + 1, kLast})
      rows_at(writer, ts);
    rows_at(writer, 1000);
    const auto track = add_thread_track(writer);
    add_slice(writer, track, 2000, kLast, "ends never");
    add_slice(writer, track, 3000, -5, "ends before it begins");
  });
  TextSink sink;
  ASSERT_TRUE(read_bytes(bytes, sink).ok());
  EXPECT_EQ(sink.lines.size(), 7U + 1U + 1U);
  EXPECT_EQ(sink.of("note"), std::vector<std::string>{"note 2 note.tracefile.time x29 at "}); // 4 * 7 + 1
  EXPECT_EQ(sink.of("counter").size(), 1U);
  const std::vector<std::string> slices = sink.of("slice");
  ASSERT_EQ(slices.size(), 3U);
  EXPECT_NE(slices.back().find("3000+0 ends before it begins"), std::string::npos);
}

// --- cuts

void one_of_each(TraceSink& sink) {
  const auto track = add_thread_track(sink);
  const std::vector<Arg> args{{sink.intern("request_id"), std::int64_t{7}}};
  for (int i = 0; i < 4; ++i)
    sink.slice({.track = track, .ts = {1000 + 10 * i}, .dur = {9}, .name = sink.intern("op"), .args = args});
  add_slice(sink, track, 990, 100, "run");
  sink.counter(sink.counter_track({.name = sink.intern("rss")}), {1000}, 4096);
  const auto device = sink.device({.name = sink.intern("GPU"), .kind = DeviceKind::gpu});
  const auto stream = sink.stream({.device = device, .number = 1});
  sink.kernel({.stream = stream, .ts = {1005}, .dur = {3}, .name = sink.intern("gemm")});
  const auto exe = sink.mapping({.path = sink.intern("/usr/bin/svc"), .build_id = sink.intern("ab")});
  const std::vector<Id<Frame>> stack{
      sink.frame({.function = sink.intern("main"), .mapping = exe, .rel_pc = 1})};
  sink.sample(
      {.ts = {1001}, .cpu = 0, .callstack = sink.callstack({stack}), .event = sink.intern("cpu-clock")});
  sink.sched_switch({.ts = {1002}, .next_tid = 43, .next_comm = sink.intern("worker")});
  sink.metadata("service", "svc");
}

TEST(Cuts, at_every_byte_leave_exactly_the_rows_before_them) {
  const std::string whole = write_trace(one_of_each, {.compress = false, .is_live = false});
  TextSink all;
  ASSERT_TRUE(read_bytes(whole, all).ok());
  std::size_t most = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    TextSink sink;
    const Status read = read_bytes(std::string_view(whole).substr(0, size), sink);
    if (!read.ok()) {
      EXPECT_EQ(read.error().code, Errc::malformed);
      EXPECT_EQ(most, 0U) << "what was readable before byte " << size << " is refused";
      continue;
    }
    const auto [mine, theirs] =
        std::mismatch(sink.lines.begin(), sink.lines.end(), all.lines.begin(), all.lines.end());
    // Behind the common part stand slices that the cut left open, and the notes of the reader.
    for (auto line = mine; line != sink.lines.end(); ++line)
      EXPECT_TRUE(line->starts_with("slice ") || line->starts_with("note ")) << *line << " at byte " << size;
    const auto kept = static_cast<std::size_t>(mine - sink.lines.begin());
    EXPECT_GE(kept, most) << "a longer file gave fewer rows at byte " << size;
    most = kept;
  }
  EXPECT_EQ(most, all.lines.size());
}

TEST(Cuts, of_a_compressed_file_leave_whole_groups_and_say_so) {
  const std::string whole = write_trace(one_of_each);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    TextSink sink;
    if (!read_bytes(std::string_view(whole).substr(0, size), sink).ok()) continue;
    for (const std::string& line : sink.of("note"))
      EXPECT_TRUE(line.starts_with("note 2 note.tracefile.cut x1 at offset ")) << line;
  }
}

TEST(Cuts, that_end_a_slice_early_are_told_from_whole_slices) {
  using namespace wire;
  const std::string begin = num(9, 1) + num(11, 5) + len(23, "cut short"), instant = num(9, 3) + num(11, 5);
  std::string trace = len(1, num(8, 1000) + len(11, begin) + num(10, 2));
  trace += len(1, num(8, 1700) + len(11, instant) + num(10, 2));
  TextSink sink;
  ASSERT_TRUE(read_bytes(trace, sink).ok());
  EXPECT_NE(join_lines(sink.of("slice")).find("1000+700 cut short"), std::string::npos);
  EXPECT_EQ(sink.of("note"), std::vector<std::string>{"note 1 note.tracefile.unfinished x1 at 1700"});
}

TEST(Input, that_is_no_trace_is_refused) {
  using namespace std::string_literals;
  for (const std::string& bytes : {""s, "\n"s, "this is no trace at all"s, "{\"traceEvents\":[]}"s,
                                   std::string(4096, '\0'), std::string(4096, '\xff'), "\x0a\xff"s}) {
    TextSink sink;
    const Status read = read_bytes(bytes, sink);
    ASSERT_FALSE(read.ok()) << testing::PrintToString(bytes.substr(0, 20));
    EXPECT_EQ(read.error().code, Errc::malformed);
    EXPECT_EQ(sink.lines, std::vector<std::string>{});
  }
}

TEST(Input, that_fails_in_the_middle_hands_the_error_on) {
  TextSink sink;
  const Status read = read_tracefile(
      []() -> Result<std::string_view> { return Error{Errc::io, "cannot read", "disk"}; }, sink);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, Errc::io);
}

} // namespace
} // namespace prof
