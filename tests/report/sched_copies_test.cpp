// A copy of a trace says the same of its threads, where switches of the scheduler were lost too.
#include "../readers/reader_fixture.hpp"
#include "../store/trace_builder.hpp"
#include "report/export_view.hpp"
#include "store/replay.hpp"

#include <random>

namespace prof::testing {
namespace {

Store through_chrome(const Store& store, const Scratch& scratch) {
  std::string text;
  EXPECT_TRUE(export_chrome_json(store, [&](std::string_view bytes) {
                text += bytes;
                return Status{};
              }).ok());
  return load(scratch.write(text, "json"));
}
Store through_sqlite(const Store& store, const Scratch& scratch) {
  EXPECT_TRUE(export_sqlite(store, scratch.path() / "sqlite").ok());
  return load(scratch.path() / "sqlite");
}
Store through_pb_file(const Store& store, const Scratch& scratch) {
  auto writer = TraceFileWriter::create(scratch.path() / "pb", kImported);
  EXPECT_TRUE(writer.ok());
  replay(store, **writer);
  EXPECT_TRUE((*writer)->finish().ok());
  return load(scratch.path() / "pb");
}
struct Way {
  const char* name;
  Store (*copy)(const Store&, const Scratch&);
};
constexpr Way kWays[] = {{"pb", through_pb_file}, {"sqlite", through_sqlite}, {"json", through_chrome}};

std::string states_of(const Store& store) {
  return ask(store, "select t.tid, s.ts, s.dur, s.state, s.cpu, w.tid from thread_state s join thread t on "
                    "t.id = s.thread_id left join thread w on w.id = s.waker_thread_id order by 1, 2");
}
std::string runs_of(const Store& store) {
  return ask(store, "select s.cpu, s.ts, s.dur, t.tid, s.end_state from sched s join thread t on t.id = "
                    "s.thread_id order by 1, 2, 3, 4");
}

// CPU 0: 70 came at 100, and 71 left at 200: who ran in between is lost. CPU 1: it was idle from 150 on, and
// 72 left it at 300, for good. 73 slept, and was woken while nobody knew what it did.
TEST(SchedCopies, states_that_nobody_knows_stay_so_and_what_is_known_behind_them_too) {
  TraceBuilder t;
  for (const std::int64_t tid : {70, 71, 72, 73, 74, 75})
    t.thread(7, tid, "worker");
  t.switch_to(100, 0, 0, 'R', 70).switch_to(200, 0, 71, 'D', 74).switch_to(400, 0, 74, 'S', 0);
  t.switch_to(50, 1, 72, 'S', 0).switch_to(300, 1, 72, 'X', 0);
  t.switch_to(60, 2, 73, 'S', 0)
      .switch_to(120, 2, 0, 'R', 73)
      .switch_to(220, 2, 75, 'R', 0)
      .wake(250, 73, 71);
  t.wake(500, 70, 71);
  const Store store = t.seal();
  EXPECT_EQ(states_of(store),
            "70|100|400|unknown|-|-;71|200|300|blocked|-|-;72|50|250|sleeping|-|-;73|50|10|running|2|-;"
            "73|60|60|sleeping|-|-;73|120|130|unknown|-|-;73|250|250|runnable|-|71;74|200|200|running|0|-;"
            "74|400|100|sleeping|-|-;75|220|280|preempted|-|-");
  for (const Way& way : kWays) {
    const Scratch scratch;
    const Store copy = way.copy(store, scratch);
    EXPECT_EQ(states_of(copy), states_of(store)) << way.name;
    EXPECT_EQ(runs_of(copy), runs_of(store)) << way.name;
    EXPECT_EQ(ask(copy, "select count from note where code = 'note.store.sched_gap'"), "3") << way.name;
    EXPECT_EQ(states_of(way.copy(copy, scratch)), states_of(store)) << way.name << ", a copy of it";
  }
}

// Odd seeds also say of threads that they run on two CPUs at once; JSON keeps the runs as they are told, and
// no state that contradicts them.
TEST(SchedCopies, any_scheduling_with_losses_comes_back) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const bool is_contradicting = seed % 2 == 1;
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
    TraceBuilder t;
    for (int cpu = 0; cpu < 3; ++cpu) {
      std::int64_t ts = 1'000'000 + cpu, running = 0;
      const auto thread = [&] { return (is_contradicting ? 70 : 10 * (cpu + 1)) + below(6); };
      for (int i = 0; i < 60; ++i) {
        const std::int64_t next = below(5) == 0 ? 0 : thread();
        if (below(3) == 0) t.wake(ts + below(3), thread(), thread());
        ts += below(4) == 0 ? 1 : 1 + below(1000);
        const std::int64_t prev = below(4) == 0 ? thread() : running; // who came before is lost
        if (prev != next) t.switch_to(ts, cpu, prev, "RSDIX"[below(5)], next);
        running = next;
      }
    }
    const Store store = t.seal();
    ASSERT_NE(ask(store, "select count(*) from thread_state where state = 'unknown'"), "0");
    for (const Way& way : kWays) {
      if (is_contradicting && way.copy == through_chrome) continue;
      const Scratch scratch;
      const Store copy = way.copy(store, scratch);
      EXPECT_EQ(runs_of(copy), runs_of(store)) << way.name << " " << seed;
      EXPECT_EQ(states_of(copy), states_of(store)) << way.name << " " << seed;
    }
  }
}

} // namespace
} // namespace prof::testing
