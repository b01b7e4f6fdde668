// The device is the limit: found when it computes nearly all the time, with what it computes by hand.
#include "../store/device_scene.hpp"
#include "scene.hpp"

#include <gmock/gmock.h>

namespace prof {
namespace {

// The i-th of kernels of 100 ns, one behind the other.
void compute(DeviceScene& s, std::int64_t i, std::string_view name, std::string_view op_type) {
  s.t.sink().kernel({.stream = s.stream,
                     .ts = Ts{DeviceScene::ns(100 * i)},
                     .dur = Dur{DeviceScene::ns(100)},
                     .name = s.t.text(name),
                     .op_type = s.t.text(op_type),
                     .kind = KernelKind::compute,
                     .correlation = 0,
                     .flow_in = 0,
                     .bytes = 0,
                     .args = {}});
}

using ::testing::HasSubstr;

constexpr auto kCompute = KernelKind::compute;

std::string looked_at(const Answers& a) {
  const auto at = std::ranges::find(a.d.clear, "device_limit", &ClearRule::id);
  return at == a.d.clear.end() ? "" : at->looked_at;
}
Answers ask_device(DeviceScene& scene) {
  const Store store = scene.t.seal();
  const auto rules = builtin_rules();
  EXPECT_TRUE(rules.ok());
  const auto diagnosis = diagnose(store, *rules, {});
  EXPECT_TRUE(diagnosis.ok());
  return {diagnosis ? *diagnosis : Diagnosis{}};
}
// `n` kernels of `busy` us, one every 100 us.
void kernels(DeviceScene& s, std::int64_t n, std::int64_t busy, std::string_view name = "MatMul") {
  for (std::int64_t i = 0; i < n; ++i)
    s.kernel(100 * i, 100 * i + busy, 0, kCompute, name);
}

// Five rounds of 200 us: 100 us of MatMul, twice at once on two streams for half of it, 50 of Add, 38 of
// SoftmaxV2: a window of 4 * 200 + 188 us, of which 5 * 188 busy.
TEST(DeviceLimit, says_what_takes_the_time_by_unions) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 5; ++i) {
    const std::int64_t at = 200 * i;
    s.kernel(at, at + 100).kernel(at + 100, at + 150, 0, kCompute, "Add");
    s.kernel(at + 150, at + 188, 0, kCompute, "SoftmaxV2");
    s.t.kernel(s.t.stream(0, 2), "MatMul", kCompute, DeviceScene::ns(at + 50), DeviceScene::ns(at + 100));
  }
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("device_limit"), "found");
  EXPECT_NEAR(a.cause("device_limit").share.mean, 940.0 / 988, 1e-9);
  EXPECT_NEAR(*a.value("device_limit", "busy_share"), 100 * 940.0 / 988, 1e-9);
  EXPECT_NEAR(*a.value("device_limit", "matmul"), 100 * 100.0 / 188, 1e-9);
  EXPECT_NEAR(*a.value("device_limit", "elementwise"), 100 * 50.0 / 188, 1e-9);
  EXPECT_NEAR(*a.value("device_limit", "reduction"), 100 * 38.0 / 188, 1e-9);
  EXPECT_THAT(a.cause("device_limit").summary,
              HasSubstr("Most of the busy time, of 3 kinds of operators and kernels in all: MatMul 53.2 %, "
                        "Add 26.6 %, SoftmaxV2 20.2 %. "));
  // What is not in the trace is no figure, and no figure that is wanting.
  EXPECT_FALSE(a.value("device_limit", "attention").has_value());
  EXPECT_TRUE(a.cause("device_limit").could_not_look_at.empty());
}

TEST(DeviceLimit, leaves_out_names_whose_share_rounds_to_nothing) {
  DeviceScene s;
  s.kernel(0, 1'000'000);
  for (std::int64_t i = 0; i < 12; ++i)
    s.kernel(1'000'000 + i, 1'000'001 + i, 0, kCompute, i % 2 == 0 ? "Add" : "Mul");
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("device_limit"), "found");
  EXPECT_THAT(
      a.cause("device_limit").summary,
      HasSubstr("Most of the busy time, of 3 kinds of operators and kernels in all: MatMul 100.0 %."));
}

struct Named {
  std::string_view op_type, name, kind; // kind: the evidence that counts it
};
void PrintTo(const Named& n, std::ostream* out) {
  *out << n.kind << " " << n.name;
}
class KernelClass : public ::testing::TestWithParam<Named> {};

