// The exclusive accounting, class by class, on traces where every nanosecond is known.
#include "metrics/request_accounting.hpp"

#include "../store/trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace prof {
namespace {

using Classes = std::map<std::string, std::int64_t>;

Classes classes_of(const RequestTime& time, std::size_t unit = 0) {
  Classes out;
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < kTimeClasses; ++c) {
    const std::int64_t ns = time.ns.at(unit)[c];
    EXPECT_GE(ns, 0);
    sum += ns;
    if (ns != 0) out[std::string(word(static_cast<TimeClass>(c)))] = ns;
  }
  EXPECT_EQ(sum, time.unit.dur[unit]);
  return out;
}
Classes account(TraceBuilder& t, std::size_t unit = 0) {
  const Store store = t.seal();
  return classes_of(account_requests(store), unit);
}

TEST(Accounting, waiting_stages_give_their_class_and_gaps_stay_unexplained) {
  TraceBuilder t;
  t.request(1, 0, 1000);
  t.wait("queue", "queue_wait", 0, 200, {1})
      .wait("batch", "batch_wait", 200, 300, {1})
      .wait("npu", "device_wait", 400, 600, {1});
  t.wait("send", "network", 600, 650, {1}).wait("strange", "", 700, 800, {1});
  EXPECT_EQ(account(t), (Classes{{"queue_wait", 200},
                                 {"batch_wait", 100},
                                 {"device_wait", 200},
                                 {"network", 50},
                                 {"unexplained", 450}}));
}

TEST(Accounting, the_worker_s_scheduler_states_are_split_by_operators) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 0, 1000).stage("denoise", w, 100, 900, {1}).op("Conv", w, 150, 400);
  // running 100-500, preempted 500-550, running 550-600, asleep 600-700, woken 700-730, running 730-900
  t.switch_to(100, 0, 0, 'R', 70)
      .switch_to(500, 0, 70, 'R', 0)
      .switch_to(550, 0, 0, 'R', 70)
      .switch_to(600, 0, 70, 'S', 0);
  t.wake(700, 70).switch_to(730, 0, 0, 'R', 70).switch_to(900, 0, 70, 'S', 0);
  // on CPU 400 + 50 + 170 = 620, of which 250 in the operator; before 100 and after 900 nobody has the
  // request
  EXPECT_EQ(account(t), (Classes{{"cpu_op", 250},
                                 {"cpu_other", 370},
                                 {"preempted", 50},
                                 {"sleeping", 100},
                                 {"runnable", 30},
                                 {"unexplained", 200}}));
}

TEST(Accounting, without_scheduler_data_operators_compute_and_the_rest_is_not_known) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 0, 1000)
      .stage("denoise", w, 0, 1000, {1})
      .slice("run", words::kRun, w.track, 100, 800)
      .op("Conv", w, 200, 500);
  t.slice("mutex", words::kLock, w.track, 850, 870);
  EXPECT_EQ(account(t),
            (Classes{{"cpu_op", 300}, {"cpu_other", 400}, {"lock_wait", 20}, {"unexplained", 280}}));
}

TEST(Accounting, a_hole_in_the_scheduler_data_is_no_claim) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 0, 1000).stage("denoise", w, 0, 1000, {1});
  t.runs(w, 0, {{600, 1000}});
  EXPECT_EQ(account(t), (Classes{{"cpu_other", 400}, {"unexplained", 600}}));
}

// A worker that sleeps in [200, 800) with this stack.
Classes asleep_with(std::initializer_list<std::string_view> stack, char state = 'S') {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 200, 800).stage("denoise", w, 200, 800, {1});
  t.runs(w, 0, {{0, 200}, {800, 900}}, state);
  t.sample(w, 199, words::kEventSwitch, stack);
  return account(t);
}

