// One damaged packet in a file of others costs that packet: what the file would give without it comes back,
// and nothing else.
#include "trace_bytes.hpp"
#include "wire.hpp"

#include <map>

namespace prof {
namespace {

using namespace wire;

constexpr int kEvents = 12;                              // of each sequence
constexpr std::uint64_t kDelta = 300;                    // ns between two events of sequence 3
constexpr std::size_t kStartOfFive = 2, kStartOfSix = 3; // packets

// Packets of somebody else's recorder: sequence 2 gives whole times and interned names, sequence 3 gives
// times that add up, and gives its clock anew before its event 7.
class Made {
public:
  Made() {
    add(len(60, num(1, 5) + len(2, "five")) + num(10, 2));
    add(len(60, num(1, 6) + len(2, "six")) + num(10, 3));
    add(num(10, 2) + num(13, 1) + len(12, name(1, "known") + name(2, "other")));
    add_clock(1000, true);
    for (int i = 0; i < kEvents; ++i) {
      const auto n = static_cast<std::uint64_t>(i);
      const std::uint64_t iid = i == 5 || i == 8 ? 3 : 1 + n % 2;
      add(num(8, 5000 + 10 * n) + len(11, num(9, 3) + num(11, 5) + num(10, iid)) + num(10, 2) + num(13, 2) +
          (i == 5 ? len(12, name(3, "late")) : ""));
      if (i == 7) add_clock(9000, false);
      add(num(8, kDelta) + len(11, num(9, 3) + num(11, 6) + len(23, "event " + std::to_string(i))) +
          num(10, 3) + num(13, 2));
    }
  }
  [[nodiscard]] std::string bytes() const {
    std::string out;
    for (const std::string& packet : packets)
      out += packet;
    return out;
  }
  std::vector<std::string> packets;

private:
  static std::string name(std::uint64_t iid, std::string_view text) {
    return len(2, num(1, iid) + len(2, text));
  }
  void add(const std::string& fields) { packets.push_back(len(1, fields)); }
  void add_clock(std::uint64_t ts, bool is_start) {
    const std::string snapshot =
        len(6, len(1, num(1, 6) + num(2, ts)) + len(1, num(1, 64) + num(2, 7) + num(3, 1)));
    add(num(10, 3) + (is_start ? num(13, 1) : "") + snapshot + (is_start ? len(59, num(58, 64)) : ""));
  }
};

// Name of each slice by its time, which no other one has; and the notes.
struct Read {
  std::map<std::string, std::string> slices;
  std::string notes;
};

Read read(const std::string& bytes) {
  TextSink sink;
  EXPECT_TRUE(read_bytes(bytes, sink).ok());
  Read out{.slices = {}, .notes = join_lines(sink.of("note"))};
  for (const std::string& line : sink.of("slice")) { // "slice [...] 5010+0 name cat=..."
    const std::size_t at = line.find("] ") + 2, name = line.find("+0 ", at) + 3;
    out.slices.emplace(line.substr(at, name - at), line.substr(name, line.find(" cat=") - name));
  }
  return out;
}

// What the checks below count, so that a test that checks nothing does not pass.
struct Tally {
  int noticed = 0, whole = 0, costs_clock = 0;
};

class PacketDamage : public testing::Test {
protected:
  // Reads the file with packet `p` changed to `packet` and checks what came back when the damage was noticed.
  // `next` is lost too when bytes are missing: the length of the one reaches into the other.
  void check(std::size_t p, const std::string& packet, const std::string& what, bool is_next_lost = false) {
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
    if (!is_next_lost) {
      EXPECT_NE(got.notes.find(fmt::format("x1 at offset {}", offset)), std::string::npos)
          << what << got.notes;
    }
    EXPECT_NE(got.notes.find("note.tracefile.skipped"), std::string::npos) << what << got.notes;
    // A packet that ends in the first byte of the next one may look whole: its name or its clock is then
    // another.
    for (const auto& [ts, name] : got.slices) {
      const auto same = whole.slices.find(ts);
      if (is_next_lost && (p == kStartOfSix || same != whole.slices.end())) continue;
      ASSERT_NE(same, whole.slices.end()) << what << ": made up " << ts << name;
      EXPECT_TRUE(name.empty() || name == same->second) << what << ": " << ts << name;
    }
    tally.whole += got.slices == whole.slices ? 1 : 0;
    check_cost(got, p, what, is_next_lost);
  }
  // A packet costs itself; that of sequence 3 also what stands up to the next clock where it cannot be told
  // when it was; and the first of a sequence all of it.
  void check_cost(const Read& got, std::size_t p, const std::string& what, bool is_next_lost) {
    int five = 0, six = 0;
    for (const auto& [ts, name] : whole.slices)
      if (!got.slices.contains(ts)) (name.starts_with("event") ? six : five)++;
    tally.costs_clock += six > 1 ? 1 : 0;
    const auto loses = [&](std::size_t packet) { return p == packet || (is_next_lost && p + 1 == packet); };
    EXPECT_LE(five, loses(kStartOfFive) ? kEvents : 1) << what;
    EXPECT_LE(six, loses(kStartOfSix) ? kEvents : 7) << what;
  }
  const Made made;
  const Read whole = read(made.bytes());
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
        check(p, packet, fmt::format("packet {} byte {} bit {}", p, at, bit), at < 2);
      }
  EXPECT_GT(tally.noticed, 1500);
  EXPECT_LT(tally.costs_clock * 3, tally.noticed);
}

TEST_F(PacketDamage, by_bytes_that_are_missing_costs_that_packet_and_the_next) {
  for (std::size_t p = 0; p < made.packets.size(); ++p)
    for (std::size_t at = 0; at < made.packets[p].size(); ++at)
      for (const std::size_t size : {std::size_t{1}, std::size_t{3}}) {
        std::string packet = made.packets[p];
        packet.erase(at, size);
        check(p, packet, fmt::format("packet {} without {} bytes at {}", p, size, at), true);
      }
  EXPECT_GT(tally.noticed, 1000);
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
    return len(2, num(1, iid) + len(2, text));
  };
  const auto event = [&](std::uint64_t ts, std::uint64_t iid, const std::string& more = {}) {
    return len(1, num(8, ts) + len(11, num(9, 3) + num(11, 5) + num(10, iid)) + num(10, 2) + num(13, 2) +
                      (more.empty() ? more : len(12, more)));
  };
  const std::string start = len(1, num(10, 2) + num(13, 1) + len(12, name(1, "a") + name(2, "b")));
  const auto names = [&](const std::string& behind) {
    std::string out;
    for (const auto& [ts, text] : read(start + event(10, 1) + std::string(40, '\0') + behind).slices)
      out += text + ".";
    return out;
  };
  EXPECT_EQ(names(event(20, 2)), "a.b.");
  EXPECT_EQ(names(event(20, 1, name(1, "new")) + event(30, 2)), "a.new..");
}

} // namespace
} // namespace prof
