// How many operators a second the profiler takes out of a service's rings before it loses any: one thread
// makes them at a steady rate, a session writes them into a trace file as `profiler trace` does.
#include "capture/session.hpp"
#include "sdk/prof_sdk.hpp"
#include "tracefile/writer.hpp"

#include <benchmark/benchmark.h>
#include <ctime>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

constexpr std::int64_t kSeconds = 5, kBurst_ns = 1'000'000;

// Operators in bursts of a millisecond, as a model run makes them.
void make_operators(std::int64_t per_s) {
  const prof_op_info info{.name = "op",
                          .op_type = "Conv",
                          .model = "m",
                          .provider = "CPU",
                          .input_shapes = "1,3,8,8",
                          .output_shapes = "",
                          .input_dtypes = "float"};
  const prof_op op = prof_op_define(&info);
  timespec next{};
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (std::int64_t burst = 0; burst < kSeconds * 1'000'000'000 / kBurst_ns; ++burst) {
    for (std::int64_t i = 0; i < per_s * kBurst_ns / 1'000'000'000; ++i)
      const sdk::Op running(op);
    next.tv_nsec += kBurst_ns;
    next.tv_sec += next.tv_nsec / 1'000'000'000;
    next.tv_nsec %= 1'000'000'000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
  }
}

void operators_per_second(benchmark::State& state) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("drain_" + std::to_string(getpid()) + ".pb");
  for (auto _ : state) {
    int go[2];
    if (pipe(go) != 0) return state.SkipWithError("no pipe");
    const pid_t child = fork();
    if (child == 0) {
      char byte = 0;
      sdk::service("drain");
      if (read(go[0], &byte, 1) == 1) make_operators(state.range(0));
      _exit(0);
    }
    auto writer = TraceFileWriter::create(file);
    if (!writer) return state.SkipWithError("no file");
    CaptureOptions options;
    options.request.pids = {child};
    options.request.layers = {Layer::application};
    options.on_started = [&] { return write(go[1], "g", 1) == 1 ? Status{} : Status{Error{}}; };
    const auto report = run_capture(options, {.sink = **writer,
                                              .flush = [&] { return (*writer)->flush(); },
                                              .stats = [&] { return (*writer)->stats(); }});
    waitpid(child, nullptr, 0);
    close(go[0]);
    close(go[1]);
    if (!report || !(*writer)->finish()) return state.SkipWithError("no recording");
    const double seconds = static_cast<double>(report->recorded.ns) / 1e9;
    const auto kept = static_cast<double>(report->stats.events), lost = static_cast<double>(report->lost);
    state.SetIterationTime(seconds);
    state.counters["made_per_s"] = (kept + lost) / static_cast<double>(kSeconds);
    state.counters["lost_percent"] = 100 * lost / std::max(kept + lost, 1.0);
    state.counters["own_cpu_percent"] = 100 * static_cast<double>(report->own_cpu_ns) / 1e9 / seconds;
    state.counters["peak_rss_mib"] = static_cast<double>(report->own_peak_rss_bytes) / (1 << 20);
    state.counters["bytes_per_op"] = static_cast<double>((*writer)->stats().bytes) / std::max(kept, 1.0);
  }
  std::filesystem::remove(file);
}
BENCHMARK(operators_per_second)
    ->Arg(50'000)
    ->Arg(100'000)
    ->Arg(200'000)
    ->Arg(400'000)
    ->Arg(600'000)
    ->Arg(800'000)
    ->UseManualTime()
    ->Iterations(1);

} // namespace
} // namespace prof

BENCHMARK_MAIN();
