// Kineto and Chrome trace files: real traces against figures computed by other means, dirty input, cuts.
#include "reader_fixture.hpp"

#include "base/file.hpp"

namespace prof::testing {
namespace {

// Integer nanoseconds from the decimal text and interval unions, by a separate Python program (see README.md
// in the data folder).
struct Truth {
  std::string_view file;
  int device;
  std::int64_t kernels, first, window, busy, compute, communication, memory, sum, ops;
};
constexpr Truth kTruth[] = {
    {"hta_alexnet", 0, 98, 1695835572943613000, 12920244000, 66141000, 10630000, 0, 55511000, 66203000, 359},
    {"hta_event_sync", 0, 5, 1707417525512145000, 263000, 51000, 49000, 0, 2000, 51000, 10},
    {"hta_event_sync_multi_stream", 0, 6, 1712867402348667000, 19506000, 372000, 369000, 0, 3000, 372000, 6},
    {"tl_mi210_gpu_only", 1, 562, 6869181218039954, 5979503, 5343422, 5343422, 0, 0, 5343422, 0},
    {"tl_torch_compile_triton", 2, 12, 3603029046460717, 12549032, 12549021, 12549021, 0, 0, 12549021, 41},
    {"tl_sglang_decode_exec", 9, 558, 4909914216285224, 473749943, 9772926, 9759749, 0, 13177, 9778614, 61},
    {"tl_vllm_decode_full_exec", 2, 434, 6520618861858561, 10743181, 10717708, 10674517, 0, 43191, 10717708,
     100},
};

std::string figures(const Store& store) {
  return ask(store,
             "select device, window_ns, busy_ns, compute_ns, communication_ns, memory_ns from device_time") +
         " " + ask(store, "select count(*), min(ts), sum(dur) from kernel") + " " +
         ask(store, "select count(*) from op");
}

TEST(Kineto, real_traces_give_the_known_figures_to_the_nanosecond) {
  for (const Truth& t : kTruth) {
    const auto path = data_file(fmt::format("kineto/{}.json.gz", t.file));
    const std::string expected =
        fmt::format("{}|{}|{}|{}|{}|{} {}|{}|{} {}", t.device, t.window, t.busy, t.compute, t.communication,
                    t.memory, t.kernels, t.first, t.sum, t.ops);
    EXPECT_EQ(figures(load(path)), expected) << t.file;
    EXPECT_EQ(figures(through_pb(path)), expected) << t.file << " written as .pb and read back";
  }
}

TEST(Kineto, every_device_event_knows_its_launch_where_the_file_has_it) {
  EXPECT_EQ(ask(load(data_file("kineto/hta_alexnet.json.gz")),
                "select count(*), count(launch_id), count(op_id) from kernel"),
            "98|98|98");
  // One hipGraphLaunch stands behind most of the 558.
  const Store graph = load(data_file("kineto/tl_sglang_decode_exec.json.gz"));
  EXPECT_EQ(ask(graph, "select count(launch_id) from kernel"), "558");
  EXPECT_EQ(ask(graph, "select max(n) from (select count(*) n from kernel group by launch_id)"), "544");
}

// Backward runs on a thread of its own while the step's thread waits for it.
TEST(Kineto, a_step_owns_the_operators_and_kernels_of_all_threads_of_its_process) {
  EXPECT_EQ(
      ask(load(data_file("kineto/hta_trace_filter_rank0.json.gz")),
          "select (select count(*) from op o join slice s on s.id = o.stage_slice_id where s.name like "
          "'ProfilerStep#%'), (select count(*) from op o join stage s on o.ts >= s.ts and o.ts < s.ts + "
          "s.dur), (select count(distinct thread_id) from op where stage_slice_id is not null), (select "
          "count(*) from kernel k join slice l on l.id = k.launch_id join stage s on l.ts >= s.ts and "
          "l.ts < s.ts + s.dur), (select count(stage_slice_id) from kernel)"),
      "2329|2329|2|1204|1204");
}

// The context manager's __enter__ opens the marker and returns inside it.
TEST(Kineto, a_step_that_a_python_call_opened_owns_what_follows_the_call) {
  const Store store = load_text(R"({"traceEvents":[
    {"ph":"X","cat":"python_function","name":"loop","pid":1,"tid":1,"ts":0,"dur":200},
    {"ph":"X","cat":"python_function","name":"__enter__","pid":1,"tid":1,"ts":10,"dur":5},
    {"ph":"X","cat":"user_annotation","name":"ProfilerStep#3","pid":1,"tid":1,"ts":12,"dur":100},
    {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":40,"dur":10},
    {"ph":"X","cat":"cpu_op","name":"aten::mm_backward","pid":1,"tid":2,"ts":60,"dur":10},
    {"ph":"X","cat":"cpu_op","name":"aten::late","pid":1,"tid":1,"ts":112,"dur":10}]})");
  EXPECT_EQ(ask(store,
                "select o.name, s.name from op o left join slice s on s.id = o.stage_slice_id order by "
                "o.ts"),
            "aten::mm|ProfilerStep#3;aten::mm_backward|ProfilerStep#3;aten::late|-");
}

TEST(Kineto, the_date_is_that_of_the_first_event_and_not_of_the_clock_s_base) {
  const auto date = [](std::string_view text) {
    return std::string(load_text(text).metadata("start_realtime_ns"));
  };
  constexpr std::string_view kEvent =
      R"("traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":500000.25,"dur":1}])";
  EXPECT_EQ(date(fmt::format(R"({{"baseTimeNanoseconds":1759300074000000000,{}}})", kEvent)),
            "1759300074500000250");
  EXPECT_EQ(date(fmt::format("{{{}}}", kEvent)), ""); // half a second of uptime is no date
  EXPECT_EQ(date(R"({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1695835542481129,"dur":1}]})"),
            "1695835542481129000");
}

TEST(Kineto, a_file_cut_anywhere_keeps_what_came_before) {
  const std::string whole = unpacked("kineto/tl_torch_compile_triton.json.gz");
  const Scratch scratch;
  std::int64_t last = 0;
  for (std::size_t part = 1; part <= 64; ++part) {
    StoreBuilder builder;
    const Status status = import_trace(scratch.write(whole.substr(0, whole.size() * part / 64)), builder);
    if (!status) {
      EXPECT_EQ(last, 0) << part; // only a file that ends before its first event is refused
      continue;
    }
    const Store store = builder.seal();
    const std::int64_t rows =
        std::stoll(ask(store, "select (select count(*) from slice) + (select count(*) from kernel)"));
    EXPECT_GE(rows, last) << part;
    last = rows;
    const std::string cut = ask(store, "select count from note where code = 'note.json.cut'");
    EXPECT_EQ(cut, part < 64 ? "1" : "") << part;
  }
  EXPECT_GT(last, 100);
}

constexpr std::string_view kEvent =
    R"({"ph":"X","name":"%","cat":"cpu_op","pid":1,"tid":2,"ts":10,"dur":5,"args":{}})";
std::string event(std::string_view name) {
  std::string text(kEvent);
  return text.replace(text.find('%'), 1, name);
}

TEST(ChromeJson, one_damaged_event_costs_one_event) {
  const std::string good = event("a") + ",\n" + event("b");
  const std::pair<std::string, std::string> cases[] = {
      {event("new\nline"), "note.json.repaired"},
      {event("quo\"te"), "note.json.repaired"},
      {event("back\\slash\\q"), "note.json.repaired"},
      {event("half \\ud800 a pair"), "note.json.repaired"},
      {event("half \\udfff a pair"), "note.json.repaired"},
      {R"({"ph":"X","name":"n","cat":"cpu_op","pid":1,"tid":2,"ts":10,"dur":5,"args":{"x":NaN,"y":Infinity}})",
       "note.json.repaired"},
      {R"({"ph" "X"})", "note.json.dropped"},
      {R"({"ph":"X","name":"c","args":{"x":nule}})", "note.json.dropped"},
      {R"({"ph":"X","name":"c","args":{"x":tru}})", "note.json.dropped"},
      {R"({"ph":"X","name":"c","args":{"x":-}})", "note.json.dropped"},
      {R"({"ph":"X","name":)", "note.json.dropped"},
  };
  for (const auto& [bad, code] : cases) {
    const Store store = load_text("[\n" + good + ",\n" + bad + ",\n" + good + "\n]");
    EXPECT_EQ(ask(store, "select count(*) from op where name in ('a', 'b')"), "4") << bad;
    EXPECT_EQ(ask(store, "select code, count from note where code like 'note.json.%'"), code + "|1") << bad;
  }
}

TEST(ChromeJson, names_come_through_as_they_are) {
  const Store store = load_text("[" + event(R"(\"><script>\u0000\ud83d\ude00)") + "]");
  EXPECT_EQ(ask(store, "select hex(name) from op"), "223E3C7363726970743E00F09F9880");
}

TEST(ChromeJson, all_shapes_of_the_top_level_are_read) {
  const std::string e = event("a");
  for (const std::string& text : {"[" + e + "]", "[" + e + ",]", "[" + e, R"({"traceEvents":[)" + e + "]}",
                                  R"({"schemaVersion":1,"other":{"a":[1,{"b":"}"}]},"traceEvents":[)" + e +
                                      R"(],"displayTimeUnit":"ns"})",
                                  "\xef\xbb\xbf[" + e + "]", "\n\n  [\n\n" + e + "\n]\n"})
    EXPECT_EQ(ask(load_text(text), "select count(*) from op"), "1") << text;
  EXPECT_EQ(ask(load_text("[" + e + "]\n[" + e + "]"), "select count(*) from op"), "2");
}

