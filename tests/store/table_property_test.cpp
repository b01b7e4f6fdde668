// Tables and functions of docs/sql.md against the same figure counted the slow way: random small traces,
// fixed seeds.
#include "random_service.hpp"
#include "store/intervals.hpp"
#include "store/sql.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <set>

namespace prof {
namespace {

std::int64_t number(const SqlValue& value) {
  const auto* i = std::get_if<std::int64_t>(&value);
  return i == nullptr ? -1 : *i; // NULL, of an id
}

std::vector<std::vector<SqlValue>> ask(Sql& sql, const std::string& query) {
  auto result = sql.query(query);
  EXPECT_TRUE(result.ok()) << query << ": " << (result ? "" : result.error().what);
  return result ? std::move(result->rows) : std::vector<std::vector<SqlValue>>{};
}

// Slices of two threads, told in a random order. Slice i has the name "s<i>".
struct RandomSlices {
  explicit RandomSlices(std::uint64_t seed) : dice(seed) {
    static constexpr std::array<std::string_view, 4> kWords{words::kStage, words::kOp, words::kOp,
                                                            words::kSpan};
    std::vector<TraceBuilder::Worker> workers{t.thread(7, 70, "a"), t.thread(7, 71, "b")};
    for (int thread = 0; thread < 2; ++thread) {
      std::vector<Span> spans;
      nest_spans(dice, {0, 250}, 0, spans);
      for (const Span& span : spans)
        told.push_back({span, "", std::string(kWords[static_cast<std::size_t>(dice.below(4))]), thread});
    }
    dice.shuffle(told);
    for (std::size_t i = 0; i < told.size(); ++i) {
      told[i].name = "s" + std::to_string(i);
      TraceBuilder::SliceOptions options;
      options.flows_out = {i + 1};
      t.slice(told[i].name, told[i].category, workers[static_cast<std::size_t>(told[i].thread)].track,
              told[i].span.from, told[i].span.to, options);
    }
  }
  // Those around slice i, innermost first.
  [[nodiscard]] std::vector<std::size_t> around(std::size_t i) const {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < told.size(); ++k)
      if (k != i && told[k].thread == told[i].thread && told[k].span.from <= told[i].span.from &&
          told[i].span.to <= told[k].span.to)
        out.push_back(k);
    std::ranges::sort(out, {}, [&](std::size_t k) { return told[k].span.to - told[k].span.from; });
    return out;
  }
  [[nodiscard]] std::int64_t nearest_around(std::size_t i, std::string_view category) const {
    for (const std::size_t k : around(i))
      if (told[k].category == category) return static_cast<std::int64_t>(k);
    return -1;
  }

  TraceBuilder t;
  Dice dice;
  std::vector<ToldSlice> told;
};

constexpr std::uint64_t kSeeds = 60;

TEST(TableProperty, parents_and_depths_are_those_of_the_intervals) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RandomSlices slices(seed);
    const Store store = slices.t.seal();
    auto sql = Sql::open(store);
    const auto rows =
        ask(*sql, "select substr(s.name, 2) + 0, s.depth, substr(p.name, 2) + 0 from slice s left "
                  "join slice p on p.id = s.parent_id");
    ASSERT_EQ(rows.size(), slices.told.size());
    for (const auto& row : rows) {
      const auto around = slices.around(static_cast<std::size_t>(number(row[0])));
      EXPECT_EQ(number(row[1]), static_cast<std::int64_t>(around.size())) << "seed " << seed;
      EXPECT_EQ(number(row[2]), around.empty() ? -1 : static_cast<std::int64_t>(around[0]))
          << "seed " << seed;
    }
  }
}

TEST(TableProperty, self_time_is_where_an_operator_is_the_innermost_one) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RandomSlices slices(seed);
    std::vector<std::int64_t> self(slices.told.size(), 0);
    for (int thread = 0; thread < 2; ++thread)
      for (std::int64_t at = 0; at < 250; ++at) {
        std::int64_t innermost = -1, shortest = 1000;
        for (std::size_t i = 0; i < slices.told.size(); ++i) {
          const ToldSlice& s = slices.told[i];
          if (s.thread != thread || s.category != words::kOp || !s.span.has(at)) continue;
          if (s.span.to - s.span.from >= shortest) continue;
          shortest = s.span.to - s.span.from;
          innermost = static_cast<std::int64_t>(i);
        }
        if (innermost >= 0) ++self[static_cast<std::size_t>(innermost)];
      }
    const Store store = slices.t.seal();
    auto sql = Sql::open(store);
    for (const auto& row : ask(*sql, "select substr(name, 2) + 0, self_dur from op"))
      EXPECT_EQ(number(row[1]), self[static_cast<std::size_t>(number(row[0]))]) << "seed " << seed;
  }
}

