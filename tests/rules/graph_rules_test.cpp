// Rules about operators: layout_transform, unfused_ops, small_ops. Each: found, clear, not applicable, cannot
// tell, look-alikes.
#include "scene.hpp"

namespace prof {
namespace {

TEST(LayoutTransform, found_when_conversions_around_convolutions_take_two_fifths) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({{"Transpose", 200}, {"Conv", 300}, {"Transpose", 200}, {"Conv", 300}});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("layout_transform"), "found");
  EXPECT_DOUBLE_EQ(*a.value("layout_transform", "layout_share"), 40.0);
  EXPECT_DOUBLE_EQ(*a.value("layout_transform", "near_conv"), 2.0);
  EXPECT_DOUBLE_EQ(*a.value("layout_transform", "median_layout_op"), 200'000.0);
  EXPECT_NEAR(a.cause("layout_transform").share.mean, 0.4, 1e-12);
  EXPECT_NEAR(a.cause("layout_transform").share.slow, 0.4, 1e-12);
  EXPECT_DOUBLE_EQ(a.cause("layout_transform").confidence, kUncalibratedCap);
  EXPECT_EQ(a.cause("layout_transform").actions,
            (std::vector<std::string>{"atc_layout_unify", "engine_layout"}));
  EXPECT_EQ(a.cause("layout_transform").examples.size(), 3U);
  EXPECT_EQ(a.cause("layout_transform").examples.front().dur_ns, 200'000);
  EXPECT_NE(a.cause("layout_transform").summary.find("Transpose x2)"), std::string::npos)
      << a.cause("layout_transform").summary;
}

TEST(LayoutTransform, clear_when_conversions_are_one_part_in_hundred) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({{"Transpose", 10}, {"Conv", 990}});
  const Answers a = ask(s);
  EXPECT_EQ(a.of("layout_transform"), "clear");
  const auto clear = std::ranges::find(a.d.clear, "layout_transform", &ClearRule::id);
  EXPECT_EQ(clear->looked_at, "1 % of the operator time is layout conversion (limit > 5 %)");
}

TEST(LayoutTransform, not_applicable_when_no_operator_has_a_layout) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({{"MatMul", 500}, {"Add", 100}});
  EXPECT_EQ(ask(s).of("layout_transform"), "not applicable");
}

// PyTorch's names: the rules say that they do not know them, not that there is no convolution.
TEST(LayoutTransform, does_not_call_absent_what_it_has_no_name_for) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({{"aten::conv2d", 500}, {"aten::transpose", 100}, {"aten::add", 100}});
  const Answers a = ask(s);
  for (const char* rule : {"layout_transform", "unfused_ops"}) {
    const auto at = std::ranges::find(a.d.not_applicable, rule, &NotApplicableRule::id);
    ASSERT_NE(at, a.d.not_applicable.end()) << rule;
    EXPECT_NE(at->why.find("has a name that this rule knows"), std::string::npos) << at->why;
  }
}

TEST(LayoutTransform, cannot_tell_without_operators) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({}, {.other_us = 500});
  const Answers a = ask(s);
  EXPECT_EQ(a.of("layout_transform"), "cannot tell");
  EXPECT_EQ(a.missing("layout_transform"), "ops");
}

TEST(LayoutTransform, transposes_of_attention_heads_weigh_less_than_those_around_convolutions) {
  Scene conv, heads;
  for (int i = 0; i < 10; ++i) {
    conv.request({{"Transpose", 100}, {"Conv", 900}});
    heads.request({{"MatMul", 800}, {"Add", 20}, {"Reshape", 10}, {"Transpose", 150}, {"MatMul", 20}});
  }
  const Answers a = ask(conv), b = ask(heads);
  ASSERT_EQ(a.of("layout_transform"), "found");
  EXPECT_FALSE(a.is_against("layout_transform", "near_conv"));
  ASSERT_EQ(b.of("layout_transform"), "found");
  EXPECT_TRUE(b.is_against("layout_transform", "near_conv"));
  EXPECT_LT(b.cause("layout_transform").confidence, a.cause("layout_transform").confidence);
}

