#include "truth.hpp"

#include "../store/trace_builder.hpp"

#include "store/request_time.hpp"
#include "verdict/compare.hpp"

#include <algorithm>
#include <cmath>

using namespace prof;

namespace {
TraceWork work(std::int64_t requests, const std::map<std::pair<std::string, std::string>, WorkTotal>& ops) {
  TraceWork out;
  out.requests = requests;
  out.levels["op"] = ops;
  return out;
}
const ComparedRow& row(const Comparison& c, std::string_view name, std::string_view type) {
  for (const ComparedRow& r : c.levels.at(0).rows)
    if (r.name == name && r.type == type) return r;
  ADD_FAILURE() << name << "/" << type;
  return c.levels[0].rows[0];
}
} // namespace

TEST(compare, splits_each_change_into_count_and_duration_as_the_truth_table_does) {
  const auto& table = truth()["change_decomposition"];
  double total = 0;
  for (std::size_t i = 0; i < table["rows_in"].size(); ++i) {
    const auto& in = table["rows_in"][i];
    const auto& out = table["out"]["rows"][i];
    ComparedRow r{
        .count_before = in[1], .count_after = in[3], .mean_before_ns = in[2], .mean_after_ns = in[4]};
    split_change(r);
    EXPECT_DOUBLE_EQ(r.count_effect_ns, out["count_effect"].get<double>());
    EXPECT_DOUBLE_EQ(r.duration_effect_ns, out["duration_effect"].get<double>());
    total += r.count_effect_ns + r.duration_effect_ns;
  }
  EXPECT_DOUBLE_EQ(total, table["out"]["total_delta"].get<double>());
}

// Many short runs in the place of few long ones: -232 ms and +233 ms were said of a change of 1 ms in 47.
TEST(compare, no_part_of_a_change_is_larger_than_the_larger_total) {
  for (const double c0 : {0.0, 1.0, 3.0, 1000.0})
    for (const double c1 : {0.0, 1.0, 7.0, 1e6})
      for (const double d0 : {0.0, 1.0, 40.0, 1e6})
        for (const double d1 : {0.0, 2.0, 5.0, 1e5}) {
          ComparedRow r{.count_before = c0, .count_after = c1, .mean_before_ns = d0, .mean_after_ns = d1};
          split_change(r);
          const double most = std::max(c0 * d0, c1 * d1) * (1 + 1e-12);
          EXPECT_LE(std::fabs(r.count_effect_ns), most) << c0 << "x" << d0 << " -> " << c1 << "x" << d1;
          EXPECT_LE(std::fabs(r.duration_effect_ns), most) << c0 << "x" << d0 << " -> " << c1 << "x" << d1;
          EXPECT_NEAR(r.count_effect_ns + r.duration_effect_ns, c1 * d1 - c0 * d0, most * 1e-9 + 1e-9);
        }
}

TEST(compare, counts_per_request_so_that_a_longer_trace_is_no_change) {
  const Comparison c =
      compare(work(10, {{{"a", "MatMul"}, {100, 5000}}}), work(30, {{{"a", "MatMul"}, {300, 15000}}}));
  EXPECT_TRUE(c.is_per_request);
  EXPECT_DOUBLE_EQ(row(c, "a", "MatMul").delta_ns(), 0);
  EXPECT_DOUBLE_EQ(row(c, "a", "MatMul").count_before, 10);
}

TEST(compare, what_came_and_went_is_count_alone) {
  const Comparison c =
      compare(work(1, {{{"t", "Transpose"}, {4, 400}}}), work(1, {{{"g", "Gelu"}, {2, 60}}}));
  EXPECT_EQ(row(c, "t", "Transpose").presence, Presence::vanished);
  EXPECT_DOUBLE_EQ(row(c, "t", "Transpose").count_effect_ns, -400);
  EXPECT_DOUBLE_EQ(row(c, "t", "Transpose").duration_effect_ns, 0);
  EXPECT_EQ(row(c, "g", "Gelu").presence, Presence::appeared);
  EXPECT_DOUBLE_EQ(row(c, "g", "Gelu").count_effect_ns, 60);
  EXPECT_DOUBLE_EQ(c.levels[0].unmatched_share, 1);
}

