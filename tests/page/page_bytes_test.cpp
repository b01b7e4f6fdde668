// How bytes get into the page: packed rows, base64, deflate, JSON that cannot end a script element.
#include "report/html/page_bytes.hpp"

#include "report/html/block_codec.hpp"

#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace prof {
namespace {

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes)
    out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

// Worked out by hand from block_codec.hpp. viewer/tests/codec.test.ts reads the same bytes.
TEST(BlockCodec, three_items_are_these_bytes) {
  const std::vector<RowItem> items{{5, 3, 0, 10, 0}, {10, 2, 1, 12, 7}, {12, 0, 0, 13, 3}};
  EXPECT_EQ(hex(pack_row(items)),
            "0000000000001440"                         // starts at 5.0
            "00000000"                                 // first word
            "82100803"                                 // widths 2, 2, 1, 2, 3
            "0a000000"                                 // first id
            "00000000"                                 // least arg
            "080000000b0000000200000018000000f8000000" // gaps 0 2 0, durs 3 2 0, names, id steps, args
            "00000000");
}

TEST(BlockCodec, a_duration_of_more_than_32_bits_takes_two_columns) {
  const std::vector<RowItem> items{{0, (std::int64_t{1} << 33) + 5, 0, 0, 0}};
  EXPECT_EQ(hex(pack_row(items)), "000000000000000000000000800800000000000000000000050000000200000000000000");
}

TEST(BlockCodec, every_block_of_a_long_row_comes_back) {
  std::vector<RowItem> items;
  std::int64_t t = 1'000'000'000'000;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::int64_t dur = i % 7 == 0 ? 0 : std::int64_t{1} << (i % 40);
    items.push_back({t, dur, i % 5, 3 * i + 1, i % 3 == 0 ? 0 : 1000 + i});
    t += dur + i % 11;
  }
  EXPECT_EQ(unpack_row(pack_row(items), items.size()), items);
}

TEST(BlockCodec, cut_bytes_are_never_read_outside) {
  const std::string bytes = pack_row(std::vector<RowItem>{{5, 3, 0, 10, 0}, {10, 2, 1, 12, 7}});
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_EQ(unpack_row(std::string_view(bytes).substr(0, n), 2).size(), 2U);
}

TEST(PageBytes, base64_is_that_of_rfc_4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(PageBytes, what_is_deflated_inflates_without_a_header) {
  const std::string text = std::string(100'000, 'a') + "end";
  auto packed = deflate_raw(text);
  ASSERT_TRUE(packed);
  EXPECT_LT(packed->size(), 500U);
  std::string out(text.size(), '\0');
  z_stream z{};
  ASSERT_EQ(inflateInit2(&z, -15), Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(packed->data());
  z.avail_in = static_cast<uInt>(packed->size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&z, Z_FINISH), Z_STREAM_END);
  inflateEnd(&z);
  EXPECT_EQ(out, text);
}

TEST(PageBytes, json_in_a_script_element_cannot_end_it) {
  const std::string text = script_json({{"n", "</script><!--&\xE2\x80\xA8\xE2\x80\xA9"}});
  EXPECT_EQ(text, R"({"n":"\u003c/script\u003e\u003c!--\u0026\u2028\u2029"})");
  EXPECT_EQ(nlohmann::json::parse(text)["n"], "</script><!--&\xE2\x80\xA8\xE2\x80\xA9");
}

TEST(PageBytes, bytes_that_are_no_text_become_replacement_characters) {
  EXPECT_EQ(script_json("a\xff"), "\"a\xEF\xBF\xBD\"");
}

TEST(PageBytes, a_long_text_is_cut_between_characters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc…");
  EXPECT_EQ(shortened("诗诗", 4), "诗…");
  EXPECT_EQ(shortened("诗", 2), "…");
}

TEST(PageBytes, a_stream_comes_in_parts_that_decode_on_their_own) {
  constexpr std::size_t kPart = 393'216; // viewer/src/data.ts counts on it
  std::string page;
  const PageWrite write = [&](std::string_view bytes) {
    page += bytes;
    return Status();
  };
  PageStream stream("rows", write);
  ASSERT_TRUE(stream.append(std::string(kPart - 1, 'x')));
  ASSERT_TRUE(stream.append("yz"));
  ASSERT_TRUE(stream.finish());
  EXPECT_EQ(stream.parts(), 2);
  EXPECT_EQ(stream.size(), static_cast<std::int64_t>(kPart) + 1);
  EXPECT_TRUE(page.starts_with("<script type=\"text/plain\" id=\"rows.0\">eHh4"));
  EXPECT_TRUE(page.ends_with("eHh5</script>\n<script type=\"text/plain\" id=\"rows.1\">eg==</script>\n"));
}

TEST(PageBytes, a_failed_write_ends_the_stream) {
  const PageWrite write = [](std::string_view) -> Status { return Error{Errc::io, "disk full", {}}; };
  PageStream stream("rows", write);
  ASSERT_TRUE(stream.append("x"));
  EXPECT_FALSE(stream.finish());
}

} // namespace
} // namespace prof
