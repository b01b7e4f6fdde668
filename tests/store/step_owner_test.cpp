// Which stage operators and kernels work for where nesting does not say it: by thread and time, and by the
// step that covers a process.
#include "store/sql.hpp"
#include "store/store.hpp"
#include "trace_builder.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

using Worker = TraceBuilder::Worker;

void step(TraceBuilder& t, const Worker& thread, std::string_view name, std::int64_t from, std::int64_t to,
          std::string_view covers = words::kCoversProcess) {
  TraceBuilder::SliceOptions options;
  if (!covers.empty()) options.texts.emplace_back(std::string(words::kArgCovers), std::string(covers));
  t.slice(name, words::kStage, thread.track, from, to, options);
}

// "op's name: its stage's name" in order of start; "-" for none.
std::string owners(const Store& store) {
  const Tables& t = store.tables();
  std::vector<std::pair<std::int64_t, std::string>> rows;
  for (std::size_t i = 0; i < t.op.slice.size(); ++i) {
    const std::uint32_t stage = t.op.stage_slice[i];
    rows.emplace_back(t.op.ts[i], std::string(store.text(t.op.name[i])) + ":" +
                                      (stage == kNoRow ? "-" : std::string(store.text(t.slice.name[stage]))));
  }
  std::ranges::sort(rows);
  std::string out;
  for (const auto& [ts, text] : rows)
    out += (out.empty() ? "" : " ") + text;
  return out;
}

// The call that opens the marker ends inside it: by nesting the step is over when that call is.
//   main  |-- enter --|
//            |------------- step -------------|
//                          |op a|          |op b|   |op c|
TEST(StepOwner, a_step_that_a_call_opened_owns_the_operators_of_its_thread) {
  TraceBuilder t;
  const Worker main = t.thread(1, 10, "main");
  t.slice("enter", "python_function", main.track, 0, 50);
  step(t, main, "step", 20, 1000, "");
  t.op("Mm", main, 100, 200, "a").op("Mm", main, 990, 1100, "b").op("Mm", main, 1000, 1010, "c");
  const Worker other = t.thread(1, 11, "pool"); // its work may be anybody's
  t.op("Mm", other, 300, 400, "d");
  EXPECT_EQ(owners(t.seal()), "a:step d:- b:step c:-");
}

TEST(StepOwner, a_step_that_covers_its_process_owns_the_operators_of_all_its_threads) {
  TraceBuilder t;
  const Worker main = t.thread(1, 10, "main"), backward = t.thread(1, 11, "backward");
  const Worker stranger = t.thread(2, 20, "other process");
  step(t, main, "one", 0, 100);
  step(t, main, "two", 100, 200);
  t.op("Mm", main, 10, 20, "f1").op("Mm", backward, 50, 90, "b1").op("Mm", backward, 100, 130, "b2");
  t.op("Mm", backward, 200, 210, "late").op("Mm", stranger, 30, 40, "s");
  EXPECT_EQ(owners(t.seal()), "f1:one s:- b1:one b2:two late:-");
}

TEST(StepOwner, where_two_steps_of_a_process_overlap_nobody_claims_the_other_threads) {
  TraceBuilder t;
  const Worker a = t.thread(1, 10, "a"), b = t.thread(1, 11, "b"), pool = t.thread(1, 12, "pool");
  step(t, a, "first", 0, 100);
  step(t, b, "second", 50, 150);
  t.op("Mm", pool, 10, 20, "x").op("Mm", pool, 60, 70, "y").op("Mm", pool, 110, 120, "z");
  t.op("Mm", b, 65, 75, "own");
  EXPECT_EQ(owners(t.seal()), "x:first y:- own:second z:second");
}

TEST(StepOwner, of_steps_inside_each_other_the_innermost_owns) {
  TraceBuilder t;
  const Worker a = t.thread(1, 10, "a"), b = t.thread(1, 11, "b"), pool = t.thread(1, 12, "pool");
  step(t, a, "epoch", 0, 100);
  step(t, b, "step", 20, 60);
  t.op("Mm", pool, 10, 20, "x").op("Mm", pool, 30, 40, "y").op("Mm", pool, 60, 70, "z");
  EXPECT_EQ(owners(t.seal()), "x:epoch y:step z:epoch");
}

TEST(StepOwner, a_stage_of_the_thread_itself_and_a_flow_come_before_the_step) {
  TraceBuilder t;
  const Worker main = t.thread(1, 10, "main"), pool = t.thread(1, 11, "pool");
  step(t, main, "step", 0, 100);
  t.stage("own", pool, 10, 20, {});
  t.op("Mm", pool, 12, 15, "nested").op("Mm", pool, 30, 40, "free");
  EXPECT_EQ(owners(t.seal()), "nested:own free:step");
}

TEST(StepOwner, a_kernel_goes_with_its_launch) {
  TraceBuilder t;
  const Worker main = t.thread(1, 10, "main"), backward = t.thread(1, 11, "backward");
  step(t, main, "step", 0, 100);
  TraceBuilder::SliceOptions launch;
  launch.flows_out = {7};
  t.slice("cudaLaunchKernel", "cuda_runtime", backward.track, 90, 95, launch);
  StoreBuilder& sink = t.sink();
  const Id<Device> device = sink.device({.name = t.text("GPU"), .kind = DeviceKind::gpu, .index = 0});
  const Id<Stream> stream = sink.stream({.device = device, .number = 7, .name = t.text("s")});
  // It runs after the step's end; what it works for does not change by that.
  sink.kernel({.stream = stream, .ts = {150}, .dur = {20}, .name = t.text("gemm"), .flow_in = 7});
  sink.kernel({.stream = stream, .ts = {180}, .dur = {20}, .name = t.text("unknown launch")});
  const Store store = t.seal();
  auto sql = Sql::open(store);
  const auto rows =
      sql->query("select k.name, s.name from kernel k left join slice s on s.id = k.stage_slice_id "
                 "order by k.ts");
  ASSERT_TRUE(rows);
  EXPECT_EQ(std::get<std::string>(rows->rows[0][1]), "step");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(rows->rows[1][1]));
}

// Without scheduling, operators are what is known: those of threads that work for the step are its CPU time.
//   main      |------------------ step 0..100 ------------------|
//             |op 10..30|
//   backward                 |op 40..70|    |op 90..120|
TEST(StepOwner, operators_of_all_its_threads_are_the_steps_time) {
  TraceBuilder t;
  const Worker main = t.thread(1, 10, "main"), backward = t.thread(1, 11, "backward");
  t.slice("request", words::kRequest, t.lane(1, "steps"), 0, 100, [] {
    TraceBuilder::SliceOptions o;
    o.numbers.emplace_back(std::string(words::kArgRequestId), 1);
    return o;
  }());
  TraceBuilder::SliceOptions options;
  options.numbers.emplace_back(std::string(words::kArgRequestId), 1);
  options.texts.emplace_back(std::string(words::kArgCovers), std::string(words::kCoversProcess));
  t.slice("step", words::kStage, main.track, 0, 100, options);
  t.op("Mm", main, 10, 30).op("Mm", backward, 40, 70).op("Mm", backward, 90, 120);
  const Store store = t.seal();
  auto sql = Sql::open(store);
  const auto rows = sql->query("select class, ns from request_time order by class");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->rows.size(), 2U);
  EXPECT_EQ(std::get<std::int64_t>(rows->rows[0][1]), 60); // cpu_op: 20 + 30 + 10
  EXPECT_EQ(std::get<std::int64_t>(rows->rows[1][1]), 40); // unexplained
}

} // namespace
} // namespace prof
