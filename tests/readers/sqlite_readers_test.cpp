// Nsight Systems and rocmProfileData files: real ones against figures computed in SQL by other means, and
// damaged ones.
#include "../store/trace_builder.hpp"
#include "reader_fixture.hpp"

#include "base/file.hpp"
#include "import/sqlite/sqlite_file.hpp"
#include "report/export_view.hpp"

#include <sqlite3.h>
#include <utility>

namespace prof::testing {
namespace {

TEST(Nsys, a_real_export_gives_the_known_figures) {
  const auto path = data_file("nsys_mfu_2gpu.sqlite.gz");
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select device, window_ns, busy_ns, communication_ns, overlap_ns, "
                         "exposed_communication_ns from device_time order by device"),
              "0|299848812|273817787|17172652|0|17172652;1|298661551|267275916|8229100|0|8229100");
    EXPECT_EQ(ask(store, "select device, count(*), min(ts) from kernel group by 1"),
              "0|2636|60111541307;1|2663|60111513113");
    EXPECT_EQ(ask(store, "select device, sum(dur) from kernel where kind <> 'memory' group by 1"),
              "0|270875926;1|264324724");
    EXPECT_EQ(
        ask(store, "select name, count(*) n, sum(dur) from slice where category = 'cuda_runtime' group by 1 "
                   "order by 3 desc limit 3"),
        "cudaStreamSynchronize|33|324534733;cudaLaunchKernel|3604|27981572;cudaMemcpyAsync|1018|9446069");
    // Correlation ids repeat between the two processes: a launch is found by process and id.
    EXPECT_EQ(
        ask(store, "select count(*), count(launch_id), count(op_id) from kernel where kind <> 'memory'"),
        "4010|3986|3986");
    EXPECT_EQ(
        ask(store, "select count(*) from kernel k join slice s on s.id = k.launch_id where s.ts > k.ts"),
        "0");
    EXPECT_EQ(ask(store, "select count(*) from op"), "18656");
  }
}

TEST(Rpd, a_real_file_gives_its_rows) {
  const auto path = data_file("rpd_matmul.rpd.gz");
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select kind, count(*), sum(dur), count(launch_id) from kernel group by 1"),
              "compute|29|26399795|29;memory|56|157518261|56");
    EXPECT_EQ(ask(store, "select count(*), min(ts), max(ts + dur) from kernel"),
              "85|8306017670485923|8306020634556740");
    EXPECT_EQ(ask(store, "select count(*) from slice"), "125");
  }
}

// A database made by the test, named without a suffix.
std::filesystem::path database(const Scratch& scratch, const std::string& sql) {
  const std::filesystem::path path = scratch.path() / "data";
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
  return path;
}

constexpr std::string_view kStrings = "create table StringIds(id integer, value text); insert into StringIds "
                                      "values (1, 'k'), (2, 'cudaLaunchKernel_v7000');";

