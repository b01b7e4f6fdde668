// What the SDK costs: spans against the two clock reads they need, calls while nobody records, and the shim
// per operator. Needs PROF_REGISTRY unset or a folder of its own. The last line printed is one JSON object
// (docs/benchmarks.md).
#include "capture/sdk_ring.hpp"
#include "sdk/prof_sdk.hpp"
#include "sdk/ticks.hpp"

#include <algorithm>
#include <atomic>
#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace prof {
namespace {

std::string ring_file(std::int64_t pid) {
  for (const SdkRingFile& file : list_sdk_ring_files())
    if (file.pid == pid) return file.path;
  return {};
}

// Attached for the time of a benchmark, with a reader that throws everything away, as busy as a profiler that
// writes.
class Attached {
public:
  explicit Attached(std::int64_t pid) {
    auto opened = SdkRing::open(ring_file(pid));
    if (!opened || !(*opened)->attach(1.0)) return;
    ring_ = std::move(*opened);
    reader_ = std::thread([this] {
      while (!stop_.load(std::memory_order_relaxed)) {
        ring_->drain([this](std::uint32_t, const sdk::RingRecord& record) {
          taken_ += record.kind == sdk::RecordKind::op ? 1 : 0;
        });
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      ring_->detach();
      ring_->drain([this](std::uint32_t, const sdk::RingRecord& record) {
        taken_ += record.kind == sdk::RecordKind::op ? 1 : 0;
      });
    });
  }
  ~Attached() { finish(); }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  std::uint64_t finish() {
    if (!reader_.joinable()) return dropped_;
    stop_.store(true, std::memory_order_relaxed);
    reader_.join();
    dropped_ = ring_->losses().dropped;
    return dropped_;
  }
  [[nodiscard]] std::int64_t ops() const { return taken_; }

private:
  std::unique_ptr<SdkRing> ring_;
  std::thread reader_;
  std::atomic<bool> stop_{false};
  std::int64_t taken_ = 0;
  std::uint64_t dropped_ = 0;
};

void two_clock_reads(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(sdk::read_ticks(sdk::ClockKind::tsc));
    benchmark::DoNotOptimize(sdk::read_ticks(sdk::ClockKind::tsc));
  }
}
void span_off(benchmark::State& state) {
  const prof_name name = prof_intern("bench span");
  for (auto _ : state) {
    const prof_span span = prof_span_begin(name);
    benchmark::DoNotOptimize(span);
    prof_span_end(span);
  }
}
// The ring is emptied outside the timed part, so that dropping (which is cheap) is never measured as
// recording.
template <class Body>
void recorded(benchmark::State& state, Body body) {
  auto opened = SdkRing::open(ring_file(getpid()));
  if (!opened || !(*opened)->attach(1.0)) return state.SkipWithError("cannot attach to itself");
  SdkRing& ring = **opened;
  const auto throw_away = [](std::uint32_t, const sdk::RingRecord&) {};
  constexpr int kBatch = 10'000;
  for (int i = 0; i < 40'000; ++i) { // one lap takes the ring's memory
    body();
    if (i % kBatch == 0) ring.drain(throw_away);
  }
  ring.drain(throw_away);
  const std::uint64_t dropped_before = ring.losses().dropped;
  for (auto _ : state) {
    const auto begin = sdk::read_clock_pair(ring.clock());
    for (int i = 0; i < kBatch; ++i)
      body();
    state.SetIterationTime(static_cast<double>(sdk::monotonic_ns() - begin.ns) / 1e9);
    ring.drain(throw_away);
  }
  state.counters["ns"] = benchmark::Counter(static_cast<double>(state.iterations()) * kBatch,
                                            benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["dropped"] = static_cast<double>(ring.losses().dropped - dropped_before);
}
void span_on(benchmark::State& state) {
  const prof_name name = prof_intern("bench span");
  recorded(state, [name] {
    const prof_span span = prof_span_begin(name);
    prof_span_end(span);
  });
}
void op_on(benchmark::State& state) {
  const prof_op_info info{.name = "op",
                          .op_type = "Conv",
                          .model = "m",
                          .provider = "",
                          .input_shapes = "",
                          .output_shapes = "",
                          .input_dtypes = ""};
  const prof_op op = prof_op_define(&info);
  recorded(state, [op] { const sdk::Op running(op); });
}

BENCHMARK(two_clock_reads)->Repetitions(9)->ReportAggregatesOnly();
BENCHMARK(span_off)->Repetitions(9)->ReportAggregatesOnly();
BENCHMARK(span_on)->UseManualTime()->Iterations(200)->Repetitions(9)->ReportAggregatesOnly();
BENCHMARK(op_on)->UseManualTime()->Iterations(200)->Repetitions(9)->ReportAggregatesOnly();

// Keeps the medians for the JSON line.
class Keep final : public benchmark::ConsoleReporter {
public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Aggregate || run.aggregate_name != "median") continue;
      const auto per_event = run.counters.find("ns");
      median[run.run_name.function_name] =
          per_event != run.counters.end() ? per_event->second.value * 1e9 : run.GetAdjustedCPUTime();
      if (const auto dropped = run.counters.find("dropped"); dropped != run.counters.end())
        median["dropped"] += dropped->second.value;
    }
  }
  std::map<std::string, double> median;
};

