#include "base/format_units.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace prof {
namespace {

TEST(FormatUnits, durations_take_the_unit_that_fits) {
  EXPECT_EQ(format_dur(Dur{0}), "0 ns");
  EXPECT_EQ(format_dur(Dur{999}), "999 ns");
  EXPECT_EQ(format_dur(Dur{1234}), "1.23 us");
  EXPECT_EQ(format_dur(Dur{45'600'000}), "45.6 ms");
  EXPECT_EQ(format_dur(Dur{-2'000'000'000}), "-2.00 s");
}

TEST(FormatUnits, bytes_scale_by_1024) {
  EXPECT_EQ(format_bytes(Bytes{12}), "12 B");
  EXPECT_EQ(format_bytes(Bytes{1536}), "1.50 KiB");
}

TEST(FormatUnits, values_carry_their_unit) {
  EXPECT_EQ(format_value(12.34, "percent"), "12.3 %");
  EXPECT_EQ(format_value(1.5e6, "ns"), "1.50 ms");
  EXPECT_EQ(format_value(3, "count"), "3 count");
}

TEST(FormatUnits, three_digits_hold_at_every_border) {
  struct Row {
    std::int64_t ns;
    std::string_view text;
  };
  for (const auto& [ns, text] :
       {Row{1, "1 ns"}, Row{-999, "-999 ns"}, Row{1000, "1.00 us"}, Row{9'994, "9.99 us"},
        Row{9'996, "10.0 us"}, Row{99'940, "99.9 us"}, Row{99'960, "100 us"}, Row{999'400, "999 us"},
        Row{999'600, "1.00 ms"}, Row{-999'999, "-1.00 ms"}, Row{999'499'999, "999 ms"},
        Row{999'500'000, "1.00 s"}, Row{59'990'000'000, "60.0 s"}, Row{3'600'000'000'000, "3600 s"},
        Row{std::numeric_limits<std::int64_t>::max(), "9223372037 s"},
        Row{std::numeric_limits<std::int64_t>::min(), "-9223372037 s"}})
    EXPECT_EQ(format_dur(Dur{ns}), text) << ns;
}

TEST(FormatUnits, bytes_step_to_the_next_unit_when_rounding_does) {
  struct Row {
    std::int64_t n;
    std::string_view text;
  };
  for (const auto& [n, text] :
       {Row{0, "0 B"}, Row{1023, "1023 B"}, Row{1024, "1.00 KiB"}, Row{-1536, "-1.50 KiB"},
        Row{(1 << 20) - 600, "1023 KiB"}, Row{(1 << 20) - 1, "1.00 MiB"},
        Row{std::int64_t{5} << 40, "5.00 TiB"}, Row{std::numeric_limits<std::int64_t>::max(), "8192 PiB"}})
    EXPECT_EQ(format_bytes(Bytes{n}), text) << n;
}

TEST(FormatUnits, numbers_of_any_size_and_kind) {
  struct Row {
    double value;
    std::string_view text;
  };
  for (const auto& [value, text] :
       {Row{0, "0"}, Row{-0.0, "0"}, Row{1, "1"}, Row{0.5, "0.5"}, Row{0.001, "0.001"},
        Row{0.000999, "0.000999"}, Row{1e-9, "1e-09"}, Row{12.345, "12.3"}, Row{99.97, "100"},
        Row{123456, "123456"}, Row{1e6, "1e+06"}, Row{-2.5, "-2.50"}, Row{1.0 / 0.0, "inf"},
        Row{-1.0 / 0.0, "-inf"}})
    EXPECT_EQ(format_number(value), text) << value;
  EXPECT_EQ(format_number(std::nan("")), "nan");
}

TEST(FormatUnits, odd_values_and_units_are_shown_as_they_are) {
  EXPECT_EQ(format_value(std::nan(""), "ns"), "nan ns");
  EXPECT_EQ(format_value(1e300, "ns"), "1e+300 ns");
  EXPECT_EQ(format_value(1.0 / 0.0, "bytes"), "inf bytes");
  EXPECT_EQ(format_value(2.4, "ns"), "2 ns");
  EXPECT_EQ(format_value(1536, "bytes"), "1.50 KiB");
  EXPECT_EQ(format_value(1.5 * 1024 * 1024 * 1024, "bytes/s"), "1.50 GiB/s");
  EXPECT_EQ(format_value(10, "1/s"), "10 /s");
  EXPECT_EQ(format_value(10, ""), "10");
  EXPECT_EQ(format_value(-3, "furlong"), "-3 furlong");
}

TEST(Units, a_rate_without_time_is_zero_and_not_infinite) {
  EXPECT_EQ(rate(Bytes{1000}, Dur{0}).v, 0);
  EXPECT_EQ(rate(Bytes{1000}, Dur{-5}).v, 0);
  EXPECT_EQ(rate(Bytes{1000}, Dur{500'000'000}).v, 2000);
  EXPECT_EQ((Ts{5} - Ts{8}).ns, -3);
}

} // namespace
} // namespace prof
