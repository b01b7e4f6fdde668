// The message catalogue: what tools/embed_knowledge.py cannot see.
#include "base/lang.hpp"

#include <algorithm>
#include <gtest/gtest.h>

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

TEST(Texts, zh_is_chosen_by_locale_names) {
  EXPECT_EQ(lang_from("zh_CN.UTF-8"), Lang::zh);
  EXPECT_EQ(lang_from("C.UTF-8"), Lang::en);
}

} // namespace
} // namespace prof
