// Every kind of row goes through a file and comes back the same: the lines that a TextSink keeps of the rows
// that were put in are the lines that it keeps of the rows that were read.
#include "trace/forward_sink.hpp"
#include "trace_bytes.hpp"

#include <array>
#include <cmath>

namespace prof {
namespace {

struct Case {
  const char* name;
  Rows rows;
};

void slices_with_args(TraceSink& sink) {
  const auto track = add_thread_track(sink);
  const StrId key = sink.intern("request_id");
  const std::vector<Arg> args{{sink.intern("zero"), std::int64_t{0}},
                              {sink.intern("smallest"), std::numeric_limits<std::int64_t>::min()},
                              {sink.intern("largest"), std::numeric_limits<std::int64_t>::max()},
                              {sink.intern("third"), 1.0 / 3.0},
                              {sink.intern("minus zero"), -0.0},
                              {sink.intern("tiny"), std::numeric_limits<double>::denorm_min()},
                              {sink.intern("infinite"), std::numeric_limits<double>::infinity()},
                              {sink.intern("yes"), true},
                              {sink.intern("no"), false},
                              {sink.intern("text"), sink.intern("Conv \"3x3\"")},
                              {sink.intern("empty text"), StrId{}},
                              {key, std::int64_t{7}}, // a batch lists its requests under one key
                              {key, std::int64_t{8}},
                              {key, sink.intern("nine")}};
  sink.slice({.track = track, .ts = {1000}, .dur = {50}, .name = sink.intern("run"), .args = args});
  sink.slice({.track = track, .ts = {1050}, .dur = {0}, .name = sink.intern("mark"), .args = args});
}

void slices_of_every_layer(TraceSink& sink) {
  const auto track = add_thread_track(sink);
  for (int layer = 0; layer < 6; ++layer) {
    // The first slice of a category sets the layer of the category; "mixed" holds all of them.
    sink.slice({.track = track,
                .ts = {1000 + layer * 10},
                .dur = {5},
                .name = sink.intern("own"),
                .category = sink.intern(fmt::format("category {}", layer)),
                .layer = static_cast<Layer>(layer)});
    sink.slice({.track = track,
                .ts = {2000 + layer * 10},
                .dur = {5},
                .name = sink.intern("mixed"),
                .category = sink.intern("mixed"),
                .layer = static_cast<Layer>(layer)});
  }
}

void flows_between_slices(TraceSink& sink) {
  const auto a = add_thread_track(sink, 42, 43), b = add_thread_track(sink, 42, 44);
  const std::array<std::uint64_t, 3> out{1, 0xffffffffffffffffU, 77};
  const std::array<std::uint64_t, 2> in{77, 1};
  sink.slice({.track = a, .ts = {1000}, .dur = {10}, .name = sink.intern("from"), .flows_out = out});
  sink.slice({.track = b, .ts = {1005}, .dur = {10}, .name = sink.intern("to"), .flows_in = in});
  sink.slice({.track = b,
              .ts = {1020},
              .dur = {10},
              .name = sink.intern("step"),
              .flows_out = std::span(out).first(1),
              .flows_in = std::span(out).last(1)});
}

void counters_of_every_owner(TraceSink& sink) {
  const auto process = sink.process({.pid = 42, .name = sink.intern("svc")});
  const auto thread = sink.thread({.process = process, .tid = 43});
  const auto device = sink.device({.name = sink.intern("A"), .kind = DeviceKind::npu, .index = 3});
  const std::array tracks{
      sink.counter_track({.name = sink.intern("util"), .unit = sink.intern("percent")}),
      sink.counter_track({.name = sink.intern("util"), .unit = sink.intern("percent"), .cpu = 0}),
      sink.counter_track({.name = sink.intern("util"), .unit = sink.intern("percent"), .cpu = 5}),
      sink.counter_track({.name = sink.intern("rss"), .unit = sink.intern("bytes"), .process = process}),
      sink.counter_track({.name = sink.intern("time"), .unit = sink.intern("ns"), .thread = thread}),
      sink.counter_track({.name = sink.intern("time"), .cpu = 2, .process = process}),
      sink.counter_track({.name = sink.intern("power"), .unit = sink.intern("watt"), .device = device}),
      sink.counter_track({.name = sink.intern("silent"), .unit = sink.intern("1/s")})};
  const std::array values{0.0,   -0.0,         1.0,
                          -1.0,  0.1,          9007199254740993.0,
                          1e300, -123456789.0, std::numeric_limits<double>::infinity()};
  std::int64_t ts = 1000;
  for (std::size_t i = 0; i + 1 < tracks.size(); ++i) // nothing is counted on the last one: it is still a row
    for (const double value : values)
      sink.counter(tracks[i], {ts++}, value);
}

void processes_and_threads(TraceSink& sink) {
  const auto svc = sink.process(
      {.pid = 42, .name = sink.intern("svc"), .cmdline = sink.intern("svc --model 'a b.onnx' --port 80")});
  sink.process({.pid = 43}); // no name
  sink.process({.pid = 2147483647, .name = sink.intern("last pid")});
  sink.thread({.process = svc, .tid = 42, .name = sink.intern("main")});
  sink.thread({.process = svc, .tid = 44});
  sink.thread({.tid = 99, .name = sink.intern("of nobody")});
  sink.thread({.process = svc, .tid = 44, .name = sink.intern("named later")});
}

void tracks_of_every_kind(TraceSink& sink) {
  const auto process = sink.process({.pid = 42, .name = sink.intern("svc")});
  const auto thread = sink.thread({.process = process, .tid = 43, .name = sink.intern("t")});
  const auto device = sink.device({.name = sink.intern("Ascend310"), .kind = DeviceKind::npu, .index = 1});
  const auto stream =
      sink.stream({.device = device, .number = 7, .name = sink.intern("compute name=odd number=9")});
  const std::array tracks{
      sink.track({.name = sink.intern("own name"), .kind = TrackKind::thread, .thread = thread}),
      sink.track({.name = sink.intern("requests"), .kind = TrackKind::async, .process = process}),
      sink.track({.name = sink.intern("requests"), .kind = TrackKind::async, .process = process}),
      sink.track({.name = sink.intern("free"), .kind = TrackKind::async}),
      sink.track({.name = sink.intern("notes"), .kind = TrackKind::other}),
      sink.track({.name = sink.intern("tasks"), .kind = TrackKind::stream, .stream = stream}),
      sink.track({.name = {}, .kind = TrackKind::async})};
  const auto child = sink.track(
      {.name = sink.intern("child"), .kind = TrackKind::async, .process = process, .parent = tracks[1]});
  std::int64_t ts = 1000;
  for (const auto track : tracks)
    add_slice(sink, track, ts += 100, 50, "x");
  add_slice(sink, child, 5000, 1, "y");
  sink.track({.name = sink.intern("nothing happened"), .kind = TrackKind::async, .process = process});
}

void kernels_of_every_kind(TraceSink& sink) {
  const auto device = sink.device({.name = sink.intern("GPU"), .kind = DeviceKind::gpu, .index = 0});
  const auto other = sink.device({.name = sink.intern("NPU"), .kind = DeviceKind::npu, .index = 2});
  const auto a = sink.stream({.device = device, .number = 0, .name = sink.intern("default")});
  const auto b = sink.stream({.device = other, .number = 13});
  const std::vector<Arg> args{{sink.intern("input_shapes"), sink.intern("[1,3,224,224]")},
                              {sink.intern("grid"), std::int64_t{-5}},
                              {sink.intern("ratio"), 0.25},
                              {sink.intern("fp16"), true},
                              {sink.intern("int8"), false}};
  std::int64_t ts = 1000;
  for (const auto stream : {a, b})
    for (const auto kind : {KernelKind::compute, KernelKind::communication, KernelKind::memory}) {
      sink.kernel({.stream = stream,
                   .ts = {ts},
                   .dur = {70},
                   .name = sink.intern("gemm"),
                   .op_type = sink.intern("MatMul"),
                   .kind = kind,
                   .correlation = 0xfedcba9876543210U,
                   .flow_in = 77,
                   .bytes = 1 << 20,
                   .args = args});
      sink.kernel({.stream = stream, .ts = {ts += 30}, .dur = {70}, .name = sink.intern("overlaps")});
    }
}

void samples_with_stacks(TraceSink& sink) {
  const auto process = sink.process({.pid = 42, .name = sink.intern("svc")});
  const auto thread = sink.thread({.process = process, .tid = 43});
  const auto exe = sink.mapping({.path = sink.intern("/usr/bin/svc"),
                                 .build_id = sink.intern("0123456789abcdef"),
                                 .start = 0x400000,
                                 .end = 0x500000,
                                 .file_offset = 0x1000});
  const auto kernel = sink.mapping(
      {.path = sink.intern("[kernel]"), .start = 0xffffffff80000000U, .end = 0xffffffffffffffffU});
  const auto python = sink.mapping({.path = sink.intern("serve me.py")});
  const std::vector<Id<Frame>> stack{
      sink.frame({.function = sink.intern("main"),
                  .mapping = exe,
                  .rel_pc = 0x1234,
                  .source_file = sink.intern("main.cc"),
                  .line = 12}),
      sink.frame({.function = sink.intern("serve"),
                  .mapping = python,
                  .line = 4000000000U,
                  .kind = FrameKind::interpreted}),
      sink.frame({.mapping = exe, .rel_pc = 0xffff}), // not symbolised
      sink.frame({.function = sink.intern("jitted"), .rel_pc = 0x7fff00000000U, .kind = FrameKind::jit}),
      sink.frame({.function = sink.intern("do_page_fault"),
                  .mapping = kernel,
                  .rel_pc = 0xffffffff81000000U,
                  .kind = FrameKind::kernel})};
  const auto deep = sink.callstack({stack});
  const auto flat = sink.callstack({std::span(stack).first(1)});
  const StrId clock = sink.intern("cpu-clock"), faults = sink.intern("page-faults");
  sink.sample(
      {.ts = {1000}, .thread = thread, .cpu = 0, .callstack = deep, .event = clock, .weight = 1'000'000});
  sink.sample(
      {.ts = {2000}, .thread = thread, .cpu = 1, .callstack = flat, .event = clock, .weight = 999'999});
  sink.sample({.ts = {2000}, .thread = thread, .cpu = 1, .callstack = deep, .event = clock, .weight = 0});
  sink.sample({.ts = {1500}, .thread = thread, .cpu = 1, .callstack = flat, .event = faults, .weight = 1});
  sink.sample({.ts = {1600}, .thread = thread, .cpu = -1, .event = faults, .weight = 3}); // no stack, no CPU
  sink.sample({.ts = {1700}, .cpu = 2, .callstack = flat, .event = faults});              // no thread
}

void symbols_that_come_later(TraceSink& sink) {
  const auto lib = sink.mapping(
      {.path = sink.intern("/lib/ort.so"), .build_id = sink.intern("ab01"), .start = 0x1000, .end = 0x2000});
  const std::vector<Id<Frame>> stack{sink.frame({.mapping = lib, .rel_pc = 0x10})};
  sink.sample(
      {.ts = {1000}, .cpu = 0, .callstack = sink.callstack({stack}), .event = sink.intern("cpu-clock")});
  sink.symbol(lib, 0x10, 0, sink.intern("outer"), sink.intern("a.cc"), 1);
  sink.symbol(lib, 0x10, 1, sink.intern("inlined"), sink.intern("b.hh"), 22);
  sink.symbol(lib, 0x10, 2, sink.intern("inlined twice"), sink.intern("c.hh"), 333);
  sink.symbol(lib, 0x20, 0, sink.intern("other"), {}, 0);
  const std::vector<Id<Frame>> other{sink.frame({.mapping = lib, .rel_pc = 0x20})};
  sink.sample(
      {.ts = {2000}, .cpu = 0, .callstack = sink.callstack({other}), .event = sink.intern("cpu-clock")});
}

void scheduling(TraceSink& sink) {
  const StrId worker = sink.intern("worker"), idle{};
  const auto run = [&](std::int64_t ts, std::int32_t cpu, std::int64_t from, char state, std::int64_t to) {
    sink.sched_switch({.ts = {ts},
                       .cpu = cpu,
                       .prev_tid = from,
                       .prev_state = state,
                       .next_tid = to,
                       .next_prio = to == 0 ? 120 : 99,
                       .next_comm = to == 0 ? idle : worker});
  };
  const auto wake = [&](std::int64_t ts, std::int32_t cpu, std::int64_t waker, std::int64_t tid) {
    sink.sched_wakeup({.ts = {ts}, .cpu = cpu, .tid = tid, .waker_tid = waker, .target_cpu = 3});
  };
  run(1000, 0, 0, 'R', 43);
  wake(1010, 0, 43, 44); // 44 has not run yet
  run(1020, 1, 0, 'R', 44);
  std::int64_t ts = 1100;
  for (const char state : {'S', 'D', 'T', 't', 'X', 'Z', 'P', 'I', 'R'}) {
    run(ts, 0, 43, state, 0);
    wake(ts + 10, 1, 44, 43);
    run(ts + 20, 0, 0, 'R', 43);
    ts += 100;
  }
  run(ts, 0, 50, 'S', 51);     // switches were lost before: 50 was not running
  run(ts, 0, 51, 'S', 52);     // two at one nanosecond
  wake(ts, 0, 52, 43);         // and a wakeup with them
  wake(ts + 5, 1, 999, 43);    // by a thread that does not run there
  run(ts + 10, 7, 0, 'R', 60); // another CPU, late
}

void what_perfetto_has_no_message_for(TraceSink& sink) {
  sink.signal({.name = sink.intern("perf.branch-misses"),
               .is_available = false,
               .source = sink.intern("pmu"),
               .reason = sink.intern("signal.reason.no_pmu"),
               .mend = sink.intern("signal.mend.bare_metal"),
               .detail = sink.intern("errno 2: no such file")});
  sink.signal({.name = sink.intern("sched"), .is_available = true, .source = sink.intern("tracepoints")});
  for (int severity = 0; severity < 4; ++severity)
    sink.note({.severity = static_cast<Severity>(severity),
               .code = sink.intern("note.capture.ring_full"),
               .count = std::numeric_limits<std::int64_t>::max() - severity,
               .where = sink.intern("thread 43")});
  sink.gap({.ts = {1000}, .dur = {250}, .reason = sink.intern("gap.paused")});
  sink.metadata("service", "svc");
  sink.metadata("service", "the last value counts");
  sink.metadata("empty", "");
  sink.metadata("cann.note.code", "a key that looks like ours");
  sink.metadata("cann.metadata.x", "and one more");
}

class RowKinds : public testing::TestWithParam<Case> {};

TEST_P(RowKinds, come_back_as_they_were_put_in) {
  const std::vector<std::string> expected = rows_of(GetParam().rows);
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(join_lines(rows_in(write_trace(GetParam().rows))), join_lines(expected));
}

TEST_P(RowKinds, come_back_from_a_live_trace_and_without_compression) {
  const std::string expected = join_lines(rows_of(GetParam().rows));
  EXPECT_EQ(join_lines(rows_in(write_trace(GetParam().rows, {}))), expected);
  EXPECT_EQ(join_lines(rows_in(write_trace(GetParam().rows, {.compress = false, .is_live = false}))),
            expected);
  EXPECT_EQ(join_lines(rows_in(write_trace(GetParam().rows, {.group_bytes = 1}))),
            expected); // smallest groups
}

TEST_P(RowKinds, come_back_when_the_bytes_come_one_at_a_time) {
  TextSink sink;
  ASSERT_TRUE(read_bytes(write_trace(GetParam().rows), sink, 1).ok());
  EXPECT_EQ(join_lines(sink.sorted()), join_lines(rows_of(GetParam().rows)));
}

INSTANTIATE_TEST_SUITE_P(
    All, RowKinds,
    testing::Values(Case{"slices_with_args", slices_with_args},
                    Case{"slices_of_every_layer", slices_of_every_layer},
                    Case{"flows_between_slices", flows_between_slices},
                    Case{"counters_of_every_owner", counters_of_every_owner},
                    Case{"processes_and_threads", processes_and_threads},
                    Case{"tracks_of_every_kind", tracks_of_every_kind},
                    Case{"kernels_of_every_kind", kernels_of_every_kind},
                    Case{"samples_with_stacks", samples_with_stacks},
                    Case{"symbols_that_come_later", symbols_that_come_later}, Case{"scheduling", scheduling},
                    Case{"what_perfetto_has_no_message_for", what_perfetto_has_no_message_for}),
    [](const auto& of) { return std::string(of.param.name); });

TEST(Rows, of_all_kinds_share_one_file) {
  const Rows all = [](TraceSink& sink) {
    for (const Rows& rows :
         {Rows(slices_with_args), Rows(flows_between_slices), Rows(kernels_of_every_kind),
          Rows(samples_with_stacks), Rows(scheduling), Rows(what_perfetto_has_no_message_for)})
      rows(sink);
  };
  EXPECT_EQ(join_lines(rows_in(write_trace(all))), join_lines(rows_of(all)));
}

TEST(Rows, a_flush_between_any_two_changes_nothing) {
  const Rows rows = [](TraceSink& sink) {
    const auto flush = [&] {
      auto* const writer = dynamic_cast<TraceFileWriter*>(&sink);
      EXPECT_TRUE(writer == nullptr || writer->flush().ok());
    };
    slices_of_every_layer(sink);
    flush();
    counters_of_every_owner(sink);
    flush();
    scheduling(sink);
    flush();
    samples_with_stacks(sink);
    flush();
    symbols_that_come_later(sink);
    flush();
    processes_and_threads(sink);
  };
  EXPECT_EQ(join_lines(rows_in(write_trace(rows))), join_lines(rows_of(rows)));
}

// Perfetto counts a symbol whose frame it does not know (yet) as an error of the file.
TEST(Rows, symbols_wait_for_the_first_sample_of_their_frame) {
  const std::string bytes = write_trace([](TraceFileWriter& writer) {
    const auto lib = writer.mapping({.path = writer.intern("/lib/ort.so"), .start = 0x1000, .end = 0x2000});
    writer.symbol(lib, 0x20, 0, writer.intern("early"), {}, 0);
    writer.symbol(lib, 0x30, 0, writer.intern("never sampled"), {}, 0);
    EXPECT_TRUE(writer.flush().ok());
    const std::vector<Id<Frame>> stack{writer.frame({.mapping = lib, .rel_pc = 0x20})};
    writer.sample(
        {.ts = {1000}, .callstack = writer.callstack({stack}), .event = writer.intern("cpu-clock")});
    EXPECT_TRUE(writer.flush().ok());
  });
  TextSink sink;
  ASSERT_TRUE(read_bytes(bytes, sink).ok());
  const std::string text = join_lines(sink.lines);
  EXPECT_THAT(text, testing::HasSubstr("symbol /lib/ort.so 0x20 #0 early :0"));
  EXPECT_LT(text.find("sample 1000"), text.find("early"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("never sampled")));
}

// Ids that were never given out, as a confused collector might pass: no row, no crash.
TEST(Rows, of_unknown_tracks_and_streams_are_left_out) {
  const std::string bytes = write_trace([](TraceFileWriter& writer) {
    add_slice(writer, {12345}, 1000, 10, "nowhere");
    writer.counter({77}, {1000}, 1);
    writer.kernel({.stream = {9}, .ts = {1000}, .dur = {1}});
    writer.symbol({99}, 1, 0, writer.intern("f"), {}, 0);
    add_slice(writer, add_thread_track(writer), 1000, 10, "here");
  });
  TextSink sink;
  ASSERT_TRUE(read_bytes(bytes, sink).ok());
  ASSERT_EQ(sink.lines.size(), 1U);
  EXPECT_NE(sink.lines.front().find("1000+10 here"), std::string::npos);
}

TEST(WriterStats, count_events_and_bytes) {
  const TempFile file;
  auto writer = TraceFileWriter::create(file.path());
  ASSERT_TRUE(writer.ok());
  const auto track = add_thread_track(**writer);
  for (int i = 0; i < 7; ++i)
    add_slice(**writer, track, 1000 + i, 1, "x");
  (*writer)->counter((*writer)->counter_track({.name = (*writer)->intern("c")}), {1000}, 1);
  (*writer)->sched_wakeup({.ts = {1000}});
  ASSERT_TRUE((*writer)->finish().ok());
  EXPECT_EQ((*writer)->stats().events, 9);
  EXPECT_EQ((*writer)->stats().bytes, static_cast<std::int64_t>(std::filesystem::file_size(file.path())));
}

// 200,000 deep: more than a reader follows on one lane; it was written and left out on reading.
TEST(WriterStats, slices_nest_as_deep_as_they_come) {
  constexpr std::int64_t kDeep = 200'000;
  struct Counter final : ForwardSink {
    using ForwardSink::ForwardSink;
    void slice(const Slice& row) override {
      ++slices;
      sum += row.dur.ns;
    }
    std::int64_t slices = 0, sum = 0;
  };
  const std::string bytes = write_trace([](TraceFileWriter& writer) {
    const auto track = add_thread_track(writer);
    for (std::int64_t i = 0; i < kDeep; ++i)
      add_slice(writer, track, i, 2 * kDeep - 2 * i, "f");
  });
  TextSink sink;
  Counter counter(sink);
  ASSERT_TRUE(read_bytes(bytes, counter).ok());
  EXPECT_EQ(counter.slices, kDeep);
  EXPECT_EQ(counter.sum, kDeep * (kDeep + 1));
  EXPECT_EQ(sink.lines, std::vector<std::string>{}) << "a note";
}

TEST(WriterStats, count_what_could_not_be_written) {
  auto writer = TraceFileWriter::create([](std::string_view) { return Status{}; });
  const auto track = add_thread_track(*writer);
  for (int i = 0; i < 300; ++i)
    add_slice(*writer, track, i, 1000, "overlap");
  add_slice(*writer, track, std::numeric_limits<std::int64_t>::max(), 1, "late");
  ASSERT_TRUE(writer->finish().ok());
  EXPECT_EQ(writer->stats().left_out_slices, 300 - 256);
  EXPECT_EQ(writer->stats().left_out_times, 1);
}

TEST(WriterErrors, are_kept_and_named) {
  const auto missing = TraceFileWriter::create("/no/such/folder/x.pb");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Errc::io);
  EXPECT_EQ(
      missing.error().what,
      "cannot write: there is no folder '/no/such/folder'; make it first (mkdir -p), or name another place");

  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "/dev/full is no device here";
  auto full = TraceFileWriter::create("/dev/full");
  ASSERT_TRUE(full.ok());
  add_slice(**full, add_thread_track(**full), 1000, 10, "x");
  const Status flushed = (*full)->flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_EQ(flushed.error().code, Errc::io);
  EXPECT_FALSE((*full)->finish().ok()); // and stays an error
}

} // namespace
} // namespace prof
