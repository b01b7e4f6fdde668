// seal_slices.cpp: sorts slices by (track, ts, -dur), nests them, and pairs flows.
#include "store/building.hpp"
#include "trace/sink.hpp"

#include <numeric>

namespace prof::detail {
namespace {

// Which of two slices with the same interval is the outer one: the order of the producers' words decides.
std::uint8_t rank_of(const Building& b, StrId category) {
  if (category == b.words.request) return 0;
  if (category == b.words.stage) return 1;
  if (category == b.words.run) return 2;
  if (category == b.words.op) return 3;
  return 4;
}

void close_open_ends(Building& b) {
  SliceTable& slices = b.t.slice;
  for (std::size_t i = 0; i < slices.dur.size(); ++i) {
    if (slices.dur[i] != kOpenEnd) continue;
    slices.dur[i] = b.last - slices.ts[i];
    b.add_note(Severity::notice, "note.store.open_end", b.strings.text(slices.name[i]));
  }
}

struct OpenSlice {
  std::int64_t end = 0; // clamped into the parent
  std::uint32_t row = kNoRow;
};

// A slice that starts inside another one is its child even when it ends later: the data stays as it is, the
// child's part beyond the parent does not take part in the nesting, and the ledger counts it.
void nest(Building& b) {
  SliceTable& slices = b.t.slice;
  const std::size_t n = slices.ts.size();
  slices.parent.assign(n, kNoRow);
  slices.depth.assign(n, 0);
  std::vector<OpenSlice> open;
  std::int64_t violations = 0;
  std::uint32_t first_violation = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::int64_t ts = slices.ts[i];
    std::int64_t end = ts + slices.dur[i];
    if (i > 0 && slices.track[i] != slices.track[i - 1]) open.clear();
    while (!open.empty() && open.back().end <= ts)
      open.pop_back();
    if (!open.empty()) {
      slices.parent[i] = open.back().row;
      if (end > open.back().end) {
        if (violations++ == 0) first_violation = i;
        end = open.back().end;
      }
    }
    slices.depth[i] = static_cast<std::uint16_t>(std::min<std::size_t>(open.size(), 0xffff));
    open.push_back({end, i});
  }
  if (violations > 0)
    b.add_note(Severity::notice, "note.store.lane_overlap", b.strings.text(slices.name[first_violation]),
               violations);
}

struct FlowEnd {
  std::int64_t ts = 0;
  std::uint32_t row = 0;
  bool is_kernel = false;
};

// The flows of one id: each end gets the latest start not after it (the only start, when there is one); a
// start that no end took goes to the first end after it, or to the only end.
void pair(Building& b, std::vector<FlowEnd>& outs, std::vector<FlowEnd>& ins, std::int64_t& unmatched) {
  const auto by_ts = [](const FlowEnd& x, const FlowEnd& y) { return x.ts < y.ts; };
  std::ranges::stable_sort(outs, by_ts);
  std::ranges::stable_sort(ins, by_ts);
  std::vector<bool> is_taken(outs.size(), false);
  const auto connect = [&](std::size_t out, const FlowEnd& in) {
    is_taken[out] = true;
    if (!in.is_kernel && in.row == outs[out].row) return;
    b.t.flow.slice_out.push_back(outs[out].row);
    b.t.flow.slice_in.push_back(in.is_kernel ? kNoRow : in.row);
    b.t.flow.kernel_in.push_back(in.is_kernel ? in.row : kNoRow);
  };
  std::size_t next = 0;
  for (const FlowEnd& in : ins) {
    while (next < outs.size() && outs[next].ts <= in.ts)
      ++next;
    // A slice that both ends and starts this flow is a step: it continues from the start before itself.
    std::size_t out = next;
    while (out > 0 && !in.is_kernel && outs[out - 1].row == in.row)
      --out;
    if (out > 0)
      connect(out - 1, in);
    else if (outs.size() == 1)
      connect(0, in);
    else
      ++unmatched;
  }
  std::size_t after = 0;
  for (std::size_t out = 0; out < outs.size(); ++out) {
    if (is_taken[out]) continue;
    while (after < ins.size() && ins[after].ts < outs[out].ts)
      ++after;
    if (after < ins.size())
      connect(out, ins[after]);
    else if (ins.size() == 1)
      connect(out, ins[0]);
    else
      ++unmatched;
  }
}

void sort_flows(FlowTable& flow) {
  std::vector<std::uint32_t> order(flow.slice_out.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::uint32_t x, std::uint32_t y) {
    if (flow.slice_in[x] != flow.slice_in[y]) return flow.slice_in[x] < flow.slice_in[y];
    if (flow.kernel_in[x] != flow.kernel_in[y]) return flow.kernel_in[x] < flow.kernel_in[y];
    return flow.slice_out[x] < flow.slice_out[y];
  });
  permute(flow.slice_out, order);
  permute(flow.slice_in, order);
  permute(flow.kernel_in, order);
}

