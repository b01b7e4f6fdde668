// Symbols, call stacks, samples, and the scheduler's view.
#include "capture/ledger_sink.hpp"
#include "store/losses.hpp"
#include "trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

using testing::ElementsAre;

std::vector<std::string> stack_of(const Store& store, std::uint32_t node) {
  std::vector<std::string> out;
  for (; node != kNoRow; node = store.tables().callstack.parent[node])
    out.insert(out.begin(),
               std::string(store.text(store.tables().frame.function[store.tables().callstack.frame[node]])));
  return out;
}

TEST(Callstacks, inlined_functions_become_nodes_and_unknown_places_keep_their_address) {
  StoreBuilder b;
  const Id<Mapping> lib = b.mapping({.path = b.intern("/usr/lib/libfoo.so"),
                                     .build_id = {},
                                     .start = 0x1000,
                                     .end = 0x2000,
                                     .file_offset = 0});
  const auto frame = [&](std::uint64_t pc) {
    return b.frame({.function = {},
                    .mapping = lib,
                    .rel_pc = pc,
                    .source_file = {},
                    .line = 0,
                    .kind = FrameKind::native});
  };
  const Id<Thread> thread = b.thread({.process = {}, .tid = 1, .name = {}});
  const std::vector<Id<Frame>> frames{frame(0x10), frame(0x1234)};
  const Id<Callstack> stack = b.callstack({frames});
  EXPECT_EQ(b.callstack({frames}), stack);
  b.sample({.ts = Ts{5},
            .thread = thread,
            .cpu = 0,
            .callstack = stack,
            .event = b.intern(words::kEventCpu),
            .weight = 1});
  b.symbol(lib, 0x10, 1, b.intern("inner"), b.intern("a.cpp"), 12);
  b.symbol(lib, 0x10, 0, b.intern("old"), {}, 0);
  b.symbol(lib, 0x10, 0, b.intern("outer"), b.intern("a.cpp"), 7); // the last word counts
  const Store store = b.seal();
  EXPECT_THAT(stack_of(store, store.tables().sample.callstack[0]),
              ElementsAre("outer", "inner", "libfoo.so+0x1234"));
  EXPECT_THAT(store.tables().callstack.depth, ElementsAre(0, 1, 2));
  EXPECT_EQ(store.tables().frame.line[0], 7U);
  EXPECT_EQ(store.tables().frame.line[1], 12U);
  EXPECT_EQ(store.tables().frame.rel_pc[1], 0x10U);
}

TEST(Callstacks, common_prefixes_are_shared) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  t.sample(w, 1, words::kEventCpu, {"main", "run", "conv"})
      .sample(w, 2, words::kEventCpu, {"main", "run", "gemm"});
  t.sample(w, 3, words::kEventCpu, {"main"}).sample(w, 4, words::kEventCpu, {});
  const Store store = t.seal();
  EXPECT_EQ(store.tables().callstack.frame.size(), 4U);
  EXPECT_THAT(store.tables().sample.callstack, ElementsAre(2U, 3U, 0U, kNoRow));
}

TEST(Samples, they_come_out_in_time_order) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  t.sample(w, 30, words::kEventCpu, {"c"})
      .sample(w, 10, words::kEventCpu, {"a"})
      .sample(w, 20, words::kEventCpu, {"b"});
  const Store store = t.seal();
  EXPECT_THAT(store.tables().sample.ts, ElementsAre(10, 20, 30));
  EXPECT_THAT(stack_of(store, store.tables().sample.callstack[0]), ElementsAre("a"));
}

struct State {
  std::int64_t ts, dur;
  char state;
  friend bool operator==(const State&, const State&) = default;
};
std::vector<State> states_of(const Store& store, std::uint32_t thread) {
  const ThreadStateTable& t = store.tables().thread_state;
  std::vector<State> out;
  for (std::size_t i = 0; i < t.ts.size(); ++i)
    if (t.thread[i] == thread) out.push_back({t.ts[i], t.dur[i], t.state[i]});
  return out;
}

TEST(Sched, a_thread_runs_sleeps_wakes_waits_and_runs_again) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  const auto waker = t.thread(1, 11, "waker");
  t.switch_to(100, 0, 0, 'R', 10).switch_to(200, 0, 10, 'S', 0);
  t.wake(300, 10, 11)
      .switch_to(350, 0, 0, 'R', 10)
      .switch_to(400, 0, 10, 'R', 0)
      .switch_to(450, 0, 0, 'R', 10)
      .switch_to(500, 0, 10, 'D', 0);
  const Store store = t.seal();
  EXPECT_THAT(states_of(store, w.thread.row),
              ElementsAre(State{100, 100, 'X'}, State{200, 100, 'S'}, State{300, 50, 'R'},
                          State{350, 50, 'X'}, State{400, 50, 'P'}, State{450, 50, 'X'}));
  EXPECT_EQ(store.tables().thread_state.waker_thread[2], waker.thread.row);
  EXPECT_THAT(store.tables().sched.dur, ElementsAre(100, 50, 50));
  EXPECT_THAT(store.tables().sched.end_state, ElementsAre('S', 'R', 'D'));
}