TEST(Nsys, an_old_export_without_newer_columns_is_read) {
  const Scratch scratch;
  const Store store = load(database(scratch, std::string(kStrings) + R"(
    create table CUPTI_ACTIVITY_KIND_KERNEL(start, "end", deviceId, streamId, correlationId, shortName);
    insert into CUPTI_ACTIVITY_KIND_KERNEL values (10, 30, 0, 7, 5, 1);
    create table CUPTI_ACTIVITY_KIND_RUNTIME(start, "end", globalTid, nameId, correlationId);
    insert into CUPTI_ACTIVITY_KIND_RUNTIME values (1, 5, 9, 2, 5);)"));
  EXPECT_EQ(ask(store, "select k.name, k.dur, s.name from kernel k join slice s on s.id = k.launch_id"),
            "k|20|cudaLaunchKernel");
}

TEST(Nsys, a_wait_lies_on_the_device_of_its_context_and_minus_one_is_every_stream) {
  const Scratch scratch;
  // As two processes write it: each wait says device 0, the kernels of the second process ran on device 1.
  const Store store = load(database(scratch, R"(
    create table StringIds(id, value); insert into StringIds values (1, 'k');
    create table CUPTI_ACTIVITY_KIND_KERNEL(start, "end", deviceId, contextId, streamId, correlationId, globalPid, shortName);
    insert into CUPTI_ACTIVITY_KIND_KERNEL values (10, 30, 0, 1, 7, 5, 100, 1), (10, 30, 1, 2, 15, 5, 200, 1);
    create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start, "end", deviceId, contextId, streamId, globalPid, syncType);
    insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION values
      (30, 40, 0, 1, 7, 100, 3), (31, 40, 0, 2, 15, 200, 3), (50, 60, 0, 2, 4294967295, 200, 4), (70, 71, 0, 9, 3, 300, 2);)"));
  EXPECT_EQ(ask(store,
                "select sl.name, t.name, d.idx, st.number from slice sl join track t on t.id = sl.track_id "
                "join stream st on st.id = t.stream_id join device d on d.id = st.device_id order by sl.ts"),
            "Stream Sync|stream 7 waits|0|7;Stream Sync|stream 15 waits|1|15;"
            "Context Sync|all streams waits|1|-1;Stream Wait Event|stream 3 waits|0|3");
}

TEST(Nsys, values_of_wrong_types_and_hostile_names_end_in_rows_or_notes) {
  const Scratch scratch;
  const Store store = load(database(
      scratch,
      R"(create table StringIds(id, value); insert into StringIds values (1, '"><script>'), ('x', null);
    create table CUPTI_ACTIVITY_KIND_KERNEL(start, "end", deviceId, streamId, correlationId, demangledName);
    insert into CUPTI_ACTIVITY_KIND_KERNEL values (10, 5, 'gpu', -1, x'00', 1), (9223372036854775807, 1, 0, 0, 0, 99), (1, 2, 0, 0, 0, 1);
    create table SCHED_EVENTS(start); insert into SCHED_EVENTS values (1), (2);)"));
  EXPECT_EQ(ask(store, "select name, dur from kernel order by ts"), "\"><script>|1;\"><script>|0");
  EXPECT_EQ(ask(store, "select code, count from note where code = 'note.nsys.table_not_read'"),
            "note.nsys.table_not_read|2");
}

TEST(Sqlite, a_database_of_something_else_is_refused_in_one_line_and_nothing_appears_beside_it) {
  const Scratch scratch;
  const auto path = database(scratch, "create table t(x)");
  StoreBuilder builder;
  const Status status = import_trace(path, builder);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Errc::malformed);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
}

constexpr std::string_view kKernels =
    R"(create table CUPTI_ACTIVITY_KIND_KERNEL(start, "end", deviceId, streamId, correlationId, shortName);
    insert into CUPTI_ACTIVITY_KIND_KERNEL values (10, 30, 0, 7, 5, 1), (40, 45, 0, 7, 6, 1);)";

// What of a stranger's would be worked out by being looked at: it might never come to its end.
TEST(Sqlite, views_computed_columns_and_virtual_tables_of_a_stranger_are_not_run) {
  struct Case {
    std::string_view strange, count; // rows behind the name
  };
  for (const Case& c :
       {Case{"create view t as with recursive c(x) as (select 1 union all select x + 1 from c) select x from "
             "c",
             "0"},
        Case{"create table t(y, x as (hex(zeroblob(400000000))) virtual); insert into t(y) values (1), (2)",
             "2"},
        Case{"create virtual table t using fts5(x)", "0"},
        Case{"create table u(x); insert into u values (1); create view t as select x from u", "0"}}) {
    const Scratch scratch;
    const auto file = SqliteFile::open(database(scratch, std::string(c.strange)));
    ASSERT_TRUE(file.ok()) << c.strange;
    EXPECT_EQ(fmt::format("{}", file->count("t")), c.count) << c.strange;
    EXPECT_FALSE(file->has("t", "x") && file->has("t")) << c.strange;
    std::int64_t rows = 0;
    EXPECT_FALSE(file->each("select x from t", [&](const SqliteFile::Row&) { ++rows; }).ok()) << c.strange;
    EXPECT_FALSE(file->each("select 1 from sqlite_master left join t on t.x = rootpage",
                            [&](const SqliteFile::Row&) { ++rows; })
                     .ok())
        << c.strange;
    EXPECT_EQ(rows, 0) << c.strange;
  }
}

