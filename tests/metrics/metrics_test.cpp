// The catalogue is complete and its values are right on a trace whose numbers are known.
#include "metrics/metrics.hpp"

#include "../store/trace_builder.hpp"
#include "base/file.hpp"
#include "base/lang.hpp"
#include "metrics/metric_docs.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<MetricDef> catalogue() {
  auto all = load_metric_catalogue();
  EXPECT_TRUE(all.ok()) << all.error().where << ": " << all.error().what;
  return *std::move(all);
}
MetricValue value_of(const Store& store, std::string_view id) {
  auto sql = Sql::open(store);
  const auto all = catalogue();
  return compute_metric(*find_metric(all, id), store, *sql);
}
double number(const Store& store, std::string_view id) {
  const MetricValue value = value_of(store, id);
  EXPECT_TRUE(value.value.has_value()) << id << ": " << value.reason << " " << value.detail;
  return value.value.value_or(-1e300);
}

TEST(Catalogue, every_metric_id_of_the_command_line_is_there) {
  const auto all = catalogue();
  for (const std::string_view id : {"latency",
                                    "p50_latency",
                                    "p90_latency",
                                    "p95_latency",
                                    "p99_latency",
                                    "p999_latency",
                                    "mean_latency",
                                    "max_latency",
                                    "throughput",
                                    "error_rate",
                                    "queue_time",
                                    "stream_queue",
                                    "batch_size",
                                    "ttft",
                                    "tpot",
                                    "itl",
                                    "tokens_per_s",
                                    "step_time",
                                    "device_util",
                                    "compute_util",
                                    "mem_bandwidth",
                                    "mem_used",
                                    "mem_frag",
                                    "cache_miss",
                                    "launch_overhead",
                                    "layout_transform_share",
                                    "small_op_share",
                                    "page_faults",
                                    "swap",
                                    "cpu_util",
                                    "run_queue_delay",
                                    "power",
                                    "energy_per_request",
                                    "temperature",
                                    "frequency",
                                    "network"})
    EXPECT_TRUE(find_metric(all, id).ok()) << id;
  EXPECT_EQ(all.size(), 36U);
}

TEST(Catalogue, the_committed_page_is_the_generated_one) {
  const auto page = read_file(std::string(PROF_SOURCE_DIR) + "/docs/metrics.md", 1 << 20);
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(*page == metric_reference_markdown(catalogue()))
      << "run: profiler metrics --reference > docs/metrics.md";
}

TEST(Catalogue, a_misspelt_id_gets_its_neighbours) {
  const auto all = catalogue();
  const auto wrong = find_metric(all, "p99_latncy");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, Errc::bad_argument);
  EXPECT_THAT(wrong.error().what, HasSubstr("did you mean p99_latency"));
  EXPECT_THAT(find_metric(all, "nothing_like_it_at_all").error().what, HasSubstr("profiler metrics"));
  EXPECT_FALSE(find_metric(all, std::string(1'000'000, 'x')).ok());
}

TEST(Metrics, an_empty_trace_has_a_reason_and_a_mend_for_every_metric) {
  StoreBuilder builder;
  const Store store = builder.seal();
  auto sql = Sql::open(store);
  for (const MetricDef& metric : catalogue()) {
    const MetricValue value = compute_metric(metric, store, *sql);
    EXPECT_FALSE(value.value.has_value()) << metric.id;
    for (const std::string& id : {value.reason, value.mend})
      EXPECT_NE(text(Lang::zh, id), id) << metric.id << " lacks a text";
    EXPECT_NE(value.reason, "metric.reason.query_failed") << metric.id << ": " << value.detail;
  }
}

