// Where a request's time went, counted nanosecond by nanosecond from the words of docs/sql.md, against what
// the store says of the same random service.
#include "random_service.hpp"
#include "store/request_time.hpp"
#include "store/sql.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>

namespace prof {
namespace {

constexpr std::int64_t kLength = 700;

struct ToldStage {
  Span span;
  int thread = -1; // -1 = on an async track
  std::string wait_class;
  std::vector<std::int64_t> requests;
};

// Two server threads with stages, two pool threads without; one server may have no scheduler data.
struct RandomService {
  explicit RandomService(std::uint64_t seed) : dice(seed) {
    for (int i = 0; i < 4; ++i)
      workers.push_back(t.thread(7, 70 + i, "w" + std::to_string(i)));
    const bool is_one_blind = dice.one_in(3);
    for (std::size_t i = 0; i < workers.size(); ++i) {
      states.push_back(i == 1 && is_one_blind ? std::string() : random_states(dice, kLength));
      tell_states(t, states[i], static_cast<std::int32_t>(i), workers[i].tid);
    }
    for (std::int64_t id = 1; id <= 4; ++id) {
      const std::int64_t from = dice.below(300);
      requests.push_back({from, from + dice.between(100, kLength - 300)});
      t.request(id, requests.back().from, requests.back().to);
    }
    for (int thread = 0; thread < 2; ++thread)
      tell_worker(thread);
    for (const char* wait : {"queue_wait", "batch_wait", "device_wait", "network", "", "queue_wait"}) {
      const std::int64_t from = unused(starts, dice.below(kLength - 150));
      tell_stage({{from, from + dice.between(5, 120)}, -1, wait, some_requests()});
    }
  }

  std::vector<std::int64_t> some_requests() {
    std::vector<std::int64_t> ids{dice.between(1, 4)};
    if (dice.one_in(2)) ids.push_back(dice.between(1, 4));
    return ids;
  }
  // Starts and ends are all different: two stages that tie have no owner that the page names.
  static std::int64_t unused(std::set<std::int64_t>& used, std::int64_t at) {
    while (!used.insert(at).second)
      ++at;
    return at;
  }
  void tell_stage(const ToldStage& stage) {
    TraceBuilder::SliceOptions options;
    for (const std::int64_t id : stage.requests)
      options.numbers.emplace_back("request_id", id);
    if (!stage.wait_class.empty()) options.texts.emplace_back("wait_class", stage.wait_class);
    const Id<Track> track =
        stage.thread < 0 ? t.lane(7, "lane") : workers[static_cast<std::size_t>(stage.thread)].track;
    t.slice("stage", words::kStage, track, stage.span.from, stage.span.to, options);
    stages.push_back(stage);
  }
  void tell_worker(int thread) {
    for (std::int64_t at = dice.below(40); at < kLength - 150;) {
      const std::int64_t from = unused(starts, at), to = unused(ends, from + dice.between(20, 130));
      const bool is_waiting = dice.one_in(6); // a worker that holds a request and says that it waits
      tell_stage({{from, to}, thread, is_waiting ? "device_wait" : "", some_requests()});
      std::vector<Span> inner;
      nest_spans(dice, {from + 1, to - 1}, 0, inner);
      for (const Span& span : inner) {
        static constexpr std::array<std::string_view, 4> kWords{words::kRun, words::kOp, words::kLock,
                                                                words::kSpan};
        const std::string_view word = kWords[static_cast<std::size_t>(dice.below(4))];
        t.slice("inner", word, workers[static_cast<std::size_t>(thread)].track, span.from, span.to);
        slices.push_back({span, "inner", std::string(word), thread});
      }
      at = to + dice.below(30);
    }
  }

  [[nodiscard]] bool is_in(int thread, std::string_view category, std::int64_t at) const {
    return std::ranges::any_of(slices, [&](const ToldSlice& s) {
      return s.thread == thread && s.category == category && s.span.has(at);
    });
  }
  [[nodiscard]] bool is_a_pool_thread(char state, std::int64_t at) const {
    return states[2][static_cast<std::size_t>(at)] == state ||
           states[3][static_cast<std::size_t>(at)] == state;
  }

