// What a trace lacks, in words that a command prints.
#include "store/losses.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

struct Lost {
  const char* code;
  std::int64_t count;
  const char* where;
  Severity severity = Severity::data_loss;
};

Store store_with(const std::vector<Lost>& notes) {
  StoreBuilder builder;
  for (const Lost& note : notes)
    builder.note({.severity = note.severity,
                  .code = builder.intern(note.code),
                  .count = note.count,
                  .where = builder.intern(note.where)});
  return builder.seal();
}

TEST(Losses, of_a_whole_trace_are_none) {
  const Store store = store_with({{"note.tracefile.unfinished", 3, "1700", Severity::notice}});
  EXPECT_FALSE(losses_of(store).is_any());
  EXPECT_EQ(losses_text(store, losses_of(store), Lang::en), "");
}

TEST(Losses, say_where_a_file_is_damaged_and_how_many_records_are_known_to_be_lost) {
  const Store store = store_with({{"note.tracefile.cut", 1, "offset 98304"},
                                  {"note.tracefile.no_state", 5, ""},
                                  {"note.sdk_dropped", 2, ""}});
  const Losses losses = losses_of(store);
  EXPECT_TRUE(losses.is_incomplete());
  EXPECT_EQ(losses.records, 7);
  EXPECT_EQ(losses_text(store, losses, Lang::en), "the file ends in the middle of a packet; everything "
                                                  "before it was read (offset 98304); records lost: 7");
  EXPECT_EQ(losses_text(store, losses, Lang::zh),
            "文件在一个数据包中间结束；此前的内容均已读取 (offset 98304); 丢失的记录数：7");
}

} // namespace
} // namespace prof