TEST(Accounting, the_stack_says_why_a_thread_slept) {
  EXPECT_EQ(asleep_with({"main", "pthread_mutex_lock", "__x64_sys_futex_[k]", "do_futex_[k]",
                         "futex_wait_[k]", "schedule_[k]"}),
            (Classes{{"lock_wait", 600}}));
  EXPECT_EQ(asleep_with({"main", "std::condition_variable::wait", "pthread_cond_wait", "do_futex_[k]",
                         "futex_wait_[k]"}),
            (Classes{{"sleeping", 600}}));
  EXPECT_EQ(asleep_with({"main", "do_futex_[k]", "futex_lock_pi_[k]"}), (Classes{{"lock_wait", 600}}));
  EXPECT_EQ(asleep_with({"main", "read", "ksys_read_[k]", "vfs_read_[k]", "io_schedule_[k]"}),
            (Classes{{"io", 600}}));
  EXPECT_EQ(asleep_with({"main", "poll", "do_sys_poll_[k]"}), (Classes{{"io", 600}}));
  EXPECT_EQ(asleep_with({"main", "recv", "__sys_recvfrom_[k]", "tcp_recvmsg_[k]", "sk_wait_data_[k]"}),
            (Classes{{"network", 600}}));
  EXPECT_EQ(
      asleep_with({"main", "memcpy", "asm_exc_page_fault_[k]", "filemap_fault_[k]", "io_schedule_[k]"}, 'D'),
      (Classes{{"page_fault", 600}}));
  EXPECT_EQ(asleep_with({"main", "mmap", "down_write_[k]", "rwsem_down_write_slowpath_[k]"}, 'D'),
            (Classes{{"lock_wait", 600}}));
  EXPECT_EQ(asleep_with({"main", "usleep", "hrtimer_nanosleep_[k]"}), (Classes{{"sleeping", 600}}));
  EXPECT_EQ(asleep_with({"main", "unknown"}), (Classes{{"sleeping", 600}}));
  EXPECT_EQ(asleep_with({"main", "unknown"}, 'D'), (Classes{{"io", 600}}));
}

TEST(Accounting, functions_of_the_program_with_kernel_names_prove_nothing) {
  EXPECT_EQ(asleep_with({"main", "vfs_read_wrapper", "tcp_client::wait"}), (Classes{{"sleeping", 600}}));
}

TEST(Accounting, a_lock_span_wins_over_the_stack) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 200, 800).stage("denoise", w, 200, 800, {1}).slice("mutex", words::kLock, w.track, 250, 700);
  t.runs(w, 0, {{0, 200}, {800, 900}});
  EXPECT_EQ(account(t), (Classes{{"lock_wait", 450}, {"sleeping", 150}}));
}

TEST(Accounting, a_worker_that_waits_in_a_run_for_its_pool_computes) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker"), pool = t.thread(7, 71, "pool"),
             other = t.thread(8, 80, "other process");
  t.request(1, 0, 1000).stage("denoise", w, 0, 1000, {1}).slice("run", words::kRun, w.track, 100, 900);
  t.switch_to(0, 0, 0, 'R', 70).switch_to(200, 0, 70, 'S', 0); // asleep from 200
  t.switch_to(250, 1, 0, 'R', 71)
      .switch_to(400, 1, 71, 'R', 0); // the pool runs 250-400, is preempted until 450
  t.switch_to(450, 1, 0, 'R', 71).switch_to(500, 1, 71, 'S', 0);                // runs until 500, sleeps
  t.wake(550, 71).switch_to(580, 1, 0, 'R', 71).switch_to(600, 1, 71, 'S', 80); // woken, runs 580-600
  t.switch_to(800, 1, 80, 'S', 0);
  t.switch_to(950, 0, 0, 'R', 70).switch_to(1000, 0, 70, 'S', 0); // the worker runs again
  (void)pool, (void)other;
  // running 200 + 50, none in an operator; asleep 200-950: pool running 150 + 50 + 20, preempted 50, woken
  // 30, else 450
  EXPECT_EQ(
      account(t),
      (Classes{{"cpu_other", 250}, {"cpu_op", 220}, {"preempted", 50}, {"runnable", 30}, {"sleeping", 450}}));
}

TEST(Accounting, another_worker_s_running_is_not_mine) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker"), second = t.thread(7, 71, "second worker");
  t.request(1, 0, 1000)
      .request(2, 0, 1000)
      .stage("denoise", w, 0, 1000, {1})
      .slice("run", words::kRun, w.track, 0, 1000);
  t.stage("denoise", second, 0, 1000, {2});
  t.switch_to(0, 0, 0, 'R', 70).switch_to(100, 0, 70, 'S', 0).switch_to(1000, 0, 0, 'R', 70);
  t.switch_to(0, 1, 0, 'R', 71).switch_to(1000, 1, 71, 'S', 0);
  const Store store = t.seal();
  const RequestTime time = account_requests(store);
  EXPECT_EQ(classes_of(time, 0), (Classes{{"cpu_other", 100}, {"sleeping", 900}}));
  EXPECT_EQ(classes_of(time, 1), (Classes{{"cpu_other", 1000}}));
}

