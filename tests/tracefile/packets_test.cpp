// What other readers meet in our files: the packets themselves, decoded by a decoder of the tests' own and
// held against Perfetto's field numbers (docs/tracefile.md says which row goes where).
#include "trace_bytes.hpp"
#include "wire.hpp"

#include <array>
#include <set>

namespace prof {
namespace {

using Message = std::vector<wire::Field>;

// All messages that stand as field `field` of a packet, in file order.
std::vector<Message> messages(std::string_view trace, std::uint32_t field) {
  std::vector<Message> out;
  for (const Message& packet : wire::packets(trace))
    for (const wire::Field& f : packet)
      if (f.number == field) out.push_back(wire::decode(f.bytes));
  return out;
}

Message inner(const Message& message, std::uint32_t field) {
  return wire::decode(wire::bytes(message, field).value_or(""));
}

std::uint64_t num(const Message& message, std::uint32_t field) {
  return wire::number(message, field).value_or(0);
}

std::string text(const Message& message, std::uint32_t field) {
  return wire::bytes(message, field).value_or("");
}

// The names interned as field `field` of interned data, by iid.
std::map<std::uint64_t, std::string> interned(std::string_view trace, std::uint32_t field) {
  std::map<std::uint64_t, std::string> out;
  for (const Message& data : messages(trace, 12))
    for (const wire::Field& f : data)
      if (f.number == field) out[num(wire::decode(f.bytes), 1)] = text(wire::decode(f.bytes), 2);
  return out;
}

std::string trace_of(const Rows& rows) {
  return write_trace([&](TraceFileWriter& writer) { rows(writer); });
}

// --- the file

TEST(Packets, the_head_names_clocks_and_format_and_is_not_compressed) {
  const std::string trace = write_trace([](TraceFileWriter&) {}, {});
  const Message file = wire::decode(trace);
  ASSERT_GE(file.size(), 2U);
  std::set<std::uint64_t> clocks;
  const Message snapshot = inner(wire::decode(file[0].bytes), 6);
  for (const wire::Field& f : snapshot)
    if (f.number == 1) clocks.insert(num(wire::decode(f.bytes), 1));
  EXPECT_EQ(clocks, (std::set<std::uint64_t>{1, 3, 6})); // REALTIME, MONOTONIC, BOOTTIME
  EXPECT_EQ(num(snapshot, 2), 3U);                       // the primary clock
  const Message attribute = inner(inner(wire::decode(file[1].bytes), 126), 1);
  EXPECT_EQ(text(attribute, 1), "cann.format");
  EXPECT_EQ(num(attribute, 2), 1U);
}

TEST(Packets, an_imported_trace_does_not_claim_this_machines_time) {
  for (const Message& snapshot : messages(write_trace([](TraceFileWriter&) {}), 6))
    for (const wire::Field& f : snapshot)
      EXPECT_FALSE(f.number == 1 && num(wire::decode(f.bytes), 1) == 1) << "REALTIME";
}

TEST(Packets, a_marker_lets_tools_split_the_file_without_parsing_it) {
  const std::string trace = write_trace([](TraceFileWriter&) {});
  EXPECT_NE(trace.find("\x82\x47\x7a\x76\xb2\x8d\x42\xba\x81\xdc\x33\x32\x6d\x57\xa0\x79"),
            std::string::npos);
}

TEST(Packets, all_have_a_sequence_and_groups_stay_below_perfettos_limit) {
  const std::string trace = write_trace(
      [](TraceFileWriter& writer) {
        const auto track = add_thread_track(writer);
        for (int i = 0; i < 100'000; ++i)
          add_slice(writer, track, i * 10, 5, fmt::format("name {}", i));
      },
      {.group_bytes = 100 << 20, .is_live = false});
  int groups = 0;
  for (const wire::Field& outer : wire::decode(trace)) {
    const Message packet = wire::decode(outer.bytes);
    const auto group = wire::bytes(packet, 50);
    if (!group) continue;
    groups++;
    EXPECT_LE(wire::inflate_group(*group).size(), 480U * 1024);
  }
  EXPECT_GT(groups, 5);
  for (const Message& packet : wire::packets(trace))
    EXPECT_NE(num(packet, 10), 0U);
}

TEST(Packets, cost_at_most_16_bytes_a_slice) {
  // An operator of a network that runs again and again: its time and its length vary.
  const std::string trace = write_trace([](TraceFileWriter& writer) {
    const auto track = add_thread_track(writer);
    std::int64_t ts = 1'000'000;
    for (std::int64_t i = 0; i < 50'000; ++i) {
      const std::int64_t dur = 20'000 + (i * 7919) % 10'007;
      add_slice(writer, track, ts, dur, fmt::format("Conv_{}", i % 53));
      ts += dur + (i * 104'729) % 3'001;
    }
  });
  EXPECT_LE(trace.size(), 16U * 50'000);
}

// --- the machine

TEST(Packets, each_of_many_names_is_given_once_and_numbered_in_order) {
  constexpr std::int64_t kNames = 5000;
  std::map<std::uint64_t, std::string> names;
  const std::string trace = trace_of([&](TraceSink& sink) {
    const Id<Track> track = sink.track({.name = sink.intern("t")});
    for (std::int64_t i = 0; i < 3 * kNames; ++i) {
      const std::string name = "op " + std::to_string(i % kNames);
      sink.slice({.track = track, .ts = {10 * i}, .dur = {5}, .name = sink.intern(name)});
      names.try_emplace(static_cast<std::uint64_t>(i % kNames) + 1, name);
    }
  });
  EXPECT_EQ(interned(trace, 2), names);
  std::size_t entries = 0;
  for (const Message& data : messages(trace, 12))
    for (const wire::Field& f : data)
      entries += f.number == 2 ? 1 : 0;
  EXPECT_EQ(entries, static_cast<std::size_t>(kNames));
}

TEST(Packets, processes_and_threads_are_descriptors_with_their_names) {
  const auto tracks =
      messages(trace_of([](TraceSink& sink) {
                 const auto process =
                     sink.process({.pid = 42, .name = sink.intern("svc"), .cmdline = sink.intern("svc -x")});
                 sink.thread({.process = process, .tid = 43, .name = sink.intern("worker")});
               }),
               60);
  ASSERT_EQ(tracks.size(), 2U);
  const Message process = inner(tracks[0], 3), thread = inner(tracks[1], 4);
  EXPECT_EQ(num(process, 1), 42U);
  EXPECT_EQ(text(process, 2), "svc -x");
  EXPECT_EQ(text(process, 6), "svc");
  EXPECT_EQ(num(thread, 1), 42U);
  EXPECT_EQ(num(thread, 2), 43U);
  EXPECT_EQ(text(thread, 5), "worker");
  EXPECT_NE(num(tracks[0], 1), num(tracks[1], 1)); // uuids
}

TEST(Packets, a_device_is_a_track_and_a_gpu_at_its_position) {
  const std::string trace = trace_of([](TraceSink& sink) {
    const auto a = sink.device({.name = sink.intern("A"), .kind = DeviceKind::gpu, .index = 0});
    const auto b = sink.device({.name = sink.intern("B"), .kind = DeviceKind::npu, .index = 5});
    for (const auto device : {a, b})
      sink.kernel({.stream = sink.stream({.device = device, .number = 1}),
                   .ts = {10},
                   .dur = {7},
                   .name = sink.intern("gemm")});
  });
  const auto infos = messages(trace, 128);
  ASSERT_EQ(infos.size(), 1U);
  std::vector<std::string> names;
  for (const wire::Field& gpu : infos[0])
    names.push_back(text(wire::decode(gpu.bytes), 1));
  EXPECT_EQ(names, (std::vector<std::string>{"A", "B"}));
  const auto kernels = messages(trace, 53);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(num(kernels[0], 11), 0U); // gpu_id
  EXPECT_EQ(num(kernels[1], 11), 1U);
  EXPECT_EQ(num(kernels[0], 2), 7U);
  EXPECT_EQ(interned(trace, 2)[num(kernels[0], 20)], "gemm");
}

TEST(Packets, a_launch_and_its_kernel_are_linked_for_perfetto_too) {
  const std::string trace = trace_of([](TraceSink& sink) {
    const auto device = sink.device({.kind = DeviceKind::gpu});
    const std::uint64_t flow = 9;
    sink.slice({.track = add_thread_track(sink),
                .ts = {10},
                .dur = {5},
                .name = sink.intern("launch"),
                .flows_out = {&flow, 1}});
    sink.kernel({.stream = sink.stream({.device = device, .number = 1}),
                 .ts = {20},
                 .dur = {7},
                 .name = sink.intern("k"),
                 .flow_in = flow});
  });
  const auto kernels = messages(trace, 53);
  ASSERT_EQ(kernels.size(), 1U);
  bool is_linked = false;
  for (const Message& event : messages(trace, 11))
    is_linked = is_linked || num(inner(event, 3000), 1) == num(kernels[0], 1);
  EXPECT_TRUE(is_linked);
}

// A launch number that is used again: of all slices with it, the latest before the kernel, and nobody else.
TEST(Packets, of_launches_with_one_flow_the_latest_before_a_kernel_names_it) {
  const std::string trace = trace_of([](TraceSink& sink) {
    const auto device = sink.device({.kind = DeviceKind::gpu});
    const auto track = add_thread_track(sink), other = add_thread_track(sink, 44);
    const auto stream = sink.stream({.device = device, .number = 1});
    const auto launch = [&](Id<Track> on, std::int64_t ts, std::uint64_t flow) {
      sink.slice(
          {.track = on, .ts = {ts}, .dur = {5}, .name = sink.intern("launch"), .flows_out = {&flow, 1}});
    };
    const auto kernel = [&](std::int64_t ts, std::uint64_t flow) {
      sink.kernel({.stream = stream, .ts = {ts}, .dur = {1}, .name = sink.intern("k"), .flow_in = flow});
    };
    for (const std::int64_t ts : {30, 10, 20})
      launch(track, ts, 9);
    launch(other, 20, 9); // at the same time as one of the others
    launch(other, 40, 8); // alone with its flow
    for (const std::int64_t ts : {5, 10, 19, 25, 26, 100})
      kernel(ts, 9);
    kernel(35, 8); // on a clock that runs behind
    kernel(36, 7); // of no launch
  });
  std::map<std::uint64_t, std::uint64_t> place; // of an event id: how manieth kernel by time
  for (const Message& kernel : messages(trace, 53))
    place.try_emplace(num(kernel, 1), place.size());
  std::vector<std::vector<std::uint64_t>> named; // by each slice that names any
  for (const Message& event : messages(trace, 11)) {
    std::vector<std::uint64_t> places;
    for (const wire::Field& f : inner(event, 3000))
      places.push_back(place.at(f.value));
    if (!places.empty()) named.push_back(places);
  }
  std::ranges::sort(named);
  // By time: 5 10 19 25 26 35 36 100.
  EXPECT_EQ(named, (std::vector<std::vector<std::uint64_t>>{{1, 2}, {3, 4}, {5}, {7}}));
}

TEST(Packets, counters_carry_their_unit_and_hang_under_their_owner) {
  const std::string trace = trace_of([](TraceSink& sink) {
    const auto process = sink.process({.pid = 42});
    const auto rss =
        sink.counter_track({.name = sink.intern("rss"), .unit = sink.intern("bytes"), .process = process});
    sink.counter(rss, {10}, 4096);
    sink.counter(rss, {20}, 0.5);
  });
  const auto tracks = messages(trace, 60);
  ASSERT_EQ(tracks.size(), 2U);
  EXPECT_EQ(num(tracks[1], 5), num(tracks[0], 1)); // parent
  EXPECT_EQ(text(tracks[1], 2), "rss");
  EXPECT_EQ(text(inner(tracks[1], 8), 6), "bytes");
  const auto events = messages(trace, 11);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(num(events[0], 9), 4U);
  EXPECT_EQ(num(events[0], 30), 4096U); // a whole number is a varint
  EXPECT_EQ(std::bit_cast<double>(num(events[1], 44)), 0.5);
}

// --- samples and scheduling

TEST(Packets, a_sample_names_thread_cpu_and_stack_outermost_first) {
  const std::string trace = trace_of([](TraceSink& sink) {
    const auto process = sink.process({.pid = 42});
    const auto thread = sink.thread({.process = process, .tid = 43});
    const auto exe = sink.mapping({.path = sink.intern("/bin/svc"), .build_id = sink.intern("ab01")});
    const std::vector<Id<Frame>> frames{
        sink.frame({.function = sink.intern("main"), .mapping = exe, .rel_pc = 4}),
        sink.frame({.function = sink.intern("leaf"), .mapping = exe, .rel_pc = 8})};
    const auto stack = sink.callstack({frames});
    for (const std::int64_t weight : {10, 20})
      sink.sample({.ts = {weight},
                   .thread = thread,
                   .cpu = 2,
                   .callstack = stack,
                   .event = sink.intern("cpu-clock"),
                   .weight = weight});
  });
  const auto samples = messages(trace, 66);
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(num(samples[0], 1), 2U);  // cpu
  EXPECT_EQ(num(samples[0], 2), 42U); // pid
  EXPECT_EQ(num(samples[0], 3), 43U); // tid
  EXPECT_EQ(num(samples[0], 6), 10U); // the count adds up
  EXPECT_EQ(num(samples[1], 6), 30U);
  EXPECT_EQ(interned(trace, 16).begin()->second, "\xab\x01"); // raw build id
  auto functions = interned(trace, 5);
  std::map<std::uint64_t, std::string> names;
  std::vector<std::string> stack;
  for (const Message& data : messages(trace, 12)) {
    for (const wire::Field& f : data)
      if (f.number == 6) names[num(wire::decode(f.bytes), 1)] = functions[num(wire::decode(f.bytes), 2)];
    for (const wire::Field& f : data)
      if (f.number == 7)
        for (const wire::Field& frame : wire::decode(f.bytes))
          if (frame.number == 2) stack.push_back(names[frame.value]);
  }
  EXPECT_EQ(stack, (std::vector<std::string>{"main", "leaf"}));
  const Message timebase = inner(inner(messages(trace, 59).back(), 12), 1);
  EXPECT_EQ(text(timebase, 10), "cpu-clock");
}

TEST(Packets, switches_that_follow_one_another_are_compact) {
  const std::string trace = trace_of([](TraceSink& sink) {
    for (int i = 0; i < 1000; ++i)
      sink.sched_switch({.ts = {1000 + 10 * i},
                         .cpu = 3,
                         .prev_tid = i % 2 == 0 ? 0 : 43,
                         .next_tid = i % 2 == 0 ? 43 : 0,
                         .next_comm = i % 2 == 0 ? sink.intern("w") : StrId{}});
  });
  const auto bundles = messages(trace, 1);
  ASSERT_EQ(bundles.size(), 1U);
  EXPECT_EQ(num(bundles[0], 1), 3U);
  int whole = 0;
  for (const wire::Field& f : bundles[0])
    whole += f.number == 2 ? 1 : 0;
  EXPECT_EQ(whole, 1); // who ran before the first is not known otherwise
  const Message compact = inner(bundles[0], 4);
  EXPECT_EQ(text(compact, 3).size(), 999U);  // next_pid: a byte each
  EXPECT_EQ(text(compact, 2).size(), 999U);  // prev_state
  EXPECT_LE(text(compact, 1).size(), 1001U); // deltas; the first is absolute
}

// --- rows without a message

TEST(Packets, rows_without_a_message_are_attributes_under_our_prefix) {
  std::map<std::string, std::string> attributes;
  for (const Message& message :
       messages(trace_of([](TraceSink& sink) {
                  sink.gap({.ts = {1000}, .dur = {-5}, .reason = sink.intern("gap.x")});
                  sink.metadata("model", "resnet");
                  sink.metadata("cann.x", "y");
                }),
                126))
    for (const wire::Field& f : message)
      attributes[text(wire::decode(f.bytes), 1)] = text(wire::decode(f.bytes), 3);
  attributes.erase("cann.format");
  EXPECT_EQ(attributes, (std::map<std::string, std::string>{{"cann.gap.ts", "1000"},
                                                            {"cann.gap.dur", "-5"},
                                                            {"cann.gap.reason", "gap.x"},
                                                            {"model", "resnet"},
                                                            {"cann.metadata.cann.x", "y"}}));
}

// An operator that comes again is not encoded again: whatever differs from the last time must be.
TEST(Packets, a_slice_like_the_one_before_under_its_name_differs_where_it_differs) {
  TextSink told;
  const auto tell = [](TraceSink& sink) {
    const auto text = [&](std::string_view word) { return sink.intern(word); };
    const Id<Process> process = sink.process({.pid = 7});
    const Id<Track> track = sink.track({.name = text("t"), .process = process});
    const Arg one{.key = text("a"), .value = std::int64_t{1}}, real{.key = text("a"), .value = 1.0};
    const Arg zero{.key = text("a"), .value = 0.0}, minus{.key = text("a"), .value = -0.0};
    const Arg yes{.key = text("a"), .value = true}, word{.key = text("a"), .value = text("1")};
    const Arg other{.key = text("b"), .value = std::int64_t{1}};
    std::int64_t ts = 1000;
    for (const char* category : {"op", "run", "op"})
      for (const Layer layer : {Layer::framework, Layer::os})
        for (const std::int64_t dur : {5, 0, 5})
          for (const std::vector<Arg>& args : std::vector<std::vector<Arg>>{{one},
                                                                            {one},
                                                                            {real},
                                                                            {zero},
                                                                            {minus},
                                                                            {yes},
                                                                            {word},
                                                                            {other},
                                                                            {one, other},
                                                                            {other, one},
                                                                            {one, one},
                                                                            {},
                                                                            {one}})
            sink.slice({.track = track,
                        .ts = {ts += 10},
                        .dur = {dur},
                        .name = text("x"),
                        .category = text(category),
                        .layer = layer,
                        .args = args});
  };
  tell(told);
  TextSink got;
  ASSERT_TRUE(read_bytes(trace_of([&](TraceSink& sink) { tell(sink); }), got));
  EXPECT_EQ(told.of("slice").size(), 3u * 2 * 3 * 13);
  EXPECT_EQ(got.of("slice"), told.of("slice"));
}

TEST(Packets, arguments_keep_their_types) {
  const std::string trace = trace_of([](TraceSink& sink) {
    const std::vector<Arg> args{{sink.intern("n"), std::int64_t{-3}},
                                {sink.intern("x"), 0.25},
                                {sink.intern("b"), true},
                                {sink.intern("s"), sink.intern("text")},
                                {sink.intern("ids"), std::int64_t{1}},
                                {sink.intern("ids"), std::int64_t{2}}};
    sink.slice({.track = add_thread_track(sink),
                .ts = {10},
                .dur = {5},
                .name = sink.intern("op"),
                .category = sink.intern("cat"),
                .args = args});
  });
  auto keys = interned(trace, 3), strings = interned(trace, 29), categories = interned(trace, 1);
  const Message event = messages(trace, 11).front();
  EXPECT_EQ(categories[num(event, 3)], "cat");
  std::map<std::string, Message> args;
  for (const wire::Field& f : event)
    if (f.number == 4) args[keys[num(wire::decode(f.bytes), 1)]] = wire::decode(f.bytes);
  EXPECT_EQ(static_cast<std::int64_t>(num(args["n"], 4)), -3);
  EXPECT_EQ(std::bit_cast<double>(num(args["x"], 5)), 0.25);
  EXPECT_EQ(num(args["b"], 2), 1U);
  EXPECT_EQ(strings[num(args["s"], 17)], "text");
  std::vector<std::uint64_t> ids;
  for (const wire::Field& f : args["ids"])
    if (f.number == 12) ids.push_back(num(wire::decode(f.bytes), 4));
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{1, 2}));
}

} // namespace
} // namespace prof
