// Rules about devices: each cause with its share computed by hand, and the look-alike that must not give it.
#include "../store/device_scene.hpp"
#include "scene.hpp"

#include <fmt/format.h>

namespace prof {
namespace {

Answers ask_device(DeviceScene& scene, const DiagnoseOptions& options = {}) {
  const Store store = scene.t.seal();
  const auto rules = builtin_rules();
  EXPECT_TRUE(rules.ok());
  const auto diagnosis = diagnose(store, *rules, options);
  EXPECT_TRUE(diagnosis.ok());
  return {diagnosis ? *diagnosis : Diagnosis{}};
}
std::string found(const Answers& a) {
  std::string out;
  for (const Cause& c : a.d.causes)
    out += (out.empty() ? "" : " ") + c.id;
  return out;
}
// "compute 50.0, idle_unknown 50.0": the classes that have time.
std::string accounting(const Answers& a) {
  std::string out;
  double sum = 0;
  for (const DeviceAccounting::Class& c : a.d.device_accounting->classes) {
    sum += c.share;
    if (c.share > 0) out += fmt::format("{}{} {:.1f}", out.empty() ? "" : ", ", c.id, c.share * 100);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  return out;
}
std::string looked_at(const Answers& a, std::string_view id) {
  const auto at = std::ranges::find(a.d.clear, id, &ClearRule::id);
  return at == a.d.clear.end() ? "" : at->looked_at;
}

// Ten steps of 100 us, each launched in time.
void steps(DeviceScene& s, std::int64_t compute_to, std::int64_t comm_from, std::int64_t comm_to) {
  for (std::int64_t i = 0; i < 10; ++i) {
    const std::int64_t at = 100 * i;
    s.kernel(at, at + compute_to, s.launch(at - 20, at - 18));
    s.t.kernel(s.t.stream(0, 2), "allReduce", KernelKind::communication, DeviceScene::ns(at + comm_from),
               DeviceScene::ns(at + comm_to), s.launch(at - 17, at - 15));
  }
}

TEST(ExposedCommunication, is_what_nothing_runs_beside) {
  DeviceScene s;
  steps(s, 60, 40, 100); // 60 of 100 us computing, 40 of 60 us of communication exposed
  const Answers a = ask_device(s);
  EXPECT_EQ(found(a), "exposed_communication");
  EXPECT_NEAR(a.cause("exposed_communication").share.mean, 0.40, 1e-9);
  EXPECT_NEAR(*a.value("exposed_communication", "hidden_share"), 100.0 / 3, 1e-9);
  EXPECT_EQ(accounting(a), "compute 60.0, exposed_communication 40.0");
  EXPECT_EQ(a.cause("exposed_communication").share.unit, "device");
}

TEST(ExposedCommunication, hidden_behind_computing_is_none) {
  DeviceScene s;
  steps(s, 100, 0, 98);
  const Answers a = ask_device(s);
  EXPECT_EQ(a.of("exposed_communication"), "clear");
  EXPECT_EQ(accounting(a), "compute 100.0");
}

TEST(ExposedCommunication, needs_communication) {
  DeviceScene s;
  s.kernel(0, 100);
  EXPECT_EQ(ask_device(s).of("exposed_communication"), "not applicable");
}

TEST(HostSynchronization, is_waiting_while_the_device_does_not_compute) {
  DeviceScene s;
  s.kernel(0, 1000, s.launch(-20, -10));
  s.t.kernel(s.t.stream(0, 2), "allReduce", KernelKind::communication, DeviceScene::ns(1000),
             DeviceScene::ns(4000), s.launch(-9, -5));
  s.call("aclrtSynchronizeStream", 500, 4100); // of these 3 600 us, 500 the device computes and 100 are over
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("host_synchronization"), "found");
  EXPECT_NEAR(a.cause("host_synchronization").share.mean, 0.75, 1e-9); // 3000 of 4000 us
  EXPECT_EQ(a.of("exposed_communication"), "found");
  EXPECT_NE(a.cause("host_synchronization").summary.find("100 % of that time"), std::string::npos)
      << a.cause("host_synchronization").summary;
}

TEST(HostSynchronization, waiting_for_a_device_that_computes_is_none) {
  DeviceScene s;
  s.kernel(0, 4000, s.launch(-20, -10)).call("cudaDeviceSynchronize", 10, 4000);
  EXPECT_EQ(ask_device(s).of("host_synchronization"), "clear");
}

TEST(HostSynchronization, of_another_process_is_not_applicable) {
  DeviceScene s;
  const auto other = s.t.thread(8, 80, "other");
  s.kernel(0, 1000, s.launch(-20, -10)).kernel(4000, 5000, s.launch(10, 20));
  s.t.slice("cudaDeviceSynchronize", "runtime", other.track, 0, DeviceScene::ns(5000),
            {.numbers = {}, .texts = {}, .flows_out = {}, .flows_in = {}, .layer = Layer::runtime});
  EXPECT_EQ(ask_device(s).of("host_synchronization"), "not applicable");
}

// 40 kernels of 5 us, each launched [launch_from, launch_to) after the one before had begun, `period` apart.
void small_kernels(DeviceScene& s, std::int64_t period, std::int64_t launch_from, std::int64_t launch_to) {
  for (std::int64_t i = 0; i < 40; ++i) {
    const std::int64_t at = period * i;
    s.kernel(at, at + 5, s.launch(at - period + launch_from, at - period + launch_to));
  }
}

TEST(LaunchBound, is_idle_until_each_launch_has_returned) {
  DeviceScene s;
  small_kernels(s, 20, 12, 18); // 5 us busy, 13 us until launched, 2 us after that
  const Answers a = ask_device(s);
  EXPECT_EQ(found(a), "launch_bound");
  // 39 gaps in a window of 39 * 20 + 5 us.
  EXPECT_NEAR(a.cause("launch_bound").share.mean, 39 * 13 / 785.0, 1e-9);
  EXPECT_EQ(accounting(a), "compute 25.5, idle_host_launch 64.6, idle_after_launch 9.9");
}

TEST(LaunchBound, launched_in_time_and_idle_all_the_same_is_something_else) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 40; ++i)
    s.kernel(20 * i, 20 * i + 5, s.launch(-100 + i, -99 + i));
  const Answers a = ask_device(s);
  EXPECT_EQ(a.of("launch_bound"), "clear");
  ASSERT_EQ(a.of("device_idle"), "found");
  EXPECT_NEAR(a.cause("device_idle").share.mean, 39 * 15 / 785.0, 1e-9);
}

