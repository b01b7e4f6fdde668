#include "sdk/process.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace prof::sdk {

Process g_process;

namespace {

constexpr std::uint32_t kWordUnregistered =
    1; // sends the first call into thread_ring_slow(), which registers
constexpr std::uint32_t kWordOff = 0;
constexpr std::uint32_t kMaxCopies = 16;
const std::uint32_t** g_copies[kMaxCopies];
std::uint32_t g_copy_count = 0;
bool g_is_hooked_to_fork = false;
// The mapping inherited over fork(); its names are taken over at registration, then it is unmapped.
RingHeader* g_parent = nullptr;

std::uint64_t control_bytes(std::uint32_t slots) {
  return kHeaderBytes + slots * sizeof(SlotControl);
}
std::uint64_t mapped_bytes(std::uint32_t slots) {
  return control_bytes(slots) + kNamesBytes + std::uint64_t{kOpCount} * sizeof(RingOp);
}

// The kernel's own choice of clock tells whether the counter is the same and steady on all cores.
ClockKind usable_clock() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0x80000007u, &a, &b, &c, &d) == 0 || (d & (1u << 8)) == 0) return ClockKind::monotonic_ns;
  const int fd =
      open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ClockKind::monotonic_ns;
  char text[32] = {};
  const ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  const bool is_tsc = n > 0 && (std::strncmp(text, "tsc", 3) == 0 || std::strncmp(text, "kvm-clock", 9) == 0);
  return is_tsc ? ClockKind::tsc : ClockKind::monotonic_ns;
#else
  return ClockKind::monotonic_ns;
#endif
}

// False when a daemon closed our descriptor: the number may be somebody else's file by now.
bool is_own_descriptor() {
  struct stat info{};
  return fstat(g_process.fd, &info) == 0 && info.st_dev == g_process.file_dev &&
         info.st_ino == g_process.file_ino;
}

void before_fork() {
  g_process.lock.lock();
}
void after_fork_in_parent() {
  g_process.lock.unlock();
}
// The child has a copy of everything but writes to the parent's pages: it starts anew at its next call.
void after_fork_in_child() {
  if (g_process.header != nullptr) {
    g_parent = g_process.header;
    if (is_own_descriptor()) close(g_process.fd);
  }
  g_process.header = nullptr;
  g_process.fd = -1;
  g_process.last_request.store(0, std::memory_order_relaxed);
  g_process.names_ready = 0;
  g_process.ops_ready = 0;
  forget_threads();
  if (!g_process.is_disabled) point_words_at(&kWordUnregistered);
  g_process.lock.unlock();
}

bool is_switched_off() {
  const char* value = std::getenv("PROF_SDK");
  return value != nullptr && std::strcmp(value, "off") == 0;
}

