// A comparison in words: what a reader is told must be what the figures say.
#include "report/comparison_view.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace prof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Work = std::map<std::pair<std::string, std::string>, WorkTotal>;

Comparison compared(const Work& before, const Work& after, std::int64_t requests = 1) {
  TraceWork a, b;
  a.path = "a.pb", b.path = "b.pb";
  a.requests = b.requests = requests;
  a.levels["op"] = before, b.levels["op"] = after;
  return compare(a, b);
}
// The sentences below the only table.
std::vector<std::string> sentences(const Comparison& c, Lang lang = Lang::en, std::size_t max_rows = 20) {
  return comparison_page(c, lang, max_rows).sections.at(0).paragraphs;
}

struct Told {
  const char* what;
  WorkTotal before, after; // count, total ns
  const char* sentence;
};

// Runs: count; each: total / count. By count (c1-c0)(d0+d1)/2, by duration (d1-d0)(c0+c1)/2; where one grew
// and the other shrank (c1-c0)min(d0,d1) and (d1-d0)min(c0,c1).
class Sentence : public testing::TestWithParam<Told> {};
TEST_P(Sentence, says_both_parts_of_the_change) {
  const Told& told = GetParam();
  Work before, after;
  if (told.before.count > 0) before[{"Conv_1", "Conv"}] = told.before;
  if (told.after.count > 0) after[{"Conv_1", "Conv"}] = told.after;
  EXPECT_EQ(sentences(compared(before, after)).at(0), told.sentence);
}
INSTANTIATE_TEST_SUITE_P(
    Changes, Sentence,
    testing::Values(
        Told{"more runs, each as long",
             {5, 5e6},
             {10, 10e6},
             "Conv_1: +5.00 ms. Times per request: 10 instead of 5, +5.00 ms; each 1.00 ms as before."},
        Told{"as many runs, each longer",
             {4, 4e6},
             {4, 6e6},
             "Conv_1: +2.00 ms. Times per request: 4 as before; each 1.50 ms instead of 1.00 ms, +2.00 ms."},
        Told{"more runs, each shorter, the same in all but for a little",
             {2, 8e6},
             {8, 7.2e6},
             // (8-2)0.9 = 5.4; (0.9-4)2 = -6.2
             "Conv_1: -800 us. Times per request: 8 instead of 2, +5.40 ms; each 900 us instead of 4.00 ms, "
             "-6.20 ms."},
        Told{
            "fewer and shorter",
            {6, 12e6},
            {2, 2e6},
            // (2-6)(2+1)/2 = -6; (1-2)(6+2)/2 = -4
            "Conv_1: -10.0 ms. Times per request: 2 instead of 6, -6.00 ms; each 1.00 ms instead of 2.00 ms, "
            "-4.00 ms."},
        Told{"new", {0, 0}, {3, 6e6}, "Conv_1: +6.00 ms. New: 3 x 2.00 ms."},
        Told{"gone", {3, 6e6}, {0, 0}, "Conv_1: -6.00 ms. Gone: it was 3 x 2.00 ms."}),
    [](const auto& told) {
      std::string name;
      for (const char c : std::string_view(told.param.what))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
      return name;
    });

TEST(ComparisonWords, the_parts_of_all_rows_add_up_to_the_whole_change) {
  // a: +3 x (2+2)/2 = +6 by count; b: (4-1)(2+2)/2 = +6 by duration; c gone: -5 by count.
  const Comparison c = compared({{{"a", ""}, {1, 2e6}}, {{"b", ""}, {2, 2e6}}, {{"c", ""}, {1, 5e6}}},
                                {{{"a", ""}, {4, 8e6}}, {{"b", ""}, {2, 8e6}}});
  EXPECT_THAT(sentences(c).back(), Not(HasSubstr("  ")));
  const std::vector<std::string> all = sentences(c);
  EXPECT_THAT(all, testing::Contains(AllOf(HasSubstr("9.00 ms before, 16.0 ms after: +7.00 ms"),
                                           HasSubstr("+1.00 ms because work ran more or less often"),
                                           HasSubstr("+6.00 ms because runs took longer or shorter"))));
}