TEST(LayoutTransform, shares_of_operators_are_of_runs_where_nothing_links_them_to_requests) {
  Scene s;
  const auto other = s.t.thread(7, 71, "runner");
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = Scene::ns(i * 2000);
    s.t.slice("unet", words::kRun, other.track, at, at + Scene::ns(1000));
    s.t.op("Transpose", other, at, at + Scene::ns(250))
        .op("Conv", other, at + Scene::ns(250), at + Scene::ns(1000));
  }
  const Answers a = ask(s);
  ASSERT_EQ(a.of("layout_transform"), "found");
  EXPECT_EQ(a.cause("layout_transform").share.unit, "run");
  EXPECT_NEAR(a.cause("layout_transform").share.mean, 0.25, 1e-12);
  EXPECT_EQ(a.d.requests.unit, "run");
  EXPECT_EQ(a.d.requests.n, 10);
}

const std::vector<Scene::Op> kDecomposedNorm{{"ReduceMean", 30}, {"Sub", 30}, {"Pow", 30},
                                             {"ReduceMean", 30}, {"Add", 10}, {"Sqrt", 10},
                                             {"Div", 30},        {"Mul", 30}, {"Add", 30}};

TEST(UnfusedOps, names_the_chains_with_counts) {
  Scene s;
  for (int i = 0; i < 10; ++i) {
    std::vector<Scene::Op> ops{{"MatMul", 300}};
    ops.insert(ops.end(), kDecomposedNorm.begin(), kDecomposedNorm.end());
    ops.insert(ops.end(), {{"MatMul", 200},
                           {"Div", 10},
                           {"Erf", 40},
                           {"Add", 20},
                           {"Mul", 20},
                           {"Sigmoid", 25},
                           {"Mul", 25},
                           {"MatMul", 100},
                           {"Mul", 10},
                           {"Softmax", 40},
                           {"MatMul", 100}});
    s.request(ops);
  }
  const Answers a = ask(s);
  ASSERT_EQ(a.of("unfused_ops"), "found");
  const std::string& summary = a.cause("unfused_ops").summary;
  for (const char* part : {"LayerNormalization x1", "Gelu x1", "SiLU x1", "Attention x1"})
    EXPECT_NE(summary.find(part), std::string::npos) << summary;
  EXPECT_DOUBLE_EQ(*a.value("unfused_ops", "patterns_per_unit"), 4.0);
  // chains: 170 (norm up to Div) + 90 (Gelu) + 50 (SiLU) + 50 (scale and softmax) of 1120 us
  EXPECT_NEAR(*a.value("unfused_ops", "fusable_share"), 100.0 * 360 / 1120, 1e-9);
}

TEST(UnfusedOps, a_batch_counts_its_chains_for_each_request_in_it) {
  Scene s;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = Scene::ns(i * 1000), first = 3 * i + 1;
    const auto op = [&](const char* type, std::int64_t from_us, std::int64_t to_us) {
      s.t.op(type, s.worker, at + Scene::ns(from_us), at + Scene::ns(to_us));
    };
    s.t.request(first, at, at + Scene::ns(400)).request(first + 1, at, at + Scene::ns(400));
    s.t.stage("denoise", s.worker, at, at + Scene::ns(400), {first, first + 1});
    op("MatMul", 0, 300), op("Sigmoid", 300, 350), op("Mul", 350, 400);
    s.t.request(first + 2, at + Scene::ns(500), at + Scene::ns(700));
    s.t.stage("denoise", s.worker, at + Scene::ns(500), at + Scene::ns(700), {first + 2});
    for (int k = 0; k < 2; ++k)
      op("Sigmoid", 500 + k * 100, 520 + k * 100), op("Mul", 520 + k * 100, 600 + k * 100);
  }
  const Answers a = ask(s);
  ASSERT_EQ(a.of("unfused_ops"), "found");
  EXPECT_DOUBLE_EQ(*a.value("unfused_ops", "patterns_per_unit"), 1.3); // 1, 1 and 2
  // chains: 100 us of 400 us, twice, and 200 us of 200 us
  EXPECT_DOUBLE_EQ(*a.value("unfused_ops", "fusable_share"), 40.0);
  EXPECT_NEAR(a.cause("unfused_ops").share.mean, 0.4, 1e-12);
}

