// Quantities with units, as thresholds, triggers and sizes are written.
#include "base/limit.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

struct Row {
  const char* text;
  double value;
  const char* unit;
};
class Quantities : public testing::TestWithParam<Row> {};

TEST_P(Quantities, are_read_in_the_unit_of_the_catalogue) {
  const auto quantity = parse_quantity(GetParam().text);
  ASSERT_TRUE(quantity) << GetParam().text;
  EXPECT_DOUBLE_EQ(quantity->value, GetParam().value) << GetParam().text;
  EXPECT_EQ(quantity->unit, GetParam().unit) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    All, Quantities,
    testing::Values(Row{"12", 12, ""}, Row{" 1.5 ", 1.5, ""}, Row{"-3", -3, ""}, Row{"1e3", 1000, ""},
                    Row{"7ns", 7, "ns"}, Row{"7us", 7e3, "ns"}, Row{"200 ms", 2e8, "ns"},
                    Row{"1.5s", 1.5e9, "ns"}, Row{"2m", 1.2e11, "ns"}, Row{"2min", 1.2e11, "ns"},
                    Row{"1h", 3.6e12, "ns"}, Row{"99.9%", 99.9, "percent"}, Row{"10/s", 10, "1/s"},
                    Row{"10 1/s", 10, "1/s"}, Row{"10rps", 10, "1/s"}, Row{"250mW", 0.25, "watt"},
                    Row{"15W", 15, "watt"}, Row{"80C", 80, "celsius"}, Row{"800MHz", 800, "MHz"},
                    Row{"2.5GHz", 2500, "MHz"}, Row{"512B", 512, "bytes"}, Row{"1KiB", 1024, "bytes"},
                    Row{"1MiB", 1048576, "bytes"}, Row{"2GiB", 2147483648.0, "bytes"},
                    Row{"1kB", 1e3, "bytes"}, Row{"1MB", 1e6, "bytes"}, Row{"1GB", 1e9, "bytes"},
                    Row{"1B/s", 1, "bytes/s"}, Row{"1KiB/s", 1024, "bytes/s"},
                    Row{"1MiB/s", 1048576, "bytes/s"}, Row{"1GiB/s", 1073741824.0, "bytes/s"},
                    Row{"1kB/s", 1e3, "bytes/s"}, Row{"100MB/s", 1e8, "bytes/s"},
                    Row{"1GB/s", 1e9, "bytes/s"}));

TEST(Quantities, what_is_none_is_refused) {
  for (const char* text :
       {"", " ", "ms", "fast", "1 parsec", "1S", "nan", "inf", "1e999", "1..2s", "1s2", "0x10"})
    EXPECT_FALSE(parse_quantity(text)) << text;
}

TEST(MetricNames, short_ones_are_completed_and_others_stay) {
  EXPECT_EQ(full_metric_name("p99"), "p99_latency");
  EXPECT_EQ(full_metric_name("p99.9"), "p999_latency");
  EXPECT_EQ(full_metric_name("avg"), "mean_latency");
  EXPECT_EQ(full_metric_name("max"), "max_latency");
  EXPECT_EQ(full_metric_name("p99_latency"), "p99_latency");
  EXPECT_EQ(full_metric_name("rss"), "rss");
  EXPECT_EQ(full_metric_name(""), "");
}

} // namespace
} // namespace prof
