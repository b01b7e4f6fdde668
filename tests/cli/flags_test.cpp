// What stands behind an option: lengths of time and lists, as people write them.
#include "common/cli.hpp"

#include <gtest/gtest.h>
#include <optional>

namespace prof {
namespace {

TEST(Durations, are_read_with_their_unit_and_nothing_else_is) {
  struct Row {
    std::string_view text;
    std::optional<std::int64_t> ns;
  };
  for (const auto& [text, ns] : {
           Row{"300s", 300'000'000'000},
           Row{"5m", 300'000'000'000},
           Row{"5min", 300'000'000'000},
           Row{"1.5h", 5'400'000'000'000},
           Row{"200ms", 200'000'000},
           Row{"7us", 7000},
           Row{"1ns", 1},
           Row{"2", 2'000'000'000},
           Row{"0", 0},
           Row{"1e3s", 1'000'000'000'000},
           Row{"0.5", 500'000'000},
           Row{"", {}},
           Row{"s", {}},
           Row{"-1s", {}},
           Row{"5 s", {}},
           Row{" 5s", {}},
           Row{"5sec", {}},
           Row{"5S", {}},
           Row{"5s ", {}},
           Row{"1,5s", {}},
           Row{"nan", {}},
           Row{"inf", {}},
           Row{"1e300h", {}},
           Row{"99999999999s", {}}, // over 292 years
           Row{"0x10s", {}},
           Row{"\xD9\xA5s", {}}, // an Arabic five
       }) {
    const auto got = parse_duration(text, Lang::en);
    EXPECT_EQ(got.ok(), ns.has_value()) << text;
    if (got.ok() && ns) {
      EXPECT_EQ(*got, *ns) << text;
    }
    if (!got.ok()) {
      EXPECT_EQ(got.error().code, Errc::bad_argument);
      EXPECT_NE(got.error().what.find("300s"), std::string::npos) << "an error says what is allowed";
      const std::string chinese = parse_duration(text, Lang::zh).error().what;
      EXPECT_NE(chinese.find("300s"), std::string::npos) << chinese;
      EXPECT_NE(chinese.find("时长"), std::string::npos) << "in the reader's language";
    }
  }
}

TEST(Lists, lose_their_blanks_and_their_empty_items) {
  using List = std::vector<std::string>;
  for (const auto& [text, list] : std::vector<std::pair<std::string_view, List>>{
           {"a,b , c", {"a", "b", "c"}},
           {"", {}},
           {",,,", {}},
           {" , ", {}},
           {"one", {"one"}},
           {"a b,c", {"a b", "c"}},
           {"p99_latency,", {"p99_latency"}},
           {",a", {"a"}},
           {"\xE8\xAF\x97,\xE6\xB5\xB7", {"\xE8\xAF\x97", "\xE6\xB5\xB7"}},
       })
    EXPECT_EQ(split_list(text), list) << text;
}

} // namespace
} // namespace prof
