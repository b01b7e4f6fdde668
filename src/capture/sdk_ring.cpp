#include "capture/sdk_ring.hpp"

#include "base/file.hpp"
#include "base/lang.hpp"
#include "capture/procfs.hpp"
#include "capture/sdk_services.hpp"
#include "sdk/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prof {

namespace {

constexpr std::int64_t kLease_ns = 10'000'000'000; // as in the SDK: then nobody takes anything any more

// Anything but the certainty that it is gone counts as there: its file may be in use.
bool is_there(std::int64_t pid, std::uint64_t start) {
  return process_life("/proc", pid, static_cast<std::int64_t>(start)) != ProcessLife::gone;
}

// Ring files are called <pid>-<anything>.ring.
bool is_named_after(const std::string& path, std::uint32_t pid) {
  return pid > 0 && pid <= 0x7fffffff &&
         std::string_view(path).substr(path.rfind('/') + 1).starts_with(std::to_string(pid) + "-");
}
// A user's folder may hold a file in the name of another user's process. Our own and root's files are taken:
// a service may have given up its rights since it began.
bool may_speak_for(uid_t owner, std::uint32_t pid) {
  struct stat process{};
  if (owner == 0 || owner == geteuid()) return true;
  return stat(("/proc/" + std::to_string(pid)).c_str(), &process) != 0 || process.st_uid == owner;
}

} // namespace

std::uint32_t sampling_threshold(double share) {
  return static_cast<std::uint32_t>(std::clamp(std::isfinite(share) ? share : 1.0, 0.0, 1.0) *
                                    sdk::kSampleAll);
}

Result<std::unique_ptr<SdkRing>> SdkRing::open(const std::string& path) {
  std::unique_ptr<SdkRing> ring(new SdkRing); // private constructor
  ring->path_ = path;
  ring->fd_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (ring->fd_ < 0) return errno_error("error.cannot_open_ring", path);
  struct stat info{};
  if (fstat(ring->fd_, &info) != 0) return errno_error("error.cannot_read_ring", path);
  if (!S_ISREG(info.st_mode) || info.st_size < static_cast<off_t>(sdk::kHeaderBytes))
    return error_said(Errc::malformed, "error.ring_none", path);

  std::vector<std::byte> raw(sdk::kHeaderBytes);
  if (!ring->read_at(0, raw.data(), raw.size())) return errno_error("error.cannot_read_ring", path);
  const auto* head = reinterpret_cast<const sdk::RingHeader*>(raw.data());
  if (std::memcmp(head->magic, sdk::kRingMagic, sizeof sdk::kRingMagic) != 0)
    return error_said(Errc::malformed, "error.ring_none", path);
  if (head->version != sdk::kRingVersion)
    return error_said(Errc::unsupported, "error.ring_version", path, fmt::arg("theirs", head->version),
                      fmt::arg("ours", sdk::kRingVersion));
  const std::uint64_t control =
      sdk::kHeaderBytes + std::uint64_t{head->slot_count} * sizeof(sdk::SlotControl);
  const bool is_as_written = head->slot_count > 0 && head->slot_count <= sdk::kSlotCount &&
                             head->ring_records == sdk::kRingRecords && head->op_count == sdk::kOpCount &&
                             head->slots_offset == sdk::kHeaderBytes && head->names_offset == control &&
                             head->ops_offset == control + sdk::kNamesBytes &&
                             head->rings_offset == head->ops_offset + sdk::kOpCount * sizeof(sdk::RingOp) &&
                             static_cast<std::uint64_t>(info.st_size) >= head->rings_offset;
  if (!is_as_written) return error_said(Errc::malformed, "error.ring_layout", path);
  if (!is_named_after(path, head->pid)) return error_said(Errc::malformed, "error.ring_misnamed", path);
  if (!may_speak_for(info.st_uid, head->pid)) return error_said(Errc::permission, "error.ring_foreign", path);

  ring->slot_count_ = head->slot_count;
  ring->names_offset_ = head->names_offset;
  ring->ops_offset_ = head->ops_offset;
  ring->rings_offset_ = head->rings_offset;
  ring->pid_ = head->pid;
  ring->pid_start_ = head->pid_start;
  ring->pid_ns_ = head->pid_ns;
  ring->clock_ = head->clock == sdk::ClockKind::tsc ? sdk::ClockKind::tsc : sdk::ClockKind::monotonic_ns;
  ring->base_ticks_ = head->base_ticks;
  ring->base_ns_ = head->base_ns;
  ring->mapping_ = std::make_unique<GuardedMapping>(ring->fd_, control);
  char* map = ring->mapping_->data();
  if (map == nullptr) return errno_error("error.cannot_map_ring", path);
  ring->header_ = reinterpret_cast<sdk::RingHeader*>(map);
  ring->slots_ = reinterpret_cast<sdk::SlotControl*>(map + sdk::kHeaderBytes);
  return ring;
}

