// Rules about serving: queueing, batch_wait, cold_start.
#include "scene.hpp"

namespace prof {
namespace {

TEST(Queueing, a_request_that_the_recording_cut_is_in_no_figure_of_the_cause) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.queue_us = 600, .other_us = 400, .idle_us = 0});
  const Answers whole = ask(s);
  Scene cut;
  for (int i = 0; i < 20; ++i)
    cut.request({}, {.queue_us = 600, .other_us = 400, .idle_us = 0});
  cut.t.request(99, 0, Scene::ns(8000), "unfinished");
  cut.t.wait("queue", "queue_wait", 0, Scene::ns(8000), {99});
  const Answers with_cut = ask(cut);
  EXPECT_DOUBLE_EQ(*with_cut.value("queueing", "queue_share"), 60.0);
  EXPECT_EQ(with_cut.value("queueing", "queue_share"), whole.value("queueing", "queue_share"));
  EXPECT_EQ(with_cut.cause("queueing").summary.substr(0, 60), whole.cause("queueing").summary.substr(0, 60));
}

TEST(Queueing, found_when_workers_are_busy_and_requests_wait) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.queue_us = 600, .other_us = 400, .idle_us = 0});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("queueing"), "found");
  EXPECT_DOUBLE_EQ(*a.value("queueing", "queue_share"), 60.0);
  // busy 20 * 400 us of the 8600 us from the first arrival to the last end
  EXPECT_NEAR(*a.value("queueing", "rho"), 100.0 * 8000 / 8600, 1e-9);
  EXPECT_NEAR(a.cause("queueing").share.mean, 0.6, 1e-12);
  EXPECT_EQ(a.cause("queueing").actions.front(), "runtime_more_workers");
}

TEST(Queueing, clear_when_the_wait_is_one_part_in_hundred) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.queue_us = 10, .other_us = 990});
  EXPECT_EQ(ask(s).of("queueing"), "clear");
}

TEST(Queueing, not_applicable_when_the_service_marks_no_queue) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.other_us = 990});
  EXPECT_EQ(ask(s).of("queueing"), "not applicable");
}

TEST(Queueing, cannot_tell_without_stages) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.t.request(i, i * 1000, i * 1000 + 900);
  EXPECT_EQ(ask(s).missing("queueing"), "stages");
}

TEST(Queueing, idle_workers_while_requests_wait_speak_against_it) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.queue_us = 600, .other_us = 400, .idle_us = 9000});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("queueing"), "found");
  EXPECT_TRUE(a.is_against("queueing", "rho"));
}

TEST(Queueing, agrees_with_the_counted_queue_length_by_littles_law) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.queue_us = 400, .other_us = 400, .idle_us = 0});
  s.t.counter("queue_depth", "count",
              {{Scene::ns(-400), 1}, {Scene::ns(8000), 1}}); // 20 * 400 us of wait in 8400 us: 0.95
  const Answers a = ask(s);
  ASSERT_EQ(a.of("queueing"), "found");
  EXPECT_NEAR(*a.value("queueing", "little_ratio"), 8400.0 / 8000, 1e-9);
  EXPECT_FALSE(a.is_against("queueing", "little_ratio"));
}

TEST(Queueing, is_the_symptom_where_the_service_time_has_a_cause) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({{"Transpose", 200}, {"Conv", 300}}, {.queue_us = 700, .idle_us = 0});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("queueing"), "found");
  ASSERT_EQ(a.of("layout_transform"), "found");
  EXPECT_EQ(a.d.causes.front().id, "layout_transform");
  EXPECT_EQ(a.cause("queueing").symptom_of, std::vector<std::string>{"layout_transform"});
  EXPECT_LT(a.cause("queueing").confidence, a.cause("layout_transform").confidence);
  EXPECT_NE(a.cause("queueing").summary.find("symptom"), std::string::npos);
  EXPECT_TRUE(a.is_against("queueing", "service_cause_found"));
  // 200 of 1200 us of the request, 200 of 500 us of the service
  EXPECT_NEAR(a.cause("layout_transform").share.mean, 200.0 / 1200, 1e-12);
  EXPECT_NEAR(*a.cause("layout_transform").share.of_service, 0.4, 1e-12);
}

TEST(Queueing, a_small_cause_of_the_service_time_is_material_because_the_queue_multiplies_it) {
  Scene s; // conversions: 1 % of the request, 10 % of the service
  for (int i = 0; i < 20; ++i)
    s.request({{"Transpose", 50}, {"Conv", 450}}, {.queue_us = 4500, .idle_us = 0});
  const Answers a = ask(s);
  EXPECT_EQ(a.of("layout_transform"), "found");
  Scene alone; // the same 1 % without a queue is none
  for (int i = 0; i < 20; ++i)
    alone.request({{"Transpose", 50}, {"Conv", 450}}, {.other_us = 4500});
  EXPECT_EQ(ask(alone).of("layout_transform"), "clear");
}

