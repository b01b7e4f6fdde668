// The message catalogue: what tools/embed_knowledge.py cannot see.
#include "base/lang.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <regex>

namespace prof {
namespace {

TEST(Texts, every_text_is_found_by_its_id_in_both_languages) {
  ASSERT_FALSE(all_texts().empty());
  for (const TextRow& row : all_texts()) {
    EXPECT_EQ(text(Lang::en, row.id), row.en);
    EXPECT_EQ(text(Lang::zh, row.id), row.zh);
  }
}

TEST(Texts, an_unknown_id_comes_back_as_itself) {
  EXPECT_EQ(text(Lang::en, "no.such.text"), "no.such.text");
}

// "1 requests" and "1 threads" were all over the reports.
TEST(Texts, a_word_goes_with_its_number) {
  const auto words = [](std::string_view pattern, const auto&... args) {
    return choose_words(pattern, fmt::make_format_args(args...));
  };
  const std::string_view pattern = "{n} {n#request was|requests were} {x}";
  EXPECT_EQ(words(pattern, fmt::arg("n", 1)), "{n} request was {x}");
  EXPECT_EQ(words(pattern, fmt::arg("n", 0)), "{n} requests were {x}");
  EXPECT_EQ(words(pattern, fmt::arg("n", std::size_t{2})), "{n} requests were {x}");
  EXPECT_EQ(words(pattern, fmt::arg("n", 1.0)), "{n} request was {x}");
  EXPECT_EQ(words(pattern, fmt::arg("n", std::string("1"))), "{n} request was {x}");
  EXPECT_EQ(words(pattern, fmt::arg("n", std::string_view("10"))), "{n} requests were {x}");
  EXPECT_EQ(words("{n#one|many}", fmt::arg("m", 1)), "{n#one|many}") << "no such value: left as it is";
  EXPECT_EQ(words("a # b {n} {", fmt::arg("n", 1)), "a # b {n} {");
  EXPECT_EQ(say(Lang::en, "info.process", fmt::arg("pid", 7), fmt::arg("name", "svc"), fmt::arg("threads", 1),
                fmt::arg("slices", 2), fmt::arg("samples", 1)),
            "7  svc: 1 thread, 2 slices, 1 sample");
}

// Every text with a number and a noun in the plural behind it has the singular too.
TEST(Texts, no_number_stands_before_a_plural_that_never_changes) {
  const std::regex fixed(R"(\{(n|all|steps|files|events|samples|slices|threads|rows|items)\} )"
                         R"((rows|samples|notes|events|requests|threads|cores|causes|steps|slices|items)\b)");
  for (const TextRow& row : all_texts())
    EXPECT_FALSE(std::regex_search(std::string(row.en), fixed)) << row.id << ": " << row.en;
}

// `info nofile --lang zh` said it in English.
TEST(Texts, an_error_of_the_catalogue_is_said_in_the_language_of_its_reader) {
  const Error error = error_said(Errc::missing, "error.no_file", "t.pb");
  EXPECT_EQ(said_in(error, Lang::en), "no such file");
  EXPECT_EQ(said_in(error, Lang::zh), "没有这个文件");
  EXPECT_EQ(error.where, "t.pb");
  EXPECT_EQ(said_in(Error{Errc::io, "only English", {}}, Lang::zh), "only English");
}

// One thing has one name: trace 跟踪, span and slice 区间, latency 延迟, profiler 分析器, kernel of a device
// 内核.
TEST(Texts, no_chinese_text_calls_a_thing_by_a_second_name) {
  for (const std::string_view other : {"轨迹", "切片", "片段", "时延", "剖析", "核函数", "跨度"}) {
    for (const TextRow& row : all_texts())
      EXPECT_EQ(row.zh.find(other), std::string_view::npos) << row.id << ": " << row.zh;
    for (const KnowledgeFile& file :
         knowledge_files()) // rules, actions and metrics: both languages in one file
      EXPECT_EQ(file.content.find(other), std::string_view::npos) << file.path << ": " << other;
  }
}

TEST(Texts, zh_is_chosen_by_locale_names) {
  EXPECT_EQ(lang_from("zh_CN.UTF-8"), Lang::zh);
  EXPECT_EQ(lang_from("C.UTF-8"), Lang::en);
}

} // namespace
} // namespace prof
