// Damage in an imported .pb file costs what stands in the damaged group of packets, not what stands behind
// it, and nothing is made up.
#include "every_reader.hpp"

#include "base/file.hpp"

#include <algorithm>

namespace prof::testing {
namespace {

namespace fs = std::filesystem;

std::string as_pb(const Fixture& fixture) {
  const Scratch scratch;
  const fs::path pb = scratch.path() / "t";
  auto writer = TraceFileWriter::create(pb, kImported);
  EXPECT_TRUE(writer.ok());
  EXPECT_TRUE(import_trace(data_file(fixture.file), **writer).ok());
  EXPECT_TRUE((*writer)->finish().ok());
  return *read_file(pb, 1 << 28);
}

// Where the frames of the file begin, and its end: each is 0x0a, a length, a packet.
std::vector<std::size_t> frames_of(std::string_view bytes) {
  std::vector<std::size_t> out;
  for (std::size_t at = 0; at < bytes.size();) {
    out.push_back(at++);
    std::size_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      length |= static_cast<std::size_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) break;
    }
    at += length;
  }
  out.push_back(bytes.size());
  return out;
}

class ImportedPb : public ::testing::TestWithParam<const char*> {};

// A row stands in one group, a slice in two when it begins and ends in different ones: over all groups no row
// is lost more often than that.
TEST_P(ImportedPb, loses_a_row_only_to_damage_of_the_groups_that_hold_it) {
  const auto fixture = std::ranges::find(fixtures(), GetParam(), &Fixture::name);
  ASSERT_NE(fixture, fixtures().end());
  const std::string whole = as_pb(*fixture);
  const Scratch scratch;
  const TableText all = events_text(load(scratch.write(whole)), false);
  const std::vector<std::size_t> frames = frames_of(whole);
  const std::size_t groups = frames.size() - 1, step = std::max<std::size_t>(1, groups / 24);
  std::size_t lost = 0, bent = 0, worst = 0, damaged = 0;
  for (std::size_t g = 0; g < groups; g += step) {
    std::string bytes = whole;
    const std::size_t at = (frames[g] + frames[g + 1]) / 2;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
    const Outcome outcome = outcome_of(scratch.write(bytes));
    ASSERT_TRUE(outcome.store) << outcome.error.what;
    const TableText left = events_text(*outcome.store, false);
    const std::size_t n = missing(all, left).size();
    lost += n;
    worst = std::max(worst, n);
    bent += missing(left, all).size();
    ++damaged;
    // What is no compressed group (the head, a marker) has no checksum.
    const std::string_view frame = std::string_view(whole).substr(frames[g], frames[g + 1] - frames[g]);
    if (frame.substr(0, 8).find("\x92\x03") == std::string_view::npos) continue;
    EXPECT_NE(ask(*outcome.store, "select count(*) from note where severity = 'data_loss'"), "0") << g;
  }
  std::printf("%s: %zu bytes, %zu groups, %zu rows; %zu damaged: lost %zu, worst %zu, bent %zu\n", GetParam(),
              whole.size(), groups, row_count(all), damaged, lost, worst, bent);
  EXPECT_LE(lost * groups, 2 * row_count(all) * damaged) << groups;
}

INSTANTIATE_TEST_SUITE_P(Files, ImportedPb,
                         ::testing::Values("kineto_hta", "nsys", "ascend_timeline", "xplane", "kineto_vllm",
                                           "ascend_qwen", "onnxruntime", "perf_data"),
                         [](const auto& row) { return std::string(row.param); });

} // namespace
} // namespace prof::testing
