// building.hpp: a trace while it is being built, and the steps that seal it. Private to src/store.
#pragma once
#include "store/row_index.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace prof::detail {

// Times beyond this (73 years either way) are refused, so that no difference of two times overflows.
inline constexpr std::int64_t kMaxTime = std::int64_t{1} << 61;
// What a producer writes for an interval that had not ended when recording stopped (Perfetto's convention).
inline constexpr std::int64_t kOpenEnd = -1;
// A table holds fewer rows than this: ids are 32 bits and kNoRow is taken.
inline constexpr std::size_t kMaxRows = 0xfffffff0U;
inline constexpr std::size_t kMaxStackDepth = 4096;

struct RawFlow {
  std::uint64_t id = 0;
  std::uint32_t row = 0; // slice or kernel row as added
  bool is_out = false;
  bool is_kernel = false;
};
struct RawSymbol {
  StrId path;
  std::uint64_t rel_pc = 0;
  std::int32_t inline_depth = 0;
  StrId function, source_file;
  std::uint32_t line = 0;
};
struct RawSwitch {
  std::int64_t ts = 0, prev_tid = 0, next_tid = 0;
  std::int32_t cpu = 0;
  StrId next_comm;
  char prev_state = 'S';
};
struct RawWakeup {
  std::int64_t ts = 0, tid = 0, waker_tid = 0;
};
// Texts that every store needs by id.
struct WordIds {
  StrId request, stage, op, run, lock;
  StrId request_id, status, wait_class, op_type, model, covers, process;
  StrId event_switch, event_cpu, event_fault;
};

struct Building {
  Building();

  StringPool strings;
  Tables t;
  WordIds words;
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();

  std::unordered_map<std::int64_t, std::uint32_t> process_of_pid, thread_of_tid;
  RowIndex thread_index, device_index, stream_index, counter_track_index, mapping_index, frame_index,
      node_index, note_index, signal_index, metadata_index;
  RecentRows arg_index;
  std::vector<std::uint32_t> track_of_thread;
  std::vector<RawFlow> flows;
  std::vector<RawSymbol> symbols;
  std::vector<RawSwitch> switches;
  std::vector<RawWakeup> wakeups;
  std::vector<std::uint64_t> kernel_flow;
  // Call stacks as they came (before symbols): a prefix tree of raw frames.
  FrameTable raw_frame;
  std::vector<std::uint32_t> node_parent, node_frame;
  std::vector<std::uint16_t> node_depth;
  bool has_open_ends = false;

  void add_note(Severity severity, std::string_view code, std::string_view where = {},
                std::int64_t count = 1);
  void merge_note(const Note& row);
  // Widens the trace's range; false (and a note) when a time is out of range.
  bool see(std::int64_t ts, std::int64_t dur);
  std::uint32_t arg_set(std::span<const Arg> args);
  std::uint32_t thread_row(std::uint32_t process, std::int64_t tid, StrId name);
  // The thread of a bare tid, as the scheduler names it; made when new.
  std::uint32_t thread_by_tid(std::int64_t tid, StrId comm);
};

// Makes room for `more` rows in a column of a trace's longest table. Doubling copies every row and touches
// twice the pages; room beyond the rows is address space only, so up to a limit more of it is taken at once.
template <class T>
void make_room(Column<T>& column, std::size_t more) {
  constexpr std::size_t kLong = std::size_t{1} << 16, kFactor = 8, kMaxBytes = std::size_t{256} << 20;
  const std::size_t rows = column.size() + more;
  if (rows <= column.capacity() || rows < kLong || rows * sizeof(T) * kFactor > kMaxBytes) return;
  column.reserve(rows * kFactor);
}

// The columns of `order`ed rows: new row i is old row order[i].
template <class T>
void permute(Column<T>& column, const std::vector<std::uint32_t>& order) {
  Column<T> sorted(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    sorted[i] = column[order[i]];
  column.swap(sorted);
}
// Row order sorted by (group, less), stable; empty when the rows already stand so. Groups are dense small
// numbers.
template <class Less>
std::vector<std::uint32_t> grouped_order(const Column<std::uint32_t>& group, std::size_t groups, Less&& less);

// The steps of seal(), in this order. Each leaves its tables final.
std::vector<std::uint32_t> seal_slices(Building& b); // returns old row -> new row, empty = unchanged
void seal_kernels_and_flows(Building& b, const std::vector<std::uint32_t>& new_row);
void seal_requests(Building& b); // request, stage, op
void seal_counters(Building& b);
void seal_samples(Building& b); // frames, call stacks, samples
void seal_sched(Building& b);   // sched, thread_state
void seal_signals(Building& b);
void seal_end(Building& b); // a recording that was cut off says so

template <class Less>
std::vector<std::uint32_t> grouped_order(const Column<std::uint32_t>& group, std::size_t groups,
                                         Less&& less) {
  const std::size_t n = group.size();
  bool is_sorted = true;
  for (std::size_t i = 1; i < n && is_sorted; ++i) {
    if (group[i] != group[i - 1])
      is_sorted = group[i] > group[i - 1];
    else
      is_sorted = !less(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i - 1));
  }
  if (is_sorted) return {};
  std::vector<std::size_t> begin(groups + 1, 0);
  for (const std::uint32_t g : group)
    ++begin[g + 1];
  for (std::size_t g = 0; g < groups; ++g)
    begin[g + 1] += begin[g];
  std::vector<std::uint32_t> order(n);
  {
    std::vector<std::size_t> at(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < n; ++i)
      order[at[group[i]]++] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t g = 0; g < groups; ++g) {
    const auto from = order.begin() + static_cast<std::ptrdiff_t>(begin[g]);
    const auto to = order.begin() + static_cast<std::ptrdiff_t>(begin[g + 1]);
    if (!std::is_sorted(from, to, less)) std::stable_sort(from, to, less);
  }
  return order;
}

} // namespace prof::detail