TEST(Accounting, throttling_needs_a_growing_counter_and_a_process_off_all_cpus) {
  const auto make = [](bool pool_runs, double throttled_ns) {
    TraceBuilder t;
    const auto w = t.thread(7, 70, "worker");
    t.thread(7, 71, "pool");
    t.request(1, 0, 1000).stage("denoise", w, 0, 1000, {1});
    t.switch_to(0, 0, 0, 'R', 70)
        .switch_to(300, 0, 70, 'R', 0)
        .switch_to(800, 0, 0, 'R', 70)
        .switch_to(1000, 0, 70, 'S', 0);
    if (pool_runs) t.switch_to(400, 1, 0, 'R', 71).switch_to(600, 1, 71, 'S', 0);
    t.counter("throttled_time", "ns", {{0, 0}, {200, 0}, {900, throttled_ns}, {1000, throttled_ns}});
    return account(t);
  };
  EXPECT_EQ(make(false, 5000), (Classes{{"cpu_other", 500}, {"throttled", 500}}));
  EXPECT_EQ(make(false, 100), (Classes{{"cpu_other", 500},
                                       {"throttled", 100},
                                       {"preempted", 400}})); // never more than the counter grew
  EXPECT_EQ(make(true, 5000), (Classes{{"cpu_other", 500}, {"throttled", 300}, {"preempted", 200}}));
  EXPECT_EQ(make(false, 0), (Classes{{"cpu_other", 500}, {"preempted", 500}}));
}

TEST(Accounting, work_wins_over_waiting_and_the_last_to_end_is_the_critical_path) {
  TraceBuilder t;
  const auto a = t.thread(7, 70, "a"), b = t.thread(7, 71, "b");
  t.request(1, 0, 1000).wait("queue", "queue_wait", 0, 500, {1});
  t.stage("short", a, 300, 600, {1}).stage("long", b, 400, 900, {1});
  t.runs(a, 0, {{0, 400}}).runs(b, 1, {{0, 1000}});
  t.op("Conv", b, 400, 450);
  // queue 0-300; a works 300-400; b (ends later) 400-900; nobody 900-1000
  EXPECT_EQ(account(t),
            (Classes{{"queue_wait", 300}, {"cpu_other", 100 + 450}, {"cpu_op", 50}, {"unexplained", 100}}));
}

TEST(Accounting, between_two_stages_a_request_waits_while_its_worker_serves_others) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker"), other = t.thread(7, 71, "other");
  t.request(1, 0, 1000).request(2, 0, 1000);
  t.stage("decode", w, 0, 300, {1, 2})
      .stage("compose", w, 310, 500, {1})
      .stage("compose", w, 520, 700, {2})
      .stage("send", other, 800, 900, {2});
  t.runs(w, 0, {{0, 1000}}).runs(other, 1, {{0, 1000}});
  const Store store = t.seal();
  const RequestTime time = account_requests(store);
  EXPECT_EQ(classes_of(time, 0), (Classes{{"cpu_other", 490}, {"unexplained", 510}}));
  // 310-500 its worker composes the other one; 700-800 it changes threads: nobody says why
  EXPECT_EQ(classes_of(time, 1), (Classes{{"cpu_other", 580}, {"queue_wait", 190}, {"unexplained", 230}}));
}

TEST(Accounting, a_request_on_a_thread_s_own_track_needs_no_stages) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.slice("handle", words::kRequest, w.track, 0, 100).op("Gemm", w, 10, 60);
  t.runs(w, 0, {{0, 100}});
  EXPECT_EQ(account(t), (Classes{{"cpu_op", 50}, {"cpu_other", 50}}));
}

TEST(Accounting, runs_then_iterations_stand_in_for_requests) {
  TraceBuilder runs;
  const auto w = runs.thread(7, 70, "worker");
  runs.slice("model", words::kRun, w.track, 0, 100)
      .slice("inner", words::kRun, w.track, 20, 30)
      .op("Conv", w, 40, 90);
  const Store run_store = runs.seal();
  const RequestTime run_time = account_requests(run_store);
  EXPECT_EQ(run_time.unit.kind, "run");
  ASSERT_EQ(run_time.unit.slice.size(), 1U);
  EXPECT_EQ(classes_of(run_time), (Classes{{"cpu_op", 50}, {"cpu_other", 50}}));
  TraceBuilder steps;
  const auto v = steps.thread(7, 70, "python");
  steps.slice("ProfilerStep#3", "user_annotation", v.track, 50, 80)
      .slice("ProfilerStep#2", "user_annotation", v.track, 0, 50);
  const Store step_store = steps.seal();
  const RequestTime step_time = account_requests(step_store);
  EXPECT_EQ(step_time.unit.kind, "iteration");
  EXPECT_THAT(step_time.unit.ts, testing::ElementsAre(0, 50));
}

