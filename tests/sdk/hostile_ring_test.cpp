// Ring files that a hostile process could write: nothing in them may be believed, followed or kept without
// limit.
#include "fake_ring.hpp"

#include "capture/sdk_services.hpp"

#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <limits>
#include <sys/wait.h>

namespace prof {
namespace {

using sdk::RecordKind;
using test::FakeRing;
using test::MemorySink;
using test::Recorder;

constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max();

struct Forgery {
  const char* name;
  void (*forge)(FakeRing&);
  Errc expected;
};
class ForgedHeader : public ::testing::TestWithParam<Forgery> {};

TEST_P(ForgedHeader, is_refused_with_the_files_name) {
  FakeRing ring(getpid());
  ASSERT_TRUE(SdkRing::open(ring.path()).ok()) << "the file is a good one before it is forged";
  GetParam().forge(ring);
  const auto opened = SdkRing::open(ring.path());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, GetParam().expected) << opened.error().what;
  EXPECT_EQ(opened.error().where, ring.path());
}

INSTANTIATE_TEST_SUITE_P(
    HostileRing, ForgedHeader,
    ::testing::Values(
        Forgery{"magic", [](FakeRing& r) { r.header().magic[7] = '2'; }, Errc::malformed},
        Forgery{"version_before", [](FakeRing& r) { r.header().version = 1; }, Errc::unsupported},
        Forgery{"version_after", [](FakeRing& r) { r.header().version = 3; }, Errc::unsupported},
        Forgery{"no_slots", [](FakeRing& r) { r.header().slot_count = 0; }, Errc::malformed},
        Forgery{"a_slot_too_many", [](FakeRing& r) { r.header().slot_count = sdk::kSlotCount + 1; },
                Errc::malformed},
        Forgery{"slots_2_32", [](FakeRing& r) { r.header().slot_count = 0xffffffffu; }, Errc::malformed},
        Forgery{"other_slots_than_offsets", [](FakeRing& r) { r.header().slot_count = 3; }, Errc::malformed},
        Forgery{"no_records", [](FakeRing& r) { r.header().ring_records = 0; }, Errc::malformed},
        Forgery{"records_2_32", [](FakeRing& r) { r.header().ring_records = 0xffffffffu; }, Errc::malformed},
        Forgery{"ops_2_32", [](FakeRing& r) { r.header().op_count = 0xffffffffu; }, Errc::malformed},
        Forgery{"slots_at_0", [](FakeRing& r) { r.header().slots_offset = 0; }, Errc::malformed},
        Forgery{"names_past_the_end", [](FakeRing& r) { r.header().names_offset = kFar; }, Errc::malformed},
        Forgery{"ops_past_the_end", [](FakeRing& r) { r.header().ops_offset = kFar - 4095; },
                Errc::malformed},
        Forgery{"rings_in_the_names", [](FakeRing& r) { r.header().rings_offset = r.header().names_offset; },
                Errc::malformed},
        Forgery{"pid_0", [](FakeRing& r) { r.header().pid = 0; }, Errc::malformed},
        Forgery{"pid_of_another_process", [](FakeRing& r) { r.header().pid = 1; }, Errc::malformed},
        Forgery{"pid_2_32", [](FakeRing& r) { r.header().pid = 0xffffffffu; }, Errc::malformed},
        Forgery{"cut_in_the_operators",
                [](FakeRing& r) {
                  EXPECT_EQ(ftruncate(r.fd(), static_cast<off_t>(r.header().rings_offset - 1)), 0);
                },
                Errc::malformed},
        Forgery{"cut_in_the_header", [](FakeRing& r) { EXPECT_EQ(ftruncate(r.fd(), 4095), 0); },
                Errc::malformed},
        Forgery{"empty", [](FakeRing& r) { EXPECT_EQ(ftruncate(r.fd(), 0), 0); }, Errc::malformed}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(HostileRing, what_is_no_plain_file_is_not_opened) {
  const std::string path = (test::registry() / (std::to_string(getpid()) + "-other.ring")).string();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const auto pipe = SdkRing::open(path); // must not wait for a writer either
  ASSERT_FALSE(pipe.ok());
  EXPECT_EQ(pipe.error().code, Errc::malformed);
  unlink(path.c_str());
  ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
  EXPECT_FALSE(SdkRing::open(path).ok());
  rmdir(path.c_str());
  const FakeRing real(getpid());
  ASSERT_EQ(symlink(real.path().c_str(), path.c_str()), 0);
  EXPECT_FALSE(SdkRing::open(path).ok()) << "a link may lead anywhere";
  unlink(path.c_str());
  const auto missing = SdkRing::open(path);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Errc::missing);
}

TEST(HostileRing, one_user_cannot_speak_for_a_process_of_another) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a second user";
  const pid_t theirs = getppid() > 1 ? getppid() : 1; // of root, as we are
  FakeRing ring(theirs);
  EXPECT_TRUE(SdkRing::open(ring.path()).ok());
  ASSERT_EQ(fchown(ring.fd(), 65534, 65534), 0);
  const auto opened = SdkRing::open(ring.path());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, Errc::permission);
}

