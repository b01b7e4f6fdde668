// Calls of the host that no scheduler explains: waits for a device are no operators, other calls have names.
#include "store/call_names.hpp"
#include "store/device_gap.hpp"
#include "store/request_time.hpp"
#include "store/sql.hpp"

#include "device_scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>

namespace prof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Classes = std::map<std::string, std::int64_t>; // us

Classes classes_of(const RequestTime& time, std::size_t unit = 0) {
  Classes out;
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < kTimeClasses; ++c) {
    sum += time.ns.at(unit)[c];
    if (time.ns[unit][c] != 0) out[std::string(word(static_cast<TimeClass>(c)))] = time.ns[unit][c] / 1000;
  }
  EXPECT_EQ(sum, time.unit.dur[unit]);
  return out;
}
using Named = std::tuple<std::string, std::string, std::int64_t>; // class, name, us
std::vector<Named> names_of(const Store& store, const RequestTime& time) {
  std::vector<Named> out;
  for (const CallTime& c : time.calls)
    out.emplace_back(word(c.time_class), store.text(c.name), c.ns / 1000);
  std::ranges::sort(out);
  return out;
}

class Step : public DeviceScene {
public:
  // The step is 1000 us of the host thread.
  Step() { step(host, {}); }
  explicit Step(std::pair<std::string, std::string> covers) { step(host, {std::move(covers)}); }
  // A span of an application or a framework.
  Step& code(std::string_view name, std::int64_t from, std::int64_t to, const TraceBuilder::Worker& who) {
    t.slice(name, "python_function", who.track, ns(from), ns(to));
    return *this;
  }
  Step& code(std::string_view name, std::int64_t from, std::int64_t to) { return code(name, from, to, host); }
  Step& op(std::string_view name, std::int64_t from, std::int64_t to, const TraceBuilder::Worker& who) {
    t.op(name, who, ns(from), ns(to));
    return *this;
  }
  Step& op(std::string_view name, std::int64_t from, std::int64_t to) { return op(name, from, to, host); }
  Step& sync(std::string_view name, std::int64_t from, std::int64_t to, const TraceBuilder::Worker& who) {
    TraceBuilder::SliceOptions options;
    options.layer = Layer::runtime;
    t.slice(name, "cuda_runtime", who.track, ns(from), ns(to), options);
    return *this;
  }
  Step& sync(std::string_view name, std::int64_t from, std::int64_t to) { return sync(name, from, to, host); }
  RequestTime account() {
    sealed_.emplace(t.seal());
    return account_requests(*sealed_);
  }
  [[nodiscard]] const Store& store() const { return *sealed_; }

private:
  void step(const TraceBuilder::Worker& who, std::vector<std::pair<std::string, std::string>> texts) {
    TraceBuilder::SliceOptions options;
    options.numbers.emplace_back(std::string(words::kArgRequestId), 1);
    options.texts = std::move(texts);
    t.request(1, 0, ns(1000));
    t.slice("step", words::kStage, who.track, 0, ns(1000), options);
  }
  std::optional<Store> sealed_;
};

TEST(HostCalls, a_wait_inside_an_operator_is_no_operator_and_is_split_by_what_the_device_does) {
  Step s;
  s.kernel(0, 400, s.launch(10, 20));
  s.op("aten::copy_", 100, 600).sync("cudaStreamSynchronize", 150, 550);
  const RequestTime time = s.account();
  EXPECT_EQ(classes_of(time), (Classes{{"cpu_op", 50 + 50},
                                       {"device_wait", 250},
                                       {"sync_idle", 150},
                                       {"host_code", 10},
                                       {"unexplained", 1000 - 510}}));
  EXPECT_THAT(names_of(s.store(), time), ElementsAre(Named{"device_wait", "cudaStreamSynchronize", 250},
                                                     Named{"host_code", "LaunchKernel", 10},
                                                     Named{"sync_idle", "cudaStreamSynchronize", 150}));
}