TEST(ComparisonWords, only_the_three_largest_changes_are_told_and_none_that_did_not_change) {
  const Comparison c =
      compared({{{"a", ""}, {1, 1e6}}, {{"b", ""}, {1, 1e6}}, {{"c", ""}, {1, 1e6}}, {{"d", ""}, {1, 1e6}}},
               {{{"a", ""}, {1, 2e6}}, {{"b", ""}, {1, 4e6}}, {{"c", ""}, {1, 3e6}}, {{"d", ""}, {1, 5e6}}});
  const std::vector<std::string> all = sentences(c);
  ASSERT_GE(all.size(), 4U);
  EXPECT_THAT(all[0], testing::StartsWith("d: "));
  EXPECT_THAT(all[1], testing::StartsWith("b: "));
  EXPECT_THAT(all[2], testing::StartsWith("c: "));
  EXPECT_THAT(all[3], testing::StartsWith("In all "));
  EXPECT_THAT(sentences(compared({{{"a", ""}, {1, 1e6}}}, {{{"a", ""}, {1, 1e6}}})).at(0),
              testing::StartsWith("In all "));
}

TEST(ComparisonWords, counts_are_per_request_like_the_times) {
  const Comparison c = compared({{{"a", ""}, {8, 8e6}}}, {{{"a", ""}, {16, 16e6}}}, 4);
  EXPECT_EQ(sentences(c).at(0),
            "a: +2.00 ms. Times per request: 4 instead of 2, +2.00 ms; each 1.00 ms as before.");
}

TEST(ComparisonWords, renamed_work_is_named_by_its_type) {
  const Comparison c = compared({{{"/old/Conv", "Conv"}, {1, 1e6}}}, {{{"/new/Conv", "Conv"}, {1, 3e6}}});
  EXPECT_EQ(sentences(c).at(0), "Conv under other names: +2.00 ms. Times per request: 1 as before; each 3.00 "
                                "ms instead of 1.00 ms, +2.00 ms.");
}

TEST(ComparisonWords, the_two_columns_are_explained_before_the_first_table) {
  const PageModel page = comparison_page(compared({{{"a", ""}, {1, 1e6}}}, {}), Lang::en, 20);
  EXPECT_THAT(page.lead.back(), HasSubstr("two parts that add up to it exactly"));
  EXPECT_THAT(comparison_page(compared({}, {}), Lang::en, 20).lead,
              Not(testing::Contains(HasSubstr("two parts"))));
}

TEST(ComparisonWords, one_run_a_side_is_said_to_be_too_few_and_cut_requests_are_counted) {
  Comparison c = compared({{{"a", ""}, {1, 1e6}}}, {{{"a", ""}, {1, 2e6}}}, 5);
  const auto told = [&](Lang lang, const char* words) {
    return std::ranges::count_if(comparison_page(c, lang, 20).lead,
                                 [&](const std::string& line) { return line.find(words) != line.npos; });
  };
  EXPECT_EQ(told(Lang::en, "One run a side: too few to tell a difference from chance"), 1);
  EXPECT_EQ(told(Lang::zh, "不足以区分差异与偶然"), 1);
  EXPECT_EQ(told(Lang::en, "Cut off"), 0);
  c.unfinished_after = 2;
  EXPECT_EQ(told(Lang::en, "in no figure here: 0 of 5 before, 2 of 7 after."), 1);
  EXPECT_EQ(told(Lang::zh, "之前 5 个中有 0 个，之后 7 个中有 2 个"), 1);
  EXPECT_EQ(nlohmann::json::parse(to_json(comparison_doc(c)))["unfinished_after"], 2);
}

TEST(ComparisonWords, chinese_has_no_english_sentence_left) {
  const Comparison c = compared({{{"a", ""}, {5, 5e6}}, {{"b", ""}, {1, 1e6}}},
                                {{{"a", ""}, {10, 9e6}}, {{"n", ""}, {1, 1e6}}});
  for (const std::string& line : sentences(c, Lang::zh))
    for (const char* word : {"uns", "instead", "before", "because", "New", "Gone"})
      EXPECT_THAT(line, Not(HasSubstr(word)));
}