TEST(ChromeJson, begin_and_end_events_nest_and_the_open_ones_are_noted) {
  const Store store = load_text(
      R"([{"ph":"B","name":"outer","pid":1,"tid":1,"ts":1},{"ph":"B","name":"inner","pid":1,"tid":1,"ts":2},
    {"ph":"E","pid":1,"tid":1,"ts":3},{"ph":"B","name":"open","pid":1,"tid":1,"ts":4},{"ph":"X","name":"x","pid":1,"tid":1,"ts":6,"dur":1},
    {"ph":"E","pid":9,"tid":9,"ts":5}])");
  EXPECT_EQ(ask(store, "select name, dur, depth from slice order by ts"),
            "outer|6000|0;inner|1000|1;open|3000|1;x|1000|2");
  EXPECT_EQ(ask(store, "select code, count from note order by code"),
            "note.chrome.end_without_begin|1;note.store.open_end|2");
}

TEST(ChromeJson, counters_and_instants_are_kept) {
  const Store store = load_text(
      R"([{"ph":"C","name":"HBM","pid":3,"ts":1,"args":{"Read":1.5,"Write":2}},{"ph":"C","name":"freq","pid":3,"ts":2,"args":{"":7}},
    {"ph":"i","name":"mark","pid":3,"tid":3,"ts":5,"s":"g"},{"ph":"i","name":"[memory]","pid":3,"tid":3,"ts":6,"args":{"Device Type":1,"Device Id":0,"Bytes":-4,"Total Allocated":8,"Total Reserved":16}}])");
  EXPECT_EQ(ask(store, "select t.name, c.value from counter c join counter_track t on t.id = c.track_id "
                       "order by c.ts, t.name"),
            "HBM.Read|1.5;HBM.Write|2;freq|7;allocated_memory|8;reserved_memory|16");
  EXPECT_EQ(ask(store, "select name, dur from slice"), "mark|0");
}