TEST(compare, renamed_work_meets_its_kind) {
  const Comparison c = compare(work(1, {{{"conv_1", "Conv"}, {1, 100}}, {{"x", "Cast"}, {1, 10}}}),
                               work(1, {{{"conv_1_nchw", "Conv"}, {1, 70}}, {{"x", "Cast"}, {1, 10}}}));
  EXPECT_EQ(row(c, "", "Conv").presence, Presence::by_type);
  EXPECT_DOUBLE_EQ(row(c, "", "Conv").delta_ns(), -30);
  EXPECT_DOUBLE_EQ(c.levels[0].unmatched_share, 0);
  EXPECT_EQ(c.levels[0].rows[0].type, "Conv") << "the largest change stands first";
}

TEST(compare, effects_add_up_to_the_whole_change) {
  const TraceWork a = work(7, {{{"a", "A"}, {21, 999}}, {{"b", "B"}, {3, 17}}, {{"c", "C"}, {5, 5}}});
  const TraceWork b = work(11, {{{"a", "A"}, {55, 1234}}, {{"b2", "B"}, {1, 4}}, {{"d", "D"}, {9, 81}}});
  const Comparison c = compare(a, b);
  double effects = 0;
  for (const ComparedRow& r : c.levels[0].rows)
    effects += r.count_effect_ns + r.duration_effect_ns;
  EXPECT_NEAR(effects, c.levels[0].total_after_ns - c.levels[0].total_before_ns, 1e-9);
}

TEST(compare, traces_without_requests_are_compared_whole_and_say_so) {
  EXPECT_FALSE(compare(work(0, {{{"a", "A"}, {1, 1}}}), work(5, {{{"a", "A"}, {1, 1}}})).is_per_request);
  EXPECT_TRUE(compare({}, {}).levels.empty() || compare({}, {}).levels[0].rows.empty());
}

TEST(compare, work_of_requests_that_the_recording_cut_is_in_neither_the_count_nor_the_total) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 0, 100).request(2, 100, 200).request(3, 200, 250, "unfinished");
  for (const std::int64_t id : {1, 2, 3})
    t.stage("denoise", w, (id - 1) * 100 + 10, (id - 1) * 100 + 50, {id})
        .op("Conv", w, (id - 1) * 100 + 20, (id - 1) * 100 + 40);
  const TraceWork work = read_work(t.seal());
  EXPECT_EQ(work.requests, 2);
  EXPECT_EQ(work.unfinished, 1);
  EXPECT_DOUBLE_EQ(work.levels.at("op").at({"/node", "Conv"}).total_ns, 40);
  EXPECT_DOUBLE_EQ(work.levels.at("stage").at({"denoise", ""}).count, 2);
}

// Two training traces: no requests, steps of which the number is in the name, and a marker that readers of
// old files once took for an operator.
TEST(compare, steps_take_the_place_of_requests_and_their_numbers_split_no_name) {
  const auto steps = [](int from, int n, std::int64_t each) {
    TraceBuilder t;
    const auto w = t.thread(1, 2, "main");
    for (int i = 0; i < n; ++i)
      t.slice("ProfilerStep#" + std::to_string(from + i), "user_annotation", w.track, i * 1000,
              i * 1000 + each)
          .op("aten::mm", w, i * 1000 + 10, i * 1000 + 10 + each / 2);
    return read_work(t.seal());
  };
  const Comparison c = compare(steps(5, 6, 400), steps(50, 3, 300));
  EXPECT_EQ(c.requests_before, 6);
  EXPECT_EQ(c.requests_after, 3);
  EXPECT_EQ(c.unit_before, "iteration");
  EXPECT_TRUE(c.is_per_request);
  EXPECT_DOUBLE_EQ(c.request_mean_before_ns, 400);
  EXPECT_DOUBLE_EQ(c.request_mean_after_ns, 300);
  const auto types = std::ranges::find(c.levels, "op_type", &ComparedLevel::id);
  ASSERT_NE(types, c.levels.end());
  ASSERT_EQ(types->rows.size(), 1U);
  EXPECT_DOUBLE_EQ(types->rows[0].count_before, 1);
  EXPECT_DOUBLE_EQ(types->rows[0].delta_ns(), -50);
}

