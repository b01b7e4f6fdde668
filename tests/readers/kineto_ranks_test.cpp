// Folders of Kineto traces, one file for each rank: what two ranks both have is kept apart, times stand on
// one clock, and recordings that do not belong together are not merged.
#include "reader_fixture.hpp"

#include "../import/packing.hpp"
#include "base/file.hpp"

namespace prof::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRank0 = "kineto/hta_trace_filter_rank0.json.gz";
constexpr std::string_view kRank1 = "kineto/hta_trace_filter_rank1.json.gz";

void put(const Scratch& scratch, std::string_view name, std::string_view bytes) {
  fs::create_directories((scratch.path() / name).parent_path());
  (void)scratch.write(bytes, name);
}

// A file as one rank leaves it: an operator from 1000 us on that launches a kernel, and `collectives`
// all-reduces of 10 us that end `late_us` after 2000, 3000, ... us.
struct Made {
  std::string rank = "0";
  std::int64_t base_ns = 0, epoch_us = 0; // baseTimeNanoseconds; what else its times count from
  std::int64_t late_us = 0;
  int collectives = 0;
  std::string pid = "1", name = "python";
};

std::string made(const Made& m) {
  const auto us = [&](std::int64_t at) { return std::to_string(m.epoch_us + at); };
  std::string events = fmt::format(
      R"({{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":{0},"tid":7,"ts":{1},"dur":100,"args":{{"correlation":5}}}},
{{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":{2},"dur":50,"args":{{"device":0,"stream":7,"correlation":5}}}})",
      m.pid, us(1000), us(1200));
  if (!m.name.empty())
    events +=
        fmt::format(R"(,{{"ph":"M","name":"process_name","pid":{},"tid":0,"ts":0,"args":{{"name":"{}"}}}})",
                    m.pid, m.name);
  for (int i = 0; i < m.collectives; ++i)
    events += fmt::format(
        R"(,{{"ph":"X","cat":"kernel","name":"ncclKernel_AllReduce","pid":0,"tid":9,"ts":{},"dur":10,"args":{{"device":0,"stream":9,"correlation":{}}}}})",
        us(2000 + 1000 * i - 10 + m.late_us), 100 + i);
  const std::string info =
      m.rank.empty()
          ? ""
          : fmt::format(R"("distributedInfo":{{"backend":"nccl","rank":{},"world_size":2}},)", m.rank);
  const std::string base = m.base_ns == 0 ? "" : fmt::format(R"(,"baseTimeNanoseconds":{})", m.base_ns);
  return fmt::format(R"({{"schemaVersion":1,{}"traceEvents":[{}]{}}})", info, events, base);
}

constexpr std::int64_t kBase = 1'711'964'646'000'000'000;

// Counts of kernels, copies and fills, and the union of all of them, by a separate program.
TEST(KinetoRanks, of_a_real_job_are_one_trace) {
  const Scratch scratch;
  put(scratch, "a.pt.trace.json.gz", *read_file(data_file(kRank1), 1 << 24));
  put(scratch, "logs/b", ungzip(*read_file(data_file(kRank0), 1 << 24)));
  const Store store = load(scratch.path());
  EXPECT_EQ(ask(store, "select rank, kernels from rank_work order by rank"), "0|1204;1|1154");
  EXPECT_EQ(ask(store, "select pid, rank from process where pid in (4037, 4045) order by pid"),
            "4037|0;4045|1");
  EXPECT_EQ(ask(store, "select value from metadata where key = 'kineto.ranks'"), "2");
  EXPECT_EQ(ask(store, "select value from metadata where key = 'kineto.rank1.file'"), "a.pt.trace.json.gz");
  // The same of each file alone.
  const auto alone = [](std::string_view file) {
    const Store one = load(data_file(file));
    return ask(one,
               "select sum(dur), count(launch_id), count(op_id), union_ns(ts, dur), min(ts) from kernel");
  };
  const auto together = [&](int rank) {
    return ask(
        store,
        fmt::format("select sum(k.dur), count(launch_id), count(op_id), union_ns(ts, k.dur), min(ts) from "
                    "kernel k join stream s on s.id = k.stream_id join device d on d.id = s.device_id "
                    "where d.rank = {}",
                    rank));
  };
  EXPECT_EQ(together(0), alone(kRank0));
  EXPECT_EQ(together(1), alone(kRank1));
}

