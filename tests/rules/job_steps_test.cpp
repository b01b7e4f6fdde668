// Several processes of one job: steps that several ranks record are steps of the job, and what is told of a
// device trace is told of all processes that launch on devices.
#include "../store/device_scene.hpp"
#include "metrics/metrics.hpp"
#include "report/diagnosis_view.hpp"
#include "report/info_view.hpp"
#include "scene.hpp"

#include <gmock/gmock.h>

namespace prof {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Diagnosis diagnosed(TraceBuilder& t) {
  const Store store = t.seal();
  const auto rules = builtin_rules();
  EXPECT_TRUE(rules.ok()) << rules.error().what;
  const auto d = diagnose(store, *rules, {});
  EXPECT_TRUE(d.ok()) << d.error().what;
  return d ? *d : Diagnosis{};
}
constexpr std::int64_t us(std::int64_t n) {
  return 1000 * n;
}

// Steps of one process, one behind the other, named ProfilerStep#1 and so on.
void steps(TraceBuilder& t, std::int64_t pid, std::string_view process,
           const std::vector<std::int64_t>& durs_us) {
  const auto worker = t.thread(pid, 10 * pid, "main");
  t.sink().process({.pid = pid, .name = t.text(process), .cmdline = {}, .is_renamed = true});
  std::int64_t at = 0;
  for (std::size_t i = 0; i < durs_us.size(); ++i) {
    t.slice("ProfilerStep#" + std::to_string(i + 1), words::kSpan, worker.track, us(at), us(at + durs_us[i]));
    at += durs_us[i];
  }
}

TEST(JobSteps, of_two_ranks_count_once_and_take_as_long_as_on_the_slower_one) {
  TraceBuilder t;
  steps(t, 7, "train (rank 0)", {100, 100, 130});
  steps(t, 8, "train (rank 1)", {120, 90}); // the third is not recorded there
  const Diagnosis d = diagnosed(t);
  EXPECT_EQ(d.requests.n, 3);
  EXPECT_EQ(d.requests.n_ranks, 2);
  EXPECT_DOUBLE_EQ(d.requests.mean_ns, us(120 + 100 + 130) / 3.0);
  EXPECT_DOUBLE_EQ(d.requests.max_ns, us(130));
  EXPECT_DOUBLE_EQ(d.requests.p50_ns, us(120));
  EXPECT_DOUBLE_EQ(d.requests.per_second, 3 / 330e-6); // 330 us from the first begin to the last end
  EXPECT_THAT(d.requests.names, ElementsAre("ProfilerStep#N"));
  EXPECT_THAT(
      diagnosis_text(d, Lang::en, 400),
      HasSubstr("3 steps (ProfilerStep#N) on 2 ranks, each as long as on its slowest rank: mean 117 us"));
  EXPECT_THAT(diagnosis_text(d, Lang::zh, 400), HasSubstr("2 个 rank"));
  EXPECT_THAT(to_yaml(diagnosis_doc(d)), HasSubstr("n_ranks: 2"));
}

TEST(JobSteps, have_the_same_figures_in_the_metrics) {
  TraceBuilder t;
  steps(t, 7, "train (rank 0)", {100, 100, 130});
  steps(t, 8, "train (rank 1)", {120, 90});
  const Store store = t.seal();
  auto sql = Sql::open(store);
  const auto catalogue = load_metric_catalogue();
  ASSERT_TRUE(sql.ok() && catalogue.ok());
  for (const auto& [id, value] :
       {std::pair("mean_latency", us(120 + 100 + 130) / 3.0), std::pair("max_latency", us(130) * 1.0),
        std::pair("throughput", 3 / 330e-6)}) {
    const auto metric = find_metric(*catalogue, id);
    ASSERT_TRUE(metric.ok());
    EXPECT_DOUBLE_EQ(compute_metric(*metric, store, *sql).value.value_or(-1), value) << id;
  }
  EXPECT_THAT(info_text(store, {}, Lang::en), HasSubstr("Steps in their place: 3"));
}

TEST(JobSteps, with_one_name_are_matched_by_their_order) {
  TraceBuilder t;
  for (const auto& [pid, name] : {std::pair(7, "a (rank 0)"), std::pair(8, "a (rank 3)")}) {
    const auto worker = t.thread(pid, 10 * pid, "main");
    t.sink().process({.pid = pid, .name = t.text(name), .cmdline = {}, .is_renamed = true});
    t.slice("iteration", words::kSpan, worker.track, 0, us(pid));
    t.slice("iteration", words::kSpan, worker.track, us(10), us(10 + 2 * pid));
  }
  const Diagnosis d = diagnosed(t);
  EXPECT_EQ(d.requests.n, 2);
  EXPECT_DOUBLE_EQ(d.requests.mean_ns, us(8 + 16) / 2.0);
}

TEST(JobSteps, of_processes_without_a_rank_or_of_one_rank_are_what_they_were) {
  TraceBuilder two, one;
  steps(two, 7, "a", {100, 100});
  steps(two, 8, "b", {100});
  steps(one, 7, "a (rank 1)", {100, 100});
  const Diagnosis of_two = diagnosed(two), of_one = diagnosed(one);
  EXPECT_EQ(of_two.requests.n, 3);
  EXPECT_EQ(of_two.requests.n_ranks, 0);
  EXPECT_EQ(of_one.requests.n, 2);
  EXPECT_EQ(of_one.requests.n_ranks, 0);
  EXPECT_THAT(diagnosis_text(of_two, Lang::en, 400), Not(HasSubstr("ranks, each")));
}

TEST(JobSteps, threads_of_every_process_that_launches_are_the_unit_where_there_are_none) {
  DeviceScene s;
  const auto second = s.t.thread(8, 80, "second"), helper = s.t.thread(9, 90, "helper");
  s.t.op("mm", s.host, 0, us(1000)).op("mm", second, 0, us(900)).op("mm", helper, 0, us(500));
  s.kernel(10, 20, s.launch(1, 2)).kernel(30, 40, s.launch(1, 2, second));
  const Diagnosis d = diagnosed(s.t);
  ASSERT_TRUE(d.threads.has_value());
  EXPECT_EQ(d.threads->n, 2);
  EXPECT_DOUBLE_EQ(d.threads->total_ns, us(1900));
}

TEST(JobSteps, the_rank_that_the_others_wait_for_is_told_in_words) {
  DeviceScene s;
  const auto rank = [&](std::int64_t number, std::int64_t compute_to, std::int64_t comm_to) {
    const std::string name = "GPU (rank " + std::to_string(number) + ")";
    const Id<Device> device =
        s.t.sink().device({.name = s.t.text(name), .kind = DeviceKind::gpu, .index = 10 + number});
    const Id<Stream> stream = s.t.sink().stream({.device = device, .number = 1, .name = {}});
    s.t.kernel(stream, "gemm", KernelKind::compute, 0, us(compute_to));
    s.t.kernel(stream, "allReduce", KernelKind::communication, us(compute_to), us(comm_to));
  };
  rank(0, 100, 1000);
  rank(1, 700, 1000);
  const Diagnosis d = diagnosed(s.t);
  const std::string text = diagnosis_text(d, Lang::en, 4000);
  EXPECT_THAT(text,
              AllOf(HasSubstr("rank 1 spends 600 us less in communication than the rank that spends most"),
                    HasSubstr("This trace holds 2 ranks"), Not(HasSubstr("behind_ns"))));
  EXPECT_THAT(diagnosis_text(d, Lang::zh, 4000), HasSubstr("rank 1"));
}

TEST(JobSteps, of_a_serving_engine_are_known_by_its_marks_on_the_host) {
  DeviceScene s;
  s.t.slice("execute", "user_annotation", s.host.track, 0, us(1000));
  s.t.slice("step[DECODE bs=32]", "user_annotation", s.host.track, us(100), us(900));
  const Id<Track> track = s.t.lane(7, "gpu annotations");
  TraceBuilder::SliceOptions options;
  options.layer = Layer::device;
  s.t.slice("step[DECODE bs=32]", "gpu_user_annotation", track, us(300), us(950), options);
  s.call("hipMemcpyWithStream", 200, 800);
  const Diagnosis d = diagnosed(s.t);
  EXPECT_EQ(d.requests.n, 1);
  EXPECT_DOUBLE_EQ(d.requests.mean_ns, us(800));
  EXPECT_THAT(diagnosis_text(d, Lang::en, 400), AllOf(HasSubstr("1 step (step[DECODE bs=32]): mean 800 us"),
                                                      HasSubstr("sync_idle: hipMemcpyWithStream 75 %."),
                                                      HasSubstr("host_code: execute 25 %.")));
}

// Most of the time was in code that no rule looks into, and the report named only its small causes.
TEST(HostCode, that_takes_much_of_the_time_is_noted_with_what_would_tell_more) {
  const auto is_noted = [](bool has_wait) {
    DeviceScene s;
    s.t.slice("execute", "user_annotation", s.host.track, 0, us(1000));
    s.t.slice("step[DECODE bs=32]", "user_annotation", s.host.track, us(100), us(900));
    if (has_wait) s.call("hipMemcpyWithStream", 200, 850);
    const Diagnosis d = diagnosed(s.t);
    return std::ranges::any_of(d.notes, [](const std::string& note) {
      return note.find("(host_code): no rule looks into it") != std::string::npos;
    });
  };
  EXPECT_TRUE(is_noted(false));
  EXPECT_FALSE(is_noted(true));
}

// Of 400 us of waiting for the device a stage says 300 and a call 100: only that has a name.
TEST(JobSteps, calls_are_named_for_the_part_of_a_class_that_they_decide) {
  DeviceScene s;
  s.t.request(1, 0, us(1000));
  s.t.wait("npu", "device_wait", 0, us(300), {1}).stage("decode", s.host, us(300), us(1000), {1});
  s.call("cudaDeviceSynchronize", 400, 500).kernel(0, 1000, s.launch(0, 10));
  const Diagnosis d = diagnosed(s.t);
  EXPECT_THAT(diagnosis_text(d, Lang::en, 400),
              HasSubstr("device_wait: cudaDeviceSynchronize 10 %, other 30.0 %."));
}

TEST(JobSteps, evidence_shows_the_kernels_that_a_call_launched) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 12; ++i)
    s.kernel(100 * i, 100 * i + (i == 3 ? 99 : 96), s.launch(100 * i - 50, 100 * i - 40), KernelKind::compute,
             i == 3 ? "slow" : "MatMul");
  const Diagnosis d = diagnosed(s.t);
  ASSERT_FALSE(d.causes.empty());
  ASSERT_EQ(d.causes[0].id, "device_limit");
  const ExampleSlice& first = d.causes[0].examples.at(0);
  EXPECT_EQ(first.name, "LaunchKernel");
  ASSERT_TRUE(first.launched.has_value());
  EXPECT_EQ(first.launched->name, "slow");
  EXPECT_EQ(first.launched->dur_ns, us(99));
  EXPECT_EQ(first.launched->n, 1);
  EXPECT_THAT(diagnosis_text(d, Lang::en, 400),
              HasSubstr("kernel 'slow' at 350 us, 99.0 us, launched by slice "));
  EXPECT_THAT(to_yaml(diagnosis_doc(d)), HasSubstr("kernel: slow"));
}

} // namespace
} // namespace prof