// A child of a process that is being recorded records from its first call on: it may end before the profiler
// has seen it.
void inherit_recording(const RingHeader& parent, RingHeader& h) {
  h.parent_pid.store(parent.pid, std::memory_order_relaxed);
  if (parent.word.load(std::memory_order_relaxed) == 0) return;
  h.last_epoch.store(1, std::memory_order_relaxed);
  h.word.store(1, std::memory_order_relaxed);
  h.sampling.store(parent.sampling.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

void fill_header(RingHeader& h, std::uint32_t slots) {
  h.version = kRingVersion;
  h.slot_count = slots;
  h.ring_records = kRingRecords;
  h.op_count = kOpCount;
  h.slots_offset = kHeaderBytes;
  h.names_offset = control_bytes(slots);
  h.names_bytes = kNamesBytes;
  h.ops_offset = h.names_offset + kNamesBytes;
  h.rings_offset = mapped_bytes(slots);
  h.file_bytes = h.rings_offset + std::uint64_t{slots} * kRingRecords * sizeof(RingRecord);
  h.pid = static_cast<std::uint32_t>(getpid());
  h.uid = geteuid();
  h.pid_start = start_time_of(h.pid);
  h.pid_ns = pid_namespace();
  if (const auto* random = reinterpret_cast<const std::uint8_t*>(getauxval(AT_RANDOM)); random != nullptr)
    std::memcpy(h.image_id, random, sizeof h.image_id);
  h.clock = g_process.clock;
  const ClockPair now = read_clock_pair(h.clock);
  h.base_ticks = now.ticks;
  h.base_ns = now.ns;
  h.sampling.store(kSampleAll, std::memory_order_relaxed);
  h.heartbeat_ns.store(now.ns, std::memory_order_relaxed);
  h.names_used.store(kNameAlign, std::memory_order_relaxed); // id 0 is the empty text
  h.ops_used.store(1, std::memory_order_relaxed);
  if (const char* value = std::getenv("PROF_RECORD"); value != nullptr && std::strcmp(value, "1") == 0) {
    h.last_epoch.store(1, std::memory_order_relaxed);
    h.word.store(1, std::memory_order_relaxed);
  }
  if (g_parent != nullptr) inherit_recording(*g_parent, h);
  if (const char* value = std::getenv("PROF_SAMPLING"); value != nullptr && *value >= '0' && *value <= '9')
    h.sampling.store(static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10)), std::memory_order_relaxed);
}

// As many threads as the file-size limit of the process allows.
std::uint32_t affordable_slots() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kSlotCount;
  std::uint32_t slots = kSlotCount;
  while (slots > 0 &&
         mapped_bytes(slots) + std::uint64_t{slots} * kRingRecords * sizeof(RingRecord) > limit.rlim_cur)
    slots /= 2;
  return slots;
}

bool open_file() {
  char folder[96];
  if (!registry_folder(folder, sizeof folder)) return false;
  remove_stale_files(folder);
  const unsigned long long nonce =
      read_ticks(g_process.clock) ^ (reinterpret_cast<std::uintptr_t>(&folder) << 20);
  // The leading dot keeps readers away until the header is complete.
  char temp[sizeof g_process.path];
  std::snprintf(g_process.path, sizeof g_process.path, "%s/%d-%016llx.ring", folder,
                static_cast<int>(getpid()), nonce);
  std::snprintf(temp, sizeof temp, "%s/.%d-%016llx", folder, static_cast<int>(getpid()), nonce);
  g_process.fd = open(temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (g_process.fd < 0) return false;
  struct stat info{};
  fstat(g_process.fd, &info);
  g_process.file_dev = info.st_dev;
  g_process.file_ino = info.st_ino;
  const std::uint32_t slots = affordable_slots();
  const std::uint64_t file_bytes =
      mapped_bytes(slots) + std::uint64_t{slots} * kRingRecords * sizeof(RingRecord);
  void* map = MAP_FAILED;
  if (slots > 0 && ftruncate(g_process.fd, static_cast<off_t>(file_bytes)) == 0 &&
      take_memory(0, control_bytes(slots)))
    map = mmap(nullptr, mapped_bytes(slots), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, g_process.fd,
               0);
  if (map == MAP_FAILED) {
    unlink(temp);
    close(g_process.fd);
    g_process.fd = -1;
    return false;
  }
  char* base = static_cast<char*>(map);
  g_process.header = static_cast<RingHeader*>(map);
  g_process.slot_count = slots;
  fill_header(*g_process.header, slots);
  g_process.slots = reinterpret_cast<SlotControl*>(base + g_process.header->slots_offset);
  g_process.names = base + g_process.header->names_offset;
  g_process.ops = reinterpret_cast<RingOp*>(base + g_process.header->ops_offset);
  std::memcpy(g_process.header->magic, kRingMagic, sizeof kRingMagic);
  if (rename(temp, g_process.path) == 0) return true;
  unlink(temp);
  return true; // recording works, only nobody finds it
}

// An empty file of a process that ends in order is of no use; one that is being recorded is left to the
// profiler.
__attribute__((destructor)) void remove_own_file() {
  if (g_process.header == nullptr || static_cast<std::uint32_t>(getpid()) != g_process.header->pid) return;
  if (g_process.header->word.load(std::memory_order_relaxed) == 0) unlink(g_process.path);
}

} // namespace

