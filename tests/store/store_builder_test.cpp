// Sealing: order, nesting, flows, typed tables, the loss ledger.
#include "store/replay.hpp"
#include "trace_builder.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace prof {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const Store& store) {
  std::vector<std::string> out;
  for (const StrId name : store.tables().slice.name)
    out.emplace_back(store.text(name));
  return out;
}
std::int64_t note_count(const Store& store, std::string_view code) {
  const NoteTable& notes = store.tables().note;
  for (std::size_t i = 0; i < notes.code.size(); ++i)
    if (store.text(notes.code[i]) == code) return notes.count[i];
  return 0;
}

TEST(StoreBuilder, an_empty_trace_seals_to_an_empty_store) {
  StoreBuilder builder;
  const Store store = builder.seal();
  EXPECT_EQ(store.start().ns, 0);
  EXPECT_EQ(store.end().ns, 0);
  EXPECT_TRUE(store.tables().slice.ts.empty());
  EXPECT_TRUE(store.find_signal(words::kSignalSched).has_value());
}

TEST(StoreBuilder, children_that_came_before_their_parents_are_nested) {
  TraceBuilder t;
  const auto worker = t.thread(1, 10, "w");
  t.slice("grandchild", "span", worker.track, 20, 30).slice("child", "span", worker.track, 10, 40);
  t.slice("second", "span", worker.track, 40, 50).slice("root", "span", worker.track, 0, 100);
  const Store store = t.seal();
  EXPECT_THAT(names(store), ElementsAre("root", "child", "grandchild", "second"));
  EXPECT_THAT(store.tables().slice.depth, ElementsAre(0, 1, 2, 1));
  EXPECT_THAT(store.tables().slice.parent, ElementsAre(kNoRow, 0U, 1U, 0U));
  EXPECT_EQ(store.start().ns, 0);
  EXPECT_EQ(store.end().ns, 100);
}

TEST(StoreBuilder, tracks_do_not_mix) {
  TraceBuilder t;
  const auto a = t.thread(1, 10, "a");
  const auto b = t.thread(1, 11, "b");
  t.slice("b0", "span", b.track, 0, 10)
      .slice("a0", "span", a.track, 5, 15)
      .slice("b1", "span", b.track, 2, 3);
  const Store store = t.seal();
  EXPECT_THAT(names(store), ElementsAre("a0", "b0", "b1"));
  EXPECT_THAT(store.tables().slice.parent, ElementsAre(kNoRow, kNoRow, 1U));
}

TEST(StoreBuilder, equal_intervals_nest_by_what_they_are) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  t.slice("op", words::kOp, w.track, 0, 10)
      .slice("run", words::kRun, w.track, 0, 10)
      .slice("stage", words::kStage, w.track, 0, 10);
  EXPECT_THAT(names(t.seal()), ElementsAre("stage", "run", "op"));
}

TEST(StoreBuilder, overlap_without_nesting_keeps_the_data_and_is_counted) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  t.slice("first", "span", w.track, 0, 10)
      .slice("late", "span", w.track, 5, 20)
      .slice("after", "span", w.track, 12, 14);
  const Store store = t.seal();
  EXPECT_THAT(store.tables().slice.dur, ElementsAre(10, 15, 2));
  EXPECT_THAT(store.tables().slice.parent, ElementsAre(kNoRow, 0U, kNoRow));
  EXPECT_EQ(note_count(store, "note.store.lane_overlap"), 1);
}

TEST(StoreBuilder, instants_are_children_only_of_what_surrounds_them) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  t.slice("parent", "span", w.track, 0, 10)
      .slice("at_start", "span", w.track, 0, 0)
      .slice("inside", "span", w.track, 5, 5);
  t.slice("at_end", "span", w.track, 10, 10);
  EXPECT_THAT(t.seal().tables().slice.parent, ElementsAre(kNoRow, 0U, 0U, kNoRow));
}

