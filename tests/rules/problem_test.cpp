#include "rules/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

using testing::HasSubstr;

TEST(Problem, all_of_the_command_line_contract_are_known) {
  for (const char* id : {"high_p99_latency", "high_latency", "low_throughput", "low_device_util",
                         "high_power_consumption", "high_memory", "instability", "auto"})
    EXPECT_TRUE(find_problem(id).ok()) << id;
}

TEST(Problem, a_wrong_one_gets_the_list_and_the_nearest) {
  const auto problem = find_problem("high_p99_latncy");
  ASSERT_FALSE(problem.ok());
  EXPECT_EQ(problem.error().code, Errc::bad_argument);
  EXPECT_THAT(problem.error().what, HasSubstr("did you mean 'high_p99_latency'?"));
  EXPECT_THAT(problem.error().what, HasSubstr("instability, auto"));
  EXPECT_EQ(find_problem("zzzzzzzzz").error().what.find("did you mean"), std::string::npos);
}

struct LimitCase {
  const char* text;
  const char* metric;
  const char* op;
  double value;
  const char* unit;
};
class ParseLimit : public testing::TestWithParam<LimitCase> {};

TEST_P(ParseLimit, reads) {
  const LimitCase& c = GetParam();
  const auto limit = parse_limit(c.text);
  ASSERT_TRUE(limit.ok()) << limit.error().what;
  EXPECT_EQ(limit->metric, c.metric);
  EXPECT_EQ(limit->op, c.op);
  EXPECT_DOUBLE_EQ(limit->value, c.value);
  EXPECT_EQ(limit->unit, c.unit);
}
INSTANTIATE_TEST_SUITE_P(Limits, ParseLimit,
                         testing::Values(LimitCase{"p99>2.0s", "p99_latency", ">", 2e9, "ns"},
                                         LimitCase{"p99_latency>200ms", "p99_latency", ">", 2e8, "ns"},
                                         LimitCase{" mean >= 300 us ", "mean_latency", ">=", 3e5, "ns"},
                                         LimitCase{"p50>2", "p50_latency", ">", 2e9, "ns"},
                                         LimitCase{"throughput<10", "throughput", "<", 10, ""},
                                         LimitCase{"throughput<=2.5/s", "throughput", "<=", 2.5, "1/s"},
                                         LimitCase{"rss>2GiB", "rss", ">", 2147483648.0, "bytes"},
                                         LimitCase{"device_util<60%", "device_util", "<", 60, "percent"},
                                         LimitCase{"power>15W", "power", ">", 15, "watt"},
                                         LimitCase{"avg>1ms", "mean_latency", ">", 1e6, "ns"},
                                         LimitCase{"p99.9>=1min", "p999_latency", ">=", 6e10, "ns"},
                                         LimitCase{"p90<5000ns", "p90_latency", "<", 5000, "ns"},
                                         LimitCase{"max > 0.5", "max_latency", ">", 5e8, "ns"},
                                         LimitCase{"throughput<5rps", "throughput", "<", 5, "1/s"},
                                         LimitCase{"rss<=512MiB", "rss", "<=", 536870912.0, "bytes"},
                                         LimitCase{"rss>4096", "rss", ">", 4096, ""},
                                         LimitCase{"heap_held>1.5KiB", "heap_held", ">", 1536, "bytes"},
                                         LimitCase{"p50>-1ms", "p50_latency", ">", -1e6, "ns"}));

TEST(Limit, what_is_no_threshold_is_refused_with_an_example) {
  for (const char* text :
       {"", "p99", "p99>", ">2s", "p99>fast", "p99>2 parsecs", "p99>nan", "p99>inf", "p99=2s"}) {
    const auto limit = parse_limit(text);
    ASSERT_FALSE(limit.ok()) << text;
    EXPECT_THAT(limit.error().what, HasSubstr("p99>2.0s")) << text;
  }
}

TEST(Limit, each_operator_compares_as_it_says) {
  const auto breaks = [](const char* text, double observed) {
    return is_exceeded(*parse_limit(text), observed);
  };
  EXPECT_FALSE(breaks("p99>2s", 2e9));
  EXPECT_TRUE(breaks("p99>=2s", 2e9));
  EXPECT_TRUE(breaks("throughput<10", 9.5));
  EXPECT_FALSE(breaks("throughput<10", 10));
  EXPECT_TRUE(breaks("throughput<=10", 10));
}

} // namespace
} // namespace prof
