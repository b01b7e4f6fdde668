// Random event streams with fixed seeds come back from the file as they were put in; damage at any byte of a
// small file costs rows and says so.
#include "trace_bytes.hpp"
#include "wire.hpp"

#include <array>
#include <limits>
#include <random>
#include <set>

namespace prof {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 61; // docs/tracefile.md: limits
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// Tells the same random trace to any sink: what a plain TextSink hears is what the file must give back.
class Teller {
public:
  Teller(std::uint64_t seed, TraceSink& sink) : engine_(seed), sink_(sink) {}
  void tell() {
    make_owners();
    for (int i = 0; i < 400; ++i)
      one();
  }

private:
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n));
  }
  template <class T>
  const T& any(const std::vector<T>& of) {
    return of[static_cast<std::size_t>(below(std::ssize(of)))];
  }
  std::int64_t number() {
    static const std::vector<std::int64_t> kOdd{
        0, 1, -1, 255, -256, kMin, kMax, kMin + 1, std::int64_t{1} << 32, (std::int64_t{1} << 53) + 1};
    return below(2) == 0 ? any(kOdd) : below(1'000'000) - 500'000;
  }
  double real() {
    static const std::vector<double> kOdd{0.0,
                                          -0.0,
                                          0.1,
                                          -1e-300,
                                          1e300,
                                          4503599627370497.5,
                                          9007199254740993.0,
                                          -1e18,
                                          1.0 / 3,
                                          std::numeric_limits<double>::infinity()};
    return below(2) == 0 ? any(kOdd) : static_cast<double>(below(4000)) / 8;
  }
  std::uint64_t id() {
    return static_cast<std::uint64_t>(below(1 << 20)) + (below(2) == 0 ? 1ULL : 1ULL << 40);
  }
  // Names repeat, as names do; some are hostile.
  StrId text() {
    static const std::vector<std::string> kOdd{"",
                                               "\xff\xfe\x80",
                                               "a\nb",
                                               std::string("nul\0in", 6),
                                               "\x1b[31m",
                                               "cann.layer",
                                               "\xe5\x9b\xbe",
                                               std::string(3000, 'x'),
                                               std::string("\x0a\x02\x08\x01", 4)};
    return sink_.intern(below(4) == 0 ? any(kOdd) : "name" + std::to_string(below(30)));
  }
  std::vector<Arg> args() {
    std::vector<Arg> out;
    for (std::int64_t n = below(4); n > 0; --n) {
      ArgValue value = number();
      if (const auto kind = below(4); kind == 1)
        value = real();
      else if (kind == 2)
        value = below(2) == 0;
      else if (kind == 3)
        value = text();
      out.push_back({sink_.intern("key" + std::to_string(below(6))), value});
    }
    // Equal keys that follow each other become one array: they stay together in the order given.
    std::ranges::stable_sort(out, {}, [](const Arg& a) { return a.key.row; });
    return out;
  }

  void make_owners() {
    for (const std::int64_t pid : {1, 42, 2'000'000'000}) {
      const Id<Process> process = sink_.process({.pid = pid, .name = text(), .cmdline = text()});
      for (const std::int64_t tid : {7, 8}) { // the same tids in every process
        threads_.push_back(sink_.thread({.process = process, .tid = tid, .name = text()}));
        tracks_.push_back(sink_.track({.kind = TrackKind::thread, .thread = threads_.back()}));
      }
      tracks_.push_back(sink_.track({.name = text(), .kind = TrackKind::async, .process = process}));
      tracks_.push_back(sink_.track(
          {.name = text(), .kind = TrackKind::other, .process = process, .parent = tracks_.back()}));
      counters_.push_back(
          sink_.counter_track({.name = sink_.intern("rss"), .unit = text(), .process = process}));
    }
    counters_.push_back(
        sink_.counter_track({.name = sink_.intern("freq"), .unit = sink_.intern("MHz"), .cpu = 3}));
    for (const std::int64_t index : {0, 1}) {
      const Id<Device> device = sink_.device({.name = text(), .kind = DeviceKind::npu, .index = index});
      for (const std::int64_t number : {std::int64_t{0}, std::int64_t{1} << 40})
        streams_.push_back(sink_.stream({.device = device, .number = number, .name = text()}));
    }
    const Id<Mapping> exe =
        sink_.mapping({.path = sink_.intern("/bin/a"), .build_id = sink_.intern("ab12cd")});
    for (std::uint64_t pc : {1ULL, 0x7fff'ffff'ffffULL, ~0ULL >> 1U})
      frames_.push_back(
          sink_.frame({.function = text(), .mapping = exe, .rel_pc = pc, .source_file = text(), .line = 7}));
    frames_.push_back(sink_.frame({.function = sink_.intern("sys"), .rel_pc = 9, .kind = FrameKind::kernel}));
    now_.assign(tracks_.size(), below(2) == 0 ? -5000 : 1'000'000);
  }

  // A slice that holds up to two more, told child first or parent first: the end or the start orders a track.
  void slices() {
    const auto lane = static_cast<std::size_t>(below(std::ssize(tracks_)));
    const std::int64_t ts = now_[lane] += below(50), dur = below(200);
    const bool is_child_first = below(2) == 0;
    if (!is_child_first) slice(lane, ts, dur);
    if (dur > 20) slice(lane, ts + 3, 5);
    if (dur > 20) slice(lane, ts + 10, below(5));
    if (is_child_first) slice(lane, ts, dur);
    now_[lane] = ts + dur + below(3);
  }
  void slice(std::size_t lane, std::int64_t ts, std::int64_t dur) {
    const auto values = args();
    const std::array out{id(), id()};
    const std::array in{id()};
    sink_.slice({.track = tracks_[lane],
                 .ts = {ts},
                 .dur = {dur},
                 .name = text(),
                 .category = text(),
                 .layer = static_cast<Layer>(below(6)),
                 .args = values,
                 .flows_out = std::span(out).first(static_cast<std::size_t>(below(3))),
                 .flows_in = std::span(in).first(static_cast<std::size_t>(below(2)))});
  }
  void kernel() {
    const auto values = args();
    sink_.kernel({.stream = any(streams_),
                  .ts = {below(1'000'000) - 1000},
                  .dur = {below(3) == 0 ? below(1000) : below(std::int64_t{1} << 40)},
                  .name = text(),
                  .op_type = text(),
                  .kind = static_cast<KernelKind>(below(3)),
                  .correlation = below(2) == 0 ? 0 : id(),
                  .flow_in = below(2) == 0 ? 0 : id(),
                  .bytes = below(2) == 0 ? 0 : below(std::int64_t{1} << 50),
                  .args = values});
  }
  void sample() {
    std::vector<Id<Frame>> frames;
    for (std::int64_t n = below(5); n > 0; --n)
      frames.push_back(any(frames_));
    sink_.sample({.ts = {below(1'000'000) - 1000},
                  .thread = any(threads_),
                  .cpu = static_cast<std::int32_t>(below(4)),
                  .callstack = frames.empty() ? Id<Callstack>{} : sink_.callstack({frames}),
                  .event = sink_.intern(below(2) == 0 ? "cpu-clock" : "page-faults"),
                  .weight = 1 + below(1'000'000'000)});
  }
  void sched() {
    const auto cpu = static_cast<std::int32_t>(below(3));
    cpu_now_ += below(100);
    if (below(3) == 0)
      return sink_.sched_wakeup(
          {.ts = {cpu_now_}, .cpu = cpu, .tid = 1 + below(5), .waker_tid = below(5), .target_cpu = 2});
    const std::int64_t next = below(5);
    sink_.sched_switch({.ts = {cpu_now_},
                        .cpu = cpu,
                        .prev_tid = below(8) == 0 ? below(5) : running_[static_cast<std::size_t>(cpu)],
                        .prev_state = "SRD"[below(3)],
                        .next_tid = next,
                        .next_prio = 120,
                        .next_comm = sink_.intern("comm" + std::to_string(next))});
    running_[static_cast<std::size_t>(cpu)] = next;
  }
  void ledger() {
    sink_.note({.severity = static_cast<Severity>(below(4)),
                .code = text(),
                .count = 1 + below(1 << 30),
                .where = text()});
    sink_.gap({.ts = {number() / 4}, .dur = {below(1'000'000)}, .reason = text()});
    sink_.metadata("key" + std::to_string(below(5)), "value" + std::to_string(below(100)));
  }
  void one() {
    switch (below(7)) {
    case 0:
    case 1:
      return slices();
    case 2:
      return kernel();
    case 3:
      return sink_.counter(any(counters_), {below(1'000'000) - 1000}, real());
    case 4:
      return sample();
    case 5:
      return sched();
    default:
      if (below(4) == 0) ledger();
      if (auto* writer = dynamic_cast<TraceFileWriter*>(&sink_); writer != nullptr && flush_++ % 3 == 0) {
        EXPECT_TRUE(writer->flush().ok());
      }
    }
  }

  std::mt19937_64 engine_;
  TraceSink& sink_;
  std::vector<Id<Thread>> threads_;
  std::vector<Id<Track>> tracks_;
  std::vector<Id<CounterTrack>> counters_;
  std::vector<Id<Stream>> streams_;
  std::vector<Id<Frame>> frames_;
  std::vector<std::int64_t> now_;
  std::int64_t cpu_now_ = 1'000'000;
  std::array<std::int64_t, 3> running_{};
  int flush_ = 0; // no dice: both sinks must hear the same
};

// The lines that only one side has, for a message that can be read.
std::string difference(const std::vector<std::string>& put, const std::vector<std::string>& got) {
  std::vector<std::string> lost, invented;
  std::set_difference(put.begin(), put.end(), got.begin(), got.end(), std::back_inserter(lost));
  std::set_difference(got.begin(), got.end(), put.begin(), put.end(), std::back_inserter(invented));
  if (lost.size() > 3) lost.resize(3);
  if (invented.size() > 3) invented.resize(3);
  return "lost:\n" + join_lines(lost) + "invented:\n" + join_lines(invented);
}

TEST(RandomTrace, comes_back_as_it_was_told_whatever_the_options) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::vector<std::string> expected = rows_of([&](TraceSink& sink) { Teller(seed, sink).tell(); });
    ASSERT_GT(expected.size(), 300U);
    const WriterOptions options{
        .compress = seed % 3 != 0, .group_bytes = seed % 2 == 0 ? 1U : 4096U, .is_live = seed % 5 == 0};
    const std::string bytes = write_trace([&](TraceFileWriter& w) { Teller(seed, w).tell(); }, options);
    const std::vector<std::string> got = rows_in(bytes);
    ASSERT_EQ(difference(expected, got), "lost:\ninvented:\n") << "seed " << seed;
  }
}

TEST(RandomTrace, written_again_is_the_same_trace_again) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::string first = write_trace([&](TraceFileWriter& w) { Teller(seed, w).tell(); });
    const std::string second =
        write_trace([&](TraceFileWriter& w) { ASSERT_TRUE(read_bytes(first, w).ok()); });
    EXPECT_EQ(difference(rows_in(first), rows_in(second)), "lost:\ninvented:\n") << "seed " << seed;
  }
}

