// How fast a trace file is written and read, and how many bytes an event takes: a serving process with every
// layer (service), and bare slices whose times do not compress (bulk).
#include "../tests/report/tools/synthetic_service.hpp"
#include "base/file.hpp"
#include "store/store.hpp"
#include "tracefile/reader.hpp"
#include "tracefile/writer.hpp"

#include <benchmark/benchmark.h>
#include <filesystem>
#include <string>

namespace {

using namespace prof; // a program, not a header

constexpr std::int64_t kRequests = 1000, kSlices = 500'000;

void make(TraceSink& sink, bool is_bulk) {
  if (is_bulk)
    testing::make_bulk(sink, kSlices);
  else
    testing::make_service(sink, {.requests = kRequests});
}

std::filesystem::path file_of(bool is_bulk) {
  return std::filesystem::temp_directory_path() / (is_bulk ? "prof_bench_bulk.pb" : "prof_bench_service.pb");
}

WriterStats write(bool is_bulk) {
  auto writer = TraceFileWriter::create(file_of(is_bulk), {.is_live = false});
  if (!writer) return {};
  make(**writer, is_bulk);
  return (*writer)->finish() ? (*writer)->stats() : WriterStats{};
}

// The generator alone: what write and read have to be compared with.
void tracefile_generate(benchmark::State& state) {
  for (auto _ : state) {
    StoreBuilder builder;
    make(builder, state.range(0) != 0);
  }
}
BENCHMARK(tracefile_generate)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void tracefile_write(benchmark::State& state) {
  WriterStats stats;
  for (auto _ : state)
    stats = write(state.range(0) != 0);
  if (stats.events == 0) state.SkipWithError("the temporary folder cannot be written");
  state.SetItemsProcessed(stats.events * state.iterations());
  state.counters["bytes_per_event"] = static_cast<double>(stats.bytes) / static_cast<double>(stats.events);
}
BENCHMARK(tracefile_write)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void tracefile_read(benchmark::State& state) {
  const bool is_bulk = state.range(0) != 0;
  const WriterStats stats = write(is_bulk);
  const auto content = read_file(file_of(is_bulk), std::int64_t{1} << 32);
  if (!content) return state.SkipWithError("the trace file cannot be read");
  for (auto _ : state) {
    bool is_read = false;
    StoreBuilder builder;
    const Status status = read_tracefile(
        [&]() -> Result<std::string_view> {
          return std::exchange(is_read, true) ? std::string_view{} : std::string_view(*content);
        },
        builder);
    if (!status) return state.SkipWithError("the trace file is refused");
  }
  state.SetItemsProcessed(stats.events * state.iterations());
}
BENCHMARK(tracefile_read)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
