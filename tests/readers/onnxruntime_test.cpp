// ONNX Runtime profiles: a real recording, counted by a few lines of Python over the JSON.
#include "reader_fixture.hpp"

namespace prof::testing {
namespace {

TEST(OnnxRuntime, a_real_profile_gives_operators_and_runs) {
  const auto path = data_file("onnxruntime_silero.json.gz");
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select count(*), sum(dur), count(distinct thread_id) from op"), "228|29751000|2");
    EXPECT_EQ(ask(store, "select op_type, count(*) n from op group by 1 order by n desc, 1 limit 2"),
              "Unsqueeze|32;If|28");
    EXPECT_EQ(ask(store, "select sum(dur) from op where op_type = 'If'"), "17727000");
    EXPECT_EQ(ask(store, "select request_id, ts, dur from request order by ts"),
              "1|443750000|1999000;2|455653000|2287000;3|457960000|9875000;4|467860000|1603000");
    // An If encloses the operators of its branch: its own time is smaller.
    EXPECT_EQ(ask(store, "select sum(self_dur) < sum(dur) from op where op_type = 'If'"), "1");
    EXPECT_EQ(ask(store, "select code from note"), "note.ort.profiler_cost"); // nothing was lost
  }
}

TEST(OnnxRuntime, numbers_that_the_engine_writes_as_text_are_numbers) {
  const Store store =
      load_text(R"([{"cat":"Session","pid":1,"tid":1,"dur":9,"ts":0,"ph":"X","name":"model_run","args":{}},
    {"cat":"Node","pid":1,"tid":1,"dur":2,"ts":1,"ph":"X","name":"conv_kernel_time","args":{"op_name":"Conv","output_size":"196608","delta":"-5","provider":"CPUExecutionProvider"}}])");
  EXPECT_EQ(ask(store, "select key, int_value, string_value from args order by key"),
            "delta|-5|-;op_type|-|Conv;output_size|196608|-;provider|-|CPUExecutionProvider;request_id|1|-");
}

} // namespace
} // namespace prof::testing