TEST(Extremes, times_at_both_ends_of_what_is_allowed) {
  const Rows rows = [](TraceSink& sink) {
    const auto track = add_thread_track(sink);
    const auto counter = sink.counter_track({.name = sink.intern("c")});
    for (const std::int64_t ts :
         {-kFar, -kFar + 1, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, kFar - 1}) {
      add_slice(sink, track, ts, ts == kFar - 1 ? 1 : 0, "at");
      sink.counter(counter, {ts}, 1.5);
    }
    sink.gap({.ts = {-kFar}, .dur = {kFar}, .reason = sink.intern("gap")});
  };
  EXPECT_EQ(join_lines(rows_in(write_trace(rows))), join_lines(rows_of(rows)));
}

TEST(Extremes, texts_of_any_length_come_back) {
  for (const std::size_t size : {std::size_t{10'000'000}, std::size_t{20'000'000}}) {
    std::string text(size, 'a');
    text[size / 2] = '\0';
    const std::string bytes = write_trace([&](TraceFileWriter& writer) {
      const auto track = add_thread_track(writer);
      const Arg arg{writer.intern("prompt"), writer.intern(text)};
      writer.slice({.track = track, .ts = {10}, .dur = {5}, .name = writer.intern("s"), .args = {&arg, 1}});
      add_slice(writer, track, 100, 5, text + "b");
      add_slice(writer, track, 200, 5, "after");
      writer.metadata("long", text);
    });
    TextSink sink;
    ASSERT_TRUE(read_bytes(bytes, sink).ok());
    EXPECT_EQ(sink.of("note"), std::vector<std::string>{}) << size;
    ASSERT_EQ(sink.of("slice").size(), 3U) << size;
    EXPECT_NE(sink.of("slice")[1].find(text + "b"), std::string::npos);
    EXPECT_NE(sink.of("slice")[0].find("prompt='" + text + "'"), std::string::npos);
    EXPECT_EQ(sink.of("metadata"), std::vector<std::string>{"metadata long=" + text});
  }
}