TEST(StoreBuilder, bad_times_are_counted_and_do_not_overflow) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  t.sink().slice({.track = w.track,
                  .ts = Ts{huge},
                  .dur = Dur{huge},
                  .name = t.text("a"),
                  .category = {},
                  .args = {},
                  .flows_out = {},
                  .flows_in = {}});
  t.sink().slice({.track = w.track,
                  .ts = Ts{-huge},
                  .dur = Dur{0},
                  .name = t.text("b"),
                  .category = {},
                  .args = {},
                  .flows_out = {},
                  .flows_in = {}});
  t.sink().slice({.track = w.track,
                  .ts = Ts{5},
                  .dur = Dur{-7},
                  .name = t.text("c"),
                  .category = {},
                  .args = {},
                  .flows_out = {},
                  .flows_in = {}});
  t.sink().slice({.track = Id<Track>{99},
                  .ts = Ts{5},
                  .dur = Dur{1},
                  .name = t.text("d"),
                  .category = {},
                  .args = {},
                  .flows_out = {},
                  .flows_in = {}});
  const Store store = t.seal();
  EXPECT_THAT(names(store), ElementsAre("c"));
  EXPECT_THAT(store.tables().slice.dur, ElementsAre(0));
  EXPECT_EQ(note_count(store, "note.store.time_out_of_range"), 2);
  EXPECT_EQ(note_count(store, "note.store.negative_duration"), 1);
  EXPECT_EQ(note_count(store, "note.store.bad_reference"), 1);
}

TEST(StoreBuilder, an_open_end_closes_with_the_trace) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  t.slice("open", "span", w.track, 10, 9).slice("inner", "span", w.track, 20, 30); // dur -1
  t.counter("c", "count", {{500, 1}});
  const Store store = t.seal();
  EXPECT_THAT(store.tables().slice.dur, ElementsAre(490, 10));
  EXPECT_THAT(store.tables().slice.parent, ElementsAre(kNoRow, 0U));
  EXPECT_EQ(note_count(store, "note.store.open_end"), 1);
}

TEST(StoreBuilder, equal_arg_sets_are_stored_once) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  for (int i = 0; i < 100; ++i)
    t.op("Conv", w, i * 10, i * 10 + 5);
  t.op("Gemm", w, 2000, 2001);
  const Store store = t.seal();
  EXPECT_EQ(store.tables().arg.set_begin.size(), 3U); // two sets
  EXPECT_EQ(store.tables().arg.key.size(), 4U);
  const ArgValue* type = store.find_arg(store.tables().slice.arg_set[100], words::kArgOpType);
  ASSERT_NE(type, nullptr);
  EXPECT_EQ(store.text(std::get<StrId>(*type)), "Gemm");
  EXPECT_EQ(store.find_arg(kNoRow, words::kArgOpType), nullptr);
}

TEST(StoreBuilder, the_same_owner_gives_the_same_row_and_late_names_fill_gaps) {
  StoreBuilder b;
  const Id<Process> p = b.process({.pid = 7, .name = {}, .cmdline = {}});
  EXPECT_EQ(b.process({.pid = 7, .name = b.intern("svc"), .cmdline = {}}), p);
  const Id<Thread> by_tid = b.thread({.process = {}, .tid = 70, .name = {}});
  EXPECT_EQ(b.thread({.process = p, .tid = 70, .name = b.intern("worker")}), by_tid);
  const Id<Thread> other =
      b.thread({.process = b.process({.pid = 8, .name = {}, .cmdline = {}}), .tid = 70, .name = {}});
  EXPECT_NE(other, by_tid);
  EXPECT_EQ(b.thread({.process = p, .tid = 70, .name = {}}), by_tid);
  const Id<Track> track = b.track(
      {.name = {}, .kind = TrackKind::thread, .thread = by_tid, .process = {}, .stream = {}, .parent = {}});
  EXPECT_EQ(b.track({.name = {},
                     .kind = TrackKind::thread,
                     .thread = by_tid,
                     .process = {},
                     .stream = {},
                     .parent = {}}),
            track);
  const Store store = b.seal();
  EXPECT_EQ(store.text(store.tables().process.name[p.row]), "svc");
  EXPECT_EQ(store.text(store.tables().thread.name[by_tid.row]), "worker");
  EXPECT_EQ(store.tables().thread.process[by_tid.row], p.row);
  EXPECT_EQ(store.tables().track.process[track.row], p.row);
}