// The mend of a trace with 25 unfinished requests was to mark requests.
TEST(Metrics, of_requests_that_all_were_cut_off_say_to_record_longer) {
  TraceBuilder cut, one_done, none;
  for (int i = 1; i <= 25; ++i)
    for (TraceBuilder* t : {&cut, &one_done})
      t->request(i, i * 1000, 100'000, "unfinished");
  one_done.request(26, 1000, 3000, "ok");
  const Store store = cut.seal(), done = one_done.seal(), empty = none.seal();
  for (const char* id : {"latency", "p99_latency", "throughput"}) {
    EXPECT_EQ(value_of(store, id).reason, "metric.reason.none_finished") << id;
    EXPECT_EQ(value_of(store, id).mend, "metric.mend.none_finished") << id;
  }
  EXPECT_EQ(value_of(empty, "p99_latency").mend, "signal.mend.not_recorded");
  EXPECT_DOUBLE_EQ(number(done, "p99_latency"), 2000);
}

TEST(Metrics, latency_percentiles_are_type_7) {
  TraceBuilder t;
  for (int i = 1; i <= 100; ++i)
    t.request(i, i * 1000, i * 1000 + i * 10, i <= 3 ? "error" : "ok"); // 10, 20 ... 1000 ns
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "latency"), 505);
  EXPECT_DOUBLE_EQ(number(store, "mean_latency"), 505);
  EXPECT_DOUBLE_EQ(number(store, "p50_latency"), 505);
  EXPECT_DOUBLE_EQ(number(store, "p90_latency"), 901);
  EXPECT_DOUBLE_EQ(number(store, "p95_latency"), 950.5);
  EXPECT_DOUBLE_EQ(number(store, "p99_latency"), 990.1);
  EXPECT_DOUBLE_EQ(number(store, "p999_latency"), 999.01);
  EXPECT_DOUBLE_EQ(number(store, "max_latency"), 1000);
  EXPECT_DOUBLE_EQ(number(store, "error_rate"), 3);
  EXPECT_DOUBLE_EQ(number(store, "throughput"), 100 * 1e9 / (101'000 - 1000));
  EXPECT_EQ(value_of(store, "p99_latency").n, 100);
}

// 1000 bytes in [0, 10) and 500 in [5, 15): 1500 bytes in 15 ns.
TEST(Metrics, mem_bandwidth_says_when_it_is_that_of_copies) {
  const auto copies = [](TraceBuilder& t) {
    // Memory that is set is not copied, whoever names it.
    for (const auto& [ts, bytes, name] :
         {std::tuple(0, 1000, "Memcpy HtoD"), std::tuple(5, 500, "CopyHostToDevice"),
          std::tuple(20, 70'000, "Memset (Device)"), std::tuple(30, 70'000, "FillBuffer")})
      t.sink().kernel({.stream = t.stream(0, ts),
                       .ts = Ts{ts},
                       .dur = Dur{10},
                       .name = t.sink().intern(name),
                       .kind = KernelKind::memory,
                       .bytes = bytes});
  };
  TraceBuilder imported, live;
  copies(imported), copies(live);
  live.counter("mem_bandwidth", "bytes/s", {{0, 10}, {20, 30}});
  const Store of_copies = imported.seal(), of_counter = live.seal();
  EXPECT_DOUBLE_EQ(number(of_copies, "mem_bandwidth"), 1500e9 / 15);
  EXPECT_THAT(text(Lang::en, value_of(of_copies, "mem_bandwidth").detail), HasSubstr("copy bandwidth"));
  EXPECT_THAT(text(Lang::zh, value_of(of_copies, "mem_bandwidth").detail), HasSubstr("拷贝带宽"));
  EXPECT_DOUBLE_EQ(number(of_counter, "mem_bandwidth"), 20);
  EXPECT_EQ(value_of(of_counter, "mem_bandwidth").detail, "");
}

TEST(Metrics, marks_without_length_are_no_steps) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "python");
  t.slice("Iteration Start: PyTorch Profiler", "mark", w.track, 0, 0)
      .slice("ProfilerStep#5", "op", w.track, 1000, 1300)
      .slice("ProfilerStep#6", "op", w.track, 1300, 1400);
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "step_time"), 200);
  EXPECT_EQ(value_of(store, "step_time").n, 2);
  EXPECT_EQ(value_of(store, "throughput").n, 2);
  EXPECT_DOUBLE_EQ(number(store, "throughput"), 2 * 1e9 / 400);
  TraceBuilder only;
  only.slice("Iteration Start: PyTorch Profiler", "mark", only.thread(7, 70, "python").track, 0, 0);
  const Store none = only.seal();
  EXPECT_FALSE(value_of(none, "step_time").value.has_value()) << "no step is not a step of 0 ns";
  EXPECT_FALSE(value_of(none, "throughput").value.has_value());
}

TEST(Metrics, a_step_that_stands_on_several_tracks_is_one_step) {
  TraceBuilder t;
  const auto host = t.thread(7, 70, "python"), device = t.thread(7, 71, "device");
  t.slice("ProfilerStep#50", "request", host.track, 1000, 1300)
      .slice("ProfilerStep#50", "stage", host.track, 1000, 1300)
      .slice("ProfilerStep#50", "gpu_user_annotation", device.track, 1100, 1250);
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "step_time"), 300);
  EXPECT_EQ(value_of(store, "step_time").n, 1);
  TraceBuilder loops; // one name for every step: each is a step of its own
  const auto w = loops.thread(7, 70, "python");
  loops.slice("iteration", "op", w.track, 0, 10).slice("iteration", "op", w.track, 10, 40);
  const Store twice = loops.seal();
  EXPECT_DOUBLE_EQ(number(twice, "step_time"), 20);
}

