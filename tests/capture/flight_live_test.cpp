// Metrics as they are told while a recording runs.
#include "base/lang.hpp"
#include "capture/live_metrics.hpp"

#include <gtest/gtest.h>
#include <string>

namespace prof {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr Dur kWindow{10 * kSecond};

std::optional<double> value(LiveMetrics& live, std::string_view id) {
  const LiveMetric* metric = find_live_metric(id);
  EXPECT_NE(metric, nullptr) << id;
  return metric == nullptr ? std::nullopt : live.value(*metric);
}

TEST(LiveMetrics, ids_and_units_are_those_of_the_catalogue) {
  std::string catalogue;
  for (const KnowledgeFile& file : knowledge_files())
    if (file.path.starts_with("metrics/")) catalogue += file.content;
  int shared = 0;
  for (const LiveMetric& metric : live_metrics()) {
    const auto at = catalogue.find("- id: " + std::string(metric.id) + "\n");
    const bool is_ours = metric.id.starts_with("psi_") || metric.id == "rss" || metric.id == "run_queue";
    EXPECT_EQ(at == std::string::npos, is_ours) << metric.id;
    if (at == std::string::npos) continue;
    ++shared;
    const std::string entry = catalogue.substr(at, catalogue.find("\n- id: ", at + 1) - at);
    if (entry.find("\n  like: latency\n") != std::string::npos) {
      EXPECT_EQ(metric.unit, "ns") << metric.id;
      continue;
    }
    const auto unit = entry.find("\n  unit: ") + 9;
    std::string written = entry.substr(unit, entry.find('\n', unit) - unit);
    std::erase(written, '"');
    EXPECT_EQ(metric.unit, written) << metric.id;
  }
  EXPECT_GT(shared, 20);
}

TEST(LiveMetrics, of_a_hundred_requests_every_figure_is_known_by_hand) {
  LiveMetrics live(kWindow, {0});
  for (std::int64_t i = 1; i <= 100; ++i) // 1 ms to 100 ms, ten a second, every tenth fails
    live.request({i * kSecond / 10}, {i * 1'000'000},
                 i % 10 == 0 ? RequestOutcome::failed : RequestOutcome::ok);
  live.advance({10 * kSecond - 1});
  EXPECT_FALSE(value(live, "throughput")); // not yet a whole window
  live.advance({10 * kSecond});
  EXPECT_EQ(live.requests(), 100);
  EXPECT_DOUBLE_EQ(*value(live, "p50_latency"), 50'500'000);
  EXPECT_DOUBLE_EQ(*value(live, "p90_latency"), 90'100'000);
  EXPECT_DOUBLE_EQ(*value(live, "p95_latency"), 95'050'000);
  EXPECT_DOUBLE_EQ(*value(live, "p99_latency"), 99'010'000);
  EXPECT_DOUBLE_EQ(*value(live, "p999_latency"), 99'901'000);
  EXPECT_DOUBLE_EQ(*value(live, "max_latency"), 100'000'000);
  EXPECT_DOUBLE_EQ(*value(live, "mean_latency"), 50'500'000);
  EXPECT_DOUBLE_EQ(*value(live, "latency"), 50'500'000);
  EXPECT_DOUBLE_EQ(*value(live, "throughput"), 10);
  EXPECT_DOUBLE_EQ(*value(live, "error_rate"), 10);
}

TEST(LiveMetrics, a_service_that_stopped_answering_has_a_rate_of_zero_and_no_latency) {
  LiveMetrics live(kWindow, {0});
  live.request({kSecond}, {5}, RequestOutcome::ok);
  live.advance({20 * kSecond});
  EXPECT_EQ(value(live, "throughput"), 0.0);
  EXPECT_FALSE(value(live, "p99_latency"));
  EXPECT_FALSE(value(live, "error_rate"));
}

TEST(LiveMetrics, model_runs_stand_in_until_there_is_a_request) {
  LiveMetrics live(kWindow, {0});
  live.run({kSecond}, {7});
  live.run({kSecond}, {9});
  live.advance({kSecond});
  EXPECT_EQ(value(live, "mean_latency"), 8.0);
  live.request({2 * kSecond}, {100}, RequestOutcome::ok);
  live.run({2 * kSecond}, {1});
  live.advance({2 * kSecond});
  EXPECT_EQ(value(live, "mean_latency"), 100.0);
  EXPECT_EQ(live.requests(), 1);
}

TEST(LiveMetrics, the_newest_readings_of_all_tracks_are_summed_averaged_or_the_highest) {
  LiveMetrics live(kWindow, {0});
  EXPECT_FALSE(value(live, "rss"));
  live.counter("rss", {.pid = 1, .cpu = -1, .track = 1}, {1}, 100);
  live.counter("rss", {.pid = 2, .cpu = -1, .track = 2}, {1}, 50);
  live.counter("rss", {.pid = 1, .cpu = -1, .track = 1}, {2}, 300);
  live.counter("queue_depth", {.pid = 1, .cpu = -1, .track = 3}, {1}, 4);
  live.counter("stream_queue", {.pid = 1, .cpu = -1, .track = 4}, {1}, 3);
  for (std::int64_t cpu = 0; cpu < 4; ++cpu)
    live.counter("cpu_util", {.cpu = cpu, .track = 10 + cpu}, {1}, static_cast<double>(cpu) * 20);
  live.counter("cpu_util", {.pid = 1, .cpu = -1, .track = 20}, {1}, 900); // of the process: another figure
  live.counter("temperature", {.pid = 0, .cpu = -1, .track = 30}, {1}, -4);
  live.counter("temperature", {.pid = 0, .cpu = -1, .track = 31}, {1}, -20);
  live.counter("of_nobody", {.pid = 0, .cpu = -1, .track = 32}, {1}, 1);
  live.advance({kSecond});
  EXPECT_EQ(value(live, "rss"), 350.0);
  EXPECT_EQ(value(live, "stream_queue"), 7.0);
  EXPECT_EQ(value(live, "cpu_util"), 30.0);
  EXPECT_EQ(value(live, "temperature"), -4.0);
}

TEST(LiveMetrics, a_reading_that_comes_late_does_not_replace_a_newer_one_of_a_growing_counter) {
  LiveMetrics live(kWindow, {0});
  for (const std::int64_t at : {0, 10, 5})
    live.counter("minor_faults", {.pid = 1, .cpu = -1, .track = 1}, {at * kSecond},
                 static_cast<double>(at) * 100);
  live.advance({10 * kSecond});
  EXPECT_EQ(value(live, "page_faults"), 100.0);
}

TEST(LiveMetrics, the_machines_memory_counts_while_no_process_has_any) {
  LiveMetrics live(kWindow, {0});
  live.counter("mem_used", {.pid = 0, .cpu = -1, .track = 1}, {1}, 8e9);
  EXPECT_EQ(value(live, "mem_used"), 8e9);
  live.counter("rss", {.pid = 7, .cpu = -1, .track = 2}, {1}, 1e9);
  EXPECT_EQ(value(live, "mem_used"), 1e9);
}

TEST(LiveMetrics, a_process_that_ended_takes_its_readings_along) {
  LiveMetrics live(kWindow, {0});
  live.counter("rss", {.pid = 1, .cpu = -1, .track = 1}, {1}, 100);
  live.counter("rss", {.pid = 2, .cpu = -1, .track = 2}, {1}, 50);
  EXPECT_EQ(live.pids(), (std::set<std::int64_t>{1, 2}));
  live.forget_process(1);
  live.forget_process(99);
  EXPECT_EQ(value(live, "rss"), 50.0);
  EXPECT_EQ(live.pids(), (std::set<std::int64_t>{2}));
}

TEST(LiveMetrics, growth_is_taken_over_the_window_and_stands_still_between_readings) {
  LiveMetrics live(kWindow, {0});
  const LiveOwner owner{.pid = 0, .cpu = -1, .track = 1};
  live.counter("psi_memory_some", owner, {0}, 1e9);
  live.advance({5 * kSecond});
  EXPECT_FALSE(value(live, "psi_memory_some")); // half a window
  live.counter("psi_memory_some", owner, {8 * kSecond}, 3e9);
  live.advance({10 * kSecond});
  EXPECT_EQ(value(live, "psi_memory_some"), 20.0); // 2 s of 10
  live.advance({17 * kSecond});                    // at 7 s it was still 1e9
  EXPECT_EQ(value(live, "psi_memory_some"), 20.0);
  live.advance({18 * kSecond});
  EXPECT_EQ(value(live, "psi_memory_some"), 0.0);
  live.counter("psi_memory_some", owner, {19 * kSecond}, 4e9);
  live.advance({20 * kSecond});
  EXPECT_EQ(value(live, "psi_memory_some"), 10.0);
}

TEST(LiveMetrics, growth_adds_up_over_counters_and_a_reset_is_no_negative_growth) {
  LiveMetrics live(kWindow, {0});
  live.counter("network_received", {.pid = 0, .cpu = -1, .track = 1}, {0}, 0);
  live.counter("network_sent", {.pid = 0, .cpu = -1, .track = 2}, {0}, 5000);
  live.counter("network_received", {.pid = 0, .cpu = -1, .track = 1}, {kSecond}, 1000);
  live.counter("network_sent", {.pid = 0, .cpu = -1, .track = 2}, {kSecond}, 10); // another device list
  live.advance({10 * kSecond});
  EXPECT_EQ(value(live, "network"), 100.0);
}

TEST(LiveMetrics, more_tracks_than_the_limit_are_left_out_and_counted) {
  LiveMetrics live(kWindow, {0});
  for (std::int64_t i = 0; i < 10'003; ++i)
    live.counter("rss", {.pid = i + 1, .cpu = -1, .track = i}, {1}, 1);
  EXPECT_EQ(live.left_out(), 3);
  EXPECT_EQ(value(live, "rss"), 10'000.0);
}

} // namespace
} // namespace prof