// The reason of the first signal that a rule lacks.
std::string reason(const Answers& a, std::string_view id) {
  const auto at = std::ranges::find(a.d.cannot_tell, id, &CannotTellRule::id);
  return at == a.d.cannot_tell.end() ? "" : at->missing.front().reason;
}

TEST(LaunchBound, one_long_pause_is_no_dispatch_and_why_it_is_there_cannot_be_told) {
  DeviceScene s;
  small_kernels(s, 6, 2, 5);
  s.kernel(5000, 5005, s.launch(4990, 4995));
  const Answers a = ask_device(s);
  EXPECT_EQ(a.of("launch_bound"), "cannot tell");
  EXPECT_EQ(a.missing("launch_bound"), "idle_gap");
  EXPECT_NE(reason(a, "launch_bound").find("in pauses and not in dispatch"), std::string::npos)
      << reason(a, "launch_bound");
}

TEST(LaunchBound, several_long_pauses_are_no_dispatch_though_none_is_most_of_the_idle_time) {
  DeviceScene s;
  small_kernels(s, 6, 2, 5);
  for (const std::int64_t at : {5000, 8000, 11'000})
    s.kernel(at, at + 5, s.launch(at - 10, at - 5));
  const Answers a = ask_device(s);
  EXPECT_EQ(a.of("launch_bound"), "cannot tell");
  EXPECT_NE(reason(a, "launch_bound").find("lies in gaps of over a millisecond"), std::string::npos)
      << reason(a, "launch_bound");
}

// Every launch begins 50 us after the kernel that it launched: the clocks differ.
TEST(LaunchBound, launches_after_their_own_kernels_are_clock_skew_and_blame_nobody) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 40; ++i)
    s.kernel(100 * i, 100 * i + 10, s.launch(100 * i + 50, 100 * i + 55));
  EXPECT_EQ(ask_device(s).of("launch_bound"), "not applicable");
}

TEST(LaunchBound, without_launches_is_not_applicable) {
  DeviceScene s;
  s.kernel(0, 10).kernel(50, 60);
  EXPECT_EQ(ask_device(s).of("launch_bound"), "not applicable");
}

TEST(InputPipeline, is_loading_in_the_launching_thread_while_the_device_is_idle) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 10; ++i) {
    s.call("enumerate(DataLoader)#next", 1000 * i - 590, 1000 * i - 40, Layer::framework);
    s.kernel(1000 * i, 1000 * i + 400, s.launch(1000 * i - 30, 1000 * i - 20));
  }
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("input_pipeline"), "found");
  EXPECT_NEAR(a.cause("input_pipeline").share.mean, 9 * 550 / 9400.0, 1e-9);
  EXPECT_EQ(a.d.causes.front().id, "input_pipeline");
}

