// Sql::keep: rows kept for later queries, and nothing but reading.
#include "store/sql.hpp"
#include "trace_builder.hpp"

#include <gtest/gtest.h>

namespace prof {
namespace {

TEST(SqlKeep, rows_are_kept_under_a_name_and_reading_stays_all_that_is_allowed) {
  TraceBuilder t;
  t.request(1, 0, 100).request(2, 100, 300);
  const Store store = t.seal();
  auto sql = Sql::open(store);
  ASSERT_TRUE(sql.ok());
  ASSERT_TRUE(sql->keep("k", "select id, dur from request -- all").ok());
  const auto sum = sql->query("select sum(dur) from k");
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(std::get<std::int64_t>(sum->rows[0][0]), 300);
  EXPECT_FALSE(sql->query("insert into k values (1, 2)").ok());
  EXPECT_FALSE(sql->query("drop table k").ok());
}

TEST(SqlKeep, refuses_what_is_no_single_query_and_names_that_are_no_names) {
  TraceBuilder t;
  const Store store = t.seal();
  auto sql = Sql::open(store);
  ASSERT_TRUE(sql.ok());
  for (const char* bad :
       {"", "select 1; drop table x", "create table y(a)", "select nope from nowhere", "pragma user_version"})
    EXPECT_FALSE(sql->keep("k", bad).ok()) << bad;
  for (const char* name : {"", "a b", "a\"; drop table x; --", "x.y"})
    EXPECT_FALSE(sql->keep(name, "select 1").ok()) << name;
  ASSERT_TRUE(sql->keep("k", "select 1").ok());
  EXPECT_FALSE(sql->keep("k", "select 2").ok()); // taken
}

} // namespace
} // namespace prof
