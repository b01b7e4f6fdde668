// Ascend profiles: real ones against figures computed by other means, all shapes of input, damage.
#include "reader_fixture.hpp"

#include "base/file.hpp"

#include <sqlite3.h>

namespace prof::testing {
namespace {

namespace fs = std::filesystem;

std::string unpacked_ascend(std::string_view name) {
  return unpacked(fmt::format("ascend/{}.gz", name));
}

struct File {
  std::string packed, as;
};
// A folder of files under the names given.
void put(const Scratch& scratch, const std::vector<File>& files) {
  for (const auto& [packed, as] : files) {
    fs::create_directories((scratch.path() / as).parent_path());
    (void)scratch.write(unpacked_ascend(packed), as);
  }
}

std::string device_time(const Store& store) {
  return ask(store, "select window_ns, compute_ns, communication_ns, overlap_ns, exposed_communication_ns, "
                    "busy_ns, idle_ns from device_time");
}
std::string kernels(const Store& store) {
  return ask(store, "select kind, count(*), sum(dur), count(launch_id), count(op_id) from kernel group by 1");
}

struct Truth {
  std::string_view file, device_time, kernels;
};
// Window, compute, communication, overlap, exposed communication, busy, idle.
constexpr std::string_view kLevel0 = "116251183|8827454|85516886|4001271|81515615|90343069|25908114";
constexpr std::string_view kLevel1 = "136581009|8873737|105991876|4028673|101963203|110836940|25744069";
constexpr std::string_view kLevel1Rank1 = "129312183|8915634|98590190|4034140|94556050|103471684|25840499";
constexpr Truth kTruth[] = {
    {"alexnet_l0_kernels.csv", kLevel0, "communication|4|85516886|0|0;compute|187|8827454|0|0"},
    {"alexnet_l1_kernels.csv", kLevel1, "communication|4|105991876|0|0;compute|187|8873737|0|0"},
    {"alexnet_l1_rank1.db", kLevel1Rank1, "communication|4|98590190|4|4;compute|187|8915634|187|187"},
    {"qwen3_l2_kernels.csv", "810022360|231290100|420174260|0|420174260|651464360|158558000",
     "communication|15|420174260|0|0;compute|2448|231290100|0|0"},
    // 50408.3 us of kernels on two streams cover 49171.58 us.
    {"legacy_kernels.csv", "516885540|49171580|346398740|993340|345405400|394576980|122308560",
     "communication|19|346398740|0|0;compute|572|50408300|0|0"},
    {"msprof_mini.db", "135887855|663872|0|0|0|663872|135223983", "compute|11|663872|1|0"},
};

TEST(Ascend, single_files_give_the_known_figures_to_the_nanosecond) {
  for (const Truth& t : kTruth) {
    const Scratch scratch;
    const fs::path path = scratch.write(unpacked_ascend(t.file));
    for (const Store& store : {load(path), through_pb(path)}) {
      EXPECT_EQ(device_time(store), t.device_time) << t.file;
      EXPECT_EQ(kernels(store), t.kernels) << t.file;
      EXPECT_EQ(ask(store, "select count(*) from note where severity in ('data_loss', 'error')"), "0");
    }
  }
}

const std::vector<File> kLevel1Files{
    {"alexnet_l1_kernels.csv", "X_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"},
    {"alexnet_l1_trace.json", "X_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"},
    {"alexnet_l1_memory.csv", "X_ascend_pt/ASCEND_PROFILER_OUTPUT/memory_record.csv"},
    {"alexnet_l1_steps.csv", "X_ascend_pt/ASCEND_PROFILER_OUTPUT/step_trace_time.csv"},
    {"alexnet_l1_info.json", "X_ascend_pt/profiler_info_0.json"}};

TEST(Ascend, a_folder_joins_the_table_and_the_timeline_without_counting_twice) {
  const Scratch scratch;
  put(scratch, kLevel1Files);
  for (const Store& store :
       {load(scratch.path()), load(scratch.path() / "X_ascend_pt"),
        load(scratch.path() / "X_ascend_pt/ASCEND_PROFILER_OUTPUT"), through_pb(scratch.path())}) {
    EXPECT_EQ(device_time(store), kLevel1);
    EXPECT_EQ(kernels(store), "communication|4|105991876|4|4;compute|187|8873737|187|187");
    // Streams come from the timeline, types and cores from the table (there, vector kernels are AI_CORE).
    EXPECT_EQ(ask(store, "select stream, count(*) from kernel group by 1 order by 1"), "-2|4;2|185;3|2");
    EXPECT_EQ(ask(store, "select a.string_value, count(*) from kernel k join args a on a.arg_set_id = "
                         "k.arg_set_id where a.key = 'core' group by 1 order by 1"),
              "AI_CORE|23;AI_VECTOR_CORE|149;DSA_SQE|2;HCCL|4;MIX_AIV|13");
    EXPECT_EQ(ask(store, "select op_type, count(*), sum(dur) from kernel where op_type = 'TransData'"),
              "TransData|57|1423202");
    EXPECT_EQ(ask(store, "select request_id, ts, dur from request"), "50|1736408883686740710|155985800");
    EXPECT_EQ(ask(store, "select sum(dur) from slice where name like '%@aclrtSynchronizeStreamWithTimeout'"),
              "97887240");
  }
}

TEST(Ascend, operators_belong_to_their_step_though_it_begins_inside_a_python_call) {
  constexpr std::string_view kOfStep =
      "select count(*), count(stage_slice_id) from op where thread_id = (select thread_id from stage)";
  const Scratch scratch;
  for (const std::string_view file : {"alexnet_l1_trace.json", "alexnet_l1_rank1.db"})
    EXPECT_EQ(ask(load(scratch.write(unpacked_ascend(file))), kOfStep), "315|315") << file;
}

TEST(Ascend, every_kernel_knows_the_operator_that_led_to_it) {
  // The writer's own links (async_npu), counted by another program; level 1 goes through CANN's calls and the
  // task queue, level 0 has no calls.
  for (const std::string_view level : {"l0", "l1"}) {
    const Scratch scratch;
    put(scratch, {{fmt::format("alexnet_{}_kernels.csv", level), "a"},
                  {fmt::format("alexnet_{}_trace.json", level), "b"}});
    const Store store = load(scratch.path());
    EXPECT_EQ(ask(store, "select o.name, count(*) n from kernel k join op o on o.id = k.op_id group by 1 "
                         "order by n desc, 1 limit 6"),
              "Conv2DBackpropFilter|25;Conv2D|20;aclnnMuls|18;Conv2DBackpropInput|16;"
              "aclnnMaxPool2dWithMaskBackward|12;aclnnInplaceCopy|11")
        << level;
    EXPECT_EQ(ask(store, "select count(*), count(op_id) from kernel"), "191|191") << level;
  }
  const Scratch scratch;
  const Store legacy = load(scratch.write(unpacked_ascend("legacy_trace.json")));
  EXPECT_EQ(ask(legacy, "select count(*), count(op_id), sum(dur) from kernel"), "274|274|1788267");
  EXPECT_EQ(ask(legacy, "select count(*) from slice where category = 'memcpy'"), "2");
}

TEST(Ascend, names_of_files_and_folders_say_nothing) {
  const Scratch scratch;
  put(scratch, {{"alexnet_l1_trace.json", "q/1"},
                {"alexnet_l1_kernels.csv", "q/2.txt"},
                {"alexnet_l1_memory.csv", "q/3"},
                {"alexnet_l1_steps.csv", "q/4.json"},
                {"alexnet_l1_info.json", "q/5.csv"}});
  const Store store = load(scratch.path());
  EXPECT_EQ(device_time(store), kLevel1);
  EXPECT_EQ(ask(store, "select count(*), count(launch_id) from kernel"), "191|191");
  EXPECT_EQ(ask(store, "select max(c.value) from counter c join counter_track t on t.id = c.track_id where "
                       "t.name = 'allocated_memory'"),
            "1245688832");
  EXPECT_EQ(ask(store, "select value from metadata where key = 'ascend.profiler_level'"), "Level1");
}

TEST(Ascend, memory_is_in_bytes_whoever_counted_it) {
  const Scratch scratch;
  put(scratch, {{"legacy_kernels.csv", "a"}});
  (void)scratch.write("Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\n"
                      "PTA,10.5\t,2,4.5,NPU:0\nGE,11\t,1,,NPU:0\nGE,1.69512E+15,1,1,NPU:0\n",
                      "b");
  (void)scratch.write("Device_id,Component,Timestamp(us),Total Reserved(KB),Device\n"
                      "0,GE,12\t,3,NPU:0\n0,SLOG,12\t,0.0,NPU:0\n0,HDC,12\t,-1,NPU:0\n",
                      "c");
  const Store store = load(scratch.path());
  EXPECT_EQ(ask(store, "select t.name, t.unit, c.ts, c.value from counter c join counter_track t on t.id = "
                       "c.track_id order by c.ts, t.name"),
            "allocated_memory|bytes|10500|2097152;reserved_memory|bytes|10500|4718592;"
            "GE allocated_memory|bytes|11000|1048576;module GE reserved_memory|bytes|12000|3072");
  EXPECT_EQ(ask(store, "select count, location from note where code = 'note.ascend.row_without_time'"),
            "1|b, offset 113");
}

TEST(Ascend, ranks_of_one_folder_are_devices_of_one_trace) {
  const Scratch scratch;
  put(scratch, kLevel1Files);
  put(scratch, {{"alexnet_l1_rank1.db", "Y/ASCEND_PROFILER_OUTPUT/z.db"}});
  const Store store = load(scratch.path());
  EXPECT_EQ(device_time(store), fmt::format("{};{}", kLevel1, kLevel1Rank1));
  EXPECT_EQ(ask(store, "select count(*), count(op_id) from kernel"), "382|382");
  EXPECT_EQ(ask(store, "select name from device order by 1"), "NPU 0 (rank 0);NPU 1 (Ascend910B) (rank 1)");
}

// MindSpore leaves the same files under names of its own; its database is named after it.
TEST(Ascend, a_folder_of_mindspore_is_read_like_one_of_torch) {
  const Scratch scratch;
  put(scratch, {{"alexnet_l1_kernels.csv", "w_1_ascend_ms/ASCEND_PROFILER_OUTPUT/kernel_details.csv"},
                {"alexnet_l1_trace.json", "w_1_ascend_ms/ASCEND_PROFILER_OUTPUT/trace_view.json"}});
  const Store text = load(scratch.path());
  EXPECT_EQ(device_time(text), kLevel1);
  EXPECT_EQ(ask(text, "select count(*), count(launch_id) from kernel"), "191|191");
  const Scratch database;
  put(database,
      {{"alexnet_l1_rank1.db", "w_2_ascend_ms/ASCEND_PROFILER_OUTPUT/ascend_mindspore_profiler_1.db"}});
  EXPECT_EQ(device_time(load(database.path())), kLevel1Rank1);
}

// The info file of rank 0, and one with another rank or another time of the end.
TEST(Ascend, recordings_that_are_not_ranks_of_one_job_are_listed_and_not_merged) {
  const std::string info = unpacked_ascend("alexnet_l1_info.json");
  const auto with = [&](std::string_view rank, std::string_view end) {
    std::string other = info;
    const auto put_number = [&](std::string_view key, std::string_view value) {
      const std::size_t at = other.find_first_of("0123456789", other.find(key) + key.size());
      other.replace(at, other.find_first_not_of("0123456789", at) - at, value);
    };
    put_number("\"rank_id\"", rank);
    put_number("\"collectionTimeEnd\"", end);
    return other;
  };
  struct Case {
    std::string_view rank, end; // of the second one; the first is rank 0 and ended at 1736408884023552840
    bool is_one_job;
  };
  for (const Case& c : {Case{"1", "1736408884999999999", true}, Case{"1", "1736412484023552840", true},
                        Case{"1", "1736412484023552843", false}, Case{"0", "1736408884999999999", false}}) {
    const Scratch scratch;
    put(scratch, kLevel1Files);
    put(scratch, {{"alexnet_l1_rank1.db", "Y_ascend_pt/ASCEND_PROFILER_OUTPUT/z.db"}});
    (void)scratch.write(with(c.rank, c.end), "Y_ascend_pt/profiler_info_1.json");
    StoreBuilder builder;
    const Status status = import_trace(scratch.path(), builder);
    EXPECT_EQ(status.ok(), c.is_one_job) << c.rank << " " << c.end;
    if (status) continue;
    EXPECT_EQ(status.error().code, Errc::bad_argument);
    for (const char* name : {"X_ascend_pt/ASCEND_PROFILER_OUTPUT", "Y_ascend_pt/ASCEND_PROFILER_OUTPUT"})
      EXPECT_NE(status.error().what.find(name), std::string::npos) << status.error().what;
  }
}

TEST(Ascend, results_that_are_there_twice_count_once) {
  const Scratch scratch;
  put(scratch, kLevel1Files);
  put(scratch, {// copies beside the originals
                {"alexnet_l1_kernels.csv", "X_ascend_pt/ASCEND_PROFILER_OUTPUT/op_summary_1.csv"},
                {"alexnet_l1_trace.json", "X_ascend_pt/ASCEND_PROFILER_OUTPUT/msprof_1.json"},
                // the lower-level tool's own results of the same run
                {"alexnet_l1_kernels.csv", "X_ascend_pt/PROF_1/mindstudio_profiler_output/op_summary_1.csv"},
                {"alexnet_l1_trace.json", "X_ascend_pt/PROF_1/mindstudio_profiler_output/msprof_1.json"}});
  const Store store = load(scratch.path());
  EXPECT_EQ(device_time(store), kLevel1);
  EXPECT_EQ(kernels(store), "communication|4|105991876|4|4;compute|187|8873737|187|187");
  EXPECT_EQ(ask(store, "select (select count(*) from op), (select count(*) from request)"), "859|1");
  // msprof alone: its database stands above the folder with its text.
  const Scratch lower;
  put(lower, {{"msprof_mini.db", "PROF_1/msprof_1.db"},
              {"alexnet_l1_kernels.csv", "PROF_1/mindstudio_profiler_output/op_summary_1.csv"},
              {"alexnet_l1_trace.json", "PROF_1/mindstudio_profiler_output/msprof_1.json"}});
  EXPECT_EQ(device_time(load(lower.path())), kLevel1);
}

TEST(Ascend, of_text_and_database_the_more_complete_is_read) {
  const Scratch scratch;
  put(scratch, {{"alexnet_l1_kernels.csv", "a"}, {"alexnet_l1_rank1.db", "b"}});
  const Store from_database = load(scratch.path());
  EXPECT_EQ(device_time(from_database), kLevel1Rank1);
  EXPECT_EQ(ask(from_database, "select location from note where code = 'note.ascend.text_and_database'"),
            "database");
  put(scratch, {{"alexnet_l1_trace.json", "c"}});
  const Store from_text = load(scratch.path());
  EXPECT_EQ(device_time(from_text), kLevel1);
  EXPECT_EQ(ask(from_text, "select location from note where code = 'note.ascend.text_and_database'"), "text");
}

TEST(Ascend, a_database_is_not_touched) {
  const Scratch scratch;
  const std::string bytes = unpacked_ascend("alexnet_l1_rank1.db");
  const fs::path path = scratch.write(bytes, "p.db");
  (void)scratch.write("half a log", "p.db-wal");
  const Store store = load(path);
  EXPECT_EQ(ask(store, "select location from note where code = 'note.sqlite.log_unread'"), "p.db-wal");
  EXPECT_EQ(*read_file(path, 1 << 24), bytes);
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), {}), 2);
}

