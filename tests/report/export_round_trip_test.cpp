// A trace as Chrome JSON, read back by our own importer: what it says of the devices is the same.
#include "../readers/reader_fixture.hpp"
#include "../store/trace_builder.hpp"
#include "report/export_view.hpp"

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