void pair_flows(Building& b) {
  std::ranges::stable_sort(b.flows, {}, &RawFlow::id);
  std::vector<FlowEnd> outs, ins;
  std::int64_t unmatched = 0;
  for (std::size_t from = 0; from < b.flows.size();) {
    std::size_t to = from;
    outs.clear();
    ins.clear();
    for (; to < b.flows.size() && b.flows[to].id == b.flows[from].id; ++to) {
      const RawFlow& flow = b.flows[to];
      const std::int64_t ts = flow.is_kernel ? b.t.kernel.ts[flow.row] : b.t.slice.ts[flow.row];
      (flow.is_out ? outs : ins).push_back({.ts = ts, .row = flow.row, .is_kernel = flow.is_kernel});
    }
    const bool is_launch = (b.flows[from].id & kLaunchFlow) != 0 && ins.empty();
    if (!outs.empty() && !ins.empty())
      pair(b, outs, ins, unmatched);
    else if (!is_launch)
      unmatched += static_cast<std::int64_t>(to - from);
    from = to;
  }
  if (unmatched > 0) b.add_note(Severity::info, "note.store.flow_unmatched", {}, unmatched);
  b.flows = {};
  sort_flows(b.t.flow);
}

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> new_row(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    new_row[order[i]] = i;
  return new_row;
}

} // namespace

std::vector<std::uint32_t> seal_slices(Building& b) {
  TrackTable& tracks = b.t.track;
  for (std::size_t i = 0; i < tracks.name.size(); ++i)
    if (tracks.process[i] == kNoRow && tracks.thread[i] != kNoRow)
      tracks.process[i] = b.t.thread.process[tracks.thread[i]];
  if (b.has_open_ends) close_open_ends(b);
  SliceTable& slices = b.t.slice;
  const auto less = [&](std::uint32_t x, std::uint32_t y) {
    if (slices.ts[x] != slices.ts[y]) return slices.ts[x] < slices.ts[y];
    if (slices.dur[x] != slices.dur[y]) return slices.dur[x] > slices.dur[y];
    return rank_of(b, slices.category[x]) < rank_of(b, slices.category[y]);
  };
  const std::vector<std::uint32_t> order = grouped_order(slices.track, tracks.name.size(), less);
  if (!order.empty()) {
    permute(slices.ts, order);
    permute(slices.dur, order);
    permute(slices.track, order);
    permute(slices.name, order);
    permute(slices.category, order);
    permute(slices.arg_set, order);
    permute(slices.layer, order);
  } else {
    for (auto* column : {&slices.ts, &slices.dur})
      column->shrink_to_fit();
    for (auto* column : {&slices.track, &slices.arg_set})
      column->shrink_to_fit();
    for (auto* column : {&slices.name, &slices.category})
      column->shrink_to_fit();
    slices.layer.shrink_to_fit();
  }
  nest(b);
  b.arg_index = {};
  return order.empty() || b.flows.empty() ? std::vector<std::uint32_t>{} : inverse(order);
}

void seal_kernels_and_flows(Building& b, const std::vector<std::uint32_t>& new_row) {
  KernelTable& kernels = b.t.kernel;
  const auto less = [&](std::uint32_t x, std::uint32_t y) { return kernels.ts[x] < kernels.ts[y]; };
  const std::vector<std::uint32_t> order = grouped_order(kernels.stream, b.t.stream.name.size(), less);
  std::vector<std::uint32_t> new_kernel;
  if (!order.empty()) {
    for (auto* column : {&kernels.ts, &kernels.dur, &kernels.bytes})
      permute(*column, order);
    for (auto* column : {&kernels.stream, &kernels.arg_set})
      permute(*column, order);
    for (auto* column : {&kernels.name, &kernels.op_type})
      permute(*column, order);
    permute(kernels.kind, order);
    permute(kernels.correlation, order);
    new_kernel = inverse(order);
  }
  for (RawFlow& flow : b.flows) {
    if (flow.is_kernel)
      flow.row = new_kernel.empty() ? flow.row : new_kernel[flow.row];
    else
      flow.row = new_row.empty() ? flow.row : new_row[flow.row];
  }
  pair_flows(b);
  kernels.launch.assign(kernels.ts.size(), kNoRow);
  for (std::size_t i = 0; i < b.t.flow.kernel_in.size(); ++i)
    if (b.t.flow.kernel_in[i] != kNoRow) kernels.launch[b.t.flow.kernel_in[i]] = b.t.flow.slice_out[i];
}

void seal_counters(Building& b) {
  CounterTable& counters = b.t.counter;
  const auto less = [&](std::uint32_t x, std::uint32_t y) { return counters.ts[x] < counters.ts[y]; };
  const std::vector<std::uint32_t> order = grouped_order(counters.track, b.t.counter_track.name.size(), less);
  if (order.empty()) return;
  permute(counters.ts, order);
  permute(counters.track, order);
  permute(counters.value, order);
}

} // namespace prof::detail
