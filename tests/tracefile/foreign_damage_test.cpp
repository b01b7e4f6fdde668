// One damaged packet in a file of others costs that packet: what the file would give without it comes back,
// and nothing else.
#include "trace_bytes.hpp"
#include "wire.hpp"

#include <set>

namespace prof {
namespace {

using namespace wire;

constexpr std::size_t kNone = ~std::size_t{0};
constexpr int kEvents = 12;           // of each sequence
constexpr std::uint64_t kDelta = 300; // ns between two events of sequence 3

// Packets of somebody else's recorder: sequence 2 gives whole times and interned names, sequence 3 gives
// times that add up, and gives its clock anew before its event 7. Packet `skip` is not there.
class Made {
public:
  explicit Made(std::size_t skip = kNone) : skip_(skip) {
    add(len(60, num(1, 5) + len(2, "five")) + num(10, 2));
    add(len(60, num(1, 6) + len(2, "six")) + num(10, 3));
    add(num(10, 2) + num(13, 1) + len(12, name(1, "known") + name(2, "other")));
    add_clock(1000, true);
    std::uint64_t lost = 0;
    for (int i = 0; i < kEvents; ++i) {
      const auto n = static_cast<std::uint64_t>(i);
      const std::uint64_t iid = i == 5 || i == 8 ? 3 : 1 + n % 2;
      add(num(8, 5000 + 10 * n) + len(11, num(9, 3) + num(11, 5) + num(10, iid)) + num(10, 2) + num(13, 2) +
          (i == 5 ? len(12, name(3, "late")) : ""));
      if (i == 7) {
        add_clock(9000, false);
        lost = 0;
      }
      // Without a packet the next one has to span its time too.
      const bool is_skipped = packets.size() == skip_;
      add(num(8, kDelta + lost) + len(11, num(9, 3) + num(11, 6) + len(23, "event " + std::to_string(i))) +
          num(10, 3) + num(13, 2));
      lost = is_skipped ? kDelta : 0;
    }
  }
  [[nodiscard]] std::string bytes() const {
    std::string out;
    for (const std::string& packet : packets)
      out += packet;
    return out;
  }
  std::vector<std::string> packets; // an empty one is the one that is not there

private:
  static std::string name(std::uint64_t iid, std::string_view text) {
    return len(2, num(1, iid) + len(2, text));
  }
  void add(const std::string& fields) { packets.push_back(packets.size() == skip_ ? "" : len(1, fields)); }
  void add_clock(std::uint64_t ts, bool is_start) {
    const std::string snapshot =
        len(6, len(1, num(1, 6) + num(2, ts)) + len(1, num(1, 64) + num(2, 7) + num(3, 1)));
    add(num(10, 3) + (is_start ? num(13, 1) : "") + snapshot + (is_start ? len(59, num(58, 64)) : ""));
  }
  std::size_t skip_;
};

using Lines = std::multiset<std::string>;

struct Read {
  Lines slices;
  std::string notes;
};

Read read(const std::string& bytes) {
  TextSink sink;
  EXPECT_TRUE(read_bytes(bytes, sink).ok());
  const std::vector<std::string> slices = sink.of("slice");
  return {.slices = {slices.begin(), slices.end()}, .notes = join_lines(sink.of("note"))};
}

Lines without(const Lines& all, const Lines& some) {
  Lines out;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::inserter(out, out.end()));
  return out;
}

bool is_of_track(const std::string& slice, std::string_view track) {
  return slice.find(track) != std::string::npos;
}

// What the checks below count, so that a test that checks nothing does not pass.
struct Tally {
  int noticed = 0, whole = 0, costs_clock = 0;
};

class PacketDamage : public testing::Test {
protected:
  // Reads the file with packet `p` changed to `packet` and checks what came back when the damage was noticed.
  void check(std::size_t p, const std::string& packet, const std::string& what) {
    std::string bytes;
    std::size_t offset = 0;
    for (std::size_t i = 0; i < made.packets.size(); ++i) {
      if (i == p) offset = bytes.size();
      bytes += i == p ? packet : made.packets[i];
    }
    const Read got = read(bytes);
    const bool is_damaged = got.notes.find("note.tracefile.damaged") != std::string::npos;
    const bool is_bad = got.notes.find("note.tracefile.bad_packet") != std::string::npos;
    if (!is_damaged && !is_bad) return; // the bytes make another, good packet
    tally.noticed++;
    EXPECT_NE(got.notes.find(fmt::format("x1 at offset {}", offset)), std::string::npos) << what << got.notes;
    EXPECT_NE(got.notes.find("note.tracefile.skipped"), std::string::npos) << what << got.notes;
    Lines allowed = expected[p];
    allowed.insert(whole.slices.begin(), whole.slices.end());
    EXPECT_EQ(without(got.slices, allowed), Lines{}) << what << ": made up";
    tally.whole += got.slices == whole.slices ? 1 : 0;
    Lines lost = without(expected[p], got.slices);
    if (got.slices == whole.slices || lost.empty()) return;
    // Where it cannot be told whose packet it was, or when, a clock that adds up is of no use until it stands
    // again.
    tally.costs_clock++;
    for (const std::string& line : lost)
      EXPECT_TRUE(is_of_track(line, "six")) << what << ": lost " << line;
    EXPECT_LE(lost.size(), 7U) << what;
  }
  void SetUp() override {
    for (std::size_t p = 0; p < made.packets.size(); ++p)
      expected.push_back(read(Made(p).bytes()).slices);
  }
  const Made made;
  const Read whole = read(made.bytes());
  std::vector<Lines> expected; // without packet p
  Tally tally;
};

TEST_F(PacketDamage, of_a_file_that_has_none_is_not_reported) {
  EXPECT_EQ(whole.notes, "");
  EXPECT_EQ(whole.slices.size(), 2U * kEvents);
}

TEST_F(PacketDamage, by_any_bit_costs_that_packet) {
  for (std::size_t p = 0; p < made.packets.size(); ++p)
    for (std::size_t at = 0; at < made.packets[p].size(); ++at)
      for (unsigned bit = 0; bit < 8; ++bit) {
        std::string packet = made.packets[p];
        packet[at] = static_cast<char>(static_cast<unsigned char>(packet[at]) ^ (1U << bit));
        check(p, packet, fmt::format("packet {} byte {} bit {}", p, at, bit));
      }
  std::printf("noticed %d whole %d clock %d\n", tally.noticed, tally.whole, tally.costs_clock);
}

TEST_F(PacketDamage, by_bytes_that_are_missing_costs_that_packet) {
  for (std::size_t p = 0; p < made.packets.size(); ++p)
    for (std::size_t at = 0; at < made.packets[p].size(); ++at)
      for (const std::size_t size : {std::size_t{1}, std::size_t{3}}) {
        std::string packet = made.packets[p];
        packet.erase(at, size);
        check(p, packet, fmt::format("packet {} without {} bytes at {}", p, size, at));
      }
  std::printf("noticed %d whole %d clock %d\n", tally.noticed, tally.whole, tally.costs_clock);
}

TEST_F(PacketDamage, by_zeros_costs_that_packet) {
  for (std::size_t p = 0; p < made.packets.size(); ++p)
    check(p, std::string(made.packets[p].size(), '\0'), fmt::format("packet {}", p));
  EXPECT_EQ(tally.noticed, static_cast<int>(made.packets.size()));
}

// A name that is defined once more says that the recorder began anew inside the damage: what its ids meant
// before is not what they mean now.
TEST(OldNames, are_not_used_once_a_definition_stands_again) {
  const auto name = [](std::uint64_t iid, std::string_view text) {
    return len(12, len(2, num(1, iid) + len(2, text)));
  };
  const auto event = [&](std::uint64_t ts, std::uint64_t iid, const std::string& more = {}) {
    return len(1,
               num(8, ts) + len(11, num(9, 3) + num(11, 5) + num(10, iid)) + num(10, 2) + num(13, 2) + more);
  };
  const std::string start = len(1, num(10, 2) + num(13, 1) + name(1, "a") + name(2, "b"));
  const auto names = [&](const std::string& behind) {
    std::string out;
    for (const std::string& line : read(start + event(10, 1) + std::string(40, '\0') + behind).slices)
      for (const char* known : {"a", "b", "new"})
        if (line.find(fmt::format("+0 {} cat", known)) != std::string::npos) out += known;
    return out;
  };
  EXPECT_EQ(names(event(20, 2)), "ab");
  EXPECT_EQ(names(event(20, 1, name(1, "new")) + event(30, 2)), "anew");
}

} // namespace
} // namespace prof
