// process.hpp: the writer's side of one process: its file, names, operators and threads. Private to the SDK
// and its shim. No allocation from the heap and no C++ run-time library: this code lives in other people's
// programs.
#pragma once
#include "sdk/lock.hpp"
#include "sdk/prof_sdk.h"
#include "sdk/ring_layout.hpp"
#include "sdk/ticks.hpp"

namespace prof::sdk {

// A thread's own end of its ring. Lives in a fixed pool, one per slot.
struct ThreadRing {
  RingRecord* ring = nullptr;
  SlotControl* control = nullptr;
  std::uint64_t head = 0;
  std::uint64_t limit = 0; // head may grow to here before refill() looks again
  std::uint64_t ready = 0; // records of the first lap that have memory
  std::uint32_t epoch = 0;
  std::uint32_t depth = 0;    // open spans
  std::uint32_t suppress = 0; // open spans of requests that are not sampled
  std::uint32_t stages = 0;   // open stages
  std::uint32_t slot = 0;
  prof_request attached = 0;
  std::uint64_t dropped = 0;
};

struct Process {
  RingHeader* header = nullptr;
  SlotControl* slots = nullptr;
  char* names = nullptr;
  RingOp* ops = nullptr;
  ClockKind clock = ClockKind::monotonic_ns;
  std::uint32_t slot_count = 0;
  int fd = -1;
  std::uint64_t file_dev = 0, file_ino = 0; // to notice that a daemon closed our descriptor
  std::uint32_t names_ready = 0;            // bytes that have memory
  std::uint32_t ops_ready = 0;              // bytes
  bool is_disabled = false;                 // could not register: stays off
  Lock lock;                                // registration, new names, new threads
  std::atomic<std::uint64_t> last_request{0};
  char path[128] = {};
};
extern Process g_process;

// Registers this process if it is not yet. False: it cannot be (no shared memory, PROF_SDK=off).
[[nodiscard]] bool register_process();
// Points the word of every copy of the SDK at `word`.
void point_words_at(const std::uint32_t* word);
// The registry folder of this user, made if absent; false when there is none that only the owner can write.
[[nodiscard]] bool registry_folder(char* out, std::size_t size);
// Removes files of processes that are gone from the registry folder, and this pid's of an earlier exec.
void remove_stale_files(const char* folder);
// Takes memory for [offset, offset + bytes) of the file, so that a full /dev/shm is an error here and not a
// SIGBUS later.
[[nodiscard]] bool take_memory(std::uint64_t offset, std::uint64_t bytes);
// Field 22 of /proc/PID/stat, 0 when it cannot be read.
[[nodiscard]] std::uint64_t start_time_of(std::uint32_t pid);
[[nodiscard]] std::uint64_t pid_namespace();

// names.cpp
[[nodiscard]] prof_name intern(const char* text, std::size_t length);
[[nodiscard]] prof_op define_op(const prof_op_info* info);
[[nodiscard]] prof_op define_op_ids(const RingOp& row);
// The text of an id; empty for an unknown one. Lives as long as the process.
struct Text {
  const char* data = "";
  std::uint32_t length = 0;
};
[[nodiscard]] Text name_text(prof_name name);
// Takes over names and operators of the parent, so that ids kept in static variables stay true after fork().
void copy_tables_from(const RingHeader* old_header);

// thread.cpp: the ring of this thread, or null while nobody records (or no slot is free). `word` = the shared
// word.
[[nodiscard]] ThreadRing* thread_ring_slow();
extern __thread ThreadRing* t_ring __attribute__((tls_model("initial-exec")));
[[nodiscard]] inline ThreadRing* thread_ring() {
  ThreadRing* ring = t_ring;
  const std::uint32_t word =
      __atomic_load_n(__atomic_load_n(&prof_sdk_word, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  if (__builtin_expect(ring != nullptr && ring->epoch == word, 1)) return ring;
  return word == 0 ? nullptr : thread_ring_slow();
}
// After fork(), in the child: no thread has a ring.
void forget_threads();
// Makes room for one more record, or counts a drop. `is_end`: may use the reserve.
[[nodiscard]] bool refill(ThreadRing& ring, bool is_end);

[[nodiscard]] inline RingRecord* next_record(ThreadRing& ring, bool is_end = false) {
  if (__builtin_expect(ring.head >= ring.limit, 0) && !refill(ring, is_end)) return nullptr;
  return &ring.ring[ring.head & (kRingRecords - 1)];
}
inline void publish(ThreadRing& ring) {
  ring.head += 1;
  ring.control->head.store(ring.head, std::memory_order_release);
}

// heap.cpp: at most once a second, records what the C library's heap holds. Called at the end of a request or
// run.
void heap_tick();

[[nodiscard]] const prof_sdk_table* own_table();

} // namespace prof::sdk
