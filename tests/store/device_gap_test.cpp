// Why a device was idle: each gap is split by what the host did, by hand.
#include "device_scene.hpp"
#include "store/device_gap.hpp"
#include "store/device_time.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

// "dur: no_work input slow_call sync launch after_launch unknown" of each gap, in us.
std::string gaps_of(DeviceScene& scene) {
  const Store store = scene.t.seal();
  std::string out;
  std::int64_t idle = 0, expected = 0;
  for (const DeviceGap& g : find_device_gaps(store)) {
    EXPECT_EQ(g.no_work + g.input + g.slow_call + g.sync + g.launch + g.after_launch + g.unknown, g.dur);
    idle += g.dur;
    out += fmt::format("{}{}: {} {} {} {} {} {} {}", out.empty() ? "" : " | ", g.dur / 1000, g.no_work / 1000,
                       g.input / 1000, g.slow_call / 1000, g.sync / 1000, g.launch / 1000,
                       g.after_launch / 1000, g.unknown / 1000);
  }
  for (const DeviceTime& d : compute_device_time(store))
    expected += d.idle;
  EXPECT_EQ(idle, expected) << "gaps are all the idle time that there is";
  return out;
}

TEST(DeviceGap, is_the_hosts_until_the_launch_call_has_returned_and_the_devices_after_it) {
  DeviceScene s;
  s.kernel(0, 100, s.launch(-10, -5)).kernel(150, 200, s.launch(110, 130));
  EXPECT_EQ(gaps_of(s), "50: 0 0 0 0 30 20 0");
}

TEST(DeviceGap, that_was_launched_in_time_is_not_the_hosts) {
  DeviceScene s;
  s.kernel(0, 100, s.launch(-10, -5)).kernel(150, 200, s.launch(20, 30));
  EXPECT_EQ(gaps_of(s), "50: 0 0 0 0 0 50 0");
}

TEST(DeviceGap, whose_launch_seems_to_end_after_the_kernel_began_is_no_longer_than_it_is) {
  DeviceScene s; // clocks of host and device differ a little
  s.kernel(0, 100, s.launch(-10, -5)).kernel(150, 200, s.launch(145, 170));
  EXPECT_EQ(gaps_of(s), "50: 0 0 0 0 50 0 0");
}

TEST(DeviceGap, without_a_recorded_launch_has_no_reason) {
  DeviceScene s;
  s.kernel(0, 100).kernel(150, 200);
  EXPECT_EQ(gaps_of(s), "50: 0 0 0 0 0 0 50");
}

TEST(DeviceGap, is_none_while_any_stream_of_the_device_runs) {
  DeviceScene s;
  s.kernel(0, 100).kernel(150, 200);
  s.t.kernel(s.t.stream(0, 2), "copy", KernelKind::memory, DeviceScene::ns(90), DeviceScene::ns(160));
  s.t.kernel(s.t.stream(1, 1), "other", KernelKind::compute, DeviceScene::ns(0), DeviceScene::ns(10));
  EXPECT_EQ(gaps_of(s), "");
}

TEST(DeviceGap, follows_a_synchronise_call_when_it_had_drained_the_device) {
  DeviceScene s;
  s.kernel(0, 100, s.launch(-10, -5));
  s.call("StreamSynchronize", 20, 105);
  s.kernel(150, 200, s.launch(120, 130));
  EXPECT_EQ(gaps_of(s), "50: 0 0 0 30 0 20 0");
}

TEST(DeviceGap, a_synchronise_call_that_began_later_or_ended_before_did_not_drain_the_device) {
  DeviceScene before, after;
  before.kernel(0, 100, before.launch(-10, -5));
  before.call("StreamSynchronize", 20, 90).kernel(150, 200, before.launch(120, 130));
  after.kernel(0, 100, after.launch(-10, -5));
  after.call("StreamSynchronize", 102, 115).kernel(150, 200, after.launch(120, 130));
  EXPECT_EQ(gaps_of(before), "50: 0 0 0 0 30 20 0");
  EXPECT_EQ(gaps_of(after), "50: 0 0 0 0 30 20 0");
}

TEST(DeviceGap, another_thread_in_a_synchronise_call_is_no_reason_while_this_one_launches) {
  DeviceScene s;
  const auto waiting = s.t.thread(7, 71, "waiting");
  s.kernel(0, 100, s.launch(-10, -5));
  s.t.slice("DeviceSynchronize", "runtime", waiting.track, DeviceScene::ns(50), DeviceScene::ns(300),
            {.numbers = {}, .texts = {}, .flows_out = {}, .flows_in = {}, .layer = Layer::runtime});
  s.kernel(150, 200, s.launch(110, 130));
  EXPECT_EQ(gaps_of(s), "50: 0 0 0 0 30 20 0");
}