TEST(Metrics, queue_time_counts_overlap_once_and_requests_without_a_wait_as_zero) {
  TraceBuilder t;
  t.request(1, 0, 1000)
      .request(2, 0, 1000)
      .wait("queue", "queue_wait", 0, 100, {1})
      .wait("queue", "queue_wait", 50, 200, {1});
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "queue_time"), 100); // (200 + 0) / 2
}

TEST(Metrics, requests_that_recording_cut_off_are_neither_slow_nor_errors) {
  TraceBuilder t;
  t.request(1, 0, 1000).request(2, 0, 2000, "error").request(3, 1900, 1901, "unfinished");
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "latency"), 1500);
  EXPECT_EQ(value_of(store, "latency").n, 2);
  EXPECT_DOUBLE_EQ(number(store, "error_rate"), 50);
  EXPECT_DOUBLE_EQ(number(store, "throughput"), 2 * 1e9 / 2000);
}

TEST(Metrics, a_service_without_a_queue_has_no_queue_time) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "w");
  t.request(1, 0, 1000).stage("s", w, 0, 10, {1});
  const Store store = t.seal();
  EXPECT_FALSE(value_of(store, "queue_time").value.has_value());
}

TEST(Metrics, gauges_are_weighted_by_time) {
  TraceBuilder t;
  t.counter("queue_depth", "count", {{0, 0}, {900, 10}, {1000, 10}}); // 0 for 900 ns, 10 for 100 ns
  t.counter("swap", "bytes", {{5, 4096}});
  t.counter("temperature", "celsius", {{0, 40}, {10, 71}, {20, 50}});
  t.counter("power", "watt", {{0, 100}, {100, 100}})
      .request(1, 0, 1'000'000'000)
      .request(2, 0, 2'000'000'000);
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "stream_queue"), 1);
  EXPECT_DOUBLE_EQ(number(store, "swap"), 4096);
  EXPECT_DOUBLE_EQ(number(store, "temperature"), 71);
  EXPECT_DOUBLE_EQ(number(store, "power"), 100);
  EXPECT_DOUBLE_EQ(number(store, "energy_per_request"), 100); // 100 W over 2 s for 2 requests
}

TEST(Metrics, memory_of_several_processes_is_summed) {
  StoreBuilder b;
  for (const auto& [pid, bytes] : {std::pair(7, 1000.0), std::pair(8, 500.0)}) {
    const auto track = b.counter_track({.name = b.intern("rss"),
                                        .unit = b.intern("bytes"),
                                        .cpu = -1,
                                        .thread = {},
                                        .process = b.process({.pid = pid, .name = {}, .cmdline = {}}),
                                        .device = {}});
    b.counter(track, Ts{0}, bytes);
    b.counter(track, Ts{100}, bytes);
  }
  const Store store = b.seal();
  EXPECT_DOUBLE_EQ(number(store, "mem_used"), 1500);
}

// A batch size of 1 was told of a training: its steps stand as requests.
TEST(Metrics, a_step_of_a_training_is_no_batch_of_requests) {
  TraceBuilder steps, requests;
  for (TraceBuilder* t : {&steps, &requests}) {
    const auto w = t->thread(7, 70, "w");
    t->request(1, 0, 1000).stage("work", w, 100, 900, {1});
  }
  steps.sink().metadata("request.source", "Step Id of the kernels");
  EXPECT_FALSE(value_of(steps.seal(), "batch_size").value.has_value());
  EXPECT_DOUBLE_EQ(number(requests.seal(), "batch_size"), 1);
}

