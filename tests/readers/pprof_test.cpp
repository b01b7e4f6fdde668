// pprof profiles, written here byte for byte.
#include "proto_text.hpp"
#include "reader_fixture.hpp"

namespace prof::testing {
namespace {

// Texts: 1 cpu, 2 nanoseconds, 3 samples, 4 count, 5 main, 6 run, 7 helper, 8 /opt/bin/serve, 9 serve.cc,
// 10 thread, 11 worker.
std::string texts(std::string_view type = "cpu", std::string_view unit = "nanoseconds") {
  std::string out;
  for (const std::string_view text :
       {std::string_view(""), type, unit, std::string_view("samples"), std::string_view("count"),
        std::string_view("main"), std::string_view("run"), std::string_view("helper"),
        std::string_view("/opt/bin/serve"), std::string_view("serve.cc"), std::string_view("thread"),
        std::string_view("worker")})
    out += field(6, text);
  return out;
}
std::string value_type(std::uint64_t type, std::uint64_t unit) {
  return field(1, number(1, type) + number(2, unit));
}
// Location 1: helper inlined into run; 2: main; 3: an address without a name.
std::string tables() {
  return field(3, number(1, 1) + number(2, 0x1000) + number(3, 0x9000) + number(4, 0x200) + number(5, 8)) +
         field(4, number(1, 1) + number(2, 1) + number(3, 0x1500) + field(4, number(1, 3) + number(2, 30)) +
                      field(4, number(1, 2) + number(2, 20))) +
         field(4, number(1, 2) + number(2, 1) + field(4, number(1, 1) + number(2, 10))) +
         field(4, number(1, 3) + number(2, 1) + number(3, 0x1010)) +
         field(5, number(1, 1) + number(2, 5) + number(4, 9)) + field(5, number(1, 2) + number(2, 6)) +
         field(5, number(1, 3) + number(2, 7));
}
std::string cpu_profile() {
  return value_type(3, 4) + value_type(1, 2) +
         field(2, field(1, varint(1) + varint(2)) + field(2, varint(3) + varint(30'000'000)) +
                      field(3, number(1, 10) + number(2, 11))) +
         // Numbers that are not packed, as old writers have them.
         field(2, number(1, 3) + number(1, 2) + number(2, 1) + number(2, 10'000'000)) + tables() + texts() +
         number(9, 1'700'000'000'000'000'000);
}

TEST(Pprof, cpu_samples_have_their_stacks_with_inlined_functions) {
  const Scratch scratch;
  const auto path = scratch.write(cpu_profile());
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select s.ts, s.event, s.weight, f.function, t.name from sample s join callstack c "
                         "on c.id = s.callstack_id join frame f on f.id = c.frame_id join thread t on t.id = "
                         "s.thread_id order by s.ts"),
              "0|cpu-clock|30000000|helper|worker;1|cpu-clock|10000000|serve+0x210|");
    EXPECT_EQ(ask(store, "select f.function, f.source_file, f.line, c.depth from callstack c join frame f on "
                         "f.id = c.frame_id where f.function <> 'serve+0x210' order by c.depth"),
              "main|serve.cc|10|0;run||20|1;helper||30|2");
    EXPECT_EQ(ask(store, "select code, count from note"), "note.stacks.without_time|2");
    EXPECT_EQ(store.metadata("start_realtime_ns"), "1700000000000000000");
  }
}

TEST(Pprof, a_heap_profile_gives_each_of_its_values) {
  const Store store = load_text(value_type(1, 2) + value_type(3, 4) +
                                field(2, field(1, varint(2)) + field(2, varint(4096) + varint(2))) +
                                tables() + texts("inuse_space", "bytes"));
  EXPECT_EQ(ask(store, "select event, weight from sample order by 1"), "inuse_space|4096;samples|2");
}

TEST(Pprof, a_file_cut_anywhere_and_wrong_ids_give_rows_or_one_line) {
  expect_rows_or_one_line_where_cut(cpu_profile(), 64);
  const std::uint64_t huge = ~std::uint64_t{0};
  const Store store = load_text(
      value_type(1, 2) +
      field(2, field(1, varint(huge) + varint(1)) + field(2, varint(huge)) + field(3, number(1, huge))) +
      field(4, number(1, 1) + number(2, huge) + number(3, huge) + field(4, number(1, huge))) + texts());
  EXPECT_EQ(ask(store, "select s.weight, f.function from sample s join callstack c on c.id = s.callstack_id "
                       "join frame f on f.id = c.frame_id"),
            "-1|0xffffffffffffffff");
}

} // namespace
} // namespace prof::testing