// --- damage, byte by byte

// Six flushes; what flush k wrote has names that begin with "f<k>".
std::string six_flushes(bool is_compressed, std::vector<std::size_t>& ends) {
  const TempFile file;
  auto writer = TraceFileWriter::create(file.path(), {.compress = is_compressed, .is_live = false});
  EXPECT_TRUE(writer.ok());
  const auto track = add_thread_track(**writer);
  const auto counter = (*writer)->counter_track({.name = (*writer)->intern("c")});
  for (int k = 0; k < 6; ++k) {
    for (int i = 0; i < 3; ++i)
      add_slice(**writer, track, 1000 * (k + 1) + i * 100, 50, fmt::format("f{}.{}", k, i));
    (*writer)->counter(counter, {1000 * (k + 1)}, k + 0.5);
    EXPECT_TRUE((*writer)->flush().ok());
    ends.push_back(std::filesystem::file_size(file.path()));
  }
  EXPECT_TRUE((*writer)->finish().ok());
  return bytes_of(file.path());
}

// The clocks and our format number stand in front without a checksum (docs/tracefile.md: frame).
constexpr std::size_t kHead = 120;

struct Read {
  Status status;
  std::vector<std::string> slices, rows, notes;
};
Read read_all(std::string_view bytes) {
  TextSink sink;
  Read out{
      .status = read_bytes(bytes, sink), .slices = sink.of("slice"), .rows = {}, .notes = sink.of("note")};
  for (const std::string& line : sink.sorted())
    if (!line.starts_with("note ")) out.rows.push_back(line);
  return out;
}
std::size_t lost_of(const std::vector<std::string>& whole, const std::vector<std::string>& left) {
  std::vector<std::string> lost;
  std::set_difference(whole.begin(), whole.end(), left.begin(), left.end(), std::back_inserter(lost));
  return lost.size();
}