SdkRing::~SdkRing() {
  if (header_ != nullptr) detach();
  if (fd_ >= 0) close(fd_);
}

bool SdkRing::read_at(std::uint64_t offset, void* out, std::size_t bytes) const {
  auto* at = static_cast<char*>(out);
  while (bytes > 0) {
    const ssize_t n = pread(fd_, at, bytes, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    offset += static_cast<std::uint64_t>(n);
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

bool SdkRing::is_elsewhere() const {
  return pid_ns_ != own_pid_namespace();
}

bool SdkRing::is_process_alive() const {
  if (is_elsewhere()) return true; // its pid says nothing here
  return is_there(pid_, pid_start_);
}

bool SdkRing::is_in_use() const {
  struct stat info{};
  if (is_elsewhere() || fstat(fd_, &info) != 0) return true; // nothing can be said
  const auto maps = read_virtual_file("/proc/" + std::to_string(pid_) + "/maps");
  constexpr std::size_t kCutHere = std::size_t{4} << 20; // read_virtual_file's limit
  if (!maps || maps->empty() || maps->size() >= kCutHere) return true;
  // "start-end perms offset major:minor inode path": the path may be another one over there, the inode is
  // not.
  return maps->find(" " + std::to_string(info.st_ino) + " ") != std::string::npos;
}

std::int64_t SdkRing::other_profiler() const {
  const std::uint32_t holder = header_->profiler_pid.load(std::memory_order_acquire);
  if (holder == 0 || is_attached()) return 0;
  const std::uint64_t space = header_->profiler_ns.load(std::memory_order_relaxed);
  if (space == 0 || space == own_pid_namespace())
    return is_there(holder, header_->profiler_start.load(std::memory_order_relaxed)) ? holder : 0;
  // In another container its number says nothing here: it is there while it takes records.
  const std::int64_t age_ns = sdk::monotonic_ns() - header_->heartbeat_ns.load(std::memory_order_relaxed);
  return age_ns >= 0 && age_ns < kLease_ns ? holder : 0;
}

Status SdkRing::attach(double sampling_rate) {
  if (is_attached()) return {};
  std::uint32_t holder = header_->profiler_pid.load(std::memory_order_acquire);
  const auto own = static_cast<std::uint32_t>(getpid());
  if (const std::int64_t other = other_profiler(); other != 0)
    return error_said(Errc::permission, "error.ring_taken", path_,
                      fmt::arg("who", describe_recorder("/proc", other)));
  // Whoever looks between the number and its start time must not take it for a reused number of the one
  // before.
  header_->profiler_start.store(0, std::memory_order_relaxed);
  header_->heartbeat_ns.store(sdk::monotonic_ns(), std::memory_order_relaxed);
  header_->profiler_ns.store(own_pid_namespace(), std::memory_order_relaxed);
  if (!header_->profiler_pid.compare_exchange_strong(holder, own, std::memory_order_acq_rel))
    return error_said(Errc::permission, "error.ring_raced", path_);
  const auto self = read_stat("/proc", own);
  header_->profiler_start.store(self ? static_cast<std::uint64_t>(self->start_ticks) : 0,
                                std::memory_order_relaxed);
  header_->sampling.store(sampling_threshold(sampling_rate), std::memory_order_relaxed);

  const bool records_since_birth = holder == 0 && header_->word.load(std::memory_order_acquire) == 1 &&
                                   header_->last_epoch.load(std::memory_order_relaxed) == 1;
  before_ = {};
  if (records_since_birth) {
    epoch_ = 1;
    return {};
  }
  header_->word.store(0, std::memory_order_release); // of a profiler that died
  before_ = losses_so_far();
  for (std::uint32_t i = 0; i < slot_count_; ++i)
    slots_[i].tail.store(slots_[i].head.load(std::memory_order_acquire), std::memory_order_release);
  epoch_ = header_->last_epoch.load(std::memory_order_relaxed) + 1;
  if (epoch_ == 0) epoch_ = 1;
  header_->last_epoch.store(epoch_, std::memory_order_relaxed);
  header_->word.store(epoch_, std::memory_order_release);
  return {};
}

void SdkRing::detach() {
  if (!is_attached()) return;
  epoch_ = 0;
  header_->word.store(0, std::memory_order_release);
  header_->profiler_pid.store(0, std::memory_order_release);
}

void SdkRing::drain(const std::function<void(std::uint32_t, const sdk::RingRecord&)>& take) {
  header_->heartbeat_ns.store(sdk::monotonic_ns(), std::memory_order_relaxed);
  const std::uint32_t used = std::min(header_->slots_used.load(std::memory_order_acquire), slot_count_);
  for (std::uint32_t slot = 0; slot < used; ++slot)
    drain_slot(slot, take);
}

void SdkRing::drain_slot(std::uint32_t slot,
                         const std::function<void(std::uint32_t, const sdk::RingRecord&)>& take) {
  constexpr std::uint64_t kBatch = 4096;
  sdk::SlotControl& control = slots_[slot];
  const std::uint64_t head = control.head.load(std::memory_order_acquire);
  std::uint64_t tail = control.tail.load(std::memory_order_relaxed);
  if (head == tail) return;              // also when a file was cut: then both are zeros
  if (head - tail > sdk::kRingRecords) { // somebody wrote nonsense
    damaged_ += 1;
    control.tail.store(head, std::memory_order_release);
    return;
  }
  const std::uint64_t ring_offset =
      rings_offset_ + std::uint64_t{slot} * sdk::kRingRecords * sizeof(sdk::RingRecord);
  while (tail != head) { // both may pass the end of their type
    const std::uint64_t at = tail & (sdk::kRingRecords - 1);
    const std::uint64_t n = std::min({head - tail, kBatch, sdk::kRingRecords - at});
    buffer_.resize(n);
    if (!read_at(ring_offset + at * sizeof(sdk::RingRecord), buffer_.data(), n * sizeof(sdk::RingRecord))) {
      damaged_ += n;
      control.tail.store(head, std::memory_order_release);
      return;
    }
    tail += n;
    control.tail.store(tail, std::memory_order_release); // our copy is taken: the writer may go on
    for (const sdk::RingRecord& record : buffer_)
      take(slot, record);
  }
}

std::string SdkRing::name(std::uint32_t id) {
  const std::uint64_t at = std::uint64_t{id} * sdk::kNameAlign;
  const std::uint32_t used = std::min(header_->names_used.load(std::memory_order_acquire), sdk::kNamesBytes);
  std::uint32_t length = 0;
  if (id == 0 || at + sizeof length > used || !read_at(names_offset_ + at, &length, sizeof length)) return {};
  if (length > sdk::kMaxNameBytes || at + sizeof length + length > used) return {};
  std::string text(length, '\0');
  if (!read_at(names_offset_ + at + sizeof length, text.data(), length)) return {};
  return text;
}

std::uint32_t SdkRing::op_count() const {
  return std::min(header_->ops_used.load(std::memory_order_acquire), sdk::kOpCount);
}

sdk::RingOp SdkRing::op(std::uint32_t id) {
  sdk::RingOp row{};
  if (id == 0 || id >= op_count()) return row;
  if (!read_at(ops_offset_ + std::uint64_t{id} * sizeof row, &row, sizeof row)) return {};
  return row;
}

std::string SdkRing::service() {
  return name(header_->service.load(std::memory_order_acquire));
}
std::string SdkRing::hook_detail() {
  return name(header_->hook_detail.load(std::memory_order_acquire));
}
std::string SdkRing::hook_version() {
  return name(header_->hook_version.load(std::memory_order_acquire));
}

SdkLosses SdkRing::losses_so_far() const {
  SdkLosses out;
  for (std::uint32_t i = 0; i < slot_count_; ++i)
    out.dropped += slots_[i].dropped.load(std::memory_order_relaxed);
  out.names_lost = header_->names_lost.load(std::memory_order_relaxed);
  out.ops_lost = header_->ops_lost.load(std::memory_order_relaxed);
  out.threads_refused = header_->threads_refused.load(std::memory_order_relaxed);
  out.memory_refused = header_->memory_refused.load(std::memory_order_relaxed);
  out.too_deep = header_->spans_too_deep.load(std::memory_order_relaxed);
  return out;
}

SdkLosses SdkRing::losses() const {
  SdkLosses out = losses_so_far();
  const auto since = [](std::uint64_t& now, std::uint64_t before) { now = now > before ? now - before : 0; };
  since(out.dropped, before_.dropped);
  since(out.threads_refused, before_.threads_refused);
  since(out.memory_refused, before_.memory_refused);
  since(out.too_deep, before_.too_deep);
  out.damaged = damaged_ + (mapping_->is_cut() ? 1 : 0);
  return out;
}

void SdkRing::remove() {
  unlink(path_.c_str());
}

} // namespace prof
