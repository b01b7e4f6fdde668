// perf_ring.hpp: the kernel's event rings (perf_event_open), one per CPU, and the events that write into
// them. Recording costs the target no system call and wakes nobody: the rings are mapped beforehand and read
// ten times a second.
#pragma once
#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <linux/perf_event.h>
#include <span>
#include <unordered_set>
#include <vector>

namespace prof {

// One record of a ring, already cut into the parts that collectors need. Views live during the handler's call
// only.
struct PerfRecord {
  std::uint32_t type = 0; // PERF_RECORD_*
  std::uint16_t misc = 0;
  std::int64_t ts_ns = 0; // CLOCK_MONOTONIC
  std::int32_t cpu = 0;
  std::int64_t pid = 0, tid = 0; // who was running
  std::span<const std::uint64_t>
      callchain{}; // PERF_RECORD_SAMPLE with a chain: leaf first, PERF_CONTEXT_* marks inside
  std::span<const std::byte> raw{}; // PERF_RECORD_SAMPLE of a tracepoint
  std::span<const std::uint64_t>
      user_registers{}; // PERF_RECORD_SAMPLE with them and a copy of the stack; empty when the
  std::span<const std::byte> user_stack{}; // thread has no user space
  std::span<const std::byte> body{};       // other records: what follows the header
};

// An attr with the fields that all events of our rings share (clock, record layout, no wake-ups). sample_type
// must not be changed beyond PERF_SAMPLE_CALLCHAIN, _RAW, _REGS_USER and _STACK_USER: the reader knows this
// layout only.
[[nodiscard]] perf_event_attr perf_attr(std::uint32_t type, std::uint64_t config);

// Whether perf_event_open takes this event for our own process; errno when not.
struct PerfProbe {
  bool is_ok = false;
  int error = 0;
};
[[nodiscard]] PerfProbe probe_perf(const perf_event_attr& attr, std::int64_t pid, int cpu);
// perf_event_open, but EMFILE while descriptors for other things are still free. The caller closes what it
// gets.
[[nodiscard]] int perf_open(perf_event_attr& attr, std::int64_t pid, int cpu);
// Whether this process may watch every process on a CPU, and tracepoints (root, CAP_PERFMON, or
// perf_event_paranoid).
[[nodiscard]] bool may_watch_machine();
// Raises the limit of open files to its hard maximum: one descriptor per event, thread and CPU is needed.
void raise_file_limit();
// Descriptors that events may still take; the rest stays free for /proc and rings of services.
[[nodiscard]] std::size_t free_event_files();

[[nodiscard]] std::vector<int> online_cpus();

// A set of events with the rings that they share. Not thread-safe. Destruction closes everything.
// All events of one set carry the same sample_type.
class PerfEvents {
public:
  PerfEvents() = default;
  PerfEvents(const PerfEvents&) = delete;
  PerfEvents& operator=(const PerfEvents&) = delete;
  ~PerfEvents();

  // Maps one ring of about ring_bytes per CPU (less when the locked-memory limit says so). Errors:
  // permission, unsupported.
  [[nodiscard]] Status open_rings(std::size_t ring_bytes);
  // The event on every CPU, for every process. Errors: permission (says how to grant it), unsupported.
  [[nodiscard]] Status attach_machine(const perf_event_attr& attr);
  // The event on every thread of the process and on all that they create later. A process that is gone is no
  // error.
  [[nodiscard]] Status attach_process(perf_event_attr attr, std::int64_t pid,
                                      const std::filesystem::path& proc);
  // Closes the sampling events and keeps the rings with what is in them, and events that only report forks
  // and mappings.
  void detach();

  // Hands all that has gathered to `handle`, in order of time over all CPUs.
  void drain(const std::function<void(const PerfRecord&)>& handle);
  // Events that the kernel dropped because a ring was full or that it throttled, since the start.
  [[nodiscard]] std::int64_t lost() const { return lost_; }
  [[nodiscard]] std::int64_t throttled() const { return throttled_; }
  [[nodiscard]] std::size_t event_count() const { return events_.size() + side_events_.size(); }

private:
  struct Ring {
    int cpu = 0;
    int fd = -1;
    perf_event_mmap_page* page = nullptr;
    std::size_t size = 0; // of the data area, a power of two
  };
  struct Slot {
    std::int64_t ts_ns;
    std::uint32_t offset; // into scratch_
    std::uint32_t size;
    std::uint32_t ring;
  };
  [[nodiscard]] Status add(perf_event_attr attr, std::int64_t tid, const Ring& ring);
  void collect(const Ring& ring, std::uint32_t number);
  void deliver(const Slot& slot, const std::function<void(const PerfRecord&)>& handle);
  [[nodiscard]] bool read_sample(const Slot& slot, std::span<const std::byte> body, PerfRecord& record) const;
  void note_layout(const perf_event_attr& attr);

  std::vector<Ring> rings_;
  std::vector<int> events_, side_events_;
  std::vector<std::uint64_t> scratch_; // records copied out of the rings, 8-aligned
  std::vector<Slot> slots_;
  std::vector<std::int64_t> last_ts_; // per ring, for records without a time
  std::uint64_t sample_type_ = 0;
  std::size_t register_count_ = 0; // of user_registers
  std::int64_t lost_ = 0, throttled_ = 0;
};

} // namespace prof
