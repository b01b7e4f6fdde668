// sql_functions.cpp: percentile(x, p), median(x), stddev(x), union_ns(ts, dur), overlap_ns(ts, dur, ts, dur),
// beside_ns(ts, dur, key).
#include "base/quantile.hpp"
#include "store/intervals.hpp"
#include "store/sql_format.hpp"
#include "store/sql_kept.hpp"
#include "store/sql_module.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace prof::detail {
namespace {

// SQLite hands out zeroed memory for an aggregate; it holds one pointer, freed in the final call.
template <class T>
T*& state_of(sqlite3_context* context) {
  return *static_cast<T**>(sqlite3_aggregate_context(context, sizeof(T*)));
}
template <class T>
T& state(sqlite3_context* context) {
  T*& pointer = state_of<T>(context);
  if (pointer == nullptr) pointer = new T{};
  return *pointer;
}

bool is_number(sqlite3_value* value) {
  return sqlite3_value_numeric_type(value) == SQLITE_INTEGER ||
         sqlite3_value_numeric_type(value) == SQLITE_FLOAT;
}

struct Values {
  Kept<double> x;
  double p = 50;
};

void add_value(sqlite3_context* context, int argc, sqlite3_value** argv) {
  auto& values = state<Values>(context);
  if (argc > 1) values.p = is_number(argv[1]) ? sqlite3_value_double(argv[1]) : std::nan("");
  if (is_number(argv[0]) && !values.x.push(sqlite3_value_double(argv[0])))
    sqlite3_result_error_nomem(context);
}

void end_percentile(sqlite3_context* context) {
  Values*& values = state_of<Values>(context);
  if (values == nullptr) return;
  if (!(values->p >= 0 && values->p <= 100))
    sqlite3_result_error(context, "error.sql_percentile", -1);
  else if (!values->x.all().empty())
    sqlite3_result_double(context, quantile_in_place(values->x.all(), values->p / 100));
  delete values;
  values = nullptr;
}

// Welford's update: stable for values far from zero.
struct Moments {
  std::int64_t n = 0;
  double mean = 0, m2 = 0;
};
void add_moment(sqlite3_context* context, int, sqlite3_value** argv) {
  if (!is_number(argv[0])) return;
  auto& m = *static_cast<Moments*>(sqlite3_aggregate_context(context, sizeof(Moments)));
  const double x = sqlite3_value_double(argv[0]);
  ++m.n;
  const double delta = x - m.mean;
  m.mean += delta / static_cast<double>(m.n);
  m.m2 += delta * (x - m.mean);
}
void end_stddev(sqlite3_context* context) {
  const auto* m = static_cast<Moments*>(sqlite3_aggregate_context(context, sizeof(Moments)));
  if (m != nullptr && m->n > 1)
    sqlite3_result_double(context, std::sqrt(m->m2 / static_cast<double>(m->n - 1)));
}

constexpr std::int64_t kFar = std::int64_t{1} << 61; // as a trace: no difference of two times overflows
// nullopt, and the statement's error is set: a time out of reach. Moved into it, it would give another
// answer.
std::optional<Interval> interval_of(sqlite3_context* context, sqlite3_value* ts, sqlite3_value* dur) {
  const auto is_within = [](sqlite3_value* value, bool may_be_less) {
    constexpr auto kReach = static_cast<double>(kFar);
    if (sqlite3_value_numeric_type(value) == SQLITE_INTEGER) {
      const std::int64_t ns = sqlite3_value_int64(value);
      return ns <= kFar && (may_be_less || ns >= -kFar);
    }
    const double ns = sqlite3_value_double(value);
    return ns <= kReach && (may_be_less || ns >= -kReach);
  };
  if (!is_within(ts, false) || !is_within(dur, true)) {
    sqlite3_result_error(context, "error.sql_time", -1);
    return std::nullopt;
  }
  const std::int64_t at = sqlite3_value_int64(ts);
  return Interval{at, at + std::max<std::int64_t>(sqlite3_value_int64(dur), 0)};
}
void add_interval(sqlite3_context* context, int, sqlite3_value** argv) {
  if (!is_number(argv[0]) || !is_number(argv[1])) return;
  const auto interval = interval_of(context, argv[0], argv[1]);
  if (interval && !state<Kept<Interval>>(context).push(*interval)) sqlite3_result_error_nomem(context);
}
void end_union(sqlite3_context* context) {
  auto*& intervals = state_of<Kept<Interval>>(context);
  sqlite3_result_int64(context, intervals == nullptr ? 0 : union_length(intervals->all()));
  delete intervals;
  intervals = nullptr;
}
// Of intervals with a key (what ran), how much of the time of those without one (what waited) was beside
// them.
struct Beside {
  struct Slot {
    std::int64_t key;
    Interval at;
  };
  struct Edge {
    std::int64_t at;
    std::int64_t depth = 1; // of the edge, then of all until the next
    double waited = 0;      // by all together until here
  };
  Kept<Slot> slots;
  Kept<Edge> edges;
};
void add_beside(sqlite3_context* context, int, sqlite3_value** argv) {
  if (!is_number(argv[0]) || !is_number(argv[1])) return;
  auto& beside = state<Beside>(context);
  const auto at = interval_of(context, argv[0], argv[1]);
  if (!at) return;
  const bool is_kept =
      sqlite3_value_type(argv[2]) == SQLITE_NULL
          ? beside.edges.push({.at = at->from}) && beside.edges.push({.at = at->to, .depth = -1})
          : beside.slots.push({sqlite3_value_int64(argv[2]), *at});
  if (!is_kept) sqlite3_result_error_nomem(context);
}
// What all waited together until `at`: straight between two edges.
double waited_until(std::span<const Beside::Edge> edges, std::int64_t at) {
  const auto next = std::ranges::upper_bound(edges, at, {}, &Beside::Edge::at);
  if (next == edges.begin()) return 0;
  const Beside::Edge& last = *std::prev(next);
  return last.waited + static_cast<double>(last.depth) * static_cast<double>(at - last.at);
}
void end_beside(sqlite3_context* context) {
  Beside*& beside = state_of<Beside>(context);
  std::string json = "{";
  if (beside != nullptr) {
    const auto edges = beside->edges.all();
    const auto slots = beside->slots.all();
    std::ranges::sort(edges, {}, &Beside::Edge::at);
    for (std::size_t i = 1; i < edges.size(); ++i) {
      edges[i].waited = edges[i - 1].waited + static_cast<double>(edges[i - 1].depth) *
                                                  static_cast<double>(edges[i].at - edges[i - 1].at);
      edges[i].depth += edges[i - 1].depth;
    }
    std::ranges::sort(slots, {}, &Beside::Slot::key);
    for (std::size_t i = 0; i < slots.size();) {
      const std::int64_t key = slots[i].key;
      double ns = 0;
      for (; i < slots.size() && slots[i].key == key; ++i)
        ns += waited_until(edges, slots[i].at.to) - waited_until(edges, slots[i].at.from);
      json += fmt::format("{}\"{}\":{}", json.size() > 1 ? "," : "", key,
                          std::llround(std::clamp(ns, 0.0, static_cast<double>(kFar))));
    }
  }
  json += "}";
  sqlite3_result_text64(context, json.data(), json.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  delete beside;
  beside = nullptr;
}
void overlap(sqlite3_context* context, int, sqlite3_value** argv) {
  for (int i = 0; i < 4; ++i)
    if (!is_number(argv[i])) return; // NULL
  const auto a = interval_of(context, argv[0], argv[1]), b = interval_of(context, argv[2], argv[3]);
  if (a && b)
    sqlite3_result_int64(context,
                         std::max<std::int64_t>(0, std::min(a->to, b->to) - std::max(a->from, b->from)));
}

} // namespace

int register_functions(sqlite3* db) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  int status = sqlite3_create_function_v2(db, "percentile", 2, kFlags, nullptr, nullptr, add_value,
                                          end_percentile, nullptr);
  status |= sqlite3_create_function_v2(db, "median", 1, kFlags, nullptr, nullptr, add_value, end_percentile,
                                       nullptr);
  status |=
      sqlite3_create_function_v2(db, "stddev", 1, kFlags, nullptr, nullptr, add_moment, end_stddev, nullptr);
  status |= sqlite3_create_function_v2(db, "union_ns", 2, kFlags, nullptr, nullptr, add_interval, end_union,
                                       nullptr);
  status |=
      sqlite3_create_function_v2(db, "overlap_ns", 4, kFlags, nullptr, overlap, nullptr, nullptr, nullptr);
  status |= sqlite3_create_function_v2(db, "beside_ns", 3, kFlags, nullptr, nullptr, add_beside, end_beside,
                                       nullptr);
  return status | register_format(db);
}

} // namespace prof::detail
