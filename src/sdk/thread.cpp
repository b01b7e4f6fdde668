#include "sdk/process.hpp"

#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace prof::sdk {

__thread ThreadRing* t_ring __attribute__((tls_model("initial-exec"))) = nullptr;

namespace {

// A thread that found no slot: counted once an attachment, and it looks again only now and then, as looking
// takes the lock.
struct Refusal {
  std::uint32_t epoch;
  std::int64_t again_ns;
};
__thread Refusal t_refusal __attribute__((tls_model("initial-exec"))) = {0, 0};
constexpr std::int64_t kLookAgainNs = 10'000'000;

ThreadRing g_rings[kSlotCount];
pthread_key_t g_exit_key;
bool g_has_exit_key = false;

// Runs as the thread ends; a later call of the SDK in that thread claims a slot again, and this runs again.
void on_thread_exit(void* value) {
  auto* ring = static_cast<ThreadRing*>(value);
  if (t_ring == ring) t_ring = nullptr;
  if (g_process.header == nullptr || ring->control == nullptr) return;
  ring->control->state.store(static_cast<std::uint32_t>(SlotState::exited), std::memory_order_release);
}

bool is_free(std::uint32_t slot) {
  SlotControl& control = g_process.slots[slot];
  const auto state = static_cast<SlotState>(control.state.load(std::memory_order_acquire));
  if (state == SlotState::free) return true;
  // Records of the thread that ended must be taken first, as the reader credits them to it.
  return state == SlotState::exited &&
         control.head.load(std::memory_order_relaxed) == control.tail.load(std::memory_order_acquire);
}

// With the lock held.
ThreadRing* claim_slot() {
  RingHeader& h = *g_process.header;
  for (std::uint32_t slot = 0; slot < g_process.slot_count; ++slot) {
    if (!is_free(slot)) continue;
    ThreadRing& ring = g_rings[slot];
    const std::uint64_t bytes = std::uint64_t{kRingRecords} * sizeof(RingRecord);
    const std::uint64_t offset = h.rings_offset + slot * bytes;
    if (ring.ring == nullptr) {
      if (!take_memory(offset, kChunkRecords * sizeof(RingRecord))) break;
      void* map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, g_process.fd,
                       static_cast<off_t>(offset));
      if (map == MAP_FAILED) break;
      ring.ring = static_cast<RingRecord*>(map);
      madvise(map, kChunkRecords * sizeof(RingRecord), MADV_POPULATE_WRITE);
      ring.ready = kChunkRecords;
    }
    ring.control = &g_process.slots[slot];
    ring.slot = slot;
    ring.head = ring.control->head.load(std::memory_order_relaxed);
    ring.dropped = ring.control->dropped.load(std::memory_order_relaxed);
    ring.limit = ring.head; // the first record looks
    ring.epoch = 0;
    ring.control->state.store(static_cast<std::uint32_t>(SlotState::used), std::memory_order_release);
    if (slot + 1 > h.slots_used.load(std::memory_order_relaxed))
      h.slots_used.store(slot + 1, std::memory_order_release);
    return &ring;
  }
  return nullptr;
}

ThreadRing* claim_ring() {
  const Held held(g_process.lock);
  if (g_process.header == nullptr) return nullptr;
  if (!g_has_exit_key) g_has_exit_key = pthread_key_create(&g_exit_key, on_thread_exit) == 0;
  ThreadRing* ring = claim_slot();
  t_ring = ring;
  if (ring != nullptr && g_has_exit_key) pthread_setspecific(g_exit_key, ring);
  return ring;
}

// The first record after an attachment says whose records follow; without it the epoch is not entered.
bool enter_epoch(ThreadRing& ring, std::uint32_t epoch) {
  char name[17] = {};
  prctl(PR_GET_NAME, name);
  const prof_name name_id = intern(name, std::strlen(name));
  RingRecord* record = next_record(ring, true);
  if (record == nullptr) return false;
  *record = {.ts = read_ticks(g_process.clock),
             .a = static_cast<std::uint64_t>(syscall(SYS_gettid)),
             .b = epoch,
             .name = name_id,
             .kind = RecordKind::thread,
             .flags = 0,
             .depth = 0};
  publish(ring);
  ring.epoch = epoch;
  ring.depth = 0;
  ring.suppress = 0;
  ring.stages = 0;
  ring.attached = 0;
  return true;
}

