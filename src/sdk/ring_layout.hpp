// ring_layout.hpp: the shared-memory file between an annotated process (writer) and the profiler (reader).
// Version 2.
//
//   RingHeader | SlotControl[slot_count] | names | RingOp[op_count] | rings: slot_count x ring_records x
//   RingRecord
//
// One file per process image: <registry>/<pid>-<hex>.ring, sparse; pages are taken when first used.
// Everything little-endian, as both sides run on one machine. The reader must treat the content as hostile:
// any index may be wrong.
#pragma once
#include <atomic>
#include <cstdint>

namespace prof::sdk {

inline constexpr char kRingMagic[8] = {'P', 'R', 'O', 'F', 'R', 'N', 'G', '1'};
inline constexpr std::uint32_t kRingVersion = 2;
inline constexpr std::uint32_t kSlotCount = 512;         // threads of a process that are recorded at once
inline constexpr std::uint32_t kRingRecords = 64 * 1024; // 2 MiB per thread: 100 ms at 655 k operators/s
inline constexpr std::uint32_t kChunkRecords = 2048; // 64 KiB: memory is taken in such steps in the first lap
inline constexpr std::uint32_t kNamesBytes = 8 * 1024 * 1024;
inline constexpr std::uint32_t kOpCount = 64 * 1024;
inline constexpr std::uint32_t kMaxNameBytes = 16 * 1024;
inline constexpr std::uint32_t kMaxDepth = 200;        // open spans of one thread
inline constexpr std::uint32_t kReservedRecords = 256; // kept free for the ends of open spans: > kMaxDepth
inline constexpr std::uint64_t kUnsampledBit = 1ull << 63; // of a prof_request
inline constexpr std::uint32_t kSampleAll = 0xffffffffu;

enum class ClockKind : std::uint32_t { monotonic_ns = 0, tsc = 1 };

enum class RecordKind : std::uint8_t {
  none = 0,
  thread = 1,        // first record of a thread after an attach. a = tid, b = epoch, name = thread name
  span_begin = 2,    // flags = prof_span_kind, name, depth; a = first request (kind stage) or 0
  span_request = 3,  // a = a further request of the span at depth
  span_arg = 4,      // name = key, flags = prof_arg_type, a = value bits (text: name id), depth
  span_end = 5,      // depth
  flow_out = 6,      // a = flow, depth
  flow_in = 7,       // a = flow, depth
  request_begin = 8, // a = request, name
  request_end = 9,   // a = request, flags = prof_status
  async = 10,      // ts = begin, a = end, b = request, name, flags = prof_span_kind, depth = prof_wait_class
  counter = 11,    // a = double bits, name, b = unit name id
  op = 12,         // ts = begin, a = end, name = prof_op
  lock = 13,       // ts = begin, a = end, b = address, name = owner's tid
  wait_begin = 14, // ts = begin, b = request, name, depth = prof_wait_class; an async with the same ts
                   // follows at its end
};

struct RingRecord {
  std::uint64_t ts; // ticks
  std::uint64_t a;
  std::uint64_t b;
  std::uint32_t name;
  RecordKind kind;
  std::uint8_t flags;
  std::uint16_t depth;
};
static_assert(sizeof(RingRecord) == 32);

// What prof_op_define keeps: name ids.
struct RingOp {
  std::uint32_t name, op_type, model, provider, input_shapes, output_shapes, input_dtypes, reserved;
};
static_assert(sizeof(RingOp) == 32);

// Two cache lines, so that the reader's tail does not slow the writer's head.
struct SlotControl {
  alignas(64) std::atomic<std::uint64_t> head; // records written; writer
  std::atomic<std::uint64_t> dropped;          // records that found no room; writer
  std::atomic<std::uint32_t> state;            // SlotState; writer
  alignas(64) std::atomic<std::uint64_t> tail; // records taken; reader
};
static_assert(sizeof(SlotControl) == 128);
enum class SlotState : std::uint32_t { free = 0, used = 1, exited = 2 };

// What the preloaded shim has to say about ONNX Runtime.
enum class HookState : std::uint32_t { no_shim = 0, no_library = 1, hooked = 2, refused = 3 };

struct RingHeader {
  char magic[8];
  std::uint32_t version, slot_count, ring_records, op_count;
  std::uint64_t slots_offset, names_offset, ops_offset, rings_offset, file_bytes;
  std::uint64_t names_bytes;
  std::uint32_t pid, uid;
  std::uint64_t pid_start;   // field 22 of /proc/PID/stat: tells a reused pid
  std::uint64_t pid_ns;      // inode of /proc/self/ns/pid: pids of other namespaces say nothing here
  std::uint8_t image_id[16]; // AT_RANDOM: new at each exec
  ClockKind clock;
  std::uint32_t reserved;
  std::uint64_t base_ticks; // taken together at registration
  std::int64_t base_ns;     // CLOCK_MONOTONIC

  // Written by the profiler.
  alignas(64) std::atomic<std::uint32_t> word; // 0 = off, else the epoch of the attachment. The line every
                                               // call reads.
  std::atomic<std::uint32_t> sampling;         // a request is detailed when its hash is <= this
  alignas(64) std::atomic<std::int64_t> heartbeat_ns; // CLOCK_MONOTONIC, at each poll
  std::atomic<std::uint32_t> profiler_pid;
  std::atomic<std::uint32_t> last_epoch;
  std::atomic<std::uint64_t> profiler_start;

  // Written by the process.
  alignas(64) std::atomic<std::uint32_t> names_used; // bytes
  std::atomic<std::uint32_t> ops_used;               // rows; row 0 is none
  std::atomic<std::uint32_t> service;                // name id
  std::atomic<std::uint32_t> slots_used;             // highest slot ever used + 1
  std::atomic<std::uint64_t> names_lost, ops_lost, threads_refused, memory_refused;
  std::atomic<HookState> hook_state;
  std::atomic<std::uint32_t> hook_version, hook_detail; // name ids: "1.29.0", why refused
  std::atomic<std::uint32_t> hook_count;                // operator classes hooked
  std::atomic<std::uint32_t> parent_pid;     // of the registered process that forked this one, or 0
  std::atomic<std::uint64_t> spans_too_deep; // spans deeper than kMaxDepth, left out

  // Written by the profiler; 0 from one that is older than this field.
  alignas(64) std::atomic<std::uint64_t> profiler_ns; // as pid_ns
};
inline constexpr std::uint64_t kHeaderBytes = 4096;
static_assert(sizeof(RingHeader) <= kHeaderBytes);

// names: at offset id * 8 of the region: u32 length, the bytes, padding to 8. Id 0 is the empty text.
inline constexpr std::uint32_t kNameAlign = 8;

} // namespace prof::sdk
