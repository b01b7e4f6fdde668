// Rules about the host: cpu_contention, thread_oversubscription, cpu_throttling, io_wait, lock_contention,
// page_faults, allocator, heap_fragmentation; and the tests that tell the look-alikes apart.
#include "scene.hpp"

namespace prof {
namespace {

// Each request: 400 us of its own, 400 us put off by `other`, 200 us of its own, all on CPU 0.
void preempted_by(Scene& s, const TraceBuilder::Worker& other, int requests = 20) {
  for (int i = 0; i < requests; ++i) {
    const std::int64_t at = s.request({}, {.other_us = 1000, .has_sched = false});
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70);
    s.t.switch_to(Scene::ns(at + 400), 0, 70, 'R', other.tid);
    s.t.switch_to(Scene::ns(at + 800), 0, other.tid, 'S', 70);
    s.t.switch_to(Scene::ns(at + 1000), 0, 70, 'S', 0);
  }
}

TEST(CpuContention, found_and_names_who_took_the_cpu) {
  Scene s;
  const auto process = s.t.sink().process({.pid = 9, .name = s.t.text("backup"), .cmdline = {}});
  const auto hog = s.t.thread(9, 90, "backup");
  (void)process;
  preempted_by(s, hog);
  const Answers a = ask(s);
  ASSERT_EQ(a.of("cpu_contention"), "found");
  EXPECT_DOUBLE_EQ(*a.value("cpu_contention", "foreign_delay_share"), 40.0);
  EXPECT_DOUBLE_EQ(*a.value("cpu_contention", "foreign_holder"), 1.0);
  EXPECT_NEAR(a.cause("cpu_contention").share.mean, 0.4, 1e-12);
  EXPECT_NE(a.cause("cpu_contention").summary.find("(pid 9)"), std::string::npos)
      << a.cause("cpu_contention").summary;
  EXPECT_EQ(a.of("thread_oversubscription"), "not applicable");
}

TEST(CpuContention, a_thread_whose_process_nobody_watched_is_somebody_else) {
  Scene s;
  preempted_by(s, {.thread = {}, .track = {}, .tid = 4711}); // known from the switches alone
  const Answers a = ask(s);
  ASSERT_EQ(a.of("cpu_contention"), "found");
  EXPECT_DOUBLE_EQ(*a.value("cpu_contention", "foreign_holder"), 1.0);
  EXPECT_EQ(a.of("thread_oversubscription"), "not applicable");
}

// A compiler has the CPU for 390 of the 400 us that the worker waits, and a thread of the kernel for the last
// 10: who ran last is not who took the time.
TEST(CpuContention, who_took_the_cpu_is_told_by_time_not_by_who_ran_last) {
  Scene s;
  s.t.sink().process({.pid = 9, .name = s.t.text("cc1plus"), .cmdline = {}});
  const auto compiler = s.t.thread(9, 90, "cc1plus");
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = s.request({}, {.other_us = 1000, .has_sched = false});
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70).switch_to(Scene::ns(at + 400), 0, 70, 'R', compiler.tid);
    s.t.switch_to(Scene::ns(at + 790), 0, compiler.tid, 'R', 4711);
    s.t.switch_to(Scene::ns(at + 800), 0, 4711, 'S', 70).switch_to(Scene::ns(at + 1000), 0, 70, 'S', 0);
  }
  const Answers a = ask(s);
  ASSERT_EQ(a.of("cpu_contention"), "found");
  EXPECT_DOUBLE_EQ(*a.value("cpu_contention", "foreign_holder"), 1.0);
  const std::string& summary = a.cause("cpu_contention").summary;
  EXPECT_NE(summary.find("for 100 % of the time (cc1plus (pid 9) 97.5 %, tid 4711 2.5 %) and by its own "
                         "threads for 0 %"),
            std::string::npos)
      << summary;
}

TEST(CpuContention, clear_when_nobody_waits_for_a_cpu) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.other_us = 1000});
  EXPECT_EQ(ask(s).of("cpu_contention"), "clear");
}