TEST(Kineto, kernels_bear_the_name_that_people_read) {
  const Store store =
      load_text(R"([{"ph":"X","cat":"kernel","name":"_Z3addPfS_i","pid":0,"tid":7,"ts":0,"dur":1},)"
                R"({"ph":"X","cat":"kernel","name":"_Zbroken","pid":0,"tid":7,"ts":2,"dur":1},)"
                R"({"ph":"X","cat":"kernel","name":"void add<int>","pid":0,"tid":7,"ts":4,"dur":1},)"
                R"({"ph":"X","cat":"kernel","name":"_Z3addPfS_i","pid":0,"tid":7,"ts":6,"dur":1}])");
  EXPECT_EQ(ask(store, "select name from kernel order by ts"),
            "add(float*, float*, int);_Zbroken;void add<int>;add(float*, float*, int)");
}

// Until 2021 the marker had the category of operators; one without a number is an operator like another.
TEST(ChromeJson, a_profiler_step_stands_in_for_a_request_whatever_its_category) {
  for (const char* category : {"user_annotation", "Operator", "cpu_op"}) {
    const std::string mark = fmt::format(
        R"({{"ph":"X","cat":"{}","name":"ProfilerStep#6","pid":1,"tid":1,"ts":0,"dur":100}},)", category);
    const Store store = load_text("[" + mark + event("a") + "]");
    EXPECT_EQ(ask(store, "select request_id, dur from request"), "6|100000") << category;
    EXPECT_EQ(ask(store, "select value from metadata where key = 'request.source'"), "ProfilerStep markers");
    EXPECT_EQ(ask(store, "select count(*) from op where name like 'ProfilerStep%'"), "0") << category;
  }
  EXPECT_EQ(
      ask(load_text(R"([{"ph":"X","cat":"cpu_op","name":"ProfilerStep#","pid":1,"tid":1,"ts":0,"dur":1}])"),
          "select name from op"),
      "ProfilerStep#");
}

// Two requests overlap, one has a part inside it, one id is an object; one never ends, one never began.
TEST(ChromeJson, async_spans_are_slices_of_their_process_and_may_overlap) {
  const auto async = [](char phase, int ts, std::string_view id, std::string_view name) {
    return fmt::format(
        R"({{"ph":"{}","cat":"req","name":"{}","pid":5,"tid":1,"ts":{},"id":{},"args":{{"at":{}}}}})", phase,
        name, ts, id, ts);
  };
  const std::string text = "[" + async('b', 10, "1", "first") + "," + async('b', 20, "\"0x2\"", "second") +
                           "," + async('b', 25, "1", "part") + "," + async('e', 30, "1", "part") + "," +
                           async('n', 35, "1", "mark") + "," + async('e', 40, "1", "first") + "," +
                           async('e', 60, "\"0x2\"", "second") + "," + async('S', 70, "9", "old") + "," +
                           async('F', 75, "9", "old") + "," + async('b', 80, R"({"local":"0x2"})", "open") +
                           "," + async('e', 90, "77", "never began") + "]";
  const Scratch scratch;
  const auto path = scratch.write(text);
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store,
                  "select s.name, s.ts, s.dur, s.depth, p.pid from slice s join track t on t.id = s.track_id "
                  "join process p on p.id = t.process_id where s.name <> 'open' order by s.ts"),
              "first|10000|30000|0|5;second|20000|40000|0|5;part|25000|5000|1|5;mark|35000|0|1|5;old|70000|"
              "5000|0|5");
    EXPECT_EQ(ask(store, "select distinct kind from track"), "async");
    EXPECT_EQ(ask(store, "select count(*) from track"), "2") << "a lane is used again when it is free";
    EXPECT_EQ(ask(store,
                  "select a.int_value from slice s join args a on a.arg_set_id = s.arg_set_id where s.name = "
                  "'second' order by 1"),
              "20;60");
    EXPECT_EQ(ask(store, "select count from note where code = 'note.chrome.end_without_begin'"), "1");
    EXPECT_EQ(ask(store, "select count(*) from slice where name = 'open' and ts = 80000"), "1");
  }
}

