// span_join gives every pair of intervals that meet, once, with what they have in common: the answer of
// comparing each with each.
#include "store/sql.hpp"
#include "trace_builder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sqlite3.h>

namespace prof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Every row as "a|b|c"; an error as its text.
std::vector<std::string> rows(const Store& store, const std::string& query) {
  auto sql = Sql::open(store);
  const auto result = sql->query(query);
  if (!result) return {"error: " + result.error().what};
  std::vector<std::string> out;
  for (const auto& row : result->rows) {
    std::string line;
    for (const SqlValue& value : row) {
      if (!line.empty()) line += '|';
      if (const auto* number = std::get_if<std::int64_t>(&value))
        line += std::to_string(*number);
      else if (const auto* text = std::get_if<std::string>(&value))
        line += *text;
      else
        line += "NULL";
    }
    out.push_back(line);
  }
  return out;
}
Store empty_store() {
  StoreBuilder builder;
  return builder.seal();
}

struct Row {
  std::int64_t ts, dur, id, owner;
};
std::string query_of(const std::vector<Row>& all, bool has_owner) {
  std::string values;
  for (const Row& row : all)
    values += fmt::format("{}({},{},{},{})", values.empty() ? "" : ",", row.ts, row.dur, row.id, row.owner);
  return fmt::format("select column1, column2, column3{} from (values {})", has_owner ? ", column4" : "",
                     values);
}

// Small numbers, so that starts, ends and owners often fall together; a third of them have no length.
std::vector<Row> random_rows(std::mt19937& random, int count) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  std::vector<Row> all;
  for (int i = 0; i < count; ++i)
    all.push_back({below(60) - 20, below(3) == 0 ? 0 : below(25), i, below(4)});
  return all;
}

// A point stands for the nanosecond it lies in when it is asked whether it meets another.
bool meets(const Row& a, const Row& b) {
  const auto end = [](const Row& row) { return row.ts + std::max<std::int64_t>(row.dur, 1); };
  return a.ts < end(b) && b.ts < end(a);
}

TEST(SpanJoin, gives_what_comparing_each_with_each_gives) {
  const Store store = empty_store();
  std::mt19937 random(11);
  std::size_t points = 0, touching = 0;
  for (const bool has_owner : {false, true})
    for (const auto& [n, m] :
         {std::pair(300, 200), std::pair(1, 300), std::pair(250, 1), std::pair(40, 40)}) {
      const std::vector<Row> left = random_rows(random, n), right = random_rows(random, m);
      std::vector<std::string> want;
      for (const Row& a : left)
        for (const Row& b : right) {
          touching += a.dur > 0 && b.dur > 0 && a.ts + a.dur == b.ts ? 1 : 0;
          if (!meets(a, b) || (has_owner && a.owner != b.owner)) continue;
          points += a.dur == 0 || b.dur == 0 ? 1 : 0;
          const std::int64_t from = std::max(a.ts, b.ts);
          want.push_back(fmt::format("{}|{}|{}|{}|{}", from,
                                     std::max<std::int64_t>(0, std::min(a.ts + a.dur, b.ts + b.dur) - from),
                                     a.id, b.id, has_owner ? std::to_string(a.owner) : "NULL"));
        }
      auto got =
          rows(store, fmt::format("select ts, dur, left_id, right_id, owner from span_join('{}', '{}')",
                                  query_of(left, has_owner), query_of(right, has_owner)));
      std::ranges::sort(want);
      std::ranges::sort(got);
      EXPECT_EQ(got, want) << n << " with " << m << (has_owner ? " by owner" : "");
    }
  EXPECT_GT(points, 1000U);
  EXPECT_GT(touching, 500U);
}

TEST(SpanJoin, comes_in_order_of_owner_then_time) {
  std::mt19937 random(12);
  const auto got =
      rows(empty_store(),
           fmt::format("select count(*) from (select owner, ts, lag(owner) over () as o, lag(ts) "
                       "over () as t from span_join('{}', '{}')) where (owner, ts) < (o, t)",
                       query_of(random_rows(random, 200), true), query_of(random_rows(random, 200), true)));
  EXPECT_THAT(got, ElementsAre("0"));
}

// Two CPUs; worker waits in [300, 500) and [700, 900).
TEST(SpanJoin, says_who_ran_on_the_cpus_while_a_thread_waited) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.thread(7, 71, "greedy"), t.thread(8, 80, "other");
  t.switch_to(100, 0, 0, 'R', 70)
      .switch_to(300, 0, 70, 'R', 71) // preempted
      .switch_to(500, 0, 71, 'S', 70)
      .switch_to(600, 0, 70, 'S', 0)
      .wake(700, 70, 80)
      .switch_to(900, 0, 0, 'R', 70)
      .switch_to(1000, 0, 70, 'S', 0);
  t.switch_to(450, 1, 0, 'R', 80).switch_to(750, 1, 80, 'S', 71).switch_to(950, 1, 71, 'S', 0);
  const Store store = t.seal();
  EXPECT_THAT(
      rows(store,
           fmt::format("select t.name, j.ts, j.dur, r.cpu from span_join('select ts, dur, id from runnable "
                       "where thread_id = {}', 'select ts, dur, id from sched') j join sched r on r.id = "
                       "j.right_id join thread t on t.id = r.thread_id",
                       worker.thread.row)),
      ElementsAre("greedy|300|200|0", "other|450|50|1", "other|700|50|1", "greedy|750|150|1"));
}

