// How fast a trace is sealed, what a slice costs in memory, and how long the usual questions take.
#include "store/request_time.hpp"
#include "store/sql.hpp"
#include "store/store.hpp"
#include "trace/conventions.hpp"

#include <array>
#include <benchmark/benchmark.h>
#include <string>

namespace {

using namespace prof; // a program, not a header

// A service with four workers: requests with a queue, a stage, runs of 98 operators each. About 100 slices
// per request; complete events arrive children first, threads interleaved, as collectors deliver them.
void fill(StoreBuilder& b, std::int64_t slices) {
  const Id<Process> process = b.process({.pid = 7, .name = b.intern("service"), .cmdline = {}});
  std::array<Id<Track>, 4> workers;
  std::array<Id<Thread>, 4> threads;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    threads[i] =
        b.thread({.process = process, .tid = 70 + static_cast<std::int64_t>(i), .name = b.intern("worker")});
    workers[i] = b.track({.name = {},
                          .kind = TrackKind::thread,
                          .thread = threads[i],
                          .process = {},
                          .stream = {},
                          .parent = {}});
  }
  const Id<Track> requests = b.track({.name = b.intern("requests"),
                                      .kind = TrackKind::async,
                                      .thread = {},
                                      .process = process,
                                      .stream = {},
                                      .parent = {}});
  const StrId request = b.intern(words::kRequest), stage = b.intern(words::kStage),
              run = b.intern(words::kRun), op = b.intern(words::kOp);
  const StrId key = b.intern(words::kArgRequestId), type = b.intern(words::kArgOpType),
              poster = b.intern("poster");
  std::array<StrId, 98> names;
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = b.intern("/unet/block/node_" + std::to_string(i));
  const std::array<StrId, 4> types{b.intern("Conv"), b.intern("MatMul"), b.intern("Transpose"),
                                   b.intern("Add")};
  for (std::int64_t r = 0; r * 101 < slices; ++r) {
    const auto lane = static_cast<std::size_t>(r % 4);
    const std::int64_t base = r / 4 * 11'000'000 + r % 4 * 1000;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::int64_t ts = base + 200'000 + static_cast<std::int64_t>(i) * 100'000;
      const Arg arg{type, types[i % 4]};
      b.slice({.track = workers[lane],
               .ts = Ts{ts},
               .dur = Dur{i % 3 == 0 ? 15'000 : 90'000},
               .name = names[i],
               .category = op,
               .layer = Layer::framework,
               .args = {&arg, 1},
               .flows_out = {},
               .flows_in = {}});
    }
    const Arg id{key, r};
    b.slice({.track = workers[lane],
             .ts = Ts{base + 150'000},
             .dur = Dur{9'900'000},
             .name = run,
             .category = run,
             .layer = Layer::framework,
             .args = {},
             .flows_out = {},
             .flows_in = {}});
    b.slice({.track = workers[lane],
             .ts = Ts{base + 100'000},
             .dur = Dur{10'000'000},
             .name = stage,
             .category = stage,
             .args = {&id, 1},
             .flows_out = {},
             .flows_in = {}});
    b.slice({.track = requests,
             .ts = Ts{base},
             .dur = Dur{900},
             .name = poster,
             .category = request,
             .args = {&id, 1},
             .flows_out = {},
             .flows_in = {}});
    for (const std::int64_t at : {std::int64_t{0}, std::int64_t{5'000'000}}) {
      b.sched_switch({.ts = Ts{base + at},
                      .cpu = static_cast<std::int32_t>(lane),
                      .prev_tid = 0,
                      .prev_state = 'R',
                      .next_tid = 70 + r % 4,
                      .next_prio = 120,
                      .next_comm = {}});
      b.sched_switch({.ts = Ts{base + at + 4'900'000},
                      .cpu = static_cast<std::int32_t>(lane),
                      .prev_tid = 70 + r % 4,
                      .prev_state = 'S',
                      .next_tid = 0,
                      .next_prio = 120,
                      .next_comm = {}});
    }
  }
}

std::size_t slice_bytes(const SliceTable& t) {
  return t.ts.capacity() * sizeof(std::int64_t) + t.dur.capacity() * sizeof(std::int64_t) +
         t.track.capacity() * 4 + t.parent.capacity() * 4 + t.name.capacity() * 4 +
         t.category.capacity() * 4 + t.arg_set.capacity() * 4 + t.depth.capacity() * 2 + t.layer.capacity();
}

void store_build(benchmark::State& state) {
  std::size_t slices = 0, bytes = 0;
  for (auto _ : state) {
    StoreBuilder builder;
    fill(builder, state.range(0));
    const Store store = builder.seal();
    slices = store.tables().slice.ts.size();
    bytes = slice_bytes(store.tables().slice);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(slices) * state.iterations());
  state.counters["bytes_per_slice"] = static_cast<double>(bytes) / static_cast<double>(slices);
}
BENCHMARK(store_build)->Arg(100'000)->Arg(1'000'000)->Arg(4'000'000)->Unit(benchmark::kMillisecond);

const Store& million() {
  static const Store store = [] {
    StoreBuilder builder;
    fill(builder, 1'000'000);
    return builder.seal();
  }();
  return store;
}

void store_accounting(benchmark::State& state) {
  const Store& store = million();
  for (auto _ : state)
    benchmark::DoNotOptimize(account_requests(store).ns.size());
  state.SetItemsProcessed(static_cast<std::int64_t>(store.tables().request.slice.size()) *
                          state.iterations());
}
BENCHMARK(store_accounting)->Unit(benchmark::kMillisecond);

constexpr std::array<const char*, 6> kQueries{
    "select name, sum(dur) from span group by 1 order by 2 desc limit 10",
    "select op_type, count(*), sum(self_dur) from op group by 1 order by 3 desc",
    "select r.id, count(o.id) from request r join stage s on s.request_row = r.id join op o on "
    "o.stage_slice_id = s.slice_id group by 1 order by 2 desc limit 5",
    "select percentile(dur, 99) from slice where category = 'op'",
    "select class, sum(ns) from request_time group by 1",
    "select count(*) from slice where track_id = 2 and ts between 1000000000 and 1100000000",
};
void store_query(benchmark::State& state) {
  auto sql = Sql::open(million());
  const char* query = kQueries[static_cast<std::size_t>(state.range(0))];
  (void)sql->query(query).ok(); // the first run makes the indexes
  for (auto _ : state)
    benchmark::DoNotOptimize(sql->query(query).ok());
  state.SetLabel(query);
}
BENCHMARK(store_query)->DenseRange(0, kQueries.size() - 1)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
