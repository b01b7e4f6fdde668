#include "synthetic_service.hpp"

#include "symbols/symbols.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

extern "C" const char __executable_start;

namespace prof::testing {

// Functions of this program for samples to lie in, so that symbols and disassembly are real.
__attribute__((noinline)) double multiply_matrices(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      sum += a[i] * b[j] + std::sqrt(a[j] + 1);
  return sum;
}
__attribute__((noinline)) double normalise_layer(const double* a, int n) {
  double mean = 0, square = 0;
  for (int i = 0; i < n; ++i)
    mean += a[i], square += a[i] * a[i];
  return mean / std::sqrt(square + 1);
}
__attribute__((noinline)) double transpose_layout(double* a, int n) {
  for (int i = 0; i < n; ++i)
    std::swap(a[i], a[n - 1 - i]);
  return a[0];
}

namespace {

using namespace literals;
using namespace std::string_literals;
constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kOrigin = 5'000'000'000'000; // a monotonic clock some time after boot

class Maker {
public:
  Maker(TraceSink& sink, const SyntheticOptions& options) : sink_(sink), o_(options) {}
  void run() {
    make_threads();
    make_frames();
    for (std::int64_t r = 0; r < o_.requests; ++r)
      serve(r);
    make_sched();
    make_counters();
    make_ledger();
  }

private:
  StrId s(std::string_view text) { return sink_.intern(text); }
  std::string name(std::string_view plain, std::string_view hostile) const {
    return std::string(o_.is_hostile ? hostile : plain);
  }
  // The n-th hostile text, round and round.
  std::string name(std::string_view plain, std::size_t n) const {
    return name(plain, hostile_names()[n % hostile_names().size()]);
  }

  void make_threads() {
    process_ = sink_.process(
        {.pid = 4242,
         .name = s(name("poetry_poster_service", "\"><script>window.hacked=1</script>")),
         .cmdline = s(name("poetry_poster_service --port 8190",
                           "./poster --port $(touch${IFS}pwned) `touch pwned` ;touch pwned; 'x"))});
    for (int w = 0; w < 3; ++w)
      workers_.push_back(
          sink_.thread({.process = process_,
                        .tid = 4250 + w,
                        .name = s(name("worker-" + std::to_string(w), static_cast<std::size_t>(w)))}));
    for (int p = 0; p < 2; ++p)
      pool_.push_back(
          sink_.thread({.process = process_,
                        .tid = 4260 + p,
                        .name = s(name("ort-pool-" + std::to_string(p), static_cast<std::size_t>(p + 3)))}));
    http_ = sink_.thread({.process = process_, .tid = 4242, .name = s(name("http", 5))});
    for (const Id<Thread> w : workers_)
      worker_tracks_.push_back(sink_.track({.kind = TrackKind::thread, .thread = w}));
    if (!o_.has_device) return;
    const Id<Device> npu =
        sink_.device({.name = s(name("Ascend 310P", 6)), .kind = DeviceKind::npu, .index = 0});
    for (int i = 0; i < 2; ++i)
      streams_.push_back(
          sink_.stream({.device = npu,
                        .number = i,
                        .name = s(i == 0 ? name("compute stream", 7) : name("copy stream", 8))}));
  }

  // Three functions of this program as the operators' code, under a frame of the caller.
  void make_frames() {
    const std::string path = std::filesystem::read_symlink("/proc/self/exe").string();
    mapping_ = sink_.mapping(
        {.path = s(path), .build_id = s(read_build_id(path)), .start = 0x400000, .end = 0x800000});
    auto file = SymbolFile::open(path);
    const auto add = [&](const void* function, std::string_view text) {
      const auto address =
          static_cast<std::uint64_t>(static_cast<const char*>(function) - &__executable_start);
      std::vector<std::uint64_t> pcs{address};
      if (file)
        if (const auto range = (*file)->function_at(address); range)
          if (const auto code = (*file)->disassemble(range->start, range->end, 200); code)
            for (const Instruction& i : *code)
              pcs.push_back(i.address);
      std::vector<Id<Frame>> frames;
      for (const std::uint64_t pc : pcs) {
        std::uint32_t line = 0;
        StrId source;
        if (file)
          if (const auto known = (*file)->lookup(pc); !known.empty())
            line = known.back().line, source = s(known.back().source_file);
        frames.push_back(sink_.frame(
            {.function = s(text), .mapping = mapping_, .rel_pc = pc, .source_file = source, .line = line}));
      }
      functions_.push_back(std::move(frames));
    };
    add(reinterpret_cast<const void*>(&multiply_matrices),
        name("prof::testing::multiply_matrices(double const*, double const*, int)",
             "operator\"<img src=x onerror=window.hacked=2>\x1b[31m\n"));
    add(reinterpret_cast<const void*>(&normalise_layer),
        "prof::testing::normalise_layer(double const*, int)");
    add(reinterpret_cast<const void*>(&transpose_layout), "prof::testing::transpose_layout(double*, int)");
    const Id<Mapping> kernel = sink_.mapping(
        {.path = s("[kernel.kallsyms]"), .start = 0xffff'8000'0000'0000, .end = 0xffff'ffff'ffff'ffff});
    kernel_frame_ = sink_.frame({.function = s("clear_page_erms"),
                                 .mapping = kernel,
                                 .rel_pc = 0xffff'8000'0012'3450,
                                 .kind = FrameKind::kernel});
  }

