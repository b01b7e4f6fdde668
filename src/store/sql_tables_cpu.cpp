// Tables of what the CPUs did: samples, call stacks, scheduling.
#include "store/sql_tables.hpp"

#include <array>

namespace prof {
namespace {

using D = SqlData;
using R = std::uint32_t;
using I = std::int64_t;
using K = ColumnKind;

I row_id(D&, R row) {
  return row;
}
std::string_view frame_kind(I number) {
  static constexpr std::array<std::string_view, 4> kWords{"native", "kernel", "interpreted", "jit"};
  return kWords.at(static_cast<std::size_t>(number));
}
std::string_view state_word(I letter) {
  switch (letter) {
  case 'X':
    return "running";
  case 'R':
    return "runnable";
  case 'P':
    return "preempted";
  case 'S':
    return "sleeping";
  case 'D':
    return "blocked";
  default:
    return "unknown";
  }
}
// Every byte as a text of its own, for the kernel's state letters.
std::string_view letter(I number) {
  static const std::array<char, 256> kLetters = [] {
    std::array<char, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = i > 32 && i < 127 ? static_cast<char>(i) : '?';
    return all;
  }();
  return {&kLetters[static_cast<unsigned char>(number)], 1};
}

constexpr ColumnDef kSample[] = {
    {"id", K::integer, "row number, in order of time", row_id},
    {"ts", K::integer, "when, ns", [](D& d, R r) -> I { return d.t().sample.ts[r]; }},
    {"thread_id", K::id, "thread.id", [](D& d, R r) -> I { return d.t().sample.thread[r]; }},
    {"cpu", K::optional, "CPU number", [](D& d, R r) -> I { return d.t().sample.cpu[r]; }},
    {"callstack_id", K::id, "callstack.id of the leaf; NULL = no stack",
     [](D& d, R r) -> I { return d.t().sample.callstack[r]; }},
    {"event", K::text, "cpu-clock, page-faults, context-switches, major-faults ...",
     [](D& d, R r) -> I { return d.t().sample.event[r].row; }},
    {"weight", K::integer, "ns for cpu-clock, events for the others",
     [](D& d, R r) -> I { return d.t().sample.weight[r]; }},
};
constexpr ColumnDef kCallstack[] = {
    {"id", K::integer, "row number; a caller's is smaller than its callees'", row_id},
    {"parent_id", K::id, "callstack.id of the caller; NULL = outermost",
     [](D& d, R r) -> I { return d.t().callstack.parent[r]; }},
    {"frame_id", K::id, "frame.id", [](D& d, R r) -> I { return d.t().callstack.frame[r]; }},
    {"depth", K::integer, "0 = outermost", [](D& d, R r) -> I { return d.t().callstack.depth[r]; }},
};
constexpr ColumnDef kFrame[] = {
    {"id", K::integer, "row number", row_id},
    {"function", K::text, "function; file+0xaddress where no symbol is known",
     [](D& d, R r) -> I { return d.t().frame.function[r].row; }},
    {"source_file", K::text, "source file; empty = not known",
     [](D& d, R r) -> I { return d.t().frame.source_file[r].row; }},
    {"line", K::integer, "source line; NULL = not known",
     [](D& d, R r) -> I { return d.t().frame.line[r] == 0 ? kSqlNull : d.t().frame.line[r]; }},
    {"mapping_id", K::id, "mapping.id", [](D& d, R r) -> I { return d.t().frame.mapping[r]; }},
    {"rel_pc", K::integer, "address of the instruction in its file",
     [](D& d, R r) -> I { return static_cast<I>(d.t().frame.rel_pc[r]); }},
    {"kind", K::word, "native, kernel, interpreted or jit",
     [](D& d, R r) -> I { return static_cast<I>(d.t().frame.kind[r]); }, frame_kind},
};
constexpr ColumnDef kMapping[] = {
    {"id", K::integer, "row number", row_id},
    {"path", K::text, "file", [](D& d, R r) -> I { return d.t().mapping.path[r].row; }},
    {"build_id", K::text, "build id, lower-case hex",
     [](D& d, R r) -> I { return d.t().mapping.build_id[r].row; }},
    {"start", K::integer, "first address in the process",
     [](D& d, R r) -> I { return static_cast<I>(d.t().mapping.start[r]); }},
    {"end", K::integer, "address behind the last (a keyword of SQL: write \"end\")",
     [](D& d, R r) -> I { return static_cast<I>(d.t().mapping.end[r]); }},
    {"file_offset", K::integer, "offset in the file of the first byte",
     [](D& d, R r) -> I { return static_cast<I>(d.t().mapping.file_offset[r]); }},
};
constexpr ColumnDef kSched[] = {
    {"id", K::integer, "row number", row_id},
    {"ts", K::integer, "start, ns", [](D& d, R r) -> I { return d.t().sched.ts[r]; }},
    {"dur", K::integer, "length, ns", [](D& d, R r) -> I { return d.t().sched.dur[r]; }},
    {"cpu", K::integer, "CPU number", [](D& d, R r) -> I { return d.t().sched.cpu[r]; }},
    {"thread_id", K::id, "thread.id", [](D& d, R r) -> I { return d.t().sched.thread[r]; }},
    {"end_state", K::word, "state it left the CPU in: R (preempted), S, D, X ...; U = recording ended",
     [](D& d, R r) -> I { return d.t().sched.end_state[r]; }, letter},
};
constexpr ColumnDef kThreadState[] = {
    {"id", K::integer, "row number", row_id},
    {"ts", K::integer, "start, ns", [](D& d, R r) -> I { return d.t().thread_state.ts[r]; }},
    {"dur", K::integer, "length, ns", [](D& d, R r) -> I { return d.t().thread_state.dur[r]; }},
    {"thread_id", K::id, "thread.id", [](D& d, R r) -> I { return d.t().thread_state.thread[r]; }},
    {"state", K::word, "running, runnable (woken), preempted, sleeping, blocked (uninterruptible) or unknown",
     [](D& d, R r) -> I { return d.t().thread_state.state[r]; }, state_word},
    {"cpu", K::optional, "CPU number while running",
     [](D& d, R r) -> I { return d.t().thread_state.cpu[r]; }},
    {"waker_thread_id", K::id, "thread.id of who woke it, for runnable",
     [](D& d, R r) -> I { return d.t().thread_state.waker_thread[r]; }},
    {"sample_id", K::id, "sample.id of the stack it blocked with, for sleeping and blocked",
     [](D& d, R r) -> I { return d.t().thread_state.sample[r]; }},
};

constexpr TableDef kTables[] = {
    {"sample", "Observations of threads: CPU samples, page faults, context switches.", kSample,
     [](D& d) { return d.t().sample.ts.size(); }, true, false, -1, 1},
    {"callstack", "Call stacks as a tree: a stack is its leaf.", kCallstack,
     [](D& d) { return d.t().callstack.frame.size(); }},
    {"frame", "Places in code; inlined functions have rows of their own.", kFrame,
     [](D& d) { return d.t().frame.function.size(); }},
    {"mapping", "Files mapped into processes.", kMapping, [](D& d) { return d.t().mapping.path.size(); }},
    {"sched", "What ran on each CPU, sorted by CPU, then start; idle time has no rows.", kSched,
     [](D& d) { return d.t().sched.ts.size(); }, true, false, 3, 1},
    {"thread_state", "What each thread did, sorted by thread, then start.", kThreadState,
     [](D& d) { return d.t().thread_state.ts.size(); }, true, false, 3, 1},
};

} // namespace

std::span<const TableDef> detail::sql_cpu_tables() {
  return kTables;
}

} // namespace prof