TEST_P(KernelClass, is_told_by_operator_and_name) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 10; ++i)
    compute(s, i, GetParam().name, GetParam().op_type);
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("device_limit"), "found");
  for (const char* kind : {"matmul", "attention", "convolution", "reduction", "elementwise", "copy", "other"})
    EXPECT_EQ(a.value("device_limit", kind).value_or(0), kind == GetParam().kind ? 100 : 0) << kind;
}
INSTANTIATE_TEST_SUITE_P(
    All, KernelClass,
    ::testing::Values(
        Named{"", "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", "matmul"},
        Named{"", "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x192x64", "matmul"},
        Named{"", "nvjet_tst_192x192_64x4_2x1_v_bz_coopB_bias_TNN", "matmul"},
        Named{"MatMulV3", "aclnnMatmul_MatMulV3Common_MatMulV3", "matmul"},
        Named{"", "_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1_swiglu", "matmul"},
        Named{"", "void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128>>", "attention"},
        Named{"", "void paged_attention_ll4mi_reduce_kernel<__hip_bfloat16>", "attention"},
        Named{"FlashAttentionScore", "aclnnFlashAttentionScore", "attention"},
        Named{"", "void implicit_convolve_sgemm<float, float, 1024, 6, 7>", "convolution"},
        Named{"", "volta_scudnn_128x128_stridedB_splitK_medium_nn_v1", "convolution"},
        Named{"Conv2D", "Conv2D", "convolution"},
        Named{"", "void at::native::vectorized_layer_norm_kernel<float, float>", "reduction"},
        Named{"", "triton_red_fused__unsafe_view_add_mean_mul_pow_rsqrt_1", "reduction"},
        Named{"", "void at::native::(anonymous namespace)::vectorized_elementwise_kernel<4>", "elementwise"},
        Named{"", "triton_poi_fused__to_copy_add_3", "elementwise"},
        Named{"Mul", "aclnnMul_MulAiCore_Mul", "elementwise"},
        Named{"", "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda>",
              "copy"},
        Named{"Cast", "aclnnCast_CastAiCore_Cast", "copy"},
        // Words within words.
        Named{"BroadcastTo", "aclnnExpand_BroadcastTo", "other"},
        Named{"", "void at::native::distribution_kernel<normal_and_transform>", "other"},
        Named{"", "void scatter_gather_kernel<convert>", "other"}));

TEST(DeviceLimit, names_kernels_without_an_operator_by_the_word_before_their_arguments) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 10; ++i)
    compute(s, i,
            i < 6 ? "void at::native::(anonymous namespace)::cat_kernel<4, float>(int)"
                  : std::string(70, 'k'),
            "");
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("device_limit"), "found");
  EXPECT_THAT(a.cause("device_limit").summary,
              HasSubstr("at::native::cat_kernel 60.0 %, " + std::string(57, 'k') + "... 40.0 %"));
}

TEST(DeviceLimit, a_tenth_of_idle_time_is_clear) {
  DeviceScene s;
  kernels(s, 20, 90); // 1800 of 1990 us
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("device_limit"), "found");
  DeviceScene idle;
  kernels(idle, 20, 89); // 1780 of 1989 us
  const Answers b = ask_device(idle);
  ASSERT_EQ(b.of("device_limit"), "clear");
  EXPECT_THAT(looked_at(b), HasSubstr("busy for 89.5 % of its window"));
}

TEST(DeviceLimit, of_a_handful_of_kernels_is_not_applicable) {
  DeviceScene s;
  kernels(s, 9, 100);
  EXPECT_EQ(ask_device(s).of("device_limit"), "not applicable");
}

TEST(DeviceLimit, is_not_a_device_that_communicates_for_a_fifth_of_its_time) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 10; ++i)
    s.kernel(100 * i, 100 * i + 80)
        .kernel(100 * i + 80, 100 * i + 100, 0, KernelKind::communication, "allReduce");
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("device_limit"), "clear");
  EXPECT_EQ(a.of("exposed_communication"), "found");
  EXPECT_THAT(looked_at(a), HasSubstr("this speaks against it: 80 % of the busy time is computing"));
}

TEST(DeviceLimit, is_not_a_device_that_begins_late_in_the_recording) {
  DeviceScene s;
  s.call("load_model", -4000, -10, Layer::framework);
  kernels(s, 10, 100); // 1000 of 5000 us
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("device_limit"), "clear");
  EXPECT_THAT(looked_at(a),
              HasSubstr("this speaks against it: the device's window is 20 % of the recording"));
}

TEST(DeviceLimit, counts_no_time_between_requests) {
  DeviceScene s;
  for (std::int64_t i = 0; i < 10; ++i) {
    s.t.request(i, DeviceScene::ns(1000 * i), DeviceScene::ns(1000 * i + 100));
    s.kernel(1000 * i, 1000 * i + 100);
  }
  const Answers a = ask_device(s);
  ASSERT_EQ(a.of("device_limit"), "found");
  EXPECT_NEAR(*a.value("device_limit", "busy_share"), 100, 1e-9);
  EXPECT_NEAR(a.cause("device_limit").share.mean, 1000.0 / 9100, 1e-9);
}

} // namespace
} // namespace prof
