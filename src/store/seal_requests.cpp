// seal_requests.cpp: the typed tables that follow from the words of trace/conventions.hpp: request, stage,
// op.
#include "store/building.hpp"
#include "store/stage_owners.hpp"

#include <numeric>
#include <optional>
#include <tuple>

namespace prof::detail {
namespace {

std::uint32_t process_of(const Tables& t, std::uint32_t slice) {
  return t.track.process[t.slice.track[slice]];
}
std::uint32_t thread_of(const Tables& t, std::uint32_t slice) {
  return t.track.thread[t.slice.track[slice]];
}

void build_requests(Building& b) {
  const SliceTable& slices = b.t.slice;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < slices.ts.size(); ++i)
    if (slices.category[i] == b.words.request) rows.push_back(i);
  std::ranges::stable_sort(rows,
                           [&](std::uint32_t x, std::uint32_t y) { return slices.ts[x] < slices.ts[y]; });
  RequestTable& requests = b.t.request;
  for (const std::uint32_t row : rows) {
    const ArgValue* id = find_arg(b.t.arg, slices.arg_set[row], b.words.request_id);
    const auto* number = id == nullptr ? nullptr : std::get_if<std::int64_t>(id);
    requests.slice.push_back(row);
    requests.request_id.push_back(number == nullptr ? -1 : *number);
    requests.ts.push_back(slices.ts[row]);
    requests.dur.push_back(slices.dur[row]);
    requests.name.push_back(slices.name[row]);
    requests.status.push_back(text_arg(b.t.arg, slices.arg_set[row], b.words.status));
  }
}

// Finds the request row that a stage means by a request_id. Ids repeat across processes and restarts: the
// process must be the same where it is known, and the nearest in time wins.
class RequestFinder {
public:
  explicit RequestFinder(const Tables& t) : t_(t) {
    for (std::uint32_t r = 0; r < t.request.slice.size(); ++r)
      if (t.request.request_id[r] != -1)
        keys_.push_back({t.request.request_id[r], process_of(t, t.request.slice[r]), t.request.ts[r], r});
    std::ranges::sort(keys_);
  }
  [[nodiscard]] std::uint32_t find(std::int64_t request_id, std::uint32_t stage_slice) const {
    const std::uint32_t process = process_of(t_, stage_slice);
    const std::int64_t ts = t_.slice.ts[stage_slice];
    if (const std::uint32_t row = find_in(request_id, process, ts); row != kNoRow) return row;
    // A stage of a process that has no such request (a helper process, an unknown owner): right only when the
    // id is unique.
    const auto first =
        std::ranges::lower_bound(keys_, Key{request_id, 0, std::numeric_limits<std::int64_t>::min(), 0});
    if (first == keys_.end() || first->request_id != request_id) return kNoRow;
    const auto next = first + 1;
    const bool is_unique = next == keys_.end() || next->request_id != request_id;
    return is_unique ? first->row : kNoRow;
  }

private:
  struct Key {
    std::int64_t request_id = 0;
    std::uint32_t process = 0;
    std::int64_t ts = 0;
    std::uint32_t row = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  [[nodiscard]] std::uint32_t find_in(std::int64_t request_id, std::uint32_t process, std::int64_t ts) const {
    const auto is_mine = [&](auto it) { return it->request_id == request_id && it->process == process; };
    const auto after = std::ranges::upper_bound(keys_, Key{request_id, process, ts, kNoRow});
    const bool has_after = after != keys_.end() && is_mine(after);
    if (after == keys_.begin() || !is_mine(after - 1)) return has_after ? after->row : kNoRow;
    const auto before = after - 1;
    const std::int64_t before_end = before->ts + t_.request.dur[before->row];
    if (has_after && before_end < ts && after->ts - ts < ts - before_end) return after->row;
    return before->row;
  }
  const Tables& t_;
  std::vector<Key> keys_;
};

struct StageRow {
  std::uint32_t request = kNoRow;
  std::int64_t ts = 0;
  std::uint32_t slice = kNoRow;
};

std::uint32_t enclosing_request(const Building& b, std::uint32_t slice) {
  // Bounded: real nesting is shallow, and a hostile one must not make this quadratic.
  std::uint32_t at = b.t.slice.parent[slice];
  for (int steps = 0; at != kNoRow && steps < 256; ++steps, at = b.t.slice.parent[at]) {
    if (b.t.slice.category[at] != b.words.request) continue;
    const auto& requests = b.t.request;
    const auto first = std::ranges::lower_bound(requests.ts, b.t.slice.ts[at]);
    for (auto r = static_cast<std::size_t>(first - requests.ts.begin());
         r < requests.ts.size() && requests.ts[r] == b.t.slice.ts[at]; ++r)
      if (requests.slice[r] == at) return static_cast<std::uint32_t>(r);
  }
  return kNoRow;
}

void build_stages(Building& b) {
  const SliceTable& slices = b.t.slice;
  const RequestFinder finder(b.t);
  std::vector<StageRow> rows;
  std::int64_t orphans = 0;
  for (std::uint32_t i = 0; i < slices.ts.size(); ++i) {
    if (slices.category[i] != b.words.stage) continue;
    const std::size_t before = rows.size();
    const std::uint32_t set = slices.arg_set[i];
    for (std::uint32_t a = set == kNoRow ? 0 : b.t.arg.set_begin[set];
         set != kNoRow && a < b.t.arg.set_begin[set + 1]; ++a) {
      const auto* id = std::get_if<std::int64_t>(&b.t.arg.value[a]);
      if (b.t.arg.key[a] != b.words.request_id || id == nullptr) continue;
      rows.push_back({finder.find(*id, i), slices.ts[i], i});
    }
    if (rows.size() == before) rows.push_back({enclosing_request(b, i), slices.ts[i], i});
    for (std::size_t r = before; r < rows.size(); ++r)
      orphans += rows[r].request == kNoRow ? 1 : 0;
  }
  std::ranges::stable_sort(rows, [](const StageRow& x, const StageRow& y) {
    return std::tie(x.request, x.ts, x.slice) < std::tie(y.request, y.ts, y.slice);
  });
  const auto same = [](const StageRow& x, const StageRow& y) {
    return x.request != kNoRow && x.request == y.request && x.slice == y.slice;
  };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  StageTable& stages = b.t.stage;
  for (const StageRow& row : rows) {
    stages.slice.push_back(row.slice);
    stages.request.push_back(row.request);
    stages.name.push_back(slices.name[row.slice]);
    stages.wait_class.push_back(text_arg(b.t.arg, slices.arg_set[row.slice], b.words.wait_class));
    stages.ts.push_back(row.ts);
    stages.dur.push_back(slices.dur[row.slice]);
    stages.thread.push_back(thread_of(b.t, row.slice));
  }
  if (orphans > 0) b.add_note(Severity::info, "note.store.stage_without_request", {}, orphans);
}

// What is known of every slice on the way down its track.
struct Ancestry {
  std::vector<std::uint32_t> op_row; // nearest enclosing op (itself included), as a row of OpTable
  std::vector<std::uint32_t> stage;  // nearest enclosing stage slice (itself included)
  std::vector<std::uint32_t> linked; // stage slice that a flow into it or an ancestor comes from
};

void add_op(Building& b, std::uint32_t slice) {
  const SliceTable& slices = b.t.slice;
  OpTable& ops = b.t.op;
  ops.slice.push_back(slice);
  ops.thread.push_back(thread_of(b.t, slice));
  ops.name.push_back(slices.name[slice]);
  ops.op_type.push_back(text_arg(b.t.arg, slices.arg_set[slice], b.words.op_type));
  ops.model.push_back(text_arg(b.t.arg, slices.arg_set[slice], b.words.model));
  ops.ts.push_back(slices.ts[slice]);
  ops.dur.push_back(slices.dur[slice]);
  ops.self_dur.push_back(slices.dur[slice]);
}

// The child's part that lies inside the parent.
std::int64_t inside(const OpTable& ops, std::uint32_t parent, std::uint32_t child) {
  const std::int64_t end = std::min(ops.ts[parent] + ops.dur[parent], ops.ts[child] + ops.dur[child]);
  return std::max<std::int64_t>(0, end - ops.ts[child]);
}

void link_stages(const Building& b, Ancestry& up) {
  const SliceTable& slices = b.t.slice;
  const auto n = static_cast<std::uint32_t>(slices.ts.size());
  up.linked.assign(n, kNoRow);
  std::size_t flow = 0;
  const FlowTable& flows = b.t.flow; // sorted by slice_in
  for (std::uint32_t i = 0; i < n; ++i) {
    if (slices.parent[i] != kNoRow) up.linked[i] = up.linked[slices.parent[i]];
    for (; flow < flows.slice_in.size() && flows.slice_in[flow] == i; ++flow)
      if (const std::uint32_t from = up.stage[flows.slice_out[flow]]; from != kNoRow) up.linked[i] = from;
  }
}

// The stage that a slice works for: the one around it; one that a flow into it comes from; one of its thread
// at that time; one that covers its process at that time.
class StageFinder {
public:
  StageFinder(const Building& b, const Ancestry& up)
      : t_(b.t), up_(up),
        owners_(b.t, {.stage = b.words.stage, .covers = b.words.covers, .process = b.words.process}) {}
  [[nodiscard]] std::uint32_t find(std::uint32_t slice) const {
    if (up_.stage[slice] != kNoRow) return up_.stage[slice];
    if (up_.linked[slice] != kNoRow) return up_.linked[slice];
    const std::uint32_t track = t_.slice.track[slice];
    const std::int64_t ts = t_.slice.ts[slice];
    const std::uint32_t stage = owners_.at(track, ts).slice;
    if (stage == kNoRow || t_.slice.track[stage] != track || t_.slice.ts[stage] < ts) return stage;
    // A stage that begins with the slice and does not surround it lies inside it.
    const std::uint32_t before = owners_.at(track, ts - 1).slice;
    return before != kNoRow && t_.slice.ts[before] + t_.slice.dur[before] > ts ? before : kNoRow;
  }

private:
  const Tables& t_;
  const Ancestry& up_;
  StageOwners owners_;
};

void build_ops(Building& b) {
  const SliceTable& slices = b.t.slice;
  const auto n = static_cast<std::uint32_t>(slices.ts.size());
  Ancestry up;
  up.op_row.assign(n, kNoRow);
  up.stage.assign(n, kNoRow);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t parent = slices.parent[i];
    if (parent != kNoRow) {
      up.op_row[i] = up.op_row[parent];
      up.stage[i] = up.stage[parent];
    }
    if (slices.category[i] == b.words.stage) up.stage[i] = i;
    if (slices.category[i] != b.words.op) continue;
    const auto op = static_cast<std::uint32_t>(b.t.op.slice.size());
    add_op(b, i);
    if (up.op_row[i] != kNoRow) b.t.op.self_dur[up.op_row[i]] -= inside(b.t.op, up.op_row[i], op);
    up.op_row[i] = op;
  }
  link_stages(b, up);
  const StageFinder finder(b, up);
  OpTable& ops = b.t.op;
  ops.stage_slice.resize(ops.slice.size());
  for (std::size_t op = 0; op < ops.slice.size(); ++op) {
    ops.stage_slice[op] = finder.find(ops.slice[op]);
    ops.self_dur[op] = std::max<std::int64_t>(0, ops.self_dur[op]);
  }
  KernelTable& kernels = b.t.kernel;
  kernels.stage_slice.assign(kernels.ts.size(), kNoRow);
  for (std::size_t kernel = 0; kernel < kernels.ts.size(); ++kernel)
    if (kernels.launch[kernel] != kNoRow) kernels.stage_slice[kernel] = finder.find(kernels.launch[kernel]);
}

} // namespace

void seal_requests(Building& b) {
  build_requests(b);
  build_stages(b);
  build_ops(b);
}

} // namespace prof::detail
