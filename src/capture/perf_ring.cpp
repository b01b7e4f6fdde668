#include "capture/perf_ring.hpp"

#include "capture/low_priority.hpp"
#include "capture/procfs.hpp"
#include "capture/signal_states.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace prof {
namespace {

constexpr std::uint64_t kBaseSample = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
constexpr std::size_t kTrailer =
    24; // tid pair, time, cpu: at the start of samples, at the end of all other records
constexpr std::string_view kCall = "perf_event_open";
constexpr std::size_t kMinRing = std::size_t{32} << 10;

// Kept from events: without descriptors /proc cannot be read, and a target that cannot be read seems gone.
std::size_t reserved_files(const rlimit& limit) {
  constexpr std::size_t kMost = 128;
  return std::min<std::size_t>(kMost, limit.rlim_cur / 4);
}

bool is_side_event(const perf_event_attr& attr) {
  return attr.type == PERF_TYPE_SOFTWARE && attr.config == PERF_COUNT_SW_DUMMY;
}

template <class T>
T read_at(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

} // namespace

int perf_open(perf_event_attr& attr, std::int64_t pid, int cpu) {
  const auto fd = static_cast<int>(
      ::syscall(SYS_perf_event_open, &attr, static_cast<pid_t>(pid), cpu, -1, PERF_FLAG_FD_CLOEXEC));
  rlimit limit{};
  if (fd < 0 || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return fd;
  if (static_cast<std::size_t>(fd) + reserved_files(limit) < limit.rlim_cur) return fd;
  ::close(fd);
  errno = EMFILE;
  return -1;
}

perf_event_attr perf_attr(std::uint32_t type, std::uint64_t config) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = type;
  attr.config = config;
  attr.sample_type = kBaseSample;
  attr.sample_id_all = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  attr.watermark = 1;
  attr.wakeup_watermark = 1U << 30; // never: a wake-up is an interrupt, and nobody sleeps on the ring
  return attr;
}

PerfProbe probe_perf(const perf_event_attr& attr, std::int64_t pid, int cpu) {
  perf_event_attr copy = attr;
  const int fd = perf_open(copy, pid, cpu);
  if (fd < 0) return {.is_ok = false, .error = errno};
  ::close(fd);
  return {.is_ok = true};
}

bool may_watch_machine() {
  return probe_perf(perf_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK), -1, online_cpus().front()).is_ok;
}

