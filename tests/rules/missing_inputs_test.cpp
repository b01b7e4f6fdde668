// Every rule against every input that a trace may lack: which of the four answers it must give.
#include "scene.hpp"

#include <map>
#include <set>

namespace prof {
namespace {

enum class Lacks {
  nothing,
  requests,
  stages,
  sched,
  ops,
  samples,
  faults,
  throttling,
  heap,
  service_threads,
  kernels
};

// 60 requests of about 1 ms with everything that the rules look at, and nothing wrong: two threads on two
// CPUs, waits of 5 us, operators of 100 us and more, samples in plain code, a heap in use, a quota never
// reached.
class HealthyService {
public:
  explicit HealthyService(Lacks lacks) : lacks_(lacks) {
    const auto pool = s.t.thread(7, 71, "pool");
    // Where the threads of the service are not in the trace, its work is on lanes without a thread.
    for (int i = 0; i < 60; ++i)
      one_request(i, pool);
    for (const auto& [name, unit] : {std::pair{"nr_throttled", "count"}, std::pair{"throttled_time", "ns"}})
      if (lacks_ != Lacks::throttling) s.t.counter(name, unit, {{0, 3}, {Scene::ns(90'000), 3}});
    if (lacks_ != Lacks::heap)
      s.t.counter("heap_held", "bytes", {{0, 100}, {1000, 100}})
          .counter("heap_in_use", "bytes", {{0, 95}, {1000, 95}});
    s.t.counter("queue_depth", "count", {{0, 0}, {1000, 0}});
    if (lacks_ != Lacks::kernels) two_devices();
  }
  Scene s;

private:
  void one_request(std::int64_t i, const TraceBuilder::Worker& pool) {
    const std::int64_t at = 1500 * i + 100, end = at + 1000;
    const bool is_seen = lacks_ != Lacks::service_threads;
    if (lacks_ != Lacks::requests) s.t.request(i, Scene::ns(at - 10), Scene::ns(end));
    if (lacks_ != Lacks::stages && lacks_ != Lacks::requests) {
      s.t.wait("queue", "queue_wait", Scene::ns(at - 10), Scene::ns(at - 5), {i});
      s.t.wait("batch", "batch_wait", Scene::ns(at - 5), Scene::ns(at), {i});
      if (is_seen)
        s.t.stage("denoise", s.worker, Scene::ns(at), Scene::ns(end), {i});
      else
        s.t.wait("denoise", "", Scene::ns(at), Scene::ns(end), {i});
    }
    const auto& on = is_seen ? s.worker : elsewhere();
    if (lacks_ != Lacks::ops && is_seen) {
      s.t.op("Conv", on, Scene::ns(at), Scene::ns(at + 600));
      s.t.op("Transpose", on, Scene::ns(at + 600), Scene::ns(at + 620));
      s.t.op("Mul", on, Scene::ns(at + 620), Scene::ns(at + 990));
    }
    if (lacks_ != Lacks::sched) {
      s.t.switch_to(Scene::ns(at), 0, 0, 'R', on.tid).switch_to(Scene::ns(end), 0, on.tid, 'S', 0);
      const std::int64_t second = is_seen ? pool.tid : on.tid + 1;
      s.t.switch_to(Scene::ns(at), 1, 0, 'R', second).switch_to(Scene::ns(at + 500), 1, second, 'S', 0);
    }
    if (lacks_ == Lacks::samples) return;
    for (int k = 0; k < 5; ++k)
      s.t.sample(on, Scene::ns(at + 100 + 150 * k), words::kEventCpu,
                 k == 0 && lacks_ != Lacks::faults
                     ? std::initializer_list<std::string_view>{"main", "read", "vfs_read_[k]"}
                     : std::initializer_list<std::string_view>{"main", "gemm"},
                 1'000'000);
  }
  // Both compute 8 of 9 ms, and copy and communicate meanwhile; their host waits only for what they compute,
  // and launches 350 us after a kernel has ended, whose follower begins 650 us later: all in the time of
  // requests.
  void two_devices() {
    const auto host = s.t.thread(8, 80, "host"), loader = s.t.thread(8, 81, "loader");
    TraceBuilder::SliceOptions runtime;
    runtime.layer = Layer::runtime;
    s.t.slice("DataLoader.next", "span", host.track, Scene::ns(1), Scene::ns(5));
    s.t.slice("StreamSynchronize", "sync", host.track, Scene::ns(1200), Scene::ns(2000), runtime);
    s.t.slice("Malloc", "alloc", loader.track, Scene::ns(100), Scene::ns(60'100), runtime);
    for (const std::int64_t device : {0, 1})
      for (std::int64_t i = 0; i < 10; ++i) {
        const std::int64_t at = 9000 * i + 1100, launched = at - 650;
        const std::uint64_t flow = ++flow_;
        TraceBuilder::SliceOptions launch = runtime;
        launch.flows_out = {flow};
        s.t.slice("Launch", "launch", host.track, Scene::ns(launched - 20 + 10 * device),
                  Scene::ns(launched - 10 + 10 * device), launch);
        const Arg core{s.t.text("core"), s.t.text("AI_CORE")};
        s.t.sink().kernel({.stream = s.t.stream(device, 1),
                           .ts = Ts{Scene::ns(at)},
                           .dur = Dur{Scene::ns(8000)},
                           .name = s.t.text("MatMul"),
                           .op_type = s.t.text("MatMul"),
                           .kind = KernelKind::compute,
                           .correlation = 0,
                           .flow_in = flow,
                           .bytes = 0,
                           .args = {&core, 1}});
        for (const KernelKind kind : {KernelKind::memory, KernelKind::communication})
          s.t.kernel(s.t.stream(device, 2), "beside", kind, Scene::ns(at + 100), Scene::ns(at + 200));
      }
  }
  std::uint64_t flow_ = 1000;
  TraceBuilder::Worker elsewhere() {
    if (!other_) other_ = s.t.thread(9, 90, "other");
    return *other_;
  }
  Lacks lacks_;
  std::optional<TraceBuilder::Worker> other_;
};

const std::vector<std::string> kRules{"allocator",          "batch_wait",
                                      "cold_start",         "cpu_contention",
                                      "cpu_fallback",       "cpu_throttling",
                                      "device_idle",        "device_limit",
                                      "device_start_up",    "exposed_communication",
                                      "heap_fragmentation", "host_synchronization",
                                      "input_pipeline",     "io_wait",
                                      "launch_bound",       "layout_kernels",
                                      "layout_transform",   "lock_contention",
                                      "memory_copies",      "page_faults",
                                      "queueing",           "small_ops",
                                      "straggler",          "thread_oversubscription",
                                      "unfused_ops"};

const std::set<std::string> kDeviceRules{
    "cpu_fallback",          "device_idle",          "device_limit",   "device_start_up",
    "exposed_communication", "host_synchronization", "input_pipeline", "launch_bound",
    "layout_kernels",        "memory_copies",        "straggler"};

// The answers of the rules whose answer is not "clear".
std::map<std::string, std::string> not_clear(const Answers& a) {
  std::map<std::string, std::string> out;
  for (const std::string& rule : kRules)
    if (a.of(rule) != "clear") out[rule] = a.of(rule);
  return out;
}
std::map<std::string, std::string> all_of(std::initializer_list<const char*> rules,
                                          const std::string& answer) {
  std::map<std::string, std::string> out;
  for (const char* rule : rules)
    out[rule] = answer;
  return out;
}
std::map<std::string, std::string> without(Lacks lacks) {
  HealthyService service(lacks);
  return not_clear(ask(service.s));
}

TEST(MissingInputs, the_list_of_rules_is_complete) {
  const auto rules = builtin_rules();
  ASSERT_TRUE(rules.ok());
  std::vector<std::string> ids;
  for (const Rule& rule : *rules) {
    ids.push_back(rule.id);
    EXPECT_FALSE(rule.applies_sql.empty()) << rule.id << " never says 'not applicable'";
    EXPECT_FALSE(rule.applies_why.en.empty() || rule.applies_why.zh.empty()) << rule.id;
  }
  EXPECT_EQ(ids, kRules);
}

TEST(MissingInputs, a_healthy_service_with_all_inputs_is_clear_of_every_cause) {
  EXPECT_EQ(without(Lacks::nothing), (std::map<std::string, std::string>{}));
}

// The threads of the service stand in for requests; what is about requests alone cannot be told.
TEST(MissingInputs, without_requests_nothing_about_them_can_be_told_and_all_else_can) {
  EXPECT_EQ(without(Lacks::requests), all_of({"batch_wait", "cold_start", "queueing"}, "cannot tell"));
  HealthyService service(Lacks::requests);
  const Answers a = ask(service.s);
  for (const char* rule : {"batch_wait", "cold_start", "queueing"})
    EXPECT_EQ(a.missing(rule), "requests") << rule;
}

TEST(MissingInputs, a_question_about_the_tail_needs_requests) {
  HealthyService service(Lacks::requests);
  const Answers a = ask(service.s, about("high_p99_latency"));
  for (const std::string& rule : kRules)
    if (a.of(rule) != "not applicable") {
      EXPECT_EQ(a.missing(rule), "requests") << rule;
    }
}

TEST(MissingInputs, without_requests_a_question_about_memory_is_answered) {
  HealthyService service(Lacks::requests);
  service.s.t.counter("rss", "bytes", {{0, 1}, {1000, 1}});
  EXPECT_EQ(ask(service.s, about("high_memory")).of("heap_fragmentation"), "clear");
}

TEST(MissingInputs, without_stages_waits_cannot_be_told) {
  auto expected = all_of({"queueing", "batch_wait"}, "cannot tell");
  // No stage says which thread served: nothing of the host can be laid at its door.
  expected.merge(all_of(
      {"allocator", "page_faults", "cpu_contention", "thread_oversubscription", "io_wait", "lock_contention"},
      "not applicable"));
  expected.merge(all_of({"layout_transform", "small_ops", "unfused_ops"}, "cannot tell"));
  EXPECT_EQ(without(Lacks::stages), expected);
}

TEST(MissingInputs, without_scheduling_what_it_decides_cannot_be_told) {
  EXPECT_EQ(without(Lacks::sched), all_of({"cpu_contention", "thread_oversubscription", "io_wait",
                                           "cpu_throttling", "lock_contention"},
                                          "cannot tell"));
}

TEST(MissingInputs, without_operators_the_graph_cannot_be_told) {
  EXPECT_EQ(without(Lacks::ops), all_of({"layout_transform", "small_ops", "unfused_ops"}, "cannot tell"));
}

TEST(MissingInputs, without_samples_code_paths_cannot_be_told) {
  EXPECT_EQ(without(Lacks::samples), all_of({"allocator", "page_faults"}, "cannot tell"));
}

TEST(MissingInputs, without_kernel_frames_the_fault_path_cannot_be_told) {
  EXPECT_EQ(without(Lacks::faults), all_of({"page_faults"}, "cannot tell"));
}

TEST(MissingInputs, without_counters_what_they_count_cannot_be_told) {
  EXPECT_EQ(without(Lacks::throttling), all_of({"cpu_throttling"}, "cannot tell"));
  EXPECT_EQ(without(Lacks::heap), all_of({"heap_fragmentation"}, "cannot tell"));
}

TEST(MissingInputs, another_programs_threads_say_nothing_about_the_service) {
  auto expected = all_of(
      {"allocator", "page_faults", "cpu_contention", "thread_oversubscription", "io_wait", "lock_contention"},
      "not applicable");
  expected.merge(all_of({"layout_transform", "small_ops", "unfused_ops"}, "cannot tell"));
  EXPECT_EQ(without(Lacks::service_threads), expected);
}

TEST(MissingInputs, without_kernels_devices_cannot_be_told) {
  std::map<std::string, std::string> expected;
  for (const std::string& rule : kDeviceRules)
    expected[rule] = "cannot tell";
  EXPECT_EQ(without(Lacks::kernels), expected);
}

TEST(MissingInputs, of_an_empty_trace_nothing_can_be_told) {
  Scene empty;
  for (const auto& [rule, answer] : not_clear(ask(empty)))
    EXPECT_EQ(answer, "cannot tell") << rule;
  EXPECT_EQ(not_clear(ask(empty)).size(), kRules.size());
}

// `lost` of about 1000 records.
Answers with_losses(HealthyService& service, std::int64_t lost) {
  service.s.t.sink().note({.severity = Severity::data_loss,
                           .code = service.s.t.text("note.tracefile.lost"),
                           .count = lost,
                           .where = {}});
  return ask(service.s);
}

TEST(LostRecords, beyond_a_twentieth_nothing_is_called_clear) {
  HealthyService service(Lacks::nothing);
  const Answers a = with_losses(service, 1000);
  for (const std::string& rule : kRules) {
    EXPECT_EQ(a.of(rule), "cannot tell") << rule;
    EXPECT_EQ(a.missing(rule), "lost_records") << rule;
  }
}

// "cpu_op 97 %" of an engine's own profile was read as computing; it is length, whatever the thread did.
TEST(Notes, say_that_lengths_hold_waiting_where_the_scheduler_was_not_recorded) {
  const auto is_noted = [](Lacks lacks) {
    HealthyService service(lacks);
    return std::ranges::any_of(ask(service.s).d.notes, [](const std::string& note) {
      return note.starts_with("scheduling was not recorded: the ");
    });
  };
  EXPECT_TRUE(is_noted(Lacks::sched));
  EXPECT_FALSE(is_noted(Lacks::nothing));
}

// One cut stands for any number of records.
TEST(LostRecords, of_a_file_that_was_cut_off_are_of_unknown_number_and_nothing_is_called_clear) {
  for (const char* code : {"note.json.cut", "note.import.packed_cut", "note.tracefile.cut", "note.proto.cut",
                           "note.csv.cut", "note.sqlite.damaged", "note.ort.event_limit"}) {
    HealthyService service(Lacks::nothing);
    service.s.t.sink().note({.severity = Severity::data_loss,
                             .code = service.s.t.text(code),
                             .count = 1,
                             .where = service.s.t.text("offset 98304")});
    const Answers a = ask(service.s);
    for (const std::string& rule : kRules)
      EXPECT_EQ(a.missing(rule), "lost_records") << code << ", " << rule;
    const auto says = [&](std::string_view part) {
      return std::ranges::any_of(a.d.notes, [&](const auto& n) { return n.find(part) != std::string::npos; });
    };
    EXPECT_TRUE(says("how much is missing is not known")) << code;
    EXPECT_TRUE(says("offset 98304")) << code;
    EXPECT_FALSE(says("records of the trace were lost")) << code;
  }
}

TEST(LostRecords, of_one_in_hundred_change_no_answer) {
  HealthyService service(Lacks::nothing);
  EXPECT_EQ(not_clear(with_losses(service, 10)), (std::map<std::string, std::string>{}));
}

TEST(LostRecords, leave_what_does_not_apply_and_what_was_missing_as_it_was) {
  HealthyService service(Lacks::ops);
  EXPECT_EQ(with_losses(service, 1000).missing("small_ops"), "ops");
}

TEST(LostRecords, cap_the_confidence_of_what_is_found_all_the_same) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({{"Transpose", 500}, {"Conv", 500}});
  s.t.sink().note(
      {.severity = Severity::data_loss, .code = s.t.text("note.tracefile.lost"), .count = 1000, .where = {}});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("layout_transform"), "found");
  EXPECT_DOUBLE_EQ(a.cause("layout_transform").confidence, kLossyCap);
}

} // namespace
} // namespace prof