TEST(CpuContention, cannot_tell_without_scheduling) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.other_us = 1000, .has_sched = false});
  const Answers a = ask(s);
  for (const char* rule : {"cpu_contention", "thread_oversubscription", "io_wait"})
    EXPECT_EQ(a.missing(rule), "sched") << rule;
}

TEST(CpuContention, not_applicable_to_a_question_about_memory) {
  Scene s;
  s.t.counter("rss", "bytes", {{0, 1}, {1000, 1}});
  for (int i = 0; i < 20; ++i)
    s.request({}, {.other_us = 1000});
  EXPECT_EQ(ask(s, about("high_memory")).of("cpu_contention"), "not applicable");
}

TEST(ThreadOversubscription, found_when_own_threads_hold_the_cpu) {
  Scene s;
  preempted_by(s, s.t.thread(7, 77, "pool"));
  const Answers a = ask(s);
  ASSERT_EQ(a.of("thread_oversubscription"), "found");
  EXPECT_DOUBLE_EQ(*a.value("thread_oversubscription", "own_holder"), 1.0);
  EXPECT_DOUBLE_EQ(*a.value("thread_oversubscription", "threads_per_cpu"), 2.0);
  EXPECT_EQ(a.of("cpu_contention"), "clear");
  EXPECT_EQ(a.cause("thread_oversubscription").actions, std::vector<std::string>{"threads_match_cores"});
}

TEST(ThreadOversubscription, counts_the_cpus_that_the_service_may_use_not_those_of_the_machine) {
  Scene s;
  s.t.sink().metadata("cpu_count", "8"); // pinned to one of them
  preempted_by(s, s.t.thread(7, 77, "pool"));
  EXPECT_EQ(ask(s).of("thread_oversubscription"), "found");
}

// A worker and a connection thread on one CPU that a compiler takes for 400 us of each request: both wait,
// but the connection thread only wants the CPU for an instant, so the compiler is why the worker waits.
TEST(CpuContention, a_thread_that_only_wakes_for_an_instant_does_not_make_the_service_oversubscribed) {
  Scene s;
  const auto connection = s.t.thread(7, 72, "http");
  const auto compiler = s.t.thread(9, 90, "cc1plus");
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = s.request({}, {.other_us = 1000, .has_sched = false});
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70);
    s.t.wake(Scene::ns(at + 300), connection.tid, 70);
    s.t.switch_to(Scene::ns(at + 400), 0, 70, 'R', compiler.tid);
    s.t.switch_to(Scene::ns(at + 800), 0, compiler.tid, 'R', connection.tid);
    s.t.switch_to(Scene::ns(at + 801), 0, connection.tid, 'S', 70);
    s.t.switch_to(Scene::ns(at + 1000), 0, 70, 'S', 0);
  }
  const Answers a = ask(s);
  ASSERT_EQ(a.of("cpu_contention"), "found");
  EXPECT_NEAR(*a.value("cpu_contention", "foreign_delay_share"), 40.1, 1e-9);
  EXPECT_EQ(a.of("thread_oversubscription"), "clear");
}

