// The diagnosis as a whole: threshold, accounting, ranking, missing data, hostile names, equal bytes.
#include "scene.hpp"

#include <cmath>
#include <numeric>

namespace prof {
namespace {

void calm(Scene& s, int n = 20) {
  for (int i = 0; i < n; ++i)
    s.request({{"MatMul", 900}}, {.other_us = 100});
}

DiagnoseOptions with_limit(const char* limit) {
  DiagnoseOptions options = about("high_p99_latency");
  options.limit = *parse_limit(limit);
  return options;
}

TEST(Diagnose, a_threshold_that_is_not_exceeded_is_said) {
  Scene s;
  calm(s);
  const Answers a = ask(s, with_limit("p99>2.0s"));
  ASSERT_TRUE(a.d.threshold.has_value());
  EXPECT_DOUBLE_EQ(*a.d.threshold->observed, 1'000'000);
  EXPECT_EQ(a.d.threshold->is_exceeded, std::optional(false));
}

TEST(Diagnose, a_threshold_that_is_exceeded_is_said) {
  Scene s;
  calm(s);
  EXPECT_EQ(ask(s, with_limit("p99>0.5ms")).d.threshold->is_exceeded, std::optional(true));
  Scene rate;
  calm(rate);
  EXPECT_EQ(ask(rate, with_limit("throughput<10000")).d.threshold->is_exceeded, std::optional(true));
}

TEST(Diagnose, a_threshold_on_a_counter_takes_its_highest_value) {
  Scene s;
  calm(s);
  s.t.counter("rss", "bytes", {{0, 100}, {1000, 3'000'000'000.0}, {2000, 5}});
  DiagnoseOptions options = about("high_memory");
  options.limit = *parse_limit("rss>2GiB");
  const Answers a = ask(s, options);
  EXPECT_DOUBLE_EQ(*a.d.threshold->observed, 3e9);
  EXPECT_EQ(a.d.threshold->is_exceeded, std::optional(true));
}

TEST(Diagnose, a_threshold_on_an_unknown_metric_is_a_usage_error) {
  Scene s;
  const Store store = s.t.seal();
  EXPECT_EQ(diagnose(store, {}, with_limit("no_such_thing>3")).error().code, Errc::bad_argument);
}

TEST(Diagnose, classes_of_the_accounting_sum_to_one) {
  Scene s;
  for (int i = 0; i < 30; ++i)
    s.request({{"Conv", 300}}, {.queue_us = 100 + i, .batch_us = 50, .other_us = 70});
  const Answers a = ask(s);
  ASSERT_TRUE(a.d.accounting.has_value());
  for (const auto* list : {&a.d.accounting->all, &a.d.accounting->slow}) {
    double sum = 0;
    for (const auto& [name, share] : *list)
      sum += share;
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
  EXPECT_EQ(a.d.accounting->unexplained, 0.0);
}

TEST(Diagnose, requests_are_counted_with_their_percentiles) {
  Scene s;
  calm(s, 40);
  const Answers a = ask(s);
  EXPECT_EQ(a.d.requests.n, 40);
  EXPECT_EQ(a.d.requests.n_slow, 2);
  EXPECT_DOUBLE_EQ(a.d.requests.p50_ns, 1'000'000);
}

TEST(Diagnose, a_calm_service_has_no_cause_and_every_rule_has_one_answer) {
  Scene s;
  calm(s);
  const Answers a = ask(s);
  EXPECT_TRUE(a.d.causes.empty());
  EXPECT_EQ(a.d.clear.size() + a.d.not_applicable.size() + a.d.cannot_tell.size(), builtin_rules()->size());
}

TEST(Diagnose, without_power_data_the_power_problem_cannot_be_told) {
  Scene s;
  s.signal("power", false);
  for (int i = 0; i < 20; ++i)
    s.request({{"Transpose", 500}, {"Conv", 500}});
  const Answers a = ask(s, about("high_power_consumption"));
  EXPECT_TRUE(a.d.causes.empty());
  ASSERT_EQ(a.d.problem_missing.size(), 1U);
  EXPECT_EQ(a.d.problem_missing[0].signal, "power");
  EXPECT_FALSE(a.d.problem_missing[0].reason.empty());
  EXPECT_FALSE(a.d.problem_missing[0].mend.empty());
  EXPECT_EQ(a.missing("layout_transform"), "power");
  EXPECT_EQ(a.of("queueing"), "not applicable");
}

TEST(Diagnose, an_empty_trace_answers_cannot_tell) {
  Scene s;
  const Answers a = ask(s);
  EXPECT_TRUE(a.d.causes.empty());
  EXPECT_TRUE(a.d.clear.empty());
  EXPECT_EQ(a.d.requests.n, 0);
  EXPECT_FALSE(a.d.accounting.has_value());
  EXPECT_EQ(a.d.problem_missing.front().signal, "requests");
}

TEST(Diagnose, an_unknown_problem_is_a_usage_error) {
  Scene s;
  const Store store = s.t.seal();
  DiagnoseOptions options = about("slow");
  EXPECT_EQ(diagnose(store, {}, options).error().code, Errc::bad_argument);
}

TEST(Diagnose, causes_are_ranked_by_confidence_then_share) {
  Scene s;
  const auto hog = s.t.thread(9, 90, "hog");
  for (int i = 0; i < 30; ++i) {
    const std::int64_t at = s.request({{"Transpose", 300}, {"Conv", 300}, {"ReduceMean", 50}},
                                      {.queue_us = 900, .other_us = 350, .idle_us = 0, .has_sched = false});
    s.t.switch_to(Scene::ns(at), 0, 0, 'R', 70).switch_to(Scene::ns(at + 700), 0, 70, 'R', hog.tid);
    s.t.switch_to(Scene::ns(at + 900), 0, hog.tid, 'S', 70).switch_to(Scene::ns(at + 1000), 0, 70, 'S', 0);
  }
  const Answers a = ask(s);
  ASSERT_GE(a.d.causes.size(), 3U);
  for (std::size_t i = 1; i < a.d.causes.size(); ++i) {
    const Cause &before = a.d.causes[i - 1], &after = a.d.causes[i];
    EXPECT_GE(before.confidence, after.confidence);
    if (before.confidence == after.confidence) {
      EXPECT_GE(std::max(before.share.mean, before.share.slow), std::max(after.share.mean, after.share.slow));
    }
  }
  for (const Cause& c : a.d.causes)
    EXPECT_LE(c.confidence, kUncalibratedCap) << c.id;
}

TEST(Diagnose, weights_of_the_evidence_and_the_prior_make_the_confidence) {
  Scene s;
  for (int i = 0; i < 10; ++i)
    s.request({{"MatMul", 880}, {"Transpose", 120}});
  const Answers a = ask(s);
  ASSERT_EQ(a.of("layout_transform"), "found");
  double log_odds = -1.5;
  for (const auto* list : {&a.cause("layout_transform").evidence, &a.cause("layout_transform").against})
    for (const EvidenceResult& e : *list)
      log_odds += e.weight;
  EXPECT_NEAR(a.cause("layout_transform").confidence, 1 / (1 + std::exp(-log_odds)), 0.005);
}

TEST(Diagnose, a_tail_cause_outranks_a_steady_one_when_the_tail_is_asked_about) {
  Scene s; // every twentieth request waits long in the queue
  for (int i = 0; i < 100; ++i)
    s.request({{"Transpose", 60}, {"Conv", 840}},
              {.queue_us = i % 20 == 7 ? 5000 : 40, .other_us = 60, .idle_us = 0});
  const Answers a = ask(s, about("high_p99_latency"));
  ASSERT_EQ(a.of("queueing"), "found");
  EXPECT_NEAR(*a.value("queueing", "tail_gap_explained"), 1.0, 1e-9);
  EXPECT_EQ(a.d.causes.front().id, "queueing");
  EXPECT_GT(a.cause("queueing").share.slow, 0.8);
}

TEST(Diagnose, two_runs_give_the_same_answer) {
  const auto once = [] {
    Scene s;
    for (int i = 0; i < 30; ++i)
      s.request({{"Transpose", 300}, {"Conv", 300}}, {.queue_us = 100 + i * 7 % 5});
    const Answers a = ask(s);
    std::string all;
    for (const Cause& c : a.d.causes) {
      all += c.id + c.summary + std::to_string(c.confidence);
      for (const EvidenceResult& e : c.evidence)
        all += e.text + e.sql;
      for (const ExampleSlice& e : c.examples)
        all += std::to_string(e.slice_id);
    }
    for (const std::string& note : a.d.notes)
      all += note;
    return all;
  };
  EXPECT_EQ(once(), once());
}

TEST(Diagnose, texts_come_in_the_language_asked_for) {
  Scene s;
  for (int i = 0; i < 20; ++i)
    s.request({{"Transpose", 300}, {"Conv", 300}});
  DiagnoseOptions options;
  options.lang = Lang::zh;
  const Answers a = ask(s, options);
  EXPECT_EQ(a.cause("layout_transform").title, "张量在不同数据布局之间反复转换");
  EXPECT_EQ(a.cause("layout_transform").evidence.front().name, "layout_share"); // keys stay English
}

TEST(Diagnose, hostile_operator_names_stay_data) {
  Scene s;
  const std::string evil = "'; drop table op; -- {value} %s \x1b[31m\xff";
  for (int i = 0; i < 20; ++i)
    s.request({{evil, 100}, {"Transpose", 300}, {"Conv", 300}, {std::string(10'000, 'x'), 5}});
  EXPECT_EQ(ask(s).of("layout_transform"), "found");
}

TEST(Diagnose, a_rule_whose_query_fails_cannot_tell_and_says_why) {
  const auto rule = parse_rule("mine.yaml", R"(id: mine
class: X
title: {en: T, zh: T}
summary: {en: S, zh: S}
problems: [high_latency]
evidence:
  - {name: a, key: true, text: {en: a, zh: a}, sql: select x from nowhere, threshold: {above: 1, source: me}}
share: select id, dur from unit
)");
  ASSERT_TRUE(rule.ok()) << rule.error().what;
  Scene s;
  calm(s);
  const Store store = s.t.seal();
  const auto d = diagnose(store, {*rule}, about("high_latency"));
  ASSERT_TRUE(d.ok());
  ASSERT_EQ(d->cannot_tell.size(), 1U);
  EXPECT_EQ(d->cannot_tell[0].missing[0].signal, "sql");
  EXPECT_NE(d->cannot_tell[0].missing[0].reason.find("nowhere"), std::string::npos)
      << d->cannot_tell[0].missing[0].reason;
  EXPECT_NE(d->cannot_tell[0].missing[0].mend.find("mine.yaml"), std::string::npos);
}

TEST(Diagnose, a_share_below_two_percent_is_no_root_cause_however_sure) {
  const auto rule = parse_rule("mine.yaml", R"(id: mine
class: X
title: {en: T, zh: T}
summary: {en: S, zh: S}
problems: [high_latency]
prior: 5
evidence:
  - {name: a, key: true, text: {en: seen, zh: seen}, sql: select 2, threshold: {above: 1, source: me}, weight: {for: 3, against: -3}}
share: select id, dur * 0.019 from unit
)");
  ASSERT_TRUE(rule.ok()) << rule.error().what;
  Scene s;
  calm(s);
  const Store store = s.t.seal();
  const auto d = diagnose(store, {*rule}, about("high_latency"));
  ASSERT_TRUE(d.ok());
  EXPECT_TRUE(d->causes.empty());
  ASSERT_EQ(d->clear.size(), 1U);
  EXPECT_NE(d->clear[0].looked_at.find("only 1.90 % of the time"), std::string::npos)
      << d->clear[0].looked_at;
}

TEST(Diagnose, lost_records_and_holes_are_noted) {
  Scene s;
  calm(s);
  s.t.sink().note({.severity = Severity::data_loss, .code = s.t.text("note.x"), .count = 12, .where = {}});
  s.t.sink().gap({.ts = Ts{0}, .dur = Dur{500'000'000}, .reason = s.t.text("gap.x")});
  const Answers a = ask(s);
  const auto has = [&](std::string_view part) {
    return std::ranges::any_of(a.d.notes,
                               [&](const std::string& n) { return n.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(has("12 records"));
  EXPECT_TRUE(has("0.500 s"));
  EXPECT_TRUE(has("only 20 requests"));
  EXPECT_TRUE(has("no benchmark has calibrated"));
}

// Steps that a reader hands over as requests are steps to people.
TEST(Diagnose, speaks_of_steps_where_the_units_are_steps) {
  Scene s;
  s.t.sink().metadata("request.source", "ProfilerStep markers");
  for (int i = 0; i < 6; ++i)
    s.request({{"Conv", 500}});
  const Answers a = ask(s);
  EXPECT_EQ(a.d.requests.unit, "request");
  EXPECT_EQ(a.d.requests.word, "iteration");
  EXPECT_TRUE(std::ranges::any_of(
      a.d.notes, [](const std::string& note) { return note.starts_with("only 6 steps: "); }));
}

TEST(Diagnose, counts_the_requests_that_the_recording_cut_off) {
  Scene s;
  for (int i = 0; i < 6; ++i)
    s.request({{"Conv", 500}});
  s.t.request(100, Scene::ns(s.now_us), Scene::ns(s.now_us + 10), "unfinished");
  const Answers a = ask(s);
  EXPECT_EQ(a.d.requests.n, 6);
  EXPECT_EQ(a.d.requests.n_cut_off, 1);
}

// The mend was to annotate requests, which were annotated.
TEST(Diagnose, of_requests_that_all_were_cut_off_says_to_record_longer) {
  Scene s;
  for (int i = 0; i < 25; ++i)
    s.t.request(100 + i, Scene::ns(i), Scene::ns(1000), "unfinished");
  s.t.op("Conv", s.worker, Scene::ns(100), Scene::ns(600)); // rules about operators have nothing else to lack
  const Answers a = ask(s);
  EXPECT_EQ(a.d.requests.n, 0);
  EXPECT_EQ(a.d.requests.n_cut_off, 25);
  int told = 0;
  for (const CannotTellRule& row : a.d.cannot_tell)
    for (const MissingSignal& missing : row.missing) {
      EXPECT_EQ(missing.mend.find("annotate requests"), std::string::npos) << row.id;
      told += missing.mend == "record longer than the slowest of them takes" ? 1 : 0;
    }
  EXPECT_GT(told, 0);
}

} // namespace
} // namespace prof