TEST(Flows, one_start_reaches_every_end_and_late_starts_wait_for_the_next) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  const auto add = [&](std::string_view name, std::int64_t ts, std::vector<std::uint64_t> out,
                       std::vector<std::uint64_t> in) {
    TraceBuilder::SliceOptions options;
    options.flows_out = std::move(out);
    options.flows_in = std::move(in);
    t.slice(name, "span", w.track, ts, ts + 1, options);
  };
  add("out", 0, {5}, {});      // row 0
  add("in1", 10, {}, {5});     // row 1
  add("in2", 20, {}, {5});     // row 2
  add("chain0", 30, {6}, {});  // row 3
  add("chain1", 40, {6}, {6}); // row 4: a step
  add("chain2", 50, {}, {6});  // row 5
  add("fan_a", 60, {7}, {});   // row 6
  add("fan_b", 62, {7}, {});   // row 7
  add("fan_in", 64, {}, {7});  // row 8
  add("lonely", 70, {8}, {});  // row 9
  const Store store = t.seal();
  const FlowTable& flow = store.tables().flow;
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (std::size_t i = 0; i < flow.slice_out.size(); ++i)
    pairs.emplace_back(flow.slice_out[i], flow.slice_in[i]);
  EXPECT_THAT(pairs, testing::UnorderedElementsAre(std::pair(0U, 1U), std::pair(0U, 2U), std::pair(3U, 4U),
                                                   std::pair(4U, 5U), std::pair(6U, 8U), std::pair(7U, 8U)));
  EXPECT_EQ(note_count(store, "note.store.flow_unmatched"), 1);
}

TEST(Flows, a_launch_leads_to_its_kernel_after_both_were_sorted) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  const auto stream = t.stream(0, 3);
  t.kernel(stream, "late", KernelKind::compute, 200, 300, 2)
      .kernel(stream, "early", KernelKind::compute, 100, 150, 1);
  TraceBuilder::SliceOptions one, two;
  one.flows_out = {1};
  two.flows_out = {2};
  t.slice("launch2", "span", w.track, 50, 60, two).slice("launch1", "span", w.track, 10, 20, one);
  const Store store = t.seal();
  EXPECT_EQ(store.text(store.tables().kernel.name[0]), "early");
  EXPECT_THAT(store.tables().kernel.launch, ElementsAre(0U, 1U));
  EXPECT_EQ(store.text(store.tables().slice.name[0]), "launch1");
}

TEST(Requests, a_batch_stage_belongs_to_each_of_its_requests) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(2, 100, 900).request(1, 0, 800, "error");
  t.stage("denoise", w, 300, 700, {1, 2, 2, 99}).wait("queue", "queue_wait", 100, 300, {2});
  const Store store = t.seal();
  const StageTable& stages = store.tables().stage;
  EXPECT_THAT(store.tables().request.request_id, ElementsAre(1, 2)); // by time
  EXPECT_EQ(store.text(store.tables().request.status[0]), "error");
  EXPECT_THAT(stages.request, ElementsAre(0U, 1U, 1U, kNoRow));
  EXPECT_THAT(stages.ts, ElementsAre(300, 100, 300, 300));
  EXPECT_EQ(store.text(stages.wait_class[1]), "queue_wait");
  EXPECT_THAT(stages.thread, ElementsAre(w.thread.row, kNoRow, w.thread.row, w.thread.row));
  EXPECT_EQ(note_count(store, "note.store.stage_without_request"), 1);
}

TEST(Requests, a_reused_request_id_means_the_one_at_that_time) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 0, 100).request(1, 1000, 1100).request(1, 2000, 2100);
  t.stage("a", w, 10, 20, {1}).stage("b", w, 1050, 1060, {1}).stage("c", w, 1990, 2010, {1});
  EXPECT_THAT(t.seal().tables().stage.request, ElementsAre(0U, 1U, 2U));
}

