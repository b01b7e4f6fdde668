// What collectors and the procfs readers make of odd content: right values, or none and a reason; never a
// wrong one.
#include "base/clock.hpp"
#include "capture/procfs.hpp"
#include "capture/session.hpp"
#include "world.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <thread>

namespace prof {
namespace {

using testing::ElementsAre;

struct StatLine {
  const char* name;
  std::string content;
  bool is_read = false;
  char state = '?';
  std::int64_t ppid = 0, minor = 0, major = 0, user = 0, system = 0, start = 0;
};
class Stat : public ::testing::TestWithParam<StatLine> {};

TEST_P(Stat, is_read_right_or_not_at_all) {
  const FakeProc proc;
  proc.write("7/stat", GetParam().content);
  const auto stat = read_stat(proc.root(), 7);
  ASSERT_EQ(stat.has_value(), GetParam().is_read);
  if (!stat) return;
  EXPECT_EQ(stat->state, GetParam().state);
  EXPECT_EQ(stat->ppid, GetParam().ppid);
  EXPECT_EQ(stat->minor_faults, GetParam().minor);
  EXPECT_EQ(stat->major_faults, GetParam().major);
  EXPECT_EQ(stat->user_ticks, GetParam().user);
  EXPECT_EQ(stat->system_ticks, GetParam().system);
  EXPECT_EQ(stat->start_ticks, GetParam().start);
}

// The fields as proc(5) numbers them: 3 state, 4 ppid, 10 minflt, 12 majflt, 14 utime, 15 stime, 22
// starttime.
const std::string kFields = "S 3 5 5 0 -1 4194304 1009 11 13 17 19 23 29 31 20 0 4 0 98765 1000 200\n";
INSTANTIATE_TEST_SUITE_P(
    OddWorld, Stat,
    ::testing::Values(
        StatLine{"plain", "7 (x) " + kFields, true, 'S', 3, 1009, 13, 19, 23, 98765},
        StatLine{"name_with_spaces", "7 (a b  c) " + kFields, true, 'S', 3, 1009, 13, 19, 23, 98765},
        StatLine{"name_that_ends_like_a_name", "7 (x) R 1 1) " + kFields, true, 'S', 3, 1009, 13, 19, 23,
                 98765},
        StatLine{"name_with_a_newline", "7 (a\nb) " + kFields, true, 'S', 3, 1009, 13, 19, 23, 98765},
        StatLine{"name_of_odd_bytes", "7 (\xff\x1b[2J) " + kFields, true, 'S', 3, 1009, 13, 19, 23, 98765},
        StatLine{"empty_name", "7 () " + kFields, true, 'S', 3, 1009, 13, 19, 23, 98765},
        StatLine{"largest_numbers",
                 "7 (x) S 3 5 5 0 -1 0 9223372036854775807 0 13 0 19 23 0 0 20 0 4 0 98765\n", true, 'S', 3,
                 9223372036854775807, 13, 19, 23, 98765},
        StatLine{"a_number_too_large",
                 "7 (x) S 3 5 5 0 -1 0 99999999999999999999 0 13 0 19 23 0 0 20 0 4 0 98765\n", false},
        StatLine{"cut_before_the_start_time", "7 (x) S 3 5 5 0 -1 4194304 1009 11 13 17 19 23 29 31 20 0 4 0",
                 false},
        StatLine{"cut_in_the_name", "7 (x", false}, StatLine{"cut_behind_the_name", "7 (x)", false},
        StatLine{"words_for_numbers", "7 (x) S a b c d e f g h i j k l m n o p q r s t u\n", false},
        StatLine{"empty", "", false}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(OddWorld, only_folders_that_are_numbers_are_processes) {
  const FakeProc proc;
  for (const char* name :
       {"7/stat", "12/stat", "12abc/stat", "1 2/stat", "-5/stat", "99999999999999999999/stat"})
    proc.write(name, "");
  EXPECT_THAT(list_pids(proc.root()), ElementsAre(7, 12));
  EXPECT_TRUE(list_pids(proc.root() / "not there").empty());
}

TEST(OddWorld, a_cgroup_line_that_was_cut_names_no_folder) {
  const FakeProc proc, sys;
  sys.write("fs/cgroup/cgroup.controllers", "cpu\n");
  sys.write("fs/cgroup/memory/memory.usage_in_bytes", "1\n");
  for (const char* line : {"", "0::", "0:", "0", ":", "4:memory:", "4:memory", "\n\n", "0::\n4:memory:\n"}) {
    proc.write("7/cgroup", line);
    EXPECT_FALSE(cgroup_dir(proc.root(), sys.root(), 7, "memory")) << '"' << line << '"';
  }
  proc.write("7/cgroup", "0:://etc\n"); // a second slash must not lead out of the hierarchy
  const auto dir = cgroup_dir(proc.root(), sys.root(), 7, "cpu");
  if (dir) {
    EXPECT_EQ(dir->path.string().substr(0, sys.root().string().size()), sys.root().string());
  }
}

TEST(OddWorld, cgroup_values_that_are_no_numbers_are_absent) {
  struct Row {
    const char *current, *max;
    std::vector<double> used, limit;
  };
  for (const Row& row : {Row{"4096\n", "max\n", {4096}, {}}, Row{"", "8192\n", {}, {8192}},
                         Row{"99999999999999999999\n", "99999999999999999999\n", {}, {}}}) {
    World world;
    world.proc.write("20/cgroup", "0::/a b (c)\n");
    world.sys.write("fs/cgroup/cgroup.controllers", "memory\n");
    world.sys.write("fs/cgroup/a b (c)/memory.current", row.current);
    world.sys.write("fs/cgroup/a b (c)/memory.max", row.max);
    world.read("memory");
    EXPECT_EQ(world.values("cgroup_mem_used"), row.used) << row.current;
    EXPECT_EQ(world.values("cgroup_mem_limit"), row.limit) << row.max;
  }
}

TEST(OddWorld, pressure_that_is_cut_or_missing_gives_no_figure) {
  World world;
  world.proc.write("pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
  world.proc.write("pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 tot");
  world.proc.write("pressure/io", "full avg10=0.00 avg60=0.00 avg300=0.00 total=99999999999999999999\n");
  world.read("memory");
  EXPECT_THAT(world.values("psi_cpu_some"), ElementsAre(7'000));
  for (const char* name : {"psi_memory_some", "psi_memory_full", "psi_io_some", "psi_io_full"})
    EXPECT_TRUE(world.values(name).empty()) << name;
}

TEST(OddWorld, memory_of_a_zombie_and_of_a_cut_line_is_no_zero) {
  for (const char* statm : {"0 0 0 0 0 0 0\n", "1000", "", "1000 x 3\n"}) {
    World world;
    world.proc.write("20/statm", statm);
    world.proc.write("meminfo",
                     "MemTotal: 10 kB\n"); // MemAvailable is not there: nothing is known to be used
    world.read("memory");
    EXPECT_TRUE(world.values("rss").empty()) << statm;
    EXPECT_TRUE(world.values("mem_used").empty());
    EXPECT_TRUE(world.values("swap").empty());
  }
}

TEST(OddWorld, network_and_cgroup_are_those_of_the_first_process_that_still_lives) {
  World world;
  world.target(21);
  world.proc.process(20, 1, "launcher", {"launcher"}, 'Z'); // ended; what it launched goes on
  world.proc.write("20/net/dev", "eth0: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n");
  world.proc.write("21/net/dev", "eth0: 31 0 0 0 0 0 0 0 37 0 0 0 0 0 0 0\n");
  world.proc.write("20/cgroup", "4:memory:/gone\n");
  world.proc.write("21/cgroup", "4:memory:/alive\n2:cpu:/alive\n");
  world.sys.write("fs/cgroup/memory/alive/memory.usage_in_bytes", "41\n");
  world.sys.write("fs/cgroup/memory/gone/memory.usage_in_bytes", "1\n");
  world.sys.write("fs/cgroup/cpu/alive/cpu.stat", "nr_throttled 43\nthrottled_time 47\n");
  world.read("network");
  EXPECT_THAT(world.values("network_received"), ElementsAre(31));
  EXPECT_THAT(world.values("network_sent"), ElementsAre(37));
  world.read("memory");
  EXPECT_THAT(world.values("cgroup_mem_used"), ElementsAre(41));
  world.read("cpu");
  EXPECT_THAT(world.values("nr_throttled"), ElementsAre(43));
}

TEST(OddWorld, network_lines_in_every_shape_the_kernel_has_written) {
  World world;
  world.proc.write("20/net/dev", "Inter-|   Receive                |  Transmit\n"
                                 " face |bytes    packets errs drop fifo frame compressed multicast|bytes\n"
                                 "    lo:1000000 1 0 0 0 0 0 0 1000000 1 0 0 0 0 0 0\n"
                                 "eth0:4294967296 1 0 0 0 0 0 0 8589934592 1 0 0 0 0 0 0\n" // no space
                                 "  veth-lo: 100 1 0 0 0 0 0 0 200 1 0 0 0 0 0 0\n"         // no loopback
                                 "  lo1: 10 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0\n"
                                 "  cut0: 7 1 0 0\n");
  world.read("network");
  EXPECT_THAT(world.values("network_received"), ElementsAre(4294967296.0 + 110));
  EXPECT_THAT(world.values("network_sent"), ElementsAre(8589934592.0 + 220));
}

TEST(OddWorld, a_stat_file_of_a_thousand_cpus_is_read_to_its_end) {
  World world;
  std::string stat = "cpu  1 2 3 4 5 6 7 8 9 10\n";
  for (int cpu = 0; cpu < 1024; ++cpu)
    stat +=
        fmt::format("cpu{} {} 123456789 123456789 123456789 123456789 123456789 123456789 0 0 0\n", cpu, cpu);
  stat += "intr 99";
  for (int i = 0; i < 30'000; ++i)
    stat += " 12345";
  world.proc.write("stat", stat + "\nctxt 1\nprocs_running 17\nprocs_blocked 0\n");
  ASSERT_GT(stat.size(), 250'000u);
  world.read("cpu");
  EXPECT_THAT(world.values("run_queue"), ElementsAre(17));
}

struct Ticks {
  const char* name;
  const char *before, *after; // user nice system idle iowait irq softirq steal
  std::vector<double> percent;
};
class CpuUse : public ::testing::TestWithParam<Ticks> {};

TEST_P(CpuUse, is_a_share_of_the_time_between_two_looks) {
  World world;
  world.proc.write("stat", std::string("cpu0 ") + GetParam().before + "\n");
  world.read("cpu");
  EXPECT_TRUE(world.values("cpu_util").empty()) << "one look is no share";
  world.proc.write("stat", std::string("cpu0 ") + GetParam().after + "\n");
  world.running->stop(world.sink); // looks once more
  EXPECT_EQ(world.values("cpu_util"), GetParam().percent);
}

INSTANTIATE_TEST_SUITE_P(
    OddWorld, CpuUse,
    ::testing::Values(Ticks{"half", "100 0 100 800 0 0 0 0", "130 0 120 850 0 0 0 0", {50}},
                      Ticks{"waiting_for_disks_is_not_busy", "0 0 0 0 0 0 0 0", "10 0 0 20 70 0 0 0", {10}},
                      Ticks{"steal_and_interrupts_are_busy", "0 0 0 0 0 0 0 0", "1 1 1 10 10 1 1 25", {60}},
                      Ticks{"four_ticks_are_too_few", "0 0 0 0 0 0 0 0", "4 0 0 0 0 0 0 0", {}},
                      Ticks{"five_are_enough", "0 0 0 0 0 0 0 0", "5 0 0 0 0 0 0 0", {100}},
                      Ticks{"io_wait_ran_backwards", "0 0 0 0 50 0 0 0", "60 0 0 0 0 0 0 0", {100}},
                      Ticks{"idle_ran_ahead", "60 0 0 0 0 0 0 0", "50 0 0 60 0 0 0 0", {0}},
                      Ticks{"all_ran_backwards", "100 0 0 100 0 0 0 0", "0 0 0 0 0 0 0 0", {}},
                      Ticks{"cut", "0 0 0 0 0 0 0 0", "50 0 0", {}},
                      Ticks{"only_the_first_four_of_old_kernels", "0 0 0 0", "25 0 0 75", {25}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(OddWorld, run_delay_is_told_for_every_thread_and_not_for_a_cut_line) {
  World world;
  world.proc.write("20/task/20/schedstat", "1000 101 5\n");
  world.proc.write("20/task/21/schedstat", "2000 103 5\n");
  world.proc.write("20/task/21/comm", "a b)\n(c\n");
  world.proc.write("20/task/22/schedstat", "3000");
  world.proc.write("20/task/23/schedstat", "");
  world.read("cpu");
  EXPECT_THAT(world.values("run_delay"), ElementsAre(101, 103));
  EXPECT_EQ(world.sink.thread_names[21], "a b)\n(c") << "the kernel's last newline only is no part of it";
}

class Sensors : public ::testing::Test {
protected:
  void zone(const std::string& folder, const std::string& name, std::int64_t uj, std::int64_t range = 0) {
    world.sys.write("class/powercap/" + folder + "/name", name + "\n");
    world.sys.write("class/powercap/" + folder + "/energy_uj", std::to_string(uj) + "\n");
    if (range > 0)
      world.sys.write("class/powercap/" + folder + "/max_energy_range_uj", std::to_string(range) + "\n");
  }
  // Watts times seconds, after a second look: the interval is known to lie between two moments of ours.
  void expect_joules(double joules) {
    for (int i = 0; i < 200 && world.values("power").empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5)); // the collector's pause between two looks
      world.running->poll(world.sink);
    }
    ASSERT_EQ(world.values("power").size(), 1u);
    const auto row = std::ranges::find(world.sink.counters, "power", &RecordingSink::CounterRow::name);
    EXPECT_GE(row->value * static_cast<double>(row->ts - first_before) / 1e9, joules * (1 - 1e-9));
    EXPECT_LE(row->value * static_cast<double>(row->ts - first_after) / 1e9, joules * (1 + 1e-9));
  }
  void look() {
    first_before = now_monotonic().ns;
    world.read("power");
    first_after = now_monotonic().ns;
  }
  World world;
  std::int64_t first_before = 0, first_after = 0;
};

TEST_F(Sensors, the_packages_are_added_and_nothing_is_added_twice) {
  zone("intel-rapl:0", "package-0", 1'000'000);
  zone("intel-rapl:0:0", "core", 1'000'000);
  zone("intel-rapl:1", "package-1", 1'000'000);
  zone("intel-rapl:2", "psys", 1'000'000);           // the whole platform, packages included
  zone("intel-rapl-mmio:0", "package-0", 1'000'000); // the first package by another way
  look();
  zone("intel-rapl:0", "package-0", 4'000'000);
  zone("intel-rapl:0:0", "core", 3'000'000);
  zone("intel-rapl:1", "package-1", 6'000'000);
  zone("intel-rapl:2", "psys", 12'000'000);
  zone("intel-rapl-mmio:0", "package-0", 4'000'000);
  expect_joules(3 + 5);
}

TEST_F(Sensors, a_counter_that_begins_again_loses_nothing) {
  zone("intel-rapl:0", "package-0", 262'000'000'000, 262'143'328'850); // the range of many server parts
  zone("intel-rapl:1", "package-1", 1'000'000, 262'143'328'850);
  look();
  zone("intel-rapl:0", "package-0", 856'671'150);
  zone("intel-rapl:1", "package-1", 2'000'000);
  expect_joules(1000.000'000 + 1);
}

TEST_F(Sensors, a_counter_that_begins_again_at_an_unknown_end_gives_no_sum_that_time) {
  zone("intel-rapl:0", "package-0", 9'000'000);
  zone("intel-rapl:1", "package-1", 1'000'000);
  look();
  zone("intel-rapl:0", "package-0", 1'000'000);
  zone("intel-rapl:1", "package-1", 4'000'000);
  std::this_thread::sleep_for(std::chrono::milliseconds(210)); // past the pause between two looks
  world.running->poll(world.sink);
  EXPECT_TRUE(world.values("power").empty()) << "3 J of one package are not what both took";
}

TEST_F(Sensors, zones_of_one_kind_keep_a_line_each_and_the_hottest_is_the_temperature) {
  world.sys.write("class/thermal/thermal_zone0/type", "cpu\n");
  world.sys.write("class/thermal/thermal_zone0/temp", "41000\n");
  world.sys.write("class/thermal/thermal_zone1/type", "cpu\n");
  world.sys.write("class/thermal/thermal_zone1/temp", "-43500\n");
  world.sys.write("class/thermal/thermal_zone2/type", "gpu\n");
  world.sys.write("class/thermal/thermal_zone2/temp", "unreadable\n");
  world.sys.write("class/thermal/cooling_device0/type", "fan\n");
  look();
  EXPECT_THAT(world.values("temperature cpu"), ElementsAre(41));
  EXPECT_THAT(world.values("temperature cpu 2"), ElementsAre(-43.5));
  EXPECT_TRUE(world.values("temperature gpu").empty());
  EXPECT_THAT(world.values("temperature"), ElementsAre(41));
}

TEST_F(Sensors, below_zero_is_a_temperature_and_no_reading_is_none) {
  world.sys.write("class/hwmon/hwmon0/name", "outdoor\n");
  world.sys.write("class/hwmon/hwmon0/temp1_input", "-12500\n");
  look();
  EXPECT_THAT(world.values("temperature"), ElementsAre(-12.5));
  World silent;
  silent.sys.write("class/hwmon/hwmon0/name", "asleep\n");
  silent.sys.write("class/hwmon/hwmon0/temp1_input", ""); // a sensor that answers nothing
  silent.read("power");
  EXPECT_TRUE(silent.values("temperature").empty()) << "0 degrees would be a reading";
}

TEST_F(Sensors, hwmon_power_is_read_where_there_is_no_energy_counter) {
  world.sys.write("class/hwmon/hwmon0/name", "board\n");
  world.sys.write("class/hwmon/hwmon0/power1_input", "17250000\n");
  world.sys.write("class/hwmon/hwmon0/power2_input", "1750000\n");
  look();
  EXPECT_THAT(world.values("power"), ElementsAre(19));
}

// A recording of process 20, which lives in files only: `at_poll` changes them and says when it has seen
// enough. One that never has ends by the duration.
class FakeServer : public ::testing::Test {
protected:
  FakeServer() { process(20, 1, "server", 257); }
  void process(int pid, int parent, const std::string& name, int pages) const {
    proc.process(pid, parent, name, {name});
    proc.write(std::to_string(pid) + "/statm", fmt::format("1000 {} 5 1 0 300 0\n", pages));
  }
  void record(const std::function<bool(int poll)>& at_poll) {
    CaptureOptions options;
    options.request.pids = {20};
    options.request.proc_root = proc.root();
    options.request.sys_root = sys.root();
    options.request.layers = {};
    options.request.metrics = {"rss"};
    options.duration = {120'000'000'000};
    int polls = 0;
    options.should_stop = [&] { return at_poll(++polls); };
    const auto made = run_capture(
        options, {.sink = sink, .flush = [] { return Status{}; }, .stats = [] { return WriterStats{}; }});
    ASSERT_TRUE(made.ok());
    report = *made;
  }
  [[nodiscard]] std::map<std::int64_t, double> pages() const {
    std::map<std::int64_t, double> pages;
    for (const auto& row : sink.counters)
      if (row.name == "rss") pages[row.pid] = row.value / static_cast<double>(::sysconf(_SC_PAGESIZE));
    return pages;
  }
  FakeProc proc, sys;
  RecordingSink sink;
  CaptureReport report;
};

TEST_F(FakeServer, whose_pid_went_to_another_process_has_ended) {
  record([&](int poll) {
    if (poll == 3) // same pid, another start time
      proc.write("20/stat", "20 (sshd) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 3 0 99999 0 0\n");
    return false;
  });
  EXPECT_EQ(report.end, CaptureEnd::target_ended);
}

TEST_F(FakeServer, that_renames_itself_goes_on) {
  record([&](int poll) {
    if (poll == 3) process(20, 1, "renamed", 263);
    return poll > 3 && pages()[20] == 263;
  });
  EXPECT_EQ(report.end, CaptureEnd::asked);
}

TEST_F(FakeServer, has_children_that_are_found_in_proc_recorded_with_it) {
  record([&](int poll) {
    if (poll == 2) {
      for (const int child : {21, 22})
        process(child, 20, "worker", child);
      proc.write("20/task/20/children", "21 22 ");
    }
    return pages().size() == 3;
  });
  EXPECT_EQ(report.end, CaptureEnd::asked);
  EXPECT_EQ(report.processes, 3);
  EXPECT_EQ(pages(), (std::map<std::int64_t, double>{{20, 257}, {21, 21}, {22, 22}}));
}

} // namespace
} // namespace prof