TEST(HostCalls, code_that_is_no_operator_is_named_by_the_innermost_call) {
  Step s;
  s.code("forward", 0, 900).code("attention", 200, 500).op("aten::mm", 300, 350);
  s.code("attention", 600, 700);
  const RequestTime time = s.account();
  EXPECT_EQ(classes_of(time), (Classes{{"cpu_op", 50}, {"host_code", 850}, {"unexplained", 100}}));
  EXPECT_THAT(names_of(s.store(), time), ElementsAre(Named{"host_code", "attention", 250 + 100},
                                                     Named{"host_code", "forward", 200 + 100 + 200}));
}

TEST(HostCalls, a_call_that_outlasts_the_one_around_it_keeps_its_own_time) {
  Step s;
  s.code("a", 100, 300).code("b", 200, 500);
  const RequestTime time = s.account();
  EXPECT_EQ(classes_of(time), (Classes{{"host_code", 400}, {"unexplained", 600}}));
  EXPECT_THAT(names_of(s.store(), time),
              ElementsAre(Named{"host_code", "a", 100}, Named{"host_code", "b", 300}));
}

TEST(HostCalls, a_second_track_of_the_thread_does_not_count_an_instant_twice) {
  Step s;
  s.code("a", 100, 300);
  const Id<Track> more = s.t.sink().track({.name = s.t.text("lane"),
                                           .kind = TrackKind::thread,
                                           .thread = s.host.thread,
                                           .process = {},
                                           .stream = {},
                                           .parent = {}});
  s.t.slice("b", "python_function", more, DeviceScene::ns(200), DeviceScene::ns(400));
  const RequestTime time = s.account();
  EXPECT_EQ(classes_of(time), (Classes{{"host_code", 300}, {"unexplained", 700}}));
  EXPECT_THAT(names_of(s.store(), time),
              ElementsAre(Named{"host_code", "a", 100}, Named{"host_code", "b", 200}));
}

TEST(HostCalls, of_the_other_threads_that_a_step_covers_are_waits_and_operators_but_no_code) {
  Step s({std::string(words::kArgCovers), std::string(words::kCoversProcess)});
  const auto other = s.t.thread(7, 71, "backward"), stranger = s.t.thread(8, 80, "stranger");
  s.kernel(0, 500, s.launch(0, 10));
  s.code("loss.backward", 100, 900);
  s.op("AddBackward", 200, 600, other).sync("cudaDeviceSynchronize", 400, 600, other);
  s.code("hook", 600, 700, other);
  s.op("aten::mm", 900, 1000, stranger);
  const RequestTime time = s.account();
  EXPECT_EQ(classes_of(time), (Classes{{"cpu_op", 200},
                                       {"device_wait", 100},
                                       {"sync_idle", 100},
                                       {"host_code", 10 + 800 - 400},
                                       {"unexplained", 1000 - 810}}));
  EXPECT_THAT(names_of(s.store(), time),
              ElementsAre(Named{"device_wait", "cudaDeviceSynchronize", 100},
                          Named{"host_code", "LaunchKernel", 10}, Named{"host_code", "loss.backward", 400},
                          Named{"sync_idle", "cudaDeviceSynchronize", 100}));
}

TEST(HostCalls, a_thread_that_spins_or_sleeps_in_a_wait_waits_for_the_device) {
  Step s;
  s.kernel(0, 1000, s.launch(0, 10));
  s.op("aten::item", 100, 900).sync("cudaStreamSynchronize", 200, 800);
  s.t.runs(s.host, 0, {{0, s.ns(500)}, {s.ns(700), s.ns(1000)}}); // spins, then sleeps, then runs again
  EXPECT_EQ(classes_of(s.account()),
            (Classes{{"device_wait", 600}, {"cpu_op", 100 + 100}, {"cpu_other", 100 + 100}}));
}

TEST(HostCalls, a_process_waits_for_the_devices_that_it_launches_on) {
  Step s;
  const auto other = s.t.thread(8, 80, "other process");
  s.kernel(0, 200, s.launch(0, 10));
  s.t.kernel(s.t.stream(1, 1), "k", KernelKind::compute, 0, s.ns(1000), s.launch(0, 10, other));
  s.sync("hipDeviceSynchronize", 100, 300);
  EXPECT_EQ(classes_of(s.account()),
            (Classes{{"device_wait", 100}, {"sync_idle", 100}, {"host_code", 10}, {"unexplained", 790}}));
}