std::uint64_t start_time_of(std::uint32_t pid) {
  char path[48];
  std::snprintf(path, sizeof path, "/proc/%u/stat", pid);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[1024];
  const ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0) return 0;
  text[n] = 0;
  const char* at = std::strrchr(text, ')'); // the name before it may hold anything
  for (int field = 2; at != nullptr && field < 22; ++field)
    at = std::strchr(at + 1, ' ');
  return at == nullptr ? 0 : std::strtoull(at + 1, nullptr, 10);
}

std::uint64_t pid_namespace() {
  struct stat info{};
  return stat("/proc/self/ns/pid", &info) == 0 ? info.st_ino : 0;
}

void point_words_at(const std::uint32_t* word) {
  __atomic_store_n(&prof_sdk_word, word, __ATOMIC_RELEASE);
  for (std::uint32_t i = 0; i < g_copy_count; ++i)
    __atomic_store_n(g_copies[i], word, __ATOMIC_RELEASE);
}

bool take_memory(std::uint64_t offset, std::uint64_t bytes) {
  if (!is_own_descriptor()) { // it is not closed here
    struct stat info{};
    const int again = open(g_process.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (again < 0) return false;
    if (fstat(again, &info) != 0 || info.st_ino != g_process.file_ino) {
      close(again);
      return false;
    }
    g_process.fd = again;
  }
  int rc = 0;
  do
    rc = fallocate(g_process.fd, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  while (rc != 0 && errno == EINTR);
  return rc == 0;
}

namespace {
// With the mutex held.
void register_locked() {
  if (is_switched_off()) {
    g_process.is_disabled = true;
    point_words_at(&kWordOff);
    return;
  }
  g_process.clock = usable_clock();
  if (!g_is_hooked_to_fork) {
    g_is_hooked_to_fork = true;
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  }
  if (!open_file()) {
    g_process.is_disabled = true;
    point_words_at(&kWordOff);
    return;
  }
  if (g_parent != nullptr) {
    copy_tables_from(g_parent);
    munmap(g_parent, mapped_bytes(g_parent->slot_count));
    g_parent = nullptr;
  }
  point_words_at(reinterpret_cast<const std::uint32_t*>(&g_process.header->word));
}
} // namespace

bool register_process() {
  if (prof_sdk_api != own_table()) return false; // another copy of this process does it
  bool is_new = false;
  g_process.lock.lock();
  if (g_process.header == nullptr && !g_process.is_disabled) {
    register_locked();
    is_new = g_process.header != nullptr;
  }
  const bool is_registered = g_process.header != nullptr;
  g_process.lock.unlock();
  if (is_new && g_process.header->service.load(std::memory_order_relaxed) == 0)
    g_process.header->service.store(
        intern(program_invocation_short_name, std::strlen(program_invocation_short_name)),
        std::memory_order_release);
  return is_registered;
}

void add_copy(const std::uint32_t** word) {
  g_process.lock.lock();
  if (g_copy_count < kMaxCopies) {
    g_copies[g_copy_count++] = word;
    __atomic_store_n(word, prof_sdk_word, __ATOMIC_RELEASE);
  }
  g_process.lock.unlock();
}
void remove_copy(const std::uint32_t** word) {
  g_process.lock.lock();
  for (std::uint32_t i = 0; i < g_copy_count; ++i)
    if (g_copies[i] == word) g_copies[i] = g_copies[--g_copy_count];
  g_process.lock.unlock();
}

} // namespace prof::sdk

const std::uint32_t* prof_sdk_word = &prof::sdk::kWordUnregistered;
