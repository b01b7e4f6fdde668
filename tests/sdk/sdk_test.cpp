// What an annotated process writes, read back through the profiler's side.
#include "sdk/prof_sdk.hpp"

#include "recording.hpp"

#include <array>
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <unistd.h>

namespace prof {
namespace {

using test::MemorySink;
using test::Recorder;
using test::SliceRow;

class Sdk : public ::testing::Test {
protected:
  Sdk() { sdk::service("test service"); }
};

TEST_F(Sdk, nothing_is_recorded_while_nobody_is_attached) {
  EXPECT_EQ(prof_is_on(), 0);
  sdk::Request request(PROF_NAME("unseen"));
  EXPECT_EQ(request.id(), 0u);
  EXPECT_EQ(prof_ticks(), 0u);
  EXPECT_EQ(prof_span_begin(PROF_NAME("unseen")), 0u);
  Recorder recorder(getpid());
  EXPECT_TRUE(recorder.stop().slices.empty());
}

TEST_F(Sdk, spans_nest_as_they_were_opened) {
  Recorder recorder(getpid());
  {
    PROF_SPAN("outer");
    {
      PROF_SPAN("first");
    }
    {
      PROF_SPAN("second");
      {
        PROF_SPAN("inner");
      }
    }
  }
  const MemorySink& sink = recorder.stop();
  ASSERT_EQ(sink.slices.size(), 4u);
  const SliceRow& outer = sink.one("outer");
  const SliceRow& second = sink.one("second");
  const SliceRow& inner = sink.one("inner");
  EXPECT_LE(outer.ts, sink.one("first").ts);
  EXPECT_LE(sink.one("first").end(), second.ts);
  EXPECT_LE(second.ts, inner.ts);
  EXPECT_LE(inner.end(), second.end());
  EXPECT_LE(second.end(), outer.end());
  for (const SliceRow& row : sink.slices)
    EXPECT_EQ(row.track, outer.track);
  EXPECT_EQ(sink.track_tids.at(outer.track), gettid());
}

TEST_F(Sdk, times_are_monotonic_clock_ns) {
  const std::int64_t attached = now_monotonic().ns;
  Recorder recorder(getpid());
  const std::int64_t before = now_monotonic().ns;
  {
    PROF_SPAN("timed");
  }
  const std::int64_t after = now_monotonic().ns;
  const SliceRow row = recorder.stop().one("timed");
  // Two clocks are compared: a pair of them is read within 30 ns where nothing disturbs it, and the line is
  // laid through two that are 5 ms apart. However long the test was kept from the CPU, its times go by that
  // line: 20 ns in a ms.
  const std::int64_t error = 2'000 + (after - attached) / 50'000;
  EXPECT_GE(row.ts, before - error);
  EXPECT_LE(row.end(), after + error);
}

TEST_F(Sdk, arguments_keep_type_and_value) {
  Recorder recorder(getpid());
  {
    sdk::Span span(PROF_NAME("with arguments"));
    span.arg(PROF_NAME("number"), std::int64_t{-5});
    span.arg(PROF_NAME("ratio"), 0.5);
    span.arg(PROF_NAME("text"), std::string_view("hello"));
  }
  const SliceRow row = recorder.stop().one("with arguments");
  EXPECT_EQ(row.arg("number"), "-5");
  EXPECT_EQ(row.arg("ratio"), "0.500000");
  EXPECT_EQ(row.arg("text"), "hello");
}

TEST_F(Sdk, a_request_holds_its_queue_wait_and_names_its_stages) {
  Recorder recorder(getpid());
  sdk::Request request(PROF_NAME("poster"));
  const std::int64_t id = static_cast<std::int64_t>(prof_request_id(request.id()));
  const std::uint64_t queued = prof_ticks();
  std::thread worker([&] {
    sdk::wait(request.id(), PROF_NAME("queue"), queued, prof_ticks(), PROF_QUEUE_WAIT);
    const sdk::Attach working(request.id());
    PROF_STAGE("denoise");
  });
  worker.join();
  request.finish(PROF_OK);
  const MemorySink& sink = recorder.stop();
  const SliceRow& poster = sink.one("poster");
  const SliceRow& queue = sink.one("queue");
  const SliceRow& denoise = sink.one("denoise");
  EXPECT_EQ(poster.category, "request");
  EXPECT_EQ(poster.arg("request_id"), std::to_string(id));
  EXPECT_EQ(poster.arg("status"), "ok");
  EXPECT_EQ(sink.track_tids.at(poster.track), -1);
  EXPECT_EQ(queue.category, "stage");
  EXPECT_EQ(queue.track, poster.track);
  EXPECT_EQ(queue.arg("wait_class"), "queue_wait");
  EXPECT_EQ(queue.arg("request_id"), std::to_string(id));
  EXPECT_GE(queue.ts, poster.ts);
  EXPECT_LE(queue.end(), poster.end());
  EXPECT_EQ(denoise.category, "stage");
  EXPECT_EQ(denoise.arg("request_id"), std::to_string(id));
  EXPECT_NE(denoise.track, poster.track);
}

TEST_F(Sdk, a_batch_stage_names_all_its_requests) {
  Recorder recorder(getpid());
  std::array<prof_request, 3> ids{};
  for (prof_request& id : ids)
    id = prof_request_begin(PROF_NAME("item"));
  {
    const sdk::Stage stage(PROF_NAME("run batch"), ids.data(), ids.size());
  }
  for (const prof_request id : ids)
    prof_request_end(id, PROF_OK);
  const MemorySink& sink = recorder.stop();
  const SliceRow& stage = sink.one("run batch");
  EXPECT_EQ(stage.args.count("request_id"), 3u);
  std::set<std::string> named;
  for (auto [at, end] = stage.args.equal_range("request_id"); at != end; ++at)
    named.insert(at->second);
  for (const prof_request id : ids)
    EXPECT_TRUE(named.contains(std::to_string(prof_request_id(id))));
}

TEST_F(Sdk, overlapping_requests_lie_on_lanes_that_do_not_overlap) {
  Recorder recorder(getpid());
  std::vector<prof_request> open;
  for (int i = 0; i < 200; ++i) {
    open.push_back(prof_request_begin(PROF_NAME("busy")));
    if (open.size() > 7) {
      const std::size_t which = static_cast<std::size_t>(i) % open.size();
      prof_request_end(open[which], PROF_OK);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
    }
    if (i % 50 == 0) recorder.drain();
  }
  for (const prof_request id : open)
    prof_request_end(id, PROF_ERROR);
  const MemorySink& sink = recorder.stop();
  const std::vector<SliceRow> requests = sink.of("request");
  ASSERT_EQ(requests.size(), 200u);
  std::map<std::uint32_t, std::int64_t> lane_end;
  for (const SliceRow& row : requests) {
    EXPECT_GE(row.ts, lane_end[row.track]);
    lane_end[row.track] = row.end();
  }
}

TEST_F(Sdk, what_is_open_at_the_end_is_closed_and_marked) {
  Recorder recorder(getpid());
  const prof_request request = prof_request_begin(PROF_NAME("still running"));
  const prof_span span = prof_span_begin(PROF_NAME("still open"));
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.one("still running").arg("status"), "unfinished");
  EXPECT_EQ(sink.one("still open").arg("unfinished"), "true");
  prof_span_end(span); // too late, and harmless
  prof_request_end(request, PROF_OK);
}

TEST_F(Sdk, a_wait_that_is_open_at_the_end_lies_in_its_unfinished_request) {
  Recorder recorder(getpid());
  const prof_request queued = prof_request_begin(PROF_NAME("still queued"));
  const prof_request served = prof_request_begin(PROF_NAME("served"));
  const std::uint64_t begin = prof_ticks();
  prof_wait_begin(queued, PROF_NAME("queue"), begin, PROF_QUEUE_WAIT);
  prof_wait_begin(served, PROF_NAME("queue for served"), begin, PROF_QUEUE_WAIT);
  prof_wait(served, PROF_NAME("queue for served"), begin, prof_ticks(), PROF_QUEUE_WAIT);
  const MemorySink& sink = recorder.stop();
  const SliceRow& request = sink.one("still queued");
  const SliceRow& wait = sink.one("queue");
  EXPECT_EQ(request.arg("status"), "unfinished");
  EXPECT_EQ(wait.category, "stage");
  EXPECT_EQ(wait.track, request.track);
  EXPECT_EQ(wait.end(), request.end());
  EXPECT_EQ(wait.arg("wait_class"), "queue_wait");
  EXPECT_EQ(wait.arg("request_id"), std::to_string(prof_request_id(queued)));
  EXPECT_EQ(wait.arg("unfinished"), "true");
  EXPECT_EQ(sink.one("queue for served").args.count("unfinished"), 0u);
  EXPECT_EQ(recorder.decoder->seen().damaged, 0);
}

TEST_F(Sdk, counters_flows_and_operators_arrive) {
  Recorder recorder(getpid());
  prof_counter(PROF_NAME("queue_depth"), 0, 7);
  std::uint64_t flow = 0;
  {
    const sdk::Span from(PROF_NAME("from"));
    flow = from.flow_out();
  }
  {
    const sdk::Span to(PROF_NAME("to"));
    to.flow_in(flow);
  }
  const prof_op_info info{.name = "conv1",
                          .op_type = "Conv",
                          .model = "m.onnx",
                          .provider = nullptr,
                          .input_shapes = "1,3,8,8",
                          .output_shapes = nullptr,
                          .input_dtypes = "float"};
  const prof_op op = prof_op_define(&info);
  EXPECT_EQ(prof_op_define(&info), op);
  {
    const sdk::Op running(op);
  }
  const MemorySink& sink = recorder.stop();
  ASSERT_EQ(sink.counters.size(), 1u);
  EXPECT_EQ(sink.counters[0].name, "queue_depth");
  EXPECT_EQ(sink.counters[0].unit, "count");
  EXPECT_EQ(sink.counters[0].value, 7);
  ASSERT_EQ(sink.one("from").flows_out.size(), 1u);
  EXPECT_EQ(sink.one("from").flows_out, sink.one("to").flows_in);
  const SliceRow& conv = sink.one("conv1");
  EXPECT_EQ(conv.category, "op");
  EXPECT_EQ(conv.arg("op_type"), "Conv");
  EXPECT_EQ(conv.arg("model"), "m.onnx");
  EXPECT_EQ(conv.arg("input_shapes"), "1,3,8,8");
  EXPECT_EQ(conv.args.count("output_shapes"), 0u);
}

TEST_F(Sdk, a_full_ring_drops_counts_and_keeps_the_ends_of_open_spans) {
  Recorder recorder(getpid());
  constexpr int kSpans = 50'000; // two records each: more than the ring's 65536
  {
    PROF_SPAN("around");
    for (int i = 0; i < kSpans; ++i)
      PROF_SPAN("flood");
  }
  const MemorySink& sink = recorder.stop();
  const std::uint64_t dropped = recorder.ring->losses().dropped;
  EXPECT_GT(dropped, 0u);
  // A span whose begin was dropped writes no end: each is there as a whole or not at all.
  EXPECT_EQ(sink.count("flood") + dropped, static_cast<std::size_t>(kSpans));
  EXPECT_EQ(sink.one("around").args.count("unfinished"), 0u);
  EXPECT_EQ(recorder.decoder->seen().damaged, 0);
}

TEST_F(Sdk, draining_while_recording_loses_nothing) {
  Recorder recorder(getpid());
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 10'000; ++i)
      PROF_SPAN("many");
    recorder.drain();
  }
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.count("many"), 200'000u);
  EXPECT_EQ(recorder.ring->losses().dropped, 0u);
}

