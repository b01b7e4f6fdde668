// What the page is made of, from small traces written by hand: rows, flame tree, heat cells, header figures.
#include "../store/trace_builder.hpp"
#include "page_reader.hpp"
#include "report/html/flame.hpp"
#include "report/html/heat.hpp"
#include "report/html/html_page.hpp"
#include "report/html/page_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace prof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

// "group kind/row name/depth: name@ts+dur ..." per row.
std::vector<std::string> row_lines(const Store& store) {
  PageNames names(store);
  const PageRows rows = build_rows(store);
  std::vector<std::string> lines;
  for (const PageRow& row : rows.rows) {
    std::string line = rows.groups[row.group].kind + "/" + row.name + "/" + std::to_string(row.depth) + ":";
    for (const RowItem& item : row_items(store, row, names))
      line += " " + names.names()[item.name].text + "@" + std::to_string(item.ts) + "+" +
              std::to_string(item.dur);
    lines.push_back(line);
  }
  return lines;
}

TEST(PageRows, overlapping_requests_get_lanes_and_nested_spans_get_depths) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 1000, 1900).request(2, 1100, 2000).request(3, 1900, 2500);
  t.stage("denoise", worker, 1000, 1900, {1})
      .op("Conv", worker, 1100, 1300, "/c")
      .op("Add", worker, 1300, 1400, "/a");
  const Store store = t.seal();
  EXPECT_THAT(row_lines(store),
              ElementsAre("requests/#1/0: poster@0+900 poster@900+600", "requests/#2/0: poster@100+900",
                          "thread//0: denoise@0+900", "thread//1: /c@100+200 /a@300+100"));
}

// The first lane whose last item has ended, found by looking at every lane.
std::vector<std::size_t> first_fit(const std::vector<std::pair<std::int64_t, std::int64_t>>& items) {
  std::vector<std::int64_t> ends;
  std::vector<std::size_t> lanes;
  for (const auto& [from, to] : items) {
    const auto lane = static_cast<std::size_t>(
        std::ranges::find_if(ends, [&](std::int64_t end) { return end <= from; }) - ends.begin());
    if (lane == ends.size()) ends.push_back(to);
    ends[lane] = to;
    lanes.push_back(lane);
  }
  return lanes;
}

TEST(PageRows, an_item_lies_on_the_first_lane_that_is_free_whatever_the_overlaps) {
  std::mt19937 random(4);
  for (const int longest : {1, 40, 4000}) {
    TraceBuilder t;
    std::vector<std::pair<std::int64_t, std::int64_t>> items;
    for (int i = 0; i < 400; ++i) {
      const std::int64_t from = i * 10 + static_cast<std::int64_t>(random() % 10);
      items.emplace_back(from, from + static_cast<std::int64_t>(random() % static_cast<unsigned>(longest)));
      t.request(i, items.back().first, items.back().second);
    }
    const Store store = t.seal();
    const PageRows rows = build_rows(store);
    std::vector<std::size_t> lanes(items.size());
    for (std::size_t row = 0; row < rows.rows.size(); ++row)
      for (const std::uint32_t slice : rows.rows[row].source)
        lanes[static_cast<std::size_t>(store.tables().slice.ts[slice] / 10)] = row;
    EXPECT_EQ(lanes, first_fit(items)) << "items of up to " << longest << " ns";
  }
}

// Looking at every lane for each item is five thousand million looks here.
TEST(PageRows, a_hundred_thousand_spans_inside_each_other_are_all_there) {
  constexpr std::int64_t kDeep = 100'000;
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  for (std::int64_t i = 0; i < kDeep; ++i)
    t.slice("deep", "span", worker.track, i, 2 * kDeep - i);
  const Store store = t.seal();
  const PageRows rows = build_rows(store);
  EXPECT_EQ(rows.items, kDeep);
  EXPECT_EQ(rows.rows.size(), static_cast<std::size_t>(kDeep)); // none has room for another
  EXPECT_EQ(rows.rows[10].depth, 10);
  EXPECT_EQ(rows.rows.back().depth, 64); // deeper ones are drawn beside each other
}

TEST(PageRows, cores_and_thread_states_have_rows_of_their_own) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 1000);
  t.runs(worker, 0, {{100, 500}, {600, 900}});
  const Store store = t.seal();
  EXPECT_THAT(row_lines(store),
              testing::IsSupersetOf({std::string("cpus/CPU 0/0: worker [70]@100+400 worker [70]@600+300")}));
}