TEST(TableProperty, operators_know_their_stage_and_the_operators_beside_them) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RandomSlices slices(seed);
    const auto& told = slices.told;
    // What previous_id and next_id go along: the stage around the operator, else its parent.
    const auto sequence = [&](std::size_t i) {
      const std::int64_t stage = slices.nearest_around(i, words::kStage);
      const auto around = slices.around(i);
      return std::tuple(stage >= 0,
                        stage >= 0       ? stage
                        : around.empty() ? -1
                                         : static_cast<std::int64_t>(around[0]),
                        told[i].thread);
    };
    const auto start = [&](std::size_t i) { return std::pair(told[i].span.from, -told[i].span.to); };
    const Store store = slices.t.seal();
    auto sql = Sql::open(store);
    for (const auto& row :
         ask(*sql,
             "select substr(o.name, 2) + 0, substr(s.name, 2) + 0, substr(p.name, 2) + 0, substr(n.name, 2) "
             "+ 0 "
             "from op o left join slice s on s.id = o.stage_slice_id left join op p on p.id = o.previous_id "
             "left join op n on n.id = o.next_id")) {
      const auto me = static_cast<std::size_t>(number(row[0]));
      std::int64_t previous = -1, next = -1;
      for (std::size_t i = 0; i < told.size(); ++i) {
        if (i == me || told[i].category != words::kOp || sequence(i) != sequence(me)) continue;
        if (start(i) < start(me) && (previous < 0 || start(i) > start(static_cast<std::size_t>(previous))))
          previous = static_cast<std::int64_t>(i);
        if (start(i) > start(me) && (next < 0 || start(i) < start(static_cast<std::size_t>(next))))
          next = static_cast<std::int64_t>(i);
      }
      EXPECT_EQ(number(row[1]), slices.nearest_around(me, words::kStage)) << "seed " << seed;
      EXPECT_EQ(number(row[2]), previous) << "seed " << seed << ", " << told[me].name;
      EXPECT_EQ(number(row[3]), next) << "seed " << seed << ", " << told[me].name;
    }
  }
}

TEST(TableProperty, kernels_lead_back_to_their_launch_and_its_operator) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RandomSlices slices(seed);
    const Id<Stream> streams[] = {slices.t.stream(0, 3), slices.t.stream(1, 0)};
    const auto slice_count = static_cast<std::int64_t>(slices.told.size());
    std::vector<std::size_t> launched_by;
    for (int k = 0; k < 20; ++k) {
      const std::int64_t by = slices.dice.below(slice_count);
      const Span& launch = slices.told[static_cast<std::size_t>(by)].span;
      const std::int64_t from = launch.from + slices.dice.below(50);
      launched_by.push_back(static_cast<std::size_t>(by));
      slices.t.kernel(streams[slices.dice.below(2)], "k" + std::to_string(k), KernelKind::compute, from,
                      from + 5, static_cast<std::uint64_t>(by) + 1);
    }
    const Store store = slices.t.seal();
    auto sql = Sql::open(store);
    const auto rows =
        ask(*sql, "select substr(k.name, 2) + 0, substr(l.name, 2) + 0, substr(o.name, 2) + 0 from "
                  "kernel k left join slice l on l.id = k.launch_id left join op o on o.id = k.op_id");
    ASSERT_EQ(rows.size(), 20U);
    for (const auto& row : rows) {
      const std::size_t by = launched_by[static_cast<std::size_t>(number(row[0]))];
      EXPECT_EQ(number(row[1]), static_cast<std::int64_t>(by)) << "seed " << seed;
      const std::int64_t op = slices.told[by].category == words::kOp ? static_cast<std::int64_t>(by)
                                                                     : slices.nearest_around(by, words::kOp);
      EXPECT_EQ(number(row[2]), op) << "seed " << seed;
    }
    EXPECT_EQ(
        number(ask(*sql, "select count(*) from flow where kernel_in is not null and slice_in is null")[0][0]),
        20);
  }
}

