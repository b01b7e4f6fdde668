// The queue that a trace shows: which requests were served together, by how many workers, and how long.
#include "../rules/scene.hpp"
#include "plan/request_model.hpp"

#include <gmock/gmock.h>

namespace prof {
namespace {

using testing::ElementsAre;

RequestModel model_of(TraceBuilder& t) {
  const Store store = t.seal();
  auto sql = Sql::open(store);
  EXPECT_TRUE(sql.ok());
  auto model = make_request_model(store, *sql);
  EXPECT_TRUE(model.ok()) << (model ? "" : model.error().what);
  return model ? *std::move(model) : RequestModel{};
}

TEST(RequestModel, requests_of_one_stage_slice_are_one_unit) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 1000).request(2, 100, 1000).request(3, 200, 2000);
  t.stage("denoise", worker, 300, 900, {1, 2}).stage("denoise", worker, 1000, 1900, {3});
  const RequestModel model = model_of(t);
  ASSERT_EQ(model.units.size(), 2U);
  EXPECT_THAT(model.units[0].requests, ElementsAre(0, 1));
  EXPECT_THAT(model.units[1].requests, ElementsAre(2));
  EXPECT_EQ(model.units[0].start_ns, 300);
  EXPECT_EQ(model.units[0].service_ns, 600);
  EXPECT_EQ(model.requests[0].arrival_ns, 0);
  EXPECT_EQ(model.requests[0].latency_ns, 1000);
  EXPECT_EQ(model.requests[0].after_ns, 100); // from the end of its work to its own end
  EXPECT_FALSE(model.has_queue);
}

TEST(RequestModel, units_are_in_the_order_in_which_they_were_taken_up) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 3000).request(2, 100, 2000); // the second is served first
  t.stage("denoise", worker, 200, 1000, {2}).stage("denoise", worker, 1000, 2900, {1});
  const RequestModel model = model_of(t);
  ASSERT_EQ(model.units.size(), 2U);
  EXPECT_THAT(model.units[0].requests, ElementsAre(1));
  EXPECT_THAT(model.units[1].requests, ElementsAre(0));
}

TEST(RequestModel, waits_make_a_queue_and_are_no_service) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 1000);
  t.wait("queue", "queue_wait", 0, 300, {1}).wait("batch", "batch_wait", 300, 400, {1});
  t.stage("denoise", worker, 400, 1000, {1});
  const RequestModel model = model_of(t);
  EXPECT_TRUE(model.has_queue);
  ASSERT_EQ(model.units.size(), 1U);
  EXPECT_EQ(model.units[0].service_ns, 600);
  EXPECT_EQ(model.units[0].batch_wait_ns, 100);
  EXPECT_EQ(model.time_ns.count("queue_wait") + model.time_ns.count("batch_wait"), 0U);
}

TEST(RequestModel, workers_are_threads_of_a_queue_even_when_they_never_met) {
  TraceBuilder t;
  const auto one = t.thread(7, 70, "worker-0"), two = t.thread(7, 71, "worker-1");
  t.request(1, 0, 500).request(2, 1000, 1500);
  t.wait("queue", "queue_wait", 0, 100, {1}).wait("queue", "queue_wait", 1000, 1100, {2});
  t.stage("denoise", one, 100, 500, {1}).stage("denoise", two, 1100, 1500, {2});
  EXPECT_EQ(model_of(t).workers, 2);
}

TEST(RequestModel, without_a_queue_workers_are_those_busy_at_once) {
  TraceBuilder t;
  const auto one = t.thread(7, 70, "a"), two = t.thread(7, 71, "b"), three = t.thread(7, 72, "c");
  t.request(1, 0, 500).request(2, 200, 700).request(3, 700, 900);
  t.stage("s", one, 0, 500, {1}).stage("s", two, 200, 700, {2}).stage("s", three, 700, 900, {3});
  EXPECT_EQ(model_of(t).workers, 2);
}

TEST(RequestModel, operator_time_goes_to_the_unit_that_ran_it) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 1000).request(2, 1000, 2000);
  t.stage("denoise", worker, 0, 1000, {1}).stage("denoise", worker, 1000, 2000, {2});
  t.op("Conv", worker, 100, 400).op("Conv", worker, 400, 500).op("Transpose", worker, 1100, 1200);
  const RequestModel model = model_of(t);
  EXPECT_THAT(model.op_ns.at("Conv"), ElementsAre(400.0, 0.0));
  EXPECT_THAT(model.op_ns.at("Transpose"), ElementsAre(0.0, 100.0));
}

TEST(RequestModel, a_request_without_stages_is_served_from_its_start) {
  TraceBuilder t;
  t.request(1, 100, 600).request(2, 100, 900);
  const RequestModel model = model_of(t);
  ASSERT_EQ(model.units.size(), 2U); // not thrown together for want of a slice
  EXPECT_EQ(model.units[0].service_ns + model.units[1].service_ns, 500 + 800);
}

TEST(RequestModel, needs_requests) {
  TraceBuilder t;
  t.op("Conv", t.thread(7, 70, "worker"), 0, 10);
  const Store store = t.seal();
  auto sql = Sql::open(store);
  EXPECT_EQ(make_request_model(store, *sql).error().code, Errc::missing);
}

TEST(ModelsByTime, are_sorted_by_operator_time) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  const auto op = [&](const char* model, std::int64_t from, std::int64_t to) {
    t.slice("n", words::kOp, worker.track, from, to,
            {.numbers = {},
             .texts = {{std::string(words::kArgOpType), "Conv"}, {std::string(words::kArgModel), model}},
             .flows_out = {},
             .flows_in = {}});
  };
  op("small", 0, 10);
  op("large", 10, 100);
  op("", 100, 900);
  const auto models = models_by_time(t.seal());
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0], (std::pair<std::string, std::int64_t>{"large", 90}));
  EXPECT_EQ(models[1].first, "small");
}

} // namespace
} // namespace prof