TEST(PageRows, a_name_says_what_type_its_slice_is_and_ok_is_none) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 100).request(2, 0, 100, "error").op("Conv", worker, 0, 50, "/c");
  t.wait("queue", "queue_wait", 0, 10, {1});
  const Store store = t.seal();
  PageNames names(store);
  for (const PageRow& row : build_rows(store).rows)
    (void)row_items(store, row, names);
  std::map<std::string, std::vector<std::string>> types;
  for (const PageName& name : names.names())
    types[name.text].push_back(names.words()[name.type]);
  EXPECT_THAT(types["poster"], UnorderedElementsAre("", "error"));
  EXPECT_THAT(types["/c"], ElementsAre("Conv"));
  EXPECT_THAT(types["queue"], ElementsAre("queue_wait"));
}

TEST(PageRows, labels_name_the_thread_and_survive_a_wrong_row) {
  TraceBuilder t;
  t.thread(7, 70, "worker");
  t.thread(7, 71, "");
  t.request(1, 0, 10);
  const Store store = t.seal();
  EXPECT_EQ(thread_label(store, 0), "worker [70]");
  EXPECT_EQ(thread_label(store, 1), "[71]");
  EXPECT_EQ(thread_label(store, 99), "?");
  EXPECT_EQ(process_label(store, 0), "service [7]");
}

// Path of names -> samples whose innermost node it is.
std::map<std::string, int> leaves(const FlameTree& tree) {
  std::vector<std::string> path(tree.nodes.size());
  std::map<std::string, int> out;
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const FlameNode& node = tree.nodes[i];
    path[i] = (node.parent == 0 ? "" : path[node.parent] + " > ") + tree.names[node.name];
    if (node.count > 0) out[path[i]] = static_cast<int>(node.count);
  }
  return out;
}

TEST(Flame, samples_join_request_stage_and_operator_by_thread_and_time) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker-3");
  t.request(1, 0, 1000).stage("denoise", worker, 100, 900, {1}).op("MatMul", worker, 200, 400, "/m");
  t.sample(worker, 250, "cpu-clock", {"main", "gemm"}, 10);
  t.sample(worker, 300, "cpu-clock", {"main", "gemm"}, 10);
  t.sample(worker, 350, "cpu-clock", {"main", "gemm", "clear_page_[k]"}, 10);
  t.sample(worker, 500, "cpu-clock", {"main", "png"}, 10);  // in the stage, in no operator
  t.sample(worker, 950, "cpu-clock", {"main", "poll"}, 10); // outside
  const auto trees = build_flame_trees(t.seal());
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_THAT(leaves(trees[0]),
              UnorderedElementsAre(Pair("poster > denoise > MatMul > /m > main > gemm", 2),
                                   Pair("poster > denoise > MatMul > /m > main > gemm > clear_page", 1),
                                   Pair("poster > denoise > main > png", 1),
                                   Pair("viewer.flame.outside > service > worker > main > poll", 1)));
  EXPECT_EQ(trees[0].own_thread, 3);
  EXPECT_EQ(trees[0].no_op, 1);
  EXPECT_EQ(trees[0].outside, 1);
  std::int64_t weight = 0;
  for (const FlameNode& node : trees[0].nodes)
    weight += node.weight;
  EXPECT_EQ(weight, 50);
}

std::map<std::string, std::int64_t> weights(const FlameTree& tree) {
  std::vector<std::string> path(tree.nodes.size());
  std::map<std::string, std::int64_t> out;
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const FlameNode& node = tree.nodes[i];
    path[i] = (node.parent == 0 ? "" : path[node.parent] + " > ") + tree.names[node.name];
    if (node.weight > 0) out[path[i]] = node.weight;
  }
  return out;
}

// The marker of the step is opened in one call and closed in another; main() lies in it in part only.
//   main     |------------------------------------ 0..1000 -----|
//   enter      |- 100..200 -|
//   step           |------ 150..600 ------|
//   forward              |- 300..500 -|      |- forward 700..800
//   op                     |350..400|
TEST(Flame, recorded_python_calls_are_a_graph_of_wall_time_below_their_step) {
  TraceBuilder t;
  const auto python = t.thread(7, 70, "python");
  const auto call = [&](std::string_view name, std::int64_t from, std::int64_t to) {
    t.slice(name, "python_function", python.track, from, to);
  };
  call("main", 0, 1000);
  call("enter", 100, 200);
  t.slice("step#1", words::kStage, python.track, 150, 600);
  call("forward", 300, 500);
  t.op("MatMul", python, 350, 400, "MatMul");
  call("forward", 700, 800);
  const auto trees = build_flame_trees(t.seal());
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees[0].event, "recorded-calls");
  EXPECT_TRUE(trees[0].is_wall_time);
  EXPECT_THAT(weights(trees[0]),
              UnorderedElementsAre(Pair("viewer.flame.outside > python > main", 100 + 300),
                                   Pair("viewer.flame.outside > python > main > enter", 50),
                                   Pair("viewer.flame.outside > python > main > forward", 100),
                                   Pair("step#1 > python > main", 100 + 100),
                                   Pair("step#1 > python > main > enter", 50),
                                   Pair("step#1 > python > main > forward", 150),
                                   Pair("step#1 > python > main > forward > MatMul", 50)));
}

