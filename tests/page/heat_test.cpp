// Cells of the heat map against shares computed by hand, and which rows there are when there are too many.
#include "../store/trace_builder.hpp"
#include "report/html/heat.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

std::vector<const HeatRow*> rows_of(const HeatMap& heat, std::string_view group) {
  std::vector<const HeatRow*> out;
  for (const HeatRow& row : heat.rows)
    if (row.group == group) out.push_back(&row);
  return out;
}
// "value x length" of each run of equal cells; the last cell covers the end of the trace and is left out.
std::string runs(const HeatRow& row) {
  std::string out;
  for (std::size_t i = 0; i + 1 < row.busy.size();) {
    std::size_t k = i;
    while (k + 1 < row.busy.size() && row.busy[k] == row.busy[i])
      ++k;
    out += (out.empty() ? "" : " ") + std::to_string(row.busy[i]) + "x" + std::to_string(k - i);
    i = k;
  }
  return out;
}

TEST(HeatCells, the_line_over_all_cores_is_their_mean) {
  TraceBuilder t;
  const auto a = t.thread(7, 70, "a"), b = t.thread(7, 71, "b");
  t.request(1, 0, 1000).runs(a, 0, {{0, 500}}).runs(b, 1, {{0, 250}});
  const HeatMap heat = build_heat_map(t.seal());
  EXPECT_EQ(heat.k, 0); // 1 ns a cell
  const auto all = rows_of(heat, "core_all");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(runs(*all[0]), "255x250 128x250 0x500"); // round(127.5)
  EXPECT_DOUBLE_EQ(all[0]->mean, 0.375);
  ASSERT_EQ(rows_of(heat, "core").size(), 2U);
  EXPECT_EQ(runs(*rows_of(heat, "core")[1]), "255x250 0x750");
}

TEST(HeatCells, a_sampled_utilisation_holds_until_the_next_reading) {
  TraceBuilder t;
  t.request(1, 0, 1000);
  const Id<CounterTrack> track = t.sink().counter_track({.name = t.text("cpu_util"),
                                                         .unit = t.text("percent"),
                                                         .cpu = 3,
                                                         .thread = {},
                                                         .process = {},
                                                         .device = {}});
  t.sink().counter(track, Ts{0}, 50);
  t.sink().counter(track, Ts{400}, 100);
  t.sink().counter(track, Ts{600}, 20);
  const HeatMap heat = build_heat_map(t.seal());
  const auto cores = rows_of(heat, "core");
  ASSERT_EQ(cores.size(), 1U);
  EXPECT_EQ(cores[0]->name, "CPU 3");
  EXPECT_EQ(cores[0]->source, HeatSource::cpu_counter);
  EXPECT_EQ(runs(*cores[0]), "128x400 255x200 51x400");
  EXPECT_NEAR(cores[0]->mean, (0.5 * 400 + 200 + 0.2 * 400) / 1000, 1e-12);
}

TEST(HeatCells, only_the_256_busiest_threads_have_rows_the_busiest_first) {
  TraceBuilder t;
  for (int i = 0; i < 300; ++i) {
    const auto worker = t.thread(7, 1000 + i, "w" + std::to_string(i));
    t.slice("work", "span", worker.track, 0, i + 1);
  }
  const HeatMap heat = build_heat_map(t.seal());
  const auto threads = rows_of(heat, "thread");
  ASSERT_EQ(threads.size(), 256U);
  EXPECT_EQ(threads.front()->name, "w299 [1299]");
  EXPECT_EQ(threads.front()->source, HeatSource::spans);
  EXPECT_EQ(runs(*threads.front()), "255x300");
  EXPECT_EQ(threads.back()->name, "w44 [1044]");
  EXPECT_EQ(runs(*threads.back()), "255x45 0x255");
  EXPECT_DOUBLE_EQ(threads.back()->mean, 0.15);
}

TEST(HeatCells, only_the_256_busiest_streams_have_rows_in_the_order_of_the_streams) {
  TraceBuilder t;
  for (int i = 0; i < 300; ++i)
    t.kernel(t.stream(0, i), "k", KernelKind::compute, 0, 300 - i);
  const HeatMap heat = build_heat_map(t.seal());
  const auto streams = rows_of(heat, "stream");
  ASSERT_EQ(streams.size(), 256U);
  EXPECT_EQ(heat.left_out, 44);
  EXPECT_EQ(streams.front()->name, "stream 0");
  EXPECT_EQ(streams.back()->name, "stream 255");
  EXPECT_EQ(runs(*streams.back()), "255x45 0x255");
}

