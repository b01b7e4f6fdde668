// The sections of a written page, read back: what the browser gets, byte for byte.
#include "../store/trace_builder.hpp"
#include "page_reader.hpp"
#include "report/html/block_codec.hpp"
#include "report/html/period.hpp"

#include <cstring>
#include <gmock/gmock.h>

namespace prof {
namespace {

using testing::ElementsAre;

std::vector<double> doubles(const std::string& bytes, std::size_t from, std::size_t n) {
  std::vector<double> out(n);
  std::memcpy(out.data(), bytes.data() + from, n * sizeof(double));
  return out;
}
std::vector<std::uint32_t> words(const std::string& bytes, std::size_t from, std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::memcpy(out.data(), bytes.data() + from, n * sizeof(std::uint32_t));
  return out;
}

TEST(PageSections, rows_hold_the_items_relative_to_the_start_under_local_names) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.op("Conv", worker, 1000, 1100, "/c")
      .op("Add", worker, 1100, 1150, "/a")
      .op("Add", worker, 1150, 1200, "/a");
  const PageReader page(t.seal());
  const auto directory = page.json("directory");
  ASSERT_EQ(directory["rows"].size(), 1U);
  const auto& row = directory["rows"][0];
  const std::string packed = page.rows().substr(row[0].get<std::size_t>(), row[1].get<std::size_t>());
  const auto items = unpack_row(packed, 3);
  // The most frequent name is 0: it needs the fewest bits. Both Adds have the same arguments: one set.
  EXPECT_THAT(items,
              ElementsAre(RowItem{0, 100, 1, 0, 1}, RowItem{100, 50, 0, 1, 2}, RowItem{150, 50, 0, 2, 2}));
  const auto names = page.json("meta")["names"]["text"];
  EXPECT_EQ(names[row[2][0].get<std::size_t>()], "/a");
  EXPECT_EQ(names[row[2][1].get<std::size_t>()], "/c");
}

TEST(PageSections, the_header_says_how_the_rows_are_grouped) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 1000).op("Conv", worker, 0, 100);
  t.runs(worker, 0, {{0, 100}});
  const auto meta = PageReader(t.seal()).json("meta");
  std::vector<std::string> kinds;
  for (const auto& group : meta["groups"])
    kinds.push_back(group["kind"]);
  EXPECT_THAT(kinds, ElementsAre("requests", "process", "thread", "cpus"));
  EXPECT_EQ(meta["groups"][2]["name"], "worker [70]");
  EXPECT_EQ(meta["groups"][2]["parent"], 1);
  EXPECT_EQ(meta["counts"]["ops"], 1);
  EXPECT_EQ(meta["duration"], 1000);
}

TEST(PageSections, devices_stand_by_their_number_and_cards_of_one_model_are_told_apart) {
  TraceBuilder t;
  t.kernel(t.stream(1, 7), "k", KernelKind::compute, 0, 100)
      .kernel(t.stream(0, 7), "k", KernelKind::compute, 0, 100);
  std::vector<std::string> names;
  const auto meta = PageReader(t.seal()).json("meta");
  for (const auto& group : meta["groups"])
    names.push_back(group["name"]);
  EXPECT_THAT(names, ElementsAre("device #0", "device #1"));
}

TEST(PageSections, tracks_of_one_stream_go_by_their_own_names) {
  TraceBuilder t;
  const auto stream = t.stream(0, 4);
  t.kernel(stream, "MatMul", KernelKind::compute, 0, 100);
  for (const std::string_view name : {"communication plane 0", "stream 4 waits", ""})
    t.slice("x", "span",
            t.sink().track({.name = t.text(name),
                            .kind = TrackKind::stream,
                            .thread = {},
                            .process = {},
                            .stream = stream,
                            .parent = {}}),
            0, 100);
  const auto meta = PageReader(t.seal()).json("meta");
  std::vector<std::string> names;
  for (const auto& row : meta["rows"])
    names.push_back(row[5]);
  EXPECT_THAT(names, ElementsAre("stream 4", "communication plane 0", "stream 4 waits", "stream 4"));
}