// Two workers on two CPUs; a compiler takes turns with them. Each waits for the other half of the time, but
// without the compiler nobody would wait: two threads fit on two CPUs.
TEST(CpuContention, own_threads_that_take_turns_because_of_another_program_are_no_oversubscription) {
  Scene s;
  const auto second = s.t.thread(7, 71, "worker-1");
  const auto compiler = s.t.thread(9, 90, "cc1plus");
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = s.request({}, {.other_us = 1000, .idle_us = 100, .has_sched = false});
    s.t.request(1000 + i, Scene::ns(at), Scene::ns(at + 1000));
    s.t.stage("denoise", second, Scene::ns(at), Scene::ns(at + 1000), {1000 + i});
    // CPU 0: worker 0-400, worker-1 400-800, worker 800-1000; CPU 1: worker-1 0-400, compiler 400-1000
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70).switch_to(Scene::ns(at + 400), 0, 70, 'R', 71);
    s.t.switch_to(Scene::ns(at + 800), 0, 71, 'R', 70).switch_to(Scene::ns(at + 1000), 0, 70, 'S', 0);
    s.t.switch_to(Scene::ns(at), 1, 0, 'R', 71).switch_to(Scene::ns(at + 400), 1, 71, 'R', compiler.tid);
    s.t.switch_to(Scene::ns(at + 950), 1, compiler.tid, 'S', 71)
        .switch_to(Scene::ns(at + 1000), 1, 71, 'S', 0);
  }
  const Answers a = ask(s);
  EXPECT_EQ(a.of("thread_oversubscription"), "clear");
  ASSERT_EQ(a.of("cpu_contention"), "found");
  // The worker waits 400 us beside its fellow and the compiler, the fellow 150 us beside the worker and the
  // compiler: half of the two CPUs each.
  EXPECT_DOUBLE_EQ(*a.value("cpu_contention", "foreign_holder"), 1.0);
  const std::string& summary = a.cause("cpu_contention").summary;
  EXPECT_NE(summary.find("the 2 CPUs of the service were taken by other programs for 50 % of the time"),
            std::string::npos)
      << summary;
  EXPECT_NE(summary.find("(pid 9) 50.0 %) and by its own threads for 50 %"), std::string::npos) << summary;
}

// Runnable for 400 of 1000 us with nobody on any CPU; the counters say whether a quota did it.
void stands_still(Scene& s, double throttled_ns_per_request) {
  std::vector<std::pair<std::int64_t, double>> time, count;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = s.request({}, {.other_us = 1000, .has_sched = false});
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70).switch_to(Scene::ns(at + 400), 0, 70, 'R', 0);
    s.t.switch_to(Scene::ns(at + 800), 0, 0, 'R', 70).switch_to(Scene::ns(at + 1000), 0, 70, 'S', 0);
    time.emplace_back(Scene::ns(at), throttled_ns_per_request * i);
    count.emplace_back(Scene::ns(at), throttled_ns_per_request > 0 ? i : 0);
  }
  const auto add = [&](const char* name, const char* unit, const auto& values) {
    const auto track = s.t.sink().counter_track({.name = s.t.text(name),
                                                 .unit = s.t.text(unit),
                                                 .cpu = -1,
                                                 .thread = {},
                                                 .process = {},
                                                 .device = {}});
    for (const auto& [ts, value] : values)
      s.t.sink().counter(track, Ts{ts}, value);
  };
  add("throttled_time", "ns", time);
  add("nr_throttled", "count", count);
}

TEST(CpuThrottling, found_when_the_counters_moved) {
  Scene s;
  stands_still(s, 400'000);
  const Answers a = ask(s);
  ASSERT_EQ(a.of("cpu_throttling"), "found");
  EXPECT_NEAR(*a.value("cpu_throttling", "throttled_share"), 100.0 * 19 * 400 / 20000,
              0.1); // no reading after the last
  EXPECT_DOUBLE_EQ(*a.value("cpu_throttling", "throttles"), 19.0);
  EXPECT_EQ(a.of("cpu_contention"), "clear");
  EXPECT_EQ(a.cause("cpu_throttling").actions, std::vector<std::string>{"raise_cpu_quota"});
}

TEST(CpuThrottling, clear_when_the_counters_stand_still) {
  Scene s;
  stands_still(s, 0);
  EXPECT_EQ(ask(s).of("cpu_throttling"), "clear");
}

TEST(CpuThrottling, cannot_tell_without_counters_and_not_applicable_without_a_quota) {
  Scene none, no_quota;
  for (int i = 0; i < 20; ++i) {
    none.request({}, {.other_us = 1000});
    no_quota.request({}, {.other_us = 1000});
  }
  no_quota.signal("cpu_throttling", true); // looked, and the cgroup has no such counter
  EXPECT_EQ(ask(none).missing("cpu_throttling"), "cpu_throttling");
  EXPECT_EQ(ask(no_quota).of("cpu_throttling"), "not applicable");
}

// 600 us on the CPU, 400 us off it in this state.
void blocks(Scene& s, char state, int requests = 20) {
  for (int i = 0; i < requests; ++i) {
    const std::int64_t at = s.request({}, {.other_us = 1000, .has_sched = false});
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70).switch_to(Scene::ns(at + 300), 0, 70, state, 0);
    s.t.wake(Scene::ns(at + 700), 70);
    s.t.switch_to(Scene::ns(at + 700), 0, 0, 'R', 70).switch_to(Scene::ns(at + 1000), 0, 70, 'S', 0);
  }
}

