// Where the recorded time of threads went when nothing in the trace is a unit of work.
#include "store/request_time.hpp"

#include "store/sql.hpp"
#include "trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace prof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using Classes = std::map<std::string, std::int64_t>;

Classes of_thread(const ThreadTime& time, std::uint32_t thread) {
  Classes out;
  for (std::size_t row = 0; row < time.thread.size(); ++row)
    if (time.thread[row] == thread)
      for (std::size_t c = 0; c < kTimeClasses; ++c)
        if (time.ns[row][c] != 0) out[std::string(word(static_cast<TimeClass>(c)))] = time.ns[row][c];
  return out;
}

// Asleep from 1000 to 3000 with this stack; before and after on a CPU for 1000 ns.
Classes sleeps_with(std::initializer_list<std::string_view> stack, char state = 'S') {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.switch_to(0, 0, 0, 'R', 70);
  t.sample(w, 999, words::kEventSwitch, stack);
  t.switch_to(1000, 0, 70, state, 0).switch_to(3000, 0, 0, 'R', 70).switch_to(4000, 0, 70, 'S', 0);
  const Store store = t.seal();
  return of_thread(account_threads(store), 0);
}

TEST(ThreadTime, waits_by_their_stack_and_what_may_be_idleness_is_sleeping) {
  const auto blocked = [](const char* time_class) {
    return Classes{{"cpu_other", 2000}, {time_class, 2000}};
  };
  EXPECT_EQ(sleeps_with({"serve", "pthread_mutex_lock", "futex_wait_[k]"}), blocked("lock_wait"));
  EXPECT_EQ(sleeps_with({"serve", "pthread_cond_wait", "futex_wait_[k]"}), blocked("sleeping"));
  // CPython's lock sleeps on a condition variable.
  EXPECT_EQ(sleeps_with({"PyEval_RestoreThread", "pthread_cond_timedwait", "futex_wait_[k]"}),
            blocked("lock_wait"));
  EXPECT_EQ(sleeps_with({"serve", "take_gil", "pthread_cond_timedwait", "futex_wait_[k]"}),
            blocked("lock_wait"));
  for (const char* event : {"do_epoll_wait_[k]", "ep_poll_[k]", "do_sys_poll_[k]", "do_select_[k]"})
    EXPECT_EQ(sleeps_with({"loop", event}), blocked("sleeping")) << event;
  EXPECT_EQ(sleeps_with({"loop", "ksys_read_[k]", "vfs_read_[k]", "pipe_read_[k]"}), blocked("sleeping"));
  EXPECT_EQ(sleeps_with({"log", "vfs_read_[k]", "io_schedule_[k]"}), blocked("io"));
  EXPECT_EQ(sleeps_with({"log", "do_fsync_[k]"}, 'D'), blocked("io"));
  EXPECT_EQ(sleeps_with({"recv", "tcp_recvmsg_[k]"}), blocked("network"));
  EXPECT_EQ(sleeps_with({"touch", "exc_page_fault_[k]"}, 'D'), blocked("page_fault"));
}

TEST(ThreadTime, of_requests_still_counts_an_event_wait_as_input_and_output) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 0, 4000).stage("serve", w, 0, 4000, {1});
  t.switch_to(0, 0, 0, 'R', 70).sample(w, 999, words::kEventSwitch, {"serve", "do_epoll_wait_[k]"});
  t.switch_to(1000, 0, 70, 'S', 0).switch_to(3000, 0, 0, 'R', 70).switch_to(4000, 0, 70, 'S', 0);
  const Store store = t.seal();
  EXPECT_EQ(account_requests(store).ns[0][static_cast<std::size_t>(TimeClass::io)], 2000);
}

