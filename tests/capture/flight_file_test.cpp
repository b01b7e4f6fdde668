// A trace file may begin wherever its writer began anew: what stands from there on is read as if nothing had
// been before.
#include "../tracefile/text_sink.hpp"
#include "tracefile/reader.hpp"
#include "tracefile/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace prof {
namespace {

TextSink read(std::string_view bytes) {
  TextSink sink;
  bool is_given = false;
  const Status status = read_tracefile(
      [&]() -> Result<std::string_view> {
        return std::exchange(is_given, true) ? std::string_view{} : bytes;
      },
      sink);
  EXPECT_TRUE(status) << (status ? "" : status.error().what);
  return sink;
}

// Rows of every kind for second `n`, the same for every sink.
class Machine {
public:
  explicit Machine(TraceSink& sink) : sink_(sink) {
    process_ = sink.process({.pid = 7, .name = s("svc"), .cmdline = s("svc --port 1")});
    for (std::int64_t i = 0; i < 2; ++i)
      threads_[i] =
          sink.thread({.process = process_, .tid = 70 + i, .name = s("worker " + std::to_string(i))});
    lane_ = sink.track({.name = s("requests"), .kind = TrackKind::async, .process = process_});
    thread_track_ = sink.track({.name = {}, .kind = TrackKind::thread, .thread = threads_[0]});
    device_ = sink.device({.name = s("npu"), .kind = DeviceKind::npu, .index = 1});
    stream_ = sink.stream({.device = device_, .number = 3, .name = s("compute")});
    counter_ = sink.counter_track({.name = s("rss"), .unit = s("bytes"), .process = process_});
  }
  void second(std::int64_t n) {
    const std::int64_t t = 1'000'000'000 * n;
    // A child first, then its parent that began in the second before: late for its lane.
    const std::vector<Arg> args{{.key = s("request_id"), .value = n}, {.key = s("status"), .value = s("ok")}};
    sink_.slice(
        {.track = lane_, .ts = {t + 10}, .dur = {50}, .name = s("wait"), .category = s("stage"), .args = {}});
    sink_.slice({.track = lane_,
                 .ts = {t},
                 .dur = {1000},
                 .name = s("request"),
                 .category = s("request"),
                 .args = args});
    sink_.slice({.track = lane_,
                 .ts = {t + 500},
                 .dur = {2000},
                 .name = s("other"),
                 .category = s("request"),
                 .args = args});
    const std::uint64_t flow = static_cast<std::uint64_t>(n) + 100;
    sink_.slice({.track = thread_track_,
                 .ts = {t + 20},
                 .dur = {30},
                 .name = s("op " + std::to_string(n % 3)),
                 .category = s("op"),
                 .layer = Layer::framework,
                 .args = {},
                 .flows_out = std::span(&flow, 1)});
    sink_.kernel({.stream = stream_,
                  .ts = {t + 40},
                  .dur = {9},
                  .name = s("matmul"),
                  .op_type = s("MatMul"),
                  .flow_in = flow,
                  .args = {}});
    sink_.counter(counter_, {t + 60}, static_cast<double>(n) * 1.5);
    const Id<Mapping> file =
        sink_.mapping({.path = s("/lib/x.so"), .build_id = s("ab12"), .start = 0x1000, .end = 0x2000});
    const Id<Frame> frames[]{
        sink_.frame({.function = s("main"), .mapping = file, .rel_pc = 0x10}),
        sink_.frame(
            {.function = s("leaf"), .mapping = file, .rel_pc = 0x20 + static_cast<std::uint64_t>(n % 2)})};
    for (std::int64_t k = 0; k < 3; ++k)
      sink_.sample({.ts = {t + 70 + k},
                    .thread = threads_[k % 2],
                    .cpu = static_cast<std::int32_t>(k % 2),
                    .callstack = sink_.callstack({.frames = frames}),
                    .event = s("cpu-clock"),
                    .weight = 1000 + n});
    sink_.sched_switch({.ts = {t + 80},
                        .cpu = 0,
                        .prev_tid = 70,
                        .prev_state = 'S',
                        .next_tid = 71,
                        .next_comm = s("worker 1")});
    sink_.sched_wakeup({.ts = {t + 85}, .cpu = 0, .tid = 70, .waker_tid = 71, .target_cpu = 0});
    sink_.sched_switch({.ts = {t + 90},
                        .cpu = 0,
                        .prev_tid = 71,
                        .prev_state = 'R',
                        .next_tid = 70,
                        .next_comm = s("worker 0")});
  }

private:
  StrId s(std::string_view text) { return sink_.intern(text); }
  TraceSink& sink_;
  Id<Process> process_;
  Id<Thread> threads_[2];
  Id<Track> lane_, thread_track_;
  Id<Device> device_;
  Id<Stream> stream_;
  Id<CounterTrack> counter_;
};

class Anew : public testing::TestWithParam<bool> {
protected:
  // What a machine writes, byte for byte as it comes.
  std::string bytes;
  std::unique_ptr<TraceFileWriter> writer = TraceFileWriter::create(
      [this](std::string_view more) -> Status {
        bytes += more;
        return {};
      },
      {.compress = GetParam()});
  Machine machine{*writer};
};

void expect_same_rows(const TextSink& got, const TextSink& expected, const std::string& from) {
  for (const char* kind : {"slice", "kernel", "counter", "sample", "switch", "wakeup", "process", "thread",
                           "device", "stream", "counter_track"})
    EXPECT_EQ(got.of(kind), expected.of(kind)) << kind << from;
  EXPECT_THAT(got.of("note"), testing::IsEmpty()) << from;
}

TEST_P(Anew, from_each_new_beginning_on_every_row_is_read_as_it_was_written) {
  constexpr std::int64_t kSeconds = 12;
  std::vector<std::size_t> beginnings;
  for (std::int64_t n = 0; n < kSeconds; ++n) {
    ASSERT_TRUE(writer->flush());
    beginnings.push_back(bytes.size());
    writer->begin_anew();
    machine.second(n);
  }
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(writer->stats().bytes, std::ssize(bytes));
  for (std::int64_t from = 0; from < kSeconds; ++from) {
    const TextSink got = read(std::string_view(bytes).substr(beginnings[static_cast<std::size_t>(from)]));
    TextSink expected;
    Machine same(expected);
    for (std::int64_t n = from; n < kSeconds; ++n)
      same.second(n);
    expect_same_rows(got, expected, " from second " + std::to_string(from));
  }
}

TEST_P(Anew, beginnings_may_be_left_out_in_front_but_all_together_are_one_file_too) {
  TextSink expected;
  Machine same(expected);
  for (std::int64_t n = 0; n < 40; ++n) {
    machine.second(n);
    same.second(n);
    if (n % 7 == 3) writer->begin_anew();
  }
  ASSERT_TRUE(writer->finish());
  expect_same_rows(read(bytes), expected, " of all");
}

INSTANTIATE_TEST_SUITE_P(Plain, Anew, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Compressed, Anew, testing::Values(true));

TEST(WriterIntoACall, its_error_is_the_writers_and_nothing_follows_it) {
  int calls = 0;
  const auto writer = TraceFileWriter::create([&](std::string_view) -> Status {
    if (++calls == 1) return {};
    return Error{Errc::io, "no space left", "ring"};
  });
  Machine machine(*writer);
  machine.second(1);
  const Status first = writer->flush();
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().what, "no space left");
  machine.second(2);
  EXPECT_FALSE(writer->flush());
  EXPECT_FALSE(writer->finish());
  EXPECT_EQ(calls, 2);
}

} // namespace
} // namespace prof