TEST_F(Sdk, two_threads_write_while_a_third_reads) {
  Recorder recorder(getpid());
  std::atomic<int> running{2};
  const auto work = [&](const char* name) {
    const prof_name id = prof_intern(name);
    for (int i = 0; i < 20'000; ++i) {
      const sdk::Span span(id);
      span.arg(PROF_NAME("i"), std::int64_t{i});
    }
    running.fetch_sub(1);
  };
  std::thread a(work, "thread a"), b(work, "thread b");
  while (running.load() > 0)
    recorder.drain();
  a.join();
  b.join();
  const MemorySink& sink = recorder.stop();
  const std::uint64_t dropped = recorder.ring->losses().dropped;
  EXPECT_LE(sink.count("thread a") + sink.count("thread b"), 40'000u);
  EXPECT_GE(sink.count("thread a") + sink.count("thread b") + dropped, 40'000u);
  std::set<std::uint32_t> tracks;
  for (const SliceRow& row : sink.slices)
    tracks.insert(row.track);
  EXPECT_EQ(tracks.size(), 2u);
}

TEST_F(Sdk, threads_that_end_hand_their_slot_on) {
  Recorder recorder(getpid());
  std::set<std::int64_t> tids;
  for (int i = 0; i < 600; ++i) { // more than there are slots
    std::thread([&] {
      tids.insert(gettid());
      PROF_SPAN("short life");
    }).join();
    if (i % 100 == 99) recorder.drain();
  }
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.count("short life"), 600u);
  EXPECT_EQ(recorder.ring->losses().threads_refused, 0u);
  for (const SliceRow& row : sink.slices)
    EXPECT_TRUE(tids.contains(sink.track_tids.at(row.track)));
}

TEST_F(Sdk, attaching_again_and_again_records_each_time_and_nothing_between) {
  for (int round = 0; round < 20; ++round) {
    Recorder recorder(getpid());
    const prof_span open = prof_span_begin(PROF_NAME("open over the end"));
    {
      PROF_SPAN("during");
    }
    const MemorySink& sink = recorder.stop();
    EXPECT_EQ(sink.count("during"), 1u);
    EXPECT_EQ(sink.count("between"), 0u);
    {
      PROF_SPAN("between");
    }
    prof_span_end(open);
  }
}

TEST_F(Sdk, only_one_profiler_at_a_time) {
  Recorder recorder(getpid());
  auto second = SdkRing::open(test::ring_file(getpid()));
  ASSERT_TRUE(second.ok());
  const Status refused = (*second)->attach(1.0);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Errc::permission);
  EXPECT_THAT(refused.error().what, ::testing::HasSubstr(std::to_string(getpid())));
  recorder.stop();
  EXPECT_TRUE((*second)->attach(1.0).ok());
}

