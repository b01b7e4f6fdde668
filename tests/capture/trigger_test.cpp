// The trigger of the flight recorder: its grammar, and when it holds.
#include "capture/trigger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace prof {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kSecond = 1'000'000'000;

Trigger parsed(std::string_view text) {
  auto trigger = Trigger::parse(text, Lang::en);
  EXPECT_TRUE(trigger) << text << ": " << (trigger ? "" : trigger.error().what);
  return trigger ? *std::move(trigger) : *Trigger::parse("max_latency>1h", Lang::en);
}

struct Row {
  const char* text;
  const char* metric;
  const char* op;
  double value; // in the catalogue's unit
  std::int64_t hold_ns;
};
class OneCondition : public testing::TestWithParam<Row> {};

TEST_P(OneCondition, is_read) {
  const Row& row = GetParam();
  const Trigger trigger = parsed(row.text);
  ASSERT_EQ(trigger.conditions().size(), 1U);
  const Condition& condition = trigger.conditions()[0];
  EXPECT_EQ(condition.metric->id, row.metric);
  EXPECT_EQ(condition.limit.op, row.op);
  EXPECT_DOUBLE_EQ(condition.limit.value, row.value);
  EXPECT_EQ(condition.hold.ns, row.hold_ns);
}
INSTANTIATE_TEST_SUITE_P(
    Conditions, OneCondition,
    testing::Values(
        Row{"p99_latency>200ms", "p99_latency", ">", 2e8, 0},
        Row{"  p99_latency  >=  1.5 s  ", "p99_latency", ">=", 1.5e9, 0},
        Row{"p50 > 300us", "p50_latency", ">", 3e5, 0}, Row{"avg<1ms", "mean_latency", "<", 1e6, 0},
        Row{"max_latency>1min", "max_latency", ">", 6e10, 0},
        Row{"(((p99_latency>2s)))", "p99_latency", ">", 2e9, 0},
        Row{"error_rate>1%", "error_rate", ">", 1, 0},
        Row{"error_rate > 0.5", "error_rate", ">", 0.5, 0}, // a bare number is one of the unit
        Row{"throughput<=10/s", "throughput", "<=", 10, 0},
        Row{"throughput<10rps for 1m", "throughput", "<", 10, 60 * kSecond},
        Row{"stream_queue>=16", "stream_queue", ">=", 16, 0}, Row{"rss>2GiB", "rss", ">", 2147483648.0, 0},
        Row{"mem_used>3GB", "mem_used", ">", 3e9, 0}, Row{"network>100MB/s", "network", ">", 1e8, 0},
        Row{"temperature>80C", "temperature", ">", 80, 0},
        Row{"power>15W for 500ms", "power", ">", 15, kSecond / 2},
        Row{"frequency<1.2GHz", "frequency", "<", 1200, 0},
        Row{"psi_memory_some>20% for 30s", "psi_memory_some", ">", 20, 30 * kSecond},
        Row{"cpu_util>90%\nfor\t2s", "cpu_util", ">", 90, 2 * kSecond}));

struct Wrong {
  const char* text;
  const char* says;
};
class NoTrigger : public testing::TestWithParam<Wrong> {};