class EveryByte : public testing::Test {
protected:
  // Rows that stood before the damage are there, rows are lost only with a note, none is made up.
  void check(const std::string& damaged, std::size_t at, const std::string& what) {
    const Read left = read_all(damaged);
    if (!left.status) return; // an error says enough, in one line
    EXPECT_EQ(lost_of(left.slices, whole_.slices), 0U) << "made up: " << what << " at " << at;
    EXPECT_TRUE(lost_of(whole_.rows, left.rows) == 0 || !left.notes.empty())
        << "silent loss: " << what << " at " << at;
    for (std::size_t k = 0; k < ends_.size() && ends_[k] <= at; ++k)
      for (int i = 0; i < 3; ++i)
        EXPECT_NE(join_lines(left.slices).find(fmt::format("f{}.{}", k, i)), std::string::npos)
            << "flush " << k << " was whole: " << what << " at " << at;
  }
  std::vector<std::size_t> ends_;
  const std::string bytes_ = six_flushes(true, ends_);
  const Read whole_ = read_all(bytes_);
};

TEST_F(EveryByte, changed_is_noticed) {
  ASSERT_EQ(whole_.slices.size(), 18U);
  ASSERT_TRUE(whole_.notes.empty());
  const std::size_t head =
      bytes_.size() - bytes_.find("\x92\x03"); // the clocks and the format stand there without a checksum
  ASSERT_GT(head, 0U);
  for (std::size_t at = 0; at < bytes_.size(); ++at)
    for (const int change : {0x01, 0x80, 0xff}) {
      std::string damaged = bytes_;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      const Read left = read_all(damaged);
      if (at < kHead) { // only that nothing breaks: one value more or less in there is a valid file
        EXPECT_TRUE(!left.status || !left.rows.empty() || !left.notes.empty()) << at;
        continue;
      }
      check(damaged, at, fmt::format("xor {:#x}", change));
    }
}

TEST_F(EveryByte, removed_or_added_is_noticed) {
  for (std::size_t at = kHead; at < bytes_.size(); ++at) {
    std::string less = bytes_, more = bytes_;
    less.erase(at, 1);
    more.insert(at, 1, '\x0a');
    check(less, at, "removed");
    check(more, at, "added");
  }
}

TEST_F(EveryByte, may_be_the_last_one) {
  for (std::size_t size = 1; size < bytes_.size(); ++size) {
    const Read left = read_all(std::string_view(bytes_).substr(0, size));
    if (!left.status) {
      EXPECT_LT(size, kHead) << left.status.error().what;
      continue;
    }
    EXPECT_EQ(lost_of(left.slices, whole_.slices), 0U) << size;
    std::size_t flushed = 0;
    while (flushed < ends_.size() && ends_[flushed] <= size)
      ++flushed;
    EXPECT_GE(left.slices.size(), 3 * flushed) << size;
  }
}

TEST(EveryByteOfAPlainFile, may_be_anything_without_harm) {
  std::vector<std::size_t> ends;
  const std::string bytes = six_flushes(false, ends);
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int change : {0x01, 0x08, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      const Read left = read_all(damaged);
      EXPECT_TRUE(!left.status || left.slices.size() <= 40) << "more slices than were ever written: " << at;
      EXPECT_TRUE(left.status || left.status.error().what.find('\n') == std::string::npos);
    }
}

} // namespace
} // namespace prof