TEST(PageSections, requests_come_with_their_stages_and_the_accounting_sums_to_the_latency) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(9391000000016, 1000, 2000);
  t.wait("queue", "queue_wait", 1000, 1300, {9391000000016});
  t.stage("denoise", worker, 1300, 2000, {9391000000016});
  const PageReader page(t.seal());
  const auto requests = page.section_json("requests");
  ASSERT_EQ(requests["requests"].size(), 1U);
  const auto& request = requests["requests"][0];
  EXPECT_EQ(request[0], 0);
  EXPECT_EQ(request[1], 1000);
  EXPECT_EQ(request[2], "poster");
  EXPECT_EQ(request[3], "9391000000016");
  EXPECT_EQ(request[4], "ok");
  EXPECT_EQ(requests["stages"].size(), 2U);
  EXPECT_EQ(requests["stages"][0][4], "queue_wait");
  EXPECT_EQ(requests["stages"][1][6], "worker [70]");
  std::int64_t sum = 0;
  for (const auto& line : requests["accounting"])
    sum += line[2].get<std::int64_t>();
  EXPECT_EQ(sum, 1000);
}

// On a clock that counts from the boot and on one that counts from 1970, whose times a double cannot hold to
// the ns.
class PageFlows : public testing::TestWithParam<std::int64_t> {};

TEST_P(PageFlows, go_from_the_launch_to_the_kernel_to_the_nanosecond) {
  const std::int64_t zero = GetParam();
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  TraceBuilder::SliceOptions launch;
  launch.flows_out = {42};
  t.slice("first", "op", worker.track, zero, zero + 5);
  t.slice("launch", "op", worker.track, zero + 1001, zero + 1011, launch);
  t.kernel(t.stream(0, 3), "gemm", KernelKind::compute, zero + 1053, zero + 1093, 42);
  const PageReader page(t.seal());
  EXPECT_EQ(page.json("directory")["flows"], 1);
  const std::string flows = page.section("flows");
  EXPECT_THAT(doubles(flows, 0, 4), ElementsAre(1001, 10, 1053, 40)); // from ts, from dur, to ts, to dur
  const auto rows = words(flows, 32, 2);
  const auto meta = page.json("meta");
  EXPECT_EQ(meta["rows"][rows[0]][0], 0); // slices
  EXPECT_EQ(meta["rows"][rows[1]][0], 1); // kernels
}

INSTANTIATE_TEST_SUITE_P(Clocks, PageFlows, testing::Values(1000, 1'623'143'089'861'000'123));

TEST(PageSections, counters_are_steps_and_values_in_byte_planes) {
  TraceBuilder t;
  t.request(1, 0, 1000).counter("rss", "bytes", {{10, 1.0}, {300, 2.5}});
  const PageReader page(t.seal());
  const std::string raw = page.section("counter0");
  ASSERT_EQ(raw.size(), 32U);
  const auto value = [&](std::size_t plane, std::size_t i) {
    std::uint64_t v = 0;
    for (std::size_t p = 0; p < 8; ++p)
      v |= static_cast<std::uint64_t>(static_cast<unsigned char>(raw[(plane + p) * 2 + i])) << (8 * p);
    return v;
  };
  EXPECT_EQ(value(0, 0), 10U);
  EXPECT_EQ(value(0, 1), 290U);
  EXPECT_EQ(std::bit_cast<double>(value(8, 0)), 1.0);
  EXPECT_EQ(std::bit_cast<double>(value(8, 1)), 2.5);
  EXPECT_EQ(page.json("meta")["counters"][0]["n"], 2);
}