TEST_P(NoTrigger, says_what_is_wrong_and_what_would_be_right) {
  const auto trigger = Trigger::parse(GetParam().text, Lang::en);
  ASSERT_FALSE(trigger) << GetParam().text;
  EXPECT_EQ(trigger.error().code, Errc::bad_argument);
  EXPECT_THAT(trigger.error().what, HasSubstr(GetParam().says)) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    Wrong, NoTrigger,
    testing::Values(
        Wrong{"", "ends where a condition is needed"}, Wrong{"   ", "ends where a condition is needed"},
        Wrong{"p99_latency>200ms and", "ends where a condition is needed"},
        Wrong{"p99_latency>200ms or or error_rate>1%", "from 'or error_rate>1%' on"},
        Wrong{"p99_latency", "from 'p99_latency' on"}, Wrong{">200ms", "from '>200ms' on"},
        Wrong{"(p99_latency>200ms", "ends where a condition is needed"},
        Wrong{"p99_latency>200ms)", "from ')' on"}, Wrong{"()", "from ')' on"},
        Wrong{"p99_latency>200ms error_rate>1%", "no condition for p99_latency"},
        Wrong{"p99_latncy>200ms", "nearest: p99_latency"},
        Wrong{"p9_latency>200ms", "p90_latency"}, // three names are near
        Wrong{"p9_latency>200ms", "p95_latency"},
        Wrong{"zzzzzzzzzzzzzz>1", "known are latency, mean_latency"},
        Wrong{"ttft>1s", "no live metric 'ttft'"},            // a metric, but not one that is live
        Wrong{"p99_latency>200", "write its value as 200ms"}, // 200 of what?
        Wrong{"p99_latency>200MB", "write its value as 200ms"},
        Wrong{"p99_latency>200 parsecs", "write its value as 200ms"},
        Wrong{"p99_latency>fast", "write its value as 200ms"},
        Wrong{"p99_latency>", "write its value as 200ms"},
        Wrong{"p99_latency>>200ms", "write its value as 200ms"},
        Wrong{"p99_latency>nan", "write its value as 200ms"}, Wrong{"p99_latency>1e999s", "write its value"},
        Wrong{"rss>2s", "write its value as 2GiB"}, Wrong{"error_rate>1ms", "write its value as 90%"},
        Wrong{"stream_queue>5%", "write its value as 12"},
        Wrong{"p99_latency>1s for", "'for ' is no duration"},
        Wrong{"p99_latency>1s for ever", "'for ever' is no duration"},
        Wrong{"p99_latency>1s for 0s", "'for 0s' is no duration"},
        Wrong{"p99_latency>1s for -1s", "'for -1s' is no duration"},
        Wrong{"p99_latency>1s for 5", "'for 5' is no duration"},
        Wrong{"p99_latency>1s for 25h", "'for 25h' is no duration"},
        Wrong{"p99_latency>1s for 10s for 10s", "from 'for 10s' on"}));

TEST(Trigger, says_it_in_chinese_too) {
  EXPECT_THAT(Trigger::parse("p99_latncy>200ms", Lang::zh).error().what, HasSubstr("相近的有 p99_latency"));
}

TEST(Trigger, depth_and_length_have_limits) {
  const std::string deep(20, '(');
  EXPECT_FALSE(Trigger::parse(deep + "rss>1GiB" + std::string(20, ')'), Lang::en));
  std::string list = "rss>1GiB";
  for (int i = 1; i < 32; ++i)
    list += " or rss>1GiB";
  EXPECT_TRUE(Trigger::parse(list, Lang::en));
  EXPECT_FALSE(Trigger::parse(list + " or rss>1GiB", Lang::en));
  EXPECT_FALSE(Trigger::parse(std::string(1 << 20, '('), Lang::en)); // no deep recursion
}

// Looks at the trigger with these values, one look a second from second 1 on.
class Looks {
public:
  explicit Looks(std::string_view text) : trigger_(parsed(text)) {}
  bool at(std::int64_t ns, const std::map<std::string, double, std::less<>>& values) {
    return trigger_.look({ns}, [&](const LiveMetric& metric) -> std::optional<double> {
      const auto found = values.find(metric.id);
      return found == values.end() ? std::nullopt : std::optional(found->second);
    });
  }
  bool next(const std::map<std::string, double, std::less<>>& values) { return at(now_ += kSecond, values); }
  [[nodiscard]] const ConditionState& state(std::size_t i) const { return trigger_.states()[i]; }
  Trigger& trigger() { return trigger_; }

private:
  Trigger trigger_;
  std::int64_t now_ = 0;
};

TEST(Trigger, and_binds_tighter_than_or) {
  struct Truth {
    bool a, b, c, plain, grouped;
  };
  // plain: a or (b and c); grouped: (a or b) and c. Worked out by hand.
  constexpr Truth kRows[] = {{false, false, false, false, false}, {false, false, true, false, false},
                             {false, true, false, false, false},  {false, true, true, true, true},
                             {true, false, false, true, false},   {true, false, true, true, true},
                             {true, true, false, true, false},    {true, true, true, true, true}};
  for (const Truth& row : kRows) {
    const std::map<std::string, double, std::less<>> values{
        {"rss", row.a ? 2 : 0}, {"swap", row.b ? 2 : 0}, {"power", row.c ? 2 : 0}};
    EXPECT_EQ(Looks("rss>1 or swap>1 and power>1").next(values), row.plain);
    EXPECT_EQ(Looks("(rss>1 or swap>1) and power>1").next(values), row.grouped);
    EXPECT_EQ(Looks("rss>1||swap>1&&power>1").next(values), row.plain);
  }
}