// Every rank of a job records its part: the parts were counted as steps, and work per step was half of what
// it is.
TEST(compare, parts_of_one_step_on_several_ranks_are_one_step_as_long_as_the_slowest) {
  TraceBuilder t;
  for (const std::int64_t rank : {0, 1}) {
    const auto w = t.thread(7 + rank, 70 + rank, "main");
    t.sink().process({.pid = 7 + rank,
                      .name = t.text(rank == 0 ? "train (rank 0)" : "train (rank 1)"),
                      .cmdline = {},
                      .is_renamed = true});
    for (const std::int64_t step : {0, 1, 2})
      t.slice("ProfilerStep#" + std::to_string(step), "user_annotation", w.track, step * 1000,
              step * 1000 + 400 + 100 * rank)
          .op("aten::mm", w, step * 1000 + 10, step * 1000 + 60);
  }
  const TraceWork work = read_work(t.seal());
  EXPECT_EQ(work.requests, 3);
  EXPECT_EQ(work.unfinished, 0);
  EXPECT_DOUBLE_EQ(work.request_total_ns, 3 * 500);
  EXPECT_DOUBLE_EQ(work.request_median_ns, 500);
  EXPECT_DOUBLE_EQ(work.levels.at("op").at({"/node", "aten::mm"}).total_ns, 6 * 50);
}

TEST(compare, units_of_two_kinds_are_not_set_against_each_other) {
  TraceWork runs = work(4, {}), requests = work(2, {});
  runs.unit = "run";
  EXPECT_FALSE(compare(runs, requests).is_per_request);
}

TEST(compare, a_step_s_name_loses_its_number_and_no_other_name_does) {
  EXPECT_EQ(without_step_number("ProfilerStep#50"), "ProfilerStep#N");
  EXPECT_EQ(without_step_number("iteration 7"), "iteration N");
  EXPECT_EQ(without_step_number("layer 7"), "layer 7");
  EXPECT_EQ(without_step_number("iteration"), "iteration");
}

// A compiler's hash and a library's running number are new in every run: the same kernel was gone on one side
// and new on the other.
TEST(compare, what_is_numbered_anew_in_every_run_is_no_part_of_a_kernel_s_name) {
  TraceBuilder t;
  const auto stream = t.stream(0, 1);
  std::int64_t ts = 0;
  for (const char* name :
       {"te_conv2d_4d8f0a91b7c3e2d65a10_1_kernel0", "hcom_allReduce__586_0_1", "hcom_allReduce__097_3",
        "gemm_1234567890123456", "Conv2D10", "k_20240101_deadbeef", "decade_facade", "hcom_x__y"})
    t.kernel(stream, name, KernelKind::compute, ts, ts + 10, 0), ts += 100;
  std::vector<std::string> names;
  const TraceWork work = read_work(t.seal());
  for (const auto& [key, total] : work.levels.at("kernel"))
    if (names.empty() || names.back() != key.first) names.push_back(key.first); // once for each type
  EXPECT_EQ(names, (std::vector<std::string>{"Conv2D10", "decade_facade", "gemm_*", "hcom_allReduce",
                                             "hcom_x__y", "k_20240101_deadbeef", "te_conv2d_*_1_kernel0"}));
}