TEST(ThreadTime, is_each_thread_for_itself) {
  TraceBuilder t;
  const auto main = t.thread(7, 70, "main"), pool = t.thread(7, 71, "pool");
  t.slice("run", words::kRun, main.track, 0, 1000).op("MatMul", main, 0, 1000);
  t.switch_to(0, 0, 0, 'R', 70).switch_to(200, 0, 70, 'S', 0); // main waits in its run
  t.switch_to(900, 0, 0, 'R', 70).switch_to(1000, 0, 70, 'S', 0);
  t.runs(pool, 1, {{200, 900}});                                     // while the pool computes for it
  t.switch_to(100, 2, 0, 'R', 4711).switch_to(900, 2, 4711, 'S', 0); // somebody whose process nobody watched
  const Store store = t.seal();
  const ThreadTime time = account_threads(store);
  ASSERT_EQ(time.thread.size(), 2U);
  EXPECT_EQ(of_thread(time, 0), (Classes{{"cpu_op", 300}, {"sleeping", 700}}));
  EXPECT_EQ(of_thread(time, 1), (Classes{{"cpu_other", 700}, {"sleeping", 100}}))
      << "to the end of the recording";
  EXPECT_THAT(time.dur, ElementsAre(1000, 800));
}

TEST(ThreadTime, without_the_scheduler_is_what_operators_or_samples_say) {
  TraceBuilder t;
  const auto ops = t.thread(7, 70, "ops"), sampled = t.thread(7, 71, "sampled");
  t.thread(7, 72, "silent");
  t.op("Conv", ops, 100, 400).op("Relu", ops, 600, 700);
  t.sample(sampled, 150, words::kEventCpu, {"main", "f"}, 40);
  t.sample(sampled, 250, words::kEventCpu, {"main", "g"}, 2);
  t.sample(sampled, 300, words::kEventFault, {"main", "g"}, 1000);
  const Store store = t.seal();
  const ThreadTime time = account_threads(store);
  EXPECT_THAT(time.thread, ElementsAre(0, 1));
  EXPECT_EQ(of_thread(time, 0), (Classes{{"cpu_op", 400}, {"unexplained", 200}}));
  EXPECT_EQ(of_thread(time, 1), (Classes{{"cpu_other", 42}}));
}

TEST(ThreadTime, of_hostile_weights_stays_a_number) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "w");
  for (int i = 0; i < 3; ++i)
    t.sample(w, i, words::kEventCpu, {"f"}, std::numeric_limits<std::int64_t>::max());
  const Store store = t.seal();
  EXPECT_EQ(of_thread(account_threads(store), 0), (Classes{{"cpu_other", std::int64_t{1} << 62}}));
  TraceBuilder empty;
  const Store nothing = empty.seal();
  EXPECT_THAT(account_threads(nothing).thread, IsEmpty());
}

TEST(ThreadTime, is_a_table_whose_classes_sum_to_what_was_recorded) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.runs(w, 0, {{100, 400}, {600, 700}});
  const Store store = t.seal();
  auto sql = Sql::open(store);
  ASSERT_TRUE(sql.ok());
  const auto rows = sql->query("select thread_id, class, ns, from_ts, of_ns from thread_time order by class");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  using Row = std::vector<SqlValue>;
  const auto row = [](const char* time_class, std::int64_t ns) {
    return Row{std::int64_t{0}, std::string(time_class), ns, std::int64_t{100}, std::int64_t{600}};
  };
  EXPECT_THAT(rows->rows, ElementsAre(row("cpu_other", 400), row("sleeping", 200)));
  const auto reason = sql->query("select count(*) from thread_state where reason is not null");
  ASSERT_TRUE(reason.ok());
  EXPECT_EQ(std::get<std::int64_t>(reason->rows[0][0]), 0);
}

TEST(ThreadTime, the_reason_of_a_wait_is_a_column_of_its_state) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.switch_to(0, 0, 0, 'R', 70);
  t.sample(w, 999, words::kEventSwitch, {"serve", "pthread_mutex_lock", "futex_wait_[k]"});
  t.switch_to(1000, 0, 70, 'S', 0).switch_to(3000, 0, 0, 'R', 70).switch_to(4000, 0, 70, 'S', 0);
  const Store store = t.seal();
  auto sql = Sql::open(store);
  const auto rows = sql->query("select state, reason from thread_state where reason is not null");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  EXPECT_THAT(rows->rows,
              ElementsAre(std::vector<SqlValue>{std::string("sleeping"), std::string("lock_wait")}));
}

} // namespace
} // namespace prof