TEST(IoWait, found_when_the_worker_sleeps_in_the_kernel) {
  Scene s;
  blocks(s, 'D');
  const Answers a = ask(s);
  ASSERT_EQ(a.of("io_wait"), "found");
  EXPECT_DOUBLE_EQ(*a.value("io_wait", "io_share"), 40.0);
  EXPECT_TRUE(a.is_against("io_wait", "in_time")); // no stack says what it waited for
}

TEST(IoWait, clear_when_it_sleeps_for_another_reason) {
  Scene s;
  blocks(s, 'S');
  EXPECT_EQ(ask(s).of("io_wait"), "clear");
}

TEST(LockContention, found_when_an_owner_is_known) {
  Scene t;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = t.request({}, {.other_us = 1000, .has_sched = false});
    t.t.slice("tokenizer_mutex", words::kLock, t.worker.track, Scene::ns(at + 100), Scene::ns(at + 400),
              {.numbers = {{"owner_tid", 71}}, .texts = {}, .flows_out = {}, .flows_in = {}});
    t.on_cpu(at, at + 100);
    t.on_cpu(at + 400, at + 1000);
  }
  const Answers a = ask(t);
  ASSERT_EQ(a.of("lock_contention"), "found");
  EXPECT_DOUBLE_EQ(*a.value("lock_contention", "lock_share"), 30.0);
  EXPECT_DOUBLE_EQ(*a.value("lock_contention", "owned_part"), 100.0);
  EXPECT_NE(a.cause("lock_contention").summary.find("tokenizer_mutex"), std::string::npos);
  EXPECT_EQ(a.cause("lock_contention").actions, std::vector<std::string>{"shard_lock"});
}

TEST(LockContention, a_futex_stack_is_enough_and_waiting_for_a_cpu_is_not_a_lock) {
  Scene alone, s, hogged;
  blocks(alone, 'S');
  EXPECT_EQ(ask(alone).of("lock_contention"), "not applicable"); // one thread: whom would it wait for?
  for (Scene* with_pool : {&s, &hogged})
    (void)with_pool->t.thread(7, 71, "pool");
  blocks(s, 'S');
  EXPECT_EQ(ask(s).of("lock_contention"), "clear");
  preempted_by(hogged, hogged.t.thread(9, 90, "hog"));
  EXPECT_EQ(ask(hogged).of("lock_contention"), "clear");
  Scene stack;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = stack.request({}, {.other_us = 1000, .has_sched = false});
    stack.on_cpu(at, at + 300);
    stack.t.sample(stack.worker, Scene::ns(at + 300), words::kEventSwitch,
                   {"serve", "pthread_mutex_lock", "futex_wait_[k]"});
    stack.on_cpu(at + 700, at + 1000);
  }
  EXPECT_EQ(ask(stack).of("lock_contention"), "found");
}

