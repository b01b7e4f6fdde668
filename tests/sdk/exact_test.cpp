// Exactly n of a thing is exactly n in the trace: 23 by the C interface, and what a full ring, a full table
// or a lack of slots leaves out is counted to the last one.
#include "capture/sdk_services.hpp"
#include "sdk/prof_sdk.hpp"

#include "../under_sanitizer.hpp"
#include "child.hpp"
#include "recording.hpp"

#include <array>
#include <atomic>
#include <barrier>
#include <gmock/gmock.h>
#include <set>
#include <sys/resource.h>
#include <thread>

namespace prof {
namespace {

using test::Child;
using test::MemorySink;
using test::Recorder;
using test::SliceRow;

constexpr std::size_t kTimes = 23;

// Records a program of the build from its birth to its end.
pid_t run_probe(const char* name, const char* argument) {
  const std::string path = (std::filesystem::path(PROF_BINARY_DIR) / "bin" / name).string();
  const pid_t pid = fork();
  if (pid == 0) {
    setenv("PROF_RECORD", "1", 1);
    execl(path.c_str(), name, argument, nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  return pid;
}

class CInterface : public ::testing::Test {
protected:
  CInterface() : recorder(run_probe("c_probe", "23")) { recorder.stop(); }
  Recorder recorder;
  const MemorySink& sink = recorder.sink;
};

TEST_F(CInterface, twenty_three_spans_carry_their_arguments_and_flows) {
  EXPECT_EQ(recorder.ring->service(), "c_probe");
  std::set<std::uint64_t> out, in;
  std::size_t i = 0;
  for (const SliceRow& row : sink.slices) {
    if (row.name == "span") {
      EXPECT_EQ(row.category, "span");
      EXPECT_EQ(row.arg("i"), std::to_string(i));
      EXPECT_EQ(row.arg("half"), std::to_string(static_cast<double>(i) / 2));
      EXPECT_EQ(row.arg("word"), i % 2 == 1 ? "odd" : "even");
      ++i;
    }
    out.insert(row.flows_out.begin(), row.flows_out.end());
    in.insert(row.flows_in.begin(), row.flows_in.end());
  }
  EXPECT_EQ(i, kTimes);
  EXPECT_EQ(out.size(), kTimes);
  EXPECT_EQ(out, in);
}

TEST_F(CInterface, twenty_three_requests_have_each_one_wait_and_one_stage) {
  std::map<std::string, int> requests, waits, stages;
  for (const SliceRow& row : sink.slices) {
    if (row.name == "request") requests[row.arg("request_id")] += 1;
    if (row.name == "queue") waits[row.arg("request_id")] += 1;
    if (row.name == "served") stages[row.arg("request_id")] += 1;
  }
  EXPECT_EQ(requests.size(), kTimes);
  for (const auto& [id, count] : requests) {
    EXPECT_EQ(count, 1) << id;
    EXPECT_EQ(waits[id], 1) << id;
    EXPECT_EQ(stages[id], 1) << id;
  }
  EXPECT_EQ(waits.size(), kTimes);
  EXPECT_EQ(stages.size(), kTimes);
  std::set<std::uint32_t> tracks;
  for (const SliceRow& row : sink.slices)
    if (row.name == "served") tracks.insert(row.track);
  EXPECT_EQ(tracks.size(), 1u) << "all in the second thread";
}

TEST_F(CInterface, twenty_three_operators_and_counter_values) {
  std::vector<double> values;
  for (const auto& row : sink.counters)
    if (row.name == "depth") {
      values.push_back(row.value);
      EXPECT_EQ(row.unit, "count");
    }
  ASSERT_EQ(values.size(), kTimes);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], static_cast<double>(i));
  const std::vector<SliceRow> ops = sink.of("op");
  EXPECT_EQ(ops.size(), kTimes);
  for (const SliceRow& op : ops) {
    EXPECT_EQ(op.name, "conv1");
    EXPECT_EQ(op.arg("input_shapes"), "1,3,8,8");
    EXPECT_EQ(op.args.count("provider"), 0u);
    EXPECT_EQ(op.args.count("input_dtypes"), 0u) << "an empty text says nothing";
  }
}

TEST_F(CInterface, every_end_of_a_request_has_its_word) {
  std::vector<std::string> words;
  for (const SliceRow& row : sink.slices)
    if (row.name == "end") words.push_back(row.arg("status"));
  EXPECT_THAT(words, ::testing::ElementsAre("ok", "error", "timeout", "rejected", "cancelled", "unknown"));
  EXPECT_EQ(recorder.ring->losses().dropped, 0u);
  EXPECT_EQ(recorder.decoder->seen().damaged, 0);
  EXPECT_EQ(recorder.decoder->seen().unclosed, 0);
}

TEST(Exact, what_finds_a_ring_full_is_counted_one_by_one_in_every_thread) {
  sdk::service("exact");
  Recorder recorder(getpid());
  constexpr std::size_t kThreads = 5;
  // Each fills its own ring: 65536 records and a reserve of 256 for the ends of spans.
  constexpr std::array<std::size_t, kThreads> kPut{1, 65'279, 65'280, 65'281, 100'003};
  std::vector<std::thread> threads;
  for (const std::size_t count : kPut)
    threads.emplace_back([count] {
      for (std::size_t i = 0; i < count; ++i)
        prof_counter(PROF_NAME("one by one"), 0, static_cast<double>(count));
    });
  for (std::thread& thread : threads)
    thread.join();
  const MemorySink& sink = recorder.stop();
  std::map<double, std::size_t> kept;
  for (const auto& row : sink.counters)
    kept[row.value] += 1;
  // One record says whose the ring is.
  constexpr std::size_t kRoom = sdk::kRingRecords - sdk::kReservedRecords - 1;
  std::size_t lost = 0;
  for (const std::size_t count : kPut) {
    EXPECT_EQ(kept[static_cast<double>(count)], std::min(count, kRoom));
    lost += count - std::min(count, kRoom);
  }
  EXPECT_EQ(lost, 1u + 2u + 34'724u) << "by hand";
  EXPECT_EQ(recorder.ring->losses().dropped, lost);
}

TEST(Exact, threads_beyond_the_slots_are_counted_as_threads_and_the_next_recording_begins_at_none) {
  sdk::service("exact");
  constexpr std::ptrdiff_t kThreads = sdk::kSlotCount + 101;
  {
    Recorder recorder(getpid());
    std::barrier all_are_there(kThreads);
    std::vector<std::thread> threads;
    for (std::ptrdiff_t i = 0; i < kThreads; ++i)
      threads.emplace_back([&] {
        {
          PROF_SPAN("one of many");
        }
        all_are_there.arrive_and_wait();
        for (std::size_t k = 1; k < kTimes; ++k)
          PROF_SPAN("one of many");
        all_are_there.arrive_and_wait();
      });
    for (std::thread& thread : threads)
      thread.join();
    const MemorySink& sink = recorder.stop();
    EXPECT_EQ(sink.count("one of many"), sdk::kSlotCount * kTimes);
    EXPECT_EQ(recorder.ring->losses().threads_refused, 101u);
    EXPECT_EQ(recorder.ring->losses().dropped, 0u);
  }
  Recorder second(getpid());
  {
    PROF_SPAN("room again");
  }
  EXPECT_EQ(second.stop().count("room again"), 1u);
  EXPECT_EQ(second.ring->losses().threads_refused, 0u);
}

TEST(Exact, ten_thousand_threads_one_after_another_are_all_there) {
  sdk::service("exact");
  Recorder recorder(getpid());
  std::set<std::int64_t> tids;
  constexpr std::size_t kRounds = 40, kAtOnce = 250;
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::vector<std::thread> threads;
    std::mutex mutex;
    for (std::size_t i = 0; i < kAtOnce; ++i)
      threads.emplace_back([&] {
        PROF_SPAN("short life");
        const std::lock_guard<std::mutex> held(mutex);
        tids.insert(gettid());
      });
    for (std::thread& thread : threads)
      thread.join();
    recorder.drain();
  }
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.count("short life"), kRounds * kAtOnce);
  EXPECT_EQ(recorder.ring->losses().threads_refused, 0u);
  for (const SliceRow& row : sink.slices)
    EXPECT_TRUE(tids.contains(sink.track_tids.at(row.track)));
}

TEST(Exact, a_million_names_take_no_more_memory_than_the_table_and_the_rest_is_counted) {
  int result[2];
  ASSERT_EQ(pipe(result), 0);
  Child child(
      [&] {
        sdk::service("a million");
        rusage before{}, after{};
        getrusage(RUSAGE_SELF, &before);
        std::set<prof_name> ids;
        std::size_t refused = 0;
        for (int i = 0; i < 1'000'000; ++i) {
          const prof_name id = sdk::intern("name " + std::to_string(i));
          if (id == 0)
            ++refused;
          else
            ids.insert(id);
        }
        getrusage(RUSAGE_SELF, &after);
        const std::array<std::size_t, 3> told{ids.size(), refused,
                                              static_cast<std::size_t>(after.ru_maxrss - before.ru_maxrss)};
        (void)!write(result[1], told.data(), sizeof told);
      },
      [] {
        const sdk::Span span(sdk::intern("name 7"));
        const sdk::Span nameless(sdk::intern("name 999999"));
      });
  std::array<std::size_t, 3> told{};
  ASSERT_EQ(read(result[0], told.data(), sizeof told), static_cast<ssize_t>(sizeof told));
  EXPECT_EQ(told[0], 32'766u) << "half of the index of 65536, without the service's and the program's names";
  EXPECT_EQ(told[1], 1'000'000u - told[0]);
#ifndef PROF_UNDER_TSAN
  EXPECT_LT(told[2], 16u * 1024) << "KiB: 8 MiB of table, 1 MiB of index, and this test's own set";
#endif
  Recorder recorder(child.pid());
  EXPECT_EQ(recorder.ring->losses().names_lost, told[1]);
  child.go();
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.count("name 7"), 1u);
  EXPECT_EQ(sink.count(""), 1u);
  close(result[0]);
  close(result[1]);
}

TEST(Exact, more_operators_than_the_table_holds_run_without_a_name_and_are_counted) {
  sdk::service("exact");
  Recorder recorder(getpid());
  constexpr std::uint32_t kDefined = sdk::kOpCount / 2 + 1000;
  std::uint32_t kept = 0;
  prof_op last = 1;
  for (std::uint32_t i = 0; i < kDefined; ++i) {
    const std::string name = "op " + std::to_string(i % 200), shape = std::to_string(i / 200); // few texts
    const prof_op_info info{.name = name.c_str(),
                            .op_type = "Add",
                            .model = nullptr,
                            .provider = nullptr,
                            .input_shapes = shape.c_str(),
                            .output_shapes = nullptr,
                            .input_dtypes = nullptr};
    last = prof_op_define(&info);
    kept += last != 0 ? 1 : 0;
  }
  EXPECT_EQ(kept, sdk::kOpCount / 2 - 1) << "row 0 is none";
  EXPECT_EQ(last, 0u);
  {
    const sdk::Op nameless(last);
  }
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(recorder.ring->losses().ops_lost, kDefined - kept);
  ASSERT_EQ(sink.of("op").size(), 1u);
  EXPECT_EQ(sink.of("op")[0].name, "");
  EXPECT_EQ(recorder.decoder->seen().damaged, 0) << "an operator that found no room is no forgery";
}

TEST(Exact, waits_of_a_request_that_began_in_an_earlier_recording_are_kept) {
  sdk::service("exact");
  prof_request request = 0;
  {
    Recorder first(getpid());
    request = prof_request_begin(PROF_NAME("long"));
    first.stop();
  }
  ASSERT_NE(request, 0u);
  Recorder second(getpid());
  const std::uint64_t begin = prof_ticks();
  prof_wait_begin(request, PROF_NAME("ended"), begin, PROF_DEVICE_WAIT);
  prof_wait(request, PROF_NAME("ended"), begin, prof_ticks(), PROF_DEVICE_WAIT);
  prof_wait_begin(request, PROF_NAME("open"), prof_ticks(), PROF_NETWORK);
  const MemorySink& sink = second.stop();
  EXPECT_EQ(sink.one("ended").arg("wait_class"), "device_wait");
  EXPECT_EQ(sink.one("ended").args.count("unfinished"), 0u);
  EXPECT_EQ(sink.one("open").arg("wait_class"), "network");
  EXPECT_EQ(sink.one("open").arg("unfinished"), "true");
  EXPECT_EQ(sink.one("open").arg("request_id"), std::to_string(prof_request_id(request)));
  EXPECT_EQ(sink.count("long"), 0u) << "when it began is not known to this recording";
}

TEST(Exact, a_batch_of_every_wait_class_is_told_by_its_word) {
  sdk::service("exact");
  Recorder recorder(getpid());
  const prof_request request = prof_request_begin(PROF_NAME("r"));
  for (const prof_wait_class wait_class :
       {PROF_QUEUE_WAIT, PROF_BATCH_WAIT, PROF_DEVICE_WAIT, PROF_NETWORK, static_cast<prof_wait_class>(5)}) {
    const std::uint64_t begin = prof_ticks();
    prof_wait(request, PROF_NAME("w"), begin, prof_ticks(), wait_class);
  }
  const std::uint64_t now = prof_ticks();
  prof_wait(request, PROF_NAME("w"), now, now - 1, PROF_QUEUE_WAIT); // ends before it begins: no wait
  prof_wait(0, PROF_NAME("w"), now, now, PROF_QUEUE_WAIT);           // of no request
  prof_wait(request, PROF_NAME("w"), 0, now, PROF_QUEUE_WAIT);       // begun while nobody recorded
  prof_request_end(request, PROF_OK);
  const MemorySink& sink = recorder.stop();
  std::vector<std::string> words;
  for (const SliceRow& row : sink.slices)
    if (row.name == "w") words.push_back(row.arg("wait_class"));
  EXPECT_THAT(words, ::testing::ElementsAre("queue_wait", "batch_wait", "device_wait", "network", ""));
}

} // namespace
} // namespace prof