  std::int64_t jitter(double mean_ns) { return std::llround(mean_ns * std::exp(0.25 * normal_(random_))); }
  void slice(Id<Track> track, std::int64_t ts, std::int64_t dur, std::string_view text,
             std::string_view category, const std::vector<Arg>& args, Layer layer = Layer::application,
             const std::vector<std::uint64_t>& out = {}, const std::vector<std::uint64_t>& in = {}) {
    sink_.slice({.track = track,
                 .ts = {ts},
                 .dur = {dur},
                 .name = s(text),
                 .category = s(category),
                 .layer = layer,
                 .args = args,
                 .flows_out = out,
                 .flows_in = in});
  }
  Arg number(std::string_view key, std::int64_t value) { return {s(key), value}; }
  Arg text(std::string_view key, std::string_view value) { return {s(key), s(value)}; }

  void serve(std::int64_t r) {
    const std::int64_t arrival = kOrigin + 20 * kMs + r * 200 * kMs + jitter(8e6);
    const auto w = static_cast<std::size_t>(r % 3);
    std::int64_t start = std::max(arrival + jitter(2e6), free_[w]);
    // The periodic pause: nobody works in the last 250 ms of each 1.6 s.
    const std::int64_t in_cycle = (start - kOrigin) % (1600 * kMs);
    if (in_cycle > 1350 * kMs) start += 1600 * kMs - in_cycle;
    const Arg id = number(words::kArgRequestId, r + 1);
    const Id<Track> queue =
        sink_.track({.name = s("queue " + std::to_string(r)), .kind = TrackKind::async, .process = process_});
    slice(queue, arrival + 200'000, start - arrival - 200'000, "queue", words::kStage,
          {id, text(words::kArgWaitClass, "queue_wait")}, Layer::application,
          {static_cast<std::uint64_t>(r) * 10 + 1});
    std::int64_t t = start;
    for (const auto& [stage, ops, n] : {std::tuple{"text_encode", 1, 0}, {"denoise", 3, 1}, {"decode", 1, 2}})
      t = run_stage(w, r, t, {stage, name(stage, static_cast<std::size_t>(r * 3 + n))},
                    o_.ops_per_stage * ops);
    slice(worker_tracks_[w], t, 6 * kMs, "encode_png", words::kStage, {id});
    sample(workers_[w], t, t + 6 * kMs, 2, false);
    busy_.push_back({w, start, t + 6 * kMs});
    t += 6 * kMs;
    free_[w] = t + kMs;
    const Id<Track> lane = sink_.track(
        {.name = s("request " + std::to_string(r)), .kind = TrackKind::async, .process = process_});
    slice(lane, arrival, t + 100'000 - arrival, name("poster", "=cmd()|'/C calc'!A0<b>"), words::kRequest,
          {id, text(words::kArgStatus, r == 3        ? name("ok", 2)
                                       : r % 17 == 5 ? "error"s
                                                     : "ok"s)});
    end_ = std::max(end_, t + kMs);
  }
  struct StageName {
    std::string plain, shown;
  };
  std::int64_t run_stage(std::size_t w, std::int64_t r, std::int64_t start, const StageName& stage,
                         std::int64_t ops) {
    static constexpr std::array<const char*, 6> kTypes{"MatMul", "Transpose", "LayerNormalization",
                                                       "Conv",   "Softmax",   "Add"};
    static constexpr std::array<double, 6> kMean{1.9e6, 6e5, 3e5, 1.3e6, 2e5, 9e4};
    const Id<Track> track = worker_tracks_[w];
    std::int64_t t = start + 60'000;
    const bool is_first = stage.plain == "text_encode";
    const std::int64_t run_start = t;
    for (std::int64_t i = 0; i < ops; ++i) {
      const auto type = static_cast<std::size_t>(i % 6);
      const std::int64_t dur = jitter(kMean[type] * (r % 19 == 7 ? 2.2 : 1));
      const std::string op =
          o_.is_hostile && i == 0
              ? std::string(10'000, 'x') + "</script><script>window.hacked=3</script>"
              : name("/" + stage.plain + "/block." + std::to_string(i / 6) + "/" + kTypes[type],
                     static_cast<std::size_t>(i));
      const auto flow = static_cast<std::uint64_t>(1'000'000 + ++flows_);
      slice(track, t, dur, op, words::kOp,
            {text(words::kArgOpType, kTypes[type]), text(words::kArgModel, "sd3_tiny"),
             text(words::kArgProvider, "CPUExecutionProvider"),
             text(words::kArgInputShapes, "[1,64,64,320]")},
            Layer::framework,
            o_.has_device && i % 3 == 0 ? std::vector<std::uint64_t>{flow} : std::vector<std::uint64_t>{});
      if (o_.has_device && i % 3 == 0) kernel(t, dur, kTypes[type], flow, i);
      sample(workers_[w], t, t + dur, type == 1 ? 2 : type == 2 ? 1 : 0, true);
      t += dur + jitter(7000);
    }
    slice(track, run_start - 20'000, t - run_start + 20'000, "run sd3_tiny", words::kRun,
          {text(words::kArgModel, "sd3_tiny")}, Layer::runtime);
    t += 40'000;
    slice(track, start, t - start, stage.shown, words::kStage, {number(words::kArgRequestId, r + 1)},
          Layer::application, {},
          is_first ? std::vector<std::uint64_t>{static_cast<std::uint64_t>(r) * 10 + 1}
                   : std::vector<std::uint64_t>{});
    return t;
  }
  void kernel(std::int64_t ts, std::int64_t dur, std::string_view type, std::uint64_t flow, std::int64_t i) {
    const std::int64_t start = std::max(ts + 40'000, stream_free_[0]);
    sink_.kernel({.stream = streams_[0],
                  .ts = {start},
                  .dur = {dur / 2},
                  .name = s(name("te_" + std::string(type) + "_fp16_kernel", static_cast<std::size_t>(i))),
                  .op_type = s(type),
                  .flow_in = flow});
    stream_free_[0] = start + dur / 2 + 2000;
    if (i % 9 != 0) return;
    const std::int64_t copy = std::max(ts, stream_free_[1]);
    sink_.kernel({.stream = streams_[1],
                  .ts = {copy},
                  .dur = {30'000},
                  .name = s("memcpy H2D"),
                  .kind = KernelKind::memory,
                  .bytes = 1 << 20});
    stream_free_[1] = copy + 31'000;
  }
  // CPU samples at 997 Hz on the thread, and half as many on a pool thread while an operator runs.
  void sample(Id<Thread> thread, std::int64_t from, std::int64_t to, std::size_t function, bool is_op) {
    if (!o_.has_samples) return;
    constexpr std::int64_t kPeriod = 1'003'009;
    for (std::int64_t t = (from / kPeriod + 1) * kPeriod; t < to; t += kPeriod) {
      const auto& own = functions_[function];
      const Id<Frame> leaf = own[static_cast<std::size_t>(random_() % own.size())];
      std::vector<Id<Frame>> frames{functions_[2][0], leaf};
      if (random_() % 9 == 0) frames.push_back(kernel_frame_);
      sink_.sample({.ts = {t},
                    .thread = thread,
                    .cpu = 0,
                    .callstack = sink_.callstack({frames}),
                    .event = s(words::kEventCpu),
                    .weight = kPeriod});
      if (is_op && random_() % 2 == 0)
        sink_.sample({.ts = {t + 1},
                      .thread = pool_[random_() % 2],
                      .cpu = 1,
                      .callstack = sink_.callstack({frames}),
                      .event = s(words::kEventCpu),
                      .weight = kPeriod});
      if (random_() % 40 == 0)
        sink_.sample({.ts = {t + 2},
                      .thread = thread,
                      .cpu = 0,
                      .callstack = sink_.callstack({frames}),
                      .event = s(words::kEventFault)});
    }
  }
  // A round robin of the busy workers over two cores, in slices of 4 ms; the third waits runnable.
  void make_sched() {
    std::array<std::int64_t, 2> last{0, 0};
    std::array<bool, 3> was{};
    for (std::int64_t t = kOrigin; t < end_; t += 4 * kMs) {
      std::vector<std::int64_t> want;
      for (std::size_t w = 0; w < 3; ++w) {
        bool is_busy = false;
        for (const Busy& b : busy_)
          is_busy |= b.worker == w && b.from <= t && t < b.to;
        if (is_busy && !was[w])
          sink_.sched_wakeup({.ts = {t - 60'000},
                              .cpu = 0,
                              .tid = 4250 + static_cast<std::int64_t>(w),
                              .waker_tid = 4242,
                              .target_cpu = static_cast<std::int32_t>(w % 2)});
        was[w] = is_busy;
        if (is_busy) want.push_back(4250 + static_cast<std::int64_t>(w));
      }
      if (want.size() > 1)
        std::rotate(want.begin(), want.begin() + (t / (4 * kMs)) % static_cast<std::int64_t>(want.size()),
                    want.end());
      for (std::size_t cpu = 0; cpu < 2; ++cpu) {
        const std::int64_t next = cpu < want.size() ? want[cpu] : 0;
        if (next == last[cpu]) continue;
        const bool still = std::ranges::find(want, last[cpu]) != want.end();
        sink_.sched_switch({.ts = {t + static_cast<std::int64_t>(cpu) * 9000},
                            .cpu = static_cast<std::int32_t>(cpu),
                            .prev_tid = last[cpu],
                            .prev_state = still ? 'R' : 'S',
                            .next_tid = next,
                            .next_comm = s(next == 0 ? "swapper" : "worker")});
        last[cpu] = next;
      }
    }
  }
  void make_counters() {
    const auto rss = sink_.counter_track({.name = s("rss"), .unit = s("bytes"), .process = process_});
    const auto depth =
        sink_.counter_track({.name = s("queue_depth"), .unit = s("count"), .process = process_});
    const auto psi = sink_.counter_track({.name = s("psi_cpu_some"), .unit = s("ns")});
    for (std::size_t i = 0; o_.is_hostile && i < hostile_names().size(); ++i)
      sink_.counter(sink_.counter_track({.name = s(hostile_names()[i]),
                                         .unit = s(hostile_names()[(i + 1) % hostile_names().size()]),
                                         .process = process_}),
                    {kOrigin}, static_cast<double>(i));
    const auto util = sink_.counter_track({.name = s("cpu_util"), .unit = s("percent")});
    double pressure = 0;
    for (std::int64_t t = kOrigin; t < end_; t += 100 * kMs) {
      const double phase = static_cast<double>(t - kOrigin) / 1.6e9;
      sink_.counter(rss, {t},
                    4.2e8 + 3e7 * std::sin(phase * 2) + static_cast<double>((t - kOrigin) / kMs) * 2000);
      sink_.counter(depth, {t}, std::floor(2 + 2 * std::sin(phase * 6.28)));
      sink_.counter(psi, {t}, pressure += 2e7 * (1 + std::sin(phase * 6.28)));
      sink_.counter(util, {t}, 70 + 25 * std::sin(phase * 6.28));
    }
  }
  void make_ledger() {
    sink_.metadata("service", name("poetry_poster_service", "\"><script>window.hacked=4</script>"));
    for (std::size_t i = 0; o_.is_hostile && i < hostile_names().size(); ++i)
      sink_.metadata("key" + hostile_names()[i], hostile_names()[i]);
    if (o_.is_hostile)
      sink_.metadata("model.sd3_tiny", "models/$(touch pwned)`touch pwned`';touch pwned;'\n.onnx");
    sink_.metadata("scope", "full_stack");
    sink_.metadata("cpu_count", "2");
    for (const auto name : {words::kSignalRequests, words::kSignalStages, words::kSignalOps,
                            words::kSignalSched, words::kSignalStacks})
      sink_.signal({.name = s(name), .is_available = true, .source = s("sdk")});
    sink_.signal({.name = s("cache_miss"),
                  .is_available = false,
                  .source = s("perf"),
                  .reason = s("signal.reason.no_pmu"),
                  .mend = s("signal.mend.pmu"),
                  .detail = s(name("ENOENT", "<svg onload=window.hacked=5>"))});
    sink_.note({.severity = Severity::notice,
                .code = s("note.sdk_records_dropped"),
                .count = 3,
                .where = s(name("worker-1", 4))});
  }

  struct Busy {
    std::size_t worker;
    std::int64_t from, to;
  };
  TraceSink& sink_;
  const SyntheticOptions& o_;
  std::mt19937_64 random_{20241215};
  std::normal_distribution<double> normal_;
  Id<Process> process_;
  std::vector<Id<Thread>> workers_, pool_;
  Id<Thread> http_;
  std::vector<Id<Track>> worker_tracks_;
  std::vector<Id<Stream>> streams_;
  std::vector<std::vector<Id<Frame>>> functions_;
  Id<Mapping> mapping_;
  Id<Frame> kernel_frame_;
  std::array<std::int64_t, 3> free_{};
  std::array<std::int64_t, 2> stream_free_{};
  std::vector<Busy> busy_;
  std::int64_t end_ = 0, flows_ = 0;
};

} // namespace

const std::vector<std::string>& hostile_names() {
  static const std::vector<std::string> names{
      "\"><script>alert(1)</script>",
      "line\nbreak\r\n\ttab 'single' \"double\"",
      "=cmd()|' /C calc'!A0",
      "\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b"
      "2J\xc2\x9b"
      "31m",
      std::string(10'000, 'n'),
      "broken \xff\xfe\xc3 utf-8 \xed\xa0\x80",
      "'; drop table slice; --",
      "`touch pwned` $(touch pwned) ${IFS} && touch pwned; touch pwned | touch pwned\ntouch pwned\n",
      "| pipe | [link](javascript:alert(1)) ![image](http://x.invalid/y.png) ``` # *bold* ~~~",
      "- key: {a: [1, &anchor *alias !tag %dir @at",
      "yes",
      "1.10",
      " padded ",
      "\xe2\x80\xae"
      "right to left\xe2\x80\xa8separated\xef\xbb\xbf",
      "+1+cmd",
      "@SUM(1)",
      "-2-cmd\\ back\\slash %s %n {0} {name}",
      "</style></textarea><img src=x onerror=alert(1)>&lt;&#60;",
      "---\nid: forged\n---\n",
  };
  return names;
}

void make_service(TraceSink& sink, const SyntheticOptions& options) {
  Maker(sink, options).run();
}

void make_bulk(TraceSink& sink, std::int64_t count) {
  std::mt19937_64 random(7);
  const Id<Process> process = sink.process({.pid = 1, .name = sink.intern("bulk")});
  std::vector<StrId> names;
  for (int i = 0; i < 500; ++i)
    names.push_back(sink.intern("void cutlass::Kernel<tensorop_bf16_s16816gemm_" + std::to_string(i) + ">"));
  const StrId category = sink.intern(words::kOp);
  constexpr int kThreads = 8;
  for (int thread = 0; thread < kThreads; ++thread) {
    const Id<Thread> id =
        sink.thread({.process = process, .tid = 10 + thread, .name = sink.intern("worker")});
    const Id<Track> track = sink.track({.kind = TrackKind::thread, .thread = id});
    std::int64_t t = 0;
    for (std::int64_t i = 0; i < count / kThreads; ++i) {
      // Log-normal, as real operators are; ns digits do not compress, which is the hard case.
      const auto dur = static_cast<std::int64_t>(
          2000 *
          std::exp(0.5 * std::sqrt(-2 * std::log((static_cast<double>(random() % 99'999) + 1) / 100'000))));
      const auto gap = static_cast<std::int64_t>(random() % 1500);
      sink.slice({.track = track,
                  .ts = {t},
                  .dur = {dur},
                  .name = names[random() % 500 * (random() % 500) / 500],
                  .category = category,
                  .layer = Layer::framework});
      t += dur + gap;
    }
  }
}

} // namespace prof::testing