TEST(Sched, who_ran_at_the_edges_of_the_recording_is_kept) {
  TraceBuilder t;
  const auto a = t.thread(1, 10, "a");
  const auto b = t.thread(1, 11, "b");
  t.wake(0, 12).switch_to(100, 0, 10, 'S', 11).wake(300, 12);
  const Store store = t.seal();
  EXPECT_THAT(states_of(store, a.thread.row), ElementsAre(State{0, 100, 'X'}, State{100, 200, 'S'}));
  EXPECT_THAT(states_of(store, b.thread.row), ElementsAre(State{100, 200, 'X'}));
}

TEST(Sched, lost_switches_make_no_claim) {
  TraceBuilder t;
  const auto a = t.thread(1, 10, "a");
  const auto b = t.thread(1, 11, "b");
  t.switch_to(0, 0, 0, 'R', 10)
      .switch_to(100, 0, 11, 'S', 0)
      .switch_to(200, 0, 0, 'R', 10)
      .switch_to(300, 0, 10, 'S', 0);
  const Store store = t.seal();
  EXPECT_THAT(states_of(store, a.thread.row), ElementsAre(State{0, 200, 'U'}, State{200, 100, 'X'}));
  EXPECT_THAT(states_of(store, b.thread.row), ElementsAre(State{100, 200, 'S'}));
  EXPECT_EQ(store.text(store.tables().note.code[0]), "note.store.sched_gap");
}

// The end of a recording said that nothing was lost, and 'info' counted switches that were missing.
TEST(Sched, as_much_is_missing_for_the_recorder_as_for_the_reader) {
  StoreBuilder b;
  LedgerSink recorder(b);
  struct Row {
    std::int64_t ts;
    std::int32_t cpu;
    std::int64_t prev, next;
  };
  for (const Row& row : {Row{0, 0, 0, 10}, Row{1, 1, 11, 0}, Row{2, 0, 11, 0}, Row{3, 1, 0, 12},
                         Row{4, 0, 12, 13}, Row{5, 1, 12, 0}, Row{6, 0, 13, 0}, Row{7, 1, 14, 0}})
    recorder.sched_switch(
        {.ts = Ts{row.ts}, .cpu = row.cpu, .prev_tid = row.prev, .prev_state = 'S', .next_tid = row.next});
  recorder.note({.severity = Severity::data_loss, .code = b.intern("note.samples_lost"), .count = 5});
  recorder.note({.severity = Severity::notice, .code = b.intern("note.sched_thinned"), .count = 7});
  EXPECT_EQ(recorder.lost(), 3 + 5) << "11 and 12 leave CPU 0 and 14 leaves CPU 1, where they never came";
  EXPECT_EQ(losses_of(b.seal()).records, 3 + 5);
}

TEST(Sched, threads_that_only_the_scheduler_knows_get_rows_and_names) {
  StoreBuilder b;
  b.sched_switch({.ts = Ts{0},
                  .cpu = 1,
                  .prev_tid = 0,
                  .prev_state = 'R',
                  .next_tid = 77,
                  .next_prio = 120,
                  .next_comm = b.intern("kworker")});
  b.sched_switch({.ts = Ts{9},
                  .cpu = 1,
                  .prev_tid = 77,
                  .prev_state = 'X',
                  .next_tid = 0,
                  .next_prio = 120,
                  .next_comm = {}});
  const Store store = b.seal();
  ASSERT_EQ(store.tables().thread.tid.size(), 1U);
  EXPECT_EQ(store.text(store.tables().thread.name[0]), "kworker");
  EXPECT_EQ(store.tables().thread.process[0], kNoRow);
  EXPECT_THAT(states_of(store, 0), ElementsAre(State{0, 9, 'X'})); // gone afterwards
}

TEST(Sched, the_stack_at_the_switch_belongs_to_the_sleep) {
  TraceBuilder t;
  const auto w = t.thread(1, 10, "w");
  t.runs(w, 0, {{0, 100'000}, {500'000, 600'000}, {900'000, 950'000}});
  t.sample(w, 99'000, words::kEventSwitch, {"near"})
      .sample(w, 85'000, words::kEventSwitch, {"nearer than 20 us, but not nearest"});
  t.sample(w, 570'000, words::kEventSwitch, {"30 us off"})
      .sample(w, 600'000, words::kEventCpu, {"not a switch"});
  const Store store = t.seal();
  const ThreadStateTable& states = store.tables().thread_state;
  std::vector<std::uint32_t> asleep;
  for (std::size_t i = 0; i < states.ts.size(); ++i)
    if (states.state[i] == 'S') asleep.push_back(states.sample[i]);
  ASSERT_EQ(asleep.size(), 2U);
  EXPECT_EQ(store.tables().sample.ts[asleep[0]], 99'000);
  EXPECT_EQ(asleep[1], kNoRow);
}

TEST(Counters, they_are_sorted_by_track_then_time) {
  TraceBuilder t;
  t.counter("rss", "bytes", {{20, 2}, {10, 1}})
      .counter("cpu_util", "percent", {{5, 50}})
      .counter("rss", "bytes", {{15, 3}});
  const Store store = t.seal();
  EXPECT_THAT(store.tables().counter.ts, ElementsAre(10, 15, 20, 5));
  EXPECT_THAT(store.tables().counter.value, ElementsAre(1, 3, 2, 50));
  EXPECT_EQ(store.tables().counter_track.name.size(), 2U);
}

} // namespace
} // namespace prof
