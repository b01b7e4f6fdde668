// perf.data: every sample of a real recording against what perf itself prints of the same file.
#include "every_reader.hpp"

#include "base/byte_reader.hpp"
#include "base/file.hpp"

#include <algorithm>
#include <sstream>

namespace prof::testing {
namespace {

// "7728 cpu 1 at 14206808142107 x100 page-faults: ac50 1a34f", leaf first, of each sample that `perf script
// --ns` printed.
std::vector<std::string> printed() {
  std::vector<std::string> out;
  std::istringstream text(unpacked("perf_sort.txt.gz"));
  for (std::string line; std::getline(text, line);) {
    if (line.empty()) continue;
    if (line.front() == '\t') {
      std::istringstream words(line);
      std::string address;
      words >> address;
      out.back() += " " + address;
      continue;
    }
    std::istringstream words(line);
    std::string comm, cpu, time, event;
    std::int64_t tid = 0, period = 0;
    words >> comm >> tid >> cpu >> time >> period >> event;
    time.erase(std::remove_if(time.begin(), time.end(), [](char c) { return c == '.' || c == ':'; }),
               time.end());
    out.push_back(fmt::format("{} cpu {} at {} x{} {}:", tid, std::stoi(cpu.substr(1)), time, period,
                              event.substr(0, event.find_first_of("/:"))));
  }
  std::ranges::sort(out);
  return out;
}

std::vector<std::string> read_back(const Store& store) {
  const Tables& t = store.tables();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < t.sample.ts.size(); ++i) {
    std::string line =
        fmt::format("{} cpu {} at {} x{} {}:", t.thread.tid[t.sample.thread[i]], t.sample.cpu[i],
                    t.sample.ts[i], t.sample.weight[i], store.text(t.sample.event[i]));
    for (std::uint32_t at = t.sample.callstack[i]; at != kNoRow; at = t.callstack.parent[at])
      line += fmt::format(" {:x}", t.frame.rel_pc[t.callstack.frame[at]]);
    out.push_back(std::move(line));
  }
  std::ranges::sort(out);
  return out;
}

TEST(PerfData, every_sample_of_a_real_recording_is_what_perf_prints) {
  const Scratch scratch;
  const Store store = load(scratch.write(unpacked("perf_sort.data.gz")));
  const std::vector<std::string> expected = printed(), got = read_back(store);
  EXPECT_EQ(expected.size(), 328U);
  EXPECT_EQ(got.size(), expected.size());
  std::vector<std::string> lost, made_up;
  std::ranges::set_difference(expected, got, std::back_inserter(lost));
  std::ranges::set_difference(got, expected, std::back_inserter(made_up));
  EXPECT_TRUE(lost.empty()) << lost.size() << " lost: " << lost.front();
  EXPECT_TRUE(made_up.empty()) << made_up.size() << " made up: " << made_up.front();
  EXPECT_EQ(ask(store, "select count(*) from note"), "0");
  EXPECT_EQ(
      ask(store, "select distinct name from thread where name in ('seq', 'sort', 'md5sum', 'xz') order by 1"),
      "md5sum;seq;sort;xz");
}

std::uint64_t number_at(const std::string& bytes, std::size_t at) {
  return *ByteReader(std::string_view(bytes).substr(at)).read<std::uint64_t>();
}
constexpr std::size_t kDataOffset = 40, kDataSize = 48; // of perf.data's header

std::string record(std::uint32_t type, const std::string& body) {
  std::string out(8, '\0');
  out[0] = static_cast<char>(type), out[6] = static_cast<char>(8 + body.size());
  return out + body;
}

// The size of the data is written when perf ends.
TEST(PerfData, the_file_of_a_perf_that_was_killed_is_read_to_its_end) {
  std::string bytes = unpacked("perf_sort.data.gz");
  bytes.resize(number_at(bytes, kDataOffset) + number_at(bytes, kDataSize));
  bytes.replace(kDataSize, 8, 8, '\0');
  // A record of a tracing unit, whose 16 bytes behind it look like a record of no known type.
  bytes += record(71, std::string("\x10\0\0\0\0\0\0\0", 8)) + record(50, std::string(8, 'x'));
  const Store store = load(Scratch().write(bytes));
  EXPECT_EQ(ask(store, "select count(*) from sample"), "328");
  EXPECT_EQ(ask(store, "select code from note"), "note.json.cut");
}

TEST(PerfData, records_of_types_that_perf_does_not_have_are_counted) {
  const std::string whole = unpacked("perf_sort.data.gz");
  std::string bytes = whole;
  std::int64_t changed = 0, seen = 0;
  const std::size_t begin = number_at(bytes, kDataOffset), end = begin + number_at(bytes, kDataSize);
  for (std::size_t at = begin; at + 8 <= end;) {
    const auto size = *ByteReader(std::string_view(bytes).substr(at + 6)).read<std::uint16_t>();
    if (bytes[at] == 9 && ++seen % 10 == 0) bytes[at] = static_cast<char>(++changed % 2 == 0 ? 63 : 120);
    at += size;
  }
  ASSERT_EQ(seen, 328);
  const Store store = load(Scratch().write(bytes));
  EXPECT_EQ(ask(store, "select count(*) from sample"), "296");
  EXPECT_EQ(ask(store, "select code, count, severity from note"), "note.perf.unknown_record|32|data_loss");
}

TEST(PerfData, what_cannot_be_read_is_said_in_one_line) {
  const std::string whole = unpacked("perf_sort.data.gz");
  const auto refusal = [&](std::string bytes) {
    const Outcome outcome = outcome_of(Scratch().write(bytes));
    EXPECT_FALSE(outcome.store);
    return outcome.error.what;
  };
  std::string other = whole;
  other.replace(0, 8, "2ELIFREP");
  EXPECT_NE(refusal(other).find("another byte order"), std::string::npos);
  std::string pipe = whole;
  pipe[8] = 16;
  EXPECT_NE(refusal(pipe).find("from a pipe"), std::string::npos);
}

} // namespace
} // namespace prof::testing