// "The trace holds no such data" stood beside these counters of an Ascend profile.
TEST(Metrics, counters_of_a_device_stand_in_where_the_host_s_are_not_there) {
  TraceBuilder device, all;
  for (TraceBuilder* t : {&device, &all})
    t->counter("HBM device", "bytes", {{0, 2000}, {100, 4000}, {200, 4000}})
        .counter("reserved_memory", "bytes", {{0, 7}, {100, 7}})
        .counter("HBM 0 read", "bytes/s", {{0, 10}, {100, 30}})
        .counter("HBM 1 read", "bytes/s", {{0, 1}, {100, 3}})
        .counter("HBM 0 write", "bytes/s", {{0, 100}, {100, 300}})
        .counter("HBM app", "bytes", {{0, 5}})
        .counter("AI Core Freq", "MHz", {{0, 1800}, {100, 1800}});
  all.counter("rss", "bytes", {{0, 50}, {100, 50}}).counter("mem_bandwidth", "bytes/s", {{0, 9}, {100, 9}});
  const Store store = device.seal(), with_host = all.seal();
  EXPECT_DOUBLE_EQ(number(store, "mem_used"), 3000);
  EXPECT_DOUBLE_EQ(number(store, "mem_bandwidth"), 20 + 2 + 200);
  EXPECT_EQ(value_of(store, "mem_bandwidth").detail, "");
  EXPECT_DOUBLE_EQ(number(store, "frequency"), 1800);
  EXPECT_DOUBLE_EQ(number(with_host, "mem_used"), 50);
  EXPECT_DOUBLE_EQ(number(with_host, "mem_bandwidth"), 9);
}

// The SDK reads the two one after the other, and either can come first.
TEST(Metrics, fragmentation_compares_readings_that_belong_together) {
  TraceBuilder t;
  t.counter("heap_in_use", "bytes", {{0, 60}, {1'000'000'000, 80}, {2'000'000'000, 1}, {3'000'000'000, 70}})
      .counter("heap_held", "bytes", {{0, 100}, {1'000'007'000, 100}, {2'999'999'800, 100}});
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "mem_frag"),
                   30); // 40, 20 and 30; the lonely reading of 1 counts for nothing
}

TEST(Metrics, operators_give_layout_small_and_launch_shares) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "w");
  t.slice("run", words::kRun, w.track, 0, 200'000)
      .op("Conv", w, 10'000, 110'000)
      .op("Transpose", w, 110'000, 150'000)
      .op("Add", w, 150'000, 160'000);
  const Store store = t.seal();
  EXPECT_NEAR(number(store, "layout_transform_share"), 100.0 * 40 / 150, 1e-12);
  EXPECT_NEAR(number(store, "small_op_share"), 100.0 * 10 / 150, 1e-12);
  EXPECT_DOUBLE_EQ(number(store, "launch_overhead"), 25);
  EXPECT_EQ(value_of(store, "p50_latency").detail, "unit: run");
}

// 0 % stood beside TransData kernels: the host's operators of a training are other ones.
TEST(Metrics, a_device_gives_the_layout_share_of_its_kernels) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "w");
  t.slice("run", words::kRun, w.track, 0, 200'000).op("aten::conv2d", w, 10'000, 110'000);
  const auto stream = t.stream(0, 1);
  t.kernel(stream, "TransData", KernelKind::compute, 0, 10'000, 0)
      .kernel(stream, "void cudnn::nchwToNhwcKernel<half>(int)", KernelKind::compute, 10'000, 20'000, 0)
      .kernel(stream, "Conv2D1", KernelKind::compute, 20'000, 60'000, 0)
      .kernel(stream, "hcom_allReduce_", KernelKind::communication, 60'000, 90'000, 0);
  EXPECT_NEAR(number(t.seal(), "layout_transform_share"), 100.0 * 20 / 60, 1e-12);
}

// A profile of ONNX Runtime has its runs as stages of that name.
TEST(Metrics, launch_overhead_is_known_of_an_onnx_runtime_profile_too) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "w");
  t.slice("model_run", words::kStage, w.track, 0, 100).op("Conv", w, 10, 70);
  EXPECT_DOUBLE_EQ(number(t.seal(), "launch_overhead"), 40);
}

TEST(Metrics, devices_and_cpus_have_their_utilisation) {
  TraceBuilder device;
  const auto s = device.stream(0, 0);
  device.kernel(s, "a", KernelKind::compute, 0, 400).kernel(s, "b", KernelKind::memory, 600, 1000);
  const Store device_store = device.seal();
  EXPECT_DOUBLE_EQ(number(device_store, "device_util"), 80);
  EXPECT_DOUBLE_EQ(number(device_store, "compute_util"), 40);
  TraceBuilder cpu;
  const auto w = cpu.thread(7, 70, "w");
  cpu.slice("work", "span", w.track, 0, 10).runs(w, 0, {{0, 300}, {900, 1000}});
  cpu.switch_to(0, 1, 0, 'R', 99).switch_to(500, 1, 99, 'S', 0).switch_to(1000, 1, 0, 'R', 99);
  const Store cpu_store = cpu.seal();
  EXPECT_DOUBLE_EQ(number(cpu_store, "compute_util"), 20); // 400 of 2000
  EXPECT_DOUBLE_EQ(number(cpu_store, "cpu_util"), 45);     // 400 + 500 of 2000
  EXPECT_FALSE(value_of(cpu_store, "device_util").value.has_value());
}

