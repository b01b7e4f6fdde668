// The parts below the JSON readers: exact times, where events end, repair of damaged ones.
#include "import/json/event_scanner.hpp"
#include "import/json/trace_event.hpp"

#include <gtest/gtest.h>
#include <random>

namespace prof::json {
namespace {

struct Decimal {
  std::string_view text;
  bool is_good;
  std::int64_t ns;
};

TEST(NsFromUs, is_exact_where_a_double_is_not) {
  const Decimal cases[] = {
      {"0", true, 0},
      {"1695835542514261", true, 1695835542514261000},
      {"1712195495519689.013", true, 1712195495519689013},
      {"1699529623106750.123", true, 1699529623106750123},
      {"9007199254740993.001", true, 9007199254740993001 / 1},
      {"0.0004", true, 0},
      {"0.0005", true, 1},
      {"828.33653125", true, 828337},
      {"-3.25", true, -3250},
      {"1.5e3", true, 1500000},
      {"", false, 0},
      {"-", false, 0},
      {".", false, 0},
      {"12x", false, 0},
      {"NaN", false, 0},
      {"Infinity", false, 0},
      {"1e300", false, 0},
      {"99999999999999999999", false, 0},
      {"9223372036854775.808", false, 0},
  };
  for (const Decimal& c : cases) {
    std::int64_t ns = 0;
    EXPECT_EQ(ns_from_us(c.text, ns), c.is_good) << c.text;
    if (c.is_good) {
      EXPECT_EQ(ns, c.ns) << c.text;
    }
  }
}

// The plain way to find the ends, one character at a time.
std::vector<std::size_t> ends_of(std::string_view text) {
  std::vector<std::size_t> ends;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        in_string = false;
    } else if (text[i] == '"') {
      in_string = true;
    } else if (text[i] == '{' || text[i] == '[') {
      ++depth;
    } else if ((text[i] == '}' || text[i] == ']') && --depth == 0) {
      ends.push_back(i + 1);
    }
  }
  return ends;
}

TEST(CutEvents, agrees_with_a_scan_of_single_characters) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {
      "\"a\"", "\"}{][\"", "\"\\\"\"", "\"\\\\\"", "{\"k\":[1,{\"x\":2}]}", "[[],[3]]", "7", "\"\\\\\\\"}\""};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    const std::size_t events = 1 + random() % 12;
    for (std::size_t e = 0; e < events; ++e) {
      text += e > 0 ? ", {" : "{";
      for (std::size_t f = 0; f < 1 + random() % 6; ++f)
        text.append(f > 0 ? "," : "")
            .append("\"key\":")
            .append(pieces[random() % std::size(pieces)])
            .append(random() % 9, ' ');
      text += "}";
    }
    const std::vector<std::size_t> ends = ends_of(text);
    ASSERT_EQ(ends.size(), events);
    for (const std::size_t target : {std::size_t{1}, text.size() / 2, text.size()}) {
      const Cut cut = cut_events(text, target);
      ASSERT_EQ(cut.kind, Cut::Kind::events);
      EXPECT_NE(std::find(ends.begin(), ends.end(), cut.end), ends.end()) << text;
      EXPECT_TRUE(cut.end <= target + 64 || cut.end == ends.front());
    }
    EXPECT_EQ(cut_events(text, text.size()).end, ends.back());
    const Cut closed = cut_events(text + " ] , tail", text.size() * 2 + 100);
    EXPECT_EQ(closed.kind, Cut::Kind::closed);
    EXPECT_EQ(closed.end, text.size() + 1);
    EXPECT_EQ(cut_events(std::string_view(text).substr(0, ends.front() - 1), 1).kind, Cut::Kind::open);
  }
}

TEST(CutEvents, a_line_break_inside_a_string_means_that_quotes_cannot_be_counted) {
  EXPECT_EQ(cut_events("{\"a\":\"x\n\"}", 100).kind, Cut::Kind::broken);
  const Cut before = cut_events("{\"a\":1},{\"a\":\"x\n\"}", 100);
  EXPECT_EQ(before.kind, Cut::Kind::events);
  EXPECT_EQ(before.end, 7U);
}

TEST(FindEvent, looks_for_the_first_key_behind_an_opening_brace) {
  const std::string_view text = R"({"ph":1},{"args":{"ph":2}},{ "ph":3})";
  EXPECT_EQ(find_event(text, "ph", 0), 0U);
  EXPECT_EQ(find_event(text, "ph", 1), 17U);
  EXPECT_EQ(find_event(text, "ph", 18), 27U);
  EXPECT_EQ(find_event(text, "cat", 0), std::string_view::npos);
}

TEST(Repair, makes_what_real_files_hold_readable) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"a":"b"})", R"({"a":"b"})"},
      {"{\"a\":\"b\nc\x01\"}", R"({"a":"b\u000ac\u0001"})"},
      {R"({"name":"f("x").py","b":1})", R"({"name":"f(\"x\").py","b":1})"},
      {R"({"p":"C:\dir\new"})", R"({"p":"C:\\dir\new"})"},
      {R"({"a":NaN,"b":-Infinity,"c":inf})", R"({"a":null,"b":null,"c":null})"},
      {R"({"a":[1,2,],})", R"({"a":[1,2]})"},
      {"{\"a\":\"\xff\xc3\xa9\"}", "{\"a\":\"\xef\xbf\xbd\xc3\xa9\"}"},
      {R"({"a":"\u12"})", R"({"a":"\\u12"})"},
      {R"({"a":"x\ud800"})", R"({"a":"x\ufffd"})"}, // half a pair alone, whichever
      {R"({"a":"\udc00x"})", R"({"a":"\ufffdx"})"},
      {R"({"a":"\ud83d\ud83d\ude00\u00e9"})", R"({"a":"\ufffd\ud83d\ude00\u00e9"})"},
  };
  for (const auto& [from, to] : cases)
    EXPECT_EQ(repair(from), to) << from;
}

} // namespace
} // namespace prof::json