TEST_F(Sdk, hostile_names_come_through_unchanged) {
  const std::vector<std::string> names{"\"><script>alert(1)</script>",
                                       "=cmd()|' /C calc'!A0",
                                       "line\nbreak\ttab",
                                       "\x1b[31mred\x1b[0m",
                                       std::string("nul\0inside", 10),
                                       "\xff\xfe broken utf-8 \xc3",
                                       std::string(10'000, 'x'),
                                       "诗海报"};
  Recorder recorder(getpid());
  for (const std::string& name : names) {
    const sdk::Span span(sdk::intern(name));
    span.arg(sdk::intern(name), std::string_view(name));
  }
  const MemorySink& sink = recorder.stop();
  ASSERT_EQ(sink.slices.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(sink.slices[i].name, names[i]);
    EXPECT_EQ(sink.slices[i].arg(names[i]), names[i]);
  }
  EXPECT_EQ(prof_intern(""), 0u);
  EXPECT_EQ(sdk::intern(names[0]), sdk::intern(names[0]));
  const std::string huge(100'000, 'y');
  EXPECT_EQ(sdk::intern(huge), sdk::intern(std::string(16 * 1024, 'y'))); // kept up to 16 KiB
}

TEST_F(Sdk, sampling_keeps_totals_and_leaves_out_the_details_of_whole_requests) {
  Recorder recorder(getpid(), 0.25);
  constexpr int kRequests = 2000;
  for (int i = 0; i < kRequests; ++i) {
    sdk::Request request(PROF_NAME("sampled request"));
    const sdk::Attach working(request.id());
    PROF_STAGE("a stage");
    PROF_SPAN("a span");
    request.finish(PROF_OK);
  }
  const MemorySink& sink = recorder.stop();
  std::set<std::string> detailed;
  for (const SliceRow& row : sink.of("request"))
    if (row.args.count("sampled") == 0) detailed.insert(row.arg("request_id"));
  EXPECT_EQ(sink.of("request").size(), static_cast<std::size_t>(kRequests));
  // Binomial(2000, 0.25): six standard deviations are 116.
  EXPECT_NEAR(static_cast<double>(detailed.size()), 500, 116);
  EXPECT_EQ(sink.count("a stage"), detailed.size());
  EXPECT_EQ(sink.count("a span"), detailed.size());
  for (const SliceRow& row : sink.of("stage"))
    EXPECT_TRUE(detailed.contains(row.arg("request_id")));
}

TEST_F(Sdk, very_deep_nesting_is_cut_and_still_closes_in_order) {
  Recorder recorder(getpid());
  std::vector<prof_span> spans;
  for (int i = 0; i < 1000; ++i)
    spans.push_back(prof_span_begin(PROF_NAME("deep")));
  while (!spans.empty()) {
    prof_span_end(spans.back());
    spans.pop_back();
  }
  {
    PROF_SPAN("afterwards");
  }
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.count("deep"), 200u);
  EXPECT_EQ(sink.count("afterwards"), 1u);
  EXPECT_EQ(recorder.decoder->seen().damaged, 0);
}

TEST_F(Sdk, an_abandoned_inner_span_ends_with_its_parent) {
  Recorder recorder(getpid());
  const prof_span outer = prof_span_begin(PROF_NAME("parent"));
  const prof_span inner = prof_span_begin(PROF_NAME("forgotten"));
  prof_span_end(outer);
  prof_span_end(inner); // after its parent: ignored
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.one("forgotten").arg("unfinished"), "true");
  EXPECT_EQ(sink.one("parent").args.count("unfinished"), 0u);
}

} // namespace
} // namespace prof
