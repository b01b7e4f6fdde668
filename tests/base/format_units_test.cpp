#include "base/format_units.hpp"

#include <gtest/gtest.h>

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

} // namespace
} // namespace prof
