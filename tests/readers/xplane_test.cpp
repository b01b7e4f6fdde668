// XProf's XPlane files: a real one against figures computed by other means, and small ones written here.
#include "proto_text.hpp"
#include "reader_fixture.hpp"

#include "base/file.hpp"

namespace prof::testing {
namespace {

TEST(XPlane, a_real_profile_gives_the_known_figures) {
  const auto path = data_file("jax_mi300_tw003.xplane.pb.gz");
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select device, count(*), sum(dur) from kernel group by 1 order by 1"),
              "0|60|4000165;1|25|3345845;2|25|3524285;3|25|3403364;4|25|3493365;5|25|3464884;6|25|3403004;"
              "7|25|3502165");
    EXPECT_EQ(ask(store, "select min(ts), max(ts + dur), count(launch_id), count(*) from kernel"),
              "1611362|140082194|235|235");
    EXPECT_EQ(ask(store, "select count(*), sum(dur) from kernel where kind = 'memory'"), "35|563521");
    EXPECT_EQ(ask(store, "select count(*), sum(dur) from slice"), "3415|1911823171");
    EXPECT_EQ(ask(store, "select name, sum(dur) from slice group by 1 order by 2 desc limit 2"),
              "PjRtStreamExecutorLoadedExecutable::ExecuteHelper|352578813;"
              "PjRtStreamExecutorLoadedExecutable::EnqueueExecution|342881333");
    EXPECT_EQ(ask(store, "select count(*) from thread"), "32");
    EXPECT_EQ(ask(store, "select name from process"), "tw003");
    EXPECT_EQ(store.metadata("GPU 7.core_count"), "304");
    EXPECT_EQ(store.metadata("start_realtime_ns"), "1771595639214724894");
    EXPECT_EQ(ask(store, "select code, count from note where code like 'note.xplane%'"),
              "note.xplane.flow_not_read|355");
  }
}

std::string named(std::uint32_t tag, std::uint64_t id, std::string_view name, std::string_view more = "") {
  return field(tag, number(1, id) + field(2, number(1, id) + field(2, name) + std::string(more)));
}
std::string event(std::uint64_t type, std::uint64_t offset_ps, std::uint64_t dur_ps,
                  std::string_view stats = "") {
  return field(4, number(1, type) + number(2, offset_ps) + number(3, dur_ps) + std::string(stats));
}
std::string line(std::uint64_t id, std::string_view name, std::uint64_t start_ns, std::string_view events) {
  return field(3, number(1, id) + field(2, name) + number(3, start_ns) + std::string(events));
}
// Stat 1 is the correlation id.
std::string correlation(std::uint64_t id) {
  return field(4, number(1, 1) + number(3, id));
}

std::string tpu_file() {
  const std::string names = named(4, 1, "fusion.1") + named(4, 2, "%all-reduce.7") + named(4, 3, "12") +
                            named(4, 4, "jit_step", field(5, number(1, 2) + number(3, 9))) +
                            named(5, 1, "correlation_id") + named(5, 2, "flops");
  const std::string device =
      field(2, "/device:TPU:3") + line(1, "Steps", 1000, event(3, 0, 9'000'999)) +
      line(2, "XLA Modules", 1000, event(4, 1'000'500, 2'000'499)) +
      // Events in any order, one inside the other; one without a time.
      line(3, "XLA Ops", 2000,
           event(2, 3'000'000, 1'000'000) + event(1, 500'000, 4'000'000, correlation(5)) +
               field(4, number(1, 1) + number(5, 77))) +
      names;
  const std::string host = field(2, "/host:CPU") +
                           line(44, "main", 0, event(1, 1'000'000, 1'000'000, correlation(5))) +
                           named(4, 1, "enqueue") + named(5, 1, "correlation_id");
  return field(1, device) + field(1, host) + field(3, "clock skew");
}

TEST(XPlane, a_tpu_plane_gives_kernels_steps_and_runs) {
  const Scratch scratch;
  const auto path = scratch.write(tpu_file());
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select k.name, k.ts, k.dur, k.kind, k.device, s.name from kernel k left join slice "
                         "s on s.id = k.launch_id order by k.ts"),
              "fusion.1|2500|4000|compute|3|enqueue;%all-reduce.7|5000|1000|communication|3|-");
    EXPECT_EQ(ask(store, "select request_id, name, ts, dur from request"), "12|12|1000|9000");
    EXPECT_EQ(ask(store, "select name, ts, dur, category from slice where category = 'run'"),
              "jit_step|2000|2000|run");
    EXPECT_EQ(ask(store, "select int_value from args where key = 'flops'"), "9");
    EXPECT_EQ(ask(store, "select kind, idx, name from device"), "npu|3|TPU 3");
    EXPECT_EQ(ask(store, "select code, count, location from note where code like 'note.xplane%' order by 1"),
              "note.xplane.diagnostic|1|clock skew;note.xplane.without_time|1|");
  }
}

TEST(XPlane, a_plane_that_is_cut_keeps_its_lines_and_the_next_ones_are_not_lost) {
  const std::string whole = tpu_file();
  const std::string plane = field(2, "/host:CPU") + line(1, "t", 0, event(1, 1000, 2000));
  const Store broken = load_text(field(1, plane + "\x2a\xff\xff") + whole);
  EXPECT_EQ(ask(broken, "select count(*) from kernel"), "2");
  EXPECT_EQ(ask(broken, "select name, dur from slice where name like 'event%'"), "event 1|2");
  EXPECT_EQ(ask(broken, "select count from note where code = 'note.proto.damaged'"), "1");
}

TEST(XPlane, times_beyond_the_clock_end_in_a_note) {
  const std::uint64_t huge = ~std::uint64_t{0} >> 1U;
  const Store store = load_text(
      field(1, field(2, "/host:CPU") + line(1, "t", 5, event(1, huge, 1) + event(1, 0, huge)) +
                   line(2, "u", huge, event(1, 1, 1)) + line(~std::uint64_t{0}, "v", 7, event(1, 0, 0)) +
                   named(4, 1, "\x1b[2J\"><script>")));
  EXPECT_EQ(ask(store, "select ts, dur from slice"), "7|0");
  EXPECT_EQ(ask(store, "select count from note where code = 'note.xplane.damaged'"), "3");
}

TEST(XPlane, a_file_cut_anywhere_gives_rows_or_one_line) {
  expect_rows_or_one_line_where_cut(unpacked("jax_mi300_tw003.xplane.pb.gz"), 16);
}

} // namespace
} // namespace prof::testing