TEST(PageSections, the_flame_section_is_columns_of_nodes_instructions_and_hits) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.sample(worker, 10, "cpu-clock", {"main", "gemm"}, 5);
  t.sample(worker, 20, "cpu-clock", {"main"}, 5);
  const PageReader page(t.seal());
  const auto head = page.section_json("flames")["trees"][0];
  const auto nodes = head["nodes"].get<std::size_t>(), pcs = head["pcs"].get<std::size_t>(),
             hits = head["hits"].get<std::size_t>();
  const std::string raw = page.section("flame0");
  EXPECT_EQ(raw.size(), nodes * (8 + 16) + pcs * (8 + 16) + hits * 16);
  double weight = 0;
  for (const double w : doubles(raw, 0, nodes))
    weight += w;
  EXPECT_EQ(weight, 10);
  const auto parent = words(raw, nodes * 8 + pcs * 8, nodes);
  for (std::size_t i = 1; i < nodes; ++i)
    EXPECT_LT(parent[i], i);
  EXPECT_EQ(head["outside"], 2);
}

TEST(PageSections, the_heat_section_is_one_byte_a_cell_and_says_what_counts_as_a_period) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 100);
  t.runs(worker, 0, {{0, 40}});
  const PageReader page(t.seal());
  const auto head = page.section_json("heatHead");
  EXPECT_EQ(head["k"], 0);
  EXPECT_EQ(head["floors"]["cycles"], kPeriodFloors.cycles);
  EXPECT_EQ(head["rows"][0]["name"], "CPU 0");
  EXPECT_EQ(head["rows"][0]["source"], "sched");
  const std::string cells = page.section("heat");
  EXPECT_EQ(cells[39], '\xff');
  EXPECT_EQ(cells[40], '\0');
}

TEST(PageSections, the_overview_stands_before_the_script_and_the_rows_after_it) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.op("Conv", worker, 0, 100);
  const PageReader page(t.seal());
  const auto at = [&](std::string_view text) { return page.page().find(text); };
  EXPECT_LT(at("id=\"meta\""), at("id=\"overview.0\""));
  EXPECT_LT(at("id=\"overview.0\""), at("id=\"rows.0\""));
  EXPECT_LT(at("id=\"rows.0\""), at("id=\"directory\""));
  EXPECT_EQ(page.section("overview").size(), 3U * 101); // one row, 101 buckets of 1 ns
}

TEST(PageSections, notes_signals_and_gaps_travel_with_their_texts) {
  TraceBuilder t;
  t.request(1, 1000, 2000);
  t.sink().signal({.name = t.text("cache_miss"),
                   .is_available = false,
                   .source = t.text("perf"),
                   .reason = t.text("signal.reason.no_pmu"),
                   .mend = t.text("signal.mend.pmu"),
                   .detail = t.text("ENOENT")});
  t.sink().note({.severity = Severity::data_loss,
                 .code = t.text("note.sdk_records_dropped"),
                 .count = 3,
                 .where = t.text("worker")});
  const auto meta = PageReader(t.seal()).json("meta");
  const auto signals = meta["signals"];
  const auto lost = std::ranges::find_if(signals, [](const auto& s) { return s["name"] == "cache_miss"; });
  ASSERT_NE(lost, signals.end());
  EXPECT_EQ((*lost)["ok"], false);
  EXPECT_EQ((*lost)["detail"], "ENOENT");
  EXPECT_EQ(meta["notes"][0]["severity"], "data_loss");
  EXPECT_EQ(meta["notes"][0]["count"], 3);
  for (const char* lang : {"en", "zh"})
    for (const char* id :
         {"signal.reason.no_pmu", "signal.mend.pmu", "note.sdk_records_dropped", "viewer.title"})
      EXPECT_TRUE(meta["texts"][lang].contains(id)) << lang << " " << id;
  EXPECT_FALSE(meta["texts"]["en"].contains("visualize.drawing")); // texts of the command stay out
}

} // namespace
} // namespace prof
