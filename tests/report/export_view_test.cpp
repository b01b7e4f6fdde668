// Exports can be read back by others: Chrome JSON by a JSON parser, SQLite by SQLite, CSV by its own rules.
#include "report/export_view.hpp"

#include "../store/trace_builder.hpp"
#include "report/info_view.hpp"
#include "store/sql.hpp"
#include "store/sql_docs.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <unistd.h>

namespace prof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Store small_trace() {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "=worker");
  TraceBuilder::SliceOptions out;
  out.flows_out = {5};
  t.request(1, 1'000'001, 2'000'000).request(1, 1'000'001, 2'000'000);
  t.stage("denoise", w, 1'000'500, 1'900'000, {1, 1})
      .slice("launch \"><script>\xff", "span", w.track, 1'200'000, 1'200'999, out);
  t.kernel(t.stream(0, 2), "conv", KernelKind::compute, 1'300'000, 1'400'000, 5);
  t.counter("rss", "bytes", {{1'000'000, 5}, {1'500'000, 6.5}});
  t.sample(w, 1'100'000, words::kEventCpu, {"main", "=cmd()"}, 10);
  t.runs(w, 0, {{1'000'500, 1'900'000}});
  t.sink().metadata("service", "\x1b[31mposter");
  return t.seal();
}

std::string collected(const std::function<Status(const ByteSink&)>& write) {
  std::string all;
  EXPECT_TRUE(write([&](std::string_view bytes) {
                all += bytes;
                return Status{};
              }).ok());
  return all;
}

TEST(ChromeJson, what_it_has_no_place_for_is_counted) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.sample(w, 1'100'000, words::kEventCpu, {"main"}, 10).sample(w, 1'200'000, words::kEventCpu, {}, 10);
  t.sample(w, 1'300'000, words::kEventCpu, {}, 10);
  t.runs(w, 0, {{1'000'500, 1'300'000}, {1'400'000, 1'900'000}, {2'000'000, 2'100'000}}); // it has for these
  const NotCarried left = left_out_of_chrome_json(t.seal());
  EXPECT_EQ(left.samples, 2);
  EXPECT_EQ(left.for_others, 1);
  EXPECT_TRUE(left.is_any());
  EXPECT_FALSE(left_out_of_chrome_json(TraceBuilder().seal()).is_any());
}

TEST(ChromeJson, every_event_is_there_with_exact_times) {
  const Store store = small_trace();
  const auto json =
      nlohmann::json::parse(collected([&](const ByteSink& out) { return export_chrome_json(store, out); }));
  std::map<std::string, int> phases;
  for (const auto& event : json["traceEvents"])
    ++phases[event["ph"].get<std::string>()];
  EXPECT_EQ(phases["X"], 2 + 1 + 1 + 1 + 1); // requests, stage, launch, kernel, a run on a CPU
  EXPECT_EQ(phases["C"], 2);
  EXPECT_EQ(phases["s"], 1);
  EXPECT_EQ(phases["f"], 1);
  EXPECT_EQ(json["samples"].size(), 1U);
  EXPECT_EQ(json["stackFrames"]["1"]["parent"], "0");
  EXPECT_EQ(json["otherData"]["service"], "\x1b[31mposter");
  const std::string text = collected([&](const ByteSink& out) { return export_chrome_json(store, out); });
  EXPECT_THAT(text, HasSubstr("\"ts\":1000.001,\"dur\":999.999"));
  EXPECT_THAT(text, HasSubstr("\"request_id\":1,\"request_id#2\":1"));
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

TEST(ChromeJson, an_empty_trace_is_an_empty_document) {
  StoreBuilder builder;
  const Store store = builder.seal();
  const auto json =
      nlohmann::json::parse(collected([&](const ByteSink& out) { return export_chrome_json(store, out); }));
  EXPECT_TRUE(json["traceEvents"].empty());
}

TEST(Collapsed, a_line_names_the_work_and_the_stack_and_ends_in_its_weight) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "work;er");
  t.request(1, 0, 1000).stage("denoise", w, 0, 900, {1}).op("Conv", w, 100, 400);
  t.sample(w, 200, words::kEventCpu, {"main", "a;b \n"}, 10)
      .sample(w, 300, words::kEventCpu, {"main", "a;b \n"}, 5);
  t.sample(w, 950, words::kEventCpu, {"main"}, 2).sample(w, 200, words::kEventFault, {"main"}, 1);
  const Store store = t.seal();
  EXPECT_EQ(collected([&](const ByteSink& out) { return export_collapsed(store, out); }),
            "service;work,er;main 2\n"
            "service;work,er;poster;denoise;/node;main;a,b \\x0a 15\n");
  const NotCarried left = left_out_of_stacks(store);
  EXPECT_EQ(left.event, words::kEventCpu);
  EXPECT_EQ(left.other_samples, 1);
  EXPECT_EQ(left.samples, 0);
}