TEST(DeviceGap, a_function_named_like_a_synchronise_call_is_no_runtime_call) {
  DeviceScene s;
  s.kernel(0, 100, s.launch(-10, -5));
  s.call("cuda.py: synchronize", 20, 105, Layer::application).kernel(150, 200, s.launch(120, 130));
  EXPECT_EQ(gaps_of(s), "50: 0 0 0 0 30 20 0");
}

TEST(DeviceGap, in_a_data_loader_is_the_inputs_even_after_a_synchronise_call) {
  DeviceScene s;
  s.kernel(0, 100, s.launch(-10, -5));
  s.call("StreamSynchronize", 20, 105);
  s.call("DataLoader.__next__", 110, 190, Layer::framework).kernel(250, 300, s.launch(200, 220));
  EXPECT_EQ(gaps_of(s), "150: 0 80 0 40 0 30 0"); // 5 + 5 + 10 + 20 us of the host besides loading
}

TEST(DeviceGap, a_loader_of_another_thread_is_not_waited_for) {
  DeviceScene s;
  const auto loader = s.t.thread(7, 71, "loader");
  s.kernel(0, 100, s.launch(-10, -5));
  s.t.slice("DataLoader.fetch", "op", loader.track, 0, DeviceScene::ns(400));
  s.kernel(150, 200, s.launch(110, 130));
  EXPECT_EQ(gaps_of(s), "50: 0 0 0 0 30 20 0");
}

TEST(DeviceGap, a_loader_of_the_thread_that_fed_the_launch_queue_is_waited_for) {
  DeviceScene s;
  const auto python = s.t.thread(7, 71, "python");
  s.kernel(0, 100, s.launch(-10, -5));
  s.t.slice("DataLoader.__next__", "op", python.track, DeviceScene::ns(100), DeviceScene::ns(180));
  s.t.slice("Enqueue", "enqueue", python.track, DeviceScene::ns(185), DeviceScene::ns(190),
            {.numbers = {}, .texts = {}, .flows_out = {900}, .flows_in = {}, .layer = Layer::runtime});
  s.t.slice("Dequeue", "dequeue", s.host.track, DeviceScene::ns(195), DeviceScene::ns(230),
            {.numbers = {}, .texts = {}, .flows_out = {}, .flows_in = {900}, .layer = Layer::runtime});
  s.kernel(250, 300, s.launch(200, 220));
  EXPECT_EQ(gaps_of(s), "150: 0 80 0 0 40 30 0");
}

TEST(DeviceGap, a_runtime_call_of_50_ms_is_start_up_and_one_of_less_is_not) {
  DeviceScene s;
  s.kernel(0, 100, s.launch(-10, -5));
  s.call("Malloc", 200, 50'200).kernel(50'400, 50'500, s.launch(50'300, 50'350));
  s.call("Malloc", 50'600, 100'599).kernel(100'700, 100'800, s.launch(100'600, 100'650));
  EXPECT_EQ(gaps_of(s), "50300: 0 0 50000 0 250 50 0 | 50200: 0 0 0 0 50150 50 0");
}

TEST(DeviceGap, outside_every_request_of_a_service_nobody_is_late) {
  DeviceScene s;
  s.t.request(1, DeviceScene::ns(-20), DeviceScene::ns(110))
      .request(2, DeviceScene::ns(400), DeviceScene::ns(600));
  s.kernel(0, 100, s.launch(-10, -5)).kernel(500, 600, s.launch(420, 450));
  EXPECT_EQ(gaps_of(s), "400: 290 0 0 0 60 50 0");
}

TEST(DeviceGap, steps_of_a_loop_are_no_requests_that_come_when_they_come) {
  DeviceScene s;
  s.t.sink().metadata("request.source", "steps");
  s.t.request(1, DeviceScene::ns(-20), DeviceScene::ns(110))
      .request(2, DeviceScene::ns(400), DeviceScene::ns(600));
  s.kernel(0, 100, s.launch(-10, -5)).kernel(500, 600, s.launch(420, 450));
  EXPECT_EQ(gaps_of(s), "400: 0 0 0 0 350 50 0");
}

TEST(DeviceGap, of_an_empty_trace_are_none) {
  DeviceScene s;
  EXPECT_EQ(gaps_of(s), "");
}

} // namespace
} // namespace prof