TEST(SpanJoin, of_a_thread_with_itself_is_by_owner) {
  TraceBuilder t;
  const auto a = t.thread(7, 70, "a"), b = t.thread(7, 71, "b");
  t.slice("first", "span", a.track, 0, 400).slice("second", "span", b.track, 100, 300);
  t.runs(a, 0, {{0, 100}, {250, 600}}).runs(b, 1, {{0, 200}, {260, 600}});
  EXPECT_THAT(
      rows(t.seal(),
           "select s.name, sum(j.dur) from span_join('select s.ts, s.dur, s.id, t.thread_id from slice s "
           "join track t on t.id = s.track_id', 'select ts, dur, id, thread_id from thread_state where "
           "state = ''sleeping''') j join slice s on s.id = j.left_id group by 1 order by 1"),
      ElementsAre("first|150", "second|60"));
}

TEST(SpanJoin, takes_two_queries_that_read_and_says_what_is_wrong_with_them) {
  struct Case {
    std::string arguments, want;
  };
  const std::string good = "'select 0, 10, 1'";
  for (const Case& c : {
           Case{good + ", " + good, "0|10|1|1|NULL"},
           Case{good + ", 'select 10, 5, 2'", ""},                  // they touch
           Case{good + ", 'select 9, 0, 2; '", "9|0|1|2|NULL"},     // a point inside
           Case{good + ", 'select null, 5, 2'", ""},                // no time
           Case{good + ", 'select 5, 5, null'", "5|5|1|NULL|NULL"}, // no id
           Case{good + ", 'select 5, -5, 2'", "5|0|1|2|NULL"},      // no length below zero
           // the first and the last time there is
           Case{"'select 0, 9223372036854775807, 1', 'select 9223372036854775807, 0, 2'", ""},
           Case{"'select 1, 9223372036854775806, 1', 'select 9223372036854775806, 1, 2'",
                "9223372036854775806|1|1|2|NULL"},
           Case{"'select 9223372036854775807, 0, 1', 'select 9223372036854775807, -1, 2'",
                "9223372036854775807|0|1|2|NULL"},
           Case{"'select -9223372036854775807 - 1, 9223372036854775807, 1', "
                "'select -9223372036854775807 - 1, 7, 2'",
                "-9223372036854775808|7|1|2|NULL"},
           Case{"'select -9223372036854775807 - 1, 0, 1', 'select -5, 5, 2'", ""},
           Case{good + ", 'select 9223372036854775807, 1, 2'", "ts + dur is larger"},
           Case{"'select 1, 9223372036854775807, 1', " + good, "ts + dur is larger"},
           Case{good, "two queries"},
           Case{good + ", null", "two queries"},
           Case{good + ", ''", "each text is one query"},
           Case{good + ", 'select 1, 2, 3; select 1, 2, 3'", "each text is one query"},
           Case{good + ", 'select 1, 2'", "ts, dur, id"},
           Case{good + ", 'select 1.5, 2, 3'", "whole numbers"},
           Case{good + ", 'select 1, ''2'', 3'", "whole numbers"},
           Case{good + ", 'select 1, 2, 3, 4'", "owner"},
           Case{good + ", 'select 1, 2, x'", "no such column"},
           Case{good + ", 'delete from thread'", "error"},
           Case{good + ", 'attach ''x'' as y'", "error"},
           Case{good + ", 'select 1, 2, 3 from pragma_database_list'", "error"},
       }) {
    const auto got = rows(empty_store(), fmt::format("select * from span_join({})", c.arguments));
    const bool is_error = got.size() == 1 && got[0].starts_with("error");
    if (is_error)
      EXPECT_THAT(got[0], HasSubstr(c.want)) << c.arguments;
    else
      EXPECT_EQ(got.empty() ? "" : got[0], c.want) << c.arguments;
  }
}

TEST(SpanJoin, without_end_ends_at_the_memory_limit) {
  const Store store = empty_store();
  auto sql = Sql::open(store);
  const sqlite3_int64 before = sqlite3_hard_heap_limit64(16 << 20);
  const auto result = sql->query("select count(*) from span_join('with recursive c(x) as (select 1 union all "
                                 "select x + 1 from c) select x, 5, x from c', 'select 0, 1, 2')");
  sqlite3_hard_heap_limit64(before);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Errc::budget) << result.error().what;
}

} // namespace
} // namespace prof
