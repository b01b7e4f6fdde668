// How sure the reader is that bytes are a Perfetto trace: the caller takes the surest reader.
#include "trace_bytes.hpp"
#include "tracefile/sniff.hpp"
#include "wire.hpp"

namespace prof {
namespace {

using namespace std::string_literals;

TEST(Sniff, is_sure_of_whole_packets_and_less_sure_of_the_rest) {
  const std::string packet = wire::len(1, wire::num(8, 1000) + wire::num(10, 2));
  const std::string large = wire::len(1, wire::len(50, std::string(100'000, 'z')));
  const struct {
    const char* what;
    std::string head;
    int sureness;
  } cases[]{
      {"nothing", "", 0},
      {"one packet", packet, 95},
      {"five packets", packet + packet + packet + packet + packet, 95},
      {"a packet that is cut", packet.substr(0, 4), 10},
      {"packets and one that is cut", packet + packet.substr(0, 4), 95},
      {"the beginning of a large packet", large.substr(0, 4096), 30},
      {"a packet and garbage", packet + "garbage", 40},
      {"a packet and another field", packet + "\x12\x00"s, 40},
      {"text that begins with a line feed", "\nhello, world: nothing to see", 10},
      {"an empty packet", "\x0a\x00"s, 0},
      {"a packet with a field that no packet has", wire::len(1, wire::num(5000, 1)), 0},
      {"JSON", "{\"traceEvents\": []}", 0},
      {"gzip", "\x1f\x8b\x08"s, 0},
      {"zeros", std::string(64, '\0'), 0},
      {"a length that never ends", "\x0a" + std::string(20, '\xff'), 0},
  };
  for (const auto& c : cases)
    EXPECT_EQ(sniff_tracefile(c.head), c.sureness) << c.what;
}

TEST(Sniff, knows_our_own_files) {
  EXPECT_EQ(sniff_tracefile(write_trace([](TraceFileWriter&) {})), 95);
}

TEST(Sniff, tells_a_file_of_ours_from_any_other) {
  const std::string ours = write_trace([](TraceFileWriter& writer) { add_thread_track(writer); });
  const std::string theirs = wire::len(1, wire::num(8, 1000) + wire::num(10, 2));
  const struct {
    const char* what;
    std::string head;
    bool is_ours;
  } cases[]{
      {"a whole file", ours, true},
      {"its first 4 KiB", ours.substr(0, 4096), true},
      {"a live recording", write_trace([](TraceFileWriter&) {}, {}), true},
      {"nothing", "", false},
      {"cut before it says what it is", ours.substr(0, 20), false},
      {"a trace of somebody else's", theirs, false},
      {"a note about our format", "cann.format is the key\n", false},
      {"JSON", "{\"traceEvents\": []}", false},
  };
  for (const auto& c : cases)
    EXPECT_EQ(is_own_tracefile(c.head), c.is_ours) << c.what;
}

} // namespace
} // namespace prof