TEST(Flame, steps_that_differ_in_their_number_are_one) {
  TraceBuilder t;
  const auto python = t.thread(7, 70, "python");
  t.slice("ProfilerStep#5", words::kStage, python.track, 0, 100);
  t.slice("forward", "python_function", python.track, 10, 90);
  t.slice("ProfilerStep#6", words::kStage, python.track, 100, 250);
  t.slice("forward", "python_function", python.track, 120, 240);
  const auto trees = build_flame_trees(t.seal());
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_THAT(weights(trees[0]), ElementsAre(Pair("ProfilerStep#N > python > forward", 80 + 120)));
}

TEST(Flame, calls_that_outlive_their_caller_count_up_to_its_end) {
  TraceBuilder t;
  const auto python = t.thread(7, 70, "python");
  t.slice("f", "python_function", python.track, 0, 100);
  t.slice("g", "python_function", python.track, 40, 160);
  t.slice("h", "python_function", python.track, 100, 130);
  const auto trees = build_flame_trees(t.seal());
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_THAT(weights(trees[0]), UnorderedElementsAre(Pair("python > f", 40), Pair("python > f > g", 60),
                                                      Pair("python > h", 30)));
}

TEST(Flame, recorded_calls_stand_beside_samples_only_where_a_language_recorded_them) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.op("MatMul", worker, 0, 100);
  t.sample(worker, 10, "cpu-clock", {"main"});
  EXPECT_EQ(build_flame_trees(t.seal()).size(), 1U);
  TraceBuilder without;
  without.op("MatMul", without.thread(7, 70, "worker"), 0, 100);
  EXPECT_EQ(build_flame_trees(without.seal()).at(0).event, "recorded-calls");
}

TEST(Flame, a_parent_stands_before_its_children_and_kernel_code_is_marked) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.sample(worker, 10, "cpu-clock", {"main", "read", "vfs_read_[k]"});
  const auto trees = build_flame_trees(t.seal());
  const auto& nodes = trees[0].nodes;
  for (std::size_t i = 1; i < nodes.size(); ++i)
    EXPECT_LT(nodes[i].parent, i);
  EXPECT_EQ(nodes.back().kind, FlameKind::kernel_function);
  EXPECT_EQ(nodes[nodes.size() - 2].kind, FlameKind::function);
}

TEST(Flame, instructions_count_self_and_total_per_node) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.sample(worker, 10, "cpu-clock", {"main", "gemm"});
  t.sample(worker, 20, "cpu-clock", {"main"});
  const auto trees = build_flame_trees(t.seal());
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> hits; // node name -> self, total
  for (const FlameHit& hit : trees[0].hits)
    hits[trees[0].names[trees[0].nodes[hit.node].name]] = {hit.self, hit.total};
  EXPECT_EQ(hits["main"], std::pair(1U, 2U));
  EXPECT_EQ(hits["gemm"], std::pair(1U, 1U));
}

TEST(Flame, each_event_has_a_tree_and_cpu_samples_come_first) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  for (int i = 0; i < 3; ++i)
    t.sample(worker, 10 + i, "page-faults", {"main"});
  t.sample(worker, 20, "cpu-clock", {"main"});
  const auto trees = build_flame_trees(t.seal());
  ASSERT_EQ(trees.size(), 2U);
  EXPECT_EQ(trees[0].event, "cpu-clock");
  EXPECT_EQ(trees[1].event, "page-faults");
  EXPECT_EQ(trees[1].outside, 3);
}

