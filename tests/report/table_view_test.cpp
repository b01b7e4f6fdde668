// Query results in every format, with hostile cells.
#include "report/table_view.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace prof {
namespace {

using testing::HasSubstr;
using testing::Not;

SqlResult result_of(std::vector<std::vector<SqlValue>> rows) {
  return {.columns = {"name", "n"}, .rows = std::move(rows)};
}

TEST(TableView, text_aligns_numbers_right_and_names_left) {
  const SqlResult r = result_of({{std::string("Conv"), std::int64_t{7}},
                                 {std::string("转置"), std::int64_t{1200}},
                                 {std::monostate{}, std::monostate{}}});
  EXPECT_EQ(render_table(r, TableFormat::text), "name     n\n----  ----\nConv     7\n转置  1200\n\n");
}

TEST(TableView, text_cells_are_one_line_without_escapes_and_cut) {
  const SqlResult r = result_of({{std::string("\x1b[31mred\nline"), 1.5}, {std::string(10'000, 'x'), 2.0}});
  const std::string out = render_table(r, TableFormat::text);
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 4);
  EXPECT_LT(out.size(), 1500U);
}

TEST(TableView, csv_has_a_header_and_quotes_what_needs_it) {
  const SqlResult r = result_of({{std::string("plain"), std::int64_t{-5}},
                                 {std::string("a,b"), 0.25},
                                 {std::string("say \"hi\"\n"), std::monostate{}}});
  EXPECT_EQ(render_table(r, TableFormat::csv), "name,n\nplain,-5\n\"a,b\",0.25\n\"say \"\"hi\"\"\n\",\n");
  EXPECT_EQ(render_table(result_of({}), TableFormat::csv), "name,n\n");
}

TEST(TableView, csv_never_starts_a_formula) {
  EXPECT_EQ(csv_text("=cmd()|' /C calc'!A0"), "'=cmd()|' /C calc'!A0");
  EXPECT_EQ(csv_text("+1"), "'+1");
  EXPECT_EQ(csv_text("-1"), "'-1");
  EXPECT_EQ(csv_text("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
  EXPECT_EQ(csv_text("\tx"), "'\tx");
  EXPECT_EQ(csv_text("\rx\x1b[31m\xff"), "\\x0dx\\x1b[31m\xef\xbf\xbd");
  EXPECT_EQ(csv_text("a=b"), "a=b");
  EXPECT_EQ(csv_text(""), "");
}

TEST(TableView, json_is_valid_whatever_the_names_hold) {
  const SqlResult r =
      result_of({{std::string("\"><script>\xff\xfe\x1b\n\\"), std::int64_t{9'007'199'254'740'993}},
                 {std::string("x"), std::nan("")}});
  const auto parsed = nlohmann::json::parse(render_table(r, TableFormat::json));
  ASSERT_EQ(parsed.size(), 2U);
  EXPECT_EQ(parsed[0]["n"], 9'007'199'254'740'993);
  EXPECT_THAT(parsed[0]["name"].get<std::string>(), HasSubstr("\"><script>\xEF\xBF\xBD"));
  EXPECT_TRUE(parsed[1]["n"].is_null());
  EXPECT_EQ(render_table(result_of({}), TableFormat::json), "[]\n");
}

TEST(TableView, markdown_cells_cannot_break_the_table_or_inject_markup) {
  const std::string out =
      render_table(result_of({{std::string("a|b\n<script>"), 1.0}}), TableFormat::markdown);
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 3);
  EXPECT_THAT(out, Not(HasSubstr("<script>")));
  EXPECT_THAT(out, HasSubstr("a\\|b"));
}

TEST(TableView, an_unknown_format_lists_those_it_knows) {
  EXPECT_EQ(*table_format("md"), TableFormat::markdown);
  EXPECT_THAT(table_format("xml").error().what, HasSubstr("text, csv, json and markdown"));
}

} // namespace
} // namespace prof