TEST(ChromeJson, a_huge_name_and_deep_nesting_end_in_rows_or_notes) {
  const std::string name(10'000'000, 'n');
  EXPECT_EQ(ask(load_text("[" + event(name) + "," + event("a") + "]"),
                "select max(length(name)), count(*) from op"),
            "10000000|2");
  const std::string deep =
      R"({"ph":"X","name":"d","cat":"cpu_op","pid":1,"tid":1,"ts":1,"dur":1,"args":{"x":)" +
      std::string(100'000, '[') + std::string(100'000, ']') + "}}";
  const Store store = load_text("[" + event("a") + "," + deep + "," + event("b") + "]");
  EXPECT_EQ(ask(store, "select count(*) from op where name in ('a', 'b')"), "2");
}

TEST(ChromeJson, text_that_is_no_trace_is_refused_in_one_line) {
  const Scratch scratch;
  for (const std::string_view text : {R"({"a":1})", "{", R"({"traceEvents":7})"}) {
    StoreBuilder builder;
    const Status status = import_trace(scratch.write(text), builder);
    ASSERT_FALSE(status.ok()) << text;
    EXPECT_EQ(status.error().code, Errc::malformed) << text;
    EXPECT_EQ(status.error().what.find('\n'), std::string::npos);
  }
}

} // namespace
} // namespace prof::testing
