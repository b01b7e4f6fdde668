#include "metrics/coverage.hpp"

#include "metrics/request_accounting.hpp"
#include "store/intervals.hpp"
#include "store/replay.hpp"
#include "trace/conventions.hpp"

#include <algorithm>

namespace prof {
namespace {

std::optional<double> share(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// The intervals of one category's slices, as a union per thread.
std::vector<IntervalSet> spans_by_thread(const Store& store, std::string_view category) {
  const Tables& t = store.tables();
  const StrId id = store.id_of(category);
  std::vector<std::vector<Interval>> raw(t.thread.tid.size());
  for (std::size_t i = 0; i < t.slice.ts.size() && !id.is_empty(); ++i)
    if (const std::uint32_t thread = t.track.thread[t.slice.track[i]];
        t.slice.category[i] == id && thread != kNoRow)
      raw[thread].push_back({t.slice.ts[i], t.slice.ts[i] + t.slice.dur[i]});
  std::vector<IntervalSet> sets;
  for (auto& intervals : raw)
    sets.push_back(union_of(std::move(intervals)));
  return sets;
}

void measure_samples(const Store& store, const std::vector<IntervalSet>& ops, Coverage& out) {
  const SampleTable& samples = store.tables().sample;
  const StrId cpu = store.id_of(words::kEventCpu);
  std::int64_t all = 0, stacks = 0, named = 0, in_ops = 0;
  for (std::size_t i = 0; i < samples.ts.size(); ++i) {
    if (samples.event[i] != cpu || cpu.is_empty()) continue;
    ++all;
    if (samples.callstack[i] != kNoRow) {
      ++stacks;
      named += has_symbol(store, store.tables().callstack.frame[samples.callstack[i]]) ? 1 : 0;
    }
    if (samples.thread[i] != kNoRow)
      in_ops += covered(ops[samples.thread[i]], {samples.ts[i], samples.ts[i] + 1});
  }
  out.samples_with_symbols = share(named, stacks);
  if (!store.tables().op.slice.empty()) out.samples_in_ops = share(in_ops, all);
}

} // namespace

Coverage measure_coverage(const Store& store) {
  const Tables& t = store.tables();
  Coverage out;
  const auto linked = [](const Column<std::uint32_t>& column) {
    return static_cast<std::int64_t>(column.size()) - std::ranges::count(column, kNoRow);
  };
  out.ops_in_stages = share(linked(t.op.stage_slice), static_cast<std::int64_t>(t.op.slice.size()));
  out.stages_with_requests =
      share(linked(t.stage.request), static_cast<std::int64_t>(t.stage.request.size()));
  const std::vector<IntervalSet> ops = spans_by_thread(store, words::kOp),
                                 runs = spans_by_thread(store, words::kRun);
  measure_samples(store, ops, out);
  std::int64_t run_ns = 0, in_ops_ns = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    run_ns += length(runs[i]);
    in_ops_ns += length(common(runs[i], ops[i]));
  }
  out.run_time_in_ops = share(in_ops_ns, run_ns);
  const AccountingShares shares = accounting_shares(account_requests(store));
  if (shares.n > 0 && !t.request.slice.empty())
    out.time_explained = 1 - shares.all[static_cast<std::size_t>(TimeClass::unexplained)];
  return out;
}

} // namespace prof