// A view that has no end stood where rocprofv3 keeps its texts: only the first table of a statement was
// looked at.
TEST(Sqlite, a_table_that_is_a_view_costs_what_needs_it_and_is_told) {
  const Scratch scratch;
  const auto path = scratch.write(unpacked("rocprof/rocpd_v3.db.gz"));
  const std::string kernels = ask(load(path), "select count(*) from kernel where kind = 'compute'");
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  std::string name;
  ASSERT_EQ(sqlite3_exec(
                db, "select name from sqlite_master where name glob 'rocpd_string_*'",
                [](void* out, int, char** row, char**) {
                  *static_cast<std::string*>(out) = row[0];
                  return 0;
                },
                &name, nullptr),
            SQLITE_OK);
  const std::string sql =
      fmt::format("drop table {0}; create view {0} as with recursive c(x) as (select 1 union "
                  "all select x + 1 from c) select x id, '' guid, 'a' string from c",
                  name);
  ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
  const Store store = load(path);
  EXPECT_EQ(ask(store, "select count(*) from kernel where kind = 'compute'"), kernels);
  EXPECT_NE(ask(store, "select location from note where code = 'note.sqlite.damaged'").find("rocpd_region"),
            std::string::npos);
}

TEST(Sqlite, a_file_that_makes_more_work_than_its_size_explains_is_stopped) {
  const Scratch scratch;
  const auto file = SqliteFile::open(database(
      scratch,
      "create table t(x); with recursive c(x) as (select 1 union all select x + 1 from c limit 2000) "
      "insert into t select 1 from c"));
  ASSERT_TRUE(file.ok());
  std::int64_t rows = 0;
  const auto take = [&](const SqliteFile::Row&) { ++rows; };
  EXPECT_TRUE(file->each("select * from t", take).ok());
  EXPECT_EQ(rows, 2000);
  const Status status = file->each("select 1 from t a join t b on a.x = b.x join t c on b.x = c.x", take);
  ASSERT_FALSE(status.ok()) << "8000 million rows";
  EXPECT_EQ(status.error().code, Errc::budget);
}