// Nobody has taken anything for long: the profiler died without switching us off.
constexpr std::int64_t kLeaseNs = 10'000'000'000;
void switch_off_if_abandoned() {
  RingHeader& h = *g_process.header;
  if (monotonic_ns() - h.heartbeat_ns.load(std::memory_order_relaxed) < kLeaseNs) return;
  std::uint32_t epoch = h.word.load(std::memory_order_relaxed);
  if (epoch != 0) h.word.compare_exchange_strong(epoch, 0, std::memory_order_relaxed);
}

void drop(ThreadRing& ring) {
  ring.dropped += 1;
  ring.control->dropped.store(ring.dropped, std::memory_order_relaxed);
  if ((ring.dropped & 1023) == 0) switch_off_if_abandoned();
}

} // namespace

ThreadRing* thread_ring_slow() {
  if (g_process.header == nullptr && !register_process()) return nullptr;
  const std::uint32_t epoch = g_process.header->word.load(std::memory_order_acquire);
  if (epoch == 0) return nullptr;
  ThreadRing* ring = t_ring;
  if (ring == nullptr) {
    const std::int64_t now = monotonic_ns();
    const bool is_refused = t_refusal.epoch == epoch;
    if (is_refused && now < t_refusal.again_ns) return nullptr;
    ring = claim_ring();
    if (ring == nullptr) {
      t_refusal = {epoch, now + kLookAgainNs};
      if (!is_refused) g_process.header->threads_refused.fetch_add(1, std::memory_order_relaxed);
      return nullptr;
    }
  }
  if (ring->epoch != epoch && !enter_epoch(*ring, epoch)) return nullptr;
  return ring;
}

void forget_threads() {
  t_ring = nullptr;
  if (g_has_exit_key) pthread_setspecific(g_exit_key, nullptr);
  for (ThreadRing& ring : g_rings) {
    if (ring.ring != nullptr) munmap(ring.ring, std::uint64_t{kRingRecords} * sizeof(RingRecord));
    ring = ThreadRing{};
  }
}

bool refill(ThreadRing& ring, bool is_end) {
  const std::uint64_t tail = ring.control->tail.load(std::memory_order_acquire);
  // A reader that writes nonsense must not make us overwrite: tail never runs ahead of head.
  const std::uint64_t in_use = tail <= ring.head ? ring.head - tail : kRingRecords;
  const std::uint64_t room = kRingRecords - (in_use < kRingRecords ? in_use : kRingRecords);
  const std::uint64_t usable = room > kReservedRecords ? room - kReservedRecords : 0;
  if (usable == 0 && (!is_end || room == 0)) {
    drop(ring);
    return false;
  }
  if (ring.head >= ring.ready && ring.ready < kRingRecords) {
    const std::uint64_t at = ring.ready * sizeof(RingRecord);
    const std::uint64_t bytes = kChunkRecords * sizeof(RingRecord);
    const std::uint64_t offset =
        g_process.header->rings_offset + ring.slot * std::uint64_t{kRingRecords} * sizeof(RingRecord) + at;
    bool has_memory = false;
    {
      const Held held(g_process.lock); // the descriptor may be opened again inside
      has_memory = take_memory(offset, bytes);
    }
    if (!has_memory) {
      g_process.header->memory_refused.fetch_add(1, std::memory_order_relaxed);
      drop(ring);
      return false;
    }
    madvise(reinterpret_cast<char*>(ring.ring) + at, bytes, MADV_POPULATE_WRITE);
    ring.ready += kChunkRecords;
  }
  // Without the reserve, also after an end: it must not lift the limit for the others.
  std::uint64_t limit = ring.head + usable;
  if (ring.ready < kRingRecords && limit > ring.ready) limit = ring.ready;
  ring.limit = limit;
  return true;
}

} // namespace prof::sdk