TEST(Requests, a_stage_without_ids_takes_the_request_around_it) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.slice("r", words::kRequest, w.track, 0, 100).slice("s", words::kStage, w.track, 10, 20);
  const Store store = t.seal();
  EXPECT_THAT(store.tables().stage.request, ElementsAre(0U));
  EXPECT_THAT(store.tables().request.request_id, ElementsAre(-1));
}

TEST(Ops, self_time_leaves_out_child_ops_only) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.stage("denoise", w, 0, 1000, {1})
      .op("Loop", w, 100, 600)
      .slice("helper", "span", w.track, 150, 350)
      .op("Add", w, 200, 300);
  t.op("Mul", w, 400, 500);
  const Store store = t.seal();
  const OpTable& ops = store.tables().op;
  EXPECT_THAT(ops.dur, ElementsAre(500, 100, 100));
  EXPECT_THAT(ops.self_dur, ElementsAre(300, 100, 100));
  EXPECT_THAT(ops.stage_slice, ElementsAre(0U, 0U, 0U));
  EXPECT_EQ(store.text(ops.op_type[0]), "Loop");
  EXPECT_EQ(store.text(ops.model[2]), "unet");
}

TEST(Ops, an_op_on_a_pool_thread_has_a_stage_only_through_a_flow) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  const auto pool = t.thread(7, 71, "pool");
  TraceBuilder::SliceOptions out, in;
  out.flows_out = {9};
  in.flows_in = {9};
  t.stage("denoise", w, 0, 100, {1}).slice("run", words::kRun, w.track, 10, 90, out);
  t.slice("part", "span", pool.track, 20, 40, in).op("Conv", pool, 25, 35).op("Gemm", pool, 50, 60);
  const Store store = t.seal();
  EXPECT_THAT(store.tables().op.stage_slice, ElementsAre(0U, kNoRow));
}

TEST(Signals, one_collector_that_has_it_is_enough) {
  StoreBuilder b;
  const auto say = [&](bool has, std::string_view reason) {
    b.signal({.name = b.intern("cache_miss"),
              .is_available = has,
              .source = {},
              .reason = b.intern(reason),
              .mend = {},
              .detail = {}});
  };
  say(false, "signal.reason.a");
  say(true, "");
  say(false, "signal.reason.b");
  const Store store = b.seal();
  const auto row = store.find_signal("cache_miss");
  ASSERT_TRUE(row.has_value());
  EXPECT_TRUE(store.tables().signal.is_available[*row]);
  const auto sched = store.find_signal(words::kSignalSched);
  ASSERT_TRUE(sched.has_value());
  EXPECT_EQ(store.text(store.tables().signal.reason[*sched]), "signal.reason.not_recorded");
}

// What a killed profiler or a full disk leaves says so; what ended, and what other tools wrote, does not.
TEST(Metadata, a_recording_that_was_cut_off_says_so) {
  using Codes = std::vector<std::string_view>;
  for (const auto& [states, expected] : {std::pair{Codes{"recording"}, Codes{"note.store.not_ended"}},
                                         {Codes{"recording", "ended"}, Codes{}},
                                         {Codes{}, Codes{}}}) {
    StoreBuilder b;
    for (const std::string_view state : states)
      b.metadata("capture.state", state);
    const Store store = b.seal();
    Codes codes;
    for (const StrId code : store.tables().note.code)
      codes.push_back(store.text(code));
    EXPECT_EQ(codes, expected);
    // Written and read again, the store draws the same conclusion once.
    StoreBuilder again;
    replay(store, again);
    EXPECT_EQ(again.seal().tables().note.code.size(), expected.size());
  }
}

TEST(Metadata, the_last_value_of_a_key_wins) {
  StoreBuilder b;
  b.metadata("service", "a");
  b.metadata("host", "h");
  b.metadata("service", "b");
  const Store store = b.seal();
  EXPECT_EQ(store.metadata("service"), "b");
  EXPECT_EQ(store.metadata("none"), "");
  EXPECT_EQ(store.tables().metadata.key.size(), 2U);
}

} // namespace
} // namespace prof
