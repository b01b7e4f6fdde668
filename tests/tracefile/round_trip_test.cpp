// The trace file through its public interface: what is written comes back, what Perfetto writes is read,
// damage keeps the good part.
#include "store/replay.hpp"
#include "store/sql.hpp"
#include "store/store.hpp"
#include "trace/conventions.hpp"
#include "trace_bytes.hpp"

namespace prof {
namespace {

std::int64_t number(const Store& store, std::string_view sql) {
  auto db = Sql::open(store);
  auto result = db->query(sql);
  if (!result.ok() || result->rows.size() != 1) return -1;
  const auto* value = std::get_if<std::int64_t>(&result->rows[0][0]);
  return value == nullptr ? -1 : *value;
}

// One request served by one thread: a stage holding a run of two operators, arriving children first as live
// capture does.
void fill(TraceSink& sink) {
  const auto process = sink.process({.pid = 42, .name = sink.intern("svc"), .cmdline = {}});
  const auto thread =
      sink.thread({.process = process, .tid = 43, .name = sink.intern("worker \"><script>\x1b[31m")});
  const auto track = sink.track(
      {.name = {}, .kind = TrackKind::thread, .thread = thread, .process = {}, .stream = {}, .parent = {}});
  const auto lane = sink.track({.name = sink.intern("requests"),
                                .kind = TrackKind::async,
                                .thread = {},
                                .process = process,
                                .stream = {},
                                .parent = {}});
  const Arg id{sink.intern(words::kArgRequestId), std::int64_t{7}};
  const Arg type{sink.intern(words::kArgOpType), sink.intern("Conv")};
  const auto slice = [&](Id<Track> on, std::int64_t ts, std::int64_t dur, std::string_view name,
                         std::string_view category, std::span<const Arg> args) {
    sink.slice({.track = on,
                .ts = Ts{ts},
                .dur = Dur{dur},
                .name = sink.intern(name),
                .category = sink.intern(category),
                .layer = Layer::framework,
                .args = args,
                .flows_out = {},
                .flows_in = {}});
  };
  slice(track, 1'000'000'100, 50, "a", words::kOp, {&type, 1});
  slice(track, 1'000'000'150, 30, "b", words::kOp, {&type, 1});
  slice(track, 1'000'000'090, 100, "model", words::kRun, {});
  slice(track, 1'000'000'080, 200, "denoise", words::kStage, {&id, 1});
  slice(lane, 1'000'000'000, 400, "poster", words::kRequest, {&id, 1});
  const auto rss = sink.counter_track({.name = sink.intern("rss"),
                                       .unit = sink.intern("bytes"),
                                       .cpu = -1,
                                       .thread = {},
                                       .process = process,
                                       .device = {}});
  sink.counter(rss, Ts{1'000'000'050}, 4096);
  sink.counter(rss, Ts{1'000'000'060}, 8192);
  sink.sched_switch({.ts = Ts{1'000'000'010},
                     .cpu = 0,
                     .prev_tid = 0,
                     .prev_state = 'R',
                     .next_tid = 43,
                     .next_prio = 120,
                     .next_comm = sink.intern("worker")});
  sink.sched_switch({.ts = Ts{1'000'000'300},
                     .cpu = 0,
                     .prev_tid = 43,
                     .prev_state = 'S',
                     .next_tid = 0,
                     .next_prio = 120,
                     .next_comm = {}});
  sink.metadata("service", "svc");
}

std::string written() {
  return write_trace(fill, {});
}

TEST(TraceFile, what_was_written_comes_back) {
  StoreBuilder builder;
  ASSERT_TRUE(read_bytes(written(), builder).ok());
  const Store store = builder.seal();
  EXPECT_EQ(number(store, "select count(*) from slice"), 5);
  EXPECT_EQ(number(store, "select count(*) from op where op_type = 'Conv'"), 2);
  EXPECT_EQ(number(store, "select sum(dur) from op"), 80);
  EXPECT_EQ(number(store, "select ts from op where name = 'b'"), 1'000'000'150);
  EXPECT_EQ(number(store, "select dur from request where request_id = 7"), 400);
  EXPECT_EQ(number(store, "select depth from slice where name = 'a'"), 2);
  EXPECT_EQ(number(store, "select count(*) from counter"), 2);
  EXPECT_EQ(
      number(store, "select sum(s.dur) from sched s join thread t on t.id = s.thread_id where t.tid = 43"),
      290);
  EXPECT_EQ(
      number(store, "select count(*) from thread where name = 'worker \"><script>' || char(27) || '[31m'"),
      1);
  EXPECT_EQ(store.metadata("service"), "svc");
}

TEST(TraceFile, a_cut_anywhere_keeps_what_stands_before_it_and_never_crashes) {
  const std::string whole = written();
  for (std::size_t part = 1; part < 64; ++part) {
    StoreBuilder builder;
    const Status read = read_bytes(std::string_view(whole).substr(0, whole.size() * part / 64), builder);
    const Store store = builder.seal();
    if (read.ok()) {
      EXPECT_GE(number(store, "select count(*) from slice"), 0);
    }
  }
}

TEST(TraceFile, a_flipped_byte_anywhere_never_crashes) {
  const std::string whole = written();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bad = whole;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    StoreBuilder builder;
    (void)read_bytes(bad, builder).ok();
    (void)builder.seal();
  }
}

TEST(PerfettoGolden, its_rows_are_read_exactly) {
  StoreBuilder builder;
  ASSERT_TRUE(
      read_bytes(bytes_of(std::filesystem::path(PROF_SOURCE_DIR) / "tests/tracefile/data/perfetto_golden.pb"),
                 builder)
          .ok());
  const Store store = builder.seal();
  // Worked out by hand from the textproto: sequence 2 starts at 1 s and counts deltas.
  EXPECT_EQ(number(store, "select count(*) from process where pid = 4321"), 1);
  EXPECT_EQ(number(store, "select count(*) from thread where tid = 4322"), 1);
  EXPECT_EQ(number(store, "select ts from slice where name = 'aten::mm'"), 1'000'001'000);
  EXPECT_EQ(number(store, "select dur from slice where name = 'aten::mm'"), 2'000);
  EXPECT_EQ(number(store, "select dur from slice where name = 'cudaLaunchKernel'"), 500);
  EXPECT_EQ(number(store, "select dur from slice where name = 'MatMulV2'"), 4'000);
  EXPECT_EQ(number(store, "select count(*) from kernel where name = 'gemm_bf16' and dur = 2500"), 1);
}

TEST(TraceFileInput, bytes_of_something_else_are_refused) {
  StoreBuilder builder;
  const Status read = read_bytes("this is no trace at all", builder);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, Errc::malformed);
}

} // namespace
} // namespace prof
