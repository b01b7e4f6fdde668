// Traces in which nothing marks work (a Python program, a plain server, stacks of perf): shares of the
// recorded time of the service's threads.
#include "report/diagnosis_view.hpp"
#include "reproduced.hpp"
#include "scene.hpp"

#include <gmock/gmock.h>

namespace prof {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

// 20 rounds of 1000 us: the worker runs 600 us and is put off for 400 us by `other`, then sleeps 250 us. From
// the first switch to the last that is 20 * 1250 - 250 = 24 750 us.
void put_off_by(Scene& s, const TraceBuilder::Worker& other) {
  for (std::int64_t at = 0; at < 25'000; at += 1250) {
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70).switch_to(Scene::ns(at + 400), 0, 70, 'R', other.tid);
    s.t.switch_to(Scene::ns(at + 800), 0, other.tid, 'S', 70);
    s.t.switch_to(Scene::ns(at + 1000), 0, 70, 'S', 0);
  }
}

double share_of(const Diagnosis& d, std::string_view time_class) {
  const auto at = std::ranges::find(d.accounting->all, time_class, &std::pair<std::string, double>::first);
  return at == d.accounting->all.end() ? -1 : at->second;
}

TEST(ThreadUnit, accounts_the_recorded_time_and_says_so) {
  Scene s;
  put_off_by(s, s.t.thread(9, 90, "backup"));
  const Answers a = ask(s);
  ASSERT_TRUE(a.d.threads.has_value());
  EXPECT_EQ(a.d.threads->n, 1);
  EXPECT_DOUBLE_EQ(a.d.threads->total_ns, 24'750e3);
  EXPECT_FALSE(a.d.threads->is_cpu_time_only);
  EXPECT_EQ(a.d.requests.n, 0);
  EXPECT_EQ(a.d.requests.unit, "thread");
  ASSERT_TRUE(a.d.accounting.has_value());
  EXPECT_DOUBLE_EQ(share_of(a.d, "cpu_other"), 12'000 / 24'750.0);
  EXPECT_DOUBLE_EQ(share_of(a.d, "preempted"), 8'000 / 24'750.0);
  EXPECT_DOUBLE_EQ(share_of(a.d, "sleeping"), 4'750 / 24'750.0);
  double sum = 0;
  for (const auto& [name, share] : a.d.accounting->all)
    sum += share;
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_THAT(a.d.notes, Contains(AllOf(HasSubstr("recorded time of threads"), HasSubstr("Latency"))));
}

TEST(ThreadUnit, cpu_contention_is_found_with_its_share_of_that_time) {
  Scene s;
  put_off_by(s, s.t.thread(9, 90, "backup"));
  const Store store = s.t.seal();
  const auto d = diagnose(store, *builtin_rules(), {});
  ASSERT_TRUE(d.ok());
  const auto cause = std::ranges::find(d->causes, "cpu_contention", &Cause::id);
  ASSERT_NE(cause, d->causes.end());
  EXPECT_EQ(cause->share.unit, "thread");
  EXPECT_DOUBLE_EQ(cause->share.mean, 8'000 / 24'750.0);
  EXPECT_DOUBLE_EQ(cause->share.slow, cause->share.mean); // no thread is a slow one
  EXPECT_FALSE(cause->share.of_service.has_value());
  EXPECT_THAT(cause->summary, HasSubstr("of the recorded time of the threads"));
  EXPECT_GE(expect_reproduced(store, *d), 3);
  const std::string text = diagnosis_text(*d, Lang::en, 400), zh = diagnosis_text(*d, Lang::zh, 400);
  EXPECT_THAT(text, AllOf(HasSubstr("The unit is the recorded time of 1 thread of"), HasSubstr("24.8 ms"),
                          HasSubstr("share of the recorded time of the threads: 32.3 %"),
                          Not(HasSubstr("slowest 5 %")), Not(HasSubstr("p99"))));
  EXPECT_THAT(zh, AllOf(HasSubstr("线程记录时间"), Not(HasSubstr("请求时间"))));
  for (const auto* page : {&text, &zh})
    EXPECT_THAT(*page, AllOf(Not(HasSubstr("{")), Not(HasSubstr("per ?"))));
}

TEST(ThreadUnit, a_question_about_the_latency_of_requests_still_cannot_be_answered) {
  for (const char* problem : {"high_p99_latency", "instability"}) {
    Scene s;
    put_off_by(s, s.t.thread(9, 90, "backup"));
    const Answers a = ask(s, about(problem));
    EXPECT_TRUE(a.d.causes.empty()) << problem;
    EXPECT_EQ(a.missing("cpu_contention"), "requests") << problem;
  }
  for (const char* problem : {"auto", "high_latency", "low_throughput"}) {
    Scene s;
    put_off_by(s, s.t.thread(9, 90, "backup"));
    const Answers a = ask(s, about(problem));
    EXPECT_EQ(a.of("cpu_contention"), "found") << problem;
    for (const char* rule : {"queueing", "batch_wait", "cold_start"})
      EXPECT_NE(a.of(rule), "found") << rule;
    if (std::string_view(problem) != "auto") continue;
    for (const char* rule : {"queueing", "batch_wait", "cold_start"})
      EXPECT_EQ(a.missing(rule), "requests") << rule;
  }
}

TEST(ThreadUnit, a_threshold_on_the_latency_is_not_compared_with_threads) {
  Scene s;
  put_off_by(s, s.t.thread(9, 90, "backup"));
  DiagnoseOptions options;
  options.limit = *parse_limit("p99>1ms");
  const Answers a = ask(s, options);
  ASSERT_TRUE(a.d.threshold.has_value());
  EXPECT_FALSE(a.d.threshold->is_exceeded.has_value());
}

// Whose threads: those of the process that was watched, never the recorder's; in a foreign trace the one
// named as the target, else the one that used most CPU time. A thread's time goes from its first switch to
// the end of the recording.
struct Target {
  const char* name;
  std::int64_t capture_pid;
  const char* target;
  double total_ns;
};
class ThreadUnitTarget : public testing::TestWithParam<Target> {};

TEST_P(ThreadUnitTarget, is_the_service) {
  Scene s;
  s.t.sink().process({.pid = 7, .name = s.t.text("svc"), .cmdline = {}, .is_renamed = true});
  const auto big = s.t.thread(20, 200, "big");
  s.t.sink().process({.pid = 20, .name = s.t.text("big"), .cmdline = {}, .is_renamed = true});
  s.t.sink().process({.pid = 7, .name = s.t.text("svc"), .cmdline = {}, .is_renamed = true});
  s.t.runs(s.worker, 0, {{1000, 2000}, {3000, 4000}}).runs(big, 1, {{0, 5000}, {6000, 9000}});
  if (GetParam().capture_pid > 0) s.t.sink().metadata("capture.pid", std::to_string(GetParam().capture_pid));
  if (*GetParam().target != '\0') s.t.sink().metadata("target", GetParam().target);
  const Answers a = ask(s);
  ASSERT_TRUE(a.d.threads.has_value());
  EXPECT_DOUBLE_EQ(a.d.threads->total_ns, GetParam().total_ns);
}
INSTANTIATE_TEST_SUITE_P(All, ThreadUnitTarget,
                         testing::Values(Target{"the_busiest", 0, "", 9000},
                                         Target{"the_named", 0, "svc", 8000},
                                         Target{"the_watched", 20, "", 8000},
                                         Target{"all_watched", 999, "svc", 17000},
                                         Target{"a_name_that_nobody_has", 0, "gone", 9000}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(ThreadUnit, threads_that_hardly_work_do_not_dilute_the_shares) {
  Scene s;
  put_off_by(s, s.t.thread(9, 90, "backup"));
  for (int i = 0; i < 30; ++i) { // a pool that wakes once, at the start and at the end
    const auto idle = s.t.thread(7, 700 + i, "pool");
    s.t.switch_to(Scene::ns(i), 1, 0, 'R', idle.tid).switch_to(Scene::ns(i) + 10, 1, idle.tid, 'S', 0);
    s.t.switch_to(Scene::ns(24'000 + i), 1, 0, 'R', idle.tid)
        .switch_to(Scene::ns(24'000 + i) + 10, 1, idle.tid, 'S', 0);
  }
  const Answers a = ask(s);
  EXPECT_EQ(a.d.threads->n, 1);
  EXPECT_EQ(a.d.threads->n_all, 31);
  ASSERT_EQ(a.of("cpu_contention"), "found");
  EXPECT_DOUBLE_EQ(a.cause("cpu_contention").share.mean, 8'000 / 24'750.0);
}

// Two threads; `waiter` is asleep for 400 of 1000 us with this stack.
void sleeps(Scene& s, std::initializer_list<std::string_view> stack) {
  const auto holder = s.t.thread(7, 71, "holder");
  for (std::int64_t at = 0; at < 20'000; at += 1000) {
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70);
    s.t.sample(s.worker, Scene::ns(at + 600) - 1, words::kEventSwitch, stack);
    s.t.switch_to(Scene::ns(at + 600), 0, 70, 'S', 0);
    s.t.wake(Scene::ns(at + 1000), 70, holder.tid);
    s.t.runs(holder, 1, {{Scene::ns(at), Scene::ns(at + 1000)}});
  }
  s.t.switch_to(Scene::ns(20'000), 0, 0, 'R', 70).switch_to(Scene::ns(20'000) + 1, 0, 70, 'S', 0);
}

TEST(ThreadUnit, locks_are_found_and_waiting_for_work_is_none) {
  Scene mutex, gil, condition, epoll;
  sleeps(mutex, {"main", "handle", "pthread_mutex_lock", "futex_wait_[k]"});
  sleeps(gil, {"main", "_PyEval_EvalFrameDefault", "take_gil", "pthread_cond_timedwait", "futex_wait_[k]"});
  sleeps(condition, {"main", "Queue::pop", "pthread_cond_wait", "futex_wait_[k]"});
  sleeps(epoll, {"main", "uv__io_poll", "do_epoll_wait_[k]"});
  for (Scene* s : {&mutex, &gil}) {
    const Answers a = ask(*s);
    ASSERT_EQ(a.of("lock_contention"), "found");
    EXPECT_NEAR(a.cause("lock_contention").share.mean, 0.2, 1e-6); // 400 of 1000 us of one of two threads
  }
  for (Scene* s : {&condition, &epoll}) {
    const Answers a = ask(*s);
    EXPECT_EQ(a.of("lock_contention"), "clear");
    EXPECT_EQ(a.of("io_wait"), "clear");
  }
}

TEST(ThreadUnit, of_samples_alone_is_cpu_time_and_page_faults_have_their_share_of_it) {
  Scene s;
  for (int i = 0; i < 100; ++i)
    if (i % 10 < 3)
      s.t.sample(s.worker, 1000 * i, words::kEventCpu, {"main", "memcpy", "asm_exc_page_fault_[k]"}, 1000);
    else
      s.t.sample(s.worker, 1000 * i, words::kEventCpu, {"main", i % 10 < 8 ? "gemm" : "relu"}, 1000);
  const Answers a = ask(s);
  ASSERT_TRUE(a.d.threads.has_value());
  EXPECT_TRUE(a.d.threads->is_cpu_time_only);
  EXPECT_DOUBLE_EQ(a.d.threads->total_ns, 100e3);
  ASSERT_EQ(a.of("page_faults"), "found");
  EXPECT_DOUBLE_EQ(a.cause("page_faults").share.mean, 0.3);
  EXPECT_EQ(a.cause("page_faults").summary.find('?'), std::string::npos) << a.cause("page_faults").summary;
  EXPECT_EQ(a.of("allocator"), "clear");
  for (const char* rule : {"cpu_contention", "thread_oversubscription", "io_wait"})
    EXPECT_EQ(a.missing(rule), "sched") << rule;
  EXPECT_THAT(a.d.accounting->running,
              testing::ElementsAre(Pair("gemm", testing::DoubleEq(0.5)),
                                   Pair("asm_exc_page_fault", testing::DoubleEq(0.3)),
                                   Pair("relu", testing::DoubleEq(0.2))));
  EXPECT_THAT(a.d.notes, Contains(HasSubstr("waiting is not seen")));
}

TEST(ThreadUnit, operators_in_no_run_are_measured_over_their_thread) {
  Scene s;
  for (int i = 0; i < 100; ++i) // 5 us of work every 10 us: 995 us in all, 500 of them in operators
    s.t.op(i % 2 == 0 ? "Add" : "Mul", s.worker, Scene::ns(10 * i), Scene::ns(10 * i + 5));
  const Answers a = ask(s);
  ASSERT_EQ(a.of("small_ops"), "found");
  EXPECT_EQ(a.cause("small_ops").share.unit, "thread");
  EXPECT_NEAR(a.cause("small_ops").share.mean, 1.0, 1e-12); // operators and the 99 gaps are all there is
  EXPECT_DOUBLE_EQ(share_of(a.d, "cpu_op"), 500 / 995.0);
  EXPECT_DOUBLE_EQ(share_of(a.d, "unexplained"), 495 / 995.0);
  ASSERT_EQ(a.d.accounting->running.size(), 2U);
  EXPECT_EQ(a.d.accounting->running[0].first, "Add");
  EXPECT_DOUBLE_EQ(a.d.accounting->running[0].second, 250 / 995.0);
}

TEST(ThreadUnit, stands_in_only_where_nothing_marks_work) {
  Scene request, run, step;
  request.request({}, {.other_us = 1000});
  run.t.slice("run", words::kRun, run.worker.track, 0, 1000);
  step.t.slice("ProfilerStep#1", words::kSpan, step.worker.track, 0, 1000);
  run.on_cpu(0, 1000);
  step.on_cpu(0, 1000);
  for (Scene* s : {&request, &run, &step}) {
    const Answers a = ask(*s);
    EXPECT_FALSE(a.d.threads.has_value());
    EXPECT_EQ(a.d.requests.n, 1);
  }
}

TEST(ThreadUnit, has_the_same_keys_in_yaml_and_json) {
  Scene s;
  put_off_by(s, s.t.thread(9, 90, "backup"));
  const Answers a = ask(s);
  const std::string yaml = to_yaml(diagnosis_doc(a.d));
  EXPECT_THAT(yaml,
              AllOf(HasSubstr("threads:\n"), HasSubstr("total_ns: 24750000"), HasSubstr("unit: thread")));
  EXPECT_THAT(yaml, Not(HasSubstr("slow:\n")));
}

} // namespace
} // namespace prof