// Two threads behind one mutex: many short waits in poll, one long one for the lock, and two preemptions.
Store blocked_threads() {
  TraceBuilder t;
  const auto a = t.thread(7, 70, "a");
  t.sample(a, 1'000, words::kEventSwitch, {"main", "poll"});
  t.sample(a, 101'000, words::kEventSwitch, {"main", "poll"});
  t.sample(a, 201'000, words::kEventSwitch, {"main", "lock"});
  t.sample(a, 901'000, words::kEventSwitch, {"burn"});
  t.sample(a, 960'000, words::kEventSwitch, {"main", "poll"}); // never ran again: counted to the end
  t.switch_to(0, 0, 0, 'R', 70);
  t.switch_to(1'000, 0, 70, 'S', 0).wake(21'000, 70).switch_to(31'000, 0, 0, 'R', 70); // 20 asleep + 10 woken
  t.switch_to(101'000, 0, 70, 'S', 0).switch_to(111'000, 0, 0, 'R', 70);               // 10
  t.switch_to(201'000, 0, 70, 'D', 0).wake(701'000, 70).switch_to(801'000, 0, 0, 'R', 70); // 500 + 100
  t.switch_to(901'000, 0, 70, 'R', 0).switch_to(931'000, 0, 0, 'R', 70);                   // preempted
  t.switch_to(960'000, 0, 70, 'S', 0).switch_to(1'000'000, 1, 0, 'R', 71).switch_to(1'000'100, 1, 71, 'S', 0);
  return t.seal();
}

std::map<std::string, std::int64_t> self_weights(const FlameTree& tree) {
  std::map<std::string, std::int64_t> out;
  for (const FlameNode& node : tree.nodes)
    if (node.weight > 0) out[tree.names[node.name]] += node.weight;
  return out;
}

TEST(Flame, where_threads_blocked_is_weighed_by_the_time_until_they_ran_again) {
  const auto trees = build_flame_trees(blocked_threads());
  ASSERT_EQ(trees.size(), 1U);
  EXPECT_TRUE(trees[0].is_time_off_cpu);
  EXPECT_THAT(self_weights(trees[0]),
              UnorderedElementsAre(Pair("poll", 30'000 + 10'000 + 40'100), Pair("lock", 600'000)));
  EXPECT_EQ(trees[0].left_out, 1); // the preemption in burn
  EXPECT_EQ(trees[0].outside, 4);
}

TEST(Flame, without_scheduling_data_switches_count_one_each) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.sample(worker, 10, words::kEventSwitch, {"poll"}).sample(worker, 20, words::kEventSwitch, {"poll"});
  const auto trees = build_flame_trees(t.seal());
  EXPECT_FALSE(trees[0].is_time_off_cpu);
  EXPECT_THAT(self_weights(trees[0]), UnorderedElementsAre(Pair("poll", 2)));
}

const HeatRow* heat_row(const HeatMap& heat, std::string_view group, std::string_view name) {
  for (const HeatRow& row : heat.rows)
    if (row.group == group && row.name == name) return &row;
  return nullptr;
}

TEST(Heat, cells_are_the_share_of_time_a_core_and_a_thread_ran) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 2000);
  t.runs(worker, 0, {{0, 500}, {1000, 1250}});
  const HeatMap heat = build_heat_map(t.seal());
  EXPECT_EQ(heat.k, 0); // 2000 ns in cells of 1 ns
  for (const HeatRow* row : {heat_row(heat, "core", "CPU 0"), heat_row(heat, "thread", "worker [70]")}) {
    ASSERT_NE(row, nullptr);
    EXPECT_DOUBLE_EQ(row->mean, 750.0 / 2000);
    EXPECT_EQ(row->busy[0], 255);
    EXPECT_EQ(row->busy[499], 255);
    EXPECT_EQ(row->busy[500], 0);
    EXPECT_EQ(row->busy[1249], 255);
    EXPECT_EQ(row->busy[1250], 0);
    EXPECT_FALSE(row->period);
  }
}

TEST(Heat, a_wide_cell_holds_its_mean) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 40'000); // 40000 >> 2 = 10000 cells of 4 ns
  t.runs(worker, 0, {{2, 7}});
  const HeatMap heat = build_heat_map(t.seal());
  EXPECT_EQ(heat.k, 2);
  const HeatRow* row = heat_row(heat, "core", "CPU 0");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->busy[0], 128); // 2 of 4
  EXPECT_EQ(row->busy[1], 191); // 3 of 4
  EXPECT_EQ(row->busy[2], 0);
}

TEST(Heat, overlapping_kernels_of_a_stream_count_once) {
  TraceBuilder t;
  const auto stream = t.stream(0, 3);
  t.request(1, 0, 1000);
  t.kernel(stream, "a", KernelKind::compute, 0, 100).kernel(stream, "b", KernelKind::compute, 50, 150);
  const HeatMap heat = build_heat_map(t.seal());
  const HeatRow* row = heat_row(heat, "stream", "stream 3");
  ASSERT_NE(row, nullptr);
  EXPECT_DOUBLE_EQ(row->mean, 0.15);
  EXPECT_EQ(row->busy[149], 255);
  EXPECT_EQ(row->busy[150], 0);
}

TEST(Heat, a_core_that_pauses_regularly_carries_its_period) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 10'000'000);
  for (std::int64_t i = 0; i < 20; ++i)
    t.runs(worker, 0, {{i * 500'000, i * 500'000 + 400'000}});
  const HeatMap heat = build_heat_map(t.seal());
  const HeatRow* row = heat_row(heat, "core", "CPU 0");
  ASSERT_NE(row, nullptr);
  ASSERT_TRUE(row->period);
  EXPECT_NEAR(static_cast<double>(row->period->period_ns), 500'000, 2'000);
  EXPECT_NEAR(row->period->quiet_share, 0, 0.02);
}

std::string page_of(const Store& store, const PageOptions& options = {}) {
  return PageReader(store, options).page();
}

Store two_requests() {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "</script><script>alert(1)</script>");
  t.request(1, 0, 1000).request(2, 0, 3000).request(3, 500, 4000, "unfinished");
  t.stage("denoise", worker, 0, 1000, {1});
  return t.seal();
}

TEST(HtmlPage, percentiles_are_of_finished_requests) {
  const Store store = two_requests();
  const auto requests = PageReader(store).json("meta")["requests"];
  EXPECT_EQ(requests["n"], 3);
  EXPECT_EQ(requests["unfinished"], 1);
  EXPECT_EQ(requests["p50"], 2000);
  EXPECT_EQ(requests["p99"], 2980);
  EXPECT_EQ(requests["max"], 3000);
}

TEST(HtmlPage, names_cannot_leave_their_element_and_nothing_comes_from_outside) {
  const Store store = two_requests();
  const PageReader reader(store);
  const std::string& page = reader.page();
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"")));
  EXPECT_THAT(page, Not(HasSubstr("href=\"")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_EQ(reader.json("directory")["threads"][0], "</script><script>alert(1)</script> [70]");
}

TEST(HtmlPage, the_same_trace_gives_the_same_bytes) {
  const Store store = two_requests();
  EXPECT_EQ(page_of(store), page_of(store));
}

TEST(HtmlPage, only_the_views_asked_for_are_in_the_page_and_in_that_order) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 1000).runs(worker, 0, {{0, 500}});
  t.sample(worker, 10, "cpu-clock", {"main"});
  const Store store = t.seal();
  PageOptions options;
  options.views = {"heatmap", "timeline"};
  const PageReader reader(store, options);
  const std::string& page = reader.page();
  EXPECT_THAT(reader.json("meta")["views"], ElementsAre("heatmap", "timeline"));
  EXPECT_THAT(page, HasSubstr("id=\"heatHead.0\""));
  EXPECT_THAT(page, Not(HasSubstr("id=\"flames.0\"")));
}