TEST(HostCalls, only_calls_of_a_runtime_wait_for_a_device) {
  Step s;
  s.kernel(0, 1000);
  s.code("torch.cuda.synchronize", 0, 400)
      .sync("cudaStreamWaitEvent", 500, 600)
      .sync("cudaMemcpyAsync", 600, 700);
  EXPECT_EQ(classes_of(s.account()), (Classes{{"host_code", 600}, {"unexplained", 400}}));
}

// A step of which only kernels are known: [0, 600) of 1000 us.
Classes of_kernels_alone(bool has_source, bool has_ranks) {
  DeviceScene d;
  if (has_ranks) { // the device of another rank works all the time
    const auto rank = [&](std::int64_t number) {
      const std::string name = "NPU (rank " + std::to_string(number) + ")";
      const Id<Device> device =
          d.t.sink().device({.name = d.t.text(name), .kind = DeviceKind::npu, .index = 10 + number});
      return d.t.sink().stream({.device = device, .number = 1, .name = {}});
    };
    d.stream = rank(0);
    d.t.kernel(rank(1), "k", KernelKind::compute, 0, d.ns(1000));
    d.t.sink().process({.pid = 7, .name = d.t.text("train (rank 0)"), .cmdline = {}, .is_renamed = true});
  }
  d.kernel(0, 300).kernel(200, 600);
  d.t.request(1, 0, d.ns(1000));
  if (has_source) d.t.sink().metadata("request.source", "Step Id of the kernels");
  const Store store = d.t.seal();
  return classes_of(account_requests(store));
}

TEST(HostCalls, steps_of_a_profile_without_a_host_wait_for_their_device) {
  EXPECT_EQ(of_kernels_alone(true, false), (Classes{{"device_wait", 600}, {"unexplained", 400}}));
  EXPECT_EQ(of_kernels_alone(true, true), (Classes{{"device_wait", 600}, {"unexplained", 400}}));
  EXPECT_EQ(of_kernels_alone(false, false), (Classes{{"unexplained", 1000}}))
      << "a request may need no device";
}

TEST(HostCalls, of_operators_have_a_column_and_their_names_a_table) {
  Step s;
  s.kernel(0, 1000, s.launch(0, 10));
  s.op("outer", 100, 900)
      .op("aten::copy_", 200, 800)
      .sync("cudaMemcpy", 300, 700)
      .sync("cudaStreamSynchronize", 400, 500);
  const Store store = s.t.seal();
  auto sql = Sql::open(store);
  ASSERT_TRUE(sql.ok());
  const auto ops = sql->query("select op_type, self_dur / 1000, wait_dur / 1000 from op order by ts");
  ASSERT_TRUE(ops.ok()) << ops.error().what;
  using Row = std::vector<SqlValue>;
  EXPECT_THAT(ops->rows, ElementsAre(Row{std::string("outer"), std::int64_t{200}, std::int64_t{0}},
                                     Row{std::string("aten::copy_"), std::int64_t{600}, std::int64_t{400}}));
  const auto calls = sql->query("select class, name, ns / 1000 from call_time order by ns desc");
  ASSERT_TRUE(calls.ok()) << calls.error().what;
  EXPECT_THAT(
      calls->rows,
      ElementsAre(Row{std::string("device_wait"), std::string("cudaMemcpy"), std::int64_t{300}},
                  Row{std::string("device_wait"), std::string("cudaStreamSynchronize"), std::int64_t{100}},
                  Row{std::string("host_code"), std::string("LaunchKernel"), std::int64_t{10}}));
}

