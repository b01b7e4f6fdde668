// Files made to break a reader: huge numbers and texts, deep nesting, ids that repeat or go round in circles.
// Each ends in rows with notes or in one line.
#include "every_reader.hpp"
#include "proto_text.hpp"

#include "../import/packing.hpp"
#include "../under_sanitizer.hpp"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace prof::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kHuge = std::uint64_t{1} << 63U;

struct Hostile {
  std::string name, reader, bytes;
  std::string sql, answer; // no sql: refused with `answer` in its one line
};

std::string many(int count, std::string_view text) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += text;
  return out;
}

// The codes of the ledger with their counts, and how many slices, kernels and samples there are.
constexpr std::string_view kLedger = "select code, count from note order by code";
constexpr std::string_view kRows =
    "select (select count(*) from slice), (select count(*) from kernel), (select count(*) from sample)";

// --- JSON
std::string events(std::string_view list) {
  return "{\"traceEvents\":[" + std::string(list) + "]}";
}
std::string event(std::string_view name, std::string_view ts, std::string_view dur,
                  std::string_view more = "") {
  return fmt::format(R"({{"ph":"X","cat":"cpu_op","name":"{}","pid":1,"tid":2,"ts":{},"dur":{}{}}})", name,
                     ts, dur, more);
}
std::string node(std::string_view name, std::string_view ts, std::string_view dur,
                 std::string_view more = "") {
  return fmt::format(
      R"({{"cat":"Node","pid":1,"tid":2,"dur":{},"ts":{},"ph":"X","name":"{}_kernel_time"{}}})", dur, ts,
      name, more);
}
std::string span(std::string_view id, std::string_view parent, std::string_view start, std::string_view end) {
  return fmt::format(
      R"({{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"{}","parentSpanId":"{}","name":"s","startTimeUnixNano":"{}","endTimeUnixNano":"{}"}})",
      id, parent, start, end);
}
std::string spans(std::string_view list) {
  return R"({"resourceSpans":[{"scopeSpans":[{"spans":[)" + std::string(list) + "]}]}]}";
}

