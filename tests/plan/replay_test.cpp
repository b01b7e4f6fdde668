// The arithmetic of a replay: every expected figure is worked out by hand in the comment beside it.
#include "plan/replay.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace prof {
namespace {

constexpr std::int64_t kMs = 1'000'000;

// Requests of their own unit each, arriving at these times, each with this service.
RequestModel model_of(std::vector<std::int64_t> arrivals_ms, std::int64_t service_ms, int workers) {
  RequestModel model;
  model.workers = workers;
  model.has_queue = true;
  for (std::size_t i = 0; i < arrivals_ms.size(); ++i) {
    model.requests.push_back(
        {.arrival_ns = arrivals_ms[i] * kMs, .latency_ns = service_ms * kMs, .after_ns = 0});
    model.units.push_back({.start_ns = arrivals_ms[i] * kMs,
                           .service_ns = service_ms * kMs,
                           .batch_wait_ns = 0,
                           .requests = {static_cast<std::uint32_t>(i)}});
  }
  return model;
}

Effect removing(EffectKind kind, std::vector<std::string> names, double share) {
  return {.kind = kind, .names = std::move(names), .range = {share, share, share}, .add = 0, .source = {}};
}

TEST(Replay, queues_requests_behind_one_worker) {
  // 0 ms: served 0-10. 1 ms: waits for 10, served until 20, latency 19.
  const ReplayResult result = replay(model_of({0, 1}, 10, 1), {});
  EXPECT_EQ(result.latency_ns, (std::vector<double>{10.0 * kMs, 19.0 * kMs}));
}

TEST(Replay, a_request_that_the_recording_cut_loads_the_queue_but_has_no_latency) {
  // The first is cut; the second still waits for it: 19 ms, and that is all that is known.
  RequestModel model = model_of({0, 1}, 10, 1);
  model.requests[0].is_complete = false;
  model.requests[1].latency_ns = 19 * kMs;
  EXPECT_EQ(replay(model, {}).latency_ns, (std::vector<double>{19.0 * kMs}));
  EXPECT_DOUBLE_EQ(replay_error(model).mean, 0);
}

TEST(Replay, a_second_worker_takes_the_second_request_at_once) {
  const ReplayResult result = replay(model_of({0, 1}, 10, 2), {});
  EXPECT_EQ(result.latency_ns, (std::vector<double>{10.0 * kMs, 10.0 * kMs}));
}

TEST(Replay, a_service_without_a_queue_serves_everyone_at_once) {
  RequestModel model = model_of({0, 1}, 10, 1);
  model.has_queue = false;
  EXPECT_EQ(replay(model, {}).latency_ns, (std::vector<double>{10.0 * kMs, 10.0 * kMs}));
}

TEST(Replay, follows_amdahl_when_nothing_queues) {
  // 4 of 10 ms are Transpose; half of that goes: 10 - 0.5 * 4 = 8 ms. Speedup 1 / (1 - 0.4 + 0.4 / 2) = 1.25.
  RequestModel model = model_of({0, 100}, 10, 1);
  model.op_ns["Transpose"] = {4.0 * kMs, 4.0 * kMs};
  const Effect half = removing(EffectKind::ops, {"Transpose"}, 0.5);
  const Gain gain = predict_gain(model, {}, {&half}, 0);
  EXPECT_DOUBLE_EQ(gain.mean.typical, -0.2);
  EXPECT_DOUBLE_EQ(gain.work.typical, -0.2);
  EXPECT_DOUBLE_EQ(gain.capacity.typical, 0.25);
}

TEST(Replay, a_queue_amplifies_a_shorter_service) {
  // Half the service: latencies 10 and 19 become 5 and 9. Mean 14.5 -> 7.
  RequestModel model = model_of({0, 1}, 10, 1);
  model.op_ns["Conv"] = {10.0 * kMs, 10.0 * kMs};
  const Effect half = removing(EffectKind::ops, {"Conv"}, 0.5);
  EXPECT_DOUBLE_EQ(predict_gain(model, {}, {&half}, 0).mean.typical, 7.0 / 14.5 - 1);
}

TEST(Replay, two_effects_on_the_same_time_multiply_what_they_leave) {
  // 8 of 10 ms are waits; 60 % off leaves 3.2, 60 % off that leaves 1.28: 10 - 8 + 1.28 = 3.28 ms. Adding the
  // shares would take away 120 % of the waits.
  RequestModel model = model_of({0, 100}, 10, 1);
  model.time_ns["runnable"] = {8.0 * kMs, 8.0 * kMs};
  const Effect one = removing(EffectKind::time, {"runnable"}, 0.6);
  const Gain both = predict_gain(model, {}, {&one, &one}, 0);
  EXPECT_NEAR(both.mean.typical, 0.328 - 1, 1e-12);
  // The second on top of the first: from 5.2 to 3.28 ms.
  EXPECT_NEAR(predict_gain(model, {&one}, {&one}, 0).mean.typical, 3.28 / 5.2 - 1, 1e-12);
}

TEST(Replay, never_removes_more_than_95_percent_of_a_service) {
  // Operator time and page-fault time may be the same instants: together they would remove 180 %.
  RequestModel model = model_of({0, 100}, 10, 1);
  model.op_ns["MatMul"] = {9.0 * kMs, 9.0 * kMs};
  model.time_ns["page_fault"] = {9.0 * kMs, 9.0 * kMs};
  const Effect ops = removing(EffectKind::ops, {"MatMul"}, 1),
               faults = removing(EffectKind::time, {"page_fault"}, 1);
  const Gain gain = predict_gain(model, {}, {&ops, &faults}, 0);
  EXPECT_NEAR(gain.mean.typical, -0.95, 1e-12);
  EXPECT_NEAR(gain.p99.typical, -0.95, 1e-12);
}

TEST(Replay, the_interval_lies_within_the_ends_of_the_range) {
  RequestModel model = model_of({0, 100}, 10, 1);
  model.op_ns["Transpose"] = {4.0 * kMs, 4.0 * kMs};
  const Effect effect{
      .kind = EffectKind::ops, .names = {"Transpose"}, .range = {0.2, 0.7, 0.95}, .add = 0, .source = {}};
  const Gain gain = predict_gain(model, {}, {&effect}, 1000);
  EXPECT_DOUBLE_EQ(gain.mean.typical, -0.28);
  EXPECT_GT(gain.mean.low, -0.38); // 0.95 * 4 of 10 ms
  EXPECT_LT(gain.mean.low, gain.mean.typical);
  EXPECT_LT(gain.mean.high, -0.08); // 0.2 * 4 of 10 ms
  EXPECT_GT(gain.mean.high, gain.mean.typical);
  // Inverse of the triangular distribution at 0.1 and 0.9: 0.2 + sqrt(0.1 * 0.75 * 0.5) and
  // 0.95 - sqrt(0.1 * 0.75 * 0.25).
  EXPECT_NEAR(gain.mean.high, -0.4 * (0.2 + std::sqrt(0.0375)), 0.01);
  EXPECT_NEAR(gain.mean.low, -0.4 * (0.95 - std::sqrt(0.01875)), 0.01);
}

TEST(Replay, is_the_same_every_time) {
  RequestModel model = model_of({0, 3, 5, 8}, 10, 1);
  model.op_ns["Transpose"] = {4.0 * kMs, 1.0 * kMs, 2.0 * kMs, 3.0 * kMs};
  const Effect effect{
      .kind = EffectKind::ops, .names = {"Transpose"}, .range = {0.2, 0.7, 0.95}, .add = 0, .source = {}};
  const Gain one = predict_gain(model, {}, {&effect}, 50), two = predict_gain(model, {}, {&effect}, 50);
  EXPECT_EQ(one.p99.low, two.p99.low);
  EXPECT_EQ(one.mean.high, two.mean.high);
}

TEST(Replay, one_more_worker_pays_with_a_slower_service) {
  // Two workers, 12 ms each: both requests take 12; before 10 and 19.
  const Effect more{
      .kind = EffectKind::workers, .names = {}, .range = {1.2, 1.2, 1.2}, .add = 1, .source = {}};
  const Gain gain = predict_gain(model_of({0, 1}, 10, 1), {}, {&more}, 0);
  EXPECT_NEAR(gain.mean.typical, 12.0 / 14.5 - 1, 1e-12);
  EXPECT_NEAR(gain.work.typical, 0.2, 1e-12);
  EXPECT_NEAR(gain.capacity.typical, 2 / 1.2 - 1, 1e-12);
}

TEST(Replay, waiting_requests_share_a_batch) {
  // 0: 0-10. At 10 ms both others wait: one batch of 10 + 0.5 * 10 = 15 ms, done at 25: latencies 24 and 23.
  const Effect batching{
      .kind = EffectKind::batching, .names = {}, .range = {0.5, 0.5, 0.5}, .add = 2, .source = {}};
  const ReplayResult result = replay(model_of({0, 1, 2}, 10, 1), {{&batching, 0.5}});
  EXPECT_EQ(result.latency_ns, (std::vector<double>{10.0 * kMs, 24.0 * kMs, 23.0 * kMs}));
}

TEST(Replay, the_wait_for_a_batch_shrinks) {
  RequestModel model = model_of({0}, 10, 1);
  model.units[0].batch_wait_ns = 10 * kMs;
  const Effect sooner = removing(EffectKind::batch_wait, {}, 0.9);
  // 10 + 10 ms becomes 10 + 1.
  EXPECT_NEAR(predict_gain(model, {}, {&sooner}, 0).mean.typical, 11.0 / 20 - 1, 1e-12);
}

TEST(Replay, refuses_who_would_wait_longer_than_allowed) {
  // Waits 0, 9, 18, 27 ms; more than 2 mean services (20 ms) is refused.
  const Effect admission{
      .kind = EffectKind::admission, .names = {}, .range = {1, 1, 1}, .add = 2, .source = {}};
  const RequestModel model = model_of({0, 1, 2, 3}, 10, 1);
  const Gain gain = predict_gain(model, {}, {&admission}, 0);
  EXPECT_DOUBLE_EQ(gain.refused_share, 0.25);
  EXPECT_EQ(replay(model, {{&admission, 1}}).latency_ns,
            (std::vector<double>{10.0 * kMs, 19.0 * kMs, 28.0 * kMs}));
}

TEST(Replay, says_how_far_it_is_from_what_was_measured) {
  RequestModel model = model_of({0, 100}, 10, 1); // replayed 10 and 10
  model.requests[1].latency_ns = 30 * kMs;        // measured mean 20, p99 29.8
  const ReplayError error = replay_error(model);
  EXPECT_NEAR(error.mean, 0.5, 1e-12);
  EXPECT_NEAR(error.p99, 1 - 10.0 / 29.8, 1e-12);
}

TEST(Replay, of_nothing_is_nothing) {
  const Effect half = removing(EffectKind::ops, {"Conv"}, 0.5);
  const Gain gain = predict_gain(RequestModel{}, {}, {&half}, 10);
  EXPECT_EQ(gain.mean.typical, 0);
  EXPECT_EQ(gain.capacity.high, 0);
}

TEST(Percentile, is_of_type_7) {
  std::vector<double> values{4, 1, 3, 2};
  EXPECT_DOUBLE_EQ(percentile_of(values, 50), 2.5); // 1 + 0.5 * 3 = between the 2nd and 3rd
  EXPECT_DOUBLE_EQ(percentile_of(values, 99), 3.97);
  EXPECT_DOUBLE_EQ(percentile_of(values, 0), 1);
  std::vector<double> none;
  EXPECT_DOUBLE_EQ(percentile_of(none, 50), 0);
}

} // namespace
} // namespace prof
