#include "report/html/sample_context.hpp"

#include "trace/conventions.hpp"

#include <algorithm>

namespace prof {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::uint32_t find_row(const Pairs& pairs, std::uint32_t slice) {
  const auto at = std::ranges::lower_bound(pairs, slice, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
  return at != pairs.end() && at->first == slice ? at->second : kNoRow;
}

} // namespace

ContextFinder::ContextFinder(const Store& store) : store_(store) {
  const Tables& t = store.tables();
  begin_.assign(t.thread.tid.size(), 0);
  end_.assign(t.thread.tid.size(), 0);
  for (std::uint32_t s = 0; s < t.slice.ts.size(); ++s) {
    const std::uint32_t track = t.slice.track[s];
    if (t.track.kind[track] != TrackKind::thread || t.track.thread[track] >= begin_.size()) continue;
    const std::uint32_t thread = t.track.thread[track];
    if (begin_[thread] == end_[thread]) begin_[thread] = s;
    end_[thread] = s + 1;
  }
  op_threads_.resize(t.process.pid.size());
  std::vector<bool> has_op(t.thread.tid.size());
  for (std::uint32_t i = 0; i < t.op.slice.size(); ++i) {
    op_of_slice_.emplace_back(t.op.slice[i], i);
    const std::uint32_t thread = t.op.thread[i];
    if (thread >= t.thread.process.size() || t.thread.process[thread] >= op_threads_.size()) continue;
    if (has_op[thread]) continue;
    has_op[thread] = true;
    op_threads_[t.thread.process[thread]].push_back(thread);
  }
  for (std::uint32_t i = 0; i < t.stage.slice.size(); ++i)
    request_of_stage_.emplace_back(t.stage.slice[i], t.stage.request[i]);
  std::ranges::stable_sort(op_of_slice_, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
  std::ranges::stable_sort(request_of_stage_, {}, &std::pair<std::uint32_t, std::uint32_t>::first);
}

std::uint32_t ContextFinder::innermost(std::uint32_t thread, std::int64_t ts) const {
  if (thread >= begin_.size()) return kNoRow;
  const SliceTable& s = store_.tables().slice;
  const auto from = s.ts.begin() + begin_[thread];
  const auto at = std::upper_bound(from, s.ts.begin() + end_[thread], ts);
  if (at == from) return kNoRow;
  // The last slice that started; if it is over, one of those around it may still be open.
  std::uint32_t slice = static_cast<std::uint32_t>(at - s.ts.begin()) - 1;
  for (int steps = 0; slice != kNoRow && steps < 4096; ++steps) {
    if (s.ts[slice] + s.dur[slice] > ts) return slice;
    slice = s.parent[slice];
  }
  return kNoRow;
}

SampleContext ContextFinder::of_slice(std::uint32_t slice) const {
  const Tables& t = store_.tables();
  SampleContext context{.join = JoinKind::no_op};
  std::uint32_t stage = kNoRow;
  for (std::uint32_t s = slice; s != kNoRow && stage == kNoRow; s = t.slice.parent[s]) {
    const std::string_view category = store_.text(t.slice.category[s]);
    if (category == words::kOp && context.join == JoinKind::no_op) {
      context.join = JoinKind::own_thread;
      context.op = t.slice.name[s];
      if (const std::uint32_t op = find_row(op_of_slice_, s); op != kNoRow) {
        context.op_type = t.op.op_type[op];
        stage = t.op.stage_slice[op];
      }
    }
    if (category == words::kStage) stage = s;
    if (category == words::kRequest) context.request = t.slice.name[s];
  }
  if (stage == kNoRow) return context;
  context.stage = t.slice.name[stage];
  if (const std::uint32_t request = find_row(request_of_stage_, stage); request != kNoRow)
    context.request = t.request.name[request];
  return context;
}

SampleContext ContextFinder::at(std::uint32_t thread, std::int64_t ts, bool is_pool_work) const {
  const Tables& t = store_.tables();
  if (const std::uint32_t slice = innermost(thread, ts); slice != kNoRow) return of_slice(slice);
  if (has_slices(thread) || !is_pool_work || thread >= t.thread.process.size()) return {};
  const std::uint32_t process = t.thread.process[thread];
  if (process >= op_threads_.size()) return {};
  SampleContext found;
  for (const std::uint32_t other : op_threads_[process]) {
    const std::uint32_t slice = innermost(other, ts);
    if (slice == kNoRow) continue;
    SampleContext context = of_slice(slice);
    if (context.join != JoinKind::own_thread) continue;
    if (found.join != JoinKind::outside) return {.join = JoinKind::ambiguous};
    found = context;
    found.join = JoinKind::joined;
  }
  return found;
}

} // namespace prof