struct Indices {
  const char* name;
  std::uint64_t head, tail;
};
class ForgedIndices : public ::testing::TestWithParam<Indices> {};

TEST_P(ForgedIndices, are_counted_once_and_what_comes_after_is_read) {
  FakeRing ring(getpid());
  Recorder recorder(getpid());
  ring.slot(0).tail = GetParam().tail;
  ring.slot(0).head = GetParam().head;
  recorder.drain();
  EXPECT_EQ(recorder.ring->losses().damaged, 1u);
  EXPECT_TRUE(recorder.sink.slices.empty());
  recorder.drain();
  EXPECT_EQ(recorder.ring->losses().damaged, 1u);
  ring.enter(getpid());
  ring.begin(ring.name("afterwards"), 1);
  ring.end(1);
  EXPECT_EQ(recorder.stop().count("afterwards"), 1u);
}

INSTANTIATE_TEST_SUITE_P(HostileRing, ForgedIndices,
                         ::testing::Values(Indices{"head_runs_backwards", 10, 11},
                                           Indices{"head_far_behind", 0, 1'000'000},
                                           Indices{"head_one_lap_and_one_ahead", sdk::kRingRecords + 1, 0},
                                           Indices{"head_2_63", 1ull << 63, 0},
                                           Indices{"tail_2_64", 0, kFar - 100'000}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(HostileRing, indices_that_pass_the_end_of_their_type_are_no_standstill) {
  FakeRing ring(getpid());
  Recorder recorder(getpid());
  ring.slot(0).tail = ring.slot(0).head = kFar - 1;
  ring.enter(getpid()); // at 2^64 - 2, and from there on past the end
  ring.begin(ring.name("over the end"), 1);
  ring.end(1);
  ASSERT_EQ(ring.slot(0).head, 1u);
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.count("over the end"), 1u);
  EXPECT_EQ(ring.slot(0).tail, 1u);
}

TEST(HostileRing, more_slots_in_use_than_there_are_read_no_further) {
  FakeRing ring(getpid());
  ring.header().slots_used = 0xffffffffu;
  Recorder recorder(getpid());
  ring.enter(getpid(), FakeRing::kSlots - 1);
  ring.put({.ts = FakeRing::now(),
            .a = FakeRing::now(),
            .b = 0,
            .name = 0,
            .kind = RecordKind::op,
            .flags = 0,
            .depth = 0},
           FakeRing::kSlots - 1);
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.slices.size(), 1u);
}

// Who holds a ring: the number of a profiler says something in its own pid namespace only.
struct Holder {
  const char* name;
  bool is_alive, is_here;
  std::int64_t heartbeat_age_ns;
  bool holds;
};
class RingHolder : public ::testing::TestWithParam<Holder> {};

