// What each --problem asks for, which rules it asks, and what it answers where the trace lacks the data.
#include "scene.hpp"

namespace prof {
namespace {

struct Asked {
  std::string problem, missing; // the signal that a trace of requests and operators alone lacks; empty = none
  std::string latency, power, memory; // answers of queueing, layout_transform and heap_fragmentation
};
void PrintTo(const Asked& a, std::ostream* out) {
  *out << a.problem;
}
class EachProblem : public testing::TestWithParam<Asked> {};

// 40 requests of 1 ms, half of it Transpose, that wait 3 ms in a queue.
void add_queued_transposes(Scene& s) {
  Scene::Options o;
  o.queue_us = 3000;
  for (int i = 0; i < 40; ++i)
    s.request({{"Transpose", 500}, {"Conv", 500}}, o);
}

TEST_P(EachProblem, asks_its_own_rules_and_says_what_it_lacks) {
  Scene s;
  add_queued_transposes(s);
  const Answers a = ask(s, about(GetParam().problem));
  EXPECT_EQ(a.d.problem_missing.empty() ? "" : a.d.problem_missing.front().signal, GetParam().missing);
  EXPECT_EQ(a.of("queueing"), GetParam().latency);
  EXPECT_EQ(a.of("layout_transform"), GetParam().power);
  EXPECT_EQ(a.of("heap_fragmentation"), GetParam().memory);
  for (const MissingSignal& m : a.d.problem_missing)
    EXPECT_FALSE(m.reason.empty() || m.mend.empty()) << m.signal;
}
INSTANTIATE_TEST_SUITE_P(
    All, EachProblem,
    testing::Values(Asked{"high_p99_latency", "", "found", "found", "not applicable"},
                    Asked{"high_latency", "", "found", "found", "not applicable"},
                    Asked{"low_throughput", "", "found", "found", "not applicable"},
                    Asked{"instability", "", "found", "found", "not applicable"},
                    Asked{"auto", "", "found", "found", "cannot tell"},
                    Asked{"low_device_util", "kernels", "not applicable", "cannot tell", "not applicable"},
                    Asked{"high_power_consumption", "power", "not applicable", "cannot tell",
                          "not applicable"},
                    Asked{"high_memory", "rss", "not applicable", "not applicable", "cannot tell"}));

TEST(EachProblemWithData, power_ranks_what_burns_it_and_not_what_waits) {
  Scene s;
  add_queued_transposes(s);
  s.t.counter("power", "watt", {{0, 10}, {1000, 20}});
  const Answers a = ask(s, about("high_power_consumption"));
  ASSERT_EQ(a.d.causes.size(), 1U);
  EXPECT_EQ(a.d.causes[0].id, "layout_transform");
}

TEST(EachProblemWithData, memory_is_measured_in_bytes_and_not_in_time) {
  Scene s;
  add_queued_transposes(s);
  const double mib = 1 << 20;
  s.t.counter("rss", "bytes", {{0, 900 * mib}, {1000, 900 * mib}});
  s.t.counter("heap_held", "bytes", {{0, 800 * mib}, {1000, 800 * mib}});
  s.t.counter("heap_in_use", "bytes", {{0, 200 * mib}, {1000, 200 * mib}});
  const Answers a = ask(s, about("high_memory"));
  ASSERT_EQ(a.d.causes.size(), 1U);
  EXPECT_EQ(a.d.causes[0].id, "heap_fragmentation");
  EXPECT_EQ(a.d.causes[0].share.unit, "value");
  EXPECT_NEAR(*a.value("heap_fragmentation", "fragmentation"), 75, 1e-9);
}

} // namespace
} // namespace prof
