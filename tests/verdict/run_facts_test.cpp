// What the verdict reads from a trace.
#include "verdict/run_facts.hpp"

#include "../store/trace_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace prof;
using testing::ElementsAre;
using testing::Pair;

TEST(run_facts, arrivals_hold_cut_requests_and_series_do_not) {
  TraceBuilder t;
  t.request(1, 100, 900).request(2, 300, 1000, "unfinished").request(3, 200, 800, "error");
  const Store store = t.seal();
  auto sql = Sql::open(store);
  const RunFacts run = *read_run(store, *sql, {});
  EXPECT_THAT(run.arrival_ts, ElementsAre(100, 200, 300));
  EXPECT_THAT(run.request_ts, ElementsAre(100, 200));
  EXPECT_EQ(run.requests, 3);
  EXPECT_EQ(run.unfinished, 1);
  EXPECT_EQ(run.errors, 1);
}

TEST(run_facts, operators_count_by_type_and_take_time_by_a_name_that_tells_the_model) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.op("Conv", w, 0, 40, "/down/Conv").op("Relu", w, 40, 50, "Relu_12").op("Conv", w, 50, 70, "/down/Conv");
  t.op("conv2d", w, 70, 75, "aten::conv2d");
  const Store store = t.seal();
  auto sql = Sql::open(store);
  const RunFacts run = *read_run(store, *sql, {});
  EXPECT_THAT(run.op_types, ElementsAre(Pair("Conv", 2), Pair("Relu", 1), Pair("conv2d", 1)));
  EXPECT_THAT(run.op_names, ElementsAre(Pair("/down/Conv", 60)));
}