void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t free_event_files() {
  rlimit limit{};
  const int next =
      ::open("/dev/null", O_RDONLY | O_CLOEXEC); // the lowest free number: about as many are in use
  if (next < 0 || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  ::close(next);
  const std::size_t used = static_cast<std::size_t>(next) + reserved_files(limit);
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

std::vector<int> online_cpus() {
  std::vector<int> cpus;
  const std::string list = read_virtual_file("/sys/devices/system/cpu/online").value_or("0");
  const char* at = list.c_str();
  while (*at >= '0' && *at <= '9') {
    char* end = nullptr;
    const long first = std::strtol(at, &end, 10);
    long last = first;
    if (*end == '-') last = std::strtol(end + 1, &end, 10);
    for (long cpu = first; cpu <= last && cpu < 65536; ++cpu)
      cpus.push_back(static_cast<int>(cpu));
    at = *end == ',' ? end + 1 : end;
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

PerfEvents::~PerfEvents() {
  detach();
  for (const int fd : side_events_)
    ::close(fd);
  for (const Ring& ring : rings_) {
    if (ring.page != nullptr)
      ::munmap(ring.page, ring.size + static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
    if (ring.fd >= 0) ::close(ring.fd);
  }
}

Status PerfEvents::open_rings(std::size_t ring_bytes) {
  const auto page_size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (const int cpu : online_cpus()) {
    // A dummy event of our own owns the ring, so that the events that fill it can be closed and opened again.
    perf_event_attr attr = perf_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    attr.exclude_kernel = 1;
    Ring ring{.cpu = cpu, .fd = perf_open(attr, 0, cpu)};
    if (ring.fd < 0) return refused_error(errno, kCall);
    ring.size = std::bit_ceil(std::max(ring_bytes, kMinRing));
    int refused = 0;
    for (; ring.size >= kMinRing; ring.size /= 2) {
      void* map = ::mmap(nullptr, ring.size + page_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                         ring.fd, 0);
      if (map != MAP_FAILED) {
        ring.page = static_cast<perf_event_mmap_page*>(map);
        break;
      }
      refused = errno;
    }
    rings_.push_back(ring);
    last_ts_.push_back(0);
    if (ring.page == nullptr) // the kernel says EPERM of memory beyond kernel.perf_event_mlock_kb
      return refused == EPERM ? locked_memory_error() : refused_error(refused, "mmap");
  }
  return {};
}

Status PerfEvents::add(perf_event_attr attr, std::int64_t tid, const Ring& ring) {
  int fd = perf_open(attr, tid, ring.cpu);
  if (fd < 0 && (errno == EACCES || errno == EPERM) && attr.exclude_kernel == 0) {
    attr.exclude_kernel = 1; // perf_event_paranoid 2: user space only
    fd = perf_open(attr, tid, ring.cpu);
  }
  if (fd < 0) {
    if (errno == ESRCH || errno == ENODEV) return {}; // the thread ended or the CPU went away meanwhile
    return refused_error(errno, kCall);
  }
  if (::ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring.fd) != 0) {
    const int code = errno;
    ::close(fd);
    return refused_error(code, "ioctl");
  }
  (is_side_event(attr) ? side_events_ : events_).push_back(fd);
  return {};
}

void PerfEvents::note_layout(const perf_event_attr& attr) {
  if (is_side_event(attr)) return;
  sample_type_ = attr.sample_type;
  register_count_ = static_cast<std::size_t>(std::popcount(attr.sample_regs_user));
}

Status PerfEvents::attach_machine(const perf_event_attr& attr) {
  note_layout(attr);
  for (const Ring& ring : rings_)
    PROF_CHECK(add(attr, -1, ring));
  return {};
}

Status PerfEvents::attach_process(perf_event_attr attr, std::int64_t pid, const std::filesystem::path& proc) {
  hurry(); // the kernel locks each thread's list of events
  attr.inherit = 1;
  note_layout(attr);
  // A thread may start while we go through the list, made by one that is not watched yet: list again until
  // nothing is new.
  std::unordered_set<std::int64_t> done;
  for (int round = 0; round < 4; ++round) {
    bool is_new = false;
    for (const std::int64_t tid : list_tids(proc, pid)) {
      if (!done.insert(tid).second) continue;
      is_new = true;
      for (const Ring& ring : rings_)
        PROF_CHECK(add(attr, tid, ring));
    }
    if (!is_new) break;
  }
  return {};
}

void PerfEvents::detach() {
  for (const int fd : events_)
    ::close(fd);
  events_.clear();
}

void PerfEvents::collect(const Ring& ring, std::uint32_t number) {
  const std::uint64_t head = __atomic_load_n(&ring.page->data_head, __ATOMIC_ACQUIRE);
  std::uint64_t tail = ring.page->data_tail;
  const auto* data = reinterpret_cast<const std::byte*>(ring.page) + ::sysconf(_SC_PAGESIZE);
  const std::size_t mask = ring.size - 1;
  while (tail < head) {
    perf_event_header header{};
    std::memcpy(&header, data + (tail & mask), sizeof header); // headers are 8-aligned: they never wrap
    if (header.size < sizeof header || header.size > head - tail) break;
    const std::size_t words = (header.size + 7U) / 8U;
    const std::size_t at = scratch_.size();
    scratch_.resize(at + words);
    auto* copy = reinterpret_cast<std::byte*>(scratch_.data() + at);
    const std::size_t first = std::min<std::size_t>(header.size, ring.size - (tail & mask));
    std::memcpy(copy, data + (tail & mask), first);
    std::memcpy(copy + first, data, header.size - first);
    const std::size_t time_at = header.type == PERF_RECORD_SAMPLE ? sizeof header + 8 : header.size - 16U;
    if (header.size >= sizeof header + kTrailer) last_ts_[number] = read_at<std::int64_t>(copy + time_at);
    slots_.push_back({.ts_ns = last_ts_[number],
                      .offset = static_cast<std::uint32_t>(at),
                      .size = header.size,
                      .ring = number});
    tail += header.size;
  }
  __atomic_store_n(&ring.page->data_tail, head, __ATOMIC_RELEASE);
}

void PerfEvents::deliver(const Slot& slot, const std::function<void(const PerfRecord&)>& handle) {
  const auto* at = reinterpret_cast<const std::byte*>(scratch_.data() + slot.offset);
  const auto header = read_at<perf_event_header>(at);
  PerfRecord record{
      .type = header.type, .misc = header.misc, .ts_ns = slot.ts_ns, .cpu = rings_[slot.ring].cpu};
  std::span<const std::byte> body(at + sizeof header, slot.size - sizeof header);
  if (body.size() < kTrailer) return;
  if (record.type != PERF_RECORD_SAMPLE) {
    if (record.type == PERF_RECORD_LOST && body.size() >= 16) lost_ += read_at<std::int64_t>(body.data() + 8);
    if (record.type == PERF_RECORD_LOST_SAMPLES) lost_ += read_at<std::int64_t>(body.data());
    if (record.type == PERF_RECORD_THROTTLE) ++throttled_;
    const std::byte* trailer = body.data() + body.size() - kTrailer;
    record.pid = read_at<std::int32_t>(trailer);
    record.tid = read_at<std::int32_t>(trailer + 4);
    record.body = body.first(body.size() - kTrailer);
    handle(record);
    return;
  }
  record.pid = read_at<std::int32_t>(body.data());
  record.tid = read_at<std::int32_t>(body.data() + 4);
  body = body.subspan(kTrailer);
  record.body = body;
  if (read_sample(slot, body, record)) handle(record);
}

// What follows the fixed part of a sample, in the kernel's order. False: it is not whole.
bool PerfEvents::read_sample(const Slot& slot, std::span<const std::byte> body, PerfRecord& record) const {
  // scratch_ is made of 64-bit words, and every part before one that is read as words is a whole number of
  // them.
  std::size_t word = slot.offset + (sizeof(perf_event_header) + kTrailer) / 8;
  const auto words = [&](std::size_t count) {
    const auto part = std::span<const std::uint64_t>(scratch_).subspan(word, count);
    body = body.subspan(count * 8);
    word += count;
    return part;
  };
  if ((sample_type_ & PERF_SAMPLE_CALLCHAIN) != 0) {
    if (body.size() < 8) return false;
    const std::uint64_t depth = words(1).front();
    if (depth > body.size() / 8) return false;
    record.callchain = words(depth);
  }
  if ((sample_type_ & PERF_SAMPLE_RAW) != 0) {
    if (body.size() < 4) return false;
    const auto size = read_at<std::uint32_t>(body.data());
    record.raw = body.subspan(4, std::min<std::size_t>(size, body.size() - 4));
    return true; // tracepoints carry nothing behind it
  }
  if ((sample_type_ & PERF_SAMPLE_REGS_USER) == 0 || body.size() < 8) return true;
  const bool has_registers = words(1).front() == PERF_SAMPLE_REGS_ABI_64;
  if (!has_registers || body.size() < register_count_ * 8) return true;
  record.user_registers = words(register_count_);
  if (body.size() < 8) return true;
  const std::uint64_t size = words(1).front();
  if (size == 0 || size > body.size() || body.size() - size < 8) return true;
  const auto used = read_at<std::uint64_t>(body.data() + size); // the copy is as long as was asked for
  record.user_stack = body.first(std::min(size, used));
  return true;
}

void PerfEvents::drain(const std::function<void(const PerfRecord&)>& handle) {
  scratch_.clear();
  slots_.clear();
  for (std::uint32_t i = 0; i < rings_.size(); ++i)
    collect(rings_[i], i);
  std::ranges::stable_sort(slots_, {}, &Slot::ts_ns);
  for (const Slot& slot : slots_)
    deliver(slot, handle);
}

} // namespace prof