TEST(TableProperty, device_time_counts_every_nanosecond_once) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Dice dice(seed);
    TraceBuilder t;
    constexpr std::int64_t kLength = 300;
    std::vector<std::array<bool, 3>> on(kLength); // of device 0, by kind
    const Id<Stream> streams[] = {t.stream(0, 0), t.stream(0, 1), t.stream(0, 2)}, other = t.stream(1, 0);
    std::int64_t first = kLength, last = 0;
    for (int k = 0; k < 25; ++k) {
      const std::int64_t from = dice.below(250), to = from + dice.between(0, 40);
      const auto kind = static_cast<KernelKind>(dice.below(3));
      t.kernel(streams[dice.below(3)], "k", kind, from, to).kernel(other, "x", kind, from, to);
      for (std::int64_t at = from; at < to; ++at)
        on[static_cast<std::size_t>(at)][static_cast<std::size_t>(kind)] = true;
      first = std::min(first, from);
      last = std::max(last, to);
    }
    std::int64_t compute = 0, communication = 0, memory = 0, overlap = 0, exposed = 0, busy = 0;
    for (const auto& [c, n, m] : on) {
      compute += c;
      communication += n;
      memory += m;
      overlap += c && n;
      exposed += n && !c && !m;
      busy += c || n || m;
    }
    const Store store = t.seal();
    auto sql = Sql::open(store);
    const auto rows =
        ask(*sql, "select window_ns, compute_ns, communication_ns, memory_ns, overlap_ns, "
                  "exposed_communication_ns, busy_ns, idle_ns from device_time order by device");
    ASSERT_EQ(rows.size(), 2U);
    const std::vector<std::int64_t> expected{last - first, compute, communication, memory,
                                             overlap,      exposed, busy,          last - first - busy};
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(number(rows[0][i]), expected[i]) << "seed " << seed << ", column " << i;
    EXPECT_EQ(rows[0], rows[1]); // the same work on one stream
  }
}

TEST(TableProperty, unions_overlaps_and_gaps_are_those_of_the_instants) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Dice dice(seed);
    std::string values;
    std::vector<Interval> intervals;
    std::vector<bool> in(200, false);
    for (int i = 0; i < 15; ++i) {
      const std::int64_t from = dice.below(150) - 30, dur = dice.below(25) - 3; // a negative length is none
      intervals.push_back({from, from + dur});
      values += fmt::format("{}({},{})", i == 0 ? "" : ",", from, dur);
      for (std::int64_t at = from; at < from + dur; ++at)
        in[static_cast<std::size_t>(at + 30)] = true;
    }
    StoreBuilder empty;
    const Store store = empty.seal();
    auto sql = Sql::open(store);
    const std::int64_t covered_ns = std::ranges::count(in, true);
    EXPECT_EQ(number(ask(*sql, "select union_ns(column1, column2) from (values " + values + ")")[0][0]),
              covered_ns);

    const IntervalSet set = union_of(intervals);
    for (std::size_t i = 0; i < set.size(); ++i) {
      EXPECT_LT(set[i].from, set[i].to);
      EXPECT_TRUE(i == 0 || set[i - 1].to < set[i].from) << "touching or unsorted";
    }
    const std::int64_t from = dice.below(100) - 20, to = from + dice.below(60);
    std::int64_t inside = 0;
    for (std::int64_t at = from; at < to; ++at)
      inside += in[static_cast<std::size_t>(at + 30)];
    EXPECT_EQ(covered(set, {from, to}), inside) << "seed " << seed;
    IntervalSet rest = union_of({{from, to}});
    const IntervalSet taken = take(rest, set);
    EXPECT_EQ(length(taken), inside);
    EXPECT_EQ(length(rest), to - from - inside); // the gaps
    EXPECT_EQ(length(common(rest, set)), 0);
    EXPECT_EQ(common(taken, set), taken);

    const auto [a, b] = std::pair(intervals[0], intervals[1]);
    std::int64_t both = 0;
    for (std::int64_t at = -40; at < 200; ++at)
      both += a.from <= at && at < a.to && b.from <= at && at < b.to;
    EXPECT_EQ(number(ask(*sql, fmt::format("select overlap_ns({}, {}, {}, {})", a.from, a.to - a.from, b.from,
                                           b.to - b.from))[0][0]),
              both);
  }
}

// Hyndman and Fan (1996), definition 7: h = (n - 1) p + 1, between the closest two order statistics.
double type_7(std::vector<double> x, double p) {
  std::ranges::sort(x);
  const double h = static_cast<double>(x.size() - 1) * p / 100;
  const auto low = static_cast<std::size_t>(std::floor(h)), high = static_cast<std::size_t>(std::ceil(h));
  return x[low] + (h - std::floor(h)) * (x[high] - x[low]);
}