// The worker waits twice in each request: 300 us at one site, ended by "writer", and 100 us at another, ended
// by "cleaner"; a timer tick of a thread of nobody's ends no wait.
TEST(LockContention, names_the_call_sites_and_who_held_the_lock_with_their_shares) {
  Scene s;
  const auto writer = s.t.thread(7, 71, "writer"), cleaner = s.t.thread(7, 72, "cleaner");
  const auto stranger = s.t.thread(9, 90, "stranger");
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = s.request({}, {.other_us = 1000, .has_sched = false});
    const auto waits = [&](std::int64_t from, std::int64_t to, const TraceBuilder::Worker& by,
                           std::initializer_list<std::string_view> stack) {
      s.t.sample(s.worker, Scene::ns(at + from) - 1, words::kEventSwitch, stack);
      s.t.switch_to(Scene::ns(at + from), 0, 70, 'S', 0).wake(Scene::ns(at + to), 70, by.tid);
      s.t.switch_to(Scene::ns(at + to + 10), 0, 0, 'R', 70);
    };
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70);
    waits(200, 500, writer,
          {"main", "Cache::put", "std::mutex::lock()", "___pthread_mutex_lock", "__lll_lock_wait",
           "futex_wait_[k]"});
    waits(600, 700, i < 4 ? cleaner : stranger,
          {"main", "Log::write", "__pthread_rwlock_wrlock", "futex_wait_[k]"});
    s.t.switch_to(Scene::ns(at + 1000), 0, 70, 'S', 0);
  }
  const Answers a = ask(s);
  ASSERT_EQ(a.of("lock_contention"), "found");
  const Cause& cause = a.cause("lock_contention");
  const auto text = [&](const char* name) {
    return std::ranges::find(cause.evidence, name, &EvidenceResult::name)->text;
  };
  EXPECT_DOUBLE_EQ(*a.value("lock_contention", "site_share"), 100.0);
  EXPECT_EQ(text("site_share"), "100 % of the waits began at Cache::put 75 %, Log::write 25 %");
  EXPECT_DOUBLE_EQ(*a.value("lock_contention", "released_share"), 80.0); // 6000 + 400 of 8000 us
  EXPECT_EQ(text("released_share"), "for 80 % of the waits the thread that held the lock and released it is "
                                    "known: writer (tid 71) 75 %, cleaner (tid 72) 5 %");
  EXPECT_NE(cause.summary.find("most of it at Cache::put"), std::string::npos) << cause.summary;
}

TEST(LockContention, without_wakeups_the_owner_is_whom_the_recorded_locks_name) {
  Scene s;
  (void)s.t.thread(7, 71, "writer");
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = s.request({}, {.other_us = 1000, .has_sched = false});
    TraceBuilder::SliceOptions lock;
    lock.numbers = {{"owner_tid", 71}};
    s.t.slice("tokenizer_mutex", words::kLock, s.worker.track, Scene::ns(at + 100), Scene::ns(at + 400),
              lock);
  }
  const Answers a = ask(s);
  ASSERT_EQ(a.of("lock_contention"), "found");
  EXPECT_DOUBLE_EQ(*a.value("lock_contention", "released_share"), 100.0);
  EXPECT_FALSE(a.value("lock_contention", "site_share").has_value()); // no stack of any wait
}

TEST(LockContention, cannot_tell_without_locks_and_scheduling) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.other_us = 1000, .has_sched = false});
  EXPECT_EQ(ask(s).missing("lock_contention"), "locks");
}

// 20 requests, all on the CPU; of 10 samples in each, `special` have this stack.
void samples(Scene& s, int special, std::initializer_list<std::string_view> stack) {
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = s.request({{"MatMul", 500}}, {.other_us = 500});
    for (int k = 0; k < 10; ++k) {
      const std::int64_t ts = Scene::ns(at + 50 + k * 100);
      if (k < special)
        s.t.sample(s.worker, ts, words::kEventCpu, stack, 1'000'000);
      else
        s.t.sample(s.worker, ts, words::kEventCpu, {"main", "gemm"}, 1'000'000);
    }
  }
}

TEST(PageFaults, found_when_samples_lie_in_the_fault_path) {
  Scene s;
  samples(s, 3, {"main", "memcpy", "asm_exc_page_fault_[k]", "clear_page_erms_[k]"});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("page_faults"), "found");
  EXPECT_NEAR(*a.value("page_faults", "fault_share"), 30.0, 1e-9);
  EXPECT_NEAR(a.cause("page_faults").share.mean, 0.3, 1e-12);
  EXPECT_EQ(a.of("allocator"), "clear");
}