// Ascend level 0 against level 1: 191 kernels of the same names, "not matched: 100 %".
TEST(compare, kernels_without_types_meet_those_of_their_name) {
  TraceWork plain, typed;
  plain.levels["kernel"] = {{{"Conv2D1", ""}, {1, 10}}, {{"Relu", ""}, {2, 8}}, {{"gone", ""}, {1, 1}}};
  typed.levels["kernel"] = {
      {{"Conv2D1", "Conv2D"}, {1, 12}}, {{"Relu", "Relu"}, {2, 8}}, {{"Relu", "Relu6"}, {1, 3}}};
  for (const bool is_turned : {false, true}) {
    const Comparison c = is_turned ? compare(typed, plain) : compare(plain, typed);
    EXPECT_EQ(row(c, "Conv2D1", "Conv2D").presence, Presence::both);
    EXPECT_DOUBLE_EQ(row(c, "Conv2D1", "Conv2D").delta_ns(), is_turned ? -2 : 2);
    EXPECT_NE(row(c, "Relu", "").presence, Presence::both) << "which of two types it is cannot be told";
    EXPECT_NE(row(c, "gone", "").presence, Presence::both);
  }
}

TEST(compare, operators_without_names_of_their_own_stand_once) {
  const auto ids = [](const TraceWork& a, const TraceWork& b) {
    std::vector<std::string> out;
    for (const ComparedLevel& level : compare(a, b).levels)
      out.push_back(level.id);
    return out;
  };
  TraceWork plain, named;
  plain.levels["op_type"] = {{{"aten::mm", ""}, {1, 10}}};
  plain.levels["op"] = {{{"aten::mm", "aten::mm"}, {1, 10}}};
  named.levels["op_type"] = {{{"MatMul", ""}, {1, 10}}};
  named.levels["op"] = {{{"/ff/MatMul", "MatMul"}, {1, 10}}};
  EXPECT_EQ(ids(plain, plain), std::vector<std::string>{"op_type"});
  EXPECT_EQ(ids(plain, named), (std::vector<std::string>{"op_type", "op"}));
}

// 300 + 300 us of kernels, 100 us of both at once, in two requests: busy for 500 us, 250 a request.
TEST(compare, tells_how_long_the_devices_were_busy) {
  const auto traced = [](std::int64_t second_end) {
    TraceBuilder t;
    t.request(1, 0, 400'000).request(2, 400'000, 800'000);
    const auto compute = t.stream(0, 1), copy = t.stream(0, 2);
    t.kernel(compute, "k", KernelKind::compute, 0, 300'000, 0);
    t.kernel(copy, "m", KernelKind::memory, 200'000, second_end, 0);
    return read_work(t.seal());
  };
  const Comparison c = compare(traced(500'000), traced(900'000));
  EXPECT_DOUBLE_EQ(*c.device_busy_before_ns, 250'000);
  EXPECT_DOUBLE_EQ(*c.device_busy_after_ns, 450'000);
  const Comparison none = compare(traced(500'000), TraceWork{});
  EXPECT_DOUBLE_EQ(*none.device_busy_before_ns, 500'000) << "of the whole trace: the sides share no unit";
  EXPECT_FALSE(none.device_busy_after_ns.has_value());
}

// A converted model was called another one: a fused operator has no partner, and nine tenths of the time
// have.
TEST(compare, a_converted_model_is_the_same_model_and_another_one_is_not) {
  const auto of = [](std::map<std::string, std::int64_t> names, std::map<std::string, std::int64_t> types) {
    TraceWork work;
    work.ops = {std::move(names), std::move(types)};
    return work;
  };
  const TraceWork before = of({{"/a/MatMul", 600}, {"/b/Pow", 200}, {"/b/Tanh", 200}}, {{"MatMul", 1}});
  EXPECT_EQ(compare(before, of({{"/a/MatMul", 600}, {"FusedGelu_1", 100}}, {{"MatMul", 1}})).one_model,
            CheckState::pass);
  EXPECT_EQ(compare(before, of({{"/a/MatMul", 30}, {"/x/Conv", 900}}, {{"Conv", 1}})).one_model,
            CheckState::pass)
      << "all of one side's longest work stands on the other";
  EXPECT_EQ(compare(before, of({{"/x/Conv", 900}}, {{"Conv", 1}})).one_model, CheckState::fail);
  EXPECT_EQ(compare(of({}, {{"Conv", 1}}), of({}, {{"Gemm", 1}})).one_model, CheckState::warn);
  EXPECT_EQ(compare(before, TraceWork{}).one_model, CheckState::unknown);
}