  // docs/sql.md and request_time.hpp in words: what a thread that has the request does at an instant.
  [[nodiscard]] TimeClass of_thread(int thread, std::int64_t at) const {
    const bool in_op = is_in(thread, words::kOp, at);
    const bool in_run = in_op || is_in(thread, words::kRun, at);
    const bool in_lock = is_in(thread, words::kLock, at);
    const std::string& state = states[static_cast<std::size_t>(thread)];
    switch (state.empty() ? '?' : state[static_cast<std::size_t>(at)]) {
    case 'X':
      return in_op ? TimeClass::cpu_op : TimeClass::cpu_other;
    case 'R':
      return TimeClass::runnable;
    case 'P':
      return TimeClass::preempted;
    case 'D':
      return in_lock ? TimeClass::lock_wait : TimeClass::io;
    case 'S':
      if (in_lock) return TimeClass::lock_wait;
      if (in_run && is_a_pool_thread('X', at)) return TimeClass::cpu_op;
      if (in_run && is_a_pool_thread('R', at)) return TimeClass::runnable;
      if (in_run && is_a_pool_thread('P', at)) return TimeClass::preempted;
      return TimeClass::sleeping;
    default:
      if (in_lock) return TimeClass::lock_wait;
      return in_op                             ? TimeClass::cpu_op
             : in_run                          ? TimeClass::cpu_other
             : is_in(thread, words::kSpan, at) ? TimeClass::host_code
                                               : TimeClass::unexplained;
    }
  }
  [[nodiscard]] static TimeClass of_wait(std::string_view wait) {
    for (const TimeClass one :
         {TimeClass::queue_wait, TimeClass::batch_wait, TimeClass::device_wait, TimeClass::network})
      if (word(one) == wait) return one;
    return TimeClass::unexplained;
  }
  // The stage that has the request at an instant: of those that work the one that ends last, else of those
  // that wait the one that began last.
  [[nodiscard]] const ToldStage* owner(std::int64_t request, std::int64_t at) const {
    const ToldStage *working = nullptr, *waiting = nullptr;
    for (const ToldStage& s : stages) {
      if (!s.span.has(at) || std::ranges::find(s.requests, request) == s.requests.end()) continue;
      if (s.thread >= 0 && s.wait_class.empty()) {
        if (working == nullptr || s.span.to > working->span.to) working = &s;
      } else if (waiting == nullptr || s.span.from > waiting->span.from) {
        waiting = &s;
      }
    }
    return working != nullptr ? working : waiting;
  }
  // Nobody has it: between two stages on one worker it waits while that worker is in stages of others.
  [[nodiscard]] TimeClass of_nobody(std::int64_t request, std::int64_t at) const {
    const Span& all = requests[static_cast<std::size_t>(request - 1)];
    const ToldStage *before = nullptr, *after = nullptr;
    for (std::int64_t i = at; i >= all.from && before == nullptr; --i)
      before = owner(request, i);
    for (std::int64_t i = at; i < all.to && after == nullptr; ++i)
      after = owner(request, i);
    if (before == nullptr || after == nullptr || before->thread < 0 || !before->wait_class.empty() ||
        after->thread != before->thread)
      return TimeClass::unexplained;
    const bool is_busy = std::ranges::any_of(
        stages, [&](const ToldStage& s) { return s.thread == before->thread && s.span.has(at); });
    return is_busy ? TimeClass::queue_wait : TimeClass::unexplained;
  }
  [[nodiscard]] std::map<std::string, std::int64_t> count(std::int64_t request) const {
    std::map<std::string, std::int64_t> ns;
    const Span& all = requests[static_cast<std::size_t>(request - 1)];
    for (std::int64_t at = all.from; at < all.to; ++at) {
      const ToldStage* stage = owner(request, at);
      const TimeClass one = stage == nullptr                                  ? of_nobody(request, at)
                            : stage->thread >= 0 && stage->wait_class.empty() ? of_thread(stage->thread, at)
                                                                              : of_wait(stage->wait_class);
      ++ns[std::string(word(one))];
    }
    return ns;
  }