// An export of ours with every kind of row that has an id, changed by `sql`.
std::filesystem::path changed_export(const Scratch& scratch, const std::string& sql) {
  TraceBuilder t;
  const auto w = t.thread(7, 70, "worker");
  t.thread(7, 71, "pool");
  t.slice("a", "span", w.track, 100, 200).slice("b", "span", w.track, 300, 400);
  t.kernel(t.stream(0, 3), "k", KernelKind::compute, 150, 180);
  t.counter("rss", "bytes", {{0, 10}, {500, 20}});
  t.sample(w, 150, words::kEventCpu, {"main", "conv"});
  const auto path = scratch.path() / "export";
  EXPECT_TRUE(export_sqlite(t.seal(), path).ok());
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  const std::string all = "pragma legacy_alter_table = on; " + sql; // else no column that a view needs goes
  EXPECT_EQ(sqlite3_exec(db, all.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
  return path;
}

TEST(OwnSqlite, what_an_export_lacks_is_told_once_with_a_count) {
  struct Case {
    const char* sql;
    const char* notes; // code, count, place
  };
  for (const Case& c :
       {Case{"", ""}, Case{"drop table gap", "note.sqlite.no_table|1|gap"},
        Case{"drop table frame; drop table counter", "note.sqlite.no_table|2|counter, frame"},
        Case{"alter table slice drop column category", "note.sqlite.no_column|1|slice.category"},
        Case{"alter table slice drop column layer; alter table kernel drop column bytes",
             "note.sqlite.no_column|2|slice.layer, kernel.bytes"},
        Case{"update thread set id = 0", "note.sqlite.double_id|1|thread"},
        Case{"update slice set id = 1; update thread set id = 0; insert into frame select * from frame",
             "note.sqlite.double_id|4|thread, slice, frame"}}) {
    const Scratch scratch;
    const Store store = load(changed_export(scratch, c.sql));
    EXPECT_EQ(ask(store, "select code, count, location from note where code glob 'note.sqlite.*'"), c.notes)
        << c.sql;
    EXPECT_EQ(ask(store, "select ts, dur, name from slice order by ts"), "100|100|a;300|100|b") << c.sql;
  }
}

// Such files were of an "unknown format", or had "no events".
TEST(Sqlite, a_database_that_is_cut_or_damaged_is_said_to_be_one) {
  const Scratch scratch;
  const std::string whole = *read_file(changed_export(scratch, "vacuum"), 1 << 24);
  ASSERT_GT(whole.size(), 8U * 4096U);
  std::string schema = whole, pages = whole;
  schema.replace(100, 3996, 3996, '\xff'); // the first page holds the names of the tables
  for (std::size_t at = 4096; at < pages.size(); at += 4096)
    pages.replace(at, 100, 100, '\xff');
  struct Case {
    const char* name;
    std::string bytes;
    const char *en, *zh;
  };
  for (const Case& c : {Case{"within its head", whole.substr(0, 60),
                             "is damaged or cut: copy or export it again (", "已损坏或被截断"},
                        Case{"behind its first page", whole.substr(0, 4096), "is cut: ", "被截断：末尾缺少"},
                        Case{"the names of its tables", schema,
                             "is damaged or cut: copy or export it again (database disk", "已损坏或被截断"},
                        Case{"every page but the first", pages,
                             "is damaged or cut: copy or export it again (", "已损坏或被截断"}}) {
    StoreBuilder sink;
    const Status status = import_trace(scratch.write(c.bytes, "db"), sink);
    ASSERT_FALSE(status.ok()) << c.name;
    EXPECT_EQ(status.error().code, Errc::malformed) << c.name;
    EXPECT_NE(status.error().what.find(c.en), std::string::npos) << c.name << ": " << status.error().what;
    EXPECT_NE(status.error().zh.find(c.zh), std::string::npos) << c.name << ": " << status.error().zh;
    EXPECT_EQ(status.error().where, (scratch.path() / "db").string()) << c.name;
  }
  StoreBuilder sink;
  const Status strange = import_trace(database(scratch, "create table t(x)"), sink);
  ASSERT_FALSE(strange.ok());
  EXPECT_NE(strange.error().what.find("unknown format"), std::string::npos)
      << "a sound one of somebody else's";
}

// A database that is being written, with its log beside it.
class Writer {
public:
  Writer() { EXPECT_EQ(sqlite3_open(path().c_str(), &db_), SQLITE_OK); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { close(); }
  [[nodiscard]] std::filesystem::path path() const { return scratch_.path() / "live"; }
  void run(const std::string& sql) {
    ASSERT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db_);
  }
  void close() { sqlite3_close(std::exchange(db_, nullptr)); }

private:
  Scratch scratch_;
  sqlite3* db_ = nullptr;
};

// The last rows of a writer that was killed, or that still writes, stand in FILE-wal.
TEST(Sqlite, rows_in_the_log_beside_the_file_are_read_and_nothing_is_touched) {
  Writer writer;
  writer.run("pragma journal_mode = wal; pragma wal_autocheckpoint = 0;" + std::string(kStrings) +
             std::string(kKernels) + "pragma wal_checkpoint;");
  writer.run(
      "insert into CUPTI_ACTIVITY_KIND_KERNEL values (50, 60, 0, 7, 7, 1), (70, 71, 0, 7, 8, 1), (80, 81, 0, "
      "7, 9, 1)");
  const Scratch copies; // as they lie on the disk while the writer is at work
  const auto main = copies.write(*read_file(writer.path(), 1 << 20), "t");
  const std::string log = *read_file(writer.path().string() + "-wal", 1 << 20),
                    before = *read_file(main, 1 << 20);
  writer.close();
  struct Case {
    std::string log, want; // want: kernels and what the ledger says
  };
  for (const Case& c : {Case{log, "5|"}, Case{log.substr(0, 100), "2|"}, Case{"", "2|"},
                        Case{"no log at all", "2|t-wal"}, Case{std::string(5000, 'x'), "2|t-wal"}}) {
    (void)copies.write(c.log, "t-wal");
    const Store store = load(main);
    EXPECT_EQ(ask(store, "select (select count(*) from kernel), (select ifnull(max(location), '') from note "
                         "where code = 'note.sqlite.log_unread')"),
              c.want)
        << c.log.size();
    EXPECT_EQ(*read_file(main, 1 << 20), before);
    EXPECT_EQ(*read_file(copies.path() / "t-wal", 1 << 20), c.log);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(copies.path()), {}), 2);
  }
  std::filesystem::remove(copies.path() / "t-wal");
  (void)copies.write("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 the pages before a half written change", "t-journal");
  EXPECT_EQ(ask(load(main), "select location from note where code = 'note.sqlite.log_unread'"), "t-journal");
}

