// rocprofv3: one made-up run as database (two versions), tables and JSON against the figures that the program
// which made it printed (data/make_rocprof.py), and rows of the real tables in ROCm's documentation.
#include "every_reader.hpp"

#include "../import/packing.hpp"
#include "base/file.hpp"

namespace prof::testing {
namespace {

namespace fs = std::filesystem;

std::string made(std::string_view name) {
  return ungzip(*read_file(data_file(fmt::format("rocprof/{}.gz", name)), 1 << 26));
}

// The tables of the run in a folder, as the tool leaves them below <host>/<process>_.
void put_tables(const Scratch& scratch) {
  fs::create_directories(scratch.path() / "node");
  for (const char* name : {"kernel_trace", "hip_api_trace", "memory_copy_trace", "agent_info"})
    (void)scratch.write(made(fmt::format("rocprof_{}.csv", name)), fmt::format("node/4711_{}.csv", name));
}

const std::string kDevices =
    "select idx, name, busy_ns from device d join device_time t on t.device_id = d.id order by idx";
const std::string kBusy = "0|AMD Instinct MI300X|386764;1|AMD Instinct MI300X|384223";
const std::string kKernels =
    "select device, kind = 'memory', count(*), sum(dur), count(launch_id) from kernel group by 1, 2";
const std::string kWork = "0|0|61|524492|61;0|1|7|56336|7;1|0|60|505808|60;1|1|8|62704|8";
const std::string kNames = "select name, count(*), sum(dur) from kernel where kind <> 'memory' group by 1";
const std::string kPerName =
    "gemm_f16(half*, int)|31|271588;ncclDevKernel_AllReduce|30|252904;rope_kernel|30|"
    "250062;void rmsnorm<float>(float*)|30|255746";

struct Form {
  const char *name, *bytes_moved; // "-": this form does not say
};
void PrintTo(const Form& form, std::ostream* out) {
  *out << form.name;
}
class Rocprof : public ::testing::TestWithParam<Form> {};

TEST_P(Rocprof, every_form_of_one_run_gives_the_same_figures) {
  const Scratch scratch;
  fs::path path = scratch.path();
  if (std::string_view(GetParam().name) == "tables")
    put_tables(scratch);
  else
    path = scratch.write(made(GetParam().name));
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, kDevices), kBusy);
    EXPECT_EQ(ask(store, kKernels), kWork);
    EXPECT_EQ(ask(store, kNames), kPerName);
    EXPECT_EQ(ask(store, "select count(*), sum(dur) from slice where category = 'hip_runtime'"),
              "136|131580");
    EXPECT_EQ(ask(store, "select device, sum(bytes) from kernel where kind = 'memory' group by 1"),
              GetParam().bytes_moved);
    EXPECT_EQ(ask(store, "select count(*) from kernel where kind = 'communication'"), "30");
    EXPECT_EQ(ask(store, "select pid, tid from thread t join process p on p.id = t.process_id"), "4711|4712");
    // Each kernel starts after its launch, and has the launch of its own kind.
    EXPECT_EQ(ask(store, "select count(*), sum(s.ts < k.ts), sum((k.kind = 'memory') = (s.name = "
                         "'hipMemcpyAsync')) from kernel k join slice s on s.id = k.launch_id"),
              "136|136|136");
    EXPECT_EQ(ask(store, "select count(*) from note where severity in ('data_loss', 'error')"), "0");
  }
}
INSTANTIATE_TEST_SUITE_P(Forms, Rocprof,
                         ::testing::Values(Form{"rocpd_v3.db", "0|1961984;1|2523136"},
                                           Form{"rocpd_v4.db", "0|1961984;1|2523136"},
                                           Form{"rocprof_results.json", "0|1961984;1|2523136"},
                                           Form{"tables", "0|-;1|-"}),
                         [](const auto& row) {
                           return std::string(row.param.name).substr(0, row.param.name[5] == '_' ? 8 : 6) +
                                  std::to_string(row.index);
                         });

TEST(Rocpd, tables_that_are_not_read_are_named) {
  EXPECT_EQ(ask(load_text(made("rocpd_v3.db")), "select code, count, location from note"),
            "note.rocprof.not_read|1|rocpd_memory_allocate");
}

