// Reading input bytes: never beyond the end, and a failed read moves nothing.
#include "base/byte_reader.hpp"
#include "base/string_pool.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

TEST(ByteReader, values_are_little_endian) {
  ByteReader in(std::string_view("\x01\x02\x03\x04\xff\xff\x00\x00\x80\x3f", 10));
  EXPECT_EQ(*in.read<std::uint32_t>(), 0x04030201U);
  EXPECT_EQ(*in.read<std::int16_t>(), -1);
  EXPECT_EQ(*in.read<float>(), 1.0F);
  EXPECT_TRUE(in.is_done());
}

TEST(ByteReader, a_read_beyond_the_end_says_by_how_much_and_moves_nothing) {
  ByteReader in(std::string_view("abc"));
  ASSERT_TRUE(in.skip(1).ok());
  const auto value = in.read<std::uint32_t>();
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().code, Errc::malformed);
  EXPECT_EQ(value.error().what, "ends 2 bytes too early");
  EXPECT_EQ(value.error().zh, "提前 2 字节结束");
  EXPECT_EQ(value.error().where, "offset 1");
  EXPECT_EQ(in.offset(), 1U);
  EXPECT_FALSE(in.take(3).ok());
  EXPECT_FALSE(in.skip(~std::size_t{0}).ok()) << "no overflow";
  EXPECT_EQ(*in.take(2), "bc");
  EXPECT_EQ(*in.take(0), "");
  EXPECT_EQ(in.left(), 0U);
}

TEST(Result, an_error_collects_where_it_happened_from_the_outside_in) {
  const auto inner = []() -> Result<int> { return Error{Errc::malformed, "ends too early", "offset 3"}; };
  const auto outer = [&]() -> Result<std::string> {
    auto value = inner();
    if (!value) return std::move(value).error().at("packet 7").at("t.pb");
    return std::to_string(*value);
  };
  EXPECT_EQ(outer().error().where, "t.pb: packet 7: offset 3");
  EXPECT_EQ(outer().error().what, "ends too early");
  EXPECT_EQ((Error{Errc::io, "x", {}}).at("a").where, "a");
}

TEST(Result, try_and_check_hand_the_error_on_and_the_value_out) {
  const auto half = [](int n) -> Result<int> {
    if (n % 2 != 0) return Error{Errc::bad_argument, "odd", {}};
    return n / 2;
  };
  const auto quarter = [&](int n) -> Result<int> {
    PROF_TRY(const int once, half(n));
    PROF_TRY(const int twice, half(once));
    return twice;
  };
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).error().what, "odd");
  const auto checked = [&](int n) -> Status {
    PROF_CHECK(quarter(n));
    return {};
  };
  EXPECT_TRUE(checked(4).ok());
  EXPECT_FALSE(checked(2).ok());
}

TEST(StringPool, one_id_per_text_and_the_empty_text_is_zero) {
  StringPool pool;
  EXPECT_TRUE(pool.intern("").is_empty());
  const StrId nul = pool.intern(std::string_view("a\0b", 3)), a = pool.intern("a");
  EXPECT_NE(nul, a);
  EXPECT_EQ(pool.text(nul).size(), 3U);
  const std::string_view held = pool.text(a);
  for (int i = 0; i < 10'000; ++i)
    pool.intern("text" + std::to_string(i));
  EXPECT_EQ(held, "a") << "views live as long as the pool";
  EXPECT_EQ(pool.intern("text77"), pool.intern("text" + std::to_string(77)));
  EXPECT_EQ(pool.size(), 10'003U);
  StrId found;
  EXPECT_FALSE(pool.find("never", found));
  EXPECT_TRUE(pool.find("a", found));
  EXPECT_EQ(found, a);
  EXPECT_EQ(pool.text(StrId{999'999}), "") << "an id of another pool is no text, and no crash";
}

} // namespace
} // namespace prof