TEST(UnfusedOps, a_tanh_gelu_is_one_chain_of_eight) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({{"MatMul", 300},
               {"Add", 20},
               {"Mul", 10},
               {"Mul", 10},
               {"Mul", 10},
               {"Add", 10},
               {"Mul", 10},
               {"Tanh", 30},
               {"Add", 10},
               {"Mul", 10},
               {"FusedMatMul", 80}});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("unfused_ops"), "found");
  EXPECT_DOUBLE_EQ(*a.value("unfused_ops", "patterns_per_unit"), 1.0);
  EXPECT_DOUBLE_EQ(*a.value("unfused_ops", "fusable_share"), 20.0);
  EXPECT_NE(a.cause("unfused_ops")
                .summary.find("1 chain per request is a decomposed form of a fused operator (FastGelu x1)"),
            std::string::npos)
      << a.cause("unfused_ops").summary;
}

TEST(UnfusedOps, a_layer_norm_is_not_counted_as_rms_norm_too) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request(kDecomposedNorm);
  const Answers a = ask(s);
  ASSERT_EQ(a.of("unfused_ops"), "found");
  EXPECT_EQ(a.cause("unfused_ops").summary.find("RMSNormalization"), std::string::npos);
}

TEST(UnfusedOps, clear_when_the_fused_operators_are_there) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({{"MatMul", 500}, {"LayerNormalization", 60}, {"Gelu", 50}, {"Add", 20}});
  EXPECT_EQ(ask(s).of("unfused_ops"), "clear");
}

TEST(UnfusedOps, chains_of_two_threads_do_not_mix) {
  Scene s;
  const auto second = s.t.thread(7, 71, "second");
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = s.request({{"Sigmoid", 400}, {"MatMul", 400}});
    s.t.stage("denoise", second, Scene::ns(at), Scene::ns(at + 800), {s.next_id - 1});
    s.t.op("MatMul", second, Scene::ns(at), Scene::ns(at + 100))
        .op("Mul", second, Scene::ns(at + 410), Scene::ns(at + 600));
  }
  EXPECT_EQ(ask(s).of("unfused_ops"), "clear");
}

TEST(UnfusedOps, not_applicable_to_a_graph_of_products_only) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({{"MatMul", 500}, {"Conv", 500}});
  EXPECT_EQ(ask(s).of("unfused_ops"), "not applicable");
}

TEST(UnfusedOps, cannot_tell_without_operators) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({}, {.other_us = 500});
  EXPECT_EQ(ask(s).missing("unfused_ops"), "ops");
}

std::vector<Scene::Op> many(std::string type, int n, std::int64_t us) {
  return std::vector<Scene::Op>(static_cast<std::size_t>(n), Scene::Op{std::move(type), us});
}

TEST(SmallOps, found_when_operators_are_short_and_apart) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request(many("Add", 100, 3), {.gap_us = 2});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("small_ops"), "found");
  // 100 operators of 3 us and 99 gaps of 2 us in 500 us
  EXPECT_NEAR(*a.value("small_ops", "small_share"), 100.0 * (300 + 198) / 500, 1e-9);
  EXPECT_DOUBLE_EQ(*a.value("small_ops", "median_op"), 3000.0);
  EXPECT_EQ(a.cause("small_ops").actions,
            (std::vector<std::string>{"atc_fuse_patterns", "runtime_batching"}));
}

// Three operators 40 and 30 us apart, the first two of parts: 15 to 65 us between those are the operator's
// own.
TEST(SmallOps, time_inside_an_operator_is_not_between_operators) {
  Scene s;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = s.request({}, {.other_us = 470});
    for (const auto& [begin, end] : {std::pair{0, 200},
                                     {10, 25},
                                     {12, 24},
                                     {40, 55},
                                     {90, 105},
                                     {240, 340},
                                     {250, 262},
                                     {328, 340},
                                     {370, 470}})
      s.t.op("Add", s.worker, Scene::ns(at + begin), Scene::ns(at + end));
  }
  const Answers a = ask(s);
  ASSERT_EQ(a.of("small_ops"), "found");
  EXPECT_NEAR(*a.value("small_ops", "small_share"), 100.0 * (40 + 30) / 470, 1e-9);
}

