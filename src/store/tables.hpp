// tables.hpp: the sealed columns. One struct per table; row ids are positions. Column vectors of a table have
// one length. kNoRow (0xffffffff) in an id column means "none". Times are ns on the trace clock.
#pragma once
#include "base/string_pool.hpp"
#include "trace/model.hpp"

#include <cstdint>
#include <vector>

namespace prof {

inline constexpr std::uint32_t kNoRow = 0xffffffffU;
template <class T>
using Column = std::vector<T>;

struct ProcessTable {
  Column<std::int64_t> pid;
  Column<StrId> name, cmdline;
};
struct ThreadTable {
  Column<std::int64_t> tid;
  Column<std::uint32_t> process;
  Column<StrId> name;
};
struct DeviceTable {
  Column<StrId> name;
  Column<DeviceKind> kind;
  Column<std::int64_t> index;
};
struct StreamTable {
  Column<std::uint32_t> device;
  Column<std::int64_t> number;
  Column<StrId> name;
};
struct TrackTable {
  Column<StrId> name;
  Column<TrackKind> kind;
  Column<std::uint32_t> thread, process, stream, parent;
};
// Sorted by (track, ts, -dur): a parent stands before its children. 47 bytes a row.
struct SliceTable {
  Column<std::int64_t> ts, dur;
  Column<std::uint32_t> track, parent; // parent: row in this table
  Column<StrId> name, category;
  Column<std::uint32_t> arg_set; // row in ArgTable's set index, kNoRow = no args
  Column<std::uint16_t> depth;   // 0 = outermost on its track
  Column<Layer> layer;
};
// Equal arg sets that come close together are one set: rows [set_begin[s], set_begin[s+1]) are the args of
// set s.
struct ArgTable {
  Column<std::uint32_t> set_begin; // one more entry than sets
  Column<StrId> key;
  Column<ArgValue> value;
};
struct FlowTable { // slice_out caused slice_in; kernel_in is set instead when the target is a kernel
  Column<std::uint32_t> slice_out, slice_in, kernel_in;
};
struct KernelTable { // sorted by (stream, ts)
  Column<std::int64_t> ts, dur;
  Column<std::uint32_t> stream, launch; // launch: slice row that launched it, kNoRow = not known
  Column<std::uint32_t> stage_slice;    // the stage that the launch was made for, kNoRow = none
  Column<StrId> name, op_type;
  Column<KernelKind> kind;
  Column<std::uint64_t> correlation;
  Column<std::int64_t> bytes;
  Column<std::uint32_t> arg_set;
};
struct RequestTable { // one row per slice of category "request", sorted by ts
  Column<std::uint32_t> slice;
  Column<std::int64_t> request_id; // as the service numbered it
  Column<std::int64_t> ts, dur;
  Column<StrId> name, status;
};
// One row per (stage slice, request served); a batch stage has several. Sorted by (request, ts).
struct StageTable {
  Column<std::uint32_t> slice, request; // request: row in RequestTable, kNoRow = request not recorded
  Column<StrId> name, wait_class;       // wait_class empty = working
  Column<std::int64_t> ts, dur;
  Column<std::uint32_t> thread; // kNoRow on async tracks
};
struct OpTable { // one row per slice of category "op", in slice order
  Column<std::uint32_t> slice, thread;
  Column<StrId> name, op_type, model;
  Column<std::int64_t> ts, dur, self_dur; // self_dur: without child ops
  Column<std::uint32_t> stage_slice;      // the stage it works for (seal_requests.cpp), kNoRow = none
};
struct CounterTrackTable {
  Column<StrId> name, unit;
  Column<std::int64_t> cpu; // -1 = none
  Column<std::uint32_t> thread, process, device;
};
struct CounterTable { // sorted by (track, ts)
  Column<std::int64_t> ts;
  Column<std::uint32_t> track;
  Column<double> value;
};
struct MappingTable {
  Column<StrId> path, build_id;
  Column<std::uint64_t> start, end, file_offset;
};
// Frames after symbolisation; inlined functions are frames of their own that share rel_pc.
struct FrameTable {
  Column<StrId> function, source_file; // function: "libfoo.so+0x1234" where no symbol is known
  Column<std::uint32_t> mapping, line;
  Column<std::uint64_t> rel_pc;
  Column<FrameKind> kind;
};
// Call stacks as a prefix tree: a stack is its leaf node; parent kNoRow = outermost.
struct CallstackTable {
  Column<std::uint32_t> parent, frame;
  Column<std::uint16_t> depth;
};
struct SampleTable { // sorted by ts
  Column<std::int64_t> ts, weight;
  Column<std::uint32_t> thread, callstack; // callstack kNoRow = no stack
  Column<std::int32_t> cpu;
  Column<StrId> event;
};
struct SchedTable { // what ran on each CPU; sorted by (cpu, ts); idle time has no rows
  Column<std::int64_t> ts, dur;
  Column<std::int32_t> cpu;
  Column<std::uint32_t> thread;
  Column<char> end_state;
};
// What each thread did: 'X' running on a CPU, 'R' runnable (woken), 'P' runnable (preempted), 'S' sleeping,
// 'D' uninterruptible, 'U' unknown. Sorted by (thread, ts); the states of a thread do not overlap.
struct ThreadStateTable {
  Column<std::int64_t> ts, dur;
  Column<std::uint32_t> thread;
  Column<char> state;
  Column<std::int32_t> cpu;           // when running, else -1
  Column<std::uint32_t> waker_thread; // of 'R', kNoRow = not known
  Column<std::uint32_t>
      sample; // for S and D: the context-switches sample taken when it blocked, kNoRow = none
};
struct SignalTable {
  Column<StrId> name, source, reason, mend, detail;
  Column<bool> is_available;
};
struct NoteTable {
  Column<Severity> severity;
  Column<StrId> code, where;
  Column<std::int64_t> count;
};
struct GapTable {
  Column<std::int64_t> ts, dur;
  Column<StrId> reason;
};
struct MetadataTable {
  Column<StrId> key, value;
};

struct Tables {
  ProcessTable process;
  ThreadTable thread;
  DeviceTable device;
  StreamTable stream;
  TrackTable track;
  SliceTable slice;
  ArgTable arg;
  FlowTable flow;
  KernelTable kernel;
  RequestTable request;
  StageTable stage;
  OpTable op;
  CounterTrackTable counter_track;
  CounterTable counter;
  MappingTable mapping;
  FrameTable frame;
  CallstackTable callstack;
  SampleTable sample;
  SchedTable sched;
  ThreadStateTable thread_state;
  SignalTable signal;
  NoteTable note;
  GapTable gap;
  MetadataTable metadata;
};

} // namespace prof