TEST(TableProperty, percentiles_and_deviations_are_the_textbook_ones) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Dice dice(seed);
    TraceBuilder t;
    const Id<CounterTrack> track = t.sink().counter_track(
        {.name = t.text("c"), .unit = t.text("count"), .cpu = -1, .thread = {}, .process = {}, .device = {}});
    std::vector<double> x;
    for (std::int64_t i = 0, n = dice.between(1, 40); i < n; ++i) {
      x.push_back(static_cast<double>(dice.below(100)) / 4 - 5);
      t.sink().counter(track, Ts{i}, x.back());
    }
    const Store store = t.seal();
    auto sql = Sql::open(store);
    for (const int p : {0, 1, 5, 25, 50, 75, 90, 95, 99, 100})
      EXPECT_NEAR(
          std::get<double>(ask(*sql, fmt::format("select percentile(value, {}) from counter", p))[0][0]),
          type_7(x, p), 1e-12)
          << "seed " << seed << ", p" << p;
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
    double squares = 0;
    for (const double v : x)
      squares += (v - mean) * (v - mean);
    const auto deviation = ask(*sql, "select stddev(value) from counter")[0][0];
    if (x.size() < 2) {
      EXPECT_TRUE(std::holds_alternative<std::monostate>(deviation));
    } else {
      EXPECT_NEAR(std::get<double>(deviation), std::sqrt(squares / static_cast<double>(x.size() - 1)), 1e-9);
    }
  }
}

// Every comparison that a table may answer from an index gives what a full look at the rows gives ("+x" hides
// the column from the index).
TEST(TableProperty, indexes_find_what_a_full_look_finds) {
  static constexpr std::array<std::string_view, 5> kSigns{"=", "<", "<=", ">", ">="};
  static const std::vector<std::pair<std::string, std::string>> kColumns{
      {"slice", "id"},         {"slice", "track_id"},   {"slice", "parent_id"},
      {"slice", "ts"},         {"slice", "name"},       {"op", "ts"},
      {"op", "previous_id"},   {"op", "thread_id"},     {"op", "stage_slice_id"},
      {"kernel", "ts"},        {"kernel", "device"},    {"kernel", "device_id"},
      {"kernel", "stream_id"}, {"kernel", "launch_id"}, {"flow", "slice_out"},
      {"flow", "kernel_in"},   {"track", "thread_id"},  {"counter", "track_id"},
      {"counter", "ts"},       {"sched", "cpu"},        {"thread_state", "thread_id"},
      {"stage", "request_row"}};
  static const std::vector<std::string> kValues{"0",
                                                "1",
                                                "3",
                                                "-1",
                                                "7.0",
                                                "2.5",
                                                "'3'",
                                                "'s5'",
                                                "''",
                                                "null",
                                                "9223372036854775807",
                                                "-9223372036854775808",
                                                "9.3e18",
                                                "-9.3e18",
                                                "4294967295",
                                                "x'03'"};
  RandomSlices slices(3);
  slices.t.kernel(slices.t.stream(0, 3), "k", KernelKind::compute, 3, 9, 1)
      .kernel(slices.t.stream(2, 1), "k", KernelKind::memory, 3, 9, 2);
  slices.t.counter("c", "count", {{0, 1}, {3, 2}, {7, 5}})
      .switch_to(1, 0, 0, 'R', 70)
      .switch_to(9, 3, 71, 'S', 0);
  const Store store = slices.t.seal();
  auto sql = Sql::open(store);
  Dice dice(11);
  for (const auto& [table, column] : kColumns)
    for (const std::string& value : kValues)
      for (const std::string_view sign : kSigns) {
        const bool has_ts = table != "flow" && table != "track";
        const std::string more =
            has_ts && dice.one_in(2) ? fmt::format(" and {{}}ts >= {}", dice.below(40)) : "";
        const auto query = [&](const std::string& plus) {
          const std::string also = more.empty() ? "" : fmt::format(fmt::runtime(more), plus);
          return fmt::format("select rowid, * from {} where {}{} {} {}{} order by 1", table, plus, column,
                             sign, value, also);
        };
        // A typed column turns the other side into its type first, and "+x" has none: those pairs are left
        // out.
        if (column == "name" ? value[0] != '\'' : value == "'3'") continue;
        EXPECT_EQ(ask(*sql, query("")), ask(*sql, query("+"))) << query("");
      }
}

} // namespace
} // namespace prof