TEST(SmallOps, the_cost_of_onnx_runtime_s_own_profiler_is_taken_off_the_gaps_of_its_profiles) {
  for (const bool is_profile : {false, true}) {
    Scene s;
    if (is_profile) s.t.sink().metadata("format", "ONNX Runtime profile");
    for (int i = 0; i < 10; ++i)
      s.request(many("MatMul", 50, 15), {.gap_us = 17}); // 17 us: the least that it costs
    const Answers a = ask(s);
    EXPECT_EQ(a.of("small_ops"), is_profile ? "clear" : "found");
    if (is_profile) continue;
    EXPECT_NEAR(*a.value("small_ops", "small_share"), 100.0 * 49 * 17 / (50 * 32), 1e-9);
  }
}

TEST(SmallOps, clear_when_operators_are_long) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request(many("MatMul", 10, 1000), {.gap_us = 2});
  EXPECT_EQ(ask(s).of("small_ops"), "clear");
}

TEST(SmallOps, a_pause_between_two_runs_is_no_dispatch_gap) {
  Scene s; // two operators 20 ms apart: something else happened there
  for (int i = 0; i < 10; ++i)
    s.request({{"MatMul", 1000}, {"MatMul", 1000}}, {.gap_us = 20'000});
  EXPECT_EQ(ask(s).of("small_ops"), "clear");
}

TEST(SmallOps, gaps_in_which_the_thread_had_no_cpu_speak_against_it) {
  Scene s;
  const auto hog = s.t.thread(9, 90, "hog");
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = s.request(many("Add", 50, 3), {.gap_us = 7, .has_sched = false});
    for (int k = 0; k < 50; ++k) { // after each operator the hog takes the CPU for 7 us
      const std::int64_t from = at + k * 10;
      s.t.switch_to(Scene::ns(from), 0, hog.tid, 'R', 70).switch_to(Scene::ns(from + 3), 0, 70, 'R', hog.tid);
    }
    s.t.switch_to(Scene::ns(at + 500), 0, hog.tid, 'S', 70).switch_to(Scene::ns(at + 505), 0, 70, 'S', 0);
  }
  const Answers a = ask(s);
  ASSERT_EQ(a.of("cpu_contention"), "found");
  ASSERT_EQ(a.of("small_ops"), "found");
  EXPECT_GT(a.cause("cpu_contention").confidence, a.cause("small_ops").confidence);
  EXPECT_TRUE(a.is_against("small_ops", "run_delay_share"));
}

TEST(SmallOps, not_applicable_to_a_single_operator) {
  Scene s;
  s.request({{"MatMul", 500}});
  EXPECT_EQ(ask(s).of("small_ops"), "not applicable");
}

// 20 requests of 50 operators of 3 us, 2 us apart, and one kernel of `busy_us` of those 250 us.
std::string small_ops_beside(std::int64_t busy_us) {
  Scene s;
  const Id<Stream> stream = s.t.stream(0, 1);
  Scene::Options o;
  o.gap_us = 2;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t at = s.request(std::vector<Scene::Op>(50, {"Add", 3}), o);
    s.t.kernel(stream, "Add", KernelKind::compute, Scene::ns(at), Scene::ns(at + busy_us));
  }
  return ask(s).of("small_ops");
}

TEST(SmallOps, that_a_busy_device_hides_cost_nothing) {
  EXPECT_EQ(small_ops_beside(250), "not applicable");
  EXPECT_EQ(small_ops_beside(125), "found");
}

TEST(SmallOps, cannot_tell_without_operators) {
  Scene s;
  s.request({}, {.other_us = 500});
  EXPECT_EQ(ask(s).missing("small_ops"), "ops");
}

} // namespace
} // namespace prof