TEST(Metrics, cumulative_counters_become_rates) {
  TraceBuilder t;
  t.counter("minor_faults", "count", {{0, 1000}, {500'000'000, 1500}, {2'000'000'000, 2000}})
      .counter("major_faults", "count", {{0, 0}, {2'000'000'000, 2}});
  t.counter("network_received", "bytes", {{0, 0}, {1'000'000'000, 5000}})
      .counter("network_sent", "bytes", {{0, 100}, {1'000'000'000, 1100}});
  t.counter("cache_misses", "count", {{0, 10}, {1, 60}})
      .counter("cache_references", "count", {{0, 0}, {1, 200}});
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "page_faults"), 501);
  EXPECT_DOUBLE_EQ(number(store, "network"), 6000);
  EXPECT_DOUBLE_EQ(number(store, "cache_miss"), 25);
}

TEST(Metrics, run_queue_delay_is_waiting_for_a_cpu_per_request) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "w");
  t.request(1, 0, 1000).stage("s", w, 0, 1000, {1});
  t.switch_to(0, 0, 0, 'R', 70)
      .switch_to(300, 0, 70, 'R', 0)
      .switch_to(400, 0, 0, 'R', 70)
      .switch_to(1000, 0, 70, 'S', 0);
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "run_queue_delay"), 100);
}

TEST(Metrics, tokens_come_from_arguments_of_the_request) {
  TraceBuilder t;
  TraceBuilder::SliceOptions one, two;
  one.numbers = {{"request_id", 1}, {"first_token_ns", 100}, {"output_tokens", 10}};
  two.numbers = {{"request_id", 2}, {"first_token_ns", 300}, {"output_tokens", 1}};
  t.slice("r", words::kRequest, t.lane(7, "a"), 0, 1000, one)
      .slice("r", words::kRequest, t.lane(7, "b"), 0, 2000, two);
  const auto lane = t.lane(7, "tokens");
  for (const std::int64_t at : {100, 150, 250}) {
    TraceBuilder::SliceOptions of;
    of.numbers = {{"request_id", 1}};
    t.slice("token", "token", lane, at, at, of);
  }
  const Store store = t.seal();
  EXPECT_DOUBLE_EQ(number(store, "ttft"), 200);
  EXPECT_DOUBLE_EQ(number(store, "tpot"), 100); // (1000 - 100) / 9; one token has no "after the first"
  EXPECT_DOUBLE_EQ(number(store, "itl"), 75);
  EXPECT_DOUBLE_EQ(number(store, "tokens_per_s"), 11 * 1e9 / 2000);
}

TEST(Metrics, a_missing_signal_gives_its_own_reason) {
  StoreBuilder b;
  b.signal({.name = b.intern("cache_miss"),
            .is_available = false,
            .source = {},
            .reason = b.intern("signal.reason.no_pmu"),
            .mend = b.intern("signal.mend.pmu"),
            .detail = b.intern("ENOENT")});
  b.signal({.name = b.intern("ops"),
            .is_available = false,
            .source = {},
            .reason = b.intern("signal.reason.no_shim"),
            .mend = b.intern("signal.mend.preload"),
            .detail = {}});
  const Store store = b.seal();
  const MetricValue cache = value_of(store, "cache_miss");
  EXPECT_EQ(cache.reason, "signal.reason.no_pmu");
  EXPECT_EQ(cache.mend, "signal.mend.pmu");
  EXPECT_EQ(cache.detail, "ENOENT");
  EXPECT_EQ(value_of(store, "layout_transform_share").reason, "signal.reason.no_shim");
  EXPECT_EQ(value_of(store, "p99_latency").reason, "signal.reason.not_recorded");
}

TEST(Metrics, samples_come_in_time_order_with_their_times) {
  TraceBuilder t;
  t.request(1, 500, 600).request(2, 100, 400);
  const Store store = t.seal();
  auto sql = Sql::open(store);
  const auto all = catalogue();
  const auto samples = metric_samples(*find_metric(all, "p99_latency"), store, *sql);
  ASSERT_TRUE(samples.ok());
  EXPECT_THAT(samples->ts, ElementsAre(100, 500));
  EXPECT_THAT(samples->value, ElementsAre(300, 100));
}

} // namespace
} // namespace prof