TEST(HeatCells, only_the_1024_busiest_cores_have_rows_and_the_mean_is_of_all) {
  TraceBuilder t;
  for (int cpu = 0; cpu < 1500; ++cpu)
    t.runs(t.thread(7, 1000 + cpu, "w"), cpu, {{0, cpu < 500 ? 10 : 20}});
  const HeatMap heat = build_heat_map(t.seal());
  const auto cores = rows_of(heat, "core");
  ASSERT_EQ(cores.size(), 1024U);
  EXPECT_EQ(cores[0]->name, "CPU 0");    // of equally busy ones the first: 0 to 23
  EXPECT_EQ(cores[24]->name, "CPU 500"); // all that ran for 20 ns
  EXPECT_EQ(cores.back()->name, "CPU 1499");
  EXPECT_EQ(heat.left_out, (1500 - 1024) + (1500 - 256)); // cores and threads
  EXPECT_DOUBLE_EQ(rows_of(heat, "core_all").at(0)->mean, (500 * 10 + 1000 * 20) / (1500.0 * 20));
}

TEST(HeatCells, threads_of_the_traced_service_stand_above_the_rest_of_the_machine_and_name_their_process) {
  TraceBuilder t;
  const auto compiler = t.thread(90, 900, "worker-1"), idle = t.thread(7, 70, "worker-1"),
             busy = t.thread(7, 71, "worker-2");
  t.slice("serve", "span", idle.track, 0, 1000);
  t.runs(compiler, 0, {{0, 1000}}).runs(idle, 1, {{0, 100}}).runs(busy, 2, {{0, 600}});
  std::vector<std::string> names;
  const HeatMap heat = build_heat_map(t.seal());
  for (const HeatRow* row : rows_of(heat, "thread"))
    names.push_back(row->name);
  EXPECT_THAT(names, testing::ElementsAre("worker-2 [71] · pid 7", "worker-1 [70] · pid 7",
                                          "worker-1 [900] · pid 90"));
}

TEST(HeatCells, streams_of_one_number_say_whose_they_are_where_there_are_several_devices) {
  TraceBuilder t;
  t.kernel(t.stream(0, 7, DeviceKind::gpu), "k", KernelKind::compute, 0, 500)
      .kernel(t.stream(1, 7, DeviceKind::gpu), "k", KernelKind::compute, 0, 1000);
  std::vector<std::string> names;
  const HeatMap heat = build_heat_map(t.seal());
  for (const HeatRow* row : rows_of(heat, "stream"))
    names.push_back(row->name);
  EXPECT_THAT(names, testing::ElementsAre("stream 7 · GPU 0", "stream 7 · GPU 1"));
}

TEST(HeatCells, nested_spans_of_a_thread_count_once) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "w");
  t.slice("outer", "span", worker.track, 0, 600)
      .slice("inner", "span", worker.track, 100, 300)
      .slice("end", "span", worker.track, 999, 1000);
  const HeatMap heat = build_heat_map(t.seal());
  const auto threads = rows_of(heat, "thread");
  ASSERT_EQ(threads.size(), 1U);
  EXPECT_EQ(runs(*threads[0]), "255x600 0x399 255x1");
  EXPECT_DOUBLE_EQ(threads[0]->mean, 0.601);
}

TEST(HeatCells, a_long_trace_has_wider_cells_and_keeps_the_mean) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "w");
  // 2^20 ns: 16384 cells of 64 ns would be one too many with the last; so 128 ns each.
  t.slice("a", "span", worker.track, 0, 96).slice("b", "span", worker.track, (1 << 20) - 64, 1 << 20);
  const HeatMap heat = build_heat_map(t.seal());
  EXPECT_EQ(heat.k, 7);
  const HeatRow& row = *rows_of(heat, "thread").at(0);
  EXPECT_EQ(row.busy[0], 191); // 96 of 128: round(191.25)
  EXPECT_EQ(row.busy[1], 0);
  EXPECT_EQ(row.busy[8191], 128); // 64 of 128
  EXPECT_DOUBLE_EQ(row.mean, 160.0 / (1 << 20));
}

} // namespace
} // namespace prof