TEST_P(RingHolder, keeps_the_ring_as_long_as_it_is_there) {
  const Holder& holder = GetParam();
  FakeRing ring(getpid(), "held");
  sdk::RingHeader& h = ring.header();
  const std::int64_t pid = holder.is_alive ? getppid() : 0x3fffffff; // above any pid there is
  const auto stat = read_stat("/proc", pid);
  h.profiler_pid = static_cast<std::uint32_t>(pid);
  h.profiler_start = stat ? static_cast<std::uint64_t>(stat->start_ticks) : 77;
  h.profiler_ns = holder.is_here ? h.pid_ns : h.pid_ns + 1;
  h.heartbeat_ns = now_monotonic().ns - holder.heartbeat_age_ns;
  h.word = 5;
  auto reader = SdkRing::open(ring.path());
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ((*reader)->other_profiler(), holder.holds ? pid : 0);
  const Status attached = (*reader)->attach(1.0);
  EXPECT_EQ(attached.ok(), !holder.holds);
  if (holder.holds) {
    EXPECT_EQ(attached.error().code, Errc::permission);
    EXPECT_NE(attached.error().what.find("pid " + std::to_string(pid)), std::string::npos);
    EXPECT_EQ(h.profiler_pid.load(), static_cast<std::uint32_t>(pid)) << "nothing of it was touched";
    EXPECT_EQ(h.word.load(), 5u);
  } else {
    EXPECT_EQ(h.profiler_pid.load(), static_cast<std::uint32_t>(getpid()));
    EXPECT_EQ(h.profiler_ns.load(), h.pid_ns);
  }
}

constexpr std::int64_t kSecondNs = 1'000'000'000;
INSTANTIATE_TEST_SUITE_P(
    All, RingHolder,
    ::testing::Values(Holder{"alive", true, true, 0, true},
                      Holder{"alive_and_slow", true, true, 60 * kSecondNs, true},
                      Holder{"killed", false, true, 0, false},
                      Holder{"in_another_container", false, false, kSecondNs, true},
                      Holder{"killed_in_another_container", false, false, 11 * kSecondNs, false},
                      Holder{"a_number_of_ours_in_another_container", true, false, 11 * kSecondNs, false}),
    [](const auto& row) { return row.param.name; });

TEST(HostileRing, names_are_read_only_where_the_process_put_them) {
  FakeRing ring(getpid());
  const std::uint32_t good = ring.name("good");
  const std::uint32_t longest = ring.name(std::string(sdk::kMaxNameBytes, 'x'));
  const std::uint32_t too_long = ring.name(std::string(sdk::kMaxNameBytes + 1, 'y'));
  const std::uint32_t huge = ring.name("huge", 0xffffffff);
  const std::uint32_t over_the_end = ring.name("last", 1009);
  auto opened = SdkRing::open(ring.path());
  ASSERT_TRUE(opened.ok());
  SdkRing& reader = **opened;
  EXPECT_EQ(reader.name(good), "good");
  EXPECT_EQ(reader.name(longest), std::string(sdk::kMaxNameBytes, 'x'));
  EXPECT_EQ(reader.name(too_long), "");
  EXPECT_EQ(reader.name(huge), "");
  EXPECT_EQ(reader.name(over_the_end), "") << "it would go on behind the last text";
  EXPECT_EQ(reader.name(0), "");
  EXPECT_EQ(reader.name(0xffffffffu), "");
  ring.header().names_used = 0xffffffffu; // all of the table and more
  EXPECT_EQ(reader.name(sdk::kNamesBytes / sdk::kNameAlign), "") << "the operators begin there";
  EXPECT_EQ(reader.name(over_the_end).size(), 1009u) << "inside the table what it says may be read";
  ring.header().ops_used = 0xffffffffu;
  EXPECT_EQ(reader.op_count(), sdk::kOpCount);
  EXPECT_EQ(reader.op(sdk::kOpCount).name, 0u);
  EXPECT_EQ(reader.op(0xffffffffu).name, 0u);
}