enum class Mode { plain, preloaded, recorded };
struct ProbeResult {
  double cpu_ns = 0; // median of the runs
  double ops_per_run = 0;
  std::uint64_t dropped = 0;
};

// Median CPU time of a model run in a program that knows nothing of us.
ProbeResult probe(Mode mode, const std::string& model, const char* dim, int runs) {
  const std::string binary = std::string(PROF_BINARY_DIR) + "/bin/ort_probe",
                    engine = std::string(PROF_SOURCE_DIR) + "/third_party/engine";
  int out[2];
  if (pipe(out) != 0) return {};
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(out[1], 1);
    close(out[0]);
    if (mode != Mode::plain)
      setenv("LD_PRELOAD", (std::string(PROF_BINARY_DIR) + "/lib/libprof_ort.so").c_str(), 1);
    execl(binary.c_str(), binary.c_str(), (engine + "/lib/libonnxruntime.so").c_str(),
          (engine + "/models/" + model).c_str(), std::to_string(runs).c_str(), "--dim", dim,
          static_cast<char*>(nullptr));
    _exit(127);
  }
  close(out[1]);
  std::unique_ptr<Attached> attached;
  for (int tries = 0; mode == Mode::recorded && attached == nullptr && tries < 2000; ++tries) {
    if (!ring_file(pid).empty())
      attached = std::make_unique<Attached>(pid);
    else
      std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  std::string text;
  char buffer[256];
  for (ssize_t n = 0; (n = read(out[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(out[0]);
  ProbeResult result;
  waitpid(pid, nullptr, 0);
  if (const std::size_t at = text.find("cpu_ns "); at != std::string::npos)
    result.cpu_ns = std::atof(text.c_str() + at + 7);
  if (attached) {
    result.dropped = attached->finish();
    result.ops_per_run = static_cast<double>(attached->ops()) / runs;
  }
  return result;
}

nlohmann::json operators() {
  nlohmann::json rows = nlohmann::json::array();
  const std::vector<std::pair<std::string, const char*>> models{{"ch_ppocr_mobile_v2.0_cls_infer.onnx", "48"},
                                                                {"silero_vad_v5.onnx", "512"}};
  for (const auto& [model, dim] : models) {
    if (!std::filesystem::exists(std::string(PROF_SOURCE_DIR) + "/third_party/engine/models/" + model))
      continue;
    std::vector<double> off, on;
    double ops = 0, plain_ns = 0;
    std::uint64_t dropped = 0;
    constexpr int kPairs = 11, kRuns = 1500;
    for (int i = 0; i < kPairs; ++i) { // neighbours in time, because the machine's speed drifts
      const ProbeResult plain = probe(Mode::plain, model, dim, kRuns);
      const ProbeResult preloaded = probe(Mode::preloaded, model, dim, kRuns);
      const ProbeResult traced = probe(Mode::recorded, model, dim, kRuns);
      off.push_back(preloaded.cpu_ns - plain.cpu_ns);
      on.push_back(traced.cpu_ns - plain.cpu_ns);
      ops = std::max(ops, traced.ops_per_run);
      plain_ns = plain.cpu_ns;
      dropped += traced.dropped;
    }
    std::sort(off.begin(), off.end());
    std::sort(on.begin(), on.end());
    const auto per_op = [&](const std::vector<double>& v, std::size_t at) {
      return ops > 0 ? v[at] / ops : 0;
    };
    rows.push_back({{"model", model},
                    {"operators_per_run", ops},
                    {"run_cpu_ns", plain_ns},
                    {"dropped", dropped},
                    {"added_ns_per_op_off",
                     {{"median", per_op(off, 5)}, {"low", per_op(off, 1)}, {"high", per_op(off, 9)}}},
                    {"added_ns_per_op_on",
                     {{"median", per_op(on, 5)}, {"low", per_op(on, 1)}, {"high", per_op(on, 9)}}}});
  }
  return rows;
}

} // namespace
} // namespace prof

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  prof::sdk::service("bench");
  prof::Keep keep;
  benchmark::RunSpecifiedBenchmarks(&keep);
  auto& m = keep.median;
  const nlohmann::json line{
      {"bench", "sdk"},
      {"two_clock_reads_ns", m["two_clock_reads"]},
      {"span_on_ns", m["span_on"]},
      {"op_on_ns", m["op_on"]},
      {"span_off_ns", m["span_off"]},
      {"span_on_ratio", m["two_clock_reads"] > 0 ? m["span_on"] / m["two_clock_reads"] : 0},
      {"dropped", m["dropped"]},
      {"operators", prof::operators()}};
  std::printf("%s\n", line.dump().c_str());
}
