// What Perfetto and others write and we do not: traces made by hand from Perfetto's field numbers, and the
// rows that they mean.
#include "trace_bytes.hpp"
#include "wire.hpp"

#include <zstd.h>

namespace prof {
namespace {

using namespace wire;

std::string packet(const std::string& fields) {
  return len(1, fields);
}
// A packet of sequence 2 at `ts`.
std::string at(std::uint64_t ts, const std::string& fields) {
  return packet(num(8, ts) + fields + num(10, 2));
}
std::string begin(std::uint64_t ts, std::uint64_t track, const std::string& more) {
  return at(ts, len(11, num(9, 1) + num(11, track) + more));
}
std::string end(std::uint64_t ts, std::uint64_t track) {
  return at(ts, len(11, num(9, 2) + num(11, track)));
}
std::string instant(std::uint64_t ts, const std::string& more) {
  return at(ts, len(11, num(9, 3) + num(11, 5) + more));
}
std::string name(std::string_view text) {
  return len(23, text);
}
const std::string kTrack = packet(len(60, num(1, 5) + len(2, "T")) + num(10, 2));
constexpr const char* kOnTrack = "[T kind=1 thread=- process=- stream=- parent=-]";

struct Case {
  const char* claim;
  std::string trace;
  const char* word; // which rows
  std::vector<std::string> rows;
};

class Foreign : public testing::TestWithParam<Case> {};

TEST_P(Foreign, packets_mean_these_rows) {
  TextSink sink;
  const Status read = read_bytes(GetParam().trace, sink);
  ASSERT_TRUE(read.ok()) << read.error().what;
  std::vector<std::string> expected = GetParam().rows;
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(join_lines(sink.of(GetParam().word)), join_lines(expected));
}

std::string slice_line(const std::string& rest) {
  return fmt::format("slice {} {}", kOnTrack, rest);
}

// --- slices

std::vector<Case> slice_cases() {
  const std::string legacy_x = num(2, 'X') + num(3, 5);
  return {
      {"events_of_two_sequences_are_paired_by_time",
       kTrack + packet(num(8, 2000) + len(11, num(9, 2) + num(11, 5)) + num(10, 3)) +
           begin(1000, 5, name("outer") + len(22, "cat")),
       "slice",
       {slice_line("1000+1000 outer cat=cat layer=0")}},
      {"an_end_closes_the_innermost",
       kTrack + begin(10, 5, name("a")) + begin(20, 5, name("b")) + end(30, 5) + end(50, 5),
       "slice",
       {slice_line("10+40 a cat= layer=0"), slice_line("20+10 b cat= layer=0")}},
      {"an_end_without_a_begin_is_noted",
       kTrack + end(30, 5) + instant(40, name("i")),
       "note",
       {"note 0 note.tracefile.unmatched_end x1 at "}},
      {"events_of_types_to_come_are_noted",
       kTrack + at(1, len(11, num(9, 99) + num(11, 5))) + at(2, len(11, num(9, 98) + num(11, 5))),
       "note",
       {"note 0 note.tracefile.unknown_event x2 at "}},
      {"a_state_lasts_until_the_next",
       kTrack + at(10, len(11, num(9, 5) + num(11, 5) + name("idle"))) +
           at(30, len(11, num(9, 5) + num(11, 5) + name("busy"))) + instant(70, name("i")),
       "slice",
       {slice_line("10+20 idle cat= layer=0"), slice_line("30+40 busy cat= layer=0"),
        slice_line("70+0 i cat= layer=0")}},
      {"a_legacy_complete_event_counts_microseconds",
       kTrack + at(1000, len(11, num(11, 5) + name("x") + len(6, legacy_x))),
       "slice",
       {slice_line("1000+5000 x cat= layer=0")}},
      {"legacy_begin_and_end_pair",
       kTrack + at(10, len(11, num(11, 5) + name("x") + len(6, num(2, 'B')))) +
           at(25, len(11, num(11, 5) + len(6, num(2, 'E')))),
       "slice",
       {slice_line("10+15 x cat= layer=0")}},
      {"a_legacy_thread_descriptor_gives_the_sequence_its_track",
       packet(len(44, num(1, 70) + num(2, 71) + len(5, "old")) + num(10, 2)) +
           at(10, len(11, num(9, 3) + name("i"))),
       "slice",
       {"slice [ kind=0 thread=p70/t71 old process=- stream=- parent=-] 10+0 i cat= layer=0"}},
      {"defaults_and_interned_names_hold_for_their_sequence",
       kTrack +
           packet(num(10, 2) + num(13, 1) + len(59, len(11, num(11, 5))) +
                  len(12, len(1, num(1, 3) + len(2, "cat")) + len(2, num(1, 3) + len(2, "interned")))) +
           at(10, len(11, num(9, 3) + num(10, 3) + num(3, 3)) + num(13, 2)),
       "slice",
       {slice_line("10+0 interned cat=cat layer=0")}},
      {"a_flow_that_was_seen_before_goes_on",
       kTrack + instant(10, name("a") + fixed(47, 9)) + instant(20, name("b") + fixed(47, 9)) +
           instant(30, name("c") + fixed(48, 9)),
       "slice",
       {slice_line("10+0 a cat= layer=0 out=9"), slice_line("20+0 b cat= layer=0 out=9 in=9"),
        slice_line("30+0 c cat= layer=0 in=9")}},
      {"flows_of_old_files_are_varints",
       kTrack + instant(10, name("a") + num(36, 9)) + instant(20, name("b") + num(42, 9)),
       "slice",
       {slice_line("10+0 a cat= layer=0 out=9"), slice_line("20+0 b cat= layer=0 in=9")}},
  };
}

// --- arguments

std::string arg(const std::string& fields) {
  return len(4, fields);
}
std::string nested(int depth) {
  std::string inner = len(10, "leaf") + num(4, 1);
  for (int i = 0; i < depth; ++i)
    inner = len(10, "d") + len(11, inner);
  return inner;
}

std::vector<Case> arg_cases() {
  const auto one = [](const char* claim, const std::string& annotation, const std::string& shown) {
    return Case{claim,
                kTrack + instant(1, name("i") + arg(annotation)),
                "slice",
                {slice_line("1+0 i cat= layer=0" + shown)}};
  };
  return {
      one("a_bool_is_a_bool", len(10, "k") + num(2, 1), " k=true"),
      one("an_unsigned_number_is_a_number", len(10, "k") + num(3, 7), " k=7"),
      one("a_negative_number_is_a_number", len(10, "k") + num(4, ~std::uint64_t{0}), " k=-1"),
      one("a_double_is_a_double", len(10, "k") + real(5, 0.5), " k=0.5d"),
      one("a_pointer_is_text", len(10, "k") + num(7, 255), " k='0xff'"),
      one("legacy_json_is_text", len(10, "k") + len(9, "{\"a\":1}"), " k='{\"a\":1}'"),
      one("entries_of_a_dictionary_have_dotted_keys",
          len(10, "k") + len(11, len(10, "a") + num(4, 1)) + len(11, len(10, "b") + num(4, 2)),
          " k.a=1 k.b=2"),
      one("elements_of_an_array_repeat_the_key", len(10, "k") + len(12, num(4, 1)) + len(12, num(4, 2)),
          " k=1 k=2"),
      one("seven_levels_are_kept", nested(7), " d.d.d.d.d.d.d.leaf=1"),
      one("deeper_levels_are_left_out", nested(20), ""),
      {"and_noted", kTrack + instant(1, arg(nested(20))), "note", {"note 1 note.tracefile.args_cut x1 at "}},
  };
}

// --- counters

std::vector<Case> counter_cases() {
  const auto track = [](std::uint64_t uuid, const std::string& counter, const char* title) {
    return packet(len(60, num(1, uuid) + len(2, title) + len(8, counter)) + num(10, 2));
  };
  const auto value = [](std::uint64_t ts, const std::string& fields) {
    return at(ts, len(11, num(9, 4) + num(11, 6) + fields));
  };
  const std::string shown = "counter [c ({}) cpu=-1 thread=- process=- device=-] {}";
  return {
      {"whole_and_broken_values",
       track(6, num(3, 3), "c") + value(1, num(30, 4096)) + value(2, real(44, 0.5)),
       "counter",
       {"counter [c (bytes) cpu=-1 thread=- process=- device=-] 1 4096",
        "counter [c (bytes) cpu=-1 thread=- process=- device=-] 2 0.5"}},
      {"a_multiplier_and_deltas",
       track(6, len(6, "W") + num(4, 1000) + num(5, 1), "c") + value(1, num(30, 2)) + value(2, num(30, 3)),
       "counter",
       {"counter [c (W) cpu=-1 thread=- process=- device=-] 1 2000",
        "counter [c (W) cpu=-1 thread=- process=- device=-] 2 5000"}},
      {"extra_values_beside_an_event",
       kTrack + track(6, num(3, 1), "c") + track(7, num(3, 2), "d") +
           packet(num(10, 2) + num(13, 1) + len(59, len(11, num(11, 5) + num(31, 6) + num(45, 7)))) +
           at(9, len(11, num(9, 3) + name("i") + num(12, 44) + real(46, 1.5)) + num(13, 2)),
       "counter",
       {"counter [c (ns) cpu=-1 thread=- process=- device=-] 9 44",
        "counter [d (count) cpu=-1 thread=- process=- device=-] 9 1.5"}},
      {"of_a_gpu",
       at(1, len(52, len(1, len(1, num(1, 8) + len(2, "busy") + num(7, 37)) +
                                len(1, num(1, 9) + len(2, "power") + num(7, 29))) +
                         len(2, num(1, 8) + num(2, 75)) + num(3, 1))) +
           at(2, len(52, len(2, num(1, 9) + real(3, 250.5)) + len(2, num(1, 77) + num(2, 1)) + num(3, 1))),
       "counter",
       {"counter [busy (percent) cpu=-1 thread=- process=- device=GPU 1 kind=1 #1] 1 75",
        "counter [power (watt) cpu=-1 thread=- process=- device=GPU 1 kind=1 #1] 2 250.5"}},
  };
}

// --- samples, symbols, scheduling, device work

std::string stacks() { // interned on sequence 2: f calls g in /bin/x
  const auto text = [](std::uint32_t field, int iid, std::string_view t) {
    return len(field, num(1, static_cast<std::uint64_t>(iid)) + len(2, t));
  };
  return len(12,
             text(5, 1, "f") + text(5, 2, "g") + text(17, 1, "bin") + text(17, 2, "x") +
                 text(16, 1, "\xab\x01") + text(18, 1, "g.cc") +
                 len(19, num(1, 1) + num(2, 1) + num(3, 0x10) + num(4, 0x1000) + num(5, 0x2000) + num(7, 1) +
                             num(7, 2)) +
                 len(6, num(1, 1) + num(2, 1) + num(3, 1) + num(4, 5)) +
                 len(6, num(1, 2) + num(2, 2) + num(3, 1) + num(4, 6) + num(5, 1) + num(6, 9) + num(7, 2)) +
                 len(7, num(1, 1) + num(2, 1) + num(2, 2)) + len(7, num(1, 2) + num(2, 1) + num(2, 99)));
}

std::vector<Case> profile_cases() {
  const std::string head =
      packet(num(10, 2) + num(13, 1) + stacks() +
             len(59, len(12, len(1, num(2, 100) + num(4, 10))) + len(100, len(2, len(2, "bytes")))));
  const std::string f = "(/bin/x ab01 0x1000-0x2000@0x10+0x5 f :0 k0)";
  const std::string g = "(/bin/x ab01 0x1000-0x2000@0x10+0x6 g g.cc:9 k1)";
  const auto perf = [](std::uint64_t ts, std::uint64_t stack, const std::string& more = {}) {
    return at(ts, len(66, num(1, 3) + num(2, 70) + num(3, 71) + num(4, stack) + more) + num(13, 2));
  };
  return {
      {"a_frequency_weighs_each_sample",
       head + perf(10, 1),
       "sample",
       {"sample 10 [p70/t71 ] cpu=3 cycles weight=10000000 stack=" + f + g}},
      {"a_count_weighs_from_the_second_sample_on",
       head + perf(10, 1, num(6, 500)) + perf(20, 1, num(6, 800)),
       "sample",
       {"sample 10 [p70/t71 ] cpu=3 cycles weight=10000000 stack=" + f + g,
        "sample 20 [p70/t71 ] cpu=3 cycles weight=300 stack=" + f + g}},
      {"a_frame_that_is_not_described_is_left_out",
       head + perf(10, 2),
       "sample",
       {"sample 10 [p70/t71 ] cpu=3 cycles weight=10000000 stack=" + f}},
      {"and_noted", head + perf(10, 2), "note", {"note 1 note.tracefile.lost_frames x1 at "}},
      {"a_stack_sample_of_interned_parts",
       head +
           packet(num(10, 2) +
                  len(12, len(48, num(1, 4) + num(2, 70) + num(3, 71)) + len(49, num(1, 5) + num(2, 6)))) +
           at(10, len(135, num(2, 4) + num(4, 5) + num(6, 1) + num(11, 4096)) + num(13, 2)),
       "sample",
       {"sample 10 [p70/t71 ] cpu=6 bytes weight=4096 stack=" + f + g}},
      {"a_stack_sample_of_its_own_parts",
       at(10, len(135, len(1, num(2, 70) + num(3, 71)) + len(3, num(2, 1)) +
                           len(5, len(1, len(1, "main") + len(2, "m.py") + num(3, 12))) +
                           len(9, len(2, "alloc")))),
       "sample",
       {"sample 10 [p70/t71 ] cpu=1 alloc weight=1 stack=(-+0x0 main m.py:12 k0)"}},
      {"a_stack_on_an_event_of_a_thread",
       head + packet(len(60, num(1, 8) + len(4, num(1, 70) + num(2, 71))) + num(10, 2)) +
           at(10, len(11, num(9, 3) + num(11, 8) + name("i") + num(56, 1)) + num(13, 2)),
       "sample",
       {"sample 10 [p70/t71 ] cpu=-1 track-event weight=1 stack=" + f + g}},
      {"symbols_list_the_innermost_first",
       packet(len(61, len(1, "/bin/x") + len(2, "\xab") +
                          len(3, num(1, 16) + len(2, len(1, "inlined") + len(2, "i.h") + num(3, 2)) +
                                     len(2, len(1, "outer") + num(3, 8)))) +
              num(10, 2)),
       "symbol",
       {"symbol /bin/x 0x10 #0 outer :8", "symbol /bin/x 0x10 #1 inlined i.h:2"}},
  };
}

std::vector<Case> machine_cases() {
  const auto compact = len(4, len(5, "a") + len(5, "b") + len(1, varint(100) + varint(50)) +
                                  len(2, varint(1) + varint(0)) + len(3, varint(43) + varint(0)) +
                                  len(4, varint(120) + varint(99)) + len(6, varint(0) + varint(1)) +
                                  len(7, varint(120)) + len(8, varint(44)) + len(9, varint(2)));
  const auto gpu = [](const std::string& more) {
    return at(100,
              len(53, num(1, 77) + num(2, 30) + num(11, 0) + num(13, 1) + num(14, 2) + more) + num(13, 2));
  };
  const std::string specs =
      packet(num(10, 2) + num(13, 1) +
             len(12, len(24, num(1, 1) + len(2, "Stream 7")) + len(24, num(1, 2) + len(2, "MemcpyHtoD")) +
                         len(1001, num(1, 1) + len(2, "stream"))));
  return {
      {"the_first_compact_switch_does_not_say_who_stopped",
       packet(len(1, num(1, 4) + compact) + num(10, 2)),
       "switch",
       {"switch 100 cpu=4 0S -> 43 prio=120 a", "switch 150 cpu=4 43R -> 0 prio=99 b"}},
      {"a_compact_wakeup_is_by_who_runs",
       packet(len(1, num(1, 4) + compact) + num(10, 2)),
       "wakeup",
       {"wakeup 120 cpu=4 44 by 43 to 2"}},
      {"whole_scheduler_events",
       packet(len(1, num(1, 4) +
                         len(2, num(1, 10) + num(2, 43) +
                                    len(4, num(2, 43) + num(4, 2) + len(5, "x") + num(6, 44) + num(7, 10)))) +
              num(10, 2)),
       "switch",
       {"switch 10 cpu=4 43D -> 44 prio=10 x"}},
      {"a_copy_on_a_gpu_is_named_by_its_stage",
       specs + gpu(len(17, "copy")),
       "kernel",
       {"kernel [1 of GPU 0 kind=1 #0: Stream 7] 100+30 copy op= kind=2 corr=77 flow=7453586026158620749 "
        "bytes=0"}},
      {"launch_sizes_and_arguments",
       specs + gpu(len(17, "k") + len(21, len(1, num(1, 4) + num(2, 5)) + len(3, num(1, 1) + num(3, 7)))),
       "kernel",
       {"kernel [7 of GPU 0 kind=1 #0: Stream 7] 100+30 k op= kind=2 corr=77 flow=7453586026158620749 "
        "bytes=0 "
        "launch.grid_size='4,5,1' stream=7"}},
      {"the_slice_that_submits_a_kernel_starts_its_flow",
       kTrack + instant(1, name("launch") + len(3000, num(1, 77))),
       "slice",
       {slice_line("1+0 launch cat= layer=0 out=7453586026158620749")}},
      {"the_process_tree_names_processes",
       packet(len(2, len(1, num(1, 70) + num(2, 1) + len(3, "/bin/svc") + len(3, "--x"))) + num(10, 2)),
       "process",
       {"process 70 name=/bin/svc cmdline=/bin/svc --x"}},
      {"the_process_tree_names_threads",
       packet(len(2, len(2, num(1, 71) + len(2, "t") + num(3, 70))) + num(10, 2)),
       "thread",
       {"thread p70/t71 t"}},
      {"attributes_are_metadata",
       packet(len(126, len(1, len(1, "model") + len(3, "resnet")) + len(1, len(1, "batch") + num(2, 8))) +
              num(10, 2)),
       "metadata",
       {"metadata batch=8", "metadata model=resnet"}},
      {"descriptions_of_others_are_for_people",
       packet(len(60, num(1, 5) + len(2, "T") + len(14, "device kind=gpu index=0")) + num(10, 2)),
       "track",
       {"track T kind=1 thread=- process=- stream=- parent=-"}},
  };
}

// --- clocks and losses

std::string snapshot(const std::string& clocks, std::uint64_t primary = 0) {
  return packet(len(6, clocks + (primary != 0 ? num(2, primary) : "")) + num(10, 2));
}
std::string clock(std::uint64_t id, std::uint64_t value, const std::string& more = {}) {
  return len(1, num(1, id) + num(2, value) + more);
}

std::vector<Case> clock_cases() {
  const auto on = [](std::uint64_t id, std::uint64_t ts) {
    return packet(num(8, ts) + num(58, id) + len(11, num(9, 3) + num(11, 5) + name("i")) + num(10, 2));
  };
  const std::string boot = snapshot(clock(6, 1000) + clock(3, 400) + clock(1, 50000));
  const std::string user = snapshot(clock(6, 1000) + clock(64, 7, num(3, 1) + num(4, 1000)));
  const auto shown = [](std::int64_t ts) { return slice_line(fmt::format("{}+0 i cat= layer=0", ts)); };
  return {
      {"monotonic_becomes_boottime", kTrack + boot + on(3, 410), "slice", {shown(1010)}},
      {"real_time_becomes_boottime", kTrack + boot + on(1, 50020), "slice", {shown(1020)}},
      {"the_primary_clock_wins",
       kTrack + snapshot(clock(6, 1000) + clock(3, 400), 3) + on(6, 1010),
       "slice",
       {shown(410)}},
      {"an_incremental_clock_adds_up_in_its_unit",
       kTrack + user + on(64, 2) + on(64, 3),
       "slice",
       {shown(3000), shown(6000)}},
      {"a_later_snapshot_moves_a_clock",
       kTrack + boot + snapshot(clock(6, 2000) + clock(3, 500)) + on(3, 510),
       "slice",
       {shown(2010)}},
      {"an_unrelated_clock_is_noted",
       kTrack + boot + on(9, 5),
       "note",
       {"note 2 note.tracefile.clock x1 at "}},
      {"a_time_without_reason_is_noted",
       kTrack + on(6, ~std::uint64_t{0} >> 1),
       "note",
       {"note 2 note.tracefile.clock x1 at "}},
  };
}

std::vector<Case> loss_cases() {
  const std::string head = packet(num(10, 2) + num(13, 1) + len(59, len(11, num(11, 5))));
  const auto event = [](std::uint64_t ts, const std::string& more = {}) {
    return at(ts, len(11, num(9, 3) + name("i")) + num(13, 2) + more);
  };
  const std::string trace = kTrack + head + event(1) + event(2, num(42, 1)) + event(3) + head + event(4);
  return {
      {"after_a_loss_a_sequence_waits_for_its_next_start",
       trace,
       "slice",
       {slice_line("1+0 i cat= layer=0"), slice_line("4+0 i cat= layer=0")}},
      {"a_loss_and_what_it_costs_are_noted",
       trace,
       "note",
       {fmt::format("note 2 note.tracefile.lost x1 at offset {}",
                    kTrack.size() + head.size() + event(1).size()),
        fmt::format("note 2 note.tracefile.no_state x2 at offset {}",
                    kTrack.size() + head.size() + event(1).size())}},
      {"a_packet_with_a_broken_event_costs_that_event",
       kTrack + event(1) + at(2, len(11, std::string("\x0a\x7f", 2))) + instant(3, name("j")),
       "slice",
       {slice_line("3+0 j cat= layer=0")}},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (auto&& part : {slice_cases(), arg_cases(), counter_cases(), profile_cases(), machine_cases(),
                      clock_cases(), loss_cases()})
    all.insert(all.end(), part.begin(), part.end());
  for (std::size_t i = 0; i < all.size(); ++i) // "and noted" stands more than once
    for (std::size_t k = 0; k < i; ++k)
      if (std::string_view(all[i].claim) == all[k].claim) all[i].claim = "and_is_noted";
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Foreign, testing::ValuesIn(all_cases()),
                         [](const auto& of) { return std::string(of.param.claim); });

// --- compressed groups

std::string zstd(const std::string& raw) {
  std::string out(ZSTD_compressBound(raw.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), raw.data(), raw.size(), 3));
  return out;
}

TEST(Groups, of_both_kinds_are_read) {
  for (const std::string& group : {len(50, deflate_group(kTrack + instant(1, name("i")))),
                                   len(133, zstd(kTrack + instant(1, name("i"))))})
    EXPECT_EQ(join_lines(rows_in(packet(group))),
              join_lines(
                  {slice_line("1+0 i cat= layer=0"), "track T kind=1 thread=- process=- stream=- parent=-"}));
}

TEST(Groups, inside_groups_and_bombs_are_left_out_and_noted) {
  const std::string bomb(std::size_t{32} << 20, '\0');
  const struct {
    std::string group;
    const char* note;
  } cases[]{
      {len(50, deflate_group(packet(len(50, deflate_group(kTrack))))),
       "note 2 note.tracefile.nested x1 at offset 0"},
      {len(50, deflate_group(bomb)), "note 2 note.tracefile.bomb x1 at offset 0"},
      {len(133, zstd(bomb)), "note 2 note.tracefile.bomb x1 at offset 0"},
      {len(50, "this is no deflate stream"), "note 2 note.tracefile.bad_group x1 at offset 0"},
      {len(133, "nor is this zstd"), "note 2 note.tracefile.bad_group x1 at offset 0"},
      {len(50, deflate_group(kTrack).substr(0, 8)), "note 2 note.tracefile.bad_group x1 at offset 0"},
      {len(133, zstd(kTrack).substr(0, 12)), "note 2 note.tracefile.bad_group x1 at offset 0"},
  };
  for (const auto& c : cases) {
    TextSink sink;
    ASSERT_TRUE(read_bytes(packet(c.group) + kTrack, sink).ok());
    EXPECT_NE(join_lines(sink.of("note")).find(c.note), std::string::npos) << join_lines(sink.of("note"));
    EXPECT_EQ(sink.of("track").size(), 1U);
  }
}

TEST(Format, that_is_newer_than_ours_is_refused_by_name) {
  TextSink sink;
  const Status read =
      read_bytes(packet(len(126, len(1, len(1, "cann.format") + num(2, 2))) + num(10, 1)), sink);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, Errc::unsupported);
  EXPECT_EQ(read.error().what, "trace format 2 is newer than this program reads (1); use a newer one");
}

} // namespace
} // namespace prof