TEST(KinetoRanks, with_the_same_numbers_are_kept_apart) {
  const Scratch scratch;
  put(scratch, "x", made({.rank = "3", .base_ns = kBase}));
  put(scratch, "y", made({.rank = "8", .base_ns = kBase, .name = ""}));
  const Store store = load(scratch.path());
  EXPECT_EQ(ask(store, "select name, rank from process order by rank"), "python (rank 3)|3;(rank 8)|8");
  EXPECT_EQ(ask(store, "select pid from process where rank = 3"), "1");
  EXPECT_EQ(ask(store, "select name, idx, rank from device order by rank"),
            "GPU 0 (rank 3)|3|3;GPU 0 (rank 8)|8|8");
  // Each kernel was launched by the operator of its own rank.
  EXPECT_EQ(
      ask(store,
          "select d.rank, p.rank from kernel k join stream s on s.id = k.stream_id join device d on d.id = "
          "s.device_id join slice o on o.id = k.launch_id join track t on t.id = o.track_id join process p "
          "on p.id = t.process_id order by 1"),
      "3|3;8|8");
}

TEST(KinetoRanks, stand_on_one_clock_whatever_their_times_count_from) {
  const Scratch scratch;
  put(scratch, "x", made({.rank = "0", .base_ns = kBase}));
  put(scratch, "y", gzip(made({.rank = "1", .base_ns = kBase - 4'000'000'000, .epoch_us = 4'000'000})));
  put(scratch, "z", made({.rank = "2", .epoch_us = kBase / 1000}));
  const Store store = load(scratch.path());
  EXPECT_EQ(ask(store, "select ts from kernel"), "1200000;1200000;1200000");
  EXPECT_EQ(ask(store, "select distinct ts from slice where name = 'aten::mm'"), "1000000");
  EXPECT_EQ(ask(store, "select value from metadata where key = 'start_realtime_ns'"),
            std::to_string(kBase + 1'000'000));
}

// Rank 1 waited 40 us less: it came last, and the others waited for it.
TEST(KinetoRanks, that_came_last_to_the_collectives_are_found_in_sql) {
  const Scratch scratch;
  put(scratch, "x", made({.rank = "0", .collectives = 5}));
  put(scratch, "y", made({.rank = "1", .collectives = 1}));
  const Store store = load(scratch.path());
  EXPECT_EQ(
      ask(store,
          "select rank, compute_ns, communication_ns, behind_ns from rank_work order by behind_ns desc"),
      "1|50000|10000|40000;0|50000|50000|0");
}

TEST(KinetoRanks, say_how_far_apart_collectives_end_on_their_clocks) {
  struct Case {
    std::int64_t late_us;
    int collectives;
    std::string_view pairs, median, notes;
  };
  for (const Case& c : {Case{12, 5, "5", "12000", ""},
                        Case{5000, 5, "5", "5000000", "note.kineto.clocks_apart|rank 1: 5000000 ns"},
                        Case{-5000, 5, "5", "-5000000", "note.kineto.clocks_apart|rank 1: -5000000 ns"},
                        Case{12, 2, "2", "", "note.kineto.clock_unchecked|rank 1"}}) {
    const Scratch scratch;
    put(scratch, "x", made({.rank = "0", .base_ns = kBase, .collectives = c.collectives}));
    put(scratch, "y",
        made({.rank = "1", .base_ns = kBase, .late_us = c.late_us, .collectives = c.collectives}));
    const Store store = load(scratch.path());
    const auto fact = [&](const char* key) {
      return ask(store, fmt::format("select value from metadata where key = 'kineto.rank1.{}'", key));
    };
    EXPECT_EQ(fact("clock_pairs"), c.pairs);
    EXPECT_EQ(fact("clock_difference_ns"), c.median);
    EXPECT_EQ(fact("clock_difference_spread_ns"), c.median.empty() ? "" : "0");
    EXPECT_EQ(ask(store, "select code, location from note where code like 'note.kineto.clock%'"), c.notes);
  }
}

TEST(KinetoRanks, recordings_that_do_not_belong_together_are_listed_and_not_merged) {
  struct Case {
    Made second;
    bool is_one_job;
  };
  const std::int64_t hour = 3600LL * 1'000'000;
  for (const Case& c :
       {Case{{.rank = "1", .base_ns = kBase}, true}, Case{{.rank = "0", .base_ns = kBase}, false},
        Case{{.rank = "", .base_ns = kBase}, false},
        Case{{.rank = "1", .base_ns = kBase, .epoch_us = hour}, true},
        Case{{.rank = "1", .base_ns = kBase, .epoch_us = hour + 1}, false}}) {
    const Scratch scratch;
    put(scratch, "first.json", made({.rank = "0", .base_ns = kBase}));
    put(scratch, "run/second.json", made(c.second));
    StoreBuilder builder;
    const Status status = import_trace(scratch.path(), builder);
    EXPECT_EQ(status.ok(), c.is_one_job) << c.second.rank << " " << c.second.epoch_us;
    if (status) continue;
    EXPECT_EQ(status.error().code, Errc::bad_argument);
    for (const char* name : {"first.json", "run/second.json"})
      EXPECT_NE(status.error().what.find(name), std::string::npos) << status.error().what;
  }
}

// As SGLang and vLLM have them: a preface of their own before the events, and what Kineto knows behind them.
std::string with_preface(std::size_t bytes, std::string_view rank) {
  const std::string text = made({.rank = "", .base_ns = kBase});
  const std::size_t events = text.find("\"traceEvents\"");
  return fmt::format(
      R"({{"metadata":{{"graph":"{}"}},{},"schemaVersion":1{}}})", std::string(bytes, 'x'),
      std::string_view(text).substr(events, text.size() - events - 1),
      rank.empty() ? "" : fmt::format(R"(,"distributedInfo":{{"backend":"nccl","rank":{}}})", rank));
}

TEST(KinetoRanks, a_file_of_a_folder_is_judged_as_it_is_alone) {
  const std::string bare =
      R"([{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":7,"ts":1000,"dur":100}])";
  for (const std::string& other : {with_preface(0, ""), with_preface(26'000, ""), with_preface(70'000, ""),
                                   with_preface(1'000'000, ""), bare})
    for (const bool is_packed : {false, true}) {
      const Scratch scratch;
      put(scratch, "other.json", is_packed ? gzip(other) : other);
      EXPECT_EQ(ask(load(scratch.path()), "select count(*) from slice where name = 'aten::mm'"), "1");
      put(scratch, "first.json", made({.rank = "0", .base_ns = kBase}));
      StoreBuilder builder;
      const Status status = import_trace(scratch.path(), builder);
      ASSERT_FALSE(status.ok()) << other.size() << " " << is_packed;
      for (const char* name : {"first.json", "other.json"})
        EXPECT_NE(status.error().what.find(name), std::string::npos) << status.error().what;
    }
}

TEST(KinetoRanks, with_a_preface_and_their_rank_behind_the_events_are_merged) {
  const Scratch scratch;
  put(scratch, "x", with_preface(70'000, "1"));
  put(scratch, "y", made({.rank = "0", .base_ns = kBase}));
  EXPECT_EQ(ask(load(scratch.path()), "select rank, kernels from rank_work order by rank"), "0|1;1|1");
}

TEST(KinetoRanks, a_file_that_is_alone_is_read_as_it_is) {
  const Scratch scratch;
  put(scratch, "deep/er/x.json", made({.rank = "5", .base_ns = kBase}));
  put(scratch, "notes.txt", "no trace");
  put(scratch, "other.json", R"({"config":1})");
  const Store store = load(scratch.path());
  EXPECT_EQ(ask(store, "select name, rank from process"), "python|-");
  EXPECT_EQ(ask(store, "select name, idx from device"), "GPU 0|0");
}

TEST(KinetoRanks, that_cannot_be_read_cost_themselves) {
  const Scratch scratch;
  const std::string whole = made({.rank = "1", .epoch_us = kBase / 1000, .collectives = 9});
  put(scratch, "a", made({.rank = "0", .epoch_us = kBase / 1000}));
  put(scratch, "b", whole.substr(0, whole.find("ncclKernel")));
  put(scratch, "c", R"({"schemaVersion":1,"distributedInfo":{"rank":2}})");
  const Store store = load(scratch.path());
  EXPECT_EQ(ask(store, "select rank, kernels from rank_work order by rank"), "0|1;1|1");
  EXPECT_EQ(ask(store, "select location from note where code = 'note.kineto.rank_not_read'"), "c");
  EXPECT_EQ(
      ask(store, "select count(*) from note where code = 'note.json.cut' and location like 'rank 1, %'"),
      "1");
}

TEST(KinetoRanks, links_are_not_followed) {
  const Scratch outside, scratch;
  put(outside, "x", made({.rank = "1", .base_ns = kBase}));
  put(scratch, "a", made({.rank = "0", .base_ns = kBase}));
  fs::create_symlink(outside.path() / "x", scratch.path() / "b");
  fs::create_directory_symlink(outside.path(), scratch.path() / "c");
  EXPECT_EQ(ask(load(scratch.path()), "select count(*) from kernel"), "1");
}

TEST(KinetoRanks, survive_the_way_through_pb) {
  const Scratch scratch;
  put(scratch, "x", made({.rank = "0", .base_ns = kBase, .collectives = 3}));
  put(scratch, "y", made({.rank = "1", .base_ns = kBase, .collectives = 3}));
  const char* all = "select * from rank_work order by rank";
  const char* owners = "select name, rank from process order by rank";
  const Store before = load(scratch.path()), after = through_pb(scratch.path());
  EXPECT_EQ(ask(after, all), ask(before, all));
  EXPECT_EQ(ask(after, owners), "python (rank 0)|0;python (rank 1)|1");
}

TEST(KinetoRanks, what_one_rank_lacks_and_others_have_is_said) {
  const auto with = [](std::string text, std::string_view event) {
    return text.insert(text.find("\"traceEvents\":[") + 15, std::string(event) + ",");
  };
  const Scratch scratch;
  put(scratch, "0", made({.rank = "0", .base_ns = kBase, .collectives = 2}));
  put(scratch, "1",
      with(
          with(made({.rank = "1", .base_ns = kBase, .collectives = 3, .pid = "2"}),
               R"({"ph":"X","cat":"python_function","name":"f","pid":2,"tid":7,"ts":900,"dur":9})"),
          R"({"ph":"X","cat":"kernel","name":"softmax","pid":0,"tid":7,"ts":1300,"dur":9,"args":{"device":0,"stream":7}})"));
  EXPECT_EQ(ask(load(scratch.path()), "select code, severity, count, location from note where code like "
                                      "'note.kineto.rank%' order by code"),
            "note.kineto.rank_lacks|notice|2|rank 0: python_function, ncclKernel_AllReduce 2/3;"
            "note.kineto.ranks_differ|info|1|rank 0: softmax");
}

TEST(KinetoRanks, ranks_that_recorded_alike_are_not_said_to_differ) {
  const Scratch scratch;
  put(scratch, "0", made({.rank = "0", .base_ns = kBase, .collectives = 3}));
  put(scratch, "1", made({.rank = "1", .base_ns = kBase, .collectives = 3, .pid = "2"}));
  EXPECT_EQ(ask(load(scratch.path()), "select count(*) from note where code like 'note.kineto.rank%'"), "0");
}

} // namespace
} // namespace prof::testing