TEST(Ascend, a_file_cut_anywhere_keeps_what_came_before) {
  for (const std::string_view file : {"alexnet_l1_kernels.csv", "legacy_trace.json"}) {
    const std::string whole = unpacked_ascend(file);
    const Scratch scratch;
    std::int64_t last = 0;
    for (std::size_t part = 1; part <= 64; ++part) {
      StoreBuilder builder;
      const Status status = import_trace(scratch.write(whole.substr(0, whole.size() * part / 64)), builder);
      if (!status) {
        EXPECT_EQ(last, 0) << file << part; // only what ends before the first row is refused
        continue;
      }
      const Store store = builder.seal();
      const std::int64_t rows =
          std::stoll(ask(store, "select (select count(*) from slice) + (select count(*) from kernel)"));
      EXPECT_GE(rows, last) << file << part;
      last = rows;
    }
    EXPECT_GT(last, 190) << file;
  }
}

TEST(Ascend, a_cut_database_ends_in_rows_or_an_error) {
  const std::string whole = unpacked_ascend("alexnet_l1_rank1.db");
  const Scratch scratch;
  for (std::size_t part = 1; part < 64; ++part) {
    StoreBuilder builder;
    if (import_trace(scratch.write(whole.substr(0, whole.size() * part / 64)), builder)) (void)builder.seal();
  }
}