std::vector<Hostile> json_files() {
  const std::string slices = "select name, ts, dur from slice order by ts";
  return {
      {"kineto_time_of_2_to_the_63", "chrome_json",
       events(event("a", "9223372036854775807", "1") + "," + event("b", "1", "9223372036854775807") + "," +
              event("c", "5", "2")),
       "select name from slice where name = 'c'", "c"},
      {"kineto_negative_duration", "chrome_json",
       events(event("a", "10", "-5") + "," + event("b", "20", "5")), slices, "a|10000|0;b|20000|5000"},
      {"kineto_infinity_and_nan", "chrome_json",
       events(event("a", "Infinity", "1") + "," + event("b", "NaN", "NaN") + "," +
              event("c", "3", "1", R"(,"args":{"x":-Infinity})")),
       "select name, ts from slice where ts = 3000", "c|3000"},
      {"kineto_nested_a_million_deep", "chrome_json",
       events(event("a", "1", "1") + "," +
              event("b", "2", "1", ",\"args\":{\"x\":" + many(1'000'000, "[") + many(1'000'000, "]") + "}")),
       slices, "a|1000|1000;b|2000|1000"},
      {"kineto_a_name_of_10_MB", "chrome_json", events(event(many(10'000'000, "x"), "1", "1")),
       "select length(name) from slice", "10000000"},
      {"kineto_a_name_that_is_not_utf_8", "chrome_json", events(event("a\xff\xfe", "1", "1")), kRows.data(),
       "1|0|0"},
      {"kineto_ends_without_begins", "chrome_json",
       events(many(1000, R"({"ph":"E","pid":1,"tid":1,"ts":5},)") + event("a", "1", "1")), kLedger.data(),
       "note.chrome.end_without_begin|1000"},
      {"kineto_begins_70000_deep", "chrome_json",
       events(many(70'000, R"({"ph":"B","name":"f","pid":1,"tid":1,"ts":5},)") +
              many(70'000, R"({"ph":"E","pid":1,"tid":1,"ts":9},)") + event("a", "1", "1")),
       kRows.data(), "70001|0|0"},
      {"kineto_ids_out_of_range", "chrome_json",
       events(
           R"({"ph":"X","name":"k","cat":"kernel","pid":99999999999999999999,"tid":-99999999999999999999,)"
           R"("ts":1,"dur":1,"args":{"device":1e300,"stream":-1e300,"correlation":99999999999999999999}})"),
       kRows.data(), "0|1|0"},
      {"kineto_repeated_correlation", "chrome_json",
       events(
           R"({"ph":"X","name":"l","cat":"cuda_runtime","pid":1,"tid":1,"ts":1,"dur":1,"args":{"correlation":7}},)"
           R"({"ph":"X","name":"l","cat":"cuda_runtime","pid":1,"tid":1,"ts":3,"dur":1,"args":{"correlation":7}},)"
           R"({"ph":"X","name":"k","cat":"kernel","pid":0,"tid":7,"ts":5,"dur":1,"args":{"device":0,"stream":7,"correlation":7}})"),
       "select count(*), count(launch_id) from kernel", "1|1"},
      {"kineto_no_events", "chrome_json", events(""), kRows.data(), "0|0|0"},
      {"kineto_not_an_array", "", R"({"traceEvents":5})", "", "no \"traceEvents\""},
      {"onnxruntime_hostile_numbers", "onnxruntime",
       "[" + node("a", "1", "-7") + "," + node("b", "9223372036854775807", "1") + "," +
           node("c", "4", "1", R"(,"args":{"op_name":"Conv","output_size":"99999999999999999999"})") + "]",
       "select name, ts, dur from slice where name in ('a', 'c') order by ts", "a|1000|0;c|4000|1000"},
      {"onnxruntime_a_name_of_10_MB", "onnxruntime",
       "[" + node("a", "1", "1") + "," + node(many(10'000'000, "n"), "3", "1") + "]",
       "select sum(length(name)) from slice", "10000001"},
      {"otlp_parents_in_a_circle", "otlp",
       spans(span("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "1", "9") + "," +
             span("bbbbbbbbbbbbbbbb", "aaaaaaaaaaaaaaaa", "2", "8")),
       "select count(*) from note where code = 'note.otlp.cycle'", "1"},
      {"otlp_its_own_parent", "otlp", spans(span("aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "1", "9")),
       "select count(*) from note where code = 'note.otlp.cycle'", "1"},
      {"otlp_duplicate_ids", "otlp",
       spans(span("aaaaaaaaaaaaaaaa", "", "1", "9") + "," + span("aaaaaaaaaaaaaaaa", "", "11", "19")),
       "select code, count from note", "note.otlp.duplicate|1"},
      {"otlp_negative_and_huge_times", "otlp",
       spans(span("aaaaaaaaaaaaaaaa", "", "9", "1") + "," +
             span("bbbbbbbbbbbbbbbb", "", "18446744073709551615", "18446744073709551615") + "," +
             span("cccccccccccccccc", "", "1", "2")),
       kLedger.data(), "note.otlp.bad_time|1;note.otlp.negative_duration|1"},
      {"otlp_attributes_nested_a_million_deep", "otlp",
       R"({"resourceSpans":[{"scopeSpans":[{"spans":[)" + span("aaaaaaaaaaaaaaaa", "", "1", "2") +
           R"(]}],"x":)" + many(1'000'000, "[") + many(1'000'000, "]") + "}]}",
       "select count(*) from slice", "1"},
      {"otlp_without_a_span", "", spans(""), "", "no span"},
  };
}

// --- text
std::string kernel_table(std::string_view rows) {
  return "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim\n" +
         std::string(rows);
}
std::string batches(std::string_view rows) {
  return "\"('batch_stage', 'batch_size', 'model_execute_time')\",\"('input_length',)\"\n" +
         std::string(rows);
}

std::vector<Hostile> text_files() {
  const std::string kernels = "select name, ts, dur from kernel order by ts";
  return {
      {"ascend_negative_and_huge_durations", "ascend_text",
       kernel_table("a,MatMul,AI_CORE,10,-5,0,1\nb,MatMul,AI_CORE,20,99999999999999999999,0,1\n"
                    "c,MatMul,AI_CORE,99999999999999999999,1,0,1\nd,MatMul,AI_CORE,30,1.5,0,1\n"),
       kernels + " limit 1", "d|30000|1500"},
      {"ascend_nan_and_infinity", "ascend_text",
       kernel_table("a,M,AI_CORE,nan,1,0,1\nb,M,AI_CORE,1,inf,0,1\nc,M,AI_CORE,30,1,NaN,-inf\n"), kernels,
       "c|30000|1000"},
      {"ascend_a_cell_of_10_MB", "ascend_text",
       kernel_table(many(10'000'000, "n") + ",M,AI_CORE,30,1,0,1\nb,M,AI_CORE,40,1,0,1\n"),
       "select name from kernel where ts = 40000", "b"},
      {"ascend_a_quote_that_never_ends", "ascend_text",
       kernel_table("a,M,AI_CORE,30,1,0,1\n\"b,M,AI_CORE,40,1,0,1\n" + many(200'000, "x,1,2\n")),
       "select count(*) from kernel where name = 'a'", "1"},
      {"ascend_a_row_of_a_million_cells", "ascend_text",
       kernel_table("a,M,AI_CORE,30,1,0,1" + many(1'000'000, ",") + "\nb,M,AI_CORE,40,1,0,1\n"),
       "select count(*) from kernel", "2"},
      {"ascend_names_that_are_no_text", "ascend_text",
       kernel_table(std::string("a\xff\0\x1b[2J,M,AI_CORE,30,1,0,1\n", 27)), "select count(*) from kernel",
       "1"},
      {"ascend_repeated_rows", "ascend_text", kernel_table(many(3, "a,M,AI_CORE,30,1,0,1\n")),
       "select count(*), sum(dur) from kernel", "3|3000"},
      {"ascend_only_a_header", "ascend_text", kernel_table(""), kRows.data(), "0|0|0"},
      {"serving_hostile_numbers", "ascend_serving",
       batches(
           "\"('a', 99999999999999999999, 5)\",\"()\"\n\"('b', 1, -5)\",\"()\"\n\"('c', 1, 1e300)\",\"()\"\n"
           "\"('d', nan, 7)\",\"()\"\n"),
       "select name, dur from slice order by ts", "a|5000;d|7000"},
      {"serving_tuples_nested_deep", "ascend_serving",
       batches("\"('a', 1, 5)\",\"" + many(1'000'000, "(") + many(1'000'000, ")") + "\"\n"),
       "select name, dur from slice", "a|5000"},
      {"collapsed_counts_whose_sum_overflows", "collapsed",
       "a;b 9223372036854775807\na;c 9223372036854775807\n", "select count(*), min(weight) from sample",
       "2|9223372036854775807"},
      {"collapsed_100000_frames", "collapsed", "a;b 2\n" + many(100'000, "f;") + "g 1\n",
       "select max(depth) from callstack", "4095"},
      {"collapsed_a_frame_of_10_MB", "collapsed", "a;b 2\na;" + many(10'000'000, "f") + " 1\n",
       "select count(*) from sample where weight = 2", "1"},
      {"perf_script_hostile_numbers", "perf_script",
       "p 1 1.5: 1 cycles:\n\t1 f (x)\n\np 99999999999999999999 1.5: 1 cycles:\n\t1 f (x)\n\n"
       "p 1 99999999999999999999.5: 1 cycles:\n\t1 f (x)\n\n"
       "p 1 2.5: 99999999999999999999 cycles:\n\tffffffffffffffffffff f (x)\n\n",
       "select ts from sample order by ts limit 1", "1500000000"},
      {"perf_script_100000_frames", "perf_script",
       "p 1 1.5: 1 cycles:\n" + many(100'000, "\t1 f (x)\n") + "\n", "select max(depth) from callstack",
       "4095"},
  };
}

// --- protobuf
std::string pprof(std::string_view more) {
  return field(1, number(1, 1) + number(2, 2)) + std::string(more) + field(6, "") + field(6, "cpu") +
         field(6, "nanoseconds");
}
std::string event_type(std::uint64_t id, std::string_view name) {
  return field(4, number(1, id) + field(2, number(1, id) + field(2, name)));
}
std::string xplane(std::string_view lines) {
  return field(1, field(2, "/device:GPU:0") + std::string(lines) + event_type(1, "k"));
}
std::string device_line(std::string_view events) {
  return field(3, number(1, 7) + field(2, "Stream #7(Kernel)") + number(3, 1000) + std::string(events));
}

std::vector<Hostile> proto_files() {
  const std::string good = field(4, number(1, 1) + number(2, 5'000) + number(3, 2'000));
  const std::string kernels = "select name, ts, dur from kernel";
  return {
      {"xplane_times_of_2_to_the_63", "xplane",
       xplane(device_line(field(4, number(1, 1) + number(2, kHuge - 1) + number(3, kHuge - 1)) + good +
                          field(4, number(1, 1) + number(2, 5'000) + number(3, kHuge)))),
       kernels, "k|1005|2"},
      {"xplane_a_length_of_2_to_the_63", "xplane",
       xplane(device_line(good)) + varint((1U << 3U) | 2U) + varint(kHuge) + "rest", kernels, "k|1005|2"},
      {"xplane_a_length_inside_that_is_too_large", "xplane",
       field(1, field(2, "/device:GPU:0") + device_line(good) + event_type(1, "k") + varint((3U << 3U) | 2U) +
                    varint(kHuge)),
       kernels, "k|1005|2"},
      {"xplane_repeated_ids", "xplane",
       field(1,
             field(2, "/device:GPU:0") + device_line(good) + event_type(1, "first") + event_type(1, "last")),
       kernels, "last|1005|2"},
      {"xplane_a_name_of_10_MB", "xplane",
       field(1, field(2, "/device:GPU:0") + device_line(good) + event_type(1, many(10'000'000, "x"))),
       "select length(name) from kernel", "10000000"},
      {"xplane_without_events", "", xplane(""), "", "no event"},
      {"pprof_a_length_of_2_to_the_63", "pprof",
       pprof(field(2, field(1, varint(1)) + field(2, varint(5))) + field(4, number(1, 1) + number(3, 16))) +
           varint((2U << 3U) | 2U) + varint(kHuge),
       "select weight from sample", "5"},
      {"pprof_a_text_of_10_MB", "pprof",
       pprof(field(2, field(1, varint(1)) + field(2, varint(5))) +
             field(4, number(1, 1) + field(4, number(1, 1))) + field(5, number(1, 1) + number(2, 3))) +
           field(6, many(10'000'000, "x")),
       "select length(function) from frame", "10000000"},
      {"pprof_repeated_ids", "pprof",
       pprof(field(2, field(1, varint(1)) + field(2, varint(5))) + field(4, number(1, 1) + number(3, 16)) +
             field(4, number(1, 1) + number(3, 32))),
       "select function from frame", "0x20"},
      {"pprof_100000_frames", "pprof",
       pprof(field(2, field(1, many(100'000, varint(1))) + field(2, varint(5))) +
             field(4, number(1, 1) + number(3, 16))),
       "select max(depth) from callstack", "4095"},
      {"otlp_proto_a_length_of_2_to_the_63", "otlp",
       field(1, field(2, field(2, field(1, std::string(16, 'a')) + field(2, std::string(8, 'b')) +
                                      field(5, "s") + fixed64(7, 5) + fixed64(8, 9)))) +
           varint((1U << 3U) | 2U) + varint(kHuge),
       "select name, ts, dur from slice", "s|5|4"},
  };
}

// --- SQLite: a database of these statements
std::string database(const std::string& sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(":memory:", &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(db, "main", &size, 0);
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  sqlite3_close(db);
  return out;
}
constexpr std::string_view kMin = "(-9223372036854775807 - 1)", kMax = "9223372036854775807";
std::string nsys(std::string_view rows) {
  return database(fmt::format(
      R"(create table StringIds(id integer, value text); insert into StringIds values (1, 'k'), (1, 'again'),
         (2, zeroblob(10000000)), (3, cast(x'ff00fe' as text));
         create table CUPTI_ACTIVITY_KIND_KERNEL(start, "end", deviceId, streamId, correlationId, globalPid, shortName);
         insert into CUPTI_ACTIVITY_KIND_KERNEL values {};)",
      rows));
}
std::string rpd(std::string_view rows) {
  return database(fmt::format(
      R"(create table rocpd_string(id integer primary key, string); insert into rocpd_string values (1, 'k');
         create table rocpd_api(id integer primary key, pid, tid, start, "end", apiName_id, args_id);
         create table rocpd_api_ops(api_id, op_id);
         create table rocpd_op(id integer primary key, gpuId, queueId, sequenceId, start, "end", description_id, opType_id);
         insert into rocpd_op values {};)",
      rows));
}
std::string rocpd(std::string_view rows) {
  return database(fmt::format(
      R"(create table rocpd_info_process_x(id integer primary key, pid, command); insert into rocpd_info_process_x values (1, 7, 'a');
         create table rocpd_info_kernel_symbol_x(id integer primary key, kernel_name, display_name);
         insert into rocpd_info_kernel_symbol_x values (1, 'k.kd', 'k');
         create table rocpd_kernel_dispatch_x(id integer primary key, pid, agent_id, queue_id, stream_id, start, "end", kernel_id,
           workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, event_id);
         create view rocpd_kernel_dispatch as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n;
         insert into rocpd_kernel_dispatch_x values {};)",
      rows));
}

std::vector<Hostile> databases() {
  const std::string kernels = "select name, ts, dur from kernel order by ts";
  const std::string tail = ", 1, 1, 1, 1, 1, 1, null)";
  return {
      {"nsys_lengths_beyond_64_bits", "nsys",
       nsys(fmt::format("({0}, {1}, 0, 0, 0, 0, 1), ({1}, {0}, 0, 0, 0, 0, 1), (5, 7, 0, 0, 0, 0, 1)", kMin,
                        kMax)),
       kernels, "again|5|2"},
      {"nsys_a_length_of_minus_one_is_not_unfinished", "nsys",
       nsys("(10, 9, 0, 0, 0, 0, 1), (20, 1000, 0, 0, 0, 0, 1)"), kernels, "again|10|0;again|20|980"},
      {"nsys_a_name_of_10_MB_and_one_that_is_no_text", "nsys",
       nsys("(1, 2, 0, 0, 0, 0, 2), (3, 4, 0, 0, 0, 0, 3)"), "select count(*) from kernel", "2"},
      {"nsys_ids_out_of_range_and_not_numbers", "nsys",
       nsys(fmt::format("(1, 2, {}, {}, {}, 'x', 1), (3, 4, 1e300, -1e300, 0.5, x'00', 'k')", kMin, kMax,
                        kMax)),
       "select count(*) from kernel", "2"},
      {"rpd_lengths_beyond_64_bits", "rpd",
       rpd(fmt::format("(1, 0, 0, 0, {0}, {1}, 1, 1), (2, 0, 0, 0, {1}, {0}, 1, 1), (3, 0, 0, 0, 5, 7, 1, 1)",
                       kMin, kMax)),
       kernels, "k|5|2"},
      {"rpd_a_length_of_minus_one_is_not_unfinished", "rpd",
       rpd("(1, 0, 0, 0, 10, 9, 1, 1), (2, 0, 0, 0, 20, 1000, 1, 1)"), kernels, "k|10|0;k|20|980"},
      {"rocpd_hostile_rows_and_a_view_without_end", "rocpd",
       rocpd(fmt::format("(1, 1, 1, 1, 1, {0}, {1}, 1{2}, (2, 1, 1, 1, 1, 9, 5, 1{2}, (3, 99, 'x', null, "
                         "null, 5, 7, 99{2}, "
                         "(4, 1, 1, 1, 1, 10, 12, 1{2}",
                         kMin, kMax, tail)),
       "select k.name, k.ts, k.dur, n.count from kernel k, note n where n.code = 'note.rocprof.without_time' "
       "order by 2",
       "|5|2|2;k|10|2|2"},
      {"a_database_of_something_else", "", database("create table t(x)"), "", "unknown format"},
  };
}

void expect_rows_or_one_line(const Hostile& row) {
  SCOPED_TRACE(row.name);
  const Scratch scratch;
  const Outcome outcome = outcome_of(scratch.write(row.bytes));
  if (row.sql.empty()) {
    ASSERT_FALSE(outcome.store);
    EXPECT_NE(outcome.error.what.find(row.answer), std::string::npos) << outcome.error.what;
    EXPECT_EQ(outcome.error.what.find('\n'), std::string::npos);
    return;
  }
  ASSERT_TRUE(outcome.store) << outcome.error.what;
  EXPECT_EQ(outcome.format, row.reader);
  EXPECT_EQ(ask(*outcome.store, row.sql), row.answer);
  EXPECT_EQ(difference(table_text(*outcome.store), table_text(through_pb(scratch.path() / "input")),
                       {"slice", "flow", "note", "track"}),
            "");
}

// A loop and not a test per row: the rows hold tens of megabytes, and each test would make all of them.
void expect_all(const std::vector<Hostile>& rows) {
  for (const Hostile& row : rows)
    expect_rows_or_one_line(row);
}
TEST(HostileFiles, of_json_end_in_rows_and_notes_or_in_one_line) {
  expect_all(json_files());
}
TEST(HostileFiles, of_text_end_in_rows_and_notes_or_in_one_line) {
  expect_all(text_files());
}
TEST(HostileFiles, that_are_databases_end_in_rows_and_notes_or_in_one_line) {
  expect_all(databases());
}
TEST(HostileFiles, of_protobuf_end_in_rows_and_notes_or_in_one_line) {
  expect_all(proto_files());
}

// --- not a file's content
std::string refused(const fs::path& path, Errc code) {
  const Outcome outcome = outcome_of(path);
  EXPECT_FALSE(outcome.store) << path;
  EXPECT_EQ(outcome.error.code, code) << path << outcome.error.what;
  EXPECT_EQ(outcome.error.what.find('\n'), std::string::npos);
  return outcome.error.what;
}

TEST(HostilePlaces, end_in_one_line) {
  const Scratch scratch;
  fs::create_directory(scratch.path() / "empty");
  fs::create_symlink("nowhere", scratch.path() / "dangling");
  fs::create_symlink("self", scratch.path() / "self");
  EXPECT_NE(refused(scratch.path() / "empty", Errc::malformed).find("unknown format (a folder)"),
            std::string::npos);
  EXPECT_EQ(refused(scratch.path() / "dangling", Errc::missing), "no such file");
  EXPECT_NE(refused(scratch.path() / "self", Errc::io).find("cannot open"), std::string::npos);
  EXPECT_EQ(refused(scratch.write("", "nothing"), Errc::malformed), "the file is empty");
  for (const char byte : {'{', '[', '\n', '\x0a', '\x1f', '\0', 'S', '"', 'a'})
    (void)refused(scratch.write(std::string(1, byte), "one"), Errc::malformed);
}

TEST(HostilePlaces, a_zip_bomb_whose_beginning_is_no_trace_is_not_unpacked) {
  // 1 GiB of zeros: 1024 members of 1 MiB.
  const std::string member = gzip(std::string(std::size_t{1} << 20, '\0'));
  const Scratch scratch;
  const fs::path path = scratch.write(many(1024, member));
  ASSERT_LT(fs::file_size(path), 2'000'000U);
  const std::string old = std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "";
  setenv("TMPDIR", "/proc/no/room/here", 1); // where nothing can be written
  const std::string line = refused(path, Errc::malformed);
  old.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", old.c_str(), 1);
  EXPECT_NE(line.find("unknown format"), std::string::npos) << line;
}

#ifndef PROF_UNDER_SANITIZER
// A bomb that begins like a trace is unpacked, up to its bound, and takes little memory.
TEST(HostilePlaces, a_zip_bomb_that_looks_like_a_trace_takes_bounded_memory) {
  const Scratch scratch;
  const std::string head = R"({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1},)";
  const fs::path path = scratch.write(gzip(head) + many(128, gzip(std::string(std::size_t{1} << 20, ' '))));
  std::int64_t pages_before = 0; // the child begins with what this process has
  std::ifstream("/proc/self/statm") >> pages_before >> pages_before;
  const pid_t child = fork();
  if (child == 0) {
    const Outcome outcome = outcome_of(path);
    _exit(outcome.store && outcome.store->tables().slice.ts.size() == 1 ? 0 : 1);
  }
  int status = 0;
  rusage usage{};
  ASSERT_EQ(wait4(child, &status, 0, &usage), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_LT(usage.ru_maxrss - pages_before * sysconf(_SC_PAGESIZE) / 1024, 32 * 1024)
      << "KiB, of 128 MiB of blanks";
}
#endif

// As another user where this one may read anything.
TEST(HostilePlaces, a_file_in_a_folder_that_may_not_be_read_is_named_and_the_others_are_read) {
  const Scratch scratch;
  fs::permissions(scratch.path(), fs::perms::all);
  (void)scratch.write(kernel_table("a,M,AI_CORE,30,1,0,1\n"), "kernel_details.csv");
  const fs::path secret = scratch.write(kernel_table("b,M,AI_CORE,40,1,0,1\n"), "other.csv");
  fs::permissions(secret, fs::perms::none);
  const bool is_root = geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const Outcome outcome = outcome_of(scratch.path());
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  ASSERT_TRUE(outcome.store) << outcome.error.what;
  EXPECT_EQ(ask(*outcome.store, "select name from kernel"), "a");
}

TEST(HostilePlaces, links_out_of_a_folder_are_not_followed_and_links_inside_are) {
  const Scratch scratch, outside;
  (void)scratch.write(kernel_table("inside,M,AI_CORE,30,1,0,1\n"), "store.txt");
  const fs::path secret = outside.write(kernel_table("outside,M,AI_CORE,40,1,0,1\n"), "kernel_details.csv");
  fs::create_directory(scratch.path() / "out");
  fs::create_symlink("../store.txt", scratch.path() / "out/kernel_details.csv");
  fs::create_symlink(secret, scratch.path() / "out/op_summary.csv");
  fs::create_symlink("nowhere", scratch.path() / "out/dangling.csv");
  fs::create_directory_symlink(outside.path(), scratch.path() / "out/folder");
  fs::create_directory_symlink("..", scratch.path() / "out/loop");
  const Store store = load(scratch.path());
  EXPECT_EQ(ask(store, "select distinct name from kernel"), "inside");
}

TEST(HostilePlaces, a_profiler_info_nested_a_million_deep_is_left_out) {
  const Scratch scratch;
  fs::create_directory(scratch.path() / "ASCEND_PROFILER_OUTPUT");
  (void)scratch.write(kernel_table("a,M,AI_CORE,30,1,0,1\n"), "ASCEND_PROFILER_OUTPUT/kernel_details.csv");
  (void)scratch.write(R"({"config":{"experimental_config":{"_profiler_level":"Level1","_aic_metrics":)" +
                          many(1'000'000, "[") + many(1'000'000, "]") + R"(}},"rank_id":3})",
                      "profiler_info_3.json");
  const Store store = load(scratch.path());
  EXPECT_EQ(ask(store, "select value from metadata where key = 'ascend.rank'"), "3");
  EXPECT_EQ(ask(store, "select name from kernel"), "a");
}

} // namespace
} // namespace prof::testing