TEST(Trigger, without_data_no_condition_holds_not_even_a_lower_limit) {
  Looks looks("throughput<10/s or rss>1");
  EXPECT_FALSE(looks.next({}));
  EXPECT_FALSE(looks.state(0).value);
  EXPECT_TRUE(looks.next({{"throughput", 9.9}}));
}

TEST(Trigger, for_means_true_at_every_look_that_long) {
  Looks looks("rss>10 for 3s");
  EXPECT_FALSE(looks.at(1 * kSecond, {{"rss", 11}}));
  EXPECT_FALSE(looks.at(2 * kSecond, {{"rss", 11}}));
  EXPECT_FALSE(looks.at(4 * kSecond - 1, {{"rss", 11}}));
  EXPECT_TRUE(looks.at(4 * kSecond, {{"rss", 11}})); // 3 s after it became true
  EXPECT_TRUE(looks.at(5 * kSecond, {{"rss", 11}}));
  EXPECT_FALSE(looks.at(6 * kSecond, {{"rss", 10}})); // not above any more
}

TEST(Trigger, one_look_at_which_it_is_false_or_unknown_begins_the_count_anew) {
  Looks broken("rss>10 for 3s");
  EXPECT_FALSE(broken.at(0, {{"rss", 11}}));
  EXPECT_FALSE(broken.at(2 * kSecond, {{"rss", 9}}));
  EXPECT_FALSE(broken.at(4 * kSecond, {{"rss", 11}}));
  EXPECT_FALSE(broken.at(6 * kSecond, {{"rss", 11}}));
  EXPECT_TRUE(broken.at(7 * kSecond, {{"rss", 11}}));
  Looks silent("rss>10 for 3s");
  EXPECT_FALSE(silent.at(0, {{"rss", 11}}));
  EXPECT_FALSE(silent.at(2 * kSecond, {}));
  EXPECT_FALSE(silent.at(3 * kSecond, {{"rss", 11}}));
  EXPECT_TRUE(silent.at(6 * kSecond, {{"rss", 11}}));
}

TEST(Trigger, for_belongs_to_its_own_condition) {
  Looks looks("rss>10 for 3s and swap>5");
  EXPECT_FALSE(looks.at(0, {{"rss", 11}, {"swap", 0}}));
  EXPECT_FALSE(looks.at(3 * kSecond, {{"rss", 11}, {"swap", 0}}));
  EXPECT_TRUE(looks.at(4 * kSecond, {{"rss", 11}, {"swap", 6}})); // at once
  EXPECT_FALSE(looks.at(5 * kSecond, {{"rss", 11}, {"swap", 5}}));
}

TEST(Trigger, the_highest_or_lowest_value_seen_is_remembered) {
  Looks looks("rss>10 or throughput<5/s");
  for (const auto& [rss, rate] : {std::pair{3.0, 8.0}, {7.0, 6.0}, {2.0, 9.0}})
    EXPECT_FALSE(looks.next({{"rss", rss}, {"throughput", rate}}));
  EXPECT_EQ(looks.state(0).extreme, 7.0);
  EXPECT_EQ(looks.state(0).value, 2.0);
  EXPECT_EQ(looks.state(1).extreme, 6.0);
  looks.trigger().begin_anew();
  EXPECT_EQ(looks.state(0).extreme, 7.0);
  EXPECT_FALSE(looks.state(0).value);
}

TEST(Trigger, a_new_recording_begins_every_for_anew) {
  Looks looks("rss>10 for 3s");
  EXPECT_FALSE(looks.at(0, {{"rss", 11}}));
  looks.trigger().begin_anew();
  EXPECT_FALSE(looks.at(4 * kSecond, {{"rss", 11}}));
  EXPECT_TRUE(looks.at(7 * kSecond, {{"rss", 11}}));
}

} // namespace
} // namespace prof