constexpr std::string_view kHeader =
    "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,Input Shapes,Stream ID\n";

TEST(Ascend, cells_of_a_table_are_read_as_they_are_meant) {
  const Store store =
      load_text(std::string(kHeader) + "a,Add,AI_VECTOR_CORE,1.000\t,2.5,0.25,8,\"\"\"2,3;4\"\"\",7\r\n"
                                       "\"b,\n\"\"c\"\"\",Mul,AI_CORE,10,1,N/A,4294967295,,7\n");
  EXPECT_EQ(ask(store, "select name, op_type, ts, dur, input_shapes, stream from kernel order by ts"),
            "a|Add|1000|2500|2,3;4|7;b,\n\"c\"|Mul|10000|1000||7");
  EXPECT_EQ(ask(store, "select int_value from args where key in ('wait_ns', 'block_dim') order by 1"),
            "8;250");
}

TEST(Ascend, hostile_cells_cost_their_row_only) {
  const std::string good = "g,Add,AI_CORE,5.000,1,0,1,,3\n";
  for (const std::string_view bad :
       {"x,T,AI_CORE,1.69512E+15,1,0,1,,3\n", "x,T,AI_CORE,0,1,0,1,,3\n", "x,T,AI_CORE,-5,1,0,1,,3\n",
        "x,T,AI_CORE,5,-1,0,1,,3\n", "x,T,AI_CORE,,,,,,\n", "x\n", ",,,,,,,,,,,,,,,,,,,,\n",
        "x,T,AI_CORE,99999999999999999999,1,0,1,,3\n", "x,T,AI_CORE,nan,1,0,1,,3\n"}) {
    const Store store = load_text(std::string(kHeader) + good + std::string(bad) + good);
    EXPECT_EQ(ask(store, "select count(*), min(name), max(name) from kernel"), "2|g|g") << bad;
    EXPECT_EQ(ask(store, "select count from note where code = 'note.ascend.row_without_time'"), "1") << bad;
  }
  const Store open_quote = load_text(std::string(kHeader) + good + "\"never closed," + good);
  EXPECT_EQ(ask(open_quote, "select count(*) from kernel"), "1");
  EXPECT_EQ(ask(open_quote, "select count from note where code = 'note.csv.cut'"), "1");
}