// SQLite takes a log as ended at the first frame that does not fit its checksum. Here a transaction is a
// frame, with a kernel in it, and behind the eight of this log lie those of an older one.
TEST(Sqlite, what_stands_behind_a_damaged_frame_of_the_log_is_counted) {
  Writer writer;
  writer.run("pragma page_size = 4096; pragma journal_mode = wal; pragma wal_autocheckpoint = 0;" +
             std::string(kStrings) + std::string(kKernels));
  for (int i = 0; i < 20; ++i) // frames of the older log
    writer.run("update CUPTI_ACTIVITY_KIND_KERNEL set deviceId = 1 - deviceId");
  writer.run("pragma wal_checkpoint;");
  constexpr std::size_t kFrames = 8, kFrame = 24 + 4096, kHeader = 32;
  for (std::size_t i = 0; i < kFrames; ++i)
    writer.run(fmt::format("insert into CUPTI_ACTIVITY_KIND_KERNEL values ({}, {}, 0, 7, {}, 1)",
                           100 + 10 * i, 105 + 10 * i, 20 + i));
  const Scratch copies;
  const auto main = copies.write(*read_file(writer.path(), 1 << 20), "t");
  const std::string log = *read_file(writer.path().string() + "-wal", 1 << 20);
  writer.close();
  ASSERT_GE(log.size(), kHeader + 20 * kFrame);
  struct Case {
    const char* what;
    std::size_t at;   // the byte of the log that is damaged
    std::string want; // kernels (two stand in the file itself); the note and its count
  };
  const auto frame = [&](std::size_t i) { return kHeader + i * kFrame; };
  for (const Case& c : {Case{"a page", frame(3) + 2000, "5|note.sqlite.log_damaged|5|t-wal"},
                        Case{"a page of the first frame", frame(0) + 24, "2|note.sqlite.log_damaged|8|t-wal"},
                        Case{"the checksum of a frame", frame(6) + 17, "8|note.sqlite.log_damaged|2|t-wal"},
                        Case{"the salt of a frame", frame(3) + 9, "5|note.sqlite.log_damaged|5|t-wal"},
                        Case{"the last frame", frame(7) + 4000, "9|note.sqlite.log_damaged|1|t-wal"},
                        Case{"the older log", frame(8) + 2000, "10|||"},
                        Case{"the header", 18, "2|note.sqlite.log_unread|1|t-wal"}}) {
    std::string damaged = log;
    damaged[c.at] = static_cast<char>(damaged[c.at] ^ 0x10);
    (void)copies.write(damaged, "t-wal");
    const std::string got = ask(
        load(main), "select (select count(*) from kernel), ifnull(max(code), ''), ifnull(max(count), ''), "
                    "ifnull(max(location), '') from note where code like 'note.sqlite.log%'");
    EXPECT_EQ(got, c.want) << c.what;
  }
  (void)copies.write(log, "t-wal");
  EXPECT_EQ(ask(load(main),
                "select (select count(*) from kernel), (select count(*) from note where code like "
                "'note.sqlite%')"),
            "10|0");
}

TEST(Sqlite, a_file_cut_anywhere_gives_rows_or_one_line) {
  expect_rows_or_one_line_where_cut(unpacked("rpd_matmul.rpd.gz"), 64);
}

} // namespace
} // namespace prof::testing