TEST(InputPipeline, loading_that_is_over_before_the_device_runs_dry_costs_nothing) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 10; ++i) {
    s.call("enumerate(DataLoader)#next", 1000 * i - 990, 1000 * i - 40, Layer::framework);
    s.kernel(1000 * i, 1000 * i + 1000, s.launch(1000 * i - 30, 1000 * i - 20));
  }
  EXPECT_EQ(ask_device(s).of("input_pipeline"), "clear");
}

TEST(DeviceStartUp, is_a_few_long_calls) {
  DeviceScene s;
  s.kernel(0, 1000, s.launch(-20, -10)).call("cudaFree", 1000, 91'000);
  s.kernel(91'050, 100'000, s.launch(91'000, 91'050));
  const Answers a = ask_device(s);
  EXPECT_EQ(found(a), "device_start_up");
  EXPECT_NEAR(a.cause("device_start_up").share.mean, 0.9, 1e-9);
}

TEST(DeviceStartUp, behind_a_busy_device_costs_nothing) {
  DeviceScene s;
  s.kernel(0, 100'000, s.launch(-20, -10)).call("cudaMalloc", 1000, 91'000);
  EXPECT_EQ(ask_device(s).of("device_start_up"), "clear");
}

TEST(MemoryCopies, count_where_nothing_is_computed_beside_them) {
  DeviceScene s;
  s.kernel(0, 600).kernel(500, 1000, 0, KernelKind::memory, "HtoD");
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("memory_copies"), "found");
  EXPECT_NEAR(a.cause("memory_copies").share.mean, 0.4, 1e-9);
  EXPECT_NEAR(*a.value("memory_copies", "hidden_copies"), 20, 1e-9);
  EXPECT_EQ(accounting(a), "compute 60.0, copies 40.0");
}

TEST(MemoryCopies, beside_computing_are_free) {
  DeviceScene s;
  s.kernel(0, 1000).kernel(100, 900, 0, KernelKind::memory, "HtoD");
  EXPECT_EQ(ask_device(s).of("memory_copies"), "clear");
}

// Devices that compute until `ends` and then communicate until 1000 us.
void ranks(DeviceScene& s, std::initializer_list<std::int64_t> ends) {
  for (std::int64_t device = 0; const std::int64_t end : ends) {
    s.kernel_on(device, 0, end, KernelKind::compute).kernel_on(device, end, 1000, KernelKind::communication);
    ++device;
  }
}

TEST(Straggler, is_the_device_that_the_others_wait_for) {
  DeviceScene s;
  ranks(s, {500, 500, 900, 500}); // three wait 500 us, one 100 us: 3 * 400 of 4000 us
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("straggler"), "found");
  EXPECT_NEAR(a.cause("straggler").share.mean, 0.3, 1e-9);
  EXPECT_NE(a.cause("straggler").summary.find("(device 2 longest)"), std::string::npos)
      << a.cause("straggler").summary;
}

TEST(Straggler, equal_ranks_that_all_wait_for_the_network_have_none) {
  DeviceScene s;
  ranks(s, {500, 510, 505, 500});
  const Answers a = ask_device(s);
  EXPECT_EQ(a.of("straggler"), "clear");
  EXPECT_EQ(a.of("exposed_communication"), "found");
}

TEST(Straggler, more_work_that_ends_no_later_holds_nobody_up) {
  DeviceScene s; // device 0 computes longest but also waits longest: the others are held up by something else
  s.kernel_on(0, 0, 700, KernelKind::compute).kernel_on(0, 700, 1400, KernelKind::communication);
  s.kernel_on(1, 300, 900, KernelKind::compute).kernel_on(1, 900, 1400, KernelKind::communication);
  const Answers a = ask_device(s);
  EXPECT_EQ(a.of("straggler"), "clear");
  EXPECT_NE(looked_at(a, "straggler").find("speaks against it"), std::string::npos);
}

TEST(Straggler, one_device_has_nobody_to_wait_for) {
  DeviceScene s;
  ranks(s, {500});
  EXPECT_EQ(ask_device(s).of("straggler"), "not applicable");
}