TEST(Ascend, flow_ids_beyond_64_bits_keep_apart) {
  const auto op = [](std::string_view name, int ts) {
    return fmt::format(
        R"({{"ph":"X","name":"{}","cat":"cpu_op","pid":1,"tid":1,"ts":"{}","dur":1,"args":{{}}}},)", name,
        ts);
  };
  const auto flow = [](std::string_view id, int from, int to) {
    return fmt::format(
        R"({{"ph":"s","cat":"async_npu","name":"f","id":"{0}","pid":1,"tid":1,"ts":"{1}"}},{{"ph":"f","cat":"async_npu","name":"f","id":"{0}","pid":9,"tid":2,"ts":"{2}"}},)",
        id, from, to);
  };
  const auto task = [](std::string_view name, int ts) {
    return fmt::format(
        R"({{"ph":"X","name":"{}","pid":9,"tid":2,"ts":"{}","dur":1,"args":{{"Task Type":"AI_CORE","Task Id":1,"Stream Id":2}}}},)",
        name, ts);
  };
  const Store store =
      load_text("[" + op("first", 1) + op("second", 3) + task("k1", 11) + task("k2", 13) +
                flow("40004068119343529983", 1, 11) + flow("40004068119343529984", 3, 13) + "]");
  EXPECT_EQ(ask(store, "select k.name, o.name from kernel k join op o on o.id = k.op_id order by k.ts"),
            "k1|first;k2|second");
}