TEST(PageFaults, faults_of_the_start_only_are_loading_and_no_cause) {
  Scene start, throughout;
  for (Scene* s : {&start, &throughout})
    samples(*s, 1, {"main", "memcpy", "asm_exc_page_fault_[k]", "clear_page_erms_[k]"});
  for (int k = 0; k < 50; ++k) {
    start.t.sample(start.worker, 1000 * k, words::kEventFault, {"main", "load"});
    throughout.t.sample(throughout.worker, Scene::ns(400 * k), words::kEventFault, {"main", "memcpy"});
  }
  EXPECT_EQ(ask(start).of("page_faults"), "clear");
  EXPECT_EQ(ask(throughout).of("page_faults"), "found");
}

TEST(PageFaults, cannot_tell_when_no_kernel_frame_was_recorded) {
  Scene s;
  samples(s, 3, {"main", "memcpy"});
  EXPECT_EQ(ask(s).of("page_faults"), "cannot tell");
  Scene kernel;
  samples(kernel, 1, {"main", "read", "vfs_read_[k]"});
  EXPECT_EQ(ask(kernel).of("page_faults"), "clear");
}

TEST(Allocator, found_when_samples_lie_in_malloc_and_its_system_calls) {
  Scene s;
  samples(s, 2, {"main", "run", "free", "_int_free", "systrim.constprop.0", "__x64_sys_brk_[k]"});
  s.t.counter("heap_held", "bytes", {{0, 200}, {1000, 200}})
      .counter("heap_in_use", "bytes", {{0, 100}, {1000, 100}});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("allocator"), "found");
  EXPECT_NEAR(*a.value("allocator", "alloc_share"), 20.0, 1e-9);
  EXPECT_NEAR(*a.value("allocator", "alloc_kernel"), 20.0, 1e-9);
  EXPECT_DOUBLE_EQ(*a.value("allocator", "fragmentation"), 50.0);
  EXPECT_EQ(a.of("page_faults"), "clear");
}

TEST(Allocator, clear_when_malloc_is_rare_and_a_name_that_contains_it_is_not_it) {
  Scene s;
  samples(s, 4, {"main", "my_malloc_free_pipeline"});
  EXPECT_EQ(ask(s).of("allocator"), "clear");
}

TEST(Allocator, cannot_tell_without_call_stacks) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.other_us = 1000});
  EXPECT_EQ(ask(s).missing("allocator"), "cpu_stacks");
}

TEST(HeapFragmentation, four_answers) {
  Scene found, clear, none;
  for (Scene* s : {&found, &clear, &none})
    s->request({}, {.other_us = 1000});
  found.t.counter("heap_held", "bytes", {{0, 400e6}, {1000, 400e6}})
      .counter("heap_in_use", "bytes", {{0, 100e6}, {1000, 100e6}});
  clear.t.counter("heap_held", "bytes", {{0, 400}, {1000, 400}})
      .counter("heap_in_use", "bytes", {{0, 390}, {1000, 390}});
  none.t.counter("rss", "bytes", {{0, 400}, {1000, 400}});
  const Answers a = ask(found, about("high_memory"));
  ASSERT_EQ(a.of("heap_fragmentation"), "found");
  EXPECT_EQ(a.cause("heap_fragmentation").share.unit, "value");
  EXPECT_DOUBLE_EQ(a.cause("heap_fragmentation").share.mean, 0.75);
  EXPECT_EQ(ask(clear, about("high_memory")).of("heap_fragmentation"), "clear");
  EXPECT_EQ(ask(none, about("high_memory")).missing("heap_fragmentation"), "heap");
  Scene other;
  other.request({}, {.other_us = 1000});
  EXPECT_EQ(ask(other, about("high_latency")).of("heap_fragmentation"), "not applicable");
}

TEST(HeapFragmentation, a_few_idle_kilobytes_are_not_worth_a_change) {
  Scene s;
  s.request({}, {.other_us = 1000});
  s.t.counter("heap_held", "bytes", {{0, 132e3}, {1000, 132e3}})
      .counter("heap_in_use", "bytes", {{0, 59e3}, {1000, 59e3}});
  EXPECT_EQ(ask(s, about("high_memory")).of("heap_fragmentation"), "clear");
}

} // namespace
} // namespace prof