TEST(HostCalls, while_a_device_is_idle_have_a_table_of_their_own) {
  DeviceScene s;
  s.kernel(0, 100, s.launch(0, 10));
  s.call("forward", 20, 600, Layer::application).call("aten::copy_", 100, 500, Layer::framework);
  s.kernel(700, 800, s.launch(580, 600)); // idle from 100: late until 600, then it waits for something else
  const Store store = s.t.seal();
  auto sql = Sql::open(store);
  ASSERT_TRUE(sql.ok());
  const auto rows = sql->query("select part, name, ns / 1000 from idle_call order by ns desc, name");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  using Row = std::vector<SqlValue>;
  const auto row = [](const char* part, const char* name, std::int64_t n) {
    return Row{std::string(part), std::string(name), n};
  };
  EXPECT_THAT(rows->rows,
              ElementsAre(row("host_launch", "aten::copy_", 400), row("host_launch", "forward", 80),
                          row("host_launch", "LaunchKernel", 20)));
}

TEST(HostCalls, of_another_thread_stand_in_where_the_launching_thread_says_nothing) {
  DeviceScene s;
  const auto other = s.t.thread(7, 71, "framework"), stranger = s.t.thread(8, 80, "stranger");
  s.kernel(0, 100, s.launch(0, 10));
  s.t.slice("allocate", "span", other.track, s.ns(200), s.ns(500));
  s.t.slice("elsewhere", "span", stranger.track, s.ns(100), s.ns(600));
  s.kernel(600, 700, s.launch(580, 600)); // idle from 100 to 600
  const Store store = s.t.seal();
  std::vector<std::pair<std::string, std::int64_t>> all;
  for (const IdleCall& call : find_idle_calls(store))
    all.emplace_back(store.text(call.name), call.ns / 1000);
  EXPECT_THAT(all, ElementsAre(std::pair("LaunchKernel", 20), std::pair("allocate", 300)));
}

TEST(HostCalls, of_an_instant_that_two_requests_share_count_for_each) {
  DeviceScene d;
  TraceBuilder::SliceOptions batch;
  batch.numbers = {{std::string(words::kArgRequestId), 1}, {std::string(words::kArgRequestId), 2}};
  d.t.request(1, 0, d.ns(400)).request(2, 0, d.ns(400));
  d.t.slice("batch", words::kStage, d.host.track, 0, d.ns(400), batch);
  d.t.slice("decode", "span", d.host.track, d.ns(100), d.ns(300));
  const Store store = d.t.seal();
  const RequestTime time = account_requests(store);
  EXPECT_EQ(classes_of(time, 0), (Classes{{"host_code", 200}, {"unexplained", 200}}));
  EXPECT_EQ(classes_of(time, 1), (Classes{{"host_code", 200}, {"unexplained", 200}}));
  EXPECT_THAT(names_of(store, time), ElementsAre(Named{"host_code", "decode", 400}));
}

struct Call {
  const char* name;
  CallKind kind;
};
class CallName : public testing::TestWithParam<Call> {};
TEST_P(CallName, says_what_the_call_does) {
  EXPECT_EQ(call_kind(GetParam().name), GetParam().kind);
}
INSTANTIATE_TEST_SUITE_P(
    All, CallName,
    testing::Values(
        Call{"cudaStreamSynchronize", CallKind::synchronise},
        Call{"cudaDeviceSynchronize_v3020", CallKind::synchronise},
        Call{"AscendCL@aclrtSynchronizeStreamWithTimeout", CallKind::synchronise},
        Call{"hipMemcpyWithStream", CallKind::blocking_copy}, Call{"cudaMemcpy", CallKind::blocking_copy},
        Call{"cudaMemcpy_v3020", CallKind::blocking_copy}, Call{"cudaMemcpy_ptds", CallKind::blocking_copy},
        Call{"cuMemcpyDtoH_v2", CallKind::blocking_copy},
        Call{"AscendCL@aclrtMemcpy", CallKind::blocking_copy}, Call{"cudaMemcpyAsync", CallKind::other},
        Call{"aclrtMemcpyAsync", CallKind::other}, Call{"cudaStreamWaitEvent", CallKind::other},
        Call{"_v2", CallKind::other}, Call{"cudaMemcpy_v", CallKind::other}, Call{"v1", CallKind::other},
        Call{"@", CallKind::other}, Call{"", CallKind::other},
        Call{"enumerate(DataLoader)#__next__", CallKind::loader}),
    [](const auto& one) { return std::to_string(one.index); });

} // namespace
} // namespace prof
