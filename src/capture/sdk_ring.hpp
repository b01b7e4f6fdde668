// sdk_ring.hpp: the profiler's side of one process's ring file (sdk/ring_layout.hpp). The file is somebody
// else's and may hold anything: every index is checked, and bulk data is read with pread, so that a file cut
// short cannot kill us.
#pragma once
#include "base/result.hpp"
#include "capture/ring_guard.hpp"
#include "sdk/ring_layout.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace prof {

struct SdkRingFile {
  std::int64_t pid = 0;
  std::string path;
};
// All ring files in the registry folders that this user may trust, stale ones included. Sorted by path.
[[nodiscard]] std::vector<SdkRingFile> list_sdk_ring_files();

// The share of requests in detail (0..1) as the SDK compares it with a request's hash.
[[nodiscard]] std::uint32_t sampling_threshold(double share);

// What the process lost or could not do since the profiler attached; lost texts since it began, as they stay
// lost.
struct SdkLosses {
  std::uint64_t dropped = 0;    // records that found their ring full
  std::uint64_t names_lost = 0; // texts that found the table full
  std::uint64_t ops_lost = 0;
  std::uint64_t threads_refused = 0; // more threads than slots
  std::uint64_t memory_refused = 0;  // no shared memory left
  std::uint64_t too_deep = 0;        // spans nested deeper than is recorded
  std::uint64_t damaged = 0;         // records that make no sense, counted by the reader
};

// Single-threaded. One profiler at a time may be attached to a process.
class SdkRing {
public:
  // Errors: io, permission (also: the file of a user who does not own the process), missing, malformed,
  // unsupported (another version).
  [[nodiscard]] static Result<std::unique_ptr<SdkRing>> open(const std::string& path);
  SdkRing(const SdkRing&) = delete;
  SdkRing& operator=(const SdkRing&) = delete;
  ~SdkRing(); // detaches

  // Switches recording on. Data of before is thrown away, unless the process records since its birth
  // (PROF_RECORD=1). Errors: permission (another profiler is attached: what names its pid).
  [[nodiscard]] Status attach(double sampling_rate);
  // Switches recording off; what was recorded can still be drained. Harmless when not attached.
  void detach();
  [[nodiscard]] bool is_attached() const { return epoch_ != 0; }
  // Hands every new record to `take` with its slot, thread by thread, and keeps the lease alive.
  void drain(const std::function<void(std::uint32_t slot, const sdk::RingRecord& record)>& take);

  [[nodiscard]] std::int64_t pid() const { return pid_; }
  // The process that forked this one, when it was registered too; else 0.
  [[nodiscard]] std::int64_t parent_pid() const {
    return header_->parent_pid.load(std::memory_order_relaxed);
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint32_t epoch() const { return epoch_; }
  [[nodiscard]] sdk::ClockKind clock() const { return clock_; }
  [[nodiscard]] std::uint64_t base_ticks() const { return base_ticks_; }
  [[nodiscard]] std::int64_t base_ns() const { return base_ns_; }
  // Of another pid namespace (a container that shares the registry): its pid is the number of somebody else
  // here.
  [[nodiscard]] bool is_elsewhere() const;
  // False only when it is certain that the process is gone.
  [[nodiscard]] bool is_process_alive() const;
  // False when the process runs another program by now (exec): it does not have the file mapped. Reads all of
  // /proc/PID/maps: not for every poll.
  [[nodiscard]] bool is_in_use() const;
  // The pid of another profiler that is attached and alive, else 0.
  [[nodiscard]] std::int64_t other_profiler() const;
  [[nodiscard]] std::string service();
  [[nodiscard]] sdk::HookState hook_state() const {
    return header_->hook_state.load(std::memory_order_acquire);
  }
  [[nodiscard]] std::string hook_detail();
  [[nodiscard]] std::string hook_version();
  [[nodiscard]] std::uint32_t hook_count() const {
    return header_->hook_count.load(std::memory_order_relaxed);
  }
  [[nodiscard]] SdkLosses losses() const;
  // The text of a name id; empty for id 0 and for ids that the process never gave.
  [[nodiscard]] std::string name(std::uint32_t id);
  [[nodiscard]] std::uint32_t op_count() const;
  // All zero for an id that the process never gave.
  [[nodiscard]] sdk::RingOp op(std::uint32_t id);
  // Removes the file. For processes that are gone.
  void remove();

private:
  SdkRing() = default;
  [[nodiscard]] SdkLosses losses_so_far() const;
  [[nodiscard]] bool read_at(std::uint64_t offset, void* out, std::size_t bytes) const;
  void drain_slot(std::uint32_t slot, const std::function<void(std::uint32_t, const sdk::RingRecord&)>& take);

  std::string path_;
  int fd_ = -1;
  std::unique_ptr<GuardedMapping> mapping_; // of the header and the slot controls, and nothing else
  sdk::RingHeader* header_ = nullptr;
  sdk::SlotControl* slots_ = nullptr;
  std::uint32_t slot_count_ = 0;
  std::uint64_t names_offset_ = 0, ops_offset_ = 0, rings_offset_ = 0;
  std::int64_t pid_ = 0;
  std::uint64_t pid_start_ = 0, pid_ns_ = 0;
  sdk::ClockKind clock_ = sdk::ClockKind::monotonic_ns;
  std::uint64_t base_ticks_ = 0;
  std::int64_t base_ns_ = 0;
  std::uint32_t epoch_ = 0;
  SdkLosses before_; // this recording
  std::uint64_t damaged_ = 0;
  std::vector<sdk::RingRecord> buffer_;
};

} // namespace prof