  TraceBuilder t;
  Dice dice;
  std::vector<TraceBuilder::Worker> workers;
  std::vector<std::string> states;
  std::vector<Span> requests;
  std::vector<ToldStage> stages;
  std::vector<ToldSlice> slices;
  std::set<std::int64_t> starts, ends;
};

std::map<std::string, std::int64_t> of_request(Sql& sql, std::int64_t request) {
  const auto rows = sql.query("select class, ns from request_time t join request r on r.id = t.request_id "
                              "where r.request_id = " +
                              std::to_string(request));
  std::map<std::string, std::int64_t> ns;
  if (!rows) return ns;
  for (const auto& row : rows->rows)
    ns[std::get<std::string>(row[0])] = std::get<std::int64_t>(row[1]);
  return ns;
}

TEST(AccountingProperty, every_nanosecond_of_a_random_service_is_in_the_class_that_the_page_names) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    RandomService service(seed);
    const Store store = service.t.seal();
    auto sql = Sql::open(store);
    ASSERT_TRUE(sql.ok());
    for (std::int64_t request = 1; request <= 4; ++request) {
      const auto expected = service.count(request);
      ASSERT_EQ(of_request(*sql, request), expected) << "seed " << seed << ", request " << request;
      for (const auto& [one, ns] : expected)
        seen.insert(one);
    }
  }
  // The classes that need stacks or counters (page_fault, throttled) have tests of their own.
  EXPECT_EQ(seen, (std::set<std::string>{"cpu_op", "cpu_other", "host_code", "runnable", "preempted",
                                         "lock_wait", "io", "sleeping", "queue_wait", "batch_wait",
                                         "device_wait", "network", "unexplained"}));
}

TEST(AccountingProperty, thread_states_come_back_letter_by_letter) {
  static const std::map<std::string, char> kLetters{
      {"running", 'X'}, {"runnable", 'R'}, {"preempted", 'P'}, {"sleeping", 'S'}, {"blocked", 'D'}};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomService service(seed);
    const Store store = service.t.seal();
    auto sql = Sql::open(store);
    const auto rows = sql->query("select tid, s.ts, s.dur, state, cpu from thread_state s join thread t on "
                                 "t.id = s.thread_id order by tid, s.ts");
    ASSERT_TRUE(rows.ok());
    std::vector<std::string> letters(4);
    for (const auto& row : rows->rows) {
      const auto thread = static_cast<std::size_t>(std::get<std::int64_t>(row[0]) - 70);
      ASSERT_EQ(static_cast<std::int64_t>(letters[thread].size()), std::get<std::int64_t>(row[1]))
          << "a hole";
      const char letter = kLetters.at(std::get<std::string>(row[3]));
      letters[thread].append(static_cast<std::size_t>(std::get<std::int64_t>(row[2])), letter);
      EXPECT_EQ(letter == 'X', std::holds_alternative<std::int64_t>(row[4])) << "a CPU only while running";
    }
    EXPECT_EQ(letters, service.states) << "seed " << seed;
  }
}

TEST(AccountingProperty, sched_and_runnable_say_the_same_as_the_states) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomService service(seed);
    const Store store = service.t.seal();
    auto sql = Sql::open(store);
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string& letters = service.states[i];
      const std::string who =
          " from {} s join thread t on t.id = s.thread_id where t.tid = " + std::to_string(70 + i);
      const auto sum = [&](const std::string& table) {
        const auto rows = sql->query("select ifnull(sum(s.dur), 0)" + std::string(who).replace(6, 2, table));
        return rows ? std::get<std::int64_t>(rows->rows[0][0]) : -1;
      };
      EXPECT_EQ(sum("sched"), std::ranges::count(letters, 'X')) << "seed " << seed;
      EXPECT_EQ(sum("runnable"), std::ranges::count(letters, 'R') + std::ranges::count(letters, 'P'));
    }
  }
}

} // namespace
} // namespace prof