TEST(Accounting, stages_outside_their_request_are_cut) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 100, 200)
      .stage("early", w, 0, 120, {1})
      .stage("late", w, 180, 900, {1})
      .wait("never", "queue_wait", 300, 400, {1});
  t.runs(w, 0, {{0, 1000}});
  EXPECT_EQ(account(t), (Classes{{"cpu_other", 40}, {"unexplained", 60}}));
}

TEST(Accounting, any_mess_still_sums_to_the_request) {
  std::mt19937 random(1); // seeded: the same traces every time
  const auto pick = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  for (int round = 0; round < 60; ++round) {
    TraceBuilder t;
    std::vector<TraceBuilder::Worker> threads;
    for (int i = 0; i < 4; ++i)
      threads.push_back(t.thread(7, 70 + i, "w"));
    for (int r = 0; r < 5; ++r)
      t.request(pick(4), pick(1000), 1000 + pick(1000));
    for (int s = 0; s < 20; ++s) {
      const auto& w = threads[static_cast<std::size_t>(pick(3))];
      const std::int64_t from = pick(2000), to = from + pick(400);
      if (pick(2) == 0)
        t.stage("s", w, from, to, {pick(4), pick(4)});
      else
        t.wait("q", pick(2) == 0 ? "queue_wait" : "?", from, to, {pick(4)});
      t.op("Conv", w, pick(2000), 2000 + pick(100)).slice("l", words::kLock, w.track, from, to);
    }
    for (int s = 0; s < 100; ++s)
      t.switch_to(pick(2500), static_cast<std::int32_t>(pick(2)), pick(3) == 0 ? 0 : 70 + pick(4),
                  "RSDX"[pick(4)], pick(3) == 0 ? 0 : 70 + pick(4));
    for (int s = 0; s < 20; ++s)
      t.wake(pick(2500), 70 + pick(4));
    t.counter("throttled_time", "ns", {{0, 0}, {1000, 300}, {2000, 900}});
    const Store store = t.seal();
    const RequestTime time = account_requests(store);
    for (std::size_t unit = 0; unit < time.unit.slice.size(); ++unit)
      (void)classes_of(time, unit);
  }
}

TEST(Shares, requests_that_recording_cut_off_do_not_count) {
  TraceBuilder t;
  t.request(1, 0, 1000).wait("queue", "queue_wait", 0, 500, {1}).request(2, 500, 900, "unfinished");
  const Store store = t.seal();
  const AccountingShares shares = accounting_shares(account_requests(store));
  EXPECT_EQ(shares.n, 1);
  EXPECT_DOUBLE_EQ(shares.all[static_cast<std::size_t>(TimeClass::queue_wait)], 0.5);
}

TEST(Shares, the_slow_band_is_the_slowest_twentieth) {
  TraceBuilder t;
  for (int i = 0; i < 40; ++i) {
    const std::int64_t from = i * 10'000, dur = i == 7 || i == 30 ? 3000 : 1000;
    t.request(i, from, from + dur).wait("queue", "queue_wait", from, from + (dur == 3000 ? 2700 : 500), {i});
  }
  const Store store = t.seal();
  const AccountingShares shares = accounting_shares(account_requests(store));
  EXPECT_EQ(shares.n, 40);
  EXPECT_EQ(shares.n_slow, 2);
  const auto queue = static_cast<std::size_t>(TimeClass::queue_wait),
             rest = static_cast<std::size_t>(TimeClass::unexplained);
  EXPECT_DOUBLE_EQ(shares.slow[queue], 0.9);
  EXPECT_DOUBLE_EQ(shares.all[queue], (38 * 500.0 + 2 * 2700) / (38 * 1000.0 + 2 * 3000));
  EXPECT_DOUBLE_EQ(shares.all[queue] + shares.all[rest], 1.0);
}

} // namespace
} // namespace prof
