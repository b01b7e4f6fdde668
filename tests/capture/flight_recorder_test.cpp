// The flight recorder as a whole, on a time of the test's own: what is in the file, and when there is none.
#include "../tracefile/text_sink.hpp"
#include "base/format_units.hpp"
#include "capture/flight_recorder.hpp"
#include "fake_proc.hpp"
#include "tracefile/reader.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace prof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::int64_t kMs = 1'000'000, kSecond = 1'000'000'000;

TextSink read(const std::filesystem::path& path) {
  const auto bytes = read_file(path, 1 << 28);
  EXPECT_TRUE(bytes) << path;
  TextSink sink;
  bool is_given = false;
  const Status status = read_tracefile(
      [&]() -> Result<std::string_view> {
        return std::exchange(is_given, true) || !bytes ? std::string_view{} : std::string_view(*bytes);
      },
      sink);
  EXPECT_TRUE(status) << (status ? "" : status.error().what);
  return sink;
}

// A service that answers a request every 100 ms and shows its queue, driven through a recorder ten times a
// second.
class Flight : public testing::Test {
protected:
  Flight() {
    options_.before = {5 * kSecond};
    options_.after = {2 * kSecond};
    options_.output = proc_.root() / "out.pb";
    options_.proc_root = proc_.root();
    proc_.process(7, 1, "svc", {"svc"});
  }
  void start(std::string_view trigger) {
    trigger_.emplace(*Trigger::parse(trigger, Lang::en));
    recorder_.emplace(options_, *trigger_, Ts{now_});
    TraceSink& sink = recorder_->sink();
    process_ = sink.process({.pid = 7, .name = sink.intern("svc")});
    lane_ = sink.track({.name = sink.intern("requests"), .kind = TrackKind::async, .process = process_});
    queue_ = sink.counter_track(
        {.name = sink.intern("queue_depth"), .unit = sink.intern("count"), .process = process_});
  }
  void request(std::int64_t end, std::int64_t took, std::string_view status = "ok") {
    TraceSink& sink = recorder_->sink();
    const std::vector<Arg> args{{.key = sink.intern("request_id"), .value = ++requests_},
                                {.key = sink.intern("status"), .value = sink.intern(status)}};
    sink.slice({.track = lane_,
                .ts = {end - took},
                .dur = {took},
                .name = sink.intern("poster"),
                .category = sink.intern("request"),
                .args = args});
  }
  // Until `seconds` have passed; false when the recording is complete.
  bool run(std::int64_t seconds, std::int64_t took = 20 * kMs, double queue = 1) {
    for (std::int64_t i = 0; i < seconds * 10; ++i) {
      now_ += 100 * kMs;
      request(now_ - 1, took);
      recorder_->sink().counter(queue_, {now_}, queue);
      if (i % 3 == 0) {
        EXPECT_TRUE(recorder_->flush({now_}));
      }
      EXPECT_TRUE(recorder_->look({now_}));
      if (recorder_->is_complete({now_})) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_fired() const { return recorder_->capture().has_value(); }

  FakeProc proc_;
  FlightOptions options_;
  std::optional<Trigger> trigger_;
  std::optional<FlightRecorder> recorder_;
  Id<Process> process_;
  Id<Track> lane_;
  Id<CounterTrack> queue_;
  std::int64_t now_ = 1000 * kSecond, requests_ = 0;
};

TEST_F(Flight, nothing_is_written_while_nothing_fires) {
  start("p99_latency>200ms");
  EXPECT_TRUE(run(60));
  EXPECT_FALSE(is_fired());
  EXPECT_TRUE(recorder_->finish({now_}));
  EXPECT_FALSE(std::filesystem::exists(options_.output));
  EXPECT_EQ(trigger_->states()[0].extreme, 20.0 * kMs);
}

TEST_F(Flight, the_file_holds_what_came_before_and_after_and_nothing_older) {
  start("max_latency>200ms");
  ASSERT_TRUE(run(60));
  request(now_ + 50 * kMs, 900 * kMs); // the stall
  ASSERT_FALSE(run(10)) << "it is complete 2 s after it fired";
  ASSERT_TRUE(is_fired());
  EXPECT_TRUE(recorder_->has_appeared()) << "from the moment it fired";
  EXPECT_THAT(read(options_.output).of("slice"), Contains(HasSubstr("poster")));
  ASSERT_TRUE(recorder_->finish({now_}));
  const FlightCapture capture = *recorder_->capture();
  EXPECT_EQ(capture.fired.ns, 1060 * kSecond + 100 * kMs);
  EXPECT_EQ(capture.after.ns, 2 * kSecond);
  EXPECT_GE(capture.before.ns, 5 * kSecond);
  EXPECT_LE(capture.before.ns, 5 * kSecond + 600 * kMs)
      << "one segment more, of a third of a second and a flush";
  EXPECT_FALSE(capture.is_cut);
  const TextSink got = read(options_.output);
  EXPECT_EQ(capture.bytes, static_cast<std::int64_t>(std::filesystem::file_size(options_.output)));
  const auto slices = got.of("slice");
  EXPECT_EQ(capture.events, std::ssize(slices) + std::ssize(got.of("counter")));
  EXPECT_THAT(slices,
              Contains(HasSubstr(fmt::format("{}+{} poster", 1060 * kSecond - 850 * kMs, 900 * kMs))));
  EXPECT_THAT(slices, Contains(HasSubstr("request_id=1 ")).Times(0));
  // A request a tenth of a second, from the oldest that is kept to the last one, and the stall.
  const std::int64_t begin = capture.fired.ns - capture.before.ns;
  const std::int64_t kept = (capture.fired.ns + capture.after.ns - begin) / (100 * kMs);
  EXPECT_EQ(std::ranges::count_if(
                slices, [](const std::string& line) { return line.find("cat=request") != line.npos; }),
            kept + 1);
  EXPECT_EQ(got.of("process"), std::vector<std::string>{"process 7 name=svc cmdline="});
}

TEST_F(Flight, the_moment_and_its_values_are_marked_in_the_trace) {
  start("p99_latency>200ms and stream_queue>=1");
  ASSERT_TRUE(run(60));
  ASSERT_FALSE(run(10, 300 * kMs, 4));
  ASSERT_TRUE(recorder_->finish({now_}));
  const TextSink got = read(options_.output);
  const std::int64_t fired = recorder_->capture()->fired.ns;
  // Of the hundred latest requests two or more are slow: place 98.01 of 0..99 lies at or above the first slow
  // one.
  const double p99 = 300.0 * kMs;
  EXPECT_THAT(got.of("slice"),
              Contains(fmt::format(
                  "slice [trigger kind=3 thread=- process=- stream=- parent=-] {}+0 p99_latency>200ms and "
                  "stream_queue>=1 cat=mark layer=0 trigger='p99_latency>200ms and stream_queue>=1' "
                  "p99_latency={}d p99_latency.limit={}d stream_queue=4d stream_queue.limit=1d",
                  fired, p99, 2e8)));
  EXPECT_THAT(
      got.of("note"),
      ElementsAre("note 0 note.trigger_fired x1 at p99_latency 300 ms (> 200 ms), stream_queue 4 (>= 1)"));
  const std::int64_t begin = fired - recorder_->capture()->before.ns;
  const auto facts = got.of("metadata");
  for (const std::string& fact :
       {fmt::format("metadata trigger.fired_ns={}", fired), fmt::format("metadata start_ns={}", begin),
        fmt::format("metadata duration_ns={}", now_ - begin),
        fmt::format("metadata capture.events={}", recorder_->capture()->events),
        std::string("metadata capture.state=ended"),
        std::string("metadata trigger.expression=p99_latency>200ms and stream_queue>=1")})
    EXPECT_THAT(facts, Contains(fact));
}

TEST_F(Flight, what_stands_in_a_trace_once_is_there_however_old_it_is) {
  start("stream_queue>10");
  TraceSink& sink = recorder_->sink();
  sink.metadata("host", "first");
  sink.metadata("host", "vm");
  const auto signal = [&](bool is_available) {
    sink.signal(
        {.name = sink.intern("ops"), .is_available = is_available, .source = sink.intern("annotations")});
  };
  signal(false);
  signal(true);
  for (int i = 0; i < 3; ++i)
    sink.note({.severity = Severity::data_loss,
               .code = sink.intern("note.samples_lost"),
               .count = 5,
               .where = sink.intern(i == 0 ? "cpu 0" : "cpu 1")});
  sink.gap({.ts = {now_}, .dur = {kSecond}, .reason = sink.intern("gap.old")});
  ASSERT_TRUE(run(60));
  sink.gap({.ts = {now_ - 7 * kSecond}, .dur = {3 * kSecond}, .reason = sink.intern("gap.half")});
  ASSERT_FALSE(run(10, 20 * kMs, 11));
  sink.note({.severity = Severity::info, .code = sink.intern("note.late"), .count = 1, .where = {}});
  ASSERT_TRUE(recorder_->finish({now_}));
  const TextSink got = read(options_.output);
  EXPECT_THAT(got.of("metadata"), Contains("metadata host=vm"));
  EXPECT_THAT(got.of("signal"), ElementsAre("signal ops true source=annotations reason= mend= detail="));
  EXPECT_THAT(got.of("note"), Contains("note 2 note.samples_lost x15 at cpu 0"));
  EXPECT_THAT(got.of("note"), Contains("note 0 note.late x1 at "));
  EXPECT_THAT(got.of("gap"), ElementsAre(HasSubstr("gap.half")));
}

TEST_F(Flight, requests_that_did_not_end_and_errors_are_told_apart) {
  start("error_rate>=50% or max_latency>10s");
  request(now_ + 1, 60 * kSecond, "unfinished");
  ASSERT_TRUE(run(3));
  EXPECT_FALSE(is_fired()) << "cut off by the recording: nobody knows how long it took";
  for (int i = 0; i < 29; ++i)
    request(now_, 20 * kMs, "timeout");
  EXPECT_TRUE(run(1));
  EXPECT_FALSE(is_fired()) << "29 of 60 at most";
  for (int i = 0; i < 20; ++i)
    request(now_, 20 * kMs, "rejected");
  EXPECT_TRUE(run(1));
  EXPECT_TRUE(is_fired());
}

TEST_F(Flight, it_does_not_fire_before_the_cool_down_is_over) {
  options_.not_before = {now_ + 20 * kSecond};
  start("stream_queue>10");
  ASSERT_TRUE(run(19, 20 * kMs, 11));
  EXPECT_FALSE(is_fired());
  EXPECT_TRUE(recorder_->is_cooling({now_}));
  ASSERT_TRUE(run(1, 20 * kMs, 11));
  EXPECT_EQ(recorder_->capture()->fired.ns, 1020 * kSecond);
}

TEST_F(Flight, it_fires_once) {
  start("stream_queue>10");
  ASSERT_TRUE(run(1, 20 * kMs, 11));
  const Ts fired = recorder_->capture()->fired;
  ASSERT_FALSE(run(10, 20 * kMs, 11));
  EXPECT_EQ(recorder_->capture()->fired, fired);
  ASSERT_TRUE(recorder_->finish({now_}));
  const TextSink got = read(options_.output);
  EXPECT_EQ(std::ranges::count_if(got.of("slice"),
                                  [](const auto& line) { return line.find("cat=mark") != line.npos; }),
            1);
}

TEST_F(Flight, a_young_recording_gives_what_it_has) {
  start("stream_queue>10");
  ASSERT_TRUE(run(2));
  ASSERT_FALSE(run(10, 20 * kMs, 11));
  ASSERT_TRUE(recorder_->finish({now_}));
  EXPECT_EQ(recorder_->capture()->before.ns, 2 * kSecond + 100 * kMs);
  EXPECT_FALSE(recorder_->capture()->is_cut);
  EXPECT_THAT(read(options_.output).of("slice"), Contains(HasSubstr("request_id=1 ")));
}

TEST_F(Flight, a_full_ring_gives_less_and_says_so_in_the_trace) {
  options_.ring_bytes = 2 * 1024;
  start("stream_queue>10");
  ASSERT_TRUE(run(60));
  EXPECT_LE(recorder_->held_bytes(), 2 * 1024 + 4 * 1024) << "the limit, and what came since the last flush";
  ASSERT_FALSE(run(10, 20 * kMs, 11));
  ASSERT_TRUE(recorder_->finish({now_}));
  EXPECT_TRUE(recorder_->capture()->is_cut);
  EXPECT_LT(recorder_->capture()->before.ns, 5 * kSecond);
  EXPECT_THAT(read(options_.output).of("note"),
              Contains(fmt::format("note 1 note.flight_ring_full x1 at {} instead of 5.00 s",
                                   format_dur(recorder_->capture()->before))));
}

TEST_F(Flight, a_process_that_ended_no_longer_counts) {
  start("stream_queue>10");
  ASSERT_TRUE(run(1, 20 * kMs, 9));
  TraceSink& sink = recorder_->sink();
  const Id<CounterTrack> other =
      sink.counter_track({.name = sink.intern("queue_depth"),
                          .unit = sink.intern("count"),
                          .process = sink.process({.pid = 99, .name = sink.intern("gone")})});
  sink.counter(other, {now_}, 5); // not in /proc: 9 + 5 hold for a second at most
  now_ += 2 * kSecond;
  EXPECT_TRUE(recorder_->look({now_}));
  EXPECT_FALSE(is_fired());
  EXPECT_EQ(trigger_->states()[0].value, 9.0);
}

TEST_F(Flight, a_file_that_cannot_be_written_is_an_error_and_leaves_nothing) {
  options_.output = proc_.root() / "no" / "such" / "folder.pb";
  start("stream_queue>10");
  recorder_->sink().counter(queue_, {now_}, 11);
  const Status looked = recorder_->look({now_ + 1});
  ASSERT_FALSE(looked);
  EXPECT_EQ(looked.error().code, Errc::missing);
  EXPECT_TRUE(recorder_->finish({now_ + 2})); // nothing to finish
}

TEST_F(Flight, dropped_while_it_records_the_rest_what_it_had_by_then_can_be_read) {
  start("stream_queue>10");
  ASSERT_TRUE(run(1, 20 * kMs, 11));
  ASSERT_TRUE(is_fired());
  recorder_.reset();
  EXPECT_THAT(read(options_.output).of("slice"), Contains(HasSubstr("request_id=1 ")));
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(proc_.root()))
    left.push_back(entry.path().filename().string());
  EXPECT_THAT(left, testing::UnorderedElementsAre("7", "out.pb"));
}

TEST_F(Flight, what_comes_after_it_fired_is_in_the_file_with_each_flush) {
  start("stream_queue>10");
  ASSERT_TRUE(run(2, 20 * kMs, 11));
  ASSERT_TRUE(is_fired());
  // Of the twenty rounds the last but one ended with a flush.
  EXPECT_THAT(read(options_.output).of("slice"),
              Contains(HasSubstr(fmt::format("request_id={} ", requests_ - 1))))
      << "nothing waits in a buffer for a kill";
}

// Files of this process end at so many bytes while it lives.
class FileLimit {
public:
  explicit FileLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

// It was thrown away as a whole.
TEST_F(Flight, of_a_ring_that_does_not_fit_what_does_is_kept_and_nothing_follows_the_hole) {
  constexpr std::int64_t kMost = 4096;
  options_.before = {30 * kSecond};
  start("stream_queue>10");
  ASSERT_TRUE(run(30));
  ASSERT_GT(recorder_->held_bytes(), 2 * kMost);
  recorder_->sink().counter(queue_, {now_}, 11);
  {
    const FileLimit limit(kMost);
    const Status looked = recorder_->look({now_ + 1});
    ASSERT_FALSE(looked);
    EXPECT_EQ(looked.error().code, Errc::io);
    EXPECT_EQ(looked.error().where, options_.output.string());
  }
  EXPECT_TRUE(recorder_->has_appeared());
  const auto kept = read_file(options_.output, kMost);
  ASSERT_TRUE(kept);
  const TextSink got = read(options_.output);
  EXPECT_THAT(got.of("slice"), Contains(HasSubstr("request_id=1 ")));
  EXPECT_THAT(got.of("note"), IsEmpty()) << "whole packets";
  request(now_ + 2, 20 * kMs);
  EXPECT_FALSE(recorder_->flush({now_ + kSecond})) << "there is room by now, but a hole before it";
  EXPECT_FALSE(recorder_->finish({now_ + kSecond}));
  EXPECT_EQ(*read_file(options_.output, kMost), *kept);
}

TEST_F(Flight, memory_stays_bounded_over_an_hour) {
  options_.before = {30 * kSecond};
  start("p99_latency>200ms");
  std::int64_t most = 0;
  for (int part = 0; part < 12; ++part) {
    ASSERT_TRUE(run(300));
    most = std::max(most, recorder_->held_bytes());
    EXPECT_LE(recorder_->held({now_}).ns, 33 * kSecond);
  }
  // 320 requests and readings in the ring, each of at most some 60 bytes, and 16 beginnings.
  EXPECT_LT(most, 100'000);
  ASSERT_FALSE(run(10, 300 * kMs));
  ASSERT_TRUE(recorder_->finish({now_}));
  EXPECT_THAT(read(options_.output).of("note"), ElementsAre(HasSubstr("note.trigger_fired")));
}

TEST(DescribeValues, conditions_without_data_are_left_out) {
  Trigger trigger = *Trigger::parse("p99_latency>200ms or rss>1GiB", Lang::en);
  trigger.look({1}, [](const LiveMetric& metric) {
    return metric.id == "rss" ? std::optional(3.0 * 1073741824) : std::nullopt;
  });
  EXPECT_EQ(describe_values(trigger), "rss 3.00 GiB (> 1.00 GiB)");
}

} // namespace
} // namespace prof