TEST(HostileRing, odd_bytes_in_names_reach_the_trace_as_they_are) {
  const std::array<std::string, 6> texts{"\xff\xfe\xc3(",          "\x1b[2J\x1b[31mred",
                                         std::string("a\0b", 3),
                                         "\xed\xa0\x80", // half of a surrogate pair
                                         std::string(10'000, 'z'), "../../etc/passwd"};
  FakeRing ring(getpid());
  ring.header().service = ring.name(texts[1]);
  Recorder recorder(getpid());
  ring.enter(getpid());
  for (const std::string& text : texts) {
    ring.begin(ring.name(text), 1);
    ring.end(1);
  }
  const MemorySink& sink = recorder.stop();
  ASSERT_EQ(sink.slices.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(sink.slices[i].name, texts[i]);
  EXPECT_EQ(recorder.ring->service(), texts[1]);
}

// A process may cut its file at any time; touching a mapping of what is gone is a SIGBUS.
TEST(HostileRing, a_file_that_is_cut_while_it_is_read_does_not_kill_the_profiler) {
  for (const off_t left : {off_t{0}, off_t{sdk::kHeaderBytes}, off_t{sdk::kHeaderBytes + 64}}) {
    FakeRing ring(getpid(), "cut" + std::to_string(left));
    auto opened = SdkRing::open(ring.path());
    ASSERT_TRUE(opened.ok());
    SdkRing& reader = **opened;
    ASSERT_TRUE(reader.attach(1.0).ok());
    ring.enter(getpid());
    ASSERT_EQ(ftruncate(ring.fd(), left), 0);
    int taken = 0;
    reader.drain([&](std::uint32_t, const sdk::RingRecord&) { ++taken; });
    EXPECT_EQ(taken, 0);
    EXPECT_GE(reader.losses().damaged, 1u) << "left: " << left;
    EXPECT_EQ(reader.service(), "");
    EXPECT_EQ(reader.name(1), "");
    EXPECT_EQ(reader.op(1).name, 0u);
    EXPECT_EQ(reader.other_profiler(), 0);
    reader.detach();
    EXPECT_FALSE(reader.is_attached());
  }
}

TEST(HostileRing, a_bus_error_that_is_no_cut_ring_still_ends_the_program) {
  const FakeRing ring(getpid()); // installs the handler
  const auto opened = SdkRing::open(ring.path());
  ASSERT_TRUE(opened.ok());
  const pid_t child = fork();
  if (child == 0) {
    const int fd = open((test::registry() / "plain").c_str(), O_RDWR | O_CREAT, 0600);
    void* map = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0); // of an empty file
    _exit(*static_cast<volatile char*>(map));
  }
  int status = 0;
  waitpid(child, &status, 0);
  unlink((test::registry() / "plain").c_str());
  if (WIFSIGNALED(status)) {
    EXPECT_EQ(WTERMSIG(status), SIGBUS);
  } else {
    EXPECT_TRUE(WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 66) << "a sanitizer's own report";
  }
}

struct Nonsense {
  const char* name;
  sdk::RingRecord record;
};
class NonsenseRecord : public ::testing::TestWithParam<Nonsense> {};

sdk::RingRecord record_of(RecordKind kind, std::uint64_t ts, std::uint64_t a, std::uint32_t name = 0,
                          std::uint16_t depth = 0) {
  return {.ts = ts, .a = a, .b = 0, .name = name, .kind = kind, .flags = 0, .depth = depth};
}

// A field of `now` is put in where a record says kNow.
constexpr std::uint64_t kNow = 0x1234567890abcdefull;

TEST_P(NonsenseRecord, is_counted_and_leaves_nothing_in_the_trace) {
  FakeRing ring(getpid());
  Recorder recorder(getpid());
  ring.enter(getpid());
  sdk::RingRecord record = GetParam().record;
  if (record.ts == kNow) record.ts = FakeRing::now();
  if (record.a == kNow) record.a = FakeRing::now();
  ring.put(record);
  ring.begin(ring.name("honest"), 1);
  ring.end(1);
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(recorder.decoder->seen().damaged, 1);
  EXPECT_EQ(sink.count("honest"), 1u);
  EXPECT_EQ(sink.slices.size(), 1u);
  EXPECT_TRUE(sink.counters.empty());
}

INSTANTIATE_TEST_SUITE_P(
    HostileRing, NonsenseRecord,
    ::testing::Values(
        Nonsense{"no_kind", record_of(RecordKind::none, kNow, 0)},
        Nonsense{"kind_15", record_of(static_cast<RecordKind>(15), kNow, 0)},
        Nonsense{"kind_255", record_of(static_cast<RecordKind>(255), kNow, 0)},
        Nonsense{"end_without_begin", record_of(RecordKind::span_end, kNow, 0, 0, 1)},
        Nonsense{"begin_at_depth_0", record_of(RecordKind::span_begin, kNow, 0, 0, 0)},
        Nonsense{"begin_too_deep", record_of(RecordKind::span_begin, kNow, 0, 0, sdk::kMaxDepth + 1)},
        Nonsense{"begin_at_depth_65535", record_of(RecordKind::span_begin, kNow, 0, 0, 0xffff)},
        Nonsense{"argument_of_no_span", record_of(RecordKind::span_arg, 0, 1, 0, 1)},
        Nonsense{"flow_of_no_span", record_of(RecordKind::flow_out, 0, 1, 0, 9)},
        Nonsense{"begin_in_a_far_future", record_of(RecordKind::span_begin, 1ull << 62, 0, 0, 1)},
        Nonsense{"begin_2_64", record_of(RecordKind::span_begin, kFar, 0, 0, 1)},
        Nonsense{"op_that_ends_before_it_begins", record_of(RecordKind::op, kNow, 1)},
        Nonsense{"op_that_ends_in_a_far_future", record_of(RecordKind::op, kNow, kFar / 2)},
        Nonsense{"op_of_all_time", record_of(RecordKind::op, 1ull << 63, kFar / 2 - 1)},
        Nonsense{"op_never_defined", record_of(RecordKind::op, kNow, kNow, 77)},
        Nonsense{"lock_of_all_time", record_of(RecordKind::lock, 1ull << 63, kFar / 2 - 1)},
        Nonsense{"wait_that_ends_in_a_far_future", record_of(RecordKind::async, kNow, kFar / 2)},
        Nonsense{"counter_in_a_far_future", record_of(RecordKind::counter, kFar / 2, 0)},
        Nonsense{"request_in_a_far_future", record_of(RecordKind::request_begin, kFar / 2, 5)}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(HostileRing, a_flood_of_counter_names_makes_no_flood_of_tracks) {
  FakeRing ring(getpid());
  Recorder recorder(getpid());
  ring.enter(getpid());
  constexpr std::uint32_t kNames = 20'000;
  for (std::uint32_t i = 1; i <= kNames; ++i)
    ring.put(record_of(RecordKind::counter, FakeRing::now(), 0, i)); // ids that were never given
  const MemorySink& sink = recorder.stop();
  EXPECT_TRUE(sink.counters.empty()) << "a counter without a name says nothing";
  EXPECT_EQ(recorder.decoder->seen().damaged, kNames);
}

TEST(HostileRing, of_too_many_counters_the_first_are_kept_and_the_rest_is_counted) {
  FakeRing ring(getpid());
  Recorder recorder(getpid());
  ring.enter(getpid());
  constexpr std::size_t kAllowed = 4096, kMore = 100;
  for (std::size_t i = 0; i < kAllowed + kMore; ++i)
    ring.put(record_of(RecordKind::counter, FakeRing::now(), 0, ring.name("counter " + std::to_string(i))));
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.counters.size(), kAllowed);
  EXPECT_EQ(sink.counters.front().name, "counter 0");
  EXPECT_EQ(recorder.decoder->seen().damaged, kMore);
}

TEST(HostileRing, a_span_keeps_a_limited_number_of_arguments) {
  FakeRing ring(getpid());
  Recorder recorder(getpid());
  ring.enter(getpid());
  const std::uint32_t key = ring.name("key");
  ring.begin(ring.name("greedy"), 1);
  for (int i = 0; i < 5000; ++i)
    ring.put({.ts = 0, .a = 7, .b = 0, .name = key, .kind = RecordKind::span_arg, .flags = 0, .depth = 1});
  ring.end(1);
  EXPECT_EQ(recorder.stop().one("greedy").args.count("key"), detail::kMaxSpanArgs);
}

TEST(HostileRing, two_processes_of_one_name_and_a_forged_start_are_told_apart) {
  FakeRing alive(getpid(), "alive");
  alive.header().service = alive.name("twin");
  FakeRing reused(getppid(), "reused");
  reused.header().service = reused.name("twin");
  reused.header().pid_start += 1; // the pid belongs to somebody else by now
  std::vector<std::int64_t> pids;
  for (const SdkService& service : list_sdk_services())
    if (service.name == "twin") pids.push_back(service.pid);
  EXPECT_THAT(pids, ::testing::ElementsAre(getpid()));
}

} // namespace
} // namespace prof
