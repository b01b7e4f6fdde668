// A trace as Chrome JSON, read back by our own importer: what it says of the devices is the same.
#include "../readers/reader_fixture.hpp"
#include "../store/trace_builder.hpp"
#include "report/export_view.hpp"
#include "store/losses.hpp"

#include <random>

namespace prof::testing {
namespace {

// Figures of the devices, and which kernel was launched by which slice.
std::string devices_of(const Store& store) {
  return ask(store, "select dt.device, window_ns, compute_ns, communication_ns, memory_ns, overlap_ns, "
                    "exposed_communication_ns, busy_ns, idle_ns from device_time dt order by 1") +
         "  " +
         ask(store,
             "select k.name, k.kind, k.op_type, k.ts, k.dur, k.device, k.stream, k.bytes, l.name, l.ts "
             "from kernel k left join slice l on l.id = k.launch_id order by k.ts, k.name, k.device, "
             "k.stream");
}
Store through_chrome(const Store& store) {
  std::string text;
  EXPECT_TRUE(export_chrome_json(store, [&](std::string_view bytes) {
                text += bytes;
                return Status{};
              }).ok());
  return load_text(text);
}

TEST(ChromeJson, devices_streams_kinds_and_launches_come_back) {
  TraceBuilder t;
  const auto w = t.thread(70, 700, "host");
  TraceBuilder::SliceOptions one, two;
  one.flows_out = {5}, two.flows_out = {6};
  t.slice("launch", "cuda_runtime", w.track, 1'000, 1'500, one).op("Conv", w, 2'000, 2'400);
  t.slice("enqueue", "span", w.track, 3'000, 3'500, two);
  t.kernel(t.stream(0, 7), "conv", KernelKind::compute, 1'600, 2'600, 5)
      .kernel(t.stream(0, 9), "hcom_allReduce", KernelKind::communication, 2'100, 3'100)
      .kernel(t.stream(1, 7), "copy", KernelKind::memory, 3'600, 4'000, 6)
      .kernel(t.stream(1, 7), "Memset", KernelKind::memory, 4'000, 4'100);
  const Store store = t.seal();
  const std::string expected =
      "0|1500|1000|1000|0|500|500|1500|0;1|500|0|0|500|0|0|500|0  "
      "conv|compute|conv|1600|1000|0|7|-|launch|1000;"
      "hcom_allReduce|communication|hcom_allReduce|2100|1000|0|9|-|-|-;"
      "copy|memory|copy|3600|400|1|7|-|enqueue|3000;Memset|memory|Memset|4000|100|1|7|-|-|-";
  EXPECT_EQ(devices_of(store), expected);
  const Store again = through_chrome(store);
  EXPECT_EQ(devices_of(again), expected);
  EXPECT_EQ(ask(again, "select name, idx from device"), "device|0;device|1");
  EXPECT_EQ(ask(again, "select name, op_type, ts, dur from op"), "/node|Conv|2000|400");
  EXPECT_EQ(ask(again, "select count(*) from slice where category like 'kernel%'"), "0");
}

TEST(ChromeJson, times_since_1970_and_spans_that_only_partly_overlap_come_back) {
  constexpr std::int64_t kStart = 1'736'410'576'376'650'902;
  TraceBuilder t;
  const auto w = t.thread(70, 700, "host");
  t.slice("a", "span", w.track, kStart, kStart + 100).slice("b", "span", w.track, kStart + 50, kStart + 150);
  t.slice("c", "span", w.track, kStart + 60, kStart + 90);
  const Store store = t.seal();
  std::string text;
  ASSERT_TRUE(export_chrome_json(store, [&](std::string_view bytes) {
                text += bytes;
                return Status{};
              }).ok());
  EXPECT_NE(text.find(R"("baseTimeNanoseconds":1736410576000000000)"), std::string::npos);
  EXPECT_NE(text.find(R"("tid":1500000000,"ts":376650.952,"dur":0.100)"), std::string::npos) << text;
  const Store again = load_text(text);
  EXPECT_EQ(
      ask(again, fmt::format("select s.name, s.ts - {}, s.dur, t.tid from slice s join track k on k.id = "
                             "s.track_id join thread t on t.id = k.thread_id order by 2",
                             kStart)),
      "a|0|100|700;b|50|100|700;c|60|30|700");
  EXPECT_EQ(ask(again, "select count(*) from thread"), "1");
}

TEST(ChromeJson, samples_that_it_cannot_hold_are_no_loss_of_the_recording) {
  TraceBuilder t;
  const auto w = t.thread(70, 700, "host");
  t.op("Conv", w, 2'000, 2'400)
      .sample(w, 2'100, "cpu-clock", {"main", "conv"})
      .sample(w, 2'200, "cpu-clock", {"main", "conv"});
  const Store store = t.seal();
  ASSERT_EQ(ask(store, "select count(*) from sample"), "2");
  const Store again = through_chrome(store);
  EXPECT_EQ(ask(again, "select severity, count from note where code = 'note.chrome.samples_not_read'"),
            "notice|2");
  EXPECT_FALSE(losses_of(again).is_any());
}

// What ran on each CPU, what threads did, and whose counters are.
std::string scheduling_of(const Store& store) {
  return ask(store,
             "select s.ts, s.dur, s.cpu, s.end_state, t.tid, t.name, p.pid, p.name from sched s join thread "
             "t on t.id = s.thread_id left join process p on p.id = t.process_id order by s.cpu, s.ts") +
         "\n" +
         ask(store,
             "select t.tid, s.ts, s.dur, s.state, s.cpu, w.tid from thread_state s join thread t on t.id = "
             "s.thread_id left join thread w on w.id = s.waker_thread_id order by t.tid, s.ts");
}
std::string counters_of(const Store& store) {
  return ask(store,
             "select k.name, k.unit, k.cpu, t.tid, p.pid, d.idx, c.ts, c.value from counter c join "
             "counter_track k on k.id = c.track_id left join thread t on t.id = k.thread_id left join "
             "process p on p.id = k.process_id left join device d on d.id = k.device_id order by k.name, "
             "k.unit, k.cpu, t.tid, p.pid, d.idx, c.ts");
}

TEST(ChromeJson, what_ran_on_the_cpus_and_who_waited_comes_back) {
  TraceBuilder t;
  const auto a = t.thread(7, 70, "worker");
  t.thread(7, 71, ""), t.thread(8, 80, "a \"b\" \\");
  t.slice("work", "span", a.track, 200, 250);
  t.wake(100, 70, 80); // the first thing known of it: it slept
  t.switch_to(150, 0, 0, 'R', 70)
      .switch_to(300, 0, 70, 'R', 71) // preempted
      .switch_to(450, 0, 71, 'S', 70)
      .switch_to(500, 0, 70, 'D', 900) // a thread of no known process
      .wake(700, 70, 900)
      .switch_to(800, 0, 900, 'X', 70);
  t.switch_to(160, 1, 80, 'S', 0).wake(720, 71).switch_to(1000, 1, 0, 'R', 71);
  t.wake(1234, 80, 71); // running goes on to here
  const Store store = t.seal();
  const Store again = through_chrome(store);
  EXPECT_EQ(scheduling_of(again), scheduling_of(store));
  EXPECT_EQ(ask(again,
                "select ts, dur, state, cpu from thread_state join thread t on t.id = thread_id where tid = "
                "70 order by ts"),
            "100|50|runnable|-;150|150|running|0;300|150|preempted|-;450|50|running|0;500|200|blocked|-;"
            "700|100|runnable|-;800|434|running|0");
  EXPECT_EQ(ask(again,
                "select ts, dur, cpu, end_state from sched join thread t on t.id = thread_id where tid = 80"),
            "100|60|1|S");
  EXPECT_EQ(ask(again, "select name from slice"), "work") << "states and runs are no slices";
}

TEST(ChromeJson, any_scheduling_comes_back) {
  std::mt19937 random(5);
  TraceBuilder t;
  for (int cpu = 0; cpu < 3; ++cpu) {
    std::int64_t ts = 1'000'000'000'000'000 + cpu, running = 0;
    for (int i = 0; i < 200; ++i) {
      const std::int64_t next =
          random() % 4 == 0 ? 0 : 10 * (cpu + 1) + static_cast<std::int64_t>(random() % 4);
      if (next == running) continue;
      if (next != 0 && random() % 2 == 0) t.wake(ts + 1, next, 10 + static_cast<std::int64_t>(random() % 3));
      ts += 2 + static_cast<std::int64_t>(random() % 1000);
      t.switch_to(ts, cpu, running, "RSDI"[random() % 4], next);
      running = next;
    }
  }
  const Store store = t.seal();
  EXPECT_EQ(scheduling_of(through_chrome(store)), scheduling_of(store));
  EXPECT_GT(store.tables().sched.ts.size(), 300U);
}

TEST(ChromeJson, counters_come_back_with_unit_and_owner) {
  TraceBuilder t;
  StoreBuilder& b = t.sink();
  const auto w = t.thread(7, 70, "worker");
  const Id<Process> process = b.process({.pid = 7, .name = {}, .cmdline = {}});
  const Id<Device> devices[] = {b.device({.name = b.intern("NPU"), .kind = DeviceKind::gpu, .index = 0}),
                                b.device({.name = b.intern("NPU"), .kind = DeviceKind::gpu, .index = 1})};
  const auto add = [&](CounterTrack row, std::string_view name, std::string_view unit, double value) {
    row.name = b.intern(name), row.unit = b.intern(unit);
    b.counter(b.counter_track(row), Ts{1'000'000'000'000'123}, value);
    b.counter(b.counter_track(row), Ts{1'000'000'000'000'124}, value / 3);
  };
  add({}, "load", "", 1);
  add({}, "psi cpu 3", "percent", 0.1); // its own name ends like an owner's
  add({.cpu = 3}, "util", "percent", 12.5);
  add({.cpu = 11}, "util", "percent", 99);
  add({.process = process}, "rss", "bytes", 1.5e12);
  add({.thread = w.thread, .process = process}, "faults", "faults", 3);
  add({.device = devices[0]}, "power", "W", 310.25);
  add({.device = devices[1]}, "power", "W", -4);
  const Store store = t.seal();
  EXPECT_EQ(counters_of(through_chrome(store)), counters_of(store));
  EXPECT_EQ(ask(store, "select count(*) from counter"), "16");
}

// Of others such words mean nothing: they stay slices and counters.
TEST(ChromeJson, events_that_only_look_like_ours_are_taken_as_they_are) {
  const Store store = load_text(
      R"({"traceEvents":[
      {"ph":"X","name":"w","cat":"cann.sched_run","pid":900000000,"tid":0,"ts":1,"dur":2,"args":{"tid":"x"}},
      {"ph":"X","name":"w","cat":"cann.sched_run","pid":900000000,"tid":0,"ts":4,"dur":2,"args":{"tid":5}},
      {"ph":"X","name":"w","cat":"cann.sched_run","pid":900000000,"tid":"cpu","ts":7,"dur":2,"args":{"tid":5,"end_state":"S"}},
      {"ph":"X","name":"runnable","cat":"cann.sched_state","pid":7,"tid":1,"ts":1,"dur":2},
      {"ph":"C","name":"a","cat":"cann.counter cpu x","pid":0,"ts":1,"args":{"W":1}},
      {"ph":"C","name":"b","cat":"cann.counter cpu 1","pid":0,"ts":1,"args":{"W":1}},
      {"ph":"C","name":"c cpu 1","cat":"cann.counter cpu 1","pid":0,"ts":1,"args":{"W":1,"V":2}}]})");
  EXPECT_EQ(ask(store, "select (select count(*) from sched), (select count(*) from slice)"), "0|4");
  EXPECT_EQ(ask(store, "select name, unit, cpu from counter_track order by name"),
            "a.W||-;b.W||-;c cpu 1.V||-;c cpu 1.W||-");
}

// A batch lists several request_id, its requests wait on async tracks, and a pool thread works for it by a
// flow: none of that is Kineto's.
TEST(ChromeJson, batched_requests_come_back_with_their_stages_threads_and_time) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker"), pool = t.thread(7, 71, "pool");
  t.request(1, 0, 1000).request(2, 100, 1100).wait("queue", "queue_wait", 0, 200, {1});
  t.wait("queue", "queue_wait", 100, 200, {2}).stage("batch", worker, 200, 900, {1, 2});
  TraceBuilder::SliceOptions out, in;
  out.flows_out = {5}, in.flows_in = {5};
  out.numbers.emplace_back("whole", 2);
  t.slice("submit", "span", worker.track, 250, 260, out).slice("part", "span", pool.track, 300, 500, in);
  t.op("MatMul", worker, 300, 600).op("Add", pool, 310, 450);
  const Store store = t.seal();
  const Store again = through_chrome(store);
  for (const std::string_view sql :
       {"select s.request_row, s.ts, s.dur, s.name, s.wait_class, t.tid from stage s left join thread t on "
        "t.id "
        "= s.thread_id order by 1, 2, 4",
        "select * from request_time order by 1, 2", "select request_id, ts, dur, name, status from request",
        "select o.name, o.op_type, o.ts, t.tid, s.name from op o join thread t on t.id = o.thread_id left "
        "join "
        "slice s on s.id = o.stage_slice_id order by o.ts",
        "select k.kind, s.layer, s.category, s.ts, s.dur from slice s join track k on k.id = s.track_id "
        "order by "
        "4, 5, 1, 3",
        "select o.name, i.name from flow f join slice o on o.id = f.slice_out join slice i on i.id = "
        "f.slice_in",
        "select pid, name, cmdline from process", "select tid, name from thread order by 1"})
    EXPECT_EQ(ask(again, sql), ask(store, sql)) << sql;
  EXPECT_EQ(ask(again, "select count(*) from stage"), "4");
  EXPECT_EQ(ask(again, "select class, sum(ns) from request_time group by 1 order by 1"),
            "cpu_op|600;host_code|20;queue_wait|300;unexplained|1080");
}

TEST(ChromeJson, arguments_keep_type_and_order_and_devices_their_kind) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "w");
  StoreBuilder& b = t.sink();
  const Arg args[] = {{t.text("a"), std::int64_t{2}},
                      {t.text("a"), 2.0},
                      {t.text("b"), true},
                      {t.text("a"), t.text("x")},
                      {t.text("c#2"), std::int64_t{9}}};
  b.slice({.track = w.track,
           .ts = {1},
           .dur = {5},
           .name = t.text("s"),
           .category = t.text("span"),
           .layer = Layer::os,
           .args = args,
           .flows_out = {},
           .flows_in = {}});
  const Id<Device> npu = b.device({.name = t.text("910B"), .kind = DeviceKind::npu, .index = 0});
  b.device({.name = t.text("host gpu"), .kind = DeviceKind::gpu, .index = 0});
  const Id<Stream> stream = b.stream({.device = npu, .number = 3, .name = t.text("main")});
  b.kernel({.stream = stream, .ts = {10}, .dur = {5}, .name = t.text("k"), .correlation = 77});
  b.metadata("service", "poster");
  b.note({.severity = Severity::data_loss, .code = t.text("note.x"), .count = 3, .where = t.text("here")});
  b.gap({.ts = {4}, .dur = {2}, .reason = t.text("gap.x")});
  const Store again = through_chrome(t.seal());
  EXPECT_EQ(ask(again, "select key, int_value, double_value, string_value, value_type from args"),
            "a|2|-|-|integer;a|-|2|-|real;b|1|-|-|flag;a|-|-|x|text;c#2|9|-|-|integer");
  EXPECT_EQ(ask(again, "select layer from slice"), "os");
  EXPECT_EQ(ask(again, "select name, kind, idx from device order by 1"), "910B|npu|0;host gpu|gpu|0");
  EXPECT_EQ(
      ask(again, "select s.name, s.number, k.correlation from kernel k join stream s on s.id = k.stream_id"),
      "main|3|77");
  EXPECT_EQ(ask(again, "select key, value from metadata"), "service|poster");
  EXPECT_EQ(ask(again, "select severity, code, count, location from note"), "data_loss|note.x|3|here");
  EXPECT_EQ(ask(again, "select ts, dur, reason from gap"), "4|2|gap.x");
}

TEST(ChromeJson, a_real_trace_of_two_devices_comes_back_with_equal_device_time) {
  for (const std::string_view file : {"nsys_mfu_2gpu.sqlite.gz", "kineto/hta_alexnet.json.gz",
                                      "kineto/hta_event_sync_multi_stream.json.gz"}) {
    const Store store = load(data_file(file));
    const Store again = through_chrome(store);
    EXPECT_EQ(devices_of(again), devices_of(store)) << file;
    EXPECT_EQ(ask(again, "select idx, name from device order by 1"),
              ask(store, "select idx, name from device order by 1"));
  }
}

} // namespace
} // namespace prof::testing