TEST(Collapsed, switches_weigh_the_time_off_the_cpu_and_preemptions_are_left_out) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.sample(w, 1'000, words::kEventSwitch, {"main", "wait"}).sample(w, 90'000, words::kEventSwitch, {"burn"});
  t.switch_to(0, 0, 0, 'R', 70)
      .switch_to(1'000, 0, 70, 'S', 0)
      .wake(50'000, 70)
      .switch_to(53'000, 0, 0, 'R', 70);
  t.switch_to(90'000, 0, 70, 'R', 0).switch_to(95'000, 0, 0, 'R', 70).switch_to(96'000, 0, 70, 'R', 0);
  const Store store = t.seal();
  EXPECT_EQ(collected([&](const ByteSink& out) { return export_collapsed(store, out); }),
            "service;worker;main;wait 52000\n");
}

TEST(Csv, a_table_has_its_header_and_no_formulas) {
  const Store store = small_trace();
  EXPECT_EQ(collected([&](const ByteSink& out) { return export_csv(store, "thread", out); }),
            "id,tid,process_id,name\n0,70,0,'=worker\n");
  EXPECT_THAT(collected([&](const ByteSink& out) { return export_csv(store, "frame", out); }),
              HasSubstr("1,'=cmd(),"));
  EXPECT_EQ(export_csv(store, "nothing", [](std::string_view) { return Status{}; }).error().code,
            Errc::bad_argument);
}

TEST(Csv, a_full_disk_ends_the_export) {
  const Store store = small_trace();
  const Status status = export_csv(
      store, "slice", [](std::string_view) -> Status { return Error{Errc::io, "no space left", {}}; });
  EXPECT_EQ(status.error().code, Errc::io);
}

TEST(SqliteExport, the_file_answers_as_the_trace_does) {
  const Store store = small_trace();
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("prof_export_test_{}.sqlite", getpid());
  ASSERT_TRUE(export_sqlite(store, path).ok());
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  auto sql = Sql::open(store);
  for (const std::string& table : sql_table_names()) {
    sqlite3_stmt* statement = nullptr;
    ASSERT_EQ(sqlite3_prepare_v2(db, ("select count(*) from " + table).c_str(), -1, &statement, nullptr),
              SQLITE_OK)
        << table;
    ASSERT_EQ(sqlite3_step(statement), SQLITE_ROW);
    const auto here = sql->query("select count(*) from " + table);
    EXPECT_EQ(std::get<std::int64_t>(here->rows[0][0]), sqlite3_column_int64(statement, 0)) << table;
    sqlite3_finalize(statement);
  }
  sqlite3_close(db);
  std::filesystem::remove(path);
}

TEST(SqliteExport, a_folder_or_a_missing_folder_is_an_error_and_leaves_nothing) {
  const Store store = small_trace();
  EXPECT_EQ(export_sqlite(store, std::filesystem::temp_directory_path()).error().code, Errc::bad_argument);
  EXPECT_FALSE(export_sqlite(store, "/nonexistent/x.sqlite").ok());
}

TEST(Info, shares_and_counts_are_those_of_the_trace) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.request(1, 0, 1000)
      .stage("s", w, 0, 800, {1})
      .slice("run", words::kRun, w.track, 100, 500)
      .op("Conv", w, 100, 400);
  t.op("Gemm", w, 900, 950); // in no stage
  t.sample(w, 200, words::kEventCpu, {"f"}).sample(w, 450, words::kEventCpu, {"f"}).runs(w, 0, {{0, 1000}});
  t.sink().note({.severity = Severity::data_loss,
                 .code = t.text("note.lost_by_test"),
                 .count = 3,
                 .where = t.text("ring 1")});
  const Store store = t.seal();
  const auto json = nlohmann::json::parse(to_json(
      info_doc(store, {.path = "a.pb", .format = "perfetto", .packing = "gzip", .bytes = 12}, Lang::en)));
  EXPECT_EQ(json["format"]["name"], "perfetto");
  EXPECT_EQ(json["format"]["packing"], "gzip");
  EXPECT_EQ(json["requests"]["count"], 1);
  EXPECT_EQ(json["lost_events"], 3);
  EXPECT_EQ(json["rows"]["op"], 2);
  EXPECT_EQ(json["coverage"]["ops_in_stages"], 0.5);
  EXPECT_EQ(json["coverage"]["samples_in_ops"], 0.5);
  EXPECT_EQ(json["coverage"]["samples_with_symbols"], 1.0);
  EXPECT_EQ(json["coverage"]["run_time_in_ops"], 0.75);
  EXPECT_EQ(json["coverage"]["time_explained"], 0.8);
  EXPECT_EQ(json["notes"][0]["count"], 3);
  EXPECT_EQ(json["processes"][0]["pid"], 7);
  const std::string text = info_text(store, {.path = "a.pb", .format = {}, .packing = {}}, Lang::zh);
  EXPECT_THAT(text, HasSubstr("50.0 %"));
  EXPECT_THAT(text, HasSubstr("丢失台账"));
}

TEST(Info, says_when_it_was_recorded_and_how_busy_each_device_was) {
  TraceBuilder t;
  t.sink().metadata("start_realtime_ns", "1700000000123456789"); // date -u -d @1700000000
  t.kernel(t.stream(0, 1), "a", KernelKind::compute, 0, 600)
      .kernel(t.stream(0, 2), "b", KernelKind::memory, 500, 700);
  t.kernel(t.stream(0, 1), "a", KernelKind::compute, 900, 1000);
  (void)t.stream(1, 1); // ran nothing
  const Store store = t.seal();
  const std::string text = info_text(store, {.path = "a.pb", .format = {}, .packing = {}}, Lang::en);
  EXPECT_THAT(text, HasSubstr("recorded 2023-11-14 22:13:20 UTC\n"));
  EXPECT_THAT(text, HasSubstr("  npu 0  device: busy 80.0 %, idle 20.0 % of 1.00 us\n  npu 1  device\n"));
  const auto json = nlohmann::json::parse(
      to_json(info_doc(store, {.path = "a.pb", .format = {}, .packing = {}}, Lang::en)));
  EXPECT_EQ(json["time"]["recorded"], "2023-11-14 22:13:20 UTC");
  EXPECT_EQ(json["devices"][0]["busy_ns"], 800);
  EXPECT_EQ(json["devices"][0]["idle_ns"], 200);
  EXPECT_FALSE(json["devices"][1].contains("busy_ns"));
}

TEST(Info, hostile_names_reach_no_terminal) {
  const Store store = small_trace();
  const std::string text =
      info_text(store, {.path = "\x1b]0;title\x07.pb", .format = {}, .packing = {}}, Lang::en);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
}

} // namespace
} // namespace prof
