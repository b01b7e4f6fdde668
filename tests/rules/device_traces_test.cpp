// Diagnoses of real device traces, against figures and causes that were found by other means
// (tests/readers/data/README.md), and every number against the query beside it.
#include "../readers/reader_fixture.hpp"
#include "../store/device_scene.hpp"
#include "reproduced.hpp"
#include "rules/diagnosis.hpp"
#include "scene.hpp"

#include <gmock/gmock.h>

namespace prof {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

void unpack(const fs::path& packed, const fs::path& as) {
  fs::create_directories(as.parent_path());
  EXPECT_EQ(std::system(fmt::format("gzip -dc '{}' > '{}'", packed.string(), as.string()).c_str()), 0);
}
Store load_packed(const std::string& name) {
  const testing::Scratch scratch;
  unpack(testing::data_file(name), scratch.path() / "input");
  return testing::load(scratch.path() / "input");
}
// The folder of one rank as the profiler left it: kernels, timeline, steps, facts.
Store load_alexnet() {
  const testing::Scratch scratch;
  const fs::path from = testing::data_file("ascend"), rank = scratch.path() / "alexnet_ascend_pt";
  for (const auto& [packed, as] : {std::pair{"kernels.csv", "ASCEND_PROFILER_OUTPUT/kernel_details.csv"},
                                   {"trace.json", "ASCEND_PROFILER_OUTPUT/trace_view.json"},
                                   {"steps.csv", "ASCEND_PROFILER_OUTPUT/step_trace_time.csv"},
                                   {"info.json", "profiler_info_0.json"}})
    unpack(from / fmt::format("alexnet_l1_{}.gz", packed), rank / as);
  return testing::load(rank);
}
Diagnosis diagnosis_of(const Store& store, const DiagnoseOptions& options = {}) {
  const auto rules = builtin_rules();
  EXPECT_TRUE(rules.ok());
  auto d = diagnose(store, *rules, options);
  EXPECT_TRUE(d.ok());
  return d ? *d : Diagnosis{};
}
std::string ids(const Diagnosis& d) {
  std::string out;
  for (const Cause& c : d.causes)
    out += (out.empty() ? "" : " ") + c.id;
  return out;
}

TEST(DeviceTraces, alexnet_waits_for_its_all_reduce_and_not_for_layout_conversion) {
  const Store store = load_alexnet();
  const Diagnosis d = diagnosis_of(store);
  EXPECT_EQ(ids(d), "exposed_communication host_synchronization launch_bound");
  // Known figures: window 136 581 009 ns, exposed all-reduce 101 963 203 ns, idle 25 744 069 ns.
  EXPECT_DOUBLE_EQ(d.causes[0].share.mean, 101963203.0 / 136581009);
  EXPECT_THAT(d.causes[0].summary, HasSubstr("hcom_allReduce_ x4"));
  EXPECT_THAT(d.causes[1].summary, HasSubstr("aclrtSynchronizeStreamWithTimeout"));
  double idle = 0, all = 0;
  for (const auto& c : d.device_accounting->classes) {
    all += c.share;
    if (c.id.starts_with("idle")) idle += c.share;
    if (c.id == "compute") {
      EXPECT_DOUBLE_EQ(c.share, 8873737.0 / 136581009);
    }
  }
  EXPECT_NEAR(all, 1, 1e-12);
  EXPECT_NEAR(idle, 25744069.0 / 136581009, 1e-12);
  // TransData is 16.04 % of the computing (1 423 202 ns), with 5 transposes (118 964 ns) 1.13 % of the
  // window.
  const auto layout = std::ranges::find(d.clear, "layout_kernels", &ClearRule::id);
  ASSERT_NE(layout, d.clear.end());
  EXPECT_NEAR(layout->share, (1423202.0 + 118964) / 136581009, 1e-6);
}

struct Expected {
  std::string name, causes;
};
void PrintTo(const Expected& e, std::ostream* out) {
  *out << e.name;
}
class RealTrace : public ::testing::TestWithParam<Expected> {};

TEST_P(RealTrace, has_the_causes_that_are_known_and_numbers_that_its_queries_give) {
  const Store store = load_packed(GetParam().name);
  const Diagnosis d = diagnosis_of(store);
  EXPECT_EQ(ids(d), GetParam().causes);
  EXPECT_GE(expect_reproduced(store, d), 10);
  for (const CannotTellRule& c : d.cannot_tell)
    for (const MissingSignal& m : c.missing)
      EXPECT_NE(m.signal, "sql") << c.id << ": " << m.detail;
}
INSTANTIATE_TEST_SUITE_P(
    All, RealTrace,
    ::testing::Values(
        // One gap of 463 ms whose producer is not in the trace: nobody is to blame.
        Expected{"kineto/tl_sglang_decode_exec.json.gz", ""},
        // Busy 99.8 % and 100 %: kernels are all there is.
        Expected{"kineto/tl_vllm_decode_full_exec.json.gz", "device_limit"},
        Expected{"kineto/tl_torch_compile_triton.json.gz", "device_limit"},
        // 12.2 of 12.9 s idle in cudaFree, cudaMalloc and the first launch.
        Expected{"kineto/hta_alexnet.json.gz", "device_start_up"},
        // One gap of 18.8 of 19.1 ms.
        Expected{"kineto/hta_event_sync_multi_stream.json.gz", ""},
        Expected{"kineto/tl_mi210_gpu_only.json.gz", "layout_kernels launch_bound"},
        Expected{"ascend/alexnet_l1_rank1.db.gz", "exposed_communication host_synchronization launch_bound"},
        Expected{"ascend/qwen3_l2_kernels.csv.gz", "exposed_communication device_idle"},
        Expected{"ascend/legacy_kernels.csv.gz", "exposed_communication device_idle"},
        Expected{"ascend/msprof_mini.db.gz", ""},
        // Busy 90.4 %, of which 94.2 % computing.
        Expected{"nsys_mfu_2gpu.sqlite.gz", "device_limit launch_bound"},
        // 766 of 802 ms of its idle time are 33 pauses of over a millisecond, eight of
        // them one pause on all devices.
        Expected{"jax_mi300_tw003.xplane.pb.gz", ""}, Expected{"rpd_matmul.rpd.gz", "memory_copies"}),
    [](const auto& one) {
      std::string name = one.param.name;
      std::ranges::replace_if(
          name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

TEST(DeviceTraces, alexnets_numbers_are_what_their_queries_give) {
  const Store store = load_alexnet();
  EXPECT_GE(expect_reproduced(store, diagnosis_of(store)), 20);
}

TEST(Reproduced, numbers_about_requests_and_operators_too) {
  Scene s;
  Scene::Options queued;
  queued.queue_us = 3000;
  for (int i = 0; i < 40; ++i)
    s.request({{"Transpose", 500}, {"Conv", 500}, {"Mul", 3}, {"Add", 3}}, queued);
  const Store store = s.t.seal();
  const Diagnosis d = diagnosis_of(store);
  EXPECT_GE(d.causes.size(), 2U);
  EXPECT_GE(expect_reproduced(store, d), 8);
}

TEST(DeviceTraces, every_answer_is_there_in_both_languages) {
  const Store store = load_alexnet();
  DiagnoseOptions chinese;
  chinese.lang = Lang::zh;
  const Diagnosis en = diagnosis_of(store), zh = diagnosis_of(store, chinese);
  ASSERT_EQ(ids(en), ids(zh));
  const auto is_chinese = [](std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0xe4; });
  };
  for (std::size_t i = 0; i < en.causes.size(); ++i) {
    EXPECT_TRUE(is_chinese(zh.causes[i].summary)) << zh.causes[i].summary;
    EXPECT_FALSE(is_chinese(en.causes[i].summary)) << en.causes[i].summary;
    for (const std::string* text : {&en.causes[i].summary, &zh.causes[i].summary}) {
      EXPECT_EQ(text->find('{'), std::string::npos) << *text;
      EXPECT_EQ(text->find('?'), std::string::npos) << *text;
    }
  }
  for (std::size_t i = 0; i < en.clear.size(); ++i)
    EXPECT_TRUE(is_chinese(zh.clear[i].looked_at)) << zh.clear[i].id << " " << zh.clear[i].looked_at;
}

} // namespace
} // namespace prof