TEST(ComparisonWords, a_name_cannot_end_its_line_or_open_markup) {
  const Comparison c = compared({}, {{{"\"><script>\x1b[31m\n# forged", ""}, {1, 1e6}}});
  const std::string text = page_text(comparison_page(c, Lang::en, 20), 100);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_THAT(page_markdown(comparison_page(c, Lang::en, 20)),
              AllOf(Not(HasSubstr("<script>")), Not(HasSubstr("\n# forged"))));
}

TEST(ComparisonDoc, every_row_has_both_effects_and_they_sum_to_its_change) {
  const Comparison c = compared({{{"a", ""}, {5, 5e6}}, {{"b", "T"}, {3, 7e6}}},
                                {{{"a", ""}, {7, 9e6}}, {{"z", "T"}, {2, 4e6}}});
  const auto doc = nlohmann::json::parse(to_json(comparison_doc(c)));
  const auto& rows = doc["levels"][0]["rows"];
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& row : rows)
    EXPECT_NEAR(row["count_effect_ns"].get<double>() + row["duration_effect_ns"].get<double>(),
                row["total_after_ns"].get<double>() - row["total_before_ns"].get<double>(), 1e-6)
        << row;
}

TEST(ComparisonDoc, says_of_which_side_something_is_missing) {
  TraceWork whole, cut;
  cut.lost = 7, cut.is_incomplete = true;
  const auto doc = [](const TraceWork& a, const TraceWork& b) {
    return nlohmann::json::parse(to_json(comparison_doc(compare(a, b))));
  };
  const nlohmann::json after = doc(whole, cut), before = doc(cut, whole), none = doc(whole, whole);
  EXPECT_EQ(after["lost_events_before"], 0);
  EXPECT_EQ(after["lost_events_after"], 7);
  EXPECT_EQ(after["incomplete_before"], false);
  EXPECT_EQ(after["incomplete_after"], true);
  EXPECT_EQ(before["lost_events_before"], 7);
  EXPECT_EQ(before["incomplete_before"], true);
  EXPECT_EQ(none["incomplete_before"], false);
  EXPECT_TRUE(compare(whole, cut).has_losses());
  EXPECT_FALSE(compare(whole, whole).has_losses());
}

TEST(Comparison, tells_a_conversion_from_another_model) {
  Comparison c = compared({{{"/b/Pow", "Pow"}, {1, 400}}}, {{{"Gelu_1", "Gelu"}, {1, 100}}});
  for (const CheckState state : {CheckState::unknown, CheckState::warn, CheckState::fail}) {
    c.one_model = state;
    EXPECT_THAT(sentences(c).back(), HasSubstr("may run different models"));
  }
  c.one_model = CheckState::pass;
  EXPECT_THAT(sentences(c).back(),
              AllOf(HasSubstr("a conversion of the model"), Not(HasSubstr("different"))));
  EXPECT_THAT(sentences(c, Lang::zh).back(), HasSubstr("模型经转换"));
}

TEST(Comparison, tells_the_device_where_there_is_one) {
  Comparison c = compared({}, {});
  const auto page = [&](Lang lang) { return page_text(comparison_page(c, lang, 20), 300); };
  EXPECT_THAT(page(Lang::en), Not(HasSubstr("device")));
  c.device_busy_before_ns = 2e6;
  EXPECT_THAT(page(Lang::en), HasSubstr("Only the baseline has a device, which was busy for 2.00 ms"));
  c.device_busy_after_ns = 3e6;
  EXPECT_THAT(page(Lang::en),
              HasSubstr("The device was busy for 2.00 ms before and 3.00 ms after: +1.00 ms (+50.0 %)"));
  EXPECT_THAT(page(Lang::zh), HasSubstr("设备忙碌时间：之前 2.00 ms"));
  EXPECT_EQ(nlohmann::json::parse(to_json(comparison_doc(c)))["device_busy_after_ns"], 3e6);
}

} // namespace
} // namespace prof