TEST(BatchWait, found_when_requests_wait_while_the_worker_is_idle) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.batch_us = 300, .other_us = 700, .idle_us = 2000});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("batch_wait"), "found");
  EXPECT_DOUBLE_EQ(*a.value("batch_wait", "batch_share"), 30.0);
  EXPECT_FALSE(a.is_against("batch_wait", "rho"));
  EXPECT_EQ(a.cause("batch_wait").actions, std::vector<std::string>{"runtime_batch_delay"});
}

TEST(BatchWait, a_busy_worker_speaks_against_it) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({}, {.batch_us = 300, .other_us = 700, .idle_us = 0});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("batch_wait"), "found");
  EXPECT_TRUE(a.is_against("batch_wait", "rho"));
}

TEST(BatchWait, clear_not_applicable_and_cannot_tell) {
  Scene clear, without, stageless;
  for (int i = 0; i < 20; ++i) {
    clear.request({}, {.batch_us = 5, .other_us = 995});
    without.request({}, {.other_us = 995});
    stageless.t.request(i, i * 1000, i * 1000 + 900);
  }
  EXPECT_EQ(ask(clear).of("batch_wait"), "clear");
  EXPECT_EQ(ask(without).of("batch_wait"), "not applicable");
  EXPECT_EQ(ask(stageless).missing("batch_wait"), "stages");
}

TEST(ColdStart, found_when_the_first_ten_are_slow_and_the_effect_decays) {
  Scene s;
  for (int i = 0; i < 60; ++i)
    s.request({}, {.other_us = i < 5 ? 5000 : i < 10 ? 3000 : 1000});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("cold_start"), "found");
  EXPECT_DOUBLE_EQ(*a.value("cold_start", "first_ratio"), 4.0);
  EXPECT_DOUBLE_EQ(*a.value("cold_start", "later_as_slow"), 0.0);
  // excess: 5 * 4000 + 5 * 2000 us of 90 000 us
  EXPECT_NEAR(a.cause("cold_start").share.mean, 30'000.0 / 90'000, 1e-12);
}

TEST(ColdStart, clear_when_all_are_alike) {
  Scene s;
  for (int i = 0; i < 60; ++i)
    s.request({}, {.other_us = 1000});
  EXPECT_EQ(ask(s).of("cold_start"), "clear");
}

TEST(ColdStart, the_normal_spread_is_no_cold_start) {
  Scene s; // every third request is slow, the first ten by chance all
  for (int i = 0; i < 90; ++i)
    s.request({}, {.other_us = i < 10 || i % 3 == 0 ? 3000 : 1000});
  EXPECT_EQ(ask(s).of("cold_start"), "clear");
}

// Two prefills and eight decodes were held against 250 decodes: "9 times as slow".
TEST(ColdStart, each_kind_of_request_is_held_against_its_kind) {
  Scene mixed, slow_start, numbered;
  for (int i = 0; i < 60; ++i) {
    mixed.t.request(i, i * 10'000, i * 10'000 + (i < 2 ? 9000 : 1000), "ok", i < 2 ? "prefill" : "decode");
    slow_start.t.request(i, i * 10'000,
                         i * 10'000 + (i < 2    ? 9000
                                       : i < 10 ? 4000
                                                : 1000),
                         "ok", i < 2 ? "prefill" : "decode");
    numbered.t.request(i, i * 10'000, i * 10'000 + (i < 10 ? 4000 : 1000), "ok", "step " + std::to_string(i));
  }
  EXPECT_EQ(ask(mixed).of("cold_start"), "clear");
  EXPECT_DOUBLE_EQ(*ask(slow_start).value("cold_start", "first_ratio"), 4.0);
  EXPECT_DOUBLE_EQ(*ask(numbered).value("cold_start", "first_ratio"), 4.0);
}

TEST(ColdStart, not_applicable_with_few_requests_and_cannot_tell_without) {
  Scene few, none;
  for (int i = 0; i < 20; ++i)
    few.request({}, {.other_us = 1000});
  none.on_cpu(0, 10);
  EXPECT_EQ(ask(few).of("cold_start"), "not applicable");
  EXPECT_EQ(ask(none).missing("cold_start"), "requests");
}

} // namespace
} // namespace prof