// As ROCm's documentation shows them: an agent is a number before ROCm 6.4, then "Agent 7", or "GPU 3" where
// the user asked for it; queues were addresses, and streams and threads were not written.
struct Printed {
  const char *table, *sql, *answer;
};
constexpr Printed kPrinted[] = {
    {R"~("Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Private_Segment_Size","Group_Segment_Size","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH",1,139690710949888,15,"matrixTranspose(float*, float*, int)",0,671599758568,671599825328,0,0,4,4,1,1024,1024,1
)~",
     "select name, dur, stream, device from kernel",
     "matrixTranspose(float*, float*, int)|66760|139690710949888|1"},
    {R"~("Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH","Agent 7",17,26,847809,101,49,"void addition_kernel<float>(float*, float const*, float const*, int, int)",101,1551401624448706,1551401624459226,0,0,8,0,16,64,1,1,1024,1024,1
)~",
     "select ts, dur, stream, device, correlation from kernel", "1551401624448706|10520|17|7|101"},
    {R"~("Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"
"KERNEL_DISPATCH","GPU 3",19,29,846827,113,49,"void addition_kernel<float>(float*, float const*, float const*, int, int)",113,1551314943082302,1551314943092222,0,0,8,0,16,64,1,1,1024,1024,1
)~",
     "select dur, stream, device from kernel", "9920|19|3"},
    {R"~("Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_API","roctxGetThreadId",315155,315155,2,58378843928406,58378843930247
"MARKER_CORE_API","memCopyDth",315155,315155,7,58378844938371,58378851383270
"MARKER_CORE_API","HIP_Kernel-1",315155,315155,1,58378526575735,58378851384485
)~",
     "select name, category, dur, depth from slice order by ts",
     "HIP_Kernel-1|marker|324808750|0;roctxGetThreadId|marker|1841|1;memCopyDth|marker|6444899|1"},
};

TEST(RocprofCsv, rows_that_the_documentation_prints_are_read_in_every_version) {
  for (const Printed& row : kPrinted)
    EXPECT_EQ(ask(load_text(row.table), row.sql), row.answer) << row.table;
}

TEST(RocprofCsv, of_a_folder_no_link_is_followed_and_other_tables_are_left_alone) {
  const Scratch scratch, outside;
  put_tables(scratch);
  (void)outside.write(made("rocprof_kernel_trace.csv"), "k.csv");
  fs::create_symlink(outside.path() / "k.csv", scratch.path() / "node/link.csv");
  fs::create_symlink("nowhere", scratch.path() / "node/dangling.csv");
  fs::create_directory_symlink(scratch.path(), scratch.path() / "node/loop");
  (void)scratch.write("a,b\n1,2\n", "node/other.csv");
  EXPECT_EQ(ask(load(scratch.path()), kKernels), kWork);
}

TEST(RocprofJson, a_file_cut_anywhere_keeps_the_dispatches_before_the_cut) {
  const std::string whole = made("rocprof_results.json");
  const Scratch scratch;
  std::size_t dispatches = 0;
  for (std::size_t part = 8; part < 64; ++part) {
    const std::string cut = whole.substr(0, whole.size() * part / 64);
    // A dispatch ends with its grid: {"x": 1024, "y": 1024, "z": 1}}}.
    std::size_t expected = 0;
    for (std::size_t at = cut.find("\"z\": 1}}}"); at != std::string::npos;
         at = cut.find("\"z\": 1}}}", at + 1))
      ++expected;
    const Outcome outcome = outcome_of(scratch.write(cut));
    if (expected == 0) continue;
    ASSERT_TRUE(outcome.store) << part;
    EXPECT_EQ(ask(*outcome.store, "select count(*) from kernel where kind <> 'memory'"),
              std::to_string(expected));
    EXPECT_EQ(ask(*outcome.store, "select count(*) from note where code = 'note.json.cut'"), "1");
    dispatches = expected;
  }
  EXPECT_EQ(dispatches, 121U);
}

TEST(RocprofJson, a_kernel_name_of_any_bytes_does_not_end_the_file) {
  std::string text = made("rocprof_results.json");
  text.replace(text.find("rope_kernel"), 4, "\x8d\xff\xc3\x28");
  const Store store = load_text(text);
  EXPECT_EQ(ask(store, "select count(*) from kernel"), "136");
  EXPECT_EQ(ask(store, "select code from note"), "note.json.repaired");
}

} // namespace
} // namespace prof::testing
