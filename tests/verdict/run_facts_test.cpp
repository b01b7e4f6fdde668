// What the verdict reads from a trace.
#include "verdict/run_facts.hpp"

#include "../store/trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace prof;
using testing::ElementsAre;
using testing::Pair;

TEST(run_facts, arrivals_hold_cut_requests_and_series_do_not) {
  TraceBuilder t;
  t.request(1, 100, 900).request(2, 300, 1000, "unfinished").request(3, 200, 800, "error");
  const Store store = t.seal();
  auto sql = Sql::open(store);
  const RunFacts run = *read_run(store, *sql, {});
  EXPECT_THAT(run.arrival_ts, ElementsAre(100, 200, 300));
  EXPECT_THAT(run.request_ts, ElementsAre(100, 200));
  EXPECT_EQ(run.requests, 3);
  EXPECT_EQ(run.unfinished, 1);
  EXPECT_EQ(run.errors, 1);
}

TEST(run_facts, say_what_the_units_of_work_are) {
  const auto unit_of = [](TraceBuilder& t) {
    const Store store = t.seal();
    auto sql = Sql::open(store);
    return read_run(store, *sql, {})->unit;
  };
  TraceBuilder requests, steps, marked, none;
  requests.request(1, 100, 900);
  const auto w = steps.thread(1, 2, "main");
  steps.slice("ProfilerStep#5", "user_annotation", w.track, 0, 400);
  marked.request(1, 100, 900).sink().metadata("request.source", "ProfilerStep markers");
  none.op("Conv", none.thread(7, 70, "worker"), 0, 40);
  EXPECT_EQ(unit_of(requests), "request");
  EXPECT_EQ(unit_of(steps), "iteration");
  EXPECT_EQ(unit_of(marked), "iteration");
  EXPECT_EQ(unit_of(none), "");
}

TEST(run_facts, operators_count_by_type_and_take_time_by_a_name_that_tells_the_model) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.op("Conv", w, 0, 40, "/down/Conv").op("Relu", w, 40, 50, "Relu_12").op("Conv", w, 50, 70, "/down/Conv");
  t.op("conv2d", w, 70, 75, "aten::conv2d");
  const Store store = t.seal();
  auto sql = Sql::open(store);
  const RunFacts run = *read_run(store, *sql, {});
  EXPECT_THAT(run.op_types, ElementsAre(Pair("Conv", 2), Pair("Relu", 1), Pair("conv2d", 1)));
  EXPECT_THAT(run.op_names, ElementsAre(Pair("/down/Conv", 60)));
}

// 8 us asked, 6 on a CPU, 2 preempted: a quarter. Without the scheduler nobody knows.
TEST(run_facts, hold_how_long_the_requests_waited_for_a_cpu) {
  const auto wait_of = [](bool has_sched) {
    TraceBuilder t;
    const auto w = t.thread(7, 70, "worker");
    t.request(1, 1000, 9000).stage("work", w, 1000, 9000, {1});
    if (has_sched) t.runs(w, 0, {{500, 4000}, {6000, 9500}}, 'R');
    const Store store = t.seal();
    auto sql = Sql::open(store);
    return read_run(store, *sql, {})->cpu_wait;
  };
  EXPECT_DOUBLE_EQ(wait_of(true).value(), 0.25);
  EXPECT_FALSE(wait_of(false).has_value());
}

// A file that was cut or damaged has no "lost 0 %": how much is missing is not known.
TEST(run_facts, what_was_cut_off_is_not_taken_for_whole) {
  const auto facts_with = [](std::string_view code, std::int64_t count) {
    TraceBuilder t;
    t.request(1, 100, 900).op("Conv", t.thread(7, 70, "worker"), 0, 40);
    t.sink().note({.severity = Severity::data_loss, .code = t.text(code), .count = count});
    const Store store = t.seal();
    auto sql = Sql::open(store);
    return *read_run(store, *sql, {});
  };
  const RunFacts damaged = facts_with("note.tracefile.damaged", 4);
  EXPECT_TRUE(damaged.is_incomplete);
  EXPECT_EQ(damaged.lost, 0);
  const RunFacts dropped = facts_with("note.samples_lost", 4);
  EXPECT_FALSE(dropped.is_incomplete);
  EXPECT_EQ(dropped.lost, 4);
}

// A copy of the same file was judged like two recordings.
TEST(run_facts, one_recording_on_both_sides_is_refused_whatever_its_name) {
  const auto run = [](const char* path, const char* sha) {
    RunFacts facts;
    facts.path = path, facts.sha256 = sha;
    return facts;
  };
  const std::vector<RunFacts> before{run("a.pb", "11"), run("b.pb", "22")}, other{run("c.pb", "33")};
  EXPECT_TRUE(check_two_recordings(before, other).ok());
  const auto refused = check_two_recordings(before, std::vector{run("c.pb", "33"), run("copy.pb", "22")});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::bad_argument);
  EXPECT_THAT(refused.error().what,
              testing::StartsWith("b.pb (before) and copy.pb (after) are the same recording"));
  EXPECT_THAT(refused.error().zh, testing::HasSubstr("是同一份录制"));
  // A copy in another format has another digest, and the same requests at the same date.
  RunFacts original = run("a.pb", "11"), copy = run("a.sqlite", "44");
  for (RunFacts* facts : {&original, &copy})
    facts->start_realtime_ns = 1'700'000'000'000'000'000, facts->request_ts = {5, 9},
    facts->request_ns = {3, 4}, facts->arrival_ts = {5, 9};
  EXPECT_FALSE(check_two_recordings(std::vector{original}, std::vector{copy}).ok());
  copy.request_ns = {3, 5};
  EXPECT_TRUE(check_two_recordings(std::vector{original}, std::vector{copy}).ok());
  copy.request_ns = {3, 4}, ++copy.start_realtime_ns;
  EXPECT_TRUE(check_two_recordings(std::vector{original}, std::vector{copy}).ok());
  // What has no digest is not known to be the same.
  EXPECT_TRUE(check_two_recordings(std::vector{run("x", "")}, std::vector{run("y", "")}).ok());
}
