// A trace told again is the same trace.
#include "store/replay.hpp"

#include "store/sql.hpp"
#include "store/sql_docs.hpp"
#include "trace_builder.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

Store rich_trace() {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker"), pool = t.thread(7, 71, "pool");
  TraceBuilder::SliceOptions out, in, launch, launch_late, sync;
  out.flows_out = {5};
  in.flows_in = {5};
  launch.flows_out = {9};
  launch_late.flows_out = {10};
  sync.layer = Layer::runtime;
  t.request(1, 0, 1000).request(2, 100, 900, "error").wait("queue", "queue_wait", 0, 100, {1, 2});
  t.stage("denoise", w, 100, 900, {1, 2})
      .slice("run", words::kRun, w.track, 110, 890, out)
      .op("Conv", w, 120, 400);
  t.slice("part", "span", pool.track, 130, 300, in).slice("launch", "span", pool.track, 140, 150, launch);
  t.slice("launch", "span", pool.track, 310, 340, launch_late);
  t.slice("cudaStreamSynchronize", "cuda_runtime", w.track, 660, 700, sync);
  t.slice("instant", "mark", w.track, 500, 500);
  t.kernel(t.stream(0, 3), "conv_kernel", KernelKind::compute, 200, 300, 9);
  t.kernel(t.stream(0, 3), "pool_kernel", KernelKind::compute, 350, 380, 10); // after a gap
  t.counter("rss", "bytes", {{0, 10}, {500, 20.5}});
  t.switch_to(100, 0, 0, 'R', 70)
      .switch_to(400, 0, 70, 'S', 71)
      .wake(600, 70, 71)
      .switch_to(650, 0, 71, 'R', 70)
      .switch_to(900, 0, 70, 'D', 0);
  t.switch_to(100, 1, 999, 'X', 0).switch_to(800, 1, 0, 'R', 71);
  t.sample(w, 150, words::kEventCpu, {"main", "conv", "do_syscall_[k]"}, 5)
      .sample(pool, 160, words::kEventFault, {});
  StoreBuilder& b = t.sink();
  const Id<Mapping> lib = b.mapping({.path = b.intern("/lib/a.so"),
                                     .build_id = b.intern("ab12"),
                                     .start = 4096,
                                     .end = 8192,
                                     .file_offset = 0});
  const Id<Frame> known = b.frame({.function = {},
                                   .mapping = lib,
                                   .rel_pc = 16,
                                   .source_file = {},
                                   .line = 0,
                                   .kind = FrameKind::native});
  const Id<Frame> unknown = b.frame({.function = {},
                                     .mapping = lib,
                                     .rel_pc = 32,
                                     .source_file = {},
                                     .line = 0,
                                     .kind = FrameKind::native});
  b.symbol(lib, 16, 0, b.intern("outer"), b.intern("a.cpp"), 3);
  b.symbol(lib, 16, 1, b.intern("inlined"), b.intern("a.cpp"), 9);
  const std::vector<Id<Frame>> frames{unknown, known};
  b.sample({.ts = Ts{700},
            .thread = w.thread,
            .cpu = 1,
            .callstack = b.callstack({frames}),
            .event = b.intern(words::kEventCpu),
            .weight = 7});
  b.signal({.name = b.intern("cache_miss"),
            .is_available = false,
            .source = b.intern("hw"),
            .reason = b.intern("signal.reason.no_pmu"),
            .mend = b.intern("m"),
            .detail = b.intern("ENOENT")});
  b.note({.severity = Severity::data_loss,
          .code = b.intern("note.lost"),
          .count = 12,
          .where = b.intern("ring 3")});
  b.gap({.ts = Ts{300}, .dur = Dur{50}, .reason = b.intern("gap.x")});
  b.metadata("service", "poster");
  return t.seal();
}

// The answer of one query as lines of text, so that a difference can be read.
std::string lines(const Store& store, const std::string& query) {
  auto sql = Sql::open(store);
  const auto result = sql->query(query);
  if (!result) return "error: " + result.error().what;
  std::string out;
  for (const auto& row : result->rows) {
    for (const SqlValue& value : row) {
      if (const auto* i = std::get_if<std::int64_t>(&value))
        out += std::to_string(*i);
      else if (const auto* d = std::get_if<double>(&value))
        out += std::to_string(*d);
      else if (const auto* text = std::get_if<std::string>(&value))
        out += *text;
      else
        out += "NULL";
      out += "|";
    }
    out += "\n";
  }
  return out;
}
Store told_again(const Store& store) {
  StoreBuilder builder;
  replay(store, builder);
  return builder.seal();
}

TEST(Replay, every_table_comes_back_equal) {
  const Store first = rich_trace(), second = told_again(first), third = told_again(second);
  for (const std::string& table : sql_table_names()) {
    const std::string all = "select * from " + table;
    EXPECT_EQ(lines(second, all), lines(third, all)) << table;
    EXPECT_TRUE(table == "copy" || table == "runnable" || table == "rank_work" || !lines(first, all).empty())
        << table << " is not tested";
    // Argument sets are numbered in the order of the telling: they are compared by content below.
    if (table != "args" && table != "slice" && table != "span" && table != "kernel") {
      EXPECT_EQ(lines(first, all), lines(second, all)) << table;
    }
  }
  for (const std::string query :
       {"select s.id, ts, dur, track_id, depth, parent_id, name, category, layer, a.key, a.int_value, "
        "a.double_value, a.string_value from slice s "
        "left join args a on a.arg_set_id = s.arg_set_id order by s.id, a.rowid",
        "select id, ts, dur, name, op_type, kind, device, stream, op_id, launch_id from kernel"})
    EXPECT_EQ(lines(first, query), lines(second, query));
  EXPECT_EQ(first.start(), second.start());
  EXPECT_EQ(first.end(), second.end());
}

TEST(Replay, states_still_reach_from_the_first_to_the_last_scheduler_row) {
  TraceBuilder t;
  t.thread(7, 70, "worker");
  t.thread(7, 71, "pool");
  // The last row wakes who runs anyway: it makes no state, but until then the others are known.
  t.switch_to(100, 0, 0, 'R', 70).wake(150, 71, 70).wake(900, 70, 71);
  const Store first = t.seal();
  const std::string query = "select ts, dur, state, t.name from thread_state s join thread t on t.id = "
                            "s.thread_id order by t.name, ts";
  const std::string states = "100|50|sleeping|pool|\n150|750|runnable|pool|\n100|800|running|worker|\n";
  EXPECT_EQ(lines(first, query), states);
  EXPECT_EQ(lines(told_again(first), query), states);
}

TEST(Replay, stand_ins_for_symbols_are_recognised) {
  const Store store = rich_trace();
  int known = 0, unknown = 0;
  for (std::uint32_t i = 0; i < store.tables().frame.function.size(); ++i)
    (has_symbol(store, i) ? known : unknown) += 1;
  EXPECT_EQ(unknown, 1); // a.so+0x20
  EXPECT_EQ(known, 5);
}

} // namespace
} // namespace prof