TEST(Ascend, batches_of_a_serving_engine_are_model_runs) {
  const Scratch scratch;
  const Store store = load(scratch.write(unpacked_ascend("serving_batches.csv")));
  EXPECT_EQ(
      ask(store, "select name, count(*), sum(dur) from slice where category = 'run' group by 1 order by 1"),
      "decode|255|3181823750;prefill|2|217049000");
  EXPECT_EQ(ask(store, "select kind, count(*), max(dur) from unit group by 1"), "run|257|148335750");
  EXPECT_EQ(ask(store, "select max(value) from counter"), "10");
  EXPECT_EQ(ask(store, "select code, count from note"), "note.ascend.batches_without_start|257");
  const std::string header = "\"('batch_stage', 'model_execute_time')\",\"('input_length',)\"\n";
  for (const std::string_view bad :
       {"\"('decode', 'x')\"\n", "\"('decode')\"\n", "\"(\"\n", "\"('d', 1e30)\"\n", ",\n"})
    EXPECT_EQ(ask(load_text(header + std::string(bad) + "\"('decode', 2.5)\",\"((1, 2, 3),)\"\n"),
                  "select count(*), sum(dur) from slice"),
              "1|2500")
        << bad;
}

TEST(Ascend, a_database_of_another_shape_gives_what_it_has) {
  const auto load_schema = [](const char* sql) {
    const Scratch scratch;
    const fs::path path = scratch.path() / "x";
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
    return load(path);
  };
  const std::string strings =
      "create table STRING_IDS(id, value); insert into STRING_IDS values (1, 'AI_CORE'), (2, 'k');";
  // Numbers as text, text as numbers, no table of kernels, a column too few.
  const Store store =
      load_schema((strings + "create table TASK(startNs text, endNs, taskType, streamId, globalTaskId);"
                             "insert into TASK values ('10', '15', 1, 3, 1), ('x', 5, 1, 3, 2), "
                             "(20, 19, 1, 3, 3), (null, null, null, null, null), (x'00', 30, 1, 'y', 4);")
                      .c_str());
  EXPECT_EQ(ask(store, "select ts, dur, stream from kernel"), "10|5|3");
  EXPECT_EQ(ask(store, "select count from note where code = 'note.ascend.row_without_time'"), "4");
  // Since schema 1.2 the number of blocks has another name, and its old name another meaning.
  const Store newer =
      load_schema((strings + "create table TASK(startNs, endNs, taskType, streamId, globalTaskId);"
                             "insert into TASK values (10, 15, 1, 3, 1);"
                             "create table COMPUTE_TASK_INFO(globalTaskId, name, blockDim, blockNum);"
                             "insert into COMPUTE_TASK_INFO values (1, 2, '8,1,1', 40), (9, 2, '', 1);")
                      .c_str());
  EXPECT_EQ(ask(newer, "select k.name, a.int_value from kernel k join args a using (arg_set_id) where a.key "
                       "= 'block_dim'"),
            "k|40");
  EXPECT_EQ(ask(newer, "select count from note where code = 'note.ascend.task_without_time'"), "1");
}

} // namespace
} // namespace prof::testing