TEST(HtmlPage, an_unknown_or_missing_view_is_refused_by_name) {
  const Store store = two_requests();
  PageOptions options;
  options.views = {"pie"};
  const auto unknown = write_html_page(store, options, [](std::string_view) { return Status(); });
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::bad_argument);
  EXPECT_THAT(unknown.error().what, HasSubstr("'pie'"));
  options.views = {};
  EXPECT_FALSE(write_html_page(store, options, [](std::string_view) { return Status(); }));
}

TEST(HtmlPage, an_empty_trace_is_a_page_too) {
  TraceBuilder t;
  const Store store = t.seal();
  const PageReader reader(store);
  EXPECT_EQ(reader.json("meta")["requests"]["n"], 0);
  EXPECT_EQ(reader.json("meta")["duration"], 1);
  EXPECT_TRUE(reader.page().ends_with("</html>\n"));
}

TEST(PageJson, numbers_that_javascript_cannot_hold_travel_as_text) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  TraceBuilder::SliceOptions options;
  options.numbers = {{"big", (std::int64_t{1} << 53) + 1}, {"small", 5}};
  t.slice("x", "op", worker.track, 0, 10, options);
  const Store store = t.seal();
  EXPECT_EQ(args_json(store, 0, 10).dump(), R"([["big","9007199254740993","small",5]])");
}

} // namespace
} // namespace prof
