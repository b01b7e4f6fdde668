// What collectors say they can give, what they read from files of our making, and how addresses become
// frames.
#include "base/lang.hpp"
#include "capture/counters.hpp"
#include "capture/perf_map.hpp"
#include "capture/session.hpp"
#include "capture/stack_book.hpp"
#include "world.hpp"

#include <cerrno>
#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <linux/perf_event.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prof {
namespace {

const SignalState& named(const std::vector<SignalState>& states, std::string_view name) {
  for (const SignalState& state : states)
    if (state.name == name) return state;
  throw std::runtime_error("no such signal");
}

TEST(Collectors, what_is_unavailable_always_has_a_reason_and_a_mend_in_the_catalogue) {
  FakeProc empty;
  CaptureRequest bare;
  bare.proc_root = empty.root();
  bare.sys_root = empty.root();
  for (const CaptureRequest& request : {CaptureRequest{}, bare})
    for (const CollectorInfo* info : all_collectors()) {
      EXPECT_NE(text(Lang::en, info->description), info->description) << info->name;
      for (const SignalState& state : info->probe(request)) {
        EXPECT_FALSE(state.name.empty()) << info->name;
        if (state.is_available) continue;
        EXPECT_TRUE(state.reason.starts_with("signal.reason.")) << info->name << " " << state.name;
        EXPECT_TRUE(state.mend.starts_with("signal.mend.")) << info->name << " " << state.name;
        EXPECT_NE(text(Lang::zh, state.reason), state.reason) << state.reason;
        EXPECT_NE(text(Lang::zh, state.mend), state.mend) << state.mend;
      }
    }
}

struct RefusedCall {
  int error;
  const char* reason;
  const char* mend;
};
class ARefusedCall : public testing::TestWithParam<RefusedCall> {};

TEST_P(ARefusedCall, blames_the_right_the_limit_or_the_machine_as_its_errno_says) {
  const RefusedCall& call = GetParam();
  const SignalState state = refused_state("ipc", call.error, "perf_event_open",
                                          {.reason = "signal.reason.no_pmu", .mend = "signal.mend.pmu"});
  EXPECT_EQ(state.name, "ipc");
  EXPECT_FALSE(state.is_available);
  EXPECT_EQ(state.reason, call.reason);
  EXPECT_EQ(state.mend, call.mend);
  EXPECT_EQ(state.detail, std::string("perf_event_open: ") + ::strerror(call.error));
  EXPECT_NE(text(Lang::zh, state.reason), state.reason);
  EXPECT_NE(text(Lang::zh, state.mend), state.mend);
  EXPECT_EQ(is_refused(state), state.reason != "signal.reason.no_pmu");
  if (!is_refused(state)) return;
  const SignalState failed = failed_state("ipc", refused_error(call.error, "perf_event_open"));
  EXPECT_EQ(failed.reason, call.reason) << "of a collector that could not start";
  EXPECT_EQ(failed.mend, call.mend);
}

constexpr const char* kNoRight = "signal.reason.perf_not_allowed";
constexpr const char* kNoFile = "signal.reason.file_limit";
INSTANTIATE_TEST_SUITE_P(Collectors, ARefusedCall,
                         testing::Values(RefusedCall{EACCES, kNoRight, "signal.mend.perf_rights"},
                                         RefusedCall{EPERM, kNoRight, "signal.mend.perf_rights"},
                                         RefusedCall{EMFILE, kNoFile, "signal.mend.file_limit"},
                                         RefusedCall{ENFILE, kNoFile, "signal.mend.file_limit"},
                                         RefusedCall{ENOMEM, "signal.reason.no_memory",
                                                     "signal.mend.no_memory"},
                                         RefusedCall{ENOENT, "signal.reason.no_pmu", "signal.mend.pmu"},
                                         RefusedCall{ENODEV, "signal.reason.no_pmu", "signal.mend.pmu"},
                                         RefusedCall{EOPNOTSUPP, "signal.reason.no_pmu", "signal.mend.pmu"}),
                         [](const auto& row) { return "errno_" + std::to_string(row.param.error); });

TEST(Collectors, one_that_could_not_start_says_which_right_or_limit_and_else_what_failed) {
  const SignalState locked = failed_state("cpu_stacks", locked_memory_error());
  EXPECT_EQ(locked.reason, "signal.reason.locked_memory");
  EXPECT_EQ(locked.mend, "signal.mend.locked_memory");
  EXPECT_TRUE(is_refused(locked));
  const SignalState other = failed_state("cpu_stacks", Error{Errc::unsupported, "no such device", "ioctl"});
  EXPECT_EQ(other.reason, "signal.reason.collector_failed");
  EXPECT_EQ(other.detail, "ioctl: no such device");
}

TEST(Collectors, every_id_that_capture_writes_into_a_trace_has_a_text) {
  for (const char* id : {"signal.reason.not_in_scope",
                         "signal.mend.scope",
                         "signal.reason.collector_failed",
                         "signal.mend.report",
                         "note.collector_failed",
                         "note.collector_failed.advice",
                         "note.samples_lost",
                         "note.samples_lost.advice",
                         "note.sched_lost",
                         "note.sched_lost.advice",
                         "note.sched_thinned",
                         "note.sched_thinned.advice",
                         "note.sched_own_only",
                         "note.sched_own_only.advice",
                         "note.switches_sampled",
                         "note.switches_sampled.advice",
                         "note.faults_sampled",
                         "note.faults_sampled.advice",
                         "signal.reason.file_limit",
                         "signal.mend.file_limit",
                         "signal.reason.tracefs_unreadable",
                         "signal.mend.tracefs_rights",
                         "signal.reason.pid_namespace",
                         "signal.mend.pid_namespace",
                         "signal.reason.other_profiler",
                         "signal.mend.other_profiler",
                         "gap.target_absent",
                         "note.target_absent",
                         "note.target_absent.advice",
                         "note.sdk_too_deep",
                         "note.sdk_too_deep.advice",
                         "note.perf_map_unread",
                         "note.perf_map_unread.advice",
                         "note.counters_refused",
                         "note.counters_refused.advice",
                         "note.process_not_attached",
                         "note.process_not_attached.advice",
                         "note.leaf_only_stacks",
                         "note.leaf_only_stacks.advice",
                         "note.symbols_left",
                         "note.symbols_left.advice"})
    EXPECT_NE(text(Lang::zh, id), id);
}

TEST(Collectors, power_is_the_energy_of_the_packages_over_time) {
  FakeProc sys;
  sys.write("class/powercap/intel-rapl:0/name", "package-0\n");
  sys.write("class/powercap/intel-rapl:0/energy_uj", "1000000\n");
  sys.write("class/powercap/intel-rapl:0:0/name", "core\n");
  sys.write("class/powercap/intel-rapl:0:0/energy_uj", "700000\n");
  sys.write("class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
  sys.write("class/thermal/thermal_zone0/temp", "61000\n");
  CaptureRequest request;
  request.sys_root = sys.root();
  const CollectorInfo& power = collector("power");
  EXPECT_TRUE(named(power.probe(request), "power").is_available);
  EXPECT_TRUE(named(power.probe(request), "temperature").is_available);
  RecordingSink sink;
  const auto running = power.create(request);
  ASSERT_TRUE(running->start(sink));
  EXPECT_EQ(sink.last("temperature"), 61);
  EXPECT_EQ(sink.last("power"), -1) << "one reading of a counter is no power";
}

TEST(Collectors, without_sensors_power_is_unavailable_and_not_zero) {
  FakeProc sys;
  CaptureRequest request;
  request.sys_root = sys.root();
  EXPECT_EQ(named(collector("power").probe(request), "power").reason, "signal.reason.no_power_sensor");
  EXPECT_EQ(named(collector("cpu").probe(request), "frequency").reason, "signal.reason.no_cpufreq");
}

TEST(Collectors, memory_reads_process_machine_cgroup_and_pressure) {
  World world;
  world.proc.write("20/statm", "1000 257 5 1 0 300 0\n");
  world.proc.write("20/smaps_rollup", "0-1 ---p [rollup]\nRss: 1028 kB\nPss: 509 kB\n");
  world.proc.write("20/cgroup", "4:memory:/a\n");
  world.proc.write(
      "meminfo",
      "MemTotal: 1009 kB\nMemFree: 1 kB\nMemAvailable: 9 kB\nSwapTotal: 100 kB\nSwapFree: 87 kB\n");
  world.proc.write(
      "pressure/memory",
      "some avg10=0.00 avg60=0.00 avg300=0.00 total=31\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=17\n");
  world.sys.write("fs/cgroup/memory/a/memory.usage_in_bytes", "4099\n");
  world.sys.write("fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  world.read("memory");
  world.running->stop(world.sink);
  EXPECT_EQ(world.sink.last("rss"), 257.0 * static_cast<double>(::sysconf(_SC_PAGESIZE)));
  EXPECT_EQ(world.sink.last("pss"), 509 * 1024);
  EXPECT_EQ(world.sink.last("mem_used"), 1000 * 1024);
  EXPECT_EQ(world.sink.last("swap"), 13 * 1024);
  EXPECT_EQ(world.sink.last("psi_memory_some"), 31'000);
  EXPECT_EQ(world.sink.last("psi_memory_full"), 17'000);
  EXPECT_EQ(world.sink.last("psi_cpu_some"), -1) << "a file that is missing gives no figure";
  EXPECT_EQ(world.sink.last("cgroup_mem_used"), 4099);
  EXPECT_EQ(world.sink.last("cgroup_mem_limit"), -1) << "no limit is no number";
}

TEST(Collectors, throttling_is_read_in_both_cgroup_versions) {
  FakeProc proc, v1, v2;
  proc.process(20, 1, "server", {"server"});
  proc.write("20/cgroup", "2:cpu:/a\n0::/b\n");
  proc.write("stat", "cpu  1 1 1 1\ncpu0 10 0 10 80 0 0 0 0 0 0\nprocs_running 3\n");
  v1.write("fs/cgroup/cpu/a/cpu.stat", "nr_periods 11\nnr_throttled 7\nthrottled_time 1234567\n");
  proc.write("21/cgroup", "0::/b\n");
  v2.write("fs/cgroup/cgroup.controllers", "cpu\n");
  v2.write("fs/cgroup/b/cpu.stat", "usage_usec 5\nnr_periods 11\nnr_throttled 5\nthrottled_usec 89\n");
  for (const auto& [pid, sys, count, ns] :
       {std::tuple{20, v1.root(), 7.0, 1234567.0}, std::tuple{21, v2.root(), 5.0, 89'000.0}}) {
    CaptureRequest request;
    request.pids = {pid};
    request.proc_root = proc.root();
    request.sys_root = sys;
    request.shared = std::make_shared<CaptureShared>(proc.root(), false);
    request.shared->add_target(pid);
    EXPECT_TRUE(named(collector("cpu").probe(request), "cpu_throttling").is_available);
    RecordingSink sink;
    const auto running = collector("cpu").create(request);
    ASSERT_TRUE(running->start(sink));
    running->poll(sink);
    EXPECT_EQ(sink.last("nr_throttled"), count);
    EXPECT_EQ(sink.last("throttled_time"), ns);
    EXPECT_EQ(sink.last("run_queue"), 3);
  }
}

TEST(Collectors, network_leaves_the_loopback_out) {
  World world;
  world.proc.write("20/net/dev", "Inter-|   Receive |  Transmit\n face |bytes packets\n"
                                 "    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0\n"
                                 "  eth0: 101 1 0 0 0 0 0 0 103 1 0 0 0 0 0 0\n"
                                 "  eth1: 7 1 0 0 0 0 0 0 11 1 0 0 0 0 0 0\n");
  world.read("network");
  EXPECT_EQ(world.sink.last("network_received"), 108);
  EXPECT_EQ(world.sink.last("network_sent"), 114);
}

TEST(Collectors, a_counter_that_stays_the_same_is_written_at_both_ends_only) {
  RecordingSink sink;
  CounterSet counters;
  for (std::int64_t t = 1; t <= 5; ++t)
    counters.set(sink, "rss", "bytes", {}, {t}, 7);
  counters.set(sink, "rss", "bytes", {}, {6}, 8);
  counters.set(sink, "rss", "bytes", {}, {7}, 8);
  counters.finish(sink);
  std::vector<std::pair<std::int64_t, double>> rows;
  for (const auto& row : sink.counters)
    rows.emplace_back(row.ts, row.value);
  EXPECT_THAT(rows, testing::ElementsAre(testing::Pair(1, 7), testing::Pair(5, 7), testing::Pair(6, 8),
                                         testing::Pair(7, 8)));
}

TEST(Scope, collectors_come_with_their_layer_or_with_a_signal_asked_for) {
  CaptureRequest request;
  request.layers = {Layer::framework};
  const std::vector<SignalState> none;
  EXPECT_TRUE(is_in_scope({.layer = Layer::application}, request, none));
  EXPECT_FALSE(is_in_scope({.layer = Layer::os}, request, none));
  request.metrics = {"swap"};
  EXPECT_TRUE(is_in_scope({.layer = Layer::os}, request, std::vector<SignalState>{{.name = "swap"}}));
}

TEST(Scope, of_two_sources_the_available_one_counts) {
  const auto merged = merge_signals({{.name = "power", .is_available = false, .reason = "a"},
                                     {.name = "power", .is_available = true},
                                     {.name = "kernels", .is_available = false, .reason = "first"},
                                     {.name = "kernels", .is_available = false, .reason = "second"}});
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(named(merged, "kernels").reason, "first");
  EXPECT_TRUE(named(merged, "power").is_available);
}

TEST(Scope, of_sources_that_are_not_there_all_are_named_and_one_that_is_refused_says_more) {
  const SignalState nvidia{.name = "power",
                           .is_available = false,
                           .reason = "signal.reason.no_nvidia_device",
                           .mend = "signal.mend.nvidia_device",
                           .detail = "no libnvidia-ml.so.1"};
  const SignalState rapl{.name = "power",
                         .is_available = false,
                         .reason = "signal.reason.no_power_sensor",
                         .mend = "signal.mend.bare_metal",
                         .detail = "no powercap"};
  const SignalState refused{
      .name = "power", .is_available = false, .reason = "signal.reason.perf_not_allowed"};
  const SignalState both = named(merge_signals({nvidia, rapl}), "power");
  EXPECT_EQ(both.reason, "signal.reason.none_of_several");
  EXPECT_EQ(both.mend, "signal.mend.one_of_several");
  EXPECT_EQ(both.detail, "no libnvidia-ml.so.1; no powercap");
  EXPECT_EQ(named(merge_signals({nvidia, rapl, refused}), "power").reason, "signal.reason.perf_not_allowed");
}

// The mend of device_util and kernels named sensors and root, which give neither.
TEST(Scope, of_sources_that_are_not_there_the_mend_is_one_that_gives_the_signal) {
  struct Row {
    const char *reason, *mend;
  };
  constexpr Row kNvidia{"signal.reason.no_nvidia_device", "signal.mend.nvidia_device"},
      kNvidiaKernels{"signal.reason.no_nvidia_device", "signal.mend.kernel_records"},
      kAscend{"signal.reason.no_ascend_device", "signal.mend.ascend_device"},
      kSensor{"signal.reason.no_power_sensor", "signal.mend.bare_metal"};
  struct Case {
    std::vector<Row> sources;
    const char *mend, *word, *no_word;
  };
  for (const Case& c : {Case{{kNvidia, kAscend}, "signal.mend.one_device", "driver", "root"},
                        Case{{kNvidiaKernels, kAscend}, "signal.mend.import_kernels", "nsys", "root"},
                        Case{{kNvidia, kSensor}, "signal.mend.one_of_several", "root", "nsys"},
                        Case{{kNvidia, kAscend, kSensor}, "signal.mend.one_of_several", "root", "nsys"}}) {
    std::vector<Row> sources = c.sources;
    for (int turn = 0; turn < 2; ++turn, std::ranges::reverse(sources)) {
      std::vector<SignalState> states;
      for (const Row& row : sources)
        states.push_back(
            {.name = "x", .is_available = false, .reason = row.reason, .mend = row.mend, .detail = {}});
      const auto merged = merge_signals(states);
      EXPECT_EQ(named(merged, "x").mend, c.mend) << turn;
      for (const Lang lang : {Lang::en, Lang::zh}) {
        EXPECT_THAT(text(lang, c.mend), testing::HasSubstr(lang == Lang::en ? c.word : ""));
        EXPECT_THAT(text(lang, c.mend), testing::Not(testing::HasSubstr(c.no_word)));
      }
    }
  }
}

TEST(Scope, each_mend_is_told_once_with_what_it_would_give_and_nothing_that_is_there) {
  const auto lacking = [](const char* name, const char* reason, const char* mend, const char* detail = "") {
    return SignalState{.name = name, .reason = reason, .mend = mend, .detail = detail};
  };
  const std::vector<SignalState> states{
      lacking("power", "no_rapl", "bare_metal", "x"),  lacking("temperature", "no_zone", "bare_metal", "y"),
      lacking("energy", "no_rapl", "bare_metal", "x"), lacking("power", "no_nvidia", "driver"),
      lacking("kernels", "no_nvidia", "driver"),       {.name = "temperature", .is_available = true},
      lacking("power", "no_hwmon", "bare_metal", "x")};
  const auto mends = mends_of(states);
  ASSERT_EQ(mends.size(), 2u);
  EXPECT_EQ(mends[0].mend, "bare_metal");
  EXPECT_THAT(mends[0].signals, testing::ElementsAre("power", "energy"));
  EXPECT_EQ(mends[1].mend, "driver");
  EXPECT_THAT(mends[1].signals, testing::ElementsAre("power", "kernels"));
  std::vector<std::string> lines;
  for (const SignalState& state : by_reason(states))
    lines.push_back(state.name + ": " + state.reason);
  EXPECT_THAT(lines, testing::ElementsAre("power, energy: no_rapl", "temperature: no_zone",
                                          "power, kernels: no_nvidia", "power: no_hwmon"));
}

TEST(Maps, only_executable_regions_are_kept) {
  const auto regions =
      parse_maps("00400000-00401000 r--p 00000000 fe:00 17  /usr/bin/x\n"
                 "00401000-00403000 r-xp 00001000 fe:00 17                         /usr/bin/a b\n"
                 "7fff0000-7fff2000 r-xp 00000000 00:00 0                          [vdso]\n"
                 "7f000000-7f001000 rwxp 00000000 00:00 0 \n"
                 "garbage\n-\n00401000-00400000 r-xp 0 fe:00 1 /backwards\n"
                 "00500000-00501000 r-xp 00002000 fe:00 17 /cut");
  ASSERT_EQ(regions.size(), 4u);
  EXPECT_EQ(regions[0].path, "/usr/bin/a b");
  EXPECT_EQ(regions[0].start, 0x401000u);
  EXPECT_EQ(regions[0].file_offset, 0x1000u);
  EXPECT_EQ(regions[1].path, "[vdso]");
  EXPECT_EQ(regions[2].path, "//anon");
  EXPECT_EQ(regions[3].path, "/cut");
}

TEST(Stacks, frames_come_outermost_first_and_callers_point_at_the_call) {
  FakeProc proc;
  proc.write("kallsyms",
             "ffffffff81000000 T do_syscall\nffffffff81000100 t inner\nffffffff81000200 D data\n");
  StackBook book(proc.root());
  book.on_mapping(7, {.start = 0x1000, .end = 0x3000, .file_offset = 0, .path = "/no/such/file"});
  RecordingSink sink;
  const std::uint64_t chain[] = {static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL),
                                 0xffffffff81000123,
                                 0xffffffff81000010,
                                 static_cast<std::uint64_t>(PERF_CONTEXT_USER),
                                 0x1500,
                                 0x2500,
                                 0x9999999,
                                 0x1700};
  const auto id = book.callstack(7, chain, {}, 0, sink);
  ASSERT_TRUE(id);
  const auto& stack = sink.stacks[id.row];
  ASSERT_EQ(stack.size(), 4u) << "what lies behind an address in no file is noise";
  EXPECT_EQ(sink.frames[stack[0]].pc, 0x24ffu);
  EXPECT_EQ(sink.frames[stack[1]].pc, 0x1500u);
  EXPECT_EQ(sink.frames[stack[2]].function, "do_syscall");
  EXPECT_EQ(sink.frames[stack[3]].function, "inner");
  EXPECT_EQ(sink.frames[stack[3]].pc, 0xffffffff81000100u);
}

// The names of a stack of two made functions of process 7, once they are looked up; "jit" where there is
// none.
std::string made_names(const FakeProc& proc) {
  StackBook book(proc.root());
  book.on_mapping(7, {.start = 0x10000, .end = 0x20000, .file_offset = 0, .path = "//anon"});
  RecordingSink sink;
  const std::uint64_t chain[] = {static_cast<std::uint64_t>(PERF_CONTEXT_USER), 0x11080, 0x12011, 0x13001};
  const auto id = book.callstack(7, chain, {}, 0, sink);
  const SymboliseResult result =
      book.symbolise(std::numeric_limits<std::int64_t>::max(), [](auto, auto) { return true; }, sink);
  std::string out;
  for (const std::uint32_t frame : sink.stacks[id.row]) {
    EXPECT_EQ(sink.frames[frame].kind, FrameKind::jit);
    const std::string name = sink.function(frame);
    out += (out.empty() ? "" : " ") + (name.empty() ? "jit" : name);
  }
  out += fmt::format(" {}+{}", result.named, result.unnamed);
  for (const Error& error : result.unread_maps)
    out += ": " + error.what;
  return out;
}

constexpr std::string_view kMadeNames =
    "11000 90 py::slow_handler:/srv/app.py\n"
    "0x12000 0x20 LazyCompile:*run\n"
    "no line\n12010\n12010 0 nothing\n14000 10 behind\n"
    "12000 20 py::Model.run.<locals>.step:/srv/model.py\n"; // the newest counts

TEST(MadeCode, gets_the_names_that_its_process_wrote_for_perf) {
  FakeProc proc;
  proc.process(7, 1, "python3", {"python3", "-X", "perf"});
  EXPECT_EQ(made_names(proc), "jit jit jit 0+0");
  proc.write("7/root/tmp/perf-7.map", std::string(kMadeNames));
  EXPECT_EQ(made_names(proc), "jit py::Model.run.<locals>.step py::slow_handler 2+1");
  // In a container it is another number there.
  std::filesystem::remove(proc.root() / "7/root/tmp/perf-7.map");
  proc.write("7/status", "Name:\tpython3\nNSpid:\t7\t41\nNStgid:\t7\t42\n");
  proc.write("7/root/tmp/perf-41.map", std::string(kMadeNames));
  EXPECT_EQ(made_names(proc), "jit py::Model.run.<locals>.step py::slow_handler 2+1");
}

TEST(MadeCode, gets_no_name_from_a_file_that_others_may_have_written) {
  FakeProc proc;
  constexpr const char* kForeign =
      "jit jit jit 0+3: the names of generated code are not the process's own file";
  proc.process(7, 1, "python3", {"python3"});
  const std::filesystem::path map = proc.root() / "7/root/tmp/perf-7.map";
  proc.write("7/root/tmp/elsewhere", std::string(kMadeNames));
  std::filesystem::create_symlink("elsewhere", map);
  EXPECT_EQ(made_names(proc), kForeign) << "a link";
  std::filesystem::remove(map);
  ASSERT_EQ(::mkfifo(map.c_str(), 0600), 0);
  EXPECT_EQ(made_names(proc), kForeign) << "a pipe that nobody writes to";
  std::filesystem::remove(map);
  proc.write("7/root/tmp/perf-7.map", std::string(kMadeNames));
  ASSERT_EQ(::chmod(map.c_str(), 0666), 0);
  EXPECT_EQ(made_names(proc), kForeign) << "all may write it";
  ASSERT_EQ(::chmod(map.c_str(), 0600), 0);
  EXPECT_EQ(made_names(proc), "jit py::Model.run.<locals>.step py::slow_handler 2+1");
  std::filesystem::resize_file(map, (std::uintmax_t{64} << 20) + 1);
  EXPECT_EQ(made_names(proc), "jit jit jit 0+3: the names of generated code take more than 64 MiB");
  std::filesystem::resize_file(map, kMadeNames.size());
  const uid_t process = ::getuid() + 1, owner = ::getuid() == 0 ? 4242 : ::getuid(); // root's is believed
  ASSERT_EQ(::chown(map.c_str(), owner, static_cast<gid_t>(-1)), 0);
  EXPECT_FALSE(PerfMap::read({.path = map, .owner = process}).ok());
  EXPECT_TRUE(PerfMap::read({.path = map, .owner = owner}).ok());
}

TEST(MadeCode, that_lost_its_names_before_the_end_says_so) {
  FakeProc proc;
  proc.process(7, 1, "python3", {"python3"});
  proc.write("7/root/tmp/perf-7.map", std::string(kMadeNames));
  StackBook book(proc.root());
  book.on_mapping(7, {.start = 0x10000, .end = 0x20000, .file_offset = 0, .path = "//anon"});
  RecordingSink sink;
  const std::uint64_t chain[] = {static_cast<std::uint64_t>(PERF_CONTEXT_USER), 0x11080};
  ASSERT_TRUE(book.callstack(7, chain, {}, 0, sink));
  std::filesystem::remove(proc.root() / "7/root/tmp/perf-7.map");
  const SymboliseResult result =
      book.symbolise(std::numeric_limits<std::int64_t>::max(), [](auto, auto) { return true; }, sink);
  ASSERT_EQ(result.unread_maps.size(), 1u);
  EXPECT_EQ(result.unread_maps[0].what,
            "the names of generated code cannot be opened: No such file or directory");
  EXPECT_EQ(result.unread_maps[0].where, (proc.root() / "7/root/tmp/perf-7.map").string());
  EXPECT_FALSE(result.unread_maps[0].zh.empty());
}

TEST(Stacks, a_new_mapping_replaces_what_it_covers_and_exec_forgets_all) {
  FakeProc proc;
  StackBook book(proc.root());
  RecordingSink sink;
  const auto path_of = [&](std::uint64_t address) {
    const std::uint64_t chain[] = {static_cast<std::uint64_t>(PERF_CONTEXT_USER), address};
    const auto id = book.callstack(7, chain, {}, 0, sink);
    return id ? sink.frames[sink.stacks[id.row][0]].path : std::string("none");
  };
  book.on_mapping(7, {.start = 0x1000, .end = 0x5000, .path = "/a"});
  EXPECT_EQ(path_of(0x1800), "/a");
  book.on_mapping(7, {.start = 0x1000, .end = 0x2000, .path = "/b"});
  EXPECT_EQ(path_of(0x1800), "/b");
  book.on_fork(8, 7);
  book.on_exec(7);
  EXPECT_EQ(path_of(0x1800), "none");
}

} // namespace
} // namespace prof
