// Tables of what the CPUs did: samples, call stacks, scheduling.
#include "store/sql_column.hpp"
#include "trace/enum_words.hpp"
#include "trace/thread_state.hpp"

#include <array>

namespace prof {
namespace {

using detail::column;
using detail::nth_word;
using detail::row_count;
using detail::row_id;
using D = SqlData;
using R = std::uint32_t;
using I = std::int64_t;
using K = ColumnKind;

std::string_view state_word(I letter) {
  return thread_state_word(static_cast<char>(letter));
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
    {"ts", K::integer, "when, ns", column<&Tables::sample, &SampleTable::ts>},
    {"thread_id", K::id, "thread.id", column<&Tables::sample, &SampleTable::thread>},
    {"cpu", K::optional, "CPU number", column<&Tables::sample, &SampleTable::cpu>},
    {"callstack_id", K::id, "callstack.id of the leaf; NULL = no stack",
     column<&Tables::sample, &SampleTable::callstack>},
    {"event", K::text, "cpu-clock, page-faults, context-switches, major-faults ...",
     column<&Tables::sample, &SampleTable::event>},
    {"weight", K::integer, "ns for cpu-clock, events for the others",
     column<&Tables::sample, &SampleTable::weight>},
};
constexpr ColumnDef kCallstack[] = {
    {"id", K::integer, "row number; a caller's is smaller than its callees'", row_id},
    {"parent_id", K::id, "callstack.id of the caller; NULL = outermost",
     column<&Tables::callstack, &CallstackTable::parent>},
    {"frame_id", K::id, "frame.id", column<&Tables::callstack, &CallstackTable::frame>},
    {"depth", K::integer, "0 = outermost", column<&Tables::callstack, &CallstackTable::depth>},
};
constexpr ColumnDef kFrame[] = {
    {"id", K::integer, "row number", row_id},
    {"function", K::text, "function; file+0xaddress where no symbol is known",
     column<&Tables::frame, &FrameTable::function>},
    {"source_file", K::text, "source file; empty = not known",
     column<&Tables::frame, &FrameTable::source_file>},
    {"line", K::integer, "source line; NULL = not known",
     [](D& d, R r) -> I { return d.t().frame.line[r] == 0 ? kSqlNull : d.t().frame.line[r]; }},
    {"mapping_id", K::id, "mapping.id", column<&Tables::frame, &FrameTable::mapping>},
    {"rel_pc", K::integer, "address of the instruction in its file",
     column<&Tables::frame, &FrameTable::rel_pc>},
    {"kind", K::word, "native, kernel, interpreted or jit", column<&Tables::frame, &FrameTable::kind>,
     nth_word<kFrameKindWords>},
};
constexpr ColumnDef kMapping[] = {
    {"id", K::integer, "row number", row_id},
    {"path", K::text, "file", column<&Tables::mapping, &MappingTable::path>},
    {"build_id", K::text, "build id, lower-case hex", column<&Tables::mapping, &MappingTable::build_id>},
    {"start", K::integer, "first address in the process", column<&Tables::mapping, &MappingTable::start>},
    {"end", K::integer, "address behind the last (a keyword of SQL: write \"end\")",
     column<&Tables::mapping, &MappingTable::end>},
    {"file_offset", K::integer, "offset in the file of the first byte",
     column<&Tables::mapping, &MappingTable::file_offset>},
};
constexpr ColumnDef kSched[] = {
    {"id", K::integer, "row number", row_id},
    {"ts", K::integer, "start, ns", column<&Tables::sched, &SchedTable::ts>},
    {"dur", K::integer, "length, ns", column<&Tables::sched, &SchedTable::dur>},
    {"cpu", K::integer, "CPU number", column<&Tables::sched, &SchedTable::cpu>},
    {"thread_id", K::id, "thread.id", column<&Tables::sched, &SchedTable::thread>},
    {"end_state", K::word, "state it left the CPU in: R (preempted), S, D, X ...; U = recording ended",
     column<&Tables::sched, &SchedTable::end_state>, letter},
};
I blocked_for(D& d, R row) {
  const ThreadStateTable& states = d.t().thread_state;
  if (states.state[row] != 'S' && states.state[row] != 'D') return kSqlNull;
  const auto reason = d.off_cpu().reason(states.sample[row], states.state[row] == 'D');
  return reason ? static_cast<I>(*reason) : kSqlNull;
}
std::string_view reason_word(I time_class) {
  return word(static_cast<TimeClass>(time_class));
}
constexpr ColumnDef kThreadState[] = {
    {"id", K::integer, "row number", row_id},
    {"ts", K::integer, "start, ns", column<&Tables::thread_state, &ThreadStateTable::ts>},
    {"dur", K::integer, "length, ns", column<&Tables::thread_state, &ThreadStateTable::dur>},
    {"thread_id", K::id, "thread.id", column<&Tables::thread_state, &ThreadStateTable::thread>},
    {"state", K::word, "running, runnable (woken), preempted, sleeping, blocked (uninterruptible) or unknown",
     column<&Tables::thread_state, &ThreadStateTable::state>, state_word},
    {"cpu", K::optional, "CPU number while running", column<&Tables::thread_state, &ThreadStateTable::cpu>},
    {"waker_thread_id", K::id, "thread.id of who woke it, for runnable",
     column<&Tables::thread_state, &ThreadStateTable::waker_thread>},
    {"sample_id", K::id, "sample.id of the stack it blocked with, for sleeping and blocked",
     column<&Tables::thread_state, &ThreadStateTable::sample>},
    {"reason", K::word,
     "what that stack says it blocked for: lock_wait, io, page_fault, network or sleeping (a timer); NULL = "
     "it "
     "does not say",
     blocked_for, reason_word},
};

constexpr TableDef kTables[] = {
    {"sample", "Observations of threads: CPU samples, page faults, context switches.", kSample,
     row_count<&Tables::sample, &SampleTable::ts>, true, false, -1, 1},
    {"callstack", "Call stacks as a tree: a stack is its leaf.", kCallstack,
     row_count<&Tables::callstack, &CallstackTable::frame>},
    {"frame", "Places in code; inlined functions have rows of their own.", kFrame,
     row_count<&Tables::frame, &FrameTable::function>},
    {"mapping", "Files mapped into processes.", kMapping, row_count<&Tables::mapping, &MappingTable::path>},
    {"sched", "What ran on each CPU, sorted by CPU, then start; idle time has no rows.", kSched,
     row_count<&Tables::sched, &SchedTable::ts>, true, false, 3, 1},
    {"thread_state", "What each thread did, sorted by thread, then start.", kThreadState,
     row_count<&Tables::thread_state, &ThreadStateTable::ts>, true, false, 3, 1},
};

} // namespace

std::span<const TableDef> detail::sql_cpu_tables() {
  return kTables;
}

} // namespace prof
