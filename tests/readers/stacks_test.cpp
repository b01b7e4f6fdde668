// Call stacks in text: folded ones, and what `perf script` prints.
#include "reader_fixture.hpp"

namespace prof::testing {
namespace {

constexpr std::string_view kSamples =
    "select s.ts, s.event, s.weight, f.function, p.function from sample s join callstack c on c.id = "
    "s.callstack_id join frame f on f.id = c.frame_id left join callstack d on d.id = c.parent_id left join "
    "frame p on p.id = d.frame_id order by s.ts";

TEST(Collapsed, each_line_is_one_sample_with_its_count) {
  const Scratch scratch;
  const auto path =
      scratch.write("main;run;operator new[] 30\n\nmain;run;do_syscall_64_[k] 12\r\nno count here\n"
                    "main 5");
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, kSamples),
              "0|samples|30|operator new[]|run;1|samples|12|do_syscall_64|run;2|samples|5|main|-");
    EXPECT_EQ(ask(store, "select kind from frame where function = 'do_syscall_64'"), "kernel");
    EXPECT_EQ(ask(store, "select count(*) from callstack"), "4");
    EXPECT_EQ(ask(store, "select code, count, location from note order by code"),
              "note.stacks.cut|1|line 5;note.stacks.line_not_read|1|line 4;note.stacks.without_time|3|");
  }
}

TEST(Collapsed, text_of_something_else_is_refused) {
  const Scratch scratch;
  for (const std::string_view text :
       {"a b 12\nc d 13\n", "a;b c\n", "x;y 1\nz\n", "a;b -5\n", "a;b 99999999999999999999\n"}) {
    StoreBuilder builder;
    EXPECT_FALSE(import_trace(scratch.write(text), builder).ok()) << text;
  }
}

// As perf prints them: a comment, a command with blanks, one id or two, with and without a CPU.
constexpr std::string_view kPerf = R"(# cmdline : /usr/bin/perf script

serve worker 1   1234/1240  [003]    81.123456:     250000 cpu-clock:u: 
	ffffffff81604d59 do_syscall_64+0x5c ([kernel.kallsyms])
	    7f0000001234 void run<int>(Shape const&, int)+0x1f (/opt/lib/libengine.so (deleted))
	    7f0000005678 [unknown] (/opt/lib/libengine.so)
	    7f7700000000 py::main:/app/serve.py+0x10 (/tmp/perf-1234.map)

bash   77    82.000000001:          1 page-faults: 
	           5f528 make_child+0x1f8 (/usr/bin/bash)
  serve.c:12

         swapper     0 [000]    83.5:   sched:sched_switch: prev_comm=a prev_pid=0

)";

TEST(PerfScript, samples_have_their_thread_time_weight_and_stack) {
  const Scratch scratch;
  const auto path = scratch.write(kPerf);
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select s.ts, s.event, s.weight, s.cpu, t.tid, t.name from sample s join thread t "
                         "on t.id = s.thread_id order by s.ts limit 2"),
              "81123456000|cpu-clock|250000|3|1240|serve worker 1;82000000001|page-faults|1|-|77|bash");
    EXPECT_EQ(ask(store, kSamples), "81123456000|cpu-clock|250000|do_syscall_64|void run<int>(Shape const&, "
                                    "int);82000000001|page-faults|1|make_child|-");
    EXPECT_EQ(ask(store, "select f.function, f.kind, c.depth from callstack c join frame f on f.id = "
                         "c.frame_id order by c.depth, 1"),
              "make_child|native|0;py::main:/app/serve.py|jit|0;[libengine.so]|native|1;"
              "void run<int>(Shape const&, int)|native|2;do_syscall_64|kernel|3");
    EXPECT_EQ(ask(store, "select count(*) from sample"), "3");
    EXPECT_EQ(ask(store, "select pid from process where pid > 0 order by pid"), "77;1234");
  }
}

TEST(PerfScript, what_is_no_frame_is_counted) {
  EXPECT_EQ(ask(load_text(kPerf), "select code, count, location from note"),
            "note.stacks.line_not_read|1|line 11");
}

TEST(Stacks, text_cut_anywhere_or_with_hostile_lines_gives_rows_or_one_line) {
  const std::string deep = [] {
    std::string text;
    for (int i = 0; i < 100'000; ++i)
      text += "f;";
    return text + "g 1\n" + std::string(3 << 20, 'x') + ";y 2\n\x1b[2J\"><script>;z 3\n";
  }();
  for (const std::string& whole : {std::string(kPerf), deep})
    expect_rows_or_one_line_where_cut(whole, 16);
}

} // namespace
} // namespace prof::testing