TEST(DeviceIdle, many_pauses_that_nothing_explains_are_found_and_one_is_not) {
  DeviceScene many, one;
  for (std::int64_t i = 0; i < 10; ++i)
    many.kernel(100 * i, 100 * i + 50);
  one.kernel(0, 100).kernel(900, 1000);
  EXPECT_EQ(found(ask_device(many)), "device_idle");
  // One gap of 800 of 1000 us is not clear either.
  const Answers a = ask_device(one);
  EXPECT_EQ(accounting(a), "compute 20.0, idle_unknown 80.0");
  EXPECT_EQ(found(a), "");
  EXPECT_EQ(a.missing("device_idle"), "idle_gap");
  const auto rule = std::ranges::find(a.d.cannot_tell, "device_idle", &CannotTellRule::id);
  ASSERT_NE(rule, a.d.cannot_tell.end());
  EXPECT_EQ(rule->missing.front().reason,
            "for 80 % of its window the device is idle, and most of that is one gap of 800 us that the trace "
            "does not explain");
}

// Of ten kernels every second has no launch: before those the device is idle for 4 or 5 times `gap` of 10 x
// 100 us.
Answers half_unseen(std::int64_t gap) {
  DeviceScene s;
  s.call("DataLoader.next", -90, -85, Layer::framework).call("Malloc", 920, 61'000);
  for (std::int64_t i = 0; i < 10; ++i)
    s.kernel(100 * i, 100 * i + 100 - gap, i % 2 == 0 ? s.launch(100 * i - 80, 100 * i - 70) : 0);
  return ask_device(s);
}

TEST(UnseenLaunches, that_may_hide_a_cause_are_not_clear) {
  const Answers much = half_unseen(12), little = half_unseen(8); // 60 of 988, and 40 of 992 us
  for (const char* rule : {"launch_bound", "input_pipeline", "device_start_up"}) {
    EXPECT_EQ(much.missing(rule), "launches") << rule;
    EXPECT_EQ(reason(much, rule),
              "for 6.07 % of its window the device is idle before kernels whose launch is not recorded");
    EXPECT_EQ(little.of(rule), "clear") << rule;
  }
}

// A start-up of 60 ms before the first kernel was named for idle time that came after it.
TEST(DeviceStartUp, is_no_call_that_ended_before_the_device_was_used) {
  DeviceScene s;
  s.call("Malloc", -60'100, -100).kernel(0, 100).kernel(900, 1000);
  EXPECT_EQ(ask_device(s).of("device_start_up"), "not applicable");
}

TEST(UnexplainedIdle, is_said_with_its_share_and_what_to_record) {
  DeviceScene one;
  one.kernel(0, 100).kernel(900, 1000);
  const Answers a = ask_device(one);
  ASSERT_TRUE(a.d.unexplained_idle.has_value());
  EXPECT_NEAR(a.d.unexplained_idle->share, 0.8, 1e-12);
  EXPECT_FALSE(a.d.unexplained_idle->has_requests);
  ASSERT_EQ(a.d.unexplained_idle->why.size(), 1U); // no launch at all: the other rules do not apply
  EXPECT_EQ(a.d.unexplained_idle->why[0].signal, "idle_gap");
}

TEST(UnexplainedIdle, is_none_where_a_cause_explains_it_or_there_is_little) {
  DeviceScene many, busy, served;
  for (std::int64_t i = 0; i < 10; ++i)
    many.kernel(100 * i, 100 * i + 50); // device_idle is found
  busy.kernel(0, 500).kernel(560, 1000);
  served.t.request(1, 0, DeviceScene::ns(100)).request(2, DeviceScene::ns(900), DeviceScene::ns(1000));
  served.kernel(0, 100).kernel(900, 1000); // idle between two requests
  for (DeviceScene* s : {&many, &busy, &served})
    EXPECT_FALSE(ask_device(*s).d.unexplained_idle.has_value());
}

// 60 of 100 us idle with a confidence of 0.79, 10 us of conversion with 0.82: mending the first saves more.
TEST(Ranking, is_by_share_times_confidence) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 10; ++i)
    s.kernel(100 * i, 100 * i + 30).kernel(100 * i + 30, 100 * i + 40, 0, KernelKind::compute, "TransData");
  const Answers a = ask_device(s);
  ASSERT_EQ(found(a), "device_idle layout_kernels");
  EXPECT_LT(a.d.causes[0].confidence, a.d.causes[1].confidence);
}

// A reader that knows no operator types leaves them empty.
TEST(LayoutKernels, without_an_operator_type_go_by_their_name) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 4; ++i)
    s.t.sink().kernel({.stream = s.stream,
                       .ts = Ts{DeviceScene::ns(100 * i)},
                       .dur = Dur{DeviceScene::ns(100)},
                       .name = s.t.text("batched_transpose_32x32"),
                       .op_type = {},
                       .kind = KernelKind::compute,
                       .correlation = 0,
                       .flow_in = 0,
                       .bytes = 0,
                       .args = {}});
  const Answers a = ask_device(s);
  ASSERT_EQ(found(a), "layout_kernels");
  EXPECT_NE(a.cause("layout_kernels").summary.find("(batched_transpose_32x32 x4)"), std::string::npos)
      << a.cause("layout_kernels").summary;
}

TEST(CpuFallback, is_time_on_the_cpu_core_of_the_device) {
  DeviceScene s;
  s.kernel_of_core(0, 900, "AI_CORE", "MatMul").kernel_of_core(900, 1000, "AI_CPU", "Unique");
  const Answers a = ask_device(s);
  EXPECT_EQ(found(a), "cpu_fallback");
  EXPECT_NEAR(a.cause("cpu_fallback").share.mean, 0.1, 1e-9);
}

TEST(CpuFallback, beyond_its_limit_but_one_percent_of_the_time_is_clear_and_says_why) {
  DeviceScene s;
  s.kernel_of_core(0, 9900, "AI_CORE", "MatMul").kernel_of_core(9900, 10'000, "AI_CPU", "Unique");
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("cpu_fallback"), "clear");
  EXPECT_NE(looked_at(a, "cpu_fallback").find("beyond its limit, but it explains only 1 % of the time"),
            std::string::npos)
      << looked_at(a, "cpu_fallback");
}

TEST(CpuFallback, no_core_named_is_not_applicable) {
  DeviceScene s;
  s.kernel(0, 100);
  EXPECT_EQ(ask_device(s).of("cpu_fallback"), "not applicable");
}

TEST(LayoutKernels, are_judged_by_the_window_and_not_by_the_computing) {
  DeviceScene s; // 16 us of 100 us computing, but 1.6 % of a window of 1000 us
  s.kernel(0, 42).kernel(42, 50, 0, KernelKind::compute, "TransData");
  s.kernel(50, 92).kernel(92, 100, 0, KernelKind::compute, "TransData");
  s.kernel(100, 1000, 0, KernelKind::communication, "allReduce");
  const Answers a = ask_device(s);
  EXPECT_EQ(found(a), "exposed_communication");
  EXPECT_NE(looked_at(a, "layout_kernels").find("1.60 % of the device's window"), std::string::npos)
      << looked_at(a, "layout_kernels");
}

TEST(LayoutKernels, that_fill_the_window_are_found) {
  DeviceScene s;
  s.kernel(0, 420).kernel(420, 500, 0, KernelKind::compute, "TransData");
  s.kernel(500, 920).kernel(920, 1000, 0, KernelKind::compute, "Transpose");
  const Answers a = ask_device(s);
  EXPECT_EQ(found(a), "layout_kernels");
  EXPECT_NEAR(a.cause("layout_kernels").share.mean, 0.16, 1e-9);
}

TEST(DeviceRules, without_kernels_cannot_tell_and_without_a_device_do_not_apply) {
  Scene silent, no_device;
  silent.request({{"Conv", 500}});
  no_device.request({{"Conv", 500}});
  no_device.t.sink().signal({.name = no_device.t.text("kernels"),
                             .is_available = false,
                             .source = {},
                             .reason = no_device.t.text("signal.reason.no_nvidia_device"),
                             .mend = no_device.t.text("signal.mend.nvidia_device"),
                             .detail = {}});
  const Answers told = ask(silent), none = ask(no_device);
  for (const char* rule :
       {"exposed_communication", "host_synchronization", "launch_bound", "input_pipeline", "device_start_up",
        "memory_copies", "straggler", "device_idle", "device_limit", "cpu_fallback", "layout_kernels"}) {
    EXPECT_EQ(told.of(rule), "cannot tell") << rule;
    EXPECT_EQ(told.missing(rule), "kernels") << rule;
    EXPECT_EQ(none.of(rule), "not applicable") << rule;
  }
}

TEST(DeviceRules, idle_between_the_requests_of_a_service_is_nobodys_fault) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 10; ++i) {
    s.t.request(i, DeviceScene::ns(1000 * i - 5), DeviceScene::ns(1000 * i + 100));
    s.kernel(1000 * i, 1000 * i + 100, s.launch(1000 * i - 4, 1000 * i - 1));
  }
  const Answers a = ask_device(s);
  EXPECT_EQ(found(a), "device_limit"); // while there are requests
  EXPECT_EQ(accounting(a), "compute 11.0, idle_host_launch 0.4, idle_after_launch 0.1, idle_no_request 88.5");
}

} // namespace
} // namespace prof
